"""duelli compare."""

import json
from pathlib import Path
from typing import Any

import click

from duelli._files import atomic_write
from duelli.cli.extras import need
from duelli.cli.progress import run_sweep
from duelli.cli.values import WHOLE, contestants
from duelli.engines import SIMULATED


@click.command()
@click.argument("landscapes")
@click.option(
    "--learners", required=True, metavar="A,B,...", help="Ratios are relative to the last learner."
)
@click.option("--set", "inputs", multiple=True, metavar="LEARNER.KEY=VALUE")
@click.option("--horizons", default="1e4,1e6,1e8", show_default=True, metavar="T,...")
@click.option("--link", default="logistic", show_default=True)
@click.option("--trials", type=WHOLE, default=20, show_default=True)
@click.option(
    "--copies/--as-printed",
    default=True,
    help="Use a fresh mirrored and shifted copy of the landscape in each trial.",
)
@click.option("--engine", default="collapsed", show_default=True, help=" or ".join(SIMULATED))
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@click.option("--jobs", type=int, default=-1, help="Processes; all cores by default.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare(landscapes: str, jobs: int, out: Path, as_json: bool, **options: Any) -> None:
    """Put learners side by side on LANDSCAPES (A,B,...): table, figure, JSON."""
    need("pyarrow", "matplotlib")
    from duelli.experiments import compare as comparing
    from duelli.report import contests, figures

    contest = comparing.Contest(
        landscapes=tuple(landscapes.split(",")),
        learners=contestants(options.pop("learners"), options.pop("inputs")),
        horizons=tuple(WHOLE.parse("horizons", t) for t in options.pop("horizons").split(",")),
        **options,
    )
    sweep = contest.sweep(out, jobs)
    run_sweep(sweep, out)
    scores = contest.scores(sweep)
    report = comparing.as_dict(contest, scores)
    atomic_write(out / "compare.json", json.dumps(report, indent=1))
    figure = figures.save(contests.draw(scores), out, "compare")
    if as_json:
        click.echo(json.dumps(report))
    else:
        click.echo(comparing.table(contest, scores))
        click.echo(figure.resolve())
