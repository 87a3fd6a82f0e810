"""Let people judge the font size and the line height of a page that they read in their browser.

Run ``python examples/ask_people.py``, and judge on the page that opens; Ctrl-C shows the best point
so far, and the same command goes on from the file ask_people.db. With ``--pretend 60`` a simulated
reader answers sixty pairs instead. It needs ``pip install 'duelli[live]'``.
"""

import argparse
import math
import random
import subprocess
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from duelli.live import Client, ConflictError

BOX = {"font_size": (12, 28), "line_height": (1.0, 2.2)}
# What is judged: a page of your own, which finds the parameters in its address.
PAGE = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A page to read</title>
<style>body { margin: 1.5em; max-width: 34em; font-family: Georgia, serif; }</style>
<h2>The lighthouse</h2>
<p>The keeper climbed the stairs every evening at six, a lamp in one hand and a book in the other.
The sea had been loud all week, and the gulls kept to the cliffs. He read until the first ship
passed, then until the second, and long after that he was still reading.</p>
<p>In the morning the boy from the village asked him what the book was about. About a keeper, he
said, who reads so well that the ships come close to listen.</p>
<script>
  const asked = new URLSearchParams(location.search);
  document.body.style.fontSize = asked.get("font_size") + "px";
  document.body.style.lineHeight = asked.get("line_height");
</script>
</html>
"""


class Page(BaseHTTPRequestHandler):
    """Serves the page that is judged."""

    def do_GET(self) -> None:
        """Send it, whatever the parameters are: its script reads them."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served(db: Path, port: int) -> Iterator[str]:
    """Run ``duelli serve``, and yield its address."""
    command = [sys.executable, "-m", "duelli", "serve", "--db", str(db), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            if not line:  # it has said why
                sys.exit(server.wait())
            yield line.split()[-1].rstrip("/")
        finally:
            server.terminate()


def page_server(port: int) -> ThreadingHTTPServer:
    """Serve the page that is judged, in a thread of its own."""
    try:
        page = ThreadingHTTPServer(("127.0.0.1", port), Page)
    except OSError as error:
        sys.exit(f"cannot listen on 127.0.0.1:{port}: {error.strerror}; choose another --port")
    threading.Thread(target=page.serve_forever, daemon=True).start()
    return page


def make_study(url: str, page: str) -> Client:
    """Make the study, unless it is there already."""
    client = Client(url, "reading", client="owner")
    try:
        client.create(
            name="reading",
            box=BOX,
            horizon=200,
            batch=4,
            title="A page to read",
            question="Which page would you rather read?",
            show={"kind": "page", "url": page},
        )
    except ConflictError:
        print("going on with the study in the file")
    return client


def reader(left: dict[str, float], right: dict[str, float]) -> str:
    """Answer as somebody would who likes 19 pixels and a line height of 1.5."""

    def comfort(x: dict[str, float]) -> float:
        return -abs(x["font_size"] - 19) / 3 - 6 * abs(x["line_height"] - 1.5)

    lead = comfort(left) - comfort(right)
    return "left" if random.random() < 1 / (1 + math.exp(-lead)) else "right"


def wait_for_people(client: Client, url: str) -> None:
    """Open the page for people, and wait until all pairs are judged or Ctrl-C."""
    print(f"judge at {url}/s/reading, watch at {url}/, and press Ctrl-C to stop")
    webbrowser.open(f"{url}/s/reading")
    pause = threading.Event()
    try:
        while client.status()["status"] == "open":
            pause.wait(2)
    except KeyboardInterrupt:
        print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, default=Path("ask_people.db"))
    parser.add_argument("--port", type=int, default=8765, help="the page itself gets the next port")
    parser.add_argument("--pretend", type=int, default=0, metavar="N", help="simulate N answers")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        db, port, next_port = options.db, options.port, options.port + 1
        if options.pretend:  # a new file, and any ports that are free
            db, port, next_port = Path(folder, "pretend.db"), 0, 0
        page = page_server(next_port)
        with served(db, port) as url:
            client = make_study(url, f"http://127.0.0.1:{page.server_port}/")
            if options.pretend:
                client.play(reader, most=options.pretend)
            else:
                wait_for_people(client, url)
            best = client.best()
        page.shutdown()
    print(f"best: {best['arm']}")
    print(best["text"])


if __name__ == "__main__":
    main()
