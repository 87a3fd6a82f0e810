"""The command line. Each command is a few lines that call the library."""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from duelli import _check, planning
from duelli._files import atomic_write
from duelli.cli_values import WHOLE, contestants, parse_input
from duelli.engines import ENGINES, SIMULATED
from duelli.errors import DuelliError
from duelli.experiments.trials import Setting, run_trials
from duelli.landscapes import LANDSCAPES
from duelli.learners import DEFAULT_LEARNER, LEARNERS
from duelli.links import LINKS
from duelli.record.stats import Mean

EXTRAS = {  # what each optional package comes with: pip install 'duelli[NAME]'
    "numba": "fast",
    **dict.fromkeys(("matplotlib", "pyarrow"), "report"),
    **dict.fromkeys(("starlette", "pydantic", "uvicorn"), "live"),
    "psycopg": "postgres",
    **dict.fromkeys(("dask", "distributed"), "cluster"),
    "pytest": "dev",
}


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(package_name="duelli")
@click.pass_context
def cli(context: click.Context) -> None:
    """Find the best point of a continuous box from noisy pairwise comparisons."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command()
@click.argument("landscape")
@click.option("--link", default="logistic", show_default=True, help="NAME or NAME:STEEPNESS.")
@click.option("--learner", default=DEFAULT_LEARNER, show_default=True)
@click.option(
    "--set", "inputs", multiple=True, metavar="KEY=VALUE", help="Set an input of the learner."
)
@click.option("--horizon", type=WHOLE, default=10**8, show_default=True, help="Duels per trial.")
@click.option("--trials", type=WHOLE, default=1, show_default=True)
@click.option("--engine", default="collapsed", show_default=True, help=" or ".join(SIMULATED))
@click.option(
    "--copies",
    is_flag=True,
    help="Use a fresh mirrored and shifted copy of the landscape in each trial.",
)
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@click.option("--jobs", type=int, default=-1, help="Processes; all cores by default.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(**options: Any) -> None:
    """Run a learner on LANDSCAPE and print its regret."""
    inputs = tuple(parse_input(text) for text in options["inputs"])
    names = ("landscape", "link", "learner", "horizon", "engine", "copies")
    setting = Setting(**{name: options[name] for name in names}, inputs=inputs)
    started, rows = time.perf_counter(), []
    runs = run_trials(setting, trials=options["trials"], seed=options["seed"], jobs=options["jobs"])
    box = LANDSCAPES[setting.landscape].box
    try:
        for seed, trace in _with_progress(runs, options["trials"]):
            point = _listed(box.to_raw(trace.recommended))
            rows.append({"seed": seed, **trace.as_dict(), "best_point": point})
    finally:  # an interrupted run shows what it has finished
        seconds = time.perf_counter() - started
        if rows and options["as_json"]:
            head = {name: getattr(setting, name) for name in names}
            head |= {"settings": dict(inputs), "seed": options["seed"], "seconds": seconds}
            click.echo(json.dumps({**head, "trials": rows}))
        elif rows:
            click.echo(_summary(setting, rows, seconds))


@cli.command()
@click.option("--only", default="", metavar="ID,...", help="Some experiments; all by default.")
@click.option("--trials", type=WHOLE, help="Trials of every run, instead of the paper's.")
@click.option("--horizon", type=WHOLE, help="Duels per trial, instead of the paper's.")
@click.option("--engine", help=" or ".join(SIMULATED))
@click.option("--jobs", type=int, default=-1, help="Processes; all cores by default.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True)
def reproduce(only: str, jobs: int, out: Path, **narrowed: Any) -> None:
    """Run the paper's experiments, judge its claims, and write one page."""
    _need("pyarrow", "matplotlib")
    from duelli.experiments.reproduce import Reproduction
    from duelli.experiments.spec import Narrowing
    from duelli.report.page import write

    names = tuple(name for name in only.split(",") if name)
    job = Reproduction.of(only=names, narrowing=Narrowing(**narrowed), out=out, jobs=jobs)
    started = time.perf_counter()
    ran = _run_sweep(job.sweep, out)
    click.echo("judging the claims and drawing the figures", err=True)
    click.echo(write(job.findings(ran, time.perf_counter() - started), out).resolve())


@cli.command()
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
    _need("pyarrow", "matplotlib")
    from duelli.experiments import compare as comparing
    from duelli.report import contests, figures

    contest = comparing.Contest(
        landscapes=tuple(landscapes.split(",")),
        learners=contestants(options.pop("learners"), options.pop("inputs")),
        horizons=tuple(WHOLE.parse("horizons", t) for t in options.pop("horizons").split(",")),
        **options,
    )
    sweep = contest.sweep(out, jobs)
    _run_sweep(sweep, out)
    scores = contest.scores(sweep)
    report = comparing.as_dict(contest, scores)
    atomic_write(out / "compare.json", json.dumps(report, indent=1))
    figure = figures.save(contests.draw(scores), out, "compare")
    if as_json:
        click.echo(json.dumps(report))
    else:
        click.echo(comparing.table(contest, scores))
        click.echo(figure.resolve())


