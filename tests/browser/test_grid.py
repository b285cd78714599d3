"""The grid in JupyterLab in a real browser: many rows, search, filters, copies, keys, hostile cells, themes."""

import os

import nbformat
import pytest
from browser.driving import RUN_ALL, note_outside, shot

AXE = os.environ.get("AXE_CORE")
HOSTILE = "<img src=x onerror='window.harmed=true'>"
SITES = f"""
import pandas as pd
from toolkit.widgets import Column, Grid

opened = []
frame = pd.DataFrame({{
    "site": ["kites.example", "boots.example", {HOSTILE!r}, "bank.example", "=1+1"],
    "share": [0.456, None, 0.05, 1.0, 0.5],
    "visits": [1200, 31, 2, 54321, None],
    "is_shop": [True, True, None, False, False],
    "topics": [["Travel", "Sport"], [], ["Finance"], ["Finance"], ["Travel"]],
    "seen": pd.to_datetime(["2026-01-02", None, "2026-03-01", "2025-12-31", "2026-01-01"]),
    "my note": ["first, \\"best\\"", "ärger", None, "x" * 200, {HOSTILE!r}],
}})
grid = Grid(frame, on_row=opened.append, name="sites", noun=("site", "sites"), label="All sites")
grid
"""
MANY = """
import numpy as np

numbers = np.arange(10_000)
many = pd.DataFrame({
    "site": [f"site-{number:05}.example" for number in numbers],
    **{f"word {place}": [f"word {number * 7919 % 9973} of {place}" for number in numbers] for place in range(8)},
    **{f"number {place}": (numbers * 7919 % 9973) / 7 for place in range(6)},
})
large = Grid(many, name="many")
large
"""


def notebook(*cells):
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return nbformat.v4.new_notebook(metadata=kernel, cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


@pytest.fixture(scope="module")
def page(browser, lab, tmp_path_factory):
    folder = next(path for path in tmp_path_factory.getbasetemp().iterdir() if (path / "notebooks").is_dir())
    nbformat.write(notebook(SITES, MANY), folder / "notebooks" / "grid.ipynb")
    context = browser.new_context(viewport={"width": 1280, "height": 1000}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.outside, page.failures = [], []
    page.on("request", lambda request: note_outside(page, request.url))
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    page.on("console", lambda said: page.failures.append(said.text) if said.type == "error" else None)
    page.goto(f"{lab.rpartition('/')[0]}/grid.ipynb?token=token&reset")
    page.wait_for_selector(".jp-Notebook", timeout=60_000)
    assert page.evaluate(RUN_ALL, "grid.ipynb") == [1, 2]
    page.wait_for_selector(".toolkit-grid-box .tabulator-row", timeout=30_000)
    return page


def grid_of(page, number=0):
    found = page.locator(".toolkit-grid-box").nth(number)
    found.scroll_into_view_if_needed()
    return found


def column(grid, place):
    return grid.locator(".tabulator-row").evaluate_all(
        "(rows, place) => rows.map(row => [...row.querySelectorAll('.tabulator-cell')][place].textContent)", place
    )


def test_cells_are_shown_as_a_person_reads_them(page):
    shot(page, "grid")
    rows = (
        grid_of(page)
        .locator(".tabulator-row")
        .evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('.tabulator-cell')].map(cell => cell.textContent))"
        )
    )
    assert rows[0] == ["kites.example", "46%", "1200", "yes", "Travel, Sport", "2026-01-02", 'first, "best"']
    assert rows[1][1:6] == ["–", "31", "yes", "–", "–"]
