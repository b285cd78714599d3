"""The thing that a page is of: what its title names, whatever materials, colours, places and uses its text tells of."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import accentless, knowledge_rows, knowledge_words, word_spans, words_of
from toolkit.service.subjects.examples import shares_for_firms
from toolkit.service.subjects.firms import trade_served
from toolkit.service.subjects.programs import DOCUMENTED, programming
from toolkit.service.subjects.site_words import sells
from toolkit.service.subjects.stories import telling
from toolkit.service.subjects.translation import is_translated, translation, understood
from toolkit.service.subjects.wording import (
    JOINTS,
    count_matches,
    different_matches,
    reports_harm,
    speaks_of_itself,
    tells_news,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolkit.service.pages.parsed import Page

__all__ = ["OF_JOBS", "Thing", "is_offering", "is_sold_to_firms", "naming", "offers_job", "offers_program", "thing_of"]

#: What a thing adds to the score of its category on a page that is made to sell it or offers a job, on one that offers
#: it, and on any other that is named after it.
_SOLD: Final = 1.6
_OFFERED: Final = 1.0
_TOLD: Final = 0.5
#: How much less it adds the less surely it is the thing, and the same of what is sold.
_DOUBT: Final = 1.5
_DOUBT_OF_GOODS: Final = 2.0
#: Part of it where the title tells what happened, and where its words are translated one by one.
_REPORTED: Final = 0.3
_TRANSLATED: Final = 0.5
#: How surely the thing is what stands behind "for" or "of", in a later segment of the title, or in a section's name.
_LED: Final = 0.8
_LATER: Final = 0.8
_SECTION: Final = 0.5
#: The same where a word follows that is neither a part nor a kind or a colour of it, and the same of what is offered by
#: a longer name, of which what follows is mostly a part, a make or a place.
_FOLLOWED: Final = 0.4
_FOLLOWED_OF_SEVERAL: Final = 0.75
#: The same in a title that is a sentence, not a name: its things may be pictures.
_IN_SENTENCE: Final = 0.35
#: The same on a site's home that names things of several departments.
_ONE_OF_SEVERAL: Final = 0.5
#: Mentions in the text that make sure of it, and how sure it is with one and with none: a name of several words means
#: nothing else.
_ENOUGH: Final = 2
_ONCE: Final = 0.85
_NEVER: Final = 0.6
_NEVER_OF_SEVERAL: Final = 0.8
_LONGEST: Final = 5
_MOST_OF_TITLE: Final = 200
#: A longer first line of a text without a title is a paragraph.
_MOST_OF_LINE: Final = 90
#: Shorter names of sections are abbreviations: "cat" of a category.
_LEAST_OF_SECTION: Final = 4

_SEGMENTS: Final = re.compile(r"\s[-–—~]+\s|[|–—:;,()\[\]·•»>!?\"“”…]|\.(?=\s|$)")
_APART: Final = re.compile(r"[-/&]")
_HYPHEN: Final = re.compile(r"(?<=\w)[-‑/](?=\w)")
#: A hyphen around a little word that goes on with what is before it: plug-in, all-in-one.
_LITTLE: Final = re.compile(r"(?<=[a-z])-(in|on|to|at|by|up|off|over|out|down|through)\b-?", re.IGNORECASE)
_LETTERS: Final = re.compile(r"[^a-z0-9]+")
_BEGINNING: Final = re.compile(r"[^\W_]{1,2}")
#: A sum that one thing costs.
_PRICE: Final = re.compile(
    r"[$€£] ?[0-9]{1,3}(?:,[0-9]{3})?(?:\.[0-9]{2})?(?![0-9.,]* ?(?:m|bn|k|million|billion)\b|[0-9])"
)
#: How titles begin that teach or ask, and offer nothing.
_INSTRUCTS: Final = re.compile(r"\s*(?:how|what|why|when|which|where|who|should|can|do|does|is|are)\b", re.IGNORECASE)
#: What is in quotation marks is the name of a work.
_QUOTED: Final = re.compile(r"(?<!\w)[‘'“\"][A-Z][^‘'“”’\"|]{1,80}[’'”\"](?!\w)")
#: What says of a page that is not of goods that it is about a work, which may be called after anything.
_WORKS: Final = re.compile(
    r"\b(?:films?|movies?|cinema|books?|fiction|albums?|music|tv|television|theatre|theater|stage|games?|gaming|series"
    r"|season [0-9]|episodes?|recaps?|novels?|trailers?|songs?|lyrics|poems?|poetry|podcast)\b",
    re.IGNORECASE,
)
#: Main categories of things that trades are sold, whichever it is.
_OF_TRADES: Final = ("Business and Finance", "Careers", "Communication", "Events", "Technology & Computing")
#: How surely a page must be worded as those for people at work are for what it names of a trade to be surely that.
_WORDED_FOR_FIRMS: Final = 0.5
#: How the names of programs end.
_PROGRAM: Final = re.compile(r"\b(?:software|crm|saas)$")
#: Addresses of jobs, and what is said of each, some of which a page must say to offer one, wherever the work is.
OF_JOBS: Final = re.compile(
    r"/(?:jobs?|vacanc(?:y|ies)|careers?)(?:/|$)|^https?://(?:job|career|[^/]*(?:jobs|careers))\.", re.IGNORECASE
)
_OF_A_JOB: Final = re.compile(
    r"\b(?:apply|appl(?:ications?|icants?)|salar(?:y|ies)|per annum|(?:per|an) hour|closing date"
    r"|(?:full|part)[- ]time|permanent|contracts?|shifts?|rotas?|experience|you will|you'll|we offer|pension"
    r"|interviews?|cv|resume|covering letter|benefits|duties|qualifications?)\b",
    re.IGNORECASE,
)
_LEAST_OF_A_JOB: Final = 4
_ADVICE: Final = re.compile(r"\b(?:tips|advice|guide|how to|examples?|templates?)\b", re.IGNORECASE)
_JOBS: Final = "Careers > Job Search"
_VACANCY: Final = "vacancy"
#: What says of a page of goods that they are toys, for children; what toys are kept in is none.
_TOYS: Final = "Shopping > Children's Games and Toys"
_TOY: Final = re.compile(
    r"\btoys?\b(?! (?:box|boxes|chests?|storage|baskets?|shelf|shelves|tid(?:y|ies)))"
    r"|\b(?:pretend|imaginative|role)[- ]play\b",
    re.IGNORECASE,
)
_OF_CHILDREN: Final = re.compile(
    r"\b(?:toddlers?|child(?:ren)?|kids?|little ones|boys and girls|[0-9]+ months|ages? [1-9]"
    r"|from (?:one|two|three) years?)\b",
    re.IGNORECASE,
)
#: What says of goods that they are models: a scale, or a house of dolls.
_MODELS: Final = "Hobbies & Interests > Model Toys"
_OF_MODELS: Final = re.compile(
    r"\b1[:/][1-9][0-9]{0,2}(?:th)?[- ]scale\b|\bscale (?:of )?1[:/][1-9]|\bscale models?\b"
    r"|\bdolls?['’]?s?['’]? ?houses?\b",
    re.IGNORECASE,
)
#: Main categories of which things that are toys, too, are none.
_IMITATED: Final = (
    *("Automotive", "Business and Finance", "Food & Drink", "Healthy Living", "Home & Garden", "Medical Health"),
    *("Science", "Sports", "Technology & Computing", "Travel"),
)
#: Words that make a title a sentence.
_SENTENCE: Final = re.compile(
    r"\b(?:the(?! (?:best|complete|ultimate|definitive|right|top)\b)|my|his|her|its|their|he|she|it|they|i|me|us"
    r"|an?(?! (?:[a-z'’]+ )?(?:guide|review|history|look|introduction|level)\b)|isn['’]t|don['’]t|i['’]m|it['’]s)\b",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"^\s*an?\b", re.IGNORECASE)
_ARTS: Final = ("Books and Literature", "Entertainment", "Fine Art", "Genres", "Hobbies & Interests", "Video Gaming")
#: Words behind which a title says what the thing is made of, where it is, or whose.
_ENDS: Final = frozenset(
    [
        *("inside", "outside", "behind", "around", "through", "during", "across", "beyond"),
        *("with", "without", "in", "into", "at", "from", "by", "via", "on", "over", "under", "near", "after", "before"),
        *(
            "against",
            "between",
            "like",
            "than",
            "that",
            "which",
            "who",
            "is",
            "are",
            "was",
            "were",
            "has",
            "have",
            "had",
        ),
        *("will", "can", "could", "should", "do", "does", "did"),
    ]
)
#: Words behind which stands what a part, a guide or a service is for; and those that join several things.
_LEADS: Final = frozenset(("for", "of", "about"))
_JOINS: Final = frozenset(("and", "or", "plus", "versus", "to"))
#: How names end, and the same of many, without its "s".
_MANY: Final = (
    *(("ay", "ay"), ("ey", "ey"), ("oy", "oy"), ("y", "ie")),
    *(("fe", "ve"), ("f", "ve"), ("man", "men"), ("sh", "she"), ("ch", "che"), ("x", "xe"), ("ss", "sse")),
)


class Thing(NamedTuple):
    """A thing that a page is of: its name as it stands there, its category, where that is, how sure it is, 0 to 1."""

    name: str
    category: str
    where: str
    sureness: float

    @property
    def main(self) -> str:
        """Its main category."""
        return _top(self.category)

    @property
    def is_vacancy(self) -> bool:
        """Whether it is a job that the page offers."""
        return self.name == _VACANCY

    @property
    def is_unmistakable(self) -> bool:
        """Whether it has a name of several words, which mean nothing else, and is surely the thing."""
        return " " in self.name and self.sureness >= 1


class _Named(NamedTuple):
    """A name in the table: the category of the thing, and whether it is its name only where sold, only of many."""

    category: str
    is_sold: bool
    is_many: bool


class _Found(NamedTuple):
    """A name in a title as it stands and as it is known, how sure it is, what unknown follows, what is joined to it."""

    spelling: str
    name: str
    sureness: float
    follower: str
    joined: tuple[str, ...]


def naming(page: Page) -> dict[str, dict[str, float]]:
    """Return what the thing that a page is of adds to the score of its category, by what is said of it.

    >>> from toolkit.service.pages.parsed import Page
    >>> text = "A new blade for our secateurs. Secateurs cut best with a sharp blade of carbon steel."
    >>> naming(Page(url="", title="Spare Blade and Spring for No. 8 Bypass Secateurs", text=text))
    {'its title names secateurs': {'275': 0.358}}
    """
    thing = thing_of(page)
    if thing is None:
        return {}
    is_offered = is_offering(page) and not _INSTRUCTS.match(page.title)
    most = _SOLD if thing.is_vacancy else _OFFERED if is_offered else _TOLD
    amount = _SOLD * thing.sureness**_DOUBT_OF_GOODS if _sells_goods(page) else most * thing.sureness**_DOUBT
    return {f"its {thing.where} names {thing.name}": {thing.category: round(amount, 3)}}


# Both taxonomies ask, and the web-filtering categories.
@lru_cache(maxsize=16)
def thing_of(page: Page) -> Thing | None:
    """Return the thing that a page is surely of, if there is one."""
    if telling(page) or reports_harm(page):
        return None
    if is_translated(page) and not _sells_goods(page):
        return None
    found = list(_candidates(understood(page), page))
    # Most pages name nothing, and need not be asked what they are about.
    if found and (tops := DOCUMENTED if programming(page) else _ARTS if _is_of_work(page) else ()):
        found = [thing for thing in found if thing.main in tops]
    if served := _served(page):
        # What a trade is sold is surely that: marketing for dentists drills no teeth.
        found = [thing._replace(sureness=1.0) for thing in found if thing.main in _OF_TRADES] or [served]
    best = max(found, key=lambda thing: thing.sureness, default=None)
    if best is None:
        return None
    if is_sold_to_firms(page, best):
        best = best._replace(sureness=1.0)
    share = (_TRANSLATED if is_translated(page) else 1.0) * (_REPORTED if tells_news(page) else 1.0)
    return best._replace(sureness=best.sureness * share)


def is_sold_to_firms(page: Page, thing: Thing) -> bool:
    """Tell whether a page is worded for those at work who buy such a thing: hospital supplies cure nobody."""
    return thing.main in _OF_TRADES and shares_for_firms(page).get("yes", 0.0) >= _WORDED_FOR_FIRMS


def _candidates(read: Page, page: Page) -> Iterator[Thing]:
    """Yield the things that the parts of a page name which name what it is of."""
    if where := offers_job(page):
        yield Thing(_VACANCY, Taxonomy.load("content-v3").by_path(_JOBS).id, where, 1.0)
        return
    # What sites are called is often a picture, and their homes offer several things.
    is_home = _is_at_home(page)
    is_sold = not is_home and (_sells_goods(page) or sells(page.opening))
    titles = [("data", name) for name in _products(page)]
    titles += [("title", _own(page.title, page)), ("heading", _own("".join(page.headings[:1]), page))]
    if not (page.title or page.headings):
        line, _, rest = page.text.strip().partition("\n")
        titles = [("first line", line)] if rest and len(line) <= _MOST_OF_LINE and not line.endswith(".") else []
    if is_translated(page):
        titles = [(where, translation(title, page.detected_language).text) for where, title in titles]
    found = [(where, name) for where, title in titles for name in _of_title(title, is_sold=is_sold)]
    if not found and is_sold:
        found += [("section", name) for name in _of_sections(page.sections)]
    imitated = _imitated(page) if found else ""
    several = {_top(_names_like(name)[name].category) for _, (_, name, *_) in found}
    share = _ONE_OF_SEVERAL if is_home and len(several) > 1 else 1.0
    text = read.opening.removeprefix("".join(read.headings[:1])).lower()
    for where, (spelling, name, sureness, follower, joined) in found:
        if follower and _mentions(follower, text) >= max(_mentions(name, text), 1):
            continue  # what follows the name is the thing: a rack for wine
        mentions = _mentions(name.rpartition(" ")[2], text)
        followed = _FOLLOWED_OF_SEVERAL if " " in name and is_offering(page) else _FOLLOWED
        weight = (_SECTION if where == "section" else 1.0) * (followed if follower else 1.0)
        unsaid = _NEVER_OF_SEVERAL if " " in name else _NEVER
        told = 1.0 if mentions >= _ENOUGH else _ONCE if mentions else unsaid
        if sureness <= _IN_SENTENCE and not mentions:
            continue  # a picture
        category = _category_of(name, joined)
        if imitated and _top(category) in _IMITATED:
            category = Taxonomy.load("content-v3").by_path(imitated).id
        yield Thing(spelling, category, where, sureness * weight * told * share)


def _category_of(name: str, joined: tuple[str, ...]) -> str:
    """Return the category of a thing; of one for several, such as dog and cat food, what is above them all."""
    taxonomy, own = Taxonomy.load("content-v3"), _names_like(name)[name].category
    if not joined:
        return own
    lineages = [
        [step.id for step in (*taxonomy.ancestors(category), taxonomy[category])]
        for category in (own, *(_names_like(one)[one].category for one in joined))
    ]
    common = [steps[0] for steps in zip(*lineages, strict=False) if len(set(steps)) == 1]
    return common[-1] if common else own


def _products(page: Page) -> list[str]:
    """Return the name of the one product of which a page has data."""
    products = list(page.structured("Product"))
    name: Any = products[0].get("name") if len(products) == 1 else None
    return [name[:_MOST_OF_TITLE]] if isinstance(name, str) else []


def _is_of_work(page: Page) -> bool:
    """Tell whether a page where nothing is sold is about a film, a book, a song or another work."""
    if is_offering(page):
        return False
    return any(_WORKS.search(text) for text in (_HYPHEN.sub(" ", urlsplit(page.url).path), page.title, *page.sections))


def _is_at_home(page: Page) -> bool:
    """Tell whether a page is the home of its site, or a text without a site."""
    return page.is_home or not page.url


def _own(title: str, page: Page) -> str:
    """Return a title without the name of the site, and without names of works."""
    if _is_at_home(page):
        return title[:_MOST_OF_TITLE]  # a site's home is of what the site is called after
    segments = [part for part in JOINTS.split(title[:_MOST_OF_TITLE]) if part.strip()]
    site, host = _letters(page.metas.get("og:site_name", "")), _letters(urlsplit(page.url).hostname or "")
    own = [part for part in segments if _letters(part) != site and _letters(part) not in host]
    return _QUOTED.sub(" ", " | ".join(own))


def _letters(text: str) -> str:
    return _LETTERS.sub("", text.lower().replace("&", "and"))


def _of_title(title: str, *, is_sold: bool) -> Iterator[_Found]:
    """Yield what the segments of a title name: the first is the surest."""
    for place, segment in enumerate(part for part in _SEGMENTS.split(title) if part.strip()):
        # What stands behind a colon with an article says what the first part is.
        for found in _of_segment(_ARTICLE.sub("", segment) if place else segment, is_sold=is_sold):
            if place and found.name in _colours():
                continue
            yield found._replace(sureness=found.sureness * (_LATER if place else 1.0))


def _of_sections(sections: Sequence[str]) -> Iterator[_Found]:
    for section in reversed([name for name in sections if len(name) >= _LEAST_OF_SECTION]):
        yield from _of_segment(section, is_sold=True)


def _of_segment(segment: str, *, is_sold: bool) -> Iterator[_Found]:
    """Yield the last thing named before the words that lead on to materials, places and uses, if there is any."""
    text = _parted(segment)
    spans = word_spans(text)
    words = [word for *_, word in spans]
    many = [text[start:end].lower().endswith("s") for start, end, _ in spans]
    until = next((at for at, word in enumerate(words) if word in _ENDS), len(words))
    is_sentence = _SENTENCE.search(text[: spans[until - 1][1]] if until else "") is not None
    sureness = _IN_SENTENCE if is_sentence else 1.0
    groups = list(_groups(words, many, is_sold=is_sold and not is_sentence))
    joined: list[str] = []
    for place, (lead, end, names) in enumerate(groups):
        if lead in _ENDS:
            return
        if lead in _LEADS:
            sureness *= _LED
        # A colour that is called after a thing is none where another one is named.
        heads = [place for place in names if words[place[0]] not in _colours()] or names
        if not heads:
            continue
        first, last = heads[-1]
        is_joined = place + 1 < len(groups) and groups[place + 1][0] in _JOINS
        if is_joined and groups[place + 1][2] and not many[last - 1]:
            joined.append(" ".join(words[first:last]))
            continue  # reels for salmon and trout are no salmon
        until = groups[place + 1][1] if is_joined and not groups[place + 1][2] else end
        following = [word for word in words[last:until] if not _goes_with(word)]
        name = " ".join(words[first:last])
        if following and _names_like(name)[name].is_sold:
            return
        spelling = text[spans[first][0] : spans[last - 1][1]].lower()
        follower = following[0] if following else ""
        yield _Found(spelling, name, sureness, follower, tuple(joined))
        return


def _groups(
    words: Sequence[str], many: Sequence[bool], *, is_sold: bool
) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """Yield the groups of words between those that lead on: what led to it, where it ends, where names stand in it."""
    lead, at = "", 0
    names: list[tuple[int, int]] = []
    while at < len(words):
        if end := _name_at(words, many, at, is_sold=is_sold):
            names.append((at, end))
            at = end
            continue
        if words[at] in _ENDS or words[at] in _LEADS or words[at] in _JOINS:
            yield lead, at, names
            lead, names = words[at], []
        at += 1
    yield lead, at, names


def _name_at(words: Sequence[str], many: Sequence[bool], at: int, *, is_sold: bool) -> int:
    """Return where the longest name ends that begins at a word, 0 if none does."""
    names = _names_like(words[at])
    for end in range(min(at + _LONGEST, len(words)), at, -1) if names else ():
        named = names.get(" ".join(words[at:end]))
        if named and (is_sold or not named.is_sold) and (many[end - 1] or not named.is_many):
            return end
    return 0


def _parted(text: str) -> str:
    """Return a text with the words of compounds apart."""
    if text.isascii() and not _APART.search(text):
        return text
    return _HYPHEN.sub(" ", _LITTLE.sub(r"\1", text)).replace("&", " and ")


def _goes_with(word: str) -> bool:
    return len(word) == 1 or word in _JOINS or word in _parts() or word in _colours() or not word.isalpha()


def _mentions(word: str, text: str) -> int:
    """Count how often a folded word, or several, stands in a text in small letters, in one or in many."""
    stem, endings = (word[:-1], ("y", "ie", "ies")) if word.endswith("ie") else (word, ("", "s", "es"))
    found, at = 0, text.find(stem)
    while at >= 0:
        end = at + len(stem)
        is_begun = at == 0 or not text[at - 1].isalnum()
        found += is_begun and any(
            text.startswith(ending, end) and not text[end + len(ending) : end + len(ending) + 1].isalnum()
            for ending in endings
        )
        at = text.find(stem, end)
    return found


@lru_cache(maxsize=16)
def is_offering(page: Page) -> bool:
    """Tell whether something is sold or offered on a page."""
    if _sells_goods(page) or (not page.selling.is_late and (sells(page.opening) or _PRICE.search(page.opening))):
        return True
    return speaks_of_itself(page)


def _sells_goods(page: Page) -> bool:
    """Tell whether a page is made to sell one thing or several."""
    selling = page.selling
    return selling.is_of_one or selling.is_of_many or selling.is_marked or any(page.structured("Product"))


# The kind of a page, its prices and all that is said of its readers depend on it.
@lru_cache(maxsize=16)
def offers_job(page: Page) -> str:
    """Return where a page offers a job, data or text; who tells how one is got offers none."""
    if any(page.structured("JobPosting")):
        return "data"
    is_advice = _INSTRUCTS.match(page.title) or _ADVICE.search(page.title) or not OF_JOBS.search(page.url)
    return "" if is_advice or different_matches(_OF_A_JOB, page.opening) < _LEAST_OF_A_JOB else "text"


def offers_program(page: Page) -> bool:
    """Tell whether what a page offers is a program, whoever works with it: what letting agents use lets no flats."""
    thing = thing_of(page)
    if thing is None or not _PROGRAM.search(thing.name) or page.selling.is_of_many:
        return False
    return is_offering(page)


def _served(page: Page) -> Thing | None:
    """Return the trade that a page serves as its thing: what is done for hotels is no journey.

    Goods are what they are, whoever takes them: a gift for teachers is a gift.
    """
    trade = trade_served(page) if speaks_of_itself(page) and not _sells_goods(page) else None
    return Thing(trade.name, trade.category, trade.where, 1.0) if trade else None


def _imitated(page: Page) -> str:
    """Return what the goods of a page are that look like things: toys, models, or nothing else than they are.

    There are tills, kettles and lawn mowers of wood, for the smallest.
    """
    if not is_offering(page):
        return ""
    if _OF_MODELS.search(page.title):
        return _MODELS
    text = "\n".join((page.title, page.description, *page.sections, page.opening))
    is_of_toys = count_matches(_TOY, text) >= _ENOUGH and count_matches(_OF_CHILDREN, text) >= _ENOUGH
    return _TOYS if is_of_toys else ""


def _names_like(name: str) -> dict[str, _Named]:
    """Return the names of things among which a folded one is, if it is any."""
    beginning = _beginning(name)
    # A page may say anything, and what no name begins like is not kept.
    return _names_from(beginning) if beginning in _written() else {}


# A title begins a few hundred of them, and to fold them all takes longer than all else of a first page.
@cache
def _names_from(beginning: str) -> dict[str, _Named]:
    """Return the names of things whose first word begins so, as they are folded."""
    found: dict[str, _Named] = {}
    for name, one, many in _written()[beginning]:
        for written in (name, name.replace("-", " ")) if "-" in name else (name,):
            folded = " ".join(words_of(_parted(written)))
            # Shorts are no short, and scouts no Scout; of what has a longer name one is as good as many.
            named = many if name == f"{folded}s" else one
            before, blank, last = folded.rpartition(" ")
            for form in _forms(last):
                found[f"{before}{blank}{form}"] = named
    return found


@cache
def _written() -> dict[str, list[tuple[str, _Named, _Named]]]:
    """Return the names of things as they are written, and what each is of one and of many, by how it begins."""
    taxonomy = Taxonomy.load("content-v3")
    found: defaultdict[str, list[tuple[str, _Named, _Named]]] = defaultdict(list)
    for row in knowledge_rows("things.tsv"):
        identifier = taxonomy.by_path(row["path"]).id
        for column in ("names", "sold"):
            one, many = (_Named(identifier, column == "sold", is_many=is_many) for is_many in (False, True))
            for name in listed(row[column]):
                found[_beginning(name)].append((name, one, many))
    return dict(found)


def _beginning(name: str) -> str:
    """Return the first two letters of a name; of an e-bike it is one."""
    if name[:2].isalnum() and name.isascii():
        return name[:2]
    found = _BEGINNING.search(name)
    return accentless(found[0]) if found else ""


# A few thousand words end all names.
@cache
def _forms(word: str) -> tuple[str, ...]:
    """Return a folded word in one and in many: knife and knives."""
    for end, many in _MANY:
        if word.endswith(end):
            return word, word.removesuffix(end) + many
    return (word,)


def _top(category: str) -> str:
    return Taxonomy.load("content-v3")[category].path.partition(PATH_SEPARATOR)[0]


@cache
def _parts() -> frozenset[str]:
    return frozenset(words_of(" ".join(knowledge_words("part_words.txt"))))


@cache
def _colours() -> frozenset[str]:
    return frozenset(words_of(" ".join(knowledge_words("colour_words.txt"))))
