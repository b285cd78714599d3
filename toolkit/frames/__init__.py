"""Answers as tidy tables: each frame has one declared schema, whatever and however much comes in."""

from toolkit.frames.schemas import DIMENSIONS, SCHEMAS
from toolkit.frames.typed import VocabularyWarning, audiences, categories, codes, companies, technologies, validate

__all__ = [
    "DIMENSIONS",
    "SCHEMAS",
    "VocabularyWarning",
    "audiences",
    "categories",
    "codes",
    "companies",
    "technologies",
    "validate",
]
