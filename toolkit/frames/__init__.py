"""Answers as tidy tables: each frame has one declared schema, whatever and however much comes in."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
