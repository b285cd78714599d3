"""The grid: a frame in the page, with rows that open."""

from __future__ import annotations

from dataclasses import asdict
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import anywidget
import pandas as pd
import traitlets

from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, text_block
from toolkit.widgets.files import safe_name
from toolkit.widgets.grid.cells import packed, said, table_of, values_of
from toolkit.widgets.grid.columns import Column, columns_of, places_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Grid"]

#: Rows that a notebook keeps, for where no kernel runs.
_KEPT: Final = 20
_PLACE: Final = 4


def _text(name: str) -> str:
    return (files("toolkit.widgets.grid") / "assets" / name).read_text(encoding="utf-8")


class Grid(anywidget.AnyWidget):
    """A table that is sorted, filtered, searched, copied and saved in the page.

    Parameters
    ----------
    frame : DataFrame
        What it shows: all rows.
    columns : sequence of Column, optional
        Which columns, and how; by default all, as their dtypes tell.
    on_row : callable, optional
        Called with the position of a row (``frame.iloc``) that is clicked, or on which Enter is pressed.
    name : str
        Name of the file in which it is saved.
    height : int
        Most pixels of its rows; a short table takes less.
    label : str
        What it is called for those who do not see it; by default its `name`.
    noun : tuple of str
        What a row is, for the count: one, and several.

    Raises
    ------
    InputError
        If `frame` is no frame, or lacks a column.

    Examples
    --------
    >>> grid = Grid(pd.DataFrame({"site": ["a.example", "b.example"], "share": [0.5, None]}), noun=("site", "sites"))
    >>> grid
    <Grid table: 2 sites>
    >>> grid.shown
    [0, 1]
    """

    _esm: Any = _text("grid.js")
    _css: Any = _text("grid.css")
    _version = traitlets.Int(0).tag(sync=True)
    #: The columns and the first rows, which stay in a saved notebook.
    _kept = traitlets.Dict().tag(sync=True)
    #: What was typed and chosen: it outlives a reload, and all views of a grid share it.
    _state = traitlets.Dict().tag(sync=True)
    _settings = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        columns: Sequence[Column] | None = None,
        on_row: Callable[[int], None] | None = None,
        name: str = "table",
        height: int = 420,
        label: str = "",
        noun: tuple[str, str] = ("row", "rows"),
    ) -> None:
        self.on_row = on_row
        self._columns = None if columns is None else tuple(columns)
        self._noun = noun
        self._name = name
        super().__init__()
        self._settings = {
            "name": safe_name(name, "table"),
            "label": label or name,
            "height": height,
            "noun": list(noun),
            "opens": on_row is not None,
        }
        self.frame = frame
        self.on_msg(self._told)

    def __repr__(self) -> str:
        return f"<Grid {self._name}: {self._counted()}>"

    @property
    def frame(self) -> pd.DataFrame:
        """What is shown; a new one is sent to the page."""
        return self._frame

    @frame.setter
    def frame(self, frame: pd.DataFrame) -> None:
        if not isinstance(frame, pd.DataFrame):
            raise InputError(f"A grid shows a DataFrame, not {type(frame).__name__}. Pass a frame such as run.codes().")
        columns = columns_of(frame) if self._columns is None else list(self._columns)
        self._places = list(zip(columns, places_of(frame, columns), strict=True))
        self._frame = frame
        self._shown: list[int] | None = None
        self._kept = {
            "columns": [asdict(column) for column in columns],
            "rows": self._values(frame.head(_KEPT)),
            "count": len(frame),
        }
        self._version += 1

    @property
    def shown(self) -> list[int]:
        """Positions of the rows that the filters leave, in the order in which they stand."""
        return list(range(len(self._frame))) if self._shown is None else self._shown

    def static_view(self) -> str:
        """Return the first rows as HTML, for where no widget is drawn; all texts are escaped."""
        chosen = [place for place, (column, _) in enumerate(self._places) if not column.hidden]
        kept: list[list[Any]] = [self._kept["rows"][place] for place in chosen]
        columns = [self._places[place][0] for place in chosen]
        cells = [[said(value, column) for value in values] for column, values in zip(columns, kept, strict=True)]
        whole = len(self._frame) <= _KEPT
        caption = self._counted() if whole else f"The first {_KEPT} of {self._counted()}"
        return table_of([column.title for column in columns], list(zip(*cells, strict=True)), caption)

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        how = "<div>To sort and search it: run this cell, or choose File, Trust Notebook.</div>"
        return {**data, "text/html": text_block(self.static_view() + how)}, metadata

    def _counted(self) -> str:
        return counted(len(self._frame), *self._noun)

    def _values(self, frame: pd.DataFrame) -> list[list[Any]]:
        return [values_of(frame.iloc[:, place], column) for column, place in self._places]

    def _told(self, _: Any, content: Any, buffers: Sequence[Any]) -> None:
        """Answer the page: it asks for its rows, says which are left, or that one was opened."""
        content = content if isinstance(content, dict) else {}
        kind = content.get("type")
        if kind == "ready":
            library = [_text(name).encode() for name in ("tabulator.min.mjs", "tabulator.min.css")]
            parts = [packed(self._values(self._frame)), *(library if content.get("library") else ())]
            self.send({"type": "rows", "version": self._version}, buffers=parts)
        elif content.get("version") != self._version:
            return  # of rows that are no longer shown
        elif kind == "shown" and buffers:
            places = memoryview(buffers[0]).cast("B")
            found = [int.from_bytes(places[at : at + _PLACE], "little") for at in range(0, len(places), _PLACE)]
            self._shown = [place for place in found if place < len(self._frame)]
        elif kind == "open" and self.on_row is not None:
            position = content.get("position")
            if isinstance(position, int) and 0 <= position < len(self._frame):
                self.on_row(position)
