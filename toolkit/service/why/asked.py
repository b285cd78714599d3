"""What an explanation is asked about: a category, a code, a value of a field, or a persona."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from toolkit.interface.errors import UnknownCodeError
from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.failures import Failure
from toolkit.service.knowledge.vocabulary import service_vocabulary
from toolkit.service.readers.profile import persona_categories
from toolkit.service.subjects.content import filtering_names

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Kind", "Subject", "find_subject"]

Kind = Literal["content-v3", "content-v2", "filtering", "interest", "purchase_intent", "value", "persona"]

_KINDS_OF_CODES: Final = {"INT": "interest", "PI": "purchase_intent"}


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that an answer may hold."""

    #: Which vocabulary it is of.
    kind: Kind
    #: Identifier of a category, code, or name; of a value, field and value joined by ``=``.
    id: str
    #: Path of a category, label of a code, or the name.
    label: str


def find_subject(text: str, kind: str = "") -> Subject:
    """Find what a text names, in one vocabulary or in all of them in this order, or answer 400.

    It may be an INT.* or PI.* code; identifier or path of a content category, in version 3 or else 2; the name of a
    web-filtering category; ``field=value``, such as ``income_level=high``; or a persona.
    """
    if kind and kind not in get_args(Kind):
        raise Failure(400, f"kind must be one of {', '.join(get_args(Kind))}, not {kind!r}")
    wanted = text.strip()
    nearest: dict[str, None] = {}
    for name, find in _FINDERS.items():
        if kind in ("", name):
            try:
                if found := find(wanted):
                    return found
            except UnknownCodeError as error:
                nearest |= dict.fromkeys(error.nearest[:1])
    hint = f"; the nearest are {', '.join(nearest)}" if nearest else ""
    raise Failure(400, f"no category, code, value or persona is named {wanted!r}{hint}")


def _code(kind: Kind) -> Callable[[str], Subject | None]:
    def find(text: str) -> Subject | None:
        code = text.upper()
        if _KINDS_OF_CODES.get(code.split(".", maxsplit=1)[0]) != kind:
            return None
        return Subject(kind, code, service_vocabulary().label(code))

    return find


def _category(kind: Literal["content-v3", "content-v2"]) -> Callable[[str], Subject | None]:
    def find(text: str) -> Subject | None:
        taxonomy = Taxonomy.load(kind)
        category = taxonomy[text] if text in taxonomy else taxonomy.by_path(text)
        return Subject(kind, category.id, category.path)

    return find


def _filtering(text: str) -> Subject | None:
    names = {name.casefold(): name for name in filtering_names()}
    name = names.get(text.casefold())
    return Subject("filtering", name, name) if name else None


def _value(text: str) -> Subject | None:
    field, sign, value = text.partition("=")
    if not sign or field.strip() == "confidence":  # of a block, and not of one alone
        return None
    value = service_vocabulary().check_value(field.strip(), value.strip())
    return Subject("value", f"{field.strip()}={value}", service_vocabulary().values[field.strip()][value])


def _persona(text: str) -> Subject | None:
    names = {name.casefold(): name for name in persona_categories()}
    name = names.get(text.casefold())
    return Subject("persona", name, name) if name else None


_FINDERS: Final[dict[str, Callable[[str], Subject | None]]] = {
    "interest": _code("interest"),
    "purchase_intent": _code("purchase_intent"),
    "content-v3": _category("content-v3"),
    "content-v2": _category("content-v2"),
    "filtering": _filtering,
    "value": _value,
    "persona": _persona,
}
