"""Decks: the story in its order, on slides that can be edited, with nothing cut, laid over, small or without words."""

import io
import zipfile
from dataclasses import replace
from functools import lru_cache

import openpyxl
import pandas as pd
import pytest
from lxml import etree
from PIL import Image
from pptx.enum.chart import XL_CHART_TYPE, XL_MARKER_STYLE
from pptx.enum.dml import MSO_LINE
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.oxml.ns import qn
from pptx.util import Pt
from reports.decks import MANY, OLD, dark_template, faults, logo, opened, saved, usual_template
from reports.made import AT, FOOTER, HOSTILE, made_report

from toolkit.findings.insights.doubts import NOT_MEASURED
from toolkit.interface.errors import InputError
from toolkit.reports.brand import PLAIN, brand_of
from toolkit.reports.contents import Chart, Column, Methods, Part, Series, Table
from toolkit.reports.deck.slides import MOST_SLIDES, deck

BRANDS = {
    "plain": PLAIN,
    "logo": brand_of({"logo": logo(), "colours": ["#FFC400", "#2E7D32"], "font": "Georgia"}),
    "font": brand_of({"colours": ["#7A0019"], "font": "No Such Font"}),
}
TEMPLATES = {"usual": usual_template(), "dark": dark_template()}
LONG = "One of the longest claims that a report makes about a group of sites, which says it with all its words: 7 of 9"


def parts(file):
    with zipfile.ZipFile(io.BytesIO(file)) as package:
        assert len(package.namelist()) == len(set(package.namelist()))
        return {name: package.read(name) for name in package.namelist()}


@lru_cache
def usual_deck(look="plain"):
    """Return the deck of the usual report, made once."""
    return deck(made_report(), BRANDS.get(look, PLAIN), TEMPLATES.get(look))


@lru_cache
def hostile_deck():
    return deck(made_report(hostile=True), PLAIN)


def slides_of(report=None, brand=PLAIN, template=None):
    return list(opened(usual_deck() if report is None else deck(report, brand, template)).slides)


def looking(look):
    return list(opened(usual_deck(look)).slides)


def titles(report=None, **given):
    return [slide.shapes.title.text.replace("\N{NO-BREAK SPACE}", " ") for slide in slides_of(report, **given)]


def texts(slide):
    return "\n".join(shape.text_frame.text for shape in slide.shapes if shape.has_text_frame).replace("\xa0", " ")


def notes(slide):
    return slide.notes_slide.notes_text_frame.text.replace("\xa0", " ")


def with_chart(chart, **given):
    """Return the slide of a proof with a chart, and that chart's shape."""
    proof = Part("proofs", "Proof", "A claim.", ("A text.",), chart, footer=FOOTER, **given)
    slide = slides_of(made_report(proofs=(proof,), order=("proofs",)))[1]
    return slide, next(shape for shape in slide.shapes if shape.has_chart or shape.has_table)


def drawn(chart):
    return with_chart(chart)[1].chart


def bars(count=3, **given):
    frame = pd.DataFrame(
        {"label": [f"Row {place}" for place in range(count)], "share": [0.9 / (1 + place) for place in range(count)]}
    )
    frame["low"], frame["high"], frame["strong"] = frame["share"] * 0.8, frame["share"] * 1.05, frame.index == 1
    return Chart("bars", "Bars.", frame, "label", (Series("share", "all", "low", "high"),), axis="Share, %", **given)


# The story ------------------------------------------------------------------------------------------


def test_slides_tell_the_story_in_its_order():
    """Title, answer, proofs, what to do, what changed; behind a divider the evidence, the sites and the methods."""
    assert titles() == [
        "Audience report: 30 sites",
        "A list of travel and food sites for families; its travel sites reach families twice as often.",
        "Travel sites reach families twice as often as the rest: 7 of 9, against 8 of 21.",
        "What to do",
        "Luxury prices came to 4 of the 28 sites that were asked twice.",
        "Appendix",
        "Topics: most often Travel (9 of 30); age: most often 35 to 44 years (64 %).",
        "Travel stands out.",
        "12 of the 37 main topics are on none of the sites: Genres, Attractions and 10 more.",
        "Leads worth checking",
        "Ten more sites would show some two further topics.",
        "28 of 30 sites, with age and top interest (1 of 2)",
        "28 of 30 sites, with age and top interest (2 of 2)",
        "How these findings were made",
        "Methods and limits",
        "Sites without an answer",
    ]


def test_a_report_s_order_is_that_of_its_slides():
    """Parts stand as somebody ordered them, and those that were left out are on no slide and in no line."""
    assert titles(made_report(order=("advice", "answer", "leads"))) == [
        "Audience report: 30 sites",
        "What to do",
        "A list of travel and food sites for families; its travel sites reach families twice as often.",
        "Appendix",
        "Leads worth checking",
    ]
    (_, answer) = slides_of(made_report(order=("answer",)))
    assert "7 of 9" not in texts(answer) + notes(answer)


def test_an_appendix_alone_needs_no_divider():
    assert "Appendix" not in titles(made_report(order=("sites", "methods")))


def test_a_report_that_says_little_is_a_deck_too():
    """Where no site answered there is neither an answer nor a proof."""
    empty = made_report(answer="", proofs=(), advice=(), parts=(), methods=Methods(), client="", groups=(), cards=())
    assert titles(empty) == ["Audience report: 30 sites"]


