"""What a card says of a site, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.frames.about import answered, normal_of, site_of
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, shortened
from toolkit.interface.words.labels import question_label
from toolkit.reports.frames import Frames
from toolkit.reports.parts.sites import SiteFacts
from toolkit.runs.results import NOT_ASKED
from toolkit.widgets.lookup.why import Question, questions
from toolkit.widgets.run.failures import reason_of

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.reports.contents import Fact
    from toolkit.reports.frames import AnsweredRun

__all__ = ["KnownSite", "KnownSites"]

#: Kinds of questions about codes, which say by themselves what they are of.
_CODED_KINDS: Final = ("interest", "purchase_intent", "persona")
_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class KnownSite:
    """What is known of one site."""

    site: str
    #: Headings with what stands below each.
    facts: tuple[tuple[str, tuple[Fact, ...]], ...]
    #: A sentence for each reason why something has no answer.
    failures: tuple[str, ...]
    #: What can be asked about it, by its kind and what it is about: taxonomies share identifiers.
    questions: dict[tuple[str, str], Question]
    #: Its rows of the frames, as those who ask why take them.
    frames: dict[str, pd.DataFrame]

    def question(self, fact: Fact) -> Question | None:
        """Return what to ask for the reasons of a fact; None where the service gives none."""
        keys = [(kind, fact.code) for kind in (fact.dimension, *_CODED_KINDS)]
        keys.append(("value", f"{fact.dimension}={fact.code}"))
        return next((self.questions[key] for key in keys if key in self.questions), None)


class KnownSites:
    """What a run knows of each of its sites; its frames are read once."""

    def __init__(self, run: AnsweredRun) -> None:
        self._frames = Frames.of(run)
        self._facts = SiteFacts(self._frames)
        failed = self._frames.given.get("failures")
        self._failed = None if failed is None else failed.assign(site=site_of(failed))
        named: list[str] = [] if self._failed is None else self._failed["site"].dropna().astype(str).tolist()
        self.sites = list(dict.fromkeys([*self._facts.sites, *named]))

    def of(self, target: str) -> KnownSite:
        """Return what is known of a site, by its name in the list or by any other way to write its address.

        Raises
        ------
        InputError
            If the run has no such site.
        """
        known = set(self.sites)
        site = next((name for name in (target, normal_of(target)) if name in known), None)
        if site is None:
            some = ", ".join(self.sites[:_MOST_NAMED])
            raise InputError(
                f"The run has no site {shortened(target, 80)!r}. It has {counted(len(known), 'site')}"
                f"{f', such as {some}' if some else ''}: name one of them."
            )
        frames = {
            name: self._rows(name, site) for name in ("categories", "codes") if self._frames.get(name) is not None
        }
        return KnownSite(
            site=site,
            facts=self._facts.of(site) if site in self._frames.good else (),
            failures=tuple(self._failures(site)),
            questions={(question.kind, question.subject): question for question in questions(frames)},
            frames=frames,
        )

    def _rows(self, name: str, site: str) -> pd.DataFrame:
        frame = answered(self._frames.given[name])
        return frame[site_of(frame).eq(site)]

    def _failures(self, site: str) -> list[str]:
        if self._failed is None:
            return []
        mine = self._failed[self._failed["site"].eq(site)]
        said: dict[str, list[str]] = {}
        for row in mine.to_dict("records"):
            reason = f"{row['reason']}: go on with the run" if row["error"] == NOT_ASKED else reason_of(row)
            asked = row["endpoint"] if isinstance(row["endpoint"], str) else ""
            said.setdefault(reason, []).append(question_label(asked) if asked else "")
        return [_sentence(reason, list(dict.fromkeys(filter(None, asked)))) for reason, asked in said.items()]


def _sentence(reason: str, asked: list[str]) -> str:
    """Say what has no answer, why, and what to do."""
    what, _, advice = reason.partition(": ")
    start = f"No answer to {', '.join(asked)}: {what}." if asked else f"No answer: {what}."
    return f"{start} {advice[:1].upper()}{advice[1:]}." if advice else start
