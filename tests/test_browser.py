"""JupyterLab in a real browser, opened by ``toolkit lab`` as a user would open it."""

import io
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import toolkit as tk

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
SHOTS = os.environ.get("SCREENSHOTS")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RUN_ALL = """async (name) => {
  const app = window.jupyterapp;
  const find = () => [...app.shell.widgets('main')].find(w => w.context && w.context.path.endsWith(name));
  for (let i = 0; i < 600; i++) {
    const panel = find();
    const kernel = panel && panel.sessionContext.session && panel.sessionContext.session.kernel;
    if (panel && panel.context.isReady && panel.sessionContext.isReady && kernel && kernel.status === 'idle') { break; }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  const panel = find();
  await panel.sessionContext.session.kernel.info;
  await app.commands.execute('notebook:run-all-cells');
  return panel.content.widgets.filter(c => c.model.type === 'code').map(c => c.model.executionCount);
}"""

#: What is wider than its place, or reaches beyond the right edge of the widget.
CUT_OFF = """() => {
  const widget = document.querySelector('.jp-OutputArea .widget-vbox');
  const edge = widget.parentElement.getBoundingClientRect().right;
  const shown = [...widget.querySelectorAll('*')].filter(e => e.offsetParent !== null && !e.closest('.js-plotly-plot'));
  const wide = e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible';
  const cut = shown.filter(e => e.getBoundingClientRect().right > edge + 0.5 || wide(e));
  return cut.map(e => `${e.tagName}.${e.className} ${e.scrollWidth} > ${e.clientWidth}`);
}"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: install it to run the browser tests"),
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """``toolkit lab`` in an empty folder with a home of its own; yields its address."""
    home = tmp_path_factory.mktemp("lab")
    shutil.copytree(NOTEBOOKS, home / "notebooks")
    settings = home / "settings"
    tracker = settings / "@jupyterlab" / "notebook-extension"
    tracker.mkdir(parents=True)
    # By default cells outside the window are not in the page, and a test could not find them.
    (tracker / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "TOOLKIT_"))},
        "HOME": str(home),
        "PYTHONPATH": str(NOTEBOOKS.parent),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    command = [
        sys.executable,
        "-c",
        "import sys; from toolkit.cli.main import main; sys.exit(main())",
        "lab",
        "--no-browser",
    ]
    options = ["--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=token", "--expose-app-in-browser"]
    log = home / "lab.log"
    with log.open("w") as output:
        process = subprocess.Popen([*command, *options], cwd=home, env=environment, stdout=output, stderr=output)
        try:
            yield wait_for_address(process, log)
        finally:
            process.terminate()
            process.wait(20)


def wait_for_address(process, log):
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if found := re.search(r"http://127\.0\.0\.1:\d+/lab/tree/\S+", log.read_text()):
            return found[0].split("?")[0]
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()}")


@pytest.fixture(scope="module")
def page(lab):
    """The page that ``toolkit lab`` opens, with every cell run."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.outside = []
        page.failures = []
        page.on("request", lambda request: note_outside(page, request.url))
        page.on("pageerror", lambda error: page.failures.append(str(error)))
        page.goto(f"{lab}?token=token")
        page.wait_for_selector(".jp-Notebook", timeout=60_000)
        page.counts = page.evaluate(RUN_ALL, "01_lookup.ipynb")
        yield page
        browser.close()


def note_outside(page, url):
    if not url.startswith(("http://127.0.0.1", "http://localhost", "ws://127.0.0.1", "data:", "blob:")):
        page.outside.append(url)


def shot(page, name):
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def look_up(page, text):
    field = page.locator(".toolkit-lookup-targets textarea")
    field.scroll_into_view_if_needed()
    field.fill(text)
    field.press("Tab")
    page.get_by_role("button", name="Look up").click()


def test_the_starter_notebook_is_what_opens(lab):
    assert lab.endswith("/lab/tree/notebooks/01_lookup.ipynb")


def test_no_pop_up_is_in_the_way(page):
    page.wait_for_timeout(1500)
    assert page.locator(".jp-Dialog").count() == 0
    assert page.locator(".Toastify__toast, .jp-toast").count() == 0


def test_every_cell_ran_without_an_error(page):
    shot(page, "01_lookup_run")
    assert page.counts == list(range(1, len(page.counts) + 1))
    assert page.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.error']").count() == 0


def test_the_figure_of_the_plain_cells_is_drawn(page):
    assert page.locator(".jp-OutputArea .js-plotly-plot .bars path").count() > 3


