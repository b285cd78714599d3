"""``toolkit lab``: JupyterLab on the starter notebook, without first-run pop-ups."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final

from toolkit.cli.jupyter import jupyter_server, refuse_unwritable, trust
from toolkit.interface.errors import DataError, need

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["STARTER", "open_lab", "provide_notebooks"]

STARTER: Final = "01_lookup.ipynb"
_FOLDER: Final = "notebooks"


def open_lab(folder: Path, options: Sequence[str] = ()) -> int:
    """Open JupyterLab on the starter notebook below a folder, stay until it is stopped, and return 0."""
    need("lab", "toolkit lab", "jupyterlab")
    refuse_unwritable(folder)
    starter = provide_notebooks(folder).relative_to(folder).as_posix()
    settings = [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url=/lab/tree/{starter}"]
    with jupyter_server([*settings, *options]) as server:
        server.start()
    return 0


def provide_notebooks(folder: Path) -> Path:
    """Return the starter notebook below a folder; copy the bundled notebooks there if it has none.

    Notebooks that are there already are left as they are.
    """
    starter = folder / _FOLDER / STARTER
    if starter.exists():
        return starter
    package = files("toolkit")
    # In the package where it was installed, and beside it where the project's own folder is what is installed.
    places = (package / _FOLDER, package / ".." / _FOLDER)
    bundled = next((place for place in places if (place / STARTER).is_file()), None)
    if bundled is None:
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
                trust(copy)
    return starter
