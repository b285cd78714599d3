"""The profile of a list: of each thing how many sites have it, as shares count it, also in each group."""

from dataclasses import replace

import pandas as pd
import pytest
from reports.listed import listed
from saved_runs import part_of

import toolkit as tk
from toolkit.reports.contents import MOST_ROWS
from toolkit.reports.document import report_of


@pytest.fixture(scope="module")
def grouped(told):
    return told(groups="audience_type", parts=["profile"])


def of(made, name):
    return next(part for part in made.parts if part.name == name)


@pytest.mark.parametrize(
    ("name", "dimension"),
    [
        ("Age", "age_bracket"),
        ("Gender", "gender_skew"),
        ("Income", "income_level"),
        ("Interests", "interest_group"),
        ("Purchase intents", "purchase_intent"),
        ("Personas", "persona"),
        ("Kind of pages", "content_type"),
    ],
)
def test_a_part_of_the_profile_has_the_shares_of_the_sites_that_tell(sample, grouped, name, dimension):
    codes = sample.codes()
    tell = codes.loc[codes["dimension"].eq(dimension) & codes["error"].isna(), "target"]
    # Of interests, intents and personas a site may have none: there all tell.
    has_or_not = dimension in {"interest_group", "purchase_intent", "persona"}
    sites = None if has_or_not else tell.unique()
    shares = sample.run.shares(dimensions=dimension, sites=sites).set_index("code")
    frame = of(grouped, name).table.frame.set_index("code")
    assert set(frame.index) == set(shares.index)
    for mine, theirs in (
        ("count", "with_code"),
        ("n", "n"),
        ("share", "share"),
        ("low", "share_low"),
        ("high", "share_high"),
    ):
        pd.testing.assert_series_equal(
            frame[mine].astype(float), shares[theirs].astype(float).reindex(frame.index), check_names=False
        )


def test_each_group_has_its_own_shares(sample, grouped):
    codes = sample.codes()
    tell = set(codes.loc[codes["dimension"].eq("age_bracket"), "target"])
    kinds = sample.audiences().set_index("target")["audience_type"]
    labels = {"b2c": "Consumers", "b2b": "Businesses", "mixed": "Consumers and businesses alike"}
    groups = [code for code in labels if kinds.eq(code).any()]
    assert len(groups) > 1
    compared = {
        group: sample.run.shares(dimensions="age_bracket", sites=sorted(tell & set(kinds.index[kinds.eq(group)])))
        for group in groups
    }
    part = of(grouped, "Age")
    assert [own.group for own in part.chart.by_group] == [labels[group] for group in groups]
    frame = part.table.frame.set_index("code")
    for column, group in enumerate(groups):
        of_group = compared[group].set_index("code")
        for code, row in frame.iterrows():
            k = of_group["with_code"].get(code, 0)
            n = of_group["n"].iloc[0]
            assert (row[f"with {column}"], row[f"of {column}"]) == (k, n)
            assert row[f"in {column}"] == pytest.approx(k / n)


def test_what_the_groups_are_made_of_has_no_part_and_the_other_things_do(grouped):
    names = [part.name for part in grouped.parts]
    assert "Type of audience" not in names
    assert names[:3] == ["Topics", "Age", "Gender"]


def test_bars_are_sorted_twelve_at_most_and_the_rest_is_in_the_table(grouped):
    for part in grouped.parts:
        frame = part.chart.frame
        assert len(frame) <= MOST_ROWS
        assert frame["share"].is_monotonic_decreasing
        assert len(part.table.frame) >= len(frame)
        if len(part.table.frame) > MOST_ROWS:
            assert f"Drawn are the {MOST_ROWS} most frequent of {len(part.table.frame)}." in part.text


def test_tips_say_how_many_sites(grouped):
    frame = of(grouped, "Topics").chart.frame
    assert frame["tip"].iloc[0] == "8 of 62 sites"


def test_values_are_words(grouped):
    assert "Upper middle income" in of(grouped, "Income").table.frame["label"].tolist()
    assert of(grouped, "Country").title.startswith(
        "44\N{NO-BREAK SPACE}% of the 57 sites whose country is known are run from the US"
    )
    assert "US" in of(grouped, "Country").table.frame["label"].tolist()
    assert "Landing pages" in of(grouped, "Kind of pages").table.frame["label"].tolist()


def test_values_that_lead_together_are_strong_together(sample):
    def change(row, endpoint, answer):
        if endpoint == "segment":
            answer["demographics"]["income_level"] = "high" if row % 2 else "middle"

    part = of(report_of(listed(sample.run, 20, change=change), parts=["profile"]), "Income")
    assert part.title == "10 of 20 sites reach people of high income, and as many reach people of middle income."
    assert part.chart.strong == ""


