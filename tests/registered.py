"""The learners of the registry, as parameters of tests: a few are quick, the others slow.

Tests over the whole registry take long with some thirty learners. The quick ones have one of every
kind: the paper's, ours, a filter, a walk, arms on a grid.
"""

import pytest

from duelli.learners import LEARNERS

QUICK = (
    "arc_duelli",
    "arc_race",
    "interleaved_filter",
    "rucb",
    "spsa",
    "successive_halving",
)


def learner_names():
    """Return the names of all learners, those that are not quick marked as slow."""
    return [
        pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK))
        for name in sorted(LEARNERS)
    ]
