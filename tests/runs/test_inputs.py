"""Lists of targets of any size, read one after another."""

import csv
import datetime as dt
import decimal
import enum
import gzip
import io
import itertools
import os
import random
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from toolkit.interface.errors import InputError, TargetError
from toolkit.interface.targets import parse_target
from toolkit.runs import inputs
from toolkit.runs.inputs import TargetSource, open_targets

THREE = ["a.example", "b.example/x", "https://c.example/?q=1"]
NOISE = random.Random(7).randbytes(300_000)  # noqa: S311 - no secret


@pytest.fixture
def write(tmp_path):
    """Write a file and return its path."""

    def write(name, content, encoding="utf-8"):
        path = tmp_path / name
        content = content if isinstance(content, bytes) else content.encode(encoding)
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return write


def refused(source, column=None):
    """Return the message with which opening or reading fails."""
    with pytest.raises(InputError) as caught:
        list(open_targets(source, column))
    assert type(caught.value) is InputError
    return str(caught.value)


def read_until_refused(source, column=None):
    """Return what was read, and the message with which reading then fails."""
    got = []
    with pytest.raises(InputError) as caught:
        got.extend(open_targets(source, column))
    return got, str(caught.value)


def fails_in_band(text):
    assert type(text) is str
    with pytest.raises(TargetError):
        parse_target(text)
    return True


def peak_of(source):
    """Return how many targets there are, and the most memory that reading them took."""
    tracemalloc.start()
    try:
        number = sum(1 for _ in source)
        return number, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_public_names_are_sorted_and_there():
    assert inputs.__all__ == sorted(inputs.__all__)
    assert all(hasattr(inputs, name) for name in inputs.__all__)


def test_importing_and_reading_a_text_loads_neither_pandas_nor_pyarrow(write):
    path = write("list.csv", "url\na.example\n")
    program = (
        "import sys; from toolkit.runs.inputs import open_targets; "
        f"print(list(open_targets({str(path)!r})), list(open_targets(['b.example'])), "
        "[name for name in ('pandas', 'pyarrow', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("['a.example'] ['b.example'] []\n", "")


# In memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [list, tuple, pd.Series, pd.Index, np.array])
def test_a_sequence_is_read_in_order_as_often_as_one_likes(kind):
    source = open_targets(kind(THREE))
    assert (list(source), list(source), source.count) == (THREE, THREE, 3)
    assert all(type(target) is str for target in source)


@pytest.mark.parametrize("kind", [iter, lambda items: (item for item in items), lambda items: map(str, items)])
def test_a_generator_is_read_once_and_its_count_is_not_known(kind):
    source = open_targets(kind(THREE))
    assert (source.count, list(source)) == (None, THREE)
    with pytest.raises(InputError, match=r"can be read only once, and that is done\. Open it again, or pass a list\.$"):
        iter(source)


def test_a_generator_is_drawn_from_only_as_it_is_read():
    source = open_targets(f"site-{number}.example" for number in itertools.count())
    assert list(itertools.islice(source, 2)) == ["site-0.example", "site-1.example"]


@pytest.mark.parametrize(
    "entry",
    [None, float("nan"), np.float32("nan"), decimal.Decimal("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), ""],
    ids=repr,
)
def test_an_entry_that_stands_for_nothing_is_an_empty_target_in_its_place(entry):
    assert list(open_targets(["a.example", entry, "b.example"])) == ["a.example", "", "b.example"]


class Mute:
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    "entry", [5, 1.5, True, b"a.example", ["a.example"], {}, dt.date(2024, 1, 1), object(), Mute()], ids=type
)
def test_an_entry_that_is_no_text_is_a_row_that_fails_where_it_is_parsed(entry):
    before, row, after = open_targets(["a.example", entry, "b.example"])
    assert (before, after) == ("a.example", "b.example")
    assert fails_in_band(row)


def test_text_of_another_class_is_plain_text():
    class Site(str, enum.Enum):  # noqa: UP042 - its own text is not its value
        A = "a.example"

    assert [(text, type(text)) for text in open_targets([Site.A, np.str_("b.example")])] == [
        ("a.example", str),
        ("b.example", str),
    ]


def test_a_parsed_target_is_read_as_it_was_given():
    assert list(open_targets([parse_target(" http://www.a.example:81/x ")])) == ["http://www.a.example:81/x"]


@pytest.mark.parametrize("dtype", ["str", object, "string", "category"])
def test_a_series_of_any_type_keeps_its_missing_rows(dtype):
    source = open_targets(pd.Series(["a.example", None, "b.example"], dtype=dtype, index=[5, 5, 1]))
    assert (list(source), source.count) == (["a.example", "", "b.example"], 3)


def test_an_empty_list_has_no_targets():
    assert (list(open_targets([])), open_targets([]).count) == ([], 0)


@pytest.mark.parametrize("source", [5, None, b"a.example", parse_target("a.example"), object()], ids=type)
def test_what_is_no_list_is_refused(source):
    kind = type(source).__name__
    assert refused(source) == (
        f"Targets cannot be read from {kind}. Pass a list of texts, a Series, a DataFrame, a path, a text stream, "
        "or '-' for standard input."
    )


def test_a_source_that_is_open_is_returned_as_it_is():
    source = open_targets(THREE)
    assert open_targets(source) is source


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: THREE, "list"),
        (lambda: (text for text in THREE), "generator"),
        (lambda: pd.Series(THREE), "Series"),
        (lambda: pd.Series(THREE, name="site"), "Series site"),
        (lambda: pd.DataFrame({"URL": THREE, "n": 1}), "DataFrame, column URL"),
        (io.StringIO, "text stream"),
    ],
)
def test_the_name_says_what_is_read(make, name):
    source = open_targets(make())
    assert source.name == name
    assert repr(source) == f"TargetSource({name!r}, count={source.count})"


