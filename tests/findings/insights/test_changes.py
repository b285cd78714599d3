"""What findings says of two runs: only of sites that were asked twice, and only of what both runs could have said."""

from __future__ import annotations

import pandas as pd
import pytest

from toolkit.findings import findings
from toolkit.findings.insights.changes import compared

SITES = [f"s{number:02}.example" for number in range(40)]


def used(having: dict[str, list[str]], sites: list[str] = SITES, failed: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return a technologies frame: who uses what; all others of the sites were answered, or have failed."""
    rows = [(site, name, "some", None) for name, users in having.items() for site in users]
    blank = [(site, None, None, "no answer" if site in failed else None) for site in sites]
    return pd.DataFrame(rows + blank, columns=["target", "technology", "category", "error"])


def changed(now: dict[str, pd.DataFrame], before: dict[str, pd.DataFrame]) -> pd.DataFrame:
    found = findings(now, before=before)
    return found[found["kind"] == "change"]


@pytest.fixture(autouse=True)
def _told(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every site of these frames has a row.
    monkeypatch.setattr("toolkit.frames.asked._warned", [True])


def test_a_change_is_told_by_the_sites_of_both_runs_and_not_by_who_came() -> None:
    others = [f"o{number:02}.example" for number in range(100)]
    before = used({"Klarna": [*SITES[:2], *others]}, [*SITES, *others])
    found = changed({"technologies": used({"Klarna": SITES[:16]})}, {"technologies": before})
    first = found[found["code"].eq("Klarna")].iloc[0]
    # Of the whole lists it went from 102 of 140 to 16 of 40, of which nobody stopped.
    assert first["sentence"] == (
        "More sites use Klarna than before: 16 of the 40 that were asked twice, and 2 before (14 began, none stopped)."
    )
    assert first[["with_code", "n", "other_with", "other_n"]].tolist() == [16, 40, 2, 40]
    assert first["effect"] == pytest.approx(14 / 40)


def test_what_one_run_was_never_asked_did_not_come() -> None:
    rows = [(site, "content-v2", "v2", "Old", 1) for site in SITES]
    before = pd.DataFrame(rows, columns=["target", "taxonomy", "id", "name", "tier"]).assign(level_1="Old", rank=1)
    more = before.assign(taxonomy="content-v3", id="v3", name="New", level_1="New")
    now = pd.concat([before, more], ignore_index=True)
    assert changed({"categories": now}, {"categories": before}).empty
    both = compared({"categories": now}, {"categories": before})
    assert set(both.rows["dimension"]) == {"content-v2"}
    assert both.left_out == ("content-v3: only the later run was answered with any",)


def test_answers_of_another_kind_of_question_are_not_held_against_each_other() -> None:
    rows = [(site, "content-v3", name, name, 1) for site in SITES for name in ("Travel", "Food")]
    full = pd.DataFrame(rows, columns=["target", "taxonomy", "id", "name", "tier"]).assign(level_1="Travel", rank=1)
    before, now = full.assign(endpoint="categorize_content"), full[::2].assign(endpoint="enrich")
    assert changed({"categories": now}, {"categories": before}).empty
    left_out = compared({"categories": now}, {"categories": before}).left_out
    assert left_out == ("content-v3: the runs asked it by different questions (categorize_content, then enrich)",)


def test_founding_years_do_not_change_because_a_list_is_cut_elsewhere() -> None:
    def founded(first: int) -> pd.DataFrame:
        years = [*range(1960, 2000), *range(first, first + 20)]
        names = [*SITES, *(f"n{first}-{number}.example" for number in range(20))]
        return pd.DataFrame({"target": names, "error": None, "country": None, "founded_year": years})

    found = changed({"companies": founded(1900)}, {"companies": founded(2005)})
    assert not found["dimension"].eq("founded_year").any()


def test_who_could_not_be_answered_this_time_did_not_leave_the_list() -> None:
    now = used({"Klarna": SITES[:9]}, SITES[:39], failed=SITES[30:39])
    found = changed({"technologies": now}, {"technologies": used({"Klarna": SITES[:9]})})
    assert found["sentence"].tolist() == ["The list itself changed: one went (s39.example); 39 sites are in both runs."]


def test_pages_of_few_domains_that_changed_together_prove_nothing() -> None:
    pages = [f"https://d{number // 20}.example/{number}" for number in range(80)]
    before, now = used({}, pages), used({"Klarna": pages[:60]}, pages)
    assert changed({"technologies": now}, {"technologies": before}).empty
    alone = used({"Klarna": SITES[:12]})
    assert len(changed({"technologies": alone}, {"technologies": used({})})) == 1


def test_flips_are_counted_where_both_runs_were_answered() -> None:
    before = used({"Klarna": SITES[:3], "Shopify": SITES[:3] + SITES[4:9]}, failed=SITES[3:4])
    now = used({"Klarna": SITES[1:6], "Matomo": ["new.example"]}, SITES[:39])
    found = compared({"technologies": now}, {"technologies": before}).flips.frame
    came = found[found["dimension"].eq("technology") & found["came"]]
    assert sorted(came["site"]) == ["s04.example", "s05.example"]
    assert sorted(found.loc[~found["came"] & found["code"].eq("Klarna"), "site"]) == ["s00.example"]
    assert found["code"].eq("Shopify").sum() == 8


def test_a_change_is_told_by_what_is_there() -> None:
    def priced(**shown: int) -> dict[str, pd.DataFrame]:
        codes = [code for code, sites in shown.items() for _ in range(sites)]
        return {"codes": pd.DataFrame({"target": SITES, "dimension": "price_signals", "code": codes})}

    few, many = priced(none=30, mid_range=10), priced(none=5, premium=10, mid_range=25)
    for now, before, begin in ((many, few, "More"), (few, many, "Fewer")):
        told = changed(now, before)["sentence"]
        assert told.str.startswith(f"{begin} sites show mid range prices than before").any()
        assert not told.str.contains("no prices").any()
