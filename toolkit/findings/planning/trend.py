"""How shares move over three or more runs: where they changed, by the list or by its sites, and beside what noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.special import ndtri

from toolkit.findings.codes import is_of_codes
from toolkit.findings.counting import ratio
from toolkit.findings.given.clustering import domain_numbers
from toolkit.findings.incidence import incidence
from toolkit.findings.statistics.proportions import FALSE_DISCOVERIES, quantile
from toolkit.findings.statistics.reversals import Signs, sign_discoveries, sign_p, signs, smallest_sign_p
from toolkit.findings.statistics.weighted import weighted_shares
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from toolkit.findings.incidence import Incidence, Targets

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Dates = Mapping[Any, pd.DataFrame]

__all__ = ["TREND_VERDICTS", "trend", "trend_changes"]

#: What a row of `trend_changes` can say.
TREND_VERDICTS: Final = pd.CategoricalDtype(
    ["rose", "fell", "within noise", "vocabulary", "no change shown", "too few"], ordered=True
)
_REPEAT: Final = "repeat"
_LEAST: Final = 3
_LEVEL: Final = 0.95


def trend(
    frames: Dates,
    *,
    repeat: pd.DataFrame | None = None,
    sites: Mapping[Any, Targets] | None = None,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | None = None,
    level: float = _LEVEL,
) -> pd.DataFrame:
    """Return the share of each code at each date, for the whole list and for the sites that answered every time.

    Parameters
    ----------
    frames : mapping of date to DataFrame
        Three or more codes frames, or categories frames, by date: ``{"2026-01-05": …}``, in any order.
    repeat : DataFrame, optional
        A second run of the last date's sites on the same day: what differs there is the service's noise.
    sites : mapping of date to iterable of str, Series or DataFrame, optional
        The sites that count at each date, by default all that were answered, as the frames' runs say. Those of the last
        date count in its repeat too.
    dimensions : str or iterable of str, optional
        Of codes frames, only these dimensions; all by default.
    taxonomy : str, optional
        Of categories frames, only this taxonomy; all by default.
    level : float
        Of the intervals.

    Returns
    -------
    DataFrame
        One row a code and date, codes by dimension and code, then by date:

        - ``dimension``, ``code``, ``label``, ``parent`` (str), ``date`` (datetime64).
        - ``n``, ``with_code`` (int64), ``share``, ``share_low``, ``share_high`` (float64): of the list at that date,
          as of `toolkit.findings.shares`.
        - ``panel_n``, ``panel_with`` (int64), ``panel_share``, ``panel_low``, ``panel_high`` (float64): of the sites
          that answered at every date, and of which it is known at every date; shares are missing where there are none.
        - ``list_changed``, ``sites_changed`` (float64): what the list (also by of which of its sites it is known) and
          what the panel's sites added to the share since the date before; missing at the first date, and where a share
          is missing. They add up to the change of the share.
        - ``flips`` (float64): the part of the panel that gained or lost the code since the date before; ``noise``
          (float64): the part that did between the last date and its repeat, missing without one.
        - ``changed`` (bool): whether `trend_changes` has a change between the date before and this one.

        ``attrs["about"]`` says how many sites count (``sites``; ``panel`` those of the panel), the ``dates``, how many
        tests were made, and whether there was a ``repeat``.

    Raises
    ------
    InputError
        If there are fewer than three dates, one stands twice or is no date, or the frames are not of one kind.
    UnknownCodeError
        If a dimension or the taxonomy is unknown.

    Notes
    -----
    Intervals are Wilson's (1927), with pages of one domain taken together. Changes: see `trend_changes`. Of a field
    that each site has a value of, such as income or age, an answer without one says that nobody knows it, and what
    comes to be known is no change: see `toolkit.findings.shares`.

    Examples
    --------
    >>> def run(*who):
    ...     return pd.DataFrame({"target": ["a.example", "b.example"], "dimension": "persona", "code": who})
    >>> runs = {
    ...     "2026-01-05": run("Cook", "Cook"),
    ...     "2026-02-05": run("Cook", "Diver"),
    ...     "2026-03-05": run("Cook", "Diver"),
    ... }
    >>> trend(runs)[["code", "share", "sites_changed"]].values.tolist()[:3]
    [['Cook', 1.0, nan], ['Cook', 0.5, -0.5], ['Cook', 0.5, 0.0]]
    """
    panel = _panel(frames, repeat, sites, dimensions, taxonomy)
    points, _, tested = _change_points(panel)
    steps, codes = len(panel.dates), len(panel.codes)
    changed = np.zeros((steps, codes), dtype=bool)
    for point in points:
        changed[point.split, point.code] = True
    whole = [listed.shares(0, level) for listed in panel.lists]
    inside = [panel.same.shares(at, level) for at in range(steps)]
    shares, own = (np.array([part[0] for part in parts]) for parts in (whole, inside))
    change = np.vstack([np.full((1, codes), np.nan), np.diff(shares, axis=0)])
    # Of what is known of no site at a date nothing can be said since.
    moved = np.vstack([np.full((1, codes), np.nan), np.diff(np.nan_to_num(own), axis=0)]) + 0 * change
    flips = [np.full(codes, np.nan), *(panel.same.flips(at, at + 1) for at in range(steps - 1))]
    noise = np.full(codes, np.nan) if panel.repeats is None else panel.repeats.flips(0, 1)
    columns: dict[str, Any] = {
        "date": np.repeat(panel.dates.to_numpy()[:, None], codes, axis=1),
        "n": np.array([listed.n for listed in panel.lists]),
        "with_code": np.array([listed.having(0) for listed in panel.lists]),
        **{
            name: np.array([part[place] for part in whole])
            for place, name in enumerate(("share", "share_low", "share_high"))
        },
        "panel_n": np.tile(panel.same.n, (steps, 1)),
        "panel_with": np.array([panel.same.having(at) for at in range(steps)]),
        **{
            name: np.array([part[place] for part in inside])
            for place, name in enumerate(("panel_share", "panel_low", "panel_high"))
        },
        "list_changed": change - moved,
        "sites_changed": moved,
        "flips": np.array(flips),
        "noise": np.tile(noise, (steps, 1)),
        "changed": changed,
    }
    rows = panel.codes.iloc[np.repeat(np.arange(codes), steps)].reset_index(drop=True)
    result = rows.assign(**{name: values.T.ravel() for name, values in columns.items()})
    result.attrs["about"] = panel.about | {"tested": tested, "false_discoveries": FALSE_DISCOVERIES, "level": level}
    return result


def trend_changes(
    frames: Dates,
    *,
    repeat: pd.DataFrame | None = None,
    sites: Mapping[Any, Targets] | None = None,
    dimensions: str | Iterable[str] | None = None,
    taxonomy: str | None = None,
    level: float = _LEVEL,
) -> pd.DataFrame:
    """Return when the same sites gained or lost codes, and whether that is more than noise.

    Parameters
    ----------
    frames, repeat, sites, dimensions, taxonomy, level
        As of `trend`.

    Returns
    -------
    DataFrame
        One row a change, and one a code without any; changes first, the largest first, then by dimension and code:

        - ``dimension``, ``code``, ``label``, ``parent`` (str), ``verdict`` (ordered categorical): ``rose``, ``fell``;
          ``within noise`` where the change is not told from that between the last date and its repeat; ``vocabulary``
          where the code was not known to one side's vocabulary, as far as can be seen; ``too few`` where no outcome
          could have shown anything; else ``no change shown``.
        - ``after``, ``until`` (datetime64): the dates between which it changed, missing without a change; of a code
          without one, p is that of the likeliest.
        - ``share_before``, ``share_after``, ``change``, ``change_low``, ``change_high`` (float64): of the panel, on
          average over as many dates before as after; ``gained``, ``lost`` (int64): its sites that did. The panel of a
          code are the sites that answered at every date, and of which it is known at every date.
        - ``list_changed`` (float64): what other sites on the list, or of which it came to be known, added to the change
          of the whole list's share.
        - ``noise``, ``noise_low``, ``noise_high`` (float64): the change between the last date and its repeat, missing
          without one.
        - ``p``, ``p_adjusted`` (float64): of the test, and adjusted for all of this call; missing where there are none.

        ``attrs["about"]`` as of `trend`.

    Raises
    ------
    InputError, UnknownCodeError
        As `trend`.

    Notes
    -----
    For each code and each place between two dates, as many dates before as after are held against each other, for as
    many as there are on both sides: a site's change is the number of dates after with the code, less those before. If
    nothing moved the sites together, each would as likely have gone through its dates in the opposite order, so that
    the sum of the changes is tested by its signs, exactly (of one date each side, McNemar 1947). That holds where
    answers flip by chance from date to date, and where sites change for good each on its own. Pages of a domain are
    one change together. All codes and places are one family, but for those that can show nothing (Tarone 1990), in
    which the false discovery rate is held at 0.05 as in all findings (`toolkit.findings.statistics.discoveries`).

    Where several places of a code are called, the one that tells the dates before and after it apart best (least
    squares) is a change; others are only where they are called again on the dates up to the changes found. A change
    that comes and goes between two dates is not seen.

    The interval of a change adds one site that gained and one that lost (Bonett and Price 2012). A change is within
    noise where the difference of it and the repeat's has an interval that holds 0, or the repeat changed as much; or
    where it would not be called if all changes had as many times the variance of single sites' flips as the codes have,
    on average, between the last date and its repeat: a service may answer otherwise for many sites at once.

    Examples
    --------
    >>> def run(cooks):
    ...     who = [f"{number}.example" for number in range(20)]
    ...     return pd.DataFrame(
    ...         {"target": who, "dimension": "persona", "code": ["Cook"] * cooks + ["Diver"] * (20 - cooks)}
    ...     )
    >>> found = trend_changes({"2026-01-05": run(4), "2026-02-05": run(4), "2026-03-05": run(18)})
    >>> found[["code", "verdict", "change"]].round(2).values.tolist()
    [['Cook', 'rose', 0.7], ['Diver', 'fell', -0.7]]
    """
    panel = _panel(frames, repeat, sites, dimensions, taxonomy)
    points, rest, tested = _change_points(panel)
    few = smallest_sign_p(panel.same.number_of_clusters) >= FALSE_DISCOVERIES
    listed = np.array([listed.shares(0, level)[0] for listed in panel.lists])
    have = np.array([listed.having(0) for listed in panel.lists])
    rows = []
    # How far from 0 the sum of changes is, in standard deviations, for what is only just called.
    bar = float(ndtri(1 - max((point.p for point in points), default=1.0) / 2)) * _excess(panel)
    for point in points:
        row = _row(panel, point, listed, level)
        rows.append({"place": point.code, "verdict": _verdict(panel, point, have[:, point.code], row, bar)} | row)
    for point in rest:
        is_few = few[point.code] or (point.changes and point.smallest >= FALSE_DISCOVERIES)
        shown = "too few" if is_few else "no change shown"
        row = _row(panel, point, listed, level) | {"after": pd.NaT, "until": pd.NaT}
        rows.append({"place": point.code, "verdict": shown} | row)
    table = pd.DataFrame(rows, columns=list(_COLUMNS))
    kinds: dict[str, Any] = {
        name: "float64" for name in table.columns if name not in {"place", "verdict", "after", "until"}
    }
    kinds |= dict.fromkeys(("place", "gained", "lost"), "int64")
    kinds |= dict.fromkeys(("after", "until"), "datetime64[us]") | {"verdict": TREND_VERDICTS}
    table = table.astype(kinds)
    size = np.where(table["after"].notna(), -table["change"].abs().round(12), 1.0)
    table = table.iloc[np.lexsort((table["place"], size))].reset_index(drop=True)
    result = pd.concat([panel.codes.iloc[table.pop("place")].reset_index(drop=True), table], axis="columns")
    result.attrs["about"] = panel.about | {"tested": tested, "false_discoveries": FALSE_DISCOVERIES, "level": level}
    return result


class _Sites(NamedTuple):
    """Who has what of the same sites in one run or more, as far as it is known in all of them."""

    runs: list[sparse.csc_array]
    #: The domain of each site.
    clusters: Integers
    #: The places of codes that are known of the same sites, and which sites these are.
    parts: list[tuple[Integers, Bools]]

    @classmethod
    def of(cls, found: Incidence, rows: list[Integers], domains: Integers) -> _Sites:
        """Return those of lists of rows of the same sites, given the domain of each row."""
        tables, parts = found.together(rows)
        return cls([table.tocsc() for table in tables], domains[rows[0]], parts)

    @property
    def n(self) -> Integers:
        """Of how many sites each code is known."""
        return self._placed([int(known.sum()) for _, known in self.parts])

    @property
    def number_of_clusters(self) -> Integers:
        """Of how many domains these are."""
        return self._placed([len(np.unique(self.clusters[known])) for _, known in self.parts])

    def clusters_of(self, code: int) -> Integers:
        """Return the domains of the sites of which a code is known."""
        known = next(known for columns, known in self.parts if code in columns)
        return self.clusters[known]

    def having(self, at: int) -> Integers:
        """Return how many sites have each code in a run."""
        return np.diff(self.runs[at].indptr).astype(np.int64)

    def shares(self, at: int, level: float) -> Floats:
        """Return the share of the sites that has each code in a run, with its limits, by how many domains they are."""
        found = np.full((3, self.runs[at].shape[1]), np.nan)
        for columns, known in self.parts:
            rows = np.flatnonzero(known)
            told = weighted_shares(self.runs[at][:, columns][rows], np.ones(len(rows)), level, self.clusters[rows])
            found[:, columns] = told.share, told.low, told.high
        return found

    def flips(self, one: int, two: int) -> Floats:
        """Return the part of the sites that gained or lost each code between two runs."""
        return ratio(np.asarray(abs(self.runs[two] - self.runs[one]).sum(axis=0)), self.n)

    def _placed(self, values: Sequence[int]) -> Integers:
        found: Integers = np.zeros(self.runs[0].shape[1], dtype=np.int64)
        for (columns, _), value in zip(self.parts, values, strict=True):
            found[columns] = value
        return found


class _Panel(NamedTuple):
    """The runs by date, and of them the sites that answered every time, in one order."""

    dates: pd.DatetimeIndex
    codes: pd.DataFrame
    lists: list[_Sites]
    same: _Sites
    #: The last date's sites that answered in the repeat too: there, and in the repeat.
    repeats: _Sites | None
    #: The vocabulary's versions at each date; none where it is not known.
    versions: list[frozenset[str]]
    about: dict[str, Any]


class _Point(NamedTuple):
    """A place between two dates at which a code may have changed."""

    code: int
    split: int
    width: int
    p: float
    smallest: float
    signs: Signs
    changes: int
    p_adjusted: float = np.nan


_COLUMNS: Final = (
    "place", "verdict", "after", "until", "share_before", "share_after", "change", "change_low", "change_high",
    "gained", "lost", "list_changed", "noise", "noise_low", "noise_high", "p", "p_adjusted",
)  # fmt: skip


def _panel(
    frames: Dates,
    repeat: pd.DataFrame | None,
    sites: Mapping[Any, Targets] | None,
    dimensions: str | Iterable[str] | None,
    taxonomy: str | None,
) -> _Panel:
    by_date = _by_date(frames, "The runs")
    if len(by_date) < _LEAST:
        raise InputError(
            f"A trend needs three or more dates; given are {len(by_date)}. For two runs there is run.drift(earlier)."
        )
    runs = {f"{date:%Y-%m-%d %H:%M:%S}": frame for date, frame in sorted(by_date.items())}
    if repeat is not None:
        runs[_REPEAT] = repeat
    for frame in runs.values():
        if not isinstance(frame, pd.DataFrame):
            raise InputError(f"A run of a trend is {type(frame).__name__}, no frame. Pass run.codes() by date.")
    is_of_codes(runs.values())
    asked = None
    if sites is not None:
        given = {f"{date:%Y-%m-%d %H:%M:%S}": targets for date, targets in _by_date(sites, "The sites").items()}
        asked = {name: given.get(name) for name in runs}
        if repeat is not None:
            asked[_REPEAT] = given.get(max(given, default=""))
    found = incidence(runs, sites=asked, dimensions=dimensions, taxonomy=taxonomy)
    ends, members = found.members.indptr, found.members.indices.astype(np.int64)
    rows = [members[ends[number] : ends[number + 1]] for number in range(len(runs))]
    dated = rows[: len(by_date)]
    seen = np.flatnonzero(found.has[np.concatenate(dated)].sum(axis=0))
    found = replace(found, codes=found.codes.iloc[seen].reset_index(drop=True), has=found.has[:, seen])
    number, names = pd.factorize(found.sites)
    domains = domain_numbers(pd.Index(names))[number]
    same = _same(found, dated)
    repeats = None if repeat is None else _Sites.of(found, _same(found, rows[len(by_date) - 1 :]), domains)
    dates = pd.DatetimeIndex(sorted(by_date)).as_unit("us")
    about = found.about | {
        "panel": len(same[0]),
        "dates": [f"{date:%Y-%m-%d}" for date in dates],
        "repeat": repeat is not None,
    }
    versions = [
        frozenset(frame["vocab_version"].dropna().unique()) if "vocab_version" in frame.columns else frozenset()
        for frame in list(runs.values())[: len(dates)]
    ]
    return _Panel(
        dates,
        found.codes,
        [_Sites.of(found, [part], domains) for part in dated],
        _Sites.of(found, same, domains),
        repeats,
        versions,
        about,
    )


def _by_date(given: Any, what: str) -> dict[pd.Timestamp, Any]:
    if not isinstance(given, Mapping):
        raise InputError(
            f"{what} of a trend are a mapping of dates, not {type(given).__name__}. Pass {{'2026-01-05': …}}."
        )
    found: dict[pd.Timestamp, Any] = {}
    for key, value in given.items():
        try:
            date: Any = pd.Timestamp(key)
        except (TypeError, ValueError):
            date = pd.NaT
        if pd.isna(date):
            raise InputError(f"{key!r:.80} is no date. Pass dates such as '2026-01-05'.") from None
        date = date.tz_convert(None) if date.tzinfo is not None else date
        if date in found:
            raise InputError(f"The date {date:%Y-%m-%d} stands twice. Pass the second run of a day as repeat=….")
        found[date] = value
    return found


def _same(found: Incidence, rows: list[Integers]) -> list[Integers]:
    """Return of each run the rows of the sites that are in all of them, in one order."""
    common = found.places[rows[0]]
    for part in rows[1:]:
        common = np.intersect1d(common, found.places[part])
    return [part[np.intersect1d(found.places[part], common, return_indices=True)[1]] for part in rows]


def _held(runs: Sequence[sparse.csc_array], code: int, number: Integers) -> tuple[Integers, Integers]:
    """Return the numbers of the sites or domains with a code, and on how many dates they had it before each, a column.

    A domain has it as often as its sites together.
    """
    columns = [run.indices[run.indptr[code] : run.indptr[code + 1]] for run in runs]
    found, place = np.unique(number[np.concatenate(columns)], return_inverse=True)
    steps = len(columns) + 1
    date = np.repeat(np.arange(1, steps), [len(column) for column in columns])
    often = np.bincount(place * steps + date, minlength=found.size * steps).reshape(-1, steps)
    return found, np.cumsum(often, axis=1)


def _moved(held: Integers, split: int, width: int) -> Integers:
    """Return the dates with the code after a split, less those before it."""
    moved: Integers = held[:, split + width] - 2 * held[:, split] + held[:, split - width]
    return moved


def _by_cluster(table: Any, clusters: Integers) -> sparse.csc_array:
    size = int(clusters.max(initial=-1)) + 1
    place = np.arange(len(clusters))
    whole = sparse.csr_array((np.ones(len(clusters), dtype=np.int64), (clusters, place)), shape=(size, len(clusters)))
    found = sparse.csc_array(whole @ table)
    found.eliminate_zeros()
    return found


def _points(panel: _Panel, first: int, last: int, codes: Iterable[int]) -> Iterator[_Point]:
    """Yield each place between two dates for each code, tested on the dates from the first to before the last."""
    for code in codes:
        _, held = _held(panel.same.runs, code, panel.same.clusters)
        for split in range(first + 1, last):
            width = min(split - first, last - split)
            moved = _moved(held, split, width)
            changes = int(np.count_nonzero(moved))
            least = float(smallest_sign_p(np.array([changes]))[0])
            yield _Point(code, split, width, sign_p(moved), least, signs(moved), changes)


def _change_points(panel: _Panel) -> tuple[list[_Point], list[_Point], int]:
    """Return the changes, of each code without any its likeliest place, and how many places were tested."""
    steps = len(panel.dates)
    every = list(_points(panel, 0, steps, range(len(panel.codes))))
    can = np.array([point.smallest < FALSE_DISCOVERIES for point in every], dtype=bool)
    p = np.array([point.p for point in every])
    adjusted = sign_discoveries(np.where(can, p, np.nan), [point.signs for point in every])
    every = [point._replace(p_adjusted=float(value)) for point, value in zip(every, adjusted, strict=True)]
    by_code: dict[int, list[_Point]] = {}
    for point in every:
        by_code.setdefault(point.code, []).append(point)
    called = adjusted < FALSE_DISCOVERIES
    threshold = float(p[called].max(initial=0.0))
    points, rest = [], []
    for code, own in by_code.items():
        shown = {point.split: point.p_adjusted for point in own if point.p_adjusted < FALSE_DISCOVERIES}
        if shown:
            points += _split(panel, code, shown, (0, steps), threshold)
        else:
            rest.append(min(own, key=lambda point: point.p))
    return points, rest, int(can.sum())


def _split(
    panel: _Panel, code: int, shown: Mapping[int, float], stretch: tuple[int, int], threshold: float
) -> list[_Point]:
    """Return the place that tells the dates apart best, of those that were called, and those called again beside it."""
    inside = [
        point._replace(p_adjusted=shown[point.split])
        for point in _points(panel, *stretch, [code])
        if point.split in shown and point.p <= threshold
    ]
    if not inside:
        return []
    counts = _counts(panel.same.runs, code)
    best = max(inside, key=lambda point: _apart(counts[stretch[0] : stretch[1]], point.split - stretch[0]))
    parts = ((stretch[0], best.split), (best.split, stretch[1]))
    return [best, *(more for part in parts for more in _split(panel, code, shown, part, threshold))]


def _counts(runs: Sequence[sparse.csc_array], code: int) -> Floats:
    """Return how many sites have a code at each date."""
    return np.array([float(run.indptr[code + 1] - run.indptr[code]) for run in runs])


def _apart(counts: Floats, split: int) -> float:
    """Return how much of the dates' sum of squares lies between what is before a split and what is after."""
    before, after = counts[:split], counts[split:]
    return len(before) * len(after) / len(counts) * float((after.mean() - before.mean()) ** 2)


