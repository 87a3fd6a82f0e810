"""The contract of an engine."""

from typing import Protocol

from duelli.blocks.records import Block, Played


class Engine(Protocol):
    """Answers blocks."""

    def play(self, block: Block) -> Played:
        """Fight the duels of ``block``."""
        ...
