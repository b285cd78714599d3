"""Pages written to judge the service by, and what it says of them.

`english.jsonl.gz` (4,867 pages and 311 short texts) and `languages.jsonl.gz` (315 pages in German, French, Spanish,
Italian, Portuguese and Dutch) are by authors who had seen neither the knowledge nor the dictionaries, each with the
main categories that a fair planner would sign, and most pages with their surroundings. Literary prose avoids its own
subject's words; typical prose names them. The texts are of subjects that have a sibling near them (`siblings`), of a
few words (`short`), and with names of places and words of platforms in another subject (`coloured`); 1,115 pages are of
subjects and kinds off the beaten track (`offbeat`), 550 as one meets them on an ordinary day (`ordinary`), and 80 are
what one gets in the place of a page, or tell of such (`notices`). Pages that are not `unseen` were read, or what was
said of them, while the service was built; so was, after it was graded, what was said of those that are `offbeat`,
`ordinary` or `notices`.
`readers.jsonl` says of the pages with surroundings that are not `unseen` whether people at work read them (``firms``)
and of which ages their readers are, by others who read what their authors say of them. These pages and the table
`examples.tsv` of the knowledge are what the service likens pages to (`learning`). `kinds.jsonl` says of what kinds
these pages are, as far as what their authors call them names content types. What is `unseen` teaches nothing.
`grades.jsonl` is what other readers said of the English answers, before what they found was mended: of those whose id
begins with `en` on 2026-11-22, with `typ` on 2026-11-23, with one of `h` and `k` to `v` on 2026-11-28, with
`w8` to `w12` on 2026-11-29, with `w14` to `w17` on 2026-11-30.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolkit.service.failures import Failure
from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.subjects.readings import Reading, classified, taken_apart

__all__ = ["Judged", "judged", "reading_of", "written_pages"]

FOLDER = Path(__file__).parent
#: Confidence from which a wrong answer is a confident one.
SURE = 0.6


@dataclass(frozen=True)
class Judged:
    """A written page and the service's main category of it, `None` without one."""

    page: dict[str, Any]
    main: str | None
    confidence: float

    @property
    def verdict(self) -> str:
        """One of right, none, wrong, sure (wrong with confidence), silent and false (of a page without a subject).

        Where its author would accept one nevertheless, that is not false.
        """
        accepted = {path.split(" > ")[0] for path in (self.page["best"], *self.page["acceptable"])}
        if not self.page["subject"]:
            return "silent" if self.main is None or self.main in accepted else "false"
        if self.main is None:
            return "none"
        if self.main in accepted:
            return "right"
        return "sure" if self.confidence >= SURE else "wrong"


def written_pages(name: str) -> list[dict[str, Any]]:
    """Return the pages of a file, ``english`` or ``languages``."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def reading_of(page: dict[str, Any]) -> Reading | None:
    """Return what the service reads in a written page; None for one that it refuses for having too few words."""
    try:
        if page["html"]:
            return classified(taken_apart(Fetched(page["url"], {}, page["html"].encode(), "text/html", "utf-8")))
        return classified(page_from_text(f"{page['title']}\n{page['main'].removeprefix(page['title'])}"))
    except Failure as failure:
        if failure.status != 410:
            raise
        return None


def judged(page: dict[str, Any]) -> Judged:
    """Return the service's main category of a written page."""
    reading = reading_of(page)
    first = next((category for category in reading.content.v3 if category.tier == 1), None) if reading else None
    return Judged(page, first.path if first else None, first.confidence if first else 0.0)
