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


def test_pages_of_one_domain_are_said_to_be_alike(sample):
    names = ["shop.example/boots", "shop.example/tents", "blog.shop.example", "news.example/one", "alone.example"]
    limits = " ".join(report_of(of_sites(sample.run, names)).methods.limits)
    assert "3 pages of the list are of 1 domain with several pages in it, each counted." in limits
    assert "intervals and tests are by domain, not by page" in limits


def test_of_pages_of_one_domain_alone_it_is_said_that_they_tell_of_no_other(sample):
    limits = " ".join(report_of(of_sites(sample.run, ["shop.example/boots", "shop.example/tents"])).methods.limits)
    assert "they say nothing of others" in limits
    assert "by domain, not by page" not in limits


def test_of_sites_of_their_own_nothing_is_said_of_pages(sample):
    run = of_sites(sample.run, ["one.example/a", "two.example/a", "three.example"])
    limits = " ".join(report_of(run).methods.limits)
    assert "pages in it" not in limits
