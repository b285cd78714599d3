"""`toolkit run`: planned, sent once, written whole, and gone on with after any end."""

import csv
import gzip
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from commands import Ran, in_process

import toolkit as tk
from toolkit import aclient as async_client
from toolkit.cli import main as cli
from toolkit.store.answers import Store

ROOT = Path(__file__).resolve().parents[2]
#: A process that was started in the background may ignore interrupts; these tests are about one that does not.
CODE = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from toolkit.cli.main import main; sys.exit(main())"
)
PAGE = "torque-journal.example"
OTHER = "ledgerline.example"
NOWHERE = "nowhere.example"
KEY = "runkey-40d1c7"
ROWS = [PAGE, f"https://{OTHER}/", NOWHERE, "two words", PAGE.upper(), ""]
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run `toolkit run` in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return in_process("run", capsys, monkeypatch)


@pytest.fixture
def sites(tmp_path):
    """A table of targets, some of which are none."""
    path = tmp_path / "sites.csv"
    pd.DataFrame({"id": range(len(ROWS)), "url": ROWS}).to_csv(path, index=False)
    return path


class Companies:
    """A service of family A that knows what it is told: a status, of one question or all, a company, or a wait."""

    def __init__(self):
        self.statuses, self.names, self.asked = {}, {}, []
        self.waits = threading.Event()
        self.waits.set()
        self.price = 1
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                domain = parse_qs(urlsplit(self.path).query)["domain"][0]
                service.asked.append(domain)
                service.waits.wait(30)
                asked = urlsplit(self.path).path.rpartition("/")[2]
                status = service.statuses.get((asked, domain), service.statuses.get(domain, 200))
                meta = {"request_id": f"r-{domain}", "credits_used": service.price}
                body = {"domain": domain, "company": {"name": service.names.get(domain, "Kites")}, "meta": meta}
                document = json.dumps(body if status == 200 else {"status": status, "error": "no"}).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(document)))
                self.end_headers()
                self.wfile.write(document)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None
        self.settings = settings_of(f"http://127.0.0.1:{self._server.server_port}")
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def close(self):
        self.waits.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def settings_of(base):
    return {
        "TOOLKIT_BASE_URL": base,
        "TOOLKIT_V1_BASE_URL": base,
        "TOOLKIT_API_KEY": KEY,
        "TOOLKIT_V1_API_KEY": KEY,
    }


@pytest.fixture
def companies(monkeypatch):
    """Let a service that does as it is told be the one of this process; nothing is tried twice."""
    service = Companies()
    for name, value in service.settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(async_client, "Retries", lambda: tk.Retries(attempts=1))
    yield service
    service.close()


def environment(**extra):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TOOLKIT_")}
    return {**kept, "PYTHONPATH": str(ROOT), **extra}


