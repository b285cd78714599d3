"""The command line: what it prints where, what it refuses, and how it ends."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pandas as pd
import pytest

import toolkit as tk
from toolkit import aclient as async_client
from toolkit.cli import lab
from toolkit.cli import main as cli
from toolkit.frames import SCHEMAS
from toolkit.frames import files as tables
from toolkit.widgets import Lookup
from toolkit.widgets.lookup.view import error_lines

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "import sys; from toolkit.cli.main import main; sys.exit(main())"]
PAGE = "torque-journal.example"
OTHER = "ledgerline.example"
NOWHERE = "nowhere.example"
CAR_TEXT = "A test drive of the new electric sedan: range, charging, handling on mountain roads, and its price."
#: Sequences that clear a screen, set a title, hide text, or turn it round; the last begins with one character, CSI.
ESCAPES = {"clear": "\x1b[2J", "title": "\x1b]0;owned\x07", "back": "\b\b\b", "turned": "\u202e", "c1": "\x9b31m"}
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1+1", "\r=1+1", "\x00=1+1", "|calc", "%0"]


class Ran:
    """What a command printed, and its exit status."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def csv(self):
        return list(csv.DictReader(io.StringIO(self.out)))


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command in this process, standard output being no terminal."""

    def running(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            status = cli.main(list(arguments))
        except SystemExit as ended:
            status = ended.code
        return Ran(status, *capsys.readouterr())

    return running


@pytest.fixture
def screen(run, monkeypatch):
    """Run a command in this process as if standard output were a terminal; return what both outputs get."""

    def running(*arguments):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        ran = run(*arguments)
        return Ran(ran.status, ran.out + ran.err, "")

    return running


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nowhere.example", "no site answers at this address: check the spelling."),
        ("blank-canvas.example", "the page has too little text: try another page of the site."),
    ],
)
def test_a_failure_is_told_in_the_same_words_by_command_and_widget(screen, target, words):
    ran = screen("segment", target)
    assert ran.status == 1
    assert re.search(rf"(?m)^  failed +{re.escape(words)}$", ran.out)
    assert re.search(r"(?m)^  request +req_\w+$", ran.out)
    lookup = Lookup(targets=target, ask=["segment"])
    lookup.run()
    assert [words in line for line in error_lines(lookup.value)] == [True]


def environment(**extra):
    left_out = ("TOOLKIT_", "PYTHONUNBUFFERED", "PYTHONUTF8", "LC_", "LANG")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8:strict", **extra}


def process(*arguments, stdin=b"", **extra):
    done = subprocess.run(
        [*PROGRAM, *arguments], input=stdin, env=environment(**extra), capture_output=True, timeout=60, check=False
    )
    return Ran(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def terminal(*arguments, **extra):
    """Run a command whose standard input, output and error are a terminal; return what that terminal gets."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, int(extra.get("COLUMNS", 80))))
    started = subprocess.Popen(
        [*PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**extra)
    )
    os.close(theirs)
    watchdog = threading.Timer(60, started.kill)
    watchdog.start()
    pieces = []
    try:
        while piece := os.read(ours, 65536):
            pieces.append(piece)
    except OSError:
        pass  # Linux reports the end of a terminal as an error
    status = started.wait()
    watchdog.cancel()
    os.close(ours)
    return Ran(status, b"".join(pieces).decode().replace("\r\n", "\n"), "")


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("arguments", [("--help",), ("enrich", OTHER), ("segment", "my favourite shop")])
def test_no_line_is_wider_than_the_terminal(arguments, columns):
    shown = terminal(*arguments, COLUMNS=str(columns)).out
    assert max(map(len, shown.splitlines())) <= columns


def test_the_bar_of_a_run_fits_a_terminal_and_says_no_more_than_is_read(tmp_path):
    (tmp_path / "sites.txt").write_text(f"{PAGE}\n{OTHER}\n{NOWHERE}\n")
    shown = terminal("run", str(tmp_path / "sites.txt"), "--store", str(tmp_path / "a.db"), COLUMNS="80").out
    bars = [bar for bar in re.split(r"[\r\n]", shown) if "questions, " in bar]
    assert re.match(r"100 % \S+ 3 of 3 questions, 00:00 to go, 2 credits$", bars[-1])
    assert max(map(len, bars)) <= 80


