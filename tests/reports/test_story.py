"""What a report says as a whole: the answer, its proofs and what to do are true of any list, and of a planted story."""

import datetime as dt
import io
import re
from dataclasses import replace

import pandas as pd
import pytest
from pptx import Presentation
from reports.listed import listed, of_resorts
from saved_runs import failing, part_of

from toolkit.interface.errors import InputError
from toolkit.interface.vocabulary import Vocabulary
from toolkit.reports.book import book
from toolkit.reports.brand import PLAIN
from toolkit.reports.contents import PARTS
from toolkit.reports.deck.slides import deck
from toolkit.reports.document import report_of, write_report
from toolkit.reports.page.html import html_page
from toolkit.reports.story import story_of
from toolkit.saved import SavedRun
from toolkit.segments.definition import Segment

AT = dt.datetime(2026, 11, 22, 6, 54, tzinfo=dt.timezone(dt.timedelta(hours=1)))
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
#: Words of the service that are none of a reader's.
CODES = re.compile(r"\b[a-z]+_[a-z_]+\b|\b(?:INT|PI)\.[A-Z]|index|verdict|p_adjusted|tier\b")


@pytest.fixture(scope="module")
def whole(told):
    return told()


@pytest.fixture(scope="module")
def resorts(sample):
    return report_of(of_resorts(sample.run), groups="Kind", weight="Spend", client="Northwind")


@pytest.fixture(scope="module")
def reports(sample, told, whole, resorts):
    """Reports of lists of many kinds, by name."""
    run = sample.run
    rows = range(50)
    personas = sample.codes().query("dimension == 'persona'").groupby("code", observed=True)["normal"].nunique()
    return {
        "sample": whole,
        "resorts": resorts,
        "grouped": told(groups="content_type"),
        "eight": report_of(part_of(run, lambda record: record.row < 9)),
        "two": report_of(part_of(run, lambda record: record.row < 2)),
        "one": report_of(part_of(run, lambda record: record.row < 1)),
        "failing": report_of(failing(run, segment=rows, categorize_content=rows, enrich=rows)),
        "content": report_of(only(run, "categorize_content")),
        "companies": report_of(only(run, "enrich")),
        "audiences": report_of(only(run, "segment")),
        "brief": told(brief=["INT.TRAVEL", "Attractions", "Sports", personas.index[personas.eq(1)][0], "Shopify"]),
    }


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def only(run, question):
    """The run as if it had asked but one question."""
    return part_of(run, lambda record: record.endpoint == question, asked=(question,))


def texts_of(made):
    """All sentences that a reader meets, without those of the methods."""
    parts = (*made.proofs, *made.parts)
    told = [(part.name, part.title, part.text, part.against) for part in parts]
    advice = [(one.what, one.why) for one in made.advice]
    labels = [part.chart.frame[part.chart.labels].tolist() for part in parts if part.chart]
    return [made.answer, *flat((told, advice, labels)), *(group.name for group in made.groups)]


def flat(nested):
    for one in nested:
        if isinstance(one, str):
            yield one
        elif isinstance(one, tuple | list):
            yield from flat(one)


def words(made):
    """All that a report holds, to be compared."""
    parts = [(part.name, part.title, part.text, part.notes, part.footer) for part in (*made.proofs, *made.parts)]
    tables = [part.table.frame.to_dict("list") for part in (*made.proofs, *made.parts) if part.table]
    charts = [part.chart.frame.to_dict("list") for part in (*made.proofs, *made.parts) if part.chart]
    return repr((made.title, made.subtitle, made.answer, made.at, made.advice, parts, tables, charts, made.methods))


# The answer ----------------------------------------------------------------------------------------------------------


