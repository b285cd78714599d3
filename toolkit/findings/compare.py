"""Which codes a group of sites has more or less often than others, and what can be said of that with so many sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, runtime_checkable

import numpy as np
import pandas as pd

from toolkit.findings.codes import Weights, in_order, is_of_codes, wanted_kinds
from toolkit.findings.contrast import Contrast
from toolkit.findings.counting import with_basis
from toolkit.findings.given.clustering import AUTO, Cluster, Clustering, clustering
from toolkit.findings.given.weight import weighed
from toolkit.findings.incidence import EVERYBODY, Frames, Groups, Incidence, Targets, incidence
from toolkit.findings.statistics.discoveries import discoveries
from toolkit.findings.statistics.margins import Margins, Parts, Tested, Worths, called, divided
from toolkit.findings.statistics.proportions import FALSE_DISCOVERIES, is_exact, wilson
from toolkit.findings.statistics.weighted import Worth
from toolkit.interface.checks import check_columns, check_whole
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from toolkit.findings.given.weight import Weighed, Weight
    from toolkit.findings.statistics.clusters import ClusterTests

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Bools = NDArray[np.bool_]

__all__ = ["COUNTED", "REST", "VERDICTS", "RunOfSites", "compare", "one_family"]

#: What a row can say.
VERDICTS: Final = pd.CategoricalDtype(["over", "under", "no difference shown", "too few"], ordered=True)
#: As a baseline: the sites that are not in the group.
REST: Final = "rest"
#: The name of a baseline that was given as sites or as a run of its own.
_GIVEN: Final = "baseline"
_SHOWN: Final = 5
#: A table of all codes of more groups is read by nobody.
_EVERY_GROUP: Final = 100
_MOST_ROWS: Final = 10_000
#: The columns from which a row's margins can be told again, as of `Margins`.
COUNTED: Final = ("with_code", "baseline_with", "both_with", "n", "baseline_n", "both_n")
_TESTED: Final = ("index", "design_effect", "p", "p_adjusted", "verdict")
#: The words up to this one call a row.
_UNDER: Final = 1


@runtime_checkable
class RunOfSites(Protocol):
    """A run, as a baseline: it knows its codes or categories, and who was answered."""

    def codes(self) -> pd.DataFrame:
        """Return one row a site and code."""

    def categories(self) -> pd.DataFrame:
        """Return one row a site and category."""

    def sites(self, of: str | None = None) -> pd.DataFrame:
        """Return who was answered, also with nothing: by the name of a frame or a taxonomy."""


def compare(
    frame: Frames,
    groups: Groups = None,
    baseline: str | Targets | RunOfSites | None = None,
    *,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | Iterable[str] | None = None,
    sites: Targets | Mapping[str, Targets] | None = None,
    baseline_sites: Targets | None = None,
    among: Targets | None = None,
    cluster: Cluster = AUTO,
    weight: Weight | None = None,
    confidence_weights: Weights = None,
    level: float = 0.95,
    most: int | None = _MOST_ROWS,
) -> pd.DataFrame:
    """Compare how often groups of sites have each code with a baseline.

    Parameters
    ----------
    frame : DataFrame, or mapping of str to DataFrame
        A codes or categories frame. Or several runs by name: each is a group, and a site counts once in each of them,
        as if it were two; for changes of the same sites there is `toolkit.findings.drift`.
    groups : str, mapping, Series, DataFrame or None
        A column of the frame; or lists of targets by name; or a Series of groups indexed by target; or a frame with
        columns ``target`` and ``group``. A site may be in several groups, or in none. None is one group of all sites.
    baseline : str, iterable of str, DataFrame, run or None
        None is all sites together; ``"rest"`` the sites that are not in the group; or a group's name; or a list or
        frame of targets. A run, or the codes or categories frame of one, is of other sites than the groups'.
    dimensions, taxonomy : str or iterable of str, optional
        Which dimensions of a codes frame, or taxonomies of a categories frame; all by default.
    sites : iterable of str, Series, DataFrame or mapping, optional
        The sites that count, by default all that were answered, as the frame's run says, also with nothing: see the
        notes. For several runs: such lists by run, or None.
    baseline_sites : iterable of str, Series or DataFrame, optional
        The sites that count of a baseline that is a run or its frame, likewise.
    among : iterable of str, Series or DataFrame, optional
        The sites of which it is known in which group they are; a group's own always are. By default all: a site that is
        in no group is one of the others. Of groups by a field that is not known of all sites, such as income, pass
        those of which it is: the others then are no part of the baselines of all sites and of the rest. ``run.compare``
        does so by itself.
    cluster : str, Series, mapping, False or None
        Which sites belong together, so that they say less than as many others: ``"domain"``, a column of the frame, or
        a cluster of each target; None counts each site by itself. By default the domain, if several of the sites, but
        not all, are of one.
    weight : Series or mapping, optional
        A number of each target, such as the spend on it, as of `toolkit.findings.shares`: adds the columns of the
        weight.
    confidence_weights : mapping of str to float, bool or None
        What a code counts by its band of confidence, from 0 to 1, such as ``{"low": 0.25, "medium": 0.5, "high": 1}``,
        which True stands for; the key None is for a missing band (1 unless said). Categories are weighted by their
        confidence with True, and count 1 without any. Only the three columns of it use it: an interval or a test needs
        sites, not parts of sites.
    level : float
        Of the intervals.
    most : int or None
        Of more than a hundred groups, at most so many rows: those that are called over or under, which always stay,
        and then those of the smallest p. None for all that can be a finding.

    Returns
    -------
    DataFrame
        One row a group and code that any group or the baseline has; groups in the order given or by name, codes by
        dimension and code. Of more than a hundred groups, only rows that some outcome could have made a finding, see
        `most`; all rows are tested and counted nevertheless, and ``attrs["about"]`` says in ``groups`` how many groups
        there are, and in ``rows_left_out`` how many rows a table of all groups and codes would have more.

        - ``group``, ``dimension``, ``code``, ``label``, ``parent`` (str): for categories the taxonomy, the identifier
          or else the path, the name, and the name of the top category. Categories are counted as they were answered:
          an ancestor that is no row of its own is not added.
        - ``basis`` (categorical): ``measured`` on the page, or ``inferred`` from what is known of its readers.
        - ``n``, ``with_code`` (int64), ``share``, ``share_low``, ``share_high`` (float64): answered sites of the
          group of which it is known whether they have the code, those that have it, and their share with Wilson's
          interval; missing where n is 0. See the notes: n is not the same for all rows of a group.
          ``n_effective`` (float64): as many sites that do not belong together would say as much of the share.
        - ``baseline`` (str), ``baseline_n``, ``baseline_with`` (int64), ``baseline_share`` (float64),
          likewise. ``both_n``, ``both_with`` (int64): the sites that are in the group and in its baseline, which no
          test holds against themselves.
        - ``index``, ``index_low``, ``index_high`` (float64): the share as a percentage of the baseline's. Infinite
          where only the group has the code; missing where neither has it, unless they are the same sites.
        - ``shrunken_index``, ``shrunken_low``, ``shrunken_high`` (float64): the index that is to be believed, with
          its interval: the greatest of many indices are so by luck too. To rank and to quote; missing where neither
          has the code.
        - ``design_effect``, ``least_p`` (float64): by what the counts of the test are divided where sites belong
          together, and what no p is below then; 1 and 0 where each counts by itself.
        - ``p``, ``p_adjusted`` (float64): of the test, and adjusted for all rows of this call that were tested;
          missing where there is nothing to test.
        - ``verdict`` (ordered categorical): ``over`` and ``under`` where p_adjusted is below 0.05; ``too few`` where
          no outcome with as many sites could have had a p below 0.05; else ``no difference shown``. Four of four
          sites against one of 26 is a difference.
        - ``confident_share``, ``baseline_confident_share``, ``confident_index`` (float64): by ``confidence_weights``;
          missing without them.

        With a weight also these, which are the columns above by weight and not by sites; with equal weights they are
        the same:

        - ``weight``, ``weight_total`` (float64): on the group's sites with the code, and on all of them.
        - ``weighted_share``, ``weighted_low``, ``weighted_high``, ``weighted_n`` (float64): as of
          `toolkit.findings.shares`; ``baseline_weighted_share``.
        - ``weighted_index``, ``weighted_index_low``, ``weighted_index_high``, ``weighted_p``, ``weighted_p_adjusted``
          (float64), ``weighted_verdict``: of the weighted shares, a family of tests of its own.

        ``attrs["about"]`` says how many sites, of when, which baseline, and how many rows were tested; ``group_order``
        there names the first hundred groups in their order, by which pictures choose their colours, and ``group_sites``
        how many answered sites each of these has, of which fewer may be known; ``unmatched``
        there is how many targets of a group are no answered site of the frame, or not among `sites`, and so do not
        count, as in ``{"shops": 3}``: groups without such targets are left out; ``baseline_unmatched`` is how many of
        a baseline of targets; ``not_grouped``, with `among`, how many answered sites are not among them.

    Raises
    ------
    InputError
        If a frame or an argument is not as described.
    UnknownCodeError
        If a dimension or taxonomy is unknown.

    Notes
    -----
    Shares: the score interval (Wilson 1927). Test: the group's sites against those of the baseline that are not in
    it, for sites in both say nothing of the difference (and where the baseline is a part of the group, the rest of
    the group against it; where both have sites of their own, these); exact (Fisher 1935) for small tables, else the
    score test. Index: the score interval of the ratio (Koopman 1984) of two groups without common sites. Where one is
    a part of the other, the index is an increasing function of that ratio of the part and the rest, their numbers
    of sites taken as given, and the interval's limits are carried over; where both have sites of their own besides
    common ones, the delta method is used for the logarithm (Katz and others 1978). So no interval holds an index
    above 100 × N ÷ n, which is that of a code that only the n sites of a group have of N, or one for which a share
    had to be above 1.

    Clusters: where sites belong together, as pages of one domain do, whole clusters are permuted, and the sites of
    those that groups split. The variance of a difference over these permutations gives its design effect, by which
    counts are divided for test, index and shrunken index; no p is below that of a single arrangement of the clusters.
    See `toolkit.findings.statistics.clusters`. In simulation of 40 domains of 25 pages without a difference fewer than
    1 in 1,000 rows are called over or under, however alike pages of a domain are; 27 % if each page counts by itself.

    Shrunken index: empirical Bayes in each dimension, over all groups. Logarithms of true ratios are a mixture of
    normal distributions around 0, whose weights the rows tell (Stephens 2017), with the counts' likelihood; the index
    is the median of what is to be believed then. In simulation its intervals hold the true index of 94 % or more of
    the rows that are called over or under, those of the raw index of 65 to 93 %.

    By weight: the same of effective counts, which are of each part as many sites of equal weight as tell as much of
    its weighted share (`toolkit.findings.statistics.weighted`), in whole numbers; where sites belong together, by the
    variance of their sums, and no p is below that of a single arrangement of the clusters. In simulation a difference
    is found where there is none no more often than the level says, also where few sites carry most of the weight; it
    takes more sites to find one.

    What is known: of a field that each site has a value of, such as income, age, price level or business model, an
    answer without one says that nobody knows it. Such a site is on neither side of a comparison of that field, and
    groups of which too few sites are known are called ``too few``. Interests, topics, personas and technologies a site
    has or has not: there all count whose answer to that question did not fail. To take what is not known for what is
    not so would find differences where answers differ only in how much they tell.

    Who counts: a frame of a run says in ``attrs["asked"]`` who was answered, which pandas keeps. So a frame that was
    cut to a dimension, a taxonomy or a confidence is still of all its sites. Only if whole sites were taken out and
    nothing else, so that of every site there are all rows or none, those that are left count; say ``sites=`` to be
    sure.
    `DataFrame.merge` with another table and `pandas.concat` of parts lose it: use ``frame["target"].map(…)`` and
    `toolkit.frames.joined`. Where nobody said who was answered, the sites with a row count, a
    `toolkit.frames.DenominatorWarning` is given once, and ``attrs["about"]["untold"]`` is true.

    The family of tests is all rows of one call but those that cannot show anything, which is known from their margins
    alone (Tarone 1990); two groups that are each the other's rest are tested once. The false discovery rate in it is
    held at 0.05 by the step-down procedure for discrete tests (Döhler, Durand and Roquain 2018; see
    `toolkit.findings.statistics.discoveries`), as in all findings of a run. Rows where all or none have the code have
    p 1 and are not in the family. The rate holds for independent tests, and in simulation for codes that go together.
    Intervals are those of single rows, and so one may leave 100 out where no difference is shown.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.frames.typed import codes
    >>> names = ["torque-journal.example", "trailhead-outfitters.example", "ledgerline.example"]
    >>> frame = codes(Client().segment(name) for name in names)
    >>> found = compare(frame, {"shops": names[1:2]}, dimensions="audience_type")
    >>> found[["code", "with_code", "n", "baseline_with", "baseline_n", "verdict"]].values.tolist()
    [['b2b', 0, 1, 1, 3, 'too few'], ['b2c', 1, 1, 2, 3, 'too few']]
    """
    most = None if most is None else check_whole(most, "most", 1)
    chosen: dict[str, Any] = {"dimensions": dimensions, "taxonomy": taxonomy, "weights": confidence_weights}
    found = incidence(frame, groups, sites, among=among, **chosen)
    run = _run_of(baseline, baseline_sites, frame, chosen)
    if run is not None:
        found, run = _with_all_codes(found, run)
        name, who, lost = _GIVEN, None, 0
    else:
        name, who, lost = _baseline(found, baseline)
    compared = Contrast(found, run, who, rest=name == REST)
    counts = compared.counts
    clusters = clustering(cluster, compared.sites, [frame] if isinstance(frame, pd.DataFrame) else list(frame.values()))
    tests = None if clusters is None else compared.clustered(clusters)
    effect = np.ones(len(counts.n)) if tests is None else tests.effect.ravel()
    index, once = 100 * counts.ratio, compared.once
    tested = counts.tested(index, once, counts.parts, *_effective(tests), itself=compared.itself)
    shrunken = 100 * counts.shrunken_ratios(compared.family, effect, level)
    by_weight = None if weight is None else _by_weight(compared, weighed(weight, compared.sites), clusters, level)
    kept, said = np.arange(len(index)), {}
    if len(found.names) > _EVERY_GROUP:
        kept = _kept([tested, *([] if by_weight is None else [by_weight.tested])], most)
        said = {"groups": len(found.names), "rows_left_out": len(index) - len(kept)}
    table = compared.texts(kept)
    _add_shares(table, counts.only(kept), name, level)
    table["both_n"], table["both_with"] = counts.both_n[kept], counts.both_have[kept]
    if clusters is not None:
        limits = compared.clustered_limits(clusters, level)
        table["share_low"], table["share_high"], table["n_effective"] = limits[:, kept]
    table["index"] = index[kept]
    table["index_low"], table["index_high"] = 100 * counts.only(kept).ratio_limits(effect[kept], level)
    table["shrunken_index"], table["shrunken_low"], table["shrunken_high"] = shrunken[:, kept]
    table["design_effect"] = effect[kept]
    table["least_p"] = 0.0 if tests is None else tests.rarest.ravel()[kept]
    _add_tested(table, tested, kept)
    _add_confident(table, None if found.weights is None else compared.sums(lambda t: t.weights), compared.seen, kept)
    if by_weight is not None:
        _add_weighted(table, by_weight, kept, level)
        said |= by_weight.weights.about | {"weighted_tested": by_weight.tested.tested}
    table = with_basis(table)
    table.attrs["about"] = {
        **found.about,
        **({} if run is None else {name: value for name, value in run.about.items() if name == "untold"}),
        **({} if clusters is None else clusters.about()),
        "unmatched": found.unmatched,
        "baseline_unmatched": lost,
        "baseline": name,
        **({} if found.grouped is None else {"not_grouped": int((~found.grouped).sum())}),
        "group_order": [str(group) for group in found.names[:_EVERY_GROUP]],
        "group_sites": _sizes(found),
        "level": level,
        "tested": tested.tested,
        **said,
        "false_discoveries": FALSE_DISCOVERIES,
    }
    return table


def one_family(comparisons: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return several comparisons of the same groups as one, whose rows are tested as one family.

    Each comparison allows for its own tests alone: of three of them together, each with one false finding in twenty,
    more than one in twenty may be false.

    Parameters
    ----------
    comparisons : sequence of DataFrame
        What `compare` returned of the same groups and baseline: of codes, of topics, of technologies.

    Returns
    -------
    DataFrame
        Their rows in order, as of `compare`; ``p_adjusted`` and ``verdict`` allow for all tests of all of them, which
        ``attrs["about"]["tested"]`` counts. The rest of ``attrs["about"]`` is the first comparison's.

    Raises
    ------
    InputError
        If there is no comparison, or what is none, or one that is by weight, or of which rows were left out.

    Notes
    -----
    The procedure is that of `compare`. Of sites that belong together the margins of the effective counts are not in the
    rows: such tests count as if any p could come out, which errs on the side of saying less.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> run = sample_run()
    >>> parts = [run.compare("content_type", "rest", of=of) for of in ("codes", "technologies")]
    >>> found = one_family(parts)
    >>> found.attrs["about"]["tested"] == sum(part.attrs["about"]["tested"] for part in parts)
    True
    """
    parts = list(comparisons)
    if not parts:
        raise InputError("There is no comparison to put together. Pass one or more results of compare.")
    for part in parts:
        check_columns(part, ("group", *COUNTED, *_TESTED), "what compare gave")
        about = part.attrs.get("about", {})
        if "tested" not in about:
            raise InputError(
                "A comparison does not say how many of its rows were tested. Pass what compare gave, with its "
                'attrs["about"].'
            )
        if "weighted_p" in part or about.get("rows_left_out"):
            raise InputError(
                "A comparison by weight, or one of so many groups that rows were left out, cannot be put together with "
                "others. Compare without a weight and pass most=None."
            )
    found = pd.concat(parts, ignore_index=True)
    parts_of = Margins(*(found[name].to_numpy() for name in COUNTED)).parts
    once = _tested_once(parts, np.stack(parts_of, axis=1))
    margins = np.stack([parts_of.n1, parts_of.n2, parts_of.have1 + parts_of.have2], axis=1)
    tested = found["p_adjusted"].notna().to_numpy()
    exact = is_exact(*margins.T) & found["design_effect"].eq(1).to_numpy()
    p = np.where(tested & (once == np.arange(len(once))), found["p"], np.nan)
    found["p_adjusted"] = discoveries(p, margins, exact=exact)[once]
    over, under = called(found["p_adjusted"].to_numpy(), parts_of, found["index"].to_numpy())
    words = np.select([over, under, tested], [0, 1, 2], found["verdict"].cat.codes)
    found["verdict"] = pd.Categorical.from_codes(words, dtype=VERDICTS)
    tests = sum(part.attrs["about"]["tested"] for part in parts)
    found.attrs = {"about": {**parts[0].attrs["about"], "tested": tests}}
    return found


