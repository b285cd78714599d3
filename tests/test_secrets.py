"""The key appears nowhere but on the wire."""

import asyncio
import copy
import dataclasses
import gzip
import logging
import pickle
import socket
import warnings
from pathlib import Path

import httpx
import pytest
from cases import every
from pydantic import SecretStr

import toolkit as tk
from toolkit.interface import errors
from toolkit.net.connection import Connection
from toolkit.runs.batches import Batches
from toolkit.service.settings import Settings

KEY = "sk4f9e0d1c2b3a68775"
BASE = "https://api.stub.example"
HERE = Path(__file__).parent
ONE_TRY = tk.Retries(attempts=1, first_wait=0.0)

ASK = {
    "categorize": lambda client: client.categorize("a.example"),
    "segment": lambda client: client.segment("a.example"),
    "submit_batch": lambda client: client.submit_batch(["a.example"]),
}
of_every_call = every("name", list(ASK))


def open_client(stub, kind=tk.Client, **given):
    return stub.client(kind, **{"api_key": KEY, "v1_api_key": KEY, "retries": ONE_TRY, **given})


# What an analyst may look at ----------------------------------------------------------------------------------------


@pytest.fixture(params=["str", "SecretStr", "embedded", "environment"])
def holder(request, stub, monkeypatch):
    """A client that has sent a request, with its key got in one of the ways there are."""
    stub.reply(200, {"demographics": {}, "status": 200})
    if request.param == "embedded":
        client = tk.Client(embedded=Settings(keys=(KEY,)))
        client.categorize("torque-journal.example")
    else:
        given = {"str": KEY, "SecretStr": SecretStr(KEY), "environment": None}[request.param]
        if given is None:
            monkeypatch.setenv("TOOLKIT_API_KEY", KEY)
            monkeypatch.setenv("TOOLKIT_V1_API_KEY", KEY)
        client = open_client(stub, api_key=given, v1_api_key=given)
        client.segment("a.example")
    with client:
        yield client


PARTS = {
    "client": lambda client: client,
    "transport": lambda client: client._session.transport,
    "connection": lambda client: client._session.connection,
    "session": lambda client: client._session,
}
of_every_part = every("part", list(PARTS))
SHOWN = {
    "repr": repr,
    "str": str,
    "format": lambda thing: f"{thing} {thing!r} {thing!s} {format(thing, '')}",
    "vars": lambda thing: repr(vars(thing)) if hasattr(thing, "__dict__") else "",
    "fields": lambda thing: repr(dataclasses.asdict(thing)) if dataclasses.is_dataclass(thing) else "",
    "dir": lambda thing: repr([getattr(thing, name, None) for name in dir(thing) if not name.startswith("__")]),
    "percent": lambda thing: "%s %r" % (thing, thing),  # noqa: UP031 - this way is meant too
}


@of_every_part
@every("way", list(SHOWN))
def test_key_is_not_in_what_is_shown_of(holder, part, way):
    assert KEY not in SHOWN[way](PARTS[part](holder))


def test_key_is_not_in_the_settings_of_the_embedded_service_as_shown():
    assert KEY not in f"{Settings(keys=(KEY,))} {Settings(keys=(KEY,))!r}"


def test_webhook_secret_is_not_in_the_settings_as_shown():
    assert KEY not in f"{Settings(webhook_secret=KEY)} {Settings(webhook_secret=KEY)!r}"


@of_every_part
@every("protocol", [0, pickle.HIGHEST_PROTOCOL])
def test_pickling_is_refused(holder, part, protocol):
    with pytest.raises(errors.ConfigurationError, match="not pickled"):
        pickle.dumps(PARTS[part](holder), protocol=protocol)


@pytest.mark.parametrize("kind", [tk.Client, tk.AsyncClient])
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy])
def test_copying_a_client_is_refused(stub, kind, way):
    with pytest.raises(errors.ConfigurationError, match="not pickled"):
        way(open_client(stub, kind))


# Failures -----------------------------------------------------------------------------------------------------------


def reply_of(status, body=b"", headers=None):
    return lambda stub: stub.reply(status, body, headers or {})


def failing(error):
    return lambda stub: stub.fail(error)


