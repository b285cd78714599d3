"""The findings of a report about all sites together: whom they speak to, what these want, what the sites use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit import charts
from toolkit.charts.template import footer_of
from toolkit.charts.wording import inferred_among
from toolkit.findings.links import persona_links
from toolkit.findings.shares import shares, technology_shares
from toolkit.frames.about import answered, site_of
from toolkit.frames.schemas import CODED, DEMOGRAPHICS
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import counted
from toolkit.reports.contents import Chart, Column, Section, Series, Table
from toolkit.reports.pictures import picture_of
from toolkit.reports.words import MOST_TIES, clean, examples, leaders, lowered, of_sites, said, together, verb

if TYPE_CHECKING:
    from toolkit.reports.frames import Frames

__all__ = ["interests", "personas", "profile", "share_columns", "technologies"]

_WHO: Final = ("audience_type", *DEMOGRAPHICS)
#: What a sentence on the typical audience names.
_TYPICAL: Final = ("audience_type", "age_bracket", "income_level", "urbanicity")
_TYPICAL_MOST: Final = 3
_KINDS: Final = {"interest_group": "group", "interest": "interest", "purchase_intent": "purchase intent"}
_BARS: Final = 10
#: Bars of each kind of interest. As many as a title may name, and more where a kind is missing.
_BARS_EACH: Final = {"interest_group": 4, "purchase_intent": 3, "interest": 3}
#: A persona on so few sites, or whose share may be as small as this, does not stand out.
_FEW_SITES: Final = 2
_NOISE: Final = 0.05
#: Type size of names beside a flow, and the room for them, in pixels.
_NAME_SIZE: Final = 14
_NAMES: Final = 290


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
    picture = picture_of(charts.profile_card(found, dimensions=order))
    n = int(found["n"].iloc[0])
    alike = [_alike(found[found["dimension"] == name]) for name in typical]
    named = [row for rows in alike for _, row in rows.head(MOST_TIES).iterrows()]
    words = [f"{row['label']}: {of_sites(row)}." for row in named]
    typical_words = "; ".join(together(rows["label"].tolist()) for rows in alike)
    drawn = {
        name: _alike(found[found["dimension"] == name]).head(MOST_TIES if name in typical else 1) for name in order
    }
    top = pd.concat(list(drawn.values()))
    several = "values" if len(top) > len(order) else "value"
    return Section(
        "Who the audience is",
        f"{verb(n, 'The audience of the one site', 'Most often')} (inferred): {typical_words}",
        (
            (
                f"The service read {counted(n, 'site')} and inferred whom {verb(n, 'it', 'each')} speaks to, from what "
                f"is known of the readers of its subject: nobody was counted. {' '.join(words)}"
            ),
            _CLOSE if n > 1 and len(named) > len(alike) else "",
            (
                "The shares are of sites, not of people. A site can have several age brackets and life stages, and "
                "none of a kind where its pages do not tell, so the shares of a kind need not add up to 100 %."
            ),
        ),
        Table(
            "Whom the sites speak to (inferred): share of sites with each value, with its 95 % interval",
            found,
            (Column("kind", "Kind"), *share_columns("label", "Value")),
            most=30,
        ),
        Chart(
            "bars",
            f"Bars of the most common {several} of each kind, as shares of {counted(n, 'site')}. {picture.alt}",
            top.assign(bar=top["kind"] + ": " + top["label"]),
            "bar",
            (Series("share", "Share of sites", "share_low", "share_high"),),
            f"Most common {several} of each kind: share of sites, with 95 % interval",
        ),
        picture.figure,
        (),
        footer_of(found.attrs["about"], [inferred_among(found["dimension"])]),
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
    leading = {str(name): rows for name, rows in found.groupby("dimension", sort=False, observed=True) if len(rows)}
    chosen = [name for name in ("interest_group", "purchase_intent", "interest") if name in leading]
    main = leading[chosen[0]]
    picture = picture_of(charts.profile_card(found, dimensions=[name for name in CODED if name in leading], most=8))
    sentences = []
    for name in chosen:
        rows = leading[name]
        words, many = leaders(rows["label"].tolist(), rows["with_code"].tolist())
        kind = f"group{'s' * many} of interests" if name == "interest_group" else f"{_KINDS[name]}{'s' * many}"
        where = "" if many else _where(codes, rows.iloc[0])
        sentences.append(f"The most common {kind}: {words}, {of_sites(rows.iloc[0])}{' each' * many}{where}.")
    silent = int((found["with_code"] == 1).sum())
    single = ""
    if silent and int(main["n"].iloc[0]) > 1:
        single = f", {silent:,} of them on a single site only: the order of such small numbers says little"
    top = _bars(leading)
    return Section(
        "Interests and purchase intent",
        _wanted([leading[name] for name in chosen[:2] if name != "interest" or name == chosen[0]]),
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
            f"Bars of the groups of interests, purchase intents and interests that most sites share. {picture.alt}",
            top,
            "bar",
            (Series("share", "Share of sites", "share_low", "share_high"),),
            "Share of sites, with 95 % interval",
        ),
        picture.figure,
        (),
        footer_of(found.attrs["about"]),
        picture.footer,
    )


def _wanted(leading: list[pd.DataFrame]) -> str:
    """Return which groups of interests and which purchase intents lead, each with its number of sites."""
    parts = []
    n = int(leading[0]["n"].iloc[0])
    for place, rows in enumerate(leading):
        who, several = leaders(rows["label"].tolist(), rows["with_code"].tolist())
        count, intents = int(rows["with_code"].iloc[0]), rows["dimension"].iloc[0] == "purchase_intent"
        kinds = "purchase intents" if intents else "interests"
        if count == 1 and n > 1:
            kind = _KINDS[rows["dimension"].iloc[0]] if intents else "interest"
            parts.append(f"{'no' if place else 'No'} {kind} is on more than one of {n:,} sites")
            continue
        of = counted(n, "site") if not parts else ""
        parts.append(
            f"{who} {verb(1 + several, 'leads', 'lead')} the {kinds}, with {count:,}{f' of {of}' if of else ''}"
        )
        parts[-1] += " each" * several
    return "; ".join(parts)


def _bars(leading: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the first codes of each kind, groups of interests first; each bar says of which kind it is."""
    there = [name for name in _BARS_EACH if name in leading]
    spare = _BARS - sum(min(_BARS_EACH[name], len(leading[name])) for name in there)
    parts = []
    for name in there:
        rows = leading[name].head(_BARS_EACH[name] + spare)
        spare -= max(len(rows) - _BARS_EACH[name], 0)
        parts.append(rows)
    top = pd.concat(parts)
    return top.assign(bar=top["label"] + " (" + top["kind"].map(lowered) + ")")


