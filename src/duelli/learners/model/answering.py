"""What the model claims for its point: how far it may be from the best, and what matters."""

import math
from typing import NamedTuple

import numpy as np

from duelli._arrays import Array
from duelli.answers import Answer, in_duels, unproven
from duelli.beliefs import through
from duelli.learners.model.candidates import around
from duelli.learners.model.choice import chosen_with_covariance
from duelli.learners.model.laplace import win_rates
from duelli.learners.model.levels import Levels, on_levels
from duelli.learners.model.posterior import Posterior

PROBABILITY = 0.9  # with which the gap is said to be at most what is claimed
WIDER = 2.0  # factor on a lead, with which 90 % of the claims hold (docs/preference_model.md)
# What pairs that were merged and a kernel that fits only nearly may hide, however many duels there
# were: a gap that is added to every claim.
RESOLUTION = 0.003
DRAWS = 400
VISITED, UNIFORM, NEAR = 200, 150, 100  # points of each kind
REACH = 0.5
NUGGET = 1e-9
ROUNDING = 1e-9
MORE_DUELS = 100
NOTHING = 0.45  # a claim above this says nothing
TICKS = np.linspace(0.0, 1.0, 21)
CLEARLY = 2.5  # deviations; what is less may be chance
MORE_PAIRS = 25  # that stand for so many duels, each judged several times


class Outlook(NamedTuple):
    """Gaps of the recommended point: one that 90 % of the draws stay below, now and later."""

    gap_high: float
    gap_median: float
    later: float  # the one that would be claimed after `MORE_DUELS` more
    matters: tuple[float, ...]  # the share of each parameter in what changes the utility


def outlook(
    posterior: Posterior, incumbent: Array, rng: np.random.Generator, levels: Levels = ()
) -> Outlook:
    """Return what the model expects of the incumbent.

    Args:
        posterior: What is believed.
        incumbent: The recommended point.
        rng: Where the draws come from.
        levels: The places of axes that have only a few: no other point may be the best one.
    """
    dim = len(incumbent)
    uniform = rng.random((UNIFORM, dim))
    near = around(incumbent, posterior.prior, NEAR, REACH, rng)
    visited = posterior.points[np.argsort(-posterior.utilities)[:VISITED]]
    points = on_levels(np.vstack([incumbent, visited, uniform, near]), levels)
    noise = rng.standard_normal((len(points), DRAWS))
    mean, covariance = posterior.mean_and_covariance(points)
    gaps = _gaps(mean, covariance, noise, posterior.ties)
    _, reduced = chosen_with_covariance(
        posterior, incumbent, points, MORE_PAIRS, MORE_DUELS / MORE_PAIRS, rng, levels
    )
    later = _gaps(mean, reduced, noise, posterior.ties)
    later = np.minimum(later, gaps)  # no duel makes the model know less
    shares = _shares(posterior, incumbent)
    high = int(PROBABILITY * DRAWS)
    claims = (min(0.5, float(each[high]) + RESOLUTION) for each in (gaps, later))
    return Outlook(next(claims), float(gaps[DRAWS // 2]), next(claims), shares)


def _gaps(mean: Array, covariance: Array, noise: Array, ties: float) -> Array:
    """Return draws of Δ(x*, first point), in ascending order; a draw is half a win."""
    steady = covariance + NUGGET * max(covariance.trace(), 1.0) * np.eye(len(mean))
    draws = mean[:, None] + _root(steady) @ noise
    lead = WIDER * (draws.max(axis=0) - draws[0])
    gaps: Array = np.sort(win_rates(lead, ties) - 0.5)
    return gaps


def _root(covariance: Array) -> Array:
    """Return R with R R^T = covariance, also where rounding has made that slightly indefinite."""
    values, vectors = np.linalg.eigh(covariance)
    root: Array = vectors * np.sqrt(np.maximum(values, 0))
    return root


def _shares(posterior: Posterior, incumbent: Array) -> tuple[float, ...]:
    """Return the share of each parameter: how much the utility changes along it, of all changes.

    Along every parameter the others stay at the incumbent. A change counts as far as it is larger
    than `CLEARLY` deviations: where there were no duels, the model knows the prior and nothing
    else. If none is, all shares are the same.
    """
    dim = len(incumbent)
    lead, deviation = posterior.lead_and_deviation(through(incumbent, TICKS), incumbent)
    known = np.maximum(lead**2 - (CLEARLY * deviation) ** 2, 0).reshape(dim, len(TICKS))
    changes = np.sqrt(known.mean(axis=1))
    shares = changes / changes.sum() if changes.sum() > ROUNDING else np.full(dim, 1 / dim)
    return tuple(shares.tolist())


def answer(arm: tuple[float, ...], duels: int, view: Outlook) -> Answer:
    """Return the outlook as an answer."""
    blank = unproven(arm, duels, _sentences(duels, view))
    return Answer(
        arm=arm,
        low=blank.low,
        high=blank.high,
        edge=1.0,
        gap_low=0.0,
        gap_high=view.gap_high,
        confidence=PROBABILITY,
        tied_within=view.gap_median,
        duels=duels,
        enough=False,
        text=blank.text,
        rests_on="model",
        matters=view.matters,
    )


def _sentences(duels: int, view: Outlook) -> str:
    head = f"After {in_duels(duels)} this is the point that the preference model recommends."
    if view.gap_high > NOTHING:
        return f"{head} The model cannot say yet how much better the best point of the box may be."
    claim = (
        f"By that model, which nothing guarantees, with probability {_percent(PROBABILITY - 0.5)} "
        f"the best point of the box wins at most {_percent(view.gap_high)} of its duels against "
        "this one."
    )
    now, later = _percent(view.gap_high), _percent(view.later)
    change = f"bring that to about {later}" if later != now else "hardly change that"
    return f"{head} {claim} Another {MORE_DUELS} duels are expected to {change}."


def _percent(gap: float) -> str:
    """Return 1/2 + gap in per cent, with enough digits to tell it from 1/2."""
    digits = 1 if gap > 1e-3 else 1 - math.floor(math.log10(max(gap, 1e-6) * 100))
    return f"{100 * (0.5 + gap):.{digits}f}".rstrip("0").rstrip(".") + " %"
