"""The vocabulary in many shapes: what people who write PHP, spreadsheets or other people's schemas make of lists."""

from __future__ import annotations

import json
import re
from random import Random
from typing import TYPE_CHECKING, Any, Final

from toolkit.service.knowledge.vocabulary import filters_document

from .truth import ANY, Case, Reply, Truth

if TYPE_CHECKING:
    from collections.abc import Callable

#: Fields with the words of the interface's description for them, in the singular and in the plural.
FIELDS: Final = {
    "age_bracket": ("demographics", "age bracket", "age brackets"),
    "gender_skew": ("demographics", "gender skew", "gender skews"),
    "income_level": ("demographics", "income band", "income bands"),
    "education_level": ("demographics", "education level", "education levels"),
    "life_stage": ("demographics", "life stage", "life stages"),
    "household_composition": ("demographics", "household composition", "household compositions"),
    "employment_status": ("demographics", "employment", "employment statuses"),
    "home_ownership": ("demographics", "home ownership", "home ownerships"),
    "urbanicity": ("demographics", "urbanicity", "urbanicities"),
    "company_size_employees": ("b2b", "company size employees", "company sizes"),
    "seniority": ("b2b", "seniority", "seniorities"),
    "job_function": ("b2b", "job function", "job functions"),
}
Pairs = list[tuple[str, str]]


def _values() -> dict[str, Pairs]:
    document = filters_document()
    return {
        name: [(one["value"], one["label"]) for one in document[block][name]] for name, (block, *_) in FIELDS.items()
    }


class Shape:
    """A way to write a list: whether it gives labels, and whether it must, is promised to, or may be read."""

    def __init__(self, name: str, level: str, write: Callable[[Random, Pairs], Any], *, labels: bool = True) -> None:
        self.name, self.level, self.write, self.labels = name, level, write, labels


def _named(rng: Random) -> tuple[str, str]:
    return rng.choice((("value", "label"), ("value", "name"), ("id", "name"), ("key", "label"), ("code", "label")))


def _objects(rng: Random, pairs: Pairs) -> list[dict[str, str]]:
    value, label = _named(rng)
    return [{value: one, label: words} for one, words in pairs]


LISTS: Final = (
    Shape("values", "must", lambda _, pairs: [one for one, _ in pairs], labels=False),
    Shape("objects", "must", lambda _, pairs: [{"value": one, "label": words} for one, words in pairs]),
    Shape("value to label", "must", lambda _, pairs: dict(pairs)),
    Shape("sparse", "named", lambda _, pairs: {str(n): one for n, (one, _) in enumerate(pairs)}, labels=False),
    Shape(
        "sparse, with gaps", "named", lambda _, p: {str(n * 3 + 1): one for n, (one, _) in enumerate(p)}, labels=False
    ),
    Shape("label to value", "named", lambda _, pairs: {words: one for one, words in pairs}),
    Shape("comma text", "named", lambda _, pairs: ", ".join(one for one, _ in pairs), labels=False),
    Shape(
        "pipe text", "named", lambda rng, pairs: rng.choice(("|", " | ")).join(one for one, _ in pairs), labels=False
    ),
    Shape("column table", "named", lambda _, p: {"value": [one for one, _ in p], "label": [words for _, words in p]}),
    Shape("row table", "named", lambda _, p: {"columns": ["value", "label"], "rows": [list(pair) for pair in p]}),
    Shape("objects of other names", "free", _objects),
    Shape("pairs", "free", lambda _, pairs: [list(pair) for pair in pairs]),
    Shape("pairs, label first", "free", lambda _, pairs: [[words, one] for one, words in pairs]),
    Shape("sparse objects", "free", lambda _, p: {str(n): {"value": v, "label": w} for n, (v, w) in enumerate(p)}),
    Shape(
        "value to object", "free", lambda _, p: {one: {"label": words, "order": n} for n, (one, words) in enumerate(p)}
    ),
    Shape("value to true", "free", lambda _, pairs: {one: True for one, _ in pairs}, labels=False),
    Shape("value to null", "free", lambda _, pairs: {one: None for one, _ in pairs}, labels=False),
    Shape(
        "under values",
        "free",
        lambda _, pairs: {"count": len(pairs), "values": [one for one, _ in pairs]},
        labels=False,
    ),
    Shape("under options", "free", lambda _, pairs: {"title": "Options", "options": dict(pairs)}),
    Shape("JSON text", "free", lambda _, pairs: json.dumps([one for one, _ in pairs]), labels=False),
    Shape("lines", "free", lambda _, pairs: "\n".join(one for one, _ in pairs), labels=False),
    Shape("semicolons", "free", lambda _, pairs: "; ".join(one for one, _ in pairs), labels=False),
    Shape("nested lists", "free", lambda _, pairs: [[one] for one, _ in pairs], labels=False),
    Shape("rows with a head", "free", lambda _, pairs: [["value", "label"], *(list(pair) for pair in pairs)]),
    Shape("text of pairs", "free", lambda _, pairs: ", ".join(f"{one}={words}" for one, words in pairs)),
)


