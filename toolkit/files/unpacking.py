"""Packed bytes, unpacked in pieces of bounded size, so that a few of them cannot unfold into the memory."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ENCODINGS", "Unpacker", "UnpackingError", "most_of", "unpacked"]

#: What a ``Content-Encoding`` may name.
ENCODINGS: Final = ("gzip", "x-gzip", "deflate")
_PIECE: Final = 65_536
#: Bytes at the beginning of a stream that tell its format.
_HEAD: Final = 2
_GZIP_HEAD: Final = b"\x1f\x8b"
_GZIP_OR_ZLIB: Final = 47
_ZLIB: Final = 15
_BARE: Final = -15
#: What is kept packed unfolds to at most so many bytes, and to so many times its size. The same answer over and over,
#: which a list of pages of one site may bring, comes to 150 times; what is made to unfold without end to 1,000.
_LEAST: Final = 32_000_000
_TIMES: Final = 200


class UnpackingError(ValueError):
    """Packed bytes are damaged, cut off, or unfold to more than is allowed; the message says which."""


class Unpacker:
    """Unpacks a stream of an encoding, the members of gzip one after another, in pieces of at most 65,536 bytes."""

    def __init__(self, encoding: str) -> None:
        self._gzip = encoding != "deflate"
        self._head = b""
        self._unpack: Any = None
        self._members = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what a chunk unfolds into; pieces may be empty."""
        pending = chunk
        while pending:
            if self._unpack is None:
                self._head += pending
                if len(self._head) < _HEAD:
                    return
                pending, self._head = self._head, b""
                if not self._starts_member(pending):
                    # What follows the last member is padding.
                    return
                self._unpack = zlib.decompressobj(wbits=self._format(pending))
            yield from self._member(pending)
            pending = self._unpack.unused_data
            if self._unpack.eof:
                self._unpack = None
                self._members += 1

    def finish(self) -> None:
        """Check that the stream was whole."""
        if self._unpack is not None or not self._members:
            raise UnpackingError("cut off")

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
                raise UnpackingError("damaged") from None
            yield piece
            pending, full = self._unpack.unconsumed_tail, len(piece) == _PIECE


def most_of(size: int) -> int:
    """Return to how many bytes what was kept packed in `size` bytes may unfold.

    >>> most_of(1_000), most_of(1_000_000)
    (32200000, 232000000)
    """
    return _LEAST + _TIMES * size


def unpacked(body: bytes) -> bytes:
    """Return what `zlib.compress` packed; what is none, or unfolds to more than `most_of` says, is an `UnpackingError`.

    >>> unpacked(zlib.compress(b"trail"))
    b'trail'
    """
    most, unpack = most_of(len(body)), zlib.decompressobj()
    try:
        found = unpack.decompress(body, most)
    except zlib.error as error:
        raise UnpackingError(str(error)) from None
    if unpack.unconsumed_tail:
        raise UnpackingError(f"it unfolds to more than {most:,} bytes")
    if not unpack.eof:
        raise UnpackingError("it is cut off")
    return found
