"""Shares beyond what a classifier reports: by labelled sites, by its confidences, and what error would undo them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.counting import ratio, share_columns, with_basis
from toolkit.findings.given.clustering import AUTO, Cluster, Clustering, clustering
from toolkit.findings.incidence import EVERYBODY, incidence
from toolkit.findings.statistics.misreading import (
    central_counts,
    corrected,
    explaining_sensitivity,
    explaining_specificity,
)
from toolkit.frames.about import normal_of
from toolkit.frames.foreign import normal
from toolkit.interface.checks import check_columns, check_number, check_whole
from toolkit.interface.errors import InputError, UnknownCodeError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from toolkit.findings.incidence import Groups, Incidence, Targets

    Bools = NDArray[np.bool_]

__all__ = ["corrected_shares", "expected_shares", "explained_away"]

_LEVEL: Final = 0.95
_REST: Final = "rest"
_WHOLE: Final = 100
_CALLED: Final = ("over", "under")
#: The cells and sites of a part that the service said to have a code: see `corrected`.
_SAID: Final = [0, 2, 4]
#: Stands for a confidence that is missing, which counts as 1 for others.
_UNSTATED: Final = -1.0
_TEXTS: Final = ("group", "dimension", "code", "label")
_ENDS: Final = ("", "_low", "_high")
_CORRECTED: Final = (
    *_TEXTS,
    "n",
    "with_code",
    "share",
    "share_low",
    "share_high",
    "labelled",
    "labelled_true",
    *(f"{name}{end}" for name in ("sensitivity", "specificity", "rogan_gladen", "prediction_powered") for end in _ENDS),
    "baseline",
    "index",
    *(f"{name}_index{end}" for name in ("rogan_gladen", "prediction_powered") for end in _ENDS),
)
_EXPECTED: Final = (
    *_TEXTS,
    "n",
    "with_code",
    "share",
    "unstated",
    "expected",
    "expected_low",
    "expected_high",
    "expected_share",
    "expected_share_low",
    "expected_share_high",
)
_COMPARED: Final = ("group", "dimension", "code", "label", "share", "baseline_share", "index", "verdict")


def corrected_shares(
    frame: pd.DataFrame,
    labels: pd.DataFrame | pd.Series,
    groups: Groups = None,
    baseline: str | None = None,
    *,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | None = None,
    sites: Targets | None = None,
    among: Targets | None = None,
    cluster: Cluster = AUTO,
    level: float = _LEVEL,
    seed: int = 0,
) -> pd.DataFrame:
    """Return shares as they would be if the service never erred, by sites that somebody labelled.

    Parameters
    ----------
    frame : DataFrame
        A codes or a categories frame.
    labels : DataFrame or Series
        One row a labelled site and code: ``target``, ``code`` and ``truth`` (whether the code is true of the site);
        with ``dimension`` (or the taxonomy) where a code is in several. Or a Series of the truth, indexed by target and
        code. For each code, sites are to be drawn at random, whatever the service said of them.
    groups : str, mapping, Series, DataFrame or None
        As of `toolkit.findings.compare`; None is one group of all sites.
    baseline : str, optional
        What the index of a group is against: all sites together, ``"rest"`` or a group's name.
    dimensions, taxonomy, sites
        As of `toolkit.findings.shares`.
    among : iterable of str, Series or DataFrame, optional
        The sites of which it is known in which group they are, as of `toolkit.findings.compare`.
    cluster : str, Series, mapping, False or None
        Which sites belong together, as of `toolkit.findings.shares`.
    level : float
        Part of the intervals that hold what is true.
    seed : int
        Of the draws that intervals are made of; the same seed gives the same ones.

    Returns
    -------
    DataFrame
        One row a group and labelled code:

        - ``group``, ``dimension``, ``code``, ``label`` (str); ``n``, ``with_code`` (int64), ``share``, ``share_low``,
          ``share_high`` (float64): what the service says, as of `toolkit.findings.shares`.
        - ``labelled``, ``labelled_true`` (int64): labelled sites of the group, and those of which the code is true.
        - ``sensitivity``, ``specificity`` (float64, each with ``_low`` and ``_high``): how often the service says so
          where it is true, and does not where it is not, in all sites that are labelled.
        - ``rogan_gladen``, ``prediction_powered`` (float64, with ``_low`` and ``_high``): the corrected shares.
        - ``baseline`` (str), ``index``, ``rogan_gladen_index``, ``prediction_powered_index`` (float64, the corrected
          ones with ``_low`` and ``_high``): shares as a percentage of the baseline's; missing without groups.

        What is missing cannot be known of these labels; an interval from 0 to 1 says the same. ``attrs["about"]`` says
        in ``unmatched_labels`` how many labels are of no site that counts, and in ``labels_not_known`` how many of one
        of which the service does not know the field; in ``cluster`` what belongs together, where something does.

    Raises
    ------
    InputError
        If an argument is not as described, a code is in several dimensions, or labels contradict each other.
    UnknownCodeError
        If no site of the frame has a code that was labelled.

    Notes
    -----
    Rogan and Gladen (1978) divide the false answers out: it holds where the service errs alike in all groups, which
    sensitivity and specificity of all labelled sites together take for granted. The prediction-powered share (PPI++,
    Angelopoulos, Duchi and Zrnic 2023) asks nothing of the service, but of a group needs labels of that group: it is
    right with any classifier, and narrower the better this is. The two differ widely where the service errs otherwise
    in a group, or labels were not drawn at random.

    All is of the sites of which the service knows the field, as of `toolkit.findings.shares`, labels too: that it does
    not know an income is no word on it, true or false.

    Intervals carry the error of labels and of sites: see `toolkit.findings.statistics.misreading.corrected`. In
    simulation those of shares hold what is true in 94 to 97 of 100 lists, and are wider than need be where few labelled
    sites are true (3 of 100: 97 of 100 lists); those of a group's prediction-powered share and index in 95 to 98.

    Examples
    --------
    >>> targets = [f"{number}.example" for number in range(100)]
    >>> codes = pd.DataFrame({"target": targets[:30], "dimension": "persona", "code": "Cook"})
    >>> labels = pd.DataFrame({"target": targets[::2], "code": "Cook", "truth": [n < 10 for n in range(50)]})
    >>> found = corrected_shares(codes, labels, sites=targets)
    >>> found[["share", "sensitivity", "specificity", "prediction_powered"]].round(3).values.tolist()
    [[0.3, 1.0, 0.875, 0.2]]
    """
    if not isinstance(frame, pd.DataFrame):
        raise InputError("Labels are of the sites of one run. Pass run.codes() or run.categories(), and groups of it.")
    seed = check_whole(seed, "seed", 0)
    found = incidence(frame, groups, sites, dimensions=dimensions, taxonomy=taxonomy, among=among)
    given, unmatched = _placed(_read(labels), found)
    columns, silent = given["column"].to_numpy(), 0
    has = found.has.tocsc()
    clusters = clustering(cluster, found.sites, [frame])
    rows, effects = [], (1.0, 1.0)
    for place in np.unique(columns):
        said = np.zeros(len(found.sites), dtype=bool)
        said[has.indices[has.indptr[place] : has.indptr[place + 1]]] = True
        known = found.known_of(str(found.codes["dimension"].iloc[place]))
        labelled, truth = (given[name].to_numpy()[columns == place] for name in ("site", "truth"))
        told = known[labelled]
        labelled, truth, silent = labelled[told], truth[told], silent + int((~told).sum())
        # The places of `toolkit.findings.statistics.misreading.CELLS`.
        cell = 2 * ~truth + ~said[labelled]
        if clusters is not None:
            effects = _effects(clusters, said, known, labelled, truth)
        for name, (group, base) in zip(found.names, _pairs(found, baseline), strict=True):
            part = np.select([group & base, group, base], [2, 0, 1], 3)
            cells, others = np.zeros((4, 4)), np.zeros((4, 2))
            np.add.at(cells, (part[labelled], cell), 1)
            others += np.stack([np.bincount(part[sites], minlength=4) for sites in (said, known & ~said)], axis=1)
            others -= cells[:, :2] + cells[:, 2:]
            rows.append(
                {"group": name, **found.codes.loc[place, ["dimension", "code", "label"]]}
                | _corrected_row(cells, others, level, seed, effects)
                | _said_limits(said, known & group, clusters, level)
            )
    table = _corrected_table(rows, found.names)
    name = baseline or EVERYBODY
    table["baseline"] = pd.Series(None if groups is None else name, index=table.index, dtype="str")
    if groups is None:
        table[[column for column in table.columns if "index" in column]] = np.nan
    lost = {"unmatched": found.unmatched, "unmatched_labels": unmatched, "labels_not_known": silent}
    told_of = {} if clusters is None else clusters.about()
    table.attrs["about"] = found.about | told_of | {"level": level, "baseline": name} | lost
    return table


def _effects(
    clusters: Clustering, said: Bools, known: Bools, labelled: NDArray[np.int64], truth: Bools
) -> tuple[float, float]:
    """Return the design effects of the labelled sites and of the others; together they have that of what was said.

    Of labels the largest: of what is true, of what was said, and of where the service erred.
    """
    cells = sparse.csr_array(np.stack([truth, said[labelled], truth != said[labelled]], axis=1).astype(np.int64))
    of_labels = float(clusters.only(labelled).sums(cells).effect.max(initial=1.0)) if labelled.size else 1.0
    rows = np.flatnonzero(known)
    n, rest = rows.size, rows.size - labelled.size
    whole = float(clusters.only(rows).sums(_column(said[rows])).effect[0]) if n else 1.0
    return of_labels, max((n * whole - labelled.size * of_labels) / rest, 1.0) if rest > 0 else 1.0


def _said_limits(said: Bools, sites: Bools, clusters: Clustering | None, level: float) -> dict[str, Any]:
    """Return the share of what the service says among some sites, with its limits as shares have them."""
    rows = np.flatnonzero(sites)
    sums = None if clusters is None or not rows.size else clusters.only(rows).sums(_column(said[rows]))
    found = share_columns(np.array([int(said[rows].sum())]), rows.size, "with_code", level, sums)
    return {name: float(found[name][0]) for name in ("share", "share_low", "share_high")}


def _column(values: Bools) -> sparse.csr_array:
    return sparse.csr_array(values[:, None].astype(np.int64))


def _read(labels: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """Return labels as a frame of ``target``, ``code``, ``truth`` and, where it is told, ``dimension``."""
    if isinstance(labels, pd.Series) and labels.index.nlevels == 2:  # noqa: PLR2004 - target and code
        index = labels.index.set_names(["target", "code"])
        labels = pd.DataFrame({"truth": labels.to_numpy()}, index=index).reset_index()
    if not isinstance(labels, pd.DataFrame):
        raise InputError(
            "Labels are a frame with the columns 'target', 'code' and 'truth', or a Series of the truth indexed by "
            f"target and code, not {type(labels).__name__}. Pass one row a labelled site and code."
        )
    check_columns(labels, ("target", "code", "truth"), "labels")
    names = [name for name in ("target", "dimension", "code", "truth") if name in labels.columns]
    rows = labels[names].dropna(subset=["target", "code", "truth"])
    if not rows["truth"].isin([True, False]).all():
        wrong = rows.loc[~rows["truth"].isin([True, False]), "truth"].iloc[0]
        raise InputError(f"A truth is {wrong!r:.80}, neither True nor False. Say whether the code is true of the site.")
    texts = {name: rows[name].astype("str") for name in names if name != "truth"}
    return rows.assign(**texts, truth=rows["truth"].astype(bool)).reset_index(drop=True)


def _placed(labels: pd.DataFrame, found: Incidence) -> tuple[pd.DataFrame, int]:
    """Return the truth of each site and code, by their places in the tables, and how many are of no site that counts.

    What is labelled twice alike counts once.
    """
    keys = found.codes.assign(column=np.arange(len(found.codes)))
    by = ["dimension", "code"] if "dimension" in labels.columns else ["code"]
    several = keys.loc[keys.duplicated(by, keep=False) & keys["code"].isin(labels["code"]), "code"]
    if len(several):
        raise InputError(
            f"The labelled code {several.iloc[0]!r:.80} is in several dimensions. Name one by dimensions= or "
            "taxonomy=, or give the labels a column 'dimension'."
        )
    column = labels[by].merge(keys[[*by, "column"]].astype(dict.fromkeys(by, "str")), on=by, how="left")["column"]
    if column.isna().any():
        code = str(labels.loc[column.isna().to_numpy(), "code"].iloc[0])
        near = nearest_to(code, keys["code"].unique().tolist())
        raise UnknownCodeError(code, among="the codes that the sites of the frame have", nearest=near)
    site = found.sites.get_indexer(pd.Index(labels["target"]))
    strange = np.flatnonzero(site < 0)
    normal = [normal_of(target) or "" for target in labels["target"].iloc[strange].tolist()]
    site[strange] = found.sites.get_indexer(pd.Index(normal, dtype="str"))
    rows = pd.DataFrame({"site": site, "column": column.to_numpy(dtype=np.int64), "truth": labels["truth"]})
    rows = rows[rows["site"] >= 0].drop_duplicates()
    twice = rows[rows.duplicated(["site", "column"])]
    if len(twice):
        which = found.sites[twice["site"].iloc[0]], found.codes["code"].iloc[twice["column"].iloc[0]]
        raise InputError(
            f"{which[0]!r:.80} is labelled both true and false of {which[1]!r:.80}. Keep one label of each."
        )
    if rows.empty:
        raise InputError("No label is of a site that counts. Label sites of the run, by their targets.")
    return rows, int((site < 0).sum())


def _pairs(found: Incidence, baseline: str | None) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield who is in each group and in its baseline."""
    if baseline not in {None, EVERYBODY, _REST, *found.names}:
        near = ", ".join(nearest_to(str(baseline), [*found.names, _REST]))
        raise InputError(f"The baseline {baseline!r:.80} is no group. Nearest: {near}. Pass a group's name or 'rest'.")
    every = np.ones(len(found.sites), dtype=bool) if found.grouped is None else found.grouped
    fixed = every if baseline not in found.names else _members(found, found.names.index(str(baseline)))
    for place in range(len(found.names)):
        group = _members(found, place)
        yield group, every & ~group if baseline == _REST and _REST not in found.names else fixed


