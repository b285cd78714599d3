"""How INT.* and PI.* codes are written: in full, in lower case, without the prefix, with a label beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from toolkit.interface.filters.headings import Prefix

__all__ = ["CODE_PATTERN", "code_of", "codes_in", "full_code", "prefix_of", "words_of_code"]

CODE_PATTERN: Final = re.compile(r"^(INT|PI)(\.[A-Z0-9_]+)+\Z")
_CODE: Final = r"(?:INT|PI)(?:\.[A-Za-z0-9_]+)+"
_FULL: Final = re.compile(rf"{_CODE}\Z", re.IGNORECASE)
_DASHED: Final = re.compile(r"(?:INT|PI)(?:\.[A-Z0-9_]+(?:-[A-Z0-9_]+)*)+\Z", re.IGNORECASE)
#: A code at the beginning of a text, or after the end of another code's label.
_AT_START: Final = re.compile(rf"(?:^|[,;|\n\t])[ \r]*({_CODE})(?![\w.])", re.IGNORECASE)
_AT_END: Final = re.compile(rf"[-\u2013\u2014:=|(\[] ?({_CODE})[)\]]?\Z", re.IGNORECASE)
_DOTTED: Final = re.compile(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+\Z")
_TOKEN: Final = re.compile(r"(?:[A-Z][A-Z0-9_]*|[a-z][a-z0-9_]*)\Z")
_SIGNS: Final = " \t\r\n-\u2013\u2014:=|,;"


def words_of_code(value: str) -> str:
    """Return a label made from a code or a value; one that is words already has them as they are.

    >>> words_of_code("INT.PETS.LARGE_ANIMALS"), words_of_code("upper_middle"), words_of_code("Legal Services Industry")
    ('Large animals', 'Upper middle', 'Legal Services Industry')
    """
    name = value.rsplit(".", 1)[-1] if CODE_PATTERN.match(value) else value
    if " " in name and not name.isupper():
        return name[:1].upper() + name[1:]
    return name.replace("_", " ").capitalize()


def prefix_of(code: str) -> Prefix:
    """Return the prefix of a code."""
    return "INT" if code.startswith("INT") else "PI"


def full_code(text: object) -> str | None:
    """Return the code that a text is, in capitals; None if it is none, or lacks the prefix.

    >>> full_code("int.pets.dogs"), full_code("PETS.DOGS")
    ('INT.PETS.DOGS', None)
    """
    if not isinstance(text, str):
        return None
    # After a dash in the same case comes the rest of a word; in another case it is a label.
    is_code = _FULL.match(text) or (_DASHED.match(text) and (text.islower() or text.isupper()))
    return text.upper().replace("-", "_") if is_code else None


def code_of(text: object, kind: Prefix | None, group: str = "", *, is_token: bool = False) -> str | None:
    """Return the code that a text is where the kind, or the group above it, is known; None if it is none.

    A single word is a code where it stands in a group, is in capitals, or where a code is expected (`is_token`).

    >>> code_of("PETS.DOGS", "INT"), code_of("dogs", "INT", "INT.PETS"), code_of("Dogs", "INT"), code_of("dogs", "INT")
    ('INT.PETS.DOGS', 'INT.PETS.DOGS', None, None)
    """
    if (found := full_code(text)) or kind is None or not isinstance(text, str):
        return found
    if _DOTTED.match(text):
        return f"{kind}.{text.upper()}"
    if _TOKEN.match(text) and (group or is_token or text.isupper()):
        return f"{group or kind}.{text.upper()}"
    return None


def codes_in(text: str) -> list[tuple[str, str]]:
    """Return the codes of a text with the labels beside them; empty if it has none where a code would stand.

    >>> codes_in("INT.PETS.DOGS - Dogs, puppies; INT.PETS.CATS: Cats")
    [('INT.PETS.DOGS', 'Dogs, puppies'), ('INT.PETS.CATS', 'Cats')]
    >>> codes_in("Dogs & puppies (INT.PETS.DOGS)")
    [('INT.PETS.DOGS', 'Dogs & puppies')]
    """
    if full := full_code(text):
        return [(full, "")]
    found = list(_AT_START.finditer(text))
    if not found and (last := _AT_END.search(text)):
        return [(last[1].upper(), text[: last.start()].strip(_SIGNS))]
    ends = [*(match.start() for match in found[1:]), *([len(text)] if found else [])]
    return [(match[1].upper(), _label(text[match.end() : end])) for match, end in zip(found, ends, strict=True)]


def _label(text: str) -> str:
    bare = text.strip(_SIGNS)
    return bare[1:-1].strip() if bare.startswith("(") and bare.endswith(")") else bare
