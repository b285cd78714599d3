"""Why a page is given a topic, a web-filtering category or a persona, or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.readers.kinds.content_type import is_report
from toolkit.service.readers.personas import match_personas, persona_categories
from toolkit.service.readers.profile import profile_firms
from toolkit.service.readers.support import OF_EVERYBODY, speaking
from toolkit.service.subjects.content import (
    bar_of_category,
    branch_scores,
    confidences,
    content_matcher,
    filtering_matcher,
    forms,
    framed,
    label_forms,
    label_scores,
    siblings,
)
from toolkit.service.subjects.examples import likened, likeness, near_categories, near_shares
from toolkit.service.subjects.hierarchy import load_hierarchy
from toolkit.service.subjects.needs import is_said, needed_words, unsaid
from toolkit.service.subjects.parts import page_parts
from toolkit.service.why.case import Case, Contrast, Lack, Rival
from toolkit.service.why.reasons import Reason, wording

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored, Version
    from toolkit.service.subjects.readings import Reading
    from toolkit.service.why.names import Subject
    from toolkit.service.why.reasons import Wording

__all__ = ["contrasts", "explain_category", "explain_filtering", "explain_persona"]

_MOST_CONTRASTS: Final = 8
_MOST_INSTEAD: Final = 3
#: Words named of those of which a page must say some.
_MOST_WORDS: Final = 6


def explain_category(reading: Reading, subject: Subject) -> Case:
    """Explain a topic by the words of the page, and by the runner-up among those beside it."""
    version: Version = "content-v2" if subject.kind == "content-v2" else "content-v3"
    answer = reading.content.v2 if version == "content-v2" else reading.content.v3
    page, taxonomy, certain = reading.page, Taxonomy.load(version), confidences(reading.page, version)
    own, branches = branch_scores(page, version)
    beside = [c for c in taxonomy.children(taxonomy[subject.id].parent) if c.id != subject.id]
    rival = max(beside, key=lambda category: certain[category.id], default=None)
    below = [category.id for category in taxonomy.descendants(subject.id)]
    speaker = max((subject.id, *below), key=own.__getitem__)
    told = _told(page, speaker)
    form = [Reason("page", text, "page", 0, added.get(speaker, 0.0)) for text, added in forms(page).items()]
    hierarchy = load_hierarchy(version)
    leanings = (
        (hierarchy.of_scores(likened(page, version)), likeness(page, version, speaker)),
        (hierarchy.of_scores(framed(page, version)[0]), framed(page, version)[1]),
        (hierarchy.of_near(near_shares(page, version)), f"is near to known pages of {taxonomy[speaker].name}"),
    )
    for added, text in leanings:
        form.append(Reason("page", text, "page", 0, float(added[hierarchy.ids.index(speaker)])))
    if below:
        form.append(Reason("branch", subject.name, "page", 0, branches[subject.id] - own[speaker]))
    given = any(category.id == subject.id for category in answer)
    of_rival: tuple[Contrast, ...] = ()
    if rival:
        line = (rival.id, *(category.id for category in taxonomy.descendants(rival.id)))
        of_rival = contrasts(told, _told(page, max(line, key=own.__getitem__)))
    return Case(
        given=given,
        score=branches[subject.id],
        confidence=round(certain[subject.id], 4),
        reasons=(*told.reasons, *(reason for reason in form if reason.amount)),
        runner_up=Rival(rival.id, rival.path, branches[rival.id], round(certain[rival.id], 4)) if rival else None,
        through="" if speaker == subject.id else taxonomy[speaker].path,
        marks=told.marks,
        passages=told.passages,
        instead=() if given else _instead(subject, answer),
        missing=() if given else tuple(_lacks(page, version, subject, answer)),
        difference=of_rival,
    )


def _told(page: Page, identifier: str) -> Wording:
    place = content_matcher().index[identifier]
    deciding: dict[str, dict[str, float]] = {part.where: siblings().told(part.text, place) for part in page_parts(page)}
    return wording(content_matcher(), page, identifier, deciding=deciding)


def contrasts(told: Wording, other: Wording) -> tuple[Contrast, ...]:
    """Return the words of a page that tell two subjects apart most, strongest first."""
    mine = {reason.text.casefold(): reason for reason in told.reasons if reason.places}
    theirs = {reason.text.casefold(): reason for reason in other.reasons if reason.places}
    found = [
        Contrast(
            (mine.get(word) or theirs[word]).text,
            mine[word].amount if word in mine else 0.0,
            theirs[word].amount if word in theirs else 0.0,
        )
        for word in mine | theirs
    ]
    found = [contrast for contrast in found if max(contrast.amount, contrast.other) > 0]
    return tuple(sorted(found, key=lambda c: (-abs(c.amount - c.other), c.text))[:_MOST_CONTRASTS])


def _instead(subject: Subject, answer: tuple[Scored, ...]) -> tuple[tuple[str, str], ...]:
    """Return what is given in the same branch, most special first, else what the page is about at all."""
    steps = subject.label.split(" > ")
    for depth in range(len(steps) - 1, 0, -1):
        above = " > ".join(steps[:depth])
        inside = [category for category in answer if category.path.startswith(f"{above} > ") or category.path == above]
        if inside:
            ranked = sorted(inside, key=lambda category: (-category.tier, -category.confidence))
            return tuple((category.id, category.path) for category in ranked[:_MOST_INSTEAD])
    return tuple((category.id, category.path) for category in answer if category.tier == 1)[:_MOST_INSTEAD]


def _lacks(page: Page, version: Version, subject: Subject, answer: tuple[Scored, ...]) -> list[Lack]:
    reached, bar = confidences(page, version)[subject.id], bar_of_category(page, version, subject.id)
    if reached < bar:
        where = (
            ""
            if answer and subject.label.startswith(answer[0].path.partition(" > ")[0])
            else (" A subject beside the main one must be said more plainly." if answer else "")
        )
        return [Lack("bar", f"Its confidence is {reached:.2f}, and {bar:.2f} is needed.{where}", reached, bar)]
    if unsaid(page, frozenset({subject.label})):
        if is_said(subject.label, page):
            text = "The page says hardly anything that this sport alone has, or names another sport more often."
            return [Lack("stronger", text)]
        own = ", ".join(needed_words()[subject.label][:_MOST_WORDS])
        where = "in its title, description and text"
        text = f"The page says too seldom {where} what tells this subject from its neighbours, such as: {own}."
        return [Lack("words", text)]
    return [Lack("fit", "The page says it plainly enough, but it does not fit what else the page says of itself.")]


def explain_filtering(reading: Reading, subject: Subject) -> Case:
    """Explain a web-filtering category by the words of the page and the topic that belongs to it."""
    matcher = filtering_matcher()
    scores = label_scores(reading.page, confidences(reading.page, "content-v3"))
    totals = {name: own + added for name, (own, _, added) in scores.items()}
    held = {category.id: category.confidence for category in reading.content.filtering}
    rival = max((name for name in matcher.ids if name != subject.id), key=totals.__getitem__)
    told = wording(matcher, reading.page, subject.id)
    _, path, added = scores[subject.id]
    told_by_form = ((text, amounts.get(subject.id, 0.0)) for text, amounts in label_forms(reading.page).items())
    form = tuple(Reason("page", text, "page", 0, amount) for text, amount in told_by_form if amount)
    given = subject.id in held
    lacks = (
        []
        if given
        else [
            Lack("stronger", "Others say more of the page, of which at most three are given.")
            if held
            else Lack("absent", "The page is not understood well enough to be given any.")
        ]
    )
    return Case(
        given=given,
        score=totals[subject.id],
        confidence=held.get(subject.id),
        reasons=(*told.reasons, *form, *([Reason("category", path, "page", 0, added)] if added else [])),
        runner_up=Rival(rival, rival, totals[rival], held.get(rival)),
        marks=told.marks,
        passages=told.passages,
        instead=() if given else tuple((name, name) for name in held),
        missing=tuple(lacks),
        difference=contrasts(told, wording(matcher, reading.page, rival)),
    )


def explain_persona(reading: Reading, subject: Subject) -> Case:
    """Explain a persona by the topic that it is named after."""
    page, categories = reading.page, reading.content.v3
    matches = match_personas(page, categories, profile_firms(page, categories).audience_type)
    given = next((match for match in matches if match.persona == subject.id), None)
    rival = next((match for match in matches if match.persona != subject.id), None)
    certain = {category.id: category for category in categories}
    own = persona_categories()[subject.id]
    sources = sorted((certain[name] for name in own if name in certain), key=lambda category: -category.confidence)
    return Case(
        given=given is not None,
        score=max((category.confidence for category in sources), default=0.0),
        confidence=given.score if given else None,
        reasons=tuple(Reason("category", c.path, "page", 0, c.confidence) for c in sources[:1]),
        runner_up=Rival(rival.persona, rival.persona, rival.score, rival.score) if rival else None,
        instead=() if given else tuple((m.persona, m.persona) for m in matches[:_MOST_INSTEAD]),
        missing=() if given else (_unnamed(page, categories, own, sources, is_rivalled=bool(matches)),),
    )


def _unnamed(
    page: Page, categories: tuple[Scored, ...], own: tuple[str, ...], sources: list[Scored], *, is_rivalled: bool
) -> Lack:
    """Tell why readers are not named after a persona's topics."""
    if not sources:
        known = confidences(page, "content-v3")
        nearest = max(own, key=known.__getitem__)
        path, reached = Taxonomy.load("content-v3")[nearest].path, known[nearest]
        text = f"It goes with {path}, which is no topic of the page (confidence {reached:.2f})."
        return Lack("topic", text, reached, bar_of_category(page, "content-v3", nearest))
    topic = sources[0].path
    if sources[0].id not in near_categories(page):
        told = "but hardly a known page of it is near: it may speak of another in its words."
        return Lack("topic", f"{topic} is a topic of the page, {told}")
    everybodys = next((part.path for part in categories if part.path.startswith(OF_EVERYBODY)), "")
    if everybodys.startswith(f"{topic} > "):
        return Lack("topic", f"The page is about {everybodys}, which everybody has or follows.")
    if sources[0] not in speaking(page, categories):
        told = "a report of the day" if is_report(page) else "a page whose main subject is not sure"
        return Lack("topic", f"{topic} is a topic of the page, but {told} says nothing of its readers.")
    if is_rivalled:
        return Lack(
            "stronger", f"{topic} is a topic of the page, but its readers are named after a surer one, or part."
        )
    return Lack("words", f"The page is about {topic}, but lacks the words that this persona needs.")
