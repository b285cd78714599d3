"""What of a taxonomy a list of sites covers: seen and unseen categories, interests and purchase intents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.codes import identifiers
from toolkit.findings.counting import good_rows
from toolkit.findings.given.clustering import AUTO, clustering
from toolkit.findings.given.weight import weighed
from toolkit.findings.nodes import KINDS, having, nodes_of, summed
from toolkit.findings.sensitive import is_unsought
from toolkit.frames.about import answered, dated, described, normal_of, site_of, untold
from toolkit.frames.asked import ASKED, asked_of, known_sites
from toolkit.frames.asked import counted as counted_of
from toolkit.frames.foreign import normal
from toolkit.frames.numbering import numbered, placed_among
from toolkit.frames.schemas import CONFIDENCE
from toolkit.interface.checks import check_columns, is_number
from toolkit.interface.errors import InputError
from toolkit.interface.taxonomy import TAXONOMIES, Taxonomy

if TYPE_CHECKING:
    from toolkit.findings.given.clustering import Cluster
    from toolkit.findings.given.weight import Weight
    from toolkit.interface.taxonomy import TaxonomyName
    from toolkit.interface.vocabulary import Vocabulary

    Bools = np.ndarray[Any, np.dtype[np.bool_]]
    Integers = np.ndarray[Any, np.dtype[np.int64]]

__all__ = ["compare_versions", "concentration", "coverage", "coverage_by_group", "coverage_by_tier", "gaps"]

_NAMES: Final = ("taxonomy", "id", "parent", "name", "tier", "level_1", "level_2", "level_3", "level_4", "path")
_VERSIONS: Final[dict[str, TaxonomyName]] = {"v2": "content-v2", "v3": "content-v3"}
#: What a coverage says of its one taxonomy.
_OF_ONE: Final = ("taxonomy", "nodes", "seen", "unknown", "unknown_ids")
_SHOWN_UNKNOWN: Final = 10
_NO_COVERAGE: Final = "This is no coverage: it"
#: Cells of the table of nodes and sites that are in memory at a time, of one byte each.
_MOST_CELLS: Final = 48_000_000
_LEVEL: Final = 0.95


def coverage(
    frame: pd.DataFrame,
    taxonomy: str = "content-v3",
    *,
    threshold: float | str = 0.0,
    vocabulary: Vocabulary | None = None,
    sites: Iterable[str] | pd.DataFrame | None = None,
    cluster: Cluster = AUTO,
    weight: Weight | None = None,
) -> pd.DataFrame:
    """Return every category of a taxonomy with the sites that show it.

    Parameters
    ----------
    frame : DataFrame
        A categories frame; for interests and purchase intents a codes frame.
    taxonomy : {"content-v3", "content-v2", "interest", "purchase_intent"}
        What to cover.
    threshold : float or {"low", "medium", "high"}
        The least confidence that counts: for categories from 0 to 1, for codes a band. Above the default, which is
        everything, rows without a confidence do not count.
    vocabulary : Vocabulary, optional
        The interests and purchase intents that there are; needed for them only.
    sites : iterable of str or DataFrame, optional
        The sites that count, or a frame whose answered sites they are, such as ``run.sites("content-v3")``; sites that
        have nothing but failures in `frame`, or whose question for the taxonomy failed, never do. By default all that
        were answered, as the frame's run says, also with nothing. Rows that were taken out of the frame change nothing,
        unless whole sites were and nothing else: see the notes of `toolkit.findings.compare`. Of a frame that is of no
        run, those with a row count.
    cluster : str, Series, mapping, False or None
        Which sites belong together, as of `toolkit.findings.shares`: by default those of one domain.
    weight : Series or mapping, optional
        A number of each target, such as the spend on it, as of `toolkit.findings.shares`.

    Returns
    -------
    DataFrame
        One row a node of the taxonomy, seen or not, each after its parent: ``taxonomy``, ``id``, ``parent`` (str,
        missing at the top), ``name``, ``tier`` (int64, 1 at the top), ``level_1`` to ``level_4`` (str, missing below
        the node's own tier), ``path``; ``sites`` (int64: that show it or anything below it, so never fewer than any
        child has), ``direct`` (int64: that show it and nothing below it), ``share`` (float64: ``sites`` of all sites;
        missing where there is none), ``seen`` (bool: whether any site shows it) and ``clusters`` (int64: of how many
        domains, or whatever belongs together, those sites are; as many as sites where nothing does).

        Two sizes for hierarchies, in which children never exceed their parent: ``value`` (int64: ``direct`` of the
        node and of all below it, 0 where unseen) and ``value_nodes`` (int64: nodes at or below it that have no
        children, so that unseen parts have a size too); and ``below`` (int64: nodes below it).

        With a weight also ``weight``, ``weight_total``, ``weighted_share``, ``weighted_low``, ``weighted_high`` and
        ``weighted_n`` (float64) as of `toolkit.findings.shares`, of the sites that show the node or anything below it.

        ``attrs["about"]`` has also ``taxonomy``, ``threshold``, ``nodes``, ``seen``, and of the ids and paths that the
        answers have and the taxonomy lacks ``unknown``, their number, and ``unknown_ids``, the first ten; with a
        weight what `toolkit.findings.shares` says of it, ``without``, the number of sites that show no node, and
        ``without_weight``, theirs.

    Raises
    ------
    InputError
        If the frame lacks a column, the threshold is no confidence of this frame, or a vocabulary is needed.
    UnknownCodeError
        If there is no taxonomy of the name.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.frames.typed import categories
    >>> covered = coverage(categories(Client().categorize_content(url="torque-journal.example")))
    >>> covered.loc[covered["seen"] & (covered["tier"] == 1), ["name", "sites", "share"]].to_numpy().tolist()
    [['Automotive', 1, 1.0]]
    """
    tree = nodes_of(taxonomy, vocabulary)
    marks = _Marks.of(normal(frame), taxonomy, threshold)
    counted, every, known = marks.counted(sites)
    n = len(every)
    rows = counted[marks.site]
    site, name = marks.site[rows], marks.name[rows]
    positions = tree.positions(marks.names)
    shown = np.zeros(len(marks.names), dtype=bool)
    shown[name] = True
    unknown = sorted(map(str, marks.names[shown & (positions < 0)]))
    there = positions[name] >= 0
    with_any, direct = _count(positions[name[there]], site[there], len(counted), tree.parents)
    clusters, of_clusters = clustering(cluster, every, [frame]), with_any
    if clusters is not None:
        place = clusters.cluster[every.get_indexer(marks.sites)[site[there]]]
        of_clusters, _ = _count(positions[name[there]], place, clusters.clusters, tree.parents)
        known = known | clusters.about()
    covered = tree.nodes.assign(
        sites=with_any,
        direct=direct,
        share=with_any / n if n else np.nan,
        seen=with_any > 0,
        clusters=of_clusters,
        value=summed(direct, tree.parents),
        value_nodes=tree.leaves,
        below=summed(np.ones_like(direct), tree.parents) - 1,
    )
    if weight is not None:
        weights = weighed(weight, every)
        place = every.get_indexer(marks.sites)[site[there]]
        has = having(place, positions[name[there]], n, tree.parents)
        covered = covered.assign(**weights.columns(has, _LEVEL, None if clusters is None else clusters.cluster))
        without = np.diff(has.indptr) == 0
        left_out = {"without": int(without.sum()), "without_weight": float(weights.values[without].sum())}
        known |= weights.about | left_out
    covered.attrs["about"] = {
        **marks.about(n),
        **known,
        "taxonomy": taxonomy,
        "threshold": threshold,
        "nodes": len(covered),
        "seen": int(covered["seen"].sum()),
        "unknown": len(unknown),
        "unknown_ids": unknown[:_SHOWN_UNKNOWN],
    }
    return covered


def compare_versions(
    frame: pd.DataFrame, *, threshold: float = 0.0, sites: Iterable[str] | pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return the coverage by version 2 and version 3 of the content taxonomy side by side.

    Only what both versions have is compared, and only by endpoints that answer in both: an endpoint that answers in
    one version would make that one look better covered.

    Parameters
    ----------
    frame : DataFrame
        A categories frame.
    threshold : float
        The least confidence that counts, from 0 to 1.
    sites : iterable of str or DataFrame, optional
        As for `coverage`; sites that such an endpoint answered.

    Returns
    -------
    DataFrame
        One row a category that both versions have, ordered as in version 3: ``id``, then of each version, as
        ``name_v2`` and ``name_v3`` and so on, ``name``, ``level_1``, ``path`` (str), ``tier``, ``sites`` (int64),
        ``share`` (float64) and ``seen`` (bool) as in `coverage`; ``moved`` (bool: the versions put it under top
        categories of different names), ``top_renamed`` (bool: moved, but only because the same top category has
        another name) and ``renamed`` (bool: its own name differs).

        ``attrs["about"]`` has also ``shared``, ``moved``, ``only_v2`` and ``only_v3`` (numbers of categories), and
        ``endpoints``, those that answered in both versions.

    Raises
    ------
    InputError
        As for `coverage`.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.frames.typed import categories
    >>> compared = compare_versions(categories(Client().categorize_content(url="torque-journal.example")))
    >>> len(compared), int(compared["moved"].sum()), int(compared["top_renamed"].sum())
    (672, 95, 12)
    """
    frame = normal(frame)
    _check_frame(frame, content=True)
    endpoints: list[str] = []
    if "endpoint" in frame.columns:
        given = [set(frame.loc[frame["taxonomy"] == name, "endpoint"].dropna().unique()) for name in _VERSIONS.values()]
        endpoints = sorted(set.intersection(*given))
        rows = frame["endpoint"].isin(endpoints)
        frame = frame if rows.all() else frame[rows]
        if (asked := asked_of(frame)) is not None:
            frame = frame.copy(deep=False)
            frame.attrs[ASKED] = asked.only(endpoints)
    covered = {
        version: coverage(frame, name, threshold=threshold, sites=sites).set_index("id")
        for version, name in _VERSIONS.items()
    }
    shared = covered["v3"].index.intersection(covered["v2"].index, sort=False)
    columns = {
        f"{column}_{version}": covered[version].loc[shared, column]
        for column in ("name", "level_1", "path", "tier", "sites", "share", "seen")
        for version in _VERSIONS
    }
    tops = [
        [(taxonomy.ancestors(i) or (taxonomy[i],))[0].id for i in shared]
        for taxonomy in map(Taxonomy.load, _VERSIONS.values())
    ]
    compared = pd.DataFrame(columns).rename_axis("id").reset_index()
    moved = compared["level_1_v2"] != compared["level_1_v3"]
    compared = compared.assign(
        moved=moved,
        top_renamed=moved & (np.array(tops[0]) == np.array(tops[1])),
        renamed=compared["name_v2"] != compared["name_v3"],
    )
    compared.attrs["about"] = {
        **{name: value for name, value in covered["v3"].attrs["about"].items() if name not in _OF_ONE},
        "shared": len(shared),
        "moved": int(moved.sum()),
        **{f"only_{version}": len(covered[version]) - len(shared) for version in _VERSIONS},
        "endpoints": endpoints,
    }
    return compared


