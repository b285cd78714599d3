"""Which sites rules over categories keep a brand off, what that costs, and how often the rules err."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from toolkit.findings.given.clustering import domain_numbers
from toolkit.findings.given.weight import Weight, weighed
from toolkit.findings.incidence import incidence
from toolkit.findings.sensitive import sensitive_rules
from toolkit.findings.statistics.misreading import central_counts
from toolkit.findings.statistics.weighted import weighted_shares
from toolkit.frames.asked import asked_for
from toolkit.frames.records import CATEGORIZED
from toolkit.interface.checks import check_columns, check_number
from toolkit.interface.errors import InputError, UnknownCodeError, nearest_to
from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.interface.text import rounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toolkit.findings.incidence import Incidence, Targets

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["LABELS", "blocked_sites", "brand_safety"]

Rule: TypeAlias = "str | Iterable[str] | Mapping[str, Any]"

#: The labels of web filtering.
# fmt: off
LABELS: Final = (
    "Adult and Pornography", "Nudity", "Dating", "Gambling", "Alcohol", "Tobacco", "Illegal Drugs", "Weapons",
    "Violence and Gore", "Hate and Racism", "Terrorism and Extremism", "Malware and Hacking", "Phishing and Fraud",
    "Proxy Avoidance", "Parked Domains", "News and Media", "Sports", "Shopping", "Auctions and Classifieds", "Travel",
    "Health and Medicine", "Financial Services", "Stock Trading", "Cryptocurrency", "Business and Economy",
    "Web Hosting", "Computers and Internet", "Search Engines", "Social Networking", "Forums and Message Boards",
    "Streaming Media", "Music", "Games", "Job Search", "Education", "Kids", "Government", "Legal", "Military",
    "Politics", "Religion", "Society and Lifestyle", "Fashion and Beauty", "Food and Dining", "Home and Garden",
    "Hobbies and Recreation", "Pets and Animals", "Motor Vehicles", "Real Estate", "Reference and Research",
    "Science", "Arts and Culture", "Translation", "Entertainment and Humor", "File Sharing and Piracy",
    "Web Mail and Messaging", "Nonprofits and Charities", "Personal Sites and Blogs",
)
# fmt: on
#: The name of the row of all rules together.
_ALL: Final = "all rules"
_PARTS: Final = ("block", "except", "confidence")
_FILTERING: Final = "filtering"


def brand_safety(
    categories: pd.DataFrame,
    rules: Mapping[str, Rule] | None = None,
    *,
    confidence: float = 0.5,
    weight: Weight | None = None,
    sites: Targets | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return what rules over categories block, what that costs, and how often they are expected to err.

    Parameters
    ----------
    categories : DataFrame
        A categories frame.
    rules : mapping of str to rule, optional
        By name, a category or a list of them, each with all below it: ``"Sensitive Topics > Terrorism"`` or an
        identifier or a name that stands once, of content-v3; of others as ``"content-v2: …"`` or ``"filtering:
        Gambling"``. Or a mapping with ``block`` (such a list), ``except`` (categories below that are let through) and
        ``confidence``. By default `sensitive_rules`, as far as they name taxonomies that the frame's run asked for.
    confidence : float
        The least confidence with which a category blocks, 0 to 1, where a rule does not say its own.
    weight : mapping of str to float, or Series, optional
        What each target counts, such as its spend. Several rows of a site are added up; sites without one count 0.
    sites : iterable of str, Series or DataFrame, optional
        The sites that count, by default all that were answered, as the frame's run says.
    level : float
        Of the intervals.

    Returns
    -------
    DataFrame
        One row a rule, in order, and at last ``all rules`` together:

        - ``rule`` (str), ``n`` (int64): the sites of which all is known that the rule names, as their answers for these
          taxonomies did not fail. All shares are of them, and missing where there are none.
        - ``blocked`` (int64): the sites that the rule blocks, also by one taxonomy where its answer for another failed.
        - ``share``, ``share_low``, ``share_high`` (float64): the loss of reach of the rule alone.
        - ``weighted_share``, ``weighted_low``, ``weighted_high`` (float64): the same of the weight, missing without.
        - ``added``, ``added_share``, ``added_weighted``: what the rule blocks beside those before it; they add up to
          what all block. ``only``, ``only_share``, ``only_weighted``: what is known to be blocked by no other rule, and
          what leaving the rule out would give back. ``added`` and ``only`` are int64, the others float64, of the sites
          of which all is known that any rule names.
        - ``wrong``, ``wrong_low``, ``wrong_high`` (float64): blocked sites that are expected not to be what the rule
          names, and between how many they are.
        - ``missed``, ``missed_low``, ``missed_high`` (float64): the same of sites of ``n`` that are not blocked, and
          are.

        ``attrs["about"]`` says how many ``sites`` were answered at all, ``unweighted`` how many of them have no weight,
        and in ``assumes`` what the expected errors stand on. By rule, where it is not 0, it says in ``not_known`` of
        how many sites it is not known whether they are blocked, and in ``blocked_beside`` how many of ``blocked`` are
        not among ``n``: the three make up all ``sites``. ``not_asked`` are taxonomies that rules name and the frame's
        run did not ask for: they are known of no site.

    Raises
    ------
    InputError
        If the frame is no categories frame, an argument is not as described, or a rule contradicts itself: it lets
        through what it does not block, or all that it blocks.
    UnknownCodeError
        If a category is unknown; the error names the nearest.

    Notes
    -----
    A category that stands above an exception blocks nothing by itself where the site has the exception: an answer
    names the parents too. A category without a confidence counts as sure.

    Errors are expected under two assumptions. Confidences are calibrated: of 100 categories with 0.7, 70 are right.
    And of several categories of a rule the surest alone decides, since they are mostly one lineage; were they
    independent, fewer blocks would be wrong and more sites missed. Only what the answers name can be missed: a service
    does not state what it thinks very improbable, so that the misses are a lower bound. The limits hold the number of
    errors, as a sum of independent chances, with the level as probability.

    A site whose answer for a taxonomy failed is no safe one. Were it counted where the rule's other taxonomies block
    it, and left out where they do not, shares would be too large: it is in ``blocked``, and in no share.

    Shares are those of sites; pages of one domain are taken together, by a linearised variance, as is the weight; with
    neither, the interval is Wilson's (1927).

    Examples
    --------
    >>> rows = {
    ...     "target": ["a.example", "b.example"],
    ...     "taxonomy": "filtering",
    ...     "id": None,
    ...     "name": ["Gambling", "Sports"],
    ... }
    >>> frame = pd.DataFrame(rows | {"level_1": rows["name"], "confidence": [0.8, 0.9]})
    >>> found = brand_safety(frame, {"betting": "filtering: Gambling"}, weight={"a.example": 30, "b.example": 10})
    >>> found[["rule", "blocked", "share", "weighted_share", "wrong"]].round(2).values.tolist()
    [['betting', 1, 0.5, 0.75, 0.2], ['all rules', 1, 0.5, 0.75, 0.2]]
    """
    judged = _judged(categories, rules, confidence, weight, sites)
    every = judged.verdicts
    blocked, known = (np.array([getattr(verdict, name) for verdict in every]) for name in ("blocked", "known"))
    before = np.cumsum(blocked, axis=0) - blocked
    together = _together(every)
    # Where another rule is not known to let a site through, it may block it too.
    alone = blocked & (blocked.sum(axis=0) == 1) & ((known | blocked).sum(axis=0) == len(every))
    added, only = [*(blocked & (before == 0)), together.blocked], [*alone, together.blocked]
    clusters = domain_numbers(judged.sites)
    ones = np.ones(len(judged.sites))
    rows = []
    for verdict, more, own in zip([*every, together], added, only, strict=True):
        row: dict[str, Any] = {
            "rule": verdict.rule,
            "n": int(verdict.known.sum()),
            "blocked": int(verdict.blocked.sum()),
        }
        for start, counts in (("share", ones), ("weighted", judged.weights)):
            values = _share(verdict.blocked, counts, clusters, verdict.known, level)
            names = (start if start == "share" else "weighted_share", f"{start}_low", f"{start}_high")
            row |= dict(zip(names, values, strict=True))
        for what, which in (("added", more), ("only", own)):
            row[what] = int(which.sum())
            row[f"{what}_share"] = _share(which, ones, clusters, together.known, level)[0]
            row[f"{what}_weighted"] = _share(which, judged.weights, clusters, together.known, level)[0]
        passed = verdict.known & ~verdict.blocked
        for what, chances in (("wrong", 1 - verdict.surest[verdict.blocked]), ("missed", verdict.doubtful[passed])):
            row |= dict(zip((what, f"{what}_low", f"{what}_high"), _expected(chances, level), strict=True))
        rows.append(row)
    kinds = dict.fromkeys(("n", "blocked", "added", "only"), "int64") | {"rule": "str"}
    result = pd.DataFrame(rows)
    result = result.astype({name: kinds.get(name, "float64") for name in result.columns})
    result.attrs["about"] = judged.about | {
        "level": level,
        "assumes": "Confidences are calibrated; of several categories of a rule the surest decides; misses are only "
        "those that the answers name.",
    }
    return result


