"""A page on which people log in, write to a site or search it is of what its site is of, and sells nothing."""

import pytest
from written_pages import page, read, segmented

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.kinds.content_type import content_type
from toolkit.service.subjects.site_words import errand_type, is_errand, without_errand_words

FORM = (
    "Send us a message with this form. Fields with an asterisk are required fields: your name, your e-mail address and "
    "telephone number. Your browser must accept cookies, and JavaScript must be on. If you have an account, log in "
    "with your user name and password before you write; members find answers on the forums, where moderators read all "
    "posts. Click the link to download the form, tick the box, enter the security code and submit it. Messages are "
    "answered by e-mail. Our web site has a site map, a search and an RSS feed, and links to other web sites."
)
WRITTEN = [
    # A title and an address, and the content type and the errand of such a page.
    ("Log in | Heath Cottages", "/login", ("tool", "access")),
    ("Register at Whittlers' Bench", "/register.php", ("tool", "access")),
    ("My account", "/shop/my-account/", ("tool", "access")),
    ("Manual user registration : The Index", "/index?%3Aaction=register_form", ("tool", "access")),
    ("Contact us: we answer within a day", "/write-to-us", ("corporate", "contact")),
    ("Find us – Quarry Chapel", "/way", ("corporate", "contact")),
    ("Advanced search - Fern Forums", "/forums/search.php?s=4b", ("tool", "search")),
    ("Newsletter sign-up", "/n/1", ("tool", "newsletter")),
    ("Your basket", "/basket", ("tool", "basket")),
    ("Shipping information", "/pages/ship", ("guide", "help")),
]
OTHERS = [
    ("Contact lenses for beginners", "/eyes/contact-lenses"),
    ("Contact sports and the young brain", "/sport/contact-sports"),
    ("Log cabins in Finland", "/log-cabins"),
    ("Sign writing by hand", "/sign-writing"),
    ("Registers of the parish of Olney", "/registers-of-olney"),
    ("Basket weaving with willow", "/basket-weaving"),
    ("A search engine for antibodies", "/about-the-search"),
    ("The account of a whaler", "/books/account"),
    ("Help is on its way to the valley", "/help-for-the-valley"),
    ("Signs that a word is registered", "/register/trademark"),
    ("A login that was never used", "/login/why-nobody-came"),
]


@pytest.mark.parametrize(("title", "path", "told"), WRITTEN)
def test_titles_and_addresses_tell_an_errand(title, path, told):
    assert errand_type(page(title, "A line.", path)) == told


@pytest.mark.parametrize(("title", "path"), OTHERS)
def test_words_of_errands_in_a_subject_are_none(title, path):
    assert not is_errand(page(title, "A line.", path))


def test_the_home_page_of_a_site_is_there_for_no_errand():
    assert not is_errand(page("Contact us", "A line.", "/"))


def test_an_article_called_after_an_errand_is_none():
    article = "The contact of two plates makes mountains, and where rocks touch, heat and water alter both. " * 40
    assert not is_errand(page("Contact - Stonepedia", article, "/wiki/Contact"))
    assert is_errand(page("Contact - Stonepedia", "Write to us.", "/wiki/Contact"))


def test_a_home_page_where_a_site_helps_is_there_for_help():
    asked = page("Customer support options", "A line.", "https://faq.flyaway.example/")
    assert errand_type(asked) == ("guide", "help")
    for called in ("https://help.example/", "https://support.co.uk/"):
        assert errand_type(page("Help for widowers", "A line.", called)) is None


def test_a_page_with_a_form_is_of_what_its_site_is_of():
    head = '<meta name="description" content="Bike club: cycling, bicycle touring and bicycle repair in Harrow.">'
    found = read("Contact us | Spoke Wheelers", FORM, "/contact-us", head=head)
    assert [category.path for category in found.content.v3 if category.tier == 1] == ["Sports"]
    other = read("A form of ours | Spoke Wheelers", FORM, "/a-form-of-ours", head=head)
    assert other.content.v3 == ()


def test_the_content_type_says_which_errand_it_is():
    found = page("Manual user registration : The Index", "Choose a name.\nThen wait.", "/index?%3Aaction=register_form")
    assert content_type(found) == ("tool", "a page for an errand: access")


def test_who_writes_to_a_firm_means_to_buy_nothing():
    text = (
        "Write to our studio about guitars, strings and amplifiers. We repair acoustic guitars and electric guitars. "
        "Our workshop fits pickups and new frets, and our shop has strings for every guitar and ukulele."
    )
    assert segmented("Guitar workshop", text, "/guitars")["purchase_intent"]["codes"]
    assert segmented("Contact us | Guitar workshop", text, "/contact-us")["purchase_intent"]["codes"] == []


def test_what_is_left_out_leaves_its_place():
    text = "Enter your password to order gouache"
    left = without_errand_words(text)
    assert len(left) == len(text)
    assert left.split() == ["Enter", "your", "to", "gouache"]


def test_each_errand_has_a_content_type_and_a_place_where_it_is_told():
    rows = knowledge_rows("errands.tsv")
    told = {row["errand"] for row in rows if row["where"] in ("title", "path")}
    assert {row["errand"] for row in rows if row["content_type"]} == told
    assert {row["where"] for row in rows} == {"title", "path", "word"}
    assert len({(row["errand"], row["content_type"]) for row in rows if row["content_type"]}) == len(told)
