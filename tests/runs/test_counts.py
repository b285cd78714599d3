"""One way to count: for any list, every surface says the same numbers, and they add up."""

import dataclasses
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolkit as tk
from toolkit.interface.targets import is_blank
from toolkit.reports.document import report_of
from toolkit.reports.frames import Frames
from toolkit.reports.parts.unanswered import how_many
from toolkit.runs.counts import Counts
from toolkit.widgets.run.progress import summary_line

GOOD = "trailhead-outfitters.example"
#: What a list holds: a site, the same in other spellings, pages and sites without an answer, and what is no site.
CELLS = [
    GOOD,
    f"https://www.{GOOD.upper()}/",
    f" {GOOD} ",
    "ledgerline.example",
    "ledgerline.example/pricing",
    "nowhere.example",
    "WWW.nowhere.example",
    "blank-canvas.example",
    "",
    "n/a",
    "-",
    "none",
    "N/A",
    "my favourite shop",
    "two words",
    "mailto:someone@a.example",
]
ASKED = [("segment",), ("enrich",), ("segment", "categorize_content", "enrich"), ("categorize", "segment")]


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(CELLS), max_size=14), st.sampled_from(ASKED))
def test_every_surface_says_the_same_and_it_adds_up(client, cells, ask):
    with client.run(cells, ask) as run:
        planned = run.plan().counts
        run.start(progress=False)
        counts = run.counts()
        saved = tk.load_run(run.save(run.store.path.with_name("saved.gz")))
        assert counts.entries == len(cells)
        assert counts.entries == counts.sites + counts.repeated + counts.blank + counts.invalid
        assert counts.sites == counts.answered + counts.thin + counts.unopened + counts.failed + counts.waiting
        assert counts.partly <= counts.answered
        assert counts.blank == sum(map(is_blank, cells))
        assert dataclasses.replace(planned, waiting=0) == dataclasses.replace(
            counts, answered=0, partly=0, thin=0, unopened=0, failed=0, waiting=0
        )
        assert run.plan().counts == counts == saved.counts()
        for shown in (repr(run), repr(saved), summary_line(run.progress, counts)):
            assert str(counts) in shown
        assert counts.of_list in str(run.plan())
        failures = run.failures()
        assert failures[failures["normal"].isna()]["row"].nunique() == counts.invalid
        assert not failures["target"].map(is_blank).any()


def test_a_report_says_what_the_run_says(client):
    with client.run([*CELLS, "ledgerline.example/pricing"], ("segment", "enrich")) as run:
        run.start(progress=False)
        report = report_of(run)
        assert report.subtitle.startswith(f"{run.counts()} · ")
        assert dict(report.methods.facts)["Sites"] == str(run.counts())


def test_33_cells_are_31_sites_and_said_as_such():
    counts = Counts(entries=33, sites=31, repeated=1, blank=1, answered=30, unopened=1)
    assert str(counts) == (
        "33 entries: 31 different sites, 1 repeated, 1 blank; of the 31: 30 answered, 1 could not be opened"
    )


def test_a_page_that_opened_is_not_said_to_be_unopened(client):
    with client.run([GOOD, "blank-canvas.example", "nowhere.example"], ("segment", "categorize_content")) as run:
        run.start(progress=False)
        told = "3 different sites: 1 answered, 2 gave no answer (1 too little text, 1 could not be opened)"
        assert str(run.counts()) == told
        report = report_of(run)
        assert report.subtitle.startswith(f"{told} · ")
        [table] = [part.table for part in report.parts_of("sites")]
    states = table.frame.set_index("site")["state"].to_dict()
    assert states == {
        GOOD: "answered",
        "blank-canvas.example": "has too little text",
        "nowhere.example": "no site answers at this address",
    }


def test_of_frames_alone_it_is_told_apart_too(client):
    with client.run([GOOD, "blank-canvas.example", "nowhere.example"], "segment") as run:
        run.start(progress=False)
        frames = Frames({"codes": run.codes(), "failures": run.failures()}, {})
        assert how_many(frames).endswith("1 answered, 2 gave no answer (1 too little text, 1 could not be opened)")


@pytest.mark.parametrize(("number", "words"), [(1, "1 has too little text"), (2, "2 have too little text")])
def test_pages_with_too_little_text_alone(number, words):
    assert str(Counts(entries=9, sites=9, answered=9 - number, thin=number)).endswith(f" answered, {words}")


def test_blank_cells_cost_nothing_and_are_no_failures(client):
    with client.run(["n/a", "-", "", "none", GOOD], "segment") as run:
        run.start(progress=False)
        assert (run.counts().blank, len(run.failures()), run.progress.failed) == (4, 0, 0)


@pytest.mark.parametrize("text", ["", " ", "\u00a0", "n/a", "N/A", "n.a.", "-", "–", "—", "none", "None", "null", "?"])
def test_what_says_nothing_is_blank(text):
    assert is_blank(text)


@pytest.mark.parametrize("text", ["none.example", "n/a.example", "my shop", "0", "www"])
def test_what_says_something_is_not_blank(text):
    assert not is_blank(text)


def test_an_invalid_target_is_told_once_whatever_is_asked(client):
    with client.run(["my favourite shop", GOOD], ("segment", "categorize_content", "enrich")) as run:
        run.start(progress=False)
        assert run.failures()["target"].tolist() == ["my favourite shop"]


def test_the_embedded_service_is_priced_and_timed_before_its_first_answer(client):
    with client.run([GOOD, "ledgerline.example"], ("segment", "enrich")) as run:
        plan = run.plan()
        assert (plan.credits_expected, plan.credits_worst) == (4, 4)
        assert re.search(r"time: +about \d+ s", str(plan))
        used = run.start(progress=False).progress.credits_used
        assert used == plan.credits_expected


def test_of_an_unknown_service_price_and_time_are_said_to_be_unknown(stub):
    with stub.client() as asking, asking.run([GOOD]) as run:
        shown = str(run.plan())
    assert "not known yet: the first answer tells its price" in shown
    assert "not known yet: the first answers tell the pace" in shown


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"answered": 1}, "answered"),
        ({"answered": 1, "partly": 1}, "answered only in part"),
        ({"thin": 1}, "has too little text"),
        ({"unopened": 1}, "could not be opened"),
        ({"failed": 1}, "failed"),
        ({"waiting": 1}, "not asked yet"),
    ],
)
def test_of_a_single_site_no_number_is_said_twice(more, words):
    """The run panel said: 1 site: 1 answered, and 2 entries: 1 site, 1 repeated; of the 1: 1 answered."""
    assert str(Counts(entries=1, sites=1, **more)) == f"1 site: {words}"
    assert str(Counts(entries=2, sites=1, repeated=1, **more)) == f"2 entries: 1 site, 1 repeated; the site: {words}"
