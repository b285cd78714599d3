"""Which sites satisfy a segment's syntax tree: one boolean array a condition, joined as the tree says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.incidence import site_names
from toolkit.frames.about import described, untold
from toolkit.frames.foreign import normal
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import CODED, CONFIDENCE, STATED
from toolkit.interface.checks import check_columns
from toolkit.interface.errors import InputError, nearest_to
from toolkit.interface.taxonomy import PATH_SEPARATOR, TAXONOMIES, Taxonomy
from toolkit.segments.facts import BY_PATH, category_rows, code_rows, had_of, nothing
from toolkit.segments.tree import CODE, NEGATIVE, Condition, Join, Node, Not, conditions, fits, fits_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from toolkit.findings.incidence import Targets
    from toolkit.interface.taxonomy import TaxonomyName
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.segments.facts import Had, Rows

    Bools = NDArray[np.bool_]

__all__ = ["Evidence", "Facts", "facts_of", "possible", "satisfied", "unknown_fields"]

_LEADING_NUMBER: Final = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Evidence:
    """What speaks for a condition, site by site.

    Attributes
    ----------
    holds : array of bool
        Whether the site satisfies the condition.
    open : array of bool
        Whether nobody knows: of a field that each site has a value of, none is known of the site.
    hits, weak, known : array of bool
        Of each entry of `had`: whether it is what the condition names; whether it would be with more confidence;
        whether it is another value of the same field.
    had : Had
        The entries.
    """

    holds: Bools
    open: Bools
    hits: Bools
    weak: Bools
    known: Bools
    had: Had


class Facts:
    """The answered sites and what they have, made once for any number of conditions.

    Parameters
    ----------
    sites : Index
        The sites that count, sorted.
    codes, categories : Rows or None
        What the frames say; None where no condition needs it.
    vocabulary : Vocabulary, optional
        Orders the bands.
    told : bool
        Whether it is known that these are all the sites that were answered.
    """

    def __init__(
        self,
        sites: pd.Index[str],
        codes: Rows | None,
        categories: Rows | None,
        vocabulary: Vocabulary | None,
        *,
        told: bool,
    ) -> None:
        self.sites, self.told = sites, told
        self._codes = codes
        self._categories = categories
        self._vocabulary = vocabulary
        self._found: dict[Condition, Evidence] = {}

    @property
    def about(self) -> dict[str, Any]:
        """What a finding is about; as failed count the sites that were asked and not judged."""
        asked = [rows for rows in (self._codes, self._categories) if rows is not None]
        failed = pd.Index([], dtype="str").append([rows.who.failed for rows in asked]).difference(self.sites)
        times = [time for rows in asked for time in rows.dated[0]]
        known = described(len(self.sites), len(failed), times, {text for rows in asked for text in rows.dated[1]})
        return known | untold(told=self.told)

    @cached_property
    def coded(self) -> Had:
        """What the codes frame says."""
        return had_of(self._codes, self.sites) if self._codes is not None else nothing()

    @cached_property
    def categorized(self) -> Had:
        """What the categories frame says."""
        return had_of(self._categories, self.sites) if self._categories is not None else nothing()

    def ordered_by(self, vocabulary: Vocabulary | None) -> Facts:
        """Return the same facts with the bands in the order of a vocabulary."""
        if vocabulary is self._vocabulary:
            return self
        other = Facts(self.sites, self._codes, self._categories, vocabulary, told=self.told)
        # What the sites have does not depend on the vocabulary: taken over, it is read once.
        for name in ("coded", "categorized"):
            if name in vars(self):
                setattr(other, name, vars(self)[name])
        return other

    def evidence(self, condition: Condition) -> Evidence:
        """Return what speaks for a condition; asked once for each."""
        if condition not in self._found:
            self._found[condition] = self._evidence(condition)
        return self._found[condition]

    def _evidence(self, condition: Condition) -> Evidence:
        had = self.categorized if condition.subject in CATEGORIZED else self.coded
        kinds = np.isin(had.kinds, CODED if condition.subject == CODE else [condition.subject])
        fitting = kinds.copy()
        places = np.flatnonzero(kinds)
        fitting[places] = self._fitting(condition, had.keys[places])
        strong = np.ones(len(had.sites), dtype=bool)
        if condition.confidence is not None:
            strong = had.strength >= _least(condition)
        of_kind, named = kinds[had.values], fitting[had.values]
        hits = named & strong
        holds = self._any(had, hits)
        if condition.operator in NEGATIVE:
            holds = self._any(had, of_kind & strong) & ~holds
        silent = np.full(len(self.sites), condition.subject in STATED) & ~self._any(had, of_kind)
        return Evidence(holds, silent, hits, named & ~strong, of_kind & ~named, had)

    def _any(self, had: Had, entries: Bools) -> Bools:
        found = np.zeros(len(self.sites), dtype=bool)
        found[had.sites[entries]] = True
        return found

    def _fitting(self, condition: Condition, keys: NDArray[np.object_]) -> Bools:
        """Return which values a condition names; for a negative one those that it does not want."""
        if condition.subject == CODE:
            tests = [fits_code(value) for value in condition.values]
        elif condition.subject in TAXONOMIES:
            tests = [_in_category(condition.subject, value) for value in condition.values]
        elif condition.subject == "filtering":
            tests = [_in_filtering(value) for value in condition.values]
        elif condition.subject == "persona":
            tests = [fits(value) for value in condition.values]
        elif condition.operator in {"=", "!=", "in", "not in"}:
            wanted = {value.casefold() for value in condition.values}
            patterns = [fits(value) for value in condition.values if "*" in value]
            tests = [lambda key: key.casefold() in wanted, *patterns]
        else:
            tests = [self._compared(condition, keys)]
        return np.fromiter((any(test(key) for test in tests) for key in keys), dtype=bool, count=len(keys))

    def _compared(self, condition: Condition, keys: Iterable[str]) -> Callable[[str], bool]:
        scale = _scale(condition, keys, self._vocabulary)
        ends = sorted(scale[value.casefold()] for value in condition.values)
        low, high = ends[0], ends[-1]
        test: Callable[[float], bool] = {
            "<": lambda at: at < low,
            "<=": lambda at: at <= low,
            ">": lambda at: at > low,
            ">=": lambda at: at >= low,
            "between": lambda at: low <= at <= high,
        }[condition.operator]
        return lambda key: (at := scale.get(key.casefold())) is not None and test(at)


def facts_of(
    trees: Iterable[Node],
    codes: pd.DataFrame | None,
    categories: pd.DataFrame | None,
    vocabulary: Vocabulary | None = None,
    sites: Targets | None = None,
) -> Facts:
    """Return what the frames say of the sites that can be judged by every tree.

    These are the sites that were answered as the codes frame says; if no tree asks for codes, as either frame; or
    `sites` without those that failed in the codes frame. A site whose categories were asked for and failed is left
    out where a tree asks for categories.
    """
    subjects = {condition.subject for tree in trees for condition in conditions(tree)}
    by_category, by_code = bool(subjects.intersection(CATEGORIZED)), bool(subjects.difference(CATEGORIZED))
    codes = _checked(codes, "codes", ("target", "dimension", "code"), by_code)
    categories = _checked(categories, "categories", ("target", "taxonomy", "id", "name", "level_1"), by_category)
    coded = code_rows(codes, subjects) if codes is not None else None
    categorized = category_rows(categories, subjects) if categories is not None and by_category else None
    judged: pd.Index[str] = pd.Index([], dtype="str")
    if coded is not None:
        judged = coded.who.answered
    if categorized is not None and not by_code:
        judged = judged.union(categorized.who.answered, sort=False)
    if sites is not None:
        judged = site_names(sites, judged)
        judged = judged if coded is None or not by_code else judged.difference(coded.who.failed, sort=False)
    if categorized is not None:
        judged = judged.difference(categorized.who.failed, sort=False)
    used = (coded, None if by_code else categorized)
    told = sites is not None or all(rows.who.told for rows in used if rows is not None)
    return Facts(judged.sort_values(), coded, categorized, vocabulary, told=told)


def satisfied(node: Node, facts: Facts) -> Bools:
    """Return for each site whether it satisfies a tree."""
    if isinstance(node, Condition):
        return facts.evidence(node).holds
    if isinstance(node, Not):
        return ~satisfied(node.part, facts)
    parts = [satisfied(part, facts) for part in node.parts]
    if isinstance(node, Join):
        joined: Bools = np.logical_and.reduce(parts) if node.word == "and" else np.logical_or.reduce(parts)
        return joined
    count = np.zeros(len(facts.sites), dtype=np.int64)
    for part in parts:
        count += part
    least, most = node.bounds
    return (count >= least) & (count <= most)


def possible(node: Node, facts: Facts) -> Bools:
    """Return for each site whether it may satisfy a tree, if what is not known of it were known."""
    return _bounds(node, facts)[1]


def unknown_fields(node: Node, facts: Facts, some: Bools) -> dict[str, int]:
    """Return which fields a tree asks for that are not known of some sites, and of how many of these each."""
    found: dict[str, Bools] = {}
    for condition in conditions(node):
        silent = facts.evidence(condition).open & some
        found[condition.subject] = found.get(condition.subject, silent) | silent
    return {name: int(sites.sum()) for name, sites in found.items() if sites.any()}


def _bounds(node: Node, facts: Facts) -> tuple[Bools, Bools]:
    """Return for each site whether it satisfies a tree whatever is not known of it, and whether it may."""
    if isinstance(node, Condition):
        found = facts.evidence(node)
        return found.holds & ~found.open, found.holds | found.open
    if isinstance(node, Not):
        sure, may = _bounds(node.part, facts)
        return ~may, ~sure
    parts = [_bounds(part, facts) for part in node.parts]
    if isinstance(node, Join):
        join = np.logical_and if node.word == "and" else np.logical_or
        return join.reduce([sure for sure, _ in parts]), join.reduce([may for _, may in parts])
    fewest, most = (np.sum(marks, axis=0) for marks in zip(*parts, strict=True))
    least, greatest = node.bounds
    return (fewest >= least) & (most <= greatest), (most >= least) & (fewest <= greatest)


def _checked(frame: pd.DataFrame | None, name: str, columns: Iterable[str], needed: bool) -> pd.DataFrame | None:
    if frame is None:
        if needed:
            raise InputError(f"The segment asks for {name}, and no frame of {name} was passed. Pass run.{name}().")
        return None
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"The {name} must be a frame, not {type(frame).__name__}. Pass run.{name}().")
    frame = normal(frame)
    check_columns(frame, columns, f"run.{name}()", what=f"The frame of {name}")
    return frame


def _least(condition: Condition) -> float:
    if condition.subject in CATEGORIZED:
        return float(str(condition.confidence))
    return float(list(CONFIDENCE.categories).index(condition.confidence))


def _in_category(name: str, path: str) -> Callable[[str], bool]:
    if path == "*":
        return lambda _: True
    taxonomy: TaxonomyName = "content-v3" if name == "content-v3" else "content-v2"
    known = Taxonomy.load(taxonomy)
    top = known.by_path(path)
    below = {top.id, *(category.id for category in known.descendants(top.id))}
    start = f"{BY_PATH}{top.path}".casefold()
    return lambda key: key in below or f"{key}{PATH_SEPARATOR}".casefold().startswith(f"{start}{PATH_SEPARATOR}")


def _in_filtering(name: str) -> Callable[[str], bool]:
    test = fits(name)
    return lambda key: test(key.removeprefix(BY_PATH)) or test(key.rpartition(PATH_SEPARATOR)[2].removeprefix(BY_PATH))


def _scale(condition: Condition, keys: Iterable[str], vocabulary: Vocabulary | None) -> dict[str, float]:
    """Return the place of each value of a field, from the vocabulary or from the numbers that the values begin with."""
    field = condition.subject
    known = vocabulary.values.get(field) if vocabulary is not None else None
    if known:
        scale = {value.casefold(): float(place) for place, value in enumerate(known)}
    else:
        numbers = {key: _LEADING_NUMBER.match(key) for key in {*keys, *condition.values}}
        if not all(numbers.values()):
            raise InputError(
                f"The order of the values of {field} is not known without a vocabulary that lists them. Pass "
                f"vocabulary=client.filters(), or name the values: {field} in (…)."
            )
        scale = {key.casefold(): float(match.group()) for key, match in numbers.items() if match}
    for value in condition.values:
        if value.casefold() not in scale:
            near = ", ".join(nearest_to(value, known or ())) or "none"
            raise InputError(f"{value!r} is no value of {field} in the vocabulary. Nearest: {near}.")
    return scale
