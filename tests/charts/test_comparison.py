"""Charts of comparisons, overlaps, profiles and flows say their finding and draw exactly what their frame holds."""

import html
import itertools
import json
import math
import re

import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio
import pytest
from cases import every
from hypothesis import given, settings
from hypothesis import strategies as st

import toolkit as tk
from toolkit import charts
from toolkit.charts import PALETTE, alt_text, comparison, data_of, heatmap, overlap_matrix, persona_flow, profile_card
from toolkit.charts import template as shared
from toolkit.charts.colours import PAPER, QUIET
from toolkit.charts.wording import index_words, percent
from toolkit.findings.compare import compare
from toolkit.findings.links import persona_links
from toolkit.findings.overlap import overlap
from toolkit.findings.shares import shares
from toolkit.interface.vocabulary import Vocabulary

ABOUT = {
    "sites": 62,
    "first": "2026-03-04",
    "last": "2026-03-09",
    "vocabularies": ["1.1"],
    "source": "classification service",
}
VERDICTS = pd.CategoricalDtype(["over", "under", "no difference shown", "too few"], ordered=True)
HOSTILE = "<img src=x onerror=alert(1)></script>&amp;%{customdata}<a href='x'>"
TAG = re.compile(r"<\s*/?\s*([a-zA-Z]\w*)")
OWN_TAGS = {"br", "sub", "extra", "b"}
#: Steps of lightness (L* of CIELAB, 0 to 100) below which two areas side by side look the same in grey.
LEAST_STEP = 8


def row(label="Golf", index=320.0, verdict="over", **more):
    """A row of a comparison: 8 of 20 Retailers against 12.5 % of 62 sites, unless said otherwise."""
    spread = {"index_low": index / 2, "index_high": index * 2} | {
        name: more.pop(name) for name in ("index_low", "index_high") if name in more
    }
    spread |= {
        "shrunken_index": more.pop("shrunken_index", index),
        "shrunken_low": spread["index_low"],
        "shrunken_high": spread["index_high"],
    }
    return {
        "group": "Retailers",
        "dimension": "interest",
        "code": f"INT.{str(label).upper()}",
        "label": label,
        "parent": "INT.SPORTS",
        "n": 20,
        "with_code": 8,
        "share": 0.4,
        "share_low": 0.2,
        "share_high": 0.6,
        "baseline": "all sites",
        "baseline_n": 62,
        "baseline_with": 8,
        "baseline_share": 0.125,
        "index": index,
        **spread,
        "p": 0.001 if verdict in {"over", "under"} else 0.5,
        "p_adjusted": 0.01 if verdict in {"over", "under"} else 0.6,
        "verdict": verdict,
        **more,
    }


def compared(*rows):
    frame = pd.DataFrame(rows or [row()], columns=list(row()))
    frame = frame.iloc[: len(rows)] if not rows else frame
    frame["verdict"] = frame["verdict"].astype(VERDICTS)
    frame.attrs["about"] = dict(ABOUT)
    return frame


def shared_sites(*pairs, **sizes):
    """Overlaps of groups given by their sizes; `pairs` are two names and the number of common sites."""
    both = {frozenset(pair[:2]): pair[2] for pair in pairs} | {frozenset([name]): size for name, size in sizes.items()}
    rows = [
        {
            "group": group,
            "other": other,
            "sites": sizes[group],
            "other_sites": sizes[other],
            "both": (common := both.get(frozenset([group, other]), 0)),
            "jaccard": common / (sizes[group] + sizes[other] - common),
            "containment": common / sizes[group],
            "unique": 0,
        }
        for group, other in itertools.product(sizes, sizes)
    ]
    frame = pd.DataFrame(
        rows, columns=["group", "other", "sites", "other_sites", "both", "jaccard", "containment", "unique"]
    )
    frame[list(frame.columns[2:])] = frame[list(frame.columns[2:])].astype(float)
    frame.attrs["about"] = dict(ABOUT)
    return frame


def share(code="25_34", part=0.5, dimension="age_bracket", label=None):
    return {
        "dimension": dimension,
        "code": code,
        "label": label or code.replace("_", " to "),
        "parent": None,
        "n": 62,
        "with_code": round(part * 62),
        "share": part,
        "share_low": part * 0.8,
        "share_high": min(1.0, part * 1.2),
    }


def profile(*rows):
    frame = pd.DataFrame(rows, columns=list(share()))
    numbers = list(frame.columns[4:])
    frame[numbers] = frame[numbers].astype(float)
    frame.attrs["about"] = dict(ABOUT)
    return frame


def links(*rows, **about):
    frame = pd.DataFrame(rows, columns=["persona", "category", "sites"])
    frame["sites"] = frame["sites"].astype("int64")
    frame.attrs["about"] = ABOUT | about
    return frame


FRAMES = {
    comparison: compared(
        row(),
        row("Cats", 40.0, "under"),
        row("Dogs", 110.0, "no difference shown"),
        row("Fish", 150.0, "too few"),
        row("Golf", 90.0, "no difference shown", group="Banks", n=12),
    ),
    heatmap: compared(row(), row("Cats", 40.0, "under", group="Banks", n=12), row("Fish", 150.0, "too few")),
    overlap_matrix: shared_sites(("Banks", "Shops", 5), Banks=10, Shops=20, Farms=7),
    profile_card: profile(share(), share("35_44", 0.25), share("balanced", 0.7, "gender_skew", "Balanced")),
    persona_flow: links(("Cook", "Food", 5), ("Cook", "Travel", 2), ("Fan", "Sports", 3)),
}
KINDS = {
    comparison: "comparison",
    heatmap: "comparison",
    overlap_matrix: "overlap",
    profile_card: "shares",
    persona_flow: "persona_links",
}
NAMES = {
    comparison: ("group", "label", "baseline"),
    heatmap: ("group", "label", "baseline"),
    overlap_matrix: ("group", "other"),
    profile_card: ("label", "dimension"),
    persona_flow: ("persona", "category"),
}


@pytest.fixture(params=FRAMES, ids=lambda draw: draw.__name__)
def draw(request):
    return request.param


def title_of(figure):
    return html.unescape(figure.layout.title.text.split("<br><sub>")[0].replace("<br>", " "))


def footer_of(figure):
    text = figure.layout.title.text.split("<br><sub>")[1].removesuffix("</sub>")
    return html.unescape(text.replace("<br>", " · "))


