"""The panel keeps its runs by name: they are found again, opened, renamed and deleted, and the set-up folds away."""

import asyncio
import re

import pandas as pd
import pytest
from paying import Paid

import toolkit as tk
from toolkit.widgets import RunPanel

SITES = ["torque-journal.example", "ledgerline.example", "nowhere.example"]


@pytest.fixture
def paid():
    return Paid()


@pytest.fixture
def panel(client):
    """A panel as a cell makes it, with what it does beside the kernel done."""
    made = []

    def paneled(*given, using=client, **how):
        async def cell():
            made.append(RunPanel(using, *given, **how))
            await asyncio.gather(*made[-1]._beside.tasks)

        asyncio.run(cell())
        return made[-1]

    yield paneled
    for one in made:
        one.close()


def press(button, panel):
    async def cell():
        button.click()
        await asyncio.gather(*panel._beside.tasks)

    asyncio.run(cell())


def told(panel):
    return re.sub(r"<[^>]*>", "", panel._told.value)


def test_after_a_run_the_set_up_folds_into_a_line_and_change_brings_it_back(panel):
    run = panel(SITES, name="spring-plan")
    assert (run._folded.layout.display, run._setup.layout.display) == ("none", None)
    press(run._run_button, run)
    assert (run._folded.layout.display, run._setup.layout.display) == ("", "none")
    assert told(run) == "Audience · kept in spring-plan, 2 answers, 2 credits"
    run._change.click()
    assert (run._folded.layout.display, run._setup.layout.display) == ("none", "")


def test_the_same_cell_in_another_kernel_shows_the_same_run_and_asks_nothing(panel, paid):
    with paid.client() as client:
        first = panel(["a.example", "b.example"], using=client)
        first.start()
        name, asked = first.run.name, list(paid.asked)
        first.close()
    with paid.client() as client:
        again = panel(["a.example", "b.example"], using=client)
        assert again.run.name == name
        assert again.value["audiences"]["status"].tolist() == [200, 200]
        assert again._setup.layout.display == "none"
        named = panel(name=name, using=client)
        assert named._sources._text.value == "a.example\nb.example"
        assert named.value["audiences"]["status"].tolist() == [200, 200]
        other = panel(["a.example"], using=client)
        assert (other.run is None or other.run.name is None, other.value) == (True, {})
    assert paid.asked == asked


def test_a_stopped_run_is_opened_and_resumed(panel, paid):
    with paid.client() as client:
        first = panel([f"site-{number}.example" for number in range(5)], using=client, budget=2, name="spring")
        first.start()
        first.close()
    with paid.client() as client:
        run = panel(using=client)
        labels = [label for label, name in run._chooser._choice.options if name == "spring"]
        assert "5 sites · stopped, 2 of 5 answers, 2 credits" in labels[0]
        run._chooser._choice.value = "spring"
        press(run._chooser._open, run)
        assert run._run_button.description == "Resume"
        assert run._setup.layout.display == ""
        press(run._run_button, run)
        assert told(run).endswith("kept in spring, 5 answers, 5 credits")
    assert len(paid.asked) == len(set(paid.asked)) == 5


def test_a_run_is_opened_with_its_questions_and_its_table(panel, client):
    table = pd.DataFrame({"Shop": ["A", "B"], "url": SITES[:2]})
    with client.run(table, ["enrich"], name="shops") as run:
        run.start(progress=False)
    shown = panel()
    shown.open_run("shops")
    assert shown.ask == ["enrich"]
    assert shown.run.table["Shop"].tolist() == ["A", "B"]
    assert "shops" in shown._sources._named.value


def test_a_changed_list_is_another_run_with_a_name_of_its_own(panel):
    run = panel(SITES[:2], name="spring")
    press(run._run_button, run)
    again = panel(name="spring")
    again._sources._text.value = SITES[0]
    assert again._name.value == ""
    press(again._run_button, again)
    assert "spring" in tk.runs()
    assert len(tk.runs()) == 2


def test_a_name_that_is_taken_or_none_is_told_in_place(panel):
    press((run := panel(SITES, name="spring"))._run_button, run)
    other = panel(SITES[:1])
    other._name.value = "spring"
    press(other._run_button, other)
    assert "Choose another name" in other._status.value
    other._name.value = "a/b"
    press(other._run_button, other)
    assert "cannot be the name of a run" in other._status.value


def test_a_run_is_renamed_and_after_a_question_deleted(panel):
    run = panel(SITES, name="spring")
    press(run._run_button, run)
    chooser = run._chooser
    assert chooser._choice.value == "spring"
    chooser._rename.click()
    chooser._name.value = "summer"
    press(chooser._do_rename, run)
    assert list(tk.runs()) == ["summer"]
    assert "kept in summer" in told(run)
    chooser._delete.click()
    assert list(tk.runs()) == ["summer"]
    assert "Delete <b>summer</b>" in chooser._question.value
    chooser._do_delete.click()
    assert list(tk.runs()) == []
    assert run._shown.layout.display == "none"
    assert run.run is None


def test_a_run_that_another_kernel_has_begun_is_told_clearly(panel, client):
    with client.run(SITES, name="spring") as run:
        run.plan()
        run._journal.begin(run._budget, run._windows())
        other = panel(SITES, name="spring")
        press(other._run_button, other)
        assert "under way already in process" in other._status.value
        run._journal.let_go(reason="stopped")


def test_an_untrusted_notebook_is_named_with_what_mends_it(panel):
    assert "Trust Notebook" in panel()._repr_mimebundle_()["text/html"]
