"""The headline findings: what is proven first, then what is most worth knowing of what is counted; nothing twice."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.insights.doubts import NOT_MEASURED, UNKNOWN
from toolkit.findings.insights.gaps import is_thin, wanted_in, wants_of, why_unknown
from toolkit.findings.insights.sentences import group_of
from toolkit.reports.contents import Part
from toolkit.reports.headings import heading_of
from toolkit.reports.parts.changes import changes
from toolkit.reports.parts.pictures import Held, bars, beside_the_rest, wished
from toolkit.reports.strongest import PROVEN
from toolkit.reports.words import briefly, clean, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from toolkit.findings.insights.groups import Grouping
    from toolkit.reports.contents import Chart, Table
    from toolkit.reports.view import View

    Bools = NDArray[np.bool_]

__all__ = [
    "counted_in",
    "grouping_of",
    "held",
    "part_of",
    "proofs",
    "wanted_rows",
]

#: From so many sites on something is said of others like them.
_FEWEST: Final = 10
#: What a finding is about that is of sites, and not of something that they have.
_UNUSUAL: Final = "An unusual site"


def proofs(view: View) -> tuple[Part, ...]:
    """Return the headline findings with their pictures."""
    return tuple(part_of(view, row) for _, row in view.chosen.iterrows())


def counted_in(view: View) -> list[str]:
    """Return the dimensions of which a proof counts all values, so that nothing else needs to."""
    rows = view.chosen
    return rows.loc[rows["kind"].eq("common"), "dimension"].tolist()


def part_of(view: View, finding: pd.Series, of: str = "proofs") -> Part:
    """Return a finding as a part, with the picture that fits its kind."""
    if finding["kind"] == "change" and view.before is not None:
        made = changes(view.frames, view.before, finding.to_frame().T.astype(view.found.dtypes))
        if made:
            return replace(made[0], of=of, is_appendix=False)
    title = view.told(finding)
    chart, table, name = _drawn(view, finding, title)
    return Part(
        of,
        name,
        title,
        tuple(_beside(view, finding)),
        chart,
        table,
        tuple(_notes(finding)),
        view.footer,
        str(finding["certainty"]) if finding["kind"] in {*PROVEN, "lead"} else "",
        clean(_against(finding)),
        finding["basis"],
        tuple(finding["sites"]),
    )


def held(view: View, finding: pd.Series) -> Held | None:
    """Return who a difference, a lead or a pair is about; None where the run no longer tells."""
    asked = _asked(finding)
    if isinstance(asked, dict):
        (who, sites), *_ = asked.items()
        return Held(who, np.asarray(view.known.sites.isin(sites), dtype=bool), None, np.ones(view.n, dtype=bool))
    grouping = _named_by(view, finding, asked)
    if grouping is None:
        return None
    number = grouping.names.index(finding["group"])
    who = group_of(grouping.dimension, finding["group"])
    place = number if grouping is view.grouping else None
    return Held(who, grouping.members[number], place, grouping.grouped)


def grouping_of(view: View, finding: pd.Series) -> Grouping | None:
    """Return the groups of which a finding names one; None where it names none, or the run no longer tells."""
    return _named_by(view, finding, _asked(finding))


def _asked(finding: pd.Series) -> Any:
    """Return whom the call of a finding's table asks about: sites by the name of their group, or the name of groups."""
    call = ast.parse(finding["table"], mode="eval").body if isinstance(finding["table"], str) else None
    if not isinstance(call, ast.Call) or not call.args:
        return None
    first = call.args[0]
    return first.id if isinstance(first, ast.Name) else ast.literal_eval(first)


def _named_by(view: View, finding: pd.Series, asked: Any) -> Grouping | None:
    group = finding["group"]
    if not isinstance(group, str):
        return None
    return next((one for one in view.groupings if one.name == asked and group in one.names), None)


def wanted_rows(view: View) -> pd.DataFrame:
    """Return the parts of the brief: ``label``, ``dimension``, ``code``, and which ``count`` of ``n`` sites show it.

    Each is there once, by however many names it was called. And ``sites``, which these are, and ``unknown``: why it is
    known of no site, empty where it is of some.
    """
    rows = []
    for text in wants_of(view.brief):
        wanted, has, asked, _ = wanted_in(view.known, text, view.frames.vocabulary)
        rows.append(
            {
                "label": wanted.label,
                "dimension": wanted.dimension,
                "code": wanted.code,
                "count": int(has.sum()),
                "n": int(asked.sum()),
                "strong": bool(asked.any()) and is_thin(int(has.sum()), int(asked.sum())),
                "sites": tuple(view.known.sites[has]),
                "unknown": "" if asked.any() else why_unknown(view.known, wanted),
            }
        )
    return pd.DataFrame(rows).drop_duplicates(["dimension", "code"], ignore_index=True)