def texts_of(node):
    """Every text of a figure."""
    if isinstance(node, dict):
        return [text for value in node.values() for text in texts_of(value)]
    if isinstance(node, list):
        return [text for value in node for text in texts_of(value)]
    return [node] if isinstance(node, str) else []


def marks_of(figure):
    """Marks of a dot plot: label, index, whether filled, symbol."""
    labels = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    return {
        labels[round(y)]: (x, color != PAPER, symbol)
        for trace in figure.data
        if trace.mode == "markers" and trace.showlegend is False
        for x, y, color, symbol in zip(trace.x, trace.y, trace.marker.color, trace.marker.symbol, strict=True)
    }


def lightness(color):
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


# All charts ---------------------------------------------------------------------------------------------------------


def test_package_exports_what_exists_and_is_documented():
    assert charts.__all__ == sorted(charts.__all__)
    assert all((getattr(charts, name).__doc__ or "").strip() for name in charts.__all__)


def test_every_figure_has_a_title_alt_text_and_footer(draw):
    figure = draw(FRAMES[draw])
    assert figure.data
    assert alt_text(figure).startswith(title_of(figure))
    assert footer_of(figure).startswith("n = ")
    about = "4 March 2026 to 9 March 2026 · source: classification service"
    # What two lines do not hold is told after the picture's alt text.
    assert all(part in footer_of(figure) + alt_text(figure) for part in about.split(" · "))


def test_frame_without_rows_gives_a_figure_that_says_so(draw):
    figure = draw(FRAMES[draw].iloc[:0])
    assert not figure.data
    assert len(title_of(figure)) > 10
    assert footer_of(figure)
    assert alt_text(figure) == title_of(figure)
    assert data_of(figure).empty


def test_frame_and_figures_without_about_are_drawn(draw):
    bare = FRAMES[draw].copy()
    bare.attrs = {}
    assert draw(bare).data
    assert not draw(bare.iloc[:0]).data


def test_missing_columns_are_named(draw):
    frame = FRAMES[draw]
    gone = frame.columns[0]
    with pytest.raises(tk.errors.InputError) as caught:
        draw(frame.drop(columns=gone))
    article = "an" if KINDS[draw].startswith(("a", "e", "i", "o", "u")) else "a"
    assert str(caught.value) == f"The frame has no column {gone!r}. Pass {article} {KINDS[draw]} frame."


@every(("draw", "column"), [(draw, column) for draw in FRAMES for column in FRAMES[draw]])
def test_frame_without_one_column_is_drawn_or_refused(draw, column):
    said = ""
    try:
        figure = draw(FRAMES[draw].drop(columns=column))
    except tk.errors.InputError as error:
        said = str(error)
    assert repr(column) in said or figure.data


@every(
    ("draw", "column"),
    [
        (draw, column)
        for draw in FRAMES
        for column in FRAMES[draw].select_dtypes("number")
        if column not in {"share_low", "share_high", "baseline_with", "p"} or draw is profile_card
    ],
)
def test_text_where_numbers_belong_is_refused(draw, column):
    frame = FRAMES[draw].astype({column: str})
    with pytest.raises(tk.errors.InputError, match=f"The column '{column}' holds str, no numbers"):
        draw(frame)


def test_what_is_no_frame_is_refused(draw):
    with pytest.raises(tk.errors.InputError, match="A list cannot be drawn"):
        draw([1, 2])


def test_drawing_leaves_the_frame_as_it_is(draw):
    frame = FRAMES[draw]
    before = frame.copy(deep=True)
    draw(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_order_and_index_of_the_rows_do_not_matter(draw):
    frame = FRAMES[draw]
    turned = frame.iloc[::-1].set_axis([7] * len(frame))
    assert draw(turned).to_json() == draw(frame).to_json()


def test_hostile_names_are_text(draw):
    for column in NAMES[draw]:
        frame = FRAMES[draw].copy()
        frame[column] = [HOSTILE, *frame[column].astype(str)[1:]]
        options = {"dimensions": [HOSTILE]} if column == "dimension" else {}
        written = texts_of(json.loads(draw(frame, **options).to_json()))
        assert {tag for text in written for tag in TAG.findall(text)} <= OWN_TAGS
        assert not [text for text in written if "%{customdata}" in text]


@settings(max_examples=8)
@given(st.text("<>&/ab%{}\u202e\x1b'\" \n", max_size=70))
def test_no_name_gets_a_tag_or_a_control_character_into_a_chart(name):
    for draw, columns in NAMES.items():
        frame = FRAMES[draw].copy()
        frame[columns[-1]] = [name, *frame[columns[-1]].astype(str)[1:]]
        options = {"dimensions": [name]} if columns[-1] == "dimension" else {}
        written = texts_of(json.loads(draw(frame, **options).to_json()))
        assert {tag for text in written for tag in TAG.findall(text)} <= OWN_TAGS
        assert not [text for text in written if re.search("[\x00-\x1f\u202e]", text)]


def test_data_survives_a_saved_figure(draw):
    figure = draw(FRAMES[draw])
    loaded = pio.from_json(figure.to_json())
    pd.testing.assert_frame_equal(data_of(loaded), data_of(figure))
    assert alt_text(loaded) == alt_text(figure)


def test_data_is_rows_of_the_frame(draw):
    frame = FRAMES[draw]
    data = data_of(draw(frame))
    columns = list(data.columns)
    whole = frame[columns].astype(object).where(frame[columns].notna(), None).to_numpy().tolist()
    assert len(data)
    assert all(found in whole for found in data.astype(object).where(data.notna(), None).to_numpy().tolist())


# What the figures share ---------------------------------------------------------------------------------------------


def test_data_keeps_its_dtypes():
    data = pd.DataFrame(
        {
            "text": pd.Series(["<b>%{x}", None], dtype="str"),
            "whole": pd.Series([1, None], dtype="Int64"),
            "part": [0.1, math.nan],
            "true": [True, False],
            "when": pd.to_datetime(["2026-03-04T10:00:00Z", None]).as_unit("us"),
            "band": pd.Categorical(["low", None], ["low", "high"], ordered=True),
        }
    )
    figure = go.Figure()
    shared.finish(figure, "title", "footer", 1, data=data)
    pd.testing.assert_frame_equal(data_of(pio.from_json(figure.to_json())), data)


def test_data_keeps_what_it_is_about():
    assert data_of(comparison(FRAMES[comparison])).attrs["about"] == ABOUT


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"a": [1]}), "The frame has no column 'n'. Pass an audiences frame."),
        (pd.DataFrame({"n": ["1"]}), "The column 'n' holds str, no numbers. Pass an audiences frame."),
        (7, "An int cannot be drawn. Pass an audiences frame."),
        ([7], "A list cannot be drawn. Pass an audiences frame."),
    ],
)
def test_the_article_fits_the_kind_of_frame(frame, message):
    with pytest.raises(tk.errors.InputError) as caught:
        shared.check_columns(frame, ["n"], "audiences", ["n"])
    assert str(caught.value) == message


