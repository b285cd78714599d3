"""Domains and URLs in normal form.

The normal form follows the interface's advice: lower case, no scheme, no leading ``www.``, and for a domain no
path. It decides what counts as the same target; :attr:`Target.url` is what gets fetched.
"""

from __future__ import annotations

import csv
import ipaddress
import re
import string
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

import idna

from toolkit.interface.errors import TargetError
from toolkit.interface.text import shortened

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

__all__ = ["Target", "is_blank", "is_tracking_parameter", "parse_domain", "parse_target", "registrable_domain"]

_SCHEME: Final = re.compile(r"^([a-z][a-z0-9+.-]*):(?=//)", re.IGNORECASE)
_OTHER_SCHEME: Final = re.compile(
    r"^(mailto|javascript|data|tel|about|file|blob|urn|ftp|sms|view-source):", re.IGNORECASE
)
#: What most targets look like: nothing in them is to be mapped or decoded, and so they are read in a tenth of the time.
_PLAIN: Final = re.compile(
    r"(?:(https?)://)?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,63})((?:/[A-Za-z0-9_~-]+){0,16}/?)"
)
_LABEL: Final = re.compile(r"^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$")
_NUMBER: Final = re.compile(r"^(?:[0-9]+|0x[0-9a-f]*)$")
#: White space of Unicode and the marks of no width that stick to copied text.
_AROUND: Final = (
    string.whitespace
    + "\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
    + "".join(map(chr, range(0x2000, 0x200C)))
)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_LONGEST_HOST: Final = 253
_LONGEST_TARGET: Final = 8_192
_SHOWN: Final = 80
#: What people write into a cell that holds nothing.
_BLANK: Final = frozenset(
    {"", "-", "--", "–", "—", ".", "?", "#n/a", "n.a", "n.a.", "n/a", "na", "nan", "nil", "none", "null", "unknown"}
)
_LONGEST_BLANK: Final = max(map(len, _BLANK))


@dataclass(frozen=True, slots=True)
class Target:
    """A domain or URL, taken apart and put in normal form.

    Attributes
    ----------
    given : str
        The text as it was given, without surrounding white space.
    scheme : str
        ``http`` or ``https``; ``https`` where none was given.
    host : str
        Host in lower case and ASCII (IDNA), as given otherwise: a leading ``www.`` is kept.
    port : int or None
        Port where it is not the scheme's own.
    path : str
        Path with percent-encoding; empty for a bare domain.
    query : str
        Query without tracking parameters, without ``?``.

    Examples
    --------
    >>> target = parse_target("HTTPS://WWW.Trailhead-Outfitters.example/Boots?utm_source=mail&size=9#top")
    >>> target.normal
    'trailhead-outfitters.example/Boots?size=9'
    >>> target.domain
    'trailhead-outfitters.example'
    >>> target.url
    'https://www.trailhead-outfitters.example/Boots?size=9'
    """

    given: str = field(compare=False)
    scheme: str
    host: str
    port: int | None = None
    path: str = ""
    query: str = ""

    @classmethod
    def parse(cls, text: str | Target) -> Target:
        """Read a domain or URL; see `toolkit.interface.targets.parse_target`."""
        return parse_target(text)

    @property
    def domain(self) -> str:
        """The host without a leading ``www.``, unless that is the name itself: the domain normal form."""
        return _without_www(self.host)

    @property
    def site(self) -> str:
        """What a question about a domain is about: the domain, and its port where it has one of its own.

        A host without a dot keeps its scheme: read again, a site gives itself.

        Examples
        --------
        >>> parse_target("https://www.example.com:8443/page").site, parse_target("http://[::1]/").site
        ('example.com:8443', '[::1]')
        """
        scheme = "" if "." in self.host or ":" in self.host else f"{self.scheme}://"
        return f"{scheme}{self._authority}"

    @property
    def _authority(self) -> str:
        # Without a scheme neither scheme's own port can tell two targets apart.
        port = "" if self.port in {None, *_DEFAULT_PORTS.values()} else f":{self.port}"
        return f"{_bracketed(self.domain)}{port}"

    @property
    def domain_unicode(self) -> str:
        """The domain as people write it, with its own letters.

        Examples
        --------
        >>> parse_target("xn--bcher-kva.example").domain_unicode
        'bücher.example'
        """
        try:
            return idna.decode(self.domain)
        except idna.IDNAError:
            return self.domain

    @property
    def registrable(self) -> str | None:
        """The domain one registers, such as ``example.co.uk``; None for addresses and public suffixes."""
        return registrable_domain(self.domain)

    @property
    def is_domain(self) -> bool:
        """Whether the target names a whole domain: no path beyond ``/``, no query, no port."""
        return self.path in ("", "/") and not self.query and self.port is None

    @property
    def is_subdomain(self) -> bool:
        """Whether the domain stands below its registrable domain."""
        return self.registrable is not None and self.domain != self.registrable

    @property
    def normal(self) -> str:
        """What decides sameness: domain, port, path and query; for a whole domain the domain alone.

        Read again, it gives itself; only a host without a dot needs its scheme to be read.
        """
        path = self.path or "/"
        if path == "/" and not self.query:
            path = ""
        query = f"?{self.query}" if self.query else ""
        return f"{self._authority}{path}{query}"

    @property
    def url(self) -> str:
        """The URL to fetch."""
        port = f":{self.port}" if self.port is not None else ""
        query = f"?{self.query}" if self.query else ""
        return f"{self.scheme}://{_bracketed(self.host)}{port}{self.path or '/'}{query}"

    @property
    def query_text(self) -> str:
        """What is sent: a scheme only where one was given, so that the service may try both."""
        if self.given.lower().startswith(("http://", "https://")):
            return self.url
        bare = self.url.removeprefix("https://")
        return bare.removesuffix("/") if self.is_domain else bare

    def __str__(self) -> str:
        return self.normal


