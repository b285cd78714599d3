"""Labels of charts: short wordings that differ, as text that plotly shows as it is.

Texts are cut as they are and escaped last, or a cut could fall into an escape.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

__all__ = ["LEVEL", "LONGEST", "category_row", "code_row", "distinct", "escaped", "path_in_words", "without_middle"]

#: What stands between a topic and what is in it, wherever a person reads it.
LEVEL: Final = " › "
#: Characters of a label that is not cut.
LONGEST: Final = 48


def distinct(rows: Sequence[tuple[Hashable, list[str]]]) -> list[str]:
    """Return each row's first wording that nothing else has; what differs in nothing shown gets a number."""
    wordings = {key: [escaped(text) for text in texts] for key, texts in rows}
    chosen = {key: texts[0] for key, texts in wordings.items()}
    for depth in range(1, max(map(len, wordings.values()), default=0)):
        taken = Counter(chosen.values())
        for key, texts in wordings.items():
            if taken[chosen[key]] > 1:
                chosen[key] = texts[min(depth, len(texts) - 1)]
    used: set[str] = set()
    for key, label in chosen.items():
        numbered = (f"{label} ({number})" for number in count(2))
        chosen[key] = next(text for text in chain([label], numbered) if text not in used)
        used.add(chosen[key])
    return [chosen[key] for key, _ in rows]


def category_row(*parts: Any) -> tuple[Hashable, list[str]]:
    """Return what a row of the chart stands for, and its wordings, the shortest first."""
    *levels, name, tier = parts
    path = [level for level in levels if isinstance(level, str)]
    whole = LEVEL.join(path if path and path[-1] == name else [*path, str(name)])
    key = (*path, name, None if pd.isna(tier) else int(tier))
    # The whole path, on two lines where it is long: without a level between, nobody finds it in the taxonomy.
    return key, [_cut(whole), without_middle(whole, 2 * LONGEST), whole]


def _cut(path: str) -> str:
    """Return a path of which each of two lines is short enough."""
    above, mark, last = printable(path).rpartition(LEVEL)
    return f"{without_middle(above)}{mark}{shortened(last, LONGEST)}"


def code_row(code: str, dimension: str, words: Mapping[str, str]) -> tuple[Hashable, list[str]]:
    """Return what a row of the chart stands for, and its wordings; `words` has labels of codes."""
    said, kind = words.get(code, code), words_of_code(dimension).lower()
    group = words_of_code(".".join(code.split(".")[:2]))
    return (dimension, code), [
        f"{text} ({kind})"
        for text in (
            shortened(printable(said), LONGEST),
            shortened(printable(f"{group}: {said}"), LONGEST),
            without_middle(said),
            code,
        )
    ]


def path_in_words(path: object) -> str:
    """Return the path of a node of a taxonomy as people read it.

    >>> path_in_words("Sports > Golf")
    'Sports › Golf'
    """
    return str(path).replace(PATH_SEPARATOR, LEVEL)


def without_middle(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line that keeps its beginning and end where it is too long."""
    text, half = printable(text), longest // 2
    return text if len(text) <= longest else f"{text[: half - 1]}…{text[-half:]}"


def escaped(value: object) -> str:
    """Return text that plotly shows as it is: plotly reads a part of HTML in labels and hover text."""
    return printable(str(value)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("%{", "% {")
