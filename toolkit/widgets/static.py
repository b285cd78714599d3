"""What is seen of a widget where no kernel runs: on a code-hosting site, or in a notebook that is only read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from toolkit.widgets.keyboard import BOX, Keyboard

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROW", "StaticBox"]

#: Controls beside each other, on several lines where there is no room.
ROW = {"flex_flow": "row wrap", "grid_gap": "4px 12px", "align_items": "center"}


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
        nothing = f"<em>Run this cell to use the {type(self).__name__} widget.</em>"
        return {**data, "text/html": self.static_view() or nothing}
