"""What is common: what the sites of a list are, told as counts of the list and not tested.

Every count is of the sites of which the thing is known, by the one rule of `toolkit.findings.incidence`, as every
comparison is: of a field that each site has a value of, those with one; of topics, interests and technologies, which a
site has or has not, all that were answered. To take what nobody knows for a no makes a number too small by nobody knows
how much. How many are not known is said against it. Which value is worth telling goes by how many of all sites have it,
so that what is known of a handful of sites does not become a finding on the list. Your own columns count all sites:
what an empty cell means is yours to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.findings.insights.doubts import NOT_MEASURED, unknown_of
from toolkit.findings.insights.facts import shares_call, shares_picture
from toolkit.findings.insights.sentences import (
    PERCENT_FROM,
    counts,
    enumerated,
    having,
    percent,
    telling_of,
)
from toolkit.findings.insights.tautologies import INFERRED, basis_of
from toolkit.findings.insights.told import COUNT, Finding
from toolkit.findings.statistics.proportions import wilson

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features

    Bools = NDArray[np.bool_]
    Integers = NDArray[np.int64]

__all__ = ["NEXT", "TIED", "common", "sentence_of", "telling", "within"]

#: What the sentence of a tie has between the first that leads and the others.
TIED: Final = ", and as many "
#: What stands before the values that come after the most frequent one.
NEXT: Final = ", followed by "

#: Dimensions of which the most frequent value is told, what the list is about first, and from which share on.
_TOLD: Final[dict[str, float]] = {
    "content-v3": 0.0,
    "audience_type": 0.0,
    "business_model": 0.15,
    "country": 0.3,
    "technology": 0.25,
    "price_signals": 0.25,
    "gender_skew": 0.25,
    "income_level": 0.4,
    "age_bracket": 0.4,
    "life_stage": 0.25,
}
#: Values that say that there is nothing to say.
_NOTHING: Final = frozenset({"none", "mixed", "balanced", "middle"})
_OTHERS: Final = 2


def common(known: Features) -> Iterator[Finding]:
    """Yield what most sites of a list have: of each dimension the most frequent value, with ties and the next ones."""
    has = known.has & known.asked
    for place, (dimension, least) in enumerate(_TOLD.items()):
        mine = np.flatnonzero(known.codes["dimension"].eq(dimension).to_numpy())
        if dimension == "content-v3":
            # A topic's parents are answered with it: the top ones are compared with each other.
            mine = mine[known.codes["label"].iloc[mine].eq(known.codes["parent"].iloc[mine]).to_numpy()]
        mine = mine[~known.codes["code"].iloc[mine].isin(_NOTHING).to_numpy()]
        if not mine.size:
            continue
        count, n, every = has[:, mine].sum(axis=0), int(telling(known, dimension).sum()), len(known.sites)
        order = np.lexsort((known.codes["code"].iloc[mine].to_numpy(dtype=object).astype(str), -count))
        k = int(count[order[0]])
        if k < 2 or k < least * every:  # noqa: PLR2004 - one site is no list
            continue
        first = mine[order[0]]
        row = known.codes.iloc[first]
        low, high = wilson(k, n)
        tied = mine[order][count[order] == k]
        # The sites of all that lead, by value.
        sites = dict.fromkeys(site for at in tied for site in known.sites[has[:, at]])
        doubts = [NOT_MEASURED] if dimension in INFERRED else []
        yield Finding(
            sentence_of(known, mine[order], count[order]),
            "common",
            COUNT,
            1 - place / len(_TOLD),
            dimension=dimension,
            code=row["code"],
            label=known.word(int(first)),
            basis=basis_of(dimension),
            effect=k / n,
            effect_low=float(low),
            effect_high=float(high),
            n=n,
            with_code=k,
            sites=tuple(sites),
            against=(*doubts, *([unknown_of(every - n, every)] if n < every else [])),
            chart=shares_picture(dimension),
            table=shares_call(dimension),
            is_tie=len(tied) > 1 and k < n,
        )


def telling(known: Features, dimension: str) -> Bools:
    """Return of which sites a dimension is known."""
    mine = known.codes["dimension"].eq(dimension).to_numpy()
    return np.asarray(known.asked[:, mine].any(axis=1), dtype=bool)


def sentence_of(known: Features, places: Integers, k: Integers) -> str:
    """Return what is said of values, the most frequent first, which `k` sites have each."""
    dimension = str(known.codes["dimension"].iloc[places[0]])
    n, every = int(telling(known, dimension).sum()), len(known.sites)
    names = [known.word(int(place)) for place in places]
    tied = [name for name, count in zip(names, k, strict=True) if count == k[0]]
    # Of a list of which most is unknown, a share would be taken for one of the list.
    is_share = n >= PERCENT_FROM and 2 * n >= every
    who = f"{n:,} sites {telling_of(dimension)}"
    some = counts(int(k[0]), n) if n == every else f"{percent(k[0] / n) if is_share else f'{k[0]:,}'} of the {who}"
    # Of two one says "both".
    whole = f"Both {who.partition(' ')[2]}" if n == 2 else f"All {who}"  # noqa: PLR2004 - a pair
    if len(tied) > 1:
        if k[0] == n:
            return f"{f'All {n:,} sites' if n == every else whole} {having(dimension, enumerated(tied))}."
        others = having(dimension, enumerated(tied[1:]))
        each = "each " * (len(tied) > 2)  # noqa: PLR2004 - a pair
        return f"{some}{' sites' * (n == every)} {having(dimension, tied[0])}{TIED}{each}{others}."
    does = having(dimension, names[0])
    if n < every:
        start = f"{whole} {does}" if k[0] == n else f"{some} {does}"
    else:
        most = "All" if k[0] == n else "Most" if k[0] * 2 > n else None
        start = f"{most} sites {does}: {some}" if most else f"{some} sites {does}"
    shown = within([int(count) for count in k[1:] if count > 1], _OTHERS)
    if not shown:
        return f"{start}."
    after = [
        f"{name} ({percent(count / n) if is_share else f'{count:,}'})"
        for name, count in zip(names[1 : shown + 1], k[1:], strict=False)
    ]
    return f"{start}{NEXT}{enumerated(after)}."


def within(falling: Sequence[int], most: int) -> int:
    """Return how many of falling numbers are told, so that those that are equal stand together or not at all.

    >>> within([8, 6, 6, 4], 2), within([8, 6, 6, 6], 2), within([8, 6], 2), within([8, 8, 8, 8], 2)
    (3, 1, 2, 0)
    """
    shown = min(most, len(falling))
    while shown and len(falling) > shown and falling[shown] == falling[shown - 1]:
        shown += 1
    if shown > most + 1:
        shown = falling.index(falling[most])
    return shown
