"""Technologies that a page shows in its scripts, tags and headers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import fixed_texts, may_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["find_technologies"]

#: Characters of a page that are searched for marks.
_HEAD: Final = 250_000
_TAIL: Final = 50_000


def find_technologies(
    html: str, scripts: Iterable[str], metas: Mapping[str, str], headers: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return name and category of the technologies that a page and its headers show, by category, each name once."""
    cookies = "\n".join(part.split("=", 1)[0].strip() for part in headers.get("set-cookie", "").split(","))
    texts = {"script": "\n".join(dict.fromkeys(scripts)), "html": _ends(html), "cookie": cookies}
    lowered = {kind: text.lower() for kind, text in texts.items()}
    found: dict[str, str] = {}
    for rule in _rules():
        if rule.name in found:
            continue
        if rule.kind in texts:
            text = texts[rule.kind] if may_match(rule.needed, lowered[rule.kind]) else ""
        else:
            text = (metas if rule.kind == "meta" else headers).get(rule.detail, "")
        if text and rule.pattern.search(text):
            found[rule.name] = rule.category
    return tuple(sorted(found.items(), key=lambda item: (item[1], item[0])))


def _ends(html: str) -> str:
    """Return the beginning and the end of a page, where technologies leave their marks."""
    return html if len(html) <= _HEAD + _TAIL else f"{html[:_HEAD]}\n{html[-_TAIL:]}"


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    category: str
    kind: str
    detail: str
    pattern: re.Pattern[str]
    needed: tuple[tuple[str, ...], ...]


@cache
def _rules() -> tuple[_Rule, ...]:
    rules = []
    for row in knowledge_rows("technologies.tsv"):
        kind, _, detail = row["where"].partition(":")
        # Marks are ASCII. Without this flag a pattern's "s" would match the long s too, which lower case keeps apart.
        pattern = re.compile(row["pattern"], re.IGNORECASE | re.MULTILINE | re.ASCII)
        rules.append(_Rule(row["name"], row["category"], kind, detail, pattern, fixed_texts(row["pattern"])))
    return tuple(rules)
