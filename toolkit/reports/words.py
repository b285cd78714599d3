"""Wordings of findings, and figures without the titles that a report says above them."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import plotly.graph_objects as go

from toolkit.charts import alt_text
from toolkit.interface.text import shortened
from toolkit.reports.texts import clean, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "MOST_TIES",
    "Picture",
    "examples",
    "leaders",
    "listing",
    "lowered",
    "of_sites",
    "picture_of",
    "sentence",
    "together",
    "verb",
]

#: Height of a line of a figure's title.
_LINE: Final = 22
_TAG: Final = re.compile(r"<br>|</?sub>")
#: More than these are not all named.
MOST_TIES: Final = 3
#: Of at most so many sites some are named, and these are at most so many and so long.
_FEW: Final = 5
_EXAMPLES: Final = 3
_LONGEST_SITE: Final = 40


class Picture(NamedTuple):
    """A figure for a report: without its title, which stands in the text with the footer and the alt text."""

    figure: go.Figure
    title: str
    footer: str
    alt: str


def picture_of(figure: go.Figure) -> Picture:
    """Return a figure without its title, and the texts that it had."""
    text = str(figure.layout.title.text or "")
    title, _, rest = text.partition("<br><sub>")
    bare = go.Figure(figure)
    lines = text.count("<br>") + 1
    bare.update_layout(title={"text": ""})
    if bare.layout.margin.t and bare.layout.height:
        top = max(int(bare.layout.margin.t) - _LINE * lines, 0)
        bare.update_layout(height=int(bare.layout.height) - int(bare.layout.margin.t) + top, margin={"t": top})
    words = [clean(html.unescape(_TAG.sub(" ", part))).strip() for part in (title, rest)]
    return Picture(bare, words[0], words[1], alt_text(figure))


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
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


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
