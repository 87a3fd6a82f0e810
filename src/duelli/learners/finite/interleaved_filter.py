"""InterleavedFilter: a candidate duels every other cell of a grid until it is beaten or alone.

Yue, Broder, Kleinberg, Joachims (2012), "The K-armed dueling bandits problem", Journal of
Computer and System Sciences 78(5), https://doi.org/10.1016/j.jcss.2011.12.028.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from duelli import _check, _rng
from duelli.blocks import Block, Progress, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner
from duelli.learners.finite.filter_sweeps import Round
from duelli.learners.grid import Grid

ARMS = ("centre", "uniform")
MOST_ARMS = 1_000_000  # the filter remembers every arm


@dataclass(frozen=True, slots=True, kw_only=True)
class InterleavedFilterConfig:
    """The inputs of the Interleaved Filter on a grid.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels; also in δ = 1/(T K²).
        cells: The cells along each axis; K = cells^dim arms.
        variant: 2 as printed; 1 without the pruning of Algorithm 2, lines 16-18, which drops
            all that merely looks worse than a candidate that is beaten.
        conf_factor: The factor of ln(1/δ) in c = √(conf_factor · ln(1/δ) / n): 4 as printed.
        arms: "centre": a cell is its centre. "uniform": a rival is a fresh uniform point of its
            cell in every duel; the candidate is still its centre, because a block has one
            reference.
        start: The first candidate is the cell that holds it; drawn uniformly if None.
        seed: Of the first candidate.
    """

    dim: int
    horizon: int
    cells: int = 16
    variant: int = 2
    conf_factor: float = 4.0
    arms: str = "centre"
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        dim = _check.whole("dim", self.dim, 1)
        checked: dict[str, object] = {
            "dim": dim,
            "horizon": _check.whole("horizon", self.horizon, 1),
            "cells": _check.whole("cells", self.cells, 1),
            "variant": _check.whole("variant", self.variant, 1),
            "conf_factor": _check.positive("conf_factor", self.conf_factor),
            "seed": _rng.check_seed(self.seed),
        }
        if self.start is not None:
            checked["start"] = _check.arm("start", self.start, dim)
        _check.one_of("arms", self.arms, ARMS)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if self.variant > 2:
            raise ValueError(f"variant must be 1 or 2; got {self.variant}")
        if self.grid.arms > MOST_ARMS:
            raise ValueError(
                f"cells must make at most {MOST_ARMS} arms; got {self.cells}^{self.dim}"
            )

    @property
    def grid(self) -> Grid:
        """The cells that serve as arms. Paper: b_1, ..., b_K."""
        return Grid(self.dim, self.cells)

    @property
    def width(self) -> float:
        """C = conf_factor · ln(1/δ) of c = √(C / n). Paper: Eq. (8); Alg. 2, line 2."""
        return self.conf_factor * (math.log(self.horizon) + 2 * math.log(self.grid.arms))


class InterleavedFilter(BlockLearner):
    """Interleaved Filter 1 and 2 on a grid.

    Its keyword arguments are those of `InterleavedFilterConfig`.

    >>> learner = InterleavedFilter(dim=2, horizon=10**8)
    >>> learner.ask().n
    473

    Paper: Algorithms 1 and 2.
    """

    Config = InterleavedFilterConfig
    config: InterleavedFilterConfig

    def _begin(self) -> None:
        self.grid = self.config.grid
        self._duels = 0
        self._changes = 0
        first = self._first_candidate()
        self._open(first, [arm for arm in range(self.grid.arms) if arm != first])

    def _restore(self, state: Mapping[str, Any]) -> None:
        self._duels, self._changes = state["duels"], state["changes"]
        kept = {name: state[name] for name in ("candidate", "budget", "spent", "meet", "extra")}
        rivals = {b: (sweeps, lead) for b, sweeps, lead in state["rivals"]}
        self._round = Round(width=self.config.width, rivals=rivals, **kept)
        self._reference = self.grid.centre(self._round.candidate)

    def _advance(self, tally: Tally) -> None:
        self._duels += tally.n
        if not self._round.rivals:
            return
        self._round.advance(tally.wins)
        if self._round.change_due:
            self._changes += 1
            self._open(*self._round.successor(prune=self.config.variant == 2))

    def recommend(self) -> Arm:
        """Return the candidate.

        Paper: Algorithm 2, line 24.
        """
        return self._reference

    def progress(self) -> Progress:
        """Return the phase, how often the candidate was replaced, and the candidate.

        Paper: Algorithm 2, line 19: a round is all the matches of one candidate.
        """
        phase = "explore" if self._round.rivals else "cleanup"
        return Progress(phase, self._changes, self._reference)

    def state(self) -> dict[str, Any]:
        """Return what `from_state` needs, in lists, numbers and strings.

        Paper: Algorithm 2, lines 3-6.
        """
        round_ = self._round
        return {
            "duels": self._duels,
            "changes": self._changes,
            "candidate": round_.candidate,
            "budget": round_.budget,
            "spent": round_.spent,
            "meet": round_.meet,
            "extra": round_.extra,
            "rivals": [[b, sweeps, lead] for b, (sweeps, lead) in round_.rivals.items()],
        }

    def state_bits(self) -> int:
        """Return the bits to remember: counters, the candidate, and two counts for each rival.

        Paper: Algorithm 2, lines 3-6, which take O(K log T) bits.
        """
        name = (self.grid.arms - 1).bit_length()
        counts = sum(2 * sweeps.bit_length() for sweeps, _ in self._round.rivals.values())
        total = 3 * self._duels.bit_length() + self._changes.bit_length()
        return total + name * (1 + len(self._round.rivals)) + counts

    def _first_candidate(self) -> int:
        if self.config.start is not None:
            return self.grid.index(self.config.start)
        return int(_rng.stream(self.config.seed, "start").integers(self.grid.arms))

    def _open(self, candidate: int, rivals: list[int]) -> None:
        """Let ``candidate`` begin its round; what the last one learnt is forgotten."""
        self._reference = self.grid.centre(candidate)
        self._round = Round(
            candidate=candidate,
            budget=self.config.horizon - self._duels,
            width=self.config.width,
            rivals=dict.fromkeys(rivals, (0, 0.0)),
        )

    def _next_block(self) -> Block | None:
        following = self._round.match()
        if following is None:  # W is empty, or the horizon is used up
            left = self.config.horizon - self._duels
            return Block(self._reference, 0.0, self._reference, left) if left else None
        rival, n = following
        if self.config.arms == "centre":
            return Block(self.grid.centre(rival), 0.0, self._reference, n)
        return Block(self.grid.low(rival), self.grid.edge, self._reference, n)
