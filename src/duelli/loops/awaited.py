"""Judging with an ``async def``, several pairs in flight."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from duelli.errors import DuelFailedError
from duelli.judges import Judge
from duelli.pairs import Pair
from duelli.runs import Run
from duelli.watching import After


def judge_awaited(run: Run, judge: Judge, after: After, parallel: int) -> None:
    """Judge with an ``async def``, up to ``parallel`` pairs in flight.

    It has an event loop of its own, in a thread of its own if the caller is in a loop already.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(_awaited(run, judge, after, parallel))
    else:
        _awaited_in_thread(run, judge, after, parallel)


def _awaited_in_thread(run: Run, judge: Judge, after: After, parallel: int) -> None:
    """Judge in a thread, and stop it on Ctrl-C, which the caller's loop would only note."""
    errors: list[BaseException] = []
    stopped = threading.Event()

    def work() -> None:
        try:
            asyncio.run(_awaited(run, judge, lambda: after() or stopped.is_set(), parallel))
        except BaseException as raised:
            errors.append(raised)

    thread = threading.Thread(target=work, daemon=True)
    with _interrupts_raised():
        try:
            thread.start()
            while thread.is_alive():
                thread.join(0.1)
        except BaseException:
            stopped.set()
            thread.join()  # the duels in flight are paid for: keep their answers
            raise
    if errors:
        raise errors[0]


@contextmanager
def _interrupts_raised() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt at once, whatever a running event loop makes of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def _awaited(run: Run, judge: Judge, after: After, parallel: int) -> None:
    flying: dict[asyncio.Task[float], Pair] = {}
    failure: BaseException | None = None
    stop = False
    try:
        while True:
            while not stop and len(flying) < parallel and (pairs := run.ask()):
                x, y = pairs[0].x, pairs[0].y
                flying[asyncio.create_task(judge.one_awaited(x, y))] = pairs[0]
            if not flying:
                break
            await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
            for task in [task for task in flying if task.done()]:
                failure = _landed(run, task, flying.pop(task)) or failure
                stop = after() or stop or failure is not None
    except asyncio.CancelledError:  # Ctrl-C
        for task, pair in flying.items():
            _landed(run, task, pair)
        raise
    if failure is not None:
        raise failure


def _landed(run: Run, task: asyncio.Task[float], pair: Pair) -> BaseException | None:
    """Tell the outcome of a duel that has come; give back one that has not, or that failed."""
    if not task.done():
        task.cancel()
        run.release(pair.id)
        return None
    if task.cancelled() or (error := task.exception()) is not None:
        run.release(pair.id)
        return DuelFailedError("duel was cancelled") if task.cancelled() else error
    run.tell(pair.id, task.result())
    return None
