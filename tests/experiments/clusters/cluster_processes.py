"""Processes that the tests of clusters start, and files that sweeps leave."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

COMPARE = ["compare", "sharp", "--learners", "arc_race,arc_duelli", "--horizons", "1e6"]
COMPARE += ["--trials", "100"]
RESULTS = "compare.json"


def files(folder):
    """Return the content of every kept trial by its path below the folder."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.parquet")}


@contextmanager
def processes(folder):
    """Yield a function that starts processes which end with the block, whatever happens."""
    started = []
    here = str(Path(__file__).parent)
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])

    def start(*words, **env):
        number = len(started)
        with (folder / f"process-{number}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *map(str, words)],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": path, **env},
            )
        started.append(process)
        return process

    try:
        yield start
    finally:
        for process in reversed(started):  # a worker waits for a scheduler that ends before it
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until(condition, seconds=120.0):
    """Wait until a condition holds and return its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {seconds} seconds"
        time.sleep(0.05)
    return value


def interrupted(start, out, words, number):
    """Start a command that keeps trials in ``out``, end it amid them, and return its exit code."""
    before = len(files(out))
    process = start("-c", "from duelli.cli import main; main()", *words, "--out", out)
    wait_until(lambda: len(files(out)) >= before + 10)
    process.send_signal(number)
    return process.wait(timeout=30)
