"""The kind of a page is told by what it is, and not by words that it has for other reasons."""

import pytest
from written_pages import page

from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import parse_page
from toolkit.service.readers.kinds.content_type import content_type
from toolkit.service.readers.offers import offered
from toolkit.service.subjects.notices import is_fine_print

MATCH = (
    "Vale held off Northport 92-88 in the first game of the finals. Okoro ended with 21 points, Lind had 18 points "
    "and Marsh added 17 points off the bench. The visitors led by nine at the break, but made three of their last "
    "twenty shots, and a whistle nobody in the hall agreed with ended it. The second game is to be played in Northport."
)
BOARD = (
    "kestrel91\n14 points 3 hours ago\nMine jumped off the rail after a week.\nmoss_hill\n9 points 2 hours ago\n"
    "Tighten the lower spring, then turn the post a quarter.\nkestrel91\n6 points 1 hour ago\nThat did it, thanks."
)
SPOKEN = (
    '"Well," said Maro, "he is my father. He thinks I can beat anyone." She laughed when she said it. "I ran before I '
    'could walk," she told him. He smiled. "You never walked," he said. She was six when she came to the club. "I was '
    'small," said Maro. They took her racket away and she cried. "Give it back," she said. He gave it back to her. '
    '"Then I hit them all," she said. She met him again in the spring. "You have grown," he said. He was right.'
)
FIELDS = (
    "Choose a range\nFrom\nTo\nNumber of words\nBulleted list\nNumbered list\nTable\nAdvanced options\nFirst letter\n"
    "Word size\nLess than\nGreater than\nEquals\nRows\nColumns\nShow header\nGenerate\nMore tools\nPrint\nHome"
)
POST = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "BlogPosting"}</script>'
REPORT = (
    "The council voted on Tuesday to close the swing bridge for repairs, officials said. According to the harbour "
    "master the work begins on Monday and lasts until the spring. A spokesman for the ferry confirmed extra crossings."
)
VIDEO = '<meta property="og:type" content="video.other">'


def kind(title: str, text: str, path: str = "/4711", head: str = "") -> str:
    """Return the content type of a page."""
    return content_type(page(title, text, f"https://pages.example{path}", head=head))[0]


def test_points_of_players_are_no_points_of_posts():
    assert kind("Vale strike first", MATCH) != "forum"
    assert kind("Feeder off its rail", BOARD) == "forum"


@pytest.mark.parametrize("title", ["Vale vs Northport: result and highlights", "Vale versus Northport - preview"])
def test_a_match_is_no_review(title):
    assert kind(title, MATCH) != "review"
    assert kind("Growler vs Howler", MATCH) == "review"


def test_who_speaks_in_a_report_with_a_dateline_is_in_no_story():
    assert kind("Maro ready for the final", SPOKEN) == "fiction"
    assert kind("Maro ready for the final", f"LISBON, Portugal (AP) -- {SPOKEN}") == "news"


def test_a_dialogue_that_is_signed_is_a_story_where_stories_are_alone():
    signed = f"By Ida Sharrow | Nov. 2, 2023\n{SPOKEN}"
    assert kind("Maro ready for the final", signed) != "fiction"
    assert kind("Maro ready for the final", signed, path="/short-stories/maro") == "fiction"


def test_a_narrative_that_nobody_signed_is_a_story_if_somebody_speaks_in_it():
    told = (
        "She came down to the weir at dusk and he was not there. She stood on the planks. She had the lamp with her, "
        "and when she lit it she saw that the gate was up. He had gone. She went along the bank and she called to "
        "nobody. She thought of the boat; she found it tied where she left it in the spring. She sat in it until she "
        "was cold, and she knew that he had walked. She took the oars."
    )
    spoken = f'{told}\n{told}\n{told} "You are late," he said from the dark.'
    signed = '<meta property="og:type" content="article"><meta name="author" content="M. Weir">'
    assert kind("The weir", told) == "article"
    assert kind("The weir", spoken) == "fiction"
    assert kind("The weir", spoken, head=signed) == "article"


