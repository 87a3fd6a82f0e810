"""Links by name, and what a learner is told of one."""

import math
from dataclasses import replace
from typing import Any

from duelli import _check
from duelli.links.base import Link
from duelli.links.shapes import Arctan, Linear, Logistic, Probit, Tanh

LINKS: dict[str, Link] = {
    "logistic": Logistic(),
    "linear": Linear(),
    "probit": Probit(),
    "arctan": Arctan(),
    "tanh": Tanh(),
}
GUESSED_SLOPE = 4.0  # Γ L where nobody knows it: too large costs little, too small a lot


def parse(link: Link | str) -> Link:
    """Return the link that a text such as ``logistic:10`` names; a link is returned as it is."""
    if isinstance(link, Link):
        return link
    if not isinstance(link, str):
        raise TypeError(f"link must be a Link or a name; got {link!r}")
    name, colon, steepness = link.partition(":")
    named = _check.registered("link", name, LINKS)
    if not colon:
        return named
    try:
        number = float(steepness)
    except ValueError:
        number = math.nan
    if not number > 0 or math.isinf(number):
        raise ValueError(f"link steepness must be a number above 0; got {steepness!r}")
    return replace(named, steepness=number)


def known_slopes(link: Link | str | None, lipschitz: float | None) -> dict[str, Any]:
    """Return what the learner is told of link and Lipschitz constant, guessed if unknown."""
    lipschitz = None if lipschitz is None else _check.positive("lipschitz", lipschitz)
    if link is None:
        return {"slope_max": 0.25, "lipschitz": GUESSED_SLOPE / 0.25}
    parsed = parse(link)
    if lipschitz is None:
        return {"slope_max": parsed.slope_max, "lipschitz": GUESSED_SLOPE / parsed.slope_max}
    return {"lipschitz": lipschitz, **parsed.on(lipschitz).facts()}
