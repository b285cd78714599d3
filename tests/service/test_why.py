"""Why? in the words of a reader: words of the page, what is given instead, what kept it back, suggestions."""

import asyncio
import re

import pytest

import toolkit as tk
from tests.judged import reading_of, written_pages
from toolkit.interface.errors import BadRequestError
from toolkit.interface.explanations import Explanation
from toolkit.interface.text import percentage
from toolkit.service.pages.fetching import Fetcher
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.samples import sample_sites
from toolkit.service.subjects.readings import classified, taken_apart
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain
from toolkit.service.why.reasons import POOLED, Mark, _passages

BOOTS = "https://trailhead-outfitters.example/boots"
BANK = "clearwater-bank.example/mortgages"
FIRM = "ledgerline.example"


@pytest.fixture(scope="module")
def readings():
    """Readings of every fourth sample site, of judged pages, and of pages in other languages."""

    async def samples():
        fetcher = Fetcher()
        for site in sample_sites()[::4]:
            try:
                yield classified(taken_apart(await fetcher.fetch(tk.Target.parse(site.host))))
            except Exception:  # noqa: BLE001, S112 - some sites are there to fail
                continue

    async def all_samples():
        return [reading async for reading in samples()]

    foreign = [page for page in written_pages("languages") if page["language"] in ("de", "fr", "es")]
    written = [*written_pages("english")[::94], *foreign[:: len(foreign) // 12]]
    return [*asyncio.run(all_samples()), *filter(None, map(reading_of, written))]


def given_to(reading):
    """Some of what a page is given, of several kinds."""
    shape = structured_shape("", reading)
    yield from (find_subject(category.id, "content-v3") for category in reading.content.v3[:2])
    yield from (find_subject(category.id, "filtering") for category in reading.content.filtering[:1])
    for code in (*shape["interests"]["tier2"][:1], *shape["purchase_intent"]["codes"][:1]):
        yield find_subject(code)
    for name in ("income_level", "age_bracket", "gender_skew"):
        held = shape["demographics"][name]
        for value in held if isinstance(held, list) else [held] * bool(held):
            yield find_subject(f"{name}={value}")


@pytest.fixture(scope="module")
def explained(readings):
    return [Explanation.decode(explain(reading, subject)) for reading in readings for subject in given_to(reading)]


def test_the_pages_are_many_and_of_several_languages(readings):
    assert len(readings) > 50
    assert {"en", "de", "fr", "es"} <= {reading.page.detected_language for reading in readings}


def test_every_word_of_a_reason_stands_whole_on_the_page(explained):
    told = [(why, reason) for why in explained for reason in why.reasons if reason.kind in ("word", "stated")]
    assert len(told) > 1500
    said = {(word, why.language, *why.texts.values()) for why, reason in told for word in (reason.text, *reason.forms)}
    for word, language, *texts in said:
        # Japanese parts no words.
        edges = ("", "") if language == "ja" else (r"(?<![^\W_])", r"(?![^\W_])")
        whole = re.compile(re.escape(word).join(edges))
        assert any(map(whole.search, texts)), (word, texts)


def test_the_same_word_is_one_reason(explained):
    for why in explained:
        said = [reason.text.casefold() for reason in why.reasons if reason.kind == "word" and not reason.value]
        assert len(said) == len(set(said)), why.about.id


def test_words_of_other_languages_stand_beside_what_they_mean(explained):
    told = [
        reason
        for why in explained
        if why.language in ("de", "fr", "es")
        for reason in why.reasons
        if reason.kind == "word"
    ]
    assert len(told) > 100
    assert all(reason.sense for reason in told)
    assert all(reason.sense.isascii() for reason in told)


def test_reasons_carry_most_of_what_speaks_for_an_answer(explained):
    shares = sorted(why.share for why in explained)
    assert shares[len(shares) // 2] > 0.75
    assert shares[len(shares) // 10] > 0.6


def test_the_stated_share_is_that_of_the_reasons(explained):
    for why in explained:
        told = sum(r.amount for r in why.reasons if r.amount > 0 and r.kind not in POOLED)
        small = sum(r.amount for r in why.reasons if r.amount > 0 and r.kind in ("small", "against"))
        assert why.share == pytest.approx(told / (told + small), abs=1e-3)
        assert percentage(why.share) in why.explained or "all that speaks" in why.explained


def test_a_word_in_several_forms_is_one_reason(client):
    why = client.explain(
        "Travel", text="We hike in boots. Hiking is fun, and she hikes in a boot on every trail we hiked."
    )
    hike = next(reason for reason in why.reasons if reason.text.casefold().startswith("hik"))
    assert {form.casefold() for form in (hike.text, *hike.forms)} == {"hike", "hiking", "hikes", "hiked"}
    assert hike.count == 4


def test_a_part_of_a_compound_is_shown_as_the_whole_word(client):
    text = "Die besten Wanderschuhe für den Wanderweg im Gebirge: Wanderschuhe im Test, mit Rucksack und Zelt."
    why = client.explain("Travel", text=text)
    words = {reason.text for reason in why.reasons if reason.kind == "word"}
    assert words
    assert words <= set(re.findall(r"\w+", text))


# Given instead, and why not ------------------------------------------------------------------------------------------


def test_a_related_value_is_answered_with_what_is_given_in_its_place(client):
    listed = client.segment(BANK).demographics.income_level
    assert listed == "middle"
    assert client.explain(f"income_level={listed}", BANK).given
    why = client.explain("High income", BANK)
    assert not why.given
    assert [about.id for about in why.instead] == ["income_level=middle"]
    assert why.verdict == "High income is not given. Given instead: Middle income."


def test_whatever_is_given_instead_is_given(client, readings):
    asked = (
        "income_level=high",
        "age_bracket=75_99",
        "INT.SPORTS.GOLF",
        "PI.FURNITURE.SHELVING",
        "Travel",
        "Automotive",
    )
    for reading in readings[:12]:
        for text in asked:
            why = Explanation.decode(explain(reading, find_subject(text)))
            for about in why.instead:
                assert Explanation.decode(explain(reading, find_subject(about.id, about.kind))).given, (text, about)


def test_every_code_that_is_not_given_has_what_kept_it_back(client):
    vocabulary = client.filters()
    given = client.segment(BOOTS)
    held = {*given.interests.tier1, *given.interests.tier2, *given.purchase_intent.codes}
    for code in [code for code in vocabulary.codes if code not in held][::25]:
        why = client.explain(code, BOOTS)
        if why.given:  # a group of purchase intents, of which a member is given
            assert why.through, code
            continue
        assert why.missing, code
        assert all(lack.text.endswith(".") for lack in why.missing)


def test_score_below_its_bar_is_told_with_both(client):
    why = client.explain("Travel", BOOTS)
    [lack] = why.missing
    assert lack.kind == "bar"
    assert lack.score == pytest.approx(why.confidence, abs=1e-3)
    assert lack.score < lack.bar
    assert f"{lack.bar:.2f} is needed" in lack.text


def test_words_without_which_a_subject_is_not_given_are_named(client):
    why = client.explain("Sports > Soccer", "stadium-pulse.example")
    [lack] = why.missing
    assert lack.kind == "words"
    assert "too seldom in its title, description and text what tells this subject from its neighbours" in lack.text
    assert "soccer" in lack.text


def test_where_another_sport_is_named_more_often_no_words_are_said_to_be_missing(client):
    text = (
        "Floorball in Tampere. The floorball league opens on Friday. Players carry a light stick and a ball with "
        "holes, and a match has three periods of twenty minutes. The goalkeeper has no stick. Floorball clubs lend a "
        "stick, and the ice hockey rink next door is for hockey alone. Hockey players make good floorball players, "
        "says the coach; the puck is what they miss. Our floorball juniors train on Mondays."
    )
    [lack] = client.explain("Sports > Ice Hockey", text=text).missing
    assert lack.kind == "stronger"
    assert "names another sport more often" in lack.text


def test_words_that_make_the_difference_to_the_runner_up_stand_on_the_page(client):
    why = client.explain("Travel", BOOTS)
    assert why.runner_up.label == "Sports"
    assert why.difference
    text = "\n".join(why.texts.values())
    assert all(contrast.text in text for contrast in why.difference)
    assert "stands above it" in why.compared
    assert any(contrast.text in why.compared for contrast in why.difference)


def test_stated_readers_keep_others_out(client):
    text = "Running shoes for men. Men's trainers for the road, men's socks and men's shorts in every size."
    why = client.explain("gender_skew=strong_female", text=text)
    assert not why.given
    assert why.missing[0].kind == "stated"


def test_who_reads_at_work_is_not_told_of_pages_for_consumers(client):
    why = client.explain("seniority=c_level", BOOTS) if "c_level" in client.filters().values["seniority"] else None
    why = why or client.explain(f"seniority={next(iter(client.filters().values['seniority']))}", BOOTS)
    assert "speaks to consumers" in why.missing[0].text


# Technologies and companies ------------------------------------------------------------------------------------------


def test_each_technology_and_fact_of_a_company_can_be_asked_why(client):
    answer = client.enrich(FIRM)
    assert len(answer.technologies) > 3
    for technology in answer.technologies:
        why = client.explain(technology.name, FIRM, kind="technology")
        assert why.given
        assert why.reasons[0].text.startswith("Seen in ")
    for field, value in (("founded_year", "2016"), ("employee_range", "51-200"), ("city", "Chicago")):
        why = client.explain(f"{field}={value}", FIRM, kind="fact")
        assert (why.given, why.about.kind) == (True, "fact")
        assert why.reasons[0].text


def test_what_a_company_does_not_state_or_use_is_said_so(client):
    assert "does not state it" in client.explain("revenue_range", FIRM).missing[0].text
    why = client.explain("WordPress", FIRM)
    assert not why.given
    assert "None of its marks" in why.missing[0].text
    other = client.explain("employee_range=1-10", FIRM)
    assert (other.given, [about.label for about in other.instead]) == (False, ["51-200"])


# Questions in words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("travel", "Travel"),
        ("upper middle income", "Upper middle income"),
        ("Camping", "Travel > Travel Type > Camping"),
        ("wordpress", "WordPress"),
    ],
)
def test_label_in_any_case_is_a_question(client, words, found):
    assert client.explain(words, BOOTS).about.label == found


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("rich people", "income"),
        ("traveling", "Travel"),
        ("upper middel income", "Upper middle income"),
        ("young parents", "Parent"),
        ("puppy people", "Pets"),
    ],
)
def test_words_that_name_nothing_get_suggestions_and_no_request_id(client, words, near):
    with pytest.raises(BadRequestError) as caught:
        client.explain(words, BOOTS)
    suggestions = caught.value.raw["suggestions"]
    assert near in " ".join(one["label"] for one in suggestions)
    assert "req_" not in str(caught.value)
    assert "request " not in str(caught.value).split("named")[-1]
    first = suggestions[0]
    assert client.explain(first["id"], BOOTS, kind=first["kind"]).about.label == first["label"]


