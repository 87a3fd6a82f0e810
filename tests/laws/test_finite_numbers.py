"""The regret of the learners for finitely many arms, beside that of programs written separately.

The expected values come from other programs, run with six seeds each; they are soft. The seeds here
are fixed, so that a test does not fail by chance.
"""

import math

import numpy as np
import pytest
from learners.finite.matrices import Matrix, arithmetic, played

import duelli
from duelli.learners import LEARNERS

SEEDS = range(6)
HORIZON = 20_000

# Mean and standard deviation of the strong regret of 20 000 duels of eight arms in a row, of which
# neighbours beat each other with probability 0.55. Random play has 7000.
EXPECTED = {
    "interleaved_filter variant=1": (4200, 556),
    "interleaved_filter": (3988, 493),
    "interleaved_filter conf_factor=1": (1486, 515),
    "beat_the_mean": (6995, 20),
    "beat_the_mean coef=1": (3849, 254),
    "savage": (2093, 248),
    "rucb": (636, 112),
    "double_thompson_sampling": (150, 11),
    "rmed1": (291, 58),
    "rmed2": (336, 40),
    "rmed2f": (456, 45),
    "versatile_db": (639, 126),
}


def learner_of(words, seed):
    name, *pairs = words.split()
    inputs = {key: int(value) for key, value in (pair.split("=") for pair in pairs)}
    return LEARNERS[name].from_inputs(
        {"dim": 1, "cells": 8, "horizon": HORIZON, "seed": seed, **inputs}
    )


@pytest.mark.slow
@pytest.mark.parametrize("words", EXPECTED)
def test_regret_in_a_row_of_eight_arms(words):
    """The means of six runs differ by four standard errors of their difference at most."""
    regrets, found = [], 0
    for seed in SEEDS:
        learner = learner_of(words, seed)
        engine = Matrix(learner.grid, arithmetic(8), seed)
        played(learner, engine)
        regrets.append(engine.regret)
        found += learner.grid.index(learner.recommend()) == 0
    expected, deviation = EXPECTED[words]
    spread = math.hypot(deviation, np.std(regrets, ddof=1)) / math.sqrt(len(regrets))
    assert np.mean(regrets) == pytest.approx(expected, abs=4 * spread)
    assert found >= len(regrets) - 1  # of the filter one run does not come to an end


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cells", "runs", "expected"),
    [
        ("double_thompson_sampling", 4, 2, 2405),
        ("rmed1", 4, 2, 4646),
        ("rucb", 4, 2, 9694),
        ("double_thompson_sampling", 8, 1, 4688),
        ("rmed1", 8, 1, 9265),
        ("rucb", 8, 1, 11738),
    ],
)
def test_regret_on_a_grid_of_the_main_landscape(name, cells, runs, expected):
    """Regret with respect to the best point of the box, T = 1e5.

    The deviation of a single run is 5 per cent of the regret, and 15 for Thompson sampling. How
    many runs the expected values are means of is not known. Hence 15 and 25 per cent.
    """
    model = duelli.DuelModel("two_cones")
    inputs = {"dim": 2, "horizon": 10**5, "cells": cells}
    regrets = [
        duelli.simulate(
            LEARNERS[name].from_inputs({**inputs, "seed": seed}), model, seed=seed
        ).cumulative_regret
        for seed in range(1, runs + 1)
    ]
    assert np.mean(regrets) == pytest.approx(expected, rel=0.25 if "thompson" in name else 0.15)


@pytest.mark.slow
def test_regret_of_arc_duelli_beside_that_of_the_grids():
    """A run deviates by 1400. Six runs are assumed for the reference, and forty are played."""
    model = duelli.DuelModel("two_cones")
    inputs = {"dim": 2, "horizon": 10**5, "slope_max": model.link.slope_max}
    regrets = [
        duelli.simulate(duelli.ArcDuelli(**inputs, seed=seed), model, seed=seed).cumulative_regret
        for seed in range(40)
    ]
    assert np.mean(regrets) == pytest.approx(8817, abs=3 * 1400 * math.sqrt(1 / 6 + 1 / 40))
