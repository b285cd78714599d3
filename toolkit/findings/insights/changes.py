"""What changed since another run: of the same sites by test, of the list by count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.drift import drift
from toolkit.findings.insights.claims import CHANGES, alike
from toolkit.findings.insights.facts import change_call, company_codes, technology_codes
from toolkit.findings.insights.sentences import enumerated, having, named, value_in_words
from toolkit.findings.insights.tautologies import INFERRED, basis_of
from toolkit.findings.insights.told import Finding, certainty
from toolkit.findings.statistics.differences import distance
from toolkit.findings.statistics.discoveries import paired_discoveries
from toolkit.findings.statistics.tables import smallest_paired_p

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features

    Bools = NDArray[np.bool_]

__all__ = ["changes"]

_MOST: Final = 2


def changes(
    frames: Mapping[str, pd.DataFrame], before: Mapping[str, pd.DataFrame], known: Features, earlier: Features
) -> Iterator[Finding]:
    """Yield what the same sites gained or lost, and who came and went."""
    yield from _of_list(known, earlier)
    rows = _tested(frames, before)
    if rows.empty:
        return
    kept: list[Bools] = []
    often: dict[str, int] = {}
    shown = rows[rows["q"] <= CHANGES].assign(size=lambda part: -part["score"].abs())
    for row in shown.sort_values(["size", "q", "dimension", "code"], kind="stable").to_dict("records"):
        sites = _changed(known, earlier, row)
        if often.get(row["dimension"], 0) >= _MOST or any(alike(sites, other) for other in kept):
            continue
        often[row["dimension"]] = often.get(row["dimension"], 0) + 1
        kept.append(sites)
        yield _told(row, tuple(known.sites[sites]))


def _tested(frames: Mapping[str, pd.DataFrame], before: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return what could have changed at the same sites, with p adjusted as one family."""
    parts = []
    for name in ("codes", "categories", "technologies", "companies"):
        if name not in frames or name not in before:
            continue
        made = {"technologies": technology_codes, "companies": company_codes}.get(name)
        pair = (before[name], frames[name]) if made is None else (made(before[name]), made(frames[name]))
        parts.append(drift(*pair))
    if not parts:
        return pd.DataFrame({"q": []})
    rows = pd.concat(parts, ignore_index=True)
    changed = rows["gained"] + rows["lost"]
    can = rows["p"].notna().to_numpy() & (smallest_paired_p(changed.to_numpy()) < CHANGES)
    rows["q"] = paired_discoveries(np.where(can, rows["p"], np.nan), changed)
    same = np.maximum(rows["same_sites"], 1)
    rows["score"] = distance(
        rows["with_after"], np.maximum(rows["n_after"], 1), rows["with_before"], np.maximum(rows["n_before"], 1)
    )
    rows["part"] = (rows["gained"] - rows["lost"]) / same
    return rows


def _changed(known: Features, earlier: Features, row: Mapping[Hashable, Any]) -> Bools:
    """Return which sites gained the code, or lost it."""
    now, then = (_having(part, row, known.sites) for part in (known, earlier))
    both = known.sites.isin(earlier.sites)
    gained, lost = now & ~then & both, then & ~now & both
    found: Bools = gained if gained.sum() >= lost.sum() else lost
    return found


def _having(part: Features, row: Mapping[Hashable, Any], sites: pd.Index) -> Bools:
    column = part.codes["dimension"].eq(row["dimension"]) & part.codes["code"].eq(row["code"])
    if not column.any():
        return np.zeros(len(sites), dtype=bool)
    found: Bools = sites.isin(part.sites[part.has[:, int(column.to_numpy().argmax())]])
    return found


def _told(row: Mapping[Hashable, Any], sites: tuple[str, ...]) -> Finding:
    dimension, code, label = (str(row[name]) for name in ("dimension", "code", "label"))
    words = value_in_words(dimension, code, None if pd.isna(row["label"]) else label)
    gained, lost, same = (int(row[name]) for name in ("gained", "lost", "same_sites"))
    after, n_after, then, n_then = (int(row[name]) for name in ("with_after", "n_after", "with_before", "n_before"))
    more = gained > lost
    does = having(dimension, words)
    start = f"{'More' if more else 'Fewer'} sites {does} than before"
    how = f"{_said(gained)} of the same {same} sites began, {_said(lost)} stopped"
    share = float(row["part"])
    return Finding(
        f"{start}: {how} ({after} of {n_after} now, {then} of {n_then} then).",
        "change",
        certainty(float(row["q"]), CHANGES, inferred=dimension in INFERRED, few=False),
        abs(float(row["score"])),
        dimension=dimension,
        code=code,
        label=words,
        basis=basis_of(dimension),
        effect=share,
        n=n_after,
        with_code=after,
        other_n=n_then,
        other_with=then,
        q=float(row["q"]),
        sites=sites,
        table=change_call(dimension),
    )


def _said(number: int) -> str:
    return named(number) if number else "none"


def _of_list(known: Features, earlier: Features) -> Iterator[Finding]:
    came, went = known.sites[~known.sites.isin(earlier.sites)], earlier.sites[~earlier.sites.isin(known.sites)]
    if not len(came) and not len(went):
        return
    parts = [
        f"{named(len(sites))} {word} ({enumerated(list(sites))})"
        for sites, word in ((came, "came"), (went, "went"))
        if len(sites)
    ]
    yield Finding(
        f"The list itself changed: {' and '.join(parts)}; {len(known.sites) - len(came)} sites are in both runs.",
        "change",
        "clear",
        0.0,
        n=len(known.sites),
        other_n=len(earlier.sites),
        sites=(*came, *went),
        table="run.drift(before)",
    )
