"""duelli study: make studies, look at them, check them, and take them home."""

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import click

from duelli import _check
from duelli.cli.values import WHOLE, database, parse_input
from duelli.learners import DEFAULT_LEARNER
from duelli.live import overview
from duelli.live.exporting import MEDIA_TYPES, check_format, exported
from duelli.live.managing import close_study, create_study, make_token
from duelli.live.salvaging import salvage as salvaged
from duelli.live.settings import LEASE, Settings, check_name
from duelli.live.stores import open_reader
from duelli.live.tickets import SCOPES
from duelli.live.verifying import faults

F = TypeVar("F", bound=Callable[..., Any])
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group(invoke_without_command=True)
@click.pass_context
def study(context: click.Context) -> None:
    """Make live studies, look at them, check them, and take them home."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@study.command()
@click.argument("name")
@database
@click.option("--box", required=True, help='JSON such as {"size": [10, 24], "font": ["a", "b"]}.')
@click.option("--horizon", type=WHOLE, required=True, help="The largest number of duels.")
@click.option("--learner", default=DEFAULT_LEARNER, show_default=True)
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@click.option("--batch", type=WHOLE, default=1, show_default=True, help="Pairs open at once.")
@click.option("--link", help="NAME or NAME:STEEPNESS; leave it out if you do not know.")
@click.option("--lipschitz", type=float, help="Leave it out if you do not know.")
@click.option(
    "--set", "inputs", multiple=True, metavar="KEY=VALUE", help="An input of the learner."
)
@click.option("--title", default="", help="What the pages call the study.")
@click.option("--question", default="", help="What people are asked.")
@click.option("--show", default='{"kind": "parameters"}', help="JSON: how a page shows an arm.")
@click.option("--lease", type=float, default=LEASE, show_default=True, help="Seconds for a pair.")
@click.option("--share", type=float, default=1.0, help="Largest share of a step for one client.")
@as_json
def create(db: str, as_json: bool, **options: Any) -> None:
    """Make a study called NAME."""
    inputs = dict(parse_input(text) for text in options.pop("inputs"))
    parts = {key: _parsed(key, options.pop(key)) for key in ("box", "show")}
    made = create_study(db, Settings(**parts, inputs=inputs, **options))
    link = made["rater_link"]
    then = f"judge it at {link}" if "://" in link else f"serve it with: duelli serve --db {db}"
    _print(made, as_json, f"made study {made['study']}; {then}")


@study.command("list")
@database
@as_json
def list_(db: str, as_json: bool) -> None:
    """List all studies."""
    with closing(open_reader(db)) as reader:
        found = overview.studies(reader)
    lines = [f"{s['name']}  {s['status']}  {s['duels']} of {s['horizon']} duels" for s in found]
    _print({"studies": found}, as_json, "\n".join(lines) or "no studies")


@study.command()
@click.argument("name")
@database
@as_json
def show(name: str, db: str, as_json: bool) -> None:
    """Say how a study stands, and what may be claimed."""
    with closing(open_reader(db)) as reader:
        value = {**overview.summary(reader, check_name(name)), "best": overview.best(reader, name)}
    head = f"{name}: {value['status']}, {value['duels']} of {value['horizon']} duels"
    _print(value, as_json, f"{head}\n{value['best']['text']}\n{value['rate']['text']}")


@study.command()
@click.argument("name")
@database
@click.option("--format", "kind", type=click.Choice(list(MEDIA_TYPES)), default="jsonl")
@click.option("--out", type=click.Path(), help="A file; the standard output if left out.")
def export(name: str, db: str, kind: str, out: str | None) -> None:
    """Write one row per counted answer."""
    check_format(kind)
    with closing(open_reader(db)) as reader, click.open_file(out or "-", "wb") as target:
        for chunk in exported(reader, check_name(name), kind):
            target.write(chunk)


@study.command()
@click.argument("name", required=False)
@database
@as_json
def verify(name: str | None, db: str, as_json: bool) -> None:
    """Replay a study, or all, from the beginning; exit with 0 only if all adds up."""
    with closing(open_reader(db)) as reader:
        found = faults(reader, name)
    lines = "\n".join(found) or "all adds up"
    _print({"ok": not found, "faults": found}, as_json, lines)
    if found:
        sys.exit(1)


@study.command()
@database
@click.argument("target", type=click.Path())
def backup(db: str, target: str) -> None:
    """Write a copy of all studies to the file TARGET, while they go on."""
    if Path(target).exists():
        raise ValueError(f"TARGET must not exist yet; got {target}")
    with closing(open_reader(db)) as reader:
        reader.copy(target)
    click.echo(f"wrote {target}")


@study.command()
@database
@click.argument("target", type=click.Path())
def salvage(db: str, target: str) -> None:
    """Write what can be read of a damaged database to the folder TARGET; exit 1 if nothing can."""
    readable = False
    for saved in salvaged(db, Path(target)):
        click.echo(saved.text)
        readable |= saved.readable
    if not readable:
        sys.exit(1)


@study.command()
@click.argument("name")
@database
@as_json
def close(name: str, db: str, as_json: bool) -> None:
    """Let a study take no more answers."""
    ended = close_study(db, check_name(name))
    _print(ended, as_json, f"study {name} is {ended['status']}")


@study.command()
@click.argument("name", required=False)
@database
@click.option("--scope", type=click.Choice(list(SCOPES)), default="rater", show_default=True)
@click.option("--label", default="", help="What it is for, in words.")
@click.option("--days", type=float, help="How long it is valid; for ever if left out.")
@as_json
def token(name: str | None, db: str, as_json: bool, **options: Any) -> None:
    """Make a token for a study; it is shown once."""
    days = options.pop("days")
    made = make_token(db, study=name, seconds=None if days is None else days * 86400, **options)
    _print(made, as_json, made["token"])


def _print(value: dict[str, Any], as_json: bool, text: str) -> None:
    click.echo(json.dumps(value) if as_json else text)


def _parsed(name: str, text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_check.unique_names)
    except ValueError as error:
        raise ValueError(f"--{name} must be JSON; got {text!r}: {error}") from None
