"""Categories that are given where a page says what they are about, or for whom, and not where words beside it stand."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import count_terms, knowledge_rows, words_of
from toolkit.service.subjects.examples import likened
from toolkit.service.subjects.things import is_offering, thing_of
from toolkit.service.subjects.translation import understood
from toolkit.service.subjects.wording import count_matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.service.pages.parsed import Page

__all__ = ["JOURNEYS", "SEXED", "is_said", "needed_words", "other_sexes", "tells_of_journeys", "unsaid"]

#: Mentions of the words of a category from which a page says it, and words below which a text has no room for two.
_SAID: Final = 2
_BRIEF: Final = 60
#: How much likelier a main category is by how a page is worded from which it need not say its words: who rebuilds an
#: engine names its parts, and no car.
_WORDED_SO: Final = 1.5
#: Places to which journeys go.
JOURNEYS: Final = "Travel > Travel Locations"
#: Different places from which a page may have a list of them, and words of journeys a place that it needs then: sellers
#: list the towns that they serve.
_LISTED_PLACES: Final = 10
_WORDS_A_PLACE: Final = 1 / 3
_SPORTS: Final = f"Sports{PATH_SEPARATOR}"
#: Sports that the taxonomy has not, and whose words several others share.
_UNLISTED: Final = frozenset(
    (
        *("bandy", "camogie", "croquet", "dodgeball", "floorball", "gaelic football", "gaelic game", "handball"),
        *("hurler", "hurling", "kabaddi", "korfball", "netball", "netballer", "orienteering", "roller derby"),
        *("rounder", "shinty", "sliotar"),
    )
)
_JOINED: Final = re.compile(r" and |/")
_CHILDREN: Final = "Style & Fashion > Children's Clothing"
#: The branches of fashion for one sex, and the words that say it: those for the sex, and things that only one of them
#: wears. A dress shirt is none of them.
_OF_A_SEX: Final = {
    "Style & Fashion > Women's Fashion": re.compile(
        r"\b(?:wom[ae]n(?:['’]?s)?|lad(?:y|ies)|womenswear|feminine|bridal|bridesmaids?|maternity|girlfriends?"
        r"|dress(?:es)?(?![ -](?:shirts?|shoes?|codes?|boots?|watch(?:es)?)\b)|gowns?|skirts?|blouses?|bras?|lingerie"
        r"|(?:high|block|kitten|stiletto) heels?|stilettos|hand ?bags?|clutch bags?|jumpsuits?|camisoles?|culottes"
        r"|bodycon|midi|maxi|bikinis?|leggings|tights|earrings?|necklaces?)\b",
        re.IGNORECASE,
    ),
    "Style & Fashion > Men's Fashion": re.compile(
        r"\b(?:m[ae]n(?:['’]?s)?|gentlem[ae]n(?:['’]s)?|gents|menswear|masculine|groomsm[ae]n|grooms"
        r"|(?:business|three-piece|two-piece|lounge) suits?|suit jackets?|dress shirts?|(?:silk|bow|neck)[ -]?ties?"
        r"|cuff ?links|chronographs?|bezels?|lugs|brogues?|waistcoats?|tuxedos?|dinner jackets?|boxers|lapels?)\b",
        re.IGNORECASE,
    ),
}
_OF_CHILDREN: Final = re.compile(r"\b(?:girls?|boys?|kids?|child(?:ren)?|toddlers?|bab(?:y|ies))\b", re.IGNORECASE)
#: These branches.
SEXED: Final = tuple(_OF_A_SEX)
#: Mentions of a sex from which a page says it: once is by the way.
_SAID_PLAINLY: Final = 2
#: Share of the certainty of adults' fashion that children's may have beside it.
_BESIDE_ADULTS: Final = 0.5


def unsaid(page: Page, given: frozenset[str]) -> tuple[str, ...]:
    """Return the categories among those given of which a page does not say their own words (`category_needs.tsv`).

    The thing that a page offers says the categories that it belongs to. Sports share their words: a page is of none
    where it says nothing that it alone has, or names another one more often.
    """
    asked = (_needs().keys() & given) - _named(page)
    found = tuple(path for path in asked if not is_said(path, page) or _gives_way(path, page))
    return tuple(path for path in found if not _is_worded_so(path, page))


def _is_worded_so(path: str, page: Page) -> bool:
    """Tell whether a page is worded as pages of a main category are, by far."""
    mains = [main.path for main in Taxonomy.load("content-v3").tier(1)]
    return path in mains and likened(page, "content-v3")[mains.index(path)] >= _WORDED_SO


def is_said(path: str, page: Page) -> bool:
    """Tell whether a page says the words of a category often enough to be given it."""
    return _mentions(_needs()[path], page) >= (1 if page.tokens < _BRIEF else _SAID)


def tells_of_journeys(page: Page) -> bool:
    """Tell whether a page tells of journeys to the places that it names, and does not list those that it serves."""
    if not is_said(JOURNEYS, page):
        return False
    places = len(count_terms(_places(), *understood(page).stated))
    return places < _LISTED_PLACES or _mentions(_needs()[JOURNEYS], page) >= _WORDS_A_PLACE * places


@cache
def _places() -> frozenset[str]:
    """Return the words by which places are known: those of the parts of the world."""
    rows = (
        row
        for row in knowledge_rows("content_categories.tsv")
        if row["path_v3"].startswith(f"{JOURNEYS}{PATH_SEPARATOR}")
    )
    return frozenset(" ".join(words_of(word)) for row in rows for word in listed(row["terms"])) - _needs()[JOURNEYS]


def _mentions(words: frozenset[str], page: Page) -> int:
    return sum(count_terms(words, *understood(page).stated).values())


def _gives_way(path: str, page: Page) -> bool:
    """Tell whether a page says less of what a sport alone has than it names a sport beside it, or nothing of it.

    A racket and a backhand alone are of several.
    """
    if not path.startswith(_SPORTS):
        return False
    named = count_terms(frozenset(_sports()), *understood(page).stated)
    rival = max((count for name, count in named.items() if _is_beside(_sports()[name], path)), default=1)
    return _mentions(_alone(path), page) < max(rival, _mentions(_UNLISTED, page))


@cache
def _alone(path: str) -> frozenset[str]:
    """Return the words of a sport that no sport beside it has."""
    return _needs()[path].difference(*(_needs()[other] for other in _sports().values() if _is_beside(other, path)))


def _is_beside(path: str, other: str) -> bool:
    return path != other and path.rpartition(PATH_SEPARATOR)[0] == other.rpartition(PATH_SEPARATOR)[0]


@cache
def _sports() -> dict[str, str]:
    """Return the sports that have words of their own by their names, of which some have two."""
    paths = [path for path in _needs() if path.startswith(_SPORTS)]
    names = {path: _JOINED.split(path.rpartition(PATH_SEPARATOR)[2].lower()) for path in paths}
    return {" ".join(words_of(name)): path for path in paths for name in names[path]}


def _named(page: Page) -> frozenset[str]:
    """Return the categories to which the thing belongs that a page offers, whatever it is called."""
    if (thing := thing_of(page)) is None or not is_offering(page):
        return frozenset()
    taxonomy = Taxonomy.load("content-v3")
    return frozenset(step.path for step in (*taxonomy.ancestors(thing.category), taxonomy[thing.category]))


@cache
def needed_words() -> dict[str, tuple[str, ...]]:
    """Return the words of which a page must say some to be given a category, by its path, the plainest first."""
    return {row["path"]: tuple(listed(row["words"])) for row in knowledge_rows("category_needs.tsv")}


@cache
def _needs() -> dict[str, frozenset[str]]:
    return {path: frozenset(" ".join(words_of(word)) for word in words) for path, words in needed_words().items()}


def other_sexes(page: Page, certain: Mapping[str, float]) -> tuple[str, ...]:
    """Return the branches of fashion for a sex of which a page may not be, by the confidences of all paths given.

    A jacket is no woman's because the words for jackets stand more often with women's fashion. A page must say a sex,
    or what it alone wears, more than once, and not much less often than the other; what is for girls and boys is for
    no adults.
    """
    rivals = [path for path in _OF_A_SEX if path in certain]
    if not rivals:
        return ()
    read = understood(page)
    text = "\n".join((read.title, *read.headings, read.opening))
    said = {path: count_matches(pattern, text) for path, pattern in _OF_A_SEX.items()}
    least = max(_SAID_PLAINLY, max(said.values()) / 2)

    def is_fitting(path: str) -> bool:
        return said[path] >= least and certain.get(_CHILDREN, 0.0) < _BESIDE_ADULTS * certain[path]

    is_for_children = _OF_CHILDREN.search(read.title) is not None
    return tuple(path for path in rivals if is_for_children or not is_fitting(path))
