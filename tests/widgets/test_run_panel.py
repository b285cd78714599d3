"""The RunPanel widget, driven without a kernel: controls are set and buttons clicked."""

import asyncio
import base64
import csv
import gzip
import io
import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

import toolkit as tk
from toolkit.interface.errors import InputError
from toolkit.interface.words.labels import reason_label
from toolkit.runs.counts import Counts
from toolkit.runs.inputs import split_targets
from toolkit.runs.progress import Progress
from toolkit.service import Faults
from toolkit.store.answers import Store
from toolkit.widgets import RunPanel
from toolkit.widgets.files import download_link, free_path, safe_name
from toolkit.widgets.run.asked import budget_of_text
from toolkit.widgets.run.failures import failures_table, reason_of
from toolkit.widgets.run.groups import groupings_of_run, groupings_of_table
from toolkit.widgets.run.parts import OFFERED, moved
from toolkit.widgets.run.progress import progress_line, summary_line
from toolkit.widgets.run.results import ended, first_frames
from toolkit.widgets.run.source import column_titles, is_table, keep_upload

PAGE = "torque-journal.example"
OTHER = "ledgerline.example"
THIRD = "harvest-table.example"
NOWHERE = "nowhere.example"
SITES = [
    PAGE,
    OTHER,
    THIRD,
    "clearwater-bank.example",
    "trailhead-outfitters.example",
    "peakcycle.example",
    "inkwell-books.example",
    "cloudmast.example",
]
#: A picture of one dot.
LOGO = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
HOSTILE = "<img/src=x/onerror=alert(1)>"


@pytest.fixture
def panel(client):
    """A panel with these targets."""
    made = []

    def paneled(targets="", ask=("segment",), using=client, **how):
        made.append(RunPanel(using, targets, ask, **how))
        return made[-1]

    yield paneled
    for one in made:
        one.close()


@pytest.fixture
def slow():
    """A client whose answers take a while, so that a run is seen under way however quick the machine is."""
    with tk.Client(embedded=tk.service.Settings(faults=Faults.parse("slow=1:0.4"))) as client:
        yield client


def press(button, panel):
    """Click inside a running loop, as in a kernel, and wait for what it began."""

    async def cell():
        button.click()
        seen = button.disabled
        await asyncio.gather(*panel._beside.tasks)
        return seen

    return asyncio.run(cell())


def upload(panel, name, content):
    """Set what a browser sends of a file."""
    panel._sources._upload.value = sent(name, content)


def sent(name, content):
    """What a browser sends of a file."""
    about = {"name": name, "type": "", "size": len(content), "last_modified": datetime.now(UTC)}
    return ({**about, "content": memoryview(content)},)


def text_of(html):
    return unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL))


def said(panel):
    """What the panel says, as one line."""
    return re.sub(r"<[^>]*>", "", panel._status.value.replace("<br>", " "))


def titles(panel):
    """The tabs that are shown."""
    return list(panel._shown._tabs.titles)


def tables(panel):
    """The titles of the tables that a notebook without a kernel shows."""
    return re.findall(r"<h4>(.*?)</h4>", panel.static_view())


def taking(panel):
    """What is taken away of the run: below its sites."""
    panel._shown._tabs.go_to("Sites")
    return panel._shown._taking


# At first -----------------------------------------------------------------------------------------------------------


def offered(panel):
    """Whether the sample sites are offered."""
    return panel._sources._sample.layout.display != "none"


def test_an_empty_panel_is_tried_with_one_click_on_the_sample_sites(panel):
    fresh = panel()
    assert offered(fresh)
    assert "sample sites" in fresh._sources._sample.description
    assert press(fresh._sources._sample, fresh)
    assert (fresh.run.progress.state, fresh.ask) == ("finished", ["segment", "categorize_content", "enrich"])
    assert fresh._sources.source == tk.sample_run().table.iloc[:, 0].tolist()
    assert fresh.run.inputs == len(tk.sample_run())
    assert titles(fresh)
    assert not offered(fresh)


def test_sample_sites_are_offered_while_nothing_else_stands_there(panel):
    fresh = panel()
    fresh._sources._text.value = PAGE
    assert not offered(fresh)
    fresh._sources._text.value = ""
    assert offered(fresh)
    assert not offered(panel(PAGE))


def test_sample_sites_are_not_offered_where_another_service_answers():
    """It does not know them, and may cost."""
    with tk.Client(base_url="https://service.example", api_key="key") as client:
        panel = RunPanel(client, store=False)
        assert not offered(panel)
        panel.close()


def test_at_first_nothing_is_planned_or_shown(panel):
    fresh = panel()
    assert (fresh.run, fresh.plan, fresh.value) == (None, None, {})
    assert fresh._shown.layout.display == fresh._progress.layout.display == "none"
    assert fresh._stop_button.disabled
    assert repr(fresh) == "<RunPanel: nothing planned yet>"


def test_without_a_client_one_is_made():
    panel = RunPanel()
    assert isinstance(panel.client, tk.Client)
    panel.close()


def test_unknown_question_is_refused(client):
    with pytest.raises(InputError, match="not 'colour'"):
        RunPanel(client, ask="colour")


def test_a_price_of_what_cannot_be_asked_is_refused_when_the_panel_is_made(client):
    with pytest.raises(InputError, match=r"prices must be for .*, not 'segmant'\.$"):
        RunPanel(client, prices={"segmant": 1})


