"""Pages that sell are told by marks of selling, whatever they are made with, and show what is bought there."""

import json
from pathlib import Path

import pytest

from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import parse_page
from toolkit.service.readers.segmentation import structured_shape
from toolkit.service.subjects.readings import classified, taken_apart

#: Shops in a dozen kinds of mark-up without structured data, and articles with prices and shop widgets beside them;
#: `intents` is null where the page leaves open which follow.
PAGES = [json.loads(line) for line in Path(__file__).with_name("shop_pages.jsonl").read_text("utf-8").splitlines()]


def segmented(url, html):
    return structured_shape(url, classified(taken_apart(Fetched(url, {}, html.encode(), "text/html", "utf-8"))))


def kind(answer):
    return answer["content_context"]["content_type"]


def intents(answer):
    return answer["purchase_intent"]["codes"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page["name"])
def test_what_is_sold_is_told_from_what_is_told_of_whatever_a_page_is_made_with(page):
    answer = segmented(page["url"], page["html"])
    assert kind(answer) in page["kinds"]
    assert page["intents"] in (None, intents(answer))


def test_what_stands_beside_a_page_is_not_sold_on_it():
    widget = '<p>£12.00</p><form action="/cart/add"><input name="quantity"><button>Add to cart</button></form>'
    page = "<html lang=en><title>Kites</title><main><h1>Kites</h1><p>They fly in wind.</p></main>"
    for beside in ("<aside>{}</aside>", "<div class=sidebar>{}</div>", "<footer>{}</footer>", "<nav>{}</nav>"):
        found = parse_page(
            Fetched("https://a.example/x", {}, (page + beside.format(widget)).encode(), "text/html", "utf-8")
        )
        assert found.selling.kinds == 0, beside
    inside = page.replace("</main>", f"{widget}</main>")
    found = parse_page(Fetched("https://a.example/x", {}, inside.encode(), "text/html", "utf-8"))
    assert found.selling.is_of_one


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("Add to basket", "en"),
        ("In den Warenkorb", "de"),
        ("Ajouter au panier", "fr"),
        ("Añadir al carrito", "es"),
        ("Aggiungi al carrello", "it"),
        ("Adicionar ao carrinho", "pt"),
        ("In winkelwagen", "nl"),
    ],
)
def test_what_buys_is_understood_in_each_language(words, language):
    for control in (f"<button>{words}</button>", f'<input type=submit value="{words}">', f"<div>{words} »</div>"):
        source = f"<html lang={language}><title>X</title><h1>X 200</h1><p>49,90 €</p><p>SKU: 12</p>{control}"
        found = parse_page(Fetched("https://a.example/x", {}, source.encode(), "text/html", "utf-8"))
        assert found.selling.is_of_one, control


def test_prose_that_speaks_of_carts_and_prices_has_no_marks_of_selling():
    source = "<html lang=en><title>X</title><h1>X</h1>" + (
        "<p>Shoppers who add to cart at £40 in stock stores, said the firm, often leave without buying anything. "
        + "They choose a size and a quantity, read that delivery costs £4.95 for orders under £25, and go.</p>" * 3
    )
    found = parse_page(Fetched("https://a.example/x", {}, source.encode(), "text/html", "utf-8"))
    assert not found.selling.is_of_one
    assert not found.selling.is_of_many
