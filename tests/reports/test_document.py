"""Reports: a page, slides and a workbook that say the same, hold any text, and are made the same again."""

import datetime as dt
import html
import io
import json
import re
import time
import zipfile
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import openpyxl
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from pptx import Presentation
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Emu
from saved_runs import SILENT, part_of, without_categories

from toolkit.charts import pictures
from toolkit.frames import BASIS
from toolkit.interface.errors import InputError
from toolkit.reports import document as report
from toolkit.reports.book import book, sheet_names
from toolkit.reports.contents import Chart, Column, Methods, Report, Section, Series, Table
from toolkit.reports.deck.slides import BARS_INSTEAD, NO_CHROMIUM, deck
from toolkit.reports.deck.text import fitted
from toolkit.reports.document import report_of, write_report
from toolkit.reports.frames import Frames as RunFrames
from toolkit.reports.page import html_page
from toolkit.reports.sections.content import _more_to_see
from toolkit.reports.sections.groups import chosen_groups, compared_audiences, shared_sites
from toolkit.reports.sections.quality import _surely, answered_sites
from toolkit.reports.svg import inline_svg
from toolkit.saved import sample_run

FORMULA = "=cmd|' /C calc'!A0"
TAG = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(1)</script>"
CONTROL = "kites\x00\x0b\x1b\ufffe and boots"
HOSTILE = (FORMULA, TAG, SCRIPT, CONTROL, "-2+3", "@SUM(A1)", "http://evil.example/", "{=1+1}")
AT = dt.datetime(2026, 11, 22, 5, 54, 43, tzinfo=dt.UTC)
SVG = "http://www.w3.org/2000/svg"
DRAWING = f'<svg xmlns="{SVG}" width="900" height="300"><text>Kites</text></svg>'.encode()
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c636060606000000005000157cd9d3c0000000049454e44ae426082"
)


def shares_table(labels):
    count = len(labels)
    return pd.DataFrame(
        {
            "label": list(labels),
            "share": [0.9 - 0.8 * place / count for place in range(count)],
            "low": [0.8 - 0.75 * place / count for place in range(count)],
            "high": [0.95 - 0.7 * place / count for place in range(count)],
            "n": 62,
        }
    )


def section(kind="bars", labels=HOSTILE, *, name="Profile", title="Half of the sites speak to couples", **more):
    frame = shares_table(labels)
    if kind == "lines":
        frame = frame.assign(place=range(1, len(frame) + 1))
    columns = (Column("label", "Value"), Column("share", "Share", "percent", "low", "high"), Column("n", "of", "whole"))
    whiskers = ("low", "high") if kind == "bars" else ("", "")
    series = (Series("share", f"Ours {FORMULA}", *whiskers), Series("high", "Theirs"))
    return Section(
        name,
        title,
        ("31 of 62 sites (50 %; 95 % interval 38 to 62 %).", *more.pop("text", ())),
        Table("Shares of sites", frame, columns),
        Chart(kind, "Bars of shares", frame, "place" if kind == "lines" else "label", series, "Share", **more),
        go.Figure(go.Bar(x=[1], y=[html.escape(SCRIPT)], name=SCRIPT), layout={"title": {"text": SCRIPT}}),
        ("Read it with care.",),
        "n = 62 sites · 2026-11-22",
    )


def hostile_report():
    sections = [
        section(),
        section("stacked", name="Gro/ups [1]", title=FORMULA),
        section("lines", name="gro ups 1", title=TAG),
        section(name="Methods", title=SCRIPT, picture=True),
        section(name="Long", title="More of the same " * 40, text=("A long story. " * 90,) * 4),
    ]
    facts = (("Sites", "62 of 68"), ("Reason", SCRIPT), ("Formula", FORMULA), *[("Fact", "long " * 60)] * 11)
    failed = pd.DataFrame({"site": HOSTILE, "reason": HOSTILE})
    table = Table("Sites without an answer", failed, (Column("site", "Site"), Column("reason", "Reason")))
    methods = Methods(facts, ("Wilson's interval at 95 %.",) * 5, (TAG, FORMULA), (table,))
    return Report(f"{SCRIPT} {CONTROL}\ud800", FORMULA, AT, tuple(sections), methods)


@pytest.fixture(scope="module")
def hostile():
    return hostile_report()


@pytest.fixture(scope="module")
def slides(hostile):
    return Presentation(io.BytesIO(deck(hostile)))


@pytest.fixture(scope="module")
def drawn_slides(hostile):
    """The same with a picture."""
    return Presentation(io.BytesIO(deck(hostile, {3: PIXEL})))


@pytest.fixture(scope="module")
def workbook(hostile):
    return openpyxl.load_workbook(io.BytesIO(book(hostile)))


class Page(HTMLParser):
    """The elements of a page, with their attributes and what stands in them."""

    EMPTY = ("meta", "br", "img", "link", "input", "path", "rect", "circle", "line", "use")

    def __init__(self, text):
        super().__init__()
        self.elements, self._open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", "in": [part["tag"] for part in self._open], **dict(attrs)}
        self.elements.append(element)
        if tag not in self.EMPTY:
            self._open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append({"tag": tag, "text": "", "in": [part["tag"] for part in self._open], **dict(attrs)})

    def handle_endtag(self, tag):
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop()["tag"] == tag

    def handle_data(self, data):
        for element in self._open:
            element["text"] += data

    def all(self, *tags):
        return [element for element in self.elements if element["tag"] in tags]


@pytest.fixture(scope="module")
def page(hostile):
    return Page(html_page(hostile, dict.fromkeys(range(5), DRAWING)))


@pytest.fixture(scope="module")
def live_page(hostile):
    """A page whose charts plotly.js draws."""
    return Page(html_page(hostile))


@pytest.fixture(scope="module")
def sample():
    return sample_run()


@pytest.fixture(scope="module")
def sample_report(sample):
    return report_of(sample)


@pytest.fixture
def no_chromium(monkeypatch):
    monkeypatch.setattr(pictures, "can_draw", lambda: False)


class Frames:
    """A run that gives these frames."""

    NAMES = ("audiences", "codes", "categories", "companies", "technologies", "failures")

    def __init__(self, **frames):
        self._frames = frames
        for name in self.NAMES:
            setattr(self, name, lambda name=name: self._give(name))

    @classmethod
    def of(cls, run, change=lambda frame: frame):
        return cls(**{name: change(getattr(run, name)()) for name in cls.NAMES})

    def without(self, *names):
        return Frames(**{name: frame for name, frame in self._frames.items() if name not in names})

    def _give(self, name):
        if name not in self._frames:
            raise InputError(f"{name} needs another question.")
        return self._frames[name]


def words(made):
    """All that a report says, as text and numbers."""
    told = [(part.name, part.title, part.text, part.notes, part.footer) for part in made.sections]
    tables = [part.table.frame.to_dict("list") for part in made.sections if part.table]
    charts = [part.chart.frame.to_dict("list") for part in made.sections if part.chart]
    return repr((made.title, made.subtitle, made.at, told, tables, charts, made.methods.facts, made.methods.limits))


# What a report says --------------------------------------------------------------------------------------------------


def test_texts_are_clean_as_they_come_in(hostile):
    assert hostile.title == f"{SCRIPT} kites  and boots\N{REPLACEMENT CHARACTER}"
    assert "kites  and boots" in hostile.sections[0].table.frame["label"].tolist()


def test_a_table_is_a_copy_and_the_callers_frame_stays():
    frame = shares_table(HOSTILE)
    before = frame.copy(deep=True)
    table = Table("Shares", frame, (Column("label", "Value"),))
    table.frame.loc[0, "label"] = "changed"
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Section("", "A finding"), "A section needs a name and a title"),
        (lambda: Section("Profile", "\x00"), "A section needs a name and a title"),
        (lambda: Table("x", pd.DataFrame({"a": [1]}), (Column("b", "B"),)), "has no column 'b'"),
        (lambda: Column("a", "A", "percentage"), "form must be one of"),
        (lambda: Column("a", "A", "percent", low="b"), "one end of an interval"),
        (lambda: Chart("pie", "x", pd.DataFrame({"a": [1]}), "a", (Series("a", "A"),)), "kind must be one of"),
        (lambda: Chart("bars", "x", pd.DataFrame({"a": []}), "a", (Series("a", "A"),)), "nothing to draw"),
        (lambda: Report("x", "y", "today", (), Methods()), "must be a datetime"),
    ],
)
def test_contents_that_cannot_be_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_an_interval_stands_behind_its_value_and_what_is_missing_is_a_dash():
    frame = pd.DataFrame({"v": [0.294, None], "l": [0.1, None], "h": [0.5, None]})
    table = Table("x", frame, (Column("v", "V", "percent", "l", "h"),))
    assert table.rows() == [["29 % (10 % to 50 %)"], ["–"]]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(0, 1e6, allow_nan=False), min_size=1, max_size=5), st.sampled_from(["bars", "stacked"]))
def test_the_axis_of_a_chart_ends_beyond_all_that_is_drawn(values, kind):
    frame = pd.DataFrame({"label": [str(place) for place in range(len(values))], "a": values, "b": values})
    chart = Chart(kind, "x", frame, "label", (Series("a", "A"), Series("b", "B")), form="number")
    most = max(values) * (2 if kind == "stacked" else 1)
    assert most <= chart.top * (1 + 1e-6)
    assert chart.top <= max(most * 10, 1)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(0, 1e5, allow_nan=False) | st.just(float("inf")), min_size=1, max_size=5), st.floats(0, 1e5))
def test_the_axis_of_an_index_holds_every_bar_and_marks_its_baseline_where_steps_are_small(values, beyond):
    frame = pd.DataFrame({"label": [str(place) for place in range(len(values))], "a": values})
    frame = frame.assign(low=0.0, high=frame["a"] + beyond)
    chart = Chart("index", "x", frame, "label", (Series("a", "A", "low", "high"),), form="whole")
    finite = [value for value in values if value < float("inf")]
    assert chart.start == 100
    assert max([200, *finite]) <= chart.top * (1 + 1e-9)
    assert chart.top <= max([200, *finite]) * 1.5 + chart.step
    assert chart.top / chart.step == pytest.approx(round(chart.top / chart.step))
    assert 2 <= chart.top / chart.step <= 9
    assert chart.step > 100 or 100 % chart.step == 0


# The page ------------------------------------------------------------------------------------------------------------


