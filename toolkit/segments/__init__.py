"""Which sites are wanted: a language for it, the sites that match, plans and files to hand over."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
