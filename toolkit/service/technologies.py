"""Technologies that a page shows in its scripts, tags and headers."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.service.matching import knowledge_rows

if TYPE_CHECKING:
    from toolkit.service.pages import Page

__all__ = ["find_technologies"]

#: Characters of a page that are searched for marks.
_HEAD: Final = 250_000
_TAIL: Final = 50_000


def find_technologies(page: Page) -> list[dict[str, str]]:
    """Return the technologies seen on a page, by category and name.

    Parameters
    ----------
    page : Page
        A parsed page with its headers.

    Returns
    -------
    list of dict
        ``name`` and ``category``, each name once.
    """
    cookies = "\n".join(part.split("=", 1)[0].strip() for part in page.headers.get("set-cookie", "").split(","))
    scripts = "\n".join(page.scripts)
    html = _ends(page.html)
    found: dict[str, str] = {}
    for name, category, place, pattern in _rules():
        if name in found:
            continue
        kind, _, detail = place.partition(":")
        text = {
            "script": scripts,
            "html": html,
            "cookie": cookies,
            "meta": page.metas.get(detail, ""),
            "header": page.headers.get(detail, ""),
        }[kind]
        if text and pattern.search(text):
            found[name] = category
    pairs = sorted(found.items(), key=lambda item: (item[1], item[0]))
    return [{"name": name, "category": category} for name, category in pairs]


def _ends(html: str) -> str:
    """Return the beginning and the end of a page, where technologies leave their marks."""
    return html if len(html) <= _HEAD + _TAIL else f"{html[:_HEAD]}\n{html[-_TAIL:]}"


@cache
def _rules() -> tuple[tuple[str, str, str, re.Pattern[str]], ...]:
    return tuple(
        (row["name"], row["category"], row["where"], re.compile(row["pattern"], re.IGNORECASE | re.MULTILINE))
        for row in knowledge_rows("technologies.tsv")
    )
