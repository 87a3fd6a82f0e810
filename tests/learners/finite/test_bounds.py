"""Bounds that widen with ln t: the same decisions as computed by definition."""

import math

import numpy as np
import pytest
from paper.naive_duels import rates_of

from duelli.learners import LEARNERS
from duelli.learners.finite.bounds import Bounds, evidence, turns_until

from .matrices import Matrix, arithmetic, played


def beaten_by_definition(wins, level):
    n = wins + wins.T
    upper = rates_of(wins) + np.sqrt(level / np.where(n > 0, n, 1))
    return ((n > 0) & (upper < 0.5)).sum(axis=1)


def test_the_counts_are_those_of_the_upper_bounds_at_any_time():
    rng = np.random.default_rng(3)
    wins = np.zeros((5, 5))
    bounds, level = Bounds(wins), 0.0
    for t in range(1, 2000):
        i, j = rng.choice(5, 2, replace=False).tolist()
        won = float(rng.random() < (0.9 if i < j else 0.1))
        wins[i, j] += won
        wins[j, i] += 1 - won
        bounds.update(i, j)
        level = 0.51 * math.log(t) * (1 + 1e-9)  # away from exact equality
        assert bounds.beaten(level).tolist() == beaten_by_definition(wins, level).tolist()
    assert (Bounds(wins).lost == bounds.lost).all()


def test_nothing_changes_until_the_turn_that_it_names():
    wins = np.zeros((3, 3))
    wins[0, 1], wins[0, 2] = 8.0, 12.0
    bounds, t = Bounds(wins), 40
    before = bounds.beaten(0.51 * math.log(t)).copy()
    turns = bounds.turns_until_change(t, 0.51)
    assert turns == math.floor(math.exp(2 / 0.51)) - t  # eight losses are ℓ = 4² / 8
    assert (beaten_by_definition(wins, 0.51 * math.log(t + turns - 1)) == before).all()
    assert (beaten_by_definition(wins, 0.51 * math.log(t + turns + 1)) != before).any()


@pytest.mark.parametrize(
    ("n", "wins", "value"), [(4, 2, 0.0), (4, 3, 0.0), (4, 0, 1.0), (8, 1, 9 / 8)]
)
def test_evidence_is_the_squared_shortfall_by_duel(n, wins, value):
    assert evidence(n, wins) == value


@pytest.mark.parametrize(
    ("log_time", "t", "turns"), [(0.0, 5, 1), (5.0, 10, 138), (math.inf, 1, 10**300)]
)
def test_there_is_always_a_turn_left(log_time, t, turns):
    found = turns_until(log_time, t)
    assert found >= turns if log_time == math.inf else found == turns


@pytest.mark.parametrize("name", ["double_thompson_sampling", "rucb"])
def test_few_duels_look_at_all_pairs(monkeypatch, name):
    """A pass over all K² pairs costs more than K per duel unless it comes once in K duels."""
    passes, recount = [], Bounds._recount
    monkeypatch.setattr(
        Bounds, "_recount", lambda self, level: passes.append(level) or recount(self, level)
    )
    learner = LEARNERS[name].from_inputs({"dim": 1, "cells": 64, "horizon": 6000})
    played(learner, Matrix(learner.grid, arithmetic(64, 0.005)))
    assert len(passes) < 6000 / 64
