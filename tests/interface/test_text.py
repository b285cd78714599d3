"""Small HTML tables in which every text is escaped."""

import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from html.parser import HTMLParser

import pytest
from cases import every
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.interface import text as display
from toolkit.interface.text import definition_table, printable, shortened

repeatable = settings(max_examples=100)

ALLOWED = {
    "div": {"class", "style"},
    "strong": set(),
    "table": set(),
    "tr": set(),
    "th": {"scope", "style"},
    "td": {"style"},
    "br": set(),
}
BREAKS = ["\n", "\r", "\r\n", "\t", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"]
NASTY = st.text(max_size=12) | st.sampled_from(
    ["<img src=x onerror=alert(1)>", "</script>", "'\"><b>", "&lt;", "\u202e", ""]
)


class Page(HTMLParser):
    """Collects tags, attributes and texts."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_public_names_are_sorted_and_there():
    assert display.__all__ == sorted(display.__all__)
    assert all(callable(getattr(display, name)) for name in display.__all__)


@every(
    ("number", "digits", "shown"),
    [
        (12.5, 0, "13"),
        (13.5, 0, "14"),
        (-12.5, 0, "-13"),
        (100 * 0.285, 0, "29"),
        (1.005, 2, "1.01"),
        (0.845, 2, "0.85"),
        (0.04, 0, "0"),
        (-0.04, 1, "0.0"),
        (1e30, 0, "1" + "0" * 30),
    ],
)
def test_halves_are_rounded_up_by_the_digits_that_a_person_sees(number, digits, shown):
    assert str(display.rounded(number, digits)) == shown


@repeatable
@given(whole=st.integers(1, 400), part=st.integers(0, 400), digits=st.integers(0, 2))
def test_a_share_is_rounded_as_its_counts_say(whole, part, digits):
    part = min(part, whole)
    exact = Decimal(100 * part) / Decimal(whole)
    assert display.percentage(part / whole, digits) == f"{exact.quantize(Decimal(10) ** -digits, ROUND_HALF_UP)} %"


def test_a_table_holds_title_names_values_and_footer_in_their_order():
    page = Page(definition_table("Title", [("one", "1"), ("two", ["2", "3"])], "Footer"))
    assert page.texts == ["Title", "one", "1", "two", "2", "3", "Footer"]


def test_several_values_stand_on_a_line_each():
    assert "2<br>3" in definition_table("t", [("two", ["2", "3"])])


@pytest.mark.parametrize("value", ["", [], [""], (), ["", ""], "\u202e", ["\x00"]])
def test_a_row_without_a_value_is_left_out(value):
    assert Page(definition_table("t", [("name", value), ("kept", "x")])).texts == ["t", "kept", "x"]


def test_an_empty_value_among_others_is_left_out():
    assert "a<br>b" in definition_table("t", [("name", ["a", "", "b"])])


def test_without_a_footer_there_is_no_place_for_one():
    assert [tag for tag, _ in Page(definition_table("t", [])).tags].count("div") == 1


def test_a_name_is_marked_as_the_head_of_its_row():
    assert {
        attributes["scope"] for tag, attributes in Page(definition_table("t", [("a", "b")])).tags if tag == "th"
    } == {"row"}


@every("place", ["title", "name", "value", "values", "footer"])
@every("text", ["<img src=x onerror=alert(1)>", "</script><b>", "\"'><i>", "&amp;", "</td></table>"])
def test_hostile_text_is_shown_as_it_is_written(place, text):
    html = definition_table(
        text if place == "title" else "t",
        [(text if place == "name" else "n", [text, "v"] if place == "values" else text if place == "value" else "v")],
        text if place == "footer" else "f",
    )
    assert text in Page(html).texts
    assert {tag for tag, _ in Page(html).tags} <= set(ALLOWED)


@repeatable
@given(NASTY, st.lists(st.tuples(NASTY, NASTY | st.lists(NASTY, max_size=3)), max_size=4), NASTY)
def test_any_text_leaves_the_table_whole(title, rows, footer):
    page = Page(definition_table(title, rows, footer))
    assert page.open == []
    assert all(tag in ALLOWED and set(attributes) <= ALLOWED[tag] for tag, attributes in page.tags)
    expected = [title, *(t for n, v in rows for t in row_texts(n, v)), footer]
    assert "".join(page.texts) == "".join(printable(text) for text in expected)


def row_texts(name, value):
    values = [printable(part) for part in ([value] if isinstance(value, str) else value)]
    return [name, *values] if any(values) else []


@every(
    "mark",
    [
        "\u202a",
        "\u202b",
        "\u202c",
        "\u202d",
        "\u202e",
        "\u2066",
        "\u2067",
        "\u2068",
        "\u2069",
        "\u200e",
        "\u200f",
        "\u061c",
    ],
)
def test_marks_that_reorder_text_are_dropped(mark):
    assert printable(f"kites{mark}gnp.exe") == "kitesgnp.exe"


@every("line_break", BREAKS)
def test_words_on_two_lines_stay_apart_on_one(line_break):
    assert printable(f"two{line_break}words").split() == ["two", "words"]


@every("line_break", BREAKS)
def test_a_printable_text_is_one_line(line_break):
    assert len(printable(f"two{line_break}words").splitlines()) == 1


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x9b", "\x80"])
def test_control_characters_are_dropped(character):
    assert printable(f"a{character}b") == "ab"


@pytest.mark.parametrize("text", ["", "plain", "Bücher & Kaffee", "日本語", "العربية", "👩‍💻", "a  b", "10 < 20"])
def test_other_text_is_left_as_it_is(text):
    assert printable(text) == text


@repeatable
@given(st.text())
def test_a_printable_text_has_no_control_characters(text):
    assert not [character for character in printable(text) if unicodedata.category(character) == "Cc"]


@repeatable
@given(st.text())
def test_printing_twice_changes_nothing(text):
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize(
    ("text", "limit", "shown"), [("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…")]
)
def test_a_shortened_text_is_no_longer_than_allowed(text, limit, shown):
    assert shortened(text, limit) == shown


@pytest.mark.parametrize("text", ["\ud83d", "a\udc00b"])
def test_half_a_surrogate_pair_can_be_sent_to_a_notebook(text):
    assert definition_table(text, [(text, text)], text).encode()
