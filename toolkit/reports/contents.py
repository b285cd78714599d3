"""What a report says: one story of an answer, its proofs, what to do, and the evidence, for writers of every format.

Every text is made harmless as it comes in, once for all formats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import pandas as pd

from toolkit.findings.insights.doubts import NOT_MEASURED
from toolkit.interface.errors import InputError
from toolkit.reports.choice import PARTS
from toolkit.reports.words import FORMS, Form, check_one_of, clean, cleaned, kept_together, paragraphs, said

__all__ = [
    "PARTS",
    "Advice",
    "Card",
    "Chart",
    "Column",
    "Fact",
    "Group",
    "Kind",
    "Methods",
    "OwnValues",
    "Part",
    "Report",
    "Series",
    "Table",
]

Kind = Literal["bars", "dots", "heatmap", "slope", "lines"]
_KINDS: Final = ("bars", "dots", "heatmap", "slope", "lines")
Stroke = Literal["solid", "dashed", "dotted", "point"]
_STROKES: Final = ("solid", "dashed", "dotted", "point")
Basis = Literal["", "measured", "inferred"]
_BASES: Final = ("", "measured", "inferred")
_ADVICE: Final = ("sites", "audience", "gap")
#: Rows of a picture: the rest stands in the table.
MOST_ROWS: Final = 12
#: Headline findings of a report.
MOST_PROOFS: Final = 3
#: Ends of axes, as multiples of a power of ten.
_STEPS: Final = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    #: What stands above it, with its unit.
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
    """A table of a report, with all its rows: a writer shows as many as there is room for, and says so."""

    #: What a row is, and what the numbers are.
    caption: str
    #: The rows; cleaned texts, a copy.
    frame: pd.DataFrame
    #: Those that are shown, in order; the first names the row.
    columns: tuple[Column, ...]
    #: The column that says of which group a row is, for choosing a group; or empty.
    group: str = ""
    #: The column that names the site of a row, for its card; or empty.
    site: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "caption", clean(self.caption))
        needed = [name for column in self.columns for name in column.names]
        needed += [name for name in (self.group, self.site) if name]
        object.__setattr__(self, "frame", cleaned(self.frame, needed, "table"))

    @property
    def read(self) -> tuple[Column, ...]:
        """The columns that a page or slide shows."""
        return tuple(column for column in self.columns if not column.is_detail)

    def rows(self, most: int | None = None) -> list[list[str]]:
        """Return the cells of the first rows as people read them, an interval behind its value."""
        shown = self.frame if most is None else self.frame.head(most)
        columns = [_cells(shown, column) for column in self.read]
        return [list(row) for row in zip(*columns, strict=True)]


@dataclass(frozen=True, slots=True)
class Series:
    """Values of a chart: what one group, one list or one date has of each row."""

    #: Their column.
    name: str
    #: What they are of, such as the group; the same text as `Group.name` where it is one.
    label: str
    #: Columns of the interval around the values, or empty.
    low: str = ""
    high: str = ""
    #: Six hexadecimal digits; empty for the highlight colour, and grey where `is_rest`.
    color: str = ""
    #: Whether it is what others are held against: drawn quietly.
    is_rest: bool = False
    #: Column of what the cells of a heatmap say: a text where the number is clear, and nothing elsewhere.
    words: str = ""
    #: How a line is drawn: dashed where it goes on from the first one with what is only expected, dotted for a level
    #: that is estimated, and a point where it marks a place on the first one.
    stroke: Stroke = "solid"

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", clean(self.label))
        check_one_of(self.stroke, _STROKES, "stroke")

    @property
    def is_of_first(self) -> bool:
        """Whether it belongs to the first line, and has its colour."""
        return self.stroke in {"dashed", "point"}

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the frame that it needs."""
        return tuple(name for name in (self.name, self.low, self.high, self.words) if name)


