"""What an operator of the embedded service can set."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["FetchLimits", "Settings"]


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds of one page fetch.

    Attributes
    ----------
    seconds : float
        Time for the whole fetch, redirects included.
    body_bytes : int
        Size of the body after decompression; what is beyond is not read.
    redirects : int
        Redirects that are followed.
    """

    seconds: float = 10.0
    body_bytes: int = 3_000_000
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the embedded service.

    Attributes
    ----------
    keys : tuple of str
        Valid API keys. Each is an account of its own.
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
    webhook_secret : str or None
        Secret that signs notifications to `webhook_url`.
    webhook_delays : tuple of float
        Seconds before each delivery attempt, counted from the attempt before it.
    fetch : FetchLimits
        Bounds of a page fetch.
    """

    keys: tuple[str, ...] = ()
    monthly_quota: int | None = None
    total_credits: int = 1_000_000
    rate_per_second: float | None = None
    burst: int = 50
    allow_private: bool = False
    sample_web: bool = True
    webhook_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    webhook_delays: tuple[float, ...] = (0.0, 30.0, 120.0, 600.0, 3600.0)
    fetch: FetchLimits = field(default_factory=FetchLimits)

    def __repr__(self) -> str:
        return f"<Settings: {len(self.keys)} keys, quota {self.monthly_quota}, rate {self.rate_per_second}>"
