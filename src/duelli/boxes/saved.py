"""The way back from a box's JSON, with every field checked."""

from collections.abc import Mapping
from typing import Any

from duelli.boxes.sides import Sides, bounds
from duelli.parameters import (
    Choices,
    Fixed,
    Parameter,
)


def sides_from_json(value: object) -> Sides:
    """Return the parameters of the box of which ``value`` is the JSON; check every field of it."""
    fields = _fields("box", value, {"named", "parameters"})
    named, entries = fields["named"], fields["parameters"]
    if not isinstance(named, bool):
        raise TypeError(f"box.named must be true or false; got {named!r}")
    if not isinstance(entries, list):
        raise TypeError(f"box.parameters must be a list; got {entries!r}")
    labels = [f"box.parameters[{i}]" for i in range(len(entries))]
    sides = [_side(*both, named) for both in zip(labels, entries, strict=True)]
    names = [side.name for side in sides]
    if named and len(set(names)) < len(names):
        raise ValueError(f"box.parameters must have different names; got {', '.join(names)}")
    return dict(zip(names, sides, strict=True)) if named else sides


def _side(label: str, entry: object, named: bool) -> Parameter:
    """Return the parameter of which ``entry`` is the JSON; errors call it ``label``."""
    common = {"name"} if named else set()
    kinds = ({"low", "high", "scale"}, {"choices"}, {"fixed"})
    fields = dict(_fields(label, entry, *(kind | common for kind in kinds)))
    name = fields.pop("name", label)
    if not isinstance(name, str) or not name:
        raise TypeError(f"{label}.name must be a string that is not empty; got {name!r}")
    if "fixed" in fields:
        return Fixed(name, fields["fixed"])
    if "choices" not in fields:
        return bounds(name, **fields)
    if not isinstance(fields["choices"], list):
        raise TypeError(f"{label}.choices must be a list; got {fields['choices']!r}")
    return Choices(name, tuple(fields["choices"]))


def _fields(label: str, value: object, *allowed: set[str]) -> Mapping[str, Any]:
    """Check that ``value`` is a JSON object that has the fields of one of ``allowed``."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{label} must be an object; got {value!r}")
    if set(value) not in allowed:
        rule = " or ".join(", ".join(sorted(names)) for names in allowed)
        raise ValueError(f"{label} must have the fields {rule}; got {', '.join(map(str, value))}")
    return value
