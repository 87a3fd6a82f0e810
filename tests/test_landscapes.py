"""The landscapes: the paper's values, ranges and constants, and landscapes of one's own."""

import copy
import math
import pickle

import numpy as np
import pytest

from duelli import Box, DuelModel, landscape
from duelli._arrays import lattice
from duelli._rng import stream
from duelli.blocks import Block
from duelli.engines import Collapsed, PerDuel
from duelli.landscapes import LANDSCAPES

numba = pytest.importorskip("numba")

ROOT = math.sqrt(2)
FACTS = {  # best utility, range, L in the maximum norm, zooming dimension; in two dimensions
    "two_cones": (2 / 3, 0.6010, 1.4106, 0),
    "two_cones_linf": (0.7333, 0.6333, 1.0, 0),
    "two_cones_scaled": (6.667, 6.01, 14.106, 0),
    "flat": (1.0, 0.861, 1.2728, 4 / 3),
    "plateau": (1.0, 0.495, ROOT, 2),
    "quadratic": (1.0, 0.647, ROOT, 1),
    "ridge": (1.0, 0.427, ROOT, 1),
    "sharp": (1.0, 0.7071, ROOT, 0),
    "two_peaks": (1.0, 0.583, 1.0, 0),
}
VALUES = [  # worked out by hand from the printed formulas
    ("two_cones", (0.9, 0.9), 1 - 2 / 3 * 1.0),
    ("two_cones", (0.3, 0.9), 1 - 2 / 3 * 0.8 - 1 / 3 * 0.6),
    ("two_cones_linf", (0.3, 0.1), 1 - 1 / 3 * 0.8),
    ("two_cones_linf", (0.9, 0.9), 1 - 2 / 3 * 0.8),
    ("two_cones_3d", (0.3, 0.1, 1.0), 1 - 2 / 3 * 0.5 - 1 / 3 * math.sqrt(1.25)),
    ("two_cones_4d", (0.9, 0.9, 0.5, 0.5), 1 - 2 / 3 * 1.0),
    ("two_cones_scaled", (0.9, 0.9), 10 - 2 / 3 * 10),
    ("flat", (0.78, 0.33), 1 - 0.9 * 0.11**3 / (3 * 0.22**2)),
    ("flat", (0.78, 0.72), 1 - 0.9 * (0.5 - 0.44 / 3)),
    ("plateau", (0.4, 0.6), 1.0),
    ("plateau", (0.75, 0.5), 0.9),
    ("plateau", (0.95, 0.05), 1 - 0.3 * ROOT),
    ("quadratic", (0.5, 0.56), 1 - 0.06**2 / 0.24),
    ("quadratic", (0.5, 1.0), 1 - (0.5 - 0.06)),
    ("ridge", (0.5, 0.78), 1.0),
    ("ridge", (0.5, 0.5), 0.72),
    ("ridge", (0.0, 0.5), 0.78),
    ("sharp", (0.8, 0.9), 0.5),
    ("two_peaks", (0.8, 0.75), 0.97),
    ("two_peaks", (0.3, 0.3), 0.9),
]


def on_a_grid(name, side=401):
    grid = lattice(np.linspace(0, 1, side), 2)
    return LANDSCAPES[name].utility(grid).reshape(side, side)


@pytest.mark.parametrize(("name", "arm", "expected"), VALUES)
def test_the_utility_is_the_printed_formula(name, arm, expected):
    assert LANDSCAPES[name].utility_at(arm) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", FACTS)
def test_the_best_utility(name):
    assert LANDSCAPES[name].best_utility == pytest.approx(FACTS[name][0], abs=4e-4)


@pytest.mark.parametrize("name", FACTS)
def test_the_range_of_the_utility(name):
    assert LANDSCAPES[name].best_utility - on_a_grid(name).min() == pytest.approx(
        FACTS[name][1], rel=1e-3
    )