# Columns ------------------------------------------------------------------------------------------------------------


def tables(tmp_path, titles):
    """Make the same table as a frame and as files, with another target in each column."""
    rows = [[f"row{row}.column{place}.example" for place in range(len(titles))] for row in range(2)]
    frame = pd.DataFrame(rows, columns=titles)
    frame.to_csv(tmp_path / "table.csv", index=False)
    frame.to_csv(tmp_path / "table.tsv.gz", index=False, sep="\t")
    frame.to_parquet(tmp_path / "table.parquet")
    return [frame, *(tmp_path / f"table.{kind}" for kind in ("csv", "tsv.gz", "parquet"))]


@pytest.mark.parametrize(
    ("titles", "column", "place"),
    [
        (["anything"], None, 0),
        (["page", "Domain", "url"], None, 2),
        (["page", "Domain", "URL "], None, 2),
        (["link", "page", "clicks"], None, 1),
        (["id", "Site"], None, 1),
        (["id", "host", "site"], None, 1),
        (["url", "landing"], "landing", 1),
        (["url", "Landing Page"], "landing page", 1),
        (["url", "landing.page", "landing"], "landing.page", 1),
        (["A", "a"], "a", 1),
    ],
)
def test_the_column_is_the_named_the_only_or_the_likeliest(tmp_path, titles, column, place):
    wanted = [f"row{row}.column{place}.example" for row in range(2)]
    for table in tables(tmp_path, titles):
        source = open_targets(table, column)
        assert (list(source), list(source)) == (wanted, wanted)
        assert source.name.endswith(f", column {titles[place].strip()}") or "URL" in titles[place]


def test_a_table_without_a_certain_column_lists_its_columns(tmp_path):
    names = ("The DataFrame", "table.csv", "table.tsv.gz", "table.parquet")
    for table, name in zip(tables(tmp_path, ["id", "landing"]), names, strict=True):
        assert refused(table) == (
            f"{name} has no column that is surely of domains or URLs (url, domain, target, website, host, site, page, "
            "link). Pass column= with one that is there: id, landing."
        )
        assert refused(table, "lading") == (
            f"{name} has no column 'lading'. Pass column= with one that is there: id, landing."
        )


def test_two_columns_of_one_name_are_refused_where_it_is_wanted(write):
    frame = pd.DataFrame([["a.example", "b.example", "c.example"]], columns=["url", "url", "page"])
    path = write("twice.csv", "url,url,page\na.example,b.example,c.example\n")
    assert refused(frame) == "The DataFrame has 2 columns 'url'. Rename all but one: url, url, page."
    assert refused(path) == "twice.csv has 2 columns 'url'. Rename all but one: url, url, page."
    assert list(open_targets(frame, "page")) == list(open_targets(path, "page")) == ["c.example"]


def test_a_frame_has_columns_by_number_too():
    frame = pd.DataFrame([["x", "a.example"]])
    assert list(open_targets(frame, 1)) == ["a.example"]


def test_a_frame_without_columns_is_refused():
    assert "Pass column= with one that is there: none." in refused(pd.DataFrame())


