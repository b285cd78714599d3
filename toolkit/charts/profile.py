"""Who the sites speak to: a card with a small chart for each demographic dimension."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import plotly.graph_objects as go

from toolkit.charts.comparison import check_most
from toolkit.charts.template import PALETTE, check_columns, counted, empty, finish, footer_of
from toolkit.charts.wording import percent, plain_names
from toolkit.display import printable, shortened
from toolkit.errors import InputError
from toolkit.labels import escaped

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import pandas as pd

    from toolkit.vocabulary import Vocabulary

__all__ = ["profile_card"]

_COLUMNS: Final = ("dimension", "code", "label", "n", "with_code", "share", "share_low", "share_high")
_DIMENSIONS: Final = (
    "age_bracket",
    "gender_skew",
    "income_level",
    "education_level",
    "household_composition",
    "life_stage",
    "employment_status",
    "home_ownership",
    "urbanicity",
)
#: Scales, lowest first, in words that any vocabulary may use; ages stand by their first number.
_SCALES: Final = {
    "gender_skew": ("strong_male", "lean_male", "balanced", "neutral", "mixed", "lean_female", "strong_female"),
    "income_level": ("low", "lower", "lower_middle", "middle", "upper_middle", "upper", "high", "affluent", "very_high"),
    "education_level": (
        "none",
        "primary",
        "secondary",
        "high_school",
        "vocational",
        "some_college",
        "associate",
        "bachelor",
        "graduate",
        "master",
        "postgraduate",
        "doctorate",
    ),
}
_ACROSS: Final = 3
_LONGEST: Final = 24
_LABELS: Final = 0.155
_GAP: Final = 0.02
#: Of a panel's part of the height, what its name takes.
_HEAD: Final = 0.2
_MOST_SAID: Final = 3


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
        As `toolkit.shares.shares` returns it.
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
        Bars of the share of sites with their intervals, all panels to the same scale.

    Raises
    ------
    InputError
        If the frame has no shares, or not a dimension that is asked for.
    """
    check_columns(shares, _COLUMNS, "shares")
    check_most(most)
    about = shares.attrs.get("about", {})
    present = set(shares["dimension"].astype(str))
    panels = [name for name in _DIMENSIONS if name in present]
    if dimensions is not None:
        panels = list(dict.fromkeys([dimensions] if isinstance(dimensions, str) else dimensions))
        if unknown := [str(name) for name in panels if name not in present]:
            known = ", ".join(sorted(map(repr, present))) or "none"
            raise InputError(f"The frame has no dimension {', '.join(map(repr, unknown))}. It has: {known}.")
    shown = shares[shares["dimension"].isin(panels) & shares["share"].notna()]
    shown = shown.assign(dimension=shown["dimension"].astype(str))
    panels = [name for name in panels if (shown["dimension"] == name).any()]
    if not panels:
        return empty("No demographics are known of these sites", footer_of(about) or "The frame has no such dimension")
    figure = go.Figure()
    down = math.ceil(len(panels) / _ACROSS)
    across = min(len(panels), _ACROSS)
    widest = float(shown["share_high"].fillna(shown["share"]).max())
    leaders: list[str] = []
    parts: list[pd.DataFrame] = []
    for position, dimension in enumerate(panels):
        every = shown[shown["dimension"] == dimension].sort_values(["share", "code"], ascending=[False, True])
        leaders.append(f"{_said(every.iloc[0])} ({percent(float(every.iloc[0]['share']))})")
        drawn = _ordered(every.head(most), dimension, vocabulary)
        parts.append(drawn)
        place = _Place(position, across, down)
        _draw_panel(figure, drawn, place, widest)
        left_out = f" ({len(drawn)} of {len(every)})" if len(drawn) < len(every) else ""
        figure.add_annotation(
            text=f"<b>{escaped(dimension.replace('_', ' ').capitalize())}</b>{left_out}",
            x=place.left,
            y=place.top,
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="top",
            showarrow=False,
        )
    more = len(leaders) - _MOST_SAID
    title = f"Most common: {_joined(leaders[:_MOST_SAID])}"
    data = pd_concat(parts)
    finish(
        figure,
        title,
        footer_of(
            about if about.get("sites") is not None else {**about, "sites": int(shown["n"].max())},
            ["share of sites; a site can have several values", f"lines: {about.get('level', 0.95) * 100:g} % intervals"],
        ),
        down * (min(most, max(map(len, parts))) * 0.85 + 1.2),
        alt=f"{title}." + (f" Also {_joined(leaders[_MOST_SAID:])}." if more > 0 else ""),
        data=data[[name for name in (*_COLUMNS[:3], "parent", *_COLUMNS[3:]) if name in data.columns]],
    )
    figure.update_layout(showlegend=False, margin={"l": 12, "r": 20, "b": 16})
    return figure
