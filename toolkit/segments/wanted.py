"""Codes that somebody asks for, with wildcards: which rows of a codes frame they mean, and what they are called."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.frames.about import site_of
from toolkit.frames.foreign import normal
from toolkit.frames.schemas import CODED, DIMENSIONS
from toolkit.interface.errors import InputError, UnknownCodeError, nearest_to
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.taxonomy import TAXONOMIES, Taxonomy
from toolkit.interface.text import printable
from toolkit.interface.vocabulary import Vocabulary
from toolkit.segments.matching import facts_of
from toolkit.segments.tree import Condition, categories_named, category_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolkit.interface.taxonomy import TaxonomyName

__all__ = ["Holdings", "WantedCode", "asked_for", "fits_text", "holdings", "wanted_codes"]

Pair = tuple[str, str]

_FIELDS: Final = tuple(name for name in DIMENSIONS if name not in CODED)
_CODE: Final = re.compile(r"(INT|PI)\.", re.IGNORECASE)
#: Parts of a code that is not just a group: INT.PETS.DOGS.
_PARTS_OF_MEMBER: Final = 3


@dataclass(frozen=True, slots=True)
class WantedCode:
    """One code that is asked for.

    Attributes
    ----------
    name : str
        The code; a value stands with its field, as ``life_stage=student``, a category with its taxonomy, as
        ``content-v3=Sports > Golf``. What nothing fits stands as it was asked.
    dimension : str or None
        Of the codes frame, or the taxonomy; None where nothing seen fits.
    code, label, group, group_label : str or None
        As in the codes frame; values of fields have no group. Of a category, its identifier and name, and those of the
        top category.
    seen : tuple of tuple
        Dimensions and codes of the frame that are it; a group is also had by whoever has one of its members.
    """

    name: str
    dimension: str | None
    code: str
    label: str
    group: str | None
    group_label: str | None
    seen: tuple[Pair, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Holdings:
    """Which sites have which wanted codes.

    Attributes
    ----------
    items : list of WantedCode
        What is wanted, had by a site or not.
    sites : list of str
        Sites with at least one of them, by name.
    table : csr_array
        One row a site, one column an item, 1 where the site has it.
    """

    items: list[WantedCode]
    sites: list[str]
    table: sparse.csr_array[Any, Any]

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of what no site has."""
        return tuple(item.name for item, count in zip(self.items, self.counts, strict=True) if not count)

    @property
    def counts(self) -> list[int]:
        """Number of sites with each item."""
        return [int(count) for count in np.bincount(self.table.indices, minlength=len(self.items))]

    def frame(self) -> pd.DataFrame:
        """Return one row an item: ``dimension, code, label, group, group_label`` (str) and ``with_code`` (int64)."""
        named = ("dimension", "code", "label", "group", "group_label")
        columns = {name: pd.Series([getattr(item, name) for item in self.items], dtype="str") for name in named}
        return pd.DataFrame({**columns, "with_code": pd.Series(self.counts, dtype="int64")})


def asked_for(wanted: Any, vocabulary: Vocabulary | None = None, *, categories: bool = False) -> list[str]:
    """Return what is asked for as texts, each once: of one text, of several, or of something with codes of its own.

    Of a segment, the content categories that it names are asked for too if there are `categories`.
    """
    if vocabulary is not None and not isinstance(vocabulary, Vocabulary):
        raise InputError(f"vocabulary is of type {type(vocabulary).__name__}. Pass client.filters().")
    own = getattr(wanted, "codes", None)
    if callable(own):
        more = tuple(wanted.categories()) if callable(getattr(wanted, "categories", None)) else ()
        wanted = _own_codes(own, vocabulary)
        if more and not categories and not wanted:
            raise InputError("The segment wants content categories only. Pass categories=run.categories() too.")
        wanted = (*wanted, *more) if more and categories else wanted
    if isinstance(wanted, str):
        wanted = [wanted]
    if not isinstance(wanted, Iterable) or hasattr(wanted, "columns") or isinstance(wanted, bytes):
        kind = type(wanted).__name__
        raise InputError(
            f"wanted is of type {kind}. Pass codes such as ['INT.PETS.DOGS', 'PI.TRAVEL.*'], or a segment."
        )
    texts = list(wanted)
    for text in texts:
        if not isinstance(text, str) or not printable(text).strip():
            raise InputError(f"wanted holds {text!r}. Every code must be a text, such as 'INT.PETS.DOGS'.")
    if not texts:
        raise InputError(
            "No code is wanted. Pass at least one, such as 'PI.TRAVEL.*' or 'income_level=high'; of a segment only its "
            "INT and PI codes count, and with categories=run.categories() its content categories."
        )
    return list(dict.fromkeys(printable(text).strip() for text in texts))


