"""Choosing few sets that together hold many items: the arithmetic behind a plan of sites. Numbers only, no frames."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from toolkit.segments.solver import Programme, solved

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["Choice", "Problem", "choose", "harmonic", "in_order", "worth_keeping"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]

#: Up to so many sets, and so many items in all of them, the search for the best is quick enough to run unasked.
_SMALL_SETS: Final = 300
_SMALL_CELLS: Final = 3_000
#: Nodes of the search tree that is not asked for: a number beside the time, so that a slower machine gives the same
#: answer.
_NODES_UNASKED: Final = 100
#: Up to so many sets are compared with each other; above, only equal ones are found.
_COMPARED: Final = 4_000
_ROWS_AT_A_TIME: Final = 50_000
_PAIRS_AT_A_TIME: Final = 2_000_000
#: States of the greedy choice times sets that are looked at for a bound.
_BOUND_WORK: Final = 20_000_000
#: Items in all sets up to which a linear programme is quick enough for a bound.
_RELAXED_CELLS: Final = 20_000
_CUTS: Final = 20
_CLOSE: Final = 1e-9
#: How far a solver may miss a rule.
_MISSED: Final = 1e-6


@dataclass(frozen=True, eq=False)
class Problem:
    """Sets of items to choose from.

    Attributes
    ----------
    table : csr_array
        One row a set, one column an item, 1 where the set holds the item.
    costs : array of float
        Of each set, not negative.
    weights : array of float
        Of each item, above 0.
    budget : float or None
        The most that the chosen sets may cost together; None where every item has to be covered by the cheapest sets.
    """

    table: sparse.csr_array[Any, Any]
    costs: Floats
    weights: Floats
    budget: float | None = None

    @cached_property
    def columns(self) -> sparse.csc_array[Any]:
        """The table by items."""
        return self.table.tocsc()

    @property
    def is_unit(self) -> bool:
        """Whether all sets cost the same, and not nothing."""
        return self.costs.size > 0 and bool(self.costs.min() == self.costs.max() > 0)

    @property
    def whole_costs(self) -> bool:
        """Whether every cost is a whole number, so that the least cost is one too."""
        return bool((self.costs == np.round(self.costs)).all())

    def covered(self, chosen: Sequence[int]) -> float:
        """Return the weight of the items in the chosen sets."""
        held = np.unique(self.table[np.asarray(chosen, dtype=np.int64)].indices)
        return float(self.weights[held].sum())

    def spent(self, chosen: Sequence[int]) -> float:
        """Return what the chosen sets cost together."""
        return float(self.costs[np.asarray(chosen, dtype=np.int64)].sum())

    def affords(self, spent: Any) -> Any:
        """Tell whether sums are within the budget: sums of decimal fractions are not exact."""
        return spent <= np.inf if self.budget is None else spent <= self.budget + _CLOSE * max(1.0, self.budget)

    def better(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Tell whether one choice is better than another: it covers more, or as much for less."""
        more = self.covered(one) - self.covered(other)
        less = self.spent(other) - self.spent(one)
        close = _CLOSE * max(1.0, float(self.weights.sum()))
        return more > close or (more >= -close and less > _CLOSE * max(1.0, self.spent(other)))


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen sets.

    Attributes
    ----------
    chosen : list of int
        Rows of the table.
    method : {"exact", "greedy", "search"}
        ``search`` where an exact search was stopped with something better than the greedy choice.
    limit : float
        What is certain of the best: without a budget nothing costs less, with one nothing covers more weight.
    stopped : {"", "early", "late", "interrupted"}
        Whether an exact search ended before it was sure of the best: by itself, for want of time, or by an interrupt.
    """

    chosen: list[int]
    method: str
    limit: float
    stopped: str = ""


def harmonic(number: int) -> float:
    """Return 1 + 1/2 + … + 1/number.

    Examples
    --------
    >>> harmonic(3)
    1.8333333333333333
    """
    return float(sum(1 / part for part in range(1, number + 1)))


def worth_keeping(table: sparse.csr_array[Any, Any], costs: Floats) -> Integers:
    """Return the rows that no other row replaces: one that holds the same or more and costs no more.

    Of equal rows the first stays that costs least. Above 4,000 different rows only equal ones are looked for.
    """
    bits = _packed(table)
    order = np.argsort(costs, kind="stable")
    # Rows as one value each: numpy keeps the first of equal ones.
    values = np.ascontiguousarray(bits[order]).view(f"V{bits.shape[1] * bits.itemsize}").ravel()
    kept = np.sort(order[np.unique(values, return_index=True)[1]])
    if kept.size > _COMPARED:
        return kept
    bits, prices = bits[kept], costs[kept]
    replaced = np.zeros(kept.size, dtype=bool)
    step = max(1, _PAIRS_AT_A_TIME // max(1, kept.size))
    for start in range(0, kept.size, step):
        part = bits[start : start + step]
        lacking = np.zeros((len(part), kept.size), dtype=bool)
        for word in range(bits.shape[1]):
            lacking |= (part[:, word, None] & ~bits[None, :, word]) != 0
        replacing = ~lacking & (prices[None, :] <= prices[start : start + step, None])
        replacing[np.arange(len(part)), np.arange(start, start + len(part))] = False
        replaced[start : start + step] = replacing.any(axis=1)
    return kept[~replaced]


def choose(problem: Problem, *, exact: bool | None = None, seconds: float = 10) -> Choice:
    """Choose the cheapest sets that cover every item, or, within a budget, those that cover the most.

    Without a budget every item must be in a set. The best is searched for with `exact`, or by default where that is
    quick, for so many `seconds`; an interrupt ends the search too. Of equally good choices it is always the same; the
    earlier rows are preferred.
    """
    if not problem.table.nnz:
        return Choice([], "greedy" if exact is False else "exact", 0.0)
    found, limit = _greedy_cover(problem) if problem.budget is None else _greedy_within(problem)
    small = problem.table.shape[0] <= _SMALL_SETS and problem.table.nnz <= _SMALL_CELLS
    if exact is False or (exact is None and not small):
        return Choice(found, "greedy", _relaxed(problem, limit))
    if problem.budget is None and problem.spent(found) <= limit + _CLOSE * max(1.0, limit):
        return Choice(found, "exact", problem.spent(found))
    return _searched(problem, found, limit, None if exact else _NODES_UNASKED, seconds)


def in_order(problem: Problem, chosen: Collection[int]) -> list[int]:
    """Return chosen sets so that each adds the most for its cost after those before; what adds nothing is left out."""
    return _greedy(problem, among=np.asarray(sorted(chosen), dtype=np.int64))[0]


def _greedy(
    problem: Problem,
    *,
    among: Integers | None = None,
    first: int | None = None,
    limits: list[float] | None = None,
) -> tuple[list[int], Floats]:
    """Take the set that adds the most for its cost, again and again; return the sets, and the price of each item.

    `limits` takes what no choice exceeds, as far as that shows on the way.
    """
    table, columns, costs, weights = problem.table, problem.columns, problem.costs, problem.weights
    gains = table @ weights
    left = np.diff(table.indptr).astype(np.int64)
    prices = np.zeros(weights.size)
    is_open = np.ones(weights.size, dtype=bool)
    allowed = np.ones(costs.size, dtype=bool) if among is None else np.isin(np.arange(costs.size), among)
    free = costs == 0
    divisors = np.where(free, 1.0, costs)
    chosen: list[int] = []
    spent = reached = 0.0
    while True:
        usable = allowed & (left > 0) & problem.affords(spent + costs)
        done = not usable.any()
        if limits is not None and (done or not chosen or len(chosen) * costs.size <= _BOUND_WORK):
            limits.append(reached + _most_added(problem, gains))
        if done:
            return chosen, prices
        if first is not None and not chosen:
            pick = first
        else:
            # What costs nothing comes first, or its items would be paid for.
            pool = usable & free if (usable & free).any() else usable
            pick = int(np.argmax(np.where(pool, gains / divisors, -np.inf)))
        items = table.indices[table.indptr[pick] : table.indptr[pick + 1]]
        new = items[is_open[items]]
        is_open[new] = False
        prices[new] = costs[pick] / new.size
        for item in new:
            holders = columns.indices[columns.indptr[item] : columns.indptr[item + 1]]
            gains[holders] -= weights[item]
            left[holders] -= 1
        gains[left == 0] = 0.0  # what rounding left over
        chosen.append(pick)
        spent += float(costs[pick])
        reached += float(weights[new].sum())


def _greedy_cover(problem: Problem) -> tuple[list[int], float]:
    """Return the greedy choice, and what no choice can undercut.

    The prices at which the greedy choice covers the items, divided by how far any set's items are priced above its
    cost, solve the dual linear programme, and so are a lower bound of every cover (Chvátal 1979).
    """
    chosen, prices = _greedy(problem)
    paid = problem.costs > 0
    excess = float(((problem.table @ prices)[paid] / problem.costs[paid]).max(initial=0.0))
    limit = float(prices.sum()) / excess if excess else 0.0
    return chosen, _rounded(problem, limit)


def _greedy_within(problem: Problem) -> tuple[list[int], float]:
    """Return the better of the greedy choice and that which begins with the best single set, and what none exceeds.

    What a choice covers is at most what any other covers plus what each of its sets would add to that (Nemhauser et
    al. 1978); with costs, the sets that add the most for their cost, the last one in part.
    """
    limits: list[float] = []
    chosen, _ = _greedy(problem, limits=limits)
    if chosen and not problem.is_unit:
        usable = problem.affords(problem.costs)
        single = int(np.argmax(np.where(usable, problem.table @ problem.weights, -np.inf)))
        other, _ = _greedy(problem, first=single)
        chosen = other if problem.better(other, chosen) else chosen
    return chosen, _rounded(problem, min(*limits, float(problem.weights.sum())))


def _most_added(problem: Problem, gains: Floats) -> float:
    """Return what sets within the whole budget add at most, if nothing that one adds were in another."""
    usable = problem.affords(problem.costs) & (gains > 0)
    gains, costs = gains[usable], problem.costs[usable]
    free = float(gains[costs == 0].sum())
    gains, costs = gains[costs > 0], costs[costs > 0]
    order = np.argsort(-gains / costs, kind="stable")
    gains, costs = gains[order], costs[order]
    budget = float(problem.budget or 0)
    if problem.is_unit and costs.size:
        budget = np.floor(budget / costs[0] + _CLOSE) * costs[0]
    before = np.cumsum(costs) - costs
    return free + float((gains * np.clip((budget - before) / costs, 0, 1)).sum())


def _rounded(problem: Problem, limit: float) -> float:
    """Return a limit as the whole number that it is at least, or at most, where the best is one."""
    if problem.budget is None:
        return float(np.ceil(limit - _CLOSE * max(1.0, limit))) if problem.whole_costs else limit
    return float(np.floor(limit + _CLOSE * max(1.0, limit))) if (problem.weights == 1).all() else limit


def _relaxed(problem: Problem, limit: float) -> float:
    """Return the limit, or the closer one of sets that may be taken in part, where that is quickly found."""
    if not 0 < problem.table.nnz <= _RELAXED_CELLS:
        return limit
    objective, rules, scale = _programme(problem)
    result = milp(objective, bounds=Bounds(0, 1), constraints=rules)
    return limit if result.status else _closer(problem, limit, float(result.fun) / scale)


def _closer(problem: Problem, limit: float, best: float) -> float:
    """Return the limit, or what a solver says of the best objective if that is closer; it may be a hair off."""
    safe = best - _MISSED * max(1.0, abs(best))
    return max(limit, _rounded(problem, safe)) if problem.budget is None else min(limit, _rounded(problem, -safe))


def _programme(problem: Problem) -> tuple[Floats, list[LinearConstraint], float]:
    """Return the linear programme of a problem: objective, rules, and what the objective was multiplied by."""
    held = problem.columns.T.astype(np.float64)
    if problem.budget is None:
        scale = _scale(problem.costs)
        return problem.costs * scale, [LinearConstraint(held, lb=1)], scale
    scale = _scale(problem.weights)
    # An item counts, up to 1, as often as it is in a chosen set.
    counted = LinearConstraint(sparse.hstack([-held, sparse.eye_array(problem.weights.size)], format="csc"), ub=0)
    paid = LinearConstraint(np.append(problem.costs, 0 * problem.weights)[None, :], ub=problem.budget)
    return np.append(0 * problem.costs, -problem.weights * scale), [counted, paid], scale


def _searched(problem: Problem, found: list[int], limit: float, nodes: int | None, seconds: float) -> Choice:
    """Return the best choice by integer programming, or the best so far where the search has to stop."""
    until = time.monotonic() + seconds
    objective, rules, scale = _programme(problem)
    try:
        chosen, best, proven = _solved(problem, objective, rules, nodes, until)
    except KeyboardInterrupt:
        return Choice(found, "greedy", limit, "interrupted")
    is_better = chosen is not None and problem.better(chosen, found)
    found = chosen if chosen is not None and is_better else found
    if not proven:
        stopped = "late" if time.monotonic() >= until else "early"
        return Choice(found, "search" if is_better else "greedy", _closer(problem, limit, best / scale), stopped)
    if problem.budget is None:
        return Choice(found, "exact", problem.spent(found))
    # Of the choices that cover as much, a cheap one.
    least = problem.covered(found) * scale
    least -= 1 / 2 if (problem.weights == 1).all() else _CLOSE * least
    enough = LinearConstraint(-objective[None, :], lb=least)
    costs = np.append(problem.costs * _scale(problem.costs), 0 * problem.weights)
    try:
        chosen, _, _ = _solved(problem, costs, [*rules, enough], nodes, until)
    except KeyboardInterrupt:
        return Choice(found, "exact", problem.covered(found), "interrupted")
    found = chosen if chosen is not None and problem.better(chosen, found) else found
    return Choice(found, "exact", problem.covered(found))


def _solved(
    problem: Problem, objective: Floats, rules: list[LinearConstraint], nodes: int | None, until: float
) -> tuple[list[int] | None, float, bool]:
    """Return sets with the least objective, what is certain of the least, and whether the sets are known to have it."""
    sets = problem.costs.size
    whole = np.repeat([1, 0], [sets, objective.size - sets])
    for _ in range(_CUTS):
        solution = solved(Programme(objective, whole, rules, nodes), until)
        if solution.numbers is None:
            return None, solution.bound, False
        chosen = [int(row) for row in np.flatnonzero(solution.numbers[:sets] > 1 / 2)]
        if problem.affords(problem.spent(chosen)) and (problem.budget is not None or _covers_all(problem, chosen)):
            return chosen, solution.bound, solution.proven
        # The solver allows a rule to be missed by a hair: these sets are not to come back.
        again = np.zeros(objective.size)
        again[chosen] = 1
        rules = [*rules, LinearConstraint(again[None, :], ub=len(chosen) - 1)]
    return None, -np.inf, False


def _covers_all(problem: Problem, chosen: Sequence[int]) -> bool:
    return np.unique(problem.table[np.asarray(chosen, dtype=np.int64)].indices).size == problem.weights.size


def _scale(numbers: Floats) -> float:
    """Return the power of ten that brings the smallest number above 0 to between 1 and 10, as a solver likes it."""
    positive = numbers[numbers > 0]
    return float(10.0 ** -np.floor(np.log10(positive.min()))) if positive.size else 1.0


def _packed(table: sparse.csr_array[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the rows as bits, 64 to a number."""
    words = max(1, -(-table.shape[1] // 64))
    packed = np.zeros((table.shape[0], words * 8), dtype=np.uint8)
    for start in range(0, table.shape[0], _ROWS_AT_A_TIME):
        part = np.packbits(table[start : start + _ROWS_AT_A_TIME].toarray() != 0, axis=1)
        packed[start : start + len(part), : part.shape[1]] = part
    return packed.view(np.uint64)
