"""The public functions: simulate for researchers, optimize for engineers."""

import asyncio
import json
import random
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


def many_larger(xs, ys):
    return xs[:, 0] > ys[:, 0]


def test_optimize_finds_the_better_end_of_a_named_box():
    assert duelli.optimize(deeper, NAMED, learner="arc_race", horizon=1000).best["depth"] > 9


def test_optimize_finds_the_better_end_of_a_plain_box():
    assert duelli.optimize(larger, PLAIN, learner="arc_race", horizon=1000).best[0] > 9


def test_the_best_point_of_a_named_box_is_a_dict():
    assert set(duelli.optimize(deeper, NAMED, learner="arc_race", horizon=100).best) == {
        "depth",
        "rate",
    }


def test_the_best_point_of_a_plain_box_is_an_array():
    assert isinstance(
        duelli.optimize(larger, PLAIN, learner="arc_race", horizon=100).best, np.ndarray
    )


def test_a_box_may_be_given_as_such():
    assert (
        duelli.optimize(deeper, Box(NAMED), learner="arc_race", horizon=100).best.keys()
        == NAMED.keys()
    )


def test_bounds_may_be_an_array():
    assert duelli.optimize(larger, np.array(PLAIN), learner="arc_race", horizon=100).best.shape == (
        2,
    )


def test_the_best_point_lies_in_the_box():
    best = duelli.optimize(deeper, NAMED, learner="arc_race", horizon=500).best
    assert 0 <= best["depth"] <= 10
    assert 1e-3 <= best["rate"] <= 1e-1


class Counted:
    """A judge that keeps the pairs that it was asked about."""

    def __init__(self, duel):
        self.duel, self.pairs = duel, []

    def __call__(self, x, y):
        self.pairs.append((x, y))
        return self.duel(x, y)


def test_the_answer_takes_at_most_the_horizon():
    judge = Counted(larger)
    duelli.optimize(judge, PLAIN, learner="arc_race", horizon=700)
    assert 0 < len(judge.pairs) <= 700


def test_for_the_answer_no_point_is_asked_against_itself():
    judge = Counted(larger)
    duelli.optimize(judge, PLAIN, learner="arc_race", horizon=700)
    assert not any((x == y).all() for x, y in judge.pairs)


def test_for_the_regret_the_judge_is_asked_exactly_the_horizon():
    judge = Counted(larger)
    duelli.optimize(judge, PLAIN, learner="arc_race", horizon=700, aim="regret")
    assert len(judge.pairs) == 700


def test_for_the_regret_the_last_duels_use_the_best_point():
    judge = Counted(larger)
    result = duelli.optimize(judge, PLAIN, horizon=1000, aim="regret", learner="arc_duelli")
    x, y = judge.pairs[-1]
    assert x.tolist() == y.tolist() == result.best.tolist()


@pytest.mark.parametrize("aim", ["answer", "regret"])
def test_the_result_counts_the_duels_that_were_judged(aim):
    judge = Counted(larger)
    result = duelli.optimize(judge, PLAIN, learner="arc_race", horizon=700, aim=aim)
    assert result.duels == result.answer.duels == len(result.history) == len(judge.pairs)


def test_whole_numbers_and_choices_do_not_meet_themselves():
    judge = Counted(lambda x, y: x["layers"] > y["layers"])
    box = {"layers": (1, 4, "int"), "kind": ["a", "b"]}
    result = duelli.optimize(judge, box, learner="arc_race", horizon=500)
    assert judge.pairs
    assert not any(x == y for x, y in judge.pairs)
    assert result.best["layers"] == 4


def test_the_history_holds_the_pairs_as_they_were_shown():
    judge = Counted(deeper)
    history = duelli.optimize(judge, NAMED, learner="arc_race", horizon=300).history
    assert [(row["x"], row["y"]) for row in history] == judge.pairs
    assert [row["outcome"] for row in history] == [deeper(x, y) for x, y in judge.pairs]


