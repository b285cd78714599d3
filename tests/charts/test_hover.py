"""What a reader meets over every chart: tooltips that say something, two lines of footer, one colour a group."""

import html
import itertools
import re

import numpy as np
import pandas as pd
import pytest
from signs import tight_in

import toolkit as tk
from toolkit import charts, findings

#: What no tooltip may say: what a program writes where it knows nothing, and names that nobody gave.
EMPTY = re.compile(r"\b(null|nan|none|undefined|trace \d+|<na>|inf)\b|%\{", re.IGNORECASE)
#: Codes of the service, which people do not speak: upper_middle, INT.PETS.
CODES = re.compile(r"\b[a-z]+_[a-z_]+\b|\b(INT|PI)\.[A-Z]")
PLACE = re.compile(r"%\{(\w+)(?::([^}]*))?\}")
HOSTILE = "<img src=x onerror=alert(1)>%{customdata} " + "long " * 30


def filled(template, known):
    """A template as plotly fills it: what is not known is left as it stands, or said as null."""

    def value(found):
        given = known.get(found[1], found[0])
        return "null" if given is None else str(given)

    return PLACE.sub(value, template)


def points(values):
    return [] if values is None else list(np.asarray(values, dtype=object).ravel())


def tooltips(figure):
    """Every tooltip of a figure: one a point that can be pointed at."""
    said = []
    for trace in figure.data:
        if trace.hoverinfo == "skip":
            continue
        if trace.type == "heatmap":
            places = [place for place, z in enumerate(points(trace.z)) if z is not None]
        elif trace.type in {"treemap", "sunburst", "icicle"}:
            places = range(len(trace.ids))
        else:
            places = [place for place, (x, y) in enumerate(zip(trace.x, trace.y, strict=True)) if None not in (x, y)]
            places = places[:1] if trace.hoverinfo == "text" else places
        for place in places:
            known = {"hovertext": points(trace.hovertext)[place] if trace.hovertext is not None else None}
            for axis in ("x", "y"):
                if getattr(trace, axis, None) is not None:
                    known[axis] = points(getattr(trace, axis))[place % len(points(getattr(trace, axis)))]
            template = trace.hovertemplate if trace.hovertemplate is not None else trace.text
            said.append(filled(template if isinstance(template, str) else str(template), known))
    return said


def many(number):
    """What gives a frame with each site several times under made-up names."""

    def repeated(frame):
        copies = [
            frame.assign(
                **{
                    name: [f"{str(site).removesuffix('.example')}-{copy}.example" for site in frame[name]]
                    for name in {"target", "normal", "domain"} & set(frame.columns)
                }
            )
            for copy in range(number)
        ]
        return pd.concat(copies, ignore_index=True)

    return repeated


def pictures(run, groups, times=1, most=None):
    """Every chart of a run whose sites come so many times, or of so many of its sites."""
    kept = sorted(run.codes()["target"].unique())[:most]

    def repeated(frame):
        return many(times)(frame[frame["target"].isin(kept)])

    codes, categories, technologies = (repeated(frame) for frame in (run.codes(), run.categories(), run.technologies()))
    covered = findings.coverage(categories, "content-v3")
    compared = findings.compare(codes, groups(codes))
    values = run.compare("income_level")
    yield from (draw(values) for draw in (charts.comparison, charts.heatmap))
    yield charts.comparison(values, "middle")
    one = categories["target"].iloc[0]
    yield charts.comparison(compared)
    yield charts.comparison(compared, scale="linear")
    yield from (charts.comparison(compared, name) for name in compared["group"].unique()[:2])
    yield charts.heatmap(compared)
    yield charts.heatmap(findings.compare(categories, groups(codes), taxonomy="content-v3"))
    yield charts.profile_card(findings.shares(codes))
    yield charts.technologies(findings.technology_shares(technologies))
    trees = (charts.coverage_bars, charts.coverage_treemap, charts.coverage_sunburst, charts.coverage_icicle)
    yield from (draw(covered) for draw in trees)
    yield charts.accumulation_curve(findings.accumulation(covered), findings.unseen(covered))
    yield charts.confidence_distribution(findings.confidence_bands(codes))
    yield charts.confidence_distribution(findings.confidence_bins(categories))
    yield charts.category_confidence(categories)
    yield charts.category_confidence(categories[categories["target"] == one])
    yield charts.code_confidence(codes)
    yield charts.persona_flow(findings.persona_links(codes, categories))
    yield charts.overlap_matrix(findings.overlap(groups(codes), codes))


