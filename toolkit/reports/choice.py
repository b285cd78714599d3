"""Which parts a report has, and in which order: what a user may choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.interface.errors import InputError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["PARTS", "PART_WORDS", "chosen_parts"]

#: The parts of a report in plain words, in the order in which they stand, if nobody asks for another one.
PART_WORDS: Final = {
    "answer": "The answer in one sentence",
    "proofs": "Headline findings",
    "advice": "What to do",
    "changes": "What changed since the earlier run",
    "profile": "Who the audience is",
    "groups": "The groups",
    "coverage": "Coverage and gaps",
    "leads": "Leads worth checking",
    "sites": "The sites",
    "methods": "Methods",
}
PARTS: Final = tuple(PART_WORDS)


def chosen_parts(names: Iterable[str]) -> tuple[str, ...]:
    """Return the parts that are chosen, in their order.

    Raises
    ------
    InputError
        If one is unknown or stands twice, or there is none.

    Examples
    --------
    >>> chosen_parts(["answer", "sites"])
    ('answer', 'sites')
    """
    chosen = tuple(names)
    for place, name in enumerate(chosen):
        if name not in PART_WORDS:
            near = ", ".join(nearest_to(name, PARTS))
            raise InputError(
                f"A report has no part {name!r:.80}.{f' Nearest: {near}.' if near else ''} Choose from "
                f"{', '.join(PARTS)}."
            )
        if name in chosen[:place]:
            raise InputError(f"The part {name!r} stands twice among the parts of the report. Leave one out.")
    if not chosen:
        raise InputError(f"A report without any part says nothing. Choose from {', '.join(PARTS)}.")
    return chosen
