"""A group has one colour: on charts, in widgets, and in every kind of report."""

import io

import openpyxl
import pytest

from toolkit.charts import comparison
from toolkit.charts.colours import group_colours
from toolkit.reports.book import book
from toolkit.reports.brand import PLAIN
from toolkit.reports.document import report_of
from toolkit.saved import sample_run
from toolkit.widgets.findings.compare_view import compared, groupings_of

BY = "main category"


@pytest.fixture(scope="module")
def sample():
    return sample_run()


@pytest.fixture(scope="module")
def report(sample):
    return report_of(sample, groups=BY, parts=["answer", "proofs", "groups"])


@pytest.fixture(scope="module")
def colours(report):
    """The colours of the report's groups, by name."""
    return {group.name: f"#{group.color}" for group in report.groups}


def drawn(figure):
    """The colour of each group in the legend of a comparison."""
    legend = [trace for trace in figure.data if trace.x == (None,)]
    return {trace.name.rpartition(" (")[0].replace("&amp;", "&"): trace.marker.color for trace in legend}


def test_the_report_gives_groups_their_colours_in_their_order(report, colours):
    assert colours == group_colours(group.name for group in report.groups)
    assert len(colours) > 6


def test_a_comparison_of_a_few_groups_has_the_colours_of_all(sample, colours):
    found = sample.compare(BY)
    for some in (None, ["Travel", "Business and Finance"], ["Business and Finance", "Books and Literature", "Sports"]):
        legend = drawn(comparison(found, some))
        assert len(legend) > 1
        assert legend == {name: colours[name] for name in legend}


def test_groups_that_have_an_order_keep_it(sample):
    report = report_of(sample, groups="audience_type", parts=["answer"])
    legend = drawn(comparison(sample.compare("audience_type").sample(frac=1, random_state=7)))
    sizes = sample.audiences()["audience_type"].value_counts()
    every = {"b2c": "Consumers", "b2b": "Businesses", "mixed": "Consumers and businesses alike"}
    names = [label for code, label in every.items() if sizes.get(code, 0)]
    assert len(names) > 1
    assert list(legend) == [group.name for group in report.groups] == names
    assert list(legend.values()) == [f"#{group.color}" for group in report.groups]


def test_a_widget_that_leaves_small_groups_out_has_the_colours_of_all(sample, colours):
    frames = {name: sample.frame(name) for name in ("audiences", "codes", "categories")}
    grouping = next(one for one in groupings_of(frames) if one.label == "Main topic")
    assert len(grouping.names) < len(colours)
    legend = drawn(compared(frames, grouping, "", "content-v3").figure)
    assert len(legend) > 1
    assert legend == {name: colours[name] for name in legend}


def test_the_workbook_has_them(report, colours):
    front = openpyxl.load_workbook(io.BytesIO(book(report, PLAIN))).worksheets[0]
    cells = [row[0] for row in front.iter_rows() if row[0].value in colours and isinstance(row[1].value, int)]
    assert {cell.value: f"#{cell.fill.fgColor.rgb[2:]}" for cell in cells} == {
        name: colour.upper() for name, colour in colours.items()
    }