def test_typing_a_url_and_pressing_the_button_shows_the_answer(page):
    look_up(page, "https://clearwater-bank.example/mortgages")
    widget = page.locator(".jp-OutputArea .widget-vbox").first
    page.wait_for_selector(".jp-OutputArea >> text=1 target", timeout=30_000)
    page.wait_for_selector(".jp-OutputArea .toolkit-table >> text=clearwater-bank.example/mortgages", timeout=30_000)
    page.wait_for_timeout(800)
    shot(page, "01_lookup_answer")
    assert "Personal Finance" in widget.locator(".gtitle").first.text_content()
    assert widget.locator(".js-plotly-plot .bars path").count() >= 1


def test_codes_stand_on_their_tab_in_plain_words(page):
    table = page.locator(".jp-OutputArea .toolkit-table:visible").first
    table.scroll_into_view_if_needed()
    shot(page, "01_lookup_audience")
    page.get_by_role("tab", name="Codes").click()
    assert "PI.FINANCE_AND_INSURANCE" in table.inner_text()
    assert "Purchase intent" in table.inner_text()
    table.scroll_into_view_if_needed()
    shot(page, "01_lookup_codes")


@pytest.mark.parametrize("tab", ["Audience", "Codes", "Categories"])
def test_nothing_of_the_widget_is_cut_off(page, tab):
    page.get_by_role("tab", name=tab, exact=True).click()
    page.wait_for_timeout(300)
    assert page.evaluate(CUT_OFF) == []


def test_long_target_does_not_widen_the_table(page):
    target = f"torque-journal.example/?{'campaign=spring-sale&' * 8}"
    look_up(page, target)
    page.wait_for_selector(f".jp-OutputArea .toolkit-table >> text={target[:40]}", timeout=30_000)
    page.wait_for_timeout(800)
    shot(page, "01_lookup_long")
    assert page.evaluate(CUT_OFF) == []


def test_a_failure_is_said_in_place(page):
    look_up(page, "harvest-table.example nowhere.example")
    page.wait_for_selector(".jp-OutputArea [role=alert] >> text=nowhere.example", timeout=30_000)
    page.wait_for_timeout(800)
    shot(page, "01_lookup_failure")
    assert "could not be fetched" in page.locator(".jp-OutputArea [role=alert]").first.inner_text()


def test_history_brings_an_earlier_lookup_back(page):
    history = page.locator(".jp-OutputArea .widget-dropdown select").first
    labels = history.locator("option").all_inner_texts()
    history.select_option(label=next(label for label in labels if "clearwater-bank.example/mortgages" in label))
    page.wait_for_selector(".jp-OutputArea .toolkit-table >> text=clearwater-bank.example/mortgages", timeout=15_000)


def test_why_marks_the_words_that_spoke_for_an_answer_in_the_text(page):
    page.locator(
        ".jp-OutputArea .jupyter-widget-Collapse-header, .jp-OutputArea .jupyter-widget-Accordion-child"
    ).get_by_text("Why?", exact=True).first.click()
    page.get_by_role("button", name="Why?").click()
    page.wait_for_selector(".jp-OutputArea mark", timeout=30_000)
    page.locator(".jp-OutputArea mark").first.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    shot(page, "01_lookup_why")
    assert "mortgage" in " ".join(page.locator(".jp-OutputArea mark").all_inner_texts()).lower()
    assert page.evaluate(CUT_OFF) == []


def test_hostile_markup_of_a_page_stays_text(page):
    look_up(page, "mischief-markup.example")
    page.wait_for_selector(".jp-OutputArea .toolkit-table >> text=mischief-markup.example", timeout=30_000)
    assert (
        page.evaluate("document.querySelectorAll('.jp-OutputArea img[onerror], .jp-OutputArea svg[onload]').length")
        == 0
    )


def test_charts_have_no_upload_button(page):
    assert page.locator("[data-title*='Share'], [data-title*='loud']").count() == 0


def test_nothing_is_asked_of_any_other_host(page):
    assert page.outside == []
    assert page.failures == []


# Runs ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opened(page, lab):
    """Give a notebook by its name in a page of its own, with every cell run; each is opened once."""
    pages = {}

    def opening(name):
        if name in pages:
            return pages[name]
        other = page.context.browser.new_page(viewport={"width": 1280, "height": 1000}, accept_downloads=True)
        other.outside = []
        other.failures = []
        other.on("request", lambda request: note_outside(other, request.url))
        other.on("pageerror", lambda error: other.failures.append(str(error)))
        other.goto(f"{lab.rpartition('/')[0]}/{name}.ipynb?token=token&reset")
        other.wait_for_selector(".jp-Notebook", timeout=60_000)
        other.counts = other.evaluate(RUN_ALL, f"{name}.ipynb")
        other.name = name
        return pages.setdefault(name, other)

    return opening