def test_the_frame_is_left_as_it_is():
    frame = pd.DataFrame({"URL": ["a.example", None], "n": [1, 2]}, index=[7, 7])
    before = frame.copy(deep=True)
    source = open_targets(frame)
    assert (list(source), source.count) == (["a.example", ""], 2)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    "make", [lambda: THREE, lambda: pd.Series(THREE), lambda: io.StringIO("a.example"), lambda: "-"]
)
def test_a_column_of_what_is_no_table_is_refused(make):
    assert refused(make(), "url").startswith("column='url' is for a DataFrame, CSV or Parquet file, not for ")


def test_a_column_of_a_text_with_a_target_a_line_is_refused(write):
    assert refused(write("list.txt", "a.example"), "url") == (
        "list.txt is read as a target a line, so it has no column 'url'. "
        "Leave column out, or let the name of a table end in .csv, .tsv or .parquet."
    )


# CSV ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-mark", "utf-16-be-mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("name", ["list.csv", "LIST.TSV", "list.csv.gz"])
def test_a_csv_is_read_in_every_usual_form(write, name, delimiter, end, encoding):
    rows = [["id", "URL", "note"], ["1", "bücher.example", "a"], ["2", "例え.example/x", "b"]]
    text = end.join(delimiter.join(row) for row in rows) + end
    mark = "\ufeff" if encoding.endswith("-mark") else ""
    source = open_targets(write(name, mark + text, encoding.removesuffix("-mark")))
    assert (list(source), list(source), source.count) == (["bücher.example", "例え.example/x"],) * 2 + (None,)
    assert source.name == f"{name}, column URL"


def test_quoted_cells_hold_delimiters_quotes_and_ends_of_lines(write):
    path = write("quoted.csv", 'note,"url"\n"one\ntwo, ""three""","a.example/x,y"\n"",b.example\n')
    assert list(open_targets(path)) == ["a.example/x,y", "b.example"]


def test_a_header_may_hold_ends_of_lines(write):
    path = write("header.csv", '\n"note\nof the editor",url\n1,a.example\n')
    assert list(open_targets(path)) == ["a.example"]


def test_the_delimiter_is_the_one_that_gives_the_column(write):
    path = write("mixed.csv", "url;title, or name\na.example;One, two\n")
    assert list(open_targets(path)) == ["a.example"]


def test_a_blank_entry_stays_a_row_and_blank_lines_at_the_end_do_not(write):
    single = write("single.csv", 'url\na.example\n\n""\nb.example\n\n\n')
    double = write("double.csv", "id,url\n1,a.example\n2,\n\n3,b.example\n")
    assert list(open_targets(single)) == ["a.example", "", "", "b.example"]
    assert list(open_targets(double)) == ["a.example", "", "", "b.example"]


def test_what_pandas_writes_is_read_row_for_row(tmp_path):
    frame = pd.DataFrame({"url": ["a.example", None, 'b.example/"x",y', "c\n.example", None]})
    frame.to_csv(tmp_path / "frame.csv", index=False)
    assert list(open_targets(tmp_path / "frame.csv")) == ["a.example", "", 'b.example/"x",y', "c\n.example", ""]


def test_a_missing_cell_is_an_empty_target_and_never_a_shift(write):
    path = write("short.csv", "id,note,url\n1,x,a.example\n2,b.example\n3\n4,y,c.example\n")
    assert list(open_targets(path)) == ["a.example", "", "", "c.example"]


def test_a_row_with_too_many_cells_fails_where_it_is_parsed(write):
    path = write("long.csv", "url,clicks\na.example/x,y,5\nb.example,6\nc.example,7,, \n")
    cut, *rest = open_targets(path)
    assert cut == "a.example/x | y | 5"
    assert fails_in_band(cut)
    assert rest == ["b.example", "c.example"]
    (shifted,) = open_targets(write("long.tsv", "url\tclicks\n\t\ta.example\n"))
    assert fails_in_band(shifted)


def test_a_comma_in_a_table_of_one_column_is_part_of_the_url(write):
    path = write("one.csv", 'url\na.example/x,y\n"b.example/x,y"\nc.example/x;y\n')
    assert list(open_targets(path)) == ["a.example/x,y", "b.example/x,y", "c.example/x;y"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a.example\nb.example/x\nhttps://c.example/?q=1\n", "bare.csv, column 1"),
        ("1,a.example\n2,b.example/x\n3,https://c.example/?q=1\n", "bare.csv, column 2"),
        ("https://a.example;x\nb.example/x;y\nhttps://c.example/?q=1;\n", "bare.csv, column 1"),
    ],
)
def test_a_first_line_that_is_a_target_is_a_row(write, text, name):
    source = open_targets(write("bare.csv", text))
    assert ([target.removeprefix("https://") for target in source], source.name) == (
        ["a.example", "b.example/x", "c.example/?q=1"],
        name,
    )