def test_what_has_no_room_in_a_line_goes_on_below_itself_and_into_a_pipe_as_it_is():
    shown = terminal("enrich", OTHER, COLUMNS="60").out.splitlines()
    begin = next(place for place, line in enumerate(shown) if line.startswith("  description"))
    assert shown[begin + 1].startswith(" " * shown[begin].index("Ledgerline makes") + shown[begin + 1].strip()[0])
    [line] = [
        line for line in process("enrich", OTHER, "--format", "table").out.splitlines() if "  description" in line
    ]
    assert line.endswith("for controllers and their teams.")


def test_labels_stand_beside_their_codes_where_a_terminal_has_no_room_for_columns():
    assert "PI.TRAVEL_AND_TOURISM  Travel and Tourism" in terminal("filters", "travel", COLUMNS="80").out.splitlines()
    wide = terminal("filters", "travel", COLUMNS="200").out.splitlines()
    assert len({line.rindex("  ") for line in wide}) == 1


def test_help_has_what_each_command_does_beside_its_name(run):
    shown = run("--help").out
    assert re.search(r"^    categorize  content categories of URLs", shown, re.MULTILINE)
    assert re.search(r"^    completion  print the script", shown, re.MULTILINE)
    assert "positional arguments" not in shown


def reply(document, status=200):
    body = json.dumps(document).encode()
    head = f"HTTP/1.1 {status} OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    return f"{head}connection: close\r\n\r\n".encode() + body


@pytest.fixture
def remote(raw_server, monkeypatch):
    """Let a server that always answers the same be the service of this process; return its settings."""

    def serving(document, status=200):
        server = raw_server(reply(document, status))
        names = ("TOOLKIT_BASE_URL", "TOOLKIT_V1_BASE_URL")
        settings = dict.fromkeys(names, server.url) | {name.replace("BASE_URL", "API_KEY"): "k3y" for name in names}
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        server.settings = settings
        return server

    return serving


def company(name, **more):
    return {"domain": PAGE, "company": {"name": name, **more}, "meta": {"request_id": "r", "credits_used": 1}}


# Questions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        (["segment"], {"url", "vocab_version", "audience_type", "interests", "purchase_intent", "labels", "status"}),
        (["categorize"], {"std_classification", "std_taxonomy", "filtering_taxonomy", "status"}),
        (["categorize", "--domain"], {"domain", "categories", "meta"}),
        (["enrich"], {"domain", "company", "categories", "technologies", "traffic", "social", "meta"}),
    ],
)
def test_command_prints_the_answer_of_its_endpoint_as_json(run, arguments, fields):
    ran = run(*arguments, PAGE)
    assert ran.status == 0
    assert fields <= set(ran.json)


def test_legacy_segmentation_has_no_codes(run):
    ran = run("segment", "--legacy", PAGE)
    assert ran.status == 0
    assert not re.search(r"\b(INT|PI)\.[A-Z]", ran.out)


def test_text_is_categorized(run):
    [first, *_] = run("categorize", "--text", CAR_TEXT).json["std_classification"]
    assert first[0].startswith("Category name: Automotive")


def test_personas_are_scored_only_on_demand(run):
    assert run("categorize", "--personas", PAGE).json["buyer_personas_confidence_selection"]
    assert not run("categorize", PAGE).json.get("buyer_personas_confidence_selection")


@pytest.mark.parametrize(("options", "status"), [([], 1), (["--root-fallback"], 0)])
def test_root_domain_answers_for_an_empty_subdomain_only_on_demand(run, options, status):
    assert run("categorize", *options, f"missing.{PAGE}").status == status


def test_include_limits_the_groups(run):
    body = run("enrich", "--include", "company,social", PAGE).json
    assert {"company", "social"} <= set(body)
    assert not {"technologies", "traffic", "categories"} & set(body)


def test_xml_gives_the_same_company(run):
    assert run("enrich", "--xml", PAGE).json["company"] == run("enrich", PAGE).json["company"]


