"""Sweeps: the neighbours of the reference, in directions and lengths that fit the landscape.

The neighbours are X ± s A u_k, with s the step, A the shape and u_k an orthonormal frame that
changes from sweep to sweep. Step and shape are learnt from the drops: a direction in which the win
rate falls by less than it should is made longer, so that a rotated valley is searched along its own
axes and a flat bowl with long steps.
"""

import math
from typing import NamedTuple

import numpy as np

from duelli._arrays import Array
from duelli.cubes import Arm
from duelli.learners.race.config import snap
from duelli.learners.race.states import Local, Memory

MOST_FULL = 8  # in more dimensions only the axes of the box are told apart
MOST_STRETCH = 0.7  # of the log of a squared length, by one sweep
LEARN, LEARN_FIRST = 0.16, 0.18  # how much of an excess one sweep takes away, late and early
LEAST_AXIS = 1 / 64  # the shortest axis of a shape, over the longest
ROOM = 0.25  # a neighbour must have room for this share of its length
DIGITS = 6  # of the entries of a shape, which lie in [-1, 1]


class Sweep(NamedTuple):
    """Where the neighbours of one sweep lie."""

    moves: Array  # the displacement along direction k, column by column
    pinned: tuple[int, ...]  # 1 or -1 where X is at a wall and only this side is asked, else 0
    frame: Array  # the directions before the shape
    whole: bool  # whether the neighbours have the directions and the lengths of the shape

    def sides(self) -> list[int]:
        """Return the neighbours that are asked: 2 k for X + move k, 2 k + 1 for X - move k."""
        both = ((2 * k, 2 * k + 1) if pin == 0 else (2 * k + (pin < 0),) for k, pin in self._pins())
        return [side for pair in both for side in pair]

    def pairs(self) -> list[int]:
        """Return the directions in which both sides have room, so that they can duel each other."""
        return [k for k, pin in self._pins() if pin == 0]

    def neighbour(self, reference: Arm, side: int, length: float = 1.0) -> Arm:
        """Return the arm of a side, at a share of the direction's length."""
        sign = length if side % 2 == 0 else -length
        return snap([x + sign * m for x, m in zip(reference, self._move(side), strict=True)])

    def _pins(self) -> "enumerate[int]":
        return enumerate(self.pinned)

    def _move(self, side: int) -> list[float]:
        move: list[float] = self.moves[:, side // 2].tolist()
        return move


def sweep_of(memory: Memory) -> Sweep:
    """Return the sweep that is due: within the box, and along its axes where X is at a wall."""
    dim = len(memory.reference)
    local = memory.local
    shape = matrix(local.shape, dim)
    frame = _frame(local.sweeps, dim)
    if local.shape and dim <= MOST_FULL:
        frame = np.linalg.eigh(shape)[1] @ frame  # along the axes of the shape
    moves = local.step * (shape @ frame if dim <= MOST_FULL else shape)
    x = np.array(memory.reference)
    room = np.minimum(x, 1 - x)
    fits = room / np.maximum(np.abs(moves).max(axis=1), 1e-300)
    if fits.min() >= ROOM:
        inside = np.minimum(fits, 1.0)[:, None] * moves
        return Sweep(inside, (0,) * dim, frame, bool(fits.min() >= 1))
    lengths = local.step * np.sqrt((shape**2).sum(axis=1))
    blocked = room < ROOM * lengths
    inward = np.where(blocked, np.where(x < 0.5, 1, -1), 0)
    moves = np.diag(np.where(blocked, lengths, np.minimum(lengths, room)))
    return Sweep(moves, tuple(inward.tolist()), np.eye(dim), False)


def reshaped(local: Local, sweep: Sweep, excess: Array) -> tuple[tuple[float, ...], float]:
    """Return a shape whose drops are nearer to D, and by how much its longest axis grows.

    In one dimension nothing is stretched: there the drop is in proportion to the step, or nearly.

    Args:
        local: What is known; its shape is to be changed.
        sweep: The sweep.
        excess: By how much each direction lost more than D, over D.
    """
    dim = len(excess)
    if dim == 1:
        return local.shape, 1.0
    rate = max(LEARN, LEARN_FIRST / (1 + local.sweeps))
    if not sweep.whole:  # its directions are not those of the shape, but its mean drop counts
        excess = excess.mean(keepdims=True)
    stretch = np.exp(-np.clip(rate * excess, -MOST_STRETCH, MOST_STRETCH) / 2)
    if not sweep.whole:
        return local.shape, float(stretch[0])
    if dim > MOST_FULL:
        axes = axes_of(local.shape, dim) * stretch
        longest = float(axes.max())
        return _packed(np.diag(np.maximum(axes / longest, LEAST_AXIS))), longest
    stretched = matrix(local.shape, dim) @ (sweep.frame * stretch) @ sweep.frame.T
    squares, vectors = np.linalg.eigh(stretched @ stretched.T)
    axes = np.sqrt(np.maximum(squares, 0.0))
    longest = float(axes.max())
    return _packed((vectors * np.maximum(axes / longest, LEAST_AXIS)) @ vectors.T), longest


def axes_of(shape: tuple[float, ...], dim: int) -> Array:
    """Return the half-axes of a shape."""
    if not shape or dim > MOST_FULL:
        return np.array(shape or (1.0,) * dim)
    return np.asarray(np.linalg.eigvalsh(matrix(shape, dim)), np.float64)


def half_axis(local: Local, dim: int) -> float:
    """Return the geometric mean of the half-axes of a sweep."""
    return local.step * math.exp(np.log(axes_of(local.shape, dim)).mean())


def steps_to(local: Local, reference: Arm, arm: Arm) -> float:
    """Return how many steps an arm is away from X, in the shape of the sweeps about X."""
    away, dim = np.array(arm) - np.array(reference), len(arm)
    if dim > MOST_FULL:
        away = away / axes_of(local.shape, dim)
    else:
        away = np.linalg.solve(matrix(local.shape, dim), away)
    return float(np.linalg.norm(away)) / local.step


def matrix(shape: tuple[float, ...], dim: int) -> Array:
    """Return A: the ball if nothing is known, a diagonal in many dimensions, else symmetric."""
    if not shape:
        return np.eye(dim)
    if dim > MOST_FULL:
        return np.diag(shape)
    lower = np.zeros((dim, dim))
    lower[np.tril_indices(dim)] = shape
    return lower + lower.T - np.diag(np.diag(lower))


def shape_length(dim: int) -> int:
    """Return how many numbers a shape has."""
    return dim if dim > MOST_FULL else dim * (dim + 1) // 2


def _packed(shape: Array) -> tuple[float, ...]:
    dim = len(shape)
    entries = np.diag(shape) if dim > MOST_FULL else shape[np.tril_indices(dim)]
    return tuple(np.round(entries, DIGITS).tolist())


def _frame(sweeps: int, dim: int) -> Array:
    """Return the axes at even sweeps; at odd ones pairs of axes turned by 45 degrees.

    The pairs change like those of a tournament in which everybody meets everybody, so that every
    rotation of two axes is seen.
    """
    frame = np.eye(dim)
    if dim == 1 or dim > MOST_FULL or sweeps % 2 == 0:
        return frame
    seats = dim + dim % 2
    turn = (sweeps // 2) % (seats - 1)
    order = [0, *(1 + (i + turn) % (seats - 1) for i in range(seats - 1))]
    for i, j in zip(order[: seats // 2], reversed(order[seats // 2 :]), strict=True):
        if max(i, j) < dim:
            frame[[i, j], [i, j]] = math.sqrt(0.5), -math.sqrt(0.5)
            frame[[i, j], [j, i]] = math.sqrt(0.5)
    return frame
