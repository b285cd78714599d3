"""The fields of what comes over the wire: tolerant types, ranked categories, and the blocks that are built of them.

Numbers and texts are read either way, one value may stand in place of a list, also as PHP writes it (``{"0": …}``), and
what says nothing is missing. The ``Category name: …`` / ``Confidence: …`` pairs are decoded here and nowhere else;
`toolkit.interface.wire.confidences` tells how a confidence is written.

A confidence is a number from 0 to 1. ``"87%"`` is read as 0.87. The numbers of a list are percentages where the largest
is above 10 and at most 100, and none lies between 0 and 1: ``[87, 12.5, 0]``. Where some do (``[87, 0.5]``) nobody can
tell, and they are missing; so is each other number outside of 0 to 1.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticOmit

from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.interface.wire.confidences import (
    BEYOND,
    CATEGORY_PREFIX,
    PREFIX,
    fractions,
    number_in,
    stated_confidence,
    told_together,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Band",
    "Block",
    "Categories",
    "Category",
    "Codes",
    "ContentContext",
    "Demographics",
    "Firmographics",
    "Identifier",
    "Interests",
    "Labels",
    "Many",
    "Meta",
    "Model",
    "Name",
    "Names",
    "Number",
    "Persona",
    "Personas",
    "PurchaseIntent",
    "Ranked",
    "RankedCategory",
    "Scores",
    "Text",
    "Texts",
    "Values",
    "Whole",
    "Year",
    "decode_ranked",
    "parts_at",
]

_T = TypeVar("_T")

_HALF_CHARACTERS: Final = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
_PERSONA_PREFIX: Final = re.compile(r"^\s*(?:buyer\s+)?persona(?:\s+name)?\s*:\s*", re.IGNORECASE)
_NAME_KEYS: Final = ("path", "category", "name", "Category name", "label", "title")
_PERSONA_KEYS: Final = ("persona", "name", "buyer_persona", "label", "category")
_CONFIDENCE_KEYS: Final = ("confidence", "Confidence", "score", "value", "probability", "weight")
_ID_KEYS: Final = ("category_id", "code", "unique_id", "iab_id")
_CODE_KEYS: Final = ("code", "id", "key")
_LABEL_KEYS: Final = ("label", "name", "value", "title")
#: Words in the place of a confidence that say nothing.
_NO_WORDS: Final = frozenset({"n/a", "na", "none", "null", "nan", "unknown", "-"})
_RANK: Final = re.compile(r"^(?:#|no\.|rank|~|≈|ca?\.|about)\s*", re.IGNORECASE)
_MULTIPLES: Final = {"k": 10**3, "m": 10**6, "b": 10**9}
_YEAR: Final = re.compile(r"(?<!\d)(1\d{3}|2[01]\d{2})(?!\d)")
_YEARS: Final = range(1000, 2200)
#: Objects within one another among labels.
_DEEPEST: Final = 3


def _text(value: Any) -> Any:
    """Numbers become text; half a character, which nothing could encode, is replaced."""
    if isinstance(value, bool | int | float):
        return str(value)
    return value.translate(_HALF_CHARACTERS) if isinstance(value, str) else value


def _text_or_none(value: Any) -> Any:
    """Text loses the space around it; blank text is missing."""
    text = _text(value)
    return (text.strip() or None) if isinstance(text, str) else text


def _band(value: Any) -> Any:
    text = _text_or_none(value)
    return text.lower() if isinstance(text, str) else text


def _number(value: Any) -> Any:
    """Numbers written as text are read; what is no number is missing rather than an error."""
    if isinstance(value, str):
        value = number_in(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return None if isinstance(value, int) and abs(value) >= BEYOND else value


def _whole(value: Any) -> Any:
    """``#1,234`` and ``1.2M`` are whole numbers too."""
    if isinstance(value, str):
        digits = _RANK.sub("", value.strip())
        times = _MULTIPLES.get(digits[-1:].lower(), 1)
        number = number_in(digits[:-1] if times > 1 else digits)
        value = None if number is None else round(number * times, 6)
    number = _number(value)
    if isinstance(number, float):
        return int(number) if number.is_integer() and abs(number) < BEYOND else None
    return number


def _year(value: Any) -> Any:
    """Return the year of a date, or the only one in a text."""
    if isinstance(value, str):
        found = set(_YEAR.findall(value))
        return int(found.pop()) if len(found) == 1 else None
    number = _whole(value)
    return None if isinstance(number, int) and number not in _YEARS else number


def _many(value: Any) -> Any:
    if value is None or value in ("", {}):
        return []
    if _is_sparse(value):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else [value]


def _is_sparse(value: Any) -> bool:
    """Tell whether an object is a list with gaps, as PHP writes one: ``{"0": …, "2": …}``."""
    return isinstance(value, dict) and bool(value) and all(key.isdecimal() for key in value if isinstance(key, str))


