"""The phases of β-NGD and of (α, β)-NGD, against their formulas."""

import math

import pytest

from duelli.learners.descent.ngd_phases import (
    alpha_beta_phases,
    beta_phase,
    practical_phases,
)


def test_one_practical_phase_has_no_end():
    assert practical_phases(1, 500) == [(0.1, 0.02, None)]


def test_practical_steps_fall_by_the_root_of_2():
    phases = practical_phases(3, 500)
    assert [phase.step for phase in phases] == pytest.approx([0.02, 0.02 / math.sqrt(2), 0.01])
    assert [phase.iterations for phase in phases] == [166, 166, None]
    assert {phase.probe for phase in phases} == {0.1}


def test_more_phases_than_iterations_have_one_each():
    assert [phase.iterations for phase in practical_phases(3, 1)] == [1, 1, None]


def test_the_only_phase_of_beta_ngd():
    # ε = .1, β = 1, D = 2, d = 2: η = .0112; γ = 2.7e-6, after T = d β D / ε = 40.
    phase = beta_phase(2, 0.1, 1.0, 2.0)
    assert phase.step == pytest.approx(0.0112, abs=5e-5)
    assert phase.probe == pytest.approx(2.7e-6, rel=0.01)
    assert phase.iterations == 40


def test_the_phases_of_alpha_beta_ngd():
    alpha, beta, d, distance = 0.5, 2.0, 2, 2.0
    phases = alpha_beta_phases(d, 4, convexity=alpha, smoothness=beta, distance=distance)
    t = 800 * d * beta / ((math.sqrt(2) - 1) * alpha)
    assert [phase.iterations for phase in phases] == [math.ceil(distance * t)] + 3 * [
        math.ceil(2 * t)
    ]
    for k, phase in enumerate(phases, 1):
        assert phase.step == pytest.approx(math.sqrt(alpha / 2**k) / (20 * math.sqrt(d * beta)))
    probes = [phase.probe for phase in phases]
    assert probes == sorted(probes, reverse=True)
    assert probes[-1] == 1e-6  # no smaller: the two points must differ


def test_the_first_gap_is_that_of_the_formula():
    # ε_1 = 400 d β D / ((√2 - 1) t_1) with t_1 = t D is α / 2.
    t = 800 * 3 / ((math.sqrt(2) - 1) * 0.7)
    assert 400 * 3 / ((math.sqrt(2) - 1) * t) == pytest.approx(0.7 / 2)
