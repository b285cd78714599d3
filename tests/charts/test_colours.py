"""Colours that tell things apart: for people who are colour-blind, and printed in grey.

Sight is simulated with the matrices of Machado, Oliveira & Fernandes, A physiologically-based model for simulation of
color vision deficiency, IEEE Transactions on Visualization and Computer Graphics 15 (2009), for severity 1.0: without
one kind of cones at all. They are applied to linear RGB. Differences are those of CIEDE2000, for which about 1 can just
be seen side by side; 10 is plain also between marks that lie apart.
"""

import itertools
import re

import numpy as np
import pandas as pd
import pytest

from toolkit import charts, sample_run
from toolkit.charts import PALETTE, colours
from toolkit.findings.compare import compare
from toolkit.findings.coverage import coverage
from toolkit.findings.links import persona_links
from toolkit.findings.overlap import overlap
from toolkit.findings.shares import confidence_bands, shares, technology_shares
from toolkit.findings.unseen import accumulation, unseen

SIGHT = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    # What a black and white printer keeps of a colour is its luminance.
    "grey": [[0.2126, 0.7152, 0.0722]] * 3,
}
#: sRGB to XYZ (IEC 61966-2-1), and its white, D65.
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
#: Least difference of colours that nothing else tells apart, and of those that also differ in symbol, text or place.
ALONE, AIDED = 10, 5
#: Steps of lightness (L* of CIELAB) below which two areas side by side look the same in grey.
LEAST_STEP = 8

every_sight = pytest.mark.parametrize("sight", SIGHT)
#: In grey, hues of one lightness are one colour: what is told apart by hue needs another cue there.
in_colour = pytest.mark.parametrize("sight", [name for name in SIGHT if name != "grey"])