def test_the_answer_s_proofs_have_their_certainty_in_word_and_mark():
    proof = made_report().proofs[0]
    three = tuple(replace(proof, certainty=word, title=f"It is {word}.") for word in ("clear", "likely", "a lead"))
    lines = texts(slides_of(made_report(proofs=three, order=("answer", "proofs")))[1]).split("\n")
    assert lines[1:4] == ["● clear\tIt is clear.", "◐ likely\tIt is likely.", "○ a lead\tIt is a lead."]


def test_advice_stands_with_its_reason():
    (slide,) = [slide for slide in slides_of() if slide.shapes.title.text == "What to do"]
    assert "Audience\tName families.\n15 of 28 sites reach them." in texts(slide)
    assert "Segment: LIFE.PARENTS_YOUNG" in notes(slide)


def test_more_advice_than_a_slide_holds_goes_on_the_next():
    report = made_report()
    long = tuple(replace(report.advice[0], what=f"{place}: {LONG}.", why=LONG) for place in range(9))
    told = slides_of(replace(report, advice=long, order=("advice",)))[1:]
    assert len(told) > 1
    assert [slide.shapes.title.text for slide in told] == [
        f"What to do ({place} of {len(told)})".replace(" of ", "\xa0of\xa0") for place in range(1, len(told) + 1)
    ]
    assert all(f"{place}: {LONG}." in "".join(map(texts, told)) for place in range(9))


def test_a_claim_with_nothing_to_show_has_no_slide_of_its_own():
    """A null such as "no group differed" is no slide; leads share one."""
    null = Part("groups", "Groups", "No group differed.")
    leads = tuple(Part("leads", f"Lead {place}", f"It may be {place}.", certainty="a lead") for place in range(3))
    told = slides_of(made_report(parts=(null, *leads), order=("groups", "leads")))
    assert [slide.shapes.title.text for slide in told[1:]] == ["Leads worth checking"]
    assert all(lead.title in texts(told[1]) for lead in leads)


def test_a_proof_has_what_speaks_against_it_its_certainty_and_where_it_is_from():
    proof = replace(made_report().proofs[0], text=("Seven of the nine.",))
    slide = slides_of(made_report(proofs=(proof,), order=("answer", "proofs")))[2]
    for words in ("● clear", "inferred, not measured", "Seven of the nine.", "But: two of the seven are", FOOTER):
        assert words in texts(slide)


@pytest.mark.parametrize("look", ["plain", *TEMPLATES])
def test_what_is_inferred_says_so_on_its_slide(look):
    """Also where no text stands beside the picture."""
    topics, ages = (part for part in made_report().parts if part.of == "profile")
    for part, is_inferred in ((ages, True), (topics, False)):
        report = made_report(parts=(part,), order=("profile",))
        told = texts(slides_of(report, template=TEMPLATES.get(look))[1])
        assert told.count("Inferred, not measured") == is_inferred
    both = texts(next(slide for slide in looking(look) if slide.shapes.title.text.startswith("Topics: most often")))
    assert both.count("Inferred, not measured") == 1


def test_that_something_is_inferred_is_told_once():
    """On the slide, in the notes, and where it stands among what speaks against a claim."""
    against = f"{NOT_MEASURED}; two of the seven are the same publisher"
    note = f"What speaks against it: {against}."
    proof = replace(made_report().proofs[0], against=against, notes=(note,), text=("Seven of the nine.",))
    lead = replace(proof, of="leads", chart=None, table=None, text=())
    slides = slides_of(made_report(proofs=(proof,), parts=(lead,), order=("proofs", "leads")))
    assert texts(slides[1]).count("nferred") == 1
    assert "But: two of the seven" in texts(slides[1])
    assert NOT_MEASURED not in "".join(texts(slide) + notes(slide) for slide in slides)
    assert notes(slides[1]).count("two of the seven are the same publisher") == 1
    measured = replace(proof, basis="measured")
    assert measured.doubts == against


def small_part(name, rows=3, **given):
    return Part("profile", name, f"{name}: {LONG}.", chart=bars(rows), footer=FOOTER, **given)


@pytest.mark.parametrize("look", ["plain", "usual"])
def test_small_parts_of_the_profile_stand_two_on_a_slide(look):
    """Each with its claim above its picture, and what is said of both once, below."""
    said = "General knowledge of such readers."
    parts_ = (
        small_part("Gender", text=(said, "Nothing of it is known of 3."), basis="inferred"),
        small_part("Topics", 12),
        small_part("Income", 6, text=(said,), basis="inferred"),
        small_part("Age"),
    )
    file = deck(made_report(parts=parts_, order=("profile",)), PLAIN, TEMPLATES.get(look))
    slides = opened(file)
    assert faults(slides) == []
    told = {slide.shapes.title.text.replace("\xa0", " "): slide for slide in slides.slides}
    names = [title.split(":")[0] for title in list(told)[1:]]
    assert names == ["Gender", "Topics", "Age"]
    both = told[list(told)[1]]
    assert "; income: most often " in list(told)[1]
    assert [shape.has_chart for shape in both.shapes][1:5] == [False, True, False, False]
    assert sum(shape.has_chart for shape in both.shapes) == 2
    claims = [
        shape for shape in both.shapes if shape.has_text_frame and LONG in shape.text_frame.text.replace("\xa0", " ")
    ]
    runs = [shape.text_frame.paragraphs[0].runs[0].font for shape in claims]
    assert [(font.size.pt, font.bold) for font in runs] == [(16, True)] * 2
    assert texts(both).count(said) == texts(both).count("Inferred, not measured") == 1
    assert "Nothing of it is known of 3." in texts(both)
    assert all(part.title in notes(both) for part in parts_[::2])


