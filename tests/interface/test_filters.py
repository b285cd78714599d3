"""Filters documents in every dialect: the same vocabulary in another shape is the same vocabulary."""

import json
import random
import re

import pytest
from cases import every

from toolkit.interface.errors import DataError
from toolkit.interface.vocabulary import Vocabulary

GROUPS = {
    "INT": {
        ("INT.PETS", "Pets & animals"): {
            "INT.PETS.DOGS": "Dogs & puppies",
            "INT.PETS.LARGE_ANIMALS": "Horses and others",
        },
        ("INT.EDUCATION", "Learning"): {"INT.EDUCATION.ADULT": "Adult education", "INT.EDUCATION.HOME": "At home"},
    },
    "PI": {("PI.AUTO_OWNERSHIP", "Car owners"): {"PI.AUTO_OWNERSHIP.NEW_CARS": "New-car buyers"}},
}
VALUES = {
    "age_bracket": {"18_24": "18 to 24 years", "25_34": "25 to 34 years", "65_plus": "65 years and over"},
    "income_level": {"low": "Low income", "upper_middle": "Upper middle", "high": "High income"},
    "life_stage": {"student": "In education", "new_parent": "New parents"},
    "urbanicity": {"urban": "In a city", "rural": "In the country"},
    "company_size_employees": {"1_10": "1 to 10 employees", "5001_plus": "More than 5,000 employees"},
    "seniority": {"entry": "Entry level", "c_suite": "Top management"},
}
KIND_NAMES = {"INT": ("interests", "Interest groups", "INT", "subInterests"), "PI": ("purchase_intent", "Purchase intents", "PI")}


def flat(groups):
    return {c: t for (code, label), members in groups.items() for c, t in {code: label, **members}.items()}


CODES = {code: label for groups in GROUPS.values() for code, label in flat(groups).items()}


def sparse(items, start=0, step=1):
    return {str(start + step * place): item for place, item in enumerate(items)}


def records(pairs, code, label):
    return [{code: value, label: text} for value, text in pairs]


def table(names, rows):
    return [list(names), *map(list, rows)]


def columns(names, rows):
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


#: Ways to list values or codes with their labels, whatever they are.
PAIRED = {
    "records": lambda pairs: records(pairs, "value", "label"),
    "records of others": lambda pairs: records(pairs, "slug", "display_name"),
    "records with a number": lambda pairs: [{"id": n, "code": v, "name": t} for n, (v, t) in enumerate(pairs, 1)],
    "mapping": dict,
    "mapping to records": lambda pairs: {value: {"label": text, "count": 3} for value, text in pairs},
    "labels first": lambda pairs: {text: value for value, text in pairs},
    "labels to records": lambda pairs: {text: {"value": value} for value, text in pairs},
    "pairs": lambda pairs: [list(pair) for pair in pairs],
    "pairs, labels first": lambda pairs: [[text, value] for value, text in pairs],
    "single mappings": lambda pairs: [{value: text} for value, text in pairs],
    "sparse records": lambda pairs: sparse(records(pairs, "code", "title"), 1, 2),
    "sparse pairs": lambda pairs: sparse([list(pair) for pair in pairs], 7, 3),
    "rows": lambda pairs: table(("value", "label"), pairs),
    "rows, labels first": lambda pairs: table(("Label", "Code"), [(text, value) for value, text in pairs]),
    "rows beside headings": lambda pairs: {"columns": ["code", "label"], "rows": [list(pair) for pair in pairs]},
    "sparse rows": lambda pairs: {"headers": sparse(["id", "name"]), "data": sparse([list(pair) for pair in pairs])},
    "columns": lambda pairs: columns(("code", "label"), pairs),
    "columns of sparse lists": lambda pairs: {
        name: sparse(cells, 1) for name, cells in columns(("value", "label"), pairs).items()
    },
    "values with labels beside": lambda pairs: {"values": [v for v, _ in pairs], "labels": dict(pairs)},
    "one text a pair": lambda pairs: [f"{value}: {text}" for value, text in pairs],
    "one text": lambda pairs: "; ".join(f"{value} = {text}" for value, text in pairs),
    "one text, bars": lambda pairs: " | ".join(f"{value}: {text}" for value, text in pairs),
    "lines": lambda pairs: "\n".join(f"{value}: {text}" for value, text in pairs),
    "JSON text": lambda pairs: json.dumps(dict(pairs)),
    "options": lambda pairs: {"label": "What it is", "type": "enum", "options": records(pairs, "value", "text")},
    "values in two groups": lambda pairs: {"common": dict(pairs[:1]), "others": dict(pairs[1:])},
}
#: Ways to list values alone.
BARE = {
    "list": lambda names: names,
    "sparse": lambda names: sparse(names),
    "sparse with gaps": lambda names: sparse(names, 1, 2),
    "commas": lambda names: ", ".join(names),
    "bars": lambda names: "|".join(names),
    "semicolons": lambda names: "; ".join(names),
    "a list of one text": lambda names: [",".join(names)],
    "keys": lambda names: dict.fromkeys(names, True),
    "counted": lambda names: {name: 17 + n for n, name in enumerate(names)},
    "records": lambda names: [{"value": name} for name in names],
    "JSON text": lambda names: json.dumps(names),
    "values": lambda names: {"values": names, "count": len(names)},
}
#: Ways to list codes by their group.
GROUPED = {
    "groups of mappings": lambda groups: {
        code: {"label": label, "sub_interests": dict(members)} for (code, label), members in groups.items()
    },
    "groups of records": lambda groups: [
        {"code": code, "name": label, "items": records(members.items(), "code", "name")}
        for (code, label), members in groups.items()
    ],
    "group and items": lambda groups: [
        {"group": code, "label": label, "items": dict(members)} for (code, label), members in groups.items()
    ],
    "sparse groups": lambda groups: sparse(
        [{"id": code, "title": label, "children": sparse(records(members.items(), "id", "title"))}
         for (code, label), members in groups.items()], 3, 4
    ),
    "rows with their group": lambda groups: table(
        ("group", "group_label", "code", "label"),
        [(code, label, *pair) for (code, label), members in groups.items() for pair in members.items()],
    ),
    "columns with their group": lambda groups: columns(
        ("group_code", "group_name", "code", "name"),
        [(code, label, *pair) for (code, label), members in groups.items() for pair in members.items()],
    ),
}  # fmt: skip
#: The same where a group stands by its label alone: its members' codes are in full.
LABELLED = {
    "labels of groups": lambda groups: {label: dict(members) for (_, label), members in groups.items()},
    "labels of groups and items": lambda groups: [
        {"group": label, "items": records(members.items(), "code", "label")} for (_, label), members in groups.items()
    ],
    "labels of groups over labels": lambda groups: {
        label: {text: code for code, text in members.items()} for (_, label), members in groups.items()
    },
}