def test_questions_to_begin_with_are_ticked(panel):
    assert panel(ask=["enrich", "segment"]).ask == ["segment", "enrich"]


@pytest.mark.parametrize(
    ("controls", "said"),
    [
        (("", ["segment"], ""), "Paste domains or URLs first, or upload a file."),
        ((PAGE, [], ""), "Tick at least one question."),
        ((PAGE, ["segment"], "many"), "The budget must be a whole number of credits, or nothing for no limit."),
        ((PAGE, ["segment"], "-1"), "The budget must be a whole number of credits, or nothing for no limit."),
    ],
)
@pytest.mark.parametrize("button", ["_plan_button", "_run_button"])
def test_what_cannot_be_asked_is_said_in_place(panel, controls, said, button):
    targets, ask, budget = controls
    asked = panel(targets, ask)
    asked._budget.value = budget
    press(getattr(asked, button), asked)
    assert said in text_of(asked._status.value)
    assert asked.run is None


def test_complaint_stands_alone_and_is_taken_back_by_an_upload(panel):
    run = panel([PAGE, OTHER])
    run.start()
    run._progress.layout.display = ""
    run._sources._text.value = ""
    press(run._run_button, run)
    assert "Paste domains or URLs first" in said(run)
    assert run._progress.layout.display == "none"
    upload(run, "sites.csv", f"url\n{PAGE}\n".encode())
    assert said(run) == ""


def test_complaint_about_the_budget_is_taken_back_when_it_is_changed(panel):
    run = panel(PAGE)
    run._budget.value = "many"
    press(run._plan_button, run)
    assert "whole number" in said(run)
    run._budget.value = "12"
    assert said(run) == ""


# Planning -----------------------------------------------------------------------------------------------------------


def test_plan_button_shows_rows_duplicates_and_what_is_to_be_sent(panel):
    planned = panel(f"{PAGE}\n{OTHER}\n{PAGE}\nmy shop")
    assert press(planned._plan_button, planned) is True
    assert not planned._plan_button.disabled
    assert planned.plan.to_send == 2
    assert "4 entries: 2 different sites, 1 repeated, 1 is no web address" in text_of(planned._plan_shown.value)
    assert planned.run.progress.sent == 0


def test_plan_is_shown_by_a_script_too(panel):
    planned = panel([PAGE, OTHER])
    planned.prepare()
    assert planned.plan.to_send == 2
    assert planned.value == {}


def test_plan_names_the_budget(panel):
    planned = panel(PAGE, budget=7)
    planned.prepare()
    assert planned.plan.budget == 7


def test_missing_key_is_said_in_place(panel):
    with tk.Client(base_url="http://127.0.0.1:1") as keyless:
        asked = panel(PAGE, using=keyless)
        asked.prepare()
        assert "TOOLKIT_API_KEY" in asked._status.value
        assert asked.run is None


# Running ------------------------------------------------------------------------------------------------------------


def test_run_button_runs_to_the_end_and_shows_tables(panel):
    run = panel([PAGE, OTHER, NOWHERE, "my shop"])
    assert press(run._run_button, run) is True
    assert run.run.progress.state == "finished"
    assert (run._bar.value, run._bar.max, run._bar.bar_style) == (3, 3, "success")
    assert run._line.value == ""
    assert (
        said(run)
        == "Finished. 4 entries: 3 different sites, 1 is no web address; of the 3: 2 answered, 1 could not be opened. "
        "See Failures."
    )
    assert titles(run) == ["Sites (3)", "Compare", "Coverage", "Segment", "Failures (2)"]
    assert [title.split(" (")[0] for title in tables(run)] == ["Audience", "Interests and traits", "Failures"]
    assert tables(run)[0] == "Audience (2)"
    assert run._shown.layout.display == ""
    assert (run._run_button.description, run._stop_button.disabled) == ("Run", True)


def test_value_holds_the_frames_with_failures_in_band(panel):
    run = panel([PAGE, NOWHERE])
    run.start()
    assert set(run.value) == {"audiences", "codes", "failures"}
    assert run.frames is run.value
    assert run.value["audiences"]["status"].tolist() == [200, 411]
    assert run.value["failures"]["target"].tolist() == [NOWHERE]


def test_click_outside_a_loop_waits_for_the_end(panel):
    run = panel(PAGE)
    run._run_button.click()
    assert run.run.progress.state == "finished"


def test_progress_is_shown_while_it_runs(panel, slow):
    run = panel(SITES, using=slow)
    seen = []
    run._bar.observe(lambda change: seen.append(change["new"]), "bar_style")
    run._stop_button.observe(lambda change: seen.append(change["new"]), "disabled")
    press(run._run_button, run)
    assert seen[0] in {"info", False}
    assert {"info", "success", False, True} <= set(seen)


def test_everything_is_locked_while_it_runs(panel):
    run = panel(PAGE)

    async def cell():
        run._run_button.click()
        locked = (run._run_button.disabled, run._budget.disabled, run._sources.disabled, run._ask["segment"].disabled)
        run._run_button.click()
        run._plan_button.click()
        run.start()
        said = run._status.value
        begun = len(run._beside.tasks)
        await asyncio.gather(*run._beside.tasks)
        return locked, begun, said

    locked, begun, said = asyncio.run(cell())
    assert (locked, begun) == ((True, True, True, True), 1)
    assert "A run is under way" in said
    assert not any((run._run_button.disabled, run._budget.disabled, run._sources.disabled))


