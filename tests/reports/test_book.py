"""The workbook of a report, read again with openpyxl: what stands where, as what, and that nothing is missing."""

import base64
import datetime as dt
import io
import re
import time
import zipfile
from dataclasses import replace

import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reports.made import AT, HOSTILE, made_report
from toolkit.findings.insights.doubts import NOT_MEASURED
from toolkit.reports.book import book, sheet_names
from toolkit.reports.book import workbook as writer
from toolkit.reports.brand import PLAIN, brand_of
from toolkit.reports.contents import Advice, Chart, Column, Part, Series, Table
from toolkit.reports.document import report_of
from toolkit.reports.words import clean

HEAD = 6
#: A picture of one dot.
LOGO = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def opened(report, brand=PLAIN):
    return openpyxl.load_workbook(io.BytesIO(book(report, brand)))


def with_parts(*parts, **changed):
    return made_report(parts=parts, proofs=(), advice=(), cards=(), **changed)


def with_table(frame, *columns, **changed):
    table = Table("Things", frame, columns)
    return with_parts(Part("profile", "Things", "Things are many.", table=table), **changed)


def heads(sheet, row=HEAD):
    return {cell.value: cell.column for cell in sheet[row] if cell.value is not None}


def under(sheet, heading):
    """The cells under a heading of a sheet."""
    column = heads(sheet)[heading]
    return [sheet.cell(row, column) for row in range(HEAD + 1, sheet.max_row + 1)]


def moment(*parts):
    return dt.datetime(2026, 11, *parts, tzinfo=dt.UTC).replace(tzinfo=None)


def texts(sheet):
    return [cell.value for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]


@pytest.fixture(scope="module")
def plain():
    return opened(made_report())


@pytest.fixture(scope="module")
def hostile():
    return opened(made_report(hostile=True))


# The first sheet -----------------------------------------------------------------------------------------------------


def test_the_first_sheet_has_the_answer_the_findings_and_the_advice(plain):
    sheet = plain.worksheets[0]
    assert sheet.title == "Answer"
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows[0][0] == "Audience report: 30 sites"
    assert rows[1][0].startswith("Northwind · 28 of 30 different sites answered")
    assert rows[3][0] == "A list of travel and food sites for families; its travel sites reach families twice as often."
    finding = next(row for row in rows if row[0] == "Finding")
    assert finding[1:5] == [
        f"{made_report().proofs[0].title} Against it: two of the seven are the same publisher.",
        "clear",
        "inferred",
        "Proof 1 - Families",
    ]
    assert [row[0] for row in rows if row[0] in {"Finding", "Change", "Lead"}] == ["Finding", "Change", "Lead"]
    assert ["Segment text", "LIFE.PARENTS_YOUNG"] in [row[:2] for row in rows]
    assert ["Sites", "site-1.example, site-2.example"] in [row[:2] for row in rows]
    assert ["Travel", 10] in [row[:2] for row in rows]


def test_every_sheet_is_linked_from_the_first_and_links_back(plain):
    targets = {
        link.location for link in (cell.hyperlink for row in plain["Answer"].iter_rows() for cell in row) if link
    }
    for sheet in plain.worksheets[1:]:
        assert {f"{sheet.title}!A1", f"'{sheet.title}'!A1"} & targets
        assert (sheet["A4"].value, sheet["A4"].hyperlink.location) == ("Back to Answer", "Answer!A1")


def test_a_sheet_links_to_its_notes_and_the_sites_that_show_it(plain):
    assert plain["Proof 1 - Families"]["B4"].hyperlink.location == "Notes!A7"
    rows = [[cell.value for cell in row] for row in plain["Notes"].iter_rows(min_row=HEAD + 1, max_col=3)]
    assert rows[0] == [
        "Proof 1 - Families",
        "How to read it",
        "The difference is 40 points; 95\u00a0% interval 5 to 66.",
    ]
    assert len([row for row in rows if row[1] == "Site that shows it"]) == 7


