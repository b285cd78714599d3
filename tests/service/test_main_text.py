"""What a page says, and not what stands beside it: its main text, its headings, in pages as sites build them."""

import pytest
from cases import every
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import parse_page

PROSE = """\
The kite climbs best in a steady wind of nine to twenty kilometres an hour, well away from trees.
A sled needs no frame across its width: two spars keep it open, and the wind does the rest if the bridle is even.
Let the line run out a little at a time, walk backwards, and wait until it pulls, for a slack line drops the kite.
Ripstop nylon folds small, dries within the hour and forgives a landing in the gorse, which paper never did up here.
Fly it until the light goes, wind in hand over hand, and look at the knots before it is put away wet for the winter.
""".splitlines()
ARTICLE = "".join(f"<p>{said}</p>" for said in PROSE)
BESIDE = "Parliament votes on the budget after a night of talks"


def page(body, *, url="https://kites.example/sleds/first-flight", head="<title>Sleds</title>"):
    source = body if "<html" in body else f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return parse_page(Fetched(url, {}, source.encode(), "text/html", "utf-8"))


def says_all(found):
    return all(said in found.text for said in PROSE)


# Frames of the page ---------------------------------------------------------------------------------------------------

NAMES = ("has-newsletter", "newsletter", "cookie-banner", "comments", "related sidebar", "hidden", "share modal-open")


@every("name", NAMES)
@every("frame", ["html", "body", "main"])
def test_the_name_of_a_frame_costs_the_page_nothing(frame, name):
    for stated in (f'class="{name}"', f'id="{name}"', "hidden", "aria-hidden=true", 'style="display:none"'):
        tags = {"html": "<html {}><body><main>", "body": "<html><body {}><main>", "main": "<html><body><main {}>"}
        assert says_all(page(f"{tags[frame].format(stated)}<h1>Sleds</h1>{ARTICLE}</main></body></html>"))


@every("name", NAMES)
@every("wrapper", ["div", "section", "article", "form", "aside", "header", "nav", "footer", "div hidden"])
def test_an_element_around_the_whole_page_is_not_beside_it(wrapper, name):
    ended = wrapper.split()[0]
    assert says_all(page(f'<{wrapper} class="{name}"><h1>Sleds</h1>{ARTICLE}</{ended}><footer>© Kites</footer>'))


LONG = "".join(f"<p>{said} Once more: {said.lower()}</p>" for said in PROSE * 2)


@every("name", ["share-tools", "int-nav", "widget", "sidebar", "promo", "blogroll"])
def test_what_holds_nearly_all_prose_is_the_page_whatever_it_is_called(name):
    menu = "".join(f"<li><a href=/{number}>Weekdays at {number} on Kite Channel</a>" for number in range(40))
    tools = "<ul><li>Print<li>Email<li>Share</ul>"
    found = page(f"<ul>{menu}</ul><h1>Sleds</h1><div class={name}>{tools}{LONG}</div><footer>© Kites</footer>")
    assert says_all(found)
    assert "Weekdays" not in found.text


@every("name", ["comments", "footer", "disqus-thread"])
def test_visitors_and_notices_do_not_become_the_page_by_writing_more(name):
    found = page(f"<h1>Sleds</h1>{ARTICLE}<div class={name}>{LONG.replace('kite', 'drone')}</div>")
    assert "drone" not in found.text


def test_a_page_that_is_streamed_into_a_hidden_part_is_read():
    assert says_all(page(f'<div id="root">Loading</div><div hidden id="S:0"><h1>Sleds</h1>{ARTICLE}</div>'))


@pytest.mark.parametrize("source", ["<frameset><frame src=a>", "<body>", "<main></main>", "<html hidden><body hidden>"])
def test_a_page_that_shows_nothing_has_no_text(source):
    assert page(source).text == ""


