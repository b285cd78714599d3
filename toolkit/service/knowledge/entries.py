"""What the matchers of the knowledge are made of: the tables of each, and their rows as entries."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.service.knowledge.lexicon import Entry, knowledge_rows

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MATCHERS", "is_member", "listed", "namesake"]


def is_member(code: str) -> bool:
    """Tell whether a code is one below a group, and no group."""
    return code.count(".") > 1


def listed(cell: str) -> tuple[str, ...]:
    """Return the entries of a cell that holds a list."""
    return tuple(cell.split("; ")) if cell else ()


def namesake(name: str, group: str) -> dict[str, str] | None:
    """Return the row of the content category that a code's label is, None where there is none.

    Where several categories have the name, that of the code's group must be above.
    """
    found = _namesakes().get(name.casefold(), ())
    if len(found) > 1:
        found = tuple(row for row in found if group.casefold() in f"{row['path_v3']} {row['path_v2']}".casefold())
    return found[0] if len(found) == 1 else None


def _words_of_namesake(name: str, group: str) -> tuple[str, ...]:
    row = namesake(name, group)
    return (*listed(row["terms"]), *listed(row["words"])) if row else ()


@cache
def _namesakes() -> dict[str, tuple[dict[str, str], ...]]:
    found: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for row in knowledge_rows("content_categories.tsv"):
        for path in {row["path_v3"], row["path_v2"]} - {""}:
            found[path.rsplit(PATH_SEPARATOR, 1)[-1].casefold()].append(row)
    return {name: tuple({row["id"]: row for row in rows}.values()) for name, rows in found.items()}


def _leaf(row: dict[str, str]) -> str:
    return (row["path_v3"] or row["path_v2"]).rsplit(PATH_SEPARATOR, 1)[-1]


def _content_entries() -> list[Entry]:
    rows = knowledge_rows("content_categories.tsv")
    return [Entry(row["id"], _leaf(row), listed(row["terms"]), listed(row["words"])) for row in rows]


def _filtering_entries() -> list[Entry]:
    rows = knowledge_rows("filtering_categories.tsv")
    return [Entry(row["name"], row["name"], listed(row["terms"])) for row in rows]


def _code_entries(table: str) -> list[Entry]:
    rows = knowledge_rows(table)
    labels = {row["code"]: row["label"] for row in rows}
    return [
        Entry(
            row["code"],
            row["label"],
            tuple(row["terms"].split("; ")),
            _words_of_namesake(row["label"], labels[row["code"].rpartition(".")[0]]) if is_member(row["code"]) else (),
        )
        for row in rows
    ]


#: Tables and entries of each matcher, by its name.
MATCHERS: Final[dict[str, tuple[tuple[str, ...], Callable[[], list[Entry]]]]] = {
    "content_categories": (("content_categories.tsv",), _content_entries),
    "filtering_categories": (("filtering_categories.tsv",), _filtering_entries),
    **{
        name: ((f"{name}.tsv", "content_categories.tsv"), partial(_code_entries, f"{name}.tsv"))
        for name in ("interests", "purchase_intent")
    },
}
