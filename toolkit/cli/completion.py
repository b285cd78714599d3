"""``toolkit completion``: a script by which a shell completes commands, options and what they choose from."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final, get_args

import shtab

from toolkit.frames.records import FrameName
from toolkit.interface.calls import INCLUDE

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["completion_script"]

#: What stands for a file in the help of an argument.
_FILES: Final = frozenset({"FILE", "FILE.pptx", "INPUT", "LIST", "PLACE", "SAVED_RUN"})
#: Lists of names, of which a shell completes the first.
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "ask": ("segment", "categorize", "categorize_content", "enrich"),
    "frames": get_args(FrameName),
    "include": tuple(INCLUDE),
}


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell; the parser is of no other use afterwards.

    Examples
    --------
    >>> parser = argparse.ArgumentParser("toolkit")
    >>> _ = parser.add_argument("--ask")
    >>> "categorize_content" in completion_script(parser, "bash")
    True
    """
    for action in _actions(parser):
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # so it is told of a single argument
        elif action.dest in _NAMES:
            action.choices = _NAMES[action.dest]
    return shtab.complete(parser, shell)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # noqa: SLF001 - there is no public list
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            commands: dict[str, Any] = action.choices
            for command in commands.values():
                yield from _actions(command)
