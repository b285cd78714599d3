"""What an enrichment says about a company: what its page states, and nothing that it does not."""

import json

import pytest

import toolkit as tk
from toolkit import frames
from toolkit.interface.models import Enrichment
from toolkit.service import samples

FILLER = (
    "<p>The workshop stands by the river, and the kettle is on from eight in the morning until the last of the "
    "apprentices has gone home. Visitors find the yard behind the blue gate.</p>"
)
HOST = "acme-kites.example"


@pytest.fixture
def enrich(tmp_path, monkeypatch):
    """Enrich a page of one's own, as the home page of a site of the sample web, through a client."""
    folder = tmp_path / "sites" / HOST
    folder.mkdir(parents=True)
    monkeypatch.setattr(samples, "_root", lambda: tmp_path / "sites")

    def enriched(body="", *, data=None, head="<title>Acme Kites | Kites by hand</title>", **options):
        markup = json.dumps(data).replace("<", "\\u003c")
        facts = f'<script type="application/ld+json">{markup}</script>' if data else ""
        page = f"<html lang=en><head>{head}{facts}</head><body><main>{FILLER}{body}</main></body></html>"
        (folder / "index.html").write_text(page, encoding="utf-8")
        with tk.Client() as client:
            return client.enrich(HOST, **options)

    return enriched


@pytest.mark.parametrize("stated", ["www.acme-kites.example", "https://acme-kites.example", "Blogger", "My Site"])
def test_an_address_and_the_name_of_a_platform_are_no_names(enrich, stated):
    head = f'<title>Acme Kites | Kites by hand</title><meta property="og:site_name" content="{stated}">'
    assert enrich(head=head).company.name == "Acme Kites"
    data = {"@type": "BlogPosting", "publisher": {"@type": "Organization", "name": stated}}
    assert enrich(data=data).company.name == "Acme Kites"


def said(text):
    return f"<p>{text}</p>"


# Funding -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("We raised a $12 million Series A led by Harbour Partners.", "Series A"),
        ("We have closed our Series B.", "Series B"),
        ("In May we secured €4.5 million in seed funding.", "Seed"),
        ("Acme Kites has raised a $30M Series C.", "Series C"),
        ("We announced a $2 million pre-seed round.", "Pre-seed"),
        ("Our Series A round was led by Harbour Partners.", "Series A"),
        ("We raised a seed round in 2019. In 2022 we raised our Series B.", "Series B"),
        ("We’re proudly bootstrapped and answer to nobody but our customers.", "bootstrapped"),
        ("Acme Kites was acquired by Windhover Group in 2021.", "acquired"),
        ("We are a publicly traded company.", "publicly traded"),
    ],
)
def test_a_stated_funding_is_told(enrich, text, status):
    assert enrich(said(text)).company.funding_status == status


@pytest.mark.parametrize(
    "text",
    [
        "Windhover Group raised a $12 million Series A on Tuesday.",
        "Windhover Group has closed its Series B, said people close to the company.",
        "We wrote last week that Windhover Group raised a $12 million Series A.",
        "“We raised a $12 million Series A,” said the founder of Windhover Group.",
        'The founder told us: "We raised a $12 million Series A last spring."',
        "<blockquote>We raised a $12 million Series A with the help of Acme Kites.</blockquote>",
        "We raised £9,750 for the new roof.",
        "We help founders raise their Series A.",
        "Our guide to Series A funding is free.",
        "We report on Series B rounds every day.",
        "Our customers raised a Series A of $12 million.",
        "Acme Kites, a supplier of Windhover Group, which raised a Series A, is hiring.",
        "Bootstrapped companies grow slowly, we think.",
        "Windhover Group was acquired by Acme Holdings.",
        "We covered how Windhover went public and is now a publicly traded company.",
    ],
)
def test_the_funding_of_others_is_not_the_site_s(enrich, text):
    assert enrich(said(text)).company.funding_status is None


