"""What differs between groups: each group against all other sites, over all features that do not follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.findings.insights.claims import Claims, alike, twins
from toolkit.findings.insights.features import FEWEST
from toolkit.findings.insights.tautologies import OWN, TOPICS, follows, has_common_stem, origin_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features
    from toolkit.findings.insights.groups import Grouping

    Bools = NDArray[np.bool_]
    Integers = NDArray[np.int64]

__all__ = ["Differences", "differences", "told"]

#: A group and a feature with more than this in common are one thing, which is said once.
_THE_SAME: Final = 0.8
#: Of one group and dimension, so many at most.
_MOST: Final = 2
#: Groups of a column that are one feature each, from which the column may be but another name of it.
_FEW_RENAMED: Final = 2
#: Nobody reads more differences than this.
_MOST_TOLD: Final = 40


@dataclass(frozen=True)
class Differences:
    """Groups, what was tested of them, and which features are the group itself.

    Attributes
    ----------
    groups : list of tuple
        The grouping and the number in it of each group that is tested.
    members : array of bool
        Groups × sites.
    claims : Claims
        Of groups by number, and features by number.
    twins : array of int
        Of each claim a number, the same where the same sites are held against the same others.
    left_out : list of str
        The dimensions that enough sites tell and of which nothing was tested, for they follow from the groups.
    """

    groups: list[tuple[Grouping, int]]
    members: Bools
    claims: Claims
    twins: Integers
    left_out: list[str]


def differences(known: Features, groupings: Sequence[Grouping], *, halves: bool = False) -> Differences:
    """Test every group against all other sites.

    Of two groups that are all sites, what is true of one is true of the other, and the smaller one is tested; with
    `halves` both are, to be held against something else.
    """
    groups, members = _different(groupings, len(known.sites), halves=halves)
    has, asked = (known.has & known.asked).astype(np.float32), known.asked.astype(np.float32)
    who = members.astype(np.float32)
    k, n = np.rint(who @ has).astype(np.int64), np.rint(who @ asked).astype(np.int64)
    # Others are those of whom it is known that they are none of the group.
    grouped = np.array([grouping.grouped for grouping, _ in groups], dtype=np.float32).reshape(who.shape)
    every, total = np.rint(grouped @ has).astype(np.int64), np.rint(grouped @ asked).astype(np.int64)
    common = k / np.maximum(n + every - k, 1)
    same = common >= _THE_SAME
    # What one of two halves is, the other one is not: that is one group called after something.
    once = [not any((row != other).all() for other in members[:at]) for at, row in enumerate(members)]
    own = _own(known, groups, same, np.array(once, dtype=bool))
    allowed = _allowed(known, own, same, common)
    usable = (every >= FEWEST) & (total - every > 0)
    enough = usable & (n >= FEWEST) & (total - n >= FEWEST)
    left, right = np.nonzero(allowed & enough)
    counts = (k[left, right], n[left, right])
    others = (every[left, right] - counts[0], total[left, right] - counts[1])
    twin = left * len(known) + twins(known.has, known.asked)[right]
    kinds = known.codes["dimension"].to_numpy(dtype=object)
    tested = set(kinds[(enough & own).any(axis=0)].tolist())
    left_out = [kind for kind in dict.fromkeys(kinds[enough.any(axis=0)].tolist()) if kind not in tested]
    return Differences(groups, members, Claims.of(left, right, (*counts, *others)), twin, left_out)


def told(found: Differences, known: Features, chosen: Claims, first: int = 0) -> list[int]:
    """Return which claims are worth saying, the strongest first: nothing twice in other words.

    The `first` of them are told in any case, before all others.
    """
    kinds, sizes = known.codes["dimension"].tolist(), found.members.sum(axis=1)
    of_kind = np.array([_place(kind) for kind in kinds], dtype=np.int64)
    places = np.arange(len(chosen))
    # Who has the table knows how its columns go together.
    own_groups = np.array([grouping.dimension.startswith(OWN) for grouping, _ in found.groups], dtype=bool)
    of_table = own_groups[chosen.left] & np.array([kind.startswith(OWN) for kind in kinds], dtype=bool)[chosen.right]
    # That a group has less of what says that something is not there is said by what is there.
    rarely_absent = known.absent[chosen.right] & (chosen.score < 0)
    strongest = np.lexsort(
        (
            chosen.right,
            of_kind[chosen.right],
            chosen.k + chosen.other_k,
            sizes[chosen.left],
            chosen.score < 0,
            np.round(chosen.q, 12),
            -np.round(np.abs(chosen.score), 6),
            of_table,
            rarely_absent,
            places >= first,
        )
    )
    kept: list[int] = []
    often: dict[tuple[int, str], int] = {}
    for at in strongest.tolist():
        key = (int(chosen.left[at]), kinds[chosen.right[at]])
        most = 1 if rarely_absent[at] else _MOST
        if often.get(key, 0) >= most or any(_says(found, known, chosen, at, other) for other in kept):
            continue
        if at >= first > 0 and any(_turns(found, chosen, at, other) for other in kept):
            continue
        often[key] = often.get(key, 0) + 1
        kept.append(at)
        if len(kept) - first == _MOST_TOLD:
            break
    return kept


def _different(groupings: Sequence[Grouping], sites: int, *, halves: bool) -> tuple[list[tuple[Grouping, int]], Bools]:
    """Return the groups that can be told, each set of sites once; of two that are all sites, the smaller one."""
    groups: list[tuple[Grouping, int]] = []
    sets: list[Bools] = []
    every = [(grouping, number) for grouping in groupings for number in range(len(grouping.names))]
    for grouping, number in sorted(every, key=lambda group: int(group[0].members[group[1]].sum())):
        members = grouping.members[number]
        if not FEWEST <= members.sum() <= sites - FEWEST:
            continue
        if any((members == other).all() or ((members != other).all() and not halves) for other in sets):
            continue
        groups.append((grouping, number))
        sets.append(members)
    return groups, np.array(sets, dtype=bool).reshape(len(sets), sites)


def _own(known: Features, groups: list[tuple[Grouping, int]], same: Bools, once: Bools) -> Bools:
    """Return which features do not follow from how a group was made; `once` are the groups without second halves."""
    dimensions = known.codes["dimension"].tolist()
    labels = known.codes["label"].fillna(known.codes["code"]).tolist()
    kinds = list(dict.fromkeys(dimensions))
    of_kind = np.array([kinds.index(name) for name in dimensions], dtype=np.int64)
    found = np.ones(same.shape, dtype=bool)
    origins = np.array([origin_of(kind) for kind in dimensions], dtype=object)
    renamed = _renamed(groups, same, origins, once)
    for row, (grouping, number) in enumerate(groups):
        name = grouping.names[number]
        stems = np.array([has_common_stem(name, label) for label in labels], dtype=bool)
        # A user's group called after a topic is that topic.
        is_topic = (stems & (origins == TOPICS)).any()
        made_of = "main category" if is_topic else grouping.dimension
        derived = np.array([follows(made_of, kind) or follows(grouping.dimension, kind) for kind in kinds], dtype=bool)
        found[row] = ~derived[of_kind] & ~stems if kinds else True
        found[row] &= ~np.isin(origins, list(renamed.get(id(grouping), ())))
    return found


def _allowed(known: Features, own: Bools, same: Bools, common: NDArray[np.float64]) -> Bools:
    """Return which features are more than another word for a group; `own` are those that do not follow from it."""
    origins = np.array([origin_of(kind) for kind in known.codes["dimension"]], dtype=object)
    allowed = own.copy()
    for row in range(len(own)):
        # The same sites are said once, and then nothing of that dimension.
        for kind in set(origins[same[row] & allowed[row]].tolist()):
            mine = np.flatnonzero((origins == kind) & allowed[row])
            best = mine[np.argmax(common[row, mine])]
            allowed[row, mine[mine != best]] = False
    return allowed


def _renamed(
    groups: list[tuple[Grouping, int]], same: Bools, origins: NDArray[np.object_], once: Bools
) -> dict[int, set[str]]:
    """Return for each grouping the origins that it only renames: most of its groups, two or more, are one feature each.

    That sites of a column "DE" are run from Germany is known to whoever filled the column in.
    """
    found: dict[int, set[str]] = {}
    for key in {id(grouping) for grouping, _ in groups}:
        rows = [row for row, (grouping, _) in enumerate(groups) if id(grouping) == key and once[row]]
        for origin in set(origins.tolist()):
            like_it = int(same[rows][:, origins == origin].any(axis=1).sum())
            if like_it >= _FEW_RENAMED and 2 * like_it > len(rows):
                found.setdefault(key, set()).add(origin)
    return found


def _says(found: Differences, known: Features, chosen: Claims, at: int, other: int) -> bool:
    """Tell whether one claim says what another one says already."""
    one, two = chosen.left[at], chosen.left[other]
    first, second = found.members[one], found.members[two]
    right, left = chosen.right[at], chosen.right[other]
    has, had = known.has[:, right], known.has[:, left]
    if alike(first, had) and alike(second, has):
        return True  # the group and what it has, the other way round
    turned = (chosen.score[at] > 0) != (chosen.score[other] > 0)
    flipped_group = not alike(first, second)
    if flipped_group and not alike(first, ~second):
        return False
    opposite = turned != flipped_group
    if not turned and one == two:
        kind, before = (str(known.codes["dimension"].array[chosen.right[place]]) for place in (at, other))
        if origin_of(kind) != origin_of(before) and follows(kind, before, is_group=False):
            return True  # the service makes one of them of the other
    both = known.asked[:, right] & known.asked[:, left]
    union = chosen.n[other] + chosen.other_k[other]
    if one == two and chosen.k[other] >= _THE_SAME * union:
        # What is the group itself says only what has nearly the same sites.
        return int((has & had & both).sum()) >= _THE_SAME * int(((has | had) & both).sum())
    return alike(has & both, (~had if opposite else had) & both)


def _turns(found: Differences, chosen: Claims, at: int, other: int) -> bool:
    """Tell whether one claim is the other side of another one: where a group has more, the others have less."""
    one, two = (found.groups[chosen.left[place]][0].name for place in (at, other))
    turned = (chosen.score[at] > 0) != (chosen.score[other] > 0)
    return bool(turned and one == two and chosen.right[at] == chosen.right[other])


def _place(dimension: str) -> int:
    return _ORDER.index(dimension) if dimension in _ORDER else -1


#: Of features that the same sites have, which is named: what is measured before what is inferred.
_ORDER: Final = (
    "technology kind",
    "technology",
    "business_model",
    "country",
    "company industry",
    "content-v3",
    "purchase_intent",
    "interest_group",
    "interest",
    "persona",
    "filtering",
    "content-v2",
)
