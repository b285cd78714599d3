"""The profile of the list: of each thing that the answers tell how many sites have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.findings.insights.tautologies import OWN
from toolkit.reports.contents import Column, Part, Table
from toolkit.reports.headings import heading_of
from toolkit.reports.parts.pictures import bars
from toolkit.reports.view import is_inferred
from toolkit.reports.words import clean, listing

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from toolkit.reports.contents import Basis
    from toolkit.reports.view import View

    Integers = NDArray[np.int64]

__all__ = ["profile", "ties"]

#: What is told, in order; the others say little that these do not.
_TOLD: Final = (
    "content-v3",
    "audience_type",
    "age_bracket",
    "gender_skew",
    "income_level",
    "life_stage",
    "interest_group",
    "purchase_intent",
    "persona",
    "content_type",
    "price_signals",
    "business_model",
    "company industry",
    "country",
    "technology",
)
#: What a reader asks for first; the others stand in the appendix, as do those in which hardly two sites are alike.
_FIRST: Final = (
    "content-v3",
    "audience_type",
    "age_bracket",
    "gender_skew",
    "income_level",
    "interest_group",
    "persona",
    "content_type",
    "business_model",
)
_HARDLY: Final = 0.1
#: So many values lead together and are named in a title.
_TOGETHER: Final = 3
#: Of how many sites something must be told, to be worth a picture.
_FEWEST: Final = 2
_READ: Final = "Read on the pages."
_KNOWN: Final = "General knowledge of the readers of such subjects; nobody counted them."
_SOURCES: Final = {
    "technology": "Only what shows in a page's source is recognised: at least so many.",
    **dict.fromkeys(("business_model", "company industry", "country"), "Of the companies behind the sites."),
}


def profile(view: View, told: Collection[str] = ()) -> tuple[Part, ...]:
    """Return a part for each dimension that tells something, but for those that are `told` already."""
    names = [name for name in _dimensions(view) if name not in told]
    if view.n == 1:
        return _of_one(view, names)
    return tuple(_part(view, name, places) for name in names if len(places := _some(view, name)))


def ties(view: View) -> tuple[str, ...]:
    """Return what the values are called of which none leads, each with how many sites have the most frequent ones."""
    if view.n == 1:
        return ()
    said = []
    for name in _dimensions(view):
        if len(places := _some(view, name)):
            first, most, n = _leading(view, places)
            if first > 1 and n > most:
                heading = clean(heading_of(name)).lower()
                said.append(f"{heading} ({most:,} of {n:,} sites have each of the most frequent)")
    return tuple(said)


def _dimensions(view: View) -> list[str]:
    """Return what may be told, but for what the groups are made of."""
    # What a user wrote beside one site is known to whoever wrote it.
    given = view.known.codes["dimension"].unique() if view.n > 1 else ()
    own = [name for name in given if str(name).startswith(OWN)]
    compared = "" if view.grouping is None else view.grouping.dimension
    return [str(name) for name in (*_TOLD, *own) if name != compared]


def _some(view: View, dimension: str) -> Integers:
    """Return the values that are told of a dimension: none where no two sites have one."""
    places = _values(view, dimension)
    return places if view.has[:, places].sum(axis=0).max(initial=0) >= _FEWEST else places[:0]


def _values(view: View, dimension: str) -> Integers:
    return view.tops() if dimension == "content-v3" else view.places(dimension)


def _leading(view: View, places: Integers) -> tuple[int, int, int]:
    """Return how many values lead, how many sites have each of these, and of how many sites it is known."""
    count = view.has[:, places].sum(axis=0)
    return int((count == count.max()).sum()), int(count.max()), int(view.telling(places).sum())


def _of_one(view: View, dimensions: Sequence[str]) -> tuple[Part, ...]:
    """Return what is known of one site as a table: of one, every bar is as long as the picture."""
    rows = [
        (clean(heading_of(name)), listing(view.labels(view.ordered(places))), _basis_of(name))
        for name in dimensions
        if len(places := _values(view, name))
    ]
    if not rows:
        return ()
    columns = (Column("what", "What"), Column("value", "Value"), Column("basis", "Measured or inferred"))
    frame = pd.DataFrame(rows, columns=[column.name for column in columns])
    site = clean(str(view.known.sites[0]))
    return (
        Part(
            "profile",
            "Profile",
            f"What is known of {site}.",
            (f"Inferred: {_KNOWN[:1].lower()}{_KNOWN[1:]}",) if frame["basis"].eq("inferred").any() else (),
            None,
            Table(f"What is known of {site}, a row a field", frame, columns),
            (),
            view.footer,
        ),
    )


def _basis_of(dimension: str) -> Basis:
    return "inferred" if is_inferred(dimension) else "measured"


def _part(view: View, dimension: str, places: Integers) -> Part:
    (first, most, n), total = _leading(view, places), view.n
    heading = heading_of(dimension)
    is_tie = first > 1 and n > most
    # Of a few that lead together each is told; of more, none is worth a claim.
    title = view.sentence(places)
    if is_tie and first > _TOGETHER:
        title = f"{heading}: {len(places):,} different values, none on more than {most:,} of {n:,} sites."
    # The sentence is about what is there, and so is the picture's emphasis.
    leading = view.leading(places)
    often = view.has[:, leading].sum(axis=0)
    chart, table = bars(view, places, heading, title, leading[often == often[0]].tolist())
    drawn = len(chart.frame)
    beyond = f"Drawn are the {drawn} most frequent of {len(places):,}." if len(places) > drawn else ""
    source = "" if dimension.startswith(OWN) else _KNOWN if is_inferred(dimension) else _SOURCES.get(dimension, _READ)
    silent = total - n
    absent = [place for place in view.ordered(places) if place not in leading]
    lacking = [f"{int(view.has[:, place].sum()):,} of {n:,} sites {view.doing(int(place))}." for place in absent]
    nothing = f"Not known of {silent:,} of the {total:,} sites." if silent else ""
    several = "A site can have several." if (view.has[:, places].sum(axis=1) > 1).any() else ""
    # Who chooses a group sees it differ; that nothing is said of it as a difference has this reason.
    made = "That the groups differ in it follows from how they were made." if dimension in view.left_out else ""
    order = view.ordered(places)
    return Part(
        "profile",
        clean(heading),
        title,
        (source, *map(clean, lacking), several, nothing, made, beyond),
        chart,
        table,
        (
            f"Most frequent: {listing(view.labels(order[:3]))}.",
            "A site can have several, or none, so that the shares need not add up to 100 %.",
            "The lines are 95 % intervals (Wilson).",
        ),
        view.footer + (f" · {n:,} sites tell" if n != total else ""),
        basis=_basis_of(dimension),
        is_appendix=is_tie or dimension not in _FIRST or most < _HARDLY * total,
        is_null=is_tie,
    )
