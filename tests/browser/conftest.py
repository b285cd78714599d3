"""What the tests in a browser share: a JupyterLab, and its notebooks opened in pages of their own."""

from pathlib import Path

import pytest
from browser.driving import CHROMIUM, FLAGS, RUN_ALL, note_outside, started

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == FOLDER:
            item.add_marker(pytest.mark.browser)
            item.add_marker(
                pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: install it to run the browser tests")
            )


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """``toolkit lab`` in an empty folder with a home of its own; yields its address."""
    with started(tmp_path_factory.mktemp("lab")) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def opened(browser, lab):
    """Give a notebook by its name in a page of its own, with every cell run; each is opened once."""
    pages = {}

    def opening(name):
        if name in pages:
            return pages[name]
        other = browser.new_page(viewport={"width": 1280, "height": 1000}, accept_downloads=True)
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