def test_a_history_that_is_not_kept_is_empty():
    assert (
        len(
            duelli.optimize(
                larger, PLAIN, learner="arc_race", horizon=300, keep_history=False
            ).history
        )
        == 0
    )


def test_a_judge_who_takes_the_first_shows_as_bias():
    bias = duelli.optimize(lambda x, y: True, PLAIN, learner="arc_race", horizon=300).bias  # noqa: ARG005
    assert bias.estimate == 0.5


def test_optimize_is_a_function_of_its_seed():
    one, two = (
        duelli.optimize(deeper, NAMED, learner="arc_race", horizon=2000, seed=4) for _ in range(2)
    )
    assert one.saved == two.saved


def test_another_seed_asks_other_questions():
    judges = [Counted(deeper), Counted(deeper)]
    for seed, judge in enumerate(judges):
        duelli.optimize(judge, NAMED, horizon=500, seed=seed, learner="arc_duelli")
    assert judges[0].pairs != judges[1].pairs


def test_ties_count_half():
    # Round 2 chooses among four cubes; all tied at one half, the first one wins.
    given = {"link": "logistic", "lipschitz": 1.0, "learner": "arc_duelli", "aim": "regret"}
    result = duelli.optimize(lambda x, y: 0.5, PLAIN, horizon=10**4, **given)  # noqa: ARG005
    assert result.answer.low.tolist() == [0.0, -1.0]
    assert result.answer.high.tolist() == [5.0, 0.0]


@pytest.mark.parametrize("learner", ["arc_duelli", "arc_race"])
def test_the_answer_says_when_there_were_not_enough_duels(learner):
    known = {"link": "logistic", "lipschitz": 1.0, "aim": "regret"}
    result = duelli.optimize(larger, PLAIN, horizon=100, learner=learner, **known)
    assert "not enough duels yet" in result.answer.text.lower()


@pytest.mark.parametrize("known", [{}, {"link": "logistic"}, {"lipschitz": 1.0}])
def test_nothing_is_claimed_unless_link_and_lipschitz_are_given(known):
    answer = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=100, **known).answer
    assert not answer.enough
    assert "nothing is claimed for it" in answer.text


def test_inputs_reach_the_learner():
    inputs = {"start": (0.25, 0.5)}
    result = duelli.optimize(larger, PLAIN, horizon=100, learner="arc_duelli", inputs=inputs)
    assert result.best.tolist() == [2.5, 0.0]


def test_the_start_is_given_in_the_users_units():
    result = duelli.optimize(larger, PLAIN, horizon=100, learner="arc_duelli", start=[2.5, 0.0])
    assert result.best.tolist() == [2.5, 0.0]


def test_a_callback_that_returns_true_stops_the_run():
    result = duelli.optimize(
        larger, PLAIN, learner="arc_race", horizon=700, callback=lambda run: run.duels >= 17
    )
    assert result.duels == 17


def test_many_points_at_once_find_the_better_end():
    result = duelli.optimize(None, PLAIN, learner="arc_race", horizon=1000, duel_many=many_larger)
    assert result.best[0] > 9


def sizes_of_calls(**given):
    sizes = []
    duelli.optimize(
        None,
        PLAIN,
        learner="arc_race",
        horizon=10**4,
        duel_many=lambda xs, ys: sizes.append(len(xs)) or many_larger(xs, ys),
        **given,
    )
    return sizes


def test_many_points_at_once_take_few_calls():
    assert len(sizes_of_calls()) < 40


def test_the_calls_with_many_points_add_up_to_the_horizon():
    assert sum(sizes_of_calls(aim="regret")) == 10**4


def test_many_points_of_a_named_box_are_dicts():
    kinds = set()

    def judge(xs, ys):
        kinds.update(type(point) for point in (*xs, *ys))
        return [deeper(x, y) for x, y in zip(xs, ys, strict=True)]

    duelli.optimize(None, NAMED, learner="arc_race", horizon=100, duel_many=judge)
    assert kinds == {dict}


