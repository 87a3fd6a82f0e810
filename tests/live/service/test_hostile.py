"""What no client should send is refused, stores nothing, and leaves the study as it was."""

import pytest

from duelli.live.service import bodies

from .conftest import HOME, STUDY, services, with_study

DEEP = "[" * 30_000
NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, '"0.5"', "true", "null", "1.5"]
TEXTS = [r'"\ud800"', r'"a\u0000b"', '"' + "x" * 65 + '"', '""', "7", "null", '["c"]', r'"\u001b"']
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def http(tmp_path_factory):
    """One service for all of these: nothing that they send may change it."""
    with services(tmp_path_factory.mktemp("hostile")) as serve:
        yield with_study(serve())


@pytest.fixture
def post(http):
    """Return a function that posts raw bytes, and checks that nothing has changed by it."""
    before = http.get("/v1/studies/s").json()

    def post(path, body, **headers):
        body = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
        answer = http.post(path, content=body, headers={**JSON, **headers})
        assert http.get("/v1/studies/s").json() == before
        assert len(http.get("/v1/studies").json()["studies"]) == 1
        return answer.status_code

    return post


@pytest.mark.parametrize("number", NUMBERS)
def test_a_horizon_that_is_no_whole_number_is_422(post, number):
    body = '{"name": "t", "box": {"a": [0, 1]}, "horizon": %s}'
    assert post("/v1/studies", body % number) == 422


@pytest.mark.parametrize("number", [*NUMBERS[:5], "{}", "[[0]]"])
def test_a_bound_that_is_no_number_is_422(post, number):
    body = '{"name": "t", "box": {"a": [0, %s]}, "horizon": 9}'
    assert post("/v1/studies", body % number) == 422


@pytest.mark.parametrize("text", TEXTS)
def test_a_client_that_is_no_text_is_422(post, text):
    assert post("/v1/studies/s/ask", f'{{"client": {text}}}') == 422


@pytest.mark.parametrize("name", ["", "a b", "../etc", "a/b", "ü", "x" * 65, "a\\u0000", "a\\n"])
def test_a_name_with_other_characters_is_422(post, name):
    body = f'{{"name": "{name}", "box": {{"a": [0, 1]}}, "horizon": 9}}'
    assert post("/v1/studies", body) == 422


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", 422),
        ("{", 422),
        ("[]", 422),
        ("null", 422),
        (b'{"client": "\xff"}', 422),
        ('{"client": "\ud800"}', 422),
        ('{"client": "c", "client": "d"}', 422),
        ('{"client": "c", "more": 1}', 422),
        (DEEP, 422),
        ('{"client": ' + "[" * 100 + "]" * 100 + "}", 422),
        ('{"client": "' + "x" * 70_000 + '"}', 413),
        ("[" * 100_000, 413),
    ],
)
def test_a_body_that_is_none_is_refused(post, body, code):
    assert post("/v1/studies/s/ask", body) == code


def test_a_body_of_unknown_length_is_cut_off(http):
    def much():
        for _ in range(100):
            yield b" " * 1000

    assert http.post("/v1/studies/s/ask", content=much(), headers=JSON).status_code == 413


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "a/b"])
def test_another_kind_of_content_is_415(post, kind):
    assert post("/v1/studies/s/ask", '{"client": "c"}', **{"content-type": kind}) == 415


@pytest.mark.parametrize("winner", ['"x"', "1", "true", "null", '"LEFT"'])
def test_a_winner_that_is_none_is_422(ask, http, winner):
    pair = ask()
    body = f'{{"duel": "{pair["duel"]}", "ticket": "{pair["ticket"]}", "winner": {winner}}}'
    answer = http.post("/v1/studies/s/tell", content=body, headers=JSON)
    assert answer.status_code == 422
    assert http.get("/v1/studies/s").json()["duels"] == 0


@pytest.mark.parametrize("duel", ["", "0", "0.0.0", "-1.0", "00.0", "9" * 30 + ".0", "a.b", "٣.٣"])
def test_a_duel_that_is_none_is_422(http, ask, duel):
    body = {"duel": duel, "ticket": ask()["ticket"], "winner": "left"}
    assert http.post("/v1/studies/s/tell", json=body).status_code == 422


