"""No key in any spelling comes in with an answer, and no honest value goes with it."""

import base64
import gzip
import html
import json
import string
import warnings
from urllib.parse import quote, quote_plus, unquote

import pytest
from cases import every
from hypothesis import given, settings
from hypothesis import strategies as st

import toolkit as tk
from toolkit.interface import errors
from toolkit.net.keys import Keys

KEY = "Zx81/q9w+2e7r=5tPl&k<3"
PLAIN = "sk4f9e0d1c2b3a68775"
ONE_TRY = tk.Retries(attempts=1, first_wait=0.0)


def escaped(text):
    """Every letter of a text as JSON may write it."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


SPELLINGS = {
    "plain": lambda key: key,
    "slashes": lambda key: key.replace("/", "\\/"),
    "signs": lambda key: "".join(c if c.isalnum() else f"\\u{ord(c):04X}" for c in key),
    "every letter": escaped,
    "one letter": lambda key: escaped(key[0]) + key[1:],
    "JSON in JSON": lambda key: json.dumps(json.dumps(key))[3:-3],
    "every letter, JSON in JSON": lambda key: escaped(key).replace("\\", "\\\\"),
    "percent": lambda key: quote(key, safe=""),
    "percent in small letters": lambda key: quote(key, safe="").lower(),
    "percent twice": lambda key: quote(quote(key, safe=""), safe=""),
    "percent of every letter": lambda key: "".join(f"%{ord(letter):02x}" for letter in key),
    "percent of every letter twice": lambda key: "".join(f"%25{ord(letter):02X}" for letter in key),
    "form": quote_plus,
    "HTML": html.escape,
    "HTML twice": lambda key: html.escape(html.escape(key)),
    "HTML in JSON as others write it": lambda key: html.escape(key).replace("&", "\\u0026").replace("<", "\\u003c"),
    "HTML names": lambda key: key.replace("/", "&sol;").replace("+", "&plus;").replace("=", "&equals;"),
    "HTML numbers": lambda key: "".join(f"&#{ord(letter)};" for letter in key),
    "HTML numbers of 16": lambda key: "".join(f"&#x{ord(letter):X};" for letter in key),
    "HTML numbers with zeros": lambda key: "".join(f"&#0{ord(letter)};" for letter in key),
    "small": str.lower,
    "capitals": str.upper,
    "first letters": lambda key: f"{key[:8]}********",
    "first four letters": lambda key: f"{key[:4]}****",
    "bullets": lambda key: key[:4] + "\\u2022" * 4,
    "first half": lambda key: f"{key[: len(key) // 2 + 2]}...",
    "last letters": lambda key: f"...{key[-10:]}",
    "header": lambda key: f"Bearer {key}",
    "address": lambda key: f"https://api.stub.example/x?api_key={quote(key, safe='')}&format=structured",
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of a sign-in": lambda key: base64.b64encode(f"someone:{key}".encode()).decode(),
    "UTF-16, a letter for a byte": lambda key: "".join(f"{json.dumps(letter)[1:-1]}\\u0000" for letter in key),
    "hexadecimal": lambda key: key.encode().hex(),
    "hexadecimal in capitals": lambda key: f"0x{key.encode().hex().upper()}",
    "base64 of an address": lambda key: base64.urlsafe_b64encode(f"{key}:".encode()).decode(),
}
of_every_spelling = every("spelling", list(SPELLINGS))


def is_known_by(text, key):
    """Tell whether a text gives a key away: letters of its beginning or its end, in any spelling, or its base64."""
    known = [key[:5], f"{key[:4]}*", f"{key[:4]}\u2022", key[-7:]]
    known += [base64.b64encode(b"\0" * skipped + key.encode()).decode()[4:-4] for skipped in range(3)]
    known.append(key.encode().hex()[:12])
    told = text.lower().replace("\\u0000", "").replace("\0", "")
    for _ in range(4):
        told = f"{html.unescape(json_unescaped(told))} {unquote(told)}".lower()
        if any(part.lower() in told for part in known):
            return True
    return False


def json_unescaped(text):
    first, *parts = text.split("\\u")
    return first.replace("\\", "") + "".join(
        chr(int(part[:4], 16)) + part[4:].replace("\\", "")
        for part in parts
        if len(part) >= 4 and set(part[:4]) <= set(string.hexdigits)
    )


@every("key", [KEY, PLAIN])
@of_every_spelling
def test_no_key_is_left_in_a_body(key, spelling):
    keys = Keys()
    keys.add(key)
    body = '{"error": "who is ' + SPELLINGS[spelling](key) + '?", "status": 401}'
    _, found = keys.taken_out(401, {}, body.encode())
    assert is_known_by(body, key)
    assert not is_known_by(found.decode(), key)
    assert json.loads(found)["status"] == 401
    assert json.loads(found)["error"].startswith("who is ")
    assert json.loads(found)["error"].endswith("?")


@every("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig"])
@every("spelling", ["plain", "slashes", "every letter", "percent", "first letters"])
def test_no_key_is_left_in_a_body_of_another_encoding(encoding, spelling):
    keys = Keys()
    keys.add(KEY)
    body = ('{"error": "wér is ' + SPELLINGS[spelling](KEY) + '?"}').encode(encoding)
    _, found = keys.taken_out(200, {}, body)
    text = json.loads(found)["error"]
    assert text.startswith("wér is [key]")
    assert not is_known_by(text, KEY)


@every("status", [200, 401])
@of_every_spelling
def test_no_key_is_left_in_headers(status, spelling):
    keys = Keys()
    keys.add(KEY)
    told = SPELLINGS[spelling](KEY)
    headers, _ = keys.taken_out(status, {"x-echo": told, f"x-{PLAIN}": "1", "retry-after": "5"}, b"{}")
    assert not is_known_by(json.dumps(headers["x-echo"]), KEY)
    assert headers["retry-after"] == "5"


# Places --------------------------------------------------------------------------------------------------------------

PLACES = {
    "error": lambda told: (401, '{"status": 401, "error": "Invalid API key ' + told + '"}'),
    "error of a page": lambda told: (411, '{"status": 411, "error": "not fetched with ' + told + '"}'),
    "text": lambda told: (500, "the key " + told + " is not known"),
    "no answer": lambda told: (200, '["' + told + '"]'),
    "answer": lambda told: (
        200,
        '{"demographics": {"age_bracket": ["' + told + '"]}, "labels": {"' + told + '": "x"}, "request_id": "' + told
        + '", "interests": {"tier1": ["INT.' + told + '"]}, "vocab_version": "1.1", "audience_type": "' + told + '"}',
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", list(PLACES))
@pytest.mark.parametrize(
    "spelling", ["plain", "slashes", "every letter", "percent twice", "first letters", "HTML numbers", "base64"]
)
def test_no_key_is_in_a_run_its_frames_its_store_its_file_or_its_journal(stub, vocabulary, tmp_path, place, spelling):
    status, body = PLACES[place](SPELLINGS[spelling](KEY))
    stub.reply(status, body.encode(), {"content-type": "application/json", "x-request-id": f"r-{KEY}"})
    stub.reply(200, vocabulary.raw)
    with stub.client(api_key=KEY, v1_api_key=KEY, retries=ONE_TRY, store=tmp_path / "kept.db") as client:
        run = client.ask(["a.example"], "segment")
        shown = [repr(run), repr(run.progress)]
        for frame in (run.audiences, run.codes):
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                shown.append(frame().to_json())
            shown += [str(warning.message) for warning in warned]
        for outcome in run.outcomes():
            told = outcome.answer if outcome.error is None else outcome.error
            shown += [repr(told), str(told), repr(getattr(told, "raw", "")), repr(vars(told))]
        saved = gzip.decompress(run.save(tmp_path / "run.gz").read_bytes()).decode("utf-8", "replace")
        files = [path.read_bytes().decode("latin-1") for path in tmp_path.iterdir() if path.suffix != ".gz"]
    assert len(files) >= 2
    assert [text[:300] for text in (*shown, saved, *files) if is_known_by(text, KEY)] == []


@every("spelling", ["plain", "every letter", "small"])
def test_no_webhook_secret_is_in_the_error_that_refuses_it(stub, spelling):
    secret = "whs-5f1e0d9c8b7a6"
    stub.again().reply(400, ('{"error": "bad secret ' + SPELLINGS[spelling](secret) + '"}').encode())
    with stub.client(retries=ONE_TRY) as client, pytest.raises(errors.BadRequestError) as caught:
        client.submit_batch(["a.example"], webhook_url="https://hooks.example", webhook_secret=secret)
    assert not is_known_by(f"{caught.value} {vars(caught.value)}", secret)


def test_no_key_of_the_embedded_service_is_in_its_answers_though_it_were_sent_back():
    key = "one/key+of=its&own7"
    with tk.Client(embedded=tk.service.Settings(keys=(key,))) as client:
        client.filters()
        answer = client.categorize_content(text=f"A road test of the estate car {key} and of mountain roads. " * 3)
    assert not is_known_by(repr(answer.raw), key)
    assert not is_known_by("".join(client._session.transport._keys.taken_out(200, {}, key.encode())[1].decode()), key)


# Words and short keys ------------------------------------------------------------------------------------------------

HONEST = {
    "name": "finance",
    "labels": {"INT.FINANCE": "Finance", "finance": "personal finance"},
    "description": "The key: finance. Money is a token of trust, and finance the secret of growth.",
    "rank": 12345,
    "numbers": ["12345", "1"],
    "message_of_the_day": None,
}
SHORT = ["finance", "Finance", "1", "12345", "k", "token", "trust", "covid-19", "personal-finance", "and"]


@every("key", SHORT)
def test_an_honest_value_stays_though_it_is_the_key(key):
    keys = Keys()
    keys.add(key)
    body = json.dumps(HONEST).encode()
    assert keys.taken_out(200, {"content-type": "application/json", "x-ratelimit-limit": "1"}, body) == (
        {"content-type": "application/json", "x-ratelimit-limit": "1"},
        body,
    )


def test_an_answer_has_its_values_though_one_is_the_key(stub):
    body = {"domain": "a.example", "categories": [{"id": "391", "name": "finance", "tier": 1, "confidence": 0.9}]}
    stub.reply(200, body)
    with stub.client(v1_api_key="finance") as client:
        assert client.categorize("a.example").categories[0].name == "finance"


@every("key", ["finance", "s3", "12345", "k", "abcd1234", "key-that-is-shown"])
@every(
    "form",
    [
        (401, '{"status": 401, "error": "Invalid API key: %s"}'),
        (401, '{"status": 401, "error": {"info": "who is %s?"}}'),
        (200, '{"status": 401, "text": "who is %s?"}'),
        (200, '{"status": {"code": "403 Forbidden"}, "text": "who is %s?"}'),
        (200, '{"success": false, "why": "who is %s?"}'),
        (200, '["%s"]'),
        (200, '{"domain": "a.example", "categories": [], "api_key": "%s"}'),
        (200, '{"domain": "a.example", "categories": [], "request": {"headers": {"Authorization": "Bearer %s"}}}'),
        (200, '{"domain": "a.example", "categories": [], "asked": "/v1/categorize?api_key=%s&domain=a.example"}'),
        (200, '{"domain": "a.example", "categories": [], "warnings": ["%s is about to expire"]}'),
        (411, '{"status": 411, "error": "not fetched with API key \\"%s\\""}'),
        (500, "<html><p>the key %s is not known</p></html>"),
        (200, "the key %s is not known"),
        (200, '<?xml version="1.0"?><enrichment><api_key>%s</api_key><message>no %s</message></enrichment>'),
    ],
)
def test_a_short_key_or_a_word_goes_where_a_service_speaks_of_keys(key, form):
    keys = Keys()
    keys.add(key)
    status, body = form
    _, found = keys.taken_out(status, {}, body.replace("%s", key).encode())
    # What is left is the form, with the mark in the place of the key.
    assert json_plain(found) == json_plain(body.replace("%s", "[key]").encode())


def json_plain(body):
    try:
        return json.loads(body)
    except ValueError:
        return body


def test_a_word_that_is_the_key_stays_in_what_a_page_is_refused_for():
    keys = Keys()
    keys.add("finance")
    body = b'{"status": 411, "error": "no connection to finance.example"}'
    assert keys.taken_out(411, {}, body)[1] == body


@every("name", ["x-api-key", "authorization", "x-token", "www-authenticate", "x-echo"])
def test_a_word_that_is_the_key_goes_from_headers_that_send_it_back(name):
    keys = Keys()
    keys.add("finance")
    assert keys.taken_out(200, {name: "Bearer finance"}, b"")[0] == {name: "Bearer [key]"}


def test_other_texts_of_an_answer_keep_their_bytes():
    keys = Keys()
    for key in (KEY, PLAIN, "finance"):
        keys.add(key)
    text = "50%25 of caf\\u00e9s \\/ b\u00e4rs &amp; &#39;x&#39; ** 3 \u2022 %2F \\u003cb\\u003e"
    body = ('{"a": "' + text + '", "n": 1e400}').encode()
    assert keys.taken_out(200, {}, body)[1] == body
    body = "{}\u00e9\u4e2d".encode() + bytes(range(1, 256))
    assert keys.taken_out(200, {}, body)[1] == body


# Anything ------------------------------------------------------------------------------------------------------------

keys_of_all_kinds = st.text(string.ascii_letters + string.digits + "/+=-_.~!$&*<>", min_size=16, max_size=60).filter(
    lambda key: any(c.isdigit() for c in key[:8]) and any(c.isalpha() for c in key[:8]) and key[-8:].isalnum()
    and any(c.isdigit() for c in key[-8:]) and any(c.isalpha() for c in key[-8:])
)  # fmt: skip


@settings(max_examples=60)
@given(keys_of_all_kinds, st.data())
def test_a_key_is_found_whichever_way_each_of_its_letters_is_spelt(key, data):
    ways = [
        str,
        lambda c: f"\\u{ord(c):04x}",
        lambda c: f"%{ord(c):02X}",
        lambda c: f"%25{ord(c):02x}",
        lambda c: f"&#{ord(c)};",
        lambda c: c if c.isalnum() else f"\\{c}",
        html.escape,
    ]
    told = "".join(data.draw(st.sampled_from(ways))(letter) for letter in key)
    keys = Keys()
    keys.add(key)
    _, found = keys.taken_out(200, {}, f'{{"x": "{told}"}}'.encode())
    assert found == b'{"x": "[key]"}'


@settings(max_examples=100)
@given(st.binary(max_size=300))
def test_whatever_comes_is_taken(content):
    keys = Keys()
    for key in (KEY, "finance", "1"):
        keys.add(key)
    keys.taken_out(200, {"x": "y"}, content)
    keys.taken_out(500, {"x": "y"}, b'"finance 1 \0' + content)
