"""Which findings a report is to tell first: one choice that every button shares."""

from __future__ import annotations

from typing import Any, Final

import ipywidgets as ipw
import traitlets

from toolkit.interface.text import counted
from toolkit.widgets.keyboard import SAID

__all__ = ["Wish", "Wishes"]

#: As many as a report tells first; `toolkit.reports.contents` says the same, and takes seconds to load.
MOST: Final = 3
_USUAL: Final = "The report tells the strongest findings first, unless you add some yourself."
_FULL: Final = f"A report tells {MOST} findings first. Take one out to add this one."


class Wishes(traitlets.HasTraits):
    """The sentences of the findings that are chosen, in the order in which they were.

    Examples
    --------
    >>> wishes = Wishes()
    >>> wishes.add("Travel sites reach families."), wishes.sentences
    (True, ['Travel sites reach families.'])
    """

    sentences = traitlets.List(traitlets.Unicode())
    said = traitlets.Unicode(_USUAL)

    def add(self, sentence: str) -> bool:
        """Choose a finding, and return whether there was room."""
        if sentence not in self.sentences and len(self.sentences) == MOST:
            self.said = _FULL
            return False
        self.sentences = [*(one for one in self.sentences if one != sentence), sentence]
        self._say()
        return True

    def remove(self, sentence: str) -> None:
        """Take a finding out."""
        self.sentences = [one for one in self.sentences if one != sentence]
        self._say()

    def clear(self) -> None:
        """Take all out."""
        self.sentences = []
        self._say()

    def line(self) -> ipw.HTML:
        """Return a line that says what the report tells first."""
        line = ipw.HTML(self.said)
        line.add_class(SAID)
        self.observe(lambda change: setattr(line, "value", change["new"]), "said")
        return line

    def _say(self) -> None:
        number = len(self.sentences)
        self.said = f"The report tells {counted(number, 'finding')} of your choice first." if number else _USUAL


class Wish(ipw.ToggleButton):  # type: ignore[misc]  # the base class has no types
    """A button that adds a finding to the report, and takes it out again."""

    def __init__(self, wishes: Wishes, sentence: str) -> None:
        self._wishes, self._sentence = wishes, sentence
        super().__init__(layout={"width": "150px"})
        self._follow()
        self.observe(self._pressed, "value")
        wishes.observe(self._follow, "sentences")
        self._is_following = True

    def close(self) -> None:
        """Close the button; the choice stays."""
        if self._is_following:
            self._is_following = False
            self._wishes.unobserve(self._follow, "sentences")
        super().close()

    def _pressed(self, change: Any) -> None:
        if change["new"] == (self._sentence in self._wishes.sentences):
            return
        if not change["new"]:
            self._wishes.remove(self._sentence)
        elif not self._wishes.add(self._sentence):
            self.value = False

    def _follow(self, _: object = None) -> None:
        is_in = self._sentence in self._wishes.sentences
        self.value = is_in
        self.description, self.icon = ("In the report", "check") if is_in else ("Add to report", "plus")
        self.tooltip = "Take it out of the report" if is_in else "The report tells it among its first findings"
