"""The embedded service over HTTP: vocabulary, answers, accounts, batches and notifications."""

import hashlib
import hmac
import html
import itertools
import json
import queue
import re
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
import requests
import uvicorn
from cases import every
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolkit.interface.errors import ConfigurationError
from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.vocabulary import Vocabulary
from toolkit.service.accounts.limits import Accounts
from toolkit.service.app import create_app
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.readers import audience
from toolkit.service.samples import sample_sites
from toolkit.service.settings import Settings
from toolkit.service.subjects.content import classify

HOSTS = [site.host for site in sample_sites()]
REFUSED = {
    "blank-canvas.example": {410},
    "notes.openhands-charity.example": {410},
    "gone-fishing.example": {411},
    "members-only.example": {411},
    "binary-drop.example": {411},
    "parked-lot.example": {410},
}
PAGE = "torque-journal.example"
TEXT = "A test drive of the new electric sedan: range, charging, handling on mountain roads, and its price."
SEGMENT = "/api/audience/segment.php"
FILTERS = "/api/audience/filters.php"
WEB = "/api/std/std_web_content_filtering.php"
STD = "/api/std/std_content_filtering.php"
FALL_BACK = "use_domain_as_basis_of_categorization_for_insufficient_subdomain_content"
PATHS = {
    "std_classification": {category.path for category in Taxonomy.load("content-v3")},
    "std_taxonomy": {category.path for category in Taxonomy.load("content-v3")},
    "std_taxonomy_version2": {category.path for category in Taxonomy.load("content-v2")},
    "filtering_taxonomy": {row["name"] for row in knowledge_rows("filtering_categories.tsv")},
}
repeatable = settings(max_examples=50)
ANSWERED = [host for host in HOSTS if host not in REFUSED]
numbers = itertools.count()


class Api:
    """Plain requests to a service with one key."""

    def __init__(self, base, key):
        self.base = base
        self.key = key
        self.session = requests.Session()
        self.session.trust_env = False

    def send(self, method, path, **options):
        return self.session.request(method, f"{self.base}{path}", timeout=30, allow_redirects=False, **options)

    def bearer(self):
        return {"Authorization": f"Bearer {self.key}"}

    def get(self, path, **query):
        return self.send("GET", path, params=query, headers=self.bearer())

    def form(self, path, **form):
        return self.send("POST", path, data={"api_key": self.key, **form})

    def segment(self, query, **more):
        return self.form(SEGMENT, query=query, **{"format": "structured", **more})

    def content(self, query, data_type="url", **more):
        return self.form(WEB, query=query, data_type=data_type, **more)

    def submit(self, domains, mark=None, **more):
        headers = self.bearer() | ({} if mark is None else {"Idempotency-Key": mark})
        return self.send("POST", "/v1/batch", json={"domains": domains, **more}, headers=headers)

    def results(self, batch_id):
        return self.get(f"/v1/batch/{batch_id}/results")

    def run(self, domains, **more):
        """Run a batch to its end and return its results."""
        batch_id = self.submit(domains, **more).json()["batch_id"]
        deadline = time.monotonic() + 20
        while (response := self.results(batch_id)).status_code == 200:
            if response.json()["state"] != "processing":
                return response.json()
            assert time.monotonic() < deadline, "the batch does not end"
            time.sleep(0.01)
        raise AssertionError(f"the results are answered with {response.status_code}: {response.text}")


@contextmanager
def running(**values):
    """Run a service in a thread; yields what makes an `Api` for a key, and the app."""
    app = create_app(Settings(**values))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level=60, access_log=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started:
        assert thread.is_alive(), "the service does not start"
        assert time.monotonic() < deadline, "the service does not start"
        time.sleep(0.005)
    base = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    made = []

    def api(key="key-a"):
        made.append(Api(base, key))
        return made[-1]

    try:
        yield api, app
    finally:
        for one in made:
            one.session.close()
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def service():
    marked = (f"key-marks-{number}" for number in range(1, 6))
    keys = ("key-a", "key-b", "key-paying", "key-watching", "key-batches", *marked)
    with running(keys=keys) as (api, _):
        yield api


@pytest.fixture(scope="module")
def api(service):
    return service()


