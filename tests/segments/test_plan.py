"""Plans of sites: the fewest, the cheapest, or the best within a budget, each with what it adds."""

import math
import re
import subprocess
import sys
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from cases import every
from hypothesis import given, settings
from hypothesis import strategies as st

import toolkit as tk
import toolkit.segments.solver
from toolkit.frames.typed import codes as codes_frame
from toolkit.interface.errors import InputError, UnknownCodeError
from toolkit.interface.vocabulary import Vocabulary
from toolkit.segments.definition import Segment
from toolkit.segments.plan import plan_sites

CODES = [f"INT.LETTERS.{letter}" for letter in "ABCDEFGH"]
SITES = [f"{name}.example" for name in ("ash", "birch", "cedar", "elm", "fir", "gum", "hazel")]


def held_by(held, dimension="interest"):
    """Return a codes frame of sites and the last parts of their codes."""
    rows = [
        (site, dimension, code if "." in code else f"INT.LETTERS.{code}") for site, has in held.items() for code in has
    ]
    return pd.DataFrame(rows, columns=["target", "dimension", "code"]).astype("str")


def letters(plan):
    return [text.replace("INT.LETTERS.", "") for text in plan.sites["codes"]]


def best_by_trying(held, costs, *, limit=None, weights=None):
    """Return the least cost of covering everything, or the most weight within a limit, from every choice of sites."""
    every = set().union(*held.values())
    weigh = weights or dict.fromkeys(every, 1)
    found = []
    for number in range(len(held) + 1):
        for chosen in combinations(held, number):
            covered = set().union(*(held[site] for site in chosen))
            spent = sum(costs[site] for site in chosen)
            if limit is None and covered == every:
                found.append(spent)
            elif limit is not None and spent <= limit:
                found.append(sum(weigh[code] for code in covered))
    return min(found) if limit is None else max(found)


held_sets = st.dictionaries(
    st.sampled_from(SITES), st.frozensets(st.sampled_from("ABCDEFGH"), min_size=1, max_size=5), min_size=1, max_size=7
)
few_costs = st.fixed_dictionaries({site: st.integers(0, 5) for site in SITES})
few_weights = st.fixed_dictionaries(dict.fromkeys("ABCDEFGH", st.integers(1, 4)))
often = settings(max_examples=60)


@often
@given(held_sets)
def test_no_fewer_sites_cover_all_codes(held):
    plan = plan_sites(held_by(held), "INT.*")
    assert plan.method == "exact"
    assert len(plan) == best_by_trying(held, dict.fromkeys(held, 1))
    assert set().union(*(held[site] for site in plan.sites["site"])) == set().union(*held.values())


@often
@given(held_sets, few_costs)
def test_no_other_sites_cover_all_codes_for_less(held, costs):
    plan = plan_sites(held_by(held), "INT.*", costs=costs)
    assert plan.about["spent"] == best_by_trying(held, costs)
    assert plan.sites["spent"].iloc[-1] == plan.about["spent"]


@often
@given(held_sets, st.integers(1, 4))
def test_no_other_sites_of_that_number_cover_more(held, most):
    plan = plan_sites(held_by(held), "INT.*", most=most)
    assert len(plan) <= most
    assert plan.about["covered"] == best_by_trying(held, dict.fromkeys(held, 1), limit=most)


@often
@given(held_sets, few_costs, few_weights, st.integers(0, 12))
def test_no_other_sites_within_the_budget_cover_more_weight(held, costs, weights, budget):
    plan = plan_sites(held_by(held), "INT.*", costs=costs, budget=budget, weights=_named(weights, held))
    covered = set().union(*(held[site] for site in plan.sites["site"]))
    assert plan.about["spent"] <= budget
    assert sum(weights[code] for code in covered) == best_by_trying(held, costs, limit=budget, weights=weights)


@often
@given(held_sets, few_costs)
def test_the_greedy_cover_keeps_its_bound_and_the_limit_is_true(held, costs):
    costs = {site: cost + 1 for site, cost in costs.items()}
    plan = plan_sites(held_by(held), "INT.*", costs=costs, exact=False)
    best = best_by_trying(held, costs)
    largest = max(map(len, held.values()))
    assert plan.method == "greedy"
    assert plan.about["limit"] <= best + 1e-9
    assert plan.about["spent"] <= sum(1 / part for part in range(1, largest + 1)) * best + 1e-9


