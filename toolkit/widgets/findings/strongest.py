"""The strongest differences between groups over everything that was asked, as the Compare widget opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.charts.template import footer_of
from toolkit.charts.wording import is_inferred
from toolkit.findings.compare import REST, one_family
from toolkit.findings.incidence import EVERYBODY
from toolkit.findings.insights.claims import LEAD_DISTANCE, LEADS
from toolkit.findings.insights.doubts import FEW
from toolkit.findings.insights.features import FEWEST
from toolkit.findings.insights.sentences import compared, group_of, having, telling_of, value_in_words
from toolkit.findings.insights.tautologies import TOPICS, origin_of
from toolkit.findings.insights.told import LEAD, certainty
from toolkit.findings.statistics.differences import distance
from toolkit.findings.statistics.proportions import FALSE_DISCOVERIES
from toolkit.interface.text import counted
from toolkit.interface.words.labels import field_label
from toolkit.reports.contents import Chart, Series
from toolkit.reports.page.headlines import HEADLINE, below_picture, picture_html
from toolkit.reports.view import label_of
from toolkit.widgets.findings.asked import compared_in
from toolkit.widgets.findings.box import Shown
from toolkit.widgets.findings.rows import Rows
from toolkit.widgets.grid.columns import Column
from toolkit.widgets.html import escaped

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from toolkit.findings.incidence import Frames
    from toolkit.widgets.findings.compare_view import Grouping

__all__ = ["by_chance", "in_words", "over_all", "told"]

#: Rows of the picture, and the most that it has where more is proven.
_DRAWN: Final = 8
_MOST_DRAWN: Final = 12
#: Fewer sites than this show nothing.
_FEWEST: Final = 2
_PAIR: Final = 2
#: From so many differences on, one that is so by chance is to be expected among them.
_MANY: Final = 20
#: What one value is called of a dimension whose name is of many.
_ONE_OF: Final = {
    "content-v3": "Topic",
    "content-v2": "Topic of the earlier list",
    "filtering": "Web-filtering category",
    "interest_group": "Interest",
    "interest": "Interest",
    "purchase_intent": "Purchase intent",
    "persona": "Persona",
    "technology": "Technology",
    "technology kind": "Kind of technology",
}
_WHOLE: Final = 100
_PROVEN: Final = ("over", "under")
#: What the picture and the table call what is not proven: one word for one thing.
_NOT_PROVEN: Final = "not proven"
_VERDICTS: Final = {
    "over": "▲ typical",
    "under": "▼ less typical",
    "no difference shown": _NOT_PROVEN,
    "too few": "too few sites",
}
#: Around the picture: what is not proven is hollow, so that only what is has colour.
_CLASS: Final = "toolkit-differences"
_STYLE: Final = f".{_CLASS} .row:not(.strong) .hue {{ fill: var(--paper); stroke: var(--rest); stroke-width: 2; }}"
_COLUMNS: Final = (
    Column("about", "About what", width=160),
    Column("what", "What", width=230),
    Column("group", "Group"),
    Column("verdict", "How sure", width=180),
    Column("sites", "Sites"),
    Column("share", "Share", "share"),
    Column("others", "Compared with", "share", width=150),
    Column("apart", "Difference, points", "number"),
    Column("basis", "Inferred or measured", hidden=True),
)


def over_all(
    frames: Mapping[str, Frames], grouping: Grouping, baseline: str, asked: Sequence[dict[str, Any]], group: str | None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return all comparisons of the groups, and those that tell something of `group` or of all, the strongest first."""
    parts = [compared_in(frames, grouping.groups, baseline, options, grouping.among) for options in asked]
    found = one_family(parts)
    others = found[(found["group"] != found["baseline"]).to_numpy()]
    enough = others["with_code"].ge(_FEWEST) | others["baseline_with"].ge(_FEWEST)
    shown = others[enough.to_numpy() & ((others["group"] == group).to_numpy() if group else True)]
    if group is None and found["group"].nunique() == _PAIR:
        # What one of two groups has more of, the other has less of: it is said once.
        higher = shown.sort_values("share", ascending=False, kind="stable")
        shown = higher.drop_duplicates(["dimension", "code"]).sort_index()
    apart = (shown["share"] - shown["baseline_share"]).abs()
    order = np.lexsort(
        (shown["label"].astype(str), -apart.round(9), shown["p"].fillna(1.0), ~shown["verdict"].isin(_PROVEN))
    )
    shown = shown.iloc[order].reset_index(drop=True)
    shown.attrs = found.attrs
    return found, shown


