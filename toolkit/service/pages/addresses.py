"""Which addresses are for everyone."""

from __future__ import annotations

import ipaddress
from typing import Final

from toolkit.interface.errors import TargetError
from toolkit.interface.targets import parse_target

__all__ = ["is_public_address", "refusal_of_address"]

#: What IPv6 has given out for global use. All outside it is local, a wrapping, or not given out.
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
#: Special ranges that the standard library takes for global in one version of Python or another.
_SPECIAL: Final = (
    ipaddress.ip_network("192.0.0.0/24"),
    ipaddress.ip_network("192.88.99.0/24"),
    ipaddress.ip_network("2001::/23"),
    ipaddress.ip_network("3fff::/20"),
)


def is_public_address(address: str) -> bool:
    """Tell whether an IP address is reachable for everyone, seen through IPv6 wrappings of IPv4.

    It may have a zone. What is no IP address is a `ValueError`.

    >>> [is_public_address(a) for a in ("127.0.0.1", "::ffff:10.0.0.1", "169.254.169.254", "1.1.1.1")]
    [False, False, False, True]
    """
    ip = ipaddress.ip_address(address.split("%", 1)[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if (inner := _wrapped(ip)) is not None:
            return is_public_address(str(inner))
        if ip not in _UNICAST:
            return False
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _SPECIAL)


def refusal_of_address(url: str, *, allow_private: bool) -> str | None:
    """Return why a notification cannot be sent to an address, or None.

    Names are checked again when they are resolved.
    """
    if not url.lower().startswith(("http://", "https://")):
        return "webhook_url must begin with http:// or https://"
    try:
        target = parse_target(url)
    except TargetError as error:
        return f"webhook_url: {error}"
    try:
        public = is_public_address(target.host)
    except ValueError:
        public = target.host != "localhost"
    return None if public or allow_private else f"webhook_url points to {target.host}, which is not a public address"


def _wrapped(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
    return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
