"""Shares that a classifier misreads: what is true, by what somebody labelled by hand, and how sure that is.

Counts of labelled sites stand as the four cells of `CELLS`: whether it is true, and whether the classifier said so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from toolkit.findings.statistics.proportions import quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = [
    "CELLS",
    "DRAWS",
    "Estimate",
    "Explained",
    "central_counts",
    "corrected",
    "explaining_sensitivity",
    "explaining_specificity",
    "prediction_powered",
    "rates",
    "rogan_gladen",
]

#: Of labelled sites: said and true, true and not said, said and not true, neither.
CELLS: Final = ("said_true", "missed", "said_false", "neither")
#: Draws for an interval: its limits then change by a fiftieth of its width or less from one seed to another.
DRAWS: Final = 10_000
#: Jeffreys' prior of each cell: with it, intervals of proportions cover what they say on average.
_PRIOR: Final = 0.5
#: Which of the parts are in the group, in its baseline, and known at all.
_WITHIN: Final = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 1, 1]])
#: Sites of a count's distribution up to which it is computed, and not approximated.
_EXACT_UP_TO: Final = 500
_ROUNDING: Final = 1e-12


def rogan_gladen(share: ArrayLike, sensitivity: ArrayLike, specificity: ArrayLike) -> Floats:
    """Return the true share behind a share that a classifier reports (Rogan and Gladen 1978), from 0 to 1.

    It is missing where the classifier says yes no more often where it is true than where it is not.

    >>> reported = [0.054 * 0.8 + 0.946 * 0.02, 0.018 * 0.8 + 0.982 * 0.02]
    >>> round(reported[0] / reported[1], 2), rogan_gladen(reported, 0.8, 0.98).round(3).tolist()
    (1.82, [0.054, 0.018])
    """
    share, sensitivity, specificity = (
        np.asarray(value, dtype=np.float64) for value in (share, sensitivity, specificity)
    )
    gain = sensitivity + specificity - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(gain > 0, np.clip((share + specificity - 1) / gain, 0, 1), np.nan)
    return found


def rates(cells: ArrayLike) -> tuple[Floats, Floats]:
    """Return sensitivity and specificity of labelled sites; `cells` end in the four of `CELLS`; nan where none is.

    >>> [float(rate) for rate in rates([8, 2, 1, 39])]
    [0.8, 0.975]
    """
    said_true, missed, said_false, neither = np.moveaxis(np.asarray(cells, dtype=np.float64), -1, 0)
    return _divided(said_true, said_true + missed), _divided(neither, said_false + neither)


def prediction_powered(share: ArrayLike, cells: ArrayLike) -> Floats:
    """Return the true share by labels drawn at random, helped by what the classifier says of all sites.

    PPI++ (Angelopoulos, Duchi and Zrnic 2023) with the power that makes its variance least. Where both truth and
    answer are yes or no, this is the share of all sites that were said to be so × how often that is true, and the
    same of those that were not; where only one of the two was labelled, it is the labelled sites' share.

    >>> round(float(prediction_powered(0.2, [8, 2, 1, 39])), 4)
    0.2168
    """
    share, cells = np.asarray(share, dtype=np.float64), np.asarray(cells, dtype=np.float64)
    said_true, missed, said_false, neither = np.moveaxis(cells, -1, 0)
    said, unsaid = said_true + said_false, missed + neither
    both = share * _divided(said_true, said) + (1 - share) * _divided(missed, unsaid)
    return np.where((said > 0) & (unsaid > 0), both, _divided(said_true + missed, said + unsaid))


class Estimate(NamedTuple):
    """What is estimated, and the limits of its interval; nan where the labels do not tell it."""

    value: float
    low: float
    high: float


def corrected(
    labelled: ArrayLike,
    others: ArrayLike,
    level: float = 0.95,
    seed: int = 0,
    *,
    effects: tuple[float, float] = (1.0, 1.0),
) -> dict[str, Estimate]:
    """Return the corrected shares of a group, and their ratios to its baseline's, with intervals.

    Given are counts of four parts without a common site: only in the group, only in its baseline, in both, in
    neither. `labelled` has the cells of `CELLS` of each, `others` the sites that nobody labelled: said, not said.
    Sensitivity and specificity are of all labelled sites and taken to be the same in both; the prediction-powered
    share of a group is of its own labels.

    Intervals carry the error of the labels and that of the sites. The sites' numbers in all cells are drawn anew, as
    gammas with Jeffreys' prior, which is what shares may be by what was seen; each draw gives shares and ratios, and
    the limits are quantiles of these. So no limit leaves what is possible, the labelled sites count as what they are,
    a part of all sites, and few labels make wide intervals.

    Where sites belong together, `effects` are the design effects of the labelled and of the other sites: they count as
    so many times fewer in the draws (Rao & Scott 1992).

    >>> nobody = [0, 0, 0, 0]
    >>> found = corrected([nobody, nobody, [8, 2, 1, 39], nobody], [[0, 0], [0, 0], [191, 759], [0, 0]])
    >>> [round(number, 2) for number in found["prediction_powered"]]
    [0.22, 0.15, 0.3]
    """
    quantile(level)  # refuses what is no level
    cells, rest = np.asarray(labelled, dtype=np.float64), np.asarray(others, dtype=np.float64)
    rng = np.random.default_rng(seed)
    drawn, drawn_rest = (
        effect * (_WITHIN @ rng.gamma(np.broadcast_to(one / effect, (DRAWS, *one.shape))))
        for one, effect in zip((cells, rest), effects, strict=True)
    )
    drawn_said = drawn[..., :2] + drawn[..., 2:] + drawn_rest
    draws = _estimates(
        drawn + effects[0] * rng.gamma(_PRIOR, size=drawn.shape),
        drawn_said + effects[0] * rng.gamma(_PRIOR, size=drawn_said.shape),
    )
    values = _estimates(_WITHIN @ cells, _WITHIN @ (cells[:, :2] + cells[:, 2:] + rest))
    of_ratio = _possible(cells.sum(axis=1) + rest.sum(axis=1))
    possible = {name: of_ratio if name.endswith("_ratio") else (0.0, 1.0) for name in values}
    limits = {name: _limits(np.clip(one, *possible[name]), level, possible[name]) for name, one in draws.items()}
    values = {name: np.clip(value, *possible[name]) for name, value in values.items()}
    # An estimate at the end of what is possible lies beyond all draws.
    ends = {name: (np.fmin(limits[name][0], value), np.fmax(limits[name][1], value)) for name, value in values.items()}
    return {name: Estimate(*map(float, (value, *ends[name]))) for name, value in values.items()}


def _estimates(known: Floats, said: Floats) -> dict[str, Floats]:
    """Return what is estimated of the labelled cells, and the sites said and not said, of group, baseline and all."""
    known, said = np.moveaxis(known, -2, 0), np.moveaxis(said, -2, 0)
    share = _divided(said[..., 0], said.sum(axis=-1))
    sensitivity, specificity = rates(known[2])
    shares = {
        "rogan_gladen": rogan_gladen(share[:2], sensitivity, specificity),
        "prediction_powered": prediction_powered(share[:2], known[:2]),
    }
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = {f"{name}_ratio": np.divide(*both) for name, both in shares.items()}
    first = {name: both[0] for name, both in shares.items()}
    return {"sensitivity": sensitivity, "specificity": specificity} | first | ratios


def _possible(sizes: Floats) -> tuple[float, float]:
    """Return between which limits the ratio of a group's share to its baseline's lies, if they have so many sites."""
    only_group, only_baseline, both, _ = sizes
    least = both / (only_group + both) if not only_baseline and both else 0.0
    return float(least), float((only_baseline + both) / both if not only_group and both else np.inf)


def _limits(draws: Floats, level: float, possible: tuple[float, float]) -> tuple[float, float]:
    """Return quantiles; a draw that tells nothing allows anything that is possible, and so counts at either end."""
    unknown = np.isnan(draws)
    draws = np.where(unknown, np.where(np.cumsum(unknown) % 2, *possible), draws)
    # Between infinite draws there is nothing to interpolate.
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    return float(low), float(high)


class Explained(NamedTuple):
    """A rate of the group and of its baseline with which a difference of reported shares is none of true ones."""

    group: Floats
    baseline: Floats


def explaining_sensitivity(share: ArrayLike, baseline: ArrayLike, least: float) -> Explained:
    """Return the nearest sensitivities, none below `least`, that make such shares of equal true ones; nan if none do.

    Specificity is 1: with a lower one, they would have to lie further apart.

    >>> [round(float(rate), 3) for rate in explaining_sensitivity(0.3, 0.2, 0.5)]
    [0.75, 0.5]
    """
    share, baseline = np.asarray(share, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    lower, upper = np.minimum(share, baseline), np.maximum(share, baseline)
    low = np.maximum(lower, least)
    high = low * _divided(upper, lower)
    return _explained(share > baseline, low, np.where(high <= 1, high, np.nan))


def explaining_specificity(share: ArrayLike, baseline: ArrayLike, least: float) -> Explained:
    """Return the nearest specificities, none below `least`, that make such shares of equal true ones; nan if none do.

    Sensitivity is 1: with a lower one, they would have to lie further apart.

    >>> [round(float(rate), 3) for rate in explaining_specificity(0.12, 0.08, 0.9)]
    [0.9, 0.941]
    """
    share, baseline = np.asarray(share, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    lower, upper = np.minimum(share, baseline), np.maximum(share, baseline)
    true = np.maximum(_divided(upper - (1 - least), np.full_like(upper, least)), 0)
    possible = true <= lower
    high, low = (np.where(possible, 1 - _divided(one - true, 1 - true), np.nan) for one in (lower, upper))
    return _explained(share < baseline, low, high)


def _explained(group_is_higher: NDArray[np.bool_], low: Floats, high: Floats) -> Explained:
    low = np.where(np.isnan(high), np.nan, low)
    return Explained(np.where(group_is_higher, high, low), np.where(group_is_higher, low, high))


def central_counts(chances: ArrayLike, level: float = 0.95) -> tuple[int, int]:
    """Return between which counts the number of those that happen lies, of independent ones with these chances.

    At most half of what is left out lies to each side. The count has the Poisson-binomial distribution; of more than
    500 its quantiles are those of the normal one, corrected for skewness (Cornish and Fisher 1938).

    >>> central_counts([0.9] * 10)
    (7, 10)
    """
    chances = np.asarray(chances, dtype=np.float64)
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    z = quantile(level) * np.array([-1, 1])
    if len(chances) <= _EXACT_UP_TO:
        of_count = np.ones(1)
        for chance in chances:
            of_count = np.append(of_count * (1 - chance), 0.0) + np.append(0.0, of_count * chance)
        low, high = np.searchsorted(np.cumsum(of_count), tails - _ROUNDING)
        return int(low), min(int(high), len(chances))
    spread = chances * (1 - chances)
    variance = spread.sum()
    skew = 0.0 if variance == 0 else float((spread * (1 - 2 * chances)).sum() / variance**1.5)
    ends = chances.sum() + np.sqrt(variance) * (z + skew * (z * z - 1) / 6) - 0.5
    low, high = np.clip(np.ceil(ends - _ROUNDING), 0, len(chances))
    return int(low), int(high)


def _divided(part: Floats | np.float64, whole: Floats | np.float64) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(whole > 0, np.divide(part, whole), np.nan)
    return found
