"""Frames as text for a terminal, and as files that a spreadsheet can open without running what is in them."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Any, Final

from toolkit.interface.errors import InputError
from toolkit.interface.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import pandas as pd

__all__ = ["definition_lines", "safe_cell", "write_csv", "write_parts"]

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "|", "%")
#: Around the names of lines.
_GAP: Final = 2
_LINE: Final = re.compile(r"[^\t\n\r]+")


def safe_cell(value: Any) -> Any:
    """Return a value that a spreadsheet takes for text if it is text, never for a formula.

    Examples
    --------
    >>> safe_cell("=cmd|' /C calc'!A0"), safe_cell("boots"), safe_cell(-3)
    ("'=cmd|' /C calc'!A0", 'boots', -3)
    """
    if isinstance(value, str):
        # Before the check: a NUL would hide what stands behind it.
        text = value.replace("\x00", "")
        return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
    return value


def write_csv(frame: pd.DataFrame, target: IO[str], *, header: bool = True) -> None:
    """Write a frame as CSV in which no text begins like a formula.

    Line breaks of all kinds are written as line feeds; other control characters and marks that reorder text are left
    out, as a file is also read on a terminal.
    """
    frame.rename(columns=_csv_cell).map(_csv_cell).to_csv(target, index=False, header=header)


def _csv_cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    # First: what is left out would hide the beginning of a formula.
    safe: str = safe_cell(_LINE.sub(lambda line: printable(line[0]), value))
    # A lone carriage return is not quoted, so it would begin a row.
    return safe.replace("\r\n", "\n").replace("\r", "\n")


def definition_lines(title: str, rows: Iterable[tuple[str, str | Sequence[str]]], width: int = 18) -> list[str]:
    """Return names and values as lines for a terminal, free of control characters; the longest name has room."""
    lines = [printable(title)]
    shown = [(printable(name), [value] if isinstance(value, str) else [*value]) for name, value in rows if value]
    width = max([width, *(len(name) + _GAP for name, _ in shown)])
    for name, values in shown:
        for number, part in enumerate(part for part in values if part):
            lines.append(f"  {name if number == 0 else '':<{width - 1}} {printable(part)}")
    return lines


def write_parts(place: Path, parts: Iterable[pd.DataFrame], *, is_whole: bool) -> list[Path]:
    """Write parts of a frame to a folder as Parquet files, and return these; those of a longer frame go.

    Unless it `is_whole`, parts are written without what they say of who was asked.
    """
    written = []
    try:
        place.mkdir(parents=True, exist_ok=True)
        for number, part in enumerate(parts):
            path = place / f"part-{number:05}.parquet"
            if not is_whole:
                part.attrs = {}
            # Renamed when it is whole: a part that is there is complete.
            part.to_parquet(path.with_suffix(".tmp"))
            path.with_suffix(".tmp").replace(path)
            written.append(path)
        # Whoever reads the folder would take the rest of a longer run for this one's.
        for path in set(place.glob("part-?????.parquet")).difference(written):
            path.unlink()
    except OSError as error:
        words = error.strerror or str(error)
        raise InputError(f"{place} cannot be written: {words}. Name another folder.") from None
    return written