def test_a_first_line_that_may_be_a_row_or_a_header_is_refused(write):
    message = refused(write("bare.csv", "a.example,A shop\nb.example,Another\n"))
    assert message.startswith("bare.csv has no column that is surely of domains or URLs (url, ")
    assert message.endswith(": a.example, A shop. Its first line looks like a row: put one with names above it.")


def test_a_header_that_is_asked_for_is_a_header_though_it_looks_like_a_target(write):
    assert list(open_targets(write("dotted.csv", "page.address\na.example\n"), "page.address")) == ["a.example"]


def test_nul_bytes_stay_in_their_row(write):
    table = write("nul.csv", b"id,url\n1,a.ex\0ample\n2,b.example\n")
    text = write("nul.txt", b"a.ex\0ample\nb.example\n")
    for path in (table, text):
        row, after = open_targets(path)
        assert fails_in_band(row)
        assert after == "b.example"


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_an_empty_csv_is_refused_at_the_door(write, content):
    with pytest.raises(InputError) as caught:
        open_targets(write("empty.csv", content))
    assert str(caught.value) == "empty.csv is empty. Its first line must name the columns, as in 'url'."


def test_a_csv_with_a_header_alone_has_no_targets(write):
    assert list(open_targets(write("header.csv", "id,url"))) == []


def test_a_quote_that_is_not_closed_is_an_error_after_the_rows_before_it(write):
    path = write("open.csv", 'id,url\n1,a.example\n2,"b.example\n3,c.example\n')
    assert read_until_refused(path) == (
        ["a.example"],
        "open.csv: a quote in line 3 is not closed. Close it, or write it twice.",
    )


def test_a_quote_in_the_first_row_without_a_header_loses_nothing(write):
    path = write("bare.csv", 'a.example/?q="x\nb.example\nc.example\n')
    assert list(open_targets(path)) == ['a.example/?q="x', "b.example", "c.example"]
    many = write("many.csv", 'a.example/?q="x\n' + "b.example\n" * 150_000)
    assert sum(1 for _ in open_targets(many)) == 150_001


def test_a_long_text_in_another_column_does_no_harm(write):
    path = write("pages.csv", f"text,url\n{'x' * 900_000},a.example\n")
    assert list(open_targets(path)) == ["a.example"]


@pytest.mark.parametrize(
    ("name", "start", "line"),
    [
        ("long.csv", "url\na.example\n", "x"),
        ("long.txt", "# url\na.example\n", "x"),
        ("quote.csv", 'url\na.example\n"', f"{'x' * 99}\n"),
    ],
)
def test_a_line_longer_than_a_megabyte_is_an_error_that_takes_little_memory(write, name, start, line):
    source = open_targets(write(f"{name}.gz", start + line * (10_000_000 // len(line))))
    tracemalloc.start()
    got, message = read_until_refused(source)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert got == ["a.example"]
    assert message == (
        f"{name}.gz: the row that begins in line 3 has more than 1,000,000 characters. "
        "Check the ends of the lines, and in a CSV file that every quote is closed."
    )
    assert peak < 8_000_000


@pytest.mark.parametrize("text", ["x" * 1_000_001, '"' + "x\n" * 600_000])
def test_a_first_line_longer_than_a_megabyte_is_refused(write, text):
    message = refused(write("long.csv", text))
    assert message.startswith("long.csv: the row that begins in line 1 has more than 1,000,000 characters.")


# Text and streams ---------------------------------------------------------------------------------------------------

LINES = "# sites\n\n  a.example \nb.example/x # not a mark\r\n\t\n   # none\n\u3000https://c.example/?q=1#top"
OF_LINES = ["a.example", "b.example/x # not a mark", "https://c.example/?q=1#top"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["list.txt", "list", "list.urls", "list.txt.gz"])
def test_a_text_gives_its_lines_without_blanks_and_notes(write, name, encoding):
    source = open_targets(str(write(name, LINES, encoding)))
    assert (list(source), list(source), source.count, source.name) == (OF_LINES, OF_LINES, None, name)


def test_an_empty_text_has_no_targets(write):
    assert list(open_targets(write("empty.txt", ""))) == list(open_targets(write("empty.txt.gz", ""))) == []


def test_a_home_folder_is_found(write, monkeypatch):
    monkeypatch.setenv("HOME", str(write("list.txt", "a.example").parent))
    assert list(open_targets("~/list.txt")) == ["a.example"]


class Plain:
    """A stream that has no class of the standard library."""

    def __init__(self):
        self.lines = ["a.example\n", "# b.example\n"]

    def readline(self, limit):
        return self.lines.pop(0) if self.lines else ""


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda: io.StringIO(LINES), OF_LINES),
        (lambda: io.BytesIO(LINES.encode("utf-16")), OF_LINES),
        (lambda: io.TextIOWrapper(io.BytesIO("bücher.example".encode("cp1252")), "cp1252"), ["bücher.example"]),
        (Plain, ["a.example"]),
    ],
)
def test_a_stream_is_read_once_and_left_open(make, wanted):
    stream = make()
    source = open_targets(stream)
    assert (source.count, list(source)) == (None, wanted)
    assert not getattr(stream, "closed", False)
    with pytest.raises(InputError, match=r"^The text stream can be read only once, and that is done\."):
        list(source)


