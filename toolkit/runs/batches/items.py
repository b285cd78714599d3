"""What a batch brought for each of its domains, whatever the order, the number and the names in which it came."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface import calls
from toolkit.interface.batches import entries_of
from toolkit.interface.errors import ContentError, ServiceError, TargetError, ToolkitError
from toolkit.interface.reading import Received, provenance, read_json
from toolkit.interface.targets import parse_target
from toolkit.interface.text import shortened

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from toolkit.interface.calls import Call
    from toolkit.interface.models import Provenance

__all__ = ["Item", "read_items"]

_OK: Final = 200
_SHOWN_ERROR: Final = 500


@dataclass(frozen=True, slots=True)
class Item:
    """What came for one domain of a batch."""

    #: The question that asks the same of the domain alone.
    call: Call
    #: The item, as an answer to that question.
    received: Received
    source: Provenance
    #: 200, the code of a failure, or None where it is not of the interface's form.
    status: int | None = None
    error: str | None = None
    problem: ToolkitError | None = None

    @property
    def is_unserved(self) -> bool:
        """Whether the key or the quota did not let it be worked on."""
        return self.status in {401, 403}

    @property
    def is_stored(self) -> bool:
        """Whether it is kept as an answer: categories, or a fact about the page."""
        return self.status in {_OK, 410, 411}


def read_items(
    wanted: Collection[str], raw: Mapping[str, Any], about: Provenance
) -> tuple[dict[str, Item], list[dict[str, Any]]]:
    """Map the results of a batch back onto its domains, and return with them the items for domains not submitted.

    Of several items for a domain it is the first with categories, else the first.

    Examples
    --------
    >>> from toolkit.interface.models import Provenance
    >>> raw = {"results": [{"domain": "WWW.B.example", "status": 200, "categories": []}, {"domain": "c.example"}]}
    >>> found, unknown = read_items({"a.example", "b.example"}, raw, Provenance())
    >>> {domain: item.status for domain, item in found.items()}, unknown
    ({'b.example': 200}, [{'domain': 'c.example'}])
    """
    found: dict[str, Item] = {}
    unknown: list[dict[str, Any]] = []
    for entry in entries_of(raw):
        if not isinstance(entry, dict):
            continue
        domain = _domain_of(entry)
        if domain is None or domain not in wanted:
            unknown.append(json.loads(_encoded(entry)))
        elif domain not in found or found[domain].status != _OK:
            item = _read(domain, entry, about)
            if domain not in found or item.status == _OK:
                found[domain] = item
    return found, unknown


def _domain_of(entry: Mapping[str, Any]) -> str | None:
    name = entry.get("domain")
    try:
        return parse_target(name).site if isinstance(name, str) else None
    except TargetError:
        return None


def _encoded(entry: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(entry).encode()
    except RecursionError:  # nested deeper than it can be written again
        return b"{}"


def _read(domain: str, entry: Mapping[str, Any], about: Provenance) -> Item:
    call = calls.question_of("categorize").call(domain)
    received = Received(_OK, {"content-type": "application/json"}, _encoded(entry))
    source = provenance(call, received, entry, about.fetched_at)
    if source.request_id is None:
        source = source.model_copy(update={"request_id": about.request_id})
    try:
        calls.model_of(call).decode(read_json(call, received), source)
    except ToolkitError as error:
        status = error.status if isinstance(error, ServiceError) else None
        words = None if isinstance(error, ContentError) else shortened(str(error), _SHOWN_ERROR)
        return Item(call, received, source, status, words, error)
    return Item(call, received, source, _OK)