@pytest.mark.parametrize("given", [{"parallel": 3}, {"duel": None, "duel_many": many_larger}])
def test_other_ways_to_judge_lead_to_the_same_run(given):
    serial = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=1000, seed=2)
    other = duelli.optimize(
        **{"duel": larger, "box": PLAIN, "learner": "arc_race", "horizon": 1000, "seed": 2, **given}
    )
    assert other.saved == serial.saved


def test_a_judge_may_be_awaited():
    async def judge(x, y):
        await asyncio.sleep(0)
        return larger(x, y)

    serial = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=300, seed=2)
    assert (
        duelli.optimize(judge, PLAIN, learner="arc_race", horizon=300, seed=2, parallel=4).saved
        == serial.saved
    )


class Flaky:
    """A duel that raises at its k-th call, once."""

    def __init__(self, duel, fail_at):
        self.duel, self.fail_at, self.calls = duel, fail_at, 0

    def __call__(self, x, y):
        self.calls += 1
        if self.calls == self.fail_at:
            raise ConnectionError("the judge went home")
        return self.duel(x, y)


def failed(fail_at, **given):
    """Return what a run that failed has saved, as JSON."""
    name = "duel_many" if "duel_many" in given else "duel"
    flaky = {"duel": None, name: Flaky(given.pop(name), fail_at)}
    with pytest.raises(DuelFailedError) as caught:
        duelli.optimize(box=PLAIN, learner="arc_race", seed=3, **{**given, **flaky})
    return json.loads(json.dumps(caught.value.saved))


@pytest.mark.parametrize("fail_at", [1, 2, 137, 700])
def test_a_run_that_failed_goes_on_to_the_same_result(fail_at):
    whole = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=800, seed=3)
    saved = failed(fail_at, duel=larger, horizon=800, aim="answer")
    assert (
        duelli.optimize(larger, PLAIN, learner="arc_race", horizon=800, seed=3, saved=saved).saved
        == whole.saved
    )


@pytest.mark.parametrize("fail_at", [1, 2, 5, 9])
def test_a_batched_run_that_failed_goes_on_to_the_same_result(fail_at):
    given = {"horizon": 10**4, "duel_many": many_larger}
    whole = duelli.optimize(None, PLAIN, learner="arc_race", seed=3, **given)
    again = duelli.optimize(
        None, PLAIN, learner="arc_race", seed=3, saved=failed(fail_at, **given), **given
    )
    assert again.saved == whole.saved


def test_a_run_that_was_judged_one_by_one_goes_on_with_many_at_once():
    whole = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=800, seed=3)
    saved = failed(300, duel=larger, horizon=800)
    given = {"horizon": 800, "seed": 3, "saved": saved, "duel_many": many_larger}
    assert duelli.optimize(None, PLAIN, learner="arc_race", **given).saved == whole.saved


def test_no_duel_is_judged_twice_after_a_failure():
    judge = Counted(larger)
    saved = failed(150, duel=judge, horizon=400, aim="regret")
    duelli.optimize(
        judge, PLAIN, learner="arc_race", horizon=400, seed=3, aim="regret", saved=saved
    )
    assert len(judge.pairs) == 400  # the failing call never reached the judge


def test_a_call_that_fails_is_repeated():
    whole = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=300, seed=3)
    again = duelli.optimize(
        Flaky(larger, 42), PLAIN, learner="arc_race", horizon=300, seed=3, retries=1
    )
    assert again.saved == whole.saved


def test_the_failure_says_what_was_raised():
    with pytest.raises(DuelFailedError, match=r"^duel raised ConnectionError: the judge "):
        duelli.optimize(Flaky(larger, 42), PLAIN, learner="arc_race", horizon=100)