def test_small_parts_that_have_no_room_beside_each_other_have_a_slide_each():
    pair = small_part("Gender", 6, text=("A text. " * 15,)), small_part("Income", 6)
    long = replace(bars(6), frame=bars(6).frame.assign(label=[f"{'a long name ' * 6}{place}" for place in range(6)]))
    named = small_part("Gender"), replace(small_part("Income"), chart=long)
    assert [title.split(":")[0] for title in titles(made_report(parts=named, order=("profile",)))[1:]] == [
        "Gender",
        "Income",
    ]
    slides = opened(deck(made_report(parts=pair, order=("profile",)), PLAIN, TEMPLATES["dark"]))
    assert faults(slides) == []
    told = [slide.shapes.title.text.split(":")[0] for slide in slides.slides]
    assert told[1:] == ["Gender", "Income"]


def test_a_source_of_one_of_two_pictures_has_its_name():
    pair = small_part("Gender"), replace(small_part("Income"), footer=f"{FOOTER} · 9 sites tell")
    slide = slides_of(made_report(parts=pair, order=("profile",)))[1]
    assert f"{FOOTER} · Income: 9 sites tell" in texts(slide)


def test_few_rows_stand_in_the_middle_of_their_place_with_the_text_beside():
    for chart, most in (
        (bars(2), 43 * 2 + 34),
        (replace(made_report().proofs[0].chart, frame=two_rows()), 43 * 3 + 90),
    ):
        slide, shape = with_chart(chart)
        layout = next(one for one in slide.slide_layout.placeholders if one.placeholder_format.idx == 13)
        assert shape.height <= Pt(most)
        assert abs((shape.top - layout.top) - (layout.top + layout.height - shape.top - shape.height)) <= 2
        (text,) = [one for one in slide.shapes if one.has_text_frame and one.text_frame.text == "A text."]
        assert text.top == shape.top
    _, shape = with_chart(bars(12))
    assert shape.height == layout.height


def two_rows():
    return made_report().proofs[0].chart.frame.head(2)


def test_long_names_of_sites_leave_what_to_do_on_one_slide():
    """They are cut in their middle; the notes have them whole."""
    sites = [f"{'a-very-long-name-of-a-publisher-' * 4}{place}.example" for place in range(5)]
    advice = replace(made_report().advice[0], what=f"Take {', '.join(sites)}.", sites=tuple(sites))
    report = made_report()
    (slide,) = slides_of(replace(report, advice=(advice, *report.advice[1:]), order=("advice",)))[1:]
    assert slide.shapes.title.text == "What to do"
    assert all(f"{place}.example" in texts(slide) for place in range(5))
    assert sites[0] not in texts(slide)
    assert sites[0] in notes(slide)


def test_notes_hold_the_detail():
    said = notes(slides_of()[2])
    for words in (
        "The difference is 40 points; 95 % interval 5 to 66.",
        "Two of the seven are the same publisher.",
        "Certainty: clear.",
        "Sites that show it: site-1.example, site-2.example",
        "Families: Travel, % of sites 0 %",
        FOOTER,
    ):
        assert words in said


# How it looks ------------------------------------------------------------------------------------------


CASES = {
    "three": {},
    "many": {"groups": MANY},
    "none": {"groups": ()},
    "hostile": {"hostile": True},
    "hostile_many": {"hostile": True, "groups": MANY},
    "few_sites": {"sites": 8},
    "thousand_sites": {"sites": 1000},
}
SEVERE = {"three", "hostile_many"}


@pytest.mark.parametrize(
    ("case", "look"),
    [(case, look) for case in CASES for look in [*BRANDS, *TEMPLATES] if case in SEVERE or look in {"logo", "dark"}],
)
def test_nothing_lies_over_another_thing_or_beyond_its_box(case, look):
    report = made_report(**CASES[case])
    long = replace(report.proofs[0], title=LONG, text=("A text with some words. " * 8,), certainty="likely")
    report = replace(report, proofs=(*report.proofs, long), answer=f"{LONG}; {LONG}.")
    slides = opened(deck(report, BRANDS.get(look, PLAIN), TEMPLATES.get(look)))
    assert faults(slides) == []
    assert not slides.slides[1].shapes.title.text.endswith("…")
    for slide in slides.slides:
        numbers = [shape.shape_id for shape in slide.shapes]
        assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("look", ["plain", *TEMPLATES])
def test_no_text_of_a_chart_is_below_12_points(look):
    file = usual_deck(look)
    charts = [content for name, content in parts(file).items() if name.startswith("ppt/charts/chart")]
    assert charts
    for content in charts:
        sizes = [int(size) for size in etree.fromstring(content).xpath("//@sz")]
        assert sizes
        assert min(sizes) >= 1200


