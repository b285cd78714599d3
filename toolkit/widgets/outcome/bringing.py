"""Brings what was opened into view: below a table nobody would see that it is there."""

from __future__ import annotations

from typing import Any

import anywidget

__all__ = ["IntoView"]


class IntoView(anywidget.AnyWidget):
    """Nothing to see. It stands above what is opened, and the page scrolls to it when it is told to."""

    _esm: Any = """
    export default {
      render({ model, el }) {
        // A little of the table above stays in view: the next row is chosen there.
        el.style.scrollMarginTop = "150px";
        const show = () => setTimeout(() => {
          if (el.offsetParent) { el.scrollIntoView({ block: "start", inline: "nearest" }); }
        }, 300);  // until what was opened has its place
        model.on("msg:custom", show);
        return () => model.off("msg:custom", show);
      }
    };
    """

    def show(self) -> None:
        """Let the page scroll to it."""
        self.send({"show": True})
