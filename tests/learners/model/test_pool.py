"""The arms of the model: what is one arm, and which arms are merged."""

import numpy as np
import pytest

from duelli.learners.model.laplace import Counts
from duelli.learners.model.pool import (
    CLOSE,
    MOST_ARMS,
    MOST_PAIRS,
    Pool,
    added,
    counts_of,
    pool_of,
    reduced,
)

from .samples import arms_of, counts_from

SCALES = np.log([0.5, 0.25])
ONE = Pool(np.array([[0.5, 0.5]]), np.array([0.0]), np.zeros((1, 1)))


def with_pair(x, y, wins=1.0, n=1, pool=ONE, scales=SCALES):
    return added(pool, scales, (x, y), wins, n)


def random_wins(m, seed=0):
    wins = np.random.default_rng(seed).integers(0, 5, (m, m)).astype(float)
    np.fill_diagonal(wins, 0)
    return wins


def families(sizes, seed=0):
    """Return arms of the square, those of a family next to each other, and who is in which.

    The families lie on a lattice, and have the same utility.
    """
    family = np.repeat(np.arange(len(sizes)), sizes)
    side = int(np.ceil(np.sqrt(len(sizes))))
    centres = (np.stack(np.divmod(np.arange(len(sizes)), side), axis=1) + 0.5) / side
    jitter = np.random.default_rng(seed).uniform(-1e-4, 1e-4, (len(family), 2))
    arms = centres[family] + jitter
    return Pool(arms, np.zeros(len(arms)), random_wins(len(arms), seed)), family


# One more pair.


def test_counts_survive_the_way_to_a_matrix_and_back():
    counts = counts_from((0, 1, 3, 4), (0, 3, 0, 2), (2, 3, 2.5, 5))
    back = counts_of(pool_of(arms_of(4, 2), np.zeros(4), counts))
    for name in counts._fields:
        assert getattr(back, name).tolist() == getattr(counts, name).tolist()


def test_two_new_points_are_two_new_arms_with_their_duels():
    pool = with_pair((0.1, 0.2), (0.8, 0.9), wins=2.5, n=4)
    assert pool.arms.tolist() == [[0.5, 0.5], [0.1, 0.2], [0.8, 0.9]]
    assert [entry.tolist() for entry in counts_of(pool)] == [[1], [2], [2.5], [4]]


def test_close_points_are_one_arm():
    near = 0.5 + 0.9 * CLOSE * 0.5
    pool = with_pair((near, 0.5), (0.9, 0.9))
    assert pool.arms.tolist() == [[0.5, 0.5], [0.9, 0.9]]


def test_points_that_are_not_close_are_arms_of_their_own():
    pool = with_pair((0.5 + 1.1 * CLOSE * 0.5, 0.5), (0.9, 0.9))
    assert len(pool.arms) == 3


def test_close_is_measured_in_length_scales():
    step = 0.9 * CLOSE * 0.5  # close along the first axis, which has the longer scale
    assert len(with_pair((0.5 + step, 0.5), (0.9, 0.9)).arms) == 2
    assert len(with_pair((0.5, 0.5 + step), (0.9, 0.9)).arms) == 3


def test_an_axis_is_never_taken_for_longer_than_the_box():
    far = (0.5 + 1.1 * CLOSE, 0.5)
    assert len(with_pair(far, (0.9, 0.9), scales=np.log([20.0, 20.0])).arms) == 3


def test_duels_of_a_pair_add_up_whichever_arm_is_on_the_left():
    x, y = (0.1, 0.2), (0.8, 0.9)
    pool = with_pair(x, y, wins=3, n=4)
    pool = with_pair(y, x, wins=3, n=10, pool=pool)
    assert [entry.tolist() for entry in counts_of(pool)] == [[1], [2], [10], [14]]


def test_duels_within_one_arm_are_not_counted():
    pool = with_pair((0.5, 0.5), (0.5 + 0.5 * CLOSE * 0.5, 0.5), wins=1, n=3)
    assert len(pool.arms) == 1
    assert pool.wins.sum() == 0


def test_a_new_arm_starts_with_the_utility_of_the_nearest():
    pool = Pool(np.array([[0.1, 0.1], [0.9, 0.9]]), np.array([-2.0, 3.0]), np.zeros((2, 2)))
    pool = with_pair((0.7, 0.8), (0.2, 0.0), pool=pool)
    assert pool.utilities.tolist() == [-2.0, 3.0, 3.0, -2.0]


# Too many arms.


@pytest.mark.parametrize("m", [1, 2, MOST_ARMS])
def test_a_pool_with_few_enough_arms_stays_as_it_is(m):
    pool = Pool(arms_of(m, 2), np.zeros(m), random_wins(m))
    assert reduced(pool, SCALES) is pool


