"""Pages that a test writes: a title and its text, and what the service says of them."""

from html import escape

from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import parse_page
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified, taken_apart


def fetched(title, text, path="/p/4711", head=""):
    """Return the page at a path, or a whole address, with a paragraph for each line of its text, as it is fetched."""
    body = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))
    source = (
        f"<html lang=en><head><title>{escape(title)}</title>{head}</head><body><main><h1>{escape(title)}</h1>{body}"
    )
    url = path if path.startswith("http") else f"https://pages.example{path}"
    return Fetched(url, {}, source.encode(), "text/html", "utf-8")


def page(*written, **rest):
    """Take such a page apart, though it were too short to be answered."""
    return parse_page(fetched(*written, **rest))


def read(*written, **rest):
    """Return the reading of such a page, as the service answers from it."""
    return classified(taken_apart(fetched(*written, **rest)))


def segmented(*written, **rest):
    """Return the whole segmentation of such a page."""
    found = read(*written, **rest)
    return structured_shape(found.page.url, found)
