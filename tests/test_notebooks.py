"""Notebooks are stored with their outputs, so that nbval has something to compare."""

from pathlib import Path

import nbformat
from cases import every

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SILENT = ("assert", "from ", "import ")


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_starter_notebook_is_there():
    assert (FOLDER / "01_lookup.ipynb") in NOTEBOOKS


@every("path", NOTEBOOKS)
def test_every_cell_was_run_in_order(path):
    assert [cell.execution_count for cell in code_cells(path)] == list(range(1, len(code_cells(path)) + 1))


@every("path", NOTEBOOKS)
def test_every_cell_that_shows_something_has_stored_outputs(path):
    for cell in code_cells(path):
        last = cell.source.strip().splitlines()[-1].strip()
        if not last.startswith(SILENT) and "parameters" not in cell.metadata.get("tags", []):
            assert cell.outputs, cell.source


@every("path", NOTEBOOKS)
def test_no_stored_output_is_an_error(path):
    assert not [output for cell in code_cells(path) for output in cell.outputs if output.output_type == "error"]


@every("path", NOTEBOOKS)
def test_results_are_asserted(path):
    assert any("assert" in cell.source for cell in code_cells(path))


@every("path", NOTEBOOKS)
def test_notebooks_stay_small(path):
    assert path.stat().st_size < 500_000
