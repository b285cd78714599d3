"""Who is in which group, and which site has which code: two tables of zeros and ones that findings count with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.codes import Weights, code_columns, columns_of, is_of_codes, ranks, row_weights, wanted_kinds
from toolkit.findings.given.groups import column_of_groups, labelled, lists_of, named
from toolkit.frames.about import answered, dated, described, normal_of, site_of, untold
from toolkit.frames.asked import Counted, counted
from toolkit.frames.foreign import normal
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    #: Names of groups, their members as places of groups and of sites, and the group of each target that is no site.
    _Members: TypeAlias = tuple[list[str], tuple[Integers, Integers], Integers]

__all__ = ["EVERYBODY", "Frames", "Groups", "Incidence", "Targets", "incidence", "site_names"]

Targets: TypeAlias = Iterable[str] | pd.Series | pd.DataFrame
Groups: TypeAlias = str | Mapping[str, Targets] | pd.Series | pd.DataFrame | None
Frames: TypeAlias = pd.DataFrame | Mapping[str, pd.DataFrame]

#: The name of the one group where none are given.
EVERYBODY: Final = "all sites"
#: Places of a table below this have numbers of half the width.
_SMALL: Final = 2**31


@dataclass(frozen=True)
class Incidence:
    """Who is in which group, and has which code.

    Attributes
    ----------
    sites : Index
        The site of each row of the tables, sorted; with several runs, a site has one row in each, run after run.
    places : array of int
        Of each row its site's place among the sites of all runs, by name.
    codes : DataFrame
        One row a column of `has`: ``dimension``, ``code``, ``label``, ``parent``, in order.
    has : csr_array
        Sites × codes: 1 where a site has a code.
    weights : csr_array or None
        The same with the weight of the confidence, if asked for.
    names : list of str
        The groups, in order.
    members : csr_array
        Groups × sites: 1 where a site is in a group.
    about : dict
        What `toolkit.frames.about.about` says of the frames, of the sites that count.
    unmatched : dict of str to int
        How many targets of a group are no sites that count; groups without such targets are left out.
    failed : list of Index
        Of each run, the sites that have only failed.
    """

    sites: pd.Index
    places: Integers
    codes: pd.DataFrame
    has: sparse.csr_array
    weights: sparse.csr_array | None
    names: list[str]
    members: sparse.csr_array
    about: dict[str, Any]
    unmatched: dict[str, int]
    failed: list[pd.Index]

    def with_codes(self, codes: pd.DataFrame) -> Incidence:
        """Return the same sites with these codes, which may be more, in this order."""
        place = pd.MultiIndex.from_frame(codes[["dimension", "code"]]).get_indexer(
            pd.MultiIndex.from_frame(self.codes[["dimension", "code"]])
        )
        shape = (len(self.sites), len(codes))

        def moved(table: sparse.csr_array) -> sparse.csr_array:
            return sparse.csr_array((table.data, place[table.indices], table.indptr), shape=shape)

        weights = None if self.weights is None else moved(self.weights)
        return replace(self, codes=codes.reset_index(drop=True), has=moved(self.has), weights=weights)

    def among(self, targets: Targets) -> tuple[NDArray[np.bool_], int]:
        """Return which rows of the tables are of these targets, and how many targets are no sites that count."""
        known, given = self.sites.unique(), _given(targets)
        sites = _sites(given, known)
        # What is no target at all has no site to be counted by.
        asked = sites.where(sites.notna(), given).dropna().drop_duplicates()
        return _places(pd.Series(self.sites), pd.Index(asked)) >= 0, int((_places(asked, known) < 0).sum())


def incidence(
    frame: Frames,
    groups: Groups = None,
    sites: Targets | Mapping[str, Targets | None] | None = None,
    *,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | Iterable[str] | None = None,
    weights: Weights = None,
) -> Incidence:
    """Return who is in which group, and which site has which code.

    Groups are a column of the frame, lists of targets by name, the group of each target, a Series indexed by target, or
    a frame with columns ``target`` and ``group``; a site may be in several, and None is one group of all. Several runs
    by name are the groups themselves. The sites that count are by default all that were answered, as the frame's run
    says: see `toolkit.frames.asked.counted`. Of sites that are passed, for several runs by run, those do not count that
    the frame knows as failures only. Weights are as of `toolkit.findings.compare`.

    Examples
    --------
    >>> import pandas as pd
    >>> codes = pd.DataFrame({"target": ["a.example", "b.example"], "dimension": "persona", "code": ["Cook", "Cook"]})
    >>> found = incidence(codes, {"mine": ["https://a.example/"]})
    >>> found.sites.tolist(), found.has.sum(axis=0).tolist(), found.members.toarray().tolist()
    (['a.example', 'b.example'], [2], [[1, 0]])
    """
    runs = _runs(frame, groups)
    of_codes = is_of_codes(runs.values())
    wanted = wanted_kinds(of_codes, dimensions, taxonomy)
    rows, run = _stacked(runs, columns_of(of_codes), groups if isinstance(groups, str) else None)
    site, names = pd.factorize(site_of(rows))
    names = pd.Index(names, dtype="str")
    good = site >= 0
    if "error" in rows.columns:
        good &= rows["error"].isna().to_numpy()
    given = _asked(runs, frame, sites, names)
    parts = None if of_codes else wanted
    asked: list[pd.Index | Counted] = []
    for number, (part, targets) in enumerate(zip(runs.values(), given, strict=True)):
        own_site, own_good = _of_run(site, good, run, number)
        asked.append(counted(part, own_site, names, own_good, parts) if targets is None else targets)
    told = [who for who in asked if isinstance(who, Counted)]
    more = [who for who in asked if not isinstance(who, Counted)]
    more += [index for who in told for index in (who.answered, who.failed)]
    names = names.append(more).unique()
    order = np.asarray(names.argsort())
    names, site = names.take(order), np.append(ranks(order), -1)[site]
    numbers, failed, only_failed = _numbered(names, site, run, good, asked)
    unit = np.where(good, numbers[run, site], -1)
    codes, column = code_columns(rows, of_codes, wanted, unit)
    weight = row_weights(rows, of_codes, weights)
    coded = column >= 0
    size = int(numbers.max(initial=-1)) + 1
    has, weighted = _table(unit[coded], column[coded], (size, len(codes)), None if weight is None else weight[coded])
    which = np.nonzero(numbers[:, :-1] >= 0)
    if isinstance(frame, Mapping):
        named, members, lost = list(runs), (which[0], np.arange(size)), np.empty(0, dtype=np.int64)
    elif isinstance(groups, str):
        named, members, lost = _of_column(rows[groups], site, unit, numbers[0])
    else:
        named, members, lost = _of_targets(groups, names, numbers[0])
    missed = np.bincount(lost, minlength=len(named))
    unmatched = {name: int(count) for name, count in zip(named, missed, strict=True) if count}
    some = int((numbers >= 0).any(axis=0).sum())
    said = described(some, only_failed, *dated(rows, unit >= 0)) | untold(told=all(who.told for who in told))
    who = _table(*members, (len(named), size))[0]
    lacking = [names[row[:-1]] for row in failed]
    return Incidence(names.take(which[1]), which[1], codes, has, weighted, named, who, said, unmatched, lacking)


def _runs(frame: Frames, groups: Groups) -> dict[str, pd.DataFrame]:
    own = [groups] if isinstance(groups, str) else []
    if isinstance(frame, pd.DataFrame):
        return {EVERYBODY: normal(frame, *own)}
    if not isinstance(frame, Mapping) or not frame or not all(isinstance(run, pd.DataFrame) for run in frame.values()):
        raise InputError(
            f"Findings take a frame, or frames by name, not {type(frame).__name__}. Pass run.codes() or "
            "run.categories(), or a mapping of such frames."
        )
    if groups is not None:
        raise InputError("Several runs are the groups themselves. Pass a mapping of frames, or groups of one frame.")
    return {name: normal(run) for name, run in zip(named(frame), frame.values(), strict=True)}


def _stacked(
    runs: dict[str, pd.DataFrame], columns: list[str], group: str | None
) -> tuple[pd.DataFrame, Integers | int]:
    """Return the rows of all runs with the columns that are there, and each row's run."""
    columns = list(dict.fromkeys([*columns, *([] if group is None else [group])]))
    for run in runs.values():
        if group is not None and group not in run.columns:
            near = ", ".join(nearest_to(group, map(str, run.columns)))
            raise InputError(
                f"The frame has no column {group!r} to group by.{f' Nearest: {near}.' if near else ''} Pass a "
                "column of the frame, or a Series of groups indexed by target, such as "
                "run.audiences().set_index('target')['audience_type']."
            )
        if "target" not in run.columns:
            site_of(run)
    parts = [run[[name for name in columns if name in run.columns]] for run in runs.values()]
    if len(parts) == 1:
        return parts[0], 0
    number = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return pd.concat(parts, ignore_index=True), number


