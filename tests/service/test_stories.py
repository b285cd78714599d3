"""A story is fiction, whatever it is set in; a report, and a tale with a subject, is about its subject."""

import pytest

from toolkit.service.pages.fetching import Fetched
from toolkit.service.readers.kinds.content_type import content_type
from toolkit.service.readers.offers import withheld
from toolkit.service.subjects.readings import classified, taken_apart
from toolkit.service.subjects.stories import telling
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

STORY = (
    "Nora had the window seat and she kept her coat on. The man across from her was asleep, or she thought he was. He "
    "held a paper bag in both hands as if it might run off. She watched it. It moved once. She looked at the other "
    "people and they looked at nothing. Then he woke and said, without opening his eyes, that it was only a crab. "
    '"A crab," she said. "My mother\'s," he said. He told her about the kitchen, the bucket, the long argument. She '
    "laughed before she could stop herself. They sat there until the lights came on and neither of them got up. She "
    "felt the bag against her shoe. It was warm. He had gone back to sleep, and she let him."
)
DIALOGUE = (
    '"You have put the yeast in twice," said Ines. The bakery was hot and nobody had slept. "I have not," said her '
    'uncle, who had. They looked at the dough. "It is very lively," Ines said. "It is a good dough," he answered. '
    '"It is coming over the side." He threw a cloth over the bowl and it rose. She laughed. "Somebody is knocking," he '
    'said. It was the widow from the corner, and she wanted a small brown loaf. "We have a large one," said Ines.'
)
COURT = (
    "A former treasurer was jailed for two years on Tuesday after he admitted theft and fraud. Police said he had "
    "taken the money over six years, and the court heard that he had forged invoices. He was arrested in March. He "
    "told detectives that he had gambling debts. Prosecutors said he had lied to the auditors. The judge told him it "
    "was a mean and calculated crime. He was ordered to repay the sum, and his barrister said he would appeal."
)
ANGLER = (
    "I was on the bank before it was light. I cast a small spinner across the current and let it sink, and I had a "
    "bite on the third cast. I lost that trout at the net. I changed the line and tied on a heavier lure. My brother "
    "had two pike by ten and he would not stop talking. I caught nothing until noon, then I hooked a carp of four "
    "kilos on sweetcorn. I weighed it, took a photograph and put it back. I was home by three."
)


LODGER = (
    "On Thursday the new lodger came down to breakfast. He sat by the stove, and he had his hat on his knee.\n"
    '"You were late," said Mrs Amadi.\n'
    '"The ferry was," he said.\n'
    "She put the eggs before him and went back to the sink. He ate one and looked at the other.\n"
    '"Was there ice on the water?" she asked.\n'
    '"There was a man on it."\n'
    "She turned round. The tap ran over her wrist and she did not feel it. He had begun to peel the second egg.\n"
    '"He waved," he said. "I waved back."'
)
FERRY = (
    "The ferry to the islands stopped on Thursday when ice closed the harbour, the port authority said.\n"
    '"We could not see the buoys," said the captain, Ruth Amadi. She had turned back twice before dawn.\n'
    '"There was a man on the ice," said a passenger. He told reporters that he waved and nobody came.\n'
    "Police said on Friday that they had found no trace of him. The authority expects the first boat on Sunday.\n"
    '"It will be thin by then," the captain said.'
)


def _read(text, path="/p/17", title="The warm bag"):
    lines = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    body = f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{lines}</main></body></html>"
    return classified(taken_apart(Fetched(f"https://pages.example{path}", {}, body.encode(), "text/html", "utf-8")))


def _main(reading):
    return next((category.path for category in reading.content.v3), None)


def test_a_story_that_names_no_subject_is_fiction():
    content = _read(STORY).content
    assert {category.path for category in content.v3} >= {"Books and Literature", "Books and Literature > Fiction"}
    assert "Books and Literature > Fiction" in {category.path for category in content.v2}


def test_what_people_say_to_each_other_is_a_story_and_not_its_setting():
    assert _main(_read(DIALOGUE, title="Sunday dough")) == "Books and Literature"


def test_what_persons_say_line_by_line_on_a_thursday_is_a_story_and_what_an_authority_says_is_none():
    assert _main(_read(LODGER, title="The second egg")) == "Books and Literature"
    assert _main(_read(FERRY, title="Ferry to the islands stopped by ice")) != "Books and Literature"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/fiction/the-warm-bag", "The warm bag"),
        ("/works/8812/chapter-3", "The warm bag"),
        ("/works/40881273", "The warm bag"),
        ("/s/8812734/2/the-warm-bag", "The warm bag"),
        ("/flash/the-warm-bag", "The warm bag"),
        ("/p/17", "The warm bag: a short story"),
    ],
)
def test_a_page_published_as_a_story_is_more_surely_fiction(path, title):
    assert _main(_read(STORY, path, title)) == "Books and Literature"
    assert _read(STORY, path, title).content.v3[0].confidence > _read(STORY).content.v3[0].confidence


def test_a_number_among_the_works_of_a_museum_publishes_no_story():
    told = telling(_read(STORY).page)
    assert telling(_read(STORY, "/works/40881").page) == told != telling(_read(STORY, "/works/40881273").page)


def test_what_a_paper_prints_as_an_opinion_is_no_story_though_it_is_told_as_one():
    assert telling(_read(STORY).page)
    assert not telling(_read(STORY, "/opinion/columns/the-warm-bag").page)
    assert telling(_read(STORY, "/opinion/columns/short-fiction/the-warm-bag").page)


def test_a_poem_is_poetry():
    verse = "The kettle knows.\nThe step that did not come.\nThe cup turned over, white,\nand rain along the sill."
    assert "Books and Literature > Poetry" in {c.path for c in _read(verse, "/poems/kettle", "Kettle").content.v3}


@pytest.mark.parametrize(
    ("text", "title", "subject"),
    [(COURT, "Treasurer jailed for theft", "Crime"), (ANGLER, "A day on the river", "Sports")],
)
def test_what_happened_in_the_past_is_about_its_subject(text, title, subject):
    assert _main(_read(text, title=title)) == subject


def test_the_reasons_say_that_it_is_told_as_a_story():
    explained = explain(_read(STORY), find_subject("Books and Literature > Fiction", "content-v3"))
    told = [reason for reason in explained["reasons"] if reason["kind"] == "page"]
    assert "told as a story" in {reason["text"] for reason in told}
    assert sum(reason["amount"] for reason in explained["reasons"]) == pytest.approx(explained["score"], abs=1e-3)


WESTERN = (
    "Cal Doyle rode into Sorrow Wells at noon with one boot and a dead man's horse. The saloon had a door and a half. "
    "The sheriff sat on the step with a shotgun over his knees and he did not get up. "
    '"That is Hank\'s mare," said the sheriff. "It was," said Doyle. He got down, and his hand stayed by the holster. '
    "The ranchers on the porch looked at the ridge, where the posse was to come from, and nobody came. "
    '"They say you can shoot," the sheriff said. "They say you pay for it," said Doyle. He drank from the trough with '
    "the cattle. The gunslinger across the street spat, and threw his cigar in the dust, and drew."
)


def test_who_reads_a_western_watches_none():
    told = _read(WESTERN, "/fiction/sorrow-wells", "Sorrow Wells")
    assert content_type(told.page)[0] == "fiction"
    assert {"INT.MOVIES", "INT.TELEVISION"} <= set(withheld(told.page))
    seen = _read(WESTERN, "/reviews/sorrow-wells", "Sorrow Wells: a review")
    assert "INT.MOVIES" not in withheld(seen.page)
