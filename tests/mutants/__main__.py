"""Run the tests on mutants of ArcRace and of serving: ``python tests/mutants --sample 200``.

A mutant is killed if a test fails. Those in survivors.txt are known to be equivalent, or a matter
of tuning, and are not run. The rest is kept in out/mutants.json, so that a run goes on where it
was stopped; a survivor is run again when the tests have changed. The exit status is 1 if a
planted bug survives, or more than a tenth of the others.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutate import Mutant, mutants_of
from planted import PLANTED

ROOT = Path(__file__).resolve().parents[2]
SOURCE, RESULTS = ROOT / "src/duelli", ROOT / "out/mutants.json"
KNOWN = Path(__file__).with_name("survivors.txt")
RACE = "tests/learners/race"
REQUIRED, TIMEOUT = 0.9, 180


def files():
    return [*sorted((SOURCE / "learners/race").glob("*.py")), SOURCE / "serving.py"]


def all_mutants():
    found = []
    for path in files():
        found += mutants_of(path.relative_to(SOURCE).as_posix(), path.read_text("utf-8"))
    return found


def planted():
    for name, file, changes in PLANTED:
        text = (SOURCE / file).read_text("utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                sys.exit(f"planted bug {name!r}: {old!r} must be in {file} once")
            text = text.replace(old, new)
        yield Mutant(file, 0, "planted", name, text)


def known():
    """Return the names in survivors.txt; a line that is indented is the reason of those above."""
    lines = KNOWN.read_text("utf-8").splitlines() if KNOWN.exists() else []
    return {line for line in lines if line and not line.startswith((" ", "#"))}


def stages(file):
    """Return what pytest is to run, one after the other: the tests of the file itself first."""
    if file == "serving.py":
        return [["tests/test_serving.py"], ["tests/contracts/test_learners.py"]]
    name = f"{RACE}/test_{Path(file).name}"
    own = [[name]] if (ROOT / name).exists() else []
    units = [f"{RACE}/test_{name}.py" for name in ("machine", "scan", "polish", "claims")]
    laws = "tests/laws/test_race_keeps_the_best_arm.py"
    return [*own, units, [RACE, laws, "tests/contracts/test_learners.py"]]


def digest():
    folders = [ROOT / RACE, ROOT / "tests/laws", ROOT / "tests/contracts"]
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    text = b"".join(path.read_bytes() for path in [*paths, ROOT / "tests/test_serving.py"])
    return hashlib.sha256(text).hexdigest()[:16]


class Runner:
    """Each thread has a copy of the source; the results are shared."""

    def __init__(self):
        self.results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        self.tests, self.lock, self.local = digest(), threading.Lock(), threading.local()
        self.folder = tempfile.TemporaryDirectory(prefix="mutants")

    def run(self, mutant):
        key = hashlib.sha256(mutant.source.encode()).hexdigest()[:24]
        before = self.results.get(key)
        if before and (before["killed"] or before["tests"] == self.tests):
            return mutant, before["killed"]
        killed = self._killed(mutant)
        entry = {"name": mutant.name, "killed": killed, "tests": self.tests}
        with self.lock:
            self.results[key] = entry
            RESULTS.parent.mkdir(exist_ok=True)
            RESULTS.write_text(json.dumps(self.results, indent=0))
        print("." if killed else f"\nsurvived: {_line(mutant)}\n", end="", flush=True)
        return mutant, killed

    def _killed(self, mutant):
        copy = self._copy()
        place = copy / "duelli" / mutant.file
        original = place.read_text("utf-8")
        place.write_text(mutant.source, "utf-8")
        try:
            return not all(_passes(copy, tests) for tests in stages(mutant.file))
        finally:
            place.write_text(original, "utf-8")

    def _copy(self):
        if not hasattr(self.local, "copy"):
            self.local.copy = Path(tempfile.mkdtemp(dir=self.folder.name))
            skip = shutil.ignore_patterns("__pycache__")
            shutil.copytree(SOURCE, self.local.copy / "duelli", ignore=skip)
        return self.local.copy


def _passes(copy, tests):
    options = ["-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist"]
    options += ["-k", "not TestLearners or arc_race"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return not subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, timeout=TIMEOUT, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return False


def _line(mutant):
    return f"{mutant.file}:{mutant.line} {mutant.where}: {mutant.what}"


def chosen(options):
    listed = known()
    pool = [each for each in all_mutants() if each.name not in listed and options.only in each.file]
    if options.sample and options.sample < len(pool):
        pool = random.Random(options.seed).sample(pool, options.sample)
    return pool


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=0, help="run so many of them; 0 for all")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="name the mutants, and run none")
    options = parser.parse_args()
    pool, bugs = chosen(options), list(planted())
    if options.list:
        print(*map(_line, pool), sep="\n")
        return 0
    runner = Runner()
    with ThreadPoolExecutor(options.jobs) as threads:
        results = list(threads.map(runner.run, [*bugs, *pool]))
    alive = [mutant for mutant, killed in results if not killed]
    print("\n", *(f"survived: {_line(each)}\n" for each in alive), sep="")
    free = [each for each in alive if each.where == "planted"]
    dead = len(pool) - len(alive) + len(free)
    print(f"{dead} of {len(pool)} mutants killed; {len(bugs) - len(free)} of {len(bugs)} planted")
    return int(bool(free) or dead < REQUIRED * len(pool))


if __name__ == "__main__":
    sys.exit(main())