def coverage_by_tier(covered: pd.DataFrame) -> pd.DataFrame:
    """Return how much of each tier is seen.

    Parameters
    ----------
    covered : DataFrame
        The result of :func:`toolkit.findings.coverage`, or rows of it.

    Returns
    -------
    DataFrame
        One row a tier, the top first: ``tier``, ``nodes``, ``seen``, ``unseen`` (int64) and ``share`` (float64, of its
        nodes that are seen).

    Raises
    ------
    InputError
        If it is no coverage.

    Examples
    --------
    >>> from toolkit.frames.typed import categories
    >>> coverage_by_tier(coverage(categories([])))[["tier", "nodes", "unseen"]].to_numpy().tolist()
    [[1, 37, 37], [2, 322, 322], [3, 275, 275], [4, 69, 69]]
    """
    check_columns(covered, ("tier", "seen"), "coverage(…)", what=_NO_COVERAGE)
    seen = covered.groupby("tier")["seen"].agg(["size", "sum"])
    return _kept(covered, {"tier": seen.index.to_numpy("int64"), **_parts(seen)})


def coverage_by_group(covered: pd.DataFrame) -> pd.DataFrame:
    """Return how much below each top category is seen, and by how many sites.

    Parameters
    ----------
    covered : DataFrame
        The result of :func:`toolkit.findings.coverage`, or rows of it.

    Returns
    -------
    DataFrame
        One row a top category, those with most sites first, then by name: ``level_1`` (str), ``nodes``, ``seen``,
        ``unseen`` (int64, itself included), ``share`` (float64, of its nodes that are seen) and ``sites`` (int64).

        Of a coverage with a weight also ``weight`` (float64, on the sites that show any of it) and ``weighted_share``
        (float64, of the weight); then those with most weight come first, and the last row, without a ``level_1``, is of
        the sites that show no node at all. A site may show several, so that the shares may sum to more than 1.

    Raises
    ------
    InputError
        If it is no coverage.

    Examples
    --------
    >>> frame = pd.DataFrame({"target": "a.example", "taxonomy": "content-v3", "id": ["1"], "confidence": 0.9})
    >>> spend = {"a.example": 900, "b.example": 100}
    >>> found = coverage_by_group(coverage(frame, sites=list(spend), weight=spend))
    >>> found.loc[found["sites"] > 0, ["level_1", "weight", "weighted_share"]].to_numpy().tolist()
    [['Automotive', 900.0, 0.9], [nan, 100.0, 0.1]]
    """
    check_columns(covered, ("level_1", "seen", "sites"), "coverage(…)", what=_NO_COVERAGE)
    grouped = covered.groupby("level_1")
    seen = grouped["seen"].agg(["size", "sum"])
    weighty = "weighted_share" in covered.columns
    most = [name for name in ("sites", "weight", "weighted_share") if name in covered.columns]
    columns = {name: grouped[name].max().to_numpy() for name in (most if weighty else most[:1])}
    frame = _kept(covered, {"level_1": seen.index.to_numpy(), **_parts(seen), **columns})
    order = ["weighted_share", "sites"] if weighty else ["sites"]
    ordered = frame.sort_values([*order, "level_1"], ascending=[*(False for _ in order), True], ignore_index=True)
    if weighty:
        ordered.loc[len(ordered)] = _without(covered)
    return ordered.astype({"level_1": "str"} | dict.fromkeys(("nodes", "seen", "unseen", "sites"), "int64"))


