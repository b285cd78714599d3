"""The content taxonomy, versions 2 and 3: identifiers, names and the tree.

The facts are IAB Tech Lab's (CC BY 3.0, see NOTICE); :mod:`toolkit.interface.data` holds the files.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Literal

from toolkit.interface.checks import check_text
from toolkit.interface.errors import DataError, UnknownCodeError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["PATH_SEPARATOR", "TAXONOMIES", "Category", "Taxonomy", "TaxonomyName"]

#: A comparison takes the longer the longer a text is, and no category has a name as long as this.
_LONGEST_SEARCHED: Final = 200

TaxonomyName = Literal["content-v3", "content-v2"]
PATH_SEPARATOR: Final = " > "

#: File of each taxonomy.
TAXONOMIES: Final[dict[TaxonomyName, str]] = {
    "content-v3": "content_taxonomy_3.tsv",
    "content-v2": "content_taxonomy_2.tsv",
}


@dataclass(frozen=True, slots=True)
class Category:
    """One category of a taxonomy.

    Attributes
    ----------
    id : str
        Identifier, such as ``"150"`` or ``"JLBCU7"``.
    name : str
        Name without its ancestors.
    parent : str or None
        Identifier of the parent; None at the top.
    tier : int
        1 at the top.
    levels : tuple of str
        Names from the top down to this category.
    """

    id: str
    name: str
    parent: str | None
    tier: int
    levels: tuple[str, ...]

    @property
    def path(self) -> str:
        """Names from the top down, joined with ``" > "``."""
        return PATH_SEPARATOR.join(self.levels)


class Taxonomy:
    """A tree of categories, checked when it is built.

    Parameters
    ----------
    name : str
        Name for messages and frames, such as ``"content-v3"``.
    rows : iterable of tuple
        ``(id, parent, name)``, parent empty at the top.

    Raises
    ------
    DataError
        If an identifier stands twice, a parent is missing, or the parents form a circle.

    Examples
    --------
    >>> taxonomy = Taxonomy.load("content-v3")
    >>> len(taxonomy)
    703
    >>> taxonomy["151"].path
    'Attractions > Amusement and Theme Parks'
    >>> taxonomy["150-151"].name  # the lineage joined by hyphens, as the service writes it
    'Amusement and Theme Parks'
    """

    def __init__(self, name: str, rows: Iterable[tuple[str, str, str]]) -> None:
        self.name = name
        table = list(rows)
        parents = {identifier: parent or None for identifier, parent, _ in table}
        names = {identifier: label for identifier, _, label in table}
        if len(parents) != len(table):
            raise DataError(f"Taxonomy {name!r} has an identifier twice. Restore the file.")
        self._categories: dict[str, Category] = {}
        for identifier, parent in parents.items():
            lineage = _lineage(identifier, parents, name)
            levels = tuple(names[step] for step in reversed(lineage))
            self._categories[identifier] = Category(identifier, names[identifier], parent, len(levels), levels)

    @classmethod
    def load(cls, name: str = "content-v3") -> Taxonomy:
        """Return a bundled taxonomy; it is read and checked once.

        Parameters
        ----------
        name : {"content-v3", "content-v2"}
            Which version of the content taxonomy: 703 categories in 4 tiers, or 698.

        Returns
        -------
        Taxonomy
            The checked tree.

        Raises
        ------
        UnknownCodeError
            If there is no taxonomy of the name.
        """
        if name not in TAXONOMIES:
            advice = f"Choose {' or '.join(TAXONOMIES)}."
            raise UnknownCodeError(name, among="the bundled taxonomies", nearest=tuple(TAXONOMIES), advice=advice)
        return _bundled(name)

    def __len__(self) -> int:
        return len(self._categories)

    def __iter__(self) -> Iterator[Category]:
        return iter(self._categories.values())

    def __contains__(self, identifier: object) -> bool:
        return isinstance(identifier, str) and self._find(identifier) is not None

    def __getitem__(self, identifier: str) -> Category:
        found = self._find(identifier) if isinstance(identifier, str) else None
        if found is None:
            nearest = nearest_to(identifier, self._categories)
            raise UnknownCodeError(identifier, among=self._described, nearest=nearest)
        return found

    def _find(self, identifier: str) -> Category | None:
        if identifier in self._categories or "-" not in identifier:
            return self._categories.get(identifier)
        # The service writes the whole lineage, from the top, joined by hyphens.
        *lineage, last = identifier.split("-")
        found = self._categories.get(last)
        if found is None or lineage != [category.id for category in self.ancestors(last)]:
            return None
        return found

    def __repr__(self) -> str:
        return f"<Taxonomy {self.name}: {len(self)} categories in {self.depth} tiers>"

    @property
    def depth(self) -> int:
        """Number of tiers."""
        return max((category.tier for category in self), default=0)

    def tier(self, number: int) -> tuple[Category, ...]:
        """Return the categories of one tier, 1 being the top.

        Examples
        --------
        >>> [len(Taxonomy.load("content-v3").tier(n)) for n in (1, 2, 3, 4)]
        [37, 322, 275, 69]
        """
        return tuple(category for category in self if category.tier == number)

    def children(self, identifier: str | None) -> tuple[Category, ...]:
        """Return the categories directly below one; those at the top for None."""
        if identifier is not None:
            _ = self[identifier]
        return self._children.get(identifier, ())

    def ancestors(self, identifier: str) -> tuple[Category, ...]:
        """Return the categories above one, from the top down.

        Examples
        --------
        >>> [category.name for category in Taxonomy.load("content-v3").ancestors("151")]
        ['Attractions']
        """
        found: list[Category] = []
        parent = self[identifier].parent
        while parent is not None:
            found.append(self[parent])
            parent = self[parent].parent
        return tuple(reversed(found))

    def descendants(self, identifier: str) -> tuple[Category, ...]:
        """Return every category below one."""
        found: list[Category] = []
        for child in self.children(identifier):
            found.append(child)
            found.extend(self.descendants(child.id))
        return tuple(found)

    def at_path(self, path: str) -> Category | None:
        """Return the category of a path as `by_path` does, or None at once where there is none."""
        return self._by_path.get(_folded(path))

    def by_path(self, path: str) -> Category:
        """Return the category of a path such as ``"Pets > Dogs"``; case and spacing do not matter.

        Raises
        ------
        UnknownCodeError
            If no category has the path; the error names the nearest.
        """
        found = self.at_path(path)
        if found is None:
            raise UnknownCodeError(path, among=self._described, nearest=tuple(c.path for c in self.search(path, 3)))
        return found

    def named(self, name: str) -> tuple[Category, ...]:
        """Return the categories of a name as `by_name` does, or none at once where there is none."""
        return self._by_name.get(_folded(name), ())

    def by_name(self, name: str) -> tuple[Category, ...]:
        """Return every category of a name; the same name may stand in several places.

        Raises
        ------
        UnknownCodeError
            If no category has the name; the error names the nearest.

        Examples
        --------
        >>> [category.path for category in Taxonomy.load("content-v3").by_name("dogs")]
        ['Pets > Dogs']
        """
        found = self.named(name)
        if not found:
            raise UnknownCodeError(name, among=self._described, nearest=tuple(c.name for c in self.search(name, 3)))
        return found

    def search(self, text: str, limit: int = 10) -> tuple[Category, ...]:
        """Return the categories whose path is nearest to a text, best first."""
        check_text(text, "text", "Pass the words to search for.")
        paths = {category.id: category.path.lower() for category in self}
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where something is searched for

        hits = process.extract(text[:_LONGEST_SEARCHED].lower(), paths, scorer=fuzz.WRatio, limit=limit)
        return tuple(self[identifier] for _, _, identifier in hits)

    @property
    def _described(self) -> str:
        return f"taxonomy {self.name!r} ({len(self)} categories)"

    @cached_property
    def _children(self) -> dict[str | None, tuple[Category, ...]]:
        found: dict[str | None, list[Category]] = defaultdict(list)
        for category in self:
            found[category.parent].append(category)
        return {parent: tuple(children) for parent, children in found.items()}

    @cached_property
    def _by_path(self) -> dict[str, Category]:
        return {_folded(category.path): category for category in self}

    @cached_property
    def _by_name(self) -> dict[str, tuple[Category, ...]]:
        found: dict[str, list[Category]] = defaultdict(list)
        for category in self:
            found[_folded(category.name)].append(category)
        return {name: tuple(categories) for name, categories in found.items()}


@cache
def _bundled(name: TaxonomyName) -> Taxonomy:
    with files("toolkit.interface.data").joinpath(TAXONOMIES[name]).open(encoding="utf-8") as lines:
        rows = [(row["id"], row["parent"], row["name"]) for row in csv.DictReader(lines, delimiter="\t")]
    return Taxonomy(name, rows)


def _lineage(identifier: str, parents: dict[str, str | None], name: str) -> list[str]:
    lineage = [identifier]
    while (parent := parents[lineage[-1]]) is not None:
        if parent not in parents:
            raise DataError(f"Taxonomy {name!r}: {lineage[-1]!r} has the parent {parent!r}, which is not there.")
        if parent in lineage:
            raise DataError(f"Taxonomy {name!r}: the parents of {identifier!r} form a circle.")
        lineage.append(parent)
    return lineage


def _folded(text: str) -> str:
    return PATH_SEPARATOR.join(" ".join(level.split()).casefold() for level in text.split(">"))
