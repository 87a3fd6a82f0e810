"""Imports go one way, and nothing grows beyond what can be read at a glance."""

import ast
import re
from pathlib import Path

import pytest

import duelli

ROOT = Path(duelli.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
ROOT_NAME = "duelli"  # the package itself: whoever imports it imports all that it offers

# A module may import those of a lower rank only; of the same rank, none but its own package. The
# tens are the layers: words and checks, geometry, what learners and engines share, both of them,
# runs, what is kept of runs, pictures of it, what is built of all that, and the command line.
RANK = {
    "errors": 0,
    "_arrays": 0,
    "_check": 0,
    "_files": 0,
    "_rng": 1,
    "cubes": 10,
    "parameters": 10,
    "links": 11,
    "boxes": 11,
    "landscapes": 12,
    "answers": 20,
    "beliefs": 20,
    "bias": 20,
    "blocks": 21,
    "duels": 21,
    "serving": 22,
    "judges": 23,
    "engines": 30,
    "learners": 30,
    "driver": 40,
    "history": 40,
    "pairs": 40,
    "saved": 40,
    "restoring": 41,
    "runs": 42,
    "watching": 43,
    "loops": 44,
    "live": 50,
    "record": 50,
    "report": 60,
    "api": 70,
    "theory": 70,
    "planning": 71,
    "testing": 72,
    "experiments": 73,
    "cli": 80,
    "__main__": 81,
    ROOT_NAME: 90,
}
TRUTH = {"duels", "engines", "landscapes"}
# What a module must not know although it ranks lower: a learner never sees the truth, a run never
# knows whether its judge is simulated, and a picture shows what was kept and nothing else.
DENIED = {
    "learners": {"boxes", "duels", "judges", "landscapes", "links"},
    "driver": set(RANK) - {"blocks"},
    "history": TRUTH | {"learners", "links"},
    "pairs": TRUTH | {"learners", "links"},
    "saved": TRUTH | {"learners", "links", "boxes"},
    "runs": TRUTH,
    "watching": TRUTH | {"learners"},
    "loops": TRUTH | {"learners"},
    "record": {"driver", "engines", "landscapes", "learners", "links"},
    "restoring": TRUTH,
    "experiments": {"testing"},
    "live": TRUTH,
    "report": set(RANK)
    - {"_arrays", "_check", "_files", "answers", "beliefs", "boxes", "cubes", "errors"}
    - {"history", "record"},
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
    is_module = (ROOT / first).is_dir() or (ROOT / f"{first}.py").exists()
    return first if first and (first in RANK or is_module) else ROOT_NAME


def imports(path):
    """Return what a file imports of duelli, wherever in the file it does so."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(below_the_root(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "duelli":
            names.update(below_the_root(f"duelli.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(below_the_root(node.module or "duelli"))
    return names - {None, top_level(path)}


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


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_nobody_imports_from_the_root(path):
    # The root offers everything, so that an import from it would pass by all other rules.
    assert path == ROOT / "__init__.py" or ROOT_NAME not in imports(path)


def test_the_denied_are_modules_with_a_rank():
    assert {name for names in DENIED.values() for name in names} | set(DENIED) <= set(RANK)


@pytest.mark.parametrize(
    ("name", "text", "broken"),
    [
        ("learners", "from duelli.links import Link", "denied"),
        ("runs", "from duelli.engines import ENGINES", "denied"),
        ("report", "from duelli.landscapes import LANDSCAPES", "denied"),
        ("report", "from duelli import LANDSCAPES", "root"),
        ("cli", "import duelli", "root"),
        ("engines", "from duelli.learners import LEARNERS", "layer"),
        ("learners", "from duelli.boxes import Box", "denied"),
        ("record", "from duelli.learners.arc import ArcDuelli", "denied"),
        ("boxes", "from duelli import cubes", None),
    ],
)
def test_a_forbidden_import_is_seen(name, text, broken, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    names = imports(path)
    rules = {
        "root": ROOT_NAME in names,
        "denied": bool(names & DENIED.get(name, set()) - {ROOT_NAME}),
        "layer": any(RANK[other] >= RANK[name] for other in names - {ROOT_NAME}),
    }
    assert [rule for rule, is_broken in rules.items() if is_broken] == ([broken] if broken else [])


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
