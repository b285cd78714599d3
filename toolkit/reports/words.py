"""Values and texts of reports: as every format can hold them, and as people read them."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, Literal

import pandas as pd

from toolkit.findings.insights.sentences import enumerated
from toolkit.interface.errors import InputError
from toolkit.interface.text import percentage, printable, rounded, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "FORMS",
    "MOST_TIES",
    "Form",
    "briefly",
    "check_one_of",
    "clean",
    "cleaned",
    "examples",
    "kept_together",
    "leaders",
    "listing",
    "lowered",
    "of_sites",
    "paragraphs",
    "said",
    "sentence",
    "together",
    "verb",
]

Form = Literal["text", "whole", "number", "percent", "points"]
FORMS: Final = ("text", "whole", "number", "percent", "points")
#: Code points that XML does not allow, beside the control characters.
_NO_CHARACTERS: Final = {0xFFFE: None, 0xFFFF: None}
_PERCENT: Final = re.compile(r"(\d) %")
#: More than these are not all named.
MOST_TIES: Final = 3
#: Of at most so many sites some are named, and these are at most so many and so long.
_FEW: Final = 5
_EXAMPLES: Final = 3
_LONGEST_SITE: Final = 40


# What every format can hold ------------------------------------------------------------------------------------------


def clean(text: object) -> str:
    r"""Return a text that every format can hold and that hides nothing.

    Examples
    --------
    >>> clean("Kites\x0b and \x00boots\ufffe")
    'Kites  and boots'
    """
    return printable(str(text)).translate(_NO_CHARACTERS)


def said(value: Any, form: Form = "text") -> str:
    """Return a value of a table as people read it; a share of 0.29 is a percentage, what is missing an en dash.

    Examples
    --------
    >>> said(0.294, "percent"), said(1234, "whole"), said(0.0004, "percent"), said(float("nan"), "number")
    ('29 %', '1,234', '<1 %', '–')
    >>> said(0.294, "points"), said(-0.1, "points"), said(0.0, "points")
    ('+29', '−10', '0')
    """
    if pd.isna(value) or (form != "text" and math.isinf(value)):
        return "–" if pd.isna(value) else "∞"
    if form == "percent":
        return "<1 %" if 0 < value < 0.005 else percentage(value)  # noqa: PLR2004 - what would be rounded to nothing
    match form:
        case "points":
            return f"{shown:+}".replace("-", "\N{MINUS SIGN}") if (shown := rounded(100 * value)) else "0"
        case "whole":
            return f"{rounded(value):,}"
        case "number":
            # Small chances need digits.
            return f"{rounded(value, 3 if 0 < abs(value) < 0.1 else 1):,}"  # noqa: PLR2004
    return clean(value)


def paragraphs(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that say something, clean."""
    return tuple(text for text in map(kept_together, texts) if text.strip())


def kept_together(text: object) -> str:
    """Return a clean text in which no line ends between a number and its percent sign."""
    return _PERCENT.sub("\\1\N{NO-BREAK SPACE}%", clean(text))


def cleaned(frame: pd.DataFrame, needed: list[str], kind: str) -> pd.DataFrame:
    """Return the columns that are needed of a frame, with clean texts; where one is missing, `kind` says of what."""
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


# Wordings ------------------------------------------------------------------------------------------


def of_sites(row: Any, count: str = "with_code") -> str:
    """Return the share of a row of shares in words, with its interval.

    Examples
    --------
    >>> of_sites({"with_code": 51, "n": 62, "share": 0.8226, "share_low": 0.709, "share_high": 0.898})
    '51 of 62 sites (82 %; 95 % interval 71 to 90 %)'
    """
    low, high = (said(row[name], "percent").removesuffix(" %") for name in ("share_low", "share_high"))
    sites = "site" if row["n"] == 1 else "sites"
    return f"{row[count]:,} of {row['n']:,} {sites} ({said(row['share'], 'percent')}; 95 % interval {low} to {high} %)"


def listing(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    Examples
    --------
    >>> listing(["boots", "kites", "tents"])
    'boots, kites and tents'
    """
    return enumerated(words, len(words))


def examples(sites: Iterable[str]) -> str:
    """Return sites as they are named behind their number where they are few, and otherwise nothing.

    Examples
    --------
    >>> examples(["kites.example", "boots.example"])
    ', namely boots.example and kites.example'
    >>> examples("abcd"), examples("abcdef")
    (', such as a, b and c', '')
    """
    found = sorted({shortened(clean(site), _LONGEST_SITE) for site in sites})
    if not 0 < len(found) <= _FEW:
        return ""
    return f", {'namely' if len(found) <= _EXAMPLES else 'such as'} {listing(found[:_EXAMPLES])}"


def briefly(sites: Sequence[str], most: int = _EXAMPLES) -> str:
    """Return the first sites and how many there are besides.

    Examples
    --------
    >>> briefly(["boots.example", "kites.example", "tents.example", "sails.example", "ropes.example"])
    'boots.example, kites.example, tents.example and 2 more'
    """
    return enumerated([_without_middle(clean(site)) for site in sites], most)


def _without_middle(site: str) -> str:
    half = _LONGEST_SITE // 2
    return site if len(site) <= _LONGEST_SITE else f"{site[: half - 1]}…{site[-half:]}"


def lowered(label: object) -> str:
    """Return a label as it stands within a sentence; abbreviations keep their capitals.

    Examples
    --------
    >>> lowered("Middle income"), lowered("IT and Internet"), lowered("35 to 44 years")
    ('middle income', 'IT and Internet', '35 to 44 years')
    """
    text = clean(label)
    return text if text[1:2].isupper() or text[1:2] == "-" else text[:1].lower() + text[1:]


def leaders(labels: Sequence[object], counts: Sequence[int]) -> tuple[str, bool]:
    """Return those that lead a list that is ordered by count, in words, and whether there are several.

    Examples
    --------
    >>> leaders(["Boots", "Kites", "Tents"], [5, 5, 3])
    ('Boots and Kites', True)
    """
    first = [clean(label) for label, count in zip(labels, counts, strict=True) if count == counts[0]]
    return _some(first), len(first) > 1


def together(labels: Sequence[object]) -> str:
    """Return labels as they stand within a sentence; a last word that all have is said once.

    Examples
    --------
    >>> together(["35 to 44 years", "25 to 34 years"]), together(["Urban", "Rural"]), together(["Boots"])
    ('35 to 44 and 25 to 34 years', 'urban and rural', 'boots')
    """
    words = [lowered(label) for label in labels]
    last = {text.rpartition(" ")[2] if " " in text else "" for text in words}
    if len(last) == 1 and last != {""} and len(words) <= MOST_TIES:
        words[:-1] = [text.rpartition(" ")[0] for text in words[:-1]]
    return _some(words)


def _some(words: list[str]) -> str:
    if len(words) > MOST_TIES:
        return f"{', '.join(words[: MOST_TIES - 1])} and {len(words) - MOST_TIES + 1} others"
    return listing(words)


def verb(number: int, one: str, many: str) -> str:
    """Return the form of a verb or pronoun that goes with a number."""
    return one if number == 1 else many


def sentence(text: str) -> str:
    """Return a text that ends with a full stop."""
    return text if text.endswith((".", "?", "!")) else f"{text}."
