"""Short pages, half of them full of traps: what is said of their readers, their interests and their kind is right."""

import functools
import re
from pathlib import Path

import pytest
import written_pages

FIELD = re.compile(r"(at|title|types|groups|right|wrong): (.*)")
#: Shares of pages of which something laughable may be said, whose kind may be told wrongly, and whose interests may be
#: empty though they have a subject, and that plainly say what is not answered. Most of what is left follows from a
#: wrong content category.
MOST_LAUGHABLE, MOST_OF_WRONG_KIND, MOST_WITHOUT_INTERESTS, MOST_MISSING = 0.05, 0.05, 0.15, 0.03


def pages():
    blocks = Path(__file__).with_name("short_pages.txt").read_text(encoding="utf-8").split("\n== ")[1:]
    for block in blocks:
        name, *lines = block.strip().split("\n")
        fields = dict(found.groups() for line in lines if (found := FIELD.fullmatch(line)))
        yield {"name": name, "right": "", "wrong": ""} | fields | {"text": [x for x in lines if not FIELD.fullmatch(x)]}


def segmented(url, title, paragraphs):
    return written_pages.segmented(title, "\n".join(paragraphs), url)


def said(answer):
    """Return all that an answer says: field=value, codes and personas."""
    fields = {**answer["demographics"], **answer["b2b"], **answer["content_context"]}
    fields["audience_type"] = answer["audience_type"]
    values = {name: held if isinstance(held, list) else [held] for name, held in fields.items()}
    found = [f"{name}={value}" for name, held in values.items() for value in held if value and name != "confidence"]
    personas = [persona["persona"] for persona in answer["personas"]]
    return [
        *found,
        *answer["interests"]["tier1"],
        *answer["interests"]["tier2"],
        *answer["purchase_intent"]["codes"],
        *personas,
    ]


def is_said(wanted, facts):
    start = wanted.removesuffix("*")
    if "=" in wanted:
        return any(fact.startswith(start) if start != wanted else fact == wanted for fact in facts)
    is_code = wanted.startswith(("INT.", "PI."))
    return any(fact.startswith(start) if is_code else wanted in fact and "=" not in fact for fact in facts)


@functools.cache
def answers():
    return [(page, segmented(page["at"], page["title"], page["text"])) for page in pages()]


def test_nothing_laughable_is_said():
    found = {
        page["name"]: wrong
        for page, answer in answers()
        if (wrong := [part for part in page["wrong"].split(", ") if part and is_said(part, said(answer))])
    }
    assert len(found) <= MOST_LAUGHABLE * len(answers()), found


def test_what_plain_pages_say_is_answered():
    missing = {
        page["name"]: part
        for page, answer in answers()
        for part in page["right"].split(", ")
        if part and not any(is_said(choice, said(answer)) for choice in part.split("|"))
    }
    assert len(missing) <= MOST_MISSING * len(answers()), missing


def test_the_kind_of_page_is_right():
    found = {page["name"]: answer["content_context"]["content_type"] for page, answer in answers()}
    wrong = {
        page["name"]: found[page["name"]] for page, _ in answers() if found[page["name"]] not in page["types"].split()
    }
    assert len(wrong) <= MOST_OF_WRONG_KIND * len(answers()), wrong


def test_pages_with_a_subject_have_interests():
    with_subject = [(page, answer) for page, answer in answers() if "-" not in page["groups"].split()]
    empty = [page["name"] for page, answer in with_subject if not answer["interests"]["tier1"]]
    assert len(empty) <= MOST_WITHOUT_INTERESTS * len(with_subject), empty


# Facts of single rules ----------------------------------------------------------------------------------------------

NOTHING = "It went on like this for some time, and nobody in the room said why it was so at all."
CAR = (
    "The hatchback has a new engine with 120 horsepower, a six-speed gearbox and firm suspension.",
    "On the motorway the car is quiet; in bends the steering is light and the tyres grip well.",
    "The boot is small for an estate, and the dashboard has too few buttons for the driver.",
    "Rivals burn less fuel, but none of these cars brakes as well from top speed.",
)


def demographics(*paragraphs, title="Road test of a hatchback"):
    return segmented("https://a.example/tests/hatchback", title, [*CAR, *paragraphs])["demographics"]


