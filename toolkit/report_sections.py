"""The findings of a report about all sites together: whom they speak to, what these want, how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit import charts
from toolkit.charts.template import footer_of
from toolkit.display import counted
from toolkit.filters_document import words_of_code
from toolkit.links import persona_links
from toolkit.report_contents import Chart, Column, Section, Series, Table
from toolkit.report_texts import clean, said
from toolkit.report_words import MOST_TIES, leaders, listing, lowered, of_sites, picture_of, together, verb
from toolkit.schemas import CODED, DEMOGRAPHICS
from toolkit.shares import confidence_bands, empty_blocks, shares, technology_shares

if TYPE_CHECKING:
    from toolkit.report_methods import Frames

__all__ = ["interests", "personas", "profile", "quality", "share_columns", "technologies"]

_WHO: Final = ("audience_type", *DEMOGRAPHICS)
#: What a sentence on the typical audience names.
_TYPICAL: Final = ("audience_type", "age_bracket", "income_level", "urbanicity")
_TYPICAL_MOST: Final = 3
_KINDS: Final = {"interest_group": "group of interests", "interest": "interest", "purchase_intent": "purchase intent"}
_BARS: Final = 10
#: Type size of names beside a flow, and the room for them, in pixels.
_NAME_SIZE: Final = 14
_NAMES: Final = 290
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


def share_columns(name: str, heading: str, count: str = "with_code") -> tuple[Column, ...]:
    """Return the columns of a table of shares, of which the first names the row."""
    share = Column("share", "Share of sites", "percent", "share_low", "share_high")
    return (Column(name, heading), share, Column(count, "Sites", "whole"), Column("n", "of", "whole"))


def profile(frames: Frames) -> Section | None:
    """Say whom the sites speak to, by demographics."""
    codes = frames.get("codes")
    if codes is None:
        return None
    found = shares(codes, dimensions=_WHO, sites=frames.counted("codes"))
    if found.empty:
        return None
    found = _named(found)
    first = found.drop_duplicates("dimension").set_index("dimension", drop=False)
    order = [name for name in _WHO if name in first.index]
    typical = [name for name in _TYPICAL if name in first.index][:_TYPICAL_MOST] or order[:_TYPICAL_MOST]
    picture = picture_of(charts.profile_card(found[found["dimension"] != "audience_type"]))
    n = int(found["n"].iloc[0])
    alike = [_alike(found[found["dimension"] == name]) for name in typical]
    named = [row for rows in alike for _, row in rows.head(MOST_TIES).iterrows()]
    words = [f"{row['label']}: {of_sites(row)}." for row in named]
    typical_words = "; ".join(together(rows["label"].tolist()) for rows in alike)
    top = first.loc[order]
    return Section(
        "Who the audience is",
        f"{verb(n, 'The audience of the one site', 'Most often')}: {typical_words}",
        (
            (
                f"The service read {counted(n, 'site')} and described whom {verb(n, 'it', 'each')} speaks to. "
                f"{' '.join(words)}"
            ),
            _CLOSE if n > 1 and len(named) > len(alike) else "",
            (
                "The shares are of sites, not of people. A site can have several age brackets and life stages, and "
                "none of a kind where its pages do not tell, so the shares of a kind need not add up to 100 %."
            ),
        ),
        Table(
            "Whom the sites speak to: share of sites with each value, with its 95 % interval",
            found,
            (Column("kind", "Kind"), *share_columns("label", "Value")),
            most=30,
        ),
        Chart(
            "bars",
            f"Bars of the most common value of each kind, as shares of {counted(n, 'site')}. {picture.alt}",
            top.assign(bar=top["kind"] + ": " + top["label"]),
            "bar",
            (Series("share", "Share of sites", "share_low", "share_high"),),
            "Most common value of each kind: share of sites, with 95 % interval",
        ),
        picture.figure,
        (),
        footer_of(found.attrs["about"]),
        picture.footer,
    )


_CLOSE: Final = "Values of a kind that are named together are so close that any of them may be the most common one."


def _alike(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the most common value of a kind, and those of which each one's interval holds the other's share."""
    first = rows.iloc[0]
    alike: pd.DataFrame = rows[(rows["share"] >= first["share_low"]) & (rows["share_high"] >= first["share"])]
    return alike


