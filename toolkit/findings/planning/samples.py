"""How many sites it takes to show a difference, and the smallest one that a comparison could have shown."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.compare import COUNTED, REST
from toolkit.findings.incidence import EVERYBODY
from toolkit.findings.statistics.clusters import effective_counts
from toolkit.findings.statistics.discoveries import cut
from toolkit.findings.statistics.margins import Margins
from toolkit.findings.statistics.power import chance_to_find, share_to_find, sites_to_find
from toolkit.interface.checks import check_columns, check_number, check_one_of, check_whole
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Bools = NDArray[np.bool_]

__all__ = ["sites_needed", "smallest_index"]

_POWER: Final = 0.8
_LEVEL: Final = 0.05
_MOST: Final = 1_000_000
_SAME: Final = 100.0
#: Of two groups that are each the other's rest, both say one thing.
_HALVES: Final = 2
_COMPARED: Final = ("group", "dimension", "code", "label", "baseline", "design_effect", "least_p", "p", "p_adjusted")


def sites_needed(
    base_share: float | Iterable[float],
    index: float | Iterable[float],
    groups: int = 2,
    family: int | pd.DataFrame = 1,
    *,
    baseline: str | None = None,
    design_effect: float | None = None,
    power: float = _POWER,
    level: float = _LEVEL,
    most: int = _MOST,
) -> pd.DataFrame:
    """Return how many sites a group needs so that `toolkit.findings.compare` shows a difference that is there.

    Parameters
    ----------
    base_share : float or iterable of float
        The code's share in the baseline, above 0 and below 1.
    index : float or iterable of float
        The group's share as a percentage of it: 140 for two fifths more, 50 for half as many.
    groups : int
        How many groups of equal size there are, from 2. Each is tested against all others together.
    family : int or DataFrame
        How many rows the comparison tests at once, which is codes × groups: the more, the more it takes. Or a frame of
        shares, as `toolkit.findings.shares` gives it of such sites: rare codes take less of the family, and fewer sites
        are enough.
    baseline : {None, "rest"}
        What `base_share` and `index` are of, as in `compare`: None is all sites together, ``"rest"`` the other groups.
    design_effect : float, optional
        How many times as many sites it takes because they belong together, as pages of a domain do: 1 if none do. By
        default ``n`` ÷ ``n_effective`` over the rows of a frame of shares as family, so of a list that is like it, and
        1 without one.
    power : float
        How often the difference is to be shown, above `level` and below 1.
    level : float
        At which false discoveries are held.
    most : int
        With more sites a group than this it counts as out of reach.

    Returns
    -------
    DataFrame
        One row a base share and index: ``base_share``, ``index`` (float64), ``group_share``, ``rest_share`` (float64,
        the two true shares that are told apart), ``groups``, ``family`` (int64), ``sites`` (Int64, a group; missing
        where more than `most` are needed), ``all_sites`` (Int64, of all groups) and ``power`` (float64, with so many
        sites; missing as they are).

        ``attrs["about"]`` has ``baseline``, ``design_effect``, ``power`` and ``level``.

    Raises
    ------
    InputError
        If an argument is not as described, the index is 100, or a share would not be between 0 and 1: the message
        names the largest index that the base share allows.

    Notes
    -----
    The power is exact: the sum over all outcomes in which the test of `compare` has a p up to a threshold, and in the
    direction asked about. From ``sites`` on it stays as large, although an exact test's power falls now and then as
    sites are added. Sites count as drawn from many; pages of one domain count for less, by the design effect, which is
    taken to stay as it is: of more pages of the same domains, and not of more domains, it takes more still, and no
    number may do. They are sites of which the thing is known (see `toolkit.findings.shares`): of a field that half of
    the sites tell, such as income, a group needs twice as many.

    The threshold stands for the control of false discoveries. With a number as family it is level ÷ family, the first
    step of every step-down procedure where p can have any value: nothing else is taken to be found, so that a
    comparison in which more is found, or whose other codes are rare, shows the difference more often than said. With a
    frame of shares it is the first step of the procedure of `compare` itself (Döhler, Durand and Roquain 2018), over
    codes with these shares.

    Examples
    --------
    >>> sites_needed(0.2, [150, 200], groups=2, baseline="rest")[["index", "sites", "power"]].round(3).values.tolist()
    [[150.0, 311, 0.8], [200.0, 90, 0.802]]
    """
    groups = check_whole(groups, "groups", 2)
    most = check_whole(most, "most", 2)
    level, power = _checked(level, power)
    check_one_of(baseline, "baseline", (None, REST))
    shares, tests = _family(family, groups)
    effect = _effect_of(family) if design_effect is None else check_number(design_effect, "design_effect", 1)
    rows = []
    for base in _numbers(base_share, "base_share"):
        for wanted in _numbers(index, "index"):
            share, rest = _told_apart(base, wanted, groups, baseline)
            threshold = _threshold(shares, groups, level, tests)
            alone = sites_to_find((share, rest), groups - 1, threshold, power, max(int(most / effect), 1))
            reached, sites = np.nan, None
            if alone is not None:
                reached = float(chance_to_find(share, alone, rest, alone * (groups - 1), threshold(alone)))
                sites = math.ceil(alone * effect)
            rows.append((base, wanted, share, rest, groups, tests, sites, sites and sites * groups, reached))
    names = ["base_share", "index", "group_share", "rest_share", "groups", "family", "sites", "all_sites", "power"]
    kinds = dict.fromkeys(names, "float64") | dict.fromkeys(("groups", "family"), "int64")
    result = pd.DataFrame(rows, columns=names).astype(kinds | dict.fromkeys(("sites", "all_sites"), "Int64"))
    result.attrs["about"] = {
        "baseline": baseline or EVERYBODY,
        "design_effect": effect,
        "power": power,
        "level": level,
    }
    return result


def smallest_index(
    compared: pd.DataFrame | int,
    rest: int | None = None,
    base_share: float | Iterable[float] | None = None,
    *,
    family: int = 1,
    power: float = _POWER,
    level: float = _LEVEL,
) -> pd.DataFrame:
    """Return the smallest index that a comparison could have shown: what "no difference shown" leaves open.

    Parameters
    ----------
    compared : DataFrame or int
        What `toolkit.findings.compare` gave; or how many sites a group has.
    rest, base_share, family : int, float or iterable of float, int
        Only with a number of sites: how many others there are, the share among them, and how many rows are tested.
    power : float
        How often a difference of this size would have been shown, above `level` and below 1.
    level : float
        At which false discoveries are held.

    Returns
    -------
    DataFrame
        One row a row of the comparison, in its order, or a base share: ``group``, ``dimension``, ``code``, ``label``
        (str; missing for plain numbers), ``n``, ``rest_n`` (int64, the sites that are tested against each other, which
        are not in both the group and its baseline), ``n_effective``, ``rest_effective`` (int64, as how many they count
        where sites belong together), ``rest_share`` (float64), ``smallest_share`` and ``largest_share`` (float64, from
        which share of these sites on the group would have been shown to have more, and up to which to have less) and
        ``smallest_index`` and ``largest_index`` (the percentage of the baseline that the comparison would state then).
        A limit is missing where no share could have been shown, an index also where nobody else has the code.

        ``attrs["about"]`` has ``power``, ``level``, ``family`` (rows that were tested), ``found`` (those called) and
        ``threshold`` (the p that would have been called).

    Raises
    ------
    InputError
        If the frame is no comparison, or an argument is not as described.

    Notes
    -----
    The others' share is taken as it was seen, and so is how alike sites are that belong together: where `compare` took
    pages of a domain together, they count here as there, by each row's design effect, and no p is below that of a
    single arrangement of the domains. Of plain numbers all sites count; pass those of ``n_effective``, or how many
    domains there are. The power is exact, as of `sites_needed`. A finished comparison says which rows were tested, so
    that the threshold is that of its own procedure: the largest p that would have been called beside those that were;
    rows that were tested and were taken out since still count. That is a property of the list, not of what it showed;
    it is no power "as observed", which only says p again.

    Examples
    --------
    >>> smallest_index(20, 60, [0.1, 0.3], family=400)[["rest_share", "smallest_index"]].round(1).values.tolist()
    [[0.1, 638.3], [0.3, 293.7]]
    """
    level, power = _checked(level, power)
    if isinstance(compared, pd.DataFrame):
        if rest is not None or base_share is not None:
            raise InputError("A comparison says itself what the others have. Leave out rest and base_share.")
        return _of_comparison(compared, power, level)
    n = check_whole(compared, "The number of sites of the group", 1)
    others = check_whole(rest, "rest", 1)
    tests = check_whole(family, "family", 1)
    shares = np.array(_numbers(base_share, "base_share", 1))
    texts = dict.fromkeys(("group", "dimension", "code", "label"), pd.Series([None] * len(shares), dtype="str"))
    sizes = {"n": n, "rest_n": others, "n_effective": n, "rest_effective": others}
    table = pd.DataFrame(texts | {name: np.full(len(shares), size) for name, size in sizes.items()})
    threshold = level / tests
    counts = Margins(*(np.full(len(shares), size) for size in (0, 0, 0, n, others, 0)))
    result = _limits(table.assign(rest_share=shares), counts, np.ones(len(shares), dtype=bool), threshold, power)
    result.attrs["about"] = {"power": power, "level": level, "family": tests, "found": 0, "threshold": threshold}
    return result


def _of_comparison(compared: pd.DataFrame, power: float, level: float) -> pd.DataFrame:
    check_columns(compared, (*_COMPARED, *COUNTED), "what compare gave")
    counts = Margins(*(compared[name].to_numpy(dtype=np.int64) for name in COUNTED))
    parts, effect = counts.parts, compared["design_effect"].to_numpy(dtype=np.float64)
    (k1, n1), (k2, n2) = (
        (values.astype(np.int64) for values in effective_counts(have.astype(np.float64), n.astype(np.float64), effect))
        for have, n in ((parts.have1, parts.n1), (parts.have2, parts.n2))
    )
    tested = compared["p_adjusted"].notna().to_numpy()
    found = tested & (compared["p_adjusted"] < level).to_numpy()
    about = compared.attrs.get("about", {})
    # Rows that were tested and are not here count as tests that can have any p.
    gone = max(int(about.get("tested", 0)) - int(tested.sum()), 0)
    once = tested & _first_of_two(compared, about)
    margins = np.column_stack([n1, n2, k1 + k2])[once]
    threshold = cut(margins, level, int((found & once).sum()), continuous=gone)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = parts.have2 / parts.n2
    texts = compared[["group", "dimension", "code", "label"]].reset_index(drop=True)
    table = texts.assign(n=parts.n1, rest_n=parts.n2, n_effective=n1, rest_effective=n2, rest_share=shares)
    can = compared["least_p"].to_numpy(dtype=np.float64) <= threshold
    result = _limits(table, counts, can, threshold, power)
    result.attrs["about"] = about | {
        "power": power,
        "level": level,
        "family": int(tested.sum()) + gone,
        "found": int(found.sum()),
        "threshold": threshold,
    }
    return result


def _first_of_two(compared: pd.DataFrame, about: dict[str, Any]) -> Bools:
    """Return which rows are a test of their own: of two groups that are each the other's rest, those of the first."""
    groups, first = about.get("group_order", ()), np.ones(len(compared), dtype=bool)
    if len(groups) != _HALVES or not compared["baseline"].isin([EVERYBODY, REST]).all():
        return first
    others = compared["baseline_n"] - compared["both_n"], compared["baseline_with"] - compared["both_with"]
    keys = [compared["dimension"], compared["code"]]
    mine = pd.MultiIndex.from_arrays([*keys, compared["group"], compared["n"], compared["with_code"]])
    turned = compared["group"].map(dict(zip(groups, groups[::-1], strict=True)))
    theirs = pd.MultiIndex.from_arrays([*keys, turned, *others])
    found: Bools = ~(compared["group"].eq(groups[1]).to_numpy() & theirs.isin(mine))
    return found


