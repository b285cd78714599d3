"""Widgets for JupyterLab. A widget holds controls and a public value; what it does is in plain functions."""

from toolkit.widgets.lookup import Lookup
from toolkit.widgets.run_panel import RunPanel

__all__ = ["Lookup", "RunPanel"]