def interests(frames: Frames) -> Section | None:
    """Say which interests and purchase intents most sites share."""
    codes = frames.get("codes")
    if codes is None:
        return None
    found = shares(codes, dimensions=CODED, sites=frames.counted("codes"))
    if found.empty:
        return None
    found = _named(found).sort_values(["with_code", "kind", "label"], ascending=[False, True, True], kind="stable")
    leading = {name: rows for name, rows in found.groupby("dimension", sort=False, observed=True) if len(rows)}
    chosen = [name for name in ("interest_group", "purchase_intent", "interest") if name in leading]
    main = leading[chosen[0]]
    who, several = leaders(main["label"].tolist(), main["with_code"].tolist())
    kinds = "purchase intents" if chosen[0] == "purchase_intent" else "interests"
    picture = picture_of(charts.profile_card(found, dimensions=[name for name in CODED if name in leading], most=8))
    sentences = []
    for name in chosen:
        rows = leading[name]
        words, many = leaders(rows["label"].tolist(), rows["with_code"].tolist())
        kind = f"{_KINDS[name]}{'s' * many}" if name != "interest_group" else f"group{'s' * many} of interests"
        sentences.append(f"The most common {kind}: {words}, {of_sites(rows.iloc[0])}{' each' * many}.")
    silent = int((found["with_code"] == 1).sum())
    single = ""
    if silent and int(main["n"].iloc[0]) > 1:
        single = f", {silent:,} of them on a single site only: the order of such small numbers says little"
    top = found[found["dimension"] != "interest_group"].head(_BARS) if len(leading) > 1 else found.head(_BARS)
    return Section(
        "Interests and purchase intent",
        f"{who} {'lead' if several else 'leads'} the {kinds}, with {said(main['with_code'].iloc[0], 'whole')} of "
        f"{counted(int(main['n'].iloc[0]), 'site')}{' each' * several}",
        (
            " ".join(sentences),
            f"{counted(len(found), 'code')} {verb(len(found), 'was', 'were')} found in all{single}.",
        ),
        Table(
            "Interests and purchase intents by the share of sites that have them, with its 95 % interval",
            found,
            (
                *share_columns("label", "Interest or intent"),
                Column("kind", "Kind"),
                Column("code", "Code", is_detail=True),
            ),
        ),
        Chart(
            "bars",
            f"Bars of the interests and purchase intents that most sites share. {picture.alt}",
            top,
            "label",
            (Series("share", "Share of sites", "share_low", "share_high"),),
            "Share of sites, with 95 % interval",
        ),
        picture.figure,
        (),
        footer_of(found.attrs["about"]),
        picture.footer,
    )


def personas(frames: Frames) -> Section | None:
    """Say which personas the sites have, and with what content they go."""
    codes, categories = frames.get("codes"), frames.get("categories")
    if codes is None:
        return None
    found = shares(codes, dimensions="persona", sites=frames.counted("codes"))
    if found.empty:
        return None
    found = _named(found)
    who, several = leaders(found["label"].tolist(), found["with_code"].tolist())
    links = None if categories is None else persona_links(codes, categories)
    flow = None if links is None or links.empty else picture_of(charts.persona_flow(links))
    if flow is not None:
        # On a slide the picture is smaller than on a page, and its names must still be read.
        flow.figure.update_annotations(font_size=_NAME_SIZE).update_layout(margin={"l": _NAMES, "r": _NAMES})
    words = [
        (
            f"{counted(len(found), 'persona')} {verb(len(found), 'was', 'were')} found on "
            f"{counted(int(found['n'].iloc[0]), 'site')}. The most common: {who}, "
            f"{of_sites(found.iloc[0])}{' each' * several}."
        )
    ]
    if links is not None and not links.empty:
        link = links.iloc[0]
        words.append(
            f"Personas follow the content: {clean(link['persona'])} go with {clean(link['category'])} on "
            f"{counted(int(link['sites']), 'site')}."
        )
    bars = f"Bars of the most common personas: {who} first."
    return Section(
        "Personas",
        f"{who} {'are the personas' if several else 'is the persona'} found most often, on "
        f"{said(found['with_code'].iloc[0], 'whole')} of {counted(int(found['n'].iloc[0]), 'site')}{' each' * several}",
        tuple(words),
        Table(
            "Personas by the share of sites that have them, with its 95 % interval",
            found,
            (*share_columns("label", "Persona"), Column("parent", "Mapped from")),
        ),
        Chart(
            "bars",
            flow.alt if flow else bars,
            found.head(_BARS),
            "label",
            (Series("share", "Share of sites", "share_low", "share_high"),),
            "Share of sites, with 95 % interval",
            picture=flow is not None,
            own_alt=bars,
        ),
        flow.figure if flow else None,
        ("A site can have several personas.",),
        footer_of(found.attrs["about"]),
        flow.footer if flow else "",
    )


