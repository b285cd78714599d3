"""The files of a segment that was built, to hand over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.segments.definition import Segment
from toolkit.segments.export import export_segment
from toolkit.widgets.files import saved_link
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.segments.step import SegmentStep

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.segments.plan import SitePlan

__all__ = ["ExportStep", "written_segment"]

_HINT: Final = "<span style='opacity:.75'>.csv, .xlsx or .json</span>"
#: A link saves the file under its name whatever its type.
_MEDIA: Final = "application/octet-stream"


class ExportStep(SegmentStep):
    """A file name and a button that writes the segment's files.

    `plan` gives the plan that is handed over too, or None.
    """

    def __init__(
        self, frames: Mapping[str, pd.DataFrame], vocabulary: Vocabulary, plan: Callable[[], SitePlan | None]
    ) -> None:
        self._frames, self._vocabulary, self._plan = frames, vocabulary, plan
        self._file = ipw.Text(value="segment.csv", description="File", layout={"width": "260px"})
        self._file.style.description_width = "36px"
        self._export = ipw.Button(description="Export", icon="download", layout={"width": "100px"})
        self._export.on_click(self._clicked)
        super().__init__([self._file, self._export], "Writing …", _HINT)

    def _clicked(self, _: ipw.Button) -> None:
        path, plan = self._file.value.strip(), self._plan()
        self._do(lambda text: written_segment(self._frames, text, self._vocabulary, path, plan), self._show)

    def _show(self, said: str) -> None:
        self._said.value = said


def written_segment(
    frames: Mapping[str, pd.DataFrame], text: str, vocabulary: Vocabulary, path: str, plan: SitePlan | None = None
) -> str:
    """Write a segment's files, and return as HTML where they are and links to them, or what went wrong."""
    try:
        files = export_segment(
            Segment.parse(text, vocabulary),
            frames.get("codes"),
            Path(path).expanduser(),
            vocabulary=vocabulary,
            categories=frames.get("categories"),
            plan=plan,
        )
        links = [saved_link(file.name, file.read_bytes(), _MEDIA) for file in files]
    except ToolkitError as error:
        return notice(str(error))
    folder = escaped(str(files[0].resolve().parent))
    many = "The file is" if len(files) == 1 else f"{len(files)} files are"
    return f"{many} in the folder <code>{folder}</code>. <b>Download</b>: {', '.join(links)}"