def parts_at(signs: str) -> BeforeValidator:
    """Return what reads a text as a list: as JSON if it is that, else as the parts between any of some signs."""
    between = re.compile(f"[{signs}]")

    def parts(value: Any) -> Any:
        value = _from_text(value)
        return [part.strip() for part in between.split(value) if part.strip()] if isinstance(value, str) else value

    return BeforeValidator(parts)


def _from_text(value: Any) -> Any:
    """Return what a text says that is JSON; another one as it is."""
    if isinstance(value, str) and value.strip()[:1] in {"{", "["}:
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError(f"{reprlib.repr(value)} looks like JSON and is none") from None
    return value


def _omit_missing(value: Any) -> Any:
    # Left out here and not before, so that an error names the place in the answer as it came.
    if value is None:
        raise PydanticOmit
    return value


def _omit_blank(value: Any) -> Any:
    return _omit_missing(_text_or_none(value))


def _block(value: Any) -> Any:
    return {} if value == [] else value  # PHP writes an empty object as an empty array


def _labels(value: Any) -> Any:
    """Pairs, objects with a code and a label, and objects by block are read as texts by code; others label nothing."""
    try:
        value = _from_text(value)
    except ValueError:
        return {}
    return {_text(code): _text(label) for code, label in _labelled(value, _DEEPEST)}


def _labelled(value: Any, levels: int) -> Iterator[tuple[str, str | int | float]]:
    """Yield codes with their labels, down to so many levels."""
    if _is_pair(value):
        yield value[0], value[1]
    elif isinstance(value, list):
        for part in value if levels else ():
            yield from _labelled(part, levels - 1)
    elif isinstance(value, dict):
        code, label = _first(value, _CODE_KEYS), _first(value, _LABEL_KEYS)
        if isinstance(code, str) and isinstance(label, str):
            yield code, label
        else:
            yield from _labelled_by_name(value, levels)


def _labelled_by_name(value: dict[str, Any], levels: int) -> Iterator[tuple[str, str | int | float]]:
    for name, part in value.items():
        label = _first(part, _LABEL_KEYS) if isinstance(part, dict) else part
        if isinstance(label, str | int | float) and not (isinstance(part, dict) and _first(part, _CODE_KEYS)):
            yield name, label
        elif levels:
            yield from _labelled(part, levels - 1)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value)  # noqa: PLR2004


def _scores(value: Any) -> Any:
    """Pairs, objects, names alone and JSON text are read as scores by name."""
    value = _from_text(value)
    if not value:
        return {}
    if isinstance(value, dict) and not _is_sparse(value):
        if not isinstance(_first(value, _PERSONA_KEYS), str):
            return {_text(name): score for name, score in value.items() if score is not None}
        value = [value]
    if not isinstance(value, list | dict):
        raise ValueError(f"{reprlib.repr(value)} is no list of personas with scores")  # noqa: TRY004 - pydantic reports a ValueError
    return dict(map(_scored, _many(value)))


def _scored(entry: Any) -> tuple[Any, Any]:
    if isinstance(entry, dict):
        named = _first(entry, _PERSONA_KEYS)
        pair = [named, _first(entry, _CONFIDENCE_KEYS)] if isinstance(named, str) else [*next(iter(entry.items()), ())]
    else:
        pair = [*told_together(entry)] if isinstance(entry, str) else entry if isinstance(entry, list) else []
    name, score = pair if len(pair) == 2 else (None, None)  # noqa: PLR2004 - a pair
    if _is_confidence(name):
        name, score = score, name
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{reprlib.repr(entry)} is not a persona with a score")
    return _PERSONA_PREFIX.sub("", _text(name)), score


def _personas(value: Any) -> Any:
    """Pairs, names alone, an object of names and JSON text are read as personas."""
    value = _from_text(value)
    if isinstance(value, dict) and value and not _is_sparse(value) and _first(value, _PERSONA_KEYS) is None:
        value = [list(pair) for pair in value.items()]
    return [_persona(entry) for entry in _many(value)]


def _persona(entry: Any) -> Any:
    if isinstance(entry, str):
        return {"persona": _PERSONA_PREFIX.sub("", told_together(entry)[0])}
    if isinstance(entry, list):
        told = [part for part in entry if isinstance(part, str) and not _is_confidence(part)]
        if told and len(entry) <= 3:  # noqa: PLR2004 - name, path and score
            return {"persona": _PERSONA_PREFIX.sub("", told[0]), "mapped_from": next(iter(told[1:]), None)}
    if isinstance(entry, dict) and entry.get("persona") is None and isinstance(_first(entry, _PERSONA_KEYS), str):
        return {**entry, "persona": _first(entry, _PERSONA_KEYS)}
    return entry