# Codes --------------------------------------------------------------------------------------------------------------


class Group:
    """A group of codes and its members."""

    def __init__(self, code: str, label: str, members: Pairs) -> None:
        self.code, self.label, self.members = code, label, members

    @property
    def bare(self) -> str:
        """Its name without the prefix."""
        return self.code.split(".", 1)[1]


def _groups(rng: Random, kind: str) -> list[Group]:
    below = "sub_interests" if kind == "interests" else "segments"
    chosen = rng.sample(filters_document()[kind], rng.choice((1, 2, 4)))
    return [
        Group(one["code"], one["label"], [(part["code"], part["label"]) for part in one[below][: rng.randint(1, 6)]])
        for one in chosen
    ]


def _tree(rng: Random, groups: list[Group]) -> Any:
    below = rng.choice(("sub_interests", "segments", "children", "items", "members", "values"))
    code, label = rng.choice((("code", "label"), ("code", "name"), ("id", "name"), ("code", "title")))
    return [
        {code: group.code, label: group.label, below: [{code: one, label: words} for one, words in group.members]}
        for group in groups
    ]


def _all(groups: list[Group]) -> Pairs:
    return [pair for group in groups for pair in ((group.code, group.label), *group.members)]


def _members(groups: list[Group]) -> Pairs:
    return [pair for group in groups for pair in group.members]


class Coding:
    """A way to write groups of codes: which labels it gives, and whether it must, is promised to, or may be read."""

    def __init__(self, name: str, level: str, write: Callable[[Random, list[Group]], Any], labels: str = "all") -> None:
        self.name, self.level, self.write, self.labels = name, level, write, labels


