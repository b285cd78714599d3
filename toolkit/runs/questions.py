"""What a run asks of each target: an endpoint with its options, as calls."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface import calls
from toolkit.interface.errors import InputError
from toolkit.interface.targets import parse_target
from toolkit.runs.lookup import check_options, check_questions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolkit.interface.calls import Call, Family
    from toolkit.interface.targets import Target

__all__ = ["Question", "questions_of"]

_DOMAIN_ENDPOINTS: Final = ("categorize", "enrich")


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that is asked of every target.

    Attributes
    ----------
    endpoint : str
        Name of the client's method.
    options : str
        Its options as JSON, for the log.
    about_domain : bool
        Whether it is about the target's domain, and not about the URL.
    call : callable
        Builds the call for a target.
    """

    endpoint: str
    options: str
    about_domain: bool
    call: Callable[[str | Target], Call]

    @property
    def family(self) -> Family:
        """The endpoint's family."""
        return "a" if self.about_domain else "b"

    def subject(self, target: Target) -> str:
        """Return what is asked about for a target, in normal form."""
        return target.domain if self.about_domain else target.normal


def questions_of(
    ask: str | Iterable[str], options: Mapping[str, Mapping[str, Any]] | None = None
) -> tuple[Question, ...]:
    """Return the questions of a run.

    Parameters
    ----------
    ask : str or iterable of str
        Of ``segment``, ``categorize``, ``categorize_content`` and ``enrich``.
    options : mapping of str to mapping, optional
        For a question the keyword arguments of the client's method.

    Raises
    ------
    InputError
        If there is none, one twice, or something else; nothing is sent.
    """
    names = check_questions(ask)
    if not names or len(set(names)) < len(names):
        raise InputError(
            "ask must name each thing to be asked once, and at least one. Pass ask='segment', for example."
        )
    given = check_options(options or {})
    stray = [name for name in given if name not in names]
    if stray:
        raise InputError(f"options has {', '.join(map(repr, stray))}, which is not asked. Add it to ask, or drop it.")
    found = tuple(_question(name, dict(given.get(name, {}))) for name in names)
    for question in found:
        question.call("a.example")  # options that cannot work are refused before anything is read
    return found


def _question(endpoint: str, options: dict[str, Any]) -> Question:
    build: Callable[..., Call]
    if endpoint == "segment":
        build = partial(calls.segment, shape=options.get("format", "structured"))
    elif endpoint == "categorize":
        build = calls.categorize
    elif endpoint == "enrich":
        include = options.get("include")
        include = include if include is None or isinstance(include, str) else tuple(include)
        build = partial(calls.enrich, include=include, wire=options.get("format", "json"))
    else:
        build = partial(
            calls.categorize_content,
            text=None,
            personas=bool(options.get("personas", False)),
            root_fallback=bool(options.get("root_fallback", False)),
        )
    return Question(
        endpoint,
        json.dumps(options, sort_keys=True, default=list),
        endpoint in _DOMAIN_ENDPOINTS,
        lambda target: build(parse_target(target)),
    )
