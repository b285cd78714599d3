"""Names of codes and of nodes of a taxonomy, and findings of a comparison in words."""

from __future__ import annotations

import html
import math
import re
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from toolkit.charts.labels import distinct, escaped, without_middle
from toolkit.charts.template import footer_of, tick_room
from toolkit.findings.insights.sentences import value_in_words
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import BASIS, SCALARS
from toolkit.interface.errors import InputError
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import counted, percentage, printable, rounded, shortened
from toolkit.interface.words.labels import field_label, value_words

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import pandas as pd


__all__ = [
    "LUCK",
    "MOST_LEVEL",
    "PERCENT_FROM",
    "SAME",
    "SHOWN",
    "about_of",
    "alike",
    "by_weight",
    "chosen_groups",
    "code_names",
    "drawn_columns",
    "finding_of",
    "footer_of_coverage",
    "in_group_words",
    "index_words",
    "inferred_among",
    "is_inferred",
    "level_nouns_of",
    "most_telling",
    "nouns_of",
    "of_sites",
    "own_codes",
    "percent",
    "plain_names",
    "spoken",
    "telling_groups",
    "things_in",
    "things_of",
    "weight_name",
    "weight_of",
    "whole_list",
]

#: What stands behind the value of a field that says too little without it.
_NOUNS: Final = {"income_level": " income", "reading_level": " level"}
#: Verdicts that are findings, and the one that says that there may be none.
SHOWN: Final = ("over", "under")
SAME: Final = "no difference shown"
#: What a footer says of shrunken indices.
LUCK: Final = "indices allow for luck"
#: Fits beside a plot on a slide of 960 pixels.
_LONGEST: Final = 44
_LONGEST_GROUP: Final = 32
#: Codes of which the same is said: how many are named, and how long each.
_NAMED: Final = 2
_LONGEST_TIED: Final = 28
_LONGEST_TAXONOMY: Final = 32
_LONGEST_WEIGHT: Final = 32
#: What a frame of shares has of sites, and of a weight.
_SHARES: Final = {"share": "weighted_share", "share_low": "weighted_low", "share_high": "weighted_high"}
#: Kinds of codes, the top of which are groups.
_CODES: Final = {
    "interest": ("interest", "interests"),
    "purchase_intent": ("purchase intent", "purchase intents"),
}
#: What one node of a taxonomy and several are called, and what they are called on the first levels.
_NODES: Final = {
    **_CODES,
    "content-v3": ("topic", "topics"),
    "content-v2": ("topic of the earlier list", "topics of the earlier list"),
    "filtering": ("web-filtering category", "web-filtering categories"),
}
_OTHERS: Final = {
    "persona": ("persona", "personas"),
    "technology": ("technology", "technologies"),
    "age_bracket": ("age", "ages"),
    "content_type": ("kind of pages", "kinds of pages"),
    "country": ("country", "countries"),
}
_LEVELS: Final[dict[object, str]] = {1: "main topic", 2: "sub-topic"}
#: Columns whose headings are not slanted, the characters of a line of theirs, and its height.
MOST_LEVEL: Final = 8
_MOST_WIDE: Final = 3
_HEADING_WIDTHS: Final = (15, 9)
_HEADING_LINE: Final = 18
#: Of a heading, a word that is not broken.
_LONGEST_WORD: Final = 12
_TWICE: Final = 2
#: Of fewer sites, counts are told.
PERCENT_FROM: Final = 50
#: Dimensions that a footer names.
_MOST_NAMED: Final = 4
_WHOLE: Final = 100
_OVERALL: Final = {"all", "all sites", "overall"}
_REST: Final = {"rest", "baseline"}
#: Values that are told as several.
_MANY: Final = " prices"
_SNAKE: Final = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")


