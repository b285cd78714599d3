"""The SegmentBuilder widget: click codes together, see which sites match while you do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import ipywidgets as ipw
import numpy as np
import pandas as pd

from toolkit.findings.statistics.proportions import wilson
from toolkit.frames.about import answered, site_of
from toolkit.frames.records import CATEGORIZED
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, percentage, rounded
from toolkit.interface.vocabulary import ORDERED_FIELDS
from toolkit.interface.words.labels import field_label
from toolkit.reports.words import listing, lowered
from toolkit.segments.definition import Segment
from toolkit.segments.tree import conditions
from toolkit.widgets.findings.box import CODE_HEAD, FindingBox, Shown
from toolkit.widgets.findings.rows import Rows
from toolkit.widgets.given import run_frames, sites_of, vocabulary_of
from toolkit.widgets.grid.columns import Column
from toolkit.widgets.html import escaped
from toolkit.widgets.keyboard import SAID
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.segments.choices import choices_of, found_in, lineage
from toolkit.widgets.segments.export import ExportStep
from toolkit.widgets.segments.plan import PlanStep
from toolkit.widgets.segments.text import banded, in_words, reason_in_words, with_part
from toolkit.widgets.static import ROW
from toolkit.widgets.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.answered import Answered
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.segments.plan import SitePlan

__all__ = ["Matched", "SegmentBuilder", "matched"]

_COLUMNS: Final = (Column("site", "Site"), Column("matches", "Matches"), Column("why", "Why"))
#: Controls have margins beside their width.
_WIDE: Final = "calc(100% - 4px)"
_HOW: Final = {"and has": "and", "or has": "or", "but not": "not"}
#: Of a band that has an order.
_BANDS: Final = {"at least": ">=", "at most": "<="}
_LABEL: Final = "What a segment can ask for"
#: Whether a site matches: what is not known of it may keep it from doing so, or not.
_YES, _MAY, _NO = "yes", "may", "no"
_NOTHING: Final = "Nothing found."
_NOTHING_HAD: Final = "Nothing found of what the run's sites have. Untick the box above to see all there is."


@dataclass(frozen=True, slots=True)
class Matched(Shown):
    """Which sites match, as it is shown, and the segment that they match; None where there is no text yet."""

    #: None where there is no text yet.
    segment: Segment | None = None


class SegmentBuilder(FindingBox):
    """Build a segment: search the vocabulary, add codes, edit the text beside it, and see the sites that match.

    Parameters
    ----------
    run : Run, SavedRun, or mapping of str to DataFrame
        A run, or its frames by name; it needs ``codes`` or ``categories``.
    text : str
        The segment to begin with.
    vocabulary : Vocabulary, optional
        By default the run's.

    Raises
    ------
    InputError
        If `run` is no run, or has neither codes nor categories, or no vocabulary.

    Attributes
    ----------
    value : DataFrame
        Which sites match, and why; see `toolkit.Segment.match`.
    segment : Segment or None
        The segment; None where the text cannot be read, or there is none yet.
    plan : SitePlan or None
        The plan of sites that was asked for; None as soon as the segment changes.

    Examples
    --------
    >>> import toolkit as tk
    >>> builder = SegmentBuilder(tk.sample_run(), "INT.SPORTS.* and income_level >= middle")
    >>> builder.segment.text, builder.value["matches"].any().item()
    ('INT.SPORTS.* and income_level >= middle', True)
    """

    def __init__(
        self,
        run: Answered | Mapping[str, pd.DataFrame],
        text: str = "",
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self._frames = run_frames(run)
        vocabulary = vocabulary or vocabulary_of(run)
        if not {"codes", "categories"} & set(self._frames) or vocabulary is None:
            raise InputError(
                "A segment is built of codes or categories, and a vocabulary. Pass a run that asks segment or "
                "categorize_content, or frames by name and vocabulary=client.filters()."
            )
        self._vocabulary = vocabulary
        self._choices = choices_of(self._frames, vocabulary)
        self.segment: Segment | None = None
        self._code_alone = ""
        self._build(text)
        buttons = ipw.VBox([ipw.HBox(self._buttons, layout=ROW), ipw.HBox([*self._bands, self._undo], layout=ROW)])
        tree = ipw.VBox([self._search, self._present, self._tree, buttons], layout={"flex": "1 1 300px"})
        beside = ipw.VBox([self._text, self._words, self._export_step], layout={"flex": "1 1 300px"})
        super().__init__([ipw.HBox([tree, beside], layout={**ROW, "align_items": "flex-start"})], [self._text])
        # Below the sites that match: it is the step after them.
        below = self.children.index(self._table) + 1
        self.set_trait("children", (*self.children[:below], self._plan_step, *self.children[below:]))
        self._search.observe(self._offer, "value")
        self._present.observe(self._offer, "value")

    def _build(self, text: str) -> None:
        self._search = ipw.Text(placeholder="Search: camping, luxury, managers …", layout={"width": _WIDE})
        self._present = ipw.Checkbox(
            value=True,
            description="Only what these sites have (how many)",
            indent=False,
            layout={"width": "auto"},
        )
        self._tree = Tree(layout={"width": _WIDE, "margin": "2px"})
        self._tree.observe(self._picked, "value")
        self._expressions = {choice.expression for choice in self._choices}
        self._opened = [self._choices[0].key]
        self._is_search = True
        self._text = ipw.Textarea(
            value=text,
            placeholder="The segment as text, for example:\nINT.SPORTS.* and income_level >= middle",
            continuous_update=False,
            layout={"width": _WIDE, "height": "200px"},
        )
        self._words = ipw.HTML(layout={"width": _WIDE})
        self._words.add_class(SAID)
        self._buttons = [ipw.Button(description=word, layout={"width": "90px"}) for word in _HOW]
        self._bands = [
            ipw.Button(description=word, layout={"width": "90px"}, tooltip="and has this value, or one beyond it")
            for word in _BANDS
        ]
        for button in (*self._buttons, *self._bands):
            button.on_click(self._added)
        self._undo = ipw.Button(description="Undo", icon="undo", layout={"width": "90px"}, disabled=True)
        self._undo.on_click(self._undone)
        self._past: list[str] = []
        self._plan_step = PlanStep(self._frames, self._vocabulary, self._replanned)
        self._export_step = ExportStep(self._frames, self._vocabulary, lambda: self.plan)
        self._text.observe(self._retold, "value")
        self._retold()
        self._offer()

    def __repr__(self) -> str:
        return f"<SegmentBuilder: {self.segment.text if self.segment else 'nothing chosen yet'}>"

    def static_view(self) -> str:
        """Return which sites match as HTML, or what is wrong with the text."""
        return super().static_view() or f"<div>{self._words.value}</div>"

    def _offer(self, _: object = None) -> None:
        """Fill the tree with what is searched for."""
        if not self._is_search:
            # A search opens branches of its own; after it, those are open that were.
            self._opened = self._tree.opened
        self._is_search = bool(words := self._search.value.strip())
        found = found_in(self._choices, words, present=self._present.value)
        is_there = any(entry["key"] == self._tree.value for entry in found.entries)
        chosen = self._tree.value if is_there and not words else found.first
        above = lineage(found.entries, chosen) if chosen is not None else []
        with self._tree.hold_sync():
            self._tree.entries = found.entries
            self._tree.opened = list(dict.fromkeys([*(found.opened if words else self._opened), *above]))
            self._tree.value = chosen
            self._tree.label = f"{_LABEL}: {found.hits} found" if words else _LABEL
            self._tree.empty = _NOTHING_HAD if self._present.value else _NOTHING

    def _picked(self, _: object) -> None:
        for button in self._buttons:
            button.disabled = self._tree.value not in self._expressions
        for button in self._bands:
            button.disabled = not self._is_band()

    def _is_band(self) -> bool:
        field, sign, value = str(self._tree.value).partition(" = ")
        return bool(sign) and field in ORDERED_FIELDS and value != "*" and self._tree.value in self._expressions

    def _added(self, button: ipw.Button) -> None:
        word, expression = button.description, self._tree.value
        if expression not in self._expressions or (word in _BANDS and not self._is_band()):
            return
        self._past.append(self._text.value)
        self._undo.disabled = False
        if word in _BANDS:
            self._text.value = with_part(self._text.value, banded(expression, _BANDS[word]), "and")
        else:
            self._text.value = with_part(self._text.value, expression, _HOW[word])

    def _undone(self, _: ipw.Button) -> None:
        if self._past:
            self._text.value = self._past.pop()
        self._undo.disabled = not self._past

    @property
    def plan(self) -> SitePlan | None:
        """The plan of sites that is shown."""
        return self._plan_step.plan

    def _retold(self, _: object = None) -> None:
        """Take back what was said of the segment before."""
        self._plan_step.take(self._text.value)
        self._export_step.take(self._text.value)

    def _replanned(self) -> None:
        plan = self._plan_step.code
        self._code.value = self._copy.text = f"{self._code_alone}\n{plan}" if plan else self._code_alone

    def _work(self) -> Shown:
        return matched(self._frames, self._text.value, self._vocabulary)

    def _show(self, found: Shown | str) -> None:
        self.segment = found.segment if isinstance(found, Matched) else None
        super()._show(found)
        for step in (self._export_step, self._plan_step):
            step.refuse(is_wrong=isinstance(found, str))
        if isinstance(found, str):
            # Beside the text that it is about.
            self._words.value, self._status.value = notice(found), ""
        else:
            self._words.value = _said(self.segment, self._vocabulary)
        self._code_alone = self.code
        self._replanned()


def _said(segment: Segment | None, vocabulary: Vocabulary) -> str:
    if segment is None:
        return ""
    return f"<div style='line-height:1.4'>In words: {escaped(in_words(segment.tree, vocabulary))}.</div>"


def matched(frames: Mapping[str, pd.DataFrame], text: str, vocabulary: Vocabulary) -> Matched:
    """Say which sites of a run match a segment, as it is shown; nothing matches an empty text."""
    if not text.strip():
        sites = site_of(answered(frames.get("sites", next(iter(frames.values()))))).dropna().unique()
        found = pd.DataFrame({"site": pd.Series(sorted(sites), dtype="str"), "matches": False, "may": False, "why": ""})
        found = found.astype({"why": "str"})
        status = (
            f"Choose a topic or trait on the left and press <b>and has</b>. The run has {counted(len(found), 'site')}."
        )
        return Matched(found, None, status, "", "")
    wanted = Segment.parse(text, vocabulary)
    by_code = any(condition.subject not in CATEGORIZED for condition in conditions(wanted.tree))
    of = "codes" if by_code else "categories"
    found = wanted.match(frames.get("codes"), frames.get("categories"), sites=sites_of(frames, of))
    return Matched(found, None, _reach(found), _rows(found, wanted, vocabulary), _code(wanted.text), wanted)


def _reach(found: pd.DataFrame) -> str:
    n, sites, may = len(found), int(found["matches"].sum()), int(found["may"].sum())
    if not n:
        return "No site has an answer."
    fields = [lowered(field_label(name)) for name in found.attrs["about"]["unknown"]]
    are = "is" if len(fields) == 1 else "are"
    more = f", and {may:,} more may, whose {escaped(listing(fields))} {are} not known" if may else ""
    said = f"<b>{sites:,} of {counted(n, 'site')} {'matches' if sites == 1 else 'match'}</b>{more}"
    # Of one site no share is told, and nothing of sites like it.
    if n - may <= 1:
        return said
    low, high = (float(end[0]) for end in wilson(np.array([sites]), np.array([n - may])))
    of = f" of the {n - may:,} of which it is known" if may else ""
    interval = f"{rounded(100 * low)} to {percentage(high)}, 95 % interval"
    return f"{said} ({percentage(sites / (n - may))}{of}; of sites like these {interval})"


def _rows(found: pd.DataFrame, wanted: Segment, vocabulary: Vocabulary) -> Rows:
    # Those that may stand behind those that do.
    first = found.sort_values(["matches", "may", "site"], ascending=[False, False, True], kind="stable")
    matches = np.select([first["matches"], first["may"]], [_YES, _MAY], _NO)
    first = first[["site", "why"]].assign(matches=matches.astype(object))
    said = {reason: reason_in_words(reason, vocabulary, wanted.tree) for reason in first["why"].unique()}
    first = first.assign(why=first["why"].map(said))
    return Rows(first, _COLUMNS, "sites-of-the-segment", "Sites, those that match first", ("site", "sites"))


def _code(text: str) -> str:
    return f"{CODE_HEAD}segment = run.segment({text!r})\nmatches = segment.match()"
