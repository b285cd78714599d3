"""The calls that give a finding's table and its picture, as one writes them: ``run.compare("Vertical", "rest", …)``."""

from __future__ import annotations

from typing import Final

from toolkit.findings.insights.facts import FACTS
from toolkit.findings.insights.tautologies import OWN
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import DEMOGRAPHICS


__all__ = ["change_call", "compare_call", "gaps_call", "group_picture", "part_of", "shares_call", "shares_picture"]

_TECHNOLOGIES: Final = ("technology", "technology kind")


def part_of(dimension: str) -> str:
    """Return what a call names a dimension by: ``dimensions='persona'``, ``of='technologies'``."""
    if dimension.startswith(OWN):
        return "of='table'"
    if dimension in CATEGORIZED:
        return f"of={dimension!r}"
    if dimension in _TECHNOLOGIES:
        return "of='technologies'"
    return "of='companies'" if dimension in FACTS.values() else f"dimensions={dimension!r}"


def compare_call(groups: str, dimension: str) -> str:
    """Return the call that compares groups, a text as it stands in a program."""
    return f"run.compare({groups}, 'rest', {part_of(dimension)})"


def group_picture(table: str, group: str) -> str:
    """Return the call of the picture of a comparison, of one group."""
    return f"comparison({table}, {group!r})"


def shares_call(dimension: str) -> str:
    """Return the call that says how many sites have each value of a dimension."""
    return f"run.shares({part_of(dimension)})"


def shares_picture(dimension: str) -> str | None:
    """Return the call of the picture of what is common; None where there is none."""
    if dimension == "content-v3":
        return "coverage_treemap(run.coverage('content-v3'))"
    if dimension in DEMOGRAPHICS:
        return f"profile_card({shares_call(dimension)})"
    return "technologies(run.shares('technologies'))" if dimension == "technology" else None


def gaps_call(taxonomy: str) -> str:
    """Return the call that names what no site shows."""
    return f"run.coverage({taxonomy!r}).gaps()"


def change_call(dimension: str) -> str:
    """Return the call that says what changed."""
    return f"run.drift(before, {part_of(dimension)})"
