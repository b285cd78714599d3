"""Who was asked, who was answered, and with what: what a frame says beside its rows, in ``frame.attrs["asked"]``.

A site that was answered with nothing has no row in a codes, categories or technologies frame, and rows that are taken
out say nothing of who was asked. A finding that counted rows would have too small a denominator.

Of fields that each site has a value of (`toolkit.frames.schemas.STATED`) an answer without one says that nobody knows
it: such a site is in no denominator of the field. Of all else an answered site is known, with or without it.
"""

from __future__ import annotations

import base64
import json
import warnings
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from toolkit.files.unpacking import unpacked
from toolkit.frames.numbering import numbered, placed_among
from toolkit.frames.records import HELD
from toolkit.frames.schemas import LISTS, SCALARS
from toolkit.interface.checks import levels_inside
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Integers = NDArray[Any]

__all__ = [
    "ASKED",
    "FIELDS",
    "Asked",
    "Counted",
    "DenominatorWarning",
    "asked_for",
    "asked_of",
    "counted",
    "joined",
    "known_sites",
    "shows_every_site",
    "warn_untold",
]

#: The name among a frame's attrs.
ASKED: Final = "asked"
_COLUMNS: Final = ("target", "normal", "endpoint", "good", "rows", "fields")
#: Fields of an answer that each site has a value of: a bit each of what a record says of them.
FIELDS: Final = (*LISTS, *SCALARS)
_ASKED_IN_RUNS: Final = {endpoint for endpoints in HELD.values() for endpoint in endpoints}
_PACKED: Final = "records"
#: That sites kept all their rows says that whole sites were taken out, but not where that is one row each.
_ROWS_EACH: Final = 2
_ADVICE: Final = (
    "Nobody said which sites were answered: the frame is not as a run gives it, or whole sites were taken out of it. "
    "Sites count that have a row, so shares are too large where others were answered with nothing. Pass "
    'sites=…, such as run.sites("categories"), or the frame of a run.'
)


class DenominatorWarning(UserWarning):
    """A finding counts the sites that have a row, as nobody said which others were answered with nothing."""


