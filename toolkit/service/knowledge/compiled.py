"""Matchers, and what tells siblings and kinds of pages apart, as arrays in files.

What would take seconds to compute from the knowledge is read in a moment.

The tables of the knowledge are what people read and change. The files are made from them by

    python -m toolkit.service.knowledge

and each says from which tables and rules. Where they have changed since, the matcher is computed anew. What examples
taught is read as it is; it is learned where the pages are (`tests.judged.learning`).
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from toolkit.service.knowledge import embedding, examples, frames, lexicon, matching, pieces, siblings
from toolkit.service.knowledge.entries import MATCHERS
from toolkit.service.knowledge.examples import Examples, Neighbours
from toolkit.service.knowledge.frames import Frames
from toolkit.service.knowledge.lexicon import COLOURING, Lexicon, Terms
from toolkit.service.knowledge.matching import Matcher
from toolkit.service.knowledge.siblings import Siblings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

    from toolkit.service.knowledge.lexicon import Entry

__all__ = [
    "EXAMPLES",
    "FRAMES",
    "KINDS",
    "SIBLINGS",
    "compile_frames",
    "compile_matcher",
    "compile_siblings",
    "content_matcher",
    "file_of",
    "is_compiled",
    "kind_examples",
    "load_frames",
    "load_matcher",
    "load_siblings",
    "subject_examples",
    "write_examples",
]

#: The names of the files of what tells siblings apart, of kinds of pages, and of what examples taught: of subjects and
#: readers, and of kinds of pages.
SIBLINGS: Final = "siblings"
FRAMES: Final = "frames"
EXAMPLES: Final = "examples"
KINDS: Final = "kinds"


def load_matcher(name: str, tables: Sequence[str], entries: Callable[[], Sequence[Entry]]) -> Matcher:
    """Return a matcher by its name, from its file where that is up to date with the tables of its entries."""
    arrays = _compiled(name, tables)
    if arrays is None:
        return Matcher.built(entries())
    ids = bytes(arrays["ids"]).decode().split("\n")
    return Matcher(ids, _lexicon_of(arrays), arrays["vectors"], arrays["weighting"])


# The subjects of pages and the words of hosts ask.
@cache
def content_matcher() -> Matcher:
    """Return the matcher of both content taxonomies, loaded once."""
    return load_matcher("content_categories", *MATCHERS["content_categories"])


def load_siblings() -> Siblings:
    """Return what tells siblings apart, from its file where that is up to date."""
    arrays = _compiled(SIBLINGS, siblings.TABLES)
    return Siblings.built() if arrays is None else Siblings(_lexicon_of(arrays), arrays["rows"])


def load_frames() -> Frames:
    """Return the words of kinds of pages, from their file where that is up to date."""
    arrays = _compiled(FRAMES, frames.TABLES)
    if arrays is None:
        return Frames.built()
    return Frames(_lexicon_of(arrays), bytes(arrays["paths"]).decode().split("\n"))


# Subjects, readers and their reasons ask.
@cache
def subject_examples() -> Examples:
    """Return what examples taught of what pages are of and who reads them, loaded once."""
    return _examples(EXAMPLES)


# Kinds of pages and notices ask.
@cache
def kind_examples() -> Examples:
    """Return what pages of known kinds and notices taught, loaded once."""
    return _examples(KINDS)


def _examples(name: str) -> Examples:
    """Return what examples taught, from its file: only where the pages are can it be learned anew (`tests.judged`)."""
    with file_of(name).open("rb") as source, np.load(source, allow_pickle=False) as arrays:
        terms = Terms(bytes(arrays["terms"]), arrays["keys"])
        lines = [line.split("\t") for line in bytes(arrays["answers"]).decode().split("\n")]
        parts = (arrays[name].astype(np.float32) for name in ("rarity", "weights", "biases"))
        answers = {question: each for question, *each in lines}
        near = None
        if "paths" in arrays:
            paths = tuple(bytes(arrays["paths"]).decode().split("\n"))
            starts, holders, lengths, subjects, firms = (arrays[name] for name in Neighbours._fields[:-1])
            near = Neighbours(starts, holders, lengths, subjects, firms, paths)
        return Examples(answers, terms, *parts, source=bytes(arrays["source"]).decode(), neighbours=near)


def is_compiled(name: str, tables: Sequence[str]) -> bool:
    """Tell whether a file is there and made from the tables and rules as they are."""
    return _compiled(name, tables) is not None


def _compiled(name: str, tables: Sequence[str]) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of a file, None where it is not there or not made from the tables as they are."""
    if not file_of(name).is_file():
        return None
    with file_of(name).open("rb") as source, np.load(source, allow_pickle=False) as arrays:
        return dict(arrays) if bytes(arrays["digest"]) == _digest(tables) else None


