"""Ratios of two shares drawn together: what many like comparisons say of how far a single one can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy import special

from toolkit.findings.statistics.proportions import different, likeliest_shares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.intp]

__all__ = ["Measured", "shrunken_ratios"]

#: Standard deviations of the logarithms of true ratios that a family is a mixture of; 0 is no difference at all.
_SPREADS: Final = (0.0, 0.06, 0.12, 0.25, 0.5, 0.8, 1.2, 1.8, 2.7)
#: All families together are taken for so many rows more of each spread: few rows are no proof that all are alike.
_EACH: Final = 1.0
#: Each family is taken for so many rows more that are like those of all families.
_LIKE_ALL: Final = 10.0
#: Where densities are looked at: around 0, twice there for what stands at 0 itself, and around what was measured.
_AROUND_0: Final = np.append(np.sinh(np.linspace(-5.9, 5.9, 61)) / 20, 0.0)
_AROUND: Final = np.linspace(-7, 7, 43)
#: How many sites the usual share of a code counts as, at least and at most.
_WIDEST: Final = 1.0
_NARROWEST: Final = 200.0
_TINY: Final = 1e-6
#: The curvature of a likelihood has no end where all have it.
_NEARLY: Final = 0.98
_ROUNDS: Final = 200
_CLOSE: Final = 1e-4
_ROWS: Final = 10_000


class Measured(NamedTuple):
    """What was measured in each row: how many have it of the first group and of the second.

    Where `error` is not 0, the ratio's logarithm and its standard error stand for the counts.
    """

    k1: Floats
    n1: Floats
    k2: Floats
    n2: Floats
    log_ratio: Floats
    error: Floats


def shrunken_ratios(measured: Measured, family: Integers, level: float = 0.95) -> tuple[Floats, Floats, Floats]:
    """Return of each row the ratio that is to be believed, and its limits: the posterior's median and quantiles.

    The greatest of many measured ratios are so by luck too. How true ratios are spread in a family is read off all of
    its rows (empirical Bayes): their logarithms are a mixture of normal distributions around 0, with weights by
    maximum likelihood (Stephens 2017), and a family of few rows is taken as like the others. The likelihood of a ratio
    is that of two binomial counts, integrated over the second share, which has a beta distribution over the rows.

    Some of the first has to have it, or some of the second; families are numbered from 0, without gaps.

    >>> same, far = [2.0] * 30, [20.0]
    >>> n = np.full(31, 20.0)
    >>> counts = Measured(np.array(same + far), n, np.full(31, 2.0), n, 0 * n, 0 * n)
    >>> ratio, low, high = shrunken_ratios(counts, np.zeros(31, dtype=np.intp))
    >>> float(ratio[0]), bool(1 < low[30] < ratio[30] < 10)
    (1.0, True)
    """
    rows, back = different(*(np.asarray(values, dtype=np.float64) for values in (*measured, family)))
    kinds = rows[-1].astype(np.intp)
    often = np.bincount(back, minlength=kinds.size)
    usual = _usual(rows, often)
    evidence = np.empty((kinds.size, len(_SPREADS)))
    for part, (grid, likely) in _parts(rows, usual):
        evidence[part] = np.stack([_over(grid, likely, spread).sum(axis=1) for spread in _SPREADS], axis=1)
    weights = _weights(evidence, kinds, often)
    found = np.empty((3, kinds.size))
    for part, (grid, likely) in _parts(rows, usual):
        mass = sum(
            weights[kinds[part], [number]][:, None] * _over(grid, likely, spread)
            for number, spread in enumerate(_SPREADS)
        )
        found[:, part] = [_quantile(grid, mass, at) for at in (0.5, (1 - level) / 2, (1 + level) / 2)]
    middle, low, high = np.exp(found)[:, back]
    return middle, low, high


def _usual(rows: Floats, often: Integers) -> tuple[float, float]:
    """Return the beta distribution that shares of both groups together have over the rows, by its moments."""
    k1, n1, k2, n2, _, error = rows[:-1]
    often = np.where(error > 0, 0, often)
    total = n1 + n2
    if not often.any():
        return 0.5, 0.5
    share = (k1 + k2) / np.maximum(total, 1)
    mean = np.average(share, weights=often)
    chance = np.average(share * (1 - share) / np.maximum(total, 1), weights=often)
    most = mean * (1 - mean)
    spread = np.clip(np.average((share - mean) ** 2, weights=often) - chance, most / _NARROWEST, most / _WIDEST)
    size = most / spread if most else 1.0
    return mean * size + _TINY, (1 - mean) * size + _TINY


def _parts(rows: Floats, usual: tuple[float, float]) -> Iterator[tuple[slice, tuple[Floats, Floats]]]:
    """Yield parts of the rows, each with logarithms of ratios, rising, and how likely they make what was measured."""
    for start in range(0, rows.shape[1], _ROWS):
        part = slice(start, start + _ROWS)
        k1, n1, k2, n2, middle, error = (values[:, None] for values in rows[:-1, part])
        share1, share2 = (k1 + 0.5) / (n1 + 1), (k2 + 0.5) / (n2 + 1)
        known = error > 0
        scale = np.sqrt((1 - share1) / (share1 * (n1 + 1)) + (1 - share2) / (share2 * (n2 + 1)))
        around = np.where(known, middle, np.log(share1 / share2)) + _AROUND * np.where(known, error, scale)
        grid = np.sort(np.concatenate([np.broadcast_to(_AROUND_0, (len(k1), _AROUND_0.size)), around], axis=1), axis=1)
        # The second group's share is unknown too, and about as usual: it is integrated over by Laplace's method.
        have2, size2 = k2 + usual[0], n2 + sum(usual)
        share1, share2 = likeliest_shares(np.exp(grid), k1, n1, have2, size2)
        log = special.xlogy(k1, share1) + special.xlog1py(n1 - k1, -share1)
        log += special.xlogy(have2, share2) + special.xlog1py(size2 - have2, -share2)
        log -= np.log(size2 * _odds(share2) + n1 * _odds(share1)) / 2
        log = np.where(known, -(((grid - middle) / np.where(known, error, 1)) ** 2) / 2, log)
        yield part, (grid, np.exp(log - log.max(axis=1, keepdims=True)))


def _odds(share: Floats) -> Floats:
    held: Floats = np.minimum(share, _NEARLY)
    return held / (1 - held)


def _over(grid: Floats, likely: Floats, spread: float) -> Floats:
    """Return what lies between each two points, of the likelihood times a prior of this spread."""
    if not spread:
        # Two points stand at 0: between the first and the next lies what is exactly there.
        found = np.zeros((len(grid), grid.shape[1] - 1))
        place = (grid < 0).sum(axis=1)
        every = np.arange(len(grid))
        found[every, place] = likely[every, place]
        return found
    density = likely * np.exp(-((grid / spread) ** 2) / 2) / (spread * np.sqrt(2 * np.pi))
    between: Floats = (density[:, 1:] + density[:, :-1]) / 2 * np.diff(grid, axis=1)
    return between


def _weights(evidence: Floats, family: Integers, often: Integers) -> Floats:
    """Return the weights of the spreads in each family: the likeliest, by expectation and maximisation."""
    together = _fitted(evidence, np.zeros_like(family), often, np.full(len(_SPREADS), _EACH))
    return _fitted(evidence, family, often, _LIKE_ALL * together[0])


def _fitted(evidence: Floats, family: Integers, often: Integers, supposed: Floats) -> Floats:
    count = int(family.max(initial=0)) + 1
    order = np.argsort(family, kind="stable")
    family, evidence, often = family[order], evidence[order], often[order, None]
    starts = np.flatnonzero(np.diff(family, prepend=-1))
    weights = np.full((count, len(_SPREADS)), 1 / len(_SPREADS))
    for _ in range(_ROUNDS):
        part = weights[family] * evidence
        part *= often / part.sum(axis=1, keepdims=True)
        new = np.add.reduceat(part, starts, axis=0) + supposed if starts.size else weights
        new /= new.sum(axis=1, keepdims=True)
        moved, weights = np.abs(new - weights).max(initial=0), new
        if moved < _CLOSE:
            break
    return weights


def _quantile(grid: Floats, mass: Any, at: float) -> Floats:
    """Return where so great a part of each row's mass lies below."""
    up_to = np.cumsum(mass, axis=1)
    wanted = at * up_to[:, [-1]]
    place = np.minimum((up_to < wanted).sum(axis=1), mass.shape[1] - 1)
    every = np.arange(len(grid))
    here = mass[every, place]
    part = np.clip((wanted[:, 0] - up_to[every, place] + here) / np.where(here > 0, here, 1), 0, 1)
    found: Floats = grid[every, place] + part * (grid[every, place + 1] - grid[every, place])
    return found