@pytest.mark.parametrize("read", [alt_text, data_of])
@pytest.mark.parametrize("figure", [go.Figure(), go.Figure(layout={"meta": ["a"]}), "no figure"])
def test_figures_of_others_have_no_alt_text_and_no_data(read, figure):
    with pytest.raises(tk.errors.InputError, match="Pass a figure that a function of charts returned"):
        read(figure)


@pytest.mark.parametrize(
    ("about", "extra", "footer"),
    [
        ({"sites": 1}, [], "n = 1 site"),
        ({"sites": 0, "source": "here"}, [], "n = 0 sites · source: here"),
        ({"first": "2026-01-01", "last": "2026-01-02"}, ["", "x"], "1 January 2026 to 2 January 2026 · x"),
        ({"taxonomy": "content-v3", "vocabularies": ["1.0", "1.1"]}, [], "in topics"),
        ({"n": "9 sites (Own)", "sites": 62, "last": "2026-01-02"}, ["x"], "n = 9 sites (Own) · 2 January 2026 · x"),
        ({}, [], ""),
    ],
)
def test_footer_says_what_is_known(about, extra, footer):
    assert shared.footer_of(about, extra) == footer


def test_no_line_of_a_footer_is_a_word_alone_or_begins_with_a_dot():
    figure = go.Figure()
    for length in range(96, 122):
        shared.finish(figure, "t", "a" * (length - 12) + " · 95 % bbbb · cc", 1)
        lines = figure.layout.title.text.split("<br><sub>")[1].removesuffix("</sub>").split("<br>")
        assert not [line for line in lines if line.startswith(("·", "%")) or line.endswith("·")]
        assert " · ".join(lines) == "a" * (length - 12) + " · 95 % bbbb · cc"


def test_a_title_breaks_only_where_its_line_is_full():
    figure = go.Figure()
    for words in range(3, 40):
        shared.finish(figure, "bread " * words + "ends", "n = 1 site", 1)
        *full, last = figure.layout.title.text.split("<br><sub>")[0].split("<br>")
        assert all(56 < len(line) <= 76 for line in full)
        assert len(last) <= 76
        assert not full or len(last) > 15


# Comparison: the sentence -------------------------------------------------------------------------------------------


@every(
    ("given", "title"),
    [
        (row(), "Golf is more common among Retailers than overall: 8 of 20, against 8 of 62"),
        (row(index=135.0, n=80, baseline_n=99), "Golf is more common among Retailers than overall: 40 %, against 13 %"),
        (
            row(index=40.0, verdict="under"),
            "Golf is less common among Retailers than overall: 8 of 20, against 8 of 62",
        ),
        (row(baseline="rest"), "Golf is more common among Retailers than in the rest: 8 of 20, against 8 of 62"),
        (row(baseline="Banks"), "Golf is more common among Retailers than among Banks: 8 of 20, against 8 of 62"),
        (
            row(index=0.0, verdict="under", index_low=0.0, index_high=60.0),
            "None of the 20 sites of Retailers has Golf, 8 of 62 overall",
        ),
        (
            row(index=math.inf, index_high=math.inf, index_low=300.0, baseline="rest"),
            "Golf is on 8 of 20 sites of Retailers and on none in the rest",
        ),
        (
            row(index=math.inf, index_high=math.inf, index_low=300.0, baseline="rest", n=8, group="News sites"),
            "Golf is on all 8 News sites and on none in the rest",
        ),
        (
            row(label=None, code="INT.GOLF"),
            "INT.GOLF is more common among Retailers than overall: 8 of 20, against 8 of 62",
        ),
        (row(verdict="no difference shown"), "No difference between Retailers and its baseline is shown in 1 interest"),
    ],
)
def test_title_says_the_finding(given, title):
    assert title_of(comparison(compared(given))) == title


def test_title_is_about_the_finding_whose_shrunken_interval_stays_furthest_from_100():
    wide = row("Wide", 900.0, index_low=110.0, index_high=5000.0, shrunken_index=180.0)
    sure = row("Sure", 300.0, index_low=250.0, index_high=350.0, shrunken_index=290.0, with_code=9)
    figure = comparison(compared(wide, sure))
    assert title_of(figure) == "Sure is more common among Retailers than overall: 9 of 20, against 8 of 62"
    said = [text for trace in figure.data for text in trace.hovertext or ()]
    assert any("index 290 (250 to 350)<br>as counted 300 (250 to 350)" in text for text in said)
    assert list(figure.layout.yaxis.ticktext) == ["Sure", "Wide"]


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_ties_are_told_as_ties(draw):
    tied = [row(name) for name in ("Golf", "Chess", "Darts", "Rugby")]
    less = row("Polo", 150.0, shrunken_index=140.0, with_code=6)
    assert title_of(draw(compared(*tied[:2], less))) == (
        "Chess and Golf are each more common among Retailers than overall: 8 of 20 each, against 8 of 62"
    )
    assert title_of(draw(compared(*tied, less))) == (
        "Chess, Darts and 2 more are each more common among Retailers than overall: 8 of 20 each, against 8 of 62"
    )
    apart = [tied[0], row("Chess", 320.0, shrunken_index=290.0, with_code=7)]
    assert title_of(draw(compared(*apart))).startswith("Golf is more common")


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_ties_of_codes_that_no_site_has_are_told(draw):
    none = [row(name, 0.0, "under", with_code=0, index_low=0.0, index_high=60.0) for name in ("Golf", "Chess")]
    assert title_of(draw(compared(*none))) == (
        "None of the 20 sites of Retailers has Chess or Golf, 8 of 62 each overall"
    )


def test_alt_text_counts_the_differences():
    text = alt_text(comparison(FRAMES[comparison], "Retailers"))
    assert "against 8 of 62. Of 3 comparisons, 2 differ from the baseline." in text


def test_title_of_several_groups_without_a_difference():
    rows = [row(verdict="no difference shown", group=group) for group in ("Banks", "Shops")]
    assert title_of(comparison(compared(*rows))).startswith("No difference between 2 groups and their baseline")


# Comparison: the marks ----------------------------------------------------------------------------------------------