@pytest.fixture(scope="module")
def runs(opened):
    """The notebook of runs, with every cell run."""
    return opened("02_runs")


def paste(runs, targets):
    field = runs.locator(".toolkit-run-targets textarea")
    field.scroll_into_view_if_needed()
    field.fill("\n".join(targets))
    field.press("Tab")


def button(runs, label):
    # By its text, as the icon is a character of its name.
    return runs.locator(".jp-OutputArea button.jupyter-button", has_text=re.compile(rf"^\W*{label}"))


def wait_for_text(runs, text, seconds=60):
    runs.wait_for_selector(f".jp-OutputArea .widget-vbox >> text={text}", timeout=1000 * seconds)


def test_every_cell_of_the_runs_ran_without_an_error(runs):
    shot(runs, "02_runs_run")
    assert runs.counts == list(range(1, len(runs.counts) + 1))
    assert runs.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.error']").count() == 0


def test_plan_of_a_pasted_list_is_shown_before_anything_is_sent(runs):
    paste(
        runs,
        ["trailhead-outfitters.example/boots", "ledgerline.example/pricing", "ledgerline.example/pricing", "my shop"],
    )
    button(runs, "Plan$").click()
    runs.wait_for_selector(".jp-OutputArea .widget-vbox table >> text=duplicates", timeout=30_000)
    runs.wait_for_timeout(500)
    shot(runs, "02_runs_plan")
    plan = runs.locator(".jp-OutputArea .widget-vbox table").first.inner_text()
    assert re.search(r"rows\s+4\s+duplicates\s+1\s+no target\s+1", plan)
    assert runs.evaluate(CUT_OFF) == []


def test_run_shows_its_end_and_the_tables(runs):
    button(runs, "Run$").click()
    runs.wait_for_selector(".jp-OutputArea [role=status] >> text=3 different sites", timeout=60_000)
    runs.wait_for_timeout(800)
    shot(runs, "02_runs_finished")
    said = runs.locator(".jp-OutputArea [role=status]:has(b)").inner_text()
    assert "3 different sites (1 duplicate): 2 answered, 1 not." in said
    assert "2 of 2 questions done" in said
    assert "trailhead-outfitters.example/boots" in runs.locator(".toolkit-table:visible").first.inner_text()


@pytest.mark.parametrize("tab", ["Codes", "Failures", "Audience"])
def test_nothing_of_the_run_panel_is_cut_off(runs, tab):
    runs.get_by_role("tab", name=re.compile(f"^{tab} ")).click()
    runs.wait_for_timeout(300)
    runs.locator(".toolkit-table:visible").first.scroll_into_view_if_needed()
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
    assert "200 of 200" in runs.locator(".jp-OutputArea [role=status]:has(b)").inner_text()
    shot(runs, "02_runs_resumed")


def test_uploaded_table_asks_for_its_column(runs, tmp_path):
    (tmp_path / "customers.csv").write_text(
        "id,shop,homepage\n1,Boots,trailhead-outfitters.example\n", encoding="utf-8"
    )
    with runs.expect_file_chooser() as chooser:
        button(runs, "Upload").click()
    chooser.value.set_files(tmp_path / "customers.csv")
    wait_for_text(runs, "customers.csv: choose the column")
    runs.wait_for_timeout(300)
    shot(runs, "02_runs_upload")
    runs.locator(".jp-OutputArea .widget-dropdown select").first.select_option(label="homepage")
    wait_for_text(runs, "customers.csv, column homepage")
    button(runs, "Run$").click()
    runs.wait_for_selector(".jp-OutputArea [role=status] >> text=1 of 1", timeout=60_000)
    runs.wait_for_timeout(500)
    shot(runs, "02_runs_uploaded")
    assert runs.evaluate(CUT_OFF) == []


def test_runs_ask_nothing_of_any_other_host(runs):
    assert runs.outside == []
    assert runs.failures == []


# Findings -----------------------------------------------------------------------------------------------------------

