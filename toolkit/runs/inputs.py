"""Lists of targets of any size, read one after another: from memory, a file or standard input."""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolkit.interface.errors import InputError, TargetError
from toolkit.interface.targets import Target, is_blank, parse_target
from toolkit.interface.text import shortened
from toolkit.runs.lines import LONGEST_ROW, Lines, decoded, is_packed, label, naming, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

__all__ = ["Source", "TargetSource", "is_target", "open_targets", "split_targets"]

#: What `open_targets` takes; frames, series and streams are iterables too.
Source: TypeAlias = str | os.PathLike[str] | Iterable[object]

#: Names of a column of targets, the likeliest first.
_KNOWN: Final = ("url", "domain", "target", "website", "host", "site", "page", "link")
_DELIMITERS: Final = {".csv": ",;\t", ".tsv": "\t,;"}
#: For a table of one column, where a comma is part of the URL.
_NO_DELIMITER: Final = "\x1f"
_BATCH: Final = 4_096
_PIECE: Final = 1 << 20
_SHOWN_COLUMNS: Final = 400
#: How the entries that stand for "nothing" look as text, in Python, numpy and pandas.
_MISSING: Final = frozenset({"None", "nan", "NaN", "NaT", "<NA>"})


class TargetSource:
    """Targets that are read one after another, each as text, in order; made by `open_targets`."""

    def __init__(
        self,
        name: str,
        read: Callable[[], Iterator[str]],
        *,
        count: int | None = None,
        once: bool = False,
        table: Callable[[], pd.DataFrame | None] | None = None,
        file: str = "",
        kept: int | None = None,
    ) -> None:
        #: What is read, in few words for messages: ``list``, or ``sites.csv, column url``.
        self.name = name
        #: How many targets there are, where that is known without reading them.
        self.count = count
        self._read = read
        #: Whether what is read is gone then.
        self._once = once
        self._table = table
        self.has_table = table is not None
        #: The name of the file, without its ends, where they are read of one.
        self.file = file.partition(".")[0]
        #: The number of the run in the journal whose inputs these are.
        self.kept = kept
        self._begun = False

    def __iter__(self) -> Iterator[str]:
        if self._once and self._begun:
            raise InputError(f"The {self.name} can be read only once, and that is done. Open it again, or pass a list.")
        self._begun = True
        return self._read()

    def table(self) -> pd.DataFrame | None:
        """Return the table that the targets are a column of, one row a target; None where they are of none."""
        return None if self._table is None else self._table()

    def __repr__(self) -> str:
        return f"TargetSource({self.name!r}, count={self.count})"


def open_targets(source: Source, column: str | int | None = None) -> TargetSource:
    """Open a list of targets of any size: as `Run` takes it, packed with gzip or not.

    It gives a text for each row, in order, whatever stands there: what is missing is ``""``, and what is no text is
    given as text, so that it fails where it is parsed. A row of a CSV file with more cells than the header has no
    certain target, and is given whole. In a text with a target a line, blank lines and those that begin with ``#`` are
    left out; in a CSV file only blank lines at its end. What cannot be read is an InputError, here or while it is read.

    Examples
    --------
    >>> source = open_targets(["trailhead-outfitters.example", None, "torque-journal.example"])
    >>> source.count, list(source)
    (3, ['trailhead-outfitters.example', '', 'torque-journal.example'])
    """
    # A frame can only be given where pandas is loaded already.
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(source, pandas.DataFrame):
        return _of_frame(source, column)
    if isinstance(source, str | os.PathLike) and source != "-":
        return _of_file(_existing(source), column)
    if column is not None:
        raise InputError(
            f"column={column!r} is for a DataFrame, CSV or Parquet file, not for {_kind(source)}. Leave it out."
        )
    if pandas is not None and isinstance(source, pandas.Series):
        return _of_series(source, "Series" if source.name is None else f"Series {label(source.name)}")
    if isinstance(source, str) or hasattr(source, "readline"):
        return _of_standard_input() if isinstance(source, str) else _of_stream(source, "text stream")
    return source if isinstance(source, TargetSource) else _of_iterable(source)


