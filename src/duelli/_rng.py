"""One seed, many named and independent streams. Nothing else in duelli makes a generator."""

import numpy as np

from duelli import _check

# A stream's number is part of every result that was ever published: append, never renumber.
STREAMS = {"start": 0, "order": 1, "engine": 2, "arms": 3, "witness": 4, "trial": 5, "coins": 6}


def check_seed(seed: object) -> int:
    """Return ``seed`` as a whole number of at least 0."""
    return _check.whole("seed", seed)


def stream(seed: int, name: str, *index: int) -> np.random.Generator:
    """Return the generator called ``name`` of ``seed``, the one at ``index`` if there are many.

    The stream is a pure function of its arguments: the same in every process and at any time.
    """
    entropy = np.random.SeedSequence(entropy=seed, spawn_key=(STREAMS[name], *index))
    return np.random.Generator(np.random.Philox(entropy))


def trial_seed(seed: int, trial: int) -> int:
    """Return the seed of trial number ``trial`` of an experiment whose seed is ``seed``."""
    entropy = np.random.SeedSequence(entropy=seed, spawn_key=(STREAMS["trial"], trial))
    return int(entropy.generate_state(1, np.uint64)[0])
