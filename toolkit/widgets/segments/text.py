"""How a segment's text grows by an entry of the tree, and what a segment says in plain words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from toolkit.interface.errors import ToolkitError
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.words.labels import field_label, value_words
from toolkit.segments.language import parse_segment
from toolkit.segments.tree import CODE, NAMED, NEGATIVE, Condition, Count, Join, Not, conditions, text_of

if TYPE_CHECKING:
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.segments.tree import Node

__all__ = ["banded", "in_words", "reason_in_words", "with_part"]

_COMPARED: Final = {
    "=": "is",
    "!=": "is not",
    "<": "is below",
    "<=": "is at most",
    ">": "is above",
    ">=": "is at least",
    "in": "is",
    "not in": "is not",
}
_NAMED: Final = {
    "persona": "the persona",
    "content-v3": "the topic",
    "content-v2": "the topic of the earlier list",
    "filtering": "the web-filtering category",
}
_CODE: Final = re.compile(r"\b(?:INT|PI)(?:\.[A-Z0-9_]+)+(?:\.\*)?")
_KINDS: Final = {"INT": "the interest", "PI": "the purchase intent"}
_COUNTS: Final = {"any": "any of", "all": "all of", "none": "none of"}


def with_part(text: str, expression: str, how: str) -> str:
    """Return a segment's text with one more expression, which sites need too, may have instead, or must not have.

    What they may have instead is an alternative to the last condition where both are of the same field, else to the
    whole segment.

    Examples
    --------
    >>> with_part("INT.PETS.DOGS", "INT.TRAVEL.*", "not")
    'INT.PETS.DOGS and not INT.TRAVEL.*'
    >>> with_part("INT.PETS.DOGS and audience_type = b2c", "INT.TRAVEL.*", "or")
    '(INT.PETS.DOGS and audience_type = b2c) or INT.TRAVEL.*'
    >>> with_part("INT.PETS.DOGS and income_level = high", "income_level = middle", "or")
    'INT.PETS.DOGS and income_level in (high, middle)'
    """
    text = text.strip()
    if how == "not":
        expression = f"not {expression}"
    if not text:
        return expression
    if how == "or" and (joined := _with_alternative(text, expression)) is not None:
        return joined
    joint = "or" if how == "or" else "and"
    other = " and " if how == "or" else " or "
    # What stands behind a comment on its line would be a part of it.
    line = "\n" if "#" in text.rsplit("\n", 1)[-1] else ""
    # In brackets as soon as both words are there: nobody should have to know which of them binds first.
    whole = f"({text}{line})" if other in text else f"{text}{line}"
    return f"{whole} {joint} {expression}" if not whole.endswith("\n") else f"{whole}{joint} {expression}"


def banded(expression: str, operator: str) -> str:
    """Return the condition that asks for a band or those above or below it, of that which asks for the band.

    Examples
    --------
    >>> banded("income_level = middle", ">=")
    'income_level >= middle'
    """
    return expression.replace(" = ", f" {operator} ", 1)


def in_words(tree: Node, vocabulary: Vocabulary) -> str:
    """Return what a segment says in plain words.

    Examples
    --------
    >>> from toolkit import Client
    >>> in_words(parse_segment("INT.PETS.DOGS and not income_level <= middle"), Client().filters())
    'the interest Dogs and not (income is at most Middle income)'
    """
    if isinstance(tree, Condition):
        return _condition(tree, vocabulary)
    if isinstance(tree, Not):
        return f"not ({in_words(tree.part, vocabulary)})"
    if isinstance(tree, Count):
        number = f"{tree.kind} {tree.number} of"
        listed = "; ".join(in_words(part, vocabulary) for part in tree.parts)
        return f"{_COUNTS.get(tree.kind, number)} ({listed})"
    parts = [
        f"({in_words(part, vocabulary)})" if isinstance(part, Join) else in_words(part, vocabulary)
        for part in tree.parts
    ]
    return f" {tree.word} ".join(parts)


def reason_in_words(reason: str, vocabulary: Vocabulary, tree: Node | None = None) -> str:
    """Return why a site matches or not with the names of codes, lists and values in place of these.

    `tree` is of the segment that it is about.

    Examples
    --------
    >>> from toolkit import Client
    >>> vocabulary, tree = Client().filters(), parse_segment("income_level >= middle")
    >>> reason_in_words("no INT.PETS.DOGS; no content-v3 Travel", vocabulary)
    'no Dogs; no topic Travel'
    >>> reason_in_words("income: Low income, not >= middle", vocabulary, tree)
    'income: Low income, not at least Middle income'
    """
    for condition in [] if tree is None else conditions(tree):
        if condition.subject in NAMED or condition.subject == CODE:
            continue
        bare = text_of(replace(condition, confidence=None)).removeprefix(f"{condition.subject} ")
        bare = bare.removeprefix("= ").removeprefix("in ")
        field = field_label(condition.subject).lower()
        asked = _condition(replace(condition, confidence=None), vocabulary).removeprefix(f"{field} is ")
        # What it must not be is what it is.
        asked = "which is unwanted" if condition.operator in NEGATIVE else f"not {asked}"
        parts = reason.split("; ")
        told, start = f", not {bare}", (f"{field}: ", f"unwanted: {field}: ")
        mine = [part.startswith(start) and part.endswith(told) for part in parts]
        parts = [f"{p.removesuffix(told)}, {asked}" if own else p for p, own in zip(parts, mine, strict=True)]
        reason = "; ".join(parts)
    said = _CODE.sub(lambda found: _name_of(found[0], vocabulary), reason)
    for subject, name in _NAMED.items():
        said = said.replace(f"no {subject} ", f"no {name.removeprefix('the ')} ")
    return said


def _name_of(pattern: str, vocabulary: Vocabulary) -> str:
    base = pattern.removesuffix(".*")
    known = vocabulary.codes.get(base)
    inside = " (or any in it)" if pattern != base else ""
    return f"{known.label if known is not None else words_of_code(base)}{inside}"


def _with_alternative(text: str, expression: str) -> str | None:
    """Return the text with an alternative to its last condition; None where that is of another field."""
    try:
        tree, added = parse_segment(text), parse_segment(expression)
    except ToolkitError:
        return None
    if not isinstance(added, Condition):
        return None
    if isinstance(tree, Join) and tree.word == "and":
        last = _either(tree.parts[-1], added)
        return None if last is None else text_of(replace(tree, parts=(*tree.parts[:-1], last)))
    whole = _either(tree, added)
    # An alternative to all there is needs no other text, unless two values of a field become a list.
    return text_of(whole) if isinstance(whole, Condition) or (whole and isinstance(tree, Join)) else None


def _either(node: Node, added: Condition) -> Node | None:
    if isinstance(node, Join) and node.word == "or":
        last = _either(node.parts[-1], added)
        if last is None:
            return None
        ends = last.parts if isinstance(last, Join) else (last,)
        return replace(node, parts=(*node.parts[:-1], *ends))
    if not isinstance(node, Condition) or _field(node) != _field(added):
        return None
    if added in (node, replace(node, operator="=")):
        return node
    if (
        node.operator in {"=", "in"}
        and added.operator == "="
        and node.confidence is None
        and "*" not in (*node.values, *added.values)
    ):
        values = tuple(dict.fromkeys([*node.values, *added.values]))
        return node if values == node.values else replace(node, operator="in", values=values)
    return Join("or", (node, added))


def _field(condition: Condition) -> str:
    return condition.values[0].split(".")[0] if condition.subject == CODE else condition.subject


def _condition(condition: Condition, vocabulary: Vocabulary) -> str:
    subject, values = condition.subject, condition.values
    sure = f" (confidence at least {condition.confidence})" if condition.confidence is not None else ""
    if subject == CODE:
        pattern = values[0]
        base = pattern.removesuffix(".*")
        kind = _KINDS[pattern.split(".")[0]]
        if "." not in base:
            return f"any {kind.removeprefix('the ')}{sure}"
        return f"{kind} {_name_of(pattern, vocabulary)}{sure}"
    labels = vocabulary.values.get(subject, {})
    named = ["known" if value == "*" else value_words(subject, value, labels.get(value)) for value in values]
    said = named[0] if len(named) == 1 else f"one of {', '.join(named)}"
    if subject in NAMED:
        is_any = values == ("*",)
        what = f"any {_NAMED[subject].removeprefix('the ')}" if is_any else f"{_NAMED[subject]} {said}"
        negative = "a topic or persona, but not " if condition.operator in {"!=", "not in"} else ""
        return f"{negative}{what}{sure}"
    field = field_label(subject).lower()
    if condition.operator == "between":
        return f"{field} is from {named[0]} to {named[1]}{sure}"
    return f"{field} {_COMPARED[condition.operator]} {said}{sure}"