# Revenue -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("Our annual revenue was €40 million.", "€10M-€50M"),
        ("Turnover in our last financial year was £16.8 million.", "£10M-£50M"),
        ("In 2023 we made revenue of $1.2bn.", "$1B+"),
        ("We generated $750,000 in revenue.", "under $1M"),
        ("Acme Kites’ revenue reached 60 million euros.", "€50M-€100M"),
        ("We turned over £5m.", "£1M-£10M"),
        ("Our revenue in 2023 was US$ 10 million.", "$10M-$50M"),
    ],
)
def test_a_stated_revenue_becomes_its_range(enrich, text, band):
    assert enrich(said(text)).company.revenue_range == band


@pytest.mark.parametrize(
    "text",
    [
        "We help firms with revenue of $10 million to $50 million.",
        "Our customers' revenue was €40 million.",
        "We generated $5 million in revenue for our clients.",
        "We made revenue of $5 million for our clients.",
        "Windhover Group's revenue was €40 million.",
        "We sell kites from $40 million tiny workshops.",
        "“Our revenue was €40 million,” said Windhover Group.",
        "Revenue of €40 million is what the trade makes in a year.",
    ],
)
def test_what_others_earn_is_not_the_site_s_revenue(enrich, text):
    assert enrich(said(text)).company.revenue_range is None


# Company type --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "data", "kind"),
    [
        ("Acme Kites (NASDAQ: ACMK) makes kites.", None, "public"),
        ("We are listed on the London Stock Exchange.", None, "public"),
        ("", {"@type": "Corporation", "name": "Acme Kites", "tickerSymbol": "ACMK"}, "public"),
        ("We are a 501(c)(3) organization.", None, "nonprofit"),
        ("Acme Kites is a small, independent non-profit.", None, "nonprofit"),
        ("Acme Kites is a registered charity in England and Wales.", None, "nonprofit"),
        ("", {"@type": "NGO", "name": "Acme Kites"}, "nonprofit"),
        ("", {"@type": "Organization", "name": "Acme Kites", "nonprofitStatus": "Nonprofit501c3"}, "nonprofit"),
        ("Acme Kites is a cooperative.", None, "cooperative"),
        ("", {"@type": "GovernmentOrganization", "name": "Acme Kites"}, "government"),
        ("We're a family-owned workshop.", None, "family-owned"),
        ("We are 100% employee-owned.", None, "employee-owned"),
        ("", {"@type": "Store", "name": "Acme Kites", "description": "Family-owned shop for kites."}, "family-owned"),
        ("", {"@type": "Store", "name": "Acme Kites", "legalName": "Acme Kites LLC"}, "private"),
        (
            "",
            {"@type": "Store", "legalName": "Acme Kites Ltd", "address": {"addressCountry": "GB"}},
            "private",
        ),
    ],
)
def test_a_stated_company_type_is_told(enrich, text, data, kind):
    assert enrich(said(text), data=data).company.company_type == kind


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("Windhover Group (NASDAQ: WIND) buys kites.", None),
        ("We supply Windhover Group (NASDAQ: WIND) with kites.", None),
        ("We work with non-profits and charities.", None),
        ("We are a nonprofit consultancy.", None),
        ("We are the accounts software for non-profit organizations.", None),
        ("We are not a charity.", None),
        ("Family-owned hotels in Tuscany are what we love.", None),
        ("Windhover is a cooperative.", None),
        ("", {"@type": "Organization", "name": "Acme Kites", "legalName": "Acme Kites, Inc."}),
        ("", {"@type": "Organization", "legalName": "Acme Kites Ltd", "address": {"addressCountry": "CA"}}),
    ],
)
def test_a_company_type_is_not_guessed(enrich, text, data):
    assert enrich(said(text), data=data).company.company_type is None


def test_the_ticker_is_told(enrich):
    assert enrich(said("Acme Kites, Inc. (NYSE: AK) makes kites.")).company.ticker == "AK"
    assert enrich(said("Windhover (NYSE: WI) makes kites.")).company.ticker is None


# Business model ------------------------------------------------------------------------------------------------------

