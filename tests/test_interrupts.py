"""Killed and interrupted runs go on from their checkpoint as if nothing had happened."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from interrupted_run import BOX
from judges import hash_judge

import duelli
from duelli.history import BiasTally

SCRIPT = Path(__file__).with_name("interrupted_run.py")
OPEN = {"one": 1, "threads": 4, "awaited": 4, "many": 1}  # duels or batches that may be under way


def start(folder, way, horizon):
    words = [str(folder / "run.json"), str(folder / "log"), way, str(horizon)]
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process.stdout as lines:
        assert lines.readline() == "begun\n"
    return process


def disturb(folder, way, horizon, signals, longest):
    """Run to the end, sending a signal at a random moment of each start; return how many hit."""
    rng, hits = random.Random(len(signals)), 0
    for number in signals:
        process = start(folder, way, horizon)
        time.sleep(rng.uniform(0, longest))
        process.send_signal(number)
        hits += process.wait(timeout=60) != 0
        if (folder / "run.json").exists():
            json.loads((folder / "run.json").read_text())  # whole at any moment
    process = start(folder, way, horizon)
    assert process.wait(timeout=120) == 0
    return hits


def ends_undisturbed(folder, way, horizon, hits):
    ours = json.loads((folder / "run.json").read_text())
    theirs = duelli.optimize(hash_judge, BOX, learner="arc_race", horizon=horizon, seed=3).saved
    assert ours == theirs
    asked = len((folder / "log").read_text().splitlines())
    if way == "many":
        return  # one line per batch, and the batches are cut anew
    assert asked <= theirs["bias"][0] + hits * OPEN[way]


@pytest.mark.parametrize("way", OPEN)
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
    ],
)
def test_a_disturbed_run_ends_as_an_undisturbed_one(tmp_path, way, number):
    hits = disturb(tmp_path, way, 800, [number] * 2, longest=0.3)
    assert hits  # or nothing was disturbed
    ends_undisturbed(tmp_path, way, 800, hits)


@pytest.mark.slow
def test_50_kills_cost_at_most_one_duel_each(tmp_path):
    hits = disturb(tmp_path, "one", 20_000, [signal.SIGKILL] * 50, longest=0.5)
    assert hits > 40
    ends_undisturbed(tmp_path, "one", 20_000, hits)


@pytest.mark.slow
def test_20_interrupts_cost_at_most_one_duel_each(tmp_path):
    hits = disturb(tmp_path, "one", 10_000, [signal.SIGINT] * 20, longest=0.5)
    assert hits > 15
    ends_undisturbed(tmp_path, "one", 10_000, hits)


def interrupted_after(count):
    calls = []

    def judge(x, y):
        calls.append(1)
        if len(calls) == count:
            raise KeyboardInterrupt
        return hash_judge(x, y)

    return judge


@pytest.mark.parametrize("count", [1, 2, 33, 150])
def test_without_a_checkpoint_an_interrupt_carries_the_run(count):
    with pytest.raises(KeyboardInterrupt) as caught:
        duelli.optimize(interrupted_after(count), BOX, learner="arc_race", horizon=300, seed=3)
    saved = caught.value.saved
    assert saved["bias"][0] == count - 1
    again = duelli.optimize(hash_judge, BOX, learner="arc_race", horizon=300, seed=3, saved=saved)
    assert (
        again.saved
        == duelli.optimize(hash_judge, BOX, learner="arc_race", horizon=300, seed=3).saved
    )


def test_an_interrupt_that_comes_while_an_answer_is_taken_in_waits(tmp_path):
    def interrupt(run):
        if run.duels == 20:
            signal.raise_signal(signal.SIGINT)
        assert run.duels <= 20

    path = tmp_path / "run.json"
    with pytest.raises(KeyboardInterrupt):
        duelli.optimize(
            hash_judge,
            BOX,
            learner="arc_race",
            horizon=300,
            seed=3,
            checkpoint=path,
            callback=interrupt,
        )
    assert duelli.load(path).duels == 20


def test_an_interrupt_within_an_answer_leaves_the_run_whole(tmp_path, monkeypatch):
    add = BiasTally.add

    def interrupted(tally, *sums):
        if tally.duels == 20:
            signal.raise_signal(signal.SIGINT)  # the outcome is in the step, not in the sums
        add(tally, *sums)

    monkeypatch.setattr(BiasTally, "add", interrupted)
    path = tmp_path / "run.json"
    with pytest.raises(KeyboardInterrupt):
        duelli.optimize(hash_judge, BOX, learner="arc_race", horizon=300, seed=3, checkpoint=path)
    monkeypatch.undo()
    assert duelli.load(path).duels == len(duelli.load(path).history) == 21
    again = duelli.optimize(
        hash_judge, BOX, learner="arc_race", horizon=300, seed=3, checkpoint=path
    )
    assert (
        again.saved
        == duelli.optimize(hash_judge, BOX, learner="arc_race", horizon=300, seed=3).saved
    )


def test_the_users_own_interrupt_handler_is_kept():
    before = signal.getsignal(signal.SIGINT)
    duelli.optimize(hash_judge, BOX, learner="arc_race", horizon=50)
    assert signal.getsignal(signal.SIGINT) is before
