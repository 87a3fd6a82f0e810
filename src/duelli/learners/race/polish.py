"""Polish: improve the reference by sweeps of its neighbours, with a step that shrinks.

A sweep shows the slope and the drop along d directions: half the difference and half the sum of
what two opposite neighbours lose to X. The parabola through them says where the peak lies. The
curvature that a sweep has shown is kept as the shape of the next ones (`sweeps`).

Any reference is safe, so this part needs no guarantee of its own beyond its reach and its
patience (docs/arc_race.md, Lemma 3).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from duelli._arrays import Array
from duelli.blocks import Block, Step, Tally
from duelli.cubes import Arm
from duelli.learners.race.config import ARM_UNITS, RaceConfig, snap
from duelli.learners.race.evidence import noticed
from duelli.learners.race.states import Local, Memory, Polish
from duelli.learners.race.sweeps import Sweep, reshaped, sweep_of

# The guarantee needs PATIENCE and the reach of `_moved` (docs/arc_race.md, Lemma 3). The rest is
# tuned, and flat about these values (section 6).
FIRST_STEP = 0.3
MIN_STEP = 4096 / ARM_UNITS  # the shortest axis of a smaller one would hardly move on the grid
Z_SETTLE = 2.2  # sd at which the mean drop of the neighbours counts as known
Z_MOVE = 1.5  # sd at which the slope does
Z_LEAD = 1.5  # sd by which one neighbour must lead where the slope says nothing
LEAST_CURVED = 0.5  # a direction's drop, over the mean one, is at least this for the parabola
FAR = 0.6  # a shift beyond FAR steps does not shrink the step
SHRINK = 0.5
CARRY = 1.0  # duels per neighbour in the first look, over those of the last one of the sweep before
CARRY_MOVE = 0.5  # the same after a whole step
PATIENCE = 64.0  # a polish between scans takes at most this times d / drop² duels (Lemma 3)
RIVAL_SHARE = 0.25  # of the duels left, for the polish of a rival
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
    lead: float  # by how much the new arm should beat the old one
    old_local: Local | None  # what the sweeps about the old arm have shown


class Look(NamedTuple):
    """What a sweep has shown so far."""

    leads: dict[int, float]  # by how much each neighbour beats X
    slopes: Array  # along each direction
    drops: Array
    sd: float  # of a lead

    @property
    def drop(self) -> float:
        """The mean drop of all neighbours."""
        return float(self.drops.mean())

    @property
    def noise(self) -> float:
        """The standard deviation of the mean drop."""
        return self.sd / math.sqrt(len(self.leads))


def begin(
    memory: Memory,
    config: RaceConfig,
    *,
    step: float | None = None,
    rival_to: Arm | None = None,
    lead: float = 0.0,
    old_local: Local | None = None,
) -> Polish:
    """Return the polish of the memory's arm, which may be a rival to the reference.

    Args:
        memory: What is known; its reference is the arm to polish.
        config: The inputs.
        step: The first step about an arm of which no sweep has shown anything yet; None to go on
            with what the sweeps about it have shown.
        rival_to: The reference, if the arm is a rival that a scan has found.
        lead: By how much the rival has beaten the reference so far.
        old_local: What the sweeps about that reference have shown.
    """
    local = memory.local if step is None else Local(step=step)
    if local.step > _longest(memory):
        local = replace(local, step=_longest(memory))
    memory = replace(memory, local=local)
    patience = PATIENCE * config.dim / stop_drop(memory, config) ** 2
    if rival_to is not None:  # enough must be left to compare it with the reference
        patience = min(patience, RIVAL_SHARE * memory.left)
    state = Polish(
        memory=memory,
        home=memory.reference,
        deadline=memory.duels + int(patience),
        wins=(),
        rival_to=rival_to,
        lead=lead,
        old_local=old_local,
    )
    return _opened(state, local, config)


def stop_drop(memory: Memory, config: RaceConfig) -> float:
    """Return the drop below which a smaller step does not pay (docs/arc_race.md, section 3)."""
    stop = STOP if config.aim == "regret" else STOP_ANSWER
    last = math.sqrt(stop * config.dim / max(1, memory.left))
    share = SHARE if memory.done else FIRST_SHARE
    return last if memory.final else max(last, share * config.resolution(memory.round))


def step(state: Polish, config: RaceConfig) -> Step:
    """Return the next look at all neighbours; () if too few duels are left for one."""
    sweep, reference = sweep_of(state.memory), state.memory.reference
    around = sweep.sides()
    add = _add(state, len(around), config)
    if add == 0:
        return ()
    return tuple(Block.pair(sweep.neighbour(reference, k), reference, add) for k in around)


def advance(state: Polish, tallies: Sequence[Tally], config: RaceConfig) -> Polish | Polished:
    """Return what follows a look: another one, a move, or the end."""
    sweep, memory, wins = sweep_of(state.memory), state.memory, list(state.wins)
    for side, tally in zip(sweep.sides(), tallies, strict=True):
        wins[side] += tally.wins
        memory = noticed(memory, tally.witness, memory.reference, tally)
    memory = replace(memory, duels=memory.duels + sum(tally.n for tally in tallies))
    state = replace(state, memory=memory, wins=tuple(wins), n=state.n + tallies[0].n)
    return _decide(state, sweep, config)


def _add(state: Polish, around: int, config: RaceConfig) -> int:
    """Return the duels of each neighbour in this look: as many again as there were."""
    add = max(state.n or state.memory.local.size, config.min_block)
    return add if config.horizon is None else min(add, state.memory.left // around)


def _longest(memory: Memory) -> float:
    """Return the longest step that a polish may have (Lemma 3)."""
    return min(FIRST_STEP, 2 * 2.0 ** (1 - memory.round))


def _opened(state: Polish, local: Local, config: RaceConfig) -> Polish:
    """Return the state before the first look of a sweep."""
    reach = min(0.5, config.slope * local.step)
    size = max(local.size, int(LEAST / reach**2))  # fewer could not see the steepest slope
    local = replace(local, size=size, sweeps=local.sweeps + 1)
    memory = replace(state.memory, local=local)
    return replace(state, memory=memory, n=0, wins=(0.0,) * (2 * config.dim))


def _look(state: Polish, sweep: Sweep) -> Look:
    """Return slopes and drops; at a wall only a slope away from it counts."""
    leads = {k: state.wins[k] / state.n - 0.5 for k in sweep.sides()}
    slopes, drops = [], []
    for k, pin in enumerate(sweep.pinned):
        if pin:
            inward = leads[2 * k + (pin < 0)]
            slopes.append(pin * max(0.0, inward))
            drops.append(-inward)
        else:
            slopes.append((leads[2 * k] - leads[2 * k + 1]) / 2)
            drops.append(-(leads[2 * k] + leads[2 * k + 1]) / 2)
    return Look(leads, np.array(slopes), np.array(drops), 0.5 / math.sqrt(state.n))


def _decide(state: Polish, sweep: Sweep, config: RaceConfig) -> Polish | Polished:
    """Decide on what the sweep has shown so far."""
    memory = state.memory
    hurried = not memory.final or state.rival_to is not None
    if hurried and memory.duels >= state.deadline:
        return _ended(state)
    look = _look(state, sweep)
    leads, slopes, sd = look.leads, look.slopes, look.sd
    drop = look.drop
    steep, first = float(np.linalg.norm(slopes)), max(leads, key=leads.__getitem__)
    z = LAST_WORD if memory.left < len(leads) else 1.0  # nothing more can be learnt
    if drop > z * Z_SETTLE * look.noise:
        return _shift(state, sweep, look, drop, config)
    if leads[first] > max(z * Z_LEAD * sd, 1.5 * float(np.abs(slopes).max())):
        return _hop(state, sweep.neighbour(memory.reference, first), leads[first], config)
    if steep > z * Z_MOVE * sd * math.sqrt((config.dim + 1) / 4):
        # The slope is known and the drop is not, which therefore must not end the polish.
        state = _shifted(state, sweep, slopes / steep, max(0.0, steep - drop))
        return _far(state, memory.local, config)
    if Z_SETTLE * look.noise < stop_drop(memory, config):
        return _ended(state)  # flat, as far as the budget can tell
    return state


def _shift(
    state: Polish, sweep: Sweep, look: Look, drop: float, config: RaceConfig
) -> Polish | Polished:
    """Move to the peak of the parabola; shrink the step unless that was far, or end."""
    curved = np.maximum(look.drops, LEAST_CURVED * drop)
    shift = np.clip(look.slopes / (2 * curved), -1.0, 1.0)
    gain = float((look.slopes * shift - curved * shift**2).sum())
    state = _shifted(state, sweep, shift, max(0.0, gain))
    local = _reshaped(state, sweep, look)
    if float(np.abs(look.slopes / (2 * curved)).max()) > FAR:
        return _far(state, local, config)
    if drop <= stop_drop(state.memory, config) or local.step * SHRINK < MIN_STEP:
        return _ended(replace(state, memory=replace(state.memory, local=local)))
    smaller = replace(local, step=local.step * SHRINK)
    return _opened(replace(state, hops=0), smaller, config)


def _reshaped(state: Polish, sweep: Sweep, look: Look) -> Local:
    """Return what the sweep leaves to the next one."""
    local = state.memory.local
    shape, stretch = reshaped(local, sweep, look.drops, look.sd / math.sqrt(2))
    return replace(
        local,
        shape=shape,
        step=min(_longest(state.memory), local.step * stretch),
        size=int(state.n * CARRY),
    )


def _shifted(state: Polish, sweep: Sweep, shift: Array, gain: float) -> Polish:
    """Move by ``shift`` of each direction's length; at a wall go to it unless that is worse."""
    target = np.array(state.memory.reference) + sweep.moves @ shift
    for k, pin in enumerate(sweep.pinned):
        if pin and shift[k] == 0:
            target[k] = 0.0 if pin > 0 else 1.0
    return _moved(state, target.tolist(), gain)