def _members(found: Incidence, place: int) -> NDArray[np.bool_]:
    members: NDArray[np.bool_] = found.members[[place], :].toarray()[0] > 0
    return members


def _corrected_row(
    cells: NDArray[np.float64], others: NDArray[np.float64], level: float, seed: int, effects: tuple[float, float]
) -> dict[str, Any]:
    """Return what is told of a group and code, of the counts in the parts that `corrected` takes."""
    every = np.concatenate([cells, others], axis=1)
    group, base = every[0] + every[2], every[1] + every[2]
    said, base_said = group[_SAID].sum(), base[_SAID].sum()
    row: dict[str, Any] = {"n": int(group.sum()), "with_code": int(said)}
    row |= {"labelled": int(group[:4].sum()), "labelled_true": int(group[:2].sum())}
    with np.errstate(invalid="ignore", divide="ignore"):
        row["index"] = float(_WHOLE * np.divide(said * base.sum(), base_said * group.sum()))
    for name, found in corrected(cells, others, level, seed, effects=effects).items():
        scale = _WHOLE if name.endswith("_ratio") else 1
        own = name.replace("_ratio", "_index")
        row |= {own: scale * found.value, f"{own}_low": scale * found.low, f"{own}_high": scale * found.high}
    return row


def _corrected_table(rows: list[dict[str, Any]], order: list[str]) -> pd.DataFrame:
    """Return the rows as a table, by group and code."""
    table = pd.DataFrame(rows)
    place = pd.Categorical(table["group"], order).codes
    table = table.iloc[np.argsort(place, kind="stable")].reset_index(drop=True)
    return with_basis(table.reindex(columns=list(_CORRECTED)).astype(dict.fromkeys(_TEXTS, "str")))


