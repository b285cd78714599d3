"""Traffic rank of domains, from a list of ranked domains that the operator supplies."""

from __future__ import annotations

import csv
import gzip
import re
import threading
import zlib
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from toolkit.interface.errors import ConfigurationError, TargetError
from toolkit.interface.targets import parse_domain, registrable_domain
from toolkit.interface.text import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    import pyarrow as pa  # type: ignore[import-untyped]
    from numpy.typing import NDArray

__all__ = ["RankedDomains"]

#: Names of the columns in the header lines of public lists, in lower case.
_HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "domain": ("domain", "origin", "host", "hostname", "site", "website"),
    "rank": ("rank", "globalrank", "global_rank", "position"),
    "previous": ("previous_rank", "previousrank", "prevglobalrank", "previous_global_rank"),
    "visits": ("monthly_visits", "visits"),
}
#: Columns of a list without a header line, by their number.
_HEADLESS: Final[dict[int, tuple[str, ...]]] = {
    1: ("domain",),
    2: ("rank", "domain"),
    3: ("rank", "domain", "previous"),
}
_NUMBERS: Final = ("rank", "previous", "visits")
_SCHEME_AND_WWW: Final = r"^(?:https?://)?(?:www\.)?"
_LABEL: Final = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_DOMAIN: Final = rf"^{_LABEL}(?:\.{_LABEL})*$"
_WHOLE: Final = re.compile(r"\d{1,15}")
_MOST_RANK: Final = 4_000_000_000
_GZIP: Final = b"\x1f\x8b"
#: Lines read before the service starts; the rest is read on first use.
_FIRST_LINES: Final = 1_000
_BLOCK_BYTES: Final = 1_000_000
_SHOWN: Final = 60
#: Change against the older rank from which a domain rises or falls.
_CHANGE: Final = 0.1


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a list is written: the role of each column (empty where it has none), its delimiter, and its first line."""

    roles: tuple[str, ...]
    delimiter: str
    has_header: bool


@dataclass(frozen=True, slots=True)
class _Table:
    """The list as arrays, sorted by the names' hashes: 12 bytes a domain, and 12 more with both optional columns."""

    hashes: NDArray[np.int64]
    ranks: NDArray[np.uint32]
    previous: NDArray[np.uint32] | None
    visits: NDArray[np.int64] | None


