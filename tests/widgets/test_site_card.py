"""The card of a site in the kernel: what it says, what it asks, and what it refuses."""

import json
import re
import socket
from dataclasses import replace

import pytest
from saved_runs import part_of

import toolkit as tk
from toolkit.interface.errors import InputError
from toolkit.widgets import SiteCard

SITE = "trailhead-outfitters.example"


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture
def card(run, client):
    return SiteCard(run, SITE, client=client)


@pytest.fixture
def unreachable():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}"
    with tk.Client("k3y", base, retries=tk.Retries(attempts=1)) as client:
        yield client


def said(card):
    content = card._sheet.content
    return {
        (heading["name"], line["name"]): [value["text"] for value in line["values"]]
        for heading in content["headings"]
        for line in heading["lines"]
    }


def test_a_card_has_the_facts_of_the_report(card):
    facts = said(card)
    assert facts["Topics", "Main topic"] == ["Sports"]
    assert facts["Audience", "Income"] == ["Middle income"]
    assert facts["Company", "Founded"] == ["1998"]


def test_reasons_are_of_the_very_value_that_is_shown(client):
    run = client.run([SITE], ask=["segment", "categorize_content"], store=False)
    run.start(progress=False)
    card = SiteCard(run, SITE, client=client)
    card.why("Sports")
    row = run.categories().query("target == @SITE and taxonomy == 'content-v3' and rank == 1").iloc[0]
    assert (card.value.about.kind, card.value.confidence) == ("content-v3", row["confidence"])
    assert "asked now" not in card._why._shown.value


def test_of_an_older_answer_is_said_that_the_reasons_are_those_of_now(run, client):
    def less_sure(record):
        if record.target != SITE or not record.is_answer:
            return record
        return replace(record, raw=re.sub(rb'(name: Sports", ?"Confidence: )[\d.]+', rb"\g<1>0.31", record.raw))

    card = SiteCard(part_of(run, change=less_sure), SITE, client=client)
    card.why("Sports")
    assert "The run has it with confidence 0.31; asked now" in card._why._shown.value


def test_of_an_answer_that_is_not_given_any_more_is_said_so(run, client):
    def of_another(record):
        if record.target != SITE or not record.is_answer:
            return record
        other = next(o for o in run._records([record.endpoint]) if o.target == "torque-journal.example")
        answer = json.loads(other.raw.decode().replace("torque-journal.example", SITE))
        return replace(record, raw=json.dumps(answer).encode())

    card = SiteCard(part_of(run, change=of_another), SITE, client=client)
    card.why("Automotive")
    assert "the service does not give it" in card._why._shown.value


@pytest.mark.parametrize(
    ("dimension", "kind"), [("audience_type", "value"), ("interest", "interest"), ("persona", "persona")]
)
def test_every_kind_of_value_has_reasons(run, client, dimension, kind):
    codes = run.codes()
    site, text = codes.loc[codes["dimension"].eq(dimension), ["target", "label"]].iloc[0]
    card = SiteCard(run, site, client=client)
    card.why(text)
    assert (card.value.about.kind, card.value.about.label) == (kind, text)


def test_a_value_that_the_card_has_not_is_said(card):
    card.why("Opera")
    assert card.value is None
    assert "no value 'Opera'" in card._sheet.content["said"]


def test_the_page_is_shown_with_its_title(card):
    card.read()
    head, text = card._sheet.content["page"]
    assert head["text"].startswith("Trailhead Outfitters")
    assert (head["name"], text["name"]) == ("head", "text")


def test_another_site_of_the_run_takes_its_place(card):
    card.why("Sports")
    card.show("https://torque-journal.example/")
    assert card.site == "torque-journal.example"
    assert card._why.layout.display == "none"
    assert "Sports" not in said(card)["Topics", "Main topic"]


def test_a_site_without_an_answer_says_what_to_do(run):
    card = SiteCard(run, "blank-canvas.example")
    assert said(card) == {}
    assert "the page has too little text. Try another page of the site." in card.static_view()


def test_a_site_that_the_run_has_not_is_refused_with_some_that_it_has(run):
    with pytest.raises(InputError, match=r"no site 'nowhere.example'\. It has 68 sites, such as"):
        SiteCard(run, "nowhere.example")


def test_a_service_that_cannot_be_asked_is_said_in_place(run, unreachable):
    card = SiteCard(run, SITE, client=unreachable)
    card.read()
    assert card._sheet.content["said"]
    assert card._sheet.content["page"] is None


def test_a_saved_notebook_shows_the_card_as_text(card):
    html = card._repr_mimebundle_()["text/html"]
    assert "Middle income (inferred)" in html
    assert "Sports (measured)" in html