@often
@given(held_sets, st.integers(1, 4))
def test_the_greedy_choice_of_some_sites_keeps_its_bound_and_the_limit_is_true(held, most):
    plan = plan_sites(held_by(held), "INT.*", most=most, exact=False)
    best = best_by_trying(held, dict.fromkeys(held, 1), limit=most)
    assert plan.about["limit"] >= best
    assert plan.about["covered"] >= (1 - (1 - 1 / most) ** most) * best - 1e-9


@often
@given(held_sets, few_costs, few_weights, st.integers(0, 12))
def test_the_greedy_choice_within_a_budget_keeps_its_bound_and_the_limit_is_true(held, costs, weights, budget):
    plan = plan_sites(held_by(held), "INT.*", costs=costs, budget=budget, weights=_named(weights, held), exact=False)
    best = best_by_trying(held, costs, limit=budget, weights=weights)
    covered = sum(weights[code] for code in set().union(*(held[site] for site in plan.sites["site"])))
    assert plan.about["limit"] >= best - 1e-9
    assert covered >= (1 - 1 / math.e) / 2 * best - 1e-9


def _named(weights, held):
    return {f"INT.LETTERS.{code}": weights[code] for code in set().union(*held.values())}


@often
@given(held_sets, few_costs, st.randoms(use_true_random=False), st.sampled_from([{}, {"most": 2}, {"budget": 5}]))
def test_the_order_of_rows_changes_nothing(held, costs, random, limits):
    frame = held_by(held)
    mixed = list(range(len(frame))) * 2
    random.shuffle(mixed)
    for exact in (True, False):
        one = plan_sites(frame, "INT.*", costs=costs, exact=exact, **limits)
        other = plan_sites(frame.iloc[mixed], "INT.*", costs=costs, exact=exact, **limits)
        pd.testing.assert_frame_equal(one.sites, other.sites)
        pd.testing.assert_frame_equal(one.codes, other.codes)
        assert (one.bound, one.missing) == (other.bound, other.missing)


@often
@given(held_sets, st.sampled_from([{}, {"most": 2}, {"budget": 3}, {"most": 2, "exact": False}]))
def test_the_columns_of_a_plan_agree_with_each_other(held, limits):
    plan = plan_sites(held_by(held), "INT.*", **limits)
    sites, known = plan.sites, set()
    for number, row in enumerate(sites.itertuples(), start=1):
        new = held[row.site] - known
        known |= new
        assert (row.order, row.new, row.covered, row.has) == (number, len(new), len(known), len(held[row.site]))
        assert row.codes == "; ".join(f"INT.LETTERS.{code}" for code in sorted(new))
        assert row.share == pytest.approx(len(known) / plan.about["wanted"])
    assert (sites["new"] > 0).all()
    assert set(plan.codes.loc[plan.codes["taken"] > 0, "code"]) == {f"INT.LETTERS.{code}" for code in known}
    assert plan.codes["first_site"].notna().tolist() == (plan.codes["taken"] > 0).tolist()


ROWS_AND_BLOCKS = {"block.example": "ABDE", "first.example": "ABC", "second.example": "DEF"}


def test_where_the_greedy_choice_needs_three_sites_two_are_found():
    # Own arithmetic: the block of four is largest, and leaves C and F to two more sites; the two rows have all six.
    greedy = plan_sites(held_by(ROWS_AND_BLOCKS), "INT.*", exact=False)
    best = plan_sites(held_by(ROWS_AND_BLOCKS), "INT.*")
    assert greedy.sites["site"].tolist() == ["block.example", "first.example", "second.example"]
    assert greedy.sites["new"].tolist() == [4, 1, 1]
    assert greedy.bound == (
        "Greedy choice: at most 2.08 times the least number of sites, H(4) (Chvátal 1979). "
        "For these sites: the least is 2 or more, so this is at most 1.50 times that."
    )
    assert best.sites["site"].tolist() == ["first.example", "second.example"]
    assert best.bound == "No choice of fewer sites covers every code that a site has: the search was exact."


def test_the_greedy_cover_can_be_as_bad_as_its_bound():
    # The family of Chvátal (1979) for three codes: single ones at 1, 1/2 and 1/3, and all of them for a little over 1.
    held = {"all.example": "ABC", "one.example": "A", "two.example": "B", "three.example": "C"}
    costs = {"all.example": 1.01, "one.example": 1, "two.example": 1 / 2, "three.example": 1 / 3}
    greedy = plan_sites(held_by(held), "INT.*", costs=costs, exact=False)
    assert greedy.about["spent"] == pytest.approx(11 / 6)
    assert greedy.sites["site"].tolist() == ["three.example", "two.example", "one.example"]
    assert greedy.about["limit"] <= 1.01
    assert "at most 1.83 times the least cost, H(3)" in greedy.bound
    assert plan_sites(held_by(held), "INT.*", costs=costs).sites["site"].tolist() == ["all.example"]


