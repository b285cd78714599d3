"""What a report reads of a run: its frames, who was answered, and what failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

import pandas as pd

from toolkit.findings.insights.features import Features, features
from toolkit.frames.about import about, answered, site_of
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from toolkit.findings.incidence import Groups
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.runs.counts import Counts

__all__ = ["TAXONOMY", "AnsweredRun", "Frames"]

#: What the content of sites is told by.
TAXONOMY: Final = "content-v3"
#: What findings are of, and the frame that holds it.
_OF: Final = {"codes": "codes", TAXONOMY: "categories", "technologies": "technologies"}
_NAMES: Final = ("audiences", "codes", "categories", "companies", "technologies", "failures")
_ASKED_BESIDES: Final = ("grouped", "table_by_target", "known_vocabulary")


class AnsweredRun(Protocol):
    """What a report needs of a run, live or saved; what it did not ask, it refuses with an `InputError`."""

    def audiences(self) -> pd.DataFrame:
        """Return a row a site with whom it speaks to."""

    def codes(self) -> pd.DataFrame:
        """Return a row a site and code."""

    def categories(self) -> pd.DataFrame:
        """Return a row a site and category."""

    def companies(self) -> pd.DataFrame:
        """Return a row a site with its company."""

    def technologies(self) -> pd.DataFrame:
        """Return a row a site and technology."""

    def failures(self) -> pd.DataFrame:
        """Return a row an input and question without an answer."""

    def sites(self, of: str | None = None) -> pd.DataFrame:
        """Return who was answered, by any question or by those that ask for a frame or taxonomy.

        Without it, as in frames put together by hand, only sites count of which a frame has a row.
        """

    def grouped(self, groups: Groups) -> Groups:
        """Return groups with their sites, where a text names a column."""

    def table_by_target(self) -> pd.DataFrame:
        """Return the user's own columns, indexed by target."""

    def known_vocabulary(self) -> Vocabulary | None:
        """Return the vocabulary; None where it cannot be had."""


@dataclass(frozen=True)
class Frames:
    """The frames of a run; those that it cannot give are missing, with the reason."""

    #: By name.
    given: dict[str, pd.DataFrame]
    #: Why a frame is not there.
    missing: dict[str, str]
    #: Which inputs were answered at all; of a run that does not tell it is missing.
    sites: pd.DataFrame | None = None
    #: Which inputs were answered by a question that asks for codes, for content and so on; by `_OF`.
    told: dict[str, pd.DataFrame] = field(default_factory=dict)
    #: The user's own columns, by target.
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    vocabulary: Vocabulary | None = None
    #: How many sites the run says that it has, and what came of them; of frames put together by hand it is missing.
    told_counts: Counts | None = None

    @classmethod
    def of(cls, run: AnsweredRun) -> Frames:
        """Return what a run gives; what is no run is refused."""
        given, missing = {}, {}
        for name in (*_NAMES, *_ASKED_BESIDES):
            give = getattr(run, name, None)
            if not callable(give):
                raise InputError(
                    f"A report is made of a run, and {type(run).__name__} has no {name}(). Pass what client.run(…), "
                    "load_run(…) or sample_run() returned."
                )
            if name in _ASKED_BESIDES:
                continue
            try:
                given[name] = give()
            except InputError as error:
                missing[name] = str(error)
        told = {of: sites for of, name in _OF.items() if name in given and (sites := _told(run, of)) is not None}
        tell = getattr(run, "counts", None)
        counts = tell() if callable(tell) else None
        return cls(given, missing, _told(run), told, run.table_by_target(), run.known_vocabulary(), counts)

    def get(self, name: str) -> pd.DataFrame | None:
        """Return a frame that has at least one answer, or nothing."""
        return self.given[name] if name in self.good_rows and not self.good_rows[name].empty else None

    @property
    def asked(self) -> list[pd.DataFrame]:
        """All frames that hold answers."""
        return [self.given[name] for name in _NAMES if name in self.given and name != "failures"]

    @property
    def answers_alone(self) -> list[pd.DataFrame]:
        """The rows of answers of all frames that hold some."""
        return [self.good_rows[name] for name in self.answers]

    @property
    def answers(self) -> dict[str, pd.DataFrame]:
        """The frames that hold answers, by name, as findings take them."""
        return {name: self.given[name] for name in _NAMES if name in self.given and name != "failures"}

    @cached_property
    def good_rows(self) -> dict[str, pd.DataFrame]:
        """Of each frame the rows that are no failures."""
        return {name: answered(frame) for name, frame in self.given.items()}

    @cached_property
    def known(self) -> Features:
        """Which sites have what, as findings count it."""
        return features(self.answers, self.table)

    @cached_property
    def categories(self) -> pd.DataFrame | None:
        """The rows of `TAXONOMY`, if any answer has one."""
        frame = self.get("categories")
        rows = None if frame is None else frame[frame["taxonomy"].eq(TAXONOMY)]
        return None if rows is None or answered(rows)["id"].isna().all() else rows

    def counted(self, of: str) -> pd.DataFrame | None:
        """Return whose answered sites count: one that was answered without any code or category is in no such frame."""
        if of in self.told:
            return self.told[of]
        return next((frame for name in ("audiences", "companies") if (frame := self.get(name)) is not None), None)

    @cached_property
    def good(self) -> set[str]:
        """The sites that any question was answered of."""
        told = [] if self.sites is None else [answered(self.sites)]
        return {site for frame in (*self.answers_alone, *told) for site in site_of(frame).dropna().unique()}

    @cached_property
    def about(self) -> dict[str, Any]:
        """What all of them are about."""
        failed = [self.given["failures"]] if "failures" in self.given else []
        known = about(*self.asked, *failed, *([] if self.sites is None else [self.sites]))
        if self.told_counts is not None:  # pages and their domain are one site of the list
            known |= {"sites": self.told_counts.answered, "failed": self.told_counts.sites - self.told_counts.answered}
        return known

    def last(self) -> datetime:
        """Return the time of the latest answer in UTC, or a fixed one where there is none."""
        times = [frame["fetched_at"].max() for frame in self.asked if "fetched_at" in frame.columns]
        known = [time for time in times if pd.notna(time)]
        return max(known).to_pydatetime().replace(tzinfo=None) if known else datetime(1980, 1, 1)  # noqa: DTZ001


def _told(run: AnsweredRun, *of: str) -> pd.DataFrame | None:
    """Return which inputs a run says were answered, if it does."""
    tell = getattr(run, "sites", None)
    sites = tell(*of) if callable(tell) else None
    return sites if isinstance(sites, pd.DataFrame) and {"target", "error"} <= set(sites.columns) else None