def told(
    found: pd.DataFrame,
    shown: pd.DataFrame,
    grouping: Grouping,
    group: str | None,
    *,
    over: str,
    lines: Sequence[str],
    code: str,
) -> Shown:
    """Return comparisons as they are shown: a sentence, a picture of the strongest, and all of them in a grid.

    `over` says in what they are; `lines` are HTML that says how many sites count, and what is left out.
    """
    proven = int(shown["verdict"].isin(_PROVEN).sum())
    against = ", ".join(dict.fromkeys(grouping.named(str(name)) for name in found["baseline"].unique()))
    if proven:
        said = f"<b>{counted(proven, 'difference is', 'differences are')} proven</b> {over}"
        tested = found.attrs["about"]["tested"]
        tests = f"the {counted(tested, 'test that was', 'tests that were')} made"
        doubt = f"; {by_chance(proven, tests)}"
    else:
        near = "these come nearest to it" if len(_to_draw(shown)) else "of so few sites none could be"
        said, doubt = f"<b>No difference is proven</b> {over}: {near}", ""
    status = lines_html([f"{said}, against {escaped(against)}{doubt}.", *lines])
    value = found if group is None else found[found["group"] == group].reset_index(drop=True)
    value.attrs = found.attrs
    return Shown(
        value=value,
        figure=None,
        status=status,
        table=Rows(_rows(shown, grouping), _COLUMNS, "differences", "All comparisons", ("comparison", "comparisons")),
        code=code,
        picture=_picture(shown, grouping),
    )


def lines_html(lines: Sequence[str]) -> str:
    """Return lines of HTML, as close to each other as those of a text."""
    return f'<div style="line-height: 1.45">{"<br>".join(lines)}</div>'


def by_chance(proven: int, tests: str) -> str:
    """Return what is said of so many differences that are called proven, beside their tests.

    Examples
    --------
    >>> by_chance(1, "the 84 tests that were made"), by_chance(40, "all of them")
    ('this allows for the 84 tests that were made', 'about one in 20 of these may be so by chance')
    """
    return f"this allows for {tests}" if proven < _MANY else "about one in 20 of these may be so by chance"


def in_words(found: pd.DataFrame) -> pd.Series:
    """Return the values of a comparison as reports name them."""
    rows = found[["dimension", "code", "label"]].astype(object)
    words = [label_of(str(dimension), str(code), label) for dimension, code, label in rows.itertuples(index=False)]
    return pd.Series(words, index=found.index, dtype="str")


def _rows(shown: pd.DataFrame, grouping: Grouping) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "what": in_words(shown).astype(object),
            "group": [grouping.named(str(name)) for name in shown["group"]],
            "verdict": [_how_sure(row, grouping) for row in shown.to_dict("records")],
            "sites": [f"{k:,} of {n:,}" for k, n in zip(shown["with_code"], shown["n"], strict=True)],
            "share": shown["share"],
            "others": shown["baseline_share"],
            "apart": _WHOLE * (shown["share"] - shown["baseline_share"]),
            "about": [field_label(str(name)) for name in shown["dimension"]],
            "basis": ["inferred" if is_inferred(str(name)) else "measured" for name in shown["dimension"]],
        }
    )


def _how_sure(row: Mapping[Hashable, Any], grouping: Grouping) -> str:
    """Return how sure a comparison is, by the rule of all findings."""
    verdict = str(row["verdict"])
    if verdict in _PROVEN:
        few = min(row["n"], row["baseline_n"]) < FEW
        is_weak = bool(_basis(str(row["dimension"]), grouping))
        return f"{_VERDICTS[verdict]}, {certainty(row['p_adjusted'], FALSE_DISCOVERIES, inferred=is_weak, few=few)}"
    return LEAD if _is_lead(row) else _VERDICTS[verdict]


def _is_lead(row: Mapping[Hashable, Any]) -> bool:
    """Tell whether what is not proven is a lead, as findings call it."""
    parts = (row["with_code"], row["n"], row["baseline_with"], row["baseline_n"])
    return bool(row["p_adjusted"] < LEADS and abs(distance(*parts)) >= LEAD_DISTANCE)