def test_a_small_bargain_does_not_push_out_the_best_site():
    # A code for 1, or nine for 10, with 10 to spend: the most for its cost alone would cover a single code.
    held = {"bargain.example": "A", "dear.example": "BCDEFGH"}
    plan = plan_sites(held_by(held), "INT.*", costs={"bargain.example": 1, "dear.example": 10}, budget=10, exact=False)
    assert plan.sites["site"].tolist() == ["dear.example"]
    assert "at least 31.6 % of the most possible, (1 - 1/e) / 2 (Khuller, Moss & Naor 1999)" in plan.bound


def test_the_bound_of_some_sites_names_their_number_and_what_is_certain():
    held = {"block.example": "ABDE", "first.example": "ABC", "second.example": "DEF"}
    plan = plan_sites(held_by(held), "INT.*", most=2, exact=False)
    assert plan.about["covered"] == 5
    assert "at least 75.0 % of the most possible, 1 - (1 - 1/2)^2 (Nemhauser, Wolsey & Fisher 1978)" in plan.bound
    assert re.search(r"no choice of at most 2 sites covers more than 6 codes, so this is at least 83\.3 %", plan.bound)
    exact = plan_sites(held_by(held), "INT.*", most=2)
    assert exact.about["covered"] == 6
    assert exact.bound == "No choice of at most 2 sites covers more: the search was exact."


def test_a_greedy_choice_that_is_certain_to_be_the_best_says_so():
    plan = plan_sites(held_by({"a.example": "AB", "b.example": "CD"}), "INT.*", exact=False)
    assert plan.bound.endswith("For these sites: it is the least there is.")


def hard(sites=400, codes=120):
    """Sites of which nobody knows quickly which are the fewest that have all codes."""
    held = np.random.default_rng(3).random((sites, codes)) < 0.06
    return held_by(
        {f"s{row}.example": [f"INT.N.C{code}" for code in np.flatnonzero(has)] for row, has in enumerate(held)}
    )


def test_a_search_that_is_stopped_says_how_good_its_choice_is():
    frame = hard()
    plan = plan_sites(frame, "INT.*", exact=True, seconds=0.5)
    assert plan.method in {"greedy", "search"}
    assert 1 < plan.about["limit"] < len(plan) <= len(plan_sites(frame, "INT.*", exact=False))
    assert plan.bound.startswith("Search stopped after 0.5 seconds, ")
    assert plan.bound.endswith(f"so this is at most {len(plan) / plan.about['limit']:.2f} times that.")
    assert plan.about["gap"] == pytest.approx(len(plan) / plan.about["limit"] - 1)
    assert plan.codes["taken"].min() >= 1


def test_a_search_within_a_number_of_sites_that_is_stopped_says_how_much_may_be_missing():
    plan = plan_sites(hard(), "INT.*", exact=True, most=9, seconds=0.5)
    assert plan.about["covered"] < plan.about["limit"] <= 120
    assert plan.about["gap"] == pytest.approx(1 - plan.about["covered"] / plan.about["limit"])
    assert plan.bound.startswith("Search stopped after 0.5 seconds, ")
    assert f"at least {100 * plan.about['covered'] / plan.about['limit']:.1f} % of that" in plan.bound


def test_what_is_proven_has_no_gap():
    assert plan_sites(held_by({"a.example": "AB", "b.example": "C"}), "INT.*", exact=True).about["gap"] == 0


def test_the_best_is_found_in_a_process_of_its_own_as_well_as_here(monkeypatch):
    frame = hard(60, 60)
    here = plan_sites(frame, "INT.*", exact=True, seconds=60)
    monkeypatch.setattr(toolkit.segments.solver, "_MOST_HERE", 0)
    apart = plan_sites(frame, "INT.*", exact=True, seconds=60)
    assert (here.method, apart.method) == ("exact", "exact")
    assert len(here) == len(apart)