def test_several_targets_give_a_list_in_order(run):
    bodies = run("categorize", "--domain", OTHER, PAGE, OTHER).json
    assert [body["domain"] for body in bodies] == [OTHER, PAGE, OTHER]


@pytest.mark.parametrize("text", [f"{OTHER}\n{PAGE}\n", f"{OTHER}, {PAGE}", f"  {OTHER}\t{PAGE}  "])
def test_targets_come_from_standard_input_if_none_are_named(run, text):
    assert [body["domain"] for body in run("categorize", "--domain", stdin=text).json] == [OTHER, PAGE]


def test_named_targets_win_over_standard_input(run):
    assert run("categorize", "--domain", PAGE, stdin=OTHER).json["domain"] == PAGE


def test_failure_stands_in_its_place_with_code_and_words(run):
    ran = run("categorize", PAGE, NOWHERE)
    assert ran.status == 1
    assert ran.json[0]["status"] == 200
    assert (ran.json[1]["target"], ran.json[1]["status"]) == (NOWHERE, 411)
    assert "could not be fetched" in ran.json[1]["error"]


def test_what_is_no_target_fails_without_a_code(run):
    ran = run("segment", "two words")
    assert (ran.status, ran.json["status"]) == (1, None)


def test_nothing_more_is_sent_after_a_used_up_quota(run, remote):
    server = remote({"status": 403, "error": "used up"}, status=403)
    ran = run("categorize", "--domain", *(f"site{number}.example" for number in range(40)))
    assert ran.status == 1
    assert [body["status"] for body in ran.json] == [403] * 40
    assert len(server.requests) < 20


def test_missing_key_is_said_once(run, remote, monkeypatch):
    server = remote({})
    monkeypatch.delenv("TOOLKIT_API_KEY")
    monkeypatch.delenv("TOOLKIT_V1_API_KEY")
    ran = run("categorize", "--domain", PAGE, OTHER, NOWHERE)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "toolkit: categorize needs an API key: set TOOLKIT_V1_API_KEY or pass v1_api_key=….\n"
    assert not server.requests


def test_key_is_never_printed(run, remote):
    remote({"status": 401, "error": "Invalid API key"}, status=401)
    ran = run("enrich", PAGE)
    assert ran.status == 1
    assert "k3y" not in ran.out + ran.err


# CSV ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "frame"),
    [
        (["segment"], "codes"),
        (["categorize"], "categories"),
        (["categorize", "--domain"], "categories"),
        (["enrich"], "companies"),
        (["enrich", "--table", "companies"], "companies"),
        (["enrich", "--table", "technologies"], "technologies"),
        (["enrich", "--table", "categories"], "categories"),
    ],
)
def test_csv_has_the_columns_of_the_frame_and_a_row_a_failure(run, arguments, frame):
    rows = run(*arguments, "--format", "csv", PAGE, NOWHERE).csv
    assert list(rows[0]) == list(SCHEMAS[frame])
    assert [row["status"] for row in rows if row["target"] == NOWHERE] == ["411"]


@pytest.mark.parametrize("kind", [[], ["--format", "json"], ["--format", "table"]])
def test_table_is_refused_where_there_are_no_rows(run, kind):
    ran = run("enrich", "--table", "technologies", *kind, PAGE)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "toolkit: --table is about the rows of CSV. Add --format csv, or leave it out.\n"


def test_csv_of_legacy_answers_is_refused(run):
    ran = run("segment", "--legacy", "--format", "csv", PAGE)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "toolkit: The legacy shape is free text, which has no rows. Leave out --legacy, or take --format json.\n"
    )


@pytest.mark.parametrize("name", FORMULAS, ids=ascii)
def test_no_cell_of_a_csv_begins_like_a_formula(run, remote, name):
    remote(company(name))
    [row] = run("enrich", "--format", "csv", PAGE).csv
    assert not row["name"].startswith(("=", "+", "-", "@", "\t", "\r", "|", "%"))


@pytest.mark.parametrize("name", FORMULAS, ids=ascii)
def test_safe_cell_never_begins_like_a_formula(name):
    assert not tables.safe_cell(name).startswith(("=", "+", "-", "@", "\t", "\r", "|", "%", "\x00"))


