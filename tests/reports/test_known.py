"""What is not known is no "no" in a report: counts are of the sites that tell, and ties have no slide."""

import io
import json
import re
from dataclasses import replace

import pandas as pd
import pytest
from pptx import Presentation
from reports.listed import listed
from saved_runs import SILENT, failing, part_of, without_categories

from toolkit import Client
from toolkit.interface.errors import InputError
from toolkit.reports.brand import PLAIN
from toolkit.reports.choice import PARTS
from toolkit.reports.deck.slides import deck
from toolkit.reports.document import report_of


@pytest.fixture(scope="module")
def whole(told):
    return told()


def of(made, name):
    return next(part for part in made.parts if part.name == name)


def flat(text):
    return " ".join(text.split())


def test_a_part_of_the_profile_counts_the_sites_that_tell(whole):
    part = of(whole, "Business model")
    assert flat(part.title) == (
        "13 of the 26 sites whose business model is known live by advertising, followed by e-commerce (8) and "
        "affiliate links (5)."
    )
    first = part.table.frame.iloc[0]
    assert (first["count"], first["n"], first["share"]) == (13, 26, 0.5)
    assert part.chart.frame["tip"].iloc[0] == "13 of 26 sites"
    assert flat(part.chart.axis) == "Share of 26 sites that tell it, %"
    assert "Not known of 36 of the 62 sites." in part.text


def test_no_title_has_a_share_of_what_is_mostly_unknown(sample):
    def change(row, endpoint, answer):
        if endpoint == "segment":
            answer["demographics"]["life_stage"] = ["midlife_couple" if row < 5 else "retiree"] if row < 9 else []

    made = report_of(listed(sample.run, 40, change=change), parts=["profile"])
    mostly = [part for part in made.parts_of("profile") if 2 * part.table.frame["n"].iloc[0] < 40]
    assert "Stage of life" in {part.name for part in mostly}
    assert not [part.title for part in mostly if "%" in part.title]
    assert flat(of(made, "Stage of life").title).startswith(
        "5 of the 9 sites whose readers' stage of life is known reach couples in midlife"
    )


def test_the_answer_keeps_what_is_not_known_of_what_stands_out(sample):
    told = sample.run.findings("content_type")["sentence"]
    lives = told[told.str.contains("live by advertising, against")].iloc[0]
    made = report_of(sample.run, groups="content_type", proofs=[lives], parts=["answer", "proofs"])
    assert made.proofs[0].against.startswith("it is not known of 36 of the 62 sites")
    assert f"({made.proofs[0].against})" in made.answer


def test_the_answer_counts_the_sites_that_tell(sample):
    def hidden(record):
        if record.endpoint != "segment" or not record.is_answer or record.row % 3 == 0:
            return record
        answer = json.loads(record.raw)
        answer["audience_type"] = None
        return replace(record, raw=json.dumps(answer).encode())

    run = part_of(sample.run, change=hidden)
    known = run.audiences()["audience_type"].value_counts()
    n = int(known.sum())
    assert 0 < n < 31
    assert f"most often speak to consumers ({known['b2c']} of the {n} of which it is known, inferred)" in flat(
        report_of(run, parts=["answer"]).answer
    )


def test_a_proof_of_what_some_tell_says_of_whom_its_interval_is(sample):
    run = part_of(sample.run, lambda record: record.endpoint == "enrich", asked=("enrich",))
    made = report_of(run, parts=["profile", "proofs"])
    proof = next(part for part in made.proofs if part.name == "Business model")
    assert proof.against == "it is not known of 36 of the 62 sites"
    assert [
        text
        for text in map(flat, proof.text)
        if text.endswith(" of sites like these of which it is known (95 % interval).")
    ]


def test_gaps_in_sentences_are_topics_that_somebody_would_add(whole):
    part = of(whole, "Gaps")
    title = "7 of the 32 main topics other than sensitive ones are on none of the sites: Attractions, "
    assert flat(part.title).startswith(title)
    paths = part.table.frame["path"].tolist()
    assert "Genres" not in paths[:7]
    assert {"Genres", "Sensitive Topics", "Crime"} <= set(paths)
    assert part.notes[0].startswith("7 main topics and ")


def test_sites_whose_web_filtering_failed_are_no_good_news_for_a_brand(sample):
    run = failing(sample.run, categorize_content=range(30))
    told = run.findings()["sentence"]
    [sentence] = told[told.str.contains("is about sensitive topics; of ")]
    part = of(report_of(run, parts=["coverage"]), "Gaps")
    said = [flat(text) for text in (*part.text, *part.notes) if "sensitive topics" in text]
    assert said == [flat(sentence)]


def evened(sample):
    """The sample run as if two personas and two purchase intents were on two sites each, and no other on any."""
    codes = sample.codes()
    personas, intents = (
        codes.loc[codes["dimension"].eq(name), "code"].unique() for name in ("persona", "purchase_intent")
    )
    held = dict(zip(sorted(codes["row"].unique())[:4], [0, 0, 1, 1], strict=True))

    def change(record):
        if record.endpoint != "segment" or not record.is_answer:
            return record
        answer = json.loads(record.raw)
        which = [held[record.row]] if record.row in held else []
        answer["personas"] = [{"persona": personas[one], "source": "static_mapping"} for one in which]
        answer["purchase_intent"]["codes"] = [intents[one] for one in which]
        return replace(record, raw=json.dumps(answer).encode())

    return part_of(sample.run, change=change)


