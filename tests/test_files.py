"""Files are written whole or not at all."""

import pytest

from duelli._files import atomic_path, atomic_write


def fail_halfway(path):
    with atomic_path(path) as part:
        part.write_text("half")
        raise OSError("disk full")


def test_the_file_has_its_name_only_once_it_is_written(tmp_path):
    path = tmp_path / "a.txt"
    with atomic_path(path) as part:
        part.write_text("all")
        assert not path.exists()
    assert path.read_text() == "all"


def test_nothing_else_is_left_in_the_folder(tmp_path):
    atomic_write(tmp_path / "a.txt", "all")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_failed_write_leaves_nothing_behind(tmp_path):
    with pytest.raises(OSError, match="disk full"):
        fail_halfway(tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_content(tmp_path):
    path = tmp_path / "a.txt"
    atomic_write(path, "old")
    with pytest.raises(OSError, match="disk full"):
        fail_halfway(path)
    assert path.read_text() == "old"


def test_missing_folders_are_made(tmp_path):
    atomic_write(tmp_path / "a" / "b" / "c.txt", "δ")
    assert (tmp_path / "a" / "b" / "c.txt").read_text(encoding="utf-8") == "δ"
