"""What to do next, in a surface's own terms: errors speak of Python, a terminal has options and a widget has fields."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["in_terminal", "in_widget"]

#: Arguments that are options of commands under the same name.
_OPTIONS: Final = (
    "ask",
    "baseline",
    "before",
    "brand",
    "brief",
    "budget",
    "client",
    "column",
    "concurrency",
    "frames",
    "groups",
    "include",
    "name",
    "parts",
    "personas",
    "refresh",
    "stale",
    "store",
    "template",
    "title",
    "weight",
)
#: The same as a person finds them in a widget.
_FIELDS: Final = {
    "ask": "the questions",
    "baseline": "the baseline",
    "brand": "the brand",
    "budget": "the field Budget",
    "column": "the field Column",
    "groups": "the groups",
    "store": "the place of the answers",
    "template": "the template",
    "title": "the title",
    "weight": "the weight",
}
_ARGUMENT: Final = re.compile(rf"(?<![?&/.\w])({'|'.join(_OPTIONS)})=(…|\([^)]*\)|'[^']*'|\[[^\]]*\]|[\w.]+)?")
#: What has another form there: as errors say it, in a terminal, and in a widget.
_PHRASES: Final = (
    (
        re.compile(r"; to look it up as a target pass a list: \[.*?\]"),
        "; a single site is asked about with: toolkit segment SITE",
        "; a site is pasted into the list",
    ),
    (
        re.compile(r"Pass a list of texts, a Series, a DataFrame, a path, a text stream, or '-' for standard input\."),
        "Name a file, or - for standard input.",
        "Paste a list, or upload a file.",
    ),
    (re.compile(r"categorize_content\(text=…\)"), "toolkit categorize --text", "the text's own field"),
    (re.compile(r"a file that run\.save\(\) wrote"), "a file of a saved run", "a file of a saved run"),
    (re.compile(r"client\.filters\(\)"), "toolkit filters", "the list of codes"),
    (re.compile(r"search for it\b"), "search with: toolkit filters WORD", "search for it"),
    (re.compile(r"embedded=…"), "the embedded service", "the embedded service"),
    (re.compile(r"\(or base_url=…, v1_base_url=…\)"), "", ""),
    (re.compile(r" with its keyword \w+="), "", ""),
    (re.compile(r"; the whole answer is in the error's raw\b"), "", ""),
    (re.compile(r"\bLeave column out\b"), "Leave --column out", "Choose no column"),
    (re.compile(r"\bask must\b"), "--ask must", "The questions must"),
    (re.compile(r"\bAdd it to ask\b(?!=)"), "Add it to --ask", "Tick it"),
)


def in_terminal(text: str) -> str:
    """Return an error's words as a terminal says them: an argument is an option.

    >>> in_terminal("list.csv has no column 'site'. Pass column= with one that is there: url.")
    "list.csv has no column 'site'. Pass --column with one that is there: url."
    """
    for pattern, words, _ in _PHRASES:
        text = pattern.sub(words, text)
    return _ARGUMENT.sub(_as_option, text)


def in_widget(text: str) -> str:
    """Return an error's words as a widget says them: an argument is a field.

    >>> in_widget("list.csv has no column 'site'. Pass column= with one that is there: url.")
    "list.csv has no column 'site'. Set the field Column to one that is there: url."
    """
    for pattern, _, words in _PHRASES:
        text = pattern.sub(words, text)
    text = re.sub(r"\bPass column= with\b", "Set the field Column to", text)
    return _ARGUMENT.sub(_as_field, text)


def _as_option(found: re.Match[str]) -> str:
    value = (found[2] or "").strip("'")
    return f"--{found[1]}" + ("" if value in {"", "…"} else f" {value}")


def _as_field(found: re.Match[str]) -> str:
    return _FIELDS.get(found[1], found[1])