def _fractions_of(scores: dict[str, float | None]) -> dict[str, float | None]:
    return dict(zip(scores, fractions(scores.values()), strict=True))


#: A text that may be missing; blank is missing.
Text = Annotated[str | None, BeforeValidator(_text_or_none)]
#: A text that must be there, as it came; it may be blank.
Name = Annotated[str, BeforeValidator(_text)]
#: A text that must be there and not be blank.
Identifier = Annotated[str, BeforeValidator(_text_or_none)]
#: A confidence band, in lower case.
Band = Annotated[str | None, BeforeValidator(_band)]
#: A number; what is none is missing.
Number = Annotated[float | None, BeforeValidator(_number)]
#: A whole number; what is none is missing.
Whole = Annotated[int | None, BeforeValidator(_whole)]
#: A year; what is none is missing.
Year = Annotated[int | None, BeforeValidator(_year)]
#: Texts; blank ones are left out, and one text is a list of one.
Texts = Annotated[list[Annotated[str, BeforeValidator(_omit_blank)]], BeforeValidator(_many)]
#: Codes of the vocabulary; a text of several is a list of them.
Codes = Annotated[Texts, parts_at(r"\s,;|")]
#: Values of the vocabulary, which have no commas in them, and names, which may; a text of several is a list of them.
Values = Annotated[Texts, parts_at(r",;|\n")]
Names = Annotated[Texts, parts_at(r";|\n")]
#: Objects; nulls are left out, and one object is a list of one.
Many = Annotated[list[Annotated[_T, BeforeValidator(_omit_missing)]], BeforeValidator(_many)]
#: An object that may be empty.
Block = Annotated[_T, BeforeValidator(_block)]
#: Texts by code; those that are null are left out.
Labels = Annotated[dict[str, str], BeforeValidator(_labels)]
#: Confidences by name, None where none is stated; nulls are left out.
Scores = Annotated[
    dict[str, Annotated[float | None, BeforeValidator(stated_confidence)]],
    BeforeValidator(_scores),
    AfterValidator(_fractions_of),
]


class Model(BaseModel):
    """The base of everything that comes over the wire: tolerant, and it keeps what it does not know.

    A field that is null is like one that is missing.
    """

    model_config = ConfigDict(extra="allow", populate_by_name=True, str_strip_whitespace=False, defer_build=True)
    #: Field that a text in place of the object gives, if there is one.
    named_by: ClassVar[str] = ""

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, value: Any) -> Any:
        if isinstance(value, str) and cls.named_by:
            return {cls.named_by: value}
        if isinstance(value, dict):
            return {name: part for name, part in value.items() if part is not None or name not in cls.model_fields}
        return value


