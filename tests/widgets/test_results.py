"""The first screen of a run that ended: the answer, headline findings, what the report tells, and tabs."""

import asyncio
import re
from dataclasses import replace
from functools import cache
from html import unescape

import pandas as pd
import pytest

import toolkit as tk
from toolkit.interface.errors import InputError
from toolkit.reports.document import report_of
from toolkit.reports.story import story_of
from toolkit.service.samples import sample_sites
from toolkit.widgets import Compare, CoverageExplorer, RunPanel
from toolkit.widgets.outcome.every import findings_table
from toolkit.widgets.outcome.wishes import Wish, Wishes

HOSTS = [site.host for site in sample_sites()][:40]
NOWHERE = "nowhere.example"


@pytest.fixture(scope="module")
def panel():
    """A panel after a run of sites with a column of the user's, one of which is not there."""
    table = pd.DataFrame({"url": [*HOSTS, NOWHERE], "Group": ["ours", "theirs"] * 20 + ["ours"]})
    with tk.Client() as client:
        made = RunPanel(client, table, ["segment", "categorize_content"])
        made.start()
        yield made
        made.close()


@pytest.fixture
def shown(panel):
    """What is shown of it, with nothing added to the report."""
    panel._shown._wishes.clear()
    return panel._shown


def text_of(html):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL))).strip()


def go_to(panel, name):
    """Open a tab as in a kernel."""

    async def cell():
        panel._shown._tabs.go_to(name)
        await asyncio.gather(*panel._beside.tasks)

    asyncio.run(cell())
    return panel._shown._tabs.opened


# Headlines ------------------------------------------------------------------------------------------------------------


def test_screen_and_report_tell_the_same(panel, shown):
    report = report_of(panel.run)
    assert text_of(shown._headlines._answer.value) == " ".join(report.answer.split())
    told = [text_of(card.children[0].value) for card in shown._headlines.cards]
    assert len(told) == len(report.proofs) == 3
    for text, proof in zip(told, report.proofs, strict=True):
        assert " ".join(proof.title.split()) in text
        assert proof.basis in text


def test_every_headline_has_a_picture_and_a_button(shown):
    for card in shown._headlines.cards:
        html, button = card.children
        assert '<svg class="plot"' in html.value
        assert button.description == "Add to report"


def test_findings_are_added_in_order_up_to_three_and_taken_out(shown):
    first, second, third = (card.children[1] for card in shown._headlines.cards)
    second.value = True
    first.value = True
    assert shown._report.options["proofs"] == [second._sentence, first._sentence]
    assert (second.description, third.description) == ("In the report", "Add to report")
    assert "2 findings of your choice" in shown._headlines._line.value
    third.value = True
    other = Wish(shown._wishes, "Another one.")
    other.value = True
    assert other.value is False
    assert "Take one out" in shown._headlines._line.value
    second.value = False
    assert shown._report.options["proofs"] == [first._sentence, third._sentence]
    shown._wishes.clear()
    assert shown._report.options["proofs"] is None


def test_a_wish_that_is_closed_follows_no_longer():
    wishes = Wishes()
    one = Wish(wishes, "A.")
    one.close()
    one.close()
    wishes.add("A.")
    assert one.description == "Add to report"


def test_without_a_kernel_the_headlines_are_there_with_their_pictures(panel, shown):
    static = panel._repr_mimebundle_()["text/html"]
    assert static.count('class="toolkit-headline"') == 3
    assert '<svg class="plot"' in static


# Tabs -----------------------------------------------------------------------------------------------------------------


def test_all_findings_are_in_a_grid_and_a_row_opens_its_evidence(panel, shown):
    every = go_to(panel, "All findings")
    assert every.grid.frame["sentence"].tolist() == [
        re.sub(r"(\d) %", "\\1\xa0%", text) for text in panel.run.findings()["sentence"]
    ]
    for place, row in enumerate(panel.run.findings().itertuples()):
        every.open_row(place)
        said = text_of("".join(part.value for part in every.evidence if type(part).__name__ == "HTML"))
        assert "How it was found" in said
        sites = [part for part in every.evidence if type(part).__name__ == "Grid" and list(part.frame) == ["site"]]
        assert [part.frame["site"].tolist() for part in sites] == ([list(row.sites)] if row.sites else [])


