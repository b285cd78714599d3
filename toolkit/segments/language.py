"""The language of segments: readable text in, a checked syntax tree out.

::

    segment    = part { "or" part }
    part       = unit { "and" unit }
    unit       = "not" unit | "(" segment ")" | count "(" segment { "," segment } ")" | condition
    count      = "any" | "all" | "none" | ( "at least" | "at most" | "exactly" ) number "of"
    condition  = ( code | field comparison ) [ "with confidence >=" ( band | number ) ]
    comparison = ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) value
               | [ "not" ] "in" "(" value { "," value } ")" | "between" value "and" value

Capitals do not matter, ``#`` begins a comment, lines break anywhere between words. ``not`` binds closer than ``and``,
``and`` closer than ``or``. In codes, personas and values ``*`` stands for any characters, so that
``industry = *`` asks for any known industry.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

from toolkit.frames.schemas import CONFIDENCE, LISTS, SCALARS
from toolkit.interface.errors import InputError, nearest_to
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.filters.headings import FIELDS
from toolkit.interface.taxonomy import TAXONOMIES, Taxonomy
from toolkit.interface.vocabulary import ORDERED_FIELDS
from toolkit.segments.tree import (
    CODE,
    NAMED,
    Condition,
    Count,
    Join,
    Node,
    Not,
    categories_named,
    category_path,
    fits,
    fits_code,
)
from toolkit.segments.words import KEYWORDS, LONGEST_TEXT, Word, refused, unknown, words_of

if TYPE_CHECKING:
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.segments.tree import CountKind, Operator

__all__ = ["SUBJECTS", "parse_segment"]

#: What can stand before a comparison.
SUBJECTS: Final = (*LISTS, *SCALARS, "persona", *TAXONOMIES, "filtering")

_CODE: Final = re.compile(r"(INT|PI)(\.[A-Z0-9_*]+)+", re.ASCII | re.IGNORECASE)
_LIKE_CODE: Final = re.compile(r"(INT|PI)\b", re.ASCII | re.IGNORECASE)
_NUMBER: Final = re.compile(r"[0-9]{1,4}", re.ASCII)
#: Halves of characters, which come from broken encodings.
_HALF: Final = re.compile("[\ud800-\udfff]")
#: Deeper nesting is no text that people write, and would meet the limit of recursion.
_DEEPEST: Final = 40
_MOST_CONDITIONS: Final = 1_000
_SUGGESTED: Final = 3
_ORDER: Final = frozenset({"<", "<=", ">", ">="})
_GROUP_PARTS: Final = 2
_LOGIC: Final = {"&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "+": "and", ";": "or"}
#: Fields whose block has a confidence band.
_BANDED: Final = frozenset(
    name for name, (block, _) in {**LISTS, **SCALARS}.items() if block in {"demographics", "b2b"}
)


def parse_segment(text: str, vocabulary: Vocabulary | None = None) -> Node:
    """Return the syntax tree of a text: codes in capitals, values as the vocabulary has them, categories as paths.

    Codes and values are checked against the vocabulary; without one only the spelling of codes and the names of
    fields are. Content categories are always checked, their taxonomies are bundled; personas and filtering
    categories never.

    >>> parse_segment("any(INT.PETS.*, int.travel.camping)").parts[1].values
    ('INT.TRAVEL.CAMPING',)
    """
    if not isinstance(text, str):
        raise InputError(f"A segment is text, not {type(text).__name__}.")
    if len(text) > LONGEST_TEXT:
        raise InputError(f"The segment has {len(text):,} characters; at most {LONGEST_TEXT:,} are read. Split it.")
    if half := _HALF.search(text):
        message = "A half of a character stands here, which no text can hold. Write the whole character."
        raise refused(message, text, half.start(), half.end())
    return _Parser(text.replace("\r\n", "\n").replace("\r", "\n"), vocabulary).whole()


class _Parser:
    def __init__(self, source: str, vocabulary: Vocabulary | None) -> None:
        self.source = source
        self.vocabulary = vocabulary
        self.words = words_of(source)
        self.at = 0
        self.depth = 0
        self.count = 0

    # The grammar ----------------------------------------------------------------------------------------------------

    def whole(self) -> Node:
        if len(self.words) == 1:
            raise InputError("The segment is empty. Write a condition, such as INT.PETS.* or income_level >= middle.")
        node = self.segment()
        if self.word.kind != "end":
            raise self.expected("and, or, or the end of the text")
        return node

    def segment(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.wrong(f"More than {_DEEPEST} parentheses stand within each other. Write it flatter.")
        node = self.joined("or")
        self.depth -= 1
        return node

    def joined(self, word: str) -> Node:
        parts: list[Node] = []
        while True:
            part = self.joined("and") if word == "or" else self.unit()
            parts += part.parts if isinstance(part, Join) and part.word == word else [part]
            if not self.takes(word):
                return parts[0] if len(parts) == 1 else Join(cast("Any", word), tuple(parts))

    def unit(self) -> Node:
        negated = False
        while self.takes("not"):
            negated = not negated
        if self.takes_mark("("):
            node = self.segment()
            self.closes("and, or")
        else:
            node = self.counted() or self.condition()
        if not negated:
            return node
        return node.part if isinstance(node, Not) else Not(node)

    def counted(self) -> Node | None:
        start = self.word
        kind, number = start.keyword, 0
        if kind in {"any", "all", "none"} and self.next.text == "(" and self.next.kind == "mark":
            self.at += 1
        elif kind in {"at", "exactly"}:
            self.at += 1
            if kind == "at":
                if self.word.keyword not in {"least", "most"}:
                    raise self.expected("'least' or 'most'")
                kind = f"at {self.word.keyword}"
                self.at += 1
            if self.word.kind != "word" or not _NUMBER.fullmatch(self.word.text):
                raise self.expected("a number, as in: at least 2 of (…)")
            number = int(self.word.text)
            self.at += 1
            if not self.takes("of"):
                raise self.expected("'of'")
        else:
            return None
        parts = self.listed()
        if number > len(parts) or (kind == "at least" and not number):
            many = f"{len(parts)} part{'s' if len(parts) > 1 else ''}"
            message = f"'{kind} {number}' says nothing of a list of {many}; a group such as INT.PETS.* is one part."
            raise refused(message, self.source, start.start, start.end)
        return Count(cast("CountKind", kind), number, tuple(parts))

    def listed(self) -> list[Node]:
        if not self.takes_mark("("):
            raise self.expected("'(' and the parts to count")
        parts = [self.segment()]
        while self.takes_mark(",") and not self.at_mark(")"):
            parts.append(self.segment())
        self.closes("and, or, ','")
        return parts

    def condition(self) -> Condition:
        self.count += 1
        if self.count > _MOST_CONDITIONS:
            raise self.wrong(f"A segment has at most {_MOST_CONDITIONS:,} conditions. Use groups such as INT.PETS.*.")
        word = self.word
        if word.kind != "word" or word.keyword in KEYWORDS:
            raise self.expected("a code such as INT.PETS.*, a field such as income_level, not, or '('")
        self.at += 1
        if _LIKE_CODE.match(word.text):
            return Condition(CODE, "has", (self.code(word),), self.confidence(CODE))
        field = self.field(word)
        operator = self.operator(field)
        values = self.values(field, operator)
        if operator in {*_ORDER, "between"} and any("*" in value for value in values):
            message = f"'*' has no place in an order. Name a value, or write {field} = * for any known value."
            raise refused(message, self.source, word.start, self.words[self.at - 1].end)
        if self.word.kind == "compare" and self.word.text == ">" and field in NAMED:
            raise self.wrong('Put the whole path in quotes: content-v3 = "Sports > Golf".')
        return Condition(field, operator, values, self.confidence(field))

    def values(self, field: str, operator: Operator) -> tuple[str, ...]:
        if operator == "between":
            low = self.value(field)
            if not self.takes("and"):
                raise self.expected("'and' and the other end of the range")
            return low, self.value(field)
        if operator not in {"in", "not in"}:
            return (self.value(field),)
        if not self.takes_mark("("):
            raise self.expected("'(' and values")
        values = [self.value(field)]
        while self.takes_mark(",") and not self.at_mark(")"):
            values.append(self.value(field))
        self.closes("','")
        return tuple(dict.fromkeys(values))

    # Codes, fields and values ---------------------------------------------------------------------------------------

    def code(self, word: Word) -> str:
        if not _CODE.fullmatch(word.text):
            message = f"{word.shown} is no code. Codes look like INT.PETS.DOGS; INT.PETS.* is a whole group."
            raise refused(message, self.source, word.start, word.end)
        base = re.sub(r"\*+", "*", word.text.upper())
        while base.endswith(".*"):
            base = base[:-2]
        parts = base.count(".") + 1
        whole = parts == 1 or (parts == _GROUP_PARTS and "*" not in base)
        pattern = f"{base}.*" if whole else base
        known = self.vocabulary
        if known is not None and pattern not in known.codes and not any(map(fits_code(pattern), known.codes)):
            spelt = known.nearest(base)
            meant = known.search(words_of_code(base.replace("*", "")), _SUGGESTED) if len(spelt) < _SUGGESTED else ()
            near = tuple(dict.fromkeys([*spelt, *(code.code for code in meant)]))[:_SUGGESTED]
            raise unknown(word, _described(known), near, self.source)
        return pattern

    def field(self, word: Word) -> str:
        name = word.keyword.replace("-", "_") if word.keyword not in SUBJECTS else word.keyword
        if name in SUBJECTS:
            return name
        if word.keyword in _LOGIC:
            raise refused(f"Write '{_LOGIC[word.keyword]}'.", self.source, word.start, word.end)
        folded = re.sub(r"[\W_]", "", name).removesuffix("s")
        near = [field for field in SUBJECTS if folded and folded in FIELDS.get(field, ())]
        near += nearest_to(name, SUBJECTS)
        if self.vocabulary is not None:
            near += [code.code for code in self.vocabulary.search(word.text, _SUGGESTED)]
        found = tuple(dict.fromkeys(near))[:_SUGGESTED]
        listed = "" if found else f"Fields: {', '.join(SUBJECTS)}."
        raise unknown(word, "the codes and fields that a segment can name", found, self.source, listed)

    def operator(self, field: str) -> Operator:
        word = self.word
        name = word.text if word.kind == "compare" else word.keyword
        if name == "not" and self.next.keyword == "in":
            self.at += 1
            name = "not in"
        if name not in {"=", "!=", "in", "not in", "between", *_ORDER}:
            raise self.expected("=, !=, in (…)" + (", <, <=, >, >= or between" if field in ORDERED_FIELDS else ""))
        if (name in _ORDER or name == "between") and field not in ORDERED_FIELDS:
            raise self.wrong(f"The values of {field} have no order; compare them with =, !=, in (…) or not in (…).")
        self.at += 1
        return cast("Operator", name)

    def value(self, field: str) -> str:
        word = self.word
        if word.kind not in {"word", "text"} or word.keyword in KEYWORDS:
            raise self.expected(f"a value of {field}")
        self.at += 1
        if not word.text.strip():
            raise refused(f"A value of {field} cannot be empty.", self.source, word.start, word.end)
        if field in TAXONOMIES:
            return self.category(field, word)
        if field in {"persona", "filtering"}:
            return " ".join(word.text.split())
        return self.band(field, word)

    def band(self, field: str, word: Word) -> str:
        known = self.vocabulary.values.get(field) if self.vocabulary is not None else None
        if known is None:  # the vocabulary of another service may not list every field
            return word.text.strip()
        text = re.sub(r"\*+", "*", word.text.strip().casefold())
        if "*" in text and any(map(fits(text), known)):
            return text
        for value, label in known.items():
            if text in {value.casefold(), label.casefold()}:
                return value
        near = nearest_to(text, known) or tuple(value for value in known if text in value.casefold())[:_SUGGESTED]
        among = f"{field} of {_described(self.vocabulary)}"
        listed = "" if len(known) > 2 * _SUGGESTED + 2 else f"Values: {', '.join(known)}."
        raise unknown(word, among, near, self.source, listed)

    def category(self, name: str, word: Word) -> str:
        taxonomy = Taxonomy.load(cast("Any", name))
        path = category_path(word.text)
        if path == "*":
            return path
        found = categories_named(taxonomy, path)
        if len(found) > 1:
            message = f"{word.shown} stands in several places: {'; '.join(category.path for category in found)}."
            raise refused(f"{message} Write the whole path.", self.source, word.start, word.end)
        if not found:
            near = tuple(category.path for category in taxonomy.search(path, _SUGGESTED))
            raise unknown(word, f"taxonomy '{name}'", near, self.source)
        return found[0].path

    def confidence(self, field: str) -> str | None:
        if not self.takes("with"):
            return None
        number = field in TAXONOMIES or field == "filtering"
        if not (number or field == CODE or field in _BANDED):
            self.at -= 1
            raise self.wrong(f"The service gives no confidence for {field}.")
        if not self.takes("confidence"):
            raise self.expected("'confidence >= …'")
        if not (self.word.kind == "compare" and self.word.text == ">="):
            raise self.expected("'>=': a demand names the least confidence")
        self.at += 1
        word = self.word
        self.at += 1
        if not number and word.keyword in CONFIDENCE.categories:
            return word.keyword
        if number and word.kind == "word" and (share := _share(word.text)) is not None:
            return share
        self.at -= 1
        raise self.expected("a number from 0 to 1" if number else "low, medium or high")

    # Words ----------------------------------------------------------------------------------------------------------

    @property
    def word(self) -> Word:
        return self.words[self.at]

    @property
    def next(self) -> Word:
        return self.words[min(self.at + 1, len(self.words) - 1)]

    def takes(self, keyword: str) -> bool:
        if self.word.keyword != keyword:
            return False
        self.at += 1
        return True

    def at_mark(self, mark: str) -> bool:
        return self.word.kind == "mark" and self.word.text == mark

    def takes_mark(self, mark: str) -> bool:
        if not self.at_mark(mark):
            return False
        self.at += 1
        return True

    def closes(self, others: str) -> None:
        if not self.takes_mark(")"):
            raise self.expected(f"{others} or ')'")

    def expected(self, what: str) -> InputError:
        hint = f" Write '{_LOGIC[self.word.keyword]}'." if self.word.keyword in _LOGIC else ""
        near = nearest_to(self.word.keyword, ["and", "or", "not", "with"], 1) if self.word.keyword else ()
        near = () if self.word.keyword in KEYWORDS else near
        hint = hint or (f" Did you mean {near[0]!r}?" if near else "")
        return self.wrong(f"Expected {what}; found {self.word.shown}.{hint}")

    def wrong(self, message: str) -> InputError:
        return refused(message, self.source, self.word.start, self.word.end)


def _share(text: str) -> str | None:
    try:
        share = float(text)
    except ValueError:
        return None
    if not 0 <= share <= 1:
        return None
    short = f"{share:g}"
    return short if float(short) == share else repr(share)


def _described(vocabulary: Vocabulary | None) -> str:
    version = vocabulary.version if vocabulary is not None else ""
    return f"vocabulary {version}" if version else "the vocabulary"
