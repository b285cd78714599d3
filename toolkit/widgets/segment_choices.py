"""What a segment can be built of, as a list to search in: the vocabulary's tree, with how many sites have what."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.about import answered, site_of
from toolkit.coverage import coverage
from toolkit.filters_document import words_of_code
from toolkit.schemas import DEMOGRAPHICS
from toolkit.segment_words import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from toolkit.vocabulary import Vocabulary

__all__ = ["KINDS", "Choice", "choices_of", "found_in", "with_part"]

#: What can be chosen from, as people call it.
KINDS: Final = ("Interests", "Purchase intent", "Audience and firms", "Personas", "Content categories")
_COVERED: Final = {
    "Interests": ("interest", "codes"),
    "Purchase intent": ("purchase_intent", "codes"),
    "Content categories": ("content-v3", "categories"),
}
_FIELDS: Final = (
    "audience_type",
    *DEMOGRAPHICS,
    "company_size_employees",
    "seniority",
    "job_function",
    "industry",
    "content_type",
    "reading_level",
    "price_signals",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of the tree.

    Attributes
    ----------
    label : str
        What is shown, without indentation.
    expression : str
        What it is in the language of segments.
    sites : int
        How many sites of the run have it.
    tier : int
        1 at the top.
    path : str
        Labels from the top, for searching.
    """

    label: str
    expression: str
    sites: int
    tier: int
    path: str

    @property
    def line(self) -> str:
        """What the list shows: indented by its tier, with its sites."""
        return f"{'    ' * (self.tier - 1)}{self.label} ({self.sites})"


def choices_of(frames: Mapping[str, pd.DataFrame], vocabulary: Vocabulary) -> dict[str, list[Choice]]:
    """Return the entries of each kind in the order of the tree.

    Parameters
    ----------
    frames : mapping of str to DataFrame
        The run's frames by name; ``codes``, and ``categories`` for content categories.
    vocabulary : Vocabulary
        Its codes and values.

    Returns
    -------
    dict of str to list of Choice
        By the names of `KINDS`; those that the frames tell nothing of are left out.
    """
    found: dict[str, list[Choice]] = {}
    for kind, (taxonomy, name) in _COVERED.items():
        if name in frames:
            given = vocabulary if name == "codes" else None
            found[kind] = list(_nodes(coverage(frames[name], taxonomy, vocabulary=given)))
    if "codes" in frames:
        counts = _counts(frames["codes"])
        found["Audience and firms"] = list(_values(vocabulary, counts))
        personas = sorted(code for dimension, code in counts if dimension == "persona")
        found["Personas"] = [
            Choice(name, f"persona = {quoted(name, always=True)}", counts["persona", name], 1, name)
            for name in personas
        ]
    return {kind: found[kind] for kind in KINDS if kind in found}


def found_in(choices: list[Choice], text: str, *, present: bool) -> list[Choice]:
    """Return the entries whose path has every word of a text, and with `present` only those that sites have."""
    words = text.casefold().split()
    return [
        choice
        for choice in choices
        if (choice.sites or not present) and all(word in choice.path.casefold() for word in words)
    ]


def with_part(text: str, expression: str, how: str) -> str:
    """Return a segment's text with one more expression.

    Parameters
    ----------
    text : str
        The segment so far; may be empty.
    expression : str
        What is added.
    how : {"and", "or", "not"}
        Whether sites need it too, may have it instead, or must not have it.

    Examples
    --------
    >>> with_part("INT.PETS.DOGS", "INT.TRAVEL.*", "not")
    'INT.PETS.DOGS and not INT.TRAVEL.*'
    >>> with_part("INT.PETS.DOGS and audience_type = b2c", "INT.TRAVEL.*", "or")
    '(INT.PETS.DOGS and audience_type = b2c) or INT.TRAVEL.*'
    """
    text = text.strip()
    if how == "not":
        expression = f"not {expression}"
    if not text:
        return expression
    joint = "or" if how == "or" else "and"
    other = " and " if how == "or" else " or "
    # In brackets as soon as both words are there: nobody should have to know which of them binds first.
    return f"({text}) {joint} {expression}" if other in text else f"{text} {joint} {expression}"


def _nodes(covered: pd.DataFrame) -> Iterator[Choice]:
    is_content = bool(covered["taxonomy"].str.startswith("content").any())
    columns = ["parent", "id", "name", "sites", "tier", "path"]
    children: dict[str | None, list[tuple[str, str, int, int, str]]] = {}
    for parent, *node in covered[columns].sort_values("name", kind="stable").itertuples(index=False, name=None):
        identifier, name, sites, tier, path = node
        children.setdefault(parent if isinstance(parent, str) else None, []).append(
            (identifier, name, sites, tier, path)
        )

    def walk(parent: str | None) -> Iterator[Choice]:
        for identifier, name, sites, tier, path in children.get(parent, []):
            if is_content:
                expression = f"content-v3 = {quoted(path, always=True)}"
            else:
                expression = f"{identifier}.*" if identifier in children else identifier
            yield Choice(name, expression, sites, tier, path)
            yield from walk(identifier)

    yield from walk(None)


def _values(vocabulary: Vocabulary, counts: Mapping[tuple[str, str], int]) -> Iterator[Choice]:
    for field in _FIELDS:
        values = vocabulary.values.get(field)
        if not values:
            continue
        title = words_of_code(field)
        for value, label in values.items():
            count = counts.get((field, value), 0)
            yield Choice(f"{title}: {label}", f"{field} = {quoted(value)}", count, 1, f"{title} {label}")


def _counts(codes: pd.DataFrame) -> Counter[tuple[str, str]]:
    kept = answered(codes)
    rows = kept.assign(site=site_of(kept)).drop_duplicates(["site", "dimension", "code"]).dropna(subset=["code"])
    pairs = zip(rows["dimension"].astype("str"), rows["code"].astype("str"), strict=True)
    return Counter(pairs)
