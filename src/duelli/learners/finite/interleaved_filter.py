"""InterleavedFilter: a candidate duels every other cell of a grid until it is beaten or alone.

Yue, Broder, Kleinberg, Joachims (2012), "The K-armed dueling bandits problem", Journal of
Computer and System Sciences 78(5), https://doi.org/10.1016/j.jcss.2011.12.028. The constants agree
with two public programs. Departs: F12 (cells as arms, sweeps that are skipped).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check, _rng
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.finite.filter_sweeps import Round
from duelli.learners.finite.grids import GridConfig

ARMS = ("centre", "uniform")


@dataclass(frozen=True, slots=True, kw_only=True)
class InterleavedFilterConfig(GridConfig):
    """The inputs of the Interleaved Filter: those of `GridConfig` and some of its own.

    The horizon T is also in δ = 1/(T K²). There are 16 cells along each axis unless ``cells`` says
    otherwise, and fewer where they would make more than a million arms or more than T.

    Args:
        variant: 2 as printed; 1 without the pruning of Algorithm 2, lines 16-18, which drops
            all that merely looks worse than a candidate that is beaten.
        conf_factor: The factor of ln(1/δ) in c = √(conf_factor · ln(1/δ) / n): 4 as printed.
        arms: "centre": a cell is its centre. "uniform": a rival is a fresh uniform point of its
            cell in every duel; the candidate is still its centre, because a block has one
            reference.
        start: The first candidate is the cell that holds it; drawn uniformly if None.
    """

    cells: int | str = "paper"
    variant: int = 2
    conf_factor: float = 4.0
    arms: str = "centre"
    start: Arm | None = None

    def _own(self) -> dict[str, object]:
        checked: dict[str, object] = {
            "variant": _check.whole("variant", self.variant, 1),
            "conf_factor": _check.positive("conf_factor", self.conf_factor),
        }
        if checked["variant"] not in (1, 2):
            raise ValueError(f"variant must be 1 or 2; got {self.variant}")
        if self.start is not None:
            checked["start"] = _check.arm("start", self.start, _check.whole("dim", self.dim, 1))
        _check.one_of("arms", self.arms, ARMS)
        return checked

    def _fits(self, arms: int) -> bool:
        """Tell whether every rival can meet the candidate once, and all can be remembered."""
        return arms <= min(self.horizon, self.MOST)

    @property
    def width(self) -> float:
        """C = conf_factor · ln(1/δ) of c = √(C / n). Paper: Eq. (8); Alg. 2, line 2."""
        return self.conf_factor * (math.log(self.horizon) + 2 * math.log(self.grid.num_arms))


@dataclass(slots=True, kw_only=True)
class FilterState:
    """The duels so far, how often the candidate was replaced, and the matches of the present one.

    It is changed in place: the filter remembers every arm, and a copy for each block would cost
    more than the block.
    """

    duels: int
    changes: int
    round: Round


class InterleavedFilter(BlockLearner[InterleavedFilterConfig, FilterState]):
    """Interleaved Filter 1 and 2 on a grid.

    Its keyword arguments are those of `InterleavedFilterConfig`.

    >>> learner = InterleavedFilter(dim=2, horizon=10**8)
    >>> learner.ask()[0].n
    473

    Paper: Algorithms 1 and 2.
    """

    Config: ClassVar[type] = InterleavedFilterConfig
    States: ClassVar[Mapping[str, type]] = {"filter": FilterState}

    @takes(InterleavedFilterConfig)
    def __init__(self, config: InterleavedFilterConfig) -> None:
        self.grid = config.grid
        super().__init__(config)

    def _first_state(self) -> FilterState:
        first = self._first_candidate()
        rivals = [arm for arm in range(self.grid.num_arms) if arm != first]
        return FilterState(duels=0, changes=0, round=self._opened(0, first, rivals))

    def _advance(self, tallies: Sequence[Tally]) -> FilterState:
        state = self._state
        state.duels += tallies[0].n
        if not state.round.rivals:
            return state
        state.round.advance(tallies[0].wins)
        if state.round.change_due:
            state.changes += 1
            following = state.round.successor(prune=self.config.variant == 2)
            state.round = self._opened(state.duels, *following)
        return state

    def _check_state(self, state: FilterState) -> None:
        round_, arms = state.round, self.grid.num_arms
        if any(arm >= arms for arm in (round_.candidate, *round_.rivals)):
            raise ValueError(f"state.round must name arms below {arms}; got another")
        if round_.width != self.config.width or round_.candidate in round_.rivals:
            raise ValueError("state.round must belong to the learner's inputs; it does not")
        round_.check(self.config.horizon - state.duels)

    def recommend(self) -> Arm:
        """Return the candidate.

        Paper: Algorithm 2, line 24.
        """
        return self.grid.centre(self._state.round.candidate)

    def progress(self) -> Progress:
        """Return the phase, how often the candidate was replaced, and the candidate.

        Paper: Algorithm 2, line 19: a round is all the matches of one candidate.
        """
        phase = "explore" if self._state.round.rivals else "cleanup"
        return Progress(phase, self._state.changes, self.recommend())

    def state_bits(self) -> int:
        """Return the bits to remember: counters, the candidate, and two counts for each rival.

        Paper: Algorithm 2, lines 3-6, which take O(K log T) bits.
        """
        state, name = self._state, (self.grid.num_arms - 1).bit_length()
        counts = sum(2 * sweeps.bit_length() for sweeps, _ in state.round.rivals.values())
        total = 3 * state.duels.bit_length() + state.changes.bit_length()
        return total + name * (1 + len(state.round.rivals)) + counts

    def _first_candidate(self) -> int:
        if self.config.start is not None:
            return self.grid.index(self.config.start)
        return _rng.below(_rng.key(self.config.seed, "learner"), 0, self.grid.num_arms)

    def _opened(self, duels: int, candidate: int, rivals: list[int]) -> Round:
        """Return the round of ``candidate``; what the last one learnt is forgotten."""
        return Round(
            candidate=candidate,
            budget=self.config.horizon - duels,
            width=self.config.width,
            rivals=dict.fromkeys(rivals, (0, 0.0)),
        )

    def _next_step(self) -> Step:
        state, reference = self._state, self.recommend()
        following = state.round.match()
        if following is None:  # W is empty, or the horizon is used up
            left = self.config.horizon - state.duels
            return (Block.rest(reference, left),) if left else ()
        rival, n = following
        if self.config.arms == "centre":
            return (Block.pair(self.grid.centre(rival), reference, n),)
        return (Block(self.grid.low(rival), self.grid.edge, reference, n),)
