"""The CoverageExplorer widget: which part of a taxonomy the sites of a run cover, and which not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import ipywidgets as ipw

from toolkit.coverage import coverage
from toolkit.errors import InputError
from toolkit.frame_methods import FrameMethods
from toolkit.widgets.coverage_view import BANDS, PICTURES, TAXONOMIES, branches_of, covered, taxonomies_of
from toolkit.widgets.finding_box import FindingBox, Shown, dropdown, run_frames
from toolkit.widgets.static_view import ROW

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from toolkit.vocabulary import Vocabulary

__all__ = ["CoverageExplorer"]

_EVERY: Final = "all"


class CoverageExplorer(FindingBox):
    """Explore coverage: choose taxonomy, threshold, tier and branch, see what is seen and what is not.

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
        What `toolkit.coverage` returns for what is chosen, of the tier and branch that are shown.
    figure : Figure
        Its chart.

    Examples
    --------
    >>> import toolkit as tk
    >>> explorer = CoverageExplorer(tk.sample_run())
    >>> len(explorer.value), explorer.value["seen"].any().item()
    (703, True)
    """

    def __init__(self, run: FrameMethods | Mapping[str, pd.DataFrame], vocabulary: Vocabulary | None = None) -> None:
        self._frames = run_frames(run)
        if vocabulary is None and isinstance(run, FrameMethods) and "codes" in self._frames:
            vocabulary = run.vocabulary
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
        self._confidence = ipw.FloatSlider(
            value=0.0, min=0.0, max=1.0, step=0.05, readout_format=".2f", description="confidence from",
            continuous_update=False, style={"description_width": "initial"},
        )  # fmt: skip
        self._band = dropdown("confidence from", list(BANDS))
        self._tier = dropdown("tier", [_EVERY])
        self._branch = dropdown("within", [_EVERY])
        self._picture = dropdown("as", list(PICTURES.items()))
        self._offer()
        super().__init__(
            [
                ipw.HBox([self._taxonomy, self._confidence, self._band], layout=ROW),
                ipw.HBox([self._branch, self._tier, self._picture], layout=ROW),
            ],
            [self._confidence, self._band, self._tier, self._branch, self._picture],
        )
        self._taxonomy.observe(self._chosen, "value")

    def __repr__(self) -> str:
        return f"<CoverageExplorer: {self._taxonomy.value}>"

    def _is_of_codes(self) -> bool:
        return TAXONOMIES[self._taxonomy.value][1] == "codes"

    def _chosen(self, change: object) -> None:
        self._offer()
        self._changed(change)

    def _offer(self) -> None:
        """Offer the tiers and branches of the taxonomy, and the threshold that fits it."""
        name, frame = TAXONOMIES[self._taxonomy.value]
        whole = coverage(self._frames[frame], name, vocabulary=self._vocabulary if self._is_of_codes() else None)
        for control, options in (
            (self._tier, [_EVERY, *sorted(map(int, whole["tier"].unique()))]),
            (self._branch, [_EVERY, *branches_of(whole)]),
        ):
            # Unwatched: else each list would work out a finding of its own.
            control.unobserve_all("value")
            control.options = options
            if hasattr(self, "_chart"):
                control.observe(self._changed, "value")
        self._confidence.layout.display = "none" if self._is_of_codes() else ""
        self._band.layout.display = "" if self._is_of_codes() else "none"

    def _work(self) -> Shown:
        threshold: float | str = self._band.value if self._is_of_codes() else self._confidence.value
        return covered(
            self._frames,
            self._vocabulary,
            self._taxonomy.value,
            threshold,
            tier=None if self._tier.value == _EVERY else self._tier.value,
            branch=None if self._branch.value == _EVERY else self._branch.value,
            picture=self._picture.value,
        )
