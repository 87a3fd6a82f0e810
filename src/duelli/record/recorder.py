"""Recorder: watches a run and makes its trace."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from duelli.blocks import Learner, Observer, Played, Progress, Step
from duelli.duels import DuelModel
from duelli.record.trace import Checkpoint, RoundRow, Trace

PER_DECADE = 16  # checkpoints for every tenfold increase of the duels


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
    curve: list[Checkpoint] = field(default_factory=list)
    due: int = 1
    before: Progress = field(init=False)
    observer: Observer | None = field(init=False)

    def __post_init__(self) -> None:
        self.before = self.learner.progress()
        observer = getattr(self.learner, "observer", None)  # a learner need not have one
        self.observer = observer() if observer is not None else None
        self._measure()

    def see(self, step: Step, played: Sequence[Played]) -> None:
        """Take in a step that the learner has just been told of.

        A learner may play a million small steps, so this does as little as possible: unless a
        checkpoint is due or a round ends, it only adds up.
        """
        phase, rounds_done, _ = self.before
        self.before = now = self.learner.progress()
        for block, each in zip(step, played, strict=True):
            after = self.duels + block.n
            if self.due <= after:
                self._extend_curve(block.n, each)
                self._measure()
            self.duels = after
            self.regret += each.regret
            self.weak += each.weak_regret
            if self.observer is not None:
                self.observer.see(block, phase)
        if phase != "cleanup":
            self.explored = self.duels
        if now.rounds_done > rounds_done:
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
            middle_gap=float(self.model.gap_to_best((0.5,) * self.learner.dim)),
            state_bits=self.bits,
            state_bytes=self.bytes,
            rounds=tuple(self.rounds),
            notes={} if self.observer is None else self.observer.notes(),
            curve=(*(point for point in self.curve if point.duels < self.duels), last),
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
                notes={} if self.observer is None else self.observer.close(),
            )
        )
        self._measure()

    def _measure(self) -> None:
        state = json.dumps(self.learner.state(), separators=(",", ":"))
        self.bytes = max(self.bytes, len(state.encode()))
        self.bits = max(self.bits, self.learner.state_bits())


def _next_checkpoint(duels: int) -> int:
    step = math.floor(PER_DECADE * math.log10(duels) + 1e-9) + 1
    while (following := round(10 ** (step / PER_DECADE))) <= duels:
        step += 1
    return following
