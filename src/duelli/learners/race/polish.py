"""Polish: improve the reference by sweeps of its 2 d neighbours, with a step that shrinks.

Any reference is safe, so this part needs no guarantee of its own beyond its reach and its
patience (docs/arc_race.md, Lemma 3).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from duelli.blocks import Block, Step, Tally
from duelli.cubes import Arm
from duelli.learners.race.config import ARM_UNITS, RaceConfig, snap
from duelli.learners.race.states import Memory, Polish

# The guarantee needs PATIENCE and the reach of `_moved` (docs/arc_race.md, Lemma 3). The rest is
# tuned, and flat about these values (section 6).
FIRST_STEP = 0.3
MIN_STEP = 64 / ARM_UNITS  # a smaller one would hardly move on the grid of arms
Z_SETTLE = 2.2  # sd at which the mean drop of the neighbours counts as known
Z_MOVE = 1.5  # sd at which the slope does
Z_LEAD = 1.5  # sd by which one neighbour must lead where the slope says nothing
POWER = 2.0  # the shift is exact where the drop grows like step^POWER
FAR = 0.6  # a shift beyond FAR steps does not shrink the step
SHRINK = 0.5
CARRY = 1.0  # duels per neighbour in the first look, over those of the last one of the sweep before
CARRY_MOVE = 0.5  # the same after a whole step
PATIENCE = 64.0  # a polish between scans takes at most this times d / drop² duels (Lemma 3)
LEAST = 0.5  # duels per neighbour in a first look, times (Γ L s)², at least
HOPS, WIDE = 8, 2.0  # after so many whole steps in a row the step grows by this factor
STOP = 1.5  # the last polish ends at a drop of √(STOP d / duels left)
STOP_ANSWER = 0.1  # the same where regret does not count: as fine as those duels can tell
SHARE, FIRST_SHARE = 0.08, 0.5  # one between scans at this share of b_m; before the first scan
LAST_WORD = 0.4  # all z are scaled by this when nothing more can be learnt


@dataclass(frozen=True, slots=True)
class Polished:
    """A polish that has ended."""

    memory: Memory
    old: Arm
    rival: bool


def begin(
    memory: Memory,
    config: RaceConfig,
    *,
    step: float,
    rival_to: Arm | None = None,
    fresh: bool = False,
) -> Polish:
    """Return the polish of the memory's arm, which may be a rival to the reference."""
    memory = replace(memory, step=step, size=0 if fresh else memory.size)
    patience = PATIENCE * config.dim / stop_drop(memory, config) ** 2
    state = Polish(
        memory=memory,
        home=memory.reference,
        deadline=memory.duels + int(patience),
        wins=(),
        rival_to=rival_to,
    )
    return _opened(state, config)


def stop_drop(memory: Memory, config: RaceConfig) -> float:
    """Return the drop below which a smaller step does not pay (docs/arc_race.md, section 3)."""
    stop = STOP if config.aim == "regret" else STOP_ANSWER
    last = math.sqrt(stop * config.dim / max(1, memory.left))
    share = SHARE if memory.done else FIRST_SHARE
    return last if memory.final else max(last, share * config.resolution(memory.round))


def step(state: Polish, config: RaceConfig) -> Step:
    """Return the next look at all neighbours; () if too few duels are left for one."""
    memory = state.memory
    around = sides(memory, config)
    add = _add(state, len(around), config)
    if add == 0:
        return ()
    return tuple(Block.pair(neighbour(memory, k), memory.reference, add) for k in around)


def advance(state: Polish, tallies: Sequence[Tally], config: RaceConfig) -> Polish | Polished:
    """Return what follows a look: another one, a move, or the end."""
    around, wins = sides(state.memory, config), list(state.wins)
    for side, tally in zip(around, tallies, strict=True):
        wins[side] += tally.wins
    memory = replace(state.memory, duels=state.memory.duels + sum(t.n for t in tallies))
    n = state.n + tallies[0].n
    return _look(replace(state, memory=memory, wins=tuple(wins), n=n), around, config)


