"""How far groups of sites are the same sites, and how many more each group reaches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.counting import good_rows, ratio
from toolkit.findings.given.groups import column_of_groups, labelled, lists_of, named
from toolkit.frames.about import SOURCE, about, answered, counted_sites, untold
from toolkit.frames.foreign import normal
from toolkit.frames.numbering import numbered, placed_among
from toolkit.interface.checks import check_columns, check_whole
from toolkit.interface.errors import InputError, TargetError
from toolkit.interface.targets import parse_target

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toolkit.frames.asked import Counted

    _Listed = tuple[list[str], NDArray[np.int64], NDArray[Any], pd.Index]
    Groups = Mapping[str, Iterable[str] | pd.DataFrame] | pd.Series | pd.DataFrame | str

__all__ = ["overlap", "reach"]

#: A table of all pairs of more groups is read by nobody.
_EVERY_PAIR: Final = 100
_MOST_PAIRS: Final = 10_000
#: Where no frame says which sites there are.
_NONE: Final = pd.Index([], dtype="str")


def overlap(
    groups: Groups,
    frame: pd.DataFrame | None = None,
    *,
    among: Iterable[str] | pd.DataFrame | None = None,
    most: int | None = _MOST_PAIRS,
) -> pd.DataFrame:
    """Say of each two groups how many sites they share.

    Parameters
    ----------
    groups : mapping, Series, DataFrame or str
        A mapping of names to targets or to frames, a Series of groups with the targets as its index, a frame with
        columns ``target`` and ``group``, or the name of a column of `frame`. Targets count in normal form, so a site
        counts once however it is written. A site may be in several groups.
    frame : DataFrame, optional
        A frame of a run: only sites that were answered count, also those without a row; ``attrs["about"]`` says in
        ``unmatched`` how many others each group names, if any. Without it, every site that a group names counts, and a
        host without a dot is one only with its scheme: ``http://intranet/page``.
    among : iterable of str or DataFrame, optional
        With a frame, the sites of which it is known in which group they are, as of `toolkit.findings.compare`; a
        group's own always are. Of groups by a field that is not known of all sites pass those of which it is: among all
        answered sites, any two values of it would seem to go together. ``run.overlap`` does so by itself.
    most : int or None
        Of more than a hundred groups, at most so many rows of two different groups: those that share most sites, then
        those that are most alike. None for all that share a site.

    Returns
    -------
    DataFrame
        One row for each ordered pair of groups, each group with itself included; of more than a hundred groups, without
        the pairs that share no site, and ``attrs["about"]`` says in ``groups`` how many groups there are, and in
        ``pairs_left_out`` how many rows a table of all pairs would have more: ``group``, ``other`` (str), ``sites``,
        ``other_sites``, ``both`` (int64), ``jaccard`` (float64, the sites in both as a part of those in either),
        ``containment`` (float64, the part of the group that is also in the other), ``unique`` (int64, sites of the
        group that are in no other group) and ``lift`` (float64, sites in both divided by what chance alone would give
        among the answered sites of `frame`, or those of them that are `among`; missing without a frame). Missing where
        a group has no site. Groups are in the order of a mapping or of a categorical column, and by name otherwise.

    Raises
    ------
    InputError
        If groups cannot be read from the arguments, a target is neither a domain nor a URL nor a site of `frame`, or
        `most` is no number.

    Examples
    --------
    >>> found = overlap({"mine": ["a.example", "www.b.example"], "theirs": ["b.example", "c.example", "d.example"]})
    >>> found.loc[[1], ["group", "other", "both", "jaccard", "containment"]].values.tolist()
    [['mine', 'theirs', 1, 0.25, 0.5]]
    """
    most = None if most is None else check_whole(most, "most", 1)
    members = _members(groups, frame, among)
    sizes = np.diff(members.matrix.indptr).astype(np.int64)
    unique = _unique(members.matrix)
    group, other, shared = _pairs(members.matrix.astype(np.int64), most)
    mine, theirs = sizes[group], sizes[other]
    total = np.nan if members.total is None else float(members.total)
    result = pd.DataFrame(
        {
            "group": pd.Series([members.names[place] for place in group], dtype="str"),
            "other": pd.Series([members.names[place] for place in other], dtype="str"),
            "sites": mine,
            "other_sites": theirs,
            "both": shared,
            "jaccard": ratio(shared, mine + theirs - shared),
            "containment": ratio(shared, mine),
            "unique": unique[group],
            "lift": ratio(shared * total, mine.astype(float) * theirs),
        }
    )
    number = len(members.names)
    pairs = {"groups": number, "pairs_left_out": number * number - len(result)}
    result.attrs["about"] = members.about | pairs
    return result


def reach(groups: Groups, frame: pd.DataFrame | None = None) -> pd.DataFrame:
    """Order groups so that each adds as many sites as possible to those before it.

    Taking the largest gain at each step reaches at least 63 % (1 - 1/e) of the sites that the best choice of as many
    groups would reach (Nemhauser, Wolsey & Fisher 1978).

    Parameters
    ----------
    groups, frame
        As of `overlap`.

    Returns
    -------
    DataFrame
        One row a group: ``group`` (str), ``sites`` (int64), ``unique`` (int64, in no other group at all),
        ``cumulative`` (int64, sites of this group and those before it), ``adds`` (int64, sites that no group before it
        has) and ``share`` (float64, ``cumulative`` as a part of the sites of all groups). Groups that add equally many
        come by name.

    Raises
    ------
    InputError
        As `overlap`.

    Examples
    --------
    >>> reach({"small": ["a.example"], "large": ["a.example", "b.example"]})[["group", "adds", "cumulative"]].values
    array([['large', 2, 2], ['small', 0, 2]], dtype=object)
    """
    members = _members(groups, frame)
    order = sorted(range(len(members.names)), key=members.names.__getitem__)
    matrix = members.matrix[order].tocsr()
    by_site = matrix.tocsc()
    sizes = np.diff(matrix.indptr)
    gains, open_sites = sizes.astype(np.int64), np.ones(matrix.shape[1], dtype=bool)
    chosen: list[int] = []
    adds: list[int] = []
    for _ in order:
        best = int(np.argmax(gains))
        sites = matrix.indices[matrix.indptr[best] : matrix.indptr[best + 1]]
        new = sites[open_sites[sites]]
        open_sites[new] = False
        # Each site leaves the gains of its groups once, so that all steps together cost one pass over the matrix.
        gains -= np.bincount(by_site[:, new].indices, minlength=len(order))
        gains[best] = -1
        gains[chosen] = -1
        chosen.append(best)
        adds.append(len(new))
    cumulative = np.cumsum(np.array(adds, dtype=np.int64))
    result = pd.DataFrame(
        {
            "group": pd.Series([members.names[order[place]] for place in chosen], dtype="str"),
            "sites": sizes[chosen].astype(np.int64),
            "unique": _unique(matrix)[chosen],
            "cumulative": cumulative,
            "adds": np.array(adds, dtype=np.int64),
            "share": ratio(cumulative, np.full(len(order), matrix.shape[1])),
        }
    )
    result.attrs["about"] = members.about
    return result


class _Members(NamedTuple):
    """Groups by sites: one where a site is in a group. Every column has at least one."""

    names: list[str]
    matrix: Any
    total: int | None
    about: dict[str, Any]


def _members(groups: Groups, frame: pd.DataFrame | None, among: Iterable[str] | pd.DataFrame | None = None) -> _Members:
    frame = None if frame is None else normal(frame, *([groups] if isinstance(groups, str) else []))
    counts = None if frame is None else counted_sites(frame)
    names, group, number, sites = _listed(groups, frame, counts)
    total = None
    known: dict[str, Any] = {"unmatched": {}}
    if frame is not None and counts is not None:
        good, told = _counted(frame, counts)
        total, known = len(good), known | told
        if not isinstance(groups, str):
            kept = (placed_among(sites, good) >= 0)[number]
            known["unmatched"] = _unmatched(names, group[~kept], number[~kept])
            group, number = group[kept], number[kept]
        if among is not None:
            asked = pd.Index(_sites_in("among", among, good)).union(sites.take(np.unique(number)))
            total = int(good.isin(asked).sum())
            known["not_grouped"] = len(good) - total
    used = np.zeros(len(sites), dtype=bool)
    used[number] = True
    number, counted = (np.cumsum(used) - 1)[number], int(used.sum())
    ones = np.ones(len(number), dtype=np.int32)
    matrix: Any = sparse.coo_array((ones, (group, number)), shape=(len(names), counted)).tocsr()
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return _Members(names, matrix, total, _about(groups, frame, counted) | known)


def _unmatched(names: list[str], group: NDArray[np.int64], number: NDArray[Any]) -> dict[str, int]:
    """Return how many sites of each group do not count, of groups with any."""
    once = np.unique(np.stack([group, number]), axis=1)[0]
    lost = np.bincount(once, minlength=len(names))
    return {name: int(count) for name, count in zip(names, lost, strict=True) if count}


def _pairs(matrix: Any, most: int | None) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of groups that have a row, in order, and how many sites they share."""
    number = matrix.shape[0]
    both = (matrix @ matrix.T).tocsr()
    if number <= _EVERY_PAIR:
        group, other = np.divmod(np.arange(number * number), max(number, 1))
        return group, other, both.toarray()[group, other]
    both.sort_indices()
    table = both.tocoo()
    group, other = (places.astype(np.int64) for places in table.coords)
    sizes = np.diff(matrix.indptr)
    above = np.flatnonzero(group < other)
    if most is not None and len(above) > most // 2:
        # Both rows of a pair are kept or none.
        either = sizes[group] + sizes[other] - table.data
        first = np.lexsort((above, -table.data[above] / either[above], -table.data[above]))
        above = above[first[: max(1, most // 2)]]
    key = group * number + other
    kept = np.isin(key, np.concatenate([key[above], other[above] * number + group[above]])) | (group == other)
    # A group without a site has a row of its own too.
    bare = np.flatnonzero(sizes == 0)
    group, other = np.append(group[kept], bare), np.append(other[kept], bare)
    shared = np.append(table.data[kept], np.zeros(len(bare), dtype=np.int64))
    order = np.lexsort((other, group))
    return group[order], other[order], shared[order]


def _about(groups: Groups, frame: pd.DataFrame | None, sites: int) -> dict[str, Any]:
    frames = [frame] if frame is not None else []
    if isinstance(groups, Mapping):
        frames += [found for found in groups.values() if isinstance(found, pd.DataFrame)]
    # Who is in a group is said by its rows, who counts at all by the frame.
    known = about(*frames, sites=()) if frames else {"failed": 0, "first": None, "last": None, "vocabularies": []}
    return known | {"sites": sites, "source": SOURCE}


def _listed(groups: Groups, frame: pd.DataFrame | None, counts: Counted | None) -> _Listed:
    """Return the names, for each membership the place of its name and the number of its site, and the sites."""
    known = _NONE if counts is None else counts.answered.append(counts.failed)
    if isinstance(groups, Mapping):
        groups = lists_of(groups, () if counts is None else counts.answered)
        names = named(groups)
        lists = [_sites_in(name, found, known) for name, found in zip(names, groups.values(), strict=True)]
        sizes = [len(found) for found in lists]
        sites = pd.concat(lists, ignore_index=True) if lists else pd.Series([], dtype="str")
        return names, np.repeat(np.arange(len(lists)), sizes), *numbered(sites)
    if isinstance(groups, str):
        if frame is None:
            raise InputError(f"Groups by the column {groups!r} need its frame. Pass frame=, such as run.codes().")
        check_columns(frame, [groups], "the name of one that is there")
        return _by_label(_sites_of(frame), frame[groups], good_rows(frame))
    if isinstance(groups, pd.Series):
        return _by_label(_normal(groups.index.to_series(), known), groups)
    if isinstance(groups, pd.DataFrame):
        groups = normal(groups)
        return _by_label(_sites_of(groups, known), groups[column_of_groups(groups)])
    raise InputError(
        f"Groups cannot be {type(groups).__name__}. Pass a mapping of names to targets, a Series with targets as its "
        "index, or the name of a column with frame=."
    )


def _by_label(sites: pd.Series, labels: pd.Series, fine: NDArray[np.bool_] | None = None) -> _Listed:
    number, texts = numbered(sites)
    names, place = labelled(labels, number >= 0 if fine is None else fine & (number >= 0))
    there = place >= 0
    return names, place[there], number[there], texts


def _sites_in(name: str, found: Iterable[str] | pd.DataFrame, known: pd.Index) -> pd.Series:
    if isinstance(found, pd.DataFrame):
        return _sites_of(answered(normal(found)), known).dropna()
    if isinstance(found, Mapping) or not isinstance(found, Iterable):
        raise InputError(f"Group {name!r} is no list of targets but {type(found).__name__}. Pass targets or a frame.")
    try:
        return _normal(pd.Series([found] if isinstance(found, str) else list(found), dtype="object"), known)
    except InputError as error:
        raise InputError(f"Group {name!r}: {error}") from None


def _sites_of(frame: pd.DataFrame, known: pd.Index = _NONE) -> pd.Series:
    """Return each row's site in normal form; a frame of a run has it, any other only targets."""
    if "normal" not in frame.columns:
        check_columns(frame, ["target"], "a frame of a run, such as run.codes()")
    if "target" not in frame.columns:
        return frame["normal"]
    if "normal" not in frame.columns:
        return _normal(frame["target"], known)
    normal = frame["normal"]
    return normal if normal.notna().all() else normal.where(normal.notna(), frame["target"])


def _normal(targets: pd.Series, known: pd.Index = _NONE) -> pd.Series:
    """Return targets in normal form. Each spelling is read once."""
    number, spelt = pd.factorize(targets, sort=False, use_na_sentinel=False)
    normal = pd.array([_read(text, known) for text in spelt], dtype="str")
    return pd.Series(normal.take(number), dtype="str")


def _read(text: Any, known: pd.Index) -> str:
    """Return a target's normal form; that of a host without a dot can be read only where it is known."""
    try:
        return parse_target(text).normal
    except TargetError:
        if isinstance(text, str) and text in known:
            return text
        raise


def _counted(frame: pd.DataFrame, found: Counted) -> tuple[pd.Index, dict[str, Any]]:
    """Return the sites that count, in normal form, and what is about them."""
    sites = found.answered if "normal" in frame.columns else _normal(pd.Series(found.answered))
    return numbered(pd.Index(sites, dtype="str"))[1], {"failed": len(found.failed), **untold(told=found.told)}


def _unique(matrix: Any) -> NDArray[np.int64]:
    alone = np.bincount(matrix.indices, minlength=matrix.shape[1]) == 1
    return np.bincount(
        np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)),
        weights=alone[matrix.indices],
        minlength=matrix.shape[0],
    ).astype(np.int64)
