"""A page is likened to examples of each main category, by the words and the meaning of all that it says."""

from collections import Counter

import numpy as np
import pytest
from written_pages import page, read, segmented

from tests.judged import reading_of, written_pages
from tests.judged.learning import examples_of, learned, pieces_of, source_of
from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.compiled import EXAMPLES, KINDS, is_compiled, kind_examples, subject_examples
from toolkit.service.knowledge.embedding import vector_of
from toolkit.service.knowledge.examples import FIRMS, MAIN, TABLES, Examples, Neighbours
from toolkit.service.knowledge.lexicon import Terms, knowledge_rows
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.readers.profile import profile_firms
from toolkit.service.readers.votes import firm_votes
from toolkit.service.subjects.content import classify
from toolkit.service.subjects.examples import (
    likely_ages,
    likened,
    likeness,
    likeness_of_readers,
    near_categories,
    near_shares,
    shares_for_firms,
)
from toolkit.service.subjects.hierarchy import load_hierarchy
from toolkit.service.subjects.readings import classified
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

MAINS = [category.path for category in Taxonomy.load("content-v3").tier(1)]
#: Titles and texts whose loudest words are of another main category than the page.
LOUD = [
    (
        "We have stopped driving him to the bank",
        (
            "My father is eighty-one and sold his estate car in the spring, so since then one of us four takes him "
            "to the bank, the barber and the surgery. It was fine until my sister moved. We sat down with him on "
            "Sunday, with tea, and asked what he would miss. He does not mind buses, he minds asking. So we wrote out "
            "the week on a sheet for the fridge: the neighbour on Monday, the volunteer driver on Wednesday, me on "
            "Friday, and a day on which nobody comes and he walks to the paper shop with his stick. The carer who "
            "helps him in the morning says that he talks of it as his timetable. My brother pays for the alarm that he "
            "wears round his neck and will not press. I feel guilty on the days that are not mine, and my husband says "
            "that this is what the sheet is for. If your mum or dad is still behind the wheel, talk before you must. "
            "My mother, who is forgetful now, asks each evening who is coming; we have a card for the hall, and the "
            "memory nurse showed us how to answer the same thing twice without a sigh. Ask for a carer's assessment."
        ),
        "Family and Relationships",
    ),
    (
        "Panels, one year on: what the meter says",
        (
            "The scaffold came down a year ago on Friday, so here are the figures for our roof. Twelve panels on the "
            "south side and four over the kitchen made 5,120 kilowatt hours, and the battery under the stairs took "
            "about a third of it. The car is the big eater: it charges from the drive at night, on the cheap rate, and "
            "at noon when the sun is out. The installer had to move a vent pipe and replace eleven slates, and the "
            "electrician put a new consumer unit in the hall cupboard. Would I do it again? Yes, but I would have the "
            "loft insulated first, and ask for bird mesh at once, since pigeons moved in by June and it cost £380 to "
            "have the ladder back. The inverter hums, so do not hang it on a bedroom wall. We export what is left."
        ),
        "Home & Garden",
    ),
]


@pytest.mark.parametrize(("title", "text", "main"), LOUD)
def test_a_page_is_of_what_all_its_words_are_like(title, text, main):
    found = page(title, text)
    assert MAINS[int(likened(found, "content-v3").argmax())] == main
    assert classify(found).v3[0].path == main


def test_a_page_that_is_worded_half_like_one_subject_and_half_like_another_is_of_neither_for_sure():
    one, other = (text for _, text, _ in LOUD)
    half = page("Notes of a year", f"{one[: len(one) * 9 // 20]} {other[: len(other) * 11 // 20]}")
    assert 0.45 <= classify(half).v3[0].confidence < 0.7
    assert all(classify(page(title, text)).v3[0].confidence > 0.9 for title, text, _ in LOUD)


def test_a_second_subject_is_as_sure_as_the_first_at_most_and_less_the_more_the_wording_is_believed():
    hierarchy = load_hierarchy("content-v3")
    nothing = np.zeros(len(hierarchy.ids))
    for first, second in [(0.6, 0.3), (0.45, 0.4), (0.3, 0.29)]:
        shares = np.full(len(hierarchy.tops), (1 - first - second) / (len(hierarchy.tops) - 2))
        shares[:2] = first, second
        told = [
            hierarchy.confidences(nothing, nothing, nothing, likened=np.log(shares), belief=belief)[hierarchy.tops[:2]]
            for belief in (0.0, 0.5, 1.0)
        ]
        assert all(one > other for one, other in told)
        assert told[0][0] > told[1][0] > told[2][0]
        assert told[0][1] > told[1][1] > told[2][1]