@pytest.mark.parametrize("value", ["boots", "a=b", "", "'quoted", -3, 0.5, None, True])
def test_harmless_cell_stays_as_it_is(value):
    assert tables.safe_cell(value) == value


def test_csv_has_no_table_without_a_vocabulary_and_asks_nothing_then(run, remote):
    server = remote({"status": 403, "error": "no"}, status=403)
    assert run("segment", "--format", "csv", PAGE, OTHER).status == 1
    assert [request.split()[1] for request in server.requests] == [b"/api/audience/filters.php"]


@pytest.mark.parametrize("hidden", ["\x1b=1+1", "\u202e=1+1", "\x9b@SUM(1)"], ids=ascii)
def test_control_character_does_not_hide_a_formula_in_a_file(hidden):
    text = io.StringIO()
    tables.write_csv(pd.DataFrame({"name": [hidden]}), text)
    assert text.getvalue().splitlines()[1].startswith("'")


def test_csv_keeps_commas_quotation_marks_and_line_breaks(run, remote):
    remote(company('Kites, "Strings"\nand Sons'))
    assert run("enrich", "--format", "csv", PAGE).csv[0]["name"] == 'Kites, "Strings"\nand Sons'


def test_write_csv_leaves_the_frame_as_it_is():
    frame = pd.DataFrame({"name": ["=1+1", "boots"]})
    before = frame.copy()
    tables.write_csv(frame, io.StringIO())
    pd.testing.assert_frame_equal(frame, before)


# Lines for a terminal -----------------------------------------------------------------------------------------------


def test_definition_lines_name_each_row_once():
    assert tables.definition_lines("Title", [("one", "1"), ("two", ["2", "3"])], width=5) == [
        "Title",
        "  one  1",
        "  two  2",
        "       3",
    ]


@pytest.mark.parametrize("value", ["", [], ["", ""]])
def test_definition_lines_leave_out_empty_values(value):
    assert tables.definition_lines("Title", [("empty", value)]) == ["Title"]


def test_definition_lines_part_a_long_name_from_its_value():
    [_, line] = tables.definition_lines("Title", [("household_composition", "Couple")])
    assert line.split() == ["household_composition", "Couple"]


@pytest.mark.parametrize("sequence", ESCAPES.values(), ids=ESCAPES)
def test_definition_lines_are_free_of_control_characters(sequence):
    lines = tables.definition_lines(f"a{sequence}", [(f"b{sequence}", f"c{sequence}"), ("d", [f"e{sequence}\nf"])])
    assert not FORBIDDEN.search("".join(lines))
    assert len(lines) == 3


# Vocabulary ---------------------------------------------------------------------------------------------------------


def test_filters_prints_the_whole_document(run, vocabulary):
    assert tk.Vocabulary.parse(run("filters").json) == vocabulary


def test_filters_csv_has_every_code_and_every_enumerated_value(run, vocabulary):
    rows = run("filters", "--format", "csv").csv
    values = [(value, name) for name, labels in vocabulary.values.items() for value in labels]
    assert [row["code"] for row in rows[: len(vocabulary.codes)]] == list(vocabulary.codes)
    assert [(row["code"], row["kind"]) for row in rows[len(vocabulary.codes) :]] == values
    assert list(rows[0]) == ["code", "label", "kind", "group"]


def test_filters_table_has_every_code_and_every_enumeration(run, vocabulary):
    lines = run("filters", "--format", "table").out.splitlines()
    assert [line.split()[0] for line in lines[: len(vocabulary.codes)]] == list(vocabulary.codes)
    assert [line.split(":")[0] for line in lines[len(vocabulary.codes) :]] == list(vocabulary.values)


@pytest.mark.parametrize("kind", ["json", "csv", "table"])
def test_search_finds_the_nearest_code_first(run, kind):
    ran = run("filters", "dogs", "--format", kind)
    first = {"json": lambda: ran.json[0]["code"], "csv": lambda: ran.csv[0]["code"], "table": ran.out.split}[kind]()
    assert (first if kind != "table" else first[0]) == "INT.PETS.DOGS"


def test_search_shows_every_hit(run, vocabulary):
    containing = {code.code for code in vocabulary.codes.values() if "travel" in code.label.lower()}
    found = {hit["code"] for hit in run("filters", "travel").json}
    assert len(containing) > 20
    assert containing <= found


