"""The pairs of the model: what is one pair, and which pairs are merged."""

import math

import numpy as np
import pytest

from duelli.learners.model import pool as pools
from duelli.learners.model.pool import (
    CLOSE,
    LONGEST,
    MOST_PAIRS,
    WORST,
    Pool,
    added,
    empty,
    reduced,
)

LENGTHS = (0.5, 0.25)
SCALES = np.log(LENGTHS)
X, Y = (0.1, 0.2), (0.8, 0.9)


def with_pair(pool, x, y, wins=1.0, n=1, scales=SCALES):
    return added(pool, scales, (x, y), wins, n)


def pool_with(left, right, wins, n, differences=None):
    """Return a pool, of numbers that need not be floats."""
    differences = np.zeros(len(n)) if differences is None else differences
    parts = (left, right, wins, n, differences)
    return Pool(*(np.array(part, dtype=float) for part in parts))


ONE = pool_with([X], [Y], [3], [4], [0.7])


def moved(point, by, axis=0):
    return tuple(x + by * (k == axis) for k, x in enumerate(point))


def as_lists(pool):
    return [part.tolist() for part in pool]


def random_pool(m, dim, seed=0):
    """Return a pool of random pairs, each with one to nine duels."""
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 10, m).astype(float)
    return Pool(
        rng.random((m, dim)),
        rng.random((m, dim)),
        np.floor(n * rng.random(m)),
        n,
        rng.normal(size=m),
    )


def turned(pool, which):
    """Return the pool with some pairs turned round: the same duels, told from the other side."""
    swap = which[:, None]
    return Pool(
        np.where(swap, pool.right, pool.left),
        np.where(swap, pool.left, pool.right),
        np.where(which, pool.n - pool.wins, pool.wins),
        pool.n,
        np.where(which, -pool.differences, pool.differences),
    )


def families(sizes, seed=0):
    """Return pairs of the square, those of a family next to each other, and who is in which.

    All left points lie on a lattice of the lower half, all right ones on one of the upper half.
    """
    family = np.repeat(np.arange(len(sizes)), sizes)
    side = math.ceil(math.sqrt(len(sizes)))
    places = (np.stack(np.divmod(np.arange(len(sizes)), side), axis=1) + 0.5) / side
    jitter = np.random.default_rng(seed).uniform(-1e-4, 1e-4, (2, len(family), 2))
    left = 0.4 * places[family] + jitter[0]
    pool = random_pool(len(family), 2, seed)
    return pool._replace(left=left, right=0.4 * places[family] + 0.6 + jitter[1]), family


def couples(gaps=(0.01, 0.01), n=(4, 4, 4, 4), places=(0.2, 0.4)):
    """Return pairs of a line: 0 and 1 are as far apart as the first gap says, 2 and 3 ..."""
    left = np.repeat(places, 2) + np.ravel([(0, gap) for gap in gaps])
    pool = pool_with(left[:, None], left[:, None] + 0.5, np.array(n) / 2, n)
    return pool, np.zeros(1)


def kept(pool, small):
    """Return the numbers of the pairs of a pool that are in a smaller one as they were."""
    rest = {tuple(row) for row in np.hstack([small.left, small.right]).tolist()}
    rows = np.hstack([pool.left, pool.right]).tolist()
    return [k for k, row in enumerate(rows) if tuple(row) in rest]


def one_merger(monkeypatch, pool, scales, utilities):
    """Return which pairs stay as they are if there is one pair too many.

    The utilities are those of both points of each pair, or those of all left and all right ones.
    """
    monkeypatch.setattr(pools, "MOST_PAIRS", len(pool.n) - 1)
    both = np.array(utilities, dtype=float)
    both = both if len(both) == 2 * len(pool.n) else np.concatenate([both, both])
    small = reduced(pool, scales, both)
    assert len(small.n) == len(pool.n) - 1
    return kept(pool, small)


# One more pair.


def test_an_empty_pool_has_no_pair():
    assert as_lists(empty(3)) == [[], [], [], [], []]
    assert empty(3).points.shape == (0, 3)