#: Height and width of each chart that is drawn, and how much is in it.
DRAWN = """() => [...document.querySelectorAll('.jp-OutputArea .js-plotly-plot')].map(plot => {
  const box = plot.getBoundingClientRect();
  const marks = plot.querySelectorAll('.main-svg path, .main-svg rect.cell, .main-svg text').length;
  return [box.width, box.height, marks];
})"""
#: Texts of charts that reach beyond the picture.
BEYOND = """() => [...document.querySelectorAll('.jp-OutputArea .js-plotly-plot')].flatMap(plot => {
  const box = plot.getBoundingClientRect();
  const texts = [...plot.querySelectorAll('.main-svg text')].filter(e => e.textContent.trim() && e.getBBox().width > 0);
  const out = texts.filter(text => {
    const place = text.getBoundingClientRect();
    const seen = getComputedStyle(text).opacity !== '0' && place.width > 0;
    return seen && (place.left < box.left - 1 || place.right > box.right + 1 || place.bottom > box.bottom + 1);
  });
  return out.map(text => text.textContent);
})"""
FINDINGS = {"03_compare": 7, "04_coverage": 6, "05_segments": 0, "06_report": 0}


@pytest.fixture(scope="module", params=list(FINDINGS))
def finding(request, opened):
    """A notebook of findings, with every cell run."""
    other = opened(request.param)
    other.wait_for_timeout(1500)
    return other


def test_every_cell_of_a_finding_ran_without_an_error(finding):
    assert finding.counts == list(range(1, len(finding.counts) + 1))
    assert finding.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.error']").count() == 0


def test_every_chart_of_a_finding_is_drawn_with_its_texts_inside(finding):
    drawn = finding.evaluate(DRAWN)
    assert len(drawn) >= FINDINGS[finding.name]
    for number, (width, height, marks) in enumerate(drawn):
        chart = finding.locator(".jp-OutputArea .js-plotly-plot").nth(number)
        chart.scroll_into_view_if_needed()
        shot(finding, f"{finding.name}_{number}")
        assert width > 500
        assert height > 150
        assert marks > 10
    assert finding.evaluate(BEYOND) == []


def test_nothing_of_a_widget_over_findings_is_cut_off(finding):
    finding.locator(".jp-OutputArea .widget-vbox").first.scroll_into_view_if_needed()
    finding.wait_for_timeout(300)
    shot(finding, f"{finding.name}_widget")
    assert finding.evaluate(CUT_OFF) == []


def test_findings_ask_nothing_of_any_other_host(finding):
    assert finding.outside == []
    assert finding.failures == []


@pytest.fixture(scope="module")
def comparison(opened):
    return opened("03_compare")


def test_dimension_is_changed_by_the_keyboard_alone(comparison):
    chooser = comparison.locator(".jp-OutputArea .widget-dropdown select").nth(2)
    chooser.scroll_into_view_if_needed()
    chooser.focus()
    comparison.keyboard.press("ArrowDown")
    comparison.keyboard.press("Tab")
    wait_for_text(comparison, "Edible")
    comparison.wait_for_timeout(1500)
    shot(comparison, "03_compare_intent")
    assert chooser.input_value() == "Purchase intent"
    assert comparison.evaluate(CUT_OFF) == []


def test_pasted_lists_are_compared_while_one_types_and_the_focus_stays(comparison):
    area = comparison.locator(".jp-OutputArea .widget-vbox").first
    area.locator("select").first.select_option("Lists that I paste")
    wait_for_text(comparison, "Paste at least two lists")
    boxes = area.locator("textarea:visible:enabled")
    boxes.nth(0).click()
    comparison.keyboard.insert_text("trailhead-outfitters.example\ncampfire-rv.example\npeakcycle.example")
    comparison.keyboard.press("Tab")
    comparison.keyboard.press("Tab")
    comparison.keyboard.type("ledgerline.example\nfairway-club.example\nelsewhere.example")
    wait_for_text(comparison, "(elsewhere.example)")
    comparison.wait_for_timeout(1500)
    shot(comparison, "03_compare_pasted")
    focused = "() => document.activeElement.closest('.widget-textarea, .widget-dropdown').innerText.split('\\n')[0]"
    assert boxes.nth(1).evaluate("box => box === document.activeElement")
    comparison.keyboard.type("\ncampfire")
    assert boxes.nth(1).input_value().endswith("elsewhere.example\ncampfire")
    comparison.keyboard.press("Tab")
    assert comparison.evaluate(focused) == "against"
    against = area.locator("select").nth(1)
    assert against.evaluate("list => [...list.options].map(option => option.text.replace(/\\s/g, ' '))") == [
        "Ours",
        "Theirs",
        "All sites of the run",
        "All other sites of the run",
    ]
    assert against.evaluate("list => list.selectedOptions[0].text") == "Theirs"
    assert comparison.evaluate(CUT_OFF) == []


