"""--backend and --address: what is missing or wrong is said in one line, before any work."""

import sys
from contextlib import contextmanager
from functools import partial

import pytest

from duelli.cli import backends, main
from duelli.cli.backends import PACKAGES, Workers
from duelli.experiments.clusters import CLUSTERS, connected

COMMANDS = (
    "compare sharp --learners arc_race --horizons 100 --trials 2 --out {out}",
    "compare sharp --preset paper --learners arc_race --horizons 1e3 --trials 2 --out {out}",
    "reproduce --only sharp --trials 2 --horizon 1e3 --out {out}",
    "simulate sharp --horizon 100 --trials 2",
)


@pytest.fixture
def refused(monkeypatch, capsys, tmp_path):
    """Run a command line that must fail, and return the one line that it prints."""

    def refused(words):
        monkeypatch.setattr("sys.argv", ["duelli", *words.format(out=tmp_path / "out").split()])
        with pytest.raises(SystemExit) as leaving:
            main()
        printed = capsys.readouterr()
        assert leaving.value.code == 2
        assert printed.out == ""
        assert printed.err.startswith("duelli: ")
        assert printed.err.count("\n") == 1
        return printed.err

    return refused


@pytest.fixture
def installed(monkeypatch):
    """Have every package of a cluster pass for installed."""
    monkeypatch.setattr(backends, "need", lambda *_: None)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--backend dask", "--backend dask needs --address"),
        ("--backend ray", "--address local starts one on this machine"),
        ("--address tcp://127.0.0.1:1", "--address needs --backend dask or ray; got 'tcp://127"),
        ("--address local", "--address needs --backend dask or ray; got 'local' alone"),
        ("--backend dusk --address local", "backend must be one of dask, loky, ray; got 'dusk'"),
        ("--backend dusk --address local", "did you mean 'dask'?"),
        ("--backend dask --address tcp://127.0.0.1:1 --jobs 2", "--jobs must be left out"),
        ("--backend dask --address local --jobs 0", "jobs must be a whole number of at least 1"),
    ],
)
@pytest.mark.usefixtures("installed")
def test_options_that_do_not_fit_are_refused(command, options, message, refused):
    assert message in refused(f"{command} {options}")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("backend", "extra"), [("dask", "cluster"), ("ray", "ray")])
def test_a_backend_that_is_not_installed_is_named(command, backend, extra, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGES[backend], None)
    message = refused(f"{command} --backend {backend} --address local")
    package = PACKAGES[backend]
    assert message == f"duelli: this needs the package {package}: pip install 'duelli[{extra}]'\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_cluster_that_is_not_reachable_is_named(command, refused, monkeypatch):
    pytest.importorskip("distributed", reason="needs Dask: pip install 'duelli[cluster]'")
    monkeypatch.setattr(backends, "connected", partial(connected, seconds=0.2))
    message = refused(f"{command} --backend dask --address tcp://127.0.0.1:1")
    assert "answers within 0.2 seconds" in message
    assert "got 'tcp://127.0.0.1:1'" in message


@pytest.mark.usefixtures("installed")
def test_a_single_trial_does_not_go_to_a_cluster(refused):
    words = "simulate sharp --horizon 100 --backend ray --address local"
    assert "--backend ray needs --trials of at least 2; got 1" in refused(words)


def test_every_cluster_has_a_package():
    assert set(PACKAGES) == set(CLUSTERS)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("installed")
def test_every_command_runs_its_trials_on_the_cluster(command, tmp_path, monkeypatch, capsys):
    entered = []

    @contextmanager
    def watched(*where, **how):
        entered.append((where, how))
        print("Ray says something")
        yield

    monkeypatch.setattr(backends, "connected", watched)
    options = "--backend dask --address local --jobs 2"
    words = f"{command} {options}".format(out=tmp_path / "out").split()
    monkeypatch.setattr("sys.argv", ["duelli", *words])
    main()
    assert entered == [(("dask", "local"), {"jobs": 2})]
    printed = capsys.readouterr()
    assert "Ray says something" not in printed.out
    assert "Ray says something" in printed.err


@pytest.mark.usefixtures("installed")
def test_no_cluster_is_needed_where_nothing_is_left_to_run(tmp_path, monkeypatch, capsys):
    words = COMMANDS[0].format(out=tmp_path / "out").split()
    monkeypatch.setattr("sys.argv", ["duelli", *words, "--jobs", "1"])
    main()
    first = capsys.readouterr().out
    monkeypatch.setattr(backends, "connected", lambda *_, **__: 1 / 0)
    more = ["--backend", "dask", "--address", "tcp://127.0.0.1:1"]
    monkeypatch.setattr("sys.argv", ["duelli", *words, *more])
    main()
    assert capsys.readouterr().out == first


def test_the_jobs_of_this_machine_are_not_those_of_a_cluster():
    assert Workers(3).processes == 3
    assert Workers(3, "dask", "local").processes == -1
