"""Words of the segment language: a text in, words with their places out, and errors that point at the place."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

from toolkit.interface.errors import InputError, UnknownCodeError
from toolkit.interface.text import printable, shortened

__all__ = ["KEYWORDS", "LONGEST_TEXT", "Word", "at_place", "quoted", "refused", "unknown", "words_of"]

Kind = Literal["word", "text", "mark", "compare", "end"]

#: Characters of the longest segment.
LONGEST_TEXT: Final = 100_000
#: Words that mean something themselves; a value of this spelling stands in quotes.
KEYWORDS: Final = frozenset({"all", "and", "any", "at", "between", "exactly", "in", "not", "of", "or", "with"})

_BLANK: Final = r"[\s\u200b\u2060\ufeff]"
_WORD: Final = re.compile(
    rf"""(?P<blank>{_BLANK}+|\#[^\n]*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|[“”„](?:[^"“”„\\\n]|\\.)*["“”]|'(?:[^'\\\n]|\\.)*')
    |(?P<open>["“”„'])
    |(?P<compare><=|>=|!=|<>|==|[<>=≤≥≠])
    |(?P<mark>[(),])
    |(?P<word>(?:(?!{_BLANK})[^(),"“”„\#=<>!≤≥≠])+)
    |(?P<odd>.)""",
    re.VERBOSE | re.DOTALL,
)
_SAME: Final = {"==": "=", "<>": "!=", "≠": "!=", "≤": "<=", "≥": ">="}
_PLAIN: Final = re.compile(r"\w+(\.\w+)*", re.ASCII)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
#: Characters of the longest code, value or name.
_LONGEST_WORD: Final = 500
_SHOWN_BEFORE: Final = 60
_SHOWN_AFTER: Final = 40
_SHOWN_WORD: Final = 60


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a text in quotes, a mark or a comparison sign, and where it stands.

    Attributes
    ----------
    kind : {"word", "text", "mark", "compare", "end"}
        What it is; ``end`` stands behind the last word.
    text : str
        The word; a text without its quotes, a comparison sign in its usual form.
    start, end : int
        Place in the source.
    """

    kind: Kind
    text: str
    start: int
    end: int

    @property
    def keyword(self) -> str:
        """The word in small letters; empty for all that is no word."""
        return self.text.casefold() if self.kind == "word" else ""

    @property
    def shown(self) -> str:
        """The word as messages name it."""
        return "the end of the text" if self.kind == "end" else repr(shortened(printable(self.text), _SHOWN_WORD))


def words_of(source: str) -> list[Word]:
    r"""Return the words of a segment's text, and an ``end``; comments and blanks are left out.

    >>> [word.text for word in words_of('persona = "Golfers and Golf Fans"  # all of them')]
    ['persona', '=', 'Golfers and Golf Fans', '']
    """
    found: list[Word] = []
    for match in _WORD.finditer(source):
        start, end, text = match.start(), match.end(), match.group()
        if match.lastgroup in {"text", "word"} and end - start > _LONGEST_WORD:
            message = f"No code, value or name has more than {_LONGEST_WORD} characters."
            raise refused(message, source, start, start + 1)
        if match.lastgroup == "open":
            message = "The text in quotes has no end on its line. Close it with the same kind of quote."
            raise refused(message, source, start, start + 1)
        if match.lastgroup == "odd":
            raise refused(f"{text!r} has no meaning alone. Write != or not.", source, start, end)
        if match.lastgroup == "text":
            found.append(Word("text", _ESCAPED.sub(r"\1", text[1:-1]), start, end))
        elif match.lastgroup == "compare":
            found.append(Word("compare", _SAME.get(text, text), start, end))
        elif match.lastgroup == "mark":
            found.append(Word("mark", text, start, end))
        elif match.lastgroup == "word":
            found.append(Word("word", text, start, end))
    return [*found, Word("end", "", len(source.rstrip()), len(source.rstrip()))]


def quoted(value: str, *, always: bool = False) -> str:
    r"""Return a value as the language writes it, in quotes where it needs them.

    Examples
    --------
    >>> quoted("upper_middle"), quoted("Media Industry"), quoted('Half "Pint" Fans')
    ('upper_middle', '"Media Industry"', '"Half \\"Pint\\" Fans"')
    """
    if not always and _PLAIN.fullmatch(value) and value.casefold() not in KEYWORDS:
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def at_place(source: str, start: int, end: int) -> tuple[str, str]:
    r"""Return the words for a place, and the line it stands on with a caret below.

    Examples
    --------
    >>> where, shown = at_place("any(INT.PETS.*", 14, 14)
    >>> print(where, shown, sep="\n")
    line 1, column 15
      any(INT.PETS.*
                    ^
    """
    begin = source.rfind("\n", 0, start) + 1
    finish = source.find("\n", start)
    finish = len(source) if finish < 0 else finish
    left, right = max(begin, start - _SHOWN_BEFORE), min(finish, start + _SHOWN_AFTER)
    before, after = source[left:start], source[start:right]
    head, tail = "…" if left > begin else "", "…" if right < finish else ""
    marked = source[start : min(max(end, start + 1), right)]
    line = "".join(map(_one_place, f"{head}{before}{after}{tail}"))
    caret = " " * _width(head + before) + "^" * max(1, _width(marked))
    where = f"line {source.count(chr(10), 0, start) + 1}, column {start - begin + 1}"
    return where, f"  {line}\n  {caret}"


def refused(message: str, source: str, start: int, end: int) -> InputError:
    """Return an error that says what is wrong with a segment's text, and where."""
    where, shown = at_place(source, start, end)
    return InputError(f"The segment cannot be read at {where}:\n{shown}\n{message}")


def unknown(word: Word, among: str, nearest: tuple[str, ...], source: str, advice: str = "") -> UnknownCodeError:
    """Return an error for a word that is spelt rightly as far as the language goes, but is not known."""
    where, shown = at_place(source, word.start, word.end)
    hint = (
        f"Nearest: {', '.join(nearest)}." if nearest else "" if advice else "Nothing is spelt like it; search for it."
    )
    text = " ".join(part for part in (hint, advice) if part)
    return UnknownCodeError(word.text, among=among, nearest=nearest, where=where, advice=f"{text}\n{shown}")


def _one_place(char: str) -> str:
    return printable(char) or "\N{REPLACEMENT CHARACTER}"


def _width(text: str) -> int:
    """Return the columns that a text takes in a monospaced font."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
