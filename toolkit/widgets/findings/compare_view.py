"""What the Compare widget offers and shows, as plain functions: ways to group a run's sites, the finding, its table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit import charts
from toolkit.charts.wording import is_inferred
from toolkit.findings.compare import REST
from toolkit.findings.given.groups import MAIN_CATEGORY, grouped_sites
from toolkit.findings.incidence import incidence
from toolkit.frames.about import answered, normal_of
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, rounded
from toolkit.interface.words.labels import field_label
from toolkit.reports.view import label_of
from toolkit.reports.words import lowered
from toolkit.runs.inputs import split_targets
from toolkit.widgets.findings.asked import (
    TAXONOMIES,
    asked_over_all,
    compared_in,
    dimensions_of,
    options_of,
    said_of_all,
    taken,
)
from toolkit.widgets.findings.box import CODE_HEAD, Shown
from toolkit.widgets.findings.rows import Rows
from toolkit.widgets.findings.strongest import by_chance, in_words, lines_html, over_all, told
from toolkit.widgets.grid.columns import Column
from toolkit.widgets.html import escaped

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from toolkit.findings.incidence import Frames

__all__ = [
    "BASELINES",
    "BASELINES_OF_RUNS",
    "EVERYTHING",
    "GIVEN",
    "TAXONOMIES",
    "Grouping",
    "compared",
    "groupings_of",
    "labels_of",
    "pasted",
]

#: Columns of the audiences frame by which sites are grouped.
_COLUMNS: Final = (
    "audience_type",
    "content_type",
    "price_signals",
    "income_level",
    "gender_skew",
    "education_level",
    "urbanicity",
    "household_composition",
    "reading_level",
)
#: What groups of one run's sites are held against, beside each other.
BASELINES: Final = {"All sites of the run": "", "All other sites of the run": REST}
#: What runs are.
BASELINES_OF_RUNS: Final = {"All runs together": "", "All other runs": REST}
#: In which groups are compared at first: all that the run was asked for.
EVERYTHING: Final = ""
#: What code calls groups that a widget was given.
GIVEN: Final = "groups"
_MOST_GROUPS: Final = 8
_LEAST_IN_GROUP: Final = 2
#: Characters of code that a line of the widget holds.
_LONGEST_LINE: Final = 100
#: Targets that are named, of those that the run has no answer of.
_MOST_NAMED: Final = 5
_WHOLE: Final = 100
#: Said where some of the sites of a group, or of the others, are not known.
_KNOWN: Final = "Each share is of the sites of which it is known; of the others nothing is taken for a no."
#: In what besides the dimension that is shown there are tests, which a verdict allows for.
_FAMILIES: Final = {"technologies": " in all technologies", "companies": " in all facts of companies"}
_INDEX: Final = ("shrunken_index", "shrunken_low", "shrunken_high")
_COUNTED: Final = ("index", "index_low", "index_high")
_VERDICTS: Final = {
    "over": "▲ typical",
    "under": "▼ less typical",
    "no difference shown": "no difference shown",
    "too few": "too few sites",
}


@dataclass(frozen=True)
class Grouping:
    """A way to group sites."""

    #: For the list to choose from.
    label: str
    #: A Python expression of ``run`` that gives the groups.
    code: str
    #: What `toolkit.findings.compare` takes as groups; None where the groups are several runs.
    groups: Any = field(repr=False)
    #: The groups' names, the largest first.
    names: tuple[str, ...]
    #: What people read instead of a name, where that is a code.
    labels: Mapping[str, str] = field(default_factory=dict)
    #: Whether somebody listed the groups' sites: then the groups are held against each other.
    are_lists: bool = False
    #: All groups of the sites in their order, also those too small to be compared: a group's colour comes of its place.
    order: tuple[str, ...] = ()
    #: The dimension that makes the groups; empty where the user did.
    made_of: str = ""
    #: The sites of which it is known in which group they are: no other is one of the others. None: all.
    among: Any = field(default=None, repr=False)

    def named(self, name: str) -> str:
        """Return what people read of a group or baseline."""
        baselines = BASELINES_OF_RUNS if self.groups is None else BASELINES
        rest = next(words for words, value in baselines.items() if value == REST)
        # In a sentence or picture the run is known.
        of_rest = {REST: rest.lower().removesuffix(" of the run")}
        return self.labels.get(name, name) if name in self.names else of_rest.get(name, name)

    @property
    def first_baseline(self) -> str:
        """The baseline to begin with: all others, as in findings and reports; of two lists the second."""
        return self.names[1] if self.are_lists and len(self.names) == 2 else REST  # noqa: PLR2004 - a pair


def groupings_of(frames: Mapping[str, pd.DataFrame]) -> list[Grouping]:
    """Return the ways to group a run's sites that leave at least two groups of two sites."""
    found = []
    # A run takes the name of a column for its own table's first.
    own = frames["table"].columns if "table" in frames else _COLUMNS
    if "audiences" in frames:
        audiences = answered(frames["audiences"])
        for column in _COLUMNS:
            groups = audiences.set_index("target")[column].dropna()
            code = f'run.audiences().set_index("target")["{column}"].dropna()'
            whole = code if column in own else repr(column)
            among = grouped_sites(column, frames)
            found.append(_grouping(field_label(column), code, groups, labels_of(frames, groups), whole, among=among))
    if "categories" in frames:
        categories = answered(frames["categories"])
        for taxonomy, name in (("content-v3", "Main topic"), ("content-v2", "Main topic of the earlier list")):
            main = categories[(categories["taxonomy"] == taxonomy) & categories["level_1"].notna()]
            main = main.sort_values("rank", kind="stable").drop_duplicates("target")
            # Under this name a run knows of which sites the content was answered.
            called = MAIN_CATEGORY if taxonomy == "content-v3" else "level_1"
            groups = main.set_index("target")["level_1"].rename(called)
            code = (
                f'run.categories().query("taxonomy == \'{taxonomy}\'").sort_values("rank", kind="stable")\n'
                f'    .drop_duplicates("target").set_index("target")["level_1"].dropna().rename({called!r})'
            )
            code = f"(\n    {code}\n)"
            found.append(_grouping(name, code, groups, {}, code, among=grouped_sites(called, frames)))
    return [grouping for grouping in found if grouping is not None]


