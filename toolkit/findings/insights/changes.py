"""What changed since another run: of the same sites by test, of the list by count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
import scipy  # its `stats` take a second to import, and are read where they are asked for

from toolkit.findings.counting import in_both
from toolkit.findings.drift import drift
from toolkit.findings.given.clustering import domain_of
from toolkit.findings.incidence import incidence
from toolkit.findings.insights.claims import CHANGES, alike
from toolkit.findings.insights.doubts import UNSURE
from toolkit.findings.insights.facts import change_call, company_codes, technology_codes
from toolkit.findings.insights.sentences import enumerated, having, is_absence, named, telling_of, value_in_words
from toolkit.findings.insights.tautologies import INFERRED, basis_of
from toolkit.findings.insights.told import Finding, certainty
from toolkit.findings.statistics.differences import distance
from toolkit.findings.statistics.discoveries import paired_discoveries
from toolkit.findings.statistics.tables import smallest_paired_p
from toolkit.frames.about import counted_sites, dated
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from toolkit.findings.insights.doubts import Doubts
    from toolkit.findings.insights.features import Features

    Bools = NDArray[np.bool_]

__all__ = ["FEWEST", "USUAL", "Compared", "Flips", "Standing", "Turnover", "changes", "compared"]

#: With fewer sites than this no outcome shows a change: all of them in one direction have a p of 2^(1 - n).
FEWEST: Final = math.ceil(1 - math.log2(CHANGES))
_MOST: Final = 2
_ASKED: Final = ("codes", "categories", "technologies", "companies")
#: Its thirds are cut where the list's companies are, so that other companies would change it.
_OF_LIST: Final = "founded_year"
#: Standard deviations that chance alone exceeds in one of twenty.
USUAL: Final = 1.96


class Standing(NamedTuple):
    """Who is on both lists, who of them was answered in both runs, who came, who went, who failed then and now."""

    listed: pd.Index
    both: pd.Index
    came: pd.Index
    went: pd.Index
    failed_then: pd.Index
    failed_now: pd.Index


class Turnover(NamedTuple):
    """How many values came and went, and by how much as many would differ from half in a repeat: its deviation."""

    came: int
    went: int
    spread: float

    def surplus(self, deviations: float = USUAL) -> int:
        """Return how many more came than went, less than 0 if more went; 0 if chance alone would have it so."""
        surplus = self.came - self.went
        # Each that came is one less that went.
        return surplus if abs(surplus) > 2 * deviations * self.spread else 0


@dataclass(frozen=True)
class Flips:
    """Values that came to sites and went from sites which were answered in both runs.

    Attributes
    ----------
    frame : DataFrame
        One row a value of a site: ``site``, ``dimension``, ``code``, ``came`` (bool, else it went).
    """

    frame: pd.DataFrame

    def of(self, dimension: str, code: str) -> tuple[list[str], list[str]]:
        """Return the sites that a value came to, and those that it went from."""
        mine = self.frame.iloc[self._places.get((dimension, code), [])]
        return mine.loc[mine["came"], "site"].tolist(), mine.loc[~mine["came"], "site"].tolist()

    def turnover(self, without: Iterable[str] = ()) -> Turnover:
        """Return what came and went at all sites but some.

        In a repeat, all that a domain gained and lost could as well have gone the other way, together.
        """
        kept = self._by_site[~self._by_site.index.isin(list(without))]
        net = np.bincount(kept["domain"], kept["came"] - kept["went"])
        return Turnover(int(kept["came"].sum()), int(kept["went"].sum()), float(np.sqrt(np.square(net).sum()) / 2))

    @cached_property
    def _places(self) -> Mapping[Any, Any]:
        return self.frame.groupby(["dimension", "code"]).indices

    @cached_property
    def _by_site(self) -> pd.DataFrame:
        """How many values came to each site and went from it, and the number of its domain."""
        counts = self.frame.assign(went=~self.frame["came"]).groupby("site")[["came", "went"]].sum().astype(np.int64)
        return counts.assign(domain=pd.factorize(counts.index.map(domain_of))[0])


@dataclass(frozen=True)
class Compared:
    """Two runs held against each other.

    Attributes
    ----------
    rows : DataFrame
        One row a value, as of `toolkit.findings.drift`, of all that both runs asked; with ``q``, p adjusted for all of
        them as one family, ``score``, how far the shares of the same sites are apart, and ``is_proven``.
    flips : Flips
        What came and went, of the values that both vocabularies know.
    left_out : tuple of str
        What is not compared, and why.
    standing : Standing
        Who is on both lists.
    versions : tuple of two lists of str
        The vocabularies of the earlier and of the later run.
    """

    rows: pd.DataFrame
    flips: Flips
    left_out: tuple[str, ...]
    standing: Standing
    versions: tuple[list[str], list[str]]

    @property
    def tested(self) -> int:
        """How many values changed at enough sites to show anything."""
        return int(self.rows["q"].notna().sum())

    @property
    def has_other_vocabulary(self) -> bool:
        """Whether the runs state different vocabularies."""
        then, now = self.versions
        return bool(then and now) and then != now


class _Pair(NamedTuple):
    then: pd.DataFrame
    now: pd.DataFrame
    taxonomy: str | None


def compared(frames: Mapping[str, pd.DataFrame], before: Mapping[str, pd.DataFrame]) -> Compared:
    """Hold the frames of a run against those of an earlier one."""
    pairs, left_out = _pairs(frames, before)
    parts = [drift(pair.then, pair.now, taxonomy=pair.taxonomy) for pair in pairs]
    rows = _tested([part for part in parts if len(part)])
    made = [flipped for pair in pairs if len(flipped := _flipped(pair))]
    flips = pd.concat(made, ignore_index=True) if made else _flips({})
    if len(rows):
        known = pd.MultiIndex.from_frame(rows.loc[rows["known"].eq("both"), ["dimension", "code"]])
        flips = flips[pd.MultiIndex.from_frame(flips[["dimension", "code"]]).isin(known)].reset_index(drop=True)
    found = Flips(flips)
    rows["is_proven"] = (rows["q"] <= CHANGES) & ~_of_all(rows, found)
    versions = (_versions(before), _versions(frames))
    return Compared(rows, found, left_out, _standing(frames, before), versions)


def changes(
    frames: Mapping[str, pd.DataFrame], before: Mapping[str, pd.DataFrame], known: Features, doubts: Doubts
) -> Iterator[Finding]:
    """Yield what the same sites gained or lost, and who came and went."""
    found = compared(frames, before)
    yield from _of_list(found.standing)
    kept: list[Bools] = []
    often: dict[str, int] = {}
    shown = found.rows[found.rows["is_proven"]].assign(
        size=lambda part: -part["score"].abs(),
        absent=lambda part: [is_absence(*pair) for pair in zip(part["dimension"], part["code"], strict=True)],
    )
    for row in shown.sort_values(["absent", "size", "q", "dimension", "code"], kind="stable").to_dict("records"):
        came, went = found.flips.of(row["dimension"], row["code"])
        pages = came if len(came) > len(went) else went
        sites = np.zeros(len(known.sites), dtype=bool)
        sites[known.pages[pages].to_numpy()] = True
        # What is there says it, too.
        most = 1 if row["absent"] else _MOST
        if often.get(row["dimension"], 0) >= most or any(alike(sites, other) for other in kept):
            continue
        often[row["dimension"]] = often.get(row["dimension"], 0) + 1
        kept.append(sites)
        against = (*doubts.of(row["dimension"], row["code"], sites, ()), *_doubts(found, row, pages))
        yield _told(row, tuple(known.sites[sites]), against, len(found.standing.both))


def _pairs(
    frames: Mapping[str, pd.DataFrame], before: Mapping[str, pd.DataFrame]
) -> tuple[list[_Pair], tuple[str, ...]]:
    """Return what both runs asked in the same way, and what they did not."""
    pairs, left_out = [], []
    for name in _ASKED:
        if name not in frames or name not in before:
            if name in frames or name in before:
                left_out.append(f"{name}: only the {'later' if name in frames else 'earlier'} run asked for them")
            continue
        made = {"technologies": technology_codes, "companies": company_codes}.get(name)
        both = [part[name] if made is None else made(part[name]) for part in (before, frames)]
        if name == "companies":
            both = [part[part["dimension"].ne(_OF_LIST)] for part in both]
        for taxonomy in _taxonomies(*both):
            asked = [_endpoints(part, taxonomy) for part in both]
            what = taxonomy or name
            if taxonomy is not None and not all(_has(part, taxonomy) for part in both):
                which = "later" if _has(both[1], taxonomy) else "earlier"
                left_out.append(f"{what}: only the {which} run was answered with any")
            elif all(asked) and asked[0] != asked[1]:
                then, now = (" and ".join(sorted(part)) for part in asked)
                left_out.append(f"{what}: the runs asked it by different questions ({then}, then {now})")
            else:
                pairs.append(_Pair(both[0], both[1], taxonomy))
    return pairs, tuple(left_out)


def _taxonomies(*frames: pd.DataFrame) -> Sequence[str | None]:
    """Return the taxonomies of frames of categories; of frames of codes one that is none."""
    if not all("taxonomy" in frame for frame in frames):
        return [None]
    return [taxonomy for taxonomy in CATEGORIZED if any(_has(frame, taxonomy) for frame in frames)]


def _has(frame: pd.DataFrame, taxonomy: str) -> bool:
    return bool(frame["taxonomy"].eq(taxonomy).any())


def _endpoints(frame: pd.DataFrame, taxonomy: str | None) -> set[str]:
    """Return by which questions something was asked, where a frame tells it."""
    if "endpoint" not in frame:
        return set()
    mine = frame if taxonomy is None else frame[frame["taxonomy"].eq(taxonomy)]
    return set(mine["endpoint"].dropna())


def _tested(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Return what could have changed at the same sites, with p adjusted as one family."""
    if not parts:
        nothing = pd.DataFrame({"target": [], "dimension": [], "code": []}, dtype="str")
        parts = [drift(nothing, nothing, earlier_sites=[], later_sites=[])]
    rows = pd.concat(parts, ignore_index=True)
    # Where pages belong together, so many changes count as the tests of drift take them for.
    effect = (rows["same_sites"] / rows["n_effective"]).fillna(1.0).to_numpy()
    changed = np.rint(rows["gained"] / effect) + np.rint(rows["lost"] / effect)
    can = rows["p"].notna().to_numpy() & (smallest_paired_p(changed) < CHANGES)
    rows["q"] = paired_discoveries(np.where(can, rows["p"], np.nan), changed)
    same = np.maximum(rows["same_sites"], 1)
    rows["score"] = distance(rows["same_after"], same, rows["same_before"], same)
    return rows