SHOPIFY = '<script src="https://cdn.shopify.com/s/files/1/theme.js"></script>'
ADSENSE = '<script src="https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js"></script>'
SOFTWARE = '<title>Acme Kites</title><meta name="description" content="Booking software for kite schools.">'
PRICED = {"@type": "Product", "name": "Delta", "offers": {"@type": "Offer", "price": "40", "priceCurrency": "USD"}}


@pytest.mark.parametrize(
    ("body", "options", "model"),
    [
        (f'{SHOPIFY}<a href="/cart">Cart</a>', {}, "e-commerce"),
        (SHOPIFY, {"data": PRICED}, "e-commerce"),
        ("", {"data": {"@type": "OnlineStore", "name": "Acme Kites"}}, "e-commerce"),
        (said("From $49 a month, billed yearly."), {"head": SOFTWARE}, "SaaS"),
        (said("Members pay $8 a month."), {}, "subscription"),
        (said("The Pro plan is €12 per user per month."), {}, "subscription"),
        (ADSENSE, {}, "advertising"),
        (said("When you buy through our links we may earn a commission."), {}, "affiliate"),
        (f'{ADSENSE}<p>We earn a small commission.</p>{SHOPIFY}<a href="/cart">Cart</a>', {},
         "e-commerce, advertising, affiliate"),
        ('<p>We are a charity.</p><a href="/donate">Give</a>', {}, "donations"),
    ],
)  # fmt: skip
def test_a_shown_business_model_is_told(enrich, body, options, model):
    assert enrich(body, **options).company.business_model == model


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (SHOPIFY, {}),
        ('<a href="/cart">Cart</a>', {}),
        ("", {"data": PRICED}),
        (said("The rent is $900 a month for members."), {}),
        (said("A mortgage costs $1,400 a month on most plans."), {}),
        (said("Members save $8 a month."), {}),
        (said("The newsletter comes once a month to members."), {}),
        ("", {"head": SOFTWARE}),
        (said("We never earn a commission."), {}),
        (said("Agents earn a commission of 2%."), {}),
        ('<a href="/donate">Give</a>', {}),
        ("<p>Google AdSense is how many sites earn.</p>", {}),
    ],
)
def test_a_business_model_is_not_guessed(enrich, body, options):
    assert enrich(body, **options).company.business_model is None


# People --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "data", "people"),
    [
        (said("Our founder, Jane Doe, flew her first kite in 1971."), None, [("Jane Doe", "founder")]),
        (said("Jane Doe, CEO of Acme Kites, opened the yard."), None, [("Jane Doe", "CEO")]),
        (said("Jane van der Berg is our managing director."), None, [("Jane van der Berg", "managing director")]),
        (said("Acme Kites was founded by Jane Doe in 1971."), None, [("Jane Doe", "Founder")]),
        (
            "<h2>Our team</h2><p>Jane Doe, Founder and CEO</p><p>John Roe – CTO</p><h2>Press</h2><p>Ann Poe, CEO</p>",
            None,
            [("Jane Doe", "Founder and CEO"), ("John Roe", "CTO")],
        ),
        ("<h2>Leadership</h2><h3>Jane Doe</h3><p>President</p>", None, [("Jane Doe", "President")]),
        ("", {"@type": "Store", "name": "Acme Kites", "founder": {"@type": "Person", "name": "Jane Doe"}},
         [("Jane Doe", "Founder")]),
        ("", {"@type": "Store", "name": "Acme Kites", "employee": [{"name": "John Roe", "jobTitle": "Kite maker"}]},
         [("John Roe", "Kite maker")]),
        ("", {"@type": "Person", "name": "Jane Doe", "jobTitle": "CEO", "worksFor": {"name": "Acme Kites"}},
         [("Jane Doe", "CEO")]),
    ],
)  # fmt: skip
def test_named_people_are_told(enrich, body, data, people):
    assert [(person.name, person.title) for person in enrich(body, data=data).contact.key_personnel] == people


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (said("“Lovely kites,” says Ann Poe, CEO of Windhover Group."), None),
        (said("Ann Poe, CEO of Windhover Group, bought our kites."), None),
        (said("Ann Poe, CEO"), None),
        (said("Windhover Group was founded by Ann Poe."), None),
        ("<blockquote>Jane Doe is our founder.</blockquote>", None),
        ("", {"@type": "Person", "name": "Ann Poe", "jobTitle": "CEO", "worksFor": {"name": "Windhover Group"}}),
        ("", {"@type": "Store", "name": "Acme Kites", "employee": {"name": "John Roe"}}),
    ],
)
def test_people_of_others_are_no_personnel(enrich, body, data):
    assert enrich(body, data=data).contact.key_personnel == []


