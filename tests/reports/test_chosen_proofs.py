"""The headline findings that somebody chooses for a report, and how they look on a screen."""

import re
from html import unescape

import openpyxl
import pandas as pd
import pytest

import toolkit as tk
from toolkit.interface.errors import InputError
from toolkit.reports.contents import PARTS, Part
from toolkit.reports.document import report_of
from toolkit.reports.page.headlines import headline_html, headline_style, small
from toolkit.reports.story import story_of


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture(scope="module")
def found(run):
    return run.findings()["sentence"].tolist()


@pytest.fixture(scope="module")
def story(run):
    return story_of(run)


def plain(text):
    """A text with blanks at which a line may end, as a finding has them."""
    return text.replace("\xa0", " ")


def titles(report):
    return [plain(part.title) for part in report.proofs]


def test_chosen_findings_are_the_proofs_in_their_order(run, found):
    for wanted in ([found[5], found[0], found[8]], [found[8]]):
        assert titles(report_of(run, proofs=wanted, parts=["proofs"])) == wanted


def test_every_finding_can_be_a_proof_in_every_format(run, found, tmp_path):
    for place in range(0, len(found), 3):
        three = found[place : place + 3]
        # Of slides, those whose findings have no picture, with all that is told beside them.
        ends, parts = (("xlsx", "html", "pptx"), PARTS[:3] + PARTS[4:]) if place == 3 else (("xlsx",), PARTS[:3])
        for end in ends:
            assert run.report(tmp_path / f"r.{end}", proofs=three, parts=parts).exists()
        cells = openpyxl.load_workbook(tmp_path / "r.xlsx").worksheets[0].iter_rows(values_only=True)
        whole = plain(" ".join(str(cell) for row in cells for cell in row))
        assert all(sentence[:60] in whole for sentence in three)


def test_chosen_finding_may_be_of_other_groups_than_those_that_are_compared(run, found):
    made = report_of(run, groups="audience_type", proofs=[found[0]], parts=["proofs"])
    assert titles(made) == [found[0]]
    assert made.proofs[0].chart is not None
    assert len(made.groups) > 1


def test_what_a_chosen_lead_says_is_not_said_again(run):
    lead = run.findings("price_signals").query("kind == 'lead'")["sentence"].iloc[0]
    usual, made = (
        report_of(run, groups="price_signals", proofs=proofs, parts=["proofs", "leads"]) for proofs in (None, [lead])
    )
    assert plain(lead) in [plain(part.title) for part in usual.parts_of("leads")]
    assert titles(made) == [plain(lead)]
    assert made.proofs[0].certainty == "a lead"
    assert plain(lead) not in [plain(part.title) for part in made.parts_of("leads")]


def test_the_answer_says_what_stands_out_where_a_count_alone_is_chosen(run, found, told):
    count = next(sentence for sentence in found if "are about Business and Finance" in sentence)
    assert report_of(run, proofs=[count], parts=["answer"]).answer == told().answer


@pytest.mark.parametrize(
    ("proofs", "said"),
    [
        ("All 8 news sites", "proofs must be sentences of findings"),
        (3, "proofs must be sentences of findings"),
        ([], "proofs must be one to 3 sentences"),
        ([1], "proofs must be one to 3 sentences"),
        (["a", "b", "c", "d"], "proofs must be one to 3 sentences of findings; given: 4"),
        (["32% of 62 sites show mid-price prices."], "The run has no finding '32% of 62 sites show mid-pri.*Nearest"),
    ],
)
def test_what_is_no_finding_is_refused(run, proofs, said):
    with pytest.raises(InputError, match=said):
        report_of(run, proofs=proofs)


def test_the_screen_is_told_what_the_report_tells(story, found, told):
    report = told()
    assert story.answer.replace("\xa0", " ") == report.answer.replace("\xa0", " ")
    assert [part.title for part in story.proofs.values()] == [part.title for part in report.proofs]
    assert set(story.proofs) <= set(found)


def test_headline_says_how_sure_it_is_what_it_rests_on_and_what_speaks_against_it(run, story):
    first, second, third = (words(headline_html(part)) for part in story.proofs.values())
    assert "likely measured All 7 shop listings whose business model is known live by e-commerce" in first
    assert "Against it: it is not known of 36 of the 62 sites" in first
    assert "Against it" not in second
    assert "a count of this list measured 13 % of 62 sites" in second
    assert "a count of this list inferred Most sites speak to consumers" in third
    said = run.findings("content_type")["sentence"]
    lives = said[said.str.contains("live by advertising, against")].iloc[0]
    part = report_of(run, groups="content_type", proofs=[lives], parts=["proofs"]).proofs[0]
    unsure = words(headline_html(part))
    assert "All 8 news sites live by advertising, against 5 of the 18 others whose business model is known." in unsure
    assert "Against it: it is not known of 36 of the 62 sites" in unsure


def test_headline_has_a_small_picture_with_what_the_sentence_is_about(story):
    for part in story.proofs.values():
        drawn = headline_html(part)
        strong = part.chart.frame.loc[part.chart.frame[part.chart.strong], part.chart.labels].tolist()
        assert 1 <= drawn.count('<li class="row') <= 6
        assert strong[0] in unescape(drawn)
        assert len(small(part.chart).frame) <= 5


def test_headline_of_hostile_names_is_text():
    hostile = "<img src=x onerror=alert(1)>"
    drawn = headline_html(Part("proofs", hostile, f"{hostile} sites.", (hostile,), against=hostile))
    assert "<img" not in drawn
    assert drawn.count("&lt;img") == 4


def test_style_of_headlines_touches_nothing_else():
    rules = re.sub(r"/\*.*?\*/", "", headline_style(), flags=re.DOTALL)
    depth, heads, text = 0, [], ""
    for letter in rules:
        if letter == "{":
            heads += [text.strip()] if depth == 0 else []
            depth, text = depth + 1, ""
        elif letter == "}":
            depth, text = depth - 1, ""
        else:
            text += letter
    assert depth == 0
    assert all("toolkit-headline" in part for head in heads for part in head.split(","))


def words(html):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html)))


def test_a_run_without_an_answer_has_an_answer_that_says_so():
    with tk.Client() as client:
        story = story_of(client.ask(["nowhere.example", "nothing.example"], ["segment"]))
    assert story.proofs == {}
    assert story.view is None
    assert story.answer.startswith("None of the 2 sites")


def test_a_run_of_one_site_tells_of_it():
    with tk.Client() as client:
        story = story_of(client.ask(pd.Series(["torque-journal.example"]), ["segment"]))
    assert story.answer.startswith("torque-journal.example ")
