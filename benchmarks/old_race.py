"""ArcRace as duelli 0.1.0 had it, for benchmarks/practice.py, over lines of JSON.

The sources of 0.1.0 are taken from the history of this repository once, into ``out/0.1.0``; this
file is then run with them in the place of today's. It reads ``{"dim": d, "budget": T}``, then
writes a pair of points with its number of duels and reads the wins of the first one, until it
writes its answer.
"""

import contextlib
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

RELEASE = "808fba4"  # the last commit of 0.1.0
SLOPE_MAX, LIPSCHITZ = 0.25, 1.0  # what 0.1.0 took where the user gave none
HERE = Path(__file__).resolve().parent


def sources() -> Path:
    """Return the folder with the sources of 0.1.0; it is made where there is none."""
    folder = HERE.parent / "out" / "0.1.0"
    if not folder.exists():
        made = folder.with_name(f"0.1.0 of {os.getpid()}")  # so that nobody sees half of it
        archive = subprocess.run(
            ["git", "archive", RELEASE, "src"], cwd=HERE.parent, check=True, capture_output=True
        )
        made.mkdir(parents=True)
        packed = made / "src.tar"
        packed.write_bytes(archive.stdout)
        with tarfile.open(packed) as tar:
            tar.extractall(made, filter="data")
        packed.unlink()
        with contextlib.suppress(OSError):  # another process may be first
            made.rename(folder)
    return folder / "src"


def started() -> "subprocess.Popen[str]":
    """Return a process that plays ArcRace of 0.1.0."""
    return subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONPATH": str(sources())},
    )


def main() -> None:
    from duelli import ArcRace
    from duelli.blocks import Tally  # of 0.1.0

    task = json.loads(sys.stdin.readline())
    old: Any = ArcRace  # whose steps were single blocks
    learner = old(dim=task["dim"], horizon=task["budget"], slope_max=SLOPE_MAX, lipschitz=LIPSCHITZ)
    while block := learner.ask():
        print(json.dumps({"pair": [block.low, block.reference], "n": block.n}), flush=True)
        wins = float(sys.stdin.readline())
        learner.tell(Tally(block.n, wins, block.low))
    print(json.dumps({"answer": learner.recommend()}), flush=True)


if __name__ == "__main__":
    main()