def _tested_once(parts: Sequence[pd.DataFrame], sides: Counts) -> Counts:
    """Return of each row the first that has the same test: of two groups that are each the other's rest, one's.

    `sides` are of each row what is tested, as of `Margins.parts`.
    """
    once = np.arange(len(sides))
    start = 0
    for part in parts:
        groups = part.groupby("group", sort=False, observed=True).indices
        places = [start + np.asarray(rows, dtype=np.int64) for rows in groups.values()]
        for at, rows in enumerate(places):
            for others in places[:at]:
                if len(rows) == len(others) and np.array_equal(sides[rows], sides[others][:, [2, 3, 0, 1]]):
                    once[rows] = others
                    break
        start += len(part)
    return once


class _ByWeight(NamedTuple):
    """What is found by weight: what sites tell, the ratios in per cent with their limits, and what tests say."""

    weights: Weighed
    worths: Worths
    ratios: Floats
    tested: Tested


def _by_weight(compared: Contrast, weights: Weighed, clusters: Clustering | None, level: float) -> _ByWeight:
    counts = compared.counts
    if clusters is None:
        worths = Worths.of(counts, *compared.weighted_sums(weights.values))
    else:
        worths = compared.clustered_worths(weights.values, clusters.cluster, level)
    ratios = 100 * np.stack(counts.weighted_ratio(worths, level))
    return _ByWeight(
        weights,
        worths,
        ratios,
        counts.tested(ratios[0], compared.once, worths.parts, rarest=worths.rarest, itself=compared.itself),
    )