class Site(BaseHTTPRequestHandler):
    """A web site that serves what `pages` says."""

    pages: dict[str, str]

    def do_GET(self):
        body = self.pages.get(self.path, "").encode("utf-8", errors="replace")
        self.send_response(200 if body else 404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def publish():
    """Put a page on a local site and return its URL."""
    handler = type("PublishingSite", (Site,), {"pages": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()

    def published(source):
        path = f"/{next(numbers)}"
        handler.pages[path] = source
        return f"http://127.0.0.1:{server.server_port}{path}"

    published.pages = handler.pages
    yield published
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def open_service():
    """A service that may fetch private addresses: an `Api`, and the app."""
    with running(keys=("key-a",), allow_private=True) as (api, app):
        yield api(), app


@pytest.fixture(scope="module")
def open_api(open_service):
    return open_service[0]


@pytest.fixture(scope="module")
def publish_home(publish, open_service):
    """Put a page at the root of the local site, in place of the one before; return the URL of the site."""
    site = publish("<p>somewhere</p>").rsplit("/", 1)[0]

    def published(source):
        publish.pages["/"] = source
        open_service[1].state.service.library._kept.clear()
        return f"{site}/"

    return published


@pytest.fixture(scope="module")
def document(api):
    return api.send("GET", FILTERS).json()


@pytest.fixture(scope="module")
def known(document):
    return Vocabulary.parse(document)


def kept(ask):
    """Remember the answer for each host, so that many facts about it cost one request."""
    answers = {}

    def asked(host):
        if host not in answers:
            answers[host] = ask(host)
        return answers[host]

    return asked


@pytest.fixture(scope="module")
def asked(api):
    return {"segment": kept(api.segment), "content": kept(lambda host: api.content(host, confidence="1"))}


@pytest.fixture(scope="module")
def segmentation(asked):
    return kept(lambda host: asked["segment"](host).json())


@pytest.fixture(scope="module")
def content(asked):
    return kept(lambda host: asked["content"](host).json())


@pytest.fixture(scope="module")
def categories(api):
    return kept(lambda host: api.get("/v1/categorize", domain=host).json()["categories"])


def read(pairs):
    """Return path and confidence of each pair of a content answer."""
    found = []
    for named, scored in pairs:
        name, score = re.fullmatch(r"Category name: (.+)", named), re.fullmatch(r"Confidence: (\d(?:\.\d+)?)", scored)
        assert name, named
        assert score, scored
        found.append((name[1], float(score[1])))
    return found


def unknown(body):
    """Return the categories of a content answer that its taxonomies do not have."""
    return [path for name, paths in PATHS.items() for path, _ in read(body[name]) if path not in paths]


# Vocabulary ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count"),
    [("age_bracket", 8), ("gender_skew", 5), ("income_level", 6), ("education_level", 7), ("life_stage", 14)],
)
def test_an_enumeration_has_the_documented_number_of_values(known, name, count):
    assert len(known.values[name]) == count


@pytest.mark.parametrize(("kind", "groups", "members"), [("interest", 29, 285), ("purchase_intent", 34, 283)])
def test_codes_have_the_documented_numbers(known, kind, groups, members):
    assert (len(known.groups(kind)), len(known.members(kind))) == (groups, members)


def test_no_code_stands_twice_in_the_vocabulary(document):
    codes = re.findall(r'"code": "([^"]+)"', json.dumps(document))
    assert len(codes) == len(set(codes)) == 29 + 285 + 34 + 283


@pytest.mark.parametrize(
    "name",
    [
        "household_composition",
        "employment_status",
        "home_ownership",
        "urbanicity",
        "company_size_employees",
        "seniority",
        "job_function",
        "industry",
        "audience_type",
        "content_type",
        "reading_level",
        "price_signals",
        "confidence",
    ],
)
def test_every_other_enumeration_is_in_the_vocabulary(known, name):
    assert known.values[name]


def test_age_brackets_are_a_low_and_a_high(known):
    assert all(re.fullmatch(r"\d+_\d+", value) for value in known.values["age_bracket"])


def test_a_b2b_value_is_among_the_audience_types(known):
    assert "b2b" in known.values["audience_type"]


def test_the_web_filtering_taxonomy_has_58_categories():
    assert len(PATHS["filtering_taxonomy"]) == 58


class Codes(HTMLParser):
    """Collects the text of each `code` element."""

    def __init__(self):
        super().__init__()
        self.inside = False
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.inside = tag == "code"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.found.append(data)


@pytest.fixture(scope="module")
def page(api):
    response = api.send("GET", "/audience-segmentation-taxonomy.php")
    assert response.headers["content-type"].startswith("text/html")
    return response.text


def test_every_code_and_value_is_on_the_page(page, known):
    reader = Codes()
    reader.feed(page)
    wanted = set(known.codes).union(*(values for name, values in known.values.items() if name != "confidence"))
    assert wanted - set(reader.found) == set()


def test_every_label_is_on_the_page_and_escaped(page, known):
    labels = {code.label for code in known.codes.values()}
    assert any("&" in label for label in labels)
    assert [label for label in labels if html.escape(label) not in page] == []


def test_the_page_has_no_bare_ampersand(page):
    assert re.findall(r"&(?!#?\w+;).{0,20}", page.split("<script>")[0]) == []


# Answers on the sample web -------------------------------------------------------------------------------------------


# Each fact is checked on all sites in one pass; a failure names the sites.


@pytest.mark.parametrize("ask", ["segment", "content"])
def test_each_home_page_is_answered_as_its_kind_of_page(asked, ask):
    answers = {host: asked[ask](host) for host in HOSTS}
    assert [host for host, a in answers.items() if a.status_code not in REFUSED.get(host, {200})] == []
    assert [host for host, a in answers.items() if a.json()["status"] != a.status_code] == []


def test_every_emitted_value_is_in_the_vocabulary(segmentation, known):
    assert [problem for host in ANSWERED for problem in known.problems(segmentation(host))] == []


def codes_of(body):
    return body["interests"]["tier1"], body["interests"]["tier2"], body["purchase_intent"]["codes"]


def test_labels_are_those_of_the_emitted_codes_and_no_others(segmentation, known):
    for host in ANSWERED:
        emitted = set().union(*codes_of(segmentation(host)))
        assert segmentation(host)["labels"] == {code: known.label(code) for code in emitted}, host


def test_no_code_is_emitted_twice(segmentation):
    lists = [(host, codes) for host in ANSWERED for codes in codes_of(segmentation(host))]
    assert [host for host, codes in lists if len(codes) != len(set(codes))] == []


def test_each_sub_interest_has_its_group_in_tier1(segmentation):
    for host in ANSWERED:
        interests = segmentation(host)["interests"]
        assert {code.rsplit(".", 1)[0] for code in interests["tier2"]} <= set(interests["tier1"]), host


def test_personas_are_mapped_from_categories_of_the_page(segmentation, content):
    for host in ANSWERED:
        listed = {path for path, _ in read(content(host)["std_classification"])}
        personas = segmentation(host)["personas"]
        assert {persona["mapped_from"] for persona in personas} <= listed, host
        assert {persona["source"] for persona in personas} <= {"static_mapping"}, host


def test_a_persona_is_listed_once(segmentation):
    for host in ANSWERED:
        names = [persona["persona"] for persona in segmentation(host)["personas"]]
        assert len(names) == len(set(names)), host


def test_every_category_is_in_its_taxonomy(content):
    assert [path for host in ANSWERED for path in unknown(content(host))] == []


@pytest.mark.parametrize("name", PATHS)
def test_categories_are_ranked_highest_first(content, name):
    for host in ANSWERED:
        scores = [score for _, score in read(content(host)[name])]
        assert scores == sorted(scores, reverse=True), host


@pytest.mark.parametrize("name", PATHS)
def test_confidences_are_within_0_and_1(content, name):
    assert [host for host in ANSWERED for _, score in read(content(host)[name]) if not 0 <= score <= 1] == []


@pytest.mark.parametrize("name", ["std_taxonomy", "std_taxonomy_version2"])
def test_ancestors_are_listed_and_at_least_as_certain(content, name):
    for host in ANSWERED:
        scores = dict(read(content(host)[name]))
        for path, score in scores.items():
            parent = path.rpartition(" > ")[0]
            assert not parent or scores.get(parent, -1) >= score, (host, path)


@pytest.mark.parametrize("name", PATHS)
def test_no_category_is_listed_twice(content, name):
    for host in ANSWERED:
        paths = [path for path, _ in read(content(host)[name])]
        assert len(paths) == len(set(paths)), host


def test_one_answer_holds_both_taxonomies(content):
    body = content(PAGE)
    assert body["std_taxonomy"]
    assert body["std_taxonomy_version2"]


def test_the_ranked_list_has_both_names(content):
    assert content(PAGE)["std_classification"] == content(PAGE)["std_taxonomy"]


def test_a_domains_categories_are_those_of_the_taxonomy(categories):
    taxonomy = Taxonomy.load("content-v3")
    for host in ANSWERED:
        for category in categories(host):
            known = taxonomy[category["id"].rpartition("-")[2]]
            assert (category["name"], category["tier"]) == (known.name, known.tier)


def test_an_identifier_is_the_lineage_joined_by_hyphens(categories):
    taxonomy = Taxonomy.load("content-v3")
    for host in ANSWERED:
        for category in categories(host):
            *above, own = category["id"].split("-")
            assert above == [ancestor.id for ancestor in taxonomy.ancestors(own)], host


@pytest.mark.parametrize("spelling", ["https://www.Torque-Journal.example/road-tests?x=1#y", "TORQUE-JOURNAL.EXAMPLE."])
def test_a_domain_is_put_in_normal_form(api, spelling):
    assert api.get("/v1/categorize", domain=spelling).json()["domain"] == PAGE


BELOW = {site.host: [f"{site.host}{path}" for path in site.paths[1:]] for site in sample_sites()}


def test_pages_below_the_home_pages_are_categorized_in_known_values_or_refused_as_a_page(api):
    for url in itertools.chain(*(urls[::2] for urls in BELOW.values())):
        response = api.content(url)
        assert response.status_code in (200, 410, 411), url
        assert response.status_code != 200 or unknown(response.json()) == [], url


def test_pages_below_the_home_pages_are_segmented_in_known_values_or_refused_as_a_page(api, known):
    for url in [urls[-1] for urls in BELOW.values() if urls][::3]:
        response = api.segment(url)
        assert response.status_code in (200, 410, 411), url
        assert known.problems(response.json()) == (), url


@pytest.mark.parametrize("path", ["/v1/categorize", "/v1/enrich"])
def test_family_a_answers_about_the_home_page_of_a_urls_domain(api, path):
    of_page, of_domain = (api.get(path, domain=asked).json() for asked in (f"{PAGE}/road-tests?x=1", PAGE))
    for answer in (of_page, of_domain):
        del answer["meta"], answer["remaining_credits"]
    assert of_page == of_domain


@pytest.mark.parametrize("path", ["/v1/categorize", "/v1/enrich"])
def test_family_a_keeps_a_port(open_api, publish_home, path):
    url = publish_home(f"<html><body><p>{'Hiking boots and tents for walks. ' * 8}</p></body></html>")
    assert open_api.get(path, domain=f"{url}no/such/page").status_code == 200


@pytest.mark.parametrize("address", ["::1", "[::1]", "http://[::1]/page", "http://intranet/page"])
@pytest.mark.parametrize("path", ["/v1/categorize", "/v1/enrich"])
def test_a_host_of_any_form_is_well_formed(api, path, address):
    assert api.get(path, domain=address).status_code == 411


@pytest.mark.parametrize("kind", ["interest", "purchase_intent"])
def test_groups_do_not_raise_the_bar_for_members(monkeypatch, kind):
    page = page_from_text("Hiking boots, tents and trail maps for long walks in the hills with the dog. " * 6)
    categories = classify(page).v3
    before = audience.map_codes(page, kind, categories)
    matcher, page_scores = audience.code_matcher(kind), audience.page_scores
    groups = np.array([code.count(".") == 1 for code in matcher.ids])

    def with_loud_groups(scorer, page):
        return page_scores(scorer, page) + (100 * groups if scorer is matcher else 0)

    monkeypatch.setattr(audience, "page_scores", with_loud_groups)
    assert before.codes
    assert audience.map_codes(page, kind, categories) == before


@pytest.mark.parametrize("host", [PAGE, "precision-castings.example", "sakura-onsen.example"])
def test_the_same_page_gets_the_same_answer(api, host):
    first, second = (api.segment(host).json() for _ in range(2))
    assert first.pop("remaining_credits") - 1 == second.pop("remaining_credits")
    assert first == second


# Any text ------------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        "boots",
        "sedan",
        "mortgage",
        "nutrition",
        "qwxzv",
        "blorf",
        "ghjkl",
        "温泉旅館",
        "ラーメン",
        "автомобиль",
        "путешествие",
        "ゆっくり",
        "مطعم",
        "ספרים",
        "กาแฟ",
        "Straße",
        "école",
        "INT.PETS.DOGS",
        "PI.NOTHING.AT_ALL",
        "<script>",
        "=cmd()",
        "'",
        '"',
        "&",
        "😀",
        "\u202e",
        "\x00",
        "�",
        "123",
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=60).map(" ".join) | st.text(st.characters(codec="utf-8"), min_size=1)


@repeatable
@given(text=TEXTS.filter(str.strip))
@example(text="\x00")
@example(text="x" * 200_000)
@example(text="a b " * 20_000)
def test_any_text_is_classified_within_the_taxonomies_or_is_too_short(api, text):
    response = api.content(text, "text", confidence="1")
    assert response.status_code in (200, 410)
    if response.status_code == 200:
        assert unknown(response.json()) == []


@repeatable
@given(text=TEXTS)
def test_a_page_of_any_text_is_segmented_within_the_vocabulary_or_is_too_short(open_api, publish, known, text):
    url = publish(
        f"<html><head><title>{html.escape(text[:60])}</title></head><body><p>{html.escape(text)}</p></body></html>"
    )
    response = open_api.segment(url)
    assert response.status_code in (200, 410)
    if response.status_code == 200:
        assert known.problems(response.json()) == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["", "x", "2001", "9-7"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["@type", "name", "value"]), inner),
    max_leaves=4,
)
FACTS = st.dictionaries(
    st.sampled_from(
        [
            "name",
            "description",
            "foundingDate",
            "address",
            "numberOfEmployees",
            "sameAs",
            "contactPoint",
            "email",
            "telephone",
            "publisher",
        ]
    ),
    JSON,
)


