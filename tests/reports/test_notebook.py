"""The report's notebook with other parameters, as papermill runs it for a batch of clients."""

from pathlib import Path

import nbformat
import papermill
import pytest
from pptx import Presentation

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "06_report.ipynb"
# Of papermill's own making, not of the notebook's.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Kernel is running over TCP"),
]


def test_the_notebook_has_a_cell_of_parameters():
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    assert [cell for cell in cells if "parameters" in cell.metadata.get("tags", [])]


def test_the_panel_follows_the_answer_and_the_introduction_says_how_to_run_it():
    introduction, _, panel, *others = nbformat.read(NOTEBOOK, as_version=4).cells
    assert "Run the cell below with **Shift+Enter**." in introduction.source
    assert [cell for cell in others if "**Run > Run All Cells** that takes half a minute" in cell.source]
    assert "tk.widgets.RunPanel(" in panel.source


def test_parameters_name_the_list_the_title_and_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(NOTEBOOK.parents[1]))
    hosts = ["trailhead-outfitters.example", "ledgerline.example", "torque-journal.example", "no site at all"]
    (tmp_path / "sites.txt").write_text("\n".join(hosts), encoding="utf-8")
    given = {
        "targets_file": str(tmp_path / "sites.txt"),
        "title": "Three sites",
        "groups": "",
        "output": str(tmp_path / "three.pptx"),
    }
    papermill.execute_notebook(
        str(NOTEBOOK),
        str(tmp_path / "out.ipynb"),
        parameters=given,
        kernel_name="python3",
        progress_bar=False,
        cwd=str(tmp_path),
        execution_timeout=180,
        log_output=False,
    )
    first = Presentation(tmp_path / "three.pptx").slides[0]
    words = " ".join(shape.text_frame.text for shape in first.shapes if shape.has_text_frame)
    assert "Three sites" in words
    assert "3 different sites, 1 is no web address; of the 3: all answered" in words
    assert {path.name for path in tmp_path.glob("three.*")} == {"three.pptx", "three.html", "three.xlsx"}


def test_reports_are_written_where_the_file_browser_shows_them_and_are_linked():
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells]
    [writing] = [source for source in cells if "run.report(" in source]
    assert 'Path(output or "reports/report.pptx")' in writing
    assert "](<" in writing
    assert not [source for source in cells if "mkdtemp" in source]
