"""The arena: all learners side by side, each as far as its cost allows, and what came of it."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duelli import _check
from duelli.experiments.champions import REASONS, champion
from duelli.experiments.compare import Contest, run_label, score_dict
from duelli.experiments.entrants import entrants
from duelli.experiments.presets import ARENAS
from duelli.experiments.reproduce import facts
from duelli.experiments.sweep import Run, Sweep
from duelli.experiments.trials import box_of
from duelli.record.arena import Absence, ArenaTable, Entry, Place
from duelli.record.ranking import Measure, standings
from duelli.record.stats import neat
from duelli.record.tables import Row, Store

OURS = ("arc_race", "auto", "arc_duelli")  # coloured in every figure
MEMORY = "memory"  # the group of runs that measure it
OPTIONS = ("trials", "link", "clarity", "engine", "seed")  # of the command line

Learners = Mapping[str, tuple[str, Mapping[str, Any]]]  # label -> learner and its inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """A preset, perhaps narrowed.

    Args:
        name: The name of the preset.
        contest: All learners, landscapes and horizons that were asked for.
        parts: What of it is played: one contest for each learner and horizon.
        absences: What is not, and why.
    """

    name: str
    contest: Contest
    parts: tuple[Contest, ...]
    absences: tuple[Absence, ...]

    @classmethod
    def of(
        cls,
        name: str,
        *,
        landscapes: tuple[str, ...] = (),
        learners: Learners | None = None,
        horizons: tuple[int, ...] = (),
        trials: int | None = None,
        **others: Any,
    ) -> "Arena":
        """Return the arena of a preset; what is empty or None is as the preset has it.

        Args:
            name: The name of the preset.
            landscapes: Some of the preset's landscapes.
            learners: Label -> learner and its inputs.
            horizons: The numbers of duels to play.
            trials: How many trials of each learner, landscape and horizon.
            others: Further fields of `Contest`.
        """
        preset = _check.registered("preset", name, ARENAS)
        for each in landscapes:
            _check.one_of(f"landscape of the preset {name}", each, preset.landscapes)
        contest = Contest(
            landscapes=landscapes or preset.landscapes,
            learners=learners or {label: (label, {}) for label in preset.learners},
            horizons=tuple(sorted(set(horizons or preset.horizons))),
            trials=preset.trials if trials is None else trials,
            timed=True,
            **others,
        )
        parts, absences = entrants(contest)
        return cls(name=name, contest=contest, parts=parts, absences=absences)

    def sweep(self, out: Path, jobs: int = -1) -> Sweep:
        """Return the trials to run, to be kept in ``out``.

        There is one group of runs per landscape, and one more that measures memory.
        """
        groups: dict[str, tuple[Run, ...]] = {}
        for part in self.parts:
            for group, runs in part.groups().items():
                groups[group] = (*groups.get(group, ()), *runs)
        groups[MEMORY] = tuple(map(_memory_run, self.parts))
        return Sweep(groups=groups, store=Store(out), jobs=jobs)

    def table(self, sweep: Sweep, ran: int = 0, seconds: float = 0.0) -> ArenaTable:
        """Return all that the page shows, once every trial is finished.

        Args:
            sweep: The trials.
            ran: How many of them this run has added.
            seconds: How long those took.
        """
        preset, contest = ARENAS[self.name], self.contest
        results = sweep.results()
        cells = [found for part in self.parts for found in part.cells(results)]
        middles = {(cell.landscape, cell.horizon): (cell, rows) for cell, rows in cells}
        setup = facts(len(sweep.tasks()), ran, seconds)
        return ArenaTable(
            name=self.name,
            title=preset.title,
            lead=preset.lead,
            places=preset.places,
            main=preset.main,
            smallest=preset.smallest,
            landscapes=contest.landscapes,
            horizons=contest.horizons,
            learners=tuple(contest.learners),
            ours=tuple(label for label in OURS if label in contest.learners),
            champions={horizon: champion(horizon) for horizon in contest.horizons},
            reasons=REASONS,
            entries=tuple(Entry.of(cell, rows) for cell, rows in cells),
            middles=tuple(Entry.of_middle(cell, rows) for cell, rows in middles.values()),
            memory=_memory(results[MEMORY], self.parts),
            absences=self.absences,
            facts=(("Setting", self._setting()), *setup),
            rerun=self.command(sweep.store.folder),
        )

    def _setting(self) -> str:
        contest = self.contest
        judges = f", {contest.clarity} judges" if contest.in_practice else ""
        each = f"{contest.trials} trials of each learner, landscape and horizon"
        return f"{each}; {contest.link} link{judges}, {contest.engine} engine, seed {contest.seed}"

    def command(self, out: Path) -> str:
        """Return the command that makes the same page in a folder of this name."""
        contest, plain = self.contest, Arena.of(self.name).contest
        narrowed = {
            "learners": ",".join(contest.learners),
            "horizons": ",".join(neat(horizon, 10) for horizon in contest.horizons),
            **{name: str(getattr(contest, name)) for name in OPTIONS},
        }
        changed = [name for name in narrowed if getattr(contest, name) != getattr(plain, name)]
        some = contest.landscapes != plain.landscapes
        words = ["duelli", "compare", *([",".join(contest.landscapes)] if some else [])]
        words += ["--preset", self.name]
        words += [word for name in changed for word in (f"--{name}", narrowed[name])]
        words += [] if contest.copies else ["--as-printed"]
        for label, (_, inputs) in contest.learners.items():
            for key, value in inputs.items():
                words += ["--set", f"{label}.{key}={value}"]
        return shlex.join([*words, "--out", out.name])


def _memory_run(part: Contest) -> Run:
    """Return one more trial of a learner and a horizon, where it plays with most parameters."""
    ((label, _),) = part.learners.items()
    widest = max(part.landscapes, key=lambda name: box_of(name).dim)
    return Run(
        label=run_label(label, part.horizons[0]),
        setting=part.setting(widest, label, part.horizons[0]),
        trials=1,
        seed=part.seed,
        traced=True,
    )


def _memory(found: Mapping[str, list[Row]], parts: Sequence[Contest]) -> dict[Place, int]:
    places = [(label, part.horizons[0]) for part in parts for label in part.learners]
    return {place: found[run_label(*place)][0]["memory_bytes"] for place in places}


def as_dict(table: ArenaTable) -> dict[str, Any]:
    """Return an arena as plain values for JSON."""
    measures = [Measure(name, table.smallest) for name in ("regret", "gap")]
    return {
        "preset": table.name,
        "facts": dict(table.facts),
        "rerun": table.rerun,
        "scores": [score_dict(e.score) | _cost(e) for e in (*table.entries, *table.middles)],
        "standings": [
            {
                "horizon": horizon,
                "measure": measure.name,
                "learner": each.label,
                "place": each.place,
                "mean_rank": each.rank,
                "played": each.played,
                "first": each.first,
                "geometric_mean": each.overall.value,
                "times_the_least": each.times.value,
            }
            for horizon in table.horizons
            for measure in measures
            for each in standings(table.at(horizon=horizon), measure)
        ],
        "memory": [
            {"learner": label, "horizon": horizon, "peak_bytes": count}
            for (label, horizon), count in table.memory.items()
        ],
        "absences": [
            {"learner": each.label, "horizon": each.horizon, "reason": each.reason}
            | {"landscapes": list(each.landscapes)}
            for each in table.absences
        ],
    }


def _cost(entry: Entry) -> dict[str, Any]:
    return {} if entry.cost is None else entry.cost._asdict()
