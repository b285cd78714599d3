"""What a report says of an earlier run: what changed and is real, what moved the shares, and how much was noise."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from tests.benchmarks.validity import report_changes as simulated
from toolkit import sample_run
from toolkit.findings import findings
from toolkit.reports.contents import MOST_ROWS
from toolkit.reports.frames import Frames
from toolkit.reports.parts.changes import changes, lines

SITES = [f"s{number:02}.example" for number in range(40)]
WORDS = ("Matomo", "Plausible", "Hotjar", "Stripe", "Adyen", "Mollie", "Magento", "Drupal", "Typo3", "Joomla", "Ghost")


@pytest.fixture(autouse=True)
def _told(monkeypatch):
    # Every site of these frames has a row.
    monkeypatch.setattr("toolkit.frames.asked._warned", [True])


def read(used, sites=SITES, *, at="2026-10-01", failed=()):
    """Return the frames of a run over some sites: who uses what; the others were answered, or have failed."""
    rows = [(site, name, "some", None) for name, users in used.items() for site in users if site in sites]
    rows += [(site, None, None, "no answer" if site in failed else None) for site in sites]
    table = pd.DataFrame(rows, columns=["target", "technology", "category", "error"])
    table = table[table["technology"].isna() | ~table["target"].isin(failed)]
    return Frames({"technologies": table.assign(fetched_at=pd.Timestamp(at, tz="UTC"))}, {})


def told(now, then):
    found = findings(now.given, before=then.given)
    return changes(now, then, found), lines(now, then, found)


def noisy(seed):
    chance = np.random.default_rng(seed)
    return {word: [site for site in SITES if chance.random() < 0.4] for word in WORDS}


def numbers(text):
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)]


def test_a_planted_change_is_a_part_with_its_table_and_chart():
    then, now = noisy(1) | {"Klarna": SITES[:2]}, noisy(2) | {"Klarna": SITES[:16]}
    parts, said = told(read(now, at="2026-11-22"), read(then))
    part = parts[0]
    assert part.title == (
        "More sites use Klarna than before: 16 of the 40 that were asked twice, and 2 before (14 began, none stopped)."
    )
    assert (part.of, part.name, part.certainty, part.basis) == ("changes", "Klarna", "clear", "measured")
    assert part.sites == tuple(SITES[2:16])
    assert part.text == ("Began: s02.example, s03.example, s04.example and 11 more.",)
    assert part.footer.endswith("40 sites answered in both runs · 1 October 2026 and 22 November 2026")
    row = part.table.frame.iloc[0]
    assert set(numbers(part.title)) <= set(row[["same_sites", "same_before", "same_after", "gained"]])
    assert [column.name for column in part.table.columns][:6] == [
        "label",
        "same_sites",
        "same_before",
        "same_after",
        "gained",
        "lost",
    ]
    chart = part.chart
    assert (chart.kind, [series.label for series in chart.series]) == ("slope", ["1 October 2026", "22 November 2026"])
    assert len(chart.frame) == MOST_ROWS == 1 + len(WORDS)
    assert chart.frame.loc[chart.frame["is_proven"].astype(bool), "label"].tolist() == ["Klarna"]
    assert chart.frame.loc[0, ["then", "now"]].tolist() == [2 / 40, 16 / 40]
    assert any("No other value changed beyond noise" in line for line in said)


def test_a_loss_is_told_as_one_with_the_sites_that_stopped():
    part = told(read({"Klarna": SITES[3:5]}), read({"Klarna": SITES[:20]}))[0][0]
    assert part.title.startswith("Fewer sites use Klarna than before: 2 of the 40")
    assert set(part.sites) == {*SITES[:3], *SITES[5:20]}
    assert part.text[0].startswith("Stopped: ")


def test_noise_is_a_line_and_never_a_part():
    parts, said = told(read(noisy(2)), read(noisy(1)))
    assert parts == ()
    flips = next(line for line in said if "values flipped" in line)
    came = sum(len(set(noisy(2)[word]) - set(noisy(1)[word])) for word in WORDS)
    assert f"{came} came" in flips
    assert "A repeat without any change would show about" in flips
    assert any(line.startswith("No value changed beyond noise") for line in said)


@pytest.mark.parametrize("same", ["equal", "itself"])
def test_of_identical_runs_one_line_says_that_nothing_changed(same):
    now = read(noisy(1))
    then = now if same == "itself" else read(noisy(1), at="2026-09-01")
    assert told(now, then) == (
        (),
        ("Nothing changed: all 40 sites that were asked twice have every value that they had.",),
    )


def test_what_other_sites_on_the_list_did_is_told_apart_from_what_the_same_sites_did():
    others = [f"o{number:02}.example" for number in range(20)]
    then = read({"Klarna": SITES[:4], "Matomo": SITES[:20]})
    now = read({"Klarna": [*SITES[:4], *others], "Matomo": SITES[:20]}, [*SITES[:36], *others])
    parts, said = told(now, then)
    (split,) = parts
    assert not split.certainty
    assert split.is_appendix
    assert split.title == (
        "Sites that use Klarna moved most: from 10\N{NO-BREAK SPACE}% to 43\N{NO-BREAK SPACE}% of the list, +33 points "
        "by other sites on it and 0 by the same sites."
    )
    assert split.text[0] == "20 sites came and 4 sites went; 36 sites answered both times."
    assert said[0] == split.text[0]
    rows = split.table.frame.set_index("label")
    klarna = rows.loc["use Klarna"]
    assert klarna["verdict"] == "the list"
    whole = rows[["list_changed", "sites_changed", "vocabulary_changed"]].sum(axis=1)
    assert np.allclose(whole.astype(float), rows["change"].astype(float))


def test_a_code_that_one_vocabulary_lacks_is_the_vocabulary_s():
    def spoken(version, codes):
        rows = [
            (site, "interest", code, f"{code.capitalize()} things", version)
            for code, sites in codes.items()
            for site in sites
        ]
        frame = pd.DataFrame(rows, columns=["target", "dimension", "code", "label", "vocab_version"])
        blank = pd.DataFrame({"target": SITES, "vocab_version": version})
        return Frames({"codes": pd.concat([frame, blank], ignore_index=True)}, {})

    then = spoken("1.0", {"OLD": SITES[:15], "BOTH": SITES[:10]})
    now = spoken("1.1", {"NEW": SITES[:18], "BOTH": SITES[:10]})
    parts, said = told(now, then)
    (split,) = parts
    verdicts = dict(zip(split.table.frame["label"], split.table.frame["verdict"], strict=True))
    assert verdicts == {
        "reach people interested in New things": "new in the vocabulary",
        "reach people interested in Old things": "gone from the vocabulary",
    }
    assert split.title.endswith("as only the later run knows the value.")
    assert any("vocabulary is another one: 1.0 before, 1.1 now. 2 values" in line for line in said)


def test_without_a_site_in_both_runs_nothing_is_said_of_changes():
    now, then = read({"Klarna": SITES[:20]}, SITES[:20]), read({}, SITES[20:])
    parts, said = told(now, then)
    assert parts == ()
    assert said == (
        "No site was answered in both runs, so it cannot be said what changed at sites: the lists are others.",
    )


def test_of_one_site_in_both_runs_it_is_said_that_it_is_too_few():
    now, then = read({"Klarna": SITES[:21]}, SITES[:21]), read({}, SITES[20:])
    parts, said = told(now, then)
    assert parts == ()
    assert said[0] == "Only 1 site was answered in both runs: with fewer than 8 no change can be told from noise."


def test_an_earlier_run_that_failed_for_most_leaves_those_that_were_answered_twice():
    then = read({}, failed=SITES[12:])
    parts, said = told(read({"Klarna": SITES}), then)
    assert parts[0].title.startswith("More sites use Klarna than before: 12 of the 12 that were asked twice, and none")
    assert said[0] == "28 sites had no answer before; 12 sites answered both times."


def test_runs_that_asked_other_questions_cannot_be_compared():
    pages = pd.DataFrame({"target": SITES, "dimension": "persona", "code": "Cook", "label": "Cook"})
    parts, said = told(read({"Klarna": SITES}), Frames({"codes": pages}, {}))
    assert parts == ()
    assert said[0] == "The two runs were asked nothing in the same way, so it cannot be said what changed."
    assert "technologies: only the later run asked for them" in said[1]


def test_a_service_that_says_more_of_everything_is_no_change_of_a_value():
    then = {word: SITES[place::8] for place, word in enumerate(WORDS)}
    now = {word: SITES[place % 2 :: 2] for place, word in enumerate(WORDS)}
    parts, said = told(read(now), read(then))
    assert parts == ()
    assert any("the service, or most sites, say more now" in line for line in said)
    assert any("moved one way, but no more than all do" in line for line in said)


def test_beside_a_service_that_says_more_of_everything_a_change_is_told_with_that_doubt():
    then = {word: SITES[place::8] for place, word in enumerate(WORDS)}
    now = {word: sorted({*SITES[place::8], *SITES[place::5]}) for place, word in enumerate(WORDS)}
    parts, _ = told(read(now | {"Klarna": SITES[20:]}), read(then))
    assert [part.name for part in parts if part.certainty] == ["Klarna"]
    assert parts[0].certainty == "likely"
    assert "more values came than went at all other sites" in parts[0].against


def test_the_bundled_run_beside_itself_with_a_change_of_audience_is_told_by_its_codes():
    run = sample_run()
    codes = run.codes()
    shown = codes[codes["dimension"].eq("price_signals") & codes["code"].eq("none")]
    gone = shown.index[:14]
    now = Frames.of(run)
    then = Frames(now.given | {"codes": codes.drop(index=gone)}, {})
    parts, _ = told(now, then)
    assert parts[0].title == (
        f"More sites show no prices than before: {len(shown)} of the 62 that were asked twice, and {len(shown) - 14} "
        "before (14 began, none stopped)."
    )


@pytest.mark.parametrize("noise", simulated.NOISE[:-1])
def test_readings_without_a_change_are_claimed_to_differ_no_more_often_than_is_said(noise):
    # Sixty in all; of one in a hundred, one would be no wonder.
    assert sum(outcome.claims > 0 for outcome in simulated.null_runs(7, 10, noise)) == 0


def test_readings_of_each_site_that_changed_places_by_chance_are_never_told_to_differ():
    chance = np.random.default_rng(11)
    then, now = noisy(3) | {"Klarna": SITES[:2]}, noisy(4) | {"Klarna": SITES[:16]}
    for _ in range(6):
        turned = {site for site in SITES if chance.random() < 0.5}
        first, second = (
            {word: [site for site in SITES if site in (two if site in turned else one)[word]] for word in one}
            for one, two in ((then, now), (now, then))
        )
        parts, said = told(read(second), read(first))
        assert parts == ()
        assert any(line.startswith("No value changed beyond noise") for line in said)


def test_the_same_frames_give_the_same_parts():
    now, then = read(noisy(2) | {"Klarna": SITES[:16]}), read(noisy(1))
    first, second = told(now, then), told(now, then)
    assert first[1] == second[1]
    assert [(part.title, part.table.rows()) for part in first[0]] == [
        (part.title, part.table.rows()) for part in second[0]
    ]
