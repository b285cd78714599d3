"""A Jupyter toolkit for domain and URL classification.

Everything loads on first use, so that ``import toolkit`` is quick and silent.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit import charts, frames, widgets
    from toolkit.charts.pictures import save_pictures
    from toolkit.client import AsyncClient, Client
    from toolkit.findings.accumulation import accumulation, unseen
    from toolkit.findings.compare import compare
    from toolkit.findings.coverage import compare_versions, coverage
    from toolkit.findings.drift import drift, drift_sites
    from toolkit.findings.links import persona_links
    from toolkit.findings.nearest import nearest, nearest_codes
    from toolkit.findings.overlap import overlap, reach
    from toolkit.findings.shares import confidence_bands, confidence_bins, empty_blocks, shares, technology_shares
    from toolkit.findings.summaries import concentration, coverage_by_group, coverage_by_tier, gaps
    from toolkit.frames.typed import validate
    from toolkit.interface import errors, models, targets, taxonomy, vocabulary
    from toolkit.interface.errors import ServiceError, ToolkitError
    from toolkit.interface.outcomes import Outcome
    from toolkit.interface.targets import Target, parse_domain, parse_target
    from toolkit.interface.taxonomy import Taxonomy, load_taxonomy
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.net.transport import Retries
    from toolkit.reports.document import write_report
    from toolkit.run import Run
    from toolkit.runs.lookup import look_up
    from toolkit.saved import SavedRun, load_run, sample_run
    from toolkit.segments.definition import Segment
    from toolkit.segments.export import export_segment
    from toolkit.segments.overlaps import segment_overlap
    from toolkit.segments.plan import SitePlan, plan_sites
    from toolkit.service.settings import Settings
    from toolkit.service.web.faults import Faults
    from toolkit.store.answers import Store
    from toolkit.store.freshness import Freshness
    from toolkit.webhooks.inbox import Inbox
    from toolkit.webhooks.receiver import Receiver
    from toolkit.webhooks.verify import verify

__version__ = "0.1.0"

_MODULES = {
    "charts": "charts",
    "errors": "interface.errors",
    "frames": "frames",
    "models": "interface.models",
    "targets": "interface.targets",
    "taxonomy": "interface.taxonomy",
    "vocabulary": "interface.vocabulary",
    "widgets": "widgets",
}
_NAMES = {
    "AsyncClient": "client",
    "Client": "client",
    "Faults": "service.web.faults",
    "Freshness": "store.freshness",
    "Inbox": "webhooks.inbox",
    "Outcome": "interface.outcomes",
    "Receiver": "webhooks.receiver",
    "Retries": "net.transport",
    "Run": "run",
    "SavedRun": "saved",
    "Segment": "segments.definition",
    "ServiceError": "interface.errors",
    "Settings": "service.settings",
    "SitePlan": "segments.plan",
    "Store": "store.answers",
    "Target": "interface.targets",
    "Taxonomy": "interface.taxonomy",
    "ToolkitError": "interface.errors",
    "Vocabulary": "interface.vocabulary",
    "accumulation": "findings.accumulation",
    "compare": "findings.compare",
    "compare_versions": "findings.coverage",
    "concentration": "findings.summaries",
    "confidence_bands": "findings.shares",
    "confidence_bins": "findings.shares",
    "coverage": "findings.coverage",
    "coverage_by_group": "findings.summaries",
    "coverage_by_tier": "findings.summaries",
    "drift": "findings.drift",
    "drift_sites": "findings.drift",
    "empty_blocks": "findings.shares",
    "export_segment": "segments.export",
    "gaps": "findings.summaries",
    "load_run": "saved",
    "load_taxonomy": "interface.taxonomy",
    "look_up": "runs.lookup",
    "nearest": "findings.nearest",
    "nearest_codes": "findings.nearest",
    "overlap": "findings.overlap",
    "parse_domain": "interface.targets",
    "parse_target": "interface.targets",
    "persona_links": "findings.links",
    "plan_sites": "segments.plan",
    "reach": "findings.overlap",
    "sample_run": "saved",
    "save_pictures": "charts.pictures",
    "segment_overlap": "segments.overlaps",
    "shares": "findings.shares",
    "technology_shares": "findings.shares",
    "unseen": "findings.accumulation",
    "validate": "frames.typed",
    "verify": "webhooks.verify",
    "write_report": "reports.document",
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
        return import_module(f"toolkit.{_MODULES[name]}")
    if name in _NAMES:
        return getattr(import_module(f"toolkit.{_NAMES[name]}"), name)
    raise AttributeError(f"module 'toolkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        # Python binds a module to its package when it is first imported: a name would then be the module,
        # and not the function that it is for.
        if isinstance(value, ModuleType) and _NAMES.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