@pytest.mark.parametrize("name", FACTS)
def test_the_steepest_neighbours_show_the_lipschitz_constant(name):
    f = on_a_grid(name)
    steps = [f[1:, 1:] - f[:-1, :-1], f[1:, :-1] - f[:-1, 1:], f[1:] - f[:-1], f[:, 1:] - f[:, :-1]]
    steepest = 400 * max(np.abs(step).max() for step in steps)
    assert steepest == pytest.approx(FACTS[name][2], rel=2e-3)


@pytest.mark.parametrize("name", FACTS)
def test_the_zooming_dimension(name):
    assert LANDSCAPES[name].zooming_dim == pytest.approx(FACTS[name][3])


@pytest.mark.parametrize(("name", "dim"), [("two_cones_3d", 3), ("two_cones_4d", 4)])
def test_the_lipschitz_constant_grows_with_the_root_of_the_dimension(name, dim):
    assert LANDSCAPES[name].lipschitz == pytest.approx(math.sqrt(dim))


@pytest.mark.parametrize("name", ["flat", "plateau", "quadratic", "ridge", "sharp", "two_peaks"])
def test_the_clip_of_the_printed_formulas_never_acts(name):
    f = on_a_grid(name)
    assert f.min() > 0.138
    assert f.max() <= 1.0


def test_sharp_is_not_one_lipschitz_as_assumed():
    sharp = LANDSCAPES["sharp"]
    assert sharp.utility_at((0.5, 0.5)) - sharp.utility_at((0.6, 0.6)) == pytest.approx(0.1 * ROOT)


def test_the_scaled_box_is_ten_wide():
    assert LANDSCAPES["two_cones_scaled"].box == Box([(0, 10), (0, 10)])


@pytest.mark.parametrize("name", LANDSCAPES)
def test_one_arm_of_floats_has_the_utility_of_the_formula(name):
    # The formula with the functions of math in the place of NumPy's, bit for bit up to powers.
    chosen, arms = LANDSCAPES[name], stream(0, "arms").random((500, LANDSCAPES[name].dim))
    one_by_one = [chosen.utility_at(arm) for arm in map(tuple, arms.tolist())]
    assert one_by_one == pytest.approx(chosen.utility(arms).tolist(), rel=0, abs=4e-15)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
@pytest.mark.parametrize("name", LANDSCAPES)
def test_a_landscape_of_the_registry_can_be_pickled_and_copied(name, again):
    chosen = LANDSCAPES[name]
    arms, other = stream(0, "arms").random((9, chosen.dim)), again(chosen)
    assert other.utility(arms).tolist() == chosen.utility(arms).tolist()
    assert other.utility_at(tuple(arms[0])) == chosen.utility_at(tuple(arms[0]))
    assert (other.name, other.box, other.best_utility) == (name, chosen.box, chosen.best_utility)


def test_the_registry_goes_by_the_landscapes_own_names():
    assert {name: made.name for name, made in LANDSCAPES.items()} == {n: n for n in LANDSCAPES}


def slope(xs):
    return 0.5 * xs[:, 0] + 0.25 * xs[:, 1]


@numba.njit
def slope_of_one(x):
    return 0.5 * x[0] + 0.25 * x[1]


@numba.njit
def slope_of_many(xs):
    return 0.5 * xs[:, 0] + 0.25 * xs[:, 1]


@numba.njit
def slope_of_a_row(x):
    return 0.5 * x[0] + 0.25 * x[1] + 0.0 * x.sum()


KINDS = {"numpy": slope, "pointwise": slope_of_one, "vectorised": slope_of_many}
KINDS["row"] = slope_of_a_row


@pytest.mark.parametrize("f", KINDS.values(), ids=KINDS)
def test_any_kind_of_function_makes_the_same_landscape(f):
    xs = np.array([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])
    assert landscape(f, 2).utility(xs).tolist() == [0.25, 0.375, 0.5]