def test_marks_stand_at_their_index_and_are_filled_where_a_difference_is_shown():
    assert marks_of(comparison(FRAMES[comparison], "Retailers")) == {
        "Golf": (320, True, "circle"),
        "Cats": (40, True, "circle"),
        "Dogs": (110, False, "circle"),
    }


def test_too_few_are_left_out_and_counted():
    figure = comparison(FRAMES[comparison], "Retailers")
    assert "Fish" not in marks_of(figure)
    assert "1 with too few sites left out" in footer_of(figure)


def test_nothing_but_too_few_says_so():
    figure = comparison(compared(row(verdict="too few"), row("Cats", verdict="too few")))
    assert title_of(figure) == "Too few sites for an index of any of 2 interests"
    assert not figure.data


def test_what_a_title_counts_is_called_what_it_is():
    rows = [row(verdict="no difference shown"), row("Cats", verdict="no difference shown")]
    for kinds, said in (
        (["persona", "persona"], "2 personas"),
        (["interest", "content-v3"], "2 interests and topics"),
        (["persona", "income_level"], "2 values"),
        (["income_level", "income_level"], "2 values of income"),
    ):
        frame = compared(*rows)
        frame["dimension"] = kinds
        assert title_of(comparison(frame)).endswith(f"its baseline is shown in {said}")


def test_more_common_codes_come_first_then_less_common_ones_then_the_rest():
    rows = [row("None", 500.0, "no difference shown"), row("Under", 10.0, "under"), row("Over", 150.0)]
    assert list(comparison(compared(*rows)).layout.yaxis.ticktext) == ["Over", "Under", "None"]


def test_only_the_most_telling_codes_are_drawn_and_the_others_counted():
    figure = comparison(compared(*(row(f"C{n}", 200.0 + n) for n in range(30))), most=4)
    assert list(figure.layout.yaxis.ticktext) == ["C29", "C28", "C27", "C26"]
    assert "the 4 most telling of 30 interests" in footer_of(figure)
    assert len(data_of(figure)) == 4


def test_by_default_12_codes_of_a_group_are_drawn():
    assert len(marks_of(comparison(compared(*(row(f"C{n}", 200.0 + n) for n in range(30)))))) == 12


def test_interval_is_drawn_from_end_to_end():
    figure = comparison(compared(row(index_low=150.0, index_high=500.0)))
    [line] = [trace for trace in figure.data if trace.mode == "lines" and trace.x]
    assert list(line.x) == [150, 500, None]


@pytest.mark.parametrize(("index", "symbol", "end"), [(0.0, "triangle-left", 0), (math.inf, "triangle-right", 1)])
def test_index_beyond_the_axis_stands_at_its_edge(index, symbol, end):
    figure = comparison(compared(row(index=index, index_low=index, index_high=index), row("Cats")))
    x, filled, drawn = marks_of(figure)["Golf"]
    assert (filled, drawn) == (True, symbol)
    assert math.log10(x) == pytest.approx(figure.layout.xaxis.range[end])


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_what_a_group_was_made_by_does_not_stretch_the_axis(scale):
    """The interest Travel among sites of Travel, at 4,189, left the others on a line at 100."""
    made = {"n": 20, "with_code": 20, "baseline_with": 20, "dimension": "content-v3"}
    own = row("Retailers", 4000.0, index_low=1000.0, index_high=9000.0, **made)
    others = [row("Golf", 180.0, index_low=120.0, index_high=260.0), row("Cats", 60.0, "under")]
    figure = comparison(compared(own, *others), scale=scale)
    assert list(figure.layout.xaxis.range) == list(comparison(compared(*others), scale=scale).layout.xaxis.range)
    assert figure.layout.yaxis.ticktext[-1].startswith("Retailers")
    marks = marks_of(figure)
    assert marks[figure.layout.yaxis.ticktext[-1]][2] == "triangle-right"
    assert marks["Golf (interest)"][2] == "circle"
    assert "triangle at the edge: further out than the axis" in footer_of(figure)
    # Where there is nothing else, it has the axis for itself.
    assert comparison(compared(own), scale=scale).layout.xaxis.range[1] > figure.layout.xaxis.range[1]


def test_logarithmic_axis_holds_every_mark_and_100():
    figure = comparison(FRAMES[comparison])
    low, high = (10**end for end in figure.layout.xaxis.range)
    assert low < 40
    assert high > 320
    assert figure.layout.xaxis.type == "log"
    assert 100 in figure.layout.xaxis.tickvals


def test_linear_axis_starts_at_0():
    figure = comparison(FRAMES[comparison], scale="linear")
    assert figure.layout.xaxis.range[0] == 0
    assert figure.layout.xaxis.range[1] > 320
    assert figure.layout.xaxis.type != "log"


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_a_line_marks_100(scale):
    shapes = comparison(FRAMES[comparison], scale=scale).layout.shapes
    assert [(shape.x0, shape.x1) for shape in shapes if shape.type == "line"] == [(100, 100)]


def test_index_and_sites_of_a_single_group_stand_in_words_beside_it():
    texts = [note.text for note in comparison(compared(row())).layout.annotations]
    assert "<b>320 · 8 of 20</b>" in texts


def test_colours_of_verdicts_differ_in_grey():
    traces = [trace for trace in comparison(FRAMES[comparison], "Retailers").data if trace.x == (None,)]
    colors = {trace.name: trace.marker.line.color for trace in traces}
    assert set(colors) == {"more common", "less common", "no difference shown"}
    assert abs(lightness(colors["more common"]) - lightness(colors["less common"])) >= LEAST_STEP


# Comparison: groups -------------------------------------------------------------------------------------------------


def groups_of(number):
    return compared(*(row(group=f"G{n}", n=30 - n) for n in range(number)))


def test_groups_differ_in_colour_and_symbol():
    figure = comparison(groups_of(6))
    legend = [trace for trace in figure.data if trace.x == (None,)]
    assert [trace.name for trace in legend] == [f"G{n} ({30 - n})" for n in range(6)]
    assert [trace.marker.color for trace in legend] == list(PALETTE[:6])
    assert len({trace.marker.symbol for trace in legend}) == 6


def test_at_most_six_groups_are_drawn_the_largest_and_the_others_counted():
    figure = comparison(groups_of(8))
    assert set(data_of(figure)["group"]) == {f"G{n}" for n in range(6)}
    assert "all 8 groups differ; 6 of those that differ most are drawn" in footer_of(figure)