@repeatable
@given(facts=FACTS, kind=st.sampled_from(["Organization", "Article", ["Store", 5], None, {}]))
@example(facts={"sameAs": 5}, kind="Organization")
@example(facts={"sameAs": True}, kind="Organization")
@example(facts={"address": ["x", {"addressCountry": []}]}, kind="Organization")
@example(facts={"publisher": {"numberOfEmployees": {"minValue": [], "maxValue": {}}}}, kind="Article")
@example(facts={"name": "\ud800"}, kind="Organization")
def test_no_structured_data_of_a_page_breaks_the_enrichment(open_api, publish_home, facts, kind):
    stated = json.dumps({"@type": kind, **facts}).replace("<", "\\u003c")
    words = "Hiking boots and tents for long walks in the hills. " * 5
    url = publish_home(f'<html><body><script type="application/ld+json">{stated}</script><p>{words}</p></body></html>')
    assert open_api.get("/v1/enrich", domain=url).status_code == 200
    assert open_api.get("/v1/enrich", domain=url, format="xml").status_code == 200


def test_a_page_on_a_private_address_is_fetched_where_that_is_allowed(open_api, publish):
    url = publish(f"<html><body><p>{'Hiking boots and tents for walks. ' * 8}</p></body></html>")
    assert open_api.segment(url).status_code == 200


