"""Who is in which group, and which site has which code: two tables of zeros and ones that findings count with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.codes import Weights, code_columns, columns_of, is_of_codes, ranks, row_weights, wanted_kinds
from toolkit.findings.counting import good_rows
from toolkit.findings.given.groups import column_of_groups, labelled, lists_of, named
from toolkit.frames.about import answered, dated, described, normal_of, site_of, untold
from toolkit.frames.asked import Counted, counted, known_sites
from toolkit.frames.foreign import normal
from toolkit.frames.numbering import numbered, numbered_columns, numbered_lists, placed_among
from toolkit.frames.records import HELD
from toolkit.frames.schemas import STATED
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[Any]
    Bools = NDArray[np.bool_]
    #: Names of groups, their members as places of groups and of sites, and the group of each target that is no site.
    _Members: TypeAlias = tuple[list[str], tuple[Integers, Integers], Integers]

__all__ = [
    "EVERYBODY",
    "Frames",
    "Groups",
    "Incidence",
    "Targets",
    "incidence",
    "site_names",
]

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
    every : Index
        All sites that are known of, sorted: those of `places`.
    failed : list of array of bool
        Of each run which of them have only failed.
    known : dict of str to array of bool
        Of which rows a dimension is known; of those that stand here not, of all or of none: see `known_of`.
    grouped : array of bool or None
        Of which rows it is known in which group they are, None of all: those that are in none because a field is not
        known of them are no others of a group.
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
    every: pd.Index
    failed: list[NDArray[np.bool_]]
    known: dict[str, Bools]
    grouped: Bools | None

    def known_of(self, dimension: str) -> Bools:
        """Return of which rows a dimension is known.

        Of what each site has one of, or a closed list, an answer without a value says that nobody knows it. Of all else
        every answered site is known, but for those whose answer to that question failed.
        """
        if dimension in self.known:
            return self.known[dimension]
        return np.full(len(self.sites), dimension not in STATED)

    def parts(self) -> list[tuple[Integers, Bools]]:
        """Return the places of codes that are known of the same rows, and which rows these are."""
        place, dimensions = pd.factorize(self.codes["dimension"].to_numpy(dtype=object))
        kinds: dict[bytes, list[int]] = {}
        for at, name in enumerate(map(str, dimensions)):
            mark = self.known[name].tobytes() if name in self.known else bytes([name in STATED])
            kinds.setdefault(mark, []).append(at)
        return [
            (np.flatnonzero(np.isin(place, some)), self.known_of(str(dimensions[some[0]]))) for some in kinds.values()
        ]

    def counts(self, rows: slice) -> Integers:
        """Return of each code of how many of some rows it is known whether they have it."""
        number: Integers = np.zeros(len(self.codes), dtype=np.int64)
        for columns, known in self.parts():
            number[columns] = known[rows].sum()
        return number

    def pairs(self, first: Integers, second: Integers) -> tuple[sparse.csr_array, sparse.csr_array, Integers]:
        """Return who has what in two lists of rows, pair by pair, as far as it is known of both.

        And of how many pairs each code is.
        """
        (one, two), parts = self.together([first, second])
        number: Integers = np.zeros(len(self.codes), dtype=np.int64)
        for columns, both in parts:
            number[columns] = both.sum()
        return one, two, number

    def together(self, lists: Sequence[Integers]) -> tuple[list[sparse.csr_array], list[tuple[Integers, Bools]]]:
        """Return who has what in lists of rows of the same sites, site by site, as far as it is known in each of them.

        And the places of codes that are known of the same sites, and which sites these are.
        """
        tables = [self.has[rows] for rows in lists]
        parts = [(columns, np.all([known[rows] for rows in lists], axis=0)) for columns, known in self.parts()]
        for columns, every in parts:
            if every.all():
                continue
            is_part = np.zeros(len(self.codes), dtype=bool)
            is_part[columns] = True
            for table in tables:
                row = np.repeat(np.arange(len(every)), np.diff(table.indptr))
                table.data[is_part[table.indices] & ~every[row]] = 0
        for table in tables:
            table.eliminate_zeros()
        return tables, parts

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
        number, known = numbered(self.sites)
        given = _given(targets)
        sites, place = _sites(given, known)
        # What is no target at all has no site to be counted by.
        asked = sites.where(sites.notna(), given)[place < 0].dropna().drop_duplicates()
        there = np.zeros(len(known), dtype=bool)
        there[place[place >= 0]] = True
        return there[number], len(asked)


def incidence(
    frame: Frames,
    groups: Groups = None,
    sites: Targets | Mapping[str, Targets | None] | None = None,
    *,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | Iterable[str] | None = None,
    weights: Weights = None,
    among: Targets | None = None,
) -> Incidence:
    """Return who is in which group, and which site has which code.

    Groups are a column of the frame, lists of targets by name, the group of each target, a Series indexed by target, or
    a frame with columns ``target`` and ``group``; a site may be in several, and None is one group of all. Several runs
    by name are the groups themselves. The sites that count are by default all that were answered, as the frame's run
    says: see `toolkit.frames.asked.counted`. Of sites that are passed, for several runs by run, those do not count that
    the frame knows as failures only. Weights and `among` are as of `toolkit.findings.compare`.

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
    parts = _parts(runs, columns_of(of_codes), groups if isinstance(groups, str) else None)
    site, names = numbered_columns([site_of(part) for part in parts])
    good = [good_rows(part) & (own >= 0) for part, own in zip(parts, site, strict=True)]
    given = _asked(runs, frame, sites, names)
    kinds = None if of_codes else wanted
    asked = [
        counted(run, own, names, fine, kinds) if targets is None else targets
        for run, own, fine, targets in zip(runs.values(), site, good, given, strict=True)
    ]
    names, lists = _with_asked(names, asked)
    order = np.asarray(names.argsort())
    names, rank = names.take(order), np.append(ranks(order), -1).astype(np.int32)
    site, lists = [rank[own] for own in site], [rank[own] for own in lists]
    numbers, failed, only_failed = _numbered(len(names), site, good, asked, lists)
    unit = [np.where(fine, own[at], -1) for own, at, fine in zip(numbers, site, good, strict=True)]
    codes, column = code_columns(parts, of_codes, wanted, unit)
    weight = row_weights(parts, of_codes, weights)
    size = int(numbers.max(initial=-1)) + 1
    has, weighted = _table(*_coded(unit, column, weight), shape=(size, len(codes)))
    which = np.nonzero(numbers[:, :-1] >= 0)
    if isinstance(frame, Mapping):
        named, members, lost = list(runs), (which[0], np.arange(size)), np.empty(0, dtype=np.int64)
    elif isinstance(groups, str):
        named, members, lost = _of_column(parts[0][groups], site[0], unit[0], numbers[0])
    else:
        named, members, lost = _of_targets(groups, names, numbers[0])
    missed = np.bincount(lost, minlength=len(named))
    unmatched = {name: int(count) for name, count in zip(named, missed, strict=True) if count}
    some = int((numbers >= 0).any(axis=0).sum())
    stated = [dated(part, own >= 0) for part, own in zip(parts, unit, strict=True)]
    times, versions = [time for dates, _ in stated for time in dates], {text for _, texts in stated for text in texts}
    told = all(who.told for who in asked if isinstance(who, Counted))
    said = described(some, only_failed, times, versions) | untold(told=told)
    who = _table(*members, None, shape=(len(named), size))[0].astype(np.int64)
    lacking = [row[:-1] for row in failed]
    known = _known(runs.values(), names, numbers, codes, has, more=kinds or ())
    found = Incidence(
        names.take(which[1]), which[1], codes, has, weighted, named, who, said, unmatched, names, lacking, known, None
    )
    if among is None:
        return found
    return replace(found, grouped=found.among(among)[0] | (np.asarray(who.sum(axis=0)).ravel() > 0))