def _far(state: Polish, local: Local, config: RaceConfig) -> Polish:
    hops, step = state.hops + 1, local.step
    if hops >= HOPS:
        hops, step = 0, min(_longest(state.memory), step * WIDE)
    local = replace(local, step=step, size=int(state.n * CARRY_MOVE))
    return _opened(replace(state, hops=hops), local, config)


def _hop(state: Polish, target: Arm, gain: float, config: RaceConfig) -> Polish:
    """Go to a neighbour that leads although the slope is flat: X lies in a hollow."""
    state = _moved(state, list(target), gain)
    local = replace(state.memory.local, size=int(state.n * CARRY_MOVE))
    return _opened(state, local, config)


def _moved(state: Polish, target: list[float], gain: float) -> Polish:
    """Move X, but never further than 2 r_m from where this polish began (Lemma 3)."""
    reach = 2 * 2.0 ** (1 - state.memory.round)
    near = [min(h + reach, max(h - reach, x)) for x, h in zip(target, state.home, strict=True)]
    memory = replace(state.memory, reference=snap(near))
    return replace(state, memory=memory, lead=min(0.5, state.lead + gain))


def _ended(state: Polish) -> Polished:
    rival = state.rival_to is not None
    old = state.rival_to or state.home
    return Polished(state.memory, old, rival, state.lead, state.old_local)
