"""Measure every finding on a million rows beside the plain pandas groupby that it needs, and the building of figures.

    python tests/benchmarks/findings.py --rows 1000000

The rows are made up: categories are drawn from the real taxonomies, common and rare ones, and codes and technologies
from sites of the sample run, which lose a part of them so that no two sites need be alike. Figures are drawn of the
sample run. Seconds are those of the processor (`time.process_time`), which other work on the machine disturbs least;
the quickest of several runs counts. Memory is what a finding adds to the frames at its peak (`ru_maxrss`), in a process
of its own. Nothing is asserted: figures depend on the machine.
"""

import argparse
import gc
import json
import os
import resource
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

import toolkit as tk
from toolkit import charts
from toolkit.frames.schemas import SCHEMAS
from toolkit.segments import plan_sites

#: A site's categories, on average, as the embedded service answers.
_EACH = 8
_SECTIONS = ["news", "shop", "travel", "sport", "food"]
_LEVELS = ["level_1", "level_2", "level_3", "level_4"]
#: Part of the codes and technologies of a site of the sample run that another made of it has.
_LEFT = 0.7
#: Part of the rows that a run of a panel has.
_STAYING = 0.95
#: Of the sites, those that failed.
_FAILED = 0.02
_CATEGORY = ("taxonomy", "id")
_CODE = ("dimension", "code")


class Work(NamedTuple):
    """A finding, and the groupby that an analyst would write for it, if there is one, which the table names."""

    name: str
    ours: Callable[[], object]
    groupby: str = ""
    plain: Callable[[], object] | None = None


class Frames(NamedTuple):
    """Frames of as many rows, of sites with the same names."""

    categories: pd.DataFrame
    later: pd.DataFrame
    both: pd.DataFrame
    codes: pd.DataFrame
    technologies: pd.DataFrame


