"""CoinFlips: the coins that learners are played with in tests."""

from duelli import _rng
from duelli.blocks import Block, Played, Tally


class CoinFlips:
    """An engine without a truth: each duel is a coin, and the regret is 0.

    Args:
        chance: The probability with which the left arm wins.
        seed: Seed of all random draws.
    """

    def __init__(self, *, chance: float = 0.5, seed: int = 0) -> None:
        self.chance = chance
        self._rng = _rng.stream(_rng.check_seed(seed), "coins")

    def play(self, block: Block) -> Played:
        """Flip a coin for each duel of ``block``."""
        wins = int(self._rng.binomial(block.n, self.chance))
        offsets = self._rng.random(len(block.low)).tolist()
        witness = tuple(a + block.edge * u for a, u in zip(block.low, offsets, strict=True))
        return Played(Tally(block.n, wins, witness), 0.0, 0.0)
