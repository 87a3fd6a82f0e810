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
from duelli.engines import ENGINES, SIMULATED
from duelli.errors import DuelliError
from duelli.experiments.trials import Setting, run_trials
from duelli.landscapes import LANDSCAPES
from duelli.learners import LEARNERS
from duelli.links import LINKS
from duelli.record.stats import Mean


class Whole(click.ParamType[int]):
    """A whole number, which may be written as 1e8."""

    name = "integer"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:  # noqa: ARG002 (click's signature)
        """Return the number, or say what is wrong with it."""
        return self.parse(param.name, value)

    @staticmethod
    def parse(name: str, value: Any) -> int:
        """Return a text such as 1e8 as a whole number."""
        try:
            return _check.whole(name, float(value) if isinstance(value, str) else value, 0)
        except (TypeError, ValueError):
            raise click.BadParameter(f"{name} must be a whole number; got {value!r}") from None


WHOLE = Whole()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="duelli")
def cli() -> None:
    """Find the best point of a continuous box from noisy pairwise comparisons."""


@cli.command()
@click.argument("landscape")
@click.option("--link", default="logistic", show_default=True, help="NAME or NAME:STEEPNESS.")
@click.option("--learner", default="arc_duelli", show_default=True)
@click.option("--set", "inputs", multiple=True, metavar="KEY=VALUE", help="A learner's input.")
@click.option("--horizon", type=WHOLE, default=10**8, show_default=True, help="Duels a trial.")
@click.option("--trials", type=WHOLE, default=1, show_default=True)
@click.option("--engine", default="collapsed", show_default=True, help=" or ".join(SIMULATED))
@click.option("--copies", is_flag=True, help="Mirror and shift the landscape anew in each trial.")
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@click.option("--jobs", type=int, default=-1, help="Processes; all cores by default.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(**options: Any) -> None:
    """Run a learner on LANDSCAPE and print its regret."""
    inputs = tuple(_parse_input(text) for text in options["inputs"])
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
@click.option("--horizon", type=WHOLE, help="Duels a trial, instead of the paper's.")
@click.option("--engine", help=" or ".join(SIMULATED))
@click.option("--jobs", type=int, default=-1, help="Processes; all cores by default.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True)
def reproduce(only: str, jobs: int, out: Path, **narrowed: Any) -> None:
    """Run the paper's experiments, judge its claims, and write one page."""
    _needs_report("reproduce")
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
    "--learners", required=True, metavar="A,B,...", help="Ratios are relative to the last."
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
    _needs_report("compare")
    from duelli.experiments import compare as comparing
    from duelli.report import contests, figures

    contest = comparing.Contest(
        landscapes=tuple(landscapes.split(",")),
        learners=_contestants(options.pop("learners"), options.pop("inputs")),
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
@click.option("--link", default="logistic", show_default=True)
@click.option("--lipschitz", type=float, default=1.0, show_default=True)
@click.option("--failure-prob", type=float, default=0.05, show_default=True)
@click.option("--learner", default="arc_duelli", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def plan(as_json: bool, **budget: Any) -> None:
    """Say what a budget of duels buys, before any is spent."""
    found = planning.plan(**budget)
    click.echo(json.dumps(asdict(found)) if as_json else _plan_text(found))


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
    except (ValueError, TypeError, DuelliError, OSError) as error:
        _leave(str(error), 2)


def _leave(message: str, code: int) -> None:
    click.echo(f"duelli: {' '.join(message.split())}", err=True)
    sys.exit(code)


def _needs_report(command: str) -> None:
    """Check that the packages of the extra ``report`` are installed."""
    if any(find_spec(name) is None for name in ("pyarrow", "matplotlib")):
        raise click.UsageError(
            f"{command} needs pyarrow and matplotlib; "
            "install them with: pip install 'duelli[report]'"
        )


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


def _contestants(names: str, inputs: tuple[str, ...]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return label -> (learner, inputs); a label may be LEARNER:NOTE to enter one twice."""
    found: dict[str, tuple[str, dict[str, Any]]] = {
        label: (label.partition(":")[0], {}) for label in names.split(",")
    }
    for text in inputs:
        label, dot, rest = text.partition(".")
        if not dot or label not in found:
            raise ValueError(
                f"--set must be LEARNER.KEY=VALUE with LEARNER one of {', '.join(found)}; "
                f"got {text!r}"
            )
        key, value = _parse_input(rest)
        found[label][1][key] = value
    return found


def _parse_input(text: str) -> tuple[str, Any]:
    """Return KEY=VALUE as a pair; a value is a number, a list of them, none, or a word."""
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise ValueError(f"--set must be KEY=VALUE; got {text!r}")
    if "," in value:
        return key, tuple(_number(part) for part in value.split(","))
    return key, _number(value)


def _number(text: str) -> Any:
    if text.lower() == "none":
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


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


def _plan_text(found: planning.Plan) -> str:
    rounds = ", ".join(f"{n:,}" for n in found.duels_a_round) or "no"
    lines = [
        f"{found.learner}, {found.dim} parameters, {found.horizon:,} duels",
        f"  rounds that complete    {found.rounds} ({rounds} duels)",
        f"  resolution              {found.resolution:g} of the unit box",
        f"  gap of the answer       {'at most' if found.proven else 'about'} {found.gap:.3g}; "
        f"before any duel {found.prior_gap:.3g}",
        f"  first elimination       at depth {found.first_elimination}, "
        f"after {found.duels_to_eliminate:,} duels",
    ]
    return "\n".join([*lines, *(f"  ! {line}" for line in found.advice)])


def _listed(point: Any) -> Any:
    return point if isinstance(point, dict | list) else [float(entry) for entry in point]


def _experiments() -> Any:
    from duelli.experiments.paper import EXPERIMENTS

    return EXPERIMENTS


def _first_line(kind: Any) -> str:
    return str(kind.__doc__).strip().splitlines()[0]
