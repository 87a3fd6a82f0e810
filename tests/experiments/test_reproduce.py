"""`duelli reproduce` as a user meets it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from duelli import cli
from duelli.cli import extras
from duelli.experiments.reproduce import Reproduction, headline, truth_of
from duelli.experiments.spec import Narrowing
from duelli.landscapes import LANDSCAPES
from duelli.record.stats import Mean

CODE = "from duelli.cli import main; main()"


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", CODE, "reproduce", *words]


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `duelli` in this process, as `main` does, and return code, output and complaints."""

    def main(*words):
        monkeypatch.setattr(sys, "argv", ["duelli", *words])
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = end.code
        return (code, *capsys.readouterr())

    return main


@pytest.mark.slow
def test_the_pages_path_is_the_last_line_printed(run, tmp_path):
    words = ["--only", "sharp,dim_3", "--horizon", "1e5", "--trials", "2", "--jobs", "1"]
    code, out, err = run("reproduce", *words, "--out", str(tmp_path))
    assert code == 0, err
    page = Path(out.splitlines()[-1])
    assert page == tmp_path / "index.html"
    assert "The sharp landscape" in page.read_text()
    assert {path.stem for path in (tmp_path / "figures").glob("*.png")} == {
        "sharp-arms",
        "sharp-gap",
        "sharp-regret",
        "dim_3-gap",
    }


@pytest.mark.slow
def test_a_second_run_repeats_no_trial(run, tmp_path):
    words = ["--only", "dim_3", "--horizon", "1e4", "--trials", "2", "--out", str(tmp_path)]
    run("reproduce", *words, "--jobs", "1")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    _, _, err = run("reproduce", *words, "--jobs", "1")
    assert err.startswith("0 trials to run, 2 finished before")
    assert len(before) == 2
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}


@pytest.mark.slow
def test_the_claims_lie_beside_the_page(run, tmp_path):
    words = ["--only", "dim_3", "--horizon", "1e4", "--trials", "2", "--jobs", "1"]
    run("reproduce", *words, "--out", str(tmp_path))
    claims = json.loads((tmp_path / "claims.json").read_text())
    assert {claim["verdict"] for claim in claims} <= {
        "holds",
        "fails",
        "cannot be checked as printed",
    }
    keys = ["id", "where", "says", "measured", "verdict", "why"]
    assert all(list(claim) == keys for claim in claims)
    page = (tmp_path / "index.html").read_text()
    assert len(claims) == page.count('id="claim-') > 10


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--only", "nothing"], "experiment must be one of"),
        (["--engine", "warp"], "engine must be one of collapsed, per_duel; got 'warp'"),
        (["--horizon", "0"], "horizon must be a whole number of at least 1; got 0"),
        (["--trials", "0"], "trials must be a whole number of at least 1; got 0"),
        (["--trials", "some"], "trials must be a whole number"),
        (["--colour"], "No such option"),
    ],
)
def test_bad_usage_is_one_line_exit_2_and_writes_nothing(run, words, message, tmp_path):
    out = tmp_path / "out"
    code, _, err = run("reproduce", *words, "--out", str(out))
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert not out.exists()


def test_a_folder_that_cannot_be_made_is_one_line_and_exit_2(run, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = run("reproduce", "--only", "dim_3", "--out", str(tmp_path / "file" / "out"))
    assert code == 2
    assert err.startswith("duelli: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("missing", ["pyarrow", "matplotlib"])
@pytest.mark.parametrize(
    "words", [["reproduce"], ["compare", "sharp", "--learners", "arc_duelli,arc_race"]]
)
def test_without_the_extra_one_line_names_it(run, words, missing, monkeypatch, tmp_path):
    present = extras.find_spec
    monkeypatch.setattr(
        extras, "find_spec", lambda name: None if name == missing else present(name)
    )
    code, out, err = run(*words, "--out", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert err == f"duelli: this needs the package {missing}: pip install 'duelli[report]'\n"
    assert not (tmp_path / "out").exists()


def test_a_full_disk_is_one_line_exit_2_and_nothing_half_written(tmp_path):
    # A limit on the size of files is what a full disk looks like to whoever writes.
    words = ["--only", "dim_3", "--horizon", "1e4", "--trials", "2", "--jobs", "1"]
    limited = ["bash", "-c", 'ulimit -f 1; exec "$@"', "bash"]
    result = subprocess.run(
        [*limited, *command(*words, "--out", str(tmp_path))],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
    )
    assert result.returncode == 2
    assert "duelli: " in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert list(tmp_path.rglob("*.part")) == []
    assert list(tmp_path.rglob("*.parquet")) == []


def test_interrupt_keeps_what_is_finished_and_says_how_to_go_on(tmp_path):
    words = ["--only", "sharp", "--horizon", "1e7", "--trials", "200", "--jobs", "1"]
    process = subprocess.Popen(
        command(*words, "--out", str(tmp_path)), stderr=subprocess.PIPE, text=True
    )
    started = time.monotonic()
    while not list(tmp_path.rglob("*.parquet")) and time.monotonic() < started + 120:
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    kept = len(list(tmp_path.rglob("*.parquet")))
    assert process.returncode == 130
    assert f"{kept} of 400 trials are kept in {tmp_path}" in err
    assert "run the same command again to go on" in err
    assert kept > 0
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.slow
def test_playing_every_duel_agrees_with_the_collapsed_engine(tmp_path):
    regrets = {}
    for engine in ("collapsed", "per_duel"):
        narrowing = Narrowing(trials=30, horizon=10**6, engine=engine)
        sweep = Reproduction.of(only=("links",), narrowing=narrowing, out=tmp_path, jobs=1).sweep
        list(sweep.run(sweep.pending()))
        rows = sweep.results()["links"]["logistic"]
        regrets[engine] = Mean.of([row["cumulative_regret"] for row in rows])
    # Five standard errors: fails a correct build with probability below 1e-6.
    assert not regrets["collapsed"].below(regrets["per_duel"], 5)
    assert not regrets["per_duel"].below(regrets["collapsed"], 5)


def test_headline_of_a_part_says_that_it_is_one():
    assert headline({}).startswith("This page shows a part of the reproduction.")


def test_figures_are_given_the_utility_at_the_ticks_of_the_users_units():
    truth, landscape = truth_of("two_cones_scaled"), LANDSCAPES["two_cones_scaled"]
    assert [(axis[0], axis[-1]) for axis in truth.ticks] == [(0, 10), (0, 10)]
    i, j = 40, 120  # a quarter and three quarters of the way up
    assert truth.heights[i, j] == landscape.utility_at((0.25, 0.75))
    np.testing.assert_allclose([truth.ticks[0][i], truth.ticks[1][j]], [2.5, 7.5])
    assert (truth.best_arm, truth.zooming_dim) == (landscape.best_arm, landscape.zooming_dim)


def test_a_landscape_of_three_dimensions_has_no_heights():
    assert truth_of("two_cones_3d").heights is None
    assert truth_of("two_cones_3d").dim == 3