def test_a_file_that_the_caller_opened_is_left_open(write):
    path = write("list.txt", LINES)
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        assert list(open_targets(binary)) == list(open_targets(text)) == OF_LINES
        assert not binary.closed
        assert not text.closed


def test_a_stream_that_is_closed_is_an_error():
    stream = io.StringIO("a.example")
    stream.close()
    assert refused(stream) == "text stream: closed before line 1 was read. Open it again."


def test_a_stream_closed_by_its_owner_meanwhile_is_an_error(write):
    with write("list.txt", "a.example\n" * 9_000).open("rb") as stream:
        targets = iter(open_targets(stream))
        next(targets)
    with pytest.raises(InputError, match=r"closed before line \d+ was read"):
        list(targets)


def test_a_stream_that_gives_no_text_is_an_error():
    class Raw:
        def readline(self, limit):
            return b"a.example"

    assert refused(Raw()) == "text stream: gives bytes, not text. Open it as text."


def test_a_stream_in_another_encoding_than_it_says_is_an_error():
    stream = io.TextIOWrapper(io.BytesIO(b"a.example\nb\xfc.example\n"), "utf-8")
    message = refused(stream)
    assert message.startswith("text stream: line 1 or one soon after it is not text in utf-8. Convert")


def run_with_input(content):
    program = (
        "import sys\nfrom toolkit.runs.inputs import open_targets\nfrom toolkit.interface.errors import InputError\n"
        "try:\n    source = open_targets('-'); print(source.name, source.count); print(list(source))\n"
        "except InputError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], input=content, capture_output=True, check=True
    )
    assert done.stderr == b""
    return done.stdout.decode()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_standard_input_is_read_line_by_line(encoding):
    assert run_with_input(LINES.encode(encoding)) == f"standard input None\n{OF_LINES}\n"


def test_standard_input_that_is_not_utf_8_is_an_error():
    assert run_with_input(b"a.example\nb\xfc.example\n").endswith(
        "standard input: line 2 is not text in UTF-8. Convert the file to UTF-8.\n"
    )


@pytest.mark.parametrize("state", ["missing", "terminal", "closed"])
def test_standard_input_with_nothing_sent_is_refused(monkeypatch, state):
    stream = io.StringIO("a.example")
    stream.isatty = lambda: state == "terminal"
    if state == "closed":
        stream.close()
    monkeypatch.setattr(sys, "stdin", None if state == "missing" else stream)
    assert refused("-") == ("Nothing is sent on standard input. Pipe a list of targets into it, or name a file.")


def test_standard_input_of_a_notebook_is_a_text_stream(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(LINES))
    assert list(open_targets("-")) == OF_LINES


@pytest.mark.parametrize(("name", "text"), [("pipe", "a.example\n"), ("pipe.csv", "url,n\na.example,1\n")])
def test_a_named_pipe_is_read_once_and_loses_nothing(tmp_path, name, text):
    path = tmp_path / name
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(text,), daemon=True)
    writer.start()
    source = open_targets(path)
    assert list(source) == ["a.example"]
    writer.join()
    with pytest.raises(InputError, match="can be read only once"):
        iter(source)


# Parquet ------------------------------------------------------------------------------------------------------------


