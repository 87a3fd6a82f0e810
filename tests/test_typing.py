"""A type checker finds the mistakes in a user's script, and none where there is none."""

import re
import sys
from pathlib import Path

import pytest

api = pytest.importorskip("mypy.api")

RIGHT = """
import duelli
from duelli import ArcDuelli, ArcRace, Block, Box, DuelModel, Run, Step, Tally


def duel(x: dict[str, float], y: dict[str, float]) -> bool:
    return x["a"] > y["a"]


learner = ArcRace(dim=2, horizon=10**6, slope_max=0.25, aim="answer")
trace = duelli.simulate(learner, DuelModel("two_cones"), seed=1)
regret: float = trace.cumulative_regret
step: Step = ArcDuelli(dim=2, horizon=10**6, slope_max=0.25).ask()
learner.tell([Tally(block.n, 0.0, block.low) for block in step])
result = duelli.optimize(duel, {"a": (0.0, 1.0), "b": ["p", "q"]}, horizon=100, parallel=2)
outcomes: list[float] = [row["outcome"] for row in result.history]
bias: float = result.bias.estimate
run = Run(Box([(0, 1)]), horizon=10)
for pair in run.ask(3):
    run.tell(pair.id, "x")
text: str = duelli.load("run.json").best().text
plan: str = duelli.plan(dim=2, horizon=1000).learner
pairs: Block = Block.pair((0.5,), (0.2,))
kind: type[duelli.Learner] = duelli.LEARNERS["arc_race"]
"""
WRONG = {
    'ArcRace(dim="x", slope_max=0.25)': 'Argument "dim"',
    "ArcRace(dim=2, slope_max=0.25, horzon=3)": 'Unexpected keyword argument "horzon"',
    "ArcRace(dim=2)": 'Missing named argument "slope_max"',
    "ArcDuelli(dim=2, horizon=10, slope_max=0.25, order=3)": 'Argument "order"',
    "duelli.optimize(duel, {}, horzon=3)": 'Unexpected keyword argument "horzon"',
    "duelli.optimize(duel, {})": 'Missing named argument "horizon"',
    'Run(Box([(0, 1)]), horizon="10")': 'Argument "horizon"',
    "run.tell(3, 'x')": "Argument 1",
    "duelli.simulate(3, DuelModel('flat'))": "Argument 1",
    "learner.tell(Tally(1, 1, (0.5,)))": "Argument 1",
    "duelli.load()": 'Missing positional argument "path"',
    "duelli.plan(dimension=3)": 'Unexpected keyword argument "dimension"',
}


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    """The messages of mypy --strict for a script that is right, then wrong line by line."""
    script = tmp_path_factory.mktemp("user") / "script.py"
    script.write_text(RIGHT + "\n".join(WRONG) + "\n")
    cache = str(script.parent / "cache")
    out, err, _ = api.run(
        ["--strict", "--cache-dir", cache, "--python-executable", sys.executable, str(script)]
    )
    assert err == ""
    found = re.findall(rf"{re.escape(Path(script).name)}:(\d+): error: (.*)", out)
    return {int(line): message for line, message in found}


def test_what_is_right_passes(errors):
    last = len(RIGHT.splitlines())
    assert {line: message for line, message in errors.items() if line <= last} == {}


@pytest.mark.parametrize(("number", "call"), list(enumerate(WRONG)), ids=list(WRONG))
def test_what_is_wrong_is_found(errors, number, call):
    line = len(RIGHT.splitlines()) + 1 + number
    assert WRONG[call] in errors.get(line, "nothing")
