"""Verification: everything is played again from the beginning and compared with what is kept."""

import json
from collections.abc import Iterator

from duelli.live.desk import step_row
from duelli.live.reading import settings_of
from duelli.live.stores.base import Reader
from duelli.live.stores.rows import AnswerRow, StepRow, StudyRow, first_link, link
from duelli.live.study import SCORES, Opening, advanced, first_opening


def faults(reader: Reader, name: str | None = None) -> list[str]:
    """Return what does not add up, in one study or in all; nothing if all is well."""
    found = [f"the database: {each}" for each in reader.faults()]
    if found:
        return found
    studies = [reader.study(name)] if name is not None else reader.studies()
    return [f"study {row.name}: {fault}" for row in studies for fault in _faults(reader, row)]


def _faults(reader: Reader, row: StudyRow) -> Iterator[str]:
    steps = reader.steps(row.id)
    if steps and steps[0].chain != first_link(row.name, row.settings):
        yield "its name or settings were changed after it was made, or its first step is missing"
        return
    answers = list(reader.answers(row.id))
    chain = list(_chain_faults(row, answers))
    yield from chain
    if chain:
        return  # what follows would repeat it
    counted, undone = _counted(answers)
    yield from undone
    stored = {answer.seq for answer in answers if answer.counted}
    if stored != {answer.seq for answer in counted.values()}:
        yield "the answers that are marked as counted are not those that count"
    if row.duels != len(counted):
        yield f"it should have {len(counted)} duels; it says {row.duels}"
    yield from _step_faults(steps, row, counted)


def _chain_faults(row: StudyRow, answers: list[AnswerRow]) -> Iterator[str]:
    """Yield where the chain of hashes is broken."""
    chain = first_link(row.name, row.settings)
    for place, answer in enumerate(answers, start=1):
        if answer.seq != place:
            yield f"answer {place} is missing"
            return
        if answer.chain != link(chain, answer):
            yield f"answer {place} was changed after it was written"
            return
        chain = answer.chain
    if (row.seq, row.chain) != (len(answers), chain):
        yield f"it should have {row.seq} answers, the last with {row.chain[:12]}; some are missing"


def _counted(answers: list[AnswerRow]) -> tuple[dict[tuple[int, int], AnswerRow], list[str]]:
    """Return which answer to each duel counts, and what is wrong with the order of answers."""
    counted: dict[tuple[int, int], AnswerRow] = {}
    wrong = []
    for answer in answers:
        duel = answer.step, answer.place
        if answer.kind == "told":
            if duel in counted:
                wrong.append(f"answer {answer.seq} counts duel {duel} a second time")
            counted[duel] = answer
        elif answer.kind == "undo" and counted.pop(duel, None) is None:
            wrong.append(f"answer {answer.seq} takes back what was not there")
    return counted, wrong


def _step_faults(
    steps: list[StepRow], row: StudyRow, counted: dict[tuple[int, int], AnswerRow]
) -> Iterator[str]:
    """Yield which steps are not those that the learner asks for after these answers."""
    scores: dict[int, list[tuple[int, float]]] = {}
    for (number, place), answer in sorted(counted.items()):
        scores.setdefault(number, []).append((place, SCORES[answer.winner or ""]))
    opened = first_opening(settings_of(row))
    if not steps or steps[-1].number != row.step:
        yield f"its last step should be {row.step}; it is missing"
        return
    for step in steps:
        if fault := _difference(step, opened, last=step.number == row.step):
            yield fault
            return
        if step.number < row.step:
            try:
                opened = advanced(opened.run.saved(), scores.get(step.number, []))
            except (AssertionError, ValueError, RuntimeError) as error:
                yield f"step {step.number} was closed by answers that do not close it: {error}"
                return
    if row.status != "closed" and row.status != _status(opened):
        yield f"it should be {_status(opened)}; it says {row.status}"


def _status(opened: Opening) -> str:
    return "done" if opened.run.opened is None else "open"


def _difference(step: StepRow, opened: Opening, *, last: bool) -> str | None:
    expected = step_row(opened, None, step.opened_at)
    for name in ("number", "blocks", "answer", "duels"):
        if getattr(step, name) != getattr(expected, name):
            return f"{name} of step {step.number} is not what the answers before it lead to"
    if last and json.loads(step.run or "null") != json.loads(expected.run or "null"):
        return f"the state of the learner in step {step.number} is not what the answers lead to"
    return None
