"""Pages taken apart: text, tags, facts, context, signals and technologies, from any bytes."""

import codecs
import json
import subprocess
import sys
from dataclasses import fields
from signal import SIGALRM, alarm, signal

import pytest
from cases import every
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.company.enrichment import enrich
from toolkit.service.company.wanted import GROUPS
from toolkit.service.knowledge.vocabulary import service_vocabulary
from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import Page, count_tokens, page_from_text, parse_page
from toolkit.service.readers.context import read_context
from toolkit.service.readers.signals import find_signals
from toolkit.service.subjects.content import ContentResult, Scored

repeatable = settings(max_examples=200)
NOTHING = ContentResult(Page(url=""))


def page(body, *, charset=None, kind="text/html", url="https://kites.example/", headers=None):
    body = body.encode() if isinstance(body, str) else body
    return parse_page(Fetched(url, headers or {}, body, kind, charset))


def with_data(data):
    return page(f'<script type="application/ld+json">{data if isinstance(data, str) else json.dumps(data)}</script>')


def facts(found, *include):
    return enrich("kites.example", found, NOTHING, include or GROUPS)


# Character sets ----------------------------------------------------------------------------------------------------


SAID = "温泉旅館のご案内"


@every(
    ("body", "charset"),
    [
        (f"<title>{SAID}</title>".encode("shift_jis"), "Shift_JIS"),
        (f"<title>{SAID}</title>".encode("euc_jp"), "EUC-JP"),
        (f"<title>{SAID}</title>".encode(), "utf-8"),
        (f"<title>{SAID}</title>".encode(), None),
        (f'<meta charset="Shift_JIS"><title>{SAID}</title>'.encode("shift_jis"), None),
        (f"<meta charset=shift_jis><title>{SAID}</title>".encode("shift_jis"), None),
        (
            f'<meta http-equiv=Content-Type content="text/html; charset=EUC-JP"><title>{SAID}</title>'.encode("euc_jp"),
            None,
        ),
        (codecs.BOM_UTF8 + f"<title>{SAID}</title>".encode(), "iso-8859-1"),
        (codecs.BOM_UTF16_LE + f"<title>{SAID}</title>".encode("utf-16-le"), None),
        (codecs.BOM_UTF16_BE + f"<title>{SAID}</title>".encode("utf-16-be"), "utf-8"),
        (f'<meta charset="iso-8859-1"><title>{SAID}</title>'.encode(), "utf-8"),
        (f"<title>{SAID}</title>".encode(), "no-such-charset"),
        (f'<meta charset="no-such-charset"><title>{SAID}</title>'.encode(), None),
        (f"<title>{SAID}</title>".encode(), "iso-8859-1"),
        (f"<title>{SAID}</title>".encode(), "Shift_JIS"),
        (f"<title>{SAID}</title>".encode(), "utf-16"),
        (f'<meta charset="windows-1252"><title>{SAID}</title>'.encode(), None),
        (f'<meta charset="windows-1252"><title>{SAID}</title><p>{SAID}'.encode()[:-1], "iso-8859-1"),
        (f'<meta charset="windows-1252"><title>{SAID}</title><p>{SAID * 9}<p>'.encode() + b"\xe9", "iso-8859-1"),
        (f'<?xml version="1.0" encoding="Shift_JIS"?><title>{SAID}</title>'.encode("shift_jis"), None),
        (f'<title>{SAID}</title><p>Kites<meta charset="Shift_JIS">'.encode("shift_jis"), None),
        (f"<title>{SAID}</title>".encode("iso2022_jp"), "iso-2022-jp"),
        (f"<title>{SAID}</title>".encode("utf-16-be"), "utf-16be"),
    ],
)  # fmt: skip
def test_the_character_set_is_found(body, charset):
    assert page(body, charset=charset).title == SAID


@pytest.mark.parametrize("declared", ["utf-8", "windows-1252", None])
def test_a_few_accents_of_windows_1252_are_not_read_as_utf_8(declared):
    body = "<title>Café Größe</title><p>Kites “fly” à la mode".encode("cp1252")
    assert page(body, charset=declared).title == "Café Größe"


def test_a_page_without_a_charset_that_is_no_utf8_is_read_as_windows_1252():
    assert page("<title>Déjà vu: naïve café, Größe</title>".encode("cp1252")).title == "Déjà vu: naïve café, Größe"


@pytest.mark.parametrize("declared", ["iso-8859-1", "latin1", "us-ascii"])
def test_latin_1_is_read_as_windows_1252_as_browsers_do(declared):
    body = f'<meta charset="{declared}"><title>“Kites” 5 €</title>'.encode("cp1252")
    assert page(body).title == "“Kites” 5 €"


@pytest.mark.parametrize("declared", ["utf-16", "utf-16le", "utf-16be"])
def test_a_meta_tag_that_claims_utf_16_is_not_believed(declared):
    # A page in UTF-16 could not have been read up to its meta tag.
    for padding in ("", " "):
        assert page(f'<meta charset="{declared}"><title>Kites</title>{padding}').title == "Kites"


@pytest.mark.parametrize(
    "declared", ["undefined", "unicode_escape", "raw_unicode_escape", "idna", "punycode", "rot13", "hex", "-"]
)
def test_a_charset_that_is_no_character_set_does_no_harm(declared):
    body = r"<title>Kites \d \u0041</title>"
    assert page(f'<meta charset="{declared}">{body}').title == r"Kites \d \u0041"
    assert page(body, charset=declared).title == r"Kites \d \u0041"


