"""Texts and values of reports as every format can hold them and people read them."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, Literal

import pandas as pd

from toolkit.interface.errors import InputError
from toolkit.interface.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["FORMS", "Form", "check_one_of", "clean", "cleaned", "kept_together", "paragraphs", "said"]

Form = Literal["text", "whole", "number", "percent"]
FORMS: Final = ("text", "whole", "number", "percent")
#: Code points that XML does not allow, beside the control characters.
_NO_CHARACTERS: Final = {0xFFFE: None, 0xFFFF: None}
_PERCENT: Final = re.compile(r"(\d) %")


def clean(text: object) -> str:
    r"""Return a text that every format can hold and that hides nothing.

    Examples
    --------
    >>> clean("Kites\x0b and \x00boots\ufffe")
    'Kites  and boots'
    """
    return printable(str(text)).translate(_NO_CHARACTERS)


def said(value: Any, form: Form = "text") -> str:
    """Return a value as people read it.

    Parameters
    ----------
    value : object
        A cell of a table. What is missing is an en dash.
    form : {"text", "whole", "number", "percent"}
        A share of 0.29 is "29 %" as percent.

    Examples
    --------
    >>> said(0.294, "percent"), said(1234, "whole"), said(0.0004, "percent"), said(float("nan"), "number")
    ('29 %', '1,234', '<1 %', '–')
    """
    if pd.isna(value):
        return "–"
    if form != "text" and math.isinf(value):
        return "∞"
    if form == "percent":
        return "<1 %" if 0 < value < 0.005 else f"{100 * value:.0f} %"  # noqa: PLR2004 - what would be rounded to nothing
    if form == "whole":
        return f"{value:,.0f}"
    if form == "number":
        return f"{value:,.3f}" if 0 < abs(value) < 0.1 else f"{value:,.1f}"  # noqa: PLR2004 - small chances need digits
    return clean(value)


def paragraphs(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that say something, clean."""
    return tuple(text for text in map(kept_together, texts) if text.strip())


def kept_together(text: object) -> str:
    """Return a clean text in which no line ends between a number and its percent sign."""
    return _PERCENT.sub("\\1\N{NO-BREAK SPACE}%", clean(text))


def cleaned(frame: pd.DataFrame, needed: list[str], kind: str) -> pd.DataFrame:
    """Return the columns that are needed of a frame, with clean texts.

    Raises
    ------
    InputError
        If one is missing; `kind` says of what.
    """
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise InputError(
            f"The frame of a {kind} has no column {', '.join(map(repr, missing))}. Name one that is there."
        )
    kept = frame[list(dict.fromkeys(needed))].reset_index(drop=True)
    texts = {
        name: kept[name].map(clean, na_action="ignore").astype(object)
        for name in kept.columns
        if not pd.api.types.is_numeric_dtype(kept[name])
    }
    return kept.assign(**texts)


def check_one_of(value: str, known: tuple[str, ...], name: str) -> None:
    """Refuse a value that is none of those known."""
    if value not in known:
        raise InputError(f"{name} must be one of {', '.join(known)}, not {value!r}.")
