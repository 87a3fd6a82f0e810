"""`duelli reproduce` as a user meets it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from duelli.experiments.run import collect
from duelli.experiments.spec import Narrowing
from duelli.record.stats import Mean
from duelli.reproduce import Job, headline

CODE = "from duelli.cli import main; main()"


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", CODE, "reproduce", *words]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, check=False)


def test_the_pages_path_is_the_last_line_printed(tmp_path):
    words = ["--only", "sharp,dim_3", "--horizon", "1e5", "--trials", "2", "--jobs", "1"]
    result = run(*words, "--out", str(tmp_path))
    assert result.returncode == 0, result.stderr
    page = Path(result.stdout.splitlines()[-1])
    assert page == tmp_path / "index.html"
    assert "Sharp" in page.read_text() or "sharp" in page.read_text()
    assert {path.stem for path in (tmp_path / "figures").glob("*.png")} == {
        "sharp-arms",
        "sharp-gap",
        "sharp-regret",
        "dim_3-gap",
    }


def test_a_second_run_repeats_no_trial(tmp_path):
    words = ["--only", "dim_3", "--horizon", "1e4", "--trials", "2", "--out", str(tmp_path)]
    run(*words)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    again = run(*words)
    assert again.stderr.startswith("0 trials to run, 2 finished before")
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}


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
def test_bad_usage_is_one_line_exit_2_and_writes_nothing(words, message, tmp_path):
    out = tmp_path / "out"
    result = run(*words, "--out", str(out))
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not out.exists()


def test_a_folder_that_cannot_be_made_is_one_line_and_exit_2(tmp_path):
    (tmp_path / "file").write_text("")
    result = run("--only", "dim_3", "--out", str(tmp_path / "file" / "out"))
    assert result.returncode == 2
    assert result.stderr.startswith("duelli: ")
    assert result.stderr.count("\n") == 1


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
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".part")]


@pytest.mark.slow
def test_playing_every_duel_agrees_with_the_collapsed_engine(tmp_path):
    regrets = {}
    for engine in ("collapsed", "per_duel"):
        narrowing = Narrowing(trials=30, horizon=10**6, engine=engine)
        job = Job.of(only=("links",), narrowing=narrowing, out=tmp_path, jobs=1)
        list(job.run(job.pending()))
        rows = collect(job.experiments, job.store)["links"]["logistic"]
        regrets[engine] = Mean.of([row["cumulative_regret"] for row in rows])
    # Five standard errors: fails a correct build with probability below 1e-6.
    assert not regrets["collapsed"].below(regrets["per_duel"], 5)
    assert not regrets["per_duel"].below(regrets["collapsed"], 5)


def test_headline_of_a_part_says_that_it_is_one():
    assert headline({}).startswith("This page shows a part of the reproduction.")
