"""Everything worth saying about a list of sites, ranked: one row a finding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.given.weight import Weighed, weighed
from toolkit.findings.insights import outliers, together
from toolkit.findings.insights.changes import changes
from toolkit.findings.insights.claims import CHANGES, DIFFERENCES, LEAD_DISTANCE, LEADS, TOGETHER, Claims, adjusted
from toolkit.findings.insights.common import common
from toolkit.findings.insights.differences import Differences, differences, told
from toolkit.findings.insights.doubts import FEW, NOT_MEASURED, UNKNOWN, UNSURE, Doubts, is_hardly_known, unknown_of
from toolkit.findings.insights.facts import compare_call, group_picture
from toolkit.findings.insights.features import Features, features
from toolkit.findings.insights.gaps import Beside, of_brief, of_taxonomy, unknown_in, wants_of
from toolkit.findings.insights.gaps import beside as held_beside
from toolkit.findings.insights.groups import Grouping, given, sensible
from toolkit.findings.insights.sentences import (
    compared,
    group_of,
    having,
    lowered,
    sites_with,
    spent,
    taken,
    telling_of,
    value_in_words,
)
from toolkit.findings.insights.tautologies import INFERRED, OWN, own
from toolkit.findings.insights.told import CERTAINTY, KINDS, Finding, certainty, ranked
from toolkit.findings.statistics.differences import difference_interval
from toolkit.frames.about import about, single_valued
from toolkit.interface.checks import check_once
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from toolkit.findings.incidence import Groups
    from toolkit.interface.vocabulary import Vocabulary

    Bools = NDArray[np.bool_]

__all__ = ["findings", "findings_of"]

_FRAMES: Final = ("audiences", "codes", "categories", "companies", "technologies")
_MOST_LEADS: Final = 3
#: What is said of a group that was given as lists: nobody knows what it was made of.
_GIVEN: Final = ""


def findings(
    frames: Mapping[str, pd.DataFrame],
    groups: Groups = None,
    weight: str | pd.Series | None = None,
    *,
    table: pd.DataFrame | None = None,
    brief: Iterable[str] | None = None,
    beside: Mapping[str, pd.DataFrame] | None = None,
    before: Mapping[str, pd.DataFrame] | None = None,
    vocabulary: Vocabulary | None = None,
) -> pd.DataFrame:
    """Return everything worth saying about a list of sites, the strongest first.

    Parameters
    ----------
    frames : mapping of str to DataFrame
        The frames of a run by name: ``codes``, ``categories``, ``audiences``, ``companies``, ``technologies``, those
        that there are.
    groups : str, mapping, Series or DataFrame, optional
        Groups of sites to be held against all others: a column of `table` or of the audiences or companies, or groups
        as `toolkit.findings.compare` takes them. By default the columns of `table` that make groups, the kinds of
        audience and the main categories, all together.
    weight : str or Series, optional
        What a site counts, such as its spend: a column of `table`, or numbers indexed by target. Findings then say
        which part of it their sites take, and what is proven stands in the order of the weighted differences.
    table : DataFrame, optional
        The user's own columns, indexed by target; they are looked at as features, and as groups.
    brief : iterable of str, optional
        Codes and categories that are wanted: those that hardly any site shows are gaps, and so are those of which it is
        known of no site, with the reason, such as that the run did not ask.
    beside : mapping of str to DataFrame, optional
        The frames of another list, such as the competitors'.
    before : mapping of str to DataFrame, optional
        The frames of an earlier run, for what changed.
    vocabulary : Vocabulary, optional
        Checks the codes of the brief.

    Returns
    -------
    DataFrame
        One row a finding.

        - ``rank`` (int64), ``sentence`` (str): what one would say.
        - ``kind`` (categorical): ``difference``, ``together``, ``change``, ``common``, ``outlier``, ``gap``, ``lead``.
        - ``certainty`` (ordered categorical): ``a count``, ``a lead``, ``likely``, ``clear``; see the notes.
        - ``group``, ``dimension``, ``code``, ``label`` (str): of whom and what; missing where it is of no one.
        - ``basis`` (str): ``measured`` on the pages, or ``inferred`` from general knowledge of their readers.
        - ``effect``, ``effect_low``, ``effect_high`` (float64): the difference of the shares with its interval
          (Newcombe 1998), or of a count its share with Wilson's. Of both sides, and of counts, by the sites of which it
          is known.
        - ``n``, ``with_code``, ``other_n``, ``other_with`` (Int64): the counts behind it, and what they are held
          against.
        - ``q`` (float64): the adjusted p of what was tested.
        - ``weight_share`` (float64): which part of the weight on answered sites the sites take; missing without
          `weight`.
        - ``sites`` (tuple of str): those that show it.
        - ``against`` (str): what speaks against it; missing where nothing is known.
        - ``chart``, ``table`` (str): the call of `toolkit.charts` that draws it and the call that gives its table, as
          one writes them; missing where there is none.

        ``attrs["about"]`` says how many sites, of when, how many differences and pairs were tested, and whether domains
        with several pages count once; with `weight` also what `toolkit.findings.shares` says of one; with `brief` in
        ``brief_unknown`` the parts of it of which nothing is known, with the reason of each.

    Raises
    ------
    InputError
        If an argument is not as described.
    UnknownCodeError
        If the brief names what there is not.

    Notes
    -----
    What is looked at: every code, category, technology, fact of a company and own column that three sites have.
    Differences are Fisher's exact tests of each group against all other sites; pairs are tested across answers only, as
    within one answer they show how the service infers. The expected part of false findings is held over all that was
    looked at by the discrete step-down procedure of Döhler, Durand and Roquain (2018): 0.04 for differences, 0.01 for
    pairs; changes have 0.01 of the differences' where `before` is given. Counts of this list (what is common, gaps,
    outliers) are not tested, and not generalised.

    What is known: counts and differences have one base, the sites of which the thing is known. Of a field that each
    site has a value of, such as age, prices or the business model, those with one; of topics, interests and
    technologies all that were answered. A site whose kind of audience is not known is none of the others of a kind. Of
    your own columns all sites count: what an empty cell means is yours to say.

    Certainty: ``a lead`` is not proven (adjusted p up to 0.2, at least 0.2 apart, three at most). What is proven is
    ``clear`` if its adjusted p is at most 0.01, it is measured, known of four fifths of the sites, the service is sure
    of most of it, and no fewer than five sites stand on either side; else ``likely``. What is counted on this list and
    not tested is ``a count``. What leads in a tie with others comes last.

    Left out is what follows from how a group was made, by where a value comes from and not by how it looks: the same
    dimension or another one of the same subject, kinds of audience and their firms, values that the service makes of
    others, and names with a common word. A group of which nearly the same sites have something is said once.

    Where a domain has several pages on the list, it counts once, with what at least half of its pages have, of those of
    which it is known. It is not known of the domain where it is of fewer than half of its pages: of one page in ten
    nobody knows what the domain is; nor where no value of a field of which a site has one, such as its kind of audience
    or income, is on more than half of them. What no page has is on none of the sites; what some pages have, though
    fewer than half, is said against a gap. That nothing is about sensitive topics is said of all pages.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> run = sample_run()
    >>> found = findings({"codes": run.codes(), "categories": run.categories()})
    >>> found["kind"].iloc[0], int(found["rank"].iloc[0])
    ('common', 1)
    """
    used = _checked(frames, "frames")
    table = None if table is None else single_valued(table)
    return findings_of(
        features(used, _columns(table, weight)),
        used,
        groups,
        weight,
        table=table,
        brief=brief,
        beside=beside,
        before=before,
        vocabulary=vocabulary,
    )


def findings_of(
    known: Features,
    used: Mapping[str, pd.DataFrame],
    groups: Groups,
    weight: str | pd.Series | None,
    *,
    table: pd.DataFrame | None,
    brief: Iterable[str] | None = None,
    beside: Mapping[str, pd.DataFrame] | None = None,
    before: Mapping[str, pd.DataFrame] | None = None,
    vocabulary: Vocabulary | None = None,
) -> pd.DataFrame:
    """Return findings of what is known already of the sites of these frames and of the table, without the weight."""
    if groups is None:
        groupings = sensible(used, _columns(table, weight), known)
    else:
        groupings = [_asked_for(used, groups, table, known)]
    money = None if weight is None else _weights(weight, table, known)
    doubts = Doubts(used, table, known, [grouping.name for grouping in groupings])
    topics = of_taxonomy(known, categories=used.get("categories"))
    found: list[Finding] = [*common(known), *topics, *outliers.odd(known)]
    found += [finding for grouping in groupings if _is_own(grouping) for finding in outliers.misplaced(known, grouping)]
    tested = differences(known, groupings)
    other = None if beside is None else held_beside(known, features(_checked(beside, "beside")))
    parts = [(tested.claims, tested.twins)] + ([] if other is None else [(other.claims, other.twins)])
    claims = adjusted(parts)
    level = DIFFERENCES if before is None else DIFFERENCES - CHANGES
    found += _differences(replace(tested, claims=claims[0]), known, doubts, level, money)
    if other is not None:
        found += _beside(other, claims[1], known, level)
    pairs = together.pairs(known, [grouping.dimension for grouping in groupings])
    found += _together(pairs, known, doubts, money)
    if before is not None:
        earlier = _checked(before, "before")
        found += changes(used, earlier, known, doubts)
    asked_for: list[Finding] = []
    if brief is not None:
        brief = wants_of(brief)
        asked_for = list(of_brief(known, brief, vocabulary))
    if money is not None:
        found += outliers.heavy(known, money.values, spent(money.about))
    # What somebody asked for is answered first.
    rows = _frame([*ranked(asked_for), *ranked(found)], known, money)
    rows.attrs["about"] = about(*used.values()) | {
        "counted": len(known.sites),
        "domains": known.is_merged,
        "differences": sum(len(part) for part in claims),
        "pairs": len(pairs),
        "false_discoveries": {"differences": level, "together": TOGETHER}
        | ({} if before is None else {"changes": CHANGES}),
        **({} if brief is None else {"brief_unknown": unknown_in(known, brief, vocabulary)}),
        **({} if money is None else money.about),
    }
    return rows


def _checked(frames: Mapping[str, pd.DataFrame], name: str) -> dict[str, pd.DataFrame]:
    try:
        given_frames = {key: frames[key] for key in _FRAMES if key in frames}
    except TypeError:
        given_frames = {}
    if not given_frames or not all(isinstance(frame, pd.DataFrame) for frame in given_frames.values()):
        raise InputError(
            f"{name} must be frames by name, such as {{'codes': run.codes(), 'categories': run.categories()}}."
        )
    return given_frames


def _asked_for(
    frames: Mapping[str, pd.DataFrame], groups: Groups, table: pd.DataFrame | None, known: Features
) -> Grouping:
    """Return the groups that a caller asks for, and what they are made of."""
    name, dimension = "groups", _GIVEN
    if isinstance(groups, str):
        name, groups = groups, _column(frames, groups, table)
    elif isinstance(groups, pd.Series) and isinstance(groups.name, str):
        name = groups.name
    columns = {str(title) for key in ("audiences", "companies") if key in frames for title in frames[key].columns}
    is_own = table is not None and name in table.columns
    if not is_own and name in {*columns, "main category"}:
        dimension = "company industry" if name == "industry" else name
    elif name != "groups":
        dimension = own(name)
        # Only the caller has groups that are no column.
        name = name if is_own else "groups"
    return given(groups, known, name, dimension, None if is_own else frames)


def _columns(table: pd.DataFrame | None, weight: str | pd.Series | None) -> pd.DataFrame | None:
    """Return a table without what a site counts: that is said beside each finding, and is none by itself."""
    if table is None or weight is None:
        return table
    return table.loc[:, table.columns != (weight if isinstance(weight, str) else weight.name)]


def _column(frames: Mapping[str, pd.DataFrame], name: str, table: pd.DataFrame | None) -> pd.Series:
    named = ({"table": table} if table is not None else {}) | {
        key: frames[key] for key in ("audiences", "companies") if key in frames
    }
    for key, frame in named.items():
        if list(frame.columns).count(name) == 1:
            targets = frame.index if key == "table" else pd.Index(frame["target"])
            return pd.Series(frame[name].array, index=targets, name=name).dropna()
        if key == "table":
            check_once(frame.columns, name, "group")
    known = dict.fromkeys(str(title) for frame in named.values() for title in frame.columns)
    near = ", ".join(nearest_to(name, known))
    raise InputError(
        f"There is no column {name!r} to group by.{f' Nearest: {near}.' if near else ''} Pass a column of the table, "
        "of the audiences or of the companies, or groups as lists of targets by name."
    )


def _is_own(grouping: Grouping) -> bool:
    return grouping.dimension == _GIVEN or grouping.dimension.startswith(OWN)


def _differences(
    tested: Differences, known: Features, doubts: Doubts, level: float, money: Weighed | None
) -> Iterator[Finding]:
    claims = tested.claims
    proven = claims.where(claims.q <= level)
    kept = told(tested, known, proven)
    said = proven.where(np.array(kept, dtype=np.int64))
    likely = claims.where((claims.q > level) & (claims.q < LEADS) & (np.abs(claims.score) >= LEAD_DISTANCE))
    both = Claims(**{name: np.concatenate([getattr(said, name), getattr(likely, name)]) for name in vars(said)})
    # A lead is worth nothing where something proven says it.
    new = [at for at in told(tested, known, both, first=len(said)) if at >= len(said)]
    for at in (*range(len(said)), *new[:_MOST_LEADS]):
        yield _difference(both.where(np.array([at])), tested, known, doubts, level=level, money=money)


def _difference(
    claim: Claims, tested: Differences, known: Features, doubts: Doubts, *, level: float, money: Weighed | None
) -> Finding:
    grouping, number = tested.groups[claim.left[0]]
    name, members = grouping.names[number], tested.members[claim.left[0]]
    row = known.codes.iloc[claim.right[0]]
    who = group_of(grouping.dimension, name)
    table = compare_call("groups" if grouping.name == "groups" else repr(grouping.name), row["dimension"])
    asked = known.asked[:, claim.right[0]] & grouping.grouped
    having_it = known.has[:, claim.right[0]] & asked
    more = claim.score[0] > 0
    unknown = tuple(int((side & grouping.grouped & ~asked).sum()) for side in (members, ~members))
    return _claimed(
        claim,
        row,
        who,
        kind="difference",
        level=level,
        group=name,
        sites=known.sites[members & having_it] if more else known.sites[~members & having_it],
        against=doubts.of(
            row["dimension"],
            row["code"],
            (members if more else ~members) & having_it,
            (int(claim.n[0]), int(claim.other_n[0])),
        ),
        calls=(group_picture(table, name, row["dimension"], row["code"]), table),
        strength=_strength(claim, (members & asked, ~members & asked, having_it), money),
        unknown=unknown,
    )


def _strength(claim: Claims, sites: tuple[Bools, Bools, Bools], money: Weighed | None) -> float:
    """Return by how much a claim is ranked: a weighted difference that is the other way round comes last."""
    score = float(claim.score[0])
    return abs(score) if money is None else max(float(np.sign(score)) * money.distance(*sites), 0.0)


def _together(pairs: Claims, known: Features, doubts: Doubts, money: Weighed | None) -> Iterator[Finding]:
    for at in together.told(known, pairs):
        claim = pairs.where(np.array([at]))
        left, right = (known.codes.iloc[place[0]] for place in (claim.left, claim.right))
        having_one, having_other = known.has[:, claim.left[0]], known.has[:, claim.right[0]]
        asked = known.asked[:, claim.left[0]] & known.asked[:, claim.right[0]]
        both = having_one & having_other
        who = sites_with(left["dimension"], value_in_words(left["dimension"], left["code"], left["label"]))
        members = list(known.sites[having_one & known.asked[:, claim.left[0]]])
        grouped = known.asked[:, claim.left[0]]
        among = () if grouped.all() else list(known.sites[grouped])
        table = compare_call(repr({who: members}), right["dimension"], among)
        against = doubts.of(right["dimension"], right["code"], both, (int(claim.n[0]), int(claim.other_n[0])))
        yield _claimed(
            claim,
            right,
            who,
            kind="together",
            level=TOGETHER,
            group=None,
            sites=known.sites[both],
            against=tuple(dict.fromkeys((*doubts.of(left["dimension"], left["code"], both, ()), *against))),
            calls=(group_picture(table, who, right["dimension"], right["code"]), table),
            strength=_strength(claim, (having_one & asked, ~having_one & asked, having_other), money),
            unknown=tuple(
                int((side & known.asked[:, claim.left[0]] & ~asked).sum()) for side in (having_one, ~having_one)
            ),
        )


def _beside(other: Beside, claims: Claims, known: Features, level: float) -> Iterator[Finding]:
    shown = claims.where(claims.q <= level)
    for at in other.told(shown):
        claim = shown.where(np.array([at]))
        row = other.codes.iloc[claim.right[0]]
        labels = known.codes["dimension"].eq(row["dimension"]) & known.codes["code"].eq(row["code"])
        having_it = np.asarray(known.has[:, labels.to_numpy()].any(axis=1), dtype=bool) & other.here
        unknown, sizes = other.unknown(int(claim.right[0])), other.sizes
        against = [NOT_MEASURED] if row["dimension"] in INFERRED else []
        against += [
            f"{unknown_of(silent, every)}{where}"
            for silent, every, where in zip(unknown, sizes, (" on this list", " beside it"), strict=True)
            if is_hardly_known(silent, every)
        ]
        yield _claimed(
            claim,
            row,
            "Sites that only this list has" if not other.here.all() else "Sites on this list",
            kind="difference" if claim.score[0] > 0 else "gap",
            level=level,
            group=None,
            sites=known.sites[having_it],
            against=tuple(against),
            calls=(None, None),
            strength=abs(float(claim.score[0])),
            rest="sites beside it" if other.here.all() else "sites that only the other has",
            unknown=unknown,
        )


def _claimed(
    claim: Claims,
    row: pd.Series,
    who: str,
    *,
    kind: str,
    level: float,
    group: str | None,
    sites: pd.Index,
    against: tuple[str, ...],
    calls: tuple[str | None, str | None],
    strength: float,
    rest: str = "others",
    unknown: tuple[int, ...] = (0, 0),
) -> Finding:
    k, n, other_k, other_n = (int(values[0]) for values in (claim.k, claim.n, claim.other_k, claim.other_n))
    dimension = str(row["dimension"])
    words = value_in_words(dimension, row["code"], row["label"])
    low, high = difference_interval(k, n, other_k, other_n)
    is_weak = any(said == NOT_MEASURED or said.startswith((UNSURE, UNKNOWN)) for said in against)
    sure = certainty(float(claim.q[0]), level, inferred=is_weak, few=min(n, other_n) < FEW)
    # Of whom it is said stands with those of whom it is known in part only.
    whose = telling_of(dimension)
    who, rest = (
        (f"{who} {whose}" if unknown[0] else who),
        (f"{rest} {whose}" if unknown[1] and not unknown[0] else rest),
    )
    sentence = compared(who, having(dimension, words), (k, n), (other_k, other_n), rest)
    is_lead = claim.q[0] > level
    return Finding(
        f"To check: {lowered(sentence)}" if is_lead else sentence,
        "lead" if is_lead else kind,
        sure,
        strength,
        group=group,
        dimension=dimension,
        code=row["code"],
        label=words,
        # Of a pair, either of the two can be inferred.
        basis="inferred" if NOT_MEASURED in against else "measured",
        effect=k / n - other_k / other_n,
        effect_low=float(low),
        effect_high=float(high),
        n=n,
        with_code=k,
        other_n=other_n,
        other_with=other_k,
        q=float(claim.q[0]),
        sites=tuple(sites),
        against=against,
        chart=calls[0],
        table=calls[1],
    )


def _weights(weight: str | pd.Series, table: pd.DataFrame | None, known: Features) -> Weighed:
    """Return what each site counts, the sum of its pages'."""
    if isinstance(weight, str):
        if table is not None:
            check_once(table.columns, weight, "weigh")
        if table is None or weight not in table.columns:
            near = ", ".join(nearest_to(weight, [] if table is None else map(str, table.columns)))
            raise InputError(f"The table has no column {weight!r} to weight by.{f' Nearest: {near}.' if near else ''}")
        weight = table[weight]
    elif not isinstance(weight, pd.Series):
        raise InputError(f"A weight is a column's name or a Series by target, not {type(weight).__name__}.")
    # Of a site that stands in several rows, the weight is their sum, as in shares and comparisons.
    found = weighed(weight, known.pages.index)
    spent = np.bincount(known.pages.to_numpy(), found.values).astype(np.float64)
    return Weighed(spent, found.about)


