"""Whether what came is an answer, or which error it states.

A service may put an error into a body of HTTP 200, in its own words and its own place. What is an error is therefore
told from what the names of the fields say, in any spelling (``statusCode``, ``error_code``, ``ErrMsg``), at the top and
in the objects around and within an answer (``meta``, ``response``, ``status``, ``error``):

=========================================  ===========================================================================
what stands there                          what it says
=========================================  ===========================================================================
a status or code of 300 and more, also     an error of this code, whatever else stands there
as text (``"401 Unauthorized"``)
a status in words of failure, or false;    an error, whatever else stands there; its code is another field's, or what
``success: false``; ``failed: true``       its words mean, or 500
an error that is not empty, a fault, an    an error if no block has content; beside content it is a remark
exception; a message in words of failure
blocks with content                        an answer
a status of 200 to 299, or a word of       an answer that is empty, if there is a block at all and no word of failure
success, beside empty blocks
the domain that was asked, beside empty    the same: family A states no status
blocks
anything else                              no answer: nothing says that this is all there is
=========================================  ===========================================================================

Empty are null, ``""``, ``[]``, ``{}``, ``false``, 0, ``"none"`` and the like, so that ``errors: []`` is no error and
``company: {"name": null}`` no content. A confidence alone is no content either. The legacy segmentation and the
vocabulary have no fields of which all are known: there each field counts that is neither such a mark nor bookkeeping.
What is said of a batch is an answer where it names the batch or tells how it stands, as `toolkit.interface.batches`
reads it. An answer that names another site than was asked is none; another page or host of the same registrable domain
is the same site, as redirects lead there. What a service wraps (``{"data": {…}}``) is looked at as if it stood at the
top, beside the marks that do.

No error has a code below 300.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from toolkit.interface.batches import has_failed, identifier_of, tells_of_job
from toolkit.interface.errors import TargetError
from toolkit.interface.targets import parse_target
from toolkit.interface.text import printable, shortened
from toolkit.interface.wire.shapes import LEGACY, SHAPES, unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolkit.interface.wire.shapes import Shape

__all__ = ["Refusal", "refusal", "says_error", "stated_error"]


class Refusal(NamedTuple):
    """Why what came is no answer: a code where it is an error of the service, and words; `path` is of what is odd."""

    status: int | None
    words: str
    path: str = "$"


#: Fields in which an answer names its site.
_SITES: Final = ("domain", "url")
_OF_BATCHES: Final = frozenset({"submit_batch", "batch_results"})
_OF_SITES: Final = frozenset({"segment", LEGACY, "categorize", "categorize_content", "enrich"})
#: Endpoints whose answers state no status, but the domain that was asked.
_OF_DOMAINS: Final = frozenset({"categorize", "enrich"})

# Names ---------------------------------------------------------------------------------------------------------------

_WHERE: Final = "(?:http|api|app|server|service|response|request|result|return|reply|error|err|fault|exit|status)*"
#: What the name of a field says of its value, in small letters and figures alone; the first that fits.
_KINDS: Final = {
    "warning": "warn.*|deprecat.*|notices?",
    "failed": "failed|isfailed|isfailure|(?:is|has)?errors?flag|iserror|haserrors?|unauthori[sz]ed|forbidden|"
    "(?:quota|limit|ratelimit)(?:exceeded|reached)|ratelimited",
    "success": "(?:is)?(?:success|successful|succeeded|ok|authori[sz]ed|authenticated)|keyvalid|validkey",
    "error code": "(?:err|error|fault)(?:code|no|num|number)",
    "code": f"{_WHERE}code|http",
    "status": f"{_WHERE}status(?:text|message|msg|line|description|reason|phrase)?|outcome|ack",
    "error": "err.*|.*error.*|.*exception.*|(?:soap)?faults?(?:string|detail|message|actor)?|problems?|"
    "failures?(?:reason|message)?|invalidparams?",
    "message": "(?:user|developer|response|return|result)?(?:messages?|msgs?|details?|reasons?)|info|hint|help|title|"
    "state",
    "type": "type|kind|level|severity|object",
    "around": "meta|metadata|response|result|return|data|headers?|head|body|payload|reply|output|envelope",
}
_PATTERNS: Final = [(kind, re.compile(pattern)) for kind, pattern in _KINDS.items()]
_BOOKKEEPING: Final = re.compile(
    "url|domain|query|host|target|website|.*version|.*requestid|traceid|correlationid|id|timestamp|time|date|datetime|"
    ".*credits.*|.*quota.*|processing.*|duration|took|elapsed|limit|remaining|usage|format|cached|plan|account|"
    "build|links?|.*docs?|documentation|moreinfo|support|path|method|instance"
)
_META: Final = re.compile("meta(?:data)?|head(?:ers?)?", re.IGNORECASE)
_LONGEST_NAME: Final = 60
#: Names are remembered, but not without end: they may be anything.
_MOST_NAMES: Final = 5_000


class _Kinds(dict[str, str]):
    """What names say, by name; the empty text where one says nothing."""

    def __missing__(self, name: str) -> str:
        plain = _plain_name(name)
        kind = next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(plain)), "") if plain else ""
        if len(self) < _MOST_NAMES and plain:
            self[name] = kind
        return kind


_KIND: Final = _Kinds()


def says_error(name: str) -> bool:
    """Tell whether a name says that its value is an error."""
    return _KIND[name] == "error"


def _plain_name(name: str) -> str:
    return "" if len(name) > _LONGEST_NAME else re.sub("[^a-z0-9]+", "", name.lower())


# Words ---------------------------------------------------------------------------------------------------------------

_OK: Final = range(200, 300)
_EMPTY_WORDS: Final = frozenset({"", "null", "none", "nil", "undefined", "n/a", "na", "nan", "-", "false", "no", "0"})
_GOOD_WORDS: Final = frozenset(
    {"ok", "okay", "success", "successful", "succeeded", "completed", "complete", "done", "finished", "true", "yes"}
)
_BAD_WORDS: Final = frozenset({"not found", "ko", "nok", "no", "false", "bad", "0", "n"})
_TRUE_WORDS: Final = frozenset({"true", "yes", "1", "y"})
_FAILURE: Final = re.compile(
    r"\b(?:err|errors?|fail(?:s|ed|ures?|ing)?|den(?:y|ied)|unauthori[sz]ed|unauthenticated|forbidden|invalid|illegal|"
    r"rejected|refused|expired|revoked|suspended|disabled|deactivated|blocked|banned|exceed(?:s|ed|ing)?|exhausted|"
    r"insufficient|missing|required|unavailable|unsupported|unreachable|overload(?:ed)?|maintenance|wrong|incorrect|"
    r"malformed|unexpected|exceptions?|faults?|abort(?:ed)?|crash(?:ed)?|time ?d? ?out|throttl\w*|rate limit\w*|"
    r"too (?:many|fast|few)|over (?:the )?(?:quota|limit)|limit (?:reached|hit)|out of (?:credits|quota)|used up|"
    r"upgrade|payment|bad (?:request|gateway|key|parameters?)|try again|unknown (?:api )?(?:key|user|account|token)|"
    r"no such|no (?:more |valid )?(?:credits?|quota|access|permissions?|subscription|(?:api )?key|token)|unable|"
    r"not (?:authori[sz]ed|authenticated|allowed|permitted|valid|supported|active|accepted|recogni[sz]ed|subscribed)|"
    r"not enough (?:credits?|quota|tokens?)|inactive|api key|(?:does not|doesn't) include|"
    r"(?:reached|hit|over) (?:your|the) (?:\w+ )?(?:limit|quota)|please (?:provide|supply|contact|subscribe|log|sign)|"
    # That nothing was found says that nothing is known, which is an answer.
    r"(?:could not|couldn t|couldn't|cannot|can not|can't)(?! find| determine| identify))\b"
)
_NO_FAILURE: Final = re.compile(r"\b(?:no|without|zero|0)\s+(?:\w+\s+)?(?:errors?|failures?|faults?|exceptions?)\b")
_CODE: Final = re.compile(r"\s*(?:http(?:/[\d.]+)?\s+)?([+-]?\d{1,9})(?:\.0*)?(?![\w.])", re.IGNORECASE)
_CODE_WITHIN: Final = re.compile(r"\b(?:http|errors?|code|status)\b\W{0,3}([345]\d\d)(?!\d)")
#: What words of failure mean where no code is stated; the first that fits.
_MEANINGS: Final = [
    (code, re.compile(pattern))
    for code, pattern in (
        # Of what stands before the service: that says nothing of its keys.
        (502, r"\bproxy\b|\bgateway\b"),
        (429, r"rate limit|too many (?:requests|calls)|too fast|throttl|slow down"),
        (
            403,
            r"quota|\bcredits?\b|\bplan\b|subscription|(?:usage|monthly|daily) limit|payment|forbidden|access denied",
        ),
        (
            401,
            r"(?:api |access |auth\w* )?\b(?:key|token|credentials?)\b|unauthori[sz]ed|\bauth|not authori[sz]ed",
        ),
        (404, r"^not found$"),
        (410, r"insufficient tokens|could not be loaded"),
        (411, r"could not be fetched"),
        (400, r"bad request|malformed request|(?:missing|invalid|required) (?:parameters?|arguments?|field)"),
    )
]
_LONGEST_WORDS: Final = 500
#: A free text longer than this is no notice of a failure.
_LONGEST_NOTICE: Final = 200


def _spoken(text: str) -> str:
    """Return the opening of a text as words: INVALID_KEY and InvalidKey are "invalid key"."""
    return _words(text[:_LONGEST_WORDS])


@lru_cache(maxsize=1024)
def _words(text: str) -> str:
    apart = re.sub("(?<=[a-z])(?=[A-Z])", " ", text)
    return " ".join(re.sub("[_-]+", " ", apart).lower().split())


def _tells_failure(text: str) -> bool:
    return bool(_FAILURE.search(_NO_FAILURE.sub(" ", _spoken(text))))


def _meaning_of(words: str) -> int:
    """Return the code that words of failure mean, 0 where they may mean any."""
    return next((code for code, pattern in _MEANINGS if pattern.search(words)), 0)


def _is_empty(value: Any) -> bool:
    """Tell whether a value says nothing, also one that has values which say nothing."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found
        elif isinstance(found, str):
            if _spoken(found) not in _EMPTY_WORDS and _spoken(found) not in _GOOD_WORDS:
                return not _NO_FAILURE.sub("", _spoken(found)).strip()
        elif found and not (_is_number(found) and found in _OK):
            return False
    return True


