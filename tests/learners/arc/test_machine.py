"""The state machine, one transition at a time. Its runs are held to the paper in tests/paper."""

from dataclasses import FrozenInstanceError, replace

import pytest

from duelli.blocks import Block, Tally
from duelli.learners.arc.config import ArcConfig
from duelli.learners.arc.machine import advance, initial, next_block
from duelli.learners.arc.states import Anchor, Best, Cleanup, Explore

CONFIG = ArcConfig(dim=2, horizon=10**8, slope_max=0.25, start=(0.9, 0.9))
N = [0, 343, 1371, 5483, 21931]  # n_1..n_4 of CONFIG
WITNESS = (0.1, 0.2)


def explore(**changes):
    state = {"duels": 5000, "round": 3, "reference": (0.9, 0.9), "benchmark": 0.0, "path": (0,)}
    return Explore(**{**state, **changes})


def told(state, gap, config=CONFIG, witness=WITNESS):
    """Return what follows ``state`` once its block has come back with this empirical gap."""
    n = next_block(state, config).n
    return advance(state, Tally(n, round((gap + 0.5) * n), witness), config)


def test_the_run_opens_with_the_whole_box_in_round_one():
    assert initial(CONFIG) == Explore(duels=0, round=1, reference=(0.9, 0.9), benchmark=0.0)


def test_the_start_is_drawn_if_it_is_not_given():
    starts = {initial(replace(CONFIG, start=None, seed=seed)).reference for seed in range(5)}
    assert len(starts) == 5


def test_the_drawn_start_is_a_function_of_the_seed():
    config = replace(CONFIG, start=None, seed=3)
    assert initial(config) == initial(config)


def test_a_horizon_too_short_for_a_block_is_all_cleanup():
    config = replace(CONFIG, horizon=10)
    assert initial(config) == Cleanup(duels=0, round=1, reference=(0.9, 0.9))


@pytest.mark.parametrize("horizon", [1, 10, 100])
def test_cleanup_is_one_block_of_the_reference_against_itself(horizon):
    config = replace(CONFIG, horizon=horizon)
    assert next_block(initial(config), config) == Block((0.9, 0.9), 0.0, (0.9, 0.9), horizon)


def test_no_block_is_left_after_cleanup():
    state = Cleanup(duels=10**8, round=3, reference=(0.9, 0.9))
    assert next_block(state, CONFIG) is None


def test_a_scan_samples_the_cube_of_its_path():
    state = explore(path=(2, 1))
    assert next_block(state, CONFIG) == Block((0.5, 0.25), 0.25, (0.9, 0.9), N[3])


def test_the_anchor_samples_the_best_cube_against_its_own_arm():
    best = Best(path=(3,), gap=0.1, arm=(0.6, 0.7))
    state = Anchor(duels=9000, round=2, best=best)
    assert next_block(state, CONFIG) == Block((0.5, 0.5), 0.5, (0.6, 0.7), N[2])


def test_a_surviving_cube_is_followed_by_its_first_child():
    assert told(explore(path=(1,)), 0.0).path == (1, 0)


def test_a_cube_survives_exactly_at_the_margin():
    # Δ~ - Δ^ = 1/8 + 1/2 = 2 r_3 (1 + Γ), and the rule says <=.
    state = explore(round=4, benchmark=0.125, path=(0, 0))
    assert told(state, -0.5).path == (0, 0, 0)


def test_a_cube_below_the_margin_is_left():
    state = explore(round=4, benchmark=0.1251, path=(0, 0))
    assert told(state, -0.5).path == (0, 1)


def test_the_last_child_is_followed_by_its_parents_sibling():
    assert told(explore(path=(1, 3)), 0.0).path == (2,)


def test_a_cube_at_the_bottom_has_no_children():
    assert told(explore(path=(1, 2)), 0.5).path == (1, 3)


def test_the_first_cube_at_the_bottom_is_the_best_so_far():
    n = next_block(explore(path=(1, 2)), CONFIG).n
    after = told(explore(path=(1, 2)), -0.5)
    assert after.best == Best(path=(1, 2), gap=0 / n - 0.5, arm=WITNESS)


def test_a_better_cube_replaces_the_best():
    best = Best(path=(0, 0), gap=0.1, arm=(0.0, 0.0))
    assert told(explore(path=(1, 2), best=best), 0.2).best.path == (1, 2)


def test_the_first_of_equal_cubes_stays_the_best():
    state = explore(path=(1, 2))
    n = next_block(state, CONFIG).n
    best = Best(path=(0, 0), gap=3000 / n - 0.5, arm=(0.0, 0.0))
    after = advance(replace(state, best=best), Tally(n, 3000, WITNESS), CONFIG)
    assert after.best is best


def test_the_last_cube_of_a_scan_is_followed_by_the_anchor():
    best = Best(path=(0, 0), gap=0.4, arm=(0.1, 0.1))
    after = told(explore(path=(3, 3), best=best), 0.0)
    assert after == Anchor(duels=5000 + N[3], round=3, best=best)


def test_a_scan_that_eliminates_all_is_given_up():
    # Every depth-3 cube before was eliminated, and so is the last one.
    state = explore(round=4, benchmark=0.5, path=(3, 3))
    assert told(state, -0.5) == Cleanup(duels=5000 + N[3], round=4, reference=(0.9, 0.9))