def test_budget_stops_the_run_and_resume_goes_on(panel):
    run = panel(SITES, budget=3)
    press(run._run_button, run)
    assert run.run.progress.state == "stopped"
    assert "Stopped: the budget is used up" in " ".join(text_of(run._status.value).split())
    assert run._run_button.description == "Resume"
    assert run.run.progress.credits_used == 3
    run._budget.value = ""
    press(run._run_button, run)
    assert run.plan.resumed
    assert (run.run.progress.state, run.run.progress.credits_used) == ("finished", len(SITES))
    assert run._run_button.description == "Run"


def test_rows_that_wait_are_no_failures_in_the_table(panel):
    run = panel(SITES, budget=3)
    run.start()
    assert len(run.value["failures"]) == len(SITES) - 3
    assert not any(title.startswith("Failures") for title in titles(run))
    assert said(run).startswith("Stopped: the budget is used up")
    assert "8 different sites: 3 answered, 5 not asked yet." in said(run)


def test_another_list_is_not_resumed(panel):
    run = panel(SITES, budget=2)
    run.start()
    run._sources._text.value = PAGE
    assert run._run_button.description == "Run"
    run._sources._text.value = "\n".join(SITES)
    assert run._run_button.description == "Resume"


def test_plan_of_what_is_gone_on_with_says_so(panel):
    run = panel(SITES, budget=2)
    run.start()
    run.prepare()
    assert run.plan.resumed
    assert "2 answered, 6 not asked yet" in text_of(run._plan_shown.value)


def test_plan_and_results_of_another_list_are_put_away(panel):
    run = panel([PAGE, OTHER])
    run.start()
    assert "<details>" in run._plan_shown.value
    run._sources._text.value = THIRD
    assert run._plan_shown.value == ""
    shown = []
    run._shown.layout.observe(lambda change: shown.append(change["new"]), "display")
    run.start()
    assert shown == ["none", ""]
    run._sources._text.value = OTHER
    run.prepare()
    assert run._shown.layout.display == run._progress.layout.display == "none"


def test_stop_ends_it_and_keeps_what_was_answered(panel, slow):
    run = panel(SITES + [f"{site}/about" for site in SITES], using=slow, concurrency=1)

    def stop_early(progress):
        if progress["new"] == "info":
            run._stop_button.click()

    run._bar.observe(stop_early, "bar_style")
    press(run._run_button, run)
    assert run.run.progress.state == "stopped"
    assert text_of(run._status.value).split()[:1] == ["Stopped."]
    done = run.run.progress.done
    assert done < 16
    assert run._run_button.description == "Resume"
    run._bar.unobserve_all()
    press(run._run_button, run)
    assert run.run.progress.state == "finished"
    assert run.run.progress.done == 16


def test_second_run_of_the_same_list_costs_nothing(panel):
    run = panel([PAGE, OTHER])
    run.start()
    run.start()
    # It is the same run, and not another one.
    assert (run.run.progress.sent, run.run.progress.credits_used) == (0, 2)
    assert run.plan.to_send == 0
    assert len(tk.runs()) == 1


def test_named_store_keeps_the_answers_for_a_later_panel(panel, tmp_path):
    first = panel([PAGE, OTHER], store=tmp_path / "runs.db")
    first.start()
    first.close()
    second = panel([PAGE, OTHER], store=tmp_path / "runs.db")
    second.start()
    assert second.run.progress.credits_used == 0
    assert second.value["audiences"]["status"].tolist() == [200, 200]


def test_open_store_is_left_open(panel, tmp_path):
    with Store(tmp_path / "runs.db") as store:
        run = panel(PAGE, store=store)
        run.start()
        run.close()
        assert store.count() == 1


def test_clients_store_is_used(panel, tmp_path):
    with tk.Client(store=tmp_path / "answers.db") as keeping:
        run = panel(PAGE, using=keeping)
        run.start()
        run.close()
        assert keeping.store.count() >= 1


def test_store_that_is_not_wanted_is_deleted_with_the_panel(panel):
    run = panel(PAGE, store=False)
    run.start()
    folder = run.run.store.path.parent
    assert (folder / "answers.db").exists()
    assert "not kept" in text_of(run._told.value)
    run.close()
    assert not folder.exists()
    assert not tk.runs().path.exists()


def test_unusable_store_is_said_in_place(panel, tmp_path):
    (tmp_path / "runs.db").write_text("this is no database, but it is long enough to look like one" * 9)
    run = panel(PAGE, store=tmp_path / "runs.db")
    run.start()
    assert "runs.db" in text_of(run._status.value)
    assert run.value == {}


def test_refused_key_stops_the_run_and_is_never_shown(panel, serve):
    served = serve()
    with tk.Client("wr0ng-key", served.base, retries=tk.Retries(attempts=1)) as refused:
        run = panel([PAGE, OTHER], using=refused)
        run.start()
    assert "the key was refused (401)" in text_of(run._status.value)
    assert "wr0ng" not in str(run.get_state()) + run._status.value + run.static_view() + repr(run)


def test_all_questions_give_all_frames(panel):
    run = panel("trailhead-outfitters.example", ["segment", "categorize_content", "categorize", "enrich"])
    run.start()
    assert list(run.value) == ["audiences", "codes", "categories", "companies", "technologies", "failures"]
    assert len(tables(run)) >= 4


def test_large_runs_show_their_first_rows(client):
    with client.run([PAGE, OTHER, THIRD]) as run:
        run.start(progress=False)
        shown = ended(run, client, most=2)
    assert len(shown.frames["audiences"]) == 2
    assert "of the first 2 of 3 entries" in shown.links


