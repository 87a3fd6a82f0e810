"""The command line as a user meets it: its output, its errors, its exit code."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest
from click.testing import CliRunner

from duelli import LANDSCAPES, LEARNERS, LINKS, SCALARS
from duelli.cli import cli, main
from duelli.cli.simulate import SIMULATED_LEARNER
from duelli.engines import ENGINES
from duelli.landscapes import PROBLEMS
from duelli.learners import DEFAULT_LEARNER

ROUND_ENDS = [686, 7884, 106922, 1625992, 25667685]


@dataclass
class Ended:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command line in this process, as the installed script does."""

    def run(*words):
        monkeypatch.setattr("sys.argv", ["duelli", *words])
        code = 0
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code
        return Ended(code, *capsys.readouterr())

    return run


def run_process(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from duelli.cli import main; main()", *words]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **env}, check=False
    )


def printed(*words: str) -> dict:
    result = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert result.exit_code == 0
    return json.loads(result.output)


def test_main_setting_shows_the_papers_schedule_and_regret():
    words = "simulate two_cones --learner arc_duelli --set start=0.9,0.9 --set zooming_dim=0"
    report = printed(*words.split(), *["--horizon", "1e8", "--trials", "50", "--json"])
    trials = report["trials"]
    assert len(trials) == 50
    for trial in trials:
        assert [row["duels"] for row in trial["rounds"]] == ROUND_ENDS
        assert trial["rounds_done"] == 5
        assert sum(row["eliminated"] for row in trial["rounds"]) == 0
    regrets = [trial["cumulative_regret"] for trial in trials]
    mean = math.fsum(regrets) / 50
    error = math.sqrt(math.fsum((r - mean) ** 2 for r in regrets) / 49 / 50)
    assert abs(mean - 4.89e6) < 3 * error


def test_json_has_the_promised_keys():
    report = printed("simulate", "sharp", "--horizon", "1e4", "--json")
    assert {
        "landscape",
        "link",
        "learner",
        "horizon",
        "engine",
        "seed",
        "seconds",
        "trials",
    } <= set(report)
    trial = report["trials"][0]
    promised = "seed cumulative_regret weak_regret duels_explored rounds_done best_arm final_gap"
    assert {*promised.split(), "state_bytes", "rounds"} <= set(trial)


def test_result_does_not_depend_on_the_number_of_processes():
    words = ["simulate", "flat", "--horizon", "1e6", "--trials", "4", "--json", "--jobs"]
    assert printed(*words, "1")["trials"] == printed(*words, "2")["trials"]


