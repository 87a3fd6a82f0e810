"""Imports go one way, and nothing grows beyond what can be read at a glance."""

import ast
import re
from pathlib import Path

import pytest

import duelli

ROOT = Path(duelli.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
ROOT_NAME = "duelli"  # the package itself: whoever imports it imports all that it offers

# A module may import those of a lower rank only; of the same rank, none but its own package.
RANK = {
    "errors": 0,
    "_check": 0,
    "_files": 0,
    "_rng": 1,
    "cubes": 1,
    "boxes": 2,
    "links": 2,
    "landscapes": 3,
    "answers": 4,
    "blocks": 4,
    "duels": 4,
    "driver": 5,
    "engines": 5,
    "learners": 5,
    "record": 6,
    "theory": 6,
    "api": 7,
    "planning": 8,
    ROOT_NAME: 9,
    "testing": 10,
    "experiments": 11,
    "live": 11,
    "report": 12,
    "cli": 15,
}
# What a module must not know although it ranks lower: a learner never sees the truth.
DENIED = {
    "learners": {"boxes", "landscapes", "links", "duels"},
    "driver": set(RANK) - {"blocks"},
    "record": {"driver", "engines", "landscapes", "learners", "links"},
    "experiments": {ROOT_NAME, "testing"},
    "report": set(RANK) - {"_check", "_files", "cubes", "record"},
}


def top_level(path):
    """Return the name of the module or package right below the root that ``path`` belongs to."""
    first = path.relative_to(ROOT).parts[0].removesuffix(".py")
    return ROOT_NAME if first == "__init__" else first


def below_the_root(dotted):
    """Return which part of duelli a dotted name is of; None if it is of something else."""
    package, _, rest = dotted.partition(".")
    if package != "duelli":
        return None
    first = rest.split(".")[0]
    return first if first in RANK or (ROOT / first).is_dir() else ROOT_NAME


def imports(path):
    """Return what a file imports of duelli, wherever in the file it does so."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(below_the_root(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "duelli":
            found.update(below_the_root(f"duelli.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(below_the_root(node.module or "duelli"))
    return found - {None, top_level(path)}


def code_lines(function, source):
    """Return how many lines of a function are code: no blank, no comment, no docstring."""
    lines = source.splitlines()[function.lineno - 1 : function.end_lineno]
    code = sum(1 for line in lines if line.strip() and not line.strip().startswith("#"))
    if ast.get_docstring(function) is None:
        return code
    docstring = function.body[0]
    shown = source.splitlines()[docstring.lineno - 1 : docstring.end_lineno]
    return code - sum(1 for line in shown if line.strip())


def name_of(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_module_has_a_layer(path):
    assert top_level(path) in RANK, "say in RANK where the new module stands"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_come_from_lower_layers_only(path):
    name = top_level(path)
    higher = {other for other in imports(path) if RANK.get(other, 99) >= RANK[name]}
    assert not higher, f"{name} (layer {RANK[name]}) must not import {sorted(higher)}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_nobody_knows_what_is_not_theirs(path):
    name = top_level(path)
    known = imports(path) & DENIED.get(name, set())
    assert not known, f"{name} must not know {sorted(known)}"


def test_the_reader_of_imports_sees_every_form(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / "boxes.py"
    path.write_text(
        "import duelli.engines\n"
        "import numpy\n"
        "from duelli import links, Box\n"
        "from duelli.learners.arc import schedule\n"
        "def later():\n"
        "    from duelli.cubes import Arm\n"
    )
    assert imports(path) == {"engines", "links", ROOT_NAME, "learners", "cubes"}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_are_absolute(path):
    tree = ast.parse(path.read_text())
    levels = {node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert levels <= {0}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_function_has_more_than_40_lines_of_code(path):
    source = path.read_text()
    lengths = {
        node.name: code_lines(node, source)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: length for name, length in lengths.items() if length > 40} == {}


def test_the_counter_of_lines_counts_code_only():
    source = 'def f():\n    """One.\n\n    Two.\n    """\n    # three\n\n    return 4\n'
    assert code_lines(ast.parse(source).body[0], source) == 2


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_file_has_more_than_350_lines(path):
    assert len(path.read_text().splitlines()) <= 350


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_nothing_is_left_to_do(path):
    assert not re.findall(r"\b(TODO|FIXME|XXX)\b", path.read_text())


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_only_rng_makes_generators(path):
    made = re.findall(r"\b(default_rng|RandomState|Philox|PCG64|SeedSequence)\b", path.read_text())
    assert not made or path.name == "_rng.py"
