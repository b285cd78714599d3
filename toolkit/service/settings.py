"""What an operator of the embedded service can set."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from toolkit.interface.checks import as_secret
from toolkit.interface.errors import ConfigurationError
from toolkit.service.faults import Faults
from toolkit.service.pages.addresses import refusal_of_address
from toolkit.service.pages.limits import FetchLimits

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Settings"]

#: What a header can carry without being changed on its way.
_KEY: Final = re.compile(r"[!-~]+")
_MOST: Final = 1_000_000_000
_LEAST_RATE: Final = 1e-6
_MOST_WORKERS: Final = 256
#: Environment variable that names the list of ranked domains.
_RANKED_DOMAINS: Final = "TOOLKIT_RANKED_DOMAINS"
#: Stands for what that names.
_OF_THE_ENVIRONMENT: Final = "\0"


def _ranked_domains() -> Path | None:
    named = os.environ.get(_RANKED_DOMAINS, "").strip()
    return Path(named) if named else None


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Settings:
    """Settings of the embedded service.

    Attributes
    ----------
    keys : tuple of SecretStr
        Valid API keys, given as texts or secrets. Each is an account of its own.
    monthly_quota : int or None
        Answers an account may get in a calendar month (UTC); None for no limit.
    total_credits : int
        Credits an account starts with.
    rate_per_second : float or None
        Sustained requests per second of an account; None for no limit.
    burst : int
        Requests that may come at once.
    allow_private : bool
        Whether pages on loopback and private addresses may be fetched, and notifications sent there.
    sample_web : bool
        Whether the bundled sample sites under ``.example`` can be fetched.
    webhook_url : str or None
        Address for the account's notifications (batch jobs without their own, and quota).
    webhook_secret : SecretStr or None
        Secret that signs notifications to `webhook_url`. Without one, or with an empty one, they are not signed.
    webhook_delays : tuple of float
        Seconds before each delivery attempt, counted from the attempt before it.
    fetch : FetchLimits
        Bounds of a page fetch.
    ranked_domains : Path, str or None
        A file of ranked domains that enrichments take their traffic rank from, ``rank,domain`` a line; see
        `toolkit.service.company.traffic.RankedDomains`. If left out, what ``TOOLKIT_RANKED_DOMAINS`` names; None for
        none.
    database : Path, str or None
        A file that keeps accounts' use, batch jobs and pending notifications across restarts; see
        `toolkit.service.accounts.ledger.Ledger`. It is opened by the service. None keeps them in memory.
    workers : int
        Processes that read and classify pages, each forked with all that it needs; 0 for threads of this process. A
        script that asks for processes must guard what it does by ``if __name__ == "__main__":``.
    faults : Faults or None
        What goes wrong on demand, to see how a program takes it. None for nothing.

    Raises
    ------
    ConfigurationError
        If a value cannot work: a key that is empty or that no header can carry, a limit out of its bounds, an address
        no notification could be sent to, a secret that UTF-8 cannot write, or a list of ranked domains that cannot be
        read; of the list the first 1,000 lines are checked here, and the rest on first use.
    """

    keys: tuple[SecretStr, ...]
    monthly_quota: int | None
    total_credits: int
    rate_per_second: float | None
    burst: int
    allow_private: bool
    sample_web: bool
    webhook_url: str | None
    webhook_secret: SecretStr | None
    webhook_delays: tuple[float, ...]
    fetch: FetchLimits
    ranked_domains: Path | str | None
    database: Path | str | None
    workers: int
    faults: Faults | None

    def __init__(
        self,
        keys: str | SecretStr | Iterable[str | SecretStr] = (),
        *,
        monthly_quota: int | None = None,
        total_credits: int = 1_000_000,
        rate_per_second: float | None = None,
        burst: int = 50,
        allow_private: bool = False,
        sample_web: bool = True,
        webhook_url: str | None = None,
        webhook_secret: str | SecretStr | None = None,
        webhook_delays: tuple[float, ...] = (0.0, 30.0, 120.0, 600.0, 3600.0),
        fetch: FetchLimits | None = None,
        ranked_domains: Path | str | None = _OF_THE_ENVIRONMENT,
        database: Path | str | None = None,
        workers: int = 0,
        faults: Faults | None = None,
    ) -> None:
        # Written out, as the one that is made for a dataclass holds the plain texts in its variables, which a traceback
        # may print.
        keys = tuple(map(as_secret, [keys] if isinstance(keys, str | SecretStr) else keys))
        webhook_secret = None if webhook_secret in ("", None) else as_secret(webhook_secret)
        given = {
            "keys": keys,
            "monthly_quota": monthly_quota,
            "total_credits": total_credits,
            "rate_per_second": rate_per_second,
            "burst": burst,
            "allow_private": allow_private,
            "sample_web": sample_web,
            "webhook_url": webhook_url,
            "webhook_secret": webhook_secret,
            "webhook_delays": webhook_delays,
            "fetch": fetch or FetchLimits(),
            "ranked_domains": _ranked_domains() if ranked_domains is _OF_THE_ENVIRONMENT else ranked_domains,
            "database": database,
            "workers": workers,
            "faults": faults,
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        # Messages never show a key or a secret.
        if not all(_KEY.fullmatch(key.get_secret_value()) for key in self.keys):
            raise ConfigurationError("A key must be visible ASCII characters without spaces, at least one.")
        if self.monthly_quota is not None:
            _check_within("quota", "answers a month", self.monthly_quota, 0)
        _check_within("stock of credits", "credits", self.total_credits, 0)
        if self.rate_per_second is not None:
            _check_within("rate", "requests a second", self.rate_per_second, _LEAST_RATE)
        _check_within("burst", "requests", self.burst, 1)
        _check_within("number of workers", "processes", self.workers, 0, _MOST_WORKERS)
        for delay in self.webhook_delays:
            _check_within("delay of a delivery attempt", "seconds", delay, 0)
        if self.webhook_secret is not None and not self.webhook_secret.get_secret_value():
            raise ConfigurationError("The webhook secret is no text, or holds half a character. Check its encoding.")
        url = self.webhook_url
        if url is not None and (refusal := refusal_of_address(url, allow_private=self.allow_private)):
            raise ConfigurationError(f"Notifications cannot be sent: {refusal.rstrip('.')}.")
        if self.ranked_domains is not None:
            from toolkit.service.company.traffic import RankedDomains  # noqa: PLC0415 - only where there is a list

            RankedDomains(self.ranked_domains)
        _check_faults(self.faults)

    def __repr__(self) -> str:
        if not hasattr(self, "rate_per_second"):  # a traceback may show one that is being made
            return "<Settings, not made yet>"
        return f"<Settings: {len(self.keys)} keys, quota {self.monthly_quota}, rate {self.rate_per_second}>"

    def __reduce__(self) -> tuple[Any, ...]:
        raise ConfigurationError(
            "Settings hold keys and are not pickled or copied. Make them where they are used; dataclasses.replace "
            "changes some of them."
        )


def _check_within(name: str, unit: str, value: float, least: float, most: float = _MOST) -> None:
    if not least <= value <= most:  # written so that not-a-number is refused too
        raise ConfigurationError(f"The {name} must be from {least:g} to {most:,} {unit}, not {value}.")


def _check_faults(given: object) -> None:
    if given is None:
        return
    if not isinstance(given, Faults):
        raise ConfigurationError(f"faults must be Faults, not {type(given).__name__}. Faults.parse reads a text.")
