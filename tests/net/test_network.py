"""Corporate networks: proxies, certificate authorities, and what is said where one of them refuses."""

import os
import re
import socket
import ssl
import subprocess
import sys
import traceback
from pathlib import Path

import httpx
import pytest
from networks import AUTHORITY, DIGEST, Proxy, Service

import toolkit as tk
from toolkit.interface import errors
from toolkit.net.certificates import InsecureWarning

KEY = "corporatekey77aa31"
PASSWORD = "s3cret!pass"
NAMES = (
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
)  # fmt: skip
FOREIGN = re.compile(r"Client\w*(Error|Certificate|Connector|SSL|DNS|Proxy|OS)|Ssl|SSLCert|aiohttp|httpx|Errno|\[SSL")


@pytest.fixture
def started():
    """Start servers, which are closed at the end."""
    found = []

    def start(kind, *args, **options):
        found.append(kind(*args, **options))
        return found[-1]

    yield start
    for server in found:
        server.close()


def client_of(url, **options):
    given = {"timeout": 5.0, "retries": tk.Retries(first_wait=0.0, longest_wait=0.0), **options}
    return tk.Client(KEY, url, v1_base_url=url, **given)


def ask(url, **options):
    with client_of(url, **options) as client:
        return client.categorize("a.example")


def refused(url, **options):
    """Ask, and return the error, which shows no key, no password and no name of another library."""
    with client_of(url, **options) as client, pytest.raises(errors.ToolkitError) as caught:
        client.categorize("a.example")
    error = caught.value
    shown = f"{error!r} {error} {vars(error)} {client!r} {''.join(traceback.format_exception(error))}"
    assert KEY not in shown
    assert PASSWORD not in shown
    assert not FOREIGN.search(str(error)), str(error)
    return error


# Proxies ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("login", ["", f"ann:{PASSWORD}", "müller:pass wort"])
@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
@pytest.mark.parametrize("way", ["argument", "variable", "small", "all"])
def test_requests_go_through_the_proxy_that_is_named(started, monkeypatch, secure, way, login):
    service = started(Service, "good" if secure else None)
    proxy = started(Proxy, login or None)
    name, _, word = (part.replace(" ", "%20").replace("ü", "%C3%BC") for part in login.partition(":"))
    address = proxy.url.replace("//", f"//{name}:{word.replace('!', '%21')}@") if login else proxy.url
    options = {}
    if way == "argument":
        options["proxy"] = address
    else:
        scheme = "https" if secure else "http"
        monkeypatch.setenv(
            {"variable": f"{scheme.upper()}_PROXY", "small": f"{scheme}_proxy", "all": "ALL_PROXY"}[way], address
        )
    with client_of(service.url, verify=AUTHORITY, **options) as client:
        for _ in range(2):
            assert client.categorize("a.example").domain == "a.example"
    assert {method for method, _ in proxy.asked} == {"CONNECT" if secure else "GET"}
    assert set(proxy.logins) == {login}
    (_, _, headers, _), *_ = service.requests
    assert headers.get("authorization", headers.get("Authorization")) == f"Bearer {KEY}"
    assert "proxy" not in " ".join(headers).lower()


def test_key_is_inside_the_tunnel_alone(started):
    service, proxy = started(Service, "good"), started(Proxy)
    ask(service.url, verify=AUTHORITY, proxy=proxy.url)
    assert proxy.asked == [("CONNECT", f"127.0.0.1:{service.port}")]


@pytest.mark.parametrize(
    "hosts",
    ["127.0.0.1", "other.example, 127.0.0.1", "*", "127.0.0.0/8", "{place}", "10.0.0.0/8,127.0.0.1/32"],
)
@pytest.mark.parametrize("name", ["NO_PROXY", "no_proxy"])
def test_a_host_that_needs_no_proxy_is_reached_directly(started, monkeypatch, hosts, name):
    service, proxy = started(Service), started(Proxy)
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    monkeypatch.setenv(name, hosts.format(place=service.url.partition("//")[2]))
    ask(service.url)
    assert (proxy.asked, len(service.requests)) == ([], 1)


@pytest.mark.parametrize("hosts", ["", "other.example", "10.0.0.0/8", "127.0.0.1:1", "not/a/network"])
def test_another_host_goes_through_the_proxy(started, monkeypatch, hosts):
    service, proxy = started(Service), started(Proxy)
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    monkeypatch.setenv("NO_PROXY", hosts)
    ask(service.url)
    assert len(proxy.asked) == 1


