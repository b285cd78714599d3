"""The answer: one sentence on what the list is and what stands out, true whatever the list is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.findings.insights.common import NEXT, within
from toolkit.findings.insights.doubts import UNKNOWN
from toolkit.findings.insights.sentences import enumerated, lowered, singular
from toolkit.interface.text import counted, shortened
from toolkit.reports.strongest import counts_of_list
from toolkit.reports.words import clean, listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from toolkit.reports.view import View

    Integers = NDArray[np.int64]

__all__ = ["about_what", "answer", "to_whom"]

_NAMED: Final = 3
_LONGEST: Final = 60
#: What else says what a list is, where nobody asked for topics and audiences.
_OTHERWISE: Final = ("business_model", "company industry", "country", "technology", "technology kind")
#: From so many sites left without an answer on, it is said first.
_MANY_FAILED: Final = 0.5
#: Of fewer sites than this nothing more is said.
_FEW: Final = 6


def answer(view: View) -> str:
    """Return the sentence."""
    parts = [part for part in (about_what(view), to_whom(view)) if part]
    begun = ["content-v3", "audience_type"]
    if not parts:
        begun = [kind for kind in _OTHERWISE if len(view.places(kind))][:1]
        parts = [_most(view, view.places(kind), False) for kind in begun]
    what = f"{_who(view)} {', and '.join(parts)}" if parts else f"{_who(view)} gave an answer, with nothing to tell"
    out = _stands_out(view) or _said_besides(view, begun)
    return f"{what}; {out}." if out else f"{what}."


def about_what(view: View) -> str:
    """Return what the sites are about, as a part of a sentence; empty where nothing tells."""
    tops = view.ordered(view.tops())
    if not len(tops):
        return ""
    count, n = view.has[:, tops].sum(axis=0), int(view.telling(tops).sum())
    names = [clean(name) for name in view.known.codes["label"].iloc[tops]]
    are = "is" if view.n == 1 else "are"
    if view.n == 1:
        return f"{are} about {listing(names[:_NAMED])}"
    if count[0] * 2 > n:
        how = "all" if count[0] == n else "mostly"
        next_ones = [(name, int(k)) for name, k in zip(names[1:], count[1:], strict=True) if k > 1]
        rest = [f"{name} ({k})" for name, k in next_ones[: within([k for _, k in next_ones], _NAMED - 1)]]
        beside = f", then {listing(rest)}" if rest else ""
        return f"{are} {how} about {names[0]} ({count[0]:,} of {n:,}){beside}"
    tied = [name for name, k in zip(names, count, strict=True) if k == count[0]]
    spread = f"{are} spread over {counted(len(tops), 'main topic')}"
    if count[0] == 1:
        return f"{spread}, no two of them on the same one" if len(tops) >= n else spread
    if len(tied) > _NAMED:
        return f"{spread}, of which none leads ({len(tied)} have {count[0]:,} sites each)"
    several = [(name, int(k)) for name, k in zip(names, count, strict=True) if k > 1]
    led = [f"{name} ({k:,})" for name, k in several[: within([k for _, k in several], _NAMED)]]
    return f"{spread}, led by {listing(led)}"


def to_whom(view: View) -> str:
    """Return whom the sites speak to, as a part of a sentence; empty where nothing tells."""
    places = view.ordered(view.places("audience_type"))
    return _most(view, places, True) if len(places) else ""


def _most(view: View, places: Integers, inferred: bool) -> str:
    """Return what most sites do, of one dimension."""
    places = view.ordered(places)
    count, n = view.has[:, places].sum(axis=0), int(view.telling(places).sum())
    every = view.n
    of = f"{n:,}" if n == every else f"the {n:,} of which it is known"
    does = clean(view.doing(int(places[0])))
    word, _, rest = does.partition(" ")
    basis = ", inferred" if inferred else ""
    if view.n == 1:
        return f"{singular(does)}{f' ({basis[2:]})' if basis else ''}"
    tied = [clean(view.word(int(place))) for place, k in zip(places, count, strict=True) if k == count[0]]
    if len(tied) > 1:
        both = f"{word} as often {rest.removesuffix(tied[0]).strip()} {listing_as(tied)}".replace("  ", " ")
        return f"{both} ({count[0]:,} of {of} each{basis})"
    if count[0] == every:
        return f"all {does} ({count[0]:,} of {of}{basis})"
    # That most of those do of which it is known does not say that most do.
    how = "mostly" if count[0] * 2 > every else "most often"
    return f"{how} {does} ({count[0]:,} of {of}{basis})"


def listing_as(words: Sequence[str]) -> str:
    """Return words of which one is as common as the other."""
    return f"{words[0]} as {words[1]}" if len(words) == 2 else enumerated(list(words))  # noqa: PLR2004 - two of them


def _who(view: View) -> str:
    """Return the sites as the subject of the sentence, and how many of them could not be read."""
    about = view.frames.about
    good, failed = int(about["sites"]), int(about["failed"])
    if good == 1:
        name = shortened(clean(next(iter(view.known.sites))), _LONGEST)
        return f"{name}{f', the only one of {good + failed:,} sites that answered,' if failed else ''}"
    if failed and failed >= _MANY_FAILED * (good + failed):
        return f"Only {good:,} of {good + failed:,} sites answered, and these"
    pages = f" of {counted(view.n, 'domain')}" if view.known.is_merged else ""
    return f"The {good:,} {'pages' if pages else 'sites'}{pages}"


def _stands_out(view: View) -> str:
    """Return what stands out: the strongest proof; nothing where there is none, which the methods say."""
    # What somebody wants told may be no more than counted: what stands out is still said.
    told = next((rows for rows in map(_apart, (view.chosen, view.strongest)) if len(rows)), view.found.head(0))
    if not len(told):
        return ""
    row = told.iloc[0]
    sentence = _within(view.told(row).removesuffix("."))
    doubts = row["against"].split("; ") if isinstance(row["against"], str) else []
    beside = ["inferred"] * (row["basis"] == "inferred") + [doubt for doubt in doubts if doubt.startswith(UNKNOWN)]
    return f"{sentence} ({'; '.join(beside)})" if beside else sentence


def _said_besides(view: View, begun: Sequence[str]) -> str:
    """Return what else most sites are, or whom they reach, beside the dimensions that the sentence begins with."""
    if view.n < _FEW:
        return ""
    counted = counts_of_list(view.found)
    counted = counted[~counted["dimension"].isin(begun)]
    often = counted["with_code"] * 2
    # What most sites have comes before what most of those have of which it is known.
    found = next((rows for most in (view.n, counted["n"], 0) if len(rows := counted[often > most])), counted)
    if not len(found):
        return ""
    row = found.iloc[0]
    sentence = _within(view.told(row).removesuffix(".").partition(";")[0].partition(NEXT)[0])
    return f"{sentence} (inferred)" if row["basis"] == "inferred" else sentence


def _apart(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the findings that set some sites apart."""
    return rows[~rows["kind"].isin(["common", "lead"])]


def _within(sentence: str) -> str:
    """Return a sentence as it stands within another one."""
    first = sentence.split(" ", 1)[0]
    return lowered(sentence) if first not in _COMMON else sentence[:1].lower() + sentence[1:]


_COMMON: Final = frozenset({"More", "Fewer", "Only", "The", "None", "All", "Sites", "Most"})
