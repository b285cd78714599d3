"""How far the answers of a report go: how sure they are, and which sites gave them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit import charts
from toolkit.charts.template import footer_of
from toolkit.charts.wording import is_inferred
from toolkit.findings.shares import confidence_bands, empty_blocks
from toolkit.frames.about import answered, site_of
from toolkit.frames.schemas import LEVELS
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import counted
from toolkit.reports.contents import Chart, Column, Section, Series, Table
from toolkit.reports.frames import TAXONOMY
from toolkit.reports.pictures import picture_of
from toolkit.reports.words import listing, lowered, of_sites, said, verb

if TYPE_CHECKING:
    from toolkit.reports.frames import Frames

__all__ = ["answered_sites", "quality"]

_BANDS: Final = (("high", "high"), ("medium", "medium"), ("low", "low"), ("", "not stated"))
#: From sure to unsure also in grey print.
_SHADES: Final = ("084594", "4292C6", "9ECAE1", "D9D9D9")
_BLOCKS: Final = {
    "demographics": "demographics",
    "b2b": "business audience",
    "content_context": "kind of content",
    "interests": "interests",
    "purchase_intent": "purchase intent",
    "personas": "personas",
}
_MOST: Final = 0.5
_NATURAL: Final = "A site for consumers has no business audience by nature, so its answer lacks nothing there."
#: What the list of sites says of each.
_TOLD: Final = {
    "audience_type": "Audience (inferred)",
    "category": "Main content category",
    "income_level": "Income (inferred)",
}
#: Sites that a page lists; a workbook has them all.
_LISTED: Final = 200


def quality(frames: Frames) -> Section | None:
    """Say how sure the service is, and how much is missing."""
    codes = frames.get("codes")
    if codes is None:
        return None
    bands, empty = confidence_bands(codes), empty_blocks(codes, sites=frames.counted("codes"))
    if bands.empty:
        return None
    wide = _wide(bands)
    # What nobody counted has no headline on how sure it is.
    measured = wide[~wide["inferred"]]
    missing = empty[empty["empty"] > 0].sort_values(["share", "block"], ascending=[False, True], kind="stable")
    gaps = [f"{_BLOCKS.get(row['block'], row['block'])} {of_sites(row, 'empty')}" for _, row in missing.iterrows()]
    silent = f"Answers without anything to say: {listing(gaps)}." if gaps else "No answer lacks a block."
    stated = wide[wide["not stated"] < 1]
    picture = picture_of(charts.confidence_distribution(bands))
    sure = ""
    # What is on one site each leads nothing.
    several = measured[(measured["not stated"] < 1) & (measured["n"] > 1)]
    if len(several) > 1:
        best, worst = (several.sort_values("high", kind="stable", ascending=way).iloc[0] for way in (False, True))
        sure = (
            f"The service is most often highly sure of {lowered(best['kind'])} ({said(best['high'], 'percent')} of the "
            f"sites that have it) and least often of {lowered(worst['kind'])} ({said(worst['high'], 'percent')})."
        )
    return Section(
        "How sure this is",
        _surely(measured[measured["not stated"] < 1], int(empty["n"].iloc[0])),
        (
            sure,
            _INFERRED if wide["inferred"].any() else "",
            _answers(frames.about, int(empty["n"].iloc[0])),
            f"{silent} {_NATURAL}" if (missing["block"] == "b2b").any() else silent,
        ),
        Table(
            "How sure the service is of each kind: share of the sites that have it, by the confidence it states",
            wide,
            (Column("kind", "Kind"), *(Column(name, name.capitalize(), "percent") for _, name in _BANDS), _OF),
            most=30,
        ),
        Chart(
            "stacked",
            picture.alt,
            wide if stated.empty else stated,
            "kind",
            tuple(
                Series(name, f"{name} confidence" if key else name, color=color)
                for (key, name), color in zip(_BANDS, _SHADES, strict=True)
            ),
            "Share of the sites that have it",
        ),
        picture.figure,
        ("Personas and some other kinds come without a stated confidence.",) if len(stated) < len(wide) else (),
        footer_of(bands.attrs["about"]),
        picture.footer,
    )


_INFERRED: Final = (
    "What is inferred of readers has a confidence, too: it says how much the pages gave to go by, not that anybody "
    "counted the readers."
)
_UNSURE: Final = "The service seldom states high confidence"


def _surely(stated: pd.DataFrame, n: int) -> str:
    """Return of how many kinds the service is highly sure on most sites: those whose bars are more than half dark."""
    kinds, sure = len(stated), int((stated["high"] > _MOST).sum()) if len(stated) else 0
    if not kinds:
        return "The service does not state how sure it is of what it measures"
    on = verb(n, "", " on most sites")
    if kinds == 1:
        return f"The service states high confidence{on} for the one kind of measured answers" if sure else _UNSURE
    of = {0: f"none of the {kinds}", kinds: f"all {kinds}"}.get(sure, f"{sure} of {kinds}")
    return f"The service states high confidence{on} for {of} kinds of measured answers"


def _answers(known: dict[str, Any], n: int) -> str:
    """Return how many sites gave an answer, and of how many the audience is known."""
    good, failed = known["sites"], known["failed"]
    if failed:
        words = f"Of {counted(good + failed, 'site')}, {failed:,} gave no answer"
    else:
        words = verb(good, "The one site gave an answer", f"All {good:,} sites gave an answer")
    # Sites of which only other questions were answered do not tell their audience.
    return f"{words}." if n == good else f"{words}; the audience of {n:,} is known."


_OF: Final = Column("n", "Sites", "whole")


def _wide(bands: pd.DataFrame) -> pd.DataFrame:
    """Return one row a dimension, with the share of each band."""
    rows: list[dict[str, Any]] = []
    for dimension, part in bands.groupby("dimension", sort=False, observed=True):
        shares_of = {
            "" if pd.isna(band) else str(band): share
            for band, share in zip(part["confidence"], part["share"], strict=True)
        }
        row = {name: float(shares_of.get(key, 0.0)) for key, name in _BANDS}
        inferred = is_inferred(dimension)
        kind = words_of_code(str(dimension)) + " (inferred)" * inferred
        rows.append({"kind": kind, **row, "n": int(part["n"].iloc[0]), "inferred": inferred})
    return pd.DataFrame(rows)


def answered_sites(frames: Frames) -> Table:
    """Return the list of the sites that gave an answer, with what each one is in short."""
    sites = pd.Index(sorted(frames.good), dtype="str")
    told: dict[str, pd.Series] = {}
    codes, categories = frames.get("codes"), frames.get("categories")
    if codes is not None:
        good = answered(codes)
        good = good.assign(site=site_of(good), words=good["label"].where(good["label"].notna(), good["code"]))
        told = {name: _by_site(good[good["dimension"] == name]) for name in _TOLD if name != "category"}
    if categories is not None:
        rows = answered(categories[categories["taxonomy"] == TAXONOMY])
        rows = rows.assign(site=site_of(rows)).sort_values(["site", "rank", "id"], kind="stable")
        rows = rows.drop_duplicates("site").set_index("site")[list(LEVELS)]
        paths = [" > ".join(str(name) for name in path if pd.notna(name)) for path in rows.to_numpy()]
        told["category"] = pd.Series(paths, index=rows.index, dtype="str")
    there = [name for name in _TOLD if name in told]
    frame = pd.DataFrame({"site": sites, **{name: told[name].reindex(sites).array for name in there}})
    columns = (Column("site", "Site"), *(Column(name, _TOLD[name]) for name in there))
    words = listing([_TOLD[name].lower() for name in there])
    return Table(f"Sites with an answer{f': {words} of each' if words else ''}", frame, columns, most=_LISTED)


def _by_site(rows: pd.DataFrame) -> pd.Series:
    """Return the words of each site; of one that was asked about twice, both where they differ."""
    pairs = rows[["site", "words"]].drop_duplicates().sort_values(["site", "words"], kind="stable")
    if not pairs["site"].duplicated().any():
        return pairs.set_index("site")["words"]
    return pairs.groupby("site", sort=True)["words"].agg(lambda words: listing(list(words)))
