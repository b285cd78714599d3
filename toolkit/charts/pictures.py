"""Picture files of charts: many at once with one start of Chromium, which no other part of the toolkit needs."""

from __future__ import annotations

import asyncio
import html
import re
import warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import plotly.graph_objects as go
from anyio import CancelScope

from toolkit.interface.checks import check_whole, is_number
from toolkit.interface.errors import ConfigurationError, InputError, need
from toolkit.interface.text import printable, shortened
from toolkit.net.blocking import run_blocking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["FORMATS", "can_draw", "draw_pictures", "save_pictures"]

#: Formats that Chromium draws, and how their files begin.
FORMATS: Final = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF"}
_HEIGHT: Final = 720
_LARGEST: Final = 10_000
_TABS: Final = 2
_SECONDS: Final = 60
_LONGEST_NAME: Final = 120
_LONGEST_REASON: Final = 200
#: What file systems refuse or read as a folder, and names that hide or vanish.
_UNFIT: Final = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]|^[.\s]|[.\s]$|^$')
_ADVICE: Final = (
    "Install Chromium or Chrome (or set BROWSER_PATH to where it is), "
    "or use the HTML instead: figure.write_html(path, include_plotlyjs=True)."
)


def can_draw() -> bool:
    """Return whether there is kaleido, and a Chromium or Chrome that can draw pictures.

    It is looked for where kaleido looks: its own download, ``BROWSER_PATH``, ``PATH`` and the usual folders.
    Nothing is started, so that a report can ask before it decides between a picture and something else.
    """
    return _browser() is not None


def draw_pictures(
    figures: Mapping[str, go.Figure],
    formats: str | Sequence[str] = ("png", "svg"),
    *,
    width: int = 1280,
    height: int | None = None,
    scale: float = 2,
) -> dict[tuple[str, str], bytes]:
    """Draw figures with one start of Chromium and return the files' bytes by name and format, in the order given.

    Without a height each figure has its own, or 720. An ``svg`` carries the chart's alt text.
    """
    wanted = _formats(formats)
    _check(figures, width, height, scale)
    if not figures or not wanted:
        return {}
    need("office", "A picture of a chart", "kaleido")
    if _browser() is None:
        raise ConfigurationError(f"There is no Chromium here, so no picture can be drawn. {_ADVICE}")
    jobs = {
        (name, form): (
            figure,
            {"format": form, "width": width, "height": height or figure.layout.height or _HEIGHT, "scale": scale},
        )
        for name, figure in figures.items()
        for form in wanted
    }
    with warnings.catch_warnings():
        # What kaleido and its browser driver have to say is about their own workings.
        warnings.simplefilter("ignore")
        drawn = run_blocking(_drawn, jobs)
    return {key: _described(drawn[key], figures[key[0]]) if key[1] == "svg" else drawn[key] for key in jobs}


def save_pictures(
    figures: Mapping[str, go.Figure],
    folder: str | Path,
    formats: str | Sequence[str] = ("png", "svg"),
    *,
    width: int = 1280,
    height: int | None = None,
    scale: float = 2,
) -> list[Path]:
    """Write each figure in each format into a folder, with one start of Chromium for all.

    Parameters
    ----------
    figures : mapping of str to Figure
        Charts by the name of their file, without its suffix.
    folder : str or Path
        Where the files go. It is made where it is missing; files of the same names are replaced, and only once
        everything is drawn.
    formats, width, height, scale : optional
        As for :func:`draw_pictures`.

    Returns
    -------
    list of Path
        The files, figure by figure.

    Raises
    ------
    InputError
        If an argument is refused, a name is none for a file, a figure cannot be drawn, or the folder cannot be written.
    ConfigurationError
        If there is no kaleido or no Chromium, or it does not start.
    """
    target = Path(folder)
    _check_names(figures)
    drawn = draw_pictures(figures, formats, width=width, height=height, scale=scale)
    try:
        target.mkdir(parents=True, exist_ok=True)
        paths = [target / f"{name}.{form}" for name, form in drawn]
        for path, content in zip(paths, drawn.values(), strict=True):
            path.write_bytes(content)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(
            f"The pictures cannot be written into {printable(str(target))!r}: {reason}. Choose another folder."
        ) from error
    return paths


