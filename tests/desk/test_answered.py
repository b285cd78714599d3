"""What a run knows: findings, its own table, and who was answered, on a live run and a saved one alike."""

import datetime as dt
import gzip
import json
import pickle
import sqlite3
from contextlib import closing

import httpx
import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal
from saved_runs import without_categories
from stubs import VOCABULARY

import toolkit as tk
from toolkit.frames import VocabularyWarning
from toolkit.interface import errors
from toolkit.interface.errors import InputError
from toolkit.service.samples import sample_sites

HOSTS = [site.host for site in sample_sites()[:14]]
ALL = ("segment", "categorize_content", "enrich")
FILTERS = {"interests": ["INT.PETS.DOGS"], "vocab_version": "1.1"}


@pytest.fixture
def stub(stub):
    stub.vocabulary = VOCABULARY
    return stub


@pytest.fixture(scope="module")
def table():
    """A table of some sites, one of them twice and one that is no site, with columns to group by."""
    sites = [*HOSTS, HOSTS[0], "not a host", "nowhere.example"]
    count = len(sites)
    return pd.DataFrame(
        {
            "url": sites,
            "Vertical": [("one", "two", " one ", "", None)[place % 5] for place in range(count)],
            "number": [(1.0, 2.0, np.nan)[place % 3] for place in range(count)],
            "flag": [place % 2 == 0 for place in range(count)],
            "maybe": np.array([(True, False, None)[place % 3] for place in range(count)], dtype="object"),
            "mixed": np.array([(1, "x", None, "")[place % 4] for place in range(count)], dtype="object"),
            "kind": pd.Categorical([("b", "a", None)[place % 3] for place in range(count)], categories=["b", "a"]),
            "blank": pd.Categorical([("b", " ", "b ")[place % 3] for place in range(count)]),
            "day": [dt.date(2026, 1, 1 + place % 2) for place in range(count)],
            "audience_type": ["mine"] * count,
        },
        index=[7] * count,
    )


@pytest.fixture(scope="module")
def live(client, table):
    run = client.ask(table, ALL)
    yield run
    run.close()


@pytest.fixture(scope="module")
def saved(live, tmp_path_factory):
    return tk.load_run(live.save(tmp_path_factory.mktemp("saved") / "run.gz"))


@pytest.fixture(scope="module")
def earlier(client):
    run = client.ask(HOSTS[:9], ALL)
    yield run
    run.close()


# The same of a live run and a saved one -----------------------------------------------------------------------------


FINDINGS = {
    "compare": lambda run, _: run.compare("Vertical"),
    "compare with categories": lambda run, _: run.compare("Vertical", of="content-v3"),
    "compare with a baseline": lambda run, _: run.compare("Vertical", "two", dimensions="interest"),
    "coverage": lambda run, _: run.coverage("content-v3"),
    "coverage of interests": lambda run, _: run.coverage("interest"),
    "gaps": lambda run, _: run.coverage().gaps(),
    "unseen": lambda run, _: run.coverage().unseen(),
    "accumulation": lambda run, _: run.coverage().accumulation(),
    "segment": lambda run, _: run.segment("INT.SPORTS.* or content-v3 = 'Travel'").match(),
    "size": lambda run, _: run.segment("INT.*").size(),
    "shares": lambda run, _: run.shares(),
    "shares of categories": lambda run, _: run.shares("content-v3"),
    "shares of technologies": lambda run, _: run.shares("technologies"),
    "nearest": lambda run, _: run.nearest(HOSTS[1], most=4, least=0),
    "nearest by categories": lambda run, _: run.nearest(HOSTS[2], of="content-v3"),
    "overlap": lambda run, _: run.overlap("Vertical"),
    "drift": lambda run, earlier: run.drift(earlier),
    "drift of categories": lambda run, earlier: run.drift(earlier, of="content-v3"),
}


@pytest.mark.parametrize("name", list(FINDINGS))
def test_finding_of_a_saved_run_is_that_of_the_run(live, saved, earlier, name):
    found, again = (FINDINGS[name](run, earlier) for run in (live, saved))
    assert_frame_equal(pd.DataFrame(again), pd.DataFrame(found))
    assert len(found)
    assert found.attrs.get("about") == again.attrs.get("about")


