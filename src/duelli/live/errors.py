"""The errors of live studies."""

from duelli.errors import DuelliError

WAY_OUT = "; duelli study salvage saves what can be read"  # said of a damaged file


class UnknownStudyError(DuelliError, KeyError):
    """A study that the store does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class ConflictError(DuelliError, RuntimeError):
    """A request that what was stored before rules out; nothing was changed by it."""


class DeniedError(DuelliError, PermissionError):
    """A token or a ticket that is missing, or does not allow what was asked."""


class KeyReusedError(DuelliError, ValueError):
    """An idempotency key that came before with another content."""


class StoreError(DuelliError, RuntimeError):
    """A store that cannot be used; the server must stop, as it can no longer promise anything."""


class DamagedError(StoreError):
    """A store whose content does not add up."""


class DamagedStudyError(DuelliError, RuntimeError):
    """One study whose content does not add up; the others of its store go on."""


class StoreBusyError(DuelliError, RuntimeError):
    """A store that cannot take anything now: locked, disk full or disconnected; try again."""


class QueueFullError(StoreBusyError):
    """More requests are waiting than the server holds; try again."""


class StoreLostError(StoreBusyError):
    """A connection that broke: what was sent last may have been kept or not; send it again."""