def _asked(
    runs: dict[str, pd.DataFrame], frame: Frames, sites: Targets | Mapping[str, Targets | None] | None, names: pd.Index
) -> list[pd.Index | None]:
    """Return the sites that count in each run; None are those that were answered."""
    if sites is None:
        return [None] * len(runs)
    if not isinstance(frame, Mapping):
        return [site_names(sites, names)]
    if not isinstance(sites, Mapping) or set(named(sites)) != set(runs):
        raise InputError(
            f"Each of several runs has its own sites. Pass a mapping of the same names: {', '.join(runs)}."
        )
    by_name = dict(zip(named(sites), sites.values(), strict=True))
    given = {name: by_name[name] for name in runs}
    return [None if targets is None else site_names(targets, names) for targets in given.values()]


def _of_run(
    site: Integers, good: NDArray[np.bool_], run: Integers | int, number: int
) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the sites of one run's rows, and which of them are answers."""
    if isinstance(run, int):
        return site, good
    rows = run == number
    return site[rows], good[rows]


def _numbered(
    names: pd.Index,
    site: Integers,
    run: Integers | int,
    good: NDArray[np.bool_],
    asked: list[pd.Index | Counted],
) -> tuple[Integers, NDArray[np.bool_], int]:
    """Return the number of each run's site that counts (-1: it does not), which have failed there, and how many at all.

    Who counts in a run is what the caller passed, or what is known of the frame.
    """
    shape = (len(asked), len(names) + 1)
    counts, seen = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    # The last place is of rows without a target.
    seen[run, site] = True
    counts[run, np.where(good, site, -1)] = True
    counts[:, -1] = seen[:, -1] = False
    failed, well = seen & ~counts, counts.any(axis=0)
    for number, who in enumerate(asked):
        if isinstance(who, Counted):
            counts[number], failed[number] = (
                np.append(_places(pd.Series(names), sites) >= 0, False) for sites in (who.answered, who.failed)
            )
            well |= counts[number]
        else:
            wanted = np.append(_places(pd.Series(names), who) >= 0, False)
            counts[number] = wanted & (counts[number] | ~seen[number])
    only_failed = int((failed.any(axis=0) & ~well).sum())
    return np.where(counts, np.cumsum(counts).reshape(shape) - 1, -1), failed, only_failed


