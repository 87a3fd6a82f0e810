"""Entrants: which learners play where in an arena, and why others do not."""

from dataclasses import replace

from duelli import _check
from duelli.experiments.compare import Contest
from duelli.experiments.limits import limit_of
from duelli.learners import DEFAULT_LEARNER, LEARNERS
from duelli.record.arena import Absence
from duelli.record.stats import neat

Entrants = tuple[tuple[Contest, ...], tuple[Absence, ...]]


def entrants(contest: Contest) -> Entrants:
    """Return what is played, one contest for each learner and horizon, and what is not.

    A learner plays no more duels than its limit allows, and not on landscapes that it refuses,
    such as those with too many dimensions for a grid.

    Raises:
        ValueError: A name is unknown, or a learner refuses the inputs that it was given.
    """
    _check_common(contest)
    parts: list[Contest] = []
    absences: list[Absence] = []
    for label, (learner, _) in contest.learners.items():
        limit = limit_of(learner)
        for horizon in contest.horizons:
            if horizon > limit:
                reason = f"plays at most {neat(limit)} duels here, because of its cost"
                absences.append(Absence(label, horizon, contest.landscapes, reason))
                continue
            refused = _refusals(contest, label, horizon)
            absences += _refusing(label, horizon, refused)
            if played := tuple(name for name in contest.landscapes if name not in refused):
                own = {label: contest.learners[label]}
                parts.append(replace(contest, landscapes=played, learners=own, horizons=(horizon,)))
    return tuple(parts), tuple(absences)


def _check_common(contest: Contest) -> None:
    """Raise ValueError for what is no learner's fault: an unknown name, a bad link or horizon."""
    for learner, _ in contest.learners.values():
        _check.one_of("learner", learner, LEARNERS)
    plain = replace(contest, learners={DEFAULT_LEARNER: (DEFAULT_LEARNER, {})})
    for landscape in contest.landscapes:
        for horizon in contest.horizons:
            plain.setting(landscape, DEFAULT_LEARNER, horizon)


def _refusals(contest: Contest, label: str, horizon: int) -> dict[str, str]:
    """Return what a learner says of the landscapes on which it cannot play."""
    found = {}
    for landscape in contest.landscapes:
        try:
            contest.setting(landscape, label, horizon)
        except ValueError as error:
            if contest.learners[label][1]:  # its inputs are at fault, and the user gave them
                raise
            found[landscape] = str(error)
    return found


def _refusing(label: str, horizon: int, refused: dict[str, str]) -> list[Absence]:
    """Return one absence for each reason, with all landscapes that have it."""
    return [
        Absence(label, horizon, tuple(n for n in refused if refused[n] == reason), reason)
        for reason in dict.fromkeys(refused.values())
    ]