def test_a_page_on_a_private_address_is_411_otherwise(api, publish):
    url = publish(f"<html><body><p>{'Hiking boots and tents for walks. ' * 8}</p></body></html>")
    assert api.segment(url).status_code == 411


# Accounts ------------------------------------------------------------------------------------------------------------

ANSWERS = {
    "segment": lambda api: api.segment(PAGE),
    "legacy": lambda api: api.form(SEGMENT, query=PAGE),
    "content of a URL": lambda api: api.content(PAGE),
    "content of a text": lambda api: api.content(TEXT, "text"),
    "categorize": lambda api: api.get("/v1/categorize", domain=PAGE),
    "enrich": lambda api: api.get("/v1/enrich", domain=PAGE),
}
ERRORS = {
    "400": lambda api: api.segment("two words"),
    "400 of family A": lambda api: api.get("/v1/enrich", domain=PAGE, include="horoscope"),
    "404": lambda api: api.results("batch_of_nobody"),
    "407": lambda api: api.form(WEB, query=PAGE),
    "410": lambda api: api.segment("blank-canvas.example"),
    "410 of a text": lambda api: api.content("boots", "text"),
    "411": lambda api: api.content("gone-fishing.example"),
    "411 of family A": lambda api: api.get("/v1/categorize", domain="binary-drop.example"),
}


def remaining(api):
    return api.content(TEXT, "text").json()["remaining_credits"]


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_costs_one_credit(service, kind):
    api = service("key-paying")
    before = remaining(api)
    response = ANSWERS[kind](api)
    assert response.status_code == 200
    assert response.json()["remaining_credits"] == before - 1


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_carries_the_total_credits(api, kind):
    assert ANSWERS[kind](api).json()["total_credits"] == Settings().total_credits


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_costs_nothing(service, kind):
    api = service("key-paying")
    before = remaining(api)
    assert ERRORS[kind](api).status_code == int(kind[:3])
    assert remaining(api) == before - 1


def test_a_batch_costs_a_credit_for_each_answer(service):
    api = service("key-paying")
    before = remaining(api)
    answer = api.run([PAGE, "gone-fishing.example", "two words", "vinyl-attic.example"])
    assert answer["successful"] == 2
    assert remaining(api) == before - 2 - 1


def test_fetching_the_results_of_a_batch_is_free(service):
    api = service("key-paying")
    batch_id = api.run([PAGE])["batch_id"]
    first, second = (api.results(batch_id).json()["remaining_credits"] for _ in range(2))
    assert first == second


def test_keys_are_separate_accounts(service):
    watching, paying = service("key-watching"), service("key-paying")
    before = remaining(watching)
    remaining(paying)
    assert remaining(watching) == before - 1


def test_one_key_serves_both_families(api):
    assert api.get("/v1/categorize", domain=PAGE).status_code == api.content(PAGE).status_code == 200


@pytest.mark.parametrize("header", ["", "key-a", "Basic key-a", "Bearer", "Bearer ", "Bearer key-a key-a", "Bearer é"])
def test_family_a_takes_the_key_from_a_bearer_header_only(api, header):
    headers = {"Authorization": header.encode()}
    assert api.send("GET", "/v1/categorize", params={"domain": PAGE}, headers=headers).status_code == 401


@pytest.mark.parametrize("path", ["/v1/categorize", "/v1/enrich"])
def test_family_a_takes_no_key_from_the_address(api, path):
    assert api.send("GET", path, params={"domain": PAGE, "api_key": "key-a"}).status_code == 401


@pytest.mark.parametrize("path", [SEGMENT, WEB, STD])
def test_family_b_takes_no_key_from_the_address(api, path):
    form = {"query": TEXT, "data_type": "text"}
    assert api.send("POST", path, params={"api_key": "key-a"}, data=form).status_code == 401


def allowance(**values):
    """Return an account and the clocks it reads: a list with the seconds, and one with the moment."""
    seconds, moment = [0.0], [datetime(2031, 1, 31, 23, 59, tzinfo=UTC)]
    accounts = Accounts(Settings(keys=("k",), **values), clock=lambda: seconds[0], now=lambda: moment[0])
    return accounts.find("k"), seconds, moment


@pytest.mark.parametrize("later", [datetime(2031, 2, 1, tzinfo=UTC), datetime(2032, 1, 31, tzinfo=UTC)])
def test_a_new_month_resets_the_quota(later):
    account, _, moment = allowance(monthly_quota=2)
    account.charge(2)
    assert account.afford().status == 403
    moment[0] = later
    assert account.afford() is None


def test_a_new_month_brings_no_credits_back():
    account, _, moment = allowance(total_credits=1)
    account.charge()
    moment[0] = datetime(2031, 2, 1, tzinfo=UTC)
    assert account.afford().status == 403


def test_quota_events_are_raised_again_in_a_new_month():
    account, _, moment = allowance(monthly_quota=5)
    expected = [[], [], [], ["quota.warning"], ["quota.exceeded"]]
    assert [account.charge() for _ in range(5)] == expected
    moment[0] = datetime(2031, 2, 1, tzinfo=UTC)
    assert [account.charge() for _ in range(5)] == expected


@pytest.mark.parametrize("quota", [1, 2, 3, 7, 10, 35, 99])
def test_the_warning_comes_with_the_answer_that_reaches_80_percent(quota):
    account, _, _ = allowance(monthly_quota=quota)
    warned = [number for number in range(1, quota + 1) if "quota.warning" in account.charge()]
    assert warned == [next(number for number in range(1, quota + 1) if 10 * number >= 8 * quota)]


def test_the_rate_limit_lets_the_burst_through_and_then_waits():
    account, seconds, _ = allowance(rate_per_second=2.0, burst=3)
    assert [account.admit() for _ in range(3)] == [None, None, None]
    assert account.admit().retry_after == pytest.approx(0.5)
    seconds[0] += 0.5
    assert account.admit() is None


