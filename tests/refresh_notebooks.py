"""Run the notebooks and store their outputs as nbval will see them: ``python tests/refresh_notebooks.py``."""

import os
import sys
import tempfile
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import nbformat
import plotly.graph_objects as go
from nbclient import NotebookClient
from PIL import Image

from toolkit import charts
from toolkit.charts.pictures import draw_pictures

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
FIGURE = "application/vnd.plotly.v1+json"
PICTURE = "image/png"
WIDTH = 760
COLOURS = 24


def refresh(path):
    notebook = nbformat.read(path, as_version=4)
    runner = NotebookClient(
        notebook, timeout=180, kernel_name="python3", record_timing=False, resources={"metadata": {"path": str(FOLDER)}}
    )
    # With emulated Output widgets the client stalls now and then, and stores other outputs than nbval compares.
    runner.comm_open_handlers = {}
    runner.store_widget_state = False
    runner.execute()
    data = [output.data for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    for shown in data:
        # A stored view without a running kernel shows an error; what is left is the static view.
        shown.pop(WIDGET_VIEW, None)
    draw([shown for shown in data if FIGURE in shown])
    carry_answer(notebook)
    notebook.metadata.language_info = {"name": "python"}
    nbformat.write(notebook, path)
    print(f"{path.name}: {path.stat().st_size / 1024:.0f} KB")


def draw(shown):
    """Give figures a picture and words, for where nothing draws plotly's own form, such as a code-hosting site."""
    figures = {
        str(number): go.Figure(data[FIGURE]["data"], data[FIGURE]["layout"]) for number, data in enumerate(shown)
    }
    pictures = draw_pictures(figures, "png", width=WIDTH, scale=1)
    for name, figure in figures.items():
        shown[int(name)][PICTURE] = small(pictures[name, "png"])
        shown[int(name)]["text/plain"] = charts.alt_text(figure)


def small(picture):
    """Return a PNG of few colours as text: charts need no more, and a notebook with its pictures stays small."""
    written = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS).save(written, "PNG", optimize=True)
    return b64encode(written.getvalue()).decode()


def carry_answer(notebook):
    """Let the Markdown cell tagged ``answer`` say the first line that the code cell of that tag shows."""
    tagged = [cell for cell in notebook.cells if "answer" in cell.metadata.get("tags", [])]
    for above, cell in zip(tagged[::2], tagged[1::2], strict=True):
        above.source = f"Of the sample web the report says: {cell.outputs[0].data['text/markdown'].splitlines()[0]}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as runs:
        os.environ["TOOLKIT_RUNS"] = runs  # an earlier run is no part of what a notebook shows
        for name in sys.argv[1:] or sorted(path.name for path in FOLDER.glob("*.ipynb")):
            refresh(FOLDER / name)