def test_the_page_has_one_first_heading_and_leaves_out_no_level(page):
    levels = [int(element["tag"][1]) for element in page.all("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_page_has_its_language_title_and_landmarks(page):
    assert page.all("html")[0]["lang"] == "en"
    assert page.all("title")[0]["text"].startswith("</script>")
    assert [len(page.all(tag)) for tag in ("header", "nav", "main", "footer")] == [1, 1, 1, 1]


def test_every_table_has_a_caption_and_scopes_and_is_reached_by_keyboard(page):
    tables = page.all("table")
    assert len(page.all("caption")) == len(tables) > 5
    assert {element.get("scope") for element in page.all("th")} == {"col", "row"}
    regions = [element for element in page.all("div") if element.get("role") == "region"]
    assert len(regions) == len(tables)
    assert all(region["tabindex"] == "0" for region in regions)


def test_every_link_of_the_contents_leads_to_a_section(page):
    marks = [element["id"] for element in page.elements if "id" in element]
    assert len(set(marks)) == len(marks)
    links = [element["href"] for element in page.all("a")]
    assert len(links) == 5 + 2
    assert {link.removeprefix("#") for link in links} <= set(marks)


def test_every_chart_has_an_alternative_text(page, live_page):
    assert [element["aria-label"] for element in page.all("svg")] == ["Bars of shares"] * 5
    drawn = [element for element in live_page.all("div") if element.get("role") == "img"]
    assert [element["aria-label"] for element in drawn] == ["Bars of shares"] * 5


@pytest.mark.parametrize("kind", ["page", "live_page"])
def test_no_text_of_the_data_becomes_an_element(kind, request):
    page = request.getfixturevalue(kind)
    assert page.all("img", "iframe", "object", "embed", "link", "base") == []
    assert not [name for element in page.elements for name in element if name.startswith("on")]
    assert TAG in page.all("main")[0]["text"]
    assert len(page.all("script")) == (0 if kind == "page" else 2)


def test_the_page_asks_for_nothing_outside_itself(page, live_page):
    for element in [*page.elements, *live_page.elements]:
        assert element.get("href", "#").startswith("#")
        assert "src" not in element
    policy = page.all("meta")[1]["content"]
    assert "default-src 'none'" in policy
    assert "script-src 'none'" in policy
    assert not re.search(r"url\(|@import", page.all("style")[0]["text"])


def test_the_library_of_charts_is_in_the_page_once_and_only_where_it_is_needed(hostile):
    text = html_page(hostile)
    assert text.count("Plotly.newPlot(") == 5
    assert len(html_page(hostile, dict.fromkeys(range(4), DRAWING))) > 4_000_000
    assert len(html_page(hostile, dict.fromkeys(range(5), DRAWING))) < 100_000
    assert len(text) < 6_000_000
    assert "sendChartToCloud" in text


@given(st.text())
@settings(max_examples=50, deadline=None)
def test_json_in_a_script_cannot_end_it(text):
    figure = go.Figure(go.Bar(x=[1], name=text + SCRIPT))
    made = Report("Kites", "62 sites", AT, (Section("Profile", "A finding", figure=figure),), Methods())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plotly.offline.get_plotlyjs", lambda: "// the library")
        _, script = Page(html_page(made)).all("script")
    written = script["text"].strip().removeprefix("Plotly.newPlot(").removesuffix(");")
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(f"[{written}]")[1] == json.loads(figure.to_json())["data"]


def luminance(color):
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_colours_of_texts_have_the_contrast_of_wcag_aa(page):
    style = page.all("style")[0]["text"]
    named = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", style))
    for ink in ("ink", "soft", "blue"):
        for ground in ("#ffffff", named["pale"]):
            light, dark = luminance(ground), luminance(named[ink])
            assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_a_long_table_is_shortened_on_the_page_and_says_so():
    long = section(labels=[f"Kite {number}" for number in range(500)])
    made = Report("Kites", "62 sites", AT, (long,), Methods())
    page = Page(html_page(made, {0: DRAWING}))
    assert len(page.all("tr")) == 1 + 20
    assert "The first 20 of 500 rows" in page.all("main")[0]["text"]
    sheet = openpyxl.load_workbook(io.BytesIO(book(made)))["Profile"]
    assert [cell.value for cell in sheet["A"][-500:]] == [f"Kite {number}" for number in range(500)]


# Drawings ------------------------------------------------------------------------------------------------------------


def test_a_drawing_loses_all_that_runs_or_is_fetched():
    drawing = f"""<svg xmlns="{SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="3" onload="alert(1)">
      <script>alert(1)</script><foreignObject><b/></foreignObject><a href="https://evil.example">kite</a>
      <style>@import 'https://evil.example/x.css'; .a {{ fill: url(https://evil.example/y) }}</style>
      <image href="https://evil.example/z.png"/><image href="data:image/png;base64,AA=="/>
      <rect fill="url(#g)" style="clip-path: url('https://evil.example/#c')" onclick="alert(1)"/>
      <linearGradient id="g"/></svg>"""
    drawn = inline_svg(drawing.encode(), "d1", TAG)
    assert not re.search(r"evil|alert\(1\)<|script|foreignObject|onclick|onload", drawn)
    assert drawn.count("data:image/png") == 1
    assert "url('#d1-1')" in drawn
    assert 'id="d1-1"' in drawn
    assert html.escape(TAG, quote=False).replace("&gt;", ">") in drawn.replace("&gt;", ">")


def test_the_same_drawing_with_other_random_names_is_the_same_text():
    def drawn(mark):
        text = f'<g class="trace{mark}" id="clip{mark}"/><use href="#clip{mark}"/><rect clip-path="url(#clip{mark})"/>'
        return inline_svg(f'<svg xmlns="{SVG}" width="9" height="3">{text}</svg>'.encode(), "d1", "Kites")

    assert drawn("a1b2c3") == drawn("9f8e7d")
    assert 'href="#d1-1"' in drawn("a1b2c3")


@pytest.mark.parametrize("drawing", [b"", b"kites", b"<html/>", b'<!DOCTYPE s [<!ENTITY k "x">]><svg>&k;'])
def test_what_is_no_drawing_is_refused(drawing):
    with pytest.raises(InputError, match=r"is no SVG.*Draw it again\.$"):
        inline_svg(drawing, "d1", "Kites")


def test_with_chromium_the_charts_of_a_page_are_drawings_and_nothing_runs():
    if not pictures.can_draw():
        pytest.skip("there is no Chromium to draw with")
    made = Report("Kites", "62 sites", AT, (section(),), Methods())
    page = Page(report._WRITERS[".html"](made).decode())
    assert len(page.all("svg")) == 1
    assert page.all("script") == []


# Slides --------------------------------------------------------------------------------------------------------------


def shapes_of(slides):
    return [(number, shape) for number, slide in enumerate(slides.slides, 1) for shape in slide.shapes]


def test_slides_are_wide_and_there_is_one_for_each_finding(hostile, slides):
    assert round(slides.slide_width / slides.slide_height, 3) == 1.778
    titles = [slide.shapes.title.text_frame.text for slide in slides.slides]
    assert titles[0].startswith("</script>")
    assert titles[1:6] == ["The findings in short", "Half of the sites speak to couples", FORMULA, TAG, SCRIPT]
    assert [title for title in titles if title.startswith("How these findings")] == ["How these findings were got"] * 2


def test_charts_are_native_with_the_numbers_of_the_table(hostile, slides):
    charts = [shape.chart for _, shape in shapes_of(slides) if shape.has_chart]
    assert [chart.chart_type for chart in charts[:3]] == [
        XL_CHART_TYPE.BAR_CLUSTERED,
        XL_CHART_TYPE.BAR_STACKED,
        XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS,
    ]
    frame = hostile.sections[0].chart.frame
    for chart in charts[:3]:
        assert list(chart.plots[0].series[0].values) == pytest.approx(frame["share"].tolist())
    assert next(iter(charts[0].plots[0].categories)) == FORMULA
    assert charts[0].value_axis.maximum_scale >= frame["high"].max()


def test_whiskers_of_bars_reach_to_the_ends_of_the_intervals(hostile, slides):
    chart = next(shape.chart for _, shape in shapes_of(slides) if shape.has_chart)
    frame = hostile.sections[0].chart.frame
    space = {"c": "http://schemas.openxmlformats.org/drawingml/2006/chart"}
    first, second = chart._chartSpace.findall(".//c:ser", space)
    for side, lengths in (("plus", frame["high"] - frame["share"]), ("minus", frame["share"] - frame["low"])):
        found = [float(value.text) for value in first.findall(f".//c:{side}//c:v", space)]
        assert found == pytest.approx(lengths.tolist(), abs=1e-5)
    assert second.find("c:errBars", space) is None
    # The schema of the format has an order.
    assert [part.tag.split("}")[1] for part in first][-3:] == ["errBars", "cat", "val"]


def test_the_numbers_behind_a_chart_hold_no_formula(slides, hostile):
    for _, shape in shapes_of(slides):
        if shape.has_chart:
            data = openpyxl.load_workbook(io.BytesIO(shape.chart.part.chart_workbook.xlsx_part.blob))
            cells = [cell for row in data.active.iter_rows() for cell in row]
            assert not [cell.value for cell in cells if cell.data_type == "f"]
            assert not [cell for cell in cells if cell.hyperlink]
            assert data.properties.created == hostile.at


def test_everything_lies_on_its_slide(slides):
    for number, shape in shapes_of(slides):
        assert shape.left >= 0, (number, shape.name)
        assert shape.top >= 0, (number, shape.name)
        assert shape.left + shape.width <= slides.slide_width, (number, shape.name)
        assert shape.top + shape.height <= slides.slide_height, (number, shape.name)


def test_charts_tables_and_pictures_have_alternative_texts(slides, drawn_slides):
    found = [*shapes_of(slides), *shapes_of(drawn_slides)]
    described = [shape for _, shape in found if shape.has_chart or shape.has_table or shape.shape_type == 13]
    assert len(described) > 8
    assert all(shape._element.xpath(".//p:cNvPr/@descr")[0].strip() for shape in described)


def test_notes_say_n_and_how(slides):
    finding = slides.slides[2].notes_slide.notes_text_frame.text
    assert "n = 62 sites" in finding
    assert "95\N{NO-BREAK SPACE}% interval" in finding
    assert all(slide.has_notes_slide for slide in slides.slides)


def test_a_chart_that_powerpoint_lacks_is_a_picture_or_else_a_table_with_a_note(slides, drawn_slides):
    with_picture, without = drawn_slides.slides[5], slides.slides[5]
    assert [shape.shape_type for shape in with_picture.shapes].count(13) == 1
    assert not any(shape.has_table for shape in with_picture.shapes)
    assert any(shape.has_table for shape in without.shapes)
    assert any(shape.has_text_frame and NO_CHROMIUM in shape.text_frame.text for shape in without.shapes)
    assert NO_CHROMIUM in without.notes_slide.notes_text_frame.text


def test_texts_that_do_not_fit_are_cut_on_the_slide_and_whole_in_its_notes(slides):
    slide = slides.slides[6]
    assert slide.shapes.title.text_frame.text.endswith("…")
    assert ("More of the same " * 40).strip() in slide.notes_slide.notes_text_frame.text
    assert slide.notes_slide.notes_text_frame.text.count("A long story.") == 360


FONT = Path("/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf")


def test_texts_fit_into_their_boxes_as_a_font_wider_than_the_decks_measures_them(slides):
    if not FONT.is_file():
        pytest.skip("the font to measure with is not installed")
    from PIL import ImageFont

    for number, shape in shapes_of(slides):
        if not shape.has_text_frame or not shape.text_frame.text:
            continue
        height = 0.0
        for paragraph in shape.text_frame.paragraphs:
            size = paragraph.runs[0].font.size.pt
            font = ImageFont.truetype(str(FONT), round(size * 10))
            room, line, lines = (Emu(shape.width).pt - 7.2) * 10, "", 1
            for word in paragraph.text.split(" "):
                longer = f"{line} {word}".strip()
                lines, line = (lines, longer) if font.getlength(longer) <= room else (lines + 1, word)
            height += lines * size * 1.2 + (paragraph.space_after.pt if paragraph.space_after else 0)
        assert height <= Emu(shape.height).pt + 1, (number, shape.name, shape.text_frame.text[:60])


@settings(deadline=None, max_examples=100)
@given(
    st.text(st.sampled_from("kite boots\N{LATIN SMALL LETTER E WITH ACUTE}"), max_size=400),
    st.integers(1, 9),
    st.integers(1, 4),
)
def test_a_fitted_text_is_whole_or_ends_with_an_ellipsis(text, width, height):
    words, size = fitted(text, width * 914_400, height * 457_200, 28)
    assert 9 <= size <= 28
    assert words == text or words.endswith("…")


# Charts of groups ----------------------------------------------------------------------------------------------------

DRAWING_SPACE = {
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
}


def index_section():
    """A finding on two codes of one group: one twice as common, one for which no difference is shown, one unknown."""
    frame = pd.DataFrame(
        {
            "label": ["Kites", "Boots", "Tents"],
            "index": [200.0, 0.0, float("inf")],
            "low": [150.0, 0.0, 90.0],
            "high": [260.0, 70.0, float("inf")],
            "hollow": [False, True, True],
        }
    )
    bars = Series("index", "Ours", "low", "high", hollow="hollow")
    chart = Chart("index", "Kites are twice as common.", frame, "label", (bars,), "Index, 100 = rest", form="whole")
    table = Table("Kites", frame, (Column("label", "Value"), Column("index", "Index", "whole", "low", "high")))
    return Section("Groups", "Kites are twice as common", ("Of 62 sites.",), table, chart)


def matrix_section(number=3, *, words=True):
    """A finding on groups of which each is in the next by a part."""
    names = [f"Group {place}" for place in range(number)]
    frame = pd.DataFrame({"group": names})
    for place in range(number):
        values = [abs(place - row) / number if place != row else float("nan") for row in range(number)]
        frame[f"part_{place}"] = values
        frame[f"words_{place}"] = ["9 sites" if pd.isna(value) else f"{value:.0%} of 9" for value in values]
    series = [Series(f"part_{place}", name, words=f"words_{place}" * words) for place, name in enumerate(names)]
    chart = Chart("matrix", "Group 0 is in Group 2.", frame, "group", tuple(series), "Share of the row", "Group")
    return Section("Overlap", "Group 0 is in Group 2", ("Of 62 sites.",), None, chart)


def made_of(*sections):
    return Report("Kites", "62 sites", AT, sections, Methods())


def finding_slide(made):
    return Presentation(io.BytesIO(deck(made))).slides[2]


def charts_in(file):
    """The roots of the native charts of a document."""
    with zipfile.ZipFile(io.BytesIO(file)) as package:
        names = [name for name in package.namelist() if re.search(r"charts/chart[^/]*\.xml$", name)]
        return [etree.fromstring(package.read(name)) for name in names]


@pytest.mark.parametrize("write", [deck, book], ids=["pptx", "xlsx"])
def test_bars_of_an_index_begin_at_the_baseline_and_are_hollow_where_no_difference_is_shown(write):
    [root] = charts_in(write(made_of(index_section())))
    find = lambda path: root.findall(path, DRAWING_SPACE)  # noqa: E731 - short here
    # The axis of the names crosses that of the values, and bars begin where it does.
    assert [float(at.get("val")) for at in find(".//c:catAx/c:crossesAt")] == [100]
    assert [mark.get("val") for mark in find(".//c:catAx/c:majorTickMark")] == ["none"]
    assert [mark.get("val") for mark in find(".//c:catAx/c:tickLblPos")] == ["low"]
    assert [float(end.get("val")) for end in find(".//c:valAx/c:scaling/c:max")] == [300]
    assert [float(step.get("val")) for step in find(".//c:valAx/c:majorUnit")] == [50]
    hollow = {point.find("c:idx", DRAWING_SPACE).get("val"): point for point in find(".//c:ser/c:dPt")}
    assert set(hollow) == {"1", "2"}
    fills = {point.find("c:spPr/a:solidFill/a:srgbClr", DRAWING_SPACE).get("val") for point in hollow.values()}
    edges = {point.find("c:spPr/a:ln/a:solidFill/a:srgbClr", DRAWING_SPACE).get("val") for point in hollow.values()}
    assert (fills, edges) == ({"FFFFFF"}, {"0072B2"})
    values = {point.get("idx"): float(point.find("c:v", DRAWING_SPACE).text) for point in find(".//c:ser/c:val//c:pt")}
    assert {place: value for place, value in values.items() if place != "2"} == {"0": 200, "1": 0}
    # An index without end has no bar, which would otherwise be one of nothing.
    assert "2" not in values or write is book


def test_the_numbers_behind_an_index_are_in_the_workbook_without_those_that_have_no_end():
    sheet = openpyxl.load_workbook(io.BytesIO(book(made_of(index_section()))))["Groups"]
    heads = {cell.value: cell.column for cell in sheet[7] if cell.value}
    assert [sheet.cell(row, heads["Ours"]).value for row in (8, 9, 10)] == [200, 0, None]
    assert [sheet.cell(row, heads["Ours, up"]).value for row in (8, 9, 10)] == [60, 70, None]
    assert [sheet.cell(row, heads["Ours, down"]).value for row in (8, 9, 10)] == [50, 0, None]
    assert sheet["B10"].value == "∞"


def test_whiskers_of_an_index_reach_to_the_ends_of_its_intervals():
    [root] = charts_in(deck(made_of(index_section())))
    for side, lengths in (("plus", {"0": 60, "1": 70}), ("minus", {"0": 50, "1": 0})):
        points = root.findall(f".//c:errBars/c:{side}//c:pt", DRAWING_SPACE)
        found = {point.get("idx"): float(point.find("c:v", DRAWING_SPACE).text) for point in points}
        assert found == lengths


def test_an_interval_without_end_reaches_beyond_the_axis():
    frame = pd.DataFrame({"label": ["Kites"], "index": [300.0], "low": [150.0], "high": [float("inf")]})
    chart = Chart("index", "x", frame, "label", (Series("index", "Ours", "low", "high"),), form="whole")
    _, [up] = chart.whiskers(chart.series[0])
    assert chart.top < 300 + up < float("inf")


def test_labels_of_bars_have_the_room_that_the_longest_needs():
    places = []
    for words in ("Kites", "Real Estate Buying and Selling"):
        part = section(labels=[words, "Boots", "Tents"])
        [root] = charts_in(deck(made_of(part)))
        layout = root.find(".//c:plotArea/c:layout/c:manualLayout", DRAWING_SPACE)
        ends = {tag: float(layout.find(f"c:{tag}", DRAWING_SPACE).get("val")) for tag in "xywh"}
        assert ends["x"] + ends["w"] < 1
        assert ends["y"] + ends["h"] < 0.9
        places.append(ends["x"])
    short, long = places
    assert short == 0.12
    assert long >= 30 * 12 * 0.5 / (8.5 * 72)


def test_a_matrix_is_a_table_with_shaded_cells_that_can_be_read():
    slide = finding_slide(made_of(matrix_section()))
    assert not any(shape.has_chart for shape in slide.shapes)
    [shape] = [shape for shape in slide.shapes if shape.has_table]
    assert shape._element.xpath(".//p:cNvPr/@descr") == ["Group 0 is in Group 2."]
    cells = [[cell.text_frame.text for cell in row.cells] for row in shape.table.rows]
    assert cells == [
        ["Group", "Group 0", "Group 1", "Group 2"],
        ["Group 0", "9 sites", "33% of 9", "67% of 9"],
        ["Group 1", "33% of 9", "9 sites", "33% of 9"],
        ["Group 2", "67% of 9", "33% of 9", "9 sites"],
    ]
    grounds = [[str(cell.fill.fore_color.rgb) for cell in row.cells][1:] for row in shape.table.rows][1:]
    own, third, two_thirds = grounds[0]
    assert {grounds[place][place] for place in range(3)} == {own} == {"ECECEC"}
    assert luminance("#FFFFFF") > luminance(f"#{third}") > luminance(f"#{two_thirds}") > luminance("#6BAED6")
    assert any(shape.has_text_frame and shape.text_frame.text == "Share of the row" for shape in slide.shapes)
    for row in shape.table.rows:
        for cell in row.cells:
            ink = luminance(f"#{cell.text_frame.paragraphs[0].runs[0].font.color.rgb}") + 0.05
            ground = luminance(f"#{cell.fill.fore_color.rgb}") + 0.05
            assert max(ink, ground) / min(ink, ground) >= 4.5


def test_every_shade_of_a_matrix_is_read_in_the_ink_of_its_cells():
    chart = matrix_section().chart
    for part in range(101):
        shade = chart.shade(part / 100)
        assert (luminance(f"#{shade}") + 0.05) / (luminance("#1B1B1B") + 0.05) >= 4.5


def test_a_matrix_without_words_says_its_values():
    [shape] = [shape for shape in finding_slide(made_of(matrix_section(words=False))).shapes if shape.has_table]
    assert [cell.text_frame.text for cell in shape.table.rows[1].cells] == ["Group 0", "–", "33 %", "67 %"]


def test_of_many_groups_a_slide_has_the_first_and_says_so_and_the_workbook_has_all():
    made = made_of(matrix_section(20))
    slide = finding_slide(made)
    [shape] = [shape for shape in slide.shapes if shape.has_table]
    assert (len(shape.table.rows), len(shape.table.columns)) == (11, 11)
    assert [cell.text_frame.text for cell in shape.table.rows[0].cells][1:] == [f"Group {place}" for place in range(10)]
    assert shape.top + sum(row.height for row in shape.table.rows) < Emu(6.75 * 914_400)
    assert "The first 10 of 20; a workbook (.xlsx) has all of them." in slide.notes_slide.notes_text_frame.text
    sheet = openpyxl.load_workbook(io.BytesIO(book(made)))["Overlap"]
    assert [cell.value for cell in sheet["A"][7:27]] == [f"Group {place}" for place in range(20)]


def test_the_workbook_shades_a_matrix_of_numbers():
    sheet = openpyxl.load_workbook(io.BytesIO(book(made_of(matrix_section()))))["Overlap"]
    assert sheet["A6"].value == "Share of the row"
    assert [cell.value for cell in sheet[7]][:4] == ["Group", "Group 0", "Group 1", "Group 2"]
    values = [[cell.value for cell in row] for row in sheet["B8:D10"]]
    third, two = pytest.approx(1 / 3), pytest.approx(2 / 3)
    assert values == [["9 sites", third, two], [third, "9 sites", third], [two, third, "9 sites"]]
    assert sheet["C8"].number_format == "0%"
    [(place, [rule])] = [(str(found.sqref), found.rules) for found in sheet.conditional_formatting]
    assert (place, rule.type) == ("B8:D10", "colorScale")
    assert [(end.type, float(end.val)) for end in rule.colorScale.cfvo] == [("num", 0), ("num", 1)]
    assert [color.rgb[2:] for color in rule.colorScale.color] == ["FFFFFF", "6BAED6"]
    assert sheet["B8"].fill.fgColor.rgb[2:] == "ECECEC"
    assert sheet._charts == []


# The workbook --------------------------------------------------------------------------------------------------------


def test_no_cell_of_the_workbook_is_a_formula_or_a_link_outside(workbook):
    cells = [cell for sheet in workbook for row in sheet.iter_rows() for cell in row]
    assert not [cell.value for cell in cells if cell.data_type == "f"]
    links = [cell.hyperlink for cell in cells if cell.hyperlink]
    assert links
    assert all(link.location and not link.target for link in links)
    assert {FORMULA, TAG, SCRIPT} <= {cell.value for cell in cells}


def test_sheets_begin_with_the_methods_and_have_names_of_their_own(workbook):
    assert workbook.sheetnames == [
        "Methods", "Profile", "Gro ups 1", "gro ups 1 (2)", "Methods (2)", "Long", "Sites without an answer",
    ]  # fmt: skip
    texts = [cell.value for cell in workbook["Methods"]["B"]]
    assert "62 of 68" in texts


def test_numbers_are_numbers_with_formats_beside_a_native_chart(workbook, hostile):
    sheet = workbook["Profile"]
    heads = {cell.value: cell.column for cell in sheet[7] if cell.value}
    frame = hostile.sections[0].table.frame
    shares = [sheet.cell(row, heads["Share"]) for row in range(8, 8 + len(frame))]
    assert [cell.value for cell in shares] == pytest.approx(frame["share"].tolist())
    assert {cell.number_format for cell in shares} == {"0.0%"}
    lows = [sheet.cell(row, heads["Share, at least"]).value for row in range(8, 8 + len(frame))]
    assert lows == pytest.approx(frame["low"].tolist())
    assert len(sheet._charts) == 1
    assert sheet.freeze_panes == "B8"


def test_an_index_without_end_is_a_sign_and_no_broken_file():
    frame = pd.DataFrame({"label": ["Kites"], "index": [float("inf")]})
    table = Table("Kites", frame, (Column("label", "Value"), Column("index", "Index", "whole")))
    chart = Chart("bars", "x", frame, "label", (Series("index", "Index"),), form="whole")
    made = Report("Kites", "1 site", AT, (Section("Kites", "Kites lead", (), table, chart),), Methods())
    assert openpyxl.load_workbook(io.BytesIO(book(made)))["Kites"]["B8"].value == "∞"
    assert "∞" in html_page(made)
    drawn = Presentation(io.BytesIO(deck(made))).slides[2].shapes
    assert [list(shape.chart.plots[0].series[0].values) for shape in drawn if shape.has_chart] == [[None]]


def test_every_sheet_of_a_finding_has_a_chart(workbook):
    assert [len(sheet._charts) for sheet in workbook] == [0, 1, 1, 1, 1, 1, 0]


@given(st.lists(st.text(max_size=60), max_size=12))
@settings(max_examples=100)
def test_names_of_sheets_are_allowed_and_differ(names):
    given_names = sheet_names(names)
    assert len({name.casefold() for name in given_names}) == len(names)
    for name in given_names:
        assert 1 <= len(name) <= 31
        assert not set("[]:*?/\\") & set(name)
        assert not name.startswith("'")
        assert not name.endswith("'")
        assert name.casefold() not in {"methods", "history"}


# The same again ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [lambda made: html_page(made).encode(), deck, book], ids=["html", "pptx", "xlsx"])
def test_the_same_report_is_the_same_bytes_at_another_time(write, monkeypatch):
    first = write(hostile_report())
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 90_000)
    assert write(hostile_report()) == first


def test_documents_state_the_time_of_the_data(hostile, slides, workbook):
    moment = AT.replace(tzinfo=None)
    assert (slides.core_properties.created, slides.core_properties.modified) == (moment, moment)
    assert (workbook.properties.created, workbook.properties.modified) == (moment, moment)
    with zipfile.ZipFile(io.BytesIO(deck(hostile))) as package:
        assert {info.date_time[0] for info in package.infolist()} == {1980}


# A report of a run ---------------------------------------------------------------------------------------------------


def test_a_report_of_the_sample_has_all_findings_in_order(sample_report):
    assert [part.name for part in sample_report.sections] == [
        "Who the audience is",
        "Interests and purchase intent",
        "Content categories",
        "What more sites would show",
        "Personas",
        "Technologies",
        "How sure this is",
    ]


def test_its_sentences_say_what_plain_counting_gives(sample, sample_report):
    audiences, codes, categories = sample.audiences(), sample.codes(), sample.categories()
    good = audiences[audiences["error"].isna()]
    n = good["normal"].nunique()
    consumers = int((good.drop_duplicates("normal")["audience_type"] == "b2c").sum())
    parts = {part.name: part for part in sample_report.sections}
    assert f"Consumers: {consumers} of {n} sites ({100 * consumers / n:.0f}\N{NO-BREAK SPACE}%" in " ".join(
        parts["Who the audience is"].text
    )
    ages = codes[codes["dimension"] == "age_bracket"].groupby("label")["normal"].nunique()
    assert f"{ages.max()} of {n} sites" in parts["Who the audience is"].text[0]
    found = categories[(categories["taxonomy"] == "content-v3") & categories["error"].isna()]
    tops = found.groupby("level_1")["normal"].nunique().sort_values()
    assert f"{tops.index[-1]} ({tops.iloc[-1]})" in parts["Content categories"].text[0]
    personas = codes[codes["dimension"] == "persona"].groupby("code")["normal"].nunique()
    assert f"none of them on more than {personas.max()} of {n} sites" in parts["Personas"].title
    failed = len(audiences) - len(good)
    assert f"Of {n + failed} sites, {failed} gave no answer." in parts["How sure this is"].text


def test_methods_say_sites_failures_dates_versions_and_cost(sample, sample_report):
    facts = dict(sample_report.methods.facts)
    assert facts["Sites"] == "62 of 68 gave an answer; 6 did not"
    assert facts["Why some did not"].startswith("3: ")
    assert "3: page not found or not reachable" in facts["Why some did not"]
    assert not re.search(r"\(\d+\)|_|segment|enrich", facts["Why some did not"] + facts["Sites with data, by question"])
    spent = sample.codes().drop_duplicates("request_id")["credits_used"].sum()
    assert int(re.match(r"\d+", facts["Credits"])[0]) >= spent > 0
    assert facts["Vocabulary"] == f"version {sample.codes()['vocab_version'].dropna().iloc[0]}"
    assert f"{sample.codes()['fetched_at'].max():%Y}" in facts["Dates of the answers"]
    assert f"pandas {pd.__version__}" in facts["Software"]
    assert "content-v3 (703 categories)" in facts["Taxonomies"]
    assert "less than an hour old" in facts["Age of the answers"]
    assert len(sample_report.methods.tables[0].frame) == 6


def test_the_age_of_answers_is_that_at_the_time_of_the_report(sample):
    run = Frames.of(sample).without("audiences", "codes", "categories")
    later = run.companies()["fetched_at"].min().to_pydatetime() + dt.timedelta(days=9, hours=1)
    made = report_of(run, at=later)
    assert dict(made.methods.facts)["Age of the answers"].startswith("the oldest is 9 days old")
    assert made.at == later.replace(tzinfo=None, microsecond=0)


def test_rows_in_another_order_and_sites_twice_give_the_same_report(sample, sample_report):
    shuffled = Frames.of(sample, lambda frame: pd.concat([frame, frame]).sample(frac=1, random_state=7))
    assert words(report_of(shuffled)) == words(sample_report)


def test_what_was_not_asked_is_left_out_and_the_methods_say_so(sample):
    made = report_of(Frames.of(sample).without("categories", "companies", "technologies"))
    assert [part.name for part in made.sections] == [
        "Who the audience is", "Interests and purchase intent", "Personas", "How sure this is",
    ]  # fmt: skip
    said = " ".join(made.methods.limits)
    assert "It says nothing about content categories and technologies: the run did not ask for them." in said
    assert "Chao" not in " ".join(made.methods.text)


def test_only_companies_make_a_report_too(sample):
    made = report_of(Frames.of(sample).without("audiences", "codes", "categories"))
    assert [part.name for part in made.sections] == ["Technologies"]


@pytest.fixture(scope="module")
def content_run(sample):
    """A run that asked for content only: three of the 62 answered sites have no category."""
    asked = ("categorize_content",)
    return part_of(without_categories(sample), lambda record: record.endpoint in asked, asked=asked)


def test_answered_sites_without_any_category_count_in_every_share_of_content(content_run):
    found = content_run.categories()
    assert found[found["error"].isna()]["normal"].nunique() == 62 - len(SILENT) == 59
    made = report_of(content_run, groups={"all": content_run.sites()["target"]}, baseline="rest")
    assert made.title == "Audience report: 62 sites"
    assert made.subtitle.startswith("62 of 68 sites with an answer")
    assert dict(made.methods.facts)["Sites"] == "62 of 68 gave an answer; 6 did not"
    parts = {part.name: part for part in made.sections}
    tops = found[(found["taxonomy"] == "content-v3") & found["error"].isna()].groupby("level_1")["normal"].nunique()
    shares = parts["Content categories"].table.frame.set_index("level_1")["part"]
    assert shares[tops.idxmax()] == pytest.approx(tops.max() / 62)
    assert parts["Content categories"].footer.startswith("n = 62 sites")
    assert parts["What more sites would show"].footer.startswith("n = 62 sites")
    assert set(parts["Groups compared by content"].table.frame["n"]) == {62}


def test_sites_without_data_are_named_where_the_cost_is_told(content_run):
    spent = dict(report_of(content_run).methods.facts)["Credits"]
    assert spent == "59 for 59 answers with data; what 3 sites without data cost is not in it"


def test_a_run_that_does_not_tell_its_sites_makes_a_report_too(content_run):
    assert report_of(Frames(categories=content_run.categories())).title == "Audience report: 62 sites"


def test_answers_that_hold_nothing_are_nothing_to_report(content_run):
    found = content_run.categories()
    rows = set(found["row"])
    silent = part_of(content_run, lambda record: record.row not in rows, asked=("categorize_content",))
    assert len(silent.sites()) == 3
    with pytest.raises(InputError, match=r"^The answers of 3 sites hold neither .* nothing to report\. Ask more"):
        report_of(silent)


@pytest.fixture(scope="module")
def good_rows(sample):
    """The inputs that were answered."""
    sites = sample.sites()
    return sites[sites["error"].isna()]["row"].tolist()


def test_where_nothing_failed_nothing_is_said_of_others(sample, good_rows):
    kept = set(good_rows[:30])
    part = report_of(part_of(sample, lambda record: record.row in kept)).sections[-1]
    assert "All 30 sites gave an answer." in part.text


def test_sites_of_unknown_audience_are_not_among_those_that_lack_something(sample, good_rows):
    gone = set(good_rows[:10])
    run = part_of(sample, lambda record: record.row not in gone or record.endpoint != "segment")
    text = report_of(run).sections[-1].text
    assert "Of 68 sites, 6 gave no answer; the audience of 52 is known." in text
    assert "of 52 sites" in text[-1]


def test_the_sentences_on_one_site_are_in_the_singular(sample, good_rows):
    made = report_of(part_of(sample, lambda record: record.row == good_rows[0]))
    parts = {part.name: part for part in made.sections}
    assert parts["Who the audience is"].title.startswith("The audience of the one site (inferred): businesses; ")
    assert "inferred whom it speaks to" in parts["Who the audience is"].text[0]
    assert re.match(r"The service states high confidence for .* measured answers$", parts["How sure this is"].title)
    assert "The one site gave an answer." in parts["How sure this is"].text
    assert parts["Personas"].title.endswith("on 1 of 1 site")
    assert parts["Personas"].text[0].startswith("1 persona was found on 1 site")
    assert "All of the content is of one category" in parts["Content categories"].text[1]
    said = " ".join(text for part in made.sections for text in (part.title, *part.text, *part.notes))
    said += " ".join(value for _, value in made.methods.facts)
    assert not re.search(r"(?<![\d,.])1 (sites|codes|personas|categories|technologies|answers|hours|days)\b", said)
    assert not re.search(r"(?<![\d,.])1 \w+ (were|show|are|have)\b", said)
    assert "Most sites" not in said


def test_what_no_question_was_about_is_one_list(content_run):
    said = report_of(content_run).methods.limits
    assert (
        "It says nothing about audiences, interests, personas and technologies: the run did not ask for them." in said
    )


@pytest.mark.parametrize(("younger", "words"), [(41, "35 to 44 and 25 to 34 years"), (12, "35 to 44 years")])
def test_values_that_are_nearly_as_common_are_named_together(sample, younger, words):
    def aged(frame):
        if "dimension" not in frame.columns:
            return frame
        sites = frame[frame["dimension"] == "audience_type"]
        made = [
            sites.head(count).assign(dimension="age_bracket", code=label, label=label)
            for label, count in (("35 to 44 years", 42), ("25 to 34 years", younger))
        ]
        return pd.concat([frame[frame["dimension"] != "age_bracket"], *made])

    part = report_of(Frames.of(sample, aged)).sections[0]
    named = [
        value for value in part.title.removeprefix("Most often (inferred): ").split("; ") if value.endswith("years")
    ]
    assert named == [words]
    assert ("any of them may be the most common" in part.text[1]) is (younger > 12)
    assert (f"25 to 34 years: {younger} of 62 sites" in part.text[0]) is (younger > 12)


def test_few_sites_of_a_category_are_not_called_most(sample, sample_report):
    text = sample_report.sections[2].text[0]
    found = sample.categories()
    tops = found[found["taxonomy"] == "content-v3"].groupby("level_1")["normal"].nunique().sort_values(ascending=False)
    assert tops.iloc[0] < 62 / 2
    first, second, third = (f"{name} ({sites})" for name, sites in tops.head(3).items())
    assert f"The most common top categories: {first}, {second} and {third}." in text


def test_what_more_sites_would_show_is_said_to_be_a_rough_guess_and_a_lower_bound(sample_report):
    part = sample_report.sections[3]
    facts = part.table.frame.set_index("what")["number"]
    expected = facts["Categories expected in the end, at least"]
    assert part.title == (
        f"More sites like these would show more categories: {facts['Categories seen']:.0f} so far, at least about "
        f"{expected - facts['Categories seen']:.0f} further ones (rough guess)"
    )
    assert "would show at least about" in part.text[0]
    assert "interval of this lower bound" in part.text[0]
    assert "This is not about all 703 categories" in part.text[-1]
    assert "is the 95\N{NO-BREAK SPACE}% interval of a lower bound" in part.notes[0]


@pytest.mark.parametrize(
    ("change", "title"),
    [
        ({}, "at least about 60 further categories (20 to 180), beyond the 100 so far"),
        ({"estimate": 101.0}, "at least about 1 further category (20 to 180), beyond the 100 so far"),
        ({"completeness": 0.4}, "more categories: 100 so far, at least about 60 further ones (rough guess)"),
        ({"capped": True}, "more categories: 100 so far, perhaps all 703 of the taxonomy in the end"),
    ],
)
def test_only_an_estimate_that_is_no_rough_guess_is_a_number_with_its_interval(change, title):
    found = {
        "seen": 100, "sites": 30, "nodes": 703, "estimate": 160.0, "low": 120.0, "high": 280.0, "capped": False,
        "completeness": 0.6,
    }  # fmt: skip
    said = _more_to_see(pd.Series(found | change, dtype="object"), rough=(found | change)["completeness"] < 0.5)
    assert said == f"More sites like these would show {title}"
    nearly = _more_to_see(pd.Series(found | {"estimate": 100.4}, dtype="object"), rough=False)
    assert nearly == "The 30 sites show nearly all that sites like these have to show: 100 categories"


@pytest.mark.parametrize("write", [deck, book], ids=["pptx", "xlsx"])
def test_the_curve_is_drawn_with_what_its_title_says(sample, sample_report, write):
    part = sample_report.sections[3]
    facts = part.table.frame.set_index("what")["number"]
    seen, expected = facts["Categories seen"], facts["Categories expected in the end, at least"]
    found = sample.categories()
    assert seen == found.loc[found["taxonomy"] == "content-v3", "id"].nunique()
    [root] = charts_in(write(made_of(part)))
    drawn = {}
    for series in root.findall(".//c:ser", DRAWING_SPACE):
        name = series.find("c:tx//c:v", DRAWING_SPACE)
        values = [float(value.text) for value in series.findall("c:yVal//c:v", DRAWING_SPACE)]
        drawn[name.text] = values
    if write is deck:
        assert set(drawn[f"so far: {seen:.0f}"]) == {seen}
        assert set(drawn[f"rough guess of all: at least about {expected:.0f}"]) == {expected}
    [top] = root.findall(".//c:valAx/c:scaling/c:max", DRAWING_SPACE)[-1:]
    assert float(top.get("val")) >= expected > seen
    assert len(root.findall(".//c:ser", DRAWING_SPACE)) == 5


# What a title names is in its chart, and sites are named -------------------------------------------------------------


@pytest.fixture(scope="module")
def thirty(sample, good_rows):
    """A report of thirty of the sites, of which three more gave no answer."""
    failed = sorted(set(sample.failures()["row"]))[:3]
    kept = {*good_rows[:30], *failed}
    return report_of(part_of(sample, lambda record: record.row in kept))


@pytest.mark.parametrize("of", ["sample_report", "thirty"])
def test_every_value_that_the_title_on_the_audience_names_has_a_bar(of, request):
    part = request.getfixturevalue(of).sections[0]
    bars = " ".join(part.chart.frame["bar"]).lower()
    kinds = [kind.split(" and ") for kind in part.title.partition(": ")[2].split("; ")]
    assert len(kinds) == 3
    assert any(len(several) > 1 for several in kinds)
    for several in kinds:
        # A last word that all have is said once.
        last = several[-1].rpartition(" ")[2]
        for value in several:
            assert f": {value if value.endswith(last) else f'{value} {last}'}" in bars
    assert "Audience type" in str(part.figure.layout.annotations)
    assert part.chart.axis.startswith("Most common values of each kind")


@pytest.mark.parametrize("of", ["sample_report", "thirty"])
def test_what_the_title_on_interests_names_leads_its_chart(of, request):
    part = request.getfixturevalue(of).sections[1]
    bars, table = part.chart.frame, part.table.frame
    assert len(bars) == 10
    assert bars["bar"].is_unique
    assert bars["bar"].str.contains(r" \((?:interest group|purchase intent|interest)\)$").all()
    for kind, text in zip(("Interest group", "Purchase intent"), part.title.split("; "), strict=True):
        rows = table[table["kind"] == kind]
        most = rows["with_code"].max()
        first = rows[rows["with_code"] == most]["label"].tolist()
        assert first[0] in text
        assert f"with {most}" in text
        named = [label for label in first if label in text]
        assert len(named) == len(first) or f" and {len(first) - len(named)} others" in text
        for label in named:
            assert f"{label} ({kind.lower()})" in set(bars["bar"])
    assert bars["bar"].iloc[0].endswith("(interest group)")


def test_one_name_of_two_kinds_is_two_bars_that_say_which(sample):
    def renamed(frame):
        rows = frame["dimension"].isin(["interest", "purchase_intent"]) if "dimension" in frame.columns else None
        return frame if rows is None else frame.assign(label=frame["label"].mask(rows, "Camping"))

    part = report_of(Frames.of(sample, renamed)).sections[1]
    assert {"Camping (interest)", "Camping (purchase intent)"} <= set(part.chart.frame["bar"])
    [root] = charts_in(deck(made_of(part)))
    labels = {text.text for text in root.findall(".//c:cat//c:v", DRAWING_SPACE)}
    assert {"Camping (interest)", "Camping (purchase intent)"} <= labels


def test_what_is_on_one_site_each_leads_nothing(sample, good_rows):
    kept = set(good_rows[:2])
    title = report_of(part_of(sample, lambda record: record.row in kept)).sections[1].title
    assert title == "No interest is on more than one of 2 sites; no purchase intent is on more than one of 2 sites"


@pytest.mark.parametrize("of", ["sample_report", "thirty"])
def test_a_persona_of_few_sites_is_no_headline(of, request):
    part = next(part for part in request.getfixturevalue(of).sections if part.name == "Personas")
    first = part.table.frame.iloc[0]
    assert part.title == (
        f"No persona stands out: {len(part.table.frame)} personas were found, none of them on more than "
        f"{first['with_code']} of {first['n']} sites"
    )
    assert first["label"] in part.text[0]


def test_a_persona_of_many_sites_is_the_headline(sample):
    def common(frame):
        if "dimension" not in frame.columns:
            return frame
        return frame.assign(
            **{name: frame[name].mask(frame["dimension"] == "persona", "Cooks") for name in ("code", "label")}
        )

    part = next(part for part in report_of(Frames.of(sample, common)).sections if part.name == "Personas")
    assert part.title == "Cooks is the persona inferred most often, on 59 of 62 sites"


def test_how_sure_the_service_is_is_counted_in_its_chart(thirty):
    part = thirty.sections[-1]
    bars = part.chart.frame
    measured = bars[~bars["kind"].str.endswith("(inferred)")]
    assert len(measured) == (measured["high"] > 0.5).sum() == 3
    assert part.title == "The service states high confidence on most sites for all 3 kinds of measured answers"
    assert len(bars) > 10
    assert "Of 33 sites, 3 gave no answer." in part.text
    assert part.text[-1].endswith(
        "A site for consumers has no business audience by nature, so its answer lacks nothing there."
    )


def test_a_kind_of_answers_of_one_site_is_not_what_the_service_is_surest_of(sample):
    def sized(frame):
        if "dimension" not in frame.columns:
            return frame
        intents = frame[frame["dimension"] == "purchase_intent"]
        return pd.concat([frame.drop(intents.index), intents.head(1).assign(confidence="high")])

    part = report_of(Frames.of(sample, sized)).sections[-1]
    table = part.table.frame.set_index("kind")
    assert table.loc["Purchase intent", ["high", "n"]].tolist() == [1, 1]
    stated = table[(table["n"] > 1) & (table["not stated"] < 1)]
    others = stated[~stated.index.str.endswith("(inferred)")]["high"]
    assert part.text[0].startswith(f"The service is most often highly sure of {others.idxmax().lower()} (")
    assert f"least often of {others.idxmin().lower()} (" in part.text[0]
    assert "purchase intent" not in part.text[0]


def test_no_headline_of_a_report_sells_how_sure_an_inferred_value_is(sample):
    def sure(frame):
        """Return codes of which all that are inferred are told with high confidence, and no other."""
        if "dimension" not in frame.columns or "confidence" not in frame.columns:
            return frame
        inferred = frame["dimension"].map(BASIS).astype("str") == "inferred"
        stated = frame["confidence"].notna()
        return frame.assign(confidence=frame["confidence"].mask(stated, "low").mask(stated & inferred, "high"))

    part = report_of(Frames.of(sample, sure)).sections[-1]
    assert part.title == "The service states high confidence on most sites for none of the 3 kinds of measured answers"
    assert "age bracket" not in part.text[0]
    assert any("nobody" in text or "not that anybody counted" in text for text in part.text)


@pytest.mark.parametrize(
    ("high", "n", "title"),
    [
        ([], 30, "The service does not state how sure it is of what it measures"),
        (
            [0.5, 0.2],
            30,
            "The service states high confidence on most sites for none of the 2 kinds of measured answers",
        ),
        ([0.6, 0.7], 30, "The service states high confidence on most sites for all 2 kinds of measured answers"),
        ([1.0, 0.0], 1, "The service states high confidence for 1 of 2 kinds of measured answers"),
        ([1.0], 1, "The service states high confidence for the one kind of measured answers"),
        ([0.1], 30, "The service seldom states high confidence"),
    ],
)
def test_how_sure_the_service_is_in_words(high, n, title):
    assert _surely(pd.DataFrame({"high": pd.Series(high, dtype="float64")}), n) == title


def test_the_sites_are_listed_with_what_they_are_in_words(sample, thirty):
    [_, table] = thirty.methods.tables
    assert [column.heading for column in table.columns] == [
        *("Site", "Audience (inferred)", "Main content category", "Income (inferred)")
    ]
    assert len(table.frame) == 30
    assert table.frame["site"].is_monotonic_increasing
    rows = table.frame.set_index("site")
    assert rows.loc["agrifields-coop.example"].tolist() == ["Businesses", "Business and Finance", "Middle income"]
    audiences = sample.audiences().set_index("normal")
    names = {"b2b": "Businesses", "b2c": "Consumers"}
    for site, row in rows.iterrows():
        assert row["audience_type"] == names[audiences.loc[site, "audience_type"]]
    found = sample.categories()
    first = (
        found[(found["taxonomy"] == "content-v3") & (found["rank"] == 1)]
        .drop_duplicates("normal")
        .set_index("normal")["level_1"]
    )
    there = rows["category"].dropna()
    assert len(there) == 30
    assert [value.split(" > ")[0] for value in there] == first[there.index].tolist()


def test_of_a_site_with_two_answers_that_differ_both_are_listed(sample):
    frames = RunFrames.of(sample)
    codes = frames.given["codes"]
    again = codes[codes["dimension"] == "income_level"].head(1).assign(label="High income")
    frames.given["codes"] = pd.concat([codes, again])
    rows = answered_sites(frames).frame.set_index("site")["income_level"]
    assert rows["agrifields-coop.example"] == "High income and Middle income"
    assert rows["atelier-lumiere.example"] == "High income"


@pytest.mark.parametrize("write", [lambda made: html_page(made).encode(), deck, book], ids=["html", "pptx", "xlsx"])
def test_every_site_is_in_the_page_the_slides_and_the_workbook(thirty, tmp_path, write):
    place = tmp_path / f"report.{ {deck: 'pptx', book: 'xlsx'}.get(write, 'html') }"
    place.write_bytes(write(thirty))
    text = text_in(place)
    for table in thirty.methods.tables:
        for site in table.frame["site"]:
            assert site in text
    assert "Upper middle income" in text
    assert "audience, company, content" in text
    assert "categorize_content" not in text


def test_a_long_list_is_on_several_slides_in_tables_that_can_be_edited(thirty):
    made = Presentation(io.BytesIO(deck(thirty)))
    pages = [slide for slide in made.slides if slide.shapes.title.text_frame.text.startswith("Sites with an answer")]
    assert [slide.shapes.title.text_frame.text[-8:] for slide in pages] == ["(1 of 3)", "(2 of 3)", "(3 of 3)"]
    tables = [shape.table for slide in pages for shape in slide.shapes if shape.has_table]
    assert [len(table.rows) - 1 for table in tables] == [10, 10, 10]
    above = [shape.text_frame.text for slide in made.slides for shape in slide.shapes if shape.name == "About"]
    assert above[-6:] == ["How sure this is", "Methods", "Methods", "Appendix", "Appendix", "Appendix"]


def test_of_very_many_rows_slides_have_the_first_and_the_last_says_so():
    frame = pd.DataFrame({"site": [f"s{number:04}.example" for number in range(1_000)]})
    table = Table("Sites with an answer", frame, (Column("site", "Site"),))
    made = Presentation(io.BytesIO(deck(Report("Kites", "62 sites", AT, (section(),), Methods(tables=(table,))))))
    pages = list(made.slides)[3:]
    assert len(pages) == 8
    said = [[shape.text_frame.text for shape in slide.shapes if shape.name == "Rows left out"] for slide in pages]
    assert said[:-1] == [[]] * 7
    assert said[-1] == ["The first 104 of 1,000 rows; a report as a workbook (.xlsx) has all of them."]
    for slide in pages:
        for shape in slide.shapes:
            assert shape.top + shape.height <= made.slide_height


def test_few_sites_are_named_and_many_are_not(thirty, sample):
    parts = {part.name: part for part in thirty.sections}
    codes = sample.codes()
    sites = set(thirty.methods.tables[1].frame["site"])
    codes = codes[codes["normal"].isin(sites)]

    def having(dimension, label):
        rows = codes[(codes["dimension"] == dimension) & (codes["label"] == label)]
        return sorted(rows["normal"].unique())

    personas = parts["Personas"].table.frame
    tied = personas[personas["with_code"] == personas["with_code"].max()]["label"].tolist()
    assert f"{tied[0]} and {tied[1]}, 2 of 30 sites" in parts["Personas"].text[0]
    assert ".example" not in parts["Personas"].text[0]
    interests = parts["Interests and purchase intent"]
    interest = interests.table.frame.query("kind == 'Interest'")["label"].iloc[0]
    first, second, third = having("interest", interest)
    assert f", namely {first}, {second} and {third}." in interests.text[0]
    group = interests.table.frame.query("kind == 'Interest group'")["label"].iloc[0]
    first, second, third, *more = having("interest_group", group)
    assert len(more) == 2
    assert f"{group}, 5 of 30 sites" in interests.text[0]
    assert f", such as {first}, {second} and {third}. " in interests.text[0]
    for name, number in (("Content categories", "Business and Finance (6)"), ("Technologies", "10 of 30 sites")):
        assert number in parts[name].text[0]
        assert ".example" not in parts[name].text[0]


def test_few_sites_of_the_most_common_category_are_named(sample, good_rows):
    kept = set(good_rows[:20])
    run = part_of(sample, lambda record: record.row in kept)
    found = run.categories().query("taxonomy == 'content-v3' and level_1 == 'Business and Finance'")
    first, second, third, *more = sorted(found["normal"].unique())
    assert len(more) == 1
    text = report_of(run).sections[2].text[0]
    assert text.endswith(f" Business and Finance is on 4 sites, such as {first}, {second} and {third}.")


def test_codes_of_answers_are_in_the_workbook_only(thirty):
    sheet = openpyxl.load_workbook(io.BytesIO(book(thirty)))["Sites without an answer"]
    assert [cell.value for cell in sheet[7]] == ["Site", "Reason", "Question", "Status"]
    assert {row[3].value for row in sheet.iter_rows(min_row=8, max_row=10)} == {"410", "411"}
    assert not re.search(r"\b41[01]\b", html_page(thirty, dict.fromkeys(range(9), DRAWING)))


@pytest.fixture(scope="module")
def kinds(sample):
    """The sites that speak to businesses, and those that speak to consumers."""
    good = sample.audiences().dropna(subset=["audience_type"])
    return {str(kind): rows["target"].tolist() for kind, rows in good.groupby("audience_type", observed=True)}


@pytest.fixture(scope="module")
def grouped(sample, kinds):
    """A report that compares these groups, which have one site in common, and the frames that it was made of."""
    run = Frames.of(sample, lambda frame: frame.copy(deep=True))
    shared = {name: [*sites, "torque-journal.example"] for name, sites in kinds.items()}
    return report_of(run, groups=shared, baseline="rest"), run


def test_groups_are_compared_and_the_clearest_difference_is_the_title(grouped, kinds):
    made, _ = grouped
    parts = {part.name: part for part in made.sections}
    compared = parts["Groups compared by audience"]
    first = compared.table.frame.iloc[0]
    assert first["verdict"] in {"over", "under"}
    assert "audience type" in first["label"]
    assert "the rest of the sites" in compared.text[0]
    assert re.search(r"95\s% interval of the index", " ".join(compared.text))
    series = compared.chart.series
    assert {part.label for part in series} == set(kinds)
    assert compared.chart.kind == "index"
    assert compared.chart.axis.startswith("Index, 100 = the rest of the sites; lines: 95")
    assert "Fisher" in " ".join(made.methods.text)
    assert "“No difference shown” does not mean" in " ".join(made.methods.limits)
    assert "1 site in common" in parts["Overlap of groups"].title


def test_a_chart_of_groups_draws_the_group_that_its_title_is_about(sample):
    sites = sample.audiences().dropna(subset=["audience_type"])
    business, others = (sites.loc[sites["audience_type"] == kind, "target"].tolist() for kind in ("b2b", "b2c"))
    groups = {f"Some {place}": others[place::5] for place in range(5)} | {"Trade": business}
    frames = RunFrames.of(sample)
    part = compared_audiences(frames, chosen_groups(frames, groups), None)
    assert "Trade" in part.title
    assert "Trade" in [series.label for series in part.chart.series]
    assert "; 4 of 6 groups, those that differ most" in part.chart.axis


def test_a_chart_of_groups_draws_what_the_table_says_and_nothing_of_too_few_sites(sample):
    sites = sample.audiences().dropna(subset=["audience_type"])
    business = sites[sites["audience_type"] == "b2b"]["target"].tolist()
    frames = RunFrames.of(sample)
    chosen = chosen_groups(frames, {"Business": business, "Others": sites["target"].tolist()[:30], "One": business[:1]})
    part = compared_audiences(frames, chosen, None)
    rows, drawn = part.table.frame.set_index(["label", "group"]), part.chart.frame.set_index("label")
    seen = set()
    for series in part.chart.series:
        for label, index in drawn[series.name].items():
            row = rows.loc[(label, series.label)]
            seen.add(row["verdict"])
            if row["verdict"] == "too few":
                assert pd.isna(index)
            else:
                assert (index, drawn.loc[label, series.low]) == (row["shrunken_index"], row["shrunken_low"])
                assert drawn.loc[label, series.hollow] == (row["verdict"] == "no difference shown")
    assert {"too few", "over", "no difference shown"} <= seen


def test_the_frames_of_a_run_stay_as_they_were(grouped, sample):
    for name in Frames.NAMES:
        pd.testing.assert_frame_equal(getattr(grouped[1], name)(), getattr(sample, name)())


def test_the_overlap_of_groups_is_a_matrix_of_parts_of_the_row(sample):
    sites = sample.audiences().dropna(subset=["audience_type"])["target"].tolist()
    frames = RunFrames.of(sample)
    chosen = chosen_groups(frames, {"Few": sites[:10], "Many": sites[5:45], "None": sites[50:52]})
    chart = shared_sites(frames, chosen).chart
    assert chart.kind == "matrix"
    assert [part.label for part in chart.series] == chart.frame["group"].tolist() == ["Many", "Few", "None"]
    cells = [[row[part.words] for part in chart.series] for _, row in chart.frame.iterrows()]
    assert cells == [["40 sites", "12 % (5)", "0 %"], ["50 % (5)", "10 sites", "0 %"], ["0 %", "0 %", "2 sites"]]
    assert chart.frame[chart.series[0].name].tolist()[1:] == [0.5, 0.0]
    assert pd.isna(chart.frame.loc[0, chart.series[0].name])


def test_of_many_groups_a_chart_has_the_first_and_says_so(sample):
    sites = sample.audiences().dropna(subset=["audience_type"])["target"].tolist()
    frames = RunFrames.of(sample)
    chosen = chosen_groups(frames, {f"Group {place}": sites[place * 2 : place * 2 + 30] for place in range(10)})
    chart = compared_audiences(frames, chosen, None).chart
    assert chart.axis.endswith("; 4 of 10 groups")
    assert len(chart.series) == 4
    cells = shared_sites(frames, chosen).chart.frame
    assert [cells.loc[0, "words_0"], cells.loc[0, "words_1"]] == ["30", "93 %"]


def test_what_personas_go_with_is_a_picture_with_its_own_words_or_else_bars_with_a_note(sample_report):
    place = next(number for number, part in enumerate(sample_report.sections) if part.name == "Personas")
    slides_of = [Presentation(io.BytesIO(deck(sample_report, drawn))).slides for drawn in ({place: PIXEL}, {})]
    with_picture, without = (found[2 + place] for found in slides_of)
    [picture] = [shape for shape in with_picture.shapes if shape.shape_type == 13]
    [alt] = picture._element.xpath(".//p:cNvPr/@descr")
    assert re.search(r"The picture links \d+ personas with \d+ categories", alt)
    assert not any(shape.has_chart for shape in with_picture.shapes)
    footer = next(shape.text_frame.text for shape in with_picture.shapes if shape.name == "Footer")
    assert "width: sites with both" in footer
    [chart] = [shape for shape in without.shapes if shape.has_chart]
    [alt] = chart._element.xpath(".//p:cNvPr/@descr")
    first = sample_report.sections[place].table.frame["label"].iloc[0]
    assert re.fullmatch(rf"Bars of the most common personas: {first}\b.* first\.", alt)
    assert "width: sites" not in next(shape.text_frame.text for shape in without.shapes if shape.name == "Footer")
    for slide, is_told in ((with_picture, False), (without, True)):
        assert (BARS_INSTEAD in slide.notes_slide.notes_text_frame.text) is is_told


def test_the_page_says_what_its_picture_of_personas_shows(sample_report):
    part = next(part for part in sample_report.sections if part.name == "Personas")
    [drawn] = Page(html_page(made_of(part), {0: DRAWING})).all("svg")
    assert re.search(r"The picture links \d+ personas with \d+ categories", drawn["aria-label"])


def test_personas_without_content_are_bars_and_nothing_is_missing(sample):
    made = report_of(Frames.of(sample).without("categories"))
    place = next(number for number, part in enumerate(made.sections) if part.name == "Personas")
    slide = Presentation(io.BytesIO(deck(made))).slides[2 + place]
    assert any(shape.has_chart for shape in slide.shapes)
    assert BARS_INSTEAD not in slide.notes_slide.notes_text_frame.text


def test_groups_without_common_sites_have_no_overlap_to_report(sample, kinds):
    frames = RunFrames.of(sample)
    assert shared_sites(frames, chosen_groups(frames, kinds)) is None


def test_without_a_difference_the_title_says_that_none_can_be_shown(sample):
    sites = sample.audiences()["target"].tolist()
    frames = RunFrames.of(sample)
    part = compared_audiences(frames, chosen_groups(frames, {"even": sites[::2], "odd": sites[1::2]}), None)
    assert not part.table.frame["verdict"].isin(["over", "under"]).any()
    assert part.title == "No difference between the groups' audiences can be shown with so few sites"
    tried = (part.table.frame["verdict"] != "too few").sum()
    assert f"None of the {tried} that could be tested is larger than chance" in " ".join(part.text)


def test_where_all_groups_are_too_small_nothing_is_said_of_chance(sample):
    frames = RunFrames.of(sample)
    small = chosen_groups(frames, {"Cars": ["torque-journal.example"], "Money": ["ledgerline.example"]})
    part = compared_audiences(frames, small, "Money")
    assert set(part.table.frame["verdict"]) == {"too few"}
    assert part.title == "The groups have too few sites for their audiences to be compared"
    assert "None of them could be tested" in part.text[1]
    # There is no bar to draw, so a slide has the table.
    assert part.chart is None
    assert any(shape.has_table for shape in finding_slide(made_of(part)).shapes)
    assert "chance" not in " ".join(part.text)


@pytest.mark.parametrize(("column", "of"), [("audience_type", "audiences"), ("business_model", "companies")])
def test_groups_are_named_by_a_column_of_the_audiences_or_companies(sample, column, of):
    made = report_of(sample, groups=column)
    frame = getattr(sample, of)()
    sizes = frame[frame["error"].isna()].groupby(column, observed=True)["normal"].nunique()
    parts = [part for part in made.sections if part.name.startswith("Groups compared")]
    assert len(parts) == 2
    for part in parts:
        for name, n in sizes.items():
            assert f"{name} ({n} site{'s' * (n != 1)})" in part.text[0]
    labels = parts[0].table.frame["label"]
    assert labels.str.endswith("(audience type, inferred)").any() == (column != "audience_type")


def test_a_frame_or_series_of_groups_leaves_out_its_own_dimension_too(sample):
    frame = sample.audiences()[["target", "audience_type"]]
    for groups in (frame, frame.set_index("target")["audience_type"]):
        chosen = chosen_groups(RunFrames.of(sample), groups)
        assert chosen.own == "audience_type"
        part = compared_audiences(RunFrames.of(sample), chosen, None)
        assert not part.table.frame["label"].str.endswith("(audience type, inferred)").any()


def test_a_column_that_is_nowhere_is_refused_with_the_nearest(sample):
    with pytest.raises(InputError, match=r"has a column 'audience_typ'.*Nearest: audience_type\."):
        report_of(sample, groups="audience_typ")


def test_targets_of_groups_that_were_not_answered_are_told(sample):
    failed = sample.failures()["target"].iloc[0]
    groups = {
        "Cars": iter(["https://torque-journal.example/", failed, "two words"]),
        "Boots": ["nowhere.example", "nowhere.example"],
        "Money": ["ledgerline.example"],
    }
    made = report_of(sample, groups=groups, baseline=iter(sample.audiences()["target"]))
    said = made.methods.limits
    assert "2 of 3 targets of the group Cars are no answered sites of the run, and do not count." in said
    assert "1 of 1 target of the group Boots is no answered site of the run, and does not count." in said
    assert not any("Money" in text for text in said)
    parts = [part for part in made.sections if part.name.startswith("Groups compared")]
    assert [part.text[0].startswith("Cars (1 site) and Money (1 site) compared") for part in parts] == [True, True]
    # The baseline can be read only once, too.
    assert all(part.table.frame["baseline_share"].notna().all() for part in parts)


def test_groups_without_any_answered_site_are_told_to_be_not_compared(sample):
    made = report_of(sample, groups={"Boots": ["nowhere.example"]})
    assert not any(part.name.startswith("Groups") for part in made.sections)
    assert "No groups are compared: none of them has an answered site of the run." in made.methods.limits
    assert "index" not in " ".join(made.methods.text)


@pytest.mark.usefixtures("no_chromium")
@pytest.mark.parametrize("kind", ["html", "pptx", "xlsx"])
def test_write_report_writes_the_format_of_the_name(sample, tmp_path, kind):
    place = tmp_path / f"Report.{kind.upper()}"
    place.write_bytes(b"an earlier one")
    assert write_report(sample, str(place), title="Kites & boots") == place
    assert [path.name for path in tmp_path.iterdir()] == [place.name]
    if kind == "html":
        assert Page(place.read_text(encoding="utf-8")).all("h1")[0]["text"] == "Kites & boots"
    elif kind == "pptx":
        assert Presentation(place).slides[0].shapes.title.text_frame.text == "Kites & boots"
    else:
        assert openpyxl.load_workbook(place)["Methods"]["A1"].value == "Kites & boots"


@pytest.mark.usefixtures("no_chromium")
def test_hostile_answers_are_harmless_in_every_format(sample, tmp_path):
    def spoiled(frame):
        for column, text in (("label", FORMULA), ("technology", SCRIPT), ("category", TAG), ("code", CONTROL)):
            if column in frame.columns and frame["error"].isna().any():
                rows = frame["error"].isna()
                if column == "code":
                    rows &= frame["dimension"] == "persona"
                frame = frame.assign(**{column: frame[column].mask(rows, text)})
        return frame

    run = Frames.of(sample, spoiled)
    paths = {kind: write_report(run, tmp_path / f"report.{kind}", title=SCRIPT) for kind in ("html", "pptx", "xlsx")}
    page = Page(paths["html"].read_text(encoding="utf-8"))
    assert len(page.all("script")) == 2
    assert page.all("img") == []
    book_ = openpyxl.load_workbook(paths["xlsx"])
    cells = [cell for sheet in book_ for row in sheet.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert FORMULA in {cell.value for cell in cells}
    assert len(Presentation(paths["pptx"]).slides) > 8


def test_a_run_that_stopped_early_says_so(sample):
    class Stopped(Frames):
        class progress:  # noqa: N801 - as of a run
            total, done, reason = 204, 183, "the budget is used up"

    few = {"companies": sample.companies(), "technologies": sample.technologies()}
    said = report_of(Stopped(**few)).methods.limits
    assert (
        "It is not of the whole list: 21 questions of 204 were not asked, for the run stopped (the budget is used up)."
    ) in said


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("report.doc", r"'report\.doc' does not say the format.*Let it end in \.html, \.pptx or \.xlsx\.$"),
        ("nowhere/report.html", r"There is no folder .*nowhere"),
        ("folder.html", "is a folder"),
        (7, "path must be the name of a file"),
    ],
)
def test_a_place_that_cannot_be_is_refused_before_anything_is_made(path, message, tmp_path):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InputError, match=message):
        write_report(object(), tmp_path / path if isinstance(path, str) else path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"title": " "}, "title must be a text"),
        ({"title": 7}, "title must be a text"),
        ({"at": "2026-11-22"}, "at must be a datetime"),
        ({"baseline": "rest"}, "there are no groups"),
    ],
)
def test_arguments_that_cannot_be_are_refused(sample, options, message):
    with pytest.raises(InputError, match=message):
        report_of(sample, **options)


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"DataFrame has no audiences\(\)"):
        write_report(pd.DataFrame(), tmp_path / "report.html")


