"""The coins that learners are played with in tests: CoinFlips for duels, CoinRewards for pulls."""

from duelli import _rng
from duelli.blocks import Block, Played, Tally
from duelli.cubes import Arm


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


class CoinRewards:
    """Rewards without a truth: each pull of any arm is a coin, 1 or 0.

    Args:
        chance: The probability of the reward 1.
        seed: Seed of all random draws.
    """

    def __init__(self, *, chance: float = 0.5, seed: int = 0) -> None:
        self.chance = chance
        self._rng = _rng.stream(_rng.check_seed(seed), "coins")

    def __call__(self, _: Arm) -> float:
        """Flip a coin, whatever the arm."""
        return float(self._rng.random() < self.chance)
