"""Judging in threads, several pairs at once."""

import threading

from duelli.judges import Judge
from duelli.pairs import Pair
from duelli.runs import Run
from duelli.watching import After


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
