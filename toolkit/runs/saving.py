"""Runs as files: every answer as it came, and the table that the run was made of, read back without service or key."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zlib
from dataclasses import asdict, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from toolkit.files.unpacking import UnpackingError, most_of
from toolkit.files.whole import named_file, whole_file
from toolkit.frames.records import Record
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    import pandas as pd

__all__ = ["packed_table", "read_run", "table_of", "write_run"]

_LAYOUT: Final = 2
#: Lists and objects of a line: each takes thirty times the memory of its two bytes.
_MOST_NESTED: Final = 1_000_000
#: Rows of the table that are read at a time.
_ROWS: Final = 10_000


def write_run(path: str | Path, records: Iterable[Record], head: Mapping[str, Any], table: pd.DataFrame | None) -> Path:
    """Write a head, the table and a record a line as JSON, compressed."""
    goal = named_file(path, "run.jsonl.gz")
    first = {"layout": _LAYOUT, **head, "table": None if table is None else packed_table(table)}
    # Without the time and the name, so that the same answers are the same file.
    with (
        whole_file(goal, private=True) as part,
        part.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
    ):
        for line in (first, *map(_written, records)):
            packed.write(json.dumps(line).encode() + b"\n")
    return goal


def read_run(content: bytes, name: str) -> tuple[dict[str, Any], list[Record], pd.DataFrame | None]:
    """Return the head, the records and the table of a file."""
    try:
        lines = _lines(content)
        head = json.loads(next(lines, b""))
        if head["layout"] != _LAYOUT:
            raise InputError(
                f"{name} has layout {head['layout']!r}, and this toolkit reads {_LAYOUT}. Save the run again with it, "
                "or use the toolkit that wrote it."
            )
        records = list(_records(map(json.loads, lines)))
        table = head.pop("table")
        return head, records, None if table is None else table_of(table)
    except (
        OSError,
        EOFError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        zlib.error,
    ) as error:
        if isinstance(error, InputError):
            raise
        words = f"{type(error).__name__}: {error}"
    raise InputError(f"{name} is no saved run, or is damaged ({words}). Name a file that run.save() wrote.")


def _lines(content: bytes) -> Iterator[bytes]:
    """Yield the lines of a packed file, each once it is needed."""
    most = left = most_of(len(content))
    with gzip.open(io.BytesIO(content)) as lines:
        while line := lines.readline(left + 1):
            left -= len(line)
            if left < 0:
                raise UnpackingError(f"it unfolds to more than {most:,} bytes")
            if line.count(b"[") + line.count(b"{") > _MOST_NESTED:
                raise UnpackingError(f"a line has more than {_MOST_NESTED:,} lists and objects")
            yield line


def packed_table(table: pd.DataFrame) -> str:
    """Return a table as one text: its titles, and its columns as Parquet."""
    # By their places: a title may stand twice, and be no text.
    plain = table.set_axis([str(place) for place in range(table.shape[1])], axis="columns")
    plain.attrs = {}
    _write_as_text(plain, _is_mixed)
    try:
        try:
            content = _parquet(plain)
        except Exception:  # noqa: BLE001 - whatever pyarrow finds in a cell
            _write_as_text(plain, _is_odd)
            content = _parquet(plain)
    except Exception as error:  # noqa: BLE001 - as above
        raise InputError(
            f"The run's table cannot be saved ({error}). Make the run of the columns that are needed."
        ) from None
    titles = json.dumps([_text(title) for title in table.columns])
    return f"{titles}\n{base64.b64encode(content).decode()}"


def _parquet(table: pd.DataFrame) -> bytes:
    content = io.BytesIO()
    table.to_parquet(content, index=False)
    return content.getvalue()


def _write_as_text(table: pd.DataFrame, which: Callable[[pd.Series], bool]) -> None:
    """Put text in the place of the columns that Parquet cannot hold."""
    import pandas as pd  # noqa: PLC0415 - where a table is at hand

    from toolkit.frames.about import text_of  # noqa: PLC0415 - as above

    for place in range(table.shape[1]):
        column = table.iloc[:, place]
        if which(column):
            texts = [
                None if missing else _text(text_of(cell)) for cell, missing in zip(column, column.isna(), strict=True)
            ]
            table.isetitem(place, pd.Series(texts, dtype="str").array)


def _is_mixed(column: pd.Series) -> bool:
    """Tell whether a column has cells of several kinds, such as numbers and texts."""
    import pandas as pd  # noqa: PLC0415 - as above

    if column.dtype != object:
        return False
    kind = pd.api.types.infer_dtype(column, skipna=True)
    # A time among dates would lose its hours.
    return kind not in {"boolean", "bytes", "date"} or (kind == "date" and {*map(type, column.dropna())} != {date})


def _is_odd(column: pd.Series) -> bool:
    try:
        _parquet(column.to_frame())
    except Exception:  # noqa: BLE001 - whatever pyarrow finds in a cell
        return True
    return False


def _text(cell: object) -> str:
    return str(cell).encode("utf-8", "replace").decode()


def table_of(text: str) -> pd.DataFrame:
    """Read the table that was saved; it unfolds no further than the file may."""
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - where a table is at hand
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415 - as above

    titles, _, packed = text.partition("\n")
    content = base64.b64decode(packed)
    most, parts, size = most_of(len(content)), [], 0
    with pq.ParquetFile(io.BytesIO(content)) as file:
        for part in file.iter_batches(batch_size=_ROWS):
            size += part.nbytes + part.num_rows
            if size > most:
                raise UnpackingError(f"its table unfolds to more than {most:,} bytes")
            parts.append(part)
        table: pd.DataFrame = pa.Table.from_batches(parts, file.schema_arrow).to_pandas()
    return table.set_axis(json.loads(titles), axis="columns")


def _written(record: Record) -> dict[str, Any]:
    # Text where it can be: the file is then readable, and smaller.
    raw = record.raw.decode("utf-8", errors="surrogateescape") if isinstance(record.raw, bytes) else None
    found = asdict(replace(record, raw=None)) | {"raw": raw}
    return {name: value for name, value in found.items() if value is not None}


def _records(lines: Iterable[dict[str, Any]]) -> Iterator[Record]:
    for line in lines:
        raw = line.pop("raw", None)
        body = None if raw is None else raw.encode("utf-8", errors="surrogateescape")
        yield Record(**{"normal": None} | line, raw=body)
