"""A small experiment that was really run, and a real browser."""

import shutil

import pytest

from duelli.experiments.reproduce import experiment_table
from duelli.report.page import page

from .samples import arc, content_of, experiment_of, filtered, results_of

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")  # an event loop runs while it is open: others must not see it
def browser():
    """The system's chromium; tests that need it are skipped where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on the path")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


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