@pytest.mark.parametrize("f", KINDS.values(), ids=KINDS)
def test_any_kind_of_function_takes_one_arm(f):
    assert landscape(f, 2).utility_at((0.5, 0.25)) == 0.3125


@pytest.mark.parametrize("f", KINDS.values(), ids=KINDS)
def test_a_landscape_of_a_function_of_a_module_can_be_pickled(f):
    again = pickle.loads(pickle.dumps(landscape(f, 2)))
    assert again.utility(np.array([[0.5, 0.25]])).tolist() == [0.3125]


@pytest.mark.parametrize("f", KINDS.values(), ids=KINDS)
def test_the_best_arm_is_found(f):
    assert landscape(f, 2).best_arm == (1.0, 1.0)


@pytest.mark.parametrize("f", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("engine", [Collapsed, PerDuel])
def test_any_kind_of_function_can_be_played(f, engine):
    model = DuelModel(landscape(f, 2, best_arm=(1, 1)))
    played = engine(model, seed=0).play(Block((0.0, 0.0), 1.0, (1.0, 1.0), 1000))
    # At most the best arm: it wins less than half, by far more than chance allows.
    assert 0.3 < played.tally.wins / 1000 < 0.5


def test_only_a_compiled_function_of_one_arm_is_pointwise():
    kinds = {kind for kind, f in KINDS.items() if landscape(f, 2).pointwise is not None}
    assert kinds == {"pointwise"}


def test_an_interior_best_arm_is_found_closely():
    target = np.array([0.3217, 0.718])
    made = landscape(lambda xs: -((xs - target) ** 2).sum(axis=1), 2)
    assert made.best_arm == pytest.approx(tuple(target), abs=1e-6)


def test_in_one_dimension_the_best_arm_is_found_closely():
    made = landscape(lambda xs: -np.abs(xs[:, 0] - 0.123456), 1)
    assert made.best_arm == pytest.approx((0.123456,), abs=1e-6)


def test_a_best_arm_that_is_given_is_kept():
    level = landscape(lambda xs: 0.0 * xs[:, 0], 2, best_arm=(0.25, 0.75))
    assert level.best_arm == (0.25, 0.75)


def test_a_best_arm_that_is_not_the_best_is_refused_with_a_better_one():
    with pytest.raises(ValueError, match="best_arm") as caught:
        landscape(slope, 2, best_arm=(0.5, 0.5))
    assert str(caught.value) == (
        "best_arm must have the largest utility; got (0.5, 0.5), whose utility is 0.375, "
        "while that of (1.0, 1.0) is 0.75"
    )


def cone_at(place):
    return lambda xs: -np.abs(xs - place).max(axis=1)


@pytest.mark.parametrize("dim", [1, 2, 3, 5, 8, 10])
def test_a_best_arm_that_is_a_little_off_is_refused(dim):
    with pytest.raises(ValueError, match="best_arm must have the largest utility"):
        landscape(cone_at(0.37), dim, best_arm=(0.371,) + (0.37,) * (dim - 1))


@pytest.mark.parametrize("dim", [1, 2, 3, 5, 8, 10, 20])
def test_the_best_arm_is_accepted_in_many_dimensions(dim):
    assert landscape(cone_at(0.37), dim, best_arm=(0.37,) * dim).best_utility == 0


def test_a_near_miss_on_the_higher_of_two_peaks_is_refused():
    # The search over the whole box ends on the wide, lower peak; only a look nearby can tell.
    def peaks(xs):
        return np.maximum(1 - 200 * abs(xs[:, 0] - 0.9003), 0.9 - abs(xs[:, 0] - 0.2))

    assert landscape(peaks, 1, best_arm=(0.9003,)).best_utility == 1
    with pytest.raises(ValueError, match="best_arm must have the largest utility"):
        landscape(peaks, 1, best_arm=(0.9001,))


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_whether_an_arm_is_clearly_better_depends_on_the_range_of_the_utility(scale):
    target = 0.37 + 1e-12
    rounded = landscape(lambda xs: -scale * abs(xs[:, 0] - target), 1, best_arm=(0.37,))
    assert rounded.best_arm == (0.37,)


def test_checking_the_best_arm_takes_few_evaluations():
    evaluated = []

    def counted(xs):
        evaluated.append(len(xs))
        return -np.abs(xs - 0.5).max(axis=1)

    for dim in range(1, 11):
        evaluated.clear()
        landscape(counted, dim, best_arm=(0.5,) * dim)
        assert sum(evaluated) < 500_000  # each well below 0.1 µs in ten dimensions


def test_arms_that_have_no_finite_utility_are_not_better():
    def holed(xs):
        return np.where(xs[:, 0] > 0.9, np.inf, np.log(xs[:, 0]))

    assert landscape(holed, 1, best_arm=(0.9,)).best_arm == (0.9,)


def test_the_users_units_are_kept():
    assert landscape(slope, 2, box=Box({"a": (0, 1), "b": (2, 3)})).box.names == ("a", "b")


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_utility_that_is_not_finite_is_refused_with_its_place(bad):
    with pytest.raises(ValueError, match=rf"^utility must be finite; got {bad} at \(0\.5, 0\.5\)$"):
        landscape(lambda xs: np.full(len(xs), bad), 2, best_arm=(0.5, 0.5))


def test_a_utility_that_fails_somewhere_is_refused_when_it_comes_there():
    made = landscape(lambda xs: np.where(xs[:, 0] > 0.9, np.nan, xs[:, 0]), 1, best_arm=(0.9,))
    with pytest.raises(ValueError, match=r"^utility must be finite; got nan at \(0\.95,\)$"):
        made.utility(np.array([[0.5], [0.95]]))


@pytest.mark.parametrize(
    ("f", "shape"),
    [
        (lambda xs: xs, r"\(4, 2\)"),
        (lambda xs: xs[:, :1], r"\(4, 1\)"),
        (lambda _: 1.0, r"\(\)"),
        (lambda x: x[0] + x[1], r"\(2,\)"),  # a function of one arm, not compiled
    ],
    ids=["matrix", "column", "scalar", "one_arm"],
)
@pytest.mark.parametrize("best_arm", [None, (0.5, 0.5)])
def test_a_utility_of_another_shape_is_refused(f, shape, best_arm):
    with pytest.raises(
        ValueError,
        match=rf"^utility must map shape \(4, 2\) to \(4,\), one value per arm; got {shape}$",
    ):
        landscape(f, 2, best_arm=best_arm)


def test_what_is_not_a_function_is_refused():
    with pytest.raises(
        TypeError, match=r"^f must be a function from shape \(n, dim\) to \(n,\); got 3$"
    ):
        landscape(3, 2)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"dim": 0}, "dim must be a whole number of at least 1; got 0"),
        ({"best_arm": (0.5, 2)}, "best_arm must lie in [0, 1]^2; got (0.5, 2.0)"),
        ({"best_arm": (0.5,)}, "best_arm must have shape (2,), one entry per dimension; got (1,)"),
        ({"lipschitz": 0}, "lipschitz must be above 0; got 0"),
        ({"zooming_dim": -1}, "zooming_dim must be at least 0; got -1"),
    ],
)
def test_a_constant_that_cannot_be_is_refused(inputs, message):
    with pytest.raises(ValueError, match="must") as caught:
        landscape(slope, **{"dim": 2, **inputs})
    assert str(caught.value) == message


def test_a_numba_function_of_one_array_serves_too():
    @numba.njit
    def utility(x):
        return 1 - np.abs(x - 0.25).max()

    made = landscape(utility, 3, best_arm=(0.25, 0.25, 0.25))
    assert made.utility(np.array([[0.25, 0.25, 0.25], [0.25, 0.75, 0.5]])).tolist() == [1.0, 0.5]
