"""Entrants: which learners play where in an arena, and why others do not."""

from dataclasses import replace

from duelli import _check
from duelli.experiments.compare import Contest
from duelli.experiments.limits import limit_of
from duelli.experiments.trials import box_of
from duelli.learners import DEFAULT_LEARNER, LEARNERS
from duelli.record.arena import Absence

Entrants = tuple[tuple[Contest, ...], tuple[Absence, ...]]


def entrants(contest: Contest) -> Entrants:
    """Return what is played, one contest for each learner and horizon, and what is not.

    A learner plays as far as its limit allows, and not on landscapes that it refuses, such as
    those with too many dimensions for a grid.

    Raises:
        ValueError: A name is unknown, or a learner refuses the inputs that it was given.
    """
    _check_common(contest)
    parts: list[Contest] = []
    absences: list[Absence] = []
    for label in contest.learners:
        for horizon in contest.horizons:
            absent = _absent(contest, label, horizon)
            absences += _by_reason(label, horizon, absent)
            if played := tuple(name for name in contest.landscapes if name not in absent):
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


def _absent(contest: Contest, label: str, horizon: int) -> dict[str, str]:
    """Return the landscapes on which a learner does not play, with the reason for each."""
    limit = limit_of(contest.learners[label][0])
    found = {}
    for landscape in contest.landscapes:
        reason = limit.reason(horizon, box_of(landscape).dim)
        if reason := reason or _refusal(contest, landscape, label, horizon):
            found[landscape] = reason
    return found


def _refusal(contest: Contest, landscape: str, label: str, horizon: int) -> str:
    """Return why a learner cannot play on a landscape, in its own words; empty if it can."""
    try:
        contest.setting(landscape, label, horizon)
    except ValueError as error:
        if contest.learners[label][1]:  # its inputs are at fault, and the user gave them
            raise
        return str(error)
    return ""


def _by_reason(label: str, horizon: int, absent: dict[str, str]) -> list[Absence]:
    """Return one absence for each reason, with all landscapes that have it."""
    return [
        Absence(label, horizon, tuple(name for name in absent if absent[name] == reason), reason)
        for reason in dict.fromkeys(absent.values())
    ]
