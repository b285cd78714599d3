"""The main text of a page, without what stands around it."""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

import trafilatura

from toolkit.service.pages.grids import fold_grids, is_sprawling, unfold_grids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborHTMLParser

__all__ = ["main_text"]

#: What is not shown, what holds no text, and what the extraction leaves out itself, only slower.
_UNSEEN: Final = (
    'template, [hidden], svg, style, script:not([type="application/ld+json"]), iframe, link, nav, footer, aside, '
    "button, select, dialog"
)
_NOT_CONTENT: Final = (
    "script, style, noscript, template, svg, nav, header, footer, aside, form, iframe, button, select, dialog, "
    "[hidden], [aria-hidden=true], [class*=cookie], [id*=cookie], [class*=newsletter], [class*=breadcrumb]"
)
_BLOCKS: Final = (
    "h1, h2, h3, h4, h5, h6, p, li, td, th, dt, dd, blockquote, figcaption, pre, div, section, article, br, tr"
)
#: The extraction is trusted if it keeps at least this share of the visible text.
_TRUSTED_SHARE: Final = 0.35
#: The extraction takes seconds on a page of more tags.
_MOST_TAGS: Final = 60_000
_SPACE: Final = re.compile(r"\s+")
_reading: ContextVar[bool] = ContextVar("_reading", default=False)


def main_text(tree: LexborHTMLParser) -> str:
    """Return the main text of a page, paragraphs on lines of their own; the tree is taken apart."""
    for node in tree.css(_UNSEEN):
        node.decompose()
    grids = fold_grids(tree)
    seen = tree.html or ""
    for node in tree.css(_NOT_CONTENT):
        node.decompose()
    if seen.count("<") > _MOST_TAGS or is_sprawling(tree):
        return unfold_grids(_visible_text(tree), grids)
    with _quiet():
        main = trafilatura.extract(seen, include_comments=False, include_tables=True, fast=True, deduplicate=False)
    if not main or len(main) < _TRUSTED_SHARE * _visible_length(tree):
        main = _visible_text(tree)
    return unfold_grids(main, grids)


def _visible_length(tree: LexborHTMLParser) -> int:
    """Return the length of the visible text without making it: between its words stands one space or line end."""
    words = tree.body.text(separator=" ").split() if tree.body is not None else []
    return sum(map(len, words)) + max(len(words) - 1, 0)


def _visible_text(tree: LexborHTMLParser) -> str:
    body = tree.body
    if body is None:
        return ""
    for node in body.css(_BLOCKS):
        node.insert_after("\n")
    lines = (_SPACE.sub(" ", line).strip() for line in body.text(separator=" ").split("\n"))
    return "\n".join(line for line in lines if line)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep an application's log free of the extraction's errors: an odd page is none of ours."""
    for name in ("trafilatura.core", "trafilatura.utils"):
        # Added again it does nothing, and it lets the application's own extractions through.
        logging.getLogger(name).addFilter(_not_ours)
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


def _not_ours(_: logging.LogRecord) -> bool:
    return not _reading.get()