def _frame(found: list[Finding], known: Features, money: Weighed | None) -> pd.DataFrame:
    rows = pd.DataFrame([finding.as_row() for finding in found], columns=list(Finding.__dataclass_fields__))
    held = [np.nan] * len(found)
    sentences = [finding.sentence for finding in found]
    if money is not None:
        weight, name = money.values, spent(money.about)
        held = [float(weight[known.sites.isin(finding.sites)].sum() / weight.sum()) for finding in found]
        sentences = [
            text
            if finding.kind in {"outlier", "gap"} or not finding.sites
            else f"{text[:-1]}{taken(len(finding.sites), part, name)}"
            for text, finding, part in zip(sentences, found, held, strict=True)
        ]
    texts = ("group", "dimension", "code", "label", "basis", "against", "chart", "table")
    dtypes: dict[str, Any] = dict.fromkeys(texts, "str") | dict.fromkeys(
        ("n", "with_code", "other_n", "other_with"), "Int64"
    )
    dtypes |= {"kind": pd.CategoricalDtype(list(KINDS)), "certainty": CERTAINTY} | dict.fromkeys(
        ("effect", "effect_low", "effect_high", "q"), "float64"
    )
    rows = rows.astype(dtypes).drop(columns=["strength", "is_tie", "sentence"])
    rows.insert(0, "sentence", pd.Series(sentences, dtype="str"))
    rows.insert(0, "rank", np.arange(1, len(rows) + 1, dtype=np.int64))
    rows.insert(list(rows.columns).index("sites"), "weight_share", np.array(held, dtype=np.float64))
    return rows