def _row(panel: _Panel, point: _Point, listed: Floats, level: float) -> dict[str, Any]:
    before, after = (range(start, start + point.width) for start in (point.split - point.width, point.split))
    same, known = panel.same, panel.same.clusters_of(point.code)
    sites, held = _held(same.runs, point.code, np.arange(len(same.clusters)))
    moved = _moved(held, point.split, point.width)
    change, low, high = _net(moved, same.clusters[sites], point.width, known, level)
    own, size = _counts(same.runs, point.code), len(known)
    sums = [sum(float(own[at]) for at in part) for part in (before, after)]
    noise = (np.nan, np.nan, np.nan)
    if panel.repeats is not None:
        again, domains = panel.repeats, panel.repeats.clusters
        sites, held = _held(again.runs, point.code, np.arange(len(domains)))
        noise = _net(_moved(held, 1, 1), domains[sites], 1, again.clusters_of(point.code), level)
    shares = [total / (size * point.width) if size else np.nan for total in sums]
    whole = [float(listed[list(part), point.code].mean()) for part in (before, after)]
    return {
        "after": panel.dates[point.split - 1],
        "until": panel.dates[point.split],
        "share_before": shares[0],
        "share_after": shares[1],
        "change": change,
        "change_low": low,
        "change_high": high,
        "gained": int((moved > 0).sum()),
        "lost": int((moved < 0).sum()),
        "list_changed": whole[1] - whole[0] - np.nan_to_num(change),
        "noise": noise[0],
        "noise_low": noise[1],
        "noise_high": noise[2],
        "p": point.p if point.changes else np.nan,
        "p_adjusted": point.p_adjusted,
    }


