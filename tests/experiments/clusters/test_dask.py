"""Dask: what a cluster of separate processes returns is what one machine does, whoever dies."""

import json
import signal
import time

import pytest
from cluster_processes import COMPARE, RESULTS, files, interrupted, processes, wait_until
from logged_batches import batches, die, nap, one_kind, process_of, read

from duelli.errors import WorkerError
from duelli.experiments.batches import run_in_batches
from duelli.experiments.clusters import connected

pytest.importorskip("distributed", reason="needs Dask: pip install 'duelli[cluster]'")


class Cluster:
    """A scheduler and its workers, each of them a process on the loopback interface."""

    def __init__(self, start, folder, before=""):
        self.start, self._file = start, folder / "scheduler.json"
        self.scheduler = start(
            *("-c", f"{before}from distributed.cli.dask_scheduler import main; main()"),
            *("--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"),
            *("--scheduler-file", self._file),
        )
        wait_until(self._file.exists)
        self.address = wait_until(self._address)

    def _address(self):
        text = self._file.read_text()
        return json.loads(text)["address"] if text else None

    def add_worker(self, before=""):
        """Start a worker of one thread, which nobody starts again once it is dead."""
        code = f"{before}from distributed.cli.dask_worker import main; main()"
        words = ["--scheduler-file", self._file, "--host", "127.0.0.1", "--nthreads", "1"]
        return self.start("-c", code, *words, "--no-nanny", "--dashboard-address", "127.0.0.1:0")


@pytest.fixture
def start_cluster(tmp_path):
    with processes(tmp_path) as start:
        yield lambda before="": Cluster(start, tmp_path, before)


@pytest.fixture
def cluster(start_cluster):
    """Three workers."""
    made = start_cluster()
    made.workers = [made.add_worker() for _ in range(3)]
    return made


def run(work, tasks):
    return list(run_in_batches(work, tasks, kind=one_kind))


@pytest.mark.slow
def test_a_killed_worker_costs_its_unfinished_batch_and_nothing_else(
    cluster, make_sweep, on_one_machine, deadly_log
):
    made = make_sweep("dask")
    with connected("dask", cluster.address):
        for _ in made.run(made.pending()):
            pass
    dead = wait_until(lambda: [w for w in cluster.workers if w.poll() == -signal.SIGKILL])
    assert len(dead) == 1
    assert files(made.store.folder) == on_one_machine  # to the last byte
    begun, ended = batches(deadly_log, "begun"), batches(deadly_log, "ended")
    assert len(begun) == len(ended) + 1
    finished = [tuple(trial) for batch in ended for trial in batch]
    assert len(finished) == len(set(finished)) == len(on_one_machine)


@pytest.mark.slow
def test_a_sweep_goes_on_with_another_backend_and_gives_the_same_table(
    cluster, tmp_path, printed_by
):
    disturbed, undisturbed = tmp_path / "disturbed", tmp_path / "undisturbed"
    on_dask = ["--backend", "dask", "--address", cluster.address]
    for more, number in ((["--jobs", "2"], signal.SIGKILL), (on_dask, signal.SIGINT)):
        before = len(files(disturbed))
        assert interrupted(cluster.start, disturbed, [*COMPARE, *more], number) != 0
        assert before < len(files(disturbed)) < 200
    # The last line is the path of the figure.
    table = printed_by(*COMPARE, *on_dask, "--out", disturbed)[:-1]
    assert table == printed_by(*COMPARE, "--jobs", "2", "--out", undisturbed)[:-1]
    assert files(disturbed) == files(undisturbed)
    assert (disturbed / RESULTS).read_bytes() == (undisturbed / RESULTS).read_bytes()


@pytest.mark.slow
def test_reproduced_rows_are_those_of_one_machine(cluster, tmp_path, printed_by, log):
    words = ["reproduce", "--only", "sharp,dim_3", "--trials", "4", "--horizon", "1e5", "--out"]
    here, there = tmp_path / "here", tmp_path / "there"
    printed_by(*words, here, "--jobs", "1")
    assert not log.exists()  # the cluster has run nothing yet
    printed_by(*words, there, "--backend", "dask", "--address", cluster.address)
    workers = {line["pid"] for line in read(log)}
    assert workers <= {worker.pid for worker in cluster.workers}
    ran = sorted(trial for batch in batches(log, "ended") for trial in batch)
    assert ran == sorted([path.parent.name, int(path.stem)] for path in files(here))
    assert files(there) == files(here)  # to the last byte
    assert (there / "claims.json").read_bytes() == (here / "claims.json").read_bytes()


@pytest.mark.slow
def test_simulated_trials_are_those_of_one_machine(cluster, printed_by):
    words = ["simulate", "sharp", "--horizon", "1e5", "--trials", "40", "--json"]
    on_dask = ["--backend", "dask", "--address", cluster.address]
    here, there = (
        json.loads("".join(printed_by(*words, *more)))["trials"]
        for more in (["--jobs", "1"], on_dask)
    )
    assert here == there


@pytest.mark.slow
def test_a_single_worker_does_the_work_that_it_is_given(start_cluster):
    cluster = start_cluster()
    worker = cluster.add_worker()
    with connected("dask", cluster.address, seconds=30):
        found = dict(run(process_of, range(5)))
    assert found == dict.fromkeys(range(5), worker.pid)


@pytest.mark.slow
def test_a_scheduler_that_dies_ends_the_sweep(start_cluster):
    cluster = start_cluster()
    cluster.add_worker()

    def kill_amid_batches():
        with connected("dask", cluster.address, seconds=30):
            for _ in run_in_batches(nap, range(400), kind=one_kind):
                cluster.scheduler.kill()

    with pytest.raises(
        WorkerError, match=r"the Dask cluster could not finish a batch: .*cancelled"
    ):
        kill_amid_batches()


@pytest.mark.slow
def test_a_batch_that_kills_its_workers_is_given_up():
    from dask import config

    with (
        config.set({"distributed.scheduler.allowed-failures": 0}),
        pytest.raises(WorkerError, match=r"could not finish a batch: .* died while running it"),
        connected("dask", "local", jobs=2),
    ):
        run(die, range(3))


@pytest.mark.slow
@pytest.mark.parametrize("lacking", ["scheduler", "worker"])
def test_a_cluster_without_duelli_is_refused(start_cluster, lacking):
    without = {lacking: "import sys; sys.modules['duelli'] = None; "}
    cluster = start_cluster(without.get("scheduler", ""))
    cluster.add_worker(without.get("worker", ""))
    rule = f"all workers of Dask must have duelli installed; the {lacking} .*duelli"
    with (
        pytest.raises(WorkerError, match=rule),
        connected("dask", cluster.address, seconds=30),
    ):
        run(nap, range(3))


@pytest.mark.slow
def test_a_scheduler_without_workers_is_refused(start_cluster):
    cluster = start_cluster()
    with (
        pytest.raises(WorkerError, match=f"at {cluster.address} must have a worker within 0.5"),
        connected("dask", cluster.address, seconds=0.5),
    ):
        pass


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("tcp://127.0.0.1:{free}", "no answer|Timed out"),
        ("tcp://127.0.0.1:{taken}", "no answer"),
        ("nonsense", "missing port number"),
        ("post://127.0.0.1:80", "unknown address scheme"),
    ],
)
def test_an_address_where_no_scheduler_answers_is_refused(address, reason, ports):
    started = time.monotonic()
    with (
        pytest.raises(WorkerError, match=rf"which answers within 0.5 seconds.* \(({reason})"),
        connected("dask", address.format(**ports), seconds=0.5),
    ):
        pass
    assert time.monotonic() - started < 10
