"""The Lookup widget and the copy button, driven without a kernel."""

import asyncio
import json
import re
import socket
from html.parser import HTMLParser
from types import SimpleNamespace

import ipywidgets as ipw
import pandas as pd
import pytest

import toolkit as tk
from toolkit import widgets
from toolkit.interface.errors import BadRequestError, FetchFailedError, QuotaExceededError, TargetError
from toolkit.interface.models import Outcome
from toolkit.widgets import Lookup
from toolkit.widgets.copying import CopyButton
from toolkit.widgets.lookup.box import result_frames
from toolkit.widgets.lookup.view import code_for, error_lines, grid_of, notice, table

PAGE = "torque-journal.example"
OTHER = "ledgerline.example"
NOWHERE = "nowhere.example"
QUESTIONS = ["segment", "categorize_content", "categorize", "enrich"]
FRAMES = {
    "segment": ["audiences", "codes"],
    "categorize_content": ["categories"],
    "categorize": ["categories"],
    "enrich": ["categories", "companies", "technologies"],
}
HOSTILE = "<img/src=x/onerror=alert(1)>"
PLOTLY = "application/vnd.plotly.v1+json"


class Tags(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts = set(), []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(self.texts)


def texts(node):
    return Tags(node.value).text


@pytest.fixture
def lookup(client):
    return Lookup(client)


@pytest.fixture
def looked_up(client):
    """A widget with these targets and questions, looked up."""

    def looking(targets=PAGE, ask=("categorize",), using=client):
        lookup = Lookup(using, targets, ask)
        lookup.run()
        return lookup

    return looking


@pytest.fixture
def closed_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.fixture
def unreachable(closed_port):
    base = f"http://127.0.0.1:{closed_port}"
    with tk.Client("k3y", base, v1_api_key="k3y", v1_base_url=base, retries=tk.Retries(attempts=1)) as client:
        yield client


def shown(lookup):
    """Whether results are on the screen."""
    return lookup._results.layout.display != "none"


def click(lookup):
    """Click inside a running loop, as in a kernel, and wait for what it began."""

    async def cell():
        lookup._button.click()
        seen = lookup._button.disabled
        await asyncio.gather(*lookup._beside.tasks)
        return seen

    return asyncio.run(cell())


# At first -----------------------------------------------------------------------------------------------------------


def test_public_names_are_there():
    assert {"Grid", "Lookup", "RunPanel", "SiteCard"} <= set(widgets.__all__) == set(dir(widgets))


def test_at_first_nothing_is_shown(lookup):
    assert (lookup.value, lookup.frames, lookup.targets) == ([], {}, [])
    assert not shown(lookup)
    assert lookup._status.value == lookup._errors.value == ""


def test_audience_and_categories_of_the_page_are_asked_at_first(lookup):
    assert lookup.ask == ["segment", "categorize_content"]


def test_one_question_to_begin_with_may_be_a_text(client):
    assert Lookup(client, ask="segment").ask == ["segment"]


@pytest.mark.parametrize("ask", [[], ["segment"], ["categorize", "enrich"], QUESTIONS])
def test_questions_to_begin_with_are_ticked(client, ask):
    assert Lookup(client, ask=ask).ask == ask


@pytest.mark.parametrize("targets", [f"{PAGE} {OTHER}", f"{PAGE}\n{OTHER}", [PAGE, OTHER], (PAGE, OTHER)])
def test_targets_to_begin_with_stand_in_the_field(client, targets):
    assert Lookup(client, targets).targets == [PAGE, OTHER]


@pytest.mark.parametrize("targets", [f"{PAGE} {OTHER}", [PAGE, OTHER]])
def test_targets_can_be_set(lookup, targets):
    lookup.targets = targets
    assert lookup.targets == [PAGE, OTHER]
    assert lookup._targets.value.split() == [PAGE, OTHER]


def test_without_a_client_the_environment_decides(monkeypatch, closed_port):
    monkeypatch.setenv("TOOLKIT_BASE_URL", f"http://127.0.0.1:{closed_port}")
    assert str(closed_port) in repr(Lookup().client)


def test_unknown_question_to_begin_with_is_refused(client):
    with pytest.raises(tk.errors.InputError):
        Lookup(client, PAGE, ask=["segments"])


def test_repr_is_short_and_has_no_key(looked_up, unreachable):
    for lookup in (Lookup(unreachable), looked_up(ask=QUESTIONS), looked_up(using=unreachable)):
        assert re.fullmatch(r"<Lookup: .{1,60}>", repr(lookup))
        assert "k3y" not in repr(lookup)


def test_repr_counts_answers_and_not_failures(looked_up):
    assert repr(looked_up([PAGE, NOWHERE])) in {"<Lookup: 1 answers shown>", "<Lookup: 1 answer shown>"}


# Results ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS)
def test_question_shows_its_frames(looked_up, question):
    lookup = looked_up(ask=[question])
    assert set(lookup.frames) <= set(FRAMES[question])
    assert set(lookup.frames) >= set(FRAMES[question][:1])
    assert [outcome.endpoint for outcome in lookup.value] == [question]
    assert shown(lookup)


def test_all_questions_of_several_targets_are_asked(looked_up):
    lookup = looked_up([PAGE, OTHER], QUESTIONS)
    assert [(o.target, o.endpoint) for o in lookup.value] == [(t, q) for t in (PAGE, OTHER) for q in QUESTIONS]
    assert list(dict.fromkeys(lookup.frames["audiences"]["target"])) == [PAGE, OTHER]


def test_frames_are_those_of_the_outcomes(looked_up, vocabulary):
    lookup = looked_up([PAGE, OTHER], QUESTIONS)
    expected = {
        "audiences": tk.frames.audiences(lookup.value, vocabulary),
        "codes": tk.frames.codes(lookup.value, vocabulary),
        "categories": tk.frames.categories(lookup.value),
        "companies": tk.frames.companies(lookup.value),
    }
    for name, frame in expected.items():
        # Here a row is a target; of outcomes alone each question is one.
        pd.testing.assert_frame_equal(lookup.frames[name].drop(columns="row"), frame.drop(columns="row"))
        assert lookup.frames[name]["row"].unique().tolist() == [0, 1]


def test_each_frame_has_a_tab_with_its_rows(looked_up):
    lookup = looked_up([PAGE, OTHER], QUESTIONS)
    titles = ["Audience", "Interests and traits", "Topics", "Company", "Technologies"]
    assert list(lookup._tables.titles) == titles[: len(lookup.frames)]
    assert len(lookup._tables.children) == len(lookup.frames)
    for child, frame in zip(lookup._tables.children, lookup.frames.values(), strict=True):
        assert len(child.frame) == len(frame)
        assert set(child.frame.columns) == set(frame.columns)


def test_status_counts_targets_answers_credits(looked_up):
    lookup = looked_up([PAGE, OTHER], ["categorize", "enrich"])
    assert re.match(r"2 different sites: all answered  · 4 answers · 4 credits used ·", texts(lookup._status))


def test_status_counts_failures_apart_from_answers(looked_up):
    said = texts(looked_up([PAGE, NOWHERE])._status)
    assert "2 different sites: 1 answered, 1 could not be opened" in said
    assert "1 answer" in said


def test_chart_of_categories_is_shown(looked_up):
    _, output = looked_up()._chart.outputs
    assert output["output_type"] == "display_data"
    figure = output["data"][PLOTLY]
    assert [mark["name"] for mark in figure["data"]] == [PAGE]
    assert "sendChartToCloud" in figure["config"]["modeBarButtonsToRemove"]


def test_chart_of_codes_is_shown_where_there_are_no_categories(looked_up):
    _, output = looked_up(ask=["segment"])._chart.outputs
    assert "purchase intent" in output["data"][PLOTLY]["layout"]["title"]["text"]


def test_a_repeated_target_is_asked_once(looked_up):
    assert len(looked_up(f"{PAGE} {PAGE}").value) == 1


def test_next_lookup_replaces_the_last(looked_up):
    lookup = looked_up()
    lookup.targets = OTHER
    lookup.run()
    assert set(lookup.frames["categories"]["target"]) == {OTHER}
    assert [mark["name"] for mark in lookup._chart.outputs[-1]["data"][PLOTLY]["data"]] == [OTHER]


def test_whole_widget_can_be_sent_to_a_browser(looked_up):
    lookup = looked_up([PAGE, NOWHERE], QUESTIONS)
    for child in (lookup, *lookup.children, lookup._chart, *lookup._tables.children):
        json.dumps(child.get_state(), default=str)
    json.dumps(lookup._chart.get_state()["outputs"])


def test_tables_are_in_plain_words(looked_up):
    found = looked_up([PAGE, "fixit-homestead.example"], ask=["segment"])
    audience, codes = (Tags(child.static_view()).text for child in found._tables.children)
    # As its card and reports say it, whatever the vocabulary's label is.
    assert "Somewhat more men" in audience
    assert "Leaning male" not in audience
    assert "lean_male" not in audience
    assert "Purchase intent" in codes
    assert "Remodeling and Construction" in codes


def test_code_without_a_label_is_in_words_made_from_it(client):
    frame = pd.DataFrame({"target": [PAGE], "dimension": ["interest"], "code": ["INT.PETS.LARGE_ANIMALS"]})
    shown = grid_of("codes", frame.assign(label=None, confidence=None), client.filters()).static_view()
    assert "<td>Large animals</td>" in shown


# Complaints and errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["", "  \n ", ",;"])
def test_nothing_typed_is_said_in_place(lookup, typed):
    lookup._targets.value = typed
    lookup.run()
    assert texts(lookup._status).startswith("Type a domain or URL first")
    assert "role='alert'" in lookup._status.value
    assert not shown(lookup)


def test_nothing_ticked_is_said_in_place(client):
    lookup = Lookup(client, PAGE, ask=[])
    lookup.run()
    assert texts(lookup._status) == "Tick at least one question."


def test_too_many_targets_are_said_in_place_and_not_asked(wire):
    lookup = Lookup(wire.client, [f"site{number}.example" for number in range(51)])
    lookup.run()
    assert texts(lookup._status).startswith("51 sites are more than the 50 that fit here")
    assert not wire.requests


def test_fifty_targets_are_taken(stub):
    stub.reply(200, {"domain": "a.example", "categories": []})
    with stub.client() as client:
        lookup = Lookup(client, [f"site{number}.example" for number in range(50)], ["categorize"])
        lookup._vocabulary = tk.Vocabulary.parse({"interests": ["INT.PETS.DOGS"], "income_level": ["low", "high"]})
        lookup.run()
    assert len(lookup.value) == 50


def test_complaint_leaves_the_last_results(looked_up):
    lookup = looked_up()
    lookup.targets = ""
    lookup.run()
    assert set(lookup.frames) == {"categories"}
    assert shown(lookup)


def test_failed_target_is_said_once_in_plain_words(looked_up):
    lookup = looked_up([PAGE, NOWHERE], ["segment", "categorize_content"])
    said = texts(lookup._errors)
    assert said.count(NOWHERE + ":") == 1
    assert "no site answers at this address: check the spelling." in said
    assert "411" not in said
    assert "(audience, topics of the page)" in said
    assert PAGE not in said


def test_failures_are_in_no_table(looked_up):
    lookup = looked_up([PAGE, NOWHERE], ["segment", "enrich"])
    assert all(set(frame["target"]) == {PAGE} for frame in lookup.frames.values())


def test_only_failures_show_no_results(looked_up):
    lookup = looked_up([NOWHERE])
    assert NOWHERE in texts(lookup._errors)
    assert not shown(lookup)
    assert lookup.frames == {}


def test_errors_are_gone_after_a_good_lookup(looked_up):
    lookup = looked_up([NOWHERE])
    lookup.targets = PAGE
    lookup.run()
    assert lookup._errors.value == ""
    assert shown(lookup)


def test_hostile_target_is_text(looked_up):
    lookup = looked_up([HOSTILE, PAGE], ["segment"])
    assert "img" not in Tags(lookup._errors.value).tags | Tags(lookup._status.value).tags
    assert HOSTILE in texts(lookup._errors)
    assert "img" not in Tags(lookup._repr_mimebundle_()["text/html"]).tags


def test_hostile_answer_is_text(stub, vocabulary):
    categories = [{"id": HOSTILE, "name": HOSTILE, "tier": 1, "confidence": 0.9}]
    technologies = [{"name": HOSTILE, "category": HOSTILE}]
    stub.reply(
        200, {"domain": PAGE, "company": {"name": HOSTILE}, "categories": categories, "technologies": technologies}
    )
    with stub.client() as client:
        lookup = Lookup(client, PAGE, ["enrich"])
        lookup._vocabulary = vocabulary
        lookup.run()
    pieces = [child.static_view() for child in lookup._tables.children] + [lookup._repr_mimebundle_()["text/html"]]
    assert list(lookup.frames) == ["categories", "companies", "technologies"]
    assert all("img" not in Tags(piece).tags for piece in pieces)
    assert all(HOSTILE in Tags(piece).text for piece in pieces[1:])
    assert "<img" not in json.dumps(lookup._chart.outputs)


def test_long_target_stands_whole_in_the_table(looked_up):
    target = f"https://{PAGE}/?page={'x' * 80}"
    assert target in Tags(looked_up([target])._tables.children[0].static_view()).text


def test_hostile_words_of_the_service_are_text():
    error = BadRequestError(400, endpoint="segment", target="a.example", detail=f"{HOSTILE}\x1b[2J\u202e")
    shown = "".join(notice(line) for line in error_lines([Outcome("a.example", "segment", error=error)]))
    assert "img" not in Tags(shown).tags
    assert HOSTILE in Tags(shown).text
    assert not re.search("[\x00-\x08\x1b\u202e]", shown)


def test_hostile_error_is_text(stub, vocabulary):
    stub.reply(411, {"status": 411, "error": f"{HOSTILE}\x1b[2J\u202e"})
    with stub.client() as client:
        lookup = Lookup(client, PAGE, ["categorize"])
        lookup._vocabulary = vocabulary
        lookup.run()
    assert "img" not in Tags(lookup._errors.value).tags
    assert "the page could not be opened" in texts(lookup._errors)
    assert not re.search("[\x00-\x08\x1b\u202e]", lookup._errors.value)


def test_unreachable_service_is_said_in_place(looked_up, unreachable):
    lookup = looked_up(using=unreachable)
    assert "role='alert'" in lookup._status.value
    assert "Traceback" not in texts(lookup._status)
    assert "k3y" not in lookup._status.value
    assert (lookup.value, lookup.frames) == ([], {})


def test_lookup_works_again_once_the_service_does(stub, vocabulary):
    stub.reply(500, {"status": 500, "error": "down"})
    stub.reply(200, vocabulary.raw)
    stub.reply(200, {"domain": PAGE, "categories": []})
    with stub.client(retries=tk.Retries(attempts=1)) as client:
        lookup = Lookup(client, PAGE, ["categorize"])
        lookup.run()
        assert "down" in texts(lookup._status)
        lookup.run()
    assert [outcome.status for outcome in lookup.value] == [200]


def test_vocabulary_is_asked_for_once(wire):
    wire.client._session._vocabulary = None  # the client is shared, and keeps it
    lookup = Lookup(wire.client, PAGE, ["categorize"])
    lookup.run()
    lookup.run()
    assert sum("filters" in str(request.url) for request in wire.requests) == 1


# History ------------------------------------------------------------------------------------------------------------


def test_history_is_empty_at_first(lookup):
    assert lookup._past.options == (("No lookups yet", -1),)


def test_history_has_the_newest_first_and_shows_it(looked_up):
    lookup = looked_up()
    lookup.targets = [OTHER, PAGE]
    lookup.run()
    assert [number for _, number in lookup._past.options] == [1, 0]
    assert [label.split("  ")[1] for label, _ in lookup._past.options] == [f"{OTHER} and 1 more", PAGE]
    assert lookup._past.value == 1


def test_history_recalls_an_earlier_lookup_without_asking_again(wire):
    lookup = Lookup(wire.client, PAGE, ["categorize"])
    lookup.run()
    first = list(lookup.value)
    lookup.targets = [OTHER]
    lookup._ask["enrich"].value = True
    lookup.run()
    wire.requests.clear()
    lookup._past.value = 0
    assert lookup.value == first
    assert (lookup.targets, lookup.ask) == ([PAGE], ["categorize"])
    assert set(lookup.frames) == {"categories"}
    assert not wire.requests


def test_history_can_go_back_and_forth(looked_up):
    lookup = looked_up()
    lookup.targets = OTHER
    lookup.run()
    for number, target in ((0, PAGE), (1, OTHER), (0, PAGE)):
        lookup._past.value = number
        assert set(lookup.frames["categories"]["target"]) == {target}
        assert target in lookup._code.value


def test_history_brings_the_fields_back_where_the_answers_are_equal(looked_up):
    lookup = looked_up()
    lookup.run()
    lookup.targets = OTHER
    lookup._past.value = 0
    assert lookup.targets == [PAGE]


def test_failed_asking_is_no_history(looked_up, unreachable):
    assert looked_up(using=unreachable)._past.options == (("No lookups yet", -1),)


def test_hostile_target_in_the_history_has_no_control_characters(looked_up):
    [(label, _)] = looked_up([f"a\u202eb\x1b{HOSTILE}"])._past.options
    assert not re.search("[\x00-\x1f\u202e]", label)


# Clicking in a kernel -----------------------------------------------------------------------------------------------


def test_click_in_a_running_loop_shows_results_and_frees_the_button(client):
    lookup = Lookup(client, PAGE, ["categorize"])
    click(lookup)
    assert set(lookup.frames) == {"categories"}
    assert shown(lookup)
    assert lookup._button.disabled is False
    assert not lookup._beside.tasks


def test_click_outside_a_loop_shows_results(client):
    lookup = Lookup(client, PAGE, ["categorize"])
    lookup._button.click()
    assert shown(lookup)


def test_button_is_disabled_and_the_wait_is_said_while_it_is_asked(client):
    lookup = Lookup(client, PAGE, ["categorize"])
    seen = []
    lookup._status.observe(lambda change: seen.append((change["new"], lookup._button.disabled)), "value")
    click(lookup)
    assert seen[0] == ("Looking up 1 target …", True)


def test_loop_goes_on_while_it_is_asked(client):
    lookup = Lookup(client, PAGE, ["segment"])
    ticks = []

    async def cell():
        lookup._button.click()
        while lookup._beside.tasks:
            ticks.append(lookup._status.value)
            await asyncio.sleep(0)
        return ticks

    asyncio.run(cell())
    assert len(ticks) > 2
    assert any("Looking up 1 target" in status for status in ticks)


def test_second_click_while_it_is_asked_asks_nothing_more(wire):
    lookup = Lookup(wire.client, PAGE, ["categorize"])

    async def cell():
        lookup._button.click()
        lookup._button.click()
        await asyncio.gather(*lookup._beside.tasks)

    asyncio.run(cell())
    assert sum("categorize" in str(request.url) for request in wire.requests) == 1


def test_click_with_nothing_typed_is_said_in_place(lookup):
    click(lookup)
    assert texts(lookup._status).startswith("Type a domain or URL first")
    assert lookup._button.disabled is False


def test_click_with_an_unreachable_service_is_said_in_place_and_frees_the_button(unreachable):
    lookup = Lookup(unreachable, PAGE, ["segment"])
    click(lookup)
    assert "role='alert'" in lookup._status.value
    assert lookup._button.disabled is False


def test_unforeseen_error_of_a_click_is_said_in_place(client, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError(HOSTILE)

    lookup = Lookup(client, PAGE, ["segment"])
    monkeypatch.setattr(client, "ask", broken, raising=False)
    click(lookup)
    assert "ZeroDivisionError" in texts(lookup._status)
    assert "img" not in Tags(lookup._status.value).tags
    assert lookup._button.disabled is False


def test_cancelled_lookup_frees_the_button(raw_server):
    base = raw_server(60).url
    once = tk.Retries(attempts=1)
    client = tk.Client("k3y", base, v1_api_key="k3y", v1_base_url=base, retries=once, timeout=1)
    lookup = Lookup(client, PAGE, ["segment"])

    async def cell():
        lookup._button.click()
        await asyncio.sleep(0)
        assert lookup._button.disabled
        [task] = lookup._beside.tasks
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cell())
    assert lookup._button.disabled is False
    assert "Looking up" not in texts(lookup._status)
    client.close()


# Without a kernel ---------------------------------------------------------------------------------------------------


def test_static_view_asks_to_run_the_cell_before_a_lookup(lookup):
    assert Tags(lookup._repr_mimebundle_()["text/html"]).text.startswith("Run this cell to use the Lookup widget.")


def test_static_view_has_every_table(looked_up):
    lookup = looked_up(ask=QUESTIONS)
    html = lookup._repr_mimebundle_()["text/html"]
    assert html.count("<table") == len(lookup.frames)
    assert "credits used" in Tags(html).text


def test_static_view_has_the_errors(looked_up):
    assert NOWHERE in Tags(looked_up([PAGE, NOWHERE])._repr_mimebundle_()["text/html"]).text


def test_static_view_of_failures_alone_says_them(looked_up):
    assert NOWHERE in Tags(looked_up([NOWHERE])._repr_mimebundle_()["text/html"]).text


def test_live_view_stands_beside_the_static_one(lookup):
    bundle = lookup._repr_mimebundle_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == lookup.model_id
    assert "Lookup" in bundle["text/plain"]


# As code ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", [[question] for question in QUESTIONS] + [QUESTIONS])
def test_code_runs_and_gives_the_same_frames(looked_up, ask):
    lookup = looked_up([PAGE, OTHER], ask)
    names = {}
    exec(lookup._code.value, names)  # noqa: S102 - what the widget offers to run
    moving = ["request_id", "fetched_at"]
    for name, frame in lookup.frames.items():
        ours, theirs = (f.drop(columns=moving) for f in (frame, names[name]))
        pd.testing.assert_frame_equal(ours, theirs)


def test_code_is_what_the_button_copies(looked_up):
    lookup = looked_up()
    assert lookup._copy.text == lookup._code.value == code_for([PAGE], ["categorize"])


def test_code_has_no_key(stub, vocabulary):
    stub.reply(200, {"domain": PAGE, "categories": []})
    with stub.client() as client:
        lookup = Lookup(client, PAGE, ["categorize"])
        lookup._vocabulary = vocabulary
        lookup.run()
    assert stub.v1_key not in lookup._code.value


@pytest.mark.parametrize("target", ["a'b", 'a"b', "a\\", "'''", "\n", "x') or exit(", "\u202e", "{}"])
def test_any_target_is_a_text_in_the_code(target):
    names = {}
    asked = next(line for line in code_for([target], ["segment"]).split("\n") if line.startswith("run = "))
    exec(asked, {"client": SimpleNamespace(ask=lambda targets, _: names.update(targets=targets))})  # noqa: S102
    assert names["targets"] == [target]


# Plain functions ----------------------------------------------------------------------------------------------------


def test_result_frames_of_nothing_are_none(client):
    with client.ask(["nowhere.example"], QUESTIONS) as run:
        assert result_frames(run) == {}


def test_result_frames_leave_empty_ones_out(client):
    with client.ask([PAGE], ["categorize"]) as run:
        assert list(result_frames(run)) == ["categories"]


def test_error_lines_of_one_failure_stand_once():
    error = FetchFailedError(411, endpoint="segment", target="a.example", detail="no page.", request_id="req_1")
    outcomes = [Outcome("a.example", name, error=error) for name in ("segment", "enrich")]
    [line] = error_lines(outcomes)
    assert line.startswith("a.example: the page could not be opened: see whether it opens in a browser without")
    assert line.endswith(" (audience, company)")


def test_details_of_the_service_stand_where_they_are_to_be_seen():
    error = BadRequestError(400, endpoint="segment", target="a.example", detail="The path is too long.")
    [line] = error_lines([Outcome("a.example", "segment", error=error)])
    assert line == "a.example: the service refused the request: The path is too long. (audience)"


def test_error_lines_of_different_failures_stand_apart():
    outcomes = [
        Outcome("a.example", "segment", error=FetchFailedError(411, detail="no page")),
        Outcome("a.example", "enrich", error=QuotaExceededError(403)),
        Outcome("b c", "segment", error=TargetError("'b c' has a space in it.")),
    ]
    lines = error_lines(outcomes)
    assert len(lines) == 3
    assert lines[2] == "b c: 'b c' has a space in it."


# The copy button ----------------------------------------------------------------------------------------------------


def test_copy_button_sends_its_text_and_label():
    button = CopyButton(text="abc", description="Copy as code")
    state = button.get_state()
    assert (state["text"], state["description"]) == ("abc", "Copy as code")


def test_copy_button_is_empty_at_first():
    assert (CopyButton().text, CopyButton().description) == ("", "Copy")


def test_copy_button_brings_its_script_along():
    script = CopyButton().get_state()["_esm"]
    assert "clipboard.writeText" in script
    assert not re.search(r"https?://|innerHTML|import\s", script)


def test_lookup_is_a_widget_of_controls(lookup):
    assert isinstance(lookup, ipw.VBox)
    assert [box.description for box in lookup._ask.values()] == [
        "Audience",
        "Topics of the page",
        "Topics of the domain",
        "Company",
    ]


def test_of_a_long_table_ten_rows_are_left_where_no_kernel_runs():
    """A notebook with a run of forty sites had a table of 200 rows, six screens long."""
    client = tk.Client()
    frame = client.ask(["torque-journal.example", "harvest-table.example"], "segment", store=False).codes()
    html = table("codes", frame, client.filters())
    assert html.count("<tr") == 11
    assert f"{len(frame)} rows, the first 10 shown" in html