def test_frames_of_a_run_are_those_that_it_can_give(client):
    with client.run([PAGE, OTHER]) as run:
        run.start(progress=False)
        assert list(first_frames(run)) == list(run.frames)


def test_duplicates_and_partial_answers_are_counted_by_site(panel):
    run = panel([PAGE, f"{PAGE}/", OTHER, f"{THIRD}/nopage", NOWHERE], ["segment", "enrich"])
    run.start()
    assert said(run).startswith(
        "Finished. 5 entries: 4 different sites, 1 repeated; of the 4: 3 answered (1 only in part), 1 could not be "
        "opened. See Failures."
    )
    assert tables(run)[0] == "Audience (2)"
    assert titles(run)[-1] == "Failures (2)"


def test_account_is_told_only_where_it_will_not_do():
    plenty = Progress("running", 40, answered=10, credits_used=9, credits_left=999_990)
    assert "left" not in progress_line(plenty, 40, 500)
    assert "only 5 left in the account" in progress_line(Progress("running", 40, answered=10, credits_left=5))


def test_budget_is_told_where_it_is_near():
    assert "budget" not in progress_line(Progress("running", 40, credits_used=39), 40, 50)
    assert "40 credits used of the budget of 50" in progress_line(Progress("running", 60, credits_used=40), 60, 50)


def test_report_is_the_next_thing_once_there_are_results(panel):
    run = panel([PAGE, OTHER])
    assert run._run_button.button_style == "primary"
    press(run._run_button, run)
    assert (run._run_button.button_style, run._shown._report._make.button_style) == ("", "primary")
    assert run._shown.children[:2] == (run._shown._headlines, run._shown._report)
    assert run._progress.layout.display == "none"
    run._sources._text.value = THIRD
    assert run._run_button.button_style == "primary"


# The report -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_report(run, **chosen):
    report = run._shown._report
    for name, value in chosen.items():
        getattr(report, f"_{name}").value = value
    press(report._make, run)
    return text_of(report._said.value)


def test_report_is_named_by_its_title_and_replaces_none(panel, here):
    run = panel(SITES)
    run.start()
    first = make_report(run, kind=".xlsx", title="Shops / travel: Q3?")
    assert "Shops-travel-Q3.xlsx" in first
    assert "still there" not in first
    was = (here / "Shops-travel-Q3.xlsx").read_bytes()
    second = make_report(run, title="Shops & travel (Q3)")
    assert "Shops-travel-Q3-2.xlsx" in second
    assert re.search(r"Shops-travel-Q3\.xlsx\s*, made before, is still there", second)
    assert (here / "Shops-travel-Q3.xlsx").read_bytes() == was


def test_report_without_a_title_is_called_report(panel, here):
    run = panel(SITES)
    run.start()
    make_report(run, kind=".xlsx")
    assert [path.name for path in here.iterdir()] == ["report.xlsx"]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("", "report"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\x|y", "C-x-y"),
        ("Käufer 2026", "Käufer-2026"),
        ("a" * 300, "a" * 60),
        ("...", "report"),
    ],
)
def test_name_of_a_file_is_safe_whatever_the_title(title, name):
    assert safe_name(title, "report") == name


def test_free_path_counts_on(here):
    for name in ("run.gz", "run-2.gz"):
        (here / name).touch()
    assert free_path("run", ".gz") == Path("run-3.gz")


def test_groups_of_an_uploaded_table_are_compared_in_the_report(panel, here):
    run = panel()
    rows = "".join(f"{site},{'ours' if place % 2 else 'theirs'},{place}\n" for place, site in enumerate(SITES))
    upload(run, "sites.csv", f"Domain,Group,Number\n{rows}".encode())
    run.start()
    assert run._shown._report._by.options[:2] == ("nothing", "Group (your table)")
    assert not any("Number" in label or "Domain" in label for label in run._shown._report._by.options)
    make_report(run, kind=".xlsx", title="Plain")
    make_report(run, by="Group (your table)", title="Grouped")
    assert groups_in(here / "Plain.xlsx") == {}
    assert groups_in(here / "Grouped.xlsx") == {"ours": 4, "theirs": 4}
    # It follows from how the groups were made.
    found = [row[1] for row in openpyxl.load_workbook(here / "Grouped.xlsx")["Answer"].iter_rows(values_only=True)]
    assert not [text for text in found if "Group ours" in str(text) and "theirs" in str(text)]


def groups_in(path):
    """The groups that the first sheet of a workbook names, with their sites."""
    rows = list(openpyxl.load_workbook(path).worksheets[0].iter_rows(max_col=2, values_only=True))
    places = [place for place, row in enumerate(rows) if row == ("Groups", "Answered sites")]
    return {row[0]: row[1] for place in places for row in rows[place + 1 :] if isinstance(row[1], int)}


def test_client_parts_and_brand_go_into_the_report(panel, here):
    run = panel(SITES)
    run.start()
    report = run._shown._report
    report._parts.parts = ["sites", "answer"]
    report._looks._colour.value = "#7A1FA2"
    report._looks._font.value = "Inter"
    report._looks._logo.value = sent("logo.png", LOGO)
    make_report(run, kind=".xlsx", client="Northwind")
    made = openpyxl.load_workbook(here / "report.xlsx")
    assert made.sheetnames[:3] == ["Answer", "Sites", "Everything by site"]
    assert (made["Answer"]["A1"].font.color.rgb, made["Answer"]["A1"].font.name) == ("FF7A1FA2", "Inter")
    assert made["Answer"]["A2"].value.startswith("Northwind · ")
    assert len(made["Answer"]._images) == 1
    report._looks.clear()
    assert (report._looks.brand, report._looks.template) == (None, None)


