"""Fetching: no private address, and every bound holds. The pages come from a local server and the sample web."""

import asyncio
import gzip
import itertools
import socket
import threading
import tracemalloc
import zlib

import pytest
from cases import every

from toolkit.interface.errors import TargetError
from toolkit.interface.targets import parse_target
from toolkit.service import samples
from toolkit.service.pages.addresses import is_public_address
from toolkit.service.pages.fetching import Fetcher
from toolkit.service.pages.limits import FetchLimits
from toolkit.service.pages.problems import FetchProblem

PAGE = b"<html><title>Boots</title><p>Boots for wide feet</p></html>"
TLS_RECORD = b"\x16"


class Site:
    """A server on 127.0.0.1 whose answers a test chooses, also those that break the protocol."""

    def __init__(self):
        self.heads = []
        self.tls_pause = 0
        self._answers = {}
        self._numbers = itertools.count()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=asyncio.run, args=(self._run(),))
        self._thread.start()
        assert self._ready.wait(10)

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def serve(self, body=PAGE, *, status=200, **headers):
        """Answer with a body; `headers` are written with underscores, None leaves one out."""
        named = {"content-type": "text/html", "content-length": str(len(body)), "connection": "close"}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{name}: {value}" for name, value in named.items() if value is not None]
        return self.raw(
            f"HTTP/1.1 {status} Said\r\n".encode() + "".join(f"{x}\r\n" for x in lines).encode() + b"\r\n" + body
        )

    def raw(self, *parts, endless=False, pause=0.0):
        """Answer with these bytes, each after a pause, the last one again and again if it is endless."""
        path = f"/{next(self._numbers)}"
        self._answers[path] = (parts, endless, pause)
        return self.origin + path

    def requests(self, url):
        path = url.removeprefix(self.origin)
        return [head for head in self.heads if head.split(" ")[1] == path]

    def stop(self):
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(10)

    async def _run(self):
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopping.wait()
        server.close()

    async def _answer(self, reader, writer):
        try:
            first = await reader.readexactly(1)
            if first == TLS_RECORD:
                await asyncio.sleep(self.tls_pause)
                writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                return
            head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.heads.append(head)
            parts, endless, pause = self._answers[head.split(" ")[1].split("?")[0]]
            for part in itertools.chain(parts, itertools.repeat(parts[-1]) if endless else ()):
                await asyncio.sleep(pause)
                writer.write(part)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, KeyError):
            pass
        except asyncio.CancelledError:
            return
        finally:
            writer.close()


@pytest.fixture(scope="module")
def site():
    site = Site()
    yield site
    site.stop()


@pytest.fixture
def names(monkeypatch):
    """What made-up names resolve to; every name that was looked up stands in `asked`."""

    class Names(dict):
        asked: list

    known, real = Names(), socket.getaddrinfo
    known.asked = []

    def getaddrinfo(host, port, *args, **kwargs):
        if host in known:
            return real(known[host], port, *args, **kwargs)
        known.asked.append(host)
        if str(host).endswith(".test"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return known


@pytest.fixture
def sample_redirect(tmp_path, monkeypatch):
    """A site of the sample web that redirects to an address."""

    def to(location):
        folder = tmp_path / "signpost.example"
        folder.mkdir(exist_ok=True)
        (folder / "_site.toml").write_text(f"[pages.'/']\nstatus = 302\nlocation = '{location}'\n", encoding="utf-8")
        return "https://signpost.example/"

    monkeypatch.setattr(samples, "_root", lambda: tmp_path)
    return to


def fetch(target, *, allow_private=True, sample_web=True, **limits):
    async def run():
        fetcher = Fetcher(FetchLimits(**limits), allow_private=allow_private, sample_web=sample_web)
        try:
            return await fetcher.fetch(parse_target(target))
        finally:
            await fetcher.close()

    return asyncio.run(run())


def chunked(*parts):
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


# Addresses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1", "2002:101:101::1"]
)
def test_a_public_address_is_public(address):
    assert is_public_address(address)


