"""Scan: one round of the paper's depth-first walk, its cubes raced against the reference.

A cube above the last depths is eliminated only on the evidence of Lemma 1; the cells of the last
depth are merely ranked, and visited again in the next round.
"""

import math
from dataclasses import dataclass, replace

from duelli import cubes
from duelli.blocks import Block, Tally
from duelli.cubes import Arm, Path
from duelli.learners.race.config import RaceConfig, snap
from duelli.learners.race.evidence import log_evidence
from duelli.learners.race.states import Memory, Scan

# Each constant has its place in docs/arc_race.md.
CAP_WIDTH = 1.0  # statistical half-width at the cap of a test, over the bias (Lemma 5)
UNTESTED = 1  # depths just above the last that are not tested (section 1)
Z_ACCEPT = 1.0  # sd at which a cube that will survive is accepted (Lemma 5)
Z_LAST = 2.0  # sd at which a cell of the last depth is passed over (Lemma 4)
LAST_WIDTH = 0.5  # Z_LAST sd at the cap of the last depth, over b_m (Lemma 4)
LAST_SPAN = 1024  # the cap of the last depth over its first look: 11 looks (Lemma 4)
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
    memory = replace(memory, round=memory.round + deeper, begun=memory.begun + 1, alive=0)
    share = memory.left // 3 if config.has("must_pay") else memory.left
    return _enter(
        Scan(memory=memory, deadline=memory.duels + share, cost_limit=cost_limit), (), config
    )


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
    """Return log(1/α): δ shared among the rounds begun and the depths of each (Lemma 1).

    The paper has log(T/δ) instead.
    """
    if not config.has("one_chain"):
        return config.caution * math.log(memory.horizon_now / config.failure_prob)
    i, depths = memory.begun, max(1, memory.round - 1 - UNTESTED)
    return config.caution * math.log(i * (i + 1) * depths / config.failure_prob)


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
    return _ended(replace(state, memory=replace(state.memory, alive=alive)), completed=True)


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
        return _ended(state, completed=False)
    return _enter(state, _after(state, state.path, config), config)


def _after(state: Scan, path: Path, config: RaceConfig) -> Path | None:
    def next_child(parent: Path, child: int) -> int | None:
        order = _order(state, parent, config)
        place = order.index(child) + 1
        return order[place] if place < len(order) else None

    return cubes.successor(path, next_child)


def _order(state: Scan, parent: Path, config: RaceConfig) -> list[int]:
    """Return the children of a cube, nearest to the reference first."""
    children = list(range(2**config.dim))
    if config.has("nearest"):
        children.sort(
            key=lambda c: math.dist(centre((*parent, c), config.dim), state.memory.reference)
        )
    return children


def _rank(state: Scan, gap: float, sd: float, config: RaceConfig) -> Scan | Scanned:
    """Keep the best cell of the last depth; count those that the next round will have to enter."""
    memory, h = state.memory, len(state.path) + 1
    width = config.resolution(h)
    if gap + _z_last(memory, config) * sd < max(0.0, state.best_gap):
        return _leave(_counted(state, gap > -(1 + CAP_WIDTH) * width), config)
    leads = gap > 2 * sd and gap - sd > state.best_gap and sd < width / 2
    if state.n < cap(memory, h, config) and not leads:
        return state
    if gap > state.best_gap:
        state = replace(state, best=snap(centre(state.path, config.dim)), best_gap=gap)
    return _leave(_counted(state, True), config)


def _counted(state: Scan, alive: bool) -> Scan:
    return replace(state, memory=replace(state.memory, alive=state.memory.alive + alive))


def _ended(state: Scan, *, completed: bool) -> Scanned:
    memory = state.memory
    if completed:
        memory = replace(memory, cost=max(state.cost, memory.cost), done=memory.done + 1)
        if state.seen_low is not None and state.seen_high is not None:
            low = tuple(map(max, state.seen_low, memory.low))  # x* lies in both boxes (Lemma 2)
            high = tuple(map(min, state.seen_high, memory.high))
            memory = replace(memory, low=low, high=high)
    return Scanned(memory, state.best, state.best_gap, completed)