def test_the_answer_counts_what_plain_counting_gives(sample, whole):
    tops = sample.categories().query("taxonomy == 'content-v3' and tier == 1").drop_duplicates(["target", "name"])
    counts = tops["name"].value_counts()
    consumers = int(sample.audiences()["audience_type"].eq("b2c").sum())
    assert whole.answer.startswith(
        f"The 62 sites are spread over {len(counts)} main topics, led by {counts.index[0]} ("
    )
    assert f"({counts.iloc[0]})" in whole.answer
    assert f"mostly speak to consumers ({consumers} of 62, inferred)" in " ".join(whole.answer.split("\xa0"))
    assert whole.answer.endswith(
        "all 7 shop listings whose business model is known live by e-commerce, against 1 of the 19 others (it is not "
        "known of 36 of the 62 sites)."
    )


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("one", "agrifields-coop.example is about Business and Finance, and speaks to businesses (inferred)."),
        (
            "two",
            (
                "The 2 sites are spread over 2 main topics, no two of them on the same one, and speak as often to "
                "businesses as consumers (1 of 2 each, inferred)."
            ),
        ),
    ],
)
def test_the_answer_of_a_list_of_any_kind(reports, name, answer):
    assert reports[name].answer == answer


def test_the_answer_of_a_list_without_audiences_is_its_main_topics(reports, sample):
    topics = sample.categories().query("taxonomy == 'content-v3' and tier == 1").sort_values("confidence")
    counts = topics.drop_duplicates("normal", keep="last")["level_1"].value_counts()
    first, second, third = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:3]
    led = f"{first[0]} ({first[1]}), {second[0]} ({second[1]}) and {third[0]} ({third[1]})"
    spread = f"The 62 sites are spread over {counts.gt(0).sum()} main topics, led by {led}."
    assert reports["content"].answer == spread


def test_the_answer_says_first_that_most_sites_could_not_be_read(reports):
    assert reports["failing"].answer.startswith("Only 18 of 68 sites answered, and these are spread over")
    assert reports["failing"].subtitle.startswith("68 different sites: 18 answered, ")


def test_where_most_sites_are_about_one_thing_the_answer_says_so(sample):
    run = sample.run
    rows = {record.row for record in run._records(run.asked) if b'"Travel"' in (record.raw or b"")}
    rows = {row for row in rows if row in set(sample.categories().query("level_1 == 'Travel'")["row"])}
    made = report_of(part_of(run, lambda record: record.row in rows), parts=["answer"])
    assert re.match(rf"The {len(rows)} sites are (all|mostly) about Travel \({len(rows)} of {len(rows)}\)", made.answer)


def test_where_nothing_stands_out_the_answer_says_what_most_sites_are_and_groups_that_nothing_is_proven(sample):
    kinds = ["North" if row % 2 else "South" for row in range(40)]
    run = listed(sample.run, 40, table={"Market": kinds})
    made = report_of(run, groups="Market")
    ages = run.codes().query("dimension == 'age_bracket'")
    known, often = ages["normal"].nunique(), ages["label"].value_counts()
    assert often.iloc[0] < known < 40
    assert plain(made.answer).endswith(
        f"; {often.iloc[0]} of the {known} sites whose readers' age is known reach people aged {often.index[0]} "
        "(inferred)."
    )
    assert len(made.proofs) == 3
    [part] = made.parts_of("groups")
    assert plain(part.title).endswith("and no difference is proven.")
    assert not any(part.certainty for part in made.proofs)
    assert any(text.startswith("No group differs from the others in: ") for text in made.methods.text)
    assert "No difference is proven of: North (20 sites) and South (20 sites)." in made.methods.text


def test_a_list_of_which_only_the_audience_was_asked_has_three_headlines_and_no_null(sample):
    run = part_of(sample.run, lambda record: record.endpoint == "segment" and record.row < 36, asked=("segment",))
    told = story_of(run)
    assert len(told.proofs) == 3
    assert not re.search(r"\b(nothing|none)\b", told.answer.lower())
    assert "; " in told.answer