@pytest.fixture(scope="module")
def unanswered(sample):
    """A run in which every question failed."""
    failed = set(sample.failures()["row"])
    return part_of(sample, lambda record: record.row in failed)


def text_in(place):
    """All texts of a report in a file."""
    if place.suffix == ".html":
        return Page(place.read_text(encoding="utf-8")).all("main")[0]["text"]
    if place.suffix == ".xlsx":
        book_ = openpyxl.load_workbook(place)
        return "\n".join(str(cell.value) for sheet in book_ for row in sheet.iter_rows() for cell in row if cell.value)
    shapes = [shape for _, shape in shapes_of(Presentation(place))]
    cells = [cell for shape in shapes if shape.has_table for cell in shape.table.iter_cells()]
    frames = [shape.text_frame for shape in shapes if shape.has_text_frame] + [cell.text_frame for cell in cells]
    return "\n".join(frame.text for frame in frames)


@pytest.mark.parametrize("kind", ["html", "pptx", "xlsx"])
def test_a_run_that_no_site_answered_makes_a_report_that_says_what_failed_and_why(unanswered, tmp_path, kind):
    text = text_in(write_report(unanswered, tmp_path / f"report.{kind}"))
    assert "None of the 6 sites gave an answer" in text
    assert "No site was answered, so this report says nothing of any audience, content or technology." in text
    assert "too little text, or the page could not be loaded" in text
    assert "page not found or not reachable" in text
    for site in unanswered.failures()["normal"].unique():
        assert site in text
    assert "0 of 6 gave an answer; 6 did not" in text
    assert "1980" not in text
    assert "date not known" not in text


