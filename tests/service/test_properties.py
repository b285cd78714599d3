"""Whatever is sent, every value that comes out is in the vocabulary that the service lists."""

import itertools
import random
from collections import Counter

import pytest

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.vocabulary import filters_document, service_vocabulary
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.readers.segmentation import legacy_shape, structured_shape
from toolkit.service.samples import _root
from toolkit.service.subjects.content import classify
from toolkit.service.subjects.readings import Reading
from toolkit.service.web.shapes import content_shape

NUMBER = 1200
SCRIPTS = (
    "абвгдежзиклмнопрстуфхцчшщыэюя",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "אבגדהוזחטיכלמנסעפצקרשת",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधन",
    "あいうえおかきくけこさしすせそたちつてと日本語温泉旅館",
    "的一是不了人我在有他这为之大来以个中上们",
    "ㄱㄴㄷ가나다라마바사아자차카타파하",
    "กขคงจฉชซญดตถทนบปผฝพฟมยรลวสห",
    "🙂🚗🍕🎸⚽📚💼🏠",
    "\u202e\u200b\u0301\ufffd\x00\x1b\t",
)


def english_words():
    sources = sorted(_root().rglob("*.html"))[::12]
    text = " ".join(file.read_text(encoding="utf-8", errors="ignore") for file in sources)
    return [word for word in text.split() if word.isalpha()]


def texts(number):
    """Yield the same texts every time: English mixtures, nonsense, other scripts, numbers, one word."""
    chance, words = random.Random(20260601), english_words()  # noqa: S311 - the same texts every time
    for turn in range(number):
        length = chance.choice((3, 8, 25, 80))
        kind = turn % 6
        if kind <= 1:
            yield " ".join(chance.choices(words, k=length))
        elif kind == 2:
            yield " ".join(
                "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(length)
            )
        elif kind == 3:
            letters = chance.choice(SCRIPTS)
            yield " ".join("".join(chance.choices(letters, k=chance.randint(1, 8))) for _ in range(length))
        elif kind == 4:
            yield " ".join(str(chance.randint(0, 10**9)) for _ in range(length))
        else:
            yield " ".join([chance.choice(words)] * length)


@pytest.fixture(scope="module")
def answers():
    found = []
    for text in texts(NUMBER):
        page = page_from_text(text)
        reading = Reading(page, classify(page))
        found.append(
            (text, structured_shape("https://a.example/", reading), content_shape(reading, personas=True), reading)
        )
    return found


def test_texts_of_every_kind_are_answered(answers):
    assert len(answers) == NUMBER
    assert len({text for text, *_ in answers}) > 0.95 * NUMBER


def test_every_code_and_value_is_in_the_vocabulary(answers):
    vocabulary = service_vocabulary()
    assert [(text, problems) for text, answer, *_ in answers if (problems := vocabulary.problems(answer))] == []


def test_every_emitted_code_has_its_label_and_nothing_else_has(answers):
    for _, answer, *_ in answers:
        codes = [*answer["interests"]["tier1"], *answer["interests"]["tier2"], *answer["purchase_intent"]["codes"]]
        assert list(answer["labels"]) == list(dict.fromkeys(codes))


def test_groups_are_those_of_the_codes(answers):
    for _, answer, *_ in answers:
        groups = list(dict.fromkeys(code.rpartition(".")[0] for code in answer["interests"]["tier2"]))
        # Sure categories give further groups, behind those of the codes.
        assert answer["interests"]["tier1"][: len(groups)] == groups
        assert len(answer["interests"]["tier1"]) == len(set(answer["interests"]["tier1"]))


def test_categories_are_the_taxonomys_with_their_ancestors_and_ranked(answers):
    for text, *_, reading in answers:
        for name, ranked in (("content-v3", reading.content.v3), ("content-v2", reading.content.v2)):
            taxonomy, confidences = Taxonomy.load(name), {c.id: c.confidence for c in ranked}
            assert list(confidences.values()) == sorted(confidences.values(), reverse=True), text
            assert all(0 < confidence <= 1 for confidence in confidences.values())
            for category in ranked:
                assert (category.path, category.tier) == (taxonomy[category.id].path, taxonomy[category.id].tier)
                above = [confidences[step.id] for step in taxonomy.ancestors(category.id)]
                assert all(higher >= lower for higher, lower in itertools.pairwise([*above, category.confidence])), text


def test_ages_are_one_run_of_brackets_in_their_order(answers):
    brackets = list(service_vocabulary().values["age_bracket"])
    for text, answer, *_ in answers:
        places = [brackets.index(bracket) for bracket in answer["demographics"]["age_bracket"]]
        assert places == list(range(places[0], places[0] + len(places))) if places else True, text


def test_no_status_or_life_stage_contradicts_the_ages(answers):
    for text, answer, *_ in answers:
        people = answer["demographics"]
        ages = set(people["age_bracket"])
        if ages and people["employment_status"] == "retired":
            assert ages & {"65_74", "75_99"}, text
        if ages and "retiree" in people["life_stage"]:
            assert ages & {"55_64", "65_74", "75_99"}, text


def test_personas_are_mapped_from_categories_of_the_answer(answers):
    for _, answer, content, reading in answers:
        paths = {category.path for category in reading.content.v3}
        assert {persona["mapped_from"] for persona in answer["personas"]} <= paths
        assert all(0 < score <= 1 for score in content["buyer_personas_confidence_selection"].values())


def test_nonsense_numbers_and_unknown_scripts_get_no_confident_answer(answers):
    odd = [reading for turn, (*_, reading) in enumerate(answers) if turn % 6 in (2, 3, 4)]
    confident = [r.page.text[:40] for r in odd if any(category.confidence >= 0.6 for category in r.content.v3)]
    assert len(confident) <= len(odd) / 200, Counter(confident).most_common(5)


def test_every_vocabulary_has_as_many_entries_as_the_interface_says():
    document = filters_document()
    groups = {name: document[name] for name in ("interests", "purchase_intent")}
    assert {name: len(entries) for name, entries in groups.items()} == {"interests": 29, "purchase_intent": 34}
    assert sum(len(group["sub_interests"]) for group in groups["interests"]) == 285
    assert sum(len(group["segments"]) for group in groups["purchase_intent"]) == 283
    assert (len(Taxonomy.load("content-v3")), len(Taxonomy.load("content-v2"))) == (703, 698)


def test_legacy_shape_is_words_for_every_kind_of_text(answers):
    for *_, reading in answers[:240]:
        answer = legacy_shape("https://a.example/", reading)
        assert all(isinstance(value, str | list) for value in answer.values())
        assert not any("INT." in str(value) or "PI." in str(value) for value in answer.values())
