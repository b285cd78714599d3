"""Which sites are unlike the others, and why: counts of this list, told as such."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.findings.insights.sentences import enumerated, group_of, having, lowered, named, percent, value_in_words
from toolkit.findings.insights.tautologies import INFERRED, basis_of, follows
from toolkit.findings.insights.told import COUNT, Finding
from toolkit.frames.schemas import SCALARS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features
    from toolkit.findings.insights.groups import Grouping

    Floats = NDArray[np.float64]

__all__ = ["heavy", "misplaced", "odd"]

_DIMENSIONS: Final = (*(name for name in SCALARS if name != "company_size_employees"), "country", "company_type")
#: A value is rare that at most so many sites have, of a dimension that many are known of.
_RARE: Final = 0.08
_KNOWN: Final = 0.5
#: Robust standard deviations (Iglewicz and Hoaglin 1993).
_FAR: Final = 3.5
_MAD: Final = 0.6745
_MOST: Final = 3
_NEAREST: Final = 5
#: Of all neighbours, those of a site's own group, from which on groups are of sites that are like each other.
_BY_THEIR_OWN: Final = 0.6
_LARGEST: Final = 5_000
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
        if stated < _KNOWN * n:
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
            table=f"run.nearest({known.sites[site]!r}, least=0)",
        )


def misplaced(known: Features, grouping: Grouping) -> Iterator[Finding]:
    """Yield the sites whose nearest sites all stand in another group."""
    n = len(known.sites)
    if not _NEAREST < n <= _LARGEST:
        return
    usable = np.array([not follows(grouping.dimension, kind) for kind in known.codes["dimension"]], dtype=bool)
    has = (known.has & known.asked)[:, usable].astype(np.float32)
    size = np.sqrt(np.maximum(has.sum(axis=1), 1))
    like = (has @ has.T) / np.outer(size, size)
    np.fill_diagonal(like, -1)
    nearest = np.argsort(-like, axis=1, kind="stable")[:, :_NEAREST]
    beside = grouping.members.T[nearest]
    by_own = np.asarray((beside & grouping.members.T[:, None, :]).any(axis=2))[np.asarray(grouping.members.any(axis=0))]
    if not by_own.size or by_own.mean() < _BY_THEIR_OWN:
        return  # the groups say nothing of what sites are like
    found = []
    for site in range(n):
        own = np.flatnonzero(grouping.members[:, site])
        among = grouping.members[:, nearest[site]].sum(axis=1)
        if (
            own.size == 1
            and among[own[0]] == 0
            and among.max(initial=0) == _NEAREST
            and like[site, nearest[site, -1]] > 0
        ):
            found.append(
                (-float(like[site, nearest[site]].mean()), str(known.sites[site]), int(own[0]), int(among.argmax()))
            )
    for _, name, mine, other in sorted(found)[:_MOST]:
        group, near = (group_of(grouping.dimension, grouping.names[place]) for place in (mine, other))
        yield Finding(
            f"{name} stands among {lowered(group)}, but its {named(_NEAREST)} nearest sites are all {lowered(near)}.",
            "outlier",
            COUNT,
            0.6,
            group=grouping.names[mine],
            n=_NEAREST,
            with_code=_NEAREST,
            sites=(name,),
            table=f"run.nearest({name!r}, least=0)",
        )


def heavy(known: Features, weight: Floats, name: str) -> Iterator[Finding]:
    """Yield the sites that take a large part of what is counted, such as of the spend."""
    total, usual, n = weight.sum(), np.median(weight), len(weight)
    for site in np.lexsort((known.sites, -weight))[:_MOST]:
        if total > 0 and weight[site] >= _HEAVY * total and weight[site] >= _TIMES * usual and n > _TIMES:
            yield Finding(
                f"{known.sites[site]} alone takes {percent(weight[site] / total)} of the {name}, of {n} sites.",
                "outlier",
                COUNT,
                0.9,
                effect=float(weight[site] / total),
                n=n,
                with_code=1,
                sites=(str(known.sites[site]),),
                table="run.table",
            )


def _rare(known: Features, place: int, stated: int) -> str:
    row = known.codes.iloc[place]
    often = int((known.has[:, place] & known.asked[:, place]).sum())
    words = having(row["dimension"], value_in_words(row["dimension"], row["code"], row["label"]))
    words = f"be {words.removeprefix('are ')}" if words.startswith("are ") else words
    return f"{'the only one' if often == 1 else f'one of {named(often)}'} of {stated} to {words}"
