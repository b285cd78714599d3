"""Sites that are like some seeds, ranked: which codes speak for each, and whether the ranking can be believed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse, stats

from toolkit.findings.codes import is_of_codes
from toolkit.findings.counting import joined, ratio
from toolkit.findings.given.clustering import domain_numbers
from toolkit.findings.incidence import incidence
from toolkit.findings.statistics.likeness import auc_interval, code_weights, precision
from toolkit.frames.about import normal_of
from toolkit.interface.checks import check_whole
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from toolkit.findings.incidence import Targets

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["lookalike_codes", "lookalike_quality", "lookalikes"]

#: Codes that stand in ``because``.
_REASONS: Final = 3
_FOLDS: Final = 10
#: Domains that are held out at a time, at least where there are so many.
_HELD: Final = 10
#: Random seeds that the given ones are held against.
_RANDOM: Final = 199
_LEVEL: Final = 0.05
_TOLD: Final = ("precision", "lift", "precision_random", "lift_random")
_TOP: Final = 10
#: Scores of sites that are held at a time.
_CELLS: Final = 20_000_000
#: Scores that differ by rounding alone are equal.
_DIGITS: Final = 9


def lookalikes(
    frame: pd.DataFrame | Iterable[pd.DataFrame],
    seeds: Targets,
    *,
    most: int | None = None,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | Iterable[str] | None = None,
    sites: Targets | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Rank all other sites by how much they are like some seeds.

    Parameters
    ----------
    frame : DataFrame, or iterable of DataFrame
        A codes frame, a categories frame, or both. Of both, the sites count that were answered in both.
    seeds : iterable of str, Series or DataFrame
        The sites that others should be like.
    most : int, optional
        At most so many sites; all by default.
    dimensions, taxonomy : str or iterable of str, optional
        Which dimensions of a codes frame, or taxonomies of a categories frame; all by default.
    sites : iterable of str, Series or DataFrame, optional
        The sites that count, by default all that were answered, as the frame's run says.
    seed : int
        Of the random numbers that share out the sites and draw random seeds.

    Returns
    -------
    DataFrame
        One row a site that is no seed, the most alike first, then by name: ``rank`` (int64), ``site`` (str), ``score``
        (float64: the weights of its codes added up, in log odds, 0 where nothing speaks for or against it),
        ``because`` and ``against`` (str, the labels of the three codes that add most and take most, missing without
        any). `lookalike_codes` has the weight of each code.

        ``attrs["about"]`` says how many sites and ``seeds`` count, how many seeds are no answered site
        (``unmatched``), what `lookalike_quality` found of the ranking (``auc``, ``auc_random``, ``p``; missing where
        it could not be checked), and in ``says`` in words whether it can be believed.

    Raises
    ------
    InputError
        If no seed is an answered site, all are, or an argument is not as described.
    UnknownCodeError
        If a dimension or taxonomy is unknown.

    Notes
    -----
    A code's weight is the log odds ratio of having it among the seeds and among the others, times the chance that it
    differs at all (a normal prior for one code in ten, George and McCulloch 1993, with the approximate Bayes factor of
    Wakefield 2009). So codes that few seeds happen to have weigh little; in simulations with 400 codes this ranked
    planted lookalikes far better than naive Bayes with pseudo-counts or a ridge regression. Weights are added as if
    codes were independent: a category and its parent both count. A domain counts once, however many of its pages are
    seeds. The others hold hidden lookalikes, which makes weights a little too small and changes the order little.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example", "c.example", "d.example"], "dimension": "persona"}
    >>> codes = pd.DataFrame(rows | {"code": ["Cook", "Cook", "Cook", "Diver"]})
    >>> lookalikes(codes, ["a.example", "b.example"])[["rank", "site", "because"]].values.tolist()
    [[1, 'c.example', 'Cook'], [2, 'd.example', nan]]
    """
    most = None if most is None else check_whole(most, "most", 1)
    given = _given(frame, seeds, dimensions, taxonomy, sites)
    weights = given.weights(given.seeds[:, None], ~given.seeds[:, None])[:, 0]
    scores = np.round(given.has @ weights, _DIGITS)
    others = np.flatnonzero(~given.seeds)
    order = others[np.argsort(-scores[others], kind="stable")][:most]
    labels = given.codes["label"].where(given.codes["label"].notna(), given.codes["code"]).to_numpy(dtype=object)
    result = pd.DataFrame(
        {
            "rank": np.arange(1, len(order) + 1, dtype=np.int64),
            "site": pd.Series(given.sites[order], dtype="str"),
            "score": scores[order],
            "because": _reasons(given.has[order], weights, labels),
            "against": _reasons(given.has[order], -weights, labels),
        }
    )
    checked = _checked(given, seed)
    quality: dict[str, float | None] = {"auc": None, "auc_random": None, "p": None}
    if checked is not None:
        quality = {"auc": checked.auc[0], "auc_random": float(checked.auc[1:].mean()), "p": checked.p}
    result.attrs["about"] = given.about | quality | {"says": _words(given, checked)}
    return result


