"""Which part of the sites has each code, each confidence, each technology, and which part has nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.counting import ORDER, combined, good_rows, places, ratio, share_columns, with_basis
from toolkit.findings.given.clustering import AUTO, clustering
from toolkit.findings.given.weight import weighed
from toolkit.findings.incidence import incidence
from toolkit.frames.about import about, site_of
from toolkit.frames.foreign import normal
from toolkit.frames.numbering import numbered
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import CONFIDENCE, DIMENSIONS, LEVELS, LISTS, SCALARS
from toolkit.interface.checks import check_columns, check_whole
from toolkit.interface.errors import InputError, UnknownCodeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from toolkit.findings.given.clustering import Cluster, Clustering
    from toolkit.findings.given.weight import Weight
    from toolkit.findings.incidence import Incidence, Targets
    from toolkit.findings.statistics.clusters import Clustered

__all__ = [
    "confidence_bands",
    "confidence_bins",
    "empty_blocks",
    "shares",
    "technology_shares",
]

#: The dimensions of each block of an answer.
_BLOCKS: Final[dict[str, tuple[str, ...]]] = {
    **{
        block: tuple(name for name, (place, _) in {**LISTS, **SCALARS}.items() if place == block)
        for block in ("demographics", "b2b", "content_context")
    },
    "interests": ("interest_group", "interest"),
    "purchase_intent": ("purchase_intent",),
    "personas": ("persona",),
}
#: Of an audiences frame, the numbers of codes of the blocks that have nothing else.
_COUNTS: Final = {"interests": "interests", "purchase_intent": "purchase_intents", "personas": "personas"}
_CATEGORY: Final = ("id", *LEVELS, "name")
_KNOWN: Final = ("target", "normal", "error", "endpoint", "fetched_at", "vocab_version")
_LEVEL: Final = 0.95
#: Shares of a weight that agree so far are in the order of their counts.
_DIGITS: Final = 12


def shares(
    frame: pd.DataFrame,
    *,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | None = None,
    sites: Targets | None = None,
    cluster: Cluster = AUTO,
    weight: Weight | None = None,
    level: float = _LEVEL,
) -> pd.DataFrame:
    """Return which part of the sites has each code or category.

    Parameters
    ----------
    frame : DataFrame
        A codes or a categories frame.
    dimensions : str or iterable of str, optional
        Of a codes frame, only these dimensions; all by default.
    taxonomy : str, optional
        Of a categories frame, only this taxonomy; all by default.
    sites : iterable of str, Series or DataFrame, optional
        The sites that count. By default all that were answered, as the frame's run says, also with nothing. Rows that
        were taken out of the frame change nothing, unless whole sites were and nothing else: see the notes of
        `toolkit.findings.compare`. Of a frame that is of no run, those with a row count.
    cluster : str, Series, mapping, False or None
        Which sites belong together, so that they say less than as many others: ``"domain"``, a column of the frame, or
        a cluster of each target; None counts each site by itself. By default the domain, if several of the sites, but
        not all, are of one.
    weight : Series or mapping, optional
        A number of each target, such as the spend on it, from 0: a Series indexed by target. A target that stands there
        twice has the sum. Sites without one are in no weighted share.
    level : float
        Part of the intervals that hold the true share.

    Returns
    -------
    DataFrame
        One row a code that any site has: ``dimension`` (a category's is its taxonomy), ``code``, ``label``, ``parent``
        (str; missing where there is none), ``basis`` (categorical: measured on the page, or inferred from what is known
        of its readers), ``n`` (int64, answered sites of which it is known: see the notes), ``with_code`` (int64),
        ``share`` (float64, 0 to 1), ``share_low`` and ``share_high`` (Wilson 1927) and ``n_effective`` (float64, below
        n where sites belong together: as many others would say as much). Dimensions in the order of the vocabulary,
        then the most frequent code first, then by code. ``attrs["about"]["cluster"]`` says what belongs together, where
        something does.

        With a weight also ``weight`` (float64, on the sites with the code) and ``weight_total`` (on all of ``n``),
        ``weighted_share``, ``weighted_low`` and ``weighted_high`` (float64, of the weight: see the notes), and
        ``weighted_n`` (float64, so many sites of equal weight that do not belong together would tell as much: Kish
        1965, and by how alike sites that belong together are); then those with most weight come first.
        ``attrs["about"]`` has then ``weight`` (its name), ``weight_total``, ``weight_sites``, ``weight_missing``,
        ``weight_zero`` (sites without one) and ``weight_unanswered`` (the weight of targets that are no answered site).

    Raises
    ------
    InputError
        If the frame is neither, or an argument does not fit it.
    UnknownCodeError
        If a dimension or the taxonomy is unknown.

    Notes
    -----
    Of a field that each site has a value of, such as income, age, price level or business model, an answer without one
    says that nobody knows it: its shares are of the sites of which it is known. Of interests, topics, personas and
    technologies, which a site has or has not, they are of all whose answer to that question did not fail.

    Where sites belong together, the variance of each share is linearised over the clusters; its design effect gives
    the effective n, of which the interval is Wilson's with Student's t. The effect is no less than how alike sites of
    one cluster are in this and in all codes says, so that it holds for rare codes and where all or none have one. See
    `toolkit.findings.statistics.clusters`.
    The interval of a weighted share is Wilson's with as many sites as have its linearised variance (Korn and Graubard
    1998), which is never taken to be less than if the code did not depend on the weight (Kish 1965); equal weights give
    the unweighted one. Where sites belong together, the variance is that of their sums, and no less than how alike they
    are says, and the interval is as much wider as Student's t is for so few. It is of such sites as these: of the
    budget itself, once it is spent, the share is what it is. In simulation it holds the true share in 94 % and more,
    also where few sites carry most of the weight.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example"], "dimension": "persona", "code": ["Cook", "Diver"]}
    >>> frame = pd.DataFrame(rows)
    >>> shares(frame)[["code", "n", "share"]].values.tolist()
    [['Cook', 2, 0.5], ['Diver', 2, 0.5]]
    >>> shares(frame, weight={"a.example": 100, "b.example": 300})[["code", "share", "weighted_share"]].values.tolist()
    [['Diver', 0.5, 0.75], ['Cook', 0.5, 0.25]]
    """
    found = incidence(frame, sites=sites, dimensions=dimensions, taxonomy=taxonomy)
    count = np.bincount(found.has.indices, minlength=len(found.codes))
    columns = found.codes[["dimension", "code", "label", "parent"]]
    clusters = clustering(cluster, found.sites, [frame])
    counted = _known_shares(found, count, clusters, level)
    result, weight_about = _with_weight(columns.assign(**counted), found, weight, clusters, level)
    most = -count if weight is None else -result["weighted_share"].fillna(0.0).round(_DIGITS)
    order = np.lexsort((places(result["code"])[0], -count, most, places(result["dimension"], ORDER)[0]))
    result = result.iloc[order].reset_index(drop=True)
    known = {"level": level} if taxonomy is None else {"level": level, "taxonomy": taxonomy}
    result.attrs["about"] = found.about | known | _told(clusters) | weight_about
    return with_basis(result)


def confidence_bands(codes: pd.DataFrame) -> pd.DataFrame:
    """Return how sure the service is of each dimension.

    Parameters
    ----------
    codes : DataFrame
        A codes frame.

    Returns
    -------
    DataFrame
        Four rows a dimension that any site has: ``dimension`` (str), ``basis`` (categorical, as of `shares`),
        ``confidence`` (ordered categorical low, medium, high, and at last missing: none was stated), ``sites`` (int64),
        ``share`` (float64, of the sites that have the dimension) and ``n`` (int64, those sites). A site counts once in
        a dimension, with its highest band.

    Raises
    ------
    InputError
        If the frame is no codes frame.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example"], "dimension": "interest", "code": "INT.PETS.DOGS"}
    >>> confidence_bands(pd.DataFrame(rows | {"confidence": ["high", "low"]}))[["confidence", "share"]].values.tolist()
    [['low', 0.5], ['medium', 0.0], ['high', 0.5], [nan, 0.0]]
    """
    codes = normal(codes)
    check_columns(codes, ("target", "dimension", "code", "confidence"), "run.codes()")
    site, found = numbered(site_of(codes))
    dimension, names = places(codes["dimension"], DIMENSIONS)
    rows = good_rows(codes) & (dimension >= 0) & codes["code"].notna().to_numpy()
    bands = list(CONFIDENCE.categories)
    width = len(bands) + 1
    # A site without a name is one too, the last. What a site does not have stays below a band that is missing.
    best = np.full((len(found) + 1, len(names)), -2, dtype=np.int8)
    stated = pd.Categorical(codes["confidence"], dtype=CONFIDENCE).codes
    np.maximum.at(best, (site[rows], dimension[rows]), stated[rows])
    counts = np.stack([(best == band).sum(axis=0) for band in (*range(len(bands)), -1)], axis=1).ravel()
    # A dimension that only failures have is none.
    there = np.repeat(counts.reshape(-1, width).any(axis=1), width)
    counts, names = counts[there], [name for name, kept in zip(names, there[::width], strict=True) if kept]
    whole = np.repeat(counts.reshape(-1, width).sum(axis=1), width)
    result = pd.DataFrame(
        {
            "dimension": pd.Series([name for name in names for _ in range(width)], dtype="str"),
            "confidence": pd.Categorical([*bands, None] * len(names), dtype=CONFIDENCE),
            "sites": counts.astype(np.int64),
            "share": ratio(counts, whole),
            "n": whole.astype(np.int64),
        }
    )
    result.attrs["about"] = about(codes)
    return with_basis(result)


def confidence_bins(categories: pd.DataFrame, taxonomy: str = "content-v3", bins: int = 10) -> pd.DataFrame:
    """Return how the confidences of a taxonomy's categories are spread.

    Parameters
    ----------
    categories : DataFrame
        A categories frame.
    taxonomy : str
        Which taxonomy.
    bins : int
        Number of equal steps from 0 to 1.

    Returns
    -------
    DataFrame
        One row a step: ``low``, ``high`` (float64; what is exactly ``high`` is in the next step, and 1 in the last),
        ``count`` (int64, a site's category counts once, with its highest confidence) and ``share`` (float64, of those
        with a confidence; missing where none has one). ``attrs["about"]["unstated"]`` is the number without one.

    Raises
    ------
    InputError
        If the frame is no categories frame, ``bins`` no whole number above 0, or a confidence not between 0 and 1.
    UnknownCodeError
        If the taxonomy is unknown.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example"], "taxonomy": "content-v3", "id": "1", "confidence": [0.2, 0.9]}
    >>> names = dict.fromkeys(["level_1", "level_2", "level_3", "level_4", "name"])
    >>> confidence_bins(pd.DataFrame(rows | names), bins=2)["count"].tolist()
    [1, 1]
    """
    categories = normal(categories)
    check_columns(categories, ("target", "taxonomy", "confidence", *_CATEGORY), "run.categories()")
    if taxonomy not in CATEGORIZED:
        raise UnknownCodeError(taxonomy, among="the taxonomies", nearest=CATEGORIZED)
    bins = check_whole(bins, "bins", 1)
    rows = np.flatnonzero(good_rows(categories) & (categories["taxonomy"] == taxonomy).to_numpy(bool, na_value=False))
    site, found = numbered(site_of(categories))
    if categories["id"].isna().to_numpy()[rows].any():
        number = combined(*(categories[name].iloc[rows] for name in _CATEGORY))
    else:
        number = numbered(categories["id"])[0][rows].astype(np.int64)
    number = number * (len(found) + 1) + site[rows] + 1
    confidence = categories["confidence"].to_numpy(dtype=np.float64, na_value=np.nan)[rows]
    best = _greatest(number, confidence)
    stated = best[best >= 0]
    if (stated > 1).any() or (confidence < 0).any():
        raise InputError("A confidence is not between 0 and 1. Pass a categories frame as run.categories() gives it.")
    edges = np.arange(bins + 1) / bins  # what numpy would make of (0, 1) is off by a digit, and 0.3 one step too low
    counts, _ = np.histogram(stated, bins=edges)
    result = pd.DataFrame(
        {
            "low": edges[:-1],
            "high": edges[1:],
            "count": counts.astype(np.int64),
            "share": ratio(counts, np.full(bins, len(stated))),
        }
    )
    result.attrs["about"] = about(categories) | {"taxonomy": taxonomy, "unstated": len(best) - len(stated)}
    return result


def _greatest(number: NDArray[np.int64], confidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the greatest confidence of each number, -1 where it has none."""
    stated = np.fmax(confidence, -1.0)
    order = np.argsort(number)
    number = number[order]
    first = np.flatnonzero(np.append(True, number[1:] != number[:-1])[: number.size])
    return np.maximum.reduceat(stated[order], first) if first.size else stated