# Which sheets there are ----------------------------------------------------------------------------------------------


def test_sheets_stand_in_the_order_of_the_report(plain):
    assert plain.sheetnames == [
        "Answer", "Proof 1 - Families", "What changed", "Topics", "Age", "Groups", "Groups, table", "Gaps",
        "More sites", "A lead", "Sites", "Everything by site", "Methods", "Sites without an answer", "Notes",
        "Chart numbers",
    ]  # fmt: skip


def test_the_order_decides_which_sheets_there_are():
    assert opened(made_report(order=("sites", "answer"))).sheetnames == [
        "Answer", "Sites", "Everything by site",
    ]  # fmt: skip
    made = opened(made_report(order=("methods", "profile")))
    assert made.sheetnames == [
        "Contents", "Methods", "Sites without an answer", "Topics", "Age", "Chart numbers",
    ]  # fmt: skip
    front = texts(made["Contents"])
    assert "What to do" not in front
    assert "What was found" not in front
    assert not any(text.startswith("A list of travel") for text in front)


@given(st.lists(st.text(max_size=60), max_size=12))
@settings(max_examples=100)
def test_names_of_sheets_are_allowed_and_differ(names):
    given_names = sheet_names(names)
    assert len({name.casefold() for name in given_names}) == len(names)
    for name in given_names:
        assert 1 <= len(name.encode("utf-16-le")) // 2 <= 31
        assert not set("[]:*?/\\") & set(name)
        assert name == name.strip("'")
        assert name.casefold() != "history"


def test_advice_with_many_sites_has_a_sheet_of_its_own():
    sites = tuple(f"site-{place}.example" for place in range(40))
    made = opened(made_report(advice=(Advice("sites", "Take forty.", "They are good.", sites),)))
    assert [cell.value for cell in under(made["Sites to take"], "Site")] == list(sites)
    assert any(text.endswith("site-11.example and 28 more on their sheet") for text in texts(made["Answer"]))


# Every number --------------------------------------------------------------------------------------------------------


def in_columns(frame, forms):
    """The numbers and texts of columns, by name and form."""
    cells = [(value, form) for name, form in forms.items() for value in frame[name].dropna()]
    numbers = [float(value) * (100 if form == "points" else 1) for value, form in cells if not isinstance(value, str)]
    return numbers, [value for value, _ in cells if isinstance(value, str)]


def in_table(table):
    numbers, words = in_columns(table.frame, {name: one.form for one in table.columns for name in one.names})
    return numbers, [*words, *(column.heading for column in table.columns)]


def in_chart(chart):
    values = [name for series in chart.series for name in (series.name, series.low, series.high)]
    forms = dict.fromkeys([*values, *(own.column for own in chart.by_group)], chart.form)
    forms |= {chart.labels: "text", chart.tips: "text"}
    forms.pop("", None)
    numbers, words = in_columns(chart.frame, forms)
    return numbers, [*words, chart.axis, *(series.label for series in chart.series)]


def everything(report):
    """Every number and text that a reader of any format can meet."""
    parts = (*report.proofs, *report.parts)
    tables = [one.table for one in (*parts, *report.advice) if one.table] + [*report.methods.tables]
    found = [in_table(table) for table in tables] + [in_chart(part.chart) for part in parts if part.chart]
    numbers = [number for some, _ in found for number in some] + [group.sites for group in report.groups]
    words = [word for _, some in found for word in some]
    words += [report.title, report.client, report.subtitle, report.answer, *(group.name for group in report.groups)]
    for part in parts:
        words += [part.title, *part.text, *part.notes, part.footer, part.certainty, part.against, part.basis]
        words += part.sites
    for advice in report.advice:
        words += [advice.what, advice.why, advice.segment, *advice.sites]
    facts = [(card, head, fact) for card in report.cards for head, some in card.facts for fact in some]
    words += [text for card, head, fact in facts for text in (card.site, head, fact.name, fact.value, fact.why)]
    words += [text for fact in report.methods.facts for text in fact] + [*report.methods.text, *report.methods.limits]
    return numbers, words