TAGS = ["main", "article", "aside", "nav", "h1", "h2", "p", "li", "ul", "td", "table", "br", "pre", "form", "button"]
TAGS += ["svg", "select", "option", "template", "noscript", "footer", "header", "frameset"]
PIECES = st.sampled_from(
    [
        *(f"<{tag}>" for tag in TAGS),
        *(f"</{tag}>" for tag in TAGS),
        *('<html class="newsletter">', "<body hidden>", '<div class="comments">', "</div>", "<a href=/>", "</a>"),
        *("Related ", "Kites fly. ", "\n", "\u3000", "温泉 ", f"{PROSE[0]} "),
    ]
)


@settings(max_examples=300)
@example('<html class="newsletter"><body hidden><main hidden>')
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_page_is_answered_with_words_of_its_own(source):
    found = parse_page(Fetched("https://kites.example/a", {}, source.encode(), "text/html", None))
    shown = "".join(source.split())
    for line in found.text.split("\n"):
        for word in line.removeprefix("- ").replace("|", " ").split():
            assert word in shown


# Beside an article ----------------------------------------------------------------------------------------------------

LINKS = "".join(f'<li><a href="/{number}">{BESIDE}, part {number}</a></li>' for number in range(6))
CARDS = "".join(f'<div><h3><a href="/{n}">{BESIDE} {n}</a></h3><p>{BESIDE}, and so on.</p></div>' for n in range(4))
SAID = f"<p>{BESIDE}, I think, and my cousin in Leeds was there with three of her friends all night long.</p>" * 4
SIDES = {
    "a sidebar": f'<div class="sidebar"><h2>{BESIDE}</h2>{SAID}</div>',
    "a column": f'<div id="rightColumn" class="right-rail"><h3>{BESIDE}</h3>{SAID}</div>',
    "related by name": f'<section class="c-related-posts"><h2>{BESIDE}</h2>{CARDS}</section>',
    "related by heading": f"<div class=x1><h2>You may also like</h2>{CARDS}</div>",
    "related without a part of its own": f"<h2>Related stories</h2><ul>{LINKS}</ul>",
    "most read": f"<div class=b7><div class=b8><span>Most read</span></div><ol>{LINKS}</ol></div>",
    "in German": f"<div class=x1><h3>Das könnte Sie auch interessieren</h3>{CARDS}</div>",
    "in French": f"<div class=x1><h3>À lire aussi</h3>{CARDS}</div>",
    "in Japanese": f"<div class=x1><h3>関連記事</h3>{CARDS}</div>",
    "recommended": f'<div class="trc_related_container" id="taboola-below-article">{CARDS}</div>',
    "a list of links": f"<ul class=x9>{LINKS}</ul>",
    "comments by id": f'<section id="comments"><h2>3 thoughts on sleds</h2>{SAID}</section>',
    "comments by class": f'<ol class="commentlist"><li class="comment">{SAID}</li></ol>',
    "comments by heading": f"<div class=x2><h3>Comments (12)</h3><div>{SAID}</div></div>",
    "comments in articles": f'<div id="comments"><article class="comment-body">{SAID}</article></div>',
    "a share bar": f'<div class="social-share"><a href="/t">Tweet</a> <a href="/f">{BESIDE}</a></div>',
    "an author box": f'<div class="authorBox"><h4>{BESIDE}</h4><p>{BESIDE} is a writer of three books.</p></div>',
    "an author box by heading": f"<div class=x3><h4>About the author</h4><p>{BESIDE}.</p></div>",
    "a newsletter box": f'<div class="newsletter-signup"><h3>{BESIDE}</h3><p>{SAID}</p></div>',
    "a consent wall": f'<div id="onetrust-consent-sdk"><h2>{BESIDE}</h2>{SAID}</div>',
    "a cookie text": f'<div class="cookieNotice">{SAID}</div>',
    "an advert": f'<div class="ad-slot">{BESIDE}</div><div class="adsbygoogle">{BESIDE}</div>',
    "an aside": f"<aside><h2>{BESIDE}</h2>{SAID}</aside>",
    "breadcrumbs": f'<ol class="breadcrumb"><li>{BESIDE}</li></ol>',
    "a dialog": f'<div role="dialog"><h2>{BESIDE}</h2>{SAID}</div>',
    "a hidden part": f"<div hidden><h2>{BESIDE}</h2>{SAID}</div>",
    "a form": f"<form><h3>{BESIDE}</h3><label>{BESIDE}</label><button>{BESIDE}</button></form>",
}  # fmt: skip


