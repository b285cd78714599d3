"""A segment as a file: what stands in it, that nothing in it runs, and that it is whole or not there."""

import csv
import json
import re
import zipfile
from datetime import datetime

import openpyxl
import pandas as pd
import pytest

import toolkit as tk
from toolkit.frames.typed import categories as categories_frame
from toolkit.frames.typed import codes as codes_frame
from toolkit.interface.errors import InputError, UnknownCodeError
from toolkit.interface.taxonomy import Taxonomy
from toolkit.segments.definition import Segment
from toolkit.segments.export import export_segment
from toolkit.segments.plan import plan_sites

NAMES = ("torque-journal", "northgate-motors", "pawsome-companions", "scholarbridge", "fairway-club", "campfire-rv")
TEXT = (
    "any(PI.AUTOMOTIVE_OWNERSHIP.*, INT.PETS.*) and income_level >= upper_middle and not INT.EDUCATION.* "
    'or persona = "pet owners*" or content-v3 = "Sports" and not age_bracket in (13_17, 18_24)'
)


@pytest.fixture(scope="module")
def codes(client):
    return codes_frame([client.segment(f"{name}.example") for name in NAMES])


@pytest.fixture(scope="module")
def categories(client):
    return categories_frame([client.categorize_content(url=f"{name}.example") for name in NAMES])


@pytest.fixture
def segment(vocabulary):
    return Segment.parse(TEXT, vocabulary, name="Motors, pets & sports")


@pytest.fixture
def plan(codes, segment, vocabulary):
    return plan_sites(codes, segment, vocabulary=vocabulary)


@pytest.fixture
def export(tmp_path, codes, categories, segment, vocabulary):
    """Write the segment as a file of that name, and return the files."""

    def write(name, **other):
        given = {"vocabulary": vocabulary, "categories": categories} | other
        return export_segment(given.pop("segment", segment), given.pop("codes", codes), tmp_path / name, **given)

    return write


def table_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def rows_of(sheet):
    head, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_the_matching_sites_stand_in_every_format_with_the_reasons(export, segment, codes, categories, plan):
    found = segment.match(codes, categories)
    wanted = found.loc[found["matches"], ["site", "why"]].values.tolist()
    assert 1 < len(wanted) < len(found)
    sites, *_ = export("s.csv", plan=plan)
    assert [[row["site"], row["why"]] for row in table_of(sites)] == wanted
    (book,) = export("s.xlsx", plan=plan)
    assert [[row["site"], row["why"]] for row in rows_of(openpyxl.load_workbook(book)["Sites"])] == wanted
    (document,) = export("s.json", plan=plan)
    assert [[row["site"], row["why"]] for row in json.loads(document.read_text("utf-8"))["sites"]] == wanted


