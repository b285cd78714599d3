"""Explanations: why a page was given a category, code, value or persona, or was not, and what came next."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.vocabulary import INDUSTRIES, service_vocabulary
from toolkit.service.readers.audience import map_codes, weigh
from toolkit.service.readers.context import read_context
from toolkit.service.readers.kinds import content_type
from toolkit.service.readers.profile import match_personas, persona_categories, profile_firms
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.readers.support import given_groups
from toolkit.service.readers.votes import SCALES, Vote, firm_votes, people_votes
from toolkit.service.subjects.content import (
    branch_scores,
    category_path,
    confidences,
    content_matcher,
    decided,
    filtering_matcher,
    forms,
    label_scores,
)
from toolkit.service.subjects.parts import page_parts
from toolkit.service.why.reasons import Mark, Passage, Reason, wording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolkit.service.readers.audience import Codes
    from toolkit.service.readers.audience import Kind as CodeKind
    from toolkit.service.subjects.content import Scored, Version
    from toolkit.service.subjects.readings import Reading
    from toolkit.service.why.asked import Subject

__all__ = ["explain"]

#: Reasons that add less than this are told together.
_LEAST_AMOUNT: Final = 0.002
_LONGEST_PASSAGE: Final = 400
_DECIMALS: Final = 5


@dataclass(frozen=True, slots=True)
class Rival:
    """What a subject was weighed against."""

    id: str
    label: str
    score: float
    confidence: float | None


@dataclass(frozen=True, slots=True)
class _Case:
    """What was found out about a subject."""

    given: bool
    score: float
    confidence: float | str | None
    reasons: tuple[Reason, ...]
    runner_up: Rival | None
    through: str = ""
    marks: tuple[Mark, ...] = ()
    passages: tuple[Passage, ...] = ()


def explain(reading: Reading, subject: Subject) -> dict[str, Any]:
    """Explain an answer about a page.

    There are ``about`` (kind, id, label), ``given`` (whether the answer holds it), ``language`` of the text, ``score``
    and ``confidence``, the ``runner_up`` (id, label, score, confidence: the strongest of what it was weighed against,
    also where that is stronger than the subject; null where there is none), what it was given ``through`` (the member
    of a group or branch that spoke loudest; empty where it spoke for itself), the ``reasons``, whose amounts add up to
    the score, strongest first, the ``passages`` that spoke most, and ``marks`` with the ``texts`` in which they stand.
    """
    case = _CASES[subject.kind](reading, subject)
    rival = case.runner_up and replace(case.runner_up, score=round(case.runner_up.score, _DECIMALS))
    return {
        "about": asdict(subject),
        "given": case.given,
        "language": reading.page.detected_language,
        "score": round(case.score, _DECIMALS),
        "confidence": case.confidence,
        "runner_up": asdict(rival) if rival else None,
        "through": case.through,
        "reasons": [_shown(reason) for reason in _told(case.reasons)],
        "passages": [_shown(replace(passage, text=passage.text[:_LONGEST_PASSAGE])) for passage in case.passages],
        "marks": [_shown(mark) for mark in case.marks],
        "texts": {part.where: part.original for part in page_parts(reading.page)},
    }


def _shown(entry: Reason | Passage | Mark) -> dict[str, Any]:
    return asdict(replace(entry, amount=round(entry.amount, _DECIMALS)))


def _told(reasons: Iterable[Reason]) -> Iterator[Reason]:
    """Yield the reasons that count, strongest first, and the rest of each part as one."""
    rest: defaultdict[str, float] = defaultdict(float)
    listed = []
    for reason in reasons:
        if reason.kind == "rest" or abs(reason.amount) < _LEAST_AMOUNT:
            rest[reason.where] += reason.amount
        else:
            listed.append(reason)
    yield from sorted(listed, key=lambda reason: (-reason.amount, reason.kind, reason.text))
    for where, amount in rest.items():
        yield Reason("rest", "all other words" if where != "page" else "everything else", where, 0, amount)


def _explain_category(reading: Reading, subject: Subject) -> _Case:
    version: Version = "content-v2" if subject.kind == "content-v2" else "content-v3"
    answer = reading.content.v2 if version == "content-v2" else reading.content.v3
    taxonomy, certain = Taxonomy.load(version), confidences(reading.page, version)
    own, branches = branch_scores(reading.page, version)
    siblings = [c for c in taxonomy.children(taxonomy[subject.id].parent) if c.id != subject.id]
    rival = max(siblings, key=lambda category: certain[category.id], default=None)
    below = [category.id for category in taxonomy.descendants(subject.id)]
    speaker = max((subject.id, *below), key=own.__getitem__)
    told = wording(content_matcher(), reading.page, speaker, 1.0)
    apart = float(decided(reading.page)[content_matcher().index[speaker]])
    beside = [Reason("page", text, "page", 0, added.get(speaker, 0.0)) for text, added in forms(reading.page).items()]
    beside.append(Reason("page", "words that tell it from its siblings", "page", 0, apart))
    if below:
        beside.append(Reason("branch", subject.label, "page", 0, branches[subject.id] - own[speaker]))
    return _Case(
        given=any(category.id == subject.id for category in answer),
        score=branches[subject.id],
        confidence=round(certain[subject.id], 4),
        reasons=(*told.reasons, *(reason for reason in beside if reason.amount)),
        runner_up=Rival(rival.id, rival.path, branches[rival.id], round(certain[rival.id], 4)) if rival else None,
        through="" if speaker == subject.id else taxonomy[speaker].path,
        marks=told.marks,
        passages=told.passages,
    )


def _explain_filtering(reading: Reading, subject: Subject) -> _Case:
    matcher = filtering_matcher()
    scores = label_scores(reading.page, confidences(reading.page, "content-v3"))
    totals = {name: own + added for name, (own, _, added) in scores.items()}
    given = {category.id: category.confidence for category in reading.content.filtering}
    rival = max((name for name in matcher.ids if name != subject.id), key=totals.__getitem__)
    told = wording(matcher, reading.page, subject.id)
    _, path, added = scores[subject.id]
    return _Case(
        given=subject.id in given,
        score=totals[subject.id],
        confidence=given.get(subject.id),
        reasons=(*told.reasons, *([Reason("category", path, "page", 0, added)] if added else [])),
        runner_up=Rival(rival, rival, totals[rival], given.get(rival)),
        marks=told.marks,
        passages=told.passages,
    )


def _explain_code(reading: Reading, subject: Subject) -> _Case:
    kind: CodeKind = "interest" if subject.kind == "interest" else "purchase_intent"
    if service_vocabulary().codes[subject.id].is_group:
        return _explain_group(reading, subject, kind)
    return _explain_member(reading, subject, kind)


def _explain_member(reading: Reading, subject: Subject, kind: CodeKind) -> _Case:
    page, vocabulary = reading.page, service_vocabulary()
    weighing, codes = weigh(page, kind), map_codes(page, kind, reading.content.v3)
    matcher, scores = weighing.matcher, weighing.scores
    place = matcher.index[subject.id]
    told = wording(matcher, page, subject.id, weighing.own_share)
    members = [code.code for code in vocabulary.members(kind) if code.code != subject.id]
    rival = max(members, key=lambda code: scores[matcher.index[code]])
    given = subject.id in codes.codes
    return _Case(
        given=given,
        score=float(scores[place]),
        confidence=codes.confidence if given else None,
        reasons=(
            *told.reasons,
            *(
                Reason("category", category_path(content_matcher().ids[column]), "page", 0, float(amount))
                for column, amount in enumerate(weighing.context_of(place))
            ),
            *_signal_reasons(weighing.phrases.get(place, []), float(weighing.support[place])),
        ),
        runner_up=Rival(rival, vocabulary.label(rival), float(scores[matcher.index[rival]]), None),
        marks=told.marks,
        passages=told.passages,
    )


def _explain_group(reading: Reading, subject: Subject, kind: CodeKind) -> _Case:
    """Explain a group by its strongest member, or by the sure category that gives it where no member is given."""
    vocabulary, weighing = service_vocabulary(), weigh(reading.page, kind)
    scores = dict(zip(weighing.matcher.ids, weighing.scores.tolist(), strict=True))

    def best(group: str) -> str:
        return max((code.code for code in vocabulary.members(kind, group)), key=scores.__getitem__, default=group)

    codes = map_codes(reading.page, kind, reading.content.v3)
    given = [code for code in codes.codes if code.startswith(f"{subject.id}.")]
    member = given[0] if given else best(subject.id)
    case = _explain_member(reading, replace(subject, id=member), kind)
    others = [group.code for group in vocabulary.groups(kind) if group.code != subject.id]
    rival = max(others, key=lambda group: scores[best(group)])
    runner_up = Rival(rival, vocabulary.label(rival), scores[best(rival)], None)
    if subject.id in codes.groups and not given:
        return _explain_given_group(reading, subject, codes, runner_up)
    through = "" if member == subject.id else vocabulary.label(member)
    return replace(case, runner_up=runner_up, through=through)


def _explain_given_group(reading: Reading, subject: Subject, codes: Codes, runner_up: Rival) -> _Case:
    category = given_groups(reading.page, reading.content.v3).get(subject.id)
    amount = category.confidence if category else 1.0
    reason = ("category", category.path) if category else ("page", content_type(reading.page)[1])
    return _Case(True, amount, codes.confidence, (Reason(*reason, "page", 0, amount),), runner_up)


def _signal_reasons(phrases: list[tuple[float, str]], support: float) -> Iterator[Reason]:
    total = sum(nearness for nearness, _ in phrases)
    for nearness, phrase in phrases:
        yield Reason("signal", phrase, "page", 0, support * nearness / total)


def _explain_value(reading: Reading, subject: Subject) -> _Case:
    field, _, value = subject.id.partition("=")
    shape = structured_shape("", reading)
    block = next((shape[name] for name in ("demographics", "b2b", "content_context") if field in shape[name]), shape)
    held = block.get(field)
    given = value in held if isinstance(held, list) else value == held
    votes = [vote for vote in _votes(reading) if vote.field == field]
    labels = service_vocabulary().values[field]
    totals: defaultdict[str, float] = defaultdict(float)
    for vote in votes:
        totals[vote.value] += vote.weight
    rival = max((name for name in totals if name != value), key=lambda name: (totals[name], name), default=None)
    # Where the middle of all votes is given, all of them are reasons.
    is_scale = field in SCALES or field == "audience_type"
    return _Case(
        given=given,
        score=sum(totals.values()) if is_scale else totals.get(value, 0.0),
        confidence=block.get("confidence") if given else None,
        reasons=tuple(
            Reason(
                vote.kind,
                f"{labels[vote.value]}: {vote.text}" if is_scale else vote.text,
                "page",
                vote.count,
                vote.weight,
            )
            for vote in votes
            if is_scale or vote.value == value
        ),
        runner_up=Rival(f"{field}={rival}", labels[rival], totals[rival], None) if rival is not None else None,
    )


def _votes(reading: Reading) -> tuple[Vote, ...]:
    page, categories = reading.page, reading.content.v3
    context = read_context(page, categories)
    decided = ((name, getattr(context, name), ground) for name, ground in context.grounds.items())
    return (
        *people_votes(page, categories, context),
        *firm_votes(page, categories),
        *_industry_votes(categories),
        *(Vote(name, value, 1.0, "page", ground) for name, value, ground in decided if value is not None),
    )


def _industry_votes(categories: tuple[Scored, ...]) -> Iterator[Vote]:
    """Yield what speaks for each industry: the most certain category of its branch."""
    taxonomy = Taxonomy.load("content-v3")
    for industry in taxonomy.children(taxonomy.by_path(INDUSTRIES).id):
        branch = {industry.id, *(category.id for category in taxonomy.descendants(industry.id))}
        inside = [category for category in categories if category.id in branch]
        if inside:
            best = max(inside, key=lambda category: category.confidence)
            yield Vote("industry", industry.name, best.confidence, "category", best.path)


def _explain_persona(reading: Reading, subject: Subject) -> _Case:
    audience = profile_firms(reading.page, reading.content.v3).audience_type
    matches = match_personas(reading.page, reading.content.v3, audience)
    given = next((match for match in matches if match.persona == subject.id), None)
    rival = next((match for match in matches if match.persona != subject.id), None)
    certain = {category.id: category for category in reading.content.v3}
    sources = [certain[name] for name in persona_categories()[subject.id] if name in certain]
    sources.sort(key=lambda category: -category.confidence)
    return _Case(
        given=given is not None,
        score=max((category.confidence for category in sources), default=0.0),
        confidence=given.score if given else None,
        reasons=tuple(Reason("category", c.path, "page", 0, c.confidence) for c in sources[:1]),
        runner_up=Rival(rival.persona, rival.persona, rival.score, rival.score) if rival else None,
    )


_CASES: Final[dict[str, Callable[[Reading, Subject], _Case]]] = {
    "content-v3": _explain_category,
    "content-v2": _explain_category,
    "filtering": _explain_filtering,
    "interest": _explain_code,
    "purchase_intent": _explain_code,
    "value": _explain_value,
    "persona": _explain_persona,
}
