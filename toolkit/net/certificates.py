"""Certificates: whom a secure connection trusts, as an argument or the environment says."""

from __future__ import annotations

import os
import ssl
import warnings
from pathlib import Path
from typing import Final, TypeAlias

import certifi

from toolkit.interface.errors import ConfigurationError

__all__ = ["InsecureWarning", "Verify", "context_of"]

#: True as the environment says; a file or folder of certificate authorities; a context of the caller's; False for none.
Verify: TypeAlias = "bool | str | Path | ssl.SSLContext"

#: What names certificate authorities in the environment; all that are named are trusted.
_NAMES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


class InsecureWarning(UserWarning):
    """Certificates are not checked, so that nobody knows who answers."""


def context_of(verify: Verify = True) -> ssl.SSLContext:
    """Return how certificates are checked.

    Without an argument and a variable of the environment, by the authorities that the system knows and those of the
    package `certifi`.
    """
    if isinstance(verify, ssl.SSLContext):
        return verify
    if verify is False:
        warnings.warn(
            "verify=False: certificates are not checked, so whoever stands in between can read the key and change the "
            "answers. Name the certificate authority instead: verify='company-ca.pem', or SSL_CERT_FILE.",
            InsecureWarning,
            stacklevel=4,
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context
    if isinstance(verify, str | Path) and str(verify).strip():
        return _trusting({"verify": str(verify)})
    if verify is not True and verify != "":
        raise ConfigurationError(
            f"verify must be True, False, a file or folder of certificates, or an ssl.SSLContext, "
            f"not a {type(verify).__name__}."
        )
    named = {name: os.environ[name] for name in _NAMES if os.environ.get(name)}
    if named:
        return _trusting(named)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_default_certs()
    context.load_verify_locations(certifi.where())
    return context


def _trusting(named: dict[str, str]) -> ssl.SSLContext:
    """Return a context that trusts the certificates of these places alone, also where they are no roots."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    for name, text in named.items():
        # A variable may name several folders, as a path of the system does.
        places = [part for part in text.split(os.pathsep) if part] if name == "SSL_CERT_DIR" else [text]
        for place in map(Path, places):
            try:
                if place.is_dir():
                    context.load_verify_locations(capath=place)
                else:
                    context.load_verify_locations(cafile=place)
            except ssl.SSLError:
                words = "holds no certificates in PEM form"
            except OSError as error:
                words = f"cannot be read ({(error.strerror or str(error)).lower()})"
            else:
                continue
            raise ConfigurationError(
                f"{name}: {place} {words}. Name a PEM file of certificate authorities, or a folder made by c_rehash."
            )
    return context
