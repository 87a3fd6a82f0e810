"""The arena: presets can be narrowed, finished trials stay, and the command writes the page."""

import json
import os
import shlex
import subprocess
import sys

import pytest
from click.testing import CliRunner

from duelli._rng import trial_seed
from duelli.cli import cli
from duelli.cli.values import contestants
from duelli.experiments.arena import Arena, _memory_run, as_dict
from duelli.experiments.limits import limit_of
from duelli.experiments.presets import ARENAS
from duelli.experiments.trials import Setting, run_trial
from duelli.learners import LEARNERS
from duelli.record.ranking import Measure, standings
from duelli.record.results import MIDDLE
from duelli.report.arena import page

FEW = contestants("spsa,arc_race,arc_duelli,preference_model", ())
SMALL = {"landscapes": ("flat", "sharp"), "learners": FEW, "horizons": (300, 1000), "trials": 2}


@pytest.fixture(scope="module")
def arena():
    return Arena.of("paper", **SMALL)


@pytest.fixture(scope="module")
def finished(arena, tmp_path_factory):
    sweep = arena.sweep(tmp_path_factory.mktemp("arena"), jobs=1)
    list(sweep.run(sweep.pending()))
    return sweep


@pytest.fixture(scope="module")
def table(arena, finished):
    return arena.table(finished, ran=3, seconds=7.0)


@pytest.mark.parametrize("name", ARENAS)
def test_an_arena_has_every_learner_of_the_registry(name):
    found = Arena.of(name)
    assert list(found.contest.learners) == list(LEARNERS)
    assert found.contest.landscapes == ARENAS[name].landscapes
    assert found.contest.timed


def test_what_is_given_narrows_the_preset(arena):
    contest = arena.contest
    assert (contest.landscapes, contest.horizons, contest.trials) == (
        ("flat", "sharp"),
        (300, 1000),
        2,
    )
    assert list(contest.learners) == list(FEW)


def test_horizons_are_sorted_and_played_once():
    assert Arena.of("paper", horizons=(1000, 300, 1000)).contest.horizons == (300, 1000)


def test_only_the_landscapes_of_the_preset_can_be_chosen():
    with pytest.raises(ValueError, match="landscape of the preset paper must be one of"):
        Arena.of("paper", landscapes=("cone/2",))


def test_the_sweep_has_all_cells_but_those_beyond_a_limit(arena, finished):
    played = {
        (task.setting.landscape, task.setting.learner, task.setting.horizon)
        for task in finished.tasks()
        if task.timed
    }
    assert played == {
        (landscape, learner, horizon)
        for landscape in ("flat", "sharp")
        for learner in FEW
        for horizon in (300, 1000)
        if horizon <= limit_of(learner).horizon
    }
    assert sum(task.timed for task in finished.tasks()) == 2 * len(played)
    assert {each.label for each in arena.absences} == {"preference_model"}


def test_every_trial_has_its_own_copy_the_same_for_every_learner(finished):
    rows = finished.results()["compare-flat"]
    middles = [[row["middle_gap"] for row in kept] for kept in rows.values()]
    assert all(found == middles[0] for found in middles)
    assert len(set(middles[0])) == 2


def test_entries_are_those_of_the_trials(table):
    (found,) = table.at(landscape="flat", horizon=300, label="spsa")
    setting = Setting(landscape="flat", learner="spsa", horizon=300, copies=True)
    traces = [run_trial(setting, trial_seed(0, k)) for k in range(2)]
    assert found.regrets == tuple(trace.cumulative_regret for trace in traces)
    assert found.gaps == tuple(trace.final_gap for trace in traces)
    assert found.cost.state_bytes == max(trace.state_bytes for trace in traces)
    assert found.cost.state_bits == max(trace.state_bits for trace in traces)
    assert found.cost.seconds > 0


def test_memory_is_measured_once_for_each_learner_and_horizon(table, finished):
    traced = [task for task in finished.tasks() if task.traced]
    assert len(traced) == len(table.memory) == 6
    assert {task.setting.landscape for task in traced} == {"flat"}
    assert set(table.memory) == {(each.label, each.horizon) for each in table.entries}
    assert all(1000 < count < 10**8 for count in table.memory.values())


