"""What a run asks of each target: questions by name, with the options of the client's methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.calls import QUESTIONS, question_of
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from toolkit.interface.calls import Question

__all__ = ["questions_of"]

_OPTIONS: Final[dict[str, tuple[str, ...]]] = {
    "segment": ("format",),
    "categorize": (),
    "categorize_content": ("personas", "root_fallback"),
    "enrich": ("include", "format"),
}


def questions_of(
    ask: str | Iterable[str], options: Mapping[str, Mapping[str, Any]] | None = None
) -> tuple[Question, ...]:
    """Return the questions of a run, each with the keyword arguments that `options` has for it."""
    if not isinstance(ask, Iterable):
        raise InputError(f"ask must be a text or a list of texts, not {type(ask).__name__}.")
    names = (ask,) if isinstance(ask, str) else tuple(ask)
    for name in names:
        if name not in QUESTIONS:
            raise InputError(f"ask must be of {', '.join(map(repr, QUESTIONS))}, not {name!r}.")
    if not names or len(set(names)) < len(names):
        raise InputError(
            "ask must name each thing to be asked once, and at least one. Pass ask='segment', for example."
        )
    given = options or {}
    _check_options(given)
    stray = [name for name in given if name not in names]
    if stray:
        raise InputError(f"options has {', '.join(map(repr, stray))}, which is not asked. Add it to ask, or drop it.")
    return tuple([question_of(name, **given.get(name, {})) for name in names])


def _check_options(options: Mapping[str, Mapping[str, Any]]) -> None:
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