def _run_of(
    baseline: Any, baseline_sites: Targets | None, frame: Frames, chosen: Mapping[str, Any]
) -> Incidence | None:
    """Return who has what in a baseline that is a run or its frame; None where it is no run."""
    if isinstance(baseline, RunOfSites):
        of_codes = is_of_codes([frame] if isinstance(frame, pd.DataFrame) else frame.values())
        wanted = wanted_kinds(of_codes, chosen["dimensions"], chosen["taxonomy"])
        part = "codes" if of_codes else wanted[0] if wanted is not None and len(wanted) == 1 else "categories"
        answered = baseline.sites(part) if baseline_sites is None else baseline_sites
        return incidence(baseline.codes() if of_codes else baseline.categories(), None, answered, **chosen)
    if isinstance(baseline, pd.DataFrame) and not {"dimension", "taxonomy"}.isdisjoint(baseline.columns):
        return incidence(baseline, None, baseline_sites, **chosen)
    if baseline_sites is not None:
        raise InputError(
            "baseline_sites says which sites of another run count, and the baseline is none. Pass a run, or its "
            "codes or categories frame, as the baseline; sites of this run as a list."
        )
    return None


def _baseline(found: Incidence, baseline: Any) -> tuple[str, Bools | None, int]:
    """Return the baseline's name, which sites are in it (None: all, or the rest of each group), and targets lost."""
    if baseline is None:
        return EVERYBODY, None, 0
    if not isinstance(baseline, str):
        return _GIVEN, *found.among(baseline)
    if baseline in found.names:
        if baseline == REST:
            raise InputError(f"A group is called {REST!r}, as the baseline of all other sites is. Rename the group.")
        at = found.names.index(baseline)
        return baseline, found.members[[at], :].toarray()[0] > 0, 0
    if baseline in {EVERYBODY, REST}:
        return baseline, None, 0
    near = ", ".join(nearest_to(baseline, [*found.names, REST])) or ", ".join(found.names[:_SHOWN])
    raise InputError(
        f"The baseline {baseline!r:.80} is no group. Nearest: {near}. Pass a group's name, "
        "'rest', a list of targets, a frame or a run."
    )


