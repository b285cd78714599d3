"""The whole way of a page, from its bytes to what ``/segment`` answers, beside `trafilatura.extract` alone.

``python tests/benchmarks/way.py [--pages N] [--folder FOLDER]``. Each page is taken once by each, in turn, so that the
machine's state weighs on both; what is timed is the processor's time. The pages are those of `pages.py`, or the saved
pages (``*.html``) of a folder, whose times are told by their size, too. Before them some are taken that are not
counted, and all dictionaries are loaded of other languages: that is a cost of the process, not of a page.
Nobody who asks for segments asks for technologies: they are no part of the way, and told beside it. The service finds
them with the first of its answers about a page, whatever that is of, for it keeps what was read of pages.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

import trafilatura
from pages import page_of

from toolkit.service.failures import Failure
from toolkit.service.knowledge.dictionary import LANGUAGES, load_dictionary
from toolkit.service.pages.fetching import Fetched
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified, taken_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolkit.service.pages.parsed import Page

WARMING = 20
#: Bytes by which saved pages are told apart.
SIZES = ((0, 40_000), (40_000, 80_000), (80_000, 130_000), (130_000, 400_000), (400_000, 10_000_000))


@dataclass(frozen=True)
class Measured:
    """A page that was measured: its bytes, its words, and the milliseconds of each part."""

    size: int
    words: int
    spent: dict[str, float]


class Times:
    """Milliseconds of the processor that each part took, page by page."""

    def __init__(self) -> None:
        self.of: dict[str, list[float]] = {}

    def call(self, part: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns, its time counted to a part."""
        begun = time.process_time()
        found = function(*arguments)
        self.of.setdefault(part, []).append(1e3 * (time.process_time() - begun))
        return found


def segmented(url: str, page: Page) -> dict[str, Any]:
    """Return what ``/segment`` answers of a page that is taken apart."""
    return structured_shape(url, classified(page))


def pages_of(folder: Path | None, number: int) -> Iterator[Fetched]:
    """Yield the pages that are measured: the saved ones of a folder, else so many that are built."""
    if folder is None:
        yield from map(page_of, range(number))
    else:
        for file in sorted(folder.glob("*.html")):
            yield Fetched(f"https://saved.example/{file.name}", {}, file.read_bytes(), "text/html", "utf-8")


def timed(fetched: Fetched) -> tuple[Times, int]:
    """Return what the parts of one page took, and its words; none where the service refuses it."""
    times, source = Times(), fetched.body.decode(errors="replace")
    times.call("trafilatura.extract", trafilatura.extract, source)
    page = times.call("parsed and its text extracted", taken_apart, fetched)
    times.call("classified and segmented", segmented, fetched.url, page)
    times.call("technologies", getattr, page, "technologies")
    return times, page.tokens


def measured(pages: Sequence[Fetched]) -> list[Measured]:
    """Measure each page once, after a first round that is not counted."""
    for language in LANGUAGES:
        load_dictionary(language)
    found = []
    for is_counted in (False, True):
        for fetched in pages[: None if is_counted else WARMING]:
            try:
                times, words = timed(fetched)
            except Failure:
                continue  # too few words: there is nothing to measure
            if is_counted:
                found.append(Measured(len(fetched.body), words, {part: spent[0] for part, spent in times.of.items()}))
    return found


def table(found: Sequence[Measured]) -> str:
    """Return the times of some pages as a table."""
    spent = {part: mean(page.spent[part] for page in found) for part in found[0].spent}
    beside, asked = spent.pop("trafilatura.extract"), spent.pop("technologies")
    whole = sum(spent.values())
    rows = [*spent.items(), ("**the whole way**", whole), ("technologies, where they are asked for", asked)]
    lines = [f"| {part} | {milliseconds:.1f} |" for part, milliseconds in rows]
    title = (
        f"{len(found)} pages of {mean(page.size for page in found) / 1000:.0f} KB and "
        f"{mean(page.words for page in found):.0f} words, milliseconds of processor a page"
    )
    ratio = [f"| `trafilatura.extract` alone | {beside:.1f} |", f"| **times as fast** | {beside / whole:.2f} |"]
    return "\n".join([title, "", "| part | ms |", "|---|---:|", *lines, *ratio])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--folder", type=Path)
    wanted = parser.parse_args()
    found = measured(list(pages_of(wanted.folder, wanted.pages)))
    print(table(found))
    for least, most in SIZES if wanted.folder else ():
        if some := [page for page in found if least <= page.size < most]:
            print(f"\nOf {least / 1000:.0f} to {most / 1000:.0f} KB: {table(some)}")


if __name__ == "__main__":
    main()