def test_the_codes_stand_with_labels_groups_and_the_part_that_they_play(export, codes, vocabulary):
    (document,) = export("s.json")
    rows = json.loads(document.read_text("utf-8"))["codes"]
    known = {(row["dimension"], row["code"]): row for row in rows}
    new = known["purchase_intent", "PI.AUTOMOTIVE_OWNERSHIP.NEW_VEHICLES"]
    assert new == {
        "dimension": "purchase_intent",
        "code": "PI.AUTOMOTIVE_OWNERSHIP.NEW_VEHICLES",
        "label": "New Vehicles",
        "group": "PI.AUTOMOTIVE_OWNERSHIP",
        "group_label": "Automotive Ownership",
        "condition": "PI.AUTOMOTIVE_OWNERSHIP.*",
        "role": "wanted",
        "sites": codes.loc[codes["code"] == "PI.AUTOMOTIVE_OWNERSHIP.NEW_VEHICLES", "normal"].nunique(),
    }
    for kind, group, role in (("interest", "INT.PETS", "wanted"), ("interest", "INT.EDUCATION", "excluded")):
        members = [code.code for code in vocabulary.members(kind, group)]
        assert [row["code"] for row in rows if row["group"] == group] == members
        assert {row["role"] for row in rows if row["group"] == group} == {role}
    assert [row["code"] for row in rows if row["dimension"] == "income_level"] == [
        value for value in vocabulary.values["income_level"] if value in {"upper_middle", "high", "very_high"}
    ]
    assert {row["role"] for row in rows if row["dimension"] == "age_bracket"} == {"excluded"}
    personas = set(codes.loc[(codes["dimension"] == "persona") & codes["code"].str.startswith("Pet Owners"), "code"])
    assert {row["code"] for row in rows if row["dimension"] == "persona"} == personas != set()
    sports = Taxonomy.load("content-v3").by_path("Sports")
    assert (known["content-v3", sports.id]["label"], known["content-v3", sports.id]["sites"]) == ("Sports", 1)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("income_level < middle", ["low", "lower_middle"]),
        ("income_level <= middle", ["low", "lower_middle", "middle"]),
        ("income_level > high", ["very_high"]),
        ("income_level between lower_middle and upper_middle", ["lower_middle", "middle", "upper_middle"]),
        ("income_level != middle", ["middle"]),
    ],
)
def test_a_comparison_of_bands_stands_for_the_bands_that_it_takes(export, vocabulary, text, wanted):
    (document,) = export("s.json", segment=Segment.parse(text, vocabulary))
    rows = json.loads(document.read_text("utf-8"))["codes"]
    assert [row["code"] for row in rows] == wanted
    assert {row["role"] for row in rows} == {"excluded" if "!=" in text else "wanted"}


def test_taxonomies_stand_with_names_and_versions(export, vocabulary, categories):
    (document,) = export("s.json")
    taxonomies = json.loads(document.read_text("utf-8"))["taxonomies"]
    assert taxonomies[0] == {"name": "Audience vocabulary of the classification service", "version": vocabulary.version}
    assert {"name": "IAB Tech Lab Content Taxonomy", "version": "3.0"} in taxonomies
    assert ({"name": "IAB Tech Lab Content Taxonomy", "version": "2.0"} in taxonomies) == (
        "content-v2" in set(categories["taxonomy"])
    )
    (document,) = export("t.json", segment=Segment.parse("INT.PETS.*"), categories=None)
    assert json.loads(document.read_text("utf-8"))["taxonomies"] == taxonomies[:1]


def test_counts_dates_and_versions_stand_beside_the_tables(export, segment, codes, vocabulary, plan):
    files = export("s.csv", plan=plan)
    assert [file.name for file in files] == ["s.csv", "s-codes.csv", "s-plan.csv", "s-about.csv"]
    told = {row["name"]: row["value"] for row in table_of(files[3])}
    assert told["Text"] == segment.text
    assert told["Answered sites"] == str(len(NAMES))
    assert told["Matching sites"] == str(len(table_of(files[0])))
    assert told["Last answer"] == f"{codes['fetched_at'].max():%Y-%m-%d}"
    assert told["Vocabulary of the answers"] == vocabulary.version
    assert told["Toolkit"] == tk.__version__
    assert told["Plan, how good"] == plan.bound
    assert [row["site"] for row in table_of(files[2])] == plan.sites["site"].tolist()


def test_a_site_says_its_place_in_the_plan(export, plan):
    order = dict(zip(plan.sites["site"], plan.sites["order"], strict=True))
    (document,) = export("s.json", plan=plan)
    read = json.loads(document.read_text("utf-8"))
    assert [row["planned"] for row in read["sites"]] == [order.get(row["site"]) for row in read["sites"]]
    assert [row["site"] for row in read["plan"]["sites"]] == list(order)
    assert read["plan"]["missing"] == list(plan.missing)


def test_without_a_plan_there_is_none(export):
    (document,) = export("s.json")
    assert json.loads(document.read_text("utf-8"))["plan"] is None
    (book,) = export("s.xlsx")
    assert openpyxl.load_workbook(book).sheetnames == ["Sites", "Codes", "About"]
    assert table_of(export("s.csv")[2]) == []