def test_that_nothing_is_proven_of_groups_is_said_in_the_methods_alone_with_what_follows_from_them(sample, told):
    made = told(groups="audience_type")
    texts = list(map(plain, made.methods.text))
    kinds = sample.audiences()["audience_type"].value_counts()
    assert (
        f"No difference is proven of: Consumers ({kinds['b2c']} sites) and Businesses ({kinds['b2b']} sites)." in texts
    )
    [follows] = [text for text in texts if text.startswith("Not held against the groups, for it follows from how")]
    assert all(name in follows for name in ("topics", "interests", "age", "kind of pages"))
    assert not any(name in follows for name in ("technologies", "reading level", "type of audience"))
    [silent] = [text for text in texts if text.startswith("No group differs from the others in: ")]
    assert "reading level" in silent
    assert "kind of pages" not in silent
    topics = next(part for part in made.parts if part.name == "Interests")
    assert "That the groups differ in it follows from how they were made." in topics.text
    prices = next(part for part in made.parts if part.name == "Technologies")
    assert "That the groups differ in it follows from how they were made." not in prices.text
    slides = Presentation(io.BytesIO(deck(replace(made, order=("answer", "proofs")), PLAIN))).slides
    shown = [shape.text_frame.text for shape in slides[1].shapes if shape.has_text_frame]
    assert not any("no difference is proven" in plain(text).lower() for text in shown)


def test_of_groups_with_a_proven_difference_the_others_alone_have_a_line_in_the_methods(sample):
    run = of_resorts(sample.run)
    names = [f"site-{row}.example" for row in range(40)]
    lists = {"Resort": names[:12], "Kiosk": names[20:22], "Stall": names[30:34]}
    made = report_of(run, groups=lists, parts=["groups", "methods"])
    texts = list(map(plain, made.methods.text))
    assert "Too small to be compared, with fewer than 3 sites: Kiosk." in texts
    assert "No difference is proven of: Stall (4 sites)." in texts


@pytest.mark.parametrize("name", ["sample", "resorts", "one", "brief"])
def test_there_is_no_line_on_groups_where_none_were_asked_for_or_all_are_told(reports, name):
    assert not [
        text for text in reports[name].methods.text if text.startswith(("No difference is", "Not held against"))
    ]


# A planted story -----------------------------------------------------------------------------------------------------


def test_a_planted_difference_is_the_answer_the_first_proof_and_the_advice(sample, resorts):
    claim = (
        "Resort sites reach people of high income more than ten times as often as the others: 11 of 12, against 1 of 28"
    )
    assert resorts.answer.endswith(f"; {claim} (inferred).")
    proof = resorts.proofs[0]
    assert (proof.title, proof.certainty, proof.basis) == (f"{claim}.", "likely", "inferred")
    assert proof.sites == tuple(sorted(f"site-{row}.example" for row in range(11)))
    audience = next(one for one in resorts.advice if one.kind == "audience")
    assert (audience.what, audience.segment) == ("Aim at people of high income.", "income_level = high")
    assert audience.why.startswith("12 of the 40 sites reach them (inferred)")
    assert set(audience.sites) == {*proof.sites, "site-39.example"}
    taken = next(one for one in resorts.advice if one.kind == "sites")
    assert set(taken.sites) <= set(proof.sites)
    assert len(taken.sites) <= 5
    assert taken.what.startswith("Take the Resort sites, first site-")
    assert taken.why.startswith("11 of the 12 Resort sites reach people of high income (inferred). Together they have ")


def test_advice_for_one_of_several_that_are_as_frequent_says_so(sample):
    """Three sites on three subjects: two bands of ages are known of two of them."""
    three = ("peakcycle.example", "harvest-table.example", "ledgerline.example")
    run = part_of(sample.run, keep=lambda record: record.target in three)
    made = report_of(run, parts=["answer", "advice"])
    [audience] = [one for one in made.advice if one.kind == "audience"]
    assert plain(audience.why).endswith("no age is more frequent, and 1 other is as frequent.")