def test_memory_is_measured_where_there_are_most_parameters():
    places = ("wavy/1", "quadratic/8", "cone/2")
    found = Arena.of("practice", landscapes=places, learners=FEW, horizons=(50,))
    assert {run.setting.landscape for run in map(_memory_run, found.parts)} == {"quadratic/8"}


def test_the_middle_of_the_box_is_there_for_every_landscape_and_horizon(table):
    places = [(each.landscape, each.horizon) for each in table.middles]
    assert sorted(places) == [(name, t) for name in ("flat", "sharp") for t in (300, 1000)]


def test_auto_should_lead_below_1e5_duels_and_arc_race_from_there_on(tmp_path):
    learners = contestants("arc_race", ())
    found = Arena.of(
        "paper", landscapes=("flat",), learners=learners, horizons=(99_999, 10**5), trials=1
    )
    sweep = found.sweep(tmp_path, jobs=1)
    list(sweep.run(sweep.pending()))
    assert found.table(sweep).champions == {99_999: "auto", 10**5: "arc_race"}


def test_a_second_sweep_has_nothing_to_do_and_more_trials_only_the_new_ones(arena, finished):
    again = arena.sweep(finished.store.folder, jobs=1)
    assert again.pending() == []
    more = Arena.of("paper", **{**SMALL, "trials": 3}).sweep(finished.store.folder, jobs=1)
    assert len(more.pending()) == sum(task.timed for task in more.tasks()) / 3
    wider = Arena.of("paper", **{**SMALL, "landscapes": ("flat", "sharp", "ridge")})
    pending = wider.sweep(finished.store.folder, jobs=1).pending()
    assert {task.setting.landscape for task in pending} == {"ridge"}


def test_an_interrupted_sweep_goes_on_where_it_was(arena, tmp_path):
    sweep = arena.sweep(tmp_path, jobs=1)
    total = len(sweep.tasks())
    running = sweep.run(sweep.pending())
    for _ in range(5):
        next(running)
    running.close()
    again = arena.sweep(tmp_path, jobs=1)
    assert len(again.pending()) == total - 5
    list(again.run(again.pending()))
    assert {e.regrets for e in arena.table(again).entries} == {
        e.regrets for e in arena.table(sweep).entries
    }


def test_json_has_all_scores_standings_and_absences(table):
    found = json.loads(json.dumps(as_dict(table)))
    assert found["preset"] == "paper"
    assert len(found["scores"]) == len(table.entries) + len(table.middles)
    names = {row["learner"] for row in found["scores"]}
    assert names == {"spsa", "arc_race", "arc_duelli", MIDDLE}
    row = next(r for r in found["scores"] if r["learner"] == "spsa")
    assert {"regret", "gap_median", "seconds", "state_bytes", "state_bits"} <= set(row)
    ranked = [
        (r["learner"], r["place"])
        for r in found["standings"]
        if (r["horizon"], r["measure"]) == (1000, "gap")
    ]
    expected = standings(table.at(horizon=1000), Measure("gap", table.smallest))
    assert ranked == [(each.label, each.place) for each in expected]
    assert {row["learner"] for row in found["absences"]} == {"preference_model"}
    assert {(row["learner"], row["horizon"]) for row in found["memory"]} == set(table.memory)


def test_the_page_is_made_of_the_table(table):
    html = page(table)
    assert all(f"<span>{label}</span>" in html for label in FEW)
    assert "plays at most 200 duels here, because of its cost" in html
    assert "3 of them in this run, in 7 seconds" in html


@pytest.mark.parametrize(
    ("preset", "landscape", "someone_is_absent"),
    [("paper", "flat", False), ("practice", "quadratic/8", True)],
)
def test_every_learner_of_the_registry_is_on_the_page_or_absent_with_its_reason(
    preset, landscape, someone_is_absent, tmp_path
):
    found = Arena.of(preset, landscapes=(landscape,), horizons=(20,), trials=1)
    sweep = found.sweep(tmp_path, jobs=1)
    list(sweep.run(sweep.pending()))
    made = found.table(sweep)
    played, absent = ({each.label for each in kind} for kind in (made.entries, made.absences))
    assert played | absent == set(LEARNERS)
    assert not played & absent
    assert bool(absent) == someone_is_absent
    assert all(each.reason for each in made.absences)
    html = page(made)
    assert all(f"<span>{label}</span>" in html for label in LEARNERS)


