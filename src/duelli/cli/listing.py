"""duelli list."""

import json
from collections.abc import Callable
from typing import Any

import click

from duelli import _check
from duelli.engines import ENGINES
from duelli.landscapes import LANDSCAPES
from duelli.landscapes.practice import GROUPS, parse_problem
from duelli.learners import LEARNERS
from duelli.learners.scalar import SCALARS
from duelli.links import LINKS


@click.command(name="list")
@click.argument("kind")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(kind: str, as_json: bool) -> None:
    """List the links, landscapes, problems, learners, scalars, engines or experiments."""
    _check.one_of("kind", kind, LISTS)
    rows = LISTS[kind]()
    if as_json:
        click.echo(json.dumps(rows))
        return
    width = max(map(len, rows))
    for name, about in rows.items():
        click.echo(f"{name:<{width}}  {about}")


ABOUT = {
    "tuned": "constants of preference_model were chosen on it",
    "held back": "no constants were chosen on it",
}

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
    "problems": lambda: {
        name: f"{parse_problem(name)[1]}-dimensional, {ABOUT[group]}"
        for group, names in GROUPS.items()
        for name in names
    },
    "learners": lambda: {name: _first_line(kind) for name, kind in LEARNERS.items()},
    "scalars": lambda: {name: _first_line(kind) for name, kind in SCALARS.items()},
    "engines": lambda: {name: _first_line(kind) for name, kind in ENGINES.items()},
    "experiments": lambda: {name: found.title for name, found in _experiments().items()},
}


def _experiments() -> Any:
    from duelli.experiments.paper import EXPERIMENTS

    return EXPERIMENTS


def _first_line(kind: Any) -> str:
    return str(kind.__doc__).strip().splitlines()[0]
