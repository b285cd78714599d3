"""Faults on demand: the embedded service answers as badly as a real one can, at rates that are chosen."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Final, Self

from toolkit.interface.checks import is_number, is_whole
from toolkit.interface.errors import ConfigurationError
from toolkit.interface.text import shortened

__all__ = ["Faults"]

_FORMS: Final[dict[str, str]] = {
    "429": "429=share[:retry_after]",
    "5xx": "503=share (any of 500 to 599)",
    "reset": "reset=share",
    "slow": "slow=share[:seconds]",
    "truncated": "truncated=share",
    "malformed": "malformed=share",
    "burst": "burst=every:length",
    "expire": "expire=requests",
    "quota": "quota=answers",
    "seed": "seed=number",
}
_KNOWN: Final = f"Known are {', '.join(_FORMS.values())}; shares are from 0 to 1, and commas join faults."
#: Field of the number and, where there is one, of the argument.
_FIELDS: Final = {
    "429": ("rate_limited", "retry_after"),
    "reset": ("reset",),
    "slow": ("slow", "slow_seconds"),
    "truncated": ("truncated",),
    "malformed": ("malformed",),
    "expire": ("expire",),
    "quota": ("quota",),
    "seed": ("seed",),
}
_SERVER_ERROR: Final = re.compile("5[0-9][0-9]")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?", re.ASCII)
_WHOLE: Final = re.compile("-?[0-9]{1,18}", re.ASCII)
_MOST: Final = 1_000_000_000
_LONGEST: Final = 86_400
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True, repr=False)
class Faults:
    """What goes wrong in the embedded service, and how often.

    At most one fault happens to a request. Which one is drawn from a generator with a fixed seed: the same requests in
    the same order meet the same faults. Endpoints without a key (the vocabulary and its page) are left alone.

    Attributes
    ----------
    rate_limited : float
        Share of requests answered 429.
    retry_after : int
        Seconds in the Retry-After of a 429, in bursts too; 0 for none.
    server_errors : tuple of (int, float)
        Codes from 500 to 599, each with its share of requests.
    reset : float
        Share of requests whose connection is closed without an answer. The first of them, and then every other one, is
        worked on before and so is charged.
    slow : float
        Share of requests whose answer waits.
    slow_seconds : float
        How long it waits.
    truncated : float
        Share of answers whose body is cut off, shorter than its Content-Length says. They are charged.
    malformed : float
        Share of answers with HTTP 200 and a body that is not of the interface: in turn cut JSON, HTML, nothing, a JSON
        list. They are charged.
    burst : tuple of (int, int) or None
        Every so many requests, so many in a row are answered 429.
    expire : int or None
        Requests of a key after which every further one is answered 401.
    quota : int or None
        Paid answers of a key after which its paid requests and batch submissions are answered 403. The domains of a
        batch are not counted; the monthly quota of `Settings` counts them.
    seed : int
        Start of the generator.

    Raises
    ------
    ConfigurationError
        If a share is none from 0 to 1, all shares together are above 1, or another number is out of its bounds.

    Examples
    --------
    >>> faults = Faults.parse("slow=0.1:3, 429=0.05:2, 503=0.02")
    >>> faults.slow_seconds, faults.server_errors
    (3, ((503, 0.02),))
    >>> faults
    Faults.parse('429=0.05:2,503=0.02,slow=0.1:3')
    """

    rate_limited: float = 0.0
    retry_after: int = 1
    server_errors: tuple[tuple[int, float], ...] = ()
    reset: float = 0.0
    slow: float = 0.0
    slow_seconds: float = 1.0
    truncated: float = 0.0
    malformed: float = 0.0
    burst: tuple[int, int] | None = None
    expire: int | None = None
    quota: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for code, share in self.server_errors:
            _check("A server error's code", code, 500, 599, whole=True)
            _check(f"The share of {code}", share, 0, 1)
        if len(dict(self.server_errors)) < len(self.server_errors):
            raise ConfigurationError(f"A server error's code is given twice. {_KNOWN}")
        # In one order, so that the order in which they are written changes nothing.
        some = sorted((code, share) for code, share in self.server_errors if share)
        object.__setattr__(self, "server_errors", tuple(some))
        for name in ("rate_limited", "reset", "slow", "truncated", "malformed"):
            _check(f"The share of {'429' if name == 'rate_limited' else name}", getattr(self, name), 0, 1)
        _check("The Retry-After of 429", self.retry_after, 0, _LONGEST, whole=True)
        _check("The seconds of slow", self.slow_seconds, 0, _LONGEST)
        if self.burst is not None:
            every, length = self.burst
            _check("The distance of bursts", every, 2, _MOST, whole=True)
            _check("The length of a burst", length, 1, every - 1, whole=True)
        for name in ("expire", "quota", "seed"):
            if getattr(self, name) is not None or name == "seed":
                _check(f"The number of {name}", getattr(self, name), 0, _MOST, whole=True)
        if (total := math.fsum(share for _, share in self.shares())) > 1:
            raise ConfigurationError(f"The shares of all faults together must be at most 1, not {total:g}. {_KNOWN}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what the command line gives: ``name=number[:argument]``, joined by commas.

        Parameters
        ----------
        text : str
            Such as ``429=0.05:2,burst=20:5,503=0.02,slow=0.1:3,seed=7``; empty for no faults.

        Returns
        -------
        Faults
            What the text says. `str` gives such a text back.

        Raises
        ------
        ConfigurationError
            If a name is unknown or given twice, or a number is none or out of its bounds. The message lists what is
            known.
        """
        values: dict[str, Any] = {}
        server_errors: list[tuple[int, float]] = []
        seen: set[str] = set()
        for part in filter(None, (part.strip() for part in text.split(","))):
            name = part.partition("=")[0].strip()
            form = "5xx" if _SERVER_ERROR.fullmatch(name) else name
            if form not in _FORMS or name == "5xx":
                raise ConfigurationError(f"Unknown fault {shortened(name, _SHOWN)!r}. {_KNOWN}")
            if name in seen:
                raise ConfigurationError(f"The fault {name} is given twice. {_KNOWN}")
            seen.add(name)
            numbers = [_number(number.strip()) for number in part.partition("=")[2].split(":")]
            fields = _FIELDS.get(form, ())
            most = len(fields) or (2 if form == "burst" else 1)
            if None in numbers or len(numbers) > most or (form == "burst" and len(numbers) < most):
                raise ConfigurationError(
                    f"{shortened(part, _SHOWN)!r} is not written as {_FORMS[form]}. {_KNOWN}",
                )
            if form == "5xx":
                server_errors.append((int(name), numbers[0] or 0))
            elif form == "burst":
                values["burst"] = tuple(numbers)
            else:
                values.update(zip(fields, numbers, strict=False))
        return cls(**values, server_errors=tuple(server_errors))

    def shares(self) -> list[tuple[str, float]]:
        """Return the faults that exclude each other, with the share of each."""
        return [
            ("429", self.rate_limited),
            *((str(code), share) for code, share in self.server_errors),
            ("reset", self.reset),
            ("slow", self.slow),
            ("truncated", self.truncated),
            ("malformed", self.malformed),
        ]

    def __str__(self) -> str:
        arguments = {"429": (self.retry_after, 1), "slow": (self.slow_seconds, 1)}
        parts = []
        for name, share in self.shares():
            argument, default = arguments.get(name, (0, 0))
            if share or argument != default:
                parts.append(f"{name}={_plain(share)}" + (f":{_plain(argument)}" if argument != default else ""))
        if self.burst is not None:
            parts.append("burst={}:{}".format(*self.burst))
        parts += [f"{name}={n}" for name in ("expire", "quota") if (n := getattr(self, name)) is not None]
        return ",".join([*parts, *([f"seed={self.seed}"] if self.seed else [])])

    def __repr__(self) -> str:
        return f"Faults.parse({str(self)!r})"


def _check(what: str, value: object, least: float, most: float, *, whole: bool = False) -> None:
    if not (is_whole if whole else is_number)(value, least, most):
        kind = "whole number" if whole else "number"
        raise ConfigurationError(f"{what} must be a {kind} from {least:,} to {most:,}, not {value!r}. {_KNOWN}")


def _number(text: str) -> float | None:
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else None


def _plain(number: float) -> str:
    # Not :g, which drops digits; the text must give the same number back.
    return repr(float(number)).removesuffix(".0")
