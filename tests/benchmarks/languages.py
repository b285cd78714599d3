"""Measure on pages in other languages how often the first main category is right, and what its confidence is worth.

    python tests/benchmarks/languages.py [--only PREFIX] [--wrong] PAGES/de.jsonl PAGES/fr.jsonl ...

A file holds the pages of a language, one JSON object a line: ``id``, ``title``, ``main`` (text), ``html`` (empty where
the page is a text), ``url``, ``acceptable`` (main categories that are right) and ``subject`` (false where nothing is).
They must be by authors who have not seen the dictionaries; those that set no weight are told by ``--only`` a prefix of
their ``id``. ``--wrong`` lists what was not answered rightly.
"""

import argparse
import itertools
import json
from collections import defaultdict
from pathlib import Path

from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import page_from_text, parse_page
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.content import classify
from toolkit.service.subjects.readings import Reading

SURE = 0.6
BINS = (0.35, 0.45, 0.6, 0.75, 0.9, 1.01)


def page_of(case):
    """Return the page of a line."""
    if case["html"]:
        return parse_page(Fetched(case["url"], {}, case["html"].encode(), "text/html", "utf-8"))
    return page_from_text(f"{case['title']}\n{case['main']}")


def answer(case):
    """Return the first main category with its confidence (empty and 0 without one), language, interests, intents."""
    page = page_of(case)
    content = classify(page)
    shape = structured_shape(case["url"], Reading(page, content))
    tops = [(category.path, category.confidence) for category in content.v3 if category.tier == 1]
    path, confidence = tops[0] if tops else ("", 0.0)
    return path, confidence, page.detected_language, shape["interests"]["tier2"], shape["purchase_intent"]["codes"]


def main():
    """Print a table by language, and one by confidence."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--wrong", action="store_true")
    wanted = parser.parse_args()
    found = defaultdict(list)
    for file in wanted.files:
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if case["id"].startswith(wanted.only):
                found[file.stem].append((case, *answer(case)))
    table("language", found)
    by_confidence([entry for entries in found.values() for entry in entries if entry[0]["subject"]])
    for name, entries in found.items() if wanted.wrong else ():
        for case, path, confidence, language, *codes in entries:
            if language != name or (path not in case["acceptable"] if case["subject"] else path):
                print(case["id"], language, case["acceptable"], "→", path, confidence, *codes)


def table(head, found):
    """Print what became of the pages of each group, and of all."""
    columns = "pages, right, no answer, wrong, wrong and sure, interests, intents, without subject, of these answered"
    print(f"| {head} | {columns.replace(', ', ' | ')} |\n{'|---' * 10}|")
    every = [entry for entries in found.values() for entry in entries]
    for name, group in (*found.items(), ("all", every)):
        told = [entry for entry in group if entry[0]["subject"]]
        untold = [entry for entry in group if not entry[0]["subject"]]
        right = sum(path in case["acceptable"] for case, path, *_ in told)
        none = sum(not path for _, path, *_ in told)
        sure = sum(path not in case["acceptable"] and sure >= SURE for case, path, sure, *_ in told)
        codes = [sum(bool(entry[place]) for entry in told) for place in (4, 5)]
        wrong = len(told) - right - none
        cells = (
            name,
            len(told),
            right,
            none,
            wrong,
            sure,
            *codes,
            len(untold),
            sum(bool(path) for _, path, *_ in untold),
        )
        print(f"| {' | '.join(map(str, cells))} |")


def by_confidence(entries):
    """Print how many answers of each confidence are right."""
    print("\n| confidence | answers | mean | right |\n|---|---|---|---|")
    for low, high in itertools.pairwise(BINS):
        inside = [(sure, path in case["acceptable"]) for case, path, sure, *_ in entries if low <= sure < high]
        if inside:
            said, right = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            print(f"| {low:.2f} to {min(high, 1.0):.2f} | {len(inside)} | {said:.2f} | {right:.2f} |")


if __name__ == "__main__":
    main()
