"""The tree of errors, their messages and their journey between processes."""

import builtins
import copy
import pickle
import re
from pathlib import Path

import pytest
from cases import every

from toolkit.interface import errors
from toolkit.interface.errors import (
    AnswerTimeoutError,
    BadRequestError,
    ConfigurationError,
    ConnectionFailedError,
    ContentError,
    DataError,
    DataTypeError,
    FetchFailedError,
    InputError,
    InsufficientContentError,
    InvalidKeyError,
    NotFoundError,
    QuotaExceededError,
    RateLimitedError,
    ResponseError,
    ServerError,
    ServiceError,
    TargetError,
    ToolkitError,
    UnknownCodeError,
    nearest_to,
    service_error,
)

INTERFACE = Path(__file__).parents[3] / "shared" / "spec" / "service-interface.md"

TABLE = {
    400: BadRequestError,
    401: InvalidKeyError,
    403: QuotaExceededError,
    404: NotFoundError,
    407: DataTypeError,
    410: InsufficientContentError,
    411: FetchFailedError,
    429: RateLimitedError,
    500: ServerError,
}


def family(kind):
    return {kind}.union(*(family(child) for child in kind.__subclasses__() if child.__module__ == errors.__name__))


CLASSES = sorted(family(ToolkitError), key=lambda kind: kind.__name__)
of_every_class = every("kind", CLASSES)


def drawn():
    """Read the docstring's tree: class, class above, what is said behind the name."""
    above, found = [], []
    for indent, name, said in re.findall(r"^(    [│├└─ ]*)(\w+Error)\b(.*)$", errors.__doc__, re.MULTILINE):
        depth = len(indent) // 4 - 1
        above[depth:] = [name]
        found.append((name, above[depth - 1] if depth else None, said))
    return found


def sample(kind):
    if issubclass(kind, ServiceError):
        return kind(
            410,
            endpoint="segment",
            target="a.example",
            detail="too short",
            http_status=200,
            request_id="r-1",
            retry_after=1.5,
            raw={"status": 410},
        )
    if kind is UnknownCodeError:
        return kind("INT.DOG", among="vocabulary 1.1", nearest=("INT.DOGS",), where="$.codes[0]")
    if kind is ResponseError:
        return kind("no JSON", path="$.a", http_status=502, body="<html>")
    return kind("what happened")


def test_public_names_are_sorted_and_complete():
    assert errors.__all__ == sorted(errors.__all__, key=lambda name: (not name.isupper(), name))
    assert set(errors.__all__) == {kind.__name__ for kind in CLASSES} | {
        "EXTRAS",
        "nearest_to",
        "need",
        "service_error",
    }


def test_the_tree_of_the_docstring_names_every_class_once():
    assert sorted(name for name, _, _ in drawn()) == [kind.__name__ for kind in CLASSES]


@every(("name", "above", "said"), drawn())
def test_the_tree_of_the_docstring_matches_the_classes(name, above, said):
    assert getattr(errors, name).__bases__[0].__name__ == (above or "Exception")


@every(("name", "above", "said"), drawn())
def test_the_tree_of_the_docstring_states_every_builtin_class(name, above, said):
    stated = re.findall(r"also (\w+)", said)
    assert [base.__name__ for base in getattr(errors, name).__bases__[1:]] == stated
    assert all(hasattr(builtins, base) for base in stated)


@pytest.mark.parametrize(
    ("name", "code"),
    [(name, int(said.split()[0].replace("x", "0"))) for name, _, said in drawn() if said.strip()[:1].isdigit()],
)
def test_the_tree_of_the_docstring_states_the_code_of_the_class(name, code):
    assert service_error(code).__name__ == name


@of_every_class
def test_every_class_says_what_it_is_for(kind):
    assert kind.__doc__.strip().endswith(".") or "Attributes" in kind.__doc__


@of_every_class
def test_every_error_is_caught_by_the_root(kind):
    with pytest.raises(ToolkitError) as caught:
        raise sample(kind)
    assert type(caught.value) is kind


@pytest.mark.parametrize("kind", [InputError, TargetError, UnknownCodeError])
def test_a_refused_argument_is_a_value_error(kind):
    assert isinstance(sample(kind), ValueError)


def test_an_unknown_code_is_a_key_error():
    assert isinstance(sample(UnknownCodeError), KeyError)


@pytest.mark.parametrize(("status", "kind"), TABLE.items())
def test_every_code_of_the_table_has_its_class(status, kind):
    assert service_error(status) is kind


