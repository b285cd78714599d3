"""The profiles of a site's owner on other networks, told from those of authors, of third parties and of readers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from toolkit.service.company.organization import begins_like, is_like, letters_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.company.organization import Organization
    from toolkit.service.pages.parsed import Page

__all__ = ["social_facts"]

#: The paths under which networks keep profiles; the group is the handle. All else is a post, a share, a group or a page
#: of the network's own.
_NETWORKS: Final[dict[str, re.Pattern[str]]] = {
    "twitter": re.compile(r"/@?([\w-]{1,50})/?"),
    "linkedin": re.compile(r"/(?:company|school|showcase)/([^/]{1,100})(?:/(?:about|posts|mycompany)?)?/?"),
    "github": re.compile(r"/(?:orgs/)?([\w-]{1,50})(?:/([^/]{1,100})(?:/.*)?)?/?"),
    "facebook": re.compile(
        r"/(?:pg/)?([^/]{1,100})/?|/(?:pages/(?:category/[^/]+/)?|people/|p/)([^/]{1,100})(?:/\d+)?/?"
    ),
    "instagram": re.compile(r"/([\w.]{1,50})/?"),
    "youtube": re.compile(r"/(?:@|c/|user/|channel/|)([^/@]{1,100})(?:/(?:featured|videos|about))?/?"),
    "tiktok": re.compile(r"/@([\w.]{1,50})/?"),
    "pinterest": re.compile(r"/([\w-]{1,50})/?"),
    "xing": re.compile(r"/(?:companies|pages|company)/([^/]{1,100})/?"),
}
_HOSTS: Final = re.compile(
    r"(?:(?:www|m|mobile|[a-z]{2}|[a-z]{2}-[a-z]{2})\.)?"
    r"(?:(x)\.com|(twitter|linkedin|github|facebook|instagram|youtube|tiktok|xing)\.com|(pinterest)\.[a-z.]{2,6})"
)
#: First steps of paths that look like handles, and are the networks' own.
_RESERVED: Final = frozenset(
    "about ads apps blog business careers collections contact customer-stories developer developers dialog directory "  # noqa: SIM905 - words
    "download enterprise events events.php explore feed features gaming groups hashtag help home i ideas intent jobs "
    "join l.php legal live login login.php logout marketplace media messages mobile new notifications orgs p people "
    "permalink.php photo photo.php photos pin pages playlist plugins policies policy pricing privacy privacy-policy "
    "redirect reel reels results search security settings share share.php sharer sharer.php shorts signup site "
    "sponsors status stories story.php support terms today topics tos tr trends trending tv user users video videos "
    "watch web welcome".split()
)
#: What a link to one's own profile says beside the handle: the network's name, and that one may follow.
_CALLS: Final = frozenset(
    "follow like find join watch see visit us me we are our on at in via the page profile channel account company open "  # noqa: SIM905 - words
    "opens new window tab icon logo link official subscribe to x fb twitter linkedin github git hub facebook instagram "
    "insta ig youtube tiktok tik tok pinterest xing folgen sie uns auf suivez nous sur síguenos en seguici su siga "
    "nos no volg ons op".split()
)
#: Where a site speaks of itself on every page.
_FRAME: Final = frozenset(("header", "nav", "footer"))
_WORD: Final = re.compile(r"[^\W_]+")
_MOST: Final = 5
_LONGEST: Final = 500


class _Profile(NamedTuple):
    network: str
    handle: str
    address: str


def social_facts(page: Page, organization: Organization) -> dict[str, Any]:
    """Return the organisation's profiles: `linkedin_url`, `twitter_handle`, `github_org`, and `profiles` elsewhere.

    Those that the structured data and the head state come first. A link counts where its handle is like the owner's
    name or domain; or where it stands in the page's frame among the owner's icons, alone of its network there. Links of
    comments, to posts and for sharing never count.
    """
    profiles: dict[str, list[_Profile]] = {}
    for profile in _stated(page, organization):
        profiles.setdefault(profile.network, []).append(profile)
    for profile in _linked(page, organization):
        profiles.setdefault(profile.network, [profile])
    first = {network: kept[0] for network, kept in profiles.items()}
    facts = {
        "linkedin_url": first["linkedin"].address if "linkedin" in first else "",
        "twitter_handle": f"@{first['twitter'].handle}" if "twitter" in first else "",
        "github_org": first["github"].handle if "github" in first else "",
        "profiles": [
            address
            for network, kept in profiles.items()
            if network not in ("linkedin", "twitter", "github")
            for address in dict.fromkeys(profile.address for profile in kept)
        ][:_MOST],
    }
    return {name: value for name, value in facts.items() if value}


def _stated(page: Page, organization: Organization) -> Iterator[_Profile]:
    same = organization.data.get("sameAs")
    addresses = [part for part in (same if isinstance(same, list) else [same]) if isinstance(part, str)]
    publisher = page.metas.get("article:publisher", "")
    yield from filter(None, map(_profile, [*addresses, publisher]))
    handle = page.metas.get("twitter:site", "").strip().lstrip("@")
    if re.fullmatch(r"[\w-]{1,50}", handle, re.ASCII):
        yield _Profile("twitter", handle, "")


def _linked(page: Page, organization: Organization) -> Iterator[_Profile]:
    """Yield at most one profile of each network."""
    alike: dict[str, list[tuple[bool, int, _Profile]]] = {}
    icons: dict[str, dict[str, _Profile]] = {}
    for link in page.links:
        if link.place == "comments" or (profile := _profile(link.address)) is None:
            continue
        is_framed = link.place in _FRAME
        if is_like(profile.handle, organization):
            alike.setdefault(profile.network, []).append((not is_framed, len(profile.handle), profile))
        elif is_framed and _CALLS.issuperset(_WORD.findall(link.text.casefold())) and not _is_project(profile):
            icons.setdefault(profile.network, {})[letters_of(profile.handle)] = profile
    for found in alike.values():
        yield min(found)[-1]
    # One icon alone may be the theme's maker's; two accounts of one network are of two people.
    single = {network: profile for network, found in icons.items() if len(found) == 1 for profile in found.values()}
    are_several = len(single.keys() | alike.keys()) > 1
    for network, profile in single.items():
        if network not in alike and (are_several or begins_like(profile.handle, organization)):
            yield profile


def _profile(address: str) -> _Profile | None:
    """Return the profile that an address leads to; None where it leads to none."""
    try:
        parts = urlsplit(address.strip())
        host = _HOSTS.fullmatch(parts.hostname or "")
    except ValueError:
        return None
    if host is None or parts.scheme not in ("http", "https") or len(address) > _LONGEST:
        return None
    network = "twitter" if host[1] else host[2] or host[3]
    found = _NETWORKS[network].fullmatch(parts.path)
    handle = next(filter(None, found.groups()), "") if found else ""
    if network == "facebook" and handle == "profile.php":
        # Of a person or a page without a name; only its number is told.
        return None
    if not handle or handle.lower() in _RESERVED:
        return None
    return _Profile(network, handle, address.strip())


def _is_project(profile: _Profile) -> bool:
    """Whether it is something that an owner on GitHub has, and not the owner."""
    return profile.network == "github" and not profile.address.rstrip("/").endswith(profile.handle)
