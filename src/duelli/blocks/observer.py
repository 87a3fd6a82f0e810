"""The contract of those who watch a learner."""

from typing import Any, Protocol

from duelli.blocks.records import Block


class Observer(Protocol):
    """Watches the blocks of one learner and notes what is particular to that learner."""

    def see(self, block: Block, phase: str) -> None:
        """Take in a block that was played while the learner was in ``phase``."""
        ...

    def notes(self) -> dict[str, Any]:
        """Return the notes of the round that is not finished; empty if there are none."""
        ...

    def close(self) -> dict[str, Any]:
        """Return the notes of the round that was just completed, and begin the next one."""
        ...