def test_a_tie_has_no_slide_and_a_line_of_the_methods(sample):
    made = report_of(evened(sample))
    assert not [part.title for part in made.parts if "othing leads" in part.title]
    tied = [part for part in made.parts if part.is_null]
    assert [part.name for part in tied] == ["Purchase intents", "Personas"]
    texts = texts_of(made)
    assert not [text for text in texts if any(flat(part.title) == flat(text) for part in tied)]
    assert any("whose business model is known" in flat(text) for text in texts)
    [line] = [text for text in made.methods.text if text.startswith("Nothing leads among: ")]
    assert line == (
        "Nothing leads among: purchase intents (2 of 62 sites have each of the most frequent); personas (2 of 62 sites "
        "have each of the most frequent)."
    )


#: Findings make a report of these alone one with something to say.
ADVICE = ("answer", "proofs", "advice")


def why_of(made, kind):
    return next(flat(one.why) for one in made.advice if one.kind == kind)


def test_advice_counts_an_audience_among_the_sites_of_which_it_is_known(sample):
    incomes = sample.audiences()["income_level"]
    reached, known = int(incomes.eq("upper_middle").sum()), int(incomes.notna().sum())
    assert 0 < reached < known < 62
    told = report_of(sample.run, brief=["upper_middle"], parts=ADVICE)
    assert why_of(told, "audience").startswith(
        f"{reached} of the {known} sites whose readers' income is known reach them (inferred)"
    )
    assert why_of(told, "sites") == "It has what the brief asks for."
    mixed = report_of(sample.run, brief=["upper_middle", "25_34"], parts=ADVICE)
    assert " sites of which it is known reach them (inferred)" in why_of(mixed, "audience")
    every = report_of(sample.run, brief=["INT.TRAVEL"], parts=ADVICE)
    assert " of the 62 sites reach them" in why_of(every, "audience")


def test_advice_counts_a_group_among_its_sites_of_which_it_is_known(sample):
    def change(row, endpoint, answer):
        if endpoint == "segment":
            income = "high" if row < 12 else "middle"
            answer["demographics"]["income_level"] = None if row in {0, 1, 2, 39} else income

    run = listed(sample.run, 40, change=change, table={"Kind": ["Resort"] * 12 + ["Shop"] * 28})
    made = report_of(run, groups="Kind", parts=ADVICE)
    assert "all 9 Resort sites whose readers' income is known reach people of high income" in flat(made.answer)
    whose = "whose readers' income is known reach"
    assert why_of(made, "sites").startswith(f"9 of the 9 Resort sites {whose} people of high income (inferred). ")
    assert why_of(made, "audience").startswith(f"9 of the 36 sites {whose} them (inferred)")


def test_a_gap_of_a_brief_is_told_of_the_sites_that_tell(sample):
    codes = sample.codes()
    of_field = [codes[codes["dimension"].eq(name)] for name in ("income_level", "age_bracket")]
    known = [rows["normal"].nunique() for rows in of_field]
    assert max(known) < 62
    often = [rows.groupby("code", observed=True)["normal"].nunique() for rows in of_field]
    income, age = (sites.index[sites.le(2)][0] for sites in often)
    made = report_of(sample.run, brief=["Attractions", income, age, "Sports"], parts=ADVICE)
    assert why_of(made, "gap") == (
        f"The brief asks for 4 things: 1 is on none of the sites that tell, and 2 on one or two of the {min(known)} to "
        "62 that do."
    )
    [proof] = [part for part in made.proofs if "Attractions" in part.title]
    assert flat(proof.chart.axis) == "Share of the sites that tell each, %"


def test_what_all_that_tell_have_is_no_gap_of_a_brief(sample):
    def hidden(record):
        if record.endpoint != "segment" or not record.is_answer:
            return record
        answer = json.loads(record.raw)
        answer["demographics"]["income_level"] = "high" if record.row in {0, 1} else None
        return replace(record, raw=json.dumps(answer).encode())

    run = part_of(sample.run, change=hidden)
    assert run.findings(brief=["high"]).query("kind == 'gap' and dimension == 'income_level'").empty
    made = report_of(run, brief=["high"], parts=ADVICE)
    assert "gap" not in {one.kind for one in made.advice}
    assert why_of(made, "audience").startswith("2 of the 2 sites whose readers' income is known reach them")


