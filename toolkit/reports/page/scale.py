"""Where on a chart a value stands, as a percentage of its width: a browser makes pixels of it at any size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from toolkit.reports.words import Form, said

if TYPE_CHECKING:
    from toolkit.reports.contents import Chart

__all__ = ["Scale", "Tick", "scale_of"]

#: Into how many steps an axis is divided, by the first two digits of its end: each step is a round number.
_STEPS: Final = {10: 4, 12: 3, 15: 3, 20: 4, 25: 5, 30: 3, 40: 4, 50: 5, 60: 3, 80: 4}
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Tick:
    """A value that stands at an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis of values from `low`, at the left or below, to `high`."""

    low: float
    high: float
    #: From one tick to the next.
    step: float
    form: Form

    def at(self, value: float) -> float:
        """Return how far along the axis a value stands, in percent.

        Examples
        --------
        >>> Scale(-1, 1, 0.5, "points").at(0.5)
        75.0
        """
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def ticks(self) -> list[Tick]:
        """Return round values along the axis, both ends among them.

        Examples
        --------
        >>> [tick.text for tick in Scale(0, 0.6, 0.2, "percent").ticks()]
        ['0 %', '20 %', '40 %', '60 %']
        """
        number = round((self.high - self.low) / self.step)
        values = [self.low + self.step * place for place in range(number + 1)]
        return [Tick(self.at(value), said(value, self.form)) for value in values]


def scale_of(chart: Chart) -> Scale:
    """Return the axis of a chart's values, with room for every mark and interval."""
    digits = round(chart.top / 10 ** math.floor(math.log10(chart.top) + _ROUNDING) * 10)
    step = chart.top / _STEPS.get(digits, 2)
    if chart.form == "whole" and step % 1 > _ROUNDING:
        step = chart.top
    names = [name for series in chart.series for name in (series.name, series.low, series.high) if name]
    least = float(chart.frame[[*names, *(own.column for own in chart.by_group)]].min().min())
    return Scale(-step * math.ceil(-least / step - _ROUNDING) if least < 0 else 0.0, chart.top, step, chart.form)


def is_drawn(value: Any) -> bool:
    """Return whether there is a number that has a place on an axis."""
    return math.isfinite(value)
