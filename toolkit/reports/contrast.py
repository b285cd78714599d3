"""How well one colour is read on another."""

from __future__ import annotations

__all__ = ["brightness", "contrast"]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours of six hexadecimal digits, from 1 to 21, as WCAG 2 defines it.

    Examples
    --------
    >>> contrast("000000", "#ffffff")
    21.0
    """
    darker, lighter = sorted((brightness(one), brightness(other)))
    return (lighter + 0.05) / (darker + 0.05)


def brightness(colour: str) -> float:
    """Return how bright a colour of six hexadecimal digits is, from 0 to 1: its relative luminance in WCAG 2.

    Examples
    --------
    >>> round(brightness("808080"), 3)
    0.216
    """
    parts = [value / 255 for value in bytes.fromhex(colour.lstrip("#"))]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)  # noqa: PLR2004 - sRGB
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
