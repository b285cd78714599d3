"""`toolkit lab`: the notebooks it provides, its configuration, and what the installed package brings along."""

import importlib.util
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from toolkit.cli import jupyter, lab
from toolkit.cli import main as cli
from toolkit.cli.lab import STARTER, provide_notebooks
from toolkit.interface.errors import DataError

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "toolkit"
UPDATES = "@jupyterlab/apputils-extension:notification"
WIDGETS = "@jupyter-widgets/jupyterlab-manager:plugin"


def bundle(name):
    """A notebook of the package, as text."""
    cell = {"cell_type": "markdown", "id": "one", "metadata": {}, "source": [f"bundled {name}"]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def bundled(tmp_path, monkeypatch):
    """A folder that stands for the installed package, with notebooks and other things in it."""
    package = tmp_path / "installed"
    notebooks = package / "notebooks"
    notebooks.mkdir(parents=True)
    for name in (STARTER, "02_more.ipynb"):
        (notebooks / name).write_text(bundle(name), encoding="utf-8")
    (notebooks / "picture.png").write_bytes(b"png")
    (notebooks / ".ipynb_checkpoints").mkdir()
    monkeypatch.setattr(lab, "files", lambda _: package)
    return package


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# Notebooks ----------------------------------------------------------------------------------------------------------


def test_notebooks_and_nothing_else_are_copied(bundled, folder):
    provide_notebooks(folder)
    assert names(folder) == ["notebooks"]
    assert names(folder / "notebooks") == [STARTER, "02_more.ipynb"]


def test_starter_is_returned_and_is_the_bundled_one(bundled, folder):
    starter = provide_notebooks(folder)
    assert starter == folder / "notebooks" / STARTER
    assert starter.read_text(encoding="utf-8") == bundle(STARTER)


def test_nothing_is_copied_where_the_starter_is_there(bundled, folder):
    provide_notebooks(folder)
    (folder / "notebooks" / "02_more.ipynb").unlink()
    (folder / "notebooks" / STARTER).write_text("my work", encoding="utf-8")
    provide_notebooks(folder)
    assert names(folder / "notebooks") == [STARTER]
    assert (folder / "notebooks" / STARTER).read_text(encoding="utf-8") == "my work"


def test_other_notebooks_of_the_same_name_are_kept(bundled, folder):
    (folder / "notebooks").mkdir()
    (folder / "notebooks" / "02_more.ipynb").write_text("my work", encoding="utf-8")
    provide_notebooks(folder)
    assert names(folder / "notebooks") == [STARTER, "02_more.ipynb"]
    assert (folder / "notebooks" / "02_more.ipynb").read_text(encoding="utf-8") == "my work"


def test_copy_can_be_written_to(bundled, folder):
    (bundled / "notebooks" / STARTER).chmod(0o444)
    assert provide_notebooks(folder).stat().st_mode & 0o200


def test_project_folder_needs_no_bundled_notebooks(tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "files", lambda _: tmp_path)
    assert provide_notebooks(ROOT) == ROOT / "notebooks" / STARTER


def test_installation_of_the_projects_own_folder_gives_its_notebooks_anywhere(folder):
    starter = provide_notebooks(folder)
    assert starter.read_bytes() == (ROOT / "notebooks" / STARTER).read_bytes()
    assert names(starter.parent) == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_installation_without_notebooks_is_said(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(lab, "files", lambda _: tmp_path)
    with pytest.raises(DataError) as caught:
        provide_notebooks(folder)
    assert str(caught.value) == (
        f"There is no notebooks/{STARTER} below {folder}, and this installation bundles none. "
        "Run the command in the project's folder."
    )
    assert names(folder) == []


def test_command_says_that_there_are_no_notebooks(tmp_path, folder, monkeypatch, capsys):
    monkeypatch.setattr(lab, "files", lambda _: tmp_path)
    monkeypatch.chdir(folder)
    assert cli.main(["lab"]) == 1
    assert capsys.readouterr().err.startswith("toolkit: There is no notebooks/")


# JupyterLab ---------------------------------------------------------------------------------------------------------


class Server:
    """What stands for JupyterLab's server: it is set up as asked, and ends as soon as it is started."""

    ip = "127.0.0.1"
    display_url = "http://127.0.0.1:8888/doc/tree/app.ipynb?token=..."

    def __init__(self, argv, seen):
        self.identity_provider = SimpleNamespace(auth_enabled=True, token="s3cret")
        self.log = logging.getLogger("stands for Jupyter's")
        self.kernel_manager = SimpleNamespace(list_kernels=list)
        self.io_loop = SimpleNamespace(call_later=lambda *_: None)
        self._seen = seen
        seen["argv"] = argv
        seen["path"] = os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep)
        seen["runs"] = os.environ["TOOLKIT_RUNS"]
        seen["files"] = {
            path.relative_to(seen["path"][0]).as_posix(): json.loads(path.read_text(encoding="utf-8"))
            for path in Path(seen["path"][0]).rglob("*.json")
        }

    @classmethod
    def clear_instance(cls):
        """There is none to be cleared."""

    def start(self):
        self._seen["started"] = True
        if failure := self._seen.get("failure"):
            raise failure


@pytest.fixture
def seen(monkeypatch, folder):
    """What JupyterLab is set up with; it is not started."""
    from jupyterlab.labapp import LabApp

    seen = {}
    monkeypatch.setattr(LabApp, "initialize_server", lambda argv: seen.get("server", Server)(argv, seen))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "/somewhere/else")
    monkeypatch.delenv("TOOLKIT_RUNS", raising=False)
    monkeypatch.chdir(folder)
    return seen


