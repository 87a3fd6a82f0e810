"""The loops that judge a run keep every answer, whatever stops them."""

import asyncio
import threading

import numpy as np
import pytest
from judges import hash_judge

import duelli
from duelli import DuelFailedError

BOX = [(0.0, 1.0)] * 2


def fails_after(count, error):
    calls, lock = [], threading.Lock()

    def judge(x, y):
        with lock:
            calls.append(1)
            late = len(calls) > count
        if late:
            raise error
        return hash_judge(x, y)

    return judge


def awaited(judge):
    async def duel(x, y):
        await asyncio.sleep(0)
        return judge(x, y)

    return duel


WAYS = {
    "one": lambda judge: {"duel": judge},
    "threads": lambda judge: {"duel": judge, "parallel": 4},
    "awaited": lambda judge: {"duel": awaited(judge), "parallel": 4},
}


def optimize(**more):
    return duelli.optimize(box=BOX, **{"learner": "arc_race", "horizon": 200, "seed": 3, **more})


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_ends_in_the_same_place(way):
    assert optimize(**way(hash_judge)).saved == optimize(duel=hash_judge).saved


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_judge_that_fails_loses_nothing(way):
    with pytest.raises(DuelFailedError, match="duel raised OSError: no line") as caught:
        optimize(**way(fails_after(50, OSError("no line"))))
    assert caught.value.saved["bias"][0] == 50
    again = optimize(duel=hash_judge, saved=caught.value.saved)
    assert again.saved == optimize(duel=hash_judge).saved


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_callback_that_raises_loses_nothing(way):
    def callback(run):
        if run.duels >= 30:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as caught:
        optimize(**way(hash_judge), callback=callback)
    assert 30 <= caught.value.saved["bias"][0] <= 34


@pytest.mark.parametrize("answer", [True, np.True_, 1])
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_callback_may_stop_the_run(way, answer):
    result = optimize(**way(hash_judge), callback=lambda run: run.duels >= 30 and answer)
    assert 30 <= result.duels <= 34


def test_a_callback_that_is_no_function_is_refused_before_any_duel():
    with pytest.raises(TypeError, match="callback must be a function of the run; got 3"):
        optimize(duel=fails_after(0, AssertionError("asked")), callback=3)


@pytest.mark.parametrize("failures", [1, 2])
def test_a_call_that_raises_is_repeated_with_fresh_points(failures):
    left = [failures]

    def flaky(x, y):
        assert set(x) == {"a", "b"}
        if left[0]:
            left[0] -= 1
            x.clear()
            raise OSError("try again")
        return x["a"] > y["a"]

    box = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
    result = duelli.optimize(flaky, box, learner="arc_race", horizon=50, retries=2)
    assert result.duels > 0


def test_an_awaited_judge_that_is_cancelled_stops_the_run():
    async def cancelled(*_):
        raise asyncio.CancelledError

    with pytest.raises(DuelFailedError, match="duel was cancelled"):
        optimize(duel=cancelled)


def test_a_judge_is_awaited_inside_a_running_loop():
    async def main():
        return optimize(duel=awaited(hash_judge), parallel=4)

    assert asyncio.run(main()).saved == optimize(duel=hash_judge).saved


def test_an_object_with_an_async_call_is_awaited():
    class Judge:
        async def __call__(self, x, y):
            return hash_judge(x, y)

    assert optimize(duel=Judge()).saved == optimize(duel=hash_judge).saved


def test_a_function_that_returns_a_coroutine_says_what_to_do():
    with pytest.raises(DuelFailedError, match="write it as an async def"):
        optimize(duel=lambda x, y: awaited(hash_judge)(y, x))


def test_an_interrupt_while_threads_start_carries_the_run(monkeypatch):
    begin, started = threading.Thread.start, []

    def start(thread):
        started.append(thread)
        if len(started) == 3:
            raise KeyboardInterrupt
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt) as caught:
        optimize(duel=hash_judge, parallel=4)
    assert caught.value.saved["format"] == "duelli run"


def test_a_checkpoint_that_cannot_be_written_does_not_hide_the_error(tmp_path):
    folder = tmp_path / "kept"

    def judge(*_):
        if (folder / "run.json").exists():
            (folder / "run.json").unlink()
            folder.rmdir()
            folder.write_text("a file in the place of the folder")
        raise OSError("no line")

    with pytest.raises(DuelFailedError, match="no line") as caught:
        optimize(duel=judge, checkpoint=folder / "run.json")
    assert caught.value.saved["bias"][0] == 0
    assert "could not be written" in caught.value.__notes__[0]


def test_a_relative_checkpoint_stays_where_the_run_was_begun(tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(tmp_path)

    def wandering(x, y):
        monkeypatch.chdir(other)
        return hash_judge(x, y)

    optimize(duel=wandering, checkpoint="run.json")
    assert duelli.load(tmp_path / "run.json").done
    assert list(other.iterdir()) == []


@pytest.mark.parametrize("answers", [[[1], [1, 2]], None, "yes", [1]])
def test_many_answers_of_another_shape_are_reported(answers):
    with pytest.raises(DuelFailedError, match="duel_many must return"):
        optimize(duel=None, duel_many=lambda *_: answers)