@every(
    "address",
    [
        "0.0.0.0",  # noqa: S104 - an address to refuse
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "fe80::1%eth0",
        "ff0e::1",
        "2001:db8::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:100.64.0.1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "64:ff9b::7f00:1",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::7f00:1",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "fec0::1",
        "::127.0.0.1",
        "::1.1.1.1",
        "192.0.0.8",
        "192.88.99.1",
        "3fff::1",
        "5f00::1",
    ],
)
def test_an_address_that_is_not_for_everyone_is_not_public(address):
    assert not is_public_address(address)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7f.0x1",
        "0",
        "0.0.0.0",  # noqa: S104 - an address to refuse
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
    ],
)
def test_no_spelling_of_the_own_machine_is_reached(site, host):
    url = site.serve()
    with pytest.raises((FetchProblem, TargetError)):
        fetch(url.replace("127.0.0.1", host), allow_private=False, seconds=3)
    assert site.requests(url) == []


@pytest.mark.parametrize(
    "host",
    ["10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[64:ff9b::a9fe:a9fe]", "[2002:a00:1::]"],
)
def test_a_private_address_is_refused_by_its_name(host):
    with pytest.raises(FetchProblem, match="is not a public address"):
        fetch(f"http://{host}/latest/meta-data", allow_private=False)


@pytest.mark.parametrize("name", ["intranet.test", "metadata.test"])
def test_a_name_that_resolves_to_a_private_address_is_refused(site, names, name):
    names[name] = "127.0.0.1"
    url = site.serve()
    with pytest.raises(FetchProblem) as caught:
        fetch(url.replace("127.0.0.1", name), allow_private=False)
    assert site.requests(url) == []
    assert str(caught.value) == f"no connection to {name}"


@pytest.mark.parametrize("way", ["", "http://", "https://", "redirect"])
def test_a_refusal_does_not_tell_which_private_names_there_are(site, names, sample_redirect, way):
    names["intranet.test"] = "127.0.0.1"
    url, said = site.serve(), {}
    for name in ("intranet.test", "nobody.test"):
        asked = url.replace("http://127.0.0.1", name)
        asked = sample_redirect(f"http://{asked}") if way == "redirect" else f"{way}{asked}"
        with pytest.raises(FetchProblem) as caught:
            fetch(asked, allow_private=False, seconds=5)
        said[name] = str(caught.value).replace(name, "NAME")
    assert said["intranet.test"] == said["nobody.test"]


def test_a_name_that_resolves_to_a_private_address_is_fetched_where_that_is_allowed(site, names):
    names["intranet.test"] = "127.0.0.1"
    assert fetch(site.serve().replace("127.0.0.1", "intranet.test")).body == PAGE


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "intranet.test", "2130706433", "[::ffff:127.0.0.1]"])
def test_a_redirect_to_a_private_address_is_not_followed(site, names, sample_redirect, host):
    names["intranet.test"] = "127.0.0.1"
    url = site.serve()
    with pytest.raises(FetchProblem):
        fetch(sample_redirect(url.replace("127.0.0.1", host)), allow_private=False, seconds=3)
    assert site.requests(url) == []


def test_a_redirect_from_the_sample_web_is_followed_where_private_addresses_are_allowed(site, sample_redirect):
    assert fetch(sample_redirect(site.serve())).body == PAGE


def test_a_proxy_of_the_environment_is_not_used(site, monkeypatch):
    # A proxy would resolve names itself, past the check.
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert fetch(site.serve()).body == PAGE


# Redirects ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_to_where_the_page_is(site, status):
    url = site.serve()
    found = fetch(site.serve(b"", status=status, location=url))
    assert (found.url, found.body) == (url, PAGE)


@pytest.mark.parametrize("make", [lambda url: "/" + url.rsplit("/", 1)[1], lambda url: url.removeprefix("http:")])
def test_a_relative_redirect_is_followed(site, make):
    url = site.serve()
    assert fetch(site.serve(b"", status=302, location=make(url))).url == url


def chain(site, length):
    url = site.serve()
    for _ in range(length):
        url = site.serve(b"", status=302, location=url)
    return url


def test_as_many_redirects_as_the_limit_are_followed(site):
    assert fetch(chain(site, 3), redirects=3).body == PAGE


def test_one_redirect_more_than_the_limit_is_a_problem(site):
    with pytest.raises(FetchProblem, match="more than 3 redirects"):
        fetch(chain(site, 4), redirects=3)


