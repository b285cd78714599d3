"""What came of asking: an answer, or the error in its place."""

from __future__ import annotations

from dataclasses import dataclass

from toolkit.interface.errors import InputError, ServiceError, ToolkitError
from toolkit.interface.models import Answer

__all__ = ["Outcome"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question and what came of it. Exactly one of `answer` and `error` is there.

    Attributes
    ----------
    target : str
        What was asked, as given.
    endpoint : str
        Name of the client's method.
    answer : Answer or None
        The answer.
    error : ToolkitError or None
        What went wrong instead.
    """

    target: str
    endpoint: str
    answer: Answer | None = None
    error: ToolkitError | None = None

    @property
    def status(self) -> int | None:
        """200 for an answer, the service's code for its errors, None where nothing came back."""
        if self.answer is not None:
            return 200
        return self.error.status if isinstance(self.error, ServiceError) else None

    @classmethod
    def of(cls, result: Outcome | Answer | ToolkitError) -> Outcome:
        """Wrap an answer or an error that stands alone.

        Raises
        ------
        InputError
            If it is neither.
        """
        if isinstance(result, Outcome):
            return result
        if isinstance(result, ServiceError):
            return cls(result.target, result.endpoint, error=result)
        if isinstance(result, ToolkitError):
            return cls("", "", error=result)
        if not isinstance(result, Answer):
            raise InputError(
                f"frames take answers, outcomes or errors, not {type(result).__name__}. "
                "Ask first: look_up(client, […])."
            )
        return cls(result.provenance.target, result.provenance.endpoint, answer=result)
