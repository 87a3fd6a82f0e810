"""A real browser and a real server for the tests of the pages."""

import shutil
import uuid

import pytest

from duelli.live import Client
from live.servers import Servers

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("the pages are tested in chromium, which is not installed here")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with Servers() as servers:
        yield servers.start(tmp_path_factory.mktemp("pages") / "studies.db")


@pytest.fixture
def context(browser):
    """Someone's browser: what it keeps is shared by its tabs."""
    made = browser.new_context()
    made.set_default_timeout(8000)
    yield made
    made.close()


@pytest.fixture
def faults():
    """What pages complained about; a page that breaks its own policy is a fault."""
    return []


@pytest.fixture
def open_page(context, server, faults):
    """Return a function that opens a page of the server."""

    def open_page(path):
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if "Policy" in line.text else None)
        page.goto(server.url + path)
        return page

    yield open_page
    assert faults == []


@pytest.fixture
def make_study(server):
    """Return a function that makes a study and returns a client of it."""

    made = []

    def make_study(**settings):
        made.append(client := Client(server.url, client="program"))
        plain = {"box": {"size": [10, 24], "font": ["serif", "sans"]}, "horizon": 200, "batch": 4}
        client.create(**{"name": f"s-{uuid.uuid4().hex[:8]}", **plain, **settings})
        return client

    yield make_study
    for client in made:
        client.close()


def answers_of(client):
    """Return every answer of a study that counts."""
    return client.get(f"/v1/studies/{client.study}/pairs")["judged"]
