"""The page for people, in a real browser: whatever they do, each pair is answered once."""

import struct
import time
import zlib

import pytest

from duelli.live import Client
from duelli.live.images import Images
from live.pages.conftest import answers_of
from live.servers import Servers

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.slow


def ready(page):
    """Wait until a pair can be judged; return its name."""
    expect(page.locator("#main")).to_have_attribute("data-state", "ready")
    return page.locator("#main").get_attribute("data-duel")


def judge(page, act):
    """Judge one pair, and wait for the next one."""
    duel = ready(page)
    act()
    expect(page.locator("#main")).not_to_have_attribute("data-duel", duel)
    return duel


def press(page, key):
    return judge(page, lambda: page.keyboard.press(key))


def click(page, name):
    return judge(page, page.get_by_role("button", name=name).click)


def shown(page):
    return [page.locator(f"#{side} .look").inner_text() for side in ("left", "right")]


def test_thirty_duels_by_mouse_and_keyboard(make_study, open_page):
    study = make_study(title="Reading", question="Which one reads better?")
    page = open_page(f"/s/{study.study}")
    expect(page.get_by_role("heading", name="Which one reads better?")).to_be_visible()
    told = []
    for _ in range(5):
        for key, winner in (("ArrowLeft", "left"), ("ArrowRight", "right"), ("ArrowDown", "tie")):
            told.append((press(page, key), winner))
        for name, winner in (("A is", "left"), ("B is", "right"), ("Can’t", "tie")):
            told.append((click(page, name), winner))
    ready(page)
    assert [(row["duel"], row["winner"]) for row in answers_of(study)] == told
    expect(page.locator("#count")).to_contain_text("30 of at most 200 pairs judged, 30 by you")


def test_a_click_on_an_arm_chooses_it(make_study, open_page):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    duel = judge(page, page.locator("#right .look").click)
    (row,) = answers_of(study)
    assert (row["duel"], row["winner"]) == (duel, "right")


def test_reloading_and_going_back_shows_the_same_pair(make_study, open_page):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    press(page, "ArrowLeft")
    duel, looks = ready(page), shown(page)
    page.reload()
    assert (ready(page), shown(page)) == (duel, looks)
    page.goto("about:blank")
    page.go_back()
    assert (ready(page), shown(page)) == (duel, looks)
    press(page, "ArrowRight")
    assert [row["winner"] for row in answers_of(study)] == ["left", "right"]


def test_a_double_click_is_one_answer(make_study, open_page):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    judge(page, page.get_by_role("button", name="A is").dblclick)
    judge(page, page.locator("#right .look").dblclick)
    ready(page)
    assert [row["winner"] for row in answers_of(study)] == ["left", "right"]


SECOND_CLICK = """winner => new Promise((resolve) => {
  const main = document.getElementById("main");
  const first = main.dataset.duel;
  const button = document.querySelector(`[data-winner=${winner}]`);
  new MutationObserver((_, watching) => {
    if (main.dataset.state !== "ready" || main.dataset.duel === first) return;
    watching.disconnect();
    button.dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true }));
    resolve();
  }).observe(main, { attributes: true });
  button.click();
})"""


def test_a_second_click_on_the_next_pair_belongs_to_the_first(make_study, open_page):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    ready(page)
    page.evaluate(SECOND_CLICK, "left")
    duel = ready(page)
    press(page, "ArrowRight")
    assert [row["winner"] for row in answers_of(study)] == ["left", "right"]
    assert answers_of(study)[1]["duel"] == duel


def test_an_answer_without_connection_is_kept_and_sent_later(make_study, open_page, context):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    duel = ready(page)
    context.set_offline(True)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status")).to_contain_text("Your answer is kept on this device")
    assert answers_of(study) == []
    context.set_offline(False)
    expect(page.locator("#main")).not_to_have_attribute("data-duel", duel)
    ready(page)
    assert [(row["duel"], row["winner"]) for row in answers_of(study)] == [(duel, "right")]


@pytest.mark.parametrize("arrived", [True, False])
def test_an_answer_without_confirmation_outlives_the_page_and_counts_once(
    make_study, open_page, arrived
):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    duel = ready(page)
    keys = []

    def lose(route):
        keys.append(route.request.headers["idempotency-key"])
        if arrived:
            route.fetch()
        route.abort()

    page.route("**/tell", lose)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("status")).to_contain_text("No connection")
    page.unroute("**/tell")
    page.on("request", lambda r: keys.append(r.headers.get("idempotency-key")))
    page.reload()
    expect(page.locator("#main")).not_to_have_attribute("data-duel", duel)
    ready(page)
    assert [(row["duel"], row["winner"]) for row in answers_of(study)] == [(duel, "left")]
    assert len({key for key in keys if key}) == 1


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("ask", 204, "The next pair is being chosen"),
        ("tell", 503, "Your answer is kept on this device and is sent again"),
    ],
)
def test_a_server_that_is_busy_is_asked_again(make_study, open_page, path, code, words):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    duel = ready(page)
    again = {"status": code, "headers": {"Retry-After": "1"}}
    page.route(f"**/{path}", lambda route: route.fulfill(**again), times=1)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("status")).to_contain_text(words)
    expect(page.locator("#main")).not_to_have_attribute("data-duel", duel)
    ready(page)
    assert [row["duel"] for row in answers_of(study)] == [duel]


