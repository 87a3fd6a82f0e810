"""Trials under way: a progress bar, and what an interrupt leaves."""

from pathlib import Path
from typing import Any

import click


def run_sweep(sweep: Any, out: Path) -> int:
    """Run the pending trials and return how many they were; when interrupted, say how to go on."""
    total, pending = len(sweep.tasks()), sweep.pending()
    done = total - len(pending)
    click.echo(f"{len(pending)} trials to run, {done} finished before", err=True)
    try:
        for _ in with_progress(sweep.run(pending), len(pending)):
            done += 1
    except KeyboardInterrupt:
        kept = f"{done} of {total} trials are kept in {out}"
        click.echo(f"\n{kept}; run the same command again to go on", err=True)
        raise
    return len(pending)


def with_progress(runs: Any, total: int) -> Any:
    """Return ``runs`` with a progress bar, drawn on a terminal only."""
    from tqdm import tqdm

    return tqdm(runs, total=total, unit="trial", disable=None, leave=False)  # None: on a terminal
