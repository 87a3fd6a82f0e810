"""Saved runs: one JSON value that describes itself, checked whole before it is used.

It holds the format and its version, the learner's name, inputs and state, the box, the seed, the
outcomes of the step in progress, the sums behind the position bias, and the pairs judged before.
A checksum of the rest tells a value that was changed or cut short from one that was written here.
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from duelli._files import atomic_path
from duelli.errors import SavedRunError

FORMAT = "duelli run"
VERSION = 1
NO_HISTORY = 1  # what the checksum goes on from where the judged pairs were not kept
FIELDS = {
    "learner": str,
    "inputs": dict,
    "state": dict,
    "box": dict,
    "aim": str,
    "claims": bool,
    "seed": int,
    "horizon": int,
    "step": int,
    "outcomes": (list, type(None)),
    "bias": list,
}
ALL_FIELDS = {**FIELDS, "history": (list, type(None))}


def text(value: object) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


class PastText:
    """The steps judged before as JSON text, with a running checksum.

    A run is saved after every answer, and its past only grows: so only what is new is written out
    as text and added to the checksum.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.checksum = 0

    def add(self, past: list[Any]) -> None:
        """Add a step, as `history.past_as_json` has it."""
        piece = "," * bool(self.pieces) + text(past)
        self.pieces.append(piece)
        self.checksum = zlib.crc32(piece.encode(), self.checksum)

    def saved_text(self, run: Mapping[str, Any], *, kept: bool) -> list[str]:
        """Return a saved run as pieces of text; ``kept`` tells whether it has a history."""
        core = _core_text(run)
        checksum = zlib.crc32(core.encode(), self.checksum if kept else NO_HISTORY)
        head = f'{{"format":{text(FORMAT)},"version":{VERSION},"checksum":{checksum},'
        past = ["[", *self.pieces, "]"] if kept else ["null"]
        return [head, core[1:-1], ',"history":', *past, "}\n"]


def unseal(value: object) -> dict[str, Any]:
    """Return the fields of a saved value, or say in one sentence why it is none."""
    if not isinstance(value, Mapping):
        raise SavedRunError(f"a saved run must be a JSON object; got {_kind(value)}")
    if value.get("format") != FORMAT:
        raise SavedRunError(_not_ours(value))
    if value.get("version") != VERSION:
        raise SavedRunError(
            f"the saved run must have the format version {VERSION}; got "
            f"{value.get('version')!r}; continue it with the release of duelli that wrote it"
        )
    for name, kind in ALL_FIELDS.items():
        _check_field(value, name, kind)
    if extra := set(value) - set(ALL_FIELDS) - {"format", "version", "checksum"}:
        raise SavedRunError(f"the saved run must not hold {', '.join(map(repr, sorted(extra)))}")
    run = {name: value[name] for name in ALL_FIELDS}
    if value.get("checksum") != checksum_of(run):
        raise SavedRunError(
            "the saved run was changed after it was written: its checksum does not fit"
        )
    return run


def _check_field(value: Mapping[str, Any], name: str, kind: Any) -> None:
    if name not in value:
        raise SavedRunError(f"the saved run must hold {name!r}; it is missing")
    if not isinstance(value[name], kind) or (kind is int and isinstance(value[name], bool)):
        raise SavedRunError(f"{name} of the saved run has another type; got {value[name]!r}")


def write(path: str | Path, pieces: Iterable[str]) -> None:
    """Write a saved run; the file is the old one or the new one, never a part."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"a run is saved in a file; {path} is a folder")
    with atomic_path(path, tag="saving") as part, open(part, "w", encoding="utf-8") as file:
        file.writelines(pieces)


def read(path: str | Path) -> Any:
    """Return the JSON value in a file."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # bad JSON, bad text, or too deep
        raise SavedRunError(f"{path} must hold a saved run as JSON; got {error}") from None


def _core_text(run: Mapping[str, Any]) -> str:
    return text({name: run[name] for name in FIELDS})


def checksum_of(run: Mapping[str, Any]) -> int:
    """Return the checksum of the fields of a run."""
    past = PastText()
    try:
        for entry in run["history"] or ():
            past.add(entry)
        before = NO_HISTORY if run["history"] is None else past.checksum
        return zlib.crc32(_core_text(run).encode(), before)
    except (TypeError, ValueError) as error:
        raise SavedRunError(f"a saved run must be plain JSON; got {error}") from None


def _kind(value: object) -> str:
    return "null" if value is None else f"a {type(value).__name__}"


def _not_ours(value: Mapping[str, Any]) -> str:
    old = "learner" in value or "phase" in value
    hint = "; states of duelli 0.1 cannot be continued, so begin the run again" if old else ""
    return f"format must be {FORMAT!r}; got {value.get('format')!r}{hint}"
