"""What is kept of a page's source: less than what a parser would take long over.

A parser's time grows with the square of a tag's attributes, of the names of tags and of the depth of nesting. How many
of each a page may have is far above what pages have, and so small that none takes longer than its size says.

It is read in UTF-8, as the parser reads it: what tells of tags is ASCII, and of longer pages that are not to make a
text takes as long as all the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import Final

import numpy as np

__all__ = ["bounded"]

_TAG: Final = re.compile(rb"<(/?)([A-Za-z][A-Za-z0-9-]{0,30})")
#: Elements that have no content, or end where the next begins.
_FLAT: Final = frozenset(
    name.encode()
    for name in (
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
#: Tags of a page: long pages of text have a third of it, and large tables some more.
_MOST_TAGS: Final = 150_000
#: Names of tags beyond HTML's own that a page makes up.
_MOST_NAMES: Final = 2_000
_MOST_ATTRIBUTES: Final = 100
#: How many more are let through: what is put back after the hundredth counts as attributes too.
_MARGIN: Final = 10
#: Characters that more attributes than that take at least, with their tag.
_SHORTEST_EXCESS: Final = 2 * (_MOST_ATTRIBUTES + _MARGIN)
_END_OF_SCRIPT: Final = re.compile(rb"</(?:script|style)", re.IGNORECASE)
#: Tags with more than that, the last of which ends the page: a script may look like one, but not many times.
_MOST_TRIMMED: Final = 50
_SPACE: Final = r"\t\n\f\r "
#: An attribute as a browser's tokenizer takes it. Possessive throughout: whatever follows, nothing is tried twice.
_ATTRIBUTE: Final = (
    rf"[{_SPACE}/]*+[^{_SPACE}/>][^{_SPACE}/>=]*+"
    rf"(?:[{_SPACE}]*+=[{_SPACE}]*+(?:\"[^\"]*+\"?+|'[^']*+'?+|[^{_SPACE}>\"'][^{_SPACE}>]*+)?+)?+"
)
#: A tag whose few attributes have names of letters and values in double quotes that hold no end of a tag: wherever one
#: begins to read it, it ends there. So are most tags.
_PLAIN: Final = (
    rf"/?[A-Za-z][A-Za-z0-9:-]{{0,20}}+(?:[{_SPACE}/][A-Za-z0-9:_-]{{1,20}}+=\"[^\">]*+\"){{0,20}}+[^>\"'=]{{0,20}}+>"
)
#: A place where a tag may begin, with the tag as far as it is looked at: up to an attribute too many, the second group.
#: It is looked for in scripts and values too: which of them a parser takes for tags depends on all that stands before.
#: Plain tags are passed over at once.
_BEGINNING: Final = re.compile(
    (
        rf"<(?!{_PLAIN})"
        rf"(?=(/?[A-Za-z][^{_SPACE}/>]*+(?:{_ATTRIBUTE}){{0,{_MOST_ATTRIBUTES + _MARGIN}}}+({_ATTRIBUTE})?+))"
    ).encode()
)
_KEPT: Final = re.compile(rf"</?[A-Za-z][^{_SPACE}/>]*+(?:{_ATTRIBUTE}){{{_MOST_ATTRIBUTES}}}+".encode())
_EXCESS: Final = re.compile(rf"(?:{_ATTRIBUTE})*+".encode())
#: What tells where a tag ends, as far as it is looked at; without it there what follows may belong to it.
_MORE: Final = re.compile(rf"[^{_SPACE}/]".encode())
#: Bytes of a page that are read at once.
_STRETCH: Final = 30_000
#: How many times its own length a page may be looked at for this, as what looks like tags may overlap.
_MOST_LOOKS: Final = 30


def bounded(source: bytes) -> bytes:
    """Return a page without the attributes that a tag has too many of, up to where it has too many tags or is too deep.

    >>> bounded(b"<p>Kites</p>"), len(bounded(b"<div>" * 100_000)) < 50_000
    (b'<p>Kites</p>', True)
    >>> len(bounded(b"<p " + b"a " * 100_000 + b">Kites</p>")) < 300
    True
    """
    # In a fraction of the time that `bytes.count` takes for what there is much of.
    tags = int(np.count_nonzero(np.frombuffer(source, dtype=np.uint8) == ord("<")))
    if tags > _MOST_TAGS:
        places = re.finditer(b"<", source)
        source = source[: next(islice(places, _MOST_TAGS, None)).start()]
    if (begin := _before_excess(source)) < len(source):
        source = _trimmed(source, begin)
    return _shallow(source) if tags > _HARMLESS else source


def _before_excess(source: bytes) -> int:
    """Return up to where `_trimmed` would leave a page as it is, mostly by a look at where its signs stand.

    What it reads from a "<" on ends at the next ">", unless that stands in a value in quotes: after "=", and perhaps
    blanks, a quotation mark whose like comes after that ">" only. Where there is none such between the two, it reads no
    further, and as an attribute takes two characters at least (its name, and what parts it from the next), too many
    take more than there are. Only what is longer, or has such a mark, is read: each by itself, as `_trimmed` would.
    """
    written = np.frombuffer(source, dtype=np.uint8)
    is_sign = (written == ord("<")) | (written == ord(">")) | (written == ord('"')) | (written == ord("'"))
    places = is_sign.nonzero()[0]
    signs = written[places]
    is_end = signs == ord(">")
    ends = np.append(places[is_end], len(written))
    # Which of the ends comes next.
    following = is_end.cumsum()
    goes_on = np.zeros(len(ends), dtype=np.bool_)
    for mark in "\"'":
        marks = (signs == ord(mark)).nonzero()[0]
        after = following[marks]
        # Those of which the next stands behind another end, or nowhere.
        opening = marks[np.append(after[1:] != after[:-1], True)] if len(marks) else marks
        before = written[places[opening] - 1]
        # Blanks are all below "!".
        goes_on[following[opening[(before == ord("=")) | (before < ord("!"))]]] = True
    begins = (signs == ord("<")).nonzero()[0]
    after, begins = following[begins], places[begins]
    lengths = ends[after] - begins
    looks = _MOST_LOOKS * len(source) - int(lengths.sum())
    suspicious: list[int] = begins[(lengths > _SHORTEST_EXCESS) | goes_on[after]].tolist()
    for place in suspicious:
        if tag := _BEGINNING.match(source, place):
            looks -= tag.end(1) - place
            if tag[2] is not None:
                return place
            if looks < 0:
                break
    return len(source) if looks >= 0 else 0


def _trimmed(source: bytes, begin: int = 0) -> bytes:
    """Return a page without the attributes that a tag has too many of, up to where too many tags have them.

    It is read from a place on before which there are none.

    It is read stretch by stretch: to put a long page together anew for each tag takes longer than to read it.
    """
    done = [source[:begin]]
    stretch, ahead = b"", begin
    looks, left = _MOST_LOOKS * len(source), _MOST_TRIMMED
    while True:
        for tag in _BEGINNING.finditer(stretch):
            place, is_open = tag.start(), ahead < len(source) and not _MORE.search(stretch, tag.end(1))
            if is_open:
                break
            looks -= tag.end(1) - place
            if tag[2] is not None or looks < 0:
                break
        else:
            if ahead == len(source):
                return b"".join((*done, stretch)) if left < _MOST_TRIMMED else source
            place, is_open = len(stretch), True
        done.append(stretch[:place])
        stretch = stretch[place:]
        if is_open:
            stretch, ahead = _further(stretch, source, ahead)
            continue
        left -= 1
        if looks < 0 or not left:
            return b"".join(done)
        kept = _end(_KEPT, stretch, 0)
        while (after := _end(_EXCESS, stretch, kept)) and ahead < len(source) and not _MORE.search(stretch, after):
            stretch, ahead = _further(stretch, source, ahead)
        # What only looks like a tag may stand in a script, which has to end.
        ended = _END_OF_SCRIPT.search(stretch, kept, after)
        # Other tags may begin within the attributes that are kept, so that it goes on from the same place.
        stretch = b"".join((stretch[:kept], ended[0] if ended else b"", stretch[after:]))


def _further(stretch: bytes, source: bytes, ahead: int) -> tuple[bytes, int]:
    """Return a stretch of a page twice as long, up to where a tag may begin, and where it ends in the page."""
    edge = source.find(b"<", ahead + max(len(stretch), _STRETCH))
    edge = edge if edge >= 0 else len(source)
    return stretch + source[ahead:edge], edge


def _end(pattern: re.Pattern[bytes], source: bytes, place: int) -> int:
    found = pattern.match(source, place)
    return found.end() if found else place


def _shallow(source: bytes) -> bytes:
    """Return a page up to where it is nested too deep, or makes up too many tags."""
    # By name, so that end tags of nothing do not make up for what is open.
    opened: Counter[bytes] = Counter()
    names: set[bytes] = set()
    depth = 0
    for tag in _TAG.finditer(source):
        name = tag[2].lower()
        if name in _FLAT:
            continue
        names.add(name)
        if not tag[1]:
            opened[name] += 1
            depth += 1
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
        if depth > _DEEPEST or len(names) > _MOST_NAMES:
            return source[: tag.start()]
    return source
