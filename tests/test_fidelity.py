"""The code cites the paper, and each departure that it cites is written down."""

import ast
import re
import sys
from pathlib import Path

import pytest

import duelli
from duelli.learners import LEARNERS

ROOT = Path(duelli.__file__).parent
FIDELITY = ROOT.parents[1] / "docs" / "fidelity.md"
CITED = {
    (str(path.relative_to(ROOT)), number)
    for path in ROOT.rglob("*.py")
    for number in re.findall(r"\bF\d+\b", path.read_text())
}
CITABLE = re.compile(
    r"(Alg\.|Algorithm) \d+(, lines? \d+(-\d+)?((, | and )\d+(-\d+)?)*)?"
    r"|Algorithms \d+ and \d+"
    r"|(Lemma|Theorem|Assumption) (\d+|[A-F])\.\d+"
    r"|Section \d+(\.\d+)?"
    r"|Appendix [A-F]"
    r"|Eq\. \(\d+\)|Eqs\. \(\d+\)-\(\d+\)"
)
# The numbered statements of the paper, as compiled; the finite learners cite a paper of their own.
STATEMENTS = {
    "Assumption": {"3.1", "3.2"},
    "Lemma": {"3.3", "5.1", "5.2", "5.3", "5.5", "D.1", "D.2", "D.3"},
    "Theorem": {"5.4", "6.1"},
}


def docstrings(source):
    """Yield the docstrings of a module, its classes and its functions."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, kinds) and (docstring := ast.get_docstring(node)):
            yield docstring


def references(source):
    """Return what each ``Paper:`` field says, up to the end of its paragraph."""
    field = re.compile(r"\bPaper: (.*?)(?=\n\s*\n|\Z)", re.DOTALL)
    return [text for docstring in docstrings(source) for text in field.findall(docstring)]


REFERENCES = [
    (str(path.relative_to(ROOT)), reference)
    for path in sorted(ROOT.rglob("*.py"))
    for reference in references(path.read_text())
]


def written_down():
    return re.findall(r"^## (F\d+) ", FIDELITY.read_text(), re.MULTILINE)


@pytest.mark.parametrize(("path", "number"), sorted(CITED))
def test_every_departure_that_is_cited_is_written_down(path, number):
    assert number in written_down(), f"{path} cites {number}"


def test_some_departures_are_cited():
    assert len(CITED) > 5


def test_the_departures_are_numbered_in_order():
    # Numbers are never given twice; a gap is a number that is not in use.
    numbers = [int(name[1:]) for name in written_down()]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1


@pytest.mark.parametrize(("path", "reference"), REFERENCES)
def test_every_reference_to_the_paper_names_something_that_can_be_cited(path, reference):
    assert CITABLE.search(reference), f"{path} cites {reference!r}"


@pytest.mark.parametrize(("path", "reference"), REFERENCES)
def test_no_reference_to_the_paper_is_empty(path, reference):
    empty = re.search(r"\bnone\b|in the place of", reference, re.IGNORECASE)
    assert not empty, f"{path}: where nothing is cited there is no field"


@pytest.mark.parametrize(
    ("path", "kind", "number"),
    [
        (path, kind, number)
        for path, reference in REFERENCES
        if not path.startswith("learners/finite/")
        for kind, number in re.findall(
            r"(Assumption|Lemma|Theorem) ((?:\d+|[A-F])\.\d+)", reference
        )
    ],
)
def test_every_numbered_statement_that_is_cited_is_in_the_paper(path, kind, number):
    assert number in STATEMENTS[kind], f"{path} cites {kind} {number}"


def test_many_places_of_the_paper_are_cited():
    assert len(REFERENCES) > 50


def test_the_reader_of_references_sees_every_docstring():
    source = (
        '"""M. Paper: A."""\nclass K:\n    """K.\n\n    Paper: B\n    and C.\n\n    Args:\n'
        '        x: X.\n    """\n    def f(self):\n        """F. Paper: D."""\n'
    )
    assert sorted(" ".join(text.split()) for text in references(source)) == ["A.", "B and C.", "D."]


@pytest.mark.parametrize(
    "reference",
    [
        "Alg. 1, line 3",
        "Algorithm 2, lines 3-6",
        "Alg. 1, lines 13 and 20",
        "Algorithms 1 and 2",
        "Lemma 5.5",
        "Theorem 6.1",
        "Section 7",
        "Eq. (2)",
        "Eqs. (6)-(8)",
    ],
)
def test_what_can_be_cited_is_recognised(reference):
    assert CITABLE.fullmatch(reference)


@pytest.mark.parametrize("reference", ["none", "T - t", "b_1, ..., b_K", "Alg. one", "in the text"])
def test_what_cannot_be_cited_is_not_recognised(reference):
    assert not CITABLE.search(reference)


OWN = {"arc_race", "auto", "preference_model"}  # duelli's own; arc_duelli is the paper's
RIVALS = {
    name: kind
    for name, kind in {**LEARNERS, **duelli.SCALARS}.items()
    if name not in {*OWN, "arc_duelli"}
}


def entry(number):
    """Return the text of a departure."""
    found = re.search(rf"^## {number} .*?(?=^## |\Z)", FIDELITY.read_text(), re.M | re.S)
    return found.group() if found else ""


@pytest.mark.parametrize("name", RIVALS)
def test_every_rival_names_its_paper_and_how_sure_its_departures_are(name):
    text = sys.modules[RIVALS[name].__module__].__doc__
    assert re.search(r"\((19|20)\d\d\), \"", text), "authors (year), title"
    numbers = re.findall(r"\bF\d+\b", text)
    assert numbers
    if name != "anchored_doubler":  # it is in no paper, which F48 says
        assert any("onfidence" in entry(number) for number in numbers)
