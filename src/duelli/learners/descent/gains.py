"""The gain sequences of SPSA: a_k = a / (A + k)^α and c_k = c / k^γ, for k = 1, 2, ...

Spall (1998), "Implementation of the simultaneous perturbation algorithm for stochastic
optimization", IEEE Transactions on Aerospace and Electronic Systems 34(3),
https://doi.org/10.1109/7.705889, gives the form, the exponents and A.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from duelli.learners.descent.inputs import MOST_HALF

ALPHA, GAMMA = 0.602, 0.101
STABILITY = 0.1  # A as a share of the horizon
MOST_BLOCKS = 20_000  # of a run; up to as many duels each duel is an iteration of its own

BOX_PERTURBATION = 0.1
BOX_REACH = 1.5  # in a run of at most
REACH_DUELS = 1000

# What those who tune game engines use (fishtest, https://github.com/official-stockfish/fishtest):
# c and r = a / c² at the last iteration, with a gradient that is divided by c instead of 2 c.
GAME_PERTURBATION = 1 / 20
GAME_RATE = 0.002


@dataclass(frozen=True, slots=True)
class Gains:
    """The two gain sequences of a run.

    Args:
        horizon: K, the number of iterations.
        a: The scale of the steps.
        c: The scale of the perturbations.
    """

    horizon: int
    a: float
    c: float

    def perturbation(self, k: int) -> float:
        """Return c_k = c / k^γ, as a share of the box, but at most half of it."""
        return min(self.c / math.pow(k, GAMMA), MOST_HALF)  # c_k

    def gain(self, k: int, n: int) -> float:
        """Return a_k + ... + a_(k + n - 1).

        For n > 1 it is an integral, whose relative error is below 1e-8: A is 2000 or more then.
        """
        first = STABILITY * self.horizon + k
        if n == 1:
            return self.a / math.pow(first, ALPHA)  # a_k
        power = 1 - ALPHA
        rise = math.pow(first + n - 0.5, power) - math.pow(first - 0.5, power)
        return self.a * rise / power


def block_size(horizon: int) -> int:
    """Return the number of duels that one pair gets (F13)."""
    return -(-horizon // MOST_BLOCKS)


def num_blocks(horizon: int) -> int:
    """Return the number of blocks of a run: of iterations, if a block counts as one."""
    return -(-horizon // block_size(horizon))


def blocks(horizon: int) -> Iterator[tuple[int, int]]:
    """Yield the first iteration of each block of a run, and the number of its iterations."""
    size = block_size(horizon)
    for done in range(0, horizon, size):
        yield done + 1, min(size, horizon - done)


def box_reach(horizon: int) -> float:
    """Return how many boxes theta should be able to move in a run.

    From `REACH_DUELS` on it grows with √K, as the sum of the a_k / c_k does for a fixed a: the
    noise of a step averages out, and c_k and so what a duel can show become smaller.
    """
    return BOX_REACH * math.sqrt(max(1.0, horizon / REACH_DUELS))


@lru_cache(maxsize=64)
def box_gains(horizon: int, perturbation: float, reach: float) -> Gains:
    """Return gains for a box of which nothing is known.

    Args:
        horizon: K.
        perturbation: c.
        reach: How many boxes theta would move along each axis if every duel said the same.
    """
    unit = Gains(horizon, 1.0, perturbation)
    moves = (unit.gain(k, n) / (2 * unit.perturbation(k)) for k, n in blocks(horizon))
    return Gains(horizon, reach / math.fsum(moves), perturbation)


def game_gains(horizon: int, perturbation: float) -> Gains:
    """Return the gains of those who tune game engines; ``perturbation`` is the last c_k."""
    last = 2 * GAME_RATE * perturbation**2  # a_K
    a = last * math.pow((1 + STABILITY) * horizon, ALPHA)
    return Gains(horizon, a, perturbation * math.pow(horizon, GAMMA))
