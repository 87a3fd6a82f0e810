"""Owners: who may do what, what a study has come to, and how arms are shown."""

import json
import time

import pytest

from duelli.live.images import Images
from duelli.live.requests import Call
from duelli.live.tickets import new_token

from .conftest import STUDY
from .test_play import judge_all

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
def guarded(serve):
    """A service that needs tokens, with the study "s"; its ``make`` makes tokens."""
    http = serve(free=False)

    def make(scope, study=None, **more):
        return http.portal.call(
            http.context.do, Call(lambda store: new_token(store, scope, study, **more))
        )

    http.make = make
    http.admin = {"authorization": f"Bearer {make('admin')}"}
    made = http.post("/v1/studies", json=STUDY, headers=http.admin)
    http.post("/v1/studies", json={**STUDY, "name": "t"}, headers=http.admin)
    http.link = made.json()["rater_link"]
    return http


def tried(http, token, study="s"):
    """Return the codes that playing, reading and managing a study get."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    play = http.post(f"/v1/studies/{study}/ask", json={"client": "c"}, headers=headers)
    read = http.get(f"/v1/studies/{study}", headers=headers)
    manage = http.get("/v1/studies", headers=headers)
    return play.status_code, read.status_code, manage.status_code


@pytest.mark.parametrize(
    ("scope", "own", "other"),
    [
        ("client", (200, 200, 403), (403, 403, 403)),
        ("rater", (200, 403, 403), (403, 403, 403)),
        ("reader", (403, 200, 403), (403, 403, 403)),
    ],
)
def test_a_token_allows_what_it_is_for_in_its_own_study(guarded, scope, own, other):
    token = guarded.make(scope, "s")
    assert (tried(guarded, token), tried(guarded, token, "t")) == (own, other)


def test_an_admin_token_allows_everything(guarded):
    assert tried(guarded, guarded.make("admin")) == (200, 200, 200)


@pytest.mark.parametrize("token", [None, "", "nonsense", "duelli_nonsense"])
def test_without_a_valid_token_nothing_is_allowed(guarded, token):
    assert tried(guarded, token) == (401, 401, 401)


def test_everybody_may_ask_whether_the_server_is_well(guarded):
    assert guarded.get("/healthz").status_code == 200


def test_a_revoked_token_opens_nothing(guarded):
    token = guarded.make("rater", "s")
    assert tried(guarded, token)[0] == 200
    answer = guarded.post("/v1/tokens/revoke", json={"token": token}, headers=guarded.admin)
    assert answer.json() == {"status": "revoked"}
    assert tried(guarded, token)[0] == 401


def test_an_expired_token_opens_nothing(guarded):
    token = guarded.make("rater", "s", seconds=0.01)
    time.sleep(0.02)
    assert tried(guarded, token)[0] == 401


def test_a_token_is_not_kept(guarded, tmp_path):
    token = guarded.make("rater", "s")
    listed = guarded.get("/v1/tokens", headers=guarded.admin).text
    assert token not in listed
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in kept


def test_the_link_of_a_rater_is_changed_for_a_cookie(guarded):
    token = guarded.link.partition("#")[2]
    answer = guarded.post("/v1/session", json={"token": token})
    assert answer.json() == {"scope": "rater", "study": "s"}
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))
    assert guarded.post("/v1/studies/s/ask", json={"client": "c"}).status_code == 200
    assert guarded.post("/v1/studies/t/ask", json={"client": "c"}).status_code == 401


def test_a_wrong_link_gets_no_cookie(guarded):
    answer = guarded.post("/v1/session", json={"token": "duelli_no"})
    assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)


def test_a_token_for_all_studies_is_an_admin_token(guarded):
    answer = guarded.post("/v1/tokens", json={"scope": "rater"}, headers=guarded.admin)
    assert answer.status_code == 422
    body = {"scope": "rater", "study": "nobody"}
    assert guarded.post("/v1/tokens", json=body, headers=guarded.admin).status_code == 404


def test_a_link_for_people_is_no_link_for_floods(guarded, monkeypatch):
    monkeypatch.setattr("duelli.live.service.context.BURST", 3.0)
    monkeypatch.setattr("duelli.live.service.context.PER_SECOND", 0.0)
    token, machine = guarded.make("rater", "s"), guarded.make("client", "s")
    codes = [tried(guarded, token)[0] for _ in range(5)]
    assert codes == [200, 200, 200, 429, 429]
    assert [tried(guarded, machine)[0] for _ in range(5)] == [200] * 5


def test_a_study_says_how_it_stands(http):
    judge_all(http)
    found = http.get("/v1/studies/s").json()
    assert (found["status"], found["duels"], found["horizon"]) == ("done", 12, 12)
    assert found["parameters"] == ["a: [0, 1]", "n: 1..5"]
    assert found["rate"]["text"] == "All duels are judged."


def test_the_path_of_the_answer_has_one_point_for_each_step(http):
    judge_all(http)
    path = http.get("/v1/studies/s/steps").json()["path"]
    assert [each["duels"] for each in path] == [0, 3, 6, 9, 12]
    assert set(path[0]["answer"]) == {"a", "n"}


def test_answers_are_counted_by_client_time_and_side(http, ask, tell):
    tell(ask("c"), "left")
    tell(ask("d"), "tie")
    found = http.get("/v1/studies/s/answers").json()
    assert {each["client"]: each["share"] for each in found["clients"]} == {"c": 0.5, "d": 0.5}
    assert sum(count for _, count in found["over_time"]["counts"]) == 2
    assert (found["bias"]["left"], found["bias"]["tie"]) == (1, 1)
    assert found["bias"]["text"].startswith("the left side wins 75.0%")


def test_what_the_learner_believes_is_given_along_each_parameter(http):
    judge_all(http)
    found = http.get("/v1/studies/s/belief").json()
    assert [each["name"] for each in found["slices"]] == ["a", "n"]
    assert found["slices"][1]["values"] == [1, 2, 3, 4, 5]
    assert len(found["plane"]) == len(found["slices"][0]["values"])


def test_a_learner_without_a_model_shows_its_cubes(serve):
    http = serve()
    learner = {"learner": "arc_race", "link": "logistic", "lipschitz": 1.0, "horizon": 1000}
    assert http.post("/v1/studies", json={**STUDY, **learner}).status_code == 201
    found = http.get("/v1/studies/s/belief").json()
    assert found["slices"] is None
    assert set(found["cubes"][0]) == {"low", "high", "reference", "n"}


def test_the_largest_client_is_named_with_what_would_flip_without_it(http, ask, tell):
    assert http.get("/v1/studies/s/influence").json()["client"] is None
    for client in "ccd":
        tell(ask(client), "left")
    while http.post("/v1/studies/s/ask", json={"client": "d"}).status_code == 204:
        time.sleep(0.005)
    found = http.get("/v1/studies/s/influence").json()
    assert (found["client"], found["questions"], found["undecided"]) == ("c", 3, 2)
    assert "The largest client has given 67% of the answers" in found["text"]


def test_the_judged_pairs_are_listed(http, ask, tell):
    pair = ask()
    tell(pair, "right")
    (judged,) = http.get("/v1/studies/s/pairs").json()["judged"]
    assert (judged["duel"], judged["left"], judged["winner"]) == (
        pair["duel"],
        pair["left"],
        "right",
    )


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_everything_can_be_downloaded(http, ask, tell, kind):
    tell(ask())
    answer = http.get(f"/v1/studies/s/export?format={kind}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="s.{kind}"'


def test_another_format_is_422(http):
    assert http.get("/v1/studies/s/export?format=xls").status_code == 422


def shown(http, show, box=STUDY["box"]):
    made = http.post("/v1/studies", json={**STUDY, "name": "t", "box": box, "show": show})
    assert made.status_code == 201
    pair = http.post("/v1/studies/t/ask", json={"client": "c"}).json()
    return pair["left"], pair["shown"]["left"]


def test_an_arm_is_shown_by_its_named_values(http):
    left, view = shown(http, {"kind": "parameters", "labels": {"a": "<b>Size</b>"}})
    assert view["values"] == [
        {"label": "<b>Size</b>", "value": left["a"]},
        {"label": "n", "value": left["n"]},
    ]


def test_an_arm_is_shown_as_a_colour(http):
    box = {"r": [0, 255], "g": 255, "b": 0}
    left, view = shown(http, {"kind": "colour", "from": ["r", "g", "b"]}, box)
    assert view == {"colour": f"#{round(left['r']):02x}ff00"}


def test_an_arm_is_shown_as_a_text(http):
    left, view = shown(http, {"kind": "text", "template": "{n} of {a:.2f}"})
    assert view == {"text": f"{left['n']} of {left['a']:.2f}"}


def test_an_arm_is_shown_by_the_owners_page(http):
    left, view = shown(http, {"kind": "page", "url": "https://cards.example/c?x=1"})
    assert view == {"src": f"https://cards.example/c?x=1&a={left['a']}&n={left['n']}"}
    policy = http.get("/s/t").headers["content-security-policy"]
    assert policy.endswith("frame-src https://cards.example")


def test_an_arm_is_shown_as_an_image_that_is_made_once(serve):
    made = []

    def draw(point):
        made.append(point)
        return PNG + json.dumps(point).encode()

    http = serve(images=Images({"draw": draw}))
    left, view = shown(http, {"kind": "image", "function": "draw", "alt": "a card"})
    image = http.get(view["src"])
    assert (image.headers["content-type"], view["alt"]) == ("image/png", "a card")
    assert image.content == PNG + json.dumps(left).encode()
    http.post("/v1/studies/t/ask", json={"client": "c"})
    assert len(made) == 2


def test_what_is_no_image_is_not_shown(serve):
    http = serve(images=Images({"draw": lambda _: b"<svg onload=alert(1)>"}))
    http.post("/v1/studies", json={**STUDY, "show": {"kind": "image", "function": "draw"}})
    answer = http.post("/v1/studies/s/ask", json={"client": "c"})
    assert answer.status_code == 422


def failing(_):
    raise KeyError("size")


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (failing, "the image function draw failed: KeyError: 'size'"),
        (lambda _: "<svg>", "the image function draw must return bytes; got str"),
        (lambda _: bytes(3 << 20), "draw must return at most 2097152 bytes; got 3145728"),
    ],
)
def test_an_image_function_that_fails_is_named(serve, draw, said):
    http = serve(images=Images({"draw": draw}))
    http.post("/v1/studies", json={**STUDY, "show": {"kind": "image", "function": "draw"}})
    answer = http.post("/v1/studies/s/ask", json={"client": "c"})
    assert (answer.status_code, answer.json()) == (422, {"error": said})


def test_the_document_names_every_route(http):
    from duelli.live.service.app import routes

    document = http.get("/openapi.json").json()
    served = {(route.path, method) for route in routes() for method in route.methods - {"HEAD"}}
    said = {(path, m.upper()) for path, each in document["paths"].items() for m in each}
    pages = {("/", "GET"), ("/s/{name}", "GET"), ("/web/{file}", "GET"), ("/openapi.json", "GET")}
    assert served - said == pages
    assert said <= served


def test_without_pyarrow_parquet_is_refused_before_anything_is_sent(http, monkeypatch):
    monkeypatch.setattr("duelli.live.exporting.find_spec", lambda _: None)
    refused = http.get("/v1/studies/s/export?format=parquet")
    assert refused.status_code == 422
    assert "duelli[report]" in refused.json()["error"]


def test_a_scale_that_is_misspelt_is_no_choice(http):
    body = {"name": "t", "box": {"x": [0, 1, "lgo"]}, "horizon": 3}
    refused = http.post("/v1/studies", json=body)
    assert refused.status_code == 422
    assert "x.scale must be one of" in refused.json()["error"]
