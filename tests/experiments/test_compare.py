"""Contests: everyone meets the same copies, and the table says who had less regret."""

import json

import pytest
from click.testing import CliRunner

from duelli import compare
from duelli.cli import cli
from duelli.compare import Contest, ratios, scores, table
from duelli.report import contests

CONTEST = Contest(
    landscapes=("sharp", "flat"),
    learners={
        "interleaved_filter": ("interleaved_filter", {"cells": 4}),
        "arc_duelli": ("arc_duelli", {"order": "random"}),
    },
    horizons=(1000, 10_000),
    trials=3,
)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    job = CONTEST.job(tmp_path_factory.mktemp("contest"), jobs=1)
    list(job.run(job.pending()))
    return scores(CONTEST, job.store)


def test_every_learner_meets_the_same_trials():
    runs = [run for experiment in CONTEST.experiments() for run in experiment.runs]
    assert {run.seed for run in runs} == {0}
    assert all(run.setting.copies for run in runs)


def test_there_is_a_score_for_everything(found):
    assert len({(s.landscape, s.learner, s.horizon) for s in found}) == 2 * 2 * 2


def test_ratios_are_regret_over_regret(found):
    regret = {(s.landscape, s.learner, s.horizon): s.regret.value for s in found}
    expected = [
        regret[name, "interleaved_filter", 1000] / regret[name, "arc_duelli", 1000]
        for name in CONTEST.landscapes
    ]
    assert ratios(found, "arc_duelli")["interleaved_filter", 1000] == pytest.approx(expected)


def test_table_has_a_row_a_landscape_and_horizon_and_ends_with_the_ratios(found):
    lines = table(CONTEST, found).splitlines()
    assert lines[0].split() == ["landscape", "T", "interleaved_filter", "arc_duelli"]
    assert len([line for line in lines if line.startswith(("sharp", "flat"))]) == 4
    assert lines[-1].startswith("regret of interleaved_filter / regret of arc_duelli at T = 10000")


def test_figure_has_a_line_a_learner_in_each_panel(found):
    figure = contests.draw(found)
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in panels] == ["sharp", "flat"]
    drawn = panels[0].containers[1].lines[0].get_ydata()
    assert list(drawn) == [
        s.regret.value for s in found if (s.landscape, s.learner) == ("sharp", "arc_duelli")
    ]


def test_a_learner_keeps_its_colour_and_a_second_entry_gets_another():
    chosen = contests.colours(["arc_duelli", "arc_duelli:bold", "interleaved_filter"])
    assert chosen["arc_duelli"] == contests.COLOURS["arc_duelli"]
    assert len(set(chosen.values())) == 3


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
    assert compare.run_label("arc_duelli", 10**8) == "arc_duelli, T = 1e+08"


def test_command_prints_json_if_asked(tmp_path):
    words = ["compare", "sharp", "--learners", "arc_duelli,arc_race", "--horizons", "1e3,1e4"]
    words += ["--trials", "2", "--jobs", "1", "--json", "--out", str(tmp_path)]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    found = json.loads(result.stdout)
    assert found == json.loads((tmp_path / "compare.json").read_text())
    assert len(found["scores"]) == 4
