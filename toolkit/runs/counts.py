"""How many sites a run has and what came of them: counted once, and said in the same words everywhere."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.interface.errors import TargetError
from toolkit.interface.targets import is_blank, parse_target
from toolkit.interface.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolkit.frames.records import Record
    from toolkit.store.database import Database

__all__ = ["Counts", "counts_of_records", "counts_of_run"]

#: Codes of the service that say something of the page, whoever asks: nothing can be had of it.
_OF_PAGE: Final = {410: "thin", 411: "unopened"}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many sites a run has, and what came of them.

    ``entries = sites + repeated + blank + invalid`` and ``sites = answered + thin + unopened + failed + waiting``.

    Attributes
    ----------
    entries : int
        What the list holds: cells of a column, lines, or items.
    sites : int
        Different sites: those that differ in their normal form.
    repeated : int
        Entries that name a site of an earlier entry, in whatever spelling.
    blank : int
        Entries that say nothing: empty ones, ``n/a``, ``-``, ``none`` and their like.
    invalid : int
        Entries that are no web addresses, repeated ones too.
    answered : int
        Sites with an answer to at least one question.
    partly : int
        Those of them that have none to another.
    thin : int
        Sites without an answer because their page was opened and has too little text.
    unopened : int
        Sites without an answer because their page could not be opened.
    failed : int
        Sites without an answer for another reason: they may be asked again.
    waiting : int
        Sites that were not asked yet.

    Examples
    --------
    >>> print(Counts(entries=33, sites=31, repeated=1, blank=1, answered=30, unopened=1))
    33 entries: 31 different sites, 1 repeated, 1 blank; of the 31: 30 answered, 1 could not be opened
    >>> print(Counts(entries=31, sites=31, answered=30, unopened=1))
    31 different sites: 30 answered, 1 could not be opened
    >>> print(Counts(entries=68, sites=68, answered=62, thin=3, unopened=3))
    68 different sites: 62 answered, 6 gave no answer (3 too little text, 3 could not be opened)
    >>> print(Counts(entries=2, sites=1, repeated=1, answered=1))
    2 entries: 1 site, 1 repeated; the site: answered
    """

    entries: int = 0
    sites: int = 0
    repeated: int = 0
    blank: int = 0
    invalid: int = 0
    answered: int = 0
    partly: int = 0
    thin: int = 0
    unopened: int = 0
    failed: int = 0
    waiting: int = 0

    @property
    def of_list(self) -> str:
        """What the list holds, in words: ``33 entries: 31 different sites, 1 repeated, 1 blank``."""
        # One alone is different from none.
        different = counted(self.sites, "site" if self.sites == 1 else "different site")
        others = [
            f"{number:,} {words}"
            for number, words in (
                (self.repeated, "repeated"),
                (self.blank, "blank"),
                (self.invalid, "is no web address" if self.invalid == 1 else "are no web addresses"),
            )
            if number
        ]
        if not others:
            return different
        return f"{counted(self.entries, 'entry', 'entries')}: {', '.join([different, *others])}"

    @property
    def of_sites(self) -> str:
        """What came of the sites, in words: ``30 answered, 1 could not be opened``; empty where there is none."""
        if self.sites == 1:
            # Its number stands before it.
            return self._of_one
        if self.answered == self.sites > 0 and not self.partly:
            return "all answered"
        only = f" ({self.partly:,} only in part)" if self.partly else ""
        parts = [f"{self.answered:,} answered{only}"] if self.answered else []
        parts += ["none answered"] if self.thin + self.unopened + self.failed and not self.answered else []
        if self.thin and self.unopened:
            why = f"{self.thin:,} too little text, {self.unopened:,} could not be opened"
            parts.append(f"{self.thin + self.unopened:,} gave no answer ({why})")
        elif self.thin:
            parts.append(f"{self.thin:,} {'has' if self.thin == 1 else 'have'} too little text")
        elif self.unopened:
            parts.append(f"{self.unopened:,} could not be opened")
        parts += [f"{self.failed:,} failed"] if self.failed else []
        parts += [f"{self.waiting:,} not asked yet"] if self.waiting else []
        return ", ".join(parts)

    @property
    def _of_one(self) -> str:
        """What came of the only site."""
        if self.answered:
            return "answered only in part" if self.partly else "answered"
        ways = {
            "has too little text": self.thin,
            "could not be opened": self.unopened,
            "failed": self.failed,
            "not asked yet": self.waiting,
        }
        return next((words for words, number in ways.items() if number), "")

    def __str__(self) -> str:
        if not self.of_sites:
            return self.of_list
        if self.entries == self.sites:
            return f"{self.of_list}: {self.of_sites}"
        whom = "the site" if self.sites == 1 else f"of the {self.sites:,}"
        return f"{self.of_list}; {whom}: {self.of_sites}"


