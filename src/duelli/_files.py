"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(path: Path, tag: str | None = None) -> Iterator[Path]:
    """Yield a temporary path to write to, which replaces ``path`` once all is written.

    The folder is made if it does not exist. After an error the temporary file is removed, and what
    was at ``path`` before is still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{tag or os.getpid()}.part")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def atomic_write(path: Path, text: str) -> None:
    """Replace the content of ``path`` by ``text``; it survives a power cut once this returns."""
    with atomic_path(path) as part, part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
