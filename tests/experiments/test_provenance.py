"""Provenance: trials are known by the code and the versions that made them."""

import shutil

import pytest

from duelli.errors import WorkerError
from duelli.experiments.provenance import ROOT, check_makers, fingerprint, makers, versions


def test_versions_leave_out_what_is_not_installed():
    assert list(versions("numpy", "no-such-package")) == ["numpy"]


@pytest.mark.parametrize(
    ("file", "stale"),
    [
        ("learners/arc/machine.py", True),
        ("learners/arc/observer.py", True),
        ("engines/collapsed.py", True),
        ("experiments/trials.py", True),
        ("record/trace.py", True),
        ("record/recorder.py", True),
        ("record/tables.py", True),
        ("links/base.py", True),
        ("runs/run.py", True),
        ("api/simulation.py", True),
        ("record/results.py", False),
        ("record/arena.py", False),
        ("record/ranking.py", False),
        ("experiments/compare.py", False),
        ("experiments/paper.py", False),
        ("report/page.py", False),
        ("cli/values.py", False),
        ("_files.py", False),
        ("theory.py", False),
        ("planning/plans.py", False),
    ],
)
def test_kept_trials_are_stale_once_the_code_that_makes_them_changes(file, stale, tmp_path):
    root = tmp_path / "duelli"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns("__pycache__"))
    before = fingerprint.__wrapped__(root)
    (root / file).write_text((root / file).read_text() + "\n# changed\n")
    assert (fingerprint.__wrapped__(root) != before) == stale


def test_kept_trials_are_stale_once_there_is_a_new_file(tmp_path):
    root = tmp_path / "duelli"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns("__pycache__"))
    before = fingerprint.__wrapped__(root)
    (root / "learners" / "new.py").write_text("")
    assert fingerprint.__wrapped__(root) != before


def test_a_process_of_the_same_code_may_make_the_trials():
    check_makers(makers())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"code": "1" * 64}, "duelli's code 111111111111"),
        ({"numpy": "1.26.0"}, "numpy 1.26.0"),
        ({"extra": "3.0"}, "extra 3.0"),
    ],
)
def test_a_process_of_other_code_or_versions_may_not(change, words):
    with pytest.raises(WorkerError, match="every worker must have the code and the versions") as e:
        check_makers(makers() | change)
    assert words in str(e.value)


def test_files_that_some_trials_do_not_use_may_change(tmp_path):
    for name in ("a.py", "part/b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    known = fingerprint(tmp_path, ("part/*.py",))
    (tmp_path / "part/b.py").write_text("2")
    fingerprint.cache_clear()
    assert fingerprint(tmp_path, ("part/*.py",)) == known
    assert fingerprint(tmp_path) != known
    (tmp_path / "a.py").write_text("2")
    fingerprint.cache_clear()
    assert fingerprint(tmp_path, ("part/*.py",)) != known