def test_two_tabs_share_a_pair_and_go_on_together(make_study, open_page):
    study = make_study()
    first, second = (open_page(f"/s/{study.study}") for _ in range(2))
    assert ready(first) == ready(second)
    told = press(first, "ArrowLeft")
    expect(second.locator("#main")).not_to_have_attribute("data-duel", told)
    assert ready(first) == ready(second)
    press(second, "ArrowRight")
    ready(first)
    assert [row["winner"] for row in answers_of(study)] == ["left", "right"]
    assert len({row["client"] for row in answers_of(study)}) == 1


def test_undo_gives_the_pair_back(make_study, open_page):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    ready(page)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    duel = press(page, "ArrowLeft")
    ready(page)
    page.keyboard.press("Backspace")
    expect(page.locator("#main")).to_have_attribute("data-duel", duel)
    expect(page.get_by_role("status")).to_contain_text("You had chosen A")
    assert answers_of(study) == []
    press(page, "ArrowRight")
    assert [(row["duel"], row["winner"]) for row in answers_of(study)] == [(duel, "right")]


def test_an_answer_that_was_used_cannot_be_taken_back_and_the_page_says_so(make_study, open_page):
    study = make_study(batch=1)
    page = open_page(f"/s/{study.study}")
    press(page, "ArrowLeft")
    ready(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("cannot be taken back any more")
    press(page, "ArrowLeft")


HOSTILE = "<img src=x onerror=\"document.title='broken'\"></script><script>alert(1)</script>"


def test_hostile_labels_are_shown_as_text(make_study, open_page):
    study = make_study(
        title=HOSTILE,
        question=HOSTILE,
        box={"size": [10, 24], "note": [HOSTILE, "</dd><b>bold</b>"]},
        show={"kind": "parameters", "labels": {"size": HOSTILE}},
    )
    page = open_page(f"/s/{study.study}")
    ready(page)
    assert page.locator("#question").inner_text() == HOSTILE
    assert HOSTILE in page.locator("#left dt").first.inner_text()
    assert page.locator("main img, main script, main b").count() == 0
    assert page.title() == HOSTILE


@pytest.mark.parametrize(
    ("box", "show", "selector"),
    [
        ({"h": [0, 360], "s": [50, 100], "l": [20, 80]}, {"kind": "colour"}, ".colour"),
        ({"n": [1, 9, "int"]}, {"kind": "text", "template": "Ring {n} times <b>"}, ".text"),
        ({"n": [1, 9]}, {"kind": "page", "url": "http://127.0.0.1:9/card"}, "iframe"),
    ],
    ids=["colour", "text", "page"],
)
def test_an_arm_is_shown_as_the_study_says(make_study, open_page, faults, box, show, selector):
    if show["kind"] == "colour":
        show = {**show, "space": "hsl", "from": list(box)}
    study = make_study(box=box, show=show)
    page = open_page(f"/s/{study.study}")
    ready(page)
    assert page.locator(f".look {selector}").count() == 2
    if show["kind"] == "page":
        frame = page.locator("iframe").first
        assert frame.get_attribute("sandbox") == "allow-scripts"
        assert frame.get_attribute("src").startswith("http://127.0.0.1:9/card?n=")
    press(page, "ArrowLeft")
    assert faults == []


def draw(point):
    """Return a PNG of one grey pixel."""

    def chunk(kind, data):
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    pixel = zlib.compress(bytes([0, round(255 * point["grey"])]))
    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def test_an_image_that_the_owner_draws_is_shown(tmp_path, context):
    with Servers() as servers:
        server = servers.start(tmp_path / "s.db", images=Images({"draw": draw}))
        client = Client(server.url)
        show = {"kind": "image", "function": "draw", "alt": "A patch of grey"}
        client.create(name="grey", box={"grey": [0, 1]}, horizon=9, show=show)
        page = context.new_page()
        page.goto(f"{server.url}/s/grey")
        ready(page)
        images = page.get_by_alt_text("A patch of grey")
        expect(images).to_have_count(2)
        assert images.evaluate_all("images => images.map((i) => i.naturalWidth)") == [1, 1]
        client.close()


def test_the_end_of_a_study_is_a_plain_sentence(make_study, open_page):
    study = make_study(horizon=2, batch=1)
    page = open_page(f"/s/{study.study}")
    press(page, "ArrowLeft")
    ready(page)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("status")).to_contain_text("All pairs are judged. Thank you")
    expect(page.locator("#choices")).to_be_hidden()


def test_a_study_that_was_closed_says_so_and_keeps_the_answers(make_study, open_page):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    press(page, "ArrowLeft")
    ready(page)
    study.post(f"/v1/studies/{study.study}/close", {})
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status")).to_contain_text("This study is closed. Thank you")
    assert [row["winner"] for row in answers_of(study)] == ["left"]


def test_a_study_that_does_not_exist_is_a_plain_sentence(open_page):
    page = open_page("/s/nowhere")
    expect(page.get_by_role("status")).to_contain_text("There is no study at this address")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(make_study, open_page, width):
    study = make_study(
        title="w" * 200, box={"a_parameter_with_a_rather_long_name": ["y" * 60, "z" * 60]}
    )
    page = open_page(f"/s/{study.study}")
    page.set_viewport_size({"width": width, "height": 844})
    ready(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    buttons = page.locator("#choices button")
    assert all(buttons.nth(k).bounding_box()["height"] >= 44 for k in range(3))


def test_a_held_key_answers_one_pair(make_study, open_page):
    study = make_study()
    page = open_page(f"/s/{study.study}")
    ready(page)
    until = time.monotonic() + 0.8
    while time.monotonic() < until:
        page.keyboard.down("ArrowLeft")  # without up in between: the key repeats
    page.keyboard.up("ArrowLeft")
    ready(page)
    assert len(answers_of(study)) == 1