def compile_matcher(name: str, tables: Sequence[str], entries: Callable[[], Sequence[Entry]]) -> None:
    """Compute a matcher and write its file."""
    matcher = Matcher.built(entries())
    ids = _as_bytes("\n".join(matcher.ids).encode())
    _write(name, tables, matcher.lexicon, ids=ids, vectors=matcher.vectors, weighting=matcher.weighting)


def compile_siblings() -> None:
    """Read what tells siblings apart, and write its file."""
    found = Siblings.built()
    _write(SIBLINGS, siblings.TABLES, found.lexicon, rows=found.rows)


def compile_frames() -> None:
    """Read the words of kinds of pages, and write their file."""
    found = Frames.built()
    _write(FRAMES, frames.TABLES, found.lexicon, paths=_as_bytes("\n".join(found.paths).encode()))


def write_examples(name: str, found: Examples) -> None:
    """Write a file of what examples taught; weights of half the precision say as much in half the room."""
    near: dict[str, NDArray[Any]] = {}
    if found.neighbours is not None:
        near = found.neighbours._asdict() | {"paths": _as_bytes("\n".join(found.neighbours.paths).encode())}
    np.savez(
        str(file_of(name)),
        allow_pickle=False,
        digest=_as_bytes(_digest(examples.TABLES)),
        answers=_as_bytes("\n".join("\t".join((question, *each)) for question, each in found.answers.items()).encode()),
        terms=_as_bytes(found.terms.joined),
        keys=found.terms.keys,
        rarity=found.rarity,
        weights=found.weights.astype(np.float16),
        biases=found.biases,
        source=_as_bytes(found.source.encode()),
        **near,
    )


def _write(name: str, tables: Sequence[str], lexicon: Lexicon, **arrays: NDArray[Any]) -> None:
    np.savez(
        str(file_of(name)),
        allow_pickle=False,
        digest=_as_bytes(_digest(tables)),
        size=np.array(lexicon.size),
        terms=_as_bytes(lexicon.terms.joined),
        keys=lexicon.terms.keys,
        starts=lexicon.starts,
        owners=lexicon.owners,
        weights=lexicon.weights,
        colours=lexicon.colours,
        **arrays,
    )


def _lexicon_of(arrays: dict[str, NDArray[Any]]) -> Lexicon:
    terms = Terms(bytes(arrays["terms"]), arrays["keys"])
    parts = (arrays[name] for name in ("starts", "owners", "weights"))
    return Lexicon(int(arrays["size"]), terms, *parts, colours=arrays["colours"])


def _as_bytes(content: bytes) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(content, dtype=np.uint8)


def _digest(tables: Sequence[str]) -> bytes:
    found = hashlib.sha256()
    for table in (*tables, COLOURING):
        found.update(files("toolkit.service.knowledge").joinpath(table).read_bytes())
    for module in (embedding, examples, frames, lexicon, matching, pieces, siblings):
        found.update(
            files("toolkit.service.knowledge").joinpath(f"{module.__name__.rpartition('.')[2]}.py").read_bytes()
        )
    return found.digest()


def file_of(name: str) -> Traversable:
    """Return the place of a file by its name."""
    return files("toolkit.service.knowledge").joinpath(f"{name}.npz")
