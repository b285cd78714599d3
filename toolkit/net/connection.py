"""Where the requests of both families go, and with which keys."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import httpx
from pydantic import SecretStr

from toolkit.interface.calls import CONTENT_PATHS
from toolkit.interface.errors import ConfigurationError, TargetError
from toolkit.interface.targets import parse_target
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.interface.calls import Family, Question

__all__ = ["ENVIRONMENT", "MOST_OPEN", "NOT_PICKLED", "Connection", "Route", "sealed"]

ENVIRONMENT: Final[dict[Family, tuple[str, str]]] = {
    "a": ("TOOLKIT_V1_BASE_URL", "TOOLKIT_V1_API_KEY"),
    "b": ("TOOLKIT_BASE_URL", "TOOLKIT_API_KEY"),
}
#: Requests that may be open at a time at most: the interface's headline is at 500.
MOST_OPEN: Final = 1_000
_CONTENT_APIS: Final = ("std", "iab")
_SHOWN: Final = 40
#: What stands for a key that is no text.
_NO_KEY: Final = "\0"
_EMBEDDED_URL: Final = "http://embedded.invalid"
NOT_PICKLED: Final = (
    "A client holds a key and is not pickled. Make a client where it is used; it reads the environment."
)


@dataclass(frozen=True, slots=True)
class Route:
    """Base URL and key of a family, and the paths that are others at this service."""

    base_url: str
    key: SecretStr | None
    paths: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Connection:
    """Base URLs and keys of both families; without any, the embedded service."""

    routes: dict[Family, Route]
    embedded: bool
    #: The routes by which keyed requests can go.
    keyed: dict[Family, Route] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        good = {family: route for family, route in self.routes.items() if self.embedded or route.key is not None}
        object.__setattr__(self, "keyed", good)

    @classmethod
    def resolve(
        cls,
        api_key: str | SecretStr | None = None,
        base_url: str | None = None,
        v1_api_key: str | SecretStr | None = None,
        v1_base_url: str | None = None,
        content_api: str | None = None,
    ) -> Connection:
        """Join arguments and environment; an argument wins."""
        # Sealed at once: a traceback from here may print the variables.
        api_key, v1_api_key = sealed(api_key), sealed(v1_api_key)
        _check(api_key)
        _check(v1_api_key)
        given: dict[Family, tuple[str | None, SecretStr | None]] = {
            "a": (v1_base_url, v1_api_key),
            "b": (base_url, api_key),
        }
        paths = _content_paths(os.environ.get("TOOLKIT_CONTENT_API", "std") if content_api is None else content_api)
        routes: dict[Family, Route] = {}
        keys: dict[Family, SecretStr | None] = {}
        for family, (given_url, key) in given.items():
            url_name, key_name = ENVIRONMENT[family]
            url = (given_url or os.environ.get(url_name) or "").strip()
            keys[family] = key or sealed(os.environ.get(key_name))
            _check(keys[family])
            if url:
                routes[family] = Route(_checked_url(url, url_name), keys[family], paths)
        if not routes:
            if any(keys.values()):
                raise ConfigurationError(
                    "An API key is set, but no base URL to send it to. Set TOOLKIT_BASE_URL or TOOLKIT_V1_BASE_URL "
                    "(or base_url=…, v1_base_url=…), or unset the key to use the embedded service."
                )
            return cls({family: Route(_EMBEDDED_URL, None) for family in given}, embedded=True)
        return cls({family: _with_shared_key(route, routes) for family, route in routes.items()}, embedded=False)

    def __reduce__(self) -> tuple[Any, ...]:
        raise ConfigurationError(NOT_PICKLED)

    def service(self, family: Family) -> str:
        """Return whom a family's calls ask: the base URL, or ``embedded``."""
        return "embedded" if self.embedded else self.route(family).base_url

    def key(self, family: Family) -> SecretStr | None:
        """Return the key of a family; None for the embedded service, which needs none from outside."""
        return None if self.embedded else self.route(family).key

    def check(self, endpoint: str, family: Family) -> Route:
        """Return where the requests of a keyed endpoint go; without a base URL or a key it is a ConfigurationError."""
        route = self.route(family)
        if route.key is None and not self.embedded:
            name = ENVIRONMENT[family][1]
            raise ConfigurationError(f"{endpoint} needs an API key: set {name} or pass {name[8:].lower()}=….")
        return route

    def services(self, questions: Iterable[Question]) -> list[str]:
        """Return whom each of some questions asks; raise a ConfigurationError as `check` where one cannot be asked."""
        asked = [self.check(question.endpoint, question.family).base_url for question in questions]
        return ["embedded"] * len(asked) if self.embedded else asked

    def route(self, family: Family) -> Route:
        """Return where a family's requests go; without a base URL it is a ConfigurationError."""
        if family not in self.routes:
            name = ENVIRONMENT[family][0]
            what = "categorize, enrich and batches" if family == "a" else "segment, filters and categorize_content"
            raise ConfigurationError(f"No base URL for {what}: set {name} or pass {name[8:].lower()}=….")
        return self.routes[family]


def sealed(key: str | SecretStr | None) -> SecretStr | None:
    """Wrap a key so that nothing shows it; None for a blank one.

    It raises nothing, so that a caller has let go of all plain texts before any of them is refused.
    """
    if key is None:
        return None
    plain: object = key.get_secret_value() if isinstance(key, SecretStr) else key
    key = SecretStr(plain.strip() if isinstance(plain, str) else _NO_KEY)
    return key if key.get_secret_value() else None


def _check(key: SecretStr | None) -> None:
    text = key.get_secret_value() if key is not None else ""
    is_good = text.isascii() and text.isprintable()
    del text  # a traceback from here may print the variables
    if not is_good:
        raise ConfigurationError(
            "The API key is no text, or has characters that no key can have. Copy it again from the dashboard."
        )


def _checked_url(url: str, name: str) -> str:
    if not url.lower().startswith(("http://", "https://")):
        raise ConfigurationError(f"{name} must begin with https:// (or http://), such as https://api.example.com.")
    try:
        parse_target(url)
        httpx.URL(url)
    except (TargetError, httpx.InvalidURL) as error:
        raise ConfigurationError(f"{name} is not a usable URL: {error}") from None
    if "?" in url or "#" in url:
        raise ConfigurationError(f"{name} has a query or fragment; give the address alone.")
    return url.rstrip("/").removesuffix("/v1")


def _content_paths(name: object) -> dict[str, str]:
    """Return the paths of content categorization by the interface's own, where a service calls them by another name."""
    known = str(name).strip().lower() or "std"
    if known not in _CONTENT_APIS:
        shown = shortened(printable(str(name)), _SHOWN)
        raise ConfigurationError(
            f"content_api (TOOLKIT_CONTENT_API) must be 'std' or 'iab', not {shown!r}. It is the name in the service's "
            "paths: /api/std/… or /api/iab/…."
        )
    return {path: path.replace("std", known) for path in CONTENT_PATHS.values()} if known != "std" else {}


def _with_shared_key(route: Route, routes: dict[Family, Route]) -> Route:
    """Use the other family's key only where both are at the same origin: a key goes to nobody else."""
    if route.key is not None:
        return route
    origin = _origin(route.base_url)
    shared = next((other.key for other in routes.values() if other.key and _origin(other.base_url) == origin), None)
    return replace(route, key=shared)


def _origin(url: str) -> tuple[str, str, int | None]:
    parsed = httpx.URL(url)
    return parsed.scheme, parsed.host, parsed.port