def test_a_report_without_answers_counts_reasons_and_has_no_method_for_shares(unanswered):
    made = report_of(unanswered, groups="audience_type")
    assert made.title == "Audience report: no answer of 6 sites"
    assert made.subtitle.startswith("0 of 6 sites with an answer · source:")
    [part] = made.sections
    failed = unanswered.failures()
    counts = failed.groupby("status")["normal"].nunique()
    assert sorted(part.table.frame["sites"]) == sorted(counts)
    assert made.methods.text == ()
    assert "No groups are compared: no site gave an answer." in made.methods.limits
    assert not any("classifications are estimates" in text for text in made.methods.limits)
    assert dict(made.methods.facts).keys() == {"Sites", "Why they did not", "Source", "Software"}
    assert words(report_of(unanswered)) == words(report_of(unanswered))


def test_a_report_without_answers_is_of_the_time_that_it_is_told(unanswered):
    made = report_of(unanswered, at=AT, title="Kites")
    assert (made.title, made.at) == ("Kites", AT.replace(tzinfo=None))
    assert "22 November 2026" in made.subtitle
    assert dict(made.methods.facts)["Report as of"] == "22 November 2026, 05:54 UTC"


def test_one_site_without_an_answer_is_told_in_the_singular(unanswered):
    rows = set(unanswered.failures()["row"].tolist()[:1])
    [part] = report_of(part_of(unanswered, lambda record: record.row in rows)).sections
    assert part.title == "The one site gave no answer"
    assert re.fullmatch(r"The reason: [a-z ,]+, 1 site\.", part.text[1])


def test_a_run_of_no_site_is_nothing_to_report(sample):
    with pytest.raises(InputError, match=r"^The run asked about no site.*Pass a list with sites\.$"):
        report_of(Frames.of(sample, lambda frame: pd.DataFrame(frame.head(0).to_dict("series"))))


def test_how_the_groups_were_made_is_no_finding():
    run = sample_run()
    categories = run.categories().query("taxonomy == 'content-v3'").sort_values("rank", kind="stable")
    main = categories.drop_duplicates("target").set_index("target")["level_1"].dropna()
    contents = report_of(run, groups=main[main.isin(["Sports", "Travel", "Business and Finance"])])
    [title] = [section.title for section in contents.sections if section.name == "Groups compared by content"]
    for name in ("Sports", "Travel", "Business and Finance"):
        assert not (title.startswith(f"{name} is") and f"among {name}" in title)