def alike(names: Sequence[str], noun: str = "") -> str:
    """Return names that are tied, as a title says them; `noun` is what further ones are called.

    Examples
    --------
    >>> alike(["Golf"]), alike(["Golf", "Chess"]), alike(["Golf", "Chess", "Darts"])
    ('Golf', 'Golf and Chess alike', 'Golf and 2 more alike')
    """
    if len(names) == 1:
        return names[0]
    others = names[1] if len(names) == _TWICE else f"{len(names) - 1} more {noun}".rstrip()
    return f"{names[0]} and {others} alike"


def about_of(frame: pd.DataFrame) -> dict[str, Any]:
    """Return what a finding is about, with its taxonomy: the dimension of a category is its taxonomy."""
    about = dict(frame.attrs.get("about", {}))
    taxonomies = sorted({str(name) for name in frame["dimension"]} & set(CATEGORIZED))
    return {"taxonomy": ", ".join(taxonomies) or None, **about}


def code_names(frame: pd.DataFrame) -> list[str]:
    """Return what an axis shows of each row's code, escaped; different codes never look the same.

    `frame` has the columns ``dimension``, ``code``, ``label`` and ``parent``.
    """
    several = len(set(frame["dimension"])) > 1
    rows: list[tuple[Hashable, list[str]]] = []
    for dimension, code, label, parent in frame[["dimension", "code", "label", "parent"]].itertuples(index=False):
        said = str(label) if isinstance(label, str) and label else str(code)
        said, field = _told_of(str(dimension), str(code), said)
        group = words_of_code(parent) if isinstance(parent, str) and parent != code else ""
        about = [_kind_of(str(dimension)) if field else "", "inferred" if is_inferred(dimension) else ""]
        kind = f" ({', '.join(filter(None, about))})" if several and any(about) else ""
        texts = [
            shortened(printable(said), _LONGEST),
            without_middle(f"{group}: {said}" if group and group != said else said, _LONGEST),
            without_middle(said, _LONGEST),
            without_middle(f"{said} ({code})", _LONGEST * 2),
        ]
        rows.append(((str(dimension), str(code)), [text + kind for text in texts]))
    return distinct(rows)


def _told_of(dimension: str, code: str, label: str) -> tuple[str, str]:
    """Return what a value of a field is called, and the field where it says nothing without it.

    What is mid-range, or basic? But no prices are prices, and a middle income is an income.

    >>> _told_of("price_signals", "mid_range", "Mid-range"), _told_of("income_level", "middle", "Middle income")
    (('Mid-range prices', ''), ('Middle income', ''))
    >>> _told_of("reading_level", "basic", "Basic"), _told_of("persona", "PER.GOLFERS", "Golfers")
    (('Basic', 'reading level'), ('Golfers', 'personas'))
    """
    field = printable(field_label(dimension)).lower()
    if dimension in SCALARS:
        said = value_in_words(dimension, code, label)
        for name in (label, said[:1].upper() + said[1:]):
            if name.lower().endswith(f" {field}"):
                return name, ""
    return label, field


def _kind_of(dimension: str) -> str:
    """Return what stands behind the name of one code: a topic is one of the topics, an interest an interest."""
    one = {**_NODES, "interest_group": ("interest",), "persona": ("persona",)}.get(dimension)
    return one[0] if one else printable(field_label(dimension)).lower()


def spoken(name: object) -> str:
    """Return the name of a group as people say it: that of a code of the service has spaces.

    >>> spoken("upper_middle"), spoken("Our_Sites"), spoken("b2b")
    ('upper middle', 'Our_Sites', 'b2b')
    """
    return str(name).replace("_", " ") if _SNAKE.fullmatch(str(name)) else str(name)