@pytest.mark.parametrize("opening", ["NORTHPORT — ", "ST. MARY'S, Ont. - ", "PORT VALE -- "])
def test_a_dateline_makes_a_report_of_what_names_no_day(opening):
    text = REPORT.replace("on Tuesday ", "").replace("on Monday ", "soon ").replace("until the spring", "for long")
    is_dash = " - " not in opening
    assert kind("Swing bridge closes", text) != "news"
    assert (kind("Swing bridge closes", f"{opening}{text}") == "news") is is_dash


def test_the_name_of_a_site_tells_no_kind():
    url = "https://www.the-review.example/bridge"
    assert content_type(page("Swing bridge closes - The Review", FIELDS, url))[0] != "review"
    assert content_type(page("Growler pedal - Review", REPORT, "https://pedals.example/growler"))[0] == "review"


def test_papers_mark_reports_as_posts_and_blogs_say_so_in_their_address():
    assert kind("Swing bridge closes", REPORT, "/2025/03/bridge", POST) == "news"
    assert kind("Swing bridge closes", REPORT, "/blog/bridge", POST) == "blog"


def test_an_article_with_a_video_is_no_video():
    dated = '<meta property="article:published_time" content="2025-03-01">'
    assert kind("Swing bridge closes", REPORT, "/bridge", VIDEO) == "media"
    assert kind("Swing bridge closes", REPORT, "/bridge", VIDEO + dated) == "news"


@pytest.mark.parametrize(
    "path", ["/members/registration", "/userlogin.htm", "/email-signup.html", "/create/user/", "/myaccount.asp"]
)
def test_where_people_register_is_a_tool(path):
    assert kind("Members", REPORT, path) == "tool"


def test_a_page_of_fields_is_no_piece_of_writing():
    assert kind("List of random words", FIELDS) == "landing_page"
    assert offered(page("List of random words", FIELDS)) == ()


@pytest.mark.parametrize(
    ("title", "is_print"),
    [
        ("User Agreement | Kites", True),
        ("Kites: End User License Agreement", True),
        ("Terms of Sale", True),
        ("How to write a privacy policy", False),
        ("Privacy policy: how we use what you tell us", True),
        ("A sample license agreement", False),
    ],
)
def test_what_binds_users_is_fine_print_and_sells_nothing(title, is_print):
    found = page(title, f"{REPORT} {REPORT}", "https://kites.example/pricing")
    assert is_fine_print(found) is is_print
    assert bool(offered(found)) is not is_print


@pytest.mark.parametrize(
    ("title", "path", "told"),
    [
        ("Bridge closes for repairs - Harbour Times", "/news/local/quayside/community/bridge-closes", "news"),
        ("Swing bridge to stay shut, say docs - Harbour Times", "/4711", "news"),
        ("Swing bridge | Harbour docs", "/4711", "documentation"),
    ],
)
def test_a_report_is_one_whatever_words_of_other_kinds_are_around_it(title, path, told):
    assert kind(title, REPORT, path) == told


def test_a_piece_with_a_date_in_its_address_is_not_what_a_firm_says_of_itself():
    text = (
        "Our harbour had a swing bridge before it had a town, and the company that built it is still here. We at the "
        "quay have watched it turn for a hundred years. Our customers wait, and our clients wave."
    )
    assert kind("The bridge that was here first", text, "/2013/06/the-bridge-that-was-here-first/") != "corporate"


def test_the_home_page_of_a_parish_or_a_band_is_no_corporation():
    parish = (
        "We are a small congregation beside the harbour, and all are welcome at our chapel. Our Sunday worship begins "
        "at ten, our choir sings in the evening, and we are glad of volunteers. We meet for prayer on Wednesdays."
    )
    joiners = (
        "We are a small firm of joiners beside the harbour. Our services are stairs, windows and kitchens, and we have "
        "worked for our customers since 1974. Our team measures, builds and fits. We are always glad of a new client."
    )
    assert kind("Quay Chapel", parish, "/") == "landing_page"
    assert kind("Quay Joiners", joiners, "/") == "corporate"
    club = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "SportsClub"}</script>'
    assert kind("Quay Fencers", joiners.replace("firm of joiners", "club"), "/", club) == "landing_page"
    shelter = (
        "We pack parcels for people who have run out of money. Our driver brings one the day you ring. We are glad of "
        "tins, and of your time: our volunteers sort on Tuesdays. A donation of £8 fills a parcel. Our trustees show "
        "our accounts each June. We have packed nine thousand parcels since we opened beside the harbour."
    )
    assert kind("Quay Larder", shelter, "/") == "landing_page"
    managers = (
        "We look after 4,000 flats beside the harbour, and residents reach us at all hours. Our staff gave £4,000 to "
        "charity last year. We collect the rent, mend the lifts and clean the stairs, and we have done so since 1974."
    )
    assert kind("Quay Block Management", managers, "/") == "corporate"


