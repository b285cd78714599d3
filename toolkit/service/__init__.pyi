from .faults import Faults
from .settings import Settings

__all__ = [
    "Faults",
    "Settings",
]