def _share(has: Bools, weights: Floats, clusters: Integers, known: Bools, level: float) -> Any:
    """Return the part of the weights of known sites that stands on some, and its limits; missing where none weighs."""
    if np.isnan(weights[known]).all():
        return np.nan, np.nan, np.nan
    found = weighted_shares(has[known][:, None], weights[known], level, clusters[known])
    return float(found.share[0]), float(found.low[0]), float(found.high[0])


def blocked_sites(
    categories: pd.DataFrame,
    rules: Mapping[str, Rule] | None = None,
    *,
    confidence: float = 0.5,
    weight: Weight | None = None,
    sites: Targets | None = None,
) -> pd.DataFrame:
    """Return the sites that rules block, each with the reason.

    Parameters
    ----------
    categories, rules, confidence, weight, sites
        As of `brand_safety`.

    Returns
    -------
    DataFrame
        One row a site and rule that blocks it, by site and in the order of the rules: ``site``, ``rule``, ``taxonomy``,
        ``category`` (str, its path or label: of several the surest), ``confidence`` (float64), ``weight`` (float64,
        missing without) and ``reason`` (str, in words). A site that is not there may be let through, or not be known:
        ``attrs["about"]`` says of how many, as of `brand_safety`.

    Raises
    ------
    InputError, UnknownCodeError
        As `brand_safety`.

    Examples
    --------
    >>> rows = {"target": ["a.example"], "taxonomy": "content-v3", "id": "8FD8nI", "name": "Terrorism"}
    >>> frame = pd.DataFrame(rows | {"confidence": 0.8})
    >>> blocked_sites(frame)[["site", "rule", "reason"]].values.tolist()
    [['a.example', 'Terrorism', 'Sensitive Topics > Terrorism (confidence 0.80)']]
    """
    judged = _judged(categories, rules, confidence, weight, sites)
    parts = []
    for number, verdict in enumerate(judged.verdicts):
        where = np.flatnonzero(verdict.blocked)
        kinds, paths = (
            judged.named[name].to_numpy(dtype=object)[verdict.because[where]] for name in ("taxonomy", "category")
        )
        part = {"place": where, "number": number, "site": judged.sites[where], "rule": verdict.rule, "taxonomy": kinds}
        known = {"category": paths, "confidence": verdict.surest[where], "weight": judged.weights[where]}
        parts.append(pd.DataFrame(part | known))
    result = pd.concat(parts, ignore_index=True).sort_values(["place", "number"], kind="stable")
    result = result.drop(columns=["place", "number"]).reset_index(drop=True)
    texts = dict.fromkeys(("site", "rule", "taxonomy", "category"), "str")
    result = result.astype(texts | dict.fromkeys(("confidence", "weight"), "float64"))
    label = result["category"].where(result["taxonomy"] != _FILTERING, result["category"] + " (web filtering)")
    stated = result["confidence"].map(lambda value: f" (confidence {rounded(value, 2)})").astype("str")
    result["reason"] = (label + stated).astype("str")
    result.attrs["about"] = judged.about
    return result


