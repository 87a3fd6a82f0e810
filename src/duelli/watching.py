"""Watch: what happens after each answer of a run: saving, the progress bar, the user's callback."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from duelli.runs import Run

After = Callable[[], bool]  # called after each answer; True ends the loop


class Watch:
    """Saves a run and shows its progress after each answer, and keeps it whole on Ctrl-C.

    Args:
        run: The run.
        checkpoint: The file that the run is saved in; None for none.
        progress: Whether to draw a progress bar.
        callback: Called with the run after every answer; if it returns True the run stops.
        defer: Whether an interrupt that comes while an answer is being taken in waits until the
            answer is saved; one that comes while the judge works is raised at once. Needed where
            the main thread takes in the answers.
    """

    def __init__(
        self,
        run: Run,
        checkpoint: Path | None,
        progress: bool,
        callback: Callable[[Run], object] | None,
        *,
        defer: bool,
    ) -> None:
        if callback is not None and not callable(callback):
            raise TypeError(f"callback must be a function of the run; got {callback!r}")
        self._defer = defer and threading.current_thread() is threading.main_thread()
        self._run, self._checkpoint, self._callback = run, checkpoint, callback
        self._bar: Any = _bar(run) if progress else None
        self._before: Any = None  # the interrupt handler that was there
        self._judging = False
        self._interrupted: tuple[Any, ...] | None = None

    def __enter__(self) -> Self:
        if self._checkpoint is not None:
            self._run.save(self._checkpoint)  # a place that cannot be written to says so now
        if self._defer:
            self._before = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._defer:
            signal.signal(signal.SIGINT, self._before)
        if self._bar is not None:
            self._bar.close()
        if error is not None:
            with suppress(AttributeError):  # an exception may forbid new attributes
                error.saved = self._run.saved()  # type: ignore[attr-defined]
        self._save_last(error)

    def _save_last(self, error: BaseException | None) -> None:
        """Save once more; a failure to do so must not hide what ended the run."""
        if self._checkpoint is None:
            return
        try:
            self._run.save(self._checkpoint)
        except OSError as failure:
            if error is None:
                raise
            error.add_note(f"the checkpoint could not be written: {failure}")

    @contextmanager
    def judging(self) -> Iterator[None]:
        """Let an interrupt through at once while the judge works."""
        self._raise_if_interrupted()
        self._judging = True
        try:
            yield
        finally:
            self._judging = False

    def after(self) -> bool:
        """Save, draw and call back; return whether the run is to stop."""
        if self._checkpoint is not None:
            self._run.save(self._checkpoint)
        if self._bar is not None:
            self._bar.update(self._run.duels - self._bar.n)
        return self._callback is not None and bool(self._callback(self._run))

    def _interrupt(self, number: int, frame: Any) -> None:
        if self._judging:
            self._judging = False
            self._pass_on(number, frame)
        else:
            self._interrupted = (number, frame)

    def _raise_if_interrupted(self) -> None:
        if self._interrupted is not None:
            (number, frame), self._interrupted = self._interrupted, None
            self._pass_on(number, frame)

    def _pass_on(self, number: int, frame: Any) -> None:
        """Do what would have been done without a watch."""
        if callable(self._before):
            self._before(number, frame)


def _bar(run: Run) -> Any:
    from tqdm import tqdm

    return tqdm(total=run.horizon, initial=run.duels, unit="duel", smoothing=0.1)