@pytest.mark.parametrize(("kind", "out"), [("json", "[]\n"), ("csv", "code,label,kind,group\n"), ("table", "")])
def test_search_without_a_hit_prints_nothing_and_says_so(run, kind, out):
    ran = run("filters", "qqqqzzzz", "--format", kind)
    assert (ran.status, ran.out) == (1, out)
    assert ran.err.startswith("Nothing was found for 'qqqqzzzz', nor anything spelt like it. Try one of: ")
    assert "Sports" in ran.err


def test_search_for_a_misspelt_word_names_what_is_near(run):
    ran = run("filters", "trvael")
    assert (ran.status, ran.json) == (1, [])
    assert ran.err.startswith("Nothing was found for 'trvael'. Nearest: Travel (INT.TRAVEL); ")


# validate -----------------------------------------------------------------------------------------------------------


def test_known_codes_are_no_problem(run):
    ran = run("validate", "INT.PETS.DOGS", "PI.SOFTWARE")
    assert (ran.status, ran.json) == (0, [])


def test_unknown_code_is_named_with_place_and_nearest(run):
    ran = run("validate", "INT.PETS.DOGS", "INT.PETS.DOG")
    [problem] = ran.json
    assert ran.status == 1
    assert (problem["where"], problem["value"]) == ("$[1]", "INT.PETS.DOG")
    assert problem["nearest"][0] == "INT.PETS.DOGS"


def test_word_that_is_no_code_is_named_with_its_place(run):
    [problem] = run("validate", "INT.PETS.DOGS", "dogs").json
    assert (problem["where"], problem["value"]) == ("$[1]", "dogs")


def test_nearest_of_a_code_in_lower_case_is_that_code(run):
    [problem] = run("validate", "int.pets.dogs").json
    assert problem["nearest"][:1] == ["INT.PETS.DOGS"]


@pytest.mark.parametrize("text", ["INT.PETS.DOGS\nINT.PETS.DOG\n", '["INT.PETS.DOGS", "INT.PETS.DOG"]'])
def test_codes_come_from_standard_input(run, text):
    ran = run("validate", stdin=text)
    assert (ran.status, [problem["value"] for problem in ran.json]) == (1, ["INT.PETS.DOG"])


def test_segmentation_of_the_service_is_valid(run):
    assert run("validate", stdin=run("segment", PAGE, OTHER).out).json == []


@pytest.mark.parametrize(
    ("block", "field", "value", "where"),
    [
        ("interests", "tier2", ["INT.PETS.DOGS", "INT.PETS.DOG"], "$.interests.tier2[1]"),
        ("demographics", "income_level", "upper_midle", "$.demographics.income_level"),
        ("content_context", "content_type", "artikle", "$.content_context.content_type"),
    ],
)
def test_problem_of_a_segmentation_is_named_with_its_path(run, block, field, value, where):
    document = run("segment", PAGE).json
    document[block][field] = value
    ran = run("validate", stdin=json.dumps(document))
    assert (ran.status, [problem["where"] for problem in ran.json]) == (1, [where])
    assert ran.json[0]["nearest"]


def test_validate_table_is_one_line_a_problem(run):
    out = run("validate", "INT.PETS.DOG", "PI.SOFTWAR", "--format", "table").out.splitlines()
    assert len(out) == 2
    assert "$[0]" in out[0]
    assert "'INT.PETS.DOG'" in out[0]
    assert "INT.PETS.DOGS" in out[0]


def test_validate_table_says_that_all_is_well(run):
    ran = run("validate", "INT.PETS.DOGS", "--format", "table")
    assert (ran.status, ran.out) == (0, "All are known (codes of version 1.2).\n")


def test_validate_csv_is_csv(run):
    [row] = run("validate", "INT.PETS.DOG", "--format", "csv").csv
    assert row["value"] == "INT.PETS.DOG"


@pytest.mark.parametrize("text", ["", " \n", "null", "true"])
def test_validating_nothing_is_a_misuse(run, text):
    ran = run("validate", stdin=text)
    assert ran.status == 2
    assert ran.err.startswith("toolkit: ")


