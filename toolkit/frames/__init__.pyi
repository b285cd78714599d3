from .asked import DenominatorWarning, joined
from .columns import VocabularyWarning
from .schemas import DIMENSIONS, SCHEMAS
from .typed import audiences, categories, codes, companies, technologies

__all__ = [
    "DIMENSIONS",
    "SCHEMAS",
    "DenominatorWarning",
    "VocabularyWarning",
    "audiences",
    "categories",
    "codes",
    "companies",
    "joined",
    "technologies",
]
