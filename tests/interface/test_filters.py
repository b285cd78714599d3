"""Filters documents in every dialect: the same vocabulary in another shape is the same vocabulary."""

import contextlib
import json
import random
import re

import pytest
from cases import every

from toolkit.interface.errors import DataError
from toolkit.interface.vocabulary import FIELDS, Vocabulary
from toolkit.service.knowledge.vocabulary import filters_document, service_vocabulary

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
KIND_NAMES = {
    "INT": ("interests", "Interest groups", "INT", "subInterests"),
    "PI": ("purchase_intent", "Purchase intents", "PI"),
}


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
    "sparse": sparse,
    "sparse with gaps": lambda names: sparse(names, 1, 2),
    "commas": ", ".join,
    "bars": "|".join,
    "semicolons": "; ".join,
    "a list of one text": lambda names: [",".join(names)],
    "keys": lambda names: dict.fromkeys(names, True),
    "counted": lambda names: {name: 17 + n for n, name in enumerate(names)},
    "records": lambda names: [{"value": name} for name in names],
    "JSON text": json.dumps,
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
    "sparse": sparse,
    "JSON in JSON": lambda blocks: {"filters": json.dumps({n: b for each in blocks for n, b in each.items()})},
    "list of fields": lambda blocks: [{"field": n, "values": b} for each in blocks for n, b in each.items()],
    "sparse fields": lambda blocks: {
        "filters": sparse([{"name": name, "options": block} for each in blocks for name, block in each.items()])
    },
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
        spelt = {
            (spell(code), label): {spell(c): t for c, t in members.items()} for (code, label), members in groups.items()
        }
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


SPELT_IN_FULL = {name: spell for name, spell in SPELT.items() if "prefix" not in name}
#: Shapes that keep every group, and every label, of any vocabulary.
WHOLE = ("records", "mapping", "pairs", "rows", "columns", "sparse records", "one text a pair", "JSON text")


@every("spelt, shape", [(name, shape) for name in SPELT_IN_FULL for shape in (*WHOLE, *GROUPED, "nested")])
def test_all_codes_of_the_service_are_read_from_any_shape(spelt, shape):
    known, spell, document = service_vocabulary(), SPELT[spelt], {}
    for kind in ("interest", "purchase_intent"):
        groups = {
            (spell(group.code), group.label): {spell(c.code): c.label for c in known.members(kind, group.code)}
            for group in known.groups(kind)
            if known.members(kind, group.code)
        }
        listed = PAIRED[shape](list(flat(groups).items())) if shape in PAIRED else None
        document[kind] = listed or (nested(groups) if shape == "nested" else GROUPED[shape](groups))
    found = Vocabulary.parse(document)
    left = {group.code for group in known.groups("purchase_intent") if not known.members("purchase_intent", group.code)}
    assert {c.code: c.label for c in found.codes.values()} == {
        code: entry.label for code, entry in known.codes.items() if code not in left
    }


@every(
    "document",
    [
        {"0": {"field": "age_bracket", "value": "18_24", "label": "18 to 24 years"},
         "2": {"field": "age_bracket", "value": "25_34", "label": "25 to 34 years"}},
        [["field", "value", "label"],
         ["Age bracket", "18_24", "18 to 24 years"], ["Age bracket", "25_34", "25 to 34 years"]],
        {"dimension": ["age", "age"], "code": ["18_24", "25_34"], "label": ["18 to 24 years", "25 to 34 years"]},
        {"demographics": {"age": {"label": "Age", "0": ["18_24", "18 to 24 years"], "1": ["25_34", "25 to 34 years"]}}},
        {"filters": [{"filter": "age", "type": "multi", "options": "18_24=18 to 24 years|25_34=25 to 34 years"}]},
        {"Age bracket (2)": {"18 to 24 years": "18_24", "25 to 34 years": "25_34"}},
        {"result": '{"age": "{\\"18_24\\": \\"18 to 24 years\\", \\"25_34\\": \\"25 to 34 years\\"}"}'},
    ],
)  # fmt: skip
def test_values_are_read_with_their_labels(document):
    found = Vocabulary.parse(document)
    assert found.values["age_bracket"] == {"18_24": "18 to 24 years", "25_34": "25 to 34 years"}
    assert [problem for problem in found.problems() if problem.where != "$"] == []


