"""Places on slides, all of them parts of the slide's size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

__all__ = ["Box", "Grid", "grid_of"]

#: Parts of the slide's width and height: free at its edges, between two boxes, and where bands begin and end.
_MARGIN, _GAP = 0.045, 0.028
_TITLE, _AREA, _FOOTER = (0.065, 0.17), (0.245, 0.9), (0.922, 0.058)
_NUMBER: Final = 0.06
#: The part of a picture that has a text beside it.
_PICTURE: Final = 0.665


class Box(NamedTuple):
    """A place in EMU."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """Where it ends."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """Where it ends below."""
        return self.top + self.height

    def meets(self, other: Box) -> bool:
        """Return whether two places share some of their area."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class Grid:
    """Where things stand on a slide with a title."""

    title: Box
    #: What is below the title and above the footer.
    area: Box
    footer: Box
    number: Box

    @property
    def picture(self) -> Box:
        """The left part of the area."""
        return self.area._replace(width=int(self.area.width * _PICTURE))

    @property
    def side(self) -> Box:
        """The right part of the area."""
        left = self.picture.right + int(self.area.width * _GAP)
        return Box(left, self.area.top, self.area.right - left, self.area.height)


def grid_of(width: int, height: int, *, logo: int = 0) -> Grid:
    """Return the grid of slides of a size; with the width that a logo takes from the title."""
    left, full = int(width * _MARGIN), int(width * (1 - 2 * _MARGIN))
    number = Box(
        left + full - int(width * _NUMBER), int(height * _FOOTER[0]), int(width * _NUMBER), int(height * _FOOTER[1])
    )
    return Grid(
        Box(left, int(height * _TITLE[0]), full - logo, int(height * _TITLE[1])),
        Box(left, int(height * _AREA[0]), full, int(height * (_AREA[1] - _AREA[0]))),
        Box(left, number.top, number.left - left - int(width * _GAP), number.height),
        number,
    )