def test_groups_of_the_service_are_named_in_words():
    with tk.Client() as client:
        run = client.ask(HOSTS)
        found, table = run.findings(), findings_table(story_of(run).view)
    words = {"b2b": "Businesses", "b2c": "Consumers"}
    assert found["group"].isin([*words]).any()
    assert table["group"].tolist() == [words.get(group, "") for group in found["group"]]


def test_groups_of_the_users_own_are_named_as_they_are():
    kinds = ["b2b" if place % 2 else "b2c" for place in range(len(HOSTS))]
    table = pd.DataFrame({"url": [*HOSTS], "Kind": kinds})
    with tk.Client() as client, client.run(table) as run:
        run.start(progress=False)
        view = story_of(run).view
    own = view.found.iloc[:1].assign(group="b2b", table="run.compare('Kind')")
    assert findings_table(replace(view, found=own))["group"].tolist() == ["b2b"]


def test_a_site_of_the_evidence_opens_its_card(panel, shown):
    every = go_to(panel, "All findings")
    every.open_row(0)
    sites = next(part for part in every.evidence if type(part).__name__ == "Grid")
    sites.on_row(1)
    assert shown._tabs.names[shown._tabs.selected_index] == "Sites"
    assert shown._tabs.opened.card.site == sites.frame["site"].iloc[1]


def test_sites_have_one_row_each_with_the_users_columns_and_what_came_of_them(panel):
    sites = go_to(panel, "Sites")
    frame = sites.grid.frame
    assert frame["site"].tolist() == [*HOSTS, NOWHERE]
    assert frame["own 1"].tolist() == ["ours", "theirs"] * 20 + ["ours"]
    assert frame["state"].iloc[-1] == "no site answers at this address"
    assert {"topic", "age", "interest"} <= set(frame)
    sites.open_site(HOSTS[0])
    card = sites.card
    sites.open_site(HOSTS[1])
    assert sites.card is card
    assert card.site == HOSTS[1]


def test_compare_opens_on_everything_by_the_users_own_groups(panel):
    compare = go_to(panel, "Compare")
    assert compare._by.value == "Group (your table)"
    assert compare._dimension.value == "everything"
    assert set(compare.value["group"]) == {"ours", "theirs"}
    assert {"interest", "income_level", "content-v3"} <= set(compare.value["dimension"])


def test_other_groups_are_compared_when_they_are_chosen(panel, shown):
    before = go_to(panel, "Compare")
    by = next(label for label in shown._report._by.options if "main topic" in label)

    async def cell():
        shown._report._by.value = by
        await asyncio.gather(*panel._beside.tasks)

    asyncio.run(cell())
    after = shown._tabs.opened
    assert after is not before
    assert set(after.value["group"]) != {"ours", "theirs"}
    shown._report._by.value = "nothing"


def test_segment_begins_with_a_suggestion_that_sites_match(panel):
    builder = go_to(panel, "Segment")
    assert builder.segment is not None
    assert len(builder.value)


def test_a_short_list_says_that_nothing_stands_out_and_shows_its_sites():
    with tk.Client() as client:
        short = RunPanel(client, HOSTS[:2])
        short.start()
    assert short._shown._tabs.titles[0] == "Sites (2)"
    assert short._shown._headlines.cards == ()
    assert short._shown._headlines._none.layout.display == ""
    assert short._shown._headlines._line.layout.display == "none"


def test_a_list_without_an_answer_says_so_and_has_no_tab_that_shows_nothing():
    with tk.Client() as client:
        failed = RunPanel(client, [NOWHERE, "nothing.example"])
        failed.start()
    assert "None of the 2 sites" in failed._shown._headlines._answer.value
    assert failed._shown._tabs.titles == ("Failures (2)", "Sites (2)")
    assert failed._shown._headlines._none.layout.display == "none"


# Compare and coverage -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