def test_advice_says_what_it_follows_from(sample, reports):
    follows = {name: {one.kind: plain(one.why) for one in reports[name].advice} for name in ("sample", "resorts")}
    assert follows["resorts"]["audience"].endswith(" This follows from the first headline finding.")
    assert follows["sample"]["audience"].endswith(
        " No brief and no headline names an audience: no interest is more frequent."
    )
    # It is said once of both.
    assert not any("headline" in follows[name]["sites"] for name in follows)
    most = sample.categories().query("taxonomy == 'content-v3'").groupby("id", observed=True)["normal"].nunique().max()
    assert follows["sample"]["gap"].startswith(
        f"No brief was given, and no topic is on more sites ({most} of 62), yet only "
    )
    briefed = " ".join(one.why for one in reports["brief"].advice)
    assert "No brief" not in briefed
    assert "headline" not in briefed


def test_a_main_topic_is_no_sub_topic_of_itself(reports, sample):
    [gap] = [one for one in reports["sample"].advice if one.kind == "gap"]
    found = sample.run.coverage("content-v3")
    below = found[found["level_1"].eq("Business and Finance") & found["tier"].gt(1)]
    assert len(below) == 70
    assert f"yet only {below['seen'].sum()} of its 70 sub-topics are there" in plain(gap.why)


def planned_by(sample, sites):
    """What the sites have that plans choose them by, with its label: a main topic or group says less than those."""
    codes, topics = sample.codes(), sample.categories()
    codes = codes[codes["dimension"].isin(["interest", "purchase_intent", "persona"])]
    topics = topics[topics["taxonomy"].eq("content-v3") & topics["tier"].gt(1)].assign(dimension="topic")
    columns = ["normal", "dimension", "code", "label"]
    rows = pd.concat([codes[columns], topics.rename(columns={"id": "code", "name": "label"})[columns]])
    return rows[rows["normal"].isin(sites)].drop_duplicates(columns)


def test_a_table_of_sites_to_take_names_as_much_as_it_counts(sample, reports):
    [plan], [audience] = (
        [one for one in reports["sample"].advice if one.kind == kind] for kind in ("sites", "audience")
    )
    rows = plan.table.frame
    named = [
        sum(1 + text.count(" and ", text.rindex("(")) if text.endswith(")") else 1 for text in adds.split("; "))
        for adds in rows["adds"]
    ]
    had = planned_by(sample, audience.sites)
    whole = len(had.drop_duplicates(["dimension", "code"]))
    order = had["normal"].map({site: place for place, site in enumerate(plan.sites)})
    added = had.assign(order=order).dropna().sort_values("order").drop_duplicates(["dimension", "code"])
    new = added["order"].value_counts().sort_index().tolist()
    assert named == rows["new"].tolist() == new
    kinds = added.groupby(["order", "label"])["dimension"].agg(set)
    both = {
        (int(place), f"{label} (interest and topic)")
        for place, label in kinds[kinds.map({"interest", "topic"}.__eq__)].index
    }
    assert both
    assert both <= {(place, text) for place, adds in enumerate(rows["adds"]) for text in adds.split("; ")}
    assert rows["share"].tolist() == pytest.approx([sum(new[: place + 1]) / whole for place in range(len(new))])
    assert f"of {whole}; in the choice each counts by how many sites have it" in plan.table.caption


def test_what_readers_of_an_audience_have_is_held_against_all_sites(sample, reports):
    [audience] = [one for one in reports["sample"].advice if one.kind == "audience"]
    told = plain(audience.why)
    ages = sample.codes().query("dimension == 'age_bracket'")
    aged = set(ages.loc[ages["code"].eq("35_44"), "normal"])
    assert set(audience.sites) < aged
    assert f"all {len(audience.sites)} of these speak to people aged 35 to 44 years (inferred), " in told
    assert f"as do {len(aged)} of the {ages['normal'].nunique()} sites whose readers' age is known" in told