def counts_of_run(database: Database, run: int, about_domain: Sequence[bool], *, is_begun: bool = True) -> Counts:
    """Return the counts of a run in a store's file.

    `about_domain` says of each of its questions whether it is about the domain rather than the page; a run that has
    not begun is not looked through for what came of its sites.
    """
    [(entries,)] = database.read("SELECT count(*) FROM row WHERE run = ?", (run,))
    others = database.read(
        "SELECT given, count(*) FROM row WHERE run = ? AND problem IS NOT NULL GROUP BY given", (run,)
    )
    blank = sum(count for given, count in others if is_blank(given))
    invalid = sum(count for _, count in others) - blank
    if is_begun:
        came = Counter[str]()
        for kind, count in database.read(*_outcomes(run, about_domain)):
            came[kind] += count
        sites = came.total()
    else:
        # Of tasks about the page, if there are any, there is one a site.
        found = database.read("SELECT count(*) FROM task WHERE run = ? GROUP BY place", (run,))
        sites = max((count for (count,) in found), default=0)
        came = Counter(waiting=sites)
    return Counts(
        entries=entries,
        sites=sites,
        repeated=entries - sites - blank - invalid,
        blank=blank,
        invalid=invalid,
        answered=came["answered"] + came["partly"],
        partly=came["partly"],
        thin=came["thin"],
        unopened=came["unopened"],
        failed=came["failed"],
        waiting=came["waiting"],
    )


def _outcomes(run: int, about_domain: Sequence[bool]) -> tuple[str, tuple[int, ...]]:
    """Return the query for how many sites ended in which way."""
    site = "coalesce(domain, normal, given)" if all(about_domain) else "coalesce(normal, given)"
    joined, good, open_, failed, thin = "", [], [], [], []
    for place, is_domain in enumerate(about_domain):
        subject = "domain" if is_domain else "site"
        joined += (
            f" JOIN task t{place} ON t{place}.run = ?1 AND t{place}.place = {place} AND t{place}.subject = {subject}"
        )
        good.append(f"(t{place}.state IN (2, 3) AND t{place}.status = 200)")
        open_.append(f"(t{place}.state IN (0, 1))")
        failed.append(f"(t{place}.state = 4)")
        thin.append(f"(t{place}.status = 410)")
    kind = (
        f"CASE {' + '.join(good)} WHEN {len(about_domain)} THEN 'answered' WHEN 0 THEN "
        f"CASE WHEN {' OR '.join(open_)} THEN 'waiting' WHEN {' OR '.join(failed)} THEN 'failed' "
        f"WHEN {' AND '.join(thin)} THEN 'thin' ELSE 'unopened' END "
        "ELSE 'partly' END"
    )
    sites = (
        f"SELECT DISTINCT {site} AS site, coalesce(domain, normal, given) AS domain FROM row "  # noqa: S608 - words of this module
        "WHERE run = ?1 AND problem IS NULL"
    )
    return f"SELECT {kind} AS came, count(*) FROM ({sites}){joined} GROUP BY came", (run,)  # noqa: S608 - as above


def counts_of_records(records: Iterable[Record], about_domain: Sequence[bool]) -> Counts:
    """Return the counts of a run that was saved; `about_domain` is as of `counts_of_run`."""
    entries: dict[int, tuple[str, str | None]] = {}
    # Of each entry: answers, what was not asked, and what failed and may be asked again.
    came: dict[int, Counter[str]] = {}
    for record in records:
        entries.setdefault(record.row, (record.target, record.normal))
        if record.is_answer:
            kind = "good"
        elif record.is_open:
            kind = "open"
        else:
            kind = "failed" if record.status is None else _OF_PAGE.get(record.status, "failed")
        came.setdefault(record.row, Counter())[kind] += 1
    blank = invalid = 0
    sites: dict[str, Counter[str]] = {}
    for row, (given, normal) in entries.items():
        try:
            target = parse_target(given)
        except TargetError:
            if normal is not None:  # it was read when it was asked
                sites.setdefault(normal, came[row])
            else:
                blank += is_blank(given)
                invalid += not is_blank(given)
        else:
            sites.setdefault(target.site if all(about_domain) else target.normal, came[row])
    ends = Counter(_end(found) for found in sites.values())
    partly = sum(1 for found in sites.values() if found["good"] and found.total() > found["good"])
    return Counts(
        entries=len(entries),
        sites=len(sites),
        repeated=len(entries) - len(sites) - blank - invalid,
        blank=blank,
        invalid=invalid,
        answered=ends["good"],
        partly=partly,
        thin=ends["thin"],
        unopened=ends["unopened"],
        failed=ends["failed"],
        waiting=ends["open"],
    )


def _end(found: Counter[str]) -> str:
    return next(kind for kind in ("good", "open", "failed", "unopened", "thin") if found[kind])