def gaps(covered: pd.DataFrame) -> pd.DataFrame:
    """Return what no site shows, the largest gaps first.

    Parameters
    ----------
    covered : DataFrame
        The result of :func:`toolkit.findings.coverage`, or rows of it.

    Returns
    -------
    DataFrame
        One row an unseen node: its names as in the coverage, ``below`` (int64: nodes below it, all unseen too),
        ``topmost`` (bool: whether no node above it is unseen). The topmost stand first, those with most nodes below
        before others, then by path; the others follow by tier and path. What is no gap that anybody fills stands last
        in each: the list of genres, and what brands keep off, such as crime.

        Of a coverage with a weight the gaps are what no weight stands on, also where sites without any show it:
        ``sites`` (int64) says how many do.

    Raises
    ------
    InputError
        If it is no coverage.
    """
    check_columns(covered, (*_NAMES, "seen", "below"), "coverage(…)", what=_NO_COVERAGE)
    weighty = "weight" in covered.columns
    lacking = covered["weight"] == 0 if weighty else ~covered["seen"]
    unseen = covered.loc[lacking, [*_NAMES, "below", *(["sites"] if weighty else [])]]
    frame = unseen.assign(topmost=~unseen["parent"].isin(unseen["id"]))
    frame = frame.assign(
        first=~frame["topmost"],
        later=is_unsought(frame),
        most=-frame["below"].where(frame["topmost"], 0),
        depth=frame["tier"].where(~frame["topmost"], 0),
    )
    ordered = frame.sort_values(["first", "later", "most", "depth", "path", "id"], ignore_index=True)
    return ordered.drop(columns=["first", "later", "most", "depth"])