def test_titles_are_of_one_size_and_what_is_too_long_for_two_lines_stands_beside():
    report = made_report()
    parted = (
        "40 of the 44 sites whose readers' age is known reach people of 35 to 44 years, followed by 45 to 54 years "
        "(32)."
    )
    proofs = [replace(report.proofs[0], title=title) for title in (report.proofs[0].title, parted, LONG)]
    slides = slides_of(replace(report, proofs=proofs, order=("answer", "proofs")))[2:5]
    sizes = [slide.shapes.title.text_frame.paragraphs[0].runs[0].font.size.pt for slide in slides]
    assert sizes[:2] == [28, 28]
    assert sizes[2] < 28
    assert slides[1].shapes.title.text.replace("\xa0", " ") == f"{parted.split(', followed', maxsplit=1)[0]}."
    assert "Followed by 45 to 54 years (32)." in texts(slides[1])
    assert parted in notes(slides[1])
    # What cannot be parted is whole, in smaller type.
    assert slides[2].shapes.title.text.replace("\xa0", " ") == LONG


def test_the_answer_does_not_say_what_the_first_proof_says_below_it():
    report = made_report(order=("answer", "proofs"))
    proof = replace(report.proofs[0], title="All fly, against 5 of 9.")
    answer = "A list of kites; all fly, against 5 of 9 (it is not known of 3)."
    slide = slides_of(replace(report, answer=answer, proofs=(proof,)))[1]
    assert slide.shapes.title.text == "A list of kites."
    assert "All fly, against 5 of 9 (it is not known of 3)." in texts(slide).replace("\xa0", " ")
    assert answer in notes(slide)
    other = slides_of(replace(report, answer="A list of kites; some sing.", proofs=(proof,)))[1]
    assert other.shapes.title.text == "A list of kites; some sing."


def test_rows_of_a_long_table_are_shared_out_among_its_slides_and_have_a_line_each_where_there_is_room():
    slides = slides_of(made_report(sites=62, order=("sites",)))
    slides = [slide for slide in slides if "with age and" in slide.shapes.title.text]
    rows = [len(shape.table.rows) - 1 for slide in slides for shape in slide.shapes if shape.has_table]
    assert sum(rows) == 62
    assert max(rows) - min(rows) <= 4
    assert min(rows[:-1]) >= 14


def test_sentences_of_the_methods_are_whole_where_there_is_room():
    long = (
        "3: the page has too little text; 1: the page could not be found; 1: the site does not let the service in. " * 3
    )
    slides = slides_of(made_report(methods=Methods((("Why some did not", long),)), order=("methods",)))
    cells = [cell.text for shape in slides[-1].shapes if shape.has_table for cell in shape.table.iter_cells()]
    assert long in cells


def test_a_theme_has_the_brand_s_colours_and_font():
    """Whoever edits the deck finds them in the menus."""
    file = usual_deck("logo")
    theme = etree.fromstring(parts(file)["ppt/theme/theme1.xml"])
    colours = theme.find(f".//{qn('a:clrScheme')}")
    assert [colours.find(f"{qn(f'a:accent{place}')}/{qn('a:srgbClr')}").get("val") for place in (1, 2)] == [
        "FFC400",
        "2E7D32",
    ]
    assert {face.get("typeface") for face in theme.iter(qn("a:latin"))} == {"Georgia"}
    presentation = opened(file)
    assert [shape.name for shape in presentation.slide_master.shapes if shape.shape_type == 13] == ["Logo"]
    assert presentation.slide_width / presentation.slide_height == pytest.approx(16 / 9)


def test_layouts_have_placeholders_that_the_slides_fill():
    presentation = opened(usual_deck())
    assert [layout.name for layout in presentation.slide_layouts] == [
        "Title",
        "Answer",
        "Proof",
        "Advice",
        "Section",
        "Table",
    ]
    proof = presentation.slides[2]
    assert {holder.placeholder_format.type for holder in proof.placeholders} == {
        PP_PLACEHOLDER.TITLE,
        PP_PLACEHOLDER.OBJECT,
        PP_PLACEHOLDER.BODY,
        PP_PLACEHOLDER.FOOTER,
        PP_PLACEHOLDER.SLIDE_NUMBER,
    }
    assert all(shape.is_placeholder for shape in proof.shapes)


@pytest.mark.parametrize("look", [*BRANDS, *TEMPLATES])
def test_slides_have_titles_numbers_and_words_for_their_pictures(look):
    slides = looking(look)
    for place, slide in enumerate(slides):
        assert slide.shapes.title is not None
        assert slide.shapes.title == slide.shapes[0]
        fields = [field.get("type") for field in slide._element.iter(qn("a:fld"))]
        assert fields == (["slidenum"] if place else [])
        for shape in slide.shapes:
            if not shape.has_text_frame:
                assert shape._element.nvGraphicFramePr.cNvPr.get("descr")
            else:
                assert shape.text_frame.text.strip()


def test_a_pale_colour_is_kept_off_words_and_bars():
    """Yellow on white is not read: the accent stands in."""
    chart = next(shape.chart for shape in looking("logo")[6].shapes if shape.has_chart)
    (series,) = chart.plots[0].series
    assert series.format.fill.fore_color.theme_color == 6  # accent 2


# Charts ------------------------------------------------------------------------------------------


def test_bars_have_their_values_and_highlight_and_no_line_across_the_values():
    chart = drawn(bars(strong="strong"))
    assert chart.chart_type == XL_CHART_TYPE.BAR_CLUSTERED
    (series,) = chart.plots[0].series
    assert series.values == (0.9, 0.45, 0.3)
    assert list(chart.plots[0].categories) == ["Row 0", "Row 1", "Row 2"]
    assert chart.category_axis.reverse_order
    assert series.data_labels.show_value
    assert series.data_labels.number_format == "0 %"
    assert [fill.find(".//" + qn("a:srgbClr")).get("val") for fill in series._element.findall(qn("c:dPt"))] == [
        "C4C4C4",
        "C4C4C4",
    ]
    assert series._element.find(qn("c:errBars")) is None
    assert chart.value_axis.axis_title.text_frame.text == "Share, %"


