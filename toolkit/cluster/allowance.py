"""One limit for many runs at a time: a ledger that leases credits and requests, and the budget that draws on a lease.

The ledger stands in one place; each run reports to it now and then, and takes what it is given. Nothing is ever given
twice: what a run holds stays counted until its next report gives it back, and what a lost run held counts as spent.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from toolkit.runs.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolkit.runs.budget import Price

__all__ = ["Allowance", "Answer", "Ledger", "Report"]

#: Seconds for which sends that were not used are kept: so much may come at once.
_KEPT_SENDS: Final = 0.25
#: Credits are leased for so many rounds of requests ahead.
_ROUNDS: Final = 2


@dataclass(frozen=True, slots=True)
class Report:
    """What a run tells the ledger; a lease only becomes smaller by it."""

    #: Identifier of the lease: one an attempt.
    lease: str
    part: str
    holder: str = ""
    #: Credits spent under the lease, and kept of it: the spent ones are among them.
    spent: int = 0
    credits: int = 0
    open: int = 0
    limit: int = 0
    sends: int = 0
    prices: dict[str, int] = field(default_factory=dict)
    #: The price of a request that could not be paid for, -1 where it is unknown, else 0; and credits for the next
    #: requests.
    needs: int = 0
    wants: int = 0
    #: Whether nothing is under way that could free credits.
    waits: bool = True
    #: Whether a request of unknown price is under way, or is still to be sent as it was allowed.
    probes: bool = False
    ended: bool = False
    #: Why no other run should go on either; empty where that is not so.
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the ledger gives a run."""

    #: Why the run is to stop, and then nothing is given; empty where it may go on.
    stop: str = ""
    limit: int = 0
    #: Further credits, and further requests that may be sent; None where there is no such limit.
    credits: int | None = None
    sends: int | None = None
    #: Whether one request of unknown price may be sent.
    probe: bool = False
    #: What answers cost at most, as all runs together have seen it.
    prices: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Lease:
    part: str
    holder: str
    credits: int = 0
    spent: int = 0
    open: int = 0
    starves: bool = False


