"""The page for owners, in a real browser: make a study, share it, watch it, end it."""

import re
import uuid

import pytest

from live.pages.conftest import answers_of

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.slow


def better(left, right):
    """Prefer the larger size."""
    return "left" if left["size"] > right["size"] else "right"


def test_a_study_is_made_and_answers_are_seen_to_arrive(open_page, server):
    name = f"made-{uuid.uuid4().hex[:6]}"
    page = open_page("/#new")
    page.get_by_label("Name in links").fill(name)
    page.get_by_label("Title").fill("A new study")
    first = page.locator("#rows > div").first
    first.get_by_label("Name").fill("size")
    first.get_by_label("From").fill("10")
    first.get_by_label("To").fill("24")
    page.get_by_role("button", name="Add a parameter").click()
    second = page.locator("#rows > div").nth(1)
    second.get_by_label("Name").fill("font")
    second.get_by_label("Kind").select_option("choices")
    second.get_by_label("Values").fill("serif, sans")
    page.get_by_label("Shown as").select_option("text")
    page.get_by_role("textbox", name="Text").fill("{font} at {size:.1f}")
    page.get_by_role("button", name="Make the study").click()
    expect(page.get_by_role("heading", name="A new study")).to_be_visible()
    expect(page.locator("#count")).to_have_text("0 of at most 200 duels")
    expect(page.get_by_label("Link for people")).to_have_value(f"{server.url}/s/{name}")

    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open it").click()
    rater = opened.value
    expect(rater.locator("#main")).to_have_attribute("data-state", "ready")
    assert re.fullmatch(r"(serif|sans) at \d\d\.\d", rater.locator("#left .look").inner_text())
    rater.keyboard.press("ArrowLeft")
    expect(page.locator("#count")).to_have_text("1 of at most 200 duels")
    expect(page.locator("#judged tr")).to_have_count(1)
    expect(page.locator("#clients")).to_contain_text("1 answer (100%)")


def test_a_study_that_is_refused_says_why_and_loses_nothing(open_page, make_study):
    study = make_study()
    page = open_page("/#new")
    page.get_by_label("Name in links").fill(study.study)
    page.get_by_role("button", name="Make the study").click()
    expect(page.get_by_role("alert")).to_have_text("Every parameter needs a name.")
    page.locator("#rows").get_by_label("Name").fill("size")
    page.get_by_role("button", name="Make the study").click()
    expect(page.get_by_role("alert")).to_contain_text(study.study)
    assert page.get_by_label("Name in links").input_value() == study.study


@pytest.mark.parametrize(
    ("more", "figures"),
    [
        ({"box": {"size": [10, 24]}}, 1),
        ({"box": {"size": [10, 24], "n": [1, 5, "int"]}}, 3),
        ({"box": {"size": [1, 24, "log"], "n": [1, 5, "int"], "font": ["a", "b"], "k": 3}}, 3),
        ({"box": {"size": [10, 24], "w": [0, 1]}, "learner": "arc_race"}, 1),
        ({"box": {"size": [10, 24]}, "learner": "arc_race"}, 1),
    ],
    ids=["line", "plane", "slices", "cubes", "strip"],
)
def test_what_was_learnt_is_drawn(make_study, open_page, more, figures):
    if "learner" in more:
        more = {**more, "link": "logistic", "lipschitz": 3.0}
    study = make_study(**more)
    study.play(better, most=12)
    page = open_page(f"/#study={study.study}")
    expect(page.locator("#belief canvas")).to_have_count(figures)
    expect(page.locator("#path canvas")).to_have_count(
        len(study.best()["arm"]) - ("k" in more["box"])
    )
    expect(page.locator("#claim")).to_contain_text("12 duels")
    expect(page.locator("#bias")).to_contain_text("A was chosen")
    expect(page.locator("#influence")).to_have_text("Only one client has answered so far.")


def test_what_flips_without_the_largest_client_is_said(make_study, open_page):
    study = make_study()
    study.play(better, most=6)
    study.client = "the other one"
    study.play(better, most=3)
    page = open_page(f"/#study={study.study}")
    expect(page.locator("#influence")).to_contain_text("program has given 67% of the answers")


def test_everything_can_be_downloaded(make_study, open_page):
    study = make_study()
    study.play(better, most=3)
    page = open_page(f"/#study={study.study}")
    found = {}
    for name in ("CSV", "JSON lines", "Parquet", "The run"):
        with page.expect_download() as started:
            page.get_by_role("link", name=name).click()
        found[started.value.suggested_filename.rpartition(".")[2]] = (
            started.value.path().read_bytes()
        )
    assert found["csv"].startswith(b"duel,step,index")
    assert found["jsonl"].count(b"\n") == 3
    assert found["parquet"].startswith(b"PAR1")
    assert b'"horizon"' in found["json"]


def test_a_study_is_closed_only_after_a_confirmation(make_study, open_page):
    study = make_study()
    study.play(better, most=2)
    page = open_page(f"/#study={study.study}")
    page.get_by_role("button", name="Close the study").click()
    page.get_by_role("button", name="Keep it open").click()
    assert study.status()["status"] == "open"
    page.get_by_role("button", name="Close the study").click()
    page.get_by_role("button", name="Close it for good").click()
    expect(page.locator("#pill")).to_have_text("closed")
    assert study.status()["status"] == "closed"
    assert len(answers_of(study)) == 2


def test_hostile_names_are_shown_as_text(make_study, open_page):
    hostile = "<img src=x onerror=\"document.title='broken'\"></script>"
    study = make_study(title=hostile, box={"size": [10, 24], hostile: ["<b>a</b>", "b"]})
    study.client = hostile
    study.play(better, most=4)
    page = open_page(f"/#study={study.study}")
    expect(page.locator("#clients")).to_contain_text(hostile)
    expect(page.locator("#judged tr")).to_have_count(4)
    assert page.locator("main img, main script, main b").count() == 0
    page.goto(page.url.partition("#")[0] + "#")
    expect(page.locator("#studies")).to_contain_text(hostile)
    assert page.locator("main img, main script").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(make_study, open_page, width):
    study = make_study(
        title="w" * 200, box={"a_parameter_with_a_rather_long_name": ["y" * 60, "z" * 60]}
    )
    study.play(lambda left, right: "tie", most=2)  # noqa: ARG005 (what a judge takes)
    page = open_page(f"/#study={study.study}")
    page.set_viewport_size({"width": width, "height": 844})
    expect(page.locator("#path canvas")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
