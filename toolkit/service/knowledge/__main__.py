"""Compile the knowledge: ``python -m toolkit.service.knowledge``, after a change of its tables."""

from __future__ import annotations

from toolkit.service.knowledge.compiled import compile_matcher, file_of
from toolkit.service.knowledge.entries import MATCHERS

if __name__ == "__main__":
    for name, (tables, entries) in MATCHERS.items():
        compile_matcher(name, tables, entries)
        print(f"{name}: {file_of(name)}")