def split_targets(text: str) -> list[str]:
    """Split a pasted text into targets: one a line, or several where all that stands in the line are targets.

    White space, commas and semicolons stand between them; a comma or semicolon within a URL that has a scheme belongs
    to it. Repeated ones stay, and so does a line that is no target, as one: a run counts the former and says what is
    wrong with the latter. Blank lines and those that begin with ``#`` are left out.

    Examples
    --------
    >>> split_targets("a.example, b.example; https://c.example/x?y=1,2" + chr(10) + "my favourite shop")
    ['a.example', 'b.example', 'https://c.example/x?y=1,2', 'my favourite shop']
    """
    found: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if not line or line.startswith("#"):
            continue
        parts = [line] if is_target(line) else [part for word in line.split() for part in _split_word(word) if part]
        found += parts if all(is_target(part) or is_blank(part) for part in parts) else [line]
    return found


def _split_word(word: str) -> list[str]:
    parts: list[str] = []
    for piece in re.findall("[^,;]+[,;]*", word):
        if parts and "://" in parts[-1] and "://" not in piece:
            parts[-1] += piece
        else:
            parts.append(piece)
    return [part.strip(",;") for part in parts]


# In memory -----------------------------------------------------------------------------------------------------------


def _of_iterable(source: Iterable[object]) -> TargetSource:
    if isinstance(source, bytes | bytearray | memoryview) or not isinstance(source, Iterable):
        raise InputError(
            f"Targets cannot be read from {_kind(source)}. Pass a list of texts, a Series, a DataFrame, a path, "
            "a text stream, or '-' for standard input."
        )
    count = len(source) if isinstance(source, Sized) else None
    once = isinstance(source, Iterator)
    return TargetSource(type(source).__name__, lambda: map(_as_text, source), count=count, once=once)


def _of_frame(frame: Any, column: str | int | None) -> TargetSource:
    titles = list(frame.columns)
    position = _position(titles, column, "The DataFrame")
    kept = frame.copy()  # the caller's own may change while the run goes on
    return _of_series(kept.iloc[:, position], f"DataFrame, column {label(titles[position])}", kept)


def _of_series(series: Any, name: str, table: Any = None) -> TargetSource:
    own = series.to_frame("input" if series.name is None else series.name) if table is None else table
    return TargetSource(name, lambda: map(_as_text, series), count=len(series), table=lambda: own)


def _as_text(entry: object) -> str:
    if isinstance(entry, str):
        return str.__str__(entry)  # an enumeration's own form would be its name
    if isinstance(entry, Target):
        return entry.given
    try:
        text = str(entry)
    except Exception:  # noqa: BLE001 - whatever an object of the caller does, its row is kept
        return f"<{type(entry).__name__} without text>"
    return "" if text in _MISSING else text


# Files and streams ---------------------------------------------------------------------------------------------------


def _existing(source: str | os.PathLike[str]) -> Path:
    try:
        path = Path(source).expanduser()
        exists = path.exists()
        is_folder = path.is_dir()
    except (OSError, RuntimeError, TypeError, ValueError):  # too long or not a path at all
        exists = is_folder = False
    if is_folder:
        raise InputError(f"{label(path.name)} is a folder. Pass the path of a file in it.")
    if exists:
        return path
    # What stands before the @ of a URL may be a password.
    _, at, rest = os.fsdecode(source).rpartition("@")
    shown = repr(label(f"…@{rest}" if at else rest))
    if isinstance(source, str):
        raise InputError(f"There is no file {shown}. Check the path; to look it up as a target pass a list: [{shown}].")
    raise InputError(f"There is no file {shown}. Check the path.")


def _of_file(path: Path, column: str | int | None) -> TargetSource:
    kind = Path(path.name.lower().removesuffix(".gz")).suffix
    if kind == ".parquet" and not is_packed(path):
        return _of_parquet(path, column)
    if kind in _DELIMITERS:
        return _of_csv(path, column, _DELIMITERS[kind])
    name = label(path.name)
    if column is not None:
        raise InputError(
            f"{name} is read as a target a line, so it has no column {column!r}. "
            "Leave column out, or let the name of a table end in .csv, .tsv or .parquet."
        )

    def read() -> Iterator[str]:
        with opened(path, newline=None) as lines:
            yield from _targets_of_lines(lines)

    return TargetSource(name, read, once=not path.is_file(), file=path.name)


def _of_standard_input() -> TargetSource:
    stream = sys.stdin
    if stream is None or stream.closed or stream.isatty():
        raise InputError("Nothing is sent on standard input. Pipe a list of targets into it, or name a file.")
    return _of_stream(getattr(stream, "buffer", stream), "standard input")


