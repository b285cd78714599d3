"""What a presenter finds below a slide: the detail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.interface.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolkit.reports.contents import Advice, Part, Table

__all__ = ["notes_of_advice", "notes_of_part", "rows_in_words"]

#: Sites that are named in notes, and rows of a table, as many as a picture has: the workbook has all.
_MOST: Final = 60
_MOST_ROWS: Final = 12


def notes_of_part(part: Part, *, with_rows: bool = True) -> list[str]:
    """Return all that a part says, with its numbers and the sites that show it."""
    # What speaks against it stands below.
    texts = [part.title, *part.text, *(note for note in part.notes if not part.against or part.against not in note)]
    if part.certainty:
        texts.append(f"Certainty: {part.certainty}.")
    if part.basis:
        texts.append(f"Basis: {part.basis}.")
    if part.doubts:
        texts.append(f"Against it: {part.doubts}")
    if part.chart is not None and part.chart.alt:
        texts.append(part.chart.alt)
    if part.table is not None and with_rows:
        texts += [part.table.caption, *_numbers(part.table)]
    if part.sites:
        texts.append(f"Sites that show it: {', '.join(part.sites[:_MOST])}{_more(len(part.sites))}")
    return [*texts, part.footer]


def notes_of_advice(advice: Iterable[Advice]) -> list[str]:
    """Return what is to be done, with its sites, its segment and its numbers."""
    texts = []
    for one in advice:
        texts += [one.what, one.why]
        if one.sites:
            texts.append(f"Sites: {', '.join(one.sites[:_MOST])}{_more(len(one.sites))}")
        if one.segment:
            texts.append(f"Segment: {one.segment}")
        if one.table is not None:
            texts += [one.table.caption, *_numbers(one.table)]
    return texts


def rows_in_words(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows of a table as lines of text."""
    lines = (
        f"{row[0]}: {'; '.join(f'{name} {value}' for name, value in zip(headings[1:], row[1:], strict=True))}".rstrip(
            ": "
        )
        for row in rows
    )
    return "\n".join(lines)


def _numbers(table: Table) -> list[str]:
    rows = table.rows(_MOST_ROWS)
    left = len(table.frame) - len(rows)
    more = [f"{counted(left, 'more row')} in the workbook."] if left else []
    return [rows_in_words([column.heading for column in table.read], rows), *more]


def _more(count: int) -> str:
    return f" and {count - _MOST:,} more" if count > _MOST else ""
