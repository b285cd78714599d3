"""The fields of what comes over the wire: tolerant types, ranked categories, and the blocks that are built of them.

Numbers and texts are read either way, one value may stand in place of a list, and what says nothing is missing. The
``Category name: …`` / ``Confidence: …`` pairs are decoded here and nowhere else.
"""

from __future__ import annotations

import math
import re
import reprlib
from typing import Annotated, Any, ClassVar, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticOmit

from toolkit.interface.taxonomy import PATH_SEPARATOR

__all__ = [
    "Band",
    "Block",
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
    "Number",
    "Persona",
    "PurchaseIntent",
    "Ranked",
    "RankedCategory",
    "Scores",
    "Text",
    "Texts",
    "Whole",
    "decode_ranked",
]

_T = TypeVar("_T")

_GROUPED: Final = re.compile(r"^[+-]?[1-9]\d{0,2}(?:[,_]\d{3})+(?:\.\d+)?$")
_HALF_CHARACTERS: Final = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
_NAME_PREFIX: Final = re.compile(r"^\s*category(?:\s+name)?\s*:\s*", re.IGNORECASE)
_CONFIDENCE_PREFIX: Final = re.compile(r"^\s*(?:confidence|score)\s*:\s*", re.IGNORECASE)
_NAME_KEYS: Final = ("path", "category", "name", "Category name")
_CONFIDENCE_KEYS: Final = ("confidence", "Confidence", "score")


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
        value = _number_in(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _whole(value: Any) -> Any:
    number = _number(value)
    if isinstance(number, float):
        return int(number) if number.is_integer() else None
    return number


def _number_in(text: str) -> float | None:
    digits = text.strip()
    if _GROUPED.match(digits):
        digits = digits.replace(",", "").replace("_", "")
    try:
        return float(digits.removesuffix("%")) / (100 if digits.endswith("%") else 1)
    except ValueError:
        return None


def _many(value: Any) -> Any:
    if value is None or value == "":
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


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
    if not isinstance(value, dict):
        return {}
    return {_text(code): _text(label) for code, label in value.items() if isinstance(label, str | int | float)}


def _scores(value: Any) -> Any:
    if not isinstance(value, dict):
        return {}
    return {_text(name): score for name, score in value.items() if score is not None}


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
#: Texts; blank ones are left out, and one text is a list of one.
Texts = Annotated[list[Annotated[str, BeforeValidator(_omit_blank)]], BeforeValidator(_many)]
#: Objects; nulls are left out, and one object is a list of one.
Many = Annotated[list[Annotated[_T, BeforeValidator(_omit_missing)]], BeforeValidator(_many)]
#: An object that may be empty.
Block = Annotated[_T, BeforeValidator(_block)]
#: Texts by code; those that are null are left out.
Labels = Annotated[dict[str, str], BeforeValidator(_labels)]
#: Numbers by name; those that are null are left out.
Scores = Annotated[dict[str, float], BeforeValidator(_scores)]


class Model(BaseModel):
    """The base of everything that comes over the wire: tolerant, and it keeps what it does not know.

    A field that is null is like one that is missing.
    """

    model_config = ConfigDict(extra="allow", populate_by_name=True, str_strip_whitespace=False)
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
    prefixes, objects with a name and a confidence, a mapping of names to confidences, a pair or object alone, and null
    are read too.

    >>> decode_ranked([["Category name: Pets > Dogs", "Confidence: 0.91"]])
    [RankedCategory(path='Pets > Dogs', confidence=0.91)]
    """
    return [_ranked_category(entry) for entry in _ranked_entries(value) if not _is_empty(entry)]


def _ranked_entries(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, dict):
        return [value] if isinstance(_first(value, _NAME_KEYS), str) else [list(pair) for pair in value.items()]
    if isinstance(value, list):
        alone = len(value) == 2 and all(isinstance(part, str | int | float) for part in value)  # noqa: PLR2004 - a pair
        return [value] if alone and any(map(_is_confidence, value)) else value
    raise ValueError(f"a ranked category list must be an array, not {type(value).__name__}")


def _ranked_category(entry: Any) -> RankedCategory:
    if isinstance(entry, RankedCategory):
        return entry
    if isinstance(entry, str):
        return _ranked(entry, None)
    if isinstance(entry, dict):
        return _ranked(_first(entry, _NAME_KEYS), _first(entry, _CONFIDENCE_KEYS))
    if isinstance(entry, list) and entry:
        name, confidence = entry[0], entry[1] if len(entry) > 1 else None
        return _ranked(confidence, name) if _is_confidence(name) else _ranked(name, confidence)
    raise ValueError(f"{reprlib.repr(entry)} is not a category with a confidence")


def _ranked(name: Any, confidence: Any) -> RankedCategory:
    levels = [level.strip() for level in _NAME_PREFIX.sub("", name).split(">")] if isinstance(name, str) else []
    if not any(levels):
        raise ValueError(f"{reprlib.repr(name)} is not a category name")
    path = PATH_SEPARATOR.join(level for level in levels if level)
    return RankedCategory(path=path, confidence=_confidence(confidence))


def _confidence(value: Any) -> float | None:
    stated = _CONFIDENCE_PREFIX.sub("", value).strip() if isinstance(value, str) else value
    if stated is None or stated == "":
        return None
    number = _number_in(stated) if isinstance(stated, str) else stated
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ValueError(f"{reprlib.repr(value)} is not a confidence")  # noqa: TRY004 - pydantic reports a ValueError
    return float(number) if math.isfinite(number) else None


def _is_confidence(value: Any) -> bool:
    if isinstance(value, str):
        return bool(_CONFIDENCE_PREFIX.match(value))
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_empty(entry: Any) -> bool:
    return entry is None or entry in ([], {})


def _ranked_item(entry: Any) -> RankedCategory:
    if _is_empty(entry):
        raise PydanticOmit
    return _ranked_category(entry)


def _first(entry: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((entry[key] for key in keys if entry.get(key) not in (None, "")), None)


#: A ranked category list, as `decode_ranked` reads it.
Ranked = Annotated[
    list[Annotated[RankedCategory, BeforeValidator(_ranked_item)]],
    BeforeValidator(_ranked_entries),
]


class Meta(Model):
    """The `meta` object of family A."""

    request_id: Text = None
    processing_time_ms: Number = None
    credits_used: Whole = None


class Demographics(Model):
    """The demographics block."""

    age_bracket: Texts = Field(default_factory=list)
    gender_skew: Text = None
    income_level: Text = None
    education_level: Text = None
    life_stage: Texts = Field(default_factory=list)
    household_composition: Text = None
    employment_status: Text = None
    home_ownership: Text = None
    urbanicity: Text = None
    confidence: Band = None


class Firmographics(Model):
    """The B2B block."""

    company_size_employees: Text = None
    seniority: Texts = Field(default_factory=list)
    job_function: Texts = Field(default_factory=list)
    industry: Texts = Field(default_factory=list)
    confidence: Band = None


class Interests(Model):
    """The interests block: group codes and sub-interest codes."""

    tier1: Texts = Field(default_factory=list)
    tier2: Texts = Field(default_factory=list)
    confidence: Band = None


class PurchaseIntent(Model):
    """The purchase-intent block."""

    codes: Texts = Field(default_factory=list)
    confidence: Band = None


class Persona(Model):
    """A persona and the category path it is mapped from."""

    named_by: ClassVar[str] = "persona"
    persona: Name
    mapped_from: Text = None
    source: Text = None


class ContentContext(Model):
    """The content context block."""

    content_type: Text = None
    reading_level: Text = None
    price_signals: Text = None