@pytest.mark.parametrize("program", ["", "no-such-program", "/bin/false"])
def test_without_a_process_of_its_own_the_best_so_far_is_returned(monkeypatch, program):
    monkeypatch.setattr(toolkit.segments.solver.sys, "executable", program)
    plan = plan_sites(hard(), "INT.*", exact=True, seconds=5)
    assert plan.method in {"greedy", "search"}
    assert plan.about["limit"] < len(plan)


INTERRUPTED = """
import os, signal, subprocess, sys, threading, time
import pandas as pd
import toolkit.segments.solver as solver
from toolkit.segments import plan_sites

class Noticed(subprocess.Popen):
    def __init__(self, *given, **options):
        super().__init__(*given, **options)
        started.append(self)
        threading.Timer(0.3, interrupt).start()

def interrupt():
    started.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

started = []
solver.subprocess.Popen = Noticed
try:
    plan_sites(pd.read_pickle(sys.argv[1]), "INT.*", exact=True, seconds=500)
except KeyboardInterrupt as stop:
    process, sent = started
    print(len(stop.plan), stop.plan.about["limit"], process.poll() is not None, time.monotonic() - sent, sep="|")
    print(stop.plan.bound, stop, sep="|")
"""


def test_an_interrupt_ends_the_search_and_leaves_the_best_so_far(tmp_path):
    hard().to_pickle(tmp_path / "codes.pkl")
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path / "codes.pkl")],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    numbers, words = run.stdout.splitlines()
    sites, limit, is_gone, _ = numbers.split("|")
    assert int(sites) > float(limit) > 1
    assert is_gone == "True"
    bound, said = words.split("|")
    assert bound.startswith("Search interrupted, ")
    assert said == "The search for the best plan was interrupted. What was found so far is the exception's .plan."


@pytest.mark.parametrize("seconds", [0, -1, "5", None, True, math.nan])
def test_seconds_are_a_number_above_0(seconds):
    with pytest.raises(InputError, match=r"^seconds is .+ Pass a number above 0\.$"):
        plan_sites(held_by({"a.example": "AB"}), "INT.*", exact=True, seconds=seconds)


def test_of_equal_sites_the_first_by_name_is_taken():
    frame = held_by({"zebra.example": "AB", "ant.example": "AB", "bee.example": "AB"})
    for options in ({}, {"exact": False}, {"most": 1}, {"budget": 1}):
        assert plan_sites(frame, "INT.*", **options).sites["site"].tolist() == ["ant.example"]


def test_of_sites_that_cover_as_much_the_cheaper_is_taken():
    frame = held_by({"ant.example": "AB", "zebra.example": "AB"})
    costs = {"ant.example": 2.5, "zebra.example": 1.5}
    for options in ({}, {"exact": False}, {"most": 1}, {"budget": 5}):
        plan = plan_sites(frame, "INT.*", costs=costs, **options)
        assert plan.sites[["site", "cost"]].values.tolist() == [["zebra.example", 1.5]]


def test_no_more_is_spent_than_the_same_codes_need():
    held = {"all.example": "ABC", "one.example": "AB", "two.example": "BC"}
    plan = plan_sites(held_by(held), "INT.*", costs={"all.example": 9, "one.example": 2, "two.example": 2}, budget=10)
    assert plan.about["spent"] == 4


def test_sums_of_decimal_fractions_fit_the_budget_that_they_are():
    held = {"a.example": "A", "b.example": "B", "c.example": "C"}
    for exact in (True, False):
        plan = plan_sites(held_by(held), "INT.*", costs=dict.fromkeys(held, 0.1), budget=0.3, exact=exact)
        assert len(plan) == 3


def test_what_no_site_has_is_missing_and_the_rest_is_covered():
    plan = plan_sites(
        held_by({"a.example": "AB"}), ["INT.LETTERS.A", "INT.LETTERS.Z", "PI.NONE.*", "life_stage=student"]
    )
    assert plan.missing == ("INT.LETTERS.Z", "PI.NONE.*", "life_stage=student")
    assert plan.sites["site"].tolist() == ["a.example"]
    assert plan.sites["share"].tolist() == [1 / 4]
    assert plan.codes["with_code"].tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("options", [{}, {"most": 3}, {"budget": 3}, {"exact": False}, {"budget": 2, "exact": False}])