class _Wanted(NamedTuple):
    """A rule as it was read: what it blocks and lets through, each with all below, by taxonomy and identifier."""

    name: str
    block: set[tuple[str, str]]
    #: The taxonomies by which it blocks.
    kinds: frozenset[str]
    #: Each exception with all below it, and what stands above it.
    exceptions: list[tuple[set[tuple[str, str]], set[tuple[str, str]]]]
    least: float


class _Verdict(NamedTuple):
    """What a rule says of each site: whether it blocks, how surely, by which category; and how doubtful it else is.

    `known` are the sites of which all is known that the rule names.
    """

    rule: str
    known: Bools
    blocked: Bools
    surest: Floats
    because: Integers
    doubtful: Floats


class _Judged(NamedTuple):
    sites: pd.Index
    named: pd.DataFrame
    weights: Floats
    verdicts: list[_Verdict]
    about: dict[str, Any]


def _judged(
    categories: pd.DataFrame,
    rules: Mapping[str, Rule] | None,
    confidence: float,
    weight: Weight | None,
    sites: Targets | None,
) -> _Judged:
    check_columns(categories, ("target", "taxonomy", "id", "name"), "run.categories()")
    confidence = check_number(confidence, "confidence", 0, 1)
    wanted = _read(sensitive_rules() if rules is None else rules, confidence, categories)
    used = [name for name in CATEGORIZED if any(name in rule.kinds for rule in wanted)]
    asked = asked_for(categories, used)
    if rules is None:
        wanted = [rule._replace(kinds=rule.kinds & set(asked)) for rule in wanted]
    # Of a site that was answered for another taxonomy it is said that it is not known.
    found = incidence(categories, sites=sites, taxonomy=CATEGORIZED, weights=True)
    named = _named(found)
    keys = list(zip(named["taxonomy"], named["key"], strict=True))
    table: Any = found.weights
    site, column = table.tocoo().coords
    entries = site.astype(np.int64), column.astype(np.int64), table.data
    if ((entries[2] < 0) | (entries[2] > 1)).any():
        raise InputError("A confidence is not between 0 and 1. Pass a categories frame as run.categories() gives it.")
    known = {name: found.known_of(name) for name in used}
    every = np.ones(len(found.sites), dtype=bool)
    verdicts = [
        _verdict(rule, keys, entries, np.all([every, *(known[name] for name in rule.kinds)], axis=0)) for rule in wanted
    ]
    weights, lost = _weights(weight, found)
    more = {"unweighted": lost, "confidence": confidence, "not_asked": [name for name in used if name not in asked]}
    about = found.about | more | _unknown([*verdicts, _together(verdicts)])
    return _Judged(found.sites, named, weights, verdicts, about)


