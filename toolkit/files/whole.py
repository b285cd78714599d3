"""Files that are whole or not there: an earlier file stays until the new one is written."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from toolkit.files.sqlite import make_private
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["whole_file"]


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
        part.unlink(missing_ok=True)
        words = error.strerror or str(error)
        raise InputError(f"{place} cannot be written: {words}. Name another file.") from None
    except BaseException:
        part.unlink(missing_ok=True)  # also of what the user stopped
        raise
