from .settings import Settings
from .web.faults import Faults

__all__ = [
    "Faults",
    "Settings",
]