def test_what_is_no_logo_or_colour_is_told_and_nothing_written(panel, here):
    run = panel(SITES)
    run.start()
    report = run._shown._report
    report._looks._logo.value = sent("logo.png", b"MZ")
    assert "neither a PNG nor a JPEG" in make_report(run, kind=".xlsx")
    report._looks.clear()
    report._looks._template.value = sent("t.pptx", b"MZ")
    assert "no .pptx file" in make_report(run, kind=".pptx")
    assert list(here.iterdir()) == []


def test_parts_are_moved_and_left_out_in_order(panel):
    parts = panel()._shown._report._parts
    assert parts.parts == OFFERED
    parts._handle_custom_msg({"move": "sites", "by": -1}, [])
    assert parts.parts.index("sites") == OFFERED.index("sites") - 1
    parts._handle_custom_msg({"move": "answer", "by": -1}, [])
    assert parts.parts[0] == "answer"
    parts.chosen = ["methods", "sites"]
    assert parts.parts == ("sites", "methods")
    for odd in ({"move": "nothing", "by": 1}, {"move": "sites", "by": 5}, {}):
        parts._handle_custom_msg(odd, [])
    assert parts.parts == ("sites", "methods")
    with pytest.raises(InputError, match="There is no part 'sits' of a report"):
        parts.parts = ["sits"]


@pytest.mark.parametrize(
    ("name", "by", "there"),
    [("b", -1, "bac"), ("b", 1, "acb"), ("a", -1, "abc"), ("c", 1, "abc"), ("a", 9, "bca"), ("c", -9, "cab")],
)
def test_a_part_moves_as_far_as_there_is_room(name, by, there):
    assert moved("abc", name, by) == list(there)


def test_without_any_part_there_is_no_report(panel, here):
    run = panel(SITES)
    run.start()
    run._shown._report._parts.chosen = []
    assert "parts is empty" in make_report(run, kind=".xlsx")
    assert list(here.iterdir()) == []


def test_a_report_tells_how_far_it_is_and_ends_where_it_is_cancelled(panel, here):
    (here / "report.xlsx").write_bytes(b"before")
    run = panel(SITES)
    run.start()
    report = run._shown._report
    seen = []

    def watched(change):
        seen.append((change["new"], report._making.layout.display, report._words.value))
        if change["new"] > 0.3:
            report._cancel.click()

    report._bar.observe(watched, "value")
    told = make_report(run, kind=".xlsx")
    assert told == "Cancelled: nothing was written."
    assert [path.name for path in here.iterdir()] == ["report.xlsx"]
    shares = [share for share, *_ in seen]
    assert shares == sorted(shares)
    assert 0.3 < shares[-1] < 1
    assert {shown for _, shown, _ in seen} == {""}
    assert report._making.layout.display == "none"
    report._bar.unobserve(watched, "value")
    assert "report-2.xlsx" in make_report(run, kind=".xlsx")


def test_a_report_is_cancelled_beside_the_notebook(panel, here):
    run = panel(SITES)
    run.start()
    report = run._shown._report
    report._kind.value = ".xlsx"

    async def pressed():
        report._make.click()
        assert not report._cancel.disabled
        assert report._make.disabled
        report._cancel.click()
        await asyncio.gather(*run._beside.tasks)

    asyncio.run(pressed())
    assert text_of(report._said.value) == "Cancelled: nothing was written."
    assert list(here.iterdir()) == []


def test_what_is_folded_opens_and_closes(panel):
    report = panel()._shown._report
    folds = [child for child in report.children[1].children if child.description in {"Parts", "Brand and template"}]
    for fold, body in zip(folds, (report._parts, report._looks), strict=True):
        assert body.layout.display == "none"
        fold.value = True
        assert body.layout.display == ""


def test_choice_of_groups_stays_where_it_is_still_there(panel):
    run = panel(SITES, ["segment", "categorize_content"])
    run.start()
    by = run._shown._report._by
    assert by.options == ("nothing", "type of audience", "main topic")
    by.value = "main topic"
    run._ask["segment"].value = False
    run.start()
    assert (by.options, by.value) == (("nothing", "main topic"), "main topic")
    assert run._shown._report.groups is not None
    run._ask["segment"].value, run._ask["categorize_content"].value = True, False
    run.start()
    assert (by.options, by.value, run._shown._report.groups) == (("nothing", "type of audience"), "nothing", None)


def test_main_category_is_the_first_of_each_site(panel):
    run = panel(SITES, ["categorize_content"])
    run.start()
    groups = groupings_of_run(run.value)["main topic"]
    first = run.value["categories"].query("taxonomy == 'content-v3' and rank == 1").set_index("target")["level_1"]
    assert groups.to_dict() == first.to_dict()


@pytest.mark.parametrize(
    ("values", "usable"),
    [
        (["a", "b", "a", "b"], True),
        (["a", "a", "a", "a"], False),
        (["a", "b", "c", "d"], False),
        (["a", "", None, "a"], False),
        (["a", "b", None, "a"], True),
    ],
)
def test_column_groups_sites_if_it_has_some_values_that_repeat(values, usable):
    table = pd.DataFrame({"url": SITES[:4], "kind": values})
    found = groupings_of_table(table, None)
    assert list(found) == (["kind (your table)"] if usable else [])
    for groups in found.values():
        assert groups.to_dict() == {site: v for site, v in zip(SITES, values, strict=False) if v}


