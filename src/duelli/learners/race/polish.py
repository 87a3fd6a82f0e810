"""Polish: improve the reference by sweeps of its 2 d neighbours, with a step that shrinks.

Any reference is safe, so this part needs no guarantee of its own beyond its reach and its
patience (docs/arc_race.md, Lemma 3).
"""

import math
from dataclasses import dataclass, replace

from duelli.blocks import Block, Tally
from duelli.cubes import Arm
from duelli.learners.race.config import GRID, RaceConfig, snap
from duelli.learners.race.states import Course, Polish

# The guarantee needs PATIENCE and the reach of `_moved` (docs/arc_race.md, Lemma 3). The rest is
# tuned, and flat about these values (section 6).
FIRST_STEP = 0.3
Z_SETTLE = 2.2  # sd at which the mean drop of the neighbours counts as known
Z_MOVE = 1.5  # sd at which the slope does
Z_LEAD = 1.5  # sd by which one neighbour must lead where the slope says nothing
POWER = 2.0  # the shift is exact where the drop grows like step^POWER
FAR = 0.6  # a shift beyond FAR steps does not shrink the step
SHRINK = 0.5
CARRY = 1.0  # duels a neighbour in the first look, over those of the last one of the sweep before
CARRY_MOVE = 0.5  # the same after a whole step
PATIENCE = 64.0  # a polish between scans takes at most this times d / drop² duels (Lemma 3)
LEAST = 0.5  # duels a neighbour in a first look, times (Γ L s)², at least
HOPS, WIDE = 8, 2.0  # after so many whole steps in a row the step grows by this factor
STOP = 1.5  # the last polish ends at a drop of √(STOP d / duels left)
SHARE, FIRST_SHARE = 0.08, 0.5  # one between scans at this share of b_m; before the first scan
LAST_WORD = 0.4  # all z are scaled by this when nothing more can be learnt


@dataclass(frozen=True, slots=True)
class Polished:
    """A polish that has ended."""

    course: Course
    old: Arm
    rival: bool


def begin(
    course: Course,
    config: RaceConfig,
    *,
    step: float,
    rival_to: Arm | None = None,
    fresh: bool = False,
) -> Polish:
    """Return the polish of the course's arm, which may be a rival to the reference.

    Paper: in the place of Alg. 1, line 12.
    """
    course = replace(course, step=step, size=0 if fresh else course.size)
    patience = PATIENCE * config.dim / stop_drop(course, config) ** 2
    state = Polish(
        course=course,
        home=course.arm,
        room=course.duels + int(patience),
        wins=(),
        rival_to=rival_to,
    )
    return _opened(state, config)


def stop_drop(course: Course, config: RaceConfig) -> float:
    """Return the drop below which a smaller step does not pay.

    Paper: none; section 3 of docs/arc_race.md.
    """
    last = math.sqrt(STOP * config.dim / max(1, course.left))
    share = SHARE if course.done else FIRST_SHARE
    return last if course.final else max(last, share * config.resolution(course.round))


def block(state: Polish, config: RaceConfig) -> Block:
    """Return the duels of the next neighbour; of the reference itself if too few are left.

    Paper: in the place of Alg. 1, line 13.
    """
    add = _add(state, config)
    if add == 0:
        return Block(state.course.arm, 0.0, state.course.arm, state.course.left)
    side = sides(state.course, config)[state.side]
    return Block(neighbour(state.course, side), 0.0, state.course.arm, add)


def told(state: Polish, tally: Tally, config: RaceConfig) -> Polish | Polished:
    """Return what follows a neighbour's duels: the next neighbour, a look, or the end.

    Paper: in the place of Alg. 1, line 14.
    """
    add = _add(state, config)
    state = replace(state, course=replace(state.course, duels=state.course.duels + tally.n))
    if add == 0:
        return state
    found = sides(state.course, config)
    wins = list(state.wins)
    wins[found[state.side]] += tally.wins
    state = replace(state, add=add, wins=tuple(wins), side=state.side + 1)
    if state.side < len(found):
        return state
    return _look(replace(state, side=0, add=0, n=state.n + add), found, config)


