"""Algorithms 1 and 2 as printed, recursion and all: the oracle that the learner is held to.

Sharma, Jain, Aggarwal, Ghalme (2026), "Lipschitz Dueling Bandits over Continuous Action Spaces".

It is written from the printed text and shares nothing with the learner but the words `Block` and
`Tally`. Where the text leaves a choice, it takes the one of docs/fidelity.md: n_h is rounded up, a
round that cannot finish is given up, the first cube wins ties, X^m is the witness of the block of
C_max, and subcubes come in lexicographic order.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from duelli.blocks import Block, Tally


class BlockDoesNotFit(Exception):  # noqa: N818 (it is no error: the text says what follows)
    """The next sampling block does not fit into the horizon."""


@dataclass
class PrintedArc:
    """One run of Algorithm 1.

    Args:
        answer: Plays a block.
        dim: d.
        horizon: T.
        slope_max: Γ.
        start: X^0.
        failure_prob: δ.
        lipschitz: L of Appendix F.
        num_rounds: B; None for as many rounds as fit.
        literal: Whether a block that does not fit ends its own call only, as in the pseudo-code,
            instead of the whole recursion, as in the text.
    """

    answer: Callable[[Block], Tally]
    dim: int
    horizon: int
    slope_max: float
    start: tuple
    failure_prob: float = 0.05
    lipschitz: float = 1.0
    num_rounds: int | None = None
    literal: bool = False
    t: int = 0
    blocks: list = field(default_factory=list)
    references: list = field(default_factory=list)  # X^1, X^2, ...
    eliminated: int = 0
    ending: str = ""

    def r(self, h):
        return 2 ** (-h + 1)

    def n(self, h):
        return math.ceil(16 * math.log(self.horizon / self.failure_prob) / self.r(h) ** 2)

    def sample(self, corner, h, reference):
        """Duel n_h arms of a cube with the reference; return the empirical gap and the witness."""
        block = Block(corner, float(self.r(h)), reference, self.n(h))
        tally = self.answer(block)
        self.blocks.append(block)
        self.t += self.n(h)
        return tally.wins / self.n(h) - 1 / 2, tally.witness

    def run(self):
        """Algorithm 1; return the list of blocks."""
        reference, benchmark = self.start, 0.0
        for m in itertools.count(1):
            if self.num_rounds is not None and m > self.num_rounds:
                self.ending = "all rounds"
                break
            self.gap_max, self.cube_max, self.arm_max = -math.inf, None, None
            try:
                self.round_func(m, 1, (0.0,) * self.dim, benchmark, reference)
            except BlockDoesNotFit:
                self.ending = "a block did not fit"
                break
            if self.cube_max is None:
                self.ending = "no cube was left"
                break
            if self.t + self.n(m) > self.horizon:
                self.ending = "the benchmark did not fit"
                break
            reference = self.arm_max
            benchmark, _ = self.sample(self.cube_max, m, reference)
            self.references.append(reference)
        if self.t < self.horizon:
            self.blocks.append(Block(reference, 0.0, reference, self.horizon - self.t))
        return self.blocks

    def round_func(self, m, h, corner, benchmark, reference):
        """Algorithm 2 on the cube of depth h with this corner."""
        if self.t + self.n(h) > self.horizon:
            if self.literal:
                return
            raise BlockDoesNotFit
        gap, witness = self.sample(corner, h, reference)
        if h == m:
            if gap > self.gap_max:
                self.gap_max, self.cube_max, self.arm_max = gap, corner, witness
        elif benchmark - gap <= 2 * self.r(h) * (1 + self.lipschitz * self.slope_max):
            for upper in itertools.product((0, 1), repeat=self.dim):  # the last one runs fastest
                child = tuple(a + b * self.r(h + 1) for a, b in zip(corner, upper, strict=True))
                self.round_func(m, h + 1, child, benchmark, reference)
        else:
            self.eliminated += 1


def depth(block):
    """Return h of a block's cube."""
    return 1 - round(math.log2(block.edge))
