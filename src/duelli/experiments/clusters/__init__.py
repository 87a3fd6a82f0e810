"""Clusters: the trials of a sweep run on many machines, with Dask or with Ray.

Each is a backend of joblib, which `duelli.experiments.batches` hands its batches to. Results are
the same as on one machine, and so are the files that the calling process keeps them in.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from duelli import _check

CONNECT_SECONDS = 10.0
LOCAL = "local"  # instead of an address: a cluster on this machine, for as long as the block takes

Backend = Any  # one of joblib, which has no types


def _dask(address: str, jobs: int, seconds: float) -> AbstractContextManager[Backend]:
    from duelli.experiments.clusters import dask

    return dask.backend(address, jobs, seconds)


def _ray(address: str, jobs: int, seconds: float) -> AbstractContextManager[Backend]:
    from duelli.experiments.clusters import ray

    return ray.backend(address, jobs, seconds)


CLUSTERS: dict[str, Callable[[str, int, float], AbstractContextManager[Backend]]] = {
    "dask": _dask,
    "ray": _ray,
}


@contextmanager
def connected(
    name: str, address: str, *, jobs: int = -1, seconds: float = CONNECT_SECONDS
) -> Iterator[None]:
    """Run the trials that are asked for inside the ``with`` block on a cluster.

    The functions that run trials must not be told ``jobs=1``, which means this process.

    Args:
        name: "dask" or "ray".
        address: Where the cluster is: of the scheduler ("tcp://127.0.0.1:8786") or of the head
            node ("127.0.0.1:6379", or "auto" on a machine that belongs to the cluster). "local"
            starts a cluster on this machine, and ends it with the block.
        jobs: Processes of a local cluster; -1 for all cores.
        seconds: How long to wait for the cluster, and then for its first worker.

    Raises:
        WorkerError: There is no such cluster, it has no workers, or it cannot finish a batch.
    """
    from joblib import parallel_config

    connect = _check.registered("backend", name, CLUSTERS)
    with connect(address, jobs, seconds) as backend, parallel_config(backend=backend):
        yield
