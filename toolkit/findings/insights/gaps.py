"""What is missing: beside a brief and the taxonomy, by count, and beside another list, by test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.findings.insights.claims import Claims, alike, twins
from toolkit.findings.insights.doubts import unknown_of
from toolkit.findings.insights.facts import gaps_call, shares_call
from toolkit.findings.insights.features import FEWEST
from toolkit.findings.insights.sentences import enumerated, having, named, singular, telling_of, value_in_words
from toolkit.findings.insights.tautologies import OWN, answer_of, basis_of
from toolkit.findings.insights.told import COUNT, Finding
from toolkit.findings.sensitive import FILTERING, sensitive_rules, unsought
from toolkit.findings.statistics.proportions import wilson
from toolkit.frames.asked import asked_for, known_sites
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import LISTS, SCALARS, STATED
from toolkit.interface.errors import InputError, UnknownCodeError, nearest_to
from toolkit.interface.taxonomy import TAXONOMIES, Taxonomy
from toolkit.interface.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features
    from toolkit.interface.vocabulary import Vocabulary

    Bools = NDArray[np.bool_]
    Integers = NDArray[np.int64]

__all__ = [
    "Beside",
    "Wanted",
    "asked_as",
    "beside",
    "brand_safe",
    "is_thin",
    "of_brief",
    "of_taxonomy",
    "unknown_in",
    "wanted_in",
    "wants_of",
    "why_unknown",
]

#: A part of a brief that so few sites show is thin.
_THIN: Final = 2
_NAMED: Final = 3
#: Of one dimension, so many differences of two lists at most.
_MOST: Final = 2
_FILTERED: Final = "filtering"
_CODED: Final = {"INT": "interest", "PI": "purchase_intent"}
#: What is asked for, by its name in `Features.answered`.
_CALLED: Final = {
    "codes": "audiences and interests",
    "content-v3": "topics",
    "content-v2": "topics of the older taxonomy",
    "filtering": "web-filtering categories",
    "technologies": "technologies",
    "companies": "companies",
}


@dataclass(frozen=True)
class Wanted:
    """A part of a brief."""

    dimension: str
    code: str
    label: str


def of_brief(known: Features, brief: Iterable[str], vocabulary: Vocabulary | None) -> Iterator[Finding]:
    """Yield what a brief asks for and hardly any site shows, and of what it is not known of any site, with the reason.

    A part of it is a code, a category's identifier or name, or any other value that is known; a code or a category
    stands for all below it, too.
    """
    for text in wants_of(brief):
        wanted, has, asked, some = wanted_in(known, text, vocabulary)
        k, n = int(has.sum()), int(asked.sum())
        does = having(wanted.dimension, value_in_words(wanted.dimension, wanted.code, wanted.label))
        if not n:
            yield Finding(
                f"Whether any site {singular(does)}, as the brief asks, is not known: {why_unknown(known, wanted)}.",
                "gap",
                COUNT,
                0.5,
                dimension=wanted.dimension,
                code=wanted.code,
                label=wanted.label,
                basis=basis_of(wanted.dimension),
                n=0,
                with_code=0,
            )
        if not n or not is_thin(k, n):
            continue
        few = "None" if k == 0 else f"Only {named(k)}"
        who = "Not even the one site" if n == 1 else f"{few} of the {n} sites"
        whose = f"{telling_of(wanted.dimension)} " if n < len(asked) else ""
        low, high = wilson(k, n)
        yield Finding(
            f"{who} {whose}{does if k == _THIN else singular(does)}, which the brief asks for.",
            "gap",
            COUNT,
            1 - k / 10,
            dimension=wanted.dimension,
            code=wanted.code,
            label=wanted.label,
            basis=basis_of(wanted.dimension),
            effect=k / n,
            effect_low=float(low),
            effect_high=float(high),
            n=n,
            with_code=k,
            sites=tuple(known.sites[has]),
            against=_elsewhere(int((some & ~has).sum())),
            table=shares_call(wanted.dimension),
        )


def unknown_in(known: Features, brief: Iterable[str], vocabulary: Vocabulary | None) -> dict[str, str]:
    """Return the parts of a brief of which it is known of no site whether it shows them, and why."""
    found = (wanted_in(known, text, vocabulary) for text in wants_of(brief))
    return {wanted.label: why_unknown(known, wanted) for wanted, _, asked, _ in found if not asked.any()}


def why_unknown(known: Features, wanted: Wanted) -> str:
    """Return why it is known of no site whether it shows a part of a brief."""
    kind = asked_as(wanted.dimension)
    if kind not in known.answered:
        return f"the run did not ask for {_CALLED[kind]}"
    if not known.answered[kind].any():
        return f"no site has an answer about {_CALLED[kind]}"
    if not known.is_merged:
        return "no site tells it"
    return "no site tells it, or of several pages of a domain fewer than half"


def _elsewhere(number: int) -> tuple[str, ...]:
    """Return the doubt that some sites that do not count as having something have pages with it."""
    if not number:
        return ()
    return (f"{counted(number, 'site has', 'sites have')} it on some pages, fewer than half of their own",)


def is_thin(k: int, n: int) -> bool:
    """Tell whether a part of a brief that `k` of `n` sites show is missing: on hardly any, and on less than half.

    >>> is_thin(0, 1), is_thin(2, 62), is_thin(2, 3), is_thin(3, 62)
    (True, True, False, False)
    """
    return k <= _THIN and 2 * k < max(n, 1)


def wants_of(brief: Iterable[str]) -> list[str]:
    """Return the parts of a brief, each once."""
    wants = [] if isinstance(brief, str) else list(brief)
    if not wants or not all(isinstance(text, str) for text in wants):
        raise InputError("A brief is a list of codes and categories. Pass texts, such as ['INT.PETS', 'Travel'].")
    return list(dict.fromkeys(part.strip().removesuffix(".*") for part in wants))


def of_taxonomy(
    known: Features, taxonomy: str = "content-v3", categories: pd.DataFrame | None = None
) -> Iterator[Finding]:
    """Yield which main topics of the taxonomy no site is about, those with most below them first, if most are there.

    Topics that brands keep off are told apart, for that no site is about any of them is no gap. `categories` say of
    which sites an answer for web filtering failed, which may be of such a topic.
    """
    mine = known.codes["dimension"].eq(taxonomy).to_numpy()
    if not mine.any():
        return
    asked, every = np.asarray(known.asked[:, mine].any(axis=1), dtype=bool), len(known.sites)
    n = int(asked.sum())
    seen = {str(name) for name in known.codes["parent"][mine & known.some.any(axis=0)].dropna()}
    tree = Taxonomy.load(taxonomy)
    if not seen & unsought(helpers=False):
        # One page is enough to make a site unsafe, so that all of its pages have to be known.
        told = known.wholly(known.answered[taxonomy])
        yield from _without_sensitive(known, told, _unfiltered(known, categories), taxonomy)
    tops = [top for top in tree.children(None) if top.name not in unsought()]
    missing = sorted((top for top in tops if top.name not in seen), key=lambda top: (-_below(tree, top.id), top.name))
    # A short list leaves out most topics whatever it is about: only what a long one lacks is a gap.
    if not missing or 2 * len(missing) > len(tops):
        return
    among = enumerated([top.name for top in missing], _NAMED)
    many = f"{len(missing)} of the {len(tops)} main topics other than sensitive ones are"
    sites = "sites" if n == every else f"{n:,} sites {telling_of(taxonomy)}"
    yield Finding(
        f"{many if len(missing) > 1 else 'One main topic is'} on none of the {sites}: {among}.",
        "gap",
        COUNT,
        0.1,
        dimension=taxonomy,
        effect=len(missing) / len(tops),
        n=len(tops),
        with_code=len(missing),
        against=(unknown_of(every - n, every),) if n < every else (),
        chart=f"coverage_treemap(run.coverage({taxonomy!r}))",
        table=gaps_call(taxonomy),
    )


def brand_safe(n: int | None = None) -> str:
    """Return the sentence that no site is about sensitive topics, with how many sites where nothing before says so.

    >>> brand_safe(62)
    'None of the 62 sites is about sensitive topics: good news for a brand.'
    >>> brand_safe()
    'None is about sensitive topics: good news for a brand.'
    """
    return f"None{'' if n is None else f' of the {n:,} sites'} is about sensitive topics: good news for a brand."


def _unfiltered(known: Features, categories: pd.DataFrame | None) -> Bools:
    """Return of which sites web filtering is not known, though it was asked for."""
    if categories is None or not asked_for(categories, [_FILTERED]):
        return np.zeros(len(known.sites), dtype=bool)
    said = known_sites(categories, known.pages.index, [_FILTERED])
    is_known = said[_FILTERED][1] if said else np.ones(len(known.pages), dtype=bool)
    return ~known.wholly(is_known)


def _without_sensitive(known: Features, asked: Bools, unfiltered: Bools, taxonomy: str) -> Iterator[Finding]:
    """Yield that no site is about anything that the rules for sensitive topics name, as far as it is known."""
    n, every = int((asked & ~unfiltered).sum()), len(known.sites)
    labels = {rule.removeprefix(FILTERING) for rules in sensitive_rules().values() for rule in rules}
    filtered = known.codes["dimension"].eq(_FILTERED) & known.codes["label"].isin(labels)
    if n < FEWEST or known.some[:, filtered.to_numpy()].any():
        return
    what = "topics and web-filtering categories" if (asked & unfiltered).any() else "topics"
    some = f"None of the {n:,} sites whose {what} are known is about sensitive topics"
    low, high = wilson(0, n)
    yield Finding(
        brand_safe(n) if n == every else f"{some}; of {every - n:,} more they are not known.",
        "common",
        COUNT,
        0.0,
        dimension=taxonomy,
        effect=0.0,
        effect_low=float(low),
        effect_high=float(high),
        n=n,
        with_code=0,
        against=(unknown_of(every - n, every),) if n < every else (),
        table=shares_call(taxonomy),
    )


def wanted_in(known: Features, text: str, vocabulary: Vocabulary | None) -> tuple[Wanted, Bools, Bools, Bools]:
    """Return what a text of a brief is, which sites show it or something below it, of which it is known, and any page.

    The last is of the sites of which a page shows it, though fewer than half of them do.
    """
    wanted = _in_vocabulary(text, vocabulary) or _in_taxonomy(text) or _in_features(known.codes, text)
    wanted = wanted or _in_fields(text, vocabulary)
    if wanted is None:
        names = [*known.codes["label"].dropna(), *(top.name for top in Taxonomy.load().children(None))]
        raise UnknownCodeError(text, among="the codes and categories of a brief", nearest=nearest_to(text, names))
    codes = known.codes["code"]
    kinds = known.codes["dimension"]
    if wanted.dimension in TAXONOMIES:
        below = _ids_below(Taxonomy.load(wanted.dimension), wanted.code)
        columns = kinds.eq(wanted.dimension) & codes.isin(below)
    elif wanted.dimension in _CODED.values():
        columns = codes.eq(wanted.code) | codes.str.startswith(f"{wanted.code}.")
    else:
        columns = kinds.eq(wanted.dimension) & codes.eq(wanted.code)
    mine = columns.to_numpy()
    kind = kinds.eq(wanted.dimension).to_numpy()
    asked = _any(known.asked[:, kind]) if wanted.dimension in STATED else _known_without(known, wanted.dimension)
    return wanted, _any(known.has[:, mine]) & asked, asked, _any(known.some[:, mine])


def _known_without(known: Features, dimension: str) -> Bools:
    """Return of which sites it is known whether they have anything of a dimension that none may have."""
    nobody = np.zeros(len(known.pages), dtype=bool)
    told = nobody if dimension in STATED else known.answered.get(asked_as(dimension), nobody)
    return known.mostly(told)


def asked_as(dimension: str) -> str:
    """Return by which name of `Features.answered` a dimension was asked for.

    >>> asked_as("interest"), asked_as("content-v3"), asked_as("technology"), asked_as("country")
    ('codes', 'content-v3', 'technologies', 'companies')
    """
    if dimension in CATEGORIZED:
        return dimension
    if answer_of(dimension) == "segment":
        return "codes"
    return "technologies" if dimension.startswith("technology") else "companies"


def _any(table: Bools) -> Bools:
    return np.asarray(table.any(axis=1), dtype=bool)


def _in_vocabulary(text: str, vocabulary: Vocabulary | None) -> Wanted | None:
    dimension = _CODED.get(text.partition(".")[0])
    if dimension is None:
        return None
    if vocabulary is None:
        return Wanted(dimension, text, text.rpartition(".")[2].replace("_", " ").title())
    return Wanted(dimension, text, vocabulary.check(text).label)


def _in_taxonomy(text: str) -> Wanted | None:
    tree = Taxonomy.load("content-v3")
    if text in tree:
        return Wanted("content-v3", tree[text].id, tree[text].name)
    folded = text.casefold()
    waiting = list(tree.children(None))
    while waiting:  # the highest first
        category = waiting.pop(0)
        if folded in {category.name.casefold(), category.path.casefold()}:
            return Wanted("content-v3", category.id, category.name)
        waiting += tree.children(category.id)
    return None


def _in_fields(text: str, vocabulary: Vocabulary | None) -> Wanted | None:
    """Return a value of a field that no site has."""
    if vocabulary is None:
        return None
    folded = text.casefold()
    for name in (*SCALARS, *LISTS):
        for value, label in vocabulary.values.get(name, {}).items():
            if folded in {value.casefold(), label.casefold()}:
                return Wanted(name, value, label)
    return None


def _in_features(codes: pd.DataFrame, text: str) -> Wanted | None:
    folded = text.casefold()
    own = codes["dimension"].str.startswith(OWN)
    same = (codes["code"].str.casefold().eq(folded) | codes["label"].str.casefold().eq(folded)) & ~own
    if not same.any():
        return None
    row = codes[same].iloc[0]
    return Wanted(row["dimension"], row["code"], row["label"])


def _ids_below(tree: Taxonomy, identifier: str) -> list[str]:
    found = [identifier]
    for place in found:
        found += [category.id for category in tree.children(place)]
    return found


def _below(tree: Taxonomy, identifier: str) -> int:
    return len(_ids_below(tree, identifier))


class Beside:
    """What was tested of two lists, without the sites that are on both.

    Attributes
    ----------
    codes : DataFrame
        What either list has: ``dimension``, ``code``, ``label``, ``parent``.
    claims : Claims
        Of each of these, this list against the other one.
    twins : array of int
        The same number where the same sites have it.
    here : array of bool
        Which sites of this list are not on the other one.
    sizes : tuple of two int
        How many these are, and how many the other list's own.
    """

    def __init__(self, codes: pd.DataFrame, both: Bools, asked: Bools, here: Bools) -> None:
        mine = np.arange(len(both)) < here.sum()
        self.here, self.sizes = here, (int(mine.sum()), int((~mine).sum()))
        self._known = asked[mine].sum(axis=0), asked[~mine].sum(axis=0)
        self.codes, self.has = codes, both & asked
        k, n = self.has[mine].sum(axis=0), asked[mine].sum(axis=0)
        other_k, other_n = self.has[~mine].sum(axis=0), asked[~mine].sum(axis=0)
        right = np.flatnonzero((k + other_k >= FEWEST) & (np.minimum(n, other_n) >= FEWEST))
        counts = tuple(values[right] for values in (k, n, other_k, other_n))
        self.claims = Claims.of(np.zeros(right.size, dtype=np.int64), right, (*counts,))
        self.twins: Integers = twins(both, asked)[right]

    def unknown(self, code: int) -> tuple[int, int]:
        """Return of how many sites of this list and of the other one a code is not known."""
        return self.sizes[0] - int(self._known[0][code]), self.sizes[1] - int(self._known[1][code])

    def told(self, chosen: Claims) -> list[int]:
        """Return which claims are worth saying, the strongest first, nothing twice."""
        order = np.lexsort((chosen.right, chosen.score < 0, np.round(chosen.q, 12), -np.round(np.abs(chosen.score), 6)))
        kept: list[int] = []
        often: dict[str, int] = {}
        for at in order.tolist():
            kind = self.codes["dimension"].iloc[chosen.right[at]]
            has = self.has[:, chosen.right[at]]
            if often.get(kind, 0) >= _MOST or any(alike(has, self.has[:, chosen.right[other]]) for other in kept):
                continue
            often[kind] = often.get(kind, 0) + 1
            kept.append(at)
        return kept


def beside(known: Features, other: Features) -> Beside:
    """Hold a list against another one."""
    names = ["dimension", "code"]
    codes = known.codes.merge(other.codes[names], on=names, how="outer", indicator=True)
    words = other.codes.set_index(names)
    index = codes.set_index(names).index
    for column in ("label", "parent"):
        codes[column] = codes[column].where(codes[column].notna(), words[column].reindex(index).array)
    of_service = ~codes["dimension"].str.startswith(OWN).to_numpy()
    codes, index = codes[of_service].reset_index(drop=True), index[of_service]
    here, there = ~known.sites.isin(other.sites), ~other.sites.isin(known.sites)
    parts = []
    for part, rows in ((known, here), (other, there)):
        place = part.codes.set_index(names).index.get_indexer(index)
        asked_of_kind = {kind: part.asked[:, at] for at, kind in enumerate(part.codes["dimension"])}
        kinds = dict.fromkeys(codes["dimension"])
        asked_of_kind |= {kind: _known_without(part, kind) for kind in kinds if kind not in asked_of_kind}
        asked = np.stack([asked_of_kind[kind] for kind in codes["dimension"]], axis=1)
        has = np.where(place >= 0, part.has[:, place], False)
        parts.append((has[rows], asked[rows]))
    has, asked = (np.concatenate([one, two]) for one, two in zip(*parts, strict=True))
    return Beside(codes, has, asked, here)