@pytest.mark.parametrize(
    ("path", "is_home"),
    [
        ("/", True),
        ("/index.html", True),
        ("/en", True),
        ("/de-AT/", True),
        ("/us/en/", True),
        ("/zh-hans/", True),
        ("/en/index.shtml", True),
        ("/tv", False),
        ("/hr", False),
        ("/athome", False),
        ("/reindex.html", False),
        ("/en/about", False),
    ],
)
def test_the_home_of_a_site_or_of_one_of_its_languages_is_one(path, is_home):
    assert page("Quay", "Beside the harbour.", f"https://quay.example{path}").is_home == is_home


def test_a_list_of_prices_is_a_category_however_its_shop_marks_it():
    rates = "\n".join(
        f"{name}\n${price} a week" for name, price in (("Frame", 9), ("Tower", 165), ("Stair", 48), ("Plank", 4))
    )
    told = f"{rates}\nNetting\n$70 a roll\nJack\n$2 a week\nAll rates are per piece, before tax."
    article = "<article>{}</article>"
    assert kind("Access for hire", told, "/access/hire", article.format("")) == "category_page"
    spent = told.replace(
        "All rates", "I bought it all, and I regret it. I had no shed. I sold my car. I keep my word. All rates"
    )
    assert kind("What I spent in June", spent, "/notes/june", article.format("")) != "category_page"


def test_who_says_something_on_a_thursday_on_a_site_of_stories_is_in_a_story():
    told = (
        'On Thursday the stack for room six came up as heavy as it had gone down. "Not hungry, maybe," said Ravi. Mrs '
        'Oke opened it. The rice was there, and the dal, and in the dal a key. "He told the porter on Monday," Ravi '
        'said, "that he was leaving." "According to whom?" she asked. "According to the porter." She put it on the '
        'table and looked at it. "Then who," she said, "sent it back on Thursday?" Officials had locked the room.'
    )
    assert kind("The key in the dal - Ninth Floor Stories", told, "/2025/07/key/", POST) == "fiction"
    assert kind("The key in the dal - Harbour Gazette", told, "/2025/07/key/", POST) != "fiction"
    assert kind("The key in the dal - Customer stories", told, "/customers/oke/") != "fiction"


AGENDA = (
    "Saturday 14 June, Drill Hall, Market Street\n9.30am Registration and coffee\n10am Mending a dropped thread\n"
    "11.30am Workshops, two rooms\n1pm Lunch, bring your own cup\n2pm Panel: who buys hand-woven cloth?\nPasses £12."
)
LISTED = (
    "6 saddlers listed\nHarrow & Son, 14 Tanner Street, Ludlow\nBespoke bridles, repairs on Fridays.\n"
    "M. Okafor, Unit 3, Mill Lane, Leominster\nSide saddles reflocked.\nThe Strap Shop, 2 Bell Yard, Hereford\n"
    "Harness for driving.\nJ. Pugh, Castle Road, Knighton\nDogs' collars, too.\nAdd your business"
)
CLAIM = (
    "You can apply for the grant if you have lived in the county for two years. You must send form HG12 within 28 days "
    "of the notice. If you do not have the notice, ask us for a copy. What happens next: we will write to you within "
    "ten working days. If you disagree with what we decide you can appeal in writing. There is no fee."
)