def test_bars_of_counts_say_of_how_many():
    slides = slides_of()
    chart = next(shape.chart for shape in slides[8].shapes if shape.has_chart)
    assert list(chart.plots[0].categories) == ["Travel (6 of 71)", "Sports (4 of 73)"]


def test_bars_of_few_sites_are_as_many_as_their_claim_counts():
    """From 50 sites on they are shares, as in sentences."""
    few, many = (
        drawn(
            Chart(
                "bars",
                "Bars.",
                pd.DataFrame(
                    {"label": ["a", "b"], "share": [2 / 3, 1 / 3], "tip": [f"{k} of {n} sites" for k in told]}
                ),
                "label",
                (Series("share", "all"),),
                axis=f"Share of {n} sites that tell it, %",
                tips="tip",
            )
        )
        for n, told in ((3, (2, 1)), (60, (40, 20)))
    )
    assert list(few.plots[0].series[0].values) == [2, 1]
    assert few.value_axis.axis_title.text_frame.text == "Number of the 3 sites that tell it"
    assert list(few.plots[0].categories) == ["a", "b"]
    assert list(many.plots[0].series[0].values) == pytest.approx([2 / 3, 1 / 3])
    assert many.value_axis.axis_title.text_frame.text == "Share of 60 sites that tell it, %"


def test_values_of_bars_are_in_one_line():
    bodies = list(drawn(bars()).plots[0].series[0].data_labels._element.iter(qn("a:bodyPr")))
    assert [body.get("wrap") for body in bodies] == ["none"]


def test_dots_have_a_mark_a_group_in_its_colour_and_shape_and_a_name_a_row():
    report = made_report()
    chart = next(shape.chart for shape in slides_of()[2].shapes if shape.has_chart)
    assert chart.chart_type == XL_CHART_TYPE.XY_SCATTER
    rest, *groups, rows = chart.plots[0].series
    assert [series.name for series in (rest, *groups)] == ["all other sites", "Travel", "Food", "Finance"]
    assert [str(series.marker.format.fill.fore_color.rgb) for series in groups] == [
        group.color for group in report.groups
    ]
    assert str(rest.marker.format.fill.fore_color.rgb) == "7F7F7F"
    assert len({series.marker.style for series in groups}) == 3
    names = [point.data_label.text_frame.text.strip() for point in (rows.points[place] for place in range(7))]
    assert names == list(report.proofs[0].chart.frame["label"])
    assert chart.has_legend
    hidden = [entry.find(qn("c:idx")).get("val") for entry in chart.legend._element.iter(qn("c:legendEntry"))]
    assert hidden == ["4"]


def test_marks_of_rows_that_the_claim_is_not_about_are_pale():
    """They show what lies beside it; filled they looked as proven as the row that is."""
    frame = pd.DataFrame({"label": ["a", "b"], "x": [0.5, 0.2], "y": [0.3, 0.8], "strong": [True, False]})
    series = (Series("x", "X", color="AA4499"), Series("y", "Y", is_rest=True))
    rest, group, _ = drawn(Chart("dots", "Dots.", frame, "label", series, strong="strong")).plots[0].series
    assert str(group.marker.format.fill.fore_color.rgb) == "AA4499"
    points = {int(point.find(qn("c:idx")).get("val")): point for point in group._element.iter(qn("c:dPt"))}
    assert list(points) == [1]
    mark = points[1].find(qn("c:marker"))
    # Some programs draw no edge: what is hollow would be gone.
    fill, edge = mark.iter(qn("a:srgbClr"))
    assert (fill.get("val"), edge.get("val")) == ("AA4499", "AA4499")
    assert int(fill.find(qn("a:lumOff")).get("val")) > 50_000
    assert int(mark.find(qn("c:size")).get("val")) < group.marker.size
    assert not list(rest._element.iter(qn("c:dPt")))


def test_marks_that_meet_stand_side_by_side():
    frame = pd.DataFrame({"label": ["a", "b"], "x": [0.5, 0.2], "y": [0.5, 0.8]})
    chart = drawn(Chart("dots", "Dots.", frame, "label", (Series("x", "X"), Series("y", "Y", is_rest=True))))
    heights = {
        series.name: [float(v.text) for v in series._element.find(qn("c:yVal")).iter(qn("c:v"))]
        for series in chart.plots[0].series
    }
    assert heights["X"][0] != heights["Y"][0]
    assert heights["X"][1] == heights["Y"][1] == 1


def matrix():
    """Return a heatmap of twelve rows and groups."""
    frame = pd.DataFrame({"label": [f"Row {place}" for place in range(12)]})
    for place, name in enumerate(MANY):
        frame[name] = [(place - row) / 12 for row in range(12)]
        frame[f"{name} words"] = [f"+{row}" if row == place else "" for row in range(12)]
    series = tuple(Series(name, name, words=f"{name} words") for name in MANY)
    return Chart("heatmap", "Heat.", frame, "label", series, axis="Points", form="points")


