"""The syntax tree of a segment: conditions joined by and, or, not and counts, and the text they are written as."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from toolkit.interface.taxonomy import PATH_SEPARATOR, TAXONOMIES
from toolkit.segments.words import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolkit.interface.taxonomy import Category, Taxonomy

__all__ = [
    "CODE",
    "COUNTS",
    "NAMED",
    "NEGATIVE",
    "Condition",
    "Count",
    "Join",
    "Node",
    "Not",
    "categories_named",
    "category_path",
    "conditions",
    "fits",
    "fits_code",
    "roles",
    "text_of",
    "wanted_categories",
    "wanted_patterns",
]

#: Subject of a condition that stands for a code alone.
CODE: Final = "code"
#: Subjects whose values are names for people rather than codes.
NAMED: Final = frozenset({"persona", "content-v3", "content-v2", "filtering"})
#: Comparisons that hold where something is known and none of it is what is named.
NEGATIVE: Final = frozenset({"!=", "not in"})
#: Counts over a list: those without a number, and those with one.
COUNTS: Final = ("any", "all", "none", "at least", "at most", "exactly")

Operator = Literal["has", "=", "!=", "<", "<=", ">", ">=", "in", "not in", "between"]
CountKind = Literal["any", "all", "none", "at least", "at most", "exactly"]
#: From this length on, the parts of the text's outermost level stand on lines of their own.
_LONG_LINE: Final = 100


@dataclass(frozen=True, slots=True)
class Condition:
    """What a site must have: a code, or a value of a field.

    Attributes
    ----------
    subject : str
        ``code``, a field of the codes frame, ``persona``, or a taxonomy.
    operator : str
        The comparison; ``has`` for a code.
    values : tuple of str
        What it is compared with: a code pattern, values, persona names, or category paths.
    confidence : str or None
        The least confidence: a band, for categories a number from 0 to 1.
    """

    subject: str
    operator: Operator
    values: tuple[str, ...]
    confidence: str | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """The contrary of a part."""

    part: Node


@dataclass(frozen=True, slots=True)
class Join:
    """Parts joined by ``and`` or ``or``; at least two, none of them joined by the same word."""

    word: Literal["and", "or"]
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """How many of a list hold; the number counts for the three kinds that have one."""

    kind: CountKind
    number: int
    parts: tuple[Node, ...]

    def holds(self, count: int) -> bool:
        """Return whether so many of the parts are enough, and not too many."""
        least, most = self.bounds
        return least <= count <= most

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number of parts that may hold."""
        every = len(self.parts)
        return {
            "any": (1, every),
            "all": (every, every),
            "none": (0, 0),
            "at least": (self.number, every),
            "at most": (0, self.number),
            "exactly": (self.number, self.number),
        }[self.kind]


Node = Condition | Not | Join | Count


def conditions(node: Node) -> Iterator[Condition]:
    """Yield the conditions of a tree in the order of its text; the same one may come twice."""
    if isinstance(node, Condition):
        yield node
    else:
        for part in (node.part,) if isinstance(node, Not) else node.parts:
            yield from conditions(part)


def roles(node: Node, *, wanted: bool = True) -> Iterator[tuple[Condition, bool]]:
    """Yield the conditions in the order of the text, and whether what one names helps a site to match."""
    if isinstance(node, Condition):
        yield node, wanted is not (node.operator in NEGATIVE)
    elif isinstance(node, Not):
        yield from roles(node.part, wanted=not wanted)
    else:
        turned = isinstance(node, Count) and node.bounds[0] == 0
        for part in node.parts:
            yield from roles(part, wanted=wanted is not turned)


def wanted_patterns(node: Node) -> Iterator[str]:
    """Yield the code patterns that help a site to match, in the order of the text."""
    for condition, wanted in roles(node):
        if wanted and condition.subject == CODE:
            yield from condition.values