def test_what_names_its_day_its_hours_and_how_one_goes_there_is_an_event():
    assert kind("Handweavers' Open Day 2026", AGENDA) == "event_page"
    assert kind("Handweavers' Open Day 2026", AGENDA.replace("Saturday 14 June, ", "")) != "event_page"
    went = f"I went, and I learned a lot, I must say. {AGENDA} I was glad that I had come, and I came home with yarn."
    assert kind("My handweavers' open day", went) != "event_page"


def test_firms_of_a_place_one_below_the_other_are_a_directory():
    assert kind("Saddlers in Herefordshire", LISTED) == "directory"
    assert kind("A saddle for a lifetime", LISTED.replace("6 saddlers listed", "")) != "directory"


def test_groups_of_digits_are_no_telephone_numbers():
    table = "\n".join(f"Star {at} 00 49 57 49 3.5 7.4 13.{at} 326 60" for at in range(10, 24))
    phones = "\n".join(f"Surgery {at} 01632 960 {at}4" for at in range(10, 24))
    assert kind("Doubles of the autumn", table) != "directory"
    assert kind("Surgeries", phones) == "directory"


def test_what_one_can_ask_of_an_office_and_must_do_for_it_is_a_guide():
    assert kind("Hedge grant", CLAIM, "/grants/hedges") == "guide"
    assert kind("Hedge grant", "The county has planted four miles of hedge. " * 9, "/grants/hedges") != "guide"


def test_comments_below_a_report_make_it_no_forum():
    comments = "\nbargee7 said: At last.\nReply to bargee7\n12 replies\nmudlark said: About time."
    assert kind("Swing bridge to close", REPORT + comments) == "news"


def test_some_of_many_things_that_are_shown_are_a_list():
    price = '<meta itemprop="price" content="12"><form action="/cart/add"><button>Add to cart</button></form>'
    lots = "Showing 1–7 of 18\nBay 3, 3,200 sq ft, £19,200\nUnit 2, 4,410 sq ft, £37,500"
    assert kind("Units in Tipton", lots, head=price) == "category_page"


def test_a_table_of_figures_is_a_work_of_reference():
    rows = "".join(f"<tr><td>{at}</td><td>0.{at}24</td><td>{at}.230</td></tr>" for at in range(1, 15))
    made = f'<script></script><meta name="description" content="Sizes"></head><body><main><table>{rows}</table>'
    assert kind("Wire gauges", "", "/t/gauges", head=made) == "reference"
    named = made.replace("<td>0.", "<td>Reel ").replace(".230</td>", " in stock</td>")
    assert kind("Wire gauges", "", "/t/gauges", head=named) != "reference"


def test_words_explained_in_the_order_of_the_alphabet_are_a_work_of_reference():
    words = ["Batten", "Bight", "Bolt", "Clew", "Crimp", "Denier", "Gore", "Hank", "Leech", "Luff"]
    told = [f"{word}\nA part of a sail of which sailmakers speak." for word in words]
    assert kind("What we say in the loft", "\n".join(told)) == "reference"
    assert kind("What we say in the loft", "\n".join(told[::-1])) != "reference"


def test_what_a_flora_says_of_one_plant_is_a_work_of_reference():
    said = {"Synonymy": "G. inflexa.", "Description": "Plants low.", "Habitat": "Seeps.", "Distribution": "Five sites."}
    assert kind("A bulb", "\n".join(f"{name}: {text}" for name, text in said.items())) == "reference"
    assert kind("A bulb", "\n".join(said.values())) != "reference"


def test_answers_that_somebody_gave_to_what_somebody_asked_are_a_forum():
    text = (
        "Sum the visible rows\nAsked 6 years ago\nI filter by hand.\nasked by Lotte K.\n3 Answers\nanswered by hedgehog"
    )
    assert kind("Sum the visible rows", text) == "forum"


def test_one_job_is_no_list_of_jobs():
    job = (
        "We need a joiner, full-time, permanent. You will hang doors. Experience of sash windows helps. The salary is "
        "31k, with a pension. To apply, send a CV and a covering letter by the closing date; interviews are in May."
    )
    assert kind("Joiner", job, "/vacancies/R2219") == "landing_page"
    assert kind("Joiners", f"Showing 1–20 of 48\n{job}", "/vacancies/joiners") == "category_page"


