"""Algorithms 1 and 2 as a state machine: three frozen records and one way from each to the next.

The recursion of Algorithm 2 is a depth-first walk, so its call stack is one tuple of child
numbers. Records instead of flags: an `Anchor` without a best cube cannot be written down.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from duelli import _check, _rng
from duelli.blocks import Block, Tally
from duelli.cubes import Arm, Path, edge, low, successor
from duelli.learners.arc import schedule
from duelli.learners.codec import CubePath, Point

ORDERS = ("lexicographic", "random")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcConfig:
    """The inputs of the paper.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        slope_max: Γ, the largest slope of the link.
        lipschitz: L of the utility in unit coordinates, maximum norm.
        zooming_dim: d_z, from which B follows; None to run rounds until the duels are used up.
        num_rounds: B itself, instead of ``zooming_dim``.
        failure_prob: δ.
        slope_ratio: κ = Γ/λ if known: `ArcDuelli.best` needs it, the algorithm does not.
        start: X^0; drawn uniformly if None.
        order: The order in which the children of a cube are visited: "lexicographic" or "random".
        seed: Seed of the start and of a random order.
    """

    dim: int
    horizon: int
    slope_max: float
    lipschitz: float = 1.0
    zooming_dim: float | None = None
    num_rounds: int | None = None
    failure_prob: float = 0.05
    slope_ratio: float | None = None
    start: Arm | None = None
    order: str = "lexicographic"
    seed: int = 0

    def __post_init__(self) -> None:
        dim = _check.whole("dim", self.dim, 1)
        checked: dict[str, object] = {
            "dim": dim,
            "horizon": _check.horizon(self.horizon),
            "slope_max": _check.positive("slope_max", self.slope_max),
            "lipschitz": _check.positive("lipschitz", self.lipschitz),
            "failure_prob": _check.probability("failure_prob", self.failure_prob),
            "seed": _rng.check_seed(self.seed),
        }
        if self.zooming_dim is not None:
            checked["zooming_dim"] = _check.at_least("zooming_dim", self.zooming_dim, 0.0)
        if self.num_rounds is not None:
            checked["num_rounds"] = _check.whole("num_rounds", self.num_rounds, 1)
        if self.slope_ratio is not None:
            checked["slope_ratio"] = _check.at_least("slope_ratio", self.slope_ratio, 1.0)
        if self.start is not None:
            checked["start"] = _check.arm("start", self.start, dim)
        if self.zooming_dim is not None and self.num_rounds is not None:
            raise ValueError("give zooming_dim or num_rounds, not both: each sets B")
        _check.one_of("order", self.order, ORDERS)
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def block_size(self, h: int) -> int:
        """Return n_h of this run. Paper: Alg. 1, line 3."""
        return schedule.block_size(h, horizon=self.horizon, failure_prob=self.failure_prob)

    def margin(self, h: int) -> float:
        """Return 2 r_h (1 + L Γ) of this run. Paper: Alg. 2, line 12."""
        return schedule.elimination_margin(h, slope_max=self.slope_max, lipschitz=self.lipschitz)

    def last_round(self) -> int | None:
        """Return B; None if only the horizon ends the run (F6). Paper: Alg. 1, line 1."""
        if self.zooming_dim is None:
            return self.num_rounds
        return schedule.num_rounds(horizon=self.horizon, zooming_dim=self.zooming_dim)

    def next_child(self, round_: int, parent: Path, child: int | None) -> int | None:
        """Return the child of ``parent`` that comes after ``child``, the first one after None.

        Paper: Alg. 2, line 14, which leaves the order open (F10).
        """
        if self.order == "lexicographic":
            number = 0 if child is None else child + 1
            return number if number < 2**self.dim else None
        order = _shuffled(self.seed, round_, parent, 2**self.dim)
        place = 0 if child is None else order.index(child) + 1
        return order[place] if place < len(order) else None


@lru_cache(maxsize=64)  # a walk asks for the same few ancestors again and again
def _shuffled(seed: int, round_: int, parent: Path, count: int) -> tuple[int, ...]:
    address = _rng.word(_rng.key(seed, "learner"), round_)
    for child in parent:
        address = _rng.word(address, child)
    return _rng.permutation(address, count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best cube of the deepest level so far in this round."""

    path: CubePath  # C_max^m
    gap: float  # Δ_max^m
    arm: Point  # one of its sampled arms, drawn uniformly: X^m if the round completes


@dataclass(frozen=True, slots=True, kw_only=True)
class Explore:
    """The next block samples the cube at ``path`` against the reference (Alg. 2)."""

    duels: int  # t
    round: int  # m
    reference: Point  # X^(m-1)
    benchmark: float  # Δ~^(m-1)
    path: CubePath = ()  # depth h = len(path) + 1
    best: Best | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The next block samples C_max^m against its own arm X^m (Alg. 1, lines 12-15)."""

    duels: int
    round: int
    best: Best


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleanup:
    """All that remains is played as (X, X) (Alg. 1, line 20)."""

    duels: int
    round: int  # the round that was given up, or B + 1
    reference: Point


State = Explore | Anchor | Cleanup


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
