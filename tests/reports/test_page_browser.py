"""The page of a report in a real browser: it answers to the pointer and the keyboard, and is accessible."""

import os
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from reports.made import HOSTILE, made_report

import toolkit as tk
from toolkit.reports.brand import PLAIN
from toolkit.reports.document import write_report
from toolkit.reports.page.html import html_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = os.environ.get("AXE_CORE", "")
SHOTS = os.environ.get("SCREENSHOTS")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TWELVE = ("Travel", "Food", "Cars", "Sports", "Money", "Health", "Home", "News", "Music", "Games", "Art", "Pets")
REPORTS = {
    "three": {},
    "twelve": {"groups": TWELVE},
    "none": {"groups": ()},
    "hostile": {"hostile": True},
    "eight": {"sites": 8},
    "thousand": {"sites": 1000},
    "everything": {"sites": 13, "groups": TWELVE, "hostile": True},
}
GROUPED = {"sample": "audience_type", "kinds": "content_type"}
#: What the page calls business models, with what the frame of companies has of them.
MODELS = {
    "E-commerce": "e-commerce",
    "Subscriptions": "subscription",
    "Affiliate links": "affiliate",
    "Advertising": "advertising",
}
FIRST = "#sites-1 tbody tr:not(.out):not(.later)"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: install it to run the browser tests"),
]


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Give the file of a report, written once."""
    folder = tmp_path_factory.mktemp("pages")

    def file_of(name):
        path = folder / f"{name}.html"
        if not path.exists():
            if name in GROUPED:
                return write_report(tk.sample_run(), path, groups=GROUPED[name])
            path.write_text(html_page(made_report(**REPORTS[name]), PLAIN), encoding="utf-8")
        return path

    return file_of


@pytest.fixture(scope="module")
def window(browser):
    """Give a window with these options; its first page keeps it open, for a new one takes longer than a report."""
    windows = {}

    def with_options(**options):
        key = repr(options)
        if key not in windows:
            windows[key] = browser.new_context(**options)
            windows[key].new_page()
        return windows[key]

    return with_options


@pytest.fixture
def opened(window, written):
    """Open a report; nothing may be asked for outside it, or go wrong, as long as it is open."""
    pages, faults = [], []

    def open_(name, width=1280, scheme="light", place="", **options):
        page = window(color_scheme=scheme, **options).new_page()
        page.set_viewport_size({"width": width, "height": 900})
        pages.append(page)
        page.faults = faults
        path = written(name)
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: path.as_uri() in request.url or faults.append(request.url))
        page.goto(f"{path.as_uri()}{place}")
        return page

    yield open_
    for page in pages:
        page.close()
    assert faults == []


def unfolded(page):
    """Open what is folded behind the story."""
    page.evaluate("document.querySelectorAll('.fold').forEach(one => { one.open = true; })")
    return page


def shot(page, name):
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(SHOTS) / f"report_{name}.png"), full_page=True)


# Accessible, at every size ---------------------------------------------------------------------------------------


@pytest.mark.skipif(not AXE, reason="axe-core is missing: name its axe.min.js in AXE_CORE to check accessibility")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_page_has_no_serious_fault_of_accessibility(opened, width, scheme):
    page = opened("everything", width, scheme, place=f"#group={quote(HOSTILE)}Food")
    page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(one => { one.open = true; })")
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    for state in ("a group", "a card"):
        if state == "a card":
            page.locator(f"{FIRST} a").first.click()
        page.wait_for_timeout(300)  # colours move to their places
        found = page.evaluate("axe.run({resultTypes: ['violations']})")
        serious = [one for one in found["violations"] if one["impact"] in {"serious", "critical"}]
        assert [(state, one["id"], one["nodes"][0]["html"]) for one in serious] == []
        assert len(found["passes"]) > 10


def test_a_table_on_a_phone_keeps_its_first_column_and_no_heading_fills_the_screen(opened):
    page = opened("sample", 390)
    page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(one => { one.open = true; })")
    seen = page.evaluate("""() => [...document.querySelectorAll('.table .scroll')].map(one => {
      one.scrollLeft = 80;
      const [cell] = one.querySelectorAll('tbody th');
      const widths = [...one.querySelectorAll('th.number')].map(head => head.getBoundingClientRect().width);
      return [cell.getBoundingClientRect().left - one.getBoundingClientRect().left, Math.max(...widths)];
    })""")
    assert len(seen) > 5
    assert all(abs(left) < 1 for left, _ in seen)
    assert max(widest for _, widest in seen if widest) < 390 / 2


@pytest.mark.parametrize("width", [360, 760, 1280])
@pytest.mark.parametrize("name", ["sample", *REPORTS])
def test_page_fits_its_window_and_no_label_is_cut(opened, name, width):
    page = opened(name, width)
    page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(one => { one.open = true; })")
    shot(page, f"{name}_{width}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    beyond = """() => [...document.querySelectorAll(
      '.name, .ends, .end, .tick, h1, h2, h3, p, .keys li, .table th, .table td'
    )].filter(one => {
      const box = one.getBoundingClientRect();
      if (!box.width || one.closest('.hidden, dialog, .heat')) return false;
      const isBeyond = !one.closest('.scroll') && (box.right > innerWidth + 1 || box.left < -1);
      return isBeyond || one instanceof HTMLElement && one.scrollWidth > one.clientWidth + 1;
    }).map(one => one.textContent)"""
    assert page.evaluate(beyond) == []


@pytest.mark.parametrize("width", [360, 760, 1280])
@pytest.mark.parametrize("name", ["three", "twelve", "hostile", "sample"])
def test_labels_of_charts_do_not_lie_on_one_another(opened, name, width):
    page = opened(name, width)
    overlapping = """() => [...document.querySelectorAll('figure')].flatMap(figure => {
      const all = [...figure.querySelectorAll(
        '.what, .name small, .ends, .end, .tick, .keys li, figcaption, thead th, tbody th'
      )];
      const boxes = all.map(one => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
      const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
      return boxes.flatMap(([one, box], place) => boxes.slice(place + 1)
        .filter(([other, its]) => !other.contains(one) && !one.contains(other) && meet(box, its))
        .map(([other]) => `${one.textContent} / ${other.textContent}`));
    })"""
    assert page.evaluate(overlapping) == []


# One selection ---------------------------------------------------------------------------------------------------


def bars(page):
    rows = page.locator("#chart-profile-1 .row")
    return rows.locator(".fill").evaluate_all("all => all.map(one => one.getAttribute('width'))"), (
        rows.locator(".end").all_text_contents()
    )


def test_group_that_is_chosen_runs_through_charts_tables_and_cards(opened):
    page = unfolded(opened("three"))
    before = bars(page)
    page.get_by_role("button", name="Food").click()
    widths, ends = bars(page)
    assert ends == ["10 %", "80 %", "50 %", "0 %"]
    assert widths != before[0]
    assert page.locator("#chart-profile-1 .fill").first.get_attribute("class") == "fill own c-CC79A7"
    assert page.locator("#chart-profile-1 .all[visibility=visible]").count() == 4
    assert set(page.locator(f"{FIRST} td:nth-child(3)").all_inner_texts()) == {"Food"}
    assert page.locator("#sites-1 .count").inner_text() == "10 of 30 rows"
    assert page.locator("#chart-proofs-1 .plot .dim[data-group='1']").count() == 0
    assert page.locator("#chart-proofs-1 .plot .dim[data-group='0']").count() == 7
    assert page.locator(".heat td.lit").count() == 7
    assert page.locator(".list .card:not(.out)").count() == 10
    assert "10 sites" in page.get_by_role("status").inner_text()
    assert page.evaluate("location.hash") == "#group=Food"
    page.get_by_role("button", name="All sites").click()
    assert bars(page) == before
    assert page.locator("#sites-1 .count").inner_text() == "30 rows"
    assert page.locator(".lit, .plot .dim").count() == 0


def rounded_share(part, whole):
    return f"{int(100 * part / whole + 0.5)} %"


def test_base_counts_and_legend_are_those_of_the_group_that_is_chosen(opened, sample):
    audiences = sample.audiences().set_index("normal")
    businesses = audiences.index[audiences["audience_type"].eq("b2b")]
    genders = sample.codes().query("dimension == 'gender_skew'").set_index("normal")["label"].astype(str)
    often, of_them = genders.value_counts(), genders[genders.index.isin(businesses)]
    models = sample.companies().set_index("normal")["business_model"].reindex(businesses).dropna()
    assert 0 < len(of_them) < len(genders)
    assert len(models) > 0
    page = unfolded(opened("sample", place="#group=Businesses"))
    gender = page.locator(".piece", has=page.get_by_text("Gender", exact=True))
    caption, under = gender.locator("figcaption"), gender.locator(".row .name small")
    told = f"Businesses: share of {len(of_them)} sites that tell it, % · grey line: all sites"
    assert caption.inner_text().strip() == told
    assert caption.locator("svg.swatch").count() == 1
    names = gender.locator(".name .what").all_inner_texts()
    assert sorted(names) == sorted(often.index)
    assert [often[name] for name in names] == sorted(often, reverse=True)
    counts = [int(of_them.eq(name).sum()) for name in names]
    assert under.all_inner_texts() == [f"{count} of {len(of_them)} sites" for count in counts]
    ends = [rounded_share(count, len(of_them)) for count in counts]
    assert gender.locator(".end").all_text_contents() == ends
    shops = page.locator("#proofs-1")
    assert shops.locator(".keys li").all_inner_texts() == [
        "Shop listings",
        "all but shop listings",
        "Businesses",
    ]
    names = shops.locator(".name .what").all_inner_texts()
    assert len(names) == len(MODELS)
    counts = [int(models.str.contains(MODELS[name]).sum()) for name in names]
    ends = [rounded_share(count, len(models)) for count in counts]
    assert shops.locator(".ends:not(:empty)").all_inner_texts() == ends
    assert shops.locator(".name small").all_inner_texts() == [f"{count} of {len(models)} sites" for count in counts]
    page.get_by_role("button", name="All sites").click()
    assert caption.inner_text() == f"Share of {len(genders)} sites that tell it, %"
    assert under.first.inner_text() == f"{often.max()} of {len(genders)} sites"
    assert shops.locator(".keys li").all_inner_texts() == ["Shop listings", "all other sites"]


def test_counts_are_of_the_chosen_group_also_where_a_chart_draws_it_beside_another(opened):
    page = opened("kinds")
    shops = page.locator("#proofs-1")
    under, others = shops.locator(".name small"), shops.locator(".keys li").nth(1)
    first = under.all_inner_texts()
    assert first[0] == "7 of 7, against 1 of 19"
    page.get_by_role("button", name="Shop listings").click()
    assert under.all_inner_texts() == first
    page.get_by_role("button", name="News sites").click()
    assert all(text.endswith("of 8 sites") for text in under.all_inner_texts())
    assert others.inner_text() == "all but Shop listings"
    assert shops.locator(".keys li").count() == 3
    page.get_by_role("button", name="All sites").click()
    assert under.all_inner_texts() == first
    assert others.inner_text() == "all other sites"


@pytest.mark.parametrize("width", [1280, 360])
def test_what_is_said_of_all_sites_is_marked_where_a_group_is_chosen(opened, width):
    page = unfolded(opened("sample", width))
    marks = page.get_by_text("all sites", exact=True).and_(page.locator(".whole:visible"))
    assert marks.count() == 0
    page.evaluate("location.hash = '#group=Businesses'")
    marks.first.wait_for()
    # What is said of groups is said of each.
    of_groups = page.locator(".piece[id^=groups]")
    assert of_groups.locator(".whole").count() == 0
    assert marks.count() == page.locator(".piece").count() - of_groups.count() + 1
    quiet = "one => getComputedStyle(one).color"
    assert page.locator(".answer").evaluate(quiet) == page.locator("#profile-1 h3").evaluate(quiet)
    assert page.locator("#profile-1 h3").evaluate(quiet) != page.locator("h1").evaluate(quiet)


def test_bars_of_a_group_stay_in_their_chart_where_they_are_longer_than_all_others(opened):
    page = opened("three", place="#group=Food")
    page.wait_for_timeout(300)  # bars move to their length
    ends = page.locator("#chart-profile-1 .row").evaluate_all(
        """rows => rows.map(row => row.querySelector('.plot').getBoundingClientRect().right
          - row.querySelector('.fill').getBoundingClientRect().right)"""
    )
    assert min(ends) >= -1


def test_group_is_chosen_by_the_keyboard(opened):
    page = opened("three")
    page.get_by_role("button", name="All sites").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    chosen = page.locator("button.chip[aria-pressed=true]")
    assert chosen.all_inner_texts() == [page.get_by_role("button", name="Travel").inner_text()]


def test_group_of_an_address_is_chosen_also_on_a_phone(opened):
    page = unfolded(opened("twelve", 360, place="#profile&group=Games"))
    assert page.get_by_role("combobox", name="Group").evaluate("one => one.selectedOptions[0].label") == "Games (2)"
    assert page.evaluate("document.activeElement.id") == "profile"
    page.get_by_role("combobox", name="Group").select_option(label="Pets (2)")
    assert page.evaluate("location.hash") == "#profile&group=Pets"
    assert set(page.locator(f"{FIRST} td:nth-child(3)").all_inner_texts()) == {"Pets"}


def test_group_that_a_chart_of_dots_does_not_draw_is_drawn_when_it_is_chosen(opened):
    page = opened("twelve")
    marks = page.locator("#chart-proofs-1 .plot .own:visible")
    assert marks.count() == 0
    page.get_by_role("button", name="Health").click()
    assert marks.count() == 7


def test_address_of_a_group_that_is_none_is_as_none(opened):
    page = opened("three", place="#%E0%A4%A&group=%3Cimg%3E")
    assert page.locator("button.chip[aria-pressed=true]").inner_text() == "All sites"


# Charts ----------------------------------------------------------------------------------------------------------


def test_rows_of_a_chart_are_walked_by_arrows_and_tell_their_values(opened):
    page = opened("three")
    rows = page.locator("#chart-profile-1 .row")
    rows.first.focus()
    tip = page.get_by_role("tooltip")
    assert tip.inner_text().split("\n") == ["Travel", "30 % (17 % to 48 %)", "9 of 30 sites"]
    page.keyboard.press("ArrowDown")
    assert tip.inner_text().startswith("Food & Drink")
    page.keyboard.press("End")
    assert tip.inner_text().startswith("Sports")
    assert page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "tip"
    page.keyboard.press("Escape")
    assert tip.count() == 0
    assert rows.evaluate_all("all => all.map(one => one.tabIndex)") == [-1, -1, -1, 0]


def test_rows_answer_to_the_pointer_with_the_chosen_groups_value(opened):
    page = opened("three", place="#group=Food")
    page.locator("#chart-profile-1 .row").nth(1).hover()
    assert page.get_by_role("tooltip").inner_text().split("\n") == [
        "Food & Drink",
        "Food: 80 %, 8 of 10 sites",
        "All sites: 27 % (14 % to 44 %), 8 of 30 sites",
    ]
    page.mouse.move(2, 2)
    assert page.get_by_role("tooltip").count() == 0


def test_cells_of_a_heatmap_are_walked_both_ways(opened):
    page = opened("three")
    page.locator(".heat td[data-group]").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.get_by_role("tooltip").inner_text().split("\n") == ["35 to 44 years", "Food: −31"]


def test_lines_are_followed_by_arrows_and_the_pointer(opened):
    page = unfolded(opened("three"))
    field = page.locator("#chart-coverage-2 [data-lines]")
    field.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("tooltip").inner_text().split("\n") == ["Sites, number: 29", "topics seen: 9.1"]
    assert page.get_by_role("status").inner_text() == "29, topics seen: 9.1"
    field.hover(position={"x": 80, "y": 80})
    assert page.get_by_role("tooltip").inner_text().startswith("Sites, number: 1\n")


# Tables ----------------------------------------------------------------------------------------------------------


def test_table_is_sorted_by_its_numbers_and_its_words(opened):
    page = unfolded(opened("three"))
    spend = page.locator("#sites-1 th", has_text="Spend")
    spend.get_by_role("button").click()
    spend.get_by_role("button").click()
    assert spend.get_attribute("aria-sort") == "descending"
    assert page.locator(f"{FIRST} td:nth-child(2)").all_inner_texts()[:2] == ["29,014.5", "28,014.0"]
    site = page.locator("#sites-1 thead th").first
    site.get_by_role("button").press("Enter")
    assert (site.get_attribute("aria-sort"), spend.get_attribute("aria-sort")) == ("ascending", None)
    assert page.locator(f"{FIRST} th").all_inner_texts()[:3] == [
        "a-very-long-name-of-a-site-site-4.example",
        "site-1.example",
        "site-2.example",
    ]


def test_table_is_filtered_and_long_ones_begin_with_fifty_rows(opened):
    page = unfolded(opened("thousand"))
    assert page.locator(FIRST).count() == 50
    page.locator("#sites-1").get_by_role("searchbox").fill("site-99")
    assert page.locator(FIRST).count() == 11
    assert page.locator("#sites-1 .count").inner_text() == "11 of 1,000 rows"
    page.locator("#sites-1").get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Show all 1,000 rows").click()
    assert page.locator(FIRST).count() == 1000


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_rows_that_are_shown_are_copied_as_a_table_without_formulas(opened, has_clipboard):
    page = unfolded(opened("hostile", permissions=["clipboard-read", "clipboard-write"]))
    if not has_clipboard:
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.locator("#sites-1").get_by_role("searchbox").fill("site-30.")
    page.locator("#sites-1").get_by_role("button", name="Copy").click()
    page.get_by_role("status").get_by_text("Copied").wait_for(state="attached")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0].split("\t") == ["Site", "Spend", "Group", "Top topic", "Age (inferred)"]
    assert lines[1].split("\t")[:2] == [f"{HOSTILE}site-30.example", "29014.5"]
    assert len(lines) == 2
    cell = page.locator("#sites-1 tbody tr:not(.out) td").last
    cell.evaluate("cell => { cell.textContent = '=1+1'; }")
    page.locator("#sites-1").get_by_role("button", name="Copy").click()
    page.wait_for_timeout(200)
    assert page.evaluate("navigator.clipboard.readText()").endswith("\t'=1+1")


# Cards -----------------------------------------------------------------------------------------------------------


def test_card_opens_with_enter_goes_on_and_closes_with_escape(opened):
    page = unfolded(opened("three", place="#group=Food"))
    page.locator(f"{FIRST} a").first.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="site-2.example")
    assert dialog.get_by_text("81 % sure").count() == 1
    assert dialog.locator(".tag").all_inner_texts() == ["measured", "inferred"]
    assert page.evaluate("location.hash") == "#site-site-2.example&group=Food"
    assert page.get_by_role("button", name="Previous").is_disabled()
    page.get_by_role("button", name="Next").click()
    assert page.get_by_role("dialog").get_by_role("heading", level=3).inner_text() == "site-5.example"
    assert page.locator("#card-place").inner_text() == "2 of 10"
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0
    # A dialog tells that it was closed when it is gone from sight.
    page.wait_for_url("**#group=Food")
    assert page.evaluate("document.activeElement.textContent") == "site-2.example"


def test_address_of_a_card_opens_it_also_among_very_many(opened):
    page = opened("thousand", place="#site-site-900.example")
    assert page.get_by_role("dialog").get_by_role("heading", level=3).inner_text() == "site-900.example"
    page.get_by_role("button", name="Close").click()
    assert page.get_by_role("dialog").count() == 0


# Safe, and whole without its script ------------------------------------------------------------------------------


def test_hostile_texts_do_nothing_wherever_they_are_shown(opened):
    page = unfolded(opened("hostile"))
    page.evaluate("() => { window.alert = () => console.error('an alert'); }")
    page.locator("select").select_option(index=1)
    page.locator("#chart-proofs-1 .row:not(.axis)").last.hover()
    assert HOSTILE in page.get_by_role("tooltip").inner_text()
    page.locator(f"{FIRST} a").first.click()
    assert HOSTILE in page.get_by_role("dialog").inner_text()
    assert page.locator("img").count() == 0


def test_policy_blocks_scripts_styles_and_requests_that_are_brought_in(opened):
    page = opened("three")
    page.evaluate(
        """() => {
          for (const [name, text] of [['script', 'window.broken = 1'], ['style', 'body { color: rgb(1, 2, 3) }']]) {
            const element = document.createElement(name);
            element.textContent = text;
            document.body.append(element);
          }
          const brought = '<p id=brought style="color: rgb(1, 2, 3)" onclick="window.broken = 1">';
          document.body.insertAdjacentHTML('beforeend', brought);
          document.getElementById('brought').click();
        }"""
    )
    assert page.evaluate("fetch('https://outside.invalid/').then(() => 'asked', () => 'blocked')") == "blocked"
    assert page.evaluate("window.broken") is None
    assert page.locator("#brought").evaluate("one => getComputedStyle(one).color") != "rgb(1, 2, 3)"
    blocked = [fault for fault in page.faults if "Content Security Policy" in fault]
    assert len(blocked) >= 5
    page.faults.clear()


@pytest.mark.parametrize("width", [1280, 360])
def test_everything_is_there_without_the_script(opened, width):
    page = opened("three", width, java_script_enabled=False)
    report = made_report()
    shot(page, f"no_script_{width}")
    for text in (report.title, report.answer, *(part.title for part in (*report.proofs, *report.parts))):
        assert page.get_by_text(text, exact=True).first.is_visible()
    page.locator("#sites-1 summary").first.click()
    assert page.locator("#sites-1 tbody tr:visible").count() == 30
    page.locator("#proofs-1 summary").first.click()
    assert page.locator("#proofs-1 tbody tr:visible").count() == 7
    assert page.locator("button:visible, select:visible, input:visible").count() == 0
    page.locator("#sites-1 tbody a").nth(4).click()
    assert page.locator("#site-site-5\\.example").is_visible()


def test_page_is_printed_without_what_is_for_the_screen_and_says_what_is_left_out(opened):
    page = opened("thousand")
    page.emulate_media(media="print")
    assert page.locator("#sites-1 tbody tr:visible").count() == 50
    assert page.locator("#sites-1 .cut").inner_text().startswith("Printed here: 50 of 1,000 rows;")
    assert page.locator("nav:visible, :not(th) > button:not(.chip):visible, input:visible, select:visible").count() == 0
    assert page.locator(".list .card:visible").count() == 0
    assert "not printed" in page.locator("#cards .paper").inner_text()


def test_print_is_short_and_has_what_was_opened(opened):
    """Pictures have their numbers at their ends: tables of the same double the pages."""
    page = opened("thousand")
    page.emulate_media(media="print")
    assert page.locator("#proofs-1 figure").is_visible()
    assert not page.locator("#proofs-1 table").is_visible()
    assert page.locator("#proofs-1 .reading").is_visible()
    assert page.locator("#main .part:not(.part-proofs) .reading:visible").count() == 0
    page.emulate_media(media="screen")
    page.locator("#proofs-1 .drawn summary").click()
    page.emulate_media(media="print")
    assert page.locator("#proofs-1 table").is_visible()


def pages_of(page, **paper):
    """The texts of the pages that are printed."""
    return [text for text in page.pdf(format="A4", **paper).split(b"/Type /Page\n") if text][1:]


def test_the_sample_is_printed_on_ten_pages_at_most(opened):
    """It took sixteen: half of each was empty, and what is folded on the screen was printed unfolded."""
    assert len(pages_of(opened("sample"))) in range(7, 11)


def test_what_is_folded_is_printed_as_its_sentence_unless_it_was_opened(opened):
    page = opened("sample")
    page.emulate_media(media="print")
    folds = page.locator(".part-profile .fold")
    assert folds.count() > 3
    assert folds.locator("h3").first.is_visible()
    shown = "(all) => all.filter((one) => one.checkVisibility({contentVisibilityAuto: true})).length"
    assert folds.locator("figure").evaluate_all(shown) == 0
    page.emulate_media(media="screen")
    folds.first.locator("summary").first.click()
    page.emulate_media(media="print")
    assert folds.locator("figure").evaluate_all(shown) == 1
    # The list of sites is what a client looks for.
    assert page.locator("#sites-1 tbody tr:visible").count() == 50


def test_pictures_of_the_profile_are_printed_two_beside_each_other_and_all_beside_their_words(opened):
    page = opened("sample")
    page.set_viewport_size({"width": 680, "height": 1000})
    page.emulate_media(media="print")
    words, picture = (page.locator(f"#proofs-1 {name}").bounding_box() for name in (".words", ".chart"))
    assert words["x"] + words["width"] <= picture["x"]
    first, second = (page.locator(f".part-profile .piece:nth-of-type({n})").bounding_box() for n in (1, 2))
    assert first["y"] == second["y"]
    assert first["x"] + first["width"] <= second["x"]


def test_nothing_small_is_printed_larger_than_the_text(opened):
    """Sources were: their size was of the root, that of the text of the paper."""
    page = opened("sample")
    page.emulate_media(media="print")
    sizes = "(all) => Math.max(...all.map((one) => parseFloat(getComputedStyle(one).fontSize)))"
    body = page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    for small in (".source", ".caption", ".tag", "td", ".kicker"):
        assert page.locator(small).evaluate_all(sizes) < body, small


def test_all_rows_are_printed_once_they_were_asked_for(opened):
    page = unfolded(opened("thousand"))
    page.get_by_role("button", name="Show all 1,000 rows").click()
    page.emulate_media(media="print")
    assert page.locator("#sites-1 tbody tr:visible").count() == 1000
    assert not page.locator("#sites-1 .cut").is_visible()


def test_table_that_is_not_printed_whole_says_so_without_the_script(opened):
    page = opened("thousand", java_script_enabled=False)
    page.emulate_media(media="print")
    assert page.locator("#sites-1 tbody tr:visible").count() == 50
    assert "first 50 of 1,000 rows" in page.locator("#sites-1 .cut").inner_text()


def test_what_is_folded_opens_where_the_menu_leads_to_it(opened):
    page = opened("three")
    table = page.locator("#sites-1 table")
    assert not table.is_visible()
    page.get_by_role("navigation").get_by_role("link", name="Sites", exact=True).click()
    assert table.is_visible()


@pytest.mark.parametrize("height", [700, 1500])
def test_menu_marks_what_begins_at_the_top_however_tall_the_window_is(opened, height):
    page = opened("three")
    page.set_viewport_size({"width": 1300, "height": height})
    marked = page.locator("nav [aria-current]")
    page.evaluate("dispatchEvent(new Event('scroll'))")
    page.wait_for_timeout(100)
    assert marked.all_inner_texts() == ["The answer"]
    page.evaluate("scrollTo(0, document.querySelector('.part-profile').getBoundingClientRect().top + scrollY - 60)")
    page.wait_for_timeout(100)
    names = page.locator(".part-profile .piece h3").evaluate_all("all => all.map((one) => one.id)")
    first = marked.get_attribute("href").removeprefix("#")
    assert first == "profile" or names[0].startswith(first)


def test_choice_of_a_group_stands_in_the_row_of_the_contents_on_a_phone(opened):
    phone = opened("three", 390)
    contents, choice = phone.get_by_text("Contents").bounding_box(), phone.locator(".choice select").bounding_box()
    assert abs(contents["y"] + contents["height"] / 2 - choice["y"] - choice["height"] / 2) < 8


def test_menu_says_where_the_reader_is_and_closes_on_a_phone(opened):
    page = opened("three")
    page.get_by_role("navigation").get_by_role("link", name="Methods").click()
    page.locator("nav [aria-current]", has_text="Methods").wait_for()
    phone = opened("three", 360)
    assert not phone.get_by_role("navigation").is_visible()
    phone.get_by_text("Contents").click()
    phone.get_by_role("navigation").get_by_role("link", name="Methods").click()
    assert not phone.get_by_role("navigation").is_visible()
    assert phone.evaluate("document.activeElement.id") == "methods"
