"""``toolkit app``: the workbench alone, for those who want no code. It ends when its window is closed."""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.cli.jupyter import jupyter_server, refuse_unwritable
from toolkit.interface.errors import need

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["open_app"]

_NOTEBOOK: Final = "app.ipynb"
_LOOK_SECONDS: Final = 1


def open_app(folder: Path, options: Sequence[str], ends_after: int) -> int:
    """Open the workbench on a folder, where reports and runs are kept; stay until it is closed, and return 0.

    It is a notebook of the package that JupyterLab shows in single-document mode, and a plugin that runs it on opening
    and hides what is around. The notebook is a copy of its own, so that nothing of the user's folder is shown.
    """
    need("lab", "toolkit app", "jupyterlab")
    refuse_unwritable(folder)
    with as_file(files("toolkit.cli") / "workbench") as bundled, tempfile.TemporaryDirectory("-toolkit-app") as home:
        (Path(home) / _NOTEBOOK).write_bytes((bundled / _NOTEBOOK).read_bytes())
        settings = [
            f"--ServerApp.root_dir={home}",
            f"--LabApp.default_url=/doc/tree/{_NOTEBOOK}",
            f"--MappingKernelManager.root_dir={folder}",
            f"--LabApp.extra_labextensions_path={bundled / 'extensions'}",
            "--LabApp.extension_manager=readonly",
            "--Application.log_level=ERROR",
            "--ServerApp.answer_yes=True",
        ]
        # Without menus nobody can choose a theme: it is that of the system, until JupyterLab was told another.
        with jupyter_server([*settings, *options], themes={"adaptive-theme": True}) as server:
            token = server.identity_provider.token
            server.log.addFilter(lambda record: not token or token not in record.getMessage())
            _say(f"The workbench is at {server.display_url.splitlines()[-1].strip()}")
            _say(f"Reports go to {folder}. It ends when its window is closed, or with Ctrl-C.")
            _Watch(server, timedelta(seconds=ends_after)).look()
            server.start()
    return 0


class _Watch:
    """Ends a server some time after its last window was closed, and not while a kernel is at work."""

    def __init__(self, server: Any, patience: timedelta) -> None:
        self._server, self._patience = server, patience
        self._seen: float | None = None

    def look(self) -> None:
        """Look now, and again in a while."""
        kernels = self._server.kernel_manager.list_kernels()
        if any(kernel["connections"] for kernel in kernels):
            self._seen = time.monotonic()
        elif self._seen is not None and time.monotonic() - self._seen > self._patience.total_seconds():
            since = datetime.now(UTC) - self._patience
            if all(datetime.fromisoformat(kernel["last_activity"]) < since for kernel in kernels):
                self._server.stop()
                return
        self._server.io_loop.call_later(_LOOK_SECONDS, self.look)


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
