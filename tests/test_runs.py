"""Run: ask and tell in the user's units, in any order, from many threads, saved at any time."""

import json
import random
import threading

import numpy as np
import pytest
from judges import hash_judge

import duelli
from duelli import Box, OutOfTurnError, Run
from duelli.runs.answering import what_matters

BOX = {"a": (0.0, 1.0), "b": (0.0, 1.0)}


def make(horizon=300, box=BOX, **more):
    return Run(box, horizon=horizon, **{"learner": "arc_race", **more})


def finish(run, judge=hash_judge):
    while pairs := run.ask():
        run.tell(pairs[0].id, judge(pairs[0].x, pairs[0].y))
    return run


def test_pairs_are_in_the_users_units():
    run = make(box={"rate": (1e-4, 1e-1, "log"), "depth": (1, 9, "int"), "solver": ["adam", "sgd"]})
    for pair in run.ask(8):
        for point in (pair.x, pair.y):
            assert 1e-4 <= point["rate"] <= 1e-1
            assert type(point["depth"]) is int
            assert point["solver"] in ("adam", "sgd")


def test_a_run_ends():
    run = finish(make())
    assert run.done
    assert run.ask() == []
    assert 0 < run.duels <= 300


def test_every_pair_is_handed_out_once():
    run = make()
    pairs = run.ask(1000)
    assert len({pair.id for pair in pairs}) == len(pairs) > 8
    assert run.ask() == []
    assert not run.done


def test_the_next_step_comes_once_all_pairs_are_answered():
    run = make()
    pairs = run.ask(1000)
    for pair in pairs[1:]:
        run.tell(pair.id, "x")
    assert run.ask() == []
    run.tell(pairs[0].id, "y")
    assert run.ask()


def test_a_pair_that_was_given_back_is_handed_out_again():
    run = make()
    first, *_ = run.ask(3)
    run.release(first.id)
    assert run.ask() == [first]


def test_a_pair_that_was_given_back_after_a_load_is_handed_out_once():
    run = make(learner="auto", batch=3)
    ids = [pair.id for pair in run.ask(3)]
    again = Run.from_saved(run.saved())
    again.release(ids[0])
    assert [pair.id for pair in again.ask(9)] == ids
    again.release(ids[1])
    with pytest.raises(OutOfTurnError, match="given back before"):
        again.release(ids[1])
    assert [pair.id for pair in again.ask(9)] == [ids[1]]


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.5, 0.5), "The duels do not show yet which parameters matter."),
        ((0.6, 0.4), "All parameters seem to matter about equally."),
        ((0.17, 0.83), "The effect of b is clearest so far."),
        ((0.95, 0.05), "The effect of a is clearest so far; that of b is not clear yet."),
    ],
)
def test_what_matters_is_said_in_words(shares, words):
    assert what_matters(shares, Box(BOX)) == words


@pytest.mark.parametrize(
    ("word", "number"), [("x", 1.0), ("y", 0.0), ("tie", 0.5), (True, 1.0), (0.25, 0.25)]
)
def test_outcomes_are_of_the_point_shown_first(word, number):
    run = make()
    pair = run.ask()[0]
    run.tell(pair.id, word)
    (row,) = run.history
    assert (row["x"], row["y"], row["outcome"]) == (pair.x, pair.y, number)


@pytest.mark.parametrize("outcome", ["1", "X", None, 2, -1, float("nan")])
def test_what_is_no_outcome_is_refused_and_changes_nothing(outcome):
    run = make()
    pair, before = run.ask()[0], run.saved()
    with pytest.raises((ValueError, TypeError), match="outcome must be"):
        run.tell(pair.id, outcome)
    assert run.saved() == before
    run.tell(pair.id, "x")


@pytest.mark.parametrize("name", ["0.1", "7.0", "x", "", None, 3, "0.-1", "0.00"])
def test_a_pair_that_is_not_open_is_refused(name):
    run = make()
    run.ask()
    with pytest.raises(OutOfTurnError, match="is open; it was answered"):
        run.tell(name, "x")


def test_an_answer_counts_once():
    run = make()
    pair = run.ask()[0]
    run.tell(pair.id, "x")
    with pytest.raises(OutOfTurnError):
        run.tell(pair.id, "x")
    assert run.duels == 1


def test_both_sides_come_first_equally_often():
    run = finish(make(1000))
    first = [row["reference"] == "x" for row in run.history]
    steps = len({row["step"] for row in run.history})
    assert abs(sum(first) - len(first) / 2) <= steps / 2


def test_the_bias_of_a_judge_that_prefers_the_first_is_seen():
    run = finish(make(400), judge=lambda *_: True)
    assert run.bias.estimate == 0.5
    assert run.bias.duels == run.duels


