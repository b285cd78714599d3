"""Widgets for JupyterLab. A widget holds controls and a public value; what it does is in plain functions.

Each loads on first use: those over findings need statistics and all charts.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
