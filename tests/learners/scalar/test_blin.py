"""What D-BLiN and A-BLiN share: batches, elimination, division and cleanup."""

import itertools

import pytest

from duelli.learners.grid import Grid
from duelli.learners.scalar.blin import divided
from duelli.learners.scalar.d_blin import DBlin

from .rewards import cone


def batches(learner, mean):
    """Play whole blocks without noise; return the cubes of each batch, and those of the cleanup."""
    seen = {}
    while (pulls := learner.pull_many(10**18)) is not None:
        state = learner.state()
        key = (state["phase"], state["batch"])
        centre = tuple(a + pulls.edge / 2 for a in pulls.low)
        seen.setdefault(key, []).append((centre, pulls.n))
        learner.update_many(mean(centre) * pulls.n, pulls.n)
    return seen


def test_the_cells_of_a_finer_grid_that_make_up_a_cell():
    assert divided([0, 3], Grid(1, 4), Grid(1, 8)) == [0, 1, 6, 7]
    assert divided([2], Grid(2, 2), Grid(2, 4)) == [8, 9, 12, 13]


def test_cubes_are_divided_into_all_their_parts():
    coarse, fine = Grid(3, 2), Grid(3, 8)
    assert sorted(divided(list(range(8)), coarse, fine)) == list(range(512))


def test_a_cube_is_dropped_if_and_only_if_it_falls_short_by_more_than_the_margin():
    learner = DBlin(dim=1, horizon=10**6, const=0.01, threshold=0.9)
    seen = batches(learner, cone)
    for (phase, m), (_, following) in itertools.pairwise(seen):
        if phase == "cleanup":
            break
        means = {centre: cone(centre) for centre, _ in seen["batch", m]}
        edge, top = 2.0 ** (1 - m), max(means.values())
        kept = {c for c, mean in means.items() if top - mean <= 0.9 * edge}
        later = seen.get(("batch", m + 1)) or seen["cleanup", following]
        parents = {min(means, key=lambda c, x=x: abs(c[0] - x[0])) for x, _ in later}
        assert parents == kept
        assert m < 4 or len(kept) < len(means)


def test_the_best_cube_is_kept_for_the_cleanup():
    learner = DBlin(dim=1, horizon=20_000, cleanup="best")
    seen = batches(learner, cone)
    assert seen["cleanup", 3] == [((0.375,), 20_000 - 11_571)]


def test_the_cleanup_gives_equal_parts_to_the_cubes_that_are_left():
    seen = batches(DBlin(dim=1, horizon=20_000), cone)
    shares = dict(seen["cleanup", 3])
    assert sorted(shares) == [(0.125,), (0.375,), (0.625,), (0.875,)]
    assert sum(shares.values()) == 20_000 - 11_571
    assert max(shares.values()) - min(shares.values()) <= 1


def test_the_cleanup_begins_with_another_cube_for_another_seed():
    first = {
        batches(DBlin(dim=1, horizon=20_000, seed=seed), cone)["cleanup", 3][0][0]
        for seed in range(20)
    }
    assert len(first) > 1


def test_if_no_batch_fits_the_whole_box_is_pulled():
    learner = DBlin(dim=2, horizon=50)
    assert learner.pull_many(100) == ((0.0, 0.0), 1.0, 50)
    assert learner.recommend() == (0.5, 0.5)


def test_it_recommends_the_centre_of_the_best_cube_of_the_last_batch():
    learner = DBlin(dim=1, horizon=20_000)
    batches(learner, cone)
    assert learner.recommend() == (0.375,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"batch": 99}, r"state\.batch must lie in \[1, \d+\]; got 99"),
        ({"cubes": []}, r"state\.cubes must name different cubes below 1"),
        ({"cubes": [1]}, r"state\.cubes must name different cubes below 1"),
        ({"means": [0.5]}, r"state\.means must be fewer than state\.cubes"),
        ({"batch": 2, "cubes": [0, 0]}, "must name different cubes below 2"),
        ({"batch": 2, "cubes": [0, 1], "means": [2.0]}, r"and lie in \[0, 1\]"),
        ({"batch": 2, "cubes": [0, 1], "means": [0.5]}, "a batch that fits in the horizon"),
        ({"batch": 5, "cubes": list(range(16))}, "a batch that fits in the horizon"),
    ],
)
def test_a_batch_that_cannot_be_is_refused(change, message):
    learner = DBlin(dim=1, horizon=20_000)
    with pytest.raises(ValueError, match=message):
        DBlin.from_state(learner.config, {**learner.state(), **change})


def test_a_cleanup_without_a_cube_is_refused():
    learner = DBlin(dim=1, horizon=50)
    with pytest.raises(ValueError, match=r"state\.turn must be below 1; got 1"):
        DBlin.from_state(learner.config, {**learner.state(), "turn": 1})


def test_a_wrong_cleanup_is_named():
    with pytest.raises(ValueError, match="cleanup must be one of arbitrary, best; got 'none'"):
        DBlin(dim=1, horizon=50, cleanup="none")
