"""Bad input: one clear error that names the argument, the rule and what came; nothing changes."""

import math

import numpy as np
import pytest

import duelli
from duelli import (
    ArcDuelli,
    Block,
    Box,
    DuelFailedError,
    DuelliError,
    DuelModel,
    OneByOne,
    OutOfTurnError,
    SavedRunError,
    Tally,
    landscape,
    link,
    optimize,
    plan,
    simulate,
)
from duelli.engines import Callback

MODEL = DuelModel("two_cones")


def arc(**inputs):
    return ArcDuelli(**{"dim": 2, "horizon": 1000, "slope_max": 0.25, **inputs})


def fight(**inputs):
    given = {"duel": lambda x, y: x[0] > y[0], "box": [(0, 1)], "horizon": 300}
    return optimize(**{**given, "learner": "arc_duelli", **inputs})


def asked():
    learner = arc()
    learner.ask()
    return learner


REFUSED = {
    "horizon_0": (
        lambda: arc(horizon=0),
        ValueError,
        "horizon must be a whole number of at least 1; got 0",
    ),
    "horizon_fraction": (
        lambda: arc(horizon=1.5),
        ValueError,
        "horizon must be a whole number of at least 1; got 1.5",
    ),
    "horizon_nan": (
        lambda: arc(horizon=math.nan),
        ValueError,
        "horizon must be a whole number of at least 1; got nan",
    ),
    "horizon_text": (
        lambda: arc(horizon="1e8"),
        TypeError,
        "horizon must be a whole number of at least 1; got '1e8'",
    ),
    "horizon_of_optimize": (
        lambda: fight(horizon=1.5),
        ValueError,
        "horizon must be a whole number of at least 1; got 1.5",
    ),
    "horizon_of_plan": (
        lambda: plan(dim=2, horizon=0),
        ValueError,
        "horizon must be a whole number of at least 1; got 0",
    ),
    "failure_prob_0": (
        lambda: arc(failure_prob=0),
        ValueError,
        "failure_prob must lie in (0, 1); got 0",
    ),
    "failure_prob_1": (
        lambda: arc(failure_prob=1.0),
        ValueError,
        "failure_prob must lie in (0, 1); got 1.0",
    ),
    "failure_prob_above": (
        lambda: plan(dim=2, horizon=10, failure_prob=1.5),
        ValueError,
        "failure_prob must lie in (0, 1); got 1.5",
    ),
    "dim": (
        lambda: arc(dim=0),
        ValueError,
        "dim must be a whole number of at least 1; got 0",
    ),
    "slope_max": (
        lambda: arc(slope_max=0),
        ValueError,
        "slope_max must be above 0; got 0",
    ),
    "lipschitz": (
        lambda: fight(lipschitz=-1),
        ValueError,
        "lipschitz must be above 0; got -1",
    ),
    "slope_ratio": (
        lambda: arc(slope_ratio=0.5),
        ValueError,
        "slope_ratio must be at least 1; got 0.5",
    ),
    "seed": (
        lambda: arc(seed=-1),
        ValueError,
        "seed must be a whole number of at least 0; got -1",
    ),
    "seed_of_per_duel": (
        lambda: simulate(arc(), MODEL, engine="per_duel", seed=-1),
        ValueError,
        "seed must be a whole number of at least 0; got -1",
    ),
    "two_ways_to_set_b": (
        lambda: arc(zooming_dim=0, num_rounds=3),
        ValueError,
        "give zooming_dim or num_rounds, not both: each sets B",
    ),
    "start_outside": (
        lambda: arc(start=(0.5, 1.5)),
        ValueError,
        "start must lie in [0, 1]^2; got (0.5, 1.5)",
    ),
    "start_of_another_dimension": (
        lambda: arc(start=(0.5,)),
        ValueError,
        "start must have shape (2,), one entry per dimension; got (1,)",
    ),
    "start_nan": (
        lambda: arc(start=(0.5, math.nan)),
        ValueError,
        "start[1] must be finite; got nan",
    ),
    "arm_outside": (
        lambda: MODEL.win_prob((0.5, -1), (0.5, 0.5)),
        ValueError,
        "x must lie in [0, 1]^2; got [0.5, -1.0]",
    ),
    "arm_of_another_dimension": (
        lambda: MODEL.win_prob((0.5, 0.5), (0.5, 0.5, 0.5)),
        ValueError,
        "y must have shape (2,) or (n, 2); got (3,)",
    ),
    "reference_outside": (
        lambda: Block((0.0, 0.0), 1.0, (2.0, 0.0), 1),
        ValueError,
        "reference must lie in [0, 1]^2; got (2.0, 0.0)",
    ),
    "point_outside_the_users_box": (
        lambda: Box({"depth": (1, 9)}).to_unit({"depth": 10}),
        ValueError,
        "depth must lie in [1.0, 9.0]; got 10.0",
    ),
    "learner_of_another_dimension": (
        lambda: simulate(arc(dim=3), MODEL),
        ValueError,
        "learner must have the landscape's 2 dimensions; got 3",
    ),
    "learner_by_name_in_simulate": (
        lambda: simulate("arc_duelli", MODEL),
        TypeError,
        "learner must be a learner, such as ArcDuelli(...); got 'arc_duelli'",
    ),
    "model_by_name_in_simulate": (
        lambda: simulate(arc(), "two_cones"),
        TypeError,
        "model must be a DuelModel; got 'two_cones'",
    ),
    "utility_nan": (
        lambda: landscape(lambda xs: xs[:, 0] * math.nan, 1, best_arm=(0.5,)),
        ValueError,
        "utility must be finite; got nan at (0.5,)",
    ),
    "utility_nan_in_search": (
        lambda: landscape(lambda xs: np.where(xs[:, 0] == 1, np.nan, xs[:, 0]), 1),
        ValueError,
        "utility must be finite; got nan at (1.0,)",
    ),
    "link_not_symmetric": (
        lambda: link(lambda u: np.where(u > 0, 0.9, 0.5)),
        ValueError,
        "link must be symmetric, ρ(-u) = 1 - ρ(u); got ρ(-1) = 0.5",
    ),
    "link_of_plan": (
        lambda: plan(dim=2, horizon=10, link=0.25),
        TypeError,
        "link must be a Link or a name; got 0.25",
    ),
    "link_of_optimize": (
        lambda: fight(link=0.25),
        TypeError,
        "link must be a Link or a name; got 0.25",
    ),
    "aim_of_optimize": (
        lambda: fight(aim="best"),
        ValueError,
        "aim must be one of answer, regret; got 'best'",
    ),
    "start_outside_the_users_box": (
        lambda: fight(start=[2]),
        ValueError,
        "x1 must lie in [0.0, 1.0]; got 2.0",
    ),
    "parallel_0": (
        lambda: fight(parallel=0),
        ValueError,
        "parallel must be a whole number of at least 1; got 0",
    ),
    "retries_negative": (
        lambda: fight(retries=-1),
        ValueError,
        "retries must be a whole number of at least 0; got -1",
    ),
    "saved_is_no_object": (
        lambda: fight(saved=[1]),
        SavedRunError,
        "a saved run must be a JSON object; got a list",
    ),
    "saved_by_an_older_release": (
        lambda: fight(saved={"learner": {}, "duels": 3}),
        SavedRunError,
        "format must be 'duelli run'; got None; states of duelli 0.1 cannot be continued, so begin "
        "the run again",
    ),
    "unknown_input_of_the_learner": (
        lambda: fight(inputs={"zoomin_dim": 1}),
        ValueError,
        "the inputs of arc_duelli may hold dim, failure_prob, horizon, lipschitz, num_rounds, "
        "order, seed, slope_max, slope_ratio, start, zooming_dim; got zoomin_dim; did you mean "
        "'zooming_dim'?",
    ),
    "unknown_link": (
        lambda: fight(link="bt"),
        ValueError,
        "link must be one of arctan, linear, logistic, probit, tanh; got 'bt'",
    ),
    "unknown_landscape": (
        lambda: DuelModel("cone"),
        ValueError,
        f"landscape must be one of {', '.join(sorted(duelli.LANDSCAPES))}; got 'cone'",
    ),
    "unknown_learner": (
        lambda: fight(learner="arc"),
        ValueError,
        f"learner must be one of {', '.join(sorted(duelli.LEARNERS))}; got 'arc'",
    ),
    "unknown_engine": (
        lambda: simulate(arc(), MODEL, engine="fast"),
        ValueError,
        "engine must be one of collapsed, per_duel; got 'fast'",
    ),
    "unknown_order": (
        lambda: arc(order="lex"),
        ValueError,
        "order must be one of lexicographic, random; got 'lex'",
    ),
    "tell_before_ask": (
        lambda: arc().tell([Tally(159, 0, (0.5, 0.5))]),
        OutOfTurnError,
        "tell() was called with no step pending; call ask() first",
    ),
    "outcome_before_ask": (
        lambda: OneByOne(arc()).tell_outcome(1),
        OutOfTurnError,
        "tell() was called with no step pending; call ask() first",
    ),
    "more_wins_than_duels": (
        lambda: Tally(3, 4, (0.5, 0.5)),
        ValueError,
        "wins must lie in [0, n] = [0, 3]; got 4",
    ),
    "tally_of_another_size": (
        lambda: asked().tell([Tally(3, 1, (0.5, 0.5))]),
        ValueError,
        "tallies[0].n must be 159, as asked; got 3",
    ),
    "witness_outside": (
        lambda: asked().tell([Tally(159, 1, (0.5, 1.5))]),
        ValueError,
        "tallies[0].witness must lie in the block's cube at (0.0, 0.0) of edge 1.0; got (0.5, 1.5)",
    ),
    "no_tally": (
        lambda: asked().tell([True]),
        TypeError,
        "tallies[0] must be a Tally; got True",
    ),
    "tally_without_a_list": (
        lambda: asked().tell(Tally(159, 1, (0.5, 0.5))),
        TypeError,
        "tallies must be a sequence, one for each block; got "
        "Tally(n=159, wins=1, witness=(0.5, 0.5))",
    ),
    "tally_too_many": (
        lambda: asked().tell([Tally(159, 1, (0.5, 0.5))] * 2),
        ValueError,
        "tallies must have 1 entries, one for each block; got 2",
    ),
    "outcome_beyond": (
        lambda: OneByOne(asked()).tell_outcome(2),
        ValueError,
        "outcome must be True, False or a number in [0, 1]; got 2",
    ),
    "duel_raises": (
        lambda: fight(duel=lambda x, y: 1 / 0),  # noqa: ARG005 (what is called, not with what)
        DuelFailedError,
        "duel raised ZeroDivisionError: division by zero",
    ),
    "duel_returns_none": (
        lambda: fight(duel=lambda x, y: None),  # noqa: ARG005
        DuelFailedError,
        "the outcome that duel returns must be True, False or a number in [0, 1]; got None",
    ),
    "duel_returns_a_text": (
        lambda: fight(duel=lambda x, y: "x"),  # noqa: ARG005
        DuelFailedError,
        "the outcome that duel returns must be True, False or a number in [0, 1]; got 'x'",
    ),
    "duel_returns_a_tuple": (
        lambda: fight(duel=lambda x, y: (True,)),  # noqa: ARG005
        DuelFailedError,
        "the outcome that duel returns must be True, False or a number in [0, 1]; got (True,)",
    ),
    "duel_returns_too_much": (
        lambda: fight(duel=lambda x, y: -1),  # noqa: ARG005
        DuelFailedError,
        "the outcome that duel returns must be True, False or a number in [0, 1]; got -1",
    ),
    "duel_many_returns_none": (
        lambda: fight(duel=None, duel_many=lambda xs, ys: None),  # noqa: ARG005
        DuelFailedError,
        "duel_many must return 140 outcomes, each True, False or a number in [0, 1]; got None",
    ),
    "duel_many_returns_too_few": (
        lambda: fight(duel=None, duel_many=lambda xs, ys: xs[1:, 0] > ys[1:, 0]),
        DuelFailedError,
        "duel_many must return 140 outcomes, each True, False or a number in [0, 1]; "
        "got the shape (139,)",
    ),
    "duel_many_returns_a_none": (
        lambda: fight(duel=None, duel_many=lambda xs, ys: [1, None] * 70),  # noqa: ARG005
        DuelFailedError,
        "duel_many must return 140 outcomes, each True, False or a number in [0, 1]; got None",
    ),
    "no_duel": (
        lambda: fight(duel=None),
        ValueError,
        "give duel or duel_many, and not both; got neither",
    ),
    "duel_many_is_no_function": (
        lambda: fight(duel=None, duel_many=3),
        TypeError,
        "duel_many must be a function; got 3",
    ),
    "learner_is_no_name": (
        lambda: fight(learner=["a"]),
        TypeError,
        "learner must be a string; got ['a']",
    ),
    "duel_is_no_function": (
        lambda: fight(duel=3),
        TypeError,
        "duel must be a function; got 3",
    ),
    "box_is_none": (
        lambda: fight(box=None),
        TypeError,
        "box must be names with bounds, or a list of bounds; got None",
    ),
}