@pytest.mark.parametrize("charset", ["utf-8", "shift_jis", "euc_jp", "gb18030"])
@pytest.mark.parametrize("declare", ["header", "meta"])
def test_a_page_cut_in_the_middle_of_a_character_keeps_the_rest(charset, declare):
    source = (
        f"<meta charset={charset}><title>{SAID}</title><p>{SAID}"
        if declare == "meta"
        else f"<title>{SAID}</title><p>{SAID}"
    )
    found = page(source.encode(charset)[:-1], charset=charset if declare == "header" else None)
    assert found.title == SAID
    assert SAID[:-1] in found.text


def test_a_single_wrong_byte_does_not_cost_the_declared_charset():
    body = f"<title>{SAID}</title><p>".encode("shift_jis") + b"\xff" + f"<p>{SAID}".encode("shift_jis")
    assert page(body, charset="shift_jis").title == SAID


# Tags --------------------------------------------------------------------------------------------------------------


FULL = """<!doctype html><html lang="en-GB"><head><title> Kites
  and   lines </title>
<meta name="Description" content=" Plans &amp; knots "><meta name="keywords" content="kites, knots,, line ">
<meta property="og:site_name" content="Tall Tails"><meta name="generator" content="WordPress 6.5">
<link rel="canonical" href="/"><link rel="stylesheet" href="/wp-content/style.css"><script src="app.js"></script></head>
<body><header>Header words</header><nav><a href="/knots">Nav words</a></nav>
<main><h1>Kites made <em>at home</em></h1><p>Start with a sled made of ripstop nylon and two long bamboo spars.</p>
<h2>Wind</h2><p>Fly it in a steady breeze between nine and twenty kilometres an hour.</p><h4>Small</h4>
<script>var script_words = 1;</script><style>.style_words{}</style><noscript>noscript words</noscript>
<p hidden>hidden words</p><div aria-hidden="true">aria words</div><template>template words</template></main>
<div class="cookie-banner">cookie words</div><form>form words</form><footer>Footer words</footer></body></html>"""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title", "Kites and lines"),
        ("description", "Plans & knots"),
        ("language", "en"),
        ("keywords", ("kites", "knots", "line")),
        ("headings", ("Kites made at home", "Wind")),
        ("scripts", ("https://kites.example/wp-content/style.css", "https://kites.example/app.js")),
        ("links", (("https://kites.example/knots", "Nav words", "nav"),)),
    ],
)
def test_the_head_and_the_headings_are_read(name, value):
    assert getattr(page(FULL), name) == value


TRAIL = """<html><head><title>Linen shirt</title><meta property="article:section" content="Style">
<script type="application/ld+json">{"@type": "BreadcrumbList", "itemListElement": [
{"@type": "ListItem", "name": "Home"}, {"@type": "ListItem", "item": {"@id": "/x", "name": "Summer clothes"}}]}</script>
<script type="application/ld+json">{"@type": "Product", "category": "Apparel > Shirts"}</script></head>
<body class="has-breadcrumbs"><nav aria-label="Breadcrumb"><a href="/">Home</a><a href="/men">Menswear</a></nav>
<main><p>A shirt.</p></main></body></html>"""


def test_the_sections_that_a_page_states_are_read_and_not_those_that_every_site_has():
    found = page(TRAIL, url="https://kites.example/shop/fine-cloth/2024/p123/linen-shirt").sections
    assert found == ("Style", "Summer clothes", "Apparel", "Shirts", "Menswear", "fine cloth")
    assert page(TRAIL.replace('aria-label="Breadcrumb"', "")).sections == found[:4]


@every(
    "source",
    [
        '<script type="application/ld+json">{"@type": "BreadcrumbList", "itemListElement": 4}</script>',
        '<script type="application/ld+json">{"@type": "Product", "category": {"name": 1}}</script>',
        '<script type="application/ld+json">{"@type": "Thing", "category": "https://schema.example/Thing"}</script>',
        "<ol class=crumbs>" + "<li><a href=/x>Knots</a>" * 40 + "</ol>",
        "<ol class=crumbs><li><a href=/x>" + "Knots " * 40 + "</a></ol>",
    ],
)
def test_what_names_no_section_is_none(source):
    assert page(source).sections == ()


def test_metas_are_by_lower_case_name_or_property():
    metas = page(FULL).metas
    assert (metas["description"].strip(), metas["og:site_name"], metas["generator"]) == (
        "Plans & knots", "Tall Tails", "WordPress 6.5",
    )  # fmt: skip


def test_the_main_text_has_the_content():
    assert "ripstop nylon" in page(FULL).text
    assert "steady breeze" in page(FULL).text


@every(
    "part", ["Header", "Nav", "Footer", "script_", "style_", "noscript", "hidden", "aria", "template", "cookie", "form"]
)
def test_the_main_text_has_nothing_around_the_content(part):
    assert f"{part} words".replace("_ ", "_") not in page(FULL).text


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<p>Words</p>", ""),
        ('<meta property="og:title" content="Kites ">', "Kites"),
        ('<title></title><meta property="og:title" content="Kites">', "Kites"),
        ("<title>Kites</title><title>Other</title>", "Kites"),
        ("<title>Kites<b>bold</b></title>", "Kites<b>bold</b>"),
        ("<title>Kites", "Kites"),
    ],
)
def test_the_title(source, title):
    assert page(source).title == title


