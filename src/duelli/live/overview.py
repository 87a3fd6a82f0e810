"""What an owner sees of a study: how it stands, what was answered, what may be claimed."""

import json
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from duelli.answers import Answer, in_duels
from duelli.blocks import Block
from duelli.boxes import Box
from duelli.history import BiasTally
from duelli.live.influence import influence_of
from duelli.live.reading import (
    Judged,
    blocks_of,
    current_run,
    listed,
    moment,
    settings_of,
)
from duelli.live.stores.base import Reader
from duelli.live.stores.rows import StudyRow
from duelli.runs import Run

MOST_POINTS = 400  # of a curve
MOST_PAIRS = 500
MOST_CUBES = 400
SPANS = (10, 60, 300, 900, 3600, 4 * 3600, 24 * 3600, 7 * 24 * 3600)  # seconds
RECENT = 100  # answers from which the present rate is taken
IDLE = 3600.0  # seconds without an answer after which there is no present rate

View = Callable[[Reader, str], dict[str, Any]]
_runs: WeakKeyDictionary[Reader, dict[int, tuple[int, Run]]] = WeakKeyDictionary()


def studies(reader: Reader) -> list[dict[str, Any]]:
    """Return one line for each study."""
    return [
        {
            "name": row.name,
            "title": json.loads(row.settings)["title"],
            "status": row.status,
            "duels": row.duels,
            "horizon": json.loads(row.settings)["horizon"],
            "created_at": moment(row.created_at),
        }
        for row in reader.studies()
    ]


def page(reader: Reader, name: str) -> dict[str, Any]:
    """Return what the page for people needs before the first pair."""
    row = reader.study(name)
    settings = settings_of(row)
    return {
        "name": name,
        "title": settings.title or name,
        "question": settings.question or "Which one is better?",
        "show": dict(settings.show),
        "status": row.status,
        "duels": row.duels,
        "horizon": settings.horizon,
    }


def summary(reader: Reader, name: str) -> dict[str, Any]:
    """Return how a study stands."""
    row = reader.study(name)
    settings = settings_of(row)
    step = reader.step(row.id, row.step)
    size = sum(block.n for block in blocks_of(step))
    return {
        **page(reader, name),
        "learner": settings.learner,
        "seed": settings.seed,
        "batch": settings.batch,
        "box": settings.box.as_json(),
        "parameters": [str(each) for each in settings.box.parameters],
        "created_at": moment(row.created_at),
        "step": {
            "number": row.step,
            "size": size,
            "answered": row.duels - step.duels,
            "opened_at": moment(step.opened_at),
        },
        "rate": rate(reader, row, settings.horizon),
        "recommended": json.loads(step.answer),
        "answers": row.seq,
        "chain": row.chain,
    }


def best(reader: Reader, name: str) -> dict[str, Any]:
    """Return the best point so far, with what may be claimed for it, in plain words."""
    run = _run(reader, reader.study(name))
    return {**answer_as_json(run.best()), "done": run.done}


