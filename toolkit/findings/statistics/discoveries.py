"""The control of false discoveries over tests of small tables, which can have few values of p each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from toolkit.findings.statistics.tables import SAME, changes, log_probability, paired_p
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Sides = Literal["two-sided", "greater", "less"]

__all__ = ["cut", "discoveries", "paired_discoveries", "step_down"]

_SIDES: Final = ("two-sided", "greater", "less")
_MARGINS: Final = 3
#: A p and the attainable one that it is are summed in different orders.
_ROUNDING: Final = 1e-6
#: Below it a test counts as one of all values of p, which none of its values can be more often than.
_TINY: Final = 1e-30
#: Outcomes beyond this many standard deviations, and so many sites, from the likeliest have a p below `_TINY`.
_FAR: Final = 16.5
_MORE: Final = 30
#: Nearest to 1 that the chance of a p is taken, for 1 would divide by 0.
_NEARLY: Final = 1 - 1e-9
_CELLS: Final = 1_000_000
#: Values of p that a cut is looked for among.
_VALUES: Final = 10_000


def discoveries(
    p: ArrayLike, margins: ArrayLike, *, alternative: Sides = "two-sided", exact: ArrayLike | None = None
) -> Floats:
    """Return p adjusted so that of all below a cut q at most the part q is false on average, for tests of small tables.

    Parameters
    ----------
    p : array of float
        Fisher's p of each table; nan for what was not tested, which does not count.
    margins : array of int
        Of each table the sites of the first group, of the second, and those of both that have it: shape (m, 3).
    alternative : {"two-sided", "greater", "less"}
        Which p these are: of a difference, or that the first group has more, or less.
    exact : array of bool, optional
        False where p is of a test that can have any value, such as the score test; by default all are Fisher's.

    Returns
    -------
    array of float
        The adjusted p, at most 1; nan where p is.

    Raises
    ------
    InputError
        If p is no probability, or the margins are not as described.

    Notes
    -----
    The step-down procedure "HSD" for discrete and heterogeneous tests (Döhler, Durand and Roquain 2018). Let F_i(t)
    be the chance of a p of at most t in test i without a difference, which is the largest p up to t that any table
    with these margins has; t itself for a test of any value. With p sorted, the k-th is adjusted to the largest, for
    j up to k, of Σ F_i(p_j) ÷ (1 - F_i(p_j)) ÷ j, summed over all tests. Tests that can show nothing add nothing, as
    if they were left out. It holds for independent tests.

    Examples
    --------
    >>> discoveries([0.0125, 0.0213, 0.1248], [[148, 132, 17], [148, 132, 10], [148, 132, 4]]).round(3).tolist()
    [0.02, 0.02, 0.116]
    """
    given, tables, continuous = _checked(p, margins, exact)
    if alternative not in _SIDES:
        raise InputError(f"The alternative {alternative!r} is not known. Use one of {', '.join(_SIDES)}.")
    tested = ~np.isnan(given)
    which, often = np.unique(tables[tested & ~continuous], axis=0, return_counts=True)
    supports = ((often[part], chance) for part, chance in _attainable(which, alternative))
    return step_down(given, supports, continuous=int((tested & continuous).sum()))


def paired_discoveries(p: ArrayLike, changed: ArrayLike) -> Floats:
    """Return p adjusted as by `discoveries`, for exact tests of changes in pairs (McNemar 1947).

    Parameters
    ----------
    p : array of float
        Of each test, as of `toolkit.findings.statistics.tables.paired_p`; nan for what was not tested.
    changed : array of int
        Of each test how many sites changed, one way or the other.

    Returns
    -------
    array of float
        The adjusted p, at most 1; nan where p is.

    Raises
    ------
    InputError
        If p is no probability, or a number of changes is no count.

    Examples
    --------
    >>> paired_discoveries([2 / 2**9, 1.0, 1.0], [9, 6, 6]).round(4).tolist()  # six changes have no p below 1/32
    [0.0039, 1.0, 1.0]
    """
    given, counts = _probabilities(p), changes(changed)
    if given.shape != counts.shape:
        raise InputError(
            f"p and its changes have the shapes {given.shape} and {counts.shape}. Pass one of each a test."
        )
    which, often = np.unique(counts[~np.isnan(given)], return_counts=True)
    # Fewer on one side than this are so rare that their p is below `_TINY`.
    first = np.maximum(np.floor((which - _FAR * np.sqrt(which)) / 2) - _MORE, 0)
    least = (np.arange(start, size // 2 + 1) for start, size in zip(first, which, strict=True))
    found = zip(often, which, least, strict=True)
    return step_down(given, ((np.array([times]), paired_p(size - few, few)[None, :]) for times, size, few in found))


def step_down(p: ArrayLike, supports: Iterable[tuple[NDArray[Any], Floats]], *, continuous: int = 0) -> Floats:
    """Return p adjusted by the procedure that `discoveries` tells of, given the values that each test can have.

    Parameters
    ----------
    p : array of float
        Of each test; nan for what was not tested.
    supports : iterable of (array of int, array of float)
        Each some kinds of tests: how many of the tests are of each kind, and for each a row of the values that p can
        have without a difference, rising, with nan where it has fewer; those below 1e-30 may be left out.
    continuous : int
        How many tests can have any p.

    Examples
    --------
    >>> step_down([0.01, 0.25], [(np.array([2]), np.array([[0.01, 0.25, 1.0]]))]).round(4).tolist()
    [0.0202, 0.3333]
    """
    given = _probabilities(p)
    adjusted = np.full(given.shape, np.nan)
    tested = ~np.isnan(given)
    order = np.flatnonzero(tested)[np.argsort(given[tested], kind="stable")]
    if not order.size:
        return adjusted
    ordered = given[order]
    sums = continuous * _odds(ordered) + _summed(ordered, supports)
    sums = np.where(ordered < _TINY, order.size * ordered, sums)
    found = np.maximum.accumulate(sums / np.arange(1, order.size + 1))
    adjusted[order] = np.minimum(found, 1.0)
    return adjusted


def cut(margins: ArrayLike, level: float, found: int = 0, *, continuous: int = 0) -> float:
    """Return the largest p that is a discovery in a family of tests with these margins, beside `found` smaller ones.

    It is what `discoveries` leaves below the level, up to a thousandth of it; 0 where there is no such p. So many more
    tests as `continuous` says can have any p.

    >>> round(cut([[148, 132, 17], [148, 132, 10], [148, 132, 4]], 0.05), 3)
    0.048
    """
    which, often = np.unique(np.asarray(margins, dtype=np.int64), axis=0, return_counts=True)
    values = np.geomspace(level / max(1, 2 * (often.sum() + continuous)), level * (1 + found), _VALUES)
    supports = ((often[part], chance) for part, chance in _attainable(which, "two-sided"))
    small = np.flatnonzero(continuous * _odds(values) + _summed(values, supports) <= level * (1 + found))
    return float(values[small[-1]]) if small.size else 0.0


def _checked(p: ArrayLike, margins: ArrayLike, exact: ArrayLike | None) -> tuple[Floats, Counts, NDArray[np.bool_]]:
    """Return p, the margins, and which tests can have any p."""
    try:
        given, tables = np.asarray(p, dtype=np.float64), np.asarray(margins, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("p or its margins are no numbers. Pass arrays of numbers.") from None
    if given.ndim != 1 or tables.shape != (given.size, _MARGINS):
        shapes = f"{given.shape} and {tables.shape}"
        raise InputError(f"p and its margins have the shapes {shapes}. Pass m numbers, and m rows of three.")
    whole = np.isfinite(tables).all() and (tables == np.floor(tables)).all() and (tables >= 0).all()
    if not whole or not (tables[:, 2] <= tables[:, 0] + tables[:, 1]).all():
        raise InputError("A margin is no count. Pass the sizes of two groups, and how many of both have it.")
    every = np.ones(given.shape, dtype=bool) if exact is None else np.asarray(exact, dtype=bool)
    if every.shape != given.shape:
        raise InputError(f"exact has the shape {every.shape}, and p {given.shape}. Pass one value a test.")
    return given, tables.astype(np.int64), ~every


def _probabilities(p: ArrayLike) -> Floats:
    try:
        given = np.asarray(p, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"p is no number or array of numbers: {p!r:.80}. Pass the results of tests.") from None
    known = given[~np.isnan(given)]
    if not ((known >= 0) & (known <= 1)).all():
        raise InputError("A p is not between 0 and 1. Pass the results of tests.")
    return given


def _odds(chance: Floats) -> Floats:
    held: Floats = np.minimum(chance, _NEARLY)
    return held / (1 - held)


def _summed(ordered: Floats, supports: Iterable[tuple[NDArray[Any], Floats]]) -> Floats:
    """Return at each p the sum of the odds of so small a p over the tests with these supports.

    The sum rises only at values that some test can have: by how much it does is collected, sorted and added up.
    """
    steps = [(np.empty(0), np.empty(0))]
    for often, chance in supports:
        row, column = np.nonzero(~np.isnan(chance))
        values = chance[row, column]
        rise = _odds(values)
        same = row[1:] == row[:-1]
        rise[1:] -= np.where(same, rise[:-1], 0.0)
        steps.append((values, rise * often[row]))
    where, rise = (np.concatenate(parts) for parts in zip(*steps, strict=True))
    order = np.argsort(where)
    total = np.append(0.0, np.cumsum(rise[order]))
    found: Floats = total[np.searchsorted(where[order], ordered * (1 + _ROUNDING), side="right")]
    return found


def _attainable(margins: Counts, alternative: Sides) -> Iterator[tuple[Any, Floats]]:
    """Yield numbers of margins, and for each of them the values that p can have, rising, between nan."""
    n1, n2, have = margins.T
    total = np.maximum(n1 + n2, 1)
    likeliest = (n1 + 1) * (have + 1) // (n1 + n2 + 2)
    spread = np.sqrt(n1 / total * (n2 / total) * have * (total - have) / np.maximum(total - 1, 1))
    reach = np.ceil(_FAR * spread).astype(np.int64) + _MORE
    first = np.maximum(np.maximum(have - n2, 0), likeliest - reach)
    last = np.minimum(np.minimum(have, n1), likeliest + reach)
    width = last - first + 1
    order, at = np.argsort(width), 0
    while at < order.size:
        # Rows of like width share a table, of which little is empty then.
        cells = width[order[at:]] * np.arange(1, order.size - at + 1)
        part = order[at : at + max(1, int(np.searchsorted(cells, _CELLS)))]
        at += part.size
        yield part, _chances((first[part, None], last[part, None]), margins[part], alternative)


def _chances(ends: tuple[Counts, Counts], margins: Counts, alternative: Sides) -> Floats:
    """Return the values that p can have where the first group has between so many and so many that have it."""
    first, last = ends
    n1, n2, have = (margins[:, [number]] for number in range(_MARGINS))
    x = first + np.arange(int((last - first).max()) + 1)
    if alternative == "greater":
        x = first + last - x
    inside = (first <= x) & (x <= last)
    terms = np.where(inside, log_probability(np.clip(x, first, last), n1, n2, have), -np.inf)
    counts = inside
    if alternative == "two-sided":
        terms = np.sort(terms, axis=1)
        # Tables that are equally probable count together.
        counts = np.isfinite(terms)
        with np.errstate(invalid="ignore"):
            counts[:, :-1] &= terms[:, 1:] - terms[:, :-1] > SAME
    return np.where(counts, np.minimum(np.cumsum(np.exp(terms), axis=1), 1.0), np.nan)