class RankedCategory(Model):
    """One decoded ``Category name`` / ``Confidence`` pair.

    Attributes
    ----------
    path : str
        Levels joined with ``" > "``.
    confidence : float or None
        0 to 1.
    """

    path: Name
    confidence: float | None = None

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of the path, from the top."""
        return tuple(level.strip() for level in self.path.split(">"))

    @property
    def tier(self) -> int:
        """Number of levels."""
        return len(self.levels)


def decode_ranked(value: Any) -> list[RankedCategory]:
    """Decode a ranked category list, in the order given; an entry that cannot be read is a `ValueError`.

    Its entries are arrays of two strings as the interface shows them. Pairs in the other order, pairs without the
    prefixes, one text of both, objects with a name and a confidence, a mapping of names to confidences, a pair
    or object alone, and null are read too.

    >>> decode_ranked([["Category name: Pets > Dogs", "Confidence: 0.91"]])
    [RankedCategory(path='Pets > Dogs', confidence=0.91)]
    """
    return _in_one_scale([_ranked_category(entry) for entry in _ranked_entries(value) if not _is_empty(entry)])


def _ranked_entries(value: Any) -> list[Any]:
    if value is None:
        return []
    value = _from_text(value)
    if _is_sparse(value):
        return list(value.values())
    if isinstance(value, dict):
        return [value] if isinstance(_first(value, _NAME_KEYS), str) else [list(pair) for pair in value.items()]
    if isinstance(value, list):
        alone = len(value) == 2 and all(isinstance(part, str | int | float) for part in value)  # noqa: PLR2004 - a pair
        return [value] if alone and any(map(_is_confidence, value)) else value
    raise ValueError(f"a ranked category list must be an array, not {type(value).__name__}")


def _ranked_category(entry: Any) -> RankedCategory:
    if isinstance(entry, RankedCategory):
        return entry
    if isinstance(entry, list) and len(entry) == 1:
        entry = entry[0]
    if isinstance(entry, str):
        return _ranked(*told_together(entry))
    if isinstance(entry, dict):
        return _ranked(_first(entry, _NAME_KEYS), _first(entry, _CONFIDENCE_KEYS))
    if isinstance(entry, list) and entry:
        name, confidence = entry[0], entry[1] if len(entry) > 1 else None
        return _ranked(confidence, name) if _is_confidence(name) else _ranked(name, confidence)
    raise ValueError(f"{reprlib.repr(entry)} is not a category with a confidence")


def _ranked(name: Any, confidence: Any) -> RankedCategory:
    levels = [level.strip() for level in CATEGORY_PREFIX.sub("", name).split(">")] if isinstance(name, str) else []
    if not any(levels):
        raise ValueError(f"{reprlib.repr(name)} is not a category name")
    path = PATH_SEPARATOR.join(level for level in levels if level)
    return RankedCategory(path=path, confidence=stated_confidence(confidence))


def _is_confidence(value: Any) -> bool:
    if isinstance(value, str):
        return bool(PREFIX.match(value))
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_empty(entry: Any) -> bool:
    return entry is None or entry in ([], {})


def _ranked_item(entry: Any) -> RankedCategory:
    if _is_empty(entry):
        raise PydanticOmit
    return _ranked_category(entry)


def _first(entry: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((entry[key] for key in keys if entry.get(key) not in (None, "")), None)


class Category(Model):
    """A category with its confidence.

    Attributes
    ----------
    id, name : str
        As the taxonomy has them.
    tier : int or None
        Level, 1 at the top; None in an enrichment record, which does not state it.
    confidence : float or None
        0 to 1.
    confidence_band : str or None
        The word that stood in the place of the number, such as ``high``.
    """

    id: Identifier
    name: Name
    tier: Whole = None
    confidence: Number = None
    confidence_band: Band = None

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        """Read other names of the fields, and a word in the place of the confidence."""
        if not isinstance(value, dict):
            return value
        found = dict(value)
        for name, others in (("id", _ID_KEYS), ("name", _NAME_KEYS), ("confidence", _CONFIDENCE_KEYS)):
            if name not in found and (other := _first(found, others)) is not None:
                found[name] = other
        stated = found.get("confidence")
        if isinstance(stated, str):
            stated = PREFIX.sub("", stated).strip()
            found["confidence"] = number = number_in(stated)
            if number is None and stated and stated.lower() not in _NO_WORDS:
                found["confidence_band"] = stated
        elif isinstance(stated, bool):
            found["confidence"] = None
        return found


_Stated = TypeVar("_Stated", RankedCategory, Category)


def _in_one_scale(categories: list[_Stated]) -> list[_Stated]:
    found = fractions(category.confidence for category in categories)
    return [
        category if category.confidence == number else category.model_copy(update={"confidence": number})
        for category, number in zip(categories, found, strict=True)
    ]


#: A ranked category list, as `decode_ranked` reads it.
Ranked = Annotated[
    list[Annotated[RankedCategory, BeforeValidator(_ranked_item)]],
    BeforeValidator(_ranked_entries),
    AfterValidator(_in_one_scale),
]
#: Categories of family A; nulls are left out, and one is a list of one.
Categories = Annotated[Many[Category], AfterValidator(_in_one_scale)]


class Meta(Model):
    """The `meta` object of family A."""

    request_id: Text = None
    processing_time_ms: Number = None
    credits_used: Whole = None


class Demographics(Model):
    """The demographics block."""

    age_bracket: Values = Field(default_factory=list)
    gender_skew: Text = None
    income_level: Text = None
    education_level: Text = None
    life_stage: Values = Field(default_factory=list)
    household_composition: Text = None
    employment_status: Text = None
    home_ownership: Text = None
    urbanicity: Text = None
    confidence: Band = None


class Firmographics(Model):
    """The B2B block."""

    company_size_employees: Text = None
    seniority: Values = Field(default_factory=list)
    job_function: Values = Field(default_factory=list)
    industry: Names = Field(default_factory=list)
    confidence: Band = None


class Interests(Model):
    """The interests block: group codes and sub-interest codes."""

    tier1: Codes = Field(default_factory=list)
    tier2: Codes = Field(default_factory=list)
    confidence: Band = None


class PurchaseIntent(Model):
    """The purchase-intent block."""

    codes: Codes = Field(default_factory=list)
    confidence: Band = None


class Persona(Model):
    """A persona and the category path it is mapped from."""

    named_by: ClassVar[str] = "persona"
    persona: Name
    mapped_from: Text = None
    source: Text = None


#: Personas, in any form.
Personas = Annotated[Many[Persona], BeforeValidator(_personas)]


class ContentContext(Model):
    """The content context block."""

    content_type: Text = None
    reading_level: Text = None
    price_signals: Text = None
