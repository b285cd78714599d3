"""What is compared: who of groups and of their baseline has which code, of the sites of which it is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.statistics.clusters import ClusterTests, clustered_interval, clustered_tests
from toolkit.findings.statistics.margins import Margins, Worths, tested_once, tests_of_parts
from toolkit.findings.statistics.weighted import Sums, Worth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from toolkit.findings.given.clustering import Clustering
    from toolkit.findings.incidence import Incidence

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Bools = NDArray[np.bool_]

__all__ = ["Compared"]


@dataclass(frozen=True)
class Compared:
    """What is compared: groups and codes, with a baseline that is a run, some sites, or all sites or the rest of them.

    Everything is of the codes that somebody has, and of rows or tables of all groups and these codes.
    """

    found: Incidence
    run: Incidence | None
    who: Bools | None
    rest: bool

    def sums(self, table: Callable[[Incidence], Any]) -> tuple[Any, Any, Any]:
        """Return the sums over the sites of each group, of its baseline, and of both."""
        values = table(self.found)
        have = (self.found.members @ values).toarray()
        if self.run is not None:
            return have, np.tile(np.asarray(table(self.run).sum(axis=0)), (len(have), 1)), np.zeros_like(have)
        if self.who is not None:
            here = self.who.astype(np.int64)
            common = self.found.members.multiply(here[None, :]).tocsr()
            return have, np.tile(here @ values, (len(have), 1)), (common @ values).toarray()
        whole = values if self.found.grouped is None else values[np.flatnonzero(self.found.grouped)]
        every = np.tile(np.asarray(whole.sum(axis=0)), (len(have), 1))
        return (have, every - have, np.zeros_like(have)) if self.rest else (have, every, have)

    @cached_property
    def _having(self) -> tuple[Any, Any, Any]:
        return self.sums(lambda table: table.has)

    @cached_property
    def seen(self) -> Counts:
        """The codes that any group or baseline has."""
        return np.flatnonzero((self._having[0] > 0).any(axis=0) | (self._having[1] > 0).any(axis=0))

    @cached_property
    def counts(self) -> Margins:
        """The sites of each row."""
        return Margins(
            *(values[:, self.seen].ravel() for values in self._having),
            *(values[:, self._part].ravel() for values in self.sums(self._known)),
        )

    @cached_property
    def parts(self) -> list[tuple[Counts, Bools]]:
        """The places among the codes seen of those that are known of the same sites, and which sites these are."""
        tables = [self.found, *([] if self.run is None else [self.run])]
        dimensions = self.found.codes["dimension"].to_numpy(dtype=object)[self.seen]
        place, names = pd.factorize(dimensions)
        alike: dict[bytes, tuple[list[int], Bools]] = {}
        for at, name in enumerate(map(str, names)):
            known = np.concatenate([table.known_of(name) for table in tables])
            alike.setdefault(known.tobytes(), ([], known))[0].append(at)
        return [(np.flatnonzero(np.isin(place, some)), known) for some, known in alike.values()]

    @cached_property
    def _part(self) -> Counts:
        """The part of each code seen."""
        place = np.zeros(len(self.seen), dtype=np.int64)
        for number, (columns, _) in enumerate(self.parts):
            place[columns] = number
        return place

    def _known(self, table: Incidence) -> sparse.csr_array:
        """Return sites × parts: 1 where the codes of a part are known of a site."""
        mine = slice(0, len(self.found.sites)) if table is self.found else slice(len(self.found.sites), None)
        known = [rows[mine] for _, rows in self.parts]
        every = np.stack(known, axis=1) if known else np.zeros((len(table.sites), 0), dtype=bool)
        return sparse.csr_array(every.astype(np.int64))

    def _placed(self, parts: Iterable[Any]) -> Any:
        """Return arrays of groups × codes, the last two of their axes, of those of each part."""
        whole: Any = None
        for (columns, _), values in zip(self.parts, parts, strict=True):
            if whole is None:
                whole = np.zeros((*values.shape[:-1], len(self.seen)), dtype=values.dtype)
            whole[..., columns] = values
        return whole

    @property
    def sites(self) -> pd.Index:
        """All sites, those of a run the last."""
        return self.found.sites if self.run is None else self.found.sites.append(self.run.sites)

    @cached_property
    def has(self) -> sparse.csr_array:
        """Who of all sites has what."""
        parts = [self.found.has[:, self.seen], *([] if self.run is None else [self.run.has[:, self.seen]])]
        return sparse.csr_array(parts[0] if len(parts) == 1 else sparse.vstack(parts))

    @property
    def family(self) -> Counts:
        """The number of each row's dimension."""
        dimensions = self.found.codes["dimension"].to_numpy(dtype=object)[self.seen]
        return np.tile(np.unique(dimensions, return_inverse=True)[1], len(self.found.names))

    @property
    def once(self) -> Counts:
        """Of each row the first that has the same test."""
        either = self.run is None and self.who is None
        first: Counts = np.arange(len(self.found.names) * len(self.seen)).reshape(len(self.found.names), -1)
        for columns, known in self.parts if either else ():
            groups = tested_once(self.found.members[:, np.flatnonzero(known & self._inside)])
            first[:, columns] = np.add.outer(groups * len(self.seen), columns)
        return first.ravel()

    @property
    def _inside(self) -> Bools:
        """The sites, of which it is known in which group they are."""
        grouped = self.found.grouped
        return np.ones(len(self.sites), dtype=bool) if grouped is None else grouped

    @property
    def itself(self) -> Bools:
        """Whether the group of each row is its baseline, whatever is known."""
        n, base_n, both_n = self.sums(lambda table: sparse.csr_array(np.ones((len(table.sites), 1), dtype=np.int64)))
        return np.repeat((n == both_n) & (base_n == both_n), len(self.seen))

    def sides(self) -> Iterator[tuple[Bools, Bools]]:
        """Yield of each group which sites are in it, and which in its baseline; the sites of a run are the last."""
        here, more = np.ones(len(self.found.sites), dtype=bool), 0 if self.run is None else len(self.run.sites)
        every = here if self.found.grouped is None else self.found.grouped
        inside = ~here if self.run is not None else every if self.who is None else self.who
        base = np.append(inside, np.ones(more, dtype=bool))
        for number in range(len(self.found.names)):
            group = np.append(self.found.members[[number], :].toarray()[0] > 0, np.zeros(more, dtype=bool))
            yield group, base & ~group if self.rest else base

    def clustered(self, clusters: Clustering) -> ClusterTests:
        """Return the tests where sites belong together."""
        tests = []
        for columns, known in self.parts:
            if self.run is None and self.who is None:
                rows = np.flatnonzero(known & self._inside)
                members = self.found.members[:, rows]
                tests.append(clustered_tests(self.has[rows][:, columns], clusters.cluster[rows], members))
            else:
                rows = np.flatnonzero(known)
                sides = ((group[rows], base[rows]) for group, base in self.sides())
                tests.append(tests_of_parts(self.has[rows][:, columns], clusters.cluster[rows], sides))
        return ClusterTests(*(self._placed(values) for values in zip(*tests, strict=True)))

    def clustered_limits(self, clusters: Clustering, level: float) -> Floats:
        """Return the limits of shares of sites that belong together, and as how many sites they count."""
        has, members = self.found.has[:, self.seen], self.found.members
        limits = np.full((3, members.shape[0], self.seen.size), np.nan)
        for group in range(len(self.found.names)):
            mine = members.indices[members.indptr[group] : members.indptr[group + 1]]
            for columns, known in self.parts:
                rows = mine[known[mine]]
                if not rows.size:
                    limits[2, group, columns] = 0.0
                    continue
                every = clusters.only(rows).sums(has[rows][:, columns])
                of_share = clustered_interval(every.have, every.n, every.effect, every.freedom, level)
                limits[:, group, columns] = *of_share, every.n / every.effect
        return limits.reshape(3, -1)

    def clustered_worths(self, weight: Floats, cluster: Counts, level: float) -> Worths:
        """Return what sites tell by weight that belong together."""
        found = []
        for columns, known in self.parts:
            rows = np.flatnonzero(known)
            sides = ((group[rows], base[rows]) for group, base in self.sides())
            found.append(Worths.of_clusters(self.has[rows][:, columns], weight[rows], cluster[rows], sides, level))
        shape = (len(self.found.names), -1)

        def placed(values: Iterable[Floats]) -> Floats:
            whole: Floats = self._placed(column.reshape(shape) for column in values).ravel()
            return whole

        of_parts = zip(*(worths[:-1] for worths in found), strict=True)
        group, base, first, second, both = (Worth(*map(placed, zip(*parts, strict=True))) for parts in of_parts)
        return Worths(group, base, first, second, both, placed(worths.rarest for worths in found))

    def weighted_sums(self, values: Floats) -> tuple[Sums, Sums, Sums]:
        """Return for each row what the weights of the sites of the group, of its baseline and of both sum to."""
        weight = {id(self.found): values[: len(self.found.sites)], id(self.run): values[len(self.found.sites) :]}
        powers = tuple(
            self.sums(lambda table: sparse.diags_array(_power(weight[id(table)], power)) @ table.has)  # noqa: B023
            for power in range(3)
        )
        wholes = tuple(
            self.sums(lambda table: sparse.diags_array(_power(weight[id(table)], power)) @ self._known(table))  # noqa: B023
            for power in range(3)
        )
        parts = []
        for place in range(3):
            have, on, squares = (power[place][:, self.seen].ravel() for power in powers)
            n, total, total_squares = (power[place][:, self._part].ravel() for power in wholes)
            parts.append(Sums(have, n, on, squares, total, total_squares))
        return parts[0], parts[1], parts[2]

    def texts(self, rows: Counts) -> pd.DataFrame:
        """Return the names of some rows' groups and codes."""
        group, place = np.divmod(rows, max(len(self.seen), 1))
        columns: dict[str, Any] = {"group": pd.array(self.found.names, dtype="str").take(group)}
        columns |= {str(name): column.array.take(self.seen[place]) for name, column in self.found.codes.items()}
        return pd.DataFrame(columns)


def _power(weight: Floats, power: int) -> Floats:
    """Return a power of weights; to the power of 0, whether there is any."""
    found: Floats = (weight > 0).astype(np.float64) if power == 0 else weight**power
    return found
