"""Dialects: the same facts in the shapes that other services give them, one or several at a time.

Each dialect rewrites a body in place and says in which endpoints it is spoken, what it touches (two dialects of one
answer touch different things), and whether the project promises to read it (``named``) or not (``free``). What it
touches may be refused in words; it may not be lost without any.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from . import facts
from .truth import ANY, Case, Reply, Truth

Body = dict[str, Any]
Rewrite = Callable[[Random, Body, Truth], None]
CONTENT: Final = ("content_url", "content_text")
FAMILY_A: Final = ("categorize", "enrich")
ALL: Final = ("segment", *CONTENT, *FAMILY_A)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of writing otherwise."""

    name: str
    endpoints: tuple[str, ...]
    touches: str
    level: str
    rewrite: Rewrite


DIALECTS: Final[list[Dialect]] = []


def dialect(name: str, endpoints: tuple[str, ...], touches: str, level: str = "free") -> Callable[[Rewrite], Rewrite]:
    """Enter a rewriting into the list."""

    def entering(rewrite: Rewrite) -> Rewrite:
        DIALECTS.append(Dialect(name, endpoints, touches, level, rewrite))
        return rewrite

    return entering


# Segmentation -------------------------------------------------------------------------------------------------------


def _personas(body: Body) -> list[str]:
    return [one["persona"] for one in body["personas"]]


@dialect("personas as pairs", ("segment",), "personas", "named")
def _(rng: Random, body: Body, _: Truth) -> None:
    body["personas"] = [
        rng.choice(([one, 0.8], [f"Persona: {one}", "Confidence: 0.8"], [one, "static_mapping"]))
        for one in _personas(body)
    ]