def test_everything_leaves_out_what_follows_from_the_groups(run):
    compare = Compare(run, "audience_type")
    there = set(compare.value["dimension"])
    assert {"price_signals", "reading_level", "business_model", "technology"} <= there
    assert not there & {"interest", "seniority", "age_bracket", "content-v3"}
    compare._by.value = "Main topic"
    assert "interest" not in set(compare.value["dimension"])
    assert "income_level" in set(compare.value["dimension"])


def test_everything_shows_proven_differences_first_and_says_where_none_is(run):
    proven = Compare(run, "content_type")
    many = int(re.match(r"(\d+) differences are proven", text_of(proven._status.value))[1])
    assert many > 1
    rows = proven._rows.children[0].frame
    assert rows["verdict"].head(many).str.contains("typical").all()
    assert rows["verdict"].iloc[many:].isin(["a lead", "not proven", "too few sites"]).all()
    none = Compare(run, "audience_type")
    assert "No difference is proven" in text_of(none._status.value)
    assert "▲" not in none.static_view()


def test_what_two_groups_differ_in_is_said_once(run):
    rows = Compare(run, {"one": HOSTS[:8], "two": HOSTS[8:20]})._rows.children[0].frame
    assert not rows.duplicated(["what", "about"]).any()


def test_copied_code_of_everything_gives_the_same(run):
    groups = {"one": HOSTS[:8], "two": HOSTS[8:20]}
    compare = Compare(run, groups)
    names = {"run": run, "groups": groups}
    exec(compile(compare.code, "copied", "exec"), names)  # noqa: S102 - that is what it is for
    pd.testing.assert_frame_equal(names["compared"], compare.value)


def opened_by(run, label, dimension="everything"):
    compare = Compare(run)
    compare._by.value = label
    compare._dimension.value = dimension
    return compare


opened_once = cache(opened_by)


def seen_by(run, label, dimension="everything"):
    """What is opened, for tests that only look: one widget for all of them, turned to what they look at."""
    compare = opened_once(run, label)
    compare._dimension.value = dimension
    return compare


@pytest.mark.parametrize(
    ("label", "of", "dimension"),
    [
        ("Technologies", "technologies", "technology"),
        ("Kinds of technology", "technologies", "technology kind"),
        ("Business model", "companies", "business_model"),
        ("Industry of the company", "companies", "company industry"),
        ("Country", "companies", "country"),
    ],
)
def test_technologies_and_facts_of_companies_are_compared_as_code_does(run, label, of, dimension):
    compare = seen_by(run, "Kind of pages", label)
    wanted = run.compare("content_type", "rest", of=of)
    wanted = wanted[wanted["dimension"] == dimension].reset_index(drop=True)
    assert len(wanted)
    pd.testing.assert_frame_equal(compare.value, wanted)
    names = {"run": run}
    exec(compile(compare.code, "copied", "exec"), names)  # noqa: S102 - that is what it is for
    pd.testing.assert_frame_equal(names["compared"], wanted)


def test_a_run_that_asked_for_companies_alone_is_compared(run):
    frames = {name: run.frame(name) for name in ("companies", "technologies")}
    compare = Compare(frames, {"one": HOSTS[:8], "two": HOSTS[8:20]})
    assert set(compare.value["dimension"]) >= {"technology", "technology kind", "country"}


def test_what_is_proven_of_kinds_of_pages_is_found_with_the_buttons(run):
    compare = seen_by(run, "Kind of pages")
    said = text_of(compare._status.value)
    assert re.match(r"\d+ differences are proven ", said)
    rows = compare._rows.children[0].frame
    proven = rows[rows["verdict"].str.startswith("▲ typical")]
    assert {("Advertising", "News sites"), ("E-commerce", "Shop listings")} <= set(
        zip(proven["what"], proven["group"], strict=True)
    )
    said = text_of(compare.static_view())
    assert "Shop listings use E-commerce technology more than ten times as often as the others: 8 of 10" in said


def test_that_the_main_topics_differ_in_age_is_not_proven(run):
    """Age is known of 2 of the 6 Sports sites, and of 44 of all 62."""
    compare = Compare(run)
    assert "No difference is proven" in text_of(compare._status.value)
    assert "Each share is of the sites of which it is known" in text_of(compare._status.value)
    assert "of the 56 others" not in text_of(compare._drawn.value)
    age = seen_by(run, "Main topic", "Age")
    assert "Sports (6 sites, known of 2)" in text_of(age._status.value)


