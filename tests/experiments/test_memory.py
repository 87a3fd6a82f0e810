"""Memory: what a learner allocates counts, for as long as it plays, and nothing else does."""

import tracemalloc

import numpy as np
import pytest

from duelli.blocks import Block, Tally
from duelli.experiments import memory
from duelli.experiments.memory import Traced, peak_bytes
from duelli.experiments.sweep import Run, Task
from duelli.experiments.trials import Setting
from duelli.record.tables import Key

PAIR = Block.pair((0.1,), (0.9,))
SETTING = Setting(landscape="flat", learner="arc_race", horizon=1000)
MILLION = 10**6


class Greedy:
    """A learner that needs many bytes in each call, and forgets them at once."""

    horizon = 7

    def __init__(self, asking=0, telling=0):
        self.asking, self.telling = asking, telling

    def ask(self):
        np.ones(self.asking, dtype=np.int8)
        return (PAIR,)

    def tell(self, _tallies):
        np.ones(self.telling, dtype=np.int8)


@pytest.fixture(autouse=True)
def tracing():
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.parametrize("sizes", [(MILLION, 0), (0, MILLION)])
def test_what_is_forgotten_at_once_counts(sizes):
    learner = Traced(Greedy(*sizes))
    assert learner.ask() == (PAIR,)
    learner.tell([Tally(1, 1.0, (0.1,))])
    assert MILLION <= learner.peak < 1.2 * MILLION


def test_what_others_need_in_between_does_not_count():
    learner = Traced(Greedy())
    learner.ask()
    np.ones(MILLION, dtype=np.int8)
    learner.tell([Tally(1, 1.0, (0.1,))])
    assert learner.peak < 0.5 * MILLION


def test_what_a_learner_has_is_passed_on():
    assert Traced(Greedy()).horizon == 7


def test_the_peak_of_a_trial_is_about_the_same_each_time_and_tracing_ends():
    tracemalloc.stop()
    first, second = peak_bytes(SETTING, 3), peak_bytes(SETTING, 3)
    assert not tracemalloc.is_tracing()
    assert 1000 < first < MILLION
    assert second == pytest.approx(first, rel=0.2)


def test_tracing_ends_also_if_a_trial_fails(monkeypatch):
    tracemalloc.stop()
    monkeypatch.setattr(memory, "play", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        peak_bytes(SETTING, 3)
    assert not tracemalloc.is_tracing()


def test_a_learner_that_remembers_more_has_a_larger_peak():
    tracemalloc.stop()
    model = Setting(landscape="flat", learner="preference_model", horizon=60)
    assert peak_bytes(model, 0) > 5 * peak_bytes(SETTING, 0)


def test_a_traced_task_has_its_memory_and_nothing_else():
    tracemalloc.stop()
    row = Task(Key("memory", "digest", 0), SETTING, 3, traced=True).row()
    assert list(row) == ["memory_bytes"]


def test_a_traced_run_is_another_one():
    plain, traced = (
        Run(label="a", setting=SETTING, trials=1, traced=each) for each in (False, True)
    )
    assert plain.digest != traced.digest
