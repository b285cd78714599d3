from . import errors, models

__all__ = [
    "errors",
    "models",
]
