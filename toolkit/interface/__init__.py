"""The service's words: what can be asked, what comes back, and what can be wrong. Nothing here sends or stores."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
