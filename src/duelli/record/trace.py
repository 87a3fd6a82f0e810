"""Trace: one run, as log-spaced checkpoints and a row a round."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from duelli.blocks import Block, Learner, Played, Step
from duelli.cubes import Arm
from duelli.duels import DuelModel

PER_DECADE = 16  # checkpoints for every tenfold increase of the duels


class Checkpoint(NamedTuple):
    """The run so far after ``duels`` duels."""

    duels: int
    cumulative_regret: float
    weak_regret: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """A round that was completed.

    Args:
        round: m, from 1.
        duels: t at its end.
        reference: X^m, the arm that it chose.
        gap: Δ(x*, X^m).
        cumulative_regret: R(t) at its end.
        active: The cubes visited at each depth h; empty if the learner plays single arms.
        eliminated: The cubes that were visited and whose children were not.
    """

    round: int
    duels: int
    reference: Arm
    gap: float
    cumulative_regret: float
    active: dict[int, int]
    eliminated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One run of a learner.

    Args:
        horizon: T, the duels played.
        cumulative_regret: R(T), the sum of the strong regrets.
        weak_regret: The sum of the weak regrets.
        duels_explored: The duels before the learner committed itself.
        recommended: The arm that the learner recommends at the end.
        final_gap: Δ(x*, recommended).
        state_bits: The most bits that the learner had to remember at any checkpoint.
        state_bytes: The longest that its state was as JSON, likewise.
        rounds: A row for each round that was completed.
        unfinished: The cubes visited at each depth in the round that was not.
        curve: Checkpoints, log-spaced; within a block the regret is spread evenly.
    """

    horizon: int
    cumulative_regret: float
    weak_regret: float
    duels_explored: int
    recommended: Arm
    final_gap: float
    state_bits: int
    state_bytes: int
    rounds: tuple[RoundRow, ...]
    unfinished: dict[int, int]
    curve: tuple[Checkpoint, ...]

    @property
    def rounds_done(self) -> int:
        """How many rounds were completed: M."""
        return len(self.rounds)

    def as_dict(self) -> dict[str, Any]:
        """Return the trace without its curve, as the command line prints it."""
        before = ("cumulative_regret", "weak_regret", "duels_explored", "rounds_done")
        after = ("final_gap", "state_bits", "state_bytes", "unfinished")
        values = {name: getattr(self, name) for name in (*before, *after)}
        return {**values, "best_arm": self.recommended, "rounds": [asdict(r) for r in self.rounds]}


@dataclass(slots=True)
class Recorder:
    """Watches a run block by block and makes its trace.

    Args:
        model: The truth, for the gaps of the arms that the learner chose.
        learner: The learner, to see where it stands; it is never told anything.
    """

    model: DuelModel
    learner: Learner
    duels: int = 0
    regret: float = 0.0
    weak: float = 0.0
    explored: int = 0
    bits: int = 0
    bytes: int = 0
    rounds: list[RoundRow] = field(default_factory=list)
    active: dict[int, int] = field(default_factory=dict)
    curve: list[Checkpoint] = field(default_factory=list)
    due: int = 1
    before: Any = None

    def __post_init__(self) -> None:
        self.before = self.learner.progress()
        self._measure()

    def see(self, step: Step, played: Sequence[Played]) -> None:
        """Take in a step that the learner has just been told of."""
        for block, each in zip(step, played, strict=True):
            self._see(block, each)

    def _see(self, block: Block, played: Played) -> None:
        before, self.before = self.before, self.learner.progress()
        if self.due <= self.duels + block.n:
            self._extend_curve(block.n, played)
            self._measure()
        self.duels += block.n
        self.regret += played.regret
        self.weak += played.weak_regret
        if before.phase != "cleanup":
            self.explored = self.duels
        if before.phase == "explore" and block.edge:
            depth = _depth(block.edge)
            self.active[depth] = self.active.get(depth, 0) + 1
        if self.before.rounds_done > before.rounds_done:
            self._close_round()

    def trace(self) -> Trace:
        """Return what was seen so far."""
        self._measure()
        last = Checkpoint(self.duels, self.regret, self.weak)
        recommended = self.learner.recommend()
        return Trace(
            horizon=self.duels,
            cumulative_regret=self.regret,
            weak_regret=self.weak,
            duels_explored=self.explored,
            recommended=recommended,
            final_gap=float(self.model.gap_to_best(recommended)),
            state_bits=self.bits,
            state_bytes=self.bytes,
            rounds=tuple(self.rounds),
            unfinished=dict(self.active),
            curve=(*(c for c in self.curve if c.duels < self.duels), last),
        )

    def _extend_curve(self, n: int, played: Played) -> None:
        while self.due <= self.duels + n:
            share = (self.due - self.duels) / n
            regret, weak = (
                self.regret + share * played.regret,
                self.weak + share * played.weak_regret,
            )
            self.curve.append(Checkpoint(self.due, regret, weak))
            self.due = _next_checkpoint(self.due)

    def _close_round(self) -> None:
        reference = self.before.reference
        self.rounds.append(
            RoundRow(
                round=len(self.rounds) + 1,
                duels=self.duels,
                reference=reference,
                gap=float(self.model.gap_to_best(reference)),
                cumulative_regret=self.regret,
                active=self.active,
                eliminated=_eliminated(self.active, 2**self.learner.dim),
            )
        )
        self.active = {}
        self._measure()

    def _measure(self) -> None:
        state = json.dumps(self.learner.state(), separators=(",", ":"))
        self.bytes = max(self.bytes, len(state.encode()))
        self.bits = max(self.bits, self.learner.state_bits())


def _depth(edge: float) -> int:
    """Return h of a cube of edge r_h = 2^(1 - h)."""
    return 1 - round(math.log2(edge))


def _eliminated(active: dict[int, int], children: int) -> int:
    """Return how many cubes were visited at some depth without their children being visited."""
    deepest = max(active, default=0)
    return sum(active[h] - active.get(h + 1, 0) // children for h in active if h < deepest)


def _next_checkpoint(duels: int) -> int:
    step = math.floor(PER_DECADE * math.log10(duels) + 1e-9) + 1
    while (following := round(10 ** (step / PER_DECADE))) <= duels:
        step += 1
    return following
