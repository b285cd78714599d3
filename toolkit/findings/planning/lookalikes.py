"""Sites that are like some seeds, ranked: which codes speak for each, and whether the ranking can be believed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.codes import is_of_codes, ranks
from toolkit.findings.counting import joined, ratio
from toolkit.findings.given.clustering import domain_numbers
from toolkit.findings.incidence import incidence
from toolkit.findings.statistics.likeness import Places, auc_interval, code_weights, ranks_among
from toolkit.frames.about import normal_of
from toolkit.frames.numbering import placed_among
from toolkit.interface.checks import check_whole
from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
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
#: Domains that random seeds are first looked for among, for each that is wanted.
_AHEAD: Final = 20
_LEVEL: Final = 0.05
_TOLD: Final = ("precision", "lift", "precision_random", "lift_random")
_TOP: Final = 10
#: Scores of sites that are held at a time.
_CELLS: Final = 2_000_000
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
        (float64: the weights of its codes added up, in log odds, 0 where nothing speaks for or against it; of a field
        that is not known of it what the field adds to other sites on average), ``because`` and ``against`` (str, the
        labels of the three codes that add most and take most, missing without any). `lookalike_codes` has the weight of
        each code.

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

    Of a field that each site has a value of, such as income or age, an answer without one says that nobody knows it
    (see `toolkit.findings.shares`): its codes are weighed by the sites of which it is known, and speak neither for nor
    against others. So sites are not alike because the service tells much of them, or little.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example", "c.example", "d.example"], "dimension": "persona"}
    >>> codes = pd.DataFrame(rows | {"code": ["Cook", "Cook", "Cook", "Diver"]})
    >>> lookalikes(codes, ["a.example", "b.example"])[["rank", "site", "because"]].values.tolist()
    [[1, 'c.example', 'Cook'], [2, 'd.example', nan]]
    """
    most = None if most is None else check_whole(most, "most", 1)
    given = _given(frame, seeds, dimensions, taxonomy, sites)
    weights = given.weights()
    scores = np.round(given.has @ weights, _DIGITS)
    # That something is not known is no reason.
    own, weights = given.has[:, : len(given.codes)], weights[: len(given.codes)]
    others = np.flatnonzero(~given.seeds)
    order = others[np.argsort(-scores[others], kind="stable")][:most]
    labels = given.codes["label"].where(given.codes["label"].notna(), given.codes["code"]).to_numpy(dtype=object)
    result = pd.DataFrame(
        {
            "rank": np.arange(1, len(order) + 1, dtype=np.int64),
            "site": pd.Series(given.sites[order], dtype="str"),
            "score": scores[order],
            "because": _reasons(own[order], weights, labels),
            "against": _reasons(own[order], -weights, labels),
        }
    )
    checked = _checked(given, seed, [], 1)
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
        ``label`` (str), ``seeds_n``, ``others_n`` (int64, sites of which it is known: see the notes of `lookalikes`),
        ``seeds_with``, ``others_with`` (int64), ``seeds_share``, ``others_share`` (float64) and ``weight`` (float64,
        what having it adds to a site's score).

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
    sides = [(given.has.T @ who).astype(np.int64) for who in (given.seeds, ~given.seeds)]
    counts = [side[: len(given.codes)] for side in sides]
    sizes = [who.sum() - given.lacking(side) for who, side in zip((given.seeds, ~given.seeds), sides, strict=True)]
    result = given.codes[["dimension", "code", "label"]].assign(
        seeds_n=sizes[0],
        others_n=sizes[1],
        seeds_with=counts[0],
        others_with=counts[1],
        seeds_share=ratio(counts[0], sizes[0]),
        others_share=ratio(counts[1], sizes[1]),
        weight=given.weights()[: len(given.codes)],
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
    checked = _checked(given, seed, places, _RANDOM + 1)
    result = pd.DataFrame({"k": np.array(places if checked is not None else [], dtype=np.int64)})
    if checked is None:
        names = (*_TOLD, "auc", "auc_low", "auc_high", "auc_random", "auc_random_high", "p")
        result = result.assign(**dict.fromkeys(names, pd.Series(dtype="float64")))
    else:
        found = np.stack([checked.precision[place] for place in places], axis=1)
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
    """The sites, what they have, which are seeds, and the number of each one's domain.

    Attributes
    ----------
    has : csr_array
        Sites × codes: 1 where a site has a code; then sites × kinds of codes: 1 where these are not known of a site.
    kinds : csr_array
        Codes × kinds: 1 where a code is of a kind; the codes of one are known of the same sites.
    """

    sites: pd.Index
    codes: pd.DataFrame
    has: sparse.csr_array
    kinds: sparse.csr_array
    seeds: Bools
    domains: Integers
    about: dict[str, Any]

    def weights(self) -> Floats:
        """Return the weights of the columns of `has`: see `weighed`."""
        sides = [self.once(who) for who in (self.seeds, ~self.seeds)]
        (have1, n1), (have2, n2) = ((self.has.T @ side, side.sum()) for side in sides)
        return self.weighed(have1, n1, have2, n2)

    def weighed(self, have1: Floats, n1: Any, have2: Floats, n2: Any) -> Floats:
        """Return the weight of each code, and of each kind that is not known what it adds on average where it is.

        Given is how much of `n1` seeds and of `n2` others is in each column of `has`.
        """
        known1, known2 = n1 - self.lacking(have1), n2 - self.lacking(have2)
        have1, have2 = (have[..., : len(self.codes)] for have in (have1, have2))
        weights = code_weights(have1, known1, have2, known2)
        every = known1 + known2
        share = np.divide(have1 + have2, every, out=np.zeros_like(weights), where=every > 0)
        return np.concatenate([weights, (weights * share) @ self.kinds], axis=-1)

    def lacking(self, have: Any) -> Any:
        """Return of each code of how many sites it is not known, given how many are in each column of `has`."""
        return have[..., len(self.codes) :][..., self.kinds.indices]

    def once(self, side: Bools) -> Floats:
        """Return what each page counts, for all pages of its domain on this side to count 1 together."""
        pages = np.bincount(self.domains, weights=side)
        found: Floats = side / np.maximum(pages, 1)[self.domains]
        return found


class _Checked(NamedTuple):
    """What cross-validation found: of the seeds in the first column, of random ones in the others.

    Attributes
    ----------
    precision : dict of int to array of float
        Of numbers of first places which part of them are seeds, of all that were held out.
    auc : array of float
        How often a seed stands above another site.
    domains : tuple of int
        How many domains the seeds and the others have.
    """

    precision: dict[int, Floats]
    auc: Floats
    domains: tuple[int, int]

    @property
    def p(self) -> float:
        """How often random seeds do as well."""
        return float(np.mean(self.auc >= self.auc[0] - 10.0**-_DIGITS))


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
    tables, numbers = [], []
    unknown: list[Bools] = []
    for part in parts:
        rows = placed_among(names, part.sites)
        number = np.zeros(len(part.codes), dtype=np.int64)
        for columns, known in part.parts():
            number[columns] = len(unknown)
            unknown.append(~known[rows])
        tables.append(part.has if len(parts) == 1 else part.has[rows])
        numbers.append(number)
    kind = np.concatenate(numbers)
    lacking = np.reshape(unknown, (len(unknown), len(names))).T
    has = sparse.csr_array(sparse.hstack([*tables, sparse.csr_array(lacking)], dtype=np.float64))
    shape = (len(kind), len(unknown))
    of_kinds = sparse.csr_array((np.ones(len(kind)), kind, np.arange(len(kind) + 1)), shape=shape)
    codes = pd.concat([part.codes for part in parts], ignore_index=True)
    wanted = [seeds] if isinstance(seeds, str) else seeds
    inside, lost = parts[0].among(wanted)
    chosen = placed_among(names, parts[0].sites[inside]) >= 0
    lost += int(inside.sum()) - int(chosen.sum())
    if not chosen.any():
        near = _near(wanted, names)
        raise InputError(f"None of the seeds is an answered site of the frame.{near} Pass sites of the frame.")
    if chosen.all():
        raise InputError("All sites are seeds, so there is nobody to rank. Pass fewer seeds, or a frame of more sites.")
    about = parts[0].about | {"sites": len(names), "seeds": int(chosen.sum()), "unmatched": lost}
    return _Given(names, codes, has, of_kinds, chosen, domain_numbers(names), about)


def _near(seeds: Any, names: pd.Index) -> str:
    first = next(iter(seeds), None) if not isinstance(seeds, pd.DataFrame) else None
    near = nearest_to(normal_of(first) or first, names) if isinstance(first, str) else ()
    return f" Nearest to {first!r:.80}: {', '.join(near)}." if near else ""


def _checked(given: _Given, seed: int, places: list[int], told: int) -> _Checked | None:
    """Hold out whole domains in turn and rank them by the weights of the rest; None where that cannot be done.

    Of so many choices of seeds, the given ones first, the precision is told, of these numbers of first places.
    """
    rng = np.random.default_rng(check_whole(seed, "seed", 0))
    sides = [np.count_nonzero(np.bincount(given.domains, weights=who)) for who in (given.seeds, ~given.seeds)]
    if min(sides) < 2:  # noqa: PLR2004 - one to hold out, and one to learn from
        return None
    # Dealt out without a look at the seeds, as for the random ones that these are held against.
    number = int(given.domains.max()) + 1
    fold = rng.permutation(number) % min(_FOLDS, max(2, number // _HELD))
    wanted = sorted({*places, int(given.seeds.sum())})
    precision, auc = _ranked(given, fold[given.domains], _choices(given, rng), wanted, told)
    return _Checked(dict(zip(wanted, precision.T, strict=True)), auc, (int(sides[0]), int(sides[1])))


def _choices(given: _Given, rng: np.random.Generator) -> list[Integers]:
    """Return the seeds, and then random ones that are as many of as many domains."""
    order = np.argsort(given.domains, kind="stable")
    ends = np.cumsum(np.bincount(given.domains))
    sizes = np.diff(ends, prepend=0)
    wanted = np.sort(np.bincount(given.domains[given.seeds]))[::-1]
    wanted = wanted[wanted > 0]
    random = [_random(wanted, order, ends, sizes, rng=rng) for _ in range(_RANDOM)]
    return [np.flatnonzero(given.seeds), *random]


def _random(
    wanted: Integers, order: Integers, ends: Integers, sizes: Integers, *, rng: np.random.Generator
) -> Integers:
    """Return random seeds: of each of as many domains as many pages as the seeds have."""
    free = rng.permutation(len(sizes))
    # Mostly the first domains drawn are large enough, and the others need not be looked at.
    places = _fitting(wanted, sizes[free[: _AHEAD * len(wanted)]])
    places = _fitting(wanted, sizes[free]) if len(places) < len(wanted) else places
    chosen = []
    for pages, domain in zip(wanted, free[places], strict=True):
        own = order[ends[domain] - sizes[domain] : ends[domain]]
        chosen.append(rng.choice(own, pages, replace=False))
    return np.concatenate(chosen)


def _fitting(wanted: Integers, sizes: Integers) -> Integers:
    """Return for each wanted number of pages, the largest first, the first domain left that has as many.

    They are fewer where there is none.
    """
    left = sizes.copy()
    found = []
    for pages, often in zip(*(values[::-1] for values in np.unique(wanted, return_counts=True)), strict=True):
        found.append(np.flatnonzero(left >= pages)[:often])
        left[found[-1]] = 0
    return np.concatenate(found)


def _ranked(
    given: _Given, part: Integers, choices: list[Integers], wanted: list[int], told: int
) -> tuple[Floats, Floats]:
    """Return of each choice of seeds which part of the first places are seeds, and how often they stand above others.

    Seeds are few, so that the others need no ranks: how many of them stand above a seed is enough.
    """
    above, pairs = np.zeros(len(choices)), np.zeros(len(choices))
    firsts: list[list[Places]] = [[] for _ in choices[:told]]
    for number in range(int(part.max()) + 1):
        held = np.flatnonzero(part == number)
        has, size, learned = given.has[held], len(held), _Learned.of(given, part != number)
        step = max(1, _CELLS // size)
        for start in range(0, len(choices), step):
            some = choices[start : start + step]
            weights = learned.weights([seeds[part[seeds] != number] for seeds in some])
            scores = has @ weights
            scores = np.ascontiguousarray(np.round(scores, _DIGITS, out=scores).T)
            for choice, column, seeds in zip(range(start, start + len(some)), scores, some, strict=True):
                mine = np.searchsorted(held, seeds[part[seeds] == number])
                rank = ranks_among(column, column[mine])
                # Of the sum of their ranks, the seeds' places among themselves say nothing.
                above[choice] += rank.sum() - mine.size * (mine.size + 1) / 2
                pairs[choice] += mine.size * (size - mine.size)
                if choice < told:
                    firsts[choice].append(Places.of(column, rank, wanted[-1]))
    found = np.array([[Places.joined(parts).precision(k) for k in wanted] for parts in firsts])
    return found, np.divide(above, pairs, out=np.full(len(pairs), 0.5), where=pairs > 0)


class _Learned(NamedTuple):
    """The sites that weights are learned from: of all pages by domain, what they would say if none was a seed."""

    given: _Given
    order: Integers
    ends: Integers
    have: Floats
    domains: int

    @classmethod
    def of(cls, given: _Given, inside: Bools) -> _Learned:
        """Return them, given which sites they are: of a domain all or none."""
        ends = np.cumsum(np.bincount(given.domains))
        number = int(np.count_nonzero(np.bincount(given.domains, weights=inside)))
        return cls(given, np.argsort(given.domains, kind="stable"), ends, given.has.T @ given.once(inside), number)

    def weights(self, choices: list[Integers]) -> Floats:
        """Return the weights for several choices of seeds, a column each: as of `_Given.weights`."""
        of, total = self.given.domains, len(self.ends)
        column, seed = np.repeat(np.arange(len(choices)), [len(seeds) for seeds in choices]), np.concatenate(choices)
        found, place, seeds = np.unique(column * total + of[seed], return_inverse=True, return_counts=True)
        choice, domain = np.divmod(found, total)
        pages = np.diff(self.ends, prepend=0)[domain]
        have1 = self._sums(len(choices), column, seed, 1 / seeds[place])
        # The other pages of a domain with seeds count as much together as all its pages did.
        at = np.repeat(np.arange(len(found)), pages)
        page = self.order[np.arange(len(at)) + np.repeat(self.ends[domain] - np.cumsum(pages), pages)]
        size = len(of)
        is_seed = np.isin(choice[at] * size + page, column * size + seed)
        others = np.where(is_seed, 0.0, 1 / np.maximum(pages - seeds, 1)[at]) - 1 / pages[at]
        have2 = self.have + self._sums(len(choices), choice[at], page, others)
        n1 = np.bincount(choice, minlength=len(choices))
        n2 = self.domains - np.bincount(choice[pages == seeds], minlength=len(choices))
        return np.ascontiguousarray(self.given.weighed(have1, n1[:, None], have2, n2[:, None]).T)

    def _sums(self, choices: int, choice: Integers, page: Integers, counts: Floats) -> Floats:
        table = sparse.csr_array((counts, (choice, page)), shape=(choices, len(self.given.domains)))
        found: Floats = (table @ self.given.has).toarray()
        return found


def _reasons(has: sparse.csr_array, weights: Floats, labels: NDArray[Any]) -> pd.Series:
    """Return the labels of the codes of each site that weigh most."""
    table: Any = has.tocoo()
    row, column = table.coords
    order = np.argsort(-weights, kind="stable")
    kept = np.round(weights[column], _DIGITS) > 0
    return joined(row[kept], ranks(order)[column[kept]], labels[order], size=has.shape[0], most=_REASONS)


def _words(given: _Given, checked: _Checked | None) -> str:
    """Return in words whether the ranking can be believed."""
    count = int(given.seeds.sum())
    if checked is None:
        those = f"the {count} seeds" if len(np.unique(given.domains[given.seeds])) == 1 else "the other sites"
        why = "there is one seed" if count == 1 else f"{those} are of one domain"
        return f"Whether the order can be believed is not known: {why}, so none could be held out."
    own, random = (round(100 * float(value)) for value in (checked.auc[0], checked.auc[1:].mean()))
    often = f"a seed that was held out is ranked above another site in {own} of 100 cases, a random site in {random}"
    if checked.p >= _LEVEL:
        # So few seeds may have something in common that is not shown.
        return f"That the {count} seeds have anything in common that tells them from other sites is not shown: {often}."
    place = count
    found = checked.precision[place][0] * place
    chance = count * place / len(given.sites)
    held = "1 is a seed that was" if round(found) == 1 else f"{found:.0f} are seeds that were"
    return (
        f"The {count} seeds have something in common: {often}. Of the first {place} places {held} held out; "
        f"{chance:.1f} would be by chance."
    )