def test_who_speaks_of_itself_may_hold_an_event():
    own = f"{AGENDA}\nOur society of handweavers was founded in 1931. Our members teach, and we lend our looms to you."
    assert kind("Handweavers' Summit 2026", own, "/2026/visit") == "event_page"
    assert kind("Visit the handweavers", own, "/2026/visit") == "corporate"


ARTICLE = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article"}</script>'
OWN = (
    "I said in the spring that I would keep this up, and I have not. My knee went in May and I sat on the step, sorry "
    "for myself, for most of a month. My sister came over and we walked as far as the lock, and I hated it, and then I "
    "did not. So here we are again. I am up at six, I put my old coat on over my pyjamas and I go. I do not know if I "
    "will ever run again, and I think that I have stopped minding. I wrote to Joan about it and she rang me."
)
SHOWN = (
    "Turn off the water at the stopcock before you start, and open the lowest tap until it runs dry. Put a bowl under "
    "the joint. Hold the pipe with one wrench and turn the nut with the other; if it will not move, do not force it. "
    "Wrap the thread twice with tape, the way that you will turn it. Then tighten it by hand and give it a "
    "quarter turn more. Turn the water on slowly and check the joint with a dry tissue. If it is wet, start again."
)
SOLD = (
    "Solid oak, oiled finish. Height 74 cm, width 110 cm, depth 48 cm. Weight 21 kg. Two drawers with brass handles. "
    "Supplied flat packed with fixings included. Made to order in our workshop; please allow three weeks. Free "
    "delivery to the mainland on orders over £150, or collect from us. Also in ash and walnut. Ten year guarantee. "
    "Wipe with a dry cloth; do not stand it beside a radiator. Usually dispatched in 5 days."
)


@pytest.mark.parametrize(
    ("title", "text", "told"),
    [("Still here", OWN, "blog"), ("A joint that drips", SHOWN, "guide"), ("Harbourmaster desk", SOLD, "product_page")],
)
def test_a_page_that_says_no_more_than_that_it_is_a_piece_is_what_it_is_worded_like(title, text, told):
    long = f"{text}\n{text}"
    assert kind(title, long, head=ARTICLE) == told
    assert kind(title, long) == told
    assert kind(title, long, path="/news/4711") == "news"
    assert kind(title, text, head=ARTICLE) == "article"


def test_who_tells_of_what_was_bought_sells_nothing():
    assert kind("The desk came", f"{OWN} {SOLD}") not in ("product_page", "category_page")


@pytest.mark.parametrize(
    "address", ["https://newsroom.example.com/releases/2025-03-line", "https://a.example/press-releases/line"]
)
def test_what_a_firm_releases_to_the_press_is_news_and_a_release_of_a_program_documentation(address):
    assert content_type(page("A second line", SHOWN, address))[0] == "news"
    assert kind("Version 4", SHOWN, path="/releases/4") == "documentation"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://a.example/talk/twins/4712098-one-sleeps-one-does-not", "forum"),
        ("https://a.example/archive/antrim-l/2009-March/1237.html", "forum"),
        ("https://a.example/magazine-of-the-hall/2009-spring/1237.html", "article"),
        ("https://a.example/magazine-of-the-hall/2009-march/12.html", "article"),
        ("https://lists.a.example/antrim-l/1237", "forum"),
        ("https://help.a.example/hc/en-gb/articles/4711-a-joint-that-drips", "documentation"),
        ("https://help.a.example/owners/calendar/a-joint-that-drips", "documentation"),
        ("https://support.a.example/taps/a-joint-that-drips", "documentation"),
        ("https://a.example/help/a-joint-that-drips", "guide"),
    ],
)
def test_posts_of_lists_are_of_a_forum_and_articles_of_a_help_centre_documentation(address, told):
    assert content_type(page("A joint that drips", SHOWN, address))[0] == told


LATHE = (
    "Wickham Lathes has taken over Dorn Tooling, a maker of chucks with 40 staff. The price was put at £6m. Dorn's "
    "owner stays for a year. The two make lathes for schools and for small workshops, and share an agent abroad."
)