def parse_target(text: str | Target) -> Target:
    """Read a domain (``example.com``) or an ``http`` or ``https`` URL; a `Target` is returned as it is.

    White space around it is no matter. What is neither is a `TargetError`.

    >>> parse_target("Bücher.example/Neu").normal
    'xn--bcher-kva.example/Neu'
    >>> parse_target("two words")
    Traceback (most recent call last):
    ...
    toolkit.interface.errors.TargetError: 'two words' has a space in it, so it is neither a domain nor a URL. ...
    """
    if isinstance(text, Target):
        return text
    if not isinstance(text, str):
        raise TargetError(
            f"A target must be text, not {type(text).__name__}. Pass a domain or URL such as 'example.com'."
        )
    given = text.strip(_AROUND)
    if len(given) <= _LONGEST_BLANK and is_blank(given):
        said = f"{given!r} stands for nothing" if given else "The target is empty"
        raise TargetError(f"{said}. Pass a domain or URL such as 'example.com'.")
    if len(given) > _LONGEST_TARGET:
        raise TargetError(f"The target has {len(given)} characters; a URL has at most {_LONGEST_TARGET}.")
    if (plain := _PLAIN.fullmatch(given)) is not None and len(plain[2]) <= _LONGEST_HOST:
        return Target(given, plain[1] or "https", plain[2], None, plain[3], "")
    if any(character.isspace() or ord(character) < ord(" ") for character in given):
        raise TargetError(
            f"{_shown(given)} has a space in it, so it is neither a domain nor a URL. "
            "Write one domain or URL, such as 'example.com'."
        )
    if not _is_encodable(given):
        raise TargetError(f"{_shown(given)} holds half a character. Check the encoding it was read with.")
    scheme, rest = _split_scheme(given)
    try:
        parts = urlsplit(f"//{rest}")
        port = parts.port
    except ValueError:
        # The parser's own words are not shown: they may repeat a password.
        raise TargetError(f"{_shown(given)} is not a valid URL. Check the host, its brackets and the port.") from None
    if parts.username is not None or parts.password is not None:
        # Not shown: what stands before the @ may be a password.
        what = "carries sign-in data" if scheme or parts.password is not None else "looks like an e-mail address"
        place = f" for {shortened(parts.hostname, _SHOWN)!r}" if parts.hostname else ""
        raise TargetError(f"The target{place} {what}. Pass the domain or URL alone, without 'name@'.")
    host = _ascii_host(parts.hostname or "", given, with_scheme=bool(scheme))
    scheme = scheme or "https"
    return Target(
        given=given,
        scheme=scheme,
        host=host,
        port=None if port == _DEFAULT_PORTS[scheme] else port,
        path=_normal_path(parts.path),
        query=_without_tracking(parts.query),
    )


def is_blank(text: str) -> bool:
    """Tell whether a text says nothing: an empty cell, or a word that stands for one.

    >>> is_blank(" "), is_blank("N/A"), is_blank("my shop")
    (True, True, False)
    """
    return text.strip(_AROUND).casefold() in _BLANK


def parse_domain(text: str | Target) -> str:
    """Read a domain or URL and return the domain in lower-case ASCII, or raise a `TargetError`.

    Scheme, leading ``www.``, port and path are dropped.

    >>> parse_domain("https://www.Example.com/page?x=1")
    'example.com'
    """
    return parse_target(text).domain


