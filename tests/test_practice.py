"""benchmarks/practice.py: every row runs, judges have the faults they are named after."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from duelli.landscapes import CLARITIES, practice_problem

ROOT = Path(__file__).parents[1]
FAKE_RIVAL = """#!{python}
import json, sys
task = json.loads(sys.stdin.readline())
for t in range(task["budget"]):
    print(json.dumps([[0.1] * task["dim"], [0.9] * task["dim"]]), flush=True)
    won = float(sys.stdin.readline())
print(json.dumps([won] * task["dim"]), flush=True)
"""


@pytest.fixture
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    yield importlib.import_module
    for path in (ROOT / "benchmarks").glob("*.py"):
        sys.modules.pop(path.stem, None)


MIDDLE_FOUND = {
    "row": "middle",
    "contender": "middle",
    "clarity": "clear",
    "duels": 4,
    "geometric_mean": 0.1,
    "worst": 0.2,
}


@pytest.fixture
def practice(benchmarks, monkeypatch):
    practice = benchmarks("practice")
    small = {"LONG": 20, "WIDE": ("sparse/8",), "PLANE_DUELS": 8, "PEAKS_DUELS": 30}
    for name, value in small.items():
        monkeypatch.setattr(practice, name, value)
    monkeypatch.delenv("DUELLI_BOTORCH", raising=False)
    return practice


@pytest.fixture
def one(practice, tmp_path):
    problems = ("wavy/1", "cone/2")
    return practice.Practice(
        trials=1, jobs=1, out=tmp_path, problems=problems, budgets=(4, 8), duels=8
    )


@pytest.mark.slow
def test_every_row_is_written_into_the_docs_with_the_middle_beside_it(practice, one, monkeypatch):
    written = {}
    monkeypatch.setattr(practice, "write", lambda path, _, text: written.update({path: text}))
    found = list(practice.docs(one))
    assert json.loads(json.dumps(found)) == found
    text = written["docs/preference_model.md"]
    heads = [line for line in text.splitlines() if "clear, 4" in line]
    assert len(heads) == 4  # all problems, each group, and the worst
    assert text.count("| middle of the box ") == 4
    assert all(each["row"] in text for each in found if "contender" not in each)


def test_every_section_has_its_place_in_the_docs(practice, benchmarks):
    write = benchmarks("_write")
    text = (write.ROOT / "docs" / "preference_model.md").read_text(encoding="utf-8")
    for section in practice.SECTIONS:
        assert "new" in write.replace_between(text, f"benchmarks/practice.py {section}", "new")


def test_a_section_is_written_where_it_belongs(practice, one, monkeypatch):
    written = {}
    monkeypatch.setattr(practice, "write", lambda _, marker, text: written.update({marker: text}))
    monkeypatch.setattr(practice, "table", lambda _: iter([MIDDLE_FOUND]))
    list(practice.docs(one, ["pairs"], "judges"))
    (marker,) = written
    assert marker == "benchmarks/practice.py judges"
    assert "wavy/1, cone/2" in written[marker].splitlines()[0]


def test_ratios_have_what_is_required_beside_them(practice, one, monkeypatch):
    monkeypatch.setattr(practice, "REQUIRED", {("spsa", "clear"): {8: 1.15}})
    found = {each["row"]: each for each in practice.ratios(one)}
    each = found["preference_model / spsa, clear judge, 8 duels"]
    assert each["required"] == 1.15
    assert each["met"] == ("yes" if each["ratio"] <= 1.15 else "no")
    assert "required" not in found["preference_model / spsa, clear judge, 4 duels"]


@pytest.mark.parametrize(("horizon", "hands_over"), [(8, False), (10**6, False), (10**7, True)])
def test_auto_is_played_apart_only_where_it_becomes_arc_race(benchmarks, horizon, hands_over):
    assert benchmarks("_practice_scores")._hands_over(horizon) == hands_over


def test_auto_is_compared_with_the_better_of_its_two_parts(practice, one):
    for found in practice.handover(one):
        better = found["better"]
        assert found["ratio"] == (1 if better == practice.MODEL else found["over_arc_race"])
        assert (found["over_arc_race"] > 1) == (better == practice.RACE)
        assert found["met"] == ("yes" if found["ratio"] <= 1.1 else "no")


def test_finished_trials_are_kept(practice, one):
    before = list(practice.batch(one))
    files = {path: path.read_bytes() for path in one.out.iterdir()}
    assert list(practice.batch(one)) == before
    assert {path: path.read_bytes() for path in one.out.iterdir()} == files


def test_kept_trials_depend_on_all_modules_that_they_use(benchmarks):
    keep, trials = benchmarks("_keep"), benchmarks("_practice_trials")
    names = set(keep._sources(Path(trials.__file__)))
    parts = ("trials", "contenders", "eubo", "judges")
    assert {"botorch_rival.py", *(f"_practice_{part}.py" for part in parts)} <= names
    assert "practice.py" not in names


def test_contenders_whose_trials_outlive_a_new_model_do_not_use_the_model(benchmarks, monkeypatch):
    contenders, trials = benchmarks("_practice_contenders"), benchmarks("_practice_trials")
    package = ROOT / "src" / "duelli"
    files = [path for pattern in contenders.MODEL_FILES for path in package.glob(pattern)]
    assert len(files) > 10
    for path in files:
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        module = importlib.import_module(name.removesuffix(".__init__"))
        for key, value in vars(module).items():
            if getattr(value, "__module__", None) == module.__name__:
                monkeypatch.setattr(module, key, None)  # whoever uses it fails
    for contender in contenders.present(8):
        duel = ("cone/2", "clear", "plain", contender, {}, 8, 3)
        if contender in (contenders.BO, *contenders.ANYTIME):
            with pytest.raises(TypeError):
                trials.trial(*duel)
        else:
            assert trials.trial(*duel)["gap"] >= 0


@pytest.mark.parametrize("clarity", ["clear", "medium", "fog"])
@pytest.mark.parametrize("link", ["logistic", "probit"])
def test_judges_are_as_sure_as_they_should_be_under_any_link(benchmarks, clarity, link):
    judges = benchmarks("_practice_judges")
    problem = practice_problem("bumpy/2", 5, clarity)
    court = judges.Court(problem, clarity, judges.Judge(link=link))
    points = np.random.default_rng(2).random((2000, 2))
    drops = problem.best_utility - problem.utility(points)
    rate = court.link(court.steepness * drops).mean()
    assert rate == pytest.approx(CLARITIES[clarity], abs=0.01)
    assert court.gap(np.array(problem.best_arm)) == 0
    assert court.gap(points[0]) == pytest.approx(court.link(court.steepness * drops[0]) - 0.5)


def test_judges_have_their_faults(benchmarks):
    judges, problem = benchmarks("_practice_judges"), practice_problem("cone/2", 0, "clear")
    best = np.tile(problem.best_arm, (20_000, 1))
    for name, judge in judges.JUDGES.items():
        duel = judges.Court(problem, "clear", judge).duel(np.random.default_rng(1))
        outcomes = duel(best, best)
        assert outcomes.mean() == pytest.approx(0.5, abs=0.02)
        draws = 0.7 if "draws" in name else 0
        assert (outcomes == 0.5).mean() == pytest.approx(draws, abs=0.02)
    blunders = judges.Court(problem, "clear", judges.Judge(blunders=0.02))
    blunders.steepness = 1e6
    lost = 1 - blunders.duel(np.random.default_rng(1))(best, 1 - best)
    assert lost.mean() == pytest.approx(0.02, abs=0.01)


def test_contenders_play_no_more_duels_than_they_have(benchmarks, monkeypatch):
    monkeypatch.delenv("DUELLI_BOTORCH", raising=False)
    contenders = benchmarks("_practice_contenders")
    for name in contenders.present(50):
        fought = []

        def duel(left, right, fought=fought):
            fought.extend(left)
            return (left[:, 0] > right[:, 0]) * 1.0

        answer = contenders.CONTENDERS[name](2, 50, duel, np.random.default_rng(0)).point
        assert len(fought) == (0 if name == contenders.MIDDLE else pytest.approx(50, abs=10))
        assert len(fought) <= 50
        assert name == contenders.MIDDLE or answer[0] > 0.5


def test_botorch_is_asked_over_lines_of_json(benchmarks, monkeypatch, tmp_path):
    monkeypatch.delenv("DUELLI_BOTORCH", raising=False)
    contenders = benchmarks("_practice_contenders")
    fake = tmp_path / "python"
    fake.write_text(FAKE_RIVAL.format(python=sys.executable))
    fake.chmod(0o755)
    assert "BoTorch" not in contenders.present(50)
    monkeypatch.setenv("DUELLI_BOTORCH", str(fake))
    assert "BoTorch" in contenders.present(50)
    answer = contenders.botorch(2, 3, lambda x, y: (x < y)[:, 0] * 1.0, np.random.default_rng(0))
    assert answer.point.tolist() == [1.0, 1.0]


def test_a_claim_holds_if_the_gap_is_no_larger(practice):
    found = [{"gap": 0.1, "claim": 0.2}, {"gap": 0.2, "claim": 0.2}, {"gap": 0.3, "claim": 0.2}]
    assert practice.held(found) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("name", "claims"), [("preference_model", True), ("spsa", False)])
def test_only_the_model_claims_a_gap(benchmarks, name, claims):
    found = benchmarks("_practice_trials").trial("cone/2", "clear", "plain", name, {}, 12, 3)
    assert (found["claim"] is not None) == claims