def _of_stream(stream: Any, name: str) -> TargetSource:
    def read() -> Iterator[str]:
        with naming(name):
            if isinstance(stream, io.BufferedIOBase | io.RawIOBase):
                with decoded(stream, name, newline=None) as lines:
                    yield from _targets_of_lines(lines)
            else:
                yield from _targets_of_lines(Lines(stream, name))

    return TargetSource(name, read, once=True)


def _targets_of_lines(lines: Lines) -> Iterator[str]:
    for line in lines:
        lines.begin_row()
        target = line.strip()
        if target and not target.startswith("#"):
            yield target


# Tables --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the targets of a CSV file stand."""

    delimiter: str
    position: int
    width: int
    title: str | None  # None where there is no header


def _of_csv(path: Path, column: str | int | None, delimiters: str) -> TargetSource:
    name = label(path.name)
    once = not path.is_file()
    if not once:  # what comes through a pipe would be lost
        with opened(path, newline="") as lines:
            layout = _layout_of(lines, column, delimiters)
        name += f", column {layout.position + 1 if layout.title is None else label(layout.title)}"

    def read() -> Iterator[str]:
        with opened(path, newline="") as lines:
            layout = _layout_of(lines, column, delimiters)
            rows = _rows_of(lines, layout.delimiter)
            if layout.title is not None:
                next(rows)
            blank = 0
            for row in rows:
                if row:
                    yield from repeat("", blank)
                    yield _cell(row, layout)
                blank = 0 if row else blank + 1

    same = None if once else _same(path)

    def table() -> pd.DataFrame | None:
        if same is not None:
            same()
        return _table_of_csv(path, column, delimiters)

    return TargetSource(name, read, once=once, table=None if once else table, file=path.name)


def _same(path: Path) -> Callable[[], None]:
    """Return what raises once a file is another than now: its rows would stand beside the answers of others."""

    def mark() -> tuple[int, int]:
        with naming(name):
            found = path.stat()
        return found.st_size, found.st_mtime_ns

    def check() -> None:
        if mark() != made_of:
            raise InputError(f"{name} has changed since the run was made of it. Ask again with the new file.")

    name = label(path.name)
    made_of = mark()
    return check


def _table_of_csv(path: Path, column: str | int | None, delimiters: str) -> pd.DataFrame | None:
    """Return the whole table as text, with the rows that `_of_csv` gives; None where it has no header."""
    import pandas as pd  # noqa: PLC0415 - where a table is wanted

    with opened(path, newline="") as lines:
        layout = _layout_of(lines, column, delimiters)
        rows = _rows_of(lines, layout.delimiter)
        if layout.title is None:
            return None
        titles = [title.strip() for title in next(rows)]
        found = list(rows)
    while found and not found[-1]:
        found.pop()
    cells = ([*row[: len(titles)], *[None] * (len(titles) - len(row))] for row in found)
    return pd.DataFrame(list(cells), columns=titles, dtype="str")


def _rows_of(lines: Lines, delimiter: str) -> Iterator[list[str]]:
    # The limit is the whole program's; a page's text in another column is often longer than its default.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        lines.begin_row()
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise InputError(f"{lines.name}: line {lines.begin} is no CSV ({error}). Check its quotes.") from None
        if row is None:
            return
        if lines.is_at_end:  # only a quote makes the reader ask for more in the middle of a row
            raise InputError(f"{lines.name}: a quote in line {lines.begin} is not closed. Close it, or write it twice.")
        yield row


def _layout_of(lines: Lines, column: str | int | None, delimiters: str) -> _Layout:
    first = lines.ahead()
    if not first:
        raise InputError(f"{lines.name} is empty. Its first line must name the columns, as in 'url'.")
    cuts = [(delimiter, cells) for delimiter in delimiters if len(cells := _cells(first, delimiter, lines.name)) > 1]
    cuts = sorted(cuts, key=lambda cut: -len(cut[1])) or [(_NO_DELIMITER, _cells(first, _NO_DELIMITER, lines.name))]
    failures: list[InputError] = []
    for delimiter, cells in cuts:
        position = _position_in_data(cells) if column is None else None
        if position is not None:
            return _Layout(delimiter, position, len(cells), None)
        try:
            position = _position(cells, column, lines.name)
        except InputError as error:
            failures.append(error)
        else:
            return _Layout(delimiter, position, len(cells), cells[position])
    hint = " Its first line looks like a row: put one with names above it." if any(map(is_target, cuts[0][1])) else ""
    raise InputError(f"{failures[0]}{hint}")