def technology_shares(
    technologies: pd.DataFrame,
    sites: Targets | None = None,
    *,
    cluster: Cluster = AUTO,
    weight: Weight | None = None,
    level: float = _LEVEL,
) -> pd.DataFrame:
    """Return which part of the sites uses each technology.

    Parameters
    ----------
    technologies : DataFrame
        A technologies frame.
    sites : iterable of str, Series or DataFrame, optional
        The sites that count. By default all that were answered, as the frame's run says, also with nothing. Rows that
        were taken out of the frame change nothing, unless whole sites were and nothing else: see the notes of
        `toolkit.findings.compare`. Of a frame that is of no run, those with a row count.
    cluster : str, Series, mapping, False or None
        Which sites belong together, so that they say less than as many others: ``"domain"``, a column of the frame, or
        a cluster of each target; None counts each site by itself. By default the domain, if several of the sites, but
        not all, are of one.
    weight : Series or mapping, optional
        A number of each target, such as the spend on it, from 0: a Series indexed by target. A target that stands there
        twice has the sum. Sites without one are in no weighted share.
    level : float
        Part of the intervals that hold the true share.

    Returns
    -------
    DataFrame
        One row a technology that any site uses: ``category`` (str, missing where the service names none),
        ``technology`` (str), ``n`` (int64, answered sites), ``with_technology`` (int64), ``share`` (float64),
        ``share_low`` and ``share_high`` (Wilson 1927) and ``n_effective`` (float64) as of `shares`. The most frequent
        first, then by name. With a weight also the columns that `toolkit.findings.shares` has of it.

    Raises
    ------
    InputError
        If the frame is no technologies frame, or a target cannot be read.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example"], "technology": "nginx", "category": "Web servers"}
    >>> technology_shares(pd.DataFrame(rows), sites=["a.example", "c.example"])[
    ...     ["n", "with_technology"]
    ... ].values.tolist()
    [[2, 1]]
    """
    technologies = normal(technologies)
    check_columns(technologies, ("target", "technology", "category"), "run.technologies()")
    known = technologies[[name for name in (*_KNOWN, "technology") if name in technologies.columns]]
    # A category that is not named is one of its own.
    rows = known.rename(columns={"technology": "code"}).assign(dimension=technologies["category"].fillna(""))
    found = incidence(rows, sites=sites)
    count = np.bincount(found.has.indices, minlength=len(found.codes))
    names, kinds = found.codes["code"], found.codes["dimension"]
    result = pd.DataFrame({"category": kinds.where(kinds != ""), "technology": names}, dtype="str")
    clusters = clustering(cluster, found.sites, [technologies])
    counted = _sums(clusters, found.has)
    result = result.assign(**share_columns(count, len(found.sites), "with_technology", level, counted))
    result, weight_about = _with_weight(result, found, weight, clusters, level)
    most = -count if weight is None else -result["weighted_share"].fillna(0.0).round(_DIGITS)
    order = np.lexsort((places(kinds)[0], places(names)[0], -count, most))
    result = result.iloc[order].reset_index(drop=True)
    result.attrs["about"] = found.about | {"level": level} | _told(clusters) | weight_about
    return result


