"""Texts as HTML."""

from __future__ import annotations

from html import escape

from toolkit.interface.text import printable

__all__ = ["escaped"]


def escaped(text: str) -> str:
    """Return a text as HTML on one line."""
    return escape(printable(text))
