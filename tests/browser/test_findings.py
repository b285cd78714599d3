"""Findings, their charts and widgets, in JupyterLab in a real browser."""

import pytest
from browser.driving import CUT_OFF, needs_axe, serious_faults, shot, wait_for_text

import toolkit as tk

#: Height and width of each chart that is drawn, and how much is in it.
DRAWN = """() => [...document.querySelectorAll('.jp-OutputArea .js-plotly-plot')].map(plot => {
  const box = plot.getBoundingClientRect();
  const marks = plot.querySelectorAll('.main-svg path, .main-svg rect.cell, .main-svg text').length;
  return [box.width, box.height, marks];
})"""
#: Texts of charts that reach beyond the picture.
BEYOND = """() => [...document.querySelectorAll('.jp-OutputArea .js-plotly-plot')].flatMap(plot => {
  const box = plot.getBoundingClientRect();
  const texts = [...plot.querySelectorAll('.main-svg text')].filter(e => e.textContent.trim() && e.getBBox().width > 0);
  const out = texts.filter(text => {
    const place = text.getBoundingClientRect();
    const seen = getComputedStyle(text).opacity !== '0' && place.width > 0;
    return seen && (place.left < box.left - 1 || place.right > box.right + 1 || place.bottom > box.bottom + 1);
  });
  return out.map(text => text.textContent);
})"""
#: Compare over everything and the topics of a coverage are pictures of the page, not plotly's.
FINDINGS = {"03_compare": 6, "04_coverage": 4, "05_segments": 0, "06_report": 0}


@pytest.fixture(scope="module", params=list(FINDINGS))
def finding(request, opened):
    """A notebook of findings, with every cell run."""
    other = opened(request.param)
    other.wait_for_timeout(1500)
    return other


def test_every_cell_of_a_finding_ran_without_an_error(finding):
    assert finding.counts == list(range(1, len(finding.counts) + 1))
    assert finding.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.error']").count() == 0


def test_every_chart_of_a_finding_is_drawn_with_its_texts_inside(finding):
    drawn = finding.evaluate(DRAWN)
    assert len(drawn) >= FINDINGS[finding.name]
    for number, (width, height, marks) in enumerate(drawn):
        chart = finding.locator(".jp-OutputArea .js-plotly-plot").nth(number)
        chart.scroll_into_view_if_needed()
        shot(finding, f"{finding.name}_{number}")
        assert width > 500
        assert height > 150
        assert marks > 10
    assert finding.evaluate(BEYOND) == []


def test_nothing_of_a_widget_over_findings_is_cut_off(finding):
    finding.locator(".jp-OutputArea .widget-vbox").first.scroll_into_view_if_needed()
    finding.wait_for_timeout(300)
    shot(finding, f"{finding.name}_widget")
    assert finding.evaluate(CUT_OFF) == []


@needs_axe
def test_axe_finds_no_serious_fault_in_a_widget_over_findings(finding):
    assert serious_faults(finding) == []


def test_findings_ask_nothing_of_any_other_host(finding):
    assert finding.outside == []
    assert finding.failures == []


@pytest.fixture(scope="module")
def comparison(opened):
    return opened("03_compare")


def test_dimension_is_changed_by_the_keyboard_alone(comparison):
    chooser = comparison.locator(".jp-OutputArea .widget-dropdown select").nth(2)
    chooser.scroll_into_view_if_needed()
    assert chooser.input_value() == "everything"
    chooser.focus()
    for _ in range(3):
        comparison.keyboard.press("ArrowDown")
    comparison.keyboard.press("Tab")
    wait_for_text(comparison, "Beach Travel")
    comparison.wait_for_timeout(1500)
    shot(comparison, "03_compare_intent")
    assert chooser.input_value() == "Purchase intents"
    assert comparison.evaluate(CUT_OFF) == []


