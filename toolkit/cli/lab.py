"""``toolkit lab``: JupyterLab on the starter notebook, without first-run pop-ups."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolkit.interface.errors import DataError, need

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["STARTER", "open_lab", "provide_notebooks"]

STARTER: Final = "01_lookup.ipynb"
_FOLDER: Final = "notebooks"
_PAGE: Final = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
_SETTINGS: Final = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    # A notebook that is opened again shows its widgets as they were, instead of an error.
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
}


def open_lab(folder: Path, options: Sequence[str] = ()) -> int:
    """Open JupyterLab on the starter notebook below a folder, stay until it is stopped, and return 0."""
    need("lab", "toolkit lab", "jupyterlab")
    starter = provide_notebooks(folder)
    with tempfile.TemporaryDirectory(prefix="toolkit-lab-") as configuration:
        _write_configuration(Path(configuration) / "labconfig")
        argv = [
            f"--ServerApp.root_dir={folder}",
            f"--LabApp.default_url=/lab/tree/{starter.relative_to(folder).as_posix()}",
            *(["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            *options,
        ]
        from jupyterlab.labapp import main  # noqa: PLC0415 - only where it is opened

        with _started_with(["jupyter-lab", *argv], configuration):
            main()
    return 0


@contextmanager
def _started_with(argv: list[str], configuration: str) -> Iterator[None]:
    """Give JupyterLab its arguments, and a configuration folder of this run's own.

    The user's settings are read too and not changed.
    """
    earlier_argv, earlier = sys.argv, os.environ.get("JUPYTER_CONFIG_PATH")
    sys.argv = argv
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(part for part in (configuration, earlier) if part)
    try:
        yield
    finally:
        sys.argv = earlier_argv
        if earlier is None:
            os.environ.pop("JUPYTER_CONFIG_PATH", None)
        else:
            os.environ["JUPYTER_CONFIG_PATH"] = earlier


def provide_notebooks(folder: Path) -> Path:
    """Return the starter notebook below a folder; copy the bundled notebooks there if it has none.

    Notebooks that are there already are left as they are.
    """
    starter = folder / _FOLDER / STARTER
    if starter.exists():
        return starter
    bundled = files("toolkit") / _FOLDER
    if not (bundled / STARTER).is_file():
        raise DataError(
            f"There is no {_FOLDER}/{STARTER} below {folder}, and this installation bundles none. Run the command in "
            "the project's folder."
        )
    with as_file(bundled) as source:
        for notebook in sorted(source.iterdir()):
            copy = folder / _FOLDER / notebook.name
            if notebook.suffix == ".ipynb" and not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(notebook, copy)
    return starter


def _write_configuration(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "page_config.json").write_text(json.dumps(_PAGE), encoding="utf-8")
    (folder / "default_setting_overrides.json").write_text(json.dumps(_SETTINGS), encoding="utf-8")
