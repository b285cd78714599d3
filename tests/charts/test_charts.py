"""Charts draw what their frame says, say the finding, and show hostile names as text."""

import html
import itertools
import json
import re

import pandas as pd
import plotly.graph_objects as go
import pytest
from cases import every
from hypothesis import given, settings
from hypothesis import strategies as st

import toolkit as tk
from toolkit import charts
from toolkit.charts import PALETTE, category_confidence, code_confidence, display_bundle
from toolkit.frames import SCHEMAS

PAGES = ["torque-journal.example", "northgate-motors.example", "ledgerline.example"]
FETCHED = pd.Timestamp("2026-03-04T10:00:00Z")
HOSTILE = "<img src=x onerror=alert(1)></script>&amp;%{customdata}<a href='x'>"
TAG = re.compile(r"<\s*/?\s*([a-zA-Z]\w*)")
OWN_TAGS = {"br", "sub", "extra"}
DRAWERS = {"categories": category_confidence, "codes": code_confidence}
#: Steps of lightness (L* of CIELAB, 0 to 100) below which two areas side by side look the same in grey.
LEAST_STEP = 8


def frame_of(kind, rows):
    whole = pd.DataFrame(rows).reindex(columns=list(SCHEMAS[kind]))
    whole["fetched_at"] = pd.to_datetime(whole["fetched_at"], utc=True)
    return whole


def category(target="a.example", name="Automotive", *, confidence=0.9, rank=1, tier=1, level_1=None, **more):
    return {
        "target": target,
        "taxonomy": "content-v3",
        "name": name,
        "level_1": level_1 or name,
        "tier": tier,
        "confidence": confidence,
        "rank": rank,
        "fetched_at": FETCHED,
        **more,
    }


def code(target="a.example", name="INT.PETS.DOGS", label="Dogs", confidence="high", **more):
    dimension = "interest" if name.startswith("INT") else "purchase_intent"
    return {
        "target": target,
        "dimension": dimension,
        "code": name,
        "label": label,
        "confidence": confidence,
        "fetched_at": FETCHED,
        "vocab_version": "1.1",
        **more,
    }


def categories_of(*rows):
    return frame_of("categories", rows)


def codes_of(*rows):
    return frame_of("codes", rows)


ROWS = {"categories": category, "codes": code}


def title_of(figure):
    return figure.layout.title.text.split("<br><sub>")[0].replace("<br>", " ")


def footer_of(figure):
    return figure.layout.title.text.split("<br><sub>")[1].removesuffix("</sub>")


def texts_of(node):
    """Every text of a figure that plotly writes on the screen."""
    if isinstance(node, dict):
        return [text for value in node.values() for text in texts_of(value)]
    if isinstance(node, list):
        return [text for value in node for text in texts_of(value)]
    return [node] if isinstance(node, str) else []


def lightness(color):
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


@pytest.fixture(scope="module")
def categories(client):
    return tk.frames.categories([client.categorize_content(page) for page in PAGES])


@pytest.fixture(scope="module")
def codes(client, vocabulary):
    return tk.frames.codes([client.segment(page) for page in PAGES], vocabulary)


@pytest.fixture(params=["categories", "codes"])
def drawn(request, categories, codes):
    """A real frame and the function that draws it."""
    return {"categories": categories, "codes": codes}[request.param], DRAWERS[request.param]


# Data ---------------------------------------------------------------------------------------------------------------


def test_public_names_are_sorted_and_there():
    assert charts.__all__ == sorted(charts.__all__)
    assert all(hasattr(charts, name) for name in charts.__all__)