@pytest.mark.parametrize(("lang", "language"), [("de", "de"), ("pt-BR", "pt"), ("JA", "ja"), ("", ""), ("en_GB", "en")])
def test_the_language_is_the_first_part_of_the_tag(lang, language):
    assert page(f'<html lang="{lang}"><p>Words</p>').language == language


PLACES = """<body><header><a href=/1>Logo</a><nav><a href=/2>Home</a></nav></header>
<nav><a href=/3>Kites</a></nav>
<main><article><header><h1>Sleds</h1><a href=/4>By Jane Doe</a></header><p>See <a href=/5>the plans</a>.</p>
<div class="share-buttons"><a href=/6>Tweet</a></div><div class="author-bio"><a href=/7>Jane Doe</a></div>
<footer><a href=/8>Tags</a></footer></article>
<section id="comments"><p><a href=/9>Joe</a>: it flies</p></section></main>
<aside><a href=/10>Deltas</a></aside><footer><nav><a href=/11>Imprint</a></nav><div class=social-links>
<a href=/12>Follow us</a></div></footer>"""


@pytest.mark.parametrize(
    ("place", "numbers"),
    [
        ("header", [1, 2]),
        ("nav", [3]),
        ("main", [4, 5]),
        ("aside", [6, 7, 8, 10]),
        ("comments", [9]),
        ("footer", [11, 12]),
    ],
)
def test_a_link_stands_in_its_place(place, numbers):
    addresses = [link.address for link in page(PLACES).links if link.place == place]
    assert addresses == [f"https://kites.example/{number}" for number in numbers]


def test_a_long_menu_does_not_cost_the_links_of_the_footer():
    menu = "".join(f"<li><a href=/{number}>Kite {number}</a>" for number in range(2_000))
    assert page(f"<nav><ul>{menu}</ul></nav><p>Kites</p><footer><a href=/imprint>Imprint</a></footer>").links[-1] == (
        "https://kites.example/imprint",
        "Imprint",
        "footer",
    )


def test_the_first_of_two_descriptions_counts():
    assert page('<meta name=description content="one"><meta name=description content="two">').description == "one"


@pytest.mark.parametrize("href", ["http://[::1", "javascript:alert(1)", "   ", "//[", "http://a b/"])
def test_a_link_to_nowhere_does_no_harm(href):
    assert page(f'<a href="{href}">x</a><script src="{href}"></script>').title == ""


# Structured data ---------------------------------------------------------------------------------------------------


@every(
    ("data", "types"),
    [
        ({"@type": "Organization"}, ["Organization"]),
        ([{"@type": "A"}, {"@type": "B"}], ["A", "B"]),
        ({"@graph": [{"@type": "A"}, {"@type": "B"}]}, ["A", "B"]),
        ({"@type": "Top", "@graph": {"@type": "A"}}, ["A", "Top"]),
        ([[{"@type": "A"}]], ["A"]),
        ({"name": "no type"}, []),
        ("text", []),
        (7, []),
        (None, []),
        ('{"@type": "A", "name": "two\nlines"}', ["A"]),
        ('{"@type": "A",}', []),
        ('{"@type": "A"', []),
        ("", []),
        ("<!-- -->", []),
    ],
)
def test_structured_data_is_flattened(data, types):
    assert [item["@type"] for item in with_data(data).json_ld] == types


@every("opening", ["[", '{"@graph":'])
@every("depth", [50, 500, 900, 950, 970, 980, 985, 990, 2_000, 100_000])
def test_structured_data_nested_too_deep_does_no_harm(opening, depth):
    closing = "]" if opening == "[" else "}"
    assert len(with_data(opening * depth + '{"@type": "A"}' + closing * depth).json_ld) <= 1


def test_a_broken_block_does_not_cost_the_others():
    block = '<script type="application/ld+json">{}</script>'.format
    assert [i["@type"] for i in page(block("{broken") + block('{"@type": "A"}')).json_ld] == ["A"]


@pytest.mark.parametrize("kind", ["Product", "https://schema.org/Product", ["Thing", "Product"]])
def test_structured_data_is_found_by_type(kind):
    assert [item["name"] for item in with_data({"@type": kind, "name": "Sled"}).structured("Product")] == ["Sled"]


@pytest.mark.parametrize("kind", [7, None, [], {}, ["", None]])
def test_structured_data_with_an_odd_type_is_not_found(kind):
    assert list(with_data({"@type": kind}).structured("Product")) == []


# Odd pages ---------------------------------------------------------------------------------------------------------


def test_plain_text_is_its_own_text_and_its_first_line_the_title():
    found = page("Letterpress\n\nInk & <paper>\n", kind="text/plain")
    assert (found.title, found.text) == ("Letterpress", "Letterpress\n\nInk & <paper>\n")


@every("kind", ["text/html", "text/plain"])
@every("body", [b"", b" \n ", b"\x00", b"<html></html>", b"<!-- only -->", codecs.BOM_UTF8])
def test_an_empty_page_has_no_words(kind, body):
    if kind == "text/plain":
        body = body.replace(b"<html></html>", b"").replace(b"<!-- only -->", b"")
    assert page(body, kind=kind).tokens == 0


