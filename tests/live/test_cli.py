"""The commands of live studies, as a user meets them."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from duelli.cli import cli, main
from duelli.live.ledger import Ledger
from duelli.live.stores import open_store
from duelli.testing.store.ledgers import play

BOX = '{"a": [0, 1], "n": [1, 5, "int"], "note": "=1+1"}'


@pytest.fixture
def db(tmp_path):
    return str(tmp_path / "tuning.db")


@pytest.fixture
def run(db):
    """Run a command of duelli study on the database."""

    def run(*words, code=0):
        done = CliRunner().invoke(cli, ["study", *words, "--db", db])
        assert done.exit_code == code, done.output
        return done.output

    return run


@pytest.fixture
def played(run, db):
    """A database with a study that was played to its end."""
    run("create", "s", "--box", BOX, "--horizon", "1e1", "--batch", "2")
    with closing(Ledger(open_store(db))) as ledger:
        play(ledger, "=cmd()")
    return db


def test_a_study_is_made_listed_and_shown(run):
    made = json.loads(run("create", "s", "--box", BOX, "--horizon", "10", "--json"))
    assert made["study"] == "s"
    assert json.loads(run("list", "--json"))["studies"][0]["name"] == "s"
    shown = json.loads(run("show", "s", "--json"))
    assert (shown["learner"], shown["seed"], shown["horizon"]) == ("auto", 0, 10)
    assert "0 of 10 duels" in run("show", "s")


def test_a_study_takes_learner_seed_and_inputs(run):
    words = ["--learner", "arc_race", "--seed", "7", "--link", "logistic", "--lipschitz", "2"]
    run("create", "s", "--box", BOX, "--horizon", "1e4", "--set", "caution=0.5", *words)
    shown = json.loads(run("show", "s", "--json"))
    assert (shown["learner"], shown["seed"]) == ("arc_race", 7)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create", "a b", "--box", BOX, "--horizon", "9"], "name must be 1 to 64 letters"),
        (["create", "s", "--box", "{", "--horizon", "9"], "--box must be JSON"),
        (["create", "s", "--box", "{}", "--horizon", "9"], "box must have at least one free"),
        (["create", "s", "--box", BOX, "--horizon", "9", "--learner", "x"], "learner must be one"),
        (["show", "s"], "there is no database"),
        (["export", "s", "--format", "xls"], "is not one of"),
        (["token", "s", "--scope", "king"], "is not one of"),
    ],
)
def test_bad_usage_is_one_clear_line_and_exit_code_2(db, monkeypatch, capsys, words, said):
    monkeypatch.setattr("sys.argv", ["duelli", "study", *words, "--db", db])
    with pytest.raises(SystemExit) as left:
        main()
    error = capsys.readouterr().err
    assert (left.value.code, error.count("\n")) == (2, 1)
    assert said in error


def test_an_export_has_one_row_per_counted_answer(run, played):
    rows = [json.loads(line) for line in run("export", "s", "--format", "jsonl").splitlines()]
    assert len(rows) == 10
    assert list(rows[0]) == ["duel", "step", "index", "left", "right", "winner", "client", "at"]
    assert rows[0]["left"]["note"] == "=1+1"
    assert played


@pytest.mark.usefixtures("played")
def test_a_csv_has_no_formulas(run):
    rows = list(csv.reader(io.StringIO(run("export", "s", "--format", "csv"))))
    assert rows[0] == ["duel", "step", "index", "left", "right", "winner", "client", "at"]
    assert len(rows) == 11
    assert {row[6] for row in rows[1:]} == {"'=cmd()"}
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]


@pytest.mark.usefixtures("played")
def test_a_parquet_file_has_the_same_rows(run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "s.parquet"
    run("export", "s", "--format", "parquet", "--out", str(target))
    table = parquet.read_table(target).to_pydict()
    lines = [json.loads(line) for line in run("export", "s").splitlines()]
    assert table["winner"] == [row["winner"] for row in lines]
    assert [json.loads(text) for text in table["left"]] == [row["left"] for row in lines]


@pytest.mark.usefixtures("played")
def test_verify_is_0_only_if_all_adds_up(run, db):
    assert run("verify") == "all adds up\n"
    assert json.loads(run("verify", "s", "--json")) == {"ok": True, "faults": []}
    with closing(sqlite3.connect(db)) as changed, changed:
        changed.execute("UPDATE answer SET winner = 'tie' WHERE seq = 3")
    assert "answer 3 was changed" in run("verify", code=1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE answer SET counted = 0 WHERE seq = 3", "marked as counted"),
        ("UPDATE study SET duels = 9", "should have 10 duels"),
        ("DELETE FROM answer WHERE seq = 10", "some are missing"),
        ("DELETE FROM answer WHERE seq = 4", "answer 4 is missing"),
        ("UPDATE step SET blocks = '[]' WHERE number = 2", "blocks of step 2"),
        ("UPDATE step SET answer = '{}' WHERE number = 1", "answer of step 1"),
        ("UPDATE step SET duels = 1 WHERE number = 3", "duels of step 3"),
        ("DELETE FROM step WHERE number = 1", "number of step 2"),
        ("DELETE FROM step WHERE number = 0", "first step is missing"),
        ("UPDATE study SET settings = replace(settings, 'question', 'Question')", "settings"),
        ("DELETE FROM step WHERE number = 5", "last step should be 5"),
        ("UPDATE study SET status = 'open'", "should be done"),
        ("UPDATE step SET run = replace(run, '\"seed\":0', '\"seed\":1') WHERE run > ''", "state"),
    ],
)
@pytest.mark.usefixtures("played")
def test_verify_sees_every_kind_of_change(run, db, change, said):
    with closing(sqlite3.connect(db)) as changed, changed:
        changed.execute(change)
    assert said in run("verify", code=1)


@pytest.mark.usefixtures("played")
def test_a_backup_verifies_and_has_the_same_rows(run, tmp_path):
    copy = str(tmp_path / "copy.db")
    assert run("backup", copy) == f"wrote {copy}\n"
    done = CliRunner().invoke(cli, ["study", "verify", "--db", copy])
    assert done.output == "all adds up\n"
    exported = CliRunner().invoke(cli, ["study", "export", "s", "--db", copy]).output
    assert exported == run("export", "s")


@pytest.mark.usefixtures("played")
def test_salvage_writes_what_can_be_read(run, tmp_path):
    assert run("salvage", str(tmp_path / "out")) == "s: 10 of 10 answers are intact\n"
    rows = (tmp_path / "out" / "s.jsonl").read_text().splitlines()
    assert json.loads(rows[0])["left"]["note"] == "=1+1"


def test_a_study_is_closed(run):
    run("create", "s", "--box", BOX, "--horizon", "10")
    assert run("close", "s") == "study s is closed\n"
    assert json.loads(run("show", "s", "--json"))["status"] == "closed"


def test_a_token_is_made_for_a_study_that_exists(run):
    run("create", "s", "--box", BOX, "--horizon", "10")
    assert run("token", "s").startswith("duelli_")
    made = json.loads(run("token", "--scope", "admin", "--days", "2", "--json"))
    assert made["scope"] == "admin"
    run("token", "nobody", code=1)


def test_a_name_is_taken_once(run):
    run("create", "s", "--box", BOX, "--horizon", "10")
    run("create", "s", "--box", BOX, "--horizon", "20", code=1)
    assert json.loads(run("show", "s", "--json"))["horizon"] == 10  # it is the first one still
    assert len(json.loads(run("list", "--json"))["studies"]) == 1


@pytest.mark.usefixtures("played")
def test_without_pyarrow_a_parquet_file_is_refused_and_not_begun(db, tmp_path, monkeypatch):
    monkeypatch.setattr("duelli.live.exporting.find_spec", lambda _: None)
    target = tmp_path / "s.parquet"
    done = CliRunner().invoke(
        cli, ["study", "export", "s", "--db", db, "--format", "parquet", "--out", str(target)]
    )
    assert "duelli[report]" in str(done.exception)
    assert not target.exists()


@pytest.mark.parametrize(
    ("side", "said"),
    [
        ('{"choices": [32, 64]}', "32 | 64"),
        ('[0.1, 1, "log"]', "log"),
        ('[1, "auto"]', "1 | 'auto'"),
    ],
)
def test_a_box_is_written_as_json(run, side, said):
    run("create", "s", "--box", f'{{"x": {side}}}', "--horizon", "10")
    assert said in json.loads(run("show", "s", "--json"))["parameters"][0]


def test_a_parameter_that_stands_twice_in_a_box_is_refused(db, monkeypatch, capsys):
    words = ["study", "create", "s", "--db", db, "--horizon", "10"]
    code, error = left_with(monkeypatch, capsys, *words, "--box", '{"x": [0, 1], "x": [0, 2]}')
    assert code == 2
    assert "--box must be JSON" in error
    assert "twice" in error
    assert not Path(db).exists()


def left_with(monkeypatch, capsys, *words):
    """Run the command line; return its exit code and what it said of an error."""
    monkeypatch.setattr("sys.argv", ["duelli", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def draw(:", "--images must be a Python file that runs; {file}: SyntaxError"),
        ("import nothing_of_that_name", "{file}: ModuleNotFoundError"),
        ("x = 1", "--images must have a function that draws a point; {file} has none"),
        ("def paint(x): ...", "show.function must be one of the server's functions: paint; got"),
    ],
)
def test_bad_images_end_serve_with_one_line(run, db, tmp_path, monkeypatch, capsys, text, said):
    show = '{"kind": "image", "function": "draw"}'
    run("create", "s", "--box", BOX, "--horizon", "10", "--show", show)
    file = tmp_path / "draw.py"
    file.write_text(text)
    words = ["serve", "--db", db, "--port", "0", "--images", str(file)]
    code, error = left_with(monkeypatch, capsys, *words)
    assert (code, error.count("\n")) == (2, 1)
    assert said.format(file=file) in error


def test_a_public_address_that_is_none_is_refused(db, monkeypatch, capsys):
    words = ["serve", "--db", db, "--port", "0", "--public", "foo"]
    code, error = left_with(monkeypatch, capsys, *words)
    assert code == 2
    assert "public must be such as https://study.example.org; got 'foo'" in error


def cut_off(content):
    return content[: len(content) // 3 - 100]


def without_first_page(content):
    return bytes(4096) + content[4096:]


@pytest.mark.parametrize("change", [cut_off, without_first_page, lambda _: b"Dear diary, " * 99])
@pytest.mark.usefixtures("played")
def test_salvage_of_what_cannot_be_read_is_1_and_leaves_nothing(run, db, tmp_path, change):
    path = Path(db)
    path.write_bytes(change(path.read_bytes()))
    said = run("salvage", str(tmp_path / "out"), code=1)
    assert said.startswith("no study can be read: ")
    assert "duelli study" not in said
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("played")
def test_salvage_without_an_intact_answer_is_1(run, db, tmp_path):
    with closing(sqlite3.connect(db)) as changed, changed:
        changed.execute("UPDATE answer SET winner = 'tie', client = 'x' WHERE seq = 1")
    said = run("salvage", str(tmp_path / "out"), code=1)
    assert said.startswith("s: 0 of 10 answers are intact")


def test_no_lock_is_left_beside_a_file_that_is_no_database(run, tmp_path, db):
    Path(db).write_text("Dear diary, " * 99)
    run("salvage", str(tmp_path / "out"), code=1)
    run("create", "s", "--box", BOX, "--horizon", "10", code=1)
    assert [each.name for each in tmp_path.iterdir()] == [Path(db).name]


@pytest.mark.parametrize("where", ["", "."])
@pytest.mark.parametrize("words", [["study", "list"], ["study", "token"], ["serve"]])
def test_a_database_that_is_no_file_is_refused(monkeypatch, capsys, words, where):
    code, error = left_with(monkeypatch, capsys, *words, "--db", where)
    assert code == 2
    assert f"must be a file or a URL postgresql://...; got {where!r}" in error


def test_study_alone_prints_its_help():
    done = CliRunner().invoke(cli, ["study"])
    assert (done.exit_code, done.output.startswith("Usage: ")) == (0, True)
    assert done.output.count("\n") > 10


def test_a_study_that_a_server_makes_is_not_to_be_served(run, monkeypatch):
    made = {"study": "s", "rater_link": "http://127.0.0.1:8765/s/s"}
    monkeypatch.setattr("duelli.cli.study.create_study", lambda *_: made)
    said = run("create", "s", "--box", BOX, "--horizon", "10")
    assert said == "made study s; judge it at http://127.0.0.1:8765/s/s\n"
