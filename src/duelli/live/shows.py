"""How an arm is shown: as named values, a colour, a text, an image, or the owner's own page.

A study says it as ``show``, a JSON object with a ``kind``:

- ``{"kind": "parameters", "labels": {"size": "Font size"}}``: the values by name;
- ``{"kind": "colour", "space": "hsl", "from": ["hue", "sat", "light"]}``: a patch of colour, in
  the space "rgb" (0 to 255) or "hsl" (degrees, percent, percent);
- ``{"kind": "text", "template": "Dear {name}, {greeting:.3}"}``: a text with the values in it;
- ``{"kind": "image", "function": "draw"}``: what the owner's Python function of that name
  returns; the server is started with the file that has it;
- ``{"kind": "page", "url": "https://example.org/card.html"}``: that page in a sandboxed frame,
  with the parameters in its address.
"""

import colorsys
import re
from collections.abc import Mapping
from string import Formatter
from typing import Any
from urllib.parse import urlencode, urlsplit

from duelli import _check
from duelli.boxes import Box

MOST_TEMPLATE = 4000
FIELDS = {
    "parameters": {"labels"},
    "colour": {"space", "from"},
    "text": {"template"},
    "image": {"function", "alt"},
    "page": {"url"},
}
SPACES = ("rgb", "hsl")
SPEC = re.compile(r"[<>=^+ ]?\d{0,2},?(\.\d{1,2})?[defgs%]?")  # a width of 99 at the most


def check_show(value: object, box: Box) -> dict[str, Any]:
    """Return how a study shows its arms, or say what is wrong with it."""
    if not isinstance(value, Mapping):
        raise TypeError(f"show must be an object with a kind; got {value!r}")
    kind = value.get("kind", "parameters")
    if not isinstance(kind, str):
        raise TypeError(f"show.kind must be a string; got {kind!r}")
    _check.one_of("show.kind", kind, FIELDS)
    _check.known_keys(f"show of the kind {kind}", value, {"kind", *FIELDS[kind]})
    show = {**value, "kind": kind}
    CHECKS[kind](show, box)
    return show


def shown(show: Mapping[str, Any], box: Box, point: Any) -> dict[str, Any]:
    """Return what a page needs to show a point; an image is made elsewhere."""
    named = by_name(box, point)
    match show["kind"]:
        case "colour":
            return {"colour": colour(show["space"], [float(named[n]) for n in show["from"]])}
        case "text":
            return {"text": show["template"].format_map(named)}
        case "page":
            joint = "&" if urlsplit(show["url"]).query else "?"
            return {"src": f"{show['url']}{joint}{urlencode(named)}"}
        case _:
            labels = show.get("labels", {})
            rows = [{"label": labels.get(n, n), "value": value} for n, value in named.items()]
            return {"values": rows}


def by_name(box: Box, point: Any) -> dict[str, Any]:
    """Return a point as a dict, whether the box has names or not."""
    if isinstance(point, dict):
        return point
    values = point if isinstance(point, list) else point.tolist()
    return dict(zip(box.names, values, strict=True))


def colour(space: str, values: list[float]) -> str:
    """Return a colour as #rrggbb."""
    if space == "hsl":
        hue, saturation, lightness = values[0] / 360 % 1, values[1] / 100, values[2] / 100
        parts = colorsys.hls_to_rgb(hue, lightness, saturation)
    else:
        parts = (values[0] / 255, values[1] / 255, values[2] / 255)
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, part))):02x}" for part in parts)


def _check_parameters(show: dict[str, Any], box: Box) -> None:
    labels = show.setdefault("labels", {})
    if not isinstance(labels, dict) or not all(isinstance(v, str) for v in labels.values()):
        raise TypeError(f"show.labels must be names with texts; got {labels!r}")
    _check.known_keys("show.labels", labels, box.names)


def _check_colour(show: dict[str, Any], box: Box) -> None:
    show.setdefault("space", "rgb")
    _check.one_of("show.space", show["space"], SPACES)
    names = show.get("from")
    if not isinstance(names, list) or len(names) != 3:
        raise ValueError(f"show.from must name three parameters; got {names!r}")
    middle = by_name(box, box.to_raw((0.5,) * box.dim))
    for name in names:
        _check.one_of("show.from", name, box.names)
        if isinstance(middle[name], bool) or not isinstance(middle[name], int | float):
            raise ValueError(f"show.from must name numbers; {name} is {middle[name]!r}")


def _check_template(show: dict[str, Any], box: Box) -> None:
    template = show.get("template")
    if not isinstance(template, str) or len(template) > MOST_TEMPLATE:
        raise ValueError(f"show.template must be a text of at most {MOST_TEMPLATE} characters")
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise ValueError(f"show.template must be a format; got {template!r}: {error}") from None
    for _, name, spec, conversion in parts:
        if name is None:
            continue
        _check.one_of("a name in show.template", name, box.names)
        if conversion or not SPEC.fullmatch(spec or ""):
            raise ValueError(f"show.template must use plain formats such as .2f; got {spec!r}")
    for end in ((0.0,) * box.dim, (1.0,) * box.dim):  # a format that does not fit is seen now
        try:
            template.format_map(by_name(box, box.to_raw(end)))
        except ValueError as error:
            raise ValueError(
                f"show.template must fit its parameters; got {template!r}: {error}"
            ) from None


def _check_image(show: dict[str, Any], box: Box) -> None:  # noqa: ARG001 (as the others)
    name = show.get("function")
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError(f"show.function must name a function of Python; got {name!r}")
    if not isinstance(show.setdefault("alt", ""), str):
        raise TypeError(f"show.alt must be a text; got {show['alt']!r}")


def _check_page(show: dict[str, Any], box: Box) -> None:  # noqa: ARG001 (as the others)
    url = show.get("url")
    if not isinstance(url, str) or not re.fullmatch(r"[!-~]{1,2000}", url):
        raise ValueError(f"show.url must be an address of at most 2000 characters; got {url!r}")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not re.fullmatch(r"[\w.\-\[\]:]+", parts.netloc):
        raise ValueError(f"show.url must begin with http:// or https:// and a host; got {url!r}")
    if parts.fragment:
        raise ValueError(f"show.url must have no part after #; got {url!r}")


CHECKS = {
    "parameters": _check_parameters,
    "colour": _check_colour,
    "text": _check_template,
    "image": _check_image,
    "page": _check_page,
}


def frame_source(show: Mapping[str, Any]) -> str | None:
    """Return the site whose page is shown in a frame, as a content security policy names it."""
    if show["kind"] != "page":
        return None
    parts = urlsplit(show["url"])
    return f"{parts.scheme}://{parts.netloc}"
