"""Runs are kept by name in one place a project, and found, gone on with, renamed and deleted there."""

import os
import re
import stat
import subprocess
import sys
import threading
from collections import Counter
from datetime import UTC, datetime

import pandas as pd
import pytest
from paying import Paid

import toolkit as tk
from toolkit.interface import errors

SITES = ["torque-journal.example", "ledgerline.example", "nowhere.example", "my shop"]
TODAY = f"{datetime.now(UTC).astimezone():%Y-%m-%d}"


@pytest.fixture
def paid():
    return Paid()


def finished(client, targets=SITES, **how):
    with client.run(targets, **how) as run:
        return run.start(progress=False).name


# Where ---------------------------------------------------------------------------------------------------------------


def test_without_a_place_runs_are_in_the_nearest_folder_above_or_else_here(client, tmp_path, monkeypatch):
    monkeypatch.delenv("TOOLKIT_RUNS")
    (tmp_path / "work" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")
    assert list(tk.runs()) == []
    assert not (tmp_path / "work" / ".toolkit").exists()
    finished(client, name="spring")
    monkeypatch.chdir(tmp_path / "work" / "deep")
    assert list(tk.runs()) == ["spring"]
    finished(client, SITES[:1], name="summer")
    assert not (tmp_path / "work" / "deep" / ".toolkit").exists()
    assert tk.runs().path == tmp_path / "work" / ".toolkit" / "runs.db"
    assert (tmp_path / "work" / ".toolkit" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_what_is_kept_is_its_owners_alone(client, tmp_path, monkeypatch):
    monkeypatch.setenv("TOOLKIT_RUNS", str(tmp_path / "kept"))
    finished(client)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode) for path in [tmp_path / "kept", *(tmp_path / "kept").iterdir()]
    }
    assert modes.pop("kept") == 0o700
    assert set(modes.values()) == {0o600}


def test_where_nothing_can_be_kept_is_told_with_what_to_do(client, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TOOLKIT_RUNS", str(tmp_path / "file" / "below"))
    with pytest.raises(errors.StoreError, match=r"TOOLKIT_RUNS.*store=False"):
        client.run(SITES)
    assert client.ask(SITES, store=False).progress.state == "finished"


def test_a_store_that_is_named_keeps_the_run_there(client, tmp_path):
    name = finished(client, store=tmp_path / "own.db")
    assert list(tk.runs()) == []
    assert list(tk.runs(tmp_path / "own.db")) == [name]


# Names ---------------------------------------------------------------------------------------------------------------


def test_a_run_is_named_after_its_file_or_first_site_and_the_day(client, tmp_path):
    (tmp_path / "spring sites.csv").write_text("url\n" + "\n".join(SITES[:2]), encoding="utf-8")
    assert finished(client, tmp_path / "spring sites.csv") == f"spring-sites-{TODAY}"
    assert finished(client, ["my shop", "https://torque-journal.example/cars"]) == f"torque-journal.example-{TODAY}"
    assert finished(client, ["torque-journal.example"]) == f"torque-journal.example-{TODAY}-2"
    assert finished(client, ["no site at all"]) == f"run-{TODAY}"


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 61, "a\nb", "<b>", 5, "end."])
def test_what_is_no_name_of_a_file_is_refused(client, name):
    with pytest.raises(errors.InputError, match="cannot be the name of a run"):
        client.run(SITES, name=name)


def test_the_name_of_another_list_is_refused_and_its_run_stays(client):
    finished(client, name="spring")
    with client.run(SITES[:1], name="Spring") as other, pytest.raises(errors.InputError, match="Choose another name"):
        other.plan()
    assert tk.runs().about("spring").sites == 3


def test_a_run_is_renamed_and_deleted_with_what_is_its_alone(client):
    finished(client, name="spring")
    finished(client, SITES[:1], name="one")
    kept = tk.runs()
    kept.rename("spring", "summer")
    assert list(kept) == ["one", "summer"]
    with pytest.raises(errors.InputError, match="Choose another name"):
        kept.rename("summer", "ONE")
    kept.delete("summer")
    assert list(kept) == ["one"]
    with pytest.raises(errors.InputError, match="There are one"):
        kept["summer"]
    with kept["one"] as run:
        assert run.audiences()["status"].tolist() == [200]
    with tk.Store(kept.path) as store:
        assert store.count() == 1


# Going on ------------------------------------------------------------------------------------------------------------


def test_the_same_list_finds_its_finished_run_and_asks_nothing(paid):
    with paid.client() as client:
        name = finished(client, ["a.example", "b.example"])
        with client.run(["a.example", "b.example"]) as again:
            assert (again.plan().to_send, again.name, again.progress.state) == (0, name, "finished")
            assert again.audiences()["status"].tolist() == [200, 200]
            assert again.start(progress=False).progress.credits_used == 2
        assert Counter(paid.asked) == {"a.example": 1, "b.example": 1}
        assert list(tk.runs()) == [name]
        assert finished(client, ["a.example", "b.example"], refresh=True) == f"{name}-2"
        assert Counter(paid.asked) == {"a.example": 2, "b.example": 2}


@pytest.mark.parametrize("of_client", [True, False])
def test_in_a_store_that_is_named_a_finished_list_without_a_name_is_a_further_run_that_pays_nothing(
    tmp_path, of_client
):
    path = tmp_path / "answers.db"
    client = tk.Client(store=path) if of_client else tk.Client()
    where = {} if of_client else {"store": path}
    with client:
        for name, spent in ((None, 2), (None, 0), ("spring", 0), ("spring", 0)):
            with client.ask(SITES[:2], "segment", **where, **({"name": name} if name else {})) as run:
                assert run.progress.credits_used == spent
    named, first, second = sorted(tk.runs(path))
    assert (second, named) == (f"{first}-2", "spring")


