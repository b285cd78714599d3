"""The sites whose codes are most like those of a site or of a profile, and the codes that make them so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd

from toolkit.findings.counting import joined
from toolkit.findings.incidence import incidence
from toolkit.frames.about import answered, site_of
from toolkit.frames.foreign import normal
from toolkit.interface.checks import check_number, check_whole
from toolkit.interface.errors import InputError, UnknownCodeError, nearest_to
from toolkit.interface.targets import parse_target

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toolkit.findings.incidence import Incidence

__all__ = ["nearest", "nearest_codes"]

_MOST: Final = 10
#: Codes that stand in ``near_because``.
_REASONS: Final = 3
#: What this part of the sites has is no reason.
_COMMON: Final = 0.5
#: Sites that are less alike share their readers' age and a band or two.
_LEAST: Final = 0.2
#: Of the nearest site's similarity to a profile, which is small where a profile has few codes.
_LEAST_PART: Final = 0.5
#: Similarities that differ by rounding alone are equal.
_DIGITS: Final = 12
_WEIGHT: Final = "ln(1 + n / sites with the code)"


def nearest(
    frame: pd.DataFrame,
    site_or_profile: str | Iterable[str] | Mapping[str, str | Iterable[str]],
    *,
    most: int | None = _MOST,
    least: float | None = None,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | None = None,
) -> pd.DataFrame:
    """Return the sites that are nearest to a site or a profile.

    The similarity is the cosine between the sets of codes, each weighted by its rarity (inverse document frequency,
    Spärck Jones 1972): ln(1 + n / sites with the code), for n answered sites. A code that every site has still weighs
    0.69, so that sites with equal codes always have similarity 1.

    The list ends where sites are hardly alike, also before it has `most`: it may be short, or empty.

    Parameters
    ----------
    frame : DataFrame
        A codes or a categories frame.
    site_or_profile : str, iterable of str, or mapping of str to str or iterable of str
        A site of the frame, as text; or the codes of a profile: a list of them, or a mapping of dimensions to codes. In
        a list, a value of several dimensions is written with its own: ``"income_level=high"``.
    most : int or None
        At most so many sites; None for all that are alike.
    least : float, optional
        Sites of a smaller similarity are left out; 0 for all that share a code. By default 0.2 for a site, and for a
        profile half of the nearest site's similarity.
    dimensions : str or iterable of str, optional
        Of a codes frame, compare by these dimensions only; by all by default.
    taxonomy : str, optional
        Of a categories frame, compare by this taxonomy only; by all by default.

    Returns
    -------
    DataFrame
        One row a site, nearest first, then by name; the site itself and sites that share nothing are left out:
        ``site`` (str), ``similarity`` (float64, 0 to 1), ``shared`` (int64, number of codes that both have) and
        ``near_because`` (str, labels of the three codes that add most of those that fewer than half of the sites have;
        missing where they share no such code). `nearest_codes` gives all of them.

    Raises
    ------
    InputError
        If the site is not in the frame or has failed, the profile is empty, or an argument does not fit the frame.
    UnknownCodeError
        If no site of the frame has a code of the profile.

    Examples
    --------
    >>> sites = ["a.example", "a.example", "b.example", "c.example", "c.example", "d.example", "e.example"]
    >>> codes = ["Cook", "Diver", "Diver", "Cook", "Diver", "Golfer", "Golfer"]
    >>> found = nearest(pd.DataFrame({"target": sites, "dimension": "persona", "code": codes}), "a.example")
    >>> found[["site", "shared", "near_because"]].fillna("").values.tolist()
    [['c.example', 2, 'Cook'], ['b.example', 1, '']]
    """
    near = _near(frame, site_or_profile, most, least, dimensions=dimensions, taxonomy=taxonomy)
    links = _links(near)
    telling = links[links["sites"] < _COMMON * len(near.found.sites)]
    labels = telling["label"].where(telling["label"].notna(), telling["code"]).to_numpy(dtype="object")
    reasons = joined(telling["rank"].to_numpy(), np.arange(len(telling)), labels, size=len(near.rows), most=_REASONS)
    result = pd.DataFrame(
        {
            "site": pd.Series(near.found.sites[near.rows], dtype="str"),
            "similarity": near.similarity,
            "shared": np.bincount(links["rank"], minlength=len(near.rows)).astype(np.int64),
            "near_because": reasons,
        }
    )
    result.attrs["about"] = near.about
    return result


def nearest_codes(
    frame: pd.DataFrame,
    site_or_profile: str | Iterable[str] | Mapping[str, str | Iterable[str]],
    *,
    most: int | None = _MOST,
    least: float | None = None,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | None = None,
) -> pd.DataFrame:
    """Return every code that makes the nearest sites near, and what it adds to the similarity.

    Parameters
    ----------
    frame, site_or_profile, most, least, dimensions, taxonomy
        As of `nearest`.

    Returns
    -------
    DataFrame
        One row a site and shared code: ``site`` in the order of `nearest`, ``dimension``, ``code``, ``label`` (str),
        ``sites`` (int64, answered sites that have the code), ``weight`` (float64, its rarity) and ``contribution``
        (float64). The contributions of a site add up to its similarity; the largest come first, then by dimension and
        code.

    Raises
    ------
    InputError, UnknownCodeError
        As `nearest`.

    Examples
    --------
    >>> rows = {"target": ["a.example", "b.example"], "dimension": "persona", "code": "Cook"}
    >>> nearest_codes(pd.DataFrame(rows), ["Cook"])[["site", "code", "contribution"]].values.tolist()
    [['a.example', 'Cook', 1.0], ['b.example', 'Cook', 1.0]]
    """
    near = _near(frame, site_or_profile, most, least, dimensions=dimensions, taxonomy=taxonomy)
    links = _links(near)
    columns = ["site", "dimension", "code", "label", "sites", "weight", "contribution"]
    result = links[columns].reset_index(drop=True)
    result.attrs["about"] = near.about
    return result


class _Near(NamedTuple):
    """The nearest sites: their rows of the tables, how near, and what each code weighs for the one asked for."""

    found: Incidence
    rows: NDArray[np.int64]
    similarity: NDArray[np.float64]
    sites: NDArray[np.int64]
    weights: NDArray[np.float64]
    wanted: NDArray[np.bool_]
    lengths: NDArray[np.float64]
    about: dict[str, Any]


def _near(
    frame: pd.DataFrame,
    given: str | Iterable[str] | Mapping[str, str | Iterable[str]],
    most: int | None,
    least: float | None,
    *,
    dimensions: str | Iterable[str] | None,
    taxonomy: str | None,
) -> _Near:
    frame = normal(frame)
    most = None if most is None else check_whole(most, "most", 1)
    least = None if least is None else check_number(least, "least", 0, 1)
    found = incidence(frame, dimensions=dimensions, taxonomy=taxonomy)
    number = len(found.codes)
    sites = np.bincount(found.has.indices, minlength=number).astype(np.int64)
    weights = np.log1p(len(found.sites) / np.maximum(sites, 1))
    has: Any = found.has
    wanted = np.zeros(number, dtype=bool)
    own = -1
    if isinstance(given, str):
        own = _row_of(given, frame, found)
        wanted[has.indices[has.indptr[own] : has.indptr[own + 1]]] = True
    else:
        wanted[_columns_of(given, found)] = True
    squares = weights**2
    lengths = np.sqrt(has @ squares) * np.sqrt(squares[wanted].sum())
    common = has @ np.where(wanted, squares, 0.0)
    similarity = np.divide(common, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
    if own >= 0:
        similarity[own] = 0.0
    # What rounds to more than 1 is 1.
    similarity = np.minimum(similarity, 1.0)
    if least is None:
        least = _LEAST if own >= 0 else _LEAST_PART * float(similarity.max(initial=0.0))
    near = np.flatnonzero((similarity > 0) & (np.round(similarity, _DIGITS) >= np.round(least, _DIGITS)))
    order = near[np.argsort(-np.round(similarity[near], _DIGITS), kind="stable")][:most]
    known = found.about | {"weight": _WEIGHT}
    if isinstance(given, str):
        known["baseline"] = str(found.sites[own])
    return _Near(found, order, similarity[order], sites, weights, wanted, lengths, known)


def _links(near: _Near) -> pd.DataFrame:
    """Return the shared codes of the nearest sites with their contributions, the largest of each first."""
    part: Any = near.found.has[near.rows].tocoo()
    rank, column = part.coords
    kept = near.wanted[column]
    rank, column = rank[kept].astype(np.int64), column[kept]
    added = near.weights[column] ** 2 / near.lengths[near.rows][rank]
    # Columns stand by dimension and code, which decides between equal contributions.
    order = np.lexsort((column, -np.round(added, _DIGITS), rank))
    rank, column, added = rank[order], column[order], added[order]
    codes: pd.DataFrame = near.found.codes[["dimension", "code", "label"]].iloc[column].reset_index(drop=True)
    return codes.assign(
        site=pd.Series(near.found.sites[near.rows[rank]], dtype="str"),
        sites=near.sites[column],
        weight=near.weights[column],
        contribution=added,
        rank=rank,
    )


def _row_of(text: str, frame: pd.DataFrame, found: Incidence) -> int:
    """Return the row of a site, given as it stands in the frame or in any spelling."""
    names = found.sites.tolist()
    if text in names:
        return names.index(text)
    if text in set(found.codes["code"]):
        raise InputError(f"{text!r} is a code, not a site. Pass [{text!r}] for the sites nearest to this code.")
    site = parse_target(text).normal
    if site in names:
        return names.index(site)
    if site in set(site_of(frame).dropna()) - set(site_of(answered(frame)).dropna()):
        raise InputError(f"{text!r} has no answer in this frame, only a failure. Pass a site that was answered.")
    near = nearest_to(site, found.sites)
    hint = f" Nearest: {', '.join(near)}." if near else ""
    raise InputError(
        f"{text!r} is not among the {len(found.sites)} answered sites of the frame.{hint} Pass one of them."
    )


def _columns_of(given: Iterable[str] | Mapping[str, str | Iterable[str]], found: Incidence) -> list[int]:
    """Return the columns of a profile's codes."""
    pairs = _pairs(given)
    if not pairs:
        raise InputError("The profile has no codes. Pass at least one, such as ['INT.PETS.DOGS'].")
    table = found.codes[["dimension", "code"]]
    exact = {pair: place for place, pair in enumerate(table.itertuples(index=False, name=None))}
    by_code: dict[str, list[int]] = {}
    for (_, code), place in exact.items():
        by_code.setdefault(code, []).append(place)
    columns = []
    for dimension, code in pairs:
        if dimension is None and code not in by_code and "=" in code:
            dimension, code = code.split("=", 1)  # noqa: PLW2901 - a value written with its dimension
        named = exact.get((dimension or "", code))
        places = by_code.get(code, []) if dimension is None else [] if named is None else [named]
        if not places:
            shown = code if dimension is None else f"{dimension}={code}"
            known = by_code if dimension is None else [f"{kind}={name}" for kind, name in exact]
            advice = "" if nearest_to(shown, known) else "No site has it; leave it out."
            raise UnknownCodeError(
                shown, among="the codes of these sites", nearest=nearest_to(shown, known), advice=advice
            )
        if len(places) > 1:
            kinds = table["dimension"].iloc[places].tolist()
            raise InputError(
                f"{code!r} stands in several dimensions: {', '.join(kinds)}. Write it with its own, such as "
                f"'{kinds[0]}={code}'."
            )
        columns += places
    return columns


def _pairs(given: Iterable[str] | Mapping[str, str | Iterable[str]]) -> list[tuple[str | None, str]]:
    pairs: list[tuple[str | None, str]] = []
    if isinstance(given, Mapping):
        for dimension, codes in given.items():
            # A single value is caught below, as one in a list is.
            several: Iterable[Any] = codes if isinstance(codes, Iterable) and not isinstance(codes, str) else [codes]
            pairs += [(str(dimension), code) for code in several]
    elif isinstance(given, Iterable) and not isinstance(given, pd.DataFrame):
        pairs = [(None, code) for code in given]
    else:
        raise InputError(f"A profile cannot be {type(given).__name__}. Pass a site's name, or a list of codes.")
    if wrong := [code for _, code in pairs if not isinstance(code, str)]:
        raise InputError(
            f"{wrong[0]!r:.80} is no code: codes are text, not {type(wrong[0]).__name__}. Pass text, such as "
            "{'income_level': 'high'} or ['INT.PETS.DOGS']."
        )
    return pairs
