"""Stories and poems: pages whose telling, and not their setting, says what they are."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from toolkit.service.subjects.wording import (
    JOINTS,
    OWN_VOICE,
    is_dialogue,
    is_narrative,
    is_signed,
    rate_of_i,
    rate_of_speech,
)

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["FICTION", "POETRY", "is_fiction", "states_opinion", "telling"]

#: Identifiers of the categories, the same in both content taxonomies.
FICTION: Final = "48"
POETRY: Final = "49"
#: What the telling of a page adds to a category's score, and what it adds that the page is published as a story. Both
#: stay below what a page scores for a subject that it names, so that a memoir of a swimmer is about swimming.
_TOLD: Final = 0.22
_PUBLISHED: Final = 0.2
#: The same of what somebody tells of himself or herself: most such pages are a person's post about a subject.
_TOLD_OF_ONESELF: Final = 0.16
#: The same where its address says that it is a post.
_TOLD_IN_A_POST: Final = 0.05
_POST: Final = re.compile(r"/(?:19|20)[0-9]{2}/|/(?:blogs?|posts?|journal|diary|weblog)(?:/|$)", re.IGNORECASE)
#: The same of what is mostly dialogue, which nothing but a story is.
_DIALOGUE: Final = 0.5
#: What it adds that a page is published as a poem, whose things are never its subject.
_VERSE: Final = 0.4
_STORIES: Final = re.compile(
    r"/(?:(?:short-|flash-)?fiction|short-?stor(?:y|ies)|fan-?fic(?:tion)?s?|novels?|novellas?|serials?|creative-writing)"
    r"(?:/|$|\.|-)|[/-]chapter-?[0-9a-z]+(?:[-/.]|$)|/flash/|/works/[0-9]{6,}|/s/[0-9]{5,}/[0-9]+(?:/|$)",
    re.IGNORECASE,
)
#: Where papers have what their writers think, which they often tell as a scene.
_OPINION: Final = re.compile(
    r"/(?:opinions?|columns?|columnists?|comment|commentary|editorials?|letters)(?:/|$)", re.IGNORECASE
)
_STORY_TITLE: Final = re.compile(
    r"\bchapter (?:[0-9]+|[ivx]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    r"|\b(?:flash|short) fiction\b|\bshort stor(?:y|ies)\b|\bfan ?fic(?:tion)?\b|[|·:–—([-] ?fiction\b",
    re.IGNORECASE,
)
#: How the names of sites end that publish stories, and how often somebody speaks in one, a hundred words.
_SITE: Final = re.compile(r"\b(?:stories|tales|fictions?)\s*$", re.IGNORECASE)
_NO_FICTION: Final = re.compile(
    r"\b(?:alumni|brand|case|clients?|customers?|donors?|impact|latest|members?|more|news|our|patients?|real|related"
    r"|staff|students?|success|survivors?|top|true|users?|web|your)\b[^|]*$",
    re.IGNORECASE,
)
_SPOKEN: Final = 0.5
_POEMS: Final = re.compile(r"/(?:poems?|poetry)(?:/|$|\.|-)", re.IGNORECASE)
_POEM_TITLE: Final = re.compile(r"\b(?:a poem|poem by|poems|poetry)\b|[|·:–—([-] ?poem\b", re.IGNORECASE)


# Both taxonomies ask, and the web-filtering categories.
@lru_cache(maxsize=16)
def telling(page: Page) -> dict[str, float]:
    """Return what the way in which a page is told adds to the scores of fiction and of poetry.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> text = "At dusk she stood at the window and he came in. When she saw him she knew that he had told nobody."
    >>> telling(page_from_text(text))
    {'48': 0.22}
    """
    address = urlsplit(page.url).path
    if _POEMS.search(address) or _POEM_TITLE.search(page.title):
        return {POETRY: _VERSE}
    added = _PUBLISHED if _is_published(page) else 0.0
    if is_narrative(page) and (added or not states_opinion(page)):
        of_oneself = _TOLD_IN_A_POST if _POST.search(address) and not added else _TOLD_OF_ONESELF
        of_somebody = of_oneself if rate_of_i(page) >= OWN_VOICE else _TOLD
        added += _DIALOGUE if is_dialogue(page) else of_somebody
    return {FICTION: added} if added else {}


def states_opinion(page: Page) -> bool:
    """Tell whether the address of a page is one at which papers have what their writers think.

    >>> from toolkit.service.pages.parsed import Page
    >>> states_opinion(Page("https://paper.example/opinion/kites", "Kites belong to all"))
    True
    """
    return _OPINION.search(urlsplit(page.url).path) is not None


@lru_cache(maxsize=16)
def is_fiction(page: Page) -> bool:
    """Tell whether a page is a story or a poem itself, as its place or its dialogue tells.

    On a site of stories somebody also says on a Thursday what was reported.
    """
    # Reports are told in dialogue, too, and signed.
    is_told = is_narrative(page) and (_is_published(page) or (is_dialogue(page) and not is_signed(page)))
    if is_told or POETRY in telling(page):
        return True
    *own, last = JOINTS.split(page.title)
    names = (page.metas.get("og:site_name", ""), last if own else "")
    is_of_stories = any(_SITE.search(name) and not _NO_FICTION.search(name) for name in names)
    return is_of_stories and rate_of_speech(page) >= _SPOKEN


def _is_published(page: Page) -> bool:
    """Tell whether the address, the title or the data of a page say that it is a story."""
    return (
        _STORIES.search(urlsplit(page.url).path) is not None
        or _STORY_TITLE.search(page.title) is not None
        or any(True for _ in page.structured("ShortStory", "Chapter"))
    )