@pytest.mark.parametrize("line", ["12 May 2026 · by Ida Sharrow", "By Ida Sharrow, deals editor | May 12, 2026"])
def test_what_is_signed_in_a_section_of_deals_is_a_piece_of_writing(line):
    for held in ("The price is held until Friday", "Town Hall, 12 May 2026", "Spring Sale | 12 May 2026"):
        assert kind("Wickham buys Dorn", f"{held}\n{LATHE}", path="/deals/wickham-buys-dorn") == "category_page"
    assert kind("Wickham buys Dorn", f"{line}\n{LATHE}", path="/deals/wickham-buys-dorn") == "article"


def test_a_guide_that_is_signed_is_no_product_because_a_shop_has_put_a_box_into_it():
    def kind_of(line, path="care"):
        box = "<p>Starter lathe £329.00</p><form action=/cart/add><input name=qty><button>Add to cart</button></form>"
        source = f"<html lang=en><title>Your first lathe</title><h1>Your first lathe</h1>{line}<p>{LATHE}</p>{box}"
        fetched = Fetched(f"https://a.example/{path}/lathe", {}, source.encode(), "text/html", "utf-8")
        return content_type(parse_page(fetched))[0]

    assert kind_of("") == "product_page"
    assert kind_of("<p>Town Hall · 12 July 2025</p>") == "product_page"
    assert kind_of("<p>By Kit Marlow, bench hand · July 2025</p>") == "article"
    assert kind_of("<p>By Kit Marlow, lathe maker, July 2025</p>", "shop") == "product_page"


@pytest.mark.parametrize(
    ("path", "told"),
    [("/community/bridge-closes", "news"), ("/community/t/bridge-closes/99120", "forum"), ("/forum/bridge", "forum")],
)
def test_the_community_of_a_paper_is_no_forum(path, told):
    assert kind("The bridge closes", REPORT, path=path) == told


DINGHY = (
    "Eleven foot clinker dinghy\n{line}\nBuilt at the loft in 1987 and always under cover. New rubbing strake last "
    "spring, one plank sistered, sails serviceable. Selling as the knees have gone, mine and not hers. Trailer goes "
    "with her. She can be seen on the hard at any low water, and I am there most evenings with the kettle on."
)


@pytest.mark.parametrize("line", ["£1,150 ono", "Oars and trailer, £1,150 ono", "£1,150 · Gweek · seen 41 times"])
@pytest.mark.parametrize("path", ["/ad/55093", "/boats/for-sale/55093"])
def test_what_has_its_price_below_its_title_is_for_sale(line, path):
    assert kind("Eleven foot clinker dinghy", DINGHY.format(line=line), path) == "product_page"


@pytest.mark.parametrize(
    "line",
    [
        "£1,150 was all it took to get her back on the water.",
        "£150 off",
        "£2m raised for a new lifeboat",
        "£300 and a weekend got her afloat",
        "£4,200 raised of £6,000",
        "£12,400 + Gift Aid so far",
        "£12,000 – that is what she came to",
        "12.000 € Schaden nach Brand im Bootshaus",
        "- £1,150 raised at the regatta",
        "By Ida, 5 May",
    ],
)
def test_what_tells_of_a_sum_below_its_title_is_not(line):
    assert kind("Eleven foot clinker dinghy", DINGHY.format(line=line), "/ad/55093") != "product_page"


def test_what_a_title_says_is_for_sale_is_that_one_or_many_by_its_prices():
    told = "Mine since 1996, and my knees say no. New canvas, old engine, starts on the handle. I'd like £3,400 for it."
    assert kind("1978 Land Rover for sale", told, "/landy/forsale.htm") == "product_page"
    birds = "\n".join(
        f"{name} GBP {price}.00" for name, price in (("Warren", 6), ("Marans", 16), ("Sussex", 15), ("Ancona", 9))
    )
    assert (
        kind("Birds for sale 2006", f"All home reared. Collection only.\n{birds}", "/birds2006.html") == "category_page"
    )
    assert kind("House for Sale, review", f"Tickets £18 at the door.\n{told}", "/stage/house") == "review"
    assert kind("Note for sale of field upheld", f"{told} {REPORT}", "/4711") != "product_page"
    assert kind("How to price a Land Rover for sale", told, "/landy/") != "product_page"
    assert kind("Land Rover for sale: what I learned", told.replace("£3,400", "less"), "/landy/") != "product_page"