def concentration(covered: pd.DataFrame, *, tier: int | None = None) -> pd.DataFrame:
    """Return whether the sites are spread over the categories or crowd in a few.

    Parameters
    ----------
    covered : DataFrame
        The result of :func:`toolkit.findings.coverage`, or rows of it.
    tier : int, optional
        Weigh the categories of this tier by the sites that show them. By default every category counts with the
        sites for which it is one of the most specific (``direct``).

    Returns
    -------
    DataFrame
        One row: ``categories`` (int64, with any weight), ``effective`` (float64: the exponential of Shannon's entropy
        of the weights' shares, Hill's number of order 1: so many equally frequent categories would be as diverse),
        ``inverse_simpson`` (float64: Hill's number of order 2, which gives rare ones less weight), ``largest`` (str,
        path of the heaviest category; the first by path of several), ``largest_sites`` (int64) and ``largest_share``
        (float64, of the weight). Missing where no category is seen.

    Notes
    -----
    Hill, M. O. (1973). Diversity and evenness: a unifying notation and its consequences. Ecology 54, 427-432.

    Raises
    ------
    InputError
        If it is no coverage, or has no such tier.
    """
    weight = "direct" if tier is None else "sites"
    check_columns(covered, ("tier", "path", "id", weight), "coverage(…)", what=_NO_COVERAGE)
    rows = covered if tier is None else covered[covered["tier"] == tier]
    if tier is not None and len(covered) and not len(rows):
        raise InputError(f"The coverage has no tier {tier!r}. Pass one of {sorted(set(covered['tier']))}.")
    heavy = rows[rows[weight] > 0].sort_values([weight, "path", "id"], ascending=[False, True, True])
    shares = heavy[weight].to_numpy(dtype="float64") / max(1, heavy[weight].sum())
    some = len(heavy) > 0
    row = {
        "categories": len(heavy),
        "effective": np.exp(-(shares * np.log(shares)).sum()) if some else np.nan,
        "inverse_simpson": 1 / (shares**2).sum() if some else np.nan,
        "largest": heavy["path"].iloc[0] if some else None,
        "largest_sites": int(heavy[weight].iloc[0]) if some else 0,
        "largest_share": shares[0] if some else np.nan,
    }
    return _kept(covered, {name: [value] for name, value in row.items()}).astype({"largest": "str"})


