"""What one fetch of a page may cost."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FetchLimits"]


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds of one page fetch."""

    #: Time for the whole fetch, redirects included.
    seconds: float = 10.0
    #: Size of the body after decompression; what is beyond is not read.
    body_bytes: int = 3_000_000
    #: Redirects that are followed.
    redirects: int = 5
