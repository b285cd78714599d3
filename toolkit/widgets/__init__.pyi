from .findings.compare import Compare
from .findings.coverage import CoverageExplorer
from .grid.box import Grid
from .grid.columns import Column
from .lookup.box import Lookup
from .run.panel import RunPanel
from .segments.builder import SegmentBuilder
from .site.card import SiteCard

__all__ = [
    "Column",
    "Compare",
    "CoverageExplorer",
    "Grid",
    "Lookup",
    "RunPanel",
    "SegmentBuilder",
    "SiteCard",
]
