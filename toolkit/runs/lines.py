"""Lines of text files and streams, read one after another in little memory, whatever the file holds."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NoReturn

from toolkit.interface.errors import InputError
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["LONGEST_ROW", "Lines", "decoded", "is_packed", "label", "naming", "opened"]

#: Characters of a row, over however many lines.
LONGEST_ROW: Final = 1_000_000
_SHOWN: Final = 80
_HALF: Final = re.compile("[\ud800-\udfff]")
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
#: First bytes of files that are no text, and what to do with them.
_NO_TEXT: Final = {
    rb"PK\x03\x04": "is an Excel workbook or a ZIP file. Save it as CSV in UTF-8, or unpack it.",
    rb"\xd0\xcf\x11\xe0": "is an Excel workbook. Save it as CSV in UTF-8.",
    rb"PAR1": "is a Parquet file. Let its name end in .parquet.",
    rb"SQLite format 3\0": "is a database, such as answers are kept in, and no list of sites. Name the list.",
    rb"\x1f\x8b": "is packed with gzip. Let its name end in .gz.",
    rb"[^\0]\0[^\0]\0|\0[^\0]\0[^\0]": "is in UTF-16 without a mark that says so. Save it in UTF-8.",
}


class Lines:
    """Lines of a text, each of a bounded length and with whole characters only."""

    def __init__(self, text: Any, name: str) -> None:
        self.name = name
        self.number = 0
        #: Where the row begins that is being read, set with `begin_row`, and its characters so far.
        self.begin = 1
        self.length = 0
        self.is_at_end = False
        self._text = text
        self._ahead: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._ahead.popleft() if self._ahead else self._line()
        if not line:
            self.is_at_end = True
            raise StopIteration
        self.number += 1
        self.length += len(line)
        if self.length > LONGEST_ROW:
            self._refuse_length(self.begin)
        return line

    def begin_row(self) -> None:
        """Count the characters of a row from here."""
        self.begin = self.number + 1
        self.length = 0

    def ahead(self) -> list[str]:
        """Return the first line that is not blank, and those that a quote in it runs over, without taking them."""
        while not self._ahead and (line := self._line()):
            if line.strip():
                self._ahead.append(line)
            else:
                self.number += 1
        quotes = sum(line.count('"') for line in self._ahead)
        length = 0
        # A quote may be a letter like any other too, so one that stays alone is no error here.
        while quotes % 2 and length < LONGEST_ROW and (line := self._line()):
            self._ahead.append(line)
            quotes += line.count('"')
            length += len(line)
        return list(self._ahead)

    def _line(self) -> str:
        try:
            line = self._text.readline(LONGEST_ROW + 1)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{self.name}: line {self._next_number()} or one soon after it is not text in {error.encoding}. "
                "Convert the file to UTF-8."
            ) from None
        except ValueError:
            raise InputError(
                f"{self.name}: closed before line {self._next_number()} was read. Open it again."
            ) from None
        if not isinstance(line, str):
            raise InputError(f"{self.name}: gives {type(line).__name__}, not text. Open it as text.")
        if len(line) > LONGEST_ROW:
            self._refuse_length(self._next_number())
        if not line.isascii() and _HALF.search(line):
            number = self._next_number()
            raise InputError(f"{self.name}: line {number} is not text in UTF-8. Convert the file to UTF-8.")
        return line

    def _next_number(self) -> int:
        return self.number + len(self._ahead) + 1

    def _refuse_length(self, number: int) -> NoReturn:
        raise InputError(
            f"{self.name}: the row that begins in line {number} has more than {LONGEST_ROW:,} characters. "
            "Check the ends of the lines, and in a CSV file that every quote is closed."
        )


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Turn what reading raises into an error that names the file."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(f"{name}: damaged or cut off, as gzip cannot unpack it. Copy or pack it again.") from None
    except OSError as error:
        why = error.strerror or "what is read is damaged"
        raise InputError(f"{name}: cannot be read ({why}). Check that it is whole and that you may read it.") from None


@contextmanager
def opened(path: Path, newline: str | None) -> Iterator[Lines]:
    """Open a text file, packed or not."""
    name = label(path.name)
    with (
        naming(name),
        gzip.open(path, "rb") if is_packed(path) else path.open("rb") as binary,
        decoded(binary, name, newline) as lines,
    ):
        yield lines


@contextmanager
def decoded(binary: Any, name: str, newline: str | None) -> Iterator[Lines]:
    """Read bytes as text in UTF-8, or UTF-16 with its mark; they stay open."""
    buffered = binary if hasattr(binary, "peek") else io.BufferedReader(binary)
    head = buffered.peek(16)[:16]
    for first, advice in _NO_TEXT.items():
        if re.match(first, head, re.DOTALL):
            raise InputError(f"{name} {advice}")
    # What is no text comes through as halves of characters, so that the line it stands in can be told.
    encoding, errors = ("utf-16", "surrogatepass") if head[:2] in _WIDE else ("utf-8-sig", "surrogateescape")
    text = io.TextIOWrapper(buffered, encoding=encoding, errors=errors, newline=newline)
    try:
        yield Lines(text, name)
    finally:
        with suppress(ValueError):  # closed by its owner in the meantime
            text.detach()
            if buffered is not binary:
                buffered.detach()


def is_packed(path: Path) -> bool:
    """Tell by its name whether a file is packed with gzip."""
    return path.name.lower().endswith(".gz")


def label(title: object) -> str:
    """Return a name as one short line for messages."""
    return shortened(printable(str(title)), _SHOWN)
