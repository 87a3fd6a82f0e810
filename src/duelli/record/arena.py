"""What an arena hands to its page: what every learner did, what it took, and who was absent."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple

from duelli.record.results import MIDDLE, Cell, Score
from duelli.record.stats import Mean
from duelli.record.tables import Row

Place = tuple[str, int]  # a learner's label, and a horizon


class Cost(NamedTuple):
    """What a learner took: processor seconds per duel, and the largest that its state was."""

    seconds: float
    state_bytes: int
    state_bits: int


class Point(NamedTuple):
    """The regret after so many duels: its mean over the trials, and its standard deviation."""

    duels: int
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What one learner did on one landscape at one horizon.

    Args:
        score: Regret and gap over the trials.
        regrets: R(T) of each trial.
        gaps: The gap of the answer of each trial.
        duels: The duels played, on average; with the aim "answer" a learner may stop early.
        curve: The regret by duels, at the checkpoints that all trials have.
        cost: What the learner took; None for the middle of the box.
    """

    score: Score
    regrets: tuple[float, ...]
    gaps: tuple[float, ...]
    duels: float
    curve: tuple[Point, ...] = ()
    cost: Cost | None = None

    @classmethod
    def of(cls, cell: Cell, rows: Sequence[Row]) -> "Entry":
        """Return the entry of the finished, timed trials ``rows``."""
        played = sum(row["horizon"] for row in rows)
        return cls(
            score=Score.of(rows, **asdict(cell)),
            regrets=tuple(row["cumulative_regret"] for row in rows),
            gaps=tuple(row["final_gap"] for row in rows),
            duels=played / len(rows),
            curve=_curve(rows),
            cost=Cost(
                per_duel(sum(row["learner_seconds"] for row in rows), played),
                max(row["state_bytes"] for row in rows),
                max(row["state_bits"] for row in rows),
            ),
        )

    @classmethod
    def of_middle(cls, cell: Cell, rows: Sequence[Row]) -> "Entry":
        """Return the entry of the middle of the box, from the trials of any learner.

        It is the answer that takes no duels. Its regret is that of T duels against itself.
        """
        gaps = [row["middle_gap"] for row in rows]
        still = [
            {
                "cumulative_regret": 2 * gap * cell.horizon,  # Eq. (1): Δ(x*, x) + Δ(x*, x) a duel
                "weak_regret": gap * cell.horizon,
                "final_gap": gap,
                "middle_gap": gap,
            }
            for gap in gaps
        ]
        own = replace(cell, label=MIDDLE, learner=MIDDLE)
        return cls(
            score=Score.of(still, **asdict(own)),
            regrets=tuple(row["cumulative_regret"] for row in still),
            gaps=tuple(gaps),
            duels=cell.horizon,
        )

    @property
    def label(self) -> str:
        """What the learner is called here."""
        return self.score.label

    @property
    def landscape(self) -> str:
        """The name of the landscape."""
        return self.score.landscape

    @property
    def horizon(self) -> int:
        """T."""
        return self.score.horizon

    @property
    def regret_per_duel(self) -> float:
        """The mean regret of a duel."""
        return per_duel(statistics.fmean(self.regrets), self.duels)


def per_duel(total: float, duels: float) -> float:
    """Return a total over so many duels, as that of one; the total itself if there were none.

    With the aim "answer" and very few duels a learner may ask for none at all.
    """
    return total / (duels or 1)


def _curve(rows: Sequence[Row]) -> tuple[Point, ...]:
    trials = [{p["duels"]: p["cumulative_regret"] for p in row["curve"]} for row in rows]
    common = sorted(set(trials[0]).intersection(*trials[1:]))
    means = [(duels, Mean.of([trial[duels] for trial in trials])) for duels in common]
    return tuple(Point(duels, mean.value, mean.deviation) for duels, mean in means)


@dataclass(frozen=True, slots=True)
class Absence:
    """Why a learner did not play: at which horizon, and on which landscapes."""

    label: str
    horizon: int
    landscapes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaTable:
    """All that the page of an arena shows.

    Args:
        name: The name of the preset.
        title: The title of the page.
        lead: A sentence below the title.
        places: What the landscapes are called: "landscapes" or "problems".
        main: Which number ranks go by first, "regret" or "gap".
        smallest: Gaps below this count as this: they are as good as none.
        landscapes: Their names, in order.
        horizons: The numbers of duels, in increasing order.
        learners: The labels of all learners, whether they played or not.
        ours: Those that are always coloured.
        champions: Horizon -> the learner that should lead there.
        reasons: Why it may not: learner and measure, "regret" or "gap" -> a habit of the learner.
        entries: One for each learner, landscape and horizon that was played.
        middles: One for each landscape and horizon.
        memory: The most bytes that a learner had allocated, by learner and horizon.
        absences: Who did not play where, and why.
        facts: What was run and with what: names and values.
        rerun: The command that makes the page.
    """

    name: str
    title: str
    lead: str
    places: str
    main: str
    smallest: float
    landscapes: tuple[str, ...]
    horizons: tuple[int, ...]
    learners: tuple[str, ...]
    ours: tuple[str, ...]
    champions: dict[int, str]
    entries: tuple[Entry, ...]
    middles: tuple[Entry, ...]
    memory: Mapping[Place, int] = field(default_factory=dict)
    absences: tuple[Absence, ...] = ()
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    facts: tuple[tuple[str, str], ...] = ()
    rerun: str = ""

    def at(
        self, *, landscape: str | None = None, horizon: int | None = None, label: str | None = None
    ) -> list[Entry]:
        """Return the entries of learners on one landscape, at one horizon, of one learner."""
        return [
            entry
            for entry in self.entries
            if landscape in (None, entry.landscape)
            and horizon in (None, entry.horizon)
            and label in (None, entry.label)
        ]

    def middles_at(self, horizon: int) -> list[Entry]:
        """Return the entries of the middle of the box at one horizon, one for each landscape."""
        return [entry for entry in self.middles if entry.horizon == horizon]

    def middle(self, landscape: str, horizon: int) -> Entry:
        """Return the entry of the middle of the box."""
        (found,) = (entry for entry in self.middles_at(horizon) if entry.landscape == landscape)
        return found