@pytest.mark.parametrize("status", [500, 501, 502, 503, 504, 599])
def test_every_5xx_is_a_server_error(status):
    assert service_error(status) is ServerError


@pytest.mark.parametrize("status", [0, 200, 402, 418, 499, 600, -1])
def test_a_code_that_the_table_does_not_have_is_a_plain_service_error(status):
    assert service_error(status) is ServiceError


if INTERFACE.exists():

    def test_every_code_the_interface_lists_has_a_class_of_its_own():
        section = INTERFACE.read_text(encoding="utf-8").split("\n## Errors\n")[1].split("\n## ")[0]
        listed = [int(code) for code in re.findall(r"^\| (\d{3}) \|", section, re.MULTILINE) if code != "200"]
        assert len({service_error(code) for code in listed} - {ServiceError}) == len(listed) == 7


def test_too_many_requests_is_not_a_used_up_quota():
    assert not issubclass(service_error(429), QuotaExceededError)
    assert not issubclass(service_error(403), RateLimitedError)


def test_what_is_about_the_page_is_told_from_what_is_about_the_request():
    about_the_page = {status for status in TABLE if issubclass(service_error(status), ContentError)}
    assert about_the_page == {410, 411}


def test_a_timeout_is_a_failed_connection_and_not_an_answer():
    assert issubclass(AnswerTimeoutError, ConnectionFailedError)
    assert not issubclass(AnswerTimeoutError, ServiceError | ResponseError)


@every(
    ("error", "message"),
    [
        (
            ServiceError(418),
            "The service answered 418. Try again later; if it stays, report the request id to the service.",
        ),
        (BadRequestError(400, endpoint="segment"), "segment answered 400. Check the parameters."),
        (
            InvalidKeyError(401, endpoint="categorize", target="a.example", detail="Invalid API key."),
            ("categorize for a.example answered 401: Invalid API key. "
            "Check the API key: TOOLKIT_API_KEY and TOOLKIT_V1_API_KEY, or the client's arguments."),
        ),
        (
            QuotaExceededError(403, endpoint="segment", target="a.example", request_id="r-7"),
            ("segment for a.example answered 403 (request r-7). "
            "Stop here: wait for the next month, buy credits or upgrade the plan. Stored answers stay usable."),
        ),
        (NotFoundError(404, target="b-1"), "b-1 answered 404. Check the base URL and the identifier."),
        (DataTypeError(407), "The service answered 407. Pass data_type 'url' or 'text'."),
        (
            InsufficientContentError(410, endpoint="segment", target="a.example"),
            ("segment for a.example answered 410. "
            "Try the root domain or a page with more text. Asking again soon gives the same answer."),
        ),
        (
            FetchFailedError(411, endpoint="segment", target="a.example"),
            ("segment for a.example answered 411. "
            "Check the spelling, and that the page opens in a browser without signing in. "
            "Asking again soon gives the same answer."),
        ),
        (
            NotFoundError(404, endpoint="batch_results", target="b-1"),
            ("batch_results for b-1 answered 404. Check the base URL and the identifier. "
            "Results live only as long as the service keeps them."),
        ),
        (
            RateLimitedError(429, endpoint="categorize", detail="Too many", request_id="r-8", retry_after=2.0),
            ("categorize answered 429: Too many (request r-8). The service asks to wait 2 s. "
            "Slow down and try again after a pause."),
        ),
        (
            RateLimitedError(429, retry_after=0),
            "The service answered 429. The service asks to wait 0 s. Slow down and try again after a pause.",
        ),
        (
            ServerError(503, endpoint="enrich", target="a.example"),
            ("enrich for a.example answered 503. "
            "Try again later; if it stays, report the request id to the service."),
        ),
    ],
)  # fmt: skip
def test_a_service_error_says_what_happened_to_what_and_what_to_do(error, message):
    assert str(error) == message


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            UnknownCodeError("INT.DOG", among="vocabulary 1.1", nearest=("INT.DOGS", "INT.CATS")),
            "'INT.DOG' is not in vocabulary 1.1. Nearest: INT.DOGS, INT.CATS. Check the spelling or search for it.",
        ),
        (
            UnknownCodeError("INT.DOG", among="vocabulary 1.1", where="$.codes[0]"),
            "'INT.DOG' at $.codes[0] is not in vocabulary 1.1. Nothing is spelt like it; search for it.",
        ),
    ],
)
def test_an_unknown_code_says_where_and_what_is_near(error, message):
    assert str(error) == message


