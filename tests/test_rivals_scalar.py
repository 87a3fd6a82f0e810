"""benchmarks/_rivals_scalar.py: the rows of scalar learners."""

import importlib
import json
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def rivals(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    yield importlib.import_module("_rivals_scalar")
    sys.modules.pop("_rivals_scalar", None)


def test_the_row_of_truncated_hoo_is_json(rivals):
    row = rivals.truncated_hoo_speed(horizon=300, pyxab_pulls=20)
    assert json.loads(json.dumps(row)) == row
    assert row["ours_per_s"] > 0


def test_without_pyxab_there_is_no_ratio(rivals, monkeypatch):
    monkeypatch.setattr(rivals, "_seconds_of_pyxab", lambda *_: None)
    row = rivals.truncated_hoo_speed(horizon=100)
    assert row["ratio"] is row["theirs_per_s"] is None


def test_with_pyxab_the_ratio_is_that_of_the_speeds(rivals):
    pytest.importorskip("PyXAB")
    row = rivals.truncated_hoo_speed(horizon=300, pyxab_pulls=100)
    # The speeds are rounded to whole pulls a second, and the ratio to one digit.
    assert row["ratio"] == pytest.approx(row["ours_per_s"] / row["theirs_per_s"], rel=0.02, abs=0.1)