def technologies(frames: Frames) -> Section | None:
    """Say which technologies the sites use."""
    used = frames.get("technologies")
    if used is None:
        return None
    found = technology_shares(used, sites=frames.counted("technologies"))
    if found.empty:
        return None
    found = found.assign(category=found["category"].fillna("not stated"))
    who, several = leaders(found["technology"].tolist(), found["with_technology"].tolist())
    picture = picture_of(charts.technologies(found))
    n = int(found["n"].iloc[0])
    return Section(
        "Technologies",
        f"{who} {'are' if several else 'is'} the technolog{'ies' if several else 'y'} seen most often, on "
        f"{said(found['with_technology'].iloc[0], 'whole')} of {counted(n, 'site')}{' each' * several}",
        (
            (
                f"{counted(len(found), 'technology', 'technologies')} {verb(len(found), 'was', 'were')} recognised on "
                f"{counted(n, 'site')}. {who}: {of_sites(found.iloc[0], 'with_technology')}{' each' * several}."
            ),
            "Only what shows in a page's source is recognised, so a share is what is at least there.",
        ),
        Table(
            "Technologies by the share of sites that use them, with its 95 % interval",
            found,
            (*share_columns("technology", "Technology", "with_technology"), Column("category", "Category")),
        ),
        Chart(
            "bars",
            picture.alt,
            found.head(_BARS),
            "technology",
            (Series("share", "Share of sites", "share_low", "share_high"),),
            "Share of sites, with 95 % interval",
        ),
        picture.figure,
        (),
        footer_of(found.attrs["about"]),
        picture.footer,
    )


def quality(frames: Frames) -> Section | None:
    """Say how sure the service is, and how much is missing."""
    codes = frames.get("codes")
    if codes is None:
        return None
    bands, empty = confidence_bands(codes), empty_blocks(codes, sites=frames.counted("codes"))
    if bands.empty:
        return None
    wide = _wide(bands)
    missing = empty[empty["empty"] > 0].sort_values(["share", "block"], ascending=[False, True], kind="stable")
    gaps = [f"{_BLOCKS.get(row['block'], row['block'])} {of_sites(row, 'empty')}" for _, row in missing.iterrows()]
    stated = wide[wide["not stated"] < 1]
    picture = picture_of(charts.confidence_distribution(bands))
    sure = ""
    if len(stated) > 1:
        best, worst = (stated.sort_values("high", kind="stable", ascending=way).iloc[0] for way in (False, True))
        sure = (
            f"The service is most often highly sure of {lowered(best['kind'])} ({said(best['high'], 'percent')} of the "
            f"sites that have it) and least often of {lowered(worst['kind'])} ({said(worst['high'], 'percent')})."
        )
    return Section(
        "How sure this is",
        _answered(frames.about, None if missing.empty else missing.iloc[0]),
        (sure, f"Answers without anything to say: {listing(gaps)}." if gaps else "No answer lacks a block."),
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


def _answered(known: dict[str, Any], gap: Any) -> str:
    """Return how many sites gave an answer, and what most of these answers lack."""
    good, failed = known["sites"], known["failed"]
    if failed:
        title = f"Of {counted(good + failed, 'site')}, {failed:,} gave no answer"
    else:
        title = verb(good, "The one site gave an answer", f"All {good:,} sites gave an answer")
    if gap is None:
        return title
    about = _BLOCKS.get(gap["block"], gap["block"])
    if gap["n"] != good:
        # Sites of which only other questions were answered could not say it.
        one, many = "the one whose audience is known", f"the {gap['n']:,} whose audience is known"
    else:
        one, many = ("the other one", "the others") if failed else ("it", "them")
    if gap["n"] == 1:
        return f"{title}; {one} says nothing about {about}"
    return f"{title}; {said(gap['share'], 'percent')} of {many} say nothing about {about}"


_OF: Final = Column("n", "Sites", "whole")


def _named(found: pd.DataFrame) -> pd.DataFrame:
    """Return shares with words for dimensions, and for codes without a label."""
    named = found.assign(
        kind=[words_of_code(name) for name in found["dimension"].astype(str)],
        label=found["label"].where(found["label"].notna(), found["code"]),
    )
    named.attrs = dict(found.attrs)
    return named


def _wide(bands: pd.DataFrame) -> pd.DataFrame:
    """Return one row a dimension, with the share of each band."""
    rows: list[dict[str, Any]] = []
    for dimension, part in bands.groupby("dimension", sort=False, observed=True):
        shares_of = {
            "" if pd.isna(band) else str(band): share
            for band, share in zip(part["confidence"], part["share"], strict=True)
        }
        row = {name: float(shares_of.get(key, 0.0)) for key, name in _BANDS}
        rows.append({"kind": words_of_code(str(dimension)), **row, "n": int(part["n"].iloc[0])})
    return pd.DataFrame(rows)