def site_names(targets: Targets, known: pd.Index) -> pd.Index:
    """Return the sites of targets: as they stand where they are known, else in normal form, else left out."""
    names: pd.Index = pd.Index(_sites(targets, known).dropna().unique(), dtype="str")
    return names


def _given(targets: Any) -> pd.Series:
    """Return targets as texts, as they are written."""
    if isinstance(targets, pd.DataFrame):
        targets = site_of(answered(normal(targets)))
    if isinstance(targets, Mapping) or not isinstance(targets, Iterable):
        raise InputError(f"Targets are a list of texts, not {type(targets).__name__}. Pass a list, Series or frame.")
    ready = isinstance(targets, (pd.Series, pd.Index, np.ndarray))
    given = pd.Series(targets if ready else [targets] if isinstance(targets, str) else list(targets), dtype=None)
    given = given.reset_index(drop=True)
    wrong = [] if given.dtype == "str" else [item for item in given.dropna() if not isinstance(item, str)]
    if wrong:
        raise InputError(f"A target is {wrong[0]!r:.80}, not text. Pass domains and URLs; of a Series, as its index.")
    return given.astype("str")


def _sites(targets: Any, known: pd.Index) -> pd.Series:
    """Return the site of each target; missing for what is none, and so is never answered."""
    given = _given(targets)
    strange = given[given.notna() & (_places(given, known) < 0)]
    given.loc[strange.index] = strange.map({target: normal_of(target) for target in strange.unique()}).astype("str")
    return given


