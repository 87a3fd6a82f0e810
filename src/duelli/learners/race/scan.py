"""Scan: one round of the paper's depth-first walk, its cubes raced against the reference.

A cube above the last depths is eliminated only on the evidence of Lemma 1; the cells of the last
depth are merely ranked, and visited again in the next round.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from duelli import cubes
from duelli.blocks import Block, Tally
from duelli.cubes import Arm, Path
from duelli.learners.race.config import CERTIFICATE_SHARE, RaceConfig, snap
from duelli.learners.race.evidence import log_evidence, noticed
from duelli.learners.race.states import Memory, Scan

# Each constant has its place in docs/arc_race.md.
CAP_WIDTH = 1.0  # statistical half-width at the cap of a test, over the bias (Lemma 5)
UNTESTED = 1  # depths just above the last that are not tested (section 1)
Z_ACCEPT = 1.0  # sd at which a cube that will survive is accepted (Lemma 5)
Z_LAST = 1.5  # sd at which a cell of the last depth is passed over (Lemma 4)
LAST_WIDTH = 0.3  # Z_LAST sd at the cap of the last depth, over b_m (Lemma 4)
LAST_SPAN = 1024  # the cap of the last depth over its first look (Lemma 4)
LAST_LOOKS = 12  # looks that a cell of the last depth has at most, as the looks double (Lemma 4)
NUM_ALTERNATIVES = 5  # alternatives of the test: κ b, 2 κ b, 4 κ b, ... (Lemma 1)
MIN_TESTABLE_RATE = 0.02  # a win rate too small to be tested: nothing is below it (Lemma 1)


@dataclass(frozen=True, slots=True)
class Scanned:
    """A round that has ended: completed, or given up."""

    memory: Memory
    best: Arm | None
    best_gap: float
    completed: bool


def begin(
    memory: Memory, config: RaceConfig, *, deeper: int, cost_limit: float | None
) -> Scan | Scanned:
    """Return the first cube of a round that is ``deeper`` by so many depths than the last.

    Paper: Alg. 1, lines 6-9.
    """
    alive = memory.alive
    memory = replace(memory, round=memory.round + deeper, begun=memory.begun + 1, alive=0)
    memory = _level_spent(memory, config)
    share = memory.left // 3 if config.has("must_pay") else memory.left
    state = Scan(
        memory=memory,
        deadline=memory.duels + share,
        cost_limit=cost_limit,
        deeper=deeper,
        alive_before=alive,
    )
    return _enter(state, (), config)


def tested_depths(m: int, config: RaceConfig) -> int:
    """Return the number of depths at which a round of depth ``m`` may eliminate cubes.

    The root is entered unasked, as its middle is near to any reference.
    """
    return sum(_null(h, config) > MIN_TESTABLE_RATE for h in range(2, m - UNTESTED))


def _level_spent(memory: Memory, config: RaceConfig) -> Memory:
    """Return the memory with the level that the tests of this round may use up (Lemma 1)."""
    depths = tested_depths(memory.round, config)
    if not depths:
        return memory
    memory = replace(memory, tests=memory.tests + 1)
    level = depths * math.exp(-log_threshold(memory, config))
    return replace(memory, spent=min(1.0, memory.spent + level))


def block(state: Scan, config: RaceConfig) -> Block:
    """Return the next look at the cube: as many duels again as it had, up to its cap.

    Paper: Alg. 2, line 4; with the centre for uniform arms.
    """
    h = len(state.path) + 1
    n = max(
        config.min_block, min(_look_size(state, h, config), cap(state.memory, h, config) - state.n)
    )
    n = n if config.horizon is None else min(n, state.memory.left)
    if config.has("centre"):
        return Block.pair(centre(state.path, config.dim), state.memory.reference, n)
    low = cubes.low(state.path, config.dim)
    return Block(low, cubes.edge(state.path), state.memory.reference, n)


def _look_size(state: Scan, h: int, config: RaceConfig) -> int:
    if state.n:
        return state.n
    if h == state.memory.round:
        return int(max(4 * Z_LAST**2, cap(state.memory, h, config) / LAST_SPAN))
    if config.has("cheap_accept"):
        return int(1 / (4 * config.bias(h)) ** 2)
    return int(cap(state.memory, h, config) / 64)


def advance(state: Scan, tally: Tally, config: RaceConfig) -> Scan | Scanned:
    """Return what follows a look: another, a child, the next cube, or the end of the round.

    Paper: Alg. 2, lines 5-16.
    """
    memory = replace(state.memory, duels=state.memory.duels + tally.n)
    if config.has("centre"):
        memory = noticed(memory, tally.witness, memory.reference, tally)
    cost = state.cost + tally.n / 2 - tally.wins
    state = replace(
        state, memory=memory, n=state.n + tally.n, wins=state.wins + tally.wins, cost=cost
    )
    h = len(state.path) + 1
    gap, sd = state.wins / state.n - 0.5, 0.5 / math.sqrt(state.n)  # Eq. (2)
    if h == memory.round:
        return _rank(state, gap, sd, config)
    null = _null(h, config)
    if log_evidence(state.n, state.wins, null, _gaps(h, config)) >= log_threshold(memory, config):
        return _leave(state, config)  # eliminated
    survives = gap - Z_ACCEPT * sd > null - 0.5 - CAP_WIDTH * config.bias(h)
    if state.n >= cap(memory, h, config) or (config.has("cheap_accept") and survives):
        return _enter(state, (*state.path, _order(state, state.path, config)[0]), config)
    return state


def log_threshold(memory: Memory, config: RaceConfig) -> float:
    """Return log(1/α): δ shared among the rounds that test and the depths of each (Lemma 1).

    The paper has log(T/δ) instead.
    """
    share = (1 - CERTIFICATE_SHARE) * config.failure_prob
    if not config.has("one_chain"):
        return config.caution * math.log(memory.horizon_now / share)
    i, depths = max(1, memory.tests), max(1, tested_depths(memory.round, config))
    return config.caution * math.log(i * (i + 1) * depths / share)


def cap(memory: Memory, h: int, config: RaceConfig) -> int:
    """Return the duels after which a cube at depth ``h`` is not looked at any more.

    It is what n_h is to the paper.
    """
    if h == memory.round:
        width = 2 * LAST_WIDTH * config.resolution(h)
        return max(config.min_block, int((_z_last(memory, config) / width) ** 2))
    width = CAP_WIDTH * config.bias(h)
    return max(
        config.min_block,
        int((log_threshold(memory, config) + math.log(NUM_ALTERNATIVES)) / (2 * width**2)),
    )


def centre(path: Path, dim: int) -> Arm:
    """Return the middle of the cube at ``path``; the paper samples uniformly instead."""
    half = cubes.edge(path) / 2
    return tuple(a + half for a in cubes.low(path, dim))


def _null(h: int, config: RaceConfig) -> float:
    """Return the win rate that the centre of x*'s cube has at least: 1/2 - b_h (Lemma 1)."""
    return 0.5 - config.bias(h) * (1 if config.has("any_reference") else 2)


