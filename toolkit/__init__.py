"""A Jupyter toolkit for domain and URL classification.

Everything loads on first use, so that ``import toolkit`` is quick and silent.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit import charts, errors, frames, models, targets, taxonomy, vocabulary, widgets
    from toolkit.accumulation import accumulation, unseen
    from toolkit.client import AsyncClient, Client
    from toolkit.compare import compare
    from toolkit.coverage import compare_versions, coverage
    from toolkit.coverage_summaries import concentration, coverage_by_group, coverage_by_tier, gaps
    from toolkit.drift import drift, drift_sites
    from toolkit.errors import ServiceError, ToolkitError
    from toolkit.frames import validate
    from toolkit.freshness import Freshness
    from toolkit.inbox import Inbox
    from toolkit.links import persona_links
    from toolkit.lookup import look_up
    from toolkit.nearest import nearest, nearest_codes
    from toolkit.outcomes import Outcome
    from toolkit.overlap import overlap, reach
    from toolkit.pictures import save_pictures
    from toolkit.receiver import Receiver
    from toolkit.report import write_report
    from toolkit.runs import Run
    from toolkit.saved_run import SavedRun, load_run, sample_run
    from toolkit.segment_export import export_segment
    from toolkit.segment_overlaps import segment_overlap
    from toolkit.segment_plan import SitePlan, plan_sites
    from toolkit.segments import Segment
    from toolkit.service.faults import Faults
    from toolkit.service.settings import Settings
    from toolkit.shares import confidence_bands, confidence_bins, empty_blocks, shares, technology_shares
    from toolkit.store import Store
    from toolkit.targets import Target, parse_domain, parse_target
    from toolkit.taxonomy import Taxonomy, load_taxonomy
    from toolkit.transport import Retries
    from toolkit.vocabulary import Vocabulary
    from toolkit.webhooks import verify

__version__ = "0.1.0"

_MODULES = ("charts", "errors", "frames", "models", "targets", "taxonomy", "vocabulary", "widgets")
_NAMES = {
    "AsyncClient": "client",
    "Client": "client",
    "Faults": "service.faults",
    "Freshness": "freshness",
    "Inbox": "inbox",
    "Outcome": "outcomes",
    "Receiver": "receiver",
    "Retries": "transport",
    "Run": "runs",
    "SavedRun": "saved_run",
    "Segment": "segments",
    "ServiceError": "errors",
    "Settings": "service.settings",
    "SitePlan": "segment_plan",
    "Store": "store",
    "Target": "targets",
    "Taxonomy": "taxonomy",
    "ToolkitError": "errors",
    "Vocabulary": "vocabulary",
    "accumulation": "accumulation",
    "compare": "compare",
    "compare_versions": "coverage",
    "concentration": "coverage_summaries",
    "confidence_bands": "shares",
    "confidence_bins": "shares",
    "coverage": "coverage",
    "coverage_by_group": "coverage_summaries",
    "coverage_by_tier": "coverage_summaries",
    "drift": "drift",
    "drift_sites": "drift",
    "empty_blocks": "shares",
    "export_segment": "segment_export",
    "gaps": "coverage_summaries",
    "load_run": "saved_run",
    "load_taxonomy": "taxonomy",
    "look_up": "lookup",
    "nearest": "nearest",
    "nearest_codes": "nearest",
    "overlap": "overlap",
    "parse_domain": "targets",
    "parse_target": "targets",
    "persona_links": "links",
    "plan_sites": "segment_plan",
    "reach": "overlap",
    "sample_run": "saved_run",
    "save_pictures": "pictures",
    "segment_overlap": "segment_overlaps",
    "shares": "shares",
    "technology_shares": "shares",
    "unseen": "accumulation",
    "validate": "frames",
    "verify": "webhooks",
    "write_report": "report",
}

__all__ = [
    "AsyncClient",
    "Client",
    "Faults",
    "Freshness",
    "Inbox",
    "Outcome",
    "Receiver",
    "Retries",
    "Run",
    "SavedRun",
    "Segment",
    "ServiceError",
    "Settings",
    "SitePlan",
    "Store",
    "Target",
    "Taxonomy",
    "ToolkitError",
    "Vocabulary",
    "__version__",
    "accumulation",
    "charts",
    "compare",
    "compare_versions",
    "concentration",
    "confidence_bands",
    "confidence_bins",
    "coverage",
    "coverage_by_group",
    "coverage_by_tier",
    "drift",
    "drift_sites",
    "empty_blocks",
    "errors",
    "export_segment",
    "frames",
    "gaps",
    "load_run",
    "load_taxonomy",
    "look_up",
    "models",
    "nearest",
    "nearest_codes",
    "overlap",
    "parse_domain",
    "parse_target",
    "persona_links",
    "plan_sites",
    "reach",
    "sample_run",
    "save_pictures",
    "segment_overlap",
    "shares",
    "targets",
    "taxonomy",
    "technology_shares",
    "unseen",
    "validate",
    "verify",
    "vocabulary",
    "widgets",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"toolkit.{name}")
    if name in _NAMES:
        return getattr(import_module(f"toolkit.{_NAMES[name]}"), name)
    raise AttributeError(f"module 'toolkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        # Python binds a module to its package when it is first imported: `toolkit.compare` would then be the module,
        # and not the function that it is for.
        if isinstance(value, ModuleType) and _NAMES.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
