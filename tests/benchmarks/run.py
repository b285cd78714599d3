"""Measure speed and memory beside what an analyst would write by hand, in the same run.

    python tests/benchmarks/run.py

Prints a table for the README. Nothing here is asserted: figures depend on the machine.
"""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import pandas as pd

import toolkit as tk
from toolkit.service.audience import map_codes
from toolkit.service.content import classify, score
from toolkit.service.fetching import Fetched
from toolkit.service.library import Reading
from toolkit.service.pages import page_from_text, parse_page
from toolkit.service.samples import _root, sample_sites
from toolkit.service.shapes import structured_shape

IMPORT = "import time; t = time.perf_counter(); import {name}; print(time.perf_counter() - t)"


def best_of(function: Callable[[], object], times: int = 5) -> float:
    """Return the seconds of the quickest of several runs."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        function()
        taken.append(time.perf_counter() - started)
    return min(taken)


def page_of(size: int) -> Fetched:
    """Build one HTML page of about so many bytes from the sample web's articles, tags and scripts included."""
    head, parts, total = "<!doctype html><html lang='en'><head><title>Sample</title></head><body><main>", [], 0
    bodies = [file.read_text(encoding="utf-8", errors="ignore") for file in sorted((_root()).rglob("*.html"))]
    for body in bodies * 20:
        inner = body.split("<body", 1)[-1].split(">", 1)[-1].rsplit("</body>", 1)[0]
        if 'lang="en' in body and total < size:
            parts.append(f"<section>{inner}</section>")
            total += len(inner.encode())
    source = (head + "".join(parts))[:size] + "</main></body></html>"
    return Fetched("https://sample.example/", {}, source.encode(), "text/html", "utf-8")


def segment_page(fetched: Fetched) -> dict[str, object]:
    """Do all that the service does with a page that is already fetched."""
    page = parse_page(fetched)
    return structured_shape("https://sample.example/", Reading(page, classify(page)))


def rows() -> list[tuple[str, str, str]]:
    """Measure each thing: what, figure, beside what."""
    found = []
    seconds = [
        float(
            subprocess.run(
                [sys.executable, "-c", IMPORT.format(name=name)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for name in ("toolkit", "pandas")
    ]
    found.append(("`import toolkit`", f"{1000 * seconds[0]:.0f} ms", f"`import pandas`: {1000 * seconds[1]:.0f} ms"))

    classify(page_from_text("warm up the model before it is timed"))
    map_codes(page_from_text("warm up the model before it is timed"), "interest")
    for size in (50_000, 200_000):
        page = page_of(size)
        segment_page(page)
        each = best_of(lambda page=page: segment_page(page))
        found.append((f"segment a fetched page of {size // 1000} KB", f"{1 / each:.0f} pages/s", "one core"))

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