def _limits(table: pd.DataFrame, counts: Margins, can: Bools, threshold: float, power: float) -> pd.DataFrame:
    """Return the limits of what could have been shown; `can` says where any p could have been that small."""
    names = ("n", "rest_n", "rest_share")
    n, others, rest = (table[name].to_numpy(dtype=np.float64) for name in names)
    limits = np.full((2, len(table)), np.nan)
    for sizes, rows in table[can].groupby(["n_effective", "rest_effective"], sort=False).groups.items():
        n1, n2 = np.asarray(sizes).tolist()
        places = table.index.get_indexer(rows)
        shares, back = np.unique(rest[places], return_inverse=True)
        limits[0, places] = share_to_find(shares, n1, n2, threshold, power)[back]
        # Less of something is more of its absence.
        limits[1, places] = 1 - share_to_find(1 - shares, n1, n2, threshold, power)[back]
    # The sites in both are as they were seen.
    inside, outside = counts.n == counts.both_n, counts.base_n == counts.both_n
    with np.errstate(invalid="ignore", divide="ignore"):
        here, there = np.where(inside, 0, counts.both_have), np.where(outside, 0, counts.both_have)
        mine, theirs = n * limits, others * rest
        group = np.where(outside, mine + theirs, mine + here) / counts.n
        base = np.where(inside, mine + theirs, theirs + there) / counts.base_n
        indices = np.where(rest > 0, 100 * group / base, np.nan)
    return table.assign(
        smallest_share=limits[0], largest_share=limits[1], smallest_index=indices[0], largest_index=indices[1]
    )