def _gaps(h: int, config: RaceConfig) -> tuple[float, ...]:
    null, first = _null(h, config), CAP_WIDTH * config.bias(h)
    doubled = (first * 2**j for j in range(NUM_ALTERNATIVES))
    return tuple(g for g in doubled if g < null - 0.01) or (null / 2,)


def _z_last(memory: Memory, config: RaceConfig) -> float:
    return Z_LAST if config.has("cheap_last") else math.sqrt(2 * log_threshold(memory, config))


def _enter(state: Scan, path: Path | None, config: RaceConfig) -> Scan | Scanned:
    """Visit the cube at ``path``, or what comes after it if there is nothing to ask about it."""
    m, alive = state.memory.round, state.memory.alive
    while path is not None:
        h, near = len(path) + 1, _is_near(state, path)
        tested = h < m - UNTESTED and not near and _null(h, config) > MIN_TESTABLE_RATE
        if h == m:
            state = _reached(state, path)
        if tested or (h == m and not near):
            memory = replace(state.memory, alive=alive)
            return replace(state, memory=memory, path=path, n=0, wins=0.0)
        if h == m:  # the polish looks after it
            alive += 1
            path = _after(state, path, config)
        else:
            path = (*path, _order(state, path, config)[0])
    done = replace(state, memory=replace(state.memory, alive=alive))
    return _ended(done, config, completed=True)


def _reached(state: Scan, path: Path) -> Scan:
    """Widen the box of cells that no elimination kept away (Lemma 2)."""
    size, low = cubes.edge(path), cubes.low(path, len(state.memory.reference))
    high = tuple(a + size for a in low)
    if state.seen_low is not None and state.seen_high is not None:
        low = tuple(map(min, low, state.seen_low))
        high = tuple(map(max, high, state.seen_high))
    return replace(state, seen_low=low, seen_high=high)


def _is_near(state: Scan, path: Path) -> bool:
    """Tell whether the Lipschitz constant keeps the cube from ever being eliminated."""
    middle = centre(path, len(state.memory.reference))
    away = max(abs(a - b) for a, b in zip(middle, state.memory.reference, strict=True))
    return away <= (1 + CAP_WIDTH) / 2 * cubes.edge(path)


