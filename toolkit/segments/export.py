"""A segment as a file to hand over: its sites with reasons, its codes with labels, and what it was found with."""

from __future__ import annotations

import json
import os
import re
import tomllib
from contextlib import suppress
from datetime import datetime
from importlib.resources import files
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import pandas as pd

from toolkit.frames.about import answered
from toolkit.frames.files import write_csv
from toolkit.frames.foreign import normal
from toolkit.frames.records import CATEGORIZED
from toolkit.interface.errors import InputError, need
from toolkit.interface.taxonomy import TAXONOMIES, Taxonomy
from toolkit.interface.text import printable, shortened
from toolkit.interface.version import __version__
from toolkit.interface.vocabulary import Vocabulary
from toolkit.segments.definition import Segment
from toolkit.segments.language import parse_segment
from toolkit.segments.plan import SitePlan
from toolkit.segments.tree import CODE, Condition, fits_code, roles, text_of
from toolkit.segments.wanted import fits_text, holdings

if TYPE_CHECKING:
    from os import PathLike

    from toolkit.findings.incidence import Targets
    from toolkit.interface.taxonomy import TaxonomyName
    from toolkit.segments.tree import Node

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
_FACTS: Final = ("matching", "may_match", "sites", "failed", "first", "last", "vocabularies", "source")
_PLAN_FACTS: Final = ("method", "bound", "wanted", "covered", "spent", "budget", "most")

Tables = dict[str, pd.DataFrame]


