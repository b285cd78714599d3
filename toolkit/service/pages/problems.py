"""What can be wrong with a page: the one error of fetching."""

from __future__ import annotations

from toolkit.interface.errors import ToolkitError

__all__ = ["FetchProblem"]


class FetchProblem(ToolkitError):  # noqa: N818 - a fact about a page, reported in its answer
    """A page could not be fetched; the message says why, for the answer's error text."""