@pytest.mark.parametrize("look", ["plain", *TEMPLATES])
def test_a_heatmap_of_twelve_groups_fits_everywhere(look):
    """Texts beside it are in the notes where there is not room for all."""
    part = Part("groups", "Groups", LONG, ("One text. " * 8,), matrix(), footer=FOOTER, certainty="clear")
    slides = opened(deck(made_report(parts=(part,), order=("groups",)), PLAIN, TEMPLATES.get(look)))
    assert faults(slides) == []
    assert "One text." in notes(slides.slides[1])
    assert "Blue: more" in texts(slides.slides[1])


def test_a_heatmap_shows_all_groups_and_words_only_where_they_are_given():
    _, shape = with_chart(matrix())
    rows = [[cell.text.replace("\v", " ") for cell in row.cells] for row in shape.table.rows]
    assert len(rows) == 13
    assert [head.replace(" ", "") for head in rows[0][1:]] == [name.replace(" ", "") for name in MANY]
    assert rows[5] == ["Row 4", *[""] * 4, "+4", *[""] * 7]
    fills = {str(row.cells[1].fill.fore_color.rgb) for row in list(shape.table.rows)[1:]}
    assert len(fills) == 12


def test_a_slope_s_ends_are_named_from_the_data_and_do_not_meet():
    frame = pd.DataFrame({"label": list("abcd"), "then": [0.1, 0.101, 0.102, 0.5], "now": [0.3, 0.2, 0.2, 0.6]})
    chart = drawn(Chart("slope", "Slope.", frame, "label", (Series("then", "1 May"), Series("now", "1 June"))))
    assert chart.chart_type == XL_CHART_TYPE.LINE_MARKERS
    assert list(chart.plots[0].categories) == ["1 May", "1 June"]
    first = chart.plots[0].series[0]
    assert (first.name, *first.values) == ("a", 0.1, 0.3)
    first = [series._element.findall(f".//{qn('c:dLbl')}")[0] for series in chart.plots[0].series]
    assert all(label.find(qn("c:showSerName")).get("val") == "1" for label in first)
    shifts = [label.find(f".//{qn('c:y')}") for label in first]
    assert [shift is None for shift in shifts] == [False, True, False, True]
    assert float(shifts[0].get("val")) > 0.03
    assert float(shifts[2].get("val")) < -0.03


def test_lines_have_both_axes_named():
    slides = slides_of()
    chart = next(shape.chart for shape in slides[10].shapes if shape.has_chart)
    assert chart.value_axis.axis_title.text_frame.text == "Topics, number"
    assert chart.category_axis.axis_title.text_frame.text == "Sites, number"


def test_a_curve_is_dashed_beyond_the_list_marked_where_it_ends_and_its_intervals_are_in_the_legend_once():
    frame = pd.DataFrame(
        {
            "sites": range(1, 5),
            "seen": [1.0, 2.0, None, None],
            "more": [None, 2.0, 3.0, 4.0],
            "now": [None, 2.0, None, None],
            "all": 9.0,
            "low": [0.5, 1.0, None, None],
            "high": [2.0, 3.0, None, None],
        }
    )
    series = (
        Series("seen", "seen", "low", "high"),
        Series("more", "expected", stroke="dashed"),
        Series("now", "the list", stroke="point"),
        Series("all", "estimate", stroke="dotted"),
    )
    chart = drawn(Chart("lines", "A curve.", frame, "sites", series, form="whole"))
    lines = {line.name: line for line in chart.plots[0].series}
    assert {name: len(list(line.values)) for name, line in lines.items()} == {
        "estimate": 4, "expected": 3, "seen": 2, "95 % interval": 2, "the list": 1,
    }  # fmt: skip
    # LibreOffice draws no line that stands before a longer one.
    assert next(iter(lines)) == "estimate"
    assert lines["expected"].format.line.dash_style == MSO_LINE.DASH
    assert lines["the list"].marker.style == XL_MARKER_STYLE.CIRCLE
    hidden = chart.legend._element.findall(qn("c:legendEntry"))
    named = [line.name for line in chart.plots[0].series]
    shown = [
        name
        for place, name in enumerate(named)
        if str(place) not in {one.find(qn("c:idx")).get("val") for one in hidden}
    ]
    assert sorted(shown) == ["95 % interval", "estimate", "expected", "seen", "the list"]


def test_differences_are_in_points_on_charts_too():
    frame = pd.DataFrame({"label": ["a", "b"], "x": [0.25, -0.1]})
    chart = drawn(Chart("bars", "Bars.", frame, "label", (Series("x", "X"),), form="points"))
    assert chart.plots[0].series[0].values == (25, -10)
    assert chart.value_axis.minimum_scale < -10


def test_texts_behind_charts_are_no_formulas():
    file = hostile_deck()
    books = [content for name, content in parts(file).items() if name.startswith("ppt/embeddings/")]
    cells = [
        cell
        for content in books
        for row in openpyxl.load_workbook(io.BytesIO(content)).active.iter_rows()
        for cell in row
    ]
    assert any(HOSTILE in str(cell.value) or "<img" in str(cell.value) for cell in cells)
    assert all(cell.data_type != "f" for cell in cells)


# Tables ------------------------------------------------------------------------------------------


def test_sites_stand_on_as_many_slides_as_are_told():
    slides = slides_of(made_report(sites=1000, order=("sites",)))
    slides = [slide for slide in slides if "28 of 30 sites, with" in notes(slide)]
    assert len(slides) == MOST_SLIDES
    shown = sum(len(shape.table.rows) - 1 for slide in slides for shape in slide.shapes if shape.has_table)
    assert f"to {shown} of 1,000, the rest in the workbook" in texts(slides[-1])
    assert shown > 100


