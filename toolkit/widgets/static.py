"""What is seen of a widget where no kernel runs: on a code-hosting site, or in a notebook that is only read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.interface.text import text_block
from toolkit.widgets.keyboard import BOX, STATIC, Keyboard

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROW", "StaticBox", "StaticView"]

#: Controls beside each other, on several lines where there is no room.
ROW = {"flex_flow": "row wrap", "grid_gap": "4px 12px", "align_items": "center"}


#: A widget that its kernel has left stays in the page with buttons that do nothing: the view takes its place.
_LEFT: Final = f".jp-OutputArea-child:has(.{BOX}.jupyter-widgets-disconnected)"
_STYLE: Final = (
    f"<style>{_LEFT}:has(~ .jp-OutputArea-child .{STATIC}) {{ display: none; }} "
    f"{_LEFT} ~ .jp-OutputArea-child:has(.{STATIC}) {{ display: table; }}</style>"
)


class StaticView:
    """What is seen of a widget without its kernel, as an output of its own beneath it, which can be renewed.

    The widget's own output is fixed when the cell is run. Of the two, one alone is seen: the widget while it lives.
    """

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, html: str) -> None:
        """Put it beneath what the cell that is running has shown."""
        from IPython.display import HTML, display  # noqa: PLC0415 - only in a notebook

        self._handle = display(HTML(_static(html)), display_id=True)  # type: ignore[no-untyped-call]

    def renew(self, html: str) -> None:
        """Show another view in its place, where one is shown."""
        if self._handle is not None:
            from IPython.display import HTML  # noqa: PLC0415 - only in a notebook

            self._handle.update(HTML(_static(html)))  # type: ignore[no-untyped-call]


def _static(html: str) -> str:
    """Return a view in the box by which it is hidden while the widget lives."""
    seen = f"{_STYLE}<p><em>As last seen. To go on, run this cell again.</em></p>{html}" if html else ""
    return text_block(seen, name=STATIC)


class StaticBox(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """A box of controls that keeps its keys, and leaves a static view of what it shows in the notebook."""

    def __init__(self, children: Sequence[ipw.Widget]) -> None:
        super().__init__([*children, Keyboard()])
        self.add_class(BOX)

    def static_view(self) -> str:
        """Return what the widget shows now as HTML; empty where it shows nothing yet."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        bundle = super()._repr_mimebundle_(**options)
        data: dict[str, Any] = bundle[0] if isinstance(bundle, tuple) else bundle
        nothing = (
            f"<em>Run this cell to use the {type(self).__name__} widget. If it was run already, choose File → Trust "
            "Notebook: an untrusted notebook shows no widgets.</em>"
        )
        return {**data, "text/html": text_block(self.static_view() or nothing)}
