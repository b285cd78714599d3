from . import charts, findings, frames, service, widgets
from .aclient import AsyncClient
from .client import Client
from .interface import errors, models
from .interface.errors import ServiceError, ToolkitError
from .interface.targets import Target
from .interface.taxonomy import Taxonomy
from .interface.version import __version__
from .interface.vocabulary import Vocabulary
from .kept import runs
from .net.retries import Retries
from .run import Run
from .saved import load_run, sample_run
from .segments.definition import Segment
from .store.answers import Store
from .store.freshness import Freshness
from .webhooks.inbox import Inbox
from .webhooks.receiver import Receiver
from .webhooks.verify import verify

__all__ = [
    "AsyncClient",
    "Client",
    "Freshness",
    "Inbox",
    "Receiver",
    "Retries",
    "Run",
    "Segment",
    "ServiceError",
    "Store",
    "Target",
    "Taxonomy",
    "ToolkitError",
    "Vocabulary",
    "__version__",
    "charts",
    "errors",
    "findings",
    "frames",
    "load_run",
    "models",
    "runs",
    "sample_run",
    "service",
    "verify",
    "widgets",
]