def test_plans_of_no_one_and_many_sites_have_the_same_columns(options):
    frame = held_by({"a.example": "AB", "b.example": "C"})
    plans = [plan_sites(frame, wanted, **options) for wanted in ("INT.LETTERS.Z", "INT.LETTERS.A", "INT.*")]
    plans.append(plan_sites(frame.iloc[:0], "INT.*", **options))
    assert [len(plan) for plan in plans] == [0, 1, 2, 0]
    for plan in plans:
        assert plan.sites.dtypes.astype(str).to_dict() == {
            "order": "int64", "site": "str", "adds": "str", "new": "int64", "covered": "int64", "share": "float64",
            "cost": "float64", "spent": "float64", "codes": "str", "has": "int64",
        }  # fmt: skip
        assert plan.codes.dtypes.astype(str).to_dict() == {
            "dimension": "str", "code": "str", "label": "str", "group": "str", "group_label": "str",
            "with_code": "int64", "taken": "int64", "first_site": "str",
        }  # fmt: skip
    assert plans[0].bound == plans[3].bound == "No site has any of the wanted codes."


def test_a_budget_that_pays_for_nothing_gives_an_empty_plan():
    plan = plan_sites(held_by({"a.example": "AB"}), "INT.*", costs={"a.example": 5}, budget=4)
    assert len(plan) == 0
    assert plan.missing == ()
    assert plan.codes["with_code"].tolist() == [1, 1]
    assert plan.bound == "The budget pays for no site that has a wanted code."


def test_a_group_is_had_by_whoever_has_one_of_its_members():
    frame = held_by({"a.example": ["PI.TRAVEL.HOTELS"], "b.example": ["PI.TRAVELLERS.X"]}, "purchase_intent")
    plan = plan_sites(frame, "PI.TRAVEL")
    assert plan.sites["site"].tolist() == ["a.example"]
    assert plan.codes[["dimension", "code", "with_code"]].values.tolist() == [["purchase_intent", "PI.TRAVEL", 1]]


def test_a_wildcard_stands_for_members_and_capitals_do_not_matter():
    frame = pd.concat(
        [held_by({"a.example": ["INT.PETS"]}, "interest_group"), held_by({"a.example": ["INT.PETS.DOGS"]})]
    )
    assert plan_sites(frame, "int.pets.*").codes["code"].tolist() == ["INT.PETS.DOGS"]
    assert plan_sites(frame, ["INT.PETS.DOGS", "int.pets.dogs"]).about["wanted"] == 1


def test_with_a_vocabulary_a_wildcard_stands_for_codes_that_nobody_has(vocabulary):
    frame = held_by({"a.example": ["INT.PETS.DOGS"]})
    plan = plan_sites(frame, "INT.PETS.*", vocabulary=vocabulary)
    assert plan.about["wanted"] == len(vocabulary.members("interest", "INT.PETS"))
    assert "INT.PETS.CATS" in plan.missing
    assert plan.codes.set_index("code").loc["INT.PETS.CATS", ["label", "group_label"]].tolist() == ["Cats", "Pets"]


def test_values_of_fields_are_wanted_by_field_or_wherever_they_stand():
    frame = pd.concat(
        [
            held_by({"a.example": ["x.student"]}, "life_stage"),
            held_by({"b.example": ["x.student"]}, "employment_status"),
        ]
    ).replace("x.student", "student")
    assert plan_sites(frame, "life_stage=Student").sites["codes"].tolist() == ["life_stage=student"]
    assert plan_sites(frame, "stud*").codes["dimension"].tolist() == ["employment_status", "life_stage"]
    assert plan_sites(frame, "life_stage=*").sites["site"].tolist() == ["a.example"]


def test_a_site_is_its_normal_form_and_failures_have_no_codes():
    frame = held_by({"https://A.example/": "A", "a.example": "B", "b.example": "AB"})
    frame["normal"] = frame["target"].map({"https://A.example/": "a.example"}).astype("str")
    frame["error"] = pd.Series([None, None, "no answer", "no answer"], dtype="str")
    plan = plan_sites(frame, "INT.*")
    assert plan.sites[["site", "has"]].values.tolist() == [["a.example", 2]]
    assert (plan.about["sites"], plan.about["failed"]) == (1, 1)


def test_a_cost_may_stand_with_the_target_as_it_was_asked_for():
    frame = held_by({"https://A.example/": "A"}).assign(normal="a.example")
    plan = plan_sites(frame, "INT.*", costs=pd.Series({"https://A.example/": 7}))
    assert plan.sites["cost"].tolist() == [7.0]