@pytest.mark.parametrize("name", ["number", "flag", "maybe", "mixed", "kind", "blank", "day", "audience_type"])
def test_groups_of_any_kind_of_column_are_the_same_in_a_saved_run(live, saved, name):
    assert_frame_equal(saved.compare(name), live.compare(name))


def test_report_of_a_saved_run_is_that_of_the_run(live, saved, tmp_path):
    at = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
    one, other = (
        run.report(tmp_path / f"{place}.html", groups="Vertical", title="T", at=at)
        for place, run in enumerate((live, saved))
    )
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    "finding",
    [
        lambda run: run.compare("audience_type"),
        lambda run: run.compare("audience_type", of="content-v3"),
        lambda run: run.coverage("content-v3"),
        lambda run: run.coverage("interest"),
        lambda run: run.shares(),
        lambda run: run.shares("content-v3"),
        lambda run: run.shares("technologies"),
    ],
)
def test_sites_without_an_answer_are_not_counted_and_those_answered_with_nothing_are(finding):
    assert finding(without_categories(tk.sample_run())).attrs["about"]["sites"] == 62


def test_findings_are_those_of_the_functions_with_the_sites_passed():
    run = tk.sample_run()
    kinds = run.audiences().dropna(subset=["audience_type"]).set_index("target")["audience_type"]
    codes, categories = run.codes(), run.categories()
    of_codes, of_content = run.sites("codes"), run.sites("content-v3")
    others = codes[codes["dimension"].ne("audience_type")]
    assert_frame_equal(run.compare("audience_type"), tk.findings.compare(others, kinds, sites=of_codes))
    assert_frame_equal(
        run.compare("audience_type", of="content-v3"),
        tk.findings.compare(categories, kinds, sites=of_content, taxonomy="content-v3"),
    )
    assert_frame_equal(pd.DataFrame(run.coverage()), tk.findings.coverage(categories, "content-v3", sites=of_content))
    assert_frame_equal(run.shares(), tk.findings.shares(codes, sites=of_codes))
    assert_frame_equal(
        run.shares("technologies"),
        tk.findings.technology_shares(run.technologies(), sites=run.sites("technologies")),
    )


# Groups ---------------------------------------------------------------------------------------------------------------


def test_group_is_of_stripped_texts_and_blank_ones_are_no_group(live):
    assert set(live.compare("Vertical")["group"]) == {"one", "two"}


def test_site_that_stands_twice_is_in_both_of_its_groups(client):
    table = pd.DataFrame({"url": [*HOSTS[:4], HOSTS[0]], "side": ["x", "x", "y", "y", "y"]})
    with client.ask(table, "segment") as run:
        shared = run.overlap("side")
        members = run.grouped("side")
    assert members.loc[HOSTS[0]].tolist() == ["x", "y"]
    assert shared.loc[(shared["group"] == "x") & (shared["other"] == "y"), "both"].item() == 1


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("number", {"1", "2"}),
        ("flag", {"True", "False"}),
        ("maybe", {"True", "False"}),
        ("mixed", {"1", "x"}),
        ("kind", {"a", "b"}),
        ("blank", {"b"}),
        ("day", {"2026-01-01", "2026-01-02"}),
        ("audience_type", {"mine"}),
    ],
)
def test_any_column_of_the_own_table_is_a_grouping(live, name, groups):
    assert set(live.overlap(name)["group"]) == groups


def test_groups_of_the_own_table_are_those_that_are_passed(live, table):
    passed = pd.Series(table["Vertical"].str.strip().array, index=table["url"])
    assert_frame_equal(live.compare("Vertical"), live.compare(passed[passed != ""].dropna()))


def test_column_of_the_answers_is_a_grouping_where_the_table_has_none(client):
    with client.ask(HOSTS, "segment") as run:
        assert set(run.compare("audience_type")["group"]) == set(run.audiences()["audience_type"].dropna())


#: Cells that are no single value: of each kind two that are the same, and one that is not.
SEVERAL = {
    "lists": [["a", "b"], ["a", "b"], ["c"]],
    "dicts": [{"a": [1]}, {"a": [1]}, {}],
    "sets": [{"a", "b"}, {"b", "a"}, {1}],
    "arrays": [np.array(["a", "b"]), np.array(["a", "b"]), np.array([], dtype="object")],
    "tuples of lists": [(1, ["a"]), (1, ["a"]), (2,)],
    "lists among texts": [["a"], ["a"], "a"],
}