def test_a_gap_says_that_no_topic_is_on_more_sites_only_where_none_is(sample):
    def crime(record):
        if not record.is_answer or record.row >= 20:
            return record
        answer = json.loads(record.raw)
        for name in ("std_classification", "std_taxonomy", "std_taxonomy_version2"):
            answer[name] = [["Category name: Crime", "Confidence: 0.9"]]
        return replace(record, raw=json.dumps(answer).encode())

    run = part_of(
        sample.run, lambda record: record.endpoint == "categorize_content", asked=("categorize_content",), change=crime
    )
    covered = run.coverage("content-v3").query("tier == 1").set_index("name")["sites"]
    assert covered.idxmax() == "Crime"
    why = why_of(report_of(run, parts=ADVICE), "gap")
    name = why.removeprefix("No brief was given, and ").partition(" is on ")[0]
    assert why.startswith(f"No brief was given, and {name} is on {covered[name]} of 62 sites, yet only ")


def test_what_sites_to_take_have_is_told_of_what_several_have(sample):
    run = listed(sample.run, 80)
    [taken] = [one for one in report_of(run, parts=ADVICE).advice if one.kind == "sites"]
    codes = run.codes()
    interests = codes[codes["dimension"].eq("interest_group")].groupby("label", observed=True)["normal"].agg(set)
    whose = r" that two or more of the (\d+) sites for people interested in (.+) have\."
    [(number, name)] = re.findall(whose, flat(taken.why))
    assert int(number) == len(interests[name]) == interests.map(len).max()
    mine = codes["normal"].isin(interests[name])
    codes = codes[mine & codes["dimension"].isin(["interest", "purchase_intent", "persona"])]
    often = codes.groupby(["dimension", "code"], observed=True)["normal"].nunique()
    assert (often == 1).any()
    assert (often > 1).sum() < taken.table.frame["covered"].iloc[-1]


FEW = ["harvest-table.example", "ledgerline.example", "brauhaus-kessel.example", "bicicletta-viva.example"]


def texts_of(made):
    shown = Presentation(io.BytesIO(deck(made, PLAIN)))
    return [shape.text_frame.text for slide in shown.slides for shape in slide.shapes if shape.has_text_frame]


def test_what_the_run_did_not_ask_for_is_named_in_the_advice_of_a_brief():
    run = Client().ask(FEW, ["segment"])
    made = report_of(run, brief=["Travel", "middle"])
    assert why_of(made, "sites") == "It has 1 of the 2 things that the brief asks for."
    reason = "nothing is known of Travel (the run did not ask for topics)."
    assert why_of(made, "gap") == f"The brief asks for 2 things: {reason}"
    assert why_of(report_of(run, brief=["luxury", "Travel"], parts=ADVICE), "gap") == (
        f"The brief asks for 2 things: 1 is on no site, and {reason}"
    )
    # It is told where the reader looks, and nothing is drawn of it.
    assert "Find out about Travel first." in flat(" ".join(texts_of(made)))
    assert not any("Travel" in proof.title for proof in made.proofs)


def test_what_a_brief_calls_by_two_names_is_one_thing():
    run = Client().ask(FEW, ["segment", "categorize"])
    made = report_of(run, brief=["Food & Drink", "210", "INT.FOOD_AND_DRINK"], parts=ADVICE)
    assert why_of(made, "sites").startswith("It has all 2 things that the brief asks for")
    [audience] = [one for one in made.advice if one.kind == "audience"]
    assert flat(audience.what).count("Food & Drink") == 1
    twice = report_of(run, brief=["Attractions", "150"], parts=ADVICE)
    assert why_of(twice, "gap").startswith("The brief asks for 1 thing:")


def test_of_a_brief_that_nothing_is_known_of_it_is_not_said_that_nothing_is_missing():
    made = report_of(Client().ask(FEW, ["segment"]), brief=["Travel"])
    assert (
        why_of(made, "gap")
        == "The brief asks for 1 thing: nothing is known of Travel (the run did not ask for topics)."
    )
    limits = " ".join(made.methods.limits)
    assert "No gap is recommended" not in limits
    assert "No audience is recommended: no site is known to reach one that the brief asks for." in limits


# What one site tells, and what tells nothing --------------------------------------------------------------------------


def of_few(run, endpoint, sites=("big-scroll.example",), table=None):
    """The run as if some of its sites had been asked one question."""
    return part_of(
        run,
        lambda record: record.target in sites and record.endpoint == endpoint,
        asked=(endpoint,),
        change=lambda record: replace(record, row=sites.index(record.target)),
        table=table,
    )


@pytest.mark.parametrize("endpoint", ["segment", "enrich", "categorize_content"])
def test_a_site_that_is_known_is_reported_whichever_parts_are_wanted(sample, endpoint):
    run = of_few(sample.run, endpoint)
    said = report_of(run).answer
    assert {report_of(run, parts=[part]).answer for part in PARTS if part != "changes"} == {said}


@pytest.mark.parametrize("parts", [None, ["answer"], ["sites", "methods"]])
def test_answers_that_hold_nothing_are_refused_whatever_the_table_says(sample, parts):
    table = pd.DataFrame({"Client": ["ours", "theirs", "ours"]}, index=list(SILENT))
    run = of_few(without_categories(sample.run), "categorize_content", SILENT, table)
    with pytest.raises(InputError, match=r"3 sites hold neither audience, content nor technologies.*pass another list"):
        report_of(run, parts=parts)
