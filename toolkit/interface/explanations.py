"""Why the embedded service gave an answer, or did not: reasons, passages, and the page's text with marks in it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Final

from pydantic import Field

from toolkit.interface.fields import Block, Identifier, Labels, Many, Model, Name, Number, Texts, Whole
from toolkit.interface.models import Answer
from toolkit.interface.text import percentage, printable, rounded, shortened, text_block

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "KIND_WORDS",
    "About",
    "Contrast",
    "Explanation",
    "Lack",
    "Mark",
    "Passage",
    "Place",
    "Reason",
    "RunnerUp",
    "Suggestions",
    "marked_text",
]

_MOST_PASSAGES: Final = 3
_MOST_CONTRASTS: Final = 4
_LONGEST_PASSAGE: Final = 200
_BAR: Final = 90
#: Share of what speaks for a subject from which the reasons that are told explain it, and below which many small words
#: do.
_EXPLAINED: Final = 0.7
_COLOURS: Final = {"for": "230,159,0", "against": "86,180,233"}
#: What the kinds of subjects are called where several are meant.
KIND_WORDS: Final[dict[str, str]] = {
    "content-v3": "topic",
    "content-v2": "topic, older taxonomy",
    "filtering": "site category",
    "interest": "interest",
    "purchase_intent": "purchase intent",
    "value": "audience",
    "persona": "persona",
    "technology": "technology",
    "fact": "company",
}
_KINDS: Final = {
    "word": "on the page",
    "category": "topic of the page",
    "branch": "several of its sub-topics agree",
    "prior": "readers of this topic, as is generally known",
    "stated": "for whom the page says it is",
    "price": "prices on the page",
    "page": "the page itself",
    "source": "measured",
}
_POOLED: Final = {
    "small": "smaller reasons together: {count}",
    "against": "words that speak for something else: {count}",
    "start": "what any page has for it or against it",
}
_PLACES: Final = {"head": "title and headings", "text": "text", "both": "title and text"}
_TITLES: Final = {"head": "Title, description, sections, headings", "text": "Main text"}


class About(Model):
    """What an explanation is about: a category, code, ``field=value``, persona, technology or fact of a company."""

    kind: Name = ""
    id: Identifier = ""
    label: Name = ""


class Suggestions(Model):
    """What may have been meant by a question that names nothing."""

    suggestions: Many[About] = Field(default_factory=list)


class RunnerUp(Model):
    """The strongest of what a subject was weighed against, also where it is stronger than the subject."""

    id: Identifier
    label: Name = ""
    score: Number = None
    confidence: Number = None


class Place(Model):
    """Where in a text something stands."""

    where: Name = ""
    start: Whole = None
    end: Whole = None


class Lack(Model):
    """What kept a subject from being given: a sentence, and where it is a bar its height and what was reached."""

    kind: Name = ""
    text: Name = ""
    score: Number = None
    bar: Number = None


class Contrast(Model):
    """A word that tells the subject from the runner-up: what it adds to either."""

    text: Name = ""
    amount: Number = None
    other: Number = None


class Reason(Model):
    """One thing that spoke for the subject, or against it where `amount` is below 0.

    Attributes
    ----------
    kind : str
        ``word`` (words of the page), ``category`` (a topic of the page), ``branch`` (sub-topics agree), ``prior``
        (known readers of a topic), ``stated`` (for whom the page says it is), ``price``, ``page`` (what the page is),
        ``source`` (where a technology or a fact is read), or what is added up: ``small`` (smaller reasons), ``against``
        (words that speak for something else) and ``start`` (what any page gets).
    text : str
        The words as they stand on the page, or the path of a topic.
    forms : list of str
        Other forms in which the same word stands there, or further topics of the same branch.
    sense : str
        What the word is read as, in English, where the page is in another language.
    where : str
        ``head`` (title, description, sections, headings and keywords), ``text``, ``both`` or ``page``.
    places : list of Place
        Where the words stand in the texts.
    count : int
        Mentions; 0 where counting says nothing.
    amount : float
        What it adds to the score.
    value : str
        For which value it speaks, where all values of a scale are weighed.
    """

    kind: Name = ""
    text: Name = ""
    forms: Texts = Field(default_factory=list)
    sense: Name = ""
    where: Name = ""
    places: Many[Place] = Field(default_factory=list)
    count: Whole = None
    amount: Number = None
    value: Name = ""


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
        Strongest first, then what is added up.
    share : float or None
        What part of all that speaks for it those reasons carry that are told one by one, 0 to 1.
    instead : list of About
        What is given in its place, where it is not given.
    missing : list of Lack
        What kept it from being given.
    difference : list of Contrast
        Words that tell it from the runner-up, the most telling first.
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
    share: Number = None
    instead: Many[About] = Field(default_factory=list)
    missing: Many[Lack] = Field(default_factory=list)
    difference: Many[Contrast] = Field(default_factory=list)
    passages: Many[Passage] = Field(default_factory=list)
    marks: Many[Mark] = Field(default_factory=list)
    texts: Labels = Field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """The finding in one sentence or two."""
        sure = _sureness(self.confidence) if self.given else ""
        said = f"{self.about.label} is {'given' if self.given else 'not given'}{sure}"
        if self.given and self.through:
            said += f", mostly for {self.through}"
        if self.instead:
            said += f". Given instead: {', '.join(about.label for about in self.instead)}"
        return f"{said}."

    @property
    def explained(self) -> str:
        """How much of what speaks for it is told, in a sentence; empty where nothing does."""
        told = [reason for reason in self.reasons if reason.kind not in _POOLED and (reason.amount or 0) > 0]
        if self.share is None or not told:
            return ""
        one = len(told) == 1
        reasons = "The reason below carries" if one else f"The {len(told)} reasons below carry"
        # Of a scale all votes are weighed, whichever value is asked about.
        spoken = "speaks for any answer" if told[0].value else "speaks for it"
        if self.share >= 1 - _WHOLE:
            return f"{reasons} all that {spoken}."
        if self.share >= _EXPLAINED:
            return f"{reasons} {percentage(self.share)} of what {spoken}."
        small = next((reason.count or 0 for reason in self.reasons if reason.kind == "small"), 0)
        return (
            f"Many small words speak for it: {reasons[0].lower()}{reasons[1:]} {percentage(self.share)} "
            f"of what {spoken}, {small} smaller ones the rest."
        )

    @property
    def compared(self) -> str:
        """How the runner-up stands beside it, and the words that make the difference; empty without a runner-up."""
        if not self.runner_up or (not self.difference and self.runner_up.id in {about.id for about in self.instead}):
            return ""
        if self.about.kind in ("value", "persona"):
            said = f"Weighed beside it: {self.runner_up.label}"
        else:
            stronger = (self.runner_up.score or 0) > (self.score or 0)
            says = "stands above it" if stronger else "comes next"
            said = f"{self.runner_up.label} {says} ({_number(self.runner_up.score)} against {_number(self.score)})"
        words = [c.text for c in self.difference if (c.amount or 0) > (c.other or 0)][:_MOST_CONTRASTS]
        others = [c.text for c in self.difference if (c.amount or 0) < (c.other or 0)][:_MOST_CONTRASTS]
        parts = [f"{_quoted(words)} speak more for {_name(self.about.label)}"] if words else []
        parts += [f"{_quoted(others)} more for {_name(self.runner_up.label)}"] if others else []
        return f"{said}{': ' if parts else ''}{', '.join(parts)}."

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the short form shows."""
        return [("verdict", self.verdict), ("reasons", [r.text for r in self.reasons if r.kind not in _POOLED])]

    def as_html(self, *, codes: bool = False) -> str:
        """Return it as HTML, with the codes beside the labels where they are wanted.

        >>> Explanation(about={"label": "Travel"}).as_html()[:34]
        '<div class="toolkit-why mathjax_ig'
        """
        spoken = sum(r.amount or 0 for r in self.reasons if (r.amount or 0) > 0 and r.kind != "start")
        told = [r for r in self.reasons if r.kind not in _POOLED or abs(r.amount or 0) >= _WHOLE]
        table = "".join(_row(reason, self._largest, spoken) for reason in told)
        head = "".join(f"<th scope='col' style={_CELL!r}>{name}</th>" for name in ("Reason", "Where", "Carries"))
        shown = (
            f"<table style='border-collapse:collapse;margin-top:4px'><tr>{head}</tr>{table}</table>" if table else ""
        )
        texts = "".join(
            f"<div style='margin-top:8px'>{_TITLES.get(where, escape(printable(where)))}</div>"
            f"<div tabindex='0' role='region' aria-label='{_TITLES.get(where, escape(printable(where)))}' "
            "style='max-height:260px;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;"
            "border:1px solid rgba(128,128,128,.5);padding:4px 8px'>"
            f"{marked_text(text, [mark for mark in self.marks if mark.where == where])}</div>"
            for where, text in self.texts.items()
            if any(mark.where == where for mark in self.marks)
        )
        said = (
            f"<strong>{escape(printable(self.verdict))}</strong>"
            f"{self._coded() if codes else ''}{_lacking(self.missing)}{_line(self.explained)}{shown}"
            f"{_line(self.compared)}{_listed(self.passages[:_MOST_PASSAGES])}{texts}"
        )
        return text_block(said, name="toolkit-why", style="line-height:1.45")

    def _repr_html_(self) -> str:
        return self.as_html()

    def _coded(self) -> str:
        pairs = {about.label: about.id for about in (self.about, *self.instead)}
        pairs |= {self.runner_up.label: self.runner_up.id} if self.runner_up else {}
        return _line("Codes: " + ", ".join(f"{label}: {code}" for label, code in pairs.items()))

    @property
    def _largest(self) -> float:
        told = (abs(reason.amount or 0) for reason in self.reasons if reason.kind not in _POOLED)
        return max(told, default=0.0) or 1.0


