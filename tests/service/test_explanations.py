"""Explanations: reasons add up to the score and agree with the answers; how a subject is named; what is refused."""

import asyncio
import random

import pytest

import toolkit as tk
from toolkit.interface.errors import (
    BadRequestError,
    FetchFailedError,
    InputError,
    InsufficientContentError,
    InvalidKeyError,
    NotFoundError,
)
from toolkit.interface.explanations import Explanation
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.vocabulary import service_vocabulary
from toolkit.service.pages.fetching import Fetcher
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.readers.audience import map_codes, weigh
from toolkit.service.readers.personas import persona_categories
from toolkit.service.samples import sample_sites
from toolkit.service.subjects.content import branch_scores, classify, confidences, filtering_matcher, label_scores
from toolkit.service.subjects.parts import page_parts
from toolkit.service.subjects.readings import Reading, classified, taken_apart
from toolkit.service.why.asked import Subject, find_subject
from toolkit.service.why.explanations import explain
from toolkit.service.why.reasons import POOLED

BOOTS = "https://trailhead-outfitters.example/boots"
PAGES = (BOOTS, "torque-journal.example", "cloudmast.example", "sakura-onsen.example", "ledgerline.example")
TEXT = "We wore hiking boots. The tent stood by the mountain trail, and the dogs slept in it."
HOSTILE = "<img src=x onerror=alert(1)>"
KINDS = ("content-v3", "content-v2", "filtering", "interest", "purchase_intent", "value", "persona")
ODD = {
    "japanese": "温泉旅館で過ごす週末。露天風呂と懐石料理を楽しむ。",
    "russian": "Кошки и собаки любят гулять в парке! Кошки спят.",
    "arabic": "مرحبا بالعالم كرة القدم اليوم في الملعب",
    "nonsense": "asdf qwer zxcv. " * 20,
    "repeated": "boots " * 2000,
    "emoji": "🥾🏔️🎉 boots 🥾🥾 trail 👨‍👩‍👧 camp",
    "long": "Trail shoes, boots and tents. " * 4000,
    "unspaced": "hikingboots" * 3000,
    "unspaced japanese": "温泉" * 9000,
    "marks alone": "!!! ??? ... ---",
    "nothing": "",
    "folded": "İstanbul ẞ ǅ ３．５ｋｍ ﬁsh a\u0301e\u0301 Men’s BOOTS C++ AT&T",
    "controls": "\x00boots\x01 \u200b \u202eboots\u202c\r\nboots\u2028boots",
}


@pytest.fixture(scope="module")
def readings():
    """Readings of one page of every sample site that has one, by host."""

    async def read():
        fetcher, found = Fetcher(), {}
        for site in sample_sites():
            try:
                found[site.host] = classified(taken_apart(await fetcher.fetch(tk.Target.parse(site.host))))
            except Exception:  # noqa: BLE001, S112 - some sites are there to fail
                continue
        return found

    return asyncio.run(read())


@pytest.fixture(scope="module")
def answers(client):
    """What each page was given: kind, subject and stated confidence."""
    return {page: list(given_to(client, page)) for page in PAGES}


def given_to(client, page):
    content, audience = client.categorize_content(page, personas=True), client.segment(page)
    lists = (content.v3, content.std_taxonomy_version2, content.filtering_taxonomy)
    for kind, ranked in zip(KINDS, lists, strict=False):
        yield from ((kind, category.path, category.confidence) for category in ranked)
    for code in audience.interests.tier1 + audience.interests.tier2:
        yield "interest", code, audience.interests.confidence
    for code in audience.purchase_intent.codes:
        yield "purchase_intent", code, audience.purchase_intent.confidence
    yield from (("persona", name, score) for name, score in content.buyer_personas_confidence_selection.items())
    yield "value", f"audience_type={audience.audience_type}", None
    for block in (audience.demographics, audience.b2b, audience.content_context):
        for name, held in block:
            for value in held if isinstance(held, list) else [held]:
                if name != "confidence" and value is not None:
                    yield "value", f"{name}={value}", getattr(block, "confidence", None)


def some_subjects(chance):
    """One subject of each vocabulary, at random."""
    vocabulary = service_vocabulary()
    for version in ("content-v3", "content-v2"):
        yield find_subject(chance.choice(list(tk.Taxonomy.load(version))).id, version)
    yield find_subject(chance.choice(filtering_matcher().ids), "filtering")
    for kind in ("interest", "purchase_intent"):
        yield find_subject(chance.choice(vocabulary.members(kind)).code)
        yield find_subject(chance.choice(vocabulary.groups(kind)).code)
    field = chance.choice([name for name in vocabulary.values if name != "confidence"])
    yield find_subject(f"{field}={chance.choice(list(vocabulary.values[field]))}", "value")
    yield find_subject(chance.choice(list(persona_categories())), "persona")


