"""Home pages and articles of sites of many kinds, with the company facts that a careful reader would take from each.

Each page is the whole visible one: bars of share links, boxes of authors, embeds and comments stand where real sites
have them. A fact that is not named beside a page is one that nobody could state of the site from it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

SHARES = (
    '<div class="share-bar"><a href="https://twitter.com/intent/tweet?url=https%3A%2F%2Fx.example%2Fa&via=sharethings">'
    'Tweet</a><a href="https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fx.example">Share</a>'
    '<a href="https://www.linkedin.com/shareArticle?mini=true&url=https%3A%2F%2Fx.example">LinkedIn</a>'
    '<a href="https://www.pinterest.com/pin/create/button/?url=https%3A%2F%2Fx.example">Pin</a>'
    '<a href="https://t.me/share/url?url=https%3A%2F%2Fx.example">Telegram</a>'
    '<a href="https://wa.me/?text=https%3A%2F%2Fx.example">WhatsApp</a></div>'
)


@dataclass(frozen=True)
class Expected:
    """The facts of a site that its page states; an industry is any of the named ones, `None` among them."""

    name: str | None = None
    twitter: str | None = None
    linkedin: str | None = None
    github: str | None = None
    profiles: tuple[str, ...] = ()
    industry: tuple[str | None, ...] = (None,)
    phones: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    city: str | None = None
    founded: int | None = None
    employees: str | None = None
    #: What the page states and the service does not read, as `differences` tells it.
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Site:
    """A page of a host, and what is to be said of it."""

    host: str
    html: str
    expected: Expected = field(default_factory=Expected)


def links(*addresses: str) -> str:
    """Return links as icons in a list have them: an address and a hidden word."""
    return "".join(f'<li><a href="{address}"><svg></svg><span class=sr>Follow</span></a></li>' for address in addresses)


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def article(title: str, *texts: str, byline: str = "", after: str = "") -> str:
    return f"<article><h1>{title}</h1>{byline}{paragraphs(*texts)}{after}</article>"


def site(
    host: str,
    title: str,
    *,
    main: str,
    head: str = "",
    header: str = "",
    footer: str = "",
    data: Any = None,
    **expected: Any,
) -> Site:
    """Return a site's page of its parts, and the facts that it states."""
    stated = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data else ""
    return Site(
        f"{host}.example",
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title>{head}{stated}</head><body>"
        f"<header>{header}</header><main>{main}</main><footer>{footer}</footer></body></html>",
        Expected(**expected),
    )


def plain(host: str, title: str, body: str, **expected: Any) -> Site:
    """Return a site's page of its title and its body, and the facts that it states."""
    html = f"<!doctype html><html><head><meta charset=utf-8><title>{title}</title></head><body>{body}</body></html>"
    return Site(f"{host}.example", html, Expected(**expected))


def differences(expected: Expected, answer: Any) -> list[str]:
    """Return what an enrichment says wrongly of a site, and what it leaves out, a line each."""
    company, social, contact = answer.company, answer.social, answer.contact
    found = [
        *_scalar("name", expected.name, company.name, ""),
        *_scalar("twitter", expected.twitter, social.twitter_handle, ""),
        *_scalar("github", expected.github, social.github_org, ""),
        *_scalar("city", expected.city, company.headquarters.city, ""),
        *_scalar("founded", expected.founded, company.founded_year, ""),
        *_scalar("employees", expected.employees, company.employee_range, ""),
        *_listed("linkedin", (expected.linkedin,) if expected.linkedin else (), [social.linkedin_url], _address),
        *_listed("profile", expected.profiles, answer.raw.get("social", {}).get("profiles", ()), _address),
        *_listed("phone", expected.phones, contact.phones, _number),
        *_listed("email", expected.emails, contact.emails, str.lower),
        *_listed("address", expected.addresses, contact.addresses, str.lower),
    ]
    if company.industry not in expected.industry:
        found.append(f"wrong industry {company.industry}" if company.industry else "missing industry")
    return [line for line in found if line not in expected.unread]


def _scalar(name: str, expected: Any, found: Any, nothing: Any) -> list[str]:
    if (expected or nothing) == (found or nothing):
        return []
    return [f"wrong {name} {found}" if found else f"missing {name} {expected}"]


def _listed(name: str, expected: tuple[str, ...], found: Any, form: Any) -> list[str]:
    wanted, said = [form(text) for text in expected], [form(text) for text in found if text]
    wrong = [f"wrong {name} {text}" for text in said if not any(part in text for part in wanted)]
    return wrong + [f"missing {name} {part}" for part in wanted if not any(part in text for text in said)]


def _address(text: str) -> str:
    return re.sub(r"^https?://(?:www\.)?", "", text).rstrip("/").lower()


def _number(text: str) -> str:
    """The digits that a number has with and without its prefix."""
    return re.sub(r"\D", "", text)[-9:]
