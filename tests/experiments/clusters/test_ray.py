"""Ray: what a cluster returns is what one machine does, whoever dies."""

import json
import os
import secrets
import signal
import socket
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from threading import Thread

import pytest
from cluster_processes import COMPARE, RESULTS, files, interrupted, processes, wait_until
from logged_batches import batches, die, fail, one_kind, read

from duelli.errors import WorkerError
from duelli.experiments.batches import run_in_batches
from duelli.experiments.clusters import connected
from duelli.experiments.clusters.ray import PRIVATE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: pip install 'duelli[ray]'"),
]


@pytest.fixture(scope="module", autouse=True)
def private_ray():
    """Keep Ray on the loopback interface, with a token of this test's own."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in PRIVATE.items():
            patch.setenv(name, value)
        patch.setenv("RAY_worker_niceness", "0")  # Ray's is 15: other tests would go before
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(16))
        yield


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A head node with two cores."""
    folder = tmp_path_factory.mktemp("ray")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = f"start --head --block --port {port} --num-cpus 2 --node-ip-address 127.0.0.1"
    words += " --include-dashboard=false --disable-usage-stats --object-store-memory 100000000"
    with processes(folder) as start:
        start("-c", "from ray.scripts.scripts import main; main()", *words.split())
        wait_until(lambda: "Ray runtime started" in (folder / "process-0.log").read_text(), 200)
        yield f"127.0.0.1:{port}"


@pytest.fixture
def start(tmp_path):
    """A function that starts processes."""
    with processes(tmp_path) as start:
        yield start


def run(work, tasks):
    return list(run_in_batches(work, tasks, kind=one_kind))


def test_a_killed_worker_costs_its_unfinished_batch_and_nothing_else(
    address, make_sweep, on_one_machine, deadly_log
):
    made = make_sweep("ray")
    with connected("ray", address):
        for _ in made.run(made.pending()):
            pass
    assert files(made.store.folder) == on_one_machine  # to the last byte
    begun, ended = batches(deadly_log, "begun"), batches(deadly_log, "ended")
    assert len(begun) == len(ended) + 1
    finished = [tuple(trial) for batch in ended for trial in batch]
    assert len(finished) == len(set(finished)) == len(on_one_machine)


@pytest.mark.parametrize(
    ("first", "number", "second"),
    [("loky", signal.SIGKILL, "ray"), ("ray", signal.SIGINT, "loky")],
)
def test_a_sweep_goes_on_with_another_backend_and_gives_the_same_table(
    first, number, second, address, start, tmp_path, printed_by, log
):
    more = {"ray": ["--backend", "ray", "--address", address], "loky": ["--jobs", "2"]}
    disturbed, undisturbed = tmp_path / "disturbed", tmp_path / "undisturbed"
    # The last line is the path of the figure.
    table = printed_by(*COMPARE, "--jobs", "1", "--out", undisturbed)[:-1]
    assert not log.exists()  # no worker has run anything yet
    assert interrupted(start, disturbed, [*COMPARE, *more[first]], number) != 0
    kept = files(disturbed)
    assert 10 <= len(kept) < 200
    assert printed_by(*COMPARE, *more[second], "--out", disturbed)[:-1] == table
    ran = {(digest, trial) for batch in batches(log, "ended") for digest, trial in batch}
    missing = files(undisturbed).keys() - kept.keys()
    assert ran == {(path.parent.name, int(path.stem)) for path in missing}
    assert {line["parent"] == os.getpid() for line in read(log)} == {second == "loky"}
    assert files(disturbed) == files(undisturbed)  # to the last byte
    assert (disturbed / RESULTS).read_bytes() == (undisturbed / RESULTS).read_bytes()


def test_a_batch_that_kills_its_workers_is_given_up(address, monkeypatch):
    monkeypatch.setattr("duelli.experiments.clusters.ray.RETRIES", 0)
    with (
        pytest.raises(WorkerError, match="the Ray cluster could not finish a batch: "),
        connected("ray", address),
    ):
        run(die, range(3))


def test_an_error_of_a_trial_is_raised_as_it_is(address):
    with pytest.raises(ValueError, match=r"^no 0$"), connected("ray", address):
        run(fail, [0])


def test_a_local_cluster_prints_nothing_beside_the_results(printed_by):
    words = ["simulate", "sharp", "--horizon", "1e5", "--trials", "20", "--json"]
    on_ray = ["--backend", "ray", "--address", "local", "--jobs", "2"]
    here, there = (
        json.loads("".join(printed_by(*words, *more)))["trials"]
        for more in (["--jobs", "1"], on_ray)
    )
    assert here == there


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:{free}", "Connection refused"),
        ("127.0.0.1:{taken}", "timed out"),
        ("nonsense", "it is not HOST:PORT"),
        ("ray://127.0.0.1:{taken}", "it is not HOST:PORT"),
    ],
)
def test_an_address_where_no_ray_answers_is_refused(address, reason, ports):
    started = time.monotonic()
    with (
        pytest.raises(WorkerError, match=rf"which answers within 0.5 seconds; .*\(.*{reason}"),
        connected("ray", address.format(**ports), seconds=0.5),
    ):
        pass
    assert time.monotonic() - started < 10


def test_a_service_that_is_not_ray_is_refused():
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        with (
            pytest.raises(WorkerError, match="some other service answers there"),
            connected("ray", f"127.0.0.1:{server.server_port}", seconds=5),
        ):
            pass
        thread.join()
