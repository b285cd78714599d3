"""What slides are made from: the layouts of a deck, and the places in each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.reports.deck.boxes import Box, Grid
    from toolkit.reports.deck.colours import Look

__all__ = ["FOOTER", "NUMBER", "NUMBERED", "PICTURE", "TEXT", "TITLE", "Design", "Form"]

#: Places on a slide.
TITLE: Final = "title"
TEXT: Final = "text"
PICTURE: Final = "picture"
FOOTER: Final = "footer"
NUMBER: Final = "number"
#: What every field of a slide's number has for an id.
NUMBERED: Final = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}"


@dataclass(frozen=True, slots=True)
class Form:
    """A layout, with where each thing goes, and which of its placeholders takes it: the others get shapes."""

    layout: Any
    boxes: Mapping[str, Box]
    holders: Mapping[str, int] = field(default_factory=dict)
    #: Type sizes of its title, the first that fits.
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Design:
    """An empty presentation, with a form for each kind of slide.

    The kinds are ``cover``, ``answer``, ``proof`` (a picture and a text), ``text``, ``table`` (a picture or a table
    over the whole width) and ``divider``.
    """

    slides: Any
    forms: Mapping[str, Form]
    grid: Grid
    look: Look
    #: Points around the text of placeholders, on both sides together.
    inset: float = 0.0
