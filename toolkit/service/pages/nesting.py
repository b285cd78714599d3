"""Pages nested deeper than any reader needs, on which a parser's time grows with the square of the depth."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

__all__ = ["shallow"]

_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]{0,30})")
#: Elements that have no content, or end where the next begins.
_FLAT: Final = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "p",
        "li",
        "dt",
        "dd",
        "option",
        "tr",
        "td",
        "th",
    )
)
_DEEPEST: Final = 6_000
#: A page of fewer tags cannot be deep enough to take long; this keeps the count off ordinary pages.
_HARMLESS: Final = 20_000


def shallow(source: str) -> str:
    """Return a page up to where it is nested too deep.

    >>> shallow("<p>Kites</p>"), len(shallow("<div>" * 100_000)) < 50_000
    ('<p>Kites</p>', True)
    """
    if source.count("<") <= _HARMLESS:
        return source
    # By name, so that end tags of nothing do not make up for what is open.
    opened: Counter[str] = Counter()
    depth = 0
    for tag in _TAG.finditer(source):
        name = tag[2].lower()
        if name in _FLAT:
            continue
        if not tag[1]:
            opened[name] += 1
            depth += 1
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
        if depth > _DEEPEST:
            return source[: tag.start()]
    return source
