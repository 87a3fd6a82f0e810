"""The pages of a server that others can reach: links carry tokens, and can be shut."""

import pytest

from duelli.live.managing import make_token
from live.servers import Servers

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server that needs tokens, and the owner's."""
    db = tmp_path_factory.mktemp("strict") / "studies.db"
    token = make_token(str(db), scope="admin", study=None)["token"]
    with Servers() as servers:
        yield servers.start(db, host="127.0.0.2"), token


@pytest.fixture
def owner(strict, context):
    """The owner's page, with a study that was made on it."""
    server, token = strict
    page = context.new_page()
    page.goto(f"{server.url}/#{token}")
    expect(page.locator("#list")).to_be_visible()
    return page


def make(page, name):
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Name in links").fill(name)
    page.locator("#rows").get_by_label("Name").fill("size")
    page.get_by_role("button", name="Make the study").click()
    expect(page.locator("#tokens li")).to_have_count(1)
    return page.get_by_label("Link for people").input_value()


def test_the_token_leaves_the_address_and_a_reload_still_works(owner):
    assert "duelli_" not in owner.url
    owner.reload()
    expect(owner.locator("#list")).to_be_visible()


def test_without_the_owners_link_the_page_says_what_is_missing(strict, context):
    page = context.new_page()
    page.goto(strict[0].url)
    expect(page.get_by_role("status")).to_contain_text("You need the owner's link")


def test_a_link_opens_one_study_until_it_is_revoked(owner, browser):
    link = make(owner, "shared")
    friend = browser.new_context()
    page = friend.new_page()
    page.goto(link)
    expect(page.locator("#main")).to_have_attribute("data-state", "ready")
    assert "duelli_" not in page.url
    duel = page.locator("#main").get_attribute("data-duel")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#main")).not_to_have_attribute("data-duel", duel)
    expect(page.locator("#main")).to_have_attribute("data-state", "ready")
    owner.get_by_role("button", name="Revoke").click()
    expect(owner.locator("#tokens li")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status")).to_contain_text("This link is not valid any more")
    friend.close()
    expect(owner.locator("#count")).to_have_text("1 of at most 200 duels")


def test_a_new_link_is_made_and_copied(owner, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    first = make(owner, "copied")
    owner.get_by_role("button", name="Make a new link").click()
    expect(owner.locator("#tokens li")).to_have_count(2)
    second = owner.get_by_label("Link for people").input_value()
    assert first != second
    owner.get_by_role("button", name="Copy").click()
    expect(owner.get_by_role("button", name="Copied")).to_be_visible()
    assert owner.evaluate("navigator.clipboard.readText()") == second


def test_a_stranger_is_told_so(strict, owner, browser):
    make(owner, "private")
    stranger = browser.new_context()
    page = stranger.new_page()
    page.goto(f"{strict[0].url}/s/private")
    expect(page.get_by_role("status")).to_contain_text("This link is not valid any more")
    stranger.close()