def test_the_command_on_the_page_makes_the_same_arena(arena, tmp_path):
    words = shlex.split(arena.command(tmp_path))
    assert words[:5] == ["duelli", "compare", "flat,sharp", "--preset", "paper"]
    assert words[-2:] == ["--out", tmp_path.name]
    context = cli.commands["compare"].make_context("compare", words[2:])
    given = context.params
    assert (given["horizons"], given["trials"]) == ("300,1000", 2)
    assert given["learners"] == ",".join(FEW)


def test_the_plain_command_is_short(tmp_path):
    assert Arena.of("practice").command(tmp_path) == (
        f"duelli compare --preset practice --out {tmp_path.name}"
    )


def test_the_command_has_whatever_was_changed(tmp_path):
    learners = contestants("spsa,arc_race", ("arc_race.caution=0.5",))
    found = Arena.of("paper", learners=learners, link="probit", seed=3, copies=False)
    words = found.command(tmp_path)
    for part in ("--link probit", "--seed 3", "--as-printed", "--set arc_race.caution=0.5"):
        assert part in words


def invoked(*words, out):
    words = ["compare", *words, "--jobs", "1", "--out", str(out)]
    return CliRunner().invoke(cli, words, catch_exceptions=False)


def test_the_command_writes_page_and_json_and_prints_who_wins(tmp_path):
    words = ["wavy/1,cone/2", "--preset", "practice", "--learners", "spsa,successive_halving"]
    result = invoked(*words, "--horizons", "20,60", "--trials", "2", out=tmp_path)
    lines = result.stdout.splitlines()
    assert lines[0].startswith("The best mean rank by gap is that of")
    assert lines[1] == "At T = 20, auto does not play."
    assert lines[-1] == str(tmp_path / "arena-practice.html")
    assert (tmp_path / "arena-practice.html").stat().st_size > 20_000
    assert len(json.loads((tmp_path / "arena-practice.json").read_text())["scores"]) == 12
    assert not (tmp_path / "compare.json").exists()


def test_the_command_prints_json_if_asked(tmp_path):
    words = ["flat", "--preset", "paper", "--learners", "spsa,arc_race", "--horizons", "100"]
    result = invoked(*words, "--trials", "1", "--json", out=tmp_path)
    assert json.loads(result.stdout) == json.loads((tmp_path / "arena-paper.json").read_text())
    again = invoked(*words, "--trials", "1", "--json", out=tmp_path)
    assert "0 trials to run, 4 finished before" in again.stderr


def test_inputs_can_be_set_also_where_the_preset_chooses_the_learners(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(
        "duelli.cli.arena.run_sweep", lambda sweep, *_: asked.append(sweep) or 1 / 0
    )
    with pytest.raises(ZeroDivisionError):
        invoked("flat", "--preset", "paper", "--set", "arc_race.caution=0.5", out=tmp_path)
    settings = [run.setting for runs in asked[0].groups.values() for run in runs]
    assert {s.inputs for s in settings if s.learner == "arc_race"} == {(("caution", 0.5),)}
    assert len({s.learner for s in settings}) > 10


def test_a_horizon_that_nobody_plays_has_a_page_that_says_so(tmp_path):
    words = ["flat", "--preset", "paper", "--learners", "preference_model", "--horizons", "1e8"]
    result = invoked(*words, out=tmp_path)
    assert "No learner plays at these horizons." in result.stdout
    assert "because of its cost" in (tmp_path / "arena-paper.html").read_text()


@pytest.mark.slow
def test_a_killed_command_goes_on_where_it_was(tmp_path):
    words = ["compare", "flat,sharp", "--preset", "paper", "--learners", "arc_race,spsa"]
    words += ["--horizons", "1e4", "--trials", "4", "--jobs", "1", "--out", str(tmp_path)]
    command = [sys.executable, "-c", "from duelli.cli import main; main()", *words]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while len(list(tmp_path.rglob("*.parquet"))) < 3:
        assert process.poll() is None
    process.kill()
    process.wait()
    left = len(list(tmp_path.rglob("*.parquet")))
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    assert f"{18 - left} trials to run, {left} finished before" in done.stderr
    assert (tmp_path / "arena-paper.html").exists()
