"""Why the embedded service gave an answer, or did not: reasons, passages, and the page's text with marks in it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Final

from pydantic import Field

from toolkit.interface.fields import Block, Identifier, Labels, Many, Model, Name, Number, Whole
from toolkit.interface.models import Answer
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["About", "Explanation", "Mark", "Passage", "Reason", "RunnerUp", "marked_text"]

_MOST_REASONS: Final = 12
_MOST_PASSAGES: Final = 3
_LONGEST_PASSAGE: Final = 200
_BAR: Final = 90
_COLOURS: Final = {"for": "230,159,0", "against": "86,180,233"}
_KINDS: Final = {
    "term": "term in the page",
    "meaning": "word near in meaning",
    "category": "category of the page",
    "branch": "categories below agree",
    "signal": "phrase mapped onto it",
    "words": "words of the page",
    "prior": "known readers of",
    "stated": "for whom the page says it is",
    "price": "price signals",
    "page": "the page itself",
    "rest": "",
}
_PLACES: Final = {"head": "title, sections and headings", "text": "text", "page": ""}
_TITLES: Final = {"head": "Title, description, sections, headings", "text": "Main text"}


class About(Model):
    """What an explanation is about: a category, code, ``field=value`` or persona."""

    kind: Name = ""
    id: Identifier = ""
    label: Name = ""


class RunnerUp(Model):
    """The strongest of what a subject was weighed against, also where it is stronger than the subject."""

    id: Identifier
    label: Name = ""
    score: Number = None
    confidence: Number = None


class Reason(Model):
    """One thing that spoke for the subject, or against it where `amount` is below 0.

    Attributes
    ----------
    kind : str
        ``term`` (a term of the knowledge that stands in the page or its translation), ``meaning`` (a word near in
        meaning), ``category`` (a content category of the page), ``branch`` (categories below agree), ``signal`` (a
        phrase mapped onto the code), ``words``, ``prior``, ``price`` (evidence, known readers and prices, of
        demographics and B2B values) or ``rest``.
    text : str
        The term, word, category path or phrase.
    where : str
        ``head`` (title, description, sections, headings and keywords), ``text`` or ``page``.
    count : int
        Mentions; 0 where counting says nothing.
    amount : float
        What it adds to the score.
    """

    kind: Name = ""
    text: Name = ""
    where: Name = ""
    count: Whole = None
    amount: Number = None


class Passage(Model):
    """A sentence or line, where it stands in its text, and what its words and terms add to the score."""

    where: Name = ""
    start: Whole = None
    end: Whole = None
    text: Name = ""
    amount: Number = None


class Mark(Model):
    """A word or term, where it stands in its text, and what it adds to the score."""

    where: Name = ""
    start: Whole = None
    end: Whole = None
    amount: Number = None


class Explanation(Answer):
    """Why an answer holds a category, code, value or persona, or does not.

    Attributes
    ----------
    about : About
        The subject.
    given : bool
        Whether the answer holds it.
    language : str
        Language of the text (ISO 639-1); ``und`` if it is in none that is known, empty if it is too short to tell. The
        knowledge is English: pages in German, French, Spanish, Italian, Portuguese, Dutch and Japanese are read in
        translation; in other languages answers are few and of low confidence.
    score : float
        By which it was ranked. The amounts of `reasons` add up to it.
    confidence : float, str or None
        Of a category 0 to 1; of a code or value the band of its block, where it is given.
    runner_up : RunnerUp or None
        The strongest of what it was weighed against: siblings of a category, other codes, other values.
    through : str
        The member of a group or branch that spoke loudest; empty where the subject spoke for itself.
    reasons : list of Reason
        Strongest first.
    passages : list of Passage
        Those that spoke most, strongest first; empty for values and personas.
    marks : list of Mark
        Words that spoke for it, by place.
    texts : dict of str to str
        The texts that were read: ``head`` and ``text``.
    """

    kind: ClassVar[str] = "Explanation"
    shape: ClassVar[str] = "explain"
    about: Block[About] = Field(default_factory=About)
    given: bool = False
    language: Name = ""
    score: Number = None
    confidence: float | str | None = None
    runner_up: RunnerUp | None = None
    through: Name = ""
    reasons: Many[Reason] = Field(default_factory=list)
    passages: Many[Passage] = Field(default_factory=list)
    marks: Many[Mark] = Field(default_factory=list)
    texts: Labels = Field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """The finding in one sentence."""
        sure = _sureness(self.confidence)
        said = f"{self.about.label} is {'given' if self.given else 'not given'}{sure}"
        if self.through:
            said += f", mostly for {self.through}"
        if self.runner_up:
            said += f"; next comes {self.runner_up.label}{_sureness(self.runner_up.confidence)}"
            if self.about.kind not in ("value", "persona"):
                said += f" (score {_number(self.score)} against {_number(self.runner_up.score)})"
        return f"{said}."

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the short form shows."""
        return [("verdict", self.verdict), ("reasons", [reason.text for reason in self.reasons])]

    def _repr_html_(self) -> str:
        table = "".join(_row(reason, self._largest) for reason in self.reasons[:_MOST_REASONS])
        rest = sum(reason.amount or 0 for reason in self.reasons[_MOST_REASONS:])
        if rest:
            table += _row(Reason(kind="rest", text="all further reasons", amount=rest), self._largest)
        texts = "".join(
            f"<div style='opacity:.75;margin-top:6px'>{_TITLES.get(where, escape(printable(where)))}</div>"
            "<div style='max-height:260px;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;"
            "border:1px solid rgba(128,128,128,.4);padding:4px 8px'>"
            f"{marked_text(text, [mark for mark in self.marks if mark.where == where])}</div>"
            for where, text in self.texts.items()
            if any(mark.where == where for mark in self.marks)
        )
        return (
            f"<div style='line-height:1.4'><strong>{escape(printable(self.verdict))}</strong>"
            "<table style='border-collapse:collapse;margin-top:4px'><tr>"
            f"{''.join(f'<th style={_CELL!r}>{name}</th>' for name in ('reason', 'what it is', 'mentions', 'adds'))}"
            f"</tr>{table}</table>{_listed(self.passages[:_MOST_PASSAGES])}{texts}</div>"
        )

    @property
    def _largest(self) -> float:
        return max((abs(reason.amount or 0) for reason in self.reasons), default=0.0) or 1.0