def in_group_words(
    compared: pd.DataFrame, rows: pd.DataFrame, groups: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """Return a comparison, rows of it and its groups with what their sites are called, where a field makes them.

    Where two would be called the same, or nobody knows what makes them, they keep their names.
    """
    about = compared.attrs.get("about", {})
    by = str(about.get("grouped_by", ""))
    order = [str(name) for name in about.get("group_order", ())]
    names = list(dict.fromkeys([*order, *map(str, compared["group"].unique())]))
    words = {name: value_in_words(by, name, None) + _NOUNS.get(by, "") for name in names} if by in SCALARS else {}
    if len(set(words.values())) < len(names):
        return compared, rows, groups
    read = {name: word[:1].upper() + word[1:] for name, word in words.items()}

    def renamed(frame: pd.DataFrame) -> pd.DataFrame:
        columns = {name: [read.get(one, one) for one in frame[name].astype(str)] for name in ("group", "baseline")}
        return frame.assign(**columns).astype(dict.fromkeys(columns, "str"))

    told = renamed(compared)
    told.attrs = {**compared.attrs, "about": {**about, "group_order": [read[name] for name in order]}}
    return told, renamed(rows), [read.get(group, group) for group in groups]


def plain_names(values: Iterable[object], longest: int = _LONGEST_GROUP) -> dict[Any, str]:
    """Return for each different value, such as a group, what an axis or a legend shows of it, escaped."""
    every = list(dict.fromkeys(values))
    rows: list[tuple[Hashable, list[str]]] = [
        (value, [shortened(printable(spoken(value)), longest), without_middle(str(value), longest), str(value)])
        for value in every
    ]
    return dict(zip(every, distinct(rows), strict=True))


def chosen_groups(frame: pd.DataFrame, wanted: str | Iterable[str] | None, size: str = "n") -> list[str]:
    """Return the groups to draw: those wanted in their order, or all, the largest first and then by name."""
    sizes = frame.groupby("group", observed=True)[size].max()
    known = [str(name) for name in sorted(sizes.index, key=lambda name: (-float(sizes[name]), str(name)))]
    if wanted is None:
        return known
    if isinstance(wanted, str):
        wanted = [wanted]
    if not isinstance(wanted, Iterable):
        raise InputError(f"A group is a name, not {type(wanted).__name__}. Pass a name or a list of names.")
    asked = list(dict.fromkeys(map(str, wanted)))
    if unknown := [name for name in asked if name not in known]:
        shown = ", ".join(map(repr, known[:8])) or "none"
        raise InputError(f"The frame has no group {', '.join(map(repr, unknown))}. Its groups are: {shown}.")
    return asked


def telling_groups(usable: pd.DataFrame, every: list[str], most: int) -> tuple[list[str], str]:
    """Return the groups to draw, in their order, and what a footer says of the others.

    Where there are more than `most`, those are drawn that differ, those that differ most first; where none does, the
    first ones. `usable` has the rows of all groups, with ``weight`` and ``own``.
    """
    if len(every) <= most:
        return every, ""
    found = usable[usable["verdict"].isin(SHOWN) & ~usable["own"]]
    strength = found.groupby("group")["weight"].max()
    differing = sorted((name for name in every if name in strength.index), key=lambda name: -float(strength[name]))
    kept = set(differing[:most] or every[:most])
    if not differing:
        said = f"the {most} largest of {len(every)} groups are drawn"
    elif len(differing) > most:
        whole = len(differing) == len(every)
        who = f"all {len(every)} groups differ" if whole else f"of {len(every)} groups {len(differing)} differ"
        tied = float(strength[differing[most - 1]]) == float(strength[differing[most]])
        said = f"{who}; {most} of those" if tied else f"{who}; the {most}"
        said += " that differ most are drawn"
    else:
        number, verb = ("one", "is") if len(differing) == 1 else (str(len(differing)), "are")
        said = f"of {len(every)} groups the {number} with a difference {verb} drawn"
    return [name for name in every if name in kept], said


def headings(names: Iterable[str]) -> tuple[list[str], int, int]:
    """Return names, given escaped, as they stand above columns: with line breaks or slanted, the angle, the height."""
    every = [html.unescape(name) for name in names]
    if len(every) > MOST_LEVEL:
        angle, height = tick_room(every)
        return [escaped(name) for name in every], angle, height
    width = _HEADING_WIDTHS[len(every) > _MOST_WIDE]
    width = max(width, min(max((len(word) for name in every for word in name.split()), default=0), _LONGEST_WORD))
    wrapped = [textwrap.wrap(name, width, break_on_hyphens=False) or [""] for name in every]
    most = max(map(len, wrapped), default=1)
    return ["<br>".join(map(escaped, lines)) for lines in wrapped], 0, _HEADING_LINE * most


def percent(share: float) -> str:
    """Return a share in words."""
    value = share * _WHOLE
    if math.isnan(value):
        return "not known"
    if 0 < value < 1:
        return "below 1 %"
    return "over 99 %" if _WHOLE - 1 < value < _WHOLE else percentage(share)


def is_inferred(dimension: object) -> bool:
    """Return whether a dimension is general knowledge of who reads such pages, which nobody counted."""
    return BASIS.get(str(dimension)) == "inferred"


def inferred_among(dimensions: Iterable[object]) -> str:
    """Return what a footer says of dimensions that are inferred; nothing where none is.

    Examples
    --------
    >>> inferred_among(["income_level"]), inferred_among(["interest", "income_level", "persona"])
    ('inferred from what the pages are about, not counted', 'inferred, not counted: income, personas')
    """
    every = list(dict.fromkeys(map(str, dimensions)))
    inferred = [field_label(name).lower() for name in every if is_inferred(name)]
    if not inferred or len(inferred) == len(every):
        return "inferred from what the pages are about, not counted" if inferred else ""
    more = f" and {len(inferred) - _MOST_NAMED} more" if len(inferred) > _MOST_NAMED else ""
    return f"inferred, not counted: {', '.join(inferred[:_MOST_NAMED])}{more}"


def index_words(index: float) -> str:
    """Return an index as people write it."""
    if math.isnan(index):
        return "not known"
    if math.isinf(index):
        return "∞"
    return "below 1" if 0 < index < 1 else f"{rounded(index):,}"


def weight_of(frame: pd.DataFrame) -> pd.Series:
    """Return how telling each row is: how far what is to be believed stays from 100; below, how near to a finding."""
    low, high, index = (frame[f"shrunken_{part}"].astype(float) for part in ("low", "high", "index"))
    verdict = frame["verdict"].astype(str)
    near = low.clip(lower=_WHOLE).where(verdict == "over", high.clip(upper=_WHOLE)).fillna(index).clip(1, _WHOLE**2)
    shown = 1 + (near / _WHOLE).map(math.log).abs() + (index.clip(1, _WHOLE**2) / _WHOLE).map(math.log).abs() / 1000
    doubt = frame["p" if "p" in frame.columns else "p_adjusted"].astype(float).fillna(1)
    return shown.where(verdict.isin(SHOWN), 1 - doubt)


def weight_name(about: Mapping[str, Any]) -> str:
    """Return how a chart names the weight of a finding; nothing where it has none.

    >>> weight_name({"sites": 3, "weight": "Spend"}), weight_name({"sites": 3})
    ('Spend', '')
    """
    name = about.get("weight")
    return "" if name is None else shortened(printable(str(name)), _LONGEST_WEIGHT)


def by_weight(frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return a frame of shares with those of its weight in their place, and the weight's name, where it has one."""
    name = weight_name(frame.attrs.get("about", {}))
    if not name or not set(_SHARES.values()) <= set(frame.columns):
        return frame, ""
    return frame.assign(**{share: frame[weighted] for share, weighted in _SHARES.items()}), name


def drawn_columns(columns: Iterable[str], weight: str) -> list[str]:
    """Return which columns of a frame hold what `by_weight` made a chart draw."""
    return [_SHARES.get(column, column) if weight else column for column in columns]


def own_codes(frame: pd.DataFrame) -> pd.Series:
    """Return which rows say only how the groups were made, such as that the group Travel has the category Travel.

    These are rows of a code by whose name or code their group goes, if all of the group's sites have it or none beyond
    them; where both holds, those of groups none of whose sites has it; and what is no finding of the same codes.
    """
    group = frame["group"].astype(str)
    named = (frame["code"].astype(str) == group) | (frame["label"].astype(str) == group)
    sites = frame["with_code"].astype(float)
    # The group's own sites may be part of the baseline.
    beyond = frame["baseline_with"].astype(float)
    every = (sites > 0) & (sites == frame["n"].astype(float))
    alone = (sites > 0) & ((beyond == 0) | (beyond == sites))
    code = frame["dimension"].astype(str) + "\n" + frame["code"].astype(str)
    own = (named & (every | alone)) | (code.isin(code[named & every & alone]) & (sites == 0))
    found = frame["verdict"].astype(str).isin(SHOWN)
    return own | (code.isin(code[own]) & ~code.isin(code[found & ~own]))


def whole_list(compared: pd.DataFrame, groups: Sequence[str]) -> str:
    """Return what is said where groups are held against all sites and are all of them; nothing where they are not."""
    rows = compared[compared["group"].isin(groups)]
    is_all = rows["baseline"].astype(str).isin(_OVERALL) & rows["n"].eq(rows["baseline_n"])
    is_all &= rows["with_code"].eq(rows["baseline_with"])
    if rows.empty or not is_all.all():
        return ""
    names = [shortened(printable(spoken(group)), _LONGEST_GROUP) for group in groups]
    who = names[0] if len(names) == 1 else f"Each of the {len(names)} groups"
    return f"{who} is the whole list: there is nothing to hold it against"


def most_telling(ordered: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return so many codes of an ordered frame, each with its first row.

    The first finding of each group comes before the second of another, for the groups that are drawn are those that
    differ. Codes of `own` come last: as many as their weight brings, at most half, where these findings leave room.
    """
    leading = ordered.drop_duplicates("name")
    found = ordered[ordered["verdict"].isin(SHOWN) & ~ordered["own"]]
    strongest = leading.sort_values("weight", ascending=False, kind="stable").head(most)
    others, own = leading[~leading["own"]], leading[leading["own"]]
    later = ~others["name"].isin(found.drop_duplicates("group")["name"])
    room = max(most - min(int(strongest["own"].sum()), most // 2), min(int((~later).sum()), most))
    kept = others.loc[later.sort_values(kind="stable").index[:room]]
    return ordered.loc[[*others.index[others.index.isin(kept.index)], *own.index[: most - len(kept)]]]


def finding_of(row: Mapping[str, Any] | pd.Series, rows: pd.DataFrame | None = None) -> str:
    """Say in a sentence what a row of a comparison finds, and which of `rows` say the same of their codes."""
    label = _label_of(row)
    if rows is None:
        return _said_of(row, [label])
    alike = rows[(rows["group"] == row["group"]) & (rows["verdict"] == row["verdict"])]
    alike = alike[alike["with_code"].eq(0) == (row["with_code"] == 0)]
    same = [one for one in alike.to_dict("records") if _said_of(one, [""]) == _said_of(row, [""])]
    labels = list(dict.fromkeys([label, *sorted(map(_label_of, same))]))
    if len(labels) == 1:
        return _said_of(row, labels) + _likewise(row, rows)
    more = [f"{len(labels) - _NAMED} more"] if len(labels) > _NAMED else []
    named = [shortened(name, _LONGEST_TIED) for name in labels[:_NAMED]] + more
    return _said_of(row, named)


def _likewise(row: Mapping[str, Any] | pd.Series, rows: pd.DataFrame) -> str:
    """Say of which other groups the same is found, to the number that is said."""
    nameless = _said_of({**row, "group": ""}, [""])
    same = rows[(rows["code"] == row["code"]) & (rows["dimension"] == row["dimension"])]
    same = same[(same["group"] != row["group"]) & (same["verdict"] == row["verdict"])]
    others = [one["group"] for one in same.to_dict("records") if _said_of({**one, "group": ""}, [""]) == nameless]
    if not others:
        return ""
    named = shortened(printable(spoken(others[0])), _LONGEST_GROUP)
    return f"; likewise among {named if len(others) == 1 else f'{len(others)} more groups'}"


def _label_of(row: Mapping[Any, Any] | pd.Series) -> str:
    label = code = str(row["code"])
    if isinstance(row["label"], str) and row["label"] not in {"", code}:
        label = value_words(str(row.get("dimension")), code, row["label"])
    label, field = _told_of(str(row.get("dimension")), code, label)
    label = shortened(printable(label), _LONGEST)
    field = field if row.get("dimension") in SCALARS else ""
    basis = "inferred" if is_inferred(row.get("dimension")) and not label.endswith("inferred)") else ""
    return f"{label} ({', '.join(filter(None, [field, basis]))})" if field or basis else label


def _said_of(row: Mapping[Any, Any] | pd.Series, labels: list[str]) -> str:
    """Say what a row finds of its code and of those that are tied with it."""
    several = len(labels) > 1
    verb, joined = ("are each", " and ") if several else ("are" if labels[0].endswith(_MANY) else "is", "")
    label = f"{', '.join(labels[:-1])}{joined}{labels[-1]}"
    group = shortened(printable(spoken(row["group"])), _LONGEST_GROUP)
    raw, against = float(row["index"]), _against(str(row["baseline"]))
    if math.isnan(raw):
        return f"{label} cannot be compared among {group}"
    mine, base = _counts(row)
    each = " each" * several
    if not raw:
        label = f"{', '.join(labels[:-1])} or {labels[-1]}" if several else label
        return f"None of the {_sites_of(int(row['n']), group)} has {label}, {base}{each} {against}"
    if math.isinf(raw):
        k, n = int(row["with_code"]), int(row["n"])
        return f"{label} {verb} on {'all' if k == n else f'{k} of'} {_sites_of(n, group)} and on none {against}"
    if row["verdict"] not in SHOWN and rounded(raw) == _WHOLE:
        return f"{label} {verb} as common among {group} as {against}: {mine}{each}"
    is_more = row["verdict"] == "over" or (row["verdict"] != "under" and raw > _WHOLE)
    common = f"{'more' if is_more else 'less'} common among {group} than {against}"
    return f"{label} {verb} {common}: {mine}{each}, against {base}"


def _sites_of(n: int, group: str) -> str:
    """Return how many sites of a group there are, once called sites.

    >>> _sites_of(8, "Travel"), _sites_of(8, "News sites"), _sites_of(9, "Sites that use nginx")
    ('8 sites of Travel', '8 News sites', '9 sites that use nginx')
    """
    if group.startswith("Sites "):
        return f"{n} s{group[1:]}"
    return f"{n} {group}" if group.endswith(" sites") else f"{n} sites of {group}"


def _counts(row: Mapping[Any, Any] | pd.Series) -> tuple[str, str]:
    """Return how many of a group's sites have a code, and of its baseline's: of few sites counted, else as a share."""
    n, base_n = int(row["n"]), int(row["baseline_n"])
    if min(n, base_n) >= PERCENT_FROM:
        return percent(row["share"]), percent(row["baseline_share"])
    return f"{int(row['with_code']):,} of {n:,}", f"{int(row['baseline_with']):,} of {base_n:,}"


def of_sites(count: float, n: float, share: float) -> str:
    """Return which part of the sites something has: of few sites counted, else as a share.

    Examples
    --------
    >>> of_sites(7, 31, 0.23), of_sites(70, 310, 0.23)
    ('7 of 31', '23 %')
    """
    return percent(share) if n >= PERCENT_FROM else f"{int(count)} of {int(n)}"


def _against(baseline: str) -> str:
    if baseline.lower() in _OVERALL:
        return "overall"
    return (
        f"in the {baseline.lower()}"
        if baseline.lower() in _REST
        else f"among {shortened(printable(spoken(baseline)), _LONGEST_GROUP)}"
    )


def nouns_of(taxonomy: str, tier: object = None) -> tuple[str, str]:
    """Return what one node and several are called.

    Examples
    --------
    >>> nouns_of("content-v3"), nouns_of("content-v2")[1], nouns_of("purchase_intent", 2)[1]
    (('topic', 'topics'), 'topics of the earlier list', 'purchase intents of level 2')
    >>> nouns_of("content-v3", 1)[1], nouns_of("content-v2", 2)[1], nouns_of("content-v3", 3)[1]
    ('main topics', 'sub-topics of the earlier list', 'topics of level 3')
    """
    named = shortened(printable(taxonomy), _LONGEST_TAXONOMY)
    one, many = _NODES.get(taxonomy, (f"{named} topic".strip(), f"{named} topics".strip()))
    if tier is None:
        return one, many
    if taxonomy in CATEGORIZED and tier in _LEVELS:
        return one.replace("topic", _LEVELS[tier], 1), many.replace("topic", _LEVELS[tier], 1)
    return f"{one} of level {tier}", f"{many} of level {tier}"


def things_of(dimensions: Iterable[object]) -> tuple[str, str]:
    """Return what one value of these kinds and several are called.

    Examples
    --------
    >>> things_of(["persona"]), things_of(["interest", "content-v3"])[1], things_of(["income_level"])[1]
    (('persona', 'personas'), 'interests and topics', 'values of income')
    """
    kinds = list(dict.fromkeys(str(name) for name in dimensions))
    known = {**_NODES, **_OTHERS}
    if len(kinds) == 1:
        word = shortened(printable(field_label(kinds[0]).lower()), _LONGEST_TAXONOMY)
        return known.get(kinds[0], (f"value of {word}", f"values of {word}"))
    if len(kinds) == _TWICE and all(kind in known for kind in kinds):
        one, many = zip(*(known[kind] for kind in kinds), strict=True)
        return " or ".join(one), " and ".join(many)
    return "value", "values"


def things_in(rows: pd.DataFrame) -> str:
    """Return how many different values rows of a comparison have, and what they are called: ``3 interests``."""
    return counted(len(rows.drop_duplicates(["dimension", "code"])), *things_of(rows["dimension"]))


def level_nouns_of(taxonomy: str, tiers: Iterable[object]) -> tuple[str, str]:
    """Return what one node and several are called that are of these tiers, where the taxonomy has been named.

    Examples
    --------
    >>> level_nouns_of("content-v2", [1]), level_nouns_of("content-v3", [2])[1], level_nouns_of("interest", [1, 2])[0]
    (('main topic', 'main topics'), 'sub-topics', 'interest')
    """
    known = set(tiers)
    if taxonomy in _CODES:
        return ("group", "groups") if known == {1} else _CODES[taxonomy]
    return nouns_of("content-v3", known.pop() if len(known) == 1 else None)


def footer_of_coverage(about: Mapping[str, Any], extra: Iterable[str] = ()) -> str:
    """Return the footer of a chart of a coverage; `extra` as for `footer_of`.

    Examples
    --------
    >>> footer_of_coverage({"sites": 2, "taxonomy": "interest", "threshold": "medium", "vocabularies": ["1.1"]})
    'n = 2 sites · confidence medium or more'
    """
    threshold = about.get("threshold")
    # The title says what is counted.
    return footer_of({**about, "taxonomy": None}, [*extra, f"confidence {threshold} or more" if threshold else ""])
