"""How a percentage is written wherever it is seen: with a blank before its sign."""

import re
from html import unescape

_TIGHT = re.compile(r".{0,40}\d%.{0,20}")
_UNSEEN = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)
_SAID = re.compile(r"\b(?:alt|title|aria-label|data-tip)=(\"[^\"]*\"|'[^']*')")
_TAG = re.compile(r"<[^>]*>")


def tight_in(text):
    """Return where a text has a percentage without its blank."""
    return _TIGHT.findall(text)


def seen(html):
    """Return what people read of HTML: its text, and what its attributes say."""
    shown = _UNSEEN.sub(" ", html)
    return unescape(" ".join([*_SAID.findall(shown), _TAG.sub(" ", shown)]))
