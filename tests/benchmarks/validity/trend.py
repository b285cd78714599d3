"""How often a trend calls changes where nothing moved the sites together, and how often it finds those that did.

python -m tests.benchmarks.validity.trend
"""

import numpy as np
import pandas as pd

from toolkit.findings.planning.trend import trend_changes

CALLED = ["rose", "fell"]


def names(number, pages=1):
    return [f"s{n // pages}.example" + (f"/p{n % pages}" if pages > 1 else "") for n in range(number)]


def flipping(shape, rng, rate=0.1):
    """Return dates × sites × codes: what each site is, each answer of which is wrong now and then."""
    steps, sites, codes = shape
    truth = rng.random((sites, codes)) < rng.uniform(0.05, 0.6, codes)
    return truth ^ (rng.random((steps, sites, codes)) < rate)


def drifting(shape, rng, rate=0.15, pages=1):
    """Return the same of sites that change now and then for good, each on its own, or all pages of a domain at once."""
    steps, sites, codes = shape
    shares = rng.uniform(0.05, 0.6, codes)
    state = rng.random((sites // pages, codes)) < shares
    found = []
    for _ in range(steps):
        found.append(np.repeat(state, pages, axis=0))
        anew = rng.random(state.shape) < rate
        state = np.where(anew, rng.random(state.shape) < shares, state)
    return np.array(found)


def frames_of(has, pages=1):
    """Return codes frames by date, and the sites of each."""
    sites = np.array(names(has.shape[1], pages))
    codes = np.array([f"INT.C{number:03}" for number in range(has.shape[2])])
    frames, who = {}, {}
    for step, table in enumerate(has):
        row, column = np.nonzero(table)
        date = f"2026-{step + 1:02}-01"
        frames[date] = pd.DataFrame({"target": sites[row], "dimension": "interest", "code": codes[column]})
        who[date] = sites
    return frames, who


def found_in(has, pages=1, repeat=None):
    """Return what is said of the changes."""
    frames, sites = frames_of(has, pages)
    more = {} if repeat is None else {"repeat": frames_of(repeat[None], pages)[0]["2026-01-01"]}
    return trend_changes(frames, sites=sites, **more)


def planted(shape, at, rise, rng, rate=0.05):
    """Return flipping sites of which a part gains the first code before the date `at`."""
    has = flipping(shape, rng, rate)
    gain = rng.random(shape[1]) < rise
    has[at:, :, 0] |= gain
    return has


def main(runs=100):
    rng = np.random.default_rng(15)
    print("nothing moved together             | runs with a claim, share of codes called")
    shapes = ((3, 60, 100), (5, 60, 100), (8, 200, 100))
    kinds = {
        "answers flip": lambda shape: (flipping(shape, rng), 1),
        "sites change": lambda shape: (drifting(shape, rng), 1),
        "domains of 5 pages change": lambda shape: (drifting(shape, rng, pages=5), 5),
    }
    for name, make in kinds.items():
        for shape in shapes:
            found = [found_in(*make(shape))["verdict"].isin(CALLED).sum() for _ in range(runs)]
            print(f"{name:26} {shape!s:14} | {np.mean(np.array(found) > 0):.3f} {np.mean(found) / shape[2]:.5f}")
    print("\nplanted: dates, sites, codes; part that gains | found, between the right dates, false among the called")
    for shape, at, rise in (
        ((3, 60, 100), 1, 0.4),
        ((5, 60, 100), 2, 0.3),
        ((8, 200, 100), 4, 0.15),
        ((6, 40, 100), 5, 0.6),
    ):
        hits, right, false, called = 0, 0, 0.0, 0
        for _ in range(runs):
            found = found_in(planted(shape, at, rise, rng))
            called_rows = found[found["verdict"].isin(CALLED)]
            own = called_rows[called_rows["code"] == "INT.C000"]
            hits += len(own) > 0
            right += (own["until"] == pd.Timestamp(f"2026-{at + 1:02}-01")).any()
            false += (len(called_rows) - len(own)) / max(len(called_rows), 1)
            called += 1
        print(f"{shape!s:14} {rise:4} | {hits / runs:.3f} {right / max(hits, 1):.3f} {false / called:.4f}")
    print("\na service that answers otherwise each time: part of codes called without and with a repeat")
    shape, result = (4, 200, 60), []
    for _ in range(runs // 2):
        truth = flipping(shape, rng, 0.0)[0]
        moods = rng.normal(0, 0.1, (5, shape[2]))
        tables = truth ^ (rng.random((5, *truth.shape)) < np.clip(0.1 + moods, 0, 1)[:, None, :])
        with_repeat = found_in(tables[:4], repeat=tables[4])
        result.append([found_in(tables[:4])["verdict"].isin(CALLED).mean(), with_repeat["verdict"].isin(CALLED).mean()])
    print("{:.3f} {:.3f}".format(*np.mean(result, axis=0)))


if __name__ == "__main__":
    main()