def test_its_points_are_the_left_ones_and_then_the_right_ones():
    pool = pool_with([X, (0.3, 0.4)], [Y, (0.6, 0.7)], [1, 1], [2, 2])
    assert pool.points.tolist() == [[0.1, 0.2], [0.3, 0.4], [0.8, 0.9], [0.6, 0.7]]


def test_the_first_pair_is_there_with_its_duels():
    pool = with_pair(empty(2), X, Y, wins=2.5, n=4)
    assert as_lists(pool) == [[[0.1, 0.2]], [[0.8, 0.9]], [2.5], [4], [0]]


def test_a_new_pair_comes_last_and_changes_no_other():
    pool = with_pair(ONE, (0.3, 0.3), (0.4, 0.4), wins=2, n=5)
    lefts, rights = [[0.1, 0.2], [0.3, 0.3]], [[0.8, 0.9], [0.4, 0.4]]
    assert as_lists(pool) == [lefts, rights, [3, 2], [4, 5], [0.7, 0]]


def test_a_close_pair_is_the_same_one_which_stays_where_it_is():
    pool = with_pair(ONE, moved(X, 0.9 * CLOSE * LENGTHS[0]), Y, wins=1, n=5)
    assert as_lists(pool) == [[list(X)], [list(Y)], [4], [9], [0.7]]


def test_of_both_ways_round_the_closer_one_counts():
    near = moved(X, 0.1 * CLOSE * LENGTHS[0])
    pool = with_pair(with_pair(empty(2), X, near, wins=3, n=3), near, X, wins=0, n=3)
    assert pool.wins.tolist() == [6]


def test_a_close_pair_that_is_turned_round_is_the_same_one():
    pool = with_pair(ONE, moved(Y, 0.9 * CLOSE * LENGTHS[0]), X, wins=1, n=5)
    assert as_lists(pool) == [[list(X)], [list(Y)], [3 + 5 - 1], [9], [0.7]]


@pytest.mark.parametrize("turn", [False, True])
def test_a_pair_that_is_not_close_is_one_of_its_own(turn):
    pair = moved(X, 1.1 * CLOSE * LENGTHS[0]), Y
    assert len(with_pair(ONE, *(pair[::-1] if turn else pair)).n) == 2


@pytest.mark.parametrize("turn", [False, True])
def test_the_distances_of_both_points_count_together(turn):
    # Neither is as far as CLOSE, but both together are: 0.8^2 + 0.8^2 > 1.
    by = 0.8 * CLOSE * LENGTHS[0]
    pair = moved(X, by), moved(Y, by)
    assert len(with_pair(ONE, *(pair[::-1] if turn else pair)).n) == 2


@pytest.mark.parametrize("turn", [False, True])
def test_pairs_with_one_point_in_common_are_two(turn):
    for pair in [(X, (0.8, 0.3)), ((0.5, 0.2), Y)]:
        assert len(with_pair(ONE, *(pair[::-1] if turn else pair)).n) == 2


@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize("side", [0, 1])
def test_close_is_measured_in_length_scales(turn, side):
    step = 0.9 * CLOSE * LENGTHS[0]  # close along the first axis, which has the longer scale
    for axis, pairs in [(0, 1), (1, 2)]:
        pair = [X, Y]
        pair[side] = moved(pair[side], step, axis)
        assert len(with_pair(ONE, *(pair[::-1] if turn else pair)).n) == pairs


def test_an_axis_is_never_taken_for_longer_than_the_box():
    long, box = LONGEST + np.full(2, 3.0), math.exp(LONGEST)
    for factor, pairs in [(0.9, 1), (1.1, 2)]:
        pair = moved(X, factor * CLOSE * box), Y
        assert len(with_pair(ONE, *pair, scales=long).n) == pairs


@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize("nearest", [0, 1])
def test_of_two_close_pairs_the_closest_gets_the_duels(turn, nearest):
    step = CLOSE * LENGTHS[0]
    pool = pool_with([X, moved(X, 1.2 * step)], [Y, Y], [1, 1], [2, 2])
    pair = moved(X, (0.5, 0.7)[nearest] * step), Y
    pool = with_pair(pool, *(pair[::-1] if turn else pair), wins=3, n=3)
    won = 0 if turn else 3
    assert pool.n.tolist() == [[5, 2], [2, 5]][nearest]
    assert pool.wins.tolist() == [[1 + won, 1], [1, 1 + won]][nearest]


