"""A plan says beforehand what the run then does."""

import pytest
from registered import learner_names

import duelli
from duelli.learners.arc import ArcDuelli
from duelli.links import LINKS
from duelli.planning import MOST_DIM

KNOWN = {"learner": "arc_duelli", "link": "logistic", "lipschitz": 1.0}
PAPER = {"dim": 2, "horizon": 10**8, **KNOWN}


def test_too_few_duels_for_a_round_leave_a_random_point():
    assert (
        "the recommendation is the start, a random point"
        in duelli.plan(dim=2, horizon=275, **KNOWN).advice[0]
    )


def test_too_few_duels_are_told_how_many_it_takes():
    assert "Round 1 needs at least 276 duels" in duelli.plan(dim=2, horizon=275, **KNOWN).advice[0]


def test_a_thousand_duels_buy_a_random_point():
    assert (
        "the recommendation is a random point"
        in duelli.plan(dim=2, horizon=1000, **KNOWN).advice[0]
    )


def test_a_thousand_duels_complete_one_round():
    assert duelli.plan(dim=2, horizon=1000, **KNOWN).rounds == 1


def test_rounds_at_the_paper_horizon():
    assert duelli.plan(**PAPER).duels_per_round == (686, 7198, 99038, 1519070, 24041693)


def test_resolution_at_the_paper_horizon():
    assert duelli.plan(**PAPER).resolution == 1 / 16


def test_nothing_is_eliminated_at_the_paper_horizon():
    assert "uniform scan of 256 cubes" in duelli.plan(**PAPER).advice[0]


def test_most_duels_of_the_paper_horizon_go_into_a_round_that_fails():
    assert duelli.plan(**PAPER).advice[1].startswith("74% of the duels go into round 6")


def test_duels_add_up_to_the_horizon():
    plan = duelli.plan(**PAPER)
    assert sum(plan.duels_per_round) + plan.duels_left == 10**8


def test_proven_gap_at_the_paper_horizon():
    # 2 κ (1 + Γ) r_5 with κ = 1.27154: Eq. (17) with the printed widths.
    assert duelli.plan(**PAPER).gap == pytest.approx(2 * 1.2715403 * 1.25 / 16, rel=1e-6)


def test_gap_is_never_worse_than_the_lipschitz_constant_says():
    assert duelli.plan(dim=2, horizon=10**4, **KNOWN).gap == pytest.approx(
        LINKS["logistic"](1.0) - 0.5
    )


@pytest.mark.parametrize(("link", "depth"), [("logistic", 5), ("logistic:10", 5), ("linear", 4)])
def test_first_depth_that_eliminates(link, depth):
    # The first h with 2 r_h (1 + Γ) below ρ(1) - 1/2: .15625 < .231, .4375 < .49995, .375 < .5.
    assert duelli.plan(**{**PAPER, "link": link}).first_elimination == depth


def test_steeper_judges_are_asked_about_their_own_link():
    assert duelli.plan(**{**PAPER, "link": LINKS["probit"]}).prior_gap == pytest.approx(
        0.341345, abs=1e-6
    )


def test_a_link_that_is_flat_proves_nothing():
    plan = duelli.plan(**{**PAPER, "link": "linear", "lipschitz": 2.0})
    assert plan.gap == plan.prior_gap == 0.5


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("horizon", [100, 10**4, 10**7])
def test_a_run_does_what_the_plan_says(dim, horizon):
    model = duelli.DuelModel(duelli.landscape(lambda x: x.min(axis=1), dim, best_arm=(1.0,) * dim))
    learner = ArcDuelli(dim=dim, horizon=horizon, slope_max=0.25)
    trace = duelli.simulate(learner, model)
    assert trace.rounds_done == duelli.plan(dim=dim, horizon=horizon, **KNOWN).rounds


def test_whole_floats_are_horizons():
    assert duelli.plan(dim=2, horizon=1e8, **KNOWN) == duelli.plan(**PAPER)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"dim": 0}, "dim must be a whole number of at least 1; got 0"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
        ({"horizon": 1.5}, "horizon must be a whole number of at least 1; got 1.5"),
        ({"link": "bt"}, "link must be one of arctan, linear, logistic, probit, tanh; got 'bt'"),
        ({"lipschitz": -1.0}, "lipschitz must be above 0; got -1.0"),
        ({"lipschitz": 1e200}, "lipschitz must lie in .1e-06, 1e.06.; got 1e.200"),
        ({"lipschitz": 1e-200}, "lipschitz must lie in .1e-06, 1e.06.; got 1e-200"),
        ({"link": "logistic:1e308"}, "steepness must lie in .*; got 1e.308"),
        ({"horizon": 10**30}, "horizon must be a whole number of at most 1,000,000,000,000,000; "),
        ({"horizon": 10**6000}, "horizon must be a whole number of at most .*; got a larger one"),
        ({"dim": 10**9}, "dim must be a whole number of at most 100; got 1,000,000,000"),
        ({"failure_prob": 1.0}, "failure_prob must lie in .0, 1.; got 1.0"),
        ({"learner": "oracle"}, "learner must be one of .*arc_duelli.*; got 'oracle'"),
    ],
)
def test_wrong_inputs_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        duelli.plan(**{**PAPER, **wrong})


