"""Whom a page speaks of is no reader of it, and what it has for both sexes is for both: as a client is told."""

from html import escape

import pytest
from listening import RawServer

import toolkit as tk
from toolkit.service import Settings

OPEN_DAY = (
    "The college opens its doors on Saturday and shows what students of the school of ceramics have made this year. "
    "You can walk through the kilns with the students who fired them.\n"
    "Students will show you how a glaze is mixed and what happens when it runs. If you want a bowl, students take your "
    "order at the wheel.\n"
    "Entry is free for you and your neighbours; the car park of the college is open from ten."
)
LIBRARY = (
    "Our lecturers post the reading for their courses on Monday, and you find it in the library of the university. "
    "Students of the department may show you how to search the catalogue of the college.\n"
    "You may bring your own notes to the exam hall, as students do at every university, and the professor reads them "
    "before the degree is awarded.\n"
    "Ask one of the students at the desk if you do not find your book. The library of the university has two floors "
    "for education and undergraduate courses."
)
SHOES = (
    "The Volta 4 is a daily trainer with a rockered sole and a foam that springs back. Lace it up for the long run on "
    "Sunday or the intervals on Tuesday. {} sizes are in stock, from narrow to wide.\n"
    "The running shoe weighs 240 grams. It has {} lasts, and runners of all paces have worn it on the road. Add to "
    "cart for free delivery of your running shoes."
)


@pytest.fixture(scope="module")
def client():
    with tk.Client(embedded=Settings(allow_private=True)) as made:
        yield made


@pytest.fixture
def publish():
    """Serve a page of a title and its text on loopback, and return its address."""
    serving = []

    def published(title, text):
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))
        page = (
            f"<html lang=en><head><title>{escape(title)}</title></head><body><main><h1>{escape(title)}</h1>{paragraphs}"
        ).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(page)}\r\n\r\n"
        serving.append(RawServer(head.encode() + page))
        return f"{serving[-1].url}/p/4711"

    yield published
    for server in serving:
        server.close()


@pytest.mark.parametrize(
    ("title", "text"), [("Open day at the college of ceramics", OPEN_DAY), ("The library of the university", LIBRARY)]
)
def test_students_whom_a_page_tells_of_are_not_its_readers(client, publish, title, text):
    said = client.segment(publish(title, text)).demographics
    assert said.confidence == "medium"
    assert "student" not in said.life_stage
    assert said.employment_status != "student"


def test_a_page_that_speaks_to_fellow_students_is_read_by_students(client, publish):
    text = LIBRARY.replace("Students", "Fellow students").replace(" students", " fellow students")
    said = client.segment(publish("The library of the university", text)).demographics
    assert said.life_stage == ["student"]
    assert said.employment_status == "student"


@pytest.mark.parametrize("both", ["Women's and men's", "Men's and women's", "Women's, men's", "Men’s & women’s"])
def test_what_is_women_s_and_men_s_is_for_both(client, publish, both):
    at = publish(f"{both} Volta 4 running shoes", SHOES.format(both, both.lower()))
    assert client.segment(at).demographics.gender_skew == "balanced"


def test_the_explanation_quotes_both_as_they_stand(client, publish):
    at = publish("Women's and men's Volta 4 running shoes", SHOES.format("All", "all"))
    assert client.explain("gender_skew=balanced", at).reasons[0].text.lower() == "women's and men's"


@pytest.mark.parametrize(("one", "skew"), [("Women's", "strong_female"), ("Men's", "strong_male")])
def test_what_is_of_one_sex_is_for_that(client, publish, one, skew):
    at = publish(f"{one} Volta 4 running shoes", SHOES.format(one, one.lower()))
    assert client.segment(at).demographics.gender_skew == skew
