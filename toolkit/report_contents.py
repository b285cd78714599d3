"""What a report says: findings as sentences, with the figure and the table behind them, and how they were got.

Every text is made harmless here, once for all formats: on one line, without characters that a document cannot hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

import pandas as pd

from toolkit.display import printable
from toolkit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Chart", "Column", "Form", "Kind", "Methods", "Report", "Section", "Series", "Table", "clean", "said"]

Form = Literal["text", "whole", "number", "percent"]
Kind = Literal["bars", "stacked", "lines"]

#: Code points that XML does not allow, beside the control characters.
_NO_CHARACTERS: Final = {0xFFFE: None, 0xFFFF: None}
_FORMS: Final = ("text", "whole", "number", "percent")
_KINDS: Final = ("bars", "stacked", "lines")
#: Rows of a table that are read on a page; a workbook has them all.
_READ: Final = 20


def clean(text: object) -> str:
    r"""Return a text that every format can hold and that hides nothing.

    Examples
    --------
    >>> clean("Kites\x0b and \x00boots\ufffe")
    'Kites  and boots'
    """
    return printable(str(text)).translate(_NO_CHARACTERS)


def said(value: Any, form: Form = "text") -> str:
    """Return a value as people read it.

    Parameters
    ----------
    value : object
        A cell of a table. What is missing is an en dash.
    form : {"text", "whole", "number", "percent"}
        A share of 0.29 is "29 %" as percent.

    Examples
    --------
    >>> said(0.294, "percent"), said(1234, "whole"), said(0.0004, "percent"), said(float("nan"), "number")
    ('29 %', '1,234', '<1 %', '–')
    """
    if pd.isna(value):
        return "–"
    if form == "percent":
        return "<1 %" if 0 < value < 0.005 else f"{100 * value:.0f} %"  # noqa: PLR2004 - what would be rounded to nothing
    if form == "whole":
        return f"{value:,.0f}"
    if form == "number":
        return f"{value:,.3f}" if 0 < abs(value) < 0.1 else f"{value:,.1f}"  # noqa: PLR2004 - small chances need digits
    return clean(value)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        In the frame.
    heading : str
        What stands above it.
    form : {"text", "whole", "number", "percent"}
        How its values are shown.
    low, high : str
        Columns of the interval around its values, or empty.
    """

    name: str
    heading: str
    form: Form = "text"
    low: str = ""
    high: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "heading", clean(self.heading))
        _check_one_of(self.form, _FORMS, "form")
        if bool(self.low) != bool(self.high):
            raise InputError(f"Column {self.name!r} has one end of an interval. Name low and high, or neither.")

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the frame that it needs."""
        return tuple(name for name in (self.name, self.low, self.high) if name)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a report.

    Attributes
    ----------
    caption : str
        What a row is, and what the numbers are.
    frame : DataFrame
        The rows; cleaned texts, a copy.
    columns : tuple of Column
        Those that are shown, in order; the first names the row.
    most : int
        Rows that a page shows. A workbook has them all.

    Raises
    ------
    InputError
        If the frame lacks a column.
    """

    caption: str
    frame: pd.DataFrame
    columns: tuple[Column, ...]
    most: int = _READ

    def __post_init__(self) -> None:
        object.__setattr__(self, "caption", clean(self.caption))
        needed = [name for column in self.columns for name in column.names]
        object.__setattr__(self, "frame", _cleaned(self.frame, needed, "table"))

    def rows(self, most: int | None = None) -> list[list[str]]:
        """Return the cells of the first rows as people read them, an interval behind its value."""
        shown = self.frame.head(self.most if most is None else most)
        columns = [_cells(shown, column) for column in self.columns]
        return [list(row) for row in zip(*columns, strict=True)]

    def left_out(self, most: int | None = None) -> str:
        """Return a sentence about the rows that are not shown, or nothing."""
        limit = self.most if most is None else most
        if len(self.frame) <= limit:
            return ""
        return f"The first {limit} of {len(self.frame):,} rows; a report as a workbook (.xlsx) has all of them."