def wanted_codes(
    texts: Iterable[str], seen: Mapping[Pair, str | None], vocabulary: Vocabulary | None = None
) -> list[WantedCode]:
    """Return the codes that texts ask for, each once, in the order of the texts, those of a wildcard by name.

    Texts are codes, or values with their field as in ``life_stage=student``; ``*`` stands for any characters,
    capitals do not matter. A wildcard stands for members of groups, not for groups; with a vocabulary for
    everything that it has, seen or not, and unknown codes are errors. A value without its field is wanted in every
    field that has it.
    """
    found: dict[str, WantedCode] = {}
    for text in texts:
        for wanted in _read(text, seen, vocabulary):
            found.setdefault(wanted.name, wanted)
    return list(found.values())


def holdings(
    codes: pd.DataFrame | None,
    wanted: Any,
    vocabulary: Vocabulary | None = None,
    categories: pd.DataFrame | None = None,
) -> Holdings:
    """Return which sites have which of the codes and content categories that are asked for.

    Categories stand with their taxonomy, as in ``content-v3=483``, by path, name or identifier, and after the
    codes. A site has a category if it has that or one below it.
    """
    if codes is not None or categories is None:
        _check_codes(codes)
    if not isinstance(categories, pd.DataFrame | None):
        raise InputError(f"categories is of type {type(categories).__name__}. Pass run.categories(), or leave it out.")
    texts = asked_for(wanted, vocabulary, categories=categories is not None)
    named = [text for text in texts if text.partition("=")[0].strip().casefold() in TAXONOMIES]
    if named and categories is None:
        raise InputError(f"{named[0]!r} is a content category. Pass categories=run.categories() too.")
    coded = [text for text in texts if text not in set(named)]
    if coded and codes is None:
        raise InputError(f"{coded[0]!r} is wanted, and there is no codes frame. Pass run.codes().")
    parts = [_of_codes(codes, coded, vocabulary)] if codes is not None and coded else []
    parts += [_of_categories(categories, named)] if categories is not None and named else []
    return parts[0] if len(parts) == 1 else _together(*parts)


def _check_codes(codes: Any) -> None:
    if not isinstance(codes, pd.DataFrame) or not {"target", "dimension", "code"} <= set(normal(codes).columns):
        raise InputError("codes is no codes frame: it needs the columns target, dimension and code. Pass run.codes().")


def _of_categories(categories: pd.DataFrame, texts: Iterable[str]) -> Holdings:
    items = list({item.name: item for item in map(_category, texts)}.values())
    parts = [Condition(str(item.dimension), "=", (item.name.partition("=")[2],)) for item in items]
    facts = facts_of(parts, None, categories)
    held = np.column_stack([facts.evidence(part).holds for part in parts])
    some = np.flatnonzero(held.any(axis=1))
    return Holdings(items, facts.sites[some].tolist(), sparse.csr_array(held[some].astype(np.float64)))


def _category(text: str) -> WantedCode:
    kind, _, named = (part.strip() for part in text.partition("="))
    name: TaxonomyName = "content-v3" if kind.casefold() == "content-v3" else "content-v2"
    taxonomy, path = Taxonomy.load(name), category_path(named)
    if path in {"*", ""}:
        raise InputError(f"{text!r} names no category. Name each that is wanted, as in '{name}=Sports > Golf'.")
    found = categories_named(taxonomy, path)
    if len(found) > 1:
        listed = "; ".join(category.path for category in found)
        raise InputError(f"{text!r} stands in several places: {listed}. Write the whole path.")
    if not found:
        near = tuple(category.path for category in taxonomy.search(path, 3))
        raise UnknownCodeError(named, among=f"taxonomy '{name}'", nearest=near)
    category = found[0]
    top = (*taxonomy.ancestors(category.id), category)[0]
    return WantedCode(f"{name}={category.path}", name, category.id, category.name, top.id, top.name, ())