def test_a_redirect_loop_ends(site):
    url = site.serve(b"", status=302, location="?again")
    with pytest.raises(FetchProblem, match="more than 5 redirects"):
        fetch(url)
    assert len(site.requests(url)) + len(site.requests(f"{url}?again")) == 6


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "ftp://files.test/",
        "data:text/html,hello",
        "mailto:a@b.test",
        "gopher://127.0.0.1/",
        "http://user:secret@127.0.0.1/",
        "http://",
        "http://two words.test/",
        "http://[::1",
        "http://[nonsense]/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:port/",
        "https://" + "a" * 300 + ".test/",
    ],
)
def test_a_redirect_to_no_web_address_is_a_problem(site, location):
    with pytest.raises(FetchProblem):
        fetch(site.serve(b"", status=302, location=location))


def test_a_redirect_without_a_location_is_an_error_status(site):
    with pytest.raises(FetchProblem, match="HTTP status 302"):
        fetch(site.serve(b"", status=302))


# Size and time -----------------------------------------------------------------------------------------------------


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"


def test_a_page_that_never_ends_is_cut_at_the_size_limit(site):
    part = b"%x\r\n%s\r\n" % (65_536, b"w" * 65_536)
    url = site.raw(HEAD + b"transfer-encoding: chunked\r\n\r\n", part, endless=True)
    assert fetch(url, body_bytes=100_001).body == b"w" * 100_001


def test_a_page_of_two_gigabytes_is_cut_at_the_size_limit(site):
    url = site.raw(HEAD + b"content-length: 2147483648\r\n\r\n", b"w" * 65_536, endless=True)
    assert fetch(url, body_bytes=100_001).body == b"w" * 100_001


def test_a_page_that_trickles_for_ever_is_given_up_after_the_time_limit(site):
    url = site.raw(HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\nw\r\n", endless=True, pause=0.02)
    with pytest.raises(FetchProblem, match=r"no complete answer within 0\.3 seconds"):
        fetch(url, seconds=0.3)


def test_a_server_that_does_not_answer_is_given_up_after_the_time_limit(site):
    with pytest.raises(FetchProblem, match=r"no complete answer within 0\.2 seconds"):
        fetch(site.raw(b"", pause=30), seconds=0.2)


def test_the_time_limit_covers_all_redirects_together(site):
    url = site.serve()
    for _ in range(4):
        head = f"HTTP/1.1 302 Found\r\nlocation: {url}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        url = site.raw(head.encode(), pause=0.2)
    with pytest.raises(FetchProblem, match="no complete answer"):
        fetch(url, seconds=0.5)


@pytest.fixture(scope="module")
def bomb():
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    million = bytes(1_000_000)
    return b"".join(pack.compress(million) for _ in range(200)) + pack.flush()


def test_a_small_body_that_unfolds_to_200_megabytes_stays_small_in_memory(site, bomb):
    url = site.serve(bomb, content_encoding="gzip")
    tracemalloc.start()
    try:
        found = fetch(url, body_bytes=1_000_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found.body) == 1_000_000
    assert peak < 20_000_000


def test_the_size_limit_counts_unpacked_bytes_exactly(site):
    url = site.serve(gzip.compress(PAGE * 100), content_encoding="gzip")
    assert fetch(url, body_bytes=777).body == (PAGE * 100)[:777]


# Encodings ---------------------------------------------------------------------------------------------------------


def raw_deflate(data):
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    return pack.compress(data) + pack.flush()


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("identity", bytes),
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", raw_deflate),
    ],
)
@pytest.mark.parametrize("length", [0, 1, 50, 65_536, 65_600, 131_072, 300_000])
def test_a_compressed_page_is_unpacked_whole(site, encoding, pack, length):
    data = b"w" * length
    assert fetch(site.serve(pack(data), content_encoding=encoding)).body == data


def test_a_gzip_body_of_several_members_is_unpacked_whole(site):
    url = site.serve(gzip.compress(b"first ") + gzip.compress(b"second"), content_encoding="gzip")
    assert fetch(url).body == b"first second"


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, raw_deflate])
def test_a_compressed_page_that_comes_byte_by_byte_is_unpacked_whole(site, pack):
    data = pack(PAGE)
    head = HEAD + b"content-encoding: %s\r\n" % (b"gzip" if pack is gzip.compress else b"deflate")
    head += b"content-length: %d\r\nconnection: close\r\n\r\n" % len(data)
    url = site.raw(head, *(data[place : place + 1] for place in range(4)), data[4:], pause=0.01)
    assert fetch(url).body == PAGE