def labels_of(frames: Mapping[str, Frames], groups: pd.Series) -> dict[str, str]:
    """Return what people read instead of the values of a column of the audiences frame."""
    if groups.name not in _COLUMNS:
        return {}
    known: dict[str, str] = {}
    codes = frames.get("codes")
    if isinstance(codes, pd.DataFrame) and "label" in codes:
        rows = codes.loc[codes["dimension"] == groups.name, ["code", "label"]].dropna().drop_duplicates("code")
        known = dict(zip(rows["code"].astype("str"), rows["label"].astype("str"), strict=True))
    values = map(str, groups.dropna().unique())
    labels = {value: label_of(str(groups.name), value, known.get(value)) for value in values}
    # Two groups that read alike could not be told apart.
    return labels if len(set(labels.values())) == len(labels) else {}


def _grouping(
    label: str, code: str, groups: pd.Series, labels: Mapping[str, str], whole: str, *, among: pd.Index | None
) -> Grouping | None:
    """Return groups that `code` gives, and `whole` too where no group is left out.

    `among` are the sites of which it is known in which group they are.
    """
    sizes = groups.groupby(groups.astype("str")).size().rename("size").rename_axis("group").reset_index()
    sizes = sizes.sort_values(["size", "group"], ascending=[False, True], kind="stable")
    kept = sizes[sizes["size"] >= _LEAST_IN_GROUP].head(_MOST_GROUPS)["group"].tolist()
    if len(kept) < 2:  # noqa: PLR2004 - a comparison needs two
        return None
    named = set(sizes["group"])
    is_ordered = isinstance(groups.dtype, pd.CategoricalDtype)
    order = (
        tuple(name for name in map(str, groups.cat.categories) if name in named) if is_ordered else tuple(sorted(named))
    )
    if len(kept) < len(sizes):
        groups, whole = groups[groups.isin(kept)], f"{code}\ngroups = groups[groups.isin({kept!r})]"
    made_of = str(groups.name) if groups.name in _COLUMNS else "main category"
    return Grouping(label, whole, groups, tuple(kept), labels, order=order, made_of=made_of, among=among)


def pasted(lists: Sequence[tuple[str, str]]) -> Grouping:
    """Return groups of pasted lists: pairs of a name and a text, of which two at least say something."""
    groups = {name.strip(): split_targets(text) for name, text in lists if name.strip() and text.strip()}
    if len({name.strip() for name, _ in lists}) < len(lists):
        raise InputError("Two lists have the same name. Give each a name of its own.")
    if len(groups) < 2:  # noqa: PLR2004 - a comparison needs two
        raise InputError("Paste at least two lists, each with a name and one or more sites of the run.")
    return Grouping("Lists that I paste", repr(groups), groups, tuple(groups), are_lists=True)