# Signs of an error ---------------------------------------------------------------------------------------------------

_LEAST_ERROR: Final = 300
_HTTP_ERRORS: Final = range(300, 600)
#: Numbers that say yes and no, and no code.
_BITS: Final = (0, 1)
#: Objects within one another in which signs are looked for, and entries of a list.
_DEEPEST: Final = 4
_FEW: Final = 5


class _Signs:
    """What the marks of a body say together."""

    __slots__ = ("code", "hint", "is_doubtful", "is_error", "is_failure", "is_good", "remark", "words")

    def __init__(self) -> None:
        #: An error whatever else stands there, and its code.
        self.is_failure = False
        self.code = 0
        #: An error where there is no content, and its code.
        self.is_error = False
        self.hint = 0
        self.is_good = False
        #: A status that says neither.
        self.is_doubtful = False
        #: The words of an error, and others.
        self.words = ""
        self.remark = ""

    def look(self, block: Mapping[str, Any], level: int = 0, *, within: bool = False) -> None:
        """Read the marks of an object; those within an error speak of it, and weigh no more than it does."""
        for name, value in block.items():
            if (kind := _KIND[name]) and value is not None:
                self.note(kind, value, level, within=within)

    def note(self, kind: str, value: Any, level: int = 0, *, within: bool = False) -> None:
        """Read a mark."""
        if kind == "error" and not _is_empty(value):
            self.is_error = True
        if isinstance(value, dict):
            if level < _DEEPEST:
                self.look(value, level + 1, within=within or kind == "error")
        elif isinstance(value, list):
            # The entries of a list around an answer are answers of their own.
            shown = value[:_FEW] if kind in {"error", "message"} or (kind != "around" and len(value) == 1) else []
            for part in shown if level < _DEEPEST else ():
                self.note(kind, part, level + 1, within=within or kind == "error")
        elif kind in _READERS:
            _READERS[kind](self, value, within=within)

    def _status(self, value: Any, *, within: bool) -> None:
        if isinstance(value, bool):
            self._flag(value)
        elif (number := _number(value)) is not None:
            if number >= _LEAST_ERROR:
                self._coded(number, within=within)
            elif number not in _OK and number not in _BITS:
                self.is_failure = True
            else:
                self.is_good = self.is_good or number in _OK
            if isinstance(value, str) and len(value) > len(str(number)):
                self._status_words(value)
        elif isinstance(value, str):
            self._status_words(value)

    def _status_words(self, text: str) -> None:
        if _spoken(text) in _BAD_WORDS or _tells_failure(text):
            self.is_failure, self.remark = True, self.remark or text
        elif _spoken(text) in _GOOD_WORDS:
            self.is_good = True
        elif _CODE.match(text) is None and _spoken(text) not in _EMPTY_WORDS:
            self.is_doubtful = True

    def _number(self, value: Any, *, within: bool) -> None:
        number = _number(value)
        if number is None:
            if isinstance(value, str) and _tells_failure(value):
                self.is_error, self.remark = True, self.remark or value
        elif number in _HTTP_ERRORS:
            self._coded(number, within=within)
            if isinstance(value, str) and len(value) > len(str(number)):
                self.remark = self.remark or value
        elif number in _OK and not within:
            self.is_good = True

    def _error_number(self, value: Any, *, within: bool) -> None:
        self._number(value, within=within)
        number = _number(value)
        if (number is not None and number not in {0, *_OK}) or (number is None and not _is_empty(value)):
            self.is_error = True

    def _flag(self, value: Any, *, within: bool = False) -> None:
        word = _spoken(value) if isinstance(value, str) else ""
        if value is True or word in _TRUE_WORDS or word in _GOOD_WORDS or (_is_number(value) and value == 1):
            self.is_good = self.is_good or not within
        elif value is False or word in _BAD_WORDS or (word and _tells_failure(word)):
            self.is_failure = True
        elif _is_number(value) and value == 0:  # perhaps a number of successes
            self.is_error = True

    def _failed(self, value: Any, *, within: bool) -> None:  # noqa: ARG002 - as the others
        if value is True or (isinstance(value, str) and _spoken(value) in _TRUE_WORDS):
            self.is_failure = True
        elif _is_number(value) and value:  # perhaps a number of failures
            self.is_error = True

    def _error(self, value: Any, *, within: bool) -> None:  # noqa: ARG002 - as the others
        if isinstance(value, str) and not _is_empty(value):
            self.words = self.words or value.strip()
        elif (number := _number(value)) in _HTTP_ERRORS:
            self.hint = self.hint or number or 0

    def _message(self, value: Any, *, within: bool) -> None:
        if isinstance(value, str) and value.strip():
            if within:
                self.words = self.words or value.strip()
            self.remark = self.remark or value.strip()
            self.is_error = self.is_error or _tells_failure(value) or _spoken(value) in _BAD_WORDS

    def _type(self, value: Any, *, within: bool) -> None:  # noqa: ARG002 - as the others
        if isinstance(value, str) and _spoken(value) in {"error", "exception", "fault", "failure"}:
            self.is_error = True

    def _around(self, value: Any, *, within: bool) -> None:  # noqa: ARG002 - as the others
        """Read what stands in the place of an answer: one word is a status, more are a message."""
        if value is False:
            self.is_error = True
        elif isinstance(value, str) and len(value) <= _LONGEST_NOTICE:
            if " " in _spoken(value):
                self._message(value, within=False)
            else:
                self._status_words(value)

    def _coded(self, number: int, *, within: bool) -> None:
        if within:
            self.hint = self.hint or number
        else:
            self.is_failure, self.code = True, self.code or number

    @property
    def detail(self) -> str:
        """The words of the service."""
        return (self.words or self.remark)[:_LONGEST_WORDS]

    @property
    def status(self) -> int:
        """The code of the error: as it is stated, else what its words mean, else 500."""
        if stated := self.code or self.hint:
            return stated
        words = _spoken(f"{self.words} {self.remark}")
        if (found := _CODE.match(words)) and int(found[1]) in _HTTP_ERRORS:
            return int(found[1])
        if found := _CODE_WITHIN.search(words):
            return int(found[1])
        return _meaning_of(words) or 500