FAILURES = {
    "connect": failing(httpx.ConnectError("refused")),
    "connect-timeout": failing(httpx.ConnectTimeout("late")),
    "read-timeout": failing(httpx.ReadTimeout("late")),
    "broken": failing(httpx.ReadError("broken")),
    "protocol": failing(httpx.RemoteProtocolError("broken")),
    "stream": failing(httpx.StreamClosed()),
    "400": reply_of(400, {"status": 400, "error": "no"}),
    "401": reply_of(401, {"status": 401, "error": "no"}),
    "403": reply_of(403, {"status": 403}),
    "302": reply_of(302, b"", {"location": "https://elsewhere.example"}),
    "429": reply_of(429, {"error": "slow"}, {"retry-after": "200000"}),
    "500": reply_of(500, b"<html>"),
    "empty": reply_of(200),
    "html": reply_of(200, b"<html>sign in</html>", {"content-type": "text/html"}),
    "list": reply_of(200, []),
    "no-field": reply_of(200, {"hello": "world"}),
    "bad-field": reply_of(200, {"categories": [{"id": "1", "name": [1]}], "demographics": 17, "batch_id": [1]}),
    "bad-gzip": reply_of(200, b"\x1f\x8b\x08no", {"content-encoding": "gzip"}),
    "cut-gzip": reply_of(200, gzip.compress(b'{"domain": "a.example"}' * 40)[:30], {"content-encoding": "gzip"}),
    "bad-provenance": reply_of(
        200, {"status": 200, "categories": [], "demographics": {}, "batch_id": "b", "request_id": ["x"]}
    ),
    "deep-xml": reply_of(200, b"<a>" * 3_000 + b"</a>" * 3_000, {"content-type": "application/xml"}),
}
of_every_failure = every("fault", list(FAILURES))


def chain_of(error):
    """The error with everything that its traceback would print below it."""
    found, waiting = [], [error]
    while waiting:
        link = waiting.pop()
        if link is None or any(link is known for known in found):
            continue
        found.append(link)
        waiting += [link.__cause__, link.__context__, *getattr(link, "exceptions", ())]
    return found


def locals_of(error):
    """Name of function and variable, and what is shown of it: its repr, and that of everything in its `__dict__`."""
    for link in chain_of(error):
        trace = link.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if Path(code.co_filename).parent != HERE:
                for name, value in trace.tb_frame.f_locals.items():
                    yield f"{code.co_qualname}: {name}", safe_repr(value)
                    if isinstance(value, SecretStr):
                        continue  # made to hide what it holds; its repr was looked at
                    for inner, part in (getattr(value, "__dict__", None) or {}).items():
                        yield f"{code.co_qualname}: {name}.{inner}", safe_repr(part)
            trace = trace.tb_next


def safe_repr(value):
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001 - what cannot be shown shows nothing
        return f"no repr: {type(error).__name__}"


def leaks_of(error):
    return sorted({place for place, text in locals_of(error) if KEY in text})


@pytest.fixture
def raised(stub):
    def raising(fault, name="segment", **given):
        FAILURES[fault](stub.again())
        with open_client(stub, **given) as client:
            try:
                ASK[name](client)
            except Exception as error:  # noqa: BLE001 - whatever comes out is looked at
                return error
        return None

    return raising


@of_every_call
@of_every_failure
def test_key_is_not_in_the_texts_of_an_error_or_of_those_behind_it(raised, fault, name):
    error = raised(fault, name)
    if error is None:
        assert fault == "bad-provenance"
        return
    for link in chain_of(error):
        assert KEY not in f"{link} {link!r} {link.args!r} {vars(link)!r} {getattr(link, '__notes__', '')}"


@of_every_call
@of_every_failure
def test_key_is_not_in_the_variables_of_a_traceback(raised, fault, name):
    error = raised(fault, name)
    assert error is None or leaks_of(error) == []


@of_every_failure
def test_key_is_not_in_the_variables_of_a_traceback_of_the_async_client(stub, fault):
    FAILURES[fault](stub.again())

    async def main():
        async with open_client(stub, tk.AsyncClient) as client:
            await client.segment("a.example")

    try:
        asyncio.run(main())
    except Exception as error:  # noqa: BLE001 - whatever comes out is looked at
        assert leaks_of(error) == []  # noqa: PT017
    else:
        assert fault == "bad-provenance"


@of_every_failure
def test_key_is_not_in_the_pickle_of_an_error(raised, fault):
    error = raised(fault)
    if isinstance(error, errors.ToolkitError):
        assert KEY.encode() not in pickle.dumps(error)
    else:
        assert fault in {"stream", "bad-provenance", "deep-xml"}


