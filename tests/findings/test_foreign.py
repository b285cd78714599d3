"""Frames from elsewhere: what a finding says of a frame that was written and read back, or came from other tools."""

import datetime as dt
import io
import json
import sqlite3
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.findings import (
    compare,
    compare_versions,
    confidence_bands,
    confidence_bins,
    coverage,
    drift,
    drift_sites,
    empty_blocks,
    nearest,
    nearest_codes,
    overlap,
    persona_links,
    reach,
    shares,
    technology_shares,
)
from toolkit.frames.about import about
from toolkit.frames.foreign import normal
from toolkit.frames.schemas import LEVELS, SCALARS
from toolkit.interface.errors import InputError
from toolkit.segments import Segment, plan_sites, segment_overlap

#: What findings read of frames, without bands, whose order no file keeps.
READ = ["target", "normal", "error", "endpoint", "fetched_at", "vocab_version", "dimension", "code", "label", "group"]
READ += ["taxonomy", "id", "name", *LEVELS, "confidence", "technology", "category", "interests", "personas"]
SITE = "ledgerline.example"


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture(scope="module")
def frames(run):
    """Frames of some sites, failures among them, of which nobody says who was asked."""
    listed = [*run.audiences()["target"].iloc[::4], SITE]
    listed += [target for target in run.failures()["target"] if target not in listed][:2]
    found = {}
    for name in ("codes", "categories", "technologies", "audiences"):
        frame = run.frame(name)
        found[name] = frame[frame["target"].isin(listed)].reset_index(drop=True)
        found[name].attrs.clear()
    assert all(frame["error"].notna().any() for frame in found.values())
    return found


# The ways out and back --------------------------------------------------------------------------------------------


def csv(frame, *, index=False, **options):
    return pd.read_csv(io.StringIO(frame.to_csv(index=index)), **options)


def parquet(frame, **options):
    file = io.BytesIO()
    pa.parquet.write_table(pa.Table.from_pandas(frame).replace_schema_metadata(None), file)
    return pa.parquet.read_table(io.BytesIO(file.getvalue())).to_pandas(**options)


def sqlite(frame):
    with sqlite3.connect(":memory:") as database:
        frame.to_sql("answers", database, index=False)
        return pd.read_sql("select * from answers", database)


def typed(frame, **dtypes):
    return frame.astype({name: dtype for name, dtype in dtypes.items() if name in frame.columns})


def mapped(frame, change, *names):
    return frame.assign(**{name: change(frame[name]) for name in names if name in frame.columns})


def ids_as_numbers(frame):
    """Return ids as a spreadsheet gives them: numbers where they look so, as floats for there are empty cells."""
    return mapped(frame, lambda ids: pd.Series([float(i) if str(i).isdigit() else i for i in ids], dtype=object), "id")


def bands_as(frame, change):
    bands = [name for name in frame.columns if isinstance(frame[name].dtype, pd.CategoricalDtype)]
    return mapped(frame, change, *bands)