@pytest.mark.parametrize("taxonomy", ["content-v3", "content-v2", "filtering"])
def test_bars_are_the_frames_confidences(categories, taxonomy):
    figure = category_confidence(categories, taxonomy)
    expected = categories[categories["taxonomy"] == taxonomy]
    assert [bar.name for bar in figure.data] == list(dict.fromkeys(expected["target"]))
    for bar in figure.data:
        mine = expected[expected["target"] == bar.name]
        assert list(bar.x) == mine.sort_values("rank")["confidence"].tolist()
        levels = mine.sort_values("rank")[["level_1", "level_2", "level_3", "level_4"]].to_numpy()
        whole = [" › ".join(level for level in path if isinstance(level, str)) for path in levels]
        assert [html.unescape(label).replace("<br>", " ") for label in bar.y] == whole


def test_bars_are_labelled_with_their_own_percentage(categories):
    bars = category_confidence(categories).data
    for bar in bars:
        of = f" · {bar.name}" * (len(bars) > 1)
        assert list(bar.text) == [f"{int(100 * value + 0.5)} %{of}" for value in bar.x]


def test_marks_are_the_frames_codes_with_their_bands(codes):
    shown = {
        (mark.name.removesuffix(" confidence"), x, html.unescape(y).rsplit(" (", 1)[0])
        for mark in code_confidence(codes).data
        for x, y in zip(mark.x, mark.y, strict=True)
    }
    wanted = codes[codes["dimension"].isin(["interest", "purchase_intent"])]
    assert shown == set(zip(wanted["confidence"], wanted["target"], wanted["label"], strict=True))


def test_a_code_without_a_label_is_shown_by_itself():
    figure = code_confidence(codes_of(code(label=None)))
    assert [y for mark in figure.data for y in mark.y] == ["INT.PETS.DOGS (interest)"]


def test_two_codes_of_one_label_stand_in_two_rows():
    frame = codes_of(
        code(name="PI.BEAUTY_SERVICES.SPAS", label="Spas"), code(name="PI.TRAVEL_AND_TOURISM.SPAS", label="Spas")
    )
    rows = {y for mark in code_confidence(frame).data for y in mark.y}
    assert rows == {"Beauty services: Spas (purchase intent)", "Travel and tourism: Spas (purchase intent)"}


def test_a_code_that_only_one_answer_labels_is_one_row():
    frame = codes_of(code("a.example", label=None), code("b.example"))
    assert {y for mark in code_confidence(frame).data for y in mark.y} == {"Dogs (interest)"}


@pytest.mark.parametrize("name", ["very_high", HOSTILE])
def test_a_band_of_a_newer_vocabulary_is_drawn_too(name):
    [mark] = code_confidence(codes_of(code(confidence=name))).data
    assert mark.name.endswith(" confidence")
    assert not TAG.findall(mark.name)


def test_categories_without_a_confidence_are_counted():
    frame = categories_of(category(), category(name="Travel", confidence=None, rank=2))
    assert "1 without a confidence not drawn" in footer_of(category_confidence(frame))


def test_bars_of_one_row_lie_beside_each_other_around_its_middle():
    frame = categories_of(category("a.example"), category("b.example"), category("c.example", name="Travel"))
    first, second, alone = category_confidence(frame).data
    assert second.offset[0] + second.width == first.offset[0] == 0
    assert alone.offset[0] == -alone.width / 2


def test_two_categories_with_one_long_beginning_stand_in_two_rows():
    start = "A very long name of a category that goes on and on"
    frame = categories_of(
        category(name=f"{start} for cats"), category(name=f"{start} for dogs", rank=2, confidence=0.1)
    )
    assert len({y for bar in category_confidence(frame).data for y in bar.y}) == 2


def test_a_code_without_a_band_is_drawn_too():
    frame = codes_of(code(), code(name="INT.PETS.CATS", label="Cats", confidence=None))
    assert sum(len(mark.y) for mark in code_confidence(frame).data) == 2


@pytest.mark.parametrize("kind", DRAWERS)
def test_failures_are_left_out(kind):
    failed = {"target": "broken.example", "status": 411, "error": "no"}
    figure = DRAWERS[kind](frame_of(kind, [failed, ROWS[kind]()]))
    assert "broken.example" not in figure.to_json()
    assert "n = 1 site " in footer_of(figure)