def test_verdict_that_an_interval_seems_to_contradict_is_explained(comparison):
    area = comparison.locator(".jp-OutputArea .widget-vbox").first
    area.locator("select").first.select_option("Income level")
    area.locator("select").nth(2).select_option("Interest")
    wait_for_text(comparison, "A verdict allows for the number of comparisons")
    comparison.wait_for_timeout(1500)
    cell = area.get_by_text("not certain once").first
    shot(comparison, "03_compare_groups")
    cell.scroll_into_view_if_needed()
    shot(comparison, "03_compare_doubt")
    assert area.locator(".toolkit-table td", has_text="upper_middle").count() == 0
    assert area.locator(".toolkit-table td", has_text="Upper middle income").count() > 0
    assert comparison.evaluate(CUT_OFF) == []
    assert comparison.evaluate(BEYOND) == []


@pytest.fixture(scope="module")
def explorer(opened):
    return opened("04_coverage")


def test_branches_of_a_taxonomy_are_gone_into_by_the_keyboard_alone(explorer):
    area = explorer.locator(".jp-OutputArea .widget-vbox").first
    taxonomy = area.locator("select").first
    taxonomy.scroll_into_view_if_needed()
    taxonomy.focus()
    explorer.keyboard.press("Tab")
    for _ in range(10):
        explorer.keyboard.press("ArrowRight")
    seen = tk.sample_run().coverage("content-v3", threshold=0.5)["seen"].sum()
    wait_for_text(explorer, f"{seen} of 703 categories seen")
    explorer.keyboard.press("Tab")
    explorer.keyboard.press("Tab")
    explorer.keyboard.type("Travel")
    wait_for_text(explorer, "in Travel seen")
    explorer.keyboard.press("Tab")
    explorer.keyboard.press("ArrowDown")
    wait_for_text(explorer, "in Travel > Travel Type seen")
    explorer.wait_for_timeout(1500)
    shot(explorer, "04_coverage_inside")
    assert explorer.evaluate(CUT_OFF) == []
    assert explorer.evaluate(BEYOND) == []


@pytest.fixture(scope="module")
def builder(opened):
    return opened("05_segments")


#: The chosen entry of the tree as a screen reader tells of it, and how many entries are shown.
CHOSEN = """() => {
  const tree = document.querySelector('.jp-OutputArea [role=tree]');
  const item = document.getElementById(tree.getAttribute('aria-activedescendant'));
  const told = ['label', 'level', 'posinset', 'setsize', 'selected', 'expanded'];
  const found = Object.fromEntries(told.map(name => [name, item.getAttribute(`aria-${name}`)]));
  return {...found, has_focus: document.activeElement === tree, shown: tree.querySelectorAll('[role=treeitem]').length};
}"""


def pressed(page, *keys):
    """Press keys and return what is chosen then."""
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    return page.evaluate(CHOSEN)


def cleared(builder):
    """The widget without a text and a search, its tree closed, scrolled to."""
    area = builder.locator(".jp-OutputArea .widget-vbox").first
    area.scroll_into_view_if_needed()
    text = area.locator("textarea").first
    text.fill("")
    text.press("Tab")
    area.get_by_placeholder("Search: ").fill("")
    wait_for_text(builder, "Choose a code")
    builder.wait_for_timeout(500)
    opened = area.locator("[aria-level='1'][aria-expanded='true'] .toolkit-tree-mark")
    while opened.count():
        opened.first.click()
        builder.wait_for_timeout(100)
    return area


def test_segment_is_clicked_together(builder):
    area = cleared(builder)
    area.get_by_placeholder("Search: ").fill("int.travel.camping")
    area.get_by_role("treeitem", name="Camping").click()
    button(builder, "and has$").click()
    wait_for_text(builder, "sites match")
    builder.wait_for_timeout(300)
    shot(builder, "05_segments_clicked")
    assert area.locator("textarea").first.input_value() == "INT.TRAVEL.CAMPING"
    assert "matches" in area.locator(".toolkit-table").inner_text()
    assert builder.evaluate(CUT_OFF) == []


def test_segment_is_built_by_the_keyboard_alone(builder):
    area = cleared(builder)
    area.get_by_placeholder("Search: ").focus()
    builder.keyboard.type("golf")
    area.get_by_role("tree", name="4 found").wait_for()
    builder.keyboard.press("Tab")
    builder.keyboard.press("Tab")
    first = builder.evaluate(CHOSEN)
    assert (first["label"], first["level"], first["has_focus"]) == ("Golf, 1 site", "3", True)
    builder.keyboard.press("Tab")
    builder.keyboard.press("Enter")
    wait_for_text(builder, "1 of 62 sites match")
    builder.keyboard.press("Shift+Tab")
    assert pressed(builder, "ArrowDown", "ArrowDown")["label"] == "Golf Players, 1 site"
    builder.keyboard.press("Tab")
    builder.keyboard.press("Tab")
    builder.keyboard.press("Space")
    builder.wait_for_timeout(1000)
    assert area.locator("textarea").first.input_value() == 'INT.SPORTS.GOLF or persona = "Golf Players"'
    shot(builder, "05_segments_keys")


