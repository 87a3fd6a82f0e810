"""Which run an optimisation goes on with: a saved one or its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duelli import saved as saved_runs
from duelli.errors import SavedRunError
from duelli.runs import Run


def continued(
    run: Run, checkpoint: str | Path | None, value: Mapping[str, Any] | None
) -> tuple[Run, Path | None]:
    """Return the run to go on with, the saved one if there is one, and the file to save it in."""
    file = None if checkpoint is None else Path(checkpoint).absolute()
    if file is not None and file.exists() and file.stat().st_size:
        if value is not None:
            raise ValueError(f"give checkpoint or saved, and not both: {file} holds a run already")
        value = saved_runs.read(file)
    if value is None:
        return run, file
    before = Run.from_saved(value)
    for name, ours, theirs in run.differences(before):
        raise SavedRunError(
            f"the saved run must have the same {name} as this call, {ours!r}; got {theirs!r}"
        )
    before.extend(run.horizon)
    return before, file