@pytest.fixture
def opened(bundled, folder, seen):
    def opening(*options):
        seen["status"] = lab.open_lab(folder, options)
        return seen

    return opening


def test_lab_opens_the_starter_of_its_folder(opened, folder):
    seen = opened()
    assert (seen["status"], seen["started"]) == (0, True)
    assert f"--ServerApp.root_dir={folder}" in seen["argv"]
    assert f"--LabApp.default_url=/lab/tree/notebooks/{STARTER}" in seen["argv"]


def test_options_come_last_so_that_they_win(opened):
    assert opened("--no-browser", "--port=0")["argv"][-2:] == ["--no-browser", "--port=0"]


def test_configuration_switches_first_run_pop_ups_off(opened):
    written = opened()["files"]
    assert written["labconfig/page_config.json"]["disabledExtensions"] == {
        "@jupyterlab/apputils-extension:announcements": True
    }
    assert written["labconfig/default_setting_overrides.json"][UPDATES] == {
        "fetchNews": "false",
        "checkForUpdates": False,
    }


def test_configuration_saves_the_state_of_widgets(opened):
    assert opened()["files"]["labconfig/default_setting_overrides.json"][WIDGETS] == {"saveState": True}


def test_users_own_configuration_is_read_too(opened):
    assert opened()["path"][1:] == ["/somewhere/else"]


def test_kernels_keep_runs_where_the_command_was_started(opened, folder):
    assert opened()["runs"] == str(folder / ".toolkit")


def test_kernels_keep_runs_where_those_of_the_project_are(opened, folder):
    (folder.parent / ".toolkit").mkdir()
    assert opened()["runs"] == str(folder.parent / ".toolkit")


def test_kernels_keep_runs_where_the_environment_says(opened, monkeypatch, tmp_path):
    monkeypatch.setenv("TOOLKIT_RUNS", str(tmp_path / "mine"))
    assert opened()["runs"] == str(tmp_path / "mine")


def test_environment_is_as_before_when_lab_was_stopped(opened):
    opened()
    assert os.environ["JUPYTER_CONFIG_PATH"] == "/somewhere/else"
    assert "TOOLKIT_RUNS" not in os.environ


def test_environment_without_a_configuration_path_has_none_when_lab_was_stopped(opened, monkeypatch):
    monkeypatch.delenv("JUPYTER_CONFIG_PATH")
    opened()
    assert "JUPYTER_CONFIG_PATH" not in os.environ


def test_environment_is_as_before_when_lab_failed(opened, seen):
    seen["failure"] = SystemExit(1)
    with pytest.raises(SystemExit):
        opened()
    assert os.environ["JUPYTER_CONFIG_PATH"] == "/somewhere/else"


def test_configuration_is_gone_when_lab_was_stopped(opened):
    assert not Path(opened()["path"][0]).exists()


def test_configuration_is_where_jupyterlab_looks(monkeypatch, tmp_path):
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path))
    jupyter._write_configuration(tmp_path / "labconfig", {})
    from jupyter_core.paths import jupyter_config_path
    from jupyterlab_server.config import get_page_config

    disabled = get_page_config(jupyter_config_path())["disabledExtensions"]
    assert "@jupyterlab/apputils-extension:announcements" in disabled


@pytest.mark.parametrize("command", ["lab", "app"])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ip": "192.0.2.7"}, "It listens on this machine alone, not at 192.0.2.7. Leave out --ip"),
        ({"ip": ""}, "It listens on this machine alone"),
        ({"ip": "*"}, "It listens on this machine alone"),
        ({"identity_provider": SimpleNamespace(auth_enabled=False, token="")}, "Without a token every program"),
    ],
    ids=["everybody", "every address", "star", "no token"],
)
@pytest.mark.usefixtures("bundled")
def test_a_server_that_others_could_use_is_not_started(seen, command, change, words, capsys):
    class Open(Server):
        def __init__(self, argv, seen):
            super().__init__(argv, seen)
            vars(self).update(change)

    seen["server"] = Open
    assert cli.main([command]) == 1
    assert capsys.readouterr().err.startswith(f"toolkit: {words}")
    assert "started" not in seen