def test_branches_fold_by_the_keyboard_and_the_notebook_keeps_out_of_it(builder):
    run = tk.sample_run()
    codes, categories = run.codes(), run.categories()
    interests = codes[codes["dimension"].isin(["interest_group", "interest"])]
    filtering = categories[categories["taxonomy"] == "filtering"]
    area = cleared(builder)
    cells = builder.locator(".jp-Cell").count()
    area.get_by_role("tree").focus()
    top = pressed(builder, "Home")
    assert (top["label"], top["posinset"], top["setsize"], top["expanded"]) == (
        f"Interests, {interests['target'].nunique()} sites",
        "1",
        "7",
        "false",
    )
    assert top["shown"] == 7
    assert pressed(builder, "Enter")["expanded"] == "true"
    assert pressed(builder, "ArrowLeft")["expanded"] == "false"
    assert pressed(builder, "ArrowRight")["shown"] > 20
    inside = pressed(builder, "ArrowRight")
    assert (inside["label"], inside["level"], inside["expanded"]) == ("Academic Interests, 1 site", "2", "false")
    assert pressed(builder, "ArrowRight", "ArrowRight")["label"] == "Physical Science and Engineering, 1 site"
    assert pressed(builder, "ArrowLeft", "ArrowLeft")["expanded"] == "false"
    # Each of these would do something to a cell: go on, add, cut, delete.
    assert pressed(builder, "j")["has_focus"]
    assert pressed(builder, "a")["has_focus"]
    builder.wait_for_timeout(800)
    assert pressed(builder, "x")["has_focus"]
    assert pressed(builder, "d", "d")["has_focus"]
    assert pressed(builder, "End")["label"] == f"Web-filtering categories, {filtering['target'].nunique()} sites"
    assert builder.locator(".jp-Cell").count() == cells


def test_branches_fold_by_the_mouse(builder):
    area = cleared(builder)
    item = area.get_by_role("treeitem", name="Personas")
    item.locator(".toolkit-tree-mark").click()
    builder.wait_for_timeout(200)
    assert item.get_attribute("aria-expanded") == "true"
    item.dblclick()
    builder.wait_for_timeout(200)
    assert item.get_attribute("aria-expanded") == "false"
    assert builder.evaluate(CHOSEN)["label"].startswith("Personas")


def test_branches_of_the_whole_vocabulary_are_opened_at_once(builder):
    area = cleared(builder)
    area.get_by_text("only what sites of the run have").click()
    builder.wait_for_timeout(1500)
    area.get_by_role("tree").focus()
    builder.keyboard.press("Home")
    start = time.monotonic()
    builder.keyboard.press("*")
    builder.keyboard.press("ArrowDown")
    builder.keyboard.press("*")
    assert pressed(builder, "End")["label"] == "Web Hosting, 1 site"
    assert time.monotonic() - start < 3
    assert builder.evaluate(CHOSEN)["shown"] > 500
    assert builder.evaluate(CUT_OFF) == []


def test_sites_of_a_segment_are_planned(builder):
    area = cleared(builder)
    text = area.locator("textarea").first
    text.fill("INT.SPORTS.* and income_level >= middle")
    text.press("Tab")
    wait_for_text(builder, "of 62 sites match")
    button(builder, "Plan sites$").click()
    wait_for_text(builder, "A site is taken for the codes it adds")
    builder.wait_for_timeout(300)
    area.get_by_label("most sites").scroll_into_view_if_needed()
    area.locator(".toolkit-table").nth(1).scroll_into_view_if_needed()
    shot(builder, "05_segments_plan")
    assert area.locator(".toolkit-table").nth(1).locator("tbody tr").count() == 5
    assert builder.evaluate(CUT_OFF) == []


def test_exported_segment_is_saved_by_its_link_and_what_matches_stays(builder):
    area = cleared(builder)
    text = area.locator("textarea").first
    text.fill("INT.SPORTS.*")
    text.press("Tab")
    wait_for_text(builder, "of 62 sites match")
    file = area.get_by_label("File")
    file.fill("segment.xlsx")
    file.press("Tab")
    button(builder, "Export$").click()
    with builder.expect_download() as download:
        builder.get_by_role("link", name="segment.xlsx").click()
    assert Path(download.value.path()).read_bytes().startswith(b"PK")
    shot(builder, "05_segments_exported")
    assert area.get_by_text("of 62 sites match").is_visible()
    assert area.get_by_text("Working it out").count() == 0
    text.fill("INT.TRAVEL.*")
    text.press("Tab")
    builder.get_by_role("link", name="segment.xlsx").wait_for(state="detached")
    assert builder.evaluate(CUT_OFF) == []


