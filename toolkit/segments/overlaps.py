"""How many sites segments share."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from toolkit.interface.errors import InputError
from toolkit.segments.definition import Segment
from toolkit.segments.matching import facts_of, possible, satisfied

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.findings.incidence import Targets
    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["segment_overlap"]


def segment_overlap(
    segments: Iterable[Segment],
    codes: pd.DataFrame | None = None,
    categories: pd.DataFrame | None = None,
    *,
    vocabulary: Vocabulary | None = None,
    sites: Targets | None = None,
) -> pd.DataFrame:
    """Say how many sites each two segments share.

    Parameters
    ----------
    segments : iterable of Segment
        At least one; those without a name are named by their text, and no two may be named alike.
    codes, categories : DataFrame, optional
        As `Segment.match`.
    vocabulary : Vocabulary, optional
        Gives the order of the bands; by default each segment's own.
    sites : iterable of str, Series or DataFrame, optional
        As `Segment.match`.

    Returns
    -------
    DataFrame
        One row an ordered pair, in the order given: ``segment``, ``other`` (str), ``n`` (int64: sites that can be
        judged by both, as no field that decides is not known of them; only these count), ``sites``, ``other_sites``,
        ``both`` (int64), ``jaccard`` (float64: sites of both by sites of any; Jaccard 1912) and ``containment``
        (float64: share of the segment's sites that are also the other's). Missing where nothing can be divided by.
        Sites whose question for what any segment asks for failed do not count at all.

    Raises
    ------
    InputError
        If something is no segment, two are named alike, or as `Segment.match`.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.frames.typed import codes
    >>> frame = codes(Client().segment("torque-journal.example"))
    >>> cars, pets = Segment.parse("INT.AUTOMOTIVE.*"), Segment.parse("INT.PETS.* or INT.AUTOMOTIVE.*")
    >>> segment_overlap([cars, pets], frame)["both"].tolist()
    [1, 1]
    """
    listed = [segments] if isinstance(segments, Segment) else list(segments)
    for segment in listed:
        if not isinstance(segment, Segment):
            raise InputError(f"Segments are wanted, not {type(segment).__name__}. Pass Segment.parse(…).")
    labels = [segment.label for segment in listed]
    if alike := sorted({label for label in labels if labels.count(label) > 1}):
        raise InputError(f"Two segments are named {alike[0]!r}. Give each a name of its own.")
    held, judged = [], []
    facts = facts_of([segment.tree for segment in listed], codes, categories, vocabulary, sites)
    for segment in listed:
        facts = facts.ordered_by(vocabulary or segment.vocabulary)
        held.append(satisfied(segment.tree, facts))
        judged.append(held[-1] | ~possible(segment.tree, facts))
    rows = []
    for one, other in permutations(range(len(listed)), 2):
        told = judged[one] & judged[other]
        mine, others = (int((held[place] & told).sum()) for place in (one, other))
        # What both have is judged by both.
        both = int((held[one] & held[other]).sum())
        either = mine + others - both
        jaccard = both / either if either else np.nan
        contained = both / mine if mine else np.nan
        rows.append((labels[one], labels[other], int(told.sum()), mine, others, both, jaccard, contained))
    names = ["segment", "other", "n", "sites", "other_sites", "both", "jaccard", "containment"]
    types = dict(zip(names, [*["str"] * 2, *["int64"] * 4, *["float64"] * 2], strict=True))
    found = pd.DataFrame(rows, columns=pd.Index(names)).astype(types)
    found.attrs["about"] = facts.about
    return found
