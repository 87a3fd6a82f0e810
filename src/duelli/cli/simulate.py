"""duelli simulate."""

import json
import time
from typing import Any

import click

from duelli.cli.backends import Workers, with_workers
from duelli.cli.progress import with_progress
from duelli.cli.values import WHOLE, parse_input
from duelli.engines import SIMULATED
from duelli.experiments.trials import Setting, box_of, run_trials
from duelli.landscapes import CLARITIES
from duelli.record.stats import Mean

SIMULATED_LEARNER = "arc_race"  # the default here: simulations have many duels and known constants


@click.command()
@click.argument("landscape")
@click.option("--link", default="logistic", show_default=True, help="NAME or NAME:STEEPNESS.")
@click.option("--learner", default=SIMULATED_LEARNER, show_default=True)
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
@click.option(
    "--clarity",
    default="medium",
    show_default=True,
    help=f"How sure the judge of a practice problem is: {', '.join(CLARITIES)}.",
)
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@with_workers
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(workers: Workers, **options: Any) -> None:
    """Run a learner on LANDSCAPE, or a problem such as bumpy/2, and print its regret."""
    inputs = tuple(parse_input(text) for text in options["inputs"])
    names = ("landscape", "link", "learner", "horizon", "engine", "copies", "clarity")
    setting = Setting(**{name: options[name] for name in names}, inputs=inputs)
    trials = workers.check_trials(options["trials"])
    started, rows = time.perf_counter(), []
    box = box_of(setting.landscape)
    try:
        with workers.ready():
            runs = run_trials(setting, trials=trials, seed=options["seed"], jobs=workers.processes)
            for seed, trace in with_progress(runs, trials):
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
