"""Where the RunPanel takes its targets from: a pasted list, an uploaded file, or what a script gave."""

from __future__ import annotations

import csv
import gzip
import re
import shutil
import tempfile
import weakref
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.interface.errors import InputError
from toolkit.interface.text import printable, shortened
from toolkit.runs.inputs import TargetSource, is_target, open_targets, split_targets
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import notice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolkit.runs.inputs import Source

__all__ = ["SourceChooser", "column_titles", "is_table", "keep_upload"]

_ACCEPTED: Final = ".csv,.tsv,.txt,.parquet,.gz"
_LONGEST_NAME: Final = 80
_LONGEST_TITLE: Final = 60
_MOST_IN_FIELD: Final = 1_000
_HEAD: Final = 1 << 16
_WIDE_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


def is_table(text: str) -> bool:
    """Tell whether a pasted text looks like a table: a first line of titles, none of which is a target, and rows.

    Examples
    --------
    >>> is_table("Domain;Group" + chr(10) + "a.example;ours"), is_table("a.example, b.example" + chr(10) + "c.example")
    (True, False)
    """
    lines = text.strip().splitlines()
    # A longer first line is no row of titles, and more than is read of one.
    titles = _cells(lines[0]) if len(lines) > 1 and len(lines[0]) < _HEAD else []
    return len(titles) > 1 and not any(map(is_target, titles))


def keep_upload(name: str, content: bytes, folder: Path) -> Path:
    """Write what a browser sent to a folder, under a name that is safe there, and return its path."""
    # A browser may send any name, a path out of the folder too.
    safe = re.sub(r"[^\w.-]", "_", name.replace("\\", "/").rpartition("/")[2])[-_LONGEST_NAME:].lstrip(".-")
    path = folder / (safe or "upload.txt")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        words = error.strerror or str(error)
        raise InputError(f"{path.name} cannot be kept: {words}. Pass its path instead: RunPanel(targets=…).") from None
    return path


def column_titles(source: object) -> list[str]:
    """Return the titles of the columns of a DataFrame, a CSV or a Parquet file; none where there are none to be had."""
    if hasattr(source, "columns"):
        return [str(title) for title in source.columns]
    if not isinstance(source, Path):
        return []
    kind = Path(source.name.lower().removesuffix(".gz")).suffix
    try:
        if kind == ".parquet":
            return _titles_of_parquet(source)
        return _titles_of_text(source) if kind in {".csv", ".tsv"} else []
    except (OSError, EOFError, zlib.error, csv.Error, UnicodeError):  # the run says in words what is wrong
        return []


def _titles_of_parquet(path: Path) -> list[str]:
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy, so on first use
    from pyarrow import parquet  # noqa: PLC0415 - as above

    try:
        return list(parquet.read_schema(path).names)
    except pa.ArrowException:
        return []


def _titles_of_text(path: Path) -> list[str]:
    opened: Any = gzip.open if path.name.lower().endswith(".gz") else open
    with opened(path, "rb") as file:
        head = file.read(_HEAD)
    text = head.decode("utf-16" if head[:2] in _WIDE_MARKS else "utf-8-sig", "replace")
    first = next((line for line in text.splitlines() if line.strip()), "")
    return _cells(first)


def _cells(line: str) -> list[str]:
    """Return the cells of a first line, whatever stands between them."""
    cut = (next(csv.reader([line], delimiter=delimiter), []) for delimiter in ",;\t")
    return [cell.strip() for cell in max(cut, key=len)]