def _known(
    runs: Iterable[pd.DataFrame],
    names: pd.Index,
    numbers: Integers,
    codes: pd.DataFrame,
    has: sparse.csr_array,
    *,
    more: Iterable[str],
) -> dict[str, Bools]:
    """Return of which rows each dimension of the codes is known, but for those that are known of all by what they are.

    And each of `more`, of which no site may have a code.

    A site is known that has a value, and one of which the frame's run says that it had one, whatever rows were taken
    out of the frame since.
    """
    place, dimensions = pd.factorize(codes["dimension"].to_numpy(dtype=object))
    kinds = [name for name in dict.fromkeys([*map(str, dimensions), *more]) if name in STATED or name in HELD]
    if not kinds:
        return {}
    numbered_kinds = [kinds.index(str(name)) if str(name) in kinds else -1 for name in dimensions]
    number = np.array(numbered_kinds, dtype=np.intp)[place]
    row, column = np.repeat(np.arange(has.shape[0]), np.diff(has.indptr)), number[has.indices]
    known = np.zeros((len(kinds), has.shape[0]), dtype=bool)
    known[column[column >= 0], row[column >= 0]] = True
    for run, at in zip(runs, numbers[:, :-1], strict=True):
        said, sites = known_sites(run, names, kinds), np.flatnonzero(at >= 0)
        for mine, kind in zip(known, kinds, strict=True):
            if kind in said:
                # Of a site that is not of the run nothing speaks against it.
                asked, is_known = (values[sites] for values in said[kind])
                mine[at[sites]] |= np.where(asked, is_known, kind not in STATED)
            elif kind not in STATED:
                mine[at[sites]] = True
    return {kind: mine for kind, mine in zip(kinds, known, strict=True) if kind in STATED or not mine.all()}


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


