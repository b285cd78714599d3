"""How a report looks: a logo, two colours and a font."""

from __future__ import annotations

import io
import re
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from toolkit.interface.errors import InputError, need

__all__ = ["PLAIN", "Brand", "brand_of"]

_COLOUR: Final = re.compile(r"#?[0-9A-Fa-f]{6}")
_FONT: Final = re.compile(r"[\w .-]{1,60}")
_PICTURES: Final = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}
_LARGEST_LOGO: Final = 2_000_000
#: What a file that is no picture raises while it is read.
_FAULTS: Final = (OSError, ValueError, SyntaxError, KeyError, EOFError, zlib.error, struct.error)
#: A small file can be a picture that fills the memory.
_MOST_PIXELS: Final = 25_000_000
_FIELDS: Final = ("logo", "colours", "font")


@dataclass(frozen=True, slots=True)
class Brand:
    """A logo, two colours and a font.

    Parameters
    ----------
    logo : bytes
        A PNG or JPEG file; empty for none.
    colour : str
        Six hexadecimal digits: of titles, edges and what is highlighted.
    accent : str
        The same, of marks beside it.
    font : str
        Its name, as it is installed where the report is read; the page and the slides name others behind it.
    """

    logo: bytes = b""
    colour: str = "00507D"
    accent: str = "D55E00"
    font: str = "Calibri"

    @property
    def media_type(self) -> str:
        """The kind of the logo's file."""
        return f"image/{next(kind for start, kind in _PICTURES.items() if self.logo.startswith(start))}"


#: What a report looks like where nobody asks for anything else.
PLAIN: Final = Brand()


def brand_of(given: Any) -> Brand:
    """Return how a report is to look: from nothing, a `Brand`, or a mapping with ``logo``, ``colours`` and ``font``.

    Raises
    ------
    InputError
        If something else is given, the logo is no picture that can be read, or a colour or font is none.

    Examples
    --------
    >>> brand_of({"colours": ["#123456"], "font": "Inter"}).colour
    '123456'
    """
    if given is None:
        return PLAIN
    if isinstance(given, Brand):
        given = {"logo": given.logo, "colours": (given.colour, given.accent), "font": given.font}
    if not isinstance(given, dict) or set(given) - set(_FIELDS):
        raise InputError(
            f"brand must be a mapping with {', '.join(_FIELDS[:-1])} and {_FIELDS[-1]}, each of which may be left out, "
            f"not {given!r:.80}."
        )
    colours = given.get("colours") or ()
    colours = [colours] if isinstance(colours, str) else list(colours)
    colours = [str(colour) for colour in colours] + [PLAIN.colour, PLAIN.accent][len(colours) :]
    for colour in colours:
        if not _COLOUR.fullmatch(colour):
            raise InputError(f"{colour!r:.40} is no colour of a brand. Write it as #00507D.")
    font = given.get("font") or PLAIN.font
    if not isinstance(font, str) or not _FONT.fullmatch(font):
        raise InputError(f"{font!r:.80} is no name of a font. Write it as the font menu does, such as Calibri.")
    primary, accent = (colour.removeprefix("#").upper() for colour in colours[:2])
    return Brand(_logo(given.get("logo")), primary, accent, font)


def _logo(given: Any) -> bytes:
    if given is None or given == b"":
        return b""
    if isinstance(given, str | Path):
        try:
            given = Path(given).read_bytes()
        except OSError as error:
            raise InputError(f"The logo {str(given)!r:.120} cannot be read: {error.strerror}. Name a file.") from None
    if not isinstance(given, bytes) or not given.startswith(tuple(_PICTURES)):
        raise InputError("The logo is neither a PNG nor a JPEG file. Save it as one of these.")
    if len(given) > _LARGEST_LOGO:
        raise InputError(f"The logo has {len(given):,} bytes. Save it smaller: {_LARGEST_LOGO:,} at most.")
    _check_picture(given)
    return given


def _check_picture(logo: bytes) -> None:
    """Refuse what no reader of pictures can read to its end, before anything is made of it."""
    need("office", "A logo", "PIL", otherwise=", or leave the logo out")
    from PIL import Image  # noqa: PLC0415 - only where there is a logo

    try:
        with Image.open(io.BytesIO(logo), formats=("PNG", "JPEG")) as picture:
            width, height = picture.size
            if width * height <= _MOST_PIXELS:
                picture.load()
    except (*_FAULTS, Image.DecompressionBombError):
        raise InputError("The logo cannot be read as a picture. Save it again as PNG or JPEG.") from None
    if width * height > _MOST_PIXELS:
        raise InputError(
            f"The logo has {width:,} by {height:,} points. Save it smaller: {_MOST_PIXELS:,} points at most."
        )
