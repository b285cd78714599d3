"""What changed between two runs, and whether the list, the sites or the vocabulary changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.counting import in_both, joined, ratio, with_basis
from toolkit.findings.given.clustering import AUTO, clustering
from toolkit.findings.incidence import incidence
from toolkit.findings.statistics.clusters import ClusterChanges, clustered_changes
from toolkit.findings.statistics.discoveries import paired_discoveries
from toolkit.findings.statistics.proportions import FALSE_DISCOVERIES
from toolkit.findings.statistics.tables import paired_p, smallest_paired_p
from toolkit.frames.foreign import normal
from toolkit.frames.numbering import numbered
from toolkit.frames.schemas import CODED, DIMENSIONS
from toolkit.interface.errors import InputError
from toolkit.interface.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from toolkit.findings.given.clustering import Cluster
    from toolkit.findings.incidence import Incidence, Targets

__all__ = ["DRIFT_VERDICTS", "drift", "drift_sites"]

#: What a row can say of the same sites.
DRIFT_VERDICTS: Final = pd.CategoricalDtype(["gained", "lost", "no change shown", "too few"], ordered=True)
_STATUS: Final = ("both", "failed later", "failed earlier", "only earlier", "only later", "failed")
_KNOWN: Final = ("both", "only earlier", "only later")
_BOTH: Final = 0
_SHOWN: Final = 5


def drift(
    earlier: pd.DataFrame,
    later: pd.DataFrame,
    *,
    earlier_vocabulary: Vocabulary | None = None,
    later_vocabulary: Vocabulary | None = None,
    earlier_sites: Targets | None = None,
    later_sites: Targets | None = None,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | None = None,
    cluster: Cluster = AUTO,
) -> pd.DataFrame:
    """Return how the share of each code changed between two runs, and what changed it.

    Write E and L for a code's share among all answered sites of the earlier and of the later run, and e and l for its
    share among the sites that answered in both. The change L - E is split without rest:

    - A code that both vocabularies know: ``sites_changed`` is l - e, what the same sites gained and lost, and
      ``list_changed`` is the rest, (L - l) - (E - e): sites that answered in only one of the runs.
    - A code that only one vocabulary knows could not be given in the other run, whatever the list and the sites:
      ``vocabulary_changed`` is the whole change.

    If no site answered in both, nothing can be said of the same sites, and the whole change is the list's.

    Parameters
    ----------
    earlier, later : DataFrame
        Two codes frames, or two categories frames.
    earlier_vocabulary, later_vocabulary : Vocabulary, optional
        What the service could say at that time. A code that a run has is known to it in any case. Without a vocabulary,
        a code counts as known to both runs if they state the same ``vocab_version`` or none; if their versions differ,
        a code that only one of them has counts as known only to that one, which says too much of rare codes:
        ``attrs["about"]["known_from"]`` says by what it was decided. Personas and categories have no vocabulary.
    earlier_sites, later_sites : iterable of str, Series or DataFrame, optional
        The sites that count in each run, by default all that were answered, as the frame's run says, also with nothing.
        Of a frame that is of no run, those with a row count, and a site that lost all it had counts as one that left
        the list.
    dimensions : str or iterable of str, optional
        Of codes frames, only these dimensions; all by default.
    taxonomy : str, optional
        Of categories frames, only this taxonomy; all by default.
    cluster : str, Series, mapping, False or None
        Which sites belong together, as of `toolkit.findings.shares`: by default those of one domain.

    Returns
    -------
    DataFrame
        One row a code that a site of either run has: ``dimension``, ``code``, ``label``, ``parent`` (str, the later
        run's), ``basis`` (categorical, as of `toolkit.findings.shares`), ``n_before`` (int64, answered sites of
        which it is known whether they have the code, as of `toolkit.findings.shares`), ``with_before`` (int64),
        ``share_before`` (float64), ``n_after``, ``with_after``, ``share_after``, ``change`` (float64, -1 to 1),
        ``list_changed``, ``sites_changed``, ``vocabulary_changed`` (float64, they add up to the change; missing as it
        is where a run has no answer), ``known`` (categorical ``both``, ``only earlier``, ``only later``),
        ``same_sites`` (int64, answered in both runs, and known in both), ``same_before`` and ``same_after`` (int64,
        those of them that have the code), ``gained`` and ``lost`` (int64, same sites that have the code only later,
        only earlier),
        ``n_effective`` (float64: as many of the same sites would say as much if none belonged together), ``p`` and
        ``p_adjusted`` (float64: of the test of gained and lost, and adjusted for all rows of this call that were
        tested) and ``verdict`` (ordered categorical: ``gained`` and ``lost`` where p_adjusted is below 0.05; ``too
        few`` where so few of the same sites changed, or are there at all, that no outcome could have had a p below
        0.05; else ``no change shown``). What only one vocabulary knows has no p and no verdict. The largest changes
        first, then by dimension and code.

        ``attrs["about"]`` says how many sites, of when, by what it was decided who knows a code, and how many rows
        were tested.

    Raises
    ------
    InputError
        If a frame is neither, the frames are not of one kind, or an argument does not fit them.
    UnknownCodeError
        If a dimension or the taxonomy is unknown.

    Notes
    -----
    The verdict is on the same sites: whether they gained a code more often than they lost it, by the exact test of
    changes in pairs (McNemar 1947). Where sites belong together, the changes of a whole cluster could as well have gone
    the other way, and effective counts are tested (`toolkit.findings.statistics.clusters`). The family of tests is all
    rows of one call but those that cannot show anything, which is known from the number of changes alone (Tarone 1990);
    the false discovery rate in it is held at 0.05 by the step-down procedure for discrete tests (Döhler, Durand and
    Roquain 2018), as in `toolkit.findings.compare`. Of a list that changed nothing is tested: which sites are on it was
    decided, not observed.

    Examples
    --------
    >>> before = pd.DataFrame({"target": ["a.example", "b.example"], "dimension": "persona", "code": ["Cook", "Diver"]})
    >>> after = pd.DataFrame({"target": ["a.example", "c.example"], "dimension": "persona", "code": ["Cook", "Cook"]})
    >>> drift(before, after)[["code", "change", "list_changed", "sites_changed"]].values.tolist()
    [['Cook', 0.5, 0.5, 0.0], ['Diver', -0.5, -0.5, 0.0]]
    """
    earlier, later = _of_one_kind(earlier, later)
    for vocabulary in (earlier_vocabulary, later_vocabulary):
        if vocabulary is not None and not isinstance(vocabulary, Vocabulary):
            raise InputError(f"A vocabulary is of type {type(vocabulary).__name__}. Pass client.filters(), or None.")
    found = _both((earlier, earlier_sites), (later, later_sites), dimensions=dimensions, taxonomy=taxonomy)
    first, second = (found.places[rows] for rows in _rows(found))
    before, after = (_having(found, rows) for rows in _rows(found))
    in_one, in_two = in_both(first, second)
    same = len(in_one)
    old, new, n_same = found.pairs(in_one + len(second), in_two)
    clusters = clustering(cluster, found.sites[in_two], (later, earlier))
    changed = new - old
    changes = clustered_changes(changed, None if clusters is None else clusters.cluster)
    had, have = (np.bincount(part.indices, minlength=len(found.codes)) for part in (old, new))
    kept = have - np.bincount(changed.indices[changed.data > 0], minlength=len(found.codes))
    del old, new, changed
    table = found.codes.assign(earlier=before > 0, later=after > 0)
    known, decided = _known(table, (earlier, later), (earlier_vocabulary, later_vocabulary))
    n_before, n_after = (found.counts(rows) for rows in _rows(found))
    share_before, share_after = ratio(before, n_before), ratio(after, n_after)
    change = share_after - share_before
    panel = np.where(n_same > 0, ratio(have, n_same) - ratio(had, n_same), 0.0)
    nothing = np.where(np.isnan(change), np.nan, 0.0)
    result = table[["dimension", "code", "label", "parent"]].assign(
        n_before=n_before.astype(np.int64),
        with_before=before,
        share_before=share_before,
        n_after=n_after.astype(np.int64),
        with_after=after,
        share_after=share_after,
        change=change,
        list_changed=np.where(known == _BOTH, change - panel, nothing),
        sites_changed=np.where(known == _BOTH, panel + nothing, nothing),
        vocabulary_changed=np.where(known == _BOTH, nothing, change),
        known=pd.Categorical.from_codes(known, dtype=pd.CategoricalDtype(list(_KNOWN))),
        same_sites=n_same.astype(np.int64),
        same_before=had,
        same_after=have,
        gained=have - kept,
        lost=had - kept,
        n_effective=n_same / changes.effect,
    )
    alone = n_same if clusters is None else np.minimum(n_same, clusters.clusters)
    tested = _add_verdict(result, known == _BOTH, changes, alone)
    size = -np.abs(np.nan_to_num(np.round(change, 12)))
    result = result.iloc[np.argsort(size, kind="stable")].reset_index(drop=True)
    result = with_basis(result)
    result.attrs["about"] = found.about | {
        "same_sites": same,
        "known_from": decided,
        "tested": tested,
        "false_discoveries": FALSE_DISCOVERIES,
        **({} if clusters is None else clusters.about()),
    }
    return result


def drift_sites(
    earlier: pd.DataFrame,
    later: pd.DataFrame,
    *,
    earlier_sites: Targets | None = None,
    later_sites: Targets | None = None,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | None = None,
) -> pd.DataFrame:
    """Return what changed at each site between two runs.

    Parameters
    ----------
    earlier, later : DataFrame
        Two codes frames, or two categories frames.
    earlier_sites, later_sites, dimensions, taxonomy
        As of `drift`.

    Returns
    -------
    DataFrame
        One row a site of either run: ``site`` (str), ``status`` (categorical: ``both``, ``failed later``, ``failed
        earlier``, ``only earlier``, ``only later``, and ``failed`` where no run has an answer), ``before``, ``after``
        (int64, number of codes), ``gained``, ``lost``, ``kept`` (int64; zero unless both runs answered), ``similarity``
        (float64, kept codes as a part of all the site's codes, Jaccard 1901; missing unless both runs answered and
        there is a code), ``gained_codes`` and ``lost_codes`` (str, the first five by dimension and code, missing
        without any). In the order of ``status``, the least similar sites first, then by name.

    Raises
    ------
    InputError, UnknownCodeError
        As `drift`.

    Examples
    --------
    >>> before = pd.DataFrame({"target": ["a.example"], "dimension": "persona", "code": ["Cook"]})
    >>> after = pd.DataFrame({"target": ["a.example", "b.example"], "dimension": "persona", "code": ["Diver", "Cook"]})
    >>> drift_sites(before, after)[["site", "status", "gained_codes"]].values.tolist()
    [['a.example', 'both', 'Diver'], ['b.example', 'only later', nan]]
    """
    earlier, later = _of_one_kind(earlier, later)
    found = _both((earlier, earlier_sites), (later, later_sites), dimensions=dimensions, taxonomy=taxonomy)
    first, second = (found.places[rows] for rows in _rows(found))
    failing, failed = found.failed
    status = _status(len(found.every), first, second, failed, failing)
    told = status >= 0
    number = np.cumsum(told) - 1
    size, status = int(told.sum()), status[told]
    first, second = number[first], number[second]
    in_one, in_two = in_both(first, second)
    place = second[in_two]
    counts = {name: np.zeros(size, dtype=np.int64) for name in ("before", "after", "gained", "lost", "kept")}
    sizes = np.diff(found.has.indptr)
    counts["before"][first], counts["after"][second] = (sizes[rows] for rows in _rows(found))
    moved = found.has[in_two] - found.has[in_one + len(second)]
    row = np.repeat(place.astype(np.int32), np.diff(moved.indptr))
    for name, sign in (("gained", 1), ("lost", -1)):
        counts[name] = np.bincount(row[moved.data == sign], minlength=size).astype(np.int64)
    counts["kept"][place] = (counts["before"] - counts["lost"])[place]
    either = counts["kept"] + counts["gained"] + counts["lost"]
    words = _named(found.codes)
    result = pd.DataFrame(
        {
            "site": pd.Series(found.every[told], dtype="str"),
            "status": pd.Categorical.from_codes(status, dtype=pd.CategoricalDtype(list(_STATUS))),
            **counts,
            "similarity": ratio(counts["kept"], either),
            **{
                name: joined(row[there], moved.indices[there], words, size=size, most=_SHOWN)
                for name, there in (("gained_codes", moved.data > 0), ("lost_codes", moved.data < 0))
            },
        }
    )
    order = np.lexsort((np.arange(size), np.nan_to_num(result["similarity"].to_numpy(), nan=2.0), status))
    result = result.iloc[order].reset_index(drop=True)
    result.attrs["about"] = found.about | {"same_sites": len(place)}
    return result


def _add_verdict(
    table: pd.DataFrame, known: NDArray[np.bool_], changes: ClusterChanges, clusters: NDArray[np.int64]
) -> int:
    """Add p and the verdict on what the same sites gained and lost, and return how many rows were tested."""
    gained, lost, rarest = changes.gained, changes.lost, changes.rarest
    can = known & (np.maximum(smallest_paired_p(gained + lost), rarest) < FALSE_DISCOVERIES)
    table["p"] = np.where(known, np.maximum(paired_p(gained, lost), rarest), np.nan)
    table["p_adjusted"] = adjusted = paired_discoveries(np.where(can, table["p"], np.nan), gained + lost)
    with np.errstate(invalid="ignore"):
        shown = adjusted < FALSE_DISCOVERIES
    # As few sites, had all of them changed one way, would show nothing.
    few = smallest_paired_p(clusters) >= FALSE_DISCOVERIES
    kept = ~few & (gained + lost == 0)
    words = np.select([~known, shown & (gained > lost), shown, can | kept], [-1, 0, 1, 2], 3)
    table["verdict"] = pd.Categorical.from_codes(words, dtype=DRIFT_VERDICTS)
    return int(can.sum())


def _status(size: int, *lists: NDArray[Any]) -> NDArray[np.int64]:
    """Return of each site which runs answered it, as a place in `_STATUS`; -1 where neither asked it."""
    marks = np.zeros((len(lists), size), dtype=bool)
    for mark, places_of in zip(marks, lists, strict=True):
        mark[places_of] = True
    good, well, failed, failing = marks
    choices = [good & well, good & failing, well & failed, good, well, failed | failing]
    found: NDArray[np.int64] = np.select(choices, range(len(choices)), -1).astype(np.int64)
    return found


def _both(
    earlier: tuple[pd.DataFrame, Targets | None],
    later: tuple[pd.DataFrame, Targets | None],
    *,
    dimensions: str | Iterable[str] | None,
    taxonomy: str | None,
) -> Incidence:
    """Return both runs as groups, the later one first: its words for a code count."""
    frames = {"later": later[0], "earlier": earlier[0]}
    given = {"later": later[1], "earlier": earlier[1]}
    sites = None
    if any(targets is not None for targets in given.values()):
        sites = given
    return incidence(frames, sites=sites, dimensions=dimensions, taxonomy=taxonomy)


def _rows(found: Incidence) -> tuple[slice, slice]:
    """Return the rows of the earlier and of the later run, where the later one is the first group."""
    cut = int(found.members.indptr[1])
    return slice(cut, None), slice(cut)


def _having(found: Incidence, rows: slice) -> NDArray[np.int64]:
    """Return how many sites of some rows have each code."""
    first, last, _ = rows.indices(len(found.sites))
    indices = found.has.indices[found.has.indptr[first] : found.has.indptr[last]]
    return np.bincount(indices, minlength=len(found.codes)).astype(np.int64)


def _known(
    table: pd.DataFrame, frames: tuple[pd.DataFrame, ...], vocabularies: tuple[Vocabulary | None, ...]
) -> tuple[NDArray[np.int64], str]:
    """Return of each code who knows it, as a place in `_KNOWN`, and by what that was decided."""
    seen = [table[name].to_numpy() for name in ("earlier", "later")]
    fixed = ~table["dimension"].isin([name for name in DIMENSIONS if name != "persona"]).to_numpy()
    versions = [_versions(frame) for frame in frames]
    one_version = versions[0] == versions[1] or not all(versions)
    pairs = list(zip(table["dimension"], table["code"], strict=True))
    sides = []
    for had, vocabulary in zip(seen, vocabularies, strict=True):
        if vocabulary is not None:
            said = np.array([_says(vocabulary, *pair) for pair in pairs], dtype=bool)
        else:
            said = np.full(len(table), one_version)
        sides.append(fixed | had | said)
    known = np.where(sides[0] & sides[1], _BOTH, np.where(sides[0], 1, 2)).astype(np.int64)
    given = [vocabulary is not None for vocabulary in vocabularies]
    rest = "versions" if one_version else "codes seen"
    return known, "vocabularies" if all(given) else f"vocabularies and {rest}" if any(given) else rest


def _versions(frame: pd.DataFrame) -> set[str]:
    if "vocab_version" not in frame.columns:
        return set()
    # A failure states no version.
    return set(numbered(frame["vocab_version"])[1])


def _says(vocabulary: Vocabulary, dimension: str, code: str) -> bool:
    """Return whether a vocabulary has a code; of a field that it does not list, nothing can be said against it."""
    if dimension in CODED:
        return code in vocabulary.codes
    return dimension not in vocabulary.values or code in vocabulary.values[dimension]


def _named(table: pd.DataFrame) -> NDArray[Any]:
    """Return how each code is written on its own: values stand with their field."""
    plain = table["dimension"].isin([*CODED, "persona"])
    return table["code"].where(plain, table["dimension"] + "=" + table["code"]).to_numpy(dtype="object")


def _of_one_kind(earlier: pd.DataFrame, later: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    earlier, later = normal(earlier), normal(later)
    if ("dimension" in earlier.columns) != ("dimension" in later.columns):
        raise InputError("One frame is of codes and the other of categories. Pass two frames of one kind.")
    return earlier, later