def empty_blocks(
    frame: pd.DataFrame, *, sites: Targets | None = None, cluster: Cluster = AUTO, level: float = _LEVEL
) -> pd.DataFrame:
    """Return how many answers have nothing in each of their blocks.

    Parameters
    ----------
    frame : DataFrame
        A codes or an audiences frame. Only the codes frame has the lists of the blocks, such as the age brackets: of an
        audiences frame a block counts as empty that has no single value and no number of codes.
    sites : iterable of str, Series or DataFrame, optional
        The sites that count. By default all that were answered, as the frame's run says, also with nothing. Rows that
        were taken out of the frame change nothing, unless whole sites were and nothing else: see the notes of
        `toolkit.findings.compare`. Of a frame that is of no run, those with a row count.
    cluster : str, Series, mapping, False or None
        Which sites belong together, so that they say less than as many others: ``"domain"``, a column of the frame, or
        a cluster of each target; None counts each site by itself. By default the domain, if several of the sites, but
        not all, are of one.
    level : float
        Part of the intervals that hold the true share.

    Returns
    -------
    DataFrame
        One row a block, always the same six: ``block`` (str), ``n`` (int64, answered sites), ``empty`` (int64, sites
        with nothing in the block in any of their answers), ``share`` (float64), ``share_low`` and ``share_high``
        (Wilson 1927) and ``n_effective`` (float64) as of `shares`.

    Raises
    ------
    InputError
        If the frame is neither.

    Examples
    --------
    >>> frame = pd.DataFrame({"target": ["a.example"], "dimension": "persona", "code": "Cook"})
    >>> empty_blocks(frame).set_index("block")["empty"].to_dict()
    {'demographics': 1, 'b2b': 1, 'content_context': 1, 'interests': 1, 'purchase_intent': 1, 'personas': 0}
    """
    frame = normal(frame)
    check_columns(frame, ("target",), "run.codes() or run.audiences()")
    of_codes = {"dimension", "code"} <= set(frame.columns)
    if not of_codes:
        check_columns(frame, (*SCALARS, *_COUNTS.values()), "run.codes() or run.audiences()")
    # An audiences frame has a row of each answer, so that its rows say who was answered.
    counted = frame if sites is None and not of_codes else sites
    found = incidence(frame if of_codes else _filled_blocks(frame), sites=counted)
    inside = {name: block for block, names in _BLOCKS.items() for name in (*names, block)}
    block = found.codes["dimension"].map(inside)
    empty = np.stack([~_having(found, (block == name).to_numpy()) for name in _BLOCKS], axis=1).astype(np.int64)
    blocks = pd.DataFrame({"block": pd.Series(list(_BLOCKS), dtype="str")})
    clusters = clustering(cluster, found.sites, [frame])
    by_cluster = _sums(clusters, sparse.csr_array(empty))
    result = blocks.assign(**share_columns(empty.sum(axis=0), len(found.sites), "empty", level, by_cluster))
    result.attrs["about"] = found.about | {"level": level} | _told(clusters)
    return result