def test_groups_of_a_row_do_not_lie_on_each_other():
    heights = [
        y for trace in comparison(groups_of(6)).data if trace.mode == "markers" for y in trace.y if y is not None
    ]
    assert len(set(heights)) == 6
    assert all(-0.5 < height < 0.5 for height in heights)


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_group_of_which_nothing_can_be_said_takes_no_room(draw):
    figure = draw(compared(row(), row(group="Banks", verdict="too few")))
    assert set(data_of(figure)["group"]) == {"Retailers"}


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_the_baseline_itself_is_left_out(draw):
    figure = draw(compared(row(baseline="Banks"), row(baseline="Banks", group="Banks", index=100.0)))
    assert set(data_of(figure)["group"]) == {"Retailers"}


def test_a_group_alone_against_itself_leaves_nothing_to_compare():
    assert title_of(comparison(compared(row(group="all sites")))) == "There is nothing to compare"


@pytest.mark.parametrize("given", ["Shops", ["Retailers", "Shops"]])
def test_unknown_group_is_refused_with_the_known_ones(given):
    with pytest.raises(tk.errors.InputError) as caught:
        comparison(FRAMES[comparison], given)
    assert str(caught.value) == "The frame has no group 'Shops'. Its groups are: 'Retailers', 'Banks'."


def test_what_is_no_group_is_refused():
    with pytest.raises(tk.errors.InputError, match="A group is a name, not int"):
        comparison(FRAMES[comparison], 3)


@every("draw", [comparison, heatmap, persona_flow, profile_card])
@every("most", [0, -1, 2.5, "3", True])
def test_number_of_rows_is_a_whole_number_from_1(draw, most):
    with pytest.raises(tk.errors.InputError, match="whole number from 1"):
        draw(FRAMES[draw], most=most)


def test_unknown_scale_is_refused():
    with pytest.raises(tk.errors.InputError, match="The scale 'square' is not known"):
        comparison(FRAMES[comparison], scale="square")


def test_footer_of_a_group_has_its_own_number_and_the_baselines():
    footer = footer_of(comparison(FRAMES[comparison], "Retailers"))
    assert footer.startswith("n = 20 sites (Retailers) · ")
    assert "baseline: all sites (62)" in footer


def test_same_label_in_two_dimensions_is_told_apart():
    rows = [row(), row(dimension="purchase_intent", code="PI.GOLF")]
    labels = comparison(compared(*rows)).layout.yaxis.ticktext
    assert set(labels) == {"Golf (interest)", "Golf (purchase intent)"}


def test_same_label_of_two_codes_is_told_apart_by_its_parent():
    rows = [row(), row(code="INT.TOYS.GOLF", parent="INT.TOYS")]
    labels = comparison(compared(*rows)).layout.yaxis.ticktext
    assert set(labels) == {"Sports: Golf", "Toys: Golf"}


def test_categories_name_their_taxonomy():
    assert "in topics" in footer_of(comparison(compared(row(dimension="content-v3"))))


# Codes that groups were made by -------------------------------------------------------------------------------------


def own(group="b2b", n=11, **more):
    """The row of the code that a group was made by: all of its sites have it, and no other site."""
    values = {
        "label": "Businesses" if group == "b2b" else group,
        "dimension": "audience_type",
        "code": group,
        "parent": None,
        "with_code": n,
        "share": 1.0,
        "baseline_with": n,
        "baseline_share": n / 62,
        **more,
    }
    return row(values.pop("label"), 100 * 62 / n, group=group, n=n, **values)


@every("draw", [comparison, heatmap])
@every(
    "given",
    [
        own(),
        own(baseline="rest", baseline_n=51, baseline_with=0, baseline_share=0.0),
        own("Travel", 5, code="653", dimension="content-v3"),
        own("Travel", 5, with_code=4, share=0.8, baseline_with=4, baseline_share=4 / 62),
        own("Travel", 5, baseline_with=6, baseline_share=6 / 62),
    ],
)
def test_the_code_that_a_group_was_made_by_is_drawn_last_and_is_no_finding(draw, given):
    weak = row("Golf", 130.0, group=given["group"], n=given["n"], with_code=2)
    figure = draw(compared(given, weak))
    assert title_of(figure).startswith("Golf is more common among")
    assert [name.split(" (")[0] for name in figure.layout.yaxis.ticktext] == ["Golf", given["label"]]


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_that_another_group_lacks_the_code_is_no_finding_either(draw):
    lacking = own(n=11) | {"group": "b2c", "n": 51, "with_code": 0, "share": 0.0, "index": 0.0, "verdict": "under"}
    lacking |= {"index_low": 0.0, "index_high": 5.0}
    figure = draw(compared(own(), lacking, row("Golf", 130.0, group="b2c", n=51)))
    assert title_of(figure).startswith("Golf is more common among b2c")
    assert [name.split(" (")[0] for name in figure.layout.yaxis.ticktext] == ["Golf", "Businesses"]


@pytest.mark.parametrize("draw", [comparison, heatmap])
@pytest.mark.parametrize(
    "given",
    [
        own(code="b2x", label="Others"),
        own(with_code=8, baseline_with=20, baseline_share=20 / 62),
    ],
    ids=["another name", "neither all nor alone"],
)
def test_what_no_group_was_made_by_stays_a_finding(draw, given):
    figure = draw(compared(given, row("Golf", 130.0, group="b2b", n=11)))
    assert title_of(figure).startswith(f"{given['label']} (type of audience, inferred) is more common")


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_the_code_of_a_group_keeps_a_place_among_many(draw):
    figure = draw(compared(own(), *(row(f"C{n}", 200.0 + n, group="b2b", n=11) for n in range(30))), most=4)
    assert [name.split(" (")[0] for name in figure.layout.yaxis.ticktext] == ["C29", "C28", "C27", "Businesses"]


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_codes_of_groups_alone_are_still_drawn_and_said(draw):
    assert (
        title_of(draw(compared(own())))
        == "Businesses (type of audience, inferred) is more common among b2b than overall: 11 of 11, against 11 of 62"
    )


def test_no_other_difference_is_said_to_be_beside_the_groups_own_code():
    frame = compared(own(), row("Golf", 110.0, "no difference shown", group="b2b", n=11))
    assert (
        title_of(comparison(frame))
        == "No difference between b2b and its baseline is shown in 1 interest besides its own"
    )
    assert title_of(heatmap(frame)) == (
        "No difference between 1 group and the baseline is shown in 1 interest besides their own"
    )