def registrable_domain(host: str) -> str | None:
    """Return the domain that one registers, by the bundled public-suffix list, of a host in lower-case ASCII.

    It is None for IP addresses, public suffixes and single labels.

    >>> registrable_domain("shop.example.co.uk")
    'example.co.uk'
    >>> registrable_domain("co.uk") is None
    True
    """
    if _address(host) is not None:
        return None
    found = _suffixes().privatesuffix(host)
    return str(found) if found else None


def is_tracking_parameter(name: str) -> bool:
    """Tell whether a query parameter only tracks clicks and names no content.

    >>> is_tracking_parameter("utm_campaign"), is_tracking_parameter("page")
    (True, False)
    """
    exact, prefixes = _tracking()
    lowered = name.lower()
    return lowered in exact or lowered.startswith(prefixes)


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - reads the list, so on first use

    return PublicSuffixList()


@cache
def _tracking() -> tuple[frozenset[str], tuple[str, ...]]:
    with files("toolkit.interface.data").joinpath("tracking_parameters.tsv").open(encoding="utf-8") as lines:
        names = [row["name"] for row in csv.DictReader(lines, delimiter="\t")]
    prefixes = tuple(name.removesuffix("*") for name in names if name.endswith("*"))
    return frozenset(names), prefixes


def _split_scheme(given: str) -> tuple[str, str]:
    if found := _SCHEME.match(given):
        scheme = found[1].lower()
        if scheme not in _DEFAULT_PORTS:
            raise TargetError(f"{_shown(given)} has the scheme {scheme!r}; only http and https can be looked up.")
        return scheme, given[found.end() + 2 :]
    if found := _OTHER_SCHEME.match(given):
        raise TargetError(f"{_shown(given)} has the scheme {found[1].lower()!r}; only http and https can be looked up.")
    return "", given.removeprefix("//")


def _ascii_host(host: str, given: str, *, with_scheme: bool) -> str:
    host = host.rstrip(".。").lower()
    if not host:
        raise TargetError(f"{_shown(given)} names no host. Pass a domain or URL such as 'example.com/page'.")
    if (address := _address(host)) is not None:
        return address
    try:
        mapped = idna.uts46_remap(host, std3_rules=False)
    except idna.IDNAError:
        mapped = host
    ascii_host = ".".join(_ascii_label(label) for label in mapped.split("."))
    labels = ascii_host.split(".")
    if len(ascii_host) > _LONGEST_HOST or not all(_LABEL.match(label) for label in labels):
        shown = shortened(host, _SHOWN)
        raise TargetError(f"{_shown(given)} is not a valid domain: check the letters, dots and hyphens of {shown!r}.")
    if _NUMBER.match(labels[-1]):  # browsers read such a host as an IPv4 address, whatever its form
        raise TargetError(f"{_shown(given)} ends in a number but is no valid IPv4 address. Check the domain.")
    if len(labels) == 1 and not with_scheme:
        raise TargetError(
            f"{_shown(given)} has no dot, so it is no domain. Add the ending, such as '{host}.com', "
            "or 'http://' before the name of a host on an intranet."
        )
    return ascii_host


def _ascii_label(label: str) -> str:
    # Label by label, as one that IDNA does not know, such as "_dmarc", may stand beside one in its own letters.
    try:
        return label if label.isascii() else idna.alabel(label).decode("ascii")
    except idna.IDNAError:
        return label


def _address(host: str) -> str | None:
    """Return an IP address in its shortest form; None for a name."""
    if "%" in host:  # a zone names a network card of one computer, so no one else could fetch it
        return None
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _without_www(host: str) -> str:
    while (shorter := host.removeprefix("www.")) != host and registrable_domain(shorter):
        host = shorter
    return host


def _normal_path(path: str) -> str:
    if not path:
        return ""
    # Not by urljoin, which also takes away empty segments and a ";" at the end.
    segments = quote(path, safe="/%:@!$&'()*+,;=~-._").split("/")[1:]
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _without_tracking(query: str) -> str:
    kept = [pair for pair in query.split("&") if pair and not is_tracking_parameter(pair.split("=", 1)[0])]
    return quote("&".join(kept), safe="/%:@!$&'()*+,;=~-._?[]")


def _shown(given: str) -> str:
    # What stands before an "@" may be a password, even where a parser sees none.
    _, at, rest = given.rpartition("@")
    return repr(shortened(f"…@{rest}" if at else given, _SHOWN))
