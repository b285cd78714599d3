"""Compressed bodies of pages, unpacked as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolkit.files.unpacking import ENCODINGS, Unpacker, UnpackingError
from toolkit.service.pages.problems import FetchProblem

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator

__all__ = ["unpacked"]


async def unpacked(stream: AsyncIterable[bytes], encoding: str) -> AsyncIterator[bytes]:
    """Yield a body as it was before its ``Content-Encoding``, a compressed one in pieces of at most 65,536 bytes.

    An encoding that was not asked for, and a body that is damaged or cut off, is a `FetchProblem`.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        async for chunk in stream:
            yield chunk
        return
    if encoding not in ENCODINGS:
        raise FetchProblem(f"the site sent the encoding {encoding}, which was not asked for")
    unpacker = Unpacker(encoding)
    try:
        async for chunk in stream:
            for piece in unpacker.feed(chunk):
                yield piece
        unpacker.finish()
    except UnpackingError as error:
        raise FetchProblem(f"the compressed body is {error}") from None