def linear(color):
    """Linear RGB of a colour in the notation of CSS; one that lets the paper through is laid on white."""
    if found := re.fullmatch(r"rgba\((\d+), (\d+), (\d+), ([\d.]+)\)", color):
        *channels, opacity = (float(part) for part in found.groups())
        coded = (1 - opacity) + opacity * np.array(channels) / 255
    else:
        named = {"white": "#ffffff"}.get(color, color)
        coded = np.array([int(named[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def lab(color, sight="normal"):
    """CIELAB of a colour as it is seen."""
    relative = XYZ @ np.clip(np.array(SIGHT[sight]) @ linear(color), 0, 1) / WHITE
    x, y, z = np.where(relative > (6 / 29) ** 3, np.cbrt(relative), relative / (3 * (6 / 29) ** 2) + 4 / 29)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one, other):
    """CIEDE2000 of two colours in CIELAB, by the steps of Sharma, Wu & Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    seventh = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * np.sqrt(seventh / (seventh + 25**7))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1 * stretch)) % 360, np.degrees(np.arctan2(b2, a2 * stretch)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 and c2 else 0
    hue = (h1 + turn / 2) % 360 if c1 and c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    waves = ((0.17, 1, -30, -1), (0.24, 2, 0, 1), (0.32, 3, 6, 1), (0.20, 4, -63, -1))
    t = 1 + sum(sign * size * np.cos(np.radians(times * hue + shift)) for size, times, shift, sign in waves)
    far = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    strong = (c2 - c1) / (1 + 0.045 * chroma)
    other_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    blue = np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * blue
    return float(np.sqrt(far**2 + strong**2 + other_hue**2 + rotation * strong * other_hue))


def difference(one, other, sight):
    return ciede2000(lab(one, sight), lab(other, sight))


def least(pairs, sight):
    """The least difference of pairs of colours, with the pair that has it."""
    return min((difference(*pair, sight), *pair) for pair in pairs)


def lightness(color, sight="grey"):
    return lab(color, sight)[0]


def around(colors):
    """Neighbours, the last and the first included, for the colours begin anew where they are used up."""
    return list(itertools.pairwise([*colors, colors[0]]))


def legend_of(figure):
    """Name, colour and symbol of the marks that stand in a legend for others."""
    marks = [trace for trace in figure.data if trace.mode == "markers" and trace.x[0] is None]
    return [(mark.name, mark.marker.color, mark.marker.symbol) for mark in marks]


def assert_a_scale(colors, sight):
    """Every step of a scale is seen, and no step turns back."""
    assert least(itertools.pairwise(colors), sight)[0] >= ALONE or sight == "grey"
    steps = np.diff([lightness(color, sight) for color in colors])
    assert (steps <= -LEAST_STEP).all() or (steps >= LEAST_STEP).all(), dict(zip(colors, steps, strict=False))


@pytest.fixture(scope="module")
def covered(sample):
    return coverage(sample.categories())


@pytest.fixture(scope="module")
def groups(sample):
    """Six overlapping groups of sites."""
    names = sorted(sample.audiences().dropna(subset="audience_type")["normal"])
    return {f"Group {place}": names[5 * place : 5 * place + 30] for place in range(6)}


@pytest.fixture(scope="module")
def compared(sample, groups):
    return compare(sample.codes(), groups, "rest")


# The measure --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (61, -5, 29), 22.8977),
        ((50, 2.5, 0), (56, -27, -3), 31.9030),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ],
)
def test_differences_are_those_of_sharma_wu_and_dalal_2005(one, other, published):
    # The CIEDE2000 color-difference formula, Color Research and Application 30, table 1.
    assert ciede2000(one, other) == pytest.approx(published, abs=5e-5)
    assert ciede2000(other, one) == pytest.approx(published, abs=5e-5)


@every_sight
def test_white_grey_and_black_look_the_same_to_all(sight):
    for color, wanted in (("#ffffff", 100), ("#777777", 50.03), ("#000000", 0)):
        assert lab(color, sight) == pytest.approx((wanted, 0, 0), abs=0.05)


def test_who_lacks_a_kind_of_cones_confuses_what_they_tell_apart():
    assert difference("#e41a1c", "#4d7a27", "normal") > 50
    for sight in ("protanopia", "deuteranopia"):
        assert difference("#b8860b", "#7aa02c", sight) < difference("#b8860b", "#7aa02c", "normal") / 2
    assert difference("#0072B2", "#009E73", "tritanopia") < difference("#0072B2", "#009E73", "normal") / 2
    assert difference("#56B4E9", "#E69F00", "grey") < 2


# Colours alone ------------------------------------------------------------------------------------------------------


@in_colour
def test_any_two_colours_of_the_palette_differ(sight):
    assert least(itertools.combinations(PALETTE, 2), sight)[0] >= ALONE


@in_colour
def test_any_two_targets_of_confidences_differ(sample, sight):
    # Bars of one category belong to those targets only that have it: any two may lie side by side.
    colors = [bar.marker.color for bar in charts.category_confidence(sample.categories()).data]
    assert len(set(colors)) == 6
    assert least(itertools.combinations(colors, 2), sight)[0] >= ALONE


@in_colour
def test_leading_technologies_differ_from_the_rest(sample, sight):
    figure = charts.technologies(technology_shares(sample.technologies(), sample.companies()))
    colors = list(dict.fromkeys(figure.data[0].marker.color))
    assert len(colors) == 2
    assert least(itertools.combinations(colors, 2), sight)[0] >= ALONE


def test_leading_technologies_differ_from_the_rest_in_grey_too(sample):
    figure = charts.technologies(technology_shares(sample.technologies(), sample.companies()))
    leading, others = dict.fromkeys(figure.data[0].marker.color)
    assert abs(lightness(leading) - lightness(others)) >= LEAST_STEP


@every_sight
def test_more_and_less_common_differ_and_what_is_not_shown_is_hollow(compared, sight):
    # Printed in grey, the edge of a hollow mark is like the blue: it is the filling that tells.
    mine = compared[(compared["group"] == "Group 0") & compared["index"].notna()].head(9)
    verdicts = pd.Categorical(["over", "under", "no difference shown"] * 3, dtype=compared["verdict"].dtype)
    colors = {name: color for name, color, _ in legend_of(charts.comparison(mine.assign(verdict=verdicts)))}
    assert colors.keys() == {"more common", "less common", "no difference shown"}
    assert colors["no difference shown"] == colours.PAPER
    assert least(itertools.combinations(colors.values(), 2), sight)[0] >= ALONE


# Colours beside another cue -----------------------------------------------------------------------------------------


@in_colour
def test_groups_of_a_comparison_differ_in_colour_and_in_symbol(compared, sight):
    _, colors, symbols = zip(*legend_of(charts.comparison(compared)), strict=True)
    assert len(symbols) == len(set(symbols)) == 6
    assert least(itertools.combinations(colors, 2), sight)[0] >= AIDED


@in_colour
def test_neighbouring_streams_differ_and_have_a_name_at_either_end(sample, sight):
    figure = charts.persona_flow(persona_links(sample.codes(), sample.categories()))
    drawn = {trace.fillcolor for trace in figure.data}
    colors = [f"rgba({int(one[1:3], 16)}, {int(one[3:5], 16)}, {int(one[5:], 16)}, 0.5)" for one in PALETTE[:7]]
    assert drawn <= set(colors)
    assert least(around(colors), sight)[0] >= AIDED
    for trace in figure.data:
        assert " and " in trace.text


@in_colour
def test_the_curve_and_the_estimate_differ_in_colour_and_in_dash(covered, sight):
    figure = charts.accumulation_curve(accumulation(covered), unseen(covered))
    curve = next(trace for trace in figure.data if trace.line.dash == "solid")
    estimate = next(shape for shape in figure.layout.shapes if shape.type == "line")
    assert estimate.line.dash not in {trace.line.dash for trace in figure.data}
    assert difference(curve.line.color, estimate.line.color, sight) >= ALONE
    bands = [trace.fillcolor for trace in figure.data if trace.fillcolor]
    bands += [shape.fillcolor for shape in figure.layout.shapes if shape.type == "rect"]
    assert len(bands) == 2
    # One band follows the curve, the other lies across.
    assert least(itertools.combinations([*bands, "white"], 2), sight)[0] >= AIDED


@every_sight
def test_a_mark_without_an_interval_stands_out_from_the_paper(sample, sight):
    colors = {trace.marker.color for trace in charts.profile_card(shares(sample.codes())).data if trace.type == "bar"}
    assert least(((color, "white") for color in colors), sight)[0] >= ALONE


# Scales -------------------------------------------------------------------------------------------------------------


@every_sight
def test_bands_of_confidence_are_a_scale(sample, sight):
    codes = sample.codes()
    drawn = codes[codes["dimension"] == "interest"].head(8)
    given = pd.Categorical(["low", "medium", "high", None] * 2, dtype=drawn["confidence"].dtype)
    marks = charts.code_confidence(drawn.assign(confidence=given)).data
    colors = {mark.name.removesuffix(" confidence").removeprefix("confidence "): mark.marker.color for mark in marks}
    assert_a_scale([colors[band] for band in ("not stated", "low", "medium", "high")], sight)
    apart = drawn.assign(confidence=given, normal=[f"{place}.example" for place in range(len(drawn))])
    bars = charts.confidence_distribution(confidence_bands(apart)).data
    shades = {bar.name.removesuffix(" confidence"): bar.marker.color for bar in bars}
    assert_a_scale([shades[band] for band in ("not stated", "low", "medium", "high")], sight)


@every_sight
@pytest.mark.parametrize("draw", [charts.coverage_treemap, charts.coverage_icicle, charts.coverage_sunburst])
def test_parts_that_are_seen_are_a_scale(covered, draw, sight):
    figure = draw(covered)
    legend = [trace.marker.color for trace in figure.data[1:]]
    assert len(legend) == 5
    assert set(figure.data[0].marker.colors) - {"#ffffff"} == set(legend)
    assert_a_scale(legend, sight)


@every_sight
def test_shares_of_common_sites_are_a_scale(groups, sight):
    figure = charts.overlap_matrix(overlap(groups))
    assert_a_scale([color for _, color in figure.data[0].colorscale], sight)


@every_sight
def test_indices_are_a_scale_to_either_side(compared, sight):
    colors = [color for _, color in charts.heatmap(compared).data[2].colorscale]
    middle = len(colors) // 2
    assert_a_scale(colors[: middle + 1], sight)
    assert_a_scale(colors[middle:], sight)


@in_colour
def test_indices_as_far_below_100_as_others_are_above_differ(sight):
    # Printed in grey both sides are dark: there the number in the cell says which it is.
    figure = charts.heatmap(sample_run().compare("audience_type"))
    colors = [color for _, color in figure.data[2].colorscale]
    assert least(((colors[0], colors[-1]), (colors[1], colors[-2])), sight)[0] >= ALONE
    full = figure.data[2]
    coloured = list(zip(itertools.chain(*full.z), itertools.chain(*full.text), strict=True))
    assert any(depth is not None for depth, _ in coloured)
    assert all(bool(text) == (depth is not None) for depth, text in coloured)


def test_bars_of_several_targets_differ_in_pattern_where_their_colours_are_one_grey(sample):
    frame = sample.categories()
    several = frame[frame["target"].isin(frame["target"].unique()[:8])]
    shapes = [bar.marker.pattern.shape for bar in charts.category_confidence(several).data]
    assert len(shapes) == 6
    assert len(set(shapes)) == len(shapes)
    (alone,) = charts.category_confidence(frame[frame["target"] == frame["target"].iloc[0]]).data
    assert not alone.marker.pattern.shape


@pytest.mark.parametrize("band", ["low", "medium", "high"])
def test_numbers_in_bars_are_read_against_them(sample, band):
    figure = charts.confidence_distribution(confidence_bands(sample.codes()))
    bar = next(bar for bar in figure.data if bar.name == f"{band} confidence")
    light, dark = sorted(
        (float(linear(color) @ np.array(SIGHT["grey"][0])) for color in (bar.marker.color, bar.textfont.color)),
        reverse=True,
    )
    # Contrast of the Web Content Accessibility Guidelines 2.2, 1.4.3.
    assert (light + 0.05) / (dark + 0.05) >= 4.5