def _of_all(rows: pd.DataFrame, flips: Flips) -> Bools:
    """Return which rows moved no more than all values do at other sites, where most of these came, or most went.

    A service that says more than it did, or less, is no change of a site. The rate at which values come, or go, at the
    other sites is then what a row is held against, as uneven as it is among the values.
    """
    found = np.zeros(len(rows), dtype=bool)
    known, same, had = rows["known"].eq("both"), rows["same_sites"].to_numpy(), rows["same_before"]
    effect = (same / rows["n_effective"]).to_numpy()
    names = list(zip(rows["dimension"], rows["code"], strict=True))
    ways = {
        is_gain: (rows[name].to_numpy(), could.where(known, 0).to_numpy())
        for is_gain, name, could in ((True, "gained", rows["same_sites"] - had), (False, "lost", had))
    }
    for at in np.flatnonzero(rows["q"] <= CHANGES):
        is_gain = bool(rows["gained"].iloc[at] > rows["lost"].iloc[at])
        moved, could = ways[is_gain]
        came, went = flips.of(*names[at])
        others = flips.turnover(came if is_gain else went)
        if not others.surplus():
            continue
        there = could.sum() * (1 - moved[at] / same[at])
        rate = min((others.came if is_gain else others.went) / max(there, 1), 1.0)
        expected = could * rate
        some = (expected > 0) & (np.arange(len(rows)) != at)
        uneven = (moved - expected)[some] ** 2 / (expected[some] * max(1 - rate, 1 / same[at]))
        part = max(float(uneven.mean()) if uneven.size else 1.0, effect[at], 1.0)
        p = scipy.stats.binom.sf(np.rint(moved[at] / part) - 1, max(np.rint(could[at] / part), 1), rate)
        found[at] = p * len(rows) > CHANGES
    return found


