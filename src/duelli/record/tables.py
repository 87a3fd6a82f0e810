"""Tables: one small Parquet file a trial, written whole or not at all.

The path says what a file is: ``trials/<experiment>/<digest>/<number>.parquet``. A file that is
there is a trial that is finished, so a killed run goes on where it was.
"""

import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from duelli.record.trace import Trace

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Key:
    """Which trial: of which experiment, of which setting, and its number."""

    experiment: str
    digest: str
    trial: int

    @property
    def path(self) -> Path:
        """Its file, below the folder of the store."""
        return Path("trials", self.experiment, self.digest, f"{self.trial:05d}.parquet")


class Store:
    """Finished trials in a folder.

    Args:
        folder: Where; made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:  # a full or read-only disk says so now
            probe.write(b"duelli")

    def has(self, key: Key) -> bool:
        """Tell whether the trial is finished."""
        return (self.folder / key.path).exists()

    def write(self, key: Key, seed: int, trace: Trace) -> None:
        """Keep a finished trial."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pylist([row_of(seed, trace)])
        try:
            with atomic_path(self.folder / key.path) as path:
                pq.write_table(table, path, compression="zstd")
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise OSError(f"a trial could not be kept in {self.folder}: {reason}") from None

    def sweep(self, patience: float = 5.0) -> None:
        """Remove what processes that were stopped in the middle of a file have left behind."""
        deadline = time.monotonic() + patience
        for part in self.folder.rglob(".*.part"):
            pid = int(part.name.split(".")[-2])
            while _is_alive(pid) and time.monotonic() < deadline:  # it may be on its way out
                time.sleep(0.05)
            if not _is_alive(pid):
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
    except PermissionError:  # somebody else's
        return True
    return True


class atomic_path:  # noqa: N801 (used as a function)
    """Give a path to write to, which takes its real name only once all is written."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")

    def __enter__(self) -> Path:
        return self._part

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            os.replace(self._part, self._path)
        else:
            self._part.unlink(missing_ok=True)


def row_of(seed: int, trace: Trace) -> Row:
    """Return a trace as one row of plain values; active cubes are a list by depth, from 1."""
    row = asdict(trace)
    row["curve"] = [checkpoint._asdict() for checkpoint in trace.curve]
    row["unfinished"] = by_depth(trace.unfinished)
    for entry in row["rounds"]:
        entry["active"] = by_depth(entry["active"])
        entry["reference"] = list(entry["reference"])
    row["best_arm"] = list(row.pop("recommended"))
    return {"seed": str(seed), "rounds_done": trace.rounds_done, **row}


def by_depth(active: Mapping[int, int]) -> list[int]:
    """Return the counts of the depths from 1 on as a list."""
    return [active.get(h, 0) for h in range(1, max(active, default=0) + 1)]
