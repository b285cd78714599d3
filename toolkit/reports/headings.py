"""What the values of a dimension are called above a table, a picture and a fact."""

from __future__ import annotations

from toolkit.findings.insights.tautologies import OWN
from toolkit.interface.words.labels import field_label

__all__ = ["heading_of"]


def heading_of(dimension: str) -> str:
    """Return what the values of a dimension are called; a column of the user's own keeps its words."""
    return field_label(dimension.removeprefix(OWN))