# What it costs --------------------------------------------------------------------------------------------------------


def test_those_who_do_not_ask_pay_nothing():
    """Neither reasons nor names are loaded by an answer."""
    import subprocess
    import sys

    code = (
        "import sys, toolkit as tk; tk.Client().segment('torque-journal.example');"
        "from toolkit.service.why import names;"
        "print(names._subjects.cache_info().currsize, names._vectors.cache_info().currsize)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert told.split() == ["0", "0"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "Loans start at 3% for some, FHA at 3.5%. Refinance today.",
            ["Loans start at 3% for some, FHA at 3.5%.", "Refinance today."],
        ),
        ("J. R. Smith rates mortgages. So do we!", ["J. R. Smith rates mortgages.", "So do we!"]),
        ("Dr. Smith, e.g. at clearwater-bank.example, lends.", ["Dr. Smith, e.g. at clearwater-bank.example, lends."]),
        ("One... two?! Three", ["One...", "two?!", "Three"]),
        ("Sold.The next\nline. 三月。四月", ["Sold.", "The next", "line.", "三月。", "四月"]),
        ("The U.S. Army, Mr. Hill and Mrs. Hill. No.", ["The U.S. Army, Mr. Hill and Mrs. Hill.", "No."]),
        ("It costs .5% more. It is version 2.0.", ["It costs .5% more.", "It is version 2.0."]),
    ],
)
def test_a_passage_is_a_whole_sentence(text, sentences):
    marks = [Mark("text", place, place + 1, 1.0) for place, letter in enumerate(text) if not letter.isspace()]
    assert [passage.text for passage in _passages("text", text, marks)] == sentences


def test_passages_of_the_bank_keep_their_numbers_whole():
    said = [passage.text for passage in tk.Client().explain("Home Financing", BANK).passages]
    assert [text for text in said if text.endswith("FHA at 3.5%, and VA and USDA loans need nothing down.")]