def test_a_long_rest_gives_no_more_than_the_burst():
    account, seconds, _ = allowance(rate_per_second=2.0, burst=3)
    seconds[0] += 1000
    assert [account.admit() is None for _ in range(5)] == [True, True, True, False, False]


# Batches -------------------------------------------------------------------------------------------------------------

MIXED = [
    "gone-fishing.example",
    PAGE,
    "two words",
    "",
    "no-such-site.example",
    "vinyl-attic.example",
    PAGE,
    "a@b.example",
]


@pytest.fixture(scope="module")
def mixed(service):
    return service("key-batches").run(MIXED)


def test_the_results_of_a_batch_are_in_the_submitted_order(mixed):
    assert [item["domain"] for item in mixed["results"]] == MIXED


def test_each_result_of_a_batch_has_its_own_status(mixed):
    assert [item["status"] for item in mixed["results"]] == [411, 200, 400, 400, 411, 200, 200, 400]


def test_a_batch_reconciles(mixed):
    assert (mixed["total_domains"], mixed["successful"], mixed["failed"]) == (8, 3, 5)


def test_failed_results_of_a_batch_say_why(mixed):
    assert all(item["error"] for item in mixed["results"] if item["status"] != 200)


def test_a_running_batch_never_says_more_than_it_knows(service):
    api = service("key-batches")
    batch_id = api.submit([f"no-such-site-{n}.example" for n in range(300)]).json()["batch_id"]
    while (body := api.results(batch_id).json())["state"] == "processing":
        assert body["successful"] + body["failed"] == len(body["results"]) <= body["total_domains"]
    assert body["successful"] + body["failed"] == body["total_domains"] == 300


def test_a_batch_of_another_account_is_404(service):
    batch_id = service("key-batches").submit([PAGE]).json()["batch_id"]
    response = service("key-b").results(batch_id)
    assert (response.status_code, response.json()["status"]) == (404, 404)


def test_another_accounts_batch_looks_like_one_that_is_not_there(service):
    batch_id = service("key-batches").submit([PAGE]).json()["batch_id"]
    theirs, none = (service("key-b").results(name).json() for name in (batch_id, "batch_x"))
    assert theirs["error"].replace(batch_id, "batch_x") == none["error"]


def test_a_submission_with_the_same_key_is_the_same_batch(service):
    api = service("key-marks-1")
    first, second = (api.submit([PAGE, "two words"], mark="m-1") for _ in range(2))
    assert first.json()["batch_id"] == second.json()["batch_id"]
    assert [reply.headers["Idempotent-Replayed"] for reply in (first, second)] == ["false", "true"]
    assert {reply.headers["Idempotency-Key"] for reply in (first, second)} == {"m-1"}
    assert api.submit([PAGE, "two words"]).json()["batch_id"] != first.json()["batch_id"]
    assert api.submit([PAGE, "two words"], mark="m-2").json()["batch_id"] != first.json()["batch_id"]


def test_the_same_key_of_another_account_is_another_batch(service):
    names = {service(key).submit([PAGE], mark="m-1").json()["batch_id"] for key in ("key-marks-2", "key-marks-3")}
    assert len(names) == 2


@every("other", [{"domains": [PAGE, PAGE]}, {"webhook_secret": "s"}, {"domains": ["b.example"]}])
def test_the_same_key_with_another_payload_is_refused_in_words(service, other):
    api = service("key-marks-4")
    api.submit([PAGE], mark="m-1")
    reply = api.submit(**{"domains": [PAGE], "mark": "m-1", **other})
    assert reply.status_code == 400
    assert "use a new key for each batch" in reply.text


@every("mark", ["x" * 256, "caf\xe9"])
def test_an_idempotency_key_that_is_none_is_refused(service, mark):
    reply = service("key-marks-5").submit([PAGE], mark=mark.encode("latin-1"))
    assert reply.status_code == 400
    assert "Idempotency-Key must be 1 to 255 printable characters" in reply.text


def test_a_submission_is_repeated_though_the_quota_is_used_up():
    with running(keys=("key-a",), monthly_quota=1) as (service, _):
        api = service()
        first = api.submit([PAGE], mark="m-1").json()["batch_id"]
        while api.results(first).json()["state"] == "processing":
            time.sleep(0.01)
        assert api.submit([PAGE]).status_code == 403
        assert api.submit([PAGE], mark="m-1").json()["batch_id"] == first


def test_a_batch_needs_a_key(service):
    batch_id = service("key-batches").submit([PAGE]).json()["batch_id"]
    assert service("wrong").results(batch_id).status_code == 401


def test_1000_domains_are_taken(service):
    assert service("key-batches").submit(["no-dot"] * 1000).status_code == 200


def test_1001_domains_are_400(service):
    assert service("key-batches").submit(["no-dot"] * 1001).status_code == 400


def test_the_results_url_leads_to_the_results(service):
    api = service("key-batches")
    batch = api.submit([PAGE]).json()
    assert batch["results_url"] == f"{api.base}/v1/batch/{batch['batch_id']}/results"


@pytest.mark.parametrize(
    "domain", ["\ud800.example", "\x00", "a\nb.example", "é" * 300, "x" * 9000, "<script>", "💥.example"]
)
def test_no_domain_makes_the_results_of_a_batch_unreadable(service, domain):
    api = service("key-batches")
    response = api.submit([domain, PAGE])
    if response.status_code != 400:
        batch_id = response.json()["batch_id"]
        assert api.results(batch_id).status_code == 200


# Requests that are not well formed -----------------------------------------------------------------------------------

BODIES = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"text"',
    b"5",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"{}",
    b'{"domains": null}',
    b'{"domains": "torque-journal.example"}',
    b'{"domains": {"a": 1}}',
    b'{"domains": []}',
    b'{"domains": [1]}',
    b'{"domains": [null]}',
    b'{"domains": [["torque-journal.example"]]}',
    b'{"domains": ["torque-journal.example", 5]}',
    b'{"domains": NaN}',
    b'{"domains": ["torque-journal.example"], "webhook_url": 5}',
    b'{"domains": ["torque-journal.example"], "webhook_url": ["http://receiver.example"]}',
    b'{"domains": ["torque-journal.example"], "webhook_url": "receiver"}',
    b'{"domains": ["torque-journal.example"], "webhook_url": "http://"}',
    b'{"domains": ["torque-journal.example"], "webhook_url": "file:///etc/passwd"}',
    b'{"domains": ["torque-journal.example"], "webhook_secret": {}}',
    b'{"domains": ["torque-journal.example"], "webhook_secret": "\\ud800"}',
    b"domains=torque-journal.example",
    b'{"domains": ["' + b"a" * 2_100_000 + b'"]}',
]