@every("side", SIDES)
@every("frame", ["{before}<main><article><h1>Sleds</h1>{article}</article></main>{side}",
                 "{before}<div class=c1><h1>Sleds</h1>{article}{side}</div>",
                 "<div class=c0>{side}<div class=c1><h1>Sleds</h1>{article}</div></div>"])  # fmt: skip
def test_what_stands_beside_an_article_is_not_what_it_says(frame, side):
    found = page(frame.format(before="<header><nav>Home</nav></header>", article=ARTICLE, side=SIDES[side]))
    assert says_all(found)
    assert BESIDE not in found.text
    assert found.headings == ("Sleds",)


def test_the_parts_of_the_page_speak_for_nothing():
    header, footer = f"<header><h3>{BESIDE}</h3><nav>{BESIDE}</nav></header>", f"<footer><h3>{BESIDE}</h3></footer>"
    found = page(f"{header}<h1>Sleds</h1>{ARTICLE}{footer}")
    assert (found.headings, BESIDE in found.text) == (("Sleds",), False)


def test_an_extraction_of_a_hundred_words_is_trusted():
    # All that is visible is many times as much.
    found = page(f"<article><h1>Sleds</h1>{ARTICLE}</article><ul class=x>{LINKS * 20}</ul>")
    assert says_all(found)
    assert BESIDE not in found.text


def test_of_a_short_page_all_is_read_that_stands_beside_nothing():
    found = page(f"<h1>Kites</h1><p>Open daily.</p><ul>{LINKS}</ul><div class=share>Tweet</div><nav>Home</nav>")
    assert "Open daily." in found.text
    assert BESIDE in found.text
    assert "Tweet" not in found.text
    assert "Home" not in found.text


def test_a_page_that_is_its_comments_is_read():
    posts = "".join(f'<div class="comment"><p>{said}</p></div>' for said in PROSE)
    assert says_all(page(f"<h1>Sleds?</h1><div class=comments>{posts}</div>"))


# Kinds of pages -------------------------------------------------------------------------------------------------------


def test_the_posts_of_a_forum_are_the_page():
    posts = "".join(
        f'<div class="post has-profile" id="p{place}"><dl class="postprofile"><dt>Joe</dt></dl>'
        f'<div class="postbody"><p class="author">by Joe</p><div class="content">{said}</div></div></div>'
        for place, said in enumerate(PROSE)
    )
    found = page(f'<div id="page-body"><h2>Sleds</h2>{posts}<div class="action-bar"><a href=/1>Reply</a></div></div>')
    assert says_all(found)


def test_the_goods_of_a_shop_are_the_page():
    goods = "".join(
        f'<li class="product-card"><a href="/{n}"><h3>Sled {n}</h3><p>Ripstop nylon</p></a><span>£{n}9.00</span></li>'
        for n in range(1, 9)
    )
    found = page(f'<nav>Shop</nav><main><h1>Sleds</h1><ul class="grid">{goods}</ul></main><footer>Imprint</footer>')
    assert all(f"Sled {n}" in found.text and f"£{n}9.00" in found.text for n in range(1, 9))


def test_what_is_new_is_the_matter_of_a_home_page():
    body = f'<h1>Kites</h1><section class="latest"><h2>This week</h2>{ARTICLE}</section><footer>Imprint</footer>'
    assert says_all(page(body, url="https://kites.example/"))


