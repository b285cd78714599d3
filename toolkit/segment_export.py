"""A segment as a file to hand over: its sites with reasons, its codes with labels, and what it was found with."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from datetime import datetime
from importlib.resources import files
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import pandas as pd

from toolkit.about import answered, site_of
from toolkit.display import printable, shortened
from toolkit.errors import InputError, UnknownCodeError
from toolkit.segment_language import parse_segment
from toolkit.segment_plan import SitePlan
from toolkit.segment_tree import CODE, NEGATIVE, Condition, Count, Not, fits_code
from toolkit.segments import Segment
from toolkit.tables import write_csv
from toolkit.taxonomy import TAXONOMIES, load_taxonomy
from toolkit.vocabulary import Vocabulary
from toolkit.wanted_codes import holdings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from toolkit.segment_tree import Node

__all__ = ["export_segment"]

_NAMED_VERSION: Final = re.compile(r"(?P<owner>[^,]+), (?P<name>.+?) (?P<version>\d+(\.\d+)*)")
#: A cell of a workbook holds no more characters, a sheet no more rows.
_LONGEST_CELL: Final = 32_767
_MOST_ROWS: Final = 1_048_575
_WIDEST: Final = 560
#: Date of a workbook whose answers have none: the same content gives the same bytes.
_NO_DATE: Final = "2000-01-01"
_CODES: Final = {
    "dimension": "str",
    "code": "str",
    "label": "str",
    "group": "str",
    "group_label": "str",
    "condition": "str",
    "role": "str",
    "sites": "Int64",
}
_PLAN: Final = ("order", "site", "adds", "new", "covered", "share", "cost", "spent", "codes", "has")

Tables = dict[str, pd.DataFrame]


def export_segment(
    segment: Segment,
    codes: pd.DataFrame,
    path: str | PathLike[str],
    *,
    vocabulary: Vocabulary,
    categories: pd.DataFrame | None = None,
    plan: SitePlan | None = None,
) -> list[Path]:
    """Write a segment's matching sites, codes, taxonomies, counts and dates as CSV, XLSX or JSON.

    Parameters
    ----------
    segment : Segment
        What to export.
    codes : DataFrame
        Codes frame of a run.
    path : path-like
        Where to; the ending says as what: ``.csv``, ``.xlsx`` or ``.json``. A file that is there is replaced when the
        new one is whole.
    vocabulary : Vocabulary
        Gives labels and groups, and says what wildcards stand for, such as `client.filters()`.
    categories : DataFrame, optional
        Categories frame, needed if the segment asks for categories.
    plan : SitePlan, optional
        A plan of sites to hand over with it.

    Returns
    -------
    list of Path
        The written files. A CSV file holds one table, so there are four: the sites as `path`, and beside it those
        whose names end with ``-codes``, ``-plan`` and ``-about``.

    Raises
    ------
    InputError
        If an argument cannot be used, the segment does not fit the frames, or the file cannot be written.

    Notes
    -----
    Tables, which are sheets of the workbook and keys of the JSON document:

    - sites: one row a matching site, sorted: ``site``, ``why``, ``planned`` (its place in the plan), ``segment``,
      ``vocabulary`` and ``taxonomies`` (names with versions).
    - codes: one row a code, value or category that the segment names or its wildcards and comparisons stand for:
      ``dimension, code, label, group, group_label``, ``condition`` (in the segment's words), ``role`` (wanted or
      excluded) and ``sites`` (how many of the answered sites have it).
    - plan: as `SitePlan.sites`; without a plan its CSV has no rows, the workbook no sheet, and JSON null.
    - about: ``name`` and ``value`` of everything else: the text, counts, dates, taxonomies and versions, the plan's
      method and bound.

    A spreadsheet takes no text for a formula: in CSV, those that begin with ``=``, ``+``, ``-``, ``@``, a tab or the
    like stand behind an apostrophe; the workbook's cells are text. CSV is in UTF-8 with a mark, as Excel needs it. The
    same content gives the same bytes.
    """
    place = _checked(segment, codes, path, vocabulary, categories, plan)
    found = segment.match(codes, categories, vocabulary=vocabulary)
    tree = parse_segment(segment.text, vocabulary)
    taxonomies = _taxonomies(tree, vocabulary, categories)
    facts = {**found.attrs["about"], "matching": int(found["matches"].sum())}
    named = "; ".join(f"{entry['name']} {entry['version']}".strip() for entry in taxonomies[1:])
    sites = found.loc[found["matches"], ["site", "why"]].reset_index(drop=True)
    order = {} if plan is None else dict(zip(plan.sites["site"], plan.sites["order"], strict=True))
    sites["planned"] = pd.array([order.get(site) for site in sites["site"]], dtype="Int64")
    texts = {"segment": printable(segment.name or ""), "vocabulary": vocabulary.version, "taxonomies": named}
    for name, text in texts.items():
        sites[name] = pd.Series(text, index=sites.index, dtype="str")
    tables: Tables = {"sites": sites, "codes": _codes(tree, codes, vocabulary, categories)}
    tables["plan"] = pd.DataFrame(columns=list(_PLAN)) if plan is None else plan.sites[list(_PLAN)]
    tables["about"] = _about(segment, facts, taxonomies, plan)
    if place.suffix.lower() == ".csv":
        written = {
            place if name == "sites" else place.with_name(f"{place.stem}-{name}{place.suffix}"): _csv(table)
            for name, table in tables.items()
        }
    elif place.suffix.lower() == ".xlsx":
        written = {place: _workbook({n: t for n, t in tables.items() if n != "plan" or plan is not None}, facts)}
    else:
        written = {place: _json(segment, facts, taxonomies, tables, plan)}
    return _write(written)


def _checked(segment: Any, codes: Any, path: Any, vocabulary: Any, categories: Any, plan: Any) -> Path:
    for value, kinds, name, advice in (
        (segment, Segment, "segment", "Pass Segment.parse(…)."),
        (codes, pd.DataFrame, "codes", "Pass run.codes()."),
        (vocabulary, Vocabulary, "vocabulary", "Pass client.filters()."),
        (categories, pd.DataFrame | None, "categories", "Pass run.categories(), or leave it out."),
        (plan, SitePlan | None, "plan", "Pass what plan_sites returned, or leave it out."),
        (path, str | os.PathLike, "path", "Pass the name of a file, such as 'segment.xlsx'."),
    ):
        if not isinstance(value, kinds):
            raise InputError(f"{name} is of type {type(value).__name__}. {advice}")
    place = Path(os.fsdecode(path))
    if place.suffix.lower() not in {".csv", ".xlsx", ".json"}:
        raise InputError(f"{place.name!r} does not say what to write. End it with .csv, .xlsx or .json.")
    return place


def _conditions(node: Node, *, wanted: bool = True) -> Iterator[tuple[Condition, bool]]:
    """Yield the conditions, and whether one helps a site to match."""
    if isinstance(node, Condition):
        yield node, wanted is not (node.operator in NEGATIVE)
    elif isinstance(node, Not):
        yield from _conditions(node.part, wanted=not wanted)
    else:
        turned = isinstance(node, Count) and node.bounds[0] == 0
        for part in node.parts:
            yield from _conditions(part, wanted=wanted is not turned)


def _codes(tree: Node, codes: pd.DataFrame, vocabulary: Vocabulary, categories: pd.DataFrame | None) -> pd.DataFrame:
    rows: dict[tuple[Any, ...], list[Any]] = {}
    names: dict[tuple[Any, ...], str] = {}
    for condition, wanted in _conditions(tree):
        shown, role = _shown(condition), "wanted" if wanted else "excluded"
        for value in _stands_for(condition, vocabulary):
            key = (condition.subject, value, shown, role)
            if condition.subject in {*TAXONOMIES, "filtering"}:
                rows.setdefault(key, [*_category(condition.subject, value, categories), shown, role])
            else:
                names[key] = value if condition.subject == CODE else f"{condition.subject}={value}"
                rows.setdefault(key, [])
    held = holdings(codes, list(names.values()), None).frame() if names else pd.DataFrame()
    ...


def _taxonomies(tree: Node, vocabulary: Vocabulary, categories: pd.DataFrame | None) -> list[dict[str, str]]:
    """Return name and version of the vocabulary, and of every taxonomy that the segment or the frame is of."""
    used = {condition.subject for condition, _ in _conditions(tree)}
    if categories is not None:
        used.update(answered(categories)["taxonomy"].dropna().unique())
    found = [{"name": "Audience vocabulary of the classification service", "version": vocabulary.version}]
    with files("toolkit.data").joinpath("sources.toml").open("rb") as file:
        sources = tomllib.load(file)
    for name, data in TAXONOMIES.items():
        named = _NAMED_VERSION.match(sources[data]["source"])
        if name in used and named is not None:
            found.append({"name": f"{named['owner']} {named['name']}", "version": named["version"]})
    if "filtering" in used:
        found.append({"name": "Filtering categories of the classification service", "version": ""})
    return found