def _net(moved: Integers, where: Integers, width: int, clusters: Integers, level: float) -> tuple[float, float, float]:
    """Return the mean change of sites, and its limits with one site added that gained and one that lost.

    Given are the changes of the sites that have the code at any date, the cluster of each, and those of all of which it
    is known.
    """
    sizes = np.bincount(clusters).astype(np.float64)
    if not sizes.size:
        return np.nan, np.nan, np.nan
    sums = np.bincount(where, weights=moved, minlength=sizes.size) / width
    n = sizes.sum() + 2
    mean = sums.sum() / n
    spread = float(((sums - mean * sizes) ** 2).sum() + (1 - mean) ** 2 + (1 + mean) ** 2)
    half = quantile(level) * np.sqrt(spread) / n
    return float(sums.sum() / sizes.sum()), max(float(mean - half), -1.0), min(float(mean + half), 1.0)


def _excess(panel: _Panel) -> float:
    """Return how many times as far codes move between the last date and its repeat as by flips of single sites."""
    if panel.repeats is None:
        return 1.0
    before, after = panel.repeats.runs
    moved = _by_cluster(after - before, panel.repeats.clusters)
    flips = float(moved.power(2).sum())
    together = float((np.asarray(moved.sum(axis=0), dtype=np.float64) ** 2).sum())
    return max(1.0, float(np.sqrt(together / flips))) if flips else 1.0


def _verdict(panel: _Panel, point: _Point, have: Integers, row: Mapping[str, Any], bar: float) -> str:
    before, after = panel.versions[point.split - 1 : point.split + 1]
    if before and after and before != after and not (have[: point.split].any() and have[point.split :].any()):
        return "vocabulary"
    change, noise = row["change"], row["noise"]
    if not np.isnan(noise):
        halves = [(row[f"{name}_high"] - row[f"{name}_low"]) / 2 for name in ("change", "noise")]
        if ndtri(1 - point.p / 2) < bar or abs(change - noise) <= np.hypot(*halves) or abs(noise) >= abs(change):
            return "within noise"
    return "rose" if change > 0 else "fell"
