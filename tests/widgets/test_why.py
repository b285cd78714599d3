"""Explanations as they are shown, asking why in the Lookup widget, and the work that widgets do beside the loop."""

import asyncio
import copy
import json
import pickle
import random
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from toolkit.interface.explanations import Explanation, Mark, Reason, marked_text
from toolkit.interface.models import Provenance
from toolkit.widgets import Lookup
from toolkit.widgets.beside import Beside
from toolkit.widgets.lookup.why import Why, questions, subject_of

BOOTS = "https://trailhead-outfitters.example/boots"
HOSTILE = "<img src=x onerror=alert(1)>"


class Tags(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


# The answer as it is shown ------------------------------------------------------------------------------------------


def test_shown_explanation_has_reasons_passages_and_marked_text(client):
    why = client.explain("Travel", BOOTS)
    shown = Tags(why._repr_html_())
    assert "mark" in shown.tags
    assert re.search(r"Carries.*Strongest passages.*Main text", shown.text, re.DOTALL)
    assert why.verdict in shown.text
    assert why.texts["text"] in shown.text


def test_hostile_text_stays_text():
    hostile = f"{HOSTILE}\u202e\x1b"
    entry = {"where": "text", "start": 0, "end": 12, "text": hostile * 20, "amount": 0.2}
    why = Explanation.decode(
        {
            "about": {"kind": hostile, "id": hostile, "label": hostile},
            "confidence": hostile,
            "runner_up": {"id": hostile, "label": hostile, "score": 1},
            "through": hostile,
            "reasons": [{"kind": hostile, "text": hostile, "where": hostile, "amount": 1}],
            "passages": [entry, {**entry, "where": hostile}],
            "marks": [entry, {**entry, "where": hostile}],
            "texts": {"text": hostile, hostile: hostile},
        },
        Provenance(normal=hostile),
    )
    for html in (why._repr_html_(), marked_text(hostile, why.marks)):
        assert not {"img", "script"} & set(Tags(html).tags)
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", html)
    assert HOSTILE in Tags(why._repr_html_()).text
    assert all(len(line) < 300 for line in re.findall(r"<li>(.*?)<span", why._repr_html_().replace("&lt;", "<")))
    assert repr(why).isprintable()
    assert len(repr(why)) < 400


def test_hostile_title_of_a_page_stays_text(client):
    why = client.explain("Technology & Computing", text=f"{HOSTILE} Laptops & <script>x</script> code.")
    tags = Tags(why._repr_html_())
    assert not {"img", "script"} & set(tags.tags)
    assert HOSTILE in tags.text


@pytest.mark.parametrize(
    "raw",
    [
        {},
        dict.fromkeys(Explanation.model_fields),
        {"reasons": [None, {}], "marks": [{}, None], "passages": [{}], "texts": {"text": "abc", "head": None}},
        {"reasons": [], "score": "0.5", "about": [], "confidence": 0, "marks": {"where": "text"}},
        {"marks": [{"where": "text", "start": 9, "end": 2, "amount": -1}], "texts": {"text": "abc"}},
    ],
)
def test_missing_and_null_fields_are_read_and_shown(raw):
    why = Explanation.decode(raw)
    assert why.given is False
    assert "not given" in why._repr_html_()
    assert "<mark" not in why._repr_html_()
    assert repr(why)


def test_overlapping_marks_show_the_strongest_and_lose_no_text():
    marks = [Mark(where="text", start=s, end=e, amount=a) for s, e, a in ((0, 6, 0.1), (0, 12, 0.5), (13, 17, 0.2))]
    html = marked_text("hiking boots & tents", [*marks, Mark(where="text", start=15, end=99, amount=0.9)])
    assert re.findall(r"<mark[^>]*>([^<]*)<", html) == ["hiking boots", "&amp; te"]
    assert Tags(html).text == "hiking boots & tents"


def test_further_reasons_are_added_up_in_one_line():
    told = [Reason(kind="word", text=f"t{n}", where="text", count=1, amount=0.1) for n in range(12)]
    rest = Reason(kind="small", where="page", count=8, amount=0.8)
    shown = Tags(Explanation(reasons=[*told, rest], share=0.6)._repr_html_()).text
    assert "smaller reasons together: 8" in shown
    assert "Many small words speak for it: the 12 reasons below carry 60 % of what speaks for it, 8 smaller" in shown
    assert "40 %" in shown


def test_explanation_survives_pickling_and_copying(client):
    why = client.explain("Travel", BOOTS)
    for twin in (pickle.loads(pickle.dumps(why)), copy.deepcopy(why)):
        assert (twin, twin.raw, twin.provenance, repr(twin)) == (why, why.raw, why.provenance, repr(why))
    assert json.loads(json.dumps(why.raw)) == why.raw


# Work beside the loop -----------------------------------------------------------------------------------------------


class Worker:
    """Keeps what a `Beside` tells it."""

    def __init__(self):
        self.told = []
        self.beside = Beside(lambda: self.told.append("begun"), lambda: self.told.append("ended"), self.told.append)

    def within(self, *works, cancel=False):
        async def cell():
            for work in works:
                self.beside.do(work, self.told.append)
            assert self.beside.is_busy
            tasks = list(self.beside.tasks)
            for task in tasks if cancel else ():
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)

        asyncio.run(cell())
        assert not self.beside.is_busy
        return self.told