def write_parquet(path, values, kind=None, rows=1_000, **more):
    columns = {"url": pa.array(values, kind), "n": pa.array(range(len(values)))}
    parquet.write_table(pa.table(columns), path, row_group_size=rows, **more)
    return path


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string())], ids=str
)
def test_parquet_is_read_over_its_row_groups_in_order_with_its_missing_rows(tmp_path, kind):
    values = [None if number % 10 == 3 else f"site-{number}.example" for number in range(5_500)]
    path = write_parquet(tmp_path / "list.parquet", values, kind)
    assert parquet.ParquetFile(path).num_row_groups == 6
    source = open_targets(path)
    assert (source.count, source.name) == (5_500, "list.parquet, column url")
    assert list(source) == list(source) == [value or "" for value in values]


@pytest.mark.parametrize(
    "values",
    [[1, 2], [["a.example"]], [{"host": "a.example"}], [b"b\xfc.example"]],
    ids=["number", "list", "struct", "bytes"],
)
def test_parquet_values_that_are_no_text_are_rows_that_fail_where_they_are_parsed(tmp_path, values):
    rows = list(open_targets(write_parquet(tmp_path / "list.parquet", values)))
    assert len(rows) == len(values)
    assert all(fails_in_band(row) for row in rows)


def test_parquet_without_rows_has_no_targets(tmp_path):
    source = open_targets(write_parquet(tmp_path / "list.parquet", [], pa.string()))
    assert (source.count, list(source)) == (0, [])


@pytest.mark.parametrize("content", [b"", b"a.example\n", b"PAR1" + NOISE + b"PAR1"], ids=["empty", "text", "noise"])
def test_what_is_no_parquet_is_refused_at_the_door(write, content):
    path = write("list.parquet", content)
    with pytest.raises(InputError) as caught:
        open_targets(path)
    assert str(caught.value).startswith("list.parquet: ")
    assert "copy it again." in str(caught.value) or "Check that it is whole" in str(caught.value)


def test_damaged_parquet_is_an_error_while_it_is_read(tmp_path):
    path = write_parquet(tmp_path / "list.parquet", [f"{number}.example" for number in range(20_000)], rows=5_000)
    content = bytearray(path.read_bytes())
    start = parquet.ParquetFile(path).metadata.row_group(2).column(0).data_page_offset
    content[start : start + 2_000] = NOISE[:2_000]
    path.write_bytes(content)
    got, message = read_until_refused(path)
    assert 0 < len(got) < 20_000
    assert message.startswith("list.parquet: ")


def test_parquet_text_that_is_not_utf_8_is_an_error(tmp_path):
    wrong = pa.array([b"a.example", b"b\xfc.example"]).view(pa.string())
    path = tmp_path / "list.parquet"
    parquet.write_table(pa.table({"url": wrong}), path)
    assert refused(path) == "list.parquet: holds text that is not UTF-8. Write it again in UTF-8."


def test_parquet_whose_column_went_away_is_an_error(tmp_path):
    path = write_parquet(tmp_path / "list.parquet", ["a.example"])
    source = open_targets(path)
    parquet.write_table(pa.table({"n": [1]}), path)
    assert refused(source) == "list.parquet: no Parquet file, damaged, or changed meanwhile. Write or copy it again."


# Files that cannot be read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["list.txt", "list.csv", "list.txt.gz", "list.csv.gz"])
def test_a_line_that_is_not_utf_8_is_an_error_with_its_number(write, name):
    lines = [b"url", *(b"site-%d.example" % number for number in range(40_000))]
    lines[30_000] = "bücher.example".encode("cp1252")
    got, message = read_until_refused(write(name, b"\n".join(lines)))
    assert message == f"{name}: line 30001 is not text in UTF-8. Convert the file to UTF-8."
    assert got[-1] == "site-29998.example"


@pytest.mark.parametrize(("cut", "number"), [(b"\x61", 3), (b"\x00\xd8", 3)])
def test_utf_16_with_half_a_character_is_an_error_with_its_number(write, cut, number):
    got, message = read_until_refused(write("list.txt", "a.example\nb.example\n".encode("utf-16") + cut))
    assert got == ["a.example", "b.example"]
    assert message.startswith(f"list.txt: line {number} ")
    assert message.endswith("Convert the file to UTF-8.")