def _where(codes: pd.DataFrame, row: pd.Series) -> str:
    """Return which sites have a code, where they are few."""
    rows = answered(codes[(codes["dimension"] == row["dimension"]) & (codes["code"] == row["code"])])
    sites = site_of(rows).dropna().unique()
    return examples(sites) if len(sites) == row["with_code"] else ""


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
            f"{of_sites(found.iloc[0])}{' each' * several}{'' if several else _where(codes, found.iloc[0])}."
        )
    ]
    if links is not None and not links.empty:
        link = links.iloc[0]
        words.append(
            f"Personas follow the content: {clean(link['persona'])} go with {clean(link['category'])} on "
            f"{counted(int(link['sites']), 'site')}."
        )
    bars = f"Bars of the most common personas: {who} first."
    most, n = int(found["with_code"].iloc[0]), int(found["n"].iloc[0])
    title = (
        f"{who} {'are the personas' if several else 'is the persona'} inferred most often, on {most:,} of "
        f"{counted(n, 'site')}{' each' * several}"
    )
    if most < n and (most <= _FEW_SITES or found["share_low"].iloc[0] < _NOISE):
        many = f"{counted(len(found), 'persona')} {verb(len(found), 'was', 'were')} found"
        title = f"No persona stands out: {many}, none of them on more than {most:,} of {counted(n, 'site')}"
    return Section(
        "Personas",
        title,
        tuple(words),
        Table(
            "Personas (inferred) by the share of sites that have them, with its 95 % interval",
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
        ("A site can have several personas. They are inferred from its content: nobody counted its readers.",),
        footer_of(found.attrs["about"], [inferred_among(found["dimension"])]),
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
    on = site_of(answered(used[used["technology"] == found["technology"].iloc[0]])).dropna().unique()
    where = examples(on) if not several and len(on) == found["with_technology"].iloc[0] else ""
    n = int(found["n"].iloc[0])
    return Section(
        "Technologies",
        f"{who} {'are' if several else 'is'} the technolog{'ies' if several else 'y'} seen most often, on "
        f"{said(found['with_technology'].iloc[0], 'whole')} of {counted(n, 'site')}{' each' * several}",
        (
            (
                f"{counted(len(found), 'technology', 'technologies')} {verb(len(found), 'was', 'were')} recognised on "
                f"{counted(n, 'site')}. {who}: {of_sites(found.iloc[0], 'with_technology')}{' each' * several}{where}."
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


def _named(found: pd.DataFrame) -> pd.DataFrame:
    """Return shares with words for dimensions, and for codes without a label."""
    named = found.assign(
        kind=[words_of_code(name) for name in found["dimension"].astype(str)],
        label=found["label"].where(found["label"].notna(), found["code"]),
    )
    named.attrs = dict(found.attrs)
    return named
