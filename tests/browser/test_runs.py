"""The panel of runs, in JupyterLab in a real browser."""

import re
from pathlib import Path

import pytest

from browser.driving import CUT_OFF, button, paste, shot, unfold, wait_for_text
from browser.whole import Ran, Stored

NOTEBOOK = "02_runs"


@pytest.fixture(scope="module")
def runs(whole):
    return whole


class TestNotebook(Stored, Ran):
    pass


def test_plan_of_a_pasted_list_is_shown_before_anything_is_sent(runs):
    paste(
        runs,
        ["trailhead-outfitters.example/boots", "ledgerline.example/pricing", "ledgerline.example/pricing", "my shop"],
    )
    button(runs, "Plan$").click()
    runs.wait_for_selector(".jp-OutputArea .widget-vbox table >> text=entries", timeout=30_000)
    runs.wait_for_timeout(500)
    shot(runs, "02_runs_plan")
    plan = runs.locator(".jp-OutputArea .widget-vbox table").first.inner_text()
    assert "4 entries: 2 different sites, 1 repeated, 1 is no web address" in plan
    assert runs.evaluate(CUT_OFF) == []


def test_run_shows_its_end_and_the_tables(runs):
    button(runs, "Run$").click()
    runs.wait_for_selector(".jp-OutputArea [role=status] >> text=2 different sites", timeout=60_000)
    runs.wait_for_timeout(800)
    shot(runs, "02_runs_finished")
    said = runs.locator(".jp-OutputArea [role=status]:has(b)").inner_text()
    assert "4 entries: 2 different sites, 1 repeated, 1 is no web address; of the 2: all answered." in said
    names = [re.sub(r" \(.*", "", tab) for tab in runs.get_by_role("tab").filter(visible=True).all_inner_texts()]
    assert {"Sites", "Coverage", "Segment", "Failures"} <= set(names)
    assert "trailhead-outfitters.example/boots" in runs.locator(".tabulator-row:visible").first.inner_text()


@pytest.mark.parametrize("tab", ["Failures", "Sites"])
def test_nothing_of_the_run_panel_is_cut_off(runs, tab):
    runs.get_by_role("tab", name=re.compile(f"^{tab} ")).click()
    runs.wait_for_timeout(300)
    runs.locator(".toolkit-table:visible, .tabulator-row:visible").first.scroll_into_view_if_needed()
    shot(runs, f"02_runs_{tab.lower()}")
    assert runs.evaluate(CUT_OFF) == []


def test_csv_of_a_run_is_saved_by_its_link(runs):
    with runs.expect_download() as download:
        runs.get_by_role("link", name="audiences.csv").click()
    assert download.value.suggested_filename == "audiences.csv"
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("row,target,normal,audience_type")
    assert len(lines) == 5


def test_parquet_is_written_beside_the_notebook(runs):
    button(runs, "Write Parquet").click()
    wait_for_text(runs, "3 files written")
    shot(runs, "02_runs_parquet")
    assert runs.evaluate(CUT_OFF) == []


def test_long_run_is_stopped_and_gone_on_with(runs):
    paste(runs, [f"trailhead-outfitters.example/boots?pair={number}" for number in range(200)])
    runs.get_by_role("textbox", name="Budget").fill("")
    runs.get_by_role("textbox", name="Budget").press("Tab")
    button(runs, "Run$").click()
    wait_for_text(runs, "a second")
    shot(runs, "02_runs_under_way")
    button(runs, "Stop$").click()
    runs.wait_for_selector(".jp-OutputArea [role=status] >> text=Stopped.", timeout=60_000)
    runs.wait_for_timeout(500)
    shot(runs, "02_runs_stopped")
    done = int(re.search(r"(\d+) of 200", runs.locator(".jp-OutputArea [role=status]:has(b)").inner_text())[1])
    assert 0 < done < 200
    assert runs.evaluate(CUT_OFF) == []
    button(runs, "Resume$").click()
    runs.wait_for_selector(".jp-OutputArea [role=status] >> text=Finished.", timeout=120_000)
    assert "200 different sites: all answered" in runs.locator(".jp-OutputArea [role=status]:has(b)").inner_text()
    shot(runs, "02_runs_resumed")


def test_uploaded_table_asks_for_its_column(runs, tmp_path):
    (tmp_path / "customers.csv").write_text(
        "id,shop,homepage\n1,Boots,trailhead-outfitters.example\n", encoding="utf-8"
    )
    unfold(runs)
    with runs.expect_file_chooser() as chooser:
        button(runs, "Upload").click()
    chooser.value.set_files(tmp_path / "customers.csv")
    wait_for_text(runs, "customers.csv: choose the column")
    runs.wait_for_timeout(300)
    shot(runs, "02_runs_upload")
    runs.get_by_role("combobox", name="Column").select_option(label="homepage")
    wait_for_text(runs, "customers.csv, column homepage")
    button(runs, "Run$").click()
    runs.wait_for_selector(".jp-OutputArea [role=status]:has-text('Finished. 1 site: answered')", timeout=60_000)
    runs.wait_for_timeout(500)
    shot(runs, "02_runs_uploaded")
    assert runs.evaluate(CUT_OFF) == []


def test_runs_ask_nothing_of_any_other_host(runs):
    assert runs.outside == []
    assert runs.failures == []
