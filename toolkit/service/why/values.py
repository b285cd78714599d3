"""Why readers are said to be something, or not: what votes for a value of a field, and what kept it back."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.vocabulary import INDUSTRIES, service_vocabulary
from toolkit.service.readers.context import read_context
from toolkit.service.readers.profile import AT_HOME, bar_of, counted_votes, profile_firms
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.readers.stated import stated_readers
from toolkit.service.readers.votes import AUDIENCE, LISTS, SCALARS, SCALES, Vote, firm_votes, people_votes, stray_words
from toolkit.service.subjects.examples import likeness_of_readers
from toolkit.service.why.case import Case, Lack, Rival
from toolkit.service.why.reasons import Reason, found_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page
    from toolkit.service.readers.context import Context
    from toolkit.service.subjects.content import Scored
    from toolkit.service.subjects.readings import Reading
    from toolkit.service.why.names import Subject

__all__ = ["explain_value"]

_OF_FIRMS: Final = ("company_size_employees", "seniority", "job_function", "industry")
#: What a value of a list must have beside the strongest one.
_KEPT_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Asked:
    """A value that is not given, what is given in its field, and what speaks for the values of the field."""

    field: str
    value: str
    given: list[str]
    votes: list[Vote]

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the field's values."""
        return service_vocabulary().values[self.field]

    @property
    def weight(self) -> float:
        """What speaks for it."""
        return sum(vote.weight for vote in self.votes if vote.value == self.value)


def explain_value(reading: Reading, subject: Subject) -> Case:
    """Explain a value by what votes for it; of a scale all votes count, for the middle of them is given."""
    page, categories = reading.page, reading.content.v3
    field, _, value = subject.id.partition("=")
    shape = structured_shape("", reading)
    block = next((shape[name] for name in ("demographics", "b2b", "content_context") if field in shape[name]), shape)
    held = block.get(field)
    given_values = held if isinstance(held, list) else [held] if held else []
    given = value in given_values
    context = read_context(page, categories)
    votes = [vote for vote in _votes(page, categories, context) if vote.field == field]
    labels = service_vocabulary().values[field]
    totals: defaultdict[str, float] = defaultdict(float)
    for vote in votes:
        totals[vote.value] += vote.weight
    # What is given comes before what has more votes and was set aside.
    others = [name for name in given_values if name != value] or [name for name in totals if name != value]
    rival = max(others, key=lambda name: (totals[name], name), default=None)
    # Where the middle of all votes is given, all of them are reasons.
    is_scale = field in SCALES or field == AUDIENCE
    reasons = tuple(
        _reason(page, vote, labels[vote.value] if is_scale else "") for vote in votes if is_scale or vote.value == value
    )
    return Case(
        given=given,
        score=sum(totals.values()) if is_scale else totals.get(value, 0.0),
        confidence=block.get("confidence") if given else None,
        reasons=reasons,
        runner_up=Rival(f"{field}={rival}", labels[rival], totals[rival], None) if rival is not None else None,
        instead=() if given else tuple((f"{field}={name}", labels[name]) for name in given_values),
        missing=() if given else tuple(_lacks(reading, context, _Asked(field, value, given_values, votes))),
    )


def _reason(page: Page, vote: Vote, value: str) -> Reason:
    """Return a vote as a reason, its words as they stand in the page."""
    if vote.kind in ("words", "stated"):
        phrases = vote.text.split(", ") if vote.kind == "words" else [vote.text]
        if said := found_words(page, phrases, vote.weight):
            kind = "word" if vote.kind == "words" else vote.kind
            return replace(said, kind=kind, amount=vote.weight, value=value)
    text = vote.text
    if vote.kind == "likened":
        text = likeness_of_readers(page, "yes" if vote.value == "b2b" else "no")
    elif vote.kind == "price":
        text = service_vocabulary().values["price_signals"].get(vote.text, vote.text)
    elif text.isdigit():
        text = f"its writer is {text}"  # who writes it in words
    kind = "page" if vote.kind in ("words", "stated", "likened") else vote.kind
    return Reason(kind, text, "page", vote.count, vote.weight, value=value)


