"""Trials under way: a progress bar, and what an interrupt leaves."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from duelli.cli.backends import Workers


def run_sweep(sweep: Any, out: Path, workers: Workers) -> int:
    """Run the pending trials and return how many they were; when interrupted, say how to go on."""
    pending = sweep.pending()
    with ExitStack() as stack:
        if pending:
            stack.enter_context(workers.ready())
        _run(sweep, pending, out)
    return len(pending)


def _run(sweep: Any, pending: list[Any], out: Path) -> None:
    total = len(sweep.tasks())
    done = total - len(pending)
    click.echo(f"{len(pending)} trials to run, {done} finished before", err=True)
    try:
        for _ in with_progress(sweep.run(pending), len(pending)):
            done += 1
    except BaseException:  # an interrupt, a full disk, a cluster that was lost
        kept = f"{done} of {total} trials are kept in {out}"
        click.echo(f"\n{kept}; run the same command again to go on", err=True)
        raise


def with_progress(runs: Any, total: int) -> Any:
    """Return ``runs`` with a progress bar, drawn on a terminal only."""
    from tqdm import tqdm

    return tqdm(runs, total=total, unit="trial", disable=None, leave=False)  # None: on a terminal
