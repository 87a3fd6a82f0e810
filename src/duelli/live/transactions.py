"""Transaction: many requests for many studies, decided one after the other and kept together."""

import json
import time
from dataclasses import dataclass
from typing import Any

from duelli.errors import DuelliError
from duelli.live.desk import Desk, step_row
from duelli.live.errors import StoreBusyError, StoreError
from duelli.live.requests import (
    Ask,
    Call,
    Close,
    Create,
    Finish,
    Request,
    Skip,
    Tell,
    Undo,
    Waiting,
)
from duelli.live.stores import Store
from duelli.live.stores.rows import AnswerRow

PENDING = object()  # the result of a request that is answered later


class FaultError(Exception):
    """A request that ended in an error that nobody foresaw; the others are done without it."""

    def __init__(self, waiting: Waiting, error: Exception) -> None:
        super().__init__(repr(error))
        self.waiting, self.error = waiting, error


def study_of(request: Request) -> str | None:
    """Return the name of the study that a request is about; None if it is about none."""
    return None if isinstance(request, Create | Call) else request.study


@dataclass(slots=True)
class Transaction:
    """One transaction of a store.

    Args:
        store: The store.
        desks: The studies in memory, which are up to date.
        missing: The errors for names that no study has.
        keys: What came before with the keys of these requests.
        closing: The last answers of steps, for each of which the next step is to be computed.
        deferred: Requests that wait until a step is closed.
    """

    store: Store
    desks: dict[str, Desk]
    missing: dict[str, DuelliError]
    keys: dict[tuple[int, str, str], AnswerRow]
    closing: list[Waiting]
    deferred: list[Waiting]

    def result(self, waiting: Waiting) -> Any:
        """Return the result of one request; `PENDING` if it comes later."""
        request = waiting.request
        try:
            if isinstance(request, Create):
                return self._create(request)
            if isinstance(request, Call):
                return request.action(self.store)
            if request.study in self.missing:
                return self.missing[request.study]
            return self._of_study(self.desks[request.study], waiting)
        except (StoreError, StoreBusyError):
            raise  # these concern the whole transaction
        except (DuelliError, ValueError, TypeError) as error:
            return error
        except Exception as error:  # a fault of ours; what it left behind is rolled back
            raise FaultError(waiting, error) from error

    def fetch_keys(self, batch: list[Waiting]) -> None:
        """Look up what came before with the keys of some requests."""
        wanted = []
        for each in batch:
            request = each.request.tell if isinstance(each.request, Finish) else each.request
            if isinstance(request, Tell | Undo) and request.key and request.study in self.desks:
                wanted.append((self.desks[request.study].row.id, request.client, request.key))
        for row in self.store.keyed(wanted):
            self.keys[row.study, row.client, row.key or ""] = row

    def _of_study(self, desk: Desk, waiting: Waiting) -> Any:
        request = waiting.request
        if desk.closing is not None and _must_wait(request, desk.closing):
            tell = request.tell if isinstance(request, Finish) else request
            self.deferred.append(Waiting(tell, waiting.future))
            return PENDING
        if isinstance(request, Ask):
            return desk.ask(request)
        return self._that_changes(desk, waiting)

    def _that_changes(self, desk: Desk, waiting: Waiting) -> Any:
        match request := waiting.request:
            case Tell():
                return self._tell(desk, request, waiting)
            case Finish():
                return self._finish(desk, request, waiting)
            case Undo():
                return self._remembered(
                    desk, request, desk.undo(request, self._seen(desk, request))
                )
            case Skip():
                return desk.skip(request)
            case _:
                return desk.close()

    def _create(self, request: Create) -> int:
        opened, settings = request.opening, request.settings
        status = "done" if opened.run.opened is None else "open"
        first = step_row(opened, None, time.time())
        return self.store.begin_study(settings.name, json.dumps(settings.as_json()), first, status)

    def _tell(self, desk: Desk, request: Tell, waiting: Waiting) -> Any:
        taken = desk.tell(request, self._seen(desk, request))
        if taken is not None:
            return self._remembered(desk, request, taken)
        desk.closing = request
        self.closing.append(Waiting(request, waiting.future))
        return PENDING

    def _finish(self, desk: Desk, request: Finish, waiting: Waiting) -> Any:
        """Close a step, unless its answers have changed while the next one was computed."""
        desk.closing = None
        if isinstance(request.opening, Exception):
            return StoreBusyError(f"the learner could not go on: {request.opening!r}")
        same = desk.study is request.before and desk.study.changes == request.changes
        if not same or self._seen(desk, request.tell) is not None:
            return self._tell(desk, request.tell, waiting)
        return self._remembered(desk, request.tell, desk.advance(request.tell, request.opening))

    def _seen(self, desk: Desk, request: Tell | Undo) -> AnswerRow | None:
        return self.keys.get((desk.row.id, request.client, request.key or ""))

    def _remembered(self, desk: Desk, request: Tell | Undo, result: Any) -> Any:
        """Note the key of an answer, for the requests after it in this transaction."""
        last = desk.last
        if (
            request.key
            and last is not None
            and (last.client, last.key)
            == (
                request.client,
                request.key,
            )
        ):
            self.keys[desk.row.id, request.client, request.key] = last
        return result


def _must_wait(request: Request, closing: Tell) -> bool:
    """Tell whether a request has to wait until a step is closed by its last answer."""
    if isinstance(request, Finish):
        return request.tell is not closing
    if isinstance(request, Tell | Skip):
        return (request.step, request.place) == (closing.step, closing.place)
    return isinstance(request, Undo | Close)
