"""Controls for how a report looks: a logo, two colours, a font, and the client's own template."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.reports.brand import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ReportLooks", "template_file"]

_WIDE: Final = {"description_width": "initial"}
_ROW: Final = {"flex_flow": "row wrap", "grid_gap": "4px 12px", "align_items": "center"}


@contextmanager
def template_file(template: bytes | None) -> Iterator[Path | None]:
    """Give the name of a file with an uploaded template, as long as it is needed; None for none."""
    if template is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="toolkit-template-") as folder:
        place = Path(folder) / "template.pptx"
        place.write_bytes(template)
        yield place


class ReportLooks(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """A logo, two colours, a font and a template, all of which may be left as they are."""

    def __init__(self) -> None:
        self._colour = ipw.ColorPicker(value=f"#{PLAIN.colour}", description="Colour", style=_WIDE)
        self._accent = ipw.ColorPicker(value=f"#{PLAIN.accent}", description="Second colour", style=_WIDE)
        self._font = ipw.Text(placeholder=PLAIN.font, description="Font", style=_WIDE, layout={"width": "180px"})
        self._logo = _upload("Logo (PNG or JPEG)", ".png,.jpg,.jpeg")
        self._template = _upload("Template (.pptx)", ".pptx")
        self._remove = ipw.Button(description="As it was", icon="undo", layout={"width": "110px"})
        self._remove.on_click(lambda _: self.clear())
        colours = ipw.HBox([self._colour, self._accent, self._font], layout=_ROW)
        super().__init__([colours, ipw.HBox([self._logo, self._template, self._remove], layout=_ROW)])

    @property
    def brand(self) -> dict[str, Any] | None:
        """What is chosen, as a report takes it; None where all is as it was."""
        brand = {
            "colours": (str(self._colour.value), str(self._accent.value)),
            "font": self._font.value.strip(),
            "logo": _uploaded(self._logo) or b"",
        }
        plain = {"colours": (f"#{PLAIN.colour}", f"#{PLAIN.accent}"), "font": "", "logo": b""}
        return None if brand == plain else brand

    @property
    def template(self) -> bytes | None:
        """The template that was uploaded; None for none."""
        return _uploaded(self._template)

    @property
    def disabled(self) -> bool:
        """Whether nothing can be chosen now."""
        return bool(self._remove.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        for control in (self._colour, self._accent, self._font, self._logo, self._template, self._remove):
            control.disabled = disabled

    def clear(self) -> None:
        """Take back what was chosen."""
        self._colour.value, self._accent.value = f"#{PLAIN.colour}", f"#{PLAIN.accent}"
        self._font.value, self._logo.value, self._template.value = "", (), ()


def _upload(words: str, accept: str) -> ipw.FileUpload:
    return ipw.FileUpload(description=words, accept=accept, multiple=False, layout={"width": "190px"})


def _uploaded(control: ipw.FileUpload) -> bytes | None:
    return bytes(control.value[0]["content"]) if control.value else None
