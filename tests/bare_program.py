"""What a pipeline does, to be run where none of the extras is installed; prints what came of it as JSON.

The first argument is the only folder of packages; the environment names a service. No tool of the tests is there.
"""

import importlib
import io
import json
import os
import pkgutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from plotly.graph_objects import Figure

import toolkit as tk
from toolkit.cli.main import main

SITES = ["ledgerline.example", "torque-journal.example", "no such site"]


def modules():
    """Import every module; return the missing package by the module that misses one."""
    missing = {}
    for found in pkgutil.walk_packages(tk.__path__, "toolkit."):
        try:
            importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            missing[found.name] = error.name
    return missing


def star():
    """Return how many of the public names resolve."""
    return len([getattr(tk, name) for name in tk.__all__]) == len(tk.__all__)


def pipeline(folder):
    """Ask a service over the network about a list; frames, findings, a segment, charts and a page."""
    with tk.Client() as client:
        single = client.segment(SITES[0])
        with client.run(SITES, ask=["segment", "categorize_content", "enrich"], store=folder / "run.db") as run:
            run.start(progress=False)
            frames = {
                name: len(getattr(run, name)())
                for name in ("audiences", "codes", "categories", "companies", "technologies", "failures")
            }
            run.save(folder / "run.gz")
    codes, categories = (getattr(tk.load_run(folder / "run.gz"), name)() for name in ("codes", "categories"))
    sample = tk.sample_run()
    segment = tk.Segment.parse("income_level >= middle", sample.vocabulary)
    covered = tk.findings.coverage(sample.categories(), "content-v3", sites=sample.sites("content-v3"))
    figure = tk.charts.coverage_treemap(covered)
    sample.report(folder / "report.html")
    return {
        "single": single.subject,
        "frames": frames,
        "saved": [len(codes), len(categories)],
        "shares": len(tk.findings.shares(codes, sites=SITES[:2])),
        "matching": int(segment.match(sample.codes(), sites=sample.sites("codes"))["matches"].sum()),
        "title": figure.layout.title.text,
        "page": (folder / "report.html").read_text(encoding="utf-8")[:15],
    }


def unserved():
    """Ask without a service."""
    for name in [name for name in os.environ if name.startswith("TOOLKIT_")]:
        del os.environ[name]
    tk.Client().segment(SITES[0])


def export(folder):
    """Write a segment as a workbook."""
    from toolkit.segments.export import export_segment

    sample = tk.sample_run()
    segment = tk.Segment.parse("income_level >= middle", sample.vocabulary)
    export_segment(segment, sample.codes(), folder / "segment.xlsx", vocabulary=sample.vocabulary)


def command(*words):
    """Run a command; return its status and what it complained of."""
    written, kept = io.TextIOWrapper(io.BytesIO()), sys.stderr
    sys.stderr = written
    try:
        status = main(words)
    finally:
        sys.stderr = kept
    written.seek(0)
    return f"{status}: {written.read()}"


def said(door):
    """Return what a door said, or what came of it where it opened."""
    try:
        return str(door())
    except tk.ToolkitError as error:
        return f"{type(error).__name__}: {error}"


def doors(folder):
    """Knock at what needs an extra; return what each said."""
    return {
        "client": said(unserved),
        "receiver": said(lambda: tk.Receiver("secret")),
        "serve": said(lambda: command("serve", "--port", "0")),
        "listen": said(lambda: command("listen", "--port", "0")),
        "widget": said(lambda: tk.widgets.Lookup),
        "panel": said(lambda: tk.widgets.RunPanel),
        "lab": said(lambda: command("lab", "--no-browser")),
        "deck": said(lambda: tk.sample_run().report(folder / "report.pptx")),
        "book": said(lambda: tk.sample_run().report(folder / "report.xlsx")),
        "segment": said(lambda: export(folder)),
        "picture": said(lambda: tk.charts.save_pictures({"empty": Figure()}, folder)),
        "cluster": said(lambda: importlib.import_module("toolkit.cluster").run_dask),
    }


with tempfile.TemporaryDirectory() as name:
    place = Path(name)
    came = {"star": star(), "pipeline": pipeline(place), "doors": doors(place), "missing": modules()}
    print(json.dumps({**came, "files": sorted(path.name for path in place.iterdir())}))