def test_sites_whose_group_is_not_known_are_no_others_and_told_of(run):
    incomes = run.audiences().query("error.isna()").set_index("target")["income_level"]
    known = incomes.dropna()
    assert 0 < len(known) < len(incomes)
    compare = seen_by(run, "Income")
    left = len(incomes) - len(known)
    assert f"Among no others: {left} sites whose income is not known." in text_of(compare._status.value)
    told = re.search(r'<p class="title">(.*?)</p>(.*)', compare._drawn.value, re.DOTALL)
    title, drawn = map(text_of, told.groups())
    counts = r"\d+ of \d+, against \d+ of \d+"
    assert title.endswith(f"{re.search(counts, drawn)[0]} (the groups are inferred).")
    # Technologies are known of every site, so all whose income is known are on one side or the other.
    rows = re.findall(rf"(Kind of technology|Technology): (.+?) – (\w+(?: \w+)?) income ({counts})", drawn)
    assert rows
    technologies = run.technologies()
    for of, what, level, said in rows:
        uses = technologies["technology" if of == "Technology" else "category"].eq(what)
        has = known.index.isin(technologies.loc[uses, "target"])
        inside = known.eq(level.lower().replace(" ", "_"))
        share, others = (f"{has[side].sum()} of {side.sum()}" for side in (inside, ~inside))
        assert said == f"{share}, against {others}", what


def test_the_picture_has_all_that_is_proven_and_words_that_the_table_has(run):
    compare = seen_by(run, "Kind of pages")
    rows, drawn = compare._rows.children[0].frame, text_of(compare._drawn.value)
    proven = rows[rows["verdict"].str.contains("typical")]
    said = re.match(r"(\d+) differences are proven", text_of(compare._status.value))
    assert len(proven) == int(said[1])
    for row in proven.itertuples():
        assert f"{row.sites}, against" in drawn
    assert "Business model: E-commerce – Shop listings" in drawn
    assert ("hollow: not proven" in drawn) is not all(strong for _, strong, _ in rows_drawn(compare))
    assert set(rows["verdict"].str.partition(",")[0]) <= {
        "▲ typical", "▼ less typical", "a lead", "not proven", "too few sites",
    }  # fmt: skip
    assert set(proven["verdict"].str.partition(", ")[2]) <= {"clear", "likely"}
    assert (
        proven.loc[proven["about"].eq("Business model") & proven["group"].eq("News sites"), "sites"].eq("8 of 8").all()
    )


def test_no_row_of_too_few_sites_is_drawn(run):
    for by in ("Main topic", "Income", "Type of audience"):
        drawn = text_of(seen_by(run, by)._drawn.value)
        assert not re.search(r"\b\d of [12], against", drawn)
        assert not re.search(r"against \d of [12]\b", drawn)


def test_sites_of_which_a_fact_is_not_known_are_told_of(run):
    told = "Each share is of the sites of which it is known"
    assert told in text_of(seen_by(run, "Kind of pages")._status.value)
    assert told in text_of(seen_by(run, "Kind of pages", "Business model")._status.value)
    # Of reading level, too, not all are known; an interest a site has or has not.
    assert told in text_of(seen_by(run, "Kind of pages", "Reading level")._status.value)
    assert told not in text_of(seen_by(run, "Kind of pages", "Interests")._status.value)


def test_groups_are_held_against_all_other_sites_at_first(run):
    compare = Compare(run)
    for label in compare._by.options[:-1]:
        compare._by.value = label
        assert compare._against.label == "All other sites of the run", label
        assert set(compare.value["baseline"]) == {"rest"}, label
    assert set(Compare({"one": run, "two": run}).value["baseline"]) == {"rest"}


