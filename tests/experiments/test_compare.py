"""Contests: everyone meets the same copies, and the table says who had less regret."""

import json
import math
from dataclasses import replace

import pytest
from click.testing import CliRunner

from duelli import DuelModel
from duelli._rng import trial_seed
from duelli.cli import cli
from duelli.experiments.compare import Contest, as_dict, ratios, run_label, table
from duelli.experiments.presets import SMALL
from duelli.landscapes import LANDSCAPES, practice_problem, shifted_copy
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
    assert lines[0].split() == [
        *["landscape", "T", "middle", "of", "the", "box"],
        *["interleaved_filter", "arc_duelli"],
    ]
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
        ([], "--learners must be given for these landscapes"),
        (["--learners", "spsa", "--clarity", "dim"], "clarity must be one of clear, fog, medium"),
        (["--learners", "spsa", "--problems", "smal"], "got 'smal'; did you mean 'small'?"),
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


def test_the_gap_of_the_middle_is_beside_every_row(scores):
    score = next(s for s in scores if (s.landscape, s.label, s.horizon) == FLAT)
    models = [DuelModel(shifted_copy(LANDSCAPES["flat"], trial_seed(0, k))) for k in range(3)]
    gaps = sorted(model.gap_to_best((0.5, 0.5)) for model in models)
    assert score.middle == Spread(median=gaps[1], worst=gaps[2])
    lines = [line for line in table(CONTEST, scores).splitlines() if line.startswith("flat")]
    assert all(str(score.middle) in line for line in lines)
    row = as_dict(CONTEST, scores)["scores"][scores.index(score)]
    assert (row["middle_gap"], row["middle_gap_worst"]) == (score.middle.median, gaps[2])


PRACTICE = Contest(
    landscapes=("cone/2", "wavy/1"),
    learners={"spsa": ("spsa", {}), "successive_halving": ("successive_halving", {})},
    horizons=(20, 60),
    trials=3,
    clarity="clear",
)


@pytest.fixture(scope="module")
def practised(tmp_path_factory):
    sweep = PRACTICE.sweep(tmp_path_factory.mktemp("practice"), jobs=1)
    list(sweep.run(sweep.pending()))
    return sweep


def test_every_trial_of_a_practice_problem_has_an_instance_of_its_own(practised):
    rows = practised.results()["compare-cone-2"]
    middles = {label: [row["middle_gap"] for row in kept] for label, kept in rows.items()}
    expected = [
        DuelModel(practice_problem("cone/2", trial_seed(0, k), "clear")).gap_to_best((0.5, 0.5))
        for k in range(3)
    ]
    assert len(set(expected)) == 3
    assert list(middles.values()) == [pytest.approx(expected)] * 4


def test_the_table_of_practice_problems_has_gaps_and_their_geometric_means(practised):
    scores = PRACTICE.scores(practised)
    lines = table(PRACTICE, scores).splitlines()
    assert "±" not in table(PRACTICE, scores)
    rows = [line for line in lines if line.startswith(("cone/2", "wavy/1"))]
    assert len(rows) == 4
    first = [s for s in scores if (s.landscape, s.horizon) == ("cone/2", 20)]
    assert rows[0].split()[:2] == ["cone/2", "20"]
    assert all(str(spread) in rows[0] for s in first for spread in (s.gap, s.middle))
    medians = [s.gap.median for s in scores if (s.label, s.horizon) == ("spsa", 60)]
    centre = math.sqrt(max(medians[0], 1e-3) * max(medians[1], 1e-3))
    means = [line.split() for line in lines if line.startswith("geometric mean")]
    assert [words[2] for words in means] == ["20", "60"]
    assert float(means[1][4]) == pytest.approx(centre, rel=0.06)
    ratios_ = [line.split() for line in lines if line.startswith("relative to")]
    assert {words[-1] for words in ratios_} == {"1.00"}


def test_the_json_of_practice_problems_has_their_clarity_and_geometric_means(practised):
    found = as_dict(PRACTICE, PRACTICE.scores(practised))
    assert found["clarity"] == "clear"
    assert len(found["geometric_mean_gaps"]) == 4
    assert found["geometric_mean_middle_gap"] > 0


def test_landscapes_and_practice_problems_may_be_mixed(tmp_path):
    mixed = replace(PRACTICE, landscapes=("sharp", "wavy/1"), horizons=(20,), trials=1)
    sweep = mixed.sweep(tmp_path, jobs=1)
    list(sweep.run(sweep.pending()))
    assert {run.setting.copies for group in sweep.groups.values() for run in group} == {True, False}
    lines = table(mixed, mixed.scores(sweep)).splitlines()
    assert lines[-1].startswith("regret of spsa / regret of successive_halving at T = 20")


def invoked(*words, out):
    words = ["compare", *words, "--jobs", "1", "--out", str(out)]
    return CliRunner().invoke(cli, words, catch_exceptions=False)


def test_a_preset_fills_what_is_not_given(tmp_path):
    words = ["--problems", "small", "--learners", "spsa,successive_halving", "--trials", "1"]
    printed = json.loads(invoked(*words, "--json", out=tmp_path).stdout)
    assert {row["landscape"] for row in printed["scores"]} == set(SMALL.landscapes)
    assert {row["horizon"] for row in printed["scores"]} == set(SMALL.horizons)
    assert (printed["clarity"], printed["trials"]) == ("medium", 1)


def test_each_part_of_a_preset_can_be_chosen(tmp_path):
    words = ["wavy/1", "--problems", "small", "--learners", "spsa", "--horizons", "30"]
    words += ["--trials", "2", "--clarity", "fog"]
    result = invoked(*words, out=tmp_path)
    kept = json.loads((tmp_path / "compare.json").read_text())
    (row,) = kept["scores"]
    assert (row["landscape"], row["learner"], row["horizon"]) == ("wavy/1", "spsa", 30)
    assert (kept["clarity"], kept["trials"]) == ("fog", 2)
    assert (tmp_path / "compare.png").exists()
    assert "geometric mean" in result.stdout


def test_a_practice_problem_has_the_horizons_and_trials_of_the_preset(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr("duelli.cli.compare.run_sweep", lambda sweep, *_: asked.append(sweep))
    monkeypatch.setattr(Contest, "scores", lambda *_: 1 / 0)
    for words in (["cone/2"], ["sharp", "--learners", "spsa"]):
        with pytest.raises(ZeroDivisionError):
            invoked(*words, out=tmp_path)
    small, large = ([run for (group,) in [s.groups.values()] for run in group] for s in asked)
    assert {run.setting.learner for run in small} == set(SMALL.learners)
    assert {(run.setting.horizon, run.trials) for run in small} == {
        (horizon, 16) for horizon in (50, 200, 1000)
    }
    assert {(run.setting.horizon, run.trials) for run in large} == {
        (horizon, 20) for horizon in (10**4, 10**6, 10**8)
    }


def test_no_trials_are_refused():
    with pytest.raises(ValueError, match="trials must be a whole number of at least 1; got 0"):
        Contest(landscapes=("flat",), learners={}, horizons=(10,), trials=0)