def test_the_nearest_examples_have_most_of_the_rare_words_of_a_page():
    rarity = np.array([1, 2, 3, 3], np.float32)
    known = [("Pets > Dogs", 1, [0, 1, 2])] * 2 + [("Pets > Cats", 0, [0, 1, 3])] * 2 + [("Law", 2, [0, 1])]
    known += [("Science", 3, [0])] * 195
    near = Neighbours.of([(path, firms, np.array(rows)) for path, firms, rows in known], rarity)
    terms = Terms.of(["animal", "leash", "purr", "whisker"])
    some = Examples({FIRMS: ("both", "no", "yes")}, terms, rarity, np.zeros((4, 3)), np.zeros(3), neighbours=near)
    assert some.subjects == ("Law", "Pets > Cats", "Pets > Dogs", "Science")

    def told(*rows):
        return some.nearest(np.array(rows, np.intp), rarity[list(rows)])

    def shares(*rows):
        return dict.fromkeys(some.subjects, 0) | told(*rows).subjects

    assert told(2).subjects == {"Pets > Dogs": 1}
    assert shares(1, 3)["Pets > Cats"] > 0.9 > shares(1, 3)["Law"] > shares(1, 3)["Pets > Dogs"] > 0
    # A single one counts no more than the next, what nearly all have tells nothing, and nor does nothing.
    assert shares(1)["Law"] == pytest.approx(0.2)
    assert not told(0).subjects
    assert not told().subjects
    # The same tell whether firms read it; of whom nobody knows it says nothing.
    assert told(2).firms.tolist() == [0, 1, 0]
    assert told(1).firms == pytest.approx([0.4, 0.4, 0.2])
    assert not told(0).firms.any()


def test_what_is_near_makes_a_part_surer_and_its_siblings_less_sure():
    hierarchy = load_hierarchy("content-v3")
    nothing, near = np.zeros(len(hierarchy.ids)), np.zeros(len(hierarchy.ids))
    baseball, golf, sports = (
        hierarchy.ids.index(Taxonomy.load("content-v3").by_path(path).id)
        for path in ("Sports > Baseball", "Sports > Golf", "Sports")
    )
    leaning = np.where(hierarchy.tops == sports, 5.0, 0.0)
    without = hierarchy.confidences(nothing, nothing, nothing, likened=leaning, belief=1.0)
    near[[sports, golf]] = 0.6
    told = hierarchy.confidences(nothing, nothing, nothing, likened=leaning, belief=1.0, near=near)
    assert told[golf] > 0.5 > without[golf] == without[baseball] > told[baseball]
    assert told[golf] <= told[sports] > without[sports]
    near[[sports, golf]] = 0.0
    alone = hierarchy.confidences(nothing, nothing, nothing, likened=leaning, belief=1.0, near=near)
    assert alone[sports] < 0.8 * without[sports]


def test_a_page_is_of_the_part_of_which_the_nearest_examples_are():
    title, text, main = LOUD[0]
    found = page(title, text)
    identifiers = {category.path: category.id for category in Taxonomy.load("content-v3")}
    part = f"{main} > Eldercare"
    near = near_shares(found, "content-v3")
    places = [list(identifiers).index(path) for path in (main, part, "Pets")]
    assert near[places[0]] >= near[places[1]] > 0.2 > near[places[2]]
    assert part in {category.path for category in classify(found).v3}
    assert {identifiers[main]} < near_categories(found) < frozenset(identifiers.values())
    assert identifiers["Pets"] not in near_categories(found)
    # A line says too little to tell what is not near.
    assert near_categories(page_from_text("Brake pads and discs, from £24")) == frozenset(identifiers.values())


@pytest.mark.parametrize(
    ("name", "persona", "why"),
    [
        # Kiwis are let go in the bush.
        ("w14d-011", "Pet Owners", "Pets is a topic of the page, but hardly a known page of it is near"),
        (
            "w12-003",
            "Home Bakers",
            "Food & Drink > Desserts and Baking is a topic of the page, but hardly a known page of it",
        ),
        ("w15a-011", "Science Enthusiasts", "The page is about Science > Weather, which everybody has or follows."),
    ],
)
def test_nobody_is_named_after_a_topic_of_which_no_example_is_near_or_that_is_everybodys(name, persona, why):
    reading = reading_of(next(page for page in written_pages("english") if page["id"] == name))
    told = explain(reading, find_subject(persona))
    assert not told["given"]
    assert told["missing"][0]["text"].startswith(why)


