"""A Jupyter toolkit for domain and URL classification.

Everything loads on first use, so that ``import toolkit`` is quick and silent.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit import charts, errors, frames, models, targets, taxonomy, vocabulary, widgets
    from toolkit.client import AsyncClient, Client
    from toolkit.errors import ServiceError, ToolkitError
    from toolkit.frames import validate
    from toolkit.freshness import Freshness
    from toolkit.inbox import Inbox
    from toolkit.lookup import look_up
    from toolkit.outcomes import Outcome
    from toolkit.receiver import Receiver
    from toolkit.runs import Run
    from toolkit.service.faults import Faults
    from toolkit.service.settings import Settings
    from toolkit.store import Store
    from toolkit.targets import Target, parse_domain, parse_target
    from toolkit.taxonomy import Taxonomy, load_taxonomy
    from toolkit.transport import Retries
    from toolkit.vocabulary import Vocabulary
    from toolkit.webhooks import verify

__version__ = "0.1.0"

_MODULES = ("charts", "errors", "frames", "models", "targets", "taxonomy", "vocabulary", "widgets")
_NAMES = {
    "AsyncClient": "client",
    "Client": "client",
    "Faults": "service.faults",
    "Freshness": "freshness",
    "Inbox": "inbox",
    "Outcome": "outcomes",
    "Receiver": "receiver",
    "Retries": "transport",
    "Run": "runs",
    "ServiceError": "errors",
    "Settings": "service.settings",
    "Store": "store",
    "Target": "targets",
    "Taxonomy": "taxonomy",
    "ToolkitError": "errors",
    "Vocabulary": "vocabulary",
    "load_taxonomy": "taxonomy",
    "look_up": "lookup",
    "parse_domain": "targets",
    "parse_target": "targets",
    "validate": "frames",
    "verify": "webhooks",
}

__all__ = [
    "AsyncClient",
    "Client",
    "Faults",
    "Freshness",
    "Inbox",
    "Outcome",
    "Receiver",
    "Retries",
    "Run",
    "ServiceError",
    "Settings",
    "Store",
    "Target",
    "Taxonomy",
    "ToolkitError",
    "Vocabulary",
    "__version__",
    "charts",
    "errors",
    "frames",
    "load_taxonomy",
    "look_up",
    "models",
    "parse_domain",
    "parse_target",
    "targets",
    "taxonomy",
    "validate",
    "verify",
    "vocabulary",
    "widgets",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"toolkit.{name}")
    if name in _NAMES:
        return getattr(import_module(f"toolkit.{_NAMES[name]}"), name)
    raise AttributeError(f"module 'toolkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
