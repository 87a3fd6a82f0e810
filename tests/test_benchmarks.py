"""The benchmarks: what is finished is kept, and regret is never shown without the answer."""

import dataclasses
import importlib
import json
import random
import re
import sys
from pathlib import Path

import pytest
from arenas import arena, entry

from duelli import ArcRace, DuelModel, simulate
from duelli.driver import play
from duelli.engines import SIMULATED
from duelli.learners import LEARNERS
from duelli.learners.scalar import SCALARS
from duelli.testing.watch import arms_in_hand

ROOT = Path(__file__).parents[1]
calls = []


def squared(x):
    calls.append(x)
    return {"square": x * x}


@pytest.fixture
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    calls.clear()
    yield importlib.import_module
    for name in (
        "arena",
        "race",
        "rivals",
        "_duelpy",
        "_keep",
        "_rows",
        "_sampled",
        "_trials",
        "_write",
        "scale",
    ):
        sys.modules.pop(name, None)


@pytest.fixture
def keep(benchmarks):
    return benchmarks("_keep")


@pytest.fixture
def race(benchmarks):
    return benchmarks("race")


@pytest.fixture
def one(race, tmp_path):
    return race.Options(trials=1, runs=1, jobs=1, out=tmp_path)


def test_only_new_jobs_are_run(keep, tmp_path):
    keep.kept(squared, [(2,), (3,)], tmp_path, 1)
    found = keep.kept(squared, [(4,), (3,), (2,)], tmp_path, 1)
    assert [each["square"] for each in found] == [16, 9, 4]
    assert calls == [2, 3, 4]


def test_a_line_that_was_cut_short_is_run_again(keep, tmp_path):
    keep.kept(squared, [(2,), (3,)], tmp_path, 1)
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text()[:-5])
    for _ in range(2):
        found = keep.kept(squared, [(2,), (3,)], tmp_path, 1)
        assert [each["square"] for each in found] == [4, 9]
    assert calls == [2, 3, 3]


def test_what_other_code_has_found_is_not_used(keep, tmp_path, monkeypatch):
    keep.kept(squared, [(2,)], tmp_path, 1)
    monkeypatch.setattr(keep, "fingerprint", lambda root, _: f"another {root}")
    keep.kept(squared, [(2,)], tmp_path, 1)
    assert calls == [2, 2]


def test_a_ratio_of_regrets_comes_with_the_gaps_of_both_answers(race, one):
    problems = ("line", "bowl/2", "sharp")
    (found,) = race.against_race(one, problems, {"arc_duelli": race.PAPER}, 1000)
    assert found["row"] == "arc_duelli / arc_race, T = 1000"
    assert set(found["gap"]) == {"arc_duelli", "arc_race"}
    assert set(found["each"]) == {"line", "bowl", "sharp"}
    assert found["worst"] == min(found["each"].values())


def test_a_run_without_a_horizon_is_charged_for_the_duels_that_count_and_no_more(benchmarks):
    trials, overshoots = benchmarks("_trials"), []
    for seed in range(4):
        found = trials.trial("plateau", "arc_race", {"horizon": None}, 10**5, seed)
        model = DuelModel(trials.landscape_of("plateau", seed))
        learner = trials.learner_for("arc_race", model, 10**5, seed, {"horizon": None})
        trace = simulate(learner, model, seed=seed, duels=10**5)
        overshoots.append(trace.horizon - 10**5)
        assert {p.duels: p.cumulative_regret for p in trace.curve}[10**5] == pytest.approx(
            found["cumulative_regret"]
        )
        assert found["cumulative_regret"] <= trace.cumulative_regret
    assert max(overshoots) > 0


@pytest.mark.parametrize(
    "row",
    ["sqrt", "answers", pytest.param("support", marks=pytest.mark.slow), "certificate", "clear"],
)
def test_a_row_is_made_of_plain_values_and_can_be_told_in_words(row, race, one):
    for found in race.ROWS[row](one):
        assert json.loads(json.dumps(found)) == found
        assert "trials" in found or found["runs"] >= 1
        assert re.fullmatch(r"[\w .;,()/+-]+", race.words(found))