class Ledger:
    """Leases what many runs may do together: credits, requests under way (`concurrency`) and a second (`rate`).

    Examples
    --------
    >>> ledger = Ledger(budget=5, spent=1, prices={"segment": 2}, concurrency=10)
    >>> answer = ledger.exchange(Report("one", part="0", needs=2, wants=8))
    >>> answer.credits, answer.limit
    (4, 10)
    >>> ledger.exchange(Report("two", part="1", needs=2, wants=8)).credits
    0
    """

    def __init__(
        self,
        *,
        budget: int | None = None,
        spent: int = 0,
        prices: Mapping[str, int] | None = None,
        concurrency: int = 50,
        rate: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget = budget
        self.spent = spent
        self.reason = ""
        self._prices = dict(prices or {})
        self._concurrency = concurrency
        self._rate = rate
        self._clock = clock
        self._leases: dict[str, _Lease] = {}
        self._lost: set[str] = set()
        self._prober = ""
        self._kept = max(1.0, (rate or 0.0) * _KEPT_SENDS)
        self._sends = self._kept
        #: Set at the first report: a ledger may be made on one machine and kept on another, with another clock.
        self._counted_at: float | None = None

    @property
    def leased(self) -> int:
        """Credits that the leases hold; what they have spent is among them."""
        return sum(lease.credits for lease in self._leases.values())

    def stop(self, reason: str) -> None:
        """Let every run stop at its next report."""
        self.reason = self.reason or reason

    def lose(self, holder: str) -> None:
        """Count what a lost holder was given as spent."""
        for name in [name for name, lease in self._leases.items() if lease.holder == holder]:
            self._lose(name)

    def exchange(self, report: Report) -> Answer:
        """Take a run's report and give what it may do next."""
        if report.lease in self._lost:
            return Answer(stop="it was taken for lost")
        lease = self._leases.get(report.lease)
        if lease is None:
            for name in [name for name, other in self._leases.items() if other.part == report.part]:
                self._lose(name)  # two are never at the same part: the first one is gone
            lease = self._leases[report.lease] = _Lease(report.part, report.holder)
        lease.spent = report.spent
        lease.credits = max(report.credits, report.spent)
        lease.open = max(report.open, report.limit)
        for endpoint, price in report.prices.items():
            self._prices[endpoint] = max(self._prices.get(endpoint, 0), price)
        if self._prober == report.lease and not report.probes:
            self._prober = ""
        if report.ended:
            self.spent += report.spent
            del self._leases[report.lease]
            self._prober = "" if self._prober == report.lease else self._prober
            self.reason = self.reason or report.reason
            return Answer()
        if self.reason:
            return Answer(stop=self.reason)
        given, probe, stop = self._give_credits(report, lease)
        return Answer(
            stop=stop,
            limit=self._give_open(report, lease),
            credits=given,
            sends=self._give_sends(report),
            probe=probe,
            prices=dict(self._prices),
        )

    def _lose(self, name: str) -> None:
        lease = self._leases.pop(name)
        self._lost.add(name)
        self.spent += lease.credits if self.budget is not None else lease.spent
        self._prober = "" if self._prober == name else self._prober

    def _give_open(self, report: Report, lease: _Lease) -> int:
        share, more = divmod(self._concurrency, len(self._leases))
        share += list(self._leases).index(report.lease) < more
        free = self._concurrency - sum(other.open for other in self._leases.values() if other is not lease)
        limit = max(0, min(share, free))
        # A smaller limit is counted only once the run has taken it.
        lease.open = max(lease.open, limit)
        return limit

    def _give_sends(self, report: Report) -> int | None:
        if self._rate is None:
            return None
        now = self._clock()
        since = now if self._counted_at is None else self._counted_at
        self._sends, self._counted_at = min(self._kept, self._sends + self._rate * (now - since)), now
        share = max(1, int(self._kept) // len(self._leases))
        given = max(0, min(int(self._sends), share - report.sends))
        self._sends -= given
        return given

    def _give_credits(self, report: Report, lease: _Lease) -> tuple[int | None, bool, str]:
        """Return further credits, whether one request of unknown price may be sent, and why to stop."""
        if self.budget is None:
            return None, False, ""
        lease.starves = False
        free = max(0, self.budget - self.spent - self.leased)
        if self._prober or not (report.needs or report.wants):
            return 0, False, ""  # a prober holds all that was free, until its answer tells the price
        given = 0
        if report.needs < 0:
            given = free
            self._prober = report.lease if free else ""
        elif free >= report.needs:
            given = min(free, max(report.needs, min(report.wants, free // len(self._leases))))
        lease.credits += given
        lease.starves = bool(report.needs) and not given and report.waits
        if lease.starves and all(other.starves for other in self._leases.values()):
            return 0, False, "the budget is used up" if self.budget else "the budget is 0"
        return given, bool(self._prober), ""


class Allowance(Budget):
    """A run's budget under a ledger: it pays from what it has been given, and says when it needs more.

    It also counts the requests under way and those sent, as each of them is held and settled once.
    """

    def __init__(self, prices: Mapping[str, int] | None = None) -> None:
        super().__init__(0, dict(prices or {}))
        #: Set where the ledger should be asked at once.
        self.news = threading.Event()
        self.limit = 0
        self._lock = threading.RLock()
        self._before = 0
        self._open = 0
        self._sends: int | None = None
        #: The endpoint of unknown price that waits to be asked, and whether one request of it may be sent.
        self._unknown = ""
        self._probe = False
        self._needs = 0

    def begin(self) -> None:
        """Take what is spent so far for spent before any lease."""
        with self._lock:
            self._before = self.spent
            self.ceiling = self.spent

    def learn(self, prices: Mapping[str, Price]) -> None:
        """Take prices that were seen before, where none was given."""
        with self._lock:
            super().learn(prices)

    def hold(self, endpoint: str) -> int | None:
        """Set aside what a request may cost, and return it; None if it may not be sent now."""
        with self._lock:
            held = self._paid(endpoint) if self._may_send() else None
            if held is None:
                return None
            self._send()
            if self._wants():
                self.news.set()
            return held

    def admits(self) -> bool:
        """Tell whether a request that is free of charge may be sent now, and count it if so; `settle_free` ends it."""
        with self._lock:
            if not self._may_send():
                return False
            self._send()
            return True

    def settle_free(self) -> None:
        """Count the end of a request that is free of charge."""
        with self._lock:
            self._open -= 1

    def _may_send(self) -> bool:
        if self._open >= self.limit:
            return False
        if self._sends == 0:
            self.news.set()
            return False
        return True

    def _send(self) -> None:
        self._open += 1
        if self._sends is not None:
            self._sends -= 1

    def _paid(self, endpoint: str) -> int | None:
        if self.ceiling is None:
            return 0
        price = self.prices.get(endpoint)
        if self._unknown in self.prices:
            self._probe, self._unknown = False, ""  # another run has found it out
        if price is None and not self._probe:
            if not self.probing:
                self._unknown = endpoint
                self._need(-1)
            return None
        if self._probe and endpoint != self._unknown:
            return None  # it goes alone, and soon: all others wait for it
        held = super().hold(endpoint)
        if held is None:
            if price is not None and not self.probing:
                self._need(price)
            return None
        if price is None:
            self._probe, self._unknown = False, ""
        self._needs = 0
        return held

    def _need(self, price: int) -> None:
        self._needs = price
        self.news.set()

    def settle(self, endpoint: str, held: int, credits_used: int | None, *, answered: bool) -> None:
        """Count what a request has cost."""
        with self._lock:
            self._open -= 1
            super().settle(endpoint, held, credits_used, answered=answered)

    @property
    def is_waiting(self) -> bool:
        """True: the ledger may give more, and says itself when it will not."""
        return True

    def _wants(self) -> int:
        """Return the credits that the next requests may need beyond the lease."""
        if self.ceiling is None or not self.prices or self.probing:
            return 0
        round_ = max(self.prices.values()) * max(self.limit, 1)
        left = self.ceiling - self.spent - self.held
        return round_ * _ROUNDS - left if left < round_ else 0

    def report(self, lease: str, part: str, holder: str) -> Report:
        """Return what the ledger is to know, and give back what is not needed."""
        with self._lock:
            self.news.clear()
            probes = bool(self.probing) or self._probe
            if self.ceiling is not None and not probes:
                used = self.spent + self.held
                # One that cannot pay for its next request keeps nothing that another could use.
                keeps = 0 if self._needs else max(self.prices.values(), default=0) * max(self.limit, 1) * _ROUNDS
                self.ceiling = max(self._before, min(self.ceiling, used + keeps))
            return Report(
                lease,
                part,
                holder,
                spent=self.spent - self._before,
                credits=0 if self.ceiling is None else self.ceiling - self._before,
                open=self._open,
                limit=self.limit,
                sends=self._sends or 0,
                prices=dict(self.prices),
                needs=self._needs,
                wants=self._wants(),
                waits=not self.held and not self.probing,
                probes=probes,
            )

    def take(self, answer: Answer) -> None:
        """Take what the ledger has given."""
        with self._lock:
            self.limit = answer.limit
            if answer.stop:
                return
            for endpoint, price in answer.prices.items():
                self.prices[endpoint] = max(self.prices.get(endpoint, 0), price)
            if self._unknown in self.prices:
                self._probe, self._unknown, self._needs = False, "", 0
            if answer.credits is None:
                self.ceiling = None
            elif self.ceiling is not None:
                self.ceiling += answer.credits
                self._needs = 0 if answer.credits else self._needs
            self._sends = None if answer.sends is None else (self._sends or 0) + answer.sends
            # What it was asked for may have become known.
            self._probe = (self._probe or answer.probe) and bool(self._unknown)
