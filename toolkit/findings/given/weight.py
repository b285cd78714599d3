"""What each site weighs by a number of the user's own, such as the spend on it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from toolkit.findings.statistics.differences import distance
from toolkit.findings.statistics.weighted import weighted_shares
from toolkit.frames.about import normal_of
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

__all__ = ["Weighed", "Weight", "weighed"]

#: A number of each target, such as the spend on it.
Weight: TypeAlias = pd.Series | Mapping[str, float]
_UNNAMED: Final = "weight"
#: What can be read as a number.
_NUMBERS: Final = (str, int, float, Decimal, np.number)


class Weighed(NamedTuple):
    """The weight of each site that counts, 0 where nothing is known of it, and what findings say of the weight.

    Attributes
    ----------
    values : array of float
        One a site, in order.
    about : dict
        ``weight`` (its name), ``weight_total``, ``weight_sites`` (with a weight), ``weight_missing``, ``weight_zero``
        (sites without one, left out of weighted shares), ``weight_unanswered`` (weight of targets that are no answered
        site, and so in no share).
    """

    values: Floats
    about: dict[str, Any]

    def columns(self, has: sparse.csr_array, level: float, clusters: NDArray[np.int64] | None) -> dict[str, Any]:
        """Return the columns that say which part of the weight stands on the sites with each code."""
        found = weighted_shares(has, self.values, level, clusters)
        on = np.asarray(has.T @ self.values, dtype=np.float64)
        return {
            "weight": on,
            "weight_total": np.full(len(on), self.values.sum()),
            "weighted_share": found.share,
            "weighted_low": found.low,
            "weighted_high": found.high,
            "weighted_n": found.kish,
        }

    def distance(self, some: Bools, others: Bools, has: Bools) -> float:
        """Return how far the weighted shares of two sets of sites are apart, as `distance` does of counts.

        Equal weights give that of the counts; 0 where one of the sets weighs nothing.
        """
        counts: list[float] = []
        for part in (some, others):
            total, size = float(self.values[part].sum()), int(part.sum())
            if total <= 0:
                return 0.0
            counts += [float(self.values[part & has].sum()) / total * size, size]
        return float(distance(*counts))


def weighed(weight: Weight, sites: pd.Index) -> Weighed:
    """Return what sites weigh; a target that is given several times has the sum, a site of several runs has it in each.

    Examples
    --------
    >>> found = weighed(
    ...     {"a.example": 700, "https://b.example/": 300, "c.example": 50}, pd.Index(["a.example", "b.example"])
    ... )
    >>> found.values.tolist(), found.about["weight_unanswered"]
    ([700.0, 300.0], 50.0)
    """
    given = _series(weight)
    number = _numbers(given)
    known = number.notna().to_numpy()
    texts = pd.Series(given.index[known])
    wrong = next((target for target in texts if not isinstance(target, str)), None)
    if wrong is not None:
        raise InputError(
            f"A target of the weight is {wrong!r:.80}, not text. Pass a Series whose index are targets, such as "
            "table.set_index('domain')['Spend']."
        )
    every, sites = sites, sites.unique()
    place = sites.get_indexer(pd.Index(texts))
    strange = np.flatnonzero(place < 0)
    normal = [normal_of(target) for target in texts.iloc[strange]]
    place[strange] = sites.get_indexer(pd.Index(normal, dtype=object))
    amount = number.to_numpy(dtype=np.float64)[known]
    there = place >= 0
    values = np.bincount(place[there], amount[there], minlength=len(sites)).astype(np.float64)
    stated = np.zeros(len(sites), dtype=bool)
    stated[place[there]] = True
    name = _UNNAMED if given.name is None else str(given.name)
    row = sites.get_indexer(every)
    if len(sites) and not values.any():
        raise InputError(
            f"None of the {len(sites)} sites has a {name} above 0. Pass a number of each target, by the targets that "
            "the frame is about."
        )
    return Weighed(
        values[row],
        {
            "weight": name,
            "weight_total": float(values.sum()),
            "weight_sites": int((values > 0).sum()),
            "weight_missing": int((~stated).sum()),
            "weight_zero": int((stated & (values == 0)).sum()),
            "weight_unanswered": float(amount[~there].sum()),
        },
    )


def _series(weight: Any) -> pd.Series:
    if isinstance(weight, pd.Series):
        return weight
    if isinstance(weight, Mapping) and weight:
        return pd.Series(list(weight.values()), index=pd.Index(list(weight), dtype=object), dtype=object)
    if isinstance(weight, str):
        raise InputError(
            f"weight={weight!r:.80} names a column, which only a run knows: run.shares(weight=…). Here pass a Series "
            "of numbers indexed by target, such as table.set_index('domain')['Spend']."
        )
    given = "an empty one" if isinstance(weight, Mapping) else type(weight).__name__
    raise InputError(f"weight is a Series of numbers indexed by target, or a mapping of targets to them, not {given}.")


def _numbers(given: pd.Series) -> pd.Series:
    """Return the weights as numbers, missing where blank; refuse what is none."""
    blank = given.isna() | given.map(lambda cell: isinstance(cell, str) and not cell.strip()).astype(bool)
    # True and dates could be made numbers too.
    plain = given.map(lambda cell: isinstance(cell, _NUMBERS) and not isinstance(cell, bool)).astype(bool)
    number = pd.to_numeric(given.where(plain & ~blank), errors="coerce").astype("float64")
    name = _UNNAMED if given.name is None else given.name
    for wrong, what, advice in (
        (~blank & (number.isna() | ~plain), "no number", "Write it without a currency and separators, as 1200.5"),
        (number < 0, "negative", "None may be below 0: leave the site out"),
        (np.isinf(number), "infinite", "Pass a finite number, or leave the site out"),
    ):
        if wrong.any():
            at, more = int(np.flatnonzero(wrong)[0]), int(wrong.sum()) - 1
            others = f" (and so {'is' if more == 1 else 'are'} {more} more)" if more else ""
            raise InputError(
                f"The {name!s:.80} of {given.index[at]!s:.200} is {what}: {given.iloc[at]!r:.80}{others}. {advice}."
            )
    return number