def test_the_docs_are_written_from_the_rows(race, one, monkeypatch):
    written = {}
    monkeypatch.setattr(race, "write", lambda path, _, text: written.update({path: text}))
    rows = [found["row"] for found in race.docs(one, ["sqrt", "answers"])]
    assert len(rows) == 3
    lines = written["docs/arc_race.md"].splitlines()
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:]] == rows


def test_the_readme_shows_the_gaps_beside_the_ratios(race, one, monkeypatch):
    written = {}
    monkeypatch.setattr(race, "write", lambda path, _, text: written.update({path: text}))
    measure = race.scores
    monkeypatch.setattr(race, "scores", lambda *words: measure(*words[:3], 1000, 1))
    assert len(list(race.readme(one))) == 4
    head, _, *rows = written["README.md"].splitlines()
    assert "gap of its answer" in head
    assert [row.count("|") for row in rows] == [head.count("|")] * 4


def planted(main, horizons, numbers):
    return arena(
        (
            entry(label, number, number / 1e4, landscape=name, horizon=horizon)
            for label, found in numbers.items()
            for name in ("flat", "sharp")
            for horizon, number in zip(horizons, found, strict=False)
        ),
        main=main,
        middle=0.2,
    )


REGRETS = {
    "arc_race": (300.0, 100.0),
    "auto": (500.0,),
    "arc_duelli": (900.0, 800.0),
    "best": (100.0, 400.0),
    "second": (200.0, 200.0),
    "third": (250.0, 500.0),
}


def test_the_summary_of_the_arena_has_ours_the_best_of_each_column_and_the_middle(benchmarks):
    paper = planted("regret", (1000, 10**6), REGRETS)
    practice = planted("gap", (50,), REGRETS)
    head, _, *rows, _, note = benchmarks("arena").summary(paper, practice).splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    columns = [cell.strip() for cell in head.strip("|").split("|")]
    assert columns[1:4] == ["regret, T = 1000", "regret, T = 1e6", "gap, 50 duels"]
    by_name = {row[0]: row[1:4] for row in cells}
    assert set(by_name) == {*REGRETS, "middle of the box"} - {"third"}
    assert by_name["best"] == ["1", "4", "0.01"]
    assert by_name["auto"] == ["5", "–", "0.05"]
    assert by_name["middle of the box"] == ["4", "4000", "0.2"]
    assert cells[-1][0] == "middle of the box"
    assert "all 6 learners" in note
    assert "2 landscapes with 1 trial each" in note
    assert "1 more learners are on the pages" in note


def test_arms_in_hand_are_those_that_a_run_may_recommend():
    model = DuelModel("two_peaks")
    learner = ArcRace(dim=2, horizon=10**7, slope_max=model.link.slope_max)
    held = set()
    for _ in play(learner, SIMULATED["collapsed"](model, seed=0)):
        arms = arms_in_hand(learner)
        assert learner.recommend() in arms
        held.add(len(arms))
    assert held == {1, 2}


def test_every_rival_has_a_row(benchmarks):
    pytest.importorskip("duelpy")
    rivals = benchmarks("rivals")
    assert {row.split()[0] for row in rivals.ROWS} <= {*LEARNERS, *SCALARS}
    found = rivals.against("winner_stays", lambda _seed: (50, 1.0))
    assert json.loads(json.dumps(found)) == found
    assert found["theirs_per_s"] == 50
    assert found["ratio"] == pytest.approx(found["ours_per_s"] / 50, rel=0.1)
    duels, seconds = rivals.duelpys("WinnerStaysStrongRegret", 0)
    assert duels == rivals.HORIZON
    assert seconds > 0


@pytest.fixture
def scale(benchmarks):
    return benchmarks("scale")


def test_a_sweep_takes_as_long_as_its_trials_on_each_core(scale):
    assert scale.projected(3.0, 2) == 15_000
    assert scale.projected(3.0, 64) == 3 * 157  # 156.25 trials on each core, in whole trials
    assert scale.share(0.005, 64) == pytest.approx(0.32)


@pytest.mark.parametrize(
    ("span", "words"),
    [(1.5, "1.5 seconds"), (119, "120 seconds"), (120, "2 minutes"), (7200, "2 hours")],
)
def test_a_time_has_the_unit_that_suits_it(span, words, scale):
    assert scale.in_words(span) == words