def test_duels_of_points_that_lie_close_are_remembered_too():
    near = moved(X, 0.1 * CLOSE * LENGTHS[0])
    pool = with_pair(with_pair(ONE, X, near, wins=1, n=3), X, near, wins=2, n=2)
    assert (pool.wins.tolist(), pool.n.tolist()) == ([3, 3], [4, 5])


def test_adding_does_not_change_the_pool_that_it_was_given():
    before = as_lists(ONE)
    with_pair(ONE, X, Y)
    with_pair(ONE, Y, X)
    with_pair(ONE, (0.3, 0.3), (0.4, 0.4))
    assert as_lists(ONE) == before


# Too many pairs.


@pytest.mark.parametrize("m", [0, 1, 2, MOST_PAIRS])
def test_a_pool_with_few_enough_pairs_stays_as_it_is(m):
    pool = random_pool(m, 2)
    assert reduced(pool, SCALES, np.zeros(2 * m)) is pool


@pytest.mark.parametrize("excess", [1, 2, 30, MOST_PAIRS])
@pytest.mark.parametrize("dim", [1, 3])
def test_there_are_never_more_than_the_most_pairs(excess, dim):
    m = MOST_PAIRS + excess
    small = reduced(random_pool(m, dim), np.zeros(dim), np.linspace(-3, 3, 2 * m))
    assert small.left.shape == small.right.shape == (MOST_PAIRS, dim)
    assert {part.shape for part in small[2:]} == {(MOST_PAIRS,)}


@pytest.mark.parametrize("dim", [1, 3])
def test_merging_keeps_all_duels_and_stays_among_the_points(dim):
    m = MOST_PAIRS + 40
    pool = random_pool(m, dim)
    small = reduced(pool, np.zeros(dim), np.linspace(-3, 3, 2 * m))
    assert small.n.sum() == pool.n.sum()
    assert (small.wins >= 0).all()
    assert (small.wins <= small.n).all()
    assert small.points.min() >= pool.points.min()
    assert small.points.max() <= pool.points.max()


@pytest.mark.parametrize("turns", ["none", "all but the first", "some"])
@pytest.mark.parametrize("largest", [2, 3, 5])
def test_the_closest_pairs_become_one_with_all_their_duels(largest, turns):
    straight, family = families([largest] * 7 + [1] * (MOST_PAIRS - 7))
    later = np.diff(family, prepend=-1) == 0  # those that are not the first of their family
    some = np.random.default_rng(3).random(len(family)) < 0.5
    which = {"none": 0 * later, "all but the first": later, "some": some}[turns].astype(bool)
    small = reduced(turned(straight, which), SCALES, np.zeros(2 * len(family)))
    # A right point lies in the upper half: so it is seen which of the pairs are turned round.
    small = turned(small, small.left[:, 0] > small.right[:, 0])
    away = np.abs(small.left[:, None] - straight.left).max(axis=2)
    order = family[away.argmin(axis=1)]
    assert sorted(order.tolist()) == list(range(MOST_PAIRS))
    sums = np.eye(MOST_PAIRS)[family].T[order]
    assert small.n.tolist() == (sums @ straight.n).tolist()
    assert small.wins == pytest.approx(sums @ straight.wins, abs=1e-9)
    # Places and differences are the means over the duels.
    for name in ("left", "right", "differences"):
        part = getattr(straight, name)
        weights = straight.n.reshape(-1, *[1] * (part.ndim - 1))
        expected = sums @ (weights * part) / (sums @ np.broadcast_to(weights, part.shape))
        assert getattr(small, name) == pytest.approx(expected, abs=1e-9)


def merged_couple(pool, monkeypatch):
    """Return the pair that two pairs become."""
    monkeypatch.setattr(pools, "MOST_PAIRS", 1)
    small = reduced(pool, SCALES, np.zeros(4))
    return [np.ravel(part).tolist() for part in small]


