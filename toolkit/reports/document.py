"""Reports: what a run says about an audience, as a page, a deck of slides or a workbook for people."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from toolkit.files.whole import named_file, whole_file
from toolkit.findings.insights.gaps import wants_of
from toolkit.interface.errors import InputError, need
from toolkit.interface.text import counted, day
from toolkit.reports.brand import brand_of
from toolkit.reports.choice import PARTS, chosen_parts
from toolkit.reports.contents import Report
from toolkit.reports.frames import Frames
from toolkit.reports.parts.advice import advice
from toolkit.reports.parts.answer import answer
from toolkit.reports.parts.changes import changes, lines
from toolkit.reports.parts.coverage import coverage
from toolkit.reports.parts.groups import groups as groups_of
from toolkit.reports.parts.leads import leads
from toolkit.reports.parts.methods import methods, methods_of_none, unasked
from toolkit.reports.parts.profile import profile
from toolkit.reports.parts.proofs import counted_in
from toolkit.reports.parts.proofs import proofs as proofs_of
from toolkit.reports.parts.sites import cards, sites
from toolkit.reports.parts.spend import spend
from toolkit.reports.parts.unanswered import failed_sites, how_many, no_answer
from toolkit.reports.story import checked_proofs, view_of, weight_by_target
from toolkit.reports.words import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolkit.findings.given.weight import Weight
    from toolkit.findings.incidence import Groups
    from toolkit.reports.brand import Brand
    from toolkit.reports.contents import Part
    from toolkit.reports.frames import AnsweredRun
    from toolkit.reports.view import View

__all__ = ["FORMATS", "Progress", "check_place", "read_template", "report_of", "write_report"]

#: Formats of reports, by the end of the file's name.
FORMATS: Final = (".html", ".pptx", ".xlsx")
#: Packages that write them.
_NEEDS: Final = {".pptx": ("lxml", "pptx", "xlsxwriter"), ".xlsx": ("xlsxwriter",)}
_TITLE: Final = "Audience report"
#: How much of the making is done when there is something to write.
_WRITING: Final = 0.7
_LARGEST_TEMPLATE: Final = 50_000_000


class Progress(Protocol):
    """Is told how far a report is; what it raises ends the making."""

    def __call__(self, done: float, words: str, /) -> object:
        """Take the part that is done, from 0 to 1, and what is being done."""


def write_report(
    run: AnsweredRun,
    path: str | Path,
    *,
    title: str | None = None,
    client: str = "",
    groups: Groups = None,
    baseline: Any = None,
    weight: str | Weight | None = None,
    before: AnsweredRun | None = None,
    brief: Iterable[str] | None = None,
    parts: Iterable[str] | None = None,
    proofs: Iterable[str] | None = None,
    brand: Any = None,
    template: str | Path | None = None,
    at: datetime | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write a report of a run: the answer, what proves it, what to do, and the evidence.

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
    client : str
        For whom it is; stands below the title.
    groups : str, mapping, Series or DataFrame, optional
        Groups of sites to compare: a column of the run's table, audiences or companies by name, or groups as of
        `toolkit.findings.compare`. Without it, findings still look at columns of the table that make groups.
    baseline : str, iterable of str or DataFrame, optional
        What groups are held against in the part "groups": one of them by name, or targets; by default, as in the
        headlines, all other sites.
    weight : str, Series or mapping, optional
        A number of each target, such as the spend on it, or the column that has it: then the report also says on which
        topics it stands, and which part of it sites take.
    before : run, optional
        An earlier run: then the report says what changed since, and is real.
    brief : iterable of str, optional
        Codes and categories that are wanted: then it says which sites have them, and what is missing.
    parts : iterable of str, optional
        Which parts are written, in order, of answer, proofs, advice, changes, profile, groups, coverage, leads, sites
        and methods; by default all of them.
    proofs : iterable of str, optional
        Sentences of the run's findings, as ``run.findings()["sentence"]`` has them: these are told first, in this order
        and with their pictures; at most three. By default the strongest that tell different things.
    brand : Brand or mapping, optional
        Logo, colours and font: see `toolkit.reports.brand.brand_of`.
    template : str or Path, optional
        A ``.pptx`` file whose layouts, fonts and colours a deck takes.
    at : datetime, optional
        When the report is of; by default the time of the latest answer. It is also the time at which the document says
        that it was made, so the same data give the same bytes.
    progress : callable, optional
        Is called with how much is done, from 0 to 1, and what is being done. What it raises ends the making, and no
        file is left behind or replaced.

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
    Every number of a report is counted by `toolkit.findings`, and stands in its tables, which the workbook has whole.
    Where no site gave an answer, the report says so, what failed, and why.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from toolkit.saved import sample_run
    >>> with TemporaryDirectory() as folder:
    ...     write_report(sample_run(), f"{folder}/audience.xlsx").name
    'audience.xlsx'
    """
    place = check_place(path)
    looks, base = brand_of(brand), read_template(template, place)
    report = report_of(
        run,
        title=title,
        client=client,
        groups=groups,
        baseline=baseline,
        weight=weight,
        before=before,
        brief=brief,
        parts=parts,
        proofs=proofs,
        at=at,
        progress=None if progress is None else lambda done, words: progress(done * _WRITING, words),
    )
    _say(progress, _WRITING, f"writing {place.name}")
    written = _WRITERS[place.suffix.lower()](report, looks, base)
    _say(progress, 1.0, "done")
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
    place = named_file(path, "report.html")
    if place.suffix.lower() not in FORMATS:
        raise InputError(
            f"{place.name!r} does not say the format of the report. Let it end in {', '.join(FORMATS[:-1])} or "
            f"{FORMATS[-1]}."
        )
    if (end := place.suffix.lower()) in _NEEDS:
        need("office", f"A report that ends in {end}", *_NEEDS[end])
    if not place.parent.is_dir():
        raise InputError(f"There is no folder {place.parent} for {place.name}. Make it, or name another file.")
    if not os.access(place.parent, os.W_OK):
        raise InputError(f"Nothing may be written in the folder {place.parent}. Name another file.")
    return place


