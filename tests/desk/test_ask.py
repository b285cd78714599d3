"""Asking about some sites at once: `Client.ask`, its typed outcomes, and splitting pasted text into targets."""

import asyncio

import httpx
import pytest
from asking import QUESTIONS, outcomes_of
from hypothesis import given
from hypothesis import strategies as st

import toolkit as tk
from toolkit.interface import errors, models
from toolkit.interface.models import Outcome
from toolkit.interface.targets import is_blank
from toolkit.runs.inputs import is_target, split_targets
from toolkit.service.samples import sample_sites
from toolkit.service.settings import Settings

TARGETS = ["torque-journal.example", "nowhere.example", "two words", "blank-canvas.example", "torque-journal.example"]
GOOD = {"categories": [{"id": "150", "name": "Attractions"}]}


@pytest.fixture(scope="module")
def outcomes(client):
    return outcomes_of(client, TARGETS, QUESTIONS)


# Outcomes -----------------------------------------------------------------------------------------------------------


def test_there_is_an_outcome_a_target_and_question_in_order(outcomes):
    assert [(o.target, o.endpoint) for o in outcomes] == [(target, name) for target in TARGETS for name in QUESTIONS]


def test_outcome_has_exactly_one_of_answer_and_error(outcomes):
    assert all((o.answer is None) != (o.error is None) for o in outcomes)


@pytest.mark.parametrize(("position", "status"), [(0, 200), (1, 411), (2, None), (3, 410), (4, 200)])
def test_status_is_the_answers_or_the_errors(outcomes, position, status):
    of_target = outcomes[position * len(QUESTIONS) :][: len(QUESTIONS)]
    assert [o.status for o in of_target] == [status] * len(QUESTIONS)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("segment", models.Segmentation),
        ("categorize", models.Categorization),
        ("categorize_content", models.ContentCategorization),
        ("enrich", models.Enrichment),
    ],
)
def test_question_is_answered_by_its_endpoint(outcomes, question, kind):
    answer = outcomes[QUESTIONS.index(question)].answer
    assert type(answer) is kind
    assert answer.provenance.endpoint == question


def test_what_is_no_target_is_an_outcome_too(outcomes):
    assert {type(o.error) for o in outcomes if o.target == "two words"} == {errors.TargetError}


def test_segment_is_asked_by_default(client):
    assert [o.endpoint for o in outcomes_of(client, ["torque-journal.example"])] == ["segment"]


def test_no_targets_give_nothing(client):
    assert outcomes_of(client, [], QUESTIONS) == []


def test_no_question_is_refused(client):
    with pytest.raises(errors.InputError, match="Pass ask='segment', for example"):
        outcomes_of(client, ["torque-journal.example"], ())


def test_targets_may_come_from_a_generator(client):
    found = outcomes_of(client, (target for target in TARGETS[:2]), ["categorize"])
    assert [o.target for o in found] == TARGETS[:2]


def test_more_targets_than_are_asked_at_once_keep_their_order(stub):
    stub.reply(200, GOOD)
    targets = [f"site{number}.example" for number in range(50)]
    with stub.client() as client:
        found = outcomes_of(client, targets, ["categorize"])
    assert [o.answer.provenance.normal for o in found] == targets


@pytest.mark.parametrize("ask", [["segments"], ["filters"], ["submit_batch"], ["segment", "close"], "segments"])
def test_unknown_question_is_refused_before_sending(wire, ask):
    with pytest.raises(
        errors.InputError, match="ask must be of 'segment', 'categorize', 'categorize_content', 'enrich', not"
    ):
        outcomes_of(wire.client, ["torque-journal.example"], ask)
    assert not wire.requests


def test_one_text_in_place_of_a_list_of_targets_is_refused(wire):
    with pytest.raises(errors.InputError):
        outcomes_of(wire.client, "torque-journal.example", ["categorize"])
    assert not wire.requests


@pytest.mark.parametrize("target", [None, 7, float("nan"), b"a.example", "", "half\ud800.example", "a.example/\ud800"])
def test_odd_target_is_an_outcome_and_the_others_are_answered(client, target):
    found = outcomes_of(client, ["torque-journal.example", target], ["categorize"])
    assert [o.status for o in found] == [200, None]


