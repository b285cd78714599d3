"""What a report says of its own making: sites, failures, dates, versions, cost, and how numbers are computed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.frames.about import about, answered, site_of
from toolkit.interface.errors import InputError, TargetError
from toolkit.interface.targets import parse_target
from toolkit.interface.text import counted
from toolkit.interface.version import __version__
from toolkit.reports.contents import Column, Methods, Table
from toolkit.reports.words import verb

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

__all__ = ["TAXONOMY", "Frames", "day", "methods_of"]

#: What the content of sites is told by.
TAXONOMY: Final = "content-v3"
#: What findings are of, and the frame that holds it.
_OF: Final = {"codes": "codes", TAXONOMY: "categories", "technologies": "technologies"}
_NAMES: Final = ("audiences", "codes", "categories", "companies", "technologies", "failures")
#: What makes the numbers and the files.
_PACKAGES: Final = ("pandas", "numpy", "scipy", "plotly", "python-pptx", "xlsxwriter")
_REASONS: Final = {
    "400": "the request was refused",
    "401": "the key was not accepted",
    "403": "the monthly quota was used up",
    "407": "the kind of data was refused",
    "410": "too little text, or the page could not be loaded",
    "411": "page not found or not reachable",
    "429": "too many requests at a time",
}
_QUESTIONS: Final = {
    "segment": "audience",
    "categorize": "content of the domain",
    "categorize_content": "content",
    "enrich": "company",
}
_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_SERVER: Final = 500
_HOUR: Final = 3_600


@dataclass(frozen=True)
class Frames:
    """The frames of a run; those that it cannot give are missing, with the reason.

    Attributes
    ----------
    given : dict of str to DataFrame
        By name.
    missing : dict of str to str
        Why a frame is not there.
    sites : DataFrame or None
        Which inputs were answered at all; of a run that does not tell it is missing.
    told : dict of str to DataFrame
        Which inputs were answered by a question that asks for codes, for content and so on; by `_OF`.
    """

    given: dict[str, pd.DataFrame]
    missing: dict[str, str]
    sites: pd.DataFrame | None = None
    told: dict[str, pd.DataFrame] = field(default_factory=dict)

    @classmethod
    def of(cls, run: Any) -> Frames:
        """Return what a run gives.

        Raises
        ------
        InputError
            If it is no run.
        """
        given, missing = {}, {}
        for name in _NAMES:
            give = getattr(run, name, None)
            if not callable(give):
                raise InputError(
                    f"A report is made of a run, and {type(run).__name__} has no {name}(). Pass what client.run(…), "
                    "load_run(…) or sample_run() returned."
                )
            try:
                given[name] = give()
            except InputError as error:
                missing[name] = str(error)
        told = {of: sites for of, name in _OF.items() if name in given and (sites := _told(run, of)) is not None}
        return cls(given, missing, _told(run), told)

    def get(self, name: str) -> pd.DataFrame | None:
        """Return a frame that has at least one answer, or nothing."""
        frame = self.given.get(name)
        return None if frame is None or answered(frame).empty else frame

    @property
    def asked(self) -> list[pd.DataFrame]:
        """All frames that hold answers."""
        return [self.given[name] for name in _NAMES if name in self.given and name != "failures"]

    def counted(self, of: str) -> pd.DataFrame | None:
        """Return whose answered sites count: one that was answered without any code or category is in no such frame."""
        if of in self.told:
            return self.told[of]
        return next((frame for name in ("audiences", "companies") if (frame := self.get(name)) is not None), None)

    @property
    def good(self) -> set[str]:
        """The sites that any question was answered of."""
        told = [] if self.sites is None else [self.sites]
        return {site for frame in (*self.asked, *told) for site in site_of(answered(frame)).dropna().unique()}

    @property
    def about(self) -> dict[str, Any]:
        """What all of them are about."""
        failed = [self.given["failures"]] if "failures" in self.given else []
        return about(*self.asked, *failed, *([] if self.sites is None else [self.sites]))

    def last(self) -> datetime:
        """Return the time of the latest answer in UTC, or a fixed one where there is none."""
        times = [frame["fetched_at"].max() for frame in self.asked if "fetched_at" in frame.columns]
        known = [time for time in times if pd.notna(time)]
        return max(known).to_pydatetime().replace(tzinfo=None) if known else datetime(1980, 1, 1)  # noqa: DTZ001


def _told(run: Any, *of: str) -> pd.DataFrame | None:
    """Return which inputs a run says were answered, if it does."""
    tell = getattr(run, "sites", None)
    sites = tell(*of) if callable(tell) else None
    return sites if isinstance(sites, pd.DataFrame) and {"target", "error"} <= set(sites.columns) else None


def day(date: str | datetime | None) -> str:
    """Return a date in words.

    Examples
    --------
    >>> day("2026-11-22"), day(None)
    ('22 November 2026', 'date not known')
    """
    if date is None:
        return "date not known"
    moment = datetime.fromisoformat(date) if isinstance(date, str) else date
    # Not by strftime, whose words depend on the machine's language.
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def methods_of(
    frames: Frames, at: datetime, used: Collection[str], left_out: Iterable[str], taxonomies: Mapping[str, int]
) -> Methods:
    """Return the methods page.

    Parameters
    ----------
    frames : Frames
        Of the run.
    at : datetime
        When the report is of.
    used : collection of str
        Of shares, intervals, index, tests and unseen, those that the findings have.
    left_out : iterable of str
        Sentences about findings that are not there.
    taxonomies : mapping of str to int
        Names, and how many categories they have.
    """
    known = frames.about
    failures = _failed_sites(frames)
    total = known["sites"] + known["failed"]
    unsure = bool(known.get("untold")) and frames.sites is None
    facts = [
        (
            "Sites",
            f"{known['sites']:,} of {total:,} gave an answer"
            + (f"; {known['failed']:,} did not" * bool(known["failed"]))
            + ("; sites that were answered with nothing may be missing" * unsure),
        ),
        ("Why some did not", _reasons(failures)),
        ("Sites with data, by question", _answers(frames)),
        ("Dates of the answers", _dates(known)),
        ("Report as of", f"{day(at)}, {at:%H:%M} UTC"),
        ("Age of the answers", _ages(frames, at)),
        ("Vocabulary", f"version {', '.join(known['vocabularies'])}" if known["vocabularies"] else "not stated"),
        ("Taxonomies", "; ".join(f"{name} ({nodes:,} categories)" for name, nodes in taxonomies.items())),
        ("Credits", _credits(frames)),
        ("Source", str(known["source"])),
        ("Software", ", ".join(f"{name} {_version(name)}" for name in ("audience-toolkit", *_PACKAGES))),
    ]
    tables = []
    if not failures.empty:
        columns = (
            Column("site", "Site"),
            Column("reason", "Reason"),
            Column("asked", "Question"),
            Column("status", "Status", is_detail=True),
        )
        tables.append(Table("Sites without an answer, one row a site and reason", failures, columns))
    limits = (*_LIMITS, *_alike(frames.good), *([_NO_DIFFERENCE] if "tests" in used else []), *left_out)
    text = tuple(words for kind, words in _METHODS.items() if kind in used)
    return Methods(tuple((name, value) for name, value in facts if value), text, limits, tuple(tables))


#: How numbers are computed, by the kind of finding that has them.
_METHODS: Final = {
    "shares": (
        "A site counts once, however often it is in the list or however it is spelt. Every share is a share of sites "
        "with an answer, not of people or visits."
    ),
    "intervals": (
        "The 95 % interval beside a share says how far the true share of sites like these may lie from it, if the "
        "sites are a random draw (Wilson's score interval, 1927). With few sites it is wide."
    ),
    "index": (
        "An index compares a group with its baseline: 100 is as common, 200 twice as common. Its interval is that of a "
        "ratio of two shares (Koopman 1984; Katz and others 1978 where groups overlap)."
    ),
    "tests": (
        "A difference is only called one if it would rarely come about by chance: Fisher's exact test for small "
        "numbers, the score test for large ones, adjusted for the many comparisons made at once so that at most 1 in "
        "20 of the differences shown is expected to be false (Benjamini and Hochberg 1995). “Too few” means that no "
        "result with so few sites could have shown a difference."
    ),
    "unseen": (
        "What more sites would show is estimated from how many categories were seen at one or two sites only (Chao2, "
        "Chao 1987, with a log-normal interval); it is a lower bound. The sites still needed follow Chao and others "
        "(2009)."
    ),
}
_LIMITS: Final = (
    "It describes the sites of the list; it holds for others only as far as those of the list are typical of them.",
    (
        "The classifications are estimates of the service from the text of the pages. They describe whom a page speaks "
        "to, not who was counted there."
    ),
)
_NO_DIFFERENCE: Final = "“No difference shown” does not mean that there is none: more sites may show one."


def _alike(sites: Iterable[str]) -> list[str]:
    """Return what to say of pages that are counted one by one though they are of one site."""
    domains: Counter[str] = Counter()
    for site in sites:
        try:
            target = parse_target(site)
        except TargetError:  # answered all the same, so it is counted alone
            continue
        domains[target.registrable or target.domain] += 1
    pages, shared = sum(count for count in domains.values() if count > 1), sum(n > 1 for n in domains.values())
    if not shared:
        return []
    several = f"{pages:,} pages of the list are of {counted(shared, 'domain')} with several pages in it, each counted."
    alike = (
        "Pages of one domain are alike, so intervals are narrower than they should be and differences show too easily."
    )
    return [f"{several} {alike}"]


def _failed_sites(frames: Frames) -> pd.DataFrame:
    """Return sites that no question was answered of: site, reason, question."""
    failed = frames.given.get("failures")
    if failed is None or failed.empty:
        return pd.DataFrame({"site": [], "reason": [], "asked": [], "status": []}, dtype="str")
    rows = failed.assign(site=site_of(failed))
    rows = rows[~rows["site"].isin(frames.good)]
    status = rows["status"].map(lambda code: "" if pd.isna(code) else str(int(code)))
    rows = pd.DataFrame(
        {"site": rows["site"], "reason": status.map(_reason), "asked": rows["endpoint"], "status": status}
    )
    rows = rows.assign(asked=rows["asked"].map(lambda name: _QUESTIONS.get(name, name), na_action="ignore"))
    rows = rows.drop_duplicates().sort_values(["site", "reason", "status", "asked"], kind="stable")
    grouped = rows.groupby(["site", "reason"], sort=True, dropna=False)
    return grouped.agg(
        asked=("asked", lambda names: _joined(names) or "not asked"), status=("status", _joined)
    ).reset_index()


def _joined(names: pd.Series) -> str:
    return ", ".join(dict.fromkeys(str(name) for name in names if pd.notna(name) and name))


def _reason(status: str) -> str:
    if not status:
        return "no answer came, or it is neither a domain nor a URL"
    if status.isdigit() and int(status) >= _SERVER:
        return "the service failed"
    return _REASONS.get(status, "refused by the service")


def _reasons(failures: pd.DataFrame) -> str:
    counts = failures.groupby("reason")["site"].nunique()
    ordered = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    return "; ".join(f"{count:,}: {reason}" for reason, count in ordered)


def _answers(frames: Frames) -> str:
    """Return how many sites answered each question."""
    sites: dict[str, set[str]] = {}
    for frame in frames.asked:
        good = answered(frame)
        if "endpoint" in good.columns:
            for endpoint, names in site_of(good).groupby(good["endpoint"], observed=True):
                sites.setdefault(str(endpoint), set()).update(names.dropna())
    return "; ".join(f"{_QUESTIONS.get(name, name)}: {counted(len(sites[name]), 'site')}" for name in sorted(sites))


def _dates(known: Mapping[str, Any]) -> str:
    first, last = known["first"], known["last"]
    return day(first) if first == last else f"{day(first)} to {day(last)}"


def _ages(frames: Frames, at: datetime) -> str:
    answers = pd.concat(list(_provenance(frames)) or [_NO_ANSWERS], ignore_index=True)
    answers = answers.drop_duplicates(["request_id", "endpoint", "target"])
    if answers.empty or answers["fetched_at"].isna().all():
        return ""
    stored = int(answers["from_cache"].fillna(False).astype(bool).sum())
    hours = (pd.Timestamp(at, tz="UTC") - answers["fetched_at"].min()).total_seconds() / _HOUR
    long = counted(round(hours), "hour") if hours < 48 else counted(round(hours / 24), "day")  # noqa: PLR2004 - two days
    oldest = "less than an hour" if hours < 1 else long
    return f"the oldest is {oldest} old; {stored:,} of {len(answers):,} came from the store, not newly asked"


def _credits(frames: Frames) -> str:
    answers = pd.concat(list(_provenance(frames)) or [_NO_ANSWERS], ignore_index=True)
    once = answers.drop_duplicates(["request_id", "endpoint"])
    stated = once[once["credits_used"].notna()]
    if stated.empty:
        return "not stated by the service"
    words = f"{int(stated['credits_used'].sum()):,} for {counted(len(stated), 'answer')} with data"
    silent = len(once) - len(stated)
    if silent:
        words += f"; {counted(silent, 'answer')} {verb(silent, 'does not state its own', 'do not state theirs')}"
    # An answer without any category is in no frame, and so is what it cost.
    unknown = frames.about["sites"] - site_of(answers).nunique()
    return words + (f"; what {counted(unknown, 'site')} without data cost is not in it" if unknown > 0 else "")


_COLUMNS: Final = ("target", "normal", "endpoint", "request_id", "fetched_at", "from_cache", "credits_used")
_NO_ANSWERS: Final = pd.DataFrame({name: [] for name in _COLUMNS})


def _provenance(frames: Frames) -> Iterator[pd.DataFrame]:
    for frame in frames.asked:
        good = answered(frame)
        if set(_COLUMNS) <= set(good.columns) and not good.empty:
            yield good[list(_COLUMNS)].drop_duplicates()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return __version__ if package == "audience-toolkit" else "(not installed)"
