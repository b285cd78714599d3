"""Which codes a group of sites has more or less often than others, and what can be said of that with so many sites."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, runtime_checkable

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.codes import Weights, in_order, is_of_codes, wanted_kinds
from toolkit.findings.incidence import EVERYBODY, Frames, Groups, Incidence, Targets, incidence
from toolkit.findings.statistics.discoveries import discoveries
from toolkit.findings.statistics.proportions import (
    FALSE_DISCOVERIES,
    is_exact,
    overlap_log_ratio,
    overlap_ratio_interval,
    ratio_interval,
    smallest_p,
    two_proportion_p,
    wilson,
)
from toolkit.findings.statistics.shrinkage import Measured, shrunken_ratios
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    _Part = tuple[Counts, Counts]

__all__ = ["REST", "VERDICTS", "RunOfSites", "compare"]

#: What a row can say.
VERDICTS: Final = pd.CategoricalDtype(["over", "under", "no difference shown", "too few"], ordered=True)
#: As a baseline: the sites that are not in the group.
REST: Final = "rest"
#: The name of a baseline that was given as sites or as a run of its own.
_GIVEN: Final = "baseline"
_SHOWN: Final = 5


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
    weights: Weights = None,
    level: float = 0.95,
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
    weights : mapping of str to float, bool or None
        What a code counts by its band of confidence, from 0 to 1, such as ``{"low": 0.25, "medium": 0.5, "high": 1}``,
        which True stands for; the key None is for a missing band (1 unless said). Categories are weighted by their
        confidence with True, and count 1 without any. Only the weighted columns use it: an interval or a test needs
        sites, not parts of sites.
    level : float
        Of the intervals.

    Returns
    -------
    DataFrame
        One row a group and code that any group or the baseline has; groups in the order given or by name, codes by
        dimension and code.

        - ``group``, ``dimension``, ``code``, ``label``, ``parent`` (str): for categories the taxonomy, the identifier
          or else the path, the name, and the name of the top category. Categories are counted as they were answered:
          an ancestor that is no row of its own is not added.
        - ``n``, ``with_code`` (int64), ``share``, ``share_low``, ``share_high`` (float64): answered sites of the
          group, those with the code, and their share with Wilson's interval; missing where n is 0.
        - ``baseline`` (str), ``baseline_n``, ``baseline_with`` (int64), ``baseline_share`` (float64).
        - ``index``, ``index_low``, ``index_high`` (float64): the share as a percentage of the baseline's. Infinite
          where only the group has the code; missing where neither has it, unless they are the same sites.
        - ``shrunken_index``, ``shrunken_low``, ``shrunken_high`` (float64): the index that is to be believed, with
          its interval: the greatest of many indices are so by luck too. To rank and to quote; missing where neither
          has the code.
        - ``p``, ``p_adjusted`` (float64): of the test, and adjusted for all rows of this call that were tested;
          missing where there is nothing to test.
        - ``verdict`` (ordered categorical): ``over`` and ``under`` where p_adjusted is below 0.05; ``too few`` where
          no outcome with as many sites could have had a p below 0.05; else ``no difference shown``. Four of four
          sites against one of 26 is a difference.
        - ``weighted_share``, ``baseline_weighted_share``, ``weighted_index`` (float64): missing without weights.

        ``attrs["about"]`` says how many sites, of when, which baseline, and how many rows were tested; ``unmatched``
        there is how many targets of a group are no answered site of the frame, or not among `sites`, and so do not
        count, as in ``{"shops": 3}``: groups without such targets are left out; ``baseline_unmatched`` is how many of
        a baseline of targets.

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

    Shrunken index: empirical Bayes in each dimension, over all groups. Logarithms of true ratios are a mixture of
    normal distributions around 0, whose weights the rows tell (Stephens 2017), with the counts' likelihood; the index
    is the median of what is to be believed then. In simulation its intervals hold the true index of 94 % or more of
    the rows that are called over or under, those of the raw index of 65 to 93 %.

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
    chosen: dict[str, Any] = {"dimensions": dimensions, "taxonomy": taxonomy, "weights": weights}
    found = incidence(frame, groups, sites, **chosen)
    run = _run_of(baseline, baseline_sites, frame, chosen)
    if run is not None:
        found, run = _with_all_codes(found, run)
        name, lost = _GIVEN, 0
    else:
        name, who, lost = _baseline(found, baseline)
    sums = partial(_against_run, found, run) if run is not None else partial(_against, found, who, rest=name == REST)
    have, base_have, both_have = sums(lambda table: table.has)
    seen = np.flatnonzero((have > 0).any(axis=0) | (base_have > 0).any(axis=0))
    counts = _Sites(
        *(values[:, seen].ravel() for values in (have, base_have, both_have)),
        *(np.repeat(values, len(seen)) for values in sums(_everybody)),
    )
    table = _texts(found, seen)
    _add_shares(table, counts, name, level)
    _add_index(table, counts, level)
    _add_shrunken(table, counts, level)
    once = _tested_once(found.members) if name in {EVERYBODY, REST} else np.arange(len(found.names))
    tested = _add_verdict(table, counts, np.add.outer(once * len(seen), np.arange(len(seen))).ravel())
    _add_weighted(table, counts, None if found.weights is None else sums(lambda t: t.weights), seen)
    table.attrs["about"] = {
        **found.about,
        **({} if run is None else {name: value for name, value in run.about.items() if name == "untold"}),
        "unmatched": found.unmatched,
        "baseline_unmatched": lost,
        "baseline": name,
        "level": level,
        "tested": tested,
        "false_discoveries": FALSE_DISCOVERIES,
    }
    return table


class _Sites(NamedTuple):
    """For each row the sites with the code, and the sites at all: of the group, of its baseline, and in both."""

    have: Counts
    base_have: Counts
    both_have: Counts
    n: Counts
    base_n: Counts
    both_n: Counts


class _Parts(NamedTuple):
    """What is tested: the part of the group and the part of the baseline, without a common site."""

    have1: Counts
    n1: Counts
    have2: Counts
    n2: Counts


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


def _baseline(found: Incidence, baseline: Any) -> tuple[str, NDArray[np.bool_] | None, int]:
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


def _everybody(table: Incidence) -> sparse.csr_array:
    return sparse.csr_array(np.ones((len(table.sites), 1), dtype=np.int64))


def _against(
    found: Incidence, who: NDArray[np.bool_] | None, table: Callable[[Incidence], Any], *, rest: bool
) -> tuple[Any, Any, Any]:
    """Return the sums over the sites of each group, of its baseline, and of both."""
    values = table(found)
    have = (found.members @ values).toarray()
    if who is not None:
        here = who.astype(np.int64)
        common = found.members.multiply(here[None, :]).tocsr()
        return have, np.tile(here @ values, (len(have), 1)), (common @ values).toarray()
    every = np.tile(np.asarray(values.sum(axis=0)), (len(have), 1))
    return (have, every - have, np.zeros_like(have)) if rest else (have, every, have)


def _against_run(found: Incidence, run: Incidence, table: Callable[[Incidence], Any]) -> tuple[Any, Any, Any]:
    have = (found.members @ table(found)).toarray()
    return have, np.tile(np.asarray(table(run).sum(axis=0)), (len(have), 1)), np.zeros_like(have)


def _texts(found: Incidence, seen: Counts) -> pd.DataFrame:
    place = np.tile(seen, len(found.names))
    columns = {"group": pd.Index(found.names, dtype="str").repeat(len(seen))}
    columns |= {name: found.codes[name].array.take(place) for name in found.codes.columns}
    return pd.DataFrame(columns)


def _add_shares(table: pd.DataFrame, counts: _Sites, name: str, level: float) -> None:
    table["n"], table["with_code"] = counts.n, counts.have
    table["share"] = _divided(counts.have, counts.n)
    table["share_low"], table["share_high"] = wilson(counts.have, counts.n, level)
    table["baseline"] = pd.Series([name], dtype="str").array.take(np.zeros(len(table), dtype=np.intp))
    table["baseline_n"], table["baseline_with"] = counts.base_n, counts.base_have
    table["baseline_share"] = _divided(counts.base_have, counts.base_n)


def _same(counts: _Sites) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = (counts.n == counts.both_n) & (counts.base_n == counts.both_n) & (counts.n > 0)
    return same


def _parts(counts: _Sites) -> _Parts:
    """Leave out the sites in both, but where the group or the baseline would be empty then."""
    inside = (counts.n == counts.both_n) & ~_same(counts)
    outside = (counts.base_n == counts.both_n) & ~inside & ~_same(counts)
    return _Parts(
        np.where(inside, counts.have, counts.have - counts.both_have),
        np.where(inside, counts.n, counts.n - counts.both_n),
        np.where(outside, counts.base_have, counts.base_have - counts.both_have),
        np.where(outside, counts.base_n, counts.base_n - counts.both_n),
    )


def _add_index(table: pd.DataFrame, counts: _Sites, level: float) -> None:
    index = _divided(table["share"].to_numpy(), table["baseline_share"].to_numpy())
    parts, crossed = _parts(counts), np.flatnonzero(_crossed(counts))
    limits = _carried(np.stack(ratio_interval(*parts, level)), counts)
    if crossed.size:
        limits[:, crossed] = overlap_ratio_interval(*_three_parts(counts, crossed), level=level)
        least, most = _possible(counts, crossed, level)
        limits[:, crossed] = np.fmax(limits[0, crossed], least), np.fmin(limits[1, crossed], most)
    same = _same(counts)
    index, limits = np.where(same, 1.0, index), np.where(same, 1.0, limits)
    table["index"], table["index_low"], table["index_high"] = 100 * index, 100 * limits[0], 100 * limits[1]


def _add_shrunken(table: pd.DataFrame, counts: _Sites, level: float) -> None:
    parts, same = _parts(counts), _same(counts)
    known = (counts.have + counts.base_have > 0) & (counts.n > 0) & (counts.base_n > 0) & ~same
    known &= (parts.n1 > 0) & (parts.n2 > 0)
    measured = np.zeros((2, len(table)))
    crossed = np.flatnonzero(_crossed(counts) & known)
    measured[:, crossed] = overlap_log_ratio(*_three_parts(counts, crossed))
    family = np.unique(table["dimension"].to_numpy()[known], return_inverse=True)[1]
    shrunken = np.full((3, len(table)), np.nan)
    shrunken[:, known] = shrunken_ratios(Measured(*(values[known] for values in (*parts, *measured))), family, level)
    shrunken[:, crossed] = np.clip(shrunken[:, crossed], *_possible(counts, crossed, level))
    shrunken = 100 * np.where(same, 1.0, _carried(shrunken, counts))
    table["shrunken_index"], table["shrunken_low"], table["shrunken_high"] = shrunken


def _crossed(counts: _Sites) -> NDArray[np.bool_]:
    """Return which groups have sites in common with their baseline, and both have others besides."""
    crossed: NDArray[np.bool_] = (counts.both_n > 0) & (counts.n != counts.both_n) & (counts.base_n != counts.both_n)
    return crossed


def _three_parts(counts: _Sites, crossed: Counts) -> tuple[_Part, _Part, _Part]:
    """Return the sites with the code, and the sites, of the group alone, of its baseline alone, and of both."""
    have, base_have, both_have, n, base_n, both_n = (values[crossed] for values in counts)
    return (have - both_have, n - both_n), (base_have - both_have, base_n - both_n), (both_have, both_n)


def _possible(counts: _Sites, crossed: Counts, level: float) -> tuple[Floats, Floats]:
    """Return between what a ratio must lie if the other share is at most 1, whatever the delta method says."""
    have, n, base_have, base_n = (
        values[crossed] for values in (counts.have, counts.n, counts.base_have, counts.base_n)
    )
    ratio = _divided(have * base_n, n * base_have)
    least, most = wilson(have, n, level)[0], _divided(1, wilson(base_have, base_n, level)[0])
    return np.fmin(least, ratio), np.fmax(most, ratio)


def _carried(ratio: Floats, counts: _Sites) -> Floats:
    """Return ratios of the group's share to the baseline's, given those of the parts without a common site."""
    shared = (counts.both_n > 0) & ~_same(counts)
    inside = shared & (counts.n == counts.both_n)
    outside = shared & (counts.base_n == counts.both_n) & ~inside
    sizes = _divided(counts.n, counts.base_n), _divided(counts.base_n, counts.n)
    with np.errstate(invalid="ignore", divide="ignore"):
        # A part of the baseline: share ÷ whole is r ÷ (w r + 1 - w), if r is share ÷ rest and w the part's size.
        carried = np.where(np.isinf(ratio), 1 / sizes[0], ratio / (sizes[0] * ratio + 1 - sizes[0]))
        carried = np.minimum(carried, 1 / sizes[0])
        # The baseline is a part: whole ÷ share is w + (1 - w) r, if r is rest ÷ share.
        return np.select([inside, outside], [carried, sizes[1] + (1 - sizes[1]) * ratio], ratio)


def _tested_once(members: sparse.csr_array) -> Counts:
    """Return for each group the first that is the rest of it, or itself: against the rest, both are one test."""
    sizes = np.asarray(members.sum(axis=1))
    first = np.arange(len(sizes))
    for group, size in enumerate(sizes):
        for other in np.flatnonzero(sizes[:group] == members.shape[1] - size):
            if not (members[[group], :] @ members[[other], :].T).sum():
                first[group] = other
                break
    return first


def _add_verdict(table: pd.DataFrame, counts: _Sites, once: Counts) -> int:
    """Add p and the verdict, and return how many rows were tested; `once` is the row that has the same test."""
    parts, same = _parts(counts), _same(counts)
    p = two_proportion_p(*parts)
    have = parts.have1 + parts.have2
    alike = same | (have == 0) | (have == parts.n1 + parts.n2)
    can = ~alike
    can[can] = smallest_p(*(values[can] for values in parts)) < FALSE_DISCOVERIES
    # Where all are alike nothing is tested: the question is whether any number of sites with the code could have told.
    enough = np.where(same, counts.n > 0, smallest_p(parts.n1, parts.n1, 0, parts.n2) < FALSE_DISCOVERIES)
    own = can & (once == np.arange(len(once)))
    margins = np.stack([parts.n1, parts.n2, have], axis=1)
    adjusted = discoveries(np.where(own, p, np.nan), margins, exact=is_exact(*margins.T))[once]
    with np.errstate(invalid="ignore"):
        shown = adjusted < FALSE_DISCOVERIES
        higher = _divided(parts.have1, parts.n1) > _divided(parts.have2, parts.n2)
        # With common sites the parts and the whole groups may point different ways; then nothing is claimed.
        over, under = shown & higher & (table["index"] > 100), shown & ~higher & (table["index"] < 100)  # noqa: PLR2004
    words = np.select([over, under, can | (alike & enough)], [0, 1, 2], 3)
    table["p"], table["p_adjusted"] = p, adjusted
    table["verdict"] = pd.Categorical.from_codes(words, dtype=VERDICTS)
    return int(can.sum())


def _add_weighted(table: pd.DataFrame, counts: _Sites, sums: tuple[Any, Any, Any] | None, seen: Counts) -> None:
    groups, bases = (np.nan, np.nan) if sums is None else (values[:, seen].ravel() for values in sums[:2])
    table["weighted_share"] = _divided(groups, counts.n)
    table["baseline_weighted_share"] = _divided(bases, counts.base_n)
    ratio = _divided(table["weighted_share"].to_numpy(), table["baseline_weighted_share"].to_numpy())
    table["weighted_index"] = 100 * ratio


def _divided(above: Any, below: Any) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.asarray(np.divide(above, below), dtype=np.float64)
    return found


def _with_all_codes(found: Incidence, run: Incidence) -> tuple[Incidence, Incidence]:
    """Return both with the codes of either."""
    codes = in_order(pd.concat([found.codes, run.codes]).drop_duplicates(["dimension", "code"]))
    return found.with_codes(codes), run.with_codes(codes)
