"""Raw enrichments into the rows of the companies and technologies frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from toolkit.frames.columns import Columns, Integers, Reader, Runs, whole_or_none
from toolkit.frames.plain import categories_of, check_envelope, company_of, technologies_of
from toolkit.frames.schemas import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

__all__ = ["Companies", "Technologies"]

_TECHNOLOGY: Final = ("domain", "technology", "category")


class _Enrichments(Reader):
    """What both frames have in common: rows of texts and numbers."""

    endpoints: ClassVar[frozenset[str]] = frozenset({"enrich"})

    def __init__(self, frame: str, names: tuple[str, ...]) -> None:
        self._columns = Columns({name: SCHEMAS[frame][name] for name in names})
        self._nothing = (None,) * len(names)
        self._rows: list[Sequence[Any]] = []

    def pack(self) -> None:
        """Pack away what was added so far."""
        if self._rows:
            self._columns.pack(zip(*self._rows, strict=True))
        self._rows.clear()


class Companies(_Enrichments):
    """Rows of the companies frame, as they come."""

    def __init__(self) -> None:
        own = [name for name in SCHEMAS["companies"] if name not in SCHEMAS["audiences"]]
        super().__init__("companies", tuple(own))
        self._wholes = [number for number, name in enumerate(own) if SCHEMAS["companies"][name] == "Int64"]

    def read(self, endpoint: str, raw: dict[str, Any]) -> None:  # noqa: ARG002 - there is but one
        """Add an answer's rows, or nothing and an error where it is not of the plain form."""
        domain = check_envelope(raw)
        categories_of(raw)
        technologies_of(raw)
        row: list[Any] = [domain, *company_of(raw)]
        for number in self._wholes:
            row[number] = whole_or_none(row[number])
        self._rows.append(row)

    def fail(self) -> None:
        """Add the row of a failure."""
        self._rows.append(self._nothing)

    def columns(self) -> tuple[np.ndarray | None, dict[str, Any]]:
        """Return the frame's own columns, and whose row each is."""
        return None, self._columns.columns()


class Technologies(_Enrichments):
    """Rows of the technologies frame, and how many an answer has."""

    def __init__(self) -> None:
        super().__init__("technologies", _TECHNOLOGY)
        self._lengths = Integers(1)

    def read(self, endpoint: str, raw: dict[str, Any]) -> None:  # noqa: ARG002 - there is but one
        """Add an answer's rows, or nothing and an error where it is not of the plain form."""
        domain = check_envelope(raw)
        categories_of(raw)
        company_of(raw)
        found = technologies_of(raw)
        self._rows += [(domain, *technology) for technology in found]
        self._lengths.values.append(len(found))

    def fail(self) -> None:
        """Add the row of a failure."""
        self._rows.append(self._nothing)
        self._lengths.values.append(1)

    def pack(self) -> None:
        """Pack away what was added so far."""
        super().pack()
        self._lengths.pack()

    def columns(self) -> tuple[np.ndarray | None, dict[str, Any]]:
        """Return the frame's own columns, and whose row each is."""
        return Runs(self._lengths.table()).owner, self._columns.columns()
