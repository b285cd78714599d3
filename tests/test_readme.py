"""The README says what is true: every snippet in it is run."""

import re
from pathlib import Path

import pytest

import toolkit as tk
from toolkit.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SHELL = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
COMMANDS = [line for line in SHELL if line.startswith("toolkit ")]


def test_there_are_snippets_and_commands():
    assert len(PYTHON) >= 8
    assert len(COMMANDS) >= 6


def test_snippets_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    for snippet in PYTHON:
        exec(compile(snippet, "README.md", "exec"), namespace)  # noqa: S102 - the README's own code


@pytest.mark.parametrize("line", COMMANDS)
def test_command_succeeds(line, capsys, tmp_path, monkeypatch):
    import shlex

    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize(("expression", "shown"), re.findall(r"^(answer\S*)  # '(.+)'$", "".join(PYTHON), re.MULTILINE))
def test_values_in_comments_are_true(expression, shown, client):
    answer = client.segment("https://trailhead-outfitters.example/boots")
    assert eval(expression, {"answer": answer}) == shown  # noqa: S307 - the README's own code


def test_both_commands_are_one_line_each():
    lines = [line for line in SHELL if line.startswith("python3 -m venv")]
    assert len(lines) == 2
    assert lines[0].endswith("toolkit lab")
    assert lines[1].endswith("-m pytest")


def test_every_public_name_is_named():
    assert [name for name in tk.__all__ if not name.startswith("__") and f"`{name}`" not in README] == []


def test_every_error_class_of_the_table_is_named():
    assert [cls.__name__ for cls in tk.errors._CLASSES.values() if f"`{cls.__name__}`" not in README] == []


def test_the_screenshot_is_there():
    assert (ROOT / re.search(r"!\[[^\]]+\]\(([^)]+)\)", README)[1]).stat().st_size > 10_000


def test_the_list_to_paste_has_thirty_sites_of_the_sample_web_that_answer():
    (block,) = re.findall(r"```text\n(agri.*?)```", README, re.DOTALL)
    hosts = re.split(r",\s*", block.strip())
    sites = tk.sample_run().sites().set_index("target")["error"]
    assert len(set(hosts)) == len(hosts) == 30
    assert sites[hosts].isna().all()
