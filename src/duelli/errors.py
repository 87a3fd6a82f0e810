"""The errors of duelli: one root, and a builtin beside it so that old habits of catching work."""

from typing import Any


class DuelliError(Exception):
    """Whatever duelli raises on purpose, other than a plain ``ValueError`` or ``TypeError``."""


class OutOfTurnError(DuelliError, RuntimeError):
    """A call that needs another one before it."""


class SavedRunError(DuelliError, ValueError):
    """A saved run that cannot be continued: changed, incomplete, or of another kind."""


class WorkerError(DuelliError, RuntimeError):
    """A cluster that cannot run trials: no connection, no workers, or other code on them."""


class DuelFailedError(DuelliError, RuntimeError):
    """The user's duel raised, or answered with something that is not an outcome.

    Nothing that was finished is lost: ``saved`` is the run just before the failed duel, and
    ``optimize(..., saved=error.saved)`` goes on from there.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.saved: dict[str, Any] | None = None
