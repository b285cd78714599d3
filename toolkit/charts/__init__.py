"""Pictures of frames. A chart draws what its frame says and returns a Figure; it fetches and computes nothing.

Every figure says its finding in the title, and has an alt text and its data: `alt_text` and `data_of`.
"""

from __future__ import annotations

from toolkit.charts.accumulation import accumulation_curve
from toolkit.charts.beside import beside
from toolkit.charts.colours import PALETTE
from toolkit.charts.comparison import comparison
from toolkit.charts.confidence import category_confidence, code_confidence, confidence_distribution
from toolkit.charts.flow import persona_flow
from toolkit.charts.heatmap import heatmap
from toolkit.charts.hierarchy import coverage_bars, coverage_icicle, coverage_sunburst, coverage_treemap
from toolkit.charts.overlap_matrix import overlap_matrix
from toolkit.charts.pictures import save_pictures
from toolkit.charts.profile import profile_card
from toolkit.charts.technologies import technologies
from toolkit.charts.template import alt_text, data_of, display_bundle

__all__ = [
    "PALETTE",
    "accumulation_curve",
    "alt_text",
    "beside",
    "category_confidence",
    "code_confidence",
    "comparison",
    "confidence_distribution",
    "coverage_bars",
    "coverage_icicle",
    "coverage_sunburst",
    "coverage_treemap",
    "data_of",
    "display_bundle",
    "heatmap",
    "overlap_matrix",
    "persona_flow",
    "profile_card",
    "save_pictures",
    "technologies",
]
