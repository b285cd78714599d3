"""Reports: what a run says about an audience, as a page, a deck of slides or a workbook for people."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.files.whole import whole_file
from toolkit.interface.errors import InputError, need
from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.text import counted
from toolkit.reports.contents import Report
from toolkit.reports.frames import TAXONOMY, Frames
from toolkit.reports.pictures import drawings
from toolkit.reports.sections.content import content, still_unseen
from toolkit.reports.sections.groups import (
    chosen_groups,
    compared_audiences,
    compared_content,
    shared_sites,
    what_is_not_compared,
)
from toolkit.reports.sections.methods import methods_of
from toolkit.reports.sections.profile import interests, personas, profile, technologies
from toolkit.reports.sections.quality import answered_sites, quality
from toolkit.reports.sections.spend import spend
from toolkit.reports.sections.unanswered import of_no_answer, what_failed
from toolkit.reports.words import clean, day, listing

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit.findings.given.weight import Weight
    from toolkit.reports.contents import Section
    from toolkit.reports.frames import AnsweredRun

__all__ = ["FORMATS", "check_place", "report_of", "write_report"]

#: Formats of reports, by the end of the file's name.
FORMATS: Final = (".html", ".pptx", ".xlsx")
#: Packages that write them.
_NEEDS: Final = {".pptx": ("lxml", "pptx", "xlsxwriter"), ".xlsx": ("xlsxwriter",)}
_TITLE: Final = "Audience report"


def write_report(
    run: AnsweredRun,
    path: str | Path,
    *,
    title: str | None = None,
    groups: Any = None,
    baseline: Any = None,
    weight: Weight | None = None,
    at: datetime | None = None,
) -> Path:
    """Write a report of a run.

    Parameters
    ----------
    run : Run, SavedRun or alike
        Gives frames by ``audiences()``, ``codes()``, ``categories()``, ``companies()``, ``technologies()`` and
        ``failures()``. What it did not ask is left out, and the methods say so.
    path : str or Path
        Ends in ``.html`` (a page that needs no other file and no network), ``.pptx`` (slides with charts that can be
        edited) or ``.xlsx`` (all numbers, with charts). A file that is there is replaced.
    title : str, optional
        Title of the report; by default "Audience report" and the number of sites.
    groups : str, mapping, Series or DataFrame, optional
        Groups of sites to compare, as of `toolkit.findings.compare`; a text is also the name of a column of the run's
        audiences or companies, such as ``"audience_type"``. None compares nothing.
    baseline : str, iterable of str or DataFrame, optional
        What groups are compared with, as of `toolkit.findings.compare.compare`; by default all sites together.
    weight : Series or mapping, optional
        A number of each target, such as the spend on it, as of `toolkit.findings.shares`: then the report also says
        on which topics it stands. For the report of a run also the name of a column, as ``run.report(weight="Spend")``.
    at : datetime, optional
        When the report is of; by default the time of the latest answer. It is also the time at which the document says
        that it was made, so the same data give the same bytes.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If the name has another end, the file cannot be written, an argument is refused, no site was asked about, or
        the answers hold nothing to report.
    ConfigurationError
        If a package that writes the format is not installed.

    Notes
    -----
    Charts of a page are drawings where Chromium is installed, and are otherwise drawn by plotly.js, which is then part
    of the page (5 MB). On slides only charts that PowerPoint does not have are pictures by Chromium; without it a table
    or bars stand there, and a note. Where no site gave an answer, the report says so, what failed, and why.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from toolkit.saved import sample_run
    >>> with TemporaryDirectory() as folder:
    ...     write_report(sample_run(), f"{folder}/audience.xlsx").name
    'audience.xlsx'
    """
    place = check_place(path)
    report = report_of(run, title=title, groups=groups, baseline=baseline, weight=weight, at=at)
    written = _WRITERS[place.suffix.lower()](report)
    with whole_file(place) as part:
        part.write_bytes(written)
    return place


def check_place(path: str | Path) -> Path:
    """Return where a report goes, if one can be written there: told before anything is paid for.

    Raises
    ------
    InputError
        If the name ends otherwise, or the folder is missing or takes no file.
    ConfigurationError
        If a package that writes the format is not installed.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path must be the name of a file, not {path!r:.80}. Pass 'report.html', for example.")
    place = Path(path)
    if place.suffix.lower() not in FORMATS:
        raise InputError(
            f"{place.name!r} does not say the format of the report. Let it end in {', '.join(FORMATS[:-1])} or "
            f"{FORMATS[-1]}."
        )
    if (end := place.suffix.lower()) in _NEEDS:
        need("office", f"A report that ends in {end}", *_NEEDS[end])
    if place.is_dir():
        raise InputError(f"{place} is a folder. Name a file in it.")
    if not place.parent.is_dir():
        raise InputError(f"There is no folder {place.parent} for {place.name}. Make it, or name another file.")
    if not os.access(place.parent, os.W_OK):
        raise InputError(f"Nothing may be written in the folder {place.parent}. Name another file.")
    return place


