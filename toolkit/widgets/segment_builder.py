"""The SegmentBuilder widget: click codes together, see which sites match while you do."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

import ipywidgets as ipw
import pandas as pd

from toolkit.about import answered, site_of
from toolkit.display import printable
from toolkit.errors import InputError, ToolkitError
from toolkit.frame_methods import FrameMethods
from toolkit.segment_export import export_segment
from toolkit.segments import Segment
from toolkit.widgets.finding_box import CODE_HEAD, FindingBox, Shown, dropdown, listing, run_frames
from toolkit.widgets.lookup_view import counted, notice
from toolkit.widgets.segment_choices import choices_of, found_in, with_part
from toolkit.widgets.static_view import ROW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.vocabulary import Vocabulary

__all__ = ["SegmentBuilder", "matched"]

_MOST_ROWS: Final = 100
#: Controls have margins beside their width.
_WIDE: Final = "calc(100% - 4px)"
_HOW: Final = {"and has": "and", "or has": "or", "but not": "not"}


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

    Examples
    --------
    >>> import toolkit as tk
    >>> builder = SegmentBuilder(tk.sample_run(), "INT.SPORTS.* and income_level >= middle")
    >>> builder.segment.text, builder.value["matches"].any().item()
    ('INT.SPORTS.* and income_level >= middle', True)
    """

    def __init__(
        self,
        run: FrameMethods | Mapping[str, pd.DataFrame],
        text: str = "",
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self._frames = run_frames(run)
        vocabulary = vocabulary or (run.vocabulary if isinstance(run, FrameMethods) else None)
        if not {"codes", "categories"} & set(self._frames) or vocabulary is None:
            raise InputError(
                "A segment is built of codes or categories, and a vocabulary. Pass a run that asks segment or "
                "categorize_content, or frames by name and vocabulary=client.filters()."
            )
        self._vocabulary = vocabulary
        self._choices = choices_of(self._frames, vocabulary)
        self.segment: Segment | None = None
        self._build(text)
        tree = ipw.VBox([self._kind, self._search, self._present, self._tree], layout={"flex": "1 1 300px"})
        buttons = ipw.HBox(list(self._buttons), layout=ROW)
        beside = ipw.VBox([self._text, buttons], layout={"flex": "1 1 300px"})
        export = ipw.HBox([self._file, self._export, self._said], layout=ROW)
        super().__init__([ipw.HBox([tree, beside], layout={**ROW, "align_items": "flex-start"}), export], [self._text])
        self._kind.observe(self._offer, "value")
        self._search.observe(self._offer, "value")
        self._present.observe(self._offer, "value")

    def _build(self, text: str) -> None:
        self._kind = dropdown("Choose from", list(self._choices))
        self._search = ipw.Text(placeholder="Search: running, luxury, b2b …", layout={"width": _WIDE})
        self._present = ipw.Checkbox(value=True, description="only what the run's sites have", indent=False)
        self._tree = ipw.Select(rows=10, layout={"width": _WIDE})
        self._text = ipw.Textarea(
            value=text,
            placeholder="The segment as text, for example:\nINT.SPORTS.* and income_level >= middle",
            continuous_update=False,
            layout={"width": _WIDE, "height": "150px"},
        )
        self._buttons = [ipw.Button(description=word, layout={"width": "90px"}) for word in _HOW]
        for button in self._buttons:
            button.on_click(self._added)
        self._undo = ipw.Button(description="Undo", icon="undo", layout={"width": "90px"}, disabled=True)
        self._undo.on_click(self._undone)
        self._buttons.append(self._undo)
        self._past: list[str] = []
        self._file = ipw.Text(value="segment.csv", description="File", layout={"width": "260px"})
        self._file.style.description_width = "36px"
        self._export = ipw.Button(description="Export", icon="download", layout={"width": "100px"})
        self._export.on_click(self._exported)
        self._said = ipw.HTML("<span style='opacity:.75'>.csv, .xlsx or .json</span>")
        self._offer()

    def __repr__(self) -> str:
        return f"<SegmentBuilder: {self.segment.text if self.segment else 'nothing chosen yet'}>"

    def _offer(self, _: object = None) -> None:
        """Fill the list with what is searched for."""
        found = found_in(self._choices[self._kind.value], self._search.value, present=self._present.value)
        self._tree.options = [(choice.line, choice.expression) for choice in found]
        for button in self._buttons[: len(_HOW)]:
            button.disabled = not found

    def _added(self, button: ipw.Button) -> None:
        if self._tree.value is not None:
            self._past.append(self._text.value)
            self._undo.disabled = False
            self._text.value = with_part(self._text.value, self._tree.value, _HOW[button.description])

    def _undone(self, _: ipw.Button) -> None:
        if self._past:
            self._text.value = self._past.pop()
        self._undo.disabled = not self._past

    def _exported(self, _: ipw.Button) -> None:
        segment, path = self.segment, self._file.value.strip()
        if segment is None or self._beside.is_busy:
            self._said.value = notice("Build a segment first.")
            return
        self._beside.do(lambda: self._written(segment, path), self._show_written)

    def _written(self, segment: Segment, path: str) -> str:
        try:
            files = export_segment(
                segment,
                self._frames.get("codes"),
                Path(path).expanduser(),
                vocabulary=self._vocabulary,
                categories=self._frames.get("categories"),
            )
        except ToolkitError as error:
            return notice(str(error))
        return f"Written: {', '.join(f'<code>{escape(printable(str(file)))}</code>' for file in files)}"

    def _show_written(self, said: str) -> None:
        self._said.value = said

    def _work(self) -> Shown:
        shown = matched(self._frames, self._text.value, self._vocabulary)
        self.segment = Segment.parse(self._text.value, self._vocabulary) if self._text.value.strip() else None
        return shown

    def _show(self, found: Shown | str) -> None:
        if isinstance(found, str):
            self.segment = None
        super()._show(found)


def matched(frames: Mapping[str, pd.DataFrame], text: str, vocabulary: Vocabulary) -> Shown:
    """Say which sites of a run match a segment, as it is shown.

    Parameters
    ----------
    frames : mapping of str to DataFrame
        The run's frames by name.
    text : str
        The segment; nothing matches where it is empty.
    vocabulary : Vocabulary
        Codes and values are checked against it.
    """
    if not text.strip():
        sites = site_of(answered(frames.get("sites", next(iter(frames.values()))))).dropna().unique()
        found = pd.DataFrame({"site": pd.Series(sorted(sites), dtype="str"), "matches": False, "why": ""})
        found = found.astype({"why": "str"})
        status = f"Choose a code on the left and press <b>and has</b>. The run has {counted(len(found), 'site')}."
        return Shown(found, None, status, "", "")
    wanted = Segment.parse(text, vocabulary)
    found = wanted.match(frames.get("codes"), frames.get("categories"))
    n = len(found)
    size = wanted.size(frames.get("codes"), frames.get("categories")).iloc[0]
    status = (
        f"<b>{size['sites']:,} of {counted(n, 'site')} match</b> ({100 * size['share']:.0f} %; of sites like these "
        f"{100 * size['share_low']:.0f} to {100 * size['share_high']:.0f} %, 95 % interval)"
        if n
        else "No site has an answer."
    )
    return Shown(found, None, status, _table(found), _code(wanted.text, frames))


def _table(found: pd.DataFrame) -> str:
    rows = found.sort_values(["matches", "site"], ascending=[False, True], kind="stable").head(_MOST_ROWS)
    lines = [
        f"<tr><td>{escape(printable(site))}</td><td>{'✓ matches' if matches else '–'}</td>"
        f"<td>{escape(printable(why))}</td></tr>"
        for site, matches, why in rows[["site", "matches", "why"]].itertuples(index=False, name=None)
    ]
    return listing(("Site", "Match", "Why"), lines, len(found), columns=False)


def _code(text: str, frames: Mapping[str, pd.DataFrame]) -> str:
    given = [f"{name}=run.{name}()" for name in ("codes", "categories") if name in frames]
    return (
        f"{CODE_HEAD}segment = tk.Segment.parse({text!r}, run.vocabulary)\nmatches = segment.match({', '.join(given)})"
    )
