"""Compressed bodies, unpacked in pieces of bounded size, so that a small body cannot unfold into the memory."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

from toolkit.service.pages.problems import FetchProblem

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Iterator

__all__ = ["unpacked"]

_PIECE: Final = 65_536
#: Bytes at the beginning of a stream that tell its format.
_HEAD: Final = 2
_GZIP_HEAD: Final = b"\x1f\x8b"
_GZIP_OR_ZLIB: Final = 47
_ZLIB: Final = 15
_BARE: Final = -15


async def unpacked(stream: AsyncIterable[bytes], encoding: str) -> AsyncIterator[bytes]:
    """Yield a body as it was before its ``Content-Encoding``, a compressed one in pieces of at most 65,536 bytes.

    An encoding that was not asked for, and a body that is damaged or cut off, is a `FetchProblem`.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        async for chunk in stream:
            yield chunk
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise FetchProblem(f"the site sent the encoding {encoding}, which was not asked for")
    unpacker = _Unpacker(gzip=encoding != "deflate")
    async for chunk in stream:
        for piece in unpacker.feed(chunk):
            yield piece
    unpacker.finish()


class _Unpacker:
    """Unpacks the members of a body one after another."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._head = b""
        self._unpack: Any = None
        self._members = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what a chunk unfolds into."""
        pending = chunk
        while pending:
            if self._unpack is None:
                self._head += pending
                if len(self._head) < _HEAD:
                    return
                pending, self._head = self._head, b""
                if not self._starts_member(pending):
                    # What follows the last member is padding.
                    self._head = b""
                    return
                self._unpack = zlib.decompressobj(wbits=self._format(pending))
            yield from self._member(pending)
            pending = self._unpack.unused_data
            if self._unpack.eof:
                self._unpack = None
                self._members += 1

    def finish(self) -> None:
        """Check that the body was whole."""
        if self._unpack is not None or not self._members:
            raise FetchProblem("the compressed body is cut off")

    def _starts_member(self, data: bytes) -> bool:
        return not self._members or (self._gzip and data.startswith(_GZIP_HEAD))

    def _format(self, data: bytes) -> int:
        if self._gzip:
            return _GZIP_OR_ZLIB
        # "deflate" without its wrapping, as some servers send it; its first byte never looks like zlib's.
        is_zlib = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:_HEAD]) % 31 == 0
        return _ZLIB if is_zlib else _BARE

    def _member(self, pending: bytes) -> Iterator[bytes]:
        full = True
        # A full piece may leave more inside, although all of the input has been taken.
        while (pending or full) and not self._unpack.eof:
            try:
                piece: bytes = self._unpack.decompress(pending, _PIECE)
            except zlib.error:
                raise FetchProblem("the compressed body is damaged") from None
            yield piece
            pending, full = self._unpack.unconsumed_tail, len(piece) == _PIECE