def _places(sites: pd.Series, known: pd.Index) -> Integers:
    """Return the place of each site among the known (-1: not there)."""
    # Numbering both together takes a tenth of the time that looking each text up does.
    both = pd.concat([pd.Series(known, dtype="str"), sites], ignore_index=True)
    place: Integers = pd.factorize(both)[0][len(known) :]
    return np.where(place < len(known), place, -1)


def _of_column(column: pd.Series, site: Integers, unit: Integers, numbers: Integers) -> _Members:
    names, place = labelled(column)
    there = (place >= 0) & (unit >= 0)
    # A failed row of a site that has an answer too is no loss.
    lost = (place >= 0) & (site >= 0) & (numbers[site] < 0)
    group, member = place[there], unit[there]
    # A site's rows mostly stand together, and what is said once need not be sorted again.
    new = np.append(True, (group[1:] != group[:-1]) | (member[1:] != member[:-1]))[: group.size]
    return names, (group[new], member[new]), _once(place[lost], site[lost])


def _once(group: Integers, target: Any) -> Integers:
    """Return the group of each of its targets once."""
    different: Integers = pd.DataFrame({"group": group, "target": target}).drop_duplicates()["group"].to_numpy()
    return different


def _of_targets(groups: Any, names: pd.Index, numbers: Integers) -> _Members:
    if groups is None:
        every = numbers[numbers >= 0]
        return [EVERYBODY], (np.zeros_like(every), every), every[:0]
    if isinstance(groups, pd.DataFrame):
        groups = normal(groups)
        column = column_of_groups(groups)
        groups = pd.Series(groups[column].array, index=pd.Index(site_of(groups)), name=column)
    if isinstance(groups, pd.Series):
        texts, group = labelled(groups)
        targets = pd.Series(groups.index)
    elif isinstance(groups, Mapping) and groups:
        groups = lists_of(groups, names)
        texts = named(groups)
        parts = [_given(targets) for targets in groups.values()]
        group = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        targets = pd.concat(parts, ignore_index=True)
    else:
        raise InputError(
            "Groups are a column's name, a mapping of names to targets, or a Series of groups indexed by target; "
            f"given {'nothing' if isinstance(groups, Mapping) else type(groups).__name__}."
        )
    targets = _given(targets)
    sites = _sites(targets, names)
    unit = numbers[_places(sites, names)]
    there, lost = (unit >= 0) & (group >= 0), (unit < 0) & (group >= 0) & targets.notna().to_numpy()
    # What is no target at all has no site to be counted by.
    asked = sites[lost].where(sites[lost].notna(), targets[lost])
    return texts, (group[there], unit[there]), _once(group[lost], asked)


def _table(
    row: Integers, column: Integers, shape: tuple[int, int], weight: NDArray[np.float64] | None = None
) -> tuple[sparse.csr_array, sparse.csr_array | None]:
    """Return who has what once, and with the greatest weight it is had with."""
    width = max(shape[1], 1)
    key = row * width + column
    if key.size and shape[0] * width < _SMALL:
        # Half the width is sorted in a third of the time.
        key = key.astype(np.int32)
    order = None if weight is None else np.argsort(key, kind="stable")
    key = np.sort(key) if order is None else key[order]
    new = np.ones(key.size, dtype=bool)
    new[1:] = key[1:] != key[:-1]
    once = key[new]
    ends = np.concatenate([[0], np.cumsum(np.bincount(once // width, minlength=shape[0]))])
    at = once % width
    has = sparse.csr_array((np.ones(once.size, dtype=np.int64), at, ends), shape=shape)
    if weight is None or order is None:
        return has, None
    greatest = np.maximum.reduceat(weight[order], np.flatnonzero(new)) if once.size else np.empty(0)
    return has, sparse.csr_array((greatest, at, ends), shape=shape)
