"""Runs like a saved one, of which less was asked or answered."""

from toolkit.saved import SavedRun


def records_of(run):
    """Every answer and failure of a run."""
    return list(run._records(run.asked))


def part_of(run, keep=lambda record: True, *, asked=None, change=lambda record: record):
    """The run with those of its answers and failures that are kept, and changed."""
    records = [change(record) for record in records_of(run) if keep(record)]
    return SavedRun(records, run.asked if asked is None else asked, run.vocabulary)