def marked_text(text: str, marks: list[Mark]) -> str:
    """Return a text as HTML with its marks highlighted, stronger ones deeper; a mark's title tells its amount.

    The text is escaped. Of marks that overlap the strongest is shown.

    >>> marked_text("<b>boots</b>", [Mark(where="text", start=3, end=8, amount=0.2)])[:30]
    '&lt;b&gt;<mark style="backgrou'
    """
    strongest = max((mark.amount or 0 for mark in marks), default=0.0) or 1.0
    parts, place = [], 0
    for start, end, amount in _apart(marks, len(text)):
        depth = 0.15 + 0.65 * amount / strongest
        parts.append(_escaped(text[place:start]))
        parts.append(
            f'<mark style="background:rgba({_COLOURS["for"]},{depth:.2f});color:inherit" title="adds {amount:.3f}">'
            f"{_escaped(text[start:end])}</mark>"
        )
        place = end
    return "".join([*parts, _escaped(text[place:])])


def _escaped(text: str) -> str:
    """Return a text of several lines as HTML, without characters that would hide or reorder it."""
    return "\n".join(escape(printable(line)) for line in text.split("\n"))


def _listed(passages: list[Passage]) -> str:
    if not passages:
        return ""
    lines = "".join(
        f"<li>{escape(shortened(printable(passage.text), _LONGEST_PASSAGE))} "
        f"<span style='opacity:.75'>{passage.amount or 0:+.3f}</span></li>"
        for passage in passages
    )
    return (
        "<div style='opacity:.75;margin-top:6px'>Strongest passages</div>"
        f"<ol style='margin:2px 0;overflow-wrap:anywhere'>{lines}</ol>"
    )


def _apart(marks: list[Mark], length: int) -> Iterator[tuple[int, int, float]]:
    """Yield start, end and amount of marks that do not overlap, in order."""
    taken: list[tuple[int, int, float]] = []
    for mark in sorted(marks, key=lambda mark: -(mark.amount or 0)):
        start, end = mark.start or 0, mark.end or 0
        if 0 <= start < end <= length and all(end <= first or last <= start for first, last, _ in taken):
            taken.append((start, end, mark.amount or 0))
    yield from sorted(taken)


_CELL: Final = "text-align:left;vertical-align:top;padding:2px 12px 2px 0"


def _row(reason: Reason, largest: float) -> str:
    amount = reason.amount or 0
    colour = _COLOURS["for" if amount > 0 else "against"]
    width = round(_BAR * abs(amount) / largest)
    described = [part for part in (_KINDS.get(reason.kind, reason.kind), _PLACES.get(reason.where, "")) if part]
    # What is summed up has no place in the scale of single reasons.
    bar = (
        ""
        if reason.kind == "rest"
        else f"<span style='display:inline-block;height:9px;width:{width}px;background:rgb({colour})'></span>"
    )
    cells = (
        escape(shortened(printable(reason.text), 90)),
        escape(printable(", ".join(described))),
        str(reason.count) if reason.count else "",
        f"{bar} {amount:+.3f}",
    )
    return f"<tr>{''.join(f'<td style={_CELL!r}>{cell}</td>' for cell in cells)}</tr>"


def _sureness(confidence: Any) -> str:
    if isinstance(confidence, float):
        return f", confidence {confidence:.2f}"
    return f", confidence {confidence}" if confidence else ""


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
