"""Percentages are written one way on every screen, as in reports and pictures."""

import ipywidgets as ipw
import pytest
from signs import seen, tight_in

from toolkit.widgets import Compare, CoverageExplorer, Lookup, SegmentBuilder

SITE = "trailhead-outfitters.example"


def parts_of(widget):
    """Yield a widget and all in it, with what stands in each."""
    for name in ("static_view", "_repr_html_"):
        if callable(view := getattr(widget, name, None)):
            yield view()
    if isinstance(widget, ipw.HTML):
        yield widget.value
    for child in getattr(widget, "children", ()):
        yield from parts_of(child)


def looked_up(_, client):
    widget = Lookup(client, targets=SITE)
    widget.run()
    return widget


@pytest.mark.parametrize(
    "opened",
    [
        lambda run, _: Compare(run, "audience_type"),
        lambda run, _: CoverageExplorer(run),
        lambda run, _: SegmentBuilder(run, "INT.SPORTS.* or INT.TRAVEL.*"),
        lambda run, client: client.explain("INT.SPORTS.WALKING", f"https://{SITE}/boots"),
        lambda _, client: client.categorize_content(SITE, personas=True),
        looked_up,
    ],
    ids=["compare", "coverage", "segment", "why", "answer", "lookup"],
)
def test_a_percentage_has_a_blank_before_its_sign_on_a_screen(sample, client, opened):
    said = seen("\n".join(parts_of(opened(sample.run, client))))
    assert " %" in said or "\N{NO-BREAK SPACE}%" in said
    assert tight_in(said) == []