def read(text):
    page = page_from_text(text)
    return Reading(page, classify(page))


def explained(reading, subject):
    return Explanation.decode(explain(reading, subject))


def check(why):
    """Check all that holds for any explanation."""
    about = (why.about.kind, why.about.id)
    assert sum(r.amount for r in why.reasons) == pytest.approx(why.score, abs=(len(why.reasons) + 1) * 1e-5), about
    amounts = [reason.amount for reason in why.reasons if reason.kind not in POOLED]
    assert amounts == sorted(amounts, reverse=True)
    for mark in why.marks:
        assert 0 <= mark.start < mark.end <= len(why.texts[mark.where])
        assert mark.amount > 0
    assert [(m.where, m.start) for m in why.marks] == sorted((m.where, m.start) for m in why.marks)
    for passage in why.passages:
        whole = why.texts[passage.where][passage.start : passage.end].strip()
        assert passage.text
        assert passage.text == whole[: len(passage.text)]
        assert len(passage.text) in (len(whole), 400)
    assert [p.amount for p in why.passages] == sorted((p.amount for p in why.passages), reverse=True)
    for reason in why.reasons:
        if reason.kind == "word":
            spelt = {reason.text.casefold(), *(form.casefold() for form in reason.forms)}
            assert reason.count >= len(reason.places) > 0, reason
            for place in reason.places:
                said = why.texts[place.where][place.start : place.end]
                assert said.casefold() in spelt or len(reason.forms) == 8, (reason, said)
    assert why.share is None or 0 <= why.share <= 1.00001
    assert why.given or why.missing
    if why.runner_up:
        assert why.runner_up.id != why.about.id
        kind = why.about.kind
        if kind in ("content-v3", "content-v2"):
            taxonomy = tk.Taxonomy.load(kind)
            assert taxonomy[why.runner_up.id].parent == taxonomy[why.about.id].parent
        elif kind == "value":
            assert why.runner_up.id.split("=")[0] == why.about.id.split("=")[0]
        elif kind in ("interest", "purchase_intent"):
            vocabulary, rival = service_vocabulary(), why.runner_up.id
            assert vocabulary.check(rival).kind == kind
            assert vocabulary.check(rival).is_group == vocabulary.check(why.about.id).is_group
        else:
            assert find_subject(why.runner_up.id, kind).kind == kind
    assert len(repr(why)) < 600


# Reasons ------------------------------------------------------------------------------------------------------------


def test_reasons_add_up_to_the_score_on_every_other_sample_site(readings):
    chance = random.Random(20260721)  # noqa: S311 - no secret
    assert len(readings) > 50
    for reading in list(readings.values())[::2]:
        for subject in some_subjects(chance):
            check(explained(reading, subject))


@pytest.mark.parametrize("name", ODD)
def test_reasons_add_up_to_the_score_of_an_odd_text(name):
    chance, reading = random.Random(name), read(ODD[name])  # noqa: S311
    for subject in some_subjects(chance):
        check(explained(reading, subject))


def test_random_mixtures_of_odd_pieces_add_up():
    chance = random.Random(5)  # noqa: S311
    pieces = [*(text[:40] for text in ODD.values()), "hiking boots", "\n", ".", "used car", "’s", "-", "ß"]
    for _ in range(30):
        reading = read("".join(chance.choices(pieces, k=12)))
        for subject in chance.sample(list(some_subjects(chance)), 3):
            check(explained(reading, subject))


@pytest.mark.parametrize("kind", ["interest", "purchase_intent"])
def test_every_group_can_be_explained_also_one_without_members(kind):
    reading = read(TEXT)
    for group in service_vocabulary().groups(kind):
        check(explained(reading, find_subject(group.code)))


def test_scores_are_those_by_which_is_ranked(readings):
    chance = random.Random(3)  # noqa: S311
    for host in chance.sample(sorted(readings), 6):
        reading = readings[host]
        for subject in some_subjects(chance):
            why, page = explained(reading, subject), reading.page
            if subject.kind in ("content-v3", "content-v2"):
                assert why.score == pytest.approx(branch_scores(page, subject.kind)[1][subject.id], abs=1e-5)
                assert why.confidence == pytest.approx(confidences(page, subject.kind)[subject.id], abs=1e-4)
            elif subject.kind == "filtering":
                own, _, added = label_scores(page, confidences(page, "content-v3"))[subject.id]
                assert why.score == pytest.approx(own + added, abs=1e-5)
            elif subject.kind in ("interest", "purchase_intent"):
                weighing, vocabulary = weigh(page, subject.kind), service_vocabulary()
                scores = dict(zip(weighing.matcher.ids, weighing.scores.tolist(), strict=True))
                members = vocabulary.members(subject.kind, subject.id) or [vocabulary.check(subject.id)]
                found = [scores[member.code] for member in members]
                # A group is explained by a member that is given, which another that lacks a needed word may outscore.
                assert any(why.score == pytest.approx(score, abs=1e-5) for score in found)


