"""Numbers behind charts: the workbooks that open when somebody edits a chart's data."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.chart.xlsx import CategoryWorkbookWriter, XyWorkbookWriter
from xlsxwriter import Workbook

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

__all__ = ["categories", "number", "places"]


class _Texts:
    """Writes the numbers behind a chart into a workbook in which every text is text.

    A label such as ``=cmd|…`` would otherwise be a formula for whoever edits the data.
    """

    at: datetime

    @contextmanager
    def _open_worksheet(self, file: Any) -> Iterator[tuple[Any, Any]]:
        options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        workbook = Workbook(file, options)
        workbook.set_properties({"created": self.at})
        yield workbook, workbook.add_worksheet()
        workbook.close()


class _CategoryWriter(_Texts, CategoryWorkbookWriter):
    pass


class _XyWriter(_Texts, XyWorkbookWriter):
    pass


def _of(data: Any, writer: Any, at: datetime) -> Any:
    made = writer(data)
    made.at = at
    data.__dict__["_workbook_writer"] = made  # where the library keeps the one that it makes on first use
    return data


def categories(
    names: Sequence[str], series: Sequence[tuple[str, Sequence[float | None]]], form: str, at: datetime
) -> Any:
    """Return the numbers of bars or of lines between names."""
    data = _of(cast("Any", CategoryChartData)(number_format=form), _CategoryWriter, at)
    data.categories = list(names)
    for label, values in series:
        data.add_series(label, list(values))
    return data


def places(series: Sequence[tuple[str, Sequence[tuple[Any, Any]]]], form: str, at: datetime) -> Any:
    """Return the numbers of points; those of which one is missing are left out."""
    data = _of(cast("Any", XyChartData)(number_format=form), _XyWriter, at)
    for label, points in series:
        drawn = data.add_series(label)
        for across, up in points:
            x, y = number(across), number(up)
            if x is not None and y is not None:
                drawn.add_data_point(x, y)
    return data


def number(value: Any, form: str = "") -> float | None:
    """Return a value as a chart holds it, differences in percentage points, or nothing where it is missing.

    Examples
    --------
    >>> number(0.25), number(0.25, "points"), number(float("nan"))
    (0.25, 25.0, None)
    """
    if pd.isna(value) or not math.isfinite(value):
        return None
    return round(100 * float(value), 6) if form == "points" else float(value)