WAYS = {
    "csv": csv,
    "csv with its index": lambda frame: csv(frame, index=True),
    "csv of texts": lambda frame: csv(frame, dtype=str),
    "csv of texts with empty ones": lambda frame: csv(frame, dtype=str, keep_default_na=False),
    "csv of Arrow": lambda frame: csv(frame, dtype_backend="pyarrow"),
    "csv of missing values as NA": lambda frame: csv(frame, dtype_backend="numpy_nullable"),
    "csv with semicolons and a mark": lambda frame: pd.read_csv(
        io.StringIO("\ufeff" + frame.to_csv(index=False, sep=";")), sep=";", header=0, encoding="utf-8"
    ),
    "json records": lambda frame: pd.read_json(io.StringIO(frame.to_json(orient="records", date_format="iso"))),
    "times as numbers": lambda frame: mapped(
        frame, lambda times: times.astype("datetime64[ms, UTC]").astype("int64"), "fetched_at"
    ),
    "json columns": lambda frame: pd.read_json(io.StringIO(frame.to_json(date_format="iso"))),
    "json lines": lambda frame: pd.read_json(
        io.StringIO(frame.to_json(orient="records", lines=True, date_format="iso")), lines=True, dtype=False
    ),
    "dictionaries": lambda frame: pd.DataFrame(frame.to_dict("records")),
    "parquet": parquet,
    "parquet of Arrow": lambda frame: parquet(frame, types_mapper=pd.ArrowDtype),
    "parquet of objects": lambda frame: parquet(frame, strings_to_categorical=True),
    "sqlite": sqlite,
    "objects": lambda frame: frame.astype(object),
    "objects with None": lambda frame: frame.astype(object).where(frame.notna(), None),
    "objects with NA": lambda frame: frame.astype(object).where(frame.notna(), pd.NA),
    "everything as str() says it": lambda frame: frame.astype(object).map(str),
    "empty strings": lambda frame: frame.astype(object).where(frame.notna(), ""),
    "empty strings in error": lambda frame: mapped(frame, lambda column: column.fillna(""), "error"),
    "status as text": lambda frame: mapped(
        frame, lambda column: column.astype(object).where(column.notna(), "").astype(str), "status"
    ),
    "texts with spaces": lambda frame: frame.astype(object).map(lambda v: f"{v}  " if isinstance(v, str) else v),
    "texts as categories": lambda frame: typed(
        frame, **{name: "category" for name in frame.columns if frame[name].dtype == "str"}
    ),
    "ids as numbers": ids_as_numbers,
    "ids as texts of numbers": lambda frame: mapped(
        frame, lambda ids: ids.map(lambda i: f"{i}.0" if str(i).isdigit() else i), "id"
    ),
    "times as text": lambda frame: mapped(frame, lambda times: times.astype(str), "fetched_at"),
    "times in another zone": lambda frame: mapped(frame, lambda times: times.dt.tz_convert("Asia/Tokyo"), "fetched_at"),
    "times in another zone as text": lambda frame: mapped(
        frame, lambda times: times.dt.tz_convert("Asia/Tokyo").astype(str), "fetched_at"
    ),
    "times without a zone": lambda frame: mapped(frame, lambda times: times.dt.tz_localize(None), "fetched_at"),
    "times as dates": lambda frame: mapped(frame, lambda times: times.dt.date, "fetched_at"),
    "times as objects": lambda frame: typed(frame, fetched_at=object),
    "bands as texts": lambda frame: bands_as(frame, lambda band: band.astype("str")),
    "bands without order": lambda frame: bands_as(
        frame, lambda band: band.astype("str").astype(pd.CategoricalDtype(sorted(band.cat.categories)))
    ),
    "bands in the wrong order": lambda frame: bands_as(
        frame, lambda band: band.astype(pd.CategoricalDtype(sorted(band.cat.categories), ordered=True))
    ),
    "numbers of a database": lambda frame: mapped(
        frame,
        lambda numbers: (
            numbers.map(lambda number: Decimal(str(number)) if isinstance(number, float) else number)
            if numbers.dtype == "float64"
            else numbers
        ),
        "confidence",
    ),
    "numbers of half the width": lambda frame: (
        typed(frame, confidence="float32")
        if "confidence" in frame.columns and frame["confidence"].dtype == "float64"
        else frame
    ),
    "upper-case headings": lambda frame: frame.rename(columns=str.upper),
    "headings with spaces": lambda frame: frame.rename(columns=lambda name: f" {name.title()} "),
    "columns in another order": lambda frame: frame[frame.columns[::-1]],
    "columns twice": lambda frame: pd.concat([frame, frame[frame.columns[3:]]], axis=1),
    "targets as the index": lambda frame: frame.set_index(["target", "normal"]),
    "an index of its own": lambda frame: frame.set_axis(np.zeros(len(frame)), axis=0),
}

