"""Runs that are saved and read again."""

import base64
import gzip
import io
import json
import os
import subprocess
import sys

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from saved_runs import SILENT, part_of, without_categories

import toolkit as tk
from toolkit.interface.errors import InputError
from toolkit.saved import SavedRun
from toolkit.service.samples import sample_sites

TARGETS = ["trailhead-outfitters.example", "WWW.Torque-Journal.example/", "not a host", "blank-canvas.example"]


@pytest.fixture(scope="module")
def run():
    with tk.Client() as client:
        run = client.run([*TARGETS, TARGETS[0]], ask=["segment", "categorize_content", "enrich"])
        run.start(progress=False)
        yield run
        run.close()


@pytest.fixture
def saved(run, tmp_path):
    return run.save(tmp_path / "run.jsonl.gz")


def test_frames_of_a_saved_run_are_those_of_the_run(run, saved):
    again = tk.load_run(saved)
    assert again.frames == run.frames
    for name in run.frames:
        assert_frame_equal(again.frame(name), run.frame(name))


def test_sites_tell_which_inputs_were_answered_by_any_question(run, saved):
    sites = tk.load_run(saved).sites()
    assert_frame_equal(sites, run.sites())
    assert sites["target"].tolist() == [*TARGETS, TARGETS[0]]
    assert sites["error"].isna().tolist() == [True, True, False, False, True]
    assert "410" in sites["error"].iloc[3]


def test_sites_without_a_category_are_among_the_answered_ones():
    of_content = part_of(
        without_categories(tk.sample_run()),
        lambda record: record.endpoint == "categorize_content",
        asked=["categorize_content"],
    )
    assert of_content.sites()["error"].isna().sum() == 62
    found = of_content.categories()
    assert found.loc[found["error"].isna(), "target"].nunique() == 62 - len(SILENT)


def test_part_of_a_frame_is_that_of_the_run(run, saved):
    assert_frame_equal(tk.load_run(saved).frame("codes", 1, 3), run.frame("codes", 1, 3))


def test_vocabulary_is_saved_with_the_run(run, saved):
    assert tk.load_run(saved).vocabulary == run.vocabulary


def test_the_same_answers_make_the_same_file(run, saved, tmp_path):
    assert run.save(tmp_path / "again.gz").read_bytes() == saved.read_bytes()


def test_inputs_are_counted_with_failures_and_repeated_ones(saved):
    again = tk.load_run(saved)
    assert again.inputs == len(again) == len(TARGETS) + 1
    assert "5 entries: 3 different sites, 1 repeated" in repr(again)


def test_segmentations_in_free_text_stay_without_codes(tmp_path):
    with tk.Client() as client:
        run = client.run(TARGETS[:1], "segment", options={"segment": {"format": "legacy"}})
        run.start(progress=False)
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        assert_frame_equal(again.audiences(), run.audiences())
        assert_frame_equal(again.codes(), run.codes())
        run.close()


def test_frame_that_was_not_asked_for_is_refused_with_what_to_do(tmp_path):
    with tk.Client() as client:
        run = client.run(TARGETS[:1], "segment")
        run.start(progress=False)
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        run.close()
    with pytest.raises(InputError, match="companies needs enrich, and the run asks segment"):
        again.companies()
    with pytest.raises(InputError, match="There is no frame 'sites'"):
        again.frame("sites")


def test_run_that_was_not_started_is_saved_as_not_asked(tmp_path):
    with tk.Client() as client:
        run = client.run(TARGETS[:1], "segment")
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        run.close()
    assert "Not asked yet" in again.failures()["error"].item()