@pytest.mark.parametrize("kind", DRAWERS)
def test_a_row_that_stands_twice_is_drawn_once(kind):
    figure = DRAWERS[kind](frame_of(kind, [ROWS[kind](), ROWS[kind]()]))
    assert sum(len(mark.y) for mark in figure.data) == 1


def test_other_dimensions_are_left_out():
    frame = codes_of(code(), code(name="INT.PETS", label="Pets", dimension="interest_group"))
    assert sum(len(mark.y) for mark in code_confidence(frame).data) == 1


def test_confidence_axis_starts_at_zero_and_holds_one(categories):
    low, high = category_confidence(categories).layout.xaxis.range
    assert low == 0
    assert high >= 1


def test_every_row_of_the_data_is_on_the_axis(drawn):
    frame, draw = drawn
    figure = draw(frame)
    assert {y for mark in figure.data for y in mark.y} == set(figure.layout.yaxis.categoryarray)


# Titles -------------------------------------------------------------------------------------------------------------


def test_title_names_the_leader_of_one_target():
    frame = categories_of(category(), category(name="Travel", confidence=0.4, rank=2))
    assert title_of(category_confidence(frame)) == "a.example is about Automotive (90 % sure)"


def test_title_names_the_common_leader():
    frame = categories_of(category("a.example"), category("b.example"), category("c.example"))
    assert title_of(category_confidence(frame)) == "All 3 sites are about Automotive above all"


def test_title_names_different_leaders():
    frame = categories_of(category("a.example"), category("b.example", name="Travel"))
    assert title_of(category_confidence(frame)) == "a.example is about Automotive and b.example about Travel"


def test_title_counts_the_leaders_it_does_not_name():
    four = enumerate(["Cars", "Travel", "Pets", "Law"])
    frame = categories_of(*(category(f"{n}.example", name=name) for n, name in four))
    assert title_of(category_confidence(frame)).endswith(": Cars, Travel and 2 more")


def test_one_leader_more_is_named_rather_than_counted():
    frame = categories_of(*(category(f"{n}.example", name=name) for n, name in enumerate(["Cars", "Travel", "Pets"])))
    title = title_of(category_confidence(frame))
    assert title == "3 sites, each about something else above all: Cars, Travel and Pets"


def test_title_counts_the_most_common_leaders():
    names = ["Cars", "Travel", "Cars", "Travel", "Pets", "Cars", "Food"]
    frame = categories_of(*(category(f"{n}.example", name=name) for n, name in enumerate(names)))
    assert title_of(category_confidence(frame)) == "3 of 7 sites are about Cars above all, 2 about Travel"


def test_title_holds_no_topic_against_one_in_it():
    golf = category(name="Golf", tier=2, level_1="Sports", rank=2)
    frame = categories_of(category(name="Sports"), golf)
    assert title_of(category_confidence(frame)) == "a.example is about Sports (90 % sure)"


def test_title_goes_by_rank_and_not_by_the_order_of_rows():
    frame = categories_of(category(name="Travel", confidence=0.4, rank=2), category())
    assert title_of(category_confidence(frame)).startswith("a.example is about Automotive")


def test_title_counts_codes():
    cats = code(name="INT.PETS.CATS", label="Cats", confidence="low")
    frame = codes_of(code(), cats, code(name="PI.SOFTWARE.GAMES", label="Games"))
    # How many there are is no finding; how sure the service is of them is what the picture shows.
    title = "2 interests in detail and 1 purchase intent for a.example, 2 with high confidence"
    assert title_of(code_confidence(frame)) == title
    assert title_of(code_confidence(codes_of(cats))) == "1 interest in detail for a.example"


def test_title_of_codes_counts_targets():
    frame = codes_of(code("a.example"), code("b.example"))
    assert title_of(code_confidence(frame)).endswith(" for 2 sites, with high confidence")


