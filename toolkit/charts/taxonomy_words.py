"""What charts call the nodes of a taxonomy, and what their footers say of a coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit.charts.template import footer_of
from toolkit.display import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["footer_of_coverage", "nouns_of", "top_nouns_of"]

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


def top_nouns_of(taxonomy: str) -> tuple[str, str]:
    """Return what one node of the top level and several are called."""
    return ("group", "groups") if taxonomy in _CODES else ("top category", "top categories")


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
