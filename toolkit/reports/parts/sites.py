"""The sites: one table with your own columns and what each is in short, and a card for each with all that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.findings.insights.features import site_column
from toolkit.findings.insights.tautologies import OWN
from toolkit.frames.about import answered, site_of
from toolkit.frames.schemas import BASIS, DEMOGRAPHICS
from toolkit.interface.text import counted
from toolkit.interface.words.labels import ages_label
from toolkit.interface.words.places import company_words
from toolkit.reports.contents import Card, Column, Fact, Part, Table
from toolkit.reports.frames import TAXONOMY
from toolkit.reports.headings import heading_of
from toolkit.reports.parts.unanswered import failed_sites
from toolkit.reports.view import label_of
from toolkit.reports.words import clean, listing, said, together

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from toolkit.reports.frames import Frames
    from toolkit.reports.view import View
    from toolkit.reports.words import Form

__all__ = ["SiteFacts", "cards", "own_columns", "sites"]

#: Columns of your own that stand beside a site; more are in the workbook.
_MOST_OWN: Final = 4
#: Columns that say what groups of some dimensions say.
_GROUPED: Final = {"audience_type": "audience", "income_level": "income", "main category": "topic"}
#: A bracket of ages with both ends.
_MOST_TOPICS: Final = 8
_MOST_VALUES: Final = 12
_COMPANY: Final = {
    "name": "Company",
    "description": "What it does",
    "industry": "Industry",
    "country": "Country",
    "city": "City",
    "state": "State",
    "founded_year": "Founded",
    "employee_range": "Employees",
    "revenue_range": "Revenue",
    "company_type": "Kind of company",
    "business_model": "Business model",
    "parent_company": "Belongs to",
}
_WHO: Final = ("audience_type", *DEMOGRAPHICS)
_FIRMS: Final = ("industry", "job_function", "seniority", "company_size_employees")
_WANTS: Final = ("interest_group", "interest", "purchase_intent")
_PAGES: Final = ("content_type", "reading_level", "price_signals")


def sites(view: View) -> tuple[Part, ...]:
    """Return the table of all sites, those without an answer too."""
    frame, columns = _table(view)
    about = view.frames.about
    good, failed = int(about["sites"]), int(about["failed"])
    title = f"{counted(good, 'site')} answered" + (f", {counted(failed, 'site')} did not" if failed else "") + "."
    return (
        Part(
            "sites",
            "Sites",
            title,
            (),
            None,
            Table(
                "One row a site, in the order of the list",
                frame,
                columns,
                group="group" if view.groups else "",
                site="site",
            ),
            ("Age, income and type of audience are inferred; topics and interests are read on the pages.",),
            view.footer,
            is_appendix=True,
        ),
    )


def cards(view: View) -> tuple[Card, ...]:
    """Return a card for each answered site, in the order of the list."""
    known, group = SiteFacts(view.frames), _groups(view)
    return tuple(Card(site, group.get(site, ""), known.of(site)) for site in known.sites if site in view.frames.good)


class SiteFacts:
    """What a run knows of each of its `sites`, which stand in the order of the list."""

    def __init__(self, frames: Frames) -> None:
        own, self._names = own_columns(frames)
        self.sites = [str(site) for site in own.index]
        self._cells = own.to_dict("index")
        self._codes, self._topics, self._companies, self._technologies = (
            _by_site(frames, name) for name in ("codes", "categories", "companies", "technologies")
        )

    def of(self, site: str) -> tuple[tuple[str, tuple[Fact, ...]], ...]:
        """Return topics, audience, company, technologies and your own columns of a site, those that it has."""
        rows, cells = self._codes.get(site, []), self._cells[site]
        facts = [
            ("Topics", tuple(_topics(self._topics.get(site, [])))),
            ("Audience", tuple(_values(rows, _WHO))),
            ("Interests and intents", tuple(_values(rows, _WANTS))),
            ("Personas", tuple(_values(rows, ("persona",)))),
            ("Business audience", tuple(_values(rows, _FIRMS))),
            ("Pages", tuple(_values(rows, _PAGES))),
            ("Company", tuple(_company(self._companies.get(site, [])))),
            ("Technologies", tuple(_technologies(self._technologies.get(site, [])))),
            ("Your columns", tuple(Fact(title, said(cells[key], form)) for key, title, form in self._names)),
        ]
        return tuple((name, some) for name, some in facts if some)


def own_columns(frames: Frames) -> tuple[pd.DataFrame, list[tuple[str, str, Form]]]:
    """Return your own columns by site, the first row of a site, and for each its key, heading and form."""
    table = frames.table
    order = pd.Index(_order(frames), dtype="str")
    frame, names = pd.DataFrame(index=order), []
    titles = list(table.columns)
    for place, title in enumerate(titles):
        if titles.count(title) > 1:
            continue
        column = table.iloc[:, place]
        if [str(value) for value in column] == [str(target) for target in table.index]:
            continue  # the sites themselves
        key = f"own {place}"
        values = site_column(column, order)
        is_number = pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype)
        form: Form = "text"
        if is_number:
            whole = (values.dropna().astype("float64") % 1 == 0).all()
            form, values = "whole" if whole else "number", values.astype("float64")
            if whole and values.dropna().between(1000, 2999).all():
                form, values = "text", values.map(lambda value: f"{value:.0f}", na_action="ignore")  # years
        else:
            values = values.map(str, na_action="ignore").astype(object)
        frame[key] = values.array
        names.append((key, clean(title), form))
    return frame, names


def _table(view: View) -> tuple[pd.DataFrame, tuple[Column, ...]]:
    own, names = own_columns(view.frames)
    order = list(own.index)
    failed = failed_sites(view.frames).drop_duplicates("site").set_index("site")["short"].to_dict()
    good = view.frames.good
    frame = own.assign(
        site=order, state=["answered" if site in good else failed.get(site, "no answer") for site in order]
    )
    columns = [Column("site", "Site")]
    heading, same = "", ""
    if view.grouping is not None:
        groups = _groups(view)
        frame["group"] = [groups.get(site, "") for site in order]
        is_own = view.grouping.dimension.startswith(OWN)
        heading = clean(view.grouping.dimension.removeprefix(OWN)) if is_own else "Group"
        same = _GROUPED.get(view.grouping.dimension, "")
        columns.append(Column("group", heading))
    # A column that makes the groups stands there once.
    shown = [name for name in names if name[1] != heading]
    columns += [
        Column(key, title, form, is_detail=place >= _MOST_OWN) for place, (key, title, form) in enumerate(shown)
    ]
    if frame["state"].ne("answered").any():
        columns.append(Column("state", "Answer"))
    rows = _by_site(view.frames, "codes")
    topics = _by_site(view.frames, "categories")
    told: dict[str, tuple[str, list[str]]] = {
        "topic": ("Top topic", [_first_topic(topics.get(site, [])) for site in order]),
        "age": ("Age (inferred)", [_ages(rows.get(site, [])) for site in order]),
        "interest": (
            "Top interest",
            [
                _words(rows.get(site, []), "interest", 1) or _words(rows.get(site, []), "interest_group", 1)
                for site in order
            ],
        ),
        "audience": ("Audience (inferred)", [_words(rows.get(site, []), "audience_type") for site in order]),
        "income": ("Income (inferred)", [_words(rows.get(site, []), "income_level") for site in order]),
        "persona": ("Persona (inferred)", [_words(rows.get(site, []), "persona", 1) for site in order]),
    }
    if same:  # what makes the groups stands there once, under its own name
        columns[1] = Column("group", told.pop(same)[0])
    for key, (heading, values) in told.items():
        if any(values):
            frame[key] = values
            columns.append(Column(key, heading, is_detail=key in {"income", "persona"}))
    return frame.reset_index(drop=True), tuple(columns)


def _order(frames: Frames) -> list[str]:
    """Return the different sites in the order of the list."""
    if frames.sites is not None:
        every = site_of(frames.sites)
    else:
        every = pd.concat([site_of(frame) for frame in frames.given.values()])
    return list(dict.fromkeys(every.dropna().astype(str)))


def _groups(view: View) -> dict[str, str]:
    """Return the group of each site; of one in several, all of them."""
    if view.grouping is None:
        return {}
    rows = view.known.pages
    by_site = [
        listing([group.name for group, is_in in zip(view.groups, column, strict=True) if is_in])
        for column in view.grouping.members.T
    ]
    return {str(site): by_site[row] for site, row in rows.items()}


def _by_site(frames: Frames, name: str) -> dict[str, list[dict[Hashable, Any]]]:
    """Return the rows of a frame by site, as plain records."""
    frame = frames.categories if name == "categories" else frames.get(name)
    if frame is None:
        return {}
    good = answered(frame)
    wanted = [column for column in _READ[name] if column in good.columns]
    plain = good[wanted].astype(object).where(good[wanted].notna(), None).to_dict("records")
    found: dict[str, list[dict[Hashable, Any]]] = {}
    for site, row in zip(site_of(good).astype(str), plain, strict=True):
        found.setdefault(site, []).append(row)
    return found


_READ: Final = {
    "codes": ("dimension", "code", "label", "group", "confidence", "rank"),
    "categories": ("id", "level_1", "level_2", "level_3", "level_4", "name", "tier", "confidence", "rank"),
    "companies": tuple(_COMPANY),
    "technologies": ("technology", "category"),
}


def _path(row: dict[Hashable, Any]) -> str:
    return " > ".join(str(row[level]) for level in ("level_1", "level_2", "level_3", "level_4") if row[level])


def _ranked(rows: Iterable[dict[Hashable, Any]]) -> list[dict[Hashable, Any]]:
    return sorted(rows, key=lambda row: (row["rank"] is None, row["rank"] or 0))


def _first_topic(rows: list[dict[Hashable, Any]]) -> str:
    return next((_path(row) for row in _ranked(rows) if row["level_1"] and row["tier"] == 1), "")


def _topics(rows: list[dict[Hashable, Any]]) -> Iterator[Fact]:
    seen: set[str] = set()
    for row in _ranked(rows):
        path = _path(row)
        if not path or path in seen or len(seen) == _MOST_TOPICS:
            continue
        sure = "" if row["confidence"] is None else f"{said(row['confidence'], 'percent')} sure"
        yield Fact("Sub-topic" if seen else "Main topic", path, "measured", sure, TAXONOMY, str(row["id"] or ""))
        seen.add(path)


def _words(rows: list[dict[Hashable, Any]], dimension: str, most: int = 2) -> str:
    """Return the values of a dimension of a site in words."""
    mine = [row for row in _ranked(rows) if row["dimension"] == dimension and row["code"]]
    words = list(dict.fromkeys(label_of(dimension, str(row["code"]), row["label"]) for row in mine))[:most]
    return together(words) if len(words) > 1 else "".join(words)


def _ages(rows: list[dict[Hashable, Any]]) -> str:
    """Return the ages of a site's readers: brackets that meet are one.

    >>> _ages([{"dimension": "age_bracket", "code": code, "label": "", "rank": 1} for code in ("35_44", "25_34")])
    '25 to 44 years'
    >>> _ages([{"dimension": "age_bracket", "code": code, "label": "", "rank": 1} for code in ("65_74", "75_99")])
    '65 years and over'
    """
    codes = {str(row["code"]) for row in rows if row["dimension"] == "age_bracket" and row["code"]}
    return ages_label(codes) or _words(rows, "age_bracket")


def _values(rows: list[dict[Hashable, Any]], dimensions: Iterable[str]) -> Iterator[Fact]:
    for dimension in dimensions:
        mine = [row for row in _ranked(rows) if row["dimension"] == dimension and row["code"]]
        for row in mine[:_MOST_VALUES]:
            follows = dimension == "persona" and row["group"]
            why = f"follows from {row['group']}" if follows else ""
            if not why and row["confidence"]:
                why = f"{row['confidence']} confidence"
            basis: Any = BASIS.get(dimension, "")
            code = str(row["code"])
            yield Fact(heading_of(dimension), label_of(dimension, code, row["label"]), basis, why, dimension, code)


def _company(rows: list[dict[Hashable, Any]]) -> Iterator[Fact]:
    for row in rows[:1]:
        for key, heading in _COMPANY.items():
            if (value := row.get(key)) is not None and clean(value).strip():
                yield Fact(heading, company_words(key, str(value), row.get("country")), "measured")


def _technologies(rows: list[dict[Hashable, Any]]) -> Iterator[Fact]:
    kinds: dict[str, list[str]] = {}
    for row in rows:
        if row["technology"]:
            kinds.setdefault(str(row["category"] or "Other"), []).append(str(row["technology"]))
    for kind in sorted(kinds):
        yield Fact(kind, listing(sorted(dict.fromkeys(kinds[kind]))), "measured")
