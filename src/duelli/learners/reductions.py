"""Reductions between duels and scalar pulls.

Theorem 6.1 as code: any dueling learner makes a learner for scalar Bernoulli rewards, with two
pulls a duel and exactly twice the regret under the linear link.
"""

from duelli import _check, _rng
from duelli.blocks import Learner
from duelli.cubes import Arm
from duelli.errors import OutOfTurnError
from duelli.learners.one_by_one import OneByOne


class ScalarFromDuels:
    """B_A: runs a dueling learner A on scalar rewards.

    Paper: Theorem 6.1 and its proof in Appendix C.

    Args:
        learner: A, any block-wise dueling learner.
        seed: Of the arms that A's blocks leave open, and of the coins that break ties.
    """

    def __init__(self, learner: Learner, *, seed: int = 0) -> None:
        self.duels = OneByOne(learner, seed=seed)
        self._coins = _rng.key(_rng.check_seed(seed), "coins")
        self._first: float | None = None  # U_t, while V_t is still to come
        self._asked = False

    def pull(self) -> Arm | None:
        """Return the arm to pull next, the same until `update`; None once 2T pulls are done.

        Paper: Theorem 6.1, "pulls x_t and y_t once each".
        """
        pair = self.duels.ask()
        if pair is None:
            return None
        self._asked = True
        return pair.low if self._first is None else pair.reference

    def update(self, reward: float) -> None:
        """Take in the reward of the arm pulled last; a pair of them makes a duel.

        Paper: Theorem 6.1, the synthetic outcome O_t.
        """
        if not self._asked:
            raise OutOfTurnError("update() was called with no pull pending; call pull() first")
        value = _check.real("reward", float(reward))
        if not 0 <= value <= 1:
            raise ValueError(f"reward must lie in [0, 1]; got {value}")
        self._asked = False
        if self._first is None:
            self._first = value
            return
        first, self._first = self._first, None
        coin = _rng.unit(self._coins, self.duels.duels) < 0.5  # C_t, fair
        won = coin if first == value else first > value
        self.duels.tell_outcome(float(won))

    def recommend(self) -> Arm:
        """Return what the dueling learner recommends.

        Paper: Alg. 1, line 20.
        """
        return self.duels.recommend()