def report_of(
    run: AnsweredRun,
    *,
    title: str | None = None,
    client: str = "",
    groups: Groups = None,
    baseline: Any = None,
    weight: str | Weight | None = None,
    before: AnsweredRun | None = None,
    brief: Iterable[str] | None = None,
    parts: Iterable[str] | None = None,
    proofs: Iterable[str] | None = None,
    at: datetime | None = None,
    progress: Progress | None = None,
) -> Report:
    """Return what a report of a run says, to be written by any of the writers; see `write_report`."""
    order = _order(parts, has_before=before is not None)
    if title is not None and (not isinstance(title, str) or not clean(title).strip()):
        raise InputError(f"title must be a text that is not empty, not {title!r:.80}. Leave it out for the usual one.")
    if not isinstance(client, str):
        raise InputError(f"client must be a text, not {client!r:.80}. Leave it out where there is none.")
    if at is not None and not isinstance(at, datetime):
        raise InputError(f"at must be a datetime, not {at!r:.80}. Leave it out for the time of the latest answer.")
    if groups is None and baseline is not None:
        raise InputError("baseline is what groups are compared with, and there are no groups. Pass groups= too.")
    wants = () if brief is None else tuple(wants_of(brief))
    wished = None if proofs is None else checked_proofs(proofs)
    _say(progress, 0.0, "reading the answers")
    frames = Frames.of(run)
    known = frames.about
    moment = frames.last() if at is None else at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at
    if not known["sites"]:
        missing = ["No groups are compared: no site gave an answer."] if groups is not None else []
        return _unanswered(frames, title, client, moment, [*missing, *unasked(run)], stated=at is not None)
    spent = weight_by_target(run, weight)
    earlier = None if before is None else Frames.of(before)
    _say(progress, 0.1, "looking for findings")
    view = view_of(
        run,
        frames,
        groups=groups,
        baseline=baseline,
        spent=spent,
        earlier=earlier,
        brief=wants,
        proofs=wished,
        at=moment,
    )
    if not view.tells:
        raise InputError(
            f"The answers of {counted(known['sites'], 'site')} hold neither audience, content nor technologies, so "
            "there is nothing to report. Ask more of the list, such as segment, or pass another list."
        )
    _say(progress, 0.4, "choosing the proofs")
    first = proofs_of(view) if "proofs" in order else ()
    # What a proof says already is not said again.
    claims = [proof.title for proof in first]
    makers: dict[str, Callable[[], tuple[Part, ...]]] = {
        "changes": lambda: tuple(part for part in _changes(view) if part.title not in claims),
        "profile": lambda: (*profile(view, counted_in(view) if first else ()), *spend(view, spent)),
        "groups": lambda: groups_of(view, claims) if view.grouping is not None else (),
        "coverage": lambda: coverage(view),
        "leads": lambda: tuple(part for part in leads(view) if part.title not in claims),
        "sites": lambda: sites(view),
    }
    made: dict[str, tuple[Part, ...]] = {}
    wanted = [name for name in order if name in makers]
    for number, name in enumerate(wanted):
        _say(progress, 0.5 + 0.4 * number / len(wanted), f"making the part {name}")
        made[name] = makers[name]()
    _say(progress, 0.9, "putting the story together")
    told, missing = advice(view) if "advice" in order else ((), [])
    return Report(
        title or f"{_TITLE}: {counted(known['sites'], 'site')}",
        client,
        f"{how_many(frames)} · {day(moment)}",
        moment,
        answer(view),
        first,
        told,
        tuple(part for name in wanted for part in made[name]),
        methods(view, [*missing, *unasked(run)], _how_changed(view)),
        view.groups,
        cards(view) if "sites" in order else (),
        order,
    )