def test_title_says_where_the_service_is_sure_if_it_is_not_of_all():
    frame = codes_of(code("a.example"), code("b.example", confidence="low"))
    assert title_of(code_confidence(frame)) == (
        "1 interest in detail for 2 sites, with high confidence on at least one of them"
    )


@pytest.mark.parametrize("kind", DRAWERS)
def test_empty_frame_gives_a_figure_that_says_so(kind):
    figure = DRAWERS[kind](frame_of(kind, []))
    assert isinstance(figure, go.Figure)
    assert not figure.data
    assert title_of(figure).startswith("No ")
    assert "supported by these pages" in title_of(figure)
    assert "status and error" in footer_of(figure)


@pytest.mark.parametrize("kind", DRAWERS)
def test_frame_of_failures_gives_a_figure_that_says_so(kind):
    failed = {"target": "broken.example", "status": 411, "error": "no"}
    assert title_of(DRAWERS[kind](frame_of(kind, [failed]))).startswith("No ")


def test_taxonomy_without_rows_is_named():
    figure = category_confidence(categories_of(category()), "content-v2")
    assert title_of(figure) == "No topic of the earlier list is supported by these pages"


@pytest.mark.parametrize("kind", ["categories", "codes"])
@pytest.mark.parametrize(("targets", "count"), [(1, "n = 1 site "), (2, "n = 2 sites ")])
def test_footer_has_number_and_date_and_no_name_of_a_version(kind, targets, count):
    frame = frame_of(kind, [ROWS[kind](f"{number}.example") for number in range(targets)])
    footer = footer_of(DRAWERS[kind](frame))
    assert footer.startswith(count)
    assert "4 March 2026" in footer
    assert not re.search(r"content-v|vocabulary|1\.1", footer)
    assert ("topics" in footer) == (kind == "categories")


@pytest.mark.parametrize("kind", DRAWERS)
def test_footer_without_a_date_says_nothing_of_it(kind):
    footer = footer_of(DRAWERS[kind](frame_of(kind, [ROWS[kind](fetched_at=None)])))
    assert "NaT" not in footer
    assert "nan" not in footer.lower()


# Many and long ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", DRAWERS)
def test_at_most_six_targets_are_drawn(kind):
    figure = DRAWERS[kind](frame_of(kind, [ROWS[kind](f"{number}.example") for number in range(9)]))
    written = " ".join(texts_of(figure.to_plotly_json()["data"]) + texts_of(json.loads(figure.to_json())["data"]))
    assert "5.example" in written
    assert "6.example" not in written


@pytest.mark.parametrize("kind", DRAWERS)
def test_targets_that_are_left_out_are_counted(kind):
    figure = DRAWERS[kind](frame_of(kind, [ROWS[kind](f"{number}.example") for number in range(9)]))
    assert "all 6 sites" not in title_of(figure)
    assert "9" in footer_of(figure).split("·")[0]


@pytest.mark.parametrize("kind", DRAWERS)
def test_rows_that_are_left_out_are_counted(kind):
    names = [f"Thing {number}" for number in range(40)]
    rows = {
        "categories": [category(name=name, confidence=0.5, rank=n) for n, name in enumerate(names, 1)],
        "codes": [code(name=f"INT.X.T{n}", label=name) for n, name in enumerate(names)],
    }[kind]
    figure = DRAWERS[kind](frame_of(kind, rows))
    drawn = sum(len(mark.y) for mark in figure.data)
    assert drawn == 40 or re.search(rf"\b{drawn} of 40\b|\b{40 - drawn} (more|further)\b", figure.layout.title.text)


def test_best_categories_are_drawn_where_there_are_too_many():
    rows = [category(name=f"A{n}", confidence=0.2, rank=n) for n in range(2, 40)] + [
        category(name="Zoo", confidence=0.9)
    ]
    assert "Zoo" in {y for bar in category_confidence(categories_of(*rows)).data for y in bar.y}


def test_leader_of_each_target_is_in_another_colour():
    frame = categories_of(*(category(f"{number}.example") for number in range(6)))
    assert [bar.marker.color for bar in category_confidence(frame).data] == list(PALETTE[:6])