BAD_SETTINGS = {
    "bad-url": {"base_url": "one.example"},
    "sign-in": {"base_url": f"https://{KEY}:{KEY}@one.example"},
    "no-url": {"base_url": None, "v1_base_url": None},
    "embedded": {"embedded": Settings(keys=(KEY,))},
    "bad-other-url": {"v1_base_url": "ftp://one.example"},
}


@pytest.mark.parametrize("case", list(BAD_SETTINGS))
@pytest.mark.parametrize("kind", [str, SecretStr])
def test_key_is_not_in_the_error_of_a_client_that_cannot_be_made(stub, case, kind):
    with pytest.raises(errors.ConfigurationError) as caught:
        open_client(stub, **{"api_key": kind(KEY), "v1_api_key": kind(KEY), **BAD_SETTINGS[case]})
    assert KEY not in f"{caught.value} {caught.value!r}"


@pytest.mark.parametrize("case", ["bad-url", "no-url", "embedded", "bad-other-url"])
def test_key_is_not_in_the_variables_of_the_traceback_of_a_client_that_cannot_be_made(stub, case):
    with pytest.raises(errors.ConfigurationError) as caught:
        open_client(stub, **BAD_SETTINGS[case])
    assert leaks_of(caught.value) == []


BAD = f"{KEY}\u2026"  # a letter that no key has
REFUSED = {
    "client": lambda: tk.Client(BAD, "https://one.example"),
    "other key of a client": lambda: tk.Client(v1_api_key=BAD, v1_base_url="https://one.example"),
    "good key beside a bad one": lambda: tk.Client(KEY, "https://one.example", v1_api_key="\u2026"),
    "good key and a bad timeout": lambda: tk.Client(KEY, "https://one.example", timeout=-1),
    "good key and a bad store": lambda: tk.Client(KEY, "https://one.example", store="/dev/null/store.db"),
    "bytes": lambda: tk.Client(KEY.encode(), "https://one.example"),
    "list": lambda: tk.Client([KEY], "https://one.example"),
    "async client": lambda: tk.AsyncClient(BAD, "https://one.example"),
    "async client, other key": lambda: tk.AsyncClient(KEY, "https://one.example", v1_api_key=f"{KEY}\n{KEY}"),
    "connection": lambda: Connection.resolve(BAD, "https://one.example"),
    "connection, other key": lambda: Connection.resolve(KEY, "https://one.example", BAD),
    "connection, bad address": lambda: Connection.resolve(KEY, "one.example", KEY),
    "settings": lambda: Settings(keys=(KEY, BAD)),
    "settings, bytes": lambda: Settings(keys=(KEY.encode(),)),
    "settings, other value": lambda: Settings((KEY,), burst=0),
    "settings, a secret": lambda: Settings(webhook_secret=f"{KEY}\ud800"),
    "settings, a secret beside": lambda: Settings(webhook_secret=KEY, webhook_url="http://127.0.0.1/"),
    "settings, a list of both": lambda: Settings(keys=[KEY, 5], webhook_secret=KEY, monthly_quota=-1),
    "receiver": lambda: tk.Receiver([KEY, ""]),
    "receiver, no text": lambda: tk.Receiver([KEY, 5]),
    "receiver elsewhere": lambda: tk.Receiver(KEY, "192.0.2.1"),
    "receiver, bad port": lambda: tk.Receiver(KEY, port=-1),
    "receiver, bad path": lambda: tk.Receiver(KEY, path="x"),
    "verify": lambda: tk.verify(b"", {}, [KEY, ""]),
}


@every("name", list(REFUSED))
def test_key_is_not_in_the_variables_of_the_traceback_of_a_constructor_that_refuses(name):
    with pytest.raises(errors.ToolkitError) as caught:
        REFUSED[name]()
    assert leaks_of(caught.value) == []
    for link in chain_of(caught.value):
        assert KEY not in f"{link} {link!r} {link.args!r} {vars(link)!r}"


@every("name", list(REFUSED))
def test_what_a_constructor_left_half_made_can_be_shown(name):
    with pytest.raises(errors.ToolkitError) as caught:
        REFUSED[name]()
    shown = dict(locals_of(caught.value))
    assert [place for place, text in shown.items() if text.startswith("no repr")] == []


def test_keys_of_the_embedded_service_are_not_pickled_or_copied():
    settings = Settings(keys=(KEY,), webhook_secret=KEY)
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(errors.ConfigurationError, match="not pickled"):
            way(settings)
    other = dataclasses.replace(settings, monthly_quota=3)
    assert (other.keys, other.webhook_secret) == (settings.keys, settings.webhook_secret)


