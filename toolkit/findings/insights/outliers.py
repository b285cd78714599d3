"""Which sites are unlike the others, and why: counts of this list, told as such."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.findings.insights.facts import shares_call
from toolkit.findings.insights.gaps import asked_as
from toolkit.findings.insights.sentences import enumerated, group_of, having, lowered, named, percent, value_in_words
from toolkit.findings.insights.tautologies import INFERRED, basis_of
from toolkit.findings.insights.told import COUNT, Finding
from toolkit.frames.schemas import SCALARS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features
    from toolkit.findings.insights.groups import Grouping

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["heavy", "misplaced", "odd"]

_DIMENSIONS: Final = (*(name for name in SCALARS if name != "company_size_employees"), "country", "company_type")
#: A value is rare that at most so many sites have, of a dimension that many are known of.
_RARE: Final = 0.08
_KNOWN: Final = 0.5
#: The only one of fewer sites than this is nothing rare.
_FEWEST: Final = 10
#: Robust standard deviations (Iglewicz and Hoaglin 1993).
_FAR: Final = 3.5
_MAD: Final = 0.6745
_MOST: Final = 3
_NEAREST: Final = 5
#: Of all neighbours, those of a site's own group, from which on groups are of sites that are like each other.
_BY_THEIR_OWN: Final = 0.6
_LARGEST: Final = 5_000
#: What sites are like each other by: what is asked for, and how a call of `nearest` names it.
_CODES: Final = ("codes", "")
_TOPICS: Final = ("content-v3", "of='content-v3', ")
#: Similarities that differ by rounding alone are equal.
_DIGITS: Final = 12
#: Sites whose likeness to all others is held at once.
_BLOCK: Final = 256
_HEAVY: Final = 0.2
_TIMES: Final = 5


def odd(known: Features) -> Iterator[Finding]:
    """Yield the sites with the most values that hardly any other has."""
    n = len(known.sites)
    if not n:
        return
    surprise = np.zeros(n)
    why: list[list[tuple[float, int, int]]] = [[] for _ in range(n)]
    for dimension in _DIMENSIONS:
        mine = np.flatnonzero(known.codes["dimension"].eq(dimension).to_numpy())
        has = known.has[:, mine] & known.asked[:, mine]
        stated = int(has.any(axis=1).sum()) if mine.size else 0
        if stated < max(_KNOWN * n, _FEWEST):
            continue
        often = has.sum(axis=0)
        for site, place in np.argwhere(has & (often <= max(_RARE * stated, 1))[None, :]):
            weight = float(np.log(stated / often[place]))
            surprise[site] += weight
            why[site].append((-weight, int(mine[place]), stated))
    spread = np.median(np.abs(surprise - np.median(surprise)))
    # Where most sites have nothing rare there is no spread, and two rare values are what stands out.
    score = _MAD * (surprise - np.median(surprise)) / spread if spread > 0 else np.where(surprise > 0, np.inf, 0.0)
    far = [site for site in np.lexsort((known.sites, -surprise)) if score[site] > _FAR and len(why[site]) > 1]
    for site in far[:_MOST]:
        reasons = sorted(why[site])[:_MOST]
        kinds = {known.codes["dimension"].iloc[place] for _, place, _ in reasons}
        yield Finding(
            f"{known.sites[site]} is unlike the rest: {enumerated([_rare(known, *reason[1:]) for reason in reasons])}.",
            "outlier",
            COUNT,
            0.5,
            basis=basis_of(*kinds),
            n=n,
            with_code=1,
            sites=(str(known.sites[site]),),
            against=("partly inferred: general knowledge of who reads such pages",) if kinds & INFERRED else (),
            table=shares_call(*_together([str(known.codes["dimension"].iloc[place]) for _, place, _ in reasons])),
        )


def misplaced(known: Features, grouping: Grouping) -> Iterator[Finding]:
    """Yield the sites whose nearest sites all stand in another group, by the measure of `toolkit.findings.nearest`."""
    n = len(known.sites)
    kind, table = _CODES if _CODES[0] in known.answered else _TOPICS
    mine = np.array([asked_as(name) == kind for name in known.codes["dimension"]], dtype=bool)
    if not _NEAREST < n <= _LARGEST or not mine.any():
        return
    members = grouping.members.T
    others, likeness, many = np.zeros((n, members.shape[1]), dtype=bool), np.zeros(n), np.zeros(n, dtype=np.int64)
    is_own: list[float] = []
    for site, near, like in _neighbours(known, mine, kind):
        if members[site].any():
            is_own.append(float((members[near] & members[site]).any(axis=1).mean()))
        if like.min() > 0:
            others[site], likeness[site], many[site] = members[near].all(axis=0), like.mean(), len(near)
    if not is_own or np.mean(is_own) < _BY_THEIR_OWN:
        return  # the groups say nothing of what sites are like
    found = [
        (-float(likeness[site]), str(known.sites[site]), int(members[site].argmax()), int(others[site].argmax()), site)
        for site in np.flatnonzero(others.any(axis=1) & (members.sum(axis=1) == 1)).tolist()
        if not (others[site] & members[site]).any()
    ]
    for _, name, own, other, site in sorted(found)[:_MOST]:
        group, near_by = (group_of(grouping.dimension, grouping.names[place]) for place in (own, other))
        number = int(many[site])
        yield Finding(
            f"{name} stands among {lowered(group)}, but its {named(number)} nearest sites are all {lowered(near_by)}.",
            "outlier",
            COUNT,
            0.6,
            group=grouping.names[own],
            n=number,
            with_code=number,
            sites=(name,),
            # A run knows the pages of a domain, and not what the domain is of all of them.
            table=None if known.is_merged else f"run.nearest({name!r}, {table}least=0, most={number})",
        )


def _neighbours(known: Features, columns: Bools, kind: str) -> Iterator[tuple[int, Integers, Floats]]:
    """Yield each site with the places of its nearest sites, all that are equally near among them, and how near.

    They are at least `_NEAREST`: which of those that are equally near come first says nothing.
    """
    has = (known.has & known.asked)[:, columns]
    often = np.maximum(has.sum(axis=0), 1)
    weighted = has * np.log1p(known.mostly(known.answered[kind]).sum() / often)
    length = np.sqrt((weighted**2).sum(axis=1))
    weighted /= np.where(length > 0, length, 1.0)[:, None]
    for first in range(0, len(weighted), _BLOCK):
        block = np.round(weighted[first : first + _BLOCK] @ weighted.T, _DIGITS)
        places = np.arange(len(block))
        block[places, first + places] = -1.0
        least = np.partition(block, -_NEAREST, axis=1)[:, -_NEAREST]
        for row, like in enumerate(block):
            near = np.flatnonzero(like >= least[row])
            yield first + row, near, like[near]


def heavy(known: Features, weight: Floats, name: str) -> Iterator[Finding]:
    """Yield the sites that take a large part of what is counted, such as of the spend, of those that have any of it."""
    some = weight[weight > 0]
    if not some.size:
        return
    total, usual, n = some.sum(), np.median(some), some.size
    of = f"{n:,} sites" if n == len(weight) else f"{n:,} sites that have any"
    for site in np.lexsort((known.sites, -weight))[:_MOST]:
        if weight[site] >= _HEAVY * total and weight[site] >= _TIMES * usual and n > _TIMES:
            yield Finding(
                f"{known.sites[site]} alone takes {percent(weight[site] / total)} of the {name}, of {of}.",
                "outlier",
                COUNT,
                0.9,
                effect=float(weight[site] / total),
                n=n,
                with_code=1,
                sites=(str(known.sites[site]),),
                table="run.table",
            )


def _together(dimensions: list[str]) -> list[str]:
    """Return the first of some dimensions and those that stand in one table with it."""
    return [name for name in dict.fromkeys(dimensions) if asked_as(name) == asked_as(dimensions[0])]


def _rare(known: Features, place: int, stated: int) -> str:
    row = known.codes.iloc[place]
    often = int((known.has[:, place] & known.asked[:, place]).sum())
    words = having(row["dimension"], value_in_words(row["dimension"], row["code"], row["label"]))
    words = f"be {words.removeprefix('are ')}" if words.startswith("are ") else words
    return f"{'the only one' if often == 1 else f'one of {named(often)}'} of {stated} to {words}"
