"""duelli compare."""

import json
from pathlib import Path
from typing import Any

import click

from duelli import _check
from duelli._files import atomic_write
from duelli.cli.arena import compare_all
from duelli.cli.backends import Workers, with_workers
from duelli.cli.extras import need
from duelli.cli.progress import run_sweep
from duelli.cli.values import WHOLE, contestants, names_in, numbers_in
from duelli.engines import SIMULATED
from duelli.experiments.trials import check_landscape
from duelli.landscapes import CLARITIES


@click.command()
@click.argument("landscapes", required=False)
@click.option(
    "--problems", metavar="PRESET", help="small: what you do not give is chosen for few duels."
)
@click.option(
    "--preset",
    metavar="NAME",
    help="paper or practice: all learners, on one page; what else you give narrows it.",
)
@click.option("--learners", metavar="A,B,...", help="Ratios are relative to the last learner.")
@click.option("--set", "inputs", multiple=True, metavar="LEARNER.KEY=VALUE")
@click.option(
    "--horizons",
    metavar="T,...",
    help="1e4,1e6,1e8 by default, from 1e3 on for --preset paper; 50,200,1000 for problems.",
)
@click.option("--link", default="logistic", show_default=True)
@click.option(
    "--clarity",
    default="medium",
    show_default=True,
    help=f"How sure the judges of practice problems are: {', '.join(CLARITIES)}.",
)
@click.option(
    "--trials", type=WHOLE, help="20 by default; 16 for practice problems; 3 with --preset."
)
@click.option(
    "--copies/--as-printed",
    default=True,
    help="Use a fresh mirrored and shifted copy of the landscape in each trial.",
)
@click.option("--engine", default="collapsed", show_default=True, help=" or ".join(SIMULATED))
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@with_workers
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare(workers: Workers, out: Path, as_json: bool, preset: str | None, **options: Any) -> None:
    """Put learners side by side on LANDSCAPES (A,B,...): table, figure, JSON.

    A landscape is one of the paper's, or a practice problem such as bumpy/2.
    `duelli compare --problems small` compares the learners for few duels on eight of those.
    `duelli compare --preset paper` and `--preset practice` compare all learners, each as far as
    its cost allows, and write one page.
    """
    need("pyarrow", "matplotlib")
    for name in names_in(options["landscapes"]):
        check_landscape(name)
    if preset is not None:
        compare_all(preset, workers=workers, out=out, as_json=as_json, **options)
        return
    from duelli.experiments import compare as comparing
    from duelli.report import contests, figures, practice

    contest = comparing.Contest(**_filled(**options))
    sweep = contest.sweep(out, workers.processes)
    run_sweep(sweep, out, workers)
    scores = contest.scores(sweep)
    report = comparing.as_dict(contest, scores)
    atomic_write(out / "compare.json", json.dumps(report, indent=1))
    drawn = practice.draw(scores) if contest.in_practice else contests.draw(scores)
    figure = figures.save(drawn, out, "compare")
    if as_json:
        click.echo(json.dumps(report))
    else:
        click.echo(comparing.table(contest, scores))
        click.echo(figure.resolve())


def _filled(
    landscapes: str | None,
    problems: str | None,
    learners: str | None,
    horizons: str | None,
    trials: int | None,
    inputs: tuple[str, ...],
    **others: Any,
) -> dict[str, Any]:
    """Return the fields of a contest: those that the user gives, and those of a preset."""
    from duelli.experiments.presets import PRESETS, preset_for

    if not landscapes and problems is None:
        raise click.UsageError("LANDSCAPES, --problems or --preset must be given; got none of them")
    given = names_in(landscapes)
    preset = (
        preset_for(given) if problems is None else _check.registered("problems", problems, PRESETS)
    )
    chosen = learners or ",".join(preset.learners)
    if not chosen:
        raise click.UsageError("--learners must be given for these landscapes, such as auto")
    return {
        "landscapes": given or preset.landscapes,
        "learners": contestants(chosen, inputs),
        "horizons": numbers_in("horizons", horizons) or preset.horizons,
        "trials": preset.trials if trials is None else trials,
        **others,
    }
