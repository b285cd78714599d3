"""Why no answer came: what a transport or the network raised, in words of the field, with what to do."""

from __future__ import annotations

import errno
import ssl
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import httpx

from toolkit.interface.errors import (
    AnswerTimeoutError,
    ConfigurationError,
    ConnectionFailedError,
    ResponseError,
    ToolkitError,
)
from toolkit.net.body import BodyError

if TYPE_CHECKING:
    from toolkit.net.proxies import Proxy
    from toolkit.net.ways import Ways

__all__ = ["problem_of"]

_CHECK: Final = "Check the base URL and the network."
_CHECK_PROXY: Final = "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, or proxy=…."
_OWN_CA: Final = (
    "In a company's network, name the file of its certificate authority: verify='company-ca.pem', or SSL_CERT_FILE."
)
#: What OpenSSL says is wrong with a certificate, by its numbers.
_EXPIRED: Final = 10
_NOT_YET: Final = 9
_OTHER_NAME: Final = (62, 64)
_UNTRUSTED: Final = (2, 18, 19, 20, 21, 27)
_NO_TLS: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG")
_REFUSED: Final = range(400, 500)
_OF_SYSTEM: Final = {
    errno.ECONNREFUSED: "the connection was refused; nothing listens there",
    errno.ENETUNREACH: "no network leads there",
    errno.EHOSTUNREACH: "no network leads there",
    errno.ETIMEDOUT: "nothing answered there",
    errno.ECONNRESET: "the connection was cut off at once",
}


class _NotSentError(ConnectionFailedError):
    """The connection failed before the request was sent, so it is safe to try again."""

    was_not_sent = True


class _BarredError(_NotSentError):
    """The connection failed before the request was sent, and will again until something is set otherwise."""

    is_lasting = True


def problem_of(error: Exception, where: str, base_url: str, timeout: float, network: Ways) -> ToolkitError:  # noqa: PLR0911 - one a kind of failure
    """Return the error of the toolkit for whatever a transport raised; `where` begins its message."""
    host = urlsplit(base_url).hostname or ""
    if type(error).__module__.split(".")[0] == "aiohttp":
        return _of_network(error, where, host, timeout, network.proxy_of(base_url))
    if isinstance(error, BodyError):
        return ResponseError(f"{where}: {error}")
    if isinstance(error, httpx.InvalidURL | UnicodeError):
        return ConfigurationError(f"{where}: the base URL at {host} is not valid. Check it.")
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return _NotSentError(f"{where}: no connection to {host}. {_CHECK}")
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return _late(where, timeout)
    if isinstance(error, httpx.DecodingError):
        return ResponseError(f"{where}: the compressed answer is damaged or cut off. Try again.")
    return ConnectionFailedError(f"{where}: the connection broke before the answer was complete. Try again.")


def _of_network(error: Exception, where: str, host: str, timeout: float, proxy: Proxy | None) -> ToolkitError:  # noqa: PLR0911 - as above
    import aiohttp  # noqa: PLC0415 - only where a network is used

    if isinstance(error, aiohttp.ClientHttpProxyError):
        return _of_tunnel(error.status, where, host, proxy)
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return _BarredError(f"{where}: {_of_certificate(error.certificate_error, error.host)}")
    if isinstance(error, aiohttp.ClientConnectorError):
        to = f"the proxy {proxy}" if proxy is not None and error.host == proxy.host else f"{error.host}"
        advice = _CHECK_PROXY if to != error.host else _CHECK
        if isinstance(error, aiohttp.ClientConnectorSSLError):
            return _BarredError(f"{where}: no secure connection to {to}: {_of_tls(error.os_error)}")
        if isinstance(error, aiohttp.ClientConnectorDNSError):
            return _NotSentError(f"{where}: no connection to {to}: its name is not known here (DNS). {advice}")
        return _NotSentError(f"{where}: no connection to {to}: {_of_system(error.os_error)}. {advice}")
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return _NotSentError(f"{where}: no connection to {host} within {timeout:g} s. {_CHECK}")
    if isinstance(error, aiohttp.ServerTimeoutError):
        return _late(where, timeout)
    if isinstance(error, aiohttp.InvalidURL):
        return ConfigurationError(f"{where}: the base URL at {host} is not valid. Check it.")
    if isinstance(error, aiohttp.ClientResponseError):
        words = f"what came from {host} is not HTTP. Check the base URL: its scheme (https or http) and its port."
        return ConnectionFailedError(f"{where}: {words}")
    return ConnectionFailedError(f"{where}: the connection broke before the answer was complete. Try again.")


def _late(where: str, timeout: float) -> AnswerTimeoutError:
    return AnswerTimeoutError(
        f"{where}: no complete answer within {timeout:g} s. Try again, or allow more with timeout=…."
    )


def _of_tunnel(status: int, where: str, host: str, proxy: Proxy | None) -> ToolkitError:
    """Say why a proxy made no way to the service."""
    if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
        login = "refused the name and password" if proxy is not None and proxy.login else "wants a name and password"
        return _BarredError(
            f"{where}: the proxy {proxy} {login} (407); nothing was sent to the service. Give them as "
            "http://name:password@host:port in HTTPS_PROXY (or HTTP_PROXY), or as proxy=…."
        )
    if status in _REFUSED:
        return _BarredError(
            f"{where}: the proxy {proxy} lets nothing through to {host} ({status}). Ask whoever runs it to allow the "
            "host, or name the host in NO_PROXY if there is a direct way."
        )
    return _NotSentError(f"{where}: the proxy {proxy} could not reach {host} ({status}). {_CHECK}")


def _of_certificate(error: Exception, host: str) -> str:
    code = getattr(error, "verify_code", None)
    if code == _EXPIRED:
        return f"the certificate of {host} has expired. Check this machine's clock, or tell whoever runs the service."
    if code == _NOT_YET:
        return f"the certificate of {host} is not valid yet. Check this machine's clock."
    if code in _OTHER_NAME:
        return f"the certificate of {host} is for another name. Check the base URL."
    if code in _UNTRUSTED:
        return (
            f"the certificate of {host} is not trusted: no authority that this machine knows has signed it. {_OWN_CA}"
        )
    return f"the certificate of {host} is not accepted ({getattr(error, 'verify_message', '')}). {_OWN_CA}"


def _of_tls(error: Exception) -> str:
    reason = (getattr(error, "reason", None) or "") if isinstance(error, ssl.SSLError) else ""
    if reason in _NO_TLS:
        return (
            "what answers on this port does not speak TLS. Check the port; if the service has no TLS, its base URL "
            "begins with http://."
        )
    said = f" ({reason.replace('_', ' ').lower()})" if reason else ""
    return f"the TLS handshake failed{said}. Check the base URL and what stands between here and the service."


def _of_system(error: OSError) -> str:
    known = _OF_SYSTEM.get(error.errno or 0)
    return known or (error.strerror or "it could not be made").lower()
