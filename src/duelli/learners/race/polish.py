"""Polish: follow the peak near the reference with many small sweeps and a step that shrinks.

A sweep shows the slope and the drop along d directions: half the difference and half the sum of
what two opposite neighbours lose to X. No sweep decides anything alone: each moves X a part of the
way to where the slopes and the drop D put the peak, and X takes along what is known (`Local`). It
is a filter of Kalman's kind for the place of the peak, with the step in the place of the standard
deviation: a sweep that adds the share φ to what is known of the place shrinks the step by about
√(1 + φ). Slopes that are larger than they should be, or keep their direction, say that the peak is
further away than thought, and the step shrinks less or grows.

The drop D is what is aimed at: it falls as the place becomes known, and every direction is made as
long as it must be to show it. So a flat bowl is searched with long steps, which show more.

Any reference is safe, so this part needs no guarantee of its own beyond its reach and its
patience (docs/arc_race.md, Lemma 3).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from duelli._arrays import Array
from duelli.blocks import Step, Tally
from duelli.cubes import Arm
from duelli.learners.race import looks
from duelli.learners.race.config import ARM_UNITS, RaceConfig, snap
from duelli.learners.race.evidence import noticed
from duelli.learners.race.looks import Look
from duelli.learners.race.states import Local, Memory, Polish
from duelli.learners.race.sweeps import Sweep, half_axis, reshaped, sweep_of

# The guarantee needs PATIENCE, `_moved`, `_longest` and `_size` (docs/arc_race.md, Lemma 3).
# The rest is tuned, and flat about these values (section 6).
FIRST_STEP = 0.3
MIN_STEP = 4096 / ARM_UNITS  # the shortest axis of a smaller one would hardly move on the grid
FIRST_DROP = 0.5  # the drop that is expected at first, over the most that Γ L allows
MIN_DROP = 2.0**-40  # no number of duels would show a smaller one
# What is asked.
SPREAD = 2.9  # the step, over the standard deviation of the place of the peak
SHARE_NEW = 0.24  # φ: what a sweep adds to the information about the place, over what there was
LEAST_NEW = 0.01  # a sweep has at least this share of the duels of the polish so far
# How X moves.
GAIN = 1.2  # how far X goes, over what the filter says
Z_LEAD, Z_HOLLOW = 2.0, 1.4  # sd by which one neighbour leads, and both together, for a hop
# What is learnt.
MOST_RATIO = 5.0  # of a sweep's drop to the expected one
OWN_DROP = 0.4  # how much of what is known of the place depends on the sweep's own drop
Z_STEEP, Z_CLEAR = 1.7, 4.0  # sd beyond chance of a clear slope; sd of a clear lead
STEEP = 0.4  # the drop, over a clear slope or lead, is at least this
RATE = 0.6  # the step shrinks like the standard deviation of the place to this power
SURPRISE = 0.07  # how much slopes larger than expected make the squared step grow
PERSIST, FADE = 0.667, 0.365  # the same for slopes that keep their direction; their running mean
MOST_NORMAL = 4.0  # a slope of more standard deviations counts as this for the step
SETTLED = 12  # sweeps until the shape fits
AS_CONE = 3.0  # how much smaller the drop must be, in logarithms, to say as much as the first guess
LEAST_LOWER, LEAST_SHORTER, MOST_POWER = 0.5, 0.1, 2.2  # limits of what tells the power
LEAST_SHRINK, MOST_GROWTH = 0.45, 1.6  # of the step by one sweep
DIGITS = 4  # of the trend
# When it ends.
PATIENCE = 64.0  # a polish between scans takes at most this times d / drop² duels (Lemma 3)
RIVAL_SHARE = 0.25  # of the duels left, for the polish of a rival
STOP = 1.8  # the last polish ends at a drop of √(STOP d / duels left)
STOP_ANSWER = 0.1  # the same where regret does not count: as fine as those duels can tell
SHARE, FIRST_SHARE = 0.08, 0.1  # one between scans at this share of b_m; before the first scan
QUIET, LOUD = 0.5, 0.5  # mean square of a trend that is none; with one it ends at this share


@dataclass(frozen=True, slots=True)
class Polished:
    """A polish that has ended."""

    memory: Memory
    old: Arm
    rival: bool
    lead: float  # by how much the new arm should beat the old one
    spent: int  # the duels of the polish
    old_local: Local | None  # what the sweeps about the old arm have shown


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
    local = _resized(local, min(local.step, _longest(memory)), config)
    memory = replace(memory, local=local)
    patience = PATIENCE * config.dim / stop_drop(memory, config) ** 2
    if rival_to is not None:  # enough must be left to compare it with the reference
        patience = min(patience, RIVAL_SHARE * memory.left)
    return Polish(
        memory=memory,
        home=memory.reference,
        start=memory.duels,
        deadline=memory.duels + int(patience),
        rival_to=rival_to,
        lead=lead,
        old_local=old_local,
    )


def stop_drop(memory: Memory, config: RaceConfig) -> float:
    """Return the drop below which a smaller step does not pay (docs/arc_race.md, section 3)."""
    stop = STOP if config.aim == "regret" else STOP_ANSWER
    last = math.sqrt(stop * config.dim / max(1, memory.left))
    share = SHARE if memory.done else FIRST_SHARE
    return last if memory.final else max(last, share * config.resolution(memory.round))


def _longest(memory: Memory) -> float:
    """Return the longest step that a polish may have (Lemma 3)."""
    return min(FIRST_STEP, 2 * 2.0 ** (1 - memory.round))


def _resized(local: Local, step: float, config: RaceConfig) -> Local:
    """Return what is known for another step."""
    most = min(0.5, config.slope * step)
    ratio = (step / local.step) ** _power(local, config.dim)
    drop = local.drop * ratio if local.drop else FIRST_DROP * most
    return replace(local, step=step, drop=max(MIN_DROP, min(drop, most)))


def _power(local: Local, dim: int) -> float:
    """Return p, if the drop grows like the step to the power p: 1 on a cone, 2 on a bowl.

    It is what the drops and the half-axes since the first sweeps show, and a cone at first.
    """
    if not local.settled:
        return 1.0
    size, drop = local.settled
    lower, shorter = math.log(drop / local.drop), math.log(size / half_axis(local, dim))
    if lower < LEAST_LOWER:
        return 1.0
    return min(MOST_POWER, max(1.0, (AS_CONE + lower) / max(LEAST_SHORTER, AS_CONE + shorter)))


def step(state: Polish, config: RaceConfig) -> Step:
    """Return the next sweep; () if too few duels are left for one."""
    sweep, x = sweep_of(state.memory), state.memory.reference
    n = _size(state, sum(looks.shares(sweep)), config)
    return looks.blocks(sweep, x, n) if n else ()


def _size(state: Polish, shares: int, config: RaceConfig) -> int:
    """Return the duels of each neighbour with X."""
    memory, finest = state.memory, LOUD * SHARE * config.resolution(state.memory.round)
    most = max(_enough(finest), memory.duels / shares)  # Lemma 3
    least = LEAST_NEW * (memory.duels - state.start) / shares
    n = max(config.min_block, int(max(min(_enough(memory.local.drop), most), least)))
    return n if config.horizon is None else min(n, memory.left // shares)


def _enough(drop: float) -> float:
    """Return the duels of each neighbour with X that add SHARE_NEW to what is known."""
    return SHARE_NEW * (SPREAD / drop) ** 2 / looks.PRECISION


def advance(state: Polish, tallies: Sequence[Tally], config: RaceConfig) -> Polish | Polished:
    """Return what follows a sweep: another one, or the end."""
    sweep, memory = sweep_of(state.memory), state.memory
    for block, tally in zip(step(state, config), tallies, strict=True):
        memory = noticed(memory, tally.witness, block.reference, tally)
    memory = replace(memory, duels=memory.duels + sum(tally.n for tally in tallies))
    look = looks.seen(sweep, tallies)
    state = _followed(replace(state, memory=memory), sweep, look, config)
    memory = state.memory
    hurried = not memory.final or state.rival_to is not None
    late = hurried and memory.duels >= state.deadline
    if late or _done(memory, look, config):
        rival = state.rival_to is not None
        old = state.rival_to or state.home
        spent = memory.duels - state.start
        return Polished(memory, old, rival, state.lead, spent, state.old_local)
    return state


def _done(memory: Memory, look: Look, config: RaceConfig) -> bool:
    """Tell whether a smaller step does not pay; less soon where X does not look like a peak."""
    local = memory.local
    aimless = sum(entry**2 for entry in local.trend) <= QUIET * config.dim
    share = 1.0 if aimless and look.drops.mean() >= 0 else LOUD
    return local.drop <= share * stop_drop(memory, config) or local.step <= MIN_STEP


def _followed(state: Polish, sweep: Sweep, look: Look, config: RaceConfig) -> Polish:
    """Move X towards the peak, and learn the drop, the shape and the step."""
    local = state.memory.local
    place = (local.drop / SPREAD) ** 2  # the variance of a slope because the peak is not at X
    share = place * look.precision
    drop = _drop(local, look)
    target, gain = _target(state.memory.reference, sweep, look, drop, share / (1 + share))
    state, held = _moved(state, target, gain)
    # Slopes are no news where X cannot follow them: at a wall, and at the end of its reach.
    news = (np.array(sweep.pinned) == 0) * look.slopes * (not held)
    normal = sweep.frame @ (news / math.sqrt(1 / look.precision + place))
    growth, trend = _growth(
        local,
        np.clip(normal, -MOST_NORMAL, MOST_NORMAL),
        known=RATE * math.log1p(share) * _ratio(local, look),
        free=max(1, len(sweep.pairs())),
    )
    drop = local.drop if held else drop
    shape, stretch = reshaped(local, sweep, (look.drops - local.drop) / drop)
    learnt = _resized(replace(local, drop=drop), local.step * growth, config)
    longer = learnt.step * stretch  # which leaves D as it is
    learnt = replace(learnt, step=longer, shape=shape, trend=trend, sweeps=local.sweeps + 1)
    longer = max(MIN_STEP, min(_longest(state.memory), longer))
    learnt = _settled(_resized(learnt, longer, config), config)
    return replace(state, memory=replace(state.memory, local=learnt))


def _settled(local: Local, config: RaceConfig) -> Local:
    """Keep the mean half-axis and D after the first sweeps, for `_power`."""
    if local.sweeps != SETTLED:
        return local
    return replace(local, settled=(half_axis(local, config.dim), local.drop))


def _target(
    x: Arm, sweep: Sweep, look: Look, drop: float, part: float
) -> tuple[list[float], float]:
    """Return where X should go, ``part`` of the way to the peak, and what that should gain."""
    if _hollow(look, sweep):
        return list(sweep.neighbour(x, look.first)), look.lead
    shift = GAIN * part * look.slopes / drop
    shift /= max(1.0, float(np.linalg.norm(shift)))  # no further than one step
    target = np.array(x) + sweep.moves @ shift
    for k, pin in enumerate(sweep.pinned):
        if pin and shift[k] == 0:  # go to the wall unless that is worse
            target[k] = 0.0 if pin > 0 else 1.0
    return target.tolist(), drop * float(shift @ shift)


def _hollow(look: Look, sweep: Sweep) -> bool:
    """Tell whether a neighbour clearly leads although the slope does not explain it."""
    k = look.first // 2
    both = sweep.pinned[k] != 0 or look.drops[k] < -Z_HOLLOW * look.sd
    return both and look.lead > max(Z_LEAD * look.sd, 1.5 * float(np.abs(look.slopes).max()))


def _ratio(local: Local, look: Look) -> float:
    """Return how much a sweep tells of the place of the peak, over what was expected.

    With less of a drop it tells less, and D falls more slowly; but one sweep shows a drop badly.
    """
    ratio = float(look.drops.mean()) / local.drop
    return 1 - OWN_DROP + OWN_DROP * min(MOST_RATIO, max(-MOST_RATIO, ratio))


def _drop(local: Local, look: Look) -> float:
    """Return the drop; a clear slope or lead shows that a smaller one is no measure of the step."""
    drop, steep = local.drop, float(np.linalg.norm(look.slopes))
    if steep > (Z_STEEP + math.sqrt(len(look.slopes))) / math.sqrt(look.precision):
        drop = max(drop, STEEP * steep)
    if look.lead > Z_CLEAR * look.sd:
        drop = max(drop, STEEP * look.lead)
    return drop


def _growth(
    local: Local, normal: Array, known: float, free: int
) -> tuple[float, tuple[float, ...]]:
    """Return by how much the step grows, and the trend of the slopes.

    Args:
        local: What is known.
        normal: The slopes over their standard deviations.
        known: By how much the log of the variance of the place has fallen.
        free: The number of directions that are not at a wall.
    """
    trend = np.array(local.trend or (0.0,) * len(normal))
    surprise = float(normal @ normal) / free - 1
    persistence = float(normal @ trend) / free
    square = (1 + SURPRISE * surprise + PERSIST * persistence) * math.exp(-known)
    growth = math.sqrt(min(MOST_GROWTH**2, max(LEAST_SHRINK**2, square)))
    trend = (1 - FADE) * trend + FADE * normal
    return growth, tuple(np.round(trend, DIGITS).tolist())


def _moved(state: Polish, target: list[float], gain: float) -> tuple[Polish, bool]:
    """Move X, but never further than 2 r_m from where this polish began (Lemma 3).

    The second value tells whether that held it back.
    """
    reach = 2 * 2.0 ** (1 - state.memory.round)
    near = [min(h + reach, max(h - reach, x)) for x, h in zip(target, state.home, strict=True)]
    memory = replace(state.memory, reference=snap(near))
    return replace(state, memory=memory, lead=min(0.5, state.lead + gain)), near != target
