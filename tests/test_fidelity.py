"""The code cites the paper, and each departure that it cites is written down."""

import ast
import re
from pathlib import Path

import pytest

import duelli

ROOT = Path(duelli.__file__).parent
FIDELITY = ROOT.parents[1] / "docs" / "fidelity.md"
CITED = {
    (str(path.relative_to(ROOT)), number)
    for path in ROOT.rglob("*.py")
    for number in re.findall(r"\bF\d+\b", path.read_text())
}
LEARNER_FILES = [
    path
    for path in sorted((ROOT / "learners").rglob("*.py"))
    if path.name == "__init__.py" or not path.name.startswith("_")
]


def written_down():
    return re.findall(r"^## (F\d+) ", FIDELITY.read_text(), re.MULTILINE)


def public_functions(path):
    """Yield each public function of a module and each public method of its public classes."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            inside = [(f"{node.name}.{inner.name}", inner) for inner in functions(node.body)]
        else:
            inside = [(inner.name, inner) for inner in functions([node])]
        yield from inside


def functions(nodes):
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [node for node in nodes if isinstance(node, kinds) and not node.name.startswith("_")]


@pytest.mark.parametrize(("path", "number"), sorted(CITED))
def test_every_departure_that_is_cited_is_written_down(path, number):
    assert number in written_down(), f"{path} cites {number}"


def test_some_departures_are_cited():
    assert len(CITED) > 5


def test_the_departures_are_numbered_in_order():
    numbers = written_down()
    assert numbers == [f"F{i}" for i in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("path", LEARNER_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_public_function_of_a_learner_says_its_place_in_the_paper(path):
    silent = [
        name
        for name, function in public_functions(path)
        if not re.search(r"(^|\s)Paper: ", ast.get_docstring(function) or "")
    ]
    assert silent == []


def test_the_reader_of_functions_sees_methods(tmp_path):
    path = tmp_path / "m.py"
    path.write_text(
        "def f(): ...\ndef _g(): ...\nclass A:\n    def h(self): ...\n    def __init__(self): ...\n"
        "class _B:\n    def i(self): ...\n"
    )
    assert [name for name, _ in public_functions(path)] == ["f", "A.h"]
