"""Threads: people who answer each other, each below the name that he or she writes under and the time of writing."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from toolkit.service.subjects.wording import count_matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page

__all__ = ["count_posts", "is_thread"]

_POSTS: Final = re.compile(
    r"\b(?:posted by|originally posted|wrote:|said:|joined:|posts:|reply to|replies:|[0-9]+ replies|quote:|re:"
    r"|upvote[sd]?|accepted answer|[0-9]+ upvotes|(?:junior|senior) member|thread starter|op here|edit:"
    r"|^by \S{2,30} » |^post(?: a)? reply|^[0-9]+ posts?(?: [•·|-] |$)"
    r"|[0-9]+ points (?:by|•|·|\||[0-9]+ (?:minute|hour|day))|last edited|(?:asked|answered) by"
    r"|^[0-9]+ answers?$|^accepted(?: [–·|-] |$)|^best answer\b|^[0-9]+ votes?\b|^asked (?:[0-9]|today|yesterday)"
    r"|previous message|next message|messages sorted by)",
    re.IGNORECASE | re.MULTILINE,
)
#: A name that somebody has chosen to write under, alone or with what stands beside it, in a line before a post: it has
#: an underscore, a digit or a capital letter within, or is small letters alone.
_CHOSEN: Final = re.compile(
    r"(?:[A-Za-z][\w.-]{0,30}(?:_|[0-9]|(?<=[a-z])[A-Z])[\w.-]{0,30}(?:\s.{0,30})?|[a-z]{4,30})(?<![.!?:,;])"
)
#: When a post was written, behind the name, and how long that line is at most.
_STAMP: Final = re.compile(
    r"[\s–—·•|,(-]+(?:(?:posted|wrote|said|on|at) )*"
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
    r"(?:(?P<hour>[0-9]{1,2}[:.][0-9]{2})\b|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2,4}"
    r"|[0-9]{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? [0-9]{1,2}\b"
    r"|(?:[0-9]+|an?|one|two) ?(?:min(?:ute)?s?|h(?:our|r)?s?|d(?:ay)?s?|w(?:eek|k)?s?|months?|mo|y(?:ear|r)?s?) ago"
    r"|yesterday|today)\b.{0,40}",
    re.IGNORECASE,
)
_LONGEST: Final = 90
_LONGEST_NAME: Final = 40
_WORDS_OF_A_POST: Final = 6
#: How a post ends, and the share of those answered that must: above a name in a list of articles stands a title.
_END: Final = re.compile(r"[.!?…)\"'”’:;xX]\W*$|[^\x00-\u2fff]\W*$")
_MOSTLY: Final = 0.5
#: Posts from which people answer each other, and words that stand at most before the first: a blog has comments below.
_SEVERAL: Final = 3
_MOST_BEFORE: Final = 60


class _Post(NamedTuple):
    """A post: its writer, the number of the line that names him or her, and whether a text stands above that."""

    name: str
    place: int
    follows_text: bool


def count_posts(page: Page) -> int:
    """Count what forums say of posts and those who wrote them, and the posts of those who answer each other."""
    return count_matches(_POSTS, page.opening) + len(_posts(page))


def is_thread(page: Page) -> bool:
    """Tell whether a page begins with a post that others answer below their names, one of them more than once.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> asked = "Ann Lee 3 weeks ago|Which of these yeasts is alive at all?"
    >>> told = (
    ...     "Bo 2 weeks ago|None that I have ever met here, sorry.|Ann Lee today|Thank you, then I will bake with soda."
    ... )
    >>> is_thread(page_from_text(f"{asked}|{told}".replace("|", chr(10))))
    True
    """
    posts = _posts(page)
    return len(posts) >= _SEVERAL and sum(line.count(" ") for line in _lines(page)[: posts[0].place]) <= _MOST_BEFORE


def _posts(page: Page) -> list[_Post]:
    """Return the posts below the names of their writers; none where no writer writes again."""
    found = list(_named(_lines(page)))
    ended = sum(post.follows_text for post in found[1:])
    is_answered = len({post.name for post in found}) < len(found) and ended >= _MOSTLY * (len(found) - 1)
    return found if is_answered else []


def _named(lines: list[str]) -> Iterator[_Post]:
    """Yield what stands below a name."""
    for place, (line, text) in enumerate(itertools.pairwise(lines)):
        if text.count(" ") < _WORDS_OF_A_POST or len(line) > _LONGEST:
            continue
        stamp = _STAMP.search(line)
        name = line[: stamp.start()].strip() if stamp else line
        # Who speaks is named with the minute, too, where a recording is written down.
        is_dated = stamp is not None and stamp["hour"] is None
        if _CHOSEN.fullmatch(name) or (is_dated and 1 < len(name) <= _LONGEST_NAME and name[0].isupper()):
            yield _Post(name, place, place > 0 and _END.search(lines[place - 1]) is not None)


def _lines(page: Page) -> list[str]:
    return page.opening.split("\n")
