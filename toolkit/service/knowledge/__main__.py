"""Compile the knowledge: ``python -m toolkit.service.knowledge``, after a change of its tables."""

from __future__ import annotations

from toolkit.service.knowledge.compiled import compile_matcher, file_of
from toolkit.service.readers.audience import CODES
from toolkit.service.subjects.content import CATEGORIES

if __name__ == "__main__":
    for name, (tables, entries) in {**CATEGORIES, **CODES}.items():
        compile_matcher(name, tables, entries)
        print(f"{name}: {file_of(name)}")