_READERS: Final = {
    "status": _Signs._status,  # noqa: SLF001 - its own
    "code": _Signs._number,  # noqa: SLF001
    "error code": _Signs._error_number,  # noqa: SLF001
    "success": _Signs._flag,  # noqa: SLF001
    "failed": _Signs._failed,  # noqa: SLF001
    "error": _Signs._error,  # noqa: SLF001
    "message": _Signs._message,  # noqa: SLF001
    "type": _Signs._type,  # noqa: SLF001
    "around": _Signs._around,  # noqa: SLF001
}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any) -> int | None:
    """Return a whole number, or the one that a text begins with; None where there is none."""
    if isinstance(value, str):
        found = _CODE.match(value)
        return int(found[1]) if found else None
    try:
        return int(value) if _is_number(value) and abs(value) < 1e9 else None  # noqa: PLR2004 - no code is so large
    except (OverflowError, ValueError):  # not finite
        return None


# The verdict ---------------------------------------------------------------------------------------------------------


def refusal(raw: dict[str, Any], endpoint: str, subject: str = "") -> Refusal | None:
    """Return why a decoded body is no answer, or None where it is one; the module's table says what is.

    Parameters
    ----------
    raw : dict
        The body.
    endpoint : str
        What was asked; `LEGACY` for the legacy segmentation.
    subject : str
        The site that was asked in normal form; empty where it was none.

    Examples
    --------
    >>> refusal({"demographics": {}, "statusCode": "401 Unauthorized"}, "segment")
    Refusal(status=401, words='401 Unauthorized', path='$')
    >>> refusal({"demographics": {"urbanicity": "urban"}, "errors": []}, "segment") is None
    True
    """
    signs = _Signs()
    signs.look(raw)
    if endpoint in _OF_BATCHES:
        return _of_batch(raw, endpoint, signs)
    if (inner := unwrapped(raw, endpoint)) is not raw:
        raw = inner
        signs.look(raw)
    return Refusal(signs.status, signs.detail) if signs.is_failure else _of_blocks(raw, endpoint, subject, signs)