def _changes(view: View) -> tuple[Part, ...]:
    return () if view.before is None else changes(view.frames, view.before, view.found)


def _how_changed(view: View) -> tuple[str, ...]:
    return () if view.before is None else lines(view.frames, view.before, view.found)


def _order(parts: Iterable[str] | None, *, has_before: bool) -> tuple[str, ...]:
    """Return the parts to write, each once."""
    names = PARTS if parts is None else chosen_parts(parts)
    if parts is not None and "changes" in names and not has_before:
        raise InputError("The part 'changes' needs an earlier run. Pass before= too, or leave it out.")
    return tuple(name for name in names if name != "changes" or has_before)


def _unanswered(
    frames: Frames, title: str | None, client: str, moment: datetime, missing: list[str], *, stated: bool
) -> Report:
    """Return what a report says where no site gave an answer."""
    known = frames.about
    if not known["failed"] and not len(failed_sites(frames)):
        raise InputError("The run asked about no site, so there is nothing to report. Pass a list with sites.")
    footer = f"Source: {known['source']}"
    part = no_answer(frames, footer)
    return Report(
        title or f"{_TITLE}: no answer of {counted(known['failed'], 'site')}",
        client,
        how_many(frames) + (f" · {day(moment)}" if stated else ""),
        moment,
        part.title,
        (),
        (),
        (part,),
        methods_of_none(frames, moment if stated else None, missing),
        order=("answer", "sites", "methods"),
    )


def read_template(template: str | Path | None, place: Path) -> bytes | None:
    """Return a template's bytes; one that cannot be read is refused before anything is made."""
    if template is None:
        return None
    if place.suffix.lower() != ".pptx":
        raise InputError(f"A template is for slides, and {place.name!r} is none. Leave it out, or name a .pptx file.")
    try:
        written = Path(template).read_bytes()
    except (OSError, TypeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"The template {template!r:.120} cannot be read: {reason}. Name a .pptx file.") from None
    if not written.startswith(b"PK") or len(written) > _LARGEST_TEMPLATE:
        raise InputError(f"The template {template!r:.120} is no .pptx file that can be used. Save it by PowerPoint.")
    return written


def _say(progress: Progress | None, done: float, words: str) -> None:
    if progress is not None:
        progress(done, words)


def _html(report: Report, brand: Brand, _: bytes | None) -> bytes:
    from toolkit.reports.page.html import html_page  # noqa: PLC0415 - a report needs one writer

    return html_page(report, brand).encode()


def _deck(report: Report, brand: Brand, template: bytes | None) -> bytes:
    from toolkit.reports.deck.slides import deck  # noqa: PLC0415 - as above

    return deck(report, brand, template)


def _book(report: Report, brand: Brand, _: bytes | None) -> bytes:
    from toolkit.reports.book import book  # noqa: PLC0415 - as above

    return book(report, brand)


_WRITERS: Final = {".html": _html, ".pptx": _deck, ".xlsx": _book}