def test_long_label_is_cut():
    figure = category_confidence(categories_of(category(name="a" * 200)))
    [label] = figure.data[0].y
    assert len(label) <= 48
    assert label.endswith("…")


@pytest.mark.parametrize("length", [41, 44, 50])
def test_label_is_never_cut_inside_an_escape(length):
    figure = category_confidence(categories_of(category(name="a" * length + "<&>" * 9)))
    [label] = figure.data[0].y
    assert not re.search(r"&(?!(amp|lt|gt);)", label)


@pytest.mark.parametrize("length", [76, 81, 87])
def test_title_is_never_broken_inside_an_escape(length):
    figure = category_confidence(categories_of(category(name="a" * length + "<&>" * 9)))
    assert not re.search(r"&(?!(amp|lt|gt);)", figure.layout.title.text)


def test_long_label_of_a_code_is_cut():
    figure = code_confidence(codes_of(code(label="a" * 200)))
    assert all(len(y) <= 80 for mark in figure.data for y in mark.y)


def test_chart_grows_with_its_rows():
    few = category_confidence(categories_of(category()))
    many = category_confidence(categories_of(*(category(name=f"Thing {n}", rank=n) for n in range(1, 20))))
    assert many.layout.height > few.layout.height


# Colours ------------------------------------------------------------------------------------------------------------


def test_palette_has_no_colour_twice_and_enough_for_six_targets():
    assert len(set(PALETTE)) == len(PALETTE) >= 6
    assert all(re.fullmatch(r"#[0-9A-F]{6}", color) for color in PALETTE)


@pytest.mark.parametrize(("one", "other"), list(itertools.pairwise(PALETTE[:6])))
def test_neighbours_of_the_palette_differ_in_grey(one, other):
    assert abs(lightness(one) - lightness(other)) >= LEAST_STEP


def test_bands_differ_in_grey_and_darken_with_certainty(codes):
    frame = codes_of(*(code(name=f"INT.X.{band}", label=band, confidence=band) for band in ("low", "medium", "high")))
    steps = [lightness(mark.marker.color) for mark in code_confidence(frame).data]
    assert steps == sorted(steps, reverse=True)
    assert min(one - other for one, other in itertools.pairwise(steps)) >= LEAST_STEP


def test_bars_take_their_colours_from_the_palette(categories):
    assert {bar.marker.color for bar in category_confidence(categories).data} <= set(PALETTE)


# Hostile names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["target", "name", "level_1"])
def test_hostile_names_are_text_in_a_chart_of_categories(field):
    figure = category_confidence(categories_of(category(**{field: HOSTILE, "tier": 2})))
    written = texts_of(json.loads(figure.to_json()))
    assert {tag for text in written for tag in TAG.findall(text)} <= OWN_TAGS
    assert not [text for text in written if "%{customdata}" in text]


@pytest.mark.parametrize("field", ["target", "label", "name", "vocab_version"])
def test_hostile_names_are_text_in_a_chart_of_codes(field):
    given = {field: HOSTILE} if field != "name" else {"name": f"INT.{HOSTILE}", "label": None}
    written = texts_of(json.loads(code_confidence(codes_of(code(**given))).to_json()))
    assert {tag for text in written for tag in TAG.findall(text)} <= OWN_TAGS
    assert not [text for text in written if "%{customdata}" in text]


def test_hostile_taxonomy_is_text():
    written = texts_of(json.loads(category_confidence(categories_of(category()), HOSTILE).to_json()))
    assert {tag for text in written for tag in TAG.findall(text)} <= OWN_TAGS


