"""A private PostgreSQL server for tests: on loopback, in a folder of its own, gone afterwards."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest


def binary(name):
    """Return a program of PostgreSQL; None if it is not installed."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(places[0]) if places else shutil.which(name)


def missing():
    """Return why there can be no server here; None if there can."""
    if binary("initdb") is None or binary("pg_ctl") is None:
        return "PostgreSQL is not installed (Debian: apt-get install postgresql)"
    if os.getuid() == 0 and not _exists("postgres"):
        return "PostgreSQL does not run as root, and there is no user postgres"
    return None


class Cluster:
    """A server with one database, which each test finds empty."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="duelli-pg-"))
        self.port = _free_port()
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-N", "-D", self.data, "-U", "duelli", "-A", "trust", "-E", "UTF8")
        self.start()

    @property
    def data(self):
        return str(self.folder / "data")

    def start(self):
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c shared_buffers=8MB"
        )
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", self.data, "-w", "-o", options, "-l", log, "start")

    def stop(self, mode="fast"):
        """Stop the server; "immediate" is what a crash does."""
        self._run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def url(self):
        """Return the address of a database without studies; what was in it before is gone."""
        import psycopg

        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute("SET client_min_messages = warning")
            connection.execute("DROP SCHEMA IF EXISTS duelli CASCADE")
        return self._address("postgres")

    def remove(self):
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def _address(self, name):
        return f"postgresql://duelli@127.0.0.1:{self.port}/{name}"

    def _run(self, name, *words):
        command = [binary(name), *words]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(
            command,
            capture_output=name == "initdb",
            text=True,
            cwd="/",
            check=False,
            **({} if name == "initdb" else {"stdout": subprocess.DEVNULL}),
        )
        if done.returncode:
            raise RuntimeError(f"{name} failed: {done.stderr}")


@pytest.fixture(scope="session")
def cluster():
    """Yield a private server, or skip with the reason that there can be none."""
    if reason := missing():
        if os.environ.get("DUELLI_NEEDS_POSTGRES"):
            pytest.fail(f"this test must not be skipped here: {reason}")
        pytest.skip(reason)
    made = Cluster()
    yield made
    made.remove()


def _exists(user):
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
