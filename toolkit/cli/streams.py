"""What a command reads and prints: words in, and JSON, CSV or lines out that cannot steer a terminal."""

from __future__ import annotations

import io
import json
import math
import os
import re
import shutil
import sys
import textwrap
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.errors import DataError, InputError
from toolkit.interface.text import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence
    from typing import TextIO

__all__ = [
    "add_format",
    "add_quiet",
    "chosen_format",
    "drop_unwritten",
    "json_text",
    "load_little",
    "print_csv",
    "print_json",
    "print_lines",
    "room",
    "say",
    "standard_input",
    "take_every_letter",
]

#: What JSON leaves as it is, although it hides or reorders text, or steers a terminal.
_STEERING: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_INDENT: Final = 2
#: Cells of a line that stand before its text, each with a gap behind it.
_CELLS: Final = re.compile(r"\s*(?:\S+(?: \S+)*\s{2,})*")
#: Where the lines of a text go on whose cells leave no room beside them.
_HANG: Final = 4


def add_format(command: argparse.ArgumentParser) -> None:
    """Give a command its option ``--format``."""
    command.add_argument(
        "--format", choices=("table", "json", "csv"), help="default: a table to a terminal, JSON to a pipe"
    )


def add_quiet(command: argparse.ArgumentParser) -> None:
    """Give a command its option ``--quiet``."""
    command.add_argument("-q", "--quiet", action="store_true", help="tell no progress; what goes wrong is told still")


def chosen_format(arguments: argparse.Namespace) -> str:
    """Return ``table``, ``json`` or ``csv``: what was asked for, or what suits standard output."""
    return arguments.format or ("table" if sys.stdout.isatty() else "json")


def standard_input() -> str:
    """Return what is sent on standard input; nothing where that is a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    try:
        return sys.stdin.read().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise InputError(f"Standard input is no text in {error.encoding}. Convert it.") from None


def json_text(value: Any, encoding: str = "utf-8") -> str:
    r"""Return a value as JSON in which no character steers a terminal, and that an encoding can carry.

    Examples
    --------
    >>> json_text("Caf\u00e9 \x9b31m") == '"Caf\u00e9 \\u009b31m"', json_text("Caf\u00e9", "ascii")
    (True, '"Caf\\u00e9"')
    """
    text = _as_json(value, ensure_ascii=False)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = _as_json(value, ensure_ascii=True)
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    _print(json_text(value, sys.stdout.encoding or "utf-8"))


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows as CSV."""
    import pandas as pd  # noqa: PLC0415 - heavy, so on first use

    from toolkit.frames.files import write_csv  # noqa: PLC0415

    write_csv(pd.DataFrame(list(rows), columns=list(columns)), sys.stdout)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of text, free of control characters."""
    for line in lines:
        _print(_fitted(printable(line), sys.stdout))


def say(lines: Iterable[str]) -> None:
    """Tell a person. That nobody listens is no reason to end before the end."""
    with suppress(OSError):
        sys.stderr.writelines(f"{_fitted(printable(line), sys.stderr)}\n" for line in lines)
        sys.stderr.flush()


def load_little() -> None:
    """Let this process load and start no more than a page or two need, before it loads anything.

    Threads of the arithmetic would only wait for each other; and to find plugins of pydantic, of which none is asked
    here, all that is installed beside the toolkit is read.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def take_every_letter() -> None:
    """Let standard output write a letter that its encoding does not have as an escape, rather than fail."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def drop_unwritten() -> None:
    """Give up what standard output does not take; Python would complain of it again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def room() -> float:
    """Return how many letters a line of standard output has room for: any number where it is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else math.inf


def _fitted(line: str, stream: TextIO) -> str:
    """Return a line as it is, or for a terminal that is narrower as several, those after the first below its text."""
    width = shutil.get_terminal_size().columns if stream.isatty() else 0
    if len(line) <= width or not width:
        return line
    cells = _CELLS.match(line)
    hang = cells.end() if cells else 0
    under = " " * (hang if hang <= width // 2 else _HANG)
    lines = textwrap.wrap(
        line, width, subsequent_indent=under, break_long_words=False, break_on_hyphens=False, replace_whitespace=False
    )
    return "\n".join(lines)


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _as_json(value: Any, *, ensure_ascii: bool) -> str:
    try:
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=_INDENT, default=str)
    except RecursionError:
        pass
    try:
        return json.dumps(value, ensure_ascii=ensure_ascii, default=str)  # without indentation it goes deeper
    except RecursionError:
        raise DataError("The answer is nested too deeply to be written as JSON.") from None
