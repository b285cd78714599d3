"""Asking about a few targets, and what came of it as typed outcomes."""

#: What can be asked of a target.
QUESTIONS = ("segment", "categorize", "categorize_content", "enrich")


def outcomes_of(client, targets, ask=("segment",), options=None):
    """Return for each target in order one outcome a question."""
    with client.ask(targets, ask, options=options) as run:
        return run.outcomes()