def test_a_segment_that_nothing_matches_has_the_same_columns(export, codes, vocabulary):
    some, none = Segment.parse("INT.PETS.*", vocabulary), Segment.parse("not audience_type in (b2b, b2c, mixed)")
    heads = [export("s.csv", segment=each)[0].read_text("utf-8-sig").splitlines() for each in (some, none)]
    assert heads[0][0] == heads[1][0] == "site,why,planned,segment,vocabulary,taxonomies"
    assert len(heads[1]) == 1
    untold = codes.iloc[:0].copy()
    untold.attrs = {}
    empty = export("e.json", segment=some, codes=untold)[0]
    assert json.loads(empty.read_text("utf-8"))["about"]["sites"] == 0


def hostile(codes):
    bad = codes[codes["normal"] == "pawsome-companions.example"].copy()
    names = {
        "=cmd|' /C calc'!A0": "@SUM(1+1)",
        "+1.example": "-2",
        "\t=1": "<script>alert(1)</script>",
        "http://evil.example/": "tab\there",
    }
    parts = [
        bad.assign(target=site, normal=site, label=bad["label"].where(bad["code"] != "INT.PETS.DOGS", label))
        for site, label in names.items()
    ]
    return pd.concat(parts, ignore_index=True), list(names)


def test_a_spreadsheet_runs_nothing_of_a_csv_file(export, codes):
    frame, sites = hostile(codes)
    files = export("s.csv", codes=frame, segment=Segment.parse("INT.PETS.*"), categories=None)
    written = [row["site"] for row in table_of(files[0])]
    assert sorted(written) == sorted(site if site.startswith("http") else f"'{site}" for site in sites)
    for file in files:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            for row in csv.reader(lines):
                assert not any(re.match(r"[=+\-@\t\r]", cell) for cell in row)


def test_a_workbook_holds_texts_no_formulas_and_no_links(export, codes):
    frame, sites = hostile(codes)
    (file,) = export("s.xlsx", codes=frame, segment=Segment.parse("INT.PETS.*"), categories=None)
    book = openpyxl.load_workbook(file)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert not any(cell.hyperlink for cell in cells)
    assert sorted(row["site"] for row in rows_of(book["Sites"])) == sorted(site.replace("\t", " ") for site in sites)
    assert all(sheet.freeze_panes == "A2" for sheet in book)
    assert all(sheet.column_dimensions["A"].width > 3 for sheet in book)
    with zipfile.ZipFile(file) as packed:
        assert not any(b"<f>" in packed.read(name) for name in packed.namelist())


def test_json_holds_every_text_as_it_is_and_no_nan(export, codes):
    frame, sites = hostile(codes)
    (file,) = export("s.json", codes=frame, segment=Segment.parse("INT.PETS.*"), categories=None)
    read = json.loads(file.read_text("utf-8"), parse_constant=pytest.fail)
    assert sorted(row["site"] for row in read["sites"]) == sorted(sites)


def test_numbers_are_numbers_and_shares_per_cent(export, plan):
    (file,) = export("s.xlsx", plan=plan)
    book = openpyxl.load_workbook(file)
    rows = rows_of(book["Plan"])
    assert [row["share"] for row in rows] == pytest.approx(plan.sites["share"].tolist())
    assert [row["new"] for row in rows] == plan.sites["new"].tolist()
    column = [cell.value for cell in book["Plan"][1]].index("share")
    assert book["Plan"][2][column].number_format == "0.0 %"


def test_a_text_that_is_too_long_for_a_cell_is_cut_there(export, vocabulary, codes):
    text = " or ".join(f'persona = "{"x" * 480} {number}"' for number in range(80))
    (file,) = export("s.xlsx", segment=Segment.parse(text, vocabulary), categories=None)
    told = {row["name"]: row["value"] for row in rows_of(openpyxl.load_workbook(file)["About"])}
    assert len(told["Text"]) == 32_767
    assert told["Text"].endswith("…")


@pytest.mark.parametrize("ending", ["csv", "xlsx", "json"])
def test_the_same_content_gives_the_same_bytes(export, codes, plan, ending):
    first = [file.read_bytes() for file in export(f"s.{ending}", plan=plan)]
    mixed = codes.sample(frac=1, random_state=4)
    assert [file.read_bytes() for file in export(f"s.{ending}", plan=plan, codes=mixed)] == first