def _family(family: Any, groups: int) -> tuple[Floats | None, int]:
    """Return the shares of the codes that are compared, if they are known, and how many rows are tested."""
    if not isinstance(family, pd.DataFrame):
        return None, check_whole(family, "family", 1, advice="Give codes × groups, or a frame of shares.")
    check_columns(family, ("share",), "run.shares()")
    shares = family["share"].dropna().to_numpy(dtype=np.float64)
    if not shares.size:
        raise InputError("The frame of the family has no shares. Pass run.shares() of a run with answers, or a number.")
    return shares, len(shares) * groups


def _effect_of(family: Any) -> float:
    """Return by what the sites of a frame of shares count for less than as many that do not belong together."""
    if not isinstance(family, pd.DataFrame) or not {"n", "n_effective"} <= set(family.columns):
        return 1.0
    n, effective = (float(family[name].sum()) for name in ("n", "n_effective"))
    return max(n / effective, 1.0) if effective > 0 else 1.0


def _threshold(shares: Floats | None, groups: int, level: float, tests: int) -> Callable[[int], float]:
    """Return which p is a discovery, by how many sites a group has."""

    def first_step(n: int) -> float:
        if shares is None:
            return level / tests
        have = np.repeat(np.round(shares * n * groups).astype(np.int64), groups)
        margins = np.column_stack([np.full_like(have, n), np.full_like(have, n * (groups - 1)), have])
        return cut(margins, level)

    return first_step


