"""Keys and secrets that a command is given: in a file or by the environment, never in its arguments.

Arguments stand in the list of processes, which every user of a machine can read.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolkit.interface.checks import as_secret
from toolkit.interface.errors import ConfigurationError
from toolkit.interface.text import printable

if TYPE_CHECKING:
    from pydantic import SecretStr

__all__ = ["given_secrets"]


def given_secrets(file: str | None, variable: str) -> tuple[SecretStr, ...]:
    """Return the secrets of a file, one a line, or else of an environment variable, where commas separate them too.

    ``-`` is standard input. A file that cannot be read, or has none, is a `ConfigurationError`.
    """
    if file is None:
        return _sealed(os.environ.get(variable, "").replace(",", "\n"))
    name = "standard input" if file == "-" else printable(file)
    try:
        found = _sealed(sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # of what is no text the error holds the bytes
        words = getattr(error, "strerror", None) or "it is no text"
        problem = f"{name} cannot be read: {words}. Name a file with one a line."
    else:
        if found:
            return found
        problem = f"{name} is empty. Write one a line into it, or leave it out and set {variable}."
    raise ConfigurationError(problem)


def _sealed(text: str) -> tuple[SecretStr, ...]:
    return tuple(as_secret(line.strip()) for line in text.splitlines() if line.strip())