def _cells(first: list[str], delimiter: str, name: str) -> list[str]:
    text = io.StringIO("".join(first), newline="")
    return [cell.strip() for cell in next(_rows_of(Lines(text, name), delimiter))]


def _cell(row: list[str], layout: _Layout) -> str:
    if any(map(str.strip, row[layout.width :])):
        # One of the cells was cut in two; a part of a URL would be another page. With spaces it is never one.
        return " | ".join(row)
    return row[layout.position] if layout.position < len(row) else ""


def _position_in_data(cells: list[str]) -> int | None:
    """Return which cell of a first line is a target, so that the line is no header; None where it may be one."""
    found = [position for position, cell in enumerate(cells) if is_target(cell)]
    if len(found) != 1 or any(cell.casefold() in _KNOWN for cell in cells):
        return None
    # A name such as page.url is a domain too; only beside a number, as in a ranking, it is surely none.
    is_certain = len(cells) == 1 or "://" in cells[found[0]] or any(map(str.isdecimal, cells))
    return found[0] if is_certain else None


def is_target(text: str) -> bool:
    """Tell whether a text is a domain or a URL."""
    try:
        parse_target(text)
    except TargetError:
        return False
    return True


def _of_parquet(path: Path, column: str | int | None) -> TargetSource:
    name = label(path.name)
    with _parquet(path, name) as file:
        titles = file.schema_arrow.names
        title = titles[_position(titles, column, name)]
        count = file.metadata.num_rows

    def read() -> Iterator[str]:
        with _parquet(path, name) as file:
            for batch in file.iter_batches(_BATCH, columns=[title]):
                for value in batch.column(title).to_pylist():
                    # Older writers do not say that their bytes are text.
                    yield value.decode(errors="surrogateescape") if isinstance(value, bytes) else _as_text(value)

    same = _same(path)

    def table() -> pd.DataFrame:
        same()
        with _parquet(path, name) as file:
            found: pd.DataFrame = file.read().to_pandas()
        return found

    return TargetSource(f"{name}, column {label(title)}", read, count=count, table=table, file=path.name)


@contextmanager
def _parquet(path: Path, name: str) -> Iterator[Any]:
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy, so on first use
    from pyarrow import parquet  # noqa: PLC0415

    try:
        # With a buffer, and not ahead, the pages of a row group are read one by one, however large the group is.
        with naming(name), parquet.ParquetFile(path, buffer_size=_PIECE, pre_buffer=False) as file:
            yield file
    except UnicodeDecodeError:
        raise InputError(f"{name}: holds text that is not UTF-8. Write it again in UTF-8.") from None
    except (pa.ArrowException, KeyError):
        raise InputError(f"{name}: no Parquet file, damaged, or changed meanwhile. Write or copy it again.") from None


def _position(titles: Sequence[object], column: str | int | None, name: str) -> int:
    """Return where the column of targets stands."""
    if column is None and len(titles) == 1:
        return 0
    folded = [str(title).strip().casefold() for title in titles]
    if column is None:
        found = next((hits for known in _KNOWN if (hits := _places(folded, known))), [])
    else:
        found = _places(titles, column) or _places(folded, str(column).strip().casefold())
    if len(found) == 1:
        return found[0]
    listed = shortened(", ".join(label(title) for title in titles), _SHOWN_COLUMNS) or "none"
    if found:
        what = f"has {len(found)} columns {label(titles[found[0]])!r}. Rename all but one"
    elif column is not None:
        what = f"has no column {column!r}. Pass column= with one that is there"
    else:
        what = "has no column that is surely of domains or URLs"
        what += f" ({', '.join(_KNOWN)}). Pass column= with one that is there"
    raise InputError(f"{name} {what}: {listed}.")


def _places(titles: Sequence[object], wanted: object) -> list[int]:
    return [position for position, title in enumerate(titles) if title == wanted]


def _kind(source: object) -> str:
    return "standard input" if isinstance(source, str) else type(source).__name__