def _without(covered: pd.DataFrame) -> dict[str, Any]:
    """Return the row of the sites that show nothing of a taxonomy."""
    about = covered.attrs.get("about", {})
    weight, total = about.get("without_weight", np.nan), about.get("weight_total", np.nan)
    counts = {"nodes": 0, "seen": 0, "unseen": 0, "share": np.nan, "sites": about.get("without", 0)}
    return {"level_1": None, **counts, "weight": weight, "weighted_share": weight / total if total else np.nan}


def _parts(seen: pd.DataFrame) -> dict[str, Any]:
    nodes, found = seen["size"].to_numpy("int64"), seen["sum"].to_numpy("int64")
    return {"nodes": nodes, "seen": found, "unseen": nodes - found, "share": found / nodes}


def _kept(covered: pd.DataFrame, columns: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(columns)
    frame.attrs.update(covered.attrs)
    return frame


@dataclass(frozen=True)
class _Marks:
    """What counts of a frame: for each such row the place of its site and of its id or path among the names."""

    frame: pd.DataFrame
    taxonomy: str
    where: Integers  # each row's site
    answered: Bools  # of the rows
    sites: pd.Index
    with_answer: Bools  # of the sites
    site: Integers
    name: Integers
    names: pd.Index

    @classmethod
    def of(cls, frame: pd.DataFrame, taxonomy: str, threshold: float | str) -> _Marks:
        content = taxonomy in TAXONOMIES
        _check_frame(frame, content=content)
        least = _least(threshold, content=content)
        where, sites = numbered(site_of(frame))
        good = good_rows(frame) & (where >= 0)
        with_answer = np.zeros(len(sites), dtype=bool)
        with_answer[where[good]] = True
        kind, kinds = numbered(frame["taxonomy" if content else "dimension"])
        # An id that no taxonomy has comes without one: it is unknown to all of them.
        rows = np.append(kinds.isin([taxonomy] if content else KINDS[taxonomy]), content)[kind]  # type: ignore[index]
        rows &= good
        if least is not None:
            rows &= _sure(frame["confidence"], least)
        if content:
            (name,), names = identifiers([frame])
            rows &= (kind >= 0) | frame["id"].notna().to_numpy()
        else:
            name, names = numbered(frame["code"])
        rows &= name >= 0
        return cls(frame, taxonomy, where, good, sites, with_answer, where[rows], name[rows], names)

    def counted(self, sites: Iterable[str] | pd.DataFrame | None) -> tuple[Bools, pd.Index, dict[str, Any]]:
        """Return which of the frame's sites count, all that count, and what is about them."""
        counted = np.zeros(len(self.sites), dtype=bool)
        if sites is None:
            parts = None if self.taxonomy in KINDS else [self.taxonomy]
            found = counted_of(self.frame, self.where, self.sites, self.answered, parts)
            counted[found.answered_at[found.answered_at >= 0]] = True
            return counted, found.answered, {"failed": len(found.failed), **untold(told=found.told)}
        if isinstance(sites, pd.DataFrame):
            wanted = pd.Index(site_of(answered(normal(sites))).dropna()).unique()
        else:
            wanted = self._named(sites)
        for asked, known in known_sites(self.frame, wanted, [self.taxonomy]).values():
            # That a question failed says nothing of what a site shows; of sites that are not of the run nothing does.
            wanted = wanted[~asked | known]
        places = placed_among(wanted, self.sites)
        counted[places[places >= 0]] = True
        counted &= self.with_answer
        return counted, self.sites[counted].append(wanted[places < 0]), {}

    def _named(self, sites: Iterable[str]) -> pd.Index:
        """Return the sites of targets: as they stand where they are known, else in normal form."""
        given = [sites] if isinstance(sites, str) else sites
        if isinstance(given, Mapping) or not isinstance(given, Iterable):
            raise InputError(f"sites= takes a list of texts or a frame, not {type(given).__name__}.")
        texts = list(given)
        if strange := [site for site in texts if not isinstance(site, str)]:
            raise InputError(
                f"A site is {strange[0]!r:.80}, not text. Pass a list of texts, or such as run.audiences()."
            )
        wanted = pd.Index(texts, dtype="str").unique()
        known = wanted.isin(self.sites)
        others = [name for name in map(normal_of, wanted[~known]) if name is not None]
        return wanted[known].append(pd.Index(others, dtype="str")).unique()

    def about(self, n: int) -> dict[str, Any]:
        """Return what the finding is about."""
        return described(n, int((~self.with_answer).sum()), *dated(self.frame, self.answered))


def _sure(confidence: pd.Series, least: float | str) -> Bools:
    if isinstance(least, str):
        ranks = pd.Categorical(confidence, dtype=CONFIDENCE).codes
        return np.asarray(ranks >= list(CONFIDENCE.categories).index(least))
    return (confidence >= least).to_numpy(dtype=bool, na_value=False)


def _least(threshold: float | str, *, content: bool) -> float | str | None:
    """Return the least confidence that counts, None for all."""
    bands = list(CONFIDENCE.categories)
    if isinstance(threshold, str):
        if content or threshold not in bands:
            wanted = "a number from 0 to 1" if content else f"one of {', '.join(bands)}"
            raise InputError(f"threshold={threshold!r} is no confidence of this frame. Pass {wanted}.")
        return threshold
    if not is_number(threshold, 0, 1):
        raise InputError(f"threshold={threshold!r} is no confidence. Pass a number from 0 to 1.")
    if threshold and not content:
        raise InputError(f"Codes have bands, not numbers: threshold={threshold!r}. Pass one of {', '.join(bands)}.")
    return threshold or None


def _check_frame(frame: pd.DataFrame, *, content: bool) -> None:
    kind = "a categories" if content else "a codes"
    needed = ("target", "taxonomy", "id", "confidence") if content else ("target", "dimension", "code", "confidence")
    check_columns(frame, needed, f"{kind} frame")


def _count(node: Integers, site: Integers, sites: int, parents: list[int]) -> tuple[Integers, Integers]:
    """Return for each node the sites that have it or anything below it, and those that have it and nothing below."""
    children: list[list[int]] = [[] for _ in parents]
    for child, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(child)
    with_any, direct = np.zeros(len(parents), dtype=np.int64), np.zeros(len(parents), dtype=np.int64)
    width = max(1, _MOST_CELLS // max(1, len(parents)))
    for start in range(0, sites, width):
        here = (site >= start) & (site < start + width)
        table = np.zeros((len(parents), min(width, sites - start)), dtype=bool)
        table[node[here], site[here] - start] = True
        for place in range(len(parents) - 1, -1, -1):
            row = table[place]
            if children[place]:
                below = table[children[place]].any(axis=0)
                direct[place] += np.count_nonzero(row & ~below)
                row |= below
            else:
                direct[place] += np.count_nonzero(row)
            with_any[place] += np.count_nonzero(row)
    return with_any, direct
