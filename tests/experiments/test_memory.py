"""Memory: what a learner allocates counts, for as long as it plays, and nothing else does."""

import tracemalloc

import numpy as np
import pytest

from duelli.blocks import Block, Tally
from duelli.experiments.memory import peak_bytes, peak_of
from duelli.experiments.sweep import Run, Task
from duelli.experiments.trials import Setting
from duelli.record.tables import Key

PAIR = Block.pair((0.1,), (0.9,))
TOLD = [(Tally(1, 1.0, (0.1,)),)] * 3
SETTING = Setting(landscape="flat", learner="arc_race", horizon=1000)
MILLION = 10**6


class Greedy:
    """A learner that needs many bytes in its calls, and forgets those of a call at once."""

    def __init__(self, made=0, asking=0, telling=0):
        self.kept = np.ones(made, dtype=np.int8)
        self.asking, self.telling = asking, telling

    def ask(self):
        np.ones(self.asking, dtype=np.int8)
        return (PAIR,)

    def tell(self, tallies):
        assert tallies in TOLD
        np.ones(self.telling, dtype=np.int8)


@pytest.mark.parametrize("call", ["made", "asking", "telling"])
def test_the_largest_that_is_needed_at_once_counts(call):
    assert MILLION <= peak_of(lambda: Greedy(**{call: MILLION}), TOLD) < 1.2 * MILLION


def test_what_is_kept_adds_to_what_is_forgotten():
    both = peak_of(lambda: Greedy(made=MILLION, asking=MILLION, telling=MILLION), TOLD)
    assert 2 * MILLION <= both < 2.2 * MILLION


def test_what_was_there_before_does_not_count():
    kept = np.ones(MILLION, dtype=np.int8)
    assert peak_of(Greedy, TOLD) < 0.2 * len(kept)


def test_the_judges_of_a_trial_do_not_count():
    # The engine remembers all regions that it has met: some 2 MB.
    long = Setting(landscape="two_cones", learner="arc_duelli", horizon=10**8)
    assert peak_bytes(long, 0) < 200_000


def test_the_peak_of_a_trial_is_about_the_same_each_time():
    first, second = peak_bytes(SETTING, 3), peak_bytes(SETTING, 3)
    assert 1000 < first < MILLION
    assert second == pytest.approx(first, rel=0.2)


def test_a_learner_that_remembers_more_has_a_larger_peak():
    model = Setting(landscape="flat", learner="preference_model", horizon=60)
    assert peak_bytes(model, 0) > 5 * peak_bytes(SETTING, 0)


def test_tracing_ends_whether_a_learner_fails_or_not():
    peak_of(Greedy, TOLD)
    assert not tracemalloc.is_tracing()
    with pytest.raises(AssertionError):
        peak_of(Greedy, [()])
    assert not tracemalloc.is_tracing()


def test_a_traced_task_has_its_memory_and_nothing_else():
    row = Task(Key("memory", "digest", 0), SETTING, 3, traced=True).row()
    assert list(row) == ["memory_bytes"]


def test_a_traced_run_is_another_one():
    plain, traced = (
        Run(label="a", setting=SETTING, trials=1, traced=each) for each in (False, True)
    )
    assert plain.digest != traced.digest