@cli.command()
@click.option("--dim", type=WHOLE, required=True, help="Number of parameters.")
@click.option("--horizon", type=WHOLE, required=True, help="Number of duels.")
@click.option("--link", help="NAME or NAME:STEEPNESS; leave it out if you do not know.")
@click.option("--lipschitz", type=float, help="Leave it out if you do not know.")
@click.option("--failure-prob", type=float, default=0.05, show_default=True)
@click.option("--learner", default=DEFAULT_LEARNER, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def plan(as_json: bool, **budget: Any) -> None:
    """Say what a budget of duels buys, before any is spent."""
    made = planning.plan(**budget)
    click.echo(json.dumps(asdict(made)) if as_json else str(made))


@cli.command(name="list")
@click.argument("kind")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(kind: str, as_json: bool) -> None:
    """List the links, landscapes, learners, engines or experiments."""
    _check.one_of("kind", kind, LISTS)
    rows = LISTS[kind]()
    if as_json:
        click.echo(json.dumps(rows))
        return
    width = max(map(len, rows))
    for name, about in rows.items():
        click.echo(f"{name:<{width}}  {about}")


LISTS: dict[str, Callable[[], dict[str, str]]] = {
    "links": lambda: {
        name: f"Γ = {link.slope_max:.6g}, λ = {link.slope_min:.6g} on [-1, 1]"
        for name, link in LINKS.items()
    },
    "landscapes": lambda: {
        name: f"{found.dim} dimensions, best arm {found.best_arm}, L = {found.lipschitz:.4g}, "
        f"d_z = {found.zooming_dim:.3g}"
        for name, found in LANDSCAPES.items()
    },
    "learners": lambda: {name: _first_line(kind) for name, kind in LEARNERS.items()},
    "engines": lambda: {name: _first_line(kind) for name, kind in ENGINES.items()},
    "experiments": lambda: {name: found.title for name, found in _experiments().items()},
}


def main() -> None:
    """Run the command line: exit 0 when done, 2 on bad usage, 130 when interrupted."""
    try:
        cli(standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        _leave("interrupted", 130)
    except click.ClickException as error:
        _leave(error.format_message(), 2)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        _leave(_missing(package), 2)
    except (ValueError, TypeError, DuelliError, OSError) as error:
        _leave(str(error), 2)


def _leave(message: str, code: int) -> None:
    click.echo(f"duelli: {' '.join(message.split())}", err=True)
    sys.exit(code)


def _need(*packages: str) -> None:
    """Check that the packages of a command are there, before it does any work."""
    for package in packages:
        if find_spec(package) is None:
            raise ModuleNotFoundError(_missing(package), name=package)


def _missing(package: str) -> str:
    return f"this needs the package {package}: pip install 'duelli[{EXTRAS[package]}]'"


def _run_sweep(sweep: Any, out: Path) -> int:
    """Run the pending trials and return how many they were; when interrupted, say how to go on."""
    total, pending = len(sweep.tasks()), sweep.pending()
    done = total - len(pending)
    click.echo(f"{len(pending)} trials to run, {done} finished before", err=True)
    try:
        for _ in _with_progress(sweep.run(pending), len(pending)):
            done += 1
    except KeyboardInterrupt:
        kept = f"{done} of {total} trials are kept in {out}"
        click.echo(f"\n{kept}; run the same command again to go on", err=True)
        raise
    return len(pending)


def _with_progress(runs: Any, total: int) -> Any:
    from tqdm import tqdm

    return tqdm(runs, total=total, unit="trial", disable=None, leave=False)  # None: on a terminal


def _summary(setting: Setting, rows: list[dict[str, Any]], seconds: float) -> str:
    def spread(key: str) -> str:
        mean = Mean.of([row[key] for row in rows])
        return f"{mean.value:.4g}" + f" ± {mean.deviation:.2g}" * (len(rows) > 1)

    last = rows[0]
    scanned = [row for trial in rows for row in trial["rounds"] if "eliminated" in row]
    eliminated = f", {sum(row['eliminated'] for row in scanned)} cubes eliminated in them"
    return "\n".join(
        [
            f"{setting.learner} on {setting.landscape}, {setting.link} link, "
            f"{setting.horizon:,} duels, {setting.engine} engine",
            f"  trials        {len(rows)} in {seconds:.2f} s",
            f"  regret        {spread('cumulative_regret')}",
            f"  weak regret   {spread('weak_regret')}",
            f"  final gap     {spread('final_gap')}",
            f"  rounds done   {spread('rounds_done')}{eliminated if scanned else ''}",
            f"  explored      {spread('duels_explored')} duels before committing",
            f"  state         {spread('state_bytes')} bytes of JSON at most",
            f"  first trial   best point {_listed(last['best_point'])}, "
            f"rounds ended at {[row['duels'] for row in last['rounds']]}",
        ]
    )


def _listed(point: Any) -> Any:
    return point if isinstance(point, dict | list) else [float(entry) for entry in point]


def _experiments() -> Any:
    from duelli.experiments.paper import EXPERIMENTS

    return EXPERIMENTS


def _first_line(kind: Any) -> str:
    return str(kind.__doc__).strip().splitlines()[0]