@every("sign", ["=", ": ", " = "])
@every("between", [", ", "; ", "|", "\n"])
def test_values_and_labels_in_one_text_are_told_apart(sign, between):
    labels = {"1_10": "1 to 10 employees", "501_1000": "501 to 1,000 employees", "5001_plus": "5,001 and more"}
    first = between.join(f"{value}{sign}{label}" for value, label in labels.items())
    last = between.join(f"{label}{sign}{value}" for value, label in labels.items())
    for text in (first, last):
        for part in (text, [text], {"values": text}):
            values = Vocabulary.parse({"company_size": part}).values["company_size_employees"]
            assert list(values.items()) == list(labels.items())


def test_codes_without_prefix_and_labels_in_one_text_are_told_apart():
    found = Vocabulary.parse({"interests": "PETS.DOGS=Dogs, puppies, PETS.CATS=Cats"})
    assert {code: found.label(code) for code in ("INT.PETS.DOGS", "INT.PETS.CATS")} == {
        "INT.PETS.DOGS": "Dogs, puppies",
        "INT.PETS.CATS": "Cats",
    }


def lists_of_fields(name, label, below):
    trees = {"INT": "interests", "PI": "purchase_intent"}
    return [
        {name: tree, label: tree.title(), below: [
            {"code": code, "label": text, "children": records(members.items(), "code", "label")}
            for (code, text), members in GROUPS[kind].items()
        ]}
        for kind, tree in trees.items()
    ]  # fmt: skip


@every(("name", "label", "below"), [("key", "label", "values"), ("id", "name", "options"), ("code", "title", "items")])
@every("around", [lambda part: part, lambda part: {"filters": part}])
def test_the_name_of_a_list_is_no_code(name, label, below, around):
    fields = [{name: "income_level", label: "Income_Level", below: ["low", "high"]}]
    found = Vocabulary.parse(around([*lists_of_fields(name, label, below), *fields]))
    assert {code.code: code.label for code in found.codes.values()} == CODES
    assert list(found.values["income_level"]) == ["low", "high"]


@every("parent", ["parent", "group", "parent_code"])
@every("written", [str, str.lower, lambda code: code.split(".")[-1], lambda code: code.split(".")[-1].lower()])
def test_an_object_under_its_code_speaks_of_that_code(parent, written):
    def described(kind):
        return {
            code: {"label": label, parent: written(".".join(code.split(".")[:2])) if code.count(".") > 1 else None}
            for code, label in reversed(flat(GROUPS[kind]).items())
        }

    found = Vocabulary.parse({"interests": described("INT"), "purchase_intent": described("PI")})
    assert {code.code: code.label for code in found.codes.values()} == CODES


def test_a_table_whose_columns_are_fields_is_read():
    rows = [["age_bracket", "income_level", "Interests"], ["18_24", "low", "INT.PETS"], ["25_34", "high", "INT.CARS"]]
    found = Vocabulary.parse({"rows": rows})
    assert (list(found.values["age_bracket"]), list(found.values["income_level"])) == (
        ["18_24", "25_34"],
        ["low", "high"],
    )
    assert list(found.codes) == ["INT.PETS", "INT.CARS"]


def test_the_vocabulary_of_the_service_leaves_nothing_open():
    assert Vocabulary.parse(filters_document()).problems() == ()


def told(document, where=None):
    problems = Vocabulary.parse(document).problems()
    return {(problem.field, problem.reason) for problem in problems if (problem.where != "$") is (where is None)}


