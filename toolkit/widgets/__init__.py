"""Widgets for JupyterLab. A widget holds controls and a public value; what it does is in plain functions.

Each loads on first use: those over findings need statistics and all charts.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit.widgets.findings.compare import Compare
    from toolkit.widgets.findings.coverage import CoverageExplorer
    from toolkit.widgets.lookup.box import Lookup
    from toolkit.widgets.run.panel import RunPanel
    from toolkit.widgets.segments.builder import SegmentBuilder

_MODULES = {
    "Compare": "findings.compare",
    "CoverageExplorer": "findings.coverage",
    "Lookup": "lookup.box",
    "RunPanel": "run.panel",
    "SegmentBuilder": "segments.builder",
}

__all__ = ["Compare", "CoverageExplorer", "Lookup", "RunPanel", "SegmentBuilder"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"toolkit.widgets.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'toolkit.widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