def test_column_with_many_values_or_of_a_large_table_groups_nothing():
    sites = [f"site-{number}.example" for number in range(40)]
    table = pd.DataFrame({"url": sites, "many": [str(number // 3) for number in range(40)]})
    assert groupings_of_table(table, None) == {}
    assert groupings_of_table(sites, None) == {}
    large = pd.DataFrame({"url": sites * 600, "half": ["a", "b"] * 12_000})
    assert groupings_of_table(large, None) == {}


def test_pasted_table_is_read_with_its_groups(panel):
    run = panel()
    run._sources._text.value = f"Domain\tGroup\n{PAGE}\tours\n{OTHER}\ttheirs\n{THIRD}\tours"
    assert "pasted.csv, column Domain" in text_of(run._sources._named.value)
    run.start()
    assert run.value["audiences"]["target"].tolist() == [PAGE, OTHER, THIRD]
    assert "Group (your table)" in run._shown._report._by.options
    run._sources._text.value = PAGE
    assert run._sources._named.value == ""
    assert run._sources.source == [PAGE]


def test_table_to_begin_with_is_named_too(panel):
    given = panel(f"url;Group\n{PAGE};ours\n{OTHER};theirs")
    assert "pasted.csv, column url" in text_of(given._sources._named.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ("url,kind", False),
        ("url,kind\na.example,x", True),
        ("a.example,b.example\nc.example,d.example", False),
        ("my shop\na.example", False),
    ],
)
def test_pasted_text_is_a_table_where_it_begins_with_titles(text, expected):
    assert is_table(text) is expected


# Looking closer -------------------------------------------------------------------------------------------------------


def toggle(panel, name):
    """Open a tab, in a running loop, and wait for what it began."""

    async def cell():
        panel._shown._tabs.go_to(name)
        await asyncio.gather(*panel._beside.tasks)

    asyncio.run(cell())
    return panel._shown._tabs.opened


def test_run_is_compared_covered_and_segmented_in_tabs_that_are_filled_when_opened(panel):
    run = panel(SITES, ["segment", "categorize_content"])
    run.start()
    tabs = run._shown._tabs
    kinds = {"Compare": "Compare", "Coverage": "CoverageExplorer", "Segment": "SegmentBuilder"}
    for name in kinds:
        assert tabs.children[tabs.names.index(name)].children == ()
    for name, kind in kinds.items():
        opened = toggle(run, name)
        assert type(opened).__name__ == kind
        assert tabs.names[tabs.selected_index] == name
    first = toggle(run, "Coverage")
    assert "of 703" in text_of(first.static_view())
    assert toggle(run, "Segment") is not first
    assert toggle(run, "Coverage") is first


def test_widget_over_the_run_is_of_this_very_run(panel):
    run = panel(SITES[:4])
    run.start()
    opened = toggle(run, "Compare")
    assert opened._frames["audiences"]["target"].tolist() == SITES[:4]


def test_groups_of_the_table_are_compared_in_the_panel_too(panel):
    table = pd.DataFrame({"url": SITES, "Group": ["ours", "theirs"] * 4})
    run = panel(table)
    run.start()
    run._shown._report._by.value = "Group (your table)"
    opened = toggle(run, "Compare")
    assert set(opened.value["group"]) == {"ours", "theirs"}


def test_fresh_run_closes_what_was_open_on_the_earlier_one(panel):
    run = panel(SITES)
    run.start()
    opened = toggle(run, "Segment")
    run._sources._text.value = f"{PAGE}\n{OTHER}"
    run.start()
    assert opened.comm is None
    assert run._shown._tabs.selected_index == 0
    assert toggle(run, "Segment") is not opened


def test_tabs_that_would_show_nothing_are_not_there(panel):
    run = panel([NOWHERE])
    run.start()
    assert titles(run) == ["Failures (1)", "Sites (1)"]
    run._sources._text.value = PAGE
    run.start()
    assert titles(run) == ["Sites (1)", "Coverage", "Segment"]


def test_saved_run_is_opened_again_by_the_words_beside_it(panel, here):
    run = panel([PAGE, OTHER])
    run.start()
    run._shown._report._title.value = "Two sites"
    press(taking(run)._save, run)
    said_of_it = taking(run)._said.value
    assert 'tk.load_run("Two-sites.run.gz")' in text_of(said_of_it)
    again = tk.load_run("Two-sites.run.gz")
    assert again.audiences()["target"].tolist() == [PAGE, OTHER]
    link = re.search(r"download='Two-sites\.run\.gz' href='data:application/gzip;base64,([^']*)'", said_of_it)
    assert base64.b64decode(link[1]) == (here / "Two-sites.run.gz").read_bytes()
    press(taking(run)._save, run)
    assert (here / "Two-sites-2.run.gz").exists()


# Files --------------------------------------------------------------------------------------------------------------


def test_uploaded_csv_is_read_by_its_known_column(panel):
    run = panel()
    upload(run, "sites.csv", f"name,url\nfirst,{PAGE}\nsecond,{OTHER}\n".encode())
    assert run._sources._column.value == "url"
    assert "sites.csv, column url" in text_of(run._sources._named.value)
    assert run._sources._text.layout.display == "none"
    run.start()
    assert run.value["audiences"]["target"].tolist() == [PAGE, OTHER]


def test_unknown_column_is_chosen(panel):
    run = panel()
    upload(run, "crm.csv", f"id;Firma;Homepage\n1;A;{PAGE}\n".encode())
    assert run._sources._column.options == (("id", "id"), ("Firma", "Firma"), ("Homepage", "Homepage"))
    assert run._sources._column.value is None
    assert "choose the column" in text_of(run._sources._named.value)
    run.prepare()
    assert "crm.csv: choose the column" in text_of(run._status.value)
    run._sources._column.value = "Homepage"
    run.prepare()
    assert run.plan.to_send == 1


def test_uploaded_parquet_is_read(panel, tmp_path):
    pd.DataFrame({"n": [1, 2], "domain": [PAGE, OTHER]}).to_parquet(tmp_path / "a.parquet")
    run = panel()
    upload(run, "a.parquet", (tmp_path / "a.parquet").read_bytes())
    assert run._sources._column.value == "domain"
    run.prepare()
    assert run.plan.to_send == 2


def test_removed_file_gives_the_field_back(panel):
    run = panel()
    upload(run, "sites.txt", PAGE.encode())
    run._sources._remove.click()
    assert run._sources._text.layout.display == ""
    assert (run._sources.source, run._sources._upload.value) == ([], ())


def test_uploads_of_the_same_name_are_different_lists(panel):
    run = panel()
    upload(run, "sites.txt", PAGE.encode())
    run.prepare()
    upload(run, "sites.txt", f"{PAGE}\n{OTHER}".encode())
    run.prepare()
    assert run.plan.counts.entries == 2


def test_file_that_is_none_is_said_in_place(panel):
    run = panel()
    upload(run, "sites.csv", b"PK\x03\x04")
    assert "Excel workbook" in text_of(run._sources._named.value)


def test_uploads_are_deleted_with_the_panel(panel):
    run = panel()
    upload(run, "sites.txt", PAGE.encode())
    folder = Path(run._sources._folder)
    assert folder.exists()
    run.close()
    assert not folder.exists()


def test_path_frame_and_long_list_are_named_instead_of_shown(panel, tmp_path):
    (tmp_path / "sites.txt").write_text(f"{PAGE}\n{OTHER}\n")
    for given, name in [
        (tmp_path / "sites.txt", "sites.txt"),
        (pd.DataFrame({"x": [1], "url": [PAGE]}), "DataFrame, column url, 1 rows"),
        ([f"site-{n}.example" for n in range(2000)], "list, 2,000 rows"),
    ]:
        assert name in text_of(panel(given)._sources._named.value)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("sites.csv", "sites.csv"),
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\lists\\a b.csv", "a_b.csv"),
        ("..", "upload.txt"),
        ("<img src=x>.csv", "_img_src_x_.csv"),
        ("a\x00b.csv", "a_b.csv"),
        ("x" * 300 + ".csv", "x" * 76 + ".csv"),
    ],
)
def test_name_of_an_upload_cannot_leave_its_folder(tmp_path, name, kept):
    assert keep_upload(name, b"x", tmp_path / "in") == tmp_path / "in" / kept
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [kept]


def test_upload_that_cannot_be_kept_is_an_input_error(tmp_path):
    (tmp_path / "in").write_text("a file")
    with pytest.raises(InputError, match=r"sites\.csv cannot be kept: .*RunPanel\(targets=…\)"):
        keep_upload("sites.csv", b"x", tmp_path / "in")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", b"\xef\xbb\xbfa,b\n1,2", ["a", "b"]),
        ("a.csv", b"\n\na;b;c\n", ["a", "b", "c"]),
        ("a.tsv", b"a\tb", ["a", "b"]),
        ("a.csv.gz", gzip.compress(b"a,b", mtime=0), ["a", "b"]),
        ("a.csv", "a,b\n".encode("utf-16"), ["a", "b"]),
        ("a.csv", b"", []),
        ("a.csv.gz", b"no gzip", []),
        ("a.parquet", b"no parquet", []),
        ("a.txt", b"a,b", []),
    ],
)
def test_titles_of_columns_are_read_or_none(tmp_path, name, content, expected):
    (tmp_path / name).write_bytes(content)
    assert column_titles(tmp_path / name) == expected