@pytest.mark.parametrize("page", PAGES)
def test_everything_that_an_answer_holds_is_given_with_its_confidence(client, answers, page):
    assert {kind for given in answers.values() for kind, *_ in given} == set(KINDS)
    for kind, subject, confidence in answers[page]:
        why = client.explain(subject, page, kind=kind)
        assert why.given, (kind, subject)
        assert why.about.kind == kind
        expected = confidence if not isinstance(confidence, float) else pytest.approx(confidence, abs=1e-4)
        assert why.confidence == expected, (kind, subject)
        check(why)


@pytest.mark.parametrize("page", PAGES[:2])
def test_what_an_answer_does_not_hold_is_not_given(client, answers, page):
    given = {(kind, find_subject(subject, kind).id) for kind, subject, _ in answers[page]}
    chance = random.Random(page)  # noqa: S311
    for subject in [subject for _ in range(4) for subject in some_subjects(chance)]:
        held = (subject.kind, subject.id) in given
        if subject.kind == "purchase_intent" and subject.id.count(".") == 1:  # answers name no groups of these
            held = any(kind == subject.kind and name.startswith(f"{subject.id}.") for kind, name in given)
        assert client.explain(subject.id, page, kind=subject.kind).given is held, subject


def test_runner_up_is_the_strongest_sibling(readings):
    reading = readings["trailhead-outfitters.example"]
    taxonomy, certain = tk.Taxonomy.load("content-v3"), confidences(reading.page, "content-v3")
    for category in (*taxonomy.tier(1)[:6], *taxonomy.tier(2)[:6]):
        others = [c for c in taxonomy.children(category.parent) if c.id != category.id]
        rival = explained(reading, find_subject(category.id, "content-v3")).runner_up
        assert certain[rival.id] == max(certain[c.id] for c in others)


def test_sentence_with_the_terms_of_a_category_raises_its_score():
    chance, before = random.Random(11), read("The council met on Tuesday and spoke of many things.")  # noqa: S311
    for row in chance.sample(knowledge_rows("content_categories.tsv"), 20):
        version = "content-v3" if row["path_v3"] else "content-v2"
        subject = find_subject(row["id"], version)
        after = read(f"{before.page.text} {' and '.join(row['terms'].split('; ')[:3])}.")
        assert explained(after, subject).score > explained(before, subject).score, row["id"]


def test_the_page_is_quoted_as_it_stands_also_where_it_sells():
    text = f"{TEXT} Hiking boots are in stock, with free delivery: add to your basket, or buy now with a free warranty."
    reading = read(text)
    assert explain(reading, find_subject("Style & Fashion"))["texts"]["text"] == text
    assert page_parts(reading.page)[0].text != text


def test_what_a_text_is_about_scores_above_another_subject():
    camping, cars = (find_subject(path) for path in ("Travel > Travel Type > Camping", "Automotive"))
    outdoors, road = (
        read(TEXT),
        read("A road test of a used car: its engine, gearbox, brakes and tyres, and the garage."),
    )
    assert explained(outdoors, camping).score > explained(outdoors, cars).score
    assert explained(road, cars).score > explained(road, camping).score


def test_strongest_passage_of_a_text_is_the_one_that_speaks_of_the_subject():
    why = explained(read("We met on Monday. Hiking boots and tents for campers. Then we left."), find_subject("Travel"))
    assert why.passages[0].text == "Hiking boots and tents for campers."


def test_industry_that_is_given_has_a_category_as_its_reason(client):
    firms = client.segment("ledgerline.example").b2b.industry
    for name in firms:
        why = client.explain(f"industry={name}", "ledgerline.example")
        assert [reason.kind for reason in why.reasons] == ["category"]
        assert name in why.reasons[0].text


def test_group_that_is_given_without_a_member_has_a_category_as_its_reason():
    page = page_from_text(
        "The estate car has a boot of 620 litres, and the rear seats slide, so that three child seats fit side. "
        "Under the bonnet works a hybrid with 190 horsepower, though the gearbox hesitates on hills."
    )
    reading = Reading(page, classify(page))
    assert map_codes(page, "interest", reading.content.v3).codes == []
    why = explain(reading, Subject("interest", "INT.AUTOMOTIVE", "Automotive"))
    assert why["given"]
    assert [(reason["kind"], reason["text"].split(" > ")[0]) for reason in why["reasons"]] == [
        ("category", "Automotive")
    ]
    assert why["score"] == pytest.approx(sum(reason["amount"] for reason in why["reasons"]))