def _together(verdicts: list[_Verdict]) -> _Verdict:
    """Return what all rules say together: any of them blocks."""
    known: Bools = np.all([one.known for one in verdicts], axis=0)
    blocked: Bools = np.any([one.blocked for one in verdicts], axis=0)
    surest, doubtful = (np.max([getattr(one, name) for one in verdicts], axis=0) for name in ("surest", "doubtful"))
    return _Verdict(_ALL, known, blocked, surest, np.full(len(known), -1), doubtful)


def _unknown(verdicts: list[_Verdict]) -> dict[str, dict[str, int]]:
    """Return of each rule how many sites may be blocked or not, and how many are whatever else is not known of them."""
    counts = {one.rule: (~one.known & ~one.blocked, ~one.known & one.blocked) for one in verdicts}
    return {
        name: {rule: int(both[at].sum()) for rule, both in counts.items() if both[at].any()}
        for at, name in enumerate(("not_known", "blocked_beside"))
    }


def _verdict(
    rule: _Wanted, keys: list[tuple[str, str]], entries: tuple[Integers, Integers, Floats], known: Bools
) -> _Verdict:
    (site, column, sure), size = entries, len(known)

    def among(wanted: set[tuple[str, str]]) -> Bools:
        return np.array([key in wanted for key in keys], dtype=bool)[column]

    strong = sure >= rule.least
    inside = among(rule.block)
    for below, above in rule.exceptions:
        let = among(below)
        has = np.zeros(size, dtype=bool)
        has[site[let & strong]] = True
        inside &= ~let & ~(among(above) & has[site])
    surest, because, doubtful = np.zeros(size), np.full(size, -1, dtype=np.int64), np.zeros(size)
    hit = np.flatnonzero(inside & strong)
    # The surest is written last, and of several the one that stands deepest, which comes later in the taxonomy.
    hit = hit[np.argsort(sure[hit], kind="stable")]
    surest[site[hit]], because[site[hit]] = sure[hit], column[hit]
    weak = np.flatnonzero(inside & ~strong)
    np.maximum.at(doubtful, site[weak], sure[weak])
    return _Verdict(rule.name, known, because >= 0, surest, because, doubtful)


