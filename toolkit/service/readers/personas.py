"""Personas: after which categories, and for which pages, readers are named."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import count_terms, knowledge_rows, words_of
from toolkit.service.readers.kinds.content_type import content_type, is_report
from toolkit.service.readers.offers import means_to_buy, offered, withheld
from toolkit.service.readers.stated import stated_readers
from toolkit.service.readers.support import OF_EVERYBODY, explains, is_settled, lineage, speaking
from toolkit.service.subjects.content import is_doubted
from toolkit.service.subjects.examples import is_for_work, near_categories
from toolkit.service.subjects.notices import is_fine_print, is_notice
from toolkit.service.subjects.things import offers_program
from toolkit.service.subjects.translation import understood
from toolkit.service.subjects.wording import quotes_sources

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored

__all__ = ["PersonaMatch", "match_personas", "persona_categories"]

#: What the names of personas say of them, and the values of which a page must state none or one for it to have them.
_NAMED_PERSONAS: Final = (
    (
        re.compile(r"\b(?:Women|Women's|Mothers|Mums|Moms)\b"),
        "gender_skew",
        frozenset({"strong_female", "lean_female", "balanced"}),
    ),
    (
        re.compile(r"\b(?:Men|Men's|Dads|Fathers)\b"),
        "gender_skew",
        frozenset({"strong_male", "lean_male", "balanced"}),
    ),
    (
        re.compile(
            r"\b(?:Students?|Undergraduates?|Graduates?|College-Bound|Young Adult|Prom-Goers|Clubbers|Nightclub)\b"
        ),
        "age_bracket",
        frozenset({"13_17", "18_24"}),
    ),
    (
        re.compile(r"\b(?:Parents?|Famil(?:y|ies)|Toddler|Kidswear|School-Age|Daycare-Seeking)\b(?! History)"),
        "life_stage",
        frozenset(
            ("expecting_parents", "parents_of_infants", "parents_of_children", "parents_of_teens", "single_parent")
        ),
    ),
    (re.compile(r"\bSingles?\b"), "life_stage", frozenset({"young_single", "midlife_single"})),
    (
        re.compile(r"\b(?:Active Seniors|Retire(?:es?|ment))\b"),
        "age_bracket",
        frozenset({"45_54", "55_64", "65_74", "75_99"}),
    ),
)
#: A persona of a category is given unless a part of the category has one and is at least this certain beside it.
_TOLD_BY_PART: Final = 0.5
#: Personas are given down to this share of the first one's certainty.
_PERSONA_SHARE: Final = 0.6
#: Mentions of the words that a persona needs.
_LEAST_SAID: Final = 2
_MOST_PERSONAS: Final = 3
#: What is called back is loved by nobody who reads of it.
_RECALLED: Final = re.compile(r"\brecall(?:s|ed|ing)?\b", re.IGNORECASE)
#: Main categories whose personas are people at work.
_AT_WORK: Final = ("Business and Finance", "Technology & Computing")
#: What those live through, or believe, whom reports of the day are about, and not those who read them.
_LIVED: Final = (
    *("Careers", "Education > College Education", "Family and Relationships", "Law", "Medical Health"),
    *("Personal Celebrations & Life Events", "Religion & Spirituality"),
)
#: Fields that are followed as a whole by who reads reports of them: of a comet's no more stargazers than others do.
_WHOLE: Final = (f"Science{PATH_SEPARATOR}", f"Technology & Computing{PATH_SEPARATOR}")
#: Main categories whose personas follow what reports tell of them.
_FOLLOWED: Final = ("Crime", "Disasters", "Sensitive Topics", "War and Conflicts")
#: Those whose reports are read by who needs what they are of: of ferries that fail by islanders, not by tourists.
_SERVED: Final = ("Travel",)


@dataclass(frozen=True, slots=True)
class PersonaMatch:
    """A persona, the category path it is mapped from, and the category's confidence."""

    persona: str
    mapped_from: str
    score: float


@dataclass(frozen=True, slots=True)
class _Persona:
    """A persona as the knowledge has it: its role, if only one fits, and the words of which a page must say some."""

    name: str
    role: str
    needs: frozenset[str]


