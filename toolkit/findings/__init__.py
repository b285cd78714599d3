"""What can be said of sites: frames in, frames out.

A name here is the function, also where a module beside it is called the same.
"""

from __future__ import annotations

from toolkit.findings.compare import compare, one_family
from toolkit.findings.coverage import (
    compare_versions,
    concentration,
    coverage,
    coverage_by_group,
    coverage_by_tier,
    gaps,
)
from toolkit.findings.drift import drift, drift_sites
from toolkit.findings.insights.findings import findings
from toolkit.findings.links import persona_links
from toolkit.findings.misreading import corrected_shares, expected_shares, explained_away
from toolkit.findings.nearest import nearest, nearest_codes
from toolkit.findings.overlap import overlap, reach
from toolkit.findings.planning.lookalikes import lookalike_codes, lookalike_quality, lookalikes
from toolkit.findings.planning.safety import blocked_sites, brand_safety
from toolkit.findings.planning.samples import sites_needed, smallest_index
from toolkit.findings.planning.trend import trend, trend_changes
from toolkit.findings.sensitive import sensitive_rules
from toolkit.findings.shares import confidence_bands, confidence_bins, empty_blocks, shares, technology_shares
from toolkit.findings.unseen import accumulation, unseen

__all__ = [
    "accumulation",
    "blocked_sites",
    "brand_safety",
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
    "findings",
    "gaps",
    "lookalike_codes",
    "lookalike_quality",
    "lookalikes",
    "nearest",
    "nearest_codes",
    "one_family",
    "overlap",
    "persona_links",
    "reach",
    "sensitive_rules",
    "shares",
    "sites_needed",
    "smallest_index",
    "technology_shares",
    "trend",
    "trend_changes",
    "unseen",
]