def test_what_is_left_out_of_everything_is_named_and_can_be_chosen(run):
    compare = Compare(run)
    for by in compare._by.options[:-1]:
        compare._by.value = by
        compare._dimension.value = "everything"
        said = text_of(compare._status.value)
        there = set(compare.value["dimension"]) | {compare._groupings[by].made_of}
        missing = {label for label, name in compare._dimensions.items() if name and name not in there}
        named = re.findall(r"Left out,? .*?: (.*?)\.", said)
        left = {label for names in named for label in names.split(", ")}
        assert left <= missing, by
        # What no site of the groups has any value of has no row either.
        assert left == missing or "Among no others" in said, by
        assert ("over everything that was asked" in said) is not bool(left)
        assert ("under “in”" in said) is bool(left)
    compare = opened_by(run, "Kind of pages")
    assert re.search(
        r"as they follow from kind of pages: [^.]*\bPrices\b", text_of(compare._status.value).replace("the ", "")
    )
    compare._dimension.value = "Prices"
    assert compare.value["verdict"].isin(["over", "under"]).any()
    frames = {"audiences": run.audiences(), "codes": run.codes()}
    every = Compare(frames, {"one": HOSTS[:20], "two": HOSTS[20:]})
    assert "over everything that was asked" in text_of(every._status.value)
    assert "Left out" not in text_of(every._status.value)


def rows_drawn(compare):
    """The name of each row of the picture, whether it is strong, and the classes of its marks."""
    html = compare._drawn.value
    found = re.findall(r'<li class="row( strong)?">(.*?)</li>', html, re.DOTALL)
    return [
        (
            re.search(r'class="what">(.*?)<', row)[1],
            bool(strong),
            re.findall(r'class="mark shape-(\w+) ([\w-]+)"', row),
        )
        for strong, row in found
    ]


@pytest.mark.parametrize("by", ["Kind of pages", "Main topic", "Type of audience", "Income"])
def test_the_picture_has_one_highlight_and_it_is_for_what_is_proven(run, by):
    compare = seen_by(run, by)
    listed = compare._rows.children[0].frame
    proven = {
        f"{row.what} – {row.group}".lower() for row in listed[listed["verdict"].str.contains("typical")].itertuples()
    }
    drawn = rows_drawn(compare)
    assert drawn
    for name, strong, marks in drawn:
        bare = unescape(name).split(": ")[-1].replace(" technology – ", " – ").lower()
        assert strong == (bare in proven), name
        # One shape and colour for the group, whichever it is; a grey line for what it is held against.
        assert sorted(marks) == [("0", "hue"), ("rest", "rest")]
    # Leads are hollow: paper inside, a quiet edge.
    assert re.search(
        r"\.row:not\(\.strong\) \.hue \{[^}]*fill: var\(--paper\);[^}]*stroke: var\(--rest\)", compare._drawn.value
    )
    # What is hollow is said where something is.
    assert ("hollow" in text_of(compare._drawn.value)) is not all(strong for _, strong, _ in drawn)


def test_the_picture_has_a_title_that_says_its_finding(run):
    def title(compare):
        return text_of(re.search(r'<p class="title">(.*?)</p>', compare._drawn.value, re.DOTALL)[1])

    assert title(seen_by(run, "Kind of pages")).startswith("Shop listings use E-commerce technology more")
    compare = opened_by(run, "Kind of pages")
    compare._against.value = ""
    assert title(compare) == "Shop listings use E-commerce technology: 8 of 10, against 11 of 62 among all sites."
    few = Compare({"codes": run.codes()}, {"One": HOSTS[:2], "Two": HOSTS[2:4]})
    assert "of so few sites none could be" in text_of(few._status.value)
    assert not few._drawn.value
    lead = Compare({"codes": run.codes()}, {"One": HOSTS[:15], "Two": HOSTS[15:30]})
    # A null is no headline: that nothing is proven is said above.
    assert title(lead).startswith("Nearest to a difference, but not proven: Sites of ")
    assert text_of(lead._status.value).startswith("No difference is proven ")
    assert re.search(r"against \d+ of \d+ among Two\.$", title(lead))
    assert "against Two." in text_of(lead._status.value)


