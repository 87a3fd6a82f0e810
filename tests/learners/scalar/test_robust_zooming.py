"""Robust zooming: its radius, removal, and what it is without both."""

import math

import pytest

from duelli.learners.scalar.robust_zooming import RobustZooming
from duelli.learners.scalar.zooming import Zooming

from .rewards import cone, pulled


class ZoomingWithThatRadius(Zooming):
    """Zooming as it is, with the radius of robust zooming for C = 0 and δ = 0.05."""

    def _radius(self, _):
        noise = 4 * math.log(self.config.horizon) + 2 * math.log(2 / 0.05)
        return lambda n: math.sqrt(noise / n) if n else math.inf


@pytest.mark.parametrize("dim", [1, 2])
def test_without_corruption_and_removal_it_is_zooming_with_another_radius(dim):
    robust = RobustZooming(dim=dim, horizon=3000, lipschitz=2.0, removal=False, seed=3)
    plain = ZoomingWithThatRadius(dim=dim, horizon=3000, lipschitz=2.0, seed=3)
    assert pulled(robust, seed=1) == pulled(plain, seed=1)
    assert len(plain._state.arms) > 2


@pytest.mark.parametrize(("n", "expected"), [(0, math.inf), (1, 56.855), (100, 1.18554)])
def test_the_radius_allows_for_noise_and_corruption(n, expected):
    # √((4 ln 20000 + 2 ln 40) / n) + 50 / n
    learner = RobustZooming(dim=1, horizon=20_000, corruption=50)
    assert learner._radius(0)(n) == pytest.approx(expected, rel=1e-4)


def test_corruption_makes_it_explore_longer():
    spread = []
    for corruption in (0, 200):
        learner = RobustZooming(dim=1, horizon=3000, corruption=corruption, lipschitz=2.0)
        spread.append(len(set(pulled(learner))))
    assert spread[0] > spread[1]


def switched(removal, zeros=6000, horizon=20_000):
    """Yield the learner before each pull; rewards are 0 at first, and then 1 for whatever arm.

    With rewards that do not change, an arm that is worse is not pulled often enough to be removed.
    """
    learner = RobustZooming(dim=1, horizon=horizon, lipschitz=4.0, removal=removal)
    while (arm := learner.pull()) is not None:
        yield learner, arm
        learner.update(float(learner.pulls >= zeros))


def test_an_arm_is_removed_when_another_one_is_surely_better():
    removed = {}
    for learner, _ in switched(removal=True):
        radius, arms = learner._radius(0), learner._state.arms
        floor = max((a.mean - radius(a.pulls) for a in arms if a.pulls), default=0.0)
        for i, arm in enumerate(arms):
            if arm.removed and i not in removed:
                removed[i] = arm.mean + 2 * radius(arm.pulls) < floor
            if arm.pulls and not arm.removed:
                assert arm.mean + 2 * radius(arm.pulls) >= floor
    assert removed
    assert all(removed.values())


def test_a_removed_arm_is_not_pulled_again():
    gone = set()
    for learner, arm in switched(removal=True):
        assert arm not in gone
        gone |= {a.point for a in learner._state.arms if a.removed}
    assert gone


def test_a_removed_arm_stays_removed_after_a_restart():
    for learner, _ in switched(removal=True):
        if any(arm.removed for arm in learner._state.arms):
            break
    again = RobustZooming.from_state(learner.config, learner.state())
    for _ in range(200):
        assert again.pull() == learner.pull()
        again.update(1)
        learner.update(1)


def test_without_removal_all_arms_stay():
    *_, (learner, _) = switched(removal=False)
    assert not any(arm.removed for arm in learner._state.arms)


def test_the_arm_of_the_largest_mean_stays():
    *_, (learner, _) = switched(removal=True)
    best = max(learner._state.arms, key=lambda arm: arm.mean)
    assert not best.removed
    assert learner.recommend() == best.point


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"corruption": -1}, ValueError, "corruption must be at least 0; got -1"),
        ({"failure_prob": 1.0}, ValueError, r"failure_prob must lie in \(0, 1\)"),
        ({"removal": 1}, TypeError, "removal must be True or False; got 1"),
    ],
)
def test_wrong_inputs_are_named(wrong, error, message):
    with pytest.raises(error, match=message):
        RobustZooming(dim=1, horizon=10, **wrong)


def test_its_regret_is_that_of_a_slower_zooming():
    arms = pulled(RobustZooming(dim=1, horizon=5000, corruption=5))
    assert sum(1 - cone(arm) for arm in arms) < 0.2 * 5000