def test_no_text_below_a_table_is_cut():
    """The last one is left out where there is no room for it, as the table tells the rest."""
    text = "Within topics that the list has, the largest gaps are " + ", ".join(
        ["Business and Finance > Industries"] * 4
    )
    texts_ = (text, *[text.replace("Within", f"{place} within") for place in range(4)])
    frame = pd.DataFrame({"name": [f"Row {row}" for row in range(40)]})
    part = Part("coverage", "Gaps", "A claim.", texts_, None, Table("Rows", frame, (Column("name", "Name"),)))
    [slide] = [one for one in slides_of(made_report(parts=(part,), order=("coverage",))) if "Rows 1" in texts(one)]
    assert text in texts(slide)
    assert "…" not in texts(slide)


def test_notes_hold_as_many_rows_as_a_picture():
    report = made_report()
    frame = pd.DataFrame({"label": [f"Value {row}" for row in range(40)], "share": [0.5] * 40})
    table = Table("Values", frame, (Column("label", "Value"), Column("share", "Share, %", "percent")))
    said = notes(
        slides_of(replace(report, proofs=(replace(report.proofs[0], table=table),), order=("answer", "proofs")))[2]
    )
    assert "Value 11: Share, % 50 %" in said
    assert "Value 12:" not in said
    assert "28 more rows in the workbook." in said


def test_columns_that_no_slide_has_room_for_are_told():
    frame = pd.DataFrame({f"c{place}": [f"value {place}"] for place in range(40)})
    table = Table("Wide", frame, tuple(Column(name, name) for name in frame))
    part = Part("sites", "Sites", "All sites.", table=table)
    slides = opened(deck(made_report(parts=(part,), order=("sites",)), PLAIN))
    slide = slides.slides[1]
    (shape,) = [shape for shape in slide.shapes if shape.has_table]
    assert f"{40 - len(shape.table.columns)} columns more in the workbook" in texts(slide)
    assert faults(slides) == []


def test_columns_that_say_the_same_in_every_row_stand_once():
    """Such as the group and the top topic of sites that are grouped by it."""
    frame = pd.DataFrame({"site": [f"{place}.example" for place in range(12)], "topic": ["Travel", "Sports"] * 6})
    frame["group"], frame["one"], frame["same"] = frame["topic"], "yes", "yes"
    columns = [Column(name, name.capitalize()) for name in ("site", "group", "topic", "one", "same")]
    for rows, headings in ((12, ["Site", "Group and topic", "One", "Same"]), (2, [c.heading for c in columns])):
        part = Part("sites", "Sites", "All sites.", table=Table("Sites", frame.head(rows), tuple(columns)))
        slide = slides_of(made_report(parts=(part,), order=("sites",)))[1]
        (shape,) = [shape for shape in slide.shapes if shape.has_table]
        assert [cell.text for cell in shape.table.rows[0].cells] == headings
        assert [cell.text for cell in shape.table.rows[1].cells][:2] == ["0.example", "Travel"]


def test_groups_whose_names_differ_in_their_middle_are_told_apart():
    names = [
        f"{'a very long beginning of names ' * 3}{place}{' and a very long end of them' * 3}" for place in range(3)
    ]
    frame = pd.DataFrame({"label": ["a", "b"], **{name: [0.1, 0.2] for name in names}, "rest": [0.2, 0.3]})
    series = (*(Series(name, name) for name in names), Series("rest", "all other sites", is_rest=True))
    chart = drawn(Chart("dots", "Dots.", frame, "label", series))
    told = [series.name for series in chart.plots[0].series][:4]
    assert len(set(told)) == 4
    assert told[0] == "all other sites"


def test_long_names_keep_their_ends():
    """Names of sites of one owner differ there."""
    labels = [f"{'a-very-long-name-of-a-publisher-' * 3}{place}.example" for place in range(12)]
    frame = pd.DataFrame({"label": labels, "x": [0.1] * 12})
    chart = drawn(Chart("bars", "Bars.", frame, "label", (Series("x", "X"),)))
    assert len(set(chart.plots[0].categories)) == 12


# Files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", ["plain", "logo", *TEMPLATES])
def test_the_same_report_gives_the_same_bytes(look):
    made = usual_deck(look)
    assert deck(made_report(), BRANDS.get(look, PLAIN), TEMPLATES.get(look)) == made
    core = opened(made).core_properties
    assert core.created == core.modified == AT.replace(tzinfo=None)


def test_hostile_texts_stay_text():
    slides = opened(hostile_deck()).slides
    assert slides[0].shapes.title.text.replace("\xa0", " ") == f"Audience report: 30 sites{HOSTILE}"


def test_a_template_s_layouts_and_size_are_used_and_its_slides_are_gone():
    file = usual_deck("dark")
    content = parts(file)
    assert not any(OLD.encode() in part or b"sectionLst" in part for part in content.values())
    slides = opened(file)
    given = opened(TEMPLATES["dark"])
    assert (slides.slide_width, slides.slide_height) == (given.slide_width, given.slide_height)
    names = [slide.slide_layout.name for slide in slides.slides]
    assert names[0] == "Titelfolie"
    assert set(names[1:]) == {"Überschrift und Inhalt"}
    assert content["ppt/theme/theme1.xml"] == parts(TEMPLATES["dark"])["ppt/theme/theme1.xml"]
    listed = [name for name in content if name.startswith("ppt/slides/slide")]
    assert len(listed) == len(slides.slides)


