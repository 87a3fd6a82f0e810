"""practice_problem: utilities as people meet them, for judges who are more or less sure.

A problem is named by its shape and its dimensions, such as "bumpy/2". Each seed draws the shape
anew and then mirrors and permutes its axes. The best arm is never near the middle of the box.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from duelli import _check, _rng
from duelli._arrays import Array, lattice
from duelli.boxes import Box
from duelli.landscapes.base import Landscape
from duelli.landscapes.practice_functions import PracticeShape
from duelli.landscapes.practice_shapes import PRACTICE_SHAPES
from duelli.links import LINKS, Link

# Most constants of preference_model were chosen on the first group; its caution, the directions of
# its opening, its belief about scales and the width of its draws on both, with seeds other than
# those of benchmarks/practice.py.
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
CLARITIES = {"clear": 0.95, "medium": 0.75, "fog": 0.55}  # P(x* beats a random arm)

OFF_CENTRE = 0.1  # the best arm is farther than this from the middle, along some axis
CALIBRATION = 4000  # random arms
FIRST_ARMS, KEPT, ROUNDS, MORE = 20_000, 20, 60, 60  # of the search for a best arm
NARROWER = 0.82
STEEP_ARMS, STEEP_ROUNDS, STEEP_MORE = 2000, 25, 10  # of the search for the steepest arm
STEP = 1e-6  # slopes are measured over this distance
SAFETY = 1.05  # the Lipschitz constant over the steepest slope that was found

Values = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Turned:
    """A shape with its axes mirrored and permuted, and its utility scaled.

    Args:
        shape: The shape.
        mirrored: Which axes are mirrored.
        order: Which axis becomes each coordinate of the shape.
        scale: The factor of the utility.
    """

    shape: PracticeShape
    mirrored: npt.NDArray[np.bool_]
    order: npt.NDArray[np.intp]
    scale: float = 1.0

    def __call__(self, xs: Array) -> Array:
        """Return the utilities of the rows of ``xs``."""
        return self.scale * self.shape(np.where(self.mirrored, 1 - xs, xs)[:, self.order])


def practice_problem(name: str, seed: int, clarity: str = "medium") -> Landscape:
    """Return a practice problem, drawn at random.

    Under the logistic link, its best arm beats a uniformly random one with the probability 0.95
    (clear), 0.75 (medium) or 0.55 (fog). Its Lipschitz constant is an estimate: the steepest slope
    over 1e-6 of the box that a random search finds, and 5 % more. (The slope of "corner" has no
    bound in its corner.)

    >>> practice_problem("bumpy/2", 3).dim
    2

    Args:
        name: One of ``PROBLEMS``.
        seed: Seed of all that is random in it.
        clarity: How sure judges are, one of ``CLARITIES``.

    Raises:
        ValueError: If there is no such problem or clarity.
    """
    kind, dim = parse_problem(name)
    _check.one_of("clarity", clarity, CLARITIES)
    rng = _rng.stream(_rng.check_seed(seed), "problem", list(PRACTICE_SHAPES).index(kind), dim)
    best = middle = np.full(dim, 0.5)
    while np.abs(best - middle).max() < OFF_CENTRE:
        shape = PRACTICE_SHAPES[kind](dim, rng)
        best = highest(shape, dim) if shape.best is None else shape.best
    order, mirrored = rng.permutation(dim), rng.random(dim) < 0.5
    place = np.empty(dim)
    place[order] = best
    turned = Turned(shape, mirrored, order)
    found = Landscape(
        name=f"{name}, {clarity}, seed {seed}",
        dim=dim,
        values=turned,
        best_arm=tuple(map(float, np.where(mirrored, 1 - place, place))),
        lipschitz=1.0,  # not known yet
        zooming_dim=0.0,
        box=Box.unit(dim),
    )
    values = replace(turned, scale=steepness(found, clarity, LINKS["logistic"]))
    return replace(found, values=values, lipschitz=steepest(values, found.best_arm))


def parse_problem(name: str) -> tuple[str, int]:
    """Return the shape and the dimensions of a problem."""
    _check.one_of("problem", name, PROBLEMS)
    kind, dim = name.split("/")
    return kind, int(dim)


def steepness(landscape: Landscape, clarity: str, link: Link) -> float:
    """Return the factor of the utility with which the best arm wins as often as it should.

    Args:
        landscape: The utility.
        clarity: One of ``CLARITIES``.
        link: How a difference of utilities becomes a probability to win.
    """
    arms = _rng.stream(0, "arms").random((CALIBRATION, landscape.dim))
    drops = landscape.best_utility - landscape.utility(arms)
    low, high = -12.0, 12.0  # powers of e
    for _ in range(40):
        middle = (low + high) / 2
        if link(np.exp(middle) * drops).mean() > CLARITIES[clarity]:
            high = middle
        else:
            low = middle
    return float(np.exp(low))


def highest(values: Values, dim: int) -> Array:
    """Return the arm with the largest value, by a random search that narrows."""
    rng = _rng.stream(0, "arms")
    return _climbed(values, rng.random((FIRST_ARMS, dim)), ROUNDS, MORE, rng)


def steepest(values: Values, best_arm: Any) -> float:
    """Return a little more than the steepest slope, in the maximum norm, that a search finds."""
    rng, dim = _rng.stream(0, "arms"), len(best_arm)

    def slopes(xs: Array) -> Array:
        """Return the 1-norm of the gradients, each entry over a step into the box."""
        steps = np.where(xs < 0.5, STEP, -STEP)[:, None] * np.eye(dim)
        moved = values((xs[:, None] + steps).reshape(-1, dim)).reshape(-1, dim)
        found: Array = np.abs(moved - values(xs)[:, None]).sum(axis=1) / STEP
        return found

    near = np.array(best_arm) + 0.1 * rng.standard_normal((STEEP_ARMS // 4, dim))
    arms = np.vstack([rng.random((STEEP_ARMS, dim)), np.clip(near, 0, 1), lattice([0.0, 1.0], dim)])
    arm = _climbed(slopes, arms, STEEP_ROUNDS, STEEP_MORE, rng)
    return SAFETY * float(slopes(arm[None])[0])


def _climbed(
    values: Values, arms: Array, rounds: int, more: int, rng: np.random.Generator
) -> Array:
    """Return the best arm after so many rounds of random moves from the best ones so far."""
    reach = 0.2
    for _ in range(rounds):
        best = arms[np.argsort(-values(arms))[:KEPT]]
        moves = reach * rng.standard_normal((KEPT, more, arms.shape[1]))
        arms = np.vstack([best, np.clip(best[:, None] + moves, 0, 1).reshape(-1, arms.shape[1])])
        reach *= NARROWER
    found: Array = arms[values(arms).argmax()]
    return found