CODINGS: Final = (
    Coding("tree", "must", lambda _, groups: _tree(Random(0), groups)),
    Coding("list of codes", "must", lambda _, groups: [code for code, _ in _all(groups)], "none"),
    Coding("list of objects", "must", lambda _, g: [{"code": code, "label": label} for code, label in _all(g)]),
    Coding("code to label", "must", lambda _, groups: dict(_all(groups))),
    Coding("tree of other names", "free", _tree),
    Coding("label to code", "named", lambda _, groups: {label: code for code, label in _members(groups)}, "members"),
    Coding("sparse", "named", lambda _, g: {str(n * 2): code for n, (code, _) in enumerate(_all(g))}, "none"),
    Coding(
        "sparse objects",
        "named",
        lambda _, g: {str(n): {"code": code, "label": label} for n, (code, label) in enumerate(_all(g))},
    ),
    Coding("row table", "named", lambda _, g: [["code", "label"], *([c, label] for c, label in _all(g))]),
    Coding(
        "columns and rows", "named", lambda _, g: {"columns": ["code", "label"], "rows": [[c, w] for c, w in _all(g)]}
    ),
    Coding("column table", "named", lambda _, g: {"code": [c for c, _ in _all(g)], "label": [w for _, w in _all(g)]}),
    Coding("comma text", "named", lambda rng, g: rng.choice((",", ", ")).join(c for c, _ in _all(g)), "none"),
    Coding("pipe text", "named", lambda rng, g: rng.choice(("|", " | ")).join(c for c, _ in _all(g)), "none"),
    Coding("small letters", "named", lambda _, g: [{"code": c.lower(), "label": w} for c, w in _all(g)]),
    Coding("small letters to label", "named", lambda _, g: {c.lower(): w for c, w in _all(g)}),
    Coding("without prefix", "named", lambda _, g: [{"code": c.split(".", 1)[1], "label": w} for c, w in _all(g)]),
    Coding("without prefix, to label", "named", lambda _, g: {c.split(".", 1)[1]: w for c, w in _all(g)}),
    Coding(
        "without prefix, small letters", "named", lambda _, g: [c.split(".", 1)[1].lower() for c, _ in _all(g)], "none"
    ),
    Coding(
        "group to members without prefix",
        "free",
        lambda _, g: {one.bare: [c.rsplit(".", 1)[1] for c, _ in one.members] for one in g},
        "none",
    ),
    Coding("group to members", "free", lambda _, g: {one.code: [c for c, _ in one.members] for one in g}, "none"),
    Coding("group to labelled members", "free", lambda _, g: {one.code: dict(one.members) for one in g}, "members"),
    Coding("group's label to members", "free", lambda _, g: {one.label: dict(one.members) for one in g}, "members"),
    Coding(
        "group to object",
        "free",
        lambda _, g: {one.code: {"label": one.label, "sub_interests": dict(one.members)} for one in g},
    ),
    Coding(
        "code and label in a text",
        "free",
        lambda rng, g: [rng.choice((f"{c} - {w}", f"{c}: {w}", f"{w} ({c})")) for c, w in _all(g)],
    ),
    Coding("pairs", "free", lambda _, g: [[c, w] for c, w in _all(g)]),
    Coding("JSON text", "free", lambda _, g: json.dumps([c for c, _ in _all(g)]), "none"),
    Coding(
        "rows of groups",
        "free",
        lambda _, g: [
            {"group": one.code, "group_label": one.label, "code": c, "label": w} for one in g for c, w in one.members
        ],
    ),
    Coding(
        "groups and members apart",
        "free",
        lambda _, g: {
            "groups": [{"code": one.code, "label": one.label} for one in g],
            "sub_interests": [{"code": c, "label": w, "group": c.rsplit(".", 1)[0]} for c, w in _members(g)],
        },
    ),
    Coding(
        "codes as names of objects",
        "free",
        lambda _, g: {c: {"label": w, "parent": c.rsplit(".", 1)[0] if c.count(".") > 1 else None} for c, w in _all(g)},
    ),
)


# Names and documents ------------------------------------------------------------------------------------------------

_NAMINGS: Final[dict[str, tuple[str, Callable[[str, str, str, int], str]]]] = {
    "as the answers": ("must", lambda field, _, __, ___: field),
    "described": ("must", lambda _, __, plural, ___: plural.replace(" ", "_")),
    "plural": ("must", lambda field, _, __, ___: field + "s" if field[-1] not in "sy" else field),
    "in words": ("free", lambda _, one, __, ___: one.capitalize()),
    "camel case": ("free", lambda field, _, __, ___: re.sub(r"_(\w)", lambda m: m[1].upper(), field)),
    "hyphens": ("free", lambda field, _, __, ___: field.replace("_", "-")),
    "capitals": ("free", lambda field, _, __, ___: field.upper()),
    "with a number": ("named", lambda _, one, __, number: f"{one.capitalize()} ({number})"),
    "plural with a number": ("named", lambda _, __, plural, number: f"{plural.capitalize()} ({number})"),
    "with a count behind": ("free", lambda _, one, __, number: f"{one.title()} - {number} values"),
    "with a prefix": ("free", lambda field, _, __, ___: f"demographics_{field}"),
}


def _level(*levels: str) -> str:
    return max(levels, key=("must", "named", "free").index)


