"""duelli compare --preset: all learners side by side, on one page."""

import json
import time
from pathlib import Path
from typing import Any

import click

from duelli import _check
from duelli._files import atomic_write
from duelli.cli.backends import Workers
from duelli.cli.progress import run_sweep
from duelli.cli.values import contestants, names_in, numbers_in


def compare_all(
    preset: str,
    *,
    landscapes: str | None,
    problems: str | None,
    learners: str | None,
    horizons: str | None,
    inputs: tuple[str, ...],
    workers: Workers,
    out: Path,
    as_json: bool,
    **others: Any,
) -> None:
    """Run what is missing of an arena, write its page, and print who wins."""
    from duelli.experiments.arena import Arena, as_dict
    from duelli.experiments.presets import ARENAS
    from duelli.report import arena as page

    if problems is not None:
        raise click.UsageError("--preset and --problems must not be given together")
    known = _check.registered("preset", preset, ARENAS)
    arena = Arena.of(
        preset,
        landscapes=names_in(landscapes),
        learners=contestants(learners or ",".join(known.learners), inputs),
        horizons=numbers_in("horizons", horizons),
        **others,
    )
    sweep, started = arena.sweep(out, workers.processes), time.perf_counter()
    ran = run_sweep(sweep, out, workers)
    click.echo("drawing the figures", err=True)
    table = arena.table(sweep, ran, time.perf_counter() - started)
    report = json.dumps(as_dict(table), indent=1)
    atomic_write(out / f"arena-{preset}.json", report + "\n")
    path = page.write(table, out)
    if as_json:
        click.echo(report)
    else:
        click.echo(page.summary(table))
        click.echo(path.resolve())
