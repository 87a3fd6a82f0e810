"""duelpy 1.0.0, which was written for an older NumPy, and coins for its algorithms."""

from typing import Any

import numpy as np


def algorithms() -> Any:
    """Return duelpy's algorithms, with two names of NumPy that 2.0 has dropped."""
    vars(np).setdefault("float", float)
    vars(np).setdefault("infty", np.inf)
    import duelpy.algorithms

    return duelpy.algorithms


def coin_feedback(arms: int, seed: int) -> Any:
    """Return duelpy's source of outcomes, which decides every duel by a coin."""
    algorithms()
    from duelpy.feedback import FeedbackMechanism

    rng = np.random.default_rng(seed)

    class Coins(FeedbackMechanism):  # type: ignore[misc]
        def duel(self, arm_i_index: int, arm_j_index: int) -> bool:  # noqa: ARG002 (duelpy's names)
            return bool(rng.random() < 0.5)

    return Coins(list(range(arms)))
