"""Measure what pages of all kinds score on each category and code, and write it down.

    python tests/benchmarks/attractions.py

An entry whose words are common attracts pages of all kinds; the classifier takes that off. It is measured on the
development pages in ../shared/benchmarks, without their labels, and written to the service's knowledge. To be run
after the terms of categories or codes have changed.
"""

import gzip
import json
from pathlib import Path

import numpy as np

from toolkit.service.readers.audience import code_matcher
from toolkit.service.subjects.content import content_matcher, filtering_matcher

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "toolkit" / "service" / "knowledge" / "attractions.tsv"
PAGES = ("coarse_dev.jsonl.gz", "fine_dev.jsonl.gz")


def texts():
    """Return the texts of the development pages."""
    found = []
    for name in PAGES:
        with gzip.open(ROOT.parent / "shared" / "benchmarks" / name, "rt", encoding="utf-8") as lines:
            found += [json.loads(line)["text"] for line in lines]
    return found


def main():
    """Write the table."""
    pages, lines = texts(), []
    for matcher in (content_matcher(), filtering_matcher(), code_matcher("interest"), code_matcher("purchase_intent")):
        similarity, literal = matcher.evidence(pages)
        meaning = similarity.mean(axis=0) - similarity.mean()
        terms = literal.mean(axis=0) / literal.mean()
        lines += [f"{i}\t{m:.4f}\t{t:.4f}" for i, m, t in zip(matcher.ids, meaning, terms, strict=True)]
        print(f"{len(matcher.ids)} entries; meaning {meaning.std():.3f}, terms {np.median(terms):.2f} in the middle")
    FILE.write_text("\n".join(["id\tmeaning\tterms", *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
