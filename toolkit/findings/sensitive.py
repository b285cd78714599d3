"""What brands keep off, and other topics of the content taxonomy that no list of sites lacks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import PATH_SEPARATOR, TAXONOMIES, Taxonomy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FILTERING", "is_unsought", "sensitive_rules", "unsought"]

#: How a rule begins that is a label of web filtering.
FILTERING: Final = "filtering: "
#: What music, films and books are told apart by, in the content taxonomy; no subject of a site.
_GENRES: Final = "Genres"
_SENSITIVE: Final = "Sensitive Topics"
#: What else says that a page is of a sensitive topic.
_ALSO: Final[dict[str, tuple[str, ...]]] = {
    "Adult & Explicit Sexual Content": ("filtering: Adult and Pornography", "filtering: Nudity"),
    "Arms & Ammunition": ("filtering: Weapons",),
    "Crime & Harmful Acts to Individuals, Society & Human Right Violations": ("Crime",),
    "Death, Injury, or Military Conflict": ("War and Conflicts", "Disasters", "filtering: Violence and Gore"),
    "Hate Speech and Acts of Aggression": ("filtering: Hate and Racism",),
    "Illegal Drugs, Tobacco, eCigarettes, Vaping, Alcohol": (
        "filtering: Illegal Drugs",
        "filtering: Tobacco",
        "filtering: Alcohol",
    ),
    "Online Piracy": ("filtering: File Sharing and Piracy",),
    "Spam or Harmful Content": ("filtering: Malware and Hacking", "filtering: Phishing and Fraud"),
    "Terrorism": ("filtering: Terrorism and Extremism",),
}


def sensitive_rules() -> dict[str, list[str]]:
    """Return rules for the sensitive topics of the content taxonomy, as an example to start from.

    Returns
    -------
    dict of str to list of str
        A rule a topic below "Sensitive Topics": its path, and the categories and web-filtering labels that say the
        same. What a brand keeps off is its own decision: take some of them, change them, add others.

    Examples
    --------
    >>> sensitive_rules()["Terrorism"]
    ['Sensitive Topics > Terrorism', 'filtering: Terrorism and Extremism']
    """
    taxonomy = Taxonomy.load("content-v3")
    topics = taxonomy.children(taxonomy.by_path(_SENSITIVE).id)
    return {topic.name: [topic.path, *_ALSO.get(topic.name, ())] for topic in topics}


@cache
def unsought(*, helpers: bool = True) -> frozenset[str]:
    """Return the main topics of which it is no gap that no site shows them.

    Those that the rules for sensitive topics name and, with `helpers`, the list of genres that others are told by.
    """
    rules = [rule for named in sensitive_rules().values() for rule in named if not rule.startswith(FILTERING)]
    tops = {rule.split(PATH_SEPARATOR, 1)[0] for rule in rules}
    return frozenset(tops | {_GENRES} if helpers else tops)


def is_unsought(covered: pd.DataFrame) -> pd.Series:
    """Return which rows of a coverage are of main topics of which it is no gap that no site shows them."""
    return covered["level_1"].isin(unsought()) & covered["taxonomy"].isin(TAXONOMIES)