@pytest.fixture(scope="module", params=list(SEVERAL))
def several(request, client):
    """A run of a table with a column of such cells, four of the first and two of the last."""
    one, two, other = SEVERAL[request.param]
    table = pd.DataFrame({"url": HOSTS[:6], "Tags": pd.Series([one, two, one, two, other, other], dtype="object")})
    with client.ask(table, "segment") as run:
        yield run


def test_cells_of_several_values_are_told_as_text(several):
    shares = several.shares("table")
    assert shares["with_code"].tolist() == [4, 2]
    assert set(several.compare("Tags")["group"]) == set(shares["code"])


def test_findings_and_reports_of_cells_of_several_values_are_those_of_the_saved_run(several, tmp_path):
    saved = tk.load_run(several.save(tmp_path / "run.gz"))
    assert_frame_equal(pd.DataFrame(several.findings()), pd.DataFrame(saved.findings()))
    assert_frame_equal(several.shares("table"), saved.shares("table"))
    at = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
    one, other = (
        run.report(
            tmp_path / f"{place}.html", groups="Tags", title="T", at=at, parts=["answer", "profile", "groups", "sites"]
        )
        for place, run in enumerate((several, saved))
    )
    assert one.read_bytes() == other.read_bytes()


def test_lists_of_a_file_are_told_as_those_of_a_frame(client, tmp_path):
    table = pd.DataFrame({"url": HOSTS[:6], "Tags": [["a", "b"]] * 4 + [["c"]] * 2})
    table.to_parquet(tmp_path / "sites.parquet")
    with client.ask(table, "segment") as run, client.ask(tmp_path / "sites.parquet", "segment") as of_file:
        assert_frame_equal(of_file.shares("table"), run.shares("table"))
        assert_frame_equal(pd.DataFrame(of_file.findings()), pd.DataFrame(run.findings()))


def test_column_that_stands_twice_is_refused_with_how_many_there_are(client):
    table = pd.DataFrame([[host, "a", 1, "b", 2] for host in HOSTS[:6]], columns=["url", "V", "n", "V", "n"])
    with client.ask(table, "segment", column="url") as run:
        for ask in (run.compare, run.overlap, run.findings):
            with pytest.raises(InputError) as caught:
                ask("V")
            assert str(caught.value) == "The run's table has 2 columns 'V' to group by. Rename all but one."
        with pytest.raises(InputError) as caught:
            run.shares(weight="n")
        assert str(caught.value) == "The run's table has 2 columns 'n' to weigh by. Rename all but one."
        frames = {"codes": run.codes()}
        for options, said in (({"groups": "V"}, "'V' to group by"), ({"weight": "n"}, "'n' to weigh by")):
            with pytest.raises(InputError, match=rf"^The table has 2 columns {said}\. Rename all but one\.$"):
                tk.findings.findings(frames, **options, table=run.table_by_target())


@pytest.mark.parametrize("name", ["vertical", "Verticl", "audience_tpe"])
def test_unknown_column_is_refused_with_the_nearest(live, name):
    with pytest.raises(InputError, match=rf"column '{name}' to group by. Nearest: (Vertical|audience_type)"):
        live.compare(name)


def test_drift_wants_a_run(live):
    with pytest.raises(InputError, match="other must be a run"):
        live.drift(live.codes())


def test_coverage_is_packed_and_unpacked_whole(saved):
    covered = saved.coverage("content-v3")
    again = pickle.loads(pickle.dumps(covered))
    assert_frame_equal(again.gaps(), covered.gaps())
    assert_frame_equal(again.unseen(), covered.unseen())


def test_overlap_wants_groups(live):
    with pytest.raises(InputError, match="Which groups"):
        live.overlap(None)


# The table ------------------------------------------------------------------------------------------------------------


def joined(run):
    return run.audiences().join(run.table.add_suffix("_own"), on="row")


def test_a_list_is_a_table_of_targets(client):
    given = [HOSTS[0], "not a host", HOSTS[0], "half\ud800.example"]
    with client.ask(given, "segment") as run:
        assert run.table.index.equals(pd.RangeIndex(4, name="row"))
        assert list(run.table.columns) == ["input"]
        assert run.table["input"].tolist() == run.audiences()["target"].tolist() == [*given[:3], "half?.example"]