def test_a_merged_pair_lies_where_most_of_its_duels_were(monkeypatch):
    pool = pool_with([(0.1, 0.2), (0.2, 0.6)], [(0.9, 0.4), (0.5, 0.8)], [1, 1], [3, 1])
    left, right, *_ = merged_couple(pool, monkeypatch)
    assert left == pytest.approx([0.125, 0.3])
    assert right == pytest.approx([0.8, 0.5])


def test_the_duels_of_merged_pairs_add_up(monkeypatch):
    pool = pool_with([X, X], [Y, Y], [2.5, 1], [3, 4], [0.6, -0.8])
    *_, wins, n, differences = merged_couple(pool, monkeypatch)
    assert (wins, n) == ([3.5], [7])
    assert differences == pytest.approx([(3 * 0.6 - 4 * 0.8) / 7])


def test_a_pair_that_is_turned_round_is_merged_as_its_points_are(monkeypatch):
    pool = pool_with([(0.1, 0.2), (0.5, 0.8)], [(0.9, 0.4), (0.2, 0.6)], [1, 1], [3, 1])
    left, right, *_ = merged_couple(pool, monkeypatch)
    assert left == pytest.approx([0.125, 0.3])
    assert right == pytest.approx([0.8, 0.5])


def test_a_pair_that_is_turned_round_is_merged_with_its_losses(monkeypatch):
    *_, wins, n, _ = merged_couple(pool_with([X, Y], [Y, X], [2.5, 1], [3, 4]), monkeypatch)
    assert (wins, n) == ([2.5 + 4 - 1], [7])


def test_a_pair_that_is_turned_round_is_merged_with_the_opposite_difference(monkeypatch):
    pool = pool_with([X, Y], [Y, X], [2.5, 1], [3, 4], [0.6, -0.8])
    assert merged_couple(pool, monkeypatch)[-1] == pytest.approx([(3 * 0.6 + 4 * 0.8) / 7])


def test_which_way_round_two_pairs_are_is_seen_in_length_scales(monkeypatch):
    # In the box the second pair is closer turned round; in length scales it is as it is.
    pool = pool_with([(0.2, 0.4), (0.8, 0.42)], [(0.8, 0.6), (0.2, 0.58)], [1, 1], [1, 1])
    monkeypatch.setattr(pools, "MOST_PAIRS", 1)
    ways = [reduced(pool, np.log([1.0, y]), np.zeros(4)).wins.tolist() for y in (1.0, 0.1)]
    assert ways == [[1], [2]]


@pytest.mark.parametrize("turn", [False, True])
def test_the_closest_pairs_are_merged(turn, monkeypatch):
    pool, scales = couples(gaps=(0.02, 0.01))
    pool = turned(pool, np.array([False, turn, False, turn]))
    assert one_merger(monkeypatch, pool, scales, [0] * 4) == [0, 1]


def test_of_two_couples_equally_close_the_worse_one_is_merged(monkeypatch):
    for utilities, stay in [((0, 0, -5, -5), [0, 1]), ((-5, -5, 0, 0), [2, 3])]:
        assert one_merger(monkeypatch, *couples(), utilities) == stay


def test_a_pair_is_worth_what_its_better_point_is(monkeypatch):
    # The first two pairs have the best point and the worst.
    high, low, middle = [5, 5], [-5, -5], [1, 1]
    for left, right in [(high, low), (low, high)]:
        utilities = left + middle + right + middle
        assert one_merger(monkeypatch, *couples(), utilities) == [0, 1]


def test_a_couple_is_worth_what_its_better_pair_is(monkeypatch):
    for first in [(5, -5), (-5, 5)]:
        assert one_merger(monkeypatch, *couples(), (*first, 1, 1)) == [0, 1]


def test_how_much_worse_a_pair_is_counts_in_deviations_of_all_utilities(monkeypatch):
    # The worse couple is farther apart by more than its worth makes up for, or by less.
    utilities = np.array([0.0, 0.0, -1.0, -1.0])
    for unit in (1e-3, 1.0, 1e3):
        ratio = math.exp(min(2.0, WORST) / 2)  # -1 is two deviations below 0
        for gap, stay in [(0.98 * ratio, [0, 1]), (1.02 * ratio, [2, 3])]:
            args = *couples(gaps=(0.01, 0.01 * gap)), unit * utilities
            assert one_merger(monkeypatch, *args) == stay


