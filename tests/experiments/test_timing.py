"""Timed: the stopwatch runs while the learner works, and changes nothing that it does."""

import time

import pytest

from duelli.blocks import Block, Tally
from duelli.experiments.timing import Timed
from duelli.experiments.trials import Setting, run_trial, timed_trial

SETTING = Setting(landscape="flat", learner="arc_race", horizon=1000)
PAIR = Block.pair((0.1,), (0.9,))


class Slow:
    """A learner that keeps the processor busy in every call."""

    horizon = 7

    def __init__(self, seconds):
        self.seconds, self.tallies = seconds, []

    def work(self):
        until = time.thread_time() + self.seconds
        while time.thread_time() < until:
            pass

    def ask(self):
        self.work()
        return (PAIR,)

    def tell(self, tallies):
        self.work()
        self.tallies.append(tallies)

    def recommend(self):
        self.work()
        return (0.1,)


def test_asking_and_telling_are_timed_and_nothing_else():
    learner = Timed(Slow(0.01))
    assert learner.ask() == (PAIR,)
    assert learner.seconds >= 0.01
    tallies = [Tally(1, 1.0, (0.1,))]
    learner.tell(tallies)
    before = learner.seconds
    assert before >= 0.02
    assert learner.recommend() == (0.1,)
    assert learner.seconds == before
    assert learner.tallies == [tallies]


def test_sleeping_does_not_count():
    learner = Timed(Slow(0.0))
    learner.learner.work = lambda: time.sleep(0.05)
    learner.ask()
    assert learner.seconds < 0.04


def test_what_a_learner_has_is_passed_on():
    assert Timed(Slow(0.0)).horizon == 7
    with pytest.raises(AttributeError, match="colour"):
        _ = Timed(Slow(0.0)).colour


def test_a_timed_trial_is_the_trial():
    trace, seconds = timed_trial(SETTING, 3)
    assert trace == run_trial(SETTING, 3)
    assert seconds > 0