def export_segment(
    segment: Segment,
    codes: pd.DataFrame | None,
    path: str | PathLike[str],
    *,
    vocabulary: Vocabulary,
    categories: pd.DataFrame | None = None,
    plan: SitePlan | None = None,
    sites: Targets | None = None,
) -> list[Path]:
    """Write a segment's matching sites, codes, taxonomies, counts and dates as CSV, XLSX or JSON.

    Parameters
    ----------
    segment : Segment
        What to export.
    codes : DataFrame or None
        Codes frame of a run; None if the segment asks for content categories only.
    path : path-like
        Where to; the ending says as what: ``.csv``, ``.xlsx`` or ``.json``. A file that is there is replaced when the
        new one is whole.
    vocabulary : Vocabulary
        Gives labels and groups, and says what wildcards stand for, such as `client.filters()`.
    categories : DataFrame, optional
        Categories frame, needed if the segment asks for categories.
    plan : SitePlan, optional
        A plan of sites to hand over with it.
    sites : iterable of str, Series or DataFrame, optional
        The sites that count, as of `Segment.match`.

    Returns
    -------
    list of Path
        The written files. A CSV file holds one table, so there are four: the sites as `path`, and beside it those
        whose names end with ``-codes``, ``-plan`` and ``-about``.

    Raises
    ------
    InputError
        If an argument cannot be used, the segment does not fit the frames, or the file cannot be written.
    ConfigurationError
        If a workbook is asked for and what writes it is not installed.

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
    place = _checked(segment, codes, path, vocabulary=vocabulary, categories=categories, plan=plan)
    found = segment.match(codes, categories, vocabulary=vocabulary, sites=sites)
    tree = parse_segment(segment.text, vocabulary)
    taxonomies = _taxonomies(tree, vocabulary, categories)
    facts = {**found.attrs["about"], "matching": int(found["matches"].sum()), "may_match": int(found["may"].sum())}
    named = "; ".join(f"{entry['name']} {entry['version']}".strip() for entry in taxonomies[1:])
    matching = found.loc[found["matches"], ["site", "why"]].reset_index(drop=True)
    order = {} if plan is None else dict(zip(plan.sites["site"], plan.sites["order"], strict=True))
    matching["planned"] = pd.array([order.get(site) for site in matching["site"]], dtype="Int64")
    texts = {"segment": printable(segment.name or ""), "vocabulary": vocabulary.version, "taxonomies": named}
    for name, text in texts.items():
        matching[name] = pd.Series(text, index=matching.index, dtype="str")
    tables: Tables = {"sites": matching, "codes": _codes(tree, codes, vocabulary, categories)}
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


def _checked(segment: Any, codes: Any, path: Any, *, vocabulary: Any, categories: Any, plan: Any) -> Path:
    for value, kinds, name, advice in (
        (segment, Segment, "segment", "Pass Segment.parse(…)."),
        (codes, pd.DataFrame | None, "codes", "Pass run.codes(). A segment of categories takes None."),
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
    if place.suffix.lower() == ".xlsx":
        need("office", "A segment as .xlsx", "xlsxwriter")
    return place


def _codes(
    tree: Node, codes: pd.DataFrame | None, vocabulary: Vocabulary, categories: pd.DataFrame | None
) -> pd.DataFrame:
    named: dict[tuple[str, str, str, str], None] = {}
    for condition, wanted in roles(tree):
        role = "wanted" if wanted else "excluded"
        for value in _stands_for(condition, vocabulary):
            named[condition.subject, printable(value), printable(text_of(condition)), role] = None
    texts = [value if kind == CODE else f"{kind}={value}" for kind, value, *_ in named if kind not in CATEGORIZED]
    held: dict[str, tuple[Any, ...]] = {}
    if texts and codes is not None:
        found = holdings(codes, texts, vocabulary)
        frame = found.frame()[list(_CODES)[:5]].assign(sites=found.counts)
        held = {
            item.name.casefold(): row for item, row in zip(found.items, map(tuple, frame.values.tolist()), strict=True)
        }
    rows: list[tuple[Any, ...]] = []
    for kind, value, shown, role in named:
        if kind in CATEGORIZED:
            *described, sites = _category(kind, value, codes, categories)
            rows.append((*described, shown, role, sites))
            continue
        text = (value if kind == CODE else f"{kind}={value}").casefold()
        fitting = [text] if text in held else [name for name in held if fits_text(text, name)]
        rows += [(*held[name][:5], shown, role, held[name][5]) for name in fitting]
    return pd.DataFrame(rows, columns=pd.Index(list(_CODES))).astype(_CODES)


def _stands_for(condition: Condition, vocabulary: Vocabulary) -> list[str]:
    """Return the codes of a pattern, the values that a comparison of bands takes, or else what the condition names."""
    values = list(condition.values)
    if condition.subject == CODE:
        fitting = [code for code in vocabulary.codes.values() if fits_code(values[0])(code.code)]
        return [code.code for code in fitting if not code.is_group] or [code.code for code in fitting] or values
    scale = list(vocabulary.values.get(condition.subject, ()))
    if condition.operator in {"=", "!=", "in", "not in"} or not set(values) <= set(scale):
        return values
    least, most = scale.index(values[0]), scale.index(values[-1])
    return {
        "<": scale[:most],
        "<=": scale[: most + 1],
        ">": scale[least + 1 :],
        ">=": scale[least:],
        "between": scale[least : most + 1],
    }.get(condition.operator, values)


def _category(kind: str, path: str, codes: pd.DataFrame | None, categories: pd.DataFrame | None) -> tuple[Any, ...]:
    alone = Segment(text_of(Condition(kind, "=", (path,))))
    sites = len(alone.sites(codes, categories))
    if kind == "filtering" or path == "*":
        return kind, path, path, None, None, sites
    taxonomy = Taxonomy.load(cast("TaxonomyName", kind))
    category = taxonomy.by_path(path)
    top = (*taxonomy.ancestors(category.id), category)[0]
    return kind, category.id, category.name, top.id, top.name, sites


def _taxonomies(tree: Node, vocabulary: Vocabulary, categories: pd.DataFrame | None) -> list[dict[str, str]]:
    """Return name and version of the vocabulary, and of every taxonomy that the segment or the frame is of."""
    used = {condition.subject for condition, _ in roles(tree)}
    if categories is not None:
        used.update(answered(normal(categories))["taxonomy"].dropna().unique())
    found = [{"name": "Audience vocabulary of the classification service", "version": vocabulary.version}]
    with files("toolkit.interface.data").joinpath("sources.toml").open("rb") as file:
        sources = tomllib.load(file)
    for name, data in TAXONOMIES.items():
        named = _NAMED_VERSION.match(sources[data]["source"])
        if name in used and named is not None:
            found.append({"name": f"{named['owner']} {named['name']}", "version": named["version"]})
    if "filtering" in used:
        found.append({"name": "Filtering categories of the classification service", "version": ""})
    return found


def _about(
    segment: Segment, facts: dict[str, Any], taxonomies: list[dict[str, str]], plan: SitePlan | None
) -> pd.DataFrame:
    """Return what stands beside the tables, as names and values."""
    rows: list[tuple[str, Any]] = [
        ("Segment", printable(segment.name or "")),
        ("Text", _lines(segment.text)),
        ("Matching sites", facts["matching"]),
        ("Sites that may match, as a field is not known of them", facts["may_match"]),
        ("Answered sites", facts["sites"]),
        ("Failed sites", facts["failed"]),
        ("First answer", facts["first"]),
        ("Last answer", facts["last"]),
        ("Vocabulary of the answers", "; ".join(facts["vocabularies"])),
        *((entry["name"], entry["version"]) for entry in taxonomies),
        ("Source", facts["source"]),
        ("Toolkit", __version__),
    ]
    if plan is not None:
        rows += [
            ("Plan", repr(plan).strip("<>").partition(": ")[2]),
            ("Plan, how good", plan.bound),
            ("Plan, budget", plan.about["budget"]),
            ("Plan, most sites", plan.about["most"]),
            ("Plan, spent", plan.about["spent"]),
            ("Plan, codes of no site", "; ".join(plan.missing)),
        ]
    kept = [(name, str(value)) for name, value in rows if value is not None and value != ""]
    return pd.DataFrame(kept, columns=pd.Index(["name", "value"])).astype("str")


def _csv(table: pd.DataFrame) -> bytes:
    text = StringIO(newline="")
    write_csv(table, text)
    return text.getvalue().encode("utf-8-sig")


def _json(
    segment: Segment, facts: dict[str, Any], taxonomies: list[dict[str, str]], tables: Tables, plan: SitePlan | None
) -> bytes:
    listed = {name: _records(table) for name, table in tables.items()}
    document = {
        "segment": {"name": segment.name, "text": _lines(segment.text)},
        "about": {**{name: facts[name] for name in _FACTS}, "toolkit": __version__},
        "taxonomies": taxonomies,
        "sites": [{name: row[name] for name in ("site", "why", "planned")} for row in listed["sites"]],
        "codes": listed["codes"],
        "plan": None
        if plan is None
        else {**{name: plan.about[name] for name in _PLAN_FACTS}, "missing": plan.missing, "sites": listed["plan"]},
    }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    return f"{text}\n".encode()


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): None if pd.isna(value) else value for name, value in row.items()}
        for row in table.astype(object).to_dict("records")
    ]


def _workbook(tables: Tables, facts: dict[str, Any]) -> bytes:
    import xlsxwriter  # noqa: PLC0415 - only where a workbook is written

    for name, table in tables.items():
        if len(table) > _MOST_ROWS:
            raise InputError(
                f"A sheet holds {_MOST_ROWS:,} rows, and {name} has {len(table):,}. End the path with .csv."
            )
    file = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(file, options) as book:
        book.set_properties({"created": datetime.fromisoformat(facts["last"] or _NO_DATE)})
        head = book.add_format({"bold": True, "bottom": 1})
        lines = book.add_format({"text_wrap": True, "valign": "top"})
        share = book.add_format({"num_format": "0.0 %"})
        for name, table in tables.items():
            sheet = book.add_worksheet(name.capitalize())
            for column, title in enumerate(table.columns):
                sheet.write_string(0, column, str(title), head)
                for row, value in enumerate(table[title].astype(object), start=1):
                    if isinstance(value, str):
                        sheet.write_string(
                            row, column, shortened(_lines(value), _LONGEST_CELL), lines if "\n" in value else None
                        )
                    elif not pd.isna(value):
                        sheet.write_number(row, column, value, share if title == "share" else None)
            sheet.freeze_panes(1, 0)
            sheet.autofit(_WIDEST)
    return file.getvalue()


def _lines(text: str) -> str:
    return "\n".join(printable(line) for line in text.split("\n"))


def _write(contents: dict[Path, bytes]) -> list[Path]:
    partial = {place: place.with_name(f".{place.name}.{os.getpid()}.tmp") for place in contents}
    try:
        for place, content in contents.items():
            partial[place].write_bytes(content)
        # Renamed when all are whole: earlier files stay until then.
        for place, part in partial.items():
            part.replace(place)
    except OSError as error:
        words = error.strerror or str(error)
        raise InputError(
            f"{place} cannot be written: {words}. Close it where it is open, or name another file."
        ) from None
    finally:
        for part in partial.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)
    return list(contents)
