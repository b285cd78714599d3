"""Measure speed and memory beside what an analyst would write by hand, in the same run.

    python tests/benchmarks/run.py

Prints a table for the README beside it. Nothing here is asserted: figures depend on the machine.
"""

import multiprocessing
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import pandas as pd
from selectolax.lexbor import LexborHTMLParser

import toolkit as tk
from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import page_from_text, parse_page
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.samples import _root, sample_sites
from toolkit.service.subjects.content import classify, score
from toolkit.service.subjects.readings import Reading

IMPORT = "import time; t = time.perf_counter(); import {name}; print(time.perf_counter() - t)"
LOAD = """
import numpy, resource, time
t = time.perf_counter()
from toolkit.service.readers.audience import code_matcher
from toolkit.service.subjects.content import content_matcher, filtering_matcher
from toolkit.service.knowledge.embedding import load_embedder
load_embedder(), content_matcher(), filtering_matcher(), code_matcher("interest"), code_matcher("purchase_intent")
print(time.perf_counter() - t)
from toolkit.service.subjects.content import classify
from toolkit.service.subjects.readings import Reading
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.readers.segmentation import structured_shape
page = page_from_text("Fold the flour into the egg whites, then bake the sponge cake for half an hour. " * 200)
structured_shape("", Reading(page, classify(page)))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
#: One thread of each library in each process: otherwise two processes fight for two cores.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}


def best_of(function: Callable[[], object], times: int = 5) -> float:
    """Return the seconds of the quickest of several runs."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        function()
        taken.append(time.perf_counter() - started)
    return min(taken)


def page_of(size: int, seed: int) -> Fetched:
    """Build one article page of so many bytes out of paragraphs of the sample web.

    15 % are main text with its tags, 45 % scripts, 25 % navigation, 15 % styles: about what pages of news sites have.
    """
    files = sorted(_root().rglob("*.html"))
    random.Random(seed).shuffle(files)  # noqa: S311 - the same pages every time
    body = ""
    for source in (file.read_text(encoding="utf-8", errors="ignore") for file in files):
        if 'lang="en"' in source and len(body) < 0.15 * size:
            found = LexborHTMLParser(source).css("p, h2, h3, li")
            body += "".join(f'<div class="c-block">{node.html}</div>' for node in found if len(node.text()) > 20)
    script = "".join(f'window.s{n}={{"slot":"ad-{n}","url":"https://cdn.example/{n}.js"}};' for n in range(size // 132))
    menu = "".join(f'<li class="item-{n}"><a href="/section/{n}/">Section {n}</a></li>' for n in range(size // 232))
    style = "".join(f".c-{n}{{margin:{n}px;color:#fff}}" for n in range(size // 200))
    source = (
        f"<!doctype html><html lang=en><head><title>Article {seed}</title><style>{style}</style>"
        f"<script>{script}</script></head><body><nav><ul>{menu}</ul></nav><main><article>{body[: int(0.15 * size)]}"
        "</article></main></body></html>"
    )
    return Fetched(f"https://sample.example/{seed}", {}, source.encode(), "text/html", "utf-8")


def pages_per_second(size: int, processes: int = 2, each: int = 40) -> float:
    """Segment pages in several processes at once; no page twice, since what was read is partly remembered."""
    with multiprocessing.get_context("spawn").Pool(processes, _segment_some, [(size, 10_000, 3)]) as pool:
        rates = pool.map(_segment_some, [(size, worker * each, each) for worker in range(processes)], chunksize=1)
    return sum(rates)


def _segment_some(work: tuple[int, int, int]) -> float:
    size, first, number = work
    pages = [page_of(size, seed) for seed in range(first, first + number)]
    started = time.perf_counter()
    for page in pages:
        segment_page(page)
    return number / (time.perf_counter() - started)


def fresh(program: str) -> str:
    """Return what a program prints in a fresh interpreter."""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return run.stdout


def segment_page(fetched: Fetched) -> dict[str, object]:
    """Do all that the service does with a page that is already fetched."""
    page = parse_page(fetched)
    return structured_shape("https://sample.example/", Reading(page, classify(page)))


def rows() -> list[tuple[str, str, str]]:
    """Measure each thing: what, figure, beside what."""
    found = []
    seconds = [float(fresh(IMPORT.format(name=name))) for name in ("toolkit", "pandas")]
    found.append(("`import toolkit`", f"{1000 * seconds[0]:.0f} ms", f"`import pandas`: {1000 * seconds[1]:.0f} ms"))

    loaded = fresh(LOAD).split()
    found.append(
        ("load the model and all knowledge", f"{1000 * float(loaded[0]):.0f} ms", "a fresh process, numpy imported")
    )
    found.append(("memory of a service that has answered", f"{float(loaded[1]):.0f} MB", "a process of its own"))
    for size in (50_000, 200_000):
        rate = pages_per_second(size)
        found.append(
            (f"segment a fetched page of {size // 1000} KB", f"{rate:.0f} pages/s", "two processes on two cores")
        )

    classify(page_from_text("warm up the model before it is timed"))
    # Every page of the sample web once: what is scored twice is partly remembered.
    files = sorted(_root().rglob("*.html"))
    texts = [file.read_text(encoding="utf-8", errors="ignore") for file in files]
    each = best_of(lambda: score(texts), 1)
    speed = f"{sum(map(len, texts)) / each:,.0f} characters/s"
    found.append(("score texts against 698 categories", speed, "two cores"))

    client = tk.Client()
    vocabulary = client.filters()
    answers = [client.segment(site.host) for site in sample_sites() if answers_well(client, site.host)] * 40
    raws = [answer.raw for answer in answers]
    mine = best_of(lambda: tk.frames.audiences(answers, vocabulary), 3)
    theirs = best_of(lambda: pd.json_normalize(raws), 3)
    found.append(
        (
            f"audiences frame of {len(answers):,} answers",
            f"{1000 * mine:.0f} ms",
            f"`pandas.json_normalize` on the raw answers: {1000 * theirs:.0f} ms ({theirs / mine:.1f} ×)",
        )
    )
    text = "Fold the flour into the egg whites, then bake the sponge cake for half an hour."
    through = statistics.median(best_of(lambda: client.categorize_content(text=text), 1) for _ in range(30))
    direct = statistics.median(best_of(lambda: classify(page_from_text(text)), 1) for _ in range(30))
    alone = f"the classifier alone: {1000 * direct:.1f} ms"
    found.append(("categorize a text through the client", f"{1000 * through:.1f} ms", alone))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found.append(("memory of this process at its peak", f"{peak:.0f} MB", "client, service, model and frames together"))
    return found


def answers_well(client: tk.Client, host: str) -> bool:
    """Tell whether a sample site can be segmented."""
    try:
        client.segment(host)
    except tk.ServiceError:
        return False
    return True


if __name__ == "__main__":
    print("| what | measured | beside |\n|---|---|---|")
    for row in rows():
        print(f"| {' | '.join(row)} |")