#: What rounds to all.
_WHOLE: Final = 0.005


def marked_text(text: str, marks: list[Mark]) -> str:
    """Return a text as HTML with its marks highlighted, stronger ones deeper; a mark's title tells its amount.

    The text is escaped. Of marks that overlap the strongest is shown.

    >>> marked_text("<b>boots</b>", [Mark(where="text", start=3, end=8, amount=0.2)])[:30]
    '&lt;b&gt;<mark style="backgrou'
    """
    strongest = max((mark.amount or 0 for mark in marks), default=0.0) or 1.0
    parts, place = [], 0
    for start, end, amount in _apart(marks, len(text)):
        # Deeper ones would hide light letters in a dark theme.
        depth = 0.12 + 0.4 * amount / strongest
        parts.append(_escaped(text[place:start]))
        parts.append(
            f'<mark style="background:rgba({_COLOURS["for"]},{depth:.2f});color:inherit" '
            f'title="adds {amount:.3f} to the score">'
            f"{_escaped(text[start:end])}</mark>"
        )
        place = end
    return "".join([*parts, _escaped(text[place:])])


def _escaped(text: str) -> str:
    """Return a text of several lines as HTML, without characters that would hide or reorder it."""
    return "\n".join(escape(printable(line)) for line in text.split("\n"))


