"""The sites of a report: a dense table with your own columns first, and a card for each with what is known and why."""

import pytest
from reports.listed import listed, of_resorts

from toolkit.reports.document import report_of


@pytest.fixture(scope="module")
def resorts(sample):
    return report_of(of_resorts(sample.run), groups="Kind", parts=["sites"])


@pytest.fixture(scope="module")
def whole(told):
    return told(parts=["sites"])


def test_the_table_has_every_site_in_the_order_of_the_list_with_your_columns_first(resorts):
    [part] = resorts.parts
    table = part.table
    assert table.frame["site"].tolist() == [f"site-{row}.example" for row in range(40)]
    assert [column.heading for column in table.read] == [
        "Site", "Kind", "Spend", "Top topic", "Age (inferred)", "Top interest", "Audience (inferred)",
    ]  # fmt: skip
    assert (table.site, table.group) == ("site", "group")
    assert set(table.frame[table.group]) == {group.name for group in resorts.groups}
    assert table.rows(1)[0][:3] == ["site-0.example", "Resort", "100"]


def test_sites_without_an_answer_are_in_it_and_say_so(sample, whole):
    frame = whole.parts[0].table.frame.set_index("site")
    failed = set(sample.failures()["normal"])
    assert set(frame.index[frame["state"].ne("answered")]) == failed
    assert set(frame.loc[sorted(failed), "state"]) == {
        "could not be found",
        "could not be opened",
        "has too little text",
        "the site does not let the service in",
    }
    assert whole.parts[0].title == "62 sites answered, 6 sites did not."


def test_companies_are_told_in_words(sample, whole):
    """The frames keep what the service answered: 51-200 and OH."""
    known = sample.companies().set_index("target")
    site = known.index[known["employee_range"].eq("51-200") & known["state"].eq("OH")][0]
    [facts] = [dict(card.facts)["Company"] for card in whole.cards if card.site == site]
    told = {fact.name: fact.value for fact in facts}
    assert (told["Employees"], told["State"], told["Country"]) == ("51 to 200", "Ohio", "US")


def test_there_is_a_card_for_every_answered_site_with_basis_and_reasons(sample, whole):
    assert len(whole.cards) == 62
    card = next(card for card in whole.cards if card.site == "agrifields-coop.example")
    facts = dict(card.facts)
    assert list(facts)[:2] == ["Topics", "Audience"]
    topics = sample.categories().query("target == 'agrifields-coop.example' and taxonomy == 'content-v3'")
    assert facts["Topics"][0].why == f"{int(100 * topics['confidence'].max() + 0.5)} % sure"
    assert {fact.basis for fact in facts["Audience"]} == {"inferred"}
    personas = sample.codes().query("target == 'agrifields-coop.example' and dimension == 'persona'")
    assert len(personas)
    assert [(fact.value, fact.why) for fact in facts["Personas"]] == [
        (one.label, f"follows from {one.group}") for one in personas.itertuples()
    ]
    assert {fact.name for fact in facts["Company"]} >= {"Company", "Country", "Kind of company"}
    codes = sample.codes().query("target == 'agrifields-coop.example' and dimension == 'job_function'")
    named = [fact for fact in facts["Business audience"] if fact.name == "Job function"]
    assert len(named) == len(codes)


def test_cards_have_your_columns_and_their_group(resorts):
    card = resorts.cards[0]
    assert card.group == "Resort"
    assert [(fact.name, fact.value) for fact in dict(card.facts)["Your columns"]] == [
        ("Kind", "Resort"),
        ("Spend", "100"),
    ]


def test_years_are_no_quantities(sample):
    run = listed(sample.run, 3, table={"Since": [2001, 2002, 2003], "Price": [1.5, 2.0, 1000.25]})
    [part] = report_of(run, parts=["sites"]).parts
    assert [row[1:3] for row in part.table.rows()] == [["2001", "1.5"], ["2002", "2.0"], ["2003", "1,000.3"]]


def test_the_oldest_readers_have_no_upper_end(whole):
    table = whole.parts[0].table.frame.set_index("site")
    assert table.loc["silver-years.example", "age"] == "65 years and over"
    assert not table["age"].str.contains("99").any()


def test_what_makes_the_groups_stands_in_one_column(sample):
    [part] = report_of(sample.run, groups="audience_type", parts=["sites"]).parts
    assert [column.heading for column in part.table.columns].count("Audience (inferred)") == 1
    assert "Group" not in [column.heading for column in part.table.columns]
    assert part.table.group == "group"
