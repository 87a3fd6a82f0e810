"""Servers in processes of their own, forked from one that has imported everything already.

with Servers() as servers:
    server = servers.start(db)          # a running server; server.url, server.pid
    server.kill()                       # SIGKILL
    server = servers.start(db)          # again, some hundredths of a second later
    assert server.stop() == 0           # SIGTERM, and its exit code
"""

import multiprocessing
import os
import signal
import sys
from dataclasses import dataclass
from typing import Any

PRELOADED = ["duelli.live.service", "duelli.live.service.openapi", "live.servers"]


@dataclass
class Server:
    """A server that takes requests."""

    url: str
    process: Any

    @property
    def pid(self):
        return self.process.pid

    def kill(self):
        """End it as a power cut of the process would: nothing of it runs any more."""
        os.kill(self.pid, signal.SIGKILL)
        self.process.join()

    def stop(self):
        """Ask it to stop, and return its exit code."""
        if self.process.is_alive():
            os.kill(self.pid, signal.SIGTERM)
        self.process.join(20)
        return self.process.exitcode

    def wait(self, seconds=10):
        """Return its exit code, once it has stopped by itself."""
        self.process.join(seconds)
        return self.process.exitcode


class Servers:
    """Starts servers quickly, and ends those that are left."""

    def __init__(self):
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(PRELOADED)
        self._started = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for process in self._started:
            if process.is_alive():
                process.kill()
            process.join()

    def start(self, db, *, port=0, plant=None, **options):
        """Start a server; ``plant`` is called first in its process, to break something."""
        ours, theirs = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_serve, args=(str(db), port, theirs, plant, options), daemon=True
        )
        process.start()
        self._started.append(process)
        theirs.close()
        try:
            url = ours.recv() if ours.poll(30) else None
        except EOFError:
            url = None
        if url is None:
            process.join(5)
            raise RuntimeError(f"the server did not start; its exit code is {process.exitcode}")
        return Server(url, process)


def _serve(db, port, ready, plant, options):
    """Serve in this process."""
    from duelli.live.service import serve

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if plant is not None:
        plant()
    sys.exit(serve(db, port=port, say=str, on_ready=ready.send, **options))
