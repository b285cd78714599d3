"""Widgets for JupyterLab. A widget holds controls and a public value; what it does is in plain functions.

Each loads on first use: those over findings need statistics and all charts.
"""

from __future__ import annotations

import lazy_loader

from toolkit.interface.errors import need

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name in __all__:
        need("lab", f"toolkit.widgets.{name}", "anywidget", "ipywidgets")
    return _load(name)