def explained_away(
    compared: pd.DataFrame, *, least_sensitivity: float = 0.5, least_specificity: float = 0.9
) -> pd.DataFrame:
    """Say how unlike the service would have to err in a group and its baseline for a finding to be none.

    Parameters
    ----------
    compared : DataFrame
        As `toolkit.findings.compare` returns it.
    least_sensitivity, least_specificity : float
        How often at least the service says a code where it is true, and does not where it is not. A service that finds
        next to nothing, or makes everything up, could explain any difference.

    Returns
    -------
    DataFrame
        One row a row that is called ``over`` or ``under``, in the same order: ``group``, ``dimension``, ``code``,
        ``label`` (str), ``share``, ``baseline_share``, ``index`` (float64), ``verdict``, and of ``sensitivity`` and
        ``specificity`` what it would be in the group, in the baseline (``baseline_sensitivity``), and how far these lie
        apart (``sensitivity_difference``; all float64, 0 to 1, missing where no such difference explains the finding).

    Raises
    ------
    InputError
        If the frame is no comparison, or a least rate is not between 0 and 1.

    Notes
    -----
    What is reported is share × sensitivity + (1 - share) × (1 - specificity). Of all true shares that are the same in
    group and baseline, and all rates from the least on, these give the reported shares with the smallest difference in
    one rate, the other being the same in both. A sample's chance error comes on top: a smaller difference can be enough
    to leave a finding that could be chance. A difference that is small for the service, such as 0.05, says that the
    finding stands on how alike it reads both; labels tell: `toolkit.findings.corrected_shares`.

    Examples
    --------
    >>> row = {"group": "shops", "dimension": "persona", "code": "Cook", "label": "Cook", "index": 150.0}
    >>> compared = pd.DataFrame([row | {"share": 0.3, "baseline_share": 0.2, "verdict": "over"}])
    >>> found = explained_away(compared)
    >>> found[["sensitivity", "baseline_sensitivity", "specificity_difference"]].round(3).values.tolist()
    [[0.75, 0.5, nan]]
    """
    check_columns(compared, _COMPARED, "toolkit.findings.compare(…)")
    check_number(least_sensitivity, "least_sensitivity", 0, 1)
    check_number(least_specificity, "least_specificity", 0, 1)
    called = compared.loc[compared["verdict"].isin(_CALLED), list(_COMPARED)].reset_index(drop=True)
    shares = called["share"].to_numpy(), called["baseline_share"].to_numpy()
    for name, found in (
        ("sensitivity", explaining_sensitivity(*shares, least_sensitivity)),
        ("specificity", explaining_specificity(*shares, least_specificity)),
    ):
        called[name], called[f"baseline_{name}"] = found.group, found.baseline
        called[f"{name}_difference"] = np.abs(found.group - found.baseline)
    least = {"least_sensitivity": least_sensitivity, "least_specificity": least_specificity}
    called.attrs["about"] = compared.attrs.get("about", {}) | least
    return with_basis(called)


