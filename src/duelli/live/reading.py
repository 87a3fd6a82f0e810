"""From the rows of a store back to runs, pairs and points."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from duelli.blocks import Block
from duelli.live.settings import Settings
from duelli.live.stores.base import Reader
from duelli.live.stores.rows import AnswerRow, StepRow, StudyRow
from duelli.live.study import SCORES
from duelli.pairs import OpenPairs
from duelli.runs import Run
from duelli.serving import OpenStep, serving_key


def settings_of(row: StudyRow) -> Settings:
    """Return the settings of a study."""
    return Settings.from_json(json.loads(row.settings))


def blocks_of(step: StepRow) -> tuple[Block, ...]:
    """Return the blocks of a step."""
    return tuple(
        Block(tuple(low), edge, tuple(reference), n)
        for low, edge, reference, n in json.loads(step.blocks)
    )


def pairs_of(settings: Settings, step: StepRow) -> OpenPairs | None:
    """Return the pairs of a step, whoever judged them; None if the run had ended then."""
    blocks = blocks_of(step)
    if not blocks:
        return None
    opened = OpenStep(blocks, step.number, serving_key(settings.seed))
    return OpenPairs(opened, settings.box, skip_equal=False)


def counted_answers(reader: Reader, study: int, since: int = 0) -> Iterator[AnswerRow]:
    """Yield the answers of a study that count, in the order in which they came."""
    return (row for row in reader.answers(study, since) if row.counted)


def current_run(reader: Reader, row: StudyRow) -> Run:
    """Return the run of a study with all its answers, as `duelli.Run` would have it."""
    step = reader.step(row.id, row.step)
    run = Run.from_saved(json.loads(step.run or "null"))
    for answer in counted_answers(reader, row.id, step.seq):
        run.tell(f"{answer.step}.{answer.place}", SCORES[answer.winner or ""])
    return run


class Judged:
    """The judged pairs of a study in the user's units."""

    def __init__(self, reader: Reader, row: StudyRow) -> None:
        self._reader, self._row = reader, row
        self._settings = settings_of(row)
        self._pairs: dict[int, OpenPairs | None] = {}

    def __call__(self, answer: AnswerRow) -> dict[str, Any]:
        """Return one answer as it is exported."""
        pairs = self._opened(answer.step)
        assert pairs is not None  # a step with an answer has blocks
        pair = pairs.pair(answer.place)
        return {
            "duel": pair.id,
            "step": answer.step,
            "index": answer.place,
            "left": listed(pair.x),
            "right": listed(pair.y),
            "winner": answer.winner,
            "client": answer.client,
            "at": moment(answer.at),
        }

    def _opened(self, number: int) -> OpenPairs | None:
        if number not in self._pairs:
            if len(self._pairs) > 64:
                self._pairs.clear()
            step = self._reader.step(self._row.id, number)
            self._pairs[number] = pairs_of(self._settings, step)
        return self._pairs[number]


def listed(point: Any) -> Any:
    """Return a point as JSON has it."""
    return point if isinstance(point, dict | list) else point.tolist()


def moment(seconds: float) -> str:
    """Return a time as text, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
