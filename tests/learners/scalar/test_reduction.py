"""What all reductions share: inputs of the scalar learners, states, and the aim."""

import json

import pytest

from duelli.blocks import Tally
from duelli.learners.scalar import SCALARS, AnchoredDoubler, Doubler, MultiSbm, Sparring
from duelli.testing import CoinFlips

from .duels import duelled, linear
from .rewards import cone

CHOOSING = {"anchored_doubler": AnchoredDoubler, "doubler": Doubler, "sparring": Sparring}
ALL = {**CHOOSING, "multi_sbm": MultiSbm}


@pytest.mark.parametrize("name", CHOOSING)
@pytest.mark.parametrize("scalar", SCALARS)
def test_every_scalar_learner_can_be_reduced_to(name, scalar):
    learner = CHOOSING[name](dim=2, horizon=100, scalar=scalar)
    duels, coins = 0, CoinFlips()
    while step := learner.ask():
        duels += step[0].n
        learner.tell([coins.play(step[0]).tally])
    assert duels == learner.duels == 100


@pytest.mark.parametrize("name", CHOOSING)
@pytest.mark.parametrize("scalar", ["a_blin", "cab1", "hoo", "robust_zooming", "ucb1"])
def test_it_goes_on_from_its_state_whatever_the_scalar_learner(name, scalar):
    def run(restart):
        learner, coins, blocks = CHOOSING[name](dim=2, horizon=60, scalar=scalar), CoinFlips(), []
        while step := learner.ask():
            blocks.extend(step)
            learner.tell([coins.play(step[0]).tally])
            if restart:
                state = json.loads(json.dumps(learner.state()))
                learner = CHOOSING[name].from_state(learner.config, state)
        return blocks

    assert run(restart=True) == run(restart=False)


@pytest.mark.parametrize("name", CHOOSING)
@pytest.mark.parametrize("scalar", ["hoo", "robust_zooming", "log_li"])
def test_the_scalar_learner_is_told_gamma_times_l(name, scalar):
    learner = CHOOSING[name](dim=1, horizon=100, scalar=scalar, slope_max=0.25, lipschitz=3.0)
    assert {each.config.lipschitz for each in learner._state.scalars} == {0.75}


@pytest.mark.parametrize("name", CHOOSING)
def test_a_grid_is_the_same_in_the_whole_run(name):
    learner = CHOOSING[name](dim=2, horizon=10**4, scalar="ucb1")
    assert learner._state.scalars[0].grid.cells == 6
    learner = CHOOSING[name](dim=2, horizon=10**4, scalar="ucb1", cells=3)
    assert learner._state.scalars[0].grid.cells == 3


@pytest.mark.parametrize("name", CHOOSING)
def test_further_inputs_reach_the_scalar_learner(name):
    inputs = {"corruption": 7.0, "removal": False}
    learner = CHOOSING[name](dim=1, horizon=9, scalar="robust_zooming", scalar_inputs=inputs)
    assert learner._state.scalars[0].config.corruption == 7.0
    assert not learner._state.scalars[0].config.removal


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"scalar": "zoming"}, "scalar must be one of .*; got 'zoming'; did you mean 'zooming'"),
        ({"scalar_inputs": {"sede": 1}}, "scalar_inputs of truncated_hoo may hold"),
        ({"scalar_inputs": {"seed": 1}}, "scalar_inputs of truncated_hoo may hold"),
        ({"scalar": "d_blin", "scalar_inputs": {"const": -1}}, "const must be above 0; got -1"),
        ({"cells": 4}, "cells must be None for truncated_hoo, which has no grid; got 4"),
        ({"scalar": "ucb1", "cells": 0}, "cells must be a whole number of at least 1"),
        ({"slope_max": 0}, "slope_max must be above 0; got 0"),
        ({"lipschitz": 0}, "lipschitz must be above 0; got 0"),
        ({"aim": "fun"}, "aim must be one of answer, regret; got 'fun'"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1"),
    ],
)
@pytest.mark.parametrize("name", CHOOSING)
def test_wrong_inputs_are_named(name, wrong, message):
    with pytest.raises(ValueError, match=message):
        CHOOSING[name](**{"dim": 1, "horizon": 10, **wrong})