def _flipped(pair: _Pair) -> pd.DataFrame:
    """Return the values that came and went, of one pair of frames: see `Flips.frame`."""
    found = incidence({"later": pair.now, "earlier": pair.then}, taxonomy=pair.taxonomy)
    cut = int(found.members.indptr[1])
    later, earlier = in_both(found.places[:cut], found.places[cut:])
    new, old, _ = found.pairs(later, earlier + cut)
    change = (new - old).tocoo()
    moved = change.data != 0
    site, code = (place[moved] for place in change.coords)
    return _flips(
        {
            "site": found.sites[later][site].array,
            "dimension": found.codes["dimension"].array[code],
            "code": found.codes["code"].array[code],
            "came": change.data[moved] > 0,
        }
    )


def _flips(columns: dict[str, Any]) -> pd.DataFrame:
    dtypes = {"site": "str", "dimension": "str", "code": "str", "came": "bool"}
    return pd.DataFrame(columns, columns=list(dtypes)).astype(dtypes)


def _standing(frames: Mapping[str, pd.DataFrame], before: Mapping[str, pd.DataFrame]) -> Standing:
    """Return who is on both lists; who failed is still on a list."""
    (now, not_now), (then, not_then) = (_answered(part) for part in (frames, before))
    listed_now, listed_then = now.union(not_now), then.union(not_then)
    return Standing(
        listed_now.intersection(listed_then),
        now.intersection(then),
        listed_now.difference(listed_then),
        listed_then.difference(listed_now),
        now.intersection(not_then),
        then.intersection(not_now),
    )


