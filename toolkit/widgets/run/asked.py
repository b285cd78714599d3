"""What stands in the controls of the RunPanel, read and told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolkit.runs.inputs import Source
    from toolkit.runs.plan import Plan

__all__ = ["Asked", "budget_of_text", "plan_html", "short_path"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands in the controls: `key` tells it from another list or question, whatever the budget."""

    source: Source
    column: str | None
    ask: tuple[str, ...]
    budget: int | None
    name: str | None
    key: tuple[object, ...]


def short_path(path: Path) -> str:
    """Return a path as it is seen from the working folder."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def budget_of_text(text: str) -> int | None:
    """Return the credits that stand in a field, None for an empty one; a `ValueError` says that it is no whole number.

    Examples
    --------
    >>> budget_of_text("1,000"), budget_of_text("")
    (1000, None)
    """
    bare = text.strip().replace(",", "").replace("_", "").replace(" ", "")
    if not bare:
        return None
    if not (bare.isascii() and bare.isdecimal()):
        raise ValueError(text)
    return int(bare)


def plan_html(plan: Plan, *, folded: bool = False) -> str:
    """Return a plan as HTML, folded once it is carried out: then it tells what was to be done."""
    table = f"<div style='line-height:1.4'>{plan._repr_html_()}</div>"
    return (
        f"<details><summary style='cursor:pointer'>The plan before this run</summary>{table}</details>"
        if folded
        else table
    )