# Name, place and contact ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "head", "name", "legal"),
    [
        ("", "<title>Kites by hand | Acme Kites</title>", "Acme Kites", None),
        ("", "<title>Acme Kites (Leeds) Ltd - Kites</title>", "Acme Kites", "Acme Kites (Leeds) Ltd"),
        ("<footer>© 2019–2026 Acme Kites, Inc. All rights reserved.</footer>", "<title>Home</title>",
         "Acme Kites", "Acme Kites, Inc."),
        ("<footer>© 2026 Themeworks LLC</footer>", "<title>Home</title>", None, None),
        ("<footer>Theme © Themeworks LLC</footer>", "<title>Acme Kites</title>", "Acme Kites", None),
    ],
)  # fmt: skip
def test_the_name_is_the_one_that_the_domain_shows(enrich, body, head, name, legal):
    company = enrich(body, head=head).company
    assert (company.name, company.legal_name) == (name, legal)


def test_the_organization_of_the_own_domain_comes_before_others(enrich):
    data = [
        {"@type": "Organization", "name": "Windhover Group", "url": "https://windhover.example/"},
        {"@type": "AutoRental", "name": "Acme Kites", "url": f"https://www.{HOST}/"},
    ]
    assert enrich(data=data).company.name == "Acme Kites"


@pytest.mark.parametrize(
    ("footer", "address", "place"),
    [
        ("Acme Kites, 88 Slip Road, Duluth, MN 55802 · 218-555-0179", "88 Slip Road, Duluth, MN 55802",
         ("Duluth", "MN", "US")),
        ("Acme Kites, 22 Mill Road, Suite 3, Gilman, Iowa 50158", "22 Mill Road, Suite 3, Gilman, Iowa 50158",
         ("Gilman", "Iowa", "US")),
        ("Acme Kites, 17 Weaver's Stair, Edinburgh EH1 2ZZ. Tel 0131 496 0117", "17 Weaver's Stair, Edinburgh EH1 2ZZ",
         ("Edinburgh", None, "GB")),
    ],
)  # fmt: skip
def test_a_footer_s_address_is_the_company_s(enrich, footer, address, place):
    answer = enrich(f"<footer>{footer}</footer>")
    found = answer.company.headquarters
    assert answer.contact.addresses == [address]
    assert (found.city, found.state, found.country) == place


@pytest.mark.parametrize(
    "around",
    [
        "<div class=contact-us>{}</div>",
        "<section id=kontakt>{}</section>",
        "<div class='vcard'>{}</div>",
        "<footer>{}</footer>",
    ],
)
def test_a_part_for_contacts_is_read_as_the_footer_is(enrich, around):
    contact = enrich(around.format("<p>T: 0114 496 0128</p><p>22 Mill Road, Leeds LS1 2AB</p>")).contact
    assert (contact.phones, contact.addresses) == (["0114 496 0128"], ["22 Mill Road, Leeds LS1 2AB"])


@pytest.mark.parametrize(
    "around",
    [
        "<article><p>By Jo.</p><footer>{}</footer></article>",
        "<div class=post-footer>{}</div>",
        "<div class='comment-footer'>{}</div>",
        "<blockquote><p>Fine kites.</p><footer>{}</footer></blockquote>",
    ],
)
def test_the_footer_of_an_article_or_a_comment_is_not_the_site_s(enrich, around):
    contact = enrich(around.format("<p>Tel: 0114 496 0128</p><p>22 Mill Road, Leeds LS1 2AB</p>")).contact
    assert (contact.phones, contact.addresses) == ([], [])


