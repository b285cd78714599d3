"""Charts keep their size and follow the theme in JupyterLab, in a real browser: bare, in outputs, tabs and widgets."""

import pytest

from browser.driving import THEME, open_notebook, put_notebook, run_some, shot

#: A chart in each kind of place: a cell, outputs in tabs, a widget, and where it is shown by name.
PLACES = (
    """
import ipywidgets as ipw, toolkit as tk
from IPython.display import display
run = tk.sample_run()
compared = run.compare("income_level")
tk.charts.comparison(compared)""",
    """
outs = [ipw.Output(), ipw.Output()]
with outs[0]:
    display(tk.charts.profile_card(run.shares()))
with outs[1]:
    display(tk.charts.category_confidence(run.categories()))
ipw.Tab(outs, titles=("first", "second"))""",
    "compare = tk.widgets.Compare(run)\ncompare._dimension.value = 'Interests'\ncompare",
    'covered = run.coverage("content-v3")\ntk.charts.coverage_treemap(covered).show()',
)
#: The other kinds of charts.
KINDS = (
    "tk.charts.heatmap(compared)",
    "tk.charts.accumulation_curve(tk.findings.accumulation(covered), tk.findings.unseen(covered))",
    "tk.charts.technologies(tk.findings.technology_shares(run.technologies()))",
    "tk.charts.coverage_icicle(covered)",
    "tk.charts.overlap_matrix(run.overlap('income_level'))",
    "tk.charts.persona_flow(tk.findings.persona_links(run.codes(), run.categories()))",
    "tk.charts.confidence_distribution(tk.findings.confidence_bands(run.codes()))",
    "tk.charts.code_confidence(run.codes())",
)
CELLS = (*PLACES, *KINDS)
#: The charts that are seen: width, height, marks, how much of its place a picture leaves free, and whether it is cut.
SEEN = """() => [...document.querySelectorAll('.jp-OutputArea .js-plotly-plot')]
  .filter(plot => plot.offsetParent !== null)
  .map(plot => {
    const svg = plot.querySelector('.main-svg').getBoundingClientRect();
    const place = plot.closest('.jp-OutputArea-output');
    const marks = [...plot.querySelectorAll('.main-svg path, .main-svg image, .main-svg text')]
      .filter(e => !e.closest('.hoverlayer')).length;
    // Of a picture that is wider than its place, the rest is scrolled into view.
    const cut = place.clientWidth < svg.width && getComputedStyle(place).overflowX !== 'auto';
    return {width: svg.width, height: svg.height, marks, free: Math.max(0, place.clientWidth - svg.width), cut};
  })"""