def test_pasted_lists_are_compared_while_one_types_and_the_focus_stays(comparison):
    area = comparison.locator(".jp-OutputArea .widget-vbox").first
    area.locator("select").first.select_option("Lists that I paste")
    wait_for_text(comparison, "Paste at least two lists")
    boxes = area.locator("textarea:visible:enabled")
    boxes.nth(0).click()
    comparison.keyboard.insert_text("trailhead-outfitters.example\ncampfire-rv.example\npeakcycle.example")
    comparison.keyboard.press("Tab")
    comparison.keyboard.press("Tab")
    comparison.keyboard.type("ledgerline.example\nfairway-club.example\nelsewhere.example")
    wait_for_text(comparison, "(elsewhere.example)")
    comparison.wait_for_timeout(1500)
    shot(comparison, "03_compare_pasted")
    focused = "() => document.activeElement.closest('.widget-textarea, .widget-dropdown').innerText.split('\\n')[0]"
    assert boxes.nth(1).evaluate("box => box === document.activeElement")
    comparison.keyboard.type("\ncampfire")
    assert boxes.nth(1).input_value().endswith("elsewhere.example\ncampfire")
    comparison.keyboard.press("Tab")
    assert comparison.evaluate(focused) == "against"
    against = area.locator("select").nth(1)
    assert against.evaluate("list => [...list.options].map(option => option.text.replace(/\\s/g, ' '))") == [
        "Ours",
        "Theirs",
        "All sites of the run",
        "All other sites of the run",
    ]
    assert against.evaluate("list => list.selectedOptions[0].text") == "Theirs"
    assert comparison.evaluate(CUT_OFF) == []


def test_verdict_that_an_interval_seems_to_contradict_is_explained(comparison):
    area = comparison.locator(".jp-OutputArea .widget-vbox").first
    area.locator("select").first.select_option("Income")
    area.locator("select").nth(2).select_option("Interests in detail")
    wait_for_text(comparison, "A verdict allows for the number of comparisons")
    comparison.wait_for_timeout(1500)
    shot(comparison, "03_compare_groups")
    table = area.locator(".toolkit-grid-box:visible").first
    table.scroll_into_view_if_needed()
    assert table.locator(".tabulator-cell", has_text="Upper middle income").count() > 0
    table.get_by_placeholder("Search").fill("not certain once")
    table.locator(".tabulator-cell", has_text="not certain once").first.wait_for()
    shot(comparison, "03_compare_doubt")
    assert table.locator(".tabulator-cell", has_text="upper_middle").count() == 0
    assert comparison.evaluate(CUT_OFF) == []
    assert comparison.evaluate(BEYOND) == []


@pytest.fixture(scope="module")
def explorer(opened):
    return opened("04_coverage")


def test_a_click_on_a_field_goes_into_it_and_out_again(explorer):
    area = explorer.locator(".jp-OutputArea .widget-vbox").first
    area.locator("select").first.scroll_into_view_if_needed()
    area.locator("select", has=explorer.locator("option", has_text="Treemap")).select_option(label="Treemap")
    title = area.locator(".js-plotly-plot .gtitle")
    field = area.locator(".js-plotly-plot g.slice", has_text="Sports (")
    field.first.click(position={"x": 40, "y": 60})
    wait_for_text(explorer, "topics in Sports seen")
    area.locator(".gtitle", has_text="in Sports seen").wait_for()
    explorer.wait_for_timeout(1000)
    shot(explorer, "04_coverage_clicked")
    area.locator(".js-plotly-plot g.slice", has_text="Sports (").first.click(position={"x": 40, "y": 8})
    area.locator(".gtitle", has_text="of 703 topics seen").wait_for()
    assert "Sports" not in title.text_content()
    area.locator("select", has=explorer.locator("option", has_text="Treemap")).select_option(label="Top topics")
    wait_for_text(explorer, "84 of 703 topics seen")


def test_branches_of_a_taxonomy_are_gone_into_by_the_keyboard_alone(explorer):
    area = explorer.locator(".jp-OutputArea .widget-vbox").first
    taxonomy = area.locator("select").first
    taxonomy.scroll_into_view_if_needed()
    taxonomy.focus()
    explorer.keyboard.press("Tab")
    explorer.keyboard.type("0.50")
    seen = tk.sample_run().coverage("content-v3", threshold=0.5)["seen"].sum()
    wait_for_text(explorer, f"{seen} of 703 topics seen")
    explorer.keyboard.press("Tab")
    explorer.keyboard.type("Travel")
    wait_for_text(explorer, "in Travel seen")
    explorer.keyboard.press("Tab")
    explorer.keyboard.press("ArrowDown")
    wait_for_text(explorer, "in Travel › Travel Locations seen")
    explorer.wait_for_timeout(1500)
    shot(explorer, "04_coverage_inside")
    assert explorer.evaluate(CUT_OFF) == []
    assert explorer.evaluate(BEYOND) == []