@pytest.mark.parametrize("name", ALL)
def test_with_the_aim_answer_no_arm_meets_itself(name):
    learner = ALL[name](dim=1, horizon=600, aim="answer", **{"cells": 3} if "sbm" in name else {})
    pairs = [(x, y) for x, y, _ in duelled(learner, linear(cone))]
    assert all(x != y for x, y in pairs)
    assert 0 < len(pairs) == learner.duels <= 600


@pytest.mark.parametrize("name", ALL)
def test_arms_that_would_meet_themselves_tie_without_a_duel(name):
    # The only arm of the grid meets itself in every turn.
    learner = ALL[name](dim=1, horizon=40, aim="answer", **_one_cell(name), **_start(name, (0.5,)))
    assert learner.ask() == ()
    assert learner.state()["turns"] == 40
    assert learner.duels == 0


@pytest.mark.parametrize("name", ALL)
def test_the_only_arm_of_a_grid_meets_itself_to_the_end(name):
    learner = ALL[name](dim=2, horizon=40, **_one_cell(name), **_start(name, (0.5, 0.5)))
    pairs = [(x, y) for x, y, _ in duelled(learner, linear(cone))]
    assert pairs == [((0.5, 0.5), (0.5, 0.5))] * 40
    assert learner.ask() == ()
    assert learner.recommend() == (0.5, 0.5)


@pytest.mark.parametrize("name", ALL)
def test_it_goes_on_from_its_state_with_a_single_arm(name):
    learner = ALL[name](dim=1, horizon=40, **_one_cell(name))
    for _ in duelled(learner, linear(cone)):
        again = ALL[name].from_state(learner.config, json.loads(json.dumps(learner.state())))
        assert (again.ask(), again.state()) == (learner.ask(), learner.state())


def _one_cell(name):
    return {"cells": 1} if name == "multi_sbm" else {"cells": 1, "scalar": "ucb1"}


def _start(name, arm):
    return {} if name in ("multi_sbm", "sparring") else {"start": arm}


@pytest.mark.parametrize("name", ALL)
def test_it_goes_on_from_its_state_with_the_aim_answer(name):
    inputs = {"cells": 3} if name == "multi_sbm" else {"scalar": "ucb1", "cells": 3}
    learner = ALL[name](dim=1, horizon=80, aim="answer", **inputs)
    for _ in duelled(learner, linear(cone)):
        again = ALL[name].from_state(learner.config, json.loads(json.dumps(learner.state())))
        assert again.ask() == learner.ask()
        assert again.state() == learner.state()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turns": 9}, r"state.turns must lie in \[4, 4\]; got 9"),
        ({"scalars": []}, "state.scalars must be a list of 2 states"),
        ({"scalars": None}, "state.scalars must be a list of 2 states"),
        ({"duels": 3, "turns": 3}, r"state.scalars\[0\].pulls must be 3, as state.turns; got 4"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = Sparring(dim=1, horizon=10)
    for _ in duelled(learner, linear(cone), most=4):
        pass
    with pytest.raises(ValueError, match=message):
        Sparring.from_state(learner.config, {**learner.state(), **change})


def test_a_state_that_is_no_object_is_refused():
    with pytest.raises(TypeError, match="state must be a JSON object"):
        Sparring.from_state(Sparring(dim=1, horizon=10).config, [])


@pytest.mark.parametrize("name", ALL)
def test_fractions_of_a_win_are_rewards(name):
    learner = ALL[name](dim=2, horizon=50)
    while step := learner.ask():
        learner.tell([Tally(1, 0.5, step[0].low)])
    assert learner.duels == 50


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dim", [1, 8])
def test_every_reduction_works_in_1_to_8_dimensions(name, dim):
    learner = ALL[name](dim=dim, horizon=30)
    assert len(list(duelled(learner, lambda _x, _y: 0.5))) == 30


@pytest.mark.parametrize("name", ALL)
def test_one_duel_is_enough(name):
    learner = ALL[name](dim=2, horizon=1)
    assert len(list(duelled(learner, linear(cone)))) == 1


@pytest.mark.parametrize("name", ALL)
def test_it_claims_nothing(name):
    answer = ALL[name](dim=2, horizon=10).best()
    assert (answer.gap_low, answer.gap_high) == (0, 0.5)
    assert "gives no bound" in answer.text