# The findings -----------------------------------------------------------------------------------------------------

OF_BAND = "income_level >= middle with confidence >= medium"
WITH_PLAN = "INT.*"
TEXT = "any(INT.BUSINESS_AND_FINANCE.*, INT.FOOD_AND_DRINK.*) and not audience_type = b2b"


def sorted_by_name(found):
    """Return a finding without the order of its groups: a band that has lost its order stands by name."""
    names = [name for name in ("group", "other") if name in found.columns]
    return found.sort_values(names, ignore_index=True)


FINDINGS = {
    "compare codes": lambda f, g, v: compare(f["codes"], g, "rest"),
    "compare weighted": lambda f, g, v: compare(f["codes"], g, dimensions="interest", confidence_weights=True),
    "compare categories": lambda f, g, v: compare(f["categories"], g, confidence_weights=True),
    "compare by a column": lambda f, g, v: compare(f["codes"], "dimension", dimensions="persona"),
    "compare runs": lambda f, g, v: compare({"one": f["codes"], "two": f["codes"]}, baseline="one"),
    "compare with a baseline": lambda f, g, v: compare(f["categories"], g, f["audiences"].iloc[:5]),
    "shares of codes": lambda f, g, v: shares(f["codes"]),
    "shares of categories": lambda f, g, v: shares(f["categories"]),
    "shares of given sites": lambda f, g, v: shares(f["categories"], sites=f["audiences"]),
    "shares of technologies": lambda f, g, v: technology_shares(f["technologies"]),
    "confidence bands": lambda f, g, v: confidence_bands(f["codes"]),
    "confidence bins": lambda f, g, v: confidence_bins(f["categories"]),
    "empty blocks of codes": lambda f, g, v: empty_blocks(f["codes"]),
    "empty blocks of audiences": lambda f, g, v: empty_blocks(f["audiences"]),
    "coverage of categories": lambda f, g, v: coverage(f["categories"], threshold=0.8783),
    "coverage of given sites": lambda f, g, v: coverage(f["categories"], "content-v2", sites=f["audiences"]),
    "coverage of interests": lambda f, g, v: coverage(f["codes"], "interest", threshold="medium", vocabulary=v),
    "versions": lambda f, g, v: compare_versions(f["categories"]),
    "drift": lambda f, g, v: drift(f["codes"], f["whole"]),
    "drift of categories": lambda f, g, v: drift(f["whole categories"], f["categories"]),
    "drift of sites": lambda f, g, v: drift_sites(f["codes"], f["whole"]),
    "overlap by a column": lambda f, g, v: sorted_by_name(overlap("audience_type", f["audiences"])),
    "overlap of lists": lambda f, g, v: overlap(g, f["categories"]),
    "overlap of frames": lambda f, g, v: overlap({"one": f["codes"], "two": f["categories"]}),
    "reach by a column": lambda f, g, v: reach("dimension", f["codes"]),
    "nearest": lambda f, g, v: nearest(f["codes"], SITE),
    "nearest of categories": lambda f, g, v: nearest(f["categories"], SITE, taxonomy="content-v3"),
    "nearest codes": lambda f, g, v: nearest_codes(f["codes"], {"audience_type": "b2b"}),
    "persona links": lambda f, g, v: persona_links(f["codes"], f["categories"]),
    "match": lambda f, g, v: Segment.parse(TEXT, v).match(f["codes"]),
    "match of a band": lambda f, g, v: Segment.parse("income_level >= middle with confidence >= medium", v).match(
        f["codes"]
    ),
    "match of categories": lambda f, g, v: Segment.parse('content-v3 = "Business and Finance"', v).match(
        f["codes"], f["categories"]
    ),
    "size": lambda f, g, v: Segment.parse(TEXT, v).size(f["codes"], sites=f["audiences"]),
    "overlap of segments": lambda f, g, v: segment_overlap(
        [Segment.parse(TEXT, v), Segment.parse("INT.TRAVEL.*", v)], f["codes"]
    ),
    "plan": lambda f, g, v: plan_sites(f["codes"], WITH_PLAN).sites,
    "plan of categories": lambda f, g, v: (
        plan_sites(
            None, ["content-v3=Business and Finance"], categories=f["categories"], costs=dict.fromkeys(g.index, 2.0)
        ).sites
    ),
    "what it is about": lambda f, g, v: pd.DataFrame([about(f["codes"], f["categories"])], dtype=object),
}