def test_result_does_not_depend_on_the_hash_seed():
    words = ["simulate", "ridge", "--horizon", "1e6", "--learner", "arc_duelli", "--json"]
    words += ["--set", "order=random"]
    first, second = (run_process(*words, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert json.loads(first.stdout)["trials"] == json.loads(second.stdout)["trials"]


def test_a_printed_trial_seed_repeats_that_trial():
    from duelli import ArcDuelli, DuelModel, simulate

    words = ["simulate", "sharp", "--learner", "arc_duelli", "--horizon", "1e6", "--trials", "3"]
    trial = printed(*words, "--json")["trials"][2]
    model = DuelModel("sharp")
    learner = ArcDuelli(
        dim=2,
        horizon=10**6,
        slope_max=model.link.slope_max,
        lipschitz=model.landscape.lipschitz,
        seed=trial["seed"],
    )
    trace = simulate(learner, model, seed=trial["seed"])
    assert trace.cumulative_regret == trial["cumulative_regret"]


def test_summary_names_the_setting_and_the_regret(run):
    result = run("simulate", "sharp", "--horizon", "1e5", "--trials", "2", "--jobs", "1")
    assert result.returncode == 0
    assert result.stdout.startswith(f"{SIMULATED_LEARNER} on sharp, logistic link, 100,000 duels")
    assert "regret" in result.stdout
    assert result.stderr == ""  # no progress bar off a terminal


def test_scaled_box_reports_the_best_point_in_its_own_units():
    trial = printed("simulate", "two_cones_scaled", "--horizon", "1e7", "--json")["trials"][0]
    assert trial["best_point"] == pytest.approx([10 * entry for entry in trial["best_arm"]])


def test_plan_says_what_the_default_learner_makes_of_a_budget(run):
    result = run("plan", "--dim", "2", "--horizon", "1e3")
    assert result.returncode == 0
    assert result.stdout.startswith(f"{DEFAULT_LEARNER}, 2 parameters, 1,000 duels")
    assert "200 duels" in result.stdout
    assert "Nothing is proven" in result.stdout


def test_plan_says_that_a_thousand_duels_of_the_papers_learner_buy_a_random_point(run):
    result = run("plan", "--dim", "2", "--horizon", "1e3", "--learner", "arc_duelli")
    assert "a random point" in result.stdout


def test_plan_prints_json():
    plan = printed("plan", "--dim", "2", "--horizon", "1e8", "--learner", "arc_duelli", "--json")
    assert plan["rounds"] == 5
    assert plan["duels_per_round"][-1] == 24041693


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help_is_wrapped_and_names_every_command(run, words):
    result = run(*words)
    assert result.returncode == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert all(f"\n  {name} " in result.stdout for name in cli.commands)


@pytest.mark.parametrize("seed", ["9007199254740993", "1e8", "0", "12_345"])
def test_whole_numbers_stay_exact(seed):
    report = printed("simulate", "sharp", "--horizon", "1e3", "--seed", seed, "--json")
    assert report["seed"] == (10**8 if seed == "1e8" else int(seed))


def test_a_learner_may_be_kept_from_knowing_the_horizon():
    words = ["simulate", "sharp", "--learner", "arc_race", "--set", "horizon=none"]
    assert printed(*words, "--horizon", "1e3", "--json")["settings"] == {"horizon": None}


def test_an_input_may_be_true_or_false():
    words = ["simulate", "sharp", "--learner", "double_thompson_sampling", "--set", "plus=true"]
    assert printed(*words, "--horizon", "50", "--json")["settings"] == {"plus": True}


@pytest.mark.parametrize("package", ["pyarrow", "matplotlib"])
@pytest.mark.parametrize("words", ["compare sharp --learners arc_race", "reproduce --only main"])
def test_a_command_that_lacks_an_extra_names_it(run, monkeypatch, tmp_path, words, package):
    monkeypatch.setitem(sys.modules, package, None)
    result = run(*words.split(), "--out", str(tmp_path / "out"))
    assert result.returncode == 2
    assert (
        result.stderr == f"duelli: this needs the package {package}: pip install 'duelli[report]'\n"
    )
    assert not (tmp_path / "out").exists()


def test_every_extra_that_is_named_exists():
    from importlib.metadata import metadata

    from duelli.cli.extras import EXTRAS

    offered = set(metadata("duelli").get_all("Provides-Extra")) | {"fast"}
    assert set(EXTRAS.values()) <= offered


CORE_ONLY = """
import sys
for name in "numba matplotlib pyarrow starlette pydantic uvicorn psycopg dask pytest scipy".split():
    sys.modules[name] = None
import duelli
from duelli.cli import main
duelli.optimize(lambda x, y: x["a"] > y["a"], {"a": (0, 1)}, horizon=20)
try:
    import duelli.testing
except ImportError as error:
    assert "pip install 'duelli[dev]'" in str(error), error
else:
    raise AssertionError("duelli.testing needs pytest")
for words in ("plan --dim 2 --horizon 100", "simulate sharp --horizon 1e3", "list experiments"):
    sys.argv = ["duelli", *words.split()]
    main()
"""


def test_an_install_without_extras_optimizes_plans_simulates_and_lists():
    done = subprocess.run(
        [sys.executable, "-c", CORE_ONLY], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("kind", "registry"),
    [
        ("links", LINKS),
        ("landscapes", LANDSCAPES),
        ("problems", PROBLEMS),
        ("learners", LEARNERS),
        ("scalars", SCALARS),
        ("engines", ENGINES),
    ],
)
def test_list_names_every_entry_of_the_registry(kind, registry):
    assert set(printed("list", kind, "--json")) == set(registry)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("simulate nowhere", "landscape must be one of"),
        ("simulate sharp --link bt", "link must be one of"),
        ("simulate sharp --link logistic:x", "link steepness must be a number above 0; got 'x'"),
        ("simulate sharp --learner best", "learner must be one of"),
        ("simulate sharp --engine callback", "engine must be one of collapsed, per_duel"),
        ("simulate sharp --horizon 1.5", "horizon must be a whole number; got '1.5'"),
        ("simulate sharp --horizon 0", "horizon must be a whole number of at least 1; got 0"),
        ("simulate sharp --trials 0", "trials must be a whole number of at least 1; got 0"),
        ("simulate sharp --set failure_prob=2", "failure_prob must lie in (0, 1); got 2"),
        ("simulate sharp --set start=0.9,1.9", "start must lie in [0, 1]^2; got (0.9, 1.9)"),
        ("simulate sharp --horizon 1e999", "horizon must be a whole number; got '1e999'"),
        ("simulate sharp --horizon nan", "horizon must be a whole number; got 'nan'"),
        ("simulate sharp --horizon -1", "horizon must be a whole number of at least 0; got '-1'"),
        ("simulate sharp --set horizon=5 --horizon 1e3", "has its own option, --horizon"),
        ("simulate sharp --set seed=5", "has its own option, --seed"),
        ("simulate sharp --learner arc_rase", "did you mean 'arc_race'?"),
        ("simulate sharp --set colour=red", f"the inputs of {SIMULATED_LEARNER} may hold"),
        ("simulate sharp --set start", "--set must be KEY=VALUE; got 'start'"),
        ("simulate sharp --flag", "No such option"),
        ("plan --dim 0 --horizon 10", "dim must be a whole number of at least 1; got 0"),
        ("plan --dim 101 --horizon 10", "dim must be a whole number of at most 100; got 101"),
        ("plan --dim 2 --horizon 1e30", "horizon must be a whole number of at most"),
        ("plan --dim 2 --horizon 10 --lipschitz 1e200", "lipschitz must lie in [1e-06, 1e+06]"),
        ("plan --dim 2 --horizon 10 --lipschitz 1e-200", "lipschitz must lie in [1e-06, 1e+06]"),
        ("plan --dim 2 --horizon 10 --link logistic:1e308", "steepness must lie in"),
        ("list birds", "kind must be one of"),
        ("simulate bumpi/2", "problem must be one of"),
        ("simulate bumpi/2", "got 'bumpi/2'; did you mean 'bumpy/2'?"),
        ("simulate bumpy/2 --clarity fogg", "got 'fogg'; did you mean 'fog'?"),
        ("simulate bumpy/2 --link bt", "link must be one of"),
        ("simulate bumpy/2 --copies", "copies must be False for a practice problem"),
        ("compare --learners=spsa ,", "landscape must be one of"),
        ("compare --learners spsa", "LANDSCAPES, --problems or --preset must be given"),
        ("compare --preset papr", "preset must be one of paper, practice; got 'papr'"),
        ("compare --preset papr", "did you mean 'paper'?"),
        ("compare shrp --preset papr", "got 'shrp'; did you mean 'sharp'?"),
        ("compare bumpy/2 --preset paper", "landscape of the preset paper must be one of"),
        ("compare two_cones_3d --preset paper", "must be one of flat, plateau, quadratic"),
        ("compare sharp --preset practice", "landscape of the preset practice must be one of"),
        ("compare --preset paper --problems small", "must not be given together"),
        ("compare --preset paper --learners arc_rase", "did you mean 'arc_race'?"),
        ("compare --preset paper --trials 0", "trials must be a whole number of at least 1; got 0"),
        ("compare --preset paper --horizons x", "horizons must be a whole number; got 'x'"),
        ("compare --preset paper --horizons 0", "horizon must be a whole number of at least 1"),
        ("compare --preset paper --link bt", "link must be one of"),
        ("compare --preset practice --clarity dim", "clarity must be one of clear, fog, medium"),
        ("compare --preset paper --engine callback", "engine must be one of collapsed, per_duel"),
        ("compare --preset paper --set nobody.x=1", "--set must be LEARNER.KEY=VALUE"),
        ("compare --preset paper --set arc_race.caution=-1", "caution must"),
        ("compare --preset paper --set arc_race.colour=1", "the inputs of arc_race may hold"),
        ("compare --problems smal", "problems must be one of small; got 'smal'"),
        ("compare --problems smal", "did you mean 'small'?"),
        ("compare bumpi/2 --learners spsa", "got 'bumpi/2'; did you mean 'bumpy/2'?"),
        ("compare shrp --learners spsa", "got 'shrp'; did you mean 'sharp'?"),
        ("compare shrp", "landscape must be one of"),
        ("compare sharp,shrp", "got 'shrp'; did you mean 'sharp'?"),
        ("compare bumpi/2,sharp", "problem must be one of"),
        ("compare sharp", "--learners must be given for these landscapes"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(run, words, message):
    result = run(*words.split())
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("duelli: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_interrupt_exits_130_and_shows_the_trials_that_were_finished():
    words = ["simulate", "sharp", "--horizon", "1e5", "--jobs", "1", "--trials", "1e6", "--json"]
    command = [sys.executable, "-c", "from duelli.cli import main; main()", *words]
    out, delay = "", 3.0
    while not out and delay < 60:  # a slow machine may not have finished any trial yet
        process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        delay *= 3
    assert process.returncode == 130
    assert err.strip() == "duelli: interrupted"
    assert 0 < len(json.loads(out)["trials"]) < 10**6


def test_copies_put_every_trial_on_its_own_landscape():
    words = ["simulate", "sharp", "--horizon", "1e6", "--learner", "arc_race", "--trials", "3"]
    trials = printed(*words, "--copies", "--jobs", "1", "--json")["trials"]
    assert all(trial["final_gap"] < 0.05 for trial in trials)
    assert len({tuple(round(x, 1) for x in trial["best_arm"]) for trial in trials}) > 1


def test_every_trial_of_a_practice_problem_has_an_instance_of_its_own():
    words = "simulate cone/2 --learner spsa --horizon 300 --trials 3 --clarity clear --jobs 1"
    report = printed(*words.split(), "--json")
    assert (report["landscape"], report["clarity"]) == ("cone/2", "clear")
    assert len({trial["middle_gap"] for trial in report["trials"]}) == 3
    assert report["trials"][0]["best_point"] == report["trials"][0]["best_arm"]


def test_summary_counts_eliminated_cubes_only_for_learners_that_scan_cubes(run):
    words = ["simulate", "sharp", "--horizon", "1e5", "--jobs", "1", "--learner"]
    assert "cubes eliminated" in run(*words, "arc_duelli").stdout
    assert "cubes eliminated" not in run(*words, "arc_race").stdout
