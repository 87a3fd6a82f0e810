"""A small experiment that was really run."""

import pytest

from duelli.experiments.reproduce import experiment_table
from duelli.report.page import page

from .samples import arc, content_of, experiment_of, filtered, results_of


@pytest.fixture(scope="session")
def small():
    """Two runs of ARC-DuelLi and one of the baseline, with every kind of panel."""
    experiment = experiment_of(
        arc(start=(0.9, 0.9)),
        arc("maximum norm", "two_cones_linf"),
        filtered(),
        panels=("arms", "gap", "regret", "weak_regret", "tree"),
    )
    return experiment_table(experiment, results_of(experiment))


@pytest.fixture(scope="session")
def results(small):
    """The rows of the small experiment by label."""
    return {run.label: run.rows for run in small.runs}


@pytest.fixture(scope="session")
def html(small):
    return page(content_of(small))
