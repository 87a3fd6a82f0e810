"""The values that the command line takes: whole numbers such as 1e8, and inputs of learners."""

from contextlib import suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import click

NAMED = {"none": None, "true": True, "false": False}
OWN_OPTIONS = {"horizon": "--horizon", "seed": "--seed"}  # inputs that --set may not set


class Whole(click.ParamType[int]):
    """A whole number, which may be written as 1e8."""

    name = "integer"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:  # noqa: ARG002 (click's signature)
        """Return the number, or say what is wrong with it."""
        return self.parse(param.name, value)

    @staticmethod
    def parse(name: str, value: Any) -> int:
        """Return a text such as 1e8 as a whole number, exactly."""
        rule = f"{name} must be a whole number; got {value!r}"
        try:
            number = Decimal(value)
        except (InvalidOperation, TypeError):
            raise click.BadParameter(rule) from None
        # A number of more than a hundred digits is a slip, and takes long to write out.
        if (
            not number.is_finite()
            or number.adjusted() > 100
            or number != number.to_integral_value()
        ):
            raise click.BadParameter(rule)
        if number < 0:
            raise click.BadParameter(f"{name} must be a whole number of at least 0; got {value!r}")
        return int(number)


WHOLE = Whole()


def _database(context: click.Context, parameter: click.Parameter, value: str) -> str:  # noqa: ARG001
    """Return where a database is, or say what is wrong with it."""
    if not value or Path(value).is_dir():
        raise click.BadParameter(f"it must be a file or a URL postgresql://...; got {value!r}")
    return value


database = click.option(
    "--db",
    required=True,
    callback=_database,
    help="A file, or a URL such as postgresql://user@host/name.",
)


def names_in(text: str | None) -> tuple[str, ...]:
    """Return the names in a list such as ``a,b``; none if there is no list."""
    return tuple(text.split(",")) if text else ()


def numbers_in(name: str, text: str | None) -> tuple[int, ...]:
    """Return the whole numbers in a list such as ``1e4,1e6``; none if there is no list."""
    return tuple(WHOLE.parse(name, each) for each in names_in(text))


def contestants(names: str, inputs: tuple[str, ...]) -> dict[str, tuple[str, dict[str, Any]]]:
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
        key, value = parse_input(rest)
        found[label][1][key] = value
    return found


def parse_input(text: str) -> tuple[str, Any]:
    """Return KEY=VALUE as a pair: a number, a list of them, true, false, none, or a word."""
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise ValueError(f"--set must be KEY=VALUE; got {text!r}")
    if key in OWN_OPTIONS and value.lower() != "none":
        raise ValueError(f"--set must not set {key}, which has its own option, {OWN_OPTIONS[key]}")
    if "," in value:
        return key, tuple(_number(part) for part in value.split(","))
    return key, _number(value)


def _number(text: str) -> Any:
    if text.lower() in NAMED:
        return NAMED[text.lower()]
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