def test_a_proof_of_a_group_is_drawn_beside_the_rest_in_its_colour(resorts):
    chart = resorts.proofs[0].chart
    assert chart.kind == "dots"
    assert [(series.label, series.is_rest) for series in chart.series] == [("Resort", False), ("all other sites", True)]
    assert chart.series[0].color == resorts.groups[0].color
    assert chart.frame.loc[chart.frame["strong"], "label"].tolist() == ["High income"]
    assert [own.group for own in chart.by_group] == ["Resort", "Shop"]
    assert chart.frame["in group"].max() == pytest.approx(11 / 12)


def test_a_heatmap_shows_all_groups_and_numbers_only_where_it_is_clear(sample):
    def change(row, endpoint, answer):
        if endpoint == "segment":
            answer["demographics"]["income_level"] = "high" if row % 12 == 0 else "middle"

    clusters = [f"Cluster {row % 12 + 1:02}" for row in range(120)]
    made = report_of(listed(sample.run, 120, change=change, table={"Cluster": clusters}), groups="Cluster")
    [heat] = [part.chart for part in made.parts_of("groups") if part.name == "Readers"]
    assert [series.label for series in heat.series] == sorted(set(clusters)) == [group.name for group in made.groups]
    told = {series.label: heat.frame.set_index("label").loc["High income", series.words] for series in heat.series}
    assert told == {name: "+100" if name == "Cluster 01" else "" for name in told}
    assert (
        made.proofs[0].title == "All 10 Cluster 01 sites reach people of high income, against none of the 110 others."
    )


def test_a_null_is_a_line_of_the_methods_and_never_a_part(reports):
    for made in reports.values():
        titles = [part.title for part in (*made.proofs, *made.parts_of("groups"))]
        assert not [title for title in titles if "no difference" in title.lower() or "Nothing leads" in title]
        assert not [part for part in made.parts if not part.title.strip()]


# What holds of every report ------------------------------------------------------------------------------------------


def test_every_number_of_a_proof_is_in_its_table(reports):
    for name, made in reports.items():
        for proof in made.proofs:
            cells = " ".join(cell for row in proof.table.rows() for cell in row)
            known = {float(number.replace(",", "")) for number in NUMBER.findall(cells)} | {
                float(len(proof.table.frame))
            }
            told = {float(number.replace(",", "")) for number in NUMBER.findall(said_of(proof))}
            assert told <= known, (name, proof.title)


def said_of(proof):
    """The title of a proof without names, whose digits are no numbers of it."""
    labels = [label for label in proof.table.frame["label"] if isinstance(label, str)]
    title = proof.title
    for label in sorted(labels, key=len, reverse=True):
        title = re.sub(re.escape(label), "", title, flags=re.IGNORECASE)
    return title


def test_texts_beside_a_picture_have_forty_words_at_most(reports):
    for made in reports.values():
        for part in (*made.proofs, *made.parts):
            assert sum(len(text.split()) for text in part.text) <= 40, part.title


def test_no_text_has_words_of_the_service(reports):
    for name, made in reports.items():
        found = [text for text in texts_of(made) if CODES.search(text)]
        assert not found, (name, found[:3])


def test_what_is_inferred_says_so(reports):
    inferred = {"Age", "Gender", "Income", "Stage of life", "Type of audience", "Personas"}
    for made in reports.values():
        for part in made.parts_of("profile"):
            assert (part.basis == "inferred") == (part.name in inferred), part.name
    assert "(inferred)" in reports["resorts"].answer


def test_segments_of_advice_are_taken_and_match_as_many_sites_as_it_says(sample, reports):
    vocabulary = sample.run.vocabulary
    assert isinstance(vocabulary, Vocabulary)
    for name, made in reports.items():
        for one in made.advice:
            if one.segment and name in {"sample", "grouped", "brief"}:
                matched = Segment(one.segment, vocabulary).sites(sample.codes(), sample.categories())
                assert sorted(matched) == sorted(one.sites), name
                assert one.why.startswith(f"{len(matched)} of the 62 sites")