def _parts(runs: dict[str, pd.DataFrame], columns: list[str], group: str | None) -> list[pd.DataFrame]:
    """Return of each run the columns that are read, where it has them."""
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
    return [run[[name for name in columns if name in run.columns]] for run in runs.values()]


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


def _with_asked(names: pd.Index, asked: list[pd.Index | Counted]) -> tuple[pd.Index, list[Integers]]:
    """Return the sites with those that have no row, and of each run the places of those that were asked.

    These are of what is known of a frame two lists, the answered and the failed; of what the caller passed one.
    """
    lists = [
        pair
        for who in asked
        for pair in (
            ((who.answered, who.answered_at), (who.failed, who.failed_at))
            if isinstance(who, Counted)
            else ((who, placed_among(who, names)),)
        )
    ]
    new = [texts[at < 0] for texts, at in lists]
    if not any(map(len, new)):
        return names, [at for _, at in lists]
    (_, *places), names = numbered_lists([names, *new])
    for (_, at), place in zip(lists, places, strict=True):
        at[at < 0] = place
    return names, [at for _, at in lists]


def _numbered(
    size: int,
    site: list[Integers],
    good: list[NDArray[np.bool_]],
    asked: list[pd.Index | Counted],
    lists: list[Integers],
) -> tuple[Integers, NDArray[np.bool_], int]:
    """Return the number of each run's site that counts (-1: it does not), which have failed there, and how many at all.

    Who counts in a run is what the caller passed, or what is known of the frame.
    """
    shape = (len(asked), size + 1)
    counts, seen = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    for number, (own, fine) in enumerate(zip(site, good, strict=True)):
        # The last place is of rows without a target.
        seen[number, own] = True
        counts[number, own[fine]] = True
    counts[:, -1] = seen[:, -1] = False
    failed, well = seen & ~counts, counts.any(axis=0)
    places = iter(lists)
    for number, who in enumerate(asked):
        if isinstance(who, Counted):
            counts[number] = failed[number] = False
            counts[number, next(places)] = True
            failed[number, next(places)] = True
            well |= counts[number]
        else:
            wanted = np.zeros(size + 1, dtype=bool)
            wanted[next(places)] = True
            counts[number] = wanted & (counts[number] | ~seen[number])
    only_failed = int((failed.any(axis=0) & ~well).sum())
    numbers = np.where(counts, np.cumsum(counts, dtype=np.int32).reshape(shape) - 1, -1)
    return numbers.astype(np.int32, copy=False), failed, only_failed


