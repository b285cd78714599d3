"""What charts call the nodes of a taxonomy, and what their footers say of a coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit.charts.template import footer_of
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["footer_of_coverage", "level_nouns_of", "nouns_of"]

#: Kinds of codes: their version is the vocabulary's, so that they are no taxonomy of their own.
_CODES: Final = {
    "interest": ("interest", "interests"),
    "purchase_intent": ("purchase intent", "purchase intents"),
}
_LONGEST: Final = 32


def nouns_of(taxonomy: str, tier: object = None) -> tuple[str, str]:
    """Return what one node and several are called.

    Examples
    --------
    >>> nouns_of("content-v3"), nouns_of("purchase_intent")[1], nouns_of("content-v2", 1)[1]
    (('content-v3 category', 'content-v3 categories'), 'purchase intents', 'content-v2 categories of tier 1')
    """
    name = shortened(printable(taxonomy), _LONGEST)
    one, many = _CODES.get(taxonomy, (f"{name} category".strip(), f"{name} categories".strip()))
    level = "" if tier is None else f" of tier {tier}"
    return one + level, many + level


def level_nouns_of(taxonomy: str, tiers: Iterable[object]) -> tuple[str, str]:
    """Return what one node and several are called that are of these tiers, where the taxonomy has been named.

    Examples
    --------
    >>> level_nouns_of("content-v3", [1]), level_nouns_of("content-v3", [2])[1], level_nouns_of("interest", [1, 2])[0]
    (('top category', 'top categories'), 'categories of tier 2', 'interest')
    """
    known = set(tiers)
    if known == {1}:
        return ("group", "groups") if taxonomy in _CODES else ("top category", "top categories")
    if taxonomy in _CODES:
        return _CODES[taxonomy]
    level = f" of tier {known.pop()}" if len(known) == 1 else ""
    return f"category{level}", f"categories{level}"


def footer_of_coverage(about: Mapping[str, Any], extra: Iterable[str] = ()) -> str:
    """Return the footer of a chart of a coverage; `extra` as for `footer_of`.

    Examples
    --------
    >>> footer_of_coverage({"sites": 2, "taxonomy": "interest", "threshold": "medium", "vocabularies": ["1.1"]})
    'n = 2 sites · confidence medium or more · vocabulary 1.1'
    """
    threshold = about.get("threshold")
    named = None if about.get("taxonomy") in _CODES else about.get("taxonomy")
    return footer_of({**about, "taxonomy": named}, [*extra, f"confidence {threshold} or more" if threshold else ""])