def wanted_categories(node: Node) -> Iterator[str]:
    """Yield the content categories that help a site to match, as ``content-v3=Sports``; "any category" names none."""
    for condition, wanted in roles(node):
        if wanted and condition.subject in TAXONOMIES:
            yield from (f"{condition.subject}={path}" for path in condition.values if path != "*")


def category_path(text: str) -> str:
    """Return how a category is written as one path: ``Sports > *`` is ``Sports``, and ``*`` any category.

    Examples
    --------
    >>> category_path("Sports>Golf > *")
    'Sports > Golf'
    """
    levels = [level.strip() for level in text.split(">")]
    if levels[-1] == "*":
        levels.pop()
    return PATH_SEPARATOR.join(levels) or "*"


def categories_named(taxonomy: Taxonomy, path: str) -> tuple[Category, ...]:
    """Return the categories that a path, a name or an identifier means; a name may stand in several places."""
    if (hit := taxonomy.at_path(path)) is not None:
        return (hit,)
    return taxonomy.named(path) or ((taxonomy[path],) if path in taxonomy else ())


def text_of(node: Node) -> str:
    """Return the text of a tree: the same for the same tree, and read back as it.

    Examples
    --------
    >>> pets, rich = Condition("code", "has", ("INT.PETS.*",)), Condition("income_level", ">=", ("high",))
    >>> text_of(Not(Join("and", (pets, rich))))
    'not (INT.PETS.* and income_level >= high)'
    """
    line = _written(node)
    if len(line) <= _LONG_LINE or not isinstance(node, Join):
        return line
    return f"\n{node.word} ".join(_inside(node, part) for part in node.parts)


def fits_code(pattern: str) -> Callable[[str], bool]:
    """Return a test for codes: a pattern takes itself, what stands below it, and anything for ``*``.

    Examples
    --------
    >>> [fits_code("INT.PETS.*")(code) for code in ("INT.PETS", "INT.PETS.DOGS", "INT.PETSHOPS")]
    [True, True, False]
    """
    base = pattern.removesuffix(".*")
    found = re.compile("|".join(map(fnmatch.translate, (base, f"{base}.*"))))
    return lambda code: found.match(code) is not None


def fits(pattern: str) -> Callable[[str], bool]:
    """Return a test for names, in which ``*`` stands for anything; capitals do not matter.

    Examples
    --------
    >>> fits("*campers")("Campers")
    True
    """
    plain = pattern.casefold().replace("[", "[[]").replace("?", "[?]")
    found = re.compile(fnmatch.translate(plain))
    return lambda name: found.match(name.casefold()) is not None


def _written(node: Node) -> str:
    if isinstance(node, Condition):
        return _condition(node)
    if isinstance(node, Not):
        return f"not {_inside(node, node.part)}"
    if isinstance(node, Join):
        return f" {node.word} ".join(_inside(node, part) for part in node.parts)
    listed = f"({', '.join(map(_written, node.parts))})"
    return (
        f"{node.kind} {node.number} of {listed}" if " " in node.kind or node.kind == "exactly" else node.kind + listed
    )


def _inside(node: Join | Not, part: Node) -> str:
    loose = isinstance(part, Join) and (isinstance(node, Not) or (node.word, part.word) == ("and", "or"))
    return f"({_written(part)})" if loose else _written(part)


def _condition(condition: Condition) -> str:
    demand = f" with confidence >= {condition.confidence}" if condition.confidence is not None else ""
    if condition.subject == CODE:
        return condition.values[0] + demand
    values = [quoted(value, always=condition.subject in NAMED) for value in condition.values]
    if condition.operator == "between":
        compared = f"between {values[0]} and {values[1]}"
    elif condition.operator in {"in", "not in"}:
        compared = f"{condition.operator} ({', '.join(values)})"
    else:
        compared = f"{condition.operator} {values[0]}"
    return f"{condition.subject} {compared}{demand}"
