"""Controls that write the report of a run: a deck, a page or a workbook, beside the notebook."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.widgets.beside import in_this_loop
from toolkit.widgets.files import free_path, safe_name, saved_link
from toolkit.widgets.html import escaped
from toolkit.widgets.keyboard import SAID
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.run.groups import COLUMN, NOTHING
from toolkit.widgets.run.looks import ReportLooks, template_file
from toolkit.widgets.run.parts import OFFERED, PartsChooser

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolkit.run import Run
    from toolkit.widgets.beside import Beside

__all__ = ["CancelledError", "ReportMaker", "write_report_to"]

_KINDS: Final = {"PowerPoint deck": ".pptx", "Web page": ".html", "Excel workbook": ".xlsx"}
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_MEDIA: Final = {
    ".pptx": f"{_OFFICE}.presentationml.presentation",
    ".html": "text/html;charset=utf-8",
    ".xlsx": f"{_OFFICE}.spreadsheetml.sheet",
}
_DESCRIBED: Final = {"description_width": "initial"}
_ROW: Final = {"flex_flow": "row wrap", "grid_gap": "4px 6px", "align_items": "center"}


class CancelledError(Exception):
    """The user wants no report any more; nothing else is told by it."""


def write_report_to(
    run: Run,
    suffix: str,
    title: str,
    groups: Any = None,
    *,
    template: bytes | None = None,
    **options: Any,
) -> str:
    """Write a report under a name made from its title, and return as HTML where it is or what went wrong.

    `template` is an uploaded file; the other options are those of ``run.report``. A deck alone takes a template.
    """
    name = safe_name(title, "report")
    path = free_path(name, suffix)
    try:
        with template_file(template if suffix == ".pptx" else None) as base:
            written = run.report(path, title=title or None, groups=groups, template=base, **options)
    except ToolkitError as error:
        return notice(str(error))
    except CancelledError:
        return "Cancelled: nothing was written."
    kept = "" if path.stem == name else f" <code>{escaped(name + suffix)}</code>, made before, is still there."
    return (
        f"The report is in the folder <code>{escaped(str(written.resolve().parent))}</code>. "
        f"<b>Download</b>: {saved_link(written.name, written.read_bytes(), _MEDIA[written.suffix])}.{kept}"
    )


class ReportMaker(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """What a report is to say and how it looks, a button that makes it, and one that ends the making.

    `proofs` gives the sentences of the findings that it tells first; none for the usual choice.
    """

    def __init__(self, beside: Beside, proofs: Callable[[], Sequence[str]]) -> None:
        self._beside, self._proofs = beside, proofs
        self._run: Run | None = None
        self._groupings: dict[str, Any] = {}
        self._ending = Event()
        self._title = _text("Title", "empty: the number of sites", "236px")
        self._client = _text("Client", "for whom; may be empty", "210px")
        self._kind = _choice("Report", list(_KINDS.items()))
        self._by = _choice("Compare by", [NOTHING])
        self._parts, self._looks = PartsChooser(), ReportLooks()
        self._make = ipw.Button(
            description="Make report", icon="file", button_style="primary", layout={"width": "120px"}
        )
        self._cancel = ipw.Button(
            description="Cancel", icon="times", tooltip="End the making: nothing is written", layout={"width": "100px"}
        )
        self._bar = ipw.FloatProgress(min=0, max=1, layout={"width": "240px", "max_width": "100%"})
        self._words = ipw.HTML()
        self._words.add_class(SAID)
        self._making = ipw.HBox([self._bar, self._words, self._cancel], layout={**_ROW, "display": "none"})
        self._said = ipw.HTML()
        self._said.add_class(SAID)
        self._make.on_click(self._clicked)
        self._cancel.on_click(lambda _: self.cancel())
        folds = [_fold("Parts", "list", self._parts), _fold("Brand and template", "paint-brush", self._looks)]
        rows = [[self._title, self._client, self._kind, self._by], [*folds, self._make]]
        boxes = [ipw.HBox(row, layout=_ROW) for row in rows]
        super().__init__([*boxes, self._parts, self._looks, self._making, self._said])

    @property
    def disabled(self) -> bool:
        """Whether nothing can be done now."""
        return bool(self._make.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        self._make.disabled = self._parts.disabled = self._looks.disabled = disabled
        if not disabled:
            self._making.layout.display = "none"  # also where the making broke, and nothing is shown of it

    def focus_on_make(self) -> None:
        """Bring the button that makes the report into view, and the keyboard to it."""
        self._make.focus()

    @property
    def title(self) -> str:
        """The title that was typed."""
        return str(self._title.value).strip()

    @property
    def groups(self) -> Any:
        """The groups that are chosen, as a report takes them; None for nothing."""
        return self._groupings.get(self._by.value)

    @property
    def options(self) -> dict[str, Any]:
        """What else stands in the controls, as `write_report_to` takes it."""
        parts = self._parts.parts
        return {
            "client": str(self._client.value).strip(),
            "parts": None if parts == OFFERED else parts,
            "proofs": list(self._proofs()) or None,
            "brand": self._looks.brand,
            "template": self._looks.template,
        }

    def take(self, run: Run, groupings: Mapping[str, Any]) -> None:
        """Take the run that the next report is of, and the ways to group its sites."""
        self._run, self._groupings = run, dict(groupings)
        chosen = self._by.value
        self._by.options = [NOTHING, *groupings]
        self._by.value = chosen if chosen in groupings else NOTHING
        self._said.value = ""

    def on_groups(self, act: Callable[[], None]) -> None:
        """Let something be done when other groups are chosen."""
        self._by.observe(lambda _: act(), "value")

    def cancel(self) -> None:
        """End the making at its next step; nothing is left behind."""
        self._ending.set()
        self._cancel.disabled = True
        self._words.value = "Cancelling …"

    def _clicked(self, _: ipw.Button) -> None:
        run, title, suffix, options = self._run, self.title, str(self._kind.value), self.options
        groups = getattr(self.groups, "attrs", {}).get(COLUMN, self.groups)
        if self._beside.is_busy or run is None:
            return
        self._ending.clear()
        in_place = in_this_loop()

        def progress(done: float, words: str) -> None:
            """Show how far the report is; called in the thread that makes it."""
            if self._ending.is_set():
                raise CancelledError
            in_place(self._show_progress, done, words)

        self._said.value = "Writing the report …"
        self._show_progress(0, "")
        self._cancel.disabled = False
        self._making.layout.display = ""
        self._beside.do(lambda: write_report_to(run, suffix, title, groups, progress=progress, **options), self._show)

    def _show_progress(self, done: float, words: str) -> None:
        self._bar.value = done
        if not self._ending.is_set():
            self._words.value = escaped(words)

    def _show(self, found: str) -> None:
        self._making.layout.display = "none"
        self._said.value = found


def _text(name: str, placeholder: str, width: str) -> ipw.Text:
    layout = {"width": width, "max_width": "100%"}
    return ipw.Text(placeholder=placeholder, description=name, layout=layout, style=_DESCRIBED)


def _choice(name: str, options: list[Any]) -> ipw.Dropdown:
    layout = {"width": "auto", "max_width": "100%"}
    return ipw.Dropdown(options=options, description=name, layout=layout, style=_DESCRIBED)


def _fold(words: str, icon: str, body: ipw.Widget) -> ipw.ToggleButton:
    """Return a button that opens and closes what is folded."""
    button = ipw.ToggleButton(description=words, icon=icon, layout={"width": "auto"})
    body.layout.display = "none"

    def toggled(change: Mapping[str, Any]) -> None:
        body.layout.display = "" if change["new"] else "none"

    button.observe(toggled, "value")
    return button
