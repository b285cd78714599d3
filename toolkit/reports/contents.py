"""What a report says: findings as sentences, with the figure and the table behind them, and how they were got.

Every text is made harmless as it comes in, once for all formats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

import pandas as pd

from toolkit.charts import colours
from toolkit.interface.errors import InputError
from toolkit.reports.words import FORMS, Form, check_one_of, clean, cleaned, kept_together, paragraphs, said

__all__ = ["BASELINE", "Chart", "Column", "Kind", "Methods", "Report", "Section", "Series", "Table"]

Kind = Literal["bars", "stacked", "lines", "index", "matrix"]

_KINDS: Final = ("bars", "stacked", "lines", "index", "matrix")
#: The index of what is as common as in the baseline: there the bars of an index begin.
BASELINE: Final = 100.0
#: Rows of a table that are read on a page; a workbook has them all.
_READ: Final = 20
#: Steps of the axis of an index. It has at most so many of them, and shows twice the baseline at least.
_INDEX_STEPS: Final = (50, 100, 200, 500, 1_000, 2_000, 5_000)
_MOST_STEPS: Final = 8
#: How far beyond the longest bar an interval is drawn to its end.
_BEYOND: Final = 1.5
#: Ends of axes, as multiples of a power of ten.
_STEPS: Final = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    #: What stands above it.
    heading: str
    #: How its values are shown.
    form: Form = "text"
    #: Columns of the interval around its values, or empty.
    low: str = ""
    high: str = ""
    #: Whether only a workbook has it.
    is_detail: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "heading", clean(self.heading))
        check_one_of(self.form, FORMS, "form")
        if bool(self.low) != bool(self.high):
            raise InputError(f"Column {self.name!r} has one end of an interval. Name low and high, or neither.")

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the frame that it needs."""
        return tuple(name for name in (self.name, self.low, self.high) if name)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a report."""

    #: What a row is, and what the numbers are.
    caption: str
    #: The rows; cleaned texts, a copy.
    frame: pd.DataFrame
    #: Those that are shown, in order; the first names the row.
    columns: tuple[Column, ...]
    #: Rows that a page shows. A workbook has them all.
    most: int = _READ

    def __post_init__(self) -> None:
        object.__setattr__(self, "caption", clean(self.caption))
        needed = [name for column in self.columns for name in column.names]
        object.__setattr__(self, "frame", cleaned(self.frame, needed, "table"))

    @property
    def read(self) -> tuple[Column, ...]:
        """The columns that a page shows."""
        return tuple(column for column in self.columns if not column.is_detail)

    def rows(self, most: int | None = None) -> list[list[str]]:
        """Return the cells of the first rows as people read them, an interval behind its value."""
        shown = self.frame.head(self.most if most is None else most)
        columns = [_cells(shown, column) for column in self.read]
        return [list(row) for row in zip(*columns, strict=True)]

    def left_out(self, most: int | None = None) -> str:
        """Return a sentence about the rows that are not shown, or nothing."""
        limit = self.most if most is None else most
        if len(self.frame) <= limit:
            return ""
        return f"The first {limit} of {len(self.frame):,} rows; a report as a workbook (.xlsx) has all of them."


@dataclass(frozen=True, slots=True)
class Series:
    """Values of a chart: bars of one colour, or a line."""

    #: Their column.
    name: str
    #: What the legend says.
    label: str
    #: Columns of the interval around the values, or empty.
    low: str = ""
    high: str = ""
    #: Six hexadecimal digits; by default the next of the colours that everybody can tell apart.
    color: str = ""
    #: Column that says which bars are drawn hollow, such as those of differences that cannot be shown; or empty.
    hollow: str = ""
    #: Column of what the cells of a matrix say; by default their values.
    words: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", clean(self.label))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the frame that it needs."""
        return tuple(name for name in (self.name, self.low, self.high) if name)


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as PowerPoint and Excel can hold it, to be edited there."""

    #: What it is. The bars of an index begin at 100; a matrix is a table with shaded cells, a series a column.
    kind: Kind
    #: What the section's figure shows, for people who do not see it.
    alt: str
    #: One row a bar, a point of the lines, or a row of the matrix.
    frame: pd.DataFrame
    #: The column that names the bars or rows, or that has the lines' places on the horizontal axis.
    labels: str
    #: What is drawn.
    series: tuple[Series, ...]
    #: What the values are, and for lines what the places are.
    axis: str = ""
    across: str = ""
    #: How values are shown.
    form: Form = "percent"
    #: Whether the figure says more than this chart can, as a treemap does, which neither program has: then a slide has
    #: a picture of the figure, or the table.
    picture: bool = False
    #: What this chart shows where it is of something else than the figure; then a slide without a picture has it
    #: instead of the table. By default the same as `alt`.
    own_alt: str = ""

    def __post_init__(self) -> None:
        check_one_of(self.kind, _KINDS, "kind")
        for name in ("alt", "axis", "across", "own_alt"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        looks = [name for series in self.series for name in (series.hollow, series.words) if name]
        needed = [self.labels, *(name for series in self.series for name in series.names), *looks]
        object.__setattr__(self, "frame", cleaned(self.frame, needed, "chart"))
        if not self.series or self.frame.empty:
            raise InputError(f"The chart {self.alt!r} has nothing to draw. Give it rows and series, or leave it out.")

    @property
    def colors(self) -> tuple[str, ...]:
        """A colour for each series."""
        return tuple(
            series.color or colours.NATIVE[place % len(colours.NATIVE)] for place, series in enumerate(self.series)
        )

    @property
    def says(self) -> str:
        """What the chart shows where it is drawn, and not the figure."""
        return self.own_alt or self.alt

    @property
    def start(self) -> float:
        """Where bars begin."""
        return BASELINE if self.kind == "index" else 0.0

    @property
    def step(self) -> float:
        """How far the marks on the axis of an index are apart."""
        reach = self._reach()
        return next((float(step) for step in _INDEX_STEPS if reach <= step * _MOST_STEPS), reach / _MOST_STEPS)

    @property
    def top(self) -> float:
        """Where the axis of values ends: beyond every bar, line and interval, if an index's is not very long."""
        if self.kind == "index":
            return math.ceil(self._reach() / self.step) * self.step
        if self.kind == "matrix" and self.form == "percent":
            return 1.0
        if self.kind == "stacked":
            most = float(self.frame[[series.name for series in self.series]].sum(axis=1).max())
        else:
            most = float(self.frame[[name for series in self.series for name in series.names]].max().max())
        if not math.isfinite(most) or most < _ROUNDING:
            return 1.0
        step = 10 ** math.floor(math.log10(most))
        steps = next(part for part in _STEPS if most <= part * step * (1 + _ROUNDING))
        return float(
            f"{min(steps * step, 1.0) if self.form == 'percent' and most <= 1 + _ROUNDING else steps * step:.6g}"
        )

    def whiskers(self, series: Series) -> tuple[pd.Series, pd.Series]:
        """Return how far an interval reaches down and up from its value; one without end, beyond the axis."""
        values, lows, highs = (self.frame[name].astype(float) for name in series.names)
        values = values.where(values.abs() < math.inf)
        return (values - lows).clip(lower=0), (highs.clip(upper=2 * self.top) - values).clip(lower=0)

    def shade(self, value: float) -> str:
        """Return the colour of a cell of a matrix."""
        part = min(max(value / self.top, 0.0), 1.0)
        ends = [[int(color[place : place + 2], 16) for place in (0, 2, 4)] for color in colours.NATIVE_SHADES]
        return "".join(f"{round(low + part * (high - low)):02X}" for low, high in zip(*ends, strict=True))

    def _reach(self) -> float:
        """Return how far an index's axis must reach: beyond every bar, and so far beyond as intervals need it."""
        longest = max([2 * BASELINE, *self._finite([series.name for series in self.series])])
        ends = self._finite([series.high for series in self.series if series.high])
        return max(longest, min(max(ends, default=longest), longest * _BEYOND))

    def _finite(self, names: list[str]) -> list[float]:
        return [value for name in names for value in self.frame[name].astype(float) if math.isfinite(value)]