def test_a_workbook_is_dated_by_its_last_answer(export, codes):
    (file,) = export("s.xlsx")
    created = openpyxl.load_workbook(file).properties.created
    assert created == datetime(*codes["fetched_at"].max().timetuple()[:3])  # noqa: DTZ001 - a day


def test_an_earlier_file_stays_when_a_new_one_cannot_be_written(export, tmp_path):
    (file,) = export("s.json")
    before = file.read_bytes()
    file.with_name("s-about.csv").mkdir()
    with pytest.raises(InputError, match=r"s-about\.csv cannot be written: .*Close it where it is open, or name"):
        export("s.csv")
    assert file.read_bytes() == before
    assert not list(tmp_path.glob(".*"))


def test_a_file_in_no_folder_is_refused_with_what_to_do(export, tmp_path):
    with pytest.raises(
        InputError, match=r"nowhere/s\.xlsx cannot be written: No such file or directory\. .* name another"
    ):
        export("nowhere/s.xlsx")
    assert not list(tmp_path.iterdir())


def test_capitals_of_the_ending_do_not_matter(export):
    assert [file.name for file in export("s.CSV")] == ["s.CSV", "s-codes.CSV", "s-plan.CSV", "s-about.CSV"]


def test_no_frame_of_the_caller_is_changed(export, codes, categories, plan):
    before = [frame.copy(deep=True) for frame in (codes, categories, plan.sites)]
    export("s.xlsx", plan=plan)
    for frame, copy in zip((codes, categories, plan.sites), before, strict=True):
        pd.testing.assert_frame_equal(frame, copy)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"segment": "INT.PETS.*"}, "segment is of type str. Pass Segment.parse(…)."),
        ({"codes": []}, "codes is of type list. Pass run.codes()."),
        ({"vocabulary": None}, "vocabulary is of type NoneType. Pass client.filters()."),
        ({"categories": []}, "categories is of type list."),
        ({"plan": "all"}, "plan is of type str. Pass what plan_sites returned, or leave it out."),
        ({"categories": None}, "The segment asks for categories"),
    ],
)
def test_a_bad_argument_is_refused_in_words(export, tmp_path, arguments, message):
    with pytest.raises(InputError, match=re.escape(message)):
        export("s.csv", **arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("segment", "'segment' does not say what to write. End it with .csv, .xlsx or .json."),
        ("segment.xls", "'segment.xls' does not say what to write."),
        (3, "path is of type int."),
    ],
)
def test_a_path_that_does_not_say_what_to_write_is_refused(segment, codes, vocabulary, path, message):
    with pytest.raises(InputError, match=re.escape(message)):
        export_segment(segment, codes, path, vocabulary=vocabulary)


def test_a_code_that_the_vocabulary_does_not_have_is_named(export, codes):
    with pytest.raises(UnknownCodeError, match=r"INT\.PETS\.DOGS"):
        export("s.csv", segment=Segment.parse("INT.PETS.DOGZ"))


def test_a_segment_of_categories_alone_needs_no_codes(export, codes, categories, vocabulary):
    segment = Segment('content-v3 = "Sports"', vocabulary)
    (file,) = export("sports.json", segment=segment, codes=None)
    document = json.loads(file.read_text(encoding="utf-8"))
    assert [row["site"] for row in document["sites"]] == segment.sites(codes, categories) != []
    assert [(row["dimension"], row["code"], row["sites"]) for row in document["codes"]] == [
        ("content-v3", "483", len(document["sites"]))
    ]


def test_codes_that_a_segment_asks_for_must_be_there(export):
    with pytest.raises(InputError, match=r"asks for codes, and no frame of codes was passed"):
        export("all.json", codes=None)


def test_a_wildcard_of_a_field_is_listed_by_its_values(export, codes, vocabulary):
    (file,) = export("known.json", segment=Segment("income_level = *middle", vocabulary))
    listed = json.loads(file.read_text(encoding="utf-8"))["codes"]
    assert {row["code"] for row in listed} == {
        value for value in vocabulary.values["income_level"] if value.endswith("middle")
    }