def test_ordered_band_is_asked_for_with_those_above(builder):
    area = cleared(builder)
    area.get_by_placeholder("Search: ").fill("upper middle income")
    area.get_by_role("treeitem", name="Upper middle income").click()
    button(builder, "at least$").click()
    wait_for_text(builder, "In words: income level is at least Upper middle income.")
    shot(builder, "05_segments_band")
    assert area.locator("textarea").first.input_value() == "income_level >= upper_middle"
    assert builder.evaluate(CUT_OFF) == []


@pytest.fixture(scope="module")
def reporter(opened):
    return opened("06_report")


#: What is chosen by the keyboard: in the panel or not, and its words.
FOCUS = """() => {
  const focused = document.activeElement;
  return [Boolean(focused.closest('.jp-OutputArea .toolkit-keys')), focused.textContent.trim()];
}"""


def words_of_deck(path):
    from pptx import Presentation

    slides = Presentation(path).slides
    return [shape.text_frame.text for slide in slides for shape in slide.shapes if shape.has_text_frame]


def test_pasted_table_of_thirty_becomes_a_deck_of_groups_by_the_keyboard(reporter):
    from toolkit.service.samples import sample_sites

    hosts = [site.host for site in sample_sites()][:30]
    rows = [f"{host}\t{'ours' if place % 2 else 'theirs'}" for place, host in enumerate(hosts)]
    paste(reporter, ["Domain\tGroup", *rows])
    wait_for_text(reporter, "pasted.csv, column Domain")
    button(reporter, "Run$").focus()
    reporter.keyboard.press("Enter")
    wait_for_text(reporter, "30 sites")
    assert reporter.evaluate(FOCUS)[0]
    reporter.wait_for_selector(".jp-OutputArea [role=status] >> text=Finished.", timeout=120_000)
    reporter.wait_for_timeout(500)
    shot(reporter, "06_report_run")
    assert reporter.evaluate(FOCUS) == [True, "Run"]
    reporter.get_by_label("Title").fill("Thirty sites: Q3 / travel?")
    reporter.get_by_label("Compare by").select_option(label="Group (your table)")
    button(reporter, "Make report$").focus()
    reporter.keyboard.press("Enter")
    wait_for_text(reporter, "Writing the report")
    assert reporter.evaluate(FOCUS)[0]
    wait_for_text(reporter, "The report is in", seconds=120)
    reporter.wait_for_timeout(300)
    shot(reporter, "06_report_made")
    assert reporter.evaluate(FOCUS) == [True, "Make report"]
    assert reporter.evaluate(CUT_OFF) == []
    with reporter.expect_download() as download:
        reporter.get_by_role("link", name="Thirty-sites-Q3-travel.pptx").click()
    assert download.value.suggested_filename == "Thirty-sites-Q3-travel.pptx"
    words = words_of_deck(download.value.path())
    assert "Thirty sites: Q3 / travel?" in words
    assert any("30" in text for text in words)
    assert any("No proven difference is told of: ours and theirs." in text for text in words)


def sheets_of(page, name):
    """Save a workbook by its link, and return the names of its sheets."""
    import openpyxl

    with page.expect_download() as download:
        page.get_by_role("link", name=name).click()
    return openpyxl.load_workbook(io.BytesIO(Path(download.value.path()).read_bytes())).sheetnames


def test_parts_are_put_in_order_and_left_out_by_the_keyboard(reporter):
    folded = button(reporter, "Parts$")
    folded.focus()
    reporter.keyboard.press("Enter")
    reporter.get_by_role("button", name="Move up: The sites").focus()
    places = ["The sites: 7 of 9", "The sites: 6 of 9", "The sites: 5 of 9"]
    for place in places:
        reporter.keyboard.press("Enter")
        wait_for_text(reporter, place)
        assert reporter.evaluate("document.activeElement.getAttribute('aria-label')") == "Move up: The sites"
    for name in ("Headline findings", "What to do", "Who the audience is", "Methods"):
        reporter.get_by_role("checkbox", name=name).focus()
        reporter.keyboard.press("Space")
        reporter.wait_for_timeout(300)
        assert not reporter.get_by_role("checkbox", name=name).is_checked()
    shot(reporter, "06_report_parts")
    assert reporter.evaluate(CUT_OFF) == []
    reporter.get_by_label("Title").fill("Parts")
    reporter.get_by_label("Report", exact=True).select_option(label="Excel workbook")
    button(reporter, "Make report$").focus()
    reporter.keyboard.press("Enter")
    reporter.get_by_role("link", name="Parts.xlsx").wait_for(timeout=120_000)
    sheets = sheets_of(reporter, "Parts.xlsx")
    assert sheets[:3] == ["Answer", "Sites", "Everything by site"]
    assert "Methods" not in sheets


