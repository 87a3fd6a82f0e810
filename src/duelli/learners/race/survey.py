"""Survey: a cheap look at points all over the box before the first polish.

Any reference is safe, so the survey needs no guarantee: it only spares the polish the basin of the
middle where another point is clearly better.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from duelli.blocks import Block, Step, Tally
from duelli.cubes import Arm
from duelli.learners.race.config import RaceConfig, snap
from duelli.learners.race.evidence import noticed
from duelli.learners.race.states import Memory, Survey

POINTS = 8  # for each dimension
MOST_POINTS = 64
SHARE = 0.004  # of the horizon
CLEAR = 0.1  # the differences that the survey wants to see, over Γ L
LEAST_CLEAR = 0.3  # where it sees no difference below this, over Γ L, there is none
Z_BETTER = 2.0  # sd by which a point must beat the middle


def begin(memory: Memory, config: RaceConfig) -> Survey | None:
    """Return the survey; None if the horizon is too short for one, or the user gave a start."""
    if config.start is not None or _size(memory, config) == 0:
        return None
    return Survey(memory=memory)


def step(state: Survey, config: RaceConfig) -> Step:
    """Return all points against the middle."""
    n, reference = _size(state.memory, config), state.memory.reference
    return tuple(Block.pair(point, reference, n) for point in points(config.dim))


def advance(state: Survey, tallies: Sequence[Tally]) -> Memory:
    """Return the memory with the best point as its reference, if it is better than the middle."""
    memory = state.memory
    for tally in tallies:
        memory = noticed(memory, tally.witness, memory.reference, tally)
    memory = replace(memory, duels=memory.duels + sum(tally.n for tally in tallies))
    best = max(tallies, key=lambda tally: tally.wins)
    if best.wins / best.n - 0.5 > Z_BETTER * 0.5 / math.sqrt(best.n):
        return replace(memory, reference=snap(best.witness))
    return memory


def points(dim: int) -> list[Arm]:
    """Return points that fill the box evenly.

    Roberts (2018), "The unreasonable effectiveness of quasirandom sequences": multiples of
    1 / φ, 1 / φ², ..., with φ the root of x^(d+1) = x + 1.
    """
    phi = 2.0
    for _ in range(64):
        phi = (1 + phi) ** (1 / (dim + 1))
    steps = [phi ** -(k + 1) for k in range(dim)]
    count = min(MOST_POINTS, POINTS * dim)
    return [snap([(0.5 + i * a) % 1.0 for a in steps]) for i in range(1, count + 1)]


def _size(memory: Memory, config: RaceConfig) -> int:
    """Return the duels of each point; 0 if too few can be spared to see anything."""
    count = min(MOST_POINTS, POINTS * config.dim)
    wanted = (0.5 / (CLEAR * min(0.5, config.slope))) ** 2
    n = int(min(wanted, SHARE * memory.horizon_now / count))
    least = (0.5 / (LEAST_CLEAR * min(0.5, config.slope))) ** 2
    return n if n >= max(least, config.min_block) else 0
