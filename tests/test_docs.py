"""What the documentation shows exists and runs."""

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import duelli
from duelli.cli import cli
from duelli.testing import LearnerKit

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
ARGUMENTS = {"ask_people.py": ["--pretend", "20"]}  # instead of people
MARKER = re.compile(r"<!-- (\S+):(begin|end) -->")


def blocks(document, language):
    """Return the code blocks of a document in one language; "" for those without a language."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shown_commands():
    """Return every duelli command that the documents show, without what comes after a #."""
    lines = [line for path in DOCUMENTS for block in blocks(path, "") for line in block.split("\n")]
    inline = [found for path in DOCUMENTS for found in re.findall(r"`([^`\n]+)`", path.read_text())]
    commands = [line.partition("#")[0].strip() for line in (*lines, *inline)]
    return sorted(
        {found for found in commands if re.match(r"duelli [a-z]+ --|duelli \w+ \w", found)}
    )


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def a_judge(x, y):
    return x["depth"] > y["depth"]


def test_commands_are_found_in_the_documents():
    assert len(shown_commands()) > 5


@pytest.mark.parametrize("command", shown_commands())
def test_every_command_that_is_shown_parses(command):
    name, *words = shlex.split(command)[1:]
    assert name in cli.commands
    cli.commands[name].make_context(name, words)  # raises on unknown options and bad values


@pytest.mark.parametrize(
    "name",
    sorted(
        set(re.findall(r"`duelli ([a-z]+)`", "\n".join(path.read_text() for path in DOCUMENTS)))
    ),
)
def test_every_command_that_is_named_has_a_help(name):
    assert CliRunner().invoke(cli, [name, "--help"]).exit_code == 0


def test_every_make_target_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    texts = [path.read_text() for path in (*DOCUMENTS, ROOT / ".ci" / "run")]
    named = {name for text in texts for name in re.findall(r"(?:`|^)make ([a-z-]+)", text, re.M)}
    assert named <= targets
    assert "test" in named


def test_the_examples_of_the_readme_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks("README.md", "python"):
        exec(block, names)
    assert 1 <= names["result"].best["depth"] <= 9
    assert names["result"].duels <= 2000
    assert (tmp_path / "run.json").exists()
    assert "686, 7884, 106922, 1625992, 25667685" in capsys.readouterr().out


def test_the_examples_of_the_guide_run(tmp_path, monkeypatch):
    numba = pytest.importorskip("numba")
    monkeypatch.chdir(tmp_path)
    box = {"rate": (0.1, 1.0), "depth": (1, 9, "int")}
    names = {"duelli": duelli, "np": np, "numba": numba, "duel": a_judge, "box": box}
    for block in blocks("docs/guide.md", "python"):
        exec(block, names)
    assert names["run"].duels == 2


def test_the_panel_of_the_docs_runs(capsys):
    (block,) = [block for block in blocks("docs/live.md", "python") if "Panel" in block]
    exec(block, {})
    assert capsys.readouterr().out.startswith("0.0\nduels: 1")


class TestTheLearnerOfTheDocs(LearnerKit):
    @pytest.fixture
    def make(self):
        names = {"__name__": "docs"}
        (block,) = blocks("docs/adding.md", "python")
        exec(block, names)
        return lambda horizon: names["RandomWalk"](dim=2, horizon=horizon, seed=0)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_runs(path):
    command = [sys.executable, path, *ARGUMENTS.get(path.name, [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "best: {" in done.stdout


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_pair_of_markers_names_a_benchmark(path):
    found = MARKER.findall(path.read_text())
    names = [name for name, _ in found]
    assert [(name, edge) for name in names[::2] for edge in ("begin", "end")] == found
    assert all((ROOT / name).is_file() for name in names)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_to_files_lead_somewhere(path):
    targets = re.findall(r"\]\(([\w./-]+)\)", path.read_text())
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", [*DOCUMENTS, *EXAMPLES], ids=lambda path: path.name)
def test_no_document_knows_a_machine(path):
    assert not re.search(r"(?<![\w.])/(home|root|tmp|work|usr|Users)/", path.read_text())


def test_text_between_markers_is_replaced():
    writer = load(ROOT / "benchmarks" / "_write.py")
    begin, end = writer.markers("benchmarks/a.py")
    text = f"head\n{begin}\nold\n{end}\ntail\n"
    assert writer.replace_between(text, "benchmarks/a.py", "new") == text.replace("old", "new")


@pytest.mark.parametrize("text", ["", "{0}", "{1}{0}", "{0}{0}{1}"])
def test_markers_that_are_not_there_once_and_in_order_are_refused(text):
    writer = load(ROOT / "benchmarks" / "_write.py")
    with pytest.raises(ValueError, match="once each, in this order"):
        writer.replace_between(text.format(*writer.markers("a.py")), "a.py", "new")
