"""A small experiment that was really run."""

import pytest

from duelli.report.page import page

from .samples import arc, content_of, experiment_of, filtered, results_of


@pytest.fixture(scope="session")
def small():
    """Two runs of ARC-DuelLi and one of the baseline, with every kind of panel."""
    return experiment_of(
        arc(start=(0.9, 0.9)),
        arc("maximum norm", "two_cones_linf"),
        filtered(),
        panels=("arms", "gap", "regret", "weak_regret", "tree"),
    )


@pytest.fixture(scope="session")
def results(small):
    return results_of(small)


@pytest.fixture(scope="session")
def html(small, results):
    return page(content_of(small, results))
