"""The sample web: complete, well formed, and nothing outside a site is served."""

import asyncio
import json
import re

import httpx
import pytest
from cases import every

from toolkit.interface.targets import parse_target
from toolkit.service import samples
from toolkit.service.pages.fetching import Fetcher
from toolkit.service.pages.parsed import parse_page
from toolkit.service.pages.problems import FetchProblem
from toolkit.service.samples import SampleWeb, sample_sites

SITES = sample_sites()
HOSTS = [site.host for site in SITES]
AWKWARD = {
    "big-scroll.example",
    "binary-drop.example",
    "blank-canvas.example",
    "gone-fishing.example",
    "members-only.example",
    "notes.openhands-charity.example",
    "parked-lot.example",
    "plain-words.example",
}
FILES = sorted(path for path in samples._root().rglob("*.html"))
SCRIPT = re.compile(rb'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)


def ask(url):
    request = httpx.Request("GET", url)

    async def run():
        response = await SampleWeb().handle_async_request(request)
        await response.aread()
        return response

    return asyncio.run(run())


def fetch(url):
    return asyncio.run(Fetcher().fetch(parse_target(url)))


def test_there_are_at_least_sixty_sites():
    assert len(SITES) >= 60


def test_hosts_are_sorted_and_stand_once():
    assert sorted(set(HOSTS)) == HOSTS


@every("host", ["trailhead-outfitters.example", *sorted(AWKWARD), "mischief-markup.example"])
def test_the_sites_that_examples_rely_on_are_there(host):
    assert host in HOSTS


of_every_site = every("site", SITES)
of_every_file = every("file", FILES)


@of_every_site
def test_the_host_of_a_site_is_an_example(site):
    assert site.host.endswith(".example")
    assert parse_target(site.host).domain == site.host


@of_every_site
def test_a_site_says_what_it_is_in_a_line(site):
    assert 10 < len(site.about) <= 200
    assert "\n" not in site.about


@of_every_site
def test_the_paths_of_a_site_begin_with_its_home_page(site):
    assert site.paths[0] == "/"
    assert all(path.startswith("/") for path in site.paths)


@of_every_site
def test_each_path_of_a_site_has_an_answer_of_its_own(site):
    configured = samples._configuration(samples._root() / site.host).get("pages", {})
    for path in site.paths:
        wanted = configured.get(path, {}).get("status", 200)
        assert (path, ask(f"https://{site.host}{path}").status_code) == (path, wanted)


@of_every_site
def test_a_site_has_at_least_three_pages(site):
    pages = [path for path in site.paths if ask(f"https://{site.host}{path}").status_code == 200]
    assert len(pages) >= 3 or site.host in AWKWARD


@of_every_site
def test_the_redirects_of_a_site_lead_to_its_own_pages(site):
    for path, page in samples._configuration(samples._root() / site.host).get("pages", {}).items():
        if page.get("location", "").startswith("/"):
            assert page["location"] in site.paths, path


@of_every_site
def test_www_is_the_same_site(site):
    assert ask(f"https://www.{site.host}/").content == ask(f"https://{site.host}/").content


@of_every_file
def test_the_structured_data_of_a_file_is_valid_json(file):
    for block in SCRIPT.findall(file.read_bytes()):
        json.loads(block)


@of_every_file
def test_the_address_of_a_file_is_one_of_its_site_s(file):
    steps = file.relative_to(samples._root()).parts
    assert steps[0] in HOSTS


def readable():
    for site in SITES:
        for path in site.paths:
            page = samples._configuration(samples._root() / site.host).get("pages", {}).get(path, {})
            if (
                page.get("status", 200) == 200
                and page.get("type", "text/html") == "text/html"
                and "location" not in page
            ):
                yield f"https://{site.host}{path}"


@every("url", list(readable()))
def test_each_page_is_read_without_damaged_characters(url):
    page = parse_page(fetch(url))
    assert page.title or "blank-canvas" in url
    assert "\ufffd" not in page.title + page.text


def test_there_is_a_site_in_every_language():
    found = {parse_page(fetch(f"https://{host}/")).language for host in HOSTS if host not in AWKWARD}
    assert {"de", "fr", "es", "ja", "it", "pt", "en"} - found == set()


# Awkward sites -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("gone-fishing.example", "HTTP status 404"),
        ("gone-fishing.example/old", "HTTP status 410"),
        ("gone-fishing.example/broken", "HTTP status 500"),
        ("gone-fishing.example/moved", "HTTP status 404"),
        ("gone-fishing.example/loop", "more than 5 redirects"),
        ("members-only.example", "HTTP status 401"),
        ("binary-drop.example", "serves application/pdf, not a page of text"),
        ("trailhead-outfitters.example/nothing-here", "HTTP status 404"),
        ("trailhead-outfitters.example/guides", "HTTP status 404"),
    ],
)
def test_a_site_that_has_no_page_to_give_says_why(url, problem):
    with pytest.raises(FetchProblem, match=problem):
        fetch(url)


@pytest.mark.parametrize(
    "url", ["blank-canvas.example", "blank-canvas.example/almost", "notes.openhands-charity.example"]
)
def test_an_almost_empty_page_has_too_few_words_to_classify(url):
    assert parse_page(fetch(url)).tokens < 20


def test_the_page_behind_the_login_has_a_form_and_hardly_any_text():
    page = fetch("members-only.example/welcome")
    assert b"password" in page.body
    assert parse_page(page).tokens < 60


def test_plain_words_are_plain_text():
    found = fetch("plain-words.example")
    assert found.media_type == "text/plain"
    assert parse_page(found).tokens > 100


def test_the_big_scroll_is_big():
    assert len(fetch("big-scroll.example/glossary").body) > 150_000


def test_the_shift_jis_page_is_read():
    found = fetch("sakura-onsen.example/access")
    assert found.charset.lower() == "shift_jis"
    with pytest.raises(UnicodeDecodeError):
        found.body.decode()
    assert re.search("[\u3040-\u30ff]", parse_page(found).text)


def test_a_redirect_of_a_site_is_followed():
    assert fetch("trailhead-outfitters.example/hiking-boots").url == "https://trailhead-outfitters.example/boots"


def test_the_headers_of_a_site_are_sent():
    assert ask("https://trailhead-outfitters.example/").headers["powered-by"] == "Shopify"


# Nothing else is served --------------------------------------------------------------------------------------------


@every(
    "path",
    [
        "/../ledgerline.example/index",
        "/%2e%2e/ledgerline.example/index",
        "/..%2fledgerline.example%2findex",
        "/%252e%252e/ledgerline.example/index",
        "/guides/../../ledgerline.example/index",
        "/guides/%2e%2e/%2e%2e/ledgerline.example/index",
        "/..%5cledgerline.example%5cindex",
        "/_site.toml",
        "/_site.toml%00",
        "/_site",
        "/%5fsite.toml",
        "/./_site.toml",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/../../__init__.py",
        "/%2e%2e/%2e%2e/__init__.py",
        "/%00",
        "/boots%0a",
        "/boots%00",
        "/.hidden",
        "/" + "a" * 300,
    ],
)
def test_no_path_serves_a_file_outside_the_site(path):
    answer = ask(f"https://trailhead-outfitters.example{path}")
    assert (answer.status_code, answer.content) == (404, b"")


@pytest.mark.parametrize(
    "host", ["..", "sites", "nowhere.example", "__pycache__", "example", "www.example", "a" * 60 + ".example"]
)
def test_an_unknown_host_does_not_resolve(host):
    with pytest.raises(httpx.ConnectError):
        ask(f"https://{host}/")