@pytest.mark.parametrize(
    ("hosts", "way"),
    [("*.corp.example", 0), ("*.other.example", 1), (".corp.example", 0), ("corp.example", 0), ("orp.example", 1)],
)
def test_names_below_a_name_are_reached_directly(started, monkeypatch, hosts, way):
    proxy = started(Proxy, status=403)
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    monkeypatch.setenv("NO_PROXY", hosts)
    with tk.Client(KEY, "https://api.corp.example") as client, pytest.raises(errors.ConnectionFailedError):
        client.segment("a.example")
    assert len(proxy.asked) == way


def test_no_proxy_at_all_can_be_said(started, monkeypatch):
    service, proxy = started(Service), started(Proxy)
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    ask(service.url, proxy=False)
    assert proxy.asked == []


def test_an_argument_wins_over_the_environment(started, monkeypatch):
    service, proxy, other = started(Service), started(Proxy), started(Proxy)
    monkeypatch.setenv("HTTP_PROXY", other.url)
    monkeypatch.setenv("NO_PROXY", "*")
    ask(service.url, proxy=proxy.url)
    assert (len(proxy.asked), other.asked) == (1, [])


def test_the_environment_is_read_when_the_client_is_made(started, monkeypatch):
    service, proxy = started(Service), started(Proxy)
    with client_of(service.url) as client:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        client.categorize("a.example")
    assert proxy.asked == []


def test_each_family_goes_its_own_way(started, monkeypatch):
    secure, plain, proxy = started(Service, "good"), started(Service), started(Proxy)
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    with tk.Client(KEY, plain.url, v1_api_key=KEY, v1_base_url=secure.url, verify=AUTHORITY) as client:
        client.categorize("a.example")
        client.segment("a.example")
    assert proxy.asked == [("CONNECT", f"127.0.0.1:{secure.port}")]