def test_the_same_answers_in_another_order_give_the_same_report(sample):
    run = part_of(sample.run, lambda record: record.row < 30)
    records = list(run._records(run.asked))
    turned = SavedRun(records[::-1], run.asked, run.vocabulary)
    made, other = report_of(run), report_of(turned, parts=["answer", "proofs"])
    assert words(report_of(run)) == words(made)
    assert other.answer == made.answer
    assert [part.title for part in other.proofs] == [part.title for part in made.proofs]


def test_hostile_texts_stay_texts_and_take_no_advice_away(sample):
    bad = "<img src=x onerror=alert(1)>=cmd|' /C calc'!A0</script>\u202e{{7*7}}"

    def change(row, endpoint, answer):
        if endpoint == "segment":
            answer["demographics"]["income_level"] = "high" if row < 12 else "middle"
            answer["personas"] = [one | {"persona": f'{bad} "q" * {one["persona"]}'} for one in answer["personas"]]

    kinds = [f"{bad}A" if row < 12 else "='B'" for row in range(30)]
    name = "a-very-long-name-of-a-site-" * 3 + "{}.example"
    run = listed(sample.run, 30, change=change, table={f"{bad}Kind": kinds, "=SUM(A1)": ["x"] * 30}, name=name)
    made = report_of(run, groups=f"{bad}Kind", title=bad, client=bad)
    assert "\u202e" not in words(made)
    assert {one.kind for one in made.advice} == {"sites", "audience", "gap"}
    assert made.groups[0].name == f"{bad}A".replace("\u202e", "")
    assert made.proofs[0].title.startswith("All 12 '<img")
    assert "reach people of high income, against none of the 18 others." in made.proofs[0].title


# What is asked for ---------------------------------------------------------------------------------------------------


def test_a_brief_says_which_sites_to_take_what_each_adds_and_what_is_missing(sample, reports):
    made = reports["brief"]
    taken, audience, gap = made.advice
    table = taken.table.frame
    assert taken.sites == tuple(table["site"])
    # Of what it asks for, plans know four things; the fifth is a technology.
    shops = set(sample.run.technologies().query("technology == 'Shopify'")["target"])
    done, alone = (int(row["covered"]) for _, row in table.iloc[[-1, 0]].iterrows())
    first, *_ = taken.sites
    assert f"have {done + bool(shops & set(taken.sites))} of the 5 things that the brief asks for" in taken.why
    assert f"{first} alone has {alone + (first in shops)}." in taken.why
    assert "Travel" in audience.what
    assert audience.segment.startswith("any(INT.TRAVEL")
    assert gap.what.startswith("Add sites for Attractions")
    assert made.proofs[-1].title == "None of the 62 sites is about Attractions, which the brief asks for."
    frame = made.proofs[-1].chart.frame
    assert frame.set_index("label")["tip"]["Attractions"] == "0 of 62 sites"
    assert any("Sites are not chosen by Shopify" in text for text in made.methods.limits)


def test_a_weight_says_what_sites_take(sample, resorts):
    [spend] = [part for part in resorts.parts if part.name == "Spend by topic"]
    run = of_resorts(sample.run)
    share = run.shares("content-v3", weight="Spend")
    first = share[share["label"].eq(share["parent"])].sort_values("weighted_share").iloc[-1]
    assert spend.title.replace("\xa0", " ").startswith(f"{100 * first['weighted_share']:.0f} % of the Spend stands on")
    proof = resorts.proofs[0]
    part = sum(range(1, 12)) * 100 / sum(100 * (row + 1) for row in range(40))
    assert f"These 11 sites take {100 * part:.0f} % of the Spend." in [text.replace("\xa0", " ") for text in proof.text]
    assert all("of the Spend" in one.why for one in resorts.advice if one.kind != "gap")