def _together(one: Holdings, two: Holdings) -> Holdings:
    """Return what the sites of both have."""
    sites = sorted({*one.sites, *two.sites})
    place = {site: at for at, site in enumerate(sites)}
    tables = []
    for part in (one, two):
        size = len(part.sites)
        rows = np.array([place[site] for site in part.sites], dtype=np.int64)
        moved = sparse.csr_array((np.ones(size), (rows, np.arange(size))), shape=(len(sites), size))
        tables.append(moved @ part.table)
    table = sparse.csr_array(sparse.hstack(tables, format="csr"))
    table.sort_indices()
    return Holdings([*one.items, *two.items], sites, table)


def _of_codes(codes: pd.DataFrame, texts: Iterable[str], vocabulary: Vocabulary | None) -> Holdings:
    codes = normal(codes)
    dimension = codes["dimension"]
    if not isinstance(dimension.dtype, pd.CategoricalDtype):
        dimension = dimension.astype("category")
    codes_of, names = pd.factorize(codes["code"])
    # Failures are marked, not taken out: cutting texts takes longer than numbering them.
    blank = (codes_of < 0) | dimension.isna().to_numpy()
    if "error" in codes.columns:
        blank |= codes["error"].notna().to_numpy()
    pairs = np.where(blank, -1, dimension.cat.codes.to_numpy(dtype=np.int64) * len(names) + codes_of)
    # Counted, not sorted: there are far fewer different codes than rows.
    present = np.flatnonzero(np.bincount(pairs[pairs >= 0], minlength=1))
    present = present[: len(present) if (pairs >= 0).any() else 0]
    kinds = dimension.cat.categories
    splits = (divmod(int(pair), len(names)) for pair in present)
    numbers = {(str(kinds[kind]), str(names[name])): kind * len(names) + name for kind, name in splits}
    items = wanted_codes(texts, _labels(codes, pairs, numbers), vocabulary)
    links = [(numbers[pair], column) for column, item in enumerate(items) for pair in item.seen]
    places, columns = (np.array(part, dtype=np.int64) for part in (zip(*links, strict=True) if links else ((), ())))
    # One row for each kind of pair, one column for each code: a pair may be a code and its group.
    size = len(kinds) * len(names) + 1
    means = sparse.csr_array((np.ones(places.size), (places, columns)), shape=(size, len(items)))
    is_wanted = np.zeros(size, dtype=bool)
    is_wanted[places] = True
    kept = is_wanted[pairs]  # the last place, of the pair -1, is never wanted
    named = [name for name in ("target", "normal") if name in codes.columns]
    sites, site_names = pd.factorize(site_of(codes.loc[kept, named]), sort=True)
    known = sites >= 0
    owners = sparse.csr_array(
        (np.ones(int(known.sum())), (sites[known], pairs[kept][known])), shape=(len(site_names), size)
    )
    table = sparse.csr_array(owners @ means)
    table.sort_indices()
    table.data[:] = 1
    return Holdings(items, list(map(str, site_names.tolist())), table)


def fits_text(pattern: str, text: str) -> bool:
    """Tell whether a text fits a pattern, in which ``*`` stands for any characters; capitals do not matter.

    Examples
    --------
    >>> fits_text("int.pets.*", "INT.PETS.DOGS"), fits_text("golf*", "Minigolf")
    (True, False)
    """
    parts = (re.escape(part) for part in pattern.casefold().split("*"))
    return re.fullmatch(".*".join(parts), text.casefold(), re.DOTALL) is not None


