"""Settings, tickets, images and the chain: the small parts that the rest stands on."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import duelli.live
from duelli.live import Settings
from duelli.live.images import Images, media_type
from duelli.live.stores.rows import AnswerRow, first_link, link
from duelli.live.tickets import Tickets

BOX = {"a": [0, 1]}


def test_settings_survive_json():
    made = Settings(name="s", box={"a": [0, 1, "log int"], "c": ["x", "y"]} | BOX, horizon=9)
    again = Settings.from_json(json.loads(json.dumps(made.as_json())))
    assert again == made
    assert again.box == made.box


def test_a_study_is_the_run_that_its_settings_say():
    made = Settings(name="s", box=BOX, horizon=9, batch=2, seed=3)
    run = duelli.Run(BOX, horizon=9, batch=2, seed=3, keep_history=False)
    assert made.run().saved() == run.saved()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "a b"}, "name must be 1 to 64 letters"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
        ({"title": "x" * 501}, "title must be a text of at most 500"),
        ({"share": 1.5}, r"share must lie in \(0, 1\]; got 1.5"),
        ({"lease": 0.5}, "lease must be at least 1; got 0.5"),
    ],
)
def test_settings_are_checked(wrong, said):
    with pytest.raises(ValueError, match=said):
        Settings(**{"name": "s", "box": BOX, "horizon": 9, **wrong})


def test_settings_with_an_unknown_name_are_refused():
    with pytest.raises(ValueError, match="did you mean 'horizon'"):
        Settings.from_json({"name": "s", "box": BOX, "horizn": 9})


@pytest.mark.parametrize("client", ["c", "Zoë 🙂", "a.b", "\x7f"])
def test_a_ticket_names_its_client(client):
    tickets = Tickets(b"secret")
    assert tickets.client_of("s", "0.1", tickets.issue("s", "0.1", client)) == client


def test_a_ticket_is_for_one_duel_of_one_study_by_one_secret():
    ticket = Tickets(b"secret").issue("s", "0.1", "c")
    assert Tickets(b"secret").client_of("t", "0.1", ticket) is None
    assert Tickets(b"secret").client_of("s", "0.2", ticket) is None
    assert Tickets(b"other").client_of("s", "0.1", ticket) is None


@pytest.mark.parametrize("ticket", ["", ".", "Yw", "Yw.x", "_w.x", "=.=", "é.é", "A.b"])
def test_what_is_no_ticket_opens_nothing(ticket):
    assert Tickets(b"secret").client_of("s", "0.1", ticket) is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n..", "image/png"),
        (b"\xff\xd8\xff..", "image/jpeg"),
        (b"RIFF....WEBP", "image/webp"),
        (b"<svg>", None),
        (b"", None),
    ],
)
def test_an_image_is_known_by_its_first_bytes(body, kind):
    assert media_type(body) == kind


def test_functions_come_from_the_file_that_the_owner_names(tmp_path):
    file = tmp_path / "draw.py"
    file.write_text(
        "LIMIT = 3\ndef draw(point):\n    return b'x'\ndef _own(point):\n    return b'y'\n"
    )
    assert set(Images.from_file(file).functions) == {"draw"}


@pytest.mark.parametrize("returned", [None, "text", b"<svg>", b"\x89PNG\r\n\x1a\n" * 300_000])
def test_what_is_no_image_is_refused(returned):
    with pytest.raises((TypeError, ValueError), match="draw must return"):
        Images({"draw": lambda _: returned}).made("draw", {})


def test_every_field_of_an_answer_is_in_its_link():
    row = AnswerRow(1, 1, "told", 0, 0, "left", "c", "k", 1.5, "", 1)
    begun = first_link("s", "{}")
    first = link(begun, row)
    changed = [
        row._replace(**{name: "other" if isinstance(value, str) else 7})
        for name, value in zip(row._fields[1:9], row[1:9], strict=True)
    ]
    links = {first, link("1" * 64, row), *(link(begun, each) for each in changed)}
    assert len(links) == 2 + len(changed)


def test_no_module_opens_a_database_file_but_through_sqlite():
    # Closing any other descriptor of it would drop SQLite's locks.
    folder = Path(duelli.live.__file__).parent / "stores"
    calls = [
        (file.name, node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id)
        for file in folder.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
    ]
    opened = {call for call in calls if call[1] in ("open", "read_bytes", "write_bytes")}
    # The lock has a file of its own, and what sqlite.py synchronises is a finished copy.
    assert opened == {("locking.py", "open"), ("sqlite.py", "open")}


def test_clients_and_commands_load_nothing_heavy():
    code = "import sys, duelli.cli, duelli.live; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"starlette", "pydantic", "uvicorn", "psycopg", "apsw", "pyarrow"}
    assert heavy & set(done.stdout.split()) == set()