class Asked(dict[str, Any]):
    """The records that a frame was made of: target, site, endpoint, whether answered, rows, and fields with a value.

    It never changes, so that the copies that pandas makes of attrs with every operation are it itself. It is a
    dictionary only for JSON, as which pandas writes attrs into Parquet files; its one item is made when asked for.
    """

    def __init__(self, records: pa.Table) -> None:
        # Not empty, or json would not ask for items.
        super().__init__({_PACKED: ""})
        self._records = records
        self._tables: dict[bool, _Table] = {}

    @classmethod
    def of(
        cls,
        target: pa.Array,
        normal: pa.Array,
        endpoint: pa.Array,
        good: Bools,
        rows: Integers | None,
        *,
        fields: Integers | None = None,
    ) -> Asked:
        """Return what a frame's records say.

        `rows` is how many rows each has, None where that is one; `fields` are the bits of `FIELDS` of which each has a
        value, None where the frame is not of them.
        """
        many = np.ones(len(good), dtype=np.int32) if rows is None else rows.astype(np.int32)
        kinds = endpoint.fill_null("").dictionary_encode()
        held = pa.nulls(len(good), pa.int32()) if fields is None else pa.array(fields.astype(np.int32))
        columns = [target, normal, kinds, pa.array(good), pa.array(many), held]
        return cls(pa.table(dict(zip(_COLUMNS, columns, strict=True))))

    @classmethod
    def joined(cls, several: Sequence[Asked]) -> Asked:
        """Return what parts of a run's frame say together."""
        if all(part == several[0] for part in several[1:]):
            return several[0]
        records = [part._records for part in several]  # noqa: SLF001 - its own
        return cls(pa.concat_tables(records).unify_dictionaries())

    def only(self, endpoints: Sequence[str]) -> Asked:
        """Return what is said of these questions."""
        kinds = self._records["endpoint"].cast(pa.large_string())
        return Asked(self._records.filter(pc.is_in(kinds, pa.array(endpoints, pa.large_string()))))

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Asked | None:
        """Return what `items` wrote; None for anything else."""
        try:
            kept = json.loads(unpacked(base64.b64decode(document[_PACKED], validate=True)))
            target, endpoint, good, rows = (kept[name] for name in ("target", "endpoint", "good", "rows"))
            normal = target if kept["normal"] is None else kept["normal"]
            target, normal, endpoint = (pa.array(texts, pa.large_string()) for texts in (target, normal, endpoint))
            # Files that were written before fields were kept say nothing of them.
            held = kept.get("fields")
            fields = None if held is None else np.array(held, dtype=np.int32)
            return cls.of(
                target, normal, endpoint, np.array(good, dtype=bool), np.array(rows, dtype=np.int32), fields=fields
            )
        except (LookupError, TypeError, ValueError, pa.ArrowException, RecursionError):
            return None

    def items(self) -> Any:  # the type of a dictionary's items has no name
        """Return it as JSON has it: packed, for Parquet files keep it several times."""
        kept = {name: column.to_pylist() for name, column in zip(_COLUMNS, self._records.columns, strict=True)}
        kept["normal"] = None if kept["normal"] == kept["target"] else kept["normal"]
        kept["fields"] = None if None in kept["fields"] else kept["fields"]
        packed = zlib.compress(json.dumps(kept, separators=(",", ":")).encode())
        return {_PACKED: base64.b64encode(packed).decode("ascii")}.items()

    def table(self, *, by_target: bool) -> _Table:
        """Return the records by site, or by target for frames that have lost the column ``normal``."""
        if by_target not in self._tables:
            self._tables[by_target] = _Table.of(self._records, by_target=by_target)
        return self._tables[by_target]

    def __copy__(self) -> Asked:
        return self

    def __deepcopy__(self, memo: Any) -> Asked:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Asked, (self._records,)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Asked):
            return NotImplemented
        mine, its = self._records, other._records
        return len(mine) == len(its) and bool(mine.equals(its))

    __hash__ = None

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __repr__(self) -> str:
        table = self.table(by_target=False)
        good = len(np.unique(table.site[table.good]))
        return f"<Asked: {good:,} of {len(table.names):,} sites answered>"


class _Table(NamedTuple):
    """Records with their sites by number."""

    names: pd.Index
    site: Integers
    endpoint: Integers
    endpoints: list[str]
    good: Bools
    rows: Integers
    fields: Integers | None

    @classmethod
    def of(cls, records: pa.Table, *, by_target: bool) -> _Table:
        target, normal = (pd.Series(records[name].to_pandas(), dtype="str") for name in ("target", "normal"))
        named = target if by_target else normal.where(normal.notna(), target)
        site, names = numbered(named)
        kinds = records["endpoint"].combine_chunks()
        places = np.asarray(kinds.indices.to_numpy(zero_copy_only=False), dtype=np.int64)
        good = records["good"].to_numpy() & (site >= 0)
        rows = records["rows"].to_numpy().astype(np.int64)
        held = records["fields"]
        fields = None if held.null_count else held.to_numpy().astype(np.int32)
        return cls(names, site, places, kinds.dictionary.to_pylist(), good, rows, fields)


class Counted(NamedTuple):
    """The sites that count, and those that have only failed.

    Attributes
    ----------
    answered, failed : Index
        The sites.
    told : bool
        Whether it is sure that these are all.
    answered_at, failed_at : array of int
        Their places among the sites of the frame's rows, -1 for those without a row.
    """

    answered: pd.Index
    failed: pd.Index
    told: bool
    answered_at: Integers
    failed_at: Integers


def asked_of(frame: pd.DataFrame) -> Asked | None:
    """Return what a frame's attrs say of who was asked, also where they come from a Parquet file."""
    found = frame.attrs.get(ASKED)
    if found is None or isinstance(found, Asked):
        return found
    return Asked.read(found) if isinstance(found, Mapping) else None


