"""Matchers as arrays in files: what would take seconds to compute from the knowledge is read in a moment.

The tables of the knowledge are what people read and change. The files are made from them by

    python -m toolkit.service.knowledge

and each says from which tables and rules. Where they have changed since, the matcher is computed anew.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from toolkit.service.knowledge import embedding, lexicon, matching
from toolkit.service.knowledge.lexicon import Lexicon, Terms
from toolkit.service.knowledge.matching import Matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

    from toolkit.service.knowledge.lexicon import Entry

__all__ = ["compile_matcher", "file_of", "is_compiled", "load_matcher"]


def load_matcher(name: str, tables: Sequence[str], entries: Callable[[], Sequence[Entry]]) -> Matcher:
    """Return a matcher by its name, from its file where that is up to date with the tables of its entries."""
    arrays = _compiled(name, tables)
    if arrays is None:
        return Matcher.built(entries())
    ids, terms = bytes(arrays["ids"]).decode().split("\n"), Terms(bytes(arrays["terms"]), arrays["keys"])
    lexicon = Lexicon(len(ids), terms, arrays["starts"], arrays["owners"], arrays["weights"])
    return Matcher(ids, lexicon, arrays["vectors"], arrays["weighting"])


def is_compiled(name: str, tables: Sequence[str]) -> bool:
    """Tell whether a matcher's file is there and made from the tables and rules as they are."""
    return _compiled(name, tables) is not None


def _compiled(name: str, tables: Sequence[str]) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of a matcher's file, None where it is not there or not made from the tables as they are."""
    if not file_of(name).is_file():
        return None
    with file_of(name).open("rb") as source, np.load(source, allow_pickle=False) as arrays:
        return dict(arrays) if bytes(arrays["digest"]) == _digest(tables) else None


def compile_matcher(name: str, tables: Sequence[str], entries: Callable[[], Sequence[Entry]]) -> None:
    """Compute a matcher and write its file."""
    matcher = Matcher.built(entries())
    np.savez(
        str(file_of(name)),
        allow_pickle=False,
        digest=_as_bytes(_digest(tables)),
        ids=_as_bytes("\n".join(matcher.ids).encode()),
        terms=_as_bytes(matcher.lexicon.terms.joined),
        keys=matcher.lexicon.terms.keys,
        starts=matcher.lexicon.starts,
        owners=matcher.lexicon.owners,
        weights=matcher.lexicon.weights,
        vectors=matcher.vectors,
        weighting=matcher.weighting,
    )


def _as_bytes(content: bytes) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(content, dtype=np.uint8)


def _digest(tables: Sequence[str]) -> bytes:
    found = hashlib.sha256()
    for table in tables:
        found.update(files("toolkit.service.knowledge").joinpath(table).read_bytes())
    for module in (embedding, lexicon, matching):
        found.update(
            files("toolkit.service.knowledge").joinpath(f"{module.__name__.rpartition('.')[2]}.py").read_bytes()
        )
    return found.digest()


def file_of(name: str) -> Traversable:
    """Return the place of a matcher's file."""
    return files("toolkit.service.knowledge").joinpath(f"{name}.npz")
