"""How often the report of a difference claims what is not there, and how large a change must be to be found.

    python -m tests.benchmarks.validity.report_changes

Two readings of the same sites are made up: 70 topics and 80 technologies that sites have by chance, and errors of each
reading. Nothing changes where both readings err alike: whatever a site gains by an error now it could as well have
lost by one then. A change is planted by giving a technology to some of the sites that lack it.

Reports that claim any change where there is none, of 1,000 each, 20 to 300 sites, a twentieth, a fifth or half of the
values read wrongly each time; the report says one in a hundred:

    errors each by themselves 0.3 %    in domains of five pages  0.2 %    bundled run, whole answers drawn anew 0.4 %
    at a rate that differs by code 0.4 %    at a rate that differs by site 0.6 %

No repeat of a reading, as their shares do change: values of the earlier reading turned over, all at one rate 0.3 %
(without what `findings.insights.changes` does about it 30 to 100 % of lists of 300 sites); at rates that differ widely
by code 29 %.

A technology that came to so many sites is claimed, a twentieth of the values read wrongly, in 40 reports each:

    sites     6     8     9    10    12    14    16    20
       30  0.03  0.62  0.85  0.88  1.00  1.00  1.00  1.00
       60  0.00  0.50  0.72  0.88  1.00  0.97  1.00  1.00
      300  0.03  0.03  0.00  0.23  0.12  0.53  0.62  0.88

Of what is claimed 0.4 % is false.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pandas as pd

from toolkit import sample_run
from toolkit.findings.insights.changes import compared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Frames = dict[str, pd.DataFrame]

__all__ = ["NOISE", "Outcome", "claimed", "main", "null_runs", "planted_runs", "read_twice", "redrawn_runs"]

_TOPICS: Final = 70
_TECHNOLOGIES: Final = 80
#: Shares of what three or more sites of the bundled run have, as quantiles.
_PART: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
_SHARES: Final = (0.048, 0.048, 0.065, 0.097, 0.177, 0.361, 0.823)
_PAGES: Final = 5
SIZES: Final = (30, 60, 300)
#: Which part of the values a reading gets wrong.
RATES: Final = (0.05, 0.2, 0.5)
#: Sites that a technology came to.
PLANTS: Final = (6, 8, 9, 10, 12, 14, 16, 20)
#: How errors fall: each by itself, at a rate that differs by code, in domains of five pages, in whole sites. Of the
#: last two, values of the earlier reading are turned over as they are, at one rate or at one that differs by code,
#: which no repeat of a reading does: what few sites have comes more often than it goes.
NOISE: Final = ("alone", "by code", "by domain", "by site", "turned over", "turned by code")


class Outcome(NamedTuple):
    """What is claimed of two readings: how many values, how many that are not planted, and whether that one is."""

    claims: int
    false: int
    is_found: bool


def read_twice(rng: np.random.Generator, sites: int, noise: str, rate: float, came: int = 0) -> tuple[Frames, Frames]:
    """Return the frames of an earlier and a later reading; the first technology came to so many sites in between.

    What is read wrongly is drawn anew, as often as the value is there at all.
    """
    codes = _TOPICS + _TECHNOLOGIES
    share = np.interp(rng.random(codes), _PART, _SHARES)
    if came:
        share[_TOPICS] = 0.05
    rates = np.full((sites, codes), rate)
    if noise in {"by code", "turned by code"}:
        rates = np.broadcast_to(rng.beta(0.5, 0.5 / rate - 0.5, codes), rates.shape)
    elif noise == "by site":
        rates = np.broadcast_to(rng.beta(0.5, 0.5 / rate - 0.5, sites)[:, None], rates.shape)
    paged = noise == "by domain"
    truth = _drawn(rng, rates.shape, paged=paged) < share
    readings = []
    for place in range(2):
        if place and came:
            lacking = np.flatnonzero(~truth[:, _TOPICS])
            truth[rng.choice(lacking, min(came, len(lacking)), replace=False), _TOPICS] = True
        wrong = _drawn(rng, rates.shape, paged=paged) < rates
        readings.append(np.where(wrong, _drawn(rng, rates.shape, paged=paged) < share, truth))
    if noise.startswith("turned"):
        readings[1] = readings[0] ^ (rng.random(truth.shape) < rates)
    names = [f"https://d{place // _PAGES:03}.example/{place}" for place in range(sites)]
    if not paged:
        names = [f"s{place:04}.example" for place in range(sites)]
    earlier, later = (_frames(np.array(names), has) for has in readings)
    return earlier, later


def claimed(earlier: Mapping[str, pd.DataFrame], later: Mapping[str, pd.DataFrame]) -> Outcome:
    """Return what is claimed to have changed between two readings."""
    rows = compared(later, earlier).rows
    proven = rows[rows["is_proven"]]
    right = proven["code"].eq(_word(0))
    return Outcome(len(proven), int((~right).sum()), bool((right & (proven["gained"] > proven["lost"])).any()))


def null_runs(seed: int, runs: int, noise: str) -> list[Outcome]:
    """Return what is claimed of readings between which nothing changed, of 20 to 300 sites and of any rate."""
    rng = np.random.default_rng(seed)
    return [claimed(*read_twice(rng, int(rng.integers(20, 301)), noise, float(rng.choice(RATES)))) for _ in range(runs)]


def planted_runs(seed: int, runs: int, sites: int, came: int) -> list[Outcome]:
    """Return what is claimed where a technology came to so many sites, and one value of twenty is read wrongly."""
    rng = np.random.default_rng(seed)
    return [claimed(*read_twice(rng, sites, NOISE[0], RATES[0], came)) for _ in range(runs)]


def redrawn_runs(seed: int, runs: int) -> list[Outcome]:
    """Return what is claimed of the bundled run where each site has its own answers or those of one other, by chance.

    All that is in an answer goes together then, as it does when a page is read otherwise.
    """
    rng = np.random.default_rng(seed)
    run = sample_run()
    frames = {name: run.frame(name) for name in ("codes", "categories", "companies", "technologies")}
    sites = run.sites()
    targets = sites.loc[sites["error"].isna(), "target"].to_numpy(dtype=object)
    found = []
    for _ in range(runs):
        partner = rng.permutation(targets)
        readings = [np.where(rng.random(len(targets)) < 0.5, targets, partner) for _ in range(2)]
        earlier, later = ({name: _given(frame, targets, taken) for name, frame in frames.items()} for taken in readings)
        found.append(claimed(earlier, later))
    return found


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--null", type=int, default=1000, help="runs without a change, of each kind of noise")
    parser.add_argument("--runs", type=int, default=40, help="runs of each planted change")
    chosen = parser.parse_args()
    started = time.perf_counter()
    print("without a change, part of the reports that claim any:")
    for place, noise in enumerate(NOISE):
        print(f"  {noise:14} {_claiming(null_runs(place, chosen.null, noise))}", flush=True)
    print(f"  {'bundled run':14} {_claiming(redrawn_runs(9, chosen.null))}", flush=True)
    print("planted and found:", *(f"{came:5}" for came in PLANTS))
    false = []
    for sites in SIZES:
        outcomes = [planted_runs(100 + came, chosen.runs, sites, came) for came in PLANTS]
        false += [outcome.false / max(outcome.claims, 1) for row in outcomes for outcome in row]
        print(
            f"{sites:10} sites   ",
            *(f"{np.mean([found.is_found for found in row]):5.2f}" for row in outcomes),
            flush=True,
        )
    print(f"of the claims {np.mean(false):.2%} are false; {time.perf_counter() - started:.0f} s")


def _claiming(outcomes: list[Outcome]) -> str:
    return f"{np.mean([outcome.claims > 0 for outcome in outcomes]):.1%} of {len(outcomes)}"


def _drawn(rng: np.random.Generator, shape: tuple[int, int], *, paged: bool) -> NDArray[np.float64]:
    """Return numbers by chance, of pages mostly those of their domain."""
    own = rng.random(shape)
    if not paged:
        return own
    domain = np.arange(shape[0]) // _PAGES
    alike = (rng.random((domain[-1] + 1, shape[1])) < 0.8)[domain]
    return np.where(alike, rng.random((domain[-1] + 1, shape[1]))[domain], own)


def _frames(names: NDArray[np.str_], has: Bools) -> Frames:
    site, code = np.nonzero(has[:, :_TOPICS])
    # All were answered, also with nothing: rows without a code say so.
    blank = pd.DataFrame({"target": names})
    words = [f"topic {place}" for place in code]
    categories = pd.DataFrame({"target": names[site], "id": words, "name": words, "level_1": words}).assign(rank=1)
    site, code = np.nonzero(has[:, _TOPICS:])
    used = pd.DataFrame({"target": names[site], "technology": [_word(place) for place in code]})
    return {
        "categories": pd.concat([categories, blank]).assign(taxonomy="content-v3", tier=1),
        "technologies": pd.concat([used.assign(category="other"), blank], ignore_index=True),
    }


def _word(place: int) -> str:
    return f"tool {place}"


def _given(frame: pd.DataFrame, targets: NDArray[np.object_], taken: NDArray[np.object_]) -> pd.DataFrame:
    """Return a frame in which each target has the rows of another one."""
    places = frame.groupby("target", sort=False).indices
    rows = [places.get(name, np.empty(0, dtype=np.int64)) for name in taken]
    names = np.repeat(targets, [len(part) for part in rows])
    given = frame.iloc[np.concatenate(rows)].assign(target=names, normal=names)
    given.attrs = {}
    blank = pd.DataFrame({"target": targets, "normal": targets})
    return pd.concat([given, blank], ignore_index=True)


if __name__ == "__main__":
    main()