def shows_every_site(frame: pd.DataFrame) -> bool:
    """Tell whether each answered site has a row: in all but frames of codes, categories and technologies."""
    columns = set(frame.columns)
    return not ({"dimension", "code"} <= columns or {"taxonomy", "id"} <= columns or "technology" in columns)


def counted(
    frame: pd.DataFrame, site: Integers, names: pd.Index, good: Bools, parts: Iterable[str] | None = None
) -> Counted:
    """Return which sites count in a finding of a frame where the caller did not say it.

    All that were answered, whichever rows were taken out of the frame since: of a frame that was cut to a taxonomy or a
    confidence, a site without a row has nothing of the kind. But if whole sites were taken out and nothing else, so
    that of every site there are all rows or none, only the sites that are left count, and `told` is False if others
    might have been left that were answered with nothing; none counts where failures alone are left. A cut to a value
    may leave such rows too: where sites have a row each, or all rows are of one dimension, top category or kind of
    technology, nobody can tell, and all count.

    `site` has each row's place among `names`, or -1; `good` are the rows of answers. `parts` are the frames or
    taxonomies that are counted, as their answers come from different questions; by default any counts.
    """
    seen, some = np.zeros((2, len(names) + 1), dtype=bool)
    seen[site] = some[site[good]] = True  # the last place is of rows without a site
    seen, some = seen[:-1], some[:-1]
    well, ill = np.flatnonzero(some), np.flatnonzero(seen & ~some)
    own = Counted(names.take(well), names.take(ill), shows_every_site(frame), well, ill)
    asked = None if own.told else asked_of(frame)
    if asked is None:
        return own
    table = asked.table(by_target="normal" not in frame.columns)
    place = placed_among(names, table.names)
    if (place[some] < 0).any():
        return own  # rows were added: it is not the frame that was made
    back = np.full(len(table.names) + 1, -1)
    back[place] = np.arange(len(names))
    back = back[:-1]
    endpoints = np.array([_holds(name, parts) for name in table.endpoints], dtype=bool)
    kept, whole = _kept(frame, table, np.append(place, -1)[site], good)
    lost = (kept == 0) & (whole > 0)
    if lost.any() and not kept.any() and len(own.failed):
        return own._replace(told=True)  # failures alone were kept
    if lost.any() and _is_of_sites(kept, whole) and _is_mixed(frame):
        if kept.shape[1] > 1:
            there = kept.any(axis=0)
            endpoints &= there
            lost = lost[:, there]
        if lost.any():
            answered = _sites(table, table.good & endpoints[table.endpoint])
            left = answered & kept.any(axis=1)
            blank = answered & ~whole.any(axis=1)
            return own._replace(answered=table.names[left], told=not blank.any(), answered_at=back[left])
    held = endpoints[table.endpoint]
    answered = _sites(table, table.good & held)
    failed = _sites(table, held) & ~answered
    return Counted(table.names[answered], table.names[failed], True, back[answered], back[failed])


def known_sites(frame: pd.DataFrame, names: pd.Index, kinds: Iterable[str]) -> dict[str, tuple[Bools, Bools]]:
    """Return of which sites a dimension or taxonomy is known, as far as the frame's run says; the others are not told.

    Of each kind two things of each site: whether the run was asked for it at all, and whether it is known then.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> codes = sample_run().codes()
    >>> high = codes[codes["code"] == "high"]
    >>> told, known = known_sites(high, high["normal"].drop_duplicates(), ["income_level"])["income_level"]
    >>> bool(told.all()), bool(known.all())
    (True, True)
    """
    asked = asked_of(frame)
    if asked is None:
        return {}
    table = asked.table(by_target="normal" not in frame.columns)
    place = placed_among(names, table.names)
    there = place >= 0
    found: dict[str, tuple[Bools, Bools]] = {}
    for kind in kinds:
        if kind in FIELDS and table.fields is not None:
            held = table.good & (table.fields >> FIELDS.index(kind) & 1 == 1)
        elif kind in HELD and not all(_holds(endpoint, [kind]) for endpoint in table.endpoints):
            held = table.good & np.array([_holds(name, [kind]) for name in table.endpoints], dtype=bool)[table.endpoint]
        else:
            continue
        found[kind] = there, there & np.append(_sites(table, held), False)[place]
    return found


