"""Pictures are drawn many at once, say clearly when there is no Chromium, and leave nothing behind."""

import io
import signal
import struct
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from xml.etree import ElementTree as ET

import plotly.graph_objects as go
import pytest

from toolkit.charts.pictures import FORMATS, can_draw, draw_pictures, save_pictures
from toolkit.interface.errors import ConfigurationError, InputError

NEEDS_CHROMIUM = pytest.mark.skipif(not can_draw(), reason="there is no Chromium here")


def figure_of(*values, alt=None, **layout):
    figure = go.Figure(go.Bar(x=["a", "b", "c"][: len(values)], y=list(values)))
    figure.update_layout(meta={"alt": alt} if alt else None, **layout)
    return figure


def size_of(png):
    return struct.unpack(">II", png[16:24])


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Two figures in every format, with everything that was warned and printed while they were drawn."""
    folder = tmp_path_factory.mktemp("pictures") / "new" / "folder"
    figures = {"first": figure_of(1, 2, alt='Two bars & "more" <b>', height=400), "second one": figure_of(3)}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        paths = save_pictures(figures, folder, FORMATS, width=640, scale=1.5)
    return paths, said


@NEEDS_CHROMIUM
def test_every_figure_is_there_in_every_format_in_order(drawn):
    paths, _ = drawn
    assert [path.name for path in paths] == [f"{name}.{form}" for name in ("first", "second one") for form in FORMATS]
    for path in paths:
        assert path.read_bytes().startswith(FORMATS[path.suffix[1:]])


@NEEDS_CHROMIUM
def test_pictures_have_the_size_asked_for_and_the_figures_own_height(drawn):
    sizes = {path.name: size_of(path.read_bytes()) for path in drawn[0] if path.suffix == ".png"}
    assert sizes == {"first.png": (960, 600), "second one.png": (960, 1080)}


@NEEDS_CHROMIUM
def test_no_warning_reaches_the_user(drawn):
    assert [str(warning.message) for warning in drawn[1]] == []


@NEEDS_CHROMIUM
def test_an_svg_carries_the_alt_text_as_text(drawn):
    first, second = (ET.parse(path).getroot() for path in drawn[0] if path.suffix == ".svg")  # noqa: S314 - just drawn
    assert first.get("aria-label") == 'Two bars & "more" <b>'
    assert first.get("role") == "img"
    assert second.get("aria-label") is None


@NEEDS_CHROMIUM
def test_pictures_are_drawn_inside_a_running_loop_and_in_silence():
    program = """
import asyncio
import plotly.graph_objects as go
from toolkit.charts.pictures import draw_pictures
async def main():
    return draw_pictures({"a": go.Figure(go.Bar(y=[1]))}, "svg", width=300)