@pytest.mark.parametrize(("name", "title"), [("site", "site"), (None, "input"), (7, 7)])
def test_a_series_is_a_table_with_its_name(client, name, title):
    with client.ask(pd.Series(HOSTS[:2], name=name, index=[5, 5]), "segment") as run:
        assert list(run.table.columns) == [title]
        assert joined(run)[f"{title}_own"].tolist() == HOSTS[:2]


def test_a_frame_keeps_columns_and_kinds_and_is_left_as_it_is(client, table):
    given = table.copy()
    with client.ask(given, "segment") as run:
        assert_frame_equal(given, table)
        given["Vertical"] = "changed"
        given.loc[:, "url"] = "changed.example"
        assert_frame_equal(run.table, table.set_axis(pd.RangeIndex(len(table), name="row")))
        own = run.table
        own["url"] = "changed"
        assert run.table["url"].tolist() == table["url"].tolist()


def test_each_answer_finds_its_row_of_the_table(live, table):
    frame = live.audiences().join(live.table.drop(columns="audience_type"), on="row")
    assert frame["url"].tolist() == frame["target"].tolist() == table["url"].tolist()
    assert_series_equal(frame["Vertical"], table["Vertical"], check_index=False)
    codes = live.codes().join(live.table.add_suffix("_own"), on="row")
    assert (codes["target"] == codes["url_own"]).all()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_file_that_changed_is_no_table_of_the_run(client, tmp_path, kind):
    path, table = tmp_path / f"sites.{kind}", pd.DataFrame({"url": HOSTS[:3], "side": ["x", "y", "x"]})
    write = {"csv": pd.DataFrame.to_csv, "parquet": pd.DataFrame.to_parquet}[kind]
    write(table, path, index=False)
    with client.ask(path, "segment") as run:
        assert run.table["side"].tolist() == ["x", "y", "x"]
        write(table.iloc[:2], path, index=False)
        for use in (lambda: run.table, lambda: run.compare("side"), lambda: run.save(tmp_path / "run.gz")):
            with pytest.raises(InputError, match=rf"sites\.{kind} has changed since the run was made of it"):
                use()
        path.unlink()
        with pytest.raises(InputError, match=rf"sites\.{kind}: cannot be read"):
            run.table  # noqa: B018 - it is what is looked at


def test_columns_may_be_called_target_or_row(client):
    table = pd.DataFrame({"target": ["x", "y"], "url": HOSTS[:2], "row": [5, 6]})
    with client.ask(table, "segment", column="url") as run:
        assert joined(run)[["target", "target_own", "row_own"]].to_numpy().tolist() == [
            [HOSTS[0], "x", 5],
            [HOSTS[1], "y", 6],
        ]
        assert set(run.compare("target")["group"]) == {"x", "y"}


def test_repeated_titles_stand(client, tmp_path):
    table = pd.DataFrame([[HOSTS[0], 1, "a"], [HOSTS[1], 2, "b"]], columns=["url", "x", "x"])
    with client.ask(table, "segment") as run:
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        assert_frame_equal(run.table, table, check_index_type=False, check_names=False)
        assert_frame_equal(again.table, run.table)
        with pytest.raises(InputError, match="'x'"):
            run.compare("x")


# Saving ---------------------------------------------------------------------------------------------------------------


def test_columns_that_files_hold_come_back_as_they_were(client, tmp_path):
    table = pd.DataFrame(
        {
            "url": HOSTS[:3],
            "day": [dt.date(2026, 1, 1), None, dt.date(2026, 1, 2)],
            "moment": pd.to_datetime(["2026-01-01", None, "2026-01-03"], utc=True),
            "kind": pd.Categorical(["b", None, "a"], categories=["b", "a"], ordered=True),
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "bytes": [b"\xff", None, b"a"],
            "maybe": pd.Series([True, None, False], dtype="object"),
            "span": pd.to_timedelta([1, 2, 3], unit="s"),
        }
    )
    with client.ask(table, "segment") as run:
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        assert_frame_equal(again.table, run.table)