def _coded(
    unit: list[Integers], column: list[Integers], weight: list[NDArray[np.float64]] | None
) -> tuple[Integers, Integers, NDArray[np.float64] | None]:
    """Return of each row with a code its site, its code and its weight, of all runs together."""
    coded = [own >= 0 for own in column]

    def cut(parts: list[Any]) -> Any:
        cuts = [part if rows.all() else part[rows] for part, rows in zip(parts, coded, strict=True)]
        return cuts[0] if len(cuts) == 1 else np.concatenate(cuts)

    return cut(unit), cut(column), None if weight is None else cut(weight)


def site_names(targets: Targets, known: pd.Index) -> pd.Index:
    """Return the sites of targets: as they stand where they are known, else in normal form, else left out."""
    sites, _ = _sites(_given(targets), known)
    return numbered(sites)[1]


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


def _sites(given: pd.Series, known: pd.Index) -> tuple[pd.Series, Integers]:
    """Return the site of each target, missing for what is none and so never answered, and its place (-1: not there)."""
    place = placed_among(pd.Index(given), known)
    strange = given[given.notna().to_numpy() & (place < 0)]
    if len(strange):
        read = strange.map({target: normal_of(target) for target in strange.unique()}).astype("str")
        place[strange.index] = placed_among(pd.Index(read), known)
        given = given.copy()
        given.loc[strange.index] = read
    return given, place


def _of_column(column: pd.Series, site: Integers, unit: Integers, numbers: Integers) -> _Members:
    names, place = _some_labelled(column)
    there = (place >= 0) & (unit >= 0)
    # A failed row of a site that has an answer too is no loss.
    lost = (place >= 0) & (site >= 0) & (numbers[site] < 0)
    group, member = place[there], unit[there]
    # A site's rows mostly stand together, and what is said once need not be sorted again.
    new = np.append(True, (group[1:] != group[:-1]) | (member[1:] != member[:-1]))[: group.size]
    return names, (group[new], member[new]), _once(place[lost], site[lost])


def _some_labelled(column: pd.Series) -> tuple[list[str], Integers]:
    """Return the names of groups and of each row the place of its own; there must be one."""
    names, place = labelled(column)
    if not names:
        raise InputError(
            f"The groups{f' of {column.name!r}' if column.name else ''} have no values: no site is in any. Check what "
            "they were made of, such as labels that are called otherwise, or pass others."
        )
    return names, place


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
        texts, group = _some_labelled(groups)
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
    sites, place = _sites(targets, names)
    unit = numbers[place]
    there, lost = (unit >= 0) & (group >= 0), (unit < 0) & (group >= 0) & targets.notna().to_numpy()
    # What is no target at all has no site to be counted by.
    asked = sites[lost].where(sites[lost].notna(), targets[lost])
    return texts, (group[there], unit[there]), _once(group[lost], asked)


def _table(
    row: Integers, column: Integers, weight: NDArray[np.float64] | None, *, shape: tuple[int, int]
) -> tuple[sparse.csr_array, sparse.csr_array | None]:
    """Return who has what once, and with the greatest weight it is had with."""
    width = max(shape[1], 1)
    # Half the width is sorted in half the time.
    kind: Any = np.int32 if shape[0] * width < _SMALL else np.int64
    key: Integers = row.astype(kind)
    np.multiply(key, width, out=key)
    np.add(key, column, out=key, casting="same_kind")
    new = np.ones(key.size, dtype=bool)
    order = None
    if weight is not None:
        order = np.argsort(key, kind="stable")
        key = key[order]
    else:
        key.sort()
    np.not_equal(key[1:], key[:-1], out=new[1:])
    once = key if new.all() else key[new]
    ends = np.concatenate([[0], np.cumsum(np.bincount(once // width, minlength=shape[0]))])
    at = once % width
    has = sparse.csr_array((np.ones(once.size, dtype=np.int32), at, ends), shape=shape)
    if weight is None or order is None:
        return has, None
    greatest = np.maximum.reduceat(weight[order], np.flatnonzero(new)) if once.size else np.empty(0)
    return has, sparse.csr_array((greatest, at, ends), shape=shape)
