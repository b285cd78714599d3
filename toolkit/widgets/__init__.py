"""Widgets for JupyterLab. A widget holds controls and a public value; what it does is in plain functions."""

from toolkit.widgets.lookup import Lookup

__all__ = ["Lookup"]
