"""The front page of a paper is of all that happens, and read for the news: no headline makes it a page on travel."""

import pytest
from written_pages import page

from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

HEADLINES = (
    "Airliner with 116 on board vanishes over the desert\nThe plane left the airport at dawn; the airline says that "
    "flights to the coast are delayed, and passengers wait at the terminal.\nTourists are flown home from the beach "
    "resort\nHotels on the islands are empty after the storm, and airlines add flights from both airports.\nFerry to "
    "the islands sails again\nTravellers queued at the port for tickets, and the cruise ship left without them."
)
PAPER = ("World", "U.S.", "Business", "Sport", "Tech", "Entertainment", "Weather")
ZEITUNG = ("Politik", "Wirtschaft", "Sport", "Kultur", "Wissenschaft", "Meinung", "Wetter")
LOCAL = ("News", "Council", "Sports", "Obituaries", "Classifieds", "Letters", "Subscribe")
MAGAZINE = ("Business", "Culture", "Science", "Politics", "Gear", "Video")


def front(sections, text=HEADLINES, path="/"):
    """Return the reading of a page with links to sections."""
    links = "".join(f"<a href=/{number}>{name}</a>" for number, name in enumerate(sections))
    return classified(page("The Harbour Post", text, f"https://post.example{path}", head=f"</head><nav>{links}</nav>"))


def said(reading):
    """Return the whole segmentation of a reading."""
    return structured_shape(reading.page.url, reading)


def test_the_front_page_of_a_paper_is_read_for_the_news():
    reading = front(PAPER)
    assert [category.path for category in reading.content.v3] == ["Politics"]
    assert reading.content.v2[0].path == "News and Politics"
    assert reading.content.filtering[0].path == "News and Media"
    assert max(category.confidence for category in reading.content.v3) <= 0.5
    answer = said(reading)
    assert answer["content_context"]["content_type"] == "news"
    assert answer["interests"]["tier1"] == ["INT.NEWS_AND_POLITICS"]
    assert not answer["interests"]["tier2"]
    assert not answer["purchase_intent"]["codes"]
    assert not answer["personas"]


@pytest.mark.parametrize(
    ("sections", "path"),
    [(MAGAZINE, "/"), (PAPER[:4], "/"), (PAPER, "/2025/03/airliner"), (PAPER[:3] + PAPER[4:], "/")],
)
def test_what_is_no_front_page_of_a_paper_is_about_what_it_says(sections, path):
    assert front(sections, path=path).content.v3[0].path == "Travel"


def test_a_local_paper_has_obituaries_and_small_advertisements_for_a_world():
    assert front(LOCAL).content.filtering[0].path == "News and Media"
    assert front(("News", "Club", "Sports", "Fixtures", "Shop", "Contact")).content.v3[0].path == "Travel"


def test_papers_call_their_sections_in_their_language():
    assert front(
        ZEITUNG, "Das Flugzeug startete am Morgen, die Gäste warten am Flughafen auf ihre Reise."
    ).page.is_front_page


@pytest.mark.parametrize("subject", ["Politics", "News and Media"])
def test_why_a_front_page_is_of_the_news_is_told(subject):
    told = explain(front(PAPER), find_subject(subject))
    assert told["given"]
    assert "leads to the sections of a paper" in [reason["text"] for reason in told["reasons"]]