@pytest.mark.parametrize("text", ["123", '"INT.PETS.DOG"', '"dogs"'])
def test_bare_json_value_is_checked_like_a_word(run, text):
    assert run("validate", stdin=text).status == 1


def test_list_of_codes_is_checked_in_its_order(run):
    problems = run("validate", stdin='["dogs", 123, "INT.PETS.DOG", {"tier1": ["INT.PET"]}, null]').json
    assert [(problem["where"], problem["value"]) for problem in problems] == [
        ("$[0]", "dogs"),
        ("$[1]", "123"),
        ("$[2]", "INT.PETS.DOG"),
        ("$[3].tier1[0]", "INT.PET"),
        ("$[4]", "null"),
    ]


@pytest.mark.parametrize("text", ['{"interests": ', '["INT.PETS.DOGS"', '"INT.PETS'])
def test_broken_json_is_not_taken_for_words(run, text):
    ran = run("validate", stdin=text)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("toolkit: Standard input begins like JSON but is none: ")


def test_json_nested_too_deeply_is_refused_in_plain_words(run):
    ran = run("validate", stdin="[" * 200_000)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "toolkit: The JSON on standard input is nested too deeply.\n"


# Misuse and errors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["nope"],
        ["completion"],
        ["app", "--ends-after=soon"],
        ["segment", "--nope", PAGE],
        ["categorize", "--nope=1", PAGE],
        ["enrich", "--no-browser", PAGE],
        ["filters", "--nope"],
        ["validate", "--nope", "INT.PETS"],
        ["serve", "--nope"],
        ["filters", "dogs", "cats"],
        ["segment", "--format", "xml", PAGE],
    ],
    ids=" ".join,
)
def test_what_is_unknown_is_refused_on_standard_error(run, arguments):
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "toolkit" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["segment"],
        ["categorize", "--text", ""],
        ["categorize", "--text", CAR_TEXT, PAGE],
        ["categorize", "--text", CAR_TEXT, "--domain"],
        ["categorize", "--domain", "--personas", PAGE],
        ["enrich", "--include", "nope", PAGE],
        ["enrich", "--include", ",", PAGE],
        ["categorize", "--text", CAR_TEXT, "--root-fallback"],
        ["segment", "--legacy", "--format", "csv", PAGE],
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_misuse_is_said_on_standard_error_in_plain_words(run, arguments):
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err
    assert "Traceback" not in ran.err


def test_options_that_lab_does_not_know_are_passed_on(run, monkeypatch):
    opened = []
    monkeypatch.setattr(lab, "open_lab", lambda folder, options: opened.append((folder, list(options))) or 0)
    assert run("lab", "--no-browser", "--port=0").status == 0
    assert opened == [(Path.cwd(), ["--no-browser", "--port=0"])]


def test_version_is_printed(run):
    ran = run("--version")
    assert (ran.status, ran.out) == (0, f"toolkit {tk.__version__}\n")


def test_alone_it_helps(run):
    ran = run()
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == run("--help").out
    for words in ("segment", "report", "completion", "0    all went well", "130  Ctrl-C"):
        assert words in ran.out


def test_quiet_leaves_the_answer_and_what_went_wrong(run):
    assert run("segment", PAGE, "--quiet").json["status"] == 200
    ran = run("run", "--quiet", "--store", "no/such/folder/x.db", stdin=PAGE)
    assert ran.status != 0
    assert ran.err.startswith("toolkit: ")