def test_a_page_of_200_kilobytes_is_read_to_its_end():
    source = "<h1>Glossary</h1>" + "".join(
        f"<p>Entry {n} explains opening number {n} of the game.</p>" for n in range(4_000)
    )
    assert len(source) > 200_000
    assert "Entry 3999 explains" in page(source).text


def test_deeply_nested_tags_are_read():
    assert "words" in page("<div>" * 5_000 + "words" + "</div>" * 5_000).text


def test_xhtml_with_an_encoding_declaration_is_read():
    source = '<?xml version="1.0" encoding="utf-8"?><html><body><p>Kites fly</p></body></html>'
    assert page(source, kind="application/xhtml+xml").text == "Kites fly"


def test_a_text_becomes_a_page_of_that_text_alone():
    assert page_from_text("Kites fly") == Page(url="", text="Kites fly")


def test_a_page_without_content_is_read_silently():
    program = (
        "from toolkit.service.pages.fetching import Fetched; from toolkit.service.pages.parsed import parse_page;"
        "[parse_page(Fetched('', {}, body, 'text/html', None)) for body in (b'', b'words', b'<p>', bytes(5))]"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("a 1 22 !", 0),
        ("kites fly", 2),
        ("温泉旅館", 2),
        ("温泉 hotel", 2),
        ("naïve Größe", 2),
        ("한국어입니다", 3),
    ],
)
def test_words_are_counted(text, count):
    assert count_tokens(text) == count


TEXTS = ("url", "title", "description", "language", "text", "footer", "quoted")


@repeatable
@example(b'<meta charset="undefined">', "text/html", None)
@example(b"<svg><title>x</title></svg><title>y", "text/html", None)
@example(b"<frameset><frame>", "text/html", "utf-7")
@example(b"\xff\xfe\x00", "text/html", None)
@given(
    st.binary(max_size=400)
    | st.lists(
        st.sampled_from(
            [
                b"<html>",
                b"<head>",
                b"<title>",
                b"</title>",
                b"<body>",
                b"<table>",
                b"<tr><td>",
                b"<p>",
                b"<h1>",
                b"<svg>",
                b'<meta name="description" content="',
                b'"',
                b">",
                b'<a href="',
                b"<script type=application/ld+json>",
                b"</script>",
                b'{"@type":"A"}',
                b"<template>",
                b"<!--",
                b"-->",
                b"<![CDATA[",
                b"&#0;&#xd800;",
                b"\x00",
                b"words ",
                b"\xff",
                b"<main>",
                b"<frameset>",
                b'<meta charset="utf-16">',
            ]
        ),
        max_size=25,
    ).map(b"".join),
    st.sampled_from(["text/html", "text/plain", "application/xml"]),
    st.sampled_from([None, "utf-8", "shift_jis", "utf-16", "nonsense"]),
)
def test_any_bytes_become_a_page_of_texts(body, kind, charset):
    found = page(body, kind=kind, charset=charset)
    assert {name for name in TEXTS if not isinstance(getattr(found, name), str)} == set()
    assert all(
        isinstance(text, str) for text in (*found.keywords, *found.headings, *found.scripts, *found.metas.values())
    )
    assert all(isinstance(text, str) for link in found.links for text in link)
    assert {field.name for field in fields(found)} >= {*TEXTS}
    found.text.encode()


# Context -----------------------------------------------------------------------------------------------------------


def test_the_context_s_words_are_of_the_vocabulary():
    known = service_vocabulary().values
    context = read_context(page(FULL))
    for name in ("content_type", "reading_level", "price_signals"):
        assert getattr(context, name) in known[name]


@every(
    ("data", "path", "content_type"),
    [
        ({"@type": "Review"}, "/x", "review"),
        ({"@type": "Product"}, "/x", "product_page"),
        ({"@type": "NewsArticle"}, "/x", "news"),
        ({"@type": "Recipe"}, "/x", "guide"),
        ({"@type": "BlogPosting"}, "/x", "blog"),
        ({"@type": "TechArticle"}, "/x", "documentation"),
        ({"@type": "Event"}, "/x", "event_page"),
        ({}, "/docs/start", "documentation"),
        ({}, "/forum/", "forum"),
        ({}, "/blog/kites", "blog"),
        ({}, "/about", "corporate"),
        ({}, "/glossary", "reference"),
        ({}, "/", "landing_page"),
        ({"@type": "Organization"}, "/", "landing_page"),
        ({"@type": "SoftwareApplication"}, "/x", "product_page"),
        ({"@type": "BankAccount"}, "/x", "product_page"),
        ({}, "/help/kites", "guide"),
        ({}, "/insights/kites", "article"),
        ({}, "/releases/kites-2", "documentation"),
        ({}, "/releases/2026/11/18/kites", "news"),
        ({}, "/p/letter-on-kites-112", "article"),
        ({}, "/kites", "article"),
    ],
)
def test_the_content_type_is_the_data_s_or_the_path_s(data, path, content_type):
    source = f'<script type="application/ld+json">{json.dumps(data)}</script><p>Words about kites</p>'
    assert read_context(page(source, url=f"https://kites.example{path}")).content_type == content_type


def test_a_page_of_many_prices_is_a_category_page():
    source = "".join(f"<p>Kite number {n}: ${n}9.50</p>" for n in range(1, 9))
    assert read_context(page(source, url="https://kites.example/all")).content_type == "category_page"


