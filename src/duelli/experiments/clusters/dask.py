"""Dask: batches go to a scheduler, which hands them to workers anywhere."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, Security
from distributed.comm import connect
from joblib import cpu_count
from joblib._dask import DaskDistributedBackend

from duelli.errors import WorkerError
from duelli.experiments.clusters import LOCAL
from duelli.experiments.provenance import check_makers, makers

INSTALLED = "the scheduler and all workers of Dask must have duelli installed"


class DaskBackend(DaskDistributedBackend):  # type: ignore[misc]  # joblib has no types
    """The backend of joblib, which waits forever for a batch that the cluster cannot run."""

    def submit(self, func: Any, callback: Callable[[Any], None]) -> "Future[Any]":
        """Hand over a batch; ``callback`` learns of errors, too, as joblib's rules demand."""
        future: Future[Any] = super().submit(func, callback)

        def report_error(done: "Future[Any]") -> None:
            if error := done.exception():
                callback(error)

        future.add_done_callback(report_error)
        return future

    def effective_n_jobs(self, n_jobs: int) -> int:
        """Return the number of threads of all workers.

        It is 2 at least: with 1, joblib would run the trials in the calling process.
        """
        threads: int = super().effective_n_jobs(n_jobs)
        return max(2, threads)


@contextmanager
def backend(address: str, jobs: int, seconds: float) -> Iterator[DaskBackend]:
    """Yield a backend whose scheduler is at ``address``."""
    with ExitStack() as stack:
        if address == LOCAL:
            address = stack.enter_context(_local_cluster(jobs)).scheduler_address
        client = stack.enter_context(_client(address, seconds))
        _wait_for_a_worker(client, address, seconds)
        _check_workers(client)
        with _explained():
            yield DaskBackend(client=client)


@contextmanager
def _explained() -> Iterator[None]:
    """Raise what Dask says when batches fail, and not the trials in them, as a `WorkerError`."""
    try:
        yield
    except (KilledWorker, CancelledError) as error:
        raise WorkerError(f"the Dask cluster could not finish a batch: {error}") from error
    except RuntimeError as error:
        if not isinstance(error.__cause__, ModuleNotFoundError):
            raise
        raise WorkerError(f"{INSTALLED}; the scheduler says: {error.__cause__}") from error


def _local_cluster(jobs: int) -> Any:
    return LocalCluster(
        n_workers=cpu_count() if jobs == -1 else jobs,
        threads_per_worker=1,  # trials are Python, of which a process runs one thread at a time
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


def _client(address: str, seconds: float) -> Any:
    try:
        with ThreadPoolExecutor(1) as pool:  # this thread may have an event loop, as in notebooks
            pool.submit(asyncio.run, _knock(address, seconds)).result()
        return Client(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkerError(
            f"address must be that of a Dask scheduler which answers within {seconds:g} seconds, "
            f"such as tcp://127.0.0.1:8786; got {address!r} ({str(error) or 'no answer'})"
        ) from None


async def _knock(address: str, seconds: float) -> None:
    """Check that Dask answers there; a client would wait forever for some other service."""
    secrets = Security().get_connection_args("client")
    async with asyncio.timeout(seconds):
        comm = await connect(address, timeout=seconds, **secrets)
    await comm.close()


def _wait_for_a_worker(client: Any, address: str, seconds: float) -> None:
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError:
        raise WorkerError(
            f"the Dask scheduler at {address} must have a worker within {seconds:g} seconds; "
            f"got none (dask worker {address} starts one)"
        ) from None


def _check_workers(client: Any) -> None:
    """Ask each worker for its code; one without duelli would die of the first batch."""
    for worker, error in client.run(check_makers, makers(), on_error="return").items():
        if isinstance(error, WorkerError):
            raise error
        if error is not None:
            raise WorkerError(f"{INSTALLED}; the worker at {worker} says: {error}")
