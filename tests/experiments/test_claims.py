"""Claims: verdicts follow from results, and change when the results do."""

import copy

import pytest

from duelli.experiments.claims import CLAIMS, Claim, Evidence, judge
from duelli.experiments.claims.appendix import APPENDIX
from duelli.experiments.claims.base import FAILS, HOLDS, UNCHECKABLE
from duelli.experiments.claims.section3 import SECTION3
from duelli.experiments.claims.section7 import SECTION7
from duelli.experiments.claims.theorems import THEOREMS
from duelli.experiments.paper import EXPERIMENTS, arc, filtered
from duelli.experiments.trials import run_trial
from duelli.record.tables import row_of

MEASURED, THEORY = [*SECTION7, *APPENDIX], [*SECTION3, *THEOREMS]


def rows(run, count):
    return [row_of(seed, run_trial(run.setting, seed)) for seed in range(count)]


@pytest.fixture(scope="module")
def results():
    """The real trials of the main experiment, and made-up ones of the baseline."""
    main = rows(EXPERIMENTS["main"].runs[0], 50)
    base = copy.deepcopy(main)
    for row in base:
        row["cumulative_regret"] *= 0.6
    return {"main": {"ARC-DuelLi": main, "IF2, 16x16": base}}


def finding(claim, results):
    return CLAIMS[claim].check(Evidence(results))


def test_ids_are_unique():
    assert len(CLAIMS) == len(MEASURED) + len(THEORY)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("lipschitz", FAILS),
        ("differences", FAILS),
        ("slopes", HOLDS),
        ("winner", FAILS),
        ("triangle", HOLDS),
        ("zooming-definition", FAILS),
        ("zooming-dimensions", HOLDS),
        ("hoeffding", HOLDS),
        ("lemmas", HOLDS),
        ("shrinking", UNCHECKABLE),
        ("explicit-bound", UNCHECKABLE),
        ("double-sum", HOLDS),
        ("needs-zooming-dimension", FAILS),
        ("poor-reference", FAILS),
        ("gamma-too-small", FAILS),
        ("reduction", HOLDS),
        ("horizon", FAILS),
    ],
)
def test_verdict_on_the_theory(claim, verdict):
    assert finding(claim, {}).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("baseline-main", FAILS),
        ("final-arms", HOLDS),
        ("gap-decay", HOLDS),
        ("gap-stabilises", FAILS),
        ("unfinished", HOLDS),
    ],
)
def test_verdict_on_the_main_experiment(claim, verdict, results):
    assert finding(claim, results).verdict == verdict


def test_a_worse_baseline_turns_the_verdict(results):
    changed = copy.deepcopy(results)
    for row in changed["main"]["IF2, 16x16"]:
        row["cumulative_regret"] *= 10
    assert finding("baseline-main", changed).verdict == HOLDS


def test_a_growing_gap_turns_the_verdict(results):
    changed = copy.deepcopy(results)
    for row in changed["main"]["ARC-DuelLi"]:
        row["rounds"][-1]["gap"] = 0.4
    assert finding("gap-decay", changed).verdict == FAILS


@pytest.mark.slow
def test_claims_without_their_experiment_are_counted_not_judged():
    judged, missing = judge({})
    assert {claim.id for claim in judged} == {claim.id for claim in THEORY}
    assert missing == len(MEASURED)


@pytest.mark.slow
def test_trials_at_another_horizon_do_not_decide_a_claim():
    other = rows(arc("two_cones", horizon=10**5), 2)
    judged, _ = judge({"main": {"ARC-DuelLi": other}})
    assert "final-arms" not in {claim.id for claim in judged}


def test_baseline_runs_are_the_matched_grid():
    run = filtered("two_cones")
    assert dict(run.setting.inputs) == {"cells": 16}
    assert run.label == "IF2, 16x16"


class Asked(Evidence):
    """Evidence that has every run, and remembers which ones were asked for."""

    def __init__(self, row):
        super().__init__({})
        object.__setattr__(self, "row", row)
        object.__setattr__(self, "asked", set())

    def rows(self, experiment, label="ARC-DuelLi", horizon=10**8):
        self.asked.add((experiment, label, horizon))
        return [{**self.row, "horizon": horizon}] * 2


def runs_asked_for(claims, row):
    evidence = Asked(row)
    for claim in claims:
        claim.check(evidence)
    return evidence.asked


EXISTING = {
    (experiment.id, run.label, run.setting.horizon)
    for experiment in EXPERIMENTS.values()
    for run in experiment.runs
}


def test_every_run_that_a_claim_asks_for_exists(results):
    asked = runs_asked_for(MEASURED, results["main"]["ARC-DuelLi"][0])
    assert asked - EXISTING == set()
    assert len(asked) > 30


def test_a_misspelt_label_would_be_noticed(results):
    def check(evidence):
        evidence.gaps("main", "ARC-Duelli")

    wrong = Claim(id="x", where="", says="", check=check)
    asked = runs_asked_for([wrong], results["main"]["ARC-DuelLi"][0])
    assert asked - EXISTING == {("main", "ARC-Duelli", 10**8)}