def test_real_groups_by_audience_type_are_not_set_apart_by_it():
    codes = tk.sample_run().codes()
    types = codes[(codes["dimension"] == "audience_type") & codes["code"].isin(["b2b", "b2c"])]
    found = compare(codes, {code: rows["target"].tolist() for code, rows in types.groupby("code")})
    for draw in (comparison, heatmap):
        figure = draw(found)
        assert not title_of(figure).startswith(("Businesses", "None of", "Consumers"))
        last = [html.unescape(name) for name in figure.layout.yaxis.ticktext[-2:]]
        assert sorted(last) == ["Businesses (type of audience, inferred)", "Consumers (type of audience, inferred)"]


# Heatmap ------------------------------------------------------------------------------------------------------------


def cells_of(figure):
    """Text and layer of each cell that has one, by code and group."""
    return {
        (figure.layout.yaxis.ticktext[y], figure.layout.xaxis.ticktext[x]): (text, layer)
        for layer, trace in enumerate(figure.data)
        for y, line in enumerate(trace.text)
        for x, text in enumerate(line)
        if text
    }


def test_cells_with_a_difference_hold_their_index_and_those_with_too_few_sites_a_dash():
    rows = [
        row(),
        row(group="Banks", n=12, index=95.0, verdict="no difference shown"),
        row("Cats", 40.0, "under", group="Banks", n=12),
        row("Cats", 150.0, "too few"),
    ]
    figure = heatmap(compared(*rows))
    assert cells_of(figure) == {
        ("Golf", "Retailers (20)"): ("<b>320</b>", 2),
        ("Cats", "Banks (12)"): ("<b>40</b>", 2),
        ("Cats", "Retailers (20)"): ("–", 0),
    }
    assert "dash: too few sites" in footer_of(figure)


def test_a_missing_cell_is_a_dash():
    figure = heatmap(compared(row(), row("Cats", group="Banks", n=12)))
    assert cells_of(figure)["Cats", "Retailers (20)"] == ("–", 0)
    assert "dash: too few sites" in footer_of(figure)


def test_a_number_whose_interval_reaches_100_is_not_bold():
    doubted = row("Cats", 150.0, index_low=90.0, index_high=250.0)
    figure = heatmap(compared(row(), doubted))
    texts = {name: text for (name, _), (text, _) in cells_of(figure).items()}
    assert texts == {"Golf": "<b>320</b>", "Cats": "150"}
    said = "not bold: shown, but its interval reaches 100"
    assert said in footer_of(figure)
    assert said not in footer_of(heatmap(compared(row())))
    beside = [note.text for note in comparison(compared(row(), doubted)).layout.annotations]
    assert {"<b>320 · 8 of 20</b>", "150 · 8 of 20"} < set(beside)


def test_half_and_twice_as_common_are_equally_far_from_100():
    figure = heatmap(compared(row(index=200.0), row("Cats", 50.0, "under")))
    depths = dict(zip(figure.layout.yaxis.ticktext, [line[0] for line in figure.data[2].z], strict=True))
    assert depths == {"Golf": 1, "Cats": -1}
    assert (figure.data[2].zmin, figure.data[2].zmax) == (-2, 2)


@pytest.mark.parametrize(
    ("index", "depth", "text"), [(0.0, -2, "0"), (math.inf, 2, "∞"), (9999.0, 2, "9,999"), (7431.0, 2, "7,431")]
)
def test_depth_of_colour_has_an_end(index, depth, text):
    figure = heatmap(compared(row(index=index, index_low=index, index_high=index)))
    assert figure.data[2].z[0][0] == depth
    assert figure.data[2].text[0][0] == f"<b>{text}</b>"


def test_what_may_be_chance_has_no_colour():
    figure = heatmap(compared(row(), row(group="Vets", verdict="no difference shown")))
    assert {color for _, color in figure.data[1].colorscale} == {"rgba(0, 0, 0, 0)"}
    assert not any(text for line in figure.data[1].text for text in line)
    assert [len([depth for depth in line if depth == 0]) for line in figure.data[1].z] == [1]


def test_rows_in_which_no_group_differs_are_left_out_where_others_do():
    rows = [row(), row("Cats", verdict="no difference shown")]
    assert list(heatmap(compared(*rows)).layout.yaxis.ticktext) == ["Golf"]
    assert list(heatmap(compared(rows[1])).layout.yaxis.ticktext) == ["Cats"]


def test_colours_darken_on_both_sides_of_100():
    steps = [lightness(color.upper()) for _, color in heatmap(FRAMES[heatmap]).data[2].colorscale]
    middle = steps.index(max(steps))
    assert middle == len(steps) // 2
    assert steps[: middle + 1] == sorted(steps[: middle + 1])
    assert steps[middle:] == sorted(steps[middle:], reverse=True)
    assert min(abs(one - other) for one, other in itertools.pairwise(steps)) >= LEAST_STEP


def test_groups_stand_in_the_order_asked_for():
    heads = heatmap(FRAMES[heatmap], groups=["Banks", "Retailers"]).layout.xaxis.ticktext
    assert list(heads) == ["Banks (12)", "Retailers (20)"]


def test_codes_stand_by_the_group_that_they_set_apart():
    rows = [row("A", 300.0, group="Banks", n=12), row("B", 400.0), row("C", 350.0, group="Banks", n=12)]
    assert list(heatmap(compared(*rows)).layout.yaxis.ticktext) == ["B", "C", "A"]


def test_codes_beyond_most_are_counted():
    figure = heatmap(compared(*(row(f"C{n}", 200.0 + n) for n in range(30))))
    assert len(figure.layout.yaxis.ticktext) == 12
    assert "the 12 most telling of 30 interests" in footer_of(figure)


def test_many_groups_are_limited_and_their_headings_slanted():
    figure = heatmap(groups_of(15))
    assert len(figure.layout.xaxis.ticktext) == 12
    assert figure.layout.xaxis.tickangle
    assert "all 15 groups differ; 12 of those that differ most are drawn" in footer_of(figure)


def test_heatmap_without_a_difference_says_so():
    figure = heatmap(compared(row(verdict="no difference shown")))
    assert title_of(figure) == "No difference between 1 group and the baseline is shown in 1 interest"


def test_heatmap_of_nothing_but_too_few_says_so():
    assert title_of(heatmap(compared(row(verdict="too few")))) == "Too few sites for an index of any of 1 interest"


# Overlap ------------------------------------------------------------------------------------------------------------


def written(figure):
    """What the cells of an overlap say, whichever layer they are of."""
    coloured, plain = ([list(line) for line in layer.text] for layer in figure.data)
    return [[one or other for one, other in zip(*lines, strict=True)] for lines in zip(coloured, plain, strict=True)]