def test_data_of_several_products_make_a_category_page():
    data = json.dumps([{"@type": "Product", "name": name} for name in ("Delta", "Box")])
    source = f'<script type="application/ld+json">{data}</script><p>Words about kites</p>'
    assert read_context(page(source, url="https://kites.example/all")).content_type == "category_page"


@pytest.mark.parametrize(
    ("mark", "content_type"),
    [
        ('<meta property="og:type" content="article">', "article"),
        ('<meta property="og:type" content="product">', "product_page"),
        ('<meta name="author" content="A. Reed">', "article"),
        ("<time datetime='2026-01-01'>New Year</time>", "article"),
        ('<meta name="generator" content="phpBB">', "forum"),
        ("", "corporate"),
    ],
)
def test_marks_tell_an_article_from_a_page_of_a_company(mark, content_type):
    source = f"<html><head>{mark}</head><body><p>We sell kites. Our team helps you.</p></body></html>"
    assert read_context(page(source, url="https://kites.example/kites")).content_type == content_type


def test_prose_that_mentions_sums_is_no_listing():
    prose = "The wind rose over the hill and nobody on the beach looked up for a long while."
    source = "".join(
        f"<p>{prose}</p><p>{prose}</p><p>{prose}</p><p>{prose}</p><p>One cost ${n}.</p>" for n in range(1, 9)
    )
    assert read_context(page(source, url="https://kites.example/all")).content_type == "article"


SIMPLE = "The cat sat on the mat. The dog ran to the cat. It was a fun day. We had a good time. " * 5
HARD = (
    "Notwithstanding the methodological heterogeneity of the field, contemporary epidemiological investigations "
    "consistently demonstrate multifactorial pathophysiological interdependencies characterising cardiovascular "
    "comorbidities, and are thereby necessitating comprehensive interdisciplinary re-evaluation of pharmacological "
    "recommendations and institutional administrative responsibilities. "
) * 5


@pytest.mark.parametrize(("text", "level"), [(SIMPLE, "basic"), (HARD, "expert"), ("", "basic"), ("1 2 3", "basic")])
def test_the_reading_level_follows_sentences_and_syllables(text, level):
    assert read_context(page_from_text(text)).reading_level == level


SETUP = (
    "Mount the controller on the DIN rail. Set the baud rate to 19200. Map each Modbus register to a tag in the PLC. "
    "Commit the firmware. Restart the service with the admin token. Check the log for a timeout. Roll back the "
    "cluster if a node drops out. Open a ticket with the vendor. Do not patch in office hours. Tell operations first. "
    "Back up the tenant before you migrate the schema. Rotate the keys of each endpoint. Pin the version in the build. "
    "Then tag the release and tell the site engineer. Wire the relay to the input module and ground the shield at one "
    "end. Load the ladder logic from the project file. Set the gateway, the subnet mask and the station address. Test "
    "the interlock with the drive in manual mode. Log each alarm with its code, and export the trend as a table for "
    "the commissioning report. Store the backup on the plant server, not on a laptop."
)
KITTEN = (
    "Put the litter tray in a quiet corner of the room. Fill a bowl with fresh water each day. Feed your kitten four "
    "small meals until she is three months old. Let her sleep where she wants to. Hide a treat in a toy mouse. Stroke "
    "her behind the ears when she purrs. Keep the window shut at night. Take her to the vet for her jabs, and ask when "
    "she can be spayed. Brush her coat once a week. Buy a scratching post before she finds your sofa. Play with a "
    "feather on a string. If she hides under the bed, leave her there, and she will come out for her dinner. Children "
    "should sit on the floor and wait. Do not pick her up by the scruff. Kittens nap a lot, and so will you."
)


def test_what_is_documented_for_people_at_work_is_not_basic():
    told = read_context(page(f"<p>{SETUP}</p>", url="https://plc.example/docs/setup"))
    assert (told.content_type, told.reading_level) == ("documentation", "intermediate")
    assert told.grounds["reading_level"].endswith("documentation for people at work")
    assert read_context(page(f"<p>{SETUP}</p>", url="https://plc.example/blog/4711")).reading_level == "basic"
    assert read_context(page(f"<p>{KITTEN}</p>", url="https://cats.example/docs/kitten")).reading_level == "basic"


def test_the_reading_level_of_another_language_is_missing():
    assert read_context(page_from_text("Der Hund läuft über die Wiese und holt den Ball. " * 5)).reading_level is None


@every(
    ("text", "signal"),
    [
        ("Kites are flown by the sea.", "none"),
        ("The kite costs $29.00 and the line $12.50.", "mid_range"),
        ("The kite costs 29,00 € and the line 12,50 €.", "mid_range"),
        ("The bike costs $1,299.00 and the frame $2,499.00.", "premium"),
        ("Das Rad kostet 1.299,00 €, der Rahmen 2.499,00 €.", "premium"),
        ("Le vélo coûte 1 049,00 €, le cadre 2 099,00 €.", "premium"),
        ("The kite costs 29,5 € and the line 12,5 €.", "mid_range"),
        ("Line costs $99.5 a roll, cord $89.5.", "mid_range"),
        ("The kite costs 1.299 € and the line 1.450 €.", "premium"),
        ("Discount kites at bargain prices. Clearance of all lines, $5 and $6.", "budget"),
        ("A luxury suite with a private villa and a butler.", "luxury"),
        ("Bespoke kites. A bespoke kite costs $49.00, its line $12.50 and its bag $9.00.", "mid_range"),
        ("Bespoke kites. A bespoke kite costs $4,900, its line $1,250 and its frame $2,900.", "luxury"),
        ("Tell us what you need and request a quote.", "quote"),
        ("The editor is open source and free forever.", "free"),
        ("The parser is open source.", "none"),
        ("A saver has $34,750 in savings and owes $61,000 on a loan.", "none"),
        ("The council raised $140,000 and a grant of $9,000,000.", "none"),
    ],
)
def test_price_signals_follow_amounts_and_wording(text, signal):
    assert read_context(page_from_text(text)).price_signals == signal


