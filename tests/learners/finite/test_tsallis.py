"""The weights of Tsallis-INF."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from paper.naive_duels import tsallis_weights

from duelli.learners.finite import tsallis
from duelli.learners.finite.tsallis import offsets, weights

LOSSES = arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e6, 1e6))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(losses=LOSSES, rate=st.floats(1e-6, 4.0))
def test_they_add_up_to_one_before_they_are_scaled(losses, rate):
    x = offsets(losses[None, :], rate)[0]
    assert x < losses.min()
    assert (4 / (rate * (losses - x)) ** 2).sum() == pytest.approx(1, abs=1e-9)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(losses=LOSSES, rate=st.floats(1e-3, 4.0))
def test_a_larger_loss_has_a_smaller_weight(losses, rate):
    order = np.argsort(losses, kind="stable")
    assert (np.diff(weights(losses[None, :], rate)[0][order]) <= 1e-15).all()


@pytest.mark.parametrize("arms", [1, 2, 7])
def test_equal_losses_have_equal_weights(arms):
    losses, rate = np.full((1, arms), 3.0), 0.5
    assert offsets(losses, rate)[0] == pytest.approx(3 - 2 * math.sqrt(arms) / rate)
    np.testing.assert_allclose(weights(losses, rate)[0], 1 / arms)


def test_a_few_iterations_are_enough(monkeypatch):
    monkeypatch.setattr(tsallis, "MOST_ITERATIONS", 8)
    rng = np.random.default_rng(0)
    losses = rng.exponential(100.0, (2, 64))
    for t in (1, 100, 10**4, 10**6):
        x = offsets(losses, 2 / math.sqrt(t))
        total = (math.sqrt(t) / (losses - x[:, None])) ** 2
        np.testing.assert_allclose(total.sum(axis=1), 1, rtol=1e-9)


@pytest.mark.parametrize("rate", [0.01, 0.5, 4.0])
def test_agrees_with_bisection(rate):
    losses = np.array([[0.0, 1.0, 5.0, 5.0], [2.0, 2.0, 300.0, 1e4]])
    for row, found in zip(losses, weights(losses, rate), strict=True):
        np.testing.assert_allclose(found, tsallis_weights(row.tolist(), rate), rtol=1e-9)