def test_titles_of_a_list_are_none():
    assert column_titles([PAGE]) == []


# Results ------------------------------------------------------------------------------------------------------------


def csv_of(html, name):
    found = re.search(
        rf"<a style='[^']*' download='{name}\.csv' href='data:text/csv;charset=utf-8;base64,([^']*)'", html
    )
    return list(csv.DictReader(io.StringIO(base64.b64decode(found[1]).decode())))


def test_links_save_the_frames_as_csv(panel):
    run = panel([PAGE, NOWHERE])
    run.start()
    rows = csv_of(taking(run).links.value, "audiences")
    assert [row["target"] for row in rows] == [PAGE, NOWHERE]
    assert list(rows[0]) == list(run.value["audiences"].columns)


def test_csv_holds_no_formula():
    rows = csv_of(download_link("codes", pd.DataFrame({"target": ["=1+1", "fine"]})), "codes")
    assert [row["target"] for row in rows] == ["'=1+1", "fine"]


def test_large_frame_is_no_link():
    said = download_link("codes", pd.DataFrame({"target": ["x" * 1000] * 600}))
    assert "too large" in said
    assert "href" not in said


def test_end_of_a_run_is_said_once_its_set_up_is_folded_away(panel):
    run, seen = panel([PAGE]), []
    run._status.observe(lambda change: seen.append((change["new"], run._setup.layout.display)), "value")
    run.start()
    [folded] = [display for said, display in seen if "Finished." in said]
    assert folded == "none"


