"""Whatever the OpenAPI document allows, and what it does not: only 2xx and 4xx, nothing broken."""

import json

import pytest
from hypothesis import HealthCheck, settings

from duelli.live import Client
from duelli.live.managing import create_study
from duelli.live.service.openapi import openapi
from duelli.live.settings import Settings
from live.servers import Servers

schemathesis = pytest.importorskip("schemathesis")
schema = schemathesis.openapi.from_dict(json.loads(json.dumps(openapi())))


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    db = str(tmp_path_factory.mktemp("schema") / "studies.db")
    create_study(db, Settings(name="s", box={"a": [0, 1]}, horizon=10**6))
    with Servers() as servers:
        running = servers.start(db)
        yield running.url
        client = Client(running.url, "s")
        assert client.get("/healthz") == {"status": "ok"}
        assert client.ask()["duel"] == "0.0"
        assert running.stop() == 0


def kept(client):
    """Return what a request may have changed: the studies with their answers, and the tokens."""
    return client.get("/v1/studies"), client.status()["chain"], client.get("/v1/tokens")


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_only_success_or_a_plain_refusal(case, url):
    if "name" in case.path_parameters and case.operation.path.endswith(("/ask", "/tell", "/best")):
        case.path_parameters["name"] = "s"
    client = Client(url, "s")
    before = kept(client)
    response = case.call(base_url=url)
    assert 200 <= response.status_code < 500, response.text
    after = kept(client)
    if response.status_code >= 400:
        assert after == before  # a refused request stores nothing
    assert client.status()["name"] == "s"
    client.close()