def test_contacts_of_the_footer_are_read_and_stand_once(enrich):
    footer = "<footer>Tel: 0114 496 0128, Fax 0114 496 0129. Ring +44 114 496 0128 or fly@acme-kites.example.</footer>"
    contact = enrich(f'{footer}<a href="tel:+441144960128">Call</a>').contact
    assert contact.phones == ["+441144960128"]
    assert contact.emails == ["fly@acme-kites.example"]


def test_every_location_s_address_is_told(enrich):
    place = {"@type": "Place", "address": {"streetAddress": "2 Quay", "addressLocality": "Whitby"}}
    data = {"@type": "Store", "address": {"streetAddress": "1 Quay", "addressLocality": "Leeds"}, "location": [place]}
    assert enrich(data=data).contact.addresses == ["1 Quay, Leeds", "2 Quay, Whitby"]


def test_a_town_alone_is_no_postal_address(enrich):
    assert enrich(data={"@type": "Store", "address": {"addressLocality": "Leeds"}}).contact.addresses == []


@pytest.mark.parametrize(
    ("body", "org"),
    [
        ('<a href="https://github.com/facebook/react">React</a>', None),
        ('<a href="https://github.com/acmekites/reel">Reel</a>', "acmekites"),
        ('<a href="https://github.com/acme">Code</a>', "acme"),
    ],
)
def test_a_repository_of_others_is_not_the_company_s(enrich, body, org):
    assert enrich(body).social.github_org == org


def test_structured_data_states_the_rest(enrich):
    data = {
        "@type": "Corporation", "name": "Acme Kites", "slogan": "Up.", "naics": "339930", "isicV4": "3240",
        "parentOrganization": {"name": "Windhover Group"}, "subOrganization": [{"name": "Acme Reels"}],
        "owns": [{"@type": "Product", "name": "Van"}], "areaServed": ["Yorkshire", {"name": "Kent"}],
    }  # fmt: skip
    company = enrich(data=data).raw["company"]
    stated = ("slogan", "naics", "isic", "parent_company", "subsidiaries", "area_served")
    assert {name: company[name] for name in stated} == {
        "slogan": "Up.", "naics": "339930", "isic": "3240", "parent_company": "Windhover Group",
        "subsidiaries": ["Acme Reels"], "area_served": ["Yorkshire", "Kent"],
    }  # fmt: skip


# Categories, groups and shapes ---------------------------------------------------------------------------------------


def test_categories_come_in_both_taxonomies_with_all_levels(client):
    answer = client.enrich("cloudmast.example", include="categories")
    content = client.categorize_content("cloudmast.example")
    taxonomies = answer.raw["taxonomies"]
    assert [entry["path"] for entry in taxonomies["v3"]] == [category.path for category in content.v3]
    assert [entry["path"] for entry in taxonomies["v2"]] == [c.path for c in content.std_taxonomy_version2]
    assert [entry["id"] for entry in taxonomies["v3"]] == [category.id for category in answer.categories]
    for entry in (*taxonomies["v3"], *taxonomies["v2"]):
        assert entry["tier"] == entry["path"].count(" > ") + 1 == entry["id"].count("-") + 1
    assert [c["name"] for c in answer.raw["content_classification"]] == [c.path for c in content.filtering_taxonomy]


def test_a_page_that_advertisers_keep_away_from_is_flagged(enrich):
    body = said("Play roulette, blackjack, poker and slot machines at our online casino. " * 6)
    found = enrich(body, head="<title>Online casino: roulette, slots, betting odds, poker and blackjack</title>")
    assert "Gambling" in found.raw["brand_safety_flags"]
    assert enrich(head="<title>Bread</title>").raw["brand_safety_flags"] == []