@pytest.mark.parametrize("groups", [(), ("Travel", "Food"), tuple(f"Group {place}" for place in range(12))])
def test_every_number_and_text_of_the_report_stands_in_a_cell(groups):
    report = made_report(sites=12, groups=groups, hostile=True)
    wanted = Table("What each site adds", pd.DataFrame({"s": ["x.example"], "n": [0.125]}), (
        Column("s", "Site"), Column("n", "Adds, points", "points"),
    ))  # fmt: skip
    report = replace(
        report, advice=(*report.advice, Advice("sites", "Take x.", "It adds.", ("x.example",), table=wanted))
    )
    cells = [cell.value for sheet in opened(report) for row in sheet.iter_rows() for cell in row]
    found = {round(cell, 9) for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)}
    said = "\n".join(cell for cell in cells if isinstance(cell, str)).casefold()
    numbers, words = everything(report)
    assert {round(number, 9) for number in numbers} - found == set()
    assert [word for word in words if clean(word).casefold() not in said] == []


def test_a_chosen_group_of_a_page_has_its_numbers_too(plain):
    rows = list(plain["Chart numbers"].iter_rows(min_row=HEAD + 1, values_only=True))
    assert [row[4] for row in rows if row[0] == "Topics" and row[3] == "Food"] == pytest.approx([0.1, 0.8, 0.5, 0])


# A sheet -------------------------------------------------------------------------------------------------------------


def test_a_sheet_has_its_table_with_filters_and_frozen_panes(plain):
    sheet = plain["Topics"]
    assert [*heads(sheet)][:5] == [
        "Topic", "Sites", "Share of sites, %", "Share of sites, %, at least", "Share of sites, %, at most",
    ]  # fmt: skip
    assert sheet.freeze_panes == "B7"
    assert sheet.auto_filter.ref == "A6:K10"
    assert sheet.print_title_rows == "$6:$6"
    assert (sheet.page_setup.orientation, is_one_page(sheet)) == ("landscape", True)
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert sheet["A3"].value == (
        "Measured · Source: classification service · 28 of 30 sites answered · 22 November 2026"
    )


def test_numbers_are_numbers_with_formats(plain):
    shares = under(plain["Topics"], "Share of sites, %")
    assert [cell.value for cell in shares] == pytest.approx([0.3, 0.27, 0.23, 0.07])
    assert {cell.number_format for cell in shares} == {"0.0 %"}
    assert {cell.number_format for cell in under(plain["Topics"], "Sites")} == {"#,##0"}
    assert under(plain["Sites"], "Spend")[1].value == 1000.5


def test_points_are_numbers_with_a_sign(plain):
    cell = under(plain["Groups"], "Travel")[0]
    assert cell.value == pytest.approx(-30)
    assert cell.number_format == "+0;−0;0"


def test_days_and_times_are_dates_and_codes_stay_texts():
    frame = pd.DataFrame(
        {
            "day": ["2026-11-22", None],
            "moment": ["2026-11-22T09:30:00+02:00", "2026-11-23T00:00:00Z"],
            "stamp": pd.to_datetime(["2026-11-22", "2026-11-23"]),
            "code": ["00150", "150"],
            "compact": ["20261122", "20261123"],
            "old": ["1742-01-01", "2026-01-01"],
            "no": ["2026-13-01", "2026-01-01"],
        }
    )
    sheet = opened(with_table(frame, *(Column(name, name) for name in frame)))["Things"]
    assert [cell.value for cell in under(sheet, "day")] == [moment(22), None]
    assert under(sheet, "day")[0].number_format == "yyyy-mm-dd"
    assert under(sheet, "moment (UTC)")[0].value == moment(22, 7, 30)
    assert under(sheet, "stamp")[1].value == moment(23)
    for name in ("code", "compact", "old", "no"):
        assert [cell.value for cell in under(sheet, name)] == list(frame[name])


