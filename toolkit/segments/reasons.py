"""Why a site matches a segment or not, in plain words: what it has that decides, or what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.taxonomy import TAXONOMIES, Taxonomy
from toolkit.interface.words.labels import field_label, value_words
from toolkit.segments.tree import CODE, NAMED, NEGATIVE, Condition, Join, Node, Not, conditions, text_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toolkit.segments.facts import Had
    from toolkit.segments.matching import Facts

    Texts = NDArray[np.object_]
    Bools = NDArray[np.bool_]

__all__ = ["reasons"]

#: A reason names at most so many things.
_MOST_PARTS: Final = 4
_UNWANTED: Final = "unwanted: "

#: Part of a reason: fixed words, or a condition and whether it is an unwanted one that holds.
Part = str | tuple[Condition, bool]


def reasons(tree: Node, facts: Facts) -> Texts:
    """Return for each site why it satisfies a tree or not.

    Sites for which the same conditions hold have the same reason but for the codes and values named in it, so the tree
    is walked once for each such pattern.
    """
    leaves = list(dict.fromkeys(conditions(tree)))
    holds = np.column_stack([facts.evidence(leaf).holds for leaf in leaves])
    found = np.empty(len(facts.sites), dtype=object)
    if not len(facts.sites):
        return found
    pattern = np.zeros(len(holds), dtype=np.int64)
    for column in holds.T:
        pattern = pd.factorize(2 * pattern + column)[0]
    order = np.argsort(pattern, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(pattern[order])) + 1)
    phrases: dict[Condition, Texts] = {}
    for sites in groups:
        truth = dict(zip(leaves, holds[sites[0]].tolist(), strict=True))
        columns: list[Texts] = []
        for part in _shortened(_explained(tree, truth, unwanted=False)):
            if isinstance(part, str):
                columns.append(np.full(len(sites), part, dtype=object))
                continue
            leaf, unwanted = part
            if leaf not in phrases:
                phrases[leaf] = _phrases(leaf, facts)
            texts = phrases[leaf][sites]
            columns.append(_UNWANTED + texts if unwanted else texts)
        found[sites] = _joined(columns)
    return found


def _joined(columns: list[Texts]) -> Texts:
    """Return the texts of each row as one; of rows with the same texts, which are many, it is made once."""
    number = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        place, known = pd.factorize(column)
        number = pd.factorize(number * len(known) + place)[0]
    first = np.unique(number, return_index=True)[1]
    said = ["; ".join(dict.fromkeys(texts)) for texts in zip(*(column[first] for column in columns), strict=True)]
    return np.array(said, dtype=object)[number]


def _shortened(parts: list[Part]) -> list[Part]:
    parts = list(dict.fromkeys(parts))
    left = len(parts) - _MOST_PARTS
    return parts if left <= 1 else [*parts[:_MOST_PARTS], f"{left} more"]


def _true(node: Node, truth: dict[Condition, bool]) -> bool:
    if isinstance(node, Condition):
        return truth[node]
    if isinstance(node, Not):
        return not _true(node.part, truth)
    held = [_true(part, truth) for part in node.parts]
    if isinstance(node, Join):
        return all(held) if node.word == "and" else any(held)
    return node.holds(sum(held))


def _explained(node: Node, truth: dict[Condition, bool], *, unwanted: bool) -> list[Part]:
    """Return the parts that decide whether a node holds."""
    if isinstance(node, Condition):
        return [(node, unwanted and truth[node])]
    if isinstance(node, Not):
        return _explained(node.part, truth, unwanted=not unwanted)
    held = [_true(part, truth) for part in node.parts]
    count, decides, said = sum(held), all(held), list[Part]()
    if isinstance(node, Join):
        decides = decides or (node.word == "or" and count > 0)
    elif node.kind in {"any", "none"}:
        decides, unwanted = count > 0, unwanted is (node.kind == "any")
    elif node.kind != "all":
        least, most = node.bounds
        decides, unwanted = count >= least, unwanted is (count <= most)
        said.append(f"{count} of {len(held)}" + ("" if node.holds(count) else f", not {node.kind} {node.number}"))
    for part, holds in zip(node.parts, held, strict=True):
        if holds is decides:
            said += _explained(part, truth, unwanted=unwanted)
    return said


def _phrases(leaf: Condition, facts: Facts) -> Texts:
    """Return for each site what it says of a condition: what it has, or what it lacks."""
    found = facts.evidence(leaf)
    had, many = found.had, len(facts.sites)
    hits, weak = found.hits, found.weak
    if leaf.subject == CODE:
        hits, weak = _members_first(had, hits), _members_first(had, weak)
    named, negative = leaf.subject in NAMED or leaf.subject == CODE, leaf.operator in NEGATIVE
    bare = text_of(Condition(leaf.subject, leaf.operator, leaf.values)).removeprefix(f"{leaf.subject} ")
    bare = bare.removeprefix("= ").removeprefix("in ")
    if named:
        what = bare if leaf.subject == CODE else f"{leaf.subject} {bare.removeprefix('!= ').removeprefix('not in ')}"
        texts = np.full(many, f"no {what}", dtype=object)
        if negative:
            texts[~found.holds] = f"{_called(leaf)} is not known"
    else:
        texts = np.full(many, f"{_called(leaf)} is not known", dtype=object)
        _put(texts, _named(leaf, had, found.known, many), "" if negative else f", not {bare}")
    if leaf.confidence is not None:
        demand = f"confidence >= {leaf.confidence}"
        if negative:
            texts[~found.holds] = f"{_called(leaf)} is not known with {demand}"
        else:
            _put(texts, _named(leaf, had, weak, many), f", but not with {demand}")
    _put(texts, _named(leaf, had, hits, many), f", not {bare}" if negative and not named else "")
    return texts


def _members_first(had: Had, entries: Bools) -> Bools:
    """Return the entries without the groups of sites that have a member of one, which says more."""
    members: Bools = entries & (had.kinds != "interest_group")[had.values]
    alone: Bools = entries & ~np.isin(had.sites, had.sites[members])
    return members | alone


def _put(texts: Texts, found: Texts, ending: str) -> None:
    """Replace the texts of the sites for which something was found."""
    places = np.flatnonzero(found != "")
    texts[places] = [text + ending for text in found[places]] if ending else found[places]


def _named(leaf: Condition, had: Had, entries: Bools, many: int) -> Texts:
    """Return for each site the first of some entries and how many more there are; empty where there is none."""
    texts = np.full(many, "", dtype=object)
    places = np.flatnonzero(entries)
    if not len(places):
        return texts
    sites, first, count = np.unique(had.sites[places], return_index=True, return_counts=True)
    values = had.values[places][first]
    pairs, which = np.unique(values * (count.max() + 1) + count, return_inverse=True)
    said = np.array([_said(leaf, had, *divmod(int(pair), int(count.max()) + 1)) for pair in pairs], dtype=object)
    texts[sites] = said[which]
    return texts


def _called(leaf: Condition) -> str:
    """Return what a condition is about."""
    known = {CODE: "this", "persona": "persona"}
    return known.get(leaf.subject) or field_label(leaf.subject).lower()


def _said(leaf: Condition, had: Had, value: int, count: int) -> str:
    key, label = str(had.keys[value]), str(had.labels[value])
    if leaf.subject == CODE:
        text = words_of_code(key) if label == key else label
    elif leaf.subject == "persona":
        text = f"persona {key}"
    elif leaf.subject in TAXONOMIES:
        taxonomy = Taxonomy.load("content-v3" if leaf.subject == "content-v3" else "content-v2")
        text = str(taxonomy[key].path if key in taxonomy else label)
    elif leaf.subject == "filtering":
        text = f"web-filtering category {label}"
    else:
        text = f"{field_label(leaf.subject).lower()}: {value_words(leaf.subject, key, label)}"
    return text if count == 1 else f"{text} and {count - 1} more"
