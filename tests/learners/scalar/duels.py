"""How the tests of reductions play duels."""

import random

from duelli.blocks import Tally


def linear(f):
    """Return the probability that x beats y under the linear link, for utilities in [0, 1]."""
    return lambda x, y: (1 + f(x) - f(y)) / 2


def duelled(learner, win_prob, seed=0, most=10**9):
    """Play up to ``most`` single duels; yield each pair and its outcome before it is told."""
    rng = random.Random(seed)
    while most > 0 and (step := learner.ask()):
        (block,) = step
        assert (block.n, block.edge) == (1, 0.0)
        outcome = float(rng.random() < win_prob(block.low, block.reference))
        yield block.low, block.reference, outcome
        learner.tell([Tally(1, outcome, block.low)])
        most -= 1


def scripted(monkeypatch, kind):
    """Return a list to which each (learner, reward) is added that a scalar learner is told."""
    told, update = [], kind.update

    def note(self, reward):
        told.append((self, reward))
        update(self, reward)

    monkeypatch.setattr(kind, "update", note)
    return told