#: Of each text that is seen in a chart: what it says, and the contrast of its colour to what lies behind it.
CONTRASTS = """() => {
  const parts = color => (color.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const over = (top, below) => {
    const alpha = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map(i => top[i] * alpha + below[i] * (1 - alpha));
  };
  const light = color => {
    const [r, g, b] = color.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const page = getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor;
  const groundOf = element => {
    let grounds = [];
    for (let e = element; e; e = e.parentElement) {
      grounds.push(parts(getComputedStyle(e).backgroundColor));
    }
    return grounds.reverse().reduce((below, top) => over(top.length ? top : [0, 0, 0, 0], below), [255, 255, 255]);
  };
  const found = [];
  for (const plot of document.querySelectorAll('.jp-OutputArea .js-plotly-plot')) {
    if (plot.offsetParent === null) { continue; }
    const svg = plot.querySelector('.main-svg');
    const ground = groundOf(svg);
    const named = '.gtitle, .xtick text, .ytick text, .xtitle, .ytitle, .legendtext, .annotation-text';
    for (const text of plot.querySelectorAll(named)) {
      if (!text.textContent.trim()) { continue; }
      const fill = over(parts(getComputedStyle(text).fill), ground);
      found.push({text: text.textContent, ratio: ratio(fill, ground), ground: light(ground)});
    }
    for (const line of plot.querySelectorAll('.annotation-arrow-g path, .errorbar path, .shapelayer path')) {
      const style = getComputedStyle(line);
      if (style.stroke === 'none' || style.strokeWidth === '0px' || +style.strokeOpacity === 0) { continue; }
      const stroke = over(parts(style.stroke), ground);
      found.push({text: 'line', ratio: 1.5 * ratio(stroke, ground), ground: light(ground)});
    }
  }
  return found;
}"""
#: Areas of a chart that are nearly white and as large as a slab.
SLABS = """() => {
  // Of an area that is filled with a pattern, the ground of the pattern.
  const ground = fill => {
    const [, name] = fill.match(/^url\\("?[^"#)]*#([^")]+)/) || [];
    const below = name && document.getElementById(name)?.querySelector('rect');
    return name ? (below ? getComputedStyle(below).fill : 'rgba(0, 0, 0, 0)') : fill;
  };
  const white = color => {
    const [r, g, b, a] = (color.match(/[\\d.]+/g) || []).map(Number);
    return Math.min(r, g, b) > 235 && (a === undefined || a > 0.5);
  };
  const found = [];
  for (const plot of document.querySelectorAll('.jp-OutputArea .js-plotly-plot')) {
    if (plot.offsetParent === null) { continue; }
    for (const e of plot.querySelectorAll('.main-svg, .main-svg rect, .main-svg path, .svg-container')) {
      const style = getComputedStyle(e);
      const box = e.getBoundingClientRect();
      const opaque = +style.fillOpacity > 0.5 && +style.opacity > 0.5;
      const slab = white(style.backgroundColor) || (e.ownerSVGElement && opaque && white(ground(style.fill)));
      if (slab && box.width * box.height > 400) {
        found.push(`${e.tagName}.${e.getAttribute('class')} ${Math.round(box.width)}x${Math.round(box.height)}`);
      }
    }
  }
  return found;
}"""

#: Whether so many charts are drawn.
DRAWN = "least => document.querySelectorAll('.jp-OutputArea .js-plotly-plot .gtitle').length >= least"


@pytest.fixture(scope="module")
def places(page, lab):
    """A notebook with a chart in every place; each time that it is laid out anew is the cheaper for being few."""
    put_notebook(lab, "live", CELLS)
    open_notebook(page, "live")
    run_some(page, "live", 0, len(PLACES))
    page.wait_for_function(DRAWN, arg=len(PLACES) - 1)
    return page


@pytest.fixture(scope="module")
def live(places):
    """The same notebook with a chart of every kind."""
    run_some(places, "live", len(PLACES), len(CELLS))
    places.wait_for_function(DRAWN, arg=len(CELLS) - 1)
    return places


def shots(page, name):
    """Take a picture of every chart, where somebody asked for pictures."""
    plots = page.locator(".jp-OutputArea .js-plotly-plot")
    for number in range(plots.count()):
        if plots.nth(number).is_visible():
            plots.nth(number).scroll_into_view_if_needed()
            shot(page, f"{name}_{number:02}")


def watched(page):
    """Begin to note how low the lowest chart ever is."""
    page.evaluate("""() => {
      window.least = Infinity;
      const look = () => {
        for (const plot of document.querySelectorAll('.jp-OutputArea .js-plotly-plot')) {
          if (plot.offsetParent === null) { continue; }
          window.least = Math.min(window.least, plot.getBoundingClientRect().height);
        }
        window.looking = requestAnimationFrame(look);
      };
      look();
    }""")


def settled(page):
    """Return the charts that are seen, once they no longer change."""
    before = None
    for _ in range(40):
        page.wait_for_timeout(250)
        now = page.evaluate(SEEN)
        if now == before:
            return now
        before = now
    raise AssertionError(f"the charts still change: {now}")


