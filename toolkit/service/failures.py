"""A request that is answered with a code of the interface's error table."""

from __future__ import annotations

from typing import Final

from toolkit.interface.errors import ToolkitError

__all__ = ["MEANINGS", "Failure"]

#: The interface's words for each code.
MEANINGS: Final[dict[int, str]] = {
    400: "Error forming the request; parameters to be checked",
    401: "Invalid API key",
    403: "Monthly quota used up",
    404: "Not found",
    405: "Method not allowed",
    407: "data_type missing; must be url or text",
    408: "Request not sent in time",
    410: "Insufficient tokens in the content, or the URL could not be loaded",
    411: "URL content could not be fetched",
    429: "Rate limit reached",
    500: "General error",
}


class Failure(ToolkitError):  # noqa: N818 - not an error of the service but an answer of it
    """An answer that is an error: its code, what is wrong with this request, and how long to wait if waiting helps.

    Where something that was asked about has no such name, it says what may have been meant.
    """

    def __init__(
        self,
        status: int,
        detail: str = "",
        *,
        retry_after: float | None = None,
        suggestions: tuple[dict[str, str], ...] = (),
    ) -> None:
        self.status = status
        #: What may have been meant, each with its kind, id and label.
        self.suggestions = suggestions
        self.detail = detail
        self.retry_after = retry_after
        super().__init__(f"{status} {detail or MEANINGS.get(status, '')}")

    @property
    def message(self) -> str:
        """The code's meaning and the detail."""
        meaning = MEANINGS.get(self.status, "Error")
        return f"{meaning}: {self.detail}" if self.detail else meaning
