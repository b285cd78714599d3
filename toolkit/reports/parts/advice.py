"""What to do: which sites to take, which audience to name, which gap to fill; each with its reason in numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.coverage import gaps
from toolkit.findings.insights.sentences import having, sites_with, telling_of
from toolkit.findings.sensitive import unsought
from toolkit.frames.about import site_of
from toolkit.frames.schemas import DEMOGRAPHICS, LISTS, SCALARS
from toolkit.interface.errors import InputError
from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.text import counted, printable
from toolkit.reports.contents import Advice, Column, Table
from toolkit.reports.frames import TAXONOMY
from toolkit.reports.headings import heading_of
from toolkit.reports.parts.coverage import covered
from toolkit.reports.parts.proofs import held, wanted_rows
from toolkit.reports.view import is_inferred
from toolkit.reports.words import clean, listing, said, verb
from toolkit.segments.definition import Segment
from toolkit.segments.plan import plan_sites
from toolkit.segments.words import quoted

if TYPE_CHECKING:
    from toolkit.reports.view import View
    from toolkit.segments.plan import SitePlan

__all__ = ["advice"]

_MOST_SITES: Final = 5
_NAMED: Final = 3
_ORDINALS: Final = ("first", "second", "third")
_CODED: Final = ("interest_group", "purchase_intent", "interest")
_SEVERAL: Final = 2
#: Where no headline is about readers: what a list reaches, in the order in which it is asked for.
_REACHED: Final = ("interest_group", "purchase_intent", "persona", "age_bracket", "income_level", TAXONOMY)
#: What one of their values is called.
_ONE_OF: Final = {
    **dict.fromkeys(("interest_group", "interest"), "interest"),
    "purchase_intent": "purchase intent",
    "persona": "persona",
    "age_bracket": "age",
    "income_level": "income",
    TAXONOMY: "topic",
}
_HALF: Final = 0.5
#: Who is no reader that an audience of people is made of.
_BUSINESS: Final = "b2b"
#: What sites are chosen by: a group of interests says no more than its members.
_PLANNED: Final = ("interest", "purchase_intent", "persona", TAXONOMY)
#: From so many values that several sites have on, those of a single one are left out.
_ENOUGH: Final = 8


@dataclass(frozen=True)
class _Audience:
    """People whom sites reach, and which."""

    #: As one says them: "people interested in Travel".
    words: str
    #: The sites that reach them: "sites for people interested in Travel".
    called: str
    text: str
    sites: list[str]
    #: How many sites were answered, and of how many it is known whether they reach them.
    answered: int
    n: int
    #: Which these are, as one says it after "sites"; empty where they are all.
    whose: str
    #: The sites of which it is not known.
    silent: frozenset[str]
    #: "inferred" or "partly inferred"; empty where it is measured.
    basis: str
    #: The group that stands out by them, its sites among these, of how many of its sites it is known, and which; or
    #: empty.
    group: str = ""
    inside: tuple[str, ...] = ()
    of_group: int = 0
    whose_of_group: str = ""
    #: What it follows from, as a sentence; empty where a brief asks for it.
    follows: str = ""


def advice(view: View) -> tuple[tuple[Advice, ...], list[str]]:
    """Return what to do, and of what there is no ground for, why."""
    audience = _wanted_audience(view) if view.brief else _reached(view)
    tried = {
        "sites": _sites(view, audience),
        "audience": _named(view, audience),
        "gap": _missing_of_brief(view) if view.brief else _missing(view),
    }
    said_ = _NO_GROUND | (_NONE_OF_BRIEF if view.brief and view.n >= _SEVERAL else {})
    none = [said_[kind] for kind, found in tried.items() if not found]
    return tuple(found for found in tried.values() if found), none + _unplanned(view)


_NO_GROUND: Final = {
    "sites": "No sites are recommended: the answers give no ground to prefer some of them.",
    "audience": "No audience is recommended: nothing that the answers tell is on two sites or more.",
    "gap": "No gap is recommended: nothing of a brief is missing, or of what two sites or more are about.",
}
_NONE_OF_BRIEF: Final = {
    "sites": "No sites are recommended: none is known to have anything of the brief that sites are chosen by.",
    "audience": "No audience is recommended: no site is known to reach one that the brief asks for.",
    "gap": "No gap is recommended: nothing of the brief is missing.",
}


# Sites ----------------------------------------------------------------------------------------------------------------


def _sites(view: View, audience: _Audience | None) -> Advice | None:
    if view.n < _SEVERAL:
        return None
    if view.brief:
        return _plan_of_brief(view)
    if audience is None:
        return None
    pool = _for_people(view, list(audience.inside) or audience.sites)
    wanted, places, is_shared = _had_in_common(view, pool)
    if not wanted:
        return None
    plan = _planned(view, wanted, pool)
    if plan is None or not len(plan):
        return None
    names = plan.sites["site"].tolist()
    whole, done = int(plan.about["wanted"]), int(plan.about["covered"])
    part = f"all {whole:,}" if done == whole else f"{done:,} of the {whole:,}"
    kinds = listing(
        [name for name, kind in _KINDS.items() if any(view.known.codes["dimension"].iloc[at] in kind for at in places)]
    )
    together = "Together they have" if len(names) > 1 else "It has"
    if audience.group:
        what = f"Take the {audience.group}, first {_these(names)}."
        why = (
            f"{len(audience.inside):,} of the {audience.of_group:,} {audience.group}{audience.whose_of_group} reach "
            f"{audience.words}{f' ({audience.basis})' if audience.basis else ''}. {together} {part} {kinds} "
            f"{'that two or more of these have' if is_shared else 'of these'}"
        )
    else:
        some = audience.answered > len(audience.sites) > 1
        of = f"the {len(audience.sites):,} {audience.called}" if some else "the sites"
        to = f" to reach {audience.words}" if audience.answered > len(audience.sites) else ""
        what = f"Take {_these(names)}{to}."
        why = f"{together} {part} {kinds} that {'two or more of ' * is_shared}{of} have"
    return Advice(
        "sites",
        what,
        f"{why}{_spent(view, names)}.",
        tuple(names),
        table=_plan_table(plan, is_weighted=True),
    )


_KINDS: Final = {
    "interests": ("interest_group", "interest"),
    "purchase intents": ("purchase_intent",),
    "personas": ("persona",),
    "topics": (TAXONOMY,),
}


def _for_people(view: View, sites: list[str]) -> list[str]:
    """Return sites without those that speak to businesses, unless most of them do: then these are the readers meant."""
    places = [place for place in view.places("audience_type") if view.known.codes["code"].iloc[place] == _BUSINESS]
    rows = np.asarray(view.has[:, places].any(axis=1), dtype=bool)
    business = set(view.known.pages.index[rows[view.known.pages.to_numpy()]])
    kept = [site for site in sites if site not in business]
    return kept if len(kept) >= _HALF * len(sites) else sites


def _plan_of_brief(view: View) -> Advice | None:
    rows = wanted_rows(view)
    texts = {
        text: str(row["label"])
        for _, row in rows.iterrows()
        if (text := _text_of(str(row["dimension"]), str(row["code"])))
    }
    plan = _planned(view, list(texts), None) if texts else None
    if plan is None or not len(plan):
        return None
    names = plan.sites["site"].tolist()
    # A brief is more than plans know: what the run did not ask for, or technologies.
    whole, done = len(rows), int(plan.about["covered"]) + _had_besides(view, rows, names)
    first = plan.sites.iloc[0]
    some = f"{done:,} of the {whole:,} things" if done < whole else f"all {whole:,} things"
    of = "what" if done == whole == 1 else f"{some} that"
    together = "Together they have" if len(names) > 1 else "It has"
    alone = int(first["new"]) + _had_besides(view, rows, names[:1])
    adds = f"; {clean(first['site'])} alone has {alone:,}" if len(names) > 1 else ""
    return Advice(
        "sites",
        f"Take {_these(names)} for the brief.",
        f"{together} {of} the brief asks for{adds}{_spent(view, names)}.",
        tuple(names),
        table=_plan_table(plan),
    )


def _had_besides(view: View, rows: pd.DataFrame, names: list[str]) -> int:
    """Return how many parts of a brief that plans do not know some sites have."""
    mine = set(view.known.sites[view.known.pages[view.known.pages.index.isin(names)].unique()])
    known = [bool(_text_of(str(row["dimension"]), str(row["code"]))) for _, row in rows.iterrows()]
    return sum(not by_plan and not mine.isdisjoint(sites) for by_plan, sites in zip(known, rows["sites"], strict=True))


def _unplanned(view: View) -> list[str]:
    """Say which parts of the brief sites cannot be chosen by."""
    if not view.brief:
        return []
    rows = wanted_rows(view)
    left = [clean(row["label"]) for _, row in rows.iterrows() if not _text_of(str(row["dimension"]), str(row["code"]))]
    said_ = f"Sites are not chosen by {listing(left)}: plans know codes, topics and values of the audience."
    return [said_] if left else []


def _had_in_common(view: View, sites: list[str]) -> tuple[dict[str, float], list[int], bool]:
    """Return what some sites have, as a plan takes it, with how many do, and whether what only one has is left out."""
    pages = view.known.pages.index.isin(sites)
    rows = np.unique(view.known.pages.to_numpy()[pages])
    counts = view.has[rows].sum(axis=0)
    tops = set(view.tops().tolist())
    named = {
        int(place): text
        for place in view.places(*_PLANNED)
        if counts[place] and place not in tops and (text := _as_wanted(view, int(place)))
    }
    # What one site alone has says little of an audience, where there is enough besides.
    shared = [place for place in named if counts[place] >= _SEVERAL]
    places = shared if len(shared) >= _ENOUGH else list(named)
    return {named[place]: float(counts[place]) for place in places}, places, len(places) < len(named)


def _planned(view: View, wanted: Any, sites: list[str] | None) -> SitePlan | None:
    """Return a plan over all sites, or some; it is the same each time, so it is not searched for by the clock."""
    codes, categories = view.frames.get("codes"), view.frames.categories
    frames = {"codes": codes, "categories": categories}
    kept = {
        name: frame[site_of(frame).isin(sites)] if sites is not None else frame
        for name, frame in frames.items()
        if frame is not None
    }
    if not kept:
        return None
    costs = None
    if view.weight is not None:
        costs = dict(zip(view.known.sites, view.weight.values, strict=True))
    weights = wanted if isinstance(wanted, dict) else None
    if "categories" not in kept:
        wanted = [text for text in wanted if not text.startswith(f"{TAXONOMY}=")]
    if "codes" not in kept:
        wanted = [text for text in wanted if text.startswith(f"{TAXONOMY}=")]
    if not wanted:
        return None
    weights = None if weights is None else {text.removeprefix(f"{TAXONOMY}="): weights[text] for text in wanted}
    try:
        return plan_sites(
            kept.get("codes"),
            list(wanted),
            most=_MOST_SITES,
            exact=False,
            weights=weights,
            categories=kept.get("categories"),
            costs=None if costs is None or view.known.is_merged else costs,
        )
    except InputError:
        return None  # names that the language of plans cannot write


def _plan_table(plan: SitePlan, *, is_weighted: bool = False) -> Table:
    whole = int(plan.about["wanted"])
    weighs = "; in the choice each counts by how many sites have it" if is_weighted else ""
    return Table(
        f"Which sites to take, and what each adds of {whole:,}{weighs}",
        plan.sites.assign(
            adds=[_added(plan, site) for site in plan.sites["site"]], share=plan.sites["covered"] / whole
        ),
        (
            Column("order", "Order", "whole", is_detail=True),
            Column("site", "Site"),
            Column("new", "Adds, number", "whole"),
            Column("adds", "Adds"),
            Column("covered", "Covered so far, number", "whole"),
            Column("share", "Covered so far, %", "percent"),
        ),
        site="site",
    )


def _added(plan: SitePlan, site: str) -> str:
    """Return what a site adds; of an interest, an intent and a topic of the same name it says what it is."""
    kinds: dict[str, list[str]] = {}
    for item in plan.codes[plan.codes["first_site"].eq(site)].itertuples():
        kinds.setdefault(str(item.label), []).append(
            _ONE_OF.get(str(item.dimension)) or heading_of(str(item.dimension))
        )
    return "; ".join(f"{label} ({listing(names)})" if len(names) > 1 else label for label, names in kinds.items())


def _spent(view: View, names: list[str]) -> str:
    """Return which part of a weight some sites take, to end a sentence with."""
    if view.weight is None:
        return ""
    mine = view.known.pages[view.known.pages.index.isin(names)].unique()
    total = float(view.weight.values.sum())
    share = float(view.weight.values[mine].sum()) / total if total else 0.0
    take = "they take" if len(names) > 1 else "it takes"
    return f"; {take} {said(share, 'percent')} of the {clean(view.weight.about['weight'])}"


def _these(names: list[str]) -> str:
    return listing([clean(name) for name in names])


# Audience -------------------------------------------------------------------------------------------------------------


def _named(view: View, audience: _Audience | None) -> Advice | None:
    if audience is None:
        return None
    basis = f" ({audience.basis})" if audience.basis else ""
    count = len(audience.sites)
    of = f"{count:,} of the {audience.n:,} sites" if audience.n > 1 else "The one site"
    who = f"{of}{audience.whose} {'reaches' if count == 1 else 'reach'} them{basis}"
    return Advice(
        "audience",
        f"Aim at {audience.words}." if not view.brief else f"Aim at those whom the brief asks for: {audience.words}.",
        f"{who}{_mostly(view, audience)}{_spent(view, audience.sites)}. {audience.follows}".rstrip(),
        tuple(audience.sites),
        audience.text,
    )


def _reached(view: View) -> _Audience | None:
    """Return the audience that the headline is about, or else the one that most sites reach."""
    found = view.chosen
    usable = found["kind"].isin(["difference", "together"]) & found["effect"].gt(0)
    usable &= found["dimension"].isin({*_CODED, "persona", *DEMOGRAPHICS})
    for number, (_, row) in enumerate(found.iterrows()):
        if not usable.iloc[number]:
            continue
        if (audience := _audience(view, str(row["dimension"]), str(row["code"]))) is not None:
            follows = f"This follows from the {_ORDINALS[number]} headline finding." if view.n > 1 else ""
            return replace(_of_group(view, audience, row), follows=follows)
    for dimension in _REACHED:
        places = view.tops() if dimension == TAXONOMY else view.places(dimension)
        for place in view.ordered(places)[:1]:
            often = int(view.has[:, place].sum())
            audience = _audience(view, dimension, str(view.known.codes["code"].iloc[place]))
            if often >= min(_SEVERAL, view.n) and audience is not None:
                others = int((view.has[:, places].sum(axis=0) == often).sum()) - 1
                alike = f", and {counted(others, 'other is', 'others are')} as frequent" if others else ""
                follows = (
                    f"No brief and no headline names an audience: no {_ONE_OF[dimension]} is more frequent{alike}."
                )
                return replace(audience, follows=follows if view.n > 1 else "")
    return None


def _of_group(view: View, audience: _Audience, finding: pd.Series) -> _Audience:
    """Return an audience with the group that stands out by it, where the headline is of one that was asked for."""
    who = held(view, finding)
    if who is None or who.number is None:
        return audience
    members = set(view.known.pages.index[who.members[view.known.pages.to_numpy()]])
    inside = tuple(site for site in audience.sites if site in members)
    told = members - audience.silent
    whose = audience.whose if len(told) < len(members) else ""
    name = who.who[:1].lower() + who.who[1:] if who.who.startswith("Sites ") else who.who
    if not inside:
        return audience
    return replace(audience, group=clean(name), inside=inside, of_group=len(told), whose_of_group=whose)


def _audience(view: View, dimension: str, code: str) -> _Audience | None:
    place = view.place(dimension, code)
    text = _as_condition(dimension, code)
    if place is None or not text:
        return None
    word = view.word(place)
    words = having(dimension, word).partition(" ")[2].removeprefix("to ")
    if dimension == TAXONOMY:
        words = f"readers of pages {words}"
    called = sites_with(dimension, word)
    basis = "inferred" * is_inferred(dimension)
    called = clean(called[:1].lower() + called[1:])
    return _matched(view, text, clean(words), called, basis=basis, whose=telling_of(dimension))


def _wanted_audience(view: View) -> _Audience | None:
    """Return whoever the brief asks for: any of what some site has."""
    rows = wanted_rows(view)
    usable = [
        (text, str(row["label"]), str(row["dimension"]))
        for _, row in rows.iterrows()
        if row["count"] and (text := _as_condition(str(row["dimension"]), str(row["code"])))
    ]
    if not usable:
        return None
    texts = [text for text, _, _ in usable]
    whole = texts[0] if len(texts) == 1 else f"any({', '.join(texts)})"
    labels = list(dict.fromkeys(clean(label) for _, label, _ in usable))
    shown = labels if len(labels) <= _NAMED else [*labels[:_NAMED], f"{len(labels) - _NAMED} more"]
    inferred = [is_inferred(dimension) for _, _, dimension in usable]
    basis = "inferred" if all(inferred) else "partly inferred" if any(inferred) else ""
    any_of = f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else shown[0]
    kinds = {dimension for _, _, dimension in usable}
    whose = telling_of(kinds.pop()) if len(kinds) == 1 else "of which it is known"
    return _matched(view, whole, any_of, "sites that the brief is for", basis=basis, whose=whose)


def _matched(view: View, text: str, words: str, called: str, *, basis: str, whose: str) -> _Audience | None:
    """Return the audience of a segment's text with the sites that match it; None where none does.

    `whose` says of which sites it is known whether they match, where that is not known of all.
    """
    codes, categories = view.frames.get("codes"), view.frames.categories
    try:
        segment = Segment(text, view.frames.vocabulary)
        answered = view.frames.counted("codes" if codes is not None else TAXONOMY)
        found = segment.match(codes, categories, sites=answered)
    except InputError:
        return None  # a name that segments cannot write
    sites, silent = (found.loc[found[name], "site"].tolist() for name in ("matches", "may"))
    n, told = len(found), len(found) - len(silent)
    whose = f" {whose}" if silent else ""
    return _Audience(words, called, segment.text, sites, n, told, whose, frozenset(silent), basis) if sites else None


def _mostly(view: View, audience: _Audience) -> str:
    """Return how old most of the audience is, where most of its sites tell."""
    places = view.ordered(view.places("age_bracket"))
    rows = np.unique(view.known.pages.to_numpy()[view.known.pages.index.isin(audience.sites)])
    if not len(places) or len(rows) < _SEVERAL or "age" in audience.text.partition("_")[0]:
        return ""
    known = view.telling(places)
    told, all_told = int(known[rows].sum()), int(known.sum())
    counts = view.has[np.ix_(rows, places)].sum(axis=0)
    first = int(counts.argmax())
    if counts[first] < _HALF * len(rows):
        return ""
    place = int(places[first])
    others = f"all {view.n:,} sites" if all_told == view.n else f"the {all_told:,} sites {telling_of('age_bracket')}"
    every = f", as do {int(view.has[:, place].sum()):,} of {others}" if len(rows) < view.n else ""
    of = "these" if told == len(rows) else f"them {telling_of('age_bracket')}"
    is_all, some = counts[first] == told, f"{counts[first]:,} of "
    if told == len(rows):
        some = f"all {told:,} of these" if is_all else f"{some}these {told:,}"
    else:
        some = f"all {told:,} of {of}" if is_all else f"{some}the {told:,} of {of}"
    return f"; {some} speak to people aged {view.word(place)} (inferred){every}"


# Gap ------------------------------------------------------------------------------------------------------------------


def _missing_of_brief(view: View) -> Advice | None:
    rows = wanted_rows(view)
    thin = rows[rows["strong"]].sort_values(["count", "label"], kind="stable")
    unknown = rows[rows["unknown"].ne("")]
    if thin.empty and unknown.empty:
        return None
    table = Table(
        f"What of the brief hardly any site shows{', or of what nothing is known' if len(unknown) else ''}",
        pd.concat([thin, unknown]),
        (
            Column("label", "Wanted"),
            Column("count", "Sites", "whole"),
            Column("n", "of sites that tell", "whole"),
            *([Column("unknown", "Why it is not known")] if len(unknown) else []),
            Column("code", "Code", is_detail=True),
        ),
    )
    asks = f"The brief asks for {counted(len(rows), 'thing')}"
    if thin.empty:
        names = _first_named(unknown)
        return Advice("gap", f"Find out about {names} first.", f"{asks}: {_not_known(unknown)}.", table=table)
    none = int(thin["count"].eq(0).sum())
    fewest, most = int(thin["n"].min()), int(thin["n"].max())
    of = f"{most:,}" if fewest == most else f"the {fewest:,} to {most:,}"
    no_site = "on no site" if fewest == view.n else "on none of the sites that tell"
    told = "" if fewest == view.n else " that do"
    few = len(thin) - none
    said_ = [f"{none:,} {'is' if none == 1 else 'are'} {no_site}"] if none else []
    are = "" if none else "is " if few == 1 else "are "
    said_ += [f"{few:,} {are}on one or two of {of}{told}"] if few else []
    said_ += [_not_known(unknown)] if len(unknown) else []
    return Advice("gap", f"Add sites for {_first_named(thin)}.", f"{asks}: {', and '.join(said_)}.", table=table)


def _first_named(rows: pd.DataFrame) -> str:
    """Return the first parts of a brief by name, and how many more there are."""
    first = [clean(name) for name in rows["label"].head(_NAMED)]
    more = len(rows) - len(first)
    return listing([*first, *([f"{more} more"] if more else [])])


def _not_known(rows: pd.DataFrame) -> str:
    """Return of which parts of a brief nothing is known, with the reasons, as a part of a sentence."""
    of_reason = rows.groupby("unknown", sort=False)["label"].agg(list)
    reasons = [f"{listing([clean(name) for name in names])} ({reason})" for reason, names in of_reason.items()]
    return f"nothing is known of {listing(reasons)}"


def _missing(view: View) -> Advice | None:
    """Return the largest sub-topics that are missing within what the list is mostly about, or else main topics."""
    found = covered(view)
    if found is None or not found["seen"].any():
        return None
    missing = gaps(found)
    tops = found[found["tier"].eq(1) & found["seen"] & ~found["name"].isin(unsought())].sort_values(
        ["sites", "below", "name"], ascending=[False, False, True]
    )
    for _, top in tops[tops["sites"].ge(_SEVERAL)].iterrows():
        inner = missing[missing["level_1"].eq(top["name"]) & missing["topmost"]]
        if len(inner):
            inner = inner.sort_values(["below", "name"], ascending=[False, True], kind="stable")
            # The main topic is among those of its branch, and no sub-topic of itself.
            seen = int(found.loc[found["level_1"].eq(top["name"]), "seen"].sum()) - 1
            of = int(top["below"])
            n = int(found.attrs["about"]["sites"])
            name = clean(top["name"])
            on = f"{top['sites']:,} of {n:,}"
            is_first = top["sites"] == found.loc[found["tier"].eq(1), "sites"].max()
            why = f"no topic is on more sites ({on})" if is_first else f"{name} is on {on} sites"
            return Advice(
                "gap",
                f"Add {name} sites about {listing([clean(one) for one in inner['name'].head(_NAMED)])}.",
                f"No brief was given, and {why}, yet "
                f"{f'only {seen:,}' if seen else 'none'} of its {of:,} sub-topics "
                f"{verb(max(seen, 1), 'is', 'are')} there; these are the largest of those that are missing.",
                table=Table(
                    f"Sub-topics of {name} on none of the sites",
                    inner,
                    (
                        Column("path", "Topic"),
                        Column("below", "Below it", "whole"),
                        Column("id", "Identifier", is_detail=True),
                    ),
                ),
            )
    return None


# Texts ----------------------------------------------------------------------------------------------------------------


def _as_condition(dimension: str, code: str) -> str:
    """Return a value as the language of segments writes it; empty where it has no words for it."""
    if dimension in _CODED:
        return code
    if dimension == TAXONOMY:
        return f"{TAXONOMY} = {quoted(code)}"
    if dimension == "persona":
        return f"persona = {quoted(code, always=True)}"
    return f"{dimension} = {quoted(code)}" if dimension in SCALARS or dimension in LISTS else ""


def _as_wanted(view: View, place: int) -> str:
    """Return a feature as a plan takes it."""
    row = view.known.codes.iloc[place]
    return _text_of(str(row["dimension"]), str(row["code"]))


def _text_of(dimension: str, code: str) -> str:
    """Return a value as a plan takes it; empty where it does not."""
    if dimension in _CODED:
        return code
    if dimension == TAXONOMY and code not in Taxonomy.load(TAXONOMY):
        return ""
    known = dimension in {TAXONOMY, "persona"} or dimension in SCALARS or dimension in LISTS
    # A star stands for anything, and what is hidden in a text cannot be asked for.
    return f"{dimension}={code}" if known and "*" not in code and printable(code).strip() == code else ""