def test_the_making_is_cancelled_by_the_keyboard_and_leaves_nothing(reporter):
    reporter.get_by_label("Title").fill("Never")
    button(reporter, "Make report$").focus()
    reporter.keyboard.press("Enter")
    button(reporter, "Cancel$").wait_for()
    button(reporter, "Cancel$").focus()
    shot(reporter, "06_report_making")
    reporter.keyboard.press("Enter")
    wait_for_text(reporter, "Cancelled: nothing was written.")
    assert reporter.get_by_role("link", name="Never.xlsx").count() == 0


#: What of the controls that make a report is not whole in the window.
MAKER_CUT_OFF = """() => {
  const buttons = [...document.querySelectorAll('.jp-OutputArea button')];
  const box = buttons.find(e => e.textContent.trim() === 'Make report').closest('.widget-vbox');
  const edge = document.querySelector('.jp-OutputArea .widget-vbox').parentElement.getBoundingClientRect().right;
  const shown = [...box.querySelectorAll('*')].filter(e => e.offsetParent !== null);
  const wide = e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible';
  const cut = shown.filter(e => e.getBoundingClientRect().right > edge + 0.5 || wide(e));
  return cut.map(e => `${e.tagName}.${e.className} ${e.textContent.trim()} ${e.scrollWidth} > ${e.clientWidth}`);
}"""


def test_the_maker_of_reports_is_whole_in_a_narrow_window(reporter):
    button(reporter, "Brand and template$").click()
    reporter.set_viewport_size({"width": 760, "height": 1000})
    reporter.wait_for_timeout(500)
    shot(reporter, "06_report_narrow")
    assert reporter.evaluate(MAKER_CUT_OFF) == []
    for name in ("Parts$", "Brand and template$"):
        button(reporter, name).click()
    reporter.set_viewport_size({"width": 1280, "height": 1000})


def test_make_report_is_seen_without_scrolling(reporter):
    reporter.set_viewport_size({"width": 1280, "height": 800})
    top = reporter.locator(".jp-OutputArea .toolkit-keys").first
    place, made = top.bounding_box(), button(reporter, "Make report$").bounding_box()
    head = reporter.locator(".jp-Notebook .jp-MarkdownCell").first.bounding_box()
    toolbars = reporter.locator(".jp-Notebook").bounding_box()["y"]
    assert place["y"] > head["y"]
    assert toolbars + made["y"] + made["height"] - head["y"] < 800


@pytest.mark.parametrize(
    ("name", "seen"),
    [("Compare", "The groups given"), ("Coverage", "of 703 categories seen"), ("Segment", "Choose a code")],
)
def test_run_is_looked_at_more_closely_by_the_keyboard(reporter, name, seen):
    button(reporter, f"{name}$").focus()
    reporter.keyboard.press("Space")
    inner = reporter.locator(".jp-OutputArea .toolkit-keys .toolkit-keys")
    inner.get_by_text(seen).first.wait_for(state="attached", timeout=60_000)
    reporter.wait_for_timeout(1500)
    shot(reporter, f"06_report_{name.lower()}")
    assert inner.count() == 1
    assert reporter.evaluate(FOCUS) == [True, name]
    assert reporter.evaluate(CUT_OFF) == []


def test_run_is_saved_by_a_button_and_its_link(reporter):
    reporter.get_by_label("Title").fill("Thirty sites: Q3 / travel?")
    button(reporter, "Save run$").click()
    wait_for_text(reporter, "tk.load_run")
    shot(reporter, "06_report_saved")
    with reporter.expect_download() as download:
        reporter.get_by_role("link", name="Thirty-sites-Q3-travel.run.gz").click()
    assert Path(download.value.path()).stat().st_size > 1_000


def test_second_run_closes_what_was_open(reporter):
    assert reporter.locator(".jp-OutputArea .toolkit-keys .toolkit-keys").count() == 1
    button(reporter, "Run$").click()
    reporter.locator(".jp-OutputArea .toolkit-keys .toolkit-keys").wait_for(state="detached", timeout=60_000)
    reporter.wait_for_selector(".jp-OutputArea [role=status] >> text=Finished.", timeout=60_000)