@pytest.mark.parametrize("path", ["/v1/batch", "/v1/batch/categorize"])
@pytest.mark.parametrize("number", range(len(BODIES)), ids=[repr(body[:60]) for body in BODIES])
def test_a_batch_body_that_is_not_as_documented_is_400(api, path, number):
    response = api.send("POST", path, data=BODIES[number], headers=api.bearer())
    assert (response.status_code, response.json().get("status")) == (400, 400)


def test_a_body_that_does_not_tell_its_length_is_limited_too(api):
    parts = (b'{"domains": ["', *[b"a" * 100_000] * 30, b'"]}')
    assert api.send("POST", "/v1/batch", data=iter(parts), headers=api.bearer()).status_code == 400


def test_a_form_that_does_not_tell_its_length_is_limited_too(api):
    parts = (b"api_key=key-a&query=", *[b"a" * 100_000] * 30)
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert api.send("POST", SEGMENT, data=iter(parts), headers=headers).status_code == 400


@pytest.mark.parametrize("charset", ["unicode_escape", "undefined", "no-such-charset"])
def test_a_form_in_an_odd_charset_is_refused(api, charset):
    fields = {"api_key": "key-a", "query": "\\ud800", "data_type": "text"}
    body = "".join(f'--x\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in fields.items())
    headers = {"content-type": f"multipart/form-data; boundary=x; charset={charset}"}
    response = api.send("POST", STD, data=f"{body}--x--\r\n".encode(), headers=headers)
    # A charset that nobody knows is read as Latin-1, and the text is then too short.
    assert response.status_code == (410 if charset == "no-such-charset" else 400)


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x", ""]
)
@pytest.mark.parametrize("body", [b"", b"\xff\xfe&&&===", b"{}", b"--x\r\nbroken", b"&" * 10_000], ids=repr)
@pytest.mark.parametrize("path", [SEGMENT, WEB, STD])
def test_a_form_that_cannot_be_read_is_refused(api, path, body, kind):
    response = api.send("POST", path, data=body, headers={"content-type": kind})
    assert response.status_code in (400, 401)
    assert response.json()["status"] == response.status_code


@pytest.mark.parametrize(
    "query", ["\x00", "http://", "http://[", "http://a:99999", "://", "javascript:alert(1)", "a" * 9000]
)
def test_a_query_that_is_no_url_is_400(api, query):
    assert api.segment(query).status_code == 400


def test_a_text_of_more_than_a_million_characters_is_400(api):
    assert api.content("boots " * 200_000, "text").status_code == 400


METHODS = [
    ("POST", "/v1/categorize"),
    ("DELETE", "/v1/enrich"),
    ("GET", "/v1/batch"),
    ("PUT", "/v1/batch/categorize"),
    ("POST", "/v1/batch/x/results"),
    ("GET", SEGMENT),
    ("POST", FILTERS),
    ("GET", WEB),
    ("PATCH", STD),
    ("POST", "/audience-segmentation-taxonomy.php"),
]
of_wrong_methods = pytest.mark.parametrize(("method", "path"), METHODS)


@of_wrong_methods
def test_a_wrong_method_is_answered_with_a_json_405(api, method, path):
    response = api.send(method, path, headers=api.bearer())
    assert (response.status_code, response.json()["status"]) == (405, 405)


@of_wrong_methods
def test_a_wrong_method_is_told_the_right_one(api, method, path):
    response = api.send(method, path, headers=api.bearer())
    assert response.headers.get("Allow")
    assert method not in response.headers["Allow"]


@pytest.mark.parametrize(
    "path",
    ["/", "/v1", "/v1/nothing", "/v1/batch/x", "/v1/categorize/", "/api/audience/segment", "/%00", "/..%2f..%2fetc"],
)
def test_an_unknown_path_is_answered_with_a_json_404(api, path):
    response = api.send("GET", path, headers=api.bearer())
    assert (response.status_code, response.json()["status"]) == (404, 404)


@pytest.fixture(scope="module")
def broken():
    """An `Api` of a service that breaks when it reads a page."""

    async def break_down(*_, **__):
        raise RuntimeError("inner detail")

    with running(keys=("key-a",), rate_per_second=100.0) as (api, app):
        app.state.service.library.answer = break_down
        found = api()
        # After a break the server closes the connection, maybe while the next request is on its way.
        found.session.headers["Connection"] = "close"
        yield found


def test_a_break_inside_is_answered_with_a_json_500_that_tells_nothing(broken):
    response = broken.segment(PAGE)
    assert (response.status_code, response.json()["status"]) == (500, 500)
    assert "inner detail" not in response.text


def test_a_break_inside_carries_the_identifier_of_the_request(broken):
    response = broken.get("/v1/categorize", domain=PAGE)
    assert response.headers["X-Request-Id"] == response.json()["meta"]["request_id"]


def test_a_break_inside_costs_nothing(broken):
    before = remaining(broken)
    assert broken.segment(PAGE).status_code == 500
    assert remaining(broken) == before - 1


def test_an_answer_that_cannot_be_written_costs_nothing():
    with running(keys=("key-a",)) as (api, app):
        service = app.state.service
        whole = service.library.answer

        async def half(target, task):
            return {**await whole(target, task), "description": "\ud800"}

        service.library.answer = half
        before = remaining(api())
        assert api().get("/v1/enrich", domain="plain-words.example").status_code == 500
        assert remaining(api()) == before - 1


