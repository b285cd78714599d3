"""Where companies are and how large they are, as people say it: frames and exports keep what the service answered."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["company_words", "country_name", "place_name", "range_words"]

_NUMBER: Final = r"([^\w\s-]?)([\d,]+)([A-Za-z]{0,2})"
_BETWEEN: Final = re.compile(rf"{_NUMBER}\s*[-\N{{EN DASH}}]\s*{_NUMBER}")
_OVER: Final = re.compile(rf"{_NUMBER}\s*\+")
_RANGES: Final = frozenset({"employee_range", "revenue_range"})


def range_words(text: str) -> str:
    """Return a range of numbers in words, and any other text as it is.

    >>> range_words("51-200"), range_words("10000+"), range_words("£10M-£50M")
    ('51 to 200', '10,000 or more', '£10M to £50M')
    """
    if found := _BETWEEN.fullmatch(text.strip()):
        parts = found.groups()
        return f"{_number(*parts[:3])} to {_number(*parts[3:])}"
    found = _OVER.fullmatch(text.strip())
    return f"{_number(*found.groups())} or more" if found else text


def place_name(country: str | None, state: str) -> str:
    """Return the name of a state of which the service gave the letters, and any other as it is.

    >>> place_name("US", "OH"), place_name("DE", "OH")
    ('Ohio', 'OH')
    """
    return _states().get((country or "", state), state)


def country_name(code: str) -> str:
    """Return the name of a country as one says it after "from".

    >>> country_name("NL"), country_name("nowhere")
    ('the Netherlands', 'nowhere')
    """
    return _countries().get(code, code)


def company_words(field: str, value: str, country: str | None = None) -> str:
    """Return what is known of a company as people read it: its size, its country and its state in words.

    >>> company_words("employee_range", "51-200"), company_words("state", "OH", "US"), company_words("country", "NL")
    ('51 to 200', 'Ohio', 'Netherlands')
    """
    if field == "country":
        return country_name(value).removeprefix("the ")
    if field == "state":
        return place_name(country, value)
    return range_words(value) if field in _RANGES else value


def _number(sign: str, digits: str, unit: str) -> str:
    return f"{sign}{int(digits.replace(',', '') or 0):,}{unit}"


@cache
def _countries() -> dict[str, str]:
    return dict(line.split("\t") for line in _lines("countries.tsv"))


@cache
def _states() -> dict[tuple[str, str], str]:
    rows = (line.split("\t") for line in _lines("states.tsv"))
    return {(country, code): name for country, code, name in rows}


def _lines(name: str) -> list[str]:
    return files("toolkit.interface.data").joinpath(name).read_text(encoding="utf-8").splitlines()[1:]
