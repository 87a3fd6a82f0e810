"""The examples say in one line why they cannot begin."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from .servers import Servers

EXAMPLES = Path(__file__).parents[2] / "examples"


def said(name, *words):
    """Run an example that fails, and return the one line that it says."""
    command = [sys.executable, str(EXAMPLES / name), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert (done.stdout, done.stderr.count("\n")) == ("", 1), done.stderr
    return done.stderr


@pytest.mark.parametrize("behind", [0, 1])
def test_a_port_that_is_taken_is_named(tmp_path, behind):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = said("ask_people.py", "--db", tmp_path / "a.db", "--port", port - behind)
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in line


def test_a_judge_needs_an_address_and_a_study():
    assert "give the address and the name of the study" in said("your_judge.py", "http://x:1")


def test_a_study_that_is_not_there_is_named(tmp_path):
    with Servers() as servers:
        server = servers.start(tmp_path / "studies.db")
        assert "no study 'nobody'" in said("your_judge.py", server.url, "nobody")
