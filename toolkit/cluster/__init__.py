"""Runs over a Dask cluster."""

from __future__ import annotations

import lazy_loader

from toolkit.interface.errors import need

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name in __all__:
        need("dask", f"toolkit.cluster.{name}")
    return _load(name)