def test_parts_are_chosen_and_ordered(sample, told):
    made = report_of(sample.run, parts=["methods", "coverage", "answer"])
    assert made.order == ("methods", "coverage", "answer")
    assert {part.of for part in made.parts} == {"coverage"}
    assert (made.proofs, made.advice, made.cards) == ((), (), ())
    assert told().order == tuple(name for name in PARTS if name != "changes")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"parts": ["proof"]},
            r"^There is no part 'proof' of a report\. Nearest: proofs\. Choose of answer, .* and methods\.$",
        ),
        ({"parts": []}, "parts is empty"),
        ({"parts": "answer"}, "parts must be names of parts"),
        ({"parts": ["answer", "changes"]}, "needs an earlier run"),
        ({"title": " "}, "title must be a text"),
        ({"title": 7}, "title must be a text"),
        ({"client": 7}, "client must be a text"),
        ({"at": "2026-11-22"}, "at must be a datetime"),
        ({"baseline": "rest"}, "there are no groups"),
        ({"groups": "audience_type", "baseline": "b2x"}, "none of the groups. Nearest: b2"),
        ({"groups": "audience_typ"}, "Nearest: audience_type"),
        ({"brief": "Travel"}, "A brief is a list"),
        ({"brief": ["Travle and so on"]}, "Travle"),
        ({"weight": 7}, "weight must be"),
    ],
)
def test_arguments_that_cannot_be_are_refused(sample, options, message):
    with pytest.raises(InputError, match=message):
        report_of(sample.run, **options)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("report.doc", r"'report\.doc' does not say the format.*Let it end in \.html, \.pptx or \.xlsx\.$"),
        ("nowhere/report.html", r"There is no folder .*nowhere"),
        ("folder.html", "is a folder"),
        (7, "path must be the name of a file"),
    ],
)
def test_a_place_that_cannot_be_is_refused_before_anything_is_made(path, message, tmp_path):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InputError, match=message):
        write_report(object(), tmp_path / path if isinstance(path, str) else path)