def test_several_prices_below_each_other_are_no_price_of_one():
    rows = "\n".join(
        f"£{rent} pw\n{number} Kelp Street, two bedrooms" for number, rent in enumerate((520, 465, 640, 700))
    )
    assert kind("Two bedrooms in Kelp Town", f"Two bedrooms in Kelp Town\n{rows}", "/kelp-town/2") != "product_page"


def test_a_review_and_an_event_may_have_their_price_below_their_title():
    text = DINGHY.format(line="£1,150 ono")
    assert kind("Eleven foot clinker dinghy", text, "/reviews/dinghy") == "review"
    assert kind("Eleven foot clinker dinghy", text, "/events/dinghy") == "event_page"


WRITERS = (
    "{0}\nMy stove smokes on still days and only then, whatever I burn in it. The flue was swept in May.\n{1}\n"
    "Warm the flue first. A sheet of newspaper, lit and held up past the damper, and shut the room's other door.\n{0}\n"
    "That did it. I had the wrong door open for two winters, and thank you for not laughing about it.\n{2}\n"
    "Some of us laughed. Mine did the same until the sweep showed me how the wind comes down off the barn."
)


def test_who_write_again_below_the_names_that_they_chose_write_in_a_forum():
    assert kind("Smoke on still days", WRITERS.format("ash_bucket", "KindlingKate", "sooty")) == "forum"
    assert kind("Smoke on still days", WRITERS.format("ash_bucket Hexham", "KindlingKate Cork", "sooty")) == "forum"
    # In an interview people have their own names, and in a set of papers each speaks once.
    assert kind("Smoke on still days", WRITERS.format("Ida Sharrow", "Tom Reid", "Ann Vale")) != "forum"
    once = WRITERS.replace("{0}", "{3}", 1)
    assert kind("Smoke on still days", once.format("flue2", "KindlingKate", "sooty", "ash_bucket")) != "forum"
    # Three stoves of one make are no writers.
    assert kind("Smoke on still days", once.format("K2 Oak", "K2 Ash", "K2 Elm", "K2 Fir")) != "forum"


def test_a_topic_of_a_board_is_one_by_its_number_or_its_host():
    text = "My stove smokes on still days and only then, whatever I burn in it. The flue was swept in May."
    assert kind("Smoke", text, "/index.php?topic=7741.0") == "forum"
    assert kind("Smoke", text, "/index.php?page=7741") != "forum"
    assert content_type(page("Smoke", text, "https://board.stoves.example/t/best-dry-wood"))[0] == "forum"
    assert content_type(page("Smoke", text, "https://www.stoves.example/t/best-dry-wood"))[0] != "forum"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/jobs/harbour/8827714", "landing_page"),
        ("/jobs/Harbour-Pilot-2026-2/", "landing_page"),
        ("/jobs/harbour/", "category_page"),
        ("/jobs/page/2", "category_page"),
        ("/listing/14-kelp-wharf-harbour-town/29917730/", "product_page"),
        ("/listings/harbour-town/", "category_page"),
        ("/adopt/dogs/biscuit-4471", "product_page"),
        ("/adopt/dogs/", "category_page"),
        ("/r/quays/comments/1b7xq0p/red_house/", "forum"),
        ("/wwwboard/messages/317.html", "forum"),
        ("/stories/the-pilot-of-kelp-wharf", "article"),
    ],
)
def test_one_job_or_house_is_told_from_a_list_by_its_address_and_a_story_of_a_firm_from_a_blog(path, told):
    assert (
        kind("Kelp Wharf", "A red house with a slate roof and a door to the quay, and a pilot who lives there.", path)
        == told
    )


