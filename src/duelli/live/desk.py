"""Desk: one study in memory together with its rows; decides, records, and keeps what to write."""

import json
import time
from collections.abc import Callable, Iterable

from duelli.live.errors import ConflictError, DamagedStudyError, KeyReusedError
from duelli.live.leases import Leased
from duelli.live.requests import Ask, Done, Given, Skip, Taken, Tell, Undo, Wait
from duelli.live.settings import Settings
from duelli.live.stores import Store
from duelli.live.stores.rows import AnswerRow, LeaseRow, StepRow, StudyRow, link
from duelli.live.study import Opening, Record, Skipped, Study, Told, Undone
from duelli.runs import Run


def step_row(opened: Opening, row: StudyRow | None, now: float) -> StepRow:
    """Return the row of a step that is opened when its study is at ``row``."""
    answer = opened.answer if isinstance(opened.answer, dict | list) else opened.answer.tolist()
    return StepRow(
        number=opened.number,
        blocks=json.dumps(opened.blocks),
        run=opened.saved,
        answer=json.dumps(answer),
        duels=opened.run.duels,
        seq=0 if row is None else row.seq,
        chain="" if row is None else row.chain,  # that of a first step follows from the settings
        opened_at=now,
    )


def record_of(row: AnswerRow) -> Record | None:
    """Return what an answer did to the study; None if it came too late to do anything."""
    if row.kind == "told":
        return Told(row.place, row.winner or "", row.client)
    if row.kind == "undo":
        return Undone(row.place, row.client)
    return Skipped(row.place, row.client) if row.kind == "skip" else None