@pytest.mark.parametrize("padding", [b"\x00", bytes(600), b"\x1f", b"not gzip"])
def test_what_follows_a_gzip_body_is_padding(site, padding):
    assert fetch(site.serve(gzip.compress(PAGE) + padding, content_encoding="gzip")).body == PAGE


@pytest.mark.parametrize("length", [1, 5, 15, 60, -1, -4])
def test_a_gzip_body_that_is_cut_off_is_a_problem(site, length):
    whole = gzip.compress(bytes(range(256)) * 4)
    with pytest.raises(FetchProblem, match=r"^the compressed body is cut off$"):
        fetch(site.serve(whole[:length], content_encoding="gzip"))


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_damaged_compressed_body_is_a_problem(site, encoding):
    with pytest.raises(FetchProblem, match=r"^the compressed body is damaged$"):
        fetch(site.serve(b"\xff\xff this was never compressed", content_encoding=encoding))


def test_a_gzip_body_with_a_wrong_checksum_is_a_problem(site):
    whole = bytearray(gzip.compress(PAGE))
    whole[-6] ^= 0xFF
    with pytest.raises(FetchProblem, match="damaged"):
        fetch(site.serve(bytes(whole), content_encoding="gzip"))


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "nonsense"])
def test_an_encoding_that_was_not_asked_for_is_a_problem(site, encoding):
    with pytest.raises(FetchProblem, match=f"the encoding {encoding}, which was not asked for"):
        fetch(site.serve(PAGE, content_encoding=encoding))


# Answers that are no page ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["application/pdf", "image/png", "application/json", "application/octet-stream", "video/mp4"]
)
def test_what_is_not_text_is_a_problem_that_names_the_type(site, kind):
    with pytest.raises(FetchProblem, match=f"the address serves {kind}, not a page of text"):
        fetch(site.serve(b"%PDF-1.7", content_type=kind))


@pytest.mark.parametrize(
    ("declared", "media_type", "charset"),
    [
        ("text/html; charset=Shift_JIS", "text/html", "Shift_JIS"),
        ("Text/HTML", "text/html", None),
        ("application/xhtml+xml", "application/xhtml+xml", None),
        ("text/plain;charset=utf-8", "text/plain", "utf-8"),
        (None, "text/html", None),
    ],
)
def test_the_media_type_and_the_charset_are_the_header_s(site, declared, media_type, charset):
    found = fetch(site.serve(content_type=declared))
    assert (found.media_type, found.charset and found.charset.lower()) == (media_type, charset and charset.lower())


@pytest.mark.parametrize("status", [201, 204, 400, 401, 403, 404, 410, 418, 429, 500, 503])
def test_an_error_status_is_a_problem_that_names_it(site, status):
    with pytest.raises(FetchProblem, match=f"the site answered with HTTP status {status}"):
        fetch(site.serve(b"" if status == 204 else PAGE, status=status))


def test_an_empty_page_is_a_page(site):
    assert fetch(site.serve(b"")).body == b""


def test_header_names_are_in_lower_case(site):
    assert fetch(site.serve(**{"X-Powered-By": "Kites"})).headers["x-powered-by"] == "Kites"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"this is no HTTP\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        HEAD + b"content-length: 500\r\n\r\nonly this",
        HEAD + b"transfer-encoding: chunked\r\n\r\n5\r\nwords\r\n",
        HEAD + b"transfer-encoding: chunked\r\n\r\nzz\r\nwords\r\n",
        HEAD + b"x-long: " + b"w" * 100_000 + b"\r\n\r\n",
        HEAD + b"content-length: -5\r\n\r\n",
        HEAD + b"content-length: 3\r\ncontent-length: 4\r\n\r\nabc",
    ],
    ids=[
        "nothing",
        "no HTTP",
        "no status",
        "short",
        "no last chunk",
        "bad chunk",
        "long header",
        "negative",
        "two lengths",
    ],
)
def test_a_broken_answer_is_a_problem(site, answer):
    with pytest.raises(FetchProblem):
        fetch(site.raw(answer))


