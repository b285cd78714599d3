"""What the parts of a report look at: findings, who has what, the groups with their colours, and how all is said."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.charts.colours import group_colours
from toolkit.findings.given.weight import weighed
from toolkit.findings.insights.claims import Claims, adjusted
from toolkit.findings.insights.common import sentence_of, telling
from toolkit.findings.insights.differences import Differences, differences
from toolkit.findings.insights.groups import Grouping, given, sensible
from toolkit.findings.insights.sentences import having, singular, spent, taken, value_in_words
from toolkit.findings.insights.tautologies import INFERRED, OWN
from toolkit.findings.statistics.proportions import wilson
from toolkit.frames.schemas import LISTS, SCALARS
from toolkit.interface.errors import InputError
from toolkit.reports.contents import Group, OwnValues
from toolkit.reports.strongest import strongest
from toolkit.reports.words import clean

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from toolkit.findings.given.weight import Weighed
    from toolkit.findings.insights.features import Features
    from toolkit.reports.frames import Frames

    Bools = NDArray[np.bool_]
    Integers = NDArray[np.int64]

__all__ = ["View", "grouped", "is_inferred", "label_of", "weight_of"]
#: Dimensions of companies whose values are common nouns.
_COMMON_NOUNS: Final = frozenset({"business_model", "company_type", "funding_status", "growth_trend"})
#: Dimensions whose values have an article within a sentence, and what no row of a table begins with.
_WITH_ARTICLE: Final = frozenset({"country", "education_level", "employment_status", "life_stage"})
_ARTICLE: Final = re.compile(r"^(?:the|an?) ")


@dataclass(frozen=True)
class View:
    """A run as the parts of a report see it.

    Where a domain has several pages on the list it counts once here, as in findings.
    """

    frames: Frames
    #: What `toolkit.findings.findings` returns.
    found: pd.DataFrame
    known: Features
    at: datetime
    #: What stands below every picture.
    footer: str
    #: The groups that were asked for; None where there are none.
    grouping: Grouping | None = None
    #: What the groups are held against: a mask of the sites; None for all others.
    baseline: Bools | None = None
    #: The name of a number of the user's own, and what each site has of it.
    weight: Weighed | None = None
    brief: tuple[str, ...] = ()
    before: Frames | None = None
    #: Sentences of the findings that are told as proofs, in order; None for the usual choice.
    wished: tuple[str, ...] | None = None
    #: The number of sites of each group, and its colour.
    groups: tuple[Group, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        if self.grouping is None:
            return
        names = [called(self.grouping.dimension, name) for name in self.grouping.names]
        if len(set(names)) < len(names):
            names = [clean(name) for name in self.grouping.names]
        colours = group_colours(names)
        groups = tuple(
            Group(name, colours[name].removeprefix("#"), int(members.sum()))
            for name, members in zip(names, self.grouping.members, strict=True)
        )
        object.__setattr__(self, "groups", groups)

    # What is told first ----------------------------------------------------------------------------------------------

    @cached_property
    def strongest(self) -> pd.DataFrame:
        """The findings that make the headlines where nobody asks for others."""
        return strongest(self.found)

    @cached_property
    def chosen(self) -> pd.DataFrame:
        """The findings that are told as proofs: those that somebody wants, else the strongest."""
        if self.wished is None:
            return self.strongest
        by_sentence = self.found.drop_duplicates("sentence").set_index("sentence", drop=False)
        return by_sentence.loc[list(self.wished)].reset_index(drop=True)

    # Who has what -----------------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """The sites that count."""
        return len(self.known.sites)

    @cached_property
    def has(self) -> Bools:
        """Sites × features, of those whose answer tells it."""
        return self.known.has & self.known.asked

    @property
    def tells(self) -> bool:
        """Whether any answer tells anything of any site; what the user's own table says is no answer."""
        own = self.known.codes["dimension"].str.startswith(OWN).to_numpy(dtype=bool)
        return bool(self.has[:, ~own].any())

    def places(self, *dimensions: str) -> Integers:
        """Return the features of some dimensions that any site has."""
        mine = self.known.codes["dimension"].isin(dimensions).to_numpy()
        return np.flatnonzero(mine & self.has.any(axis=0))

    def place(self, dimension: str, code: str) -> int | None:
        """Return the place of a feature; None where no site has it."""
        mine = self.known.codes["dimension"].eq(dimension) & self.known.codes["code"].eq(code)
        return int(mine.to_numpy().argmax()) if mine.any() else None

    def tops(self) -> Integers:
        """Return the main topics that any site is about."""
        mine = self.places("content-v3")
        codes = self.known.codes.iloc[mine]
        return mine[codes["label"].eq(codes["parent"]).to_numpy()]

    def asked_of(self, places: Integers) -> Bools:
        """Return which sites were asked for some features."""
        return np.asarray(self.known.asked[:, places].any(axis=1), dtype=bool)

    def telling(self, places: Integers) -> Bools:
        """Return which sites tell something of what some features are of: the base of every count, as in findings."""
        kinds = dict.fromkeys(self.known.codes["dimension"].iloc[places])
        return np.asarray(np.any([telling(self.known, str(kind)) for kind in kinds], axis=0), dtype=bool)

    def ordered(self, places: Integers) -> Integers:
        """Return features by how many sites have them, the most frequent first."""
        counts = self.has[:, places].sum(axis=0)
        codes = self.known.codes["code"].iloc[places].to_numpy(dtype=object).astype(str)
        found: Integers = places[np.lexsort((codes, -counts))]
        return found

    def counted(self, places: Integers, base: Bools | None = None) -> pd.DataFrame:
        """Return one row a feature: ``label``, ``count``, ``n``, ``share``, ``low``, ``high``, ``tip``, and of groups.

        The share of the group in place 2 is in ``in 2``, of ``of 2`` sites ``with 2``. Of the sites in `base`; without
        it of those that tell.
        """
        base = self.telling(places) if base is None else base
        has, n = self.has[:, places], int(base.sum())
        count = has.sum(axis=0).astype(np.int64)
        low, high = wilson(count, np.full(len(places), n))
        frame = pd.DataFrame(
            {
                "label": self.labels(places),
                "dimension": self.known.codes["dimension"].iloc[places].to_numpy(dtype=object),
                "code": self.known.codes["code"].iloc[places].to_numpy(dtype=object),
                "count": count,
                "n": np.int64(n),
                "share": count / n if n else np.nan,
                "low": low,
                "high": high,
                "tip": [f"{number} of {n} sites" for number in count],
            }
        )
        for number, members in enumerate(() if self.grouping is None else self.grouping.members):
            frame = frame.assign(**self.in_group(places, members & base, number))
        return frame

    def in_group(self, places: Integers, members: Bools, name: object) -> dict[str, Any]:
        """Return the columns of one group: of those that were asked."""
        asked = members & self.asked_of(places)
        count, n = self.has[np.ix_(asked, places)].sum(axis=0).astype(np.int64), int(asked.sum())
        share = count / n if n else np.full(len(places), np.nan)
        return {f"in {name}": share, f"with {name}": count, f"of {name}": np.int64(n)}

    @property
    def by_group(self) -> tuple[OwnValues, ...]:
        """The groups with their columns in `counted`, as charts take them."""
        return tuple(
            OwnValues(group.name, f"in {number}", f"with {number}", f"of {number}")
            for number, group in enumerate(self.groups)
        )

    # How it is said ---------------------------------------------------------------------------------------------------

    def word(self, place: int) -> str:
        """Return a feature as one says it in a sentence."""
        return self.known.word(place)

    def doing(self, place: int) -> str:
        """Return what sites do that have a feature: ``use Shopify``."""
        return having(self.known.rows[place][0], self.word(place))

    def labels(self, places: Integers) -> list[str]:
        """Return features as a row of a table or picture names them, each differently."""
        rows = [self.known.rows[place] for place in places]
        texts = [label_of(kind, code, label) for kind, code, label, _ in rows]
        often = Counter(texts)
        return [
            f"{text} ({parent})" if often[text] > 1 and isinstance(parent, str) and parent != text else text
            for text, (*_, parent) in zip(texts, rows, strict=True)
        ]

    def leading(self, places: Integers) -> Integers:
        """Return features by how many sites have them, without those that say what is not there if others are."""
        order = self.ordered(places)
        there = order[~self.known.absent[order]]
        return there if self.n > 1 and self.has[:, there].any() else order

    def sentence(self, places: Integers) -> str:
        """Return what is said of a dimension: what most sites have, with ties and those that come next."""
        order = self.leading(places)
        asked = self.asked_of(places)
        count, n = self.has[:, order].sum(axis=0), int(asked.sum())
        first = self.doing(int(order[0]))
        if count[0] == 1:
            examples = _listed([self.word(int(place)) for place in order])
            some = int(self.has[:, order].any(axis=1).sum())
            if len(order) == len(places):
                return f"No two of the {n:,} sites {first.split(' ', 1)[0]} the same: {examples}, a site each."
            if some == 1:
                return f"One of the {n:,} sites {singular(first).split(' ', 1)[0]} {examples}."
            return f"{some:,} of the {n:,} sites {first.split(' ', 1)[0]} {examples}, a site each."
        return clean(sentence_of(self.known, order, count))

    def told(self, finding: pd.Series) -> str:
        """Return the sentence of a finding, without what its sites take of the weight."""
        text = str(finding["sentence"])
        if self.weight is not None and pd.notna(finding["weight_share"]):
            end = taken(len(finding["sites"]), float(finding["weight_share"]), spent(self.weight.about))
            text = f"{text.removesuffix(end)}." if text.endswith(end) else text
        return clean(text)

    # What differs -----------------------------------------------------------------------------------------------------

    @property
    def asked_for(self) -> Grouping:
        """The groups that were asked for; without any there is nothing to compare."""
        if self.grouping is None:
            raise InputError("There are no groups. Pass groups= too.")
        return self.grouping

    @property
    def members(self) -> Bools:
        """Groups that were asked for × sites."""
        return self.asked_for.members

    @cached_property
    def groupings(self) -> list[Grouping]:
        """The groups that findings looked at."""
        if self.grouping is not None and self.wished is None:
            return [self.grouping]
        table = self.frames.table
        if self.weight is not None:
            table = table.loc[:, table.columns != self.weight.about["weight"]]
        first = [] if self.grouping is None else [self.grouping]
        return [*first, *sensible(self.frames.answers, table, self.known)]

    @cached_property
    def claims(self) -> Claims:
        """What was tested of the groups that were asked for: `left` is a group of `grouping`."""
        tested = self._tested
        number = np.array([place for _, place in tested.groups], dtype=np.int64)
        claims = tested.claims
        if self.baseline is None:
            claims = adjusted([(claims, tested.twins)])[0]
        else:
            claims = self._against(claims, tested.members)
        return replace(claims, left=number[claims.left] if len(claims) else claims.left)

    @cached_property
    def left_out(self) -> list[str]:
        """The dimensions that were not held against the groups that were asked for, since they follow from them."""
        if self.grouping is None:
            return []
        return [kind for kind in self._tested.left_out if kind != self.grouping.dimension]

    @cached_property
    def _tested(self) -> Differences:
        return differences(self.known, [self.asked_for], halves=self.baseline is not None)

    def _against(self, claims: Claims, members: Bools) -> Claims:
        """Return claims that hold groups against a baseline, and not against all others."""
        others = np.array([self.others(row) for row in members], dtype=bool).reshape(members.shape)
        has, asked = (values.astype(np.float32) for values in (self.has, self.known.asked))
        k, n = (np.rint(others.astype(np.float32) @ values).astype(np.int64) for values in (has, asked))
        left, right = claims.left, claims.right
        usable = n[left, right] > 0
        left, right = left[usable], right[usable]
        counts = (claims.k[usable], claims.n[usable], k[left, right], n[left, right])
        return adjusted([(Claims.of(left, right, counts), np.arange(len(left)))])[0]

    def like(self, members: Bools, n: int, place: int) -> Bools:
        """Return which sites are known to be, or not to be, the `n` members: those asked for what makes them members.

        Of a pair only the sites are told that have its one side.
        """
        same = np.flatnonzero((self.has == members[:, None]).all(axis=0))
        for at in same:
            asked: Bools = self.known.asked[:, at]
            if int((asked & self.known.asked[:, place]).sum()) == n:
                return asked
        return np.ones(len(members), dtype=bool)

    def others(self, members: Bools) -> Bools:
        """Return what a group is held against."""
        found: Bools = (self.asked_for.grouped if self.baseline is None else self.baseline) & ~members
        return found


