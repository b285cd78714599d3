"""What a report says of its own making: sites, failures, dates, versions, cost, how numbers are computed, and nulls."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.frames.about import site_of
from toolkit.interface.errors import TargetError
from toolkit.interface.targets import parse_target
from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.text import counted, day, days
from toolkit.interface.version import __version__
from toolkit.interface.words.labels import question_label
from toolkit.reports.contents import Methods
from toolkit.reports.frames import TAXONOMY
from toolkit.reports.headings import heading_of
from toolkit.reports.parts.groups import nothing_in, untold
from toolkit.reports.parts.profile import ties
from toolkit.reports.parts.unanswered import how_many, reasons_of, unanswered_table
from toolkit.reports.words import listing, verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from toolkit.reports.frames import Frames
    from toolkit.reports.view import View

__all__ = ["methods", "methods_of_none", "unasked"]

#: What makes the numbers and the files.
_PACKAGES: Final = ("pandas", "numpy", "scipy", "python-pptx", "xlsxwriter")
_HOUR: Final = 3_600


def methods(view: View, missing: Iterable[str], changed: Iterable[str]) -> Methods:
    """Return the methods; `missing` says what is not in the report, `changed` how it is held to an earlier run."""
    frames = view.frames
    text = [
        _COUNTING,
        _INTERVALS,
        *([_DIFFERENCES] if view.found.attrs["about"]["differences"] else []),
        *([_BASELINE] if view.baseline is not None else []),
        _CERTAINTY,
        *([_WEIGHT] if view.weight is not None else []),
        *([_UNSEEN] if frames.categories is not None else []),
        *changed,
        *_nulls(view),
    ]
    limits = [*_LIMITS, *_alike(frames.good), *_left_out(frames), *missing]
    return Methods(tuple(_facts(frames, view.at)), tuple(text), tuple(limits), unanswered_table(frames))


def methods_of_none(frames: Frames, at: datetime | None, missing: Iterable[str]) -> Methods:
    """Return the methods of a report in which no site answered."""
    facts = [fact for fact in _facts(frames, at) if fact[0] not in _OF_ANSWERS]
    return Methods(tuple(facts), (), (*_left_out(frames), *missing), unanswered_table(frames))


def unasked(run: object) -> list[str]:
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


_OF_ANSWERS: Final = frozenset({"Dates of the answers", "Credits", "Version of the codes"})
_COUNTING: Final = (
    "A site counts once, however often it is in the list or however it is spelt; of a domain with several pages the "
    "domain counts, with what at least half of its pages have, of which it is known; what is known of fewer than half "
    "of its pages is not known of the domain. Every share is of sites with an answer, not of people or visits."
)
_INTERVALS: Final = (
    "The 95 % interval beside a share says how far the true share of sites like these may lie from it, if the sites "
    "are a random draw (Wilson 1927); that beside a difference is Newcombe's (1998). With few sites both are wide."
)
_DIFFERENCES: Final = (
    "A difference is only called one if it would rarely come about by chance: each group is held against all other "
    "sites by Fisher's exact test, adjusted for everything that was looked at, so that at most 4 in 100 of the "
    "differences told are expected to be false, and 1 in 100 of what goes together (Döhler, Durand and Roquain 2018)."
)
_BASELINE: Final = "The heatmaps hold groups against the baseline that was asked for; the headlines against all others."
_CERTAINTY: Final = (
    "“Clear” is proven with at most one such finding in a hundred false, measured, with five sites or more on either "
    "side; “likely” is proven, but inferred, of few sites or of unsure values; “a lead” is not proven."
)
_WEIGHT: Final = (
    "A share of a number of your own, such as spend, counts each site by it. Its interval is Wilson's with as many "
    "sites as have the share's linearised variance, never more than Kish's effective number (1965)."
)
_UNSEEN: Final = (
    "What more sites would show is estimated from how many topics were seen at one or two sites only (Chao 1987); that "
    "tends to be too few."
)


def _nulls(view: View) -> Iterator[str]:
    """Yield what was looked for and not found."""
    about = view.found.attrs["about"]
    looked = f"{counted(int(about['differences']), 'difference')} and {counted(int(about['pairs']), 'pair')}"
    proven = view.found["kind"].isin(["difference", "together"])
    if about["differences"] or about["pairs"]:
        number = int(proven.sum())
        yield f"Looked at: {looked}; {number:,} of them {'is' if number == 1 else 'are'} told as proven."
    if same_often := ties(view):
        yield f"Nothing leads among: {'; '.join(same_often)}."
    if view.grouping is not None and (silent := nothing_in(view)):
        names = listing([name.lower() for name in silent])
        yield f"No group differs from the others in: {names}. More sites may show it."
    if view.left_out:
        names = listing([heading_of(name).lower() for name in view.left_out])
        yield f"Not held against the groups, for it follows from how they are made: {names}."
    silent_groups = untold(view)
    if small := [group.name for group in silent_groups if group.sites < _FEWEST]:
        yield f"Too small to be compared, with fewer than {_FEWEST} sites: {listing(small)}."
    if same := [group for group in silent_groups if group.sites >= _FEWEST]:
        names = listing([f"{group.name} ({counted(group.sites, 'site')})" for group in same])
        yield f"No difference is proven of: {names}."


_FEWEST: Final = 3


def _left_out(frames: Frames) -> list[str]:
    """Say which questions the run did not ask."""
    kinds = {
        "codes": ("audiences", "interests", "personas"),
        "categories": ("topics",),
        "companies": ("companies", "technologies"),
    }
    missing = [word for name, words in kinds.items() if name in frames.missing for word in words]
    empty = [
        word for name, words in kinds.items() if name in frames.given and frames.get(name) is None for word in words
    ]
    said = [f"It says nothing about {listing(missing)}: the run did not ask for them."] if missing else []
    return said + ([f"It says nothing about {listing(empty)}: no answer holds any."] if empty else [])


def _facts(frames: Frames, at: datetime | None) -> Iterator[tuple[str, str]]:
    known = frames.about
    unsure = bool(known.get("untold")) and frames.sites is None
    topics = f"{len(list(Taxonomy.load(TAXONOMY))):,}" if frames.get("categories") is not None else ""
    facts = [
        ("Sites", how_many(frames) + ("; sites that were answered with nothing may be missing" * unsure)),
        ("Why some did not", reasons_of(frames)),
        ("Sites with data, by question", _answers(frames)),
        ("Dates of the answers", days(known["first"], known["last"])),
        ("Report as of", "" if at is None else f"{day(at)}, {at:%H:%M} UTC"),
        ("Age of the answers", "" if at is None else _ages(frames, at)),
        ("Version of the codes", ", ".join(known["vocabularies"]) if known["vocabularies"] else "not stated"),
        ("Topics looked for", topics),
        ("Credits", _credits(frames)),
        ("Source", str(known["source"])),
        ("Software", ", ".join(f"{name} {_version(name)}" for name in ("audience-toolkit", *_PACKAGES))),
    ]
    return ((name, value) for name, value in facts if value)


_LIMITS: Final = (
    "It describes the sites of the list; it holds for others only as far as those of the list are typical of them.",
    (
        "The classifications are estimates of the service from the text of the pages. They describe whom a page speaks "
        "to, not who was counted there. What is called inferred (demographics, type of audience, B2B values, personas) "
        "is general knowledge of who reads about such subjects; all else is read on the page."
    ),
)


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
    several = f"{pages:,} pages of the list are of {counted(shared, 'domain')} with several pages in it"
    if len(domains) == 1:
        return [f"{several}. All are of one domain, so that each page counts, and they say nothing of others."]
    return [f"{several}. Pages of one domain are alike: it counts once, with what at least half of its pages have."]


def _answers(frames: Frames) -> str:
    """Return how many sites answered each question."""
    sites: dict[str, set[str]] = {}
    for good in frames.answers_alone:
        if "endpoint" in good.columns:
            for endpoint, names in site_of(good).groupby(good["endpoint"], observed=True):
                sites.setdefault(str(endpoint), set()).update(names.dropna())
    return "; ".join(f"{question_label(name).lower()}: {counted(len(sites[name]), 'site')}" for name in sorted(sites))


def _ages(frames: Frames, at: datetime) -> str:
    answers = pd.concat(list(_provenance(frames)) or [_NO_ANSWERS], ignore_index=True)
    answers = answers.drop_duplicates(["request_id", "endpoint", "target"])
    if answers.empty or answers["fetched_at"].isna().all():
        return ""
    stored = int(answers["from_cache"].fillna(False).astype(bool).sum())
    hours = (pd.Timestamp(at, tz="UTC") - answers["fetched_at"].min()).total_seconds() / _HOUR
    long = counted(round(hours), "hour") if hours < 48 else counted(round(hours / 24), "day")  # noqa: PLR2004 - two days
    oldest = "less than an hour" if hours < 1 else long
    asked = f"{stored:,} of {len(answers):,} were kept from before" if stored else "all were asked anew"
    return f"the oldest is {oldest} old; {asked}"


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
    for good in frames.answers_alone:
        if set(_COLUMNS) <= set(good.columns) and not good.empty:
            yield good[list(_COLUMNS)].drop_duplicates()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return __version__ if package == "audience-toolkit" else "(not installed)"
