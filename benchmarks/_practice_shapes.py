"""The shapes of the problems of benchmarks/practice.py: utilities on the unit box.

A shape is a function from the number of dimensions and a random generator to a utility and its
best point; None where that has no formula. Their scale does not matter: judges are calibrated.
"""

import math
from collections.abc import Callable

import numpy as np

from duelli._arrays import Array

Utility = Callable[[Array], Array]  # from points of shape (n, dim) to n utilities
Shape = Callable[[int, np.random.Generator], tuple[Utility, Array | None]]

# Hartmann's functions and Branin's are those of https://www.sfu.ca/~ssurjano/optimization.html.
HEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])
SLOPES_3 = np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]])
PLACES_3 = 1e-4 * np.array(
    [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
)
SLOPES_6 = np.array(
    [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
    ]
)
PLACES_6 = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def squares(points: Array, centre: Array) -> Array:
    """Return the squared distance of each point from the centre."""
    found: Array = ((points - centre) ** 2).sum(axis=-1)
    return found


def wavy(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    best, height, waves = rng.uniform(0.1, 0.9, dim), rng.uniform(0.03, 0.08), rng.uniform(3, 6)

    def utility(points: Array) -> Array:
        away = points - best
        found: Array = (height * np.cos(2 * np.pi * waves * away) - np.abs(away)).sum(axis=1)
        return found

    return utility, best


def bumpy(dim: int, rng: np.random.Generator) -> tuple[Utility, None]:
    centres, heights = rng.random((8 * dim, dim)), rng.uniform(0.3, 1, 8 * dim)
    widths = rng.uniform(0.1, 0.35, 8 * dim) * math.sqrt(dim / 2 + 0.5)

    def utility(points: Array) -> Array:
        found: Array = np.exp(-squares(points[:, None], centres) / (2 * widths**2)) @ heights
        return found

    return utility, None


def branin(dim: int, rng: np.random.Generator) -> tuple[Utility, None]:  # noqa: ARG001
    def utility(points: Array) -> Array:
        x, y = 15 * points[:, 0] - 5, 15 * points[:, 1]
        bowl = (y - 5.1 / (4 * math.pi**2) * x * x + 5 / math.pi * x - 6) ** 2
        value = bowl + 10 * (1 - 1 / (8 * math.pi)) * np.cos(x) + 10
        return -np.log1p(np.maximum(value - 0.39, 0))  # its logarithm, because it is so steep

    return utility, None


def hartmann(dim: int, rng: np.random.Generator) -> tuple[Utility, None]:  # noqa: ARG001
    slopes, places = (SLOPES_3, PLACES_3) if dim == 3 else (SLOPES_6, PLACES_6)

    def utility(points: Array) -> Array:
        inside = (slopes * (points[:, None] - places) ** 2).sum(axis=2)
        found: Array = np.exp(-inside) @ HEIGHTS
        return found

    return utility, None


def rosenbrock(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:  # noqa: ARG001
    def utility(points: Array) -> Array:
        z = 3 * points - 1.5
        valley = 100 * (z[:, 1:] - z[:, :-1] ** 2) ** 2 + (1 - z[:, :-1]) ** 2
        found: Array = -np.log1p(valley.sum(axis=1))
        return found

    return utility, np.full(dim, 2.5 / 3)


def ackley(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    best = rng.uniform(0.15, 0.85, dim)

    def utility(points: Array) -> Array:
        z = 4 * (points - best)
        cone = 20 * np.exp(-0.2 * np.sqrt((z**2).mean(axis=1)))
        found: Array = cone + np.exp(np.cos(2 * np.pi * z).mean(axis=1))
        return found

    return utility, best


def rotated_quadratic(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    """Return a quadratic of condition 100 whose axes are not those of the box."""
    best, weights = rng.uniform(0.2, 0.8, dim), 10.0 ** np.linspace(0, 2, dim)
    turn = np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    return lambda points: -((((points - best) @ turn) ** 2) @ weights), best


def ridge(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    """Return a sharp oblique ridge that rises slowly to its best point."""
    best, along = rng.uniform(0.25, 0.75, dim), rng.standard_normal(dim)
    along /= np.linalg.norm(along)

    def utility(points: Array) -> Array:
        shift = (points - best) @ along
        beside = np.sqrt(np.maximum(squares(points, best) - shift**2, 0))
        found: Array = -beside - 0.15 * np.abs(shift)
        return found

    return utility, best


def corner(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    weights, powers = rng.uniform(0.3, 1, dim), rng.uniform(0.5, 2, dim)
    return lambda points: -((1 - points) ** powers @ weights), np.ones(dim)


def sparse(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    """Return a quadratic in two coordinates; the others do not matter."""
    best = np.append(rng.uniform(0.1, 0.9, 2), np.full(dim - 2, 0.5))

    def utility(points: Array) -> Array:
        x, y = (points - best)[:, :2].T
        found: Array = -(x * x + 2 * y * y + x * y)
        return found

    return utility, best


def quadratic(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    best, weights = rng.uniform(0.15, 0.85, dim), np.exp(rng.uniform(-1, 1, dim))
    return lambda points: -((points - best) ** 2 @ weights), best


def cone(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    best = rng.uniform(0.1, 0.9, dim)
    return lambda points: -np.sqrt(squares(points, best)), best


def two_cones(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    """Return a narrow high cone, and a broad lower one at the other end of the box."""
    best, other = rng.uniform(0.1, 0.4, dim), rng.uniform(0.6, 0.9, dim)

    def utility(points: Array) -> Array:
        narrow = 1 - 3 * np.sqrt(squares(points, best))
        found: Array = np.maximum(narrow, 0.8 - 1.2 * np.sqrt(squares(points, other)))
        return found

    return utility, best


def skewed(dim: int, rng: np.random.Generator) -> tuple[Utility, Array]:
    """Return a peak that falls faster on one side than on the other."""
    best, steeper = rng.uniform(0.1, 0.9, dim), rng.uniform(0.5, 3, dim)

    def utility(points: Array) -> Array:
        away = points - best
        found: Array = -(np.where(away > 0, steeper * away, -away) ** 1.5).sum(axis=1)
        return found

    return utility, best


def styblinski(dim: int, rng: np.random.Generator) -> tuple[Utility, None]:  # noqa: ARG001
    """Return the function of Styblinski and Tang, with 2^dim peaks."""

    def utility(points: Array) -> Array:
        z = 10 * points - 5
        found: Array = -(z**4 - 16 * z**2 + 5 * z).sum(axis=1) / 2
        return found

    return utility, None


SHAPES: dict[str, Shape] = {
    "wavy": wavy,
    "bumpy": bumpy,
    "branin": branin,
    "hartmann": hartmann,
    "rosenbrock": rosenbrock,
    "ackley": ackley,
    "rotated_quadratic": rotated_quadratic,
    "ridge": ridge,
    "corner": corner,
    "sparse": sparse,
    "quadratic": quadratic,
    "cone": cone,
    "two_cones": two_cones,
    "skewed": skewed,
    "styblinski": styblinski,
}