def _sizes(found: Incidence) -> dict[str, int]:
    """Return how many answered sites the first groups have."""
    sizes = np.diff(found.members.indptr)[:_EVERY_GROUP].tolist()
    return {str(group): int(size) for group, size in zip(found.names, sizes, strict=False)}


def _kept(families: list[Tested], most: int | None) -> Counts:
    """Return the rows of many groups that are worth a look: those that are called, and then those of the smallest p."""
    can = np.any([tested.can for tested in families], axis=0)
    if most is None or can.sum() <= most:
        return np.flatnonzero(can)
    called = np.any([tested.word <= _UNDER for tested in families], axis=0)
    p = np.min([np.where(tested.can, tested.p, np.inf) for tested in families], axis=0)
    rows = np.flatnonzero(can & ~called)
    rows = rows[np.argsort(p[rows], kind="stable")[: max(0, most - int(called.sum()))]]
    return np.sort(np.append(np.flatnonzero(called), rows))


def _add_shares(table: pd.DataFrame, counts: Margins, name: str, level: float) -> None:
    table["n"], table["with_code"] = counts.n, counts.have
    table["share"] = divided(counts.have, counts.n)
    table["share_low"], table["share_high"] = wilson(counts.have, counts.n, level)
    table["n_effective"] = counts.n.astype(np.float64)
    table["baseline"] = pd.Series([name], dtype="str").array.take(np.zeros(len(table), dtype=np.intp))
    table["baseline_n"], table["baseline_with"] = counts.base_n, counts.base_have
    table["baseline_share"] = divided(counts.base_have, counts.base_n)


