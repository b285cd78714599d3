"""Explanations: why a page was given something, or was not, what is given in its place, and what came next."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from toolkit.service.subjects.parts import page_parts
from toolkit.service.why.codes import explain_code
from toolkit.service.why.facts import explain_fact, explain_technology
from toolkit.service.why.reasons import POOLED, Reason
from toolkit.service.why.topics import explain_category, explain_filtering, explain_persona
from toolkit.service.why.values import explain_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolkit.service.subjects.readings import Reading
    from toolkit.service.why.case import Case
    from toolkit.service.why.names import Subject
    from toolkit.service.why.reasons import Mark, Passage

__all__ = ["explain"]

#: The most reasons that are told one by one, and the share of what speaks for a subject from which no more are told.
_MOST_REASONS: Final = 12
_ENOUGH: Final = 0.9
#: Share of all that speaks for a subject from which a word that speaks against it is told by itself, and the most.
_TELLING: Final = 0.03
_MOST_AGAINST: Final = 3
_LONGEST_PASSAGE: Final = 400
_DECIMALS: Final = 5


def explain(reading: Reading, subject: Subject) -> dict[str, Any]:
    """Explain an answer about a page.

    There are ``about`` (kind, id, label), ``given`` (whether the answer holds it), ``language`` of the text, ``score``
    and ``confidence``, the ``runner_up`` (id, label, score, confidence: the strongest of what it was weighed against,
    also where that is stronger than the subject; null where there is none), what it was given ``through`` (the member
    of a group or branch that spoke loudest; empty where it spoke for itself), the ``reasons``, whose amounts add up to
    the score, strongest first, the ``share`` of all that speaks for it which those told one by one carry, the
    ``passages`` that spoke most, and ``marks`` with the ``texts`` in which they stand. Of what is not given there are
    what is given ``instead`` and what is ``missing``; ``difference`` has the words that tell it from the runner-up.
    """
    case = _CASES[subject.kind](reading, subject)
    rival = case.runner_up and replace(case.runner_up, score=round(case.runner_up.score, _DECIMALS))
    reasons = _told(case.reasons)
    spoken = sum(reason.amount for reason in reasons if reason.amount > 0 and reason.kind != "start")
    shown = sum(reason.amount for reason in reasons if reason.amount > 0 and reason.kind not in POOLED)
    return {
        "about": asdict(subject),
        "given": case.given,
        "language": reading.page.detected_language,
        "score": round(case.score, _DECIMALS),
        "confidence": case.confidence,
        "runner_up": asdict(rival) if rival else None,
        "through": case.through,
        "instead": [{"kind": subject.kind, "id": name, "label": label} for name, label in case.instead],
        "missing": [asdict(lack) for lack in case.missing],
        "difference": [asdict(contrast) for contrast in case.difference],
        "reasons": [_shown(reason) for reason in reasons],
        "share": round(shown / spoken, _DECIMALS) if spoken else None,
        "passages": [_shown(replace(passage, text=passage.text[:_LONGEST_PASSAGE])) for passage in case.passages],
        "marks": [_shown(mark) for mark in case.marks],
        "texts": {part.where: part.original for part in page_parts(reading.page)},
    }


def _shown(entry: Reason | Passage | Mark) -> dict[str, Any]:
    return asdict(replace(entry, amount=round(entry.amount, _DECIMALS)))


def _told(reasons: Iterable[Reason]) -> list[Reason]:
    """Return the reasons that count, strongest first, then the rest added up: for it, against it, and of any page."""
    ranked = sorted(reasons, key=lambda reason: (-reason.amount, reason.kind, reason.text))
    spoken = sum(reason.amount for reason in ranked if reason.amount > 0 and reason.kind not in POOLED)
    told: list[Reason] = []
    pooled: defaultdict[str, float] = defaultdict(float)
    numbers: defaultdict[str, int] = defaultdict(int)
    said = 0.0
    for reason in ranked:
        if reason.kind in POOLED:
            pooled[reason.kind] += reason.amount
        elif reason.amount > 0 and len(told) < _MOST_REASONS and said < _ENOUGH * spoken:
            told.append(reason)
            said += reason.amount
        elif reason.amount > 0:
            pooled["small"] += reason.amount
            numbers["small"] += 1
    against = [reason for reason in ranked if reason.amount < 0 and reason.kind not in POOLED]
    plain = [reason for reason in against if -reason.amount >= _TELLING * spoken][-_MOST_AGAINST:]
    pooled["against"] += sum(reason.amount for reason in against if reason not in plain)
    numbers["against"] = len(against) - len(plain)
    rest = [Reason(kind, "", "page", numbers[kind], amount) for kind, amount in pooled.items() if amount]
    return [*told, *plain, *sorted(rest, key=lambda reason: POOLED.index(reason.kind))]


_CASES: Final[dict[str, Callable[[Reading, Subject], Case]]] = {
    "content-v3": explain_category,
    "content-v2": explain_category,
    "filtering": explain_filtering,
    "interest": explain_code,
    "purchase_intent": explain_code,
    "value": explain_value,
    "persona": explain_persona,
    "technology": explain_technology,
    "fact": explain_fact,
}
