"""Pictures of frames. A chart draws what its frame says and returns a Figure; it fetches and computes nothing.

Every figure says its finding in the title, and has an alt text and its data: `alt_text` and `data_of`.
"""

from __future__ import annotations

from toolkit.charts.confidence import category_confidence, code_confidence
from toolkit.charts.template import PALETTE, alt_text, data_of, display_bundle

__all__ = ["PALETTE", "alt_text", "category_confidence", "code_confidence", "data_of", "display_bundle"]