@pytest.mark.parametrize("dim", [1, 2, 3, 6, 10])
@pytest.mark.parametrize("horizon", [1, 2, 5, 20, 333])
def test_no_point_meets_itself(dim, horizon):
    def judge(x, y):
        assert not np.array_equal(x, y)
        return hash_judge(x, y)

    run = finish(make(horizon, box=[(0.0, 1.0)] * dim), judge)
    assert run.duels <= horizon


@pytest.mark.parametrize("learner", ["arc_race", "arc_duelli", "interleaved_filter"])
def test_no_point_meets_itself_where_few_values_exist(learner):
    def judge(x, y):
        assert x != y
        return x["k"] > y["k"]

    box = {"k": (1, 3, "int"), "c": ["p", "q"]}
    run = finish(make(2000, box=box, learner=learner, link="logistic", lipschitz=1.0), judge)
    assert run.duels <= 2000
    assert all(row["x"] != row["y"] for row in run.history)


def test_the_paper_game_plays_exactly_the_horizon():
    assert finish(make(300, aim="regret")).duels == 300


def test_the_answer_is_in_the_users_units_and_names_the_parameters():
    run = finish(make(box={"rate": (10.0, 20.0)}, link="logistic", lipschitz=1.0))
    answer = run.best()
    assert 10 <= answer.arm["rate"] <= 20
    assert answer.text.startswith("rate = 1")


