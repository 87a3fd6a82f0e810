"""How many durable duels a second a live study takes over HTTP: one JSON line each.

Run ``python benchmarks/live.py`` on a machine that does nothing else. It writes what it measures
into docs/live.md. It needs Optuna (``pip install 'duelli[dev]'``), whose ask and tell on SQLite it
runs beside: in process and without HTTP.

A study is filled with outcomes first, so that rates, the slowest answers and the memory of the
server can be compared from a thousand outcomes to a million.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from _write import table, write

from duelli.live.ledger import Ledger
from duelli.live.managing import create_study
from duelli.live.requests import Ask, Given, Request, Tell
from duelli.live.settings import Settings
from duelli.live.stores import open_store

CONNECTIONS = 32
STUDY = "load"
SETTINGS = Settings(
    name=STUDY,
    box={"x": (0.0, 1.0), "y": (0.0, 1.0)},  # type: ignore[arg-type]
    horizon=10**9,
    learner="arc_duelli",  # its steps are long, so that the store is measured and not the learner
    link="logistic",
    lipschitz=1.0,
)
AUTO = replace(SETTINGS, horizon=10**4, learner="auto", batch=CONNECTIONS)  # it thinks for longer

Finding = dict[str, Any]


def fill(db: str, outcomes: int) -> None:
    """Bring a study to so many outcomes, without HTTP."""
    with closing(Ledger(open_store(db))) as ledger:
        while (left := outcomes - ledger.store.study(STUDY).duels) > 0:
            names = [f"f{k}" for k in range(min(left, 1000))]
            pairs = zip(names, done(ledger, [Ask(STUDY, name) for name in names]), strict=True)
            tells = [
                Tell(STUDY, name, pair.step, pair.place, "left", f"{pair.step}.{pair.place}")
                for name, pair in pairs
                if isinstance(pair, Given)
            ]
            done(ledger, list(tells))


def done(ledger: Ledger, requests: list[Any]) -> list[Any]:
    """Return the results of requests that are all under way at once."""

    def sent(request: Request) -> "Future[Any]":
        future: Future[Any] = Future()
        ledger.submit(request, future)
        return future

    return [future.result() for future in [sent(request) for request in requests]]


@contextmanager
def server(db: str) -> Iterator[tuple[str, int]]:
    """Yield the address and the process number of a server."""
    command = [sys.executable, "-m", "duelli", "serve", "--db", db, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield line.rpartition(" at ")[2].strip(), process.pid
        finally:
            process.terminate()


class Connection:
    """One connection that is kept open; as little work as possible, to leave it to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def post(self, path: str, body: Finding, key: str = "") -> tuple[int, Any]:
        """Return the code and the content that a request gets."""
        content = json.dumps(body)
        more = f"Idempotency-Key: {key}\r\n" if key else ""
        self._writer.write(
            f"POST /v1/studies/{STUDY}/{path} HTTP/1.1\r\nHost: localhost\r\n{more}"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n{content}"
            "".encode()
        )
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
        text = await self._reader.readexactly(int(length or 0))
        return int(head[9:12]), json.loads(text) if text else None


async def judge(url: str, name: str, until: float, took: list[float]) -> None:
    """Ask and tell until the time is over; note how long each tell took."""
    where = urlsplit(url)
    streams = await asyncio.open_connection(where.hostname, where.port)
    connection = Connection(*streams)
    while time.monotonic() < until:
        code, pair = await connection.post("ask", {"client": name})
        if code != 200:
            await asyncio.sleep(0.01)
            continue
        body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": "left"}
        started = time.perf_counter()
        code, _ = await connection.post("tell", body, f"{name}-{pair['duel']}")
        if code == 200:
            took.append(time.perf_counter() - started)
    streams[1].close()


async def load(url: str, seconds: float) -> list[float]:
    """Return how long each accepted tell took, sorted."""
    took: list[float] = []
    until = time.monotonic() + seconds
    judges = (judge(url, f"c{k}", until, took) for k in range(CONNECTIONS))
    await asyncio.gather(*judges)
    return sorted(took)


def memory(pid: int) -> float:
    """Return the resident memory of a process in megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    kilobytes = next(line.split()[1] for line in lines if line.startswith("VmRSS"))
    return int(kilobytes) / 1024


def measured(db: str, outcomes: int, seconds: float) -> Finding:
    """Measure a study that has so many outcomes."""
    fill(db, outcomes)
    os.sync()  # so that the disk is not still busy with what the study was filled with
    with server(db) as (url, pid):
        asyncio.run(load(url, min(1.0, seconds)))  # the study is loaded by then
        took = asyncio.run(load(url, seconds))
        return {
            "outcomes": outcomes,
            "pairs_per_second": len(took) / seconds,
            "p50_ms": 1000 * took[len(took) // 2],
            "p99_ms": 1000 * took[int(0.99 * len(took))],
            "memory_mb": memory(pid),
        }


def optuna_rate(folder: Path, seconds: float) -> Finding:
    """Measure Optuna's ask and tell on its SQLite storage, in this process."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.RandomSampler(seed=0)
    study = optuna.create_study(storage=f"sqlite:///{folder / 'optuna.db'}", sampler=sampler)
    started, count = time.monotonic(), 0
    while time.monotonic() - started < seconds:
        trial = study.ask()
        study.tell(trial, trial.suggest_float("x", 0, 1) + trial.suggest_float("y", 0, 1))
        count += 1
    return {"optuna": optuna.__version__, "pairs_per_second": count / seconds}


def report(rows: list[Finding], auto: Finding, optuna: Finding) -> str:
    """Return the measurements as a table and a sentence."""
    head = ["outcomes before", "pairs a second", "tell, p50 ms", "tell, p99 ms", "memory, MB"]
    cells = [
        [
            f"{row['outcomes']:,}",
            f"{row['pairs_per_second']:,.0f}",
            f"{row['p50_ms']:.1f}",
            f"{row['p99_ms']:.1f}",
            f"{row['memory_mb']:.0f}",
        ]
        for row in rows
    ]
    least = min(row["pairs_per_second"] for row in rows)
    return (
        f"{table([head, *cells])}\n\nBeside it, in the same run, Optuna {optuna['optuna']} took "
        f"{optuna['pairs_per_second']:.1f} asks and tells a second on its SQLite storage, in "
        f"process and without HTTP: the service takes at least "
        f"{least / optuna['pairs_per_second']:.0f} times as many. The learner of the table is "
        f"{SETTINGS.learner}, whose steps are long. With {AUTO.learner} and a batch of "
        f"{AUTO.batch}, whose next pairs follow from all the answers before, it is "
        f"{auto['pairs_per_second']:,.0f} a second."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--outcomes", default="1e3,1e4,1e5,1e6", help="how full the study is")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--no-write", action="store_true", help="leave docs/live.md as it is")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        db = str(Path(name) / "load.db")
        create_study(db, SETTINGS)
        rows = []
        for outcomes in options.outcomes.split(","):
            rows.append(measured(db, int(float(outcomes)), options.seconds))
            print(json.dumps(rows[-1]), flush=True)
        create_study(str(Path(name) / "auto.db"), AUTO)
        auto = measured(str(Path(name) / "auto.db"), 0, options.seconds)
        print(json.dumps({"learner": "auto", **auto}), flush=True)
        optuna = optuna_rate(Path(name), options.seconds)
        print(json.dumps(optuna), flush=True)
    if not options.no_write:
        write("docs/live.md", "benchmarks/live.py", report(rows, auto, optuna))


if __name__ == "__main__":
    main()