def _votes(page: Page, categories: tuple[Scored, ...], context: Context) -> tuple[Vote, ...]:
    decided = ((name, getattr(context, name), ground) for name, ground in context.grounds.items())
    return (
        *counted_votes(page, categories, context),
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


def _lacks(reading: Reading, context: Context, asked: _Asked) -> list[Lack]:
    """Return what kept a value from being given."""
    found = list(_lacking(reading, context, asked))
    if found or asked.field not in (*LISTS, *SCALARS):
        return found
    return [Lack("fit", "Words of the page, or pages worded like it, speak of other readers than its topics do.")]


def _lacking(reading: Reading, context: Context, asked: _Asked) -> Iterator[Lack]:
    page, categories = reading.page, reading.content.v3
    if asked.field in _OF_FIRMS and not asked.given:
        firms = profile_firms(page, categories)
        if firms.audience_type == "b2c":
            yield Lack("fit", "The page speaks to consumers; who reads at work is told of pages for businesses alone.")
            return
        if firms.audience_type == "mixed":
            yield Lack("fit", "Private people read the page, too; who reads it at work is told where it says so alone.")
            return
    if asked.field in AT_HOME and profile_firms(page, categories).audience_type == "b2b":
        yield Lack("fit", "The page speaks to people at work; how they live, and what they earn, is not told of them.")
        return
    if asked.field in context.grounds:
        ground = context.grounds[asked.field]
        yield Lack("stronger", f"One value is given, and another fits: {ground}." if ground else "Nothing tells it.")
        return
    if asked.field in (*LISTS, *SCALARS):
        yield from _set_aside(page, categories, context, asked)
    if not asked.weight:
        yield _unsaid(page, asked)
    yield from _outdone(asked)


def _set_aside(page: Page, categories: tuple[Scored, ...], context: Context, asked: _Asked) -> Iterator[Lack]:
    """Yield what was not believed of a value of the demographics block, and how far its field is from its bar."""
    cast = people_votes(page, categories, context)
    own = [vote for vote in cast if (vote.field, vote.value) == (asked.field, asked.value)]
    unbelieved = [vote for vote in own if vote not in asked.votes]
    if not stated_readers(page).allows(asked.field, asked.value):
        yield Lack("stated", "The page says that it is for others.")
    elif unbelieved:
        text = f"Readers of {unbelieved[0].text} are often so, but nothing on this page says it of its own readers."
        yield Lack("words", text)
    reached, bar = bar_of(asked.field, asked.votes)
    if asked.votes and reached < bar:
        what = "all that speaks of it" if asked.field in SCALES else "what speaks for the strongest answer"
        text = f"Too little is known for any answer: {what} weighs {reached:.2f}, and {bar:.2f} is needed."
        yield Lack("bar", text, reached, bar)


def _unsaid(page: Page, asked: _Asked) -> Lack:
    """Tell that nothing speaks for a value, or too few words do."""
    terms, places = stray_words(page, asked.field, asked.value)
    said = found_words(page, terms, 1.0) if terms else None
    if said:
        spread = f"{places} places" if places > 1 else "one place"
        return Lack("places", f"“{said.text}” stands in {spread} and is not said plainly enough of the readers.")
    return Lack("absent", "Nothing speaks for it: no topic whose readers are known to be so, and no words.")


def _outdone(asked: _Asked) -> Iterator[Lack]:
    """Yield what is given in place of a value, and by how much it is stronger."""
    if not asked.given:
        return
    others = ", ".join(asked.labels[other] for other in asked.given)
    strongest = max(sum(vote.weight for vote in asked.votes if vote.value == other) for other in asked.given)
    if asked.field in SCALES or asked.field == AUDIENCE:
        yield Lack("stronger", f"One answer is given, the middle of all that speaks: {others}.")
    elif asked.weight and asked.weight < _KEPT_SHARE * strongest:
        bar = _KEPT_SHARE * strongest
        text = f"{others} is far stronger: {strongest:.2f} against {asked.weight:.2f}, and half of it is needed."
        yield Lack("stronger", text, asked.weight, bar)
    elif asked.weight:
        yield Lack("fit", f"It does not go together with what is stronger or already given: {others}.")
