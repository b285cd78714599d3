"""A run and its panel after a reload, after a restart of the kernel, and in a notebook that is opened without one."""

import json
import re
import subprocess
import sys

import nbformat
import pytest
from paying import KEY, PaidServer

from browser.driving import (
    AT_REST,
    PANEL,
    button,
    open_notebook,
    put_notebook,
    run_all,
    shot,
    unfold,
    wait_for_text,
)

SITES = ["a.example", "b.example", "c.example", "my shop"]
NAME = "reopening"
FIND = f"{PANEL}('reopening.ipynb')"
SAVE = "async () => { await window.jupyterapp.commands.execute('docmanager:save'); }"
RESTART = f"async () => {{ await {FIND}.sessionContext.session.kernel.restart(); }}"
SHUT_DOWN = f"async () => {{ await {FIND}.sessionContext.shutdown(); }}"
#: What of the set-up, and of the line that it folds into, reaches beyond the widget's right edge.
CUT_OFF_OF_SET_UP = """() => {
  const edge = document.querySelector('.jp-OutputArea .widget-vbox').parentElement.getBoundingClientRect().right;
  const shown = [...document.querySelectorAll('.toolkit-run-setup *')].filter(e => e.offsetParent !== null);
  return shown.filter(e => e.getBoundingClientRect().right > edge + 0.5).map(e => `${e.tagName}.${e.className}`);
}"""
SIGN = """
import sys
import nbformat.sign
nbformat.sign.NotebookNotary(data_dir=sys.argv[2]).sign(nbformat.read(sys.argv[1], 4))
"""
KEPT = "kept in spring-plan, 3 answers, 3 credits"


@pytest.fixture(scope="module")
def server():
    server = PaidServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def page(page, lab, server):
    """A notebook with a panel."""
    code = f"import toolkit as tk\npanel = tk.widgets.RunPanel(tk.Client({KEY!r}, {server.base!r}))\npanel"
    put_notebook(lab, NAME, [code])
    open_notebook(page, NAME)
    run_all(page, NAME)
    return page


def reopen(page):
    page.reload()
    page.wait_for_selector(".jp-Notebook", timeout=60_000)
    page.evaluate(AT_REST, f"{NAME}.ipynb")


def wait_for(page, selector, seconds=40):
    page.wait_for_selector(selector, timeout=1000 * seconds)
    page.wait_for_timeout(700)


def seen(page):
    return page.locator(".jp-OutputArea").first.inner_text()


def test_a_run_is_named_in_the_panel_and_its_set_up_folds_away(page, server, tmp_path):
    (tmp_path / "shops.csv").write_text(
        "Shop,homepage\n" + "".join(f"{number},{site}\n" for number, site in enumerate(SITES)), encoding="utf-8"
    )
    with page.expect_file_chooser() as chooser:
        button(page, "Upload").click()
    chooser.value.set_files(tmp_path / "shops.csv")
    wait_for_text(page, "shops.csv: choose the column")
    page.locator(".jp-OutputArea .widget-dropdown:visible select").last.select_option(label="homepage")
    wait_for_text(page, "shops.csv, column homepage")
    page.get_by_role("textbox", name="Name").fill("spring-plan")
    page.get_by_role("textbox", name="Name").press("Tab")
    button(page, "Run$").click()
    wait_for(page, f".jp-OutputArea .toolkit-keys >> text={KEPT}")
    shot(page, "reopening_finished")
    assert not button(page, "Run$").is_visible()
    assert not page.locator(".toolkit-static").first.is_visible()
    assert server.asked.total() == 3
    page.locator(".jp-OutputArea [role=tab]").nth(1).click()


def test_a_reload_with_the_kernel_alive_brings_the_panel_back_as_it_was(page):
    page.evaluate(SAVE)
    reopen(page)
    wait_for(page, f".jp-OutputArea .toolkit-keys >> text={KEPT}")
    shot(page, "reopening_reloaded")
    assert page.locator(".jp-OutputArea [role=tab]").nth(1).get_attribute("aria-selected") == "true"
    button(page, "Change").click()
    wait_for_text(page, "shops.csv, column homepage")
    assert page.get_by_role("textbox", name="Name").input_value() == "spring-plan"