def test_parquet_is_written_to_a_folder(panel, tmp_path):
    run = panel([PAGE, OTHER])
    run.start()
    taking(run)._folder.value = str(tmp_path / "out")
    press(taking(run)._write, run)
    assert "3 files written" in text_of(taking(run)._said.value)
    assert "Finished." in run._status.value
    assert pd.read_parquet(tmp_path / "out" / "audiences")["target"].tolist() == [PAGE, OTHER]


def test_folder_that_cannot_be_written_is_said_in_place(panel, tmp_path):
    (tmp_path / "out").write_text("a file")
    run = panel(PAGE)
    run.start()
    for folder, said in [(str(tmp_path / "out"), "cannot be written"), (" ", "Name a folder first")]:
        taking(run)._folder.value = folder
        taking(run)._write.click()
        assert said in text_of(taking(run)._said.value)


def test_hostile_targets_stay_text(panel):
    run = panel([f"{HOSTILE}.example", f"{PAGE}/{HOSTILE}", "<script>alert(1)</script>"])
    run.start()
    shown = run.static_view() + run._plan_shown.value + taking(run).links.value
    assert "<img" not in shown
    assert "<script" not in shown
    assert "<script>" in text_of(run.static_view())


def test_hostile_titles_of_columns_stay_text(panel):
    run = panel()
    upload(run, "<img src=x>.csv", f"url,{HOSTILE}\n{PAGE},1".encode())
    assert "<img" not in run._sources._named.value


def test_reason_of_a_stop_is_escaped():
    assert HOSTILE not in summary_line(Progress("stopped", 2, reason=HOSTILE), Counts())


def test_failures_are_told_in_words():
    failure = {"row": 0, "target": HOSTILE, "normal": None, "endpoint": "enrich", "status": None, "error": "no"}
    frame = pd.DataFrame([failure | {"reason": reason_label(None, is_target=False)}])
    html = failures_table(frame)
    assert HOSTILE not in html
    assert HOSTILE in text_of(html)
    assert "Company" in html
    assert "it is no web address: correct it" in html


def test_failures_have_one_row_a_site_and_the_services_words_last(panel):
    run = panel([f"{THIRD}/nopage", NOWHERE, "my shop"], ["segment", "categorize_content"])
    run.start()
    html = failures_table(run.value["failures"])
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(<td>.*?)</tr>", html)]
    assert [row[:2] for row in rows] == [
        [f"{THIRD}/nopage", "the page could not be found: check the spelling"],
        [NOWHERE, "no site answers at this address: check the spelling"],
        ["my shop", "it is no web address: correct it"],
    ]
    assert rows[0][2] == "Audience, Topics of the page"
    assert rows[0][3].startswith("<details>")
    assert rows[0][3].count("(request req_") == 2


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (None, "no answer came: send it again"),
        (401, "the key was not accepted: check it"),
        (410, "the page has too little text: try another page of the site"),
        (411, "the page could not be opened: see whether it opens in a browser without signing in"),
        (418, "the service refused it: see the details"),
        (503, "the service failed: send it again later"),
    ],
)
def test_every_status_has_plain_words(status, words):
    error = "as the service says it"
    failure = {"normal": "kites.example", "status": status, "reason": reason_label(status, error), "error": error}
    assert reason_of(failure) == words


def test_display_without_a_kernel_shows_summary_and_tables(panel):
    run = panel([PAGE, NOWHERE])
    assert "Run this cell" in run._repr_mimebundle_()["text/html"]
    run.start()
    shown = run._repr_mimebundle_()["text/html"]
    assert "<h4>Audience (1)</h4>" in shown
    assert "<h4>Failures (1)</h4>" in shown
    assert "base64" not in shown


# Plain functions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a.example", ["a.example"]),
        ("a.example\r\n\n# note\n a.example ", ["a.example", "a.example"]),
        ("a.example; b.example,c.example", ["a.example", "b.example", "c.example"]),
        ("a.example,\nb.example,", ["a.example", "b.example"]),
        ("my shop\na.example", ["my shop", "a.example"]),
        ("https://a.example/x y", ["https://a.example/x y"]),
        ("https://a.example/x?y=1,2", ["https://a.example/x?y=1,2"]),
    ],
)
def test_pasted_list_is_cut_where_all_parts_are_targets(text, expected):
    assert split_targets(text) == expected


@pytest.mark.parametrize("text", ["1.5", "ten", "²", "-3", "1e3"])
def test_budget_that_is_no_whole_number_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(text)):
        budget_of_text(text)


def test_progress_line_leaves_out_what_is_unknown():
    assert text_of(progress_line(Progress("running", 1_000))).split() == [
        "0",
        "of",
        "1,000",
        "questions",
        "done",
        "·",
        "0",
        "credits",
        "used",
    ]


def test_progress_line_tells_time_in_its_unit():
    lines = [progress_line(Progress("running", 9, rate=0.5, seconds_left=left)) for left in (9, 600, 7200)]
    assert [line.split("about ")[1] for line in lines] == ["9 s left", "10 min left", "2.0 h left"]


def test_summary_of_a_run_that_never_began_says_so():
    assert "it did not begin" in summary_line(Progress("ready", 1), Counts())
