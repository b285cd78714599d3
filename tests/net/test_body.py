"""How large an answer may be, as it comes and unpacked, and that a timeout ends its unpacking."""

import gzip
import itertools
import json
import subprocess
import sys
import zlib

import httpx
import pytest

import toolkit as tk
from toolkit.interface import errors

KEY = "bodykey5d1f0c7e"
ONCE = tk.Retries(attempts=1)
GOOD = {"domain": "a.example", "categories": [{"id": "1", "name": "A"}]}
BODY = json.dumps(GOOD).encode()


def bare(body):
    pack = zlib.compressobj(wbits=-15)
    return pack.compress(body) + pack.flush()


def padded(size):
    """A good answer of so many bytes."""
    return BODY + b" " * (size - len(BODY))


def response(body, *headers, chunked=False):
    head = [b"HTTP/1.1 200 OK", b"content-type: application/json", b"connection: close", *headers]
    if chunked:
        pieces = [body[start : start + 60_000] for start in range(0, len(body), 60_000)]
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
        head.append(b"transfer-encoding: chunked")
    else:
        head.append(b"content-length: %d" % len(body))
    return b"\r\n".join(head) + b"\r\n\r\n" + body


@pytest.fixture(params=["network", "transport"])
def given(request, raw_server):
    """Return a client that is given a body, over a real network or by a transport in its place."""

    def client(body, *headers, chunked=False, **options):
        settings = {"retries": ONCE, **options}
        if request.param == "network":
            url = raw_server(response(body, *headers, chunked=chunked)).url
            return tk.Client(KEY, url, v1_base_url=url, **settings)
        pairs = [tuple(part.strip() for part in line.split(b":", 1)) for line in headers]
        answer = httpx.Response(200, headers=pairs, stream=httpx.ByteStream(body))
        url = "https://stub.example"
        return tk.Client(KEY, url, v1_base_url=url, transport=httpx.MockTransport(lambda _: answer), **settings)

    return client


def ask(client):
    with client:
        return client.categorize("a.example")


def refused(client, kind=errors.ResponseError):
    with client, pytest.raises(kind) as caught:
        client.categorize("a.example")
    return str(caught.value)


# How it is packed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pack", "headers"),
    [
        (bytes, [b"content-encoding: identity"]),
        (bytes, [b"content-encoding:"]),
        (gzip.compress, [b"content-encoding: gzip"]),
        (gzip.compress, [b"content-encoding: X-GZIP"]),
        (gzip.compress, [b"content-encoding: identity, gzip"]),
        (gzip.compress, [b"content-encoding: identity", b"content-encoding: gzip"]),
        (lambda body: gzip.compress(body[:20]) + gzip.compress(body[20:]), [b"content-encoding: gzip"]),
        (lambda body: gzip.compress(body) + bytes(64), [b"content-encoding: gzip"]),
        (zlib.compress, [b"content-encoding: deflate"]),
        (bare, [b"content-encoding: deflate"]),
    ],
    ids=range(10),
)
@pytest.mark.parametrize("size", [200, 3_000_000])
def test_an_answer_is_read_however_it_is_packed(given, pack, headers, size):
    assert ask(given(pack(padded(size)), *headers)).raw == GOOD


@pytest.mark.parametrize(
    "headers",
    [
        [b"content-encoding: gzip, gzip"],
        [b"content-encoding: gzip", b"content-encoding: gzip"],
        [b"content-encoding: deflate,gzip"],
        [b"content-encoding: gzip, identity, gzip"],
    ],
    ids=range(4),
)
def test_an_answer_that_is_packed_twice_is_refused_in_words(given, headers):
    words = refused(given(gzip.compress(gzip.compress(BODY)), *headers))
    assert "the answer is packed 2 times" in words
    assert "gzip" in words


@pytest.mark.parametrize("name", [b"br", b"zstd", b"compress", b"x" * 5_000])
def test_an_answer_that_is_packed_in_an_unknown_way_is_refused_in_words(given, name):
    words = refused(given(BODY, b"content-encoding: " + name))
    assert f"packed as '{name.decode()[:40]}" in words
    assert len(words) < 300


@pytest.mark.parametrize("body", [b"", gzip.compress(BODY)[:-9], b"\x1f\x8b\x08junk", b"junk"], ids=range(4))
def test_a_damaged_body_says_so(given, body):
    assert "the compressed answer is" in refused(given(body, b"content-encoding: gzip"))


@pytest.mark.parametrize("encoding", [b"br", b"gzip", b"gzip, gzip"])
def test_an_error_whose_body_cannot_be_read_is_still_the_error(raw_server, encoding):
    body = response(b"abc", b"content-encoding: " + encoding).replace(b"200 OK", b"503 No", 1)
    client = tk.Client(KEY, v1_base_url=raw_server(body).url, v1_api_key=KEY, retries=ONCE)
    with client, pytest.raises(errors.ServerError) as caught:
        client.categorize("a.example")
    assert caught.value.status == 503


