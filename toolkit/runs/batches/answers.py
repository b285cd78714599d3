"""Reading what the service says of a batch: that it took it, that it ended, and where the results are. No I/O here."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urljoin

import httpx

from toolkit.interface import calls
from toolkit.interface.errors import InputError, ResponseError
from toolkit.interface.reading import Received, read_answer
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.interface.calls import Call
    from toolkit.interface.models import BatchSubmission

__all__ = ["check_results_url", "is_finished", "read_submission", "shown"]

_SHOWN: Final = 120
_ENDED: Final = frozenset({"completed", "complete", "done", "finished", "failed"})
_UNDER_WAY: Final = frozenset({"queued", "pending", "processing", "running", "in_progress"})


def check_results_url(url: object, base_url: str, batch_id: str = "") -> None:
    """Refuse an address of results that is not the service's own. It is never followed, as it may be anybody's.

    None and a path alone are fine.

    Examples
    --------
    >>> check_results_url("https://api.example/v1/batch/b1/results", "https://api.example")
    >>> check_results_url("http://169.254.169.254/latest", "https://api.example", "b1")
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.ResponseError: Batch b1: its results_url points to the private address 169.254.169.254, ...
    """
    if url is None or url == "":
        return
    own = httpx.URL(base_url)
    try:
        found = httpx.URL(urljoin(f"{base_url}/", str(url).strip()))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        host, is_own = "what is no address", False
    else:
        host = f"{'the private address ' if _is_private(found.host) else ''}{shown(found.host) or 'no host'}"
        if found.host == own.host:
            host = f"{found.scheme}://{host}{'' if found.port is None else f':{found.port}'}"
        is_own = (found.scheme, found.host, found.port) == (own.scheme, own.host, own.port)
    if not is_own:
        where = f"{own.host}{'' if own.port is None else f':{own.port}'}"
        raise ResponseError(
            f"Batch {shown(batch_id)}: its results_url points to {host}, not to {where}. Nothing was sent there. "
            "Check the base URL; client.batch_results(…) with the identifier asks the base URL alone.",
            path="$.results_url",
        )


def read_submission(call: Call, received: Received) -> BatchSubmission:
    """Read the answer to a submission; one by whose identifier no results could be asked for is a ResponseError."""
    answer = cast("BatchSubmission", read_answer(call, received))
    try:
        calls.batch_results(answer.batch_id)
    except InputError:
        raise ResponseError(
            f"submit_batch: {shown(answer.batch_id)!r} cannot be the identifier of a batch. Check the base URL.",
            path="$.batch_id",
            http_status=received.http_status,
            raw=answer.raw,
        ) from None
    return answer


def is_finished(raw: Mapping[str, Any]) -> bool:
    """Tell from the decoded results of a batch whether it has ended.

    Examples
    --------
    >>> is_finished({"state": "processing"}), is_finished({"state": "failed"}), is_finished({"results": []})
    (False, True, True)
    """
    state = raw.get("state")
    if isinstance(state, str) and state.strip():
        return state.strip().lower() in _ENDED
    # Without a state of the job the results are there, unless the word of the answer speaks of the job.
    word = raw.get("status")
    return not (isinstance(word, str) and word.strip().lower() in _UNDER_WAY)


def shown(value: object) -> str:
    """Return what the service said as one short line."""
    return printable(shortened(str(value), _SHOWN))


def _is_private(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_global
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))
