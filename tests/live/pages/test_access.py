"""Both pages can be used by everybody: axe-core finds nothing serious."""

from pathlib import Path

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.slow
AXE = (Path(__file__).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(params=["light", "dark"])
def context(browser, request):
    """A browser that may be asked to run axe, which the policy of the pages forbids."""
    made = browser.new_context(bypass_csp=True, color_scheme=request.param)
    made.set_default_timeout(8000)
    yield made
    made.close()


def complaints(page):
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        (fault["id"], [node["html"][:120] for node in fault["nodes"]])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


def test_the_page_for_people(make_study, open_page):
    study = make_study(show={"kind": "parameters", "labels": {"size": "Size"}})
    page = open_page(f"/s/{study.study}")
    expect(page.locator("#main")).to_have_attribute("data-state", "ready")
    assert complaints(page) == []
    study.post(f"/v1/studies/{study.study}/close", {})
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#main")).to_have_attribute("data-state", "over")
    assert complaints(page) == []


def test_the_page_for_owners(make_study, open_page):
    study = make_study()
    study.play(lambda left, right: "left", most=5)  # noqa: ARG005 (what a judge takes)
    page = open_page("/")
    expect(page.locator("#studies li").first).to_be_visible()
    assert complaints(page) == []
    page.get_by_role("link", name="New study").click()
    expect(page.locator("#rows > div")).to_have_count(1)
    assert complaints(page) == []
    page.goto(page.url.partition("#")[0] + f"#study={study.study}")
    expect(page.locator("#path canvas")).to_have_count(2)
    expect(page.locator("#influence")).not_to_be_empty()
    assert complaints(page) == []
