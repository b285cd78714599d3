from .findings.compare import Compare
from .findings.coverage import CoverageExplorer
from .lookup.box import Lookup
from .run.panel import RunPanel
from .segments.builder import SegmentBuilder

__all__ = [
    "Compare",
    "CoverageExplorer",
    "Lookup",
    "RunPanel",
    "SegmentBuilder",
]