def _named(found: Incidence) -> pd.DataFrame:
    """Return of each column its taxonomy, the key by which rules know it, and its path or label."""
    rows = []
    for kind, code, label in found.codes[["dimension", "code", "label"]].itertuples(index=False, name=None):
        if kind == _FILTERING:
            name = label if isinstance(label, str) else code
            rows.append((kind, name.casefold(), name))
            continue
        taxonomy = Taxonomy.load(kind)
        category = taxonomy[code] if code in taxonomy else taxonomy.at_path(code)
        rows.append((kind, code, code) if category is None else (kind, category.id, category.path))
    return pd.DataFrame(rows, columns=["taxonomy", "key", "category"])


def _read(rules: Any, confidence: float, categories: pd.DataFrame) -> list[_Wanted]:
    if not isinstance(rules, Mapping) or not rules:
        raise InputError("Rules are a mapping of names to categories. Pass {'betting': 'filtering: Gambling'}.")
    said = categories.loc[categories["taxonomy"] == _FILTERING, "name"].dropna().unique().tolist()
    labels = dict.fromkeys([*LABELS, *map(str, said)])
    return [_rule(str(name), rule, confidence, list(labels)) for name, rule in rules.items()]


def _rule(name: str, rule: Any, confidence: float, labels: list[str]) -> _Wanted:
    parts = rule if isinstance(rule, Mapping) else {"block": rule}
    for part in parts:
        if part not in _PARTS:
            near = ", ".join(nearest_to(part, _PARTS)) or ", ".join(_PARTS)
            raise InputError(f"The rule {name!r} has a part {part!r}. Nearest: {near}. Use block, except, confidence.")
    least = check_number(parts.get("confidence", confidence), f"The confidence of the rule {name!r}", 0, 1)
    block = {key for text in _texts(parts.get("block"), name) for key in _category(text, labels)[0]}
    if not block:
        raise InputError(f"The rule {name!r} blocks nothing. Name at least one category.")
    exceptions, let = [], set()
    for text in _texts(parts.get("except", ()), name):
        below, above = _category(text, labels)
        if not below & block:
            raise InputError(
                f"The rule {name!r} lets {text!r} through, which it does not block. Leave it out, or block what stands "
                "above it."
            )
        exceptions.append((below, above))
        let |= below
    if block <= let:
        raise InputError(f"The rule {name!r} lets all through that it blocks. Leave the rule or the exception out.")
    return _Wanted(name, block, frozenset(kind for kind, _ in block - let), exceptions, least)


def _texts(given: Any, rule: str) -> list[str]:
    texts = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise InputError(
                f"The rule {rule!r} names {text!r:.80}, which is no category. Pass a path or an identifier."
            )
    return texts


def _category(text: str, labels: list[str]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the keys of a category and all below it, and of what stands above it."""
    start, colon, rest = text.partition(":")
    kind, name = (
        (start.strip(), rest.strip()) if colon and start.strip() in CATEGORIZED else ("content-v3", text.strip())
    )
    if kind == _FILTERING:
        if name.casefold() not in {label.casefold() for label in labels}:
            raise UnknownCodeError(name, among="the web-filtering labels", nearest=nearest_to(name, labels))
        return {(kind, name.casefold())}, set()
    taxonomy = Taxonomy.load("content-v2" if kind == "content-v2" else "content-v3")
    if name in taxonomy:
        category = taxonomy[name]
    elif PATH_SEPARATOR.strip() in name:
        category = taxonomy.by_path(name)
    else:
        several = taxonomy.by_name(name)
        if len(several) > 1:
            paths = ", ".join(repr(one.path) for one in several)
            raise InputError(f"{name!r} is the name of several categories: {paths}. Pass the path of one.")
        category = several[0]
    below = {(kind, one.id) for one in (category, *taxonomy.descendants(category.id))}
    return below, {(kind, one.id) for one in taxonomy.ancestors(category.id)}


def _weights(weight: Weight | None, found: Incidence) -> tuple[Floats, int]:
    """Return what each site weighs, missing without weights, and how many have none."""
    if weight is None:
        return np.full(len(found.sites), np.nan), 0
    known = weighed(weight, found.sites)
    return known.values, int(known.about["weight_missing"])


def _expected(chances: Floats, level: float) -> tuple[float, float, float]:
    """Return how many of some independent events are expected, and between how many they are."""
    low, high = central_counts(chances, level)
    return float(chances.sum()), float(low), float(high)