def test_charts_follow_the_side_bar(places):
    first = settled(places)
    for _ in range(2):
        places.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
        now = settled(places)
        assert [chart["height"] for chart in now] == [chart["height"] for chart in first]
        assert all(chart["free"] < 40 and not chart["cut"] for chart in now), now
    assert now == first


def test_chart_in_a_tab_that_was_hidden_has_its_size_and_keeps_it(places):
    tabs = places.locator(".jp-OutputArea .widget-tab .lm-TabBar-tab")
    places.set_viewport_size({"width": 1000, "height": 1000})
    tabs.nth(1).click()
    second = settled(places)
    assert all(chart["height"] > 150 and chart["free"] < 40 for chart in second), second
    tabs.nth(0).click()
    places.set_viewport_size({"width": 1280, "height": 1000})
    settled(places)
    tabs.nth(1).click()
    assert all(chart["height"] > 150 and chart["free"] < 40 for chart in settled(places))
    tabs.nth(0).click()


def test_wheel_over_a_chart_scrolls_the_page(places):
    chart = places.locator(".js-plotly-plot").first
    chart.scroll_into_view_if_needed()
    before = places.evaluate(SEEN)[0]
    top = chart.bounding_box()["y"]
    chart.hover(position={"x": 600, "y": 200})
    places.mouse.wheel(0, 120)
    places.wait_for_function(
        "([plot, top]) => plot.getBoundingClientRect().y < top - 50", arg=[chart.element_handle(), top]
    )
    assert places.evaluate(SEEN)[0] == before


def test_every_cell_ran_and_drew_its_chart(live):
    assert (
        live.locator(
            "[data-mime-type='application/vnd.jupyter.error'], .jp-RenderedText[data-mime-type*=stderr]"
        ).count()
        == 0
    )
    assert len(settled(live)) == len(CELLS)
    shots(live, "light")


def test_charts_keep_height_and_content_in_any_width(live):
    first = settled(live)
    watched(live)
    for width in (760, 1280):
        live.set_viewport_size({"width": width, "height": 1000})
        now = settled(live)
        shots(live, f"wide{width}")
        assert [chart["height"] for chart in now] == [chart["height"] for chart in first]
        assert all(chart["free"] < 40 and not chart["cut"] for chart in now), now
        assert all(chart["marks"] > 10 for chart in now)
    assert now == first
    assert live.evaluate("() => { cancelAnimationFrame(window.looking); return window.least; }") > 100


def followed(page, theme):
    """Choose a theme, and check the colours of every chart."""
    is_dark = theme.endswith("Dark")
    page.evaluate(THEME, theme)
    settled(page)
    shots(page, theme.split()[1].lower())
    found = page.evaluate(CONTRASTS)
    assert len(found) > 100
    assert [said for said in found if (said["ground"] < 0.2) != is_dark] == []
    assert [said for said in found if said["ratio"] < 4.5] == []


def test_charts_follow_the_dark_theme_without_being_drawn_again(live):
    followed(live, "JupyterLab Dark")
    assert live.evaluate(SLABS) == []


def test_downloaded_picture_is_light_in_the_dark(live):
    live.evaluate(THEME, "JupyterLab Dark")
    chart = live.locator(".js-plotly-plot").first
    chart.scroll_into_view_if_needed()
    chart.hover()
    with live.expect_download() as waiting:
        chart.locator(".modebar-btn").click()
    from PIL import Image

    with Image.open(waiting.value.path()) as picture:
        colors = picture.convert("RGB").getcolors(1 << 24)
    assert max(colors)[1] == (255, 255, 255)


def test_charts_follow_the_light_theme_again(live):
    followed(live, "JupyterLab Light")


def test_mode_bar_has_the_picture_alone(live):
    bars = live.locator(".js-plotly-plot .modebar").all()
    assert {bar.locator(".modebar-btn").count() for bar in bars} == {1}
    assert live.locator(".modebar-btn:not([data-title*=ownload])").count() == 0


def test_nothing_was_asked_of_any_other_host(live):
    assert live.outside == []
    assert live.failures == []