# Subjects -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("151", None, ("content-v3", "151")),
        ("150-151", None, ("content-v3", "151")),
        ("attractions>AMUSEMENT and theme  parks", None, ("content-v3", "151")),
        (" Events and ATTRACTIONS ", "content-v2", ("content-v2", "150")),
        ("INT.SPORTS.WALKING", None, ("interest", "INT.SPORTS.WALKING")),
        ("INT.SPORTS", "interest", ("interest", "INT.SPORTS")),
        ("income_level = high", None, ("value", "income_level=high")),
        ("roller coaster fans", None, ("persona", "Roller Coaster Fans")),
    ],
)
def test_subject_is_found_by(client, text, kind, found):
    about = client.explain(text, text=TEXT, kind=kind).about
    assert (about.kind, about.id) == found


def test_filtering_category_is_found_by_its_name_and_kind(client):
    for name in filtering_matcher().ids:
        assert find_subject(name.upper(), "filtering") == Subject("filtering", name, name)
    name = filtering_matcher().ids[0]
    assert client.explain(name, text=TEXT, kind="filtering").about.kind == "filtering"


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("INT.SPORTS.WALKNG", "INT.SPORTS.WALKING"),
        ("Travel > Travel Type > Campign", "Travel > Travel Type > Camping"),
        ("income_level=hihg", "high"),
        ("incme_level=high", "income_level"),
        ("confidence=low", ""),
        ("PI", ""),
        (HOSTILE, ""),
    ],
)
def test_unknown_subject_is_refused_and_the_nearest_named(client, text, nearest):
    with pytest.raises(BadRequestError, match="no category, code, value or persona is named") as caught:
        client.explain(text, text=TEXT)
    assert nearest in str(caught.value)


@pytest.mark.parametrize(
    ("subject", "asked"),
    [
        ("", {"url": BOOTS}),
        (" \n", {"url": BOOTS}),
        ("Travel\ud83d", {"url": BOOTS}),
        ("Travel", {}),
        ("Travel", {"url": BOOTS, "text": TEXT}),
        ("Travel", {"text": "  "}),
        ("Travel", {"url": "a b"}),
        ("Travel", {"url": BOOTS, "kind": "content"}),
        ("Travel", {"url": BOOTS, "kind": ""}),
        ("Travel", {"text": TEXT, "root_fallback": True}),
    ],
)
def test_wrong_input_is_refused_and_nothing_sent(wire, subject, asked):
    with pytest.raises(InputError):
        wire.client.explain(subject, **asked)
    assert not wire.requests


# The service --------------------------------------------------------------------------------------------------------


def test_explaining_costs_no_credits(wire):
    left = wire.client.segment(BOOTS).provenance.remaining_credits
    why = wire.client.explain("Travel", BOOTS).provenance
    assert (why.endpoint, why.credits_used, why.remaining_credits) == ("explain", 0, left)
    assert wire.requests[-1].url.path == "/api/explain.php"


def test_served_service_explains_to_those_who_have_a_key(serve, client):
    base, key = serve().base, serve().values["TOOLKIT_API_KEY"]
    with tk.Client(key, base) as ours, tk.Client("wrong", base, retries=tk.Retries(attempts=1)) as theirs:
        assert facts(ours.explain("Travel", BOOTS)) == facts(client.explain("Travel", BOOTS))
        with pytest.raises(InvalidKeyError):
            theirs.explain("Travel", BOOTS)


def facts(why):
    return why.model_dump(exclude={"total_credits", "remaining_credits", "credits_used", "status"})


def test_failures_of_a_page_are_those_of_any_question(client):
    with pytest.raises(FetchFailedError):
        client.explain("Travel", "nowhere.example")
    with pytest.raises(InsufficientContentError):
        client.explain("Travel", text="boots")


def test_service_without_reasons_is_said_to_have_none(stub):
    stub.reply(404, {"status": 404, "error": "not found"})
    with stub.client() as client, pytest.raises(NotFoundError, match="an addition of the embedded service"):
        client.explain("Travel", BOOTS)


def test_client_of_coroutines_gives_the_same_answer(client):
    async def ask():
        async with tk.AsyncClient() as twin:
            return await twin.explain("INT.SPORTS.WALKING", BOOTS)

    assert facts(asyncio.run(ask())) == facts(client.explain("INT.SPORTS.WALKING", BOOTS))