COMMANDS = [
    "segment",
    "categorize",
    "enrich",
    "run",
    "report",
    "filters",
    "validate",
    "app",
    "lab",
    "serve",
    "listen",
    "completion",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    ran = run(command, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"usage: toolkit {command}")


def test_wrong_base_url_is_said_in_plain_words(run, monkeypatch):
    monkeypatch.setenv("TOOLKIT_BASE_URL", "not a url")
    ran = run("filters")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("toolkit: ")
    assert ran.err.count("\n") == 1


def test_broken_answer_is_said_in_plain_words(run, remote):
    remote(["nothing of use"])
    ran = run("filters")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("toolkit: ")


def test_interrupt_ends_with_130_and_no_words(run, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(tk.Client, "filters", interrupted)
    ran = run("filters")
    assert (ran.status, ran.out, ran.err) == (130, "", "")


def test_arguments_of_the_process_are_read_if_none_are_given(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["toolkit", "validate", "INT.PETS.DOGS"])
    assert cli.main() == 0
    assert json.loads(capsys.readouterr().out) == []


# Streams ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def written(monkeypatch):
    """Run a command whose standard output takes the letters of one encoding only; return status and bytes."""

    def running(encoding, *arguments):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
        monkeypatch.setattr(sys, "stdout", stream)
        return cli.main(list(arguments)), stream.buffer.getvalue()

    return running


def test_table_for_an_encoding_without_a_letter_has_an_escape(written, remote):
    remote(company("Caf\u00e9 \u014cmori"))
    status, out = written("latin-1", "enrich", PAGE, "--format", "table")
    assert status == 0
    assert b"Caf\xe9 \\u014cmori" in out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("name", ["Caf\u00e9 \u014cmori", "Cafe \ud800", "Cafe \U0001f98a", "Cafe \x9b\u202e\u2028"])
def test_json_is_the_same_in_every_encoding(written, remote, encoding, name):
    remote(company(name))
    status, out = written(encoding, "enrich", PAGE)
    assert status == 0
    assert json.loads(out.decode(encoding))["company"]["name"] == name


def test_half_a_character_in_an_answer_is_replaced_in_csv(written, remote):
    remote(company("Cafe \ud800"))
    status, out = written("utf-8", "enrich", PAGE, "--format", "csv")
    assert status == 0
    assert "Cafe \ufffd" in out.decode()


def test_answer_that_is_nested_deeply_is_printed(run, remote):
    nested = []
    for _ in range(400):
        nested = [nested]
    remote(company("Kites", nested=nested))
    ran = run("enrich", PAGE)
    assert ran.status == 0
    assert ran.json["company"]["nested"] == nested


@pytest.mark.parametrize("command", ["segment", "validate"])
def test_standard_input_that_is_no_text_is_said_in_plain_words(monkeypatch, capsys, command):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00"), encoding="utf-8"))
    assert cli.main([command]) == 2
    assert capsys.readouterr().err == "toolkit: Standard input is no text in utf-8. Convert it.\n"


def test_mark_of_the_encoding_is_no_part_of_standard_input(run):
    assert run("validate", stdin='\ufeff["INT.PETS.DOGS"]').status == 0


def test_unreachable_service_is_said_in_a_table(screen, monkeypatch):
    monkeypatch.setattr(async_client, "Retries", lambda: tk.Retries(attempts=1))
    monkeypatch.setenv("TOOLKIT_V1_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("TOOLKIT_V1_API_KEY", "k3y")
    ran = screen("enrich", PAGE)
    assert ran.status == 1
    assert ran.out.splitlines()[0] == PAGE
    assert ran.out.splitlines()[1].startswith("  failed ")
    assert "k3y" not in ran.out


def test_file_that_the_system_refuses_is_said_in_plain_words(run, monkeypatch):
    def refused(*_):
        raise PermissionError(13, "Permission denied", "/notebooks")

    monkeypatch.setattr(lab, "open_lab", refused)
    ran = run("lab")
    assert (ran.status, ran.err) == (1, "toolkit: /notebooks: Permission denied.\n")


# As a process: one a fact, as each takes seconds to start -----------------------------------------------------------


def vocabulary_of(count):
    return {"vocab_version": "1.1", "interests": [f"INT.PETS.DOGS_{number}" for number in range(count)]}


def test_pipe_gets_json():
    ran = process("segment", PAGE)
    assert (ran.status, ran.err) == (0, "")
    assert ran.json["url"]


def test_failure_is_the_exit_status_of_the_process(remote):
    assert process("validate", "INT.PETS.CATS", **remote(vocabulary_of(1)).settings).status == 1


def test_misuse_is_the_exit_status_of_the_process():
    ran = process("segment")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("toolkit: No targets were given.")


def test_terminal_gets_a_table(remote):
    ran = terminal("enrich", PAGE, **remote(company("Kites")).settings)
    assert ran.status == 0
    assert ran.out.splitlines()[0] == PAGE
    assert "  company " in ran.out
    assert "{" not in ran.out


def test_terminal_without_targets_is_not_waited_for():
    ran = terminal("segment")
    assert ran.status == 2
    assert "No targets were given" in ran.out


@pytest.mark.parametrize(("lines", "count"), [(0, 1), (1, 20_000)], ids=["before a little", "amid much"])
def test_reader_that_goes_away_is_no_error(remote, lines, count):
    started = subprocess.Popen(
        [*PROGRAM, "filters"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**remote(vocabulary_of(count)).settings),
    )
    for _ in range(lines):
        started.stdout.readline()
    started.stdout.close()
    errors = started.stderr.read()
    started.stderr.close()
    assert (started.wait(timeout=60), errors) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_full_disk_is_said_in_plain_words(remote):
    settings = remote(vocabulary_of(1)).settings
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "filters"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(**settings),
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"toolkit: No space left on device.\n")


# Hostile pages ------------------------------------------------------------------------------------------------------

HOSTILE = "x".join(ESCAPES.values())


@pytest.mark.parametrize("kind", ["table", "json", "csv"])
def test_escape_sequences_of_an_answer_never_reach_the_terminal(screen, remote, kind):
    remote(company(f"Kites {HOSTILE}", description=HOSTILE))
    ran = screen("enrich", PAGE, "--format", kind)
    assert ran.status == 0
    assert "Kites" in ran.out
    assert not FORBIDDEN.search(ran.out)


@pytest.mark.parametrize("kind", ["table", "json", "csv"])
def test_escape_sequences_of_an_error_never_reach_the_terminal(screen, remote, kind):
    remote({"status": 411, "error": f"Kites {HOSTILE}", "request_id": f"r{HOSTILE}"}, status=411)
    ran = screen("enrich", PAGE, "--format", kind)
    assert ran.status == 1
    assert "Kites" in ran.out
    assert not FORBIDDEN.search(ran.out)


@pytest.mark.parametrize("arguments", [["filters"], ["filters", "--format", "json"], ["filters", "--format", "csv"]])
def test_escape_sequences_of_a_vocabulary_never_reach_the_terminal(screen, remote, arguments):
    codes = [{"code": "INT.PETS.DOGS", "label": f"Dogs {HOSTILE}"}]
    remote({"vocab_version": f"1{HOSTILE}", "interests": codes, "income_level": [f"low{HOSTILE}"]})
    ran = screen(*arguments)
    assert ran.status == 0
    assert "Dogs" in ran.out
    assert not FORBIDDEN.search(ran.out)


@pytest.mark.parametrize("kind", ["table", "json", "csv"])
def test_escape_sequences_of_a_target_never_reach_the_terminal(screen, kind):
    ran = screen("segment", f"kites{HOSTILE}.example", "--format", kind)
    assert ran.status == 1
    assert not FORBIDDEN.search(ran.out)


@pytest.mark.parametrize("sequence", ESCAPES.values(), ids=ESCAPES)
def test_validate_table_is_free_of_control_characters(run, sequence):
    document = {"interests": {"tier2": [f"INT.{sequence}"]}, f"key{sequence}": {"tier1": ["INT.NONE.SUCH"]}}
    ran = run("validate", "--format", "table", stdin=json.dumps(document))
    assert ran.status == 1
    assert not FORBIDDEN.search(ran.out)


def test_escape_sequences_of_a_whole_commands_error_never_reach_the_terminal(screen, remote, monkeypatch):
    monkeypatch.setattr(async_client, "Retries", lambda: tk.Retries(attempts=1))
    remote({"status": 500, "error": f"Kites {HOSTILE}"}, status=400)
    ran = screen("filters")
    assert ran.status == 1
    assert "Kites" in ran.out
    assert not FORBIDDEN.search(ran.out)


def test_values_stand_below_each_other_beside_the_longest_name():
    rows = [("topics", ["Pets"]), ("topics of the earlier list", ["Pets", "Pets > Dogs"]), ("nothing", [])]
    lines = tables.definition_lines("a.example", rows)
    assert {line.index("Pets") for line in lines[1:]} == {len("  topics of the earlier list  ")}