def test_weights_decide_what_is_covered_and_a_codes_own_comes_before_a_wildcards():
    frame = held_by({"a.example": "AB", "b.example": "C"})
    assert plan_sites(frame, "INT.*", most=1).sites["site"].tolist() == ["a.example"]
    plan = plan_sites(frame, "INT.*", most=1, weights={"INT.LETTERS.C": 5, "INT.LETTERS.*": 2, "*": 9})
    assert plan.sites[["site", "share"]].values.tolist() == [["b.example", 5 / 9]]


def test_a_segment_is_planned_by_the_codes_that_it_wants(client, vocabulary):
    names = ("torque-journal", "northgate-motors", "pawsome-companions", "scholarbridge")
    frame = codes_frame([client.segment(f"{name}.example") for name in names])
    before = frame.copy(deep=True)
    segment = Segment.parse("any(PI.AUTOMOTIVE_OWNERSHIP.*, INT.PETS.*) and not INT.EDUCATION.*", vocabulary)
    plan = plan_sites(frame, segment)
    assert set(plan.sites["site"]) >= {"pawsome-companions.example"}
    assert "scholarbridge.example" not in set(plan.sites["site"])
    assert plan.about["wanted"] == len(segment.codes(vocabulary))
    seen = frame.loc[frame["code"].isin(segment.codes(vocabulary)), "code"].nunique()
    assert plan.about["covered"] == seen > 2
    assert plan.about["vocabularies"] == [vocabulary.version]
    assert plan.sites.attrs["about"] == plan.about
    labels = dict(zip(frame["code"], frame["label"], strict=True))
    for row in plan.sites.itertuples():
        assert row.adds == "; ".join(labels[code] for code in row.codes.split("; "))
    pd.testing.assert_frame_equal(frame, before)


class NeedsVocabulary:
    def codes(self, vocabulary):
        return [code.code for code in vocabulary.members("interest", "INT.PETS")]


def test_whatever_has_codes_of_its_own_can_be_planned(vocabulary):
    frame = held_by({"a.example": ["INT.PETS.DOGS"]})
    assert len(plan_sites(frame, NeedsVocabulary(), vocabulary=vocabulary)) == 1
    with pytest.raises(InputError, match=r"Pass vocabulary=client\.filters\(\)"):
        plan_sites(frame, NeedsVocabulary())


FRAME = held_by({"a.example": "AB", "b.example": "C"})


@every(
    ("arguments", "message"),
    [
        ({"codes": FRAME[["target"]]}, "needs the columns target, dimension and code"),
        ({"codes": None}, "codes is no codes frame"),
        ({"wanted": []}, "No code is wanted"),
        ({"wanted": ["INT.A.B", None]}, "wanted holds None"),
        ({"wanted": 3}, "wanted is of type int"),
        ({"wanted": FRAME}, "wanted is of type DataFrame"),
        ({"most": 0}, "most is 0. Pass a number of sites from 1 on."),
        ({"most": 1.5}, "most is 1.5"),
        ({"most": True}, "most is True"),
        ({"budget": -1}, "budget is -1. Pass a number from 0 on."),
        ({"budget": math.nan}, "budget is nan"),
        ({"budget": "ten"}, "budget is 'ten'"),
        ({"budget": 1, "most": 1}, "Both budget and most are given"),
        ({"exact": "yes"}, "exact is 'yes'"),
        ({"costs": {"a.example": 1}}, "costs lacks b.example"),
        ({"costs": {"a.example": 1, "b.example": -1}}, "The cost of b.example is -1"),
        ({"costs": {"a.example": 1, "b.example": None}}, "The cost of b.example is None"),
        ({"costs": [1, 2]}, "costs is of type list"),
        ({"costs": pd.Series([1, 2], index=["a.example"] * 2)}, "costs has 'a.example' twice"),
        ({"weights": {"INT.LETTERS.A": 2}}, "Add budget or most"),
        ({"weights": {"INT.LETTERS.A": 0}, "most": 1}, "The weight of 'INT.LETTERS.A' is 0"),
        ({"weights": {"INT.LETTERS.Q": 1}, "most": 1}, "is for no wanted code"),
        ({"weights": 2, "most": 1}, "weights is of type int"),
        ({"vocabulary": "1.1"}, "vocabulary is of type str"),
    ],
)
def test_a_bad_argument_is_refused_in_words(arguments, message):
    with pytest.raises(InputError, match=re.escape(message)):
        plan_sites(**{"codes": FRAME, "wanted": "INT.*"} | arguments)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("INT.PETS.DOG", "'INT.PETS.DOG' is not in vocabulary 1. Nearest: INT.PETS.DOGS"),
        ("INT.PETZ.*", r"'INT.PETZ.\*' is not in vocabulary 1."),
        ("life_stag=student", "'life_stag' at 'life_stag=student' is not in the dimensions .* Nearest: life_stage"),
        ("income_level=midle", "'midle' is not in income_level of vocabulary 1. Nearest: middle"),
    ],
)
def test_an_unknown_code_names_the_nearest(wanted, message):
    known = Vocabulary.parse(
        {"vocab_version": "1", "interests": [{"code": "INT.PETS.DOGS"}], "income_bands": ["low", "middle"]}
    )
    with pytest.raises(UnknownCodeError, match=message):
        plan_sites(FRAME, wanted, vocabulary=known)