@pytest.mark.parametrize("name", ["list.txt.gz", "list.csv.gz"])
def test_a_gzip_file_that_is_cut_off_is_an_error_after_what_could_be_read(write, name):
    generator = random.Random(3)  # noqa: S311 - no secret
    text = "url\n" + "".join(f"site-{generator.random()}.example\n" for _ in range(20_000))
    path = write(name, text)
    path.write_bytes(path.read_bytes()[:-30_000])
    got, message = read_until_refused(path)
    assert 1_000 < len(got) < 20_000
    assert message == f"{name}: damaged or cut off, as gzip cannot unpack it. Copy or pack it again."


@pytest.mark.parametrize("name", ["list.txt.gz", "list.csv.gz"])
@pytest.mark.parametrize("content", [b"url\na.example\n", gzip.compress(b"url\n", mtime=0)[:12] + NOISE, b"\x1f\x8b"])
def test_what_is_no_gzip_file_is_an_error(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    assert refused(tmp_path / name).startswith(f"{name}: damaged or cut off, as gzip cannot unpack it.")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04...", "list.csv is an Excel workbook or a ZIP file. Save it as CSV in UTF-8, or unpack it."),
        (b"\xd0\xcf\x11\xe0...", "list.csv is an Excel workbook. Save it as CSV in UTF-8."),
        (b"PAR1...", "list.csv is a Parquet file. Let its name end in .parquet."),
        (
            b"SQLite format 3\0...",
            "list.csv is a database, such as answers are kept in, and no list of sites. Name the list.",
        ),
        (gzip.compress(b"url", mtime=0), "list.csv is packed with gzip. Let its name end in .gz."),
        ("url".encode("utf-16-le"), "list.csv is in UTF-16 without a mark that says so. Save it in UTF-8."),
        ("url".encode("utf-16-be"), "list.csv is in UTF-16 without a mark that says so. Save it in UTF-8."),
    ],
)
def test_a_file_of_another_kind_is_called_by_its_name(write, content, message):
    assert refused(write("list.csv", content)) == message


@pytest.mark.parametrize(
    "text", ["a.example", "https://a.example/list.csv", "list.csv", "a.example\nb.example", "x" * 5_000]
)
def test_a_text_that_is_no_file_is_refused_with_both_ways_out(text):
    message = refused(text)
    assert message.startswith("There is no file '")
    assert "Check the path; to look it up as a target pass a list: ['" in message


