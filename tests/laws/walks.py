"""Learners that walk, as their specifications are written down, for many runs at once.

The problem is that of the reference numbers: f = 1 - |x - (.3, .1)|² under the logistic link. Each
row of an array is a run. The walks return the regrets of the runs and their last points.
"""

import math

import numpy as np

BEST = (0.3, 0.1)
T = 20_000


def cost(points):
    return ((points - np.array(BEST)) ** 2).sum(axis=-1)


def chance(x, y):
    """Return the probability that x beats y."""
    return 1 / (1 + np.exp(cost(x) - cost(y)))


def gap(x):
    """Return the regret of an arm in one duel."""
    return 0.5 - chance(x, np.array(BEST))


def directions(rng, runs):
    normals = rng.normal(size=(runs, 2))
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


def dbgd(runs, probe=0.2, step=0.01, seed=0):
    rng, w, regret = np.random.default_rng(seed), np.full((runs, 2), 0.9), np.zeros(runs)
    for _ in range(T):
        u = directions(rng, runs)
        tried = np.clip(w + probe * u, 0, 1)
        won = rng.random(runs) < chance(tried, w)
        regret += gap(tried) + gap(w)
        w = np.clip(w + step * won[:, None] * u, 0, 1)
    return regret, w


def rgd(runs, margin, probe=0.2, step=0.01, seed=0):
    """Keep w in [margin, 1 - margin]², and clip the probes to the box."""
    rng, regret = np.random.default_rng(seed), np.zeros(runs)
    w = np.clip(np.full((runs, 2), 0.9), margin, 1 - margin)
    for _ in range(T):
        u = directions(rng, runs)
        x, y = np.clip(w + probe * u, 0, 1), np.clip(w - probe * u, 0, 1)
        sign = np.where(rng.random(runs) < chance(x, y), 1, -1)
        regret += gap(x) + gap(y)
        w = np.clip(w + step * sign[:, None] * u, margin, 1 - margin)
    return regret, w


def nc_smd(runs, step, convexity=0.1, regularisation=1.0, seed=0):
    rng, a, regret = np.random.default_rng(seed), np.full((runs, 2), 0.5), np.zeros(runs)
    for t in range(1, T + 1):
        weight = convexity * step * t + 2 * regularisation
        roots = np.sqrt(1 / a**2 + 1 / (1 - a) ** 2 + weight)  # H^(1/2)
        u = directions(rng, runs)
        tried = a + u / roots
        kept = rng.random(runs) < chance(a, tried)  # F
        regret += gap(tried) + gap(a)
        value = -1 / a + 1 / (1 - a) + weight * a - step * 2 * kept[:, None] * roots * u
        a = _newton(value, weight, a)
    return regret, a


def _newton(value, weight, a):
    """Return the root of 1 / (1 - a) - 1 / a + weight a = value, by Newton's method.

    It works on the logit z of a, in which steps cannot leave (0, 1).
    """
    z = np.log(a / (1 - a))
    for _ in range(6):
        a = 1 / (1 + np.exp(-z))
        excess = 1 / (1 - a) - 1 / a + weight * a - value
        slope = (1 / a**2 + 1 / (1 - a) ** 2 + weight) * a * (1 - a)
        z -= excess / slope
    assert np.abs(excess).max() < 1e-6
    return 1 / (1 + np.exp(-z))


class CoordinateRun:
    """One run of the coordinate search: both sides of the middle take turns, stage by stage."""

    def __init__(self, seed, accuracy=0.05, failure_prob=0.05, cap=2**13):
        self.accuracy, self.failure_prob, self.cap = accuracy, failure_prob, cap
        self.rng, self.left, self.regret = np.random.default_rng(seed), T, 0.0
        point = np.array([0.9, 0.9])
        while self.left:
            axis = self.rng.integers(2)
            point[axis] = self._searched(point, axis)

    def _searched(self, point, axis):
        low, high = 0.0, 1.0
        while high - low > self.accuracy and self.left:
            middle, quarter = (low + high) / 2, (high - low) / 4
            places = middle - quarter, middle, middle + quarter
            arms = [np.where(np.arange(2) == axis, place, point) for place in places]
            centre = places[1 + self._better_side(*arms)]
            low, high = centre - quarter, centre + quarter
        return (low + high) / 2

    def _better_side(self, below, middle, above):
        """Return -1 or 1 if that side beats the middle, 0 if neither does."""
        arms, n, wins = {-1: below, 1: above}, {-1: 0, 1: 0}, {-1: 0, 1: 0}
        for k in range(1, self.cap.bit_length()):
            width = math.sqrt((k + 1) * math.log(2 / self.failure_prob) / 2 ** (k + 1))
            for side in list(arms):
                wins[side] += self._duels(arms[side], middle, 2**k - n[side])
                n[side] = 2**k
                lead = wins[side] / n[side] - 0.5
                if not self.left or lead >= width:
                    return side
                if lead <= -width:
                    del arms[side]
        return 0

    def _duels(self, x, y, n):
        n = min(n, self.left)
        self.left -= n
        self.regret += n * float(gap(x) + gap(y))
        return self.rng.binomial(n, float(chance(x, y)))
