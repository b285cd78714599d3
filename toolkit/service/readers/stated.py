"""For whom a page says that it is: for men, for the over-60s, for children aged 5 to 11, for the trade.

The words are in `stated_readers.tsv`. They count in the title, the description and the first heading, or at the
beginning of the text; those of the trade, those to "you" and those of a writer's own life also further on, where
several say so. What the title or first heading says of few (a stairlift, a hen night) says who they are where nothing
else does. What a report or a story tells of people is no statement of its readers, nor is what those are called whom a
gift is for.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import Marks, alternatives_of, fixed_texts, places_of
from toolkit.service.readers.ages import NEAR_WRITER, OLDEST, brackets_of, own_ages, stated_ages
from toolkit.service.readers.kinds.content_type import UNTOLD, content_type
from toolkit.service.subjects.examples import shares_for_firms
from toolkit.service.subjects.things import offers_job
from toolkit.service.subjects.wording import OWN_VOICE, is_narrative, rate_of_i

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolkit.service.pages.parsed import Page

__all__ = ["Stated", "stated_readers", "tells_of_others"]

#: Kinds of pages that offer something, those on which people tell of themselves, of which the title counts alone, and
#: those that tell of others.
_OFFERING: Final = ("product_page", "category_page", "corporate", "landing_page", "event_page", "directory")
_OWN_LIVES: Final = ("blog", "forum", "review")
_OF_OTHERS: Final = ("news", "reference", "documentation", "tool", "media", "fiction")
#: Characters by which a sentence that is repeated is known.
_AROUND: Final = 20
#: Kinds of pages in which firms tell those whom they sell to what they know.
_TELLING: Final = ("blog", "guide", "article")
_LEAD: Final = 500
_MOST_READ: Final = 3_000
_MODIFIERS: Final = (
    r"(?:(?:the|all|our|your|busy|active|older|young|younger|new|modern|adult|tall|local|keen|little|both|most|many) )"
    r"{0,3}?"
)
#: What a noun is followed by where it is said of others.
_OF_SOME: Final = r"(?! (?:of|affected|fleeing|accused|jailed|convicted|in (?:care|need|crisis|poverty|conflict))\b)"
#: Some of whom something is told, and no readers: the men who towed the boats.
_THESE: Final = r"(?!(?:the|those) [^.;:!?|()\n]{1,30}? (?:who|whom|whose|that)\b)"
_JOINED: Final = re.compile(r",? and (?:for )?|,? or (?:for )?|, | ?& ?|/", re.IGNORECASE)
#: What is before "for men" where it is not, or where men are those whom it is about.
_DENIED: Final = re.compile(
    r"\b(?:not|never|nor|neither|no longer|unsuitable|unsafe|rather than|instead of|than)\b[^.;:|\n]{0,25}$"
    r"|n['’]t\b[^.;:|\n]{0,25}$"
    r"|\b(?:arrangements|funds?|care|orders?|justice|hope|homes|shelters?|refuge|houses|hunt|search|prison|jail|fears?|concern"
    r"|warnings?|campaign|titles?|record|championships?|world cup|unsuitable|gifts?|presents?|ideas"
    r"|carers?|foster\w*|looks? after|looking after)(?: [\w-]+)?,? $"
    r"|\b(?:age|life expectancy|rates?|average|per cent|percentage)\b[^.;:|\n]{0,40}$"
    r"|\b(?:discounts?|concessions?|fares?|reductions?|reduced|cheaper|half[- ]price|off|free|vouchers?)\b"
    r"[^.;:|\n]{0,25}$",
    re.IGNORECASE,
)
#: What is called women's or children's and is for others as well.
_CALLED: Final = (
    r"(?! (?:world|refuge|rights|suffrage|finals?|doubles|singles|eights?|fours?|race|team|squad|league"
    r"|(?:football|cricket|rugby|hockey|tennis)(?! (?:boots|shirts?|kit|shoes|gear|jerseys?|bats?|clothing"
    r"|coaching|lessons|balls?))"
    r"|cup|championships?|tour|authors?|illustrators?|homes?|hospitals?|ward|hospice|commissioner|services|minister"
    r"|charity|fund|nurses?|nursing|literature|institute|prison|movement|history|and|or|of|in|at|on|who|are|is|from|with|to|for"
    r"|win|wins|face|beat)\b)(?= \w)"
)
#: Pages whose readers give to those of whom they speak, or teach them.
_GIVING: Final = re.compile(
    r"\b(?:gifts?|presents?|donat\w+|charit(?:y|ies)|appeal|sponsor an?|fundrais\w+|stocking fillers?)\b", re.IGNORECASE
)
_TEACHING: Final = re.compile(
    r"\b(?:teachers?|teaching|lesson plans?|worksheets?|classroom|your (?:pupils|students)|nursery managers?)\b",
    re.IGNORECASE,
)
#: Readers of what is for landlords, too.
_TO_TENANTS: Final = re.compile(
    r"\b(?:tenants?|renters|to rent|to let|for rent|homes to (?:let|rent)|rentals)\b", re.IGNORECASE
)
#: Pages about the young that speak to those who bring them up.
_TO_PARENTS: Final = re.compile(
    r"\b(?:your (?:teens?|teenagers?|teenage \w+|child(?:ren)?|kids?|son|daughter|family)|parents|mums and dads"
    r"|parental)\b",
    re.IGNORECASE,
)
_CHILDREARING: Final = frozenset({"parents_of_infants", "parents_of_children"})
_OF_AGES: Final = ("age_bracket", "life_stage", "employment_status", "household_composition", "home_ownership")
_TAUGHT: Final = ("student", "parents_of_children", "parents_of_infants", "teenager")
#: There are puppies and senior dogs.
_ANIMALS: Final = re.compile(
    r"\b(?:dogs?|cats?|pupp(?:y|ies)|kittens?|pets?|vets?|veterinary|animals?|horses?|pon(?:y|ies)|rabbits?"
    r"|lambs?|calf|calves|foals?|chicks?|chickens?|piglets?|goats?|sheep|cattle)\b",
    re.IGNORECASE,
)
_OF_THE_YOUNG_AND_OLD: Final = ("retiree", *_TAUGHT)
#: What is for everybody, and costs some less or must be shown to them by others.
_CHEAPER: Final = re.compile(
    r"^[^.;:|\n]{0,20}\b(?:free|half[- ]price|discounts?|reduced|concessions?|off|must|need|not)\b"
    r"|^[^.;:|\n]{0,50}\b(?:accompanied|admitted|supervised|permitted|allowed)\b"
    r"|^:? ?[£$€]",
    re.IGNORECASE,
)
#: What stands before those who pay less: "£6 students, over-60s", and not "£6 yoga for over-60s".
_CHEAPER_FOR: Final = re.compile(
    r"(?:[£$€] ?[0-9]|\b(?:concessions?|concs?|unwaged|students?)\b)(?:(?!\bfor\b)[^;:|\n]){0,30}$", re.IGNORECASE
)
#: Who sells to everybody as well.
_TO_ALL: Final = re.compile(
    r"\b(?:trade (?:and|&) (?:the )?(?:public|retail|private)|(?:public|retail|private)(?: customers)? (?:and|&) trade"
    r"|(?:open to|welcomes?) the (?:general )?public|public welcome|for (?:home|homes) and business(?:es)?"
    r"|for businesses and (?:homes|individuals|consumers))\b",
    re.IGNORECASE,
)
#: How pages begin that speak to somebody, and do not only tell of somebody.
_SPEAKING: Final = re.compile(r"\b(?:you|your|we|us|our|join|welcomes?|apply|book)\b", re.IGNORECASE)
#: What is said to those who buy for themselves.
_PRIVATE: Final = re.compile(
    r"\b(?:add to (?:basket|cart|bag)|free returns|click and collect|inc(?:l|luding)?\.? vat|interest[- ]free|gift wrap"
    r"|(?:your|at) home|under the stairs|family|kids|nursery|bedrooms?|living room|reviews? [0-9]|customer reviews"
    r"|your (?:garden|kitchen|landlord|isa|savings|holiday|phone|skin|dog|cat))\b",
    re.IGNORECASE,
)
#: What tells that a page of no known kind offers something.
_SELLING: Final = re.compile(
    r"[£$€] ?[0-9]|\b(?:book (?:now|your|a|an|online)|apply now|add to (?:basket|cart|bag)"
    r"|join (?:now|today|us)|enrol)\b",
    re.IGNORECASE,
)
#: Letters of words that are in every page as far as a quick look tells.
_SHORT: Final = 3
#: What is before a word that is a part of another, and behind one; and what no phrase has that stands for itself.
_GLUED: Final = re.compile(r"[\w'-]")
_GOES_ON: Final = re.compile(r"[\w']")
_IS_PATTERN: Final = re.compile(r"[\\\[\](){}*+?.|^$]")
#: Characters between words of trade that stand in one place.
_BESIDE: Final = 20
#: What one statement of trade in the title or first heading, some elsewhere, and all together must weigh.
_PLAIN: Final = 2
_WEIGHTS: Final = {"hint": 0.5, "talk": 0.5, "price": 1.5}
_MOST_OF_TALK: Final = 2.0
_TRADE: Final = 2
#: What news must have to be those of a trade, and what other pages to be for others as well.
_TRADE_NEWS: Final = 3
_MIXED: Final = 1.5
#: How likely a page must be for private people to be worded plainly so.
_PLAINLY_PRIVATE: Final = 0.8
#: Ages that begin before the first and are more than the second are everybody's.
_ALL_AGES_FROM, _ALL_AGES = 25, 30
#: The first age of those at school, the last of what is for smaller ones, and the first of those in their teens, grown
#: up, mostly at work, perhaps retired, and retired.
_OF_TODDLERS, _OF_INFANTS, _OF_TEENS, _OF_ADULTS, _OF_WORKERS, _LATE, _RETIRED = 4, 8, 13, 18, 25, 50, 65
_WORKING_OR_NOT: Final = {
    "life_stage": ("midlife_single", "midlife_couple", "parents_of_teens", "empty_nester", "retiree"),
    "employment_status": ("full_time", "part_time", "self_employed", "retired", "job_seeker"),
    "household_composition": ("one_person", "couple", "multi_generation"),
}
_NOT_AT_SCHOOL: Final = {
    "employment_status": ("full_time", "part_time", "self_employed", "job_seeker", "homemaker"),
    "life_stage": tuple(
        f"{stage}"
        for stage in (
            *("young_single", "young_couple", "newly_married", "expecting_parents", "parents_of_infants"),
            *("parents_of_children", "parents_of_teens", "single_parent", "midlife_single", "midlife_couple"),
        )
    ),
}


#: Fields of how readers live, and times that a text must say them of its readers where no title does.
_OF_LIVES: Final = frozenset({"life_stage", "household_composition", "employment_status"})
_REPEATED: Final = 2
#: How they are said of oneself.
_MINE: Final = re.compile(r"(?:my|our|as an?|being an?|i)\b", re.IGNORECASE)


@dataclass(slots=True)
class Stated:
    """For whom a page says that it is."""

    #: Values stated, by field, each with the words that state it.
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    #: Further values of a field that contradict none of them.
    beside: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def allows(self, name: str, value: str) -> bool:
        """Tell whether a value of a field contradicts nothing that is stated."""
        if name not in self.values and name not in self.beside:
            return True
        return value in self.values.get(name, ()) or value in self.beside.get(name, ())


@dataclass(frozen=True, slots=True)
class _Row:
    states: dict[str, tuple[str, ...]]
    beside: dict[str, tuple[str, ...]]
    form: frozenset[str]
    words: str


def _state(found: Stated, row: _Row, words: str) -> None:
    for name, values in row.states.items():
        for value in values:
            found.values.setdefault(name, {}).setdefault(value, words)
    for name, values in row.beside.items():
        found.beside[name].update(values)


# Firms, people and personas ask about the same page.
@lru_cache(maxsize=8)
def stated_readers(page: Page) -> Stated:
    """Return for whom a page says that it is; of a report, a story, a job or another language than English nothing.

    >>> from toolkit.service.pages.parsed import Page
    >>> page = Page("https://a.example/boots", "Boots for men", text="Leather boots with a stitched sole. £120.")
    >>> stated_readers(page).values["gender_skew"]
    {'strong_male': 'for men'}
    """
    found = Stated()
    kind, ground = content_type(page)
    # Who offers a job names those whom it is with: pupils, patients, managers.
    if not page.is_english or offers_job(page):
        return found
    title = "\n".join((page.title, *page.headings[:1])).replace("’", "'")
    head = "\n".join((page.title, page.description, *page.headings[:1])).replace("’", "'")
    text = page.opening[:_MOST_READ].replace("’", "'")
    phrases = _Phrases(f"{head}\n{text}")
    if tells_of_others(page):
        if kind == "news":
            _read_trade(found, page, phrases, head, text, least=_TRADE_NEWS)
        if kind == "reference":
            _read_subject(found, phrases, title, frozenset())
        # Of a true story in which somebody begins something at an age, the title says it.
        if kind not in _OF_OTHERS and rate_of_i(page) >= OWN_VOICE:
            _read_statements(found, [*_ages_in(page.title, is_title=True)], frozenset())
        return found
    lead = "" if kind in _OWN_LIVES else page.opening[:_LEAD].replace("’", "'")
    offers = kind in _OFFERING or (ground in UNTOLD and _SELLING.search(page.opening) is not None)
    if not _GIVING.search(f"{head}\n{lead}"):
        _read_people(found, phrases, (title, head, lead, text), offers=offers)
    is_own = (kind in _OWN_LIVES or not offers) and rate_of_i(page) >= OWN_VOICE
    if kind in _OWN_LIVES or is_own:
        # Those who answer in a forum may be older than all the others.
        _read_age(found, page.title, page.opening[:_LEAD] if kind == "forum" else page.opening)
        _read_repeated(found, phrases, head, text, "own")
    may_offer = offers or ground in UNTOLD or (kind in _TELLING and not is_own)
    _read_trade(found, page, phrases, title, f"{page.description}\n{text}" if may_offer else "")
    return found


def tells_of_others(page: Page) -> bool:
    """Tell whether a page tells of others than its readers: a report, a work of reference, a story."""
    kind = content_type(page)[0]
    return kind in _OF_OTHERS or (kind not in _OWN_LIVES and is_narrative(page))


def _read_people(found: Stated, phrases: _Phrases, texts: tuple[str, str, str, str], *, offers: bool) -> None:
    """Add what the head states, to whom the text speaks, whose subject it is; of what these leave open, the lead."""
    title, head, lead, text = texts
    silent = frozenset(
        (*(_TAUGHT if _TEACHING.search(head) else ()), *(_OF_THE_YOUNG_AND_OLD if _ANIMALS.search(head) else ()))
    )
    told = _plain([*_statements(head, phrases, offers=offers)], phrases, title, text)
    _read_statements(found, [*told, *_ages_in(head, is_title=True)], silent)
    _read_repeated(found, phrases, head, text, "you")
    _read_subject(found, phrases, title, silent)
    told = _plain([*_statements(lead, phrases, offers=False)], phrases, title, text)
    speaks = offers or _SPEAKING.search(lead)
    # Who speaks to nobody reports of the under-19s who won.
    told += _ages_in(lead, is_title=False) if speaks else []
    _read_statements(found, [said for said in told if speaks or "life_stage" not in said[0].states], silent)
    _mend(found, f"{head}\n{lead}")


def _read_statements(found: Stated, told: list[tuple[_Row, str]], silent: frozenset[str]) -> None:
    """Add statements about fields of which nothing is stated."""
    named = frozenset(found.values)
    for row, words in told:
        if named.isdisjoint(row.states) and silent.isdisjoint(row.states.get("life_stage", ())):
            _state(found, row, words)


def _plain(told: list[tuple[_Row, str]], phrases: _Phrases, title: str, text: str) -> list[tuple[_Row, str]]:
    """Return statements without those of how readers live that stand in no title and are not repeated in the text.

    A dentist sees children, too, and has no parents alone for patients.
    """
    lowered = title.lower()
    titled = {row.words for row, words in told if words in lowered}
    weak = {row.words for row, _ in told if not _OF_LIVES.isdisjoint(row.states)} - titled
    if not weak:
        return told
    # What is said for somebody names them at the same place.
    places = {(row.words, end) for row, _, end in _placed(text, phrases, offers=True)}
    said = Counter(words for words, _ in places)
    return [(row, words) for row, words in told if row.words not in weak or said[row.words] >= _REPEATED]


def _mend(found: Stated, text: str) -> None:
    """Join or leave out what is stated of several readers: sexes, the young and their parents, all ages."""
    sexes = found.values.get("gender_skew", {})
    if len(sexes) > 1:
        found.values["gender_skew"] = {"balanced": sexes.get("balanced") or " and ".join(sexes.values())}
    if "owner" in found.values.get("home_ownership", ()) and _TO_TENANTS.search(text):
        # Agents let for landlords, to tenants.
        found.values["home_ownership"] = {"mixed": " and ".join(found.values["home_ownership"].values())}
    stages = found.values.get("life_stage", {})
    if "teenager" in stages and _TO_PARENTS.search(text):
        words = stages.pop("teenager")
        stages.setdefault("parents_of_teens", words)
        found.values["age_bracket"] = dict.fromkeys(("35_44", "45_54"), words)
    old = {"retiree", "65_74"} & (stages.keys() | found.values.get("age_bracket", {}).keys())
    if old and not _CHILDREARING.isdisjoint(stages):
        # It is for all ages, of which some pay less.
        for name in _OF_AGES:
            found.values.pop(name, None)
            found.beside.pop(name, None)
        stages = {}
    if "student" in stages and any(stage.startswith("parents") for stage in stages):
        for name in ("life_stage", "employment_status"):
            found.values[name].pop("student", None)
        found.values.get("age_bracket", {}).pop("18_24", None)
    found.values = {name: values for name, values in found.values.items() if values}


def _read_subject(found: Stated, phrases: _Phrases, title: str, silent: frozenset[str]) -> None:
    """Add what the subject of a title says of fields of which nothing is stated; there are animals with teeth, too."""
    named = frozenset(found.values)
    of_animals = _ANIMALS.search(title) is not None
    for said in phrases.found("head", title):
        row = _rows()[said.number]
        is_silent = _is_denied(title, said.start) or not silent.isdisjoint(row.states.get("life_stage", ()))
        if not (is_silent or (of_animals and "age_bracket" in row.states)):
            states, beside = (
                {name: values for name, values in cells.items() if name not in named}
                for cells in (row.states, row.beside)
            )
            _state(found, _Row(states, beside, row.form, row.words), said.words)


def _read_repeated(found: Stated, phrases: _Phrases, head: str, text: str, form: str) -> None:
    """Add what is said in the head, or twice, of the writer (`own`) or to the readers (`you`): both live alike."""
    text = f"{head}\n{text}"
    places: defaultdict[int, list[_Said]] = defaultdict(list)
    for said in phrases.found(form, text):
        places[said.number].append(said)
    named, rows = frozenset(found.values), _rows()
    for number, told in sorted(places.items()):
        around = {text[said.start : said.start + len(said.words) + _AROUND] for said in told}
        is_plain = told[0].start < len(head) or len(around) >= _PLAIN
        if not _OF_LIVES.isdisjoint(rows[number].states):
            # Who says "the kids" twice may speak of a nephew's, and a school run wears out a diesel.
            is_own = told[0].start < len(head) and _MINE.match(told[0].words)
            is_plain = bool(is_own) or len({said.words for said in told}) > 1 or len(around) > _REPEATED
        if is_plain and named.isdisjoint(rows[number].states):
            _state(found, rows[number], told[0].words)


def _read_age(found: Stated, title: str, text: str) -> None:
    """Add the ages of the writers as those of the readers, unless others are stated or they are of all ages."""
    ages = own_ages(title, text)
    if ages and "age_bracket" not in found.values and max(ages) - min(ages) <= 2 * NEAR_WRITER:
        for row in _rows_of_age(max(min(ages) - NEAR_WRITER, 0), max(ages) + NEAR_WRITER):
            _state(found, row, f"{ages[0]}")


def _statements(text: str, phrases: _Phrases, *, offers: bool) -> Iterator[tuple[_Row, str]]:
    """Yield what a text states of its readers in words; possessives count in the head of what is offered."""
    return ((row, words) for row, words, _ in _placed(text, phrases, offers=offers))


def _placed(text: str, phrases: _Phrases, *, offers: bool) -> Iterator[tuple[_Row, str, int]]:
    """Yield what a text states of its readers in words, and where these end."""
    rows = _rows()
    for said in _pattern("for").finditer(text):
        end = said.start(1)
        for piece in _JOINED.split(said[1]) if not _is_denied(text, said.start()) else ():
            if not (known := _pattern("noun").match(piece)):
                break
            # As it stands there, with those who are named before.
            end = text.index(known[0], end) + len(known[0])
            yield rows[_number(known)], text[said.start() : end].lower(), end
    for found in phrases.found("is", text):
        if not _is_denied(text, found.start):
            yield rows[found.number], found.words, found.start + len(found.words)
    for form in ("whose", "named") if offers else ():
        for said in _pattern(form).finditer(text):
            if not _is_denied(text, said.start()):
                yield rows[_number(said)], said[0].lower(), said.end()


def _is_denied(text: str, at: int) -> bool:
    """Tell whether what is said at a place of a text is said of nobody there, or of others."""
    return _DENIED.search(text[max(at - 45, 0) : at]) is not None


def _ages_in(text: str, *, is_title: bool) -> Iterator[tuple[_Row, str]]:
    for number, line in enumerate(text.split("\n")):
        for (first, last), at, words in stated_ages(line, is_title=is_title and not number):
            is_cheaper = _CHEAPER.search(line[at + len(words) :][:60]) or (
                "over" in words.lower() and _CHEAPER_FOR.search(line[:at][-60:])
            )
            if not (is_cheaper or _is_denied(line, at)):
                yield from ((row, words) for row in _rows_of_age(first, last))


@cache
def _rows_of_age(first: int, last: int) -> tuple[_Row, ...]:
    """Return what ages say: of children their parents read; from childhood to old age it is everybody."""
    by_words = {row.words.partition("|")[0]: row for row in _rows()}
    if first < _ALL_AGES_FROM and last >= _LATE and last - first > _ALL_AGES:
        return ()
    if last < _OF_ADULTS:
        names = (
            *(["toddlers?"] if first < _OF_TODDLERS and last <= _OF_INFANTS else []),
            *(["children"] if first < _OF_TEENS and last >= _OF_TODDLERS else []),
            *(["teens" if first >= _OF_TEENS else "parents of (?:a )?(?:teens?"] if last > _OF_TEENS else []),
        )
        return tuple(by_words[name] for name in names)
    ages = {"age_bracket": brackets_of(first, last)}
    if first >= _RETIRED:
        old = by_words["seniors"]
        return (_Row({**old.states, **ages}, old.beside, old.form, words=f"{first}"),)
    beside = _WORKING_OR_NOT if first >= _LATE or last == OLDEST else _NOT_AT_SCHOOL if first >= _OF_WORKERS else {}
    return (_Row(ages, beside, frozenset(), words=f"{first}"),)


def _read_trade(found: Stated, page: Page, phrases: _Phrases, head: str, text: str, *, least: float = _TRADE) -> None:
    """Add that a page sells or speaks to firms, where enough of its words say so and none that it sells to all.

    Of one that is worded like those for private people all must say more, unless something says it plainly, or often.
    """
    rows = _rows()
    weights: defaultdict[int, float] = defaultdict(float)
    words: dict[int, dict[str, None]] = {}
    for part in (head, text):
        for said in _of_trade(phrases, part):
            form, told = rows[said.number].form, words.setdefault(said.number, {})
            if said.words in told or (part is text and "titled" in form):
                continue
            told[said.words] = None
            if part is head and not form.isdisjoint(("plain", "titled") if text else ("titled",)):
                weights[said.number] = _PLAIN
            elif weights[said.number] < _MOST_OF_TALK and ("talk" in form or not weights[said.number]):
                weights[said.number] += _weight(form) * (2 if part is head and "talk" in form else 1)
    total = sum(weights.values()) - (1 if weights and _PRIVATE.search(text) else 0)
    if _PLAIN not in weights.values() and weights and shares_for_firms(page).get("no", 0.0) > _PLAINLY_PRIVATE:
        total -= 1
    if total < (_MIXED if least == _TRADE else least) or _TO_ALL.search(f"{head}\n{text}"):
        return
    for number in weights:
        _state(found, rows[number], ", ".join(" ".join(word.split()) for word in words[number]))
    if total < least:
        found.values["audience_type"] = {"mixed": next(iter(found.values["audience_type"].values()))}


def _of_trade(phrases: _Phrases, text: str) -> list[_Said]:
    """Return what a text says of trade; of what stands side by side the plainest: it is said in one place."""
    found: list[_Said] = []
    for said in phrases.found("trade", text):
        if _is_denied(text, said.start):
            continue
        # Beside the plainest, and not beside the last: a whole line of such words is more than one place.
        if found and said.start - found[-1].start - len(found[-1].words) < _BESIDE:
            found[-1] = max(found[-1], said, key=_plainness)
        else:
            found.append(said)
    return found


def _plainness(said: _Said) -> tuple[bool, float]:
    form = _rows()[said.number].form
    return not form.isdisjoint(("plain", "titled")), _weight(form)


def _weight(form: frozenset[str]) -> float:
    return next((weight for name, weight in _WEIGHTS.items() if name in form), 1.0)


def _number(found: re.Match[str]) -> int:
    return int((found.lastgroup or "_0")[1:])


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(
        _Row(_cells(row["states"]), _cells(row["beside"]), frozenset(row["form"].split()), row["words"])
        for row in knowledge_rows("stated_readers.tsv")
    )


def _cells(cell: str) -> dict[str, tuple[str, ...]]:
    pairs: Iterable[tuple[str, str, str]] = (value.partition("=") for value in listed(cell) if value)
    return {name: tuple(values.split(",")) for name, _, values in pairs}


@dataclass(frozen=True, slots=True)
class _Phrase:
    """One of the ways in which a row may be said."""

    number: int
    form: frozenset[str]
    words: str


@dataclass(frozen=True, slots=True)
class _Said:
    """Where a row is said in a text, and its words."""

    number: int
    start: int
    words: str


class _Phrases:
    """The phrases that a text may have."""

    def __init__(self, text: str) -> None:
        phrases, marks = _phrases()
        self._open = [phrases[position] for position in marks.candidates(text.lower())]

    def found(self, form: str, text: str) -> list[_Said]:
        """Return where phrases of a form are said in a part of the text, in its order; of two in one place one."""
        lowered = text.lower()
        said = sorted(
            (start, phrase.number, words)
            for phrase in self._open
            if form in phrase.form
            for start, words in _places(phrase.words, lowered)
            if not (start and _GLUED.match(lowered, start - 1))
        )
        found: list[_Said] = []
        end = 0
        for start, number, words in said:
            if start >= end:
                found.append(_Said(number, start, words))
                end = start + len(words)
        return found


def _ways(pattern: str) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Yield the alternatives of a pattern and the texts that each needs, as one those that no quick look finds."""
    ways = [(words, fixed_texts(words)) for words in alternatives_of(pattern)]
    short = [words for words, needed in ways if any(len("".join(texts)) <= _SHORT for texts in needed)]
    yield from ((words, needed) for words, needed in ways if words not in short)
    if short:
        yield "|".join(short), fixed_texts("|".join(short))