ADVERTISED = {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_of_an_account_has_its_rate_limit_headers(broken, kind):
    assert {name.lower() for name in ERRORS[kind](broken).headers} >= ADVERTISED


def test_an_error_of_nobodys_has_no_rate_limit_headers(api):
    response = api.send("GET", "/v1/categorize", headers={"Authorization": "Bearer wrong"})
    assert response.status_code == 401
    assert not {name.lower() for name in response.headers} & ADVERTISED


def test_one_broken_domain_fails_alone_in_a_batch():
    with running(keys=("key-a",)) as (api, app):
        whole = app.state.service.library.answer

        async def half_broken(target, task):
            if target.domain == PAGE:
                raise RuntimeError("inner detail")
            return await whole(target, task)

        app.state.service.library.answer = half_broken
        answer = api().run([PAGE, "vinyl-attic.example"])
    assert [item["status"] for item in answer["results"]] == [500, 200]


# Parameters ----------------------------------------------------------------------------------------------------------

ALWAYS = {"domain", "meta", "total_credits", "remaining_credits"}
GROUPS = {
    "company": {"company"},
    "firmographics": {"company"},
    "technologies": {"technologies"},
    "categories": {"categories", "taxonomies", "content_classification", "brand_safety_flags"},
    "traffic": {"traffic"},
    "social": {"social", "contact"},
}


@pytest.mark.parametrize("group", GROUPS)
def test_include_selects_a_data_group(api, group):
    assert set(api.get("/v1/enrich", domain=PAGE, include=group).json()) == ALWAYS | GROUPS[group]


def test_include_selects_several_data_groups(api):
    body = api.get("/v1/enrich", domain=PAGE, include="technologies, Social,technologies").json()
    assert set(body) == ALWAYS | GROUPS["technologies"] | GROUPS["social"]


@pytest.mark.parametrize("include", [{}, {"include": ""}, {"include": " , "}])
def test_without_include_every_data_group_comes(api, include):
    assert set(api.get("/v1/enrich", domain=PAGE, **include).json()) == ALWAYS.union(*GROUPS.values())


def test_company_and_firmographics_are_different_facts(api):
    host = "precision-castings.example"
    company, firm = (
        api.get("/v1/enrich", domain=host, include=g).json()["company"] for g in ("company", "firmographics")
    )
    assert company
    assert firm
    assert not set(company) & set(firm)


@pytest.mark.parametrize("include", ["horoscope", "company,horoscope", "company;social", "*"])
def test_an_unknown_include_is_400_and_named(api, include):
    response = api.get("/v1/enrich", domain=PAGE, include=include)
    assert response.status_code == 400
    assert include.split(",")[-1] in response.json()["error"]


SUBDOMAIN, ROOT = "notes.openhands-charity.example", "openhands-charity.example"


@pytest.mark.parametrize("flag", [{}, {FALL_BACK: ""}, {FALL_BACK: "0"}])
def test_without_the_flag_a_subdomain_with_little_content_is_410(api, flag):
    assert api.content(SUBDOMAIN, **flag).status_code == 410


@pytest.mark.parametrize("url", [SUBDOMAIN, f"https://{SUBDOMAIN}/no-such-page", f"never-made.{ROOT}"])
def test_with_the_flag_a_subdomain_is_answered_with_its_root_domain(api, url):
    answer = api.content(url, **{FALL_BACK: "1"}).json()
    assert answer["std_classification"] == api.content(ROOT).json()["std_classification"]


def test_the_flag_changes_nothing_for_a_page_with_content(api):
    with_flag, without = api.content(PAGE, **{FALL_BACK: "1"}).json(), api.content(PAGE).json()
    assert with_flag["std_classification"] == without["std_classification"]


@pytest.mark.parametrize(("url", "status"), [("blank-canvas.example", 410), ("gone-fishing.example/old", 411)])
def test_the_flag_does_not_help_a_root_domain(api, url, status):
    assert api.content(url, **{FALL_BACK: "1"}).status_code == status


def test_persona_scores_are_numbers_up_to_1(content):
    for host in ANSWERED:
        assert all(0 < score <= 1 for score in content(host)["buyer_personas_confidence_selection"].values()), host


def test_a_personas_score_is_that_of_its_surest_category(content, segmentation):
    for host in ANSWERED:
        sure = dict(read(content(host)["std_classification"]))
        best = {}
        for persona in segmentation(host)["personas"]:
            name = persona["persona"]
            best[name] = max(best.get(name, 0), sure[persona["mapped_from"]])
        assert content(host)["buyer_personas_confidence_selection"] == best, host


@pytest.mark.parametrize("flag", [{}, {"confidence": "0"}, {"confidence": ""}])
def test_persona_scores_come_only_when_asked_for(api, flag):
    assert "buyer_personas_confidence_selection" not in api.content(PAGE, **flag).json()


# Notifications -------------------------------------------------------------------------------------------------------

DELAYS = (0.0, 0.05, 0.05)


@contextmanager
def notifying(receiver, **values):
    configured = {"webhook_url": f"{receiver.url}/account", "webhook_secret": "account secret"}
    with running(keys=("key-a",), allow_private=True, webhook_delays=DELAYS, **configured, **values) as (api, _):
        yield api()


def digest(secret, headers, body):
    signed = headers["X-Webhook-Timestamp"].encode() + b"." + body
    return "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def events(receiver, count):
    return [(path, json.loads(body)) for path, _, body in (receiver.next() for _ in range(count))]


@pytest.fixture(scope="module")
def completed():
    """A notification of a completed batch: path, headers, body, and the batch as it was answered."""
    from listening import Receiver

    receiver = Receiver()
    with notifying(receiver) as api:
        batch = api.submit(
            [PAGE, "gone-fishing.example"], webhook_url=f"{receiver.url}/batch", webhook_secret="sécret"
        ).json()
        path, headers, body = receiver.next()
        yield path, headers, body, batch
    receiver.close()


def test_a_completed_batch_is_notified_at_its_own_address(completed):
    path, headers, body, _ = completed
    assert path == "/batch"
    assert headers["content-type"].startswith("application/json")
    assert json.loads(body)["event"] == "batch.completed"


def test_a_notification_is_signed_over_its_raw_bytes(completed):
    _, headers, body, _ = completed
    assert headers["X-Webhook-Signature"] == digest("sécret", headers, body)


def test_the_timestamp_of_a_notification_is_the_current_second(completed):
    _, headers, _, _ = completed
    assert abs(int(headers["X-Webhook-Timestamp"]) - time.time()) < 120


def test_a_notification_has_the_documented_payload(completed):
    payload = json.loads(completed[2])
    assert set(payload) == {"event", "timestamp", "webhook_id", "data"}
    assert payload["webhook_id"]
    assert datetime.fromisoformat(payload["timestamp"]).utcoffset().total_seconds() == 0


def test_a_completed_batch_is_told_as_documented(completed):
    data, batch = json.loads(completed[2])["data"], completed[3]
    assert isinstance(data.pop("processing_time_seconds"), int)
    assert data == {
        "batch_id": batch["batch_id"],
        "total_domains": 2,
        "successful": 1,
        "failed": 1,
        "results_url": batch["results_url"],
    }


def test_a_batch_without_an_address_is_notified_at_the_accounts(receiver):
    with notifying(receiver) as api:
        api.submit([PAGE])
        path, headers, body = receiver.next()
    assert path == "/account"
    assert headers["X-Webhook-Signature"] == digest("account secret", headers, body)


@pytest.fixture(scope="module")
def failed():
    """The notification of a batch whose account's quota ends within it, and the batch's results."""
    from listening import Receiver

    receiver = Receiver()
    with running(keys=("key-a",), allow_private=True, monthly_quota=2) as (make, _):
        api = make()
        batch = api.submit([PAGE] * 5, webhook_url=receiver.url, webhook_secret="s").json()
        [(_, payload)] = events(receiver, 1)
        yield payload, api.results(batch["batch_id"]).json()
    receiver.close()


def test_a_batch_fails_when_the_quota_ends_within_it(failed):
    assert failed[0]["event"] == "batch.failed"


def test_a_failed_batch_says_why(failed):
    assert "quota" in failed[0]["data"]["error"]


def test_a_failed_batch_keeps_what_was_answered(failed):
    _, results = failed
    assert sorted(item["status"] for item in results["results"]) == [200, 200, 403, 403, 403]
    assert (results["total_domains"], results["successful"], results["failed"]) == (5, 2, 3)


def test_a_failed_batch_tells_its_partial_results(failed):
    payload, results = failed
    assert payload["data"]["partial_results"] == results["results"]


def test_a_failed_batch_leads_to_its_partial_results(failed):
    payload, results = failed
    assert payload["data"]["results_url"] == results["results_url"]
    assert (payload["data"]["successful"], payload["data"]["failed"]) == (2, 3)


def test_the_quota_is_warned_of_at_80_percent_and_told_when_exhausted(receiver):
    with notifying(receiver, monthly_quota=5) as api:
        for _ in range(3):
            api.content(TEXT, "text")
        with pytest.raises(queue.Empty):
            receiver.next(0.15)
        api.content(TEXT, "text")
        [warning] = events(receiver, 1)
        api.content(TEXT, "text")
        [exceeded] = events(receiver, 1)
        assert api.content(TEXT, "text").status_code == 403
        with pytest.raises(queue.Empty):
            receiver.next(0.15)
    assert (warning[0], warning[1]["event"]) == ("/account", "quota.warning")
    assert (exceeded[0], exceeded[1]["event"]) == ("/account", "quota.exceeded")
    assert (warning[1]["data"]["used"], warning[1]["data"]["monthly_quota"]) == (4, 5)


def test_quota_events_are_signed_with_the_accounts_secret(receiver):
    with notifying(receiver, monthly_quota=1) as api:
        api.content(TEXT, "text")
        deliveries = [receiver.next() for _ in range(2)]
    assert [headers["X-Webhook-Signature"] for _, headers, _ in deliveries] == [
        digest("account secret", headers, body) for _, headers, body in deliveries
    ]


@pytest.mark.parametrize("status", [500, 404, 302])
def test_a_delivery_that_is_not_acknowledged_is_sent_again(receiver, status):
    receiver.statuses = [status]
    with notifying(receiver) as api:
        api.submit([PAGE])
        (first_path, _, first), (path, headers, second) = receiver.next(), receiver.next()
        with pytest.raises(queue.Empty):
            receiver.next(0.2)
    assert (first_path, first) == (path, second)
    assert headers["X-Webhook-Signature"] == digest("account secret", headers, second)


def test_a_delivery_is_given_up_after_the_last_attempt(receiver):
    receiver.statuses = [500] * 10
    with notifying(receiver) as api:
        api.submit([PAGE])
        bodies = [receiver.next()[2] for _ in DELAYS]
        with pytest.raises(queue.Empty):
            receiver.next(0.2)
    assert len(set(bodies)) == 1


@pytest.mark.parametrize("status", [201, 204])
def test_any_2xx_acknowledges(receiver, status):
    receiver.statuses = [status]
    with notifying(receiver) as api:
        api.submit([PAGE])
        receiver.next()
        with pytest.raises(queue.Empty):
            receiver.next(0.2)


def test_attempts_are_made_when_the_interface_says():
    assert Settings().webhook_delays == (0, 30, 120, 600, 3600)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://10.1.2.3/",
        "http://192.168.0.1/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fd00::1]/",
        "http://0.0.0.0/",
        "https://100.64.0.1/",
    ],
)
def test_a_webhook_on_a_private_address_is_refused(api, address):
    assert api.submit([PAGE], webhook_url=address).status_code == 400