class Desk:
    """A study with the rows that are to be written for it.

    Args:
        store: Where it is kept; read from only.
        row: The study as it was found there.
        clock: Returns seconds that never go back, for leases.
    """

    def __init__(
        self, store: Store, row: StudyRow, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._clock = store, clock
        self.settings = Settings.from_json(json.loads(row.settings))
        self.closing: Tell | None = None  # the last answer of a step that is being closed
        self.last: AnswerRow | None = None  # what was added last
        self._reset_buffers()
        self._load(row)

    def _reset_buffers(self) -> None:
        self._answers: list[AnswerRow] = []
        self._leases: dict[str, LeaseRow] = {}
        self._opened: StepRow | None = None
        self.changed = False

    def _load(self, row: StudyRow) -> None:
        self.row = self._before = row
        step = self._store.step(row.id, row.step)
        run = Run.from_saved(json.loads(step.run or "null"))
        opened = Opening(run, row.step, json.loads(step.answer))
        self.study = Study(self.settings, opened, closed=row.status == "closed")
        self._replay(step.chain, self._store.answers(row.id, step.seq))
        self._renew(self._store.leases(row.id))

    def catch_up(self, row: StudyRow) -> None:
        """Take in what other servers have written since."""
        if row.version == self.row.version:
            return
        before = self.row
        if row.step != before.step or row.status != before.status:
            self._load(row)
            return
        self.row = self._before = row
        self._replay(before.chain, self._store.answers(row.id, before.seq))
        self._renew(self._store.leases(row.id, before.version))

    def _replay(self, chain: str, answers: Iterable[AnswerRow]) -> None:
        """Take in answers; refuse a store in which they were changed."""
        for answer in answers:
            if answer.chain != link(chain, answer):
                raise DamagedStudyError(
                    f"answer {answer.seq} of study {self.row.name!r} was changed after it was "
                    "written; duelli study verify says more"
                )
            chain = answer.chain
            if answer.step == self.study.step and (record := record_of(answer)):
                self.study.apply(record, self._clock())
        if chain != self.row.chain:
            raise DamagedStudyError(f"the last answers of study {self.row.name!r} are missing")

    def _renew(self, leases: Iterable[LeaseRow]) -> None:
        now = self._clock()
        for lease in leases:  # each gets a full term, as nobody knows how long the server was away
            if lease.step == self.study.step and lease.place >= 0 and not self.study.done:
                self.study.apply(Leased(lease.place, lease.client, lease.number), now)

    def ask(self, request: Ask) -> Given | Wait | Done:
        """Give a client a pair."""
        if self.study.done:
            return Done(self.study.closed)
        lease = None if self.closing else self.study.ask(request.client, self._clock())
        if lease is None:
            return Wait()
        if self.study.leases.held_by(request.client) != lease.index:
            self._put_lease(lease)
        self.study.apply(lease, self._clock())
        return self._given(lease)

    def tell(self, request: Tell, seen: AnswerRow | None) -> Taken | None:
        """Take in an answer; None if it closes the step, which needs a moment.

        Args:
            request: The answer.
            seen: What came with the same key before.
        """
        if seen is not None:
            return self._seen(request, seen)
        if request.step != self.study.step or self.study.total == 0:
            return self._past(request)
        told = Told(request.place, request.winner, request.client)
        verdict = self.study.tell(told)
        if verdict == "late":
            return self._late(request, self.study.winner(request.place))
        if verdict == "replay":
            return Taken("replay", request.winner)
        if self.study.closes(told):
            return None
        self._add("told", request, request.winner, request.key)
        self.study.apply(told, self._clock())
        return Taken("accepted", request.winner)

    def undo(self, request: Undo, seen: AnswerRow | None) -> Given:
        """Take back the last answer of a client."""
        if seen is None:
            undone = self.study.undo(request.client)
            winner = self.study.winner(undone.index)
            place = Tell(request.study, request.client, self.study.step, undone.index, "")
            self.flush()  # so that the answer is there to be changed
            self._store.uncount(self.row.id, self.study.step, undone.index)
            self._add("undo", place, winner, request.key)
            self.study.apply(undone, self._clock())
            lease = Leased(undone.index, request.client)
            self._put_lease(lease)
            return self._given(lease, winner)
        if seen.kind != "undo":
            raise KeyReusedError("the Idempotency-Key was used before, with another request")
        if seen.step != self.study.step or self.study.decided(seen.place):
            raise ConflictError("the answer was taken back before, and then given again")
        return self._given(Leased(seen.place, request.client), seen.winner)

    def skip(self, request: Skip) -> Taken:
        """Take back a pair that a client does not want to judge."""
        if self.study.done or request.step != self.study.step:
            return Taken("late")
        skipped = self.study.skip(request.place, request.client)
        if skipped is None:
            return Taken("late", self.study.winner(request.place))
        if self.study.leases.held_by(request.client) == request.place:  # else it was skipped before
            self._add("skip", request, None, None)
            self._put_lease(Leased(-1, request.client, 0))
        self.study.apply(skipped, self._clock())
        return Taken("skipped")

    def close(self) -> None:
        """Let the study take no more answers."""
        if not self.study.done:
            self.study.closed, self.changed = True, True
            self.row = self.row._replace(status="closed")

    def advance(self, request: Tell, opened: Opening) -> Taken:
        """Take in the last answer of a step, and go to the step that was computed for it."""
        self._add("told", request, request.winner, request.key)
        status = "done" if opened.run.opened is None else "open"
        self.row = self.row._replace(step=opened.number, status=status)
        self._opened = step_row(opened, self.row, time.time())
        self.study = Study(self.settings, opened)
        self.flush()
        return Taken("accepted", request.winner)

    def flush(self) -> None:
        """Write what has changed, inside the transaction of the store."""
        if self._answers:
            self._store.add_answers(self._answers)
        if self._leases:
            self._store.put_leases(self._leases.values())
        if self._opened:
            self._store.add_step(self.row.id, self._opened)
        if self.changed:
            version, duels = self.row.version + 1, self.study.duels
            self.row = self.row._replace(version=version, duels=duels)
            self._store.update_study(self.row, step=self._before.step)
            self._before = self.row
        self._reset_buffers()

    def _given(self, lease: Leased, winner: str | None = None) -> Given:
        pair = self.study.pair(lease.index)
        term = self.settings.lease
        return Given(self.study.step, lease.index, pair, lease.number, term, winner)

    def _seen(self, request: Tell, seen: AnswerRow) -> Taken:
        """Answer a request that came before as it was answered then."""
        came = (request.step, request.place, request.winner)
        if seen.kind not in ("told", "late") or (seen.step, seen.place, seen.winner) != came:
            raise KeyReusedError("the Idempotency-Key was used before, with another answer")
        if seen.kind == "told":
            return Taken("replay", request.winner)
        return Taken("late", self._decision(request))

    def _past(self, request: Tell) -> Taken:
        """Answer a request about a step that is over."""
        self.flush()
        counted = self._store.counted(self.row.id, request.step, request.place)
        if counted is None:
            raise ConflictError("there is no such pair in this study")
        if (counted.client, counted.winner) == (request.client, request.winner):
            return Taken("replay", request.winner)
        return self._late(request, counted.winner)

    def _decision(self, request: Tell) -> str | None:
        if request.step == self.study.step:
            return self.study.winner(request.place)
        counted = self._store.counted(self.row.id, request.step, request.place)
        return None if counted is None else counted.winner

    def _late(self, request: Tell, winner: str | None) -> Taken:
        """Keep an answer that came after another one; it changes nothing."""
        key = request.key or f"late:{request.step}.{request.place}:{request.winner}"
        self.flush()
        if not self._store.keyed([(self.row.id, request.client, key)]):
            self._add("late", request, request.winner, key)
        return Taken("late", winner)

    def _add(self, kind: str, request: Tell | Skip, winner: str | None, key: str | None) -> None:
        row = AnswerRow(
            study=self.row.id,
            seq=self.row.seq + 1,
            kind=kind,
            step=request.step,
            place=request.place,
            winner=winner,
            client=request.client,
            key=key,
            at=time.time(),
            chain="",
            counted=int(kind == "told"),
        ).linked(self.row.chain)
        self._answers.append(row)
        self.last = row
        self.row = self.row._replace(seq=row.seq, chain=row.chain)
        self.changed = True

    def _put_lease(self, lease: Leased) -> None:
        self._leases[lease.client] = LeaseRow(
            study=self.row.id,
            client=lease.client,
            step=self.study.step,
            place=lease.index,
            number=lease.number,
            at=time.time(),
            version=self.row.version + 1,
        )
        self.changed = True