def test_work_outside_of_a_loop_is_done_at_once():
    worker = Worker()
    worker.beside.do(lambda: 1, worker.told.append)
    assert worker.told == [1]


def test_work_in_a_loop_is_done_one_piece_at_a_time():
    assert Worker().within(lambda: 1, lambda: 2) == ["begun", 1, "ended"]


def test_error_of_work_or_of_showing_it_is_said():
    assert Worker().within(lambda: 1 / 0) == ["begun", "ZeroDivisionError: division by zero", "ended"]


def test_cancelled_work_is_said():
    assert Worker().within(lambda: 1, cancel=True) == ["begun", "ended", "The work was stopped."]


# The Why part of the Lookup -----------------------------------------------------------------------------------------


@pytest.fixture
def lookup(client):
    lookup = Lookup(client, ["torque-journal.example", BOOTS], ["categorize_content", "segment"])
    lookup.run()
    return lookup


def test_lookup_has_a_part_that_answers_why(lookup):
    assert lookup._details.titles[0] == "Why?"
    assert lookup._details.children[0] is lookup._why


def test_answers_of_a_lookup_are_offered_page_by_page_and_every_one_can_be_explained(lookup, client):
    why, offered = lookup._why, questions(lookup.frames)
    assert [normal for _, normal in why._target.options] == list(dict.fromkeys(q.normal for q in offered))
    for _, normal in why._target.options:
        why._target.value = normal
        assert [question for _, question in why._answer.options] == [q for q in offered if q.normal == normal]
        for _, question in random.Random(normal).sample(why._answer.options, 12):  # noqa: S311
            assert client.explain(question.subject, normal, kind=question.kind).given, question


def test_asking_shows_the_reasons(lookup):
    why = lookup._why
    why.run()
    assert why.value.given
    assert why._shown.value == why.value._repr_html_()
    assert why._answer.label.startswith(why.value.about.label)


def test_typed_subject_wins_over_the_chosen_one(lookup):
    lookup._why._other.value = " income_level=low "
    lookup._why.run()
    assert lookup._why.value.about.id == "income_level=low"


def test_unknown_subject_is_said_in_place(lookup):
    why = lookup._why
    why._other.value = HOSTILE
    why.run()
    assert why.value is None
    assert "role='alert'" in why._shown.value
    assert HOSTILE in Tags(why._shown.value).text
    assert "img" not in Tags(why._shown.value).tags


@pytest.mark.parametrize("chosen", ["_target", "_answer"])
def test_choosing_something_else_clears(lookup, chosen):
    why = lookup._why
    why._other.value = "Travel"
    why.run()
    getattr(why, chosen).index = 1
    assert (why.value, why._shown.value, why._other.value) == (None, "", "")


def test_next_lookup_of_the_same_page_offers_its_own_answers(client):
    lookup = Lookup(client, BOOTS, ["categorize_content"])
    lookup.run()
    before = lookup._why._target.options
    lookup._ask["categorize_content"].value, lookup._ask["segment"].value = False, True
    lookup.run()
    assert lookup._why._target.options == before
    assert [q for _, q in lookup._why._answer.options] == questions(lookup.frames)


def test_nothing_to_ask_about_is_said(client):
    why = Why(client)
    why.run()
    assert "Look something up first" in Tags(why._shown.value).text
    why.ask_about({})
    assert why._answer.options == ()


