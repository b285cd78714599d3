"""The body of an answer: no larger than is allowed, packed or unpacked, and unpacked in steps that a timeout ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from toolkit.files.unpacking import ENCODINGS, Unpacker, UnpackingError

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Sequence

__all__ = ["LARGEST_ANSWER", "SMALL", "BodyError", "arrived", "unfolded"]

#: Bytes of an answer, unless the client says otherwise.
LARGEST_ANSWER: Final = 32_000_000
#: A smaller body is read in a moment, whatever it holds.
SMALL: Final = 1_000_000
#: Bytes for each value, list or object, and element of XML, that an answer of the largest size has at least. What a
#: number of them takes to read, no timeout can end: here about a second.
_OF_VALUE: Final = 12
_OF_BLOCK: Final = 32
_OF_ELEMENT: Final = 160
_FED: Final = 65_536
#: Pieces that are unpacked before others have their turn.
_AT_ONCE: Final = 16


class BodyError(Exception):
    """A body that is not taken; the message says why, and what to do."""


async def arrived(chunks: AsyncIterable[bytes], largest: int) -> bytes:
    """Read a body to its end; one that is larger than is allowed is a `BodyError`, and the rest is not read."""
    found, size = [], 0
    async for chunk in chunks:
        size += len(chunk)
        if size > largest:
            raise _too_large(largest)
        found.append(chunk)
    return b"".join(found)


async def unfolded(body: bytes, encodings: Sequence[str], largest: int) -> bytes:
    """Return a body as it was before the ``Content-Encoding`` headers; what cannot be had is a `BodyError`."""
    named = [name for line in encodings for part in line.split(",") if (name := part.strip().lower())]
    packed = [name for name in named if name != "identity"]
    if packed:
        body = await _unpacked(body, packed, largest)
    elif len(body) > largest:
        raise _too_large(largest)
    if len(body) > SMALL:
        _check_reading(body, largest)
    return body


async def _unpacked(body: bytes, encodings: Sequence[str], largest: int) -> bytes:
    if len(encodings) > 1:
        raise BodyError(
            f"the answer is packed {len(encodings)} times ({', '.join(encodings)[:80]}), which no service need do. "
            "Check the base URL, and what stands between here and the service."
        )
    if encodings[0] not in ENCODINGS:
        raise BodyError(
            f"the answer is packed as {encodings[0][:40]!r}, which was not asked for. "
            "Check the base URL, and what stands between here and the service."
        )
    unpacker = Unpacker(encodings[0])
    pieces, size, steps = [], 0, 0
    try:
        for start in range(0, len(body), _FED):
            for piece in unpacker.feed(body[start : start + _FED]):
                size, steps = size + len(piece), steps + 1
                if size > largest:
                    raise _too_large(largest)
                pieces.append(piece)
                if steps % _AT_ONCE == 0:
                    await asyncio.sleep(0)
        unpacker.finish()
    except UnpackingError as error:
        raise BodyError(f"the compressed answer is {error}. Try again.") from None
    return b"".join(pieces)


def _check_reading(body: bytes, largest: int) -> None:
    """Refuse a body that is made to take long to read: a few bytes may be a list, an object or an element each."""
    if body[:64].lstrip().startswith(b"<"):
        too_many = body.count(b"<") + body.count(b"=") > largest // _OF_ELEMENT
    else:
        too_many = body.count(b"[") + body.count(b"{") > largest // _OF_BLOCK or body.count(b",") > largest // _OF_VALUE
    if too_many:
        raise BodyError(
            f"the answer has more parts than one of {_size(largest)} may have. "
            "If the service does answer so, allow more with largest_answer=…."
        )


def _too_large(largest: int) -> BodyError:
    return BodyError(
        f"the answer is larger than {_size(largest)}. If the service does answer so, allow more with largest_answer=…."
    )


def _size(count: int) -> str:
    return f"{count / 1e6:,.3g} MB" if count >= 1_000_000 else f"{count:,} bytes"  # noqa: PLR2004 - a megabyte
