"""Ask about a few targets at once, failures in band."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio

from toolkit.errors import InputError, QuotaExceededError, ToolkitError
from toolkit.outcomes import Outcome
from toolkit.transport import run_blocking

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from toolkit.client import AsyncClient, Client
    from toolkit.models import Answer

__all__ = ["QUESTIONS", "check_questions", "look_up", "look_up_async", "split_targets"]

#: What can be asked of a target: the client's methods that take one.
QUESTIONS: Final = ("segment", "categorize", "categorize_content", "enrich")
_AT_ONCE: Final = 8


def split_targets(text: str) -> list[str]:
    """Split pasted text into targets: at white space, commas and semicolons; a repeated one stands once.

    A comma or semicolon within a URL that has a scheme belongs to it.

    Examples
    --------
    >>> split_targets("a.example, b.example;  https://c.example/x?y=1,2  a.example")
    ['a.example', 'b.example', 'https://c.example/x?y=1,2']
    """
    found = (target for word in text.split() for target in _split_word(word))
    return list(dict.fromkeys(target for target in found if target))


def _split_word(word: str) -> list[str]:
    parts: list[str] = []
    for piece in re.findall("[^,;]+[,;]*", word):
        if parts and "://" in parts[-1] and "://" not in piece:
            parts[-1] += piece
        else:
            parts.append(piece)
    return [part.strip(",;") for part in parts]


def check_questions(ask: Iterable[str]) -> None:
    """Raise an InputError if there is something else than `QUESTIONS` to ask."""
    for question in ask:
        if question not in QUESTIONS:
            raise InputError(f"ask must be of {', '.join(map(repr, QUESTIONS))}, not {question!r}.")


def look_up(client: Client, targets: Iterable[str], ask: Sequence[str] = ("segment",)) -> list[Outcome]:
    """Ask the service about targets, a few at a time.

    Parameters
    ----------
    client : Client
        The client.
    targets : iterable of str
        Domains or URLs.
    ask : sequence of str
        Of ``segment``, ``categorize``, ``categorize_content`` and ``enrich``.

    Returns
    -------
    list of Outcome
        For each target in order one a question. Errors are outcomes too; after a used-up quota nothing more is sent.

    Raises
    ------
    InputError
        If `ask` holds something else.

    Examples
    --------
    >>> from toolkit import Client
    >>> [o.status for o in look_up(Client(), ["torque-journal.example", "nowhere.example"])]
    [200, 411]
    """
    return run_blocking(partial(look_up_async, client._twin, targets, ask))  # noqa: SLF001 - the same package


async def look_up_async(
    client: AsyncClient, targets: Iterable[str], ask: Sequence[str] = ("segment",)
) -> list[Outcome]:
    """Ask as `look_up` does, with the asynchronous client."""
    if isinstance(targets, str):
        raise InputError("targets must be a list of targets, not one text. Pass [target], or split_targets(text).")
    check_questions(ask)
    questions = [(target, question) for target in targets for question in ask]
    found: list[Outcome | None] = [None] * len(questions)
    places = anyio.CapacityLimiter(_AT_ONCE)
    stopped: list[QuotaExceededError] = []

    async def one(position: int, target: str, question: str) -> None:
        async with places:
            if stopped:
                found[position] = Outcome(target, question, error=stopped[0])
                return
            method: Callable[[str], Awaitable[Answer]] = getattr(client, question)
            try:
                found[position] = Outcome(target, question, answer=await method(target))
            except QuotaExceededError as error:
                stopped.append(error)
                found[position] = Outcome(target, question, error=error)
            except ToolkitError as error:
                found[position] = Outcome(target, question, error=error)

    async with anyio.create_task_group() as group:
        for position, (target, question) in enumerate(questions):
            group.start_soon(one, position, target, question)
    return [outcome for outcome in found if outcome is not None]
