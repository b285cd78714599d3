"""Ask about a few targets at once, failures in band."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anyio

from toolkit.interface.errors import (
    ConfigurationError,
    InputError,
    InvalidKeyError,
    QuotaExceededError,
    TargetError,
    ToolkitError,
)
from toolkit.interface.models import Outcome
from toolkit.net.blocking import run_blocking

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from toolkit.client import AsyncClient, Client
    from toolkit.interface.calls import Family
    from toolkit.interface.models import Answer

__all__ = ["QUESTIONS", "check_options", "check_questions", "look_up", "look_up_async", "split_targets"]

#: What can be asked of a target: the client's methods that take one.
QUESTIONS: Final = ("segment", "categorize", "categorize_content", "enrich")
_FAMILIES: Final[dict[str, Family]] = {"segment": "b", "categorize": "a", "categorize_content": "b", "enrich": "a"}
_OPTIONS: Final[dict[str, tuple[str, ...]]] = {
    "segment": ("format",),
    "categorize": (),
    "categorize_content": ("personas", "root_fallback"),
    "enrich": ("include", "format"),
}
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


def check_questions(ask: str | Iterable[str]) -> tuple[str, ...]:
    """Return the questions, one text being one; raise an InputError if there is something else than `QUESTIONS`."""
    if not isinstance(ask, Iterable):
        raise InputError(f"ask must be a text or a list of texts, not {type(ask).__name__}.")
    questions = (ask,) if isinstance(ask, str) else tuple(ask)
    for question in questions:
        if question not in QUESTIONS:
            raise InputError(f"ask must be of {', '.join(map(repr, QUESTIONS))}, not {question!r}.")
    return questions


def look_up(
    client: Client,
    targets: Iterable[str],
    ask: str | Sequence[str] = ("segment",),
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[Outcome]:
    """Ask the service about targets, a few at a time.

    Parameters
    ----------
    client : Client
        The client.
    targets : iterable of str
        Domains or URLs.
    ask : str or sequence of str
        Of ``segment``, ``categorize``, ``categorize_content`` and ``enrich``.
    options : mapping of str to mapping, optional
        For a question the keyword arguments of the client's method: ``{"enrich": {"include": "company"}}``. None for
        the defaults.

    Returns
    -------
    list of Outcome
        For each target in order one a question. Errors are outcomes too; after a used-up quota nothing more is sent,
        after a refused key nothing more that needs this key.

    Raises
    ------
    InputError
        If `ask` or `options` holds something else.
    ConfigurationError
        If a base URL or key is missing for a question; nothing is sent.

    Examples
    --------
    >>> from toolkit import Client
    >>> [o.status for o in look_up(Client(), ["torque-journal.example", "nowhere.example"])]
    [200, 411]
    """
    return run_blocking(partial(look_up_async, client._twin, targets, ask, options))  # noqa: SLF001 - the same package


async def look_up_async(
    client: AsyncClient,
    targets: Iterable[str],
    ask: str | Sequence[str] = ("segment",),
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[Outcome]:
    """Ask as `look_up` does, with the asynchronous client."""
    if isinstance(targets, str):
        raise InputError("targets must be a list of targets, not one text. Pass [target], or split_targets(text).")
    ask = check_questions(ask)
    options = check_options(options or {})
    questions = [(target, question) for target in targets for question in ask]
    for question in dict.fromkeys(question for _, question in questions):  # before anything is paid for
        client._transport.check(question, _FAMILIES[question])  # noqa: SLF001 - the same package
    found: list[Outcome | None] = [None] * len(questions)
    places = anyio.CapacityLimiter(_AT_ONCE)
    stopped: dict[Family, ToolkitError] = {}
    wrong: list[ToolkitError] = []

    async def one(position: int, target: str, question: str) -> None:
        async with places:
            family = _FAMILIES[question]
            if family in stopped:
                found[position] = Outcome(target, question, error=stopped[family])
                return
            method: Callable[..., Awaitable[Answer]] = getattr(client, question)
            try:
                found[position] = Outcome(target, question, answer=await method(target, **options.get(question, {})))
            except ToolkitError as error:
                if _is_about_the_asking(error):
                    wrong.append(error)
                    group.cancel_scope.cancel()
                stopped.update(dict.fromkeys(_stopped_by(error, family), error))
                found[position] = Outcome(target, question, error=error)

    async with anyio.create_task_group() as group:
        for position, (target, question) in enumerate(questions):
            group.start_soon(one, position, target, question)
    if wrong:
        raise wrong[0]
    return [outcome for outcome in found if outcome is not None]


def _is_about_the_asking(error: ToolkitError) -> bool:
    """Tell whether an error would be the same for every target."""
    return isinstance(error, ConfigurationError | InputError) and not isinstance(error, TargetError)


def _stopped_by(error: ToolkitError, family: Family) -> tuple[Family, ...]:
    """Return the families that need not be asked again: the quota is the account's, a key its family's."""
    if isinstance(error, QuotaExceededError):
        return tuple(_FAMILIES.values())
    return (family,) if isinstance(error, InvalidKeyError) else ()


def check_options(options: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
    """Return the options of questions; raise an InputError if there is one that a question does not take."""
    if not isinstance(options, Mapping) or not all(isinstance(given, Mapping) for given in options.values()):
        raise InputError("options must be a mapping of questions to mappings: {'enrich': {'include': 'company'}}.")
    for question, given in options.items():
        taken = _OPTIONS.get(question)
        if taken is None:
            raise InputError(f"options must be for {', '.join(map(repr, QUESTIONS))}, not {question!r}.")
        for name in given:
            if name not in taken:
                said = f"takes the options {', '.join(map(repr, taken))}" if taken else "takes no options"
                raise InputError(f"{question} {said}, not {name!r}.")
    return options
