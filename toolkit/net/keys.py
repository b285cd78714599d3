r"""Taking keys and secrets out of what a service sends back, before anything reads, keeps or shows it.

A key that no honest text holds by chance goes wherever it stands, and with it what is told of it: its first or last
letters, its base64 and its hexadecimal digits. A key that is a word, a number or short goes where a service speaks of
keys: from an error's words, from fields such as ``api_key``, and after ``api_key=`` or ``Bearer``. The value
``finance`` stays.

Services spell what they send back: ``\/`` and ``\u002B`` in JSON, ``%2F`` and ``%252F`` in addresses, ``&amp;`` in
pages, in capitals or not, in UTF-16, also within a text of JSON. Each letter of a key is looked for in all these forms.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from html.entities import html5
from typing import Any, Final

__all__ = ["Keys"]

_Way = Callable[[str], str]

_TAKEN: Final = "[key]"
_OK: Final = 200
#: Letters of a key by which it is known.
_TELLING: Final = 8
_LONG: Final = 16
_LONGER: Final = 24
#: Errors about a page, which speak of its words and not of keys.
_OF_PAGES: Final = (410, 411)
#: How often escapes are undone: a page in an address in JSON.
_ROUNDS: Final = 3

# How escapes begin, and the ASCII letters and digits by their code.
_AND: Final = r"(?:&|\\u0026)(?:amp;)*"
_PERCENT: Final = r"(?:%|\\u0025)(?:25)*"
_ALNUM: Final = r"(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])"
_DECIMAL: Final = r"(?:4[89]|5[0-7]|6[5-9]|[78][0-9]|90|9[7-9]|1[01][0-9]|12[0-2])"
#: Letters and digits in escapes, which no honest service needs, though it may.
_SPELLED: Final = re.compile(
    rf"(?<!\\)(?P<slashes>\\++)u00(?P<json>{_ALNUM})|{_PERCENT}(?P<percent>{_ALNUM})"
    rf"|{_AND}#(?:0*(?P<decimal>{_DECIMAL})(?![0-9])|[xX]0*(?P<hex>{_ALNUM})(?![0-9A-Fa-f]));?"
)
#: The same in short, after a mark without which there is none: to be asked of every answer.
_SIGNS: Final = (
    (b"\\", re.compile(rf"\\u(?:00(?:{_ALNUM}|2[56]|00)|2022)".encode())),
    (b"%", re.compile(rf"%(?:25)*{_ALNUM}".encode())),
    (b"&", re.compile(rf"&(?:amp;)*#(?:0*{_DECIMAL}|[xX]0*{_ALNUM})".encode())),
    (b"*", re.compile(rb"\*\*")),
    (b"\xe2", re.compile(rb"\xe2\x80\xa2")),
    (b"\0", re.compile(rb"\0")),
)
_ZEROS: Final = re.compile(r"(?<!\\)\\u0000|\0")
#: What people write: words, and a year or a number after them.
_WORDS: Final = re.compile(r"[A-Za-z]{1,15}(?:[-_. /][A-Za-z]{1,15})*[-_.]?[0-9]{0,4}")
_MIXED: Final = re.compile(r"[a-z][A-Z].*[a-z][A-Z]")
#: Asterisks or bullets; these also in escapes, and where a body's bytes are read a letter each.
_MASK: Final = r"\*\*|\u2022|\\u2022|\xe2\x80\xa2"

_OF_KEYS: Final = re.compile(r"key|token|secret|auth|credential|password|bearer|signature", re.IGNORECASE)
_OF_ERRORS: Final = re.compile(
    r"(?:error|warning|fault|exception|problem|reason|detail|message|msg|hint)(?:s|_\w+)?|\w+_(?:error|message|msg)s?",
    re.IGNORECASE,
)
#: Words after which a key stands, whatever the text is about.
_ECHO: Final = r"(?:api[ _-]?(?:key|token)s?|access[ _-]?token|webhook[ _-]?secret|bearer|authorization)[\s\"'`:=]{1,8}"
_CODE: Final = re.compile(r"[45][0-9]{2}(?![0-9])")
_ELEMENT: Final = re.compile(r"<([\w:.-]+)([^<>]*)>([^<]*)")
#: Headers that are of the protocol, and speak of no key.
_OWN_HEADERS: Final = re.compile(r"(?!x-)|x-ratelimit|x-request-id")


class Keys:
    """The keys and secrets in use, and what takes them out of an answer."""

    __slots__ = ("_known", "_needles", "_pieces", "_weak")

    def __init__(self) -> None:
        self._known: set[str] = set()
        #: In small letters: where none of these stands, nothing of a key does that is not in escapes.
        self._needles: tuple[bytes, ...] = ()
        self._pieces: tuple[_Piece, ...] = ()
        self._weak: tuple[_Weak, ...] = ()

    def add(self, key: str) -> None:
        """Take this one out from now on."""
        if not key or key in self._known:
            return
        self._known.add(key)
        # The longest first: one may be the beginning of another.
        keys = sorted(self._known, key=len, reverse=True)
        self._pieces = tuple(piece for key in keys for piece in _pieces(key))
        self._weak = tuple(_Weak(key) for key in keys if not _is_strong(key))
        needles = [*(piece.needle for piece in self._pieces), *(weak.needle for weak in self._weak)]
        self._needles = tuple({needle for needle in needles if needle is not None})

    def taken_out(self, status: int, headers: dict[str, str], body: bytes) -> tuple[dict[str, str], bytes]:
        r"""Return headers and body without them.

        >>> keys = Keys()
        >>> keys.add("Zx81/q9w2e7r5")
        >>> keys.taken_out(401, {}, rb'{"error": "who is Zx81\/q9w2e7r5? Zx81/q9w****?"}')[1]
        b'{"error": "who is [key]? [key]****?"}'
        """
        if self._may_be_in("\n".join((*headers, *headers.values())).encode("latin-1", "replace") + body):
            headers = {self._without(name): self._header(name, value) for name, value in headers.items()}
            body = self._body(status, body)
        return headers, body

    def _may_be_in(self, content: bytes) -> bool:
        """Tell whether it is worth to look: every answer is asked this, so it takes a few microseconds."""
        small = content.lower()
        for needle in self._needles:  # in loops, as any() takes twice as long
            if needle in small:
                return True
        for mark, sign in _SIGNS:  # noqa: SIM110 - as above
            if mark in content and sign.search(content) is not None:
                return True
        return False

    def _body(self, status: int, body: bytes) -> bytes:
        # Byte for byte, where it is no text of two or four bytes a letter.
        encoding = json.detect_encoding(body) if b"\0" in body else "latin-1"
        text = body.decode(encoding, "replace")
        cleaned = self._without(text)
        if cleaned != text:
            body = cleaned.encode(encoding, "replace")
        for weak in self._weak:
            body = weak.without(body, encoding, status)
        return body

    def _header(self, name: str, value: str) -> str:
        value = self._without(value)
        for weak in self._weak:
            if _OF_KEYS.search(name):
                value = weak.anywhere.sub(_TAKEN, value)
            else:
                value = weak.in_data(value) if _OWN_HEADERS.match(name) else weak.in_error(value)
        return value

    def _without(self, text: str) -> str:
        """Take out what no honest text holds by chance."""
        for _ in range(_ROUNDS):
            plain = _SPELLED.sub(_letter, text)
            if plain == text:
                break
            text = plain
        text = self._without_pieces(text)
        # UTF-16 that was read a byte a letter: a text goes without its zeros only where a key stands in it.
        narrow = _ZEROS.sub("", text)
        return text if narrow == text or (found := self._without_pieces(narrow)) == narrow else found

    def _without_pieces(self, text: str) -> str:
        for piece in self._pieces:
            text = piece.without(text)
        return text


class _Piece:
    """Letters of a key that tell it; those that follow go with them, and those before, if it is an end of the key."""

    def __init__(self, head: str, *, rest: str = "", before: str = "", then: str = "") -> None:
        self._head = re.compile("".join(map(_spelt, head)))
        self._rest = [re.compile(_spelt(letter)) for letter in rest]
        self._before = before.lower()
        self._then = re.compile(then)
        #: Longest part without marks, which may be spelt in other ways; None where a mask gives it away.
        self.needle = None if then else _longest_run(head)

    def without(self, text: str) -> str:
        parts, place = [], 0
        while (found := self._head.search(text, place)) is not None:
            start, end = found.span()
            for spelt in self._rest:
                if (more := spelt.match(text, end)) is None:
                    break
                end = more.end()
            if self._then.match(text, end):
                for letter in reversed(self._before):
                    if start == place or text[start - 1].lower() != letter:
                        break
                    start -= 1
                parts += [text[place:start], _TAKEN]
            else:
                parts.append(text[place:end])
            place = end
        return "".join((*parts, text[place:])) if parts else text


class _Weak:
    """A key that honest text may hold: it goes only where a service speaks of keys."""

    def __init__(self, key: str) -> None:
        letters = "".join(map(_spelt, key))
        self.needle = _longest_run(key)
        self.anywhere = re.compile(letters)
        self._word = re.compile(rf"(?<![A-Za-z0-9]){letters}(?![A-Za-z0-9])")
        self._echo = re.compile(rf"(?P<before>(?i:{_ECHO})){letters}(?![A-Za-z0-9])")
        self._number = int(key) if key.isdecimal() and len(key) < _LONG else None

    def in_error(self, text: str) -> str:
        return self._word.sub(_TAKEN, text)

    def in_data(self, text: str) -> str:
        return self._echo.sub(rf"\g<before>{_TAKEN}", text)

    def without(self, body: bytes, encoding: str, status: int) -> bytes:
        text = body.decode(encoding, "replace")
        if self.anywhere.search(text) is None:
            return body
        of_page = status in _OF_PAGES
        is_error = not _OK <= status < 300 and not of_page  # noqa: PLR2004 - the HTTP class of successes
        try:
            raw = json.loads(body)
            stated = _stated(raw)
            of_page = of_page or stated in _OF_PAGES
            clean = self.in_data if of_page or not (is_error or stated) else self.in_error
            cleaned = self._cleaned(raw, clean, self.in_data if of_page else self.in_error)
            return body if cleaned == raw else json.dumps(cleaned).encode()
        except (ValueError, RecursionError):
            return self._without_markup(text, is_error=is_error).encode(encoding, "replace")

    def _cleaned(self, raw: Any, clean: _Way, words: _Way) -> Any:
        """Clean a value; `words` is how the words of an error within are cleaned."""
        if isinstance(raw, str):
            return clean(raw)
        if isinstance(raw, list):
            return [self._cleaned(part, clean, words) for part in raw]
        if isinstance(raw, dict):
            return {
                clean(name): self._cleaned(part, self._way(name, clean, words), words) for name, part in raw.items()
            }
        is_number = isinstance(raw, int) and not isinstance(raw, bool) and raw == self._number
        return _TAKEN if is_number and clean == self._in_key else raw

    def _without_markup(self, text: str, *, is_error: bool) -> str:
        if is_error or not text.lstrip("\ufeff\xef\xbb\xbf \r\n\t").startswith("<?xml"):
            return self.in_error(text)  # what is neither JSON nor XML is no answer

        def element(found: re.Match[str]) -> str:
            name, attributes, content = found.groups()
            return f"<{name}{attributes}>{self._way(name, self.in_data, self.in_error)(content)}"

        return _ELEMENT.sub(element, text)

    def _way(self, name: str, clean: _Way, words: _Way) -> _Way:
        """Return how the value of a field is cleaned."""
        if _OF_KEYS.search(name):
            return self._in_key
        return words if _OF_ERRORS.fullmatch(name) else clean

    def _in_key(self, text: str) -> str:
        return self.anywhere.sub(_TAKEN, text)


def _stated(raw: Any) -> int:
    """Return the code of the error that a body states in one of the usual ways, 500 if it states none; 0 of data."""
    if not isinstance(raw, dict):
        return 500
    for name in ("status", "code", "status_code", "statusCode", "error_code"):
        stated = raw.get(name)
        code = _CODE.match(str(stated.get("code") if isinstance(stated, dict) else stated))
        if code is not None:
            return int(code[0])
    is_error = False in (raw.get("success"), raw.get("ok")) or any(raw.get(name) for name in ("error", "errors"))
    return 500 if is_error else 0


def _is_strong(key: str) -> bool:
    """Tell whether no honest text holds a key by chance."""
    if len(key) >= _LONGER:
        return True
    if _WORDS.fullmatch(key) and not _MIXED.search(key):
        return False
    return len(key) >= _LONG or (len(key) >= _TELLING and _is_mixed(key))


def _is_mixed(text: str) -> bool:
    has_both = re.search("[0-9]", text) and re.search("[A-Za-z]", text)
    return bool(has_both or _MIXED.search(text))


def _pieces(key: str) -> list[_Piece]:
    """Return what tells a key: its first four letters before a mask, else more of them, its base64 and its bytes."""
    pieces = [] if len(key) < _TELLING else [_Piece(key[:4], rest=key[4:], then=_MASK)]
    if not _is_strong(key):
        return pieces
    ends = range(_TELLING, len(key) + 1)
    first = next((end for end in ends if _is_mixed(key[:end])), _LONG)
    last = next((end for end in ends if _is_mixed(key[-end:])), _LONG)
    pieces.insert(0, _Piece(key[:first], rest=key[first:]))
    pieces.append(_Piece(key[-last:], before=key[:-last]))
    return pieces + [_Piece(text) for text in (*_in_base64(key), key.encode().hex())]


def _in_base64(key: str) -> list[str]:
    """Return what is the same in base64 whatever stands before and after a key."""
    found = []
    for skipped in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            text = encode(b"\0" * skipped + key.encode()).decode().rstrip("=")
            # The first letters hold what stands before, the last one what stands behind.
            found.append(text[(0, 2, 3)[skipped] : -1])
    return [text for text in dict.fromkeys(found) if len(text) >= _TELLING]


def _spelt(letter: str) -> str:
    """Return a pattern of all ways to write a letter. ASCII letters and digits have lost their escapes before."""
    if letter.isascii() and letter.isalnum():
        return f"[{letter.lower()}{letter.upper()}]" if letter.isalpha() else letter
    code, octets = ord(letter), letter.encode()
    names = "|".join(re.escape(name) for name, text in html5.items() if text == letter and name.endswith(";"))
    units = letter.encode("utf-16-be").hex()
    ways = [
        rf"\\{{1,8}}{re.escape(letter)}",
        "".join(rf"\\{{1,8}}u(?i:{units[place : place + 4]})" for place in range(0, len(units), 4)),
        "".join(rf"{_PERCENT}(?i:{octet:02x})" for octet in octets),
        rf"{_AND}#(?:0{{0,8}}{code}|[xX]0{{0,8}}(?i:{code:x}));?",
        *([rf"{_AND}(?:{names})"] if names else []),
        *([r"\+"] if letter == " " else []),
        # Last, as an escape may begin with the letter itself; in bytes that are read a letter each, it is several.
        re.escape(letter),
        re.escape(octets.decode("latin-1")),
    ]
    return f"(?:{'|'.join(ways)})"


def _longest_run(text: str) -> bytes:
    return max(re.findall("[a-z0-9]+", text.lower()), key=len, default="").encode()


def _letter(found: re.Match[str]) -> str:
    """Return the letter of an escape; a backslash before it that is itself escaped stays."""
    spelt = found["json"] or found["percent"] or found["hex"]
    letter = chr(int(spelt, 16) if spelt else int(found["decimal"]))
    count = len(found["slashes"] or "")
    return "\\" * (count - 1) + letter if count % 2 else letter
