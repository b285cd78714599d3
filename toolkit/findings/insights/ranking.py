"""In which order findings are told: what is proven by its distance, then what is counted, and leads at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.findings.insights.told import Finding

__all__ = ["ranked"]

#: Proven findings before anything that is only counted: a reader takes five things along.
_FIRST: Final = 5
#: Of each kind that is counted, so many follow them at once.
_ROUND: Final = 2
_COUNTED: Final = ("common", "gap", "outlier")


def ranked(found: Iterable[Finding]) -> list[Finding]:
    """Return findings in order: five proven ones, the first counts of each kind, the others, and leads."""
    every = sorted(found, key=lambda finding: (-round(finding.strength, 6), finding.q, finding.sentence))
    leads = [finding for finding in every if finding.kind == "lead"]
    counted = {kind: [finding for finding in every if finding.kind == kind] for kind in _COUNTED}
    proven = [finding for finding in every if finding.kind != "lead" and finding.kind not in _COUNTED]
    opening = [finding for kind in _COUNTED for finding in counted[kind][:_ROUND]]
    rest = [finding for kind in _COUNTED for finding in counted[kind][_ROUND:]]
    return [*proven[:_FIRST], *opening, *proven[_FIRST:], *rest, *leads]
