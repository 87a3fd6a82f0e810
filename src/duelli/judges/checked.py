"""Judge: the user's own function, called with points in the user's units, its answers checked."""

import inspect
from collections.abc import Awaitable, Callable
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from duelli import _check
from duelli.errors import DuelFailedError
from duelli.serving import OUTCOME_UNIT, outcome_of

Duel = Callable[[Any, Any], Any]  # (x, y) -> the outcome of x; x is the one shown first
DuelMany = Callable[[Any, Any], Any]  # (xs, ys) -> the outcomes of the xs, one for each pair


class Judge:
    """Asks the user's function and checks what it answers.

    Args:
        duel: (x, y) -> True if x wins, or any number in [0, 1]; 1/2 is a tie. It may be an
            ``async def``.
        duel_many: (xs, ys) -> one outcome for each pair of points, instead of ``duel``.
        retries: How often a call that raises is repeated before the run stops.
    """

    def __init__(
        self, *, duel: Duel | None = None, duel_many: DuelMany | None = None, retries: int = 0
    ) -> None:
        if (duel is None) == (duel_many is None):
            raise ValueError(
                f"give duel or duel_many, and not both; got {'neither' if duel is None else 'both'}"
            )
        for name, function in (("duel", duel), ("duel_many", duel_many)):
            if function is not None and not callable(function):
                raise TypeError(f"{name} must be a function; got {function!r}")
        self.duel, self.duel_many = duel, duel_many
        self.retries = _check.whole("retries", retries)

    def one(self, x: Any, y: Any) -> float:
        """Return the outcome of ``x`` against ``y``."""
        assert self.duel is not None  # __init__ saw to it
        return _outcome(self._call(self.duel, x, y))

    async def one_awaited(self, x: Any, y: Any) -> float:
        """Return the outcome of ``x`` against ``y`` from a function that is awaited."""
        assert self.duel is not None  # __init__ saw to it
        for attempt in range(self.retries + 1):
            try:
                answer: Awaitable[Any] = self.duel(*self._own(x, y))
                return _outcome(await answer)
            except DuelFailedError:
                raise
            except Exception as error:
                if attempt == self.retries:
                    raise _failed(error) from error
        raise AssertionError("unreachable")

    def many(self, xs: Any, ys: Any) -> npt.NDArray[np.float64]:
        """Return the outcomes of the points ``xs`` against the points ``ys``."""
        assert self.duel_many is not None  # __init__ saw to it
        count = len(xs)
        return _outcomes(self._call(self.duel_many, xs, ys), count)

    def _own(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return the points; copies of them if the call may be repeated, lest it change them."""
        return (copy(x), copy(y)) if self.retries else (x, y)

    def _call(self, function: Duel, x: Any, y: Any) -> Any:
        for attempt in range(self.retries + 1):
            try:
                return function(*self._own(x, y))
            except Exception as error:
                if attempt == self.retries:
                    raise _failed(error) from error
        raise AssertionError("unreachable")


def _failed(error: Exception) -> DuelFailedError:
    return DuelFailedError(f"duel raised {type(error).__name__}: {error}")


def _outcome(answer: Any) -> float:
    if inspect.iscoroutine(answer):
        answer.close()
        raise DuelFailedError("duel returned a coroutine; write it as an async def")
    try:
        return outcome_of("the outcome that duel returns", answer)
    except (TypeError, ValueError) as error:
        raise DuelFailedError(str(error)) from None


def _outcomes(answers: Any, count: int) -> npt.NDArray[np.float64]:
    """Return the answers of ``duel_many`` as ``count`` numbers in [0, 1]."""
    rule = f"duel_many must return {count} outcomes, each True, False or a number in [0, 1]"
    try:
        values = np.asarray(answers)
    except ValueError:  # lists of different lengths
        raise DuelFailedError(f"{rule}; got {answers!r}") from None
    if values.shape != (count,):
        came = f"the shape {values.shape}" if values.ndim else repr(answers)
        raise DuelFailedError(f"{rule}; got {came}")
    if values.dtype.kind not in "biuf":  # strings, None and other objects
        numbers = bool | int | float | np.bool_ | np.number
        if strange := [value for value in values.tolist() if not isinstance(value, numbers)]:
            raise DuelFailedError(f"{rule}; got {strange[0]!r}")
    outcomes = values.astype(np.float64)
    inside = (outcomes >= 0) & (outcomes <= 1)
    if not inside.all():
        raise DuelFailedError(f"{rule}; got {values[int(np.argmin(inside))].item()!r}")
    return np.round(outcomes / OUTCOME_UNIT) * OUTCOME_UNIT