def compared(
    frames: Mapping[str, Frames], grouping: Grouping, baseline: str, dimension: str, group: str | None = None
) -> Shown:
    """Compare groups in one dimension, and return the finding as it is shown.

    `frames` are by name; of several runs, by the frame's name and then by the run's. `baseline` is the name of a group,
    ``rest``, or nothing for all sites together. Only `group` is drawn and listed, where it is given; the tests are of
    all.
    """
    if dimension == EVERYTHING:
        dimensions = list(dimensions_of(frames).values())
        asked = asked_over_all(dimensions, grouping.made_of)
        found, shown = over_all(frames, grouping, baseline, asked, group)
        frame, sites = taken(frames, asked[0])
        absent = _absent(frame, grouping, found.attrs["about"]["unmatched"], sites)
        over, left = said_of_all(dimensions, grouping.made_of, lowered(grouping.label), asked)
        lines = _lines(_labelled(found, grouping), absent, of_runs=grouping.groups is None)
        lines += [_text(left)] * bool(left) + _known_of(found, grouping)
        code = _code(grouping, baseline, asked, group)
        return told(found, shown, grouping, group, over=over, lines=lines, code=code)
    options = options_of(dimension)
    frame, sites = taken(frames, options)
    found = compared_in(frames, grouping.groups, baseline, options, grouping.among)
    shown = found if group is None else found[found["group"] == group].reset_index(drop=True)
    shown.attrs = dict(found.attrs)
    labelled = _labelled(shown, grouping)
    absent = _absent(frame, grouping, found.attrs["about"]["unmatched"], sites)
    every = f"all groups{_FAMILIES.get(options.get('of', ''), '')}"
    lines = _lines(_labelled(found, grouping), absent, of_runs=grouping.groups is None)
    lines += _known_of(found, grouping)
    return Shown(
        value=shown,
        figure=charts.comparison(_ordered(_telling(labelled, grouping), grouping)),
        status=_status(_labelled(found, grouping), labelled, every, lines),
        table=_table(labelled, TAXONOMIES.get(dimension) or _said_dimension(dimension), _tested(found)),
        code=_code(grouping, baseline, [options], group),
    )


def _said_dimension(dimension: str) -> str:
    return field_label(dimension) + " (inferred)" * is_inferred(dimension)


def _ordered(labelled: pd.DataFrame, grouping: Grouping) -> pd.DataFrame:
    """Return a comparison whose groups know all that there are, for their colours."""
    if not grouping.order:
        return labelled
    every = [grouping.labels.get(name, name) for name in grouping.order]
    ordered = labelled.assign(group=pd.Categorical(labelled["group"], every))
    ordered.attrs = dict(labelled.attrs)
    return ordered


def _telling(labelled: pd.DataFrame, grouping: Grouping) -> pd.DataFrame:
    """Return a comparison without what its groups are named for: that Travel sites reach travellers tells nothing."""
    named = labelled["label"].astype("str").eq(labelled["group"]).to_numpy()
    if not grouping.made_of or named.all():
        return labelled
    telling = labelled[~named].reset_index(drop=True)
    telling.attrs = dict(labelled.attrs)
    return telling


def _labelled(found: pd.DataFrame, grouping: Grouping) -> pd.DataFrame:
    """Return a comparison with what people read instead of the names of its groups."""
    read = {name: grouping.named(name) for name in {*found["group"].unique(), *found["baseline"].unique()}}
    labelled = found.assign(group=found["group"].map(read), baseline=found["baseline"].map(read), label=in_words(found))
    labelled = labelled.astype({"group": "str", "baseline": "str"})
    sizes = {read.get(name, name): size for name, size in found.attrs["about"]["group_sites"].items()}
    labelled.attrs = {**found.attrs, "about": {**found.attrs["about"], "group_sites": sizes}}
    return labelled


def _absent(frame: Frames, grouping: Grouping, unmatched: Mapping[str, int], sites: Any) -> list[str]:
    """Say which targets of the groups do not count, naming a few of each group."""
    if not unmatched or grouping.groups is None:
        return [f"{number:,} of {_text(grouping.named(name))}" for name, number in unmatched.items()]
    known = set(incidence(frame, sites=sites).sites)
    said = []
    for name, number in unmatched.items():
        hosts: dict[str, str] = {}
        for target in _targets_of(grouping.groups, name):
            hosts.setdefault(normal_of(target) or target, target)
        lost = [target for host, target in hosts.items() if not known & {host, target}][:_MOST_NAMED]
        more = f" and {number - len(lost):,} more" if lost and number > len(lost) else ""
        named = f" ({', '.join(map(_text, lost))}{more})" if lost else ""
        said.append(f"{number:,} of {_text(grouping.named(name))}{named}")
    return said


