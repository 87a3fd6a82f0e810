"""A service in this process, with one study."""

import contextlib

import pytest
from starlette.testclient import TestClient

from duelli.live.service import make_app
from duelli.live.service.context import Context
from duelli.live.service.guard import LOCAL_NAMES
from duelli.live.stores import open_store

HOME = "http://127.0.0.1:8765"
STUDY = {"name": "s", "box": {"a": [0, 1], "n": [1, 5, "int"]}, "horizon": 12, "batch": 3}


@contextlib.contextmanager
def services(folder):
    """Yield a function that starts a service; each uses the same store."""
    clients = []

    def serve(*, free=True, **more):
        context = Context(open_store(str(folder / "studies.db")), free=free, **more)
        app = make_app(context, hosts=LOCAL_NAMES if free else None)
        client = TestClient(app, base_url=HOME)
        client.context = context
        clients.append(client.__enter__())
        return client

    yield serve
    for client in clients:
        client.__exit__(None, None, None)


def with_study(client):
    """Return a client of a service that has the study "s"."""
    assert client.post("/v1/studies", json=STUDY).status_code == 201
    return client


@pytest.fixture
def serve(tmp_path):
    with services(tmp_path) as serve:
        yield serve


@pytest.fixture
def http(serve):
    return with_study(serve())


@pytest.fixture
def ask(http):
    """Return a function that asks for a pair."""

    def ask(client="c", name="s"):
        answer = http.post(f"/v1/studies/{name}/ask", json={"client": client})
        assert answer.status_code == 200
        return answer.json()

    return ask


@pytest.fixture
def tell(http):
    """Return a function that answers a pair."""

    def tell(pair, winner="left", key=None, name="s"):
        body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": winner}
        headers = {"Idempotency-Key": key} if key else {}
        return http.post(f"/v1/studies/{name}/tell", json=body, headers=headers)

    return tell