def _basis(dimension: str, grouping: Grouping) -> str:
    """Return what is said where what is compared, or what makes the groups, is general knowledge of readers."""
    if is_inferred(dimension):
        return " (inferred)"
    return " (the groups are inferred)" if grouping.made_of and is_inferred(grouping.made_of) else ""


def _to_draw(shown: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the picture: all that is proven, and besides what comes near it, of sites enough to tell."""
    proven = shown["verdict"].isin(_PROVEN)
    enough = (shown["verdict"] != "too few") & (shown[["n", "baseline_n"]].min(axis="columns") >= FEWEST)
    # A topic and the interest of its name say the same twice.
    about = ["topic" if origin_of(str(name)) == TOPICS else str(name) for name in shown["dimension"]]
    again = shown.assign(label=in_words(shown), about=about).duplicated(["about", "label", "group"])
    return shown[(proven | enough) & ~again].head(min(max(_DRAWN, int((proven & ~again).sum())), _MOST_DRAWN))


def _picture(shown: pd.DataFrame, grouping: Grouping) -> str:
    """Return a picture of the strongest differences: what is proven in one colour, all else hollow."""
    drawn = _to_draw(shown)
    if drawn.empty:
        return ""
    rows = _rows(drawn, grouping)
    strong = drawn["verdict"].isin(_PROVEN).to_numpy()
    named = zip(drawn["dimension"].astype(str), rows[["about", "what", "group"]].itertuples(index=False), strict=True)
    frame = pd.DataFrame(
        {
            "label": [f"{_ONE_OF.get(of, row.about)}: {row.what} – {row.group}" for of, row in named],
            "group": drawn["share"].to_numpy(),
            "rest": drawn["baseline_share"].to_numpy(),
            "strong": strong,
            "tip": [
                f"{k:,} of {n:,}, against {other:,} of {of:,}"
                for k, n, other, of in drawn[["with_code", "n", "baseline_with", "baseline_n"]].itertuples(index=False)
            ],
        }
    )
    rest = ", ".join(dict.fromkeys(grouping.named(str(name)) for name in drawn["baseline"]))
    first = _sentence(drawn.iloc[0], grouping, shown.attrs["about"]["group_sites"])
    # That nothing is proven is said above: a null is no headline.
    title = first if strong[0] else f"Nearest to a difference, but not proven: {first}"
    hollow = "" if strong.all() else f"; hollow: {_NOT_PROVEN}"
    proven = int(shown["verdict"].isin(_PROVEN).sum())
    more = (
        f"; the {len(drawn)} strongest of {proven} that are proven" if int(strong.sum()) == len(drawn) < proven else ""
    )
    chart = Chart(
        "dots",
        title,
        frame,
        "label",
        (Series("group", "the group"), Series("rest", rest, is_rest=True)),
        axis=f"Share of sites of which it is known, %{hollow}{more}",
        strong="strong",
        tips="tip",
    )
    return (
        f"<style>{_STYLE}</style><div class='{_CLASS}'><div class='{HEADLINE}'>"
        f'<p class="title">{escaped(title)}</p></div>{picture_html(chart)}'
        f"{below_picture(footer_of(shown.attrs['about']))}</div>"
    )


def _sentence(row: pd.Series, grouping: Grouping, sizes: Mapping[str, int]) -> str:
    """Return a difference as a person would say it; `sizes` are the sites of each group, known or not."""
    dimension, label = str(row["dimension"]), row["label"]
    name = str(row["group"])
    who = group_of(grouping.made_of, name) if grouping.made_of else f"Sites of {name}"
    who += f" {telling_of(dimension)}" if row["n"] < sizes.get(name, 0) else ""
    end = f"{_basis(dimension, grouping)}."
    does = having(dimension, value_in_words(dimension, str(row["code"]), label if isinstance(label, str) else None))
    have = (int(row["with_code"]), int(row["n"]))
    others = (int(row["baseline_with"]), int(row["baseline_n"]))
    baseline = str(row["baseline"])
    if baseline == REST:
        return f"{compared(who, does, have, others).removesuffix('.')}{end}"
    against = "all sites" if baseline == EVERYBODY else grouping.named(baseline)
    return f"{who} {does}: {have[0]:,} of {have[1]:,}, against {others[0]:,} of {others[1]:,} among {against}{end}"
