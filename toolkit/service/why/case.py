"""What is found out about a subject: what spoke for it, what is given in its place, and what kept it below its bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolkit.service.why.reasons import Mark, Passage, Reason

__all__ = ["Case", "Contrast", "Lack", "Rival"]


@dataclass(frozen=True, slots=True)
class Rival:
    """What a subject was weighed against."""

    id: str
    label: str
    score: float
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Lack:
    """What kept a subject from being given: a sentence, and where it is a bar its height and what was reached."""

    #: ``bar`` (too little speaks for it), ``topic`` (no topic of the page lets it be given), ``words`` (words are
    #: missing), ``places`` (they stand in too few places), ``stated`` (the page says that it is for others), ``fit``
    #: (it does not fit what else is given), ``stronger`` (others are stronger) or ``absent`` (nothing speaks for it).
    kind: str
    text: str
    score: float | None = None
    bar: float | None = None


@dataclass(frozen=True, slots=True)
class Contrast:
    """A word of the page that made the difference to the runner-up, and what it adds to either."""

    text: str
    amount: float
    other: float


@dataclass(frozen=True, slots=True)
class Case:
    """What was found out about a subject."""

    given: bool
    score: float
    confidence: float | str | None
    reasons: tuple[Reason, ...]
    runner_up: Rival | None
    through: str = ""
    marks: tuple[Mark, ...] = ()
    passages: tuple[Passage, ...] = ()
    #: What is given in its place, id and label.
    instead: tuple[tuple[str, str], ...] = ()
    missing: tuple[Lack, ...] = ()
    difference: tuple[Contrast, ...] = ()
