"""What would change without the client who has answered most.

The learner cannot be asked: without some answers it would have asked other pairs. So one and the
same preference model is fitted to all judged pairs, and to those of everybody else.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from duelli.blocks import Block, Tally
from duelli.learners.model import PreferenceModel
from duelli.live.reading import blocks_of, counted_answers, listed, settings_of
from duelli.live.settings import Settings
from duelli.live.stores.base import Reader
from duelli.live.stores.rows import AnswerRow, StudyRow
from duelli.live.study import SCORES
from duelli.serving import OpenStep, serving_key

MOST_ANSWERS = 20_000  # the latest ones
MOST_TOGETHER = 200  # blocks in one step of the model


def influence_of(reader: Reader, row: StudyRow) -> dict[str, Any]:
    """Return the client who has answered most, and what would flip without it."""
    answers = list(counted_answers(reader, row.id, max(0, row.seq - MOST_ANSWERS)))
    counts = Counter(answer.client for answer in answers)
    if len(counts) < 2:
        text = "Only one client has answered so far." if counts else "Nobody has answered so far."
        return {"client": next(iter(counts), None), "share": 1.0, "flipped": None, "text": text}
    client, count = counts.most_common(1)[0]
    others = [answer for answer in answers if answer.client != client]
    settings = settings_of(row)
    blocks = {s: _opened(reader, row, settings, s) for s in {a.step for a in answers}}
    whole, rest = _tallies(answers, blocks), _tallies(others, blocks)
    flipped = sum(1 for key in rest if _side(whole[key]) * _side(rest[key]) < 0)
    undecided = len(whole) - len(rest)
    points = [settings.box.to_raw(_fitted(settings.box.dim, t)) for t in (whole, rest)]
    return {
        "client": client,
        "share": count / len(answers),
        "questions": len(whole),
        "flipped": flipped,
        "undecided": undecided,
        "with": listed(points[0]),
        "without": listed(points[1]),
        "text": (
            f"The largest client has given {count / len(answers):.0%} of the answers. Without it, "
            f"{flipped} of {len(whole)} questions would have another winner and {undecided} no "
            f"answer; a model of the other answers recommends {_words(points[1])}, "
            f"and one of all answers {_words(points[0])}."
        ),
    }


Key = tuple[int, int]  # step and block
Sums = dict[Key, tuple[Block, int, float]]  # the block, its answers, and the wins of its left arms


def _opened(reader: Reader, row: StudyRow, settings: Settings, number: int) -> OpenStep:
    blocks = blocks_of(reader.step(row.id, number))
    return OpenStep(blocks, number, serving_key(settings.seed))


def _tallies(answers: Iterable[AnswerRow], steps: dict[int, OpenStep]) -> Sums:
    """Return the answers of each block."""
    counts: dict[Key, int] = defaultdict(int)
    wins: dict[Key, float] = defaultdict(float)
    for answer in answers:
        step = steps[answer.step]
        key = answer.step, step.block_of(answer.place)
        score = SCORES[answer.winner or ""]
        counts[key] += 1
        wins[key] += score if step.left_first(answer.place) else 1 - score
    return {key: (steps[key[0]].step[key[1]], counts[key], wins[key]) for key in counts}


def _side(sums: tuple[Block, int, float]) -> float:
    """Return who has won a block: above 0 if its left arms, below 0 if its reference."""
    return sums[2] - sums[1] / 2


def _fitted(dim: int, sums: Sums) -> tuple[float, ...]:
    """Return the point that a preference model recommends after these answers."""
    learner = PreferenceModel(dim=dim)
    blocks = [sums[key] for key in sorted(sums)]
    for first in range(0, len(blocks), MOST_TOGETHER):
        part = blocks[first : first + MOST_TOGETHER]
        step = tuple(Block(b.low, b.edge, b.reference, n) for b, n, _ in part)
        learner.resumed(learner._state, step)
        learner.tell([Tally(n, wins, b.low) for b, n, wins in part])
    return learner.recommend()


def _words(point: Any) -> str:
    if isinstance(point, dict):
        return ", ".join(f"{name} = {_short(value)}" for name, value in point.items())
    return ", ".join(_short(value) for value in point)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
