"""What a segment can be built of, as a tree to search in: all that its language names, and how many sites have it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from toolkit.findings.coverage import coverage
from toolkit.findings.nodes import KINDS
from toolkit.frames.about import answered, site_of
from toolkit.frames.schemas import BASIS, DEMOGRAPHICS, LEVELS
from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.interface.words.labels import field_label, value_words
from toolkit.segments.words import quoted
from toolkit.widgets.findings.compare_view import TAXONOMIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd

    from toolkit.interface.vocabulary import Kind, Vocabulary

__all__ = ["Choice", "Found", "choices_of", "found_in", "lineage"]

#: Branches of codes: the whole of it as the language writes it, and what it covers.
_CODED: Final[dict[str, tuple[str, Kind]]] = {
    "Interests": ("INT.*", "interest"),
    "Purchase intents": ("PI.*", "purchase_intent"),
}
#: What is general knowledge about readers says so.
_INFERRED: Final = " (inferred)"
_AUDIENCE: Final = "Audience and firms"
_FIELDS: Final = (
    "audience_type",
    *DEMOGRAPHICS,
    "company_size_employees",
    "seniority",
    "job_function",
    "industry",
    "content_type",
    "reading_level",
    "price_signals",
)
#: A word with one of these is looked for in what the segment would say, not only in what people read.
_OF_CODES: Final = frozenset("._=")


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of the tree."""

    #: What is shown.
    label: str
    #: What it is in the language of segments; empty where it has no word for it.
    expression: str
    #: How many sites of the run have it.
    sites: int
    #: 1 at the top.
    tier: int
    #: What it is found by: labels from the top.
    path: str

    @property
    def key(self) -> str:
        """What it is called by: no two entries are called alike."""
        return self.expression or self.label


@dataclass(frozen=True, slots=True)
class Found:
    """What of a tree is shown."""

    #: As `toolkit.widgets.tree.Tree` takes them.
    entries: list[dict[str, Any]]
    #: Branches that must be open for what was searched for to be seen.
    opened: list[str]
    #: The first entry that was searched for; without a search the first.
    first: str | None
    #: How many were searched for and found.
    hits: int


def choices_of(frames: Mapping[str, pd.DataFrame], vocabulary: Vocabulary) -> list[Choice]:
    """Return the entries in the order of the tree.

    At the top stand interests, purchase intent, audience and firms, personas, the content categories of both taxonomies
    and web-filtering categories, as far as the frames tell of them. Personas and web-filtering categories are those of
    the run's sites: there is no list of all.
    """
    found: list[Choice] = []
    if "codes" in frames:
        had = _had(frames["codes"])
        for kind, (whole, taxonomy) in _CODED.items():
            found.append(_top(kind, whole, had[had["dimension"].isin(KINDS[taxonomy])]))
            found += _nodes(coverage(frames["codes"], taxonomy, vocabulary=vocabulary), None)
        found.append(_top(_AUDIENCE, "", had[had["dimension"].isin(_FIELDS)]))
        found += _values(vocabulary, had)
        people = had[had["dimension"] == "persona"]
        found.append(_top(f"Personas{_INFERRED}", "persona = *", people))
        found += _named("persona", _counts(people["code"]))
    if "categories" in frames:
        answers = answered(frames["categories"])
        answers = answers.assign(site=site_of(answers)).dropna(subset=["name"])
        for name, kind in TAXONOMIES.items():
            rows = answers[answers["taxonomy"] == name]
            found.append(_top(kind, f"{name} = *", rows))
            if name == "filtering":
                found += _named(name, _filtered(rows))
            else:
                found += _nodes(coverage(frames["categories"], name), name)
    return found


def found_in(choices: Sequence[Choice], text: str, *, present: bool) -> Found:
    """Return the entries whose path has every word of a text, with all above and below them.

    Only `present` ones are those that a site has.
    """
    words = text.casefold().split()
    kept: dict[int, bool] = {}
    opened: dict[str, None] = {}
    above: list[tuple[int, Choice, bool]] = []
    for place, choice in enumerate(choices):
        if present and not choice.sites:
            continue
        del above[choice.tier - 1 :]
        is_inside = bool(above) and above[-1][2]
        is_hit = bool(words) and not is_inside and all(_has(choice, word) for word in words)
        if is_hit:
            kept |= {one: kept.get(one, False) for one, _, _ in above}
            opened |= {parent.key: None for _, parent, _ in above}
        if is_hit or is_inside or not words:
            kept[place] = is_hit
        above.append((place, choice, is_hit or is_inside))
    order = sorted(kept)
    hits = [choices[place].key for place in order if kept[place] or not words]
    entries = _entries([(choices[place], kept[place]) for place in order])
    return Found(entries, list(opened), next(iter(hits), None), len(hits) if words else 0)