def _line(text: str) -> str:
    return f"<div style='margin-top:6px;overflow-wrap:anywhere'>{escape(printable(text))}</div>" if text else ""


def _lacking(missing: list[Lack]) -> str:
    if not missing:
        return ""
    lines = "".join(f"<li>{escape(printable(lack.text))}</li>" for lack in missing)
    return f"<div style='margin-top:6px'>Why not</div><ul style='margin:2px 0;overflow-wrap:anywhere'>{lines}</ul>"


def _listed(passages: list[Passage]) -> str:
    if not passages:
        return ""
    lines = "".join(f"<li>{escape(shortened(printable(passage.text), _LONGEST_PASSAGE))}</li>" for passage in passages)
    return (
        "<div style='margin-top:8px'>Strongest passages</div>"
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


def _row(reason: Reason, largest: float, spoken: float) -> str:
    """Return a reason as a row: its words, where they stand, and its part of all that speaks for the subject."""
    amount, is_pooled = reason.amount or 0, reason.kind in _POOLED
    colour, width = _COLOURS["for" if amount > 0 else "against"], round(_BAR * abs(amount) / largest)
    # What is summed up has no place in the scale of single reasons.
    bar = f"<span style='display:inline-block;height:9px;width:{width}px;background:rgb({colour})'></span> "
    is_part = spoken and reason.kind != "start"
    share = percentage(amount / spoken) if is_part else f"{amount:+.2f}"
    share = share.replace("-", "\u2212")
    cells = (
        _POOLED[reason.kind].format(count=reason.count or "some") if is_pooled else _told(reason),
        "" if is_pooled else escape(printable(_placed(reason))),
        f"<span style='white-space:nowrap' title='{amount:+.4f} to the score'>{'' if is_pooled else bar}{share}</span>",
    )
    return f"<tr>{''.join(f'<td style={_CELL!r}>{cell}</td>' for cell in cells)}</tr>"


def _told(reason: Reason) -> str:
    """Return the words of a reason as HTML: as they stand, with their sense and their other forms."""
    said = escape(shortened(printable(reason.text), 90))
    if reason.value:
        said = f"{escape(printable(reason.value))}: {said}"
    if reason.sense:
        said += f" <em>({escape(shortened(printable(reason.sense), 60))})</em>"
    if reason.forms:
        said += f"<div style='opacity:.8'>also {escape(shortened(printable(', '.join(reason.forms)), 110))}</div>"
    return said


def _placed(reason: Reason) -> str:
    if reason.where in _PLACES:
        times = f", {reason.count} times" if (reason.count or 0) > 1 else ""
        stated = f"{_KINDS['stated']}: " if reason.kind == "stated" else ""
        return f"{stated}{_PLACES[reason.where]}{times}"
    return _KINDS.get(reason.kind, reason.kind)


def _quoted(words: list[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _name(label: str) -> str:
    """Return the last step of a path."""
    return label.rpartition(" > ")[2]


def _sureness(confidence: Any) -> str:
    if isinstance(confidence, float):
        return f", confidence {rounded(confidence, 2)}"
    return f", confidence {confidence}" if confidence else ""


def _number(value: float | None) -> str:
    return "unknown" if value is None else str(rounded(value, 2))