def test_of_few_differences_no_part_is_said_to_be_so_by_chance(run):
    said = text_of(seen_by(run, "Kind of pages")._status.value)
    assert "proven" in said
    assert "by chance" not in said
    assert re.search(r"allows for the \d[\d,]* tests", said)
    labels = {"gender_skew": "Gender", "age_bracket": "Age", "reading_level": "Reading level"}
    differ = run.compare("content_type").query("verdict in ('over', 'under')")["dimension"]
    silent = next(label for dimension, label in labels.items() if dimension not in set(differ))
    none = text_of(seen_by(run, "Kind of pages", silent)._status.value)
    assert none.startswith("No difference is proven")
    some = text_of(seen_by(run, "Kind of pages", "Prices")._status.value)
    assert re.match(r"\d typical, ", some)
    assert not some.startswith("0 typical")
    assert "by chance" not in some


def test_a_value_has_the_name_that_it_has_in_reports(run):
    compare = opened_by(run, "Kind of pages", "Gender")
    said = compare.static_view()
    assert "Somewhat more men" in said
    assert "Leaning male" not in said
    assert "Shop listings" in said
    assert "Shop category or listing" not in said
    assert ("News sites", "news") in compare._only.options
    compare._by.value = "Gender"
    compare._dimension.value = "everything"
    assert "Somewhat more men" in [label for label, _ in compare._only.options]
    assert "Leaning" not in compare.static_view()


def test_each_row_of_the_picture_and_the_table_says_what_it_is_of(run):
    """A row "Basic level – News sites", or "Women and men alike", tells nobody of what it is."""
    compare = seen_by(run, "Kind of pages")
    rows = re.findall(r"[^<>]* – (?:News sites|Shop listings|Company sites|Landing pages)", compare._drawn.value)
    assert rows
    fields = {row.partition(": ")[0] for row in rows}
    assert fields <= {"Technology", "Kind of technology", "Business model", "Prices", "Reading level"}
    [grid] = compare._rows.children
    assert re.findall(r"<th[^>]*>([^<]+)</th>", grid.static_view())[:3] == ["About what", "What", "Group"]


def test_the_picture_says_of_how_many_sites_of_what_day_and_from_where_it_is(run):
    assert re.search(
        r"n = 62 sites · \d{1,2} [A-Z][a-z]+ 20\d\d · source: classification service$",
        text_of(seen_by(run, "Kind of pages")._drawn.value).strip(),
    )


def test_groups_that_do_not_fit_are_refused_with_those_that_do(run):
    with pytest.raises(InputError, match="main category"):
        Compare(run, "colour")


def test_genres_and_what_brands_keep_off_are_no_gaps_of_the_explorer_either(run):
    explorer = CoverageExplorer(run)
    [told] = run.findings().loc[lambda found: found["kind"].eq("gap"), "sentence"]
    number = int(told.partition(" of the ")[0])
    gaps = run.coverage("content-v3").gaps().query("tier == 1")["name"].tolist()
    line = f"On none of the sites: {', '.join(gaps[:5])} and {number - 5} more, sensitive ones aside."
    assert line in text_of(explorer.static_view())
    topics = explorer._work().table.frame["path"].tolist()
    assert topics[:number] == sorted(gaps[:number])
    explorer._within[0].value = "Sports"
    assert "aside" not in text_of(explorer._status.value)


def test_coverage_opens_on_ranked_topics_and_names_the_gaps(run):
    explorer = CoverageExplorer(run)
    seen = text_of(explorer.static_view())
    assert re.search(r"Business and Finance \d+ of 71", seen)
    assert "On none of the sites: " in seen
    assert explorer.figure is None
    explorer._within[0].value = "Sports"
    assert "in Sports seen" in text_of(explorer._status.value)
    assert "Business and Finance" not in text_of(explorer._drawn.value)
    explorer._picture.value = "treemap"
    assert explorer.figure is not None


def test_what_the_widget_calls_proven_the_report_does_not_deny(run):
    """Both test all that does not follow from the groups as one family."""
    for by in ("audience_type", "income_level", "gender_skew"):
        compared = Compare(run, by).value
        told = run.findings(by)
        is_said = {"difference"} & set(told["kind"].astype(str))
        assert bool(is_said) == compared["verdict"].isin(["over", "under"]).any()