@settings(max_examples=60)
@given(st.text("<>&/ab%{}\u202e\x1b'\" ", max_size=70))
def test_no_name_gets_a_tag_or_a_control_character_into_a_chart(name):
    figures = [
        category_confidence(categories_of(category(name, name))),
        code_confidence(codes_of(code(name, label=name))),
    ]
    written = [text for figure in figures for text in texts_of(json.loads(figure.to_json()))]
    assert {tag for text in written for tag in TAG.findall(text)} <= OWN_TAGS
    assert not [text for text in written if re.search("[\x00-\x1f\u202e]", text)]


# Frames -------------------------------------------------------------------------------------------------------------


def test_drawing_leaves_the_frame_as_it_is(drawn):
    frame, draw = drawn
    before = frame.copy(deep=True)
    draw(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_same_frame_twice_gives_the_same_figure(drawn):
    frame, draw = drawn
    assert draw(frame).to_json() == draw(frame).to_json()


def test_index_of_the_frame_does_not_matter(drawn):
    frame, draw = drawn
    assert draw(frame.set_axis([7] * len(frame))).to_json() == draw(frame).to_json()


@pytest.mark.parametrize(
    ("kind", "missing", "message"),
    [
        ("categories", ["confidence"], "The frame has no column 'confidence'. Pass a categories frame."),
        ("categories", ["tier", "target"], "The frame has no column 'target', 'tier'. Pass a categories frame."),
        ("codes", ["dimension"], "The frame has no column 'dimension'. Pass a codes frame."),
        ("codes", ["label", "code"], "The frame has no column 'label', 'code'. Pass a codes frame."),
    ],
)
def test_wrong_frame_is_refused_with_the_missing_columns(kind, missing, message):
    with pytest.raises(tk.errors.InputError) as caught:
        DRAWERS[kind](frame_of(kind, [ROWS[kind]()]).drop(columns=missing))
    assert str(caught.value) == message


@every(("kind", "column"), [(kind, column) for kind in DRAWERS for column in SCHEMAS[kind]])
def test_frame_without_one_column_is_drawn_or_refused(kind, column):
    frame = frame_of(kind, [ROWS[kind]()]).drop(columns=column)
    said = ""
    try:
        figure = DRAWERS[kind](frame)
    except tk.errors.InputError as error:
        said = str(error)
    assert repr(column) in said or figure.data


def test_frame_of_the_other_kind_is_refused(categories, codes):
    with pytest.raises(tk.errors.InputError, match="Pass a categories frame"):
        category_confidence(codes)
    with pytest.raises(tk.errors.InputError, match="Pass a codes frame"):
        code_confidence(categories)


# Display ------------------------------------------------------------------------------------------------------------


def test_bundle_is_json_and_holds_the_figure(drawn):
    frame, draw = drawn
    figure = draw(frame)
    bundle = json.loads(json.dumps(display_bundle(figure)))
    shown = bundle["application/vnd.plotly.v1+json"]
    assert {"data": shown["data"], "layout": shown["layout"]} == json.loads(figure.to_json())


def test_bundle_has_neither_upload_button_nor_logo(drawn):
    frame, draw = drawn
    config = display_bundle(draw(frame))["application/vnd.plotly.v1+json"]["config"]
    assert "sendChartToCloud" in config["modeBarButtonsToRemove"]
    assert config["displaylogo"] is False


def test_bundles_do_not_share_their_settings():
    figure = category_confidence(categories_of(category()))
    first, second = (display_bundle(figure)["application/vnd.plotly.v1+json"]["config"] for _ in range(2))
    assert first == second
    assert first["modeBarButtonsToRemove"] is not second["modeBarButtonsToRemove"]


def test_plain_text_of_a_bundle_is_title_and_footer():
    text = display_bundle(category_confidence(categories_of(category())))["text/plain"]
    title, footer = text.split("\n")
    assert title == "a.example is about Automotive (90 % sure)"
    assert footer.startswith("n = 1 site")


def test_plain_text_of_a_bundle_has_no_markup():
    figure = category_confidence(categories_of(category(name="Arts & Crafts " * 12)))
    assert not re.search(r"<|&(amp|lt|gt);", display_bundle(figure)["text/plain"])
