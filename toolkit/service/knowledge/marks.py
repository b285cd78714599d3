"""Texts without which a pattern cannot match, so that a plain look for them spares the search.

A page is asked for hundreds of patterns, and nearly all of them are not there. Looking for a fixed text in a long page
is some fifty times quicker than searching a pattern in it.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["fixed_texts", "may_match"]

#: The parts of a pattern, as far as they matter here: what stands for itself, what repeats it, what holds parts.
_PART: Final = re.compile(
    r"\\(?P<escaped>[^A-Za-z0-9])"
    r"|(?P<repeated>[*+?]|\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)\})[?+]?"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<open>\()|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<other>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-9]{1,3}|.)|[.^$])"
    r"|(?P<itself>.)",
    re.DOTALL,
)
_LEAST: Final = 3


def fixed_texts(pattern: str) -> tuple[tuple[str, ...], ...]:
    r"""Return for each alternative of a pattern the texts that must stand where it is to match, letter case aside.

    They are in lower case, longest first. Only what stands outside of groups and character sets is used, which is less
    than could be said and never too much. An alternative that can match without any has none.

    >>> fixed_texts(r"cdn\.(?:eu\.)?kites\.com/\d+|kitesx?\(")
    (('kites.com/', 'cdn.'), ('kites',))
    """
    alternatives: list[list[str]] = [[""]]
    depth = 0
    for part in _PART.finditer(pattern):
        kind, runs = part.lastgroup, alternatives[-1]
        depth += (kind == "open") - (kind == "close")
        if depth or kind == "close":
            runs.append("")
        elif kind == "bar":
            alternatives.append([""])
        elif kind in ("itself", "escaped"):
            runs[-1] += part[kind]
        else:
            if kind == "repeated" and part[kind][0] != "+":
                # What is repeated may stand there no time at all.
                runs[-1] = runs[-1][:-1]
            runs.append("")
    return tuple(
        tuple(sorted({run.lower() for run in runs if len(run) >= _LEAST}, key=lambda run: (-len(run), run)))
        for runs in alternatives
    )


def may_match(needed: tuple[tuple[str, ...], ...], text: str) -> bool:
    """Tell whether a text in lower case has the fixed texts of any alternative.

    >>> may_match(fixed_texts("kites|dragons"), "fly kites"), may_match(fixed_texts("kites"), "fly")
    (True, False)
    """
    return any(all(run in text for run in runs) for runs in needed)
