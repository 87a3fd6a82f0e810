"""Run the trials of a benchmark on all cores, and keep what each has found in lines of JSON."""

import ast
import hashlib
import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from duelli.experiments.provenance import ROOT, fingerprint, versions
from duelli.testing import watch

Job = Sequence[Any]  # the arguments of a trial, in plain values
Found = dict[str, Any]
Work = Callable[..., Found]


def kept(
    work: Work,
    jobs: Sequence[Job],
    folder: Path,
    processes: int = -1,
    unused: tuple[str, ...] = (),
) -> list[Found]:
    """Return ``work(*job)`` for every job, in their order; only those that are new are run.

    Args:
        work: A trial: a function of a module, from plain values to plain values.
        jobs: The arguments of each trial.
        folder: Where results are kept, in one file per function and state of the code.
        processes: Processes; -1 for all cores.
        unused: Patterns of files of duelli that the trials do not use: they stay valid when these
            change.
    """
    file = folder / f"{work.__name__}-{_digest(work, unused)}.jsonl"
    known = dict(_read(file))
    missing = [job for job in jobs if _key(job) not in known]
    for job, found in _run(work, missing, processes):
        known[_key(job)] = found
        _append(file, {"job": job, "found": found})
    return [known[_key(job)] for job in jobs]


def _run(work: Work, jobs: Sequence[Job], processes: int) -> Iterator[tuple[Job, Found]]:
    if jobs:
        run = Parallel(n_jobs=processes, return_as="generator_unordered", batch_size="auto")
        yield from run(delayed(_finish)(work, job) for job in jobs)


def _finish(work: Work, job: Job) -> tuple[Job, Found]:
    return job, work(*job)


def _key(job: Job) -> str:
    return json.dumps(job, sort_keys=True)


def _digest(work: Work, unused: tuple[str, ...]) -> str:
    """Return a short hash of the code that a result depends on."""
    code = fingerprint(ROOT, unused)
    own = [_sources(Path(inspect.getfile(work))), inspect.getsource(watch)]
    content = json.dumps([code, own, versions("numpy", "numba")], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:12]


@lru_cache(maxsize=8)
def _sources(file: Path) -> dict[str, str]:
    """Return the text of a module and of those beside it that it imports, directly or not."""
    texts: dict[str, str] = {}
    waiting = [file]
    while waiting:
        part = waiting.pop()
        if part.name in texts or not part.is_file():
            continue
        texts[part.name] = part.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(texts[part.name])):
            if isinstance(node, ast.Import):
                waiting += [file.with_name(f"{alias.name}.py") for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                waiting.append(file.with_name(f"{node.module}.py"))
    return texts


def _read(file: Path) -> Iterator[tuple[str, Found]]:
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:  # a process was killed while it wrote this line
            continue
        yield _key(entry["job"]), entry["found"]


def _append(file: Path, entry: dict[str, Any]) -> None:
    """Add a line; what a killed process has left of one ends first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab+") as lines:
        if lines.tell():
            lines.seek(-1, 2)
            if lines.read(1) != b"\n":
                lines.write(b"\n")
        lines.write(json.dumps(entry).encode() + b"\n")