@pytest.fixture(scope="module")
def ask(frames, run):
    """Return what answers a finding of frames."""
    good = frames["audiences"][frames["audiences"]["error"].isna()]
    groups = good.set_index("target")["audience_type"].astype("str")
    whole = {"whole": frames["codes"], "whole categories": frames["categories"]}
    return lambda name, given: FINDINGS[name](given | whole, groups, run.vocabulary)


def same(found, expected):
    try:
        assert_frame_equal(found, expected)
    except AssertionError:
        return False
    return json.dumps(found.attrs, default=str) == json.dumps(expected.attrs, default=str)


#: Ways in which each kind of damage stands once; the others lead to the same frames, as the first test says.
SEVERAL = (
    "csv",
    "csv of texts with empty ones",
    "json records",
    "parquet of Arrow",
    "sqlite",
    "everything as str() says it",
    "empty strings in error",
    "ids as texts of numbers",
    "times as numbers",
    "bands in the wrong order",
    "upper-case headings",
    "columns twice",
)


def read(frame):
    """Return what findings read of a frame: of times the day, of bands the values without their order."""
    found = normal(frame).reset_index(drop=True)
    bands = {name: found[name].astype("str") for name in SCALARS if name in found.columns}
    found = found.assign(fetched_at=found["fetched_at"].dt.floor("D"), **bands)
    return found[[name for name in (*READ, *SCALARS) if name in found.columns]]


def test_every_way_back_leads_to_the_frame_that_left(frames, returned):
    offenders = []
    for name, frame in frames.items():
        expected = read(frame)
        for way, back in returned.items():
            try:
                assert_frame_equal(read(back[name]), expected)
            except AssertionError as error:
                offenders.append((name, way, str(error)[:80]))
    assert offenders == []


@pytest.mark.parametrize("name", FINDINGS)
def test_a_frame_that_comes_back_gives_the_finding_of_the_frame_that_left(frames, ask, returned, name):
    expected = ask(name, frames)
    assert len(expected)
    offenders = {}
    for way in SEVERAL:
        back = returned[way]
        try:
            if not same(ask(name, back), expected):
                offenders[way] = "differs"
        except Exception as error:  # noqa: BLE001 - all are listed
            offenders[way] = f"{type(error).__name__}: {error}"[:120]
    assert offenders == {}


@pytest.fixture(scope="module")
def returned(frames):
    return {way: {name: back(frame) for name, frame in frames.items()} for way, back in WAYS.items()}


def test_nothing_of_a_frame_from_elsewhere_is_changed(frames, ask):
    for way in ("csv of texts with empty ones", "columns twice"):
        given = {name: WAYS[way](frame) for name, frame in frames.items()}
        kept = {name: frame.copy() for name, frame in given.items()}
        for finding in (
            "compare codes",
            "coverage of categories",
            "overlap by a column",
            "match of categories",
            "plan",
        ):
            ask(finding, given)
        for name, frame in given.items():
            assert_frame_equal(frame, kept[name])


# Who was asked ----------------------------------------------------------------------------------------------------


def test_a_parquet_file_keeps_who_was_asked_and_so_every_share(run, tmp_path):
    run.codes().to_parquet(tmp_path / "codes.parquet")
    back = pd.read_parquet(tmp_path / "codes.parquet")
    assert same(shares(back, dimensions="purchase_intent"), shares(run.codes(), dimensions="purchase_intent"))


