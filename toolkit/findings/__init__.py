"""What can be said of sites: frames in, frames out.

A name here is the function, also where a module beside it is called the same.
"""

from __future__ import annotations

from toolkit.findings.compare import compare
from toolkit.findings.coverage import (
    compare_versions,
    concentration,
    coverage,
    coverage_by_group,
    coverage_by_tier,
    gaps,
)
from toolkit.findings.drift import drift, drift_sites
from toolkit.findings.links import persona_links
from toolkit.findings.misreading import corrected_shares, expected_shares, explained_away
from toolkit.findings.nearest import nearest, nearest_codes
from toolkit.findings.overlap import overlap, reach
from toolkit.findings.shares import confidence_bands, confidence_bins, empty_blocks, shares, technology_shares
from toolkit.findings.unseen import accumulation, unseen

__all__ = [
    "accumulation",
    "compare",
    "compare_versions",
    "concentration",
    "confidence_bands",
    "confidence_bins",
    "corrected_shares",
    "coverage",
    "coverage_by_group",
    "coverage_by_tier",
    "drift",
    "drift_sites",
    "empty_blocks",
    "expected_shares",
    "explained_away",
    "gaps",
    "nearest",
    "nearest_codes",
    "overlap",
    "persona_links",
    "reach",
    "shares",
    "technology_shares",
    "unseen",
]