def test_cells_of_an_overlap_of_few_sites_have_counts():
    figure = overlap_matrix(shared_sites(("Banks", "Shops", 5), Banks=10, Shops=20))
    assert written(figure) == [["20 sites", "5 of 20"], ["5 of 10", "10 sites"]]
    assert [list(line) for line in figure.data[0].z] == [[None, 0.25], [0.5, None]]
    assert list(figure.layout.yaxis.ticktext) == ["Shops", "Banks"]


def test_cells_of_many_groups_have_no_room_for_numbers():
    figure = overlap_matrix(shared_sites(("G0", "G1", 5), **{f"G{n}": 20 - n for n in range(9)}))
    assert written(figure)[0][:3] == ["20", "25 %", "0"]


def test_overlap_of_either_is_the_same_both_ways():
    figure = overlap_matrix(shared_sites(("Banks", "Shops", 5), Banks=10, Shops=20), "jaccard")
    assert [list(line) for line in figure.data[0].z] == [[None, 0.2], [0.2, None]]
    assert title_of(figure) == "Banks and Shops are most alike: 5 sites in common, 20 % of those in either"


def test_bars_of_a_profile_are_as_thick_in_every_panel_and_have_quiet_intervals():
    rows = [share(f"{n}0_{n}9", 0.1 * n) for n in range(1, 6)] + [share("balanced", 0.02, "gender_skew", "Balanced")]
    layout = profile_card(profile(*rows)).layout
    many, one = (layout[name].domain[1] - layout[name].domain[0] for name in ("yaxis", "yaxis2"))
    assert many == pytest.approx(5 * one)
    for bar in profile_card(profile(*rows)).data[::2]:
        assert (bar.error_x.width, bar.error_x.color) == (0, QUIET)


def test_a_value_of_a_field_is_told_with_it():
    field = row("Mid-range", dimension="price_signals", code="mid_range")
    assert title_of(comparison(compared(field))).startswith("Mid-range prices are more common among Retailers")


def test_title_of_an_overlap_names_the_largest():
    figure = overlap_matrix(FRAMES[overlap_matrix])
    assert title_of(figure) == "5 of the 10 sites of Banks are also in Shops: the largest share of a group"


def test_groups_without_common_sites_say_so():
    assert title_of(overlap_matrix(shared_sites(Banks=3, Shops=4))) == "No two of the 2 groups share a site"


def test_a_group_alone_says_so():
    assert title_of(overlap_matrix(shared_sites(Banks=3))) == "Banks has no other group beside it"


def test_alt_text_of_an_overlap_says_what_is_unique():
    frame = shared_sites(("Banks", "Shops", 5), Banks=10, Shops=20).assign(unique=[5.0, 5.0, 15.0, 15.0])
    assert alt_text(overlap_matrix(frame)).endswith("Sites in no other group: Shops 15 of 20, Banks 5 of 10.")


def test_unknown_measure_is_refused():
    with pytest.raises(tk.errors.InputError, match=r"The measure 'lift' is not known\. Use 'containment' or 'jaccard'"):
        overlap_matrix(FRAMES[overlap_matrix], "lift")


def test_group_without_sites_is_drawn():
    frame = overlap({"none": [], "one": ["a.example"]})
    figure = overlap_matrix(frame)
    assert "–" in figure.data[1].text[1]
    assert "dash: a group without sites" in footer_of(figure)


# Profile ------------------------------------------------------------------------------------------------------------


def panel(figure, number):
    return figure.layout["yaxis" if number == 1 else f"yaxis{number}"].ticktext


def test_title_of_a_profile_names_the_most_common_value_of_each_dimension():
    assert (
        title_of(profile_card(FRAMES[profile_card]))
        == "As inferred, age is most often 25 to 34 (50 %), and gender women and men alike (70 %)"
    )


def test_bars_are_the_shares_with_their_intervals():
    bar = profile_card(profile(share("25_34", 0.5))).data[0]
    assert list(bar.x) == [0.5]
    assert bar.error_x.array == pytest.approx([0.1])
    assert bar.error_x.arrayminus == pytest.approx([0.1])


def test_ages_stand_in_their_order_and_other_codes_by_share():
    ages = [share("35_44", 0.6), share("18_24", 0.3), share("25_34", 0.5)]
    stages = [share(name, part, "life_stage") for name, part in (("a", 0.1), ("b", 0.9))]
    figure = profile_card(profile(*ages, *stages))
    assert list(panel(figure, 1)) == ["18 to 24", "25 to 34", "35 to 44"]
    assert list(panel(figure, 2)) == ["b", "a"]


def test_vocabulary_gives_scales_their_order():
    vocabulary = Vocabulary.parse({"income_bands": ["tiny", "huge", "vast"]})
    rows = [share(name, part, "income_level") for name, part in (("vast", 0.5), ("tiny", 0.2), ("huge", 0.3))]
    assert list(panel(profile_card(profile(*rows), vocabulary=vocabulary), 1)) == ["tiny", "huge", "vast"]


def test_known_scales_have_the_order_of_the_service(vocabulary):
    for dimension in ("gender_skew", "income_level", "education_level", "age_bracket"):
        rows = [share(code, 0.5 + n / 100, dimension) for n, code in enumerate(vocabulary.values[dimension])]
        whole = profile(*rows)
        assert list(panel(profile_card(whole, most=9), 1)) == list(
            panel(profile_card(whole, most=9, vocabulary=vocabulary), 1)
        )


def test_all_panels_have_the_same_scale():
    figure = profile_card(FRAMES[profile_card])
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    assert figure.layout.xaxis.range[1] > 0.84


def test_panels_do_not_overlap():
    dimensions = ["a", "b", "c", "d"]
    figure = profile_card(profile(*(share("x", 0.5, name) for name in dimensions)), dimensions=dimensions)
    places = [
        (*figure.layout[f"xaxis{end}"].domain, *figure.layout[f"yaxis{end}"].domain) for end in ("", "2", "3", "4")
    ]
    for (left, right, low, high), (left2, right2, low2, high2) in itertools.combinations(places, 2):
        assert right < left2 or right2 < left or high < low2 or high2 < low
    assert all(0 <= value <= 1 for place in places for value in place)


def test_values_beyond_most_are_counted_at_their_panel():
    figure = profile_card(profile(*(share(f"{n}0_{n}9", 0.1 * n) for n in range(1, 9))), most=3)
    assert figure.layout.annotations[0].text == "<b>Age</b> (3 of 8)"
    assert list(panel(figure, 1)) == ["60 to 69", "70 to 79", "80 to 89"]


