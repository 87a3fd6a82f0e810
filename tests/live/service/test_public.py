"""A server on the local address that a reverse proxy shows to others."""

import http.client
import json
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from duelli.live.managing import make_token
from live.servers import Servers

PUBLIC = "https://study.example.org"
PROXY = {"Host": "study.example.org", "Origin": PUBLIC}
STUDY = {"name": "s", "box": {"a": [0, 1]}, "horizon": 12}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    db = str(tmp_path_factory.mktemp("public") / "studies.db")
    token = make_token(db, scope="admin", study=None)["token"]
    with Servers() as servers:
        yield servers.start(db, public=PUBLIC), token


def post(url, path, body, **headers):
    """Send a request as a proxy would that passes the host name on."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    content = {"Content-Type": "application/json", **PROXY, **headers}
    connection.request("POST", path, json.dumps(body), content)
    response = connection.getresponse()
    value = json.loads(response.read())
    connection.close()
    return response, value


def test_tokens_are_needed_though_the_address_is_local(served):
    response, value = post(served[0].url, "/v1/studies", STUDY)
    assert response.status == 401
    assert "token" in value["error"]


def test_links_and_cookies_are_those_of_the_public_address(served):
    server, token = served
    response, made = post(server.url, "/v1/studies", STUDY, Authorization=f"Bearer {token}")
    assert response.status == 201
    link, _, rater = made["rater_link"].partition("#")
    assert link == f"{PUBLIC}/s/s"
    response, _ = post(server.url, "/v1/session", {"token": rater})
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("__Host-duelli-s=")
    assert "secure" in cookie.lower()


def test_a_page_of_another_site_is_refused(served):
    response, _ = post(served[0].url, "/v1/studies", STUDY, Origin="https://evil.example")
    assert response.status == 403


def test_the_owners_link_that_is_printed_is_public(tmp_path):
    command = [sys.executable, "-m", "duelli", "serve", "--db", str(tmp_path / "s.db")]
    command += ["--port", "0", "--public", f"{PUBLIC}/"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline()
        server.terminate()
    assert f"at {PUBLIC}/#duelli_" in line