@pytest.mark.parametrize(("path", "signal"), [("/news/kites", "none"), ("/blog/kites", "none"), ("/kites", "premium")])
def test_sums_that_an_article_mentions_are_no_prices(path, signal):
    source = "<p>The museum's kite costs $1,299.00.</p><p>Its frame costs $2,499.00.</p>"
    assert read_context(page(source, url=f"https://kites.example{path}")).price_signals == signal


@pytest.mark.parametrize(
    ("path", "signal"),
    [
        ("Style & Fashion", "premium"),
        ("Home & Garden > Interior Decorating", "mid_range"),
        ("Automotive", "mid_range"),
        ("Personal Finance", "none"),
        ("Sports > Cycling", "mid_range"),
        ("Sports > Boxing", "premium"),
    ],
)
def test_what_is_dear_depends_on_what_is_sold(path, signal):
    category = Taxonomy.load("content-v3").by_path(path)
    found = (Scored(category.id, category.path, category.tier, 0.9),)
    offers = page_from_text("The one costs $1,299.00 and the other $1,499.00.")
    assert read_context(offers, found).price_signals == signal


def test_context_says_what_decided_each_value():
    found = read_context(
        page("<p>The kite costs $29.00 and the line $12.50.</p>", url="https://kites.example/reviews/kite")
    )
    assert found.content_type == "review"
    assert "/reviews" in found.grounds["content_type"]
    assert "2 prices" in found.grounds["price_signals"]
    assert "words a sentence" in found.grounds["reading_level"]


@pytest.mark.parametrize("text", ["$", "$,", "$1,", "€.", "$" + "9" * 400, "$1.2.3.4 and 5,,5 €", "$²", "$١٢ and $٣"])
def test_odd_amounts_do_no_harm(text):
    assert read_context(page_from_text(f"{text} {text}")).price_signals in service_vocabulary().values["price_signals"]


# Signals -----------------------------------------------------------------------------------------------------------


def test_each_signal_stands_once_with_its_greatest_weight():
    found = find_signals(page("<title>Sled kites</title><h1>Sled kites</h1><p>Sled kites and sled kites.</p>"))
    signals = {signal.text: signal for signal in found}
    assert len(signals) == len(found)
    assert (signals["sled kites"].source, signals["sled kites"].weight) == ("title", 1.0)


@pytest.mark.parametrize(
    ("source", "phrase", "place"),
    [
        ("<meta name=keywords content='box kites'>", "box kites", "keyword"),
        ("<h2>Parafoil repair</h2>", "parafoil repair", "heading"),
        ("<meta name=description content='Rokkaku plans'>", "rokkaku plans", "description"),
        ('<script type="application/ld+json">{"@type":"Product","name":"Delta kit"}</script>', "delta kit", "product"),
        ("<p>Swivel clips, swivel clips.</p>", "swivel clips", "text"),
    ],
)
def test_signals_say_where_they_stand(source, phrase, place):
    assert [signal.source for signal in find_signals(page(source)) if signal.text == phrase] == [place]


def test_there_are_at_most_forty_signals_weightiest_first():
    found = find_signals(
        page("".join(f"<h2>Topic{chr(97 + n // 26)}{chr(97 + n % 26)}</h2>" for n in range(39)) + FULL)
    )
    weights = [signal.weight for signal in found]
    assert len(found) <= 40
    assert weights == sorted(weights, reverse=True)


def test_a_page_without_words_has_no_signals():
    assert find_signals(page("")) == ()


@repeatable
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_has_lower_case_signals_of_limited_weight(title, text):
    for found in find_signals(Page(url="", title=title, text=text)):
        assert found.text.strip()
        assert 0 < found.weight <= 1


# Technologies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "headers", "name", "category"),
    [
        ('<meta name="generator" content="WordPress 6.5">', {}, "WordPress", "CMS"),
        ('<script src="/wp-content/themes/a/app.js"></script>', {}, "WordPress", "CMS"),
        ('<link rel="stylesheet" href="/wp-includes/a.css">', {}, "WordPress", "CMS"),
        ("<p>x</p>", {"x-shopid": "61840277519"}, "Shopify", "E-commerce"),
        ("<p>x</p>", {"set-cookie": "woocommerce_cart_hash=1; path=/"}, "WooCommerce", "E-commerce"),
        ('<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script>', {}, "jQuery", "JavaScript library"),
        ("<!-- This is Squarespace. -->", {}, "Squarespace", "Website builder"),
    ],
)
def test_technologies_are_seen_in_tags_scripts_headers_and_cookies(source, headers, name, category):
    assert (name, category) in page(source, headers=headers).technologies


@pytest.mark.parametrize(
    "source",
    ["<p>We love WordPress and jQuery.</p>", '<meta name="generator" content="not WordPress">', "<p>/wp-content/</p>"],
)
def test_words_about_a_technology_are_not_the_technology(source):
    assert page(source).technologies == ()


