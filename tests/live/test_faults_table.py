"""The table of faults names every fault and promise, and tests that exist."""

import re
from pathlib import Path

HERE = Path(__file__).parent
TABLE = (HERE.parents[1] / "docs" / "live_faults.md").read_text(encoding="utf-8")


def test_every_promise_and_fault_has_a_row():
    rows = re.findall(r"^\| ([PF]\d+) \|", TABLE, flags=re.MULTILINE)
    assert rows == [f"P{k}" for k in range(1, 11)] + [f"F{k}" for k in range(1, 27)]


def test_every_test_that_is_named_exists_and_is_as_slow_as_it_says():
    named = re.findall(r"`([\w/]+\.py)::(\w+)`(\*?)", TABLE)
    assert len(named) > 40
    for file, function, star in named:
        text = (HERE / file).read_text(encoding="utf-8")
        found = re.search(rf"((?:^@.*\n)*)^def {function}\(", text, flags=re.MULTILINE)
        assert found, f"{file} has no {function}"
        if function.startswith("test_"):
            assert ("pytest.mark.slow" in found[1]) == bool(star), f"{function} in {file}"