class SourceChooser(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """Paste a list, or upload a file and choose its column.

    A text or a short list stands in the field, anything else is named below it. `column` is None for the one that
    `open_targets` finds; `changed` is called when something else is chosen. While nothing stands there a button offers
    the sample sites, where there is somebody to `try_sample`.
    """

    def __init__(
        self,
        targets: Source,
        column: str | None,
        changed: Callable[[], None],
        try_sample: Callable[[], None] | None = None,
    ) -> None:
        self.column = column
        self._given: Source | None = None
        self._changed = changed
        self._folder: str | None = None
        self._uploads = 0
        #: A pasted text, and the file that it was written to if it is a table.
        self._read: tuple[str, Path | None] = ("", None)
        self._text = ipw.Textarea(
            placeholder="Paste domains or URLs, one a line, or a table with titles above: ledgerline.example/pricing",
            layout={"width": "calc(100% - 4px)", "height": "112px"},
        )
        self._text.add_class("toolkit-run-targets")
        self._upload = ipw.FileUpload(
            accept=_ACCEPTED,
            description="Upload a list",
            icon="upload",
            tooltip="A CSV, TSV, Parquet or text file",
            layout={"width": "160px"},
        )
        self._sample = ipw.Button(
            description="Try it with the sample sites",
            icon="flask",
            tooltip="Small made-up sites that come with the toolkit; nothing leaves this computer",
            layout={"width": "auto"},
        )
        self._has_sample = try_sample is not None
        if try_sample is not None:
            self._sample.on_click(lambda _: try_sample())
        self._hint = ipw.HTML("<span style='opacity:.75'>CSV, Parquet, or text with one a line</span>")
        self._named = ipw.HTML()
        self._column = ipw.Dropdown(
            description="Column",
            layout={"width": "340px", "max_width": "100%"},
            style={"description_width": "52px"},
        )
        self._remove = ipw.Button(description="Remove", icon="times", layout={"width": "100px"})
        self._file = ipw.HBox(
            [self._column, self._remove], layout={"flex_flow": "row wrap", "grid_gap": "4px 12px", "display": "none"}
        )
        self._text.observe(self._pasted, "value")
        self._upload.observe(self._uploaded, "value")
        self._column.observe(self._column_chosen, "value")
        self._remove.on_click(lambda _: self._removed())
        super().__init__(
            [
                self._text,
                ipw.HBox(
                    [self._upload, self._sample, self._hint], layout={"flex_flow": "row wrap", "grid_gap": "4px 12px"}
                ),
                self._named,
                self._file,
            ]
        )
        self.take(targets, column)

    @property
    def source(self) -> Source:
        """What is chosen, as `Client.run` takes it."""
        if self._given is not None:
            return self._given
        table = self._pasted_table()
        return split_targets(self._text.value) if table is None else table

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands there yet."""
        return self._given is None and not self._text.value.strip()

    @property
    def key(self) -> tuple[object, str | None]:
        """What tells this choice from another one."""
        return (self._text.value if self._given is None else id(self._given)), self.column

    @property
    def complaint(self) -> str:
        """What keeps this from being asked; empty where nothing does."""
        if self._given is None:
            return "" if self.source else "Paste domains or URLs first, or upload a file."
        try:
            open_targets(self._given, self.column)
        except InputError as error:
            return _choose_column(self._given) if self._is_column_open else str(error)
        return ""

    @property
    def disabled(self) -> bool:
        """Whether nothing else can be chosen now."""
        return bool(self._text.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        for control in (self._text, self._upload, self._sample, self._column, self._remove):
            control.disabled = disabled

    def take(self, targets: Source, column: str | None = None) -> None:
        """Choose targets: a text or a short list goes to the field, where it can be changed."""
        self.column, self._given = column, None
        if isinstance(targets, list | tuple) and len(targets) <= _MOST_IN_FIELD and _are_lines(targets):
            targets = "\n".join(targets)
        if isinstance(targets, str):
            self._text.value = targets
        else:
            self._given = targets
        self._offer_columns()
        self._show()
        self._changed()

    def delete_uploads(self) -> None:
        """Delete what was uploaded."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _is_column_open(self) -> bool:
        return self.column is None and len(self._column.options) > 1

    def _pasted(self, _: object) -> None:
        self._show()
        self._changed()

    def _pasted_table(self) -> Path | None:
        """Return the file of a pasted table, with a column that is surely of targets; None where it is a list."""
        text = self._text.value
        if self._read[0] != text:
            self._read = (text, None)
            if is_table(text):
                try:
                    path = keep_upload("pasted.csv", text.encode("utf-8", "replace"), self._next_folder())
                    open_targets(path)
                except InputError:
                    return None
                self._read = (text, path)
        return self._read[1]

    def _uploaded(self, change: Mapping[str, Any]) -> None:
        for entry in change["new"]:
            try:
                path = keep_upload(str(entry["name"]), bytes(entry["content"]), self._next_folder())
            except InputError as error:
                self._named.value = notice(str(error))
            else:
                self.take(path)

    def _removed(self) -> None:
        self._upload.value = ()
        self.take("")

    def _next_folder(self) -> Path:
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="toolkit-upload-")
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._uploads += 1
        # A folder each: files of the same name are different choices.
        return Path(self._folder) / str(self._uploads)

    def _offer_columns(self) -> None:
        titles = list(dict.fromkeys(column_titles(self._given)))
        found = self.column
        if found is None and self._given is not None and len(titles) > 1:
            found = _found_column(self._given, titles)
        options = [(shortened(printable(title), _LONGEST_TITLE) or "(no title)", title) for title in titles]
        # New options choose the first of them, which nobody did.
        self._column.unobserve(self._column_chosen, "value")
        self._column.options = options if len(titles) > 1 else ()
        self._column.value = found if len(titles) > 1 and found in titles else None
        self._column.observe(self._column_chosen, "value")

    def _column_chosen(self, change: Mapping[str, Any]) -> None:
        if self._given is not None and change["new"] is not None and change["new"] != self.column:
            self.column = change["new"]
            self._show()
            self._changed()

    def _show(self) -> None:
        given = self._given is not None
        self._text.layout.display = "none" if given else ""
        self._sample.layout.display = "" if self._has_sample and self.is_empty else "none"
        self._file.layout.display = "" if given else "none"
        self._column.layout.display = "" if self._column.options else "none"
        table = self._pasted_table() if self._given is None else None
        self._named.value = "" if table is None else _named(open_targets(table))
        if self._given is not None:
            complaint = self.complaint
            self._named.value = notice(complaint) if complaint else _named(open_targets(self._given, self.column))


def _are_lines(targets: list[Any] | tuple[Any, ...]) -> bool:
    return all(isinstance(target, str) and "\n" not in target for target in targets)


def _choose_column(source: Source) -> str:
    name = source.name if isinstance(source, Path) else "The table"
    return f"{printable(name)}: choose the column that holds the domains or URLs."


def _found_column(source: Source, titles: list[str]) -> str | None:
    """Return the title of the column that `open_targets` finds."""
    try:
        name = open_targets(source).name
    except InputError:
        return None
    return next((title for title in titles if name.endswith(f", column {printable(title)}")), None)


def _named(source: TargetSource) -> str:
    count = "" if source.count is None else f", {source.count:,} rows"
    return f"<b>List:</b> {escaped(source.name)}{count}"