def nested(groups):
    """Codes by their last parts, each within its group."""
    def last(code):
        return code.rsplit(".", 1)[1]

    return {
        last(code): {"label": label, "segments": {last(c): t for c, t in members.items()}}
        for (code, label), members in groups.items()
    }  # fmt: skip


SPELT = {
    "in full": lambda code: code,
    "lower case": str.lower,
    "without prefix": lambda code: code.split(".", 1)[1],
    "lower case without prefix": lambda code: code.split(".", 1)[1].lower(),
}
NAMED = {
    "as it is": lambda name, size: name,
    "title": lambda name, size: name.replace("_", " ").title(),
    "with its size": lambda name, size: f"{name.replace('_', ' ').capitalize()} ({size})",
    "camel case": lambda name, size: re.sub("_(.)", lambda m: m[1].upper(), name),
    "dotted": lambda name, size: f"demographics.{name}",
    "with a word": lambda name, size: f"{name}_values",
    "capitals": lambda name, size: name.upper(),
}
WRAPPED = {
    "bare": lambda blocks: {name: block for each in blocks for name, block in each.items()},
    "data": lambda blocks: {"status": 200, "data": {name: block for each in blocks for name, block in each.items()}},
    "result": lambda blocks: {"ok": True, "result": {"filters": {n: b for each in blocks for n, b in each.items()}}},
    "list at the top": list,
    "sparse": lambda blocks: sparse(blocks),
    "JSON in JSON": lambda blocks: {"filters": json.dumps({n: b for each in blocks for n, b in each.items()})},
    "list of fields": lambda blocks: [{"field": n, "values": b} for each in blocks for n, b in each.items()],
    "sparse fields": lambda blocks: {"filters": sparse([{"name": n, "options": b} for each in blocks for n, b in each.items()])},
}  # fmt: skip


def composed(seed):
    """Return a document of one shape out of many thousands, what it was made of, and whether it tells the labels."""
    chance, made, blocks, labelled = random.Random(seed), [], [], True  # noqa: S311 - shapes, not secrets

    def chosen(ways):
        name = chance.choice(sorted(ways))
        made.append(name)
        return ways[name]

    wrapped = chosen(WRAPPED)
    for prefix, groups in GROUPS.items():
        spell = chosen(SPELT)
        ways = ["PAIRED", "GROUPED", "nested"] + ["LABELLED"] * (spell("INT.PETS").startswith(("INT", "int")))
        way = chance.choice(ways)
        spelt = {(spell(code), label): {spell(c): t for c, t in members.items()} for (code, label), members in groups.items()}
        if way == "nested":
            made.append("nested")
            block = nested(groups)
        elif way == "PAIRED":
            block = chosen(PAIRED)(list(flat(spelt).items()))
        else:
            block = chosen(GROUPED if way == "GROUPED" else LABELLED)(spelt)
        blocks.append({chance.choice(KIND_NAMES[prefix]): block})
    for name, values in VALUES.items():
        heading = chosen(NAMED)(name, len(values))
        if chance.random() < 0.6:
            blocks.append({heading: chosen(PAIRED)(list(values.items()))})
        else:
            labelled = False
            blocks.append({heading: chosen(BARE)(list(values))})
    return wrapped(blocks), made, labelled


def check(document, made, labelled):
    found = Vocabulary.parse(document)
    assert {code.code: code.label for code in found.codes.values()} == CODES, made
    got = {name: list(values) for name, values in found.values.items() if name != "confidence"}
    assert got == {name: list(values) for name, values in VALUES.items()}, made
    if labelled:
        assert {name: found.values[name] for name in VALUES} == VALUES, made


@every("seed", range(400))
def test_the_same_vocabulary_in_any_shape_is_the_same_vocabulary(seed):
    check(*composed(seed))