def _browser() -> str | None:
    """Return the path of the browser that kaleido would start; none where kaleido is missing."""
    if find_spec("kaleido") is None:
        return None
    from choreographer.browsers.chromium import Chromium  # noqa: PLC0415 - only where a picture is asked for

    found = Chromium.find_browser(skip_local=False)
    return found if found and Path(found).is_file() else None


async def _drawn(
    jobs: Mapping[tuple[str, str], tuple[go.Figure, dict[str, Any]]],
) -> dict[tuple[str, str], bytes]:
    from kaleido import Kaleido  # noqa: PLC0415 - takes a second, and only who draws needs it

    async def one(name: str, form: str) -> bytes:
        figure, options = jobs[name, form]
        try:
            picture = bytes(await browser.calc_fig(figure.to_dict(), opts=options))
        except Exception as error:
            reason = shortened(printable(str(error)), _LONGEST_REASON) or type(error).__name__
            raise InputError(
                f"Figure {name!r} cannot be drawn as {form}: {reason}. Show it in a notebook to see what is wrong."
            ) from error
        if not picture.startswith(FORMATS[form]):
            # Chromium answers with next to nothing where its canvas cannot hold the picture.
            raise InputError(f"Figure {name!r} came out empty as {form}. Ask for a smaller width, height or scale.")
        return picture

    started = False
    browser: Any = None
    try:
        # Without mathjax=False every start would load MathJax from a foreign server.
        browser = Kaleido(n=min(_TABS, len(jobs)), timeout=_SECONDS, mathjax=False)
        await browser.open()
        started = True
        pictures = await asyncio.gather(*(one(name, form) for name, form in jobs), return_exceptions=True)
    except Exception as error:
        what = "stopped while it drew" if started else "does not start"
        raise ConfigurationError(f"Chromium was found but {what}. {_ADVICE}") from error
    finally:
        if browser is not None:
            # Also after an interrupt, and where it opened by half: a browser left open keeps Python from ending.
            with CancelScope(shield=True), suppress(Exception):
                await browser.close()
    for picture in pictures:
        if isinstance(picture, BaseException):
            raise picture
    return dict(zip(jobs, (picture for picture in pictures if isinstance(picture, bytes)), strict=True))


def _described(picture: bytes, figure: go.Figure) -> bytes:
    """Return an SVG that screen readers announce by the chart's alt text."""
    meta = figure.layout.meta
    alt = meta.get("alt") if isinstance(meta, dict) else None
    if not isinstance(alt, str) or not alt:
        return picture
    said = html.escape(printable(html.unescape(alt)), quote=True)
    return picture.replace(b"<svg ", f'<svg role="img" aria-label="{said}" '.encode(), 1)


def _formats(formats: str | Sequence[str]) -> list[str]:
    listed = [formats] if isinstance(formats, str) else list(formats)
    known = [form.lower().removeprefix(".") if isinstance(form, str) else form for form in listed]
    for form in known:
        if form not in {*FORMATS, "jpg"}:
            raise InputError(f"There is no picture format {form!r}. Choose among {', '.join(FORMATS)}.")
    return list(dict.fromkeys("jpeg" if form == "jpg" else str(form) for form in known))


def _check(figures: Mapping[str, go.Figure], width: int, height: int | None, scale: float) -> None:
    for name, figure in figures.items():
        if not isinstance(figure, go.Figure):
            raise InputError(f"{name!r} is {type(figure).__name__}, not a plotly Figure. Pass charts by name.")
    for what, size in {"width": width, "height": _HEIGHT if height is None else height}.items():
        check_whole(size, what, 1, _LARGEST, advice=f"Give pixels from 1 to {_LARGEST:,}.")
    if not (is_number(scale, 0, 10) and scale):  # a poster of 12,800 pixels
        raise InputError(f"scale is {scale!r}. Give a number above 0, up to 10.")


def _check_names(figures: Mapping[str, go.Figure]) -> None:
    folded: dict[str, str] = {}
    for name in figures:
        if not isinstance(name, str) or _UNFIT.search(name) or len(name) > _LONGEST_NAME:
            raise InputError(f"{name!r} cannot be the name of a file. Use letters, digits, spaces, - and _.")
        twin = folded.setdefault(name.casefold(), name)
        if twin != name:
            raise InputError(f"{twin!r} and {name!r} are one file on many systems. Choose other names.")