@dataclass(frozen=True, slots=True)
class Section:
    """A finding."""

    #: What it is about, in few words: for lists of contents and names of sheets.
    name: str
    #: The finding as a sentence.
    title: str
    #: Paragraphs that say what was found, of how many, and how sure it is.
    text: tuple[str, ...] = ()
    #: The numbers.
    table: Table | None = None
    #: The picture, for office documents.
    chart: Chart | None = None
    #: The picture, for pages.
    figure: Any = None
    #: How to read it.
    notes: tuple[str, ...] = ()
    #: Of how many sites, of when, by which vocabulary, from where.
    footer: str = ""
    #: What the figure's own footer says; by default the footer.
    caption: str = ""

    def __post_init__(self) -> None:
        for name in ("name", "title", "footer", "caption"):
            object.__setattr__(self, name, kept_together(getattr(self, name)))
        for name in ("text", "notes"):
            object.__setattr__(self, name, paragraphs(getattr(self, name)))
        if not self.name.strip() or not self.title.strip():
            raise InputError("A section needs a name and a title. Pass texts that are not empty.")


@dataclass(frozen=True, slots=True)
class Methods:
    """How the findings were got."""

    #: Name and value: sites, failures, dates, versions, cost.
    facts: tuple[tuple[str, str], ...] = ()
    #: How numbers were computed: tests and intervals.
    text: tuple[str, ...] = ()
    #: What the report cannot say, and what was left out.
    limits: tuple[str, ...] = ()
    #: Such as the sites without an answer.
    tables: tuple[Table, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", tuple((clean(name), clean(value)) for name, value in self.facts))
        for name in ("text", "limits"):
            object.__setattr__(self, name, paragraphs(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report."""

    title: str
    #: Of what and of when.
    subtitle: str
    #: When it is of; also the time that documents state as that of their making, so that the same data give the same
    #: bytes.
    at: datetime
    #: The findings, in order.
    sections: tuple[Section, ...]
    #: How they were got.
    methods: Methods

    def __post_init__(self) -> None:
        for name in ("title", "subtitle"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        if not isinstance(self.at, datetime):
            raise InputError(f"A report's time must be a datetime, not {self.at!r}.")
        # Documents have whole seconds, and no zone.
        object.__setattr__(self, "at", self.at.replace(microsecond=0, tzinfo=None))


def _cells(frame: pd.DataFrame, column: Column) -> list[str]:
    values = [said(value, column.form) for value in frame[column.name]]
    if not column.low:
        return values
    ends = zip(frame[column.low], frame[column.high], strict=True)
    return [
        value if pd.isna(low) or pd.isna(high) else f"{value} ({said(low, column.form)} to {said(high, column.form)})"
        for value, (low, high) in zip(values, ends, strict=True)
    ]