# Connections -------------------------------------------------------------------------------------------------------


@pytest.fixture
def closed_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.parametrize("scheme", ["http://", "https://", ""])
def test_a_refused_connection_is_a_problem_that_names_the_host(closed_port, scheme):
    with pytest.raises(FetchProblem, match=r"no connection to 127\.0\.0\.1"):
        fetch(f"{scheme}127.0.0.1:{closed_port}/")


def test_a_name_that_does_not_resolve_is_a_problem(names):
    with pytest.raises(FetchProblem, match=r"no connection to nowhere\.test"):
        fetch("http://nowhere.test/", allow_private=False)


def test_http_is_tried_after_https_where_no_scheme_was_given(site):
    url = site.serve()
    found = fetch(url.removeprefix("http://"))
    assert (found.url, found.body) == (url, PAGE)


def test_http_is_tried_where_https_gives_no_answer(site, monkeypatch):
    monkeypatch.setattr(site, "tls_pause", 30)
    assert fetch(site.serve().removeprefix("http://"), seconds=1.0).body == PAGE


def test_http_is_not_tried_where_https_was_asked_for(site):
    url = site.serve()
    with pytest.raises(FetchProblem):
        fetch(url.replace("http:", "https:"))
    assert site.requests(url) == []


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("nowhere.test", {"nowhere.test", "www.nowhere.test"}),
        ("www.nowhere.test", {"nowhere.test", "www.nowhere.test"}),
        ("blog.nowhere.test", {"blog.nowhere.test"}),
        ("https://nowhere.test", {"nowhere.test"}),
    ],
)
def test_www_is_tried_for_a_registrable_domain_without_scheme(names, given, asked):
    with pytest.raises(FetchProblem):
        fetch(given, allow_private=False)
    assert set(names.asked) <= asked
    assert parse_target(given).host in names.asked
    assert ("www.nowhere.test" in names.asked) == ("www.nowhere.test" in asked)


def test_cookies_are_not_kept_between_fetches(site):
    url = site.serve(set_cookie="visitor=42; Path=/")

    async def run():
        fetcher = Fetcher(allow_private=True)
        try:
            return [await fetcher.fetch(parse_target(url)) for _ in range(2)]
        finally:
            await fetcher.close()

    first, _ = asyncio.run(run())
    assert first.headers["set-cookie"].startswith("visitor=42")
    assert [" 42" in head or "cookie" in head.lower() for head in site.requests(url)] == [False, False]


def test_one_fetcher_fetches_many_pages_at_once(site):
    pages = [site.serve(b"page %d" % number) for number in range(20)]

    async def run():
        fetcher = Fetcher(allow_private=True)
        try:
            return await asyncio.gather(*(fetcher.fetch(parse_target(url)) for url in pages))
        finally:
            await fetcher.close()

    assert [found.body for found in asyncio.run(run())] == [b"page %d" % number for number in range(20)]


# The sample web ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    ["trailhead-outfitters.example", "www.trailhead-outfitters.example", "http://trailhead-outfitters.example/"],
)
def test_a_sample_host_is_fetched_without_a_network(names, given):
    assert b"Trailhead" in fetch(given, allow_private=False).body
    assert names.asked == []


@pytest.mark.parametrize("host", ["nowhere.example", "deep.trailhead-outfitters.example", "www.nowhere.example"])
def test_an_unknown_example_host_is_not_looked_up_anywhere(names, host):
    with pytest.raises(FetchProblem, match=f"no connection to {host}"):
        fetch(host)
    assert names.asked == []


def test_sample_hosts_do_not_exist_where_the_sample_web_is_off(names):
    with pytest.raises(FetchProblem, match=r"trailhead-outfitters\.example does not exist"):
        fetch("trailhead-outfitters.example", sample_web=False)
    assert names.asked == []


@pytest.mark.parametrize(
    "path",
    ["a" * 300, "%C3%A9" * 120, "ab/" * 2_000, "%00", "a/" * 200, "%F0%9F%91%9F", "%ff", "..%2f..%2f", "boots%0a"],
)
def test_an_odd_path_on_a_sample_host_is_a_missing_page(path):
    with pytest.raises(FetchProblem, match="HTTP status 404"):
        fetch(f"https://trailhead-outfitters.example/{path}")