def steps(reader: Reader, name: str) -> dict[str, Any]:
    """Return how the answer came about: what was recommended after how many duels."""
    row = reader.study(name)
    every = max(1, -(-(row.step + 1) // MOST_POINTS))
    kept = reader.steps(row.id, every)
    if row.step % every:
        kept.append(reader.step(row.id, row.step))
    path = [
        {
            "step": s.number,
            "duels": s.duels,
            "answer": json.loads(s.answer),
            "at": moment(s.opened_at),
        }
        for s in kept
    ]
    return {"path": path}


def answers(reader: Reader, name: str) -> dict[str, Any]:
    """Return who answered how much, when, and with which position bias."""
    row = reader.study(name)
    clients: dict[str, dict[str, Any]] = {}
    for client, kind, count, last in reader.by_client(row.id):
        entry = clients.setdefault(client, {"client": client, "told": 0, "last_at": last})
        entry[kind] = count
        entry["last_at"] = max(last, entry["last_at"])
    for entry in clients.values():
        entry["share"] = entry["told"] / max(1, row.duels)
        entry["last_at"] = moment(entry["last_at"])
    span = time.time() - row.created_at
    width = next((w for w in SPANS if span / w <= 200), SPANS[-1])
    return {
        "clients": sorted(clients.values(), key=lambda entry: -entry["told"]),
        "over_time": {
            "seconds": width,
            "counts": [[moment(t), n] for t, n in reader.by_time(row.id, width)],
        },
        "bias": bias(reader, row),
        "agreement": agreement(reader, row),
    }


def pairs(reader: Reader, name: str) -> dict[str, Any]:
    """Return the pairs that were judged last, and the cubes or pairs of the open step."""
    row = reader.study(name)
    judged = Judged(reader, row)
    last = [a for a in reader.last_answers(row.id, MOST_PAIRS) if a.counted]
    box = settings_of(row).box
    step = blocks_of(reader.step(row.id, row.step))
    return {
        "judged": [judged(answer) for answer in reversed(last)],
        "open": [_cube(box, block) for block in step[:MOST_CUBES]],
    }


def belief(reader: Reader, name: str) -> dict[str, Any]:
    """Return what the learner believes of the utility; null where it has no model of it."""
    row = reader.study(name)
    run = _run(reader, row)
    found = run.belief()
    cubes = [_cube(run.box, b) for b in blocks_of(reader.step(row.id, row.step))[:MOST_CUBES]]
    if found is None:
        return {"slices": None, "plane": None, "cubes": cubes}
    slices = [
        {
            "name": each.name,
            "values": list(each.values),
            "mean": each.mean.tolist(),
            "deviation": each.deviation.tolist(),
        }
        for each in found.slices
    ]
    plane = None if found.plane is None else found.plane.tolist()
    return {"slices": slices, "plane": plane, "cubes": cubes}


def influence(reader: Reader, name: str) -> dict[str, Any]:
    """Return what would change without the client who has answered most."""
    return influence_of(reader, reader.study(name))


def saved(reader: Reader, name: str) -> dict[str, Any]:
    """Return the run as JSON that `duelli.Run.from_saved` takes."""
    return _run(reader, reader.study(name)).saved()


def rate(reader: Reader, row: StudyRow, horizon: int) -> dict[str, Any]:
    """Return how many answers come in an hour, and how long the rest takes at that rate."""
    last = [a.at for a in reader.last_answers(row.id, RECENT) if a.counted]
    left = 0 if row.status != "open" else max(0, horizon - row.duels)
    idle = not last or time.time() - last[0] > IDLE
    if len(last) < 2 or idle or last[0] <= last[-1]:
        return {"per_hour": None, "seconds_left": None, "text": "Nobody is answering now."}
    per_second = (len(last) - 1) / (last[0] - last[-1])
    seconds = left / per_second
    text = f"At the present rate the rest of {in_duels(left)} takes {_span(seconds)}."
    return {
        "per_hour": 3600 * per_second,
        "seconds_left": seconds,
        "text": text if left else "All duels are judged.",
    }


def bias(reader: Reader, row: StudyRow) -> dict[str, Any]:
    """Return how much more often than half the left side wins."""
    count = {"left": 0, "right": 0, "tie": 0, **reader.by_winner(row.id)}
    wins, squares = count["left"] + count["tie"] / 2, count["left"] + count["tie"] / 4
    found = BiasTally(sum(count.values()), wins, squares).bias()
    text = str(found).replace("point shown first", "left side")
    return {**count, "estimate": found.estimate, "error": found.error, "text": text}


def agreement(reader: Reader, row: StudyRow) -> dict[str, Any]:
    """Return how often those who judged the same pair as somebody else said the same."""
    both, same = reader.agreements(row.id)
    text = f"Two people judged the same pair {both:,} times and agreed {same:,} times."
    return {"pairs": both, "agreed": same, "text": text if both else "No pair was judged twice."}


def answer_as_json(answer: Answer) -> dict[str, Any]:
    """Return an answer in the user's units as JSON."""
    names = ("edge", "gap_low", "gap_high", "confidence", "tied_within", "duels", "enough")
    plain = {name: getattr(answer, name) for name in (*names, "text", "rests_on")}
    points = {name: listed(getattr(answer, name)) for name in ("arm", "low", "high")}
    return {**points, **plain, "matters": list(answer.matters)}


def _run(reader: Reader, row: StudyRow) -> Run:
    """Return the run of a study; it is made once for each version of the study."""
    known = _runs.setdefault(reader, {})
    version, run = known.get(row.id, (-1, None))
    if run is None or version != row.version:
        run = current_run(reader, row)
        if len(known) > 16:
            known.clear()
        known[row.id] = (row.version, run)
    return run


def _cube(box: Box, block: Block) -> dict[str, Any]:
    high = tuple(min(1.0, low + block.edge) for low in block.low)
    return {
        "low": listed(box.to_raw(block.low)),
        "high": listed(box.to_raw(high)),
        "reference": listed(box.to_raw(block.reference)),
        "n": block.n,
    }


def _span(seconds: float) -> str:
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"about {seconds / length:.0f} {unit}s"
    return f"about {seconds:.0f} seconds"


VIEWS: dict[str, View] = {
    "summary": summary,
    "best": best,
    "steps": steps,
    "answers": answers,
    "pairs": pairs,
    "belief": belief,
    "influence": influence,
    "saved": saved,
}
