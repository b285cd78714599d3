"""Why a page is given an interest or a purchase intent, or not: what speaks for its code, and which gates it passes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.vocabulary import service_vocabulary
from toolkit.service.readers.audience import gates_of, map_codes, weigh
from toolkit.service.readers.kinds.content_type import content_type, is_report
from toolkit.service.readers.offers import offered
from toolkit.service.readers.support import given_groups, nearby_codes
from toolkit.service.subjects.content import category_path, content_matcher
from toolkit.service.why.case import Case, Lack, Rival
from toolkit.service.why.reasons import Reason, wording
from toolkit.service.why.topics import contrasts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page
    from toolkit.service.readers.audience import Codes, Gates, Weighing
    from toolkit.service.readers.audience import Kind as CodeKind
    from toolkit.service.subjects.readings import Reading
    from toolkit.service.why.names import Subject
    from toolkit.service.why.reasons import Wording

__all__ = ["explain_code"]

_MOST_INSTEAD: Final = 3
_MOST_NEEDED: Final = 6
_MOST_FORMS: Final = 4


def explain_code(reading: Reading, subject: Subject) -> Case:
    """Explain an interest or a purchase intent, or a group of them."""
    kind: CodeKind = "interest" if subject.kind == "interest" else "purchase_intent"
    if service_vocabulary().codes[subject.id].is_group:
        return _explain_group(reading, subject, kind)
    return _explain_member(reading, subject, kind)


def _explain_member(reading: Reading, subject: Subject, kind: CodeKind) -> Case:
    page, vocabulary = reading.page, service_vocabulary()
    weighing, codes = weigh(page, kind), map_codes(page, kind, reading.content.v3)
    matcher, scores = weighing.matcher, weighing.scores
    place = matcher.index[subject.id]
    told = _told(reading, weighing, place)
    members = [code.code for code in vocabulary.members(kind) if code.code != subject.id]
    rival = max(members, key=lambda code: scores[matcher.index[code]])
    given = subject.id in codes.codes
    return Case(
        given=given,
        score=float(scores[place]),
        confidence=codes.confidence if given else None,
        reasons=(*told.reasons, *_by_branch(weighing, place)),
        runner_up=Rival(rival, vocabulary.label(rival), float(scores[matcher.index[rival]]), None),
        marks=told.marks,
        passages=told.passages,
        instead=() if given else _instead(subject.id, codes),
        missing=() if given else tuple(_lacks(reading, subject, kind, codes)),
        difference=() if given else contrasts(told, _told(reading, weighing, matcher.index[rival])),
    )


def _told(reading: Reading, weighing: Weighing, place: int) -> Wording:
    """Take apart what the words of a page say for a code, and the phrases that were mapped onto it."""
    found, support = weighing.phrases.get(place, []), float(weighing.support[place])
    total = sum(nearness for nearness, _ in found)
    phrases = [(phrase, support * nearness / total) for nearness, phrase in found]
    return wording(weighing.matcher, reading.page, weighing.matcher.ids[place], weighing.own_share, phrases=phrases)


def _by_branch(weighing: Weighing, place: int) -> Iterator[Reason]:
    """Yield what the topics of a page add, those of one main topic as one, named by the strongest."""
    branches: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for column, amount in enumerate(weighing.context_of(place).tolist()):
        if amount:
            path = category_path(content_matcher().ids[column])
            branches[path.partition(" > ")[0]].append((amount, path))
    for found in branches.values():
        ranked = list(dict.fromkeys(path for _, path in sorted(found, key=lambda pair: (-pair[0], pair[1]))))
        yield Reason("category", ranked[0], "page", 0, sum(amount for amount, _ in found), tuple(ranked[1:_MOST_FORMS]))


def _explain_group(reading: Reading, subject: Subject, kind: CodeKind) -> Case:
    """Explain a group by its strongest member, or by the sure category that gives it where no member is given."""
    vocabulary, weighing = service_vocabulary(), weigh(reading.page, kind)
    scores = dict(zip(weighing.matcher.ids, weighing.scores.tolist(), strict=True))

    def best(group: str) -> str:
        return max((code.code for code in vocabulary.members(kind, group)), key=scores.__getitem__, default=group)

    codes = map_codes(reading.page, kind, reading.content.v3)
    given = [code for code in codes.codes if code.startswith(f"{subject.id}.")]
    member = given[0] if given else best(subject.id)
    case = _explain_member(reading, replace(subject, id=member, label=vocabulary.label(member)), kind)
    others = [group.code for group in vocabulary.groups(kind) if group.code != subject.id]
    rival = max(others, key=lambda group: scores[best(group)])
    runner_up = Rival(rival, vocabulary.label(rival), scores[best(rival)], None)
    if subject.id in codes.groups and not given:
        return _explain_given_group(reading, subject, codes, runner_up)
    through = "" if member == subject.id else vocabulary.label(member)
    instead = () if given else tuple((group, vocabulary.label(group)) for group in codes.groups[:_MOST_INSTEAD])
    return replace(case, runner_up=runner_up, through=through, instead=instead, difference=())


def _explain_given_group(reading: Reading, subject: Subject, codes: Codes, runner_up: Rival) -> Case:
    category = given_groups(reading.page, reading.content.v3).get(subject.id)
    amount = category.confidence if category else 1.0
    reason = ("category", category.path) if category else ("page", content_type(reading.page)[1])
    return Case(True, amount, codes.confidence, (Reason(*reason, "page", 0, amount),), runner_up)


def _instead(code: str, codes: Codes) -> tuple[tuple[str, str], ...]:
    """Return the codes that are given in the same group, else the strongest at all, else the groups."""
    group = code.rpartition(".")[0]
    near = [other for other in codes.codes if other.startswith(f"{group}.")] or codes.codes or list(codes.groups)
    return tuple((other, service_vocabulary().label(other)) for other in near[:_MOST_INSTEAD])


def _lacks(reading: Reading, subject: Subject, kind: CodeKind, codes: Codes) -> Iterator[Lack]:
    """Yield the gates at which a code was held back, and its score against the bar."""
    page, gates = reading.page, gates_of(reading.page, kind, reading.content.v3)
    if gates is None:
        told = "A report of the day" if is_report(page) else "A page whose subject is not sure"
        if kind == "purchase_intent" and not offered(page):
            told = "A page that offers nothing to buy"
        yield Lack("topic", f"{told} is given no {kind.replace('_', ' ')} of this kind.")
        return
    place = gates.weighing.matcher.index[subject.id]
    yield from _shut(page, gates, place, subject, kind)
    score, bar = float(gates.scores[place]), float(gates.bars[place])
    if score < bar:
        yield Lack("bar", f"Its score is {score:.2f}, and {bar:.2f} is needed beside the strongest.", score, bar)
    elif gates.is_given[place]:
        last = service_vocabulary().label(codes.codes[-1])
        yield Lack("stronger", f"It passes, but only the eight strongest are given; the last of them is {last}.")


def _shut(page: Page, gates: Gates, place: int, subject: Subject, kind: CodeKind) -> Iterator[Lack]:
    """Yield the gates that a code does not pass, but for its score."""
    if not gates.is_decent[place]:
        yield Lack("topic", "The page tells of distress, in which this is said of nobody.")
    if not gates.in_branch[place]:
        yield Lack("topic", "No topic of the page is one in which it makes sense.")
    elif not gates.is_expected[place]:
        yield Lack("topic", "The page is hardly about its own topic.")
    if not gates.may_follow[place]:
        yield Lack("topic", "It does not follow from what the page offers.")
    if not gates.has_needed[place]:
        yield Lack("words", f"A word is missing that it needs, such as {', '.join(_needed(subject.id, kind))}.")
    elif not gates.is_worded[place]:
        yield Lack("words", "None of its own words or phrases stands in the page.")
    elif not gates.is_plain[place] and kind == "interest" and not nearby_codes((subject.id,), page)[0]:
        yield Lack("words", "Hardly a known page of it is near: its words may be of something else here.")
    elif not gates.is_plain[place]:
        yield Lack("words", "The page does not name it plainly enough in words of its own.")


def _needed(code: str, kind: CodeKind) -> list[str]:
    table = "interests.tsv" if kind == "interest" else "purchase_intent.tsv"
    row = next(row for row in knowledge_rows(table) if row["code"] == code)
    return [f"“{word}”" for word in listed(row["needs"])[:_MOST_NEEDED]]