def _effective(tests: ClusterTests | None) -> tuple[Any, ...]:
    """Return of each row the effective counts, and what no p is below; nothing where each site counts by itself."""
    if tests is None:
        return ()
    return Parts(*tests.tables.reshape(4, -1).astype(np.int64)), tests.rarest.ravel()


def _add_tested(table: pd.DataFrame, tested: Tested, kept: Counts, of: str = "") -> None:
    table[f"{of}p"], table[f"{of}p_adjusted"] = tested.p[kept], tested.adjusted[kept]
    table[f"{of}verdict"] = pd.Categorical.from_codes(tested.word[kept], dtype=VERDICTS)


def _add_confident(table: pd.DataFrame, sums: tuple[Any, Any, Any] | None, seen: Counts, kept: Counts) -> None:
    groups, bases = (np.nan, np.nan) if sums is None else (values[:, seen].ravel()[kept] for values in sums[:2])
    table["confident_share"] = divided(groups, table["n"])
    table["baseline_confident_share"] = divided(bases, table["baseline_n"])
    ratio = divided(table["confident_share"].to_numpy(), table["baseline_confident_share"].to_numpy())
    table["confident_index"] = 100 * ratio


def _add_weighted(table: pd.DataFrame, found: _ByWeight, kept: Counts, level: float) -> None:
    """Add the columns of a weight."""
    group = Worth(*(values[kept] for values in found.worths.group))
    table["weight"], table["weight_total"] = group.on, group.total
    table["weighted_share"] = group.share
    table["weighted_low"], table["weighted_high"] = group.limits(level)
    table["weighted_n"] = group.kish
    table["baseline_weighted_share"] = found.worths.base.share[kept]
    for end, values in zip(("", "_low", "_high"), found.ratios[:, kept], strict=True):
        table[f"weighted_index{end}"] = values
    _add_tested(table, found.tested, kept, "weighted_")


def _with_all_codes(found: Incidence, run: Incidence) -> tuple[Incidence, Incidence]:
    """Return both with the codes of either."""
    codes = in_order(pd.concat([found.codes, run.codes]).drop_duplicates(["dimension", "code"]))
    return found.with_codes(codes), run.with_codes(codes)