def test_a_time_that_is_estimated_says_so(scale):
    whole = {**scale.whole_trials(1000, 2), "each": [8.0, 12.0]}
    again = {**whole, "each": [11.0, 10.0]}
    plain = {"horizon": 10**12, "trials": 2, "places": 9, "cells": 64, "seconds": 600.0}
    found = scale.checked({**plain, "error": 40.0, "each": [560.0, 640.0]}, whole, again)
    assert found["off"] == pytest.approx(0.05)
    assert found["error"] == pytest.approx(50)  # 40 of the trials, and 5 % of 600
    *_, first, second = scale.trial_table([whole, found]).splitlines()
    assert first.count("±") == 0
    assert second.count("±") == 3
    assert "10 ± 0.83 minutes" in second
    assert scale.note([whole]) == ""
    assert "T = 1000 the same estimate is 5.0 % above" in scale.note([whole, found])


def test_trials_are_estimated_at_the_largest_horizon(scale, monkeypatch):
    monkeypatch.setattr(scale, "LARGEST", 10**5)
    *measured, last = scale.trial_findings([1000, 10**4], 2, 3)
    assert [found["horizon"] for found in measured] == [1000, 10**4]
    assert (last["horizon"], last["off_at"]) == (10**5, 10**4)
    assert json.loads(json.dumps(last)) == last


def begun_walk(sampled, scale, seed):
    """Return a trial at the beginning of its round 3, which has 4096 cells."""
    trial = sampled.Trial(scale.setting_at(10**8), seed)
    trial.go_on(lambda state: state.memory.round == 3)
    return trial


@pytest.mark.slow
def test_a_sampled_walk_has_as_many_blocks_as_one_that_is_played(benchmarks, scale):
    sampled, estimated, played = benchmarks("_sampled"), [], []
    for seed in range(4):
        trial = begun_walk(sampled, scale, seed)
        walk = trial.go_on(lambda state: not isinstance(state, sampled.Scan))
        played.append(walk.blocks.value)
        alive, duels = trial.state.memory.alive, trial.state.duels
        trial = begun_walk(sampled, scale, seed)
        found = sampled.sampled_walk(trial, 40, random.Random(seed))
        estimated.append(found.blocks.value)
        assert (found.cells, found.played) == (4096, 512 + 40 * 64)
        assert trial.state.memory.alive == pytest.approx(alive, rel=0.1)
        assert trial.state.duels == pytest.approx(duels, rel=0.1)
    assert sum(estimated) == pytest.approx(sum(played), rel=0.05)


def test_a_sampled_walk_goes_on_at_its_last_cell(benchmarks, scale):
    sampled = benchmarks("_sampled")
    trial = begun_walk(sampled, scale, 0)
    sampled.sampled_walk(trial, 2, random.Random(0))
    end = trial.go_on(lambda state: not isinstance(state, sampled.Scan))
    assert end.blocks.value < 15  # a single cell is looked at 12 times at most
    assert trial.state.memory.done == 1
    trial.go_on(lambda _: False)
    assert trial.learner.ask() == ()


def test_a_walk_that_would_be_given_up_is_not_estimated(benchmarks, scale):
    sampled = benchmarks("_sampled")
    trial = begun_walk(sampled, scale, 0)
    trial.put(dataclasses.replace(trial.state, deadline=trial.state.duels + 20_000))
    with pytest.raises(ValueError, match="it would be given up"):
        sampled.sampled_walk(trial, 2, random.Random(0))


def test_a_walk_that_may_leave_out_cells_is_not_estimated(benchmarks, scale):
    sampled = benchmarks("_sampled")
    trial = begun_walk(sampled, scale, 0)
    memory = dataclasses.replace(trial.state.memory, round=6)
    trial.put(dataclasses.replace(trial.state, memory=memory))
    with pytest.raises(ValueError, match="in round 6 some may"):
        sampled.sampled_walk(trial, 2, random.Random(0))


def test_an_empty_batch_takes_some_time(scale):
    found = scale.batch_overhead(scale.HERE, 6)
    assert 0 < found["seconds"] < 1
    assert scale.overhead_table([found]).count("\n") == 2


def test_the_page_on_scale_has_a_place_for_the_tables(benchmarks):
    page = (ROOT / "docs/scale.md").read_text()
    assert "| planted |" in benchmarks("_write").replace_between(
        page, "benchmarks/scale.py", "| planted |"
    )
