"""What sites write about themselves whatever a page is about says nothing of it."""

import re

import pytest
from cases import every

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import parse_page
from toolkit.service.pages.prose import without_boilerplate
from toolkit.service.subjects.readings import classified

KITES = (
    "The kite climbs best in a steady wind of nine to twenty kilometres an hour, well away from trees and cables, "
    "and comes down by itself when it drops at dusk."
)
#: What real pages write in the midst of their text.
WRITTEN = (
    "We are independent and ad-supported.",
    "We may earn a commission from the companies mentioned in this post.",
    "Affiliate disclosure: this post contains affiliate links.",
    "As an Amazon Associate I earn from qualifying purchases.",
    "If you buy something through our links, we may make a little money at no cost to you.",
    "All products featured here are independently selected by our editors.",
    "Advertiser Disclosure",
    "How we make money",
    "Photo: Jane Doe",
    "Image credit: Getty Images",
    "Medically reviewed by Dr Ann Smith",
    "© 2024 Sleds Media Ltd.",
    "Copyright 2019 The Kite Press. All rights reserved.",
    "This material may not be published, broadcast, rewritten or redistributed.",
    "Sign up for our weekly newsletter.",
    "Get the best stories delivered straight to your inbox.",
    "You can unsubscribe at any time.",
    "Follow us on Facebook and Instagram.",
    "Share this article on Twitter",
    "Please enable JavaScript to view this page.",
    "This website uses cookies to give you the best experience.",
    "Advertisement",
    "Story continues below",
    "This article was originally published in 2019.",
    "Views expressed are those of the author.",
    "The information on this site is for general informational purposes only.",
    "It is not a substitute for professional medical advice.",
    "Leave a comment below!",
    "Comments are closed.",
    "Click here to subscribe.",
    "Your email address will not be published.",
    "Required fields are marked *",
    "Read more: Ten kites for beginners",
    "Forgot your password?",
    "Username: *",
    "Remember me on this computer",
    "Enter the code exactly as you see it.",
    "Your shopping cart is empty.",
    "You cannot post new topics in this forum",
    "All times are UTC + 1 hour",
    "Powered by phpBB",
    "Screen reader users press enter to select a subject.",
    "I hereby consent to receive calls at this number.",
    "Wir verwenden Cookies, um Ihr Erlebnis zu verbessern.",
    "Dieser Beitrag enthält Affiliate-Links.",
    "Abonnieren Sie unseren Newsletter.",
    "Cet article contient des liens affiliés.",
    "Inscrivez-vous à notre newsletter.",
    "Todos los derechos reservados.",
    "Iscriviti alla nostra newsletter.",
    "Todos os direitos reservados.",
    "Meld je aan voor onze nieuwsbrief.",
)
#: What only sounds alike: it says what a page is about.
MEANT = (
    "The agent's commission is 1.5 per cent of the price, paid on completion.",
    "Twelve affiliate clubs sent a delegate to the federation.",
    "Bake the cookies for eleven minutes and let them cool.",
    "The parish newsletter of 1911 lists the dead of the colliery.",
    "Follow the river upstream until the second weir.",
    "Share the dough between two bowls.",
    "The photograph shows the mill before the fire.",
    "Copyright protects a work for seventy years after its author's death.",
    "The council decided to advertise the post again.",
    "The van is powered by a two-litre diesel engine.",
    "You can edit the table, delete a row or create another.",
    "Passwords are kept as salted hashes and never as they were typed.",
    "Moderators slow the neutrons in the core of the reactor.",
    "A trailer that is not registered may be seized.",
    "Browsers keep what a page stores for each origin apart.",
    "A credit card that charges 24 per cent is a dear loan.",
    "Remember Me is the saddest film of the year and the best acted.",
    "A subscriber line carries voice and data over one pair.",
    "JavaScript closures keep the variables of their scope.",
    "Subscribe to the topic before the producer sends its first message.",
    "Her comments on the treaty angered the minister.",
    "We link the two beams with a steel plate.",
    "The editor of the poems chose the earlier reading.",
    "An image of the tendon shows a partial tear.",
    "Prices at the auction rose for the third year.",
    "The fact that ice floats keeps lakes alive.",
)


@every("sentence", WRITTEN)
def test_what_a_site_writes_about_itself_is_no_part_of_a_text(sentence):
    for before, after in ((f"{KITES}\n", f"\n{KITES}"), (f"{KITES} ", "")):
        text, beside = without_boilerplate(f"{before}{sentence}{after}")
        assert (text, beside.replace("\n", " ")) == (f"{before.rstrip()}{after}", sentence)


@every("sentence", MEANT)
def test_what_only_sounds_alike_stays(sentence):
    text = f"{KITES}\n{sentence}"
    assert without_boilerplate(text) == (text, "")


def test_a_notice_stays_whole():
    text = "\n".join(
        ["Cookie notice", "We use cookies to remember you.", "You can accept all cookies or reject them.", KITES[:40]]
    )
    assert without_boilerplate(text) == (text, "")


LIFTS = (
    "A tail lift is a platform on the back of a lorry that raises pallets and roll cages from road to load bed.",
    "Hydraulic rams lift the platform, and the driver works it with a handset beside the tailgate of the truck.",
)
MONEY = (
    "Advertiser disclosure",
    "How we make money",
    "We are independent and ad-supported. We may earn a commission when you buy through our links.",
    "Affiliate fees and adverts pay for the site; our editors decide freely what they write.",
)


@pytest.mark.parametrize("before", [(), MONEY, MONEY[:2]])
def test_how_a_site_makes_its_money_is_not_what_a_page_is_about(before):
    body = "".join(f"<p>{said}</p>" for said in (*before, *LIFTS))
    source = f"<html lang=en><head><title>What is a tail lift?</title></head><body><main>{body}</main></body></html>"
    page = parse_page(Fetched("https://lifts.example/tail-lift", {}, source.encode(), "text/html", "utf-8"))
    assert page.text.split("\n") == list(LIFTS)
    assert classified(page).content.v3[0].path == "Automotive"


def test_patterns_are_in_small_letters_as_what_they_are_searched_in():
    patterns = [row["pattern"] for row in knowledge_rows("boilerplate.tsv")]
    assert [pattern for pattern in patterns if re.search("[A-Z]", re.sub(r"\\.", "", pattern))] == []
