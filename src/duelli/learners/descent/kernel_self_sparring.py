"""KernelSelfSparring: two draws from one Gaussian process choose the two points of a duel.

Sui, Zhuang, Burdick, Yue (2017), "Multi-dueling bandits with dependent arms", UAI,
https://arxiv.org/abs/1705.00253. Written from memory, without the text at hand; the constants are
duelli's own. Departs: F69 (a set of candidates, steps of several pairs, equal draws).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from duelli import _rng
from duelli.blocks import Block, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import takes
from duelli.learners.descent.arm_counts import ArmCounts
from duelli.learners.descent.gp_learner import GpLearner, settle_gp
from duelli.learners.descent.growth import shares
from duelli.learners.model.pool import Indices

PAIRS = 16  # of a step, at most
DRAWS = 64  # from the posterior, of which a step uses as many as it needs


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelSelfSparringConfig:
    """The inputs of KernelSelfSparring.

    Args:
        dim: d, the number of coordinates.
        horizon: The number of duels.
        candidates: The number of points to choose from, at most 1000.
        batch: The least number of duels in a step.
        length: The length scale of the kernel; 0.25 √d if None.
        start: One of the points; the middle of the box if None.
        seed: Seed of the other points and of the draws.
    """

    dim: int
    horizon: int
    candidates: int = 256
    batch: int = 1
    length: float | None = None
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        settle_gp(self)


def pairs_of(tops: Indices, count: int) -> list[tuple[int, int]]:
    """Return so many pairs of points from the best points of independent draws.

    Two draws may name the same point. If that is so in every pair, the first pair gets another
    rival, as long as any draw names one: a step of equal points alone teaches nothing.

    Args:
        tops: The best point of each draw, at least two for each pair.
        count: The number of pairs.
    """
    pairs = [(int(tops[2 * k]), int(tops[2 * k + 1])) for k in range(count)]
    others = tops[tops != tops[0]]
    if len(others) and all(x == y for x, y in pairs):
        pairs[0] = pairs[0][0], int(others[0])
    return pairs


class KernelSelfSparring(GpLearner[KernelSelfSparringConfig]):
    """KernelSelfSparring: Thompson sampling of win rates plays against itself.

    Its keyword arguments are those of `KernelSelfSparringConfig`. It plays exactly ``horizon``
    duels. Where all draws from the posterior name one point, that point meets itself.

    >>> learner = KernelSelfSparring(dim=2, horizon=1000)
    >>> learner.recommend()
    (0.5, 0.5)
    """

    Config: ClassVar[type] = KernelSelfSparringConfig
    PER_DUEL: ClassVar[int] = 2

    @takes(KernelSelfSparringConfig)
    def __init__(self, config: KernelSelfSparringConfig) -> None:
        super().__init__(config)
        self._drawn: tuple[ArmCounts, Indices] | None = None

    def _next_step(self) -> Step:
        return tuple(
            Block.pair(self._candidate(x), self._candidate(y), n) for x, y, n in self._asked()
        )

    def _advance(self, tallies: Sequence[Tally]) -> ArmCounts:
        told = []
        for (x, y, n), tally in zip(self._asked(), tallies, strict=True):
            if x != y:
                # KernelSelfSparring: each duel is an outcome of both of its points.
                told += [(x, n, tally.wins), (y, n, n - tally.wins)]
        return self._state.after(sum(tally.n for tally in tallies), told)

    def _asked(self) -> list[tuple[int, int, int]]:
        """Return the pairs of the step, with the number of their duels."""
        n = self._size()
        if n == 0:
            return []
        tops = self._tops()
        if (tops == tops[0]).all():
            return [(int(tops[0]), int(tops[0]), n)]
        sizes = shares(n, PAIRS)
        return [(*pair, k) for pair, k in zip(pairs_of(tops, len(sizes)), sizes, strict=True)]

    def _tops(self) -> Indices:
        """Return the best candidate of each draw; it depends on the state alone."""
        if self._drawn is None or self._drawn[0] is not self._state:
            rng = _rng.stream(self.config.seed, "learner", self._state.steps)
            # KernelSelfSparring: the best point of an independent draw from the posterior.
            self._drawn = self._state, self._posterior().draws(DRAWS, rng).argmax(axis=0)
        return self._drawn[1]
