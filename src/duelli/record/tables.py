"""Tables: one small Parquet file per trial, written whole or not at all.

The path says what a file is: ``trials/<group>/<digest>/<number>.parquet``. A file that is there is
a trial that is finished, so a killed run goes on where it was.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from duelli._files import atomic_path
from duelli.record.trace import Trace

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Key:
    """Which trial it is: its group (such as an experiment), its setting's digest, its number."""

    group: str
    digest: str
    trial: int

    @property
    def path(self) -> Path:
        """Its file, below the folder of the store."""
        return Path("trials", self.group, self.digest, f"{self.trial:05d}.parquet")


class Store:
    """Finished trials in a folder.

    Args:
        folder: The folder; it is made if it does not exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:  # a full or read-only disk says so now
            probe.write(b"duelli")

    def has(self, key: Key) -> bool:
        """Tell whether the trial is finished."""
        return (self.folder / key.path).exists()

    def write(self, key: Key, row: Row) -> None:
        """Keep a finished trial, given as `row_of` has it."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pylist([row])
        try:
            with atomic_path(self.folder / key.path) as path:
                pq.write_table(table, path, compression="zstd")
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise OSError(f"a trial could not be kept in {self.folder}: {reason}") from None

    def remove_parts(self) -> None:
        """Remove the half-written files of processes that were killed."""
        for part in self.folder.rglob(".*.part"):
            process = part.name.split(".")[-2]
            if process.isdecimal() and not _is_alive(int(process)):
                part.unlink(missing_ok=True)

    def read(self, key: Key) -> Row:
        """Return a finished trial, as `row_of` has it."""
        import pyarrow.parquet as pq

        rows: list[Row] = pq.ParquetFile(self.folder / key.path).read().to_pylist()
        return rows[0]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # a process of somebody else
        return True
    return True


def row_of(seed: int, trace: Trace) -> Row:
    """Return a trace as one row of plain values that Parquet can hold.

    Counts that the notes have by number, such as ``{1: 1, 2: 4}``, become lists that begin at 1.
    A note that is not there is not a column; ``unfinished`` is None if there are no notes.
    """
    row = asdict(trace)
    row["curve"] = [checkpoint._asdict() for checkpoint in trace.curve]
    row["rounds"] = [_plain(entry.as_dict()) for entry in trace.rounds]
    row["unfinished"] = _plain(row.pop("notes")) or None  # Parquet has no structs without fields
    row["best_arm"] = list(row.pop("recommended"))
    return {"seed": str(seed), "rounds_done": trace.rounds_done, **row}


def _plain(value: Any) -> Any:
    """Return ``value`` with lists for tuples and for counts by number."""
    if isinstance(value, Mapping):
        if value and all(isinstance(key, int) for key in value):
            return [value.get(number, 0) for number in range(1, max(value) + 1)]
        return {key: _plain(entry) for key, entry in value.items()}
    return list(map(_plain, value)) if isinstance(value, tuple | list) else value