@every("way", list(SHOWN))
def test_keys_of_the_embedded_service_are_not_in_what_is_shown_of_its_settings(way):
    settings = Settings(keys=(KEY, SecretStr(KEY)), webhook_secret=KEY)
    assert KEY not in SHOWN[way](settings)
    assert KEY not in repr({field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)})


def test_an_empty_webhook_secret_is_none():
    assert Settings(webhook_secret="").webhook_secret is None


@pytest.mark.parametrize("name", ["batch", "text"])
def test_key_is_not_in_the_traceback_of_a_request_that_cannot_be_built(stub, name):
    stub.reply(200, {})
    with open_client(stub) as client:
        try:
            if name == "batch":
                client.batch_results("a\x00b")
            else:
                client.categorize_content(text="half a pair \ud800 of words")
        except Exception as error:  # noqa: BLE001 - whatever comes out is looked at
            assert leaks_of(error) == []  # noqa: PT017
            assert not [link for link in chain_of(error) if KEY in f"{link!r}"]  # noqa: PT017


ECHOES = {
    "401-json": (401, {"status": 401, "error": f"Invalid API key {KEY}"}),
    "401-text": (401, f"the key {KEY} is not known".encode()),
    "400-form": (400, {"error": "bad form", "received": {"api_key": KEY}}),
    "200-text": (200, f"the key {KEY} is not known".encode()),
    "200-list": (200, [KEY]),
    "200-other": (200, {"hello": KEY}),
    "200-bad": (200, {"demographics": 17, "categories": 17, "batch_id": [1], "api_key": KEY}),
    "200-value": (200, {"demographics": KEY, "categories": KEY, "batch_id": [KEY]}),
}


@of_every_call
@every("echo", list(ECHOES))
def test_key_that_a_service_sends_back_in_an_error_is_not_shown(stub, name, echo):
    stub.again().reply(*ECHOES[echo])
    with open_client(stub) as client, pytest.raises(errors.ToolkitError) as caught:
        ASK[name](client)
    assert KEY not in f"{caught.value} {caught.value!r} {vars(caught.value)!r}"


def test_webhook_secret_is_not_in_the_error_of_a_batch(stub):
    stub.reply(400, {"status": 400, "error": "no"})
    with stub.client() as client, pytest.raises(errors.BadRequestError) as caught:
        client.submit_batch(["a.example"], webhook_url="https://hooks.example", webhook_secret=KEY)
    assert KEY not in f"{caught.value} {caught.value!r} {vars(caught.value)!r}"


def test_neither_key_nor_webhook_secret_is_in_a_run_in_batches_that_is_refused(stub, tmp_path):
    stub.reply(401, {"status": 401, "error": f"who is {KEY}"})
    how = Batches(webhook_url="https://hooks.example", webhook_secret="whs-5f1e0d9c8b7a6")
    with open_client(stub, store=tmp_path / "kept.db") as client:
        run = client.ask(["a.example"], "categorize", by=how)
        shown = f"{run!r}{run.progress!r}{vars(run)}{run.plan()!r}{run.outcomes()}{how!r}"
        written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert run.progress.reason == "the key was refused (401)"
    for secret in (KEY, "whs-5f1e0d9c8b7a6"):
        assert secret not in shown
        assert secret.encode() not in written


# Answers ------------------------------------------------------------------------------------------------------------

ANSWERS = {
    "categorize": lambda client: client.categorize("torque-journal.example"),
    "enrich": lambda client: client.enrich("torque-journal.example"),
    "enrich-xml": lambda client: client.enrich("torque-journal.example", format="xml"),
    "segment": lambda client: client.segment("torque-journal.example"),
    "legacy": lambda client: client.segment("torque-journal.example", format="legacy"),
    "content": lambda client: client.categorize_content("torque-journal.example", personas=True),
    "text": lambda client: client.categorize_content(text="a road test of a used estate car"),
    "batch": lambda client: client.submit_batch(["torque-journal.example"]),
    "results": lambda client: client.batch_results(client.submit_batch(["torque-journal.example"])),
}


@pytest.mark.parametrize("name", list(ANSWERS))
def test_key_is_not_in_an_answer(wire, name):
    answer = ANSWERS[name](wire.client)
    shown = f"{answer.raw} {answer.provenance!r} {answer!r} {answer} {answer._repr_html_()} {vars(answer)} "
    assert wire.key not in shown + answer.model_dump_json()
    assert wire.key.encode() not in pickle.dumps(answer)