def _own_codes(own: Any, vocabulary: Vocabulary | None) -> Any:
    parameters = inspect.signature(own).parameters.values()
    needed = any(
        parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
        for parameter in parameters
    )
    if needed and vocabulary is None:
        raise InputError("The codes of this segment depend on the vocabulary. Pass vocabulary=client.filters().")
    return own(vocabulary) if vocabulary is not None and parameters else own()


def _read(text: str, seen: Mapping[Pair, str | None], vocabulary: Vocabulary | None) -> Iterator[WantedCode]:
    field, sign, value = (part.strip() for part in text.partition("="))
    if not sign:
        field, value = "", text
    elif field not in DIMENSIONS:
        raise UnknownCodeError(
            field,
            among="the dimensions of the codes frame",
            nearest=nearest_to(field, [*DIMENSIONS, *TAXONOMIES]),
            where=repr(text),
        )
    if _CODE.match(value):
        yield from _codes(value.upper(), seen, vocabulary)
    else:
        yield from _values(text, field, value, seen, vocabulary)


def _codes(pattern: str, seen: Mapping[Pair, str | None], vocabulary: Vocabulary | None) -> Iterator[WantedCode]:
    coded = [pair for pair in seen if pair[0] in CODED]
    names = [pattern]
    if "*" in pattern:
        known = {code for _, code in coded} | set(() if vocabulary is None else vocabulary.codes)
        members = (code for code in known if code.count(".") + 1 >= _PARTS_OF_MEMBER)
        names = sorted(code for code in members if fits_text(pattern, code)) or names
    for name in names:
        # Codes that were seen stay, even if this vocabulary does not have them any more.
        pairs = tuple(sorted(pair for pair in coded if pair[1] == name or pair[1].startswith(f"{name}.")))
        if vocabulary is not None and not pairs:
            vocabulary.check(name)
        known_code = None if vocabulary is None else vocabulary.codes.get(name)
        own = [seen[pair] for pair in pairs if pair[1] == name and seen[pair]]
        label = known_code.label if known_code else own[0] if own else words_of_code(name)
        kind, parts = name.split(".")[0], name.split(".")
        group = ".".join(parts[:2])
        dimension = "purchase_intent" if kind == "PI" else "interest" if group != name else "interest_group"
        known_group = None if vocabulary is None else vocabulary.codes.get(group)
        group_label = known_group.label if known_group else words_of_code(group)
        yield WantedCode(name, None if "*" in name else dimension, name, str(label), group, group_label, pairs)


def _values(
    text: str, field: str, value: str, seen: Mapping[Pair, str | None], vocabulary: Vocabulary | None
) -> Iterator[WantedCode]:
    fields = [field] if field else list(_FIELDS)
    labels: dict[Pair, str | None] = {}
    if vocabulary is not None:
        labels = {(name, key): label for name in fields for key, label in vocabulary.values.get(name, {}).items()}
    # What was seen is wanted; what only the vocabulary has, where its field is named.
    labels = {pair: label for pair, label in labels.items() if field or pair in seen} | {
        pair: labels.get(pair) or label for pair, label in seen.items() if pair[0] in fields
    }
    found = sorted(pair for pair in labels if fits_text(value, pair[1]))
    if not found and field and vocabulary is not None and field in vocabulary.values:
        vocabulary.check_value(field, value)
    for pair in found:
        yield WantedCode(
            "=".join(pair), *pair, str(labels[pair] or pair[1]), None, None, (pair,) if pair in seen else ()
        )
    if not found:
        yield WantedCode(text, field or None, value, value, None, None, ())


def _labels(rows: pd.DataFrame, pairs: Any, numbers: Mapping[Pair, int]) -> dict[Pair, str | None]:
    """Return one label for each pair, the first by name where a code came with several."""
    if "label" not in rows.columns:
        return dict.fromkeys(numbers)
    kinds, labels = pd.factorize(rows["label"], sort=True)
    least = np.full(max(numbers.values(), default=0) + 1, len(labels))
    known = (kinds >= 0) & (pairs >= 0)
    np.minimum.at(least, pairs[known], kinds[known])
    return {pair: str(labels[least[at]]) if least[at] < len(labels) else None for pair, at in numbers.items()}