def asked_for(frame: pd.DataFrame, kinds: Iterable[str]) -> list[str]:
    """Return the frames and taxonomies that a frame's run asked for; all where nobody says it.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> asked_for(sample_run().codes(), ["codes", "filtering"])
    ['codes']
    """
    asked = asked_of(frame)
    if asked is None:
        return list(kinds)
    endpoints = asked.table(by_target="normal" not in frame.columns).endpoints
    return [kind for kind in kinds if any(_holds(name, [kind]) for name in endpoints)]


def warn_untold() -> None:
    """Say once a process that a finding counts sites of a frame of which nobody said who was answered."""
    if not _warned:
        _warned.append(True)
        warnings.warn(_ADVICE, DenominatorWarning, stacklevel=levels_inside())


_warned: list[bool] = []


def joined(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return parts of a run's frame as one, as `pandas.concat` does, without losing who was asked.

    Parameters
    ----------
    parts : iterable of DataFrame
        Parts as ``run.iter_frames(…)`` yields them.

    Returns
    -------
    DataFrame
        Their rows, numbered anew. `pandas.concat` drops what parts say of themselves where they do not say the same, so
        that findings would not know of sites that were answered with nothing.

    Raises
    ------
    InputError
        If there is no part.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> from toolkit.findings import coverage
    >>> run = sample_run()
    >>> parts = [run.frame("categories", 0, 30), run.frame("categories", 30)]
    >>> coverage(joined(parts)).attrs["about"]["sites"]
    62
    """
    listed = list(parts)
    if not listed:
        raise InputError("There are no parts to join. Pass the frames of run.iter_frames(…).")
    whole = pd.concat(listed, ignore_index=True)
    asked = [found for part in listed if (found := asked_of(part)) is not None]
    if len(asked) == len(listed):
        whole.attrs[ASKED] = Asked.joined(asked)
    return whole


def _holds(endpoint: str, parts: Iterable[str] | None) -> bool:
    # Of a question that is in no run, such as a batch's results, nothing is known.
    return parts is None or endpoint not in _ASKED_IN_RUNS or any(endpoint in HELD.get(part, ()) for part in parts)


def _sites(table: _Table, records: Bools) -> Bools:
    some = np.zeros(len(table.names), dtype=bool)
    some[table.site[records & (table.site >= 0)]] = True
    return some


def _kept(frame: pd.DataFrame, table: _Table, place: Integers, good: Bools) -> tuple[Integers, Integers]:
    """Return how many rows of answers each site has in a frame and had in the whole, by question if that is known."""
    width = 1
    kinds: Integers = np.zeros(len(frame), dtype=np.int32)
    if len(table.endpoints) > 1 and "endpoint" in frame.columns:
        number, found = pd.factorize(frame["endpoint"].fillna(""))
        at = {name: place for place, name in enumerate(table.endpoints)}
        width, kinds = len(at), np.array([at.get(name, -1) for name in found], dtype=np.int64)[number]
    shape = (len(table.names), width)
    there = good & (place >= 0) & (kinds >= 0)
    kept = np.bincount(place[there] * width + kinds[there], minlength=shape[0] * width)
    key = table.site * width + (table.endpoint if width > 1 else 0)
    whole = np.bincount(key[table.good], weights=table.rows[table.good], minlength=shape[0] * width)
    return kept.reshape(shape), whole.astype(np.int64).reshape(shape)


def _is_of_sites(kept: Integers, whole: Integers) -> bool:
    """Tell whether whole sites were taken out and nothing else."""
    return bool(((kept == 0) | (kept >= whole)).all() and kept.sum() >= _ROWS_EACH * (kept > 0).sum() > 0)


def _is_mixed(frame: pd.DataFrame) -> bool:
    """Tell whether a frame has rows of different kinds, and so was not cut to one of them."""
    kind = next((name for name in ("dimension", "level_1", "category") if name in frame.columns), None)
    return kind is not None and len(frame[kind].dropna().unique()) > 1
