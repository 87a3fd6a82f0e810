"""The public functions: simulate for researchers, optimize for engineers."""

import json
import subprocess
import sys

import numpy as np
import pytest

import duelli
from duelli.boxes import Box
from duelli.duels import DuelModel
from duelli.errors import DuelFailedError
from duelli.learners.arc import ArcDuelli

MODEL = DuelModel("two_cones")
NAMED = {"depth": (0, 10), "rate": (1e-3, 1e-1, "log")}
PLAIN = [(0, 10), (-1, 1)]


def arc(**inputs):
    return ArcDuelli(**{"dim": 2, "horizon": 10**5, "slope_max": 0.25, **inputs})


def test_simulate_plays_the_horizon():
    assert duelli.simulate(arc(), MODEL).horizon == 10**5


@pytest.mark.parametrize("engine", ["collapsed", "per_duel"])
def test_simulate_is_a_function_of_its_seeds(engine):
    one, two = (duelli.simulate(arc(seed=1), MODEL, engine=engine, seed=2) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("engine", ["collapsed", "per_duel"])
def test_another_seed_is_another_run(engine):
    one, two = (duelli.simulate(arc(), MODEL, engine=engine, seed=seed) for seed in (1, 2))
    assert one.cumulative_regret != two.cumulative_regret


def test_simulate_refuses_a_model_that_is_none():
    with pytest.raises(TypeError, match="model must be a DuelModel; got 'two_cones'"):
        duelli.simulate(arc(), "two_cones")


def test_simulate_refuses_an_engine_that_needs_a_user():
    with pytest.raises(ValueError, match="engine must be one of collapsed, per_duel; got 'callba"):
        duelli.simulate(arc(), MODEL, engine="callback")


def test_simulate_refuses_a_learner_of_another_dimension():
    with pytest.raises(ValueError, match="must have the landscape's 2 dimensions; got 3"):
        duelli.simulate(arc(dim=3), MODEL)


def deeper(x, y):
    """A duel without noise: the point with the larger depth wins."""
    return x["depth"] > y["depth"]


def larger(x, y):
    return x[0] > y[0]


def test_optimize_finds_the_better_end_of_a_named_box():
    # 2 rounds: the upper half of the depth, as the best of the four quarters, wins surely.
    result = duelli.optimize(deeper, NAMED, horizon=10**4)
    assert result.best["depth"] > 5


def test_optimize_finds_the_better_end_of_a_plain_box():
    assert duelli.optimize(larger, PLAIN, horizon=10**4).best[0] > 5


def test_the_best_point_of_a_named_box_is_a_dict():
    assert set(duelli.optimize(deeper, NAMED, horizon=500).best) == {"depth", "rate"}


def test_the_best_point_of_a_plain_box_is_an_array():
    assert isinstance(duelli.optimize(larger, PLAIN, horizon=500).best, np.ndarray)


def test_a_box_may_be_given_as_such():
    assert duelli.optimize(deeper, Box(NAMED), horizon=500).best.keys() == NAMED.keys()


def test_bounds_may_be_an_array():
    assert duelli.optimize(larger, np.array(PLAIN), horizon=500).best.shape == (2,)


def test_the_best_point_lies_in_the_box():
    best = duelli.optimize(deeper, NAMED, horizon=500).best
    assert 0 <= best["depth"] <= 10
    assert 1e-3 <= best["rate"] <= 1e-1


def test_optimize_asks_as_often_as_it_may():
    calls = []
    duelli.optimize(lambda x, y: calls.append(1) or larger(x, y), PLAIN, horizon=700)
    assert len(calls) == 700


def test_the_result_counts_the_duels():
    assert duelli.optimize(larger, PLAIN, horizon=700).duels == 700


def test_optimize_is_a_function_of_its_seed():
    one, two = (duelli.optimize(deeper, NAMED, horizon=2000, seed=4) for _ in range(2))
    assert one == two


def test_another_seed_asks_other_questions():
    one, two = (
        duelli.optimize(deeper, NAMED, horizon=2000, seed=seed, learner="arc_duelli")
        for seed in (4, 5)
    )
    assert one.best != two.best


def test_ties_count_half():
    # Round 2 chooses among four cubes; all tied at one half, the first one wins.
    tie = {"duel": lambda x, y: 0.5, "box": PLAIN, "horizon": 10**4}  # noqa: ARG005
    result = duelli.optimize(**tie, learner="arc_duelli")
    assert result.answer.low == (0.0, 0.0)


def test_the_answer_says_when_there_were_not_enough_duels():
    for learner in ("arc_duelli", "arc_race"):
        result = duelli.optimize(larger, PLAIN, horizon=100, learner=learner)
        assert "not enough duels yet" in result.answer.text.lower()


def test_settings_reach_the_learner():
    start = {"start": (0.25, 0.5)}
    result = duelli.optimize(larger, PLAIN, horizon=100, learner="arc_duelli", settings=start)
    assert result.best.tolist() == [2.5, 0.0]


def many(xs, y):
    return xs[:, 0] > y[0]


def test_many_points_at_once_find_the_better_end():
    result = duelli.optimize(None, PLAIN, horizon=10**4, duel_many=many)
    assert result.best[0] > 5


def test_many_points_at_once_take_few_calls():
    calls = []
    duelli.optimize(
        None, PLAIN, horizon=10**4, duel_many=lambda xs, y: calls.append(len(xs)) or many(xs, y)
    )
    assert (len(calls), sum(calls)) < (40, 10**4 + 1)


def test_many_points_of_a_named_box_are_dicts():
    result = duelli.optimize(
        None, NAMED, horizon=500, duel_many=lambda xs, y: [deeper(x, y) for x in xs]
    )
    assert result.duels == 500


class Flaky:
    """A duel that raises at its k-th call, once."""

    def __init__(self, duel, fail_at):
        self.duel, self.fail_at, self.calls = duel, fail_at, 0

    def __call__(self, x, y):
        self.calls += 1
        if self.calls == self.fail_at:
            raise ConnectionError("the judge went home")
        return self.duel(x, y)


def after_failure(horizon, fail_at, *, duel=None, duel_many=None, seed=3):
    """Return the result of a run that failed, was saved as JSON, and went on."""
    flaky = Flaky(duel or duel_many, fail_at)
    given = {"duel": flaky} if duel else {"duel": None, "duel_many": flaky}
    with pytest.raises(DuelFailedError) as caught:
        duelli.optimize(box=PLAIN, horizon=horizon, seed=seed, **given)
    state = json.loads(json.dumps(caught.value.state))
    given = {"duel": duel, "duel_many": duel_many}
    return duelli.optimize(box=PLAIN, horizon=horizon, seed=seed, state=state, **given)


@pytest.mark.parametrize("fail_at", [1, 2, 137, 700, 1999])
def test_a_run_that_failed_goes_on_to_the_same_result(fail_at):
    undisturbed = duelli.optimize(larger, PLAIN, horizon=2000, seed=3)
    found = after_failure(2000, fail_at, duel=larger)
    assert (found.best.tolist(), found.state) == (undisturbed.best.tolist(), undisturbed.state)


@pytest.mark.parametrize("fail_at", [1, 2, 5, 9])
def test_a_batched_run_that_failed_goes_on_to_the_same_result(fail_at):
    undisturbed = duelli.optimize(None, PLAIN, horizon=10**4, duel_many=many, seed=3)
    found = after_failure(10**4, fail_at, duel_many=many)
    assert (found.best.tolist(), found.state) == (undisturbed.best.tolist(), undisturbed.state)


def test_no_duel_is_asked_twice_but_the_one_that_failed():
    asked = []

    def judge(x, y):
        asked.append((*x.tolist(), *y.tolist()))
        return larger(x, y)

    after_failure(400, 150, duel=judge)
    assert len(asked) == 400  # the failing call never reached the judge


def test_the_failure_says_which_duel_it_was():
    with pytest.raises(DuelFailedError, match="ConnectionError in duel 42: the judge went home"):
        duelli.optimize(Flaky(larger, 42), PLAIN, horizon=100)


def test_a_finished_run_that_goes_on_is_finished():
    result = duelli.optimize(larger, PLAIN, horizon=300, seed=1)
    again = duelli.optimize(larger, PLAIN, horizon=300, seed=1, state=result.state)
    assert again.state == result.state


GROWTH = """
import resource, sys
import duelli

def rss():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

def simulate(engine):
    model = duelli.DuelModel("two_cones")
    return lambda horizon: duelli.simulate(
        duelli.ArcDuelli(dim=2, horizon=horizon, slope_max=0.25), model, engine=engine
    )

run = {
    "collapsed": simulate("collapsed"),
    "per_duel": simulate("per_duel"),
    "optimize": lambda horizon: duelli.optimize(
        lambda x, y: x[0] > y[0], [(0, 10), (-1, 1)], horizon=horizon
    ),
}[sys.argv[1]]
run(int(sys.argv[2]))
before = rss()
run(int(sys.argv[3]))
print(rss() - before)
"""


@pytest.mark.parametrize(
    ("door", "short", "long"),
    [("collapsed", 10**6, 10**9), ("per_duel", 10**6, 10**8), ("optimize", 3000, 30_000)],
)
def test_resident_size_does_not_grow_with_the_horizon(door, short, long):
    # The meshes of the collapsed engine may fill their 24 MB; one byte a duel would be more.
    process = subprocess.run(
        [sys.executable, "-c", GROWTH, door, str(short), str(long)],
        capture_output=True,
        text=True,
        check=True,
    )
    allowed = {"collapsed": 40_000, "per_duel": 8_000, "optimize": 2_000}[door]
    assert int(process.stdout) < allowed  # KiB on Linux


def test_a_learner_without_a_horizon_needs_to_be_told_when_to_stop():
    endless = duelli.ArcRace(dim=2, slope_max=0.25)
    with pytest.raises(ValueError, match="duels must be given for a learner without a horizon"):
        duelli.simulate(endless, duelli.DuelModel("sharp"))


def test_a_run_stops_after_the_block_in_which_the_duels_are_reached():
    endless = duelli.ArcRace(dim=2, slope_max=0.25)
    trace = duelli.simulate(endless, duelli.DuelModel("sharp"), duels=5000)
    assert 5000 <= trace.horizon < 20_000


def test_a_rival_serves_as_a_learner_too_and_claims_nothing():
    result = duelli.optimize(larger, PLAIN, horizon=2000, learner="interleaved_filter")
    assert result.answer is None
    assert result.duels == 2000