def test_a_technology_seen_twice_stands_once():
    found = page('<meta name="generator" content="WordPress 6"><script src="/wp-content/a.js"></script>').technologies
    assert [name for name, _ in found].count("WordPress") == 1


# Facts about the company -------------------------------------------------------------------------------------------


COMPANY = {
    "@type": "Organization",
    "name": "Tall Tails",
    "description": "Kites",
    "foundingDate": "1998-04-05",
    "numberOfEmployees": {"@type": "QuantitativeValue", "value": 42},
    "address": {
        "@type": "PostalAddress",
        "streetAddress": "Cliff Lane 1",
        "addressLocality": "Whitby",
        "addressRegion": "North Yorkshire",
        "addressCountry": {"@type": "Country", "name": "GB"},
    },
    "email": "mailto:fly@kites.example",
    "telephone": "+44 1947 555 0101",
    "sameAs": [
        "https://www.linkedin.com/company/tall-tails",
        "https://twitter.com/talltails",
        "https://github.com/talltails",
        "https://www.instagram.com/talltails",
    ],
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", "Tall Tails"),
        ("description", "Kites"),
        ("founded_year", 1998),
        ("headquarters", {"city": "Whitby", "state": "North Yorkshire", "country": "GB"}),
        ("employee_range", "11-50"),
    ],
)
def test_company_facts_are_the_structured_data_s(name, value):
    assert facts(with_data(COMPANY))["company"][name] == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("linkedin_url", "https://www.linkedin.com/company/tall-tails"),
        ("twitter_handle", "@talltails"),
        ("github_org", "talltails"),
        ("profiles", ["https://www.instagram.com/talltails"]),
    ],
)
def test_social_facts_are_the_structured_data_s(name, value):
    assert facts(with_data(COMPANY))["social"][name] == value


def test_contact_facts_are_the_structured_data_s():
    assert facts(with_data(COMPANY))["contact"] == {
        "emails": ["fly@kites.example"],
        "phones": ["+44 1947 555 0101"],
        "addresses": ["Cliff Lane 1, Whitby, North Yorkshire"],
    }


STATED = page("<p>Founded in 1987 in Leeds, we are 40 people</p>")


@pytest.mark.parametrize(
    ("name", "value"), [("founded_year", 1987), ("headquarters", {"city": "Leeds"}), ("employee_range", "11-50")]
)
def test_company_facts_are_read_from_the_text_alone(name, value):
    assert facts(STATED)["company"].get(name) == value


@pytest.mark.parametrize(
    ("people", "band"),
    [
        (1, "1-10"),
        (10, "1-10"),
        (11, "11-50"),
        (200, "51-200"),
        (500, "201-500"),
        (1000, "501-1000"),
        (5000, "1001-5000"),
        (5001, "5001+"),
    ],
)
def test_a_number_of_employees_becomes_its_band(people, band):
    assert facts(with_data({"@type": "Organization", "numberOfEmployees": people}))["company"]["employee_range"] == band


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("More than 30,000 people have walked with us.", "employee_range"),
        ("Walk with 3 friends along the coast.", "employee_range"),
        ("We are 5 minutes from the station.", "employee_range"),
        ("A tent for 4 people weighs two kilograms.", "employee_range"),
        ("Our prices are unchanged since 2019.", "founded_year"),
        ("The path has been closed since 2021.", "founded_year"),
        ("Pisos desde 1999 euros.", "founded_year"),
        ("Kites fly.", "name"),
    ],
)
def test_a_fact_that_the_page_does_not_state_is_absent(text, name):
    assert name not in facts(page(f"<p>{text}</p>"))["company"]


def test_an_empty_page_has_no_facts():
    found = facts(page(""))
    assert {name: value for name, value in found.items() if value} == {"domain": "kites.example"}


@pytest.mark.parametrize(
    "include", [["company"], ["technologies"], ["categories"], ["traffic"], ["social"], ["firmographics"]]
)
def test_only_the_wanted_groups_are_answered(include):
    belongs = {
        "company": {"company"}, "firmographics": {"company"}, "technologies": {"technologies"},
        "categories": {"categories", "taxonomies", "content_classification", "brand_safety_flags"},
        "traffic": {"traffic"}, "social": {"social", "contact"},
    }  # fmt: skip
    assert set(facts(with_data(COMPANY), *include)) == {"domain"} | belongs[include[0]]


def test_hostile_markup_in_a_name_stays_data():
    name = '=HYPERLINK("http://evil.example")<img src=x onerror=alert(1)>\u202egnp'
    found = with_data(json.dumps({"@type": "Organization", "name": name}).replace("<", "\\u003c"))
    assert facts(found)["company"]["name"] == name


