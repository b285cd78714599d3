"""The nodes of what can be covered: categories of a taxonomy, or interests and purchase intents of a vocabulary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.frames.schemas import LEVELS
from toolkit.interface.errors import InputError, UnknownCodeError, nearest_to
from toolkit.interface.taxonomy import PATH_SEPARATOR, TAXONOMIES, Taxonomy

if TYPE_CHECKING:
    from toolkit.interface.taxonomy import TaxonomyName
    from toolkit.interface.vocabulary import Kind, Vocabulary

    Integers = np.ndarray[Any, np.dtype[np.int64]]

__all__ = ["KINDS", "Nodes", "having", "nodes_of", "summed"]

#: Dimensions of the codes frame that hold the codes of a kind.
KINDS: Final[dict[Kind, tuple[str, ...]]] = {
    "interest": ("interest_group", "interest"),
    "purchase_intent": ("purchase_intent",),
}
_Row = tuple[str, str | None, tuple[str, ...]]


@dataclass(frozen=True)
class Nodes:
    """The nodes of a tree, each after its parent.

    Attributes
    ----------
    nodes : DataFrame
        One row a node: ``taxonomy``, ``id``, ``parent``, ``name``, ``tier``, ``level_1`` to ``level_4``, ``path``.
    parents : list of int
        Position of each node's parent, -1 at the top.
    leaves : array of int
        How many nodes without children are at or below each node.
    taxonomy : Taxonomy or None
        Where the nodes are from, if they are categories.
    """

    nodes: pd.DataFrame
    parents: list[int]
    leaves: Integers
    taxonomy: Taxonomy | None = None

    @classmethod
    def of(cls, name: str, rows: list[_Row], taxonomy: Taxonomy | None) -> Nodes:
        """Return the tree of nodes with their id, their parent's id, and the names from the top down."""
        places = {identifier: place for place, (identifier, _, _) in enumerate(rows)}
        parents = [-1 if parent is None else places[parent] for _, parent, _ in rows]
        columns: dict[str, list[Any]] = {
            "taxonomy": [name] * len(rows),
            "id": list(places),
            "parent": [parent for _, parent, _ in rows],
            "name": [levels[-1] for _, _, levels in rows],
            "tier": [len(levels) for _, _, levels in rows],
            **{
                level: [levels[n] if n < len(levels) else None for *_, levels in rows] for n, level in enumerate(LEVELS)
            },
            "path": [PATH_SEPARATOR.join(levels) for _, _, levels in rows],
        }
        nodes = pd.DataFrame(columns).astype({column: "int64" if column == "tier" else "str" for column in columns})
        without_children = np.ones(len(rows), dtype=np.int64)
        without_children[[parent for parent in parents if parent >= 0]] = 0
        return cls(nodes, parents, summed(without_children, parents), taxonomy)

    def positions(self, names: pd.Index) -> Integers:
        """Return the place of each id or path, -1 where the taxonomy lacks it."""
        found = pd.Index(self.nodes["id"]).get_indexer(names)
        by_path = pd.Index(self.nodes["path"])
        for place, name in enumerate(names):
            if found[place] >= 0:
                continue
            if self.taxonomy is not None and name in self.taxonomy:  # the whole lineage, joined by hyphens
                found[place] = self.nodes["id"].tolist().index(self.taxonomy[name].id)
            elif by_path.is_unique and name in by_path:
                found[place] = by_path.get_loc(name)
        return np.asarray(found, dtype=np.int64)


def nodes_of(taxonomy: str, vocabulary: Vocabulary | None) -> Nodes:
    """Return the nodes of a taxonomy, or of a kind of codes of a vocabulary, which is needed for these."""
    if isinstance(taxonomy, str) and taxonomy in TAXONOMIES:
        return _content_tree(taxonomy)
    if not isinstance(taxonomy, str) or taxonomy not in KINDS:
        known = (*TAXONOMIES, *KINDS)
        raise UnknownCodeError(
            taxonomy, among=f"what can be covered: {', '.join(known)}", nearest=nearest_to(taxonomy, known)
        )
    if vocabulary is None:
        raise InputError(f"The coverage of {taxonomy!r} needs to know what there is. Pass vocabulary=client.filters().")
    rows: list[_Row] = []
    for group in vocabulary.groups(taxonomy):
        rows.append((group.code, None, (group.label,)))
        rows += [
            (code.code, group.code, (group.label, code.label)) for code in vocabulary.members(taxonomy, group.code)
        ]
    return Nodes.of(taxonomy, rows, None)


@cache
def _content_tree(name: TaxonomyName) -> Nodes:
    taxonomy = Taxonomy.load(name)
    rows: list[_Row] = []
    waiting = [*reversed(taxonomy.children(None))]
    while waiting:
        category = waiting.pop()
        rows.append((category.id, category.parent, category.levels))
        waiting += reversed(taxonomy.children(category.id))
    return Nodes.of(name, rows, taxonomy)


def summed(numbers: Integers, parents: list[int]) -> Integers:
    """Return for each node the sum of its number and of those of all nodes below it."""
    sums = numbers.copy()
    for child in range(len(parents) - 1, -1, -1):
        if (parent := parents[child]) >= 0:
            sums[parent] += sums[child]
    return sums


def having(site: Integers, node: Integers, sites: int, parents: list[int]) -> sparse.csr_array:
    """Return a table of sites × nodes with 1 where a site has a node or anything below it."""
    size = len(parents)
    # A node's line is its parent's, which stands before it, and itself.
    lines: list[list[int]] = []
    for place, parent in enumerate(parents):
        lines.append([*(lines[parent] if parent >= 0 else []), place])
    ends = np.cumsum([0, *map(len, lines)])
    above = np.concatenate([np.empty(0, dtype=np.int64), *lines]).astype(np.int64)
    line = sparse.csr_array((np.ones(len(above)), above, ends), shape=(size, size))
    shown = sparse.csr_array((np.ones(len(site)), (site, node)), shape=(sites, size))
    has = sparse.csr_array(shown @ line)
    has.data[:] = 1
    return has
