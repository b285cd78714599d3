"""The colours of a page, in the light and in the dark: text and marks stand out from the paper, whatever the brand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.charts.colours import QUIET
from toolkit.reports.brand import PLAIN
from toolkit.reports.contrast import contrast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.reports.brand import Brand

__all__ = ["SHADES", "scoped_style", "style_of"]

#: What text, and what a mark, needs against its paper (WCAG 2.2).
_TEXT: Final = 4.5
_MARK: Final = 3.0
#: Shades of a heatmap on each side of nothing.
SHADES: Final = 5
_NO_FONT: Final = re.compile(r"[^\w .-]")


@dataclass(frozen=True, slots=True)
class _Scheme:
    """The fixed colours of a scheme, and where colours go that do not stand out: to its ink."""

    paper: str
    panel: str
    ink: str
    soft: str
    line: str
    rest: str
    #: Bars that the sentence is not about.
    other: str
    less: str
    more: str


_LIGHT: Final = _Scheme("FFFFFF", "F3F5F7", "1B1B1B", "50565C", "D5DADF", "6B6B6B", "868D94", "B35806", "1F5F9E")
_DARK: Final = _Scheme("14171A", "1F2429", "ECEEF0", "B4BBC2", "3A4148", "A9AFB5", "727A82", "E08A35", "5FA8E0")


def style_of(brand: Brand, colours: Iterable[str]) -> str:
    """Return the part of the style sheet with colours and font; `colours` are those of groups and series."""
    different = sorted({colour.upper() for colour in colours} - {""})
    font = _NO_FONT.sub("", brand.font)
    light, dark = (_declared(brand, different, scheme) for scheme in (_LIGHT, _DARK))
    classes = "\n".join(f".c-{colour} {{ --fill: #{colour}; --edge: var(--edge-{colour}); }}" for colour in different)
    family = f':root {{ --font: "{font}", system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }}'
    # Paper is white, whatever the screen is.
    return (
        f"{family}\n:root {{\n{light}\n}}\n@media screen and (prefers-color-scheme: dark) {{ :root {{\n{dark}\n}} }}\n"
        f"{classes}"
    )


def scoped_style(name: str, colours: Iterable[str]) -> str:
    """Return the colours for what has a class in a notebook; they follow the notebook's theme, as it is changed."""
    different = sorted({colour.upper() for colour in colours})
    light, dark = (_declared(PLAIN, different, scheme) for scheme in (_LIGHT, _DARK))
    classes = "\n".join(
        f".{name} .c-{colour} {{ --fill: #{colour}; --edge: var(--edge-{colour}); }}" for colour in different
    )
    dark_ones = f"[data-jp-theme-light='false'] .{name}, .vscode-dark .{name}"
    plain = "--bar: 0px; --edge: var(--mark); --fill: var(--mark);"
    return f".{name} {{\n{light}\n{plain}\n}}\n{dark_ones} {{\n{dark}\n}}\n{classes}"


def _declared(brand: Brand, colours: list[str], scheme: _Scheme) -> str:
    values = {name: getattr(scheme, name) for name in ("paper", "panel", "ink", "soft", "line", "rest", "other")} | {
        "brand": brand.colour,
        "strong": _standing_out(brand.colour, scheme, _TEXT),
        "mark": _standing_out(brand.colour, scheme, _MARK),
        "beside": _standing_out(brand.accent, scheme, _MARK),
    }
    values |= {f"edge-{colour}": _standing_out(colour, scheme, _MARK) for colour in colours}
    for step in range(-SHADES, SHADES + 1):
        shade = _mixed(scheme.paper, scheme.less if step < 0 else scheme.more, abs(step) / SHADES)
        ink = max(("000000", "FFFFFF"), key=lambda ink: contrast(ink, shade))
        values |= {f"shade{step}": shade, f"ink{step}": ink}
    return "\n".join(f"--{name}: #{value};" for name, value in values.items())


def is_grey(colour: str) -> bool:
    """Return whether a colour is that of groups beyond those that have one of their own."""
    return colour.upper() == QUIET.removeprefix("#").upper()


def _standing_out(colour: str, scheme: _Scheme, least: float) -> str:
    """Return a colour, or if need be the nearest one towards the ink, that has this contrast with paper and panel."""
    for step in range(21):
        tried = _mixed(colour, scheme.ink, step / 20)
        if min(contrast(tried, scheme.paper), contrast(tried, scheme.panel)) >= least:
            return tried
    return scheme.ink


def _mixed(one: str, other: str, part: float) -> str:
    pairs = zip(bytes.fromhex(one), bytes.fromhex(other), strict=True)
    return "".join(f"{round(first + (second - first) * part):02X}" for first, second in pairs)
