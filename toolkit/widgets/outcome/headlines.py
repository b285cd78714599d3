"""The first screen of a run: the answer in one sentence, and the headline findings as cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import ipywidgets as ipw

from toolkit.widgets.html import escaped
from toolkit.widgets.outcome.wishes import Wish, Wishes

if TYPE_CHECKING:
    from toolkit.reports.story import Story

__all__ = ["Headlines", "headlines_html"]

_ANSWER: Final = (
    "<p style='font-size:16px;line-height:1.4;font-weight:600;margin:4px 0;max-width:60em;"
    "overflow-wrap:anywhere'>{}</p>"
)
_NONE: Final = (
    "No finding stands out: it takes three answered sites or more that have something in common. Add sites to the "
    "list, or look at each in <i>Sites</i>."
)
_CARDS: Final = {"flex_flow": "row wrap", "grid_gap": "10px", "align_items": "stretch"}
_CARD: Final = {
    "flex": "1 1 240px",
    "min_width": "min(240px, 100%)",
    "border": "1px solid var(--jp-border-color2, #ccc)",
    "padding": "10px 12px",
    "justify_content": "space-between",
    "overflow": "hidden",
}


def headlines_html(story: Story | str) -> str:
    """Return the answer and the headline findings with their pictures as HTML, for where no kernel runs."""
    if isinstance(story, str):
        return _ANSWER.format(escaped(story))
    from toolkit.reports.page.headlines import headline_html, headline_style  # noqa: PLC0415 - statistics, as all below

    parts = story.proofs.values()
    cards = "".join(f"<div style='margin:10px 0;max-width:640px'>{headline_html(part)}</div>" for part in parts)
    return f"<style>{headline_style()}</style>{_ANSWER.format(escaped(story.answer))}{cards}"


class Headlines(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """The answer, and below it a card for each headline finding, which can be added to the report."""

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self._style, self._answer, self._none = ipw.HTML(), ipw.HTML(), ipw.HTML(_NONE)
        self._cards = ipw.HBox(layout=_CARDS)
        self._line = wishes.line()
        super().__init__([self._style, self._answer, self._cards, self._none, self._line])

    @property
    def cards(self) -> tuple[ipw.Widget, ...]:
        """The cards that are shown."""
        return tuple(self._cards.children)

    def show(self, story: Story | str) -> None:
        """Show what is told first of a run, or why nothing is."""
        self._wishes.clear()
        for card in self._cards.children:
            for part in card.children:
                part.close()
            card.close()
        self._cards.children = ()
        self._answer.value = _ANSWER.format(escaped(story if isinstance(story, str) else story.answer))
        self._none.layout.display = self._line.layout.display = "none"
        if not isinstance(story, str) and story.view is not None:
            self._show_cards(story)

    def _show_cards(self, story: Story) -> None:
        from toolkit.reports.page.headlines import headline_html, headline_style  # noqa: PLC0415 - as above

        self._style.value = f"<style>{headline_style()}</style>"
        self._cards.children = [
            ipw.VBox([ipw.HTML(headline_html(part)), Wish(self._wishes, sentence)], layout=_CARD)
            for sentence, part in story.proofs.items()
        ]
        self._none.layout.display = "none" if story.proofs else ""
        self._line.layout.display = "" if story.findings is not None else "none"