@pytest.fixture
def begin(tmp_path):
    """Start `toolkit run` as a process; it is ended with the test."""
    started = []

    def starting(*arguments, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, **extra):
        process = subprocess.Popen(
            [sys.executable, "-c", CODE, "run", *map(str, arguments)],
            cwd=tmp_path,
            env=environment(**extra),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
        started.append(process)
        return process

    yield starting
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def ended(process, **more):
    out, err = process.communicate(timeout=60, **more)
    return Ran(process.returncode, out.decode(), (err or b"").decode())


def until(condition):
    for _ in range(3_000):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("It never came to be.")


def domains(number):
    return [f"site-{n}.example" for n in range(number)]


def table_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


# The plan -----------------------------------------------------------------------------------------------------------


def test_a_plan_sends_nothing_and_says_the_same_again(run, companies):
    Path("list.txt").write_text("\n".join([*domains(3), "two words", "site-1.example"]))
    plans = [run("list.txt", "--ask", "enrich,categorize", "--store", "plan.db", "--plan") for _ in range(2)]
    assert [plan.status for plan in plans] == [0, 0]
    assert plans[0].out == plans[1].out
    assert companies.asked == []
    plan = plans[0].json
    assert (plan["entries"], plan["sites"], plan["repeated"], plan["invalid"], plan["to_send"]) == (5, 3, 1, 1, 6)
    assert [question["endpoint"] for question in plan["questions"]] == ["enrich", "categorize"]


def test_a_plan_for_a_terminal_is_a_table(run, companies, monkeypatch):
    Path("list.txt").write_text("\n".join(domains(3)))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    ran = run("list.txt", "--ask", "enrich", "--plan", "--budget", "7")
    assert ran.status == 0
    assert re.search(r"(?m)^to ask: +3$", ran.out)
    assert re.search(r"(?m)^budget: +7, of which 0 are spent$", ran.out)
    assert companies.asked == []


def test_a_plan_as_csv_has_a_row_a_question(run):
    ran = run("-", "--ask", "segment,categorize", "--plan", "--format", "csv", stdin=f"{PAGE}\n{OTHER}\n")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [(row["endpoint"], row["to_send"]) for row in rows] == [("segment", "2"), ("categorize", "2")]


def test_a_plan_makes_no_folder_for_the_output(run, sites):
    assert run(sites, "--plan", "--out", "results").status == 0
    assert not Path("results").exists()


def test_a_plan_tells_the_price_that_answers_stated(run, companies):
    companies.price = 3
    Path("list.txt").write_text("\n".join(domains(4)))
    run("list.txt", "--ask", "enrich", "--store", "plan.db")
    Path("list.txt").write_text("\n".join(domains(6)))
    plan = run("list.txt", "--ask", "enrich", "--store", "plan.db", "--plan").json
    assert (plan["from_store"], plan["to_send"], plan["credits_expected"], plan["credits_worst"]) == (4, 2, 6, 6)


# Running ------------------------------------------------------------------------------------------------------------


def test_the_same_command_again_costs_nothing(run, companies):
    Path("list.txt").write_text("\n".join(domains(5)))
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db", "--format", "json")
    first, second = run(*command), run(*command)
    assert (first.status, first.json["answered"], first.json["credits_used"]) == (0, 5, 5)
    assert (second.status, second.json["tasks_kept"], second.json["credits_used"]) == (0, 5, 0)
    assert sorted(companies.asked) == domains(5)


def test_refresh_asks_everything_anew(run, companies):
    Path("list.txt").write_text("\n".join(domains(3)))
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db")
    run(*command)
    assert run(*command, "--refresh").status == 0
    assert sorted(companies.asked) == sorted(domains(3) * 2)


def test_one_reason_of_several_questions_is_told_once(run, sites):
    """It stood there three times, once a question."""
    ran = run(sites, "--ask", "segment,categorize_content,enrich", "--store", "plan.db")
    assert ran.told["without answer"] == "audience, topics of the page, company: the page could not be opened (1)"


def test_one_reason_of_other_sites_is_told_of_each_question(run, companies):
    """As many sites had no answer to either question, and they were told as if they were the same ones."""
    first, second = domains(2)
    Path("list.txt").write_text(f"{first}\n{second}\n")
    companies.statuses.update({("enrich", first): 411, ("enrich", second): 500})
    companies.statuses.update({("categorize", first): 500, ("categorize", second): 411})
    command = ("list.txt", "--ask", "categorize,enrich", "--store")
    told = run(*command, "plan.db").told["without answer"].split("; ")
    assert sorted(told) == [
        f"{question}: {why} (1)"
        for question in ("company", "topics of the domain")
        for why in ("the page could not be opened", "the service failed")
    ]
    companies.statuses = {first: 411, second: 500}
    told = run(*command, "other.db").told["without answer"].split("; ")
    assert sorted(told) == [
        f"topics of the domain, company: {why} (1)" for why in ("the page could not be opened", "the service failed")
    ]


def test_the_summary_stands_on_standard_error_alone(run, sites):
    ran = run(sites, "--store", "plan.db")
    assert (ran.status, ran.out) == (0, "")
    assert ran.told["finished"].startswith("after 0:00:0")
    assert ran.told["sites"] == (
        "6 entries: 3 different sites, 1 repeated, 1 blank, 1 is no web address; of the 3: 2 answered, "
        "1 could not be opened"
    )
    assert ran.told["without answer"] == "audience: the page could not be opened (1)"
    assert ran.told["credits"] == "2"
    assert "to go on" not in ran.told


def test_a_used_up_budget_ends_with_1_and_a_higher_one_goes_on(run, companies):
    Path("list.txt").write_text("\n".join(domains(9)))
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db", "--out", "all.csv", "--frames", "companies")
    first = run(*command, "--budget", "4")
    assert first.status == 1
    assert first.told["stopped"].endswith("the budget is used up")
    assert (first.told["sites"], first.told["credits"]) == ("9 different sites: 4 answered, 5 not asked yet", "4")
    assert first.told["to go on"] == "run the same command again with a higher --budget"
    assert [row["status"] for row in table_of(Path("all.csv"))].count("200") == 4
    second = run(*command, "--budget", "9")
    assert (second.status, second.told["credits"]) == (0, "5, and 4 before")
    assert [row["status"] for row in table_of(Path("all.csv"))] == ["200"] * 9
    assert sorted(companies.asked) == domains(9)


def test_without_a_store_the_project_keeps_the_run_and_the_same_command_goes_on(run, companies, capsys):
    Path("list.txt").write_text("\n".join(domains(3)))
    command = ("list.txt", "--ask", "enrich", "--name", "spring plan")
    first = run(*command, "--budget", "1")
    assert first.status == 1
    assert first.told["kept as"].startswith("spring plan, for `toolkit report`")
    assert first.told["to go on"] == "run the same command again with a higher --budget"
    assert (run(*command).status, sorted(companies.asked)) == (0, domains(3))
    assert cli.main(["runs"]) == 0
    [kept] = json.loads(capsys.readouterr().out)
    assert (kept["name"], kept["sites"], kept["answered"], kept["state"]) == ("spring plan", 3, 3, "finished")


def test_a_kept_run_becomes_a_report_by_its_name_and_nothing_is_asked(run, sites, tmp_path, capsys):
    assert run("sites.csv", "--column", "url", "--ask", "segment,categorize_content", "--name", "spring").status == 0
    before = tk.runs().about("spring").credits
    assert cli.main(["report", "spring", "-o", "spring.html"]) == 0
    assert "<html" in (tmp_path / "spring.html").read_text()[:500].lower()
    assert tk.runs().about("spring").credits == before
    assert cli.main(["report", "sprin", "-o", "other.html"]) == 2
    assert capsys.readouterr().err.endswith(
        "There is no file 'sprin', and no run is kept by this name. Did you mean spring? `toolkit runs` lists them.\n"
    )


def test_a_kept_run_is_renamed_and_deleted(run, companies, capsys):
    Path("list.txt").write_text("\n".join(domains(2)))
    assert run("list.txt", "--ask", "enrich", "--name", "spring").status == 0
    assert cli.main(["runs", "--rename", "spring", "autumn"]) == 0
    assert [kept["name"] for kept in json.loads(capsys.readouterr().out)] == ["autumn"]
    assert cli.main(["runs", "--delete", "spring"]) == 2
    assert capsys.readouterr().err == "toolkit: No run is kept as 'spring'. `toolkit runs` lists them.\n"
    assert cli.main(["runs", "--delete", "autumn"]) == 0
    assert len(tk.runs()) == 0


def test_messages_name_options_and_no_parameters(run):
    Path("odd.csv").write_text("a,b\nx y,z q\n")
    assert run("odd.csv", "--plan").err.endswith(" Pass --column with one that is there: a, b.\n")
    Path("list.txt").write_text(PAGE)
    ran = run("list.txt", "--out", "r", "--frames", "companies")
    assert ran.err.endswith("companies needs enrich, and the run asks segment. Add it to --ask.\n")


def test_where_no_run_is_kept_it_is_said(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("TOOLKIT_RUNS", str(tmp_path / "none"))
    assert cli.main(["runs", "--format", "table"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("No run is kept in ")


def test_a_refused_key_stops_and_is_never_printed(run, companies):
    Path("list.txt").write_text("\n".join(domains(3)))
    companies.statuses = dict.fromkeys(domains(3), 401)
    ran = run("list.txt", "--ask", "enrich", "--store", "plan.db")
    assert ran.status == 1
    assert ran.told["stopped"].endswith("the key was refused (401)")
    assert KEY not in ran.out + ran.err


def test_a_failure_ends_with_1_and_the_same_command_sends_only_it_again(run, companies):
    Path("list.txt").write_text("\n".join(domains(4)))
    companies.statuses = {"site-2.example": 500}
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db")
    first = run(*command)
    assert (first.status, first.told["without answer"]) == (1, "company: the service failed (1)")
    assert first.told["to go on"] == "run the same command again; it sends only what failed"
    companies.statuses, companies.asked = {}, []
    assert run(*command).status == 0
    assert companies.asked == ["site-2.example"]


def test_retry_failed_sends_again_what_failed_before_a_stop(run, companies):
    Path("list.txt").write_text("\n".join(domains(4)))
    companies.statuses = {"site-0.example": 500}
    # A priced budget sends no more than it can pay, and failures are not free of doubt: so one at a time.
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db", "--concurrency", "1")
    first = run(*command, "--budget", "2")
    assert (first.status, first.told["sites"]) == (
        1,
        "4 different sites: 2 answered, 1 failed, 1 not asked yet",
    )
    companies.statuses, companies.asked = {}, []
    assert run(*command, "--plan").json["to_send"] == 1
    assert run(*command, "--plan", "--retry-failed").json["to_send"] == 2
    second = run(*command, "--retry-failed")
    assert (second.status, second.told["sites"]) == (0, "4 different sites: all answered")
    assert sorted(companies.asked) == ["site-0.example", "site-3.example"]


def test_without_retry_failed_a_failure_stays_while_the_rest_is_sent(run, companies):
    Path("list.txt").write_text("\n".join(domains(4)))
    companies.statuses = {"site-0.example": 500}
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db", "--concurrency", "1")
    run(*command, "--budget", "2")
    companies.statuses, companies.asked = {}, []
    second = run(*command)
    assert (second.status, second.told["without answer"]) == (1, "company: the service failed (1)")
    assert companies.asked == ["site-3.example"]


# Input and output ---------------------------------------------------------------------------------------------------


def test_parquet_has_a_row_an_input_in_order_and_tells_what_is_no_target(run, sites):
    ran = run(sites, "--ask", "segment,categorize", "--out", "results")
    assert ran.status == 0
    audiences = pd.read_parquet("results/audiences")
    assert audiences["row"].tolist() == list(range(len(ROWS)))
    assert audiences["target"].tolist() == ROWS
    assert audiences["status"].astype("object").where(audiences["status"].notna(), None).tolist() == [
        200, 200, 411, None, 200, None,
    ]  # fmt: skip
    assert "has a space in it" in audiences["error"][3]
    assert sorted(path.name for path in Path("results").iterdir()) == ["audiences", "categories", "codes", "failures"]
    assert ran.told["written"] == "results (audiences, codes, categories, failures: 4 Parquet files)"


def test_only_the_frames_that_are_named_are_written(run, sites):
    assert run(sites, "--out", "results", "--frames", "codes, failures").status == 0
    assert sorted(path.name for path in Path("results").iterdir()) == ["codes", "failures"]


def test_parts_of_a_longer_run_do_not_stay_among_those_of_a_shorter_one(run, sites):
    run(sites, "--store", "plan.db", "--out", "results")
    left, own = Path("results/audiences/part-00001.parquet"), Path("results/audiences/notes.txt")
    left.write_bytes(Path("results/audiences/part-00000.parquet").read_bytes())
    own.write_text("mine")
    run(sites, "--store", "plan.db", "--out", "results")
    assert len(pd.read_parquet("results/audiences/part-00000.parquet")) == len(ROWS)
    assert (left.exists(), own.read_text()) == (False, "mine")


@pytest.mark.parametrize("name", ["all.csv", "all.csv.gz", "ALL.CSV"])
def test_csv_comes_in_and_goes_out_without_a_formula(run, companies, name):
    names = ["=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "\t=1+1", 'Kites, "Strings"\nand Sons']
    companies.names = dict(zip(domains(5), names, strict=True))
    pd.DataFrame({"site": domains(5), "note": ["=1"] * 5}).to_csv("in.csv", index=False)
    ran = run("in.csv", "--column", "site", "--ask", "enrich", "--out", name, "--frames", "companies")
    assert ran.status == 0
    text = gzip.decompress(Path(name).read_bytes()).decode() if name.endswith(".gz") else Path(name).read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["target"] for row in rows] == domains(5)
    assert [row["name"][:2] for row in rows] == ["'=", "'+", "'@", "'=", "Ki"]
    assert rows[4]["name"] == names[4]
    assert [path.name for path in Path().glob("*.tmp")] == []


def test_csv_of_many_rows_is_written_in_parts_with_one_header(run, companies, monkeypatch):
    monkeypatch.setattr("toolkit.cli.run._CSV_ROWS", 2)
    Path("list.txt").write_text("\n".join(domains(5)))
    assert run("list.txt", "--ask", "enrich", "--out", "all.csv", "--frames", "companies").status == 0
    assert [row["target"] for row in table_of(Path("all.csv"))] == domains(5)


def test_the_only_frame_of_a_question_needs_no_name(run):
    assert run("-", "--ask", "categorize", "--out", "all.csv", stdin=PAGE).status == 0
    assert {row["endpoint"] for row in table_of(Path("all.csv"))} == {"categorize"}


def test_targets_come_from_standard_input(begin, tmp_path):
    process = begin("--ask", "categorize", "--out", "all.csv", stdin=subprocess.PIPE)
    ran = ended(process, input=f"# sites\n{PAGE}\n\n{OTHER}\n".encode())
    assert (ran.status, ran.out) == (0, "")
    assert list(dict.fromkeys(row["target"] for row in table_of(tmp_path / "all.csv"))) == [PAGE, OTHER]


def test_an_empty_list_gives_an_empty_frame_and_ends_with_1(run):
    ran = run("-", "--ask", "categorize", "--out", "all.csv", stdin="\n")
    assert (ran.status, ran.told["sites"]) == (1, "0 different sites")
    assert ran.told["to go on"] == "name a list, or a --column, that holds domains or URLs"
    assert Path("all.csv").read_text().count("\n") == 1


@pytest.mark.parametrize("listed", ["", "\n", "two words\n"])
def test_a_list_of_no_site_is_not_kept(run, listed):
    ran = run("-", "--ask", "categorize", "--name", "nothing", stdin=listed)
    assert ran.status == 1
    assert "kept as" not in ran.told
    assert "nothing" not in tk.runs()


def test_a_list_without_a_web_address_ends_with_1(run):
    ran = run("-", "--ask", "categorize", "--format", "json", stdin="x y\n@@\n\n")
    assert (ran.status, ran.told["sites"]) == (1, "2 entries: 0 different sites, 2 are no web addresses")
    assert ran.told["to go on"] == "name a list, or a --column, that holds domains or URLs"
    assert (ran.json["state"], ran.json["invalid"], ran.json["credits_used"]) == ("finished", 2, 0)


def test_entries_that_are_no_web_addresses_are_left_out(run):
    ran = run("-", "--ask", "categorize", stdin=f"x y\n{PAGE}\n")
    assert (ran.status, ran.told["sites"]) == (
        0,
        "2 entries: 1 site, 1 is no web address; the site: answered",
    )
    assert "to go on" not in ran.told


def test_escape_sequences_of_inputs_never_reach_the_terminal(run):
    name = "sites\x1b[2J\x9b31m.txt"
    Path(name).write_text("\x1b]0;owned\x07\n")
    ran = run(name, "--out", "re\x1b[2Jsults")
    assert ran.status == 1
    assert not FORBIDDEN.search(ran.out + ran.err)


# Misuse -------------------------------------------------------------------------------------------------------------

MISUSES = {
    "frames without a place": (["sites.csv", "--store", "a.db", "--frames", "codes"], "--frames says what is written"),
    "two frames in a table": (["sites.csv", "--out", "a.csv"], "a.csv holds one frame, and there are audiences, codes"),
    "unknown frame": (["sites.csv", "--out", "r", "--frames", "nope"], "There is no frame 'nope'"),
    "frame not asked for": (["sites.csv", "--out", "r", "--frames", "companies"], "companies needs enrich"),
    "frame of no name": (["sites.csv", "--out", "r", "--frames", ","], "names separated by commas"),
    "unknown question": (["sites.csv", "--out", "r", "--ask", "nope"], "not 'nope'"),
    "other kind of file": (["sites.csv", "--out", "a.xlsx"], "neither a folder nor a .csv file"),
    "file for a folder": (["sites.csv", "--out", "plain"], "neither a folder nor a .csv file"),
    "folder for a file": (["sites.csv", "--out", "dir.csv", "--frames", "codes"], "is a folder"),
    "missing folder": (["sites.csv", "--out", "no/a.csv", "--frames", "codes"], "There is no folder no for a.csv"),
    "over the input": (["sites.csv", "--out", "./sites.csv", "--frames", "codes"], "written over INPUT, sites.csv"),
    "over the store": (
        ["sites.csv", "--store", "s.csv", "--out", "s.csv", "--frames", "codes"],
        "written over --store, s.csv",
    ),
    "column of no table": (["-", "--column", "url", "--out", "r"], "--column is about a table"),
    "missing column": (["sites.csv", "--column", "nope", "--out", "r"], "has no column 'nope'"),
    "csv of the summary": (["sites.csv", "--store", "a.db", "--format", "csv"], "--format csv is for --plan"),
    "bare domain": ([PAGE, "--store", "a.db"], f"There is no file '{PAGE}'"),
    "stale and fresh": (["sites.csv", "--out", "r", "--stale", "--refresh"], "contradict each other"),
    "budget": (["sites.csv", "--out", "r", "--budget", "-1"], "--budget"),
    "concurrency": (["sites.csv", "--out", "r", "--concurrency", "0"], "concurrency"),
}


@pytest.mark.parametrize(("arguments", "words"), MISUSES.values(), ids=MISUSES)
def test_misuse_is_said_before_anything_is_sent(run, sites, companies, arguments, words):
    Path("plain").write_text("")
    Path("dir.csv").mkdir()
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert companies.asked == []
    assert sites.read_text().startswith("id,url")


def test_a_terminal_without_an_input_is_not_waited_for(run, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(io, "StringIO", Terminal)
    ran = run("--store", "a.db")
    assert ran.status == 2
    assert "Nothing is sent on standard input" in ran.err


def test_a_folder_that_cannot_be_made_is_said_before_anything_is_sent(run, companies):
    Path("plain").write_text("")
    Path("list.txt").write_text("\n".join(domains(3)))
    ran = run("list.txt", "--ask", "enrich", "--out", "plain/results")
    assert ran.status == 1
    assert re.search("(?m)^toolkit: .*plain.*: Not a directory.$", ran.err)
    assert companies.asked == []


def test_help_tells_every_option(run):
    ran = run("--help")
    assert ran.status == 0
    for option in ("INPUT", "--ask", "--budget", "--out", "--retry-failed", "--plan"):
        assert option in ran.out


# Signals ------------------------------------------------------------------------------------------------------------


def test_an_interrupted_run_keeps_its_answers_and_the_same_command_ends_it(run, begin, serve, monkeypatch, tmp_path):
    service = serve("--key", KEY, "--faults", "slow=1:0.3")
    for name, value in settings_of(service.base).items():
        monkeypatch.setenv(name, value)
    targets = [PAGE, OTHER, *domains(20), PAGE]
    (tmp_path / "list.txt").write_text("\n".join(targets))
    command = ("list.txt", "--ask", "categorize", "--store", "plan.db", "--out", "results", "--frames", "failures")
    process = begin(*command, "--concurrency", "2", **settings_of(service.base))
    store = tmp_path / "plan.db"
    until(store.exists)
    with Store(store) as kept:
        until(lambda: kept.count() >= 2)
        process.send_signal(signal.SIGINT)
        first = ended(process)
        before = kept.count()
        assert first.status == 130
        assert first.told["stopped"].endswith("interrupted")
        assert first.told["to go on"] == "run the same command again"
        assert before < 22
        assert f"{22 - before} not asked yet" in first.told["sites"]
        second = run(*command)
        assert second.status == 0
        assert kept.count() == 22
    assert pd.read_parquet(tmp_path / "results/failures")["target"].tolist() == domains(20)


def test_a_request_to_end_stops_cleanly_too(begin, companies, tmp_path):
    companies.waits.clear()
    (tmp_path / "list.txt").write_text("\n".join(domains(9)))
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db", "--concurrency", "1")
    process = begin(*command, **companies.settings)
    until(lambda: companies.asked)
    process.send_signal(signal.SIGTERM)
    assert process.stderr.readline()
    until(lambda: b"Stopping" in process.stderr.readline())
    companies.waits.set()
    ran = ended(process)
    assert ran.status == 128 + signal.SIGTERM
    assert "told to end" in ran.err
    assert "9 different sites: 1 answered, 8 not asked yet" in ran.err  # the one that was under way
    assert companies.asked == ["site-0.example"]


def test_a_second_interrupt_ends_at_once_and_what_was_under_way_is_sent_again(run, begin, companies, tmp_path):
    companies.waits.clear()
    (tmp_path / "list.txt").write_text("\n".join(domains(3)))
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db", "--concurrency", "1")
    process = begin(*command, **companies.settings)
    until(lambda: companies.asked)
    process.send_signal(signal.SIGINT)
    until(lambda: b"Stopping" in process.stderr.readline())
    process.send_signal(signal.SIGINT)
    ran = ended(process)
    assert ran.status == 130, ran.err
    assert "Traceback" not in ran.err
    companies.waits.set()
    second = run(*command)
    assert (second.status, second.told["sites"]) == (0, "3 different sites: all answered")
    assert sorted(companies.asked) == ["site-0.example", *domains(3)]


def test_handlers_of_signals_are_given_back(run, companies):
    assert companies.asked == []
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    run("-", "--ask", "enrich", "--store", "plan.db", stdin=PAGE)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_it_runs_in_another_thread_where_no_signals_are(run, companies):
    found = []
    thread = threading.Thread(target=lambda: found.append(run("-", "--ask", "enrich", "--store", "a.db", stdin=PAGE)))
    thread.start()
    thread.join(60)
    assert found[0].status == 0
    assert companies.asked == [PAGE]


def test_a_reader_of_standard_error_that_goes_away_does_not_end_the_run(begin, companies, tmp_path):
    (tmp_path / "list.txt").write_text("\n".join(domains(3)))
    ours, theirs = os.pipe()
    os.close(ours)
    process = begin("list.txt", "--ask", "enrich", "--out", "results", stderr=theirs, **companies.settings)
    os.close(theirs)
    assert ended(process).status == 0
    assert pd.read_parquet(tmp_path / "results/companies")["target"].tolist() == domains(3)


def test_a_terminal_gets_a_bar_and_a_pipe_none(run, begin, companies, tmp_path):
    (tmp_path / "list.txt").write_text("\n".join(domains(3)))
    command = ("list.txt", "--ask", "enrich", "--store", "plan.db")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    process = begin(*command, stderr=theirs, **companies.settings)
    os.close(theirs)
    pieces = []
    try:
        while piece := os.read(ours, 65536):
            pieces.append(piece)
    except OSError:
        pass  # Linux reports the end of a terminal as an error
    os.close(ours)
    assert ended(process).status == 0
    assert b"3 of 3 questions" in b"".join(pieces)
    assert "3 of 3 questions" not in run(*command).err
