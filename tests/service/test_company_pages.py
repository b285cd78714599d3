"""The facts of companies on whole pages of many kinds: what an enrichment says of each is its owner's own."""

import company_sites
import company_sites_by_class
import company_sites_unseen
import pytest
from company_pages import differences

import toolkit as tk
from toolkit.service import samples

SITES = [*company_sites.SITES, *company_sites_by_class.SITES, *company_sites_unseen.SITES]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    root = tmp_path_factory.mktemp("companies")
    for site in SITES:
        (root / site.host).mkdir()
        (root / site.host / "index.html").write_text(site.html, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, tk.Client() as client:
        patch.setattr(samples, "_root", lambda: root)
        yield client


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.host)
def test_the_facts_of_a_page_are_its_owner_s(client, site):
    assert differences(site.expected, client.enrich(site.host)) == []