def test_target_object_is_asked_as_it_is(client):
    (found,) = outcomes_of(client, [tk.Target.parse("https://trailhead-outfitters.example/boots")], ["segment"])
    assert found.answer.provenance.normal == "trailhead-outfitters.example/boots"


def test_asking_works_inside_a_running_loop(client):
    async def cell():
        return outcomes_of(client, ["torque-journal.example"], ["categorize"])

    assert [o.status for o in asyncio.run(cell())] == [200]


def test_the_asynchronous_client_finds_the_same(client):
    async def main():
        async with tk.AsyncClient() as twin:
            return (await twin.ask(TARGETS, ["categorize"])).outcomes()

    found, expected = asyncio.run(main()), outcomes_of(client, TARGETS, ["categorize"])
    assert [(o.target, o.endpoint, o.status) for o in found] == [(o.target, o.endpoint, o.status) for o in expected]


def test_the_asynchronous_client_refuses_an_unknown_question():
    async def main():
        async with tk.AsyncClient() as client:
            await client.ask(["torque-journal.example"], ["filters"])

    with pytest.raises(errors.InputError, match="ask must be of"):
        asyncio.run(main())


# Stopping and going on ----------------------------------------------------------------------------------------------


def test_nothing_more_is_sent_after_a_used_up_quota(stub):
    stub.reply(403, {"status": 403, "error": "used up"})
    targets = [f"site{number}.example" for number in range(60)]
    with stub.client() as client:
        found = outcomes_of(client, targets, ["categorize"])
    assert len(stub.requests) < len(targets) / 2
    assert [(o.target, o.status) for o in found] == [(target, 403) for target in targets]


def test_answers_paid_for_before_the_quota_was_used_up_are_kept():
    with tk.Client(embedded=Settings(monthly_quota=3)) as client:
        found = outcomes_of(client, [site.host for site in sample_sites()[:40]], ["categorize"])
    statuses = [o.status for o in found]
    assert statuses.count(200) == 3
    assert set(statuses) - {200, 410, 411} == {403}


@pytest.mark.parametrize("status", [400, 404, 410, 411, 500])
def test_other_errors_do_not_stop_the_rest(stub, status):
    stub.reply(status, {"status": status, "error": "no"}).reply(200, GOOD)
    with stub.client(retries=tk.Retries(attempts=1)) as client:
        found = outcomes_of(client, [f"site{number}.example" for number in range(20)], ["categorize"])
    assert sorted(o.status for o in found) == sorted([status, *[200] * 19])


def test_no_answer_at_all_is_an_outcome_without_status(stub):
    stub.fail(httpx.ReadTimeout("broken"))
    with stub.client() as client:
        (found,) = outcomes_of(client, ["a.example"], ["categorize"])
    assert found.status is None
    assert isinstance(found.error, errors.AnswerTimeoutError)


def test_nothing_more_is_sent_after_a_refused_key(stub):
    stub.reply(401, {"status": 401, "error": "no such key"})
    targets = [f"site{number}.example" for number in range(30)]
    with stub.client() as client:
        found = outcomes_of(client, targets, ["categorize"])
    assert len(stub.requests) <= 8
    assert [(o.target, o.status) for o in found] == [(target, 401) for target in targets]


@pytest.mark.parametrize("ask", [["categorize"], ["segment", "categorize"]])
def test_missing_key_or_base_url_is_raised_before_sending(stub, ask):
    stub.reply(200, GOOD)
    with (
        tk.Client(v1_base_url="https://a.example", transport=httpx.MockTransport(stub.answer)) as client,
        pytest.raises(errors.ConfigurationError),
    ):
        outcomes_of(client, ["a.example", "b.example"], ask)
    assert not stub.requests


# Options ------------------------------------------------------------------------------------------------------------


def test_one_text_is_one_question(client):
    assert [o.endpoint for o in outcomes_of(client, ["torque-journal.example"], "categorize")] == ["categorize"]