def test_missing_endless_and_truth_values_are_cells():
    frame = pd.DataFrame({"what": ["a", None], "n": [float("inf"), float("nan")], "b": [True, False]})
    sheet = opened(with_table(frame, Column("what", "What"), Column("n", "N", "number"), Column("b", "B")))["Things"]
    assert [[cell.value for cell in row] for row in sheet.iter_rows(HEAD + 1)] == [
        *[["a", "∞", True, *[None] * (sheet.max_column - 3)], [None, None, False, *[None] * (sheet.max_column - 3)]]
    ]


def test_no_text_is_a_formula_or_a_link(hostile):
    cells = [cell for sheet in hostile for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert all(cell.hyperlink.target is None for cell in cells if cell.hyperlink)
    assert any(HOSTILE in str(cell.value) for cell in cells)
    # Not even after it was edited in the program.
    sheet = opened(with_table(pd.DataFrame({"x": ["=1+1", "@SUM(A1)", "https://x.example"]}), Column("x", "X")))[
        "Things"
    ]
    assert [(cell.data_type, cell.quotePrefix) for cell in under(sheet, "X")] == [("s", True)] * 3


def test_long_texts_are_shortened():
    sheet = opened(with_table(pd.DataFrame({"x": ["y" * 40_000, "\N{PILE OF POO}" * 20_000]}), Column("x", "X")))[
        "Things"
    ]
    cells = [cell.value for cell in under(sheet, "X")]
    assert [len(text.encode("utf-16-le")) // 2 for text in cells] == [32_767, 32_767]
    assert all(text.endswith("…") for text in cells)


def test_more_rows_than_a_sheet_takes_are_told(monkeypatch):
    monkeypatch.setattr(writer, "MOST_ROWS", 3)
    sheet = opened(with_table(pd.DataFrame({"x": range(5)}), Column("x", "X", "whole")))["Things"]
    assert sheet["A5"].value == "Things (the first 3 of 5 rows: a sheet takes no more)"
    assert [cell.value for cell in under(sheet, "X")] == [0, 1, 2]


# Charts --------------------------------------------------------------------------------------------------------------


def charts_of(report):
    """The XML of each chart, by its sheet."""
    with zipfile.ZipFile(io.BytesIO(book(report, PLAIN))) as package:
        files = sorted(
            (name for name in package.namelist() if re.fullmatch(r"xl/charts/chart\d+\.xml", name)),
            key=lambda name: int(re.search(r"\d+", name)[0]),
        )
        return [package.read(name).decode() for name in files]


def test_every_part_with_a_chart_has_a_native_one_with_its_text(plain):
    with_chart = {sheet.title: len(sheet._charts) for sheet in plain if sheet._charts}
    assert with_chart == {"Proof 1 - Families": 1, "What changed": 1, "Topics": 1, "Age": 1, "Gaps": 1, "More sites": 1}
    with zipfile.ZipFile(io.BytesIO(book(made_report(), PLAIN))) as package:
        drawings = "".join(package.read(name).decode() for name in package.namelist() if "/drawing" in name)
    assert 'descr="Travel 9 of 30 sites, Food &amp; Drink 8, Personal Finance 7, Sports 2."' in drawings


def test_charts_draw_what_stands_among_their_numbers(plain):
    numbers = plain["Chart numbers"]
    for name, labels, values in (
        ("Topics", ["Travel", "Food & Drink", "Personal Finance", "Sports"], [0.3, 0.27, 0.23, 0.07]),
        ("What changed", ["1 October 2026", "22 November 2026"], [0.04, 0.18]),
        ("More sites", [*range(1, 31)], [11 * place / (place + 6) for place in range(1, 31)]),
    ):
        series = plain[name]._charts[0].series[0]
        if name == "More sites":
            across, up = series.xVal.numRef.f, series.yVal.numRef.f
        else:
            across, up = series.cat.strRef.f, series.val.numRef.f
        drawn = [[cell[0].value for cell in numbers[place.split("!")[1].replace("$", "")]] for place in (across, up)]
        assert drawn[0] == labels
        assert drawn[1] == pytest.approx(values)


def test_a_group_has_its_colour_in_every_chart():
    report = made_report()
    dots = charts_of(report)[0]
    marks = [
        found[1]
        for series in re.findall(r"<c:ser>.*?</c:ser>", dots)
        if (found := re.search(r'<c:marker><c:symbol val="(?:circle|diamond)"/>.*?<a:srgbClr val="(\w+)"', series))
    ]
    assert marks == [*[group.color for group in report.groups], "8A8A8A"]
    sheet = opened(report)["Groups"]
    assert {sheet.cell(HEAD, column).fill.fgColor.rgb[2:] for column in (2, 3, 4)} == {
        group.color for group in report.groups
    }


def test_dots_lie_a_row_a_row_with_the_rows_names_beside_them(plain):
    [chart] = plain["Proof 1 - Families"]._charts
    frame = made_report().proofs[0].chart.frame
    numbers = plain["Chart numbers"]
    drawn = [
        [cell[0].value for cell in numbers[place.numRef.f.split("!")[1].replace("$", "")]]
        for place in (chart.series[0].xVal, chart.series[0].yVal)
    ]
    assert drawn == [pytest.approx(frame["Travel"].tolist()), [7, 6, 5, 4, 3, 2, 1]]
    [dots, *_] = charts_of(made_report())
    *_, names = re.findall(r"<c:ser>.*?</c:ser>", dots)
    assert re.findall(r"<a:t>(.*?)\s*</a:t>", names) == frame["label"].tolist()
    assert '<c:legendEntry><c:idx val="4"/><c:delete val="1"/>' in dots


def test_marks_of_rows_that_the_claim_is_not_about_are_pale_in_every_program():
    """As points of one series they were full in LibreOffice, as if each of them were claimed."""
    frame = pd.DataFrame({"label": ["a", "b"], "x": [0.5, 0.2], "y": [0.3, 0.8], "strong": [True, False]})
    series = (Series("x", "X", color="AA4499"), Series("y", "Y", is_rest=True))
    proof = replace(made_report().proofs[0], chart=Chart("dots", "Dots.", frame, "label", series, strong="strong"))
    [dots, *_] = charts_of(made_report(proofs=(proof,), order=("proofs",)))
    assert "<c:dPt>" not in dots
    marks = re.findall(r"<c:ser>.*?<c:v>(.*?)</c:v>.*?<c:marker>.*?</c:marker>.*?</c:ser>", dots)
    fills = re.findall(r'<c:size val="10"/><c:spPr><a:solidFill><a:srgbClr val="(\w+)"/>', dots)
    values = re.findall(r"<c:xVal>.*?</c:xVal>", dots)
    assert marks[:3] == ["X", "X", "Y"]
    assert fills == ["AA4499", "E1BEDB", "8A8A8A"]
    assert [re.findall(r"<c:v>(.*?)</c:v>", value) for value in values[:3]] == [["0.5"], ["0.2"], ["0.3", "0.8"]]
    # The legend names the group once.
    assert re.findall(r'<c:legendEntry><c:idx val="(\d)"/>', dots) == ["1", "3"]


@pytest.fixture(scope="module")
def whole(sample):
    return opened(report_of(sample.run, groups="audience_type"))


def is_one_page(sheet):
    # A sheet that says nothing of it is one page wide and high.
    setup = sheet.page_setup
    return sheet.sheet_properties.pageSetUpPr.fitToPage and (setup.fitToWidth, setup.fitToHeight) == (None, None)


def printed(sheet):
    """The rows and columns of the last cell of each printed range."""
    ends = (area.rpartition("!")[2].replace("$", "").partition(":")[2] for area in sheet.print_area.split(","))
    return [(sheet[end].row, sheet[end].column) for end in ends]


@pytest.mark.parametrize("name", ["Everything by site", "Gaps", "Gap to fill", "Notes", "Chart numbers"])
def test_of_what_things_are_looked_up_in_a_page_is_printed(whole, name):
    """Most pages of the workbook of the sample web had what nobody reads on paper."""
    sheet = whole[name]
    [(last, _)] = printed(sheet)
    assert HEAD + 10 < last < HEAD + 60 < sheet.max_row + 20
    assert f"; printed are the first {last - HEAD - 1} of " in sheet["A5"].value
    assert is_one_page(sheet)
    assert sheet.auto_filter.ref.endswith(str(sheet.max_row))


def test_the_list_of_sites_is_printed_whole(whole):
    sheet = whole["Sites"]
    assert printed(sheet)[0][0] >= sheet.max_row
    assert "printed are" not in sheet["A5"].value
    assert sheet.page_setup.fitToHeight == 0


def test_the_methods_are_printed_on_one_page(whole):
    """They went over three, the last of which had one paragraph."""
    sheet = whole["Methods"]
    assert printed(sheet)[0][0] >= sheet.max_row
    assert (sheet.page_setup.orientation, is_one_page(sheet)) == ("portrait", True)


def test_a_picture_below_its_table_is_printed_with_it_and_as_wide(whole):
    """It took a third of a page: the columns of the groups beside it made all of it small."""
    sheet = whole["Age"]
    [(last, column)] = printed(sheet)
    headings = [*heads(sheet)]
    assert headings[column - 1] == "Share of sites, %, at most"
    assert headings[column].startswith("Consumers")
    widths = [sheet.column_dimensions[openpyxl.utils.get_column_letter(n)].width for n in range(1, column + 1)]
    assert 110 <= sum(widths) < 125
    assert last > sheet._charts[0].anchor._from.row + 23
    assert is_one_page(sheet)


def test_of_the_appendix_the_picture_is_printed_and_not_what_is_too_seldom_to_be_drawn(whole):
    sheet = whole["Personas"]
    assert sheet.print_area.count(",") == 0
    start = sheet.print_area.rpartition("!")[2].replace("$", "").partition(":")[0]
    assert sheet[start].column > len(heads(sheet))


def test_the_list_of_sheets_is_for_the_screen(whole):
    sheet = whole["Answer"]
    [(last, _)] = printed(sheet)
    [begin] = [row for row in range(1, sheet.max_row) if sheet.cell(row, 1).value == "In this workbook"]
    assert last < begin


def test_an_audience_of_few_sites_has_no_sheet_that_says_them_again(whole):
    assert "Audience to name" not in whole.sheetnames
    told = [row for row in whole["Answer"].iter_rows(values_only=True) if row[0] == "Audience to name"]
    assert len(told) == 1


def test_a_heading_is_as_high_as_its_words_need():
    frame = pd.DataFrame({"x": ["a"], "v": [0.1], "low": [0.0], "high": [0.2]})
    columns = Column("x", "What"), Column("v", "Difference, percentage points", "points", "low", "high")
    sheet = opened(with_table(frame, *columns))["Things"]
    assert sheet.row_dimensions[HEAD].height >= 3 * 15


def test_no_two_columns_of_a_sheet_are_called_the_same(sample):
    made = opened(report_of(sample.run, groups="content_type", parts=["proofs", "groups"]))
    for sheet in made:
        headings = [cell.value for cell in sheet[HEAD] if cell.value]
        assert len(set(headings)) == len(headings), sheet.title


def test_wide_tables_are_printed_on_one_page_s_width(sample):
    made = opened(report_of(sample.run, groups="audience_type", parts=["proofs", "sites"]))
    assert {sheet.page_setup.fitToWidth for sheet in made} <= {None, 1}


def test_a_picture_beside_a_wide_table_is_printed_on_a_page_of_its_own(sample):
    """On one page with the table both were too small to be read, on two the picture was cut in half."""
    kinds = sample.audiences().set_index("target")["audience_type"]
    groups = {"Consumers": kinds.index[kinds.eq("b2c")], "Businesses": kinds.index[kinds.eq("b2b")]}
    sheet = opened(report_of(sample.run, groups=groups, parts=["profile"]))["Interests"]
    table, picture = (area.replace("$", "").rpartition("!")[2].split(":") for area in sheet.print_area.split(","))
    last = sheet[table[1]].column
    at = sheet._charts[0].anchor._from
    assert last == len(heads(sheet))
    assert sheet[picture[0]].column == at.col + 1 > last
    assert sheet[picture[0]].value.startswith("Interests · Source: classification service · ")
    # Letters of so many columns are 7 points high on a page in landscape.
    assert sum(sheet.column_dimensions[openpyxl.utils.get_column_letter(n)].width for n in range(1, last + 1)) < 250


def test_what_a_table_is_of_is_not_cut_by_the_edge_of_the_page(sample):
    sheet = opened(report_of(sample.run, parts=["coverage"]))["Gaps"]
    assert sheet["A5"].alignment.wrap_text
    assert sheet.row_dimensions[5].height >= 2 * 15
    merged = {str(cells).partition(":")[0]: cells.max_col for cells in sheet.merged_cells.ranges}
    assert merged["A5"] == merged["A2"]


def test_the_first_sheet_says_of_every_finding_how_sure_it_is(sample):
    front = opened(report_of(sample.run, parts=["answer", "proofs"]))["Answer"]
    found = [row for row in front.iter_rows(values_only=True) if row[0] == "Finding"]
    assert {row[2] for row in found} == {"likely", "a count"}


def test_a_proof_s_sheet_is_told_from_a_part_s_of_the_same_name():
    report = made_report()
    named = replace(report.proofs[0], name="Topics that go on and on and on for a long time")
    made = opened(replace(report, proofs=(named, replace(named, name="Topics"))))
    assert made.sheetnames[1:3] == ["Proof 1 - Topics that go on and", "Proof 2 - Topics"]
    assert "Topics" in made.sheetnames
    assert "Topics (2)" not in made.sheetnames


def test_a_bar_with_an_interval_has_its_value_behind_the_interval():
    """Within it, the line of the interval would cross the value."""
    bars = charts_of(made_report())[2]
    shown, unseen = re.findall(r"<c:ser>.*?</c:ser>", bars)
    assert "<c:errBars>" in shown
    assert "<c:dLbls>" not in shown
    assert re.findall(r"<a:t>(.*?)</a:t>", unseen) == ["30 %", "27 %", "23 %", "7 %"]
    assert "<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>" in unseen
    assert re.findall(r"<c:v>(0\.\d+)</c:v>", unseen) == ["0.48", "0.44", "0.41", "0.21"]
    assert '<c:overlap val="100"/>' in bars


def test_that_something_is_inferred_is_told_once():
    against = f"{NOT_MEASURED}; two of the seven are the same publisher"
    proof = replace(made_report().proofs[0], against=against, notes=(f"What speaks against it: {against}.",))
    made = opened(made_report(proofs=(proof,)))
    assert not [text for sheet in made for text in texts(sheet) if NOT_MEASURED in text]
    assert "Against it: two of the seven are the same publisher." in " ".join(texts(made["Answer"]))


def test_only_what_the_sentence_is_about_is_coloured():
    bars = charts_of(made_report())[2]
    # The first is the series' own; then come the three that are not strong.
    assert re.findall(r'<c:spPr><a:solidFill><a:srgbClr val="(\w+)"', bars)[:4] == ["00507D", *["BFBFBF"] * 3]


def test_a_heatmap_is_shaded_around_nothing_with_all_groups():
    groups = tuple(f"Group {place}" for place in range(12))
    sheet = opened(made_report(groups=groups))["Groups"]
    assert [*heads(sheet)][1:13] == list(groups)
    (area,) = sheet.conditional_formatting
    assert str(area.sqref) == "B7:M13"
    scale = area.rules[0].colorScale
    assert [float(end.val) for end in scale.cfvo] == [-100, 0, 100]
    # What is clear is bold.
    bold = {cell.font.b for cell in under(sheet, "Group 0") if abs(cell.value) > 30}
    assert bold == {True}
    assert {cell.font.b for cell in under(sheet, "Group 0") if abs(cell.value) < 30} == {False}


def test_a_chart_with_missing_negative_and_endless_values_is_drawn():
    frame = pd.DataFrame({"x": ["a", "b"], "v": [-0.2, None], "w": [0.1, float("inf")]})
    chart = Chart("bars", "x", frame, "x", (Series("v", "V"), Series("w", "W")), form="points")
    drawn = charts_of(with_parts(Part("profile", "Bars", "Bars.", chart=chart)))[0]
    assert '<c:min val="-100.0"/>' in drawn
    # What is without end would be drawn as nothing at all.
    assert "∞" not in drawn


# The brand -----------------------------------------------------------------------------------------------------------


def test_headings_have_the_brands_colour_and_font_and_are_read_on_it():
    made = opened(made_report(), brand_of({"colours": ["#FFE600", "#111111"], "font": "Inter"}))
    head = made["Topics"]["A6"]
    assert (head.fill.fgColor.rgb[2:], head.font.name, head.font.color.rgb[2:]) == ("FFE600", "Inter", "1B1B1B")
    # On white nobody could read it.
    assert made["Topics"]["A1"].font.color.rgb[2:] == "1B1B1B"
    assert opened(made_report())["Topics"]["A1"].font.color.rgb[2:] == "00507D"


def test_the_logo_stands_on_the_first_sheet():
    made = opened(made_report(), brand_of({"logo": LOGO}))
    assert [len(sheet._images) for sheet in made][:2] == [1, 0]


# The same again ------------------------------------------------------------------------------------------------------


def test_the_same_report_is_the_same_bytes_at_another_time(monkeypatch):
    first = book(made_report(hostile=True), PLAIN)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 90_000)
    assert book(made_report(hostile=True), PLAIN) == first


def test_the_workbook_states_the_time_of_the_data(plain):
    moment = AT.replace(tzinfo=None)
    assert (plain.properties.created, plain.properties.modified) == (moment, moment)


@pytest.mark.parametrize("sites", [1, 8, 1000])
def test_every_site_has_a_row_at_any_size(sites):
    made = opened(made_report(sites=sites))
    assert len(under(made["Sites"], "Site")) == sites
    assert len({cell.value for cell in under(made["Everything by site"], "Site")}) == sites


def test_rows_with_nothing_in_them_are_low_and_a_line_of_text_is_one(sample):
    """Three empty lines stood below titles, and below each text that was a little longer than its column was wide."""
    book = opened(report_of(sample.run, parts=["coverage", "methods"]))
    assert all(book["Methods"].row_dimensions[row].height < 5 for row in (2, 3))
    gaps = book["Gaps"]
    width = gaps.column_dimensions["A"].width
    for row in range(HEAD + 1, gaps.max_row + 1):
        is_long = len(str(gaps.cell(row, 1).value)) > width
        assert (gaps.row_dimensions[row].height or 15) < 2 * 15 or is_long


def test_what_the_methods_are_about_is_not_repeated_in_every_row(sample):
    sheet = opened(report_of(sample.run, parts=["methods"]))["Methods"]
    names = [sheet.cell(row, 1).value for row in range(HEAD + 1, sheet.max_row + 1)]
    assert list(heads(sheet)) == ["What", "In words"]
    told = [name for name in names if name]
    assert len(told) == len(set(told))
    assert {"Sites", "How the numbers are computed", "What this report cannot say"} <= set(told)
