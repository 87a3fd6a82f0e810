"""A plan says beforehand what the run then does."""

import pytest

import duelli
from duelli.learners import LEARNERS
from duelli.learners.arc import ArcDuelli
from duelli.links import LINKS
from duelli.planning import PLANNERS

PAPER = {"dim": 2, "horizon": 10**8}


def test_too_few_duels_for_a_round_leave_a_random_point():
    assert (
        "the recommendation is the start, a random point"
        in duelli.plan(dim=2, horizon=275).advice[0]
    )


def test_too_few_duels_are_told_how_many_it_takes():
    assert "Round 1 needs at least 276 duels" in duelli.plan(dim=2, horizon=275).advice[0]


def test_a_thousand_duels_buy_a_random_point():
    assert "the recommendation is a random point" in duelli.plan(dim=2, horizon=1000).advice[0]


def test_a_thousand_duels_complete_one_round():
    assert duelli.plan(dim=2, horizon=1000).rounds == 1


def test_rounds_at_the_paper_horizon():
    assert duelli.plan(**PAPER).duels_a_round == (686, 7198, 99038, 1519070, 24041693)


def test_resolution_at_the_paper_horizon():
    assert duelli.plan(**PAPER).resolution == 1 / 16


def test_nothing_is_eliminated_at_the_paper_horizon():
    assert "uniform scan of 256 cubes" in duelli.plan(**PAPER).advice[0]


def test_most_duels_of_the_paper_horizon_go_into_a_round_that_fails():
    assert duelli.plan(**PAPER).advice[1].startswith("74% of the duels go into round 6")


def test_duels_add_up_to_the_horizon():
    plan = duelli.plan(**PAPER)
    assert sum(plan.duels_a_round) + plan.duels_left == 10**8


def test_proven_gap_at_the_paper_horizon():
    # 2 κ (1 + Γ) r_5 with κ = 1.27154: Eq. (17) with the printed widths.
    assert duelli.plan(**PAPER).gap == pytest.approx(2 * 1.2715403 * 1.25 / 16, rel=1e-6)


def test_gap_is_never_worse_than_the_lipschitz_constant_says():
    assert duelli.plan(dim=2, horizon=10**4).gap == pytest.approx(LINKS["logistic"](1.0) - 0.5)


@pytest.mark.parametrize(("link", "depth"), [("logistic", 5), ("logistic:10", 5), ("linear", 4)])
def test_first_depth_that_eliminates(link, depth):
    # The first h with 2 r_h (1 + Γ) below ρ(1) - 1/2: .15625 < .231, .4375 < .49995, .375 < .5.
    assert duelli.plan(link=link, **PAPER).first_elimination == depth


def test_steeper_judges_are_asked_about_their_own_link():
    assert duelli.plan(link=LINKS["probit"], **PAPER).prior_gap == pytest.approx(0.341345, abs=1e-6)


def test_a_link_that_is_flat_proves_nothing():
    plan = duelli.plan(link="linear", lipschitz=2.0, **PAPER)
    assert plan.gap == plan.prior_gap == 0.5


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("horizon", [100, 10**4, 10**7])
def test_a_run_does_what_the_plan_says(dim, horizon):
    model = duelli.DuelModel(duelli.landscape(lambda x: x.min(axis=1), dim, best_arm=(1.0,) * dim))
    learner = ArcDuelli(dim=dim, horizon=horizon, slope_max=0.25)
    trace = duelli.simulate(learner, model)
    assert trace.rounds_done == duelli.plan(dim=dim, horizon=horizon).rounds


def test_whole_floats_are_horizons():
    assert duelli.plan(dim=2, horizon=1e8) == duelli.plan(**PAPER)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"dim": 0}, "dim must be a whole number of at least 1; got 0"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
        ({"horizon": 1.5}, "horizon must be a whole number of at least 1; got 1.5"),
        ({"link": "bt"}, "link must be one of arctan, linear, logistic, probit, tanh; got 'bt'"),
        ({"lipschitz": -1.0}, "lipschitz must be above 0; got -1.0"),
        ({"failure_prob": 1.0}, "failure_prob must lie in .0, 1.; got 1.0"),
        ({"learner": "oracle"}, "learner must be one of .*arc_duelli.*; got 'oracle'"),
    ],
)
def test_wrong_inputs_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        duelli.plan(**{**PAPER, **wrong})


@pytest.mark.parametrize("learner", sorted(set(LEARNERS) - set(PLANNERS)))
def test_a_learner_without_a_schedule_has_no_plan(learner):
    with pytest.raises(ValueError, match=r"learner must be one of .*arc_duelli"):
        duelli.plan(learner=learner, **PAPER)


def test_the_plan_of_arc_race_is_rehearsed_and_says_so():
    found = duelli.plan(dim=2, horizon=10**4, learner="arc_race")
    assert not found.proven
    assert found.advice[0].startswith("Rehearsed on 5 cones")
    assert found.gap < found.prior_gap


def test_the_plan_of_arc_race_warns_of_a_budget_that_proves_nothing():
    found = duelli.plan(dim=2, horizon=1000, learner="arc_race")
    assert any("rests on local search" in line for line in found.advice)


def test_more_duels_buy_arc_race_a_smaller_gap():
    gaps = [
        duelli.plan(dim=1, horizon=horizon, learner="arc_race").gap for horizon in (10**3, 10**7)
    ]
    assert gaps[1] < gaps[0]


def test_a_small_budget_for_the_papers_learner_points_to_the_other_one():
    assert any("arc_race" in line for line in duelli.plan(dim=2, horizon=100).advice)
