"""Files that are whole or not there: an earlier file stays until the new one is written."""

from __future__ import annotations

import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from toolkit.files.sqlite import make_private
from toolkit.interface.checks import check_path
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

__all__ = ["named_file", "whole_file"]


def named_file(path: str | PathLike[str], example: str) -> Path:
    r"""Return where a file is to be written, or refuse what is no name of one, and what is there and is no file.

    >>> named_file("report\0.html", "report.html")
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: 'report\x00.html' cannot be the name of a file. Name another file.
    """
    check_path(path, example)
    place = Path(path)
    try:
        mode = place.stat().st_mode
    except OSError:  # it is missing, or cannot be written, which is told where it is
        return place
    except ValueError:
        raise InputError(f"{str(place)!r} cannot be the name of a file. Name another file.") from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{place} is a folder. Name a file in it.")
    if not stat.S_ISREG(mode):
        raise InputError(f"{place} is a device or a pipe, and would be replaced by a file. Name another file.")
    return place


@contextmanager
def whole_file(place: Path, *, private: bool = False) -> Iterator[Path]:
    """Give a place to write to, beside the file's own; after the block it is renamed.

    A `private` one is its owner's only, from its first byte on. What cannot be written is an `InputError`.
    """
    part = place.with_name(f"{place.name}.part")
    try:
        if private:
            part.unlink(missing_ok=True)  # it may be left from an earlier attempt, for others to read
            make_private(part)
        yield part
        part.replace(place)
    except OSError as error:
        words = error.strerror or str(error)
        raise InputError(f"{place} cannot be written: {words}. Name another file.") from None
    finally:
        # It is there still where anything failed or the user stopped it; where nothing can be written, it never was.
        with suppress(OSError):
            part.unlink(missing_ok=True)
