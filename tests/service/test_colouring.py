"""Names of places and firms and words of platforms and screens colour a topic; they do not make it."""

import numpy as np
import pytest

from toolkit.service.knowledge.lexicon import Entry, Lexicon, colouring_words, knowledge_rows, words_of
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.subjects.content import classify, content_matcher, forms

#: From which confidence on an answer is one that somebody would rely on.
RELIED_ON = 0.5
#: Texts of such words alone.
COLOUR_ALONE = {
    "platform": "Follow us, like and share, tweet about it, subscribe to the channel, post your comments, and join our "
    "followers for the live stream.",
    "places": "Reading, Bath, Nice, Jersey, Cork, Phoenix and Java: all of them are on the list, in that order, and "
    "nobody knows why.",
    "interface": "Click the button, open the menu, close the window, scroll, drag the icon to the tab, then save "
    "or print or delete it.",
    "changes": "Release 4.2: GUI fixes, debugging, new window, menu and toolbar, updated settings, fewer prompts, "
    "version display.",
    "firms": "Apple, Amazon, Google, Shell, Target, Gap and Dove were named; nobody said what for, and the list ended "
    "there.",
}
#: Texts that have a subject beside such words, and the first category that they should get.
WITH_SUBJECT = {
    "Hobbies & Interests": "Follow us, like the video, share it, tweet about it and subscribe to the channel. Post "
    "your comments below: which of these quilts did you stitch, with what yarn and which needle?",
    "Food & Drink": "Java, Jersey, Nice, Bath and Reading were on the label of each crate, in the hold beside the "
    "wine, the cheese and the olives that the merchant sold to restaurants.",
    "Medical Health": "The nurse in Reading, the surgeon in Bath and the patient in Cork spoke by video about the "
    "operation, the wound, the antibiotics and the fever.",
    "Home & Garden": "Apple trees want to be pruned in winter. The shell of the window box may crack in frost; empty "
    "it; compost feeds the soil, and mulch keeps weeds down in the vegetable garden.",
    "Sports": "The live stream of the game is shared on Facebook and YouTube. Followers tweet each goal; the striker "
    "scored twice, the goalkeeper saved a penalty, and the league table has a new leader.",
}


def test_no_word_stands_twice():
    words = [" ".join(words_of(word)) for row in knowledge_rows("colouring.tsv") for word in row["words"].split("; ")]
    assert len(words) == len(set(words))


def test_words_that_colour_count_no_more_than_the_others_of_an_entry():
    entries = [Entry("coding", "", ("java", "compiler")), Entry("islands", "", ("java", "volcano"))]
    lexicon = Lexicon.built(entries, lambda _: 1e-5, {"java"})
    assert lexicon.evidence("Java, Java, Java.").tolist() == [0.0, 0.0]
    coding, islands = lexicon.evidence("Java needs a compiler.")
    assert coding > 0
    assert islands == 0
    alone = lexicon.evidence("A compiler.")[0]
    assert alone < coding <= 2 * alone
    assert lexicon.evidence("Java, Java, Java, Java, Java, a compiler.")[0] == pytest.approx(2 * alone)


@pytest.mark.parametrize("text", [*COLOUR_ALONE.values(), *WITH_SUBJECT.values()])
def test_what_each_term_told_adds_up_to_the_evidence(text):
    lexicon = content_matcher().lexicon
    evidence = lexicon.evidence(text)
    for position in np.argsort(-evidence)[:5].tolist():
        assert sum(lexicon.told(text, position).values()) == pytest.approx(evidence[position])


@pytest.mark.parametrize("text", COLOUR_ALONE.values(), ids=COLOUR_ALONE)
def test_no_category_is_given_surely_for_such_words_alone(text):
    assert [scored for scored in classify(page_from_text(text)).v3 if scored.confidence >= RELIED_ON] == []


@pytest.mark.parametrize(("category", "text"), WITH_SUBJECT.items(), ids=WITH_SUBJECT)
def test_the_subject_beside_such_words_leads(category, text):
    assert classify(page_from_text(text)).v3[0].path == category


def test_such_words_are_few_of_what_is_known():
    assert 0 < content_matcher().lexicon.colours.mean() < 0.01
    assert "bath" in colouring_words()


def test_places_are_journeys_where_a_page_tells_of_one():
    texts = {
        "Politics": "Hong Kong's leader wins the election in Hong Kong; parliament in Singapore and the president of "
        "Vietnam speak of a vote",
        "Travel": "Bangkok in three days: temples, a river ferry and the best hotel for a first trip to Thailand",
    }
    assert {classify(page_from_text(text)).v3[0].path for text in texts.values()} == set(texts)
    taken = {name: forms(page_from_text(text))["names places and no journey"] for name, text in texts.items()}
    assert min(taken["Politics"].values()) < 0
    assert taken["Travel"] == {}


def test_a_list_of_the_places_that_are_served_is_no_journey():
    served = "Arizona; California; Chicago; Colorado; Hawaii; Los Angeles; Miami; Oregon; Philadelphia; San Francisco"
    text = (
        f"Coupons and deals near you. {served}. Half price on a massage, a holiday hotel or a haircut: buy the coupon "
        "today, print it and show it at the till. New deals every morning, discounts of up to 70 per cent, and a "
        "voucher for friends whom you bring. Shipping is included with all deals on goods."
    )
    page = page_from_text(text)
    assert min(forms(page)["names places and no journey"].values()) < 0
    assert classify(page).v3[0].path == "Shopping"
