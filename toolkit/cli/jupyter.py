"""JupyterLab as the toolkit starts it: on this machine alone, without first-run pop-ups, in the user's folder."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from toolkit.interface.errors import ConfigurationError, DataError
from toolkit.store.answers import project_folder
from toolkit.webhooks.receiver import is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["jupyter_server", "refuse_unwritable", "trust"]

_RUNS: Final = "TOOLKIT_RUNS"
_PAGE: Final = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
_SETTINGS: Final = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    # A notebook that is opened again shows its widgets as they were, instead of an error.
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
}


@contextmanager
def jupyter_server(options: Sequence[str], **settings: Mapping[str, Any]) -> Iterator[Any]:
    """Give a JupyterLab that is about to start, with settings of its `apputils-extension` beside the usual ones.

    The user's settings are read too and not changed. Runs of its kernels are kept where those of the folder are that
    the command was started in, wherever a notebook lies. Where others could reach it, it is a `ConfigurationError`.
    """
    from jupyterlab.labapp import LabApp  # noqa: PLC0415 - only where it is opened

    with tempfile.TemporaryDirectory(prefix="toolkit-lab-") as configuration:
        more = {f"@jupyterlab/apputils-extension:{name}": values for name, values in settings.items()}
        _write_configuration(Path(configuration) / "labconfig", more)
        earlier = os.environ.get("JUPYTER_CONFIG_PATH")
        path = os.pathsep.join(part for part in (configuration, earlier) if part)
        with _environment({"JUPYTER_CONFIG_PATH": path, _RUNS: str(project_folder())}):
            root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
            server = LabApp.initialize_server(argv=[*root, *options])
            try:
                _refuse_others(server)
                yield server
            finally:
                LabApp.clear_instance()
                type(server).clear_instance()


def refuse_unwritable(folder: Path) -> None:
    """Raise a `DataError` for a folder in which no file can be made."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise DataError(
            f"Nothing can be written in {folder}: {error.strerror}. Go to a folder of your own, and start it there."
        ) from None


def trust(notebook: Path) -> None:
    """Sign a notebook just copied from the package, so that its widgets come back when it is opened again."""
    import nbformat  # noqa: PLC0415 - only where it is opened
    from nbformat.sign import NotebookNotary  # noqa: PLC0415

    notary = cast("Any", NotebookNotary)()
    try:
        notary.sign(cast("Any", nbformat).read(notebook, nbformat.NO_CONVERT))
    finally:
        notary.store.close()


def _refuse_others(server: Any) -> None:
    if not is_loopback(server.ip):
        raise ConfigurationError(
            f"It listens on this machine alone, not at {server.ip}. Leave out --ip, and c.ServerApp.ip of Jupyter's "
            "configuration; for others start jupyter lab itself."
        )
    if not server.identity_provider.auth_enabled:
        raise ConfigurationError(
            "Without a token every program of this machine could use it. Leave out the empty token, and that of "
            "Jupyter's configuration."
        )


@contextmanager
def _environment(names: dict[str, str]) -> Iterator[None]:
    earlier = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    try:
        yield
    finally:
        for name, value in earlier.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _write_configuration(folder: Path, settings: Mapping[str, Mapping[str, Any]]) -> None:
    folder.mkdir(parents=True)
    (folder / "page_config.json").write_text(json.dumps(_PAGE), encoding="utf-8")
    (folder / "default_setting_overrides.json").write_text(json.dumps({**_SETTINGS, **settings}), encoding="utf-8")
