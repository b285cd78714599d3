"""What an explanation is asked about: a category, a code, a value, a persona, a technology or a fact of a company."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from toolkit.interface.calls import KINDS
from toolkit.interface.errors import UnknownCodeError
from toolkit.interface.explanations import KIND_WORDS
from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.failures import Failure
from toolkit.service.knowledge.vocabulary import service_vocabulary
from toolkit.service.subjects.content import filtering_names
from toolkit.service.why.facts import FACTS
from toolkit.service.why.names import Kind, Subject, nearest_names, subjects_named

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

__all__ = ["Kind", "Subject", "find_subject"]

_KINDS_OF_CODES: Final = {"INT": "interest", "PI": "purchase_intent"}


def find_subject(text: str, kind: str = "") -> Subject:
    """Find what a text names, in one vocabulary or in all of them in this order, or answer 400 with the nearest.

    It may be an INT.* or PI.* code; identifier or path of a content category, in version 3 or else 2; the name of a
    web-filtering category; ``field=value``, such as ``income_level=high``; a persona; a technology; a fact of a
    company, such as ``employee_range``; or the label of any of these, such as ``upper middle income``.
    """
    if kind and kind not in KINDS:
        raise Failure(400, f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    wanted = text.strip()
    nearest: dict[str, None] = {}
    for name in (kind,) if kind else KINDS:
        find = _FINDERS.get(name)
        try:
            if find and (found := find(wanted)):
                return found
        except UnknownCodeError as error:
            nearest |= dict.fromkeys(error.nearest[:1])
    for subject in subjects_named(wanted, kind):
        return subject
    near = nearest_names(wanted, kind) or nearest_names(wanted)
    nearest = nearest if any(sign in wanted for sign in (".", "=", ">")) and nearest else {}
    nearest |= dict.fromkeys(f"{subject.label} ({KIND_WORDS[subject.kind]})" for subject in near)
    hint = f"; the nearest are {', '.join(list(nearest)[:_MOST_NAMED])}" if nearest else ""
    suggestions = tuple(asdict(subject) for subject in near)
    raise Failure(400, f"no category, code, value or persona is named {wanted!r}{hint}", suggestions=suggestions)


_MOST_NAMED: Final = 4


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


def _fact(text: str) -> Subject | None:
    field, _, value = text.partition("=")
    label = FACTS.get(field.strip())
    return Subject("fact", f"{field.strip()}={value.strip()}".rstrip("="), label) if label else None


#: Personas and technologies are found by their names alone, as all else is that none of these finds.
_FINDERS: Final[dict[str, Callable[[str], Subject | None]]] = {
    "interest": _code("interest"),
    "purchase_intent": _code("purchase_intent"),
    "content-v3": _category("content-v3"),
    "content-v2": _category("content-v2"),
    "filtering": _filtering,
    "value": _value,
    "fact": _fact,
}
