"""The pages for people say what is true: every snippet in them is run, every value that they state is looked at."""

import ast
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

import toolkit as tk
from toolkit import charts, cluster, findings, frames, reports, segments, service, widgets
from toolkit.cli.main import main
from toolkit.findings.insights.tautologies import follows

ROOT = Path(__file__).resolve().parent.parent
PLACES = [ROOT / "README.md", *(ROOT / ".github").glob("*.md"), *(ROOT / "toolkit").rglob("README.md")]
TEXTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in sorted([*PLACES, *(ROOT / "tests").rglob("README.md")])
}
README = TEXTS["README.md"]
#: A line with the value that it has: ``answer.audience_type  # 'b2c'``.
VALUED = re.compile(r"^(\S.*?)  # (.+)$", re.MULTILINE)
#: A file of the project, named in a text.
NAMED = re.compile(r"`((?:toolkit|tests|notebooks)/[\w./-]+)`")
#: Calls that are made for what they do.
DONE = {"print", "start", "run", "close", "cleanup", "check"}
LINKED = re.compile(r"\]\(([^)#]+)\)")


def blocks(text, language):
    """Return the blocks of a page in a language, and the number of the line before each."""
    found = re.finditer(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [(block[1], text[: block.start(1)].count("\n")) for block in found]


def shell_lines(text):
    return [line for block, _ in blocks(text, "sh") for line in block.splitlines()]


def stated(snippet):
    """Return the lines of a snippet that end with a value, and the values; other comments are words for people."""
    found = []
    for expression, comment in VALUED.findall(snippet):
        try:
            ast.parse(expression, mode="eval")
            found.append((expression, ast.literal_eval(comment)))
        except (SyntaxError, ValueError):
            continue
    return found


WITH_SNIPPETS = [name for name, text in TEXTS.items() if blocks(text, "python")]
COMMANDS = [line for text in TEXTS.values() for line in shell_lines(text) if line.startswith("toolkit ")]
#: Lines that keep a run, by the name that they give it.
KEEPING = {words[words.index("--name") + 1]: words[1:] for words in map(shlex.split, COMMANDS) if "--name" in words}


def test_there_are_snippets_values_and_commands():
    snippets = {name: [snippet for snippet, _ in blocks(TEXTS[name], "python")] for name in WITH_SNIPPETS}
    assert len(snippets["README.md"]) >= 8
    assert {"toolkit/runs/README.md", "toolkit/findings/README.md", "toolkit/interface/README.md"} <= snippets.keys()
    assert sum(len(stated(snippet)) for page in snippets.values() for snippet in page) >= 30
    assert len(COMMANDS) >= 12


@pytest.mark.parametrize("page", WITH_SNIPPETS)
def test_snippets_run_one_after_the_other_and_have_the_values_they_state(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    wrong = []
    for snippet, line in blocks(TEXTS[page], "python"):
        # The lines before it let an error name the place on the page.
        exec(compile("\n" * line + snippet, page, "exec"), namespace)  # noqa: S102 - the page's own code
        values = [(text, value, eval(text, namespace)) for text, value in stated(snippet)]  # noqa: S307 - as above
        wrong += [(text, value, found) for text, value, found in values if found != value]
    assert wrong == []


def silent(snippet):
    """Return what a snippet looks at and a notebook does not show: neither its last line, nor printed, nor stated."""
    values = {expression for expression, _ in stated(snippet)}
    looked = [node.value for node in ast.parse(snippet).body[:-1] if isinstance(node, ast.Expr)]
    texts = [(node, ast.get_source_segment(snippet, node)) for node in looked]
    return [
        text for node, text in texts if text not in values and not DONE & {call_name(part) for part in ast.walk(node)}
    ]


def call_name(node):
    """Return what is called, if anything is."""
    return getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""


@pytest.mark.parametrize("page", WITH_SNIPPETS)
def test_what_a_snippet_looks_at_is_shown_where_it_is_pasted(page):
    assert [text for snippet, _ in blocks(TEXTS[page], "python") for text in silent(snippet)] == []


def test_comparison_that_the_first_page_shows_does_not_follow_from_how_its_groups_were_made():
    [(call, column)] = re.findall(r'(run\.compare\("(\w+)".*?\))  #', README)
    compared = eval(call, {"run": tk.sample_run()})  # noqa: S307 - the page's own code
    proven = compared[compared["verdict"] == "over"]
    assert len(proven)
    assert [one for one in proven["dimension"].unique() if follows(column, one)] == []


@pytest.mark.parametrize("line", sorted(set(COMMANDS)))
def test_command_succeeds(line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sites.txt").write_text("harvest-table.example\nledgerline.example\n", encoding="utf-8")
    words = shlex.split(line)
    for name in KEEPING.keys() & set(words) if "--name" not in words else ():
        main(KEEPING[name])
    assert main(words[1:]) == 0
    places = [place for option, place in pairwise(words) if option in {"-o", "--out"}]
    assert all((tmp_path / place).exists() for place in places)
    kept = [name for option, name in pairwise(words) if option == "--name"]
    assert set(kept) <= set(tk.runs())
    assert places or kept or capsys.readouterr().out


def test_both_commands_are_one_line_each():
    lines = [line for line in shell_lines(README) if line.startswith("python3 -m venv")]
    assert len(lines) == 2
    assert lines[0].endswith("toolkit lab")
    assert lines[1].endswith("-m pytest")


def test_the_first_page_is_short():
    assert len(README.splitlines()) <= 260


def test_every_public_name_is_named():
    rooms = (tk, charts, cluster, findings, frames, reports, segments, service, widgets)
    public = {name for room in rooms for name in room.__all__ if not name.startswith("__")}
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", "".join(TEXTS.values())))))
    assert sorted(public - words) == []


def test_every_name_of_the_package_stands_on_one_page():
    page = TEXTS["toolkit/interface/README.md"]
    assert [name for name in tk.__all__ if not name.startswith("__") and f"`{name}`" not in page] == []


def test_every_error_class_of_the_table_is_named():
    page = TEXTS["toolkit/interface/README.md"]
    assert [cls.__name__ for cls in tk.errors._CLASSES.values() if f"`{cls.__name__}`" not in page] == []


def test_every_link_leads_to_a_file():
    links = [(name, link) for name, text in TEXTS.items() for link in LINKED.findall(text)]
    inside = [(name, link) for name, link in links if "://" not in link]
    assert [(name, link) for name, link in inside if not (ROOT / name).parent.joinpath(link).exists()] == []


def test_every_file_that_is_named_is_there():
    named = [(name, place) for name, text in TEXTS.items() for place in NAMED.findall(text)]
    assert [(name, place) for name, place in named if not (ROOT / place).exists()] == []


def test_every_page_is_linked_from_another():
    linked = {
        (ROOT / name).parent.joinpath(link).resolve() for name, text in TEXTS.items() for link in LINKED.findall(text)
    }
    assert [name for name in TEXTS if name != "README.md" and (ROOT / name).resolve() not in linked] == []


def test_the_screenshot_is_there():
    assert (ROOT / re.search(r"!\[[^\]]+\]\(([^)]+)\)", README)[1]).stat().st_size > 10_000


def test_the_list_to_paste_has_thirty_sites_of_the_sample_web_that_answer():
    (block,) = re.findall(r"```text\n(agri.*?)```", README, re.DOTALL)
    hosts = re.split(r",\s*", block.strip())
    sites = tk.sample_run().sites().set_index("target")["error"]
    assert len(set(hosts)) == len(hosts) == 30
    assert sites[hosts].isna().all()
