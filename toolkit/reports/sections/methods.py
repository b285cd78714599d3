"""What a report says of its own making: sites, failures, dates, versions, cost, and how numbers are computed."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.frames.about import answered, site_of
from toolkit.interface.errors import TargetError
from toolkit.interface.targets import parse_target
from toolkit.interface.text import counted
from toolkit.interface.version import __version__
from toolkit.reports.contents import Column, Methods, Table
from toolkit.reports.words import day, verb

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from datetime import datetime

    from toolkit.reports.frames import Frames

__all__ = ["methods_of"]

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
_SERVER: Final = 500
_HOUR: Final = 3_600


def methods_of(
    frames: Frames, at: datetime, used: Collection[str], left_out: Iterable[str], taxonomies: Mapping[str, int]
) -> Methods:
    """Return the methods page.

    `used` are those of shares, intervals, index, tests and unseen that the findings have, `left_out` sentences about
    findings that are not there, `taxonomies` how many categories each has.
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
        "An index compares a group with its baseline: 100 is as common, 200 twice as common. The greatest of many are "
        "so by luck too: each is drawn towards 100 as far as all indices of its kind say (empirical Bayes; Stephens "
        "2017). The index as counted has the interval of a ratio of two shares (Koopman 1984; Katz and others 1978 "
        "where groups overlap)."
    ),
    "tests": (
        "A difference is only called one if it would rarely come about by chance: Fisher's exact test for small "
        "numbers, the score test for large ones, adjusted for the many comparisons made at once so that at most 1 in "
        "20 of the differences shown is expected to be false (Döhler, Durand and Roquain 2018). “Too few” means that "
        "no result with so few sites could have shown a difference."
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
    # The first row of an answer has what it cost, the others nothing; several frames hold the same answer.
    each = answers.groupby(["request_id", "endpoint", "normal"], dropna=False)["credits_used"].max()
    once = each.groupby(["request_id", "endpoint"], dropna=False).sum(min_count=1)
    stated = once.dropna()
    if stated.empty:
        return "not stated by the service"
    words = f"{int(stated.sum()):,} for {counted(len(stated), 'answer')} with data"
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
