"""Compile the knowledge: ``python -m toolkit.service.knowledge``, after a change of its tables."""

from __future__ import annotations

from toolkit.service.knowledge.compiled import (
    FRAMES,
    SIBLINGS,
    compile_frames,
    compile_matcher,
    compile_siblings,
    file_of,
)
from toolkit.service.knowledge.entries import MATCHERS

if __name__ == "__main__":
    for name, (tables, entries) in MATCHERS.items():
        compile_matcher(name, tables, entries)
        print(f"{name}: {file_of(name)}")
    compile_siblings()
    print(f"{SIBLINGS}: {file_of(SIBLINGS)}")
    compile_frames()
    print(f"{FRAMES}: {file_of(FRAMES)}")
