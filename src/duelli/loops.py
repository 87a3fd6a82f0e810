"""The loops that judge a run: one pair at a time, arrays, threads, or awaited functions.

After each answer they call ``after``, which saves, draws the progress bar and may end the loop by
returning True. Whatever stops a loop, the answers that came are in the run.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from duelli.errors import DuelFailedError
from duelli.judges import Judge
from duelli.pairs import Pair
from duelli.runs import Run
from duelli.watching import Watch

After = Callable[[], bool]


def judge_serially(run: Run, judge: Judge, watch: Watch) -> None:
    """Judge one pair after the other."""
    while pairs := run.ask():
        pair = pairs[0]
        with watch.judging():
            score = judge.one(pair.x, pair.y)
        run.tell(pair.id, score)
        if watch.after():
            return


def judge_batches(run: Run, judge: Judge, watch: Watch) -> None:
    """Judge all pairs of a step at once, some thousand at a time."""
    while (batch := run.ask_batch()) is not None:
        with watch.judging():
            scores = judge.many(batch.xs, batch.ys)
        run.tell_batch(batch, scores)
        if watch.after():
            return


class Crew:
    """Threads that judge pairs of one run until it is done, or one of them fails.

    Args:
        run: The run.
        judge: The user's function; it is called from several threads at once.
        after: Called after each answer, from one thread at a time.
    """

    def __init__(self, run: Run, judge: Judge, after: After) -> None:
        self._run, self._judge, self._after = run, judge, after
        self._changed = threading.Condition()
        self._stop = False
        self._error: BaseException | None = None

    def work(self, size: int) -> None:
        """Let ``size`` threads work; raise what stopped them, if anything did."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(size)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.1)  # a join without an end would not see Ctrl-C
        except BaseException:
            self._end()
            for thread in threads:
                if thread.ident is not None:  # it was started
                    thread.join()  # duels that are under way are paid for: keep their answers
            raise
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        try:
            while (pair := self._next()) is not None:
                self._finish(pair)
        except BaseException as error:
            self._error = self._error or error
            self._end()

    def _next(self) -> Pair | None:
        """Return the next pair, waiting while all that are left depend on open ones."""
        with self._changed:
            while not self._stop:
                if pairs := self._run.ask():
                    return pairs[0]
                if self._run.done:
                    self._changed.notify_all()
                    return None
                self._changed.wait()
        return None

    def _finish(self, pair: Pair) -> None:
        outcome = self._judge.one(pair.x, pair.y)
        with self._changed:
            before = self._run.steps
            self._run.tell(pair.id, outcome)
            self._stop = self._after() or self._stop
            if self._stop or self._run.steps != before:  # else nobody who waits has anything to do
                self._changed.notify_all()

    def _end(self) -> None:
        with self._changed:
            self._stop = True
            self._changed.notify_all()


def judge_in_threads(run: Run, judge: Judge, after: After, parallel: int) -> None:
    """Judge up to ``parallel`` pairs at once, each in a thread."""
    Crew(run, judge, after).work(parallel)


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