@pytest.mark.parametrize(
    ("include", "fields"),
    [("company", {"legal_name", "slogan"}), ("firmographics", {"company_type", "business_model", "revenue_range"})],
)
def test_the_new_facts_belong_to_their_groups(enrich, include, fields):
    data = {"@type": "OnlineStore", "name": "Acme Kites", "legalName": "Acme Kites LLC", "slogan": "Up."}
    found = enrich(said("Our revenue was $20 million."), data=data, include=include).raw["company"]
    assert fields <= set(found)
    others = {"legal_name", "slogan", "company_type", "business_model", "revenue_range"} - fields
    assert not others & set(found)


HOSTILE = '</company><script>alert(1)</script>"\u0007\u202e=cmd()' + "x" * 10_000


def test_hostile_facts_are_the_same_in_xml_and_bounded(enrich):
    data = {
        "@type": "Corporation", "name": "Acme Kites", "legalName": HOSTILE, "slogan": HOSTILE, "tickerSymbol": HOSTILE,
        "parentOrganization": {"name": HOSTILE}, "founder": {"name": HOSTILE}, "areaServed": [HOSTILE] * 99,
        "address": {"streetAddress": HOSTILE},
    }  # fmt: skip
    as_json, as_xml = (enrich(data=json.loads(json.dumps(data)), format=kind) for kind in ("json", "xml"))
    assert as_xml.company.model_dump().keys() == as_json.company.model_dump().keys()
    assert as_xml.raw["company"]["slogan"].startswith("</company><script>")
    assert all(len(value) <= 5_000 for value in as_json.raw["company"].values() if isinstance(value, str))
    assert len(json.dumps(as_json.raw)) < 250_000
    assert "<script>" not in as_json._repr_html_()


def test_json_and_xml_carry_the_same_new_facts(enrich):
    body = said("We are a family-owned workshop. Our revenue was $20 million.") + said("Our founder, Jane Doe, sews.")
    as_json, as_xml = enrich(body), enrich(body, format="xml")
    assert as_xml.company == as_json.company
    assert as_xml.contact == as_json.contact
    assert as_xml.raw["taxonomies"] == as_json.raw["taxonomies"]
    assert as_json.contact.key_personnel


def test_the_new_facts_reach_the_frame(enrich):
    row = frames.companies(enrich(said("We are a family-owned workshop. Our revenue was $20 million."))).loc[0]
    assert (row["company_type"], row["revenue_range"]) == ("family-owned", "$10M-$50M")
    assert row[["funding_status", "business_model", "ticker", "parent_company"]].isna().all()


@pytest.mark.parametrize("odd", [5, True, {"x": 1}, [1, {"a": 2}], [[]], "\ud800"])
def test_another_shape_of_a_fact_that_the_interface_does_not_show_is_no_error(odd):
    names = ("legal_name", "company_type", "business_model", "funding_status", "ticker", "parent_company")
    record = {"domain": HOST, "company": dict.fromkeys(names, odd), "contact": odd, "traffic": {"ranked_domain": odd}}
    answer = Enrichment.decode(record)
    frames.companies(answer)
    assert answer.domain == HOST
    assert all(isinstance(getattr(answer.company, name) or "", str) for name in names)
    parts = {"emails": odd, "phones": odd, "addresses": odd, "key_personnel": odd}
    assert isinstance(Enrichment.decode({"domain": HOST, "contact": parts}).contact.emails, list)


def test_facts_of_sample_sites_are_on_their_pages(client):
    castings, coop = client.enrich("precision-castings.example"), client.enrich("agrifields-coop.example")
    assert castings.company.revenue_range == "£10M-£50M"
    assert (castings.company.founded_year, castings.company.headquarters.city) == (1961, "Sheffield")
    assert (coop.company.name, coop.company.company_type, coop.company.founded_year) == (
        "Agrifields", "cooperative", 1934,
    )  # fmt: skip
    assert coop.company.revenue_range is None
    assert client.enrich("openhands-charity.example").company.company_type == "nonprofit"
    assert client.enrich("openhands-charity.example").company.funding_status is None
    assert client.enrich("hirepath.example").company.business_model == "SaaS"
    assert client.enrich("campfire-rv.example").company.name == "Campfire RV"
