"""Panel: a program as a judge, asked in both orders and several times about each pair.

A language model prefers the first of two texts, or the second, whatever they say, and does not
always say the same. Asked in both orders it shows its preference for a position, which then is no
longer taken for one of the points.
"""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from duelli import _check
from duelli.bias import Bias, BiasTally
from duelli.serving import outcome_of

WORDS = {"first": 1.0, "second": 0.0, "tie": 0.5}

Ask = Callable[[Any, Any], Any]  # (first, second) -> a word of WORDS, or the outcome of the first


@dataclass(frozen=True, slots=True)
class Report:
    """How far a judge can be trusted.

    Args:
        duels: The pairs that were judged.
        ties: Those in which neither point won.
        calls: How often the judge was asked.
        bias: How much more often than half the point shown first wins.
        swapped: How often a pair was asked in both orders.
        steady: How often both orders then had the same winner.
        repeated: How many pairs of votes on the same duel there are.
        agreed: How many of those are equal.
    """

    duels: int
    ties: int
    calls: int
    bias: Bias
    swapped: int
    steady: int
    repeated: int
    agreed: int

    def __str__(self) -> str:
        lines = [f"duels: {self.duels}, ties: {self.ties}, calls: {self.calls}"]
        if self.calls:
            lines.append(str(self.bias))
        if self.swapped:
            lines.append(f"both orders had the same winner {self.steady} of {self.swapped} times")
        if self.repeated:
            lines.append(f"two votes on one duel were equal {self.agreed} of {self.repeated} times")
        return "\n".join(lines)


class _Votes:
    """What a panel that calls and one that awaits share: counting."""

    def __init__(self, ask: Ask, *, both_orders: bool = True, votes: int = 1) -> None:
        if not callable(ask):
            raise TypeError(f"ask must be a function; got {ask!r}")
        self.ask, self.both_orders = ask, bool(both_orders)
        self.votes = _check.whole("votes", votes, 1)
        self._lock = threading.Lock()
        self._first = BiasTally()
        self._duels = self._ties = self._steady = self._agreed = 0

    def report(self) -> Report:
        """Return how far the judge can be trusted, by all pairs so far."""
        with self._lock:
            cast = self._duels * self.votes
            return Report(
                duels=self._duels,
                ties=self._ties,
                calls=cast * (1 + self.both_orders),
                bias=self._first.bias(),
                swapped=cast if self.both_orders else 0,
                steady=self._steady,
                repeated=self._duels * self.votes * (self.votes - 1) // 2,
                agreed=self._agreed,
            )

    def _questions(self, x: Any, y: Any) -> list[tuple[Any, Any]]:
        """Return the pairs to ask for one duel; each vote is one, or two that follow each other."""
        orders = [(x, y), (y, x)] if self.both_orders else [(x, y)]
        return orders * self.votes

    def _counted(self, answers: list[Any]) -> float:
        """Return the outcome of x by the answers to `_questions`, and remember them."""
        firsts = [_outcome(answer) for answer in answers]
        if self.both_orders:
            sides = [(a, 1 - b) for a, b in zip(firsts[::2], firsts[1::2], strict=True)]
            shown_first = [(a + b) / 2 for a, b in zip(firsts[::2], firsts[1::2], strict=True)]
        else:
            sides = [(a, a) for a in firsts]
            shown_first = firsts
        votes = [_agreed(*side) for side in sides]
        result = _majority(votes)
        with self._lock:
            self._duels += 1
            self._ties += result == 0.5
            self._steady += sum(_winner(a) == _winner(b) for a, b in sides)
            self._agreed += sum(a == b for i, a in enumerate(votes) for b in votes[:i])
            for share in shown_first:
                self._first.add(share)
        return result


class Panel(_Votes):
    """A duel function that asks another one in both orders and takes the majority of its votes.

    It returns 1 if x wins, 0 if y does and 1/2 for a tie, and may be called from several threads:
    ``duelli.optimize(Panel(ask, votes=3), box, horizon=500, parallel=8)``, or
    ``client.play(Panel(ask))`` in a live study.

    Args:
        ask: (first, second) -> "first", "second" or "tie"; or True, False or a number in [0, 1],
            the outcome of the first one.
        both_orders: Whether each vote asks twice, in both orders; if the two answers disagree,
            the vote is a tie.
        votes: How many votes each duel gets.
    """

    def __init__(self, ask: Ask, *, both_orders: bool = True, votes: int = 1) -> None:
        super().__init__(ask, both_orders=both_orders, votes=votes)
        if inspect.iscoroutinefunction(ask):
            raise TypeError("ask must not be an async def here; use AsyncPanel")

    def __call__(self, x: Any, y: Any) -> float:
        """Return the outcome of ``x`` against ``y``."""
        return self._counted([self.ask(*pair) for pair in self._questions(x, y)])


class AsyncPanel(_Votes):
    """A `Panel` whose ``ask`` is an ``async def``; the questions of one duel are asked at once."""

    async def __call__(self, x: Any, y: Any) -> float:
        """Return the outcome of ``x`` against ``y``."""
        asked: list[Awaitable[Any]] = [self.ask(*pair) for pair in self._questions(x, y)]
        return self._counted(await asyncio.gather(*asked))


def _outcome(answer: Any) -> float:
    if isinstance(answer, str):
        _check.one_of("the answer of ask", answer, WORDS)
        return WORDS[answer]
    return outcome_of("the answer of ask", answer)


def _winner(outcome: float) -> int:
    return (outcome > 0.5) - (outcome < 0.5)


def _agreed(a: float, b: float) -> float:
    """Return a vote: 1 or 0 if both answers have the same winner, else 1/2."""
    return 0.5 + 0.5 * _winner(a) if _winner(a) == _winner(b) else 0.5


def _majority(votes: list[float]) -> float:
    return 0.5 + 0.5 * _winner(sum(votes) / len(votes))
