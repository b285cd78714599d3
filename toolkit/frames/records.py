"""One row of a run as it is kept: what was asked and what came of it, undecoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CATEGORIZED", "FRAMES", "HELD", "FrameName", "Record"]

FrameName = Literal["audiences", "codes", "categories", "companies", "technologies", "failures"]
#: Frames of a run, and the questions whose answers they hold.
FRAMES: Final[dict[FrameName, tuple[str, ...]]] = {
    "audiences": ("segment",),
    "codes": ("segment",),
    "categories": ("categorize", "categorize_content", "enrich"),
    "companies": ("enrich",),
    "technologies": ("enrich",),
}
#: Taxonomies of the categories frame.
CATEGORIZED: Final = ("content-v3", "content-v2", "filtering")
#: The questions whose answers a frame holds, and a taxonomy of the categories frame.
HELD: Final[dict[str, tuple[str, ...]]] = dict(FRAMES.items()) | {
    "content-v3": ("categorize", "categorize_content", "enrich"),
    "content-v2": ("categorize_content",),
    "filtering": ("categorize_content",),
}


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a run: what was asked and what came of it, undecoded.

    An answer has `raw` and no `error`; everything else is a failure.

    Examples
    --------
    >>> Record(0, "WWW.A.example", "a.example", "segment", 200, raw=b'{"audience_type": "b2b"}').is_answer
    True
    """

    #: Position among the run's inputs.
    row: int
    target: str
    #: The target's normal form; None where the target could not be read.
    normal: str | None
    endpoint: str
    #: None where nothing came back.
    status: int | None = None
    error: str | None = None
    #: Body of a successful answer: JSON, or what it says.
    raw: bytes | Mapping[str, Any] | None = None
    request_id: str | None = None
    vocab_version: str | None = None
    #: When the answer came, in microseconds since 1970, UTC: neither the store nor a frame needs another form.
    fetched_at: int | None = None
    from_cache: bool = False
    #: What the answer cost here: as it states it, and 0 in a further row of it or from a store.
    credits_used: int | None = None

    @property
    def is_answer(self) -> bool:
        """Whether there is an answer, rather than a failure."""
        return self.raw is not None and self.error is None