assert list(asyncio.run(main())) == [("a", "svg")]
"""
    options = {"capture_output": True, "text": True, "timeout": 60, "cwd": Path(__file__).parents[2]}
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], check=False, **options)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@NEEDS_CHROMIUM
def test_a_figure_that_takes_too_long_is_named_and_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr("toolkit.charts.pictures._SECONDS", 1e-6)
    with pytest.raises(InputError, match=r"^Figure 'slow' cannot be drawn as png: .+ Show it in a notebook"):
        save_pictures({"slow": figure_of(1)}, tmp_path / "out", "png")
    assert not (tmp_path / "out").exists()


@NEEDS_CHROMIUM
def test_a_picture_too_large_for_chromium_is_no_empty_file(tmp_path):
    with pytest.raises(InputError, match=r"^Figure 'vast' came out empty as png\. Ask for a smaller width, height"):
        save_pictures({"vast": figure_of(1)}, tmp_path / "out", "png", width=10_000, height=10_000, scale=10)
    assert not (tmp_path / "out").exists()


def test_without_chromium_one_message_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert can_draw() is False
    with pytest.raises(ConfigurationError) as caught:
        save_pictures({"a": figure_of(1)}, tmp_path / "out")
    assert str(caught.value) == (
        "There is no Chromium here, so no picture can be drawn. Install Chromium or Chrome (or set BROWSER_PATH to "
        "where it is), or use the HTML instead: figure.write_html(path, include_plotlyjs=True)."
    )
    assert not (tmp_path / "out").exists()


def test_the_html_that_the_message_names_needs_no_chromium(tmp_path, monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "none"))
    buffer = io.StringIO()
    figure_of(1).write_html(buffer, include_plotlyjs=True)
    assert "plotly.js" in buffer.getvalue()


def test_a_chromium_that_is_installed_later_is_found(tmp_path, monkeypatch):
    browser = tmp_path / "chromium"
    monkeypatch.setenv("BROWSER_PATH", str(browser))
    assert can_draw() is False
    browser.write_text("#!/bin/sh\n")
    browser.chmod(0o755)
    assert can_draw() is True


def test_a_browser_that_does_not_start_is_a_clear_message_and_leaves_no_thread(tmp_path, monkeypatch):
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\nexit 3\n")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER_PATH", str(browser))
    before = threading.active_count()
    with pytest.raises(ConfigurationError, match=r"^Chromium was found but does not start\. Install Chromium"):
        draw_pictures({"a": figure_of(1)}, "png")
    # Those of the browser's driver end on their own, on a busy machine after a while.
    until = time.monotonic() + 30
    while threading.active_count() > before + 1 and time.monotonic() < until:
        time.sleep(0.1)
    assert threading.active_count() <= before + 1


def test_nothing_to_draw_needs_no_chromium(tmp_path, monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "none"))
    assert draw_pictures({}) == {}
    assert save_pictures({}, tmp_path / "out") == []
    assert save_pictures({"a": figure_of(1)}, tmp_path / "out", ()) == []


@pytest.mark.parametrize("name", ["", "a/b", "..", ".hidden", "a\\b", "con:1", "a\nb", "a ", "x" * 200, 3])
def test_a_name_that_is_none_for_a_file_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="cannot be the name of a file"):
        save_pictures({name: figure_of(1)}, tmp_path)


def test_two_names_that_differ_in_capitals_alone_are_refused(tmp_path):
    with pytest.raises(InputError, match="'Reach' and 'reach' are one file on many systems"):
        save_pictures({"Reach": figure_of(1), "reach": figure_of(1)}, tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"formats": "gif"}, "There is no picture format 'gif'. Choose among png, svg, pdf, jpeg, webp."),
        ({"formats": ["png", None]}, "There is no picture format None. Choose among png, svg, pdf, jpeg, webp."),
        ({"width": 0}, "width is 0. Give pixels from 1 to 10,000."),
        ({"width": None}, "width is None. Give pixels from 1 to 10,000."),
        ({"height": 2.5}, "height is 2.5. Give pixels from 1 to 10,000."),
        ({"height": 99999}, "height is 99999. Give pixels from 1 to 10,000."),
        ({"scale": 0}, "scale is 0. Give a number above 0, up to 10."),
        ({"scale": float("nan")}, "scale is nan. Give a number above 0, up to 10."),
    ],
)
def test_an_argument_that_makes_no_picture_is_refused(tmp_path, options, message):
    with pytest.raises(InputError) as caught:
        save_pictures({"a": figure_of(1)}, tmp_path, **options)
    assert str(caught.value) == message


def test_what_is_no_figure_is_refused(tmp_path):
    with pytest.raises(InputError, match="'a' is dict, not a plotly Figure"):
        save_pictures({"a": {"data": []}}, tmp_path)


@NEEDS_CHROMIUM
def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot be written into .*Choose another folder\.$"):
        save_pictures({"a": figure_of(1)}, tmp_path / "file", "svg")


@NEEDS_CHROMIUM
@pytest.mark.parametrize("seconds", [0.2, 2])
def test_an_interrupt_ends_the_drawing_and_python(seconds):
    program = """
import plotly.graph_objects as go
from toolkit.charts.pictures import draw_pictures
print("go", flush=True)
try:
    draw_pictures({str(number): go.Figure(go.Bar(y=[1])) for number in range(200)})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": Path(__file__).parents[2]}
    with subprocess.Popen([sys.executable, "-W", "error", "-c", program], **options) as process:
        try:
            assert process.stdout.readline() == "go\n"
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            printed, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, printed) == (0, "interrupted\n")