ODD = {
    "mixed": [1, "x", None],
    "mixed times": [dt.date(2026, 1, 1), dt.datetime(2026, 1, 1), None],  # noqa: DTZ001 - as people have them
    "nested": [{"a": 1}, [1, 2], (1,)],
    "large": [2**70, 1, 2],
    "complex": pd.Series([1j, 2j, 3j]),
    "mixed kinds": pd.Categorical(pd.Series([1, "a", None], dtype="object")),
    "sparse": pd.arrays.SparseArray([0, 0, 1]),
    "halves": pd.Series(["a\ud800", "b", None], dtype="object"),
    "bytes and texts": pd.Series([b"a", "b", None], dtype="object"),
    "a type": [int, str, None],
}


@pytest.mark.parametrize("name", list(ODD))
def test_what_files_do_not_hold_comes_back_as_text(client, tmp_path, name):
    table = pd.DataFrame({"url": HOSTS[:3], "own": ODD[name], "other": [1, 2, 3]})
    with client.ask(table, "segment") as run:
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        assert again.table["own"].isna().tolist() == run.table["own"].isna().tolist()
        expected = [str(cell).replace("\ud800", "?") for cell in run.table["own"].dropna()]
        assert again.table["own"].dropna().astype("str").tolist() == expected
        assert_frame_equal(again.table[["url", "other"]], run.table[["url", "other"]])


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (["url", 7], ["url", "7"]),
        (["url", ("a", 1)], ["url", "('a', 1)"]),
        (["url", "x\ud800"], ["url", "x?"]),
        (["url", None], ["url", "None"]),
        (["url", ""], ["url", ""]),
        (["url", "0"], ["url", "0"]),
        (["url", "url "], None),
    ],
)
def test_odd_titles_come_back_as_text(client, tmp_path, titles, expected):
    index = pd.Index(titles, dtype="object", tupleize_cols=False)
    table = pd.DataFrame([[HOSTS[0], 1]]).set_axis(index, axis="columns")
    if expected is None:
        with pytest.raises(InputError, match="2 columns"):
            client.ask(table, "segment")
        return
    with client.ask(table, "segment") as run:
        assert list(run.table.columns) == titles
        assert list(tk.load_run(run.save(tmp_path / "run.gz")).table.columns) == expected
        run.to_parquet(tmp_path / "frames")


def test_what_a_frame_says_of_itself_does_not_keep_a_run_from_being_saved(client, tmp_path):
    table = pd.DataFrame({"url": HOSTS[:1]})
    table.attrs["of"] = object()
    with client.ask(table, "segment") as run:
        assert len(tk.load_run(run.save(tmp_path / "run.gz")).table) == 1


@pytest.mark.parametrize("targets", [[], pd.DataFrame({"url": [], "x": []})])
def test_run_of_nothing_is_saved(client, tmp_path, targets):
    with client.ask(targets, ALL) as run:
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        assert_frame_equal(again.table, run.table)
        assert again.inputs == len(again.table) == len(again.audiences()) == 0


def test_run_without_a_table_is_saved_without(client, tmp_path):
    with client.ask(HOSTS[:2], "segment") as run:
        path = run.save(tmp_path / "run.gz")
        head = json.loads(gzip.decompress(path.read_bytes()).splitlines()[0])
        assert head["table"] is None
        assert_frame_equal(tk.load_run(path).table, run.table)


@pytest.mark.parametrize("damage", ["", "[]", '["url"]\n', '["url"]\n!!!', '["url"]\nAAAA', 7, [1], {"a": 1}])
def test_damaged_table_is_refused_by_the_name_of_the_file(live, tmp_path, damage):
    path = live.save(tmp_path / "run.gz")
    first, *rest = gzip.decompress(path.read_bytes()).splitlines()
    path.write_bytes(gzip.compress(b"\n".join([json.dumps(json.loads(first) | {"table": damage}).encode(), *rest])))
    with pytest.raises(InputError, match=r"run\.gz is no saved run, or is damaged"):
        tk.load_run(path)


@pytest.mark.parametrize("layout", [1, 3, None, "2"])
def test_file_of_another_layout_is_refused_in_words(live, tmp_path, layout):
    path = live.save(tmp_path / "run.gz")
    first, *rest = gzip.decompress(path.read_bytes()).splitlines()
    path.write_bytes(gzip.compress(b"\n".join([json.dumps(json.loads(first) | {"layout": layout}).encode(), *rest])))
    with pytest.raises(InputError, match=r"run\.gz has layout .*, and this toolkit reads 2"):
        tk.load_run(path)


