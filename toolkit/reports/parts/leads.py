"""Leads: what may be so and is worth a look, but is not proven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolkit.reports.parts.proofs import part_of

if TYPE_CHECKING:
    from toolkit.reports.contents import Part
    from toolkit.reports.view import View

__all__ = ["leads"]


def leads(view: View) -> tuple[Part, ...]:
    """Return a part for each lead."""
    rows = view.found[view.found["kind"].eq("lead")]
    return tuple(part_of(view, row, "leads") for _, row in rows.iterrows())