@pytest.mark.parametrize(
    ("title", "is_guide"),
    [
        ("Gaelic for beginners", True),
        ("Gaelic for beginners | Glen", True),
        ("Gaelic for Beginners (Tuesday evenings)", False),
    ],
)
def test_a_course_for_beginners_is_no_guide(title, is_guide):
    text = "Come as you are. Mairi brings the kettle, and Calum the songs. The stairs are steep and the room is warm."
    assert (kind(title, text) == "guide") is is_guide


ANSWERS = (
    ("Peg Lutz", "Does anybody know which of the two mills my great-grandfather worked in before he sailed?"),
    ("Tomás Ó Maol", "The lower one, for the upper one had burnt by then and was never built again."),
    ("Sheila in Ohio", "Ask for the wage books, they list the age of everyone and sometimes the ship."),
    ("Peg Lutz", "Found him. He signed for nine shillings and gave the name of his brother as well!"),
)
STAMPS = ("{} – 11 Jan 2026, 16:02", "{} 3 weeks ago", "{} · Mon 2 Mar 21:14", "{} | 2026-03-02")


@pytest.mark.parametrize("stamp", STAMPS)
@pytest.mark.parametrize("path", ["/ireland/mayo/two-mills", "/posts/two-mills"])
def test_people_who_answer_each_other_below_their_names_and_the_time_write_in_a_forum(stamp, path):
    thread = "\n".join(f"{stamp.format(name)}\n{text}" for name, text in ANSWERS)
    assert kind("Which mill?", thread, path) == "forum"
    alone = "\n".join(f"{stamp.format(f'Writer {at}')}\n{text}" for at, (_, text) in zip("ABCD", ANSWERS, strict=True))
    assert kind("Which mill?", alone, path) != "forum"


def test_a_recording_that_is_written_down_is_no_thread():
    spoken = "\n".join(f"{name} {at:02}:1{at}\n{text}" for at, (name, text) in enumerate(ANSWERS))
    assert kind("Episode 12: which mill?", spoken, "/blog/which-mill") == "blog"
    assert kind("Episode 12: which mill?", spoken, "/shows/which-mill") != "forum"


def test_what_has_comments_or_lists_what_somebody_wrote_is_no_thread():
    comments = "\n".join(f"{STAMPS[1].format(name)}\n{text}" for name, text in ANSWERS)
    assert kind("Two mills", f"{OWN}\n{comments}", "/posts/two-mills") == "blog"
    listed = "\n".join(f"The mill that burnt, part {at}\nAnn Lee · {at} May 2026\n{OWN[:90]}" for at in range(1, 6))
    assert kind("Mills", listed, "/posts/") == "blog"


def test_a_life_that_is_told_as_a_story_when_it_has_ended_is_none():
    assert kind("Maro ready for the final", SPOKEN, "/obituaries/maro") == "article"
    assert kind("Maro, who beat anyone, dies at 93", SPOKEN) != "fiction"


def test_a_title_that_ends_with_a_price_is_of_a_thing_for_sale():
    text = DINGHY.format(line="My father built her and I learned to row in her, and I am sorry to see her go.")
    assert kind("Clinker dinghy - £1,150 (Gweek)", text, "/boats/55093") == "product_page"
    assert kind("Clinker dinghy | €1.150 ono", text, "/boats/55093") == "product_page"
    assert kind("My dinghy and what she cost - £1,150", text, "/boats/55093") != "product_page"
    assert kind("Clinker dinghy", text, "/boats/55093") != "product_page"


LEVELS = (
    "Levels of the three dams are read at 07:00 and 19:00 from gauge plates. Hosing is on no day allowed, the schedule "
    "of the pumps is below, and no parking is left at the wall. The next session of the board starts at 11:00."
)


@pytest.mark.parametrize(
    ("title", "is_event"),
    [
        ("Dam levels: Monday 16 February 2026", False),
        ("Dam levels, February 16, 2026", False),
        ("Dam congress, February 16, 2026", True),
        ("Dams 2026, 16 February", True),
    ],
)
def test_the_year_of_a_day_calls_nothing_an_event(title, is_event):
    assert (kind(title, LEVELS) == "event_page") is is_event