def test_the_display_shows_remote_texts_as_text():
    frame = held_by({"<script>alert(1)</script>": ["INT.A.B"]}).assign(label="<img src=x onerror=alert(1)>")
    plan = plan_sites(frame, ["INT.A.B", "<b>nothing</b>"])
    shown = plan._repr_html_()
    assert not re.search("<(script|img|b)>?[ >]", shown)
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown
    assert repr(plan) == "<SitePlan: 1 site with 1 of 2 wanted codes, exact>"


def test_a_long_plan_is_shown_in_part():
    frame = held_by({f"s{number:02}.example": [f"INT.N.C{number}"] for number in range(30)})
    plan = plan_sites(frame, "INT.*")
    assert len(plan) == 30
    for shown in (str(plan), plan._repr_html_()):
        assert "s19.example" in shown
        assert "s20.example" not in shown
        assert "10 more in .sites." in shown


def test_what_costs_nothing_is_taken_before_what_is_paid_for():
    held = {"free.example": "AB", "large.example": "ABC", "small.example": "C"}
    costs = {"free.example": 0, "large.example": 0.1, "small.example": 0.05}
    plan = plan_sites(held_by(held), "INT.*", costs=costs, exact=False)
    assert plan.sites["site"].tolist() == ["free.example", "small.example"]


# Content categories -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run():
    run = tk.sample_run()
    return {"codes": run.codes(), "categories": run.categories()}


@pytest.fixture(scope="module")
def interest(run):
    """An interest that some site has."""
    return run["codes"].query("dimension == 'interest'")["code"].iloc[0]


def below(run, path):
    """Return the sites that have a category of content-v3 or one below it, from the levels of the rows."""
    rows = run["categories"].query("taxonomy == 'content-v3' and error.isna()")
    levels = rows[["level_1", "level_2", "level_3", "level_4"]]
    paths = levels.apply(lambda row: " > ".join(row.dropna()), axis=1)
    return set(rows.loc[[f"{text} > ".startswith(f"{path} > ") for text in paths], "target"])


def test_categories_are_covered_by_sites_with_them_or_one_below_them(run):
    paths = ["Sports", "Pets", "Automotive", "Travel", "Food & Drink"]
    wanted = [f"content-v3={path}" for path in paths]
    plan = plan_sites(None, wanted, categories=run["categories"])
    assert plan.codes["with_code"].tolist() == [len(below(run, path)) for path in paths]
    assert set(plan.codes["dimension"]) == {"content-v3"}
    assert plan.codes["label"].tolist() == paths
    held = {}
    for path in paths:
        for site in below(run, path):
            held.setdefault(site, set()).add(path)
    assert plan.method == "exact"
    assert len(plan) == least_by_trying(held, len(plan))
    assert set().union(*(held[site] for site in plan.sites["site"])) == set(paths)


def least_by_trying(held, most):
    every = set().union(*held.values())
    different = set(map(frozenset, held.values()))
    return next(
        n for n in range(1, most + 1) if any(set().union(*some) == every for some in combinations(different, n))
    )


def test_a_category_may_be_named_by_path_name_or_identifier_in_any_spelling(run):
    plans = [
        plan_sites(run["codes"], text, categories=run["categories"])
        for text in ("content-v3=483", "CONTENT-V3 = sports", "content-v3=Sports > *", ["content-v3=483"] * 2)
    ]
    assert {tuple(plan.sites["codes"]) for plan in plans} == {("content-v3=Sports",)}