def categories_frame(rows: int, names: tuple[str, ...] = ("content-v3",), seed: int = 0) -> pd.DataFrame:
    """Return a categories frame of so many rows, with a column of groups; a fiftieth of the sites failed."""
    chance = np.random.default_rng(seed)
    known = [(name, category) for name in names for category in tk.Taxonomy.load(name)]
    np.random.default_rng(0).shuffle(known)  # the common ones are anywhere in the tree, and the same in every frame
    paths = [category.path.split(" > ") for _, category in known]
    columns: dict[str, list[str | None]] = {
        "taxonomy": [name for name, _ in known],
        "id": [category.id for _, category in known],
        "name": [category.name for _, category in known],
        **{name: [path[depth] if depth < len(path) else None for path in paths] for depth, name in enumerate(_LEVELS)},
    }
    sites = max(rows // _EACH, 1)
    site = np.sort(chance.integers(0, sites, rows))
    which = np.minimum((chance.pareto(0.6, rows) * 3).astype(int), len(known) - 1)
    missing = (chance.random(sites) < _FAILED)[site]
    frame = pd.DataFrame(
        {
            **{name: pd.Series(pd.array(texts, dtype="str").take(which)) for name, texts in columns.items()},
            "tier": pd.array([len(path) for path in paths], dtype="Int64").take(which),
            "confidence": chance.random(rows),
        }
    )
    frame.loc[missing] = None
    frame["endpoint"] = pd.Series("categorize_content", index=frame.index, dtype="str")
    made = asked(frame, site, missing, "categories")
    sections = pd.array(_SECTIONS, dtype="str").take(chance.integers(0, len(_SECTIONS), sites))
    return made.assign(section=sections.take(site))


def varied_frame(sample: pd.DataFrame, kind: str, rows: int) -> pd.DataFrame:
    """Return a frame of so many rows, of sites that each have a part of what a site of the sample run has."""
    chance = np.random.default_rng(0)
    sample = sample[sample["error"].isna()]
    places = list(sample.groupby("normal", sort=False).indices.values())
    sizes = np.array([len(found) for found in places])
    models = chance.integers(0, len(places), int(rows / _LEFT / sizes.mean() * 1.1) + 1)
    site = np.repeat(np.arange(len(models)), sizes[models])
    kept = np.flatnonzero(chance.random(len(site)) < _LEFT)[:rows]
    place = np.concatenate([places[model] for model in models])[kept]
    missing = (chance.random(len(models)) < _FAILED)[site[kept]]
    frame = sample.iloc[place].reset_index(drop=True)
    frame.loc[missing, [name for name in (*_CODE, "label", "group", "technology") if name in frame]] = None
    return asked(frame.drop(columns=["error", "vocab_version", "fetched_at"]), site[kept], missing, kind)


def asked(frame: pd.DataFrame, site: np.ndarray, missing: np.ndarray, kind: str) -> pd.DataFrame:
    """Return rows with what was asked and when, in the columns of a frame of a run."""
    hosts = pd.array([f"site-{number}.example" for number in range(site.max() + 1)], dtype="str")
    made = frame.assign(
        row=site,
        target=hosts.take(site),
        normal=hosts.take(site),
        error=pd.Series("410: too little text", index=frame.index, dtype="str").where(missing),
        vocab_version=pd.Series("1.1", index=frame.index, dtype="str"),
        fetched_at=pd.Timestamp("2026-01-01", tz="UTC") + pd.to_timedelta(site, unit="s"),
    )
    return made.reindex(columns=list(SCHEMAS[kind])).astype(SCHEMAS[kind])


def frames_of(rows: int) -> Frames:
    """Return all frames."""
    run = tk.sample_run()
    return Frames(
        categories_frame(rows),
        categories_frame(rows, seed=1),
        categories_frame(rows, ("content-v3", "content-v2")),
        varied_frame(run.codes(), "codes", rows),
        varied_frame(run.technologies(), "technologies", rows),
    )


def plainly(frame: pd.DataFrame, *keys: str) -> pd.Series:
    """Return how many sites have what, as one would ask pandas."""
    return frame.groupby(list(keys), observed=True)["normal"].nunique()


def plain_nearest(frame: pd.DataFrame, site: str) -> pd.Series:
    """Return how alike sites are to one, by the rarity of what they have."""
    rarity = np.log1p(frame["normal"].nunique() / plainly(frame, "id")) ** 2
    weights = frame["id"].map(rarity)
    wanted = frame["id"].isin(frame.loc[frame["normal"] == site, "id"])
    sums = pd.DataFrame({"all": weights, "common": weights.where(wanted)}).groupby(frame["normal"]).sum()
    return sums["common"] / np.sqrt(sums["all"] * weights[frame["normal"] == site].sum())


def plain_overlap(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return how many sites each two groups share."""
    table = (frame.groupby(["normal", column]).size().unstack(fill_value=0) > 0).astype(int)  # noqa: PD010
    return table.T @ table


def plain_links(codes: pd.DataFrame, categories: pd.DataFrame) -> pd.Series:
    """Return how many sites have both a persona and a top category."""
    people = codes.loc[codes["dimension"] == "persona", ["normal", "code"]].drop_duplicates()
    tops = categories.loc[categories["taxonomy"] == "content-v3", ["normal", "level_1"]].drop_duplicates()
    return people.merge(tops, on="normal").groupby(["code", "level_1"]).size()


def plain_match(codes: pd.DataFrame) -> pd.DataFrame:
    """Return which sites match the segment that is measured, and the codes that make them match."""
    coded = codes["code"].str.startswith("INT.AUTOMOTIVE.", na=False)
    rich = (codes["dimension"] == "income_level") & (codes["code"] == "high")
    found = pd.DataFrame({"coded": coded, "rich": rich}).groupby(codes["normal"]).any()
    why = codes[coded | rich].groupby("normal")["code"].agg("; ".join)
    return found.assign(matches=found["coded"] | found["rich"], why=why)


def plain_plan(codes: pd.DataFrame, most: int) -> list[str]:
    """Return sites that each have the most of the wanted codes that no site before has."""
    left = codes.loc[codes["code"].str.startswith("INT.", na=False), ["normal", "code"]]
    chosen: list[str] = []
    while len(left) and len(chosen) < most:
        chosen.append(left.groupby("normal")["code"].nunique().idxmax())
        left = left[~left["code"].isin(left.loc[left["normal"] == chosen[-1], "code"])]
    return chosen


def in_any_order(frame: pd.DataFrame) -> Iterator[Work]:
    """Yield the comparison of a frame whose rows were mixed, which is not held any longer than that takes."""
    mixed = frame.sample(frac=1, random_state=0, ignore_index=True)
    yield Work(
        "compare, rows in any order",
        lambda: tk.findings.compare(mixed, "section", "rest"),
        "groupby(section, taxonomy, id).nunique()",
        lambda: plainly(mixed, "section", *_CATEGORY),
    )


def over_time(frame: pd.DataFrame) -> Iterator[Work]:
    """Yield the trend of four runs of one panel, each with most of a quarter of the rows, likewise."""
    chance = np.random.default_rng(1)
    rows = frame.iloc[: len(frame) // 4]
    runs = {f"2026-0{month}-05": rows[chance.random(len(rows)) < _STAYING] for month in range(1, 5)}
    yield Work("trend, four runs of a quarter of the rows", lambda: tk.findings.trend(runs))


def measured(frames: Frames) -> Iterator[Work]:
    """Yield each finding, and the plain groupby that it needs."""
    frame, later, both, codes, technologies = frames
    by_target = frame.drop_duplicates("target").set_index("target")["section"]
    seeds = codes["target"].drop_duplicates().sample(30, random_state=0).tolist()
    first = frame.loc[frame["id"].notna(), "normal"].iloc[0]
    covered = tk.findings.coverage(frame)
    segment = tk.Segment.parse("INT.AUTOMOTIVE.* or income_level = high")
    sites = "groupby({}).nunique()".format
    yield Work(
        "compare, groups in a column",
        lambda: tk.findings.compare(frame, "section"),
        sites("section, taxonomy, id"),
        lambda: plainly(frame, "section", *_CATEGORY),
    )
    yield from in_any_order(frame)
    yield Work(
        "compare, groups by target",
        lambda: tk.findings.compare(frame, by_target, "news", confidence_weights=True),
        "map, " + sites("group, taxonomy, id"),
        lambda: plainly(frame.assign(group=frame["target"].map(by_target)), "group", *_CATEGORY),
    )
    yield Work(
        "shares of categories",
        lambda: tk.findings.shares(frame),
        sites("taxonomy, id"),
        lambda: plainly(frame, *_CATEGORY),
    )
    yield Work(
        "shares of codes", lambda: tk.findings.shares(codes), sites("dimension, code"), lambda: plainly(codes, *_CODE)
    )
    yield Work(
        "overlap of top categories",
        lambda: tk.findings.overlap("level_1", frame),
        "groupby(site, level_1).size(), table product",
        lambda: plain_overlap(frame, "level_1"),
    )
    yield Work(
        "reach of top categories",
        lambda: tk.findings.reach("level_1", frame),
        "groupby(site, level_1).size()",
        lambda: frame.groupby(["normal", "level_1"]).size(),
    )
    yield Work(
        "nearest",
        lambda: tk.findings.nearest(frame, first),
        sites("id") + ", map, groupby(site).sum()",
        lambda: plain_nearest(frame, first),
    )
    yield Work(
        "drift, two runs",
        lambda: tk.findings.drift(frame, later),
        sites("taxonomy, id") + " of each",
        lambda: [plainly(one, *_CATEGORY) for one in (frame, later)],
    )
    yield Work("drift_sites, two runs", lambda: tk.findings.drift_sites(frame, later))
    yield Work(
        "coverage",
        lambda: tk.findings.coverage(frame),
        sites("level_1 … level_n") + " for n of 1 to 4",
        lambda: [plainly(frame, *_LEVELS[:depth]) for depth in range(1, len(_LEVELS) + 1)],
    )
    yield Work(
        "accumulation and unseen, of a coverage",
        lambda: (tk.findings.accumulation(covered), tk.findings.unseen(covered)),
        "groupby(id).min() of places, for one order of sites",
        lambda: frame.groupby("id")["row"].min().value_counts().sort_index().cumsum(),
    )
    yield Work(
        "compare_versions",
        lambda: tk.findings.compare_versions(both),
        sites("taxonomy, level_1 … level_n") + " for n of 1 to 4",
        lambda: [plainly(both, "taxonomy", *_LEVELS[:depth]) for depth in range(1, len(_LEVELS) + 1)],
    )
    yield Work(
        "confidence_bins",
        lambda: tk.findings.confidence_bins(frame),
        "groupby(site, id).max(), cut",
        lambda: pd.cut(frame.groupby(["normal", "id"])["confidence"].max(), 10).value_counts(),
    )
    yield Work("confidence_bands", lambda: tk.findings.confidence_bands(codes))
    yield Work("empty_blocks", lambda: tk.findings.empty_blocks(codes))
    yield Work("expected_shares", lambda: tk.findings.expected_shares(frame))
    yield Work("lookalikes, 30 seeds", lambda: tk.findings.lookalikes(codes, seeds))
    yield Work("lookalike_quality, 30 seeds", lambda: tk.findings.lookalike_quality(codes, seeds))
    yield from over_time(frame)
    yield Work(
        "persona_links",
        lambda: tk.findings.persona_links(codes, frame),
        "merge, groupby(persona, level_1).size()",
        lambda: plain_links(codes, frame),
    )
    yield Work(
        "Segment.match",
        lambda: segment.match(codes),
        "groupby(site).any(), groupby(site).agg(join)",
        lambda: plain_match(codes),
    )
    yield Work(
        "plan_sites, at most 20",
        lambda: plan_sites(codes, "INT.*", most=20),
        sites("site") + " of open codes, once a site taken",
        lambda: plain_plan(codes, 20),
    )
    yield Work(
        "technology_shares",
        lambda: tk.findings.technology_shares(technologies),
        sites("category, technology"),
        lambda: plainly(technologies, "category", "technology"),
    )


def figures() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield each chart of the sample run with its name."""
    run = tk.sample_run()
    codes, categories = run.codes(), run.categories()
    covered, shared = tk.findings.coverage(categories), tk.findings.shares(codes)
    tops = categories.drop_duplicates("target").set_index("target")["level_1"]
    compared, overlaps = tk.findings.compare(codes, tops), tk.findings.overlap("level_1", categories)
    links, used = tk.findings.persona_links(codes, categories), tk.findings.technology_shares(run.technologies())
    curve, unseen = tk.findings.accumulation(covered), tk.findings.unseen(covered)
    bands, bins = tk.findings.confidence_bands(codes), tk.findings.confidence_bins(categories)
    groups = [str(name) for name in overlaps["group"].unique()[:12]]
    for draw in (charts.coverage_treemap, charts.coverage_sunburst, charts.coverage_icicle):
        yield f"{draw.__name__}, {len(covered)} nodes", lambda draw=draw: draw(covered)
    yield "comparison", lambda: charts.comparison(compared)
    yield "heatmap", lambda: charts.heatmap(compared)
    yield "overlap_matrix", lambda: charts.overlap_matrix(overlaps, groups=groups)
    yield "profile_card", lambda: charts.profile_card(shared)
    yield "persona_flow", lambda: charts.persona_flow(links)
    yield "accumulation_curve", lambda: charts.accumulation_curve(curve, unseen)
    yield "confidence_distribution, bands", lambda: charts.confidence_distribution(bands)
    yield "confidence_distribution, steps", lambda: charts.confidence_distribution(bins)
    yield "technologies", lambda: charts.technologies(used)


def quickest(work: Callable[[], object], times: int) -> float:
    """Return the seconds of the processor that the quickest run took."""
    taken = []
    for _ in range(times):
        gc.collect()
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def apart(work: Work, times: int) -> list[float]:
    """Return the megabytes that a finding adds at its peak, its seconds and those of its groupby, if it has one.

    They are measured in a process of their own that has the frames already: what a solver or pandas did before it would
    weigh on them, and threads of such work are not there in a copy of the process.
    """
    gc.collect()
    pa.default_memory_pool().release_unused()
    ends, child = os.pipe(), os.fork()
    if not child:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        taken = quickest(work.ours, 1)
        added = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        taken = min([taken] + [quickest(work.ours, 1) for _ in range(times - 1)])
        found = [added, taken, *([] if work.plain is None else [quickest(work.plain, times)])]
        os.write(ends[1], json.dumps(found).encode())
        os._exit(0)
    os.close(ends[1])
    with os.fdopen(ends[0]) as said:
        measures: list[float] = json.loads(said.read())
    os.waitpid(child, 0)
    return measures


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many rows (1000000)")
    parser.add_argument("--times", type=int, default=3, help="how many runs, of which the quickest counts (3)")
    parser.add_argument("--only", default="", help="only findings and figures whose name has this in it")
    given = parser.parse_args()
    frames = frames_of(given.rows)
    print("| frame | rows | sites | different |")
    print("|---|---:|---:|---:|")
    for name, frame in zip(Frames._fields, frames, strict=True):
        what = next(column for column in ("id", "code", "technology") if column in frame)
        print(f"| {name} | {len(frame):,} | {frame['normal'].nunique():,} | {frame[what].nunique():,} |")
    print("\n| finding | seconds | MB added | plain pandas | seconds | times as long |")
    print("|---|---:|---:|---|---:|---:|")
    for work in measured(frames):
        if given.only in work.name:
            added, taken, *theirs = apart(work, given.times)
            beside = [f"{seconds:.2f}" for seconds in (*theirs, *(taken / seconds for seconds in theirs))] or ["", ""]
            row = (work.name, f"{taken:.2f}", f"{added:.0f}", work.groupby, *beside)
            print(f"| {' | '.join(row)} |", flush=True)
    print("\n| figure | seconds |")
    print("|---|---:|")
    for name, draw in figures():
        if given.only in name:
            print(f"| {name} | {quickest(draw, given.times):.3f} |", flush=True)


if __name__ == "__main__":
    main()
