"""The checks that the learners of this package share."""

import pytest

from duelli.learners.descent import DbgdConfig
from duelli.learners.descent.inputs import check_number, fitting, half_width, optional


def test_common_inputs_are_checked_and_set():
    config = DbgdConfig(dim=2.0, horizon=1e4, seed=3.0, start=[0, 1])
    assert (config.dim, config.horizon, config.seed, config.start) == (2, 10_000, 3, (0.0, 1.0))
    assert type(config.dim) is int


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"dim": 0}, "dim must be a whole number of at least 1; got 0"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
        ({"seed": -1}, "seed must be a whole number of at least 0; got -1"),
        ({"start": (0.5,)}, r"start must have shape \(2,\)"),
        ({"start": (0.5, 1.5)}, r"start must lie in \[0, 1\]\^2"),
    ],
)
def test_wrong_common_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        DbgdConfig(**{"dim": 2, "horizon": 100, **inputs})


def test_none_passes_an_optional_check():
    assert optional(half_width, "probe", None) is None
    assert optional(half_width, "probe", 0.25) == 0.25


@pytest.mark.parametrize("wrong", [0, 0.51, -0.1, 1e-7])
def test_a_half_width_must_fit_twice_into_the_box(wrong):
    with pytest.raises(ValueError, match=r"probe must lie in \[1e-06, 0.5\]; got"):
        half_width("probe", wrong)


@pytest.mark.parametrize(("size", "fits"), [(1e-12, 1e-6), (0.3, 0.3), (7.0, 0.5)])
def test_a_size_that_a_formula_gave_is_made_to_fit(size, fits):
    assert fitting(size) == fits


def test_a_number_has_two_bounds():
    assert check_number("points", 7.0, 2, 9) == 7
    with pytest.raises(ValueError, match="points must be at most 9; got 10"):
        check_number("points", 10, 2, 9)
    with pytest.raises(ValueError, match="points must be a whole number of at least 2; got 1"):
        check_number("points", 1, 2, 9)
