"""Ray: batches are Ray's tasks, which it runs again elsewhere when a worker dies.

The backend that Ray registers with joblib hands results over only when all of them are there, so
that an interrupted sweep would keep nothing, and ends with the first worker that dies.
"""

import logging
import os
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from joblib import cpu_count
from joblib.parallel import ParallelBackendBase

from duelli.errors import WorkerError
from duelli.experiments.clusters import LOCAL

RETRIES = 3  # of a batch whose worker has died; Dask has as many
STORE_BYTES = 200_000_000  # for results on their way; Ray would take a third of the memory
QUIET = {"log_to_driver": False, "logging_level": logging.CRITICAL}
HTTP2_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HTTP2_SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))  # a frame; servers answer with one of theirs

# Ray reads the first one when it is imported. No port of a local cluster is open to other
# machines then, and Ray's makers are told nothing.
PRIVATE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}


class RayBackend(ParallelBackendBase):  # type: ignore[misc]  # joblib has no types
    """A backend of joblib that runs each batch as a task of Ray, on one core."""

    supports_retrieve_callback = True
    default_n_jobs = -1

    def __init__(self) -> None:
        import ray

        super().__init__()
        self._run = ray.remote(num_cpus=1, max_retries=RETRIES)(_call)
        self._count_cores = ray.cluster_resources

    def effective_n_jobs(self, n_jobs: int) -> int:  # noqa: ARG002 (joblib's signature)
        """Return the number of cores of the cluster.

        It is 2 at least: with 1, joblib would run the trials in the calling process.
        """
        return max(2, int(self._count_cores().get("CPU", 0)))

    def submit(self, func: Any, callback: Callable[[Any], None]) -> "Future[Any]":
        """Hand over a batch; ``callback`` is called with the future once it is done."""
        future: Future[Any] = self._run.remote(func).future()
        future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, out: "Future[Any]") -> Any:
        """Return the results of a batch, or raise the error of a trial as the trial raised it."""
        from ray.exceptions import RayTaskError

        try:
            return out.result()
        except RayTaskError as error:
            raise error.cause from error


def _call(batch: Callable[[], Any]) -> Any:
    return batch()


@contextmanager
def backend(address: str, jobs: int, seconds: float) -> Iterator[RayBackend]:
    """Yield a backend for the cluster at ``address``."""
    if address == LOCAL:
        _start(cpu_count() if jobs == -1 else jobs)
    else:
        _connect(address, seconds)
    import ray
    from ray.exceptions import RayError

    try:
        yield RayBackend()
    except RayError as error:
        raise WorkerError(f"the Ray cluster could not finish a batch: {error}") from error
    finally:
        ray.shutdown()


def _start(cores: int) -> None:
    for name, value in PRIVATE.items():
        os.environ.setdefault(name, value)
    import ray

    ray.init(
        address=LOCAL,
        num_cpus=cores,
        object_store_memory=STORE_BYTES,
        include_dashboard=False,
        **QUIET,
    )


def _connect(address: str, seconds: float) -> None:
    import ray
    from ray.exceptions import RayError

    try:
        if address != "auto":
            _knock(address, seconds)
        ray.init(address=address, **QUIET)
    except (OSError, ValueError, RayError) as error:
        raise WorkerError(
            "address must be that of a Ray cluster to which this machine belongs, auto or such as "
            f"127.0.0.1:6379, which answers within {seconds:g} seconds; got {address!r} "
            f"({str(error) or 'no answer'})"
        ) from None


def _knock(address: str, seconds: float) -> None:
    """Check that HOST:PORT speaks HTTP/2, as Ray does; ``ray.init`` would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise ValueError("it is not HOST:PORT")
    with socket.create_connection((host, int(port)), timeout=seconds) as connection:
        connection.sendall(HTTP2_GREETING + HTTP2_SETTINGS)
        if connection.recv(9)[3:4] != HTTP2_SETTINGS[3:4]:  # what kind of frame it is
            raise OSError("some other service answers there")