@dataclass(frozen=True, slots=True)
class Series:
    """A row of values in a chart: bars of one colour, or a line.

    Attributes
    ----------
    name : str
        The column of the chart's frame.
    label : str
        What the legend says.
    low, high : str
        Columns of the interval around the values, or empty.
    """

    name: str
    label: str
    low: str = ""
    high: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", clean(self.label))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the frame that it needs."""
        return tuple(name for name in (self.name, self.low, self.high) if name)


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as PowerPoint and Excel can hold it, to be edited there.

    Attributes
    ----------
    kind : {"bars", "stacked", "lines"}
        What it is.
    alt : str
        What it shows, for people who do not see it.
    frame : DataFrame
        One row a bar, or a point of the lines.
    labels : str
        The column that names the bars, or that has the lines' places on the horizontal axis.
    series : tuple of Series
        What is drawn.
    axis, across : str
        What the values are, and for lines what the places are.
    form : {"whole", "number", "percent"}
        How values are shown.
    picture : bool
        Whether the figure says more than this chart can, as a treemap does, which neither program has: then a slide
        has a picture of the figure, or the table.
    """

    kind: Kind
    alt: str
    frame: pd.DataFrame
    labels: str
    series: tuple[Series, ...]
    axis: str = ""
    across: str = ""
    form: Form = "percent"
    picture: bool = False

    def __post_init__(self) -> None:
        _check_one_of(self.kind, _KINDS, "kind")
        for name in ("alt", "axis", "across"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        needed = [self.labels, *(name for series in self.series for name in series.names)]
        object.__setattr__(self, "frame", _cleaned(self.frame, needed, "chart"))
        if not self.series or self.frame.empty:
            raise InputError(f"The chart {self.alt!r} has nothing to draw. Give it rows and series, or leave it out.")


@dataclass(frozen=True, slots=True)
class Section:
    """A finding.

    Attributes
    ----------
    name : str
        What it is about, in few words: for lists of contents and names of sheets.
    title : str
        The finding as a sentence.
    text : tuple of str
        Paragraphs that say what was found, of how many, and how sure it is.
    table : Table or None
        The numbers.
    chart : Chart or None
        The picture, for office documents.
    figure : plotly.graph_objects.Figure or None
        The picture, for pages.
    notes : tuple of str
        How to read it.
    footer : str
        Of how many sites, of when, by which vocabulary, from where.
    """

    name: str
    title: str
    text: tuple[str, ...] = ()
    table: Table | None = None
    chart: Chart | None = None
    figure: Any = None
    notes: tuple[str, ...] = ()
    footer: str = ""

    def __post_init__(self) -> None:
        for name in ("name", "title", "footer"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        for name in ("text", "notes"):
            object.__setattr__(self, name, _paragraphs(getattr(self, name)))
        if not self.name.strip() or not self.title.strip():
            raise InputError("A section needs a name and a title. Pass texts that are not empty.")


@dataclass(frozen=True, slots=True)
class Methods:
    """How the findings were got.

    Attributes
    ----------
    facts : tuple of tuple of str
        Name and value: sites, failures, dates, versions, cost.
    text : tuple of str
        How numbers were computed: tests and intervals.
    limits : tuple of str
        What the report cannot say, and what was left out.
    tables : tuple of Table
        Such as the sites without an answer.
    """

    facts: tuple[tuple[str, str], ...] = ()
    text: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", tuple((clean(name), clean(value)) for name, value in self.facts))
        for name in ("text", "limits"):
            object.__setattr__(self, name, _paragraphs(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report.

    Attributes
    ----------
    title : str
        Its title.
    subtitle : str
        Of what and of when.
    at : datetime
        When it is of; also the time that documents state as that of their making, so that the same data give the same
        bytes.
    sections : tuple of Section
        The findings, in order.
    methods : Methods
        How they were got.
    """

    title: str
    subtitle: str
    at: datetime
    sections: tuple[Section, ...]
    methods: Methods

    def __post_init__(self) -> None:
        for name in ("title", "subtitle"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        if not isinstance(self.at, datetime):
            raise InputError(f"A report's time must be a datetime, not {self.at!r}.")
        # Documents have whole seconds, and no zone.
        object.__setattr__(self, "at", self.at.replace(microsecond=0, tzinfo=None))


def _paragraphs(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for text in map(clean, texts) if text.strip())


def _cells(frame: pd.DataFrame, column: Column) -> list[str]:
    values = [said(value, column.form) for value in frame[column.name]]
    if not column.low:
        return values
    ends = zip(frame[column.low], frame[column.high], strict=True)
    return [
        value if value == "–" else f"{value} ({said(low, column.form)} to {said(high, column.form)})"
        for value, (low, high) in zip(values, ends, strict=True)
    ]


def _cleaned(frame: pd.DataFrame, needed: list[str], kind: str) -> pd.DataFrame:
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise InputError(
            f"The frame of a {kind} has no column {', '.join(map(repr, missing))}. Name one that is there."
        )
    kept = frame[list(dict.fromkeys(needed))].reset_index(drop=True)
    texts = {
        name: kept[name].map(clean, na_action="ignore").astype(object)
        for name in kept.columns
        if not pd.api.types.is_numeric_dtype(kept[name])
    }
    return kept.assign(**texts)


def _check_one_of(value: str, known: tuple[str, ...], name: str) -> None:
    if value not in known:
        raise InputError(f"{name} must be one of {', '.join(known)}, not {value!r}.")