def lookalike_codes(
    frame: pd.DataFrame | Iterable[pd.DataFrame],
    seeds: Targets,
    *,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | Iterable[str] | None = None,
    sites: Targets | None = None,
) -> pd.DataFrame:
    """Return what each code weighs in the scores of `lookalikes`.

    Parameters
    ----------
    frame, seeds, dimensions, taxonomy, sites
        As of `lookalikes`.

    Returns
    -------
    DataFrame
        One row a code that any site has, the heaviest first, then by dimension and code: ``dimension``, ``code``,
        ``label`` (str), ``seeds_with``, ``others_with`` (int64, sites), ``seeds_share``, ``others_share`` (float64)
        and ``weight`` (float64, what having it adds to a site's score).

    Raises
    ------
    InputError, UnknownCodeError
        As `lookalikes`.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example", "c.example"], "dimension": "persona"}
    >>> codes = pd.DataFrame(rows | {"code": ["Cook", "Cook", "Diver"]})
    >>> lookalike_codes(codes, ["a.example", "b.example"])[["code", "seeds_with", "others_with"]].values.tolist()
    [['Cook', 2, 0], ['Diver', 0, 1]]
    """
    given = _given(frame, seeds, dimensions, taxonomy, sites)
    counts = [(given.has.T @ who.astype(np.int64)).astype(np.int64) for who in (given.seeds, ~given.seeds)]
    sizes = [np.full(len(given.codes), who.sum()) for who in (given.seeds, ~given.seeds)]
    result = given.codes[["dimension", "code", "label"]].assign(
        seeds_with=counts[0],
        others_with=counts[1],
        seeds_share=ratio(counts[0], sizes[0]),
        others_share=ratio(counts[1], sizes[1]),
        weight=given.weights(given.seeds[:, None], ~given.seeds[:, None])[:, 0],
    )
    order = np.argsort(-np.round(result["weight"].to_numpy(), _DIGITS), kind="stable")
    result = result.iloc[order].reset_index(drop=True)
    result.attrs["about"] = given.about
    return result