def match_personas(page: Page, categories: tuple[Scored, ...], audience: str = "b2c") -> tuple[PersonaMatch, ...]:
    """Map content categories (v3) onto at most three personas, most certain and most special first.

    Each is from one category, statically, of the surest main category: stray ones have no readers. Readers of a
    category are named after its part where that is what the page is about: golf players, not sports fans. Where it is
    not certain, has a rival beside it, no known page of it is near, or this one lacks the words that its personas need,
    they are named after the whole, unless the part is everybody's. A ``b2b`` page has people at work for readers, a
    ``b2c`` page none; who loves a thing reads no recall of it, and who means to buy one neither the day's news nor how
    it is used. Personas whose name contradicts what the page states of its readers are left out.
    """
    taxonomy = Taxonomy.load("content-v3")
    told = speaking(page, categories)
    if not told or is_notice(page) or is_fine_print(page) or is_doubted(page):
        return ()
    unfit = _SERVED if is_report(page) else _FOLLOWED
    told = tuple(category for category in told if not category.path.startswith(unfit))
    if is_report(page) or (content_type(page)[0] == "article" and quotes_sources(page)):
        told = tuple(category for category in told if not category.path.startswith((*_LIVED, *_WHOLE)))
    main = max((category for category in told if category.tier == 1), key=attrgetter("confidence"), default=None)
    if main is None:
        return ()
    known = [category for category in told if lineage(category.id)[-1] == main.id]
    parts = {
        step.id: max(part.confidence for part in known if step in taxonomy.ancestors(part.id))
        for category in known
        if category.id in _personas()
        for step in taxonomy.ancestors(category.id)
    }
    told = tuple(c for c in known if parts.get(c.id, 0.0) < _TOLD_BY_PART * c.confidence)
    ranked = sorted(told, key=lambda c: -(c.confidence * (1 + 0.15 * c.tier)))
    named = _named_personas(page, known, audience)
    near = near_categories(page)
    fitting = {c.id: c for c in known if named[c.id] and c.id in near and (c.tier == 1 or is_settled(page, c))}
    if any(category.path.startswith(OF_EVERYBODY) for category in categories):
        fitting.pop(main.id, None)
    found = {
        persona: PersonaMatch(persona, whole.path, whole.confidence)
        for category in ranked
        if category.confidence >= _PERSONA_SHARE * ranked[0].confidence
        for whole in [fitting[step] for step in lineage(category.id) if step in fitting][:1]
        for persona in named[whole.id]
    }
    return tuple(found.values())[:_MOST_PERSONAS]


def _named_personas(page: Page, categories: Iterable[Scored], audience: str) -> dict[str, tuple[str, ...]]:
    """Return the personas of each category that read such a page, and whose needs it says more than once."""
    counts = count_terms(_needed_words(), *understood(page).stated)
    stated, absent, refused = stated_readers(page).values, _absent(page, audience), withheld(page)
    # A car's owner does not read what garages tell each other of it, nor of the programs that they use.
    is_told_at_work = is_for_work(page) or offers_program(page)
    is_for_firms = audience == "b2b" or (audience == "mixed" and is_told_at_work)

    def fits(category: Scored, persona: _Persona) -> bool:
        is_said = not persona.needs or sum(counts.get(word, 0) for word in persona.needs) >= _LEAST_SAID
        is_at_work = persona.role == "worker" or category.path.startswith(_AT_WORK)
        if not is_said or persona.role in absent or (is_for_firms and not is_at_work):
            return False
        return persona.name not in refused and _is_named_rightly(persona.name, stated)

    return {c.id: tuple(p.name for p in _personas().get(c.id, ()) if fits(c, p)) for c in categories}


def _absent(page: Page, audience: str) -> tuple[str, ...]:
    """Return the roles in which nobody reads a page."""
    found = {"worker": audience == "b2c", "fan": audience == "b2b", "buyer": audience == "b2b"}
    # Who has it done does not do it.
    found["doer"] = audience == "b2b" or "services" in offered(page)
    found["fan"] |= is_report(page) and _RECALLED.search(page.title) is not None
    if is_report(page) or explains(page) or content_type(page)[0] == "guide":
        found["buyer"] = True
    elif not offered(page):
        found["buyer"] |= not means_to_buy(page)
    return tuple(role for role, is_absent in found.items() if is_absent)


def _is_named_rightly(persona: str, stated: Mapping[str, Collection[str]]) -> bool:
    """Tell whether the name of a persona says nothing of a sex or an age that contradicts what a page states."""
    return not any(
        field in stated and named.search(persona) and fitting.isdisjoint(stated[field])
        for named, field, fitting in _NAMED_PERSONAS
    )


@cache
def persona_categories() -> dict[str, tuple[str, ...]]:
    """Return the categories that each persona is mapped from."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in knowledge_rows("personas.tsv"):
        found[row["persona"]].append(row["category_id"])
    return {persona: tuple(identifiers) for persona, identifiers in found.items()}


@cache
def _personas() -> dict[str, tuple[_Persona, ...]]:
    """Return the personas of each category."""
    found: defaultdict[str, list[_Persona]] = defaultdict(list)
    for row in knowledge_rows("personas.tsv"):
        needs = frozenset(" ".join(words_of(word)) for word in listed(row["needs"]))
        found[row["category_id"]].append(_Persona(row["persona"], row["as"], needs))
    return {identifier: tuple(personas) for identifier, personas in found.items()}


@cache
def _needed_words() -> frozenset[str]:
    return frozenset(word for personas in _personas().values() for persona in personas for word in persona.needs)