def test_key_is_not_in_the_vocabulary(wire):
    found = wire.client.filters(refresh=True)
    assert wire.key not in f"{found!r} {found.raw} {vars(found)}"


# Logs and warnings --------------------------------------------------------------------------------------------------


class Kept(logging.Handler):
    """Keeps every record as it would be written, with all that it carries."""

    def __init__(self):
        super().__init__(logging.NOTSET)
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{self.format(record)} {record.getMessage()} {vars(record)!r}")


@pytest.fixture
def logged(monkeypatch):
    """Everything that any logger says."""
    kept, root = Kept(), logging.getLogger()
    loggers = [root, *(logging.getLogger(name) for name in list(root.manager.loggerDict))]
    for logger in loggers:
        monkeypatch.setattr(logger, "disabled", False)
        monkeypatch.setattr(logger, "propagate", True)
    levels = [(logger, logger.level) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    root.addHandler(kept)
    yield kept
    root.removeHandler(kept)
    for logger, level in levels:
        logger.setLevel(level)


@of_every_call
@every("fault", ["connect", "read-timeout", "401", "429", "500", "html", "bad-field", "bad-gzip"])
def test_key_is_not_in_the_logs_of_a_failure(stub, logged, fault, name):
    logged.lines.clear()
    FAILURES[fault](stub.again())
    client = open_client(stub, retries=tk.Retries(attempts=2, first_wait=0.0))
    with client, pytest.raises(errors.ToolkitError):
        ASK[name](client)
    logging.getLogger("toolkit.tests").debug("one line at least")
    assert logged.lines
    assert not [line for line in logged.lines if KEY in line]


def test_key_is_not_in_the_logs_of_answers(wire, logged):
    for ask in ANSWERS.values():
        ask(wire.client)
    logging.getLogger("toolkit.tests").debug("one line at least")
    assert logged.lines
    assert not [line for line in logged.lines if wire.key in line]


RAW = {
    "answer": (b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", b'{"status":200,"categories":[],"demographics":{}}'),
    "401": (b"HTTP/1.1 401 No\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",),
    "nothing": (b"",),
    "no-http": (b"not http at all\r\n\r\n",),
    "bad-header": (b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",),
    "short": (b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{",),
}


@pytest.mark.parametrize("case", list(RAW))
@pytest.mark.parametrize("name", ["categorize", "segment"])
def test_key_is_not_shown_over_a_real_connection(raw_server, logged, case, name):
    server = raw_server(*RAW[case])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        error = None
        with tk.Client(KEY, server.url, v1_base_url=server.url, retries=ONE_TRY, timeout=5) as client:
            try:
                ASK[name](client)
            except Exception as caught:  # noqa: BLE001 - whatever comes out is looked at
                error = caught
    assert KEY.encode() in server.requests[0]
    assert not [line for line in logged.lines if KEY in line]
    assert not [str(warning.message) for warning in warned if KEY in str(warning.message)]
    if error is not None:
        assert leaks_of(error) == []
        assert not [link for link in chain_of(error) if KEY in f"{link} {link!r} {link.args!r} {vars(link)!r}"]


def test_key_is_not_in_the_traceback_of_a_refused_connection():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
        with tk.Client(KEY, url, retries=ONE_TRY) as client, pytest.raises(errors.ConnectionFailedError) as caught:
            client.segment("a.example")
    assert leaks_of(caught.value) == []


@of_every_failure
def test_key_is_not_in_warnings(raised, fault):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        raised(fault)
    assert not [str(warning.message) for warning in warned if KEY in str(warning.message)]


def test_key_is_not_printed(raised, capfd):
    for fault in FAILURES:
        raised(fault)
    out, err = capfd.readouterr()
    assert KEY not in out + err


def test_key_of_the_embedded_service_is_made_anew_for_each_client():
    with tk.Client() as one, tk.Client() as two:
        one.filters()
        two.filters()
        keys = {client._session.transport._mounted.key.get_secret_value() for client in (one, two)}
    assert len(keys) == 2
    assert min(map(len, keys)) >= 32


def test_the_search_for_the_key_finds_it_where_it_is():
    def careless():
        held = SecretStr(KEY)
        raise ValueError(type(held).__name__)

    code = compile("def outer(inner, key):\n    inner()", str(HERE.parent / "elsewhere" / "careless.py"), "exec")
    space = {}
    exec(code, space)  # noqa: S102 - a frame of another file
    with pytest.raises(ValueError, match="SecretStr") as caught:
        space["outer"](careless, KEY)
    assert leaks_of(caught.value) == ["outer: key"]
