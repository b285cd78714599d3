"""Which sites to take, so that together they have the codes that a segment wants."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.frames.about import about, site_of
from toolkit.frames.foreign import normal
from toolkit.frames.records import CATEGORIZED
from toolkit.interface.checks import check_number, check_whole, is_number
from toolkit.interface.errors import InputError
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import counted, definition_table, percentage, printable
from toolkit.interface.words.labels import value_label
from toolkit.segments.cover import Choice, Problem, choose, harmonic, in_order, worth_keeping
from toolkit.segments.definition import Segment
from toolkit.segments.tree import conditions
from toolkit.segments.wanted import Holdings, fits_text, holdings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["SitePlan", "plan_sites"]

_SHOWN: Final = 20
_CLOSE: Final = 1e-9
#: What the greedy choice is sure of with costs that differ (Khuller, Moss & Naor 1999).
_LEAST_WITH_COSTS: Final = (1 - 1 / math.e) / 2
_SITES: Final = {
    "order": "int64",
    "site": "str",
    "adds": "str",
    "new": "int64",
    "covered": "int64",
    "share": "float64",
    "cost": "float64",
    "spent": "float64",
    "codes": "str",
    "has": "int64",
}


@dataclass(frozen=True, slots=True, eq=False)
class SitePlan:
    """Sites to take, and what each adds.

    Attributes
    ----------
    sites : DataFrame
        One row a site, that which adds most for its cost first: ``order`` (int64, from 1), ``site`` (str), ``adds``
        (str: labels of the codes that no site before has, joined by ``"; "``), ``new`` (int64: their number),
        ``covered`` (int64: codes covered so far), ``share`` (float64: of all wanted codes, by weight), ``cost`` and
        ``spent`` (float64: of the site, and so far), ``codes`` (str: as `adds`, codes instead of labels), ``has``
        (int64: wanted codes of the site, new or not).
    codes : DataFrame
        One row a wanted code: ``dimension, code, label, group, group_label`` (str; of a category its taxonomy,
        identifier and name, and those of the top category), ``with_code`` (int64: sites that have it), ``taken``
        (int64: those in the plan), ``first_site`` (str: the first of these, missing without one).
    missing : tuple of str
        Wanted codes that no site has.
    method : {"exact", "greedy", "search"}
        How the sites were chosen; ``search`` is an exact search that was stopped with something better than greedy.
    bound : str
        In words: how good the choice is, in general and for these sites.
    about : dict
        What a footer says: `toolkit.frames.about.about`, and ``wanted``, ``covered``, ``spent``, ``budget``, ``most``,
        ``method``, ``bound``, ``limit`` (without a budget no choice costs less, with one none covers more weight),
        ``gap`` (how far from the best it may be at most: without a budget the part by which it may cost too much, with
        one the part of the most that may be missing; 0 is the best), ``not_planned`` (content categories of a
        segment that was planned without a categories frame) and ``matching`` (of a segment: sites that match it, of
        which the plan is; else None).
    """

    sites: pd.DataFrame
    codes: pd.DataFrame
    missing: tuple[str, ...]
    method: str
    bound: str
    about: dict[str, Any]

    def __len__(self) -> int:
        return len(self.sites)

    def __repr__(self) -> str:
        return f"<SitePlan: {self._summary}, {self.method}>"

    def __str__(self) -> str:
        lines = [f"{self._summary}. {self.bound}"]
        lines += [f"{order:>4}  {site}: {adds}" for order, site, adds in list(self._rows())[:_SHOWN]]
        return "\n".join(printable(line) for line in [*lines, *self._notes()])

    def _repr_html_(self) -> str:
        rows: list[tuple[str, str | list[str]]] = [
            (f"{order}  {site}", adds) for order, site, adds in list(self._rows())[:_SHOWN]
        ]
        return definition_table(self._summary, rows, " ".join([*self._notes(), self.bound]))

    @property
    def _summary(self) -> str:
        number, covered, wanted = len(self.sites), self.about["covered"], self.about["wanted"]
        return f"{counted(number, 'site')} with {covered:,} of {counted(wanted, 'wanted code')}"

    def _rows(self) -> Iterable[tuple[int, str, str]]:
        return zip(self.sites["order"], self.sites["site"], self.sites["adds"], strict=True)

    def _notes(self) -> list[str]:
        left = len(self.sites) - _SHOWN
        notes = [f"{left:,} more in .sites."] if left > 0 else []
        if self.missing:
            more = f" and {len(self.missing) - _SHOWN:,} more" if len(self.missing) > _SHOWN else ""
            who = "No site" if self.about["matching"] is None else "No site that matches"
            notes.append(f"{who} has {', '.join(map(_label_of, self.missing[:_SHOWN]))}{more}.")
        if unplanned := self.about["not_planned"]:
            notes.append(f"Not planned are {', '.join(unplanned)}: pass categories=run.categories() too.")
        return notes


def _label_of(name: str) -> str:
    """Return a wanted code in words: by its last part, or a field with its value."""
    field, _, value = name.partition("=")
    return value_label(field, value) if value else words_of_code(name)


def plan_sites(
    codes: pd.DataFrame | None,
    wanted: Any,
    *,
    costs: Mapping[str, float] | pd.Series | None = None,
    budget: float | None = None,
    most: int | None = None,
    exact: bool | None = None,
    seconds: float = 10,
    weights: Mapping[str, float] | None = None,
    vocabulary: Vocabulary | None = None,
    categories: pd.DataFrame | None = None,
) -> SitePlan:
    """Choose the fewest or cheapest sites that together have all wanted codes, or the best within a budget.

    Codes that no site has are left out and named in `SitePlan.missing`. A site counts once, however many rows it has.

    Parameters
    ----------
    codes : DataFrame or None
        A codes frame, such as `run.codes()`; None if only content categories are wanted.
    wanted : str, iterable of str, or segment
        Codes, or values with their field as in ``life_stage=student``; ``*`` stands for any characters. A group is had
        by whoever has one of its members; a wildcard stands for members. With `categories` also content categories,
        each with its taxonomy, by path, name or identifier: ``content-v3=483``; one is had by whoever has it or one
        below it. Of a segment, the codes that help a site to match, and with `categories` the content categories; only
        sites that match it are taken, where the frames that decide it are passed.
    costs : mapping or Series, optional
        Cost of each site, not negative; by default every site costs 1.
    budget : float, optional
        The most that all chosen sites may cost. By default all codes are covered, whatever it costs.
    most : int, optional
        The most sites, instead of a budget; `costs` then only settles ties.
    exact : bool, optional
        True searches for the best choice; False takes the greedy one. By default the best where that is quick (up to
        some 300 sites that no other replaces).
    seconds : float
        How long to search for the best; what is found by then is returned, with how far from the best it may be in
        `SitePlan.bound` and ``about["gap"]``.
    weights : mapping, optional
        How much a code counts with a budget or `most`, by code or wildcard; a code's own entry comes before those of
        wildcards, and the longest of these first. By default 1. A category's own entry has its path or identifier.
    vocabulary : Vocabulary, optional
        Wildcards then stand for all its codes, seen or not, and unknown codes are errors.
    categories : DataFrame, optional
        A categories frame, such as `run.categories()`, if content categories are wanted.

    Returns
    -------
    SitePlan
        Of equally good sites the cheaper is taken, then the first by name.

    Raises
    ------
    InputError
        If a frame, what is wanted, a cost, a weight or a limit cannot be used.
    UnknownCodeError
        If a field or category is unknown, or a code is not in the vocabulary.
    KeyboardInterrupt
        If the search for the best is interrupted, at once; the exception has the best plan so far as ``.plan``.

    Notes
    -----
    Without a budget the greedy choice costs at most H(d) = 1 + 1/2 + … + 1/d times the least, d being the codes of the
    largest site (Chvátal 1979). With `most`, or equal costs, it covers at least 1 - (1 - 1/k)^k, so 1 - 1/e, of the
    most that k sites can (Nemhauser, Wolsey & Fisher 1978); with other costs the better of it and of a choice that
    begins with the best single site covers at least (1 - 1/e) / 2 (Khuller, Moss & Naor 1999).

    Examples
    --------
    >>> import pandas as pd
    >>> held = {"a.example": ["INT.PETS.DOGS", "INT.PETS.CATS"], "b.example": ["INT.PETS.CATS"]}
    >>> rows = [(site, "interest", code) for site, codes in held.items() for code in codes]
    >>> plan = plan_sites(pd.DataFrame(rows, columns=["target", "dimension", "code"]), "INT.PETS.*")
    >>> print(plan)
    1 site with 2 of 2 wanted codes. No choice of fewer sites covers every code that a site has: the search was exact.
       1  a.example: Cats; Dogs
    """
    limit = _limit(budget, most)
    if exact is not None and not isinstance(exact, bool):
        raise InputError(f"exact is {exact!r}. Pass True, False, or None to search for the best where that is quick.")
    if not is_number(seconds, 0) or seconds == 0:
        raise InputError(f"seconds is {seconds!r}. Pass a number above 0.")
    (codes_of, categories_of), matching = _of_matching(codes, wanted, categories)
    held = holdings(codes_of, wanted, vocabulary, categories_of)
    frames = [normal(frame) for frame in (codes, categories) if frame is not None]
    values = _weights(weights, held, limit)
    prices = _prices(costs, held, frames)
    # The cheaper first, then by name: of equally good sites the first is taken.
    order = np.lexsort((np.arange(prices.size), prices))
    paid = np.ones(prices.size) if most is not None else prices
    within = order if limit is None else order[paid[order] <= limit + _CLOSE * max(1.0, limit)]
    usable = np.array([count > 0 for count in held.counts], dtype=bool)
    table = held.table[within][:, np.flatnonzero(usable)]
    kept = worth_keeping(table, paid[within])
    problem = Problem(table[kept], paid[within][kept], values[usable], limit)
    choice = choose(problem, exact=exact, seconds=seconds)
    chosen = within[kept][in_order(problem, choice.chosen)]
    sites = _sites(held, chosen, prices, values)
    taken = _codes(held, chosen)
    way = _way(choice, seconds)
    is_priced, of_segment = costs is not None, matching is not None
    bound = _bound(problem, choice, way, most=most is not None, priced=is_priced, of_segment=of_segment)
    facts = {
        **about(*frames),
        "wanted": len(held.items),
        "covered": int((taken["taken"] > 0).sum()),
        "spent": float(prices[chosen].sum()),
        "budget": None if budget is None else float(budget),
        "most": None if most is None else int(most),
        "method": choice.method,
        "bound": bound,
        "limit": choice.limit,
        "gap": _gap(problem, choice),
        "not_planned": _not_planned(wanted, categories),
        "matching": matching,
    }
    for frame in (sites, taken):
        frame.attrs["about"] = facts
    plan = SitePlan(sites, taken, held.missing, choice.method, bound, facts)
    if choice.stopped == "interrupted":
        stop = KeyboardInterrupt(
            "The search for the best plan was interrupted. What was found so far is the exception's .plan."
        )
        stop.plan = plan  # type: ignore[attr-defined]  # the only way to hand it to whoever interrupted
        raise stop
    return plan


def _of_matching(
    codes: pd.DataFrame | None, wanted: Any, categories: pd.DataFrame | None
) -> tuple[tuple[pd.DataFrame | None, pd.DataFrame | None], int | None]:
    """Return what is planned over, of a segment the rows of the sites that match it, and how many these are.

    Where the frame is not there that decides who matches, nobody is left out.
    """
    given = [frame for frame in (codes, categories) if frame is not None]
    if not isinstance(wanted, Segment) or not all(isinstance(frame, pd.DataFrame) for frame in given):
        return (codes, categories), None
    asked = {condition.subject for condition in conditions(wanted.tree)}
    if (codes is None and asked.difference(CATEGORIZED)) or (categories is None and asked.intersection(CATEGORIZED)):
        return (codes, categories), None
    matching = wanted.sites(codes, categories)
    taken = [None if frame is None else frame[site_of(normal(frame)).isin(matching)] for frame in (codes, categories)]
    return (taken[0], taken[1]), len(matching)


def _not_planned(wanted: Any, categories: pd.DataFrame | None) -> list[str]:
    """Return the content categories of a segment that cannot be planned, as no frame says who has them."""
    own = getattr(wanted, "categories", None)
    return list(own()) if categories is None and callable(own) else []


def _limit(budget: Any, most: Any) -> float | None:
    if budget is not None and most is not None:
        raise InputError("Both budget and most are given. Give one: a sum of costs, or a number of sites.")
    if most is not None:
        check_whole(most, "most", 1, advice="Pass a number of sites from 1 on.")
    if budget is not None:
        check_number(budget, "budget", 0, advice="Pass a number from 0 on.")
    return float(budget) if budget is not None else None if most is None else float(most)


def _prices(costs: Any, held: Holdings, frames: Iterable[pd.DataFrame]) -> Any:
    if costs is None:
        return np.ones(len(held.sites))
    if not isinstance(costs, Mapping | pd.Series):
        raise InputError(f"costs is of type {type(costs).__name__}. Pass a mapping or Series of sites to costs.")
    if isinstance(costs, pd.Series) and not costs.index.is_unique:
        twice = costs.index[costs.index.duplicated()][0]
        raise InputError(f"costs has {twice!r} twice. Give each site one cost.")
    given = dict(costs.items())
    lacking = [site for site in held.sites if site not in given]
    if lacking:
        # A cost may stand with the target as it was asked for.
        asked = pd.concat([pd.DataFrame({"site": site_of(frame), "target": frame["target"]}) for frame in frames])
        for site, target in asked.drop_duplicates().itertuples(index=False):
            if target in given:
                given.setdefault(site, given[target])
        lacking = [site for site in lacking if site not in given]
    if lacking:
        named = ", ".join(lacking[:3]) + (f" and {len(lacking) - 3:,} more" if len(lacking) > 3 else "")  # noqa: PLR2004
        raise InputError(f"costs lacks {named}. Give every site with a wanted code a cost, 0 if it is free.")
    for site in held.sites:
        check_number(given[site], f"The cost of {site}", 0, advice="Pass a number from 0 on.")
    return np.array([float(given[site]) for site in held.sites])


def _weights(weights: Any, held: Holdings, limit: float | None) -> Any:
    values = np.ones(len(held.items))
    if weights is None:
        return values
    if limit is None:
        raise InputError("weights count only within a budget: without one, every code is covered. Add budget or most.")
    if not isinstance(weights, Mapping | pd.Series):
        raise InputError(f"weights is of type {type(weights).__name__}. Pass a mapping of codes to numbers.")
    given = dict(weights.items())
    # The longest pattern last, and a code's own entry after all patterns.
    for key in sorted(map(str, given), key=lambda text: ("*" not in text, len(text), text)):
        weight = given.get(key)
        if not is_number(weight, 0) or weight == 0:
            raise InputError(f"The weight of {key!r} is {weight!r}. Pass a number above 0.")
        fitting = [
            at
            for at, item in enumerate(held.items)
            if any(fits_text(key, name) for name in (item.name, item.code, f"{item.dimension}={item.code}"))
        ]
        if not fitting:
            raise InputError(f"The weight of {key!r} is for no wanted code. Check its spelling, or take it out.")
        values[fitting] = float(weight)  # type: ignore[arg-type]  # checked above
    return values


def _sites(held: Holdings, chosen: Any, prices: Any, values: Any) -> pd.DataFrame:
    covered = np.zeros(len(held.items), dtype=bool)
    rows: list[tuple[Any, ...]] = []
    spent = 0.0
    for order, site in enumerate(chosen, start=1):
        has = held.table.indices[held.table.indptr[site] : held.table.indptr[site + 1]]
        new = has[~covered[has]]
        covered[new] = True
        spent += float(prices[site])
        added = [held.items[at] for at in new]
        labels, names = "; ".join(item.label for item in added), "; ".join(item.name for item in added)
        share = float(values[covered].sum() / values.sum())
        rows.append(
            (order, held.sites[site], labels, new.size, covered.sum(), share, prices[site], spent, names, has.size)
        )
    return pd.DataFrame(rows, columns=list(_SITES)).astype(_SITES)


def _codes(held: Holdings, chosen: Any) -> pd.DataFrame:
    frame = held.frame()
    plan = held.table[chosen].tocsc()
    plan.sort_indices()
    frame["taken"] = np.diff(plan.indptr).astype(np.int64)
    first = [
        held.sites[chosen[plan.indices[start]]] if start < end else None
        for start, end in zip(plan.indptr[:-1], plan.indptr[1:], strict=True)
    ]
    frame["first_site"] = pd.Series(first, dtype="str", index=frame.index)
    return frame


def _gap(problem: Problem, choice: Choice) -> float:
    """Return how far from the best a choice may be: the part of it that may be too much, or of the most missing."""
    if problem.budget is None:
        spent = problem.spent(choice.chosen)
        if spent <= choice.limit + _CLOSE * max(1.0, choice.limit):
            return 0.0
        return spent / choice.limit - 1 if choice.limit else math.inf
    covered = problem.covered(choice.chosen)
    return 0.0 if covered >= choice.limit - _CLOSE * max(1.0, choice.limit) else 1 - covered / choice.limit


def _bound(problem: Problem, choice: Choice, way: str, *, most: bool, priced: bool, of_segment: bool) -> str:
    if not problem.weights.size:
        return f"No site{' that matches the segment' if of_segment else ''} has any of the wanted codes."
    if problem.budget is None:
        return _bound_of_cover(problem, choice, way, priced=priced)
    if not choice.chosen:
        return "The budget pays for no site that has a wanted code."
    return _bound_within(problem, choice, way, most=most)


def _bound_of_cover(problem: Problem, choice: Choice, way: str, *, priced: bool) -> str:
    spent, least = problem.spent(choice.chosen), choice.limit
    if choice.method == "exact":
        what = "cheaper choice of sites" if priced else "choice of fewer sites"
        return f"No {what} covers every code that a site has: the search was exact."
    largest = int(np.diff(problem.table.indptr).max())
    unit = "cost" if priced else "number of sites"
    sure = f"at most {harmonic(largest):.2f} times the least {unit}, H({largest}) (Chvátal 1979)"
    if spent <= least + _CLOSE * max(1.0, least):
        here = "it is the least there is"
    elif least:
        here = f"the least is {least:,.10g} or more, so this is at most {spent / least:.2f} times that"
    else:
        here = "no closer bound was found"
    return f"{way}: {sure}. For these sites: {here}."


def _bound_within(problem: Problem, choice: Choice, way: str, *, most: bool) -> str:
    covered, top = problem.covered(choice.chosen), choice.limit
    kind = "by weight" if bool((problem.weights != 1).any()) else "code" if round(top) == 1 else "codes"
    number = round(problem.budget or 0)
    limits = f"at most {counted(number, 'site')}" if most else "sites within the budget"
    if choice.method == "exact":
        return f"No choice of {limits} covers more: the search was exact."
    if problem.is_unit:
        number = max(1, math.floor((problem.budget or 0) / problem.costs[0] + _CLOSE))
        sure = f"{percentage(1 - (1 - 1 / number) ** number, 1)} of the most possible, 1 - (1 - 1/{number})^{number}"
        source = "Nemhauser, Wolsey & Fisher 1978"
    else:
        sure, source = (
            f"{percentage(_LEAST_WITH_COSTS, 1)} of the most possible, (1 - 1/e) / 2",
            "Khuller, Moss & Naor 1999",
        )
    if covered >= top - _CLOSE * max(1.0, top):
        here = "it is the most there is"
    else:
        here = (
            f"no choice of {limits} covers more than {top:,.6g} {kind}, so this is at least "
            f"{percentage(covered / top, 1)} of that"
        )
    return f"{way}: at least {sure} ({source}). For these sites: {here}."


def _way(choice: Choice, seconds: float) -> str:
    is_greedy = choice.method == "greedy"
    if not choice.stopped or (is_greedy and choice.stopped == "early"):
        return "Greedy choice"
    how = {"late": f"stopped after {seconds:g} seconds", "interrupted": "interrupted"}.get(
        choice.stopped, "stopped early"
    )
    return f"Search {how}, {'with nothing better' if is_greedy else 'better'} than the greedy choice"
