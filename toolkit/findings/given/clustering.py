"""Which sites belong together, as pages of one domain do, so that they say less than as many that do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pandas as pd
import pyarrow.compute as pc  # type: ignore[import-untyped]

from toolkit.findings.statistics.clusters import Clustered
from toolkit.frames.about import normal_of, site_of
from toolkit.frames.numbering import numbered, texts_of
from toolkit.interface.errors import InputError, TargetError, nearest_to
from toolkit.interface.targets import parse_target, registrable_domain

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    Integers = NDArray[np.int64]

__all__ = ["AUTO", "DOMAIN", "Cluster", "Clustering", "clustering", "domain_numbers", "domain_of"]

Cluster: TypeAlias = str | Mapping[str, Any] | pd.Series | bool | None

#: By domain, if several sites are of one.
AUTO: Final = "auto"
#: By the registrable domain of each site.
DOMAIN: Final = "domain"
#: The last two labels of a host, alone or before a path.
_END: Final = r"^(?:[a-z0-9.-]*\.)?(?P<end>[a-z0-9-]+\.[a-z0-9-]+)(?:/.*)?$"
#: A host of two labels, and nothing else.
_WHOLE: Final = r"^[a-z0-9-]+\.[a-z0-9-]+$"
#: The last two labels of any host.
_TAIL: Final = r"(?P<tail>(?:[^.]*\.)?[^.]*)$"
#: A site as frames write it, of which the host is read without parsing the rest.
_PLAIN: Final = r"^(?:https?://)?(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[/?](?s:.*))?$"
#: Fewer domains than this are the only ones asked about, so that their pages are what is counted.
_LEAST: Final = 2
_HOSTS: Final = 200_000


@dataclass(frozen=True)
class Clustering:
    """Sites with their clusters.

    Attributes
    ----------
    by : str
        What clusters are: ``"domain"``, or the name of a column.
    cluster : array of int
        The number of each site's cluster, from 0.
    """

    by: str
    cluster: Integers

    @property
    def clusters(self) -> int:
        """How many clusters there are."""
        return int(self.cluster.max(initial=-1)) + 1

    def sums(self, has: sparse.csr_array) -> Clustered:
        """Return how many sites of each cluster have each code."""
        return Clustered.of(has, self.cluster)

    def only(self, rows: NDArray[Any]) -> Clustering:
        """Return the same of some of the sites."""
        return Clustering(self.by, np.unique(self.cluster[rows], return_inverse=True)[1])

    def about(self) -> dict[str, Any]:
        """Return what a finding says of it in its attrs."""
        return {"cluster": {"by": self.by, "clusters": self.clusters}}


def clustering(cluster: Cluster, sites: pd.Index, frames: Iterable[pd.DataFrame] = ()) -> Clustering | None:
    """Return the clusters of sites; None where each site counts by itself.

    Parameters
    ----------
    cluster : str, mapping, Series, False or None
        ``"auto"``: by domain if several of the sites, but not all, are of one domain; ``"domain"``: by the domain that
        one registers; else a column of the frames, or the cluster of each target. A site of which nothing is said is a
        cluster of its own. None and False: no clusters.
    sites : Index
        The sites that count; of several runs a site may be there several times.
    frames : iterable of DataFrame
        Where a column is looked for.

    Examples
    --------
    >>> sites = pd.Index(["https://a.example/1", "https://www.a.example/2", "b.example"])
    >>> clustering("auto", sites).cluster.tolist()
    [0, 0, 1]
    >>> clustering("auto", sites[1:]) is None
    True
    """
    if cluster is None or cluster is False:
        return None
    if isinstance(cluster, str) and cluster in {AUTO, DOMAIN}:
        if cluster == AUTO and _end_differently(sites):
            return None
        found = Clustering(DOMAIN, domain_numbers(sites))
        several = found.clusters < len(numbered(sites)[1])
        return found if cluster == DOMAIN or (several and found.clusters >= _LEAST) else None
    by, said = _said(cluster, sites, frames)
    number = pd.factorize(said)[0]
    alone = number < 0
    number[alone] = number.max(initial=-1) + 1 + pd.factorize(sites[alone])[0]
    return Clustering(by, np.unique(number, return_inverse=True)[1])


def _said(cluster: Cluster, sites: pd.Index, frames: Iterable[pd.DataFrame]) -> tuple[str, pd.Series]:
    """Return what the clusters are called, and the cluster of each site; missing where nothing is said of it."""
    if isinstance(cluster, str):
        parts = [frame for frame in frames if cluster in frame.columns]
        if not parts:
            known = [str(column) for frame in frames for column in frame.columns]
            near = ", ".join(nearest_to(cluster, dict.fromkeys([*known, DOMAIN])))
            raise InputError(
                f"The frame has no column {cluster!r} that says which sites belong together. Nearest: {near}. Pass a "
                "column of the frame, 'domain', a Series of clusters indexed by target, or None."
            )
        given = pd.concat([pd.Series(part[cluster].array, index=pd.Index(site_of(part))) for part in parts])
        by = cluster
    elif isinstance(cluster, (pd.Series, Mapping)):
        given = pd.Series(cluster) if isinstance(cluster, Mapping) else cluster
        by = str(given.name) if isinstance(given.name, str) else "cluster"
        known_sites = set(sites)
        given = given.set_axis([name if name in known_sites else _site(name) for name in given.index])
    else:
        raise InputError(
            f"cluster= is of type {type(cluster).__name__}. Pass 'domain', a column of the frame, a Series or mapping "
            "of clusters by target, or None for none."
        )
    given = given[given.notna().to_numpy() & given.index.notna()].astype("str")
    several = given.groupby(level=0).nunique()
    if (several > 1).any():
        site = several.index[several > 1][0]
        raise InputError(f"The site {site!r:.80} is in several clusters of {by!r}. Give each site one.")
    return by, pd.Series(sites).map(given[~given.index.duplicated()])


def _site(target: Any) -> str | None:
    return normal_of(target) if isinstance(target, str) else None


def _end_differently(sites: pd.Index) -> bool:
    """Tell whether no two sites have their last two labels in common, so that each is a domain of its own."""
    texts = texts_of(sites)
    # Of most hosts the last two labels are all, which is seen sooner than read.
    whole = pc.match_substring_regex(texts, _WHOLE).fill_null(fill_value=False)
    ends = pc.struct_field(pc.extract_regex(texts.filter(pc.invert(whole)), _END), "end")
    if ends.null_count or pc.count_distinct(ends).as_py() < len(ends):
        return False
    if len(ends) and pc.any(pc.is_in(texts.filter(whole), value_set=ends)).as_py():
        return False
    in_order = len(texts) < _LEAST or pc.all(pc.greater(texts[1:], texts[:-1])).as_py()
    return bool(in_order or len(numbered(sites)[1]) == len(sites))


def domain_numbers(sites: pd.Index) -> NDArray[np.int64]:
    """Return the number of each site's registrable domain; what has none is a domain of its own.

    >>> domain_numbers(pd.Index(["a.example/1", "b.example", "shop.a.example"])).tolist()
    [0, 1, 0]
    """
    host, hosts = numbered(pd.Index(_hosts(sites)))
    tail, tails = numbered(pd.Series(pc.struct_field(pc.extract_regex(texts_of(hosts), _TAIL), "tail").to_pandas()))
    # Looking a domain up takes longer than all else, and hosts of one domain end alike.
    several = np.flatnonzero(np.bincount(tail, minlength=len(tails))[tail] > 1)
    domains = pd.Series(hosts.array, dtype="str")
    domains.iloc[several] = [_domain(name) for name in hosts[several]]
    number: NDArray[np.int64] = numbered(domains)[0][host].astype(np.int64)
    return number


def domain_of(site: str) -> str:
    """Return the registrable domain of a site, or its host where it has none.

    >>> domain_of("https://shop.a.example/1")
    'a.example'
    """
    return _domain(_host(site))


def _hosts(sites: pd.Index) -> pd.Series:
    """Return each site's host."""
    found = pd.Series(pc.struct_field(pc.extract_regex(texts_of(sites), _PLAIN), "host").to_pandas(), dtype="str")
    odd = np.flatnonzero(found.isna().to_numpy())
    found.iloc[odd] = [_host(site) for site in sites[odd]]
    return found


def _host(site: str) -> str:
    try:
        return parse_target(site).domain
    except TargetError:  # answered all the same, so it stands for itself
        return site


@lru_cache(maxsize=_HOSTS)
def _domain(host: str) -> str:
    return registrable_domain(host) or host
