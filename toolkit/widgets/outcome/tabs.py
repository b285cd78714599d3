"""What the RunPanel shows below the headlines: all findings, sites, and widgets over the run, filled when opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.widgets.given import run_frames
from toolkit.widgets.lookup.view import notice

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.run import Run
    from toolkit.widgets.beside import Beside

    Material = tuple[dict[str, pd.DataFrame], Vocabulary]

__all__ = ["STYLE", "Page", "RunTabs", "material_of"]

TABS: Final = "toolkit-tabs"
#: In a narrow window tabs stand on two lines; by default they would be cut.
STYLE: Final = (
    f"<style>.{TABS} > .lm-TabBar, .{TABS} > .lm-TabBar > .lm-TabBar-content {{ height: auto; min-height: 0; "
    f"max-height: none; flex-wrap: wrap; }} "
    f".jupyter-widgets.jupyter-widget-tab.{TABS} > .lm-TabBar .lm-TabBar-tab "
    "{ flex: 0 0 auto; max-width: none; }</style>"
)

_OPENING: Final = "<div role='status'>Opening …</div>"


@dataclass(frozen=True, slots=True)
class Page:
    """What a tab shows."""

    name: str
    #: Makes it; what takes the material of findings is made when that was read beside the kernel's loop.
    make: Callable[[], ipw.Widget] | Callable[[Material], ipw.Widget]
    #: How many there are of what it shows; None where nothing is counted.
    count: int | None = None
    needs_material: bool = False

    @property
    def title(self) -> str:
        """What stands on the tab."""
        return self.name if self.count is None else f"{self.name} ({self.count:,})"


def material_of(run: Run) -> Material | str:
    """Return the frames and the vocabulary that widgets over a run are made of, or what went wrong."""
    # Statistics and charts take seconds to load: here, where nobody waits for the kernel.
    from toolkit.widgets.findings import compare, coverage  # noqa: F401, PLC0415
    from toolkit.widgets.segments import builder  # noqa: F401, PLC0415

    try:
        return run_frames(run), run.vocabulary
    except ToolkitError as error:
        return str(error)


class RunTabs(ipw.Tab):  # type: ignore[misc]  # the base class has no types
    """Tabs that are filled when they are opened; what one shows stays until the next run."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside
        self._run: Run | None = None
        self._pages: tuple[Page, ...] = ()
        self._material: Material | None = None
        self._filled: set[str] = set()
        self._places: tuple[ipw.VBox, ...] = ()
        self._is_due = False
        super().__init__()
        self.add_class(TABS)
        self.observe(lambda _: self._fill(), "selected_index")

    @property
    def names(self) -> list[str]:
        """The tabs that there are."""
        return [page.name for page in self._pages]

    @property
    def opened(self) -> ipw.Widget | None:
        """What the open tab shows; None where it shows nothing yet."""
        if self.selected_index is None or self._pages[self.selected_index].name not in self._filled:
            return None
        widget: ipw.Widget | None = next(iter(self._places[self.selected_index].children), None)
        return widget

    @property
    def disabled(self) -> bool:
        """Whether nothing can be filled now."""
        return self._beside.is_busy

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        # A tab that was opened while something else was under way is filled when that ended.
        if not disabled and self._is_due:
            self._fill()

    def take(self, run: Run | None, pages: tuple[Page, ...] = ()) -> None:
        """Show the tabs of a run, the first of them open, and close what is shown of an earlier one."""
        self._run, self._material, self._is_due = run, None, False
        old = self._places
        # While children and titles change, no tab may be selected that is not there.
        self.selected_index = None
        self._pages, self._filled = pages, set()
        self._places = tuple(ipw.VBox() for _ in pages)
        self.children = self._places  # which opens the first
        self.titles = [page.title for page in pages]
        for widget in old:
            _close(widget)
        self.selected_index = 0 if pages else None

    def go_to(self, name: str) -> ipw.Widget | None:
        """Open a tab by its name, and return what it shows as far as it is there."""
        self.selected_index = self.names.index(name)
        return self.opened

    def renew(self, name: str) -> None:
        """Let a tab be filled anew: what it was made of has changed."""
        if name in self._filled:
            self._filled.discard(name)
            self._fill()

    def _fill(self) -> None:
        """Fill the open tab, if nothing is in it yet."""
        self._is_due = False
        if self.selected_index is None or self._run is None:
            return
        page, place, run = self._pages[self.selected_index], self._places[self.selected_index], self._run
        if page.name in self._filled:
            return
        if not page.needs_material:
            self._put(page, place, ())
        elif self._material is not None:
            self._put(page, place, (self._material,))
        elif self._beside.is_busy:
            self._is_due = True
        else:
            place.children = (ipw.HTML(_OPENING),)
            self._beside.do(lambda: material_of(run), lambda found: self._read(run, page, place, found))

    def _read(self, run: Run, page: Page, place: ipw.VBox, found: Material | str) -> None:
        if run is not self._run:
            return
        if isinstance(found, str):
            place.children = (ipw.HTML(notice(found)),)
            return
        self._material = found
        self._put(page, place, (found,))
        # The user may have gone on to another tab meanwhile.
        self._is_due = True

    def _put(self, page: Page, place: ipw.VBox, given: tuple[Any, ...]) -> None:
        old = place.children
        try:
            widget: ipw.Widget = page.make(*given)
        except ToolkitError as error:
            widget = ipw.HTML(notice(str(error)))
        self._filled.add(page.name)
        place.children = (widget,)
        for one in old:
            _close(one)


def _close(widget: ipw.Widget) -> None:
    """Close a widget and what is in it."""
    for child in getattr(widget, "children", ()):
        _close(child)
    widget.close()