@dialect("personas as a list of names", ("segment",), "personas", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    body["personas"] = _personas(body)


@dialect("personas as JSON text", ("segment",), "personas", "named")
def _(rng: Random, body: Body, _: Truth) -> None:
    body["personas"] = json.dumps(rng.choice((body["personas"], _personas(body))))


@dialect("personas as a mapping of scores", ("segment",), "personas")
def _(_: Random, body: Body, __: Truth) -> None:
    body["personas"] = dict.fromkeys(_personas(body), 0.7)


@dialect("personas under another name", ("segment",), "personas")
def _(rng: Random, body: Body, _: Truth) -> None:
    name = rng.choice(("name", "persona_name", "label", "title"))
    body["personas"] = [{name: one, "source": "static_mapping"} for one in _personas(body)]


@dialect("personas as a sparse array", ("segment",), "personas")
def _(_: Random, body: Body, __: Truth) -> None:
    body["personas"] = {str(number * 2): one for number, one in enumerate(body["personas"])}


@dialect("labels as pairs", ("segment",), "labels", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    body["labels"] = [[code, label] for code, label in body["labels"].items()]


@dialect("labels as objects", ("segment",), "labels", "named")
def _(rng: Random, body: Body, _: Truth) -> None:
    code, label = rng.choice((("code", "label"), ("id", "name"), ("key", "value"), ("code", "title")))
    body["labels"] = [{code: one, label: words} for one, words in body["labels"].items()]


@dialect("labels by block", ("segment",), "labels", "named")
def _(rng: Random, body: Body, _: Truth) -> None:
    blocks: dict[str, dict[str, str]] = {}
    for code, label in body["labels"].items():
        name = "interests" if code.startswith("INT.") else "purchase_intent"
        blocks.setdefault(name, {})[code] = label
    if rng.random() < 0.4:
        body["labels"] = {
            name: [{"code": one, "label": words} for one, words in part.items()] for name, part in blocks.items()
        }
    else:
        body["labels"] = blocks


@dialect("labels as JSON text", ("segment",), "labels")
def _(_: Random, body: Body, __: Truth) -> None:
    body["labels"] = json.dumps(body["labels"])


def _coded(body: Body) -> list[tuple[Body, str]]:
    return [(body["interests"], "tier1"), (body["interests"], "tier2"), (body["purchase_intent"], "codes")]


@dialect("codes as objects", ("segment",), "codes")
def _(rng: Random, body: Body, _: Truth) -> None:
    code, label = rng.choice((("code", "label"), ("id", "name"), ("code", "name"), ("value", "label")))
    for block, name in _coded(body):
        block[name] = [{code: one, label: body["labels"][one] if isinstance(body["labels"], dict) and one in
                        body["labels"] else one} for one in block[name]]  # fmt: skip


@dialect("codes as a mapping to labels", ("segment",), "codes")
def _(_: Random, body: Body, __: Truth) -> None:
    for block, name in _coded(body):
        block[name] = dict.fromkeys(block[name], "A label")


@dialect("codes as sparse arrays", ("segment",), "codes")
def _(rng: Random, body: Body, _: Truth) -> None:
    step = rng.choice((1, 2))
    for block, name in _coded(body):
        block[name] = {str(number * step + step - 1): one for number, one in enumerate(block[name])}


@dialect("codes as text", ("segment",), "codes")
def _(rng: Random, body: Body, _: Truth) -> None:
    by = rng.choice((",", ", ", "|", "; "))
    for block, name in _coded(body):
        block[name] = by.join(block[name])


@dialect("codes in small letters", ("segment",), "codes")
def _(_: Random, body: Body, truth: Truth) -> None:
    for block, name in _coded(body):
        block[name] = [one.lower() for one in block[name]]
    # As they come, or as the vocabulary has them.
    truth.loose |= {"interests.tier1", "interests.tier2", "purchase_intent.codes"}


_OF_DEMOGRAPHICS: Final = ("age_bracket", "life_stage")


@dialect("lists as sparse arrays", ("segment",), "lists")
def _(_: Random, body: Body, __: Truth) -> None:
    for block, names in (("demographics", _OF_DEMOGRAPHICS), ("b2b", ("seniority", "job_function", "industry"))):
        for name in names:
            body[block][name] = {str(number * 2): one for number, one in enumerate(body[block][name])}


@dialect("lists of one as texts", ("segment",), "lists")
def _(_: Random, body: Body, __: Truth) -> None:
    for block, names in (("demographics", _OF_DEMOGRAPHICS), ("b2b", ("seniority", "job_function"))):
        for name in names:
            if len(body[block][name]) == 1:
                body[block][name] = body[block][name][0]


@dialect("lists as comma text", ("segment",), "lists")
def _(_: Random, body: Body, __: Truth) -> None:
    for block, names in (("demographics", _OF_DEMOGRAPHICS), ("b2b", ("seniority", "job_function"))):
        for name in names:
            body[block][name] = ", ".join(body[block][name])


@dialect("lists of objects", ("segment",), "lists")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in _OF_DEMOGRAPHICS:
        body["demographics"][name] = [{"value": one, "label": one.title()} for one in body["demographics"][name]]


@dialect("texts as lists of one", ("segment",), "scalars")
def _(_: Random, body: Body, __: Truth) -> None:
    for block, name in (
        ("demographics", "income_level"),
        ("demographics", "urbanicity"),
        ("b2b", "company_size_employees"),
    ):
        body[block][name] = [body[block][name]]


@dialect("texts as objects", ("segment",), "scalars")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in ("income_level", "gender_skew", "education_level"):
        body["demographics"][name] = {"value": body["demographics"][name], "label": "A label"}


@dialect("bands in capitals", ("segment",), "bands")
def _(rng: Random, body: Body, _: Truth) -> None:
    for block in ("demographics", "b2b", "interests", "purchase_intent"):
        body[block]["confidence"] = rng.choice((str.upper, str.title))(body[block]["confidence"])


@dialect("bands as numbers", ("segment",), "bands")
def _(rng: Random, body: Body, truth: Truth) -> None:
    for block in ("demographics", "b2b", "interests", "purchase_intent"):
        body[block]["confidence"] = rng.choice((0.9, "0.9", 90, "90%"))
        truth.loose.add(f"{block}.confidence")


@dialect("empty blocks as empty lists", ("segment",), "b2b")
def _(_: Random, body: Body, truth: Truth) -> None:
    body["b2b"] = []
    truth.content = {name: part for name, part in truth.content.items() if not name.startswith("b2b.")}


@dialect("names in camel case", ("segment", *FAMILY_A), "names")
def _(_: Random, body: Body, __: Truth) -> None:
    _renamed(body, lambda name: "".join(part.title() if at else part for at, part in enumerate(name.split("_"))))


@dialect("names in capitals", ("segment", *FAMILY_A), "names")
def _(_: Random, body: Body, __: Truth) -> None:
    _renamed(body, str.upper)


def _renamed(body: Body, rename: Callable[[str], str]) -> None:
    for name in [name for name in body if name.replace("_", "").isalpha() and name != "status"]:
        body[rename(name)] = body.pop(name)


# Content --------------------------------------------------------------------------------------------------------------


def _ranked(body: Body) -> list[str]:
    return [name for name in body if name.startswith(("std_", "filtering_", "iab_"))]


def _pairs(entries: list[list[str]]) -> list[tuple[str, str]]:
    return [(a.removeprefix("Category name: "), b.removeprefix("Confidence: ")) for a, b in entries]


def _rewritten(body: Body, write: Callable[[str, str], Any]) -> None:
    for name in _ranked(body):
        body[name] = [write(*pair) for pair in _pairs(body[name])]


@dialect("iab_ in place of std_", CONTENT, "field names", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in [name for name in body if name.startswith("std_")]:
        body[name.replace("std_", "iab_")] = body.pop(name)


@dialect("iab_ beside std_", CONTENT, "field names", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in [name for name in body if name.startswith("std_")]:
        body[name.replace("std_", "iab_")] = body[name]


@dialect("iab_ beside empty std_", CONTENT, "field names", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in [name for name in body if name.startswith("std_")]:
        body[name.replace("std_", "iab_")], body[name] = body[name], []


@dialect("pairs of path and number", CONTENT, "pairs", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    _rewritten(body, lambda path, score: [path, float(score)])


@dialect("pairs of plain texts", CONTENT, "pairs", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    _rewritten(body, lambda path, score: [path, score])


@dialect("objects of category and confidence", CONTENT, "pairs", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    _rewritten(body, lambda path, score: {"category": path, "confidence": float(score)})


@dialect("objects of category and value", CONTENT, "pairs", "named")
def _(rng: Random, body: Body, _: Truth) -> None:
    as_text = rng.random() < 0.5
    _rewritten(body, lambda path, score: {"category": path, "value": score if as_text else float(score)})


@dialect("objects named like the texts", CONTENT, "pairs")
def _(_: Random, body: Body, __: Truth) -> None:
    _rewritten(body, lambda path, score: {"Category name": path, "Confidence": score})


@dialect("objects of name and score", CONTENT, "pairs")
def _(rng: Random, body: Body, _: Truth) -> None:
    name, score_name = rng.choice((("name", "score"), ("label", "probability"), ("category_name", "confidence")))
    _rewritten(body, lambda path, score: {name: path, score_name: float(score)})


@dialect("a mapping from path to confidence", CONTENT, "pairs")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in _ranked(body):
        body[name] = {path: float(score) for path, score in _pairs(body[name])}


@dialect("pairs in the other order", CONTENT, "pairs")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in _ranked(body):
        body[name] = [[second, first] for first, second in body[name]]


@dialect("pairs as sparse arrays", CONTENT, "pairs")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in _ranked(body):
        body[name] = {str(number + 1): pair for number, pair in enumerate(body[name])}


@dialect("pairs as single texts", CONTENT, "pairs")
def _(_: Random, body: Body, __: Truth) -> None:
    _rewritten(body, lambda path, score: f"Category name: {path}, Confidence: {score}")


@dialect("percent in pairs", CONTENT, "pairs", "named")
def _(rng: Random, body: Body, truth: Truth) -> None:
    form = rng.choice(("{:.0f}%", "{:.0f} %", "{:.2f}%"))
    _rewritten(body, lambda path, score: [f"Category name: {path}", f"Confidence: {form.format(float(score) * 100)}"])
    digits = 4 if ".2f" in form else 2
    for name in ("v3", "v2", "filtering"):
        ranked = truth.content.get(name, {})
        truth.content[name] = {path: (None, round(score, digits)) for path, score in ranked.items()}


@dialect("words in pairs", CONTENT, "pairs", "named")
def _(rng: Random, body: Body, truth: Truth) -> None:
    _rewritten(body, lambda path, _: [f"Category name: {path}", f"Confidence: {rng.choice(('high', 'Low'))}"])
    for name in ("v3", "v2", "filtering"):
        truth.content[name] = dict.fromkeys(truth.content.get(name, {}), ANY)


@dialect("other spaces in pairs", CONTENT, "pairs")
def _(rng: Random, body: Body, truth: Truth) -> None:
    by = rng.choice((">", "  >  ", " > "))
    _rewritten(body, lambda path, score: [f"Category name : {path.replace(' > ', by)}", f"confidence:{score}"])


@dialect("the list as JSON text", CONTENT, "pairs")
def _(_: Random, body: Body, __: Truth) -> None:
    for name in _ranked(body):
        body[name] = json.dumps(body[name])


@dialect("persona scores as pairs", CONTENT, "scores", "named")
def _(rng: Random, body: Body, _: Truth) -> None:
    scores = body["buyer_personas_confidence_selection"]
    as_text = rng.random() < 0.5
    body["buyer_personas_confidence_selection"] = [
        [f"Persona: {name}", f"Confidence: {score}"] if as_text else [name, score] for name, score in scores.items()
    ]


@dialect("persona scores as objects", CONTENT, "scores")
def _(rng: Random, body: Body, _: Truth) -> None:
    name, score_name = rng.choice((("persona", "confidence"), ("name", "score"), ("persona", "value")))
    scores = body["buyer_personas_confidence_selection"]
    body["buyer_personas_confidence_selection"] = [{name: one, score_name: score} for one, score in scores.items()]


@dialect("persona scores as JSON text", CONTENT, "scores", "named")
def _(_: Random, body: Body, __: Truth) -> None:
    body["buyer_personas_confidence_selection"] = json.dumps(body["buyer_personas_confidence_selection"])


@dialect("persona scores as texts", CONTENT, "scores")
def _(_: Random, body: Body, __: Truth) -> None:
    scores = body["buyer_personas_confidence_selection"]
    body["buyer_personas_confidence_selection"] = {name: str(score) for name, score in scores.items()}


@dialect("personas without scores", CONTENT, "scores", "named")
def _(_: Random, body: Body, truth: Truth) -> None:
    body["buyer_personas_confidence_selection"] = list(body["buyer_personas_confidence_selection"])
    truth.content["persona_scores"] = dict.fromkeys(truth.content["persona_scores"], ANY)


# Family A -----------------------------------------------------------------------------------------------------------


@dialect("confidence in words", FAMILY_A, "confidence", "named")
def _(rng: Random, body: Body, truth: Truth) -> None:
    for one in body["categories"]:
        one["confidence"] = rng.choice(("high", "medium", "low", "HIGH", "very high"))
    truth.content["categories"] = dict.fromkeys(truth.content["categories"], ANY)


@dialect("confidence in percent", FAMILY_A, "confidence", "named")
def _(_: Random, body: Body, truth: Truth) -> None:
    for one in body["categories"]:
        score = one["confidence"]
        one["confidence"] = f"{score * 100:.0f}%"
        truth.content["categories"] = {**truth.content["categories"], one["name"]: (None, round(score, 2))}


@dialect("confidence as text", FAMILY_A, "confidence")
def _(_: Random, body: Body, __: Truth) -> None:
    for one in body["categories"]:
        one["confidence"] = str(one["confidence"])


@dialect("score in place of confidence", FAMILY_A, "confidence")
def _(rng: Random, body: Body, truth: Truth) -> None:
    name = rng.choice(("score", "probability", "weight", "value"))
    for one in body["categories"]:
        one[name] = one.pop("confidence")
    truth.content["categories"] = {one: (score, None) for one, score in truth.content["categories"].items()}


@dialect("numbers as identifiers, texts as tiers", FAMILY_A, "identifiers")
def _(_: Random, body: Body, __: Truth) -> None:
    for one in body["categories"]:
        one["id"] = int(one["id"]) if one["id"].isdigit() else one["id"]
        if "tier" in one:
            one["tier"] = str(one["tier"])


@dialect("categories as a sparse array", FAMILY_A, "categories")
def _(_: Random, body: Body, __: Truth) -> None:
    body["categories"] = {str(number + 1): one for number, one in enumerate(body["categories"])}


@dialect("categories by identifier", FAMILY_A, "categories")
def _(_: Random, body: Body, __: Truth) -> None:
    body["categories"] = {
        one["id"]: {name: part for name, part in one.items() if name != "id"} for one in body["categories"]
    }


@dialect("categories as pairs", FAMILY_A, "categories")
def _(_: Random, body: Body, truth: Truth) -> None:
    body["categories"] = [[one["name"], one.get("confidence", one.get("score"))] for one in body["categories"]]
    truth.loose |= {"ids", "tiers", "categories"}


@dialect("categories as names", FAMILY_A, "categories")
def _(_: Random, body: Body, truth: Truth) -> None:
    body["categories"] = [one["name"] for one in body["categories"]]
    truth.content["categories"] = dict.fromkeys(truth.content["categories"], (None, ANY))
    truth.loose |= {"ids", "tiers"}


@dialect("categories under another name", FAMILY_A, "categories")
def _(rng: Random, body: Body, _: Truth) -> None:
    body[rng.choice(("Categories", "category", "iab_categories", "classification"))] = body.pop("categories")


@dialect("founded as a date", ("enrich", "enrich_xml"), "founded", "named")
def _(rng: Random, body: Body, _: Truth) -> None:
    year = body["company"]["founded_year"]
    body["company"]["founded_year"] = rng.choice((f"{year}-05-01", f"{year}-05-01T00:00:00Z", f"{year}", f"{year}.0"))


@dialect("founded in words", ("enrich",), "founded")
def _(rng: Random, body: Body, truth: Truth) -> None:
    year = body["company"]["founded_year"]
    body["company"]["founded_year"] = rng.choice((f"May {year}", f"founded in {year}", f"c. {year}", f"01/05/{year}"))
    truth.content["founded_year"] = (year, None)


@dialect("rank with marks", ("enrich", "enrich_xml"), "rank", "named")
def _(rng: Random, body: Body, _: Truth) -> None:
    rank = body["traffic"]["traffic_rank"]
    body["traffic"]["traffic_rank"] = rng.choice((f"#{rank:,}", f"{rank:,}", f"# {rank}", f"{rank}"))


@dialect("rank with other marks", ("enrich",), "rank")
def _(rng: Random, body: Body, _: Truth) -> None:
    rank = body["traffic"]["traffic_rank"]
    grouped = f"{rank:,}"
    body["traffic"]["traffic_rank"] = rng.choice((grouped.replace(",", " "), grouped.replace(",", "'"), f"No. {rank}"))


@dialect("technologies as names", ("enrich", "enrich_xml"), "technologies")
def _(_: Random, body: Body, truth: Truth) -> None:
    body["technologies"] = [one["name"] for one in body["technologies"]]
    truth.content.pop("technology_categories", None)


@dialect("technologies by category", ("enrich",), "technologies")
def _(_: Random, body: Body, __: Truth) -> None:
    found: dict[str, list[str]] = {}
    for one in body["technologies"]:
        found.setdefault(one["category"], []).append(one["name"])
    body["technologies"] = found


@dialect("technologies as comma text", ("enrich",), "technologies")
def _(_: Random, body: Body, truth: Truth) -> None:
    body["technologies"] = ", ".join(one["name"] for one in body["technologies"])
    truth.content.pop("technology_categories", None)


@dialect("headquarters as text", ("enrich",), "place")
def _(_: Random, body: Body, truth: Truth) -> None:
    place = body["company"]["headquarters"]
    body["company"]["headquarters"] = f"{place['city']}, {place['state']}, {place['country']}"
    truth.loose |= {"city", "state", "country"}


@dialect("empty blocks as empty lists", ("enrich",), "place")
def _(_: Random, body: Body, truth: Truth) -> None:
    body["social"] = []
    body["company"]["headquarters"] = []
    for name in ("city", "state", "country", "linkedin_url", "twitter_handle", "github_org"):
        truth.content.pop(name, None)


# All ----------------------------------------------------------------------------------------------------------------


@dialect("status as text", ("segment", *CONTENT), "status")
def _(rng: Random, body: Body, _: Truth) -> None:
    body["status"] = rng.choice(("200", "200 OK", "OK", "ok", "success", 200.0, True, "Success"))


@dialect("status as an object", ("segment", *CONTENT), "status")
def _(rng: Random, body: Body, _: Truth) -> None:
    body["status"] = rng.choice(({"code": 200, "message": "OK"}, {"code": "200"}, {"success": True}))


@dialect("no status", ("segment", *CONTENT), "status", "must")
def _(_: Random, body: Body, __: Truth) -> None:
    body.pop("status")


@dialect("additions", ALL, "additions", "must")
def _(rng: Random, body: Body, _: Truth) -> None:
    body[rng.choice(("took", "server", "_links", "x"))] = rng.choice(
        (1, "web-03", {"self": "/v1"}, [1, {"a": None}], None)
    )


# Around the body ----------------------------------------------------------------------------------------------------

_WARNINGS: Final = (
    '<br />\n<b>Warning</b>:  Undefined array key "x" in <b>/var/www/api.php</b> on line <b>41</b><br />\n',
    "<br />\n<b>Deprecated</b>:  Function utf8_encode() is deprecated in <b>/a.php</b> on line <b>7</b><br />\n",
    "PHP Notice:  Undefined variable: r in /var/www/html/api/segment.php on line 9\n",
    "\nWarning: Cannot modify header information - headers already sent {output started at /x.php:3}\n",
    "<!-- served by web-03 [cache miss] -->\n",
)


def _around(rng: Random, body: Body) -> tuple[str, str, str]:
    """Return a body as text with something around it, the name of that, and its level."""
    text = json.dumps(body, ensure_ascii=rng.random() < 0.5)
    ways: dict[str, tuple[Callable[[], str], str]] = {
        "after a PHP warning": (lambda: rng.choice(_WARNINGS) + text, "named"),
        "after two PHP warnings": (lambda: rng.choice(_WARNINGS) + rng.choice(_WARNINGS) + text, "named"),
        "before a comment": (lambda: text + "\n<!-- 0.0314 s -->", "free"),
        "before a PHP warning": (lambda: text + rng.choice(_WARNINGS), "free"),
        "pretty": (lambda: json.dumps(body, indent=4), "must"),
        "with escaped solidus": (lambda: json.dumps(body).replace("/", "\\/"), "must"),
        "JSONP": (lambda: f"callback({text});", "free"),
        "after a guard": (lambda: f")]}}',\n{text}", "free"),
        "JSON in JSON": (lambda: json.dumps(text), "free"),
        "in a list": (lambda: f"[{text}]", "free"),
        "twice": (lambda: text + text, "free"),
        "in data": (lambda: json.dumps({"status": 200, "data": body}), "free"),
        "in data, with success": (lambda: json.dumps({"success": True, "data": body, "error": None}), "free"),
        "in result": (lambda: json.dumps({"result": body}), "free"),
        "in response": (lambda: json.dumps({"response": body, "status": "ok"}), "free"),
        "in results": (lambda: json.dumps({"status": "success", "results": [body]}), "free"),
        "in data, as text": (lambda: json.dumps({"status": 200, "data": json.dumps(body)}), "free"),
        "with a trailing comma": (lambda: text[:-1] + ",}", "free"),
        "with comments": (lambda: "// generated\n" + text, "free"),
        "in single quotes": (lambda: repr(body), "free"),
    }
    name, (write, level) = rng.choice(tuple(ways.items()))
    return write(), name, level


def _levels(*levels: str) -> str:
    return max(levels, key=("must", "named", "free").index)


def spoken(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer in one dialect, or in a mixture."""
    if endpoint == "enrich_xml":
        return xml(rng, index, endpoint, target)
    if endpoint not in ALL:
        endpoint = rng.choice(ALL)
        target = facts.target_of(endpoint, f"c{index}-mutant")
    body, content = facts.MAKERS[endpoint](rng, target)
    truth = Truth("answer", "must", content)
    known = [one for one in DIALECTS if endpoint in one.endpoints]
    number = rng.choice((0, 1, 1, 1, 1, 1, 1, 2, 3, 4))
    chosen: list[Dialect] = []
    for one in rng.sample(known, min(len(known), number * 3)):
        if len(chosen) < number and one.touches not in {other.touches for other in chosen}:
            chosen.append(one)
    # Names are changed last: the others look fields up.
    last = ("categories", "b2b", "field names", "names")
    chosen.sort(key=lambda one: last.index(one.touches) if one.touches in last else -1)
    for one in chosen:
        one.rewrite(rng, body, truth)
    names = [one.name for one in chosen]
    levels = [one.level for one in chosen]
    if number == 0 or (number > 1 and rng.random() < 0.3):
        text, around, level = _around(rng, body)
        names.append(around)
        levels.append(level)
    else:
        text = json.dumps(body, ensure_ascii=rng.random() < 0.5)
    truth.level = _levels(*levels, "must")
    kind = f"dialect: {names[0]}" if len(names) == 1 else f"dialects, {len(names)} at a time"
    reply = Reply(
        text.encode(), headers=[("Content-Type", rng.choice(("application/json", "text/html; charset=UTF-8")))]
    )
    return Case(index, kind, endpoint, target, reply, truth, notes=f"{truth.level}: {'; '.join(names)}")


# XML ----------------------------------------------------------------------------------------------------------------


def xml(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an enrichment record in some XML."""
    body, content = facts.enrich(rng, target)
    truth = Truth("answer", "must", content)
    chosen = [one for one in DIALECTS if endpoint in one.endpoints and rng.random() < 0.15]
    levels = ["must"]
    for one in chosen if len({one.touches for one in chosen}) == len(chosen) else ():
        one.rewrite(rng, body, truth)
        levels.append(one.level)
    lists = {"categories": "category", "technologies": "technology"}
    ways = {
        "item": ("must", "", ""),
        "named elements": ("named", "named", ""),
        "repeated elements": ("free", "repeated", ""),
        "attributes": ("named", "attributes", ""),
        "all attributes": ("free", "attributes", "all"),
        "CDATA": ("must", "", "cdata"),
        "a namespace": ("free", "", "namespace"),
        "a prefix": ("free", "", "prefix"),
        "comments": ("must", "", "comments"),
        "another root": ("must", "", "root"),
        "records": ("free", "", "records"),
        "pretty": ("must", "", "pretty"),
        "UTF-16": ("free", "", "utf-16"),
        "latin-1": ("free", "", "latin-1"),
        "no declaration": ("must", "", "bare"),
        "a doctype": ("free", "", "doctype"),
        "an external entity": ("free", "", "external"),
        "JSON in place of XML": ("free", "", "json"),
    }
    name, (level, listed, around) = rng.choice(tuple(ways.items()))
    levels.append(level)

    def element(tag: str, value: Any) -> str:
        if isinstance(value, dict):
            if around == "all" and tag not in {"response", "company"}:
                flat = "".join(f' {key}="{facts.escaped(str(part))}"' for key, part in value.items())
                return f"<{tag}{flat}/>"
            return f"<{tag}>{''.join(element(key, part) for key, part in value.items())}</{tag}>"
        if isinstance(value, list):
            inner = lists.get(tag, "item") if listed in {"named", "attributes"} else "item"
            if listed == "repeated":
                return "".join(element(tag, part) for part in value)
            if listed == "attributes":
                entries = "".join(
                    f"<{inner}" + "".join(f' {key}="{facts.escaped(str(part))}"' for key, part in one.items()) + "/>"
                    if isinstance(one, dict)
                    else element(inner, one)
                    for one in value
                )
                return f"<{tag}>{entries}</{tag}>"
            return f"<{tag}>{''.join(element(inner, part) for part in value)}</{tag}>"
        text = str(value)
        if around == "cdata":
            return f"<{tag}><![CDATA[{text}]]></{tag}>"
        return f"<{tag}>{facts.escaped(text)}</{tag}>"

    inside = "".join(element(key, part) for key, part in body.items())
    root = {"root": "enrichment", "namespace": 'r xmlns="urn:x:enrich"'}.get(around, "response")
    text = f"<{root}>{inside}</{root.split()[0]}>"
    if around == "prefix":
        text = text.replace("</", "</e:").replace("<", "<e:").replace("<e:/e:", "</e:")
        text = text.replace("<e:response>", '<e:response xmlns:e="urn:x">', 1)
    if around == "comments":
        text = text.replace("<company>", "<!-- the company --><company><?php-x y?>")
    if around == "records":
        text = f"<response><status>200</status><record>{inside}</record></response>"
    if around == "pretty":
        text = text.replace("><", ">\n    <")
    encoding = {"utf-16": "UTF-16", "latin-1": "ISO-8859-1"}.get(around, "UTF-8")
    if around != "bare":
        text = f'<?xml version="1.0" encoding="{encoding}"?>\n{text}'
    if around == "doctype":
        text = text.replace("?>\n", "?>\n<!DOCTYPE response>\n", 1)
    if around == "external":
        declared = '<!DOCTYPE response [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
        text = text.replace("?>\n", f"?>\n{declared}\n", 1).replace(
            "</company>", "<legal_name>&x;</legal_name></company>"
        )
        truth.verdict = "error"
    if around == "json":
        text = json.dumps(body)
    data = text.encode(encoding, "xmlcharrefreplace")
    truth.level = _levels(*levels)
    kind_of = (
        "application/json"
        if around == "json"
        else rng.choice(("application/xml", "text/xml", "text/xml; charset=utf-8"))
    )
    if around in {"utf-16", "latin-1"}:
        kind_of = "application/xml"
    reply = Reply(data, headers=[("Content-Type", kind_of)])
    notes = "; ".join(one.name for one in chosen)
    return Case(index, f"XML: {name}", endpoint, target, reply, truth, notes=f"{truth.level} {notes}")
