"""A Jupyter toolkit for domain and URL classification.

Everything loads on first use, so that ``import toolkit`` is quick and silent: the names stand in ``__init__.pyi``.
"""

from __future__ import annotations

import sys
from types import ModuleType

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


class _Package(ModuleType):
    """The package, in which `runs` lists the runs that are kept; ``toolkit.runs.plan`` and so on are imported from."""

    def __setattr__(self, name: str, value: object) -> None:
        # Whatever is imported of the folder of that name would take the place of the function.
        if name != "runs":
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