def test_another_list_pays_nothing_for_what_a_kept_run_has(paid):
    with paid.client() as client:
        finished(client, ["a.example", "b.example"])
        finished(client, ["b.example", "c.example"])
    assert Counter(paid.asked) == {"a.example": 1, "b.example": 1, "c.example": 1}


def test_a_run_that_stopped_is_opened_by_name_and_gone_on_with(paid):
    with paid.client() as client:
        with client.run([f"site-{number}.example" for number in range(5)], name="spring", budget=2) as run:
            run.start(progress=False)
        kept = tk.runs(client=client)
        assert str(kept.about("spring")) == "stopped, 2 of 5 answers, 2 credits"
        with kept["spring"] as run:
            assert run.progress.state == "stopped"
            assert run.audiences()["status"].notna().sum() == 2
            assert run.start(progress=False).progress.state == "finished"
        assert str(kept.about("spring")) == "5 answers, 5 credits"
    assert set(Counter(paid.asked).values()) == {1}


def test_a_run_is_opened_with_its_table_and_questions(client):
    table = pd.DataFrame({"Shop": ["A", "B"], "url": ["torque-journal.example", "ledgerline.example"]})
    options = {"enrich": {"include": "company"}}
    finished(client, table, ask=["segment", "enrich"], options=options, column="url", name="spring")
    with tk.runs(client=client)["spring"] as run:
        assert run.asked == ("segment", "enrich")
        assert run.table.to_dict("list") == table.to_dict("list")
        assert run.companies()["status"].tolist() == [200, 200]
        assert run.plan().to_send == 0


def test_a_run_in_batches_is_opened_as_one(client):
    finished(client, SITES[:2], ask="categorize", by="batch", name="jobs")
    with tk.runs(client=client)["jobs"] as run:
        assert len(run.batches) == 1
        assert run.categories()["error"].isna().all()


def test_a_run_of_another_service_is_not_gone_on_with(client, paid):
    finished(client, name="spring")
    with paid.client() as other, pytest.raises(errors.ConfigurationError, match="Open it with a client of the same"):
        tk.runs(client=other)["spring"].plan()


KILLED = """
import os, sys
import toolkit as tk
from toolkit.service import Faults
client = tk.Client(embedded=tk.service.Settings(faults=Faults.parse("slow=1:0.05")))
sites = [f"trailhead-outfitters.example/boots?pair={number}" for number in range(30)]
run = client.run(sites, name="spring", concurrency=2)
run.watch(lambda progress: progress.done >= 4 and os._exit(9))
run.start(progress=False)
"""


def test_what_a_killed_process_has_paid_for_is_there(client):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", KILLED], env=environment, timeout=60, check=False).returncode == 9
    found = tk.runs().about("spring")
    assert found.state == "stopped"
    assert 4 <= found.answered < 30
    assert re.fullmatch(rf"stopped, {found.answered} of 30 answers, \d+ credits", str(found))
    with tk.runs(client=client)["spring"] as run:
        run.start(progress=False)
    assert tk.runs().about("spring").answered == 30


def test_a_run_that_is_under_way_is_listed_as_running_and_not_deleted(paid):
    begun, go_on = threading.Event(), threading.Event()

    def hold(_):
        begun.set()
        go_on.wait(20)

    paid.how = hold
    with paid.client() as client, client.run(["a.example"], name="spring") as run:
        run.start_background()
        try:
            assert begun.wait(20)
            assert str(tk.runs().about("spring")) == "running, 0 of 1 answer, 0 credits"
            with pytest.raises(errors.ConfigurationError, match="Stop it first"):
                tk.runs().delete("spring")
            with (
                tk.runs(client=client)["spring"] as second,
                pytest.raises(errors.ConfigurationError, match="under way"),
            ):
                second.start(progress=False)
        finally:
            go_on.set()
        run.wait()
    assert str(tk.runs().about("spring")) == "1 answer, 1 credit"


# Listed --------------------------------------------------------------------------------------------------------------


def test_runs_are_listed_with_sites_answers_cost_and_size(client):
    finished(client, [*SITES, SITES[0]], name="spring")
    frame = tk.runs().to_frame()
    assert frame.columns.tolist() == ["name", "date", "sites", "answered", "failed", "credits", "size", "state"]
    [row] = frame.to_dict("records")
    assert (row["name"], row["sites"], row["answered"], row["failed"], row["state"]) == ("spring", 3, 2, 1, "finished")
    assert row["credits"] == 2
    assert 500 < row["size"] < 100_000
    assert f"{row['date']:%Y-%m-%d}" == TODAY


def test_the_list_is_told_as_text_and_as_a_table(client):
    assert repr(tk.runs()) == f"No run is kept in {tk.runs().path} yet."
    finished(client, name="spring")
    assert re.search(rf"spring +{TODAY} \d\d:\d\d +3 +2 +1 +2 +\d+ KB +finished\n", repr(tk.runs()))
    html = tk.runs()._repr_html_()
    assert "<td style='text-align:left'>spring</td>" in html
    assert html.count("<tr>") == 2


def test_the_function_is_there_after_its_folder_was_imported():
    import toolkit.runs.plan  # noqa: F401 - what would take the name

    assert callable(tk.runs)


def test_a_kept_run_counts_as_the_run_itself_does(client):
    sites = ["torque-journal.example", "www.torque-journal.example/", "n/a", "", "my shop", "nowhere.example"]
    with client.run(sites, ["segment", "enrich"], name="spring") as run:
        run.start(progress=False)
        counts = run.counts()
    kept = tk.runs().about("spring")
    assert (counts.sites, counts.answered) == (2, 1)
    assert (kept.sites, kept.answered, kept.failed) == (2, 1, counts.unopened + counts.failed)