def lineage(entries: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    """Return the keys of the branches above an entry, from the top."""
    above: list[str] = []
    for entry in entries:
        del above[entry["level"] - 1 :]
        if entry["key"] == key:
            return above
        above.append(entry["key"])
    return []


def _has(choice: Choice, word: str) -> bool:
    return word in choice.path.casefold() or (
        not _OF_CODES.isdisjoint(word) and word in choice.expression.casefold().replace(" ", "")
    )


def _entries(kept: Sequence[tuple[Choice, bool]]) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    above: list[dict[str, Any]] = []
    beside: dict[int | None, list[dict[str, Any]]] = {}
    for choice, is_hit in kept:
        entry = {
            "key": choice.key,
            "label": choice.label,
            "sites": choice.sites,
            "level": choice.tier,
            "branch": False,
            "found": is_hit,
        }
        del above[choice.tier - 1 :]
        if above:
            above[-1]["branch"] = True
        beside.setdefault(id(above[-1]) if above else None, []).append(entry)
        above.append(entry)
        entries.append(entry)
    for siblings in beside.values():
        for place, entry in enumerate(siblings, 1):
            entry |= {"place": place, "of": len(siblings)}
    return entries


def _top(label: str, expression: str, rows: pd.DataFrame) -> Choice:
    return Choice(label, expression, int(rows["site"].nunique()), 1, label)


def _nodes(covered: pd.DataFrame, content: str | None) -> Iterator[Choice]:
    columns = ["parent", "id", "name", "sites", "tier", "path"]
    children: dict[str | None, list[tuple[str, str, int, int, str]]] = {}
    for parent, *node in covered[columns].sort_values("name", kind="stable").itertuples(index=False, name=None):
        identifier, name, sites, tier, path = node
        children.setdefault(parent if isinstance(parent, str) else None, []).append(
            (identifier, name, sites, tier, path)
        )

    def walk(parent: str | None) -> Iterator[Choice]:
        for identifier, name, sites, tier, path in children.get(parent, []):
            if content is not None:
                expression = f"{content} = {quoted(path, always=True)}"
            else:
                expression = f"{identifier}.*" if identifier in children else identifier
            yield Choice(name, expression, sites, tier + 1, path)
            yield from walk(identifier)

    yield from walk(None)


def _values(vocabulary: Vocabulary, had: pd.DataFrame) -> Iterator[Choice]:
    sites = had.groupby("dimension", observed=True)["site"].nunique()
    for field in _FIELDS:
        rows = had[had["dimension"] == field]
        counts = _counts(rows["code"])
        # The vocabulary of another service may not list every field: then there is what the sites have.
        values = vocabulary.values.get(field) or dict(
            rows.drop_duplicates("code").sort_values("code")[["code", "label"]].itertuples(index=False, name=None)
        )
        if not values:
            continue
        title = field_label(field)
        shown = title + _INFERRED * (BASIS[field] == "inferred")
        yield Choice(shown, f"{field} = *", int(sites.get(field, 0)), 2, title)
        for value, label in values.items():
            name = value_words(field, value, label)
            yield Choice(name, f"{field} = {quoted(value)}", counts[value], 3, f"{title} {name} {label} {value}")


def _named(subject: str, counts: Mapping[str, int]) -> Iterator[Choice]:
    for name in sorted(counts):
        yield Choice(name, f"{subject} = {quoted(name, always=True)}", counts[name], 2, name)


def _had(codes: pd.DataFrame) -> pd.DataFrame:
    kept = answered(codes)
    kept = kept.assign(site=site_of(kept)).dropna(subset=["code"])
    columns = ["site", "dimension", "code", "label"] if "label" in kept.columns else ["site", "dimension", "code"]
    rows = kept[columns].drop_duplicates(["site", "dimension", "code"])
    return rows.assign(dimension=rows["dimension"].astype("str"), label=rows.get("label", rows["code"]))


def _counts(values: pd.Series) -> Counter[str]:
    return Counter(values.astype("str"))


def _filtered(rows: pd.DataFrame) -> Counter[str]:
    """Return the sites of each web-filtering category, by its path: an answer gives these no identifier."""
    levels = rows.reindex(columns=list(LEVELS)).astype(object).to_numpy()
    paths = [PATH_SEPARATOR.join(level for level in row if isinstance(level, str)) for row in levels]
    named = rows.assign(path=[path or name for path, name in zip(paths, rows["name"], strict=True)])
    return _counts(named.drop_duplicates(["site", "path"])["path"])