def grouped(frames: Frames, known: Features, groups: Any, name: str) -> Grouping:
    """Return the groups that were asked for; `groups` as a run gives them, `name` the column that they are of."""
    answers = frames.answers
    columns = {str(title) for key in ("audiences", "companies") if key in answers for title in answers[key].columns}
    if name in frames.table.columns:
        return given(groups, known, name, OWN + name)
    if name in {*columns, "main category"}:
        return given(groups, known, name, "company industry" if name == "industry" else name, answers)
    return given(groups, known, "groups", OWN + name if name else "")


def weight_of(weight: pd.Series, known: Features) -> Weighed:
    """Return what each site that counts has of a weight."""
    found = weighed(weight, known.pages.index)
    return found._replace(values=np.bincount(known.pages.to_numpy(), found.values).astype(np.float64))


def called(dimension: str, name: str) -> str:
    """Return the name of a group: values of the service in words, and your own as they are."""
    is_own = dimension in {"", "main category"} or dimension.startswith(OWN)
    return clean(name) if is_own else label_of(dimension, name, None)


def label_of(dimension: str, code: str, label: object) -> str:
    """Return a value as a row of a table names it.

    >>> label_of("income_level", "upper_middle", None), label_of("education_level", "bachelor", None)
    ('Upper middle income', "Bachelor's degree")
    """
    text = value_in_words(dimension, code, label if isinstance(label, str) else None)
    if dimension in {"income_level", "reading_level"}:
        text = f"{text} {'income' if dimension == 'income_level' else 'level'}"
    text = _ARTICLE.sub("", text) if dimension in _WITH_ARTICLE else text
    if dimension in SCALARS or dimension in LISTS or dimension in _COMMON_NOUNS:
        text = text[:1].upper() + text[1:]
    return clean(text)


def _listed(words: Sequence[str], most: int = 3) -> str:
    rest = len(words) - most
    return ", ".join(map(clean, words[:most])) + (f" and {rest} more" if rest > 0 else "")


def is_inferred(dimension: object) -> bool:
    """Tell whether a dimension is general knowledge of readers."""
    return str(dimension) in INFERRED
