"""Live studies: duels judged by people and programs at once, each outcome counted once.

`Study` is the game without any input or output, `stores` keep it, `service` speaks HTTP, and
`Client` is what a program needs to judge. Heavy packages are imported only by what needs them.
"""

from duelli.live.client import Client
from duelli.live.errors import (
    ConflictError,
    DamagedError,
    StoreBusyError,
    StoreError,
    UnknownStudyError,
)
from duelli.live.settings import Settings
from duelli.live.study import Study

__all__ = [
    "Client",
    "ConflictError",
    "DamagedError",
    "Settings",
    "StoreBusyError",
    "StoreError",
    "Study",
    "UnknownStudyError",
]
