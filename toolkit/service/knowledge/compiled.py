"""Matchers as arrays in files: what would take seconds to compute from the knowledge is read in a moment.

The tables of the knowledge are what people read and change. The files are made from them by

    python -m toolkit.service.knowledge

and each says from which tables and rules. Where they have changed since, the matcher is computed anew.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.service.knowledge import embedding, lexicon, matching
from toolkit.service.knowledge.lexicon import Lexicon
from toolkit.service.knowledge.matching import Matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.resources.abc import Traversable

    from toolkit.service.knowledge.lexicon import Entry

__all__ = ["compile_matcher", "file_of", "is_compiled", "load_matcher"]

#: Entries come with the names of the tables that they are made of.
_ARRAYS: Final = ("starts", "owners", "weights", "vectors", "weighting")


def load_matcher(name: str, tables: Sequence[str], entries: Callable[[], Sequence[Entry]]) -> Matcher:
    """Return a matcher by its name, from its file where that is up to date with the tables of its entries."""
    if not is_compiled(name, tables):
        return Matcher.built(entries())
    with file_of(name).open("rb") as source, np.load(source, allow_pickle=False) as arrays:
        found = {key: arrays[key] for key in _ARRAYS}
        ids, terms = (bytes(arrays[key]).decode().split("\n") for key in ("ids", "terms"))
    vectors, weighting = found.pop("vectors"), found.pop("weighting")
    return Matcher(ids, Lexicon(len(ids), terms, **found), vectors, weighting)


def is_compiled(name: str, tables: Sequence[str]) -> bool:
    """Tell whether a matcher's file is there and made from the tables and rules as they are."""
    if not file_of(name).is_file():
        return False
    with file_of(name).open("rb") as source, np.load(source, allow_pickle=False) as arrays:
        return bytes(arrays["digest"]) == _digest(tables)


def compile_matcher(name: str, tables: Sequence[str], entries: Callable[[], Sequence[Entry]]) -> None:
    """Compute a matcher and write its file."""
    matcher = Matcher.built(entries())
    np.savez_compressed(
        str(file_of(name)),
        allow_pickle=False,
        digest=_as_bytes(_digest(tables)),
        ids=_as_bytes("\n".join(matcher.ids).encode()),
        terms=_as_bytes("\n".join(matcher.lexicon.terms).encode()),
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
