"""What is common: what the sites of a list are, told as counts of the list and not tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.findings.insights.doubts import NOT_MEASURED
from toolkit.findings.insights.facts import shares_call, shares_picture
from toolkit.findings.insights.sentences import PERCENT_FROM, counts, enumerated, having, percent, value_in_words
from toolkit.findings.insights.tautologies import INFERRED, basis_of
from toolkit.findings.insights.told import Finding
from toolkit.findings.statistics.proportions import wilson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.findings.insights.features import Features

__all__ = ["common", "sentence_of"]

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
    has, asked = known.has & known.asked, known.asked
    for place, (dimension, least) in enumerate(_TOLD.items()):
        mine = np.flatnonzero(known.codes["dimension"].eq(dimension).to_numpy())
        if dimension == "content-v3":
            # A topic's parents are answered with it: the top ones are compared with each other.
            mine = mine[known.codes["label"].iloc[mine].eq(known.codes["parent"].iloc[mine]).to_numpy()]
        mine = mine[~known.codes["code"].iloc[mine].isin(_NOTHING).to_numpy()]
        if not mine.size:
            continue
        k, n = has[:, mine].sum(axis=0), int(asked[:, mine].any(axis=1).sum())
        order = np.lexsort((known.codes["code"].iloc[mine].to_numpy(dtype=object).astype(str), -k))
        first = mine[order[0]]
        if k[order[0]] < 2 or k[order[0]] < least * n:  # noqa: PLR2004 - one site is no list
            continue
        row = known.codes.iloc[first]
        low, high = wilson(int(k[order[0]]), n)
        who = has[:, first]
        yield Finding(
            sentence_of(known, mine[order], k[order], n),
            "common",
            "likely" if dimension in INFERRED else "clear",
            1 - place / len(_TOLD),
            dimension=dimension,
            code=row["code"],
            label=_words(known, int(first)),
            basis=basis_of(dimension),
            effect=float(k[order[0]] / n),
            effect_low=float(low),
            effect_high=float(high),
            n=n,
            with_code=int(k[order[0]]),
            sites=tuple(known.sites[who]),
            against=(NOT_MEASURED,) if dimension in INFERRED else (),
            chart=shares_picture(dimension),
            table=shares_call(dimension),
        )


def sentence_of(known: Features, places: np.ndarray, k: np.ndarray, n: int) -> str:
    """Return what is said of values, the most frequent first, of which `k` of `n` sites have each."""
    dimension = str(known.codes["dimension"].iloc[places[0]])
    tied = [int(place) for place, count in zip(places, k, strict=True) if count == k[0]]
    names = [_words(known, place) for place in tied]
    if len(tied) > 1:
        return f"Nothing leads: {counts(int(k[0]), n)} sites each {having(dimension, enumerated(names))}."
    does = having(dimension, names[0])
    most = "All" if k[0] == n else "Most" if k[0] * 2 > n else None
    start = f"{most} sites {does}: {counts(int(k[0]), n)}" if most else f"{counts(int(k[0]), n)} sites {does}"
    after = [(place, int(count)) for place, count in zip(places[1:], k[1:], strict=True) if count > 1][:_OTHERS]
    if not after:
        return f"{start}."
    part = (lambda count: percent(count / n)) if n >= PERCENT_FROM else str
    rest = " and ".join(f"{_words(known, int(place))} ({part(count)})" for place, count in after)
    return f"{start}; then come {rest}."


def _words(known: Features, place: int) -> str:
    row = known.codes.iloc[place]
    return value_in_words(row["dimension"], row["code"], row["label"])
