"""What one fetch of a page may cost."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FetchLimits"]


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds of one page fetch.

    Attributes
    ----------
    seconds : float
        Time for the whole fetch, redirects included.
    body_bytes : int
        Size of the body after decompression; what is beyond is not read.
    redirects : int
        Redirects that are followed.
    """

    seconds: float = 10.0
    body_bytes: int = 3_000_000
    redirects: int = 5