def neighbour(course: Course, side: int) -> Arm:
    """Return X + s e_i for an even side 2 i, X - s e_i for an odd one. Paper: none."""
    point = list(course.arm)
    point[side // 2] += course.step if side % 2 == 0 else -course.step
    return snap(point)


def sides(course: Course, config: RaceConfig) -> list[int]:
    """Return the neighbours for which there is room in the box. Paper: none."""
    return [
        k
        for k in range(2 * config.dim)
        if abs(neighbour(course, k)[k // 2] - course.arm[k // 2]) >= course.step / 4
    ]


def _add(state: Polish, config: RaceConfig) -> int:
    """Return the duels of each neighbour in this look: as many again as there were."""
    if state.side:
        return state.add
    add = max(state.n or state.course.size, config.min_block)
    if config.horizon is None:
        return add
    return min(add, state.course.left // len(sides(state.course, config)))


def _opened(state: Polish, config: RaceConfig) -> Polish:
    """Return the state before the first look of a sweep."""
    course = state.course
    reach = min(0.5, config.slope_max * config.lipschitz * course.step)
    size = max(course.size, int(LEAST / reach**2))  # fewer could not see the steepest slope
    wins = (0.0,) * (2 * config.dim)
    return replace(state, course=replace(course, size=size), n=0, side=0, add=0, wins=wins)


def _look(state: Polish, found: list[int], config: RaceConfig) -> Polish | Polished:
    """Decide on what the sweep has shown so far."""
    course = state.course
    if not course.final and course.duels >= state.room:
        return _ended(state)
    sd = 0.5 / math.sqrt(state.n)
    lead = {k: state.wins[k] / state.n - 0.5 for k in found}
    drop, noise = -sum(lead.values()) / len(found), sd / math.sqrt(len(found))
    slope = [_slope(lead, i) for i in range(config.dim)]
    steep, first = math.hypot(*slope), max(found, key=lead.__getitem__)
    z = LAST_WORD if course.left < len(found) else 1.0  # nothing more can be learnt
    if lead[first] > z * Z_LEAD * sd and lead[first] > 1.5 * max(map(abs, slope)):
        return _hop(state, neighbour(course, first), config)  # X lies in a hollow
    if drop > z * Z_SETTLE * noise:
        return _shift(state, [g / (POWER * drop) for g in slope], drop, config)
    if steep > z * Z_MOVE * sd * math.sqrt((config.dim + 1) / 4):
        return _shift(state, [g / steep for g in slope], drop, config)
    if Z_SETTLE * noise < stop_drop(course, config):
        return _ended(state)  # flat, as far as the budget can tell
    return state


def _slope(lead: dict[int, float], i: int) -> float:
    up, down = lead.get(2 * i), lead.get(2 * i + 1)
    if up is None or down is None:  # at the wall: only away from it, and only if that is better
        return max(0.0, up or 0.0) - max(0.0, down or 0.0)
    return (up - down) / 2


def _shift(state: Polish, shift: list[float], drop: float, config: RaceConfig) -> Polish | Polished:
    """Move by ``shift`` steps a coordinate; shrink the step unless that was far, or end."""
    shift = [min(1.0, max(-1.0, u)) for u in shift]
    course = state.course
    target = [x + course.step * u for x, u in zip(course.arm, shift, strict=True)]
    state = _moved(state, target)
    if max(map(abs, shift)) > FAR:
        return _far(state, config)
    if drop <= stop_drop(course, config) or course.step * SHRINK < 64 / GRID:
        return _ended(state)
    smaller = replace(state.course, step=course.step * SHRINK, size=int(state.n * CARRY))
    return _opened(replace(state, course=smaller, hops=0), config)


def _far(state: Polish, config: RaceConfig) -> Polish:
    hops, step = state.hops + 1, state.course.step
    if hops >= HOPS:
        hops, step = 0, min(FIRST_STEP, step * WIDE)
    course = replace(state.course, step=step, size=int(state.n * CARRY_MOVE))
    return _opened(replace(state, course=course, hops=hops), config)


def _hop(state: Polish, target: Arm, config: RaceConfig) -> Polish:
    state = _moved(state, list(target))
    course = replace(state.course, size=int(state.n * CARRY_MOVE))
    return _opened(replace(state, course=course), config)


def _moved(state: Polish, target: list[float]) -> Polish:
    """Move X, but never further than 2 r_m from where this polish began (Lemma 3)."""
    reach = 2 * 2.0 ** (1 - state.course.round)
    near = [min(h + reach, max(h - reach, x)) for x, h in zip(target, state.home, strict=True)]
    return replace(state, course=replace(state.course, arm=snap(near)))


def _ended(state: Polish) -> Polished:
    rival = state.rival_to is not None
    return Polished(state.course, state.rival_to or state.home, rival)
