"""Lists of any length, made of the sample run's answers, in which a story can be planted."""

import json
from dataclasses import replace

import pandas as pd
from saved_runs import records_of

from toolkit.saved import SavedRun


def listed(run, sites, *, change=None, table=None, name="site-{}.example"):
    """A run of so many sites, each with the answers of a site of the sample; `change` takes row, question, answer."""
    by_row = {}
    for record in records_of(run):
        by_row.setdefault(record.row, []).append(record)
    whole = [records for records in by_row.values() if all(record.is_answer for record in records)]
    records = []
    for row in range(sites):
        target = name.format(row)
        for record in whole[(row * 7 + row // len(whole)) % len(whole)]:
            raw = record.raw
            if change is not None:
                answer = json.loads(raw)
                change(row, record.endpoint, answer)
                raw = json.dumps(answer).encode()
            records.append(replace(record, row=row, target=target, normal=target, raw=raw))
    frame = None if table is None else pd.DataFrame({"site": [name.format(row) for row in range(sites)]} | table)
    return SavedRun(records, run.asked, run.vocabulary, table=frame)


def of_resorts(run, sites=40, resorts=12):
    """A run in which nearly all sites of the kind Resort reach people of high income, and hardly any other does."""

    def change(row, endpoint, answer):
        if endpoint == "segment":
            answer["demographics"]["income_level"] = "high" if row < resorts - 1 or row == sites - 1 else "middle"

    kinds = ["Resort" if row < resorts else "Shop" for row in range(sites)]
    return listed(
        run, sites, change=change, table={"Kind": kinds, "Spend": [100.0 * (row + 1) for row in range(sites)]}
    )