def test_an_interest_that_words_alone_name_is_not_given_where_no_example_is_near():
    reading = reading_of(next(page for page in written_pages("english") if page["id"] == "w14a-006"))
    told = explain(reading, find_subject("INT.FOOD_AND_DRINK.DESSERTS_AND_BAKING"))
    assert not told["given"]
    assert "Hardly a known page of it is near" in told["missing"][0]["text"]


def test_reasons_name_the_words_that_are_like_examples():
    title, text, main = LOUD[0]
    reading = classified(page(title, text))
    told = explain(reading, find_subject(main, "content-v3"))["reasons"]
    assert any(reason["text"].startswith(f"is worded as pages of {main} are: ") for reason in told)


@pytest.mark.parametrize("text", ["Brake pads and discs, from £24", "Bremsbeläge und Scheiben für alle Autos. " * 30])
def test_a_line_or_another_language_is_like_nothing(text):
    assert not likened(page_from_text(text), "content-v3").any()


WELPE = (
    "Der Hund braucht jeden Tag Bewegung. Zum Futter gehören Fleisch, Gemüse und wenig Getreide; im Napf steht Wasser. "
    "Das Kätzchen bekommt ein Katzenklo und einen Kratzbaum, der Vogel eine Voliere, das Pony ein Halfter. "
    "Unser Welpe lernt in der Hundeschule an der Leine zu gehen, und der Tierarzt impft ihn gegen Tollwut. Das Fell "
    "wird gebürstet, die Pfoten werden geprüft. Züchter achten auf gesunde Elterntiere; im Tierheim warten "
    "Mischlinge, Terrier und Schäferhunde auf ein Zuhause. Die Katze schläft derweil auf dem Sofa, das Kaninchen im "
    "Stall, der Hamster im Käfig. Leckerli gibt es fürs Sitzen, Maulkorb und Halsband in der Bahn. Zecken und Flöhe "
    "sucht man nach dem Spaziergang, und das Futter enthält kein Getreide."
)


def test_a_translated_page_is_likened_in_its_subject_alone():
    found = page_from_text(WELPE)
    assert found.detected_language == "de"
    assert MAINS[int(likened(found, "content-v3").argmax())] == "Pets"
    assert (shares_for_firms(found), likely_ages(found)) == ({}, {})
    assert likeness(found, "content-v3", Taxonomy.load("content-v3").by_path("Pets").id).startswith(
        "is worded as pages"
    )


def test_both_taxonomies_are_likened_alike():
    title, text, main = LOUD[1]
    older = [category.path for category in Taxonomy.load("content-v2").tier(1)]
    assert older[int(likened(page(title, text), "content-v2").argmax())] == main


def test_pages_of_other_authors_are_known_by_what_examples_taught():
    """Pages that are unseen teach nothing."""
    asked = [p for p in written_pages("english") if p["unseen"] and p["subject"] and p["best"]]
    assert len(asked) > 600
    assert np.mean([is_known(subject_examples(), p["main"], (p["best"], *p["acceptable"])) for p in asked]) > 0.85


def test_a_few_examples_teach_to_tell_others_apart():
    every = [one for one in examples_of(written_pages("english")) if one.firms and one.ages]
    # Each bracket of ages needs somebody who reads at it.
    some = [one for one in every if one.main in ("Automotive", "Pets") or one.ages[0] < 14]
    taught = learned(some[::3])
    asked = some[1::3]
    assert len(asked) > 100
    assert np.mean([is_known(taught, one.text, (one.main,)) for one in asked]) > 0.9
    assert taught.source == source_of(some[::3]) != source_of(asked)


def is_known(taught, text, paths):
    told = taught.told(*taught.worded(text), vector_of(text)[0])
    return taught.answers[MAIN][int(told[MAIN].argmax())] in {path.split(" > ")[0] for path in paths}


FOR_FIRMS = (
    "Stylists can be given a share of the takings by service, and the till closes with one report a branch. Bookings "
    "that clients make on your website no longer overlap with breaks in the staff rota. Deposits are taken when an "
    "appointment is made, and refunded to the card if the client cancels a day before. Reports of stock by supplier "
    "can be sent to your accountant as a spreadsheet each month. Managers may hide the phone numbers of clients from "
    "staff. We have mended a fault by which commission was counted twice when an invoice was split between two cards, "
    "and exports to payroll now carry the employee number. Licences for three or more branches are billed once a "
    "quarter; write to support if your terminal does not show the new version by Friday, and keep it switched on. "
    "Administrators with several sites see the margin of each, the hours that are booked and the wages beside them. "
    "Webhooks are retried for a day when your server does not answer, and an audit log tells who changed a price."
)


