"""The cells of a grid: as they go to the page, and as text where no page sorts them."""

from __future__ import annotations

import json
import math
import numbers
from datetime import date, datetime
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.interface.text import printable, rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.widgets.grid.columns import Column

__all__ = ["EMPTY", "TABLE_STYLE", "packed", "said", "table_of", "values_of"]

#: What stands in an empty cell.
EMPTY: Final = "–"
#: JupyterLab puts the texts of a table to the right, and in the middle of a row.
TABLE_STYLE: Final = """<style>
.toolkit-table{border-collapse:collapse;font-size:12.5px;line-height:1.35}
.toolkit-table th,.toolkit-table td{text-align:left!important;padding:3px 8px 3px 0!important;
border-bottom:1px solid rgba(128,128,128,.3);vertical-align:top;white-space:normal!important}
.toolkit-table td:first-child{min-width:110px;overflow-wrap:anywhere}
</style>"""
#: From here on digits are in groups: a year is not.
_GROUPED: Final = 10_000


def values_of(values: pd.Series, column: Column) -> list[Any]:
    """Return the cells of a column as JSON values: numbers unrounded, texts on one line, what is missing as None.

    Examples
    --------
    >>> from toolkit.widgets.grid.columns import Column
    >>> values_of(pd.Series([0.5, None]), Column("share", "Share", "share"))
    [0.5, None]
    """
    if column.kind == "date" and pd.api.types.is_datetime64_any_dtype(values.dtype):
        times = values.dropna()
        values = values.dt.strftime("%Y-%m-%d" if (times == times.dt.normalize()).all() else "%Y-%m-%d %H:%M")
    cells: list[Any] = values.astype(object).tolist()
    # Most cells are plain texts: they are told from the others first, as there may be very many.
    return [cell if type(cell) is str and cell.isprintable() else _value(cell) for cell in cells]


def packed(columns: Sequence[list[Any]]) -> bytes:
    """Return columns of cells as the bytes that the page reads."""
    return json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode()


def said(value: Any, column: Column) -> str:
    """Return a cell as a person reads it; the page says the same.

    Examples
    --------
    >>> from toolkit.widgets.grid.columns import Column
    >>> said(0.456, Column("share", "Share", "share")), said(None, Column("share", "Share", "share"))
    ('46 %', '–')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return EMPTY
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value) or EMPTY
    if isinstance(value, str):
        return value or EMPTY
    is_share = column.kind == "share"
    number = value * 100 if is_share else value
    digits = column.digits if is_share or column.kind == "number" else (0 if isinstance(value, int) else 2)
    shown = rounded(number, digits)
    text = f"{shown:,}" if abs(shown) >= _GROUPED else str(shown)
    return f"{text} %" if is_share else f"{text} {column.unit}".rstrip()


def table_of(heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """Return texts as an HTML table in which all are escaped, its caption below it."""
    top = "".join(f"<th scope='col'>{escape(printable(head))}</th>" for head in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f"{TABLE_STYLE}<div style='overflow-x:auto'><table class='toolkit-table'><thead><tr>{top}</tr></thead>"
        f"<tbody>{body}</tbody></table></div><div>{escape(caption)}</div>"
    )


def _value(value: Any) -> Any:
    if isinstance(value, list | tuple | set | frozenset):
        parts = sorted(map(str, value)) if isinstance(value, set | frozenset) else map(str, value)
        return [printable(part) for part in parts]
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return None
    if isinstance(value, numbers.Real | np.bool_):
        return _number(value)
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return value.isoformat() if isinstance(value, date) else printable(str(value))


def _number(value: Any) -> bool | int | float | str:
    if pd.api.types.is_bool(value):
        return bool(value)
    if pd.api.types.is_integer(value):
        return int(value)
    number = float(value)
    # JSON has no word for it.
    return number if math.isfinite(number) else f"{'-' * (number < 0)}∞"
