"""The CoverageExplorer widget: which part of a taxonomy the sites of a run cover, and which not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import anywidget
import ipywidgets as ipw
import traitlets as tr

from toolkit.frames.schemas import LEVELS
from toolkit.interface.errors import InputError
from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.widgets.findings.box import FindingBox, Shown, dropdown
from toolkit.widgets.findings.coverage_view import BANDS, PICTURES, TAXONOMIES, Covered, covered, taxonomies_of
from toolkit.widgets.given import run_frames, vocabulary_of
from toolkit.widgets.keyboard import BOX
from toolkit.widgets.static import ROW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from toolkit.answered import Answered
    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["CoverageExplorer"]

_EVERY: Final = "all"
#: Confidences from which on a topic counts.
_CONFIDENCES: Final = tuple(step / 20 for step in range(1, 21))


class Clicks(anywidget.AnyWidget):
    """Nothing to see. A click on a part of the tree beside it is told to the kernel, which draws what is in there.

    Plotly alone would go into it too, but the words and the table around the picture would stay as they were. A field
    of gathered parts is no node, and is left to plotly.
    """

    _nodes = tr.List(tr.Unicode()).tag(sync=True)
    _esm: Any = f"""
    export default {{
      render({{ model, el }}) {{
        el.style.display = "none";
        const heard = new WeakSet();
        const clicked = (event) => {{
          const node = event.points?.[0]?.id;
          if (!model.get("_nodes").includes(node)) return true;
          model.send({{ node }});
          return false;
        }};
        let watching = null;
        const hear = (box) => box.querySelectorAll(".js-plotly-plot").forEach((plot) => {{
          if (!plot.on || heard.has(plot)) return;
          heard.add(plot);
          ["treemap", "sunburst", "icicle"].forEach((kind) => plot.on(`plotly_${{kind}}click`, clicked));
        }});
        const listen = (tries) => {{
          const box = el.closest(".{BOX}");
          if (box) {{
            watching = new MutationObserver(() => hear(box));
            watching.observe(box, {{ childList: true, subtree: true }});
            hear(box);
          }} else if (tries) {{
            setTimeout(listen, 50, tries - 1);  // not yet in the page
          }}
        }};
        listen(100);
        return () => watching?.disconnect();
      }}
    }};
    """


class CoverageExplorer(FindingBox):
    """Explore coverage: choose taxonomy, threshold and tier, go into branches, see what is seen and what is not.

    Parameters
    ----------
    run : Run, SavedRun, or mapping of str to DataFrame
        A run, or its frames by name.
    vocabulary : Vocabulary, optional
        For interests and purchase intent; by default the run's.

    Raises
    ------
    InputError
        If `run` is no run, or gives neither categories nor codes.

    Attributes
    ----------
    value : DataFrame
        What `toolkit.findings.coverage` returns for what is chosen, of the tier and branch that are shown.
    figure : Figure
        Its chart.

    Examples
    --------
    >>> import toolkit as tk
    >>> explorer = CoverageExplorer(tk.sample_run())
    >>> len(explorer.value), explorer.value["seen"].any().item()
    (703, True)
    """

    def __init__(self, run: Answered | Mapping[str, pd.DataFrame], vocabulary: Vocabulary | None = None) -> None:
        self._frames = run_frames(run)
        if vocabulary is None and "codes" in self._frames:
            vocabulary = vocabulary_of(run)
        self._vocabulary = vocabulary
        offered = taxonomies_of(self._frames)
        if vocabulary is None:
            offered = [label for label in offered if TAXONOMIES[label][1] != "codes"]
        if not offered:
            raise InputError(
                "The run has no categories, and no codes with a vocabulary. Ask it for categorize_content or segment, "
                "or pass vocabulary=client.filters()."
            )
        self._taxonomy = dropdown("Taxonomy", offered)
        self._confidence = dropdown("confidence from", [("any", 0.0), *((f"{at:.2f}", at) for at in _CONFIDENCES)])
        self._band = dropdown("confidence from", list(BANDS))
        self._tier = dropdown("level in the table", [_EVERY])
        # Below the last level there is nothing to go into.
        self._within = [dropdown("›" if place else "within", [(_EVERY, "")]) for place in range(len(LEVELS) - 1)]
        self._inside: dict[str, tuple[str, ...]] = {}
        self._nodes: dict[str, tuple[str, ...]] = {}
        self._clicks = Clicks()
        self._picture = dropdown("as", list(PICTURES.items()))
        self._offered = ""
        self._offer((), {})
        super().__init__(
            [
                ipw.HBox([self._taxonomy, self._confidence, self._band], layout=ROW),
                ipw.HBox(self._within, layout=ROW),
                ipw.HBox([self._tier, self._picture], layout=ROW),
                self._clicks,
            ],
            [self._confidence, self._band, self._tier, self._picture],
        )
        for chooser in self._within:
            chooser.observe(self._went, "value")
        self._taxonomy.observe(self._chosen, "value")
        self._clicks.on_msg(self._clicked)

    def __repr__(self) -> str:
        return f"<CoverageExplorer: {self._taxonomy.value}>"

    def _is_of_codes(self) -> bool:
        return TAXONOMIES[self._taxonomy.value][1] == "codes"

    def _chosen(self, change: object) -> None:
        self._offer((), {})
        self._changed(change)

    def _went(self, change: Any) -> None:
        if not self._is_filled:
            self._offer_inside(1 + self._within.index(change.owner))
            if change.new:
                # The tier of before may have nothing in the branch but its top.
                with self._filling():
                    self._tier.value = _EVERY
            self._changed(change)

    def _clicked(self, _: object, told: Any, __: object) -> None:
        """Go into the node that was clicked, or out of it where it is the one that was gone into last."""
        branch = self._nodes.get(told.get("node", "")) if isinstance(told, dict) else None
        if branch is None:
            return
        branch = branch[:-1] if list(branch) == self._branch() else branch
        for place, chooser in enumerate(self._within):
            with self._filling():
                chooser.value = branch[place] if place < len(branch) else ""
            self._offer_inside(place + 1)
        with self._filling():
            self._tier.value = _EVERY
        self._changed(None)

    def _branch(self) -> list[str]:
        """Return the names of the categories that were gone into, from the top down."""
        return [chooser.value for chooser in self._within if chooser.value]

    def _offer(self, tiers: Sequence[int], inside: Mapping[str, tuple[str, ...]]) -> None:
        """Offer tiers and branches of the taxonomy, and the threshold that fits it."""
        self._inside = dict(inside)
        self._offered = self._taxonomy.value if tiers else ""
        with self._filling():
            self._tier.options = [_EVERY, *tiers]
        self._offer_inside(0)
        self._confidence.layout.display = "none" if self._is_of_codes() else ""
        self._band.layout.display = "" if self._is_of_codes() else "none"

    def _offer_inside(self, place: int) -> None:
        """Offer what is inside the node that was gone into last, and nothing further down."""
        with self._filling():
            for chooser in self._within[place:]:
                chooser.options = [(_EVERY, "")]
            branch = self._branch()
            if len(branch) == place < len(self._within):
                names = self._inside.get(PATH_SEPARATOR.join(branch), ())
                self._within[place].options = [(_EVERY, ""), *((name, name) for name in names)]
        for number, chooser in enumerate(self._within):
            chooser.layout.display = "" if number == 0 or len(chooser.options) > 1 else "none"

    def _show(self, found: Shown | str) -> None:
        if isinstance(found, Covered):
            self._nodes = found.nodes
            self._clicks._nodes = list(found.nodes)  # noqa: SLF001 - the widget's own part
        super()._show(found)
        # Once a taxonomy, else what is chosen would be lost; and an answer may be of a taxonomy that was left since.
        if isinstance(found, Covered) and found.label == self._taxonomy.value != self._offered:
            self._offer(found.tiers, found.inside)

    def _work(self) -> Shown:
        threshold: float | str = self._band.value if self._is_of_codes() else self._confidence.value
        return covered(
            self._frames,
            self._vocabulary,
            self._taxonomy.value,
            threshold,
            tier=None if self._tier.value == _EVERY else self._tier.value,
            branch=self._branch(),
            picture=self._picture.value,
        )