def test_dimensions_stand_in_the_order_asked_for():
    figure = profile_card(FRAMES[profile_card], dimensions=["gender_skew", "age_bracket"])
    assert [note.text for note in figure.layout.annotations] == ["<b>Gender</b>", "<b>Age</b>"]


def test_unknown_dimension_is_refused():
    with pytest.raises(tk.errors.InputError) as caught:
        profile_card(FRAMES[profile_card], dimensions=["height"])
    assert str(caught.value) == "The frame has no dimension 'height'. It has: 'age_bracket', 'gender_skew'."


def test_profile_without_demographics_says_so():
    figure = profile_card(profile(share("a", 0.5, "interest")))
    assert title_of(figure) == ("The frame has no demographics but others (interest); pass dimensions=… to draw them")
    several = profile(*(share("a", 0.5, name) for name in ("persona", "interest", "content_type", "industry")))
    assert "others (content_type, industry, interest and 1 more);" in title_of(profile_card(several))


def test_profile_of_unknown_demographics_says_so():
    assert title_of(profile_card(profile(share(part=0.5)).assign(share=math.nan))) == (
        "No demographics are known of these sites"
    )


# Flow ---------------------------------------------------------------------------------------------------------------


def ribbons(figure):
    """Height of each ribbon at its two ends, by its hover text."""
    found = {}
    for trace in figure.data:
        half = len(trace.y) // 2
        found[trace.text] = (trace.y[-1] - trace.y[0], trace.y[half] - trace.y[half - 1])
    return found


def test_ribbons_are_as_wide_as_their_sites():
    found = ribbons(persona_flow(FRAMES[persona_flow]))
    assert set(found) == {"Cook and Food: 5 sites", "Cook and Travel: 2 sites", "Fan and Sports: 3 sites"}
    unit = found["Cook and Food: 5 sites"][0] / 5
    for text, ends in found.items():
        assert ends == pytest.approx([int(text.split(": ")[1].split()[0]) * unit] * 2)


def test_ribbons_of_a_name_fill_its_block():
    figure = persona_flow(FRAMES[persona_flow])
    ends = [shape.y1 - shape.y0 for shape in figure.layout.shapes if not shape.x0]
    assert sum(ends) == pytest.approx(sum(start for start, _ in ribbons(figure).values()))
    assert all(0 <= shape.y0 < shape.y1 <= 1 for shape in figure.layout.shapes)


def test_only_the_strongest_links_are_drawn_and_the_others_counted():
    figure = persona_flow(FRAMES[persona_flow], most=2)
    assert list(data_of(figure)["sites"]) == [5, 3]
    assert "the 2 strongest of 3 links" in footer_of(figure)


def test_links_that_the_finding_left_out_are_counted_too():
    assert "the 1 strongest of 99 links" in footer_of(persona_flow(links(("Cook", "Food", 5), links=99)))


@pytest.mark.parametrize(
    "pairs",
    [
        [(f"P{n:02}", f"C{n:02}") for n in range(40)],
        [(f"P{n:02}", "C00") for n in range(40)],
        [("P00", f"C{n:02}") for n in range(40)],
    ],
    ids=["both", "personas", "categories"],
)
def test_no_side_has_more_names_than_lines(pairs):
    figure = persona_flow(links(*((*pair, 100 - n) for n, pair in enumerate(pairs))), most=40)
    assert len(figure.data) == 12
    assert "the 12 strongest of 40 links" in footer_of(figure)


def test_title_of_a_flow_names_the_strongest_link():
    assert title_of(persona_flow(FRAMES[persona_flow])) == "Cook goes most often with Food: 5 sites"


def test_title_of_a_flow_does_not_crown_one_of_equals():
    figure = persona_flow(links(("Cook", "Food", 1), ("Fan", "Sports", 1)))
    assert title_of(figure) == "Cook with Food and Fan with Sports alike go most often together: 1 site each"


def test_names_are_followed_by_their_sites_where_known():
    frame = links(("Cook", "Food", 5)).assign(persona_sites=6, category_sites=9)
    assert [note.text for note in persona_flow(frame).layout.annotations] == ["Cook · 6", "Food · 9"]


def test_flow_without_links_says_so():
    assert title_of(persona_flow(links(("Cook", "Food", 0)))) == "No site has both a persona and a category"


# With the findings themselves ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(client, vocabulary):
    pages = [
        "torque-journal.example",
        "northgate-motors.example",
        "ledgerline.example",
        "trailhead-outfitters.example",
        "agrifields-coop.example",
    ]
    codes = tk.frames.codes([client.segment(page) for page in pages], vocabulary)
    return codes, tk.frames.categories([client.categorize_content(page) for page in pages])


def test_findings_of_real_answers_are_drawn(run, vocabulary):
    codes, categories = run
    groups = {"cars": codes["target"].iloc[:1].tolist(), "all": codes["target"].unique().tolist()}
    found = compare(codes, groups)
    for figure in (
        comparison(found),
        heatmap(found),
        overlap_matrix(overlap(groups, codes)),
        profile_card(shares(codes), vocabulary=vocabulary),
        persona_flow(persona_links(codes, categories)),
    ):
        assert re.search(r"n = \d+ site", footer_of(figure))
        assert "source: classification service" in footer_of(figure) + alt_text(figure)
    assert data_of(profile_card(shares(codes)))["share"].between(0, 1).all()


@pytest.mark.parametrize(
    ("share", "words"),
    [(0, "0 %"), (0.004, "below 1 %"), (0.01, "1 %"), (0.99, "99 %"), (0.996, "over 99 %"), (1, "100 %")],
)
def test_only_all_are_called_100_per_cent_and_only_none_0(share, words):
    assert percent(share) == words


def test_an_index_near_nothing_is_not_called_nothing():
    assert [index_words(index) for index in (0.0, 0.3, 1.0, 99.6)] == ["0", "below 1", "1", "100"]


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_every_mark_lies_within_the_axis_or_it_would_not_be_drawn(sample, scale):
    types = sample.audiences().set_index("target")["audience_type"]
    for baseline in ("rest", None, "b2b"):
        figure = comparison(compare(sample.codes(), types, baseline), scale=scale)
        low, high = figure.layout.xaxis.range
        if scale == "log":
            low, high = 10**low, 10**high
        marks = [x for trace in figure.data if trace.mode == "markers" for x in trace.x if x is not None]
        assert marks
        assert all(low <= x <= high for x in marks)
