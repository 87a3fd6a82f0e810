"""The page: it needs nothing else, says what it was given, and lets no text become markup."""

import base64
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from duelli.report import figures
from duelli.report.page import page
from duelli.report.sections import Picture, Section, section

from .samples import TRIALS, arc, claim, content_of, row, table_of

VOID = {"meta", "link", "img", "br"}
NASTY = "<script>alert('&\"')</script>"


class Reader(HTMLParser):
    """Reads a page into its tags, its words, and the cells of its tables."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.open, self.words, self.rows = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)
        if self.open and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data

    def every(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.fixture(scope="module")
def read(html):
    return Reader(html)


@pytest.fixture(scope="module")
def made(small):
    return content_of(small)


def words_of(content):
    return "".join(Reader(page(content)).words)


def test_every_element_is_closed(read):
    assert read.open == []


def test_nothing_is_loaded_from_elsewhere(html):
    assert not re.search(r"(https?:)?//|@import|url\(", re.sub(r"base64,[^\"]*", "", html))


def test_every_image_is_inside(read):
    assert all(image["src"].startswith("data:image/png;base64,") for image in read.every("img"))


def test_there_are_no_scripts(read):
    assert not read.every("script")


def test_the_policy_forbids_all_but_what_is_inside(read):
    policy = next(m["content"] for m in read.every("meta") if "http-equiv" in m)
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'unsafe-inline'")


def test_every_link_leads_to_a_place_on_the_page(read):
    places = {f"#{attrs['id']}" for _, attrs in read.tags if "id" in attrs}
    assert {link["href"] for link in read.every("a")} <= places


def test_the_contents_lead_to_every_experiment(read):
    assert {"href": "#experiment-small"} in read.every("a")


def test_no_two_elements_have_one_id(read):
    ids = [attrs["id"] for _, attrs in read.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_the_page_has_a_title(read):
    assert read.words[read.words.index("ARC-DuelLi, reproduced")]


@pytest.mark.parametrize(
    "text",
    [
        "It does not reproduce.",
        "Python 3.11",
        "2 cores",
        "A small one",
        "nowhere",
        "The gap falls.",
    ],
)
def test_the_page_says(read, text):
    assert text in read.words


def test_the_claims_come_before_the_experiments(html):
    assert html.index('id="claims"') < html.index('id="experiments"')


@pytest.mark.parametrize("verdict", ["holds", "fails", "cannot be checked as printed"])
def test_a_verdict_is_in_words(read, verdict):
    assert any(cells[0].endswith(verdict) for cells in read.rows)


def test_verdicts_are_told_apart_by_colour_too(read):
    classes = {span["class"] for span in read.every("span") if "verdict" in span.get("class", "")}
    assert classes == {"verdict holds", "verdict fails", "verdict open"}


def test_a_claim_has_all_its_parts(read):
    cells = next(cells for cells in read.rows if "✓" in cells[0])
    assert cells == ["✓ holds", "The gap falls.Section 7", "0.1 to 0.05", "It does."]


def test_the_claims_are_counted(made):
    twice = replace(made, claims=(claim(), claim(id="c2")))
    assert "2 ✓ holds" in words_of(twice)


def test_claims_that_could_not_be_judged_are_counted(made):
    words = words_of(replace(made, claims_missing=7))
    assert "Left out, because their trials were not run in the paper's setting: 7." in words


def test_nothing_is_said_of_missing_claims_if_there_are_none(made):
    assert "Left out" not in words_of(made)


def test_an_unknown_verdict_is_refused(made):
    with pytest.raises(ValueError, match=r"the verdict of c9 must be one of .*; got 'maybe'"):
        replace(made, claims=(claim(id="c9", verdict="maybe"),))


def test_every_panel_is_shown(read, small):
    assert len(read.every("img")) == len(small.panels)


def test_every_image_has_words_for_it(read):
    assert all(len(image["alt"]) > 20 for image in read.every("img"))


def test_every_image_states_its_size(read):
    assert all(int(i["width"]) > 300 and int(i["height"]) > 100 for i in read.every("img"))


def test_an_image_is_the_figure(small, read):
    embedded = base64.b64decode(read.every("img")[1]["src"].partition(",")[2])
    assert embedded == figures.png(figures.draw(small)["gap"])


def test_every_panel_has_a_caption(read):
    assert figures.CAPTIONS["gap"] in read.words


def test_the_page_says_how_to_run_it_again(read):
    assert "duelli reproduce --only small --out out" in read.words


def test_a_run_is_shown_with_its_setting(read):
    cells = next(cells for cells in read.rows if cells[0] == "ARC-DuelLi")
    assert cells[1:8] == [
        "arc_duelli",
        "two_cones",
        "logistic",
        "start = (0.9, 0.9)",
        "collapsed",
        "2e4",
        str(TRIALS),
    ]


def cells_of(run, rows=()):
    return section(table_of(run, rows={run.label: list(rows)}), {}).rows[0]


def test_a_run_is_shown_with_its_numbers():
    rows = [
        row(curve=((10, 4.0e6),), gaps=(0.1, 0.2)),
        row(curve=((10, 5.0e6),), gaps=(0.1,)),
    ]
    assert cells_of(arc(), rows)[8:] == ("4.5e6 ± 7.1e5", "1 to 2", "0.15 ± 0.071", "0.2")


def test_a_single_trial_has_no_deviation():
    assert cells_of(arc(), [row(curve=((10, 1234.0),))])[8] == "1230"


def test_a_run_that_is_not_finished_says_so():
    assert cells_of(arc())[8:] == ("not finished", "", "", "")


def test_every_row_has_a_cell_for_every_column(made):
    columns, rows = made.sections[0].columns, made.sections[0].rows
    assert {len(cells) for cells in rows} == {len(columns)}


def test_a_landscape_of_which_each_trial_has_a_copy_says_so():
    run = arc()
    copied = replace(run, setting=replace(run.setting, copies=True))
    assert cells_of(copied)[2] == "two_cones, one copy per trial"


def test_parts_of_what_was_measured_stand_on_lines_of_their_own(made):
    html = page(replace(made, claims=(claim(measured="flat: 1; <sharp>: 2"),)))
    assert "flat: 1;<br>&lt;sharp&gt;: 2</td>" in html


@pytest.mark.parametrize(
    ("horizon", "shown"),
    [(1, "1"), (9999, "9999"), (10**8, "1e8"), (10**10, "1e10"), (12345, "1.2345e4")],
)
def test_horizons_are_shown_in_short(horizon, shown):
    assert cells_of(arc(horizon=horizon))[6] == shown


def test_choices_are_stated(small, made):
    chosen = replace(small, choices=("δ is not stated: 0.05.",))
    words = words_of(replace(made, sections=(section(chosen, {}),)))
    assert "δ is not stated: 0.05." in words


def test_an_experiment_without_results_says_so(small, made):
    words = words_of(replace(made, sections=(section(small, {}),)))
    assert "No run of this experiment is finished." in words


def test_no_text_becomes_markup(made):
    picture = Picture(png=made.sections[0].pictures[0].png, alt=NASTY, caption=NASTY)
    nasty = Section(
        id="small",
        title=NASTY,
        where=NASTY,
        choices=(NASTY,),
        columns=(NASTY,) * 3,
        rows=((NASTY,) * 3,),
        pictures=(picture,),
        rerun=NASTY,
    )
    wicked = claim(id='"><script>', where=NASTY, says=NASTY, measured=NASTY, why=NASTY)
    content = replace(
        made,
        title=NASTY,
        lead=NASTY,
        headline=NASTY,
        facts=((NASTY, NASTY),),
        claims=(wicked,),
        sections=(nasty,),
    )
    assert not Reader(page(content)).every("script")


def test_text_arrives_as_it_was(made):
    assert NASTY in words_of(replace(made, headline=NASTY))


def test_the_same_content_gives_the_same_page(made, html):
    assert page(made) == html