def neighbour(memory: Memory, side: int) -> Arm:
    """Return X + s e_i for an even side 2 i, X - s e_i for an odd one."""
    point = list(memory.reference)
    point[side // 2] += memory.step if side % 2 == 0 else -memory.step
    return snap(point)


def sides(memory: Memory, config: RaceConfig) -> list[int]:
    """Return the neighbours for which there is room in the box."""
    return [
        k
        for k in range(2 * config.dim)
        if abs(neighbour(memory, k)[k // 2] - memory.reference[k // 2]) >= memory.step / 4
    ]


def _add(state: Polish, around: int, config: RaceConfig) -> int:
    """Return the duels of each neighbour in this look: as many again as there were."""
    add = max(state.n or state.memory.size, config.min_block)
    return add if config.horizon is None else min(add, state.memory.left // around)


def _opened(state: Polish, config: RaceConfig) -> Polish:
    """Return the state before the first look of a sweep."""
    memory = state.memory
    reach = min(0.5, config.slope_max * config.lipschitz * memory.step)
    size = max(memory.size, int(LEAST / reach**2))  # fewer could not see the steepest slope
    wins = (0.0,) * (2 * config.dim)
    return replace(state, memory=replace(memory, size=size), n=0, wins=wins)


def _look(state: Polish, around: list[int], config: RaceConfig) -> Polish | Polished:
    """Decide on what the sweep has shown so far."""
    memory = state.memory
    if not memory.final and memory.duels >= state.deadline:
        return _ended(state)
    sd = 0.5 / math.sqrt(state.n)
    lead = {k: state.wins[k] / state.n - 0.5 for k in around}
    drop, noise = -sum(lead.values()) / len(around), sd / math.sqrt(len(around))
    slope = [_slope(lead, i) for i in range(config.dim)]
    steep, first = math.hypot(*slope), max(around, key=lead.__getitem__)
    z = LAST_WORD if memory.left < len(around) else 1.0  # nothing more can be learnt
    if lead[first] > z * Z_LEAD * sd and lead[first] > 1.5 * max(map(abs, slope)):
        return _hop(state, neighbour(memory, first), config)  # X lies in a hollow
    if drop > z * Z_SETTLE * noise:
        return _shift(state, [g / (POWER * drop) for g in slope], drop, config)
    if steep > z * Z_MOVE * sd * math.sqrt((config.dim + 1) / 4):
        # The slope is known and the drop is not, which therefore must not end the polish.
        return _far(_shifted(state, [g / steep for g in slope]), config)
    if Z_SETTLE * noise < stop_drop(memory, config):
        return _ended(state)  # flat, as far as the budget can tell
    return state


def _slope(lead: dict[int, float], i: int) -> float:
    up, down = lead.get(2 * i), lead.get(2 * i + 1)
    if up is None or down is None:  # at the wall: only away from it, and only if that is better
        return max(0.0, up or 0.0) - max(0.0, down or 0.0)
    return (up - down) / 2


def _shift(state: Polish, shift: list[float], drop: float, config: RaceConfig) -> Polish | Polished:
    """Move by ``shift`` steps per coordinate; shrink the step unless that was far, or end."""
    memory = state.memory
    state = _shifted(state, shift)
    if max(map(abs, shift)) > FAR:
        return _far(state, config)
    if drop <= stop_drop(memory, config) or memory.step * SHRINK < MIN_STEP:
        return _ended(state)
    smaller = replace(state.memory, step=memory.step * SHRINK, size=int(state.n * CARRY))
    return _opened(replace(state, memory=smaller, hops=0), config)


def _shifted(state: Polish, shift: list[float]) -> Polish:
    """Move by ``shift`` steps per coordinate, one step at the most."""
    steps = [min(1.0, max(-1.0, u)) * state.memory.step for u in shift]
    return _moved(state, [x + s for x, s in zip(state.memory.reference, steps, strict=True)])


def _far(state: Polish, config: RaceConfig) -> Polish:
    hops, step = state.hops + 1, state.memory.step
    if hops >= HOPS:
        hops, step = 0, min(FIRST_STEP, step * WIDE)
    memory = replace(state.memory, step=step, size=int(state.n * CARRY_MOVE))
    return _opened(replace(state, memory=memory, hops=hops), config)


def _hop(state: Polish, target: Arm, config: RaceConfig) -> Polish:
    state = _moved(state, list(target))
    memory = replace(state.memory, size=int(state.n * CARRY_MOVE))
    return _opened(replace(state, memory=memory), config)


def _moved(state: Polish, target: list[float]) -> Polish:
    """Move X, but never further than 2 r_m from where this polish began (Lemma 3)."""
    reach = 2 * 2.0 ** (1 - state.memory.round)
    near = [min(h + reach, max(h - reach, x)) for x, h in zip(target, state.home, strict=True)]
    return replace(state, memory=replace(state.memory, reference=snap(near)))


def _ended(state: Polish) -> Polished:
    rival = state.rival_to is not None
    return Polished(state.memory, state.rival_to or state.home, rival)
