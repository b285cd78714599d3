"""What the tests in a browser share: a JupyterLab, a browser, and the pages of a file's notebooks."""

import shutil
from pathlib import Path

import httpx
import pytest

from browser.driving import CHROMIUM, FLAGS, LEAVE, NOTEBOOKS, open_notebook, run_all, run_some, started, watched_page
from browser.whole import as_stored

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == FOLDER:
            item.add_marker(pytest.mark.browser)
            item.add_marker(
                pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: install it to run the browser tests")
            )


# Until the last test of this folder: later ones have loops of their own, which playwright's would be in the way of.


@pytest.fixture(scope="package")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def window(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 1000}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return context


@pytest.fixture(scope="package")
def running_lab(tmp_path_factory):
    """``toolkit lab`` in an empty folder with a home of its own; yields the folder and the address."""
    folder = tmp_path_factory.mktemp("lab")
    with started(folder) as address:
        yield folder, address


@pytest.fixture(scope="package")
def loaded(window, running_lab):
    """JupyterLab in a page: to load it takes longer than to open a notebook in it."""
    page = watched_page(window)
    page.goto(f"{running_lab[1].partition('/tree/')[0]}?token=token&reset")
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate("async () => { await window.jupyterapp.restored; }")
    page.shares = page.evaluate("() => window.jupyterapp.shell._hsplitPanel.relativeSizes()")
    return page


@pytest.fixture(scope="module")
def lab(running_lab):
    """The address of the JupyterLab, which a file finds and leaves as if it were the first."""
    folder, address = running_lab
    yield address
    sessions = f"{address.partition('/lab/tree/')[0]}/api/sessions"
    for session in httpx.get(f"{sessions}?token=token").json():
        httpx.delete(f"{sessions}/{session['id']}?token=token", timeout=60)
    shutil.rmtree(folder / ".toolkit", ignore_errors=True)
    for path in (folder / "notebooks").iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.suffix != ".ipynb":  # JupyterLab goes on asking for those that it had open
            path.unlink()
    shutil.copytree(NOTEBOOKS, folder / "notebooks", dirs_exist_ok=True)


@pytest.fixture(scope="module")
def page(loaded, lab):
    """JupyterLab with no notebook in it."""
    loaded.outside.clear()
    loaded.failures.clear()
    loaded.errors.clear()
    yield loaded
    loaded.set_viewport_size({"width": 1280, "height": 1000})
    loaded.evaluate(LEAVE, loaded.shares)


@pytest.fixture(scope="module")
def whole(request, page):
    """The notebook `NOTEBOOK` of a file, looked at as it is stored, and with every cell run.

    Of the notebook of the report the panel alone: what the others write is looked at in the tests of notebooks.
    """
    name = request.module.NOTEBOOK
    open_notebook(page, name)
    page.name, page.stored = name, as_stored(page, name)
    page.counts = run_some(page, name, 0, 1) if name == "06_report" else run_all(page, name)
    return page