@pytest.mark.parametrize("learner", learner_names())
def test_every_learner_has_a_plan_that_reads_well(learner):
    plan = duelli.plan(dim=2, horizon=1000, learner=learner)
    assert str(plan).startswith(f"{learner}, 2 parameters, 1,000 duels\n")
    assert not plan.proven


def test_one_duel_is_not_called_duels():
    text = str(duelli.plan(dim=1, horizon=1))
    assert text.startswith("auto, 1 parameter, 1 duel\n")
    assert "other budgets   1 duel " in text


def test_the_default_learner_is_that_of_optimize():
    result = duelli.optimize(lambda x, y: x[0] > y[0], [(0, 1)], horizon=10)
    assert duelli.plan(dim=1, horizon=10).learner == result.saved["learner"]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({}, "As link and lipschitz are unknown, the plan assumes a logistic link and a utility"),
        ({"link": "probit"}, "As lipschitz is unknown, the plan assumes a utility so steep"),
        ({"lipschitz": 2.0}, "As link is unknown, the plan assumes a logistic link."),
    ],
)
@pytest.mark.parametrize("learner", ["arc_duelli", "arc_race"])
def test_a_plan_says_what_it_assumes_and_proves_nothing(learner, known, said):
    plan = duelli.plan(dim=2, horizon=1000, learner=learner, **known)
    assert plan.advice[0].startswith(said)
    assert plan.advice[0].endswith("Nothing is proven.")
    assert not plan.proven


def test_a_plan_of_the_papers_learner_with_known_constants_is_proven():
    assert duelli.plan(**PAPER).proven
    assert "loses at most" in str(duelli.plan(**PAPER))


def test_a_rehearsed_plan_says_so():
    plan = duelli.plan(learner="arc_race", dim=2, horizon=10**4)
    assert any("medians of 7 rehearsals" in line for line in plan.advice)
    assert "loses about" in str(plan)
    assert plan.gap < plan.prior_gap


def test_a_plan_shows_what_other_budgets_buy():
    gaps = dict(duelli.plan(learner="arc_race", dim=2, horizon=5000).gaps_by_duels)
    assert set(gaps) == {200, 1000, 5000, 10**5}
    assert gaps[200] > gaps[1000] > gaps[10**5]


def test_a_budget_that_proves_nothing_is_told_so():
    plan = duelli.plan(learner="arc_race", dim=2, horizon=1000, link="logistic", lipschitz=1.0)
    assert any("rests on what the learner expects" in line for line in plan.advice)


@pytest.mark.parametrize(("horizon", "eliminates"), [(1000, False), (10**9, True)])
def test_eliminations_are_announced_only_if_rehearsals_had_some(horizon, eliminates):
    plan = duelli.plan(learner="arc_race", dim=1, horizon=horizon, link="logistic", lipschitz=1.0)
    assert (plan.duels_to_eliminate is not None) == eliminates
    assert ("eliminates" in str(plan)) == eliminates
    assert (plan.resolution < 1) == eliminates


def test_more_duels_buy_a_smaller_gap():
    known = {"link": "logistic", "lipschitz": 1.0}
    gaps = [
        duelli.plan(learner="arc_race", dim=1, horizon=horizon, **known).gap
        for horizon in (10**3, 10**7)
    ]
    assert gaps[1] < gaps[0]


def test_a_horizon_too_long_to_rehearse_is_cut_and_the_plan_says_so():
    plan = duelli.plan(learner="arc_race", dim=2, horizon=10**12)
    assert plan.rehearsed_duels < 10**12
    assert any(f"stop at {plan.rehearsed_duels:,} duels" in line for line in plan.advice)


@pytest.mark.parametrize("dim", [1, 9, 20, pytest.param(MOST_DIM, marks=pytest.mark.slow)])
def test_any_number_of_parameters_can_be_planned_for(dim):
    assert duelli.plan(learner="arc_race", dim=dim, horizon=10**15).dim == dim


@pytest.mark.parametrize("learner", ["arc_duelli", "arc_race"])
@pytest.mark.parametrize("link", ["logistic:4e6", "arctan:4e-6", "linear:1e6", "probit"])
@pytest.mark.parametrize("lipschitz", [1e-6, 1e6])
def test_extreme_constants_have_a_plan(learner, link, lipschitz):
    plan = duelli.plan(dim=2, horizon=10**15, link=link, lipschitz=lipschitz, learner=learner)
    assert 0 <= plan.gap <= 0.5


def test_a_learner_with_too_many_arms_for_its_duels_has_a_plan_that_says_so():
    plan = duelli.plan(dim=9, horizon=10**4, learner="interleaved_filter")
    assert any("more duels are needed" in line for line in plan.advice)


def test_a_small_budget_for_the_papers_learner_points_to_the_other_one():
    assert any("auto" in line for line in duelli.plan(dim=2, horizon=100, **KNOWN).advice)


@pytest.mark.slow
def test_the_middle_of_the_box_does_not_depend_on_the_learner():
    plans = [duelli.plan(dim=2, horizon=60, learner=name) for name in ("auto", "spsa", "arc_race")]
    assert len({plan.prior_gap for plan in plans}) == 1
