"""What a page states of whom it is for overrules what its subject lets expect; what it tells of others does not."""

import re
from html import escape
from pathlib import Path

from cases import every

from toolkit.service.pages.fetching import Fetched
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified, taken_apart
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

FIELD = re.compile(r"(at|title|right|wrong|sides): (.*)")
PAGES = Path(__file__).with_name("stated_pages.txt").read_text(encoding="utf-8").split("\n== ")[1:]


def reading_of(block):
    """Return the fields of a written page and its reading."""
    _, *lines = block.strip().split("\n")
    fields = {"right": "", "wrong": "", "sides": ""} | dict(f.groups() for x in lines if (f := FIELD.fullmatch(x)))
    body = "".join(f"<p>{escape(line)}</p>" for line in lines if not FIELD.fullmatch(line))
    aside = f'<aside class="sidebar"><h2>More</h2><p>{escape(fields["sides"])}</p></aside>' if fields["sides"] else ""
    title = escape(fields["title"])
    source = f"<html lang=en><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main>{aside}"
    return fields, classified(taken_apart(Fetched(fields["at"], {}, source.encode(), "text/html", "utf-8")))


def said(answer):
    """Return all that an answer says of readers: field=value, and personas."""
    fields = {**answer["demographics"], **answer["b2b"], "audience_type": answer["audience_type"]}
    values = {name: held if isinstance(held, list) else [held] for name, held in fields.items() if name != "confidence"}
    return [
        *(f"{name}={value}" for name, held in values.items() for value in held if value),
        *(persona["persona"] for persona in answer["personas"]),
    ]


def is_said(wanted, facts):
    name, _, value = wanted.partition("=")
    if not value:
        return any(name in fact for fact in facts if "=" not in fact)
    held = [fact.partition("=")[2] for fact in facts if fact.startswith(f"{name}=")]
    return any(re.fullmatch(value.replace("*", ".*"), found) for found in held)


@every("block", PAGES)
def test_what_a_page_states_of_its_readers_is_said_and_nothing_else(block):
    fields, reading = reading_of(block)
    facts = said(structured_shape(fields["at"], reading))
    missing = [wanted for wanted in fields["right"].split("; ") if wanted and not is_said(wanted, facts)]
    wrong = [unwanted for unwanted in fields["wrong"].split("; ") if unwanted and is_said(unwanted, facts)]
    assert (missing, wrong) == ([], []), facts


def test_an_explanation_quotes_what_states_a_value():
    block = next(page for page in PAGES if page.startswith("over-70s"))
    _, reading = reading_of(block)
    case = explain(reading, find_subject("employment_status=retired"))
    assert any(reason["kind"] == "stated" and reason["text"] == "over-70s" for reason in case["reasons"]), case
