"""Leases: who has which pair of a step, and which pair somebody who asks is given.

A lease is a hint for handing a pair to somebody else, never a reason to refuse an answer.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Leased:
    """A pair was handed to a client; ``number`` counts how often it was handed out."""

    index: int
    client: str
    number: int = 1


@dataclass(slots=True)
class _Out:
    """A pair that somebody has, or had."""

    number: int
    since: float
    holders: list[str] = field(default_factory=list)


class Leases:
    """The pairs of one step that are out.

    Args:
        total: The number of duels of the step.
        decided: Tells whether a duel needs no more answers.
        term: Seconds after which a pair counts as abandoned.
    """

    def __init__(self, total: int, decided: Callable[[int], bool], term: float) -> None:
        self._total, self._decided, self._term = total, decided, term
        self._next = 0  # duels below this are out or decided
        self._out: OrderedDict[int, _Out] = OrderedDict()  # the one handed out longest ago first
        self._own: dict[str, int] = {}  # the pair that each client has
        self._skipped: dict[str, dict[int, None]] = {}  # by client, the latest last

    def __len__(self) -> int:
        return len(self._out)

    def held_by(self, client: str) -> int | None:
        """Return the pair that a client has; None if it has none."""
        return self._own.get(client)

    def number_of(self, index: int) -> int:
        """Return how often a pair was handed out."""
        return self._out[index].number if index in self._out else 0

    def choose(self, client: str, now: float) -> Leased | None:
        """Return the lease that a client is to be given; None if no pair is open.

        It is the pair that the client has already; or else one that was abandoned, one that nobody
        had, or the one that was handed out longest ago. What the client has skipped comes last.
        """
        index = self._own.get(client)
        if index is not None:
            return Leased(index, client, self._out[index].number)
        skipped = self._skipped.get(client, {})
        index = self._abandoned(now, skipped)
        if index is None:
            index = self._fresh()
        if index is None:
            index = next((i for i in self._out if i not in skipped), None)
        if index is None:
            index = next((i for i in skipped if i in self._out), None)
        return None if index is None else Leased(index, client, self.number_of(index) + 1)

    def give(self, lease: Leased, now: float) -> None:
        """Take note of a lease."""
        before = self._own.get(lease.client)
        if before is not None and before != lease.index:
            self.release(before, lease.client)
        out = self._out.setdefault(lease.index, _Out(0, now))
        out.number, out.since = max(out.number, lease.number), now
        if lease.client not in out.holders:
            out.holders.append(lease.client)
        self._out.move_to_end(lease.index)
        self._own[lease.client] = lease.index

    def release(self, index: int, client: str, *, skipped: bool = False) -> None:
        """Let a pair that a client will not judge go to the next one who asks."""
        if skipped:
            skips = self._skipped.setdefault(client, {})
            skips.pop(index, None)
            skips[index] = None
        if self._own.get(client) == index:
            del self._own[client]
        if (out := self._out.get(index)) and client in out.holders:
            out.holders.remove(client)
            out.since = -math.inf
            self._out.move_to_end(index, last=False)

    def drop(self, index: int) -> None:
        """Forget a pair that was decided."""
        if out := self._out.pop(index, None):
            for client in out.holders:
                if self._own.get(client) == index:
                    del self._own[client]

    def _abandoned(self, now: float, skipped: dict[int, None]) -> int | None:
        for index, out in self._out.items():
            if out.since + self._term > now:
                return None  # those after it went out later
            if index not in skipped:
                return index
        return None

    def _fresh(self) -> int | None:
        while self._next < self._total and (self._next in self._out or self._decided(self._next)):
            self._next += 1
        return self._next if self._next < self._total else None
