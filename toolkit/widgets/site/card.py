"""The card of a site, which opens from a row of a grid or stands by itself."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.client import Client
from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import printable
from toolkit.widgets.beside import Beside
from toolkit.widgets.lookup.why import Why
from toolkit.widgets.site.known import KnownSites
from toolkit.widgets.site.sheet import Sheet
from toolkit.widgets.static import StaticBox

if TYPE_CHECKING:
    from toolkit.interface.explanations import Explanation
    from toolkit.reports.frames import AnsweredRun
    from toolkit.widgets.lookup.why import Question

__all__ = ["SiteCard"]

_BASES: Final = {
    "measured": "read on the site's pages",
    "inferred": "expected of the readers of such pages; nobody counted them",
    "": "from your own table",
}
#: What is said of values of which the service gives no reasons.
_NOTES: Final = {
    "measured": "It was read on the site's pages; the service gives no further reasons for it.",
    "inferred": "It is expected of the readers of such pages; the service gives no further reasons for it.",
    "": "It stands in your own table.",
}
#: Characters of a page's text that are shown.
_LONGEST_TEXT: Final = 20_000


class SiteCard(StaticBox):
    """All that a run knows of a site: topics, audience, company, technologies, your own columns, and why.

    Parameters
    ----------
    run : Run, SavedRun or KnownSites
        The run that asked about the site, or what was read of it before.
    target : str
        The site, as in the list or in another way to write its address.
    client : Client, optional
        Asked for reasons and for the page's text; by default one that reads the environment, made when it is needed.

    Raises
    ------
    InputError
        If the run has no such site.

    Attributes
    ----------
    site : str
        The site that is shown.
    value : Explanation or None
        The reasons that are shown.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> card = SiteCard(sample_run(), "trailhead-outfitters.example")
    >>> card.site
    'trailhead-outfitters.example'
    """

    def __init__(self, run: AnsweredRun | KnownSites, target: str, *, client: Client | None = None) -> None:
        self._known = run if isinstance(run, KnownSites) else KnownSites(run)
        self._client = client
        self._why: Why | None = None
        self._beside = Beside(lambda: self._say("Reading the page …"), lambda: None, self._say)
        self._sheet = Sheet(self._ask, self.read)
        self._below = ipw.VBox()
        self._below.add_class("toolkit-site-below")
        super().__init__([self._sheet, self._below])
        self.add_class("toolkit-site-card")
        self.show(target)

    def __repr__(self) -> str:
        return f"<SiteCard: {self.site}>"

    @property
    def site(self) -> str:
        """The site that is shown."""
        return self._shown.site

    @property
    def value(self) -> Explanation | None:
        """The reasons that are shown."""
        return None if self._why is None else self._why.value

    def show(self, target: str) -> None:
        """Show another site of the same run.

        Raises
        ------
        InputError
            If the run has no such site.
        """
        self._shown = self._known.of(target)
        self._asked: list[Question] = []
        headings = [
            {"name": name, "lines": self._lines(facts), "basis": _shared(facts)} for name, facts in self._shown.facts
        ]
        self._sheet.content = {
            "site": printable(self.site),
            "failures": [printable(text) for text in self._shown.failures],
            "headings": headings,
            "bases": _BASES,
            "page": None,
            "said": "",
            "has_page": bool(self._shown.questions),
        }
        if self._why is not None:
            self._why.layout.display = "none"

    def why(self, text: str) -> None:
        """Show why the site got a value, named as the card names it.

        Parameters
        ----------
        text : str
            The value, such as ``Travel > Camping``.
        """
        for _, facts in self._shown.facts:
            for fact in facts:
                question = self._shown.question(fact)
                if fact.value == text and question is not None:
                    self._explain(question)
                    return
        self._say(f"The card has no value {text!r} that has reasons. Name one as it stands on the card.")

    def read(self) -> None:
        """Show the text of the page, as the service reads it now; it costs no credits."""
        question = next(iter(self._shown.questions.values()), None)
        if question is not None:
            self._beside.do(lambda: self._page(question), self._show_page)

    def static_view(self) -> str:
        """Return what the card says as HTML."""
        parts = [f"<h4>{escape(self._sheet.content['site'])}</h4>"]
        parts += [f"<p>{escape(text)}</p>" for text in self._sheet.content["failures"]]
        for heading in self._sheet.content["headings"]:
            lines = []
            for line in heading["lines"]:
                values = ", ".join(value["text"] for value in line["values"])
                basis = f" ({line['basis']})" if line["basis"] else ""
                lines.append(f"<li>{escape(line['name'] + ': ' + values + basis)}</li>")
            parts.append(f"<b>{escape(heading['name'])}</b><ul>{''.join(lines)}</ul>")
        return f"<div>{''.join(parts)}</div>"

    def _lines(self, facts: Any) -> list[dict[str, Any]]:
        lines = []
        for (name, basis), same in groupby(facts, key=lambda fact: (fact.name, fact.basis)):
            values = []
            for fact in same:
                question = self._shown.question(fact)
                number = None if question is None else len(self._asked)
                self._asked += [] if question is None else [question]
                values.append({"text": fact.value, "more": fact.why, "number": number, "note": _NOTES[basis]})
            lines.append({"name": name, "basis": basis, "values": values})
        return lines

    def _ask(self, number: int) -> None:
        if 0 <= number < len(self._asked):
            self._explain(self._asked[number])

    def _explain(self, question: Question) -> None:
        try:
            why = self._reasons()
        except ToolkitError as error:
            self._say(str(error))
            return
        why.layout.display = ""
        why.ask(question.subject, question.normal, question.kind, kept=question)
        self._sheet.reveal_reasons()

    def _reasons(self) -> Why:
        if self._why is None:
            self._why = Why(self._asked_client(), chooser=False)
            self._below.children = [self._why]
        return self._why

    def _asked_client(self) -> Client:
        self._client = self._client or Client()
        return self._client

    def _page(self, question: Question) -> dict[str, str] | str:
        try:
            found = self._asked_client().explain(question.subject, question.normal, kind=question.kind)
        except ToolkitError as error:
            return str(error)
        return {name: text for name, text in found.texts.items() if text.strip()}

    def _show_page(self, found: dict[str, str] | str) -> None:
        if isinstance(found, str):
            self._say(found)
            return
        texts = [{"name": name, "text": _harmless(found[name])} for name in ("head", "text") if name in found]
        self._sheet.content = {**self._sheet.content, "page": texts, "said": "" if texts else "The page has no text."}

    def _say(self, text: str) -> None:
        self._sheet.content = {**self._sheet.content, "said": printable(text)}


def _shared(facts: Any) -> str | None:
    """Return the basis that all facts share; None where they have several."""
    bases = {fact.basis for fact in facts}
    return bases.pop() if len(bases) == 1 else None


def _harmless(text: str) -> str:
    """Return the beginning of a page's text, its lines kept."""
    return "\n".join(printable(line) for line in text[:_LONGEST_TEXT].splitlines())
