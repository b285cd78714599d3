"""This list held against another one, such as a competitor's: what it lacks, and what it has more of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.findings.insights.claims import Claims, alike, twins
from toolkit.findings.insights.features import FEWEST
from toolkit.findings.insights.tautologies import OWN

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features

    Bools = NDArray[np.bool_]
    Integers = NDArray[np.int64]

__all__ = ["Beside", "beside"]

_MOST: Final = 2


class Beside:
    """What was tested of two lists, without the sites that are on both.

    Attributes
    ----------
    codes : DataFrame
        What either list has: ``dimension``, ``code``, ``label``, ``parent``.
    claims : Claims
        Of each of these, this list against the other one.
    twins : array of int
        The same number where the same sites have it.
    """

    def __init__(self, codes: pd.DataFrame, both: Bools, asked: Bools, mine: Bools) -> None:
        self.codes, self.has = codes, both & asked
        k, n = self.has[mine].sum(axis=0), asked[mine].sum(axis=0)
        other_k, other_n = self.has[~mine].sum(axis=0), asked[~mine].sum(axis=0)
        right = np.flatnonzero((k + other_k >= FEWEST) & (np.minimum(n, other_n) >= FEWEST))
        counts = tuple(values[right] for values in (k, n, other_k, other_n))
        self.claims = Claims.of(np.zeros(right.size, dtype=np.int64), right, (*counts,))  # type: ignore[arg-type]
        self.twins: Integers = twins(both, asked)[right]

    def told(self, chosen: Claims) -> list[int]:
        """Return which claims are worth saying, the strongest first, nothing twice."""
        order = np.lexsort((chosen.right, chosen.score < 0, np.round(chosen.q, 12), -np.round(np.abs(chosen.score), 6)))
        kept: list[int] = []
        often: dict[str, int] = {}
        for at in order.tolist():
            kind = self.codes["dimension"].iloc[chosen.right[at]]
            has = self.has[:, chosen.right[at]]
            if often.get(kind, 0) >= _MOST or any(alike(has, self.has[:, chosen.right[other]]) for other in kept):
                continue
            often[kind] = often.get(kind, 0) + 1
            kept.append(at)
        return kept


def beside(known: Features, other: Features) -> Beside:
    """Hold a list against another one."""
    names = ["dimension", "code"]
    codes = known.codes.merge(other.codes[names], on=names, how="outer", indicator=True)
    words = other.codes.set_index(names)
    index = codes.set_index(names).index
    for column in ("label", "parent"):
        codes[column] = codes[column].where(codes[column].notna(), words[column].reindex(index).array)
    of_service = ~codes["dimension"].str.startswith(OWN).to_numpy()
    codes, index = codes[of_service].reset_index(drop=True), index[of_service]
    here, there = ~known.sites.isin(other.sites), ~other.sites.isin(known.sites)
    parts = []
    for part, rows in ((known, here), (other, there)):
        place = part.codes.set_index(names).index.get_indexer(index)
        asked_of_kind = {kind: part.asked[:, at] for at, kind in enumerate(part.codes["dimension"])}
        nobody = np.zeros(len(part.sites), dtype=bool)
        asked = np.stack([asked_of_kind.get(kind, nobody) for kind in codes["dimension"]], axis=1)
        has = np.where(place >= 0, part.has[:, place], False)
        parts.append((has[rows], asked[rows]))
    mine = np.arange(int(here.sum() + there.sum())) < here.sum()
    return Beside(codes, np.concatenate([parts[0][0], parts[1][0]]), np.concatenate([parts[0][1], parts[1][1]]), mine)
