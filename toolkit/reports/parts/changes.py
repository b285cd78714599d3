"""What changed since an earlier run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.reports.contents import Part
    from toolkit.reports.frames import Frames

__all__ = ["changes", "lines"]


def changes(now: Frames, then: Frames, found: pd.DataFrame) -> tuple[Part, ...]:  # noqa: ARG001 - its owner writes it
    """Return what changed between two runs."""
    return ()


def lines(now: Frames, then: Frames, found: pd.DataFrame) -> tuple[str, ...]:  # noqa: ARG001 - its owner writes it
    """Return what the methods say of a difference."""
    return ()