def test_a_name_that_leads_to_a_private_address_gets_no_delivery(receiver):
    port = receiver.url.rsplit(":", 1)[1]
    with running(keys=("key-a",), webhook_delays=DELAYS) as (make, _):
        api = make()
        for host in ("localhost.localdomain", "ip6-localhost.", "2130706433", "0x7f000001", "0"):
            api.submit(["no-dot"], webhook_url=f"http://{host}:{port}/")
        with pytest.raises(queue.Empty):
            receiver.next(0.5)


BILLION = "1,000,000,000"
BAD_SETTINGS = [
    ({"rate_per_second": 0.0}, f"The rate must be from 1e-06 to {BILLION} requests a second, not 0.0."),
    ({"rate_per_second": float("nan")}, f"The rate must be from 1e-06 to {BILLION} requests a second, not nan."),
    ({"rate_per_second": 1e-320}, f"The rate must be from 1e-06 to {BILLION} requests a second, not 1e-320."),
    ({"burst": 0}, f"The burst must be from 1 to {BILLION} requests, not 0."),
    ({"monthly_quota": -1}, f"The quota must be from 0 to {BILLION} answers a month, not -1."),
    ({"total_credits": -1}, f"The stock of credits must be from 0 to {BILLION} credits, not -1."),
    ({"webhook_delays": (0, -1)}, f"The delay of a delivery attempt must be from 0 to {BILLION} seconds, not -1."),
    ({"webhook_secret": "\udcff"}, "The webhook secret is no text, or holds half a character. Check its encoding."),
    ({"webhook_url": ""}, "Notifications cannot be sent: webhook_url must begin with http:// or https://."),
    *(
        ({"keys": ("fine", key)}, "A key must be visible ASCII characters without spaces, at least one.")
        for key in ("", " ", "two words", "ключ", "\udcff", "line\n")
    ),
]


@every(("values", "message"), BAD_SETTINGS)
def test_settings_that_cannot_work_are_refused(values, message):
    with pytest.raises(ConfigurationError) as caught:
        Settings(**values)
    assert str(caught.value) == message


def test_secrets_and_keys_do_not_show_in_the_settings():
    shown = repr(Settings(keys=("the-key",), webhook_url="https://receiver.example", webhook_secret="the-secret"))
    assert "the-key" not in shown
    assert "the-secret" not in shown
