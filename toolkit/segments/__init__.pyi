from .definition import Segment
from .export import export_segment
from .overlaps import segment_overlap
from .plan import SitePlan, plan_sites

__all__ = [
    "Segment",
    "SitePlan",
    "export_segment",
    "plan_sites",
    "segment_overlap",
]
