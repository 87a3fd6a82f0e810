"""Twin cones: a best arm just above a dyadic point, and a second peak that is almost as good."""

import math

import numpy as np
import pytest

from duelli import ArcRace, DuelModel, landscape
from duelli._rng import stream
from duelli.cubes import contains
from duelli.learners.race import machine
from duelli.testing.watch import eliminations

LIPSCHITZ, APART, WORSE = 4.0, 0.5, 0.001


def twins(seed, dim):
    """Return a landscape of two cones in the maximum norm, and its second peak.

    The centres of the cubes of x* lose as much to x* as the Lipschitz constant allows, and from
    the second peak they are all seen: it is far away, and worse by 0.001 L only.
    """
    rng = stream(seed, "trial")
    cells = 2 ** int(rng.integers(2, 5))
    first = np.floor(rng.uniform(0.05, 0.4, size=dim) * cells) / cells + 1e-6
    flip = rng.random(dim) < 0.5
    peaks = [np.where(flip, 1 - x, x) for x in (first, first + APART)]

    def utility(xs):
        low = [np.abs(xs - peak).max(axis=1) for peak in peaks]
        return LIPSCHITZ * np.maximum(1 - low[0], 1 - WORSE - low[1])

    best, second = (tuple(peak.tolist()) for peak in peaks)
    return landscape(utility, dim, best_arm=best, lipschitz=LIPSCHITZ), second


def race_on(seed, *, dim, horizon, delta, held):
    """Return a model of twins and a learner that starts from the second peak.

    One that is held there searches nothing, and takes no rival.
    """
    surface, second = twins(seed, dim)
    model = DuelModel(surface)
    slopes = {"slope_max": model.link.slope_max, "lipschitz": LIPSCHITZ}
    without = ("local_search",) if held else ()
    inputs = {"horizon": horizon, "failure_prob": delta, "start": second, "without": without}
    return model, ArcRace(dim=dim, **slopes, **inputs)


def eliminated_by(seed, *, dim, horizon=10**8, delta=0.05, held=True):
    """Return how many cubes a run has eliminated, whether one held x*, and the learner."""
    model, learner = race_on(seed, dim=dim, horizon=horizon, delta=delta, held=held)
    with pytest.MonkeyPatch.context() as patch:
        if held:
            patch.setattr(machine, "CHALLENGE", -math.inf)  # no cell is ever a rival
        paths = list(eliminations(learner, model, seed))
    return len(paths), any(contains(path, model.landscape.best_arm) for path in paths), learner