def _of_blocks(raw: Mapping[str, Any], endpoint: str, subject: str, signs: _Signs) -> Refusal | None:
    """Return why a body that states no failure is no answer: what weighs is whether its blocks have content."""
    shape = SHAPES[endpoint]
    if _has_content(raw, shape) and not (endpoint == LEGACY and not signs.is_good and _is_notice(raw, signs)):
        return _other_site(raw, endpoint, subject)
    for part in _unmarked(raw):
        if isinstance(part, dict):
            signs.look(part, within=True)
        elif isinstance(part, str) and not signs.is_good:
            signs.note("message", part)
    if signs.is_error or signs.hint:
        return Refusal(signs.status, signs.detail)
    if endpoint == "filters":  # whether it is a vocabulary shows when it is read
        return None
    return _of_nothing(raw, endpoint, subject, signs)


def _of_nothing(raw: Mapping[str, Any], endpoint: str, subject: str, signs: _Signs) -> Refusal | None:
    """Return why a body with neither content nor error is no answer: it is one if it says that all is well."""
    shape = SHAPES[endpoint]
    known = (*shape.blocks, *shape.values)
    if known and not any(name in raw for name in known):
        return Refusal(None, "")
    plain = {_plain_name(name): name for name in known}
    for name in raw:  # not an empty success because of capitals
        if name not in known and _holds(raw[name]) and (right := plain.get(_plain_name(name))):
            shown = printable(shortened(name, _LONGEST_NAME))
            return Refusal(None, f"the answer has {shown!r} where the interface has {right!r}")
    is_told = endpoint in _OF_DOMAINS and not signs.is_doubtful and subject
    if signs.is_good or (is_told and _is_same_site(raw.get("domain"), subject)):
        return _other_site(raw, endpoint, subject)
    return Refusal(None, "the answer has nothing in it, and does not say that nothing is known")