def test_text_on_a_dark_template_is_light():
    slides = looking("dark")
    (matrix,) = [shape.table for slide in slides for shape in slide.shapes if shape.name == "Matrix"]
    assert matrix.cell(1, 0).text_frame.paragraphs[0].runs[0].font.color.theme_color == 13  # text 1


def test_a_template_with_title_and_text_alone_will_do():
    """Without a layout for contents, for titles or for notes of its own."""
    slides = opened(TEMPLATES["usual"])
    for layout in list(slides.slide_layouts)[:5]:
        for slide in list(slides.slides._sldIdLst):
            slides.part.drop_rel(slide.rId)
            slides.slides._sldIdLst.remove(slide)
        slides.slide_layouts.remove(layout)
    for layout in list(slides.slide_layouts)[1:]:
        slides.slide_layouts.remove(layout)
    assert faults(opened(deck(made_report(groups=MANY), PLAIN, saved(slides)))) == []


def no_layouts():
    slides = opened(dark_template())
    for entry in list(slides.slides._sldIdLst):
        slides.part.drop_rel(entry.rId)
        slides.slides._sldIdLst.remove(entry)
    for layout in list(slides.slide_layouts):
        slides.slide_layouts.remove(layout)
    return saved(slides)


def a_zip(name="a.txt", content=b"a"):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr(name, content)
    return file.getvalue()


def a_workbook():
    file = io.BytesIO()
    openpyxl.Workbook().save(file)
    return file.getvalue()


def with_broken_layouts():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        for name, content in parts(TEMPLATES["usual"]).items():
            package.writestr(name, b"<p:sldLayout" if "slideLayouts/slideLayout" in name else content)
    return file.getvalue()


def with_macros():
    file = io.BytesIO()
    kind = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    with zipfile.ZipFile(file, "w") as package:
        for name, content in parts(TEMPLATES["usual"]).items():
            package.writestr(
                name, content.replace(kind, b"application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml")
            )
    return file.getvalue()


@pytest.mark.parametrize(
    ("template", "words"),
    [
        (b"", "Save it in PowerPoint as .pptx"),
        (b"no presentation", "Save it in PowerPoint as .pptx"),
        (TEMPLATES["usual"][:5000], "Save it in PowerPoint as .pptx"),
        (a_zip(), "Save it in PowerPoint as .pptx"),
        (a_zip("[Content_Types].xml", b"<"), "Save it in PowerPoint as .pptx"),
        (a_workbook(), "Save it in PowerPoint as .pptx"),
        (with_broken_layouts(), "Save it in PowerPoint as .pptx"),
        (with_macros(), "without them"),
        (no_layouts(), "Pass a presentation with a title layout"),
    ],
    ids=["empty", "text", "cut", "zip", "broken types", "workbook", "broken layouts", "macros", "no layouts"],
)
def test_a_file_that_is_no_template_is_refused(template, words):
    with pytest.raises(InputError) as refused:
        deck(made_report(), PLAIN, template)
    assert words in str(refused.value)


def test_a_logo_that_is_no_picture_is_refused():
    """Also one whose beginning is a picture's, before anything is made of it."""
    whole = logo()
    empty = whole[:16] + bytes(8) + whole[24:]
    for broken in (b"\x89PNG\r\n\x1a\nnothing", whole[:24], whole[:-40], empty, b"\xff\xd8\xff\xe0 no more"):
        with pytest.raises(InputError, match="Save it again as PNG or JPEG"):
            brand_of({"logo": broken})


def test_a_logo_of_more_points_than_memory_has_room_for_is_refused():
    file = io.BytesIO()
    Image.new("1", (6000, 5000)).save(file, "PNG")
    with pytest.raises(InputError, match="6,000 by 5,000 points"):
        brand_of({"logo": file.getvalue()})


def test_the_row_of_the_claim_has_its_values_above_its_marks():
    frame = pd.DataFrame({"label": ["Boots", "Kites"], "mine": [0.9, 0.2], "rest": [0.1, 0.18], "told": [True, False]})
    series = (Series("mine", "Shops"), Series("rest", "all others", is_rest=True))
    chart = drawn(Chart("dots", "Dots.", frame, "label", series, strong="told"))

    def words(label):
        return label.text_frame.text if label.has_text_frame else ""

    said = {
        line.name: [words(line.points[at].data_label) for at in range(2)] for line in list(chart.plots[0].series)[:2]
    }
    assert said == {"all others": ["10 %", ""], "Shops": ["90 %", ""]}


def test_a_table_of_a_row_stands_below_what_it_means_and_has_air():
    frame = pd.DataFrame({"group": ["Shops"], "sites": [10]})
    table = Table("Groups", frame, (Column("group", "Group"), Column("sites", "Sites", "whole")))
    part = Part("groups", "Groups", "Nothing is proven.", ("Ten would have been found.",), None, table)
    slides = opened(deck(made_report(parts=(part,), order=("groups",)), PLAIN))
    [slide] = [one for one in slides.slides if "Nothing is proven" in texts(one)]
    shape = next(one for one in slide.shapes if one.has_table)
    text = next(one for one in slide.shapes if one.has_text_frame and "Ten would" in one.text_frame.text)
    assert text.top + text.height <= shape.top
    assert all(row.height > Pt(2 * 12) for row in shape.table.rows)
    assert faults(slides) == []
