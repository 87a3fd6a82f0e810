"""duelli plan."""

import json
from dataclasses import asdict
from typing import Any

import click

from duelli import planning
from duelli.cli.values import WHOLE
from duelli.learners import DEFAULT_LEARNER


@click.command()
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