def _answered(frames: Mapping[str, pd.DataFrame]) -> tuple[pd.Index, pd.Index]:
    """Return which sites were answered by any question, and which have only failed."""
    good: pd.Index = pd.Index([], dtype="str")
    bad: pd.Index = good
    for name in _ASKED:
        if name in frames:
            found = counted_sites(frames[name])
            good, bad = good.union(found.answered), bad.union(found.failed)
    return good, bad.difference(good)


def _versions(frames: Mapping[str, pd.DataFrame]) -> list[str]:
    if "codes" not in frames:
        return []
    return sorted(dated(frames["codes"], np.ones(len(frames["codes"]), dtype=bool))[1])


def _doubts(found: Compared, row: Mapping[Hashable, Any], pages: list[str]) -> tuple[str, ...]:
    """Return what speaks against a change: other words, few domains, or a service that says more of everything."""
    said = []
    if found.has_other_vocabulary and row["dimension"] in DIMENSIONS:
        then, now = (" and ".join(part) for part in found.versions)
        said.append(f"the service's vocabulary is another one: {then} before, {now} now")
    if (domains := len({domain_of(page) for page in pages})) < len(pages):
        said.append(f"the {len(pages)} are pages of {named(domains)} domain{'s' * (domains > 1)}")
    others = found.flips.turnover(pages)
    surplus = others.surplus()
    if surplus * (row["gained"] - row["lost"]) > 0:
        how = "more values came than went" if surplus > 0 else "more values went than came"
        said.append(f"{how} at all other sites, too ({others.came:,} came, {others.went:,} went)")
    return tuple(said)


def _told(row: Mapping[Hashable, Any], sites: tuple[str, ...], against: tuple[str, ...], every: int) -> Finding:
    dimension, code, label = (str(row[name]) for name in ("dimension", "code", "label"))
    words = value_in_words(dimension, code, None if pd.isna(row["label"]) else label)
    gained, lost, same, then, now = (
        int(row[name]) for name in ("gained", "lost", "same_sites", "same_before", "same_after")
    )
    whose = "that were asked twice" if same == every else f"sites {telling_of(dimension)} both times"
    is_weak = dimension in INFERRED or any(said.startswith((UNSURE, "more values")) for said in against)
    return Finding(
        f"{'More' if gained > lost else 'Fewer'} sites {having(dimension, words)} than before: {now:,} of the {same:,} "
        f"{whose}, and {_said(then)} before ({_said(gained)} began, {_said(lost)} stopped).",
        "change",
        certainty(float(row["q"]), CHANGES, inferred=is_weak, few=False),
        abs(float(row["score"])),
        dimension=dimension,
        code=code,
        label=words,
        basis=basis_of(dimension),
        effect=float(row["sites_changed"]),
        n=same,
        with_code=now,
        other_n=same,
        other_with=then,
        q=float(row["q"]),
        sites=sites,
        against=against,
        table=change_call(dimension),
    )


def _said(number: int) -> str:
    return f"{number:,}" if number else "none"


def _of_list(standing: Standing) -> Iterator[Finding]:
    came, went = standing.came, standing.went
    if not len(came) and not len(went):
        return
    parts = [
        f"{named(len(sites))} {word} ({enumerated(list(sites))})"
        for sites, word in ((came, "came"), (went, "went"))
        if len(sites)
    ]
    both = len(standing.listed)
    yield Finding(
        f"The list itself changed: {' and '.join(parts)}; {both} sites are in both runs.",
        "change",
        "clear",
        0.0,
        n=both + len(came),
        other_n=both + len(went),
        sites=(*came, *went),
        table="run.drift(before)",
    )
