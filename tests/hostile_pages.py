"""Pages made to take long: each kind is as large as it is asked to be, and grows some part of a page with it."""

import json
from itertools import count, islice

__all__ = ["KINDS", "hostile_page"]

WORDS = "We fold the flour into the egg whites, then bake the sponge cake for half an hour in our kitchen in Leeds. "


def _filled(size, unit, *, joined=""):
    """Repeat a text, or texts that a function makes of numbers, up to a size."""
    if isinstance(unit, str):
        return (unit + joined) * (size // len(unit + joined) + 1)
    length = len(unit(10**6)) + len(joined)
    return joined.join(unit(number) for number in islice(count(), size // length + 1))


def _around(inner, head=""):
    return f"<!doctype html><html><head><title>Kites</title>{head}</head><body><p>{WORDS}</p>{inner}</body></html>"


def _markup(unit):
    return lambda size: _around(_filled(size, unit))


def _prose(unit):
    return lambda size: _around(f"<main><p>{_filled(size, unit)}</p></main>")


def _lines(unit):
    return lambda size: _around(f"<main>{_filled(size, f'<p>{unit}</p>')}</main>")


def _footer(unit):
    return lambda size: _around(f"<footer><p>{_filled(size, unit)}</p></footer>")


def _nested(start, end="", most=10**9):
    def made(size):
        times = min(size // (len(start) + len(end)), most)
        return _around(start * times + WORDS + end * times)

    return made


def _below(start, first, unit):
    """Nest as deep as is let through, and fill the innermost part."""
    return lambda size: _around(start * 5_900 + first + _filled(size - 5_900 * len(start), unit))


def _data(entry):
    def made(size):
        text = json.dumps([entry(number) for number in range(size // len(json.dumps(entry(10**6))) + 1)])
        return _around("", f'<script type="application/ld+json">{text}</script>')

    return made


def _named(size):
    data = {"@type": "Organization", "name": "Acme " * 900, "alternateName": ["a b " * 1200] * 6}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    return _around(f"<main><p>{_filled(size, 'Acme a b ')}</p></main>", head)


KINDS = {
    # Tags
    "attribute names of one tag": lambda size: _around(f"<div {_filled(size, lambda n: f'a{n}', joined=' ')}>x</div>"),
    "attributes with values": lambda size: _around(f"<div {_filled(size, lambda n: f'a{n}=1', joined=' ')}>x</div>"),
    "attributes of the body again": lambda size: _around(_filled(size, lambda n: f"<body a{n}=1>")),
    "attributes of html again": lambda size: _around(_filled(size, lambda n: f"<html a{n}=1>")),
    "attributes of an end tag": lambda size: _around(f"</div {_filled(size, lambda n: f'a{n}', joined=' ')}>x"),
    "attribute without an end": lambda size: _around(f'<a href="{"x" * size}'),
    "tag without an end": lambda size: _around("<" + "a" * size),
    "unclosed tags": lambda size: _around("<a " * (size // 3)),
    "attributes of quotes": _markup("<a b='\">\"' "),
    "attributes of equal signs": _markup("<a ="),
    "attributes just few enough": _markup("<a " * 99 + ">"),
    "classes": lambda size: _around(f'<div class="{_filled(size, lambda n: f"c{n}", joined=" ")}">x</div>'),
    "many classes": _markup('<p class="cookie-quote-footer-review x">x</p>'),
    "nested divs": _nested("<div>"),
    "nested divs, closed": _nested("<div>", "</div>"),
    "nested spans with text": _nested("<span>x "),
    "nested bold": _nested("<b>"),
    "nested formatting": _nested("<b><i><a><font><u>"),
    "misnested formatting": _markup("<b><i></b></i>"),
    "misnested blocks": _markup("<a><p></a>"),
    "adoption": _markup("<b><div></b>"),
    "paragraphs in formatting": _markup("<p><b><i><u><font color=1>"),
    "formatting of many kinds": lambda size: _around(_filled(size, lambda n: f"<font size={n}>") + "<p>x" * 1000),
    "formatting, then paragraphs": lambda size: _around(
        "".join(f"<font a{n}=1>" for n in range(2000)) + "<p>x" * (size // 4)
    ),
    "nested paragraphs": _markup("<p>x"),
    "nested lists": _nested("<ul><li>x"),
    "nested definition lists": _nested("<dl><dd>x"),
    "nested tables": _nested("<table><tr><td>x"),
    "tables": _markup("<table><tr><td>one<td>two</table>"),
    "tables of links": _markup("<table><tr><td><a href=/x>one</a></table>"),
    "a table of cells": lambda size: _around(f"<table>{_filled(size, '<tr><td>one<td>two')}</table>"),
    "a row of cells": lambda size: _around(f"<table><tr>{_filled(size, '<td>x')}</table>"),
    "a table of rows, one wide": lambda size: _around(
        f"<table><tr>{'<td>x' * (size // 10)}{'<tr><td>y' * (size // 20)}</table>"
    ),
    "cells over many columns": lambda size: _around(
        f"<table>{_filled(size, '<tr><td colspan=1000><b>one</b>')}</table>"
    ),
    "cells over many rows": lambda size: _around(
        f"<table><tr>{'<td rowspan=1000><b>x</b>' * (size // 50)}{'<tr><td>y' * (size // 20)}</table>"
    ),
    "nested tables of cells": _nested(f"<table><tr>{'<td>x' * 50}<tr><td>"),
    "a table of links": lambda size: _around(f"<table>{_filled(size, '<tr><td><a href=/x>one</a>')}</table>"),
    "strays in a table": lambda size: _around(f"<table>{_filled(size, 'x<b>')}</table>"),
    "nested forms": _nested("<form><div>"),
    "forms": _markup("<form><input></form>"),
    "options": lambda size: _around(f"<select>{_filled(size, '<option>x')}</select>"),
    "nested svg": _nested("<svg><g>"),
    "nested math": _nested("<math><mi>"),
    "nested templates": _nested("<template>"),
    "nested buttons": _nested("<button>x"),
    "nested objects": _nested("<object>"),
    "nested ruby": _nested("<ruby><rt>x"),
    "nested asides": _nested("<aside><p>x"),
    "nested quotes": _nested("<blockquote><p>x"),
    "nested, each of its own name": lambda size: _around(_filled(size, lambda n: f"<x{n}>") + "x"),
    "closed, each of no name": lambda size: _around("<div>" * 2000 + _filled(size, lambda n: f"</x{n}>")),
    "end tags": lambda size: _around("<div><b><i>" * 1500 + "</b>" * (size // 4)),
    "end tags of paragraphs": _markup("</p>"),
    "line breaks": _markup("<br>x"),
    "hidden": _markup("<div hidden>x</div>"),
    "nested hidden": _nested("<div hidden>"),
    "footers": _markup("<footer>x</footer>"),
    "nested footers": _nested('<div class="footer"><p>x'),
    "quotes": _markup("<blockquote>x</blockquote>"),
    "headings": _markup("<h2>x</h2>"),
    "headings of teasers": _markup("<p>Related</p>"),
    "headings of comments": _markup("<p>Comments</p>"),
    "titles in share bars": _markup("<div class=share><h1>x</h1></div>"),
    "titles within share bars": _nested("<div class=share><h1>x</h1>", "</div>", most=5_900),
    "lines within chapters": _below("<div id=comments>", "<h2>Comments</h2>", "x<br>"),
    "lines within headers": _below("<header>", "<h1>x</h1>", "x<br>"),
    "paragraphs within parts": _below("<div>", "", f"<p>{WORDS}</p>"),
    "nested headings": _nested("<h1><span>x"),
    "trails": _markup('<nav class="breadcrumb"><a href=/x>one</a></nav>'),
    "nested trails": _nested('<div class="crumbs"><a href=/x>one</a>'),
    "trails of long links": lambda size: _around(f"<nav class=crumbs><a href=/x>{'one ' * (size // 4)}</a></nav>"),
    "cells of a grid": _markup("<div><a href=/x>one</a><span>£1.00</span><button>Add to cart</button></div>"),
    "nested cells": _nested("<div><a href=/x>one</a><p>£1.00</p>"),
    "fields of a cart": _markup("<form action=/cart/add><input name=qty><input type=submit value=Buy></form>"),
    "labels without an end": _markup("<button>add to my shopping</button>"),
    "links": _markup("<a href=/x/y>one</a> "),
    "links of dots": lambda size: _around(f'<a href="{"../" * (size // 3)}">x</a>'),
    "links to mail": _markup("<a href=mailto:a@b.example>x</a>"),
    "images": _markup("<img src=/a.png>"),
    "scripts": _markup("<script src=/a.js></script>"),
    "metas": lambda size: _around("", _filled(size, lambda n: f'<meta name="a{n}" content=1>')),
    "a long meta": lambda size: _around("", f'<meta name=description content="{"a " * (size // 2)}">'),
    "keywords": lambda size: _around("", f'<meta name=keywords content="{"a," * (size // 2)}">'),
    "title": lambda size: f"<title>{'Kites ' * (size // 6)}</title><p>{WORDS}",
    "comments": _markup("<!-- x -->"),
    "unclosed comment": lambda size: _around("<!--" + "-" * size),
    "comments unclosed": _markup("<!--"),
    "processing instructions": _markup("<?x "),
    "doctypes": _markup("<!doctype html>"),
    "cdata": _markup("<![CDATA[ x ]]>"),
    "entities": _markup("&amp;"),
    "entities of no name": _markup("&notanentity"),
    "numeric entities": _markup("&#x1F600;"),
    "zeros": _markup("\0"),
    "less-than signs": _markup("< "),
    "carriage returns": _markup("\r"),
    "white space": _markup(" \n\t"),
    # Structured data
    "data of organisations": _data(lambda n: {"@type": "Organization", "url": f"https://a{n}.example/"}),
    "data of equal organisations": _data(lambda n: {"@type": "Organization", "url": "https://a.example/"}),
    "data of products": _data(lambda n: {"@type": "Product", "name": f"p{n}", "offers": {"price": n}}),
    "data of people": _data(lambda n: {"@type": "Person", "name": f"Jane Doe{n}", "worksFor": {"name": "x"}}),
    "data of anything": _data(lambda n: {"@type": "Thing"}),
    "data of many types": _data(lambda n: {"@type": ["Thing"] * 50}),
    "data of publishers": _data(lambda n: {"@type": "Thing", "publisher": {"name": "x"}}),
    "nested data": lambda size: _around("", f'<script type="application/ld+json">{"[" * size}</script>'),
    "nested graphs": lambda size: _around(
        "", f'<script type="application/ld+json">{"{" + chr(34) + "@graph" + chr(34) + ":["}</script>' * (size // 50)
    ),
    "nested offers": lambda _: _around(
        "",
        '<script type="application/ld+json">{"@type":"Product","offers":' + "[" * 900 + "]" * 900 + "}</script>",
    ),
    "offers": lambda size: _around(
        "",
        '<script type="application/ld+json">{"@type":"Product","offers":['
        + _filled(size, '{"price":"1.0"}', joined=",")
        + '{"price":2}]}</script>',
    ),
    "digits of data": lambda size: _around("", f'<script type="application/ld+json">[{"1" * size}]</script>'),
    "escapes of data": lambda size: _around(
        "", '<script type="application/ld+json">["' + "\\ud800" * (size // 6) + '"]</script>'
    ),
    "types without end": lambda size: _around(
        "",
        f'<script type="application/ld+json">{{"@type":"NGO","description":"{"We are " * (size // 7)}"}}</script>',
    ),
    "a long name": _named,
    # Words
    "one word": _prose("a"),
    "one word of the alphabet": _prose("abcdefghijklmnopqrstuvwxyz"),
    "one word of joints": _prose("a'b-c&d+"),
    "single letters": _prose("a "),
    "different words": lambda size: _around(f"<p>{_filled(size, lambda n: f'w{n:x}', joined=' ')}</p>"),
    "accents": _prose("é"),
    "combining marks": _prose("a\u0301\u0300\u0327"),
    "marks alone": _prose("\u0301"),
    "Han": _prose("温泉旅館"),
    "kana": _prose("あいうえお"),
    "Thai": _prose("ภาษาไทย"),
    "ligatures": _prose("\ufdfa"),
    "vowels": _prose("aeiou"),
    "emoji": _prose("\U0001f600"),
    "sentences": _prose("We fly. "),
    "stops": _prose(". "),
    "stops without space": _prose("."),
    "line ends": lambda size: _around(f"<pre>{chr(10) * size}</pre>"),
    "lines": _lines("x"),
    "capitals": _prose("Aa "),
    "names": _prose("Jane van Doe "),
    "names without end": _prose("Dr. Aa de la Aa "),
    "names in lines": _lines("Jane Doe"),
    "titles": _prose("our CEO, and CTO / "),
    "we": _prose("we "),
    "we have": _prose("We have also recently just "),
    "we of many words": _lines("We are a " + "proud, " * 60),
    "raised": _prose("We raised a new $5 million "),
    "revenue": _prose("our total revenue in our last fiscal year "),
    "founded": _prose("founded in "),
    "founded in a year": _prose("founded in 1999 in Aa Aa "),
    "trading": _prose("we have been selling a "),
    "in business": _prose("in business since "),
    "employees": _prose("our team of 1,000 "),
    "people": _prose("business with about 1000000 "),
    "mail": _prose("a@a."),
    "mail without end": _prose("a.a."),
    "at signs": _prose("@"),
    "telephone": _prose("tel 1 1 1 1 1 "),
    "telephone of spaces": _prose("call the a a a a "),
    "digits": _prose("1"),
    "digits in groups": _prose("1,111,111 "),
    "digits with spaces": _prose("1 "),
    "brackets and digits": _prose("(1"),
    "addresses": _footer("1 Aa Aa Aa, "),
    "addresses in lines": lambda size: _around(
        f"<footer>{_filled(size, '<p>1 Aa Aa Aa Aa, Aa Aa, Aa 1234</p>')}</footer>"
    ),
    "British addresses": lambda size: _around(
        f"<footer>{_filled(size, '<p>A1 a a a a a, A1 a a, Aa Aa A1 1A</p>')}</footer>"
    ),
    "copyright": _footer("© 2001 - 2002, "),
    "copyright of nobody": _footer("(c) a "),
    "copyright without end": _footer("copyright a"),
    "legal forms": _footer("Aa, Inc. "),
    "openings": _footer("Aa Aa, "),
    "prices": _prose("$1 "),
    "prices without end": _prose("$1,111.11,"),
    "prices in lines": _lines("- Boots from $10.00"),
    "dollars": _prose("$"),
    "prices by month": _prose("$1 a user a "),
    "quotations": _prose("“"),
    "quotations of angles": _prose("«"),
    "quotations low": _prose("„"),
    "quotations straight": _prose('"a '),
    "commission": _prose("We links earn a "),
    "parked": _prose("domain name "),
    "parked of dots": lambda size: _around("<p>domain name " + "a." * 120 + "</p>"),
    "bars": _prose("| "),
    "dashes": _prose("- "),
    "stop words": _prose("the and of "),
    "code": _prose("a_b_c() --d-e f.g-h.py 1.2.3 "),
    "joined code": _prose("a-b_c"),
    "what shops write": _prose("in stock, free uk standard delivery within 30 days add to your basket, "),
    "what shops nearly write": _prose("in stock basket free standard express standard add to my "),
    "fashion of both sexes": _prose("woman's dress and maxi skirt, man's dress shirt with a silk tie and a lapel, "),
    "fashion of nearly a sex": _prose("dress shirts dress shoes high block kitten three-piece two-piece silk cuff "),
    "readers stated": _prose("for men and women, for children aged 5 to 11, over 60s, wholesale tiles ex VAT "),
    "readers nearly stated": _prose(
        "for all our busy active new young start a a a a at for the women's not n't 50 5 to "
    ),
    "premises to let": _prose("warehouse office for your small local business phone "),
    "ages in the head": lambda size: (
        f"<!doctype html><html><head><title>{_filled(size // 2, 'start at aged over 5 to 50 at 50: ')}</title></head>"
        f"<body><p>{_filled(size // 2, 'women men kids for her and him in your ')}</p></body></html>"
    ),
    "reports of harm": lambda size: (
        "<!doctype html><html><head><title>Six dead</title></head><body>"
        f"<p>{_filled(size, 'Six dead, three injured and missing, police said late by until Mon. ')}</p></body></html>"
    ),
    "paths of sections": _data(lambda number: {"@type": "Product", "category": f"Kites {number} > " * 20}),
    "phrases": lambda size: _around(f"<p>{_filled(size, lambda n: f'red kite{n:x} fly', joined=', ')}</p>"),
}


def hostile_page(kind, size):
    """Return the source of a page of a kind, of at most about so many characters."""
    return KINDS[kind](size)
