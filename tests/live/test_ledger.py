"""The thread that writes: what fails, what waits, and what goes on."""

import threading
from concurrent.futures import Future
from contextlib import closing

import pytest

from duelli.live import Settings, StoreBusyError, StoreError
from duelli.live.ledger import Ledger
from duelli.live.reading import current_run
from duelli.live.requests import Ask, Call, Close, Given, Tell, Undo
from duelli.live.stores import open_store
from duelli.live.study import advanced
from duelli.live.verifying import faults
from duelli.testing.store.ledgers import asked, play, settings, tell_of


@pytest.fixture
def make(tmp_path):
    """Return a function that makes a ledger with a study of one pair per step."""

    def make(**more):
        ledger = Ledger(open_store(str(tmp_path / "studies.db")), **more)
        ledger.create(settings(batch=1))
        return ledger

    return make


def sent(ledger, request):
    future = Future()
    ledger.submit(request, future)
    return future


class Slow:
    """A policy that waits until it is let go."""

    def __init__(self):
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self, saved, scores):
        self.begun.set()
        self.go_on.wait(10)
        return advanced(saved, scores)


def test_the_last_answer_and_the_next_step_are_one_transaction(make):
    slow = Slow()
    with closing(make(advance=slow)) as ledger:
        told = sent(ledger, tell_of(asked(ledger, "c"), "c"))
        slow.begun.wait(5)
        row = ledger.store.study("s")
        assert (row.step, row.duels, told.done()) == (0, 0, False)
        slow.go_on.set()
        assert told.result(5).status == "accepted"
        assert ledger.store.study("s").step == 1


def test_what_concerns_the_last_pair_waits_until_it_is_decided(make):
    slow = Slow()
    with closing(make(advance=slow)) as ledger:
        given = asked(ledger, "c")
        first = sent(ledger, tell_of(given, "c", "left", "k"))
        slow.begun.wait(5)
        again = sent(ledger, tell_of(given, "c", "left", "k"))
        other = sent(ledger, tell_of(given, "d", "right"))
        undone = sent(ledger, Undo("s", "c"))
        assert not any(future.done() for future in (first, again, other, undone))
        slow.go_on.set()
        assert first.result(5).status == "accepted"
        assert again.result(5).status == "replay"
        assert other.result(5).status == "late"
        with pytest.raises(RuntimeError, match="has given none in the open step"):
            undone.result(5)


def test_a_policy_that_fails_is_tried_again_with_the_next_repetition(make):
    failures = [ZeroDivisionError()]

    def sometimes(saved, scores):
        if failures:
            raise failures.pop()
        return advanced(saved, scores)

    with closing(make(advance=sometimes)) as ledger:
        request = tell_of(asked(ledger, "c"), "c", key="k")
        with pytest.raises(StoreBusyError, match="ZeroDivisionError"):
            ledger.do(request)
        assert ledger.do(request).status == "accepted"


def test_a_disk_that_is_full_when_a_step_is_closed_loses_nothing(make, monkeypatch):
    with closing(make()) as ledger:
        given = asked(ledger, "c")
        add_step = ledger.store.add_step
        full = [StoreBusyError("database or disk is full")]

        def once(*values):
            if full:
                raise full.pop()
            add_step(*values)

        monkeypatch.setattr(ledger.store, "add_step", once)
        with pytest.raises(StoreBusyError, match="full"):
            ledger.do(tell_of(given, "c", key="k"))
        assert ledger.store.study("s").duels == 0
        assert ledger.do(tell_of(given, "c", key="k")).status == "accepted"
        assert play(ledger) == 11
        assert faults(ledger.store) == []


def test_an_answer_taken_back_by_another_server_is_not_used(make):
    slow = Slow()
    with closing(make(advance=slow)) as ledger:
        told = sent(ledger, tell_of(asked(ledger, "c"), "c", key="k"))
        slow.begun.wait(5)
        ledger._desks["s"].study.changes += 1  # as catching up with another server would
        slow.go_on.set()
        assert told.result(5).status == "accepted"
        assert faults(ledger.store) == []


def test_a_fault_of_ours_ends_one_request_and_no_other(make):
    with closing(make()) as ledger:
        given = asked(ledger, "c")
        blocked, go_on = threading.Event(), threading.Event()

        def hold(_):
            blocked.set()
            go_on.wait(5)

        held = sent(ledger, Call(hold))
        blocked.wait(5)
        wrong = sent(ledger, Call(lambda store: store.nothing))
        right = sent(ledger, tell_of(given, "c"))
        go_on.set()
        assert held.result(5) is None
        with pytest.raises(AttributeError):
            wrong.result(5)
        assert right.result(5).status == "accepted"


def test_many_requests_share_a_transaction(make, monkeypatch):
    with closing(make()) as ledger:
        commits, commit = [], ledger.store.commit
        monkeypatch.setattr(ledger.store, "commit", lambda: commits.append(commit()))
        blocked, go_on = threading.Event(), threading.Event()

        def hold(_):
            blocked.set()
            go_on.wait(5)

        sent(ledger, Call(hold))
        blocked.wait(5)
        waiting = [sent(ledger, Ask("s", f"c{k}")) for k in range(100)]
        go_on.set()
        for future in waiting:
            future.result(5)
        assert len(commits) == 2


def test_a_ledger_that_is_closed_answers_what_waits_and_takes_no_more(make):
    ledger = make()
    waiting = [sent(ledger, Ask("s", f"c{k}")) for k in range(20)]
    ledger.close()
    assert all(future.done() for future in waiting)
    with pytest.raises(StoreError, match="stopping"):
        ledger.do(Close("s"))


def test_studies_that_are_not_used_leave_the_memory(make, monkeypatch):
    monkeypatch.setattr("duelli.live.ledger.MOST_DESKS", 2)
    with closing(make()) as ledger:
        for name in ("t", "u", "v"):
            ledger.create(settings(name))
            ledger.do(Ask(name, "c"))
        assert len(ledger._desks) == 2
        first = ledger.do(Ask("t", "c"))
        assert ledger.do(Tell("t", "c", first.step, first.place, "left")).status == "accepted"


@pytest.mark.parametrize("learner", ["dbgd", "clop", "spsa"])
def test_steps_that_nobody_is_asked_about_are_passed_over(tmp_path, learner):
    box = {"n": (1, 3, "int")}
    wanted = Settings(name="s", box=box, horizon=40, learner=learner, seed=1)
    run = wanted.run()
    while pairs := run.ask():
        run.tell(pairs[0].id, "x" if pairs[0].x["n"] > pairs[0].y["n"] else "y")
    with closing(Ledger(open_store(str(tmp_path / "studies.db")))) as ledger:
        ledger.create(wanted)
        while isinstance(given := asked(ledger, "c"), Given):
            winner = "left" if given.pair.x["n"] > given.pair.y["n"] else "right"
            ledger.do(tell_of(given, "c", winner))
        row = ledger.store.study("s")
        steps = ledger.store.steps(row.id)
        assert len(steps) < row.step + 1  # some were passed over
        assert [step.run is None for step in steps] == [True] * (len(steps) - 1) + [False]
        assert current_run(ledger.store, row).saved() == run.saved()
        assert faults(ledger.store) == []