# How large it is ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
@pytest.mark.parametrize("pack", [None, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize(("size", "largest"), [(5_000, 5_000), (2_000_000, 2_000_000)])
def test_an_answer_may_be_as_large_as_is_said_and_no_larger(given, size, largest, pack, chunked):
    body, headers = padded(size), []
    if pack is not None:
        body, headers = pack(body), [b"content-encoding: gzip"]
    assert ask(given(body, *headers, chunked=chunked, largest_answer=largest)).raw == GOOD
    words = refused(given(body, *headers, chunked=chunked, largest_answer=largest - 1))
    assert "the answer is larger than" in words
    assert "largest_answer=…" in words


def test_the_limit_is_32_mb_where_nothing_else_is_said(given):
    assert ask(given(gzip.compress(padded(32_000_000), 1), b"content-encoding: gzip")).raw == GOOD
    words = refused(given(gzip.compress(padded(32_000_001), 1), b"content-encoding: gzip"))
    assert "the answer is larger than 32 MB" in words


@pytest.mark.parametrize("value", [0, -1, 1.5, "32 MB", None, True])
def test_a_limit_that_is_none_is_refused(value):
    with pytest.raises(errors.ConfigurationError, match="largest_answer is"):
        tk.Client(largest_answer=value)


def test_the_embedded_service_has_the_same_limit():
    with tk.Client(largest_answer=300) as client, pytest.raises(errors.ResponseError, match="larger than 300 bytes"):
        client.segment("ledgerline.example")


BOMB = """
import resource, sys, zlib
import httpx, toolkit as tk
pack = zlib.compressobj(9, wbits=31)
body = b"".join([*(pack.compress(bytes(1_000_000)) for _ in range(500)), pack.flush()])
assert len(body) < 500_000
reply = lambda _: httpx.Response(200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(body))
client = tk.Client("key-of-bomb", "https://a.example", transport=httpx.MockTransport(reply))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    client.segment("a.example")
except tk.errors.ResponseError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""


def test_half_a_megabyte_never_becomes_500_in_memory():
    done = subprocess.run([sys.executable, "-c", BOMB], capture_output=True, text=True, timeout=60, check=False)
    grown, _, words = done.stdout.partition(" ")
    assert "larger than 32 MB" in words, done.stderr
    assert int(grown) < 100_000  # kilobytes: the pieces, and what they are before


# How long it takes --------------------------------------------------------------------------------------------------


def test_unpacking_ends_with_the_timeout(given):
    # Members of nothing: 20 bytes each, and as much work as one of 65,536.
    body = gzip.compress(b"") * 1_500_000
    words = refused(given(body, b"content-encoding: gzip", timeout=0.5), errors.AnswerTimeoutError)
    assert "within 0.5 s" in words


def test_a_body_that_never_ends_ends_with_the_timeout(raw_server):
    pieces = itertools.chain.from_iterable([b"1\r\n \r\n", 0.02] for _ in range(2_000))
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    url = raw_server(head, *pieces).url
    with tk.Client(KEY, url, timeout=0.5, retries=ONCE) as client, pytest.raises(errors.AnswerTimeoutError):
        client.segment("a.example")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"domain":"a.example","categories":[' + b"[]," * 4_000_000 + b"[]]}", b"application/json"),
        (b'{"domain":"a.example","categories":[' + b"1," * 8_000_000 + b"1]}", b"application/json"),
        (b"<enrichment>" + b"<a/>" * 500_000 + b"</enrichment>", b"application/xml"),
        (b"<enrichment><a " + b" ".join(b'a%d=""' % n for n in range(300_000)) + b"/></enrichment>", b"text/xml"),
    ],
    ids=["lists", "numbers", "elements", "attributes"],
)
def test_an_answer_that_is_made_to_take_long_to_read_is_refused(given, body, kind):
    words = refused(given(gzip.compress(body, 1), b"content-encoding: gzip", b"content-type: " + kind))
    assert "more parts than one of 32 MB may have" in words


def test_elements_of_one_name_are_a_list_however_many_they_are():
    xml = b"<enrichment><domain>a.example</domain><company><n>A</n>%s</company></enrichment>"
    answer = httpx.Response(200, headers={"content-type": "application/xml"}, content=xml % (b"<x>1</x>" * 100_000))
    url, wire = "https://stub.example", httpx.MockTransport(lambda _: answer)
    with tk.Client(KEY, v1_api_key=KEY, v1_base_url=url, transport=wire) as client:
        assert client.enrich("a.example", format="xml").raw["company"]["x"] == ["1"] * 100_000
