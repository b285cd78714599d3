"""What changed since an earlier run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolkit.reports.contents import Part
    from toolkit.reports.frames import Frames

__all__ = ["changes"]


def changes(now: Frames, then: Frames) -> tuple[Part, ...]:  # noqa: ARG001 - as its owner writes it
    """Return what changed between two runs."""
    return ()