def _targets_of(groups: Any, name: str) -> list[str]:
    if isinstance(groups, Mapping):
        one = next(targets for group, targets in groups.items() if str(group) == name)
        frame_of = "target" in getattr(one, "columns", ())
        given = one["target"].tolist() if frame_of else [one] if isinstance(one, str) else list(one)
    elif "group" in getattr(groups, "columns", ()) and "target" in groups.columns:
        given = groups.loc[groups["group"].astype("str") == name, "target"].tolist()
    else:
        given = groups.index[(groups.astype("str") == name).to_numpy()].tolist() if groups.ndim == 1 else []
    return [target for target in given if isinstance(target, str)]


def _tested(found: pd.DataFrame) -> int:
    """Return how many comparisons a verdict allows for, also those that are not shown."""
    return int(found.attrs["about"]["tested"])


def _status(found: pd.DataFrame, shown: pd.DataFrame, every: str, lines: Sequence[str]) -> str:
    if found.empty:
        said = "<b>Nothing can be compared</b>: no site that is in a group has a value here."
        return lines_html([said, *filter(None, lines)])
    tested = _tested(found)
    over, under = int((shown["verdict"] == "over").sum()), int((shown["verdict"] == "under").sum())
    if _is_doubted(shown).any():
        doubted = (
            "A verdict allows for the number of comparisons made, an interval as counted does not: so it can lie "
            "wholly above or below 100 and no difference be shown."
        )
        lines = [*lines, doubted]
    doubt = f"; {by_chance(over + under, 'all of them')}" if over or under else ""
    against = ", ".join(_text(name) for name in found["baseline"].unique())
    found_is = f"{over} typical, {under} less typical" if over or under else "No difference is proven"
    said = f"<b>{found_is}</b>, against {against}; {counted(tested, 'comparison')} of {every} could be tested{doubt}."
    return lines_html([said, *lines])


def _lines(found: pd.DataFrame, absent: Sequence[str], *, of_runs: bool) -> list[str]:
    """Say how many sites each group has, and which of them do not count."""
    known = found.groupby("group", sort=False, observed=True)["n"].max()
    sizes = found.attrs["about"]["group_sites"]
    sizes = {name: (int(sizes.get(name, number)), int(number)) for name, number in known.items()}
    said = [
        f"{_text(name)} ({counted(every, 'site')}{f', known of {number:,}' if number < every else ''})"
        for name, (every, number) in sizes.items()
    ]
    lines = [", ".join(said)]
    different = found.attrs["about"]["sites"]
    if of_runs and sum(every for every, _ in sizes.values()) > different:
        lines.append(f"{counted(different, 'different site')}: one that is in several runs counts once in each.")
    return lines + ([f"Not among the answered sites of the run: {', '.join(absent)}"] if absent else [])


def _known_of(found: pd.DataFrame, grouping: Grouping) -> list[str]:
    """Say that some sites are on no side, as it is not known what they have or in which group they are."""
    about = found.attrs["about"]
    lines = []
    if left := about.get("not_grouped", 0):
        what = field_label(grouping.made_of) if grouping.made_of else grouping.label
        said = f"{counted(left, 'site')} whose {lowered(what)} is not known"
        lines.append(f"Among no others: {_text(said)}.")
    whole = found["group"].astype(str).map(about["group_sites"]).astype("float64")
    of_known = found.groupby("dimension", sort=False, observed=True)
    if (found["n"] < whole).any() or (of_known["baseline_n"].max() < found["baseline_n"].max()).any():
        lines.append(_KNOWN)
    return lines


def _is_doubted(found: pd.DataFrame) -> pd.Series:
    """Return which rows have an interval, as counted, beyond 100, and still show no difference."""
    beyond = (found["index_low"] > _WHOLE) | (found["index_high"] < _WHOLE)
    return beyond & (found["verdict"] == "no difference shown")


