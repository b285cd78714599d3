"""The page of a report: one file that asks for nothing, in which everything can be read without its script."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from itertools import pairwise

import lxml.html
import pandas as pd
import pytest
from reports.decks import logo
from reports.made import HOSTILE, made_report

from toolkit.interface.errors import InputError
from toolkit.reports.brand import PLAIN, Brand
from toolkit.reports.contents import PARTS, Card, Chart, Column, Fact, Part, Series, Table
from toolkit.reports.contrast import contrast
from toolkit.reports.page.html import html_page

PNG = logo()
TWELVE = tuple(f"Group {place}" for place in range(12))


def page_of(report, brand=PLAIN):
    return lxml.html.fromstring(html_page(report, brand))


def texts(page, path):
    return [" ".join(found.text_content().split()) for found in page.xpath(path)]


def part(chart, **changed):
    return Part("profile", "Topics", "Three in ten.", chart=chart, **changed)


def page_with(chart, groups=(), **changed):
    return page_of(made_report(groups=groups, parts=(part(chart, **changed),)))


@pytest.fixture(scope="module")
def three():
    return page_of(made_report())


@pytest.fixture(scope="module")
def hostile():
    return html_page(made_report(hostile=True), PLAIN)


# One file --------------------------------------------------------------------------------------------------------


def test_policy_allows_one_style_sheet_and_one_script_by_their_hashes():
    text = html_page(made_report(), PLAIN)
    page = lxml.html.fromstring(text)
    [policy] = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    [script] = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    for rule, found in (("style-src", style), ("script-src", script)):
        assert rules[rule] == f"'sha256-{base64.b64encode(hashlib.sha256(found.encode()).digest()).decode()}'"
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy


@pytest.mark.parametrize("hostile", [False, True])
def test_nothing_is_asked_for_and_nothing_has_a_style_or_handler_of_its_own(hostile):
    page = page_of(made_report(hostile=hostile), replace(PLAIN, logo=PNG))
    names = {name for element in page.iter() if isinstance(element.tag, str) for name in element.attrib}
    assert not [name for name in names if name == "style" or name.startswith("on")]
    assert page.xpath("//@src") == [f"data:image/png;base64,{base64.b64encode(PNG).decode()}"]
    assert {address[0] for address in page.xpath("//@href")} == {"#"}
    assert page.xpath("//iframe | //object | //embed | //link | //base") == []


def test_same_report_gives_the_same_bytes():
    assert html_page(made_report(hostile=True), PLAIN) == html_page(made_report(hostile=True), PLAIN)


@pytest.mark.parametrize(
    ("given", "most"), [({}, 300_000), ({"groups": TWELVE}, 300_000), ({"sites": 1000, "groups": TWELVE}, 3_000_000)]
)
def test_page_is_small(given, most):
    assert len(html_page(made_report(**given), PLAIN).encode()) < most


def test_every_id_is_there_once_and_every_link_leads_to_one():
    page = page_of(made_report(hostile=True))
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {address.removeprefix("#") for address in page.xpath("//a/@href | //*[local-name()='use']/@href")} <= set(
        ids
    )


# What it says ----------------------------------------------------------------------------------------------------


def test_parts_stand_in_the_order_that_was_asked_for():
    order = ("sites", "answer", "profile", "methods")
    page = page_of(made_report(order=order))
    assert page.xpath("//main/section[contains(@class, 'part-')]/@id") == list(order)
    assert page.xpath("//nav/ul/li/a/@href") == [*(f"#{name}" for name in order), "#cards"]


def test_all_parts_are_written_and_those_that_are_empty_are_left_out(three):
    written = three.xpath("//main/section[contains(@class, 'part-')]/@id")
    assert written == list(PARTS)
    page = page_of(made_report(advice=(), proofs=()))
    assert page.xpath("//section[@id='advice'] | //section[@id='proofs']") == []


def test_headings_stand_in_order_and_name_their_parts(three):
    levels = [int(found.tag[1]) for found in three.xpath("//h1 | //h2[not(ancestor::dialog)] | //h3 | //h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    for name in three.xpath("//main//*[@aria-labelledby]/@aria-labelledby"):
        assert three.get_element_by_id(name) is not None


def test_everything_is_said_without_the_script():
    report = made_report(hostile=True)
    page = page_of(report)
    for script in page.xpath("//script"):
        script.getparent().remove(script)
    said = " ".join(page.text_content().split())
    expected = [report.title, report.client, report.subtitle, report.answer]
    for one in (*report.proofs, *report.parts):
        expected += [one.name, one.title, *one.text, *one.notes, one.footer, one.certainty, one.against, one.basis]
        expected += [cell for row in (one.table.rows() if one.table else []) for cell in row]
    for advice in report.advice:
        expected += [advice.what, advice.why, *advice.sites, advice.segment]
    for card in report.cards:
        expected += [card.site, card.group, *(fact.value for _, facts in card.facts for fact in facts)]
        expected += [fact.why for _, facts in card.facts for fact in facts]
    expected += [
        *report.methods.text,
        *report.methods.limits,
        *(text for fact in report.methods.facts for text in fact),
    ]
    assert [text for text in expected if " ".join(text.split()) not in said] == []


def test_hostile_texts_stay_text(hostile):
    page = lxml.html.fromstring(hostile)
    assert page.xpath("//img") == []
    assert len(page.xpath("//script")) == 2
    assert texts(page, "//h1") == [f"Audience report: 30 sites{HOSTILE}"]
    [data] = page.xpath("//script[@type='application/json']/text()")
    assert not set("<>&") & set(data)
    assert json.loads(data)["groups"][0]["name"] == f"{HOSTILE}Travel"


def test_certainty_is_a_word_and_a_mark_and_what_speaks_against_it_stands_beside(three):
    assert texts(three, "//*[contains(@class, 'sure') and not(*[@r])]")[:1] == ["clear"]
    assert texts(three, "//article[@id='proofs-1']//*[@class='against']") == [
        "Against it: two of the seven are the same publisher"
    ]
    marks = {lxml.html.tostring(mark) for mark in three.xpath("//*[@class='sure-mark']")}
    assert len(marks) == 3


def test_answer_that_is_empty_is_left_out():
    page = page_of(made_report(answer=""))
    assert page.xpath("//section[@id='answer'] | //nav//a[@href='#answer']") == []


def test_what_is_behind_the_story_is_folded_below_what_is_not():
    shown, behind = (
        Part("profile", name, f"{name} leads.", is_appendix=name == "Prices") for name in ("Age", "Prices")
    )
    page = page_of(made_report(parts=(behind, shown)))
    assert texts(page, "//section[@id='profile']/article//h3") == ["Age leads.", "Prices leads."]
    assert texts(page, "//details[@class='fold']/summary/h3") == ["Prices leads."]


def test_long_tables_are_folded_and_methods_tables_too(three):
    frame = pd.DataFrame({"topic": [f"Topic {place}" for place in range(60)]})
    table = Table("Topics on no site", frame, (Column("topic", "Topic"),))
    page = page_of(made_report(parts=(Part("coverage", "Gaps", "Sixty are missing.", table=table),)))
    [fold] = page.xpath("//article[@id='coverage-1']/details[.//table]")
    assert fold.xpath("string(summary)") == "The numbers (60 rows)"
    assert "first 50 of 60 rows" in fold.xpath("string(.//*[@class='cut'])")
    assert three.xpath("//section[@id='methods']//table[not(ancestor::details)]") == []


def test_source_that_parts_share_is_said_once():
    parts = [Part("profile", name, f"{name} leads.", footer=foot) for name, foot in zip("abc", "xxy", strict=True)]
    page = page_of(made_report(parts=tuple(parts)))
    assert texts(page, "//section[@id='profile']//*[@class='source']") == ["y", "x"]
    parts.append(Part("profile", "d", "d leads."))
    page = page_of(made_report(parts=tuple(parts)))
    assert texts(page, "//section[@id='profile']//*[@class='source']") == ["x", "x", "y"]


def test_inferred_is_said_once_where_what_speaks_against_it_says_it():
    against = "inferred: general knowledge of who reads such pages"
    page = page_of(made_report(parts=(Part("leads", "Age", "Young.", against=against, basis="inferred"),)))
    assert texts(page, "//article[@id='leads-1']//*[contains(@class, 'tag')]") == []
    assert page.xpath("string(//article[@id='leads-1'])").count("inferred") == 1


# Charts ----------------------------------------------------------------------------------------------------------


def test_bars_are_as_long_as_their_values_and_end_with_them():
    frame = pd.DataFrame({"label": ["a", "b", "c"], "share": [0.5, 0.25, None], "on": [True, False, False]})
    page = page_with(Chart("bars", "a 50 %", frame, "label", (Series("share", "all"),), strong="on"))
    assert page.xpath("//*[contains(@class, 'fill')]/@width") == ["100.0%", "50.0%", "0.0%"]
    assert texts(page, "//*[@class='end']") == ["50 %", "25 %", "–"]
    assert [("strong" in row) for row in page.xpath("//li[contains(@class, 'row')]/@class")] == [True, False, False]
    assert page.xpath("//figure/@aria-label") == ["a 50 %"]


def test_bars_run_back_from_nothing_where_values_are_below_it():
    frame = pd.DataFrame({"label": ["a", "b"], "less": [0.5, -0.5]})
    page = page_with(Chart("bars", "a", frame, "label", (Series("less", "all"),), form="points"))
    bars = page.xpath("//*[contains(@class, 'fill')]")
    assert [(bar.get("x"), bar.get("width")) for bar in bars] == [("50.0%", "50.0%"), ("0.0%", "50.0%")]
    assert texts(page, "//*[@class='end']") == ["+50", "−50"]


def test_dots_have_the_colour_of_their_group_a_shape_of_their_own_and_a_legend(three):
    chart = "//article[@id='proofs-1']"
    assert texts(three, f"{chart}//*[@class='keys']/li") == ["Travel", "Food", "Finance", "all other sites"]
    marks = three.xpath(f"({chart}//li[contains(@class, 'row')])[1]//*[local-name()='use']")
    assert len({mark.get("href") for mark in marks}) == 4
    chips = [use.get("class").split()[-1] for use in three.xpath("//*[@class='chips']//*[local-name()='use']")]
    assert set(chips) == {mark.get("class").split()[-1] for mark in marks} - {"rest"}


def test_marks_of_rows_that_the_claim_is_not_about_are_hollow(three):
    assert three.xpath("//article[@id='proofs-1']//li[contains(@class, 'row') and not(contains(@class, 'strong'))]")
    assert ".dots .row:not(.strong) .mark:not(.shape-rest) { fill: var(--paper); }" in three.xpath("string(//style)")


def test_dots_that_are_near_stand_below_one_another():
    frame = pd.DataFrame({"label": ["a"], "one": [0.5], "two": [0.51], "three": [1.0]})
    series = tuple(Series(name, name) for name in ("one", "two", "three"))
    page = page_with(Chart("dots", "a", frame, "label", series))
    marks = page.xpath("//figure//li//*[contains(@class, 'mark') and @data-group]")
    heights = {mark.get("x"): mark.get("y") for mark in marks if mark.getparent().get("class") == "plot"}
    assert heights["50.0%"] != heights["51.0%"]
    assert heights["50.0%"] == heights["100.0%"]


def test_two_dates_are_told_with_the_way_between_them(three):
    assert texts(three, "//article[@id='changes-1']//*[@class='ends' and *]") == ["4 %→18 %", "30 %→28 %"]
    assert len(three.xpath("//article[@id='changes-1']//*[@class='way']")) == 2


def test_heatmap_says_all_values_and_shows_those_that_are_clear(three):
    cells = three.xpath("//table[@class='heat']/tbody/tr[1]/td")
    assert [cell.xpath("string(*[contains(@class, 'value')])") for cell in cells] == ["−30", "+34", "−3"]
    assert [cell.xpath("string(*[@class='words'])") for cell in cells] == ["", "+34", ""]
    assert [cell.get("class") for cell in cells] == ["shade-2", "shade2", "shade0"]


def test_heatmap_of_twelve_groups_shows_all_of_them():
    page = page_of(made_report(groups=TWELVE))
    assert texts(page, "//table[starts-with(@class, 'heat')]//th[@scope='col']") == list(TWELVE)


def test_lines_have_gaps_where_values_are_missing_and_bands_where_there_are_intervals():
    frame = pd.DataFrame(
        {"day": ["1 May", "2 May", "3 May", "4 May"], "n": [1.0, None, 3.0, 4.0], "low": 0.5, "high": 4.0}
    )
    page = page_with(Chart("lines", "a", frame, "day", (Series("n", "sites", "low", "high"),), form="number"))
    [line] = page.xpath("//*[contains(@class, 'line line-')][@data-group]/@d")
    assert line.count("M") == 2
    assert len(page.xpath("//*[contains(@class, 'band')][@data-group]")) == 1
    assert texts(page, "//*[@class='keys']/li/span") == ["sites", "95 % interval"]
    assert texts(page, "//*[@class='below']/*") == ["1 May", "3 May", "4 May"]


def curve():
    """A curve that goes on beyond a list of three."""
    frame = pd.DataFrame(
        {
            "sites": range(1, 62),
            "seen": [float(place) if place <= 31 else None for place in range(1, 62)],
            "more": [float(place) if place >= 31 else None for place in range(1, 62)],
            "now": [31.0 if place == 31 else None for place in range(1, 62)],
            "all": 90.0,
        }
    )
    return Chart(
        "lines",
        "a curve",
        frame,
        "sites",
        (
            Series("seen", "seen"),
            Series("more", "expected", stroke="dashed"),
            Series("now", "the list", stroke="point"),
            Series("all", "estimate", stroke="dotted"),
        ),
        form="whole",
    )


def test_a_curve_is_dashed_beyond_the_list_marked_where_it_ends_and_read_on_round_numbers():
    page = page_with(curve())
    strokes = page.xpath("//*[contains(@class, 'line line-')][@data-group]/@class")
    assert [css.split()[1] for css in strokes] == ["line-0", "line-dashed", "line-dotted"]
    [mark] = page.xpath("//*[contains(@class, 'lines-plot')]/*[contains(@class, 'mark')]")
    assert mark.get("x") == "50.82%"
    assert texts(page, "//*[@class='keys']/li/span") == ["seen", "expected", "the list", "estimate"]
    assert texts(page, "//*[@class='below']/*") == ["0", "20", "40", "60"]


def test_each_row_of_a_chart_is_told_with_its_interval_and_what_else_is_said():
    frame = pd.DataFrame({"label": ["a"], "share": [0.5], "low": [0.25], "high": [0.75], "tip": ["x" * 40]})
    page = page_with(Chart("bars", "a", frame, "label", (Series("share", "all", "low", "high"),), tips="tip"))
    assert texts(page, "//*[contains(@class, 'told')]") == [f"50 % (25 % to 75 %); {'x' * 40}"]


@pytest.mark.parametrize("form", ["percent", "points", "whole", "number"])
@pytest.mark.parametrize("kind", ["bars", "dots", "slope", "lines", "heatmap"])
def test_charts_of_nothing_but_zeros_and_missing_values_are_drawn(kind, form):
    frame = pd.DataFrame({"label": ["a", "b"], "one": [0.0, None], "two": [None, 0.0]})
    chart = Chart(kind, "nothing", frame, "label", (Series("one", "one"), Series("two", "two")), form=form)
    assert page_with(chart).xpath("//figure/@aria-label") == ["nothing"]


@pytest.mark.parametrize("value", [1, 3, 7, 13, 71, 703, 0.3, 1234.5])
def test_ticks_are_round_and_different(value):
    frame = pd.DataFrame({"label": ["a"], "n": [value], "m": [0]})
    form = "whole" if value >= 1 else "percent"
    page = page_with(Chart("dots", "a", frame, "label", (Series("n", "n"), Series("m", "m")), form=form))
    ticks = texts(page, "//*[@class='tick']")
    assert len(ticks) == len(set(ticks)) >= 2


# Groups, tables, cards -------------------------------------------------------------------------------------------


def test_script_has_each_groups_own_values():
    page = page_of(made_report())
    data = json.loads(page.xpath("string(//script[@type='application/json'])"))
    assert [(group["name"], group["sites"]) for group in data["groups"]] == [
        ("Travel", 10),
        ("Food", 10),
        ("Finance", 10),
    ]
    own = data["own"]["chart-profile-1"]["1"]
    assert own["axis"] == "Share of 10 sites, %"
    assert [tuple(said) for _, *said in own["rows"]] == [
        ("10 %", "1 of 10 sites"),
        ("80 %", "8 of 10 sites"),
        ("50 %", "5 of 10 sites"),
        ("0 %", "0 of 10 sites"),
    ]


def test_without_groups_nothing_is_to_be_chosen():
    page = page_of(made_report(groups=()))
    assert page.xpath("//*[contains(@class, 'choice')]") == []


def test_numbers_of_tables_are_kept_in_the_unit_of_their_heading(three):
    [row] = three.xpath("//article[@id='profile-1']//tbody/tr[1]")
    assert [cell.get("data-v") for cell in row] == [None, "9", "30 17 48"]
    assert texts(row, "td[2]") == ["30 % (17 % to 48 %)"]


def test_names_of_sites_lead_to_their_cards(three):
    [link] = three.xpath("//article[@id='sites-1']//tbody/tr[4]/th/a")
    assert three.get_element_by_id(link.get("href").removeprefix("#")).xpath("string(h3)") == link.text


def test_site_without_a_card_is_no_link():
    frame = pd.DataFrame({"site": ["unknown.example"]})
    table = Table("Sites", frame, (Column("site", "Site"),), site="site")
    page = page_of(made_report(parts=(Part("sites", "Sites", "One site", table=table),)))
    assert page.xpath("//article[@id='sites-1']//a") == []


def test_cards_of_very_many_sites_are_in_the_page_once():
    page = page_of(made_report(sites=201))
    assert len(page.xpath("//article[@class='card']")) == 201
    assert "site-201" not in page.xpath("string(//script[@type='application/json'])")


def test_card_says_a_name_and_a_basis_once():
    facts = (
        Fact("Age", "35 to 44 years", "inferred", "medium confidence"),
        Fact("Age", "45 to 54 years", "inferred", "medium confidence"),
        Fact("Gender", "Women", "inferred", "high confidence"),
    )
    mixed = (Fact("Country", "US", "measured"), Fact("Size", "11-50", "inferred"))
    page = page_of(made_report(cards=(Card("a.example", "", (("Audience", facts), ("Company", mixed))),)))
    assert texts(page, "//article[@class='card']/h4") == ["Audience inferred", "Company"]
    assert texts(page, "//article[@class='card']//div") == [
        "Age35 to 44 years, 45 to 54 years medium confidence",
        "GenderWomen high confidence",
        "CountryUS measured",
        "Size11-50 inferred",
    ]


def test_card_says_ages_that_follow_each_other_as_the_table_of_sites_does():
    codes = {"35_44": "35 to 44 years", "45_54": "45 to 54 years", "55_64": "55 to 64 years"}
    facts = tuple(Fact("Age", words, "inferred", "", "age_bracket", code) for code, words in codes.items())
    page = page_of(made_report(cards=(Card("a.example", "", (("Audience", facts),)),)))
    assert texts(page, "//article[@class='card']//div") == ["Age35 to 64 years"]


def test_cards_of_sites_with_like_names_are_apart():
    facts = (("Audience", (Fact("Age", "35 to 44 years", "inferred", "much <b>text</b>"),)),)
    page = page_of(made_report(cards=tuple(Card(site, "", facts) for site in ("a b", "a<b", "a-b"))))
    assert page.xpath("//article[@class='card']/@id") == ["site-a-b", "site-a-b-2", "site-a-b-3"]
    assert texts(page, "(//article[@class='card'])[1]//dd") == ["35 to 44 years much <b>text</b>"]


# Brands ----------------------------------------------------------------------------------------------------------


def schemes(text):
    """Return the colours of a page, by name, in the light and in the dark."""
    blocks = re.findall(r":root \{\n(.*?)\n\}", text, re.DOTALL)
    return [dict(re.findall(r"--([\w-]+): #(\w{6});", block)) for block in blocks]


@pytest.mark.parametrize("colour", ["FFFF00", "00507D", "000000", "FFFFFF", "808080", "FF0000"])
def test_text_and_marks_stand_out_whatever_the_brand(colour):
    found = schemes(html_page(made_report(groups=TWELVE), Brand(colour=colour, accent=colour)))
    assert len(found) == 2
    for colours in found:
        for ground in ("paper", "panel"):
            for name in ("ink", "soft", "strong"):
                assert contrast(colours[name], colours[ground]) >= 4.5
            for name in ("mark", "beside", "rest", "other", *(name for name in colours if name.startswith("edge-"))):
                assert contrast(colours[name], colours[ground]) >= 3
        for step in range(-5, 6):
            assert contrast(colours[f"ink{step}"], colours[f"shade{step}"]) >= 4.5


def test_brand_colour_that_stands_out_is_kept():
    light, _ = schemes(html_page(made_report(), Brand(colour="7A0019")))
    assert light["strong"] == light["mark"] == light["brand"] == "7A0019"


@pytest.mark.parametrize("changed", [{"font": "x; } * { color: red"}, {"colour": "red; }"}, {"logo": b"<svg/>"}])
def test_brand_that_is_none_is_refused(changed):
    with pytest.raises(InputError):
        html_page(made_report(), replace(PLAIN, **changed))


@pytest.mark.parametrize("ask", ["segment", "enrich"])
def test_a_page_of_sites_that_all_failed_gives_no_warning(client, tmp_path, ask):
    run = client.ask(["nowhere.example"], ask, store=False)
    assert "nowhere.example" in run.report(tmp_path / "report.html").read_text(encoding="utf-8")