def test_without_link_and_lipschitz_nothing_is_claimed():
    answer = finish(make(3000)).best()
    assert (answer.gap_high, answer.enough) == (0.5, False)
    assert (answer.low, answer.high) == ({"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 1.0})
    assert "nothing is claimed" in answer.text


def test_a_run_that_ends_early_says_so():
    run = finish(make(2000, box=[(0.0, 1.0)] * 6))
    assert run.duels < 2000
    assert f"ended after {run.duels:,} of 2,000 duels" in run.best().text


def test_the_start_is_in_the_users_units():
    run = make(box={"rate": (10.0, 20.0)}, start={"rate": 12.0})
    pair = run.ask()[0]
    assert 12.0 in (round(pair.x["rate"], 6), round(pair.y["rate"], 6))


@pytest.mark.parametrize("told", [0, 1, 7, 40, 150])
def test_a_saved_run_goes_on_as_if_nothing_had_happened(tmp_path, told):
    run, other = make(), make()
    for _ in range(told):
        pair = run.ask()[0]
        run.tell(pair.id, hash_judge(pair.x, pair.y))
    run.ask(3)  # open pairs are handed out again after a restart
    run.save(tmp_path / "run.json")
    again = duelli.load(tmp_path / "run.json")
    assert finish(again).saved() == finish(other).saved()


def test_a_saved_run_is_plain_json():
    run = make()
    finish(run)
    assert json.loads(json.dumps(run.saved(), allow_nan=False)) == run.saved()


def test_saving_changes_nothing():
    run = make()
    run.ask(2)
    assert run.saved() == run.saved()
    assert len(run.ask(1)) == 1


@pytest.mark.parametrize("when", [0, 10, 299])
def test_the_horizon_can_grow(when):
    run = make(300, aim="regret")
    for _ in range(when):
        pair = run.ask()[0]
        run.tell(pair.id, hash_judge(pair.x, pair.y))
    run.extend(1000)
    assert finish(run).duels == 1000


def test_a_finished_run_can_be_extended():
    run = finish(make(100))
    before = run.duels
    run.extend(1000)
    assert not run.done
    assert before < finish(run).duels <= 1000


def test_an_extended_run_goes_on_from_its_file(tmp_path):
    run = make(100)
    for _ in range(9):
        pair = run.ask()[0]
        run.tell(pair.id, hash_judge(pair.x, pair.y))
    run.extend(500)
    run.save(tmp_path / "run.json")
    assert finish(duelli.load(tmp_path / "run.json")).saved() == finish(run).saved()


def test_the_horizon_does_not_shrink():
    with pytest.raises(ValueError, match="horizon must be at least 300"):
        make().extend(200)


def test_a_learner_whose_schedule_is_fixed_says_so():
    with pytest.raises(ValueError, match="it fixes the schedule of ArcDuelli"):
        make(learner="arc_duelli", link="logistic", lipschitz=1.0).extend(500)


def test_batches_are_the_same_duels():
    one, many = make(), make(box=Box([(0.0, 1.0)] * 2))
    finish(one)
    while (batch := many.ask_batch(50)) is not None:
        pairs = zip(batch.xs, batch.ys, strict=True)
        many.tell_batch(batch, [hash_judge_of_arrays(x, y) for x, y in pairs])
    assert [row["outcome"] for row in one.history] == [row["outcome"] for row in many.history]
    assert one.saved()["state"] == many.saved()["state"]


def hash_judge_of_arrays(x, y):
    return hash_judge(*({"a": a, "b": b} for a, b in (x.tolist(), y.tolist())))


def test_a_batch_is_told_once():
    run = make()
    batch = run.ask_batch(4)
    run.tell_batch(batch, [1, 0, 1, 0])
    with pytest.raises(OutOfTurnError, match="it was answered before"):
        run.tell_batch(batch, [1, 0, 1, 0])


@pytest.mark.parametrize("outcomes", [[1, 0, 1], [1, 0, 1, 2], [[1, 0, 1, 0]], 1])
def test_outcomes_of_another_shape_are_refused(outcomes):
    run = make()
    with pytest.raises(ValueError, match="outcomes must be 4 numbers"):
        run.tell_batch(run.ask_batch(4), outcomes)


@pytest.mark.parametrize("threads", [2, 16])
def test_threads_that_answer_in_any_order_end_as_one_thread_does(threads):
    run, lock = make(5000, aim="regret"), threading.Lock()
    held = []
    shuffle = random.Random(5)

    def work():
        while not run.done:
            with lock:
                held.extend(run.ask(3))
                pair = held.pop(shuffle.randrange(len(held))) if held else None
            if pair is not None:
                run.tell(pair.id, hash_judge(pair.x, pair.y))

    crew = [threading.Thread(target=work) for _ in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    assert run.duels == 5000
    assert run.saved() == finish(make(5000, aim="regret")).saved()


def test_the_same_seed_gives_the_same_pairs():
    assert make(seed=3).ask(50) == make(seed=3).ask(50)
    assert make(seed=3).ask(50) != make(seed=4).ask(50)


def test_the_history_knows_how_the_answer_came_about():
    run = finish(make())
    answers = run.history.answers()
    assert len(answers) == run.steps
    assert answers[-1] == (run.duels, run.best().arm)
    duels = [number for number, _ in answers]
    assert duels == sorted(duels)
    assert Run.from_saved(run.saved()).history.answers() == answers


def test_without_history_nothing_is_kept():
    run = finish(make(keep_history=False))
    assert len(run.history) == 0
    assert run.saved()["history"] is None
    assert Run.from_saved(run.saved()).best() == run.best()


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"horizon": 0}, "horizon must be a whole number of at least 1"),
        ({"horizon": None}, "horizon must be a whole number of at least 1"),
        ({"aim": "win"}, "aim must be one of answer, regret"),
        ({"learner": "arc_rac"}, "learner must be one of .*did you mean 'arc_race'"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"inputs": {"horzon": 3}}, "the inputs of auto may hold"),
        ({"start": {"a": 2.0, "b": 0.5}}, "a must lie in"),
        ({"start": {"a": 0.5, "c": 0.5}}, "start must have the keys .*'a', 'b'.*; got .*'c'"),
        ({"start": [0.5]}, r"start must have shape \(2,\).*; got \(1,\)"),
        ({"start": "middle"}, "start must be a dict, a sequence or an array; got 'middle'"),
    ],
)
def test_bad_arguments_are_named(wrong, rule):
    with pytest.raises((ValueError, TypeError), match=rule):
        Run(BOX, **{"horizon": 100, **wrong})


def test_pairs_that_were_open_when_the_run_was_saved_can_still_be_answered():
    run = make()
    first, second = run.ask(2)
    again = Run.from_saved(run.saved())
    again.tell(second.id, "x")
    assert again.ask() == [first]
    again.tell(first.id, "y")
    with pytest.raises(OutOfTurnError):
        again.tell(second.id, "x")
    assert again.duels == 2


def test_a_batch_serves_a_pair_that_was_given_back():
    run = make()
    pairs = run.ask(1000)
    for pair in pairs[1:]:
        run.tell(pair.id, "x")
    run.release(pairs[0].id)
    run.tell_batch(run.ask_batch(), [1])
    assert run.duels == len(pairs)


@pytest.mark.parametrize("name", ["dim", "horizon", "seed", "aim"])
def test_inputs_that_the_run_sets_are_refused(name):
    with pytest.raises(ValueError, match=f"inputs must not hold {name!r}: the run sets it"):
        make(inputs={name: 3})


def test_one_duel_is_no_duels():
    run = duelli.Run({"a": (0, 1)}, horizon=9)
    run.tell(run.ask()[0].id, "x")
    assert "After 1 duel this is" in run.best().text