def test_the_entries_of_a_blog_are_the_page():
    entries = "".join(
        f'<article><h2><a href="/{n}">Sled {n}</a></h2><p>{said}</p></article>' for n, said in enumerate(PROSE)
    )
    found = page(f"<main>{entries}</main>")
    assert says_all(found)
    assert "Sled 3" in found.text


def test_the_entries_of_an_overview_are_the_page_whatever_they_are_called():
    entries = "".join(f'<div class="teaser"><h3><a href=/>Sled</a></h3><p>{said}</p></div>' for said in PROSE)
    intro = (
        "All that we wrote on them in ten years of flying, with the drawings, and with the plans where any are left."
    )
    found = page(f"<h1>Sleds and what holds them up</h1><p>{intro}</p>{entries}")
    assert says_all(found)
    assert intro in found.text


@every("name", ["overlay", "subscribe", "promo", "signup-form"])
def test_the_only_title_of_a_page_is_its_own(name):
    found = page(f'<div class="hero {name}"><h1>Sleds that fly</h1><p>Sewn to order.</p></div><div>{ARTICLE}</div>')
    assert found.headings == ("Sleds that fly",)


def test_a_chapter_on_comments_is_a_chapter():
    chapters = "".join(
        f'<section id="{title.lower()}"><h2>{title}</h2>{ARTICLE}</section>'
        for title in ("Names", "Comments", "Cookies", "Types")
    )
    found = page(f"<main><h1>The language</h1>{chapters}</main>")
    assert found.headings == ("The language", "Names", "Comments", "Cookies", "Types")
    assert found.text.count(PROSE[0]) == 4


def test_code_keeps_its_lines_and_its_comments():
    code = '<pre><code>fly()\n<span class="comment"># up</span>\n  land()</code></pre>'
    assert "fly()\n# up\nland()" in page(f"<h1>Sleds</h1>{ARTICLE}{code}").text


def test_a_table_keeps_its_rows_and_a_list_its_items():
    found = page(
        f"<h1>Sleds</h1>{ARTICLE}<table><tr><th>Spar<th>Length<tr><td>A<td>90 cm</table><ul><li>Two spars</ul>"
    )
    assert "| Spar | Length |\n| A | 90 cm |\n- Two spars" in found.text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>un<b>believ</b>able", "unbelievable"),
        ("<p><a href=/a>Sleds</a><a href=/b>Deltas</a> fly", "Sleds Deltas fly"),
        ("<p>See <a href=/a>the plans</a>.", "See the plans."),
        ("<p><span>4.5</span><span>stars</span>", "4.5 stars"),
        ("<p><a href=/kit>Foam kit</a><b>£7.99</b><em>Not a toy</em>", "Foam kit £7.99 Not a toy"),
        ("<p><b>S</b><em>leds</em>", "Sleds"),
        ("<p>One<br>Two<div>Three</div>Four", "One\nTwo\nThree\nFour"),
        ("<h3><button>How long?</button></h3>", "How long?"),
    ],
)
def test_words_stay_whole_and_apart(source, text):
    assert page(source).text == text


def test_a_heading_in_two_lines_is_one_heading():
    assert page(f"<h1>Sleds<br>and <em>deltas</em></h1>{ARTICLE}").headings == ("Sleds and deltas",)


def test_articles_beside_the_page_do_not_make_it_one():
    assert page(f"<article>{ARTICLE}</article>").has_article_tags
    assert not page(f"<div>{ARTICLE}</div><aside><article>{SAID}</article></aside>").has_article_tags


# Pages of the press ---------------------------------------------------------------------------------------------------

SHORT = """\
The council voted on Tuesday to close the swing bridge for repairs until the spring.
Ferries will cross every ten minutes while it is closed, the harbour master said.
Shopkeepers on the north quay expect to lose a third of their trade by Easter.
A petition against the closure had four thousand names when the debate began.
The bridge was built in 1904 and was last painted when the tramway was taken up.
Engineers found cracks in two of the wheels on which the span turns in August.
The work is to cost nine million and is paid by the county and the port.
""".splitlines()
REPORT = "".join(f"<p>{said}</p>" for said in SHORT)
MENU = "".join(f"<li><a href=/{number}>Weekdays at {number} on Kite Channel</a>" for number in range(9))