def test_run_that_needs_no_vocabulary_is_saved_without_one(stub, tmp_path):
    stub.reply(200, {"status": 200, "categories": []})
    with (
        tk.Client(
            v1_api_key=stub.v1_key, v1_base_url=stub.v1_base, transport=httpx.MockTransport(stub.answer)
        ) as client,
        client.ask(["a.example", "b.example"], "categorize") as run,
    ):
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        assert_frame_equal(again.categories(), run.categories())
        assert_frame_equal(again.sites(), run.sites())
        for one in (run, again):
            assert one.segment("content-v3 = 'Sports'").match()["matches"].tolist() == [False, False]
            assert one.coverage("content-v3").attrs["about"]["sites"] == 2
            with pytest.raises(errors.ToolkitError):
                one.vocabulary  # noqa: B018 - it is what is looked at
        again.save(tmp_path / "again.gz")
    assert len(stub.requests) == 2


# As of a time ---------------------------------------------------------------------------------------------------------


def older(path, **age):
    """Move everything in a store into the past."""
    moved = dt.timedelta(**age) // dt.timedelta(microseconds=1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE answer SET fetched_at = fetched_at - ?", (moved,))


def edition_of(run):
    return [None if o.answer is None else o.answer.raw["edition"] for o in run.outcomes()]


def segmentation(edition, **more):
    return {"status": 200, "demographics": {}, "interests": {}, "edition": edition, "credits_used": 1, **more}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.db"


@pytest.fixture
def aged(stub, path):
    """A client whose store has answers of ten days ago for two sites, and of now for one of them."""
    stub.reply(200, segmentation("old")).reply(200, segmentation("old")).reply(200, segmentation("new"))
    with stub.client(store=path) as client:
        client.segment("a.example")
        client.segment("b.example")
        older(path, days=10)
        client.with_options(refresh=True).segment("a.example")
        stub.again().reply(200, segmentation("sent"))
        yield client


THEN = {"as_of": dt.datetime.now(dt.UTC) - dt.timedelta(days=5)}


def test_run_as_of_a_time_answers_from_the_store_alone(aged, stub):
    then = aged.with_options(**THEN)
    run = then.run(["a.example", "c.example", "b.example"], "segment")
    plan = run.plan()
    assert (plan.stored, plan.to_send) == (2, 0)
    run.start(progress=False)
    assert edition_of(run) == ["old", None, "old"]
    assert run.progress.state == "stopped"
    assert "no more answers of that time" in run.progress.reason
    failed = run.outcomes()[1].error
    assert isinstance(failed, InputError)
    assert str(failed).startswith("The store has no answer of segment for this target as of ")
    assert run.failures()["error"].tolist() == [str(failed)]
    assert not stub.requests


def test_run_as_of_a_time_that_has_all_answers_is_finished(aged, stub):
    run = aged.with_options(**THEN).ask(["b.example", "a.example"], "segment")
    assert (run.progress.state, edition_of(run)) == ("finished", ["old", "old"])
    assert not stub.requests


def test_run_as_of_a_time_is_another_run_than_that_of_now(aged, stub):
    sites = ["a.example", "c.example"]
    then, before = aged.with_options(**THEN), aged.with_options(as_of="2000-01-01")
    assert edition_of(then.ask(sites, "segment")) == ["old", None]
    assert edition_of(before.ask(sites, "segment")) == [None, None]
    assert edition_of(aged.ask(sites, "segment", budget=0)) == ["new", None]
    assert edition_of(then.ask(sites, "segment")) == ["old", None]
    assert not stub.requests
    assert edition_of(aged.ask(sites, "segment")) == ["new", "sent"]
    assert edition_of(then.ask(sites, "segment")) == ["old", None]
    assert len(stub.requests) == 1


def test_run_as_of_a_time_reads_with_a_vocabulary_that_was_stored_later(aged, stub):
    stub.again().reply(200, FILTERS).vocabulary = None
    aged.filters()
    run = aged.with_options(**THEN).ask(["a.example"], "segment")
    assert run.vocabulary.version == "1.1"
    assert run.audiences()["status"].tolist() == [200]
    assert len(stub.requests) == 1


