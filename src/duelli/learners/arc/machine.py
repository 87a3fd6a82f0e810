"""Algorithms 1 and 2 as a state machine: one way from each state to the next.

The recursion of Algorithm 2 is a depth-first walk, so its call stack is one tuple of child
numbers.
"""

from dataclasses import replace

from duelli import _rng
from duelli.blocks import Block, Tally
from duelli.cubes import Arm, Path, edge, low, successor
from duelli.learners.arc.config import ArcConfig
from duelli.learners.arc.states import Anchor, Best, Cleanup, Explore, State


def initial(config: ArcConfig) -> State:
    """Return the state before the first duel.

    Paper: Alg. 1, line 4.
    """
    start = config.start
    if start is None:
        key = _rng.key(config.seed, "learner")
        start = tuple(_rng.unit(key, i) for i in range(config.dim))
    return _open_round(0, 1, start, 0.0, config)


def next_block(state: State, config: ArcConfig) -> Block | None:
    """Return the block that ``state`` calls for; None once the horizon is used up.

    Paper: Alg. 1, lines 13 and 20; Alg. 2, line 4.
    """
    match state:
        case Explore():
            n = config.block_size(len(state.path) + 1)
            return Block(low(state.path, config.dim), edge(state.path), state.reference, n)
        case Anchor(best=best):
            n = config.block_size(state.round)
            return Block(low(best.path, config.dim), edge(best.path), best.arm, n)
        case Cleanup(reference=reference):
            left = config.horizon - state.duels
            return Block.rest(reference, left) if left else None


def advance(state: State, tally: Tally, config: ArcConfig) -> State:
    """Return the state that follows once the block of `next_block` came back as ``tally``.

    Paper: Alg. 1, lines 5-20; Alg. 2.
    """
    duels = state.duels + tally.n
    gap = tally.wins / tally.n - 0.5  # Eq. (2)
    match state:
        case Explore():
            return _explore(state, duels, gap, tally.witness, config)
        case Anchor(best=best):
            return _open_round(duels, state.round + 1, best.arm, gap, config)
        case Cleanup():
            return replace(state, duels=duels)


def _open_round(
    duels: int, round_: int, reference: Arm, benchmark: float, config: ArcConfig
) -> State:
    last = config.last_round()
    if (last is not None and round_ > last) or not _fits(duels, 1, config):
        return Cleanup(duels=duels, round=round_, reference=reference)
    return Explore(duels=duels, round=round_, reference=reference, benchmark=benchmark)


def _explore(state: Explore, duels: int, gap: float, witness: Arm, config: ArcConfig) -> State:
    h, best = len(state.path) + 1, state.best
    if h == state.round:
        if best is None or gap > best.gap:  # Alg. 2, line 8; F5: the first one wins
            best = Best(path=state.path, gap=gap, arm=witness)  # F4
        return _leave(state, duels, best, config)
    if state.benchmark - gap <= config.margin(h):  # Alg. 2, line 12
        child = config.next_child(state.round, state.path, None)
        assert child is not None  # every cube has a first child
        return _visit(state, duels, best, (*state.path, child), config)
    return _leave(state, duels, best, config)


def _leave(state: Explore, duels: int, best: Best | None, config: ArcConfig) -> State:
    """Go on to the cube after all that lies below this one; after the last, close the scan."""
    following = successor(state.path, lambda p, c: config.next_child(state.round, p, c))
    if following is not None:
        return _visit(state, duels, best, following, config)
    if best is None or not _fits(duels, state.round, config):  # Alg. 1, line 11
        return _give_up(state, duels)
    return Anchor(duels=duels, round=state.round, best=best)


def _visit(state: Explore, duels: int, best: Best | None, path: Path, config: ArcConfig) -> State:
    if not _fits(duels, len(path) + 1, config):  # Alg. 2, line 1; F3: the round ends here
        return _give_up(state, duels)
    return Explore(
        duels=duels,
        round=state.round,
        reference=state.reference,
        benchmark=state.benchmark,
        path=path,
        best=best,
    )


def _give_up(state: Explore, duels: int) -> Cleanup:
    """A round that cannot finish never moves the reference (Alg. 1, line 17)."""
    return Cleanup(duels=duels, round=state.round, reference=state.reference)


def _fits(duels: int, h: int, config: ArcConfig) -> bool:
    return duels + config.block_size(h) <= config.horizon
