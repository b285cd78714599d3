"""The front of a report: what its parts look at, the answer, and the headline findings, which a screen tells too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from toolkit.findings.insights.features import FEWEST, features
from toolkit.findings.insights.findings import findings_of
from toolkit.findings.insights.groups import given
from toolkit.interface.errors import InputError, nearest_to
from toolkit.interface.text import counted, day
from toolkit.reports.contents import MOST_PROOFS
from toolkit.reports.frames import Frames
from toolkit.reports.parts.answer import answer
from toolkit.reports.parts.proofs import part_of
from toolkit.reports.parts.unanswered import no_answer
from toolkit.reports.view import View, grouped, weight_of

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from toolkit.findings.given.weight import Weight
    from toolkit.findings.incidence import Groups
    from toolkit.findings.insights.features import Features
    from toolkit.findings.insights.groups import Grouping
    from toolkit.reports.contents import Part
    from toolkit.reports.frames import AnsweredRun

__all__ = ["Story", "checked_proofs", "story_of", "view_of", "weight_by_target"]


@dataclass(frozen=True)
class Story:
    """What is told first of a run."""

    #: One sentence: what the list is, and what stands out.
    answer: str
    #: Headline findings by the sentence that `write_report` takes as one of its ``proofs``.
    proofs: dict[str, Part]
    #: What it was read of, and all that the sentences are made of; None where no site gave an answer.
    frames: Frames
    view: View | None

    @property
    def findings(self) -> pd.DataFrame | None:
        """All findings, where there are enough sites to find something; else None."""
        if self.view is None or self.view.n < FEWEST or self.view.found.empty:
            return None
        return self.view.found


def story_of(run: AnsweredRun) -> Story:
    """Return the answer and the headline findings of a run, as its report tells them if nobody asks for others.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> next(iter(story_of(sample_run()).proofs)).partition(":")[0]
    'All 7 shop listings whose business model is known live by e-commerce, against 1 of the 19 others.'
    """
    frames = Frames.of(run)
    if not frames.about["sites"]:
        told = no_answer(frames, "").title if frames.about["failed"] else "The list has no site."
        return Story(told, {}, frames, None)
    view = view_of(run, frames, at=frames.last())
    # Of fewer sites than it takes to find something, a headline would only list what each has.
    rows = view.chosen if view.n >= FEWEST else view.found.head(0)
    parts = {str(row["sentence"]): part_of(view, row) for _, row in rows.iterrows()}
    return Story(answer(view), parts, frames, view)


def checked_proofs(proofs: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences of findings that somebody wants told first, each once; what is none is refused."""
    if isinstance(proofs, str) or not isinstance(proofs, Iterable):
        raise InputError(
            f"proofs must be sentences of findings, not {proofs!r:.80}. Pass a list of those that "
            "run.findings()['sentence'] has."
        )
    wished = tuple(dict.fromkeys(proofs))
    if not wished or len(wished) > MOST_PROOFS or not all(isinstance(sentence, str) for sentence in wished):
        raise InputError(
            f"proofs must be one to {MOST_PROOFS} sentences of findings; given: {len(wished)}. Pass those that matter "
            "most, of run.findings()['sentence'], or leave it out for the usual ones."
        )
    return wished


def view_of(
    run: AnsweredRun,
    frames: Frames,
    *,
    at: datetime,
    groups: Groups = None,
    baseline: Any = None,
    spent: pd.Series | None = None,
    earlier: Frames | None = None,
    brief: tuple[str, ...] = (),
    proofs: tuple[str, ...] | None = None,
) -> View:
    """Return what the parts look at; `proofs` are the sentences of findings to be told first."""
    name = groups if isinstance(groups, str) else ""
    if isinstance(groups, pd.Series) and isinstance(groups.name, str):
        name = groups.name
    members = run.grouped(groups)
    if name and isinstance(members, pd.Series):
        members = members.rename(name)
    # What a site counts is said beside each finding, and is none by itself.
    table = frames.table if spent is None else frames.table.loc[:, frames.table.columns != spent.name]
    known = frames.known if spent is None else features(frames.answers, table)
    found = findings_of(
        known,
        frames.answers,
        members,
        spent,
        table=table,
        brief=list(brief) or None,
        before=None if earlier is None else earlier.answers,
        vocabulary=frames.vocabulary if brief else None,
    )
    if proofs is not None:
        found = _with_wished(found, proofs, frames, members)
    grouping = None if members is None else grouped(frames, known, members, name)
    about = frames.about
    of = counted(about["sites"] + about["failed"], "site")
    return View(
        frames,
        found,
        known,
        at,
        f"Source: {about['source']} · {about['sites']:,} of {of} answered · {day(at)}",
        grouping,
        None if grouping is None else baseline_of(baseline, grouping, known),
        None if spent is None else weight_of(spent, known),
        brief,
        earlier,
        proofs,
    )


def _with_wished(found: pd.DataFrame, proofs: tuple[str, ...], frames: Frames, members: Groups) -> pd.DataFrame:
    """Return findings with those that somebody wants told, which may be of other groups than the report compares."""
    missing = [sentence for sentence in proofs if sentence not in set(found["sentence"])]
    if missing and members is not None:
        wider = findings_of(frames.known, frames.answers, None, None, table=frames.table)
        more = wider[wider["sentence"].isin(missing)]
        about = found.attrs
        found = pd.concat([found, more], ignore_index=True).assign(rank=lambda rows: np.arange(1, len(rows) + 1))
        found.attrs = about
        missing = [sentence for sentence in missing if sentence not in set(more["sentence"])]
    if missing:
        near = nearest_to(missing[0], [str(sentence) for sentence in found["sentence"]])
        raise InputError(
            f"The run has no finding {missing[0]!r:.120}.{f' Nearest: {near[0]!r}.' if near else ''} Pass sentences as "
            "run.findings()['sentence'] has them."
        )
    return found


def weight_by_target(run: AnsweredRun, weight: str | Weight | None) -> pd.Series | None:
    """Return a weight as a Series that has a name."""
    if weight is None:
        return None
    if isinstance(weight, str):
        column = run.grouped(weight)
        return column.rename(weight) if isinstance(column, pd.Series) else None
    if isinstance(weight, Mapping):
        weight = pd.Series(dict(weight), dtype="float64")
    if not isinstance(weight, pd.Series):
        raise InputError(f"weight must be a column's name or numbers by target, not {type(weight).__name__}.")
    return weight if weight.name is not None else weight.rename("weight")


def baseline_of(baseline: Any, grouping: Grouping, known: Features) -> NDArray[np.bool_] | None:
    """Return which sites groups are held against; None for all others."""
    if baseline is None or (isinstance(baseline, str) and baseline == "rest"):
        return None
    if isinstance(baseline, str):
        if baseline not in grouping.names:
            near = ", ".join(nearest_to(baseline, grouping.names))
            raise InputError(
                f"baseline {baseline!r:.80} is none of the groups.{f' Nearest: {near}.' if near else ''} Name one of "
                "them, or pass targets."
            )
        return np.asarray(grouping.members[grouping.names.index(baseline)], dtype=bool)
    if not isinstance(baseline, Iterable):
        raise InputError(f"baseline must be a group's name or targets, not {type(baseline).__name__}.")
    targets = baseline if isinstance(baseline, pd.DataFrame) else list(baseline)
    return np.asarray(given({"baseline": targets}, known, "groups", "").members[0], dtype=bool)