@cache
def _phrases() -> tuple[tuple[_Phrase, ...], Marks]:
    """Return the phrases of all rows, and what tells which of them a text may have."""
    phrases, needed = [], []
    for number, row in enumerate(_rows()):
        for words, texts in _ways(row.words.lower()):
            phrases.append(_Phrase(number, row.form, words))
            needed.append(texts)
    return tuple(phrases), Marks(needed)


def _places(pattern: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield where a text says a phrase to the end of a word, and how."""
    if _IS_PATTERN.search(pattern):
        return ((said.start(), said[0]) for said in _compiled(pattern).finditer(text))
    # Most phrases stand for themselves.
    return ((start, pattern) for start in places_of(pattern, text, _GOES_ON))


# Of some 1,500 phrases a page has a dozen.
@cache
def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})(?![\w'])")


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """Return what finds the words of all rows of a form; the name of the group that it finds is the row's number."""
    rows = [(number, row) for number, row in enumerate(_rows()) if {"noun": "for"}.get(form, form) in row.form]
    groups = "|".join(f"(?P<_{number}>{row.words})" for number, row in rows)
    plain = "|".join(row.words for _, row in rows)
    text = {
        "for": (
            rf"\b(?:for|aimed at|open to|suited to|tailored to) (?={_MODIFIERS}(?:{plain})(?![\w'-]))"
            r"([^.;:!?|()\n]{2,80})"
        ),
        "noun": rf"{_THESE}{_MODIFIERS}(?:{groups})(?![\w'-]){_OF_SOME}",
        "whose": rf"(?<![\w'-])(?:{groups})(?:'s|s'|'|(?<=s)|(?<=men)s|(?<=toddler)|-only){_CALLED}",
        "named": rf"\bfor (?:{groups})(?= *(?:$|[|–—:,.!()/&\n]|and |or |- ))",
    }
    return re.compile(text[form], re.IGNORECASE)