def _drawn(view: View, finding: pd.Series, title: str) -> tuple[Chart | None, Table | None, str]:
    dimension, code = finding["dimension"], finding["code"]
    if not isinstance(dimension, str) or not isinstance(code, str):
        return None, None, heading_of(dimension) if isinstance(dimension, str) else _UNUSUAL
    place = view.place(dimension, code)
    if finding["kind"] == "gap":
        rows = wanted_rows(view) if view.brief else pd.DataFrame()
        if rows.empty or not finding["n"]:
            return None, None, f"Missing: {finding['label']}"
        chart, table = wished(rows, int(finding["n"]), title)
        return chart, table, f"Missing: {finding['label']}"
    if finding["kind"] == "common" and place is not None:
        places = view.tops() if dimension == "content-v3" else view.places(dimension)
        chart, table = bars(view, places, heading_of(dimension), title)
        return chart, table, heading_of(dimension)
    who = held(view, finding)
    if who is None or place is None:
        return None, None, _name(dimension, finding["label"])
    others = who.grouped & ~who.members
    if finding["kind"] == "together":
        others = ~who.members & view.like(who.members, int(finding["n"] + finding["other_n"]), place)
    chart, table = beside_the_rest(view, place, who, others)
    return chart, table, _name(dimension, view.labels(np.array([place]))[0])


def _against(finding: pd.Series) -> str:
    """Return what speaks against a finding, but for what its basis says."""
    doubts = finding["against"].split("; ") if isinstance(finding["against"], str) else []
    return "; ".join(doubt for doubt in doubts if doubt != NOT_MEASURED or finding["basis"] != "inferred")


def _name(dimension: str, label: object) -> str:
    text = label if isinstance(label, str) and label else heading_of(dimension)
    if not any(letter.isalpha() for letter in text):
        text = f"{heading_of(dimension)} {text}"
    return text[:1].upper() + text[1:]


def _beside(view: View, finding: pd.Series) -> Iterable[str]:
    """Yield what stands beside the picture, in few words."""
    if finding["kind"] in {"difference", "together", "lead"} and pd.notna(finding["effect_low"]):
        low, high = (said(finding[name], "points") for name in ("effect_low", "effect_high"))
        yield f"{said(finding['effect'], 'points')} percentage points; with chance allowed for, {low} to {high}."
        known = int(finding["n"] + finding["other_n"])
        # What speaks against it says of how many it is not known.
        if known < view.n and UNKNOWN not in _against(finding):
            yield f"It is known of {known:,} of the {view.n:,} sites."
    elif finding["kind"] == "common" and pd.notna(finding["effect_low"]) and finding["n"] >= _FEWEST:
        low, high = (said(finding[name], "percent").removesuffix(" %") for name in ("effect_low", "effect_high"))
        told = " of which it is known" if UNKNOWN in _against(finding) else ""
        yield f"Expect {low} to {high} % of sites like these{told} (95 % interval)."
    if view.weight is not None and pd.notna(finding["weight_share"]) and finding["kind"] not in {"gap", "change"}:
        share = said(finding["weight_share"], "percent")
        yield f"These {len(finding['sites']):,} sites take {share} of the {view.weight.about['weight']}."
    if len(finding["sites"]):
        yield f"Seen at {briefly(finding['sites'])}."


def _notes(finding: pd.Series) -> Iterable[str]:
    """Yield what a presenter says."""
    if finding["kind"] in {"difference", "together", "lead"}:
        yield (
            "Each row is a value: the coloured mark is the group, the grey one all other sites. "
            "The claim is about the row of the full mark; the hollow or pale ones show what lies beside it."
        )
        chance = said(finding["q"], "number") if finding["q"] >= _SMALL else "below 0.001"
        yield f"Fisher's exact test, adjusted for all that was looked at: {chance}. {_MEANS[str(finding['certainty'])]}"
    elif finding["kind"] == "change":
        yield f"Sites that were asked both times are compared with themselves. {_MEANS[str(finding['certainty'])]}"
    else:
        yield "A count of this list, not a claim about other sites."
    if finding["basis"] == "inferred":
        yield "Inferred means: general knowledge of who reads such pages. Nobody counted these readers."
    if against := _against(finding):
        yield f"What speaks against it: {against}."


_SMALL: Final = 0.001
_MEANS: Final = {
    "clear": "Clear: at most one such finding in a hundred is false, it is measured, and enough sites stand behind it.",
    "likely": "Likely: proven, but inferred, of few sites, or of values of which the service is unsure.",
    "a lead": "A lead: not proven. Worth a look at the sites before anyone repeats it.",
}
