"""Run the notebooks and store their outputs as nbval will see them: ``python tests/refresh_notebooks.py``."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def refresh(path):
    notebook = nbformat.read(path, as_version=4)
    runner = NotebookClient(
        notebook, timeout=180, kernel_name="python3", record_timing=False, resources={"metadata": {"path": str(FOLDER)}}
    )
    # With emulated Output widgets the client stalls now and then, and stores other outputs than nbval compares.
    runner.comm_open_handlers = {}
    runner.store_widget_state = False
    runner.execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # A stored view without a running kernel shows an error; what is left is the static view.
            output.get("data", {}).pop(WIDGET_VIEW, None)
    nbformat.write(notebook, path)
    print(f"{path.name}: {path.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.name for path in FOLDER.glob("*.ipynb")):
        refresh(FOLDER / name)
