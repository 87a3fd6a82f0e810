"""Landscape: a utility on [0, 1]^dim with what is known of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from duelli import _check, _rng
from duelli._arrays import Array, lattice
from duelli.boxes import Box
from duelli.cubes import Arm
from duelli.landscapes.forms import OfRows, OfTuples

GRID_POINTS = 4000  # about as many points are looked at in each stage of a search
MOST_GRID_DIM = 7  # in more dimensions three points per axis would be far more than that
RANDOM_POINTS = 1500  # as many are looked at there instead
CLEARLY = 1e-9  # by which share of the range an arm must be better than the given best arm


@dataclass(frozen=True, kw_only=True, eq=False)
class Landscape:
    """A utility f on [0, 1]^dim.

    Args:
        name: The name that tables and reports show.
        dim: d, the number of coordinates.
        values: f on many arms, from shape ``(n, dim)`` to shape ``(n,)``; if it has an attribute
            ``at``, that is f of one arm, a tuple of floats.
        best_arm: x*, an arm of the largest utility.
        lipschitz: L, with abs(f(x) - f(y)) <= L max_i abs(x_i - y_i).
        zooming_dim: d_z, where it is known.
        box: The user's units; utilities are functions of the unit coordinates all the same.
        pointwise: f of one arm, a tuple, in the part of Python that numba compiles; None if f is
            known on arrays only.
    """

    name: str
    dim: int
    values: Callable[[Array], Array]
    best_arm: Arm
    lipschitz: float
    zooming_dim: float
    box: Box
    pointwise: Callable[[Any], Any] | None = None
    best_utility: float = field(init=False)
    _at: Callable[[Arm], Any] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_at", getattr(self.values, "at", None) or self.pointwise)
        object.__setattr__(self, "best_utility", float(self.utility(np.array([self.best_arm]))[0]))

    def __reduce__(self) -> tuple[Any, ...]:
        given = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        return _remade, (given,)

    def utility(self, xs: Array) -> Array:
        """Return f at each row of ``xs``, shape ``(n, dim)``; refuse what is not finite."""
        utilities = _values(self.values, xs)
        finite = np.isfinite(utilities)
        if not finite.all():
            worst = int(np.argmin(finite))
            raise ValueError(
                f"utility must be finite; got {utilities[worst]} at {tuple(map(float, xs[worst]))}"
            )
        return utilities

    def utility_at(self, arm: Arm) -> float:
        """Return f at one arm, tuple in and float out."""
        if self._at is not None and math.isfinite(utility := float(self._at(arm))):
            return utility
        return float(self.utility(np.array([arm]))[0])  # which names a value that is not finite


def _remade(given: dict[str, Any]) -> Landscape:
    return Landscape(**given)


def landscape(
    f: Callable[[Any], Any],
    dim: int,
    *,
    best_arm: Arm | None = None,
    lipschitz: float = 1.0,
    zooming_dim: float = 0.0,
    name: str = "custom",
    box: Box | None = None,
) -> Landscape:
    """Return a landscape made of any utility on [0, 1]^dim.

    Args:
        f: A vectorised function from shape ``(n, dim)`` to ``(n,)``; or a numba function, either
            vectorised likewise or of one arm. If it takes the arm as a tuple, the per-duel engine
            compiles it into its loop.
        dim: d, the number of coordinates.
        best_arm: x*, which is checked: regret is measured from its utility. If None, it is searched
            for on a grid and polished, which is meant for smooth utilities of few dimensions.
        lipschitz: L in the maximum norm.
        zooming_dim: d_z.
        name: The name that tables and reports show.
        box: The user's units, for reports; the unit box if None.

    Raises:
        ValueError: If a search finds an arm of a clearly larger utility than ``best_arm``.
    """
    dim = _check.whole("dim", dim, 1)
    if not callable(f):
        raise TypeError(f"f must be a function from shape (n, dim) to (n,); got {f!r}")
    pointwise, values = _vectorised(f, dim)
    _values(values, np.full((dim + 2, dim), 0.5))  # a function of one arm would give dim values
    searched = best_arm is None
    made = Landscape(
        name=name,
        dim=dim,
        values=values,
        best_arm=_check.arm("best_arm", _search(values, dim) if searched else best_arm, dim),
        lipschitz=_check.positive("lipschitz", lipschitz),
        zooming_dim=_check.at_least("zooming_dim", zooming_dim, 0.0),
        box=Box.unit(dim) if box is None else box,
        pointwise=pointwise,
    )
    if not searched:
        _check_best_arm(made)
    return made


def _values(f: Callable[[Array], Any], xs: Array) -> Array:
    """Return f at each row of ``xs``, one value per arm."""
    utilities = np.asarray(f(xs), dtype=np.float64)
    if utilities.shape != (len(xs),):
        raise ValueError(
            f"utility must map shape {xs.shape} to {(len(xs),)}, one value per arm; "
            f"got {utilities.shape}"
        )
    return utilities


def _vectorised(f: Callable[[Any], Any], dim: int) -> tuple[Any, Callable[[Array], Array]]:
    """Return ``f`` for compiled loops, None if it cannot be used there, and ``f`` on many arms.

    A numba function may take one arm, as a tuple or as an array, instead of many.
    """
    compiled = hasattr(f, "py_func")  # the mark of numba's functions, known without numba
    if compiled and _shape(f, (0.5,) * dim) == ():
        return f, OfTuples(f)
    many = _shape(f, np.full((dim + 2, dim), 0.5)) == (dim + 2,)
    if compiled and not many and _shape(f, np.full(dim, 0.5)) == ():
        return None, OfRows(f)
    return None, f


def _shape(f: Callable[[Any], Any], arms: Any) -> tuple[int, ...] | None:
    """Return the shape of what ``f`` makes of ``arms``; None if it refuses them."""
    try:
        shape: tuple[int, ...] = np.shape(f(arms))
    except Exception:  # there are many ways to refuse; the vectorised call will say why
        return None
    return shape


def _search(values: Callable[[Array], Array], dim: int) -> Arm:
    """Return the best of many points of the box, refined by ever closer points around it."""
    return _polish(values, np.full(dim, 0.5), 1.0)


def _polish(values: Callable[[Array], Array], centre: Array, width: float) -> Arm:
    """Return the best arm that ever narrower sets of points around the best one so far show."""
    side, offsets = _offsets(len(centre))
    while width > 1e-9:
        arms = np.clip(centre + width * offsets, 0.0, 1.0)
        centre = arms[int(np.argmax(values(arms)))]
        width *= 4.0 / side if side > 8 else 0.7
    return tuple(map(float, centre))


def _offsets(dim: int) -> tuple[int, Array]:
    """Return how many points a grid has per axis, and points spread over [-1/2, 1/2]^dim.

    The centre comes first. In many dimensions the points are random ones.
    """
    side = max(3, int(GRID_POINTS ** (1 / dim)))
    spread = (
        lattice(np.linspace(-0.5, 0.5, side), dim)
        if dim <= MOST_GRID_DIM
        else _rng.stream(0, "arms").random((RANDOM_POINTS, dim)) - 0.5
    )
    return side, np.concatenate([np.zeros((1, dim)), spread])


def _check_best_arm(given: Landscape) -> None:
    """Raise if some arm is clearly better than the given best arm: regret would be negative."""

    def values(xs: Array) -> Array:  # what is not finite is named once a duel meets it
        with np.errstate(all="ignore"):
            utilities = _values(given.values, xs)
        return np.where(np.isfinite(utilities), utilities, -np.inf)

    _, offsets = _offsets(given.dim)
    spread = values(offsets + 0.5)
    lowest = np.min(spread, where=np.isfinite(spread), initial=given.best_utility)
    nearby = _polish(values, np.array(given.best_arm), 0.1)
    better = max((nearby, _search(values, given.dim)), key=lambda arm: values(np.array([arm]))[0])
    utility = float(values(np.array([better]))[0])
    if utility > given.best_utility + CLEARLY * (utility - lowest):
        raise ValueError(
            f"best_arm must have the largest utility; got {given.best_arm}, whose utility is "
            f"{given.best_utility}, while that of {better} is {utility}"
        )
