"""Who the sites speak to: a card with a small chart for each demographic dimension."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pandas as pd

from toolkit.charts import colours
from toolkit.charts.labels import distinct, escaped
from toolkit.charts.template import INTERVAL, Chart, check_columns, empty, finish, footer_of
from toolkit.charts.wording import alike, by_weight, drawn_columns, inferred_among, is_inferred, of_sites, percent
from toolkit.findings.insights.sentences import value_in_words
from toolkit.frames.schemas import DEMOGRAPHICS
from toolkit.interface.checks import check_whole
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, printable, shortened
from toolkit.interface.vocabulary import ORDERED_FIELDS
from toolkit.interface.words.labels import field_label, value_words

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    import plotly.graph_objects as go

    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["profile_card"]

_COLUMNS: Final = ("dimension", "code", "label", "n", "with_code", "share", "share_low", "share_high")
#: Scales, lowest first, where no vocabulary is given; ages stand by their first number.
_SCALES: Final = {
    "gender_skew": ("strong_female", "lean_female", "balanced", "lean_male", "strong_male"),
    "income_level": ("low", "lower_middle", "middle", "upper_middle", "high", "very_high"),
    "education_level": ("primary", "secondary", "vocational", "some_college", "bachelor", "master", "doctorate"),
}
_INFERRED: Final = " (inferred)"
_NUMBER: Final = re.compile(r"\d{1,9}")
#: Panels beside each other, characters of a name, and the part of the width that names take: where all names are
#: short, and otherwise.
_LAYOUTS: Final = ((3, 22, 0.17), (2, 44, 0.24))
_LONGEST_SAID: Final = 44
#: Characters of a line of a name: longer names have two.
_WRAPPED: Final = 26
_MOST_SAID: Final = 3
_LEVEL: Final = 0.95
#: Part of the width that is left free beside a panel.
_GAP: Final = 0.01
#: Rows of the figure that a panel's name takes, with what is free below the panel, and what a bar takes; where names
#: have two lines, so much more.
_NAME_ROWS: Final = 1.1
_HEAD_ROWS: Final = 1.8
_BAR_ROWS: Final = 0.8
_TWO_LINES: Final = 0.65
#: The axis ends beyond the widest interval, for the number beside it.
_ROOM: Final = 1.3


def profile_card(
    shares: pd.DataFrame,
    *,
    dimensions: Iterable[str] | None = None,
    vocabulary: Vocabulary | None = None,
    most: int = 6,
) -> go.Figure:
    """Draw the demographic profile of sites: a panel of bars for each dimension.

    Parameters
    ----------
    shares : DataFrame
        As `toolkit.findings.shares.shares` returns it.
    dimensions : iterable of str, optional
        Which dimensions, in this order; by default age, gender, income, education, household, life stage, employment,
        home ownership and urbanicity, those of them that the frame has.
    vocabulary : Vocabulary, optional
        Gives scales their order; without one, known words and the numbers of ages give it. What has no order stands by
        its share.
    most : int
        At most so many bars in a panel: those of the largest shares.

    Returns
    -------
    Figure
        Bars of the share of sites, or of a weight that the frame has, with their intervals, all panels to the same
        scale. Each panel is of the sites of which its dimension is known, and says how many where these are not all.

    Raises
    ------
    InputError
        If the frame has no shares, or not a dimension that is asked for.
    """
    check_columns(shares, _COLUMNS, "shares", _COLUMNS[3:])
    most = check_whole(most, "most", 1)
    about = shares.attrs.get("about", {})
    shares, weight = by_weight(shares)
    present = set(shares["dimension"].astype(str))
    panels: list[str] = [name for name in DEMOGRAPHICS if name in present]
    if dimensions is not None:
        panels = list(dict.fromkeys([dimensions] if isinstance(dimensions, str) else map(str, dimensions)))
        if unknown := [str(name) for name in panels if name not in present]:
            known = ", ".join(sorted(map(repr, present))) or "none"
            raise InputError(f"The frame has no dimension {', '.join(map(repr, unknown))}. It has: {known}.")
    shown = shares[shares["dimension"].isin(panels) & shares["share"].notna()]
    shown = shown.assign(dimension=shown["dimension"].astype(str))
    panels = [name for name in panels if (shown["dimension"] == name).any()]
    if not panels:
        others = _listed(present) if dimensions is None and present.isdisjoint(DEMOGRAPHICS) else ""
        message = (
            f"The frame has no demographics but others ({others}); pass dimensions=… to draw them" if others else ""
        )
        return empty(
            message or "No demographics are known of these sites",
            footer_of(about) or "The frame has no such dimension",
        )
    parts = {name: _ordered(shown[shown["dimension"] == name], name, vocabulary, most) for name in panels}
    mixed = {is_inferred(name) for name in panels} == {True, False}
    leaders = [
        most_have for name in panels if (most_have := _leader(shown[shown["dimension"] == name], weight, tell=mixed))[0]
    ]
    sites = int(about.get("sites", shown["n"].max()))
    silent = bool((shown["n"] < sites).any())
    grid = _Grid.of(parts.values())
    widest = float(shown["share_high"].fillna(shown["share"]).max())
    figure, heads = Chart(), []
    for position, (name, drawn) in enumerate(parts.items()):
        _draw_panel(figure, drawn, grid.place(position, len(drawn)), widest, weight, longest=grid.longest)
        mine = shown[shown["dimension"] == name]
        left_out = f" ({len(drawn)} of {len(mine)})" if len(drawn) < len(mine) else ""
        left_out += f" · known of {counted(number, 'site')}" if (number := int(mine["n"].max())) < sites else ""
        said = escaped(printable(field_label(name))) + _INFERRED * (mixed and is_inferred(name))
        heads.append({"text": f"<b>{said}</b>{left_out}", **grid.head(position), "showarrow": False})
    given = [f"by {weight}"] * bool(weight) + ["as inferred"] * (not mixed and is_inferred(panels[0]))
    title = _sentence(leaders[:_MOST_SAID], given) if leaders else "No site has any of these"
    others = f" {_sentence(leaders[_MOST_SAID:], [])}." if len(leaders) > _MOST_SAID else ""
    level = f"lines: {about.get('level', _LEVEL) * 100:g} % intervals"
    several = "; a site can have several values" if weight else ", which can have several values"
    known = " of which it is known" if silent and not weight else ""
    bars = f"bars: share of {weight or 'sites'}{known}{several}"
    finish(
        figure,
        title,
        footer_of({**about, "sites": sites}, [inferred_among(panels), bars, level, f"by {weight}" if weight else ""]),
        grid.rows,
        alt=f"{title}.{others}",
        data=pd.concat(parts.values())[drawn_columns(_COLUMNS, weight)],
    )
    figure.update_layout(annotations=heads, showlegend=False, margin={"l": 12, "r": 20, "b": 16})
    return figure


class _Grid(NamedTuple):
    """Where panels stand: so many beside each other, with names of so many characters beside the bars.

    `lines` has of each line of panels the bars of its largest, so that all bars of a picture are as thick.
    """

    across: int
    lines: tuple[int, ...]
    longest: int
    names: float

    @classmethod
    def of(cls, parts: Collection[pd.DataFrame]) -> _Grid:
        """Return the layout in which the names of these panels are whole."""
        said = [_said(row) for part in parts for row in part.to_dict("records")]
        across, longest, names = _LAYOUTS[max(map(len, said)) > _LAYOUTS[0][1]]
        sizes = [len(part) for part in parts]
        lines = tuple(max(sizes[first : first + across]) for first in range(0, len(sizes), across))
        return cls(min(len(parts), across), lines, longest, names)

    @property
    def rows(self) -> float:
        """The height of all lines of panels, in rows of a picture."""
        return sum(map(self._height, self.lines))

    def _height(self, bars: int) -> float:
        return _HEAD_ROWS + self._bar * bars

    @property
    def _bar(self) -> float:
        return _BAR_ROWS * (1 + _TWO_LINES * (self.longest > _WRAPPED))

    def place(self, position: int, bars: int) -> tuple[list[float], list[float]]:
        """Return the part of the figure's width and height that the bars of a panel fill."""
        left, top = self._corner(position)
        right, first = left + 1 / self.across - _GAP, top - _NAME_ROWS / self.rows
        # The names stand left of the bars; in a wider panel, they need a smaller part of it.
        return [left + self.names, right], [first - self._bar * bars / self.rows, first]

    def head(self, position: int) -> dict[str, Any]:
        """Return where the name of a panel stands."""
        left, top = self._corner(position)
        return {"x": left, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top"}

    def _corner(self, position: int) -> tuple[float, float]:
        row, column = divmod(position, self.across)
        return column / self.across, 1 - sum(map(self._height, self.lines[:row])) / self.rows


def _draw_panel(
    figure: go.Figure,
    drawn: pd.DataFrame,
    place: tuple[list[float], list[float]],
    widest: float,
    weight: str,
    *,
    longest: int,
) -> None:
    number = len(figure.data) // 2 + 1
    axis = "" if number == 1 else str(number)
    rows = drawn.to_dict("records")
    names = distinct([(row["code"], [shortened(_said(row), longest), f"{_said(row)} ({row['code']})"]) for row in rows])
    # Escapes have no spaces, so that no line ends within one.
    names = ["<br>".join(textwrap.wrap(name, _WRAPPED, break_long_words=False)) for name in names]
    figure.add_bar(
        x=drawn["share"].tolist(),
        y=list(range(len(drawn))),
        orientation="h",
        marker={"color": colours.PALETTE[4], "line": {"color": colours.EDGE, "width": 0.75}},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": (drawn["share_high"] - drawn["share"]).clip(lower=0).tolist(),
            "arrayminus": (drawn["share"] - drawn["share_low"]).clip(lower=0).tolist(),
            **INTERVAL,
        },
        hovertext=[_hover(row, weight) for row in rows],
        hovertemplate="%{hovertext}<extra></extra>",
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
    )
    figure.add_scatter(
        x=drawn["share_high"].fillna(drawn["share"]).tolist(),
        y=list(range(len(drawn))),
        mode="text",
        text=[f" {_part(row, weight)}" for row in rows],
        textposition="middle right",
        textfont={"size": 11},
        cliponaxis=False,
        hoverinfo="skip",
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
    )
    figure.update_layout(
        {
            f"xaxis{axis}": {
                "domain": place[0],
                "anchor": f"y{axis}",
                "range": [0, widest * _ROOM],
                "showticklabels": False,
                "showgrid": False,
                "zeroline": True,
            },
            f"yaxis{axis}": {
                "domain": place[1],
                "anchor": f"x{axis}",
                "range": [len(drawn) - 0.5, -0.5],
                "tickvals": list(range(len(drawn))),
                "ticktext": names,
                "tickfont": {"size": 11},
                "showgrid": False,
                "zeroline": False,
                "automargin": False,
            },
        }
    )


