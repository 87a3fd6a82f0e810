"""Experiments as data: names are unique, digests name the result, narrowing changes little."""

import shutil
from dataclasses import replace

import pytest

from duelli.experiments.paper import EXPERIMENTS, MAIN, SCALING
from duelli.experiments.spec import ROOT, Narrowing, fingerprint


def test_every_experiment_of_the_paper_is_there():
    six = {"flat", "plateau", "quadratic", "ridge", "sharp", "two_peaks"}
    others = {"main", "random_start", "scaled", "links", "dim_3", "dim_4"}
    promised = {"weak_regret", "scaling", "starts"}
    assert set(EXPERIMENTS) == six | others | promised


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=lambda e: e.id)
def test_labels_are_unique_in_an_experiment(experiment):
    labels = [run.label for run in experiment.runs]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=lambda e: e.id)
def test_what_the_paper_leaves_open_is_stated(experiment):
    assert any("δ" in choice for choice in experiment.choices)


def test_main_has_the_papers_trials_horizon_and_start():
    run = MAIN.runs[0]
    assert run.trials == 50
    assert run.setting.horizon == 10**8
    assert dict(run.setting.inputs)["start"] == (0.9, 0.9)
    assert dict(run.setting.inputs)["zooming_dim"] == 0.0


def test_digest_changes_with_whatever_changes_a_trial():
    run = MAIN.runs[0]
    others = [
        replace(run, seed=1),
        replace(run, setting=replace(run.setting, horizon=10**7)),
        replace(run, setting=replace(run.setting, engine="per_duel")),
        replace(run, setting=replace(run.setting, link="probit")),
    ]
    assert len({run.digest, *(other.digest for other in others)}) == 5


def test_digest_does_not_change_with_label_or_number_of_trials():
    run = MAIN.runs[0]
    assert replace(run, label="other", trials=3).digest == run.digest


def test_narrowing_changes_trials_horizon_and_engine():
    narrowed = Narrowing(trials=2, horizon=1000, engine="per_duel").of(MAIN)
    for run in narrowed.runs:
        assert (run.trials, run.setting.horizon, run.setting.engine) == (2, 1000, "per_duel")


def test_narrowing_cuts_a_sweep_over_horizons_instead_of_flattening_it():
    narrowed = Narrowing(horizon=10**6).of(SCALING)
    assert [run.setting.horizon for run in narrowed.runs] == [10**4, 10**5, 10**6]


def test_no_narrowing_changes_nothing():
    assert Narrowing().of(MAIN) == MAIN


@pytest.mark.parametrize(
    ("file", "stale"),
    [
        ("learners/arc/machine.py", True),
        ("engines/collapsed.py", True),
        ("record/trace.py", True),
        ("links.py", True),
        ("report/page.py", False),
        ("cli.py", False),
    ],
)
def test_kept_trials_are_stale_once_the_code_that_makes_them_changes(file, stale, tmp_path):
    root = tmp_path / "duelli"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns("__pycache__"))
    before = fingerprint.__wrapped__(root)
    (root / file).write_text((root / file).read_text() + "\n# changed\n")
    assert (fingerprint.__wrapped__(root) != before) == stale
