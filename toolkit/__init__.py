"""A Jupyter toolkit for domain and URL classification.

Everything loads on first use, so that ``import toolkit`` is quick and silent: the names stand in ``__init__.pyi``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
