"""The whole way of a page, from its bytes to what ``/segment`` answers, beside `trafilatura.extract` alone.

``python tests/benchmarks/way.py [--pages N]``. Each page is taken once by each, in turn, so that the machine's state
weighs on both; what is timed is the processor's time. The pages are those of `pages.py`.
"""

from __future__ import annotations

import argparse
import os
import time
from statistics import mean
from typing import TYPE_CHECKING, Any

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

import trafilatura
from pages import page_of

from toolkit.service.pages.technologies import find_technologies
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified, taken_apart

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit.service.pages.parsed import Page

WARMING = 20


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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100)
    number: int = parser.parse_args().pages
    words, size = [], []
    times = Times()
    for seed in range(number + WARMING):
        if seed == WARMING:
            times = Times()
        fetched = page_of(seed)
        source = fetched.body.decode()
        times.call("trafilatura.extract", trafilatura.extract, source)
        page = times.call("parsed and its text extracted, technologies among it", taken_apart, fetched)
        times.call("classified and segmented", segmented, fetched.url, page)
        times.call("technologies alone", find_technologies, source, page.scripts, page.metas, page.headers)
        words.append(page.tokens)
        size.append(len(fetched.body))
    spent = {part: mean(each) for part, each in times.of.items()}
    beside, alone = spent.pop("trafilatura.extract"), spent.pop("technologies alone")
    whole = sum(spent.values())
    print(
        f"{number} pages of {mean(size) / 1000:.0f} KB and {mean(words):.0f} words, milliseconds of processor a page\n"
    )
    print("| part | ms |\n|---|---:|")
    for part, each in spent.items():
        print(f"| {part} | {each:.1f} |")
    print(f"| — of which technologies | {alone:.1f} |")
    print(f"| **the whole way** | {whole:.1f} |")
    print(f"| `trafilatura.extract` alone | {beside:.1f} |")
    print(f"| **times as fast** | {beside / whole:.2f} |")


if __name__ == "__main__":
    main()