def test_a_run_of_the_command_goes_through_the_proxy(started, tmp_path):
    service, proxy = started(Service, "good"), started(Proxy, f"ann:{PASSWORD}")
    environment = {name: text for name, text in os.environ.items() if name.upper() not in NAMES} | {
        "TOOLKIT_V1_BASE_URL": service.url.replace("127.0.0.1", "localhost"),
        "TOOLKIT_V1_API_KEY": KEY,
        "HTTPS_PROXY": proxy.url.replace("//", f"//ann:{PASSWORD}@"),
        "SSL_CERT_FILE": str(AUTHORITY),
    }
    command = [
        sys.executable,
        "-c",
        "from toolkit.cli.main import main; raise SystemExit(main())",
        "run",
        "-",
        "--ask",
        "categorize",
        "--store",
        str(tmp_path / "s.db"),
    ]
    done = subprocess.run(
        command,
        input="a.example\n",
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {target for _, target in proxy.asked} == {f"localhost:{service.port}"}
    assert PASSWORD not in done.stdout + done.stderr
    assert KEY not in done.stdout + done.stderr


@pytest.mark.parametrize("login", ["", "ann:wrong"])
@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
def test_a_proxy_that_wants_a_password_says_so(started, secure, login):
    service, proxy = started(Service, "good" if secure else None), started(Proxy, f"ann:{PASSWORD}")
    error = refused(service.url, verify=AUTHORITY, proxy=proxy.url.replace("//", f"//{login}@" if login else "//"))
    assert isinstance(error, errors.ConnectionFailedError)
    said = "refused the name and password" if login else "wants a name and password"
    assert f"the proxy 127.0.0.1:{proxy.port} {said} (407)" in str(error)
    assert "wrong" not in str(error)
    assert (len(proxy.asked), service.requests) == (1, [])


@pytest.mark.parametrize(
    ("status", "words", "times"),
    [(403, "lets nothing through", 1), (502, "could not reach", 4), (503, "could not reach", 4)],
)
def test_a_proxy_that_makes_no_tunnel_says_so(started, status, words, times):
    service, proxy = started(Service, "good"), started(Proxy, status=status)
    error = refused(service.url, verify=AUTHORITY, proxy=proxy.url)
    assert isinstance(error, errors.ConnectionFailedError)
    assert f"the proxy 127.0.0.1:{proxy.port} {words}" in str(error)
    assert f"({status})" in str(error)
    assert (len(proxy.asked), service.requests) == (times, [])


def test_a_proxy_that_is_not_there_is_named(unused_port):
    error = refused("https://api.corp.example", proxy=f"http://ann:{PASSWORD}@127.0.0.1:{unused_port}")
    assert f"no connection to the proxy 127.0.0.1:{unused_port}: the connection was refused" in str(error)
    assert "HTTPS_PROXY" in str(error)


@pytest.mark.parametrize(
    "address",
    [
        f"socks5://ann:{PASSWORD}@127.0.0.1:1080",
        f"http://ann:{PASSWORD}@",
        f"ftp://{PASSWORD}",
        f"http://[{PASSWORD}",
        f"http://x:{PASSWORD}",
    ],
)
@pytest.mark.parametrize("way", ["argument", "variable"])
def test_what_is_no_address_of_a_proxy_is_refused_without_being_shown(monkeypatch, address, way):
    if way == "variable":
        monkeypatch.setenv("ALL_PROXY", address)
    with pytest.raises(
        errors.ConfigurationError, match=r"(proxy|ALL_PROXY) (names a proxy of|is no address)"
    ) as caught:
        client_of("https://api.corp.example", **({"proxy": address} if way == "argument" else {}))
    assert PASSWORD not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("proxy", [5, True, b"http://x", ["http://x"]])
def test_a_proxy_of_another_kind_is_refused(proxy):
    with pytest.raises(errors.ConfigurationError, match="proxy must be a URL"):
        client_of("https://api.corp.example", proxy=proxy)


@pytest.mark.parametrize("options", [{"proxy": "http://x"}, {"verify": False}, {"proxy": False}])
def test_the_network_beside_a_transport_in_its_place_is_refused(options):
    with pytest.raises(errors.ConfigurationError, match="transport=… stands in the place of the network"):
        client_of("https://api.corp.example", transport=httpx.MockTransport(lambda _: httpx.Response(200)), **options)


def test_a_407_of_the_service_itself_stays_the_interfaces(started):
    service = started(Service, status=407, body=b'{"status": 407, "error": "data_type missing"}')
    assert isinstance(refused(service.url), errors.DataTypeError)


# Certificates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verify", [AUTHORITY, str(AUTHORITY), ssl.create_default_context(cafile=AUTHORITY)], ids=["path", "text", "context"]
)
def test_a_service_of_an_own_authority_is_trusted_where_that_is_named(started, verify):
    assert ask(started(Service, "good").url, verify=verify).domain == "a.example"


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_the_environment_names_authorities(started, monkeypatch, name):
    monkeypatch.setenv(name, str(AUTHORITY))
    assert ask(started(Service, "good").url).domain == "a.example"


def test_all_that_the_environment_names_are_trusted(started, monkeypatch):
    import certifi

    monkeypatch.setenv("SSL_CERT_FILE", certifi.where())
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(AUTHORITY))
    assert ask(started(Service, "good").url).domain == "a.example"


def test_a_folder_of_authorities_is_read(started, monkeypatch, tmp_path):
    # OpenSSL finds an authority by the digest of its subject, which this one has.
    (tmp_path / f"{DIGEST}.0").write_bytes(AUTHORITY.read_bytes())
    service = started(Service, "good")
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert ask(service.url).domain == "a.example"
    monkeypatch.delenv("SSL_CERT_DIR")
    assert ask(service.url, verify=tmp_path).domain == "a.example"


@pytest.mark.parametrize(
    ("certificate", "options", "words"),
    [
        ("good", {}, "is not trusted: no authority that this machine knows has signed it"),
        ("expired", {"verify": AUTHORITY}, "has expired"),
        ("other", {"verify": AUTHORITY}, "is for another name"),
    ],
)
@pytest.mark.parametrize("tunnel", [False, True], ids=["direct", "tunnel"])
def test_a_certificate_that_fails_is_said_in_words(started, certificate, options, words, tunnel):
    service = started(Service, certificate)
    if tunnel:
        options = {**options, "proxy": started(Proxy).url}
    error = refused(service.url, **options)
    assert isinstance(error, errors.ConnectionFailedError)
    assert f"the certificate of 127.0.0.1 {words}" in str(error)
    assert ("SSL_CERT_FILE" in str(error)) == (certificate == "good")
    assert (service.connections <= 1, service.requests) == (True, [])