@pytest.mark.parametrize("key", ["", "x" * 129, "a b", "ä"])
def test_a_key_that_is_none_is_422(http, ask, key):
    pair = ask()
    body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": "left"}
    headers = {"Idempotency-Key": key.encode("latin-1")}
    assert http.post("/v1/studies/s/tell", json=body, headers=headers).status_code == 422


@pytest.mark.parametrize("name", ["nobody", "..%2f..%2fetc", "a%20b", "%00", "x" * 65])
def test_a_study_that_is_not_there_is_404(http, name):
    assert http.get(f"/v1/studies/{name}").status_code == 404
    assert http.post(f"/v1/studies/{name}/ask", json={"client": "c"}).status_code == 404


@pytest.mark.parametrize(
    "path", ["/nothing", "/web/..%2fsettings.py", "/web/.x.html", "/web/no.js"]
)
def test_a_path_that_is_not_there_is_404(http, path):
    assert http.get(path).status_code == 404


def test_another_method_is_405(http):
    assert http.get("/v1/studies/s/ask").status_code == 405
    assert http.delete("/v1/studies/s", headers=JSON).status_code == 405
    assert http.delete("/v1/studies", headers=JSON).headers["allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("", {**STUDY, "name": "a b"}, "name must be 1 to 64 letters, digits, - or _; got 'a b'"),
        ("", {**STUDY, "box": 7}, "box must be an object of parameters such as"),
        ("", {**STUDY, "colour": 7}, "the body must have known fields only (name, box, "),
        ("/s/ask", [], "the body must be a JSON object; got []"),
        ("/s/ask", {}, "client is missing; it must be a text of 1 to 64 characters"),
        ("/s/skip", {"duel": "x", "ticket": "t"}, "duel must be the duel of a pair that"),
    ],
)
def test_what_is_wrong_is_said_in_words(http, path, body, said):
    answer = http.post(f"/v1/studies{path}", json=body)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(said)


def test_every_field_of_a_request_has_a_rule():
    fields = {name for each in bodies.Body.__subclasses__() for name in each.model_fields}
    assert fields == set(bodies.RULES)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8765", "", "192.0.2.1"])
def test_another_host_is_refused(http, host):
    assert http.get("/v1/studies", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1", "[::1]:8765", "LOCALHOST"])
def test_the_names_of_this_machine_are_served(http, host):
    assert http.get("/v1/studies", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_page_of_another_site_is_refused(http, headers):
    answer = http.post("/v1/studies/s/ask", json={"client": "c"}, headers=headers)
    assert answer.status_code == 403


def test_a_page_of_this_site_is_served(http):
    headers = {"origin": HOME, "sec-fetch-site": "same-origin"}
    answer = http.post("/v1/studies/s/ask", json={"client": "c"}, headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/", "/s/s", "/v1/studies", "/healthz", "/nothing"])
def test_every_answer_has_the_headers_that_protect_pages(http, path):
    headers = http.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_name_that_is_taken_is_a_conflict(http):
    assert http.post("/v1/studies", json=STUDY).status_code == 409


@pytest.mark.parametrize(
    "wrong",
    [
        {"box": {}},
        {"box": {"a": [1, 0]}},
        {"box": {"a": 7}},
        {"box": {f"p{k}": [0, 1] for k in range(65)}},
        {"learner": "nobody"},
        {"inputs": {"nothing": 1}},
        {"inputs": {"seed": 1}},
        {"show": {"kind": "film"}},
        {"show": {"kind": "text", "template": "{a.__class__}"}},
        {"show": {"kind": "text", "template": "{a:>999999999}"}},
        {"show": {"kind": "page", "url": "javascript:alert(1)"}},
        {"show": {"kind": "page", "url": "https://a.example;script-src *"}},
        {"show": {"kind": "image", "function": "draw"}},
        {"link": "nothing"},
        {"horizon": 0},
        {"share": 0},
        {"lease": 0},
        {"seed": -1},
    ],
)
def test_settings_that_cannot_be_are_422(http, wrong):
    answer = http.post("/v1/studies", json={**STUDY, "name": "t", **wrong})
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_too_many_requests_at_once_are_503(http, monkeypatch):
    monkeypatch.setattr(http.app, "_most", 0)
    answer = http.get("/healthz")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
