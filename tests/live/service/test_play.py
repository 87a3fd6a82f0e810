"""Asking and telling over HTTP: every case of the table of answers."""

import json
import threading
import time

import pytest

import duelli
from duelli.live.errors import StoreBusyError
from duelli.live.study import advanced

from .conftest import STUDY


def test_a_pair_has_all_that_a_judge_needs(ask):
    pair = ask()
    assert set(pair) >= {"duel", "ticket", "left", "right", "expires_in", "shown"}
    assert set(pair["left"]) == {"a", "n"}


def test_a_reloaded_page_gets_the_same_pair(ask):
    assert ask("c") == ask("c")


def test_the_first_answer_is_accepted(ask, tell):
    answer = tell(ask())
    assert (answer.status_code, answer.json()) == (200, {"status": "accepted"})


def test_the_same_key_and_answer_is_a_replay(ask, tell):
    pair = ask()
    tell(pair, key="k")
    answer = tell(pair, key="k")
    assert (answer.status_code, answer.json()) == (200, {"status": "replay"})
    assert answer.headers["Idempotent-Replayed"] == "true"


def test_the_same_key_with_another_answer_is_refused(ask, tell):
    pair = ask()
    tell(pair, "left", key="k")
    assert tell(pair, "right", key="k").status_code == 422


def test_two_clients_may_use_the_same_key(ask, tell):
    assert tell(ask("c"), key="1").json() == tell(ask("d"), key="1").json()


def test_a_pair_that_was_decided_otherwise_is_a_conflict(http, ask, tell):
    pairs = [ask(f"c{k}") for k in range(4)]
    assert pairs[3]["duel"] == pairs[0]["duel"]
    tell(pairs[0], "left")
    answer = tell(pairs[3], "right")
    assert answer.status_code == 409
    assert (answer.json()["status"], answer.json()["winner"]) == ("late", "left")
    assert http.get("/v1/studies/s/answers").json()["agreement"]["pairs"] == 1


def test_an_answer_after_the_lease_is_accepted(serve):
    now = [0.0]
    http = serve(clock=lambda: now[0])
    http.post("/v1/studies", json=STUDY)
    pair = http.post("/v1/studies/s/ask", json={"client": "slow"}).json()
    now[0] = 1e6
    other = http.post("/v1/studies/s/ask", json={"client": "quick"}).json()
    assert (other["duel"], other["handed_out"], other["left"]) == (pair["duel"], 2, pair["left"])
    body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": "tie"}
    assert http.post("/v1/studies/s/tell", json=body).json() == {"status": "accepted"}


@pytest.mark.parametrize("jump", [-86400.0, -3600.0, 3600.0, 86400.0])
def test_a_clock_that_jumps_changes_nothing(ask, tell, monkeypatch, jump):
    pair, real = ask(), time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    assert ask() == pair
    assert tell(pair, key="k").json() == {"status": "accepted"}
    assert tell(pair, key="k").json() == {"status": "replay"}


def test_a_ticket_of_another_pair_study_or_client_is_refused(http, ask, tell):
    http.post("/v1/studies", json={**STUDY, "name": "t"})
    one, two, other = ask("c"), ask("d"), ask("c", "t")
    for ticket in (two["ticket"], other["ticket"], "x", "Yw.", "YQ." + one["ticket"][3:]):
        assert tell({**one, "ticket": ticket}).status_code == 403
    assert http.get("/v1/studies/s").json()["answers"] == 0


def test_a_study_ends_with_done(http, ask):
    judge_all(http)
    assert ask() == {"done": True, "closed": False}


def test_a_study_ends_in_the_state_of_a_run(http):
    judge_all(http)
    run = duelli.Run(STUDY["box"], horizon=12, batch=3, keep_history=False)
    while pairs := run.ask():
        for pair in pairs:
            run.tell(pair.id, "x" if pair.x["a"] > pair.y["a"] else "y")
    assert http.get("/v1/studies/s/saved").json() == json.loads(json.dumps(run.saved()))
    best = http.get("/v1/studies/s/best").json()
    assert (best["arm"], best["text"]) == (run.best().arm, run.best().text)


def judge_all(http, client="c"):
    while True:
        answer = http.post("/v1/studies/s/ask", json={"client": client})
        if answer.status_code == 204:
            time.sleep(0.005)
            continue
        pair = answer.json()
        if pair.get("done"):
            return
        winner = "left" if pair["left"]["a"] > pair["right"]["a"] else "right"
        body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": winner}
        assert http.post("/v1/studies/s/tell", json=body).status_code == 200


def test_an_answer_can_be_taken_back(http, ask, tell):
    pair = ask()
    tell(pair, "left")
    undone = http.post("/v1/studies/s/undo", json={"client": "c"})
    assert undone.status_code == 200
    assert (undone.json()["duel"], undone.json()["winner"]) == (pair["duel"], "left")
    assert http.get("/v1/studies/s").json()["duels"] == 0
    assert tell(undone.json(), "right").json() == {"status": "accepted"}


