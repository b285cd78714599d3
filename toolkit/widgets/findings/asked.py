"""In what groups can be compared: dimensions of codes, taxonomies, technologies, facts of companies; or in all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from toolkit.findings.compare import compare
from toolkit.findings.insights.facts import company_codes, technology_codes
from toolkit.findings.insights.tautologies import follows
from toolkit.frames.about import answered
from toolkit.frames.schemas import FACTS
from toolkit.interface.words.labels import field_label
from toolkit.reports.words import listing, lowered
from toolkit.widgets.given import sites_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from toolkit.findings.incidence import Frames

__all__ = [
    "COMPANY_FACTS",
    "TAXONOMIES",
    "asked_over_all",
    "compared_in",
    "dimensions_of",
    "options_of",
    "said_of_all",
    "taken",
    "with_facts",
]

#: Taxonomies, as people call them.
TAXONOMIES: Final = {
    "content-v3": "Topics",
    "content-v2": "Topics of the earlier list",
    "filtering": "Web-filtering categories",
}
#: Dimensions of what is known of the companies behind sites.
COMPANY_FACTS: Final = frozenset(FACTS.values())
_TOPICS: Final = "content-v3"
_OTHER_TAXONOMIES: Final = ("content-v2", "filtering")
_TECHNOLOGIES: Final = ("technology", "technology kind")
#: Begins the names of frames of codes that were made of other frames.
_AS_CODES: Final = "codes of "
_MADE: Final = {"technologies": technology_codes, "companies": company_codes}
#: More dimensions than these are not named one by one where all that is compared is said.
_NAMED: Final = 3


def with_facts(frames: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the frames of a run, with its technologies and facts of companies as codes."""
    return {**frames, **{f"{_AS_CODES}{name}": make(frames[name]) for name, make in _MADE.items() if name in frames}}


def dimensions_of(frames: Mapping[str, Frames]) -> dict[str, str]:
    """Return what groups can be compared in: label to dimension or taxonomy."""
    found: dict[str, str] = {}
    if "codes" in frames:
        present = [_there(codes) for codes in _each(frames["codes"])]
        every = set().union(*present)
        # Answers that were read have their dimensions in order.
        kinds = _each(frames["codes"])[0]["dimension"].cat.categories
        found |= {field_label(str(name)): str(name) for name in kinds if name in every}
    if "categories" in frames:
        names = {name for rows in _each(frames["categories"]) for name in answered(rows)["taxonomy"].dropna().unique()}
        found |= {label: name for name, label in TAXONOMIES.items() if name in names}
    for of, names_of in (("technologies", _TECHNOLOGIES), ("companies", FACTS.values())):
        if f"{_AS_CODES}{of}" in frames:
            there = set().union(*map(_there, _each(frames[f"{_AS_CODES}{of}"])))
            found |= {field_label(name): name for name in names_of if name in there}
    return found


def _there(codes: pd.DataFrame) -> set[str]:
    known = answered(codes)
    return set(map(str, known.loc[known["code"].notna(), "dimension"].dropna().unique()))


def _each(frame: Frames) -> list[pd.DataFrame]:
    return list(frame.values()) if isinstance(frame, Mapping) else [frame]


def options_of(dimension: str) -> dict[str, Any]:
    """Return how a comparison in one dimension is asked for.

    Examples
    --------
    >>> options_of("persona"), options_of("business_model")
    ({'dimensions': 'persona'}, {'of': 'companies', 'only': ['business_model']})
    """
    if dimension in TAXONOMIES:
        return {"taxonomy": dimension}
    of = _of(dimension)
    return {"dimensions": dimension} if of == "codes" else {"of": of, "only": [dimension]}


def _of(dimension: str) -> str:
    if dimension in _TECHNOLOGIES:
        return "technologies"
    return "companies" if dimension in COMPANY_FACTS else "codes"


def taken(frames: Mapping[str, Frames], options: Mapping[str, Any]) -> tuple[Frames, Any]:
    """Return what a comparison is of: the frame, and who was answered."""
    if "taxonomy" in options:
        return frames["categories"], sites_of(frames, options["taxonomy"])
    of = options.get("of", "codes")
    return frames[of if of == "codes" else f"{_AS_CODES}{of}"], sites_of(frames, of)