@pytest.mark.parametrize(("call", "kind", "message"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_named_with_its_rule_and_what_came(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert (type(caught.value), str(caught.value)) == (kind, message)


@pytest.mark.parametrize("name", ["horizon", "dim", "slope_max", "failure_prob", "lipschitz"])
def test_an_input_that_is_no_number_is_named(name):
    with pytest.raises(TypeError, match=f"^{name} must be a .*number"):
        arc(**{name: "x"})


def test_an_input_that_does_not_exist_is_named():
    with pytest.raises(TypeError, match="'horizn'"):
        arc(horizn=5)


def test_an_error_of_a_turn_is_a_runtime_error_too():
    assert issubclass(OutOfTurnError, RuntimeError)
    assert issubclass(OutOfTurnError, DuelliError)


def test_a_failed_duel_is_a_runtime_error_too():
    assert issubclass(DuelFailedError, RuntimeError)
    assert issubclass(DuelFailedError, DuelliError)


def test_a_failed_duel_keeps_what_the_user_raised():
    with pytest.raises(DuelFailedError) as caught:
        fight(duel=lambda x, y: {}["nothing"])  # noqa: ARG005
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize(
    "tallies",
    [[Tally(3, 1, (0.5, 0.5))], [Tally(159, 1, (0.5, 1.5))], [Tally(159, 1, (0.5,))], [], None],
)
def test_a_refused_tally_leaves_the_learner_as_it_was(tallies):
    learner = asked()
    step, state = learner.ask(), learner.state()
    with pytest.raises((ValueError, TypeError)):
        learner.tell(tallies)
    assert (learner.ask(), learner.state()) == (step, state)


@pytest.mark.parametrize("outcome", [2, -0.5, math.nan, None, "x"])
def test_a_refused_outcome_leaves_the_learner_as_it_was(outcome):
    learner = OneByOne(arc())
    pair, state = learner.ask(), learner.state()
    with pytest.raises((ValueError, TypeError)):
        learner.tell_outcome(outcome)
    assert (learner.ask(), learner.state()) == (pair, state)


def failing_at(turn, answer=None):
    """Return a duel that is honest, but answers with ``answer`` in its call number ``turn``."""
    calls = []

    def duel(x, y):
        calls.append((x, y))
        return answer if len(calls) == turn else bool(x[0] > y[0])

    return duel


def test_a_failed_duel_leaves_the_engine_as_it_was():
    engine = Callback(Box([(0, 1)]), duel=failing_at(3), seed=5)
    block = Block((0.0,), 1.0, (0.5,), 4)
    with pytest.raises(DuelFailedError):
        engine.play(block)
    again = Callback(Box([(0, 1)]), duel=failing_at(0), seed=5)
    assert engine.play(block).tally == again.play(block).tally


def test_after_a_failed_duel_the_run_goes_on_as_if_nothing_had_been():
    whole = fight(duel=failing_at(0), horizon=400)
    with pytest.raises(DuelFailedError) as caught:
        fight(duel=failing_at(250), horizon=400)
    rest = fight(duel=failing_at(0), horizon=400, saved=caught.value.saved)
    assert rest.saved == whole.saved


def test_after_a_failed_batch_the_run_goes_on_as_if_nothing_had_been():
    def batch(turn):
        calls = []

        def duel_many(xs, ys):
            calls.append(len(xs))
            return None if len(calls) == turn else xs[:, 0] > ys[:, 0]

        return duel_many

    whole = fight(duel=None, duel_many=batch(0), horizon=5000)
    with pytest.raises(DuelFailedError) as caught:
        fight(duel=None, duel_many=batch(4), horizon=5000)
    rest = fight(duel=None, duel_many=batch(0), horizon=5000, saved=caught.value.saved)
    assert rest.saved == whole.saved


def test_a_saved_run_with_one_changed_number_is_refused():
    saved = fight(horizon=400).saved
    saved["state"]["duels"] -= 1
    with pytest.raises(SavedRunError, match=r"^the saved run was changed after it was written"):
        fight(horizon=400, saved=saved)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seed": 1}, "the saved run must have the same seed as this call, 1; got 0"),
        (
            {"aim": "regret"},
            "the saved run must have the same aim as this call, 'regret'; got 'ans",
        ),
        ({"learner": "arc_race"}, "the same learner as this call, 'arc_race'; got 'arc_duelli'"),
        ({"failure_prob": 0.1}, "the same input 'failure_prob' as this call, 0.1; got 0.05"),
        ({"box": [(0, 2)]}, "the saved run must have the same box as this call, "),
    ],
)
def test_a_saved_run_of_another_kind_is_refused(changed, message):
    saved = fight().saved
    with pytest.raises(SavedRunError) as caught:
        fight(saved=saved, **changed)
    assert message in str(caught.value)
