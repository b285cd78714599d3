"""A host with a port is a site of its own: every question about it reaches it, and its answers keep its name."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

import toolkit as tk
from toolkit import frames
from toolkit.interface.targets import parse_target
from toolkit.service.app import create_app
from toolkit.service.settings import Settings

PAGES = {
    "kites": "<meta property='og:site_name' content='Acme Kites'><p>"
    + "Kites of silk and spruce, sewn by hand in our workshop. " * 6,
    "bread": "<meta property='og:site_name' content='Daily Loaf'><p>"
    + "Sourdough bread and rye loaves, baked in our oven every morning. " * 6,
}
KEY = "key-of-ports"


class _Server(ThreadingHTTPServer):
    def __init__(self, host, page):
        class Site(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *_):
                pass

        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, 0), Site)


def _loopback_has_ipv6():
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


HOSTS = {"127.0.0.1": "127.0.0.1", **({"::1": "[::1]"} if _loopback_has_ipv6() else {})}


@pytest.fixture(scope="module")
def sites():
    """The same two pages on two ports of every loopback address: what each is called, by host and page."""
    servers = {(written, name): _Server(host, page) for host, written in HOSTS.items() for name, page in PAGES.items()}
    threads = [threading.Thread(target=server.serve_forever, args=(0.02,)) for server in servers.values()]
    for thread in threads:
        thread.start()
    yield {key: f"{key[0]}:{server.server_port}" for key, server in servers.items()}
    for server in servers.values():
        server.shutdown()
        server.server_close()
    for thread in threads:
        thread.join()


class _Service(httpx.ASGITransport):
    """A service that may fetch from the loopback; it ends with its client."""

    def __init__(self):
        self._service = create_app(Settings(keys=(KEY,), allow_private=True))
        super().__init__(self._service)

    async def aclose(self):
        await self._service.state.service.close()


def client_of(**options):
    base = "http://service.example"
    return tk.Client(KEY, base, v1_api_key=KEY, v1_base_url=base, transport=_Service(), **options)


@pytest.fixture(scope="module")
def client():
    with client_of() as client:
        yield client


@pytest.mark.parametrize("scheme", ["", "http://"])
@pytest.mark.parametrize("host", HOSTS.values())
def test_enrich_reaches_the_server_of_the_port(client, sites, host, scheme):
    kites, bread = (client.enrich(scheme + sites[host, name]) for name in PAGES)
    assert (kites.raw["company"]["name"], bread.raw["company"]["name"]) == ("Acme Kites", "Daily Loaf")
    assert (kites.domain, bread.domain) == (sites[host, "kites"], sites[host, "bread"])


@pytest.mark.parametrize("host", HOSTS.values())
def test_every_other_question_reaches_it_too(client, sites, host):
    bread = sites[host, "bread"]
    for categories in (client.categorize(bread).categories, client.categorize_content(bread).v3):
        assert any("Food & Drink" in str(category) for category in categories)
    assert client.segment(bread).raw["status"] == 200


def test_a_host_without_a_dot_is_reached_by_its_scheme_and_port(client, sites):
    port = sites["127.0.0.1", "kites"].rpartition(":")[2]
    assert client.enrich(f"http://localhost:{port}/some/page").company.name == "Acme Kites"


@pytest.mark.parametrize("by", [{}, {"by": "batch"}])
def test_two_ports_of_a_host_are_two_sites_of_a_run(client, sites, by):
    given = [sites["127.0.0.1", name] for name in PAGES]
    with client.ask(given, "categorize", **by) as run:
        found = run.categories()
    names = {name: set(found.loc[found["target"] == site, "name"]) for name, site in zip(PAGES, given, strict=True)}
    assert names["kites"]
    assert names["bread"]
    assert names["kites"] != names["bread"]
    assert set(found["normal"]) == set(given)


def test_an_answer_about_one_port_is_not_kept_for_another(sites, tmp_path):
    with client_of(store=tmp_path / "answers.db") as client:
        first, second = (client.enrich(sites["127.0.0.1", name]).company.name for name in PAGES)
    assert (first, second) == ("Acme Kites", "Daily Loaf")


def test_the_frame_names_the_port(client, sites):
    kites = sites["127.0.0.1", "kites"]
    assert frames.companies(client.enrich(kites)).loc[0, ["target", "name"]].tolist() == [kites, "Acme Kites"]


@pytest.mark.parametrize(
    ("text", "site"),
    [
        ("example.com:8443", "example.com:8443"),
        ("https://www.example.com:8443/a?b=c", "example.com:8443"),
        ("https://example.com:443", "example.com"),
        ("http://example.com:80/a", "example.com"),
        ("https://example.com:80", "example.com"),
        ("http://[::1]:8080/a", "[::1]:8080"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("http://localhost:8080/a", "http://localhost:8080"),
    ],
)
def test_a_site_is_a_domain_with_its_port(text, site):
    assert parse_target(text).site == site