@pytest.mark.parametrize("kind", [TargetError, InputError, ConfigurationError, DataError, ConnectionFailedError])
def test_a_plain_error_shows_its_message(kind):
    assert str(kind("what happened")) == "what happened"


def test_the_http_status_is_the_code_unless_it_is_given():
    assert (ServiceError(403).http_status, ServiceError(403, http_status=200).http_status) == (403, 200)


def test_a_service_error_carries_what_is_known():
    fields = ("status", "http_status", "endpoint", "target", "detail", "request_id", "retry_after", "raw")
    assert [getattr(sample(ServiceError), name) for name in fields] == [
        410, 200, "segment", "a.example", "too short", "r-1", 1.5, {"status": 410},
    ]  # fmt: skip


def test_a_service_error_of_a_code_alone_carries_nothing_else():
    error = ServiceError(500)
    assert (error.endpoint, error.target, error.detail) == ("", "", "")
    assert (error.request_id, error.retry_after, error.raw) == (None, None, None)


def test_a_long_target_is_shortened_in_the_message_and_kept_in_the_error():
    error = ServiceError(400, target="a" * 500)
    assert f"{'a' * 119}… answered" in str(error)
    assert error.target == "a" * 500


def test_a_long_detail_is_shortened_in_the_message_and_kept_in_the_error():
    error = ServiceError(500, detail="<html>" * 20_000)
    assert len(str(error)) < 1_000
    assert error.detail == "<html>" * 20_000


def test_a_response_error_keeps_the_first_500_characters_of_the_body():
    error = ResponseError("no JSON", body="x" * 1_000)
    assert (error.body, error.path, error.http_status) == ("x" * 500, "$", None)


def test_a_response_error_keeps_the_whole_answer_and_writes_its_body_from_it():
    raw = {"a": "é" * 1_000}
    error = ResponseError("no such field", raw=raw)
    assert error.raw is raw
    assert error.body == ('{"a": "' + "é" * 1_000)[:500]


@pytest.mark.parametrize("raw", [None, {("a",): 1}, float("nan")])
def test_a_response_error_can_be_raised_for_any_answer(raw):
    assert isinstance(ResponseError("no JSON", raw=raw).body, str)


def test_a_code_that_is_no_text_is_said_to_be_none():
    assert str(UnknownCodeError(150, among="taxonomy 'x'", nearest=("150",))) == (
        "'150' is not in taxonomy 'x'. Nearest: 150. It must be text, not int."
    )


def test_a_long_code_is_shortened_in_the_message_and_kept_in_the_error():
    error = UnknownCodeError("x" * 10_000, among="vocabulary 1.1")
    assert (len(str(error)) < 300, len(error.code)) == (True, 10_000)


@pytest.mark.parametrize(
    ("value", "known", "nearest"),
    [
        ("INT.DOG", ["INT.CATS", "INT.DOGS"], ("INT.DOGS",)),
        ("9", ["1", "2"], ()),
        (15, ["150", "7"], ("150",)),
        ("a", [], ()),
    ],
)
def test_the_nearest_are_spelt_alike_best_first(value, known, nearest):
    assert nearest_to(value, known) == nearest


@of_every_class
@every("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_survives_pickling(kind, protocol):
    error = sample(kind)
    restored = pickle.loads(pickle.dumps(error, protocol))
    assert type(restored) is kind
    assert (str(restored), restored.args, vars(restored)) == (str(error), error.args, vars(error))


@of_every_class
def test_an_error_can_be_copied(kind):
    error = sample(kind)
    copied = copy.deepcopy(error)
    assert (type(copied), str(copied), vars(copied)) == (kind, str(error), vars(error))


@of_every_class
def test_a_note_survives_pickling(kind):
    error = sample(kind)
    error.add_note("row 7")
    assert pickle.loads(pickle.dumps(error)).__notes__ == ["row 7"]


STEERING = "odd\u202e\x1b[31m\nline\x00"


@pytest.mark.parametrize(
    "error",
    [
        errors.ResponseError(f"the answer is {STEERING}"),
        errors.ServerError(500, endpoint="segment", target=STEERING, detail=STEERING, request_id=STEERING),
        errors.UnknownCodeError("x", among=f"vocabulary {STEERING}", nearest=(STEERING,)),
    ],
)
def test_what_a_service_says_steers_no_terminal(error):
    assert not any(sign in str(error) for sign in "\u202e\x1b\n\x00")
