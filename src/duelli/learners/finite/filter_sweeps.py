"""Round: the matches of one candidate of the Interleaved Filter, in as few blocks as can be.

Yue, Broder, Kleinberg, Joachims (2012), "The K-armed dueling bandits problem".

The algorithm sweeps: every rival meets the candidate once, and only then is anything decided.
Let a rival's lead ℓ be the candidate's wins less half of their n duels. The rival is decided as
soon as |ℓ| > √(C n). A duel moves ℓ by at most 1/2, so the first sweep at which a rival can be
decided at all is known beforehand, and its duels up to there make one block.

Rivals need not be played in step, because their duels are independent: the same sweeps decide
the same things if each rival waits at a sweep of its own. What keeps that exact:

- The rival that can be decided at the earliest sweep e plays next, so nobody ever plays beyond
  a sweep at which something is decided.
- It plays only if the sweeps up to e fit into the budget. Nobody else is decided before e, so
  they take e duels of each rival that is left, and those of the removed up to their removal.
- If they do not fit, the budget ends before anything else is decided: everyone is brought to the
  last full sweep, and the duels left over go to the first rivals in order, one each.
- If a rival beats the candidate at e, everyone is brought to e before the change, which needs
  all leads at that sweep.

So the duels are those of the sweeping algorithm, all of them and no others, in another order:
a rival is at most 2 (C + √(C² + C n)) + 1 sweeps behind.
"""

import math
from dataclasses import dataclass, field
from heapq import heapify, heappop, heapreplace

SLACK = 1e-12  # a sweep that rounding makes too early costs one more block; too late is wrong


def passes(lead: float, sweeps: int, width: float) -> bool:
    """Tell whether P̂ - c > 1/2, where P̂ = 1/2 + lead / n and c = √(C / n).

    Paper: Eqs. (6)-(8).
    """
    return lead > math.sqrt(width * sweeps)


def sweeps_to_decide(lead: float, sweeps: int, width: float) -> int:
    """Return the smallest m >= 1 for which |lead| + m/2 > √(C (n + m)).

    Paper: Algorithm 2, lines 12 and 15, which cannot hold before.
    """
    lead = abs(lead)
    root = math.sqrt(width * (width + sweeps - 2 * lead))
    bound = 2 * (width - lead + root)  # the larger root of (|lead| + m/2)² = C (n + m)
    return max(1, math.floor(bound - SLACK * (width + lead + root)) + 1)


@dataclass(slots=True, kw_only=True)
class Round:
    """One candidate against its rivals, each at a sweep of its own.

    Args:
        candidate: b̂, the reference of all duels.
        budget: The duels that are left when the round begins.
        width: C = conf_factor · ln(1/δ).
        rivals: W in order, each with its sweeps and its lead.
        spent: The duels of the rivals that were removed.
        meet: The sweep to which everyone is brought for the change or the end, once it is known.
        extra: How many rivals duel once more after ``meet``, where the budget ends; None if a
            change is due there.
    """

    candidate: int
    budget: int
    width: float
    rivals: dict[int, tuple[int, float]]
    spent: int = 0
    meet: int | None = None
    extra: int | None = None
    due: list[tuple[int, int]] = field(init=False)  # a heap: up to which sweep who plays next

    def __post_init__(self) -> None:
        if self.meet is not None:
            self._gather()
            return
        self.due = [
            (sweeps + sweeps_to_decide(lead, sweeps, self.width), rival)
            for rival, (sweeps, lead) in self.rivals.items()
        ]
        heapify(self.due)
        self._fit()

    @property
    def change_due(self) -> bool:
        """Whether everyone has met at the sweep that beat the candidate. Paper: Alg. 2, line 15."""
        return self.meet is not None and self.extra is None and not self.due

    def check(self, left: int) -> None:
        """Raise ValueError if no run with ``left`` duels left can be in this round."""
        for arm, (sweeps, lead) in self.rivals.items():
            if abs(lead) > sweeps / 2:
                raise ValueError(
                    f"state.round.rivals must have leads of at most half their sweeps; got "
                    f"{[arm, sweeps, lead]}"
                )
        due = self.due[:1] if self.meet is None else self.due
        ahead = sum(sweep - self.rivals[rival][0] for sweep, rival in due)
        if ahead > left:
            raise ValueError(f"state.round must end within the horizon; it asks for {ahead} duels")
        played = self.spent + sum(sweeps for sweeps, _ in self.rivals.values())
        if self.rivals and self.budget - played != left:
            raise ValueError(f"state.duels must agree with the sweeps; {left} duels are left")
        beaten = any(passes(-lead, sweeps, self.width) for sweeps, lead in self.rivals.values())
        if self.meet is not None and self.extra is None and not beaten:
            raise ValueError("state.round.extra must be a number where nobody beats the candidate")

    def match(self) -> tuple[int, int] | None:
        """Return who plays next and how many duels; None if nobody does in this round.

        Paper: Algorithm 2, lines 8-9, as many sweeps of one rival as decide nothing.
        """
        if not self.due:
            return None
        sweep, rival = self.due[0]
        return rival, sweep - self.rivals[rival][0]

    def advance(self, wins: float) -> None:
        """Take in how many duels of `match` the rival won.

        Paper: Algorithm 2, lines 10-15.
        """
        sweep, rival = self.due[0]
        sweeps, lead = self.rivals[rival]
        lead += (sweep - sweeps) / 2 - wins
        self.rivals[rival] = sweep, lead
        if self.meet is not None:
            heappop(self.due)
        elif passes(-lead, sweep, self.width):  # line 15
            self.meet = sweep
            self._gather()
        elif passes(lead, sweep, self.width):  # line 12
            heappop(self.due)
            self.spent += sweep
            del self.rivals[rival]
            self._fit()
        else:
            heapreplace(self.due, (sweep + sweeps_to_decide(lead, sweep, self.width), rival))
            self._fit()

    def successor(self, *, prune: bool) -> tuple[int, list[int]]:
        """Return the first rival in order that beats the candidate, and who is left to face it.

        Paper: Algorithm 2, lines 12-19; without ``prune`` 16-18 are left out.
        """
        left = {b: lead for b, (n, lead) in self.rivals.items() if not passes(lead, n, self.width)}
        winner = next(b for b in left if passes(-left[b], self.rivals[b][0], self.width))
        return winner, [b for b in left if b != winner and not (prune and left[b] > 0)]

    def _fit(self) -> None:
        """Bring everyone to the end of the budget if it comes before the next decision."""
        left = self.budget - self.spent
        if self.due and self.due[0][0] * len(self.rivals) > left:
            self.meet, self.extra = divmod(left, len(self.rivals))
            self._gather()

    def _gather(self) -> None:
        """Let everyone play up to ``meet``, the first ``extra`` in order once more."""
        assert self.meet is not None  # that is what it is for
        extra = self.extra or 0
        targets = ((self.meet + (place < extra), rival) for place, rival in enumerate(self.rivals))
        self.due = sorted(target for target in targets if self.rivals[target[1]][0] < target[0])
