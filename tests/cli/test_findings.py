"""`toolkit findings`: what is worth saying of a list or a run, a line a finding."""

import csv
import io

import pandas as pd
import pytest
from commands import in_process

import toolkit as tk
from toolkit import client

SITES = ["torque-journal.example", "ledgerline.example", "atelier-lumiere.example", "harvest-table.example"]


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run `toolkit findings` in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return in_process("findings", capsys, monkeypatch)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return tk.sample_run().save(tmp_path_factory.mktemp("kept") / "saved.gz")


@pytest.fixture(scope="module")
def found():
    return tk.sample_run().findings()


@pytest.fixture
def nothing_is_asked(monkeypatch):
    def ask(*_, **__):
        raise AssertionError("the service was asked")

    monkeypatch.setattr(client, "Client", ask)


@pytest.mark.usefixtures("nothing_is_asked")
def test_a_saved_run_has_a_line_a_finding(run, saved, found):
    ran = run(saved, "--format", "table")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == found.lines()


@pytest.mark.usefixtures("nothing_is_asked")
def test_a_pipe_is_given_json_with_counts_and_sites(run, saved, found):
    told = run(saved).json
    assert [one["sentence"] for one in told] == found["sentence"].tolist()
    assert [one["n"] for one in told] == [None if pd.isna(n) else n for n in found["n"]]
    assert told[0]["sites"] == list(found["sites"].iloc[0])
    assert told[1]["against"] is None


def test_csv_has_a_row_a_finding(run, saved, found):
    rows = list(csv.DictReader(io.StringIO(run(saved, "--format", "csv").out)))
    assert [row["sentence"] for row in rows] == found["sentence"].tolist()
    assert rows[0]["sites"].split() == list(found["sites"].iloc[0])


def test_a_brief_and_groups_are_looked_at(run, saved):
    told = run(saved, "--brief", "Attractions", "--groups", "audience_type").json
    expected = tk.sample_run().findings("audience_type", brief=["Attractions"])
    assert [one["sentence"] for one in told] == expected["sentence"].tolist()


def test_a_list_is_asked_about_and_a_kept_run_is_told(run, tmp_path):
    (tmp_path / "sites.txt").write_text("\n".join(SITES), encoding="utf-8")
    asked = run("sites.txt", "--format", "table")
    assert asked.status == 0
    assert "4 different sites: all answered" in asked.err
    assert asked.out
    [name] = tk.runs()
    kept = run(name, "--format", "table")
    assert (kept.status, kept.out) == (0, asked.out)


def test_what_cannot_be_meant_is_refused(run, saved):
    assert run("no-such-run").status == 2
    refused = run(saved, "--budget", "5")
    assert refused.status == 2
    assert "nothing is asked" in refused.err
    assert run(saved, "--groups", "no such column").status == 2


def test_where_no_site_answered_nothing_is_said(run):
    ran = run("-", "--format", "table", stdin="nowhere.example\n")
    assert (ran.status, ran.out) == (0, "")
    assert "Nothing is worth saying" in ran.err


@pytest.mark.parametrize("listed", ["", "two words\n"])
def test_a_list_of_no_site_is_refused_and_not_kept(run, listed):
    ran = run("-", stdin=listed)
    assert (ran.status, ran.out) == (2, "")
    assert "Nothing in the list is a web address" in ran.err
    assert not len(tk.runs())