@pytest.mark.parametrize("command", ["lab", "app"])
def test_a_folder_that_cannot_be_written_is_said(command, monkeypatch, capsys):
    monkeypatch.chdir("/proc")  # where not even root can make a file
    assert cli.main([command]) == 1
    assert re.fullmatch(
        r"toolkit: Nothing can be written in /proc: .*\. Go to a folder of your own, and start it there\.\n",
        capsys.readouterr().err,
    )


def test_a_notebook_that_was_copied_is_trusted_and_one_of_the_user_is_not(seen, folder, monkeypatch, tmp_path):
    import nbformat
    from nbformat.sign import NotebookNotary

    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    package = tmp_path / "package"
    shutil.copytree(ROOT / "notebooks", package / "notebooks")
    monkeypatch.setattr(lab, "files", lambda _: package)
    mine = folder / "notebooks" / "06_report.ipynb"
    mine.parent.mkdir()
    shutil.copyfile(ROOT / "notebooks" / mine.name, mine)
    lab.open_lab(folder)
    notary = NotebookNotary()
    checked = {path.name: notary.check_signature(nbformat.read(path, 4)) for path in mine.parent.glob("*.ipynb")}
    notary.store.close()
    assert checked.pop(mine.name) is False
    assert len(checked) >= 5
    assert all(checked.values())


def test_the_app_is_a_notebook_without_the_users_files_and_works_in_the_users_folder(seen, folder, capsys):
    assert cli.main(["app", "--no-browser"]) == 0
    assert f"--MappingKernelManager.root_dir={folder}" in seen["argv"]
    assert "--LabApp.default_url=/doc/tree/app.ipynb" in seen["argv"]
    assert seen["argv"][-1] == "--no-browser"
    assert names(folder) == []
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("The workbench is at http://127.0.0.1:8888/doc/tree/app.ipynb?token=...\n")
    assert "s3cret" not in told.err


# The wheel ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Names of the files in a wheel of this project, and their bytes."""
    folder = tmp_path_factory.mktemp("wheel")
    if importlib.util.find_spec("hatchling"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    else:
        command = [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "-w", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    [path] = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def sources(folder):
    return {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_wheel_has_every_notebook(wheel):
    expected = {path.name: path.read_bytes() for path in (ROOT / "notebooks").glob("*.ipynb")}
    found = {name.rsplit("/", 1)[1]: body for name, body in wheel.items() if name.startswith("toolkit/notebooks/")}
    assert {name: body for name, body in found.items() if name.endswith(".ipynb")} == expected
    assert STARTER in expected


@pytest.mark.parametrize("part", ["service/knowledge", "service/samples", "interface/data"])
def test_wheel_has_every_file_of_the_data(wheel, part):
    expected = sources(PACKAGE / part)
    assert expected
    assert {name: wheel.get(name) for name in expected} == expected


def test_wheel_has_every_sample_site(wheel):
    sites = {path.name for path in (PACKAGE / "service/samples/sites").iterdir() if path.is_dir()}
    found = {match[1] for name in wheel if (match := re.match(r"toolkit/service/samples/sites/([^/]+)/", name))}
    assert found == sites
    assert "torque-journal.example" in found


def test_wheel_has_the_app(wheel):
    expected = sources(PACKAGE / "cli" / "workbench")
    assert {Path(name).name for name in expected} == {"app.ipynb", "package.json", "remoteEntry.js"}
    assert {name: wheel.get(name) for name in expected} == expected


def test_wheel_has_every_module(wheel):
    assert {name for name in sources(PACKAGE) if name.endswith(".py")} <= set(wheel)


def test_wheel_is_typed(wheel):
    assert "toolkit/py.typed" in wheel


@pytest.mark.parametrize("name", ["LICENSE", "NOTICE"])
def test_wheel_has_the_licence_and_its_notice(wheel, name):
    [body] = [body for path, body in wheel.items() if re.fullmatch(rf".*\.dist-info/licenses/{name}", path)]
    assert body == (ROOT / name).read_bytes()


def test_wheel_has_no_tests_and_no_leftovers(wheel):
    odd = re.compile(r"(^|/)(tests?|conftest\.py|__pycache__|\.ipynb_checkpoints|\.[^/]+)(/|$)|test_[^/]*\.py$|\.pyc$")
    assert [name for name in wheel if "/samples/sites/" not in name and odd.search(name)] == []


def test_wheel_holds_nothing_beside_the_package(wheel):
    assert {re.sub(r"^[^/]+\.dist-info$", "dist-info", name.split("/")[0]) for name in wheel} == {
        "toolkit",
        "dist-info",
    }


def test_wheel_gives_the_command(wheel):
    [body] = [body for path, body in wheel.items() if path.endswith(".dist-info/entry_points.txt")]
    assert "toolkit = toolkit.cli.main:command" in body.decode().splitlines()