@pytest.mark.parametrize(
    ("paragraphs", "status"),
    [
        (["Your pension pot and your state pension pay for it.", "As senior citizens, you get a discount."], "retired"),
        (["Your pension pot and your state pension pay for it."], None),
        (["Their pension pots paid for it.", "Senior citizens got a discount."], None),
        (
            ["You may call your Pensioners Guild.", "Your own Pensioners Guild and its Retirees Band play for you."],
            None,
        ),
    ],
)
def test_words_are_evidence_in_two_places_that_speak_to_the_reader(paragraphs, status):
    answer = segmented("https://a.example/x", "Things", [NOTHING, *paragraphs])
    assert answer["demographics"]["employment_status"] == status


@pytest.mark.parametrize(("word", "skew"), [("women's", True), ("women", False), ("woman", False)])
def test_a_word_is_not_found_in_another_that_folds_to_it(word, skew):
    title = f"The {word} helmet"
    lines = [f"A {word} fit for narrow heads.", f"Cut on a {word} last.", f"In {word} sizes."]
    strong = demographics(*lines, title=title)["gender_skew"]
    plain = demographics(*(line.replace(word, "narrow") for line in lines), title="The narrow helmet")["gender_skew"]
    assert (strong != plain) is skew


def test_the_same_sentence_twice_is_one_place():
    line = "Your landlord must return your rental deposit and your rent."
    assert demographics(line, line)["home_ownership"] == demographics()["home_ownership"]


def test_what_is_known_of_categories_alone_is_never_of_high_confidence():
    assert demographics()["confidence"] != "high"


def test_a_page_of_which_no_category_is_sure_has_no_demographics():
    answer = segmented("https://a.example/x", "Things", [NOTHING, NOTHING.upper()])
    assert {name for name, held in answer["demographics"].items() if held} == {"confidence"}
    assert answer["demographics"]["confidence"] == "low"


def test_a_sure_category_gives_its_group_of_interests_without_a_member():
    answer = segmented("https://a.example/tests/hatchback", "Road test of a hatchback", CAR)
    assert answer["interests"]["tier1"] == ["INT.AUTOMOTIVE"]
    assert "INT.AUTOMOTIVE" in answer["labels"]


REPORT = [
    "Two climbers were rescued on Tuesday from the north face of the mountain, police said.",
    "A helicopter brought them to the ski resort, where guests watched from the hotel's terrace, a spokesman said.",
    "The cable car stays closed until Thursday, and travellers were told to book other hotels for their holiday.",
]


def test_a_report_of_the_day_shows_no_purchase_intent():
    answer = segmented("https://a.example/2024/03/05/rescue", "Two climbers rescued above resort", REPORT)
    assert answer["content_context"]["content_type"] == "news"
    assert answer["purchase_intent"]["codes"] == []


@pytest.mark.parametrize(
    ("url", "title", "paragraphs", "content_type"),
    [
        (
            "https://docs.a.example/guide/hooks",
            "Hooks",
            ["Hooks run before a commit and after a merge of two branches."],
            "documentation",
        ),
        ("https://a.example/viewtopic.php?t=7", "Squeaking brakes", ["My brakes squeak when it rains."], "forum"),
        ("https://blog.a.example/brakes", "Squeaking brakes", ["My brakes squeak when it rains."], "blog"),
        ("https://a.example/sign-in", "Sign in", ["Sign in to see your orders and your addresses."], "tool"),
        ("https://a.example/x", "Kites", ["A kite is held by its line, and the wind does the rest."], "article"),
        ("https://a.example/x", "Kite flyers vs. wind", ["A kite is held by its line, and by the wind."], "review"),
        ("https://a.example/x", "How to fly a kite", ["Let the line run out, and walk against the wind."], "guide"),
        (
            "https://a.example/x",
            "Kite works",
            ["We build kites for schools. Our team visits yours.", "Contact us, or get a free quote for your class."],
            "corporate",
        ),
        (
            "https://a.example/x",
            "The kite",
            [
                '"It will not fly," he said. She looked at the sky and laughed.',
                "He took the line, and she held the kite. They walked up the hill, and he thought of his father.",
                '"Now," she said. He ran. The kite stood in the wind, and she cried out.',
            ],
            "fiction",
        ),
    ],
)
def test_the_kind_is_told_by_address_and_wording(url, title, paragraphs, content_type):
    answer = segmented(url, title, [NOTHING, *paragraphs])
    assert answer["content_context"]["content_type"] == content_type