class RankedDomains:
    """A list of ranked domains in a file, read whole on first use, and not again when it changes.

    A line is ``rank,domain`` or ``rank,domain,previous_rank`` as public top lists have it, or a domain alone, whose
    rank is its place. A header line may name the columns in any order instead: ``domain`` (or ``origin``, ``host``),
    ``rank`` (``GlobalRank``), ``previous_rank`` (``PrevGlobalRank``) and ``monthly_visits``; other columns are passed
    over. Columns are parted by commas, semicolons or tabs; the file may be gzipped. Names are kept as 64-bit hashes: a
    name that is not in a list of a million is taken for another one about once in 10¹³ times. A file that cannot be
    read, or one of whose first 1,000 lines is no entry, is a `ConfigurationError` at once, which names the line.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._table: _Table | None = None
        self._layout = self._checked(_FIRST_LINES)

    def load(self) -> _Table:
        """Read the whole list, once; a `ConfigurationError` names the line that is no entry."""
        with self._lock:
            if self._table is None:
                self._table = self._read()
            return self._table

    def facts(self, domain: str) -> dict[str, Any]:
        """Return what the list says about a domain in normal form, or else about its registrable domain.

        Where it has either there are `traffic_rank`; `ranked_domain`, the one of both that the rank is about;
        `growth_trend` where the list has an older rank: ``rising`` where the rank is better than it by a tenth or more
        (``rank <= 0.9 * previous_rank``), ``falling`` where the older one is better by as much, else ``stable``; and
        `monthly_visits` where the list has it, as the range of its order of magnitude (``100K-500K``).

        `monthly_visits` is never estimated from the rank. That visits fall with about the reciprocal of the rank is
        well known, but the visits of rank 1, which such a rule needs, differ by orders of magnitude between lists (DNS
        queries, links, page loads), and no list states them.
        """
        table = self.load()
        for name in dict.fromkeys((domain, registrable_domain(domain) or domain)):
            place = int(table.hashes.searchsorted(hash(name)))
            if place < len(table.hashes) and table.hashes[place] == hash(name):
                return _facts(table, place, name)
        return {}

    def _checked(self, most: int | None) -> _Layout:
        """Read lines one by one and return the layout; slow, so for the first lines and to find what is wrong."""
        try:
            with _opened(self._path) as file:
                return self._checked_lines(self._lines(file), most)
        except csv.Error as error:
            raise self._wrong(f"is no CSV file: {error}. Write rank,domain a line") from None
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise self._wrong("is a damaged gzip file. Copy it again") from None
        except OSError as error:
            raise self._wrong(f"cannot be read: {error.strerror or error}. Check the path") from None

    def _lines(self, file: Iterable[bytes]) -> Iterator[str]:
        for number, line in enumerate(file, 1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise self._wrong(f"line {number} is not UTF-8 text. Save the file as UTF-8") from None

    def _checked_lines(self, lines: Iterator[str], most: int | None) -> _Layout:
        above, first = next(((place, line) for place, line in enumerate(lines) if line.strip()), (0, ""))
        if not first:
            raise self._wrong("is empty. Write rank,domain a line")
        delimiter = next((sign for sign in ",;\t" if sign in first), ",")
        rows = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
        header = next(rows)
        layout = _layout(header, delimiter)
        if layout is None:
            raise self._wrong(
                f"line {above + 1} is {_shown(header)}. Write rank,domain or a domain a line, or a header line"
            )
        for row in islice(rows if layout.has_header else chain([header], rows), most):
            if row and (problem := _problem(row, layout)):
                raise self._wrong(f"line {above + rows.line_num} {problem}. Mend or remove the line")
        return layout

    def _read(self) -> _Table:
        import pyarrow as pa  # noqa: PLC0415 - only where a list is used
        from pyarrow import csv as arrow_csv  # noqa: PLC0415

        layout = self._layout
        names = [role or f"other{place}" for place, role in enumerate(layout.roles)]
        wanted = [role for role in layout.roles if role]
        try:
            with pa.input_stream(str(self._path), compression="gzip" if _is_gzip(self._path) else None) as stream:
                reader = arrow_csv.open_csv(
                    stream,
                    arrow_csv.ReadOptions(
                        column_names=names, skip_rows=int(layout.has_header), block_size=_BLOCK_BYTES, use_threads=False
                    ),
                    arrow_csv.ParseOptions(delimiter=layout.delimiter),
                    arrow_csv.ConvertOptions(
                        include_columns=wanted,
                        column_types={role: pa.int64() if role in _NUMBERS else pa.string() for role in wanted},
                    ),
                )
                blocks, count = [], 0
                for block in reader:
                    blocks.append(_block(block, count))
                    count += block.num_rows
        except (pa.ArrowException, OSError, ValueError):
            self._checked(None)  # says which line it is
            raise self._wrong("cannot be read as rank,domain a line. Check it with a CSV reader") from None
        table = _sorted(blocks)
        pa.default_memory_pool().release_unused()
        return table

    def _wrong(self, problem: str) -> ConfigurationError:
        return ConfigurationError(f"The list of ranked domains {shortened(str(self._path), 200)} {problem}.")


def _layout(first: list[str], delimiter: str) -> _Layout | None:
    titles = [title.strip().lower() for title in first]
    roles = tuple(next((role for role, names in _HEADERS.items() if title in names), "") for title in titles)
    if roles.count("domain") == 1 and all(roles.count(role) <= 1 for role in _NUMBERS):
        return _Layout(roles, delimiter, has_header=True)
    headless = _HEADLESS.get(len(first))
    if headless is None or (headless[0] == "rank" and not _WHOLE.fullmatch(titles[0])):
        return None
    return _Layout(headless, delimiter, has_header=False)


def _problem(row: list[str], layout: _Layout) -> str:
    if len(row) != len(layout.roles):
        return f"has {len(row)} columns, not {len(layout.roles)}: {_shown(row)}"
    for role, text in zip(layout.roles, row, strict=True):
        if role == "domain" and _name(text) is None:
            return f"has no domain but {text[:_SHOWN]!r}"
        if role == "rank" and not (_WHOLE.fullmatch(text.strip()) and 0 < int(text) <= _MOST_RANK):
            return f"has no rank from 1 up but {text[:_SHOWN]!r}"
        if role in ("previous", "visits") and text.strip() and not re.fullmatch(r"-?\d{1,15}", text.strip()):
            return f"has no whole number but {text[:_SHOWN]!r}"
    return ""


def _shown(row: list[str]) -> str:
    return repr(shortened(",".join(row), _SHOWN))


def _name(text: str) -> str | None:
    """Return a name of the list in normal form; None if it is no domain."""
    bare = re.sub(_SCHEME_AND_WWW, "", text.strip().lower()).rstrip(".")
    if re.fullmatch(_DOMAIN, bare):
        return bare
    try:
        return None if bare.isascii() else parse_domain(bare)
    except TargetError:
        return None


def _block(block: pa.RecordBatch, before: int) -> dict[str, NDArray[Any]]:
    """Return a part of the list as arrays, or raise a `ValueError`; `before` domains stand ahead of it."""
    import numpy as np  # noqa: PLC0415 - only where a list is used
    import pyarrow.compute as pc  # type: ignore[import-untyped]  # noqa: PLC0415

    names = pc.utf8_rtrim(pc.utf8_lower(pc.utf8_trim_whitespace(block.column("domain"))), ".")
    names = pc.replace_substring_regex(names, _SCHEME_AND_WWW, "")
    wrong = np.flatnonzero(~pc.match_substring_regex(names, _DOMAIN).fill_null(False).to_numpy(zero_copy_only=False))
    texts: list[str] = names.to_pylist()
    for place in wrong:
        name = _name(texts[place] or "")
        if name is None:
            raise ValueError("no domain")
        texts[place] = name
    # The hash of a text is keyed anew in every process, so that nobody can make names that collide.
    found = {"hashes": np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts))}
    columns = set(block.schema.names)
    if "rank" in columns:
        found["ranks"] = block.column("rank").fill_null(0).to_numpy()
    else:
        found["ranks"] = np.arange(before + 1, before + len(texts) + 1, dtype=np.int64)
    if len(texts) and not 0 < found["ranks"].min() <= found["ranks"].max() <= _MOST_RANK:
        raise ValueError("no rank")
    found |= {role: block.column(role).fill_null(0).to_numpy() for role in ("previous", "visits") if role in columns}
    return {role: values.astype(np.uint32) if role == "ranks" else values for role, values in found.items()}


def _sorted(blocks: list[dict[str, NDArray[Any]]]) -> _Table:
    import numpy as np  # noqa: PLC0415

    whole = {role: np.concatenate([block[role] for block in blocks]) for role in (blocks[0] if blocks else ())}
    if not whole:
        empty = np.empty(0, dtype=np.int64)
        return _Table(empty, empty.astype(np.uint32), None, None)
    # The better rank first, where a list has a name twice, or with and without www.
    order = np.lexsort((whole["ranks"], whole["hashes"]))
    previous = whole.get("previous")
    return _Table(
        whole["hashes"][order],
        whole["ranks"][order],
        None if previous is None else np.clip(previous[order], 0, _MOST_RANK).astype(np.uint32),
        whole["visits"][order] if "visits" in whole else None,
    )


def _facts(table: _Table, place: int, name: str) -> dict[str, Any]:
    rank = int(table.ranks[place])
    found: dict[str, Any] = {"traffic_rank": rank, "ranked_domain": name}
    if table.previous is not None and (previous := int(table.previous[place])) > 0:
        found["growth_trend"] = _trend(rank, previous)
    if table.visits is not None and (visits := int(table.visits[place])) > 0:
        found["monthly_visits"] = _visits_range(visits)
    return found


def _trend(rank: int, previous: int) -> str:
    if rank <= (1 - _CHANGE) * previous:
        return "rising"
    return "falling" if previous <= (1 - _CHANGE) * rank else "stable"


def _visits_range(visits: int) -> str:
    """Return the range of a number of visits.

    >>> _visits_range(123_456), _visits_range(7_000_000), _visits_range(999)
    ('100K-500K', '5M-10M', '500-1K')
    """
    low = 10 ** (len(str(visits)) - 1)
    bounds = (low, 5 * low) if visits < 5 * low else (5 * low, 10 * low)
    return "-".join(map(_short, bounds))


def _short(number: int) -> str:
    size, sign = next(((s, n) for s, n in ((10**9, "B"), (10**6, "M"), (1000, "K")) if number >= s), (1, ""))
    return f"{number // size}{sign}"


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == _GZIP


def _opened(path: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path)) if _is_gzip(path) else path.open("rb")