def _known_shares(
    found: Incidence, count: NDArray[np.int64], clusters: Clustering | None, level: float
) -> dict[str, NDArray[Any]]:
    """Return the columns of shares, each of the sites of which it is known whether they have the code."""
    parts = []
    for columns, rows in found.parts():
        by_cluster = None if clusters is None else clusters.only(np.flatnonzero(rows)).sums(found.has[rows][:, columns])
        parts.append((columns, share_columns(count[columns], int(rows.sum()), "with_code", level, by_cluster)))
    return _placed(parts, share_columns(np.zeros_like(count), 0, "with_code", level))


def _placed(
    parts: list[tuple[NDArray[Any], dict[str, NDArray[Any]]]], empty: dict[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """Return columns that were worked out for some codes after some, in the place of `empty` ones."""
    for columns, values in parts:
        for name, column in values.items():
            empty[name][columns] = column
    return empty


def _with_weight(
    result: pd.DataFrame, found: Incidence, weight: Weight | None, clusters: Clustering | None, level: float
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the shares with those of the weight, if one is given, and what is to be said of it."""
    if weight is None:
        return result, {}
    weights = weighed(weight, found.sites)
    parts = []
    for columns, rows in found.parts():
        cluster = None if clusters is None else clusters.cluster[rows]
        known = weights._replace(values=weights.values[rows])
        parts.append((columns, known.columns(found.has[rows][:, columns], level, cluster)))
    nothing = np.full(len(result), np.nan)
    names = ("weight", "weight_total", "weighted_share", "weighted_low", "weighted_high", "weighted_n")
    return result.assign(**_placed(parts, {name: nothing.copy() for name in names})), weights.about


def _filled_blocks(audiences: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of an audiences frame once a block, with a code where the block has something."""
    known = audiences[[name for name in _KNOWN if name in audiences.columns]]
    parts = []
    for name, dimensions in _BLOCKS.items():
        if name in _COUNTS:
            there = audiences[_COUNTS[name]].fillna(0) > 0
        else:
            there = audiences[[one for one in dimensions if one in SCALARS]].notna().any(axis="columns")
        parts.append(known.assign(dimension=name, code=pd.Series("filled", index=known.index).where(there)))
    return pd.concat(parts, ignore_index=True)


def _having(found: Incidence, columns: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which sites have any of these codes."""
    some: NDArray[np.bool_] = np.diff(found.has[:, np.flatnonzero(columns)].indptr) > 0
    return some


def _sums(clusters: Clustering | None, has: sparse.csr_array) -> Clustered | None:
    """Return how many sites of each cluster have what is counted; None where each site counts by itself."""
    return None if clusters is None else clusters.sums(has)


def _told(clusters: Clustering | None) -> dict[str, Any]:
    return {} if clusters is None else clusters.about()