def _ordered(shown: pd.DataFrame, dimension: str, vocabulary: Vocabulary | None, most: int) -> pd.DataFrame:
    """Return the codes with the largest shares: a scale in its order, others by share."""
    kept = shown.sort_values(["share", "code"], ascending=[False, True]).head(most)
    values = list(vocabulary.values.get(dimension, ())) if vocabulary is not None else _SCALES.get(dimension, ())
    if dimension not in ORDERED_FIELDS:
        return kept
    place = {str(code): position for position, code in enumerate(values)}
    places = [
        (place.get(str(code), len(place)), _first_number(str(code)), -share)
        for code, share in zip(kept["code"], kept["share"], strict=True)
    ]
    return kept.iloc[sorted(range(len(kept)), key=places.__getitem__)]


def _listed(dimensions: Iterable[str]) -> str:
    """Return the names of dimensions, the first few of many."""
    names = [shortened(printable(name), _LONGEST_SAID) for name in sorted(dimensions)]
    more = len(names) - _MOST_SAID
    return ", ".join(names[:_MOST_SAID]) + (f" and {more} more" if more > 0 else "")


def _first_number(code: str) -> int:
    found = _NUMBER.search(code)
    return int(found[0]) if found else 0


def _sentence(leaders: Sequence[tuple[str, str]], given: Sequence[str]) -> str:
    """Say what is most often so, of each dimension, and under what condition.

    >>> _sentence([("age", "25 to 34 (50 %)"), ("gender", "mostly men (40 %)")], ["as inferred"])
    'As inferred, age is most often 25 to 34 (50 %), and gender mostly men (40 %)'
    """
    (first, value), *others = leaders
    parts = [*given, f"{first} is most often {value}", *(f"{name} {said}" for name, said in others)]
    if others:
        parts[-1] = f"and {parts[-1]}"
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}"


