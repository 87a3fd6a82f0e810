"""Contests: everyone meets the same copies, and the table says who had less regret."""

import json

import pytest
from click.testing import CliRunner

from duelli.cli import cli
from duelli.experiments.compare import Contest, as_dict, ratios, run_label, table
from duelli.record.stats import Mean, Spread

CONTEST = Contest(
    landscapes=("sharp", "flat"),
    learners={
        "interleaved_filter": ("interleaved_filter", {"cells": 4}),
        "arc_duelli": ("arc_duelli", {"order": "random"}),
    },
    horizons=(1000, 10_000),
    trials=3,
)
FLAT = ("flat", "arc_duelli", 10_000)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    sweep = CONTEST.sweep(tmp_path_factory.mktemp("contest"), jobs=1)
    list(sweep.run(sweep.pending()))
    return sweep


@pytest.fixture(scope="module")
def scores(finished):
    return CONTEST.scores(finished)


def test_every_learner_meets_the_same_trials(finished):
    runs = [run for group in finished.groups.values() for run in group]
    assert {run.seed for run in runs} == {0}
    assert all(run.setting.copies for run in runs)


def test_there_is_a_score_for_everything(scores):
    assert len({(s.landscape, s.label, s.horizon) for s in scores}) == 2 * 2 * 2


def test_a_score_is_made_of_its_trials(scores, finished):
    rows = finished.results()["compare-flat"]["arc_duelli, T = 1e4"]
    score = next(s for s in scores if (s.landscape, s.label, s.horizon) == FLAT)
    assert score.regret == Mean.of([row["cumulative_regret"] for row in rows])
    gaps = sorted(row["final_gap"] for row in rows)
    assert score.gap == Spread(median=gaps[1], worst=gaps[2])


def test_ratios_are_regret_over_regret(scores):
    regret = {(s.landscape, s.label, s.horizon): s.regret.value for s in scores}
    expected = [
        regret[name, "interleaved_filter", 1000] / regret[name, "arc_duelli", 1000]
        for name in CONTEST.landscapes
    ]
    assert ratios(scores, "arc_duelli")["interleaved_filter", 1000] == pytest.approx(expected)


def test_table_has_one_row_per_landscape_and_horizon_and_ends_with_the_ratios(scores):
    lines = table(CONTEST, scores).splitlines()
    assert lines[0].split() == ["landscape", "T", "interleaved_filter", "arc_duelli"]
    assert len([line for line in lines if line.startswith(("sharp", "flat"))]) == 4
    assert lines[-1].startswith("regret of interleaved_filter / regret of arc_duelli at T = 1e4")


def test_table_and_json_have_the_gap_of_the_answer_beside_the_regret(scores):
    score = next(s for s in scores if (s.landscape, s.label, s.horizon) == FLAT)
    assert f"{score.regret} (gap {score.gap})" in table(CONTEST, scores)
    row = as_dict(CONTEST, scores)["scores"][scores.index(score)]
    assert (row["learner"], row["regret"]) == ("arc_duelli", score.regret.value)
    assert (row["gap_median"], row["gap_worst"]) == (score.gap.median, score.gap.worst)


def test_command_prints_the_table_and_writes_json_and_figure(tmp_path):
    words = ["compare", "sharp", "--learners", "arc_duelli:lex,arc_duelli", "--horizons", "1e3"]
    words += ["--set", "arc_duelli.order=random", "--trials", "2", "--jobs", "1"]
    result = CliRunner().invoke(cli, [*words, "--out", str(tmp_path)], catch_exceptions=False)
    assert "regret of arc_duelli:lex / regret of arc_duelli" in result.stdout
    assert result.stdout.splitlines()[-1] == str(tmp_path / "compare.png")
    kept = json.loads((tmp_path / "compare.json").read_text())
    assert {score["learner"] for score in kept["scores"]} == {"arc_duelli:lex", "arc_duelli"}
    assert (tmp_path / "compare.svg").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--learners", "nobody"], "learner must be one of"),
        (["--learners", "arc_duelli", "--horizons", "x"], "horizons must be a whole number"),
        (["--learners", "arc_duelli", "--set", "x.y=1"], "--set must be LEARNER.KEY=VALUE"),
    ],
)
def test_bad_usage_names_the_argument(words, message, tmp_path):
    result = CliRunner().invoke(cli, ["compare", "sharp", *words, "--out", str(tmp_path)])
    assert message in str(result.exception) + result.output


def test_label_of_a_run_tells_learner_and_horizon():
    assert run_label("arc_duelli", 10**8) == "arc_duelli, T = 1e8"


def test_command_prints_json_if_asked(tmp_path):
    words = ["compare", "sharp", "--learners", "arc_duelli,arc_race", "--horizons", "1e3,1e4"]
    words += ["--trials", "2", "--jobs", "1", "--json", "--out", str(tmp_path)]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    printed = json.loads(result.stdout)
    assert printed == json.loads((tmp_path / "compare.json").read_text())
    assert len(printed["scores"]) == 4


def test_no_trials_are_refused():
    with pytest.raises(ValueError, match="trials must be a whole number of at least 1; got 0"):
        Contest(landscapes=("flat",), learners={}, horizons=(10,), trials=0)