def _of_batch(raw: Mapping[str, Any], endpoint: str, signs: _Signs) -> Refusal | None:
    """Return why what a service says of a batch is no answer.

    That a job failed is an answer about it, and results are never lost for what is said beside them; nor is the
    identifier of a job that was taken.
    """
    if endpoint == "submit_batch":
        is_answer = not signs.is_failure and (tells_of_job(raw) or not signs.is_error)
        is_known = identifier_of(raw) is not None
    else:
        is_answer = not signs.code and (has_failed(raw) or not signs.is_failure)
        is_known = tells_of_job(raw)
    if is_known and is_answer:
        return None
    if signs.is_failure or signs.is_error or signs.hint:
        return Refusal(signs.status, signs.detail)
    return Refusal(None, "")


def stated_error(raw: Any) -> Refusal:
    """Return what the body of an HTTP error says: a code of its own, or None, and its words."""
    signs = _Signs()
    if isinstance(raw, dict):
        signs.look(raw)
    return Refusal(signs.code if signs.code >= _LEAST_ERROR else None, signs.detail)


def _has_content(raw: Mapping[str, Any], shape: Shape) -> bool:
    for name in shape.blocks:
        block = raw.get(name)
        if block and isinstance(block, dict | list) and _holds(block):
            return True
    for name in shape.values:
        if _holds(raw.get(name)):
            return True
    return any(_holds(value) for value in _unmarked(raw) if isinstance(value, shape.anywhere))


