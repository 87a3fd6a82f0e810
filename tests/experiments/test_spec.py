"""Experiments as data: names are unique, and narrowing changes only what it says."""

import pytest

from duelli.experiments.paper import EXPERIMENTS, MAIN, RACE, SCALING
from duelli.experiments.spec import Narrowing


def test_every_experiment_of_the_paper_is_there():
    six = {"flat", "plateau", "quadratic", "ridge", "sharp", "two_peaks"}
    others = {"main", "random_start", "scaled", "links", "dim_3", "dim_4"}
    promised = {"weak_regret", "scaling", "starts"}
    assert set(EXPERIMENTS) == six | others | promised | {"race"}


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


def test_the_race_puts_three_learners_on_the_same_copies_of_seven_landscapes():
    assert len({run.setting.landscape for run in RACE.runs}) == 7
    assert {run.setting.learner for run in RACE.runs} == {
        "arc_duelli",
        "arc_race",
        "interleaved_filter",
    }
    assert len(RACE.runs) == 21
    assert {(run.setting.copies, run.setting.horizon, run.seed) for run in RACE.runs} == {
        (True, 10**8, 0)
    }


def test_narrowing_changes_trials_horizon_and_engine():
    narrowed = Narrowing(trials=2, horizon=1000, engine="per_duel").of(MAIN)
    for run in narrowed.runs:
        assert (run.trials, run.setting.horizon, run.setting.engine) == (2, 1000, "per_duel")


def test_narrowing_cuts_a_sweep_over_horizons_instead_of_flattening_it():
    narrowed = Narrowing(horizon=10**6).of(SCALING)
    assert [run.setting.horizon for run in narrowed.runs] == [10**4, 10**5, 10**6]


def test_no_narrowing_changes_nothing():
    assert Narrowing().of(MAIN) == MAIN