def test_an_answer_that_was_taken_back_is_a_replay_under_its_old_key(http, ask, tell):
    pair = ask()
    tell(pair, "left", key="k")
    http.post("/v1/studies/s/undo", json={"client": "c"})
    assert tell(pair, "left", key="k").json() == {"status": "replay"}
    assert http.get("/v1/studies/s").json()["duels"] == 0


def test_nothing_to_take_back_is_a_conflict(http):
    answer = http.post("/v1/studies/s/undo", json={"client": "c"})
    assert answer.status_code == 409
    assert "client 'c' has given none in the open step" in answer.json()["error"]


def test_nothing_is_taken_back_in_a_closed_study(http, ask, tell):
    tell(ask())
    http.post("/v1/studies/s/close", json={})
    answer = http.post("/v1/studies/s/undo", json={"client": "c"})
    assert answer.status_code == 409
    assert answer.json()["error"].endswith("the study is closed")


def test_a_study_that_has_ended_stays_done_when_it_is_closed(http):
    judge_all(http)
    closed = http.post("/v1/studies/s/close", json={}).json()
    assert closed == {"study": "s", "status": "done"}
    assert http.get("/v1/studies/s").json()["status"] == "done"


def test_a_skipped_pair_goes_to_somebody_else(http, ask):
    pair = ask("c")
    body = {"duel": pair["duel"], "ticket": pair["ticket"]}
    assert http.post("/v1/studies/s/skip", json=body).json() == {"status": "skipped"}
    assert ask("c")["duel"] != pair["duel"]
    assert ask("d")["duel"] == pair["duel"]


def test_a_closed_study_says_so(http, ask, tell):
    pair = ask()
    assert http.post("/v1/studies/s/close", json={}).status_code == 200
    answer = tell(pair)
    assert (answer.status_code, "closed" in answer.json()["error"]) == (409, True)
    assert ask() == {"done": True, "closed": True}


def test_while_the_learner_thinks_asks_wait_and_other_tells_do_not(serve):
    thinking, go_on = threading.Event(), threading.Event()

    def slowly(saved, scores):
        thinking.set()
        go_on.wait(10)
        return advanced(saved, scores)

    http = serve(advance=slowly)
    for name in ("s", "t"):
        http.post("/v1/studies", json={**STUDY, "name": name})
    pairs = [http.post("/v1/studies/s/ask", json={"client": f"c{k}"}).json() for k in range(3)]
    bodies = [{"duel": p["duel"], "ticket": p["ticket"], "winner": "left"} for p in pairs]
    results = []
    last = threading.Thread(
        target=lambda: results.append(http.post("/v1/studies/s/tell", json=bodies[2]))
    )
    for body in bodies[:2]:
        assert http.post("/v1/studies/s/tell", json=body).json() == {"status": "accepted"}
    last.start()
    assert thinking.wait(5)
    waiting = http.post("/v1/studies/s/ask", json={"client": "c0"})
    assert (waiting.status_code, waiting.headers["Retry-After"]) == (204, "1")
    assert http.post("/v1/studies/s/tell", json=bodies[0]).json() == {"status": "replay"}
    other = http.post("/v1/studies/t/ask", json={"client": "c"}).json()
    body = {"duel": other["duel"], "ticket": other["ticket"], "winner": "left"}
    assert http.post("/v1/studies/t/tell", json=body).json() == {"status": "accepted"}
    assert not results
    go_on.set()
    last.join()
    assert results[0].json() == {"status": "accepted"}
    assert http.post("/v1/studies/s/ask", json={"client": "c0"}).json()["duel"] == "1.0"


def test_a_store_that_is_busy_is_503_and_the_study_goes_on(http, ask, tell, monkeypatch):
    pair, store = ask(), http.context.ledger.store

    def full():
        raise StoreBusyError("database or disk is full")

    monkeypatch.setattr(store, "commit", full)
    answer = tell(pair, key="k")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert http.get("/v1/studies/s").status_code == 200
    monkeypatch.undo()
    assert tell(pair, key="k").json() == {"status": "accepted"}


def test_a_store_that_has_failed_takes_nothing_more(http, ask, tell, monkeypatch):
    pair, store = ask(), http.context.ledger.store

    def broken():
        raise OSError("disk I/O error")

    monkeypatch.setattr(store, "commit", broken)
    assert tell(pair).status_code == 503
    monkeypatch.undo()
    assert tell(pair).status_code == 503
    assert http.get("/healthz").status_code == 503


def test_a_full_queue_is_429(serve):
    http = serve(most_waiting=0)
    answer = http.post("/v1/studies", json=STUDY)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")


def test_one_client_has_at_most_its_share_of_a_step(serve):
    http = serve()
    http.post("/v1/studies", json={**STUDY, "batch": 10, "horizon": 20, "share": 0.2})
    for _ in range(2):
        pair = http.post("/v1/studies/s/ask", json={"client": "c"}).json()
        body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": "left"}
        assert http.post("/v1/studies/s/tell", json=body).json() == {"status": "accepted"}
    assert http.post("/v1/studies/s/ask", json={"client": "c"}).status_code == 204
    assert http.post("/v1/studies/s/ask", json={"client": "d"}).status_code == 200