@dataclass(frozen=True, slots=True)
class OwnValues:
    """What one group has of each row of a chart, for who chooses it."""

    group: str
    #: The column with its values.
    column: str
    #: Columns with how many of its sites that is, and of how many; or empty.
    count: str = ""
    of: str = ""
    #: What the values are, with their base; empty where that is what all sites' are.
    axis: str = ""

    def __post_init__(self) -> None:
        for name in ("group", "axis"):
            object.__setattr__(self, name, clean(getattr(self, name)))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the frame that it needs."""
        return tuple(name for name in (self.column, self.count, self.of) if name)


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture as numbers, which each writer draws in its own way, so that it can be edited or answers to a pointer.

    ``bars``: a row a bar, in the order of the frame. ``dots``: a row a code, a mark a series, the rest one grey mark.
    ``heatmap``: a row a code, a column a series, differences in percentage points. ``slope``: two series, before and
    after, a row a line. ``lines``: places on the horizontal axis by row, a line a series.
    """

    kind: Kind
    #: What it shows, for people who do not see it: the finding in words with its numbers.
    alt: str
    #: One row a bar, mark or line; at most `MOST_ROWS`, but for lines.
    frame: pd.DataFrame
    #: The column that names the rows, or that has the lines' places on the horizontal axis.
    labels: str
    #: What is drawn.
    series: tuple[Series, ...]
    #: What the values are, with their unit, and for lines what the places are.
    axis: str = ""
    across: str = ""
    #: How values are shown: ``percent`` of shares from 0 to 1, ``points`` of their differences from -1 to 1.
    form: Form = "percent"
    #: A boolean column: the rows that the sentence is about. The others are grey, marks hollow or pale. Empty: all are.
    strong: str = ""
    #: For choosing a group.
    by_group: tuple[OwnValues, ...] = ()
    #: A text column with what else is said of a row where it is pointed at, such as "7 of 9 sites"; or empty.
    tips: str = ""

    def __post_init__(self) -> None:
        check_one_of(self.kind, _KINDS, "kind")
        check_one_of(self.form, FORMS, "form")
        for name in ("alt", "axis", "across"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        needed = [self.labels, *(name for series in self.series for name in series.names)]
        needed += [name for name in (self.strong, self.tips) if name]
        needed += [name for own in self.by_group for name in own.names]
        object.__setattr__(self, "frame", cleaned(self.frame, needed, "chart"))
        if not self.series or self.frame.empty:
            raise InputError(f"The chart {self.alt!r} has nothing to draw. Give it rows and series, or leave it out.")
        if self.kind != "lines" and len(self.frame) > MOST_ROWS:
            raise InputError(f"The chart {self.alt!r} has {len(self.frame)} rows. Draw {MOST_ROWS} of them at most.")
        if self.kind == "slope" and len(self.series) != 2:  # noqa: PLR2004 - from one end to the other
            raise InputError(f"The chart {self.alt!r} has {len(self.series)} series. A slope has two.")

    @property
    def top(self) -> float:
        """Where the axis of values ends: beyond every mark and interval."""
        names = [name for series in self.series for name in (series.name, series.low, series.high) if name]
        names += [own.column for own in self.by_group]
        most = float(self.frame[names].abs().max().max())
        if not math.isfinite(most) or most < _ROUNDING:
            return 1.0
        step = 10 ** math.floor(math.log10(most))
        end = next(part for part in _STEPS if most <= part * step * (1 + _ROUNDING)) * step
        is_share = self.form in {"percent", "points"} and most <= 1 + _ROUNDING
        return float(f"{min(end, 1.0) if is_share else end:.6g}")


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a report says: a claim with its picture, its table, and how sure it is."""

    #: Which of `PARTS` it belongs to.
    of: str
    #: What it is about, in two or three words: for side bars and names of sheets.
    name: str
    #: The claim as a sentence, with the number that matters and its base.
    title: str
    #: What stands beside the picture: 40 words at most.
    text: tuple[str, ...] = ()
    chart: Chart | None = None
    #: The numbers: all of the claim's and of the picture's.
    table: Table | None = None
    #: What a presenter says, and how to read it.
    notes: tuple[str, ...] = ()
    #: Source, of how many sites, of when.
    footer: str = ""
    #: ``clear``, ``likely`` or ``a lead``; empty where nothing is claimed beyond this list.
    certainty: str = ""
    #: What speaks against it; empty where nothing is known.
    against: str = ""
    basis: Basis = ""
    #: The sites that show it.
    sites: tuple[str, ...] = ()
    #: Whether it stands behind the story: in a deck's appendix.
    is_appendix: bool = False
    #: Whether it says that there is nothing to say: it has no slide of its own.
    is_null: bool = False

    @property
    def reading(self) -> tuple[str, ...]:
        """How to read it, less what stands beside it already: a presenter says that too."""
        return tuple(note for note in self.notes if not self.against or self.against not in note)

    @property
    def doubts(self) -> str:
        """What speaks against it beside its basis: that it is inferred is said there."""
        told = self.against.split("; ")
        return "; ".join(doubt for doubt in told if self.basis != "inferred" or doubt != NOT_MEASURED)

    def __post_init__(self) -> None:
        check_one_of(self.of, PARTS, "of")
        check_one_of(self.basis, _BASES, "basis")
        for name in ("name", "title", "footer", "against"):
            object.__setattr__(self, name, kept_together(getattr(self, name)))
        for name in ("text", "notes"):
            object.__setattr__(self, name, paragraphs(getattr(self, name)))
        object.__setattr__(self, "sites", tuple(map(clean, self.sites)))
        if not self.name.strip() or not self.title.strip():
            raise InputError("A part of a report needs a name and a title. Pass texts that are not empty.")


@dataclass(frozen=True, slots=True)
class Advice:
    """Something to do, with its reason."""

    #: ``sites`` to take, an ``audience`` to name, or a ``gap`` to fill.
    kind: str
    #: As a sentence that says what to do.
    what: str
    why: str
    #: The sites to take, in order.
    sites: tuple[str, ...] = ()
    #: The segment's text, to be used in the service; empty where there is none.
    segment: str = ""
    #: What each site adds, or what is missing; the workbook has it.
    table: Table | None = None

    def __post_init__(self) -> None:
        check_one_of(self.kind, _ADVICE, "kind")
        for name in ("what", "why"):
            object.__setattr__(self, name, kept_together(getattr(self, name)))
        object.__setattr__(self, "segment", clean(self.segment))
        object.__setattr__(self, "sites", tuple(map(clean, self.sites)))


@dataclass(frozen=True, slots=True)
class Group:
    """A group of sites, with the colour that it has everywhere."""

    name: str
    #: Six hexadecimal digits.
    color: str
    #: Answered sites in it.
    sites: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", clean(self.name))


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is known of one site."""

    #: What it is, such as "Age".
    name: str
    #: As people read it, such as "35 to 44 years".
    value: str
    basis: Basis = ""
    #: Why the service says so, where the answer tells it; or empty.
    why: str = ""
    #: Of which dimension or taxonomy it is, and its code there, for those who ask for its reasons; or empty.
    dimension: str = ""
    code: str = ""

    def __post_init__(self) -> None:
        check_one_of(self.basis, _BASES, "basis")
        for name in ("name", "value", "why"):
            object.__setattr__(self, name, clean(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Card:
    """All that is known of one site."""

    site: str
    #: The name of its group, or empty.
    group: str
    #: Topics, audience, company, technologies, your own columns: a name and facts.
    facts: tuple[tuple[str, tuple[Fact, ...]], ...]

    def __post_init__(self) -> None:
        for name in ("site", "group"):
            object.__setattr__(self, name, clean(getattr(self, name)))
        object.__setattr__(self, "facts", tuple((clean(name), tuple(facts)) for name, facts in self.facts))


@dataclass(frozen=True, slots=True)
class Methods:
    """How the findings were made."""

    #: Name and value: sites, failures, dates, versions, cost.
    facts: tuple[tuple[str, str], ...] = ()
    #: How numbers were computed: tests and intervals; nulls, such as "no other group differed".
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
    #: For whom; may be empty.
    client: str
    #: Of what and of when.
    subtitle: str
    #: When it is of; also the time that documents state as that of their making, so that the same data give the same
    #: bytes.
    at: datetime
    #: The answer in one sentence.
    answer: str
    #: At most `MOST_PROOFS` headline findings, of the part "proofs".
    proofs: tuple[Part, ...]
    advice: tuple[Advice, ...]
    #: The evidence: parts of all names but answer, proofs, advice and methods, in order.
    parts: tuple[Part, ...]
    methods: Methods
    #: The groups that the report compares, in order; () where there are none.
    groups: tuple[Group, ...] = ()
    #: What is known of each site, in the order of the list.
    cards: tuple[Card, ...] = ()
    #: Which of `PARTS` are written, in order.
    order: tuple[str, ...] = PARTS

    def __post_init__(self) -> None:
        for name in ("title", "client", "subtitle", "answer"):
            object.__setattr__(self, name, kept_together(getattr(self, name)))
        if not isinstance(self.at, datetime):
            raise InputError(f"A report's time must be a datetime, not {self.at!r}.")
        # Documents have whole seconds, and no zone.
        object.__setattr__(self, "at", self.at.replace(microsecond=0, tzinfo=None))
        if len(self.proofs) > MOST_PROOFS:
            raise InputError(f"A report has {MOST_PROOFS} proofs at most, not {len(self.proofs)}.")
        for name in self.order:
            check_one_of(name, PARTS, "order")

    def parts_of(self, name: str) -> tuple[Part, ...]:
        """Return the evidence under one name of `PARTS`."""
        return tuple(part for part in self.parts if part.of == name)


def _cells(frame: pd.DataFrame, column: Column) -> list[str]:
    values = [said(value, column.form) for value in frame[column.name]]
    if not column.low:
        return values
    ends = zip(frame[column.low], frame[column.high], strict=True)
    return [
        value if pd.isna(low) or pd.isna(high) else f"{value} ({said(low, column.form)} to {said(high, column.form)})"
        for value, (low, high) in zip(values, ends, strict=True)
    ]
