"""Sites without an answer: which, and why; and a report in which there are no others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.frames.about import site_of
from toolkit.interface.text import counted
from toolkit.reports.contents import Column, Part, Table
from toolkit.reports.words import listing, verb

if TYPE_CHECKING:
    from toolkit.reports.frames import Frames

__all__ = ["failed_sites", "how_many", "no_answer", "question_words", "reasons_of", "unanswered_table"]

_REASONS: Final = {
    "400": "the request was refused",
    "401": "the key was not accepted",
    "403": "the monthly quota was used up",
    "407": "the kind of data was refused",
    "410": "too little text, or the page could not be loaded",
    "411": "page not found or not reachable",
    "429": "too many requests at a time",
}
#: As it is said of a site in two or three words.
_SHORT: Final = {"410": "could not be opened", "411": "could not be opened", "403": "not asked: quota used up"}
_QUESTIONS: Final = {
    "segment": "audience",
    "categorize": "content of the domain",
    "categorize_content": "content",
    "enrich": "company",
}
_SERVER: Final = 500
#: Reasons that are named.
_SAID: Final = 2
_NO_TARGET: Final = "is no web address"


def how_many(frames: Frames) -> str:
    """Return how many sites there are and what became of them, in words.

    ``31 different sites: 30 answered, 1 could not be opened``
    """
    known = frames.about
    good, failed = int(known["sites"]), int(known["failed"])
    start = f"{good + failed:,} different site{'s' * (good + failed != 1)}"
    if not failed:
        return f"{start}: all answered" if good > 1 else f"{start}, which answered"
    short = failed_sites(frames).drop_duplicates("site")["short"].tolist()
    counts = sorted(Counter(short).items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{number:,} {_plural(why, number)}" for why, number in counts]
    return f"{start}: {f'{good:,} answered' if good else 'none answered'}, {', '.join(parts)}"


def failed_sites(frames: Frames) -> pd.DataFrame:
    """Return sites that no question was answered of: ``site``, ``reason``, ``asked``, ``status``, ``short``."""
    failed = frames.given.get("failures")
    if failed is None or failed.empty:
        return pd.DataFrame({"site": [], "reason": [], "asked": [], "status": [], "short": []}, dtype="str")
    rows = failed.assign(site=site_of(failed))
    rows = rows[~rows["site"].isin(frames.good)]
    status = rows["status"].map(lambda code: "" if pd.isna(code) else str(int(code)))
    rows = pd.DataFrame(
        {
            "site": rows["site"],
            "reason": status.map(_reason),
            "asked": rows["endpoint"],
            "status": status,
            "short": [
                _NO_TARGET if pd.isna(normal) else _SHORT.get(code, "gave no answer")
                for normal, code in zip(rows["normal"], status, strict=True)
            ],
        }
    )
    rows = rows.assign(asked=rows["asked"].map(lambda name: _QUESTIONS.get(name, name), na_action="ignore"))
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


def question_words(endpoint: str) -> str:
    """Return what a question asks about."""
    return _QUESTIONS.get(endpoint, endpoint)


def _plural(words: str, number: int) -> str:
    return words.replace("is no web address", "are no web addresses") if number > 1 else words


def _joined(names: pd.Series) -> str:
    return ", ".join(dict.fromkeys(str(name) for name in names if pd.notna(name) and name))


def _questions(asked: pd.Series) -> str:
    return listing(sorted({name for text in asked for name in str(text).split(", ")}))


def _reason(status: str) -> str:
    if not status:
        return "no answer came, or it is neither a domain nor a URL"
    if status.isdigit() and int(status) >= _SERVER:
        return "the service failed"
    return _REASONS.get(status, "refused by the service")
