"""The problems of benchmarks/practice.py: a shape, mirrored and permuted for each seed.

A problem is named by its shape and its dimensions, such as "bumpy/2".
"""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from _practice_shapes import SHAPES, Utility

from duelli._arrays import Array
from duelli.links import LINKS

# The constants of preference_model were chosen on the first group, and not on the second.
GROUPS = {
    "tuned": (
        "wavy/1",
        "bumpy/2",
        "branin/2",
        "hartmann/3",
        "corner/3",
        "rosenbrock/4",
        "ridge/4",
        "ackley/5",
        "rotated_quadratic/5",
        "hartmann/6",
        "quadratic/6",
        "sparse/8",
    ),
    "held back": (
        "wavy/2",
        "cone/2",
        "two_cones/2",
        "ridge/2",
        "ackley/2",
        "rosenbrock/2",
        "bumpy/3",
        "rotated_quadratic/3",
        "styblinski/3",
        "skewed/4",
        "corner/6",
        "quadratic/8",
    ),
}
PROBLEMS = tuple(name for group in GROUPS.values() for name in group)
CLARITIES = {"clear": 0.95, "medium": 0.75, "fog": 0.55}  # P(x* beats a random point)

OFF_CENTRE = 0.1  # the best point is farther than this from the middle, along some axis
FIRST_POINTS, KEPT, ROUNDS, MORE = 20_000, 20, 60, 60  # of the search for a best point
NARROWER = 0.82
CALIBRATION = 4000  # random points


@dataclass(frozen=True, slots=True)
class Problem:
    """A utility on the unit box, and the point where it is largest."""

    dim: int
    utility: Utility
    best: Array


def stream(*words: Any) -> np.random.Generator:
    """Return the random generator that belongs to these words alone."""
    digest = hashlib.sha256(json.dumps(words, sort_keys=True).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


@lru_cache(maxsize=8)
def problem_of(name: str, seed: int) -> Problem:
    """Return a problem as it is in the trials with this seed, the same for all contenders."""
    kind, dimensions = name.split("/")
    dim, rng = int(dimensions), stream("problem", name, seed)
    best = middle = np.full(dim, 0.5)
    while np.abs(best - middle).max() < OFF_CENTRE:
        utility, known = SHAPES[kind](dim, rng)
        best = highest(utility, dim) if known is None else known
    order, mirrored = rng.permutation(dim), rng.random(dim) < 0.5

    def turned(points: Array) -> Array:
        return utility(np.where(mirrored, 1 - points, points)[:, order])

    place = np.empty(dim)
    place[order] = best
    return Problem(dim, turned, np.where(mirrored, 1 - place, place))


def highest(utility: Utility, dim: int) -> Array:
    """Return the point where the utility is largest, by a random search that narrows."""
    rng, reach = stream("search"), 0.2
    points = rng.random((FIRST_POINTS, dim))
    for _ in range(ROUNDS):
        best = points[np.argsort(-utility(points))[:KEPT]]
        moves = reach * rng.standard_normal((KEPT, MORE, dim))
        points = np.vstack([best, np.clip(best[:, None] + moves, 0, 1).reshape(-1, dim)])
        reach *= NARROWER
    found: Array = points[utility(points).argmax()]
    return found


def steepness(problem: Problem, clarity: str, link: str) -> float:
    """Return the factor of the utility with which the best point is as sure as it should be."""
    points = stream("calibration").random((CALIBRATION, problem.dim))
    drops = problem.utility(problem.best[None]) - problem.utility(points)
    low, high = -12.0, 12.0  # powers of e
    for _ in range(40):
        middle = (low + high) / 2
        if LINKS[link](np.exp(middle) * drops).mean() > CLARITIES[clarity]:
            high = middle
        else:
            low = middle
    return float(np.exp(low))
