"""Technologies that a page shows in its scripts, tags and headers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import Marks, fixed_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

__all__ = ["ends_of", "find_technologies", "shown_in", "technology_names"]

#: Characters of a page that are searched for marks.
_HEAD: Final = 250_000
_TAIL: Final = 50_000
#: Bytes of a character in UTF-8; as a number with a sign the first is not below that, and all others are.
_LONGEST: Final = 4
_FIRST: Final = -64
#: How far around a fixed text a pattern is searched; none reaches as far.
_REACH: Final = 500
#: Places whose texts are searched. In all but a page's source each line stands for itself.
_SEARCHED: Final = ("script", "html", "cookie")


def find_technologies(
    html: str, scripts: Iterable[str], metas: Mapping[str, str], headers: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return name and category of the technologies that a page's ends and its headers show, by category, each once."""
    cookies = "\n".join(part.split("=", 1)[0].strip() for part in headers.get("set-cookie", "").split(","))
    texts = {"script": "\n".join(dict.fromkeys(scripts)), "html": html, "cookie": cookies}
    found: dict[str, str] = {}
    for rule in _stated_rules():
        stated = (metas if rule.kind == "meta" else headers).get(rule.detail)
        if stated and _compiled(rule.pattern).search(stated):
            found[rule.name] = rule.category
    for kind in filter(texts.get, _SEARCHED):
        rules, marks = _searched_rules(kind)
        # Every character in lower case stands where it stood before.
        lowered = texts[kind].encode("ascii", "replace").lower().decode("ascii")
        for position, needed in marks.near(lowered):
            rule = rules[position]
            if rule.name not in found and _is_shown(rule, needed, texts[kind], lowered):
                found[rule.name] = rule.category
    return tuple(sorted(found.items(), key=lambda item: (item[1], item[0])))


def ends_of(source: bytes) -> bytes:
    """Return the beginning and the end of a page in UTF-8, where technologies leave their marks."""
    begins = np.frombuffer(source, dtype=np.int8) >= _FIRST
    if np.count_nonzero(begins) <= _HEAD + _TAIL:
        return source
    head, tail = _place_of(_HEAD, begins), _place_of(_TAIL - 1, begins[::-1]) + 1
    return b"\n".join((source[:head], source[-tail:]))


def _place_of(number: int, begins: NDArray[np.bool_]) -> int:
    """Return where a character begins that so many stand before."""
    place = number
    while missing := number - int(np.count_nonzero(begins[:place])):
        place += missing
    return place + int(begins[place : place + _LONGEST].argmax())


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    category: str
    kind: str
    detail: str
    pattern: str


def _is_shown(rule: _Rule, needed: tuple[str, ...], text: str, lowered: str) -> bool:
    """Tell whether a pattern is in a text: it is searched around the rarest of the texts that a way to match needs."""
    # To look for one is to see whether it is there.
    if len(needed) > 1 and not all(part in lowered for part in needed):
        return False
    rarest = min(needed, key=lowered.count) if len(needed) > 1 else "".join(needed)
    return _matches_around(rarest, rule, text, lowered)


def _matches_around(needed: str, rule: _Rule, text: str, lowered: str) -> bool:
    place = lowered.find(needed)
    while place >= 0:
        start, end = max(place - _REACH, 0), place + _REACH
        # What overlaps is searched together, so that nothing is searched twice.
        while (last := lowered.rfind(needed, place + 1, end)) > 0:
            place, end = last, last + _REACH
        match = _compiled(rule.pattern).search(text, start, end)
        # What ends with the part that is searched might go on in another way.
        if match and (match.end() < end or end >= len(text)):
            return True
        place = lowered.find(needed, place + 1)
    return False


@cache
def _rules() -> tuple[_Rule, ...]:
    rules = []
    for row in knowledge_rows("technologies.tsv"):
        kind, _, detail = row["where"].partition(":")
        rules.append(_Rule(row["name"], row["category"], kind, detail, row["pattern"]))
    return tuple(rules)


@cache
def _stated_rules() -> tuple[_Rule, ...]:
    return tuple(rule for rule in _rules() if rule.kind not in _SEARCHED)


@cache
def _searched_rules(kind: str) -> tuple[tuple[_Rule, ...], Marks]:
    rules = tuple(rule for rule in _rules() if rule.kind == kind)
    return rules, Marks([fixed_texts(rule.pattern) for rule in rules])


# Only what a page may show is compiled: hundreds of patterns take longer than hundreds of pages.
@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Marks are ASCII. Without this flag a pattern's "s" would match the long s too, which lower case keeps apart.
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.ASCII)


def technology_names() -> tuple[str, ...]:
    """Return the names of the technologies that a page may show."""
    return tuple(dict.fromkeys(rule.name for rule in _rules()))


def shown_in(name: str) -> tuple[str, ...]:
    """Return where a page shows a technology, in words, each once: in its scripts, its source, its cookies.

    >>> shown_in("Yoast SEO")
    ('the source code',)
    """
    rules = [rule for rule in _rules() if rule.name == name]
    return tuple(dict.fromkeys(_PLACES_OF_RULES.get(rule.kind, "the source code") for rule in rules))


_PLACES_OF_RULES: Final = {
    "script": "the addresses of scripts and style sheets",
    "html": "the source code",
    "cookie": "the cookies that it sets",
    "meta": "a tag that names it",
    "header": "the headers of its answer",
}
