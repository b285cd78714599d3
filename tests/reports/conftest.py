"""Shared by the tests of reports: what the sample run tells, each report made once."""

import pytest

from toolkit.reports.document import report_of


@pytest.fixture(scope="session")
def told(sample):
    """Give the report of the sample run with these options; no test changes it."""
    made = {}

    def told_with(**options):
        key = repr(sorted(options.items()))
        if key not in made:
            made[key] = report_of(sample.run, **options)
        return made[key]

    return told_with
