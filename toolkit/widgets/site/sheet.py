"""The face of a site's card: headings, values with their basis, and a button for each value that has reasons."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Sheet"]


def _text(name: str) -> str:
    return (files("toolkit.widgets.site") / "assets" / name).read_text(encoding="utf-8")


class Sheet(anywidget.AnyWidget):
    """What is known of a site, as `content` says it.

    `ask` is called with the number of a value whose button is pressed, `read` where the page's text is wanted.
    """

    content = traitlets.Dict().tag(sync=True)
    _esm: Any = _text("card.js")
    _css: Any = _text("card.css")

    def __init__(self, ask: Callable[[int], None], read: Callable[[], None]) -> None:
        super().__init__()
        self._ask, self._read = ask, read
        self.on_msg(self._told)

    def _told(self, _: Any, content: Any, __: Any) -> None:
        kind = content.get("type") if isinstance(content, dict) else None
        if kind == "read":
            self._read()
        elif kind == "why" and isinstance(content.get("number"), int):
            self._ask(content["number"])
