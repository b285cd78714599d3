"""Whether the expected errors of rules hold what they are, and whether the share blocked does.

python -m tests.benchmarks.validity.safety
"""

import numpy as np
import pandas as pd

from toolkit.findings.planning.safety import brand_safety

TOPICS = ("8FD8nI", "j9PaO9", "avbNf2", "380")
RULES = {"terror": TOPICS[0], "obscene": TOPICS[1], "arms": TOPICS[2], "crime": TOPICS[3]}


def judged(domains, pages, rng, alike=0.0):
    """Return a categories frame whose confidences are calibrated, its sites, and which category each truly has."""
    own = rng.random((domains * pages, len(TOPICS)))
    whole = np.repeat(rng.random((domains, len(TOPICS))), pages, axis=0)
    # Most confidences are low; pages of a domain are alike as often as said.
    sure = np.where(rng.random(own.shape) < alike, whole, own) ** 3
    truth = rng.random(sure.shape) < sure
    names = [f"s{n // pages}.example" + (f"/p{n % pages}" if pages > 1 else "") for n in range(domains * pages)]
    row, column = np.nonzero(sure >= 0.05)
    rows = {"target": np.array(names)[row], "taxonomy": "content-v3", "id": np.array(TOPICS)[column], "name": "topic"}
    return pd.DataFrame(rows | {"confidence": sure[row, column]}), names, truth, np.where(sure >= 0.05, sure, 0.0)


def held(shape, rng, runs=300):
    """Return how often the limits hold the wrong blocks, the misses that can be known, and the true share."""
    domains, pages, alike = shape
    # A uniform number cubed is at least 0.5 so often.
    share = 1 - 0.5 ** (1 / 3)
    found = []
    for _ in range(runs):
        frame, names, truth, sure = judged(domains, pages, rng, alike)
        table = brand_safety(frame, RULES, sites=names)
        for number, row in enumerate(table.iloc[:-1].itertuples()):
            blocked = sure[:, number] >= 0.5
            wrong = (blocked & ~truth[:, number]).sum()
            missed = (~blocked & truth[:, number] & (sure[:, number] > 0)).sum()
            found.append(
                (
                    row.wrong_low <= wrong <= row.wrong_high,
                    row.missed_low <= missed <= row.missed_high,
                    row.share_low <= share <= row.share_high,
                    wrong - row.wrong,
                    missed - row.missed,
                )
            )
    return np.mean(found, axis=0)


def main():
    rng = np.random.default_rng(15)
    print("domains pages alike | limits hold: wrong  missed  share | mean of what is, less what was expected")
    for shape in ((50, 1, 0.0), (300, 1, 0.0), (2000, 1, 0.0), (40, 25, 0.0), (40, 25, 0.5), (40, 25, 1.0)):
        wrong, missed, share, more, less = held(shape, rng, 100)
        print("{:7} {:5} {:5} |".format(*shape), f"{wrong:18.3f} {missed:7.3f} {share:6.3f} | {more:+.3f} {less:+.3f}")


if __name__ == "__main__":
    main()
