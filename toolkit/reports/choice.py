"""Which parts a report has, and in which order: what a user may choose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from toolkit.interface.errors import InputError, nearest_to

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
    """Return the parts that are chosen, in their order, each once.

    Raises
    ------
    InputError
        If one is unknown, or there is none.

    Examples
    --------
    >>> chosen_parts(["answer", "sites"])
    ('answer', 'sites')
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InputError(f"parts must be names of parts, not {names!r:.80}. Pass a list, such as ['answer', 'proofs'].")
    chosen = tuple(dict.fromkeys(names))
    for name in chosen:
        if name not in PART_WORDS:
            near = nearest_to(name, PARTS)
            raise InputError(
                f"There is no part {name!r:.80} of a report.{f' Nearest: {near[0]}.' if near else ''} Choose of "
                f"{', '.join(PARTS[:-1])} and {PARTS[-1]}."
            )
    if not chosen:
        raise InputError(
            f"parts is empty, so that there is nothing to write. Choose of {', '.join(PARTS[:-1])} and {PARTS[-1]}."
        )
    return chosen