def in_groups(number, name="Group {}"):
    def groups(codes):
        targets = sorted(codes["target"].unique())
        return {name.replace("{}", str(place)): targets[place::number] for place in range(number)}

    return groups


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture(scope="module", params=["two groups", "few sites", "twelve groups", "many sites", "hostile"])
def drawn(request, run):
    """Every chart on the sample run, in few groups and many, on a thousand sites, with hostile names."""
    given = {
        "two groups": (in_groups(2), 1),
        "few sites": (in_groups(2), 1, 8),
        "twelve groups": (in_groups(12), 1),
        "many sites": (in_groups(4), 17),
        "hostile": (in_groups(3, HOSTILE + "{}"), 1),
    }
    every = list(pictures(run, *given[request.param]))
    # Of groups made by chance too few sites may be left to compare, which the picture says.
    return [figure for figure in every if figure.data]


def test_every_tooltip_says_something(drawn):
    assert len(drawn) > 15
    for figure in drawn:
        said = tooltips(figure)
        assert said, charts.alt_text(figure)
        assert [text for text in said if not text.strip() or EMPTY.search(text) or CODES.search(text)] == []


def test_a_percentage_has_a_blank_before_its_sign_in_every_text_and_format(drawn):
    for figure in drawn:
        assert tight_in(figure.to_json()) == [], charts.alt_text(figure)
        assert tight_in(charts.alt_text(figure)) == []


def test_no_trace_goes_by_a_number(drawn):
    for figure in drawn:
        for trace in figure.data:
            template = trace.hovertemplate
            assert trace.hoverinfo in {"skip", "text"} or "<extra>" in str(template) or trace.x == (None,), trace


def test_a_footer_and_a_title_have_at_most_three_lines(drawn):
    for figure in drawn:
        title, footer = figure.layout.title.text.removesuffix("</sub>").split("<br><sub>")
        assert len(footer.split("<br>")) <= 3
        assert not [line for line in footer.split("<br>") if line.strip().startswith("·") or line.strip().endswith("·")]
        assert len(title.split("<br>")) <= 3
        assert max(len(html.unescape(line)) for line in title.split("<br>")) <= 76
        assert max(len(html.unescape(line)) for line in footer.split("<br>")) <= 116


def test_every_picture_says_of_how_many_sites_it_is_of_what_day_and_from_where(drawn):
    for figure in drawn:
        _, footer = figure.layout.title.text.removesuffix("</sub>").split("<br><sub>")
        said = html.unescape(footer.replace("<br>", " · "))
        assert re.match(r"n = .* · \d{1,2} [A-Z][a-z]+ \d{4}.* · source: classification service", said), said


def test_a_picture_has_at_most_twelve_rows(drawn):
    for figure in drawn:
        for name in figure.layout:
            if name.startswith("yaxis") and figure.layout[name].ticktext:
                assert len(figure.layout[name].ticktext) <= 12 or "overlap" in str(figure.data[0].hovertext)
        for trace in figure.data:
            if trace.type == "bar" and trace.orientation == "h" and figure.layout.yaxis.categoryarray:
                assert len(figure.layout.yaxis.categoryarray) <= 12


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_tooltips_of_missing_values_say_so(run, missing):
    categories, codes = run.categories(), run.codes()
    shares = findings.shares(codes)
    shares = shares.assign(label=missing, share_low=np.nan, share_high=np.nan)
    technologies = findings.technology_shares(run.technologies()).assign(share_low=np.nan, share_high=np.nan)
    compared = run.compare("income_level").assign(
        label=missing, p_adjusted=np.nan, index_low=np.nan, shrunken_low=np.nan, shrunken_high=np.nan
    )
    for figure in (
        charts.profile_card(shares),
        charts.technologies(technologies.assign(category=missing)),
        charts.comparison(compared),
        charts.heatmap(compared),
        charts.code_confidence(codes.assign(label=missing, confidence=missing)),
        charts.category_confidence(categories.assign(tier=pd.NA)),
    ):
        assert [text for text in tooltips(figure) if EMPTY.search(text)] == []


# Colours of groups --------------------------------------------------------------------------------------------------


def colours_of(figure):
    """The colour of each group by its name in the legend, without its number of sites."""
    return {
        trace.name.rpartition(" (")[0]: trace.marker.color
        for trace in figure.data
        if trace.showlegend is not False and trace.mode == "markers"
    }


def test_a_group_has_one_colour_in_every_picture_of_a_run(run):
    """Whatever is compared, in whatever order, of whatever subset of groups."""
    topics, values = run.compare("income_level", of="content-v3"), run.compare("income_level")
    names = sorted(set(values["group"]))
    pictures = [
        charts.comparison(frame, group)
        for frame in (topics, values, values.sample(frac=1, random_state=1))
        for group in (None, names, names[::-1], names[1:], names[:2])
    ]
    seen = {}
    for name, color in itertools.chain.from_iterable(colours_of(figure).items() for figure in pictures):
        seen.setdefault(name, set()).add(color)
    assert len(seen) >= 3
    assert {name: found for name, found in seen.items() if len(found) > 1} == {}