def test_options_go_to_their_question(client):
    options = {"segment": {"format": "legacy"}}
    found = outcomes_of(client, ["torque-journal.example"], ["segment", "categorize"], options)
    assert [type(o.answer) for o in found] == [models.LegacySegmentation, models.Categorization]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"filters": {}},
            "options must be for 'segment', 'categorize', 'categorize_content', 'enrich', not 'filters'.",
        ),
        ({"segment": {"form": 1}}, "segment takes the options 'format', not 'form'."),
        ({"categorize": {"format": "xml"}}, "categorize takes no options, not 'format'."),
        ({"segment": {"format": "xml"}}, "format must be one of 'structured', 'legacy', not 'xml'."),
    ],
)
def test_wrong_options_are_refused_before_sending(wire, options, message):
    with pytest.raises(errors.InputError) as caught:
        outcomes_of(wire.client, ["torque-journal.example", "a.example"], "segment", options)
    assert str(caught.value) == message
    assert not wire.requests


# Outcome.of ---------------------------------------------------------------------------------------------------------


def test_outcome_of_an_answer_names_its_target_and_endpoint(client):
    answer = client.categorize("https://torque-journal.example")
    assert Outcome.of(answer) == Outcome("https://torque-journal.example", "categorize", answer=answer)


def test_outcome_of_a_service_error_names_its_target_and_endpoint():
    error = errors.FetchFailedError(411, endpoint="segment", target="a.example")
    assert Outcome.of(error) == Outcome("a.example", "segment", error=error)


def test_outcome_of_another_error_has_no_target():
    error = errors.AnswerTimeoutError("late")
    assert Outcome.of(error) == Outcome("", "", error=error)


def test_outcome_of_an_outcome_is_itself():
    outcome = Outcome("a.example", "segment", error=errors.ToolkitError("no"))
    assert Outcome.of(outcome) is outcome


@pytest.mark.parametrize("result", ["a.example", None, ValueError("no"), {}])
def test_outcome_of_something_else_is_refused(result):
    with pytest.raises(errors.InputError) as caught:
        Outcome.of(result)
    assert str(caught.value) == (
        f"frames take answers, outcomes or errors, not {type(result).__name__}. Ask first: client.ask([…])."
    )


# split_targets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("", []),
        (" \n\t ", []),
        ("a.example", ["a.example"]),
        ("a.example b.example", ["a.example", "b.example"]),
        ("a.example\nb.example\r\nc.example", ["a.example", "b.example", "c.example"]),
        ("a.example\tb.example\u00a0c.example", ["a.example", "b.example", "c.example"]),
        ("a.example, b.example; c.example", ["a.example", "b.example", "c.example"]),
        ("a.example,\nb.example;\n", ["a.example", "b.example"]),
        ("a.example,b.example", ["a.example", "b.example"]),
        ("a.example;b.example;https://c.example/x", ["a.example", "b.example", "https://c.example/x"]),
        ("a.example ,b.example", ["a.example", "b.example"]),
        (",a.example,", ["a.example"]),
        (" , ; ", []),
        ("a.example,, b.example", ["a.example", "b.example"]),
        ("a.example b.example a.example", ["a.example", "b.example", "a.example"]),
        ("my favourite shop", ["my favourite shop"]),
        ("a.example\nmy shop\na.example, n/a", ["a.example", "my shop", "a.example", "n/a"]),
        ("# a note\na.example", ["a.example"]),
        ("https://c.example/x?y=1,2", ["https://c.example/x?y=1,2"]),
        ("https://c.example/x;v=1?y=1;2", ["https://c.example/x;v=1?y=1;2"]),
        ("https://c.example/x?y=1,2, a.example", ["https://c.example/x?y=1,2", "a.example"]),
    ],
)
def test_text_is_split_at_white_space_commas_and_semicolons(text, targets):
    assert split_targets(text) == targets


@given(st.text(st.sampled_from("ab.,; \n\t/?=:é"), max_size=40))
def test_a_line_gives_its_targets_or_itself(text):
    found = split_targets(text)
    assert not [part for part in found if not part.strip()]
    lines = [line.strip() for line in text.splitlines()]
    for part in found:
        assert part in lines or is_target(part) or is_blank(part)


@given(st.lists(st.from_regex(r"[a-z]{1,5}\.example", fullmatch=True), unique=True, max_size=8))
@pytest.mark.parametrize("separator", [" ", "\n", ", ", "; ", ",\n", "\t"])
def test_joined_targets_are_split_again(separator, targets):
    assert split_targets(separator.join(targets)) == targets