def test_categories_of_a_segment_are_covered_where_their_frame_is_passed(run, interest):
    segment = Segment(f'{interest} or content-v3 = "Sports" and not content-v3 = "Automotive"')
    both = plan_sites(run["codes"], segment, categories=run["categories"])
    assert both.codes["code"].tolist() == [interest, "483"]
    assert both.about["covered"] == 2
    assert set(both.sites["site"]) & below(run, "Sports")
    assert plan_sites(run["codes"], segment).codes["code"].tolist() == [interest]
    alone = plan_sites(None, Segment('content-v3 = "Sports"'), categories=run["categories"])
    assert alone.sites["site"].tolist() == [min(below(run, "Sports"))]


def test_categories_of_a_segment_that_are_not_planned_are_told(run):
    segment = Segment('INT.PETS.DOGS or content-v3 = "Sports"')
    plan = plan_sites(run["codes"], segment)
    told = "Not planned are content-v3=Sports: pass categories=run.categories() too."
    assert plan.about["not_planned"] == ["content-v3=Sports"]
    assert told in str(plan)
    assert told in plan._repr_html_()
    whole = plan_sites(run["codes"], segment, categories=run["categories"])
    assert (whole.about["not_planned"], "Not planned" in str(whole)) == ([], False)


def test_one_site_with_a_code_and_a_category_is_one_site(run):
    interests = run["codes"].query("dimension == 'interest'").set_index("target")["code"]
    topics = run["categories"].query("taxonomy == 'content-v3' and rank == 1").set_index("target")["level_1"]
    site = next(site for site in interests.index if site in topics.index)
    code, topic = interests[[site]].iloc[0], f"content-v3={topics[[site]].iloc[0]}"
    frames = {name: frame[frame["target"] == site] for name, frame in run.items()}
    plan = plan_sites(frames["codes"], [code, topic], categories=frames["categories"])
    assert plan.sites[["site", "codes"]].values.tolist() == [[site, f"{code}; {topic}"]]


def test_categories_have_costs_and_weights_like_codes(run):
    frame = run["categories"]
    prices = {site: 1 + place for place, site in enumerate(sorted(set(frame["target"]), reverse=True))}
    plan = plan_sites(None, "content-v3=Sports", categories=frame, costs=prices)
    assert plan.sites["site"].tolist() == [max(below(run, "Sports"))]
    wanted = ["content-v3=Sports", "content-v3=Pets", "content-v3=Automotive"]
    for key in ("content-v3=483", "content-v3=Sports", "483"):
        best = plan_sites(None, wanted, categories=frame, most=1, weights={"content-v3=*": 1, key: 9})
        assert best.sites["site"].iloc[0] in below(run, "Sports")


def test_a_category_that_no_site_has_is_missing(run, interest):
    categorized = set(run["categories"].query("taxonomy == 'content-v3'")["target"])
    frame = run["categories"][run["categories"]["target"] == min(categorized - below(run, "Sports"))]
    plan = plan_sites(None, ["content-v3=Sports"], categories=frame)
    assert (len(plan), plan.missing) == (0, ("content-v3=Sports",))
    mixed = plan_sites(run["codes"], ["content-v3=Sports", interest], categories=frame)
    assert mixed.missing == ("content-v3=Sports",)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("content-v3=*", "names no category. Name each that is wanted, as in 'content-v3=Sports > Golf'."),
        ("content-v3=", "names no category."),
        ("content-v3=Sprots", "'Sprots' is not in taxonomy 'content-v3'. Nearest: Sports"),
        ("INT.PETS.DOGS", "'INT.PETS.DOGS' is wanted, and there is no codes frame. Pass run.codes()."),
        (Segment("income_level = high"), "of a segment only its INT and PI codes count"),
    ],
)
def test_what_names_no_category_is_refused(run, wanted, message):
    with pytest.raises(InputError, match=re.escape(message)):
        plan_sites(None, wanted, categories=run["categories"])


def test_a_taxonomy_that_is_spelt_wrong_is_told_its_nearest(run):
    with pytest.raises(UnknownCodeError, match=r"'contentv3' at 'contentv3=Sports' .* Nearest: content-v3, "):
        plan_sites(run["codes"], "contentv3=Sports", categories=run["categories"])


@pytest.mark.parametrize("wanted", ["content-v3=Sports", Segment('content-v3 = "Sports"')])
def test_wanted_categories_need_their_frame(run, wanted):
    with pytest.raises(InputError, match=r"Pass categories=run\.categories\(\) too\."):
        plan_sites(run["codes"], wanted)
    with pytest.raises(InputError, match=r"categories is of type list\. Pass run\.categories\(\), or leave it out\."):
        plan_sites(run["codes"], wanted, categories=[1])
