"""Which code makes a trial, so that trials of other code are neither shown nor mixed in."""

import hashlib
import socket
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from duelli.errors import WorkerError

# What no trial runs through, except for `TRIALS`. A change of any other file makes kept trials
# stale, so that a file that is new or was moved cannot be forgotten.
ROOT = Path(__file__).parents[1]
OUTSIDE = (
    "_files.py",
    "cli/**/*.py",
    "experiments/**/*.py",
    "live/**/*.py",
    "planning/**/*.py",
    "record/__init__.py",
    "record/arena.py",
    "record/ranking.py",
    "record/results.py",
    "record/stats.py",
    "report/**/*.py",
    "testing/**/*.py",
    "theory.py",
)
TRIALS = "experiments/trials.py"


@lru_cache(maxsize=4)
def fingerprint(root: Path, unused: tuple[str, ...] = ()) -> str:
    """Return a hash of the code that makes a trial, so that no other code's trials are shown.

    Args:
        root: The folder of the package.
        unused: Patterns of files that these trials do not run through, besides `OUTSIDE`.
    """
    patterns = OUTSIDE + unused
    outside = {path for pattern in patterns for path in root.glob(pattern)} - {root / TRIALS}
    content = [path.read_bytes() for path in sorted(set(root.rglob("*.py")) - outside)]
    return hashlib.sha256(b"\0".join(content)).hexdigest()


@lru_cache(maxsize=8)  # every run of a sweep asks for them
def versions(*names: str) -> dict[str, str]:
    """Return the versions of those packages that are installed."""
    installed = {}
    for name in names:
        try:
            installed[name] = version(name)
        except PackageNotFoundError:  # an optional one
            continue
    return installed


def makers() -> dict[str, str]:
    """Return all that the result of a trial depends on besides its setting and its seed."""
    return {"code": fingerprint(ROOT), **versions("numpy", "numba")}


def check_makers(expected: dict[str, str]) -> None:
    """Check that this process makes the same trials as the one that asks for them.

    Raises:
        WorkerError: If it has other code or other versions.
    """
    if (ours := makers()) != expected:
        raise WorkerError(
            "every worker must have the code and the versions of the process that asks for the "
            f"trials, which are {_in_words(expected)}; {socket.gethostname()} has {_in_words(ours)}"
        )


def _in_words(made_by: dict[str, str]) -> str:
    packages = [f"{name} {number}" for name, number in made_by.items() if name != "code"]
    return ", ".join([f"duelli's code {made_by['code'][:12]}", *packages])