def _told_apart(base: float, index: float, groups: int, baseline: str | None) -> tuple[float, float]:
    """Return the share of the group and that of the others."""
    if not 0 < base < 1:
        raise InputError(f"The base share {base:g} is not between 0 and 1. Pass a part such as 0.2.")
    if index == _SAME:
        raise InputError("An index of 100 is no difference, and no number of sites shows it. Pass another index.")
    share = base * index / 100
    rest = base if baseline == REST else (groups * base - share) / (groups - 1)
    if not (0 <= share <= 1 and 0 <= rest <= 1):
        largest = 100 / base if baseline == REST else 100 * min(1, groups * base) / base
        raise InputError(
            f"The index {index:g} of a base share of {base:g} is not possible: with {groups} groups it is between 0 "
            f"and {largest:.0f}. Pass an index in between."
        )
    return share, rest


def _checked(level: Any, power: Any) -> tuple[float, float]:
    level = check_number(level, "level", 0, 1)
    power = check_number(power, "power", 0, 1)
    if not 0 < level < power < 1:
        raise InputError(f"level is {level:g} and power {power:g}. Pass 0 < level < power < 1, such as 0.05 and 0.8.")
    return level, power


def _numbers(given: Any, what: str, most: float = math.inf) -> list[float]:
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    return [check_number(value, what, 0, most) for value in several]