def compared_in(
    frames: Mapping[str, Frames], groups: Any, baseline: str, options: Mapping[str, Any], among: Any = None
) -> pd.DataFrame:
    """Compare groups as the options ask for: of technologies and companies all is tested, and `only` some is kept.

    `among` are the sites of which it is known in which group they are, None all.
    """
    frame, sites = taken(frames, options)
    own = {name: value for name, value in options.items() if name in {"dimensions", "taxonomy"}}
    found = compare(frame, groups, baseline or None, sites=sites, among=among, **own)
    return found[found["dimension"].isin(options["only"])].reset_index(drop=True) if "only" in options else found


def asked_over_all(dimensions: Sequence[str], made_of: str) -> list[dict[str, Any]]:
    """Return the options of each comparison that together are of everything, but for what follows from the groups.

    `made_of` is the dimension that makes the groups; empty where the user made them.

    Examples
    --------
    >>> asked_over_all(["interest", "audience_type", "content-v3", "filtering"], "audience_type")
    [{'dimensions': ['interest']}, {'taxonomy': 'content-v3'}]
    >>> asked_over_all(["company industry", "business_model", "technology"], "content_type")
    [{'of': 'technologies'}, {'of': 'companies', 'only': ['business_model']}]
    """
    usable = [name for name in dimensions if name != made_of] or list(dimensions)
    telling = [name for name in usable if not (made_of and follows(made_of, name))]
    # Where all else follows from the groups, that is what there is to see.
    chosen = telling if len(telling) > 1 else usable
    parts: dict[str, list[str]] = {"codes": [], "technologies": [], "companies": []}
    for name in chosen:
        if name not in TAXONOMIES:
            parts[_of(name)].append(name)
    # Other taxonomies say the same in other words.
    has_codes = any(parts.values())
    topics = [_TOPICS] if _TOPICS in chosen else [] if has_codes else chosen[:1]
    return [
        *([{"dimensions": parts["codes"]}] if parts["codes"] else []),
        *({"taxonomy": name} for name in topics),
        *(_facts(of, parts[of], dimensions) for of in ("technologies", "companies") if parts[of]),
    ]


def _facts(of: str, wanted: list[str], dimensions: Sequence[str]) -> dict[str, Any]:
    is_all = wanted == [name for name in dimensions if name not in TAXONOMIES and _of(name) == of]
    return {"of": of} if is_all else {"of": of, "only": wanted}


def _left_out(
    dimensions: Sequence[str], made_of: str, asked: Sequence[Mapping[str, Any]]
) -> tuple[list[str], list[str]]:
    """Return what is not among a comparison of everything: what follows from the groups, and other lists of topics."""
    missing = [name for name in dimensions if name != made_of and not any(_has(options, name) for options in asked)]
    following = [name for name in missing if made_of and follows(made_of, name)]
    return following, [name for name in missing if name not in following]


def _has(options: Mapping[str, Any], dimension: str) -> bool:
    if dimension in TAXONOMIES or "taxonomy" in options:
        return bool(options.get("taxonomy") == dimension)
    if options.get("of", "codes") != _of(dimension):
        return False
    return dimension in options.get("only", options.get("dimensions", [dimension]))


def said_of_all(
    dimensions: Sequence[str], made_of: str, by: str, asked: Sequence[Mapping[str, Any]]
) -> tuple[str, str]:
    """Return in what groups by something are compared in words, and a line on what is left out, which may be empty."""
    following, others = _left_out(dimensions, made_of, asked)
    if not following and not others:
        return "over everything that was asked", ""
    lines = []
    if following:
        lines.append(f"Left out, as they follow from the {by}: {', '.join(map(_named, following))}.")
    if others:
        lines.append(f"Left out, as they say the same in other words: {', '.join(map(_named, others))}.")
    line = f"{' '.join(lines)} All of them can be chosen under “in”."
    return f"in {listing(_words_of(asked))}", line


def _words_of(asked: Sequence[Mapping[str, Any]]) -> list[str]:
    words: list[str] = []
    for options in asked:
        if "taxonomy" in options:
            words.append(lowered(_named(options["taxonomy"])))
        elif "of" in options:
            words.append({"technologies": "technologies", "companies": "facts of companies"}[options["of"]])
        elif len(options["dimensions"]) <= _NAMED:
            words += [lowered(_named(name)) for name in options["dimensions"]]
        else:
            words.append("interests and traits" if "interest" in options["dimensions"] else "traits")
    return words


def _named(dimension: str) -> str:
    return TAXONOMIES.get(dimension) or field_label(dimension)