def test_after_a_restart_of_the_kernel_the_run_is_opened_by_its_name_and_nothing_is_asked(page, server):
    page.evaluate(RESTART)
    run_all(page, NAME)
    choice = page.locator(".jp-OutputArea .widget-dropdown:visible select").first
    label = next(text for text in choice.locator("option").all_inner_texts() if text.startswith("spring-plan"))
    assert re.search(r"spring-plan · .* · 3 sites · 3 answers, 3 credits · \d+ KB", label.replace("\xa0", " "))
    choice.select_option(label=label)
    button(page, "Open$").click()
    wait_for(page, f".jp-OutputArea .toolkit-keys >> text={KEPT}")
    page.get_by_role("tab", name=re.compile("^Sites")).click()
    wait_for(page, ".tabulator-row:visible >> text=a.example")
    shot(page, "reopening_opened")
    assert server.asked.total() == 3


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_at_760_pixels_nothing_of_the_set_up_is_cut_off(page, theme):
    page.evaluate("t => window.jupyterapp.commands.execute('apputils:change-theme', { theme: t })", theme)
    page.set_viewport_size({"width": 760, "height": 1000})
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    # What is folded is seen once the narrower page is laid out.
    page.wait_for_timeout(700)
    unfold(page)
    button(page, "Delete$").click()
    page.wait_for_timeout(700)
    shot(page, f"reopening_760_{theme.rpartition(' ')[2].lower()}")
    assert page.evaluate(CUT_OFF_OF_SET_UP) == []
    button(page, "Leave it$").click()
    page.set_viewport_size({"width": 1280, "height": 1000})


def test_after_a_restart_the_same_cell_goes_on_with_the_same_list(page, server):
    page.evaluate(
        f"async () => {{ {FIND}.content.widgets[0].model.sharedModel.setSource(`import toolkit as tk\n"
        f"panel = tk.widgets.RunPanel(tk.Client('{KEY}', '{server.base}'), {json.dumps(SITES)})\npanel`); }}"
    )
    page.evaluate(RESTART)
    run_all(page, NAME)
    wait_for(page, f".jp-OutputArea .toolkit-keys >> text={KEPT}")
    assert server.asked.total() == 3


def test_a_notebook_whose_kernel_is_gone_shows_what_was_last_seen(page):
    page.evaluate(SAVE)
    page.evaluate(SHUT_DOWN)
    page.evaluate(SAVE)
    reopen(page)
    wait_for(page, f".jp-OutputArea .toolkit-static >> text={KEPT}")
    shot(page, "reopening_without_kernel")
    assert "a.example" in seen(page)
    # Of the widget, whose buttons would do nothing, nothing is seen.
    assert page.locator(".jp-OutputArea .toolkit-keys").first.is_hidden()


def changed(folder, *, trusted):
    """Take the widgets' state out of the notebook; without a signature it is not trusted any more."""
    path = folder / "notebooks" / f"{NAME}.ipynb"
    notebook = nbformat.read(path, 4)
    notebook.metadata.pop("widgets", None)
    notebook.cells[0].metadata["tags"] = ["signed" if trusted else "not signed"]  # its signature is of another content
    nbformat.write(notebook, path)
    if trusted:
        subprocess.run([sys.executable, "-c", SIGN, str(path), str(folder / "data")], check=True, timeout=60)


def test_without_a_kernel_and_without_its_state_the_tables_are_seen(page, running_lab):
    page.evaluate(SHUT_DOWN)
    changed(running_lab[0], trusted=True)
    reopen(page)
    wait_for(page, ".jp-OutputArea >> text=As last seen")
    shot(page, "reopening_without_state")
    assert "a.example" in page.locator(".toolkit-static").inner_text()


def test_without_a_kernel_and_untrusted_the_tables_are_seen_and_how_to_trust(page, running_lab):
    page.evaluate(SHUT_DOWN)
    changed(running_lab[0], trusted=False)
    reopen(page)
    wait_for(page, ".jp-OutputArea >> text=Trust Notebook")
    shot(page, "reopening_untrusted")
    assert "As last seen" in page.locator(".toolkit-static").inner_text()
    assert "a.example" in page.locator(".toolkit-static").inner_text()


def test_no_request_leaves_the_machine(page):
    assert page.outside == []