def says_the_report(found):
    return all(said in found.text for said in SHORT)


@every("label", ["Featured Article", "Related stories", "68 comments", "Share", "Newsletter", "Most popular"])
@every(
    "frame", ["<div>{}<h1>Bridge</h1>{}</div>", "<p>{}</p><h1>Bridge</h1><div class=postBody>{}</div>", "<h4>{}</h4>{}"]
)
def test_a_label_where_the_matter_begins_does_not_take_it_along(frame, label):
    assert says_the_report(page(f"<ul>{MENU}</ul>{frame.format(label, REPORT)}<ul>{MENU}</ul>"))


def test_comments_below_a_report_are_still_no_part_of_it():
    said = "<p>I cycled over it for thirty years and never saw anybody paint it, whatever they say.</p>" * 9
    found = page(f"<h1>Bridge</h1>{REPORT}<h3>9 comments</h3><div>{said}</div>")
    assert says_the_report(found)
    assert "I cycled" not in found.text


def test_teasers_with_a_line_of_their_own_are_no_part_of_a_report():
    teased = "".join(f"<h4><a href=/{n}>{BESIDE} {n}</a></h4><p>{said}</p>" for n, said in enumerate(PROSE))
    found = page(f"<h1>Bridge</h1>{REPORT}<h3>Related stories</h3><div>{teased}</div>")
    assert says_the_report(found)
    assert not any(said in found.text for said in PROSE)


@every("name", ["articleList share", "newsletter", "promo"])
def test_a_part_with_nearly_all_short_paragraphs_is_the_page_whatever_it_is_called(name):
    assert says_the_report(page(f"<ul>{MENU}</ul><div class='{name}'><ul>{MENU}</ul>{REPORT * 3}</div>"))


@every("name", ["elementor-widget elementor-widget-text-editor", "so-widget-sow-editor", "panel-widget"])
def test_what_a_page_is_built_of_is_no_side_of_it(name):
    sections = "".join(f"<section><div class='{name}'><p>{said}</p></div></section>" for said in PROSE)
    assert says_all(page(f"<h1>Bridge</h1>{sections}<ul>{'<li>We sponsor the rowing club' * 9}</ul>"))
    assert not says_all(page(f"<h1>Bridge</h1>{REPORT}<div class=widget>{ARTICLE}</div>"))


@every(
    "url",
    [
        "https://kites.example/r/sleds/comments/1",
        "https://forum.kites.example/sleds",
        "https://kites.example/t/sleds/9",
    ],
)
def test_the_answers_of_a_thread_are_its_matter(url):
    posts = "".join(f"<div class=comment><p>{said}</p></div>" for said in PROSE)
    source = f"<h1>Sled drops in light wind</h1>{REPORT}{posts}"
    assert says_all(page(source, url=url))
    assert not says_all(page(source))


def test_data_for_scripts_are_no_text_and_samples_of_data_are():
    found = page(f'<h1>Sleds</h1>{ARTICLE}<div>{{"kites": [], "line": "nine"}}</div><pre>{{"spars": 2}}</pre>')
    assert '"kites"' not in found.text
    assert '{"spars": 2}' in found.text


@every("name", ["Report__Section--Ads", "post-meta", "share-tools", "filters"])
def test_what_advertises_shares_or_dates_a_page_holds_none_of_its_prose(name):
    assert says_all(page(f"<h1>Sleds</h1><p>{SHORT[0]}</p><section class='{name}'>{ARTICLE}</section>{REPORT}"))
    found = page(f"<h1>Sleds</h1>{ARTICLE}<section class='{name}'><p>{SHORT[0]}</p></section>")
    assert SHORT[0] not in found.text
