"""The options that say where trials run: --jobs, --backend and --address."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from duelli import _check
from duelli.cli.extras import need
from duelli.experiments.clusters import CLUSTERS, LOCAL, connected

HERE = "loky"  # the processes of this machine, which joblib starts
PACKAGES = {"dask": "distributed", "ray": "ray"}


@dataclass(frozen=True, slots=True)
class Workers:
    """Where trials run.

    Args:
        jobs: The processes of this machine, or of a local cluster; -1 for all cores.
        backend: "loky", "dask" or "ray".
        address: Where the cluster is; None for "loky".
    """

    jobs: int = -1
    backend: str = HERE
    address: str | None = None

    def __post_init__(self) -> None:
        _check.one_of("backend", self.backend, (HERE, *CLUSTERS))
        if self.backend == HERE:
            if self.address is not None:
                raise click.UsageError(
                    f"--address needs --backend {' or '.join(CLUSTERS)}; got {self.address!r} alone"
                )
            return
        need(PACKAGES[self.backend])
        if not self.address:
            raise click.UsageError(
                f"--backend {self.backend} needs --address, that of the cluster; "
                f"--address {LOCAL} starts one on this machine"
            )
        if self.address != LOCAL and self.jobs != -1:
            raise click.UsageError(
                f"--jobs must be left out, since the cluster has its own workers; got {self.jobs}"
            )
        if self.jobs != -1:
            _check.whole("jobs", self.jobs, 1)

    @property
    def processes(self) -> int:
        """The ``jobs`` of whatever runs the trials; a cluster uses all that it has."""
        return self.jobs if self.address is None else -1

    def check_trials(self, trials: int) -> int:
        """Return ``trials``; a single one would not leave this process."""
        if self.address is not None and trials == 1:
            raise click.UsageError(f"--backend {self.backend} needs --trials of at least 2; got 1")
        return trials

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Have the trials inside the ``with`` block run there."""
        if self.address is None:
            yield
            return
        # Ray prints what it has to say of lost workers where the results of --json should stand.
        with redirect_stdout(sys.stderr), connected(self.backend, self.address, jobs=self.jobs):
            yield


def with_workers(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options, and hand it `Workers` as ``workers``."""

    @click.option("--jobs", type=int, default=-1, help="Processes; all cores by default.")
    @click.option(
        "--backend",
        default=HERE,
        show_default=True,
        help=f"Where trials run: {HERE} (this machine), {' or '.join(CLUSTERS)} (a cluster).",
    )
    @click.option("--address", help=f"That of the cluster; {LOCAL} starts one on this machine.")
    @wraps(command)
    def call(jobs: int, backend: str, address: str | None, **others: Any) -> None:
        command(workers=Workers(jobs, backend, address), **others)

    return call
