"""Images of arms, made by the owner's own functions and kept by their content."""

import hashlib
import runpy
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from duelli.live.stores.base import Store

MOST_BYTES = 2 << 20
STARTS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
MOST_KNOWN = 4096

Draw = Callable[[Any], bytes]


class Images:
    """The owner's functions, each (point) -> the bytes of a PNG, JPEG or WebP image.

    Args:
        functions: The functions by name.
    """

    def __init__(self, functions: Mapping[str, Draw] | None = None) -> None:
        self.functions = dict(functions or {})
        self._known: dict[tuple[str, str], str] = {}

    @classmethod
    def from_file(cls, path: str | Path) -> "Images":
        """Return the public functions of a Python file, which the owner has chosen to run."""
        try:
            names = runpy.run_path(str(path))
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise ValueError(f"--images must be a Python file that runs; {path}: {why}") from error
        public = {
            name: value
            for name, value in names.items()
            if callable(value) and not name.startswith("_")
        }
        if not public:
            raise ValueError(f"--images must have a function that draws a point; {path} has none")
        return cls(public)

    def check(self, name: str) -> None:
        """Refuse a name that no function has."""
        if name not in self.functions:
            known = ", ".join(sorted(self.functions)) or "none; start the server with --images"
            raise ValueError(
                f"show.function must be one of the server's functions: {known}; got {name!r}"
            )

    def check_all(self, shows: Iterable[Mapping[str, Any]]) -> None:
        """Refuse studies that show images of a function that is not there."""
        for show in shows:
            if show["kind"] == "image":
                self.check(show["function"])

    def known(self, name: str, point: Any) -> str | None:
        """Return the hash of the image of a point that was made before."""
        return self._known.get((name, repr(point)))

    def made(self, name: str, point: Any) -> tuple[str, str, bytes]:
        """Make the image of a point; return its hash, its media type and its bytes."""
        self.check(name)
        try:
            body = self.functions[name](point)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise ValueError(f"the image function {name} failed: {why}") from error
        if not isinstance(body, bytes):
            got = type(body).__name__
            raise TypeError(f"the image function {name} must return bytes; got {got}")
        if len(body) > MOST_BYTES:
            raise ValueError(f"{name} must return at most {MOST_BYTES} bytes; got {len(body)}")
        kind = media_type(body)
        if kind is None:
            raise ValueError(f"{name} must return a PNG, JPEG or WebP image")
        return hashlib.sha256(body).hexdigest(), kind, body

    def keep(self, store: Store, name: str, point: Any, made: tuple[str, str, bytes]) -> str:
        """Keep an image in the store, inside a transaction; return its hash."""
        store.put_asset(*made)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[name, repr(point)] = made[0]
        return made[0]


def media_type(body: bytes) -> str | None:
    """Return the kind of an image by its first bytes; None if it is not one that is shown."""
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in STARTS.items() if body.startswith(start)), None)
