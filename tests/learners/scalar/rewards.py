"""Reward functions on the box that the tests of scalar learners share."""

import random

import numpy as np

from duelli.driver import play_scalar


def cone(arm):
    """1 - the distance to (0.3, 0.1), maximum norm; 1 - |x - 0.3| in one dimension."""
    return 1 - max(abs(x - c) for x, c in zip(arm, (0.3, 0.1), strict=False))


def bernoulli(mean, seed):
    """Return a reward that is 1 with probability mean(arm), else 0."""
    rng = random.Random(seed)
    return lambda arm: float(rng.random() < mean(arm))


def pulled(learner, mean=cone, seed=0):
    """Return the arms that a learner pulls on Bernoulli rewards."""
    return [arm for arm, _ in play_scalar(learner, bernoulli(mean, seed))]


def regret(learner, mean=cone, seed=0):
    """Return the regret of a learner on Bernoulli rewards, where the largest mean is 1."""
    return sum(1 - mean(arm) for arm in pulled(learner, mean, seed))


def distance(x, y):
    """Return the distance in the maximum norm."""
    return float(np.abs(np.subtract(x, y)).max())