def vocabulary(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return a vocabulary in some shape."""
    coding, shape = rng.choice(CODINGS), rng.choice(LISTS)
    naming, (naming_level, rename) = rng.choice(tuple(_NAMINGS.items()))
    # Most differ in one thing alone, so that it can be told what was not read.
    plain = rng.random()
    if plain < 0.4:
        coding = CODINGS[rng.randrange(4)]
    if plain > 0.3:
        naming, (naming_level, rename) = "as the answers", _NAMINGS["as the answers"]
    if 0.5 < plain < 0.9:
        shape = LISTS[rng.randrange(3)]
    known = _values()
    fields = rng.sample(tuple(known), rng.randint(2, len(known)))
    groups = {kind: _groups(rng, kind) for kind in ("interests", "purchase_intent")}
    if "small" in coding.name and "without" not in coding.name and rng.random() < 0.5:
        groups.pop("interests")
    flat: dict[str, Any] = {}
    blocks: dict[str, dict[str, Any]] = {}
    for field in fields:
        block, one, plural = FIELDS[field]
        name = rename(field, one, plural, len(known[field]))
        flat[name] = blocks.setdefault(block, {})[name] = shape.write(rng, known[field])
    written = {kind: coding.write(rng, part) for kind, part in groups.items()}
    document, around, around_level = _document(rng, flat, blocks, written)
    labels = {}
    if coding.labels != "none":
        labels = dict(_all([*_flat(groups)])) if coding.labels == "all" else dict(_members([*_flat(groups)]))
    if coding.name == "rows of groups":
        labels = dict(_members([*_flat(groups)]))
    content = {
        "codes": frozenset(code for code, _ in _members(_flat(groups))),
        "groups": frozenset(group.code for group in _flat(groups)),
        "labels": labels,
        "values": {field: {value: label if shape.labels else ANY for value, label in known[field]} for field in fields},
    }
    level = _level(coding.level, shape.level, naming_level, around_level)
    truth = Truth("answer", level, content)
    odd = [
        name
        for name, usual in (
            (f"codes: {coding.name}", coding in CODINGS[:4]),
            (f"values: {shape.name}", shape in LISTS[:3]),
            (f"names: {naming}", naming in tuple(_NAMINGS)[:3]),
            (f"document: {around}", around in {"flat", "blocks"}),
        )
        if not usual
    ]
    kind = "vocabulary" if not odd else f"vocabulary, {odd[0]}" if len(odd) == 1 else f"vocabulary, {len(odd)} things"
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    headers = [("Content-Type", rng.choice(("application/json", "text/html; charset=UTF-8")))]
    notes = f"{level}: {coding.name}; {shape.name}; {naming}; {around}"
    return Case(index, kind, endpoint, target, Reply(text.encode(), headers=headers), truth, notes=notes)


def _flat(groups: dict[str, list[Group]]) -> list[Group]:
    return [group for part in groups.values() for group in part]


def _document(
    rng: Random, flat: dict[str, Any], blocks: dict[str, dict[str, Any]], coded: dict[str, Any]
) -> tuple[Any, str, str]:
    """Return a document of enumerations and codes, the name of its form, and whether that must be read."""
    head = rng.choice(({}, {"vocab_version": "1.1"}, {"status": 200}, {"vocab_version": "1.1", "status": 200}))
    whole = {**head, **flat, **coded}
    ways: dict[str, tuple[str, Callable[[], Any]]] = {
        "flat": ("must", lambda: whole),
        "blocks": ("must", lambda: {**head, **blocks, **coded}),
        "in data": ("free", lambda: {"status": "success", "data": whole}),
        "in filters": ("free", lambda: {**head, "filters": whole}),
        "in vocabulary": ("free", lambda: {"vocabulary": {**blocks, **coded}, **head}),
        "a list of fields": (
            "named",
            lambda: [{"name": name, "values": part} for name, part in {**flat, **coded}.items()],
        ),
        "a list of filters": (
            "named",
            lambda: [{"field": name, "options": part} for name, part in {**flat, **coded}.items()],
        ),
        "a list of mappings": ("named", lambda: [{name: part} for name, part in {**flat, **coded}.items()]),
        "fields in a list": (
            "free",
            lambda: {
                **head,
                "filters": [
                    {"key": name, "label": name.title(), "values": part} for name, part in {**flat, **coded}.items()
                ],
            },
        ),
    }
    name = rng.choices(tuple(ways), (6, 6, 1, 1, 1, 1, 1, 1, 1))[0]
    level, write = ways[name]
    return write(), name, level


def no_vocabulary(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return what is no vocabulary at all, or an error in place of one."""
    document: Any = rng.choice(
        (
            {},
            [],
            {"status": 200},
            {"status": 403, "error": "Monthly quota used up"},
            {"error": "not found"},
            {"interests": [], "purchase_intent": []},
            {"message": "Invalid API key", "age_bracket": None},
            {"a": {"b": ["c", "d"]}},
            "text",
            None,
            [[[]]],
        )
    )
    text = json.dumps(document) if rng.random() < 0.8 else rng.choice(("", "<h1>It works!</h1>", "Array"))
    reply = Reply(text.encode(), rng.choice((200, 200, 200, 500, 403)), headers=[("Content-Type", "application/json")])
    return Case(index, "vocabulary: none", endpoint, target, reply, Truth("error"), notes=text[:60])