def expected_shares(
    categories: pd.DataFrame,
    groups: Groups = None,
    *,
    taxonomy: str | None = None,
    sites: Targets | None = None,
    level: float = _LEVEL,
) -> pd.DataFrame:
    """Return on how many sites each category is expected to be right, by the service's own confidences.

    Parameters
    ----------
    categories : DataFrame
        A categories frame. Its confidences are taken as calibrated: of answers with confidence 0.7, 70 % are right.
    groups : str, mapping, Series, DataFrame or None
        As of `toolkit.findings.compare`; None is one group of all sites.
    taxonomy, sites
        As of `toolkit.findings.shares`.
    level : float
        How probable it is at least that the number lies within its limits.

    Returns
    -------
    DataFrame
        One row a group and category that any of its sites has: ``group``, ``dimension`` (the taxonomy), ``code``,
        ``label`` (str), ``n`` (int64, answered sites of which it is known: those whose answer to that question did not
        fail), ``with_code`` (int64), ``share`` (float64), ``unstated`` (int64, sites that have it without a
        confidence), ``expected`` (float64, on how many of the sites that have it it is right), ``expected_low``,
        ``expected_high`` (int64), ``expected_share``, ``expected_share_low`` and
        ``expected_share_high`` (float64, of ``n``). Groups in order, the most expected first.

    Raises
    ------
    InputError
        If the frame is no categories frame, or a confidence is not between 0 and 1.
    UnknownCodeError
        If the taxonomy is unknown.

    Notes
    -----
    A category is right on each site independently, with its confidence as the chance, so that the number of sites has
    the Poisson-binomial distribution. It is of the answers that were given: sites where the service missed a category
    are not in it, so as a share of all that have it truly it is too low, and `toolkit.findings.corrected_shares` says
    by how much. What is unstated may be right on none of its sites or on all: the limits allow for both, `expected`
    counts none. Where the service is wrong alike on alike sites, such as pages of one domain, limits are too narrow.

    Bands (low, medium, high) of a codes frame are no chances. That top categories of content-v3 are right somewhat
    less often than their confidence says is measured: see the README of `toolkit.service`.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example"], "taxonomy": "content-v3", "id": "1", "name": "Cars"}
    >>> found = expected_shares(pd.DataFrame(rows | {"confidence": [0.5, 0.9]}))
    >>> found[["with_code", "expected", "expected_low", "expected_high"]].values.tolist()
    [[2.0, 1.4, 0.0, 2.0]]
    """
    categories = normal(categories, *([groups] if isinstance(groups, str) else []))
    check_columns(categories, ("target", "taxonomy", "id", "confidence"), "run.categories()")
    stated = categories["confidence"]
    if not stated.dropna().between(0, 1).all():
        raise InputError("A confidence is not between 0 and 1. Pass a categories frame as run.categories() gives it.")
    told = categories.assign(confidence=stated.fillna(_UNSTATED))
    found = incidence(told, groups, sites, taxonomy=taxonomy, weights=True)
    chance = cast("sparse.csr_array", found.weights)
    rows = []
    alike = found.parts()
    for place, name in enumerate(found.names):
        inside, n = _members(found, place), np.zeros(len(found.codes), dtype=np.int64)
        for columns, known in alike:
            n[columns] = (inside & known).sum()
        weights = chance[np.flatnonzero(inside)].tocsc()
        for column in np.flatnonzero(np.diff(weights.indptr)):
            every = weights.data[weights.indptr[column] : weights.indptr[column + 1]]
            chances = every[every >= 0]
            unknown = len(every) - len(chances)
            low, high = central_counts(chances, level)
            rows.append((name, column, int(n[column]), len(every), unknown, chances.sum(), low, high + unknown))
    heads = ("group", "column", "n", "with_code", "unstated", "expected", "expected_low", "expected_high")
    numbers = dict.fromkeys(heads[1:], "int64") | {"expected": "float64"}
    table = pd.DataFrame(rows, columns=list(heads)).astype(numbers)
    table = table.join(found.codes[["dimension", "code", "label"]], on="column")
    whole = table["n"].to_numpy()
    parts = {"share": "with_code", "expected_share": "expected"}
    parts |= {f"expected_share_{end}": f"expected_{end}" for end in ("low", "high")}
    table = table.assign(**{name: ratio(table[of].to_numpy(), whole) for name, of in parts.items()})
    group = pd.Categorical(table["group"], found.names).codes
    order = np.lexsort((table["column"].to_numpy(), -table["expected"].to_numpy(), group))
    table = table.iloc[order].reset_index(drop=True)[list(_EXPECTED)].astype(dict.fromkeys(_TEXTS, "str"))
    table.attrs["about"] = found.about | {"level": level, "unmatched": found.unmatched}
    return with_basis(table)
