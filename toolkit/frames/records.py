"""One row of a run as it is kept: what was asked and what came of it, undecoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

__all__ = ["CATEGORIZED", "FRAMES", "HELD", "FrameName", "Record", "endpoints_of", "frames_given_by"]

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
    #: True where it was not asked yet, and nothing of it failed; None otherwise.
    is_open: bool | None = None

    @property
    def is_answer(self) -> bool:
        """Whether there is an answer, rather than a failure."""
        return self.raw is not None and self.error is None


def endpoints_of(name: str, asked: Sequence[str], known: Collection[str] = FRAMES) -> tuple[str, ...]:
    """Return which of a run's questions a frame's answers come from, or those of another part that is `known`."""
    if name == "failures":
        return tuple(asked)
    if name not in known:
        raise InputError(f"There is no frame {name!r}. Choose from {', '.join((*known, 'failures'))}.")
    found = tuple(endpoint for endpoint in asked if endpoint in HELD[name])
    if not found:
        wanted = " or ".join(HELD[name])
        raise InputError(f"{name} needs {wanted}, and the run asks {', '.join(asked)}. Add it to ask=….")
    return found


def frames_given_by(asked: Iterable[str]) -> tuple[FrameName, ...]:
    """Return the names of the frames that the answers of these questions make."""
    questions = set(asked)
    return (*(name for name, endpoints in FRAMES.items() if questions.intersection(endpoints)), "failures")
