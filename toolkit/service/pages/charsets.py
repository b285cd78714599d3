"""From a page's bytes to its text: which character set it is in."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["decoded", "mended"]

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_MARKS: Final = tuple(mark for mark, _ in _BOMS)
_META: Final = re.compile(
    rb"<(?:meta[^>]{1,400}?charset|\?xml[^>]{1,100}?encoding)\s{0,9}=\s{0,9}[\"']?\s{0,9}([\w:.-]{1,40})", re.IGNORECASE
)
_LABEL: Final = re.compile(r"[\w:.-]{1,40}", re.ASCII)
_READ_FOR_META: Final = 4096
#: Bytes that are looked at together.
_STRETCH: Final = 1 << 16
#: The character sets of the web, by Python's names, and what browsers read each as.
_CODECS: Final[dict[str, str]] = {
    **{name: name for name in ("utf-8", "euc_jp", "iso2022_jp", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic")},
    **{f"iso8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{name: name for name in ("cp866", "cp874", "big5hkscs", "gb18030", *(f"cp125{part}" for part in range(9)))},
    "ascii": "cp1252",
    "big5": "big5hkscs",
    "cp932": "cp932",
    "cp949": "cp949",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "tis-620": "cp874",
    "utf-8-sig": "utf-8",
}
#: Labels of the web that Python does not know.
_LABELS: Final = {
    "dos-874": "cp874",
    "iso-8859-8-i": "iso8859-8",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "x-euc-jp": "euc_jp",
    "x-gbk": "gb18030",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-sjis": "cp932",
    "x-x-big5": "big5hkscs",
}
#: UTF-16 is believed of a header only: a page in it could not have been read up to its meta tag.
_UTF_16: Final = {"utf-16": "utf-16-le", "utf-16-le": "utf-16-le", "utf-16-be": "utf-16-be"}
_DAMAGED: Final = "\N{REPLACEMENT CHARACTER}"
#: Characters beyond ASCII that there are of UTF-8 for each that is damaged: in a text of another set most are.
_CHARACTERS_TO_ONE_DAMAGED: Final = 20
#: Damaged characters that a text may have, beside one at its end, before another character set is tried.
_DAMAGE_SHARE: Final = 0.001


def decoded(body: bytes, declared: str | None) -> bytes:
    r"""Return in UTF-8 the text of a page's bytes, which may be cut off in the middle of a character.

    It is read by its byte order mark; else as UTF-8 wherever it is that: what is declared is often wrong, and no other
    text looks like UTF-8; else by the header or its meta tag, the first that fits but for a bad byte here and there;
    else by Windows-1252.

    >>> decoded("温泉".encode("shift_jis"), "Shift_JIS").decode(), decoded(b"5 \x80", "iso-8859-1")
    ('温泉', b'5 \xe2\x82\xac')
    """
    if not body.startswith(_MARKS) and (found := _as_utf_8(body)) is not None:
        return found
    return _decoded(body, declared).encode(errors="ignore")


def _decoded(body: bytes, declared: str | None) -> str:
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, errors="replace")
    for codec in _candidates(body, declared):
        try:
            return body.decode(codec)
        except UnicodeDecodeError:
            text = body.decode(codec, errors="replace")
        if text.count(_DAMAGED) <= 1 + len(text) * _DAMAGE_SHARE:
            return text
    return body.decode("cp1252", errors="replace")


def mended(text: str) -> str:
    r"""Return a text in which halves of characters, which no encoding can carry, are replaced.

    >>> mended("kites \ud83e fly")
    'kites � fly'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")
    return text


def _as_utf_8(body: bytes) -> bytes | None:
    """Return bytes that are UTF-8 and nothing else, but for a bad byte among many characters, which is mended."""
    # UTF-16 has these between its letters, and ISO-2022 has escapes; both look like plain letters.
    if body.isascii() or b"\0" in body[:_READ_FOR_META]:
        return None
    own = body
    try:
        characters, damage = _counted(own)
    except UnicodeDecodeError:
        own = codecs.getincrementaldecoder("utf-8")(errors="replace").decode(body).encode()
        characters, damage = _counted(own)
    # A character beyond ASCII has one byte more, and up to three.
    beyond_ascii = (len(own) - characters) // 3
    if damage and damage * _CHARACTERS_TO_ONE_DAMAGED >= beyond_ascii:
        beyond_ascii = characters - len(own.decode("ascii", errors="ignore"))
    return own if not damage or damage * _CHARACTERS_TO_ONE_DAMAGED < beyond_ascii else None


def _counted(source: bytes) -> tuple[int, int]:
    """Return how many characters UTF-8 has, and how many signs of damage: a text of them all takes much memory."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    characters = damage = 0
    for begin in range(0, len(source), _STRETCH):
        stretch = decoder.decode(source[begin : begin + _STRETCH], begin + _STRETCH >= len(source))
        characters += len(stretch)
        damage += stretch.count(_DAMAGED)
    return characters, damage


def _candidates(body: bytes, declared: str | None) -> Iterator[str]:
    if codec := _codec(declared or "", _CODECS | _UTF_16):
        yield codec
    found = _META.search(body[:_READ_FOR_META])
    if found and (codec := _codec(found[1].decode("ascii", errors="replace"), _CODECS)):
        yield codec
    yield "utf-8"


def _codec(label: str, known: dict[str, str]) -> str | None:
    label = label.strip().lower()
    if not _LABEL.fullmatch(label):
        return None
    try:
        return _LABELS.get(label) or known.get(codecs.lookup(label).name)
    except LookupError:
        return None