@pytest.mark.parametrize("excess", [1, 2, 30, MOST_ARMS, 3 * MOST_ARMS])
@pytest.mark.parametrize("dim", [1, 3])
def test_there_are_never_more_than_the_most_arms(excess, dim):
    m = MOST_ARMS + excess
    pool = Pool(arms_of(m, dim), np.linspace(-3, 3, m), random_wins(m))
    small = reduced(pool, np.zeros(dim))
    assert small.arms.shape == (MOST_ARMS, dim)
    assert small.utilities.shape == (MOST_ARMS,)
    assert small.wins.shape == (MOST_ARMS, MOST_ARMS)


@pytest.mark.parametrize("largest", [2, 3, 5])
def test_the_closest_arms_are_merged_and_keep_all_duels_but_those_within_one(largest):
    pool, family = families([largest] * 7 + [1] * (MOST_ARMS - 7))
    small = reduced(pool, SCALES)
    of_family = np.eye(MOST_ARMS)[family]
    expected = of_family.T @ pool.wins @ of_family
    np.fill_diagonal(expected, 0)
    # The arms may come in another order: each is the family that it lies next to.
    heads = [int(np.abs(pool.arms - arm).max(axis=1).argmin()) for arm in small.arms]
    order = family[heads]
    assert sorted(order.tolist()) == list(range(MOST_ARMS))
    assert small.wins.tolist() == expected[np.ix_(order, order)].tolist()


def test_merging_loses_no_more_than_the_duels_between_merged_arms():
    m = MOST_ARMS + 40
    pool = Pool(arms_of(m, 2), np.linspace(-3, 3, m), np.zeros((m, m)))
    # Only arms at the two ends of the box have met: they are never merged with each other.
    left, right = (np.flatnonzero(mask) for mask in (pool.arms[:, 0] < 0.1, pool.arms[:, 0] > 0.9))
    pool.wins[np.ix_(left, right)], pool.wins[np.ix_(right, left)] = 2, 3
    small = reduced(pool, np.zeros(2))
    ends = small.arms[:, 0] < 0.5
    assert small.wins[np.ix_(ends, ~ends)].sum() == 2 * len(left) * len(right)
    assert small.wins.sum() == 5 * len(left) * len(right)


def test_a_merged_arm_lies_where_most_of_its_duels_were():
    pool, _ = families([2] + [1] * (MOST_ARMS - 1))
    pool.wins[:2], pool.wins[:, :2] = 0, 0
    pool.wins[0, 5], pool.wins[1, 6] = 3, 1
    pool.arms[1] = pool.arms[0] + 1e-3
    small = reduced(pool, SCALES)
    expected = (3 * pool.arms[0] + pool.arms[1]) / 4
    assert np.abs(small.arms - expected).max(axis=1).min() == pytest.approx(0, abs=1e-12)


def test_arms_that_never_met_can_be_merged():
    pool, _ = families([2] + [1] * (MOST_ARMS - 1))
    pool.wins[:2], pool.wins[:, :2] = 0, 0
    small = reduced(pool, SCALES)
    assert len(small.arms) == MOST_ARMS
    assert np.isfinite(small.arms).all()


@pytest.mark.parametrize(("pairs", "merged"), [(MOST_PAIRS, False), (MOST_PAIRS + 1, True)])
def test_all_arms_are_kept_while_there_are_few_pairs(pairs, merged):
    arms, left = arms_of(2 * pairs, 2), np.arange(pairs)
    counts = Counts(left, left + pairs, np.ones(pairs), np.full(pairs, 2.0))
    small = reduced(pool_of(arms, np.zeros(len(arms)), counts), SCALES)
    assert len(small.arms) == (MOST_ARMS if merged else 2 * pairs)


def test_of_two_pairs_equally_close_the_worse_is_merged():
    pool, family = families([2, 2] + [1] * (MOST_ARMS - 3))
    pool.arms[1], pool.arms[3] = pool.arms[0] + 1e-3, pool.arms[2] + 1e-3
    pool.utilities[family == 1] = -5.0
    small = reduced(pool, SCALES)
    kept = {arm for arm in map(tuple, pool.arms.tolist()) if arm in set(map(tuple, small.arms))}
    assert {tuple(pool.arms[k].tolist()) for k in (0, 1)} <= kept
    assert not {tuple(pool.arms[k].tolist()) for k in (2, 3)} <= kept


def test_closeness_for_merging_is_measured_in_length_scales():
    # Arm 1 is nearer to arm 0 in the box, arm 2 is nearer in length scales.
    pool, _ = families([1] * (MOST_ARMS + 1))
    pool.arms[:3] = (0.02, 0.02), (0.02, 0.03), (0.035, 0.02)
    small = reduced(pool, np.log([1.0, 0.1]))
    assert [0.02, 0.03] in small.arms.tolist()
    assert [0.035, 0.02] not in small.arms.tolist()


def test_reducing_does_not_change_the_pool_that_it_was_given():
    pool, _ = families([2] * 5 + [1] * (MOST_ARMS - 5))
    before = [entry.copy() for entry in pool]
    reduced(pool, SCALES)
    assert all((x == y).all() for x, y in zip(pool, before, strict=True))
