"""Pages that a test writes: a title and its text, and what the service says of them."""

from html import escape

from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import parse_page
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified


def page(title, text, path="/p/4711", head=""):
    """Take apart the page at a path, or a whole address, with a paragraph for each line of its text."""
    body = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))
    source = (
        f"<html lang=en><head><title>{escape(title)}</title>{head}</head><body><main><h1>{escape(title)}</h1>{body}"
    )
    url = path if path.startswith("http") else f"https://pages.example{path}"
    return parse_page(Fetched(url, {}, source.encode(), "text/html", "utf-8"))


def segmented(title, text, path="/p/4711", head=""):
    """Return the whole segmentation of such a page."""
    found = page(title, text, path, head)
    return structured_shape(found.url, classified(found))
