"""How a confidence is written: as a number, a percentage, with its word before it, or in one text with a name."""

from __future__ import annotations

import re
import reprlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BEYOND", "CATEGORY_PREFIX", "PREFIX", "confidence_of", "fractions", "number_in", "stated_confidence",
           "told_together"]  # fmt: skip

#: Whole numbers from here on are in no database, and no number of anything.
BEYOND: Final = 2**63
#: What stands before a confidence and before a category.
PREFIX: Final = re.compile(r"^\s*(?:confidence|score)\s*[:=]\s*", re.IGNORECASE)
CATEGORY_PREFIX: Final = re.compile(r"^\s*category(?:\s+name)?\s*:\s*", re.IGNORECASE)
#: The same within a text.
_PREFIX_WITHIN: Final = re.compile(r"[\s,;|(\[/\u2013\u2014-](?:confidence|score)\s?[:=]", re.IGNORECASE)
_CATEGORY_WITHIN: Final = re.compile(r"[\s,;|]category(?:\sname)?\s?:", re.IGNORECASE)
#: Numbers at the end of a text that are hardly part of a name: whole ones (``Windows (95)``) are more likely to be.
_DECIMAL: Final = r"(?:\d{0,3}\.\d{1,20}|[01])"
_PERCENTAGE: Final = r"(?:\d{1,3}(?:\.\d{1,20})?\s?%)"
_BEHIND: Final = re.compile(
    rf"(?:[:=|\t]\s?({_PERCENTAGE}|{_DECIMAL}|\d{{1,3}})|[(\[]\s?({_PERCENTAGE}|{_DECIMAL})\s?[)\]]|"
    rf"(?:[,;]\s?|\s[\u2013\u2014-]\s)({_PERCENTAGE}|{_DECIMAL})|\s({_PERCENTAGE}|0?\.\d{{1,20}}))\Z"
)
_BETWEEN: Final = " \t,;|=:([/-\u2013\u2014"
_GROUPED: Final = re.compile(r"^[+-]?[1-9]\d{0,2}(?:[,_]\d{3})+(?:\.\d+)?$")
#: Percentages where the largest number of a list is above the first and at most the second.
_PERCENT: Final = (10, 100)


def number_in(text: str) -> float | None:
    """Return the number that a text is; None if it is none.

    >>> number_in("1,234"), number_in("87 %"), number_in("much")
    (1234.0, 0.87, None)
    """
    digits = text.strip()
    if _GROUPED.match(digits):
        digits = digits.replace(",", "").replace("_", "")
    try:
        return float(digits.removesuffix("%")) / (100 if digits.endswith("%") else 1)
    except ValueError:
        return None


def told_together(text: str) -> tuple[str, str | None]:
    """Return the name and the confidence that stand in one text; the text alone where there is no confidence.

    >>> told_together("Law, Government & Politics, Confidence: 0.6"), told_together("TV (general)")
    (('Law, Government & Politics', '0.6'), ('TV (general)', None))
    >>> told_together("Pets > Dogs (60%)"), told_together("Windows (95)")
    (('Pets > Dogs', '60%'), ('Windows (95)', None))
    """
    text = text.strip()
    if (first := PREFIX.match(text)) and (category := _CATEGORY_WITHIN.search(text, first.end())):
        return text[category.end() :].strip(), text[first.end() : category.start()].strip(_BETWEEN)
    name, stated = text, ""
    if marks := list(_PREFIX_WITHIN.finditer(text)):
        name, stated = text[: marks[-1].start()], text[marks[-1].end() :].strip().rstrip(")]")
    elif found := _BEHIND.search(text):
        name, stated = text[: found.start()], next(number for number in found.groups() if number)
    name = name.rstrip(_BETWEEN)
    return (name, stated.strip()) if stated and name else (text, None)


def stated_confidence(value: Any) -> float | None:
    """Return the number that is stated as a confidence, in whatever scale; what is none is a `ValueError`.

    >>> stated_confidence("Confidence: 87")
    87.0
    """
    stated = PREFIX.sub("", value).strip() if isinstance(value, str) else value
    if stated is None or stated == "":
        return None
    number = number_in(stated) if isinstance(stated, str) else stated
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ValueError(f"{reprlib.repr(value)} is not a confidence")  # noqa: TRY004 - pydantic reports a ValueError
    return float(number) if abs(number) < BEYOND else None


def confidence_of(value: Any) -> float | None:
    """Return a confidence that is one by itself; a `ValueError` where it takes the others of its list to tell.

    >>> confidence_of("Confidence: 87%")
    0.87
    """
    number = stated_confidence(value)
    if number is None or 0 <= number <= 1:
        return number
    raise ValueError(f"{reprlib.repr(value)} is outside of 0 to 1")


def fractions(stated: Iterable[float | None]) -> list[float | None]:
    """Return the confidences of a list as numbers from 0 to 1; None where one is none, or where none can be told.

    >>> fractions([87, 12.5, None]), fractions([87, 0.5])
    ([0.87, 0.125, None], [None, None])
    """
    numbers = list(stated)
    known = [number for number in numbers if number is not None]
    least, most = _PERCENT
    scale: float | None = 1
    if least < max(known, default=0) <= most:
        scale = None if any(0 < number < 1 for number in known) else 100
    found = [None if number is None or scale is None else number / scale for number in numbers]
    return [number if number is not None and 0 <= number <= 1 else None for number in found]
