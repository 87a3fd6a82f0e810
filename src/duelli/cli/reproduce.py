"""duelli reproduce."""

import time
from pathlib import Path
from typing import Any

import click

from duelli.cli.backends import Workers, with_workers
from duelli.cli.extras import need
from duelli.cli.progress import run_sweep
from duelli.cli.values import WHOLE
from duelli.engines import SIMULATED


@click.command()
@click.option("--only", default="", metavar="ID,...", help="Some experiments; all by default.")
@click.option("--trials", type=WHOLE, help="Trials of every run, instead of the paper's.")
@click.option("--horizon", type=WHOLE, help="Duels per trial, instead of the paper's.")
@click.option("--engine", help=" or ".join(SIMULATED))
@with_workers
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True)
def reproduce(only: str, workers: Workers, out: Path, **narrowed: Any) -> None:
    """Run the paper's experiments, judge its claims, and write one page."""
    need("pyarrow", "matplotlib")
    from duelli.experiments.reproduce import Reproduction
    from duelli.experiments.spec import Narrowing
    from duelli.report.page import write

    names = tuple(name for name in only.split(",") if name)
    job = Reproduction.of(
        only=names, narrowing=Narrowing(**narrowed), out=out, jobs=workers.processes
    )
    started = time.perf_counter()
    ran = run_sweep(job.sweep, out, workers)
    click.echo("judging the claims and drawing the figures", err=True)
    click.echo(write(job.findings(ran, time.perf_counter() - started), out).resolve())
