"""What the tests of clusters share: a limit of time, and small sweeps."""

import signal
import socket
from functools import partial

import pytest
from cluster_processes import files
from logged_batches import deadly_once, logged

from duelli.cli import main
from duelli.experiments import batches
from duelli.experiments.paper import arc
from duelli.experiments.sweep import Sweep
from duelli.record.tables import Store

RUNS = (  # of some two seconds in all
    arc("sharp", trials=200, horizon=10**6),
    arc("flat", "flat", trials=60, horizon=10**4),
)


@pytest.fixture(autouse=True)
def time_limit():
    """Fail a test that takes longer than five minutes, whatever it waits for."""

    def stop(*_):
        raise TimeoutError("the test has taken more than 300 seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(300)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def make_sweep(tmp_path):
    def make(name, jobs=-1):
        return Sweep(groups={"small": RUNS}, store=Store(tmp_path / name), jobs=jobs)

    return make


@pytest.fixture
def deadly_log(tmp_path, monkeypatch):
    """A file in which workers write down the batches that they run; one of them dies amid one."""
    path = tmp_path / "batches.log"
    monkeypatch.setattr(batches, "_finish", partial(deadly_once, str(path)))
    return path


@pytest.fixture
def log(tmp_path, monkeypatch):
    """A file in which workers write down the batches that they run."""
    path = tmp_path / "batches.log"
    monkeypatch.setattr(batches, "_finish", partial(logged, str(path)))
    return path


@pytest.fixture
def printed_by(monkeypatch, capsys):
    """Run a command of duelli to its end in this process, and return the lines that it prints."""

    def run(*words):
        monkeypatch.setattr("sys.argv", ["duelli", *map(str, words)])
        main()
        return capsys.readouterr().out.splitlines()

    return run


@pytest.fixture(scope="session")
def on_one_machine(tmp_path_factory):
    """The kept trials of a sweep that ran in this process, by path."""
    made = Sweep(groups={"small": RUNS}, store=Store(tmp_path_factory.mktemp("one")), jobs=1)
    list(made.run(made.pending()))
    return files(made.store.folder)


@pytest.fixture
def ports():
    """A port where nobody listens, and one where somebody does who says nothing."""
    with socket.socket() as free, socket.socket() as taken:
        free.bind(("127.0.0.1", 0))
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield {"free": free.getsockname()[1], "taken": taken.getsockname()[1]}