def lookalike_quality(
    frame: pd.DataFrame | Iterable[pd.DataFrame],
    seeds: Targets,
    k: int | Iterable[int] | None = None,
    *,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | Iterable[str] | None = None,
    sites: Targets | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Return how well seeds are found again that were held out, beside random seeds.

    Parameters
    ----------
    frame, seeds, dimensions, taxonomy, sites, seed
        As of `lookalikes`.
    k : int or iterable of int, optional
        Of how many first places the precision is told; by default of ten, and of as many as there are seeds.

    Returns
    -------
    DataFrame
        One row a k: ``k`` (int64), ``precision`` (float64, the part of the first k sites that are held-out seeds),
        ``lift`` (float64, how many times as many as there are among all sites), ``precision_random`` and
        ``lift_random`` (float64, the same of random seeds, on average), and the same in each row: ``auc`` (float64, how
        often a held-out seed is ranked above another site), ``auc_low``, ``auc_high`` (its interval), ``auc_random``,
        ``auc_random_high`` (of random seeds: on average, and what one in twenty reaches) and ``p`` (float64, how often
        random seeds do as well). No row where the seeds are of one domain, or only one domain is of others: nothing
        can be held out then.

        ``attrs["about"]`` as of `lookalikes`, with ``says`` in words.

    Raises
    ------
    InputError, UnknownCodeError
        As `lookalikes`; also if a k is larger than the number of sites.

    Notes
    -----
    Cross-validation in ten parts, of fewer than 100 domains in parts of ten. All pages of a domain are in one part, as
    seeds and as others, so that a page is never found by its neighbour. Held-out seeds are ranked among the held-out
    others only, which no weight has seen either: so random seeds are at 0.5, and not below or above. The random seeds
    are as many, and as many of a domain, as those given; p counts how many of 199 do as well, and those given. The
    interval counts domains, not pages (Newcombe 2006, method 5).

    Examples
    --------
    >>> targets = [f"{name}.example" for name in "abcdefghijkl"]
    >>> codes = pd.DataFrame({"target": targets, "dimension": "persona", "code": ["Cook"] * 4 + ["Diver"] * 8})
    >>> found = lookalike_quality(codes, targets[:4], 4)
    >>> found[["k", "precision", "lift", "auc"]].values.tolist()
    [[4.0, 1.0, 3.0, 1.0]]
    """
    given = _given(frame, seeds, dimensions, taxonomy, sites)
    total, count = len(given.sites), int(given.seeds.sum())
    wanted = sorted({min(_TOP, total), count}) if k is None else [k] if not isinstance(k, Iterable) else list(k)
    places = [check_whole(one, "k", 1, total) for one in wanted]
    checked = _checked(given, seed)
    result = pd.DataFrame({"k": np.array(places if checked is not None else [], dtype=np.int64)})
    if checked is None:
        names = (*_TOLD, "auc", "auc_low", "auc_high", "auc_random", "auc_random_high", "p")
        result = result.assign(**dict.fromkeys(names, pd.Series(dtype="float64")))
    else:
        found = np.array(
            [
                [precision(checked.places[:, n], labels, place) for place in places]
                for n, labels in enumerate(checked.labels.T)
            ]
        )
        random, often = found[1:].mean(axis=0), total / count
        told = (found[0], found[0] * often, random, random * often)
        low, high = auc_interval(checked.auc[0], *checked.domains)
        result = result.assign(**dict(zip(_TOLD, told, strict=True)), auc=checked.auc[0], auc_low=low, auc_high=high)
        random = checked.auc[1:]
        most = np.quantile(random, 1 - _LEVEL)
        result = result.assign(auc_random=random.mean(), auc_random_high=most, p=checked.p)
    result.attrs["about"] = given.about | {"says": _words(given, checked)}
    return result


class _Given(NamedTuple):
    """The sites, what they have, which are seeds, and the number of each one's domain."""

    sites: pd.Index
    codes: pd.DataFrame
    has: sparse.csr_array
    seeds: Bools
    domains: Integers
    about: dict[str, Any]

    def weights(self, seeds: Bools, others: Bools) -> Floats:
        """Return the weight of each code, for several choices of seeds and others, a column each."""
        # A domain counts once, however many pages it has on a side.
        sides = [_once(side, self.domains) for side in (seeds, others)]
        (have1, n1), (have2, n2) = ((self.has.T @ side, side.sum(axis=0)) for side in sides)
        return code_weights(have1, n1, have2, n2)


class _Checked(NamedTuple):
    """What cross-validation found: of the seeds in the first column, of random ones in the others.

    Attributes
    ----------
    places : array of float
        Where each site stands among those that were held out with it, from 0 to 1.
    labels : array of bool
        Which are seeds.
    auc : array of float
        How often a seed stands above another site.
    domains : tuple of int
        How many domains the seeds and the others have.
    """

    places: Floats
    labels: Bools
    auc: Floats
    domains: tuple[int, int]

    @property
    def p(self) -> float:
        """How often random seeds do as well."""
        return float(np.mean(self.auc >= self.auc[0] - 10.0**-_DIGITS))


def _once(side: Bools, domains: Integers) -> Floats:
    """Return what each page counts, for all pages of its domain on this side to count 1 together."""
    pages = np.zeros((domains.max() + 1, side.shape[1]))
    np.add.at(pages, domains, side)
    found: Floats = side / np.maximum(pages, 1)[domains]
    return found


def _given(
    frame: pd.DataFrame | Iterable[pd.DataFrame],
    seeds: Targets,
    dimensions: str | Iterable[str] | None,
    taxonomy: str | Iterable[str] | None,
    sites: Targets | None,
) -> _Given:
    frames = [frame] if isinstance(frame, pd.DataFrame) else list(frame) if isinstance(frame, Iterable) else [frame]
    kinds = [is_of_codes([one]) for one in frames if isinstance(one, pd.DataFrame)]
    if not frames or len(kinds) < len(frames) or len(set(kinds)) < len(kinds):
        raise InputError("Lookalikes take a codes frame, a categories frame, or one of each. Pass [codes, categories].")
    parts = []
    for one, of_codes in zip(frames, kinds, strict=True):
        # With both kinds at hand, each is cut by its own.
        cut: dict[str, Any] = {"dimensions": dimensions if of_codes or len(kinds) == 1 else None}
        cut["taxonomy"] = taxonomy if not of_codes or len(kinds) == 1 else None
        parts.append(incidence(one, sites=sites, **cut))
    names = parts[0].sites
    for part in parts[1:]:
        names = names.intersection(part.sites)
    has = sparse.csr_array(sparse.hstack([part.has[part.sites.get_indexer(names)] for part in parts]))
    codes = pd.concat([part.codes for part in parts], ignore_index=True)
    wanted = [seeds] if isinstance(seeds, str) else seeds
    inside, lost = parts[0].among(wanted)
    chosen = names.isin(parts[0].sites[inside])
    lost += int(inside.sum()) - int(chosen.sum())
    if not chosen.any():
        near = _near(wanted, names)
        raise InputError(f"None of the seeds is an answered site of the frame.{near} Pass sites of the frame.")
    if chosen.all():
        raise InputError("All sites are seeds, so there is nobody to rank. Pass fewer seeds, or a frame of more sites.")
    about = parts[0].about | {"sites": len(names), "seeds": int(chosen.sum()), "unmatched": lost}
    return _Given(names, codes, has.astype(np.float64), chosen, domain_numbers(names), about)


def _near(seeds: Any, names: pd.Index) -> str:
    first = next(iter(seeds), None) if not isinstance(seeds, pd.DataFrame) else None
    near = nearest_to(normal_of(first) or first, names) if isinstance(first, str) else ()
    return f" Nearest to {first!r:.80}: {', '.join(near)}." if near else ""


def _checked(given: _Given, seed: int) -> _Checked | None:
    """Hold out whole domains in turn and rank them by the weights of the rest; None where that cannot be done."""
    rng = np.random.default_rng(check_whole(seed, "seed", 0))
    with_seeds = np.unique(given.domains[given.seeds])
    without = np.unique(given.domains[~given.seeds])
    if min(len(with_seeds), len(without)) < 2:  # noqa: PLR2004 - one to hold out, and one to learn from
        return None
    # Dealt out without a look at the seeds, as for the random ones that these are held against.
    number = int(given.domains.max()) + 1
    fold = rng.permutation(number) % min(_FOLDS, max(2, number // _HELD))
    part = fold[given.domains]
    found = [_ranked(given, part, labels) for labels in _labels(given, rng)]
    places, labels, auc = (np.concatenate(values, axis=-1) for values in zip(*found, strict=True))
    return _Checked(places, labels, auc, (len(with_seeds), len(without)))


def _labels(given: _Given, rng: np.random.Generator) -> Iterator[Bools]:
    """Yield the seeds, and then random ones that are as many of as many domains, some columns at a time."""
    together = int(max(1, min(_RANDOM + 1, _CELLS // len(given.sites))))
    columns = [given.seeds]
    order = np.argsort(given.domains, kind="stable")
    ends = np.cumsum(np.bincount(given.domains))
    sizes = np.diff(ends, prepend=0)
    wanted = np.sort(np.bincount(given.domains[given.seeds]))[::-1]
    wanted = wanted[wanted > 0]
    for number in range(_RANDOM + 1):
        if number:
            columns.append(_random(wanted, order, ends, sizes, rng=rng))
        if len(columns) == together or number == _RANDOM:
            yield np.column_stack(columns)
            columns = []
            if number == _RANDOM:
                return


def _random(wanted: Integers, order: Integers, ends: Integers, sizes: Integers, *, rng: np.random.Generator) -> Bools:
    """Return random seeds: of each of as many domains as many pages as the seeds have."""
    chosen = np.zeros(len(order), dtype=bool)
    free = rng.permutation(len(sizes))
    for pages in wanted:
        # The largest are drawn first, from the domains that have so many pages.
        at = int(np.argmax(sizes[free] >= pages))
        domain, free = free[at], np.delete(free, at)
        own = order[ends[domain] - sizes[domain] : ends[domain]]
        chosen[rng.choice(own, pages, replace=False)] = True
    return chosen


def _ranked(given: _Given, part: Integers, labels: Bools) -> tuple[Floats, Bools, Floats]:
    """Return where each site stands among those held out with it, the labels, and how often seeds stand above."""
    places = np.zeros(labels.shape)
    above, pairs = np.zeros(labels.shape[1]), np.zeros(labels.shape[1])
    for number in range(int(part.max()) + 1):
        held = part == number
        weights = given.weights(labels & ~held[:, None], ~labels & ~held[:, None])
        ranks = stats.rankdata(np.round(given.has[held] @ weights, _DIGITS), axis=0)
        places[held] = (ranks - 0.5) / len(ranks)
        inside = labels[held].sum(axis=0)
        # Of the sum of their ranks, the seeds' places among themselves say nothing.
        above += (ranks * labels[held]).sum(axis=0) - inside * (inside + 1) / 2
        pairs += inside * (len(ranks) - inside)
    return places, labels, np.divide(above, pairs, out=np.full(len(pairs), 0.5), where=pairs > 0)


def _reasons(has: sparse.csr_array, weights: Floats, labels: NDArray[Any]) -> pd.Series:
    """Return the labels of the codes of each site that weigh most."""
    table: Any = has.tocoo()
    row, column = table.coords
    kept = np.round(weights[column], _DIGITS) > 0
    row, column = row[kept], column[kept]
    order = np.lexsort((column, -weights[column], row))
    row, column = row[order], column[order]
    return joined(row, np.arange(len(row)), labels[column], size=has.shape[0], most=_REASONS)


def _words(given: _Given, checked: _Checked | None) -> str:
    """Return in words whether the ranking can be believed."""
    count = int(given.seeds.sum())
    if checked is None:
        return (
            f"Whether the order can be believed is not known: the {count} seeds or the other sites are of one domain, "
            "so none could be held out."
        )
    own, random = (round(100 * float(value)) for value in (checked.auc[0], checked.auc[1:].mean()))
    often = f"a seed that was held out is ranked above another site in {own} of 100 cases, a random site in {random}"
    if checked.p >= _LEVEL:
        return f"The {count} seeds have nothing in common that tells them from other sites: {often}."
    place = min(count, len(given.sites))
    found = precision(checked.places[:, 0], checked.labels[:, 0], place) * place
    chance = count * place / len(given.sites)
    return (
        f"The {count} seeds have something in common: {often}. Of the first {place} places {found:.0f} are seeds that "
        f"were held out; {chance:.1f} would be by chance."
    )
