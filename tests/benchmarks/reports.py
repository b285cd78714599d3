"""How long a report of 30 sites takes in a fresh process, of each kind, and how large it is.

``python tests/benchmarks/reports.py [--sites N] [--times N]``. Beside it, in the same run, what an analyst would write
by hand: a fresh process that counts nine columns of the same run by pandas and writes bars as one page with plotly.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import pandas as pd

from toolkit.client import Client
from toolkit.service.samples import sample_sites

REPORT = """
import sys
from toolkit.saved import load_run
load_run(sys.argv[1]).report(sys.argv[2], groups="Group")
"""
BY_HAND = """
import sys
import plotly.express as px
from toolkit.saved import load_run
audiences = load_run(sys.argv[1]).audiences()
names = [name for name in audiences if audiences[name].nunique() in range(2, 15)][:9]
figures = [px.bar(audiences[name].value_counts(normalize=True), title=name) for name in names]
parts = [figure.to_html(full_html=False, include_plotlyjs=not place) for place, figure in enumerate(figures)]
open(sys.argv[2], "w").write("".join(parts))
"""


def measured(program: str, saved: Path, to: Path, times: int) -> tuple[float, float]:
    """Return the median seconds of a program in fresh processes, and the KB that it wrote."""
    taken = []
    for _ in range(times):
        to.unlink(missing_ok=True)
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", program, str(saved), str(to)], check=True, env=os.environ)
        taken.append(time.perf_counter() - begun)
    return median(taken), to.stat().st_size / 1000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=30)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    hosts = [site.host for site in sample_sites()][: given.sites]
    table = pd.DataFrame({"Domain": hosts, "Group": [("ours", "theirs")[place % 2] for place in range(len(hosts))]})
    with tempfile.TemporaryDirectory() as name, Client() as client:
        folder = Path(name)
        run = client.run(
            table, ["segment", "categorize_content", "enrich"], column="Domain", store=folder / "answers.db"
        )
        run.start(progress=False)
        saved = folder / "run.gz"
        run.save(saved)
        print(f"{len(hosts)} sites, seconds of a fresh process with its imports (median of {given.times})\n")
        print("| what | s | KB |\n|---|---:|---:|")
        for words, ending in (("deck", "pptx"), ("page", "html"), ("workbook", "xlsx")):
            seconds, size = measured(REPORT, saved, folder / f"report.{ending}", given.times)
            print(f"| {words} | {seconds:.1f} | {size:.0f} |")
        seconds, size = measured(BY_HAND, saved, folder / "hand.html", given.times)
        print(f"| by hand: nine bars on a page, pandas and plotly | {seconds:.1f} | {size:.0f} |")


if __name__ == "__main__":
    main()
