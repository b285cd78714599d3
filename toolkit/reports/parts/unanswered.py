"""Sites without an answer: which, and why; and a report in which there are no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.frames.about import site_of
from toolkit.interface.text import counted
from toolkit.interface.words.labels import NO_TARGET, question_label
from toolkit.reports.contents import Column, Part, Table
from toolkit.reports.words import listing, verb
from toolkit.runs.counts import Counts

if TYPE_CHECKING:
    from toolkit.reports.frames import Frames

__all__ = ["failed_sites", "how_many", "no_answer", "reasons_of", "unanswered_table"]

#: Reasons that are named.
_SAID: Final = 2
#: Statuses that tell of the page, and how their reasons begin: the rest says it in a few words.
_THIN: Final = 410
_UNOPENED: Final = 411
_THE_PAGE: Final = "the page "


def how_many(frames: Frames) -> str:
    """Return how many sites there are and what became of them, in words.

    ``31 different sites: 30 answered, 1 could not be opened``
    """
    if frames.told_counts is not None:
        return str(frames.told_counts)
    good, failed = int(frames.about["sites"]), int(frames.about["failed"])
    came = failed_sites(frames).groupby("site")["status"].agg(_came).value_counts()
    thin, unopened = int(came.get("thin", 0)), int(came.get("unopened", 0))
    every = good + failed
    return str(Counts(every, every, answered=good, thin=thin, unopened=unopened, failed=failed - thin - unopened))


def failed_sites(frames: Frames) -> pd.DataFrame:
    """Return sites that no question was answered of: ``site``, ``reason``, ``asked``, ``status``, ``short``."""
    failed = frames.given.get("failures")
    if failed is None or failed.empty:
        return pd.DataFrame({"site": [], "reason": [], "asked": [], "status": [], "short": []}, dtype="str")
    rows = failed.assign(site=site_of(failed))
    rows = rows[~rows["site"].isin(frames.good)]
    codes = [None if pd.isna(code) else int(code) for code in rows["status"]]
    rows = pd.DataFrame(
        {
            "site": rows["site"],
            "reason": rows["reason"],
            "asked": rows["endpoint"],
            "status": ["" if code is None else str(code) for code in codes],
            "short": [
                NO_TARGET.removeprefix("it ") if pd.isna(normal) else _in_short(code, reason)
                for normal, code, reason in zip(rows["normal"], codes, rows["reason"], strict=True)
            ],
        }
    )
    rows = rows.assign(asked=rows["asked"].map(lambda name: question_label(name).lower(), na_action="ignore"))
    rows = rows.drop_duplicates().sort_values(["site", "reason", "status", "asked"], kind="stable")
    by_reason = rows.groupby(["site", "reason"], sort=True, dropna=False)
    return by_reason.agg(
        asked=("asked", lambda names: _joined(names) or "not asked"),
        status=("status", _joined),
        short=("short", "first"),
    ).reset_index()


def unanswered_table(frames: Frames) -> tuple[Table, ...]:
    """Return the table of sites without an answer, if there are any."""
    rows = failed_sites(frames)
    if rows.empty:
        return ()
    columns = (
        Column("site", "Site"),
        Column("reason", "Reason"),
        Column("asked", "Question"),
        Column("status", "Status", is_detail=True),
    )
    return (Table("Sites without an answer, one row a site and reason", rows, columns, site="site"),)


def no_answer(frames: Frames, footer: str) -> Part:
    """Return the one thing that a report says where no site answered: why."""
    rows = failed_sites(frames)
    reasons = rows.groupby("reason", sort=True).agg(sites=("site", "nunique"), asked=("asked", _questions))
    reasons = reasons.reset_index().sort_values(["sites", "reason"], ascending=[False, True], kind="stable")
    failed = int(frames.about["failed"])
    pairs = zip(reasons["reason"].head(_SAID), reasons["sites"].head(_SAID).astype(int), strict=True)
    first = [f"{reason} ({counted(int(number), 'site')})" for reason, number in pairs]
    return Part(
        "sites",
        "What failed",
        f"{verb(failed, 'The one site gave no answer', f'None of the {failed:,} sites gave an answer')}.",
        (
            "So this report says nothing of any audience, topic or technology.",
            f"{verb(len(first), 'The reason', 'The most common reasons')}: {'; '.join(first)}." if first else "",
        ),
        None,
        Table(
            "Why there is no answer, by the number of sites; one site can have several reasons",
            reasons,
            (Column("reason", "Reason"), Column("asked", "Questions"), Column("sites", "Sites", "whole")),
        ),
        ("The sites themselves are in the table of those without an answer, with the methods.",),
        footer,
    )


def reasons_of(frames: Frames) -> str:
    """Return why sites did not answer, with how many of each."""
    counts = failed_sites(frames).groupby("reason")["site"].nunique()
    ordered = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    return "; ".join(f"{count:,}: {reason}" for reason, count in ordered)


def _in_short(code: int | None, reason: str) -> str:
    """Return why a site has no answer in a few words, where it is the page's doing: ``has too little text``."""
    return reason.removeprefix(_THE_PAGE) if code in {_THIN, _UNOPENED} else "gave no answer"


def _came(statuses: pd.Series) -> str:
    """Return what came of a site without an answer, as a run counts it."""
    every = {status for text in statuses for status in str(text).split(", ")}
    if every <= {str(_THIN), str(_UNOPENED)}:
        return "thin" if every == {str(_THIN)} else "unopened"
    return "failed"


def _joined(names: pd.Series) -> str:
    return ", ".join(dict.fromkeys(str(name) for name in names if pd.notna(name) and name))


def _questions(asked: pd.Series) -> str:
    return listing(sorted({name for text in asked for name in str(text).split(", ")}))