def test_what_is_worded_like_pages_for_firms_has_no_audience_of_consumers():
    reading = read("What is new in Trimbook 5.2", FOR_FIRMS, path="/releases/5-2")
    assert shares_for_firms(reading.page)["yes"] > shares_for_firms(reading.page)["no"]
    assert "likened" in {vote.kind for vote in firm_votes(reading.page, reading.content.v3)}
    told = explain(reading, find_subject("audience_type=b2b"))["reasons"]
    assert ("page", likeness_of_readers(reading.page, "yes")) in {(reason["kind"], reason["text"]) for reason in told}
    assert profile_firms(reading.page, reading.content.v3).audience_type != "b2c"
    title, text, _ = LOUD[0]
    assert segmented(title, text, path="/blog/bank")["audience_type"] == "b2c"
    private = read(title, text, path="/blog/bank")
    told = explain(private, find_subject("audience_type=b2c"))["reasons"]
    assert ("page", likeness_of_readers(private.page, "no")) in {(reason["kind"], reason["text"]) for reason in told}


def test_ages_are_not_given_that_do_not_read_pages_that_are_worded_so():
    likely = likely_ages(page(*LOUD[0][:2]))
    assert likely["45_54"] > likely["18_24"]
    assert likely_ages(page_from_text("Brake pads and discs, from £24")) == {}


TENANTS = (
    "I have moved seven times in nine years and lost part of a deposit just once. Since then I do this bit of DIY and "
    "home improvement on the last weekend before I go, with plaster, a putty knife and paint. Pull each nail straight, "
    "press filler into the hole with your thumb, and wait until it is white. Sand it by hand with a fine sponge, never "
    "round and round, and brush off the dust. For a hole that is bigger than a coin, cut a patch of mesh, spread two "
    "thin coats. Ask your landlord for the name of the paint, or take a chip as big as a stamp there. Roll it out "
    "to the next corner, for a spot in the middle of a wall always shows. Take pictures by daylight, with a date, and "
    "send them with the keys. They may keep money for damage, but not for a hole that nobody can find."
)


def test_what_a_page_says_of_other_readers_is_why_its_topic_does_not_tell_them():
    reading = read("How to fill nail holes before you go", TENANTS, path="/blog/nail-holes")
    assert "Home & Garden > Home Improvement" in {category.path for category in reading.content.v3}
    why = explain(reading, find_subject("home_ownership=owner"))
    assert not why["given"]
    assert [lack["text"].partition(",")[0] for lack in why["missing"]] == ["Words of the page"]
    owner = read("How to fill nail holes", TENANTS.replace("landlord", "neighbour"), path="/blog/nail-holes")
    assert explain(owner, find_subject("home_ownership=owner"))["given"]


def test_roles_at_work_are_not_told_where_only_the_wording_is_of_work():
    changes = next(page for page in written_pages("english") if page["id"] == "r2-037")
    reading = reading_of(changes)
    firms = profile_firms(reading.page, reading.content.v3)
    assert (firms.audience_type, firms.seniority, firms.job_function) == ("mixed", [], [])
    assert [lack["kind"] for lack in explain(reading, find_subject("seniority=manager"))["missing"]] == ["fit"]


def test_every_main_category_has_examples_and_no_name_is_in_the_table():
    rows = knowledge_rows("examples.tsv")
    assert min(Counter(row["path"].split(" > ")[0] for row in rows)[main] for main in MAINS) >= 9
    assert {row["path"] for row in rows} <= {category.path for category in Taxonomy.load("content-v3")}
    assert all(row["words"] == row["words"].lower() for row in rows)


def test_the_file_is_what_the_examples_as_they_are_taught():
    pages = written_pages("english")
    assert is_compiled(EXAMPLES, TABLES), "run python -m tests.judged.learning"
    assert subject_examples().source == source_of(examples_of(pages)), "run python -m tests.judged.learning"
    assert is_compiled(KINDS, TABLES), "run python -m tests.judged.learning"
    assert kind_examples().source == source_of(pieces_of(pages)), "run python -m tests.judged.learning"
