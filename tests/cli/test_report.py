"""`toolkit report`: from a list of sites to a document, refused before anything is paid for where it cannot be."""

import gzip

import openpyxl
import pytest
from commands import in_process

from toolkit import client
from toolkit.charts import pictures
from toolkit.saved import sample_run

ROWS = [
    ("torque-journal.example", "Cars"),
    ("https://trailhead-outfitters.example/", "Cars"),
    ("ledgerline.example", "Money"),
    ("atelier-lumiere.example", ""),
    ("two words", "Money"),
]


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run `toolkit report` in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    return in_process("report", capsys, monkeypatch)


@pytest.fixture
def sites(tmp_path):
    path = tmp_path / "sites.csv"
    path.write_text("url,team\n" + "".join(f"{site},{team}\n" for site, team in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def nothing_is_asked(monkeypatch):
    def ask(*_, **__):
        raise AssertionError("the service was asked")

    monkeypatch.setattr(client, "Client", ask)


def test_a_table_with_groups_becomes_a_report_that_compares_them(run, sites, tmp_path):
    ran = run(sites, "-o", "teams.xlsx", "--groups", "team", "--baseline", "rest", "--title", "Two teams")
    assert (ran.status, ran.out) == (0, "")
    assert "to send:" in ran.err
    assert "answered: 12 of 12 questions" in ran.err
    assert ran.err.endswith("written: teams.xlsx\n")
    book = openpyxl.load_workbook(tmp_path / "teams.xlsx")
    assert book["Methods"]["A1"].value == "Two teams"
    sheet = book["Groups compared by audience"]
    assert "Cars (2 sites) and Money (1 site) compared with the rest of the sites" in sheet["A2"].value
    told = [cell.value for cell in book["Methods"]["B"]]
    assert "4 of 5 gave an answer; 1 did not" in told


def test_a_list_on_standard_input_within_a_budget_is_told_to_be_a_part_and_goes_on(run, tmp_path):
    listed = "\n".join(site for site, _ in ROWS[:3])
    part = run("-o", "kites.html", "--budget", "4", "--store", "kites.db", stdin=listed)
    assert part.status == 1
    assert "stopped before the end: the budget is used up; the same command goes on" in part.err
    assert "It is not of the whole list: 5 questions of 9 were not asked" in (tmp_path / "kites.html").read_text(
        "utf-8"
    )
    whole = run("-o", "kites.html", "--store", "kites.db", stdin=listed)
    assert whole.status == 0
    assert "answered before:  4" in whole.err
    text = (tmp_path / "kites.html").read_text("utf-8")
    assert "It is not of the whole list" not in text
    assert "3 of 3 sites with an answer" in text


@pytest.mark.usefixtures("nothing_is_asked")
def test_a_saved_run_becomes_a_report_and_nothing_is_asked_again(run, tmp_path):
    sample = sample_run()
    sample.save(tmp_path / "saved.gz")
    ran = run("saved.gz", "-o", "saved.xlsx", "--groups", "audience_type", "--title", "As it was")
    assert (ran.status, ran.out, ran.err) == (0, "", "written: saved.xlsx\n")
    book = openpyxl.load_workbook(tmp_path / "saved.xlsx")
    assert book["Methods"]["A1"].value == "As it was"
    assert "b2c (51 sites) and b2b (11 sites)" in book["Groups compared by audience"]["A2"].value
    for option in (["--budget", "3"], ["--store", "a.db"], ["--column", "url"]):
        refused = run("saved.gz", "-o", "saved.xlsx", *option)
        assert refused.status == 2
        assert f"{option[0]} is about asking, and of a saved run nothing is asked." in refused.err


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
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_asked(run, sites, arguments, message):
    ran = run(*arguments)
    assert ran.status == 2
    assert message in ran.err
    assert ran.out == ""


def test_of_a_list_without_any_content_the_report_says_what_failed(run, tmp_path):
    ran = run("-o", "report.html", stdin="blank-canvas.example\n")
    assert ran.status == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "No site was answered" in page
    assert "too little text, or the page could not be loaded" in page