def test_run_as_of_a_time_works_without_any_stored_vocabulary(aged, stub, tmp_path):
    stub.again().reply(200, FILTERS).vocabulary = None
    run = aged.with_options(**THEN).ask(["a.example", "c.example"], "segment")
    assert not stub.requests
    assert run.audiences()["status"].fillna(0).tolist() == [200, 0]
    assert run.codes()["error"].notna().tolist() == [True]
    assert tk.load_run(run.save(tmp_path / "run.gz")).audiences()["error"].isna().tolist() == [True, False]
    assert [request.url.path for request in stub.requests] == ["/api/audience/filters.php"]


def test_run_as_of_a_time_says_when_the_key_was_never_accepted(aged, stub, path):
    with stub.client(store=path, api_key="anotherkey77e1d0c5ab") as client:
        run = client.with_options(**THEN).ask(["a.example"], "segment")
        assert run.plan().to_send == 0
        (outcome,) = run.outcomes()
    assert "has not accepted this key yet" in str(outcome.error)
    assert not stub.requests


@pytest.mark.parametrize(
    ("options", "arguments", "expected"),
    [
        ({}, {}, ["new", "sent"]),
        ({"max_age": 24 * 11}, {}, ["new", "old"]),
        ({"max_age": 0}, {}, ["sent", "sent"]),
        ({"stale": True}, {}, ["new", "old"]),
        ({"refresh": True}, {}, ["sent", "sent"]),
        ({"refresh": True}, {"stale": True}, ["new", "old"]),
        ({"stale": True}, {"refresh": True}, ["sent", "sent"]),
        ({"max_age": 0}, {"stale": True}, ["new", "old"]),
        (THEN, {"stale": True}, ["new", "old"]),
        (THEN, {"refresh": True}, ["sent", "sent"]),
    ],
)
def test_runs_read_stored_answers_as_the_client_does_and_own_arguments_win(aged, stub, options, arguments, expected):
    run = (aged.with_options(**options) if options else aged).run(["a.example", "b.example"], "segment", **arguments)
    assert run.plan().to_send == expected.count("sent")
    run.start(progress=False)
    assert edition_of(run) == expected
    assert len(stub.requests) == expected.count("sent")


def test_batch_as_of_a_time_is_refused(aged):
    with pytest.raises(InputError, match="as_of is for the store alone"):
        aged.with_options(**THEN).ask(["a.example"], "categorize", by="batch")


# The vocabulary -----------------------------------------------------------------------------------------------------


def test_a_run_says_at_its_beginning_that_the_vocabulary_lists_no_values(stub):
    stub.vocabulary = {"vocab_version": "9\u202e", "interests": ["INT.PETS.DOGS"]}
    stub.reply(200, {"demographics": {"income_level": "low"}, "status": 200})
    with stub.client() as client:
        with pytest.warns(VocabularyWarning) as caught:
            client.run(["a.example"]).start(progress=False).close()
        client.run(["b.example"]).start(progress=False).close()  # it is said once
    assert [str(warning.message) for warning in caught] == [
        (
            "<Vocabulary 9: 1 interests in 1 groups, 0 purchase intents in 0 groups; 1 fields with named values> lists "
            "no values of any field, so that ages, incomes and other bands of the answers cannot be read into frames; "
            "codes can. vocabulary.problems() says what was not understood."
        )
    ]


@pytest.mark.parametrize("ask", ["enrich", "categorize"])
def test_a_run_that_needs_no_vocabulary_does_not_ask_for_it(stub, ask):
    stub.vocabulary = {"interests": ["INT.PETS.DOGS"]}
    stub.reply(200, {"domain": "a.example", "company": {"name": "A"}, "categories": [{"id": "1", "name": "A"}]})
    with stub.client() as client:
        assert client.run(["a.example"], ask).start(progress=False).progress.answered == 1


def test_a_vocabulary_that_cannot_be_had_does_not_stop_a_run(stub):
    stub.vocabulary = {"error": "gone"}
    stub.reply(200, {"demographics": {"income_level": "low"}, "status": 200})
    with stub.client() as client:
        assert client.run(["a.example"]).start(progress=False).progress.answered == 1
