"""A brand that stands in a file: a .toml or .json with a logo, colours and a font."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, Final

from toolkit.interface.errors import InputError
from toolkit.reports.brand import Brand, brand_of

__all__ = ["read_brand"]

#: Bytes: three short lines are meant.
_LARGEST: Final = 64_000
_READERS: Final = {".toml": tomllib.loads, ".json": json.loads}


def read_brand(path: str | Path) -> Brand:
    r"""Return the brand that a file describes; its logo is a PNG or JPEG file, named as seen from that file.

    Raises
    ------
    InputError
        If the file cannot be read, is too large or is no such description, or what it says is refused by
        `toolkit.reports.brand.brand_of`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     place = Path(folder, "brand.toml")
    ...     _ = place.write_text('colours = ["#123456", "#D55E00"]\nfont = "Inter"', encoding="utf-8")
    ...     read_brand(place).font
    'Inter'
    """
    place = Path(path)
    end = place.suffix.lower()
    if end not in _READERS:
        raise InputError(f"The brand {place.name!r:.120} must be a file that ends in .toml or .json. Name one.")
    try:
        with place.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise InputError(f"The brand {place} cannot be read: {error.strerror}. Name another file.") from None
    if len(data) > _LARGEST:
        raise InputError(f"The brand {place} has more than {_LARGEST:,} bytes. Name a file with three lines.")
    try:
        said: Any = _READERS[end](data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"The brand {place} is no {end[1:].upper()}: {error!s:.200}. Mend it.") from None
    if not isinstance(said, dict):
        raise InputError(f"The brand {place} is no table of names and values. Write logo, colours and font into it.")
    logo = said.get("logo")
    if logo is not None and not isinstance(logo, str):
        raise InputError(f"The logo in the brand {place} must be the name of a file, not {logo!r:.80}.")
    return brand_of(said | ({"logo": place.parent / logo} if logo else {"logo": None}))