def damaged(content):
    lines = gzip.decompress(content).splitlines()
    head = json.loads(lines[0])
    return {
        "empty": b"",
        "no gzip": b"site,code\n",
        "cut off": content[: len(content) // 2],
        "a list": gzip.compress(b"[]\n"),
        "no head": gzip.compress(b"\n".join(lines[1:])),
        "of a later layout": gzip.compress(json.dumps(head | {"layout": 99}).encode()),
        "an unknown field": gzip.compress(lines[0] + b'\n{"row": 0, "what": 1}\n'),
        "raw of another kind": gzip.compress(
            lines[0] + b'\n{"row": 0, "target": "a", "endpoint": "segment", "raw": 1}\n'
        ),
    }


@pytest.mark.parametrize("kind", list(damaged(gzip.compress(b"{}\n"))))
def test_damaged_file_is_refused_by_its_name(saved, tmp_path, kind):
    path = tmp_path / "damaged.gz"
    path.write_bytes(damaged(saved.read_bytes())[kind])
    with pytest.raises(InputError, match=r"damaged\.gz"):
        tk.load_run(path)


UNFOLDING = """
import resource, sys, zlib
import toolkit as tk
path = sys.argv[1]
pack = zlib.compressobj(9, wbits=31)
with open(path, "wb") as file:
    for _ in range(500):
        file.write(pack.compress(bytes(1_000_000)))
    file.write(pack.flush())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    tk.load_run(path)
except tk.errors.InputError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""


@pytest.mark.skipif(os.name == "nt", reason="the memory of a process is told by POSIX")
def test_a_file_that_unfolds_without_end_is_refused_before_it_fills_the_memory(tmp_path):
    path = tmp_path / "bomb.gz"
    done = subprocess.run(
        [sys.executable, "-c", UNFOLDING, path], capture_output=True, text=True, timeout=60, check=False
    )
    grown, _, words = done.stdout.partition(" ")
    assert "bomb.gz is no saved run, or is damaged" in words, done.stderr
    assert "unfolds to more than" in words
    assert path.stat().st_size < 600_000
    assert int(grown) < 300_000  # kilobytes


def test_a_line_of_lists_alone_and_one_nested_too_deeply_are_refused(saved, tmp_path):
    head, *_ = gzip.decompress(saved.read_bytes()).splitlines()
    path = tmp_path / "odd.gz"
    for odd in (b'{"row": [' + b"[]," * 1_000_000 + b"[]]}", b'{"row": ' + b"[" * 200_000):
        path.write_bytes(gzip.compress(head + b"\n" + odd, 1))
        with pytest.raises(InputError, match=r"odd\.gz is no saved run, or is damaged"):
            tk.load_run(path)


def test_a_table_that_unfolds_without_end_is_refused(saved, tmp_path):
    table = io.BytesIO()
    pd.DataFrame({"0": pd.Categorical.from_codes([0] * 2_000, ["a" * 200_000]).astype(str)}).to_parquet(table)
    head, *rest = gzip.decompress(saved.read_bytes()).splitlines()
    packed = '["site"]\n' + base64.b64encode(table.getvalue()).decode()
    assert len(packed) < 2_000_000
    path = tmp_path / "table.gz"
    path.write_bytes(gzip.compress(b"\n".join([json.dumps(json.loads(head) | {"table": packed}).encode(), *rest])))
    with pytest.raises(InputError, match="its table unfolds to more than"):
        tk.load_run(path)


def test_a_run_of_many_pages_of_one_site_is_read_again(tmp_path):
    with tk.Client() as client:
        run = client.run([f"ledgerline.example/{number}" for number in range(3_000)], "categorize").start(
            progress=False
        )
        path = run.save(tmp_path / "run.gz")
        assert_frame_equal(tk.load_run(path).categories(), run.categories())
        run.close()


def test_missing_file_and_folder_are_refused(run, tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        tk.load_run(tmp_path / "none.gz")
    with pytest.raises(InputError, match="cannot be written"):
        run.save(tmp_path / "none" / "run.gz")
    assert not list(tmp_path.iterdir())


def test_key_is_not_in_the_file(serve, tmp_path):
    values = serve().values
    key = values["TOOLKIT_API_KEY"]
    with tk.Client(
        key, values["TOOLKIT_BASE_URL"], v1_api_key=key, v1_base_url=values["TOOLKIT_V1_BASE_URL"]
    ) as client:
        run = client.run(TARGETS[:1], ["segment", "enrich"])
        run.start(progress=False)
        path = run.save(tmp_path / "run.gz")
        run.close()
    assert key.encode() not in gzip.decompress(path.read_bytes())


def test_sample_run_has_every_site_of_the_sample_web():
    run = tk.sample_run()
    assert run.audiences()["target"].tolist() == [site.host for site in sample_sites()]


def test_sample_run_is_what_the_embedded_service_answers_today():
    run = tk.sample_run()
    host = "trailhead-outfitters.example"
    with tk.Client() as client:
        fresh = tk.frames.codes(client.segment(host), client.filters())
    kept = run.codes()
    kept = kept[kept["target"] == host].reset_index(drop=True)
    columns = ["dimension", "code", "label", "group", "confidence", "rank"]
    assert_frame_equal(kept[columns], fresh[columns])
    assert isinstance(kept["fetched_at"].dtype, pd.DatetimeTZDtype)


def test_only_the_questions_at_hand_count_where_a_run_stopped_between_them():
    whole = tk.sample_run()
    stopped = SavedRun(
        [record for record in whole._kept if record.endpoint == "segment" or record.row < 10],
        ["segment", "categorize_content"],
        whole.vocabulary,
    )
    asked = stopped.sites("content-v2")
    assert asked["row"].tolist() == list(range(10))
    assert len(stopped.sites()) == len(stopped.sites("codes")) == 68
    found = tk.findings.shares(stopped.categories(), sites=asked, taxonomy="content-v2")
    assert (found["n"] == asked["error"].isna().sum()).all()


@pytest.mark.parametrize(
    ("of", "words"),
    [("technologies", "needs enrich, and the run asks segment"), ("taste", "There is no frame 'taste'")],
)
def test_sites_of_what_the_run_does_not_ask_are_refused(of, words):
    run = SavedRun([], ["segment"], tk.sample_run().vocabulary)
    with pytest.raises(InputError, match=words):
        run.sites(of)


def test_sites_of_every_part_are_those_of_each(run):
    parts = run.sites_by_part()
    assert set(parts) > {"codes", "categories", "content-v3", "content-v2", "filtering"}
    for name, sites in parts.items():
        assert_frame_equal(sites, run.sites(name))