def report_of(
    run: AnsweredRun,
    *,
    title: str | None = None,
    groups: Any = None,
    baseline: Any = None,
    weight: Weight | None = None,
    at: datetime | None = None,
) -> Report:
    """Return what a report of a run says, to be written by any of the writers; see `write_report`."""
    if title is not None and (not isinstance(title, str) or not clean(title).strip()):
        raise InputError(f"title must be a text that is not empty, not {title!r:.80}. Leave it out for the usual one.")
    if at is not None and not isinstance(at, datetime):
        raise InputError(f"at must be a datetime, not {at!r:.80}. Leave it out for the time of the latest answer.")
    if groups is None and baseline is not None:
        raise InputError("baseline is what groups are compared with, and there are no groups. Pass groups= too.")
    frames = Frames.of(run)
    known = frames.about
    if not known["sites"]:
        return _unanswered(run, frames, title, at, grouped=groups is not None)
    if groups is not None:
        groups = chosen_groups(frames, groups)
    if (
        baseline is not None
        and not isinstance(baseline, str | pd.DataFrame | Mapping)
        and isinstance(baseline, Iterable)
    ):
        # What can be read only once is needed twice.
        baseline = list(baseline)
    moment = frames.last() if at is None else at.astimezone(UTC) if at.tzinfo else at
    sections = _sections(frames, groups, baseline, weight)
    if not sections:
        raise InputError(
            f"The answers of {counted(known['sites'], 'site')} hold neither audience, content nor technologies, so "
            "there is nothing to report. Ask more of the list, such as segment, or pass another list."
        )
    named = {part.name for part in sections}
    used = {"shares", "intervals"}
    used |= {"index", "tests"} if any(name.startswith("Groups compared") for name in named) else set()
    without = [] if groups is None else what_is_not_compared(frames, groups, compared="index" in used)
    used |= {"weight"} if weight is not None else set()
    used |= {"unseen"} if "What more sites would show" in named else set()
    stated = moment.replace(tzinfo=None)
    methods = methods_of(frames, stated, used, (*_left_out(frames), *without, *_unasked(run)), _taxonomies(frames))
    total = known["sites"] + known["failed"]
    answered = f"{known['sites']:,} of {counted(total, 'site')} with an answer"
    return Report(
        title or f"{_TITLE}: {counted(known['sites'], 'site')}",
        f"{answered} · {day(moment)} · source: {known['source']}",
        stated,
        sections,
        replace(methods, tables=(*methods.tables, answered_sites(frames))),
    )


def _unanswered(run: AnsweredRun, frames: Frames, title: str | None, at: datetime | None, *, grouped: bool) -> Report:
    """Return what a report says where no site gave an answer."""
    known = frames.about
    if not known["failed"]:
        raise InputError("The run asked about no site, so there is nothing to report. Pass a list with sites.")
    moment = None if at is None else at.astimezone(UTC) if at.tzinfo else at
    # Documents state a time in any case, and the same failures give the same bytes.
    stated = (frames.last() if moment is None else moment).replace(tzinfo=None)
    methods = methods_of(frames, stated, (), (), {})
    limits = [*_left_out(frames), *["No groups are compared: no site gave an answer."] * grouped, *_unasked(run)]
    sites = counted(known["failed"], "site")
    parts = [f"0 of {sites} with an answer", *([day(moment)] if moment else []), f"source: {known['source']}"]
    return Report(
        title or f"{_TITLE}: no answer of {sites}",
        " · ".join(parts),
        stated,
        (what_failed(methods, known["failed"]),),
        of_no_answer(methods, moment, limits),
    )


def _sections(frames: Frames, groups: Any, baseline: Any, weight: Weight | None) -> tuple[Section, ...]:
    makers: list[Callable[[], Section | None]] = [
        lambda: profile(frames),
        lambda: interests(frames),
        lambda: content(frames),
        lambda: still_unseen(frames),
    ]
    if weight is not None:
        makers.insert(-1, lambda: spend(frames, weight))
    if groups is not None:
        makers += [
            lambda: compared_audiences(frames, groups, baseline),
            lambda: compared_content(frames, groups, baseline),
            lambda: shared_sites(frames, groups),
        ]
    makers += [lambda: personas(frames), lambda: technologies(frames), lambda: quality(frames)]
    return tuple(section for make in makers if (section := make()) is not None)


def _left_out(frames: Frames) -> list[str]:
    """Say which questions the run did not ask."""
    kinds = {
        "codes": ("audiences", "interests", "personas"),
        "categories": ("content categories",),
        "technologies": ("technologies",),
    }
    missing = [word for name, words in kinds.items() if name in frames.missing for word in words]
    empty = [
        word for name, words in kinds.items() if name in frames.given and frames.get(name) is None for word in words
    ]
    said = [f"It says nothing about {listing(missing)}: the run did not ask for them."] if missing else []
    return said + ([f"It says nothing about {listing(empty)}: no answer holds any."] if empty else [])


def _unasked(run: AnsweredRun) -> list[str]:
    """Say if the run ended before its end, as it does where a budget is spent; a saved run does not tell."""
    progress = getattr(run, "progress", None)
    if progress is None or progress.total <= progress.done:
        return []
    left = progress.total - progress.done
    reason = progress.reason
    return [
        f"It is not of the whole list: {counted(left, 'question')} of {progress.total:,} "
        f"{'was' if left == 1 else 'were'} not asked" + (f", for the run stopped ({reason})." if reason else ".")
    ]


def _taxonomies(frames: Frames) -> dict[str, int]:
    return {TAXONOMY: len(list(Taxonomy.load("content-v3")))} if frames.get("categories") is not None else {}


def _html(report: Report) -> bytes:
    from toolkit.reports.page import html_page  # noqa: PLC0415 - a report needs one writer

    return html_page(report, drawings(report, "svg")).encode()


def _deck(report: Report) -> bytes:
    from toolkit.reports.deck.slides import deck  # noqa: PLC0415 - as above

    return deck(report, drawings(report, "png"))


def _book(report: Report) -> bytes:
    from toolkit.reports.book import book  # noqa: PLC0415 - as above

    return book(report)


_WRITERS: Final = {".html": _html, ".pptx": _deck, ".xlsx": _book}