def test_a_certificate_that_fails_stops_a_run_at_once(started):
    service = started(Service, "good")
    with client_of(service.url) as client:
        run = client.ask([f"site-{number}.example" for number in range(60)], "categorize", concurrency=1)
        assert run.progress.reason == "the service cannot be reached"
        assert "not trusted" in run.failures()["error"].iloc[0]
    assert service.connections == 1


def test_certificates_may_go_unchecked_with_a_warning(started):
    service = started(Service, "other")
    with pytest.warns(InsecureWarning, match="certificates are not checked") as caught:
        assert ask(service.url, verify=False).domain == "a.example"
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    ("verify", "words"),
    [
        ("no-such.pem", "cannot be read"),
        (Path(__file__), "holds no certificates"),
        (5, "verify must be True"),
        (None, "verify must be True"),
    ],
)
def test_what_names_no_authority_is_refused_when_the_client_is_made(verify, words):
    with pytest.raises(errors.ConfigurationError, match=words):
        client_of("https://api.corp.example", verify=verify)


def test_a_variable_that_names_no_authority_is_refused_by_its_name(monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/no/such/bundle.pem")
    with pytest.raises(errors.ConfigurationError, match=r"REQUESTS_CA_BUNDLE: /no/such/bundle.pem cannot be read"):
        client_of("https://api.corp.example")


# What else may stand in the way --------------------------------------------------------------------------------------


@pytest.fixture
def unused_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def test_a_plain_service_where_tls_was_asked_for(started):
    error = refused(started(Service).url.replace("http:", "https:"), verify=AUTHORITY)
    assert "does not speak TLS" in str(error)
    assert "http://" in str(error)


def test_a_service_with_tls_where_none_was_asked_for(started):
    error = refused(started(Service, "good").url.replace("https:", "http:"))
    assert isinstance(error, errors.ConnectionFailedError)


def test_a_connection_that_is_refused(unused_port):
    error = refused(f"http://127.0.0.1:{unused_port}")
    assert "no connection to 127.0.0.1: the connection was refused" in str(error)


def test_a_name_that_is_not_known():
    error = refused("http://no-such-host.invalid", retries=tk.Retries(attempts=1))
    assert "no connection to no-such-host.invalid: its name is not known here (DNS)" in str(error)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("https://new.example/deep/path?token=abc", "it sends to https://new.example;"),
        ("//new.example/x", "it sends to https://new.example;"),
        ("/elsewhere", "it sends to another path of the same address;"),
        ("https://user:pw@new.example", "it sends to https://new.example;"),
        ("https://[", ""),
    ],
)
def test_a_redirect_says_where_and_what_to_do(stub, code, location, said):
    stub.reply(code, b"", {"location": location})
    with stub.client() as client, pytest.raises(errors.MovedError) as caught:
        client.categorize("a.example")
    words = str(caught.value)
    assert said.rstrip(";") in words
    assert "Neither the request nor the key was sent there" in words
    assert "base URL" in words
    assert not re.search("token|abc|deep|pw", words)
    assert (caught.value.status, len(stub.requests)) == (code, 1)


@pytest.mark.parametrize("status", [408, 425])
@pytest.mark.parametrize("place", ["http", "body"])
def test_a_request_that_was_not_taken_in_time_is_tried_again(stub, status, place):
    stub.reply(status if place == "http" else 200, {"status": status, "error": "slow"}).reply(
        200, {"categories": [], "domain": "a.example"}
    )
    with stub.client() as client:
        client.categorize("a.example")
    assert len(stub.requests) == 2


def test_a_run_tries_again_after_408(stub):
    stub.reply(408, b"").reply(200, {"categories": [{"id": "1", "name": "A"}], "domain": "a.example"})
    with stub.client() as client:
        assert client.ask(["a.example"], "categorize").progress.answered == 1


def test_a_batch_is_not_submitted_again_after_408(stub):
    stub.reply(408, b"")
    with stub.client() as client, pytest.raises(errors.ServerError):
        client.submit_batch(["a.example"])
    assert len(stub.requests) == 1


def test_a_run_through_an_address_that_has_moved_stops_at_once(stub):
    stub.reply(301, b"", {"location": "https://new.example/"})
    sites = [f"s{number}.example" for number in range(50)]
    with stub.client() as client, client.run(sites, "categorize", concurrency=4).start(progress=False) as run:
        assert (run.progress.state, run.progress.reason) == ("stopped", "the service cannot be reached")
        assert "it sends to https://new.example" in str(run.failures()["error"][0])
        assert len(stub.requests) <= 4