def test_an_interrupt_carries_the_run():
    def judge(x, y):
        if len(counted.pairs) == 42:
            raise KeyboardInterrupt
        return larger(x, y)

    counted = Counted(judge)
    with pytest.raises(KeyboardInterrupt) as caught:
        duelli.optimize(counted, PLAIN, learner="arc_race", horizon=300, seed=3)
    rest = duelli.optimize(
        larger, PLAIN, learner="arc_race", horizon=300, seed=3, saved=caught.value.saved
    )
    assert (
        rest.saved == duelli.optimize(larger, PLAIN, learner="arc_race", horizon=300, seed=3).saved
    )


def test_a_finished_run_that_goes_on_asks_nothing():
    saved = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=300, seed=1).saved
    judge = Counted(larger)
    again = duelli.optimize(judge, PLAIN, learner="arc_race", horizon=300, seed=1, saved=saved)
    assert judge.pairs == []
    assert again.saved == saved


def test_a_finished_run_goes_on_to_a_larger_horizon():
    saved = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=100, seed=1).saved
    again = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=500, seed=1, saved=saved)
    assert 100 < again.duels <= 500


def test_a_checkpoint_is_gone_on_from(tmp_path):
    whole = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=300, seed=3)
    file = tmp_path / "run.json"
    failed(150, duel=larger, horizon=300, checkpoint=file)
    judge = Counted(larger)
    again = duelli.optimize(judge, PLAIN, learner="arc_race", horizon=300, seed=3, checkpoint=file)
    assert again.saved == whole.saved
    assert len(judge.pairs) == whole.duels - 149


def test_a_checkpoint_and_a_saved_run_are_one_too_many(tmp_path):
    file = tmp_path / "run.json"
    saved = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=100, checkpoint=file).saved
    with pytest.raises(ValueError, match="give checkpoint or saved, and not both: "):
        duelli.optimize(
            larger, PLAIN, learner="arc_race", horizon=100, checkpoint=file, saved=saved
        )


def test_a_checkpoint_is_what_the_result_has_saved(tmp_path):
    file = tmp_path / "run.json"
    result = duelli.optimize(larger, PLAIN, learner="arc_race", horizon=100, checkpoint=file)
    assert json.loads(file.read_text()) == result.saved == duelli.load(file).saved()


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
        lambda x, y: x[0] > y[0],
        [(0, 10), (-1, 1)],
        horizon=horizon,
        aim="regret",
        keep_history=False,
    ),
}[sys.argv[1]]
run(int(sys.argv[2]))
before = rss()
run(int(sys.argv[3]))
print(rss() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "short", "long"),
    [("collapsed", 10**6, 10**9), ("per_duel", 10**6, 10**8), ("optimize", 3000, 30_000)],
)
def test_resident_size_does_not_grow_with_the_horizon(function, short, long):
    # The meshes of the collapsed engine may fill their 24 MB; one byte a duel would be more.
    process = subprocess.run(
        [sys.executable, "-c", GROWTH, function, str(short), str(long)],
        capture_output=True,
        text=True,
        check=True,
    )
    allowed = {"collapsed": 40_000, "per_duel": 8_000, "optimize": 2_000}[function]
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
    given = {"learner": "interleaved_filter", "link": "logistic", "lipschitz": 1.0}
    answer = duelli.optimize(larger, PLAIN, horizon=2000, **given).answer
    assert "InterleavedFilter gives no bound" in answer.text
    assert (answer.gap_low, answer.gap_high, answer.enough) == (0.0, 0.5, False)


def test_a_run_of_arc_race_that_was_extended_uses_the_new_horizon():
    rnd, saved = random.Random(0), None
    for horizon in (100, 150, 300):
        result = duelli.optimize(
            lambda x, y: rnd.random() < 0.5 + 0.2 * (x[0] - y[0]),
            [(0.0, 1.0)] * 2,
            horizon=horizon,
            learner="arc_race",
            saved=saved,
        )
        saved = result.saved
        assert result.duels > 0.9 * horizon
