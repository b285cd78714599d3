"""`toolkit report`: from a list of sites to a document, refused before anything is paid for where it cannot be."""

import base64
import gzip
import json
import re
import sys

import openpyxl
import pytest
from commands import in_process

from toolkit import client
from toolkit.reports import book
from toolkit.reports.choice import PARTS
from toolkit.saved import sample_run

ROWS = [
    ("torque-journal.example", "Cars"),
    ("https://trailhead-outfitters.example/", "Cars"),
    ("ledgerline.example", "Money"),
    ("atelier-lumiere.example", ""),
    ("two words", "Money"),
]
#: A picture of one dot.
LOGO = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
BRANDS = {
    "bad.toml": "colours = [",
    "bad.json": "{",
    "list.json": "[]",
    "huge.json": '{"font": "' + "x" * 70_000 + '"}',
    "odd.json": '{"shape": "round"}',
    "logo.json": '{"logo": "none.png"}',
    "seven.json": '{"logo": 7}',
}


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run `toolkit report` in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return in_process("report", capsys, monkeypatch)


@pytest.fixture
def sites(tmp_path):
    path = tmp_path / "sites.csv"
    rows = [f"{site},{team},{100 * place}\n" for place, (site, team) in enumerate(ROWS, 1)]
    path.write_text("url,team,Spend\n" + "".join(rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The file of a saved run."""
    return sample_run().save(tmp_path_factory.mktemp("kept") / "saved.gz")


def front(path):
    """The texts of a workbook's first sheet."""
    return [cell.value for row in openpyxl.load_workbook(path).worksheets[0] for cell in row if cell.value]


@pytest.fixture
def nothing_is_asked(monkeypatch):
    def ask(*_, **__):
        raise AssertionError("the service was asked")

    monkeypatch.setattr(client, "Client", ask)


def test_a_table_with_groups_becomes_a_report_that_compares_them(run, sites, tmp_path):
    ran = run(sites, "-o", "teams.xlsx", "--groups", "team", "--baseline", "rest", "--title", "Two teams")
    assert (ran.status, ran.out) == (0, "")
    assert "to ask:" in ran.err
    assert "of the 4: all answered" in ran.err
    assert ran.err.endswith("written: teams.xlsx\n")
    told = front(tmp_path / "teams.xlsx")
    assert told[0] == "Two teams"
    assert told[told.index("Groups") :][2:6] == ["Cars", 2, "Money", 1]
    assert "5 entries: 4 different sites, 1 is no web address; of the 4: all answered" in " ".join(map(str, told))


def test_a_list_on_standard_input_within_a_budget_is_told_to_be_a_part_and_goes_on(run, tmp_path):
    listed = "\n".join(site for site, _ in ROWS[:3])
    part = run("-o", "kites.xlsx", "--budget", "4", "--store", "kites.db", stdin=listed)
    assert part.status == 1
    assert "stopped before the end: the budget is used up; the same command goes on" in part.err

    def limits():
        rows = openpyxl.load_workbook(tmp_path / "kites.xlsx")["Methods"].iter_rows(values_only=True)
        return [str(value) for row in rows for value in row if value]

    stopped = "It is not of the whole list: 5 questions of 9 were not asked"
    assert any(text.startswith(stopped) for text in limits())
    whole = run("-o", "kites.xlsx", "--store", "kites.db", stdin=listed)
    assert whole.status == 0
    assert "2 answered (1 only in part), 1 not asked yet" in whole.err
    assert not any(text.startswith(stopped) for text in limits())


@pytest.mark.usefixtures("nothing_is_asked")
def test_a_saved_run_becomes_a_report_and_nothing_is_asked_again(run, kept, tmp_path):
    ran = run(kept, "-o", "saved.xlsx", "--groups", "audience_type", "--title", "As it was", "--client", "Northwind")
    assert (ran.status, ran.out, ran.err) == (0, "", "written: saved.xlsx\n")
    told = front(tmp_path / "saved.xlsx")
    assert told[0] == "As it was"
    assert told[1].startswith("Northwind · ")
    sizes = sample_run().audiences()["audience_type"].value_counts()
    sizes = sizes[sizes > 0].tolist()
    assert told[told.index("Groups") :][3 : 2 + 2 * len(sizes) : 2] == sizes
    for option in (["--budget", "3"], ["--store", "a.db"], ["--column", "url"]):
        refused = run(kept, "-o", "saved.xlsx", *option)
        assert refused.status == 2
        assert f"{option[0]} is about asking, and of a saved run nothing is asked." in refused.err


def test_parts_are_chosen_and_put_in_order(run, kept, tmp_path):
    assert run(kept, "-o", "a.xlsx", "--parts", "sites, answer,methods").status == 0
    assert openpyxl.load_workbook(tmp_path / "a.xlsx").sheetnames[:4] == [
        "Answer", "Sites", "Everything by site", "Methods",
    ]  # fmt: skip


def test_an_earlier_run_a_brief_and_a_brand_come_into_the_report(run, kept, tmp_path):
    (tmp_path / "looks").mkdir()
    (tmp_path / "looks" / "logo.png").write_bytes(LOGO)
    brand = tmp_path / "looks" / "brand.toml"
    brand.write_text('logo = "logo.png"\ncolours = ["#7A1FA2"]\nfont = "Inter"\n', encoding="utf-8")
    ran = run(kept, "-o", "b.xlsx", "--before", kept, "--brief", 'INT.PETS.*,"Travel"', "--brand", brand)
    assert (ran.status, ran.err) == (0, "written: b.xlsx\n")
    made = openpyxl.load_workbook(tmp_path / "b.xlsx")
    assert made["Answer"]["A1"].font.color.rgb == "FF7A1FA2"
    assert made["Answer"]["A1"].font.name == "Inter"
    assert len(made["Answer"]._images) == 1
    brand.with_suffix(".json").write_text(json.dumps({"colours": "#7A1FA2"}), encoding="utf-8")
    assert run(kept, "-o", "c.xlsx", "--brand", brand.with_suffix(".json"), "--parts", "answer").status == 0


def test_a_weight_is_a_column_of_the_table(run, sites, tmp_path):
    assert run(sites, "-o", "w.xlsx", "--weight", "Spend", "--store", "w.db").status == 0
    said = [cell.value for sheet in openpyxl.load_workbook(tmp_path / "w.xlsx") for row in sheet for cell in row]
    assert any("Spend" in str(value) for value in said)


def test_groups_are_found_columns_too(run, sites, tmp_path):
    assert run(sites, "-o", "g.xlsx", "--groups", "audience_type", "--parts", "answer").status == 0
    assert "Groups" in front(tmp_path / "g.xlsx")


def test_progress_stands_on_one_line_of_a_terminal_and_goes(run, kept, monkeypatch):
    assert "\r" not in run(kept, "-o", "p.xlsx", "--parts", "answer").err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    told = run(kept, "-o", "p.xlsx", "--parts", "answer").err
    lines = told.split("\r")
    shares = [int(found[1]) for line in lines if (found := re.match(r"report: +(\d+) %", line))]
    assert shares == sorted(shares)
    assert shares[-1] == 100
    assert not lines[-2].strip()
    assert lines[-1] == "written: p.xlsx\n"


def test_ctrl_c_leaves_no_half_file_and_the_one_before(run, kept, tmp_path, monkeypatch):
    (tmp_path / "p.xlsx").write_bytes(b"before")

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(book, "book", stopped)
    assert run(kept, "-o", "p.xlsx", "--parts", "answer").status == 130
    assert [path.name for path in tmp_path.iterdir()] == ["p.xlsx"]
    assert (tmp_path / "p.xlsx").read_bytes() == b"before"


def test_a_packed_list_is_no_saved_run(run, tmp_path):
    (tmp_path / "sites.txt.gz").write_bytes(gzip.compress(b"torque-journal.example\n"))
    assert run("sites.txt.gz", "-o", "one.xlsx").status == 0
    assert (tmp_path / "one.xlsx").is_file()


@pytest.mark.usefixtures("nothing_is_asked")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sites.csv"], "the following arguments are required: -o/--out"),
        (["sites.csv", "-o", "report.doc"], "Let it end in .html, .pptx or .xlsx."),
        (["sites.csv", "-o", "nowhere/report.html"], "There is no folder nowhere"),
        (["sites.csv", "-o", "report.html", "--baseline", "Cars"], "Add --groups COLUMN"),
        (["sites.csv", "-o", "report.html", "--groups", "color"], "has no column 'color'"),
        (
            ["sites.csv", "-o", "report.html", "--groups", "team", "--baseline", "Boots"],
            "There is no group 'Boots' for a baseline. Choose from Cars, Money, or take rest.",
        ),
        (["-", "-o", "report.html", "--groups", "team"], "--groups is about a table"),
        (["-", "-o", "report.html", "--column", "url"], "--column is about a table"),
        (["sites.csv", "-o", "report.html", "--title", " "], "--title is empty"),
        (["report.html", "-o", "report.html"], "would be written over LIST"),
        (["sites.csv", "-o", "a.xlsx", "--store", "a.xlsx"], "would be written over --store"),
        (["sites.csv", "-o", "report.html", "--budget", "few"], "a whole number, not 'few'"),
        (
            ["sites.csv", "-o", "report.html", "--parts", "answer,sits"],
            "There is no part 'sits' of a report. Nearest: si",
        ),
        (["sites.csv", "-o", "report.html", "--parts", "answer,changes"], "Add --before SAVED_RUN"),
        (["sites.csv", "-o", "report.html", "--parts", "answer,,sites"], "nothing stands before or after a comma"),
        (["sites.csv", "-o", "report.html", "--parts", ""], "nothing stands before or after a comma"),
        (["sites.csv", "-o", "report.html", "--brief", ","], "nothing stands before or after a comma"),
        (["sites.csv", "-o", "report.html", "--weight", "Cost"], "has no column 'Cost'"),
        (["sites.csv", "-o", "report.html", "--weight", "team"], "is no number: 'Cars'"),
        (["-", "-o", "report.html", "--weight", "Spend"], "--weight is about a table"),
        (["sites.csv", "-o", "report.html", "--before", "sites.csv"], "sites.csv"),
        (["sites.csv", "-o", "report.html", "--before", "none.gz"], "none.gz"),
        (
            ["sites.csv", "-o", "report.html", "--brand", "none.toml"],
            "The brand none.toml cannot be read: No such file",
        ),
        (["sites.csv", "-o", "report.html", "--brand", "sites.csv"], "must be a file that ends in .toml or .json"),
        (["sites.csv", "-o", "report.html", "--brand", "bad.toml"], "The brand bad.toml is no TOML: "),
        (["sites.csv", "-o", "report.html", "--brand", "bad.json"], "The brand bad.json is no JSON: "),
        (["sites.csv", "-o", "report.html", "--brand", "list.json"], "is no table of names and values"),
        (["sites.csv", "-o", "report.html", "--brand", "huge.json"], "has more than 64,000 bytes"),
        (
            ["sites.csv", "-o", "report.html", "--brand", "odd.json"],
            "brand must be a mapping with logo, colours and font",
        ),
        (["sites.csv", "-o", "report.html", "--brand", "logo.json"], "cannot be read: No such file or directory"),
        (["sites.csv", "-o", "report.html", "--brand", "seven.json"], "must be the name of a file, not 7"),
        (["sites.csv", "-o", "report.html", "--template", "a.pptx"], "A template is for slides"),
        (["sites.csv", "-o", "report.pptx", "--template", "a.pptx"], "cannot be read: No such file"),
        (["sites.csv", "-o", "report.pptx", "--template", "sites.csv"], "is no .pptx file"),
        (["sites.csv", "-o", "a.pptx", "--template", "a.pptx"], "would be written over --template"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_asked(run, sites, tmp_path, arguments, message):
    for name, text in BRANDS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ran = run(*arguments)
    assert ran.status == 2
    assert message in " ".join(ran.err.split())
    assert ran.out == ""
    assert not list(tmp_path.glob("report.*"))


def test_the_help_names_every_part_and_the_ends(run, capsys):
    told = " ".join(run("--help").out.split())
    assert ", ".join(PARTS) in told
    for option in ("--client", "--before", "--brief", "--weight", "--brand", "--template", "with 130 on Ctrl-C"):
        assert option in told


def test_of_a_list_without_any_content_the_report_says_what_failed(run, tmp_path):
    ran = run("-o", "report.xlsx", stdin="blank-canvas.example\n")
    assert ran.status == 0
    told = [cell.value for sheet in openpyxl.load_workbook(tmp_path / "report.xlsx") for row in sheet for cell in row]
    assert any("the page has too little text" in str(value) for value in told)