@every(
    ("part", "field", "reason"),
    [
        ({"urbanicity": {"a": [[{"b": [["c"]]}]]}}, "urbanicity", "could not be read"),
        ({"favourite_colours": ["red", "blue"]}, "favourite_colours", "is under a name that is none of a known field"),
        ({"interests": ["Dogs & puppies", "Cats"]}, "interest", "is no code"),
        ({"interests": {"source": "IAB", "PETS": "Pets"}}, "interest", "could not be read"),
        ({"purchase_intent": {"Cars": {"New cars": 1}}}, "purchase_intent", "could not be read"),
    ],
)
def test_what_was_found_and_not_understood_is_named_with_its_place(part, field, reason):
    assert (field, reason) in told({"income": ["low", "high"], **part})


def test_what_is_missing_is_named():
    missing = {field for field, reason in told({"income": ["low"]}, "$") if reason == "is missing"}
    assert missing == set(FIELDS) - {"income_level", "confidence"}


def test_numbers_other_than_the_stated_are_named():
    found = Vocabulary.parse(
        {"income": ["low"], "Urbanicity (3)": ["urban", "rural"], "labels": {"INT.PETS.DOGS": "Dogs"}}
    )
    said = [str(problem) for problem in found.problems() if "state" in problem.reason]
    assert said == [
        "$: interest '1 code in 1 group' is not what the interface states: 285 codes in 29 groups",
        "$: purchase_intent '0 codes in 0 groups' is not what the interface states: 283 codes in 34 groups",
        "$: income_level '1 value' is not what is stated: 6",
        "$: urbanicity '2 values' is not what is stated: 3",
    ]


def test_a_problem_shows_no_steering_characters():
    found = Vocabulary.parse({"income": ["low"], "co\u202elours\x1b[31m": ["r\u202eed\n"]})
    shown = [str(problem) for problem in found.problems()]
    assert all(not re.search("[\x00-\x1f\u202e]", line) for line in shown)
    assert any("colours" in line for line in shown)


def test_no_code_is_made_of_words():
    document = {"interests": {"source": "IAB", "updated": "today", "Pets": ["Dogs"], "note": "beta"}, "age": ["18_24"]}
    assert Vocabulary.parse(document).codes == {}


@every(
    "document",
    [{"error": "Invalid API key"}, {"errors": [{"message": "gone"}]}, {"data": []}, {"filters": None}, [1, 2]],
)
def test_a_document_without_any_vocabulary_is_an_error_in_words(document):
    with pytest.raises(DataError, match="holds no INT"):
        Vocabulary.parse(document)


HOSTILE = {
    "levels under a name that says nothing": lambda n: json.loads('{"values":' * 39 + '["a"]' + "}" * 39),
    "levels of fields": lambda n: json.loads('{"age":' * 35 + json.dumps(["x"] * n) + "}" * 35),
    "levels of tokens": lambda n: {"interests": json.loads('{"A":' * 35 + json.dumps(["B"] * n) + "}" * 35)},
    "spaces": lambda n: {"interests": " " * n, "age": ["a" + " " * n + "b", "b"]},
    "breaks": lambda n: {"interests": "\n" * n, "age": "\n" * n, "int": ["\n" * n]},
    "dashes": lambda n: {"interests": ["-" * n, "INT." + "A-" * n, "(" * n, "INT" + ".A" * n + "!"]},
    "brackets": lambda n: {"(" * n: ["a"], "age" + "()" * n: ["b"]},
    "JSON in JSON": lambda n: "[" * n + "]" * n,
    "names": lambda n: {f"name {number}": ["a", "b"] for number in range(n)},
    "headings of a kind": lambda n: {"interests": {f"Word {number}": "text" for number in range(9 * n)}},
    "words of a kind": lambda n: {"interests": [f"Word {number}" for number in range(n)]},
    "rows": lambda n: [["code", "label"], *[["a", "b"]] * n],
    "more than any vocabulary": lambda n: [["INT.A"]] * 20 * n,
}


@every("name", HOSTILE)
def test_a_hostile_document_takes_time_by_its_length_alone(name):
    # A pattern or a walk of squares would take minutes at this length, and the test's limit of time ends it.
    document = HOSTILE[name](10_000)
    with contextlib.suppress(DataError):
        assert len(Vocabulary.parse(document).problems()) < 200
