"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Give a path to write to, which takes its real name only once all is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def atomic_write(path: Path, text: str) -> None:
    """Write ``text`` to ``path``: a reader sees the old content or the new one, never a part."""
    with atomic_path(path) as part:
        part.write_text(text, encoding="utf-8")
