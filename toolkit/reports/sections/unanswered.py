"""What a report says where no site gave an answer: what failed, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.interface.text import counted
from toolkit.reports.contents import Column, Methods, Section, Table
from toolkit.reports.words import day, listing, verb

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

__all__ = ["of_no_answer", "what_failed"]

#: Facts about answers, of which there are none.
_OF_ANSWERS: Final = frozenset({"Dates of the answers", "Credits", "Vocabulary", "Report as of"})
_RENAMED: Final = {"Why some did not": "Why they did not"}
_SAID: Final = 2
_NO_ROWS: Final = pd.DataFrame({"site": [], "reason": [], "asked": []}, dtype="str")


def what_failed(methods: Methods, failed: int) -> Section:
    """Return the one finding of such a report, from methods with the table of the sites that failed."""
    rows = methods.tables[0].frame if methods.tables else _NO_ROWS
    reasons = rows.groupby("reason", sort=True).agg(sites=("site", "nunique"), asked=("asked", _questions))
    reasons = reasons.reset_index().sort_values(["sites", "reason"], ascending=[False, True], kind="stable")
    first = [f"{row['reason']}, {counted(int(row['sites']), 'site')}" for row in reasons.head(_SAID).to_dict("records")]
    rest = len(reasons) - len(first)
    more = f" {counted(rest, 'more reason')} {verb(rest, 'is', 'are')} in the table." if rest else ""
    return Section(
        "What failed",
        verb(failed, "The one site gave no answer", f"None of the {failed:,} sites gave an answer"),
        (
            "No site was answered, so this report says nothing of any audience, content or technology.",
            f"{verb(len(first), 'The reason', 'The most common reasons')}: {'; '.join(first)}.{more}" if first else "",
        ),
        Table(
            "Why there is no answer, by the number of sites; one site can have several reasons",
            reasons,
            (
                Column("reason", "Reason"),
                Column("asked", "Questions", is_detail=True),
                Column("sites", "Sites", "whole"),
            ),
        ),
        notes=("The sites themselves are in the table of those without an answer, with the methods.",),
    )


def of_no_answer(methods: Methods, at: datetime | None, left_out: Iterable[str]) -> Methods:
    """Return methods without what is only about answers; `at` is when the report is of, where that was said."""
    facts = [(_RENAMED.get(name, name), value) for name, value in methods.facts if name not in _OF_ANSWERS]
    if at is not None:
        facts.append(("Report as of", f"{day(at)}, {at:%H:%M} UTC"))
    return replace(methods, facts=tuple(facts), text=(), limits=tuple(left_out))


def _questions(asked: pd.Series) -> str:
    return listing(sorted({name for text in asked for name in str(text).split(", ")}))
