"""Ledger: one thread that writes, many requests in one transaction, answered once it is kept.

While a transaction is being synchronised to disk, the next requests gather; so the slower the
disk, the more of them share one commit. The step that follows a step is computed beside that
thread, and written together with the last answer of the step.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from duelli.errors import DuelliError
from duelli.live.desk import Desk
from duelli.live.errors import (
    ConflictError,
    DamagedStudyError,
    QueueFullError,
    StoreBusyError,
    StoreError,
    StoreLostError,
    UnknownStudyError,
)
from duelli.live.requests import Create, Finish, Request, Tell, Waiting
from duelli.live.settings import Settings
from duelli.live.stores import Store
from duelli.live.study import Opening, Told, advanced, first_opening
from duelli.live.transactions import PENDING, FaultError, Transaction, study_of

MOST_WAITING = 4096
MOST_TOGETHER = 256  # requests in one transaction
MOST_DESKS = 256  # studies in memory
TRIES = 4  # of a transaction whose connection broke

Replies = list[tuple[Any, Any]]  # futures with their results
Advance = Callable[[object, list[tuple[int, float]]], Opening]


def deliver(replies: Replies) -> None:
    """Hand each future its result."""
    for future, result in replies:
        with contextlib.suppress(Exception):  # whoever waited may have gone
            if isinstance(result, BaseException):
                future.set_exception(result)
            else:
                future.set_result(result)


class Ledger:
    """Takes requests from any thread, and answers what a store has kept.

    Args:
        store: The store; from now on only the ledger writes to it.
        deliver: Hands results to futures; a server does that in its own thread.
        on_failure: Called once if the store has failed, after which nothing is accepted.
        clock: Returns seconds that never go back, for leases.
        advance: Computes the step that follows.
        most_waiting: How many requests may wait.
    """

    def __init__(
        self,
        store: Store,
        *,
        deliver: Callable[[Replies], None] = deliver,
        on_failure: Callable[[BaseException], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        advance: Advance = advanced,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self.store, self._deliver, self._on_failure = store, deliver, on_failure
        self._clock, self._advance, self._most = clock, advance, most_waiting
        self._queue: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._desks: dict[str, Desk] = {}
        self._deferred: dict[str, list[Waiting]] = {}  # by study, until its step is closed
        self._computing = 0  # steps that are being computed
        self._stopping = False
        self.failure: BaseException | None = None
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="duelli-policy")
        self._thread = threading.Thread(target=self._write, name="duelli-writer", daemon=True)
        self._thread.start()

    def submit(self, request: Request, future: Any) -> None:
        """Let a request wait for its turn; ``future`` gets its result."""
        if self.failure is not None or self._stopping:
            raise StoreError(f"the server is stopping: {self.failure or 'it was told to'}")
        if self._queue.qsize() >= self._most:
            raise QueueFullError(f"more than {self._most} requests are waiting; try again")
        self._queue.put(Waiting(request, future))

    def do(self, request: Request) -> Any:
        """Return the result of a request, once it is kept."""
        future: Future[Any] = Future()
        self.submit(request, future)
        return future.result()

    def create(self, settings: Settings) -> int:
        """Make a study; this runs the policy of its learner once, in this thread."""
        study: int = self.do(Create(settings, first_opening(settings)))
        return study

    def close(self) -> None:
        """Answer what waits, then close the store."""
        if not self._stopping:
            self._stopping = True
            self._queue.put(None)
        self._thread.join()
        self._pool.shutdown()

    def _write(self) -> None:
        """Run the thread that writes."""
        while not self._stopping or self._computing or not self._queue.empty():
            batch = [self._queue.get()]
            with contextlib.suppress(queue.Empty):
                while len(batch) < MOST_TOGETHER:
                    batch.append(self._queue.get_nowait())
            if requests := [each for each in batch if each is not None]:
                self._answer(requests)
        with contextlib.suppress(Exception):  # a store that has failed may not even close
            if self.failure is None:
                self.store.close()
            else:
                self.store.abandon()

    def _answer(self, batch: list[Waiting]) -> None:
        try:
            replies = self._kept(batch)
        except StoreBusyError as error:
            replies = [(each.future, error) for each in batch]
        except BaseException as error:  # nothing can be promised any more
            self._fail(batch, error)
            return
        finally:
            for each in batch:
                if isinstance(each.request, Finish):
                    self._computing -= 1
                    for waiting in self._deferred.pop(each.request.study, []):
                        self._queue.put(waiting)
        self._deliver(replies)

    def _fail(self, batch: list[Waiting], error: BaseException) -> None:
        first, self.failure = self.failure is None, error
        refused = StoreError(f"the server stops: {error}")
        self._deliver([(each.future, refused) for each in batch])
        if first and self._on_failure is not None:
            self._on_failure(error)

    def _kept(self, batch: list[Waiting]) -> Replies:
        """Return the results of some requests, all of them kept by one transaction."""
        if self.failure is not None:
            raise StoreError(f"the store has failed before: {self.failure}")
        attempt, rest = 0, batch
        faults: Replies = []
        while True:
            try:
                return [*faults, *self._transaction(rest)]
            except FaultError as fault:
                rest = [each for each in rest if each is not fault.waiting]
                faults.append((fault.waiting.future, fault.error))
            except (StoreLostError, ConflictError):
                # What was sent may have been kept; the same requests then find it as a replay. Or
                # another server was first, and the study is looked at again.
                attempt += 1
                if attempt == TRIES:
                    raise
                time.sleep(0.025 * 4**attempt)

    def _transaction(self, batch: list[Waiting]) -> Replies:
        done = Transaction(self.store, self._desks, {}, {}, [], [])
        names = sorted({name for each in batch if (name := study_of(each.request))})
        try:
            self.store.begin()
            for name in names:
                self._find(name, done.missing)
            done.fetch_keys(batch)
            results = [(each.future, done.result(each)) for each in batch]
            for name in names:
                if name in self._desks:
                    self._desks[name].flush()
            self.store.commit()
        except BaseException:
            self.store.rollback()
            for name in names:  # what they hold in memory was not kept
                self._desks.pop(name, None)
            raise
        for waiting in done.deferred:
            self._deferred.setdefault(study_of(waiting.request) or "", []).append(waiting)
        for waiting in done.closing:
            self._compute(waiting)
        self._make_room()
        return [reply for reply in results if reply[1] is not PENDING]

    def _find(self, name: str, missing: dict[str, DuelliError]) -> None:
        """Bring a study in memory up to date; note an error if there is none."""
        desk = self._desks.get(name)
        try:
            if desk is None:
                desk = Desk(self.store, self.store.locked(name), self._clock)
            elif self.store.SHARED:
                desk.catch_up(self.store.locked(name))
        except (UnknownStudyError, DamagedStudyError) as error:
            missing[name] = error
        except (ValueError, TypeError, KeyError) as error:  # what was stored cannot be read
            missing[name] = DamagedStudyError(f"study {name!r} cannot be loaded: {error}")
        if name in missing:
            self._desks.pop(name, None)
            return
        assert desk is not None
        self._desks[name] = desk

    def _compute(self, waiting: Waiting) -> None:
        """Compute the step that follows a last answer, beside the thread that writes."""
        request = waiting.request
        assert isinstance(request, Tell)
        study = self._desks[request.study].study
        told = Told(request.place, request.winner, request.client)
        saved, scores, changes = study.opening.run.saved(), study.scores(told), study.changes

        def compute() -> None:
            try:
                opened: Opening | Exception = self._advance(saved, scores)
            except Exception as error:
                opened = error
            finish = Finish(request.study, request, study, changes, opened)
            self._queue.put(Waiting(finish, waiting.future))

        self._computing += 1
        self._pool.submit(compute)

    def _make_room(self) -> None:
        """Forget some studies if there are too many; they are loaded again when asked for."""
        idle = [name for name, desk in self._desks.items() if desk.closing is None]
        for name in idle[: max(0, len(self._desks) - MOST_DESKS)]:
            del self._desks[name]