def test_question_is_asked_once_and_the_button_disabled_meanwhile(wire):
    lookup = Lookup(wire.client, BOOTS, ["segment"])
    lookup.run()
    why, seen = lookup._why, []
    wire.requests.clear()
    why._shown.observe(lambda change: seen.append((change["new"][:8], why._button.disabled)), "value")

    async def cell():
        why._button.click()
        why._button.click()
        await asyncio.gather(*why._beside.tasks)

    asyncio.run(cell())
    assert seen[0] == ("Asking …", True)
    assert (len(wire.requests), why._button.disabled, why.value.given) == (1, False, True)


def test_hostile_answers_are_offered_as_text_and_asked_as_they_are():
    row = {"target": HOSTILE, "normal": HOSTILE, "taxonomy": HOSTILE, "id": None, "name": f"{HOSTILE}\u202e\x1b"}
    levels = {f"level_{n}": None for n in range(1, 5)}
    frame = pd.DataFrame([{**row, **levels, "confidence": float("nan")}])
    [question] = questions({"categories": frame})
    assert not re.search("[\x00-\x1f\u202e]|nan", question.label)
    assert question.label.startswith(HOSTILE)
    assert question.subject == row["name"]


# In the words of a reader --------------------------------------------------------------------------------------------


@pytest.fixture
def why(client):
    return Why(client, chooser=False)


def test_a_value_of_a_card_is_explained_without_choosers(why):
    subject, kind = subject_of("demographics_income_level", "middle")
    why.ask(subject, "clearwater-bank.example/mortgages", kind=kind)
    assert why.value.given
    assert "Middle income is given" in Tags(why._shown.value).text
    assert why._target not in why.children


@pytest.mark.parametrize(
    ("field", "value", "asked"),
    [
        ("interest_group", "INT.SPORTS", ("INT.SPORTS", "interest")),
        ("persona", "Roller Coaster Fans", ("Roller Coaster Fans", "persona")),
        ("content-v3", "151", ("151", "content-v3")),
        ("age_bracket", "25_34", ("age_bracket=25_34", "value")),
        ("company_size_employees", "11_50", ("company_size_employees=11_50", "value")),
        ("company_type", "private", ("company_type=private", "fact")),
        ("employee_range", "51-200", ("employee_range=51-200", "fact")),
        ("technology", "WordPress", ("WordPress", "technology")),
    ],
)
def test_any_cell_of_a_frame_is_a_question(field, value, asked):
    assert subject_of(field, value) == asked


def test_what_is_given_instead_is_a_button_away(why):
    why.ask("high income", "clearwater-bank.example/mortgages")
    assert not why.value.given
    [button] = [button for button in why._on.children if button.description == "Why Middle income?"]
    button.click()
    assert (why.value.given, why.value.about.id) == (True, "income_level=middle")


def test_words_that_name_nothing_are_answered_with_what_was_meant(why):
    why.ask("rich people", BOOTS)
    shown = Tags(why._shown.value).text
    assert shown == "Nothing is called “rich people”. Choose what was meant:"
    labels = [button.description for button in why._on.children]
    assert "High income (audience)" in labels
    why._on.children[labels.index("High income (audience)")].click()
    assert why.value.about.id == "income_level=high"


def test_codes_are_shown_on_request_alone(why):
    why.ask("INT.SPORTS.WALKING", BOOTS)
    assert "INT." not in Tags(why._shown.value).text
    why._codes.value = True
    assert "Walking: INT.SPORTS.WALKING" in Tags(why._shown.value).text


def test_company_and_technologies_of_a_lookup_can_be_asked_why(client):
    lookup = Lookup(client, "ledgerline.example", ["enrich"])
    lookup.run()
    offered = questions(lookup.frames)
    assert {"technology", "fact"} <= {question.kind for question in offered}
    for question in offered:
        if question.kind in ("technology", "fact"):
            assert client.explain(question.subject, question.normal, kind=question.kind).given, question


def test_hostile_suggestions_stay_text(stub):
    about = {"kind": HOSTILE, "id": HOSTILE, "label": f"{HOSTILE}\u202e"}
    stub.reply(400, {"status": 400, "error": "nothing is named so", "suggestions": [about]})
    with stub.client() as client:
        why = Why(client, chooser=False)
        why.ask(HOSTILE, BOOTS)
    assert "img" not in Tags(why._shown.value).tags
    assert "\u202e" not in why._on.children[0].description