@pytest.mark.parametrize("text", ["", "a\0b", "~nobody-of-this-name/list.csv"])
def test_a_text_that_is_no_path_is_refused(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(text)


def test_the_refusal_of_a_url_with_a_password_does_not_repeat_it():
    message = refused("https://someone:secret@a.example/")
    assert "secret" not in message
    assert "…@a.example/" in message


def test_a_path_that_is_no_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(Path("none.csv")) == "There is no file 'none.csv'. Check the path."
    assert refused(Path("none.parquet")) == "There is no file 'none.parquet'. Check the path."


def test_a_folder_is_refused(tmp_path):
    (tmp_path / "list.parquet").mkdir()
    assert refused(tmp_path / "list.parquet") == "list.parquet is a folder. Pass the path of a file in it."


@pytest.mark.parametrize("name", ["list.txt", "list.csv", "list.txt.gz", "list.parquet"])
def test_a_file_that_went_away_is_an_error_when_it_is_read(write, tmp_path, name):
    path = tmp_path / name
    if name == "list.parquet":
        write_parquet(path, ["a.example"])
    else:
        write(name, "url\na.example\n")
    source = open_targets(path)
    path.unlink()
    message = refused(source)
    assert message.startswith(f"{name}: cannot be read (")
    assert message.endswith("). Check that it is whole and that you may read it.")


def test_a_stream_that_fails_is_an_error():
    class Broken(io.StringIO):
        def readline(self, limit=-1):
            raise OSError(5, "Input/output error")

    assert refused(Broken()) == (
        "text stream: cannot be read (Input/output error). Check that it is whole and that you may read it."
    )


def test_steering_characters_in_a_files_name_are_not_repeated(write):
    assert refused(write("a\u202eb\n.csv", "id,note\n")).startswith("ab .csv has no column")


# Size ---------------------------------------------------------------------------------------------------------------

MANY = {"long.txt": 300_000, "long.csv": 100_000, "long.parquet": 300_000}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a long list in every form; a list of its rows would take 7 MB or more."""
    folder = tmp_path_factory.mktemp("long")
    lines = [f"site-{number:06}.example/page" for number in range(300_000)]
    (folder / "long.txt").write_text("\n".join(lines), encoding="utf-8")
    with (folder / "long.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["n", "url"], *enumerate(lines[: MANY["long.csv"]])])
    (folder / "long.csv.gz").write_bytes(gzip.compress((folder / "long.csv").read_bytes(), 1))
    write_parquet(folder / "long.parquet", lines, rows=50_000)
    return folder


@pytest.mark.parametrize("name", ["long.txt", "long.csv", "long.csv.gz", "long.parquet"])
def test_a_long_file_is_read_in_little_memory(folder, name):
    before = pa.total_allocated_bytes()
    source = open_targets(folder / name)
    list(itertools.islice(source, 1))  # what is loaded on first use is not counted
    number, peak = peak_of(source)
    assert number == MANY[name.removesuffix(".gz")]
    assert peak < 2_500_000
    assert pa.total_allocated_bytes() - before < 2_500_000


def test_parquet_in_one_row_group_is_read_in_little_memory(tmp_path):
    values = [f"https://site-{number}.example/{NOISE[number % 9_000 :][:200].hex()}" for number in range(60_000)]
    path = write_parquet(tmp_path / "one.parquet", values, rows=60_000, use_dictionary=False, compression="none")
    before, most = pa.total_allocated_bytes(), 0
    for place, _ in enumerate(open_targets(path)):
        if place % 1_000 == 0:
            most = max(most, pa.total_allocated_bytes() - before)
    assert sum(map(len, values)) > 20_000_000
    assert most < 10_000_000


@pytest.mark.parametrize("name", ["long.txt", "long.csv", "long.parquet"])
def test_a_reading_that_is_given_up_closes_the_file(folder, name):
    targets = iter(open_targets(folder / name))
    next(targets)
    handles = Path("/proc/self/fd")
    if not handles.exists():
        pytest.skip("this system does not list what is open")
    targets.close()
    held = [str(handle.readlink()) for handle in handles.iterdir() if handle.is_symlink()]
    assert str(folder / name) not in held


def test_the_same_file_can_be_read_twice_at_a_time(folder):
    source = open_targets(folder / "long.csv")
    assert isinstance(source, TargetSource)
    assert all(one == two for one, two in itertools.islice(zip(source, source, strict=True), 1_000))


# The table that targets are a column of -----------------------------------------------------------------------------

TABLES = {
    "plain": ("sites.csv", "url,side\na.example,x\nb.example,y\n", [["a.example", "x"], ["b.example", "y"]]),
    "quoted": ("sites.csv", 'url,side\na.example,"x, ""y""\nz"\n', [["a.example", 'x, "y"\nz']]),
    "blank lines": (
        "sites.csv",
        "url,side\na.example,x\n\nb.example,\n\n\n",
        [["a.example", "x"], [None, None], ["b.example", ""]],
    ),
    "short and long": (
        "sites.csv",
        "url,side\na.example\nb.example,x,,\nc.example,x,more\n",
        [["a.example", None], ["b.example", "x"], ["c.example", "x"]],
    ),
    "with a mark": ("sites.csv", "\ufeffurl;side\na.example;x\n", [["a.example", "x"]]),
    "packed": ("sites.csv.gz", "url,side\na.example,x\n", [["a.example", "x"]]),
    "tabs": ("sites.tsv", "url\tside\na.example\tx\n", [["a.example", "x"]]),
    "spaces": ("sites.csv", "url , side\na.example, x\n", [["a.example", " x"]]),
    "no rows": ("sites.csv", "url,side\n", []),
}


@pytest.mark.parametrize("kind", list(TABLES))
def test_the_table_of_a_file_has_a_row_a_target(write, kind):
    name, content, rows = TABLES[kind]
    source = open_targets(write(name, content))
    table = source.table()
    assert list(table.columns) == ["url", "side"]
    assert table.astype("object").where(table.notna(), None).to_numpy().tolist() == rows
    assert len(table) == len(list(source))


def test_repeated_titles_are_kept(write):
    table = open_targets(write("sites.csv", "url,x,x\na.example,1,2\n")).table()
    assert list(table.columns) == ["url", "x", "x"]


@pytest.mark.parametrize(("name", "content"), [("sites.csv", "https://a.example,5\n"), ("sites.txt", "a.example\n")])
def test_what_has_no_titles_is_no_table(write, name, content):
    assert open_targets(write(name, content)).table() is None


def test_what_is_read_once_is_no_table():
    assert open_targets(io.StringIO("a.example\n")).table() is None
    assert open_targets(target for target in THREE).table() is None
