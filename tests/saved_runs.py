"""Runs like a saved one, of which less was asked or answered, or which found less."""

import json
from dataclasses import replace

from toolkit.saved import SavedRun

#: What of an answer says its categories; in an answer without any these are there and empty.
CATEGORIES = (
    "std_classification", "std_taxonomy", "std_taxonomy_version2", "filtering_taxonomy", "categories", "taxonomies",
    "content_classification",
)  # fmt: skip
#: Answered sites of the sample run.
SILENT = ("big-scroll.example", "mischief-markup.example", "plain-words.example")


def records_of(run):
    """Every answer and failure of a run."""
    return list(run._records(run.asked))


def part_of(run, keep=lambda record: True, *, asked=None, change=lambda record: record, table=None):
    """The run with those of its answers and failures that are kept, and changed, as if made of a table."""
    records = [change(record) for record in records_of(run) if keep(record)]
    return SavedRun(records, run.asked if asked is None else asked, run.vocabulary, table=table)


def failing(run, **rows):
    """The run as if questions had failed in some rows: ``failing(run, segment=range(9))``."""

    def changed(record):
        return replace(record, raw=None, error="no answer") if record.row in rows.get(record.endpoint, ()) else record

    return part_of(run, change=changed)


def without_categories(run, sites=SILENT):
    """The run as if these sites had been answered, but with no category."""

    def changed(record):
        if record.target not in sites or not record.is_answer:
            return record
        answer = json.loads(record.raw)
        answer |= {name: type(answer[name])() for name in CATEGORIES if name in answer}
        return replace(record, raw=json.dumps(answer).encode())

    return part_of(run, change=changed)
