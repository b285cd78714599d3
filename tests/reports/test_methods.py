"""What a report says of how far its numbers hold."""

from dataclasses import replace

from saved_runs import part_of, records_of

from toolkit.reports.document import report_of


def of_sites(sample, names):
    """The sample run with other names of its first answered sites."""
    rows = sorted({record.row for record in records_of(sample) if record.is_answer and record.endpoint == "segment"})
    named = dict(zip(rows, names, strict=False))
    return part_of(
        sample,
        lambda record: record.row in named,
        change=lambda record: replace(record, target=named[record.row], normal=named[record.row]),
    )


def methods_of(run):
    return report_of(run, parts=["methods", "coverage"]).methods


def test_pages_of_one_domain_are_said_to_be_alike(sample):
    names = ["shop.example/boots", "shop.example/tents", "blog.shop.example", "news.example/one", "alone.example"]
    limits = " ".join(methods_of(of_sites(sample.run, names)).limits)
    assert "3 pages of the list are of 1 domain with several pages in it." in limits
    assert "it counts once, with what at least half of its pages have" in limits


def test_of_pages_of_one_domain_alone_it_is_said_that_they_tell_of_no_other(sample):
    limits = " ".join(methods_of(of_sites(sample.run, ["shop.example/boots", "shop.example/tents"])).limits)
    assert "each page counts, and they say nothing of others" in limits


def test_of_sites_of_their_own_nothing_is_said_of_pages(sample):
    run = of_sites(sample.run, ["one.example/a", "two.example/a", "three.example"])
    limits = " ".join(methods_of(run).limits)
    assert "pages in it" not in limits


def test_methods_say_sites_failures_dates_versions_and_cost(told):
    facts = dict(told().methods.facts)
    assert facts["Sites"] == (
        "68 different sites: 62 answered, 6 gave no answer (3 too little text, 3 could not be opened)"
    )
    assert facts["Credits"] == f"{3 * 62} for {3 * 62} answers with data"
    assert facts["Version of the codes"] == "1.2"
    assert facts["Topics looked for"] == "703"
    assert "audience-toolkit" in facts["Software"]
    assert "plotly" not in facts["Software"]


def test_sites_without_an_answer_are_in_a_table_with_their_reason(sample, told):
    [table] = told().methods.tables
    assert set(table.frame["site"]) == set(sample.failures()["normal"])
    assert set(table.frame["reason"]) == {
        "the page could not be found",
        "the page could not be opened",
        "the site does not let the service in",
        "the page has too little text",
    }


def test_what_was_not_asked_is_left_out_and_the_methods_say_so(sample):
    run = part_of(sample.run, lambda record: record.endpoint == "categorize_content", asked=("categorize_content",))
    made = report_of(run)
    left_out = "audiences, interests, personas, companies and technologies"
    assert f"It says nothing about {left_out}: the run did not ask for them." in made.methods.limits
    assert {part.of for part in made.parts} == {"coverage", "sites"}
    assert [proof.name for proof in made.proofs] == ["Topics"]


def test_what_was_looked_at_and_not_found_is_told(sample, told):
    made = told()
    about = sample.run.findings().attrs["about"]
    [looked] = [text for text in made.methods.text if text.startswith("Looked at: ")]
    assert looked == (
        f"Looked at: {about['differences']:,} differences and {about['pairs']:,} pairs; 1 of them is told as proven."
    )


def test_a_run_that_stopped_early_says_so(sample):
    run = part_of(sample.run)
    run.progress = Progress()
    assert (
        "It is not of the whole list: 21 questions of 204 were not asked, for the run stopped (the budget is used up)."
        in methods_of(run).limits
    )


class Progress:
    total, done, reason = 204, 183, "the budget is used up"