def test_an_anchor_that_does_not_fit_gives_up_the_round():
    duels = 10**8 - N[3] - (N[3] - 1)
    best = Best(path=(0, 0), gap=0.4, arm=(0.1, 0.1))
    after = told(explore(duels=duels, path=(3, 3), best=best), 0.0)
    assert after == Cleanup(duels=duels + N[3], round=3, reference=(0.9, 0.9))


def test_an_anchor_that_just_fits_is_played():
    best = Best(path=(0, 0), gap=0.4, arm=(0.1, 0.1))
    after = told(explore(duels=10**8 - 2 * N[3], path=(3, 3), best=best), 0.0)
    assert isinstance(after, Anchor)


def test_a_cube_that_does_not_fit_gives_up_the_round():
    after = told(explore(duels=10**8 - N[2] - 100), 0.0)
    assert after == Cleanup(duels=10**8 - 100, round=3, reference=(0.9, 0.9))


def test_a_round_that_is_given_up_forgets_its_best():
    best = Best(path=(0, 0), gap=0.4, arm=(0.1, 0.1))
    after = told(explore(duels=10**8 - N[2] - 100, best=best), 0.0)
    assert after.reference == (0.9, 0.9)


def test_the_anchor_makes_the_arm_the_reference_of_the_next_round():
    best = Best(path=(0,), gap=0.4, arm=(0.1, 0.1))
    after = told(Anchor(duels=9000, round=2, best=best), 0.0)
    assert (after.round, after.reference, after.path, after.best) == (3, (0.1, 0.1), (), None)


def test_the_anchor_s_gap_becomes_the_benchmark():
    best = Best(path=(0,), gap=0.4, arm=(0.1, 0.1))
    after = advance(Anchor(duels=9000, round=2, best=best), Tally(N[2], 1000, WITNESS), CONFIG)
    assert after.benchmark == 1000 / N[2] - 0.5


def test_the_last_round_is_followed_by_cleanup():
    config = replace(CONFIG, num_rounds=2)
    best = Best(path=(0,), gap=0.4, arm=(0.1, 0.1))
    after = told(Anchor(duels=9000, round=2, best=best), 0.0, config)
    assert after == Cleanup(duels=9000 + N[2], round=3, reference=(0.1, 0.1))


def test_cleanup_counts_its_duels():
    state = Cleanup(duels=10**8 - 7, round=3, reference=WITNESS)
    assert told(state, 0.0).duels == 10**8


def test_states_are_values():
    assert hash(explore()) == hash(explore())


def test_states_do_not_change():
    with pytest.raises(FrozenInstanceError):
        explore().duels = 1


def test_lexicographic_children_count_up():
    children = [CONFIG.next_child(1, (), None)]
    while (child := CONFIG.next_child(1, (), children[-1])) is not None:
        children.append(child)
    assert children == [0, 1, 2, 3]


def random_children(config, round_, parent):
    children = [config.next_child(round_, parent, None)]
    while (child := config.next_child(round_, parent, children[-1])) is not None:
        children.append(child)
    return children


def test_random_children_are_a_permutation():
    config = replace(CONFIG, dim=3, start=None, order="random")
    assert sorted(random_children(config, 2, (5,))) == list(range(8))


def test_random_children_differ_between_rounds_and_cubes():
    config = replace(CONFIG, dim=3, start=None, order="random")
    orders = {tuple(random_children(config, m, path)) for m in (1, 2, 3) for path in [(), (1,)]}
    assert len(orders) == 6


def test_random_children_are_a_function_of_the_seed():
    config = replace(CONFIG, dim=3, start=None, order="random", seed=5)
    assert random_children(config, 2, (5,)) == random_children(replace(config), 2, (5,))


def test_whole_floats_become_ints():
    config = ArcConfig(dim=2.0, horizon=1e8, slope_max=0.25)
    assert (type(config.dim), type(config.horizon)) == (int, int)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"dim": 0}, "dim must be a whole number of at least 1; got 0"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
        ({"slope_max": 0}, "slope_max must be above 0; got 0"),
        ({"lipschitz": -1}, "lipschitz must be above 0; got -1"),
        ({"failure_prob": 0}, "failure_prob must lie in (0, 1); got 0"),
        ({"zooming_dim": -1}, "zooming_dim must be at least 0; got -1"),
        ({"num_rounds": 0}, "num_rounds must be a whole number of at least 1; got 0"),
        ({"slope_ratio": 0.5}, "slope_ratio must be at least 1; got 0.5"),
        ({"start": (0.5,)}, "start must have shape (2,), one entry per dimension; got (1,)"),
        ({"start": (0.5, 1.5)}, "start must lie in [0, 1]^2; got (0.5, 1.5)"),
        ({"order": "spiral"}, "order must be one of lexicographic, random; got 'spiral'"),
        ({"seed": -1}, "seed must be a whole number of at least 0; got -1"),
        (
            {"zooming_dim": 0, "num_rounds": 3},
            "give zooming_dim or num_rounds, not both: each sets B",
        ),
    ],
)
def test_wrong_inputs_are_named(wrong, message):
    inputs = {"dim": 2, "horizon": 10**4, "slope_max": 0.25, **wrong}
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the whole message is compared)
        ArcConfig(**inputs)
    assert str(caught.value) == message
