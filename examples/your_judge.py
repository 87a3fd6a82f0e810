"""Let a program judge a live study over HTTP: a language model, a game runner, an A/B system.

Run ``python examples/your_judge.py`` to see it work on a server of its own, or
``python examples/your_judge.py http://127.0.0.1:8765 NAME`` to judge the study NAME of a running
server; a token goes into the environment as DUELLI_TOKEN. Only `ask` is yours to write. It may be
slow, fail, or be stopped and started again: each pair counts once. The server needs
``pip install 'duelli[live]'``; a judge alone needs no extra.
"""

import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from duelli.errors import DuelliError
from duelli.judges import Panel
from duelli.live import Client

BOX = {"words": (20, 200, "log int"), "tone": ["warm", "plain", "formal"]}
TASTE = {"warm": 0.6, "plain": 0.2, "formal": -0.5}
model = random.Random(2)


def ask(first: dict[str, Any], second: dict[str, Any]) -> str:
    """Return "first", "second" or "tie". Put the call of your program here.

    This one plays a language model that likes warm texts of some sixty words, is often wrong, and
    prefers whatever it reads first.
    """

    def taste(x: dict[str, Any]) -> float:
        return TASTE[x["tone"]] - 2 * abs(math.log10(x["words"] / 60))

    lead = 2 * (taste(first) - taste(second)) + 0.7
    return "first" if model.random() < 1 / (1 + math.exp(-lead)) else "second"


@contextmanager
def new_study() -> Iterator[Client]:
    """Start a server with a new study, and yield a client of it."""
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder, "letters.db"))
        command = [sys.executable, "-m", "duelli", "serve", "--db", db, "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                client = Client(server.stdout.readline().split()[-1], client="your-judge")
                client.create(name="letters", box=BOX, horizon=120, batch=8)
                yield client
            finally:
                server.terminate()


def judge(client: Client) -> None:
    """Judge pairs, eight at once, until the study ends."""
    panel = Panel(ask, votes=1)  # both orders; a model that contradicts itself gives a tie
    accepted = client.play(panel, parallel=8)
    print(f"{accepted} answers were accepted")
    print(panel.report())
    best = client.best()
    print(f"best: {best['arm']}")
    print(best["text"])


def main() -> None:
    if len(sys.argv) == 1:
        with new_study() as client:
            judge(client)
        return
    if len(sys.argv) != 3:
        sys.exit("give the address and the name of the study: your_judge.py URL NAME")
    url, name = sys.argv[1:]
    try:
        judge(Client(url, name, client="your-judge", token=os.environ.get("DUELLI_TOKEN")))
    except DuelliError as error:  # there is no such study, or the token does not allow it
        sys.exit(str(error))


if __name__ == "__main__":
    main()