@every(
    "odd",
    [
        {"sameAs": 5},
        {"sameAs": True},
        {"sameAs": {"@id": "x"}},
        {"sameAs": ["http://[", None, 7]},
        {"numberOfEmployees": "9" * 5_000},
        {"numberOfEmployees": {"minValue": [1], "maxValue": {}}},
        {"numberOfEmployees": [{"value": 5}]},
        {"name": "\ud800"},
        {"name": ["Tall", "Tails"]},
        {"foundingDate": {"@value": "1998"}},
        {"foundingDate": "98765"},
        {"address": [None, {"addressCountry": [1]}]},
        {"contactPoint": [5, None, {"email": {"x": 1}}]},
        {"contactPoint": "text"},
        {"logo": float("nan")},
    ],
)
def test_odd_structured_data_makes_facts_that_travel(odd):
    found = facts(with_data({"@type": "Organization", **odd}))
    json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    company = found["company"]
    assert all(isinstance(company.get(name, ""), str) for name in ("name", "description", "employee_range"))
    assert "[" not in company.get("employee_range", "")
    assert 1000 <= company.get("founded_year", 1998) <= 2100


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["@type", "name", "value", "email", "x"]), inner)
    ),
    max_leaves=6,
)
NAMES = (
    "name",
    "description",
    "foundingDate",
    "numberOfEmployees",
    "address",
    "sameAs",
    "email",
    "telephone",
    "contactPoint",
)


@repeatable
@given(st.dictionaries(st.sampled_from(NAMES), anything, max_size=4), st.sampled_from(["Organization", "Article"]))
def test_any_structured_data_makes_facts_that_travel(odd, kind):
    data = {"@type": kind, **odd} if kind == "Organization" else {"@type": kind, "publisher": odd}
    found = facts(with_data(json.dumps(data).replace("<", "\\u003c")))
    json.dumps(found, ensure_ascii=False, allow_nan=False).encode()


# Pages made to be slow ---------------------------------------------------------------------------------------------


@pytest.fixture
def hurry():
    """Ends a test that hangs; what is not bounded would run for minutes or hours."""

    def ring(*_):
        raise AssertionError("still reading after 20 seconds")

    before = signal(SIGALRM, ring)
    alarm(20)
    yield
    alarm(0)
    signal(SIGALRM, before)


@pytest.mark.parametrize("kind", ["text", "keywords", "name"])
@pytest.mark.parametrize(
    "unit", ["1,", "1.", "1 000", "a.", "a@", "a-", " ", "\t", "- ", "in 1999 ", "\\ud83e", "__sveltekit_"]
)
def test_a_text_of_300_kilobytes_of_one_thing_is_read_to_its_end(hurry, unit, kind):
    much = unit * (300_000 // len(unit))
    body = {
        "text": much,
        "keywords": f'<meta name="keywords" content="{much}"><script>{much}</script>',
        "name": f'<script type="application/ld+json">{{"@type": "Organization", "name": "{much}"}}</script>',
    }[kind]
    found = page(body, kind="text/plain" if kind == "text" else "text/html")
    assert read_context(found).price_signals == "none"
    assert len(find_signals(found)) <= 40
    assert facts(found)["domain"] == "kites.example"


@pytest.mark.parametrize("unit", ["<div>", "<div></x>", "<ul><li>", "<p>", "<p>word "])
def test_a_page_of_a_megabyte_of_one_tag_is_read(hurry, unit):
    assert page(f"<title>Kites</title>{unit * (1_000_000 // len(unit))}").title == "Kites"


def test_a_page_that_is_long_and_not_deep_is_read_to_its_end():
    assert page("<div>Kites</div>" * 30_000 + "<p>The last line").text.endswith("The last line")


# Facts from the text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("We are a small roastery, founded in 2006 in an old mill.", 2006),
        ("Established 1987. Open daily.", 1987),
        ("Unser Unternehmen, gegründet im Jahr 1893, braut Bier.", 1893),
        ("We have been selling and renting kites since 1978.", 1978),
        ("In business since 1961.", 1961),
        ("Est. 1954", 1954),
        ("The museum next door was founded in 1987.", None),
        ("We have been closed since 2021.", None),
        ("Founded in 19870 words.", None),
    ],
)
def test_the_founding_year_is_the_company_s(text, year):
    assert facts(page(f"<p>{text}</p>"))["company"].get("founded_year") == year


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("Founded in 1987 in Århus by two sailors.", "Århus"),
        ("We are based in San Luis Obispo.", "San Luis Obispo"),
        ("We are based in an old mill.", None),
        ("A film based in Paris.", None),
        ("Founded in January 1990.", None),
    ],
)
def test_the_founding_city_is_the_company_s(text, city):
    assert facts(page(f"<p>{text}</p>"))["company"].get("headquarters", {}).get("city") == city


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("Today 212 people work here, at six sites.", "201-500"),
        ("It is a family business with 58 employees.", "51-200"),
        ("We employ about 1,200 people.", "1001-5000"),
        ("Most of our clients have between five and 500 employees.", None),
        ("We are 40 minutes from Leeds.", None),
    ],
)
def test_the_employees_are_the_company_s(text, band):
    assert facts(page(f"<p>{text}</p>"))["company"].get("employee_range") == band


def test_a_profile_that_is_no_web_address_is_not_passed_on():
    data = {"@type": "Organization", "sameAs": ["javascript://linkedin.com/company/x%0aalert(1)"]}
    assert facts(with_data(data))["social"] == {}


def test_where_a_script_would_write_all_of_a_page_what_stands_for_it_is_read():
    told = "The mouth of the kiln is bricked up at dusk, and the stoker sits by it until the cones are down. "
    shell = "<html><head><title>Kiln</title></head><body><div id='app'></div><noscript>{}</noscript>{}</body></html>"
    assert "the stoker sits by it" in page(shell.format(f"<p>{told * 3}</p>", "")).text
    beside = page(shell.format("<p>Switch scripts on.</p>", f"<p>{told * 3}</p>"))
    assert "Switch scripts on" not in beside.text
