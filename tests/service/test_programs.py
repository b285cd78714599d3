"""A page of code is about software, whatever the names in it mean elsewhere."""

import pytest
from written_pages import read

from toolkit.service.subjects.programs import programming
from toolkit.service.subjects.readings import classified, taken_apart
from toolkit.service.why.asked import find_subject
from toolkit.service.why.explanations import explain

CHANGES = (
    "Changes in 4.1.0\nmatch_all() now gives an empty list. max_depth is read from limits.toml, and --strict ends at "
    "the first. A call that does not come back is ended after wait_time; first_of() and last_of() take any order."
)


def _main(reading):
    return next((category.path for category in reading.content.v3), None)


def test_names_in_a_program_are_not_its_subject():
    assert _main(classified(taken_apart(CHANGES))) == "Technology & Computing"
    plain = CHANGES.translate(str.maketrans("_().-;", "      "))
    assert _main(classified(taken_apart(plain))) != "Technology & Computing"


def test_a_subject_that_is_named_stays_what_the_code_is_for():
    page = taken_apart(
        "Aligning reads to a reference genome\nmap_reads() takes short DNA reads and the reference genome. --min-mapq "
        "leaves out reads that map to several genes; call_variants() writes the mutations of each chromosome to "
        "variants.json. sample_id names the patient's gene panel; --rg sets the sequencing run of the genome."
    )
    assert programming(page)
    assert _main(classified(page)) == "Science"


@pytest.mark.parametrize(
    "text",
    [
        "Posted by wobbly_dave at 10.30: the iPhone and the eBook cost £4.50 each, see section 2.1 and version 3.0.1.",
        "Our Q3 results: revenue 1.2.3 == nothing. Call us on 0117 496 0000 or write to sales@firm.example.",
    ],
)
def test_a_name_or_a_version_by_the_way_is_no_program(text):
    assert programming(taken_apart(text)) == {}


def test_the_reasons_say_that_it_shows_code():
    reading = classified(taken_apart(CHANGES))
    explained = explain(reading, find_subject("Technology & Computing > Computing", "content-v3"))
    assert "shows the code of programs" in {reason["text"] for reason in explained["reasons"]}
    assert sum(reason["amount"] for reason in explained["reasons"]) == pytest.approx(explained["score"], abs=1e-3)


STABLES = (
    "A stable holds foals. Each foal belongs to one groom, which feeds it requests from the manger and leads it out "
    "when the bell rings. When a foal is lame the groom puts it down and the stable breeds another by default. "
    "Bridles say how many foals a groom may lead at once; the default is four. Put a bridle on a stable that bolts."
)


@pytest.mark.parametrize(
    ("title", "url"),
    [
        ("Stables and foals — Paddock docs 2.x", "https://docs.paddock.example/concepts/stables"),
        ("Stables and foals — Paddock 4.1 manual", "https://paddock.example/docs/4.1/stables"),
    ],
)
def test_what_documents_a_program_is_of_it_whatever_its_parts_are_called(title, url):
    reading = read(title, STABLES, url)
    assert _main(reading) == "Technology & Computing"
    explained = explain(reading, find_subject("Technology & Computing", "content-v3"))
    assert "documents a program" in {reason["text"] for reason in explained["reasons"]}
    assert _main(read("Stables and foals", STABLES, "https://paddock.example/yard/stables")) == "Pets"
