"""A finding as it is told: one record a sentence, how sure it is, and in which order findings stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CERTAINTY", "COUNT", "KINDS", "LEAD", "Finding", "certainty", "ranked"]

#: What a finding is: told of a test, or of this list alone.
KINDS: Final = ("difference", "together", "change", "common", "outlier", "gap", "lead")
#: What is counted on this list and not tested, so that there is nothing to be sure of.
COUNT: Final = "a count"
#: What is not proven.
LEAD: Final = "a lead"
#: How sure a finding is, by one rule everywhere: see `certainty`.
CERTAINTY: Final = pd.CategoricalDtype([COUNT, LEAD, "likely", "clear"], ordered=True)
#: Proven findings before anything that is only counted: a reader takes five things along.
_FIRST: Final = 5
#: Of each kind that is counted, so many follow them at once.
_ROUND: Final = 2
_COUNTED: Final = ("common", "gap", "outlier")
#: Up to here at most one of a hundred such findings is false.
_CLEAR: Final = 0.01


@dataclass(frozen=True)
class Finding:
    """One finding.

    Attributes
    ----------
    strength : float
        By which findings of one standing are ranked, from 0 to 1.
    is_tie : bool
        Whether it says that nothing leads.
    """

    sentence: str
    kind: str
    certainty: str
    strength: float
    group: str | None = None
    dimension: str | None = None
    code: str | None = None
    label: str | None = None
    basis: str = "measured"
    effect: float = np.nan
    effect_low: float = np.nan
    effect_high: float = np.nan
    n: int | None = None
    with_code: int | None = None
    other_n: int | None = None
    other_with: int | None = None
    q: float = np.nan
    sites: tuple[str, ...] = ()
    against: tuple[str, ...] = field(default=())
    chart: str | None = None
    table: str | None = None
    is_tie: bool = False

    def as_row(self) -> dict[str, Any]:
        """Return the finding as a row of a frame."""
        return vars(self) | {"against": "; ".join(self.against) or None}


def certainty(q: float, level: float, *, inferred: bool, few: bool) -> str:
    """Return how sure a claim is.

    A lead where it is not proven; of what is proven, clear where at most one such claim in a hundred is false and
    neither general knowledge nor small numbers stand behind it; else likely.
    """
    if q > level:
        return LEAD
    return "clear" if q <= _CLEAR and not inferred and not few else "likely"


def ranked(found: Iterable[Finding]) -> list[Finding]:
    """Return findings in order: five proven ones, the first counts of each kind, the others, leads, and ties."""
    ordered = sorted(found, key=lambda finding: (-round(finding.strength, 6), finding.q, finding.sentence))
    every = [finding for finding in ordered if not finding.is_tie]
    ties = [finding for finding in ordered if finding.is_tie]
    leads = [finding for finding in every if finding.kind == "lead"]
    counted = {kind: [finding for finding in every if finding.kind == kind] for kind in _COUNTED}
    proven = [finding for finding in every if finding.kind != "lead" and finding.kind not in _COUNTED]
    opening = [finding for kind in _COUNTED for finding in counted[kind][:_ROUND]]
    rest = [finding for kind in _COUNTED for finding in counted[kind][_ROUND:]]
    return [*proven[:_FIRST], *opening, *proven[_FIRST:], *rest, *leads, *ties]