def _leave(state: Scan, config: RaceConfig) -> Scan | Scanned:
    too_costly = state.cost_limit is not None and state.cost > state.cost_limit
    if too_costly or state.memory.duels > state.deadline:
        return _ended(state, config, completed=False)
    return _enter(state, _after(state, state.path, config), config)


def _after(state: Scan, path: Path, config: RaceConfig) -> Path | None:
    def next_child(parent: Path, child: int) -> int | None:
        order = _order(state, parent, config)
        place = order.index(child) + 1
        return order[place] if place < len(order) else None

    return cubes.successor(path, next_child)


def _order(state: Scan, parent: Path, config: RaceConfig) -> Sequence[int]:
    """Return the children of a cube, nearest to the reference first."""
    if config.has("nearest"):
        return _nearest_first(parent, state.memory.reference)
    return range(2**config.dim)


@lru_cache(maxsize=64)  # the walk asks again for every cube above the one that it is in
def _nearest_first(parent: Path, reference: Arm) -> tuple[int, ...]:
    dim = len(reference)
    away = [math.dist(centre((*parent, c), dim), reference) for c in range(2**dim)]
    return tuple(sorted(range(2**dim), key=away.__getitem__))


def _rank(state: Scan, gap: float, sd: float, config: RaceConfig) -> Scan | Scanned:
    """Keep the best cell of the last depth; count those that the next round will have to enter."""
    memory, h = state.memory, len(state.path) + 1
    width = config.resolution(h)
    bound = gap + math.sqrt(_certificate(memory, config)[1] / (2 * state.n))  # Hoeffding
    if gap + _z_last(memory, config) * sd < max(0.0, state.best_gap):
        alive = gap > -(1 + CAP_WIDTH) * width
        return _leave(_counted(state, alive, bound), config)
    leads = gap > 2 * sd and gap - sd > state.best_gap and sd < width / 2
    if state.n < cap(memory, h, config) and not leads:
        return state
    if gap > state.best_gap:
        state = replace(state, best=snap(centre(state.path, config.dim)), best_gap=gap)
    return _leave(_counted(state, True, bound), config)


def _counted(state: Scan, alive: bool, bound: float) -> Scan:
    memory = replace(state.memory, alive=state.memory.alive + alive)
    return replace(state, memory=memory, upper=max(state.upper, bound))


def _certificate(memory: Memory, config: RaceConfig) -> tuple[float, float]:
    """Return the level of this round's certificate, and log(1/α) for one look at one cell."""
    i = memory.done + 1
    level = CERTIFICATE_SHARE * config.failure_prob / (i * (i + 1))
    return level, math.log(LAST_LOOKS / level)


def _ended(state: Scan, config: RaceConfig, *, completed: bool) -> Scanned:
    memory = state.memory
    if not completed:  # it will be tried again, with what it has cost in mind
        memory = replace(
            memory,
            round=memory.round - state.deeper,
            alive=state.alive_before,
            cost=max(state.cost, memory.cost),
        )
        return Scanned(memory, state.best, state.best_gap, completed)
    memory = _certified(_boxed(memory, state), state, config)
    memory = replace(memory, cost=max(state.cost, memory.cost), done=memory.done + 1)
    return Scanned(memory, state.best, state.best_gap, completed)


def _boxed(memory: Memory, state: Scan) -> Memory:
    """Return the memory with the box of all rounds so far; x* lies in each (Lemma 2)."""
    if state.seen_low is None or state.seen_high is None:
        return memory
    low = tuple(map(max, state.seen_low, memory.low))
    high = tuple(map(min, state.seen_high, memory.high))
    if any(a > b for a, b in zip(low, high, strict=True)):
        return replace(memory, refuted=True)
    return replace(memory, low=low, high=high)


def _certified(memory: Memory, state: Scan, config: RaceConfig) -> Memory:
    """Return the memory with the best bound on a gap, from one chain of cells (Lemma 2)."""
    level, _ = _certificate(memory, config)
    memory = replace(memory, spent=min(1.0, memory.spent + level))
    b = config.bias(memory.round)
    bound = min(0.5, max(3 * b, b + state.upper))
    if bound > gap_bound(memory, memory.reference, config):
        return memory
    return replace(memory, anchor=memory.reference, certified=bound)


def gap_bound(memory: Memory, arm: Arm, config: RaceConfig) -> float:
    """Return the largest Δ(x*, arm) that the rounds so far allow (Lemma 2)."""
    corners = zip(memory.low, memory.high, arm, strict=True)
    hull = config.slope * max(max(high - x, x - low) for low, high, x in corners)
    if memory.anchor is None:
        return min(0.5, hull)
    away = max(abs(a - b) for a, b in zip(arm, memory.anchor, strict=True))
    return min(0.5, hull, memory.certified + config.slope * away)
