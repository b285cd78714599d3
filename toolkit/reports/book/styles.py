"""How cells of a workbook look: the brand's colours and font, and a format for each kind of value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit.charts.colours import INK, PAPER, QUIET
from toolkit.reports.contrast import contrast

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook

    from toolkit.reports.brand import Brand
    from toolkit.reports.words import Form

__all__ = ["FORMATS", "Styles", "ink_on", "read_on_paper"]

#: Shares from 0 to 1 are percentages by their format; points are written times a hundred, for no format does that.
FORMATS: Final[dict[Form, str]] = {
    "text": "General",
    "whole": "#,##0",
    "number": "#,##0.0##",
    "percent": "0.0 %",
    "points": "+0;\N{MINUS SIGN}0;0",
}
_DAY: Final = "yyyy-mm-dd"
_TIME: Final = "yyyy-mm-dd hh:mm"
#: Least contrast of small letters, as WCAG asks for it.
_LEGIBLE: Final = 4.5
_LINE: Final = "#D9D9D9"


class Styles:
    """The formats of one workbook."""

    def __init__(self, workbook: Workbook, brand: Brand) -> None:
        colour = f"#{brand.colour}"
        self._workbook = workbook
        self._base = {"font_name": brand.font, "font_size": 11, "font_color": INK, "valign": "top"}
        heading = {"bold": True, "font_color": read_on_paper(colour), "text_wrap": True}
        self.plain = self._add()
        self.text = self._add(text_wrap=True, quote_prefix=True)
        self.left = self._add(align="left", num_format=FORMATS["whole"])
        self.caption = self._add(bold=True, text_wrap=True)
        self.soft = self._add(text_wrap=True, font_color="#4A4A4A")
        self.name = self._add(bold=True, text_wrap=True)
        self.code = self._add(text_wrap=True, font_name="Consolas", quote_prefix=True)
        self.title = self._add(**heading, font_size=16)
        self.answer = self._add(text_wrap=True, font_size=14)
        self.section = self._add(**{**heading, "text_wrap": False}, font_size=13, bottom=1, bottom_color=colour)
        self.link = self._add(font_color=read_on_paper(colour), underline=1)
        heads = {form: self.head_in(colour, form) for form in FORMATS}
        self._heads = heads, {**heads, "text": self.head_in(colour, indent=1)}
        self.date = self._add(num_format=_DAY, align="left")
        self.time = self._add(num_format=_TIME, align="left")
        #: Texts of a table stand in one line, so that its rows are of one height.
        self.cells = {form: self._add(num_format=code, **_aligned(form)) for form, code in FORMATS.items()}
        #: Behind the first column, texts keep away from the number before them.
        self._texts = {True: (self.text, self._add(text_wrap=True, quote_prefix=True, indent=1))}
        self._texts[False] = (self.cells["text"], self._add(quote_prefix=True, indent=1))
        self.shaded = {strong: self._shaded(is_strong=strong) for strong in (False, True)}

    def head_at(self, place: int, form: Form) -> Format:
        """Return the format of the heading of a column, by its place and the form of its values."""
        return self._heads[place > 0][form]

    def text_at(self, place: int, *, is_long: bool) -> Format:
        """Return the format of a text in a column, by the column's place; a long one has several lines."""
        return self._texts[is_long][place > 0]

    def head_in(self, colour: str, form: Form = "text", *, indent: int = 0) -> Format:
        """Return the format of a heading on a colour, such as a group's, above values of a form."""
        look = {"bold": True, "font_color": ink_on(colour), "bg_color": colour, "text_wrap": True, "valign": "vcenter"}
        return self._add(**{"indent": indent, **_aligned(form), **look})

    def _shaded(self, *, is_strong: bool) -> Format:
        edge = {"border": 1, "border_color": _LINE, "align": "center"}
        return self._add(**edge, num_format=FORMATS["points"], bold=is_strong, font_color=INK if is_strong else QUIET)

    def _add(self, **look: Any) -> Format:
        return self._workbook.add_format({**self._base, **look})


def _aligned(form: Form) -> dict[str, Any]:
    """Return where values of a form stand: numbers not at the very edge, where texts of the next column begin."""
    return {"quote_prefix": True} if form == "text" else {"align": "right", "indent": 1}


def ink_on(colour: str) -> str:
    """Return the ink that is read best on a colour.

    Examples
    --------
    >>> ink_on("#00507D"), ink_on("#FFE600")
    ('#ffffff', '#1b1b1b')
    """
    return max((PAPER, INK), key=lambda ink: contrast(ink, colour))


def read_on_paper(colour: str) -> str:
    """Return a colour if it is read on white, and otherwise the ink."""
    return colour if contrast(colour, PAPER) >= _LEGIBLE else INK
