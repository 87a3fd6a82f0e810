"""Arms, duels and whole runs for the tests of the preference model."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy import optimize, special

from duelli.learners.model import PreferenceModel
from duelli.learners.model.laplace import mode
from duelli.learners.model.pool import Pool
from duelli.learners.model.prior import Prior
from duelli.serving import OpenStep, serving_key

STEEP = 20.0  # of the quadratic that runs are judged by: u = -STEEP |x - best|^2


def prior_of(lengths, spread=1.5):
    """Return the prior with these length scales and this standard deviation."""
    return Prior(np.log(np.array(lengths, dtype=float)), math.log(spread))


def arms_of(m, dim, seed=0):
    return np.random.default_rng(seed).random((m, dim))


def logistic(x):
    return 1 / (1 + math.exp(-x))


def pool_of(arms, rows, differences=None):
    """Return the duels between arms that rows of left, right, wins and n describe."""
    left, right = (np.array([row[k] for row in rows], dtype=int) for k in (0, 1))
    wins, n = (np.array([row[k] for row in rows], dtype=float) for k in (2, 3))
    differences = np.zeros(len(rows)) if differences is None else np.array(differences, dtype=float)
    return Pool(arms[left], arms[right], wins, n, differences)


def exact_rows(utilities, n, seed=0, pairs=None):
    """Return n duels of random pairs of arms, won exactly as often as expected."""
    rng, m = np.random.default_rng(seed), len(utilities)
    rows = []
    for _ in range(pairs or 3 * m):
        i, j = sorted(rng.choice(m, 2, replace=False).tolist())
        if (i, j) not in {row[:2] for row in rows}:
            rows.append((i, j, n * logistic(utilities[i] - utilities[j]), n))
    return rows


def fitted_pool(prior, pool, ties=0.0):
    """Return the pool with its most probable differences."""
    return pool._replace(differences=mode(prior, pool, ties).differences)


def incidence(m, rows):
    """Return the matrix A with which A^T u are the differences of utility of the pairs."""
    signs = np.zeros((m, len(rows)))
    for k, (i, j, *_) in enumerate(rows):
        signs[i, k] += 1
        signs[j, k] -= 1
    return signs


def most_probable(prior, arms, rows):
    """Return the utilities of the arms where their posterior is largest, by a general optimiser.

    It works with z = L^-1 (u - mean), whose prior is N(0, I) if L L^T is the prior covariance.
    """
    signs = incidence(len(arms), rows)
    wins, n = (np.array([row[k] for row in rows], dtype=float) for k in (2, 3))
    root, mean = np.linalg.cholesky(prior.covariance(arms, arms)), prior.mean(arms)

    def loss(z):
        f = signs.T @ (mean + root @ z)
        return z @ z / 2 + n @ np.logaddexp(0, f) - wins @ f

    def slope(z):
        f = signs.T @ (mean + root @ z)
        return z - root.T @ signs @ (wins - n * special.expit(f))

    near = optimize.minimize(loss, 0 * mean, jac=slope, method="BFGS").x
    found = optimize.root(slope, near).x
    assert np.abs(slope(found)).max() < 1e-7
    return mean + root @ found


def quadratic(best):
    """Return the utility that is 0 at its best point."""
    return lambda x: -STEEP * sum((a - b) ** 2 for a, b in zip(x, best, strict=True))


class Run(NamedTuple):
    """A learner after its run, its steps, and its duels as they were served."""

    learner: PreferenceModel
    steps: list
    duels: list


def serve(learner, utility, seed=0, duels=10**9):
    """Play a learner duel by duel, as people do who are asked; return the run."""
    rng, steps, served = np.random.default_rng([seed, 1]), [], []
    key = serving_key(seed)
    while learner.duels < duels and (step := learner.ask()):
        opened = OpenStep(step, len(steps), key)
        for i in range(opened.total):
            duel = opened.duel(i)
            rate = logistic(utility(duel.left) - utility(duel.reference))
            opened.take(i, float(rng.random() < rate))
            served.append(duel)
        learner.tell(opened.tallies())
        steps.append(step)
    return Run(learner, steps, served)


def best_of(seed, dim):
    """Return the best point of the quadratic of a run."""
    return tuple(np.random.default_rng([seed, 2]).uniform(0.2, 0.8, dim).tolist())


@cache  # several tests look at one run
def run_of(dim, horizon, seed=0, **inputs):
    """Return a run on a quadratic whose best point is `best_of(seed, dim)`."""
    learner = PreferenceModel(dim=dim, horizon=horizon, seed=seed, **inputs)
    return serve(learner, quadratic(best_of(seed, dim)), seed)


def questions(run):
    """Return the pairs that were asked, whichever side each point was on."""
    return [frozenset((duel.left, duel.reference)) for duel in run.duels]