def _unmarked(raw: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the fields that are neither marks nor bookkeeping, also those within an object around them."""
    for name, value in raw.items():
        kind = _KIND[name]
        if kind == "around":
            if value is not True and not _META.fullmatch(name):
                yield value
        elif not kind and not _BOOKKEEPING.fullmatch(_plain_name(name)):
            yield value


def _holds(value: Any) -> bool:
    """Tell whether a value says anything, but for marks and confidences."""
    waiting: list[Any] = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            waiting += [part for name, part in found.items() if name != "confidence" and not _is_mark(name)]
        elif isinstance(found, list):
            waiting += found
        elif isinstance(found, str):
            if len(found) > len("undefined") or _spoken(found) not in _EMPTY_WORDS:
                return bool(found.strip())
        elif found:
            return True
    return False


def _is_mark(name: str) -> bool:
    return _KIND[name] not in {"", "type", "around"}


def _is_notice(raw: Mapping[str, Any], signs: _Signs) -> bool:
    """Tell whether a body of unknown fields is but a short text that tells of a failure."""
    told = [part for part in _unmarked(raw) if _holds(part)]
    if not all(isinstance(part, str) and len(part) <= _LONGEST_NOTICE for part in told):
        return False
    return signs.is_error or any(_tells_failure(part) and _meaning_of(_spoken(part)) for part in told)


def _other_site(raw: Mapping[str, Any], endpoint: str, subject: str) -> Refusal | None:
    if not subject or endpoint not in _OF_SITES:
        return None
    for name in _SITES:
        named = raw.get(name)
        if named and named != subject and isinstance(named, str) and not _is_same_site(named, subject, unknown=True):
            shown = printable(shortened(named.strip(), _LONGEST_NAME))
            return Refusal(None, f"the answer is about another site, {shown!r}", f"$.{name}")
    return None


def _is_same_site(named: Any, subject: str, *, unknown: bool = False) -> bool:
    """Tell whether a text names the site of a subject in normal form; `unknown` is said of what names none."""
    if not isinstance(named, str):
        return unknown
    if named == subject:
        return True
    try:
        found = parse_target(named)
        if found.normal == subject:
            return True
        # A normal form has no scheme, without which the host of an intranet is none.
        asked = parse_target(f"http://{subject}")
    except TargetError:
        return unknown
    return found.domain == asked.domain or (found.registrable is not None and found.registrable == asked.registrable)