def test_your_own_columns_have_parts_too(sample):
    table = {"Market": ["North" if row < 12 else "South" for row in range(20)]}
    part = of(report_of(listed(sample.run, 20, table=table), parts=["profile"]), "Market")
    assert part.title == "Most sites have Market North: 12 of 20, followed by South (8)."


def test_pages_of_one_domain_count_once_as_in_the_findings(sample):
    run = listed(sample.run, 24, name="shop-{}.example")
    pages = part_of(run, change=renamed)
    made = report_of(pages)
    assert max(int(part.table.frame["n"].iloc[0]) for part in made.parts_of("profile")) == 16
    assert "of 16 domains" in made.answer
    assert any("9 pages of the list are of 1 domain" in text for text in made.methods.limits)


def renamed(record):
    """The first nine sites as pages of one domain."""
    target = f"shop.example/{record.row}" if record.row < 9 else record.target
    return replace(record, target=target, normal=target)


def of_prices(run, kinds, **options):
    """Return a report of sites with these prices."""

    def change(row, endpoint, answer):
        if endpoint == "segment":
            answer["content_context"]["price_signals"] = kinds[row]

    return report_of(listed(run, len(kinds), change=change, **options), parts=["profile"])


@pytest.mark.parametrize(
    ("kinds", "title", "beside"),
    [
        (
            ["none"] * 20 + ["mid_range"] * 8 + ["luxury"] * 2,
            "8 of 30 sites show mid-range prices, followed by luxury prices (2).",
            "20 of 30 sites show no prices.",
        ),
        (["none"] * 28 + ["luxury"] * 2, "2 of 30 sites show luxury prices.", "28 of 30 sites show no prices."),
        (["none"] * 29 + ["luxury"], "One of the 30 sites shows luxury prices.", "29 of 30 sites show no prices."),
        (
            ["none"] * 28 + ["luxury", "budget"],
            "2 of the 30 sites show budget prices, luxury prices, a site each.",
            "28 of 30 sites show no prices.",
        ),
        # Where nothing is there, nothing else can be said.
        (["none"] * 30, "All sites show no prices: 30 of 30.", None),
    ],
)
def test_a_title_says_what_is_there_and_the_text_what_is_not(sample, kinds, title, beside):
    part = of(of_prices(sample.run, kinds), "Prices")
    assert " ".join(part.title.split()) == title
    assert (beside in part.text) if beside else not any("no prices" in text for text in part.text)
    strong = part.chart.frame.set_index("label").get("strong", pd.Series(dtype=bool))
    assert beside is None or not strong["No prices"]


def test_a_column_of_yes_and_no_has_the_yes_as_its_title(sample):
    table = {"Newsletter": ["no"] * 20 + ["yes"] * 10}
    part = of(of_prices(sample.run, ["none"] * 30, table=table), "Newsletter")
    assert " ".join(part.title.split()) == "10 of 30 sites have Newsletter yes."
    assert "20 of 30 sites have Newsletter no." in part.text


def test_of_one_site_no_shares_are_drawn_and_nothing_is_told_that_its_user_wrote():
    """Of one site every bar was as long as the picture, and one heading was: Input of a.example: a.example."""
    sites = ["torque-journal.example", "nowhere.example"]
    run = tk.Client().ask(sites, ["segment", "categorize_content", "enrich"], store=False)
    [part] = report_of(run, parts=["profile"]).parts
    assert (part.chart, part.title) == (None, "What is known of torque-journal.example.")
    known = part.table.frame.set_index("what")
    assert known.loc["Topics"].tolist() == ["Automotive", "measured"]
    assert known.loc["Age"].tolist() == ["35 to 44 years, 45 to 54 years and 55 to 64 years", "inferred"]
    assert "Input" not in known.index
    assert {"Interests", "Technologies", "Country"} <= {*known.index}


def test_what_is_known_of_one_site_stands_open_on_a_page(tmp_path):
    run = tk.Client().ask(["torque-journal.example"], ["segment", "categorize_content", "enrich"], store=False)
    page = run.report(tmp_path / "one.html", parts=["profile"]).read_text(encoding="utf-8")
    told = page.partition('id="profile-1"')[2].partition("</article>")[0]
    assert "<td>35 to 44 years, 45 to 54 years and 55 to 64 years</td>" in told
    assert "The numbers" not in told


def test_of_one_site_of_which_nothing_is_inferred_nothing_is_said_of_what_is():
    run = tk.Client().ask(["torque-journal.example"], ["enrich"], store=False)
    [part] = report_of(run, parts=["profile"]).parts
    assert set(part.table.frame["basis"]) == {"measured"}
    assert not any(text.startswith("Inferred") for text in part.text)


def test_of_one_site_nothing_is_drawn():
    run = tk.Client().ask(["torque-journal.example"], ["segment", "categorize"], store=False)
    made = report_of(run)
    assert "Topics covered" in {part.name for part in made.parts}
    assert [part.name for part in made.parts if part.chart is not None] == []
