"""Measure on the development pages how often answers of each confidence are right.

    python tests/benchmarks/calibration.py [--picture FILE.png]

Needs the benchmark pages in ../shared/benchmarks, which are third-party data and no part of the project. Top categories
are held against the labels of the coarse pages, of which a page may have several. Categories below are held against
the one label of a fine page, where they stand under the same parent as the label; what is measured there is the share
of the top category's confidence that the category below keeps.
"""

import argparse
import csv
import gzip
import itertools
import json
from pathlib import Path

from toolkit.service.pages.parsed import page_from_text
from toolkit.service.subjects.content import confidences

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
BINS = (0.3, 0.45, 0.6, 0.75, 0.9, 1.01)
LEAST = 0.3


def pages(name):
    """Return the pages of a file."""
    with gzip.open(SHARED / "benchmarks" / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def parents():
    """Return the parent of each category of content taxonomy v2, empty at the top."""
    with (SHARED / "reference" / "content_taxonomy_2.tsv").open(encoding="utf-8") as lines:
        return {row["id"]: row["parent"] for row in csv.DictReader(lines, delimiter="\t")}


def answers():
    """Return confidence and correctness of each answer: top categories, and those below."""
    labels = json.loads((SHARED / "benchmarks" / "labels.json").read_text(encoding="utf-8"))
    above = parents()

    def lineage(node):
        while node:
            yield node
            node = above[node]

    top, below = [], []
    for page in pages("coarse_dev.jsonl.gz"):
        for node, confidence in confidences(page_from_text(page["text"]), "content-v2").items():
            if not above[node] and confidence >= LEAST:
                top.append((confidence, labels["coarse"][node] in page["labels"]))
    for page in pages("fine_dev.jsonl.gz"):
        found = confidences(page_from_text(page["text"]), "content-v2")
        candidates = labels["fine"][page["group"]]
        for node, confidence in found.items():
            *_, root = lineage(node)
            if node in candidates and node != root and found[root] >= LEAST:
                share = confidence / found[root]
                if share >= LEAST:
                    below.append((share, node == page["label"] or page["label"] in lineage(node)))
    return top, below


def curve(found):
    """Return, for each bin of confidence, number of answers, mean confidence and share that is right."""
    rows = []
    for low, high in itertools.pairwise(BINS):
        inside = [(confidence, right) for confidence, right in found if low <= confidence < high]
        if inside:
            said, right = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            rows.append((low, min(high, 1.0), len(inside), said, right))
    return rows


def expected_error(rows):
    """Return the mean distance between what was said and what was right, weighted by the number of answers."""
    return sum(n * abs(said - right) for *_, n, said, right in rows) / sum(n for *_, n, _, _ in rows)


def title_of(top, below):
    """Return what the curves show."""
    less = max(said - right for *_, said, right in top)
    within = max(abs(said - right) for *_, said, right in below)
    return (
        f"Categories below are right within {100 * within:.0f} points of what is said, "
        f"first ones up to {100 * less:.0f} points less often"
    )


def draw(curves, path):
    """Save a picture of the curves."""
    import plotly.graph_objects as go
    from playwright.sync_api import sync_playwright

    figure = go.Figure(go.Scatter(x=[0, 1], y=[0, 1], mode="lines", name="perfect", line={"dash": "dot"}))
    figure.data[0].line.color = "#888888"
    for (name, rows), colour, symbol in zip(curves.items(), ("#0072B2", "#D55E00"), ("circle", "square"), strict=True):
        n = sum(row[2] for row in rows)
        figure.add_scatter(
            x=[row[3] for row in rows],
            y=[row[4] for row in rows],
            name=f"{name} (n = {n:,})",
            line={"color": colour},
            marker={"symbol": symbol, "size": 9},
        )
    figure.update_layout(
        template="plotly_white",
        title=title_of(*curves.values()),
        xaxis={"title": "mean confidence of the answers", "range": [0, 1], "tickformat": ".0%"},
        yaxis={"title": "share of them that is right", "range": [0, 1], "tickformat": ".0%"},
        legend={"x": 0.02, "y": 0.98},
        width=760,
        height=520,
    )
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 780, "height": 540})
        page.set_content(figure.to_html(include_plotlyjs=True, config={"displayModeBar": False}))
        page.wait_for_selector(".main-svg")
        page.screenshot(path=path)
        browser.close()


def main():
    """Print the tables and draw the picture, if wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture")
    wanted = parser.parse_args()
    curves = dict(zip(("top categories", "categories below"), map(curve, answers()), strict=True))
    print("| answers | confidence | n | mean confidence | right |\n|---|---|---|---|---|")
    for name, rows in curves.items():
        for low, high, n, said, right in rows:
            print(f"| {name} | {low:.2f} to {high:.2f} | {n:,} | {said:.2f} | {right:.2f} |")
    for name, rows in curves.items():
        print(f"{name}: mean distance {expected_error(rows):.3f}")
    if wanted.picture:
        draw(curves, wanted.picture)


if __name__ == "__main__":
    main()
