from .sender import Batches

__all__ = [
    "Batches",
]
