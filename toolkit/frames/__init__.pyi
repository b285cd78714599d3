from .asked import DenominatorWarning, joined
from .columns import VocabularyWarning
from .schemas import BASIS, DIMENSIONS, SCHEMAS
from .typed import audiences, categories, codes, companies, technologies

__all__ = [
    "BASIS",
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