def _table(found: pd.DataFrame, label: str, tested: int) -> Rows:
    order = {"over": 0, "under": 1, "no difference shown": 2, "too few": 3}
    # A group against itself says nothing, but is what there is where it alone is asked for.
    others = found[found["group"] != found["baseline"]]
    rows = others if len(others) else found
    rows = rows.assign(_order=[order[str(verdict)] for verdict in rows["verdict"]], _doubted=_is_doubted(rows))
    rows = rows.sort_values(["_order", "p", "group", "label"], kind="stable")
    doubt = f": not certain once {counted(tested, 'comparison')} {'is' if tested == 1 else 'are'} allowed for"
    frame = pd.DataFrame(
        {
            "label": rows["label"].astype(object),
            "group": rows["group"].astype(object),
            "sites": [f"{k:,} of {n:,}" for k, n in zip(rows["with_code"], rows["n"], strict=True)],
            "share": rows["share"],
            "others": rows["baseline_share"],
            "index": [_index(row, _INDEX) for row in rows.to_dict("records")],
            "counted": [_index(row, _COUNTED) for row in rows.to_dict("records")],
            "verdict": [
                f"{_VERDICTS.get(verdict, verdict)}{doubt if doubted else ''}"
                for verdict, doubted in zip(rows["verdict"].astype(str), rows["_doubted"], strict=True)
            ],
        }
    )
    columns = (
        Column("label", label, width=230),
        Column("group", "Group"),
        Column("sites", "Sites"),
        Column("share", "Share", "share"),
        Column("others", "Compared with", "share", width=150),
        Column("index", "Index (95 % interval)"),
        Column("counted", "As counted"),
        Column("verdict", "How sure"),
    )
    return Rows(frame.reset_index(drop=True), columns, "comparison", "All comparisons", ("comparison", "comparisons"))


def _text(value: object) -> str:
    return escaped(str(value))


def _index(row: Mapping[Hashable, Any], names: tuple[str, ...]) -> str:
    if math.isnan(row[names[0]]):
        return ""
    value, *ends = (f"{rounded(row[name]):,}" if math.isfinite(row[name]) else "∞" for name in names)
    return f"{value} ({ends[0]} to {ends[1]})"


def _code(grouping: Grouping, baseline: str, asked: Sequence[Mapping[str, Any]], group: str | None) -> str:
    """Return the code that compares as often as something is asked, and puts it together."""
    against = [f"baseline={baseline!r}"] if baseline else []
    heads, calls = zip(*(_call(grouping, against, options) for options in asked), strict=True)
    only = f"\ncompared = compared[compared['group'] == {group!r}]" if group is not None else ""
    if len(calls) == 1:
        line = _written("compared = ", *calls[0])
        kept = asked[0].get("only")
        some = f"\ncompared = compared[compared['dimension'].isin({kept!r})].reset_index(drop=True)" if kept else ""
        return f"{heads[0]}{line}{some}{only}\ntk.charts.comparison(compared)"
    cuts = [f'.query("dimension in {options["only"]!r}")' if "only" in options else "" for options in asked]
    parts = "".join(f"    {_written('', call, given)}{cut},\n" for (call, given), cut in zip(calls, cuts, strict=True))
    return f"{heads[0]}parts = [\n{parts}]\ncompared = tk.findings.one_family(parts){only}\ncompared.sort_values('p')"


def _written(start: str, call: str, given: Sequence[str]) -> str:
    line = f"{start}{call}({', '.join(given)})"
    return line if len(line) <= _LONGEST_LINE else f"{start}{call}(\n" + "".join(f"    {one},\n" for one in given) + ")"


def _call(grouping: Grouping, against: list[str], options: Mapping[str, Any]) -> tuple[str, tuple[str, list[str]]]:
    """Return what stands above a comparison in code, and its call with its arguments."""
    if grouping.groups is None:
        head, call, given = _of_runs(grouping, against, options)
        return head, (call, given)
    # A name says all; what the widget was given has a name already.
    is_named = grouping.code == GIVEN or grouping.code.startswith("'")
    asked = [f"{'of' if name == 'taxonomy' else name}={value!r}" for name, value in options.items() if name != "only"]
    note = "# groups = what the widget was given\n" if grouping.code == GIVEN else ""
    head = CODE_HEAD + (note if is_named else f"groups = {grouping.code}\n")
    return head, ("run.compare", [grouping.code if is_named else "groups", *against, *asked])


def _of_runs(grouping: Grouping, against: list[str], options: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    frame = "run.categories()" if "taxonomy" in options else "run.codes()"
    sites = f"run.sites({options.get('taxonomy', 'codes')!r})"
    frame, sites = (f"{{name: {of_run} for name, run in runs.items()}}" for of_run in (frame, sites))
    head = f"import toolkit as tk\n\n# runs = {{{', '.join(f'{name!r}: …' for name in grouping.names)}}}\n"
    given = [frame, *against, *(f"{name}={value!r}" for name, value in options.items()), f"sites={sites}"]
    return head, "tk.findings.compare", given