@pytest.mark.parametrize(
    ("name", "template", "message"),
    [
        ("report.html", "ours.pptx", "A template is for slides"),
        ("report.pptx", "gone.pptx", "cannot be read"),
        ("report.pptx", "text.pptx", r"no \.pptx file"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused_before_anything_is_made(tmp_path, name, template, message):
    (tmp_path / "text.pptx").write_text("no slides")
    with pytest.raises(InputError, match=message):
        write_report(object(), tmp_path / name, template=tmp_path / template)


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"DataFrame has no audiences\(\)"):
        write_report(pd.DataFrame(), tmp_path / "report.html")


def test_progress_goes_from_nothing_to_all_and_what_it_raises_leaves_the_old_file(sample, tmp_path):
    steps = []
    report_of(sample.run, progress=lambda done, text: steps.append((done, text)))
    assert steps[0][0] == 0
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert all(text and done <= 1 for done, text in steps)
    place = tmp_path / "report.xlsx"
    place.write_text("the old one")

    def enough(done, _):
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_report(sample.run, place, progress=enough)
    assert place.read_text() == "the old one"
    assert [path.name for path in tmp_path.iterdir()] == ["report.xlsx"]


# Lists without answers -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unanswered(sample):
    """A run in which every question failed."""
    failed = set(sample.failures()["row"])
    return part_of(sample.run, lambda record: record.row in failed)


def test_a_report_without_answers_says_what_failed_and_why(unanswered):
    made = report_of(unanswered, groups="audience_type")
    assert made.title == "Audience report: no answer of 6 sites"
    assert made.answer == "None of the 6 sites gave an answer."
    assert made.subtitle == (
        "6 different sites: none answered, 6 gave no answer (3 too little text, 3 could not be opened)"
    )
    [part] = made.parts
    assert part.table.frame["sites"].sum() == 6
    assert "the page could not be found" in part.table.frame["reason"].tolist()
    assert made.methods.text == ()
    assert "No groups are compared: no site gave an answer." in made.methods.limits
    assert "1980" not in words(made).replace("datetime.datetime(1980", "")
    assert words(report_of(unanswered)) == words(report_of(unanswered))


def test_a_report_without_answers_is_of_the_time_that_it_is_told(unanswered):
    made = report_of(unanswered, at=AT, title="Kites")
    assert (made.title, made.at) == ("Kites", dt.datetime(2026, 11, 22, 5, 54))  # noqa: DTZ001
    assert "22 November 2026" in made.subtitle
    assert dict(made.methods.facts)["Report as of"] == "22 November 2026, 05:54 UTC"


def test_one_site_without_an_answer_is_told_in_the_singular(unanswered):
    rows = set(unanswered.failures()["row"].tolist()[:1])
    [part] = report_of(part_of(unanswered, lambda record: record.row in rows)).parts
    assert part.title == "The one site gave no answer."
    assert re.fullmatch(r"The reason: [a-z ,]+ \(1 site\)\.", part.text[1])


def test_a_run_of_no_site_is_nothing_to_report(sample):
    with pytest.raises(InputError, match=r"^The run asked about no site.*Pass a list with sites\.$"):
        report_of(part_of(sample.run, lambda _: False))


# Nothing twice -------------------------------------------------------------------------------------------------------


def test_nothing_is_said_twice(reports):
    for name, made in reports.items():
        titles = [part.title for part in (*made.proofs, *made.parts)]
        assert len(titles) == len(set(titles)), name


def test_a_proof_that_counts_is_no_part_of_the_profile_again(sample, whole):
    names = [part.name for part in whole.proofs]
    assert "Topics" in names
    assert "Topics" not in [part.name for part in whole.parts_of("profile")]
    alone = report_of(sample.run, parts=["profile"])
    assert alone.parts[0].name == "Topics"


def test_what_is_planted_since_an_earlier_run_is_the_answer_and_a_proof(sample):
    def now(row, endpoint, answer):
        if endpoint == "segment":
            answer["content_context"]["price_signals"] = "luxury" if row < 14 else "none"

    def then(row, endpoint, answer):
        if endpoint == "segment":
            answer["content_context"]["price_signals"] = "none"

    made = report_of(listed(sample.run, 40, change=now), before=listed(sample.run, 36, change=then))
    proof = made.proofs[0]
    assert proof.chart.kind == "slope"
    assert "14 of the 36 that were asked twice" in proof.title
    assert proof.title[1:-1] in made.answer
    assert made.order == PARTS
    assert not [part for part in made.parts_of("changes") if part.title == proof.title]
    few = listed(sample.run, 12)
    assert report_of(few, before=few, parts=["proofs"]).proofs[0].chart.kind == "bars"


def test_the_same_story_is_the_same_bytes_in_every_format(sample):
    run = of_resorts(sample.run, sites=20)
    first, second = (report_of(run, groups="Kind") for _ in range(2))
    for write in (html_page, deck, book):
        assert write(first, PLAIN) == write(second, PLAIN), write


def test_what_the_answers_say_of_a_group_comes_before_what_its_own_table_says(sample):
    """Resorts spend less, too: who has the table knows that."""
    made = report_of(of_resorts(sample.run), groups="Kind", parts=["proofs"])
    assert "people of high income" in made.proofs[0].title
    assert not any("Spend" in proof.title for proof in made.proofs)


def test_sites_of_an_audience_of_businesses_are_not_left_out_for_speaking_to_them(whole):
    taken = next(one for one in whole.advice if one.kind == "sites")
    assert len(taken.sites) == 5
    assert "people interested in Business and Finance" in taken.what