def test_a_frame_that_lost_who_was_asked_says_so_and_counts_all_sites_if_they_are_passed(run):
    back = WAYS["csv"](run.codes())
    intent = back[back["dimension"] == "purchase_intent"]
    assert shares(intent).attrs["about"]["untold"]
    answered = WAYS["csv of texts with empty ones"](run.audiences())
    expected = shares(run.codes(), dimensions="purchase_intent")
    assert_frame_equal(shares(back, dimensions="purchase_intent", sites=answered), expected)


def test_without_errors_a_status_tells_the_failures(frames):
    good = frames["codes"]["error"].isna()
    for status in (frames["codes"]["status"], frames["codes"]["status"].astype(object).where(good, "")):
        frame = frames["codes"].drop(columns="error").assign(status=status)
        assert same(shares(frame), shares(frames["codes"]))


# What cannot be understood ----------------------------------------------------------------------------------------


def with_one(frame, name, value):
    column = frame[name].astype(object)
    column.iloc[0] = value
    return frame.assign(**{name: column})


@pytest.mark.parametrize(
    ("kind", "name", "value", "said"),
    [
        (
            "codes",
            "confidence",
            "sure",
            "'confidence' has 'sure', which is no confidence of a code",
        ),
        ("codes", "confidence", 0.7, "'confidence' has 0.7"),
        ("codes", "fetched_at", "yesterday", "'fetched_at' has 'yesterday', which is no time"),
        ("codes", "fetched_at", "03/04/2026", "'fetched_at' has '03/04/2026', which is no time"),
        ("codes", "fetched_at", 20261123, "'fetched_at' has 20261123, which is no time"),
        ("codes", "code", ["INT.PETS"], r"'code' has \['INT.PETS'\], a list. Give it one value a row"),
        ("codes", "code", dt.date(2026, 1, 1), "'code' has datetime.date.*, which is no text but date"),
        ("categories", "id", 42.5, "'id' has 42.5, which is no identifier.*dtype={'id': str}"),
        ("categories", "confidence", "0,83", "'confidence' has '0,83', which is no number.*decimal=','"),
        ("categories", "confidence", "high", "'confidence' has 'high', which is no number"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_the_name_of_its_column(frames, kind, name, value, said):
    with pytest.raises(InputError, match=said):
        shares(with_one(frames[kind], name, value))


def test_columns_of_one_name_that_do_not_say_the_same_are_refused(frames):
    other = frames["codes"][["code"]].iloc[::-1].set_axis(frames["codes"].index)
    with pytest.raises(InputError, match="2 columns 'code', and they do not say the same"):
        shares(pd.concat([frames["codes"], other], axis=1))
    with pytest.raises(InputError, match="columns 'TARGET' and 'Target' may both be 'target'"):
        shares(frames["codes"].rename(columns={"target": "TARGET"}).assign(Target="a.example"))


def test_a_frame_that_is_not_of_pandas_is_refused_with_what_to_pass(frames):
    with pytest.raises(InputError, match=r"A frame is needed, not Table\. Pass frame\.to_pandas\(\)\."):
        confidence_bands(pa.table({"target": ["a.example"]}))


# Groups -----------------------------------------------------------------------------------------------------------

TARGETS = [f"{letter}.example" for letter in "abcdef"]
CODES = pd.DataFrame({"target": TARGETS, "dimension": "persona", "code": "Cook"})


def sizes(groups):
    """Return the groups of a comparison with their sites; an overlap has the same."""
    compared = compare(CODES, groups)
    shared = overlap(groups, CODES)
    found = dict(zip(compared["group"], compared["n"], strict=True))
    assert found == dict(zip(shared["group"], shared["sites"], strict=True))
    return found


def test_the_group_of_each_site_is_understood_where_lists_of_sites_are_meant():
    assert sizes(dict.fromkeys(TARGETS[:4], "shops") | {"e.example": "news", "f.example": None}) == {
        "shops": 4,
        "news": 1,
    }
    assert sizes(dict(zip(TARGETS, [1, 1, 2, 2, 2, np.nan], strict=True))) == {"1": 2, "2": 3}
    assert sizes({"a.example": ["shops", "news"], "b.example": ["news"]}) == {"news": 2, "shops": 1}
    assert sizes({"not.there.example": "shops", "a.example": "shops"}) == {"shops": 1}
    assert sizes({"WWW.a.example": "b2b", "https://b.example/": "b2b"}) == {"b2b": 2}


def test_lists_by_group_stay_what_they_are_also_where_groups_are_called_as_sites():
    assert sizes({"shops": ["a.example"], "news": "b.example"}) == {"shops": 1, "news": 1}
    assert sizes({"a.example": ["a.example", "b.example"], "c.example": ["c.example"]}) == {
        "a.example": 2,
        "c.example": 1,
    }
    assert sizes({"brand.example": "a.example", "other.example": "b.example"}) == {
        "brand.example": 1,
        "other.example": 1,
    }


def test_what_may_be_either_is_refused_in_words():
    for finding in (lambda groups: compare(CODES, groups), lambda groups: overlap(groups, CODES)):
        with pytest.raises(InputError, match="can be read as a site of each group, and as the group of each site"):
            finding({"a.example": "b.example", "c.example": "d.example"})


def test_a_number_and_its_text_are_two_groups_and_a_whole_float_is_the_number():
    assert sizes(pd.Series([1, "1", 1.0, np.int64(1), "1", True], index=TARGETS, dtype=object)) == {
        "1": 3,
        "'1'": 2,
        "True": 1,
    }
    assert sizes({1: ["a.example"], "1": ["b.example", "c.example"]}) == {"1": 1, "'1'": 2}
    assert sizes(pd.Series([1, 2, 10, np.nan, 2, 2], index=TARGETS)) == {"1": 1, "2": 3, "10": 1}
    runs = compare({1: CODES, "1": CODES.head(2)}, sites={1: None, "1": ["a.example"]}, baseline="1")
    assert dict(zip(runs["group"], runs["n"], strict=True)) == {"1": 6, "'1'": 1}


def test_groups_of_numbers_and_days_are_the_same_and_in_the_same_order_as_texts():
    numbers = pd.Series([10, 9, 1, 10, 9, 1], index=TARGETS)
    days = pd.Series(pd.to_datetime(["2026-02-01", "2026-01-31"] * 3), index=TARGETS)
    for groups in (numbers, days):
        expected = overlap(groups)
        for other in (groups.astype(str), groups.astype(object)):
            assert_frame_equal(overlap(other), expected)
    assert overlap(numbers)["group"].unique().tolist() == ["1", "9", "10"]


def test_a_group_without_a_name_is_none_and_a_column_that_numbers_rows_is_no_group():
    groups = pd.DataFrame({"Unnamed: 0": range(6), "Target": TARGETS, "Group": ["x", "x ", "", None, "y", " "]})
    assert sizes(groups) == {"x": 2, "y": 1}


def test_a_column_of_groups_that_holds_lists_is_refused_by_its_name():
    groups = pd.Series([["x"]] * 6, index=TARGETS, name="Vertical")
    for finding in (lambda: compare(CODES, groups), lambda: overlap(groups)):
        with pytest.raises(InputError, match=r"'Vertical' has \['x'\], a list"):
            finding()


def test_a_column_of_groups_is_found_by_its_name_in_capitals_too():
    frame = CODES.assign(VERTICAL=["x", "y"] * 3)
    assert compare(frame, "Vertical")["group"].tolist() == ["x", "y"]
    assert overlap("Vertical", frame)["group"].unique().tolist() == ["x", "y"]
