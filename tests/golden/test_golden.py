"""The learner replays runs that the recursive oracle wrote down."""

import json

import pytest
from paper.recursive import PrintedArc

from duelli.blocks import Block, Tally
from duelli.learners.arc import ArcDuelli
from golden.make import HERE, RUNS

every_trace = pytest.mark.parametrize("name", RUNS)


def load(name):
    return json.loads((HERE / f"{name}.json").read_text())


def events_of(name):
    """Return the golden blocks and what became of them."""
    return [
        (
            Block(tuple(event["low"]), event["edge"], tuple(event["reference"]), event["n"]),
            Tally(event["n"], event["wins"], tuple(event["witness"])),
        )
        for event in load(name)["events"]
    ]


def replayed(name):
    """Return the learner at the end, and the steps that it asked for."""
    learner, asked = ArcDuelli(**load(name)["inputs"]), []
    for _, tally in events_of(name):
        asked.append(learner.ask())
        learner.tell([tally])
    return learner, asked


@every_trace
def test_the_learner_asks_for_the_golden_blocks(name):
    assert replayed(name)[1] == [(block,) for block, _ in events_of(name)]


@every_trace
def test_the_learner_is_done_after_the_golden_blocks(name):
    assert replayed(name)[0].ask() == ()


@every_trace
def test_the_learner_chooses_the_golden_reference(name):
    assert list(replayed(name)[0].recommend()) == load(name)["references"][-1]


@every_trace
def test_the_oracle_plays_the_golden_blocks(name):
    events, inputs = events_of(name), load(name)["inputs"]
    tallies = iter([tally for _, tally in events])
    oracle = PrintedArc(lambda _: next(tallies), **{**inputs, "start": tuple(inputs["start"])})
    assert oracle.run() == [block for block, _ in events]


def test_the_line_has_eliminations():
    assert load("arc_line")["eliminated"] > 0