def test_pairs_far_below_the_best_count_alike(monkeypatch):
    # Most pairs are good. The other two couples are more deviations below them than count, and
    # the one that is better is closer.
    monkeypatch.setattr(pools, "WORST", 2.0)
    at = np.linspace(0.6, 0.99, 80)[:, None]
    good = pool_with(at, 1 - at, [4] * 80, [8] * 80)
    pool, scales = couples(gaps=(1e-4, 1.1e-4))
    pool = Pool(*(np.concatenate(parts) for parts in zip(pool, good, strict=True)))
    utilities = np.array([-1, -1, -2, -2] + [0] * 80)
    assert 1 / np.std(utilities) > 2
    assert one_merger(monkeypatch, pool, scales, utilities)[:2] == [2, 3]


def test_of_two_couples_equally_close_the_one_with_fewer_duels_is_merged(monkeypatch):
    for n, stay in [((2, 2, 20, 20), [2, 3]), ((20, 20, 2, 2), [0, 1])]:
        assert one_merger(monkeypatch, *couples(n=n), [0] * 4) == stay


def test_a_pair_of_few_duels_joins_one_of_many_before_two_of_some_become_one(monkeypatch):
    # Ward's squares grow by 100 / 101 and by 5 times the squared distance.
    for n in [(1, 100, 10, 10), (100, 1, 10, 10)]:
        assert one_merger(monkeypatch, *couples(n=n), [0] * 4) == [2, 3]


def test_closeness_for_merging_is_measured_in_length_scales(monkeypatch):
    # Pair 1 is nearer to pair 0 in the box, pair 2 is nearer in length scales.
    left = np.array([(0.02, 0.02), (0.02, 0.03), (0.035, 0.02)])
    for points in [(left, left + 0.5), (left + 0.5, left)]:
        pool = pool_with(*points, [1] * 3, [2] * 3)
        assert one_merger(monkeypatch, pool, np.log([1.0, 0.1]), [0] * 3) == [1]
        assert one_merger(monkeypatch, pool, np.log([0.1, 1.0]), [0] * 3) == [2]


def test_a_merged_pair_is_worth_what_the_better_one_was(monkeypatch):
    # Pairs 0 and 1 become one first. It is then as far from pair 2 as 3 and 4 are from each
    # other, which are better than 0 and 2 and worse than 1.
    at = np.array([0.2, 0.2001, 0.21, 0.4, 0.41])[:, None]
    pool = pool_with(at, at + 0.5, [1] * 5, [2] * 5)
    for first in [(-5, 5), (5, -5)]:
        monkeypatch.setattr(pools, "MOST_PAIRS", 3)
        utilities = np.array([*first, -5, 0, 0] * 2, dtype=float)
        assert kept(pool, reduced(pool, np.zeros(1), utilities)) == [2]


@pytest.mark.parametrize("seed", range(3))
def test_merging_many_pairs_at_once_is_merging_them_one_by_one(seed, monkeypatch):
    pool = random_pool(40, 2, seed)
    few = pool
    for most in range(39, 9, -1):
        monkeypatch.setattr(pools, "MOST_PAIRS", most)
        few = reduced(few, SCALES, np.zeros(2 * len(few.n)))
    for one, other in zip(reduced(pool, SCALES, np.zeros(80)), few, strict=True):
        assert one == pytest.approx(other, abs=1e-12)


def test_reducing_does_not_change_what_it_was_given():
    pool, family = families([2] * 5 + [1] * (MOST_PAIRS - 5))
    utilities, scales = np.linspace(-1, 1, 2 * len(family)), SCALES.copy()
    before = [part.copy() for part in (*pool, utilities, scales)]
    reduced(pool, scales, utilities)
    after = (*pool, utilities, scales)
    assert all((x == y).all() for x, y in zip(after, before, strict=True))