def _leader(shown: pd.DataFrame, weight: str, *, tell: bool) -> tuple[str, str]:
    """Return a dimension, and which value the most sites have, with those that as many have; none if no site has any.

    It says so of what is inferred, where others are not.
    """
    ordered = shown.sort_values(["share", "code"], ascending=[False, True])
    best = ordered.iloc[0]
    if not best["share"]:
        return "", ""
    dimension = str(best["dimension"])
    spoken = printable(field_label(dimension)).lower()
    spoken += _INFERRED * (tell and is_inferred(dimension))
    rows = ordered.loc[ordered["share"] == best["share"], ["code", "label"]].itertuples(index=False, name=None)
    tied = [shortened(printable(value_in_words(dimension, str(code), label)), _LONGEST_SAID) for code, label in rows]
    return spoken, f"{alike(tied)} ({_part(best, weight)})"


def _part(row: Mapping[Hashable, Any] | pd.Series, weight: str) -> str:
    """Return the number of a bar: of few sites the count, else the share."""
    return percent(float(row["share"])) if weight else of_sites(row["with_code"], row["n"], float(row["share"]))


def _said(row: Mapping[Hashable, Any] | pd.Series) -> str:
    label, code = row["label"], str(row["code"])
    has_own = isinstance(label, str) and label not in {"", code}
    said = value_words(str(row["dimension"]), code, label) if has_own else code
    return shortened(printable(said), _LONGEST_SAID)


def _hover(row: Mapping[Hashable, Any], weight: str) -> str:
    low, high = percent(row["share_low"]), percent(row["share_high"])
    of = f" of {escaped(weight)}" if weight else ""
    counts = f"{int(row['with_code'])} of {int(row['n'])} sites"
    return f"<b>{escaped(_said(row))}</b><br>{percent(row['share'])}{of} ({low} to {high})<br>{counts}"
