"""Widgets for JupyterLab. A widget holds controls and a public value; what it does is in plain functions.

Each loads on first use: those over findings need statistics and all charts.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit.widgets.compare import Compare
    from toolkit.widgets.coverage_explorer import CoverageExplorer
    from toolkit.widgets.lookup import Lookup
    from toolkit.widgets.run_panel import RunPanel
    from toolkit.widgets.segment_builder import SegmentBuilder

_MODULES = {
    "Compare": "compare",
    "CoverageExplorer": "coverage_explorer",
    "Lookup": "lookup",
    "RunPanel": "run_panel",
    "SegmentBuilder": "segment_builder",
}

__all__ = ["Compare", "CoverageExplorer", "Lookup", "RunPanel", "SegmentBuilder"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"toolkit.widgets.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'toolkit.widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
